"""How plausible and random trees of an ambiguous phrase score (Shi, Gimpel and Livescu 2024, table 1).

`N (P N){n}`, as in *a man with a dog in a park*, has as many plausible trees as there are ways to attach each PP.

>>> made = study(3, trials=50)
>>> for row in made.table(ONE).rows[-2:]:
...     print(row[0], round(row[1], 4), round(row[2], 4))
plausible: lowest 0.3333 0.6923
plausible: mean 0.5417 0.7885
"""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

from ..helpers.steps import Steps
from ..helpers.threads import count_threads
from ..metrics import get
from ..place.pair import Pair
from ..readers.sources import read
from ..scoring.batch import score_batch
from ..values.counts import UNIT
from ..values.problem import UsageError, check_choice, check_whole
from ..values.value import Value
from .attachments import CONVENTIONS, DRAWS, catalan, drawn, shapes
from .base import Study, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from matplotlib.figure import Figure

    from ..metrics.base import Metric
    from ..trees import Treebank
    from .attachments import Convention

CITES = ("shi-etal-2024-structured",)
SIZE = (7.0, 3.8)
ONE, ALL = "one plausible tree as the ground truth", "every plausible tree as the ground truth"
DISTRIBUTION, TRIED = "distribution", "conventions"
#: There are 58,786 plausible trees for 11, and four times as many for each further one; all pairs of those for 9 are 12
#: million.
MOST, MOST_EXACT, MOST_TRIALS = 11, 9, 1_000_000
#: What the paper prints, for n = 8: F1 and STRUCT-IOU of random trees on average, and the lowest of plausible ones.
PAPER_N = 8
PAPER = ((0.273, 0.619), (0.125, 0.636))
#: How many standard errors a mean may be from another one.
_CHANCE = 3
_BINS = 20
#: Scores are sums of rounded numbers: what should be on the border between two bins may be this far below.
_ROUNDING = UNIT >> 30
#: What counts of the two metrics hold the score of a sentence.
_SCORES = ("sentence_f1", "sentence_score")
_METRICS = ("F1", "STRUCT-IOU")


