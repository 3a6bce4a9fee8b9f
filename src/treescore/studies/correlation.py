"""Do two metrics agree on small groups of sentences? Figures 3 and 7 of the paper on STRUCT-IOU, for any two metrics.

The sentences are put at random into buckets, each bucket is scored by both metrics, and the scores are correlated.

>>> from treescore.studies import correlation
>>> found = correlation.study(sizes=(10,), runs=1)
>>> found.table("Correlation").column("buckets")
[40, 40, 40, 40]
"""

from __future__ import annotations

from statistics import median

from ..draw.colours import PALETTE
from ..evaluation import as_metrics, evaluate
from ..plots.look import MARKERS, PALE, label, legend_below, plain, remark
from ..problem import UsageError, check_whole
from ..series import short_titles
from ..significance.correlation import KINDS, bucket_correlation
from ..significance.sampling import check_seed
from ..text import number_of
from .base import Study, Table
from .data import given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..evaluation import Metrics
    from ..readers.sources import Readable
    from ..report import Report
    from ..significance.correlation import BucketCorrelation
    from ..steps import Steps
    from .base import Cell

SIZE = (10.0, 4.9)
CITES = ("shi-etal-2024-structured", "black-etal-1991-procedure")
#: As in the paper: F1 of a bucket from its counts, STRUCT-IOU as the mean of its sentences.
METRICS = ("parseval", "struct_iou|average:sentence|cut:-=")
#: How many sentences a bucket has in the paper, and what else is tried; how often the buckets are filled.
BUCKET, SIZES, RUNS = 10, (1, 5, 20, 50), 10
SYMBOLS = {"spearman": "ρ", "pearson": "r", "kendall": "τ"}


