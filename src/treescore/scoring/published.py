"""The scores of the same files by every profile, and the figures that agree with a published number.

>>> import treescore
>>> pair = treescore.Pair(treescore.read("(S (NP (NN a)) (VP (VB b)))"), treescore.read("(S (NP (NN a)) (NP (VB b)))"))
>>> profiles, reasons = applicable(pair)
>>> len(profiles), list(reasons)
(24, ['av-nsl'])
"""

from __future__ import annotations

from ..profiles import PROFILES
from ..values.problem import UsageError
from ..values.score import ALL, with_all
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..metrics.base import Metric
    from ..place.pair import Pair
    from ..values.score import Part, Score
    from .report import Report

_NEAREST = 3  # figures that are shown if none agrees
_TIE = 1e-9  # a figure half-way between two printed values may be printed as either


def signature_of(profile: str) -> str:
    """The signature that names a profile.

    >>> signature_of("prpn")
    'parseval|profile:prpn'
    """
    return f"parseval|profile:{profile}"


def applicable(pair: Pair) -> tuple[list[str], dict[str, str]]:
    """The profiles by which a pair can be scored, and for the others the reasons why it cannot."""
    reasons = {}
    for name, recipe in PROFILES.items():
        if recipe.words != "aligned":
            continue
        if pair.gold.references:
            reasons[name] = "takes one gold tree per sentence"
        elif pair.test.partners is None and not pair.is_timed:
            reasons[name] = "needs an alignment of words (--alignment FILE) or times on both sides"
    return [name for name in PROFILES if name not in reasons], reasons


def by_profile(report: Report) -> dict[str, tuple[Metric, Score]]:
    """The scores of a report by the profiles of their metrics."""
    return {getattr(metric, "profile", ""): (metric, score) for metric, score in report.pairs()}


class Match(Value):
    """A figure of a score, such as `f1` or `f1_all`, and its distance in percent from a published number."""

    profile: str
    score: Score
    figure: str
    part: Part
    distance: float
    agrees: bool


def matches(report: Report, published: str) -> list[Match]:
    """The F1 figures that round to a published number, or the nearest ones; headlines first, then in order of profiles.

    The number is in percent, or below 1 a fraction, with as many digits as are to agree.

    >>> import treescore
    >>> trees = "(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (NP (VB b)))"
    >>> report = treescore.evaluate(*trees, ["parseval|profile:collins", "parseval|profile:prpn"])
    >>> [(match.profile, match.figure) for match in matches(report, "66.7")]
    [('collins', 'f1'), ('collins', 'sentence_f1')]
    """
    wanted, digits = parsed(published)
    tolerance = 0.5 * 10.0**-digits + _TIE
    figures = []
    for profile, (_, score) in by_profile(report).items():
        parts = with_all(score.figures, score.all_figures if score.is_partial else {})
        for name, part in parts.items():
            if name.removesuffix(ALL).endswith("f1") and part.shown_value is not None:
                distance = abs(part.shown_value - wanted)
                figures.append(Match(profile, score, name, part, distance, distance <= tolerance))
    agreeing = [match for match in figures if match.agrees]
    if agreeing:
        return sorted(agreeing, key=lambda match: match.figure != match.score.main)
    return sorted(figures, key=lambda match: match.distance)[:_NEAREST]


def parsed(published: str) -> tuple[float, int]:
    """A number in percent and its digits behind the point.

    >>> parsed("79.80"), parsed("0.798"), parsed("80")
    ((79.8, 2), (79.8, 1), (80.0, 0))
    """
    whole, _, decimals = published.partition(".")
    if not (f"{whole}{decimals}".isascii() and f"{whole}{decimals}".isdecimal()):
        raise UsageError(f"{published!r} is not a published figure such as 79.8")
    value = float(published)
    if 0 < value < 1:
        return float(f"{published}e2"), len(decimals) - 2  # a product would not be exact
    if value > 100:
        raise UsageError(f"{published!r} is not a figure in percent")
    return value, len(decimals)
