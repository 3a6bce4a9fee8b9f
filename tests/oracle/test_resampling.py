"""BCa intervals, paired tests, corrections and letters against their definitions, on counts of several metrics."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from oracle import resampling as oracle
from oracle.significance import quantile
from strategies import changed, make_tree, make_words, read_lines, write

import treescore
from treescore import significance
from treescore.place.pair import Pair
from treescore.significance.units import by_unit
from treescore.values.counts import Counts

METRICS = ("parseval|profile:none", "struct_iou", "aligned_parseval")
SEEDS = st.integers(0, 1 << 32)


def some_rows(rng: Random, signature: str, most: int) -> tuple[treescore.Metric, tuple[Counts, Counts]]:
    """The counts of two systems on the same sentences; some have no parse, and often two systems gave the same tree."""
    trees = [make_tree(rng, make_words(rng, 6, odd=0.1)) for _ in range(rng.randint(1, most))]
    metric = treescore.metric(signature)
    gold = read_lines("".join(write(tree) + "\n" for tree in trees))
    items = []
    for rate in (0.05, 0.3):
        lines = ["(())" if rng.random() < 0.1 else write(changed(rng, tree, rate)) for tree in trees]
        items.append(metric.counts(Pair(gold, read_lines("\n".join(lines) + "\n"))))
    return metric, (items[0], items[0 if rng.random() < 0.1 else 1])


def rows_of(counts: Counts) -> list[dict[str, int]]:
    """All rows by column name."""
    return [counts.row(index) for index in range(len(counts))]


def score_of(metric: treescore.Metric, figure: str) -> Callable[[dict[str, int]], float | None]:
    """One figure from sums."""

    def value(total: dict[str, int]) -> float | None:
        part = metric.score(Counts({}, totals=total)).part(figure)
        assert part is not None
        return part.value

    return value


def figures_of(rng: Random, metric: treescore.Metric, counts: Counts) -> list[str]:
    """The main figure and another one."""
    score = metric.score(counts)
    return [score.main, rng.choice(list(score.figures))]


def compared(metric: treescore.Metric, figure: str, *counts: Counts) -> str:
    """The figure that a test compares: failed sentences count as wrong."""
    failed = any(sum(rows["failed"]) for rows in counts)
    return f"{figure}_all" if failed and figure not in metric.without_all else figure


def same(actual: float | None, expected: float | None) -> bool:
    """Is neither defined, or are both nearly equal?"""
    return actual == pytest.approx(expected, abs=1e-9) if expected is not None else actual is None


@pytest.mark.parametrize("signature", METRICS)
@settings(max_examples=6)
@given(seed=SEEDS)
def test_bca(signature: str, seed: int) -> None:
    rng = Random(seed)
    metric, (counts, _) = some_rows(rng, signature, 9)
    level, n, drawn = rng.choice((0.5, 0.9, 0.95)), rng.randint(20, 60), rng.randint(0, 9)
    samples = oracle.drawn_rows(len(counts), n, drawn)
    intervals = significance.intervals(metric, counts, method="bca", level=level, n=n, seed=drawn)
    for figure in figures_of(rng, metric, counts):
        expected, other = (
            oracle.bca(score_of(metric, figure), rows_of(counts), level, samples, tolerance) for tolerance in (0, 1e-12)
        )
        if expected is not None and expected == other:  # rates are rounded, and what ought to be equal is only nearly
            assert same(intervals[figure].low, expected[0]) and same(intervals[figure].high, expected[1]), figure


@pytest.mark.parametrize("signature", METRICS)
@settings(max_examples=6)
@given(seed=SEEDS)
def test_all_swaps(signature: str, seed: int) -> None:
    rng = Random(seed)
    metric, counts = some_rows(rng, signature, 7)
    rows = rows_of(counts[0]), rows_of(counts[1])
    for figure in figures_of(rng, metric, counts[0]):
        result = significance.paired_randomization(metric, *counts, figure=figure)
        assert result.exact == (result.difference is not None)
        figure = compared(metric, figure, *counts)
        assert result.figure == figure
        assert same(result.difference, oracle.difference(score_of(metric, figure), *rows))
        assert same(result.p, oracle.exact_randomization(score_of(metric, figure), *rows)), figure


@pytest.mark.parametrize("signature", METRICS)
@settings(max_examples=6)
@given(seed=SEEDS)
def test_some_swaps(signature: str, seed: int) -> None:
    rng = Random(seed)
    metric, counts = some_rows(rng, signature, 90)
    rows = rows_of(counts[0]), rows_of(counts[1])
    n, drawn = rng.choice((1, 10, 20)), rng.choice((0, 1, 7))
    differing = [place for place, (first, other) in enumerate(zip(*rows, strict=True)) if first != other]
    swaps = []
    for tossed in oracle.coins(len(differing), n, drawn):  # rows that do not differ get no coin
        turned = {place for place, coin in zip(differing, tossed, strict=True) if coin}
        swaps.append([place in turned for place in range(len(rows[0]))])
    for figure in figures_of(rng, metric, counts[0]):
        result = significance.paired_randomization(metric, *counts, figure=figure, n=n, seed=drawn)
        assert (result.rows, result.differing) == (len(rows[0]), len(differing))
        figure = compared(metric, figure, *counts)
        if not result.exact:
            assert same(result.p, oracle.sampled_randomization(score_of(metric, figure), *rows, swaps)), figure


@pytest.mark.parametrize("signature", METRICS)
@settings(max_examples=6)
@given(seed=SEEDS)
def test_the_paired_bootstrap(signature: str, seed: int) -> None:
    rng = Random(seed)
    metric, counts = some_rows(rng, signature, 9)
    rows = rows_of(counts[0]), rows_of(counts[1])
    n, drawn, level = rng.choice((1, 20, 50)), rng.choice((0, 1, 7)), rng.choice((0.5, 0.95))
    samples = oracle.drawn_rows(len(rows[0]), n, drawn)
    for figure in figures_of(rng, metric, counts[0]):
        actual = significance.paired_bootstrap(metric, *counts, figure=figure, n=n, seed=drawn, level=level)
        figure = compared(metric, figure, *counts)
        score = score_of(metric, figure)
        expected = oracle.paired_bootstrap(score, *rows, samples) if len(rows[0]) > 1 else None
        assert same(actual.p, expected), figure
        if actual.p is None:
            continue
        defined = sorted(value for value in oracle.bootstrap_differences(score, *rows, samples) if value is not None)
        assert actual.undefined == n - len(defined)
        for end, share in ((actual.low, (1 - level) / 2), (actual.high, (1 + level) / 2)):
            assert same(end, quantile(defined, share) if defined else None)


@settings(max_examples=6)
@given(SEEDS)
def test_documents(seed: int) -> None:
    """Drawing documents is drawing the rows of their sums."""
    rng = Random(seed)
    metric, (first, second) = some_rows(rng, "parseval|profile:none", 12)
    names = [rng.choice("abcd") for _ in range(len(first))]
    rows = oracle.grouped(rows_of(first), names), oracle.grouped(rows_of(second), names)
    sums = by_unit(first, names), by_unit(second, names)
    assert (rows_of(sums[0]), rows_of(sums[1])) == rows
    result = significance.paired_bootstrap(metric, *sums, n=20, seed=2, unit="document")
    samples = oracle.drawn_rows(len(rows[0]), 20, 2)
    score = score_of(metric, result.figure)
    expected = oracle.paired_bootstrap(score, *rows, samples) if len(rows[0]) > 1 else None
    assert same(result.p, expected)
    assert (result.unit, result.rows) == ("document", len(set(names)))


PS = st.none() | st.sampled_from((0.0, 0.01, 0.02, 0.05, 0.3, 1.0)) | st.floats(0, 1)


@given(st.lists(PS, max_size=8))
def test_holm(ps: list[float | None]) -> None:
    result = significance.holm(ps)
    assert result == pytest.approx(oracle.holm(ps))
    for level in (0.01, 0.05, 0.3):
        assert {place for place, p in enumerate(result) if p is not None and p <= level} == rejected(ps, level)


def rejected(ps: list[float | None], level: float) -> set[int]:
    """Step by step from the smallest: stop at the first that is larger than the level over the number of those left."""
    left = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    items = set()
    while left and left[0][0] * len(left) <= level:
        items.add(left.pop(0)[1])
    return items


@given(st.integers(0, 7), st.data())
def test_letters(count: int, data: st.DataObject) -> None:
    names = [f"system {number}" for number in range(count)]
    pairs = list(combinations(names, 2))
    differing = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    turned = [pair[::-1] if data.draw(st.booleans()) else pair for pair in differing]
    result = significance.letters(names, turned)
    assert list(result) == names
    for first, second in pairs:
        assert bool(set(result[first]) & set(result[second])) == ((first, second) not in differing)
    groups = [{name for name in names if letter in result[name]} for letter in sorted({*"".join(result.values())})]
    for group, other in combinations(groups, 2):  # none says only what another one says
        assert not group <= other and not other <= group
    letters = sorted({*"".join(result.values())})
    assert "".join(letters) == "abcdefghijklmnopqrstuvwxyz"[: len(letters)]
    assert all(list(shown) == sorted(shown) and shown for shown in result.values())
