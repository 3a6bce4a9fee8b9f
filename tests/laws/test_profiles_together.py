"""Laws of the scores by every profile: they are those of the metrics of that name, and any figure is found again."""

from __future__ import annotations

from random import Random

import pytest
from strategies import banks, make_pairs

import treescore
from treescore.profiles import PROFILES
from treescore.scoring.evaluation import score_pairs
from treescore.scoring.published import applicable, by_profile, matches, signature_of
from treescore.scoring.report import Report
from treescore.values.score import ALL, with_all


def scored(seed: int) -> tuple[treescore.Pair, Report]:
    pair = treescore.Pair(*banks(make_pairs(Random(seed), 12, sound=seed % 2 == 0)))
    return pair, score_pairs({"": pair}, [signature_of(name) for name in applicable(pair)[0]])[""]


@pytest.mark.parametrize("seed", range(4))
def test_together_as_alone(seed: int) -> None:
    pair, report = scored(seed)
    scores = by_profile(report)
    names, reasons = applicable(pair)
    assert sorted([*names, *reasons]) == sorted(PROFILES)
    assert list(scores) == names
    for name, (_, score) in scores.items():
        (alone,) = treescore.evaluate(pair.gold, pair.test, signature_of(name)).scores
        assert (score.signature, score.parts, score.coverage) == (alone.signature, alone.parts, alone.coverage)


@pytest.mark.parametrize("digits", range(4))
@pytest.mark.parametrize("seed", range(4))
def test_a_printed_figure_is_found(seed: int, digits: int) -> None:
    _, report = scored(seed)
    for name, (_, score) in by_profile(report).items():
        for figure, part in with_all(score.figures, score.all_figures if score.is_partial else {}).items():
            if figure.removesuffix(ALL).endswith("f1") and part.shown_value is not None:
                result = matches(report, f"{part.shown_value:.{digits}f}")
                assert (name, figure) in [(match.profile, match.figure) for match in result if match.agrees]