def study(
    n: int = PAPER_N,
    *,
    convention: str = "plain",
    draw: str = "uniform",
    trials: int = 500,
    seed: int = 1,
    exact: bool = False,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Score random binary trees, and all plausible ones, against a plausible tree that the seed chooses.

    `convention` says what the trees look like and what counts: one of `treescore.studies.attachments.CONVENTIONS`, of
    which a table shows what each gives. Random trees are all alike likely ("uniform") or cut in two anywhere ("split"),
    as `draw` says. `exact` takes every plausible tree for the ground truth in turn. `steps` counts ground truths and
    conventions.

    >>> [round(score, 4) for score in study(4, trials=20, exact=True).table(ALL).column("F1")[-3:]]
    [0.25, 0.25, 0.4918]
    """
    _check(n, convention, draw, trials, seed, exact)
    chosen = CONVENTIONS[convention]
    attached = shapes(n + 1)
    steps = steps or Steps()
    numbers = steps.over((len(attached) - 1 if exact else 0) + len(CONVENTIONS))
    random = Random(seed)
    truth = random.randrange(len(attached))
    trees = {name: drawn(name, 2 * n + 1, trials, Random(f"{seed} {name}")) for name in DRAWS}
    workers = count_threads(threads, len(attached) ** 2 if exact else len(attached))

    tried = _tried(attached, truth, trees, seed, numbers, workers)
    bank = _bank(chosen.plausible(shape) for shape in attached)
    measures = [get(signature) for signature in chosen.signatures]
    plausible = [_against(measure, bank, truth, workers) for measure in measures]
    scored_random = _random(chosen, measures, bank, [truth] * trials, trees[draw], seed, workers)
    tables = [_one(n, chosen.expected_f1(bank[truth], draw), plausible, scored_random)]
    spread = [Counter(values) for values in (*plausible, *scored_random)]
    if exact:
        spread[:2], lows = _every_pair(measures, bank, numbers, workers)
        truths = [random.randrange(len(bank)) for _ in range(trials)]
        scored_random = _random(chosen, measures, bank, truths, trees[draw], seed, workers)
        spread[2:] = [Counter(values) for values in scored_random]
        expected = sum(chosen.expected_f1(tree, draw) for tree in bank) / len(bank)
        tables.append(_all(expected, spread[:2], lows, scored_random))
    next(numbers, None)  # the last step is done
    abouts = [(name, kind.about) for name, kind in CONVENTIONS.items()]
    tables += [
        _distribution(spread),
        _conventions(n, tried),
        Table("what the conventions are", {"convention": "text", "trees and what counts": "text"}, abouts),
    ]
    settings: dict[str, str | int | float] = {
        "n": n,
        "words": 2 * n + 1,
        "plausible trees": len(bank),
        "convention": f"{convention}: {chosen.about}",
        "ground truth": f"number {truth + 1:,}",
        "random trees": f"{trials:,}, drawn {draw}",
        "seed": seed,
        "pairs of plausible trees": sum(spread[0].values()),
        "F1": measures[0].signature,
        "STRUCT-IOU": measures[1].signature,
    }
    return Study(
        name="ambiguity",
        title="Plausible trees of an ambiguous phrase",
        question=f"Do plausible trees of N (P N){{{n}}} score better than random ones?",
        settings=settings,
        tables=tables,
        says="\n".join([*_says(n, draw, tables, tried), f"The ground truth is {chosen.plausible(attached[truth])}."]),
        cites=CITES,
    )


class Tried(Value):
    """What a convention gives, F1 and STRUCT-IOU in turn: `means` of random trees by `DRAWS`, with standard `errors`
    of a sample, and the `lowest` of plausible trees."""

    name: str
    means: tuple[float, ...]
    errors: tuple[float, ...]
    lowest: tuple[float, ...]

    def __init__(self, *, name: str, means: Sequence[float], errors: Sequence[float], lowest: Sequence[float]) -> None:
        self._store(name=name, means=tuple(means), errors=tuple(errors), lowest=tuple(lowest))


def _check(n: int, convention: str, draw: str, trials: int, seed: int, exact: bool) -> None:
    check_whole(n, "n", 2)
    check_whole(trials, "trials", 2)
    check_whole(seed, "seed", 0)
    for what, value, known in (("convention", convention, CONVENTIONS), ("draw", draw, DRAWS)):
        check_choice(value, what, known)
    if trials > MOST_TRIALS:
        raise UsageError(f"trials must be at most {MOST_TRIALS:,}, not {trials:,}")
    most, what = (MOST_EXACT, "every one of them is the ground truth in turn") if exact else (MOST, "all are scored")
    if n > most:
        many = f"has {catalan(n):,} plausible trees" if n <= 100 else "has too many plausible trees"
        raise UsageError(f"N (P N){{{n}}} {many}, and {what}: n must be at most {most}")


def _bank(trees: Iterable[str]) -> Treebank:
    return read("\n".join(trees))


def _scores(measure: Metric, gold: Treebank, test: Treebank, threads: int) -> list[int]:
    """The score of each pair, in units of 2⁻⁴⁰."""
    counts = score_batch([measure], Pair(gold, test), threads=threads).counts[0]
    column = next(name for name in _SCORES if name in counts.columns)
    return list(counts[column])


def _tried(
    attached: Sequence[bytes],
    truth: int,
    trees: Mapping[str, Sequence[bytes]],
    seed: int,
    numbers: Iterator[int],
    threads: int,
) -> list[Tried]:
    """What each convention gives: both metrics for each way to draw random trees, and the lowest of plausible ones."""
    tried = []
    look = None
    for name, kind in CONVENTIONS.items():
        next(numbers)
        f1, iou = map(get, kind.signatures)
        if look != (look := kind.replace(about="", f1="")):  # else the trees are those of the last one
            bank = _bank(kind.plausible(shape) for shape in attached)
            labels = {way: Random(f"{seed} labels") for way in DRAWS}
            random = {way: _bank(kind.random_tree(shape, labels[way]) for shape in trees[way]) for way in DRAWS}
            gold = bank.select([truth] * len(trees["uniform"]))
            ious = {way: _scores(iou, gold, random[way], threads) for way in DRAWS}
            low = min(_against(iou, bank, truth, threads)) / UNIT
        means, errors = [], []
        for way in DRAWS:
            means += [kind.expected_f1(bank[truth], way), _mean(ious[way])]
            errors += [_error(_scores(f1, gold, random[way], threads)), _error(ious[way])]
        lowest = [min(_against(f1, bank, truth, threads)) / UNIT, low]
        tried.append(Tried(name=name, means=means, errors=errors, lowest=lowest))
    return tried


def _against(measure: Metric, bank: Treebank, truth: int, threads: int) -> list[int]:
    """The scores of all trees but the ground truth against it."""
    others = [place for place in range(len(bank)) if place != truth]
    return _scores(measure, bank.select([truth] * len(others)), bank.select(others), threads)


def _random(
    kind: Convention,
    measures: Sequence[Metric],
    bank: Treebank,
    truths: Sequence[int],
    trees: Sequence[bytes],
    seed: int,
    threads: int,
) -> list[list[int]]:
    """The scores of random trees against these ground truths, a list for each metric."""
    labels = Random(f"{seed} labels")
    gold, test = bank.select(truths), _bank(kind.random_tree(shape, labels) for shape in trees)
    return [_scores(measure, gold, test, threads) for measure in measures]


def _every_pair(
    measures: Sequence[Metric], bank: Treebank, numbers: Iterator[int], threads: int
) -> tuple[list[Counter[int]], list[list[int]]]:
    """How often each score occurs between two different trees, and the lowest against each tree.

    Both metrics are symmetric: each pair is scored once. One tree at a time is scored against those behind it.
    """
    found: list[Counter[int]] = [Counter() for _ in measures]
    lows = [[UNIT] * len(bank) for _ in measures]
    for place in range(len(bank) - 1):
        next(numbers)
        test = bank[place + 1 :]
        gold = bank.select([place] * len(test))
        for measure, counted, low in zip(measures, found, lows, strict=True):
            values = _scores(measure, gold, test, threads)
            counted.update(values)
            low[place] = min(low[place], *values)
            low[place + 1 :] = map(min, low[place + 1 :], values)
    return found, lows


def _mean(values: Iterable[int]) -> float:
    known = list(values)
    return sum(known) / len(known) / UNIT


def _error(values: Sequence[int]) -> float:
    """The standard error of the mean."""
    middle = sum(values) / len(values)
    return sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values)) / UNIT


def _one(n: int, expected: float, plausible: list[list[int]], scored: list[list[int]]) -> Table:
    """What the paper's table has: one ground truth, random and plausible trees."""
    rows: list[tuple[str | float | None, ...]] = [
        ("random: mean", *map(_mean, scored)),
        ("random: standard error", *map(_error, scored)),
        ("random: exact mean", expected, None),
        ("plausible: lowest", *(min(values) / UNIT for values in plausible)),
        ("plausible: mean", *map(_mean, plausible)),
    ]
    columns = {"trees": "text", "F1": "share", "STRUCT-IOU": "share"}
    if n == PAPER_N:
        columns |= {f"{name}, paper": "share" for name in _METRICS}
        printed = {"random: mean": PAPER[0], "plausible: lowest": PAPER[1]}
        rows = [(*row, *printed.get(str(row[0]), (None, None))) for row in rows]
    return Table(ONE, columns, rows)


def _all(expected: float, pairs: list[Counter[int]], lows: list[list[int]], scored: list[list[int]]) -> Table:
    sizes = [sum(counted.values()) for counted in pairs]
    sums = [sum(value * times for value, times in counted.items()) for counted in pairs]
    return Table(
        ALL,
        {"trees": "text", "F1": "share", "STRUCT-IOU": "share"},
        [
            ("random: mean", *map(_mean, scored)),
            ("random: standard error", *map(_error, scored)),
            ("random: exact mean", expected, None),
            ("plausible: lowest, worst ground truth", *(min(low) / UNIT for low in lows)),
            ("plausible: lowest, best ground truth", *(max(low) / UNIT for low in lows)),
            ("plausible: mean", *(total / size / UNIT for total, size in zip(sums, sizes, strict=True))),
        ],
    )


def _distribution(spread: Sequence[Counter[int]]) -> Table:
    """The share of scores in each of the bins, from the first to the last that is not empty."""
    shares = []
    for counted in spread:
        binned = [0] * _BINS
        for value, times in counted.items():
            binned[min((value + _ROUNDING) * _BINS // UNIT, _BINS - 1)] += times
        shares.append([times / sum(binned) for times in binned])
    filled = [number for number in range(_BINS) if any(column[number] for column in shares)]
    return Table(
        DISTRIBUTION,
        {"from": "share", "to": "share", **{f"{name}, {kind}": "share" for kind in _KINDS for name in _METRICS}},
        [
            (number / _BINS, (number + 1) / _BINS, *(column[number] for column in shares))
            for number in range(filled[0], filled[-1] + 1)
        ],
    )


_KINDS = ("plausible", "random")


def _conventions(n: int, tried: Sequence[Tried]) -> Table:
    """What each convention gives against the same ground truth, and what the paper prints."""
    columns = {"convention": "text"}
    columns |= {f"{name}, {way}": "share" for way in (*DRAWS, "lowest") for name in _METRICS}
    rows: list[tuple[str | float, ...]] = [(each.name, *each.means, *each.lowest) for each in tried]
    if n == PAPER_N:
        rows.append(("(paper)", *PAPER[0] * len(DRAWS), *PAPER[1]))
    return Table(TRIED, columns, rows)


def _says(n: int, draw: str, tables: Sequence[Table], tried: Sequence[Tried]) -> Iterator[str]:
    """What one sees, a paragraph each."""
    for table in tables:
        if table.title not in (ONE, ALL):
            continue
        parts = []
        for name, (mean, lowest) in zip(_METRICS, _compared(table), strict=True):
            worse = "above" if lowest > mean else "below" if lowest < mean else "at"
            parts.append(
                f"by {name} the worst plausible tree ({100 * lowest:.2f}) is {worse} the average random one "
                f"({100 * mean:.2f})"
            )
        yield f"With {table.title}, {' and '.join(parts)}."
    place = 2 * list(DRAWS).index(draw)
    claimed = [
        each.name for each in tried if each.lowest[0] < each.means[place] and each.lowest[1] > each.means[place + 1]
    ]
    yield (
        "That the worst plausible tree is below the average random one by F1 and above it by STRUCT-IOU holds in "
        f"{len(claimed)} of {len(tried)} conventions{': ' * bool(claimed)}{', '.join(claimed)}."
    )
    if n == PAPER_N:
        yield _about_paper(tried)


def _compared(table: Table) -> list[tuple[float, float]]:
    """The mean of random trees, of all of them where it is known, and the lowest plausible score; for each metric."""
    rows = {str(row[0]).partition(",")[0]: row[1:3] for row in reversed(table.rows)}
    pairs = []
    for sample, exact, lowest in zip(
        rows["random: mean"], rows["random: exact mean"], rows["plausible: lowest"], strict=True
    ):
        mean = sample if exact is None else exact
        assert isinstance(mean, float) and isinstance(lowest, float)
        pairs.append((mean, lowest))
    return pairs


def _about_paper(tried: Sequence[Tried]) -> str:
    """Which conventions give what the paper prints.

    The lowest scores must agree to the decimal that it prints. Means are of samples, in the paper as here; they may be
    as far off as chance may bring them.
    """
    agree = []
    for each in tried:
        lowest = all(_agree(value, printed, 0.0) for value, printed in zip(each.lowest, PAPER[1], strict=True))
        for place, way in enumerate(DRAWS):
            part = slice(2 * place, 2 * place + 2)
            if lowest and all(map(_agree, each.means[part], PAPER[0], each.errors[part])):
                agree.append(f"{each.name} ({way})")
    leaves = 2 * PAPER_N + 1
    inner = leaves - 1
    forced = (leaves + inner * PAPER[0][0]) / (leaves + inner)
    lead = (
        f"The paper's four numbers come out for this ground truth with {', '.join(agree)}"
        if agree
        else f"None of the {len(tried)} conventions gives the paper's four numbers for this ground truth"
    )
    return (
        f"{lead}, with {_CHANCE} standard errors allowed for means. Where both metrics count the same {inner} phrases "
        f"of a binary tree, and the {leaves} tags always agree, an F1 of {100 * PAPER[0][0]:.1f} alone makes "
        f"STRUCT-IOU at least {100 * forced:.1f}: the {100 * PAPER[0][1]:.1f} printed beside it is about other nodes "
        "or other trees."
    )


def _agree(value: float, printed: float, error: float) -> bool:
    """May a value be the printed one, given its standard error and three printed decimals?"""
    return abs(value - printed) < 0.0005 + _CHANCE * error + 1e-9


def draw(made: Study, figure: Figure) -> None:
    """How the scores of plausible and of random trees are spread, a panel for each metric."""
    from ..draw.colours import PALETTE

    table = made.table(DISTRIBUTION)
    starts = [100 * start for start in table.column("from") if isinstance(start, float)]
    width = 100 / _BINS
    compared = _compared(made.tables[1 if made.tables[1].title == ALL else 0])
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    for axes, name in zip(panels, _METRICS, strict=True):
        for number, kind in enumerate(_KINDS):
            shares = [100 * share for share in table.column(f"{name}, {kind}") if isinstance(share, float)]
            axes.bar(
                [start + width * (0.27 + 0.46 * number) for start in starts],
                shares,
                0.42 * width,
                color=PALETTE[number],
                hatch=("", "///")[number],
                edgecolor="white",
                linewidth=0,
                label=f"{kind} trees",
            )
        mean, lowest = compared[_METRICS.index(name)]
        axes.axvline(100 * lowest, color=PALETTE[0], linewidth=1.2, label="lowest plausible")
        axes.axvline(100 * mean, color=PALETTE[1], linestyle="--", linewidth=1.2, label="mean of random")
        axes.set_title(name, fontsize=10)
        axes.set_xlabel("score (%), in bins of 5")
    panels[0].set_ylabel("share of pairs of trees (%)")
    panels[1].legend(frameon=False, loc="upper left", fontsize=8)
    figure.suptitle(
        f"Plausible and random trees of N (P N){{{made.settings['n']}}} against the ground truth", fontsize=11
    )
