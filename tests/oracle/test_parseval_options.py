"""The options of PARSEVAL against the plain Python model: each profile, random combinations, and alignments."""

from __future__ import annotations

from random import Random

import pytest
from oracle.conventions import CONVENTIONS, read
from oracle.option_inputs import random_pair, random_recipe, tree_over
from oracle.parseval_options import score

import treescore
from treescore.place.word_partners import partners_by_times

COLUMNS = ("valid", "excluded", "failed", "matched", "gold", "test", "unlabelled", "crossing", "exact")
#: Their rules are in other tests: alignments below, and quotation marks that are put back.
OTHERS = {"av-nsl", "benepar"}
LOSE_WORDS = {"corenlp", "corenlp-4.5.2", "stanza"}
#: Figures of the oracle of conventions under their names in the report.
NAMES = {
    "lf": "f1",
    "lp": "precision",
    "lr": "recall",
    "lcm": "exact",
    "ucm": "unlabelled_exact",
    "uf": "unlabelled_f1",
}


def check(seed: int, recipe: treescore.Recipe | None = None) -> int:
    """Compare the score of random pairs; returns their number."""
    rng = Random(seed)
    pairs = [random_pair(rng) for _ in range(rng.randint(1, 4))]
    gold, test = [gold for gold, _ in pairs], [test for _, test in pairs]
    recipe = recipe or random_recipe(rng)
    expected = score(gold, test, recipe)
    report = treescore.evaluate(gold, test, recipe)
    actual = report.scores[0]
    total = actual.counts.total()
    context = seed, recipe, gold, test
    assert {name: total[name] for name in COLUMNS} == {name: expected.total[name] for name in COLUMNS}, context
    for name, value in expected.figures.items():
        if name in actual.parts:
            assert actual.parts[name] == (value if value is None else pytest.approx(value)), (name, *context)
    assert actual.value == actual.parts["sentence_f1" if recipe.average == "sentence" else "f1"]
    named: dict[str, list[int]] = {}
    for label, row in report.breakdown("label").items():
        if row["recall"].below:
            others = {it for pair in recipe.equal if label in pair for it in pair}
            entry = named.setdefault(min({label, *others}), [0, 0])
            entry[0] += row["recall"].above or 0
            entry[1] += row["recall"].below
    assert named == expected.by_label, context
    return len(pairs)


@pytest.mark.parametrize("block", range(10))
def test_random_options(block: int) -> None:
    for seed in range(block * 60, block * 60 + 60):
        check(seed)


@pytest.mark.parametrize("profile", sorted(treescore.PROFILES.keys() - OTHERS))
def test_profiles(profile: str) -> None:
    for seed in range(60):
        check(seed, treescore.PROFILES[profile])


@pytest.mark.parametrize("profile", sorted(CONVENTIONS.keys() - OTHERS - {"fast-r2d2"}))
def test_conventions(profile: str) -> None:
    """The headline of random trees, where the program behind the profile has no exception."""
    labelled = profile in ("supar", "hanlp", "allennlp", "pyevalb", *LOSE_WORDS)
    for seed in range(150):
        rng = Random(seed)
        pairs = [random_pair(rng) for _ in range(rng.randint(1, 4))]
        gold, test = [gold for gold, _ in pairs], [test for _, test in pairs]
        same_size = all(len(read(first).words) == len(read(other).words) for first, other in pairs)
        if not labelled and not same_size:
            continue
        options = {"loses_words": False} if profile in LOSE_WORDS else {}
        answer = CONVENTIONS[profile](gold, test, **options)
        if answer.stops:
            continue
        parts = treescore.evaluate(gold, test, f"parseval|profile:{profile}").scores[0].parts
        for name, value in answer.figures.items():
            if isinstance(value, float) and NAMES.get(name, name) in parts:
                result = parts[NAMES.get(name, name)]
                assert result == pytest.approx(value, abs=2e-6), (name, seed, gold, test)


def test_alignments_of_words() -> None:
    for seed in range(200):
        rng = Random(seed)
        gold: list[str] = []
        test: list[str] = []
        alignment = []
        for _ in range(rng.randint(1, 4)):
            sizes = [rng.randint(1, 7) for _ in range(2)]
            for side, size in zip((gold, test), sizes, strict=True):
                side.append(tree_over(rng, [("NN", "a")] * size))
            pairs = rng.randint(0, min(sizes))
            chosen = [sorted(rng.sample(range(size), pairs)) for size in sizes]
            alignment.append(list(zip(*chosen, strict=True)))
        expected = CONVENTIONS["av-nsl"](gold, test, alignment).figures
        actual = treescore.evaluate(gold, test, "parseval|profile:av-nsl", alignment=alignment).scores[0]
        assert actual.value == pytest.approx(expected["f1"]), (seed, gold, test, alignment)
        assert actual.parts["sentence_f1"] == pytest.approx(expected["sentence_f1"])


def test_partners_by_times_are_the_best() -> None:
    """Against all alignments of one to one, on short sequences of intervals that do not overlap."""

    def common(first: tuple[float, float], other: tuple[float, float]) -> float:
        return max(0.0, min(first[1], other[1]) - max(first[0], other[0]))

    def best(gold: list[tuple[float, float]], test: list[tuple[float, float]]) -> float:
        if not gold:
            return 0.0
        rest = [common(gold[0], other) + best(gold[1:], test[:n] + test[n + 1 :]) for n, other in enumerate(test)]
        return max(best(gold[1:], test), *rest) if rest else 0.0

    rng = Random(7)
    for _ in range(200):
        sides = []
        for _ in range(2):
            ends = sorted(rng.sample(range(20), 2 * rng.randint(1, 4)))
            sides.append([(float(a), float(b)) for a, b in zip(ends[::2], ends[1::2], strict=True)])
        partners = partners_by_times(*sides)
        result = sum(common(sides[0][word], sides[1][partner]) for word, partner in enumerate(partners) if partner >= 0)
        assert result == best(*sides)
        assert len({it for it in partners if it >= 0}) == sum(it >= 0 for it in partners)
