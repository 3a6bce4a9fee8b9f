from array import array
from collections.abc import Mapping, Sequence

Buffer = bytes | bytearray | memoryview
Numbers = Buffer | array[int] | array[float]
Message = tuple[int, int, int, int, int]

#: The columns of rows: those that add up, and notes about single rows.
Rows = tuple[dict[str, bytes], dict[str, bytes]]

NO_TAG: int

class ParsevalReason:
    SCORED: int
    LENGTHS_DIFFER: int
    WORDS_DIFFER: int
    EMPTY_TEST: int
    LEFT_OUT: int
    GOLD_FAULT: int
    TEST_FAULT: int

class TreeTooLarge(ValueError): ...

class Progress:
    def __init__(self) -> None: ...
    @property
    def position(self) -> int: ...
    @property
    def total(self) -> int: ...

class Trees:
    def __len__(self) -> int: ...
    def slice(self, begin: int, end: int, /) -> Trees: ...
    def names(self, first: int, /) -> list[bytes]: ...
    def nodes(self, tree: int, /) -> list[tuple[int, int, int, int]]: ...
    def leaves(self, tree: int, /) -> list[tuple[int, int, bytes]]: ...
    def times(self, tree: int, /) -> list[tuple[float, float]] | None: ...
    def word(self, tree: int, leaf: int, /) -> bytes: ...
    def outer_label(self, tree: int, /) -> bytes | None: ...
    def has_times(self) -> bool: ...
    def has_times_at(self, tree: int, /) -> bool: ...
    def with_times(self, times: Numbers) -> Trees: ...
    def joined(self, ends: Sequence[int], any_fault: bool) -> Trees: ...
    def leaf_total(self) -> int: ...
    def node_count(self, tree: int, /) -> int: ...
    def leaf_count(self, tree: int, /) -> int: ...
    def most_nodes(self) -> int: ...
    def most_leaves(self, tags: Sequence[bool], words: Sequence[bytes], /) -> int: ...
    def line(self, tree: int, /) -> int: ...
    def faulty(self, tree: int, /) -> bool: ...
    def discontinuous(self, tree: int, /) -> bool: ...
    def any_discontinuous(self) -> bool: ...
    def functions(self, tree: int, /) -> tuple[list[int], list[int]] | None: ...
    def brackets(self, index: int, pretty: bool, numbered: bool = False) -> bytes: ...
    def same_words(self, tree: int, other: Trees, other_tree: int, /) -> bool: ...
    def first_parting(self, other: Trees, /) -> int | None: ...
    def saved(self) -> bytes: ...
    @staticmethod
    def loaded(data: bytes, /) -> Trees: ...
    @property
    def nbytes(self) -> int: ...

class TreeBuilder:
    def __init__(self) -> None: ...
    def open(self, label: bytes, /) -> None: ...
    def leaf(self, word: bytes, tag: bytes | None) -> None: ...
    def close(self) -> None: ...
    def set_times(self, times: Sequence[tuple[float, float]], /) -> None: ...
    def graph(
        self,
        phrases: Sequence[tuple[bytes, int, bytes | None]],
        words: Sequence[tuple[bytes, bytes | None, int, bytes | None]],
        line: int = 0,
        has_functions: bool = False,
    ) -> tuple[int, int] | None: ...
    def finish(self, line: int, faulty: bool = False) -> None: ...
    def extend(self, trees: Trees, line: int = 0) -> None: ...
    def trees(self) -> Trees: ...

Fault = tuple[int, int, int, int, int]

def read_brackets(text: Buffer, layout: int, progress: Progress | None = None) -> tuple[Trees, list[Fault], int]: ...
def read_block(
    text: Buffer, rule: int, first_line: int, more: bool
) -> tuple[Trees, list[Fault], int, int, int, int, int]: ...
def block_size(text: Buffer, rule: int, /) -> int: ...

GraphText = tuple[Trees, list[tuple[int, int | None, int, int, bytes]], list[bytes], int]

def read_export(text: Buffer, join_functions: bool, progress: Progress | None = None) -> GraphText: ...
def read_discbracket(text: Buffer, by_line: bool, progress: Progress | None = None) -> GraphText: ...
def is_discbracket(text: Buffer, /) -> bool: ...
def are_spans(trees: Trees, /) -> bool: ...
def are_surely_text(trees: Trees, /) -> bool: ...
def place_spans(trees: Trees, progress: Progress | None = None) -> tuple[Trees, list[tuple[int, int, bytes]]]: ...
def first_without_spans(trees: Trees, /) -> int | None: ...
def write_spans(trees: Trees, /) -> Trees: ...

