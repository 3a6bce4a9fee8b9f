"""SParseval (Roark et al. 2006): brackets and head dependencies of sentences whose words may differ.

The words of a unit are aligned first. Brackets are compared by the rows of the alignment that they cover, dependencies
by the row of the dependent word. Without an alignment (`align:bag`) dependencies are compared as sequences.

>>> import treescore
>>> gold = treescore.read("(TOP (S (NP (PRP we)) (VP (VBD left) (ADVP (RB early)))))")
>>> test = treescore.read("(TOP (S (NP (PRP we)) (VP (VBD left) (ADVP (RB surly)))))")
>>> metric = Sparseval()
>>> score = metric.score(metric.counts(treescore.Pair(gold, test)))
>>> score.parts["f1"], round(score.parts["head_f1"], 4), round(score.parts["wer"], 4)
(1.0, 0.6667, 0.3333)
"""

from __future__ import annotations

from array import array
from functools import cached_property
from itertools import pairwise

from .. import _core
from .._core import NodeReason, SpeechFlag as Flag
from ..heads.finding import EDITS, category
from ..helpers.text import decode, number_of
from ..readers.prm import check_parameters
from ..readers.sparseval_files import read_lists
from ..recipe import DELETE, EQUAL, EQUAL_WORDS, LABELS, OUTER_LABELS
from ..values.counts import Counts
from ..values.option import Choice, Option, Texts
from ..values.problem import LEFT_OUT, Problem
from ..values.signature_text import SignatureError
from .base import ELIGIBLE_UNITS, Metric
from .known_files import recall, remember
from .known_heads import named_table, numbered_groups
from .nodes import WORD_REASONS
from .options import HEADS, PRM, UNIT, ParameterFile
from .ratios import Ratio, rates, share
from .sparseval_words import chunk_units, chunks, classes, kept_words, surface, unit_places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..place.pair import Pair
    from ..trees import Treebank
    from ..values.score import Part
    from .overview import Overview
    from .sparseval_words import PlacedUnits, Unit, WordRow

WORDS, BAG = "words", "bag"

PUNCTUATION = (",", ":", "``", "''", ".")
EMPTY = ("-NONE-",)
#: Tags of the Penn Treebank whose words are function words.
CLOSED = ("CC", "DT", "EX", "IN", "MD", "PDT", "POS", "PRP", "PRP$", "RP", "TO", "UH", "WDT", "WP", "WP$", "WRB")
PAUSES = ("ah", "eh", "er", "hm", "uh", "um")

#: The costs of insertion, deletion and substitution in sclite.
COSTS = (3, 3, 4)

_ROOT, _NO_TAG = "TOP", ""


class SparsevalParameters(ParameterFile):
    """A parameter file of SParseval."""

    program, advice = "SParseval", "prm:FILE"


CHUNKS = UNIT.replace(
    choices={
        "line": "each tree is a unit",
        "chunk": "trees between blank lines are a unit",
        "file": "a whole file is a unit, such as one side of a conversation",
    },
    aliases={"side": "file"},
)
ALIGN = Option(
    "align",
    WORDS,
    "words are aligned by the given file",
    choices={
        WORDS: "words are aligned as in sclite",
        BAG: "words are not aligned: dependencies are compared as sequences, brackets are not compared",
    },
    expects="a file",
    is_always_written=True,
)
GAPS = Choice(
    "gaps",
    "left",
    choices={
        "left": "words on one side only belong to the phrase that starts after them",
        "common": "words on one side only do not change the edges of phrases",
    },
)
GOVERNOR = Choice(
    "governor",
    "word",
    choices={
        "word": "the head of a dependency must be the same word",
        "place": "the head of a dependency must be the same word in the same row",
    },
)
COMPAT = Choice(
    "compat",
    choices={"original": "counts are those of the original program, which pairs words by position"},
    unset="counts follow the documented definition",
)
CLOSED_WORDS = Texts("closed-words", (), "words of the closed class: {}", expects="a list of words")
#: Lists that a parameter file replaces.
LISTS = (
    DELETE.replace(default=PUNCTUATION, description="tags and labels to leave out; children of phrases stay: {}"),
    Texts("empty", EMPTY, "tags and labels to leave out with everything below them: {}"),
    Texts("edits", EDITS, "labels of edited speech: {}"),
    Texts("closed", CLOSED, "tags of the closed class: {}"),
    CLOSED_WORDS,
    Texts("pauses", PAUSES, "filled pauses, which all count as the same word: {}", expects="a list of words"),
    EQUAL,
    EQUAL_WORDS,
)
#: Prefixes of columns and figures, and their titles.
_KINDS = {"": "Brackets", "head_": "Head dependencies", "open_": "Open-class dependencies"}


