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
    """The contents of a choice; with `distribution`, of all candidates that differ as well."""

    choice: Choice
    distribution: bool = False

    def trees(self) -> list[str]:
        """The chosen tree on a line; an empty one where there is none."""
        return [f"{next(self.choice.bank.lines(), '()')}\n"]

    def records(self) -> list[dict[str, Any]]:
        """All that is known of the choice."""
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
    """In brackets, or as a nested list if there are times, which brackets do not have."""
    if len(bank) and bank.native.has_times():
        import json

        return json.loads(next(iter(jsonl_lines(bank))))["tree"]
    return next(bank.lines(), None)


def shown_sizes(most: int) -> Iterator[int]:
    """The numbers of candidates that a table shows.

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
    """The scores of the first candidates, of the chosen and of the best ones, and how they grow with the lists."""

    curves: Curves
    settings: str
    problems: Sequence[Problem]

    def tables(self) -> list[Grid]:
        """A table with a row for some lengths of the lists."""
        curves = self.curves
        notes = [
            f"{number_of(curves.lists, 'list')} of up to {number_of(curves.most, 'candidate')}; "
            f"weights: {self.settings}",
            "expected: by the lists themselves, the mean of what their choices score; the others: against gold",
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
        """The scores, and those of each length of the lists."""
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
    """What the figures are called."""
    score = curves.score("first")
    name = score.figures[score.main].title
    return f"{name} over all sentences" if score.is_partial else name


def in_words(curves: Curves) -> str:
    """The scores in one line."""
    found = curves.at(curves.most)
    shown = ((name, found[key]) for key, name in SYSTEMS.items())
    parts = ", ".join(f"{name} {'–' if value is None else f'{100 * value:.2f}'}" for name, value in shown)
    return f"{title(curves)} against gold: {parts} ({curves.metric.signature})"
