"""Tails and correlations against scipy, and against the definitions where those can be counted out."""

from __future__ import annotations

import warnings
from itertools import permutations
from math import factorial, inf, isnan, nan, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from strategies import RANDOMS

import treescore
from treescore.place.pair import Pair
from treescore.significance.correlations import (
    KINDS,
    bucket_correlation,
    buckets,
    kendall,
    pearson,
    ranks,
    spearman,
)
from treescore.significance.distributions import f_tail, normal_tail, t_tail
from treescore.values.counts import Counts

FREEDOMS = st.integers(1, 20) | st.integers(1, 5_000)
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@given(st.floats(-40, 40), FREEDOMS)
def test_tails_of_t(t: float, freedom: int) -> None:
    assert t_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-10)


@given(st.floats(0, 1_000), FREEDOMS, FREEDOMS)
def test_tails_of_f(f: float, above: int, below: int) -> None:
    assert f_tail(f, above, below) == pytest.approx(stats.f.sf(f, above, below), rel=1e-10, abs=1e-290)


@given(st.floats(-30, 30))
def test_tails_of_the_normal_distribution(z: float) -> None:
    assert normal_tail(z) == pytest.approx(stats.norm.sf(z), rel=1e-12)


@pytest.mark.parametrize(
    ("f", "above", "below", "expected"),
    [
        # Computed by mpmath 1.4.1 to 60 digits.
        (4.0, 1, 10, 0.07338803477074037),
        (347.5, 1, 168, 9.371756092437342e-43),
        (26.5, 1, 84451, 2.641272605151274e-07),
        (1.3, 10, 54821, 0.2237049596354529),
        (14.0, 205, 1618, 5.457874404111892e-242),
        (0.001, 3, 7, 0.9999518633978941),
        (1000000.0, 2, 2, 9.99999000001e-07),
        (900.0, 3, 1000, 1.7105863094715991e-283),
        (1.0, 1000, 1000, 0.5),
    ],
)
def test_tails_to_the_last_digits(f: float, above: int, below: int, expected: float) -> None:
    assert f_tail(f, above, below) == pytest.approx(expected, rel=2e-12, abs=0)


def test_ends_of_tails() -> None:
    assert (t_tail(inf, 3), t_tail(-inf, 3), t_tail(0, 3)) == (0, 1, 0.5)
    assert (f_tail(0, 2, 3), f_tail(-1, 2, 3), f_tail(inf, 2, 3), f_tail(1e-320, 1, 5)) == (1, 1, 0, 1)
    with pytest.raises(treescore.UsageError, match="not nan"):
        t_tail(nan, 3)
    with pytest.raises(treescore.UsageError, match="degrees of freedom must be a number above 0, not 0"):
        f_tail(1, 2, 0)


def test_a_printed_correlation() -> None:
    """The STRUCT-IOU paper prints ρ = 0.821 and p = 8.16e-43 for its buckets: there must have been 170 of them."""

    def p(rho: float, n: int) -> float:
        return 2 * t_tail(rho * sqrt((n - 2) / (1 - rho * rho)), n - 2)

    fits = [n for n in range(150, 200) if p(0.8205, n) > 8.165e-43 and p(0.8215, n) < 8.155e-43]
    assert fits == [170]


