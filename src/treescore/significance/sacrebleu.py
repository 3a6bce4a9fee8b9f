"""The paired tests of sacrebleu for parse trees, to the last digit, for figures that are to stand beside its own.

They need numpy, whose generator they draw from. For each system there are the score, the mean and half the width of an
interval over 1,000 samples of the sentences, and a p against the first system, the baseline:

* "bootstrap": |system - baseline| of each sample minus the mean of all these;
* "randomization": |a - b| in 10,000 trials, in each of which sentences go to a or b by the throw of a coin;

p is the share of samples or trials in which that is greater than the real |system - baseline|, the real one among them.

Two traps. "Greater" leaves out what is equal: systems with the same output get the smallest p there is, 0.001 or
0.0001. And absolute values before the mean is taken off make the p of the bootstrap too small where systems hardly
differ. `treescore.significance.paired_randomization` and `paired_bootstrap` have neither.

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
from ..values.problem import UsageError, check_whole
from ..values.value import Value
from .sampling import check_seed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric

    Scorer = Callable[[dict[str, int]], float | None]

SEED = 12345
#: Samples of the bootstrap, which also make the mean and the interval of either test, and trials of the randomisation.
SAMPLES, TRIALS = 1_000, 10_000
KINDS = ("bootstrap", "randomization")
_AT_ONCE = 1 << 24  # numbers drawn at once


class PairedResult(Value):
    """The score of a system, the mean of its samples and half the width of their interval; p is None for the baseline.

    `undefined` is the number of samples and trials without a score. They are left out of mean and interval, and taken
    for greater differences.
    """

    score: float | None
    mean: float | None
    half_width: float | None
    p: float | None = None
    undefined: int = 0


def paired_by(metric: Metric, systems: Mapping[str, Counts], **options: Any) -> dict[str, PairedResult]:
    """Each system against the first one by the main figure of a metric, shares in percent; options as of `paired`."""
    if len({tuple(metric.gold_sentences(counts) or ()) for counts in systems.values()}) > 1:
        raise UsageError(f"{metric.name} joins other sentences of each system: they have no rows in common")

    def in_percent(total: dict[str, int]) -> float | None:
        score = metric.score(Counts({}, totals=total))
        part = score.all_figures[score.main]  # what decides counts failed sentences
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
    """Each system against the first one; `score` makes a score of sums of counts."""
    numpy = _numpy()
    if kind not in KINDS:
        raise UsageError(f"the test must be one of {', '.join(KINDS)}, not {kind!r}")
    check_whole(trials, "the number of trials")
    check_whole(samples, "the number of samples")
    check_seed(seed)
    _check_rows(systems)
    columns = list(next(iter(systems.values())).columns)
    tables = {name: _table(numpy, counts) for name, counts in systems.items()}
    base = next(iter(tables.values()))
    base_drawn = None
    found: dict[str, PairedResult] = {}

    def scores(sums: Iterable[Sequence[int]]) -> Any:
        values = (score(dict(zip(columns, row, strict=True))) for row in sums)
        return numpy.array([float("nan") if value is None else value for value in values])

    for name, table in tables.items():
        source = numpy.random.default_rng(seed)  # each system begins anew
        own, of_base = scores(_total(each) for each in (table, base))
        distances = None
        if base_drawn is not None and kind == "randomization":
            both = zip(*_swapped(numpy, source, table, base, trials), strict=True)
            a, b = (scores(sums) for sums in both)
            distances = abs(a - b)
        drawn = scores(_resampled(numpy, source, table, samples))
        known = numpy.sort(drawn[~numpy.isnan(drawn)])
        if base_drawn is None:
            base_drawn = drawn
        elif kind == "bootstrap":
            distances = abs(drawn - base_drawn)
            distances -= numpy.nanmean(distances) if len(known) else 0.0
        undefined, p = samples - len(known), None
        if distances is not None:
            missing = int(numpy.isnan(distances).sum())
            undefined += missing if kind == "randomization" else 0
            if not numpy.isnan(own - of_base):
                p = (int((distances > abs(own - of_base)).sum()) + missing + 1) / (len(distances) + 1)
        cut = len(known) // 40
        mean, half = (known.mean(), (known[len(known) - cut - 1] - known[cut]) / 2) if len(known) else (None, None)
        found[name] = PairedResult(_plain(own), _plain(mean), _plain(half), p, undefined)
    return found


def _numpy() -> Any:
    try:
        import numpy
    except ModuleNotFoundError:
        raise UsageError("the tests of sacrebleu need numpy, which is not installed; pip install numpy") from None
    return numpy


def _check_rows(systems: Mapping[str, Counts]) -> None:
    if not all(counts.has_rows for counts in systems.values()):
        raise UsageError("these counts are sums without rows, and samples are drawn from rows")
    if len({len(counts) for counts in systems.values()}) != 1:
        raise UsageError("systems are compared sentence by sentence: they need the same number of rows")
    if not len(next(iter(systems.values()))):
        raise UsageError("there are no sentences to draw from")


def _plain(value: Any) -> float | None:
    return None if value is None or value != value else float(value)


def _table(numpy: Any, counts: Counts) -> Any:
    """The counts with a row for each sentence."""
    columns = [numpy.frombuffer(column, dtype=numpy.int64) for column in counts.columns.values()]
    return numpy.stack(columns, axis=1)


def _total(table: Any) -> list[int]:
    return [sum(column) for column in table.T.tolist()]


def _sums(numpy: Any, weights: Any, table: Any) -> list[list[int]]:
    """The sums of the rows, each taken as often as it says in each line of `weights`, which adds up to the rows."""
    if int(abs(table).max(initial=0)) * len(table) < 1 << 63:
        return (weights @ table).tolist()  # type: ignore[no-any-return]
    high, low = ((weights @ half).tolist() for half in (table >> 32, table & 0xFFFFFFFF))  # else it may not fit
    return [[(a << 32) + b for a, b in zip(*lines, strict=True)] for lines in zip(high, low, strict=True)]


def _resampled(numpy: Any, source: Any, table: Any, samples: int) -> Iterator[list[int]]:
    """The sums of samples with replacement."""
    rows = len(table)
    step = max(1, _AT_ONCE // rows)
    for begin in range(0, samples, step):
        drawn = source.integers(0, rows, size=(min(step, samples - begin), rows))
        weights = [numpy.bincount(places, minlength=rows) for places in drawn]
        yield from _sums(numpy, numpy.stack(weights), table)


def _swapped(numpy: Any, source: Any, table: Any, base: Any, trials: int) -> Iterator[tuple[list[int], list[int]]]:
    """The sums of two systems, between which each sentence chooses by a coin."""
    rows = len(table)
    step = 32 * max(1, _AT_ONCE // rows // 32)  # 32 coins are drawn together, and none of them may be left over
    moved = base - table
    totals = _total(table), _total(base)
    for begin in range(0, trials, step):
        coins = source.integers(0, 2, size=(min(step, trials - begin), rows), dtype=bool)
        for sums in _sums(numpy, coins.astype(numpy.int64), moved):
            yield (
                [total + change for total, change in zip(totals[0], sums, strict=True)],
                [total - change for total, change in zip(totals[1], sums, strict=True)],
            )