def study(
    gold: Readable | None = None,
    test: Readable | Mapping[str, Readable] | None = None,
    metrics: Metrics = METRICS,
    *,
    size: int = BUCKET,
    sizes: Sequence[int] = SIZES,
    kind: str = "spearman",
    runs: int = RUNS,
    seed: int = 1,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Correlate two metrics over buckets of `size` sentences, for each system, and over buckets of other `sizes`.

    A bucket is scored by its summed counts: the figure is the main one of the metric, so `struct_iou` is that of its
    nodes and `struct_iou|average:sentence` the mean of its sentences. The first of `runs` partitions is the one whose
    correlation and p are given; the others, with the seeds that follow, say how much of it is chance.
    """
    made = as_metrics(metrics)
    if len(made) != 2:
        raise UsageError(f"two metrics are correlated, and here {number_of(len(made), 'metric')} would be")
    if kind not in KINDS:
        raise UsageError(f"a correlation is one of {', '.join(KINDS)}, not {kind!r}")
    for number, what in ((runs, "the number of runs"), *((one, "the size of a bucket") for one in (size, *sizes))):
        check_whole(number, what)
    check_seed(seed)
    bank, systems, called = given(gold, test)
    reports = {name: evaluate(bank, trees, made, threads=threads) for name, trees in systems.items()}
    problems = dict.fromkeys(problem for report in reports.values() for problem in report.problems)
    symbol = SYMBOLS[kind]
    titles = short_titles(made, next(iter(reports.values())).scores)
    tried = sorted({size, *(one for one in sizes if 2 * one <= len(bank))})
    work = [(name, one) for name in reports for one in tried]
    numbers = range(len(work)) if steps is None else steps.over(len(work))
    first: list[tuple[Cell, ...]] = []
    by_size: list[tuple[Cell, ...]] = []
    points: list[tuple[Cell, ...]] = []
    for number in numbers:
        name, one = work[number]
        # Buckets of one sentence are the same whatever the seed.
        found = [_buckets(reports[name], one, seed + run, kind) for run in range(1 if one == 1 else runs)]
        values = [each.correlation.value for each in found if each.correlation.value is not None]
        spread = (median(values), min(values), max(values)) if values else (None, None, None)
        by_size.append((name, one, len(found[0].points), *spread))
        if one == size:
            over = found[0].correlation
            first.append((name, len(found[0].points), found[0].left_out, over.undefined, over.value, over.p))
            points += [(name, place, *scores) for place, scores in enumerate(found[0].points, 1)]
    tables = [
        Table(
            "Correlation",
            {"system": "text", "buckets": "count", "left out": "count", "without a score": "count"}
            | {symbol: "number", "p": "p"},
            first,
        ),
        Table(
            "By size of bucket",
            {"system": "text", "sentences": "count", "buckets": "count"}
            | {f"median {symbol}": "number", f"lowest {symbol}": "number", f"highest {symbol}": "number"},
            by_size,
        ),
        Table("Buckets", {"system": "text", "bucket": "count"} | dict.fromkeys(titles, "share"), points, detail=True),
    ]
    settings: dict[str, str | int | float] = {
        "data": called,
        "metrics": " and ".join(metric.signature for metric in made),
        "correlation": kind,
        "sentences in a bucket": size,
        "partitions": runs,
        "seed": seed,
    }
    return Study(
        name="correlation",
        title=f"{titles[0]} and {titles[1]} over buckets of {number_of(size, 'sentence')}",
        question="Do two metrics agree on small groups of sentences?",
        settings=settings,
        tables=tables,
        says=_said(tables, titles, symbol, size, runs),
        problems=list(problems),
        cites=[*dict.fromkeys((*CITES[:1], *(key for metric in made for key in metric.cites)))],
    )


def _buckets(report: Report, size: int, seed: int, kind: str) -> BucketCorrelation:
    (one, other), (first, second) = report.metrics, report.scores
    return bucket_correlation(one, first.counts, other, second.counts, size=size, seed=seed % (1 << 64), kind=kind)


def _said(tables: Sequence[Table], titles: Sequence[str], symbol: str, size: int, runs: int) -> str:
    first, by_size, _ = tables
    known = [row for row in first.records() if row[symbol] is not None]
    if not known:
        return (
            f"There is no correlation: too few buckets of {number_of(size, 'sentence')} have both scores, or one of "
            "the metrics gives the same to all."
        )
    both = f"{titles[0]} and {titles[1]}"
    ordered = sorted(known, key=lambda row: row[symbol])
    low, high = ordered[0], ordered[-1]
    buckets = f"{number_of(low['buckets'], 'bucket')} of {number_of(size, 'sentence')}"
    if low[symbol] == high[symbol]:
        where = f"{low['system']}" if len(known) == 1 else "every system that has a correlation"
        said = [f"Over {buckets}, {both} have {_value(low, symbol)} on {where}."]
    else:
        said = [
            f"Over {buckets}, {both} agree least on {low['system']}, with {_value(low, symbol)}, and most on "
            f"{high['system']}, with {_value(high, symbol)}."
        ]
    spreads = [
        (row[f"highest {symbol}"] - row[f"lowest {symbol}"], row)
        for row in by_size.records()
        if row["sentences"] == size and row[f"median {symbol}"] is not None
    ]
    if runs > 1 and size > 1 and spreads:
        _, row = max(spreads, key=lambda item: item[0])
        said.append(
            f"Which sentences share a bucket is chance: over {runs} partitions, {symbol} of {row['system']} goes from "
            f"{row[f'lowest {symbol}']:.3f} to {row[f'highest {symbol}']:.3f}, with a median of "
            f"{row[f'median {symbol}']:.3f}."
        )
    single = {row["system"]: row[f"median {symbol}"] for row in by_size.records() if row["sentences"] == 1}
    shown = [f"{value:.3f} on {name}" for name, value in single.items() if value is not None]
    if shown and size > 1:
        said.append(f"Sentence by sentence {symbol} is {', '.join(shown)}.")
    return " ".join(said)


def _value(row: Mapping[str, Any], symbol: str) -> str:
    return f"{symbol} = {row[symbol]:.3f}" + ("" if row["p"] is None else f" (p = {row['p']:.3g})")


def draw(study: Study, figure: Figure) -> None:
    """The buckets of each system as points, and the correlation by the size of buckets."""
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1.0))
    first, by_size, points = study.tables
    symbol = list(first.columns)[-2]
    _draw_points(left, points, {str(row["system"]): row for row in first.records()}, symbol)
    _draw_sizes(right, by_size, first.column("system"), symbol)


def _draw_points(axes: Axes, points: Table, known: Mapping[str, Mapping[str, Any]], symbol: str) -> None:
    x, y = list(points.columns)[-2:]
    drawn = [row for row in points.records() if row[x] is not None and row[y] is not None]
    if not drawn:
        return remark(axes, "no bucket has both scores")
    for number, (name, found) in enumerate(known.items()):
        said = label(name) if found[symbol] is None else f"{label(name)}: {_value(found, symbol)}"
        look: dict[str, Any] = {"markersize": 5, "markeredgecolor": "black", "markeredgewidth": 0.4, "alpha": 0.7}
        across, along = ([100 * row[key] for row in drawn if row["system"] == name] for key in (x, y))
        marker, colour = MARKERS[number % len(MARKERS)], PALETTE[number % len(PALETTE)]
        axes.plot(across, along, marker, color=colour, label=said, **look)
    axes.set_xlabel(plain(x))
    axes.set_ylabel(plain(y))
    axes.set_title("Each point is a bucket", fontsize=10)
    axes.grid(color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)
    legend_below(axes)
    return None


def _draw_sizes(axes: Axes, by_size: Table, names: Sequence[str], symbol: str) -> None:
    keys = [f"{kind} {symbol}" for kind in ("median", "lowest", "highest")]
    drawn = [row for row in by_size.records() if row[keys[0]] is not None]
    if not drawn:
        return remark(axes, "there is no correlation")
    for number, name in enumerate(names):
        rows = [row for row in drawn if row["system"] == name]
        middle, low, high = ([row[key] for row in rows] for key in keys)
        ends = [[a - b for a, b in zip(middle, low, strict=True)], [b - a for a, b in zip(middle, high, strict=True)]]
        # Next to each other, so that bars at the same size do not cover each other.
        across = [row["sentences"] * (1 + 0.06 * (number - (len(names) - 1) / 2)) for row in rows]
        look: dict[str, Any] = {"capsize": 2.5, "elinewidth": 1.0, "linewidth": 1.4, "markersize": 5}
        marker, colour = MARKERS[number % len(MARKERS)], PALETTE[number % len(PALETTE)]
        axes.errorbar(across, middle, yerr=ends, color=colour, marker=marker, **look)
    sizes = sorted({row["sentences"] for row in drawn})
    axes.set_xscale("log")
    axes.set_xlim(sizes[0] / 1.5, sizes[-1] * 1.5)
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_xlabel("sentences in a bucket")
    axes.set_ylabel(symbol)
    axes.set_title("Median, lowest and highest of the partitions", fontsize=10)
    axes.grid(axis="y", color=PALE, linewidth=0.6)
    return None
