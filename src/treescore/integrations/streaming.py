"""Scoring batch by batch: update, compute, reset, merge."""

from __future__ import annotations

from ..helpers.text import number_of
from ..helpers.threads import count_threads
from ..place.two_sides import side_name
from ..readers.sources import read_batch
from ..scoring.batch import score_batch
from ..scoring.choosing import DEFAULT, as_metrics, with_references
from ..scoring.evaluation import paired, read_gold
from ..scoring.problem_log import FEW_PROBLEMS
from ..scoring.tally import Tally
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..scoring.choosing import Metrics
    from ..scoring.report import Report
    from ..values.score import Coverage, Score


class Computed(dict[str, "Score"]):
    """Scores by name and by signature, with the problems of each kind, and the coverage of the first metric."""

    problems: dict[str, int]

    def __init__(self, scores: Mapping[str, Score], problems: Mapping[str, int]) -> None:
        super().__init__(scores)
        self.problems = dict(problems)

    @property
    def _first(self) -> Score:
        return next(iter(self.values()))

    @property
    def coverage(self) -> Coverage | None:
        """The share of eligible sentences that did not fail; None if there are none."""
        return self._first.coverage

    @property
    def failed(self) -> int:
        """How many sentences failed."""
        return 0 if self.coverage is None else self.coverage.failed


def warn(score: Score, stacklevel: int = 3) -> None:
    """Warn if sentences failed, or if the score is undefined."""
    from warnings import warn

    coverage = score.coverage
    if coverage is not None and coverage.failed:
        failed = f"{coverage.failed:,} of {number_of(coverage.eligible, 'sentence')} failed"
        own, everywhere = score.figures[score.main], score.all_figures[score.main]
        value = "undefined" if own.value is None else own.shown()
        shown = f"{own.title} is {value}, and {everywhere.shown()} if they count as wrong ({score.main}_all)"
        warn(f"{failed} (coverage {100 * coverage:.2f} %): {shown}", stacklevel=stacklevel)
    elif score.value is None:
        warn(f"{score.main} is undefined: no sentence could be scored", stacklevel=stacklevel)


class Scorer:
    """Adds up counts over batches, in constant memory. It can be pickled.

    Brackets are read with labels, so that results do not depend on the batches; the `form` "labelless" is for brackets
    without labels. See `treescore.read` for other forms.

    >>> scorer = Scorer("parseval|profile:none")
    >>> scorer.update(["(S (NN a))"], ["(S (NN a))"])
    >>> scorer.update(["(S (NN b))"], ["(X (NN b))"])
    >>> scorer.compute()["parseval"].value
    0.5
    """

    def __init__(self, metrics: Metrics = DEFAULT, *, threads: int = 1, form: str = "auto") -> None:
        self.metrics = as_metrics(metrics)
        self.form = form
        self.threads = count_threads(threads, 0)
        self.reset()

    def reset(self) -> None:
        """Forget everything seen."""
        self._tally = Tally(self.metrics, most=FEW_PROBLEMS)

    @property
    def size(self) -> int:
        """The number of pairs of trees (of gold trees, if sentences are aligned)."""
        return self._tally.size

    @property
    def problems(self) -> dict[str, int]:
        """The number of problems by kind; each kind counts once per sentence."""
        return self._tally.problem_log().codes()

    @property
    def sentence_problems(self) -> int:
        """The number of problems of single sentences, which does not depend on the batches."""
        return self._tally.problem_log().in_sentences

    def update(self, gold: Readable, test: Readable, references: Sequence[Readable] = ()) -> None:
        """Add a batch of tree pairs, which may be unreadable; `references` are more gold trees for its sentences.

        Metrics that do not say how many gold trees a sentence may have take the number of the first batch.
        """
        gold_bank = read_gold(gold, references, read_batch, form=self.form)
        test_bank = read_batch(test, self.form, side_name(test, "<test>"))
        pair = paired(gold_bank, test_bank, self.metrics, readable=False)
        if pair.gold.references and not self._tally.size:
            self.metrics = with_references(self.metrics, 1 + len(pair.gold.references))
            self.reset()
        batch = score_batch(self.metrics, pair, threads=self.threads)
        self._tally.add(batch.renumbered(self._tally.size))

    def compute(self) -> Computed:
        """The scores so far, by name and by signature of the metric; also `problems`, `coverage` and `failed`.

        Warns if sentences failed, or if a score is undefined.

        >>> import warnings
        >>> scorer = Scorer("parseval|profile:none")
        >>> scorer.update(["(S (NN a))", "(S (NN b))"], ["(S (NN a))", None])
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     computed = scorer.compute()
        >>> computed["parseval"].value, computed["parseval"].all, computed.coverage, computed.problems
        (1.0, 0.5, Coverage(0.5), {'unparsed': 1})
        >>> print(caught[0].message)
        1 of 2 sentences failed (coverage 50.00 %): Labelled F1 is 100.00, and 50.00 if they count as wrong (f1_all)
        """
        computed = self._computed()
        for score in {score.signature: score for score in computed.values()}.values():
            warn(score)
        return computed

    def _computed(self) -> Computed:
        if not self._tally.batches:
            raise ValueError("nothing to compute: update() was never called")
        scores: dict[str, Score] = {}
        for metric, counts in zip(self.metrics, self._tally.counts, strict=True):
            score = metric.score(counts)
            scores.setdefault(metric.name, score)
            scores[metric.signature] = score
        return Computed(scores, self.problems)

    def check_signature(self, signature: str) -> None:
        """Refuse several gold trees per sentence if the signature of the only metric does not state their number."""
        if self.metrics[0].signature != signature:
            raise UsageError(
                f"write references:{self.metrics[0].references} in the metric: sentences have as many gold trees"
            )

    def sums(self, signature: str) -> dict[str, int]:
        """The sums of the counts so far of one of the metrics."""
        return self._computed()[signature].counts.total()

    def report(self) -> Report:
        """The scores so far as a report, with the numbers of problems.

        >>> scorer = Scorer("parseval|profile:none")
        >>> scorer.update(["(S (NN a))", "(S (NN b))"], ["(S (NN a))", None])
        >>> scorer.report().problem_line(), scorer.report()["parseval"].value
        ('1 problem: 1 unparsed', 1.0)
        """
        return self._tally.report()

    def merge(self, other: Scorer) -> None:
        """Add the sums of another scorer with the same metrics, for instance from another machine."""
        if [m.signature for m in self.metrics] != [m.signature for m in other.metrics]:
            raise ValueError("only scorers with the same metrics can be merged")
        self._tally.merge(other._tally)


def one_metric(metric: str | Metric) -> Metric:
    """The metric with this signature, which must be a single one."""
    metrics = as_metrics(metric)
    if len(metrics) != 1:
        raise UsageError(f"only one metric is possible, not {', '.join(other.name for other in metrics)}")
    return metrics[0]
