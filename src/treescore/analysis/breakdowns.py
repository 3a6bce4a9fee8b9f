"""Breakdowns of errors: counts of wrong labels, rules, parents and tags.

They are based on the brackets that PARSEVAL counts and matches, so their sums agree with the score. The exception is
`duplicates:members`, where the tables count equal brackets once; a note with the tables says so.

>>> gold = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (PRP it)) (PP (IN in) (NP (NN town)))))"
>>> test = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (NP (PRP it)) (PP (IN in) (NP (NN town))))))"
>>> errors = breakdown(gold, test)
>>> for error in errors.attachments:
...     print(error.label, "is below", error.test_parent, "and not below", error.gold_parent)
NP is below NP and not below VP
PP is below NP and not below VP
>>> for error in errors.rules:
...     print(error.kind, "|", error.gold, "|", error.test)
changed | VP → VBD NP PP | VP → VBD NP
extra | None | NP → NP PP
"""

from __future__ import annotations

from .. import _core
from ..helpers.named import value_of
from ..helpers.showing import Shown, rendered
from ..helpers.text import number_of
from ..helpers.threads import count_threads
from ..metrics.base import check_best
from ..metrics.parseval import Parseval, label_figures
from ..scoring.evaluation import evaluate
from ..values.problem import UsageError, check_whole
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeVar

    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..recipe import Compiled, Recipe
    from ..scoring.report import Report
    from ..values.score import Part

    #: A label, its children, and the pieces of a discontinuous phrase, as numbers.
    Rule = tuple[int, Sequence[int | None], Sequence[int | None]]
    _Counted = TypeVar("_Counted", bound=Value)

#: The tag of untagged words in tables and rules.
NO_TAG = "(no tag)"
#: The row and column of less frequent labels in a matrix.
OTHERS = "(others)"
#: The greatest number of labels in a matrix.
MAX_LABELS = 2_000
_MEMBERS_NOTE = "equal brackets count once in these tables, but each time in the score (duplicates:members)"
#: The kinds of wrong rules.
RULE_KINDS = ("changed", "missing", "extra", "missing unary", "extra unary")
_RULE_KIND = {value_of(_core.RuleKind, kind): kind for kind in RULE_KINDS}


class Confusion(Value):
    """The number of gold and test brackets with these labels over the same words; None if a side has no bracket.

    `right` pairs are those that the score counts as matched. A bracket without a partner is `crossing` if it crosses a
    counted bracket of the other side. `first` is the number of the first sentence with such a pair, from 1.
    """

    gold: str | None
    test: str | None
    count: int
    right: bool
    crossing: bool
    first: int


class Category(Value):
    """A label or a tag: its frequency on both sides, matched ones, and the labels that the other side has instead.

    With unlabelled brackets the partner may have another label: then `matched_gold` and `matched_test` differ.
    `in_test` has the test labels over the words of wrong gold brackets, most frequent first, None for no bracket;
    `in_gold` has the gold labels over the words of wrong test brackets.
    """

    label: str
    gold: int
    test: int
    matched_gold: int
    matched_test: int
    labelled: bool = True
    in_test: tuple[tuple[str | None, int], ...] = ()
    in_gold: tuple[tuple[str | None, int], ...] = ()

    @property
    def figures(self) -> dict[str, Part]:
        """F1, precision and recall."""
        return label_figures(self.matched_gold, self.gold, self.matched_test, self.test, labelled=self.labelled)


class RuleError(Value):
    """A gold rule and the test rule over the same words.

    The kind is one of RULE_KINDS: `changed` if both sides have a rule; `missing` or `extra` if one side has no bracket
    over these words; `missing unary` or `extra unary` if it has another bracket or there is only one word, so that only
    a level is missing or superfluous. The rule of a side without one is None.
    """

    kind: str
    gold: str | None
    test: str | None
    count: int
    first: int


class Attachment(Value):
    """A matched bracket with a wrong parent: its label, and the labels of both parents; None without a parent.

    A parent is wrong if its label or its words differ. `same_words` means that both parents cover the same words, so
    that only a label is wrong, or a level is missing or superfluous. If both parents have the same label, their words
    differ, which may be due to another bracket below them.
    """

    label: str
    gold_parent: str | None
    test_parent: str | None
    count: int
    same_words: bool
    first: int


class Matrix(Value):
    """The confusion matrix of gold labels, by row, and test labels, by column, over the same words.

    Rows and columns have the same labels, the most frequent gold labels first; OTHERS are the less frequent ones, and
    the last label is None, for brackets on one side only.
    """

    labels: tuple[str | None, ...]
    counts: tuple[tuple[int, ...], ...]