class Sparseval(Metric):
    """Brackets and head dependencies over aligned words.

    >>> Sparseval(labels=False, align="bag", unit="file").signature
    'sparseval|labels:no|unit:file|align:bag|heads:collins|v:0.2.0.dev0'
    """

    name = "sparseval"
    cites = ("roark-etal-2006-sparseval",)
    error_rates = ("wer",)
    error_amounts = ("crossing",)
    unpaired_advice = "unit:file in the metric scores a file as a whole, whatever its sentences"
    aligns_words = True
    row_figure: str = "f1"
    group_figures: tuple[str, ...] = ("f1", "precision", "recall")
    eligible = ELIGIBLE_UNITS
    all_columns = {f"{prefix}{side}": {f"{prefix}{side}_all": 1} for prefix in _KINDS for side in ("gold", "test")} | {
        "valid": ELIGIBLE_UNITS,
        "crossing": {"crossing": 1, "test_all": 1, "test": -1},  # all brackets of a failed unit count as crossing
        "deleted": {"words_all": 1, "correct": -1, "substituted": -1},  # all words of a failed unit count as deleted
    }

    options = (
        LABELS.replace(choices={"yes": "labels must agree", "no": "labels are ignored"}),
        CHUNKS,
        ALIGN,
        HEADS.replace(choices={"none": "without heads and dependencies"}),
        *LISTS,
        GAPS,
        GOVERNOR,
        COMPAT,
        SparsevalParameters("prm", None, PRM.description),
    )
    set_elsewhere = ("prm",)

    labels: bool
    unit: str
    align: str
    heads: str
    delete: tuple[str, ...]
    empty: tuple[str, ...]
    edits: tuple[str, ...]
    closed: tuple[str, ...]
    closed_words: tuple[str, ...]
    pauses: tuple[str, ...]
    equal: tuple[tuple[str, str], ...]
    equal_words: tuple[tuple[str, str], ...]
    gaps: str
    governor: str
    compat: str | None

    def __init__(self, *, align: str | bytes = WORDS, prm: bytes | None = None, **given: Any) -> None:
        self.prm, self.base, self.complaints = _parameters(prm)
        super().__init__(align=align, **{**self.base, **given})
        self.align, self.alignment = _alignment(align)
        self.alignment_name = "the alignment" if self.alignment is None or isinstance(align, bytes) else align
        self.heads, self.table = named_table(self.heads)
        if self.compat:
            self._check_compat()
        self.pairs_trees = self.unit == "line"
        self.takes_parts = self.pairs_trees and self.alignment is None
        self.row_unit = "sentence" if self.unit == "line" else self.unit
        self.amounts = () if self.align == BAG else ("crossing",)
        self.row_figure = "head_f1" if self.align == BAG else "f1"
        self.group_figures = (
            ("head_f1", "head_precision", "head_recall")
            if self.align == BAG
            else ("f1", "head_f1", "open_f1" if self.compat else "wer")
        )

    def _check_compat(self) -> None:
        if self.unit == "chunk" or (self.alignment is not None and self.unit == "line"):
            raise SignatureError("compat:original needs unit:line or unit:file, and with an alignment file unit:file")
        for option in (GAPS, GOVERNOR, CLOSED_WORDS):
            if self.value_of(option) != option.default:
                raise SignatureError(f"compat:original does not allow {option.name}; the original program lacks it")

    def default_of(self, option: Option) -> Any:
        return self.base.get(option.argument, option.default)

    # ---- Counting

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        units = self.units(pair)
        if self.compat:
            from .sparseval_original import rows_of

            return Counts.of_rows(rows_of(self, pair), "units")
        words = _core.SpeechWords(pair.gold.native, pair.test.native)
        rules = self._rules(pair, words)
        placed = self._placed(pair) if self.alignment is not None else None
        places = placed.places if placed else []
        rows = _core.speech_rows(pair.gold.native, pair.test.native, units, places, words, rules, threads, progress)
        counts = Counts.of_rows(rows, "units")
        return self._with_words_of(placed, counts) if placed else counts

    def _placed(self, pair: Pair) -> PlacedUnits:
        """The rows of each word in the given alignment, by unit, and the words that do not fit."""
        return unit_places(self.word_rows(pair), self._kept(pair.gold), self._kept(pair.test), self.units(pair))

    def _with_words_of(self, placed: PlacedUnits, counts: Counts) -> Counts:
        """The counts, with words counted by the rows of the given alignment."""
        valid = counts["valid"]
        counted = {name: [0] * len(valid) for name in ("correct", "substituted", "deleted", "inserted")}
        for (a, b, same), unit in zip(placed.rows, placed.unit_of_row, strict=True):
            if unit is not None and valid[unit]:
                kind = "inserted" if a is None else "deleted" if b is None else "correct" if same else "substituted"
                counted[kind][unit] += 1
        errors = zip(counted["substituted"], counted["deleted"], counted["inserted"], strict=True)
        units = zip(valid, counts["matched"], counts["gold"], counts["test"], errors, strict=True)
        exact = [int(scored and m == g == t and not any(wrong)) for scored, m, g, t, wrong in units]
        return Counts({**counts.columns, **counted, "exact": exact}, notes=counts.notes)

    def word_rows(self, pair: Pair) -> list[WordRow]:
        """The alignment of the words: gold word or None, test word or None, and whether they are the same.

        Units that are too long and too different to be aligned are left out.
        """
        rows: list[WordRow] = []
        if self.alignment is not None:
            from ..readers.alignment_files import read_alignment_file

            alignment = read_alignment_file(self.alignment, name=self.alignment_name).alignments[0]
            pairs = [(a, b) for _, a, b, *_ in alignment.rows()]
            words = [word for pair in pairs for word in pair if word is not None]
            keys_of = dict(zip(words, self._word_keys(words)[0], strict=True))
            return [(a, b, a is not None and b is not None and keys_of[a] == keys_of[b]) for a, b in pairs]
        kept = [self._kept(bank) for bank in (pair.gold, pair.test)]
        for gold_begin, gold_end, test_begin, test_end in self.units(pair):
            ref = [word for tree in kept[0][gold_begin:gold_end] for word in tree]
            hyp = [word for tree in kept[1][test_begin:test_end] for word in tree]
            keys = array("I", self._word_keys([*ref, *hyp])[0])
            try:
                path = _core.align_words(keys[: len(ref)], keys[len(ref) :], None, None, COSTS, [], False)
            except _core.SequencesTooLong:
                continue
            for kind, a, b in path[1]:
                rows.append((None if a is None else ref[a], None if b is None else hyp[b], kind == "C"))
        return rows

    def _kept(self, bank: Treebank) -> list[list[str]]:
        return kept_words(bank, self.delete, self.empty)

    def units(self, pair: Pair) -> list[Unit]:
        """The trees of each unit: first tree and end in gold, first tree and end in test."""
        if self.unit == "line":
            from ..place.unequal import check_equal_number

            check_equal_number(pair.gold, pair.test, advice=self.unpaired_advice)
            return [(index, index + 1, index, index + 1) for index in range(len(pair.gold))]
        if self.unit == "file":
            return [(0, len(pair.gold), 0, len(pair.test))]
        return chunk_units(pair.gold, pair.test)

    def _rules(self, pair: Pair, words: _core.SpeechWords) -> _core.SpeechRules:
        names: dict[str, int] = {}

        def number(name: str) -> int:
            return names.setdefault(name, len(names))

        root, no_tag = number(_ROOT), number(_NO_TAG)
        delete, empty, edits, closed = set(self.delete), set(self.empty), set(self.edits), set(self.closed)
        skip = set(self.table.skip) if self.table else set()

        def side(bank: Treebank) -> tuple[list[int], bytes, bytes]:
            numbers, phrases, tags = [], bytearray(), bytearray()
            for raw in map(decode, bank.native.names(0)):
                label = category(raw)
                both = (Flag.DELETABLE if {raw, label} & delete else 0) | (Flag.EDIT if label in edits else 0)
                both |= Flag.VOID if {raw, label} & empty else 0
                numbers.append(number(label))
                phrases.append(both | (Flag.OUTER if raw in OUTER_LABELS else 0))
                tags.append(both | (Flag.CLOSED if label in closed else 0) | (Flag.SKIPPED if label in skip else 0))
            return numbers, bytes(phrases), bytes(tags)

        sides = side(pair.gold), side(pair.test)
        heads: list[tuple[int, list[tuple[bool, list[int]]]]] = []
        default: list[tuple[bool, list[int]]] = []
        conjunctions: list[int] = []
        if self.table:
            heads = [(number(label), numbered_groups(groups, number)) for label, groups in self.table.rules]
            default = numbered_groups(self.table.default, number)
            conjunctions = [number(label) for label in self.table.conjunctions]
        word_keys, closed_words = self._word_keys([decode(word) for word in words.names()])
        return _core.SpeechRules(
            gold=sides[0],
            test=sides[1],
            keys=classes(list(names), self.equal),
            root=root,
            no_tag=no_tag,
            heads=heads,
            default_head=default,
            conjunctions=conjunctions,
            has_heads=self.table is not None,
            word_keys=word_keys,
            closed_words=closed_words,
            labelled=self.labels,
            bag=self.align == BAG,
            common_spans=self.gaps == "common",
            same_head=self.governor == "place",
            costs=COSTS,
        )

    def _word_keys(self, spoken: Sequence[str]) -> tuple[list[int], bytes]:
        """Equal numbers for words that count as the same, and which words are of the closed class."""
        plain = [surface(word) for word in spoken]
        pauses = [surface(word) for word in self.pauses]
        pairs = [(surface(a), surface(b)) for a, b in self.equal_words] + list(pairwise(pauses))
        closed = {surface(word) for word in self.closed_words}
        return classes(plain, pairs), bytes(word in closed for word in plain)

    # ---- Figures

    @property
    def main(self) -> str:
        return self.row_figure

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        ratios: dict[str, Ratio] = {}
        for prefix in self._prefixes:
            columns = (prefix + name for name in ("matched", "gold", "test"))
            ratios |= rates(f"{_KINDS[prefix]}:", *columns, prefix=prefix, unit="dependency" if prefix else "bracket")
        if self.align != BAG:
            ratios["exact"] = share("Equal units", "exact", "valid", unit="unit")
            ratios["crossing"] = share("Crossing brackets per unit", "crossing", "valid", percent=False, unit="unit")
        if not self.compat:
            wrong = {"substituted": 1, "deleted": 1, "inserted": 1}
            gold_words = {"correct": 1, "substituted": 1, "deleted": 1}
            ratios["wer"] = Ratio("Word error rate", wrong, gold_words, unit="word")
        return ratios

    @property
    def _prefixes(self) -> tuple[str, ...]:
        """The prefixes of the columns of this metric."""
        return tuple(prefix for prefix in _KINDS if prefix or self.align != BAG)

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        figures = super().figures(total)
        if "crossing" in figures:
            figures["crossing"] = figures["crossing"].replace(above=None)  # shown as a mean
        return figures

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        shown = self.row_columns(counts, *(f"{prefix}f1" for prefix in self._prefixes))
        for prefix in self._prefixes:
            f1 = zip(shown[f"{prefix}f1"], counts["valid"], strict=True)
            shown[f"{prefix}f1"] = [value if valid else None for value, valid in f1]
        own = [name for name in counts.columns if name not in ("units", "valid", "errors")]
        skipped = ("matched", "gold", "test", "crossing", "exact") if self.align == BAG else ()
        if self.compat:
            skipped = (*skipped, "correct", "substituted", "deleted", "inserted")
        return {**shown, **{name: list(counts[name]) for name in own if name not in skipped}}

    def summary(self, counts: Counts) -> str:
        total = counts.total()
        units = super().summary(counts)
        if self.compat:
            return units
        return (
            f"{units}; {number_of(total['correct'], 'word')} correct, {total['substituted']:,} substituted, "
            f"{total['deleted']:,} deleted, {total['inserted']:,} inserted"
        )

    def remarks(self, overview: Overview) -> list[Problem]:
        problems = [Problem("parameters", complaint, action="line ignored") for complaint in self.complaints]
        return [*problems, *(self.table.problems if self.table else ())]

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        reasons = {
            **WORD_REASONS,
            NodeReason.TOO_COMPLEX: ("too-long", "the words are too many and too different to be aligned", LEFT_OUT),
        }
        problems: list[Problem] = []
        units = self.units(pair)
        if self.alignment is not None and not self.compat:
            problems += self._placed(pair).problems
        for index, reason in enumerate(counts["reason"]):
            if reason != NodeReason.SCORED:
                bank, tree = (
                    (pair.gold, units[index][0]) if reason == NodeReason.GOLD_FAULT else (pair.test, units[index][2])
                )
                problems.append(self._problem(bank, tree, index, *reasons[reason]))
        if self.unit == "chunk":
            numbers = [len(chunks(bank)) for bank in (pair.gold, pair.test)]
            if numbers[0] != numbers[1]:
                message = f"{number_of(numbers[0], 'chunk')} in gold but {numbers[1]:,} in test"
                problems.append(Problem("chunks", message, action="missing chunks count as empty"))
        return problems

    def _problem(self, bank: Treebank, tree: int, unit: int, code: str, message: str, action: str) -> Problem:
        if tree < len(bank):
            return bank.problem(tree, code, message, action)
        return Problem(code, message, file=bank.source.name, unit=unit + 1, action=action)


def _alignment(align: str | bytes) -> tuple[str, bytes | None]:
    """The value in a signature, and the content of the alignment file, if there is one."""
    if align in (WORDS, BAG):
        return str(align), None
    if isinstance(align, str):
        align = recall(align, "alignment", "align:FILE")
    return remember(align), align


def _parameters(prm: bytes | None) -> tuple[str | None, dict[str, tuple[Any, ...]], list[str]]:
    """The hash of a parameter file, its lists, and its problems."""
    if prm is None:
        return None, {option.argument: option.default for option in LISTS}, []
    check_parameters(prm, None, SparsevalParameters.program)
    lists, complaints = read_lists(prm)
    return remember(prm), lists, complaints
