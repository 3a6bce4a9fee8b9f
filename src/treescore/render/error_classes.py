"""Classes of errors: as a table, one system beside the other, and for programs.

>>> import treescore
>>> found = treescore.explain_errors("(S (NP (NN a)) (VP (VB b) (RB c)))", "(S (NP (NN a)) (VP (VB b) (ADVP (RB c))))")
>>> print("".join(error_classes([("parser", found)], "csv")), end="")
class,steps,brackets
Single Word Phrase,1,1
"""

from __future__ import annotations

from ..analysis.errors.explaining import SENTENCE_COLUMNS, ErrorClass
from ..helpers.text import number_of
from ..values.problem import UsageError
from ..values.score import Part
from .grids import FORMATS, Grid, csv_lines, in_form, problem_notes
from .text_alignments import problem_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ..analysis.errors.explaining import ErrorAnalysis
    from .grids import Cell

    Systems = Sequence[tuple[str, ErrorAnalysis]]

#: What is shown: a table of classes, sentences, or steps.
DETAILS = ("classes", "sentences", "steps")
#: The columns of each in CSV.
_COLUMNS = {
    "classes": ("class", "steps", "brackets"),
    "sentences": ("sentence", "id", "status", *SENTENCE_COLUMNS, "classes"),
    "steps": (
        *("sentence", "id", "type", "class", "brackets", "label", "new_label", "parent", "new_parent", "nodes"),
        *("start", "end", "added_start", "added_end", "words"),
    ),
}


def error_classes(systems: Systems, form: str, details: str = "classes") -> Iterator[str]:
    """The errors of one or several systems in one of the FORMATS, piece by piece."""
    if form not in FORMATS:
        raise UsageError(f"the format must be one of {', '.join(FORMATS)}, not {form!r}")
    if details not in DETAILS:
        raise UsageError(f"what is shown must be one of {', '.join(DETAILS)}, not {details!r}")
    if form == "json":
        return _json(systems, details)
    if form == "jsonl":
        return _json_lines(systems, details)
    if form == "csv":
        return _csv(systems, details)
    return _tables(systems, form, details)


def _tables(systems: Systems, form: str, details: str) -> Iterator[str]:
    grids = [_summary(systems)]
    for name, found in systems if details != "classes" else ():
        grids.append(_sentences(name, found) if details == "sentences" else _steps(name, found))
    yield in_form(grids, form)


def _summary(systems: Systems) -> Grid:
    several = len(systems) > 1
    counts = [found.counts for _, found in systems]
    tables = [{it.name: it for it in found.titled_classes()} for _, found in systems]
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
    notes = []
    for (name, found), total in zip(systems, counts, strict=True):
        before = f"{name}: " if several else ""
        wrong = f"{total['extra']:,} extra, {total['missing']:,} missing, {total['crossing']:,} crossing"
        notes.append(
            f"{before}{number_of(total['sentences'], 'sentence')}: {total['compared']:,} compared, "
            f"{total['without_errors']:,} of them without errors, {total['left_out']:,} left out; {wrong}"
        )
        notes += problem_notes(found.problems)
    first = systems[0][1]
    notes.append(f"pack: {first.pack.name}" + (f", compat: {first.compat}" if first.compat else ""))
    gold = first.gold.source.name or "gold"
    title = f"errors against {gold}" if several else f"errors of {systems[0][0]} against {gold}"
    return Grid(title, header, rows, notes)


def _cells(found: list[ErrorClass], totals: list[dict[str, int]]) -> list[Cell]:
    cells: list[Cell] = [count for it in found for count in (it.steps, it.brackets)]
    if len(found) == 1:
        (it,), (total,) = found, totals
        cells.append(Part("", above=it.brackets, below=total["brackets"]))
        cells.append(Part("", above=it.brackets, below=it.steps, percent=False))
    return cells


def _sentences(name: str, found: ErrorAnalysis) -> Grid:
    header = [column for column in _COLUMNS["sentences"] if column != "id" or found.gold.ids is not None]
    rows: list[list[Cell]] = []
    for sentence in found.sentences():
        classes = (f"{found.pack.title(it)} {count}" for it, count in sentence["classes"].items())
        sentence["classes"] = ", ".join(classes)
        rows.append([sentence[column] for column in header])
    notes = ["status: 0 compared, 1 left out"]
    return Grid(f"{name} by sentence", header, rows, notes, texts=["id", "classes"])


def _steps(name: str, found: ErrorAnalysis) -> Grid:
    rows: list[list[Cell]] = []
    for step in found.steps():
        place = step.id if step.id is not None else str(step.sentence)
        rows.append([step.in_words(), place, found.pack.title(step.kind), step.brackets])
    return Grid(f"{name}: steps", ["step", "sentence", "class", "brackets"], rows, [], texts=["class"])


def _class_rows(found: ErrorAnalysis) -> list[dict[str, Any]]:
    return [{"class": it.name, "steps": it.steps, "brackets": it.brackets} for it in found.classes()]


def _rows(found: ErrorAnalysis, details: str) -> Iterator[dict[str, Any]]:
    if details == "steps":
        return (step.record() for step in found.steps())
    return found.sentences() if details == "sentences" else iter(_class_rows(found))


def _json(systems: Systems, details: str) -> Iterator[str]:
    from json import dumps

    from .._version import __version__

    first = systems[0][1]
    whole = {
        "treescore": __version__,
        "gold": first.gold.source.name,
        "pack": first.pack.name,
        "compat": first.compat,
        "systems": [
            {
                "test": name,
                "counts": found.counts,
                "classes": _class_rows(found),
                **({} if details == "classes" else {details: list(_rows(found, details))}),
                "problems": problem_values(found.problems),
            }
            for name, found in systems
        ],
    }
    yield dumps(whole, indent=2) + "\n"


def _json_lines(systems: Systems, details: str) -> Iterator[str]:
    from json import dumps

    for name, found in systems:
        before = {"system": name} if len(systems) > 1 else {}
        for row in _rows(found, details):
            yield dumps(before | row) + "\n"


def _csv(systems: Systems, details: str) -> Iterator[str]:
    several = len(systems) > 1

    def rows() -> Iterator[list[Cell]]:
        yield [*(["system"] if several else []), *_COLUMNS[details]]
        for name, found in systems:
            for row in _flat(found, details):
                yield [*([name] if several else []), *(row[column] for column in _COLUMNS[details])]

    return csv_lines(rows())


def _flat(found: ErrorAnalysis, details: str) -> Iterator[dict[str, Any]]:
    """Rows whose values are all texts or numbers."""
    if details == "steps":
        for step in found.steps():
            added = step.added or (None, None)
            yield step.values() | {
                "class": step.kind,
                "nodes": " ".join(node.label for node in step.nodes),
                "added_start": added[0],
                "added_end": added[1],
                "words": " ".join(step.words),
            }
        return
    for row in _rows(found, details):
        if "classes" in row:
            row["classes"] = "; ".join(f"{name} {count}" for name, count in row["classes"].items())
        yield row
