"""What kinds of errors there are: wrong labels, wrong rules, wrong parents, wrong tags, each with its count.

All of it is about the brackets that PARSEVAL counts, and uses its pairs: a bracket of gold and one of test over the
same words are a pair if their labels are equal. So the sums are those of the score, but for `duplicates:members`, where
equal brackets count once here and as often as they occur there; a note beside the tables says so.

>>> gold = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (PRP it)) (PP (IN in) (NP (NN town)))))"
>>> test = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (NP (PRP it)) (PP (IN in) (NP (NN town))))))"
>>> found = breakdown(gold, test)
>>> for it in found.attachments:
...     print(it.label, "is below", it.test_parent, "and not below", it.gold_parent)
NP is below NP and not below VP
PP is below NP and not below VP
>>> for it in found.rules:
...     print(it.kind, "|", it.gold, "|", it.test)
changed | VP → VBD NP PP | VP → VBD NP
extra | None | NP → NP PP
"""

from __future__ import annotations

from .. import _core
from ..helpers.named import value_of
from ..helpers.showing import rendered
from ..helpers.text import number_of
from ..helpers.threads import count_threads
from ..metrics.parseval import Parseval, label_figures
from ..place.pair import Pair
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

    _Counted = TypeVar("_Counted", bound=Value)

#: What has no tag of its own, in tables of tags and in rules.
NO_TAG = "(no tag)"
#: What a matrix has instead of labels beyond the most frequent ones.
OTHERS = "(others)"
#: Labels up to which there is a matrix of all of them.
MOST_LABELS = 2_000
_OF_MEMBERS = "equal brackets count once in these tables, but as often as they occur in the score (duplicates:members)"
#: What can be wrong with a rule.
RULE_KINDS = ("changed", "missing", "extra", "missing unary", "extra unary")
_RULE_KIND = {value_of(_core.RuleKind, kind): kind for kind in RULE_KINDS}


class Confusion(Value):
    """A label of gold and one of test over the same words, and how often; None where a side has nothing there.

    `right` pairs are those that the score counts as matched. What stands alone is `crossing` if it partly overlaps
    with a bracket of the other side that counts. `first` is the number of the first sentence with such a pair, from 1.
    """

    gold: str | None
    test: str | None
    count: int
    right: bool
    crossing: bool
    first: int


class Category(Value):
    """A label or a tag: how many there are, how many are right, and what the other side has instead.

    Where labels do not count, a bracket's partner may have another one: then `matched_gold` and `matched_test` differ.
    `in_test` has what test has over the words of those of gold that are wrong, most frequent first, None for nothing;
    `in_gold` the same the other way round.
    """

    label: str
    gold: int
    test: int
    matched_gold: int
    matched_test: int
    labelled: bool
    in_test: tuple[tuple[str | None, int], ...]
    in_gold: tuple[tuple[str | None, int], ...]

    def __init__(
        self,
        *,
        label: str,
        gold: int,
        test: int,
        matched_gold: int,
        matched_test: int,
        labelled: bool = True,
        in_test: Iterable[tuple[str | None, int]] = (),
        in_gold: Iterable[tuple[str | None, int]] = (),
    ) -> None:
        self._store(
            label=label,
            gold=gold,
            test=test,
            matched_gold=matched_gold,
            matched_test=matched_test,
            labelled=labelled,
            in_test=tuple(in_test),
            in_gold=tuple(in_gold),
        )

    @property
    def figures(self) -> dict[str, Part]:
        """F1, precision and recall."""
        return label_figures(self.matched_gold, self.gold, self.matched_test, self.test, labelled=self.labelled)


class RuleError(Value):
    """A rule of gold and what test has over the same words.

    The kind is one of RULE_KINDS: `changed` where both have a rule; `missing` or `extra` where one side has no bracket
    over these words; `missing unary` or `extra unary` where it has one, or where there is only one word, so that only
    a level is missing or too much. The rule that a side has not is None.
    """

    kind: str
    gold: str | None
    test: str | None
    count: int
    first: int


class Attachment(Value):
    """A right bracket below a wrong one: its label, and the labels above it; None where nothing is above it.

    Wrong is a parent with another label or over other words. `same_words`: both parents stand over the same words, so
    that only a label is wrong, or a level is missing or too much. Where both have the same label, one of them has words
    that the other has not; that may be the fault of something else below it.
    """

    label: str
    gold_parent: str | None
    test_parent: str | None
    count: int
    same_words: bool
    first: int


