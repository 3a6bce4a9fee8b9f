"""The correlation of two metrics over small groups of sentences. Figures 3 and 7 of the paper on STRUCT-IOU.

The sentences are divided randomly into buckets, each bucket is scored by both metrics, and the scores are correlated.

>>> from treescore.studies import correlation
>>> result = correlation.study(sizes=(10,), runs=1)
>>> result.table("Correlation").column("buckets")
[40, 40, 40, 40]
"""

from __future__ import annotations

from .. import _core
from ..analysis.series import short_titles
from ..helpers.text import clipped, number_of, p_text
from ..scoring.choosing import as_metrics
from ..scoring.evaluation import evaluate
from ..significance.correlations import KINDS, bucket_correlation
from ..significance.sampling import check_seed
from ..values.problem import UsageError, check_whole
from .base import Study, Table, cited
from .examples import given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..helpers.steps import Steps
    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..scoring.choosing import Metrics
    from ..scoring.report import Report
    from ..significance.correlations import BucketCorrelation
    from ..values.score import Score
    from .base import Cell

SIZE = (10.0, 4.9)
CITES = ("shi-etal-2024-structured", "black-etal-1991-procedure")
#: As in the paper: F1 of the summed counts of a bucket, mean STRUCT-IOU of its sentences.
METRICS = ("parseval", "struct_iou|average:sentence|cut:-=")
#: The size of a bucket in the paper, other sizes, and the number of partitions.
BUCKET, SIZES, RUNS = 10, (1, 5, 20, 50), 10
#: The number of systems in a row of the legend, and the length of their names.
LEGEND, _NAME = 3, 24
SYMBOLS = {"spearman": "ρ", "pearson": "r", "kendall": "τ"}


