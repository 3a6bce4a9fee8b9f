"""How plausible and random trees of an ambiguous phrase score (Shi, Gimpel and Livescu 2024, table 1).

`N (P N){n}`, as in *a man with a dog in a park*, has as many plausible trees as there are ways to attach each PP.

>>> result = study(3, trials=50)
>>> for row in result.table(ONE).rows[-2:]:
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
#: n = 11 gives 58,786 plausible trees, and each further n four times as many; n = 9 gives 12 million pairs of trees.
MAX_N, MAX_N_EXACT, MAX_TRIALS = 11, 9, 1_000_000
#: The paper's values for n = 8: mean F1 and STRUCT-IOU of random trees, and the lowest of plausible trees.
PAPER_N = 8
PAPER = ((0.273, 0.619), (0.125, 0.636))
#: Means are equal if they differ by at most this number of standard errors.
_CHANCE = 3
_BINS = 20
#: Scores are sums of rounded numbers, so a score on the border of two bins may be this far below it.
_ROUNDING = UNIT >> 30
#: The columns with the score of a sentence.
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
    """Score random binary trees, and all plausible trees, against a plausible tree chosen by the seed.

    `convention` is one of `treescore.studies.attachments.CONVENTIONS`, which determine the trees and what is counted; a
    table compares them. `draw` is the distribution of random trees: uniform ("uniform"), or by random splits ("split").
    `exact` uses every plausible tree as the ground truth in turn. `steps` counts ground truths and conventions.

    >>> [round(score, 4) for score in study(4, trials=20, exact=True).table(ALL).column("F1")[-3:]]
    [0.25, 0.25, 0.4918]
    """
    _check(n, convention, draw, trials, seed, exact)
    chosen = CONVENTIONS[convention]
    attachments = shapes(n + 1)
    steps = steps or Steps()
    numbers = steps.over((len(attachments) - 1 if exact else 0) + len(CONVENTIONS))
    random = Random(seed)
    truth = random.randrange(len(attachments))
    trees = {name: drawn(name, 2 * n + 1, trials, Random(f"{seed} {name}")) for name in DRAWS}
    workers = count_threads(threads, len(attachments) ** 2 if exact else len(attachments))

    results = _convention_results(attachments, truth, trees, seed, numbers, workers)
    bank = _bank(chosen.plausible(shape) for shape in attachments)
    measures = [get(signature) for signature in chosen.signatures]
    plausible = [_against(measure, bank, truth, workers) for measure in measures]
    scored_random = _random(chosen, measures, bank, [truth] * trials, trees[draw], seed, workers)
    tables = [_one(n, chosen.expected_f1(bank[truth], draw), plausible, scored_random)]
    distributions = [Counter(values) for values in (*plausible, *scored_random)]
    if exact:
        distributions[:2], lows = _every_pair(measures, bank, numbers, workers)
        truths = [random.randrange(len(bank)) for _ in range(trials)]
        scored_random = _random(chosen, measures, bank, truths, trees[draw], seed, workers)
        distributions[2:] = [Counter(values) for values in scored_random]
        expected = sum(chosen.expected_f1(tree, draw) for tree in bank) / len(bank)
        tables.append(_all(expected, distributions[:2], lows, scored_random))
    next(numbers, None)  # the last step is done
    descriptions = [(name, kind.about) for name, kind in CONVENTIONS.items()]
    tables += [
        _distribution(distributions),
        _conventions(n, results),
        Table("descriptions of the conventions", {"convention": "text", "trees and counting": "text"}, descriptions),
    ]
    settings: dict[str, str | int | float] = {
        "n": n,
        "words": 2 * n + 1,
        "plausible trees": len(bank),
        "convention": f"{convention}: {chosen.about}",
        "ground truth": f"number {truth + 1:,}",
        "random trees": f"{trials:,}, drawn {draw}",
        "seed": seed,
        "pairs of plausible trees": sum(distributions[0].values()),
        "F1": measures[0].signature,
        "STRUCT-IOU": measures[1].signature,
    }
    return Study(
        name="ambiguity",
        title="Plausible trees of an ambiguous phrase",
        question=f"Do plausible trees of N (P N){{{n}}} score better than random ones?",
        settings=settings,
        tables=tuple(tables),
        findings="\n".join(
            [*_findings(n, draw, tables, results), f"The ground truth is {chosen.plausible(attachments[truth])}."]
        ),
        cites=CITES,
    )


class ConventionResult(Value):
    """The results of a convention, F1 and STRUCT-IOU alternating: `means` of random trees for each of `DRAWS`, their
    standard `errors`, and the `lowest` scores of plausible trees."""

    name: str
    means: tuple[float, ...]
    errors: tuple[float, ...]
    lowest: tuple[float, ...]


def _check(n: int, convention: str, draw: str, trials: int, seed: int, exact: bool) -> None:
    check_whole(n, "n", 2)
    check_whole(trials, "trials", 2)
    check_whole(seed, "seed", 0)
    for what, value, known in (("convention", convention, CONVENTIONS), ("draw", draw, DRAWS)):
        check_choice(value, what, known)
    if trials > MAX_TRIALS:
        raise UsageError(f"trials must be at most {MAX_TRIALS:,}, not {trials:,}")
    most, what = (MAX_N_EXACT, "every one of them is the ground truth in turn") if exact else (MAX_N, "all are scored")
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


def _convention_results(
    attached: Sequence[bytes],
    truth: int,
    trees: Mapping[str, Sequence[bytes]],
    seed: int,
    numbers: Iterator[int],
    threads: int,
) -> list[ConventionResult]:
    """The results of each convention: both metrics for each distribution of random trees, and of plausible trees."""
    results = []
    look = None
    for name, kind in CONVENTIONS.items():
        next(numbers)
        f1, iou = map(get, kind.signatures)
        if look != (look := kind.replace(about="", f1="")):  # otherwise the trees of the last convention are reused
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
        lowest = (min(_against(f1, bank, truth, threads)) / UNIT, low)
        results.append(ConventionResult(name, tuple(means), tuple(errors), lowest))
    return results


def _against(measure: Metric, bank: Treebank, truth: int, threads: int) -> list[int]:
    """The scores of all other trees against the ground truth."""
    others = [index for index in range(len(bank)) if index != truth]
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
    """The scores of random trees against these ground truths, one list per metric."""
    labels = Random(f"{seed} labels")
    gold, test = bank.select(truths), _bank(kind.random_tree(shape, labels) for shape in trees)
    return [_scores(measure, gold, test, threads) for measure in measures]


def _every_pair(
    measures: Sequence[Metric], bank: Treebank, numbers: Iterator[int], threads: int
) -> tuple[list[Counter[int]], list[list[int]]]:
    """The frequencies of scores between different trees, and the lowest score against each tree.

    Both metrics are symmetric, so each pair is scored once: one tree at a time against all later ones.
    """
    counters: list[Counter[int]] = [Counter() for _ in measures]
    lows = [[UNIT] * len(bank) for _ in measures]
    for index in range(len(bank) - 1):
        next(numbers)
        test = bank[index + 1 :]
        gold = bank.select([index] * len(test))
        for measure, counter, low in zip(measures, counters, lows, strict=True):
            values = _scores(measure, gold, test, threads)
            counter.update(values)
            low[index] = min(low[index], *values)
            low[index + 1 :] = map(min, low[index + 1 :], values)
    return counters, lows


def _mean(values: Iterable[int]) -> float:
    known = list(values)
    return sum(known) / len(known) / UNIT


def _error(values: Sequence[int]) -> float:
    """The standard error of the mean."""
    middle = sum(values) / len(values)
    return sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values)) / UNIT


def _one(n: int, expected: float, plausible: list[list[int]], scored: list[list[int]]) -> Table:
    """The paper's table: one ground truth, random and plausible trees."""
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
    """The share of scores in each bin, from the first to the last non-empty bin."""
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