class EvalbReader:
    def __init__(self, gold: Buffer, test: Buffer, line_limit: int, keep_parents: bool, /) -> None: ...
    def read(self, most: int, /) -> tuple[Trees, Trees, list[Message]]: ...
    @property
    def end(self) -> int: ...
    @property
    def extents(self) -> list[tuple[tuple[int, int], tuple[int, int]]]: ...
    @property
    def longest_uncut(self) -> int: ...
    @property
    def longest_word(self) -> int: ...

class SideRules:
    def __init__(
        self, label_key: Sequence[int], label_deleted: bytes, tag_key: Sequence[int], tag_flags: bytes, /
    ) -> None: ...

class ParsevalRules:
    def __init__(
        self,
        *,
        gold: SideRules,
        test: SideRules,
        equal_labels: Sequence[tuple[int, int]],
        equal_tags: Sequence[tuple[int, int]],
        equal_words: Sequence[tuple[bytes, bytes]],
        deleted_forms: Sequence[bytes],
        labelled: bool,
        delete_by_gold: bool,
        only_gaps: bool,
        least_width: int,
        least_words: int,
        most_length: int,
        root: int,
        duplicates: int,
        empty_is_perfect: bool,
        overlook_length: bool,
        score_faulty: bool,
    ) -> None: ...

Explanation = tuple[
    tuple[list[tuple[int, int]], list[tuple[int, int]]],
    tuple[list[tuple[int, int, int, int]], list[tuple[int, int, int, int]]],
    tuple[list[tuple[int, int]], list[tuple[int, int]]],
    list[tuple[int, int, int, int, list[tuple[int, int]]]],
    bool,
]

def parseval_rows(
    gold: Trees, test: Trees, rules: ParsevalRules, threads: int, progress: Progress | None = None
) -> Rows: ...
def parseval_by_label(gold: Trees, test: Trees, rules: ParsevalRules, /) -> list[tuple[int, dict[str, int]]]: ...
def parseval_explain(
    gold: Trees, gold_tree: int, test: Trees, test_tree: int, rules: ParsevalRules, /
) -> Explanation: ...

UNTAGGED: int

def break_down(
    gold: Trees,
    test: Trees,
    brackets: ParsevalRules,
    label_class: Sequence[int],
    tag_class: Sequence[int],
    threads: int,
    progress: Progress | None = None,
) -> tuple[
    list[tuple[int | None, int | None, int, int, int]],
    list[tuple[int | None, int | None, int, int, int]],
    list[tuple[int, int | None, int | None, int, int, int]],
    list[tuple[int | None, int | None, int, int, int]],
    list[tuple[int, list[int | None], list[int | None]]],
    int,
]: ...

FunctionNames = tuple[list[int], list[list[int]]]

class FunctionRules:
    def __init__(self, brackets: ParsevalRules, gold: FunctionNames, test: FunctionNames, /) -> None: ...

def function_rows(
    gold: Trees, test: Trees, rules: FunctionRules, threads: int, progress: Progress | None = None
) -> Rows: ...
def functions_by_name(gold: Trees, test: Trees, rules: FunctionRules, /) -> list[tuple[int, dict[str, int]]]: ...

class StructIouRules:
    def __init__(
        self,
        *,
        gold: SideRules,
        test: SideRules,
        labelled: bool,
        axis: int,
        count_silent: bool,
        close_gaps: bool,
        flexible: bool,
        threshold: float,
        least_overlap: float,
        least_iou: float,
        limit: float,
    ) -> None: ...

def struct_iou_rows(
    gold: Trees, test: Trees, rules: StructIouRules, threads: int, progress: Progress | None = None
) -> Rows: ...
def struct_iou_alignments(
    gold: Trees, test: Trees, rules: StructIouRules, threads: int, progress: Progress | None = None
) -> tuple[Rows, tuple[bytes, bytes, bytes, bytes]]: ...

VerdictColumns = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]

