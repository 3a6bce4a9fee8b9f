"""Intervals against the bootstrap by its definition, and what becomes of counts and options that cannot be used."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from oracle import significance as oracle
from strategies import PAIRS, RANDOMS, Pairs, banks

import treescore
from treescore import _core, significance
from treescore.place.pair import Pair
from treescore.scoring.comparisons import summary
from treescore.values.counts import Counts

GOLD = ["(S (NP (NN a)) (VB b))", "(S (NP (NN a)))", "(S (NN a) (NN b))"]
TEST = ["(S (NN a) (VB b))", "(S (VP (NN a)))", "(S (NN a) (NN b))"]


def rows_of(counts: Counts) -> list[dict[str, int]]:
    """All rows by column name."""
    return [counts.row(index) for index in range(len(counts))]


def test_the_generator_is_splitmix64() -> None:
    """Its first numbers from the state 1234567, as they are published with it."""
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert list(islice(oracle.numbers(1234567), 3)) == expected


@given(RANDOMS)
def test_sums_of_samples(rng: Random) -> None:
    """Also of columns whose sums need more than 64 bits, and of more columns than are added up together."""
    size = rng.choice((1, 2, 3, 10, 40))
    most = rng.choice((3, 1 << 40, (1 << 63) - 1))
    names = [f"column {number}" for number in range(rng.choice((1, 7, 8, 9, 20)))]
    counts = Counts({name: [rng.randint(-most, most) for _ in range(size)] for name in names})
    seed, n = rng.choice((0, 1, (1 << 64) - 1)), rng.randint(1, 20)
    items = list(significance.samples(counts, n, seed, threads=rng.choice((1, 2))))
    assert items == oracle.samples(rows_of(counts), n, seed)


@given(RANDOMS)
def test_sums_by_coins(rng: Random) -> None:
    size = rng.choice((1, 2, 63, 64, 65, 150))
    most = rng.choice((3, (1 << 63) - 1))
    names = [f"column {number}" for number in range(rng.choice((1, 9)))]
    counts = Counts({name: [rng.randint(-most, most) for _ in range(size)] for name in names})
    seed, n = rng.choice((0, 1, (1 << 64) - 1)), rng.randint(1, 20)
    items = list(significance.coins(counts, n, seed, threads=rng.choice((1, 2))))
    assert items == oracle.coins(rows_of(counts), n, seed)


@pytest.mark.parametrize("count", [1, 7, 1 << 31, (1 << 31) + 1, 3 << 30, (1 << 32) - 1])
def test_numbers_that_would_favour_some_rows_are_drawn_again(count: int) -> None:
    """With these many rows up to every second number is."""
    for sample in (0, 1, 1_000):
        start = next(islice(oracle.numbers(3), sample, None))
        expected = list(islice(oracle.draws(oracle.numbers(start), count), 300))
        assert list(memoryview(_core.draw_rows(count, 3, sample, 300)).cast("I")) == expected


def test_all_rows_are_equally_likely() -> None:
    counts = Counts({str(row): [int(row == place) for place in range(7)] for row in range(7)})
    often: Counter[str] = Counter()
    for total in significance.samples(counts, 10_000, 5):
        often.update(total)
    assert sum(often.values()) == 70_000
    assert all(abs(count - 10_000) < 500 for count in often.values())  # five standard deviations


def test_threads_do_not_matter() -> None:
    column = Random(1)
    counts = Counts({"a": [column.randint(0, 9) for _ in range(500)]})
    expected = _core.sum_samples([counts["a"]], 1_000, 9, 1)
    for threads in (2, 3, 7):
        assert _core.sum_samples([counts["a"]], 1_000, 9, threads) == expected


@settings(max_examples=25)
@given(PAIRS, RANDOMS)
def test_intervals(pairs: Pairs, rng: Random) -> None:
    gold, test = banks(pairs)
    level, n, seed = rng.choice((0.5, 0.9, 0.95)), rng.randint(1, 30), rng.randint(0, 9)
    for signature in ("parseval|profile:none", "struct_iou"):
        metric = treescore.metric(signature)
        counts = metric.counts(Pair(gold, test))
        result = significance.intervals(metric, counts, level=level, n=n, seed=seed)
        for name, interval in result.items():
            with_failed = name.endswith("_all")
            scored = sum(row["valid"] or (with_failed and row["failed"]) for row in rows_of(counts))
            assert (interval.rows, interval.scored) == (len(pairs), scored)
            if scored < 2:
                assert (interval.low, interval.high) == (None, None)
                continue

            def score(total: dict[str, int], metric: treescore.Metric = metric, name: str = name) -> float | None:
                return metric.score(Counts({}, totals=total)).parts[name]

            low, high, undefined = oracle.interval(score, rows_of(counts), level, n, seed)
            assert interval.low == pytest.approx(low, abs=1e-12) and interval.high == pytest.approx(high, abs=1e-12)
            assert (interval.undefined, interval.n, interval.seed) == (undefined, n, seed)


def test_an_interval_is_the_same_for_ever() -> None:
    """Recorded: a change of the generator would change every published interval."""
    report = treescore.evaluate(GOLD, TEST, "parseval|profile:none")
    result = report.intervals(n=500, seed=42)["f1"]
    assert (result.low, result.high) == (0.5, 0.9321428571428538)
    assert report.intervals(n=500, seed=42)["f1"] == result
    assert report.intervals(n=500, seed=43) != report.intervals(n=500, seed=42)


def test_the_seed_0_is_a_seed() -> None:
    counts = Counts({"a": list(range(50))})
    assert list(significance.samples(counts, 5, 0)) != list(significance.samples(counts, 5, 1))


def test_a_report_with_intervals() -> None:
    report = treescore.evaluate(GOLD, TEST, ["parseval|profile:none", "struct_iou"])
    result = report.with_intervals(n=50, seed=0, level=0.9)
    assert [score.interval for score in report.scores] == [None, None]
    assert [score.interval for score in result.scores] == [
        report.intervals(score.signature, n=50, seed=0, level=0.9)[score.main] for score in report.scores
    ]
    written = json.loads(result.to("json"))["scores"][0]["interval"]
    assert written["n"] == 50 and written["seed"] == 0 and written["unit"] == "sentence"
    assert written["signature"] == "ci:percentile|level:0.9|n:50|seed:0|unit:sentence"
    assert treescore.metric(result.scores[0].full_signature) == result.metrics[0]


@pytest.mark.parametrize("ci", [True, 0.9, {"n": 30, "method": "bca", "units": ["a", "a", "b"]}], ids=str)
def test_intervals_asked_for_with_the_score(ci: Any) -> None:
    report = treescore.evaluate(GOLD, TEST, "struct_iou", ci=ci)["struct_iou"]
    wanted = ci if isinstance(ci, dict) else {"level": ci} if ci != 1 else {}
    assert report.intervals == treescore.evaluate(GOLD, TEST, "struct_iou").intervals(**wanted)
    assert set(report.intervals) == set(report.figures)


def test_units_are_rows_added_up() -> None:
    """Documents by name are drawn as if their sentences had been one row; ids tell them, too."""
    report = treescore.evaluate(GOLD, TEST, "parseval|profile:none")
    metric, score = report.find()
    names = ["x", "y", "x"]
    rows = [score.counts.row(index) for index in range(3)]
    added = Counts({name: [rows[0][name] + rows[2][name], rows[1][name]] for name in rows[0]})
    expected = significance.intervals(metric, added, n=40, unit="document")
    given = report.intervals(n=40, units=names)
    assert {name: item.replace(unit="document") for name, item in given.items()} == expected
    assert {item.unit for item in given.values()} == {"document@f6e24ee5"}
    gold = treescore.Treebank(treescore.read(GOLD).native, ids=["d.1", "e.1", "d.2"])
    assert treescore.evaluate(gold, TEST, metric).intervals(n=40, unit="document") == expected


@pytest.mark.parametrize(
    ("ids", "options", "message"),
    [
        (None, {"unit": "document"}, "have no ids, so their document is unknown; give a file"),
        (["a", "b", "c"], {"unit": "side"}, "ids such as 'a' do not contain the side of a sentence"),
        (None, {"units": ["a", "b"]}, "one name per sentence: 2 names for 3 gold sentences"),
        (None, {"units": "abc"}, "one name per sentence: a string for 3 gold sentences"),
        (["x-1", "x-2", "c"], {"unit": "document"}, "ids such as 'c' do not contain the document"),
        (["x-1", "x-2", "x-3"], {"unit": "document"}, "all sentences belong to one document, 'x'"),
        (None, {"units": ["a", "a", "a"]}, "all sentences belong to one document, 'a'"),
        (None, {"units": ["a", "a", "b"], "unit": "sentence"}, "units group sentences"),
        (None, {"method": "student"}, "method must be one of percentile, bca, not 'student'"),
    ],
    ids=str,
)
def test_units_that_cannot_be_used(ids: list[str] | None, options: dict[str, Any], message: str) -> None:
    gold = treescore.Treebank(treescore.read(GOLD).native, ids=ids)
    with pytest.raises(treescore.UsageError, match=message):
        treescore.evaluate(gold, TEST).intervals(n=5, **options)


def test_rows_that_are_no_sentences_have_no_documents() -> None:
    report = treescore.evaluate(GOLD, TEST, "sparseval|unit:file")
    with pytest.raises(treescore.UsageError, match="the rows of sparseval are files and cannot be summed by side"):
        report.intervals(n=5, unit="side")
    with pytest.raises(treescore.UsageError, match="cannot be summed by sentence"):
        report.intervals(n=5, unit="sentence")


def test_blocks_of_two_systems_need_not_be_the_same() -> None:
    """One system joins two sentences: what both have are the three of gold as two blocks."""
    joined = ["(X (S (NP (NN a)) (VB b)) (S (NP (NN a))))", "(S (NN a) (NN b))"]
    both = treescore.compare(GOLD, {"A": TEST, "B": joined}, "aligned_parseval")
    assert [len(both[name].scores[0].counts) for name in "AB"] == [3, 2]
    result = both.test("A", "B")
    assert result.rows == 2 and result.unit == "block" and result.exact
    assert result.difference == both.difference("A", "B")


def test_documents_of_systems_that_join_sentences_otherwise() -> None:
    """A block that spans documents makes one of them, for both systems."""
    gold = [f"(S (NP (NN a{n})) (VB b{n}))" for n in range(6)]
    systems = {}
    for name, place in (("A", 0), ("B", 3)):
        trees = [tree.replace("NP", "X") if n == 5 else tree for n, tree in enumerate(gold)]
        trees[place : place + 2] = [f"(T {trees[place]} {trees[place + 1]})"]
        systems[name] = trees
    both = treescore.compare(gold, systems, "aligned_parseval")
    first, other, unit = both.paired_rows("A", "B", units=["d0", "d1", "d2", "d3", "d4", "d5"])
    assert first["gold_sentences"].tolist() == other["gold_sentences"].tolist() == [2, 1, 2, 1]
    assert unit.startswith("document@")
    result = summary(both, n=50, units=list("abcdef")).metrics[0].pairs[0]
    assert (result.wins, result.losses, result.ties) == (1, 1, 2)


def test_one_row_says_nothing_about_others() -> None:
    both = treescore.compare(GOLD[:1], {"A": GOLD[:1], "B": TEST[:1]}, "parseval|profile:none")
    result = both.test("A", "B", kind="bootstrap")
    assert (result.p, result.low, result.high, result.rows) == (None, None, None, 1)
    assert both.test("A", "B").p == 1.0


@pytest.mark.parametrize("kind", ["randomization", "bootstrap"])
@pytest.mark.parametrize(
    ("options", "message"),
    [({"level": 2}, "level must be"), ({"threads": 0}, "threads must"), ({"threads": "2"}, "threads must")],
    ids=str,
)
def test_options_are_checked_by_every_test(kind: str, options: dict[str, Any], message: str) -> None:
    both = treescore.compare(GOLD, {"A": GOLD, "B": TEST}, "parseval|profile:none")
    with pytest.raises(ValueError, match=message):
        both.test("A", "B", kind=kind, n=50, **options)


@pytest.mark.parametrize("ci", ["bca", {"threads": 3}, [3]], ids=str)
def test_intervals_that_nobody_can_make(ci: Any) -> None:
    with pytest.raises(treescore.UsageError, match="or a dict of method, level, n"):
        treescore.evaluate(GOLD, TEST, ci=ci)
    assert treescore.evaluate(GOLD, TEST, ci=None)["parseval"].interval is None


def test_systems_called_as_outcomes_are() -> None:
    both = treescore.compare(GOLD, {"A": GOLD, "equal": TEST}, "parseval|profile:none")
    with pytest.raises(treescore.UsageError, match="like that of an outcome"):
        both.wins("A", "equal")
    assert both.outcomes("A", "equal") == (2, 0, 1, 0)
    assert "equal" in both._repr_html_()


def test_letters_that_nobody_could_read() -> None:
    names = [f"s{number}" for number in range(28)]
    with pytest.raises(treescore.UsageError, match="more than 1,000 letters would be needed"):
        significance.letters(names, list(zip(names[::2], names[1::2], strict=True)))
    for pair in (("s1", "x"), ("s1", "s1")):
        with pytest.raises(treescore.UsageError, match="are not two of the systems"):
            significance.letters(names, [pair])


@pytest.mark.parametrize(
    ("signature", "unit"),
    [("aligned_parseval", "block"), ("sparseval|unit:file", "file"), ("dependencies|unit:file", "sentence")],
)
def test_what_is_drawn(signature: str, unit: str) -> None:
    interval = treescore.evaluate(GOLD, TEST, signature).intervals(n=5)
    assert {item.unit for item in interval.values()} == {unit}


def test_documents_are_drawn_as_documents() -> None:
    tree = ["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.80]]]
    report = treescore.evaluate_speech([tree], [tree], unit="document")
    assert {item.unit for item in report.intervals(n=5).values()} == {"document"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "level must be between 0 and 1"),
        ({"level": "high"}, "level must be between"),
        ({"n": 0}, "number of samples must be a whole number from 1"),
        ({"n": 1.5}, "number of samples"),
        ({"n": 10**12}, "number of samples must be at most 10,000,000"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"seed": 1 << 64}, "seed must be"),
        ({"figure": "f2"}, "parseval has no figure 'f2'; known: f1, "),
    ],
    ids=str,
)
def test_options_that_cannot_be_used(options: dict[str, Any], message: str) -> None:
    metric, score = treescore.evaluate(GOLD, TEST).find()
    with pytest.raises(treescore.UsageError, match=message):
        significance.interval(metric, score.counts, **options)


def test_sums_have_no_interval() -> None:
    metric, score = treescore.evaluate(GOLD, TEST).find()
    with pytest.raises(treescore.UsageError, match="these have only sums"):
        significance.interval(metric, score.counts.collapsed())


def test_columns_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="unequal length"):
        _core.sum_samples([bytes(8), bytes(16)], 1, 1, 1)
    with pytest.raises(ValueError, match="another kind of numbers"):
        _core.sum_samples([bytes(7)], 1, 1, 1)
    assert _core.sum_samples([], 5, 1, 1) == []
    assert _core.sum_samples([b""], 2, 1, 1) == [bytes(16)]