def study(
    gold: Readable | None = None,
    test: Readable | Mapping[str, Readable] | None = None,
    metrics: Metrics = METRICS,
    *,
    size: int = BUCKET,
    sizes: int | Iterable[int] = SIZES,
    kind: str = "spearman",
    runs: int = RUNS,
    seed: int = 1,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Correlate two metrics over buckets of `size` sentences, for each system, and over buckets of other `sizes`.

    A bucket is scored by its summed counts and the main figure of the metric, so `struct_iou` averages over nodes and
    `struct_iou|average:sentence` over sentences. Sentences without a score by both metrics are in no bucket. The
    correlation and p belong to the first of `runs` partitions; the others, with seeds derived from `seed`, show the
    variation due to chance.
    """
    from statistics import median

    sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    scorers = as_metrics(metrics)
    if len(scorers) != 2:
        raise UsageError(f"this study needs two metrics, not {number_of(len(scorers), 'metric')}")
    if kind not in KINDS:
        raise UsageError(f"a correlation is one of {', '.join(KINDS)}, not {kind!r}")
    for number, what in (
        (runs, "the number of runs"),
        *((bucket_size, "the size of a bucket") for bucket_size in (size, *sizes)),
    ):
        check_whole(number, what)
    check_seed(seed)
    bank, systems, description = given(gold, test)
    reports = {name: evaluate(bank, trees, scorers, threads=threads) for name, trees in systems.items()}
    problems = dict.fromkeys(problem for report in reports.values() for problem in report.problems)
    symbol = SYMBOLS[kind]
    titles = _titles(scorers, next(iter(reports.values())).scores)
    seeds = _seeds(seed, runs)
    all_sizes = sorted({size, *(bucket_size for bucket_size in sizes if 2 * bucket_size <= len(bank))})
    work = [(name, bucket_size) for name in reports for bucket_size in all_sizes]
    numbers = range(len(work)) if steps is None else steps.over(len(work))
    first: list[tuple[Cell, ...]] = []
    by_size: list[tuple[Cell, ...]] = []
    points: list[tuple[Cell, ...]] = []
    for number in numbers:
        name, bucket_size = work[number]
        # Buckets of one sentence are the same whatever the seed.
        partitions = [
            _buckets(reports[name], bucket_size, run, kind) for run in (seeds[:1] if bucket_size == 1 else seeds)
        ]
        values = [partition.correlation.value for partition in partitions if partition.correlation.value is not None]
        spread = (median(values), min(values), max(values)) if values else (None, None, None)
        correlation = partitions[0].correlation
        by_size.append((name, bucket_size, correlation.n, len(values), *spread))
        if bucket_size == size:
            left = (partitions[0].unscored, partitions[0].left_out, correlation.undefined)
            first.append((name, correlation.n, *left, correlation.value, correlation.p))
            points += [(name, bucket, *scores) for bucket, scores in enumerate(partitions[0].points, 1)]
    tables = [
        Table(
            "Correlation",
            {"system": "text", "buckets": "count", "unscored": "count", "left out": "count", "without a score": "count"}
            | {symbol: "number", "p": "p"},
            first,
        ),
        Table(
            "By size of bucket",
            {"system": "text", "sentences": "count", "buckets": "count", "partitions": "count"}
            | {f"median {symbol}": "number", f"lowest {symbol}": "number", f"highest {symbol}": "number"},
            by_size,
        ),
        Table("Buckets", {"system": "text", "bucket": "count"} | dict.fromkeys(titles, "share"), points, detail=True),
    ]
    settings: dict[str, str | int | float] = {
        "data": description,
        "metrics": " and ".join(metric.signature for metric in scorers),
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
        tables=tuple(tables),
        findings=_findings(tables, titles, symbol, size),
        problems=tuple(problems),
        cites=cited(scorers, CITES[0]),
    )


def _titles(metrics: Sequence[Metric], scores: Sequence[Score]) -> list[str]:
    """The titles of the figures; of the metrics if the former are equal."""
    titles = [score.figures[score.main].title for score in scores]
    return titles if titles[0] != titles[1] else short_titles(metrics, scores)


def _seeds(seed: int, runs: int) -> list[int]:
    """The seed, and others derived from it so that neighbouring seeds share no partition."""
    seeds = [seed]
    for run in range(1, runs):
        high, low = memoryview(_core.draw_rows((1 << 32) - 1, seed, run, 2)).cast("I")
        seeds.append(high << 32 | low)
    return seeds


def _buckets(report: Report, size: int, seed: int, kind: str) -> BucketCorrelation:
    (x, y), (x_score, y_score) = report.metrics, report.scores
    return bucket_correlation(x, x_score.counts, y, y_score.counts, size=size, seed=seed, kind=kind)


def _findings(tables: Sequence[Table], titles: Sequence[str], symbol: str, size: int) -> str:
    first, by_size, _ = tables
    known = [row for row in first.records() if row[symbol] is not None]
    if not known:
        return (
            f"There is no correlation: too few buckets of {number_of(size, 'sentence')} have both scores, or one of "
            "the metrics gives all buckets the same score."
        )
    both = f"{titles[0]} and {titles[1]}"
    ordered = sorted(known, key=lambda row: row[symbol])
    low, high = ordered[0], ordered[-1]
    each = f"of {number_of(size, 'sentence')}"
    numbers = [number_of(row["buckets"], "bucket") for row in (low, high)]
    if len(known) == 1:
        sentences = [f"Over {numbers[0]} {each}, {both} have {_value(low, symbol)} on {low['system']}."]
    elif low[symbol] == high[symbol]:
        sentences = [
            f"Over buckets {each}, {both} have {symbol} = {low[symbol]:.3f} on every system with a correlation."
        ]
    elif len({row["buckets"] for row in known}) == 1:
        sentences = [
            f"Over {numbers[0]} {each}, {both} agree least on {low['system']}, with {_value(low, symbol)}, and most on "
            f"{high['system']}, with {_value(high, symbol)}."
        ]
    else:
        sentences = [
            f"Over buckets {each}, {both} agree least on {low['system']}, with {_value(low, symbol)} over "
            f"{numbers[0]}, and most on {high['system']}, with {_value(high, symbol)} over {numbers[1]}."
        ]
    few = [f"{row['unscored']:,} on {row['system']}" for row in first.records() if row["unscored"]]
    if few:
        sentences.append(f"Sentences that one of the metrics cannot score are in no bucket: {', '.join(few)}.")
    spreads = [
        (row[f"highest {symbol}"] - row[f"lowest {symbol}"], row)
        for row in by_size.records()
        if row["sentences"] == size and row["partitions"] > 1
    ]
    if spreads:
        _, row = max(spreads, key=lambda item: item[0])
        sentences.append(
            f"Buckets are random: over {row['partitions']:,} partitions, {symbol} of {row['system']} ranges from "
            f" {row[f'lowest {symbol}']:.3f} to {row[f'highest {symbol}']:.3f}, with a "
            f"median of {row[f'median {symbol}']:.3f}."
        )
    single = {row["system"]: row[f"median {symbol}"] for row in by_size.records() if row["sentences"] == 1}
    shown = [f"{value:.3f} on {name}" for name, value in single.items() if value is not None]
    if shown and size > 1:
        sentences.append(f"Over single sentences, {symbol} is {', '.join(shown)}.")
    return " ".join(sentences)


def _value(row: Mapping[str, Any], symbol: str) -> str:
    p = "" if row["p"] is None else p_text(row["p"])
    return f"{symbol} = {row[symbol]:.3f}" + (p and (f" (p {p})" if p.startswith("<") else f" (p = {p})"))


def draw(study: Study, figure: Figure) -> None:
    """The buckets of each system as points, and the correlation by the size of buckets."""
    from ..plots.look import enlarge, label, legend_above, side_by_side

    first, by_size, points = study.tables
    symbol = list(first.columns)[-2]
    rows = -(-len(first.rows) // LEGEND)
    enlarge(figure, 0.0, 0.17 * rows)
    left, right = side_by_side(figure, 2, width_ratios=(1.15, 1.0))
    systems = first.column("system")
    _draw_points(left, points, systems, study.settings["sentences in a bucket"])
    _draw_sizes(right, by_size, systems, symbol, str(study.settings["correlation"]).capitalize())
    handles: list[Any] = list(left.lines or right.containers)  # a line, or a line with error bars, for each system
    names = []
    for row in first.records():
        name = label(clipped(row["system"], _NAME))
        names.append(name if row[symbol] is None else f"{name}: {_value(row, symbol)}")
    if handles:
        legend_above(figure, handles, names, LEGEND)


def _look(number: int) -> dict[str, Any]:
    from ..draw.colours import PALETTE
    from ..plots.look import MARKERS

    # Systems with the same colour get different marks.
    mark = MARKERS[(number + number // len(PALETTE)) % len(MARKERS)]
    return {"marker": mark, "color": PALETTE[number % len(PALETTE)], "markersize": 5}


def _draw_points(axes: Axes, points: Table, systems: Sequence[str], size: Any) -> None:
    from ..plots.look import PALE, plain, remark

    x, y = list(points.columns)[-2:]
    drawn = [row for row in points.records() if row[x] is not None and row[y] is not None]
    if not drawn:
        return remark(axes, "no bucket has both scores")
    for number, name in enumerate(systems):
        across, along = ([100 * row[key] for row in drawn if row["system"] == name] for key in (x, y))
        edges: dict[str, Any] = {"markeredgecolor": "black", "markeredgewidth": 0.4, "alpha": 0.7, "linestyle": "none"}
        axes.plot(across, along, **_look(number), **edges)
    axes.set_xlabel(f"{plain(x)} (%)")
    axes.set_ylabel(f"{plain(y)} (%)")
    axes.set_title(f"Each point is a bucket of {number_of(size, 'sentence')}", fontsize="medium")
    axes.grid(color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)
    return None


def _draw_sizes(axes: Axes, by_size: Table, systems: Sequence[str], symbol: str, kind: str) -> None:
    from ..plots.look import PALE, remark

    keys = [f"{which} {symbol}" for which in ("median", "lowest", "highest")]
    drawn = [row for row in by_size.records() if row[keys[0]] is not None]
    if not drawn:
        return remark(axes, "there is no correlation")
    apart = min(0.06, 0.3 / len(systems))
    for number, name in enumerate(systems):
        rows = [row for row in drawn if row["system"] == name]
        middle, low, high = ([row[key] for row in rows] for key in keys)
        ends = [[a - b for a, b in zip(middle, low, strict=True)], [b - a for a, b in zip(middle, high, strict=True)]]
        # Shifted, so that bars at the same size do not overlap.
        across = [row["sentences"] * (1 + apart * (number - (len(systems) - 1) / 2)) for row in rows]
        axes.errorbar(across, middle, yerr=ends, capsize=2.5, elinewidth=1.0, linewidth=1.4, **_look(number))
    sizes = sorted({row["sentences"] for row in drawn})
    axes.set_xscale("log")
    axes.set_xlim(sizes[0] / 1.5, sizes[-1] * 1.5)
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_xlabel("sentences in a bucket")
    axes.set_ylabel(f"{kind}'s {symbol}")
    axes.set_title("Median, lowest and highest of the partitions", fontsize="medium")
    axes.grid(axis="y", color=PALE, linewidth=0.6)
    return None
