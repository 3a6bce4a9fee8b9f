"""Attachment scores for phrase structure: trees are converted to dependencies by heads, and compared word by word.

Words are the same if they cover the same characters, so that neither tokens nor sentences need to agree.

>>> import treescore
>>> gold = treescore.read("(S (NP (PRP i)) (VP (MD ca) (RB n't) (VP (VB go))))")
>>> test = treescore.read("(S (NP (PRP i)) (VP (MD can't) (VP (VB go))))")
>>> metric = Dependencies()
>>> parts = metric.score(metric.counts(treescore.Pair(gold, test))).parts
>>> parts["uas"], round(parts["uas_overlap"], 4), round(parts["tokens"], 4)
(0.0, 0.5714, 0.5714)
"""

from __future__ import annotations

from array import array
from functools import cached_property

from .. import _core
from .._core import DependencyText, NodeReason, SpeechFlag as Flag
from ..heads.finding import EDITS, category
from ..helpers.text import decode, number_of
from ..recipe import DELETE, OUTER_LABELS
from ..values.counts import Counts
from ..values.option import Choice
from ..values.problem import Problem
from ..values.signature_text import SignatureError
from .base import ELIGIBLE_UNITS, Metric
from .dependency_keys import Numbers, keys, outcome_columns, sentence_rows
from .functions import functions_of
from .known_heads import named_table, numbered_groups
from .nodes import WORD_REASONS
from .options import HEADS, UNIT
from .ratios import Ratio, rates, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..place.pair import Pair
    from ..trees import Treebank
    from .overview import Overview

_ROOT, _NO_TAG = "TOP", ""


def _functions(label: str) -> str:
    """The function tags of a label, without the numbers of traces.

    >>> _functions("NP-SBJ-1"), _functions("NP"), _functions("-LRB-"), _functions("PP-LOC-PRD=2")
    ('SBJ', '', '', 'LOC-PRD')
    """
    return "-".join(functions_of(label))


#: The relation of a word to its head, from the label of the largest phrase that the word heads. Where functions stand
#: apart from labels, that function is taken as it is.
RELATIONS: dict[str, Callable[[str], str]] = {"phrase": category, "function": _functions, "label": str}
RELATION = Choice(
    "relation",
    "phrase",
    choices={
        "phrase": "the relation of a word to its head is the category of the largest phrase that the word heads",
        "function": "the relation of a word to its head is the function tags of the largest phrase that the word heads",
        "label": "the relation of a word to its head is the whole label of the largest phrase that the word heads",
    },
    is_always_written=True,
)
TEXT = Choice(
    "text",
    "folded",
    choices={
        "folded": "words are compared without case, escapes and kinds of quotes",
        "exact": "words are compared character by character",
    },
    is_always_written=True,
)

#: The figures: title, and the columns of what is right, of gold and of test.
_FIGURES = {
    "las": ("Labelled attachment", "matched", "gold", "test"),
    "uas": ("Unlabelled attachment", "uas", "gold", "test"),
    "las_overlap": ("Labelled attachment to overlapping heads", "las_overlap", "gold", "test"),
    "uas_overlap": ("Unlabelled attachment to overlapping heads", "uas_overlap", "gold", "test"),
    "tags": ("Tags", "tags", "gold", "test"),
    "tokens": ("Tokens", "tokens", "gold", "test"),
    "sentences": ("Sentences", "sentences", "sentences_gold", "sentences_test"),
}
#: Columns that have another name in the native engine, and columns that have the same name.
_NATIVE = {"matched": "las", "gold": "words_gold", "test": "words_test", "tags": "upos", "tokens": "words"}
_TAKEN = ("uas", "las_overlap", "uas_overlap", "sentences", "sentences_gold", "sentences_test")