def _conventions(n: int, tried: Sequence[ConventionResult]) -> Table:
    """The results of all conventions with the same ground truth, and the paper's values."""
    columns = {"convention": "text"}
    columns |= {f"{name}, {way}": "share" for way in (*DRAWS, "lowest") for name in _METRICS}
    rows: list[tuple[str | float, ...]] = [(each.name, *each.means, *each.lowest) for each in tried]
    if n == PAPER_N:
        rows.append(("(paper)", *PAPER[0] * len(DRAWS), *PAPER[1]))
    return Table(TRIED, columns, rows)


def _findings(n: int, draw: str, tables: Sequence[Table], tried: Sequence[ConventionResult]) -> Iterator[str]:
    """The findings, one paragraph each."""
    for table in tables:
        if table.title not in (ONE, ALL):
            continue
        parts = []
        for name, (mean, lowest) in zip(_METRICS, _compared(table), strict=True):
            worse = "above" if lowest > mean else "below" if lowest < mean else "at"
            parts.append(f"{worse} the average random tree by {name} ({100 * lowest:.2f} and {100 * mean:.2f})")
        yield f"With {table.title}, the worst plausible tree is {' and '.join(parts)}."
    place = 2 * list(DRAWS).index(draw)
    claimed = [
        each.name for each in tried if each.lowest[0] < each.means[place] and each.lowest[1] > each.means[place + 1]
    ]
    yield (
        "The worst plausible tree is below the average random tree by F1 and above it by STRUCT-IOU in "
        f"{len(claimed)} of {len(tried)} conventions{': ' * bool(claimed)}{', '.join(claimed)}."
    )
    if n == PAPER_N:
        yield _about_paper(tried)


