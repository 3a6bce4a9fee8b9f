"""The table of output formats. A result is offered in every format for which it has the content.

Contents are methods of the classes in `treescore.render.VIEWS`: `tables` are grids and text between them, `data` is one
object, `records` are many objects, and `rows` are lists of cells. Other contents are named after their format.
"""

from __future__ import annotations

from ..values.value import Value
from .grids import HTML, LATEX, MARKDOWN, TEXT, csv_lines, tsv_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


class OutputFormat(Value):
    """A summary, the contents that the format accepts (the first available is used), and the function that writes them.

    Formats that hold `one_table` are for programs; an `original` is the output of another program.
    """

    summary: str
    contents: tuple[str, ...]
    write: Callable[[Any], Iterable[str]]
    one_table: bool = False
    original: bool = False

    @property
    def tells_problems(self) -> bool:
        """Is there a place for remarks and problems?"""
        return self.contents[-1] in ("tables", "text", "data")

    def content_of(self, view: type) -> str | None:
        """The name of the content of a view that is written; None if there is none for this format."""
        return next((content for content in self.contents if hasattr(view, content)), None)


def json_pieces(data: Any) -> Iterator[str]:
    """One object. Iterators of names and values, and of items, are written one per line.

    >>> print("".join(json_pieces(iter([("version", 1), ("words", iter(["a", "b"]))]))), end="")
    {
      "version": 1,
      "words": [
        "a",
        "b"
      ]
    }
    """
    from json import dumps

    if not hasattr(data, "__next__"):
        yield dumps(data, indent=2) + "\n"
        return
    before = "{\n"
    for name, value in data:
        yield f"{before}  {dumps(name)}: "
        if hasattr(value, "__next__"):
            yield "["
            between = "\n"
            for item in value:
                yield f"{between}    {dumps(item)}"
                between = ",\n"
            yield "\n  ]"
        else:
            yield dumps(value)
        before = ",\n"
    yield "\n}\n"


def whole(data: Any) -> dict[str, Any]:
    """The `data` of a view as a dict, in memory."""
    pairs = data.items() if isinstance(data, dict) else data
    return {name: list(value) if hasattr(value, "__next__") else value for name, value in pairs}


def json_lines(records: Iterable[object]) -> Iterator[str]:
    """An object per line; a str is already JSON."""
    from json import dumps

    return (f"{record if isinstance(record, str) else dumps(record)}\n" for record in records)


OUTPUT_FORMATS = {
    "table": OutputFormat("tables as text", ("tables",), TEXT),
    "text": OutputFormat("text to read", ("text",), iter),
    "json": OutputFormat("everything, as one JSON object", ("data",), json_pieces),
    "jsonl": OutputFormat("a JSON object per line", ("records",), json_lines, one_table=True),
    "csv": OutputFormat("comma-separated values", ("rows",), csv_lines, one_table=True),
    "tsv": OutputFormat("tab-separated values", ("rows",), tsv_lines, one_table=True),
    "markdown": OutputFormat("tables in Markdown", ("tables",), MARKDOWN),
    "latex": OutputFormat("tables in LaTeX, with booktabs", ("tables_side_by_side", "tables"), LATEX),
    "html": OutputFormat("tables in HTML", ("tables",), HTML),
    "evalb": OutputFormat("the table of EVALB", ("evalb",), iter, original=True),
    "conll": OutputFormat("the figures of the evaluation of Universal Dependencies", ("conll",), iter, original=True),
    "conll-rates": OutputFormat("its table with -v", ("conll_rates",), iter, original=True),
    "conll-counts": OutputFormat("its table with -c", ("conll_counts",), iter, original=True),
    "trees": OutputFormat("trees in brackets", ("trees",), iter),
    "pairs": OutputFormat("a table of pairs of phrases", ("pairs",), tsv_lines, one_table=True),
    "prm": OutputFormat("a parameter file of EVALB", ("prm",), iter),
    "ctm": OutputFormat("words with times as NIST's ctm", ("ctm",), iter),
    "textgrid": OutputFormat("words with times as Praat's TextGrid", ("textgrid",), iter),
    "pra": OutputFormat("alignments as sclite -o pra prints them", ("pra",), iter),
    "sgml": OutputFormat("alignments as sclite -o sgml prints them", ("sgml",), iter),
    "sparseval": OutputFormat("the alignment file of SParseval", ("sparseval",), iter),
}
