"""Known causes that change a score although the parser is not to blame: the number of sentences, and remedies.

The sentences are counted in columns of the metrics. The score with a remedy takes another run over all trees, so it is
computed only when it is shown, in a table or on a page.

>>> import treescore
>>> gold, test = ["(ROOT (S (NN a)))"] * 2, ["(TOP (S (NN a)))"] * 2
>>> for cause in treescore.evaluate(gold, test, "parseval|profile:none").causes():
...     print(cause)
Outer bracket differs (ROOT vs TOP) in 2 sentences: Labelled F1 50.00, or 100.00 with outer:ignored
"""

from __future__ import annotations

from functools import cached_property
from itertools import compress, count, islice
from operator import and_

from .. import metrics as registry
from ..helpers.text import decode, number_of, visible
from ..metrics.conventions import CONVENTIONS, remedies
from ..metrics.policy import PolicyMetric, reconciled
from ..recipe import OUTER_LABELS
from ..values.brief import brief
from ..values.signature_text import SignatureError, join_signature, split_signature, unquote
from ..values.value import Value
from .tally import score_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ..metrics.conventions import Convention
    from ..values.score import Score
    from .report import Report

#: Number of sentences whose outer brackets are compared, and of kinds of differences that are shown.
_MOST_ROWS, _MOST_KINDS = 10_000, 3
#: The codes of the causes that are not counted in a column.
UNUSED_TIMES = "times_unused"
NO_LABELS = "no_labels"
_RECONCILED = {convention.column for convention in CONVENTIONS if convention.is_reconciled}


class _Effect:
    """The score without and with a remedy, in percent; None if unknown.

    Both are over all sentences if the remedy is for failed sentences, or if other sentences fail with it.
    """

    def __init__(self, report: Report, score: Score, signature: str | None, *, for_failures: bool) -> None:
        self._report, self._score, self._signature = report, score, signature
        self._for_failures = for_failures

    @property
    def before(self) -> float | None:
        return self._shown(self._score)

    @property
    def after(self) -> float | None:
        return None if self._remedied is None else self._shown(self._remedied)

    @cached_property
    def _remedied(self) -> Score | None:
        if self._signature is None or not self._score.counts.has_rows:
            return None
        return score_pair([registry.get(self._signature)], self._report.trees).scores[0]

    @cached_property
    def _over_all(self) -> bool:
        if self._for_failures or self._remedied is None:
            return self._for_failures
        return list(self._remedied.counts["failed"]) != list(self._score.counts["failed"])

    def _shown(self, score: Score) -> float | None:
        figures = score.all_figures if self._over_all else score.figures
        return figures[score.main].shown_value

    @property
    def title(self) -> str:
        """The title of the score."""
        return self._score.figures[self._score.main].title

    @property
    def is_over_all(self) -> bool:
        """Are both scores over all sentences?"""
        return self._over_all


class Remedied(Value):
    """What is known about one cause, or about all "Together": the score without and with the remedy, in percent.

    `before` and `after` are None if one of them is unknown; `is_over_all` says whether failed sentences count.
    """

    cause: str
    remedy: str | None
    title: str = ""
    is_over_all: bool = False
    before: float | None = None
    after: float | None = None

    @classmethod
    def of(cls, cause: str, remedy: str | None, effect: _Effect) -> Remedied:
        """A cause with the effect of its remedy, if there is one."""
        if remedy is None or effect.before is None or effect.after is None:
            return cls(cause, remedy)
        return cls(cause, remedy, effect.title, effect.is_over_all, effect.before, effect.after)

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            return self.cause if self.remedy is None else f"{self.cause}; try {self.remedy}"
        title = f"{self.title} over all sentences" if self.is_over_all else self.title
        return f"{self.cause}: {title} {self.before:.2f}, or {self.after:.2f} with {self.remedy}"


