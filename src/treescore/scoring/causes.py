"""Known reasons why a score is lower than it could be: in how many sentences, and the score with the remedy.

The sentences are counted in columns of the metrics, and so add up. The score with a remedy takes another run over all
trees: it is found only when somebody looks at it, in a table or on a page.

>>> import treescore
>>> gold, test = ["(ROOT (S (NN a)))"] * 2, ["(TOP (S (NN a)))"] * 2
>>> for cause in treescore.evaluate(gold, test, "parseval|profile:none").causes():
...     print(cause)
Outer bracket differs (ROOT vs TOP) in 2 sentences: Labelled F1 50.00, or 100.00 with outer:ignored
"""

from __future__ import annotations

from functools import cached_property

from .. import metrics as registry
from ..metrics.base import SignatureError, join_signature, split_signature, unquote
from ..metrics.policy import reconciled
from ..place.pair import Pair
from ..text import decode, number_of, visible
from .tally import score_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..metrics.base import Metric
    from ..score import Score
    from .report import Report

#: Column, what is wrong, and the option that is the remedy.
_COLUMNS = (
    ("outer_differs", "Outer bracket differs{labels}", "outer:ignored"),
    ("failed_by_tags", "Tags delete different words", "delete-by:gold"),
    ("failed_by_escapes", "Brackets are escaped differently", "text:escapes"),
    ("failed_by_case", "Upper and lower case differ", "text:escapes+fold"),
)
#: Those that `--reconcile` removes.
_RECONCILABLE = ("outer_differs", "failed_by_tags", "failed_by_escapes")


class _Effect:
    """The score as it is, and the score by the metric with a remedy, in percent; None if it is unknown.

    Figures `over_all` sentences are shown where the remedy is for sentences that fail.
    """

    def __init__(self, report: Report, score: Score, signature: str | None, *, over_all: bool) -> None:
        self._report, self._score, self._signature, self._over_all = report, score, signature, over_all

    @property
    def before(self) -> float | None:
        return self._shown(self._score)

    @cached_property
    def after(self) -> float | None:
        if self._signature is None or not self._score.counts.has_rows:
            return None
        metric = registry.get(self._signature)
        return self._shown(score_pair([metric], Pair(self._report.gold, self._report.test)).scores[0])

    def _shown(self, score: Score) -> float | None:
        figures = score.all_figures if self._over_all else score.figures
        return figures[score.main].shown_value

    def in_words(self, remedy: str) -> str | None:
        """Both scores, the second of them with this remedy; None if one is unknown."""
        if self.before is None or self.after is None:
            return None
        title = self._score.figures[self._score.main].title
        scope = " over all sentences" if self._over_all else ""
        return f"{title}{scope} {self.before:.2f}, or {self.after:.2f} with {remedy}"


class Cause:
    """A known reason why a score is lower than it could be.

    `code` is for programs, `message` for people; `sentences` is how many it concerns, `remedy` the option of the metric
    that helps, or another metric, or None. `before` and `after` are the score without and with the remedy, in percent;
    None where that is unknown.
    """

    def __init__(
        self, report: Report, score: Score, code: str, message: str, sentences: int, remedy: str | None
    ) -> None:
        self.report, self.score = report, score
        self.code, self.message, self.sentences, self.remedy = code, message, sentences, remedy

    @property
    def is_failure(self) -> bool:
        """Do the sentences fail? Then the score over all sentences tells what the remedy does."""
        return self.code.startswith("failed")

    @cached_property
    def signature(self) -> str | None:
        """The signature of the metric with the remedy; None if it cannot be had by an option of the metric."""
        name, options = split_signature(self.score.signature)
        key, _, value = (self.remedy or "").partition(":")
        try:
            return registry.get(join_signature(name, {**options, key: value})).signature
        except SignatureError:
            return None

    @cached_property
    def _effect(self) -> _Effect:
        return _Effect(self.report, self.score, self.signature, over_all=self.is_failure)

    @property
    def before(self) -> float | None:
        """The score as it is."""
        return self._effect.before

    @property
    def after(self) -> float | None:
        """The score with the remedy."""
        return self._effect.after

    def __str__(self) -> str:
        failed = " (failed)" if self.is_failure else ""
        where = f"{self.message} in {number_of(self.sentences, 'sentence')}{failed}"
        if self.remedy is None:
            return where
        effect = self._effect.in_words(self.remedy)
        return f"{where}; try {self.remedy}" if effect is None else f"{where}: {effect}"

    def values(self) -> dict[str, Any]:
        """What is known without scoring anything, by name, as JSON has it."""
        names = ("code", "message", "sentences", "remedy", "signature")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return f"<Cause {self.code}: {number_of(self.sentences, 'sentence')}, {self.remedy}>"


