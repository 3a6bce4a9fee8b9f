"""Agreement of annotators against plain definitions, against figures from the literature, and by laws."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from oracle import agreement as model
from oracle.test_discontinuous import make_pair as make_gapped_pair, read as read_gapped
from strategies import RANDOMS, Phrase, changed, make_tree, make_words, read_lines, write

import treescore
from treescore.analysis.annotators import comparing
from treescore.analysis.annotators.chance import Units, alpha, kappa
from treescore.analysis.annotators.results import Agreement

RULES = {"collins": model.COLLINS, "none": model.NONE}
NAMES = ("A", "B", "C", "D")
TREES_OF = st.tuples(RANDOMS, st.integers(2, 4), st.integers(1, 3))


def make(rng: Random, annotators: int, sentences: int) -> list[list[Phrase]]:
    """Annotations of the same sentences; now and then of other ones."""
    trees = [make_tree(rng, make_words(rng, 5, odd=0.1), odd=0.1) for _ in range(sentences)]
    other = make_tree(rng, make_words(rng, 5))
    return [[changed(rng, other if rng.random() < 0.1 else tree) for tree in trees] for _ in range(annotators)]


def agreed(annotations: Sequence[Sequence[Phrase]], names: Sequence[str] = NAMES, **options: Any) -> Agreement:
    banks = {
        name: read_lines("".join(write(tree) + "\n" for tree in trees))
        for name, trees in zip(names, annotations, strict=False)
    }
    return treescore.agreement(banks, **{"intervals": False, **options})


def same(actual: float | None, expected: Fraction | None) -> bool:
    return actual is None if expected is None else actual == pytest.approx(float(expected), abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(TREES_OF, st.sampled_from(sorted(RULES)))
def test_against_model(result: tuple[Random, int, int], profile: str) -> None:
    check(make(*result), profile)


@pytest.mark.long
def test_against_model_at_length() -> None:
    rng = Random(7)
    for _ in range(150):
        check(make(rng, rng.randint(2, 4), rng.randint(1, 3)), rng.choice(sorted(RULES)))


def check(annotations: list[list[Phrase]], profile: str) -> None:
    """Compare all figures that are corrected for chance with those of the model."""
    expected = model.agreement(annotations, RULES[profile])
    actual = agreed(annotations, profile=profile)
    assert actual.compared == sum(map(bool, expected.groups))
    for a, b in combinations(range(len(annotations)), 2):
        figures = actual.figures(NAMES[a], NAMES[b])
        for name, value in zip(("kappa_tags", "kappa_labels"), expected.kappas(a, b), strict=True):
            assert same(figures[name].value, value), (name, value)
    figures = actual.figures()
    for name, value in zip(("alpha_tags", "alpha_labels", "alpha_trees"), expected.alphas(), strict=True):
        assert same(figures[name].value, value), (name, value)
    for it in actual.labels:
        assert same(it.alpha, expected.alpha_of_label(it.label)), it


@settings(max_examples=8, deadline=None)
@given(TREES_OF)
def test_tables_fit_together(actual: tuple[Random, int, int]) -> None:
    annotations = make(*actual)[:2]
    result = agreed(annotations, ("A", "B"))
    report = result.reports["A", "B"]
    total = report.scores[0].counts.total()
    assert [sum(it.counts[side] for it in result.labels) for side in (0, 1)] == [total["gold"], total["test"]]
    assert sum(it.both for it in result.labels) == total["matched"]
    assert sum(it.both for it in result.tags) == total["tags"]
    lost = [sum(it.count for it in result.disagreements if it.labels[side] is not None) for side in (0, 1)]
    assert lost == [total["gold"] - total["matched"], total["test"] - total["matched"]]


@pytest.mark.parametrize("seed", range(4))
def test_phrases_with_gaps(seed: int) -> None:
    rng = Random(seed)
    pairs = [make_gapped_pair(rng, gaps=0.5) for _ in range(8)]
    banks = [read_gapped([pair[side] for pair in pairs]) for side in (0, 1)]
    agreement_report = treescore.agreement(banks, profile="none", intervals=False)
    total = agreement_report.reports[agreement_report.pairs[0]].scores[0].counts.total()
    assert [sum(it.counts[side] for it in agreement_report.labels) for side in (0, 1)] == [total["gold"], total["test"]]
    common = 0
    for trees in zip(*banks, strict=True):
        sets = [{span.positions or tuple(range(span.start, span.end)) for span in tree.spans()} for tree in trees]
        if trees[0].leaves == trees[1].leaves:
            common += len(sets[0] & sets[1])
    assert agreement_report.figures()["same_labels"].below == common


def values_of(result: Agreement) -> dict[str, float | None]:
    return {name: it.value for name, it in result.figures().items()}


@settings(max_examples=8, deadline=None)
@given(TREES_OF, st.sampled_from(("collins", "none", "spmrl")))
def test_order_of_annotators_and_sentences(actual: tuple[Random, int, int], profile: str) -> None:
    annotations = make(*actual)
    # Where two groups of annotators have different words, the first one counts: that is the only order that matters.
    texts = [[tuple(w.text for w in model.words_of([tree])) for tree in trees] for trees in annotations]
    if len({tuple(text) for text in texts}) > 1 and len(annotations) > 3:
        annotations = [annotations[0]] * 4
    expected = values_of(agreed(annotations, profile=profile))
    swapped = values_of(agreed(annotations[::-1], profile=profile))
    turned = values_of(agreed([trees[::-1] for trees in annotations], profile=profile))
    for name, value in expected.items():
        assert swapped[name] == (None if value is None else pytest.approx(value, abs=1e-12)), name
        assert turned[name] == (None if value is None else pytest.approx(value, abs=1e-12)), name


@settings(max_examples=8, deadline=None)
@given(RANDOMS)
def test_of_an_annotator_with_himself(rng: Random) -> None:
    [annotation] = make(rng, 1, 3)
    result = agreed([annotation] * 3)
    for name, figure in result.figures().items():
        assert figure.value in (None, 0.0 if name == "edits" else 1.0), name
    assert not result.disagreements
    assert not result.lowest()


def test_swapped_pair_has_the_same_scores_and_transposed_disagreements() -> None:
    annotations = make(Random(5), 2, 6)
    first, other = agreed(annotations), agreed(annotations[::-1])
    assert values_of(first) == pytest.approx(values_of(other))
    transposed = {(*reversed(it.labels), it.count) for it in other.disagreements}
    assert {(*it.labels, it.count) for it in first.disagreements} == transposed
    assert first.shares("A", "B").value == other.shares("B", "A").value


def test_cohen() -> None:
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert kappa(35, {"y": 25, "n": 25}, {"y": 30, "n": 20}) == 0.4
    assert model.kappa(pairs) == Fraction(2, 5)
    assert kappa(3, {"y": 3}, {"y": 3}) is None
    assert kappa(0, {}, {}) is None
    assert kappa(0, {"y": 1, "n": 1}, {"y": 1, "n": 1}) == -1


#: Krippendorff's examples of nominal data: two observers, and four with missing values.
TWO = ["0100000010", "1110010000"]
FOUR = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]


@pytest.mark.parametrize(("data", "expected"), [(TWO, 0.095), (FOUR, 0.743)])
def test_krippendorff(data: list[str], expected: float) -> None:
    units = Units("unit", annotators=len(data), sentences=1)
    values = []
    for column in zip(*data, strict=True):
        given_by = [number for number, value in enumerate(column) if value != "."]
        values.append([column[number] for number in given_by])
        if len(given_by) > 1:
            units.add(0, given_by, [(column[number],) for number in given_by])
    metric, counts = units.all("values")
    actual = metric.score(counts).value
    assert actual is not None
    assert round(actual, 3) == expected
    assert same(actual, model.alpha(values))


def test_alpha_of_nothing() -> None:
    assert alpha(0, {}) is None
    assert alpha(0, {"x": 4}) is None
    assert alpha(2, {"x": 1, "y": 1}) == 0


def test_alpha_of_chance_is_near_zero() -> None:
    rng = Random(1)
    units = Units("word", annotators=3, sentences=1)
    for _ in range(4_000):
        units.add(0, (0, 1, 2), [(rng.choice("aaabbc"),) for _ in range(3)])
    metric, counts = units.all("tags")
    assert abs(metric.score(counts).value or 1) < 0.02
    assert all(abs(value or 1) < 0.03 for value in units.alphas().values())
    metric, counts = units.pair("tags", 0, 2)
    assert abs(metric.score(counts).value or 1) < 0.03


def test_drawn_pairs_are_near_all_of_them_and_treat_annotators_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(3)
    trees = [make_tree(rng, make_words(rng, 6)) for _ in range(40)]
    annotations = [[changed(rng, tree) for tree in trees] for _ in range(3)]
    whole = agreed(annotations)
    assert whole.expected.exact
    monkeypatch.setattr(comparing, "MAX_PAIRS", 1_800)
    drawn = [agreed([annotations[place] for place in order], seed=4) for order in permutations(range(3))]
    assert [0 < it.expected.pairs <= 1_800 for it in drawn] == [True] * 6
    assert len({it.figures()["alpha_trees"].value for it in drawn}) == 1
    assert not drawn[0].expected.exact
    assert drawn[0].figures()["alpha_trees"].value == pytest.approx(whole.figures()["alpha_trees"].value, abs=0.05)
    assert agreed(annotations, seed=5).figures() != drawn[0].figures()


def test_intervals_hold_the_figures() -> None:
    result = agreed(make(Random(8), 2, 12), intervals=True, n=200)
    for name, it in result.figures().items():
        if it.value is not None:
            assert it.low is not None, name
            assert it.high is not None, name
            assert it.low <= it.value <= it.high, name
    assert result.figures() == agreed(make(Random(8), 2, 12), intervals=True, n=200).figures()


def test_intervals_of_documents() -> None:
    trees = ["(S (NN a) (VB b))", "(S (NP (NN a)) (VB b))"] * 4
    agreement_report = treescore.agreement([trees, trees[::-1]], units=["one"] * 4 + ["two"] * 4, n=50)
    f1 = agreement_report.figures()["f1"]
    assert f1.value == f1.low == f1.high  # both documents have the same
    assert agreement_report.reports[agreement_report.pairs[0]].scores[0].intervals["f1"].unit == "document@0749d6b2"


def test_too_many_cells_for_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treescore.analysis.annotators.chance.MAX_CELLS", 0)
    result = agreed(make(Random(8), 2, 12), intervals=True, n=20)
    plain = agreed(make(Random(8), 2, 12))
    assert result.figures()["kappa_tags"].value == plain.figures()["kappa_tags"].value
    assert result.figures()["kappa_tags"].low is None
    assert result.figures()["f1"].low is not None
    assert [problem.code for problem in result.problems][-1] == "intervals"


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        ("(S (NN a))", "takes several annotations"),
        (["(S (NN a))"], "from 2 to 20 annotators, not 1"),
        ([["(S (NN a))"]] * 21, "from 2 to 20 annotators, not 21"),
    ],
)
def test_how_many(annotations: Any, message: str) -> None:
    with pytest.raises(treescore.UsageError, match=message):
        treescore.agreement(annotations)


def test_twenty_annotators_and_no_sentences() -> None:
    trees = ["(S (NP (NN a)) (VB b))", "(S (NN a) (VB b))"]
    agreement_report = treescore.agreement([trees[number % 2] for number in range(20)], intervals=False)
    assert len(agreement_report.pairs) == 190
    assert agreement_report.figures()["alpha_tags"].value == 1
    assert agreement_report.figures()["alpha_trees"].value == pytest.approx(0, abs=1e-12)
    assert all(it.value is None for it in treescore.agreement(["", ""], n=10).figures().values())