def parseval_verdicts(
    gold: Trees, test: Trees, rules: ParsevalRules, threads: int, progress: Progress | None = None
) -> VerdictColumns: ...
def struct_iou_verdicts(
    gold: Trees, test: Trees, rules: StructIouRules, threads: int, progress: Progress | None = None
) -> VerdictColumns: ...
def struct_iou_by_label(gold: Trees, test: Trees, rules: StructIouRules, /) -> list[tuple[int, dict[str, int]]]: ...
def struct_iou_pairwise(
    trees: Trees, rules: StructIouRules, threads: int, progress: Progress | None = None
) -> bytes: ...
def struct_iou_variant(
    gold: Trees, test: Trees, rules: StructIouRules, *, contract: bool, engine: int, paths: int, prune: bool = False
) -> list[tuple[int, list[tuple[int, int]]]]: ...

class TreeEditRules:
    def __init__(
        self,
        *,
        gold: SideRules,
        test: SideRules,
        labelled: bool,
        words: int,
        roots: int = 0,
        gold_root: bytes = b"",
        test_root: bytes = b"",
        gold_in: tuple[Buffer, Buffer] | None = None,
        test_in: tuple[Buffer, Buffer] | None = None,
        insert: int,
        remove: int,
        rename: int,
        limit: float,
    ) -> None: ...

def tree_distance_rows(
    gold: Trees, test: Trees, rules: TreeEditRules, threads: int, progress: Progress | None = None
) -> Rows: ...
def tree_distance_steps(
    gold: Trees, test: Trees, rules: TreeEditRules, threads: int, all: bool, progress: Progress | None = None
) -> tuple[Rows, tuple[bytes, bytes, bytes, bytes]]: ...

class LeafAncestorRules:
    def __init__(
        self,
        *,
        gold: SideRules,
        test: SideRules,
        delete_by_gold: bool,
        labelled: bool,
        marks: int,
        similar: int,
        other: int,
        kinds: Sequence[int],
        limit: float,
    ) -> None: ...

def leaf_ancestor_rows(
    gold: Trees, test: Trees, rules: LeafAncestorRules, threads: int, progress: Progress | None = None
) -> Rows: ...
def leaf_ancestor_by_label(
    gold: Trees, test: Trees, rules: LeafAncestorRules, /
) -> list[tuple[int, dict[str, int]]]: ...
def leaf_ancestor_paths(
    gold: Trees, test: Trees, rules: LeafAncestorRules, /
) -> tuple[Rows, list[tuple[int, int, list[int], list[int], int]]]: ...

class DisfluencyRules:
    def __init__(self, *, gold: SideRules, test: SideRules, delete_by_gold: bool, groups: bytes) -> None: ...

def boundary_rows(
    gold: Trees,
    test: Trees,
    tolerance: float,
    edges: bool,
    rounding: float,
    threads: int,
    progress: Progress | None = None,
) -> Rows: ...
def disfluency_rows(
    gold: Trees, test: Trees, rules: DisfluencyRules, threads: int, progress: Progress | None = None
) -> Rows: ...
def draw_rows(count: int, seed: int, sample: int, number: int) -> bytes: ...
def sum_samples(
    columns: Sequence[Buffer], samples: int, seed: int, threads: int, progress: Progress | None = None
) -> list[bytes]: ...
def sum_coins(
    columns: Sequence[Buffer], samples: int, seed: int, threads: int, progress: Progress | None = None
) -> list[bytes]: ...
def swap_rates(
    figures: Sequence[tuple[Buffer, Buffer, Buffer, Buffer]],
    shuffles: int,
    seed: int,
    threads: int,
    progress: Progress | None = None,
) -> list[tuple[float, float, int, int]]: ...
def sum_rows(columns: Sequence[Buffer], where: Sequence[tuple[Buffer, int, int]]) -> list[int]: ...
def format_rows(
    fields: Sequence[tuple[bytes, int, int, Sequence[str]]],
    columns: Mapping[str, Buffer],
    begin: int,
    end: int,
    first: int,
    /,
) -> bytes: ...

