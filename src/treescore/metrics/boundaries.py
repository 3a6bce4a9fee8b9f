"""Boundaries of words in time: do the words of test begin and end where those of gold do, whatever words they are?

A boundary is an instant at which a word starts or ends. One of gold and one of test are a hit if they are at most
`tolerance` seconds apart; each is used once, and there are as many hits as possible. The R-value (Räsänen, Laine and
Altosaar 2009) is low for recognisers with many hits that insert boundaries everywhere.

>>> import treescore
>>> gold = treescore.read([["NP", [["DT", 0.0, 0.2], ["JJ", 0.2, 0.7], ["NN", 0.7, 1.0]]]])
>>> test = treescore.read([["NP", [["DT", 0.0, 0.21], ["NN", 0.21, 1.0]]]])
>>> metric = Boundaries()
>>> score = metric.score(metric.counts(treescore.Pair(gold, test)))
>>> {name: round(part.value, 4) for name, part in score.figures.items()}
{'f1': 0.6667, 'precision': 1.0, 'recall': 0.5, 'over_segmentation': -0.5, 'r_value': 0.6464, 'exact': 0.0}
"""

from __future__ import annotations

from functools import cached_property
from math import inf, sqrt

from .. import _core
from .._core import NodeReason
from ..place.axis import SECONDS
from ..values.counts import Counts
from ..values.option import Flag, Number
from ..values.score import Part
from ..words.interpolation import ROUNDING
from .base import Metric
from .nodes import REASONS, WORD_REASONS
from .ratios import Ratio, rates, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..place.pair import Pair
    from ..values.problem import Problem

TOLERANCE = Number(
    "tolerance",
    0.02,  # the usual one for boundaries of phones and words
    "boundaries up to {} seconds apart are a hit",
    expects="a number of seconds from 0",
    allows=lambda seconds: 0 <= seconds < inf,
    is_always_written=True,
)
EDGES = Flag(
    "edges",
    False,
    choices={
        "yes": "the beginning of the first word and the end of the last count",
        "no": "the beginning of the first word and the end of the last do not count",
    },
    is_always_written=True,
)

_REASONS = {**WORD_REASONS, NodeReason.NO_TIMES: REASONS[NodeReason.NO_TIMES]}


class Boundaries(Metric):
    """Precision, recall, F1 and R-value of the boundaries between words.

    >>> Boundaries(tolerance=0.05, edges=True).signature
    'boundaries|tolerance:0.05|edges:yes|v:0.2.0.dev0'
    """

    name = "boundaries"
    cites = ("rasanen-etal-2009-improved",)
    axis = SECONDS
    takes_discontinuous = True
    error_rates = ("over_segmentation",)
    signed = ("over_segmentation", "r_value")
    gold_unit = "boundaries"
    group_figures = ("f1", "precision", "recall")
    without_all = ("over_segmentation", "r_value")

    options = (TOLERANCE, EDGES)
    tolerance: float
    edges: bool

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        for bank in (pair.gold, pair.test):
            bank.check_times("boundaries are compared in trees with times only")
        return Counts.of_rows(
            _core.boundary_rows(
                pair.gold.native, pair.test.native, self.tolerance, self.edges, ROUNDING, threads, progress
            )
        )

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        return {
            **rates("Boundary", "hits"),
            "over_segmentation": Ratio("Over-segmentation", {"test": 1, "gold": -1}, {"gold": 1}),
            "exact": share("All boundaries right", "exact", "valid"),
        }

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        figures = super().figures(total)
        exact = figures.pop("exact")
        value = r_value(total["hits"], total["gold"], total["test"])
        return {**figures, "r_value": Part("R-value", value, below=total["gold"], unit="boundary"), "exact": exact}

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        columns = self.row_columns(counts, "f1", "precision", "recall")
        return {**columns, **{name: list(counts[name]) for name in ("hits", "gold", "test", "exact")}}

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        return [
            pair.test.problem(index, *_REASONS[reason])
            for index, reason in enumerate(counts["reason"])
            if reason in _REASONS
        ]


def r_value(hits: int, gold: int, test: int) -> float | None:
    """The R-value: how near recall is to 1, and the number of test boundaries to that of gold.

    It is 1 if all boundaries are right, and negative if test has far too many. Without gold boundaries it is None.

    >>> r_value(10, 10, 10), round(r_value(10, 10, 20), 4), round(r_value(10, 10, 40), 4)
    (1.0, 0.1464, -1.5607)
    """
    if not gold:
        return None
    missed, surplus = 1 - hits / gold, test / gold - 1
    return 1 - (sqrt(missed * missed + surplus * surplus) + abs(surplus + missed) / sqrt(2)) / 2