class Cause:
    """A known cause that changes a score although the parser is not to blame.

    `code` is for programs, `message` for people; `sentences` is the number of sentences concerned, `remedy` an option
    of the metric, or another metric, or None. `before` and `after` are the scores without and with the remedy, in
    percent; None if unknown.
    """

    def __init__(
        self,
        report: Report,
        score: Score,
        code: str,
        message: str,
        sentences: int,
        remedy: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.report, self.score = report, score
        self.code, self.message, self.sentences, self.remedy = code, message, sentences, remedy
        #: The remedy as options of the metric, unless it is another metric.
        self.options = dict(options or {})

    @property
    def is_failure(self) -> bool:
        """Do the sentences fail? Then the effect of the remedy is on the score over all sentences."""
        return self.code.startswith("failed")

    @property
    def signature(self) -> str | None:
        """The signature of the metric with the remedy; None if the remedy is not an option of the metric."""
        return _with_options(self.score, self.options)

    @cached_property
    def _effect(self) -> _Effect:
        return _Effect(self.report, self.score, self.signature, for_failures=self.is_failure)

    @property
    def before(self) -> float | None:
        """The score without the remedy."""
        return self._effect.before

    @property
    def after(self) -> float | None:
        """The score with the remedy."""
        return self._effect.after

    @property
    def remedied(self) -> Remedied:
        """The cause in words with the effect of its remedy."""
        return Remedied.of(self._where(), self.remedy, self._effect)

    def __str__(self) -> str:
        return str(self.remedied)

    def in_short(self) -> str:
        """The number of sentences and the remedy, without its effect."""
        return str(Remedied(self._where(), self.remedy))

    def _where(self) -> str:
        failed = " (failed)" if self.is_failure else ""
        labels = _outer_labels(self.report, self.score) if self.code == "outer_differs" else ""
        return f"{self.message}{labels} in {number_of(self.sentences, 'sentence')}{failed}"

    def values(self) -> dict[str, Any]:
        """Everything but the effect, by name, for JSON."""
        names = ("code", "message", "sentences", "remedy", "signature")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return f"<Cause {self.code}: {number_of(self.sentences, 'sentence')}, {self.remedy}>"


class Causes(list[Cause]):
    """The known causes of one report."""

    def lines(self) -> list[str]:
        """Each cause with the score under its remedy; if there are several causes, also the score under all remedies.

        >>> import treescore
        >>> gold, test = ["(ROOT (S (NN a)))", "(S (NN [) (NN b))"], ["(TOP (S (NN a)))", "(S (NN -LSB-) (NN b))"]
        >>> print(treescore.evaluate(gold, test, "parseval|profile:none").causes().lines()[-1])
        Together: Labelled F1 over all sentences 33.33, or 100.00 with --reconcile
        """
        return list(map(str, self.remedied()))

    def remedied(self) -> list[Remedied]:
        """Each cause with the effect of its remedy; if there are several causes, also of all remedies together."""
        return [*(cause.remedied for cause in self), *self._combined()]

    def _combined(self) -> Iterator[Remedied]:
        conventional = [cause for cause in self if cause.code not in (UNUSED_TIMES, NO_LABELS)]
        for score in dict.fromkeys(cause.score for cause in conventional):
            causes = [cause for cause in conventional if cause.score is score]
            codes = {cause.code for cause in causes}
            options = _remedy(score, [convention for convention in CONVENTIONS if convention.column in codes])
            remedy = _written(options)
            signature = _with_options(score, options)
            if signature in [cause.signature for cause in causes]:
                continue
            report = causes[0].report
            for_failures = any(cause.is_failure for cause in causes)
            if codes <= _RECONCILED:
                remedy, signature = "--reconcile", reconciled(score.signature).signature
            effect = _Effect(report, score, signature, for_failures=for_failures)
            together = Remedied.of("Together", remedy, effect)
            if together.after is not None:
                yield together


def causes(report: Report) -> Causes:
    """The known causes, each from the first metric of a report that counts sentences with it."""
    return Causes([*_counted(report), *_missing_labels(report), *_unused_times(report)])


def _missing_labels(report: Report) -> Iterator[Cause]:
    """Labels that only one side has, where a metric compares labels."""
    scores = [score for metric, score in report.pairs() if isinstance(metric, PolicyMetric) and metric.recipe.labels]
    side = _side_without_labels(report)
    if scores and side:
        remedy = {"labels": "no"}
        written = _written(remedy) if _with_options(scores[0], remedy) else None
        yield Cause(
            report, scores[0], NO_LABELS, f"The brackets of {side} have no labels", report.size, written, remedy
        )


def _side_without_labels(report: Report) -> str | None:
    """The side whose brackets have no labels; None if neither has labels, or both have."""
    if any(metric.reads != "trees" for metric in report.metrics):
        return None
    gold, test = (
        bank.native.lack_labels() if len(bank) else bank.source.labelless for bank in (report.gold, report.test)
    )
    return None if gold == test else "gold" if gold else "test"


def _counted(report: Report) -> Iterator[Cause]:
    """Causes that are counted in columns."""
    scores = [(score, score.counts.total()) for score in report.scores]
    lacks_labels = _side_without_labels(report)
    for convention in CONVENTIONS:
        if lacks_labels and convention.column == "outer_differs":
            continue  # every bracket without a label looks like an outer one
        for score, total in scores:
            number = total.get(convention.column, 0) // report.find(score.signature)[0].comparisons
            if number:
                options = _remedy(score, [convention])
                yield Cause(report, score, convention.column, convention.title, number, _written(options), options)
                break


def _remedy(score: Score, conventions: Sequence[Convention]) -> dict[str, str]:
    """The options that are the remedy for these conventions."""
    known = split_signature(score.signature)[1]
    return remedies(conventions, {name: unquote(value) for name, value in known.items()})


def _written(options: Mapping[str, str]) -> str:
    return "|".join(f"{name}:{value}" for name, value in options.items())


def _with_options(score: Score, options: Mapping[str, str]) -> str | None:
    """The signature of the metric with these options; None if it does not have them or there are none."""
    name, known = split_signature(score.signature)
    try:
        return registry.get(join_signature(name, {**known, **options})).signature if options else None
    except SignatureError:
        return None


def _unused_times(report: Report) -> list[Cause]:
    """Times that no metric uses, or that a metric could use but does not."""
    if any(metric.reads != "trees" for metric in report.metrics):
        return []
    if not any(bank.native.has_times() for bank in (report.gold, report.test)):
        return []
    unused = [score for metric, score in report.pairs() if metric.has_option("axis") and not metric.needs_times]
    if not unused and any(metric.needs_times for metric in report.metrics):
        return []
    score = (unused or report.scores)[0]
    gold, test = (
        [bank.native.has_times_at(place) for place in range(len(bank))] for bank in (report.gold, report.test)
    )
    message, number = "Times are not used", sum(map(and_, gold, test))
    remedy, options = None, {}
    if not any(gold) or not any(test):
        side, number = ("gold", sum(gold)) if any(gold) else ("test", sum(test))
        message = f"Times are not used (only {side} has them)"
    elif len(gold) != len(test):
        message, number = "Times are not used (the numbers of trees differ)", sum(gold)
    elif report.trees.is_timed:
        options = {"axis": "seconds"} if unused else {}
        remedy = "axis:seconds" if options else "struct_iou|axis:seconds"
    elif number:
        message = "Times are not used (only a part of the sentences has them)"
    else:
        message, number = "Times are not used (only one side has them)", sum(gold) + sum(test)
    return [Cause(report, score, UNUSED_TIMES, message, number, remedy, options)]


def _outer_labels(report: Report, score: Score) -> str:
    """The differing outermost labels of gold and test: the first kinds of differences."""
    metric, _ = report.find(score.signature)
    if not score.counts.has_rows or not metric.pairs_trees:  # otherwise rows are not sentences
        return ""
    shown: dict[str, None] = {}
    pair = report.trees.of(metric)
    for place in compress(count(), islice(score.counts["outer_differs"], _MOST_ROWS)):
        gold, test = (_outer_label(bank.native.outer_label(place)) for bank in (pair.gold, pair.test))
        shown[f"{gold} vs {test}"] = None
    kinds = [*islice(shown, _MOST_KINDS), *(["…"] if len(shown) > _MOST_KINDS else [])]
    return f" ({', '.join(kinds)})"


def _outer_label(label: bytes | None) -> str:
    """The label of an outer bracket; "none" if the outermost bracket is a phrase.

    >>> _outer_label(b"S1"), _outer_label(b""), _outer_label(b"NP"), _outer_label(None)
    ('S1', 'no label', 'none', 'none')
    """
    if label is None or decode(label) not in OUTER_LABELS:
        return "none"
    return visible(brief(decode(label))) or "no label"
