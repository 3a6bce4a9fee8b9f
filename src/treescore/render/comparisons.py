"""Comparisons of systems in a notebook."""

from __future__ import annotations

from .grids import Grid, in_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..evaluation import Comparison
    from .grids import Cell


def as_html(comparison: Comparison) -> str:
    """A table for each metric: the main figure of each system, and on how many sentences it is better than the first.

    >>> import treescore
    >>> gold = "(S (X (NN a)))\\n(S (NN b))"
    >>> found = treescore.compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"})
    >>> as_html(found).count("<tr>")
    3
    """
    names = list(comparison.reports)
    first = comparison[names[0]]
    grids = []
    for metric, score in zip(first.metrics, first.scores, strict=True):
        rows: list[list[Cell]] = []
        for name in names:
            own = comparison[name][score.signature]
            better: list[Cell] = [None] * 4
            if name != names[0] and metric.pairs_trees:
                wins = comparison.wins(name, names[0], score.signature)
                better = [wins[name], wins["equal"], wins[names[0]], wins["undefined"]]
            rows.append([name, own.figures[own.main], *better])
        header = ["system", score.figures[score.main].title, f"better than {names[0]}", "equal", "worse", "no score"]
        notes = [score.signature]
        grids.append(Grid(f"{len(names)} systems against {first.gold.source.name or 'gold'}", header, rows, notes))
    return in_form(grids, "html")