class Breakdown(Shown):
    """The errors of test by kind, each list sorted by falling frequency."""

    def __init__(
        self, report: Report, metric: Metric, *, threads: int | None = None, progress: _core.Progress | None = None
    ) -> None:
        if not isinstance(metric, Parseval):
            raise UsageError(f"error tables need parseval (with any options), not {metric.name}")
        check_best(metric, "error tables")
        pair, recipe = report.trees.of(metric), metric.recipe
        compiled = metric.compiled(pair)
        rules = compiled.rules  # first, because compiling the rules may add labels
        label_class, tag_class = (_equivalence_classes(n, recipe.equal) for n in (compiled.labels, compiled.tags))
        workers = count_threads(threads, len(report.gold))
        labels, tags, attachments, errors, known, right_rules = _core.break_down(
            pair.gold.native, pair.test.native, rules, label_class, tag_class, workers, progress
        )
        names = _Names(compiled, known)
        self.report, self.signature = report, metric.signature
        #: Remarks to print with the tables.
        self.notes = (_MEMBERS_NOTE,) if recipe.duplicates == "members" else ()
        #: All pairs of labels and of tags, including right ones.
        self.confusions = _by_frequency(_confusion(names.label, *row) for row in labels)
        self.tag_confusions = _by_frequency(_confusion(names.tag, *row) for row in tags)
        self.rules = _by_frequency(names.rule_error(*row) for row in errors)
        #: Errors with different labels of the parents come first.
        self.attachments = sorted(
            _by_frequency(names.attachment(*row) for row in attachments),
            key=lambda error: error.gold_parent == error.test_parent,
        )
        #: The number of gold rules that test has over the same words.
        self.right_rules = right_rules
        self.categories = _categories(self.confusions, recipe.labels)
        self.tags = _categories(self.tag_confusions, True)

    def __repr__(self) -> str:
        labels, tags = (
            sum(cell.count for cell in cells if not cell.right) for cells in (self.confusions, self.tag_confusions)
        )
        rules, parents = (sum(error.count for error in errors) for errors in (self.rules, self.attachments))
        counts = ((labels, "label"), (rules, "rule"), (parents, "parent"), (tags, "tag"))
        return f"<Breakdown of errors: {', '.join(number_of(count, noun) for count, noun in counts)}>"

    def matrix(self, most: int | None = None, *, of: str = "labels") -> Matrix:
        """The confusion matrix of labels, or of tags; labels after the first `most` are one row, OTHERS.

        >>> errors = breakdown("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (PP (VB b)) )", "parseval|profile:none")
        >>> errors.matrix().labels
        ('NP', 'S', 'VP', 'PP', None)
        >>> errors.matrix().counts[2]
        (0, 0, 0, 1, 0)
        """
        if of not in ("labels", "tags"):
            raise UsageError(f"a matrix is of labels or of tags, not of {of!r}")
        categories, cells = (self.categories, self.confusions) if of == "labels" else (self.tags, self.tag_confusions)
        if most is not None:
            check_whole(most, "most", least=0)
        shown = [category.label for category in categories[:most]]
        if len(shown) > MAX_LABELS:
            raise UsageError(f"a matrix of {len(shown):,} {of} is too large: choose a lower number with `most`")
        index: dict[str | None, int] = {label: number for number, label in enumerate(shown)}
        labels: list[str | None] = [*shown, *([OTHERS] if len(shown) < len(categories) else []), None]
        index[None] = len(labels) - 1
        counts = [[0] * len(labels) for _ in labels]
        for cell in cells:
            counts[index.get(cell.gold, len(shown))][index.get(cell.test, len(shown))] += cell.count
        return Matrix(tuple(labels), tuple(map(tuple, counts)))

    def to(self, form: str, *, by: str | None = None, most: int | None = None) -> str:
        """One table, or all: table, markdown, latex, html, csv or jsonl (one only) or json.

        `by` is category, confusion, rule, attachment or tag. Tables for people have at most `most` rows (default: 40)
        and the number of further rows; csv, jsonl and json have all rows.

        >>> errors = breakdown("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (PP (VB b)))", "parseval|profile:none")
        >>> print(errors.to("csv", by="confusion"), end="")
        gold,test,count,crossing,first
        VP,PP,1,False,1
        """
        return rendered(self, form, by=by, most=most)