class Dependencies(Metric):
    """Labelled and unlabelled attachment of the words of trees.

    >>> Dependencies(heads="semantic", unit="file").signature
    'dependencies|heads:semantic|relation:phrase|unit:file|text:folded|v:0.2.0.dev0'
    """

    name = "dependencies"
    cites = ("zeman-etal-2018-conll", "van-cranenburgh-etal-2016-data")
    takes_discontinuous = aligns_words = True
    gold_unit = "words"
    eligible = ELIGIBLE_UNITS
    all_columns = Metric.all_columns | {"valid": ELIGIBLE_UNITS}
    without_all = ("sentences",)
    main = row_figure = "las"
    group_figures = ("las", "uas", "uas_overlap")
    unpaired_advice = "unit:file in the metric compares the whole text, whatever its sentences"

    options = (
        HEADS,
        RELATION,
        UNIT,
        TEXT,
        DELETE.replace(default=("-NONE-",), description="tags of words that are left out: {}"),
    )
    heads: str
    relation: str
    unit: str
    text: str
    delete: tuple[str, ...]

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.heads, table = named_table(self.heads)
        if table is None:
            raise SignatureError("dependencies need a head table; heads:none has no heads")
        self.table = table
        self.pairs_trees = self.takes_parts = self.unit == "line"

    # ---- Counting

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        if self.unit == "line":
            from ..place.unequal import check_equal_number

            check_equal_number(pair.gold, pair.test, advice=self.unpaired_advice)
            units = [(index, index + 1, index, index + 1) for index in range(len(pair.gold))]
        else:
            units = self._blocks(pair, threads, progress)
        sides = self.converted(pair.gold), self.converted(pair.test)
        numbers = Numbers(), Numbers(), Numbers()
        both = [self._keys(bank, side, *numbers) for bank, side in zip((pair.gold, pair.test), sides, strict=True)]
        rows = _core.dependency_rows(sides[0], both[0], sides[1], both[1], units, threads, progress)
        return self._judged(pair, rows)

    def _blocks(self, pair: Pair, threads: int, progress: _core.Progress | None) -> list[tuple[int, int, int, int]]:
        """Blocks of corresponding sentences, each with at least one of gold; blocks are compared separately."""
        from ..pairing.sentence_pairing import Comparison, aligned
        from ..words.contractions import Contractions
        from ..words.normal import Normal

        normal = Normal() if self.text == "folded" else Normal(steps=())
        comparison = Comparison(normal=normal, contractions=Contractions())
        texts = aligned(pair, comparison, threads=threads, progress=progress)
        units: list[tuple[int, int, int, int]] = []
        begin = 0  # of test
        for of_gold, of_test, _ in texts.ranges():
            if not of_gold and units:
                units[-1] = (*units[-1][:3], of_test.stop)
            elif of_gold:
                units.append((of_gold.start, of_gold.stop, begin, of_test.stop))
            else:
                continue  # the next block includes it
            begin = of_test.stop
        return units or [(0, len(pair.gold), 0, len(pair.test))]

    def converted(self, bank: Treebank) -> _core.Dependencies:
        """The words of all trees with their heads."""
        return _core.tree_dependencies(bank.native, self._heads(bank))

    def heads_of(self, bank: Treebank, index: int) -> list[int]:
        """The head of each word of a tree, counted from 1; 0 is the root.

        >>> import treescore
        >>> Dependencies().heads_of(treescore.read("(NP (NP (DT the) (NN dog) (POS 's)) (NN tail))"), 0)
        [3, 3, 4, 0]
        """
        return [head or 0 for _, _, _, _, _, head, _ in self.converted(bank).words(index)]

    def _heads(self, bank: Treebank) -> _core.TreeHeads:
        names: dict[str, int] = {}

        def number(name: str) -> int:
            return names.setdefault(name, len(names))

        skip, delete = set(self.table.skip), set(self.delete)
        categories, phrases, tags = [], bytearray(), bytearray()
        for raw in map(decode, bank.native.names(0)):
            label = category(raw)
            categories.append(number(label))
            phrases.append((Flag.SKIPPED if label in EDITS else 0) | (Flag.OUTER if raw in OUTER_LABELS else 0))
            tags.append(
                (Flag.SKIPPED if label in skip or label in EDITS else 0) | (Flag.VOID if {raw, label} & delete else 0)
            )
        return _core.TreeHeads(
            category=categories,
            phrase_flags=bytes(phrases),
            tag_flags=bytes(tags),
            root=number(_ROOT),
            no_tag=number(_NO_TAG),
            heads=[(number(label), numbered_groups(groups, number)) for label, groups in self.table.rules],
            default_head=numbered_groups(self.table.default, number),
            conjunctions=[number(label) for label in self.table.conjunctions],
            functions=self.relation == "function",
        )

    def _keys(
        self, bank: Treebank, side: _core.Dependencies, forms: Numbers, names: Numbers, relations: Numbers
    ) -> _core.DependencyKeys:
        labels = [decode(name) for name in bank.native.names(0)]
        known = [*labels, _NO_TAG, *labels]  # the second time as functions apart from labels
        relation_of = RELATIONS[self.relation]
        return keys(
            [decode(form) for form in side.forms()],
            fold=self.text == "folded",
            number=forms,
            name=names.of(known),
            relation=relations.of([*map(relation_of, labels), _NO_TAG, *labels]),
        )

    def _judged(self, pair: Pair, rows: _core.Rows) -> Counts:
        """The columns with the outcome of each row; rows that are left out are 0."""
        data = {name: array("q", rows.column(native)) for name, native in _NATIVE.items()}
        data.update((name, array("q", rows.column(name))) for name in _TAKEN)
        valid, errors, exact, failed, faults, excluded = (array("q", bytes(8 * len(pair.gold))) for _ in range(6))
        reasons = array("q", [NodeReason.SCORED]) * len(pair.gold)
        by_line = self.unit == "line"
        for index, (right, of_gold, of_test) in enumerate(
            zip(data["matched"], data["gold"], data["test"], strict=True)
        ):
            if of_gold and of_test:
                valid[index] = 1
                exact[index] = right == of_gold == of_test
            elif of_gold:
                valid[index], reasons[index] = 1, NodeReason.EMPTY_TEST
                failed[index] = 1
            elif by_line and pair.gold.native.faulty(index):
                errors[index], reasons[index] = 1, NodeReason.GOLD_FAULT
                faults[index] = 1
                for column in data.values():
                    column[index] = 0
            elif of_test:
                valid[index], reasons[index] = 1, NodeReason.EMPTY_GOLD
            else:
                is_faulty = pair.gold.native.faulty(index)
                reasons[index] = NodeReason.GOLD_FAULT if is_faulty else NodeReason.BOTH_EMPTY
                faults[index], excluded[index] = is_faulty, not is_faulty
        notes = {"reason": reasons, "length": data["gold"], "text": array("q", rows.column("text"))}
        causes = {"failed": failed, "excluded": excluded, "gold_faults": faults, "lost": bytes(8 * len(pair.gold))}
        units = array("q", [1]) * len(pair.gold)
        sides = outcome_columns(failed, data["gold"], data["test"])
        columns = {"units": units, "valid": valid, "errors": errors, **causes, **sides, "exact": exact, **data}
        return Counts(columns, notes=notes)

    # ---- Figures

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        ratios: dict[str, Ratio] = {}
        for name, (title, *columns) in _FIGURES.items():
            rates_of_name = rates(title, *columns, prefix=f"{name}_", main=name)
            ratios |= rates_of_name if name in ("las", "uas") else {name: rates_of_name[name]}
        return {**ratios, "exact": share("Exact match", "exact", "valid")}

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        return sentence_rows(self, counts, _FIGURES)

    def summary(self, counts: Counts) -> str:
        total = counts.total()
        return (
            f"{super().summary(counts)}; "
            f"{number_of(total['gold'], 'word')} in gold, {total['test']:,} in test, {total['tokens']:,} the same"
        )

    def remarks(self, overview: Overview) -> list[Problem]:
        return list(self.table.problems)

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        texts = {
            DependencyText.OTHER: (
                "characters",
                "the characters of gold and test differ",
                "those of only one side match nothing",
            ),
            DependencyText.TOO_DIFFERENT: (
                "too-long",
                "the texts are too long and too different",
                "aligned at both ends only",
            ),
        }
        problems = []
        by_line = self.unit == "line"
        of_gold = (NodeReason.BOTH_EMPTY, NodeReason.EMPTY_GOLD, NodeReason.GOLD_FAULT)
        for index, (reason, text) in enumerate(zip(counts["reason"], counts["text"], strict=True)):
            is_scored = reason == NodeReason.SCORED
            if by_line and not is_scored:
                problems.append(
                    (pair.gold if reason == NodeReason.GOLD_FAULT else pair.test).problem(index, *WORD_REASONS[reason])
                )
            elif reason in of_gold:  # whatever test has there
                code, message = (
                    ("gold", "the gold tree could not be read")
                    if reason == NodeReason.GOLD_FAULT
                    else ("no-gold", "there are no words in gold")
                )
                problems.append(pair.gold.problem(index, code, message, "nothing to compare"))
            if text in texts and (is_scored or not by_line):
                problems.append((pair.test if by_line else pair.gold).problem(index, *texts[text]))
        return problems
