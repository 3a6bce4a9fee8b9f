"""The paired tests of sacrebleu for parse trees, identical to the last digit.

They need numpy for its random number generator. Each system has its score, the mean and half the width of the
confidence interval over 1,000 samples of the sentences, and a p-value against the first system, the baseline:

* "bootstrap": |system - baseline| of each sample, minus the mean over all samples;
* "randomization": |a - b| in 10,000 trials, in each of which a coin assigns every sentence to a or b;

p is the share of samples or trials in which this exceeds the observed |system - baseline|, which is itself included.

Two caveats. Ties do not count, so systems with equal output get the smallest possible p, 0.001 or 0.0001. And the
bootstrap takes absolute values before centring, which makes p too small where systems hardly differ.
`treescore.significance.paired_randomization` and `paired_bootstrap` have neither problem.

>>> from treescore.values.counts import Counts
>>> rows = {"matched": [3, 5, 2], "gold": [4, 5, 6], "test": [4, 6, 6]}
>>> def f1(total):
...     return 200 * total["matched"] / (total["gold"] + total["test"])
>>> same = paired({"A": Counts(rows), "B": Counts(rows)}, f1, kind="randomization")
>>> same["B"].score == same["A"].score, round(same["B"].p, 4)
(True, 0.0001)
"""

from __future__ import annotations

from ..values.counts import Counts
from ..values.problem import UsageError, check_choice, check_whole
from ..values.value import Value
from .sampling import check_seed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric

    Scorer = Callable[[dict[str, int]], float | None]

SEED = 12345
#: Samples of the bootstrap, which both tests use for the mean and the interval, and trials of the randomization test.
SAMPLES, TRIALS = 1_000, 10_000
KINDS = ("bootstrap", "randomization")
_BATCH = 1 << 24  # random numbers per call


class PairedResult(Value):
    """The score of a system, the mean of its samples and half the width of the interval; p is None for the baseline.

    `undefined` is the number of samples and trials without a score. They are left out of the mean and the interval, and
    count as greater differences.
    """

    score: float | None
    mean: float | None
    half_width: float | None
    p: float | None = None
    undefined: int = 0


def paired_by(metric: Metric, systems: Mapping[str, Counts], **options: Any) -> dict[str, PairedResult]:
    """Compare systems with the first one by the main figure of a metric, in percent; options as for `paired`."""
    if len({tuple(metric.gold_sentences(counts) or ()) for counts in systems.values()}) > 1:
        raise UsageError(f"{metric.name} joins different sentences for each system, so they have no rows in common")

    def in_percent(total: dict[str, int]) -> float | None:
        score = metric.score(Counts({}, totals=total))
        part = score.all_figures[score.main]  # decisions count failed sentences
        if part.value is None or not part.percent:
            return part.value
        return 100.0 * part.above / part.below if part.above is not None and part.below else 100.0 * part.value

    return paired(systems, in_percent, **options)