class Causes(list[Cause]):
    """The known causes for one report."""

    def lines(self) -> list[str]:
        """Each cause with the score under its remedy; where there are several, the score under all of them.

        >>> import treescore
        >>> gold, test = ["(ROOT (S (NN a)))", "(S (NN [) (NN b))"], ["(TOP (S (NN a)))", "(S (NN -LSB-) (NN b))"]
        >>> print(treescore.evaluate(gold, test, "parseval|profile:none").causes().lines()[-1])
        All of this: Labelled F1 over all sentences 33.33, or 100.00 with --reconcile
        """
        return [*map(str, self), *self._together()]

    def _together(self) -> list[str]:
        reconcilable = [cause for cause in self if cause.code in _RECONCILABLE]
        if len(reconcilable) < 2:
            return []
        report, score = reconcilable[0].report, reconcilable[0].score
        over_all = any(cause.is_failure for cause in reconcilable)
        effect = _Effect(report, score, reconciled(score.signature).signature, over_all=over_all)
        shown = effect.in_words("--reconcile")
        return [f"All of this: {shown}"] if shown else []


def causes(report: Report) -> Causes:
    """The known causes, by the first metric of a report that counts them."""
    return Causes([*_counted(report), *_unused_times(report)])


def _counted(report: Report) -> list[Cause]:
    """Those that are counted in columns."""
    counting = next((both for both in report.pairs() if _COLUMNS[0][0] in both[1].counts.total()), None)
    if counting is None:
        return []
    metric, score = counting
    total = score.counts.total()
    found = []
    for column, message, remedy in _COLUMNS:
        if total.get(column):
            text = message.format(labels=_outer_labels(report, score)) if "{labels}" in message else message
            found.append(Cause(report, score, column, text, total[column], _remedy(metric, remedy)))
    return found


def _unused_times(report: Report) -> list[Cause]:
    """Times that no metric uses."""
    if any(metric.needs_times or metric.reads != "trees" for metric in report.metrics):
        return []
    timed = {
        side: number
        for side, bank in (("gold", report.gold), ("test", report.test))
        if (number := sum(map(bank.native.has_times_at, range(len(bank)))))
    }
    if not timed:
        return []
    score = report.scores[0]
    if len(timed) == 1:
        side, number = timed.popitem()
        return [Cause(report, score, "times_unused", f"Only {side} has times,", number, None)]
    remedy = "axis:seconds" if report.metrics[0].has_axis else "struct_iou|axis:seconds"
    return [Cause(report, score, "times_unused", "Times are not used", timed["gold"], remedy)]


def _remedy(metric: Metric, remedy: str) -> str:
    """The remedy beside what the metric does already: text:nfkc becomes text:nfkc+escapes."""
    key, _, value = remedy.partition(":")
    if key != "text":
        return remedy
    known = unquote(split_signature(metric.signature)[1].get("text", "none")).split("+")
    steps = [step for step in known if step != "none"]
    return f"text:{'+'.join(dict.fromkeys([*steps, *value.split('+')]))}"


def _outer_labels(report: Report, score: Score) -> str:
    """The outermost labels of gold and test in the first sentence in which they differ."""
    if not score.counts.has_rows:
        return ""
    place = list(score.counts["outer_differs"]).index(1)
    names = [decode(bank.native.outer_label(place) or b"") or "no label" for bank in (report.gold, report.test)]
    return f" ({visible(names[0])} vs {visible(names[1])})"