class Sparseval:
    def __init__(
        self,
        *,
        deleted: list[bytes],
        empty: list[bytes],
        edits: list[bytes],
        closed: list[bytes],
        rewritten: list[tuple[bytes, bytes]],
        equal_words: list[tuple[bytes, bytes]],
        pauses: list[tuple[bytes, bytes]],
        heads: list[tuple[bytes, list[tuple[bool, list[bytes]]]]] | None,
        default_head: list[tuple[bool, list[bytes]]],
        bag: bool = False,
        whole_files: bool = False,
        unlabelled: bool = False,
    ) -> None: ...
    def score(
        self, gold: Buffer, test: Buffer, gold_name: bytes, test_name: bytes, alignment: Buffer | None = None
    ) -> bytes | None: ...
    def take_warnings(self) -> bytes: ...
    def __len__(self) -> int: ...
    def row(self, index: int, /) -> dict[str, int]: ...
    def speech_rows(self) -> Rows: ...
    def annotate(self, trees: Buffer, name: bytes, /) -> tuple[bytes, bytes | None]: ...
    def realign(
        self, gold: Buffer, test: Buffer, raw: Buffer, gold_name: bytes, test_name: bytes, /
    ) -> tuple[bytes, bytes | None]: ...

NULL_WORD: int

class SequencesTooLong(ValueError): ...

Path = tuple[int, list[tuple[str, int | None, int | None]]]

def align_words(
    ref: Numbers,
    hyp: Numbers,
    ref_gaps: Numbers | None,
    hyp_gaps: Numbers | None,
    costs: tuple[int, int, int],
    similar: Sequence[tuple[int, int]],
    late_gap: bool,
    small_table: int = ...,
) -> Path: ...
def align_lattices(
    ref: tuple[Numbers, Numbers, Numbers, Numbers, int],
    hyp: tuple[Numbers, Numbers, Numbers, Numbers, int],
    costs: tuple[int, int, int],
    similar: Sequence[tuple[int, int]],
    late_gap: bool,
) -> Path: ...
def align_times(
    ref: tuple[Numbers, Numbers, Numbers],
    hyp: tuple[Numbers, Numbers, Numbers],
    different: int,
    similar: Sequence[tuple[int, int]],
    late_gap: bool,
    small_table: int = ...,
) -> Path: ...
def lcs_length(a: Numbers, b: Numbers) -> int: ...

class SpeechWords:
    def __init__(self, gold: Trees, test: Trees, /) -> None: ...
    def names(self) -> list[bytes]: ...

class SpeechRules:
    def __init__(
        self,
        *,
        gold: tuple[list[int], bytes, bytes],
        test: tuple[list[int], bytes, bytes],
        keys: list[int],
        root: int,
        no_tag: int,
        heads: list[tuple[int, list[tuple[bool, list[int]]]]],
        default_head: list[tuple[bool, list[int]]],
        conjunctions: list[int],
        has_heads: bool,
        word_keys: list[int],
        closed_words: bytes,
        labelled: bool,
        bag: bool,
        common_spans: bool,
        same_head: bool,
        costs: tuple[int, int, int],
    ) -> None: ...

def speech_rows(
    gold: Trees,
    test: Trees,
    units: list[tuple[int, int, int, int]],
    places: list[tuple[list[int], list[int]]],
    words: SpeechWords,
    rules: SpeechRules,
    threads: int,
    progress: Progress | None = None,
) -> Rows: ...

class AlignedTexts:
    def __init__(
        self, gold: Trees, test: Trees, gold_rules: SideRules | None = None, test_rules: SideRules | None = None
    ) -> None: ...
    @property
    def identical(self) -> bool: ...
    def __len__(self) -> int: ...
    def words(self) -> list[bytes]: ...
    def align(
        self,
        plain: list[str],
        expanded: list[str],
        before: list[tuple[int, int, str]],
        threads: int = 1,
        progress: Progress | None = None,
    ) -> None: ...
    def blocks(self) -> list[bytes]: ...
    def groups(self, block: int) -> list[tuple[int, int]]: ...
    def places(self, block: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]: ...
    def same_texts(self, block: int) -> list[bool]: ...

class CommonPhrases:
    def __init__(
        self,
        aligned: AlignedTexts,
        gold_rules: SideRules,
        test_rules: SideRules,
        strict: bool,
        progress: Progress | None = None,
    ) -> None: ...
    @property
    def aligned_words(self) -> int: ...
    @property
    def hasty_groups(self) -> int: ...
    @property
    def left_out(self) -> list[int]: ...
    def words(self, side: int) -> int: ...
    def phrases(self, side: int) -> int: ...
    def labels(self, side: int) -> list[tuple[int, int]]: ...
    def classes(self, side: int) -> list[bytes]: ...
    def by_labels(self) -> list[tuple[int, int, int]]: ...