def paired(
    systems: Mapping[str, Counts],
    score: Scorer,
    *,
    kind: str = "bootstrap",
    trials: int = TRIALS,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> dict[str, PairedResult]:
    """Compare each system with the first one; `score` computes a score from sums of counts."""
    numpy = _numpy()
    check_choice(kind, "the test", KINDS)
    check_whole(trials, "the number of trials")
    check_whole(samples, "the number of samples")
    check_seed(seed)
    _check_rows(systems)
    columns = list(next(iter(systems.values())).columns)
    tables = {name: _table(numpy, counts) for name, counts in systems.items()}
    base = next(iter(tables.values()))
    base_samples = None
    results: dict[str, PairedResult] = {}

    def scores(sums: Iterable[Sequence[int]]) -> Any:
        values = (score(dict(zip(columns, row, strict=True))) for row in sums)
        return numpy.array([float("nan") if value is None else value for value in values])

    for name, table in tables.items():
        generator = numpy.random.default_rng(seed)  # sacrebleu restarts the generator for each system
        own, base_score = scores(_total(each) for each in (table, base))
        distances = None
        if base_samples is not None and kind == "randomization":
            both = zip(*_swapped_sums(numpy, generator, table, base, trials), strict=True)
            a, b = (scores(sums) for sums in both)
            distances = abs(a - b)
        resampled = scores(_bootstrap_sums(numpy, generator, table, samples))
        known = numpy.sort(resampled[~numpy.isnan(resampled)])
        if base_samples is None:
            base_samples = resampled
        elif kind == "bootstrap":
            distances = abs(resampled - base_samples)
            distances -= numpy.nanmean(distances) if len(known) else 0.0
        undefined, p = samples - len(known), None
        if distances is not None:
            missing = int(numpy.isnan(distances).sum())
            undefined += missing if kind == "randomization" else 0
            if not numpy.isnan(own - base_score):
                p = (int((distances > abs(own - base_score)).sum()) + missing + 1) / (len(distances) + 1)
        cut = len(known) // 40
        mean, half = (known.mean(), (known[len(known) - cut - 1] - known[cut]) / 2) if len(known) else (None, None)
        results[name] = PairedResult(_float_or_none(own), _float_or_none(mean), _float_or_none(half), p, undefined)
    return results


def _numpy() -> Any:
    try:
        import numpy
    except ModuleNotFoundError:
        raise UsageError("the tests of sacrebleu need numpy, which is not installed; pip install numpy") from None
    return numpy


def _check_rows(systems: Mapping[str, Counts]) -> None:
    if not all(counts.has_rows for counts in systems.values()):
        raise UsageError("sampling needs counts with rows; these have only sums")
    if len({len(counts) for counts in systems.values()}) != 1:
        raise UsageError("systems are compared sentence by sentence: they need the same number of rows")
    if not len(next(iter(systems.values()))):
        raise UsageError("there are no sentences to sample")


def _float_or_none(value: Any) -> float | None:
    return None if value is None or value != value else float(value)


def _table(numpy: Any, counts: Counts) -> Any:
    """The counts as an array with one row per sentence."""
    columns = [numpy.frombuffer(column, dtype=numpy.int64) for column in counts.columns.values()]
    return numpy.stack(columns, axis=1)


def _total(table: Any) -> list[int]:
    return [sum(column) for column in table.T.tolist()]


def _sums(numpy: Any, weights: Any, table: Any) -> list[list[int]]:
    """The weighted sums of the rows, one per row of `weights`, which add up to at most the number of rows."""
    if int(abs(table).max(initial=0)) * len(table) < 1 << 63:
        return (weights @ table).tolist()  # type: ignore[no-any-return]
    high, low = ((weights @ half).tolist() for half in (table >> 32, table & 0xFFFFFFFF))  # the sum could overflow
    return [[(a << 32) + b for a, b in zip(*lines, strict=True)] for lines in zip(high, low, strict=True)]


def _bootstrap_sums(numpy: Any, generator: Any, table: Any, samples: int) -> Iterator[list[int]]:
    """The sums of samples with replacement."""
    rows = len(table)
    step = max(1, _BATCH // rows)
    for begin in range(0, samples, step):
        indices = generator.integers(0, rows, size=(min(step, samples - begin), rows))
        weights = [numpy.bincount(sample, minlength=rows) for sample in indices]
        yield from _sums(numpy, numpy.stack(weights), table)


def _swapped_sums(
    numpy: Any, generator: Any, table: Any, base: Any, trials: int
) -> Iterator[tuple[list[int], list[int]]]:
    """The sums of two systems after a coin has assigned each sentence to one of them."""
    rows = len(table)
    step = 32 * max(1, _BATCH // rows // 32)  # numpy tosses 32 coins at a time, and none may be left over
    difference = base - table
    totals = _total(table), _total(base)
    for begin in range(0, trials, step):
        coins = generator.integers(0, 2, size=(min(step, trials - begin), rows), dtype=bool)
        for sums in _sums(numpy, coins.astype(numpy.int64), difference):
            yield (
                [total + change for total, change in zip(totals[0], sums, strict=True)],
                [total - change for total, change in zip(totals[1], sums, strict=True)],
            )
