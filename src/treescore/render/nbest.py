"""Choices from n-best lists as trees or JSON lines, and their scores against gold trees as tables."""

from __future__ import annotations

from .._version import __version__
from ..helpers.text import encode, number_of
from ..nbest.curves import SYSTEMS
from .grids import Grid, as_csv, in_form, problem_notes
from .nested_trees import jsonl_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..nbest.curves import Curves
    from ..nbest.risk import Choice
    from ..trees import Treebank
    from ..values.problem import Problem
    from .grids import Cell

#: What the choices can be written as, and what their scores against gold.
CHOICES = ("trees", "jsonl")
TABLES = ("table", "markdown", "latex", "csv", "json", "html")


def tree_line(choice: Choice) -> bytes:
    """The chosen tree on a line; an empty one where there is none."""
    return encode(next(choice.bank.lines(), "()")) + b"\n"


def json_line(choice: Choice, *, distribution: bool = False) -> bytes:
    """All that is known of a choice; with `distribution`, all candidates that differ as well."""
    import json

    whole = {
        "id": choice.id,
        "rank": choice.rank,
        "expected": choice.expected,
        "candidates": choice.candidates,
        "distinct": choice.distinct,
        "tree": _tree(choice.bank),
    }
    if distribution:
        whole["distribution"] = [
            {"rank": each.rank, "weight": each.weight, "expected": each.expected, "tree": str(each.tree)}
            for each in choice.distribution()
        ]
    if choice.problems:
        whole["problems"] = [problem.values() for problem in choice.problems]
    return json.dumps(whole).encode("ascii") + b"\n"


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


def render(curves: Curves, settings: str, problems: Sequence[Problem], form: str) -> str:
    """The scores of the first candidates, of the chosen and of the best ones, and how they grow with the lists.

    CSV and JSON have a row for each length of the lists, the others for some of them.
    """
    if form == "json":
        return _json(curves, settings, problems)
    sizes = range(1, curves.most + 1) if form == "csv" else shown_sizes(curves.most)
    rows: list[list[Cell]] = [[str(n), *curves.at(n).values()] for n in sizes]
    grid = Grid(f"{title(curves)} of the first n candidates", ["n", "expected", *SYSTEMS.values()], rows, [])
    if form == "csv":
        return as_csv(grid)
    grid.notes = [
        f"{number_of(curves.lists, 'list')} of up to {number_of(curves.most, 'candidate')}; weights: {settings}",
        "expected: by the lists themselves, the mean of what their choices score; the others: against gold",
        curves.metric.signature,
        *problem_notes(problems),
    ]
    return in_form([grid], form)


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


def _json(curves: Curves, settings: str, problems: Sequence[Problem]) -> str:
    import json

    whole = {
        "treescore": __version__,
        "signature": curves.metric.signature,
        "weights": settings,
        "lists": curves.lists,
        "scores": curves.at(curves.most),
        "curve": [{"n": n, **found} for n, found in curves.table()],
        "problems": [problem.values() for problem in problems],
    }
    return json.dumps(whole, indent=2) + "\n"
