"""BCa intervals, paired tests, corrections and letters against their definitions, on counts of several metrics."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import resampling as oracle
from oracle.significance import quantile
from strategies import changed, make_tree, make_words, read_lines, write

import treescore
from treescore import significance
from treescore.counts import Counts
from treescore.significance.units import by_unit

METRICS = ("parseval|profile:none", "struct_iou", "aligned_parseval")
SEEDS = st.integers(0, 1 << 32)


def some_rows(rng: Random, signature: str, most: int, systems: int = 2) -> tuple[treescore.Metric, list[Counts]]:
    """The counts of systems on the same sentences; some have no parse, and often two systems gave the same tree."""
    trees = [make_tree(rng, make_words(rng, 6, odd=0.1)) for _ in range(rng.randint(1, most))]
    metric = treescore.metric(signature)
    gold = read_lines("".join(write(tree) + "\n" for tree in trees))
    made = []
    for rate in [0.05, 0.3, 0.6][:systems]:
        lines = ["(())" if rng.random() < 0.1 else write(changed(rng, tree, rate)) for tree in trees]
        made.append(metric.counts(gold, read_lines("\n".join(lines) + "\n")))
    if rng.random() < 0.1:
        made[1] = made[0]
    return metric, made


def rows_of(counts: Counts) -> list[dict[str, int]]:
    """All rows by column name."""
    return [counts.row(index) for index in range(len(counts))]


def score_of(metric: treescore.Metric, figure: str) -> Callable[[dict[str, int]], float | None]:
    """One figure from sums."""
    return lambda total: metric.score(Counts({}, totals=total)).figures[figure].value


def same(found: float | None, expected: float | None) -> bool:
    """Is neither defined, or are both nearly equal?"""
    return found == pytest.approx(expected, abs=1e-9) if expected is not None else found is None


@pytest.mark.parametrize("signature", METRICS)
@settings(max_examples=25)
@given(seed=SEEDS)
def test_bca(signature: str, seed: int) -> None:
    rng = Random(seed)
    metric, [counts, _] = some_rows(rng, signature, 9)
    level, n, seed = rng.choice((0.5, 0.9, 0.95)), rng.randint(20, 60), rng.randint(0, 9)
    samples = oracle.drawn_rows(len(counts), n, seed)
    for figure, found in significance.intervals(metric, counts, method="bca", level=level, n=n, seed=seed).items():
        expected = oracle.bca(score_of(metric, figure), rows_of(counts), level, samples)
        if expected is not None:
            assert same(found.low, expected[0]) and same(found.high, expected[1]), (figure, found, expected)


@pytest.mark.parametrize("signature", METRICS)
@settings(max_examples=25)
@given(seed=SEEDS)
def test_all_swaps(signature: str, seed: int) -> None:
    metric, [first, second] = some_rows(Random(seed), signature, 7)
    if len(first) != len(second):
        return
    for figure in metric.score(first).figures:
        found = significance.paired_randomization(metric, first, second, figure=figure)
        score = score_of(metric, figure)
        assert found.exact
        assert same(found.difference, oracle.difference(score, rows_of(first), rows_of(second)))
        assert same(found.p, oracle.exact_randomization(score, rows_of(first), rows_of(second))), figure


@pytest.mark.parametrize("signature", METRICS)
@settings(max_examples=25)
@given(seed=SEEDS)
def test_some_swaps(signature: str, seed: int) -> None:
    rng = Random(seed)
    metric, [first, second] = some_rows(rng, signature, 70)
    if len(first) != len(second):
        return
    n, drawn = rng.choice((1, 20, 50)), rng.choice((0, 1, 7))
    for figure in metric.score(first).figures:
        found = significance.paired_randomization(metric, first, second, figure=figure, n=n, seed=drawn)
        if found.exact:
            continue
        rows = rows_of(first), rows_of(second)
        differing = [place for place in range(len(first)) if rows[0][place] != rows[1][place]]
        swaps = []
        for tossed in oracle.coins(len(differing), n, drawn):  # rows that do not differ get no coin
            turned = {place for place, coin in zip(differing, tossed, strict=True) if coin}
            swaps.append([place in turned for place in range(len(first))])
        expected = oracle.sampled_randomization(score_of(metric, figure), *rows, swaps)
        assert same(found.p, expected), figure


@pytest.mark.parametrize("signature", METRICS)
@settings(max_examples=25)
@given(seed=SEEDS)
def test_the_paired_bootstrap(signature: str, seed: int) -> None:
    rng = Random(seed)
    metric, [first, second] = some_rows(rng, signature, 9)
    if len(first) != len(second):
        return
    n, drawn, level = rng.choice((1, 20, 50)), rng.choice((0, 1, 7)), rng.choice((0.5, 0.95))
    samples = oracle.drawn_rows(len(first), n, drawn)
    for figure in metric.score(first).figures:
        found = significance.paired_bootstrap(metric, first, second, figure=figure, n=n, seed=drawn, level=level)
        score = score_of(metric, figure)
        assert same(found.p, oracle.paired_bootstrap(score, rows_of(first), rows_of(second), samples)), figure
        if found.p is None:
            continue
        differences = oracle.bootstrap_differences(score, rows_of(first), rows_of(second), samples)
        defined = sorted(value for value in differences if value is not None)
        assert found.undefined == n - len(defined)
        for end, share in ((found.low, (1 - level) / 2), (found.high, (1 + level) / 2)):
            assert same(end, quantile(defined, share) if defined else None)


@settings(max_examples=25)
@given(SEEDS)
def test_documents(seed: int) -> None:
    """Drawing documents is drawing the rows of their sums."""
    rng = Random(seed)
    metric, [first, second] = some_rows(rng, "parseval|profile:none", 12)
    names = [rng.choice("abcd") for _ in range(len(first))]
    rows = [oracle.grouped(rows_of(counts), names) for counts in (first, second)]
    sums = [by_unit(counts, names) for counts in (first, second)]
    assert [rows_of(counts) for counts in sums] == rows
    found = significance.paired_bootstrap(metric, *sums, n=20, seed=2, unit="document")
    samples = oracle.drawn_rows(len(rows[0]), 20, 2)
    assert same(found.p, oracle.paired_bootstrap(score_of(metric, found.figure), *rows, samples))
    assert (found.unit, found.rows) == ("document", len(set(names)))


PS = st.none() | st.sampled_from((0.0, 0.01, 0.02, 0.05, 0.3, 1.0)) | st.floats(0, 1)


@given(st.lists(PS, max_size=8))
def test_holm(ps: list[float | None]) -> None:
    found = significance.holm(ps)
    assert found == pytest.approx(oracle.holm(ps))
    for level in (0.01, 0.05, 0.3):
        assert {place for place, p in enumerate(found) if p is not None and p <= level} == rejected(ps, level)


def rejected(ps: list[float | None], level: float) -> set[int]:
    """Step by step from the smallest: stop at the first that is larger than the level over the number of those left."""
    left = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    found = set()
    while left and left[0][0] * len(left) <= level:
        found.add(left.pop(0)[1])
    return found


@given(st.integers(0, 7), st.data())
def test_letters(count: int, data: st.DataObject) -> None:
    names = [f"system {number}" for number in range(count)]
    pairs = list(combinations(names, 2))
    differing = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    turned = [pair[::-1] if data.draw(st.booleans()) else pair for pair in differing]
    found = significance.letters(names, turned)
    assert list(found) == names
    for first, second in pairs:
        assert bool(set(found[first]) & set(found[second])) == ((first, second) not in differing)
    groups = [{name for name in names if letter in found[name]} for letter in sorted({*"".join(found.values())})]
    for group, other in combinations(groups, 2):  # none says only what another one says
        assert not group <= other and not other <= group
    letters = sorted({*"".join(found.values())})
    assert "".join(letters) == "abcdefghijklmnopqrstuvwxyz"[: len(letters)]
    assert all(list(shown) == sorted(shown) and shown for shown in found.values())