class Matrix(Value):
    """Labels of gold, by row, against labels of test, by column: how often they stand over the same words.

    Both have the same labels, the most frequent of gold first; OTHERS stands for those that were not asked for, and the
    last one is None, for what only one side has.
    """

    labels: tuple[str | None, ...]
    counts: tuple[tuple[int, ...], ...]

    def __init__(self, *, labels: Iterable[str | None], counts: Iterable[Iterable[int]]) -> None:
        self._store(labels=tuple(labels), counts=tuple(map(tuple, counts)))


class Breakdown:
    """The errors of test by kind. Each list has the most frequent ones first."""

    def __init__(
        self,
        report: Report,
        signature: str,
        confusions: Iterable[Confusion],
        tag_confusions: Iterable[Confusion],
        rules: Iterable[RuleError],
        right_rules: int,
        attachments: Iterable[Attachment],
        *,
        labelled: bool,
        notes: Iterable[str] = (),
    ) -> None:
        self.report, self.signature = report, signature
        #: What must be known beside the tables.
        self.notes = tuple(notes)
        #: All pairs of labels and of tags, right ones too.
        self.confusions, self.tag_confusions = _by_frequency(confusions), _by_frequency(tag_confusions)
        self.rules = _by_frequency(rules)
        #: Those whose parents have other labels first.
        self.attachments = sorted(_by_frequency(attachments), key=lambda it: it.gold_parent == it.test_parent)
        #: How many rules of gold test has over the same words.
        self.right_rules = right_rules
        self.categories = _categories(self.confusions, labelled)
        self.tags = _categories(self.tag_confusions, True)

    def __repr__(self) -> str:
        labels, tags = (sum(it.count for it in kind if not it.right) for kind in (self.confusions, self.tag_confusions))
        rules, parents = (sum(it.count for it in kind) for kind in (self.rules, self.attachments))
        counted = ((labels, "label"), (rules, "rule"), (parents, "parent"), (tags, "tag"))
        return f"<Breakdown of errors: {', '.join(number_of(count, what) for count, what in counted)}>"

    def matrix(self, most: int | None = None, *, of: str = "labels") -> Matrix:
        """The confusion matrix of labels, or of tags; with `most`, the less frequent ones are one row, OTHERS.

        >>> found = breakdown("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (PP (VB b)) )", "parseval|profile:none")
        >>> found.matrix().labels
        ('NP', 'S', 'VP', 'PP', None)
        >>> found.matrix().counts[2]
        (0, 0, 0, 1, 0)
        """
        if of not in ("labels", "tags"):
            raise UsageError(f"a matrix is of labels or of tags, not of {of!r}")
        categories, cells = (self.categories, self.confusions) if of == "labels" else (self.tags, self.tag_confusions)
        if most is not None:
            check_whole(most, "most", least=0)
        shown = [it.label for it in categories[:most]]
        if len(shown) > MOST_LABELS:
            raise UsageError(f"a matrix of {len(shown):,} {of} is too large: say how many of them are wanted")
        place: dict[str | None, int] = {label: number for number, label in enumerate(shown)}
        labels: list[str | None] = [*shown, *([OTHERS] if len(shown) < len(categories) else []), None]
        place[None] = len(labels) - 1
        counts = [[0] * len(labels) for _ in labels]
        for cell in cells:
            counts[place.get(cell.gold, len(shown))][place.get(cell.test, len(shown))] += cell.count
        return Matrix(labels=labels, counts=counts)

    def to(self, form: str, *, by: str | None = None, most: int | None = None) -> str:
        """One table, or all: table, markdown, latex, html, csv or jsonl (one only) or json.

        `by` is category, confusion, rule, attachment or tag. Tables for people have at most `most` rows, 40 if nothing
        is said, and the number of those left out; csv, jsonl and json have all.

        >>> found = breakdown("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (PP (VB b)))", "parseval|profile:none")
        >>> print(found.to("csv", by="confusion"), end="")
        gold,test,count,crossing,first
        VP,PP,1,False,1
        """
        return rendered(self, form, by=by, most=most)

    def __str__(self) -> str:
        return self.to("table")

    def _repr_html_(self) -> str:
        return self.to("html")


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

    >>> found = breakdown("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (PP (VB b)))")
    >>> found
    <Breakdown of errors: 1 label, 2 rules, 0 parents, 0 tags>
    >>> [(it.label, it.gold, it.matched_gold, it.in_test) for it in found.categories if it.in_test]
    [('VP', 1, 0, (('PP', 1),))]
    """
    report = evaluate(gold, test, metric, threads=threads, layout=layout, on_error=on_error, progress=progress)
    return report.error_tables(threads=threads, progress=progress)


def of_report(
    report: Report, metric: Metric, *, threads: int | None = None, progress: _core.Progress | None = None
) -> Breakdown:
    """The errors behind a report, by the brackets of one of its metrics."""
    if not isinstance(metric, Parseval):
        raise UsageError(f"errors are counted by the brackets of parseval, with any options; {metric.name} has none")
    compiled = metric.compiled(Pair(report.gold, report.test))
    rules = compiled.rules  # before the classes: it may add keys
    label_class, tag_class = (_closed(names, metric.recipe.equal) for names in (compiled.labels, compiled.tags))
    workers = count_threads(threads, len(report.gold))
    labels, tags, attachments, errors, known, right_rules = _core.break_down(
        report.gold.native, report.test.native, rules, label_class, tag_class, workers, progress
    )
    names = _Names(compiled)
    written = [names.rule(*rule) for rule in known]
    return Breakdown(
        report,
        metric.signature,
        [_confusion(names.label, *row) for row in labels],
        [_confusion(names.tag, *row) for row in tags],
        [_rule_error(written, *row) for row in errors],
        right_rules,
        [_attachment(names.label, *row) for row in attachments],
        labelled=metric.recipe.labels,
        notes=[_OF_MEMBERS] if metric.recipe.duplicates == "members" else [],
    )


class _Names:
    """What the numbers of the engine stand for."""

    def __init__(self, compiled: Compiled) -> None:
        self._labels, self._tags = compiled.labels, compiled.tags

    def label(self, key: int | None) -> str | None:
        return None if key is None else self._labels[key]

    def tag(self, key: int | None) -> str | None:
        return NO_TAG if key == _core.UNTAGGED else None if key is None else self._tags[key]

    def rule(self, label: int, children: Sequence[int | None], pieces: Sequence[int | None]) -> str:
        below = [
            NO_TAG if code is None else (self._tags if code % 2 else self._labels)[code // 2] or "(empty)"
            for code in children
        ]
        written = " ".join([self._labels[label] or "(empty)", "→", *below])
        if not pieces:
            return written
        order = ["_" if piece is None else "…" if piece < 0 else str(piece + 1) for piece in pieces]
        return f"{written} ({' '.join(order)})"


def _confusion(
    name: Callable[[int | None], str | None], gold: int | None, test: int | None, kind: int, count: int, first: int
) -> Confusion:
    return Confusion(
        gold=name(gold),
        test=name(test),
        count=count,
        right=kind == _core.PairKind.RIGHT,
        crossing=kind == _core.PairKind.CROSSING,
        first=first + 1,
    )


def _rule_error(
    rules: Sequence[str], gold: int | None, test: int | None, kind: int, count: int, first: int
) -> RuleError:
    sides = [None if rule is None else rules[rule] for rule in (gold, test)]
    return RuleError(kind=_RULE_KIND[kind], gold=sides[0], test=sides[1], count=count, first=first + 1)


def _attachment(
    name: Callable[[int | None], str | None],
    label: int,
    gold: int | None,
    test: int | None,
    same_words: int,
    count: int,
    first: int,
) -> Attachment:
    return Attachment(
        label=name(label) or "",
        gold_parent=name(gold),
        test_parent=name(test),
        count=count,
        same_words=bool(same_words),
        first=first + 1,
    )


def _by_frequency(found: Iterable[_Counted]) -> list[_Counted]:
    """Most frequent first, equally frequent ones in the order of what they are."""

    def order(one: _Counted) -> tuple[Any, ...]:
        parts = [value for name, value in one.values().items() if name != "count"]
        return -one.values()["count"], *((value is None, value if value is not None else "") for value in parts)

    return sorted(found, key=order)


def _categories(cells: Iterable[Confusion], labelled: bool) -> list[Category]:
    """Sums of the rows and columns of a confusion matrix."""
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
    found = [
        Category(
            label=label,
            gold=gold,
            test=test,
            matched_gold=matched_gold,
            matched_test=matched_test,
            labelled=labelled,
            in_test=_most_frequent(instead[0].get(label, {})),
            in_gold=_most_frequent(instead[1].get(label, {})),
        )
        for label, (gold, test, matched_gold, matched_test) in counts.items()
    ]
    return sorted(found, key=lambda it: (-it.gold, it.label))


def _most_frequent(counts: dict[str | None, int]) -> list[tuple[str | None, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0] is None, item[0] or ""))


def _closed(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[int]:
    """For each name, the number of the first one that is equal to it, be it by way of others.

    >>> _closed(["A", "B", "C", "D"], [("D", "B"), ("B", "A")])
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
