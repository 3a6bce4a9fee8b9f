"""A view of classes of errors, with systems side by side.

>>> import treescore
>>> from treescore.render import pieces
>>> tests = treescore.explain_errors("(S (NP (NN a)) (VP (VB b) (RB c)))", "(S (NP (NN a)) (VP (VB b) (ADVP (RB c))))")
>>> print("".join(pieces("ErrorAnalysis", [("parser", tests)], "csv")), end="")
class,steps,brackets
Single Word Phrase,1,1
"""

from __future__ import annotations

from .._version import __version__
from ..analysis.errors.explaining import SENTENCE_COLUMNS, ErrorClass
from ..helpers.problem_lines import problem_values
from ..helpers.text import number_of
from ..values.problem import check_choice
from ..values.score import Part
from .grids import Grid, problem_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ..analysis.errors.explaining import ErrorAnalysis
    from .grids import Cell

    Systems = Sequence[tuple[str, ErrorAnalysis]]

#: The tables of details.
DETAILS = ("classes", "sentences", "steps")
#: The columns of each table in CSV.
_COLUMNS = {
    "classes": ("class", "steps", "brackets"),
    "sentences": ("sentence", "id", "status", *SENTENCE_COLUMNS, "classes"),
    "steps": (
        *("sentence", "id", "type", "class", "brackets", "label", "new_label", "parent", "new_parent", "nodes"),
        *("start", "end", "added_start", "added_end", "words"),
    ),
}


class ErrorClassesView:
    """The errors of one or several systems by class; other `details` than "classes" are shown in addition."""

    def __init__(self, systems: Systems, details: str = "classes") -> None:
        check_choice(details, "details", DETAILS)
        self.systems, self.details = systems, details

    def tables(self) -> Iterator[Grid]:
        """A table of classes with all systems side by side, and one of details for each system."""
        yield _summary(self.systems)
        for name, analysis in self.systems if self.details != "classes" else ():
            yield _sentences(name, analysis) if self.details == "sentences" else _steps(name, analysis)

    def rows(self) -> Iterator[list[Cell]]:
        """The details of all systems in one table."""
        several, columns = len(self.systems) > 1, _COLUMNS[self.details]
        yield [*(["system"] if several else []), *columns]
        for name, analysis in self.systems:
            for row in _flat(analysis, self.details):
                yield [*([name] if several else []), *(row[column] for column in columns)]

    def records(self) -> Iterator[dict[str, Any]]:
        """An object for each class, sentence or step."""
        for name, analysis in self.systems:
            system = {"system": name} if len(self.systems) > 1 else {}
            yield from (system | record for record in _records(analysis, self.details))

    def data(self) -> dict[str, Any]:
        """Everything."""
        first = self.systems[0][1]
        return {
            "treescore": __version__,
            "gold": first.gold.source.name,
            "pack": first.pack.name,
            "compat": first.compat,
            "systems": [
                {
                    "test": name,
                    "counts": analysis.counts,
                    "classes": _class_records(analysis),
                    **({} if self.details == "classes" else {self.details: list(_records(analysis, self.details))}),
                    "problems": problem_values(analysis.problems),
                }
                for name, analysis in self.systems
            ],
        }


def _summary(systems: Systems) -> Grid:
    several = len(systems) > 1
    counts = [analysis.counts for _, analysis in systems]
    tables = [{it.name: it for it in analysis.titled_classes()} for _, analysis in systems]
    sums: dict[str, int] = {}
    for table in tables:
        for name, it in table.items():
            sums[name] = sums.get(name, 0) + it.brackets
    header = ["class"]
    rows: list[list[Cell]] = []
    for name, _ in systems:
        header += [f"{name}: steps" if several else "steps", "brackets"] + ([] if several else ["share", "per step"])
    for title in sorted(sums, key=lambda title: (-sums[title], title)):
        each = [table.get(title) or ErrorClass(title, 0, 0) for table in tables]
        rows.append([title, *_cells(each, counts)])
    rows.append(["all", *_cells([ErrorClass("", it["steps"], it["brackets"]) for it in counts], counts)])
    gold = systems[0][1].gold.source.name or "gold"
    title = f"errors against {gold}" if several else f"errors of {systems[0][0]} against {gold}"
    return Grid(title, header, rows, _summary_notes(systems))


def _summary_notes(systems: Systems) -> list[str]:
    notes = []
    for name, analysis in systems:
        total = analysis.counts
        before = f"{name}: " if len(systems) > 1 else ""
        wrong = f"{total['extra']:,} extra, {total['missing']:,} missing, {total['crossing']:,} crossing"
        notes.append(
            f"{before}{number_of(total['sentences'], 'sentence')}: {total['compared']:,} compared, "
            f"{total['without_errors']:,} of them without errors, {total['left_out']:,} left out; {wrong}"
        )
        notes += problem_notes(analysis.problems)
    first = systems[0][1]
    return [*notes, f"pack: {first.pack.name}" + (f", compat: {first.compat}" if first.compat else "")]


def _cells(classes: list[ErrorClass], totals: list[dict[str, int]]) -> list[Cell]:
    cells: list[Cell] = [count for error in classes for count in (error.steps, error.brackets)]
    if len(classes) == 1:
        (error,), (total,) = classes, totals
        cells.append(Part("", above=error.brackets, below=total["brackets"]))
        cells.append(Part("", above=error.brackets, below=error.steps, percent=False))
    return cells


def _sentences(name: str, analysis: ErrorAnalysis) -> Grid:
    header = [column for column in _COLUMNS["sentences"] if column != "id" or analysis.gold.ids is not None]
    rows: list[list[Cell]] = []
    for sentence in analysis.sentences():
        classes = (f"{analysis.pack.title(kind)} {count}" for kind, count in sentence["classes"].items())
        sentence["classes"] = ", ".join(classes)
        rows.append([sentence[column] for column in header])
    notes = ["status: 0 compared, 1 left out"]
    return Grid(f"{name} by sentence", header, rows, notes, texts=["id", "classes"])


def _steps(name: str, analysis: ErrorAnalysis) -> Grid:
    rows: list[list[Cell]] = []
    for step in analysis.steps():
        place = step.id if step.id is not None else str(step.sentence)
        rows.append([step.in_words(), place, analysis.pack.title(step.kind), step.brackets])
    return Grid(f"{name}: steps", ["error", "sentence", "class", "brackets"], rows, [], texts=["class"])


def _class_records(analysis: ErrorAnalysis) -> list[dict[str, Any]]:
    return [{"class": error.name, "steps": error.steps, "brackets": error.brackets} for error in analysis.classes()]


def _records(analysis: ErrorAnalysis, details: str) -> Iterator[dict[str, Any]]:
    if details == "steps":
        return (step.record() for step in analysis.steps())
    return analysis.sentences() if details == "sentences" else iter(_class_records(analysis))


def _flat(analysis: ErrorAnalysis, details: str) -> Iterator[dict[str, Any]]:
    """Rows whose values are texts or numbers."""
    if details == "steps":
        for step in analysis.steps():
            added = step.added or (None, None)
            yield step.values() | {
                "class": step.kind,
                "nodes": " ".join(node.label for node in step.nodes),
                "added_start": added[0],
                "added_end": added[1],
                "words": " ".join(step.words),
            }
        return
    for row in _records(analysis, details):
        if "classes" in row:
            row["classes"] = "; ".join(f"{name} {count}" for name, count in row["classes"].items())
        yield row