def breakdown(
    gold: Readable,
    test: Readable,
    metric: str | Metric | Recipe = "parseval",
    *,
    threads: int | None = None,
    layout: str = "auto",
    on_error: str = "keep",
    progress: _core.Progress | None = None,
) -> Breakdown:
    """Count the errors of test by label, rule, parent and tag; the metric is parseval with any options.

    >>> errors = breakdown("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (PP (VB b)))")
    >>> errors
    <Breakdown of errors: 1 label, 2 rules, 0 parents, 0 tags>
    >>> [(row.label, row.gold, row.matched_gold, row.in_test) for row in errors.categories if row.in_test]
    [('VP', 1, 0, (('PP', 1),))]
    """
    report = evaluate(gold, test, metric, threads=threads, layout=layout, on_error=on_error, progress=progress)
    return report.error_tables(threads=threads, progress=progress)


class _Names:
    """Decodes the engine's numbers of labels, tags and rules."""

    def __init__(
        self, compiled: Compiled, rules: Iterable[tuple[int, Sequence[int | None], Sequence[int | None]]]
    ) -> None:
        self._labels, self._tags = compiled.labels, compiled.tags
        self._rules = [self._rule(*rule) for rule in rules]

    def label(self, key: int | None) -> str | None:
        return None if key is None else self._labels[key]

    def tag(self, key: int | None) -> str | None:
        return NO_TAG if key == _core.UNTAGGED else None if key is None else self._tags[key]

    def _rule(self, label: int, children: Sequence[int | None], pieces: Sequence[int | None]) -> str:
        below = [
            NO_TAG if code is None else (self._tags if code % 2 else self._labels)[code // 2] or "(empty)"
            for code in children
        ]
        rule = " ".join([self._labels[label] or "(empty)", "→", *below])
        if not pieces:
            return rule
        order = ["_" if piece is None else "…" if piece < 0 else str(piece + 1) for piece in pieces]
        return f"{rule} ({' '.join(order)})"

    def rule_error(self, gold: int | None, test: int | None, kind: int, count: int, first: int) -> RuleError:
        sides = [None if rule is None else self._rules[rule] for rule in (gold, test)]
        return RuleError(_RULE_KIND[kind], sides[0], sides[1], count, first + 1)

    def attachment(
        self, label: int, gold: int | None, test: int | None, same_words: int, count: int, first: int
    ) -> Attachment:
        name = self.label
        return Attachment(name(label) or "", name(gold), name(test), count, bool(same_words), first + 1)


def _confusion(
    name: Callable[[int | None], str | None], gold: int | None, test: int | None, kind: int, count: int, first: int
) -> Confusion:
    right, crossing = (kind == wanted for wanted in (_core.PairKind.RIGHT, _core.PairKind.CROSSING))
    return Confusion(name(gold), name(test), count, right, crossing, first + 1)


def _by_frequency(rows: Iterable[_Counted]) -> list[_Counted]:
    """Sort by falling frequency, then by the other fields."""

    def order(row: _Counted) -> tuple[Any, ...]:
        fields = [value for name, value in row.values().items() if name != "count"]
        return -row.values()["count"], *((value is None, value if value is not None else "") for value in fields)

    return sorted(rows, key=order)


def _categories(cells: Iterable[Confusion], labelled: bool) -> list[Category]:
    """The sums of the rows and columns of a confusion matrix."""
    counts: dict[str, list[int]] = {}
    instead: tuple[dict[str, dict[str | None, int]], ...] = ({}, {})
    for cell in cells:
        for side, (label, other) in enumerate(((cell.gold, cell.test), (cell.test, cell.gold))):
            if label is None:
                continue
            row = counts.setdefault(label, [0, 0, 0, 0])
            row[side] += cell.count
            if cell.right:
                row[2 + side] += cell.count
            else:
                others = instead[side].setdefault(label, {})
                others[other] = others.get(other, 0) + cell.count
    categories = [
        Category(
            label,
            *(gold, test, matched_gold, matched_test),
            labelled=labelled,
            in_test=_most_frequent(instead[0].get(label, {})),
            in_gold=_most_frequent(instead[1].get(label, {})),
        )
        for label, (gold, test, matched_gold, matched_test) in counts.items()
    ]
    return sorted(categories, key=lambda category: (-category.gold, category.label))


def _most_frequent(counts: dict[str | None, int]) -> tuple[tuple[str | None, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0] is None, item[0] or "")))


def _equivalence_classes(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[int]:
    """The equivalence class of each name, given as the number of the first name in the class.

    >>> _equivalence_classes(["A", "B", "C", "D"], [("D", "B"), ("B", "A")])
    [0, 0, 2, 0]
    """
    group = {name: {name} for name in names}
    for a, b in pairs:
        if a in group and b in group and group[a] is not group[b]:
            group[a] |= group[b]
            for name in group[b]:
                group[name] = group[a]
    first: dict[int, int] = {}
    return [first.setdefault(id(group[name]), number) for number, name in enumerate(names)]