def _compared(table: Table) -> list[tuple[float, float]]:
    """The mean of random trees (exact if known) and the lowest plausible score, for each metric."""
    rows = {str(row[0]).partition(",")[0]: row[1:3] for row in reversed(table.rows)}
    pairs = []
    for sample, exact, lowest in zip(
        rows["random: mean"], rows["random: exact mean"], rows["plausible: lowest"], strict=True
    ):
        mean = sample if exact is None else exact
        assert isinstance(mean, float) and isinstance(lowest, float)
        pairs.append((mean, lowest))
    return pairs


def _about_paper(tried: Sequence[ConventionResult]) -> str:
    """Which conventions reproduce the paper's values.

    The lowest scores must agree in all printed decimals. Means are of samples, in the paper and here, so they may
    differ by chance.
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
        f"For this ground truth the paper's four numbers are reproduced with {', '.join(agree)}"
        if agree
        else f"None of the {len(tried)} conventions reproduces the paper's four numbers for this ground truth"
    )
    return (
        f"{lead}, with a tolerance of {_CHANCE} standard errors for means. If both metrics count the same {inner} "
        f"phrases of a binary tree, and the {leaves} tags always agree, an F1 of {100 * PAPER[0][0]:.1f} implies a "
        f"STRUCT-IOU of at least {100 * forced:.1f}. The printed {100 * PAPER[0][1]:.1f} must therefore be about other "
        "nodes or other trees."
    )


def _agree(value: float, printed: float, error: float) -> bool:
    """Is a value compatible with the printed one, given its standard error and three decimals?"""
    return abs(value - printed) < 0.0005 + _CHANCE * error + 1e-9


def draw(study: Study, figure: Figure) -> None:
    """The distributions of the scores of plausible and random trees, a panel for each metric."""
    from ..draw.colours import PALETTE
    from ..plots.look import heading, label_rows, side_by_side

    table = study.table(DISTRIBUTION)
    starts = [100 * start for start in table.column("from") if isinstance(start, float)]
    width = 100 / _BINS
    compared = _compared(study.tables[1 if study.tables[1].title == ALL else 0])
    panels = side_by_side(figure, 2, sharex=True, sharey=True)
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
        axes.set_title(name, fontsize="medium")
        axes.set_xlabel("score (%), in bins of 5")
    label_rows(panels, "share of pairs of trees (%)")
    panels[1].legend(frameon=False, loc="upper left", fontsize="small")
    heading(figure, f"Plausible and random trees of N (P N){{{study.settings['n']}}} against the ground truth")