@settings(max_examples=80)
@given(st.integers(0, 1 << 32))
def test_correlations(seed: int) -> None:
    rng = Random(seed)  # not hypothesis' own, whose extremes are too much for scipy
    size = rng.choice((2, 3, 4, 10, 33, 34, 60))
    make: Any = rng.choice(
        (rng.random, lambda: rng.randint(0, 4), lambda: rng.gauss(0, 100), lambda: rng.choice((0, 1)))
    )
    first = [make() for _ in range(size)]
    second = [rng.choice((make(), value, -value)) for value in first]
    for kind, correlate in KINDS.items():
        actual = correlate(first, second)
        assert (actual.kind, actual.n, actual.undefined) == (kind, size, 0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is constant is no reason to warn
            expected, p = SCIPY[kind](first, second)
        assert (actual.value is None) == isnan(expected)
        if actual.value is None:
            assert actual.p is None
            continue
        assert actual.value == pytest.approx(expected, abs=1e-12)
        if kind == "pearson" and size == 2:
            assert actual.p is None
        elif kind == "spearman" and (size <= 8 or p < 1e-5 or len({*first}) < size or len({*second}) < size):
            assert size <= 8 or actual.p >= p * (1 - 1e-9)  # there it need not be that of t
        elif abs(actual.value) < 1 - 1e-9:  # nearer to 1 scipy's p is rounding, ours is not
            assert actual.p == pytest.approx(p, rel=1e-9, abs=1e-300)


@given(st.lists(st.integers(0, 5) | st.floats(-3, 3), max_size=12))
def test_ranks(values: list[float]) -> None:
    assert ranks(values) == list(stats.rankdata(values))


@settings(max_examples=20)
@given(st.integers(2, 6), RANDOMS)
def test_the_exact_p_of_kendall(size: int, rng: Random) -> None:
    """The share of all orders that are at least as far from chance."""
    order = rng.sample(range(size), size)

    def more(order: tuple[int, ...]) -> int:
        return abs(sum((order[i] < order[j]) * 2 - 1 for j in range(size) for i in range(j)))

    everything = [more(each) for each in permutations(range(size))]
    expected = sum(item >= more(tuple(order)) for item in everything) / len(everything)
    assert kendall(range(size), order).p == pytest.approx(expected, rel=1e-12)


@settings(max_examples=25)
@given(st.integers(2, 6), st.integers(1, 6), RANDOMS)
def test_the_exact_p_of_spearman(size: int, most: int, rng: Random) -> None:
    """The share of all orders that are at least as far from chance, with ties and without."""
    first, second = ([rng.randint(0, most) for _ in range(size)] for _ in range(2))
    if most == 6:
        first, second = (rng.sample(range(size), size) for _ in range(2))
    x, y = (stats.rankdata(side) for side in (first, second))

    def apart(order: Any) -> float:
        return float(abs(size * sum(a * b for a, b in zip(x, order, strict=True)) - sum(x) * sum(y)))

    result = spearman(first, second)
    everything = [apart(order) >= apart(y) - 1e-6 for order in permutations(y)]
    if result.value is None:
        assert result.p is None
    else:
        assert result.p == pytest.approx(sum(everything) / len(everything), rel=1e-12)


def test_no_order_is_less_likely_than_it_is() -> None:
    assert spearman([1, 2, 3], [1, 2, 3]).p == 1 / 3
    assert spearman([1, 2], [2, 1]).p == 1
    many = list(range(40))
    for n in (9, 20, 40):
        assert spearman(many[:n], many[:n]).p == pytest.approx(2 / factorial(n), rel=1e-11)
    swapped = spearman(many[:9], [1, 0, *many[2:9]])
    assert swapped.value != 1 and swapped.p is not None and swapped.p >= 2 / factorial(9)
    ties = [0] * 4 + [1] * 6
    assert spearman(ties, ties).p == pytest.approx(factorial(4) * factorial(6) / factorial(10), rel=1e-11)
    assert spearman(ties[1:9], ties[1:9]).p == pytest.approx(factorial(3) * factorial(5) / factorial(8), rel=1e-11)
    even = [0] * 6 + [1] * 6
    assert spearman(even, even[::-1]).p == pytest.approx(2 * factorial(6) ** 2 / factorial(12), rel=1e-11)


def test_pairs_without_a_value_are_left_out_and_counted() -> None:
    for correlate in KINDS.values():
        result = correlate([1, None, 3, 4, 5, 0.5], [2, 1, None, 3, 9, 1])
        assert result == correlate([1, 4, 5, 0.5], [2, 3, 9, 1]).replace(undefined=2)
        assert correlate([None], [1]).values() == {
            "kind": result.kind,
            "value": None,
            "p": None,
            "n": 0,
            "undefined": 1,
        }


def test_numbers_in_one_line() -> None:
    """Rounding does not keep them from being in one line, nor makes numbers that are nearly equal constant."""
    first = [0.1, 0.2, 0.3, 0.7]
    assert pearson(first, [2 * x for x in first]).values() == {
        "kind": "pearson",
        "value": 1.0,
        "p": 0.0,
        "n": 4,
        "undefined": 0,
    }
    assert spearman(first, [1e-300, 2e-300, 1e300, 1.1e300]).value == 1
    assert pearson([1e300, -1e300, 1e-300], [1, -1, 0]).value == pytest.approx(1)
    assert pearson([0.1, 0.1, 0.1], first[:3]).value is None
    assert kendall([1, 2], [2, 1]).p == 1


def test_orders_of_many() -> None:
    many = list(range(1_000))
    assert kendall(many, many).p == 0
    assert kendall(many[:172], many[:172]).p == 2 / factorial(172)
    assert kendall(many[:60], [*many[:58], 59, 58]).p == pytest.approx(1.4421365923791871e-80, rel=1e-12)  # 2·60/60!


@pytest.mark.parametrize("bad", [nan, inf, "a", 10**400])
def test_what_is_no_number_is_refused(bad: Any) -> None:
    for correlate in KINDS.values():
        with pytest.raises(treescore.UsageError, match="finite numbers, not"):
            correlate([1, 2, bad], [1, 2, 3])
    with pytest.raises(treescore.UsageError, match="needs pairs, but there are 1 and 2 numbers"):
        pearson([1], [1, 2])


@given(st.integers(0, 200), st.integers(1, 30), st.integers(0, (1 << 64) - 1))
def test_buckets(count: int, size: int, seed: int) -> None:
    result = buckets(count, size, seed)
    rows = [row for bucket in result for row in bucket]
    assert len(set(rows)) == len(rows) == count // size * size and set(rows) <= set(range(count))
    assert all(len(bucket) == size for bucket in result)
    assert result == buckets(count, size, seed)


def test_buckets_are_the_same_for_ever() -> None:
    assert buckets(12, 5, 0) == [(6, 4, 1, 5, 7), (11, 0, 8, 3, 2)]
    assert buckets(12, 5, 1) == [(1, 6, 4, 2, 0), (9, 10, 5, 3, 11)]


def test_a_row_is_anywhere_equally_often() -> None:
    places = [buckets(5, 5, seed)[0].index(2) for seed in range(5_000)]
    assert all(abs(places.count(place) - 1_000) < 150 for place in range(5))  # five standard deviations


def test_correlation_over_buckets() -> None:
    """By hand: each bucket scored as a treebank of its own."""
    rng = Random(4)
    sentences = ["(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (VP (VB b)))", "(S (NN a) (VB b))", "(X (NN a) (NP (VB b)))"]
    gold, test = ([rng.choice(sentences) for _ in range(23)] for _ in range(2))
    metrics = treescore.metric("struct_iou"), treescore.metric("parseval|profile:none")
    counts = [metric.counts(Pair(treescore.read(" ".join(gold)), treescore.read(" ".join(test)))) for metric in metrics]
    for kind, figures in (("spearman", ("sentence", "f1")), ("kendall", ("corpus", "recall")), ("pearson", None)):
        result = bucket_correlation(
            metrics[0], counts[0], metrics[1], counts[1], size=4, seed=3, kind=kind, figures=figures or (None, None)
        )
        assert result.figures == (figures or ("corpus", "f1")) and result.left_out == 3 and len(result.points) == 5
        points = []
        for bucket in buckets(23, 4, 3):
            reports = [
                treescore.evaluate([gold[row] for row in bucket], [test[row] for row in bucket], metric)
                for metric in metrics
            ]
            points.append(tuple(r.scores[0].parts[name] for r, name in zip(reports, result.figures, strict=True)))
        assert result.points == tuple(points)
        expected = SCIPY[kind](*zip(*points, strict=True))
        assert result.correlation.value == pytest.approx(expected[0])
        assert kind == "spearman" or result.correlation.p == pytest.approx(expected[1])


def test_buckets_have_rows_that_both_metrics_score() -> None:
    """One sentence has other words in the test tree: F1 leaves it out, STRUCT-IOU over words need not."""
    right, wrong = "(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b) (NN c)))"
    gold, test = treescore.read(" ".join([right] * 7)), treescore.read(" ".join([right] * 3 + [wrong] + [right] * 3))
    report = treescore.evaluate(gold, test, ["parseval|profile:none", "struct_iou|axis:characters"])
    (left, first), (other, second) = (report.find(name) for name in ("parseval", "struct_iou"))
    result = bucket_correlation(left, first.counts, other, second.counts, size=2)
    assert (result.unscored, result.left_out, result.points) == (1, 0, ((1.0, 1.0),) * 3)


def test_too_few_rows_fill_no_bucket() -> None:
    metric = treescore.metric("parseval|profile:none")
    bank = treescore.read("(S (NN a)) (S (NN a))")
    counts = metric.counts(Pair(bank, bank))
    result = bucket_correlation(metric, counts, metric, counts)
    assert (result.correlation.value, result.correlation.n, result.left_out) == (None, 0, 2)


def test_buckets_that_cannot_be_filled() -> None:
    metric = treescore.metric("parseval|profile:none")
    bank = treescore.read("(S (NN a)) (S (NN a))")
    counts = metric.counts(Pair(bank, bank))

    def call(other: Counts = counts, **options: Any) -> None:
        bucket_correlation(metric, counts, metric, other, **options)

    for message, options in (
        ("size of a bucket must be a whole number from 1, not 0", {"size": 0}),
        ("seed must be a whole number", {"seed": -1}),
        ("one of spearman, pearson, kendall, not 'tau'", {"kind": "tau"}),
        ("parseval has no figure 'f9'", {"figures": ("f1", "f9")}),
        ("these have only sums", {"other": counts.collapsed()}),
        ("the same rows for both metrics, but parseval has 2, parseval 4", {"other": counts + counts}),
    ):
        with pytest.raises(treescore.UsageError, match=message):
            call(**options)
