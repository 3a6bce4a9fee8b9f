"""Scoring batch by batch: update, compute, reset, merge."""

from __future__ import annotations

from ..counts import Counts
from ..evaluation import as_metrics, count_threads, read_both
from ..problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..evaluation import Metrics
    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..scale.totals import TotalReport
    from ..score import Score


class Scorer:
    """Adds up counts over many batches; holds sums only, however many trees it has seen. It pickles.

    >>> scorer = Scorer("parseval|profile:none")
    >>> scorer.update(["(S (NN a))"], ["(S (NN a))"])
    >>> scorer.update(["(S (NN b))"], ["(X (NN b))"])
    >>> scorer.compute()["parseval"].value
    0.5
    """

    def __init__(self, metrics: Metrics = "parseval", *, threads: int = 1) -> None:
        self.metrics = as_metrics(metrics)
        self.threads = count_threads(threads, 0)
        self.reset()

    def reset(self) -> None:
        """Forget everything seen."""
        self._sums: list[Counts | None] = [None] * len(self.metrics)
        #: How many pairs of trees were seen (of gold trees, where sentences are aligned).
        self.size = 0
        #: How many problems of each kind were met, those of whole batches included.
        self.problems: dict[str, int] = {}
        #: How many problems of single sentences were met, however these were put into batches.
        self.sentence_problems = 0

    def update(self, gold: Readable, test: Readable) -> None:
        """Add a batch of tree pairs. One in which not a single tree can be read is counted like any other."""
        gold_bank, test_bank = read_both(gold, test, self.metrics, readable=False)
        found = {*gold_bank.problems, *test_bank.problems}
        counted = [metric.counts(gold_bank, test_bank, threads=self.threads) for metric in self.metrics]
        for place, (metric, counts) in enumerate(zip(self.metrics, counted, strict=True)):
            found.update(metric.problems(gold_bank, test_bank, counts))
            self._add(place, counts.collapsed())
        self.size += len(gold_bank)
        for problem in found:
            self.problems[problem.code] = self.problems.get(problem.code, 0) + 1
            self.sentence_problems += problem.unit is not None

    def _add(self, place: int, counts: Counts) -> None:
        before = self._sums[place]
        self._sums[place] = counts if before is None else (before + counts).collapsed()

    def compute(self) -> dict[str, Score]:
        """The scores so far, by name and by signature of the metric."""
        if any(counts is None for counts in self._sums):
            raise ValueError("nothing to compute: update() was never called")
        out: dict[str, Score] = {}
        for metric, counts in zip(self.metrics, self._sums, strict=True):
            if counts is not None:
                score = metric.score(counts)
                out.setdefault(metric.name, score)
                out[metric.signature] = score
        return out

    def report(self) -> TotalReport:
        """The scores so far as a report: a table, JSON and the other formats, and the problems by their number.

        >>> scorer = Scorer("parseval|profile:none")
        >>> scorer.update(["(S (NN a))", "(S (NN b))"], ["(S (NN a))", None])
        >>> scorer.report().problem_line(), scorer.report()["parseval"].value
        ('1 problem: 1 unparsed', 1.0)
        """
        scores = self.compute()
        sums = [scores[metric.signature].counts.total() for metric in self.metrics]
        return report_of_sums(self.metrics, sums, self.size, self.problems)

    def merge(self, other: Scorer) -> None:
        """Take in what another scorer with the same metrics has seen, for instance on another machine."""
        if [m.signature for m in self.metrics] != [m.signature for m in other.metrics]:
            raise ValueError("only scorers with the same metrics can be merged")
        for place, counts in enumerate(other._sums):
            if counts is not None:
                self._add(place, counts)
        self.size += other.size
        self.sentence_problems += other.sentence_problems
        for code, number in other.problems.items():
            self.problems[code] = self.problems.get(code, 0) + number


def one_metric(metric: str | Metric) -> Metric:
    """The metric with this signature; not several."""
    made = as_metrics(metric)
    if len(made) != 1:
        raise UsageError(f"one metric at a time, and not {', '.join(other.name for other in made)}")
    return made[0]


def report_of_sums(
    metrics: Sequence[Metric], sums: Sequence[Mapping[str, int]], size: int, problems: Mapping[str, int]
) -> TotalReport:
    """A report about sums of counts, for each metric, over so many pairs, with so many problems of each kind."""
    from ..scale.totals import Totals

    totals = Totals(metrics)
    totals.add_counts(sums, size)
    for code, number in problems.items():
        for _ in range(number):
            totals.note(code, code)
    return totals.report()
