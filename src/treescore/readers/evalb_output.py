"""EVALB's output: a row of twelve numbers per sentence, between headings and a summary, which are skipped.

>>> rows = read_evalb_output(b'''
...  ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
...    1   10    0   75.00  60.00     3      4    5      0      10    10   100.00
... ''')
>>> rows.sentence.tolist(), rows.recall.tolist(), rows.test.tolist()
([1], [75.0], [5])
"""

from __future__ import annotations

from array import array

from ..values.problem import InputError, Problem
from ..values.value import Value
from .sources import open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .sources import Readable

#: The columns that are kept, with their positions.
_COLUMNS = {"sentence": 0, "length": 1, "recall": 3, "precision": 4, "gold": 6, "test": 7}
_PERCENTAGES = ("recall", "precision")
_WIDTH = 12
#: Maximum number of digits, so that sums fit into 64 bits.
_DIGITS = 9


class EvalbRows(Value):
    """The rows in columns: percentages as they were printed, rounded; `gold` and `test` are numbers of brackets.

    `passed_over` has the numbers of lines that begin with two numbers, like rows, but are not rows.
    """

    sentence: array[int]
    length: array[int]
    recall: array[float]
    precision: array[float]
    gold: array[int]
    test: array[int]
    name: str | None = None
    passed_over: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.sentence)

    def select(self, places: Sequence[int]) -> EvalbRows:
        """Some of the rows."""
        columns = {name: getattr(self, name) for name in _COLUMNS}
        return self.replace(
            **{name: array(column.typecode, (column[i] for i in places)) for name, column in columns.items()}
        )


def read_evalb_output(source: Readable, *, name: str | None = None) -> EvalbRows:
    """The rows in a file, `-` (standard input) or text; an error if there are none."""
    from re import compile

    opened = open_source(source, name)
    if opened is None:
        raise TypeError("the output of EVALB is a file or a text")
    text, origin = opened
    kinds = [rb"\d+(?:\.\d+)?" if place in (3, 4, 11) else rb"\d+" for place in range(_WIDTH)]
    row = compile(rb"[ \t]*" + rb"[ \t]+".join(b"(" + kind + b")" for kind in kinds) + rb"\s*$")
    begins = compile(rb"[ \t]*\d+[ \t]+\d+[ \t]")
    rows: list[tuple[bytes, ...]] = []
    passed_over = []
    for number, line in enumerate(bytes(text).splitlines(), 1):
        match = row.match(line)
        if match:
            rows.append(match.groups())
            if any(len(cell.partition(b".")[0]) > _DIGITS for cell in rows[-1]):
                message = f"a number in this row has more than {_DIGITS} digits: this is not output of EVALB"
                raise InputError(Problem("number", message, file=origin.name, line=number))
        elif begins.match(line):
            passed_over.append(number)
    if not rows:
        message = "there is no row of EVALB's output in it: twelve numbers, with a sentence's number and length first"
        raise InputError(Problem("no-rows", f"{message} (treescore evalb prints such rows)", file=origin.name))
    columns: dict[str, array[int] | array[float]] = {}
    for title, place in _COLUMNS.items():
        cells = (cells[place] for cells in rows)
        columns[title] = array("d", map(float, cells)) if title in _PERCENTAGES else array("q", map(int, cells))
    return EvalbRows(**columns, name=origin.name, passed_over=tuple(passed_over))  # type: ignore[arg-type]
