"""Views of choices from n-best lists, and of their scores against gold trees."""

from __future__ import annotations

from .._version import __version__
from ..helpers.text import number_of
from ..nbest.curves import SYSTEMS
from ..values.value import Value
from .grids import Grid, problem_notes
from .nested_trees import jsonl_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from ..nbest.curves import Curves
    from ..nbest.risk import Choice
    from ..trees import Treebank
    from ..values.problem import Problem
    from .grids import Cell


class ChoiceView(Value):
    """The contents of a choice; with `distribution`, also of all distinct candidates."""

    choice: Choice
    distribution: bool = False

    def trees(self) -> list[str]:
        """The chosen tree on a line; an empty tree if there is none."""
        return [f"{next(self.choice.bank.lines(), '()')}\n"]

    def records(self) -> list[dict[str, Any]]:
        """Everything known about the choice."""
        choice = self.choice
        names = ("id", "rank", "expected", "candidates", "distinct")
        record = {**{name: getattr(choice, name) for name in names}, "tree": _tree(choice.bank)}
        if self.distribution:
            record["distribution"] = [
                {"rank": each.rank, "weight": each.weight, "expected": each.expected, "tree": str(each.tree)}
                for each in choice.distribution()
            ]
        if choice.problems:
            record["problems"] = [problem.values() for problem in choice.problems]
        return [record]


def _tree(bank: Treebank) -> object:
    """The tree in brackets, or as a nested list if it has times."""
    if len(bank) and bank.native.has_times():
        import json

        return json.loads(next(iter(jsonl_lines(bank))))["tree"]
    return next(bank.lines(), None)


def shown_sizes(most: int) -> Iterator[int]:
    """The numbers of candidates that are rows of a table.

    >>> list(shown_sizes(50)), list(shown_sizes(7))
    ([1, 2, 3, 4, 5, 10, 20, 50], [1, 2, 3, 4, 5, 7])
    """
    step = 1
    yield from range(1, min(most, 4) + 1)
    while step < most:
        for size in (step, 2 * step, 5 * step):
            if 4 < size < most:
                yield size
        step *= 10
    if most > 4:
        yield most


class CurvesView(Value):
    """The scores of the first, the chosen and the best candidates, by length of the lists."""

    curves: Curves
    settings: str
    problems: Sequence[Problem]

    def tables(self) -> list[Grid]:
        """A table with rows for some lengths of the lists."""
        curves = self.curves
        notes = [
            f"{number_of(curves.lists, 'list')} of up to {number_of(curves.most, 'candidate')}; "
            f"weights: {self.settings}",
            "expected: the mean expected score of the chosen candidates, by the lists themselves; others: against gold",
            curves.metric.signature,
            *problem_notes(self.problems),
        ]
        return [self._grid(shown_sizes(curves.most), notes)]

    def rows(self) -> list[list[Cell]]:
        """A row for each length of the lists."""
        return self._grid(range(1, self.curves.most + 1), []).with_header()

    def _grid(self, sizes: Iterable[int], notes: list[str]) -> Grid:
        rows: list[list[Cell]] = [[str(n), *self.curves.at(n).values()] for n in sizes]
        header = ["n", "expected", *SYSTEMS.values()]
        return Grid(f"{title(self.curves)} of the first n candidates", header, rows, notes)

    def data(self) -> dict[str, Any]:
        """The scores, also for each length of the lists."""
        curves = self.curves
        return {
            "treescore": __version__,
            "signature": curves.metric.signature,
            "weights": self.settings,
            "lists": curves.lists,
            "scores": curves.at(curves.most),
            "curve": [{"n": n, **scores} for n, scores in curves.table()],
            "problems": [problem.values() for problem in self.problems],
        }


def title(curves: Curves) -> str:
    """The name of the figures."""
    score = curves.score("first")
    name = score.figures[score.main].title
    return f"{name} over all sentences" if score.is_partial else name


def in_words(curves: Curves) -> str:
    """The scores in one line."""
    scores = curves.at(curves.most)
    shown = ((name, scores[key]) for key, name in SYSTEMS.items())
    parts = ", ".join(f"{name} {'–' if value is None else f'{100 * value:.2f}'}" for name, value in shown)
    return f"{title(curves)} against gold: {parts} ({curves.metric.signature})"