class AlignedRules:
    def __init__(
        self,
        gold: SideRules,
        test: SideRules,
        equal_labels: Sequence[tuple[int, int]],
        equal_tags: Sequence[tuple[int, int]],
        labelled: bool,
        most_length: int,
        characters: bool,
    ) -> None: ...

def aligned_rows(
    aligned: AlignedTexts, rules: AlignedRules, threads: int = 1, progress: Progress | None = None
) -> Rows: ...
def aligned_by_label(aligned: AlignedTexts, rules: AlignedRules) -> list[tuple[int, dict[str, int]]]: ...

class Dependencies:
    def __len__(self) -> int: ...
    def token_count(self) -> int: ...
    def word_count(self) -> int: ...
    def line(self, sentence: int, /) -> int: ...
    def length(self, sentence: int, /) -> int: ...
    def forms(self) -> list[bytes]: ...
    def names(self) -> list[bytes]: ...
    def words(self, sentence: int, /) -> list[tuple[int, int, int, int, int, int | None, int]]: ...
    def tokens(self, sentence: int, /) -> list[tuple[int, int]]: ...
    def token_forms(self) -> bytes: ...

def read_conllu(
    text: Buffer, many_roots: bool, empty_nodes: bool, with_edges: bool
) -> tuple[Dependencies, list[tuple[int, int, int, int]]]: ...

class TreeHeads:
    def __init__(
        self,
        *,
        category: list[int],
        phrase_flags: bytes,
        tag_flags: bytes,
        root: int,
        no_tag: int,
        heads: list[tuple[int, list[tuple[bool, list[int]]]]],
        default_head: list[tuple[bool, list[int]]],
        conjunctions: list[int],
        functions: bool,
    ) -> None: ...

def tree_dependencies(trees: Trees, heads: TreeHeads) -> Dependencies: ...

class DependencyKeys:
    def __init__(
        self,
        *,
        characters: Buffer,
        begin: Numbers,
        form: Numbers,
        name: Numbers,
        feats: Numbers,
        relation: Numbers,
        edge_type: Numbers,
        kind: Buffer,
    ) -> None: ...

def first_difference(
    gold: Dependencies, gold_keys: DependencyKeys, test: Dependencies, test_keys: DependencyKeys
) -> tuple[int, int, int, list[int], list[int]] | None: ...
def dependency_rows(
    gold: Dependencies,
    gold_keys: DependencyKeys,
    test: Dependencies,
    test_keys: DependencyKeys,
    units: list[tuple[int, int, int, int]],
    threads: int,
    progress: Progress | None = None,
) -> Rows: ...
def aligned_dependencies(
    gold: Dependencies, gold_keys: DependencyKeys, test: Dependencies, test_keys: DependencyKeys
) -> list[tuple[int, int]]: ...

class SpokenRules:
    def __init__(
        self, *, keys: list[int], weights: list[int], silent: bytes, silent_tags: bytes, texts: list[str]
    ) -> None: ...

class LeafWords:
    def __init__(self, trees: Trees) -> None: ...
    def names(self) -> list[bytes]: ...
    def begin_of(self, tree: int, /) -> int: ...
    def place(self, rules: SpokenRules, blocks: Numbers, keys: Numbers, times: Numbers) -> tuple[bytes, list[int]]: ...
    def with_silent(self, rules: SpokenRules, blocks: Numbers, bounds: Numbers, times: Numbers) -> bytes: ...

def share_time(words: Sequence[tuple[float, float]], weights: Sequence[int]) -> list[tuple[float, float]] | None: ...

class ErrorRules:
    def __init__(
        self,
        *,
        gold_keys: Sequence[int],
        test_keys: Sequence[int],
        key_flags: bytes,
        key_sets: Sequence[int],
        root_key: int,
        no_tag_key: int,
        tag_of_word: Sequence[tuple[bytes, int]],
        rules: Sequence[tuple[int, int, Sequence[tuple[int, int]], int]],
        other_class: Sequence[int],
        punctuation_by_gold: bool,
    ) -> None: ...

def find_errors(
    gold: Trees, test: Trees, rules: ErrorRules, threads: int, progress: Progress | None = None
) -> tuple[Rows, bytes, bytes]: ...
def compared_leaves(
    gold: Trees, gold_tree: int, test: Trees, test_tree: int, rules: ErrorRules
) -> tuple[list[int], list[int]]: ...
