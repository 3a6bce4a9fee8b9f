"""n-best lists from files, with one list in memory at a time.

>>> [(nbest.id, nbest.ranks) for nbest in read("u1\\t0\\t-3.5\\t(S (NN a))\\nu1\\t1\\t-4\\t(NP (NN a))\\n")]
[('u1', [0, 1])]
>>> [(nbest.id, len(nbest)) for nbest in read("-3.5 (S (NN a))\\n-4 (NP (NN a))\\n\\n(S (NN b))\\n")]
[('1', 2), ('2', 1)]
>>> [nbest.id for nbest in read('{"id": "u1", "candidates": [{"tree": "(S (NN a))", "score": -3.5}]}')]
['u1']
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from itertools import chain

from ..helpers.binary import ENOUGH
from ..helpers.text import decode, encode, number_of, visible
from ..helpers.text_files import text_lines, text_stream
from ..readers.sources import is_text
from ..values.problem import InputError, Problem, UsageError, check_choice
from .lists import FORMS, LEFT_OUT, Builder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO, Any

    from ..helpers.steps import Steps
    from .lists import NBest

    Lines = Iterator[tuple[int, bytes]]
    Readable = str | bytes | os.PathLike[str] | IO[str] | IO[bytes]

_BOM = b"\xef\xbb\xbf"
_COLUMNS = (b"id", b"rank", b"score", b"tree")


def read(
    source: Readable, *, form: str = "auto", on_error: str = "keep", name: str | None = None, steps: Steps | None = None
) -> Iterator[NBest]:
    """Read the lists of a path, `-` (standard input), an open file, or a text, one at a time.

    `form` is "tsv" (id, rank, score and tree, separated by tabs), "blocks" (one tree per line, optionally after a
    score; blank lines between lists), "jsonl" (one object per line: a list with `candidates`, or a candidate with `id`,
    `rank`, `score`, `tree`), or "auto": detected from the first line. gzip and zstd are detected from the content. With
    `on_error="raise"` the first problem raises an `InputError`. `steps` counts the bytes read.

    >>> list(read("(S (NN a))\\n\\n(S (NN b)\\n(S (X (NN b)))\\n"))
    [<NBest '1': 1 candidates>, <NBest '2': 1 candidates>]
    """
    check_choice(form, "form", FORMS)
    if on_error not in ("keep", "raise"):
        raise UsageError(f"on_error must be keep or raise, not {on_error!r}")
    return _lists(source, form, on_error, name, steps)


def _lists(source: Readable, form: str, on_error: str, name: str | None, steps: Steps | None) -> Iterator[NBest]:
    with _opened(source, name) as (file, shown, size):
        lines = _numbered(file, size, steps)
        first = next(((number, line) for number, line in lines if line.strip()), None)
        if first is None:
            raise InputError(Problem("empty", "there are no lists in it", file=shown))
        form = form_of(first[1]) if form == "auto" else form
        for nbest in _READERS[form](chain([first], lines), shown):
            if nbest.problems and on_error == "raise":
                raise InputError(nbest.problems[0].replace(action=None))
            yield nbest


def form_of(line: bytes) -> str:
    """The format, detected from the first line that is not blank.

    >>> form_of(b'{"id": 1}'), form_of(b"u1\\t0\\t-3\\t(S (NN a))"), form_of(b"-3\\t(S (NN a))")
    ('jsonl', 'tsv', 'blocks')
    """
    if line.lstrip().startswith(b"{"):
        return "jsonl"
    before, bracket, _ = line.partition(b"(")
    is_table = before.count(b"\t") >= len(_COLUMNS) - 1 or (not bracket and line.count(b"\t") >= len(_COLUMNS) - 1)
    return "tsv" if is_table else "blocks"


@contextmanager
def _opened(source: Readable, name: str | None) -> Iterator[tuple[Any, str, int]]:
    """An iterator of lines, its name, and its number of bytes, 0 if unknown."""
    import io

    if isinstance(source, bytes) or (isinstance(source, str) and source != "-" and is_text(source)):
        data = source if isinstance(source, bytes) else encode(source)
        name = name or "<text>"
        yield text_stream(io.BytesIO(data), name), name, len(data)
    elif isinstance(source, str) and source == "-":
        if sys.stdin is None:
            raise InputError(Problem("closed", "standard input is closed"))
        name = name or "<stdin>"
        yield text_stream(sys.stdin.buffer, name), name, 0
    elif isinstance(source, str | os.PathLike):
        name = name or os.fspath(source)
        with open(source, "rb", ENOUGH) as file:
            yield text_stream(file, name), name, os.fstat(file.fileno()).st_size
    elif hasattr(source, "readline"):
        name = name or str(getattr(source, "name", "<file>"))
        yield text_stream(source, name) if hasattr(source, "peek") else source, name, 0  # type: ignore[arg-type]
    else:
        raise UsageError(f"n-best lists are read from a path, an open file or a text, not from {source!r:.60}")


def _numbered(file: Any, size: int, steps: Steps | None) -> Lines:
    """All lines with their numbers from 1, without line ends."""
    packed = getattr(file, "fileobj", file)  # progress counts compressed bytes
    if steps is not None:
        steps.position, steps.total = 0, size
    for number, line in enumerate(text_lines(file, getattr(file, "name", None)), 1):
        data = encode(line) if isinstance(line, str) else line
        if number == 1:
            data = data.removeprefix(_BOM)
        if steps is not None and size:
            steps.position = packed.tell()
        yield number, data.rstrip(b"\r\n")


class _Grouped:
    """Groups candidates on separate lines by their ids."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.open: Builder | None = None
        self.early: list[Problem] = []  # problems before the first list
        self._number = 0
        self._seen: set[int] = set()  # hashes, to save memory

    def of(self, line: int, name: str) -> tuple[Builder, NBest | None]:
        """The builder of a candidate's list, and the list that ends before it."""
        if self.open is not None and self.open.id == name:
            return self.open, None
        finished = self.finished()
        self._number += 1
        self.open = Builder(self.file, self._number, name)
        self.open.problems, self.early = self.early, []
        if hash(name) in self._seen:
            message = f"list {visible(name)!r} is not contiguous: sort the lines by id"
            self.open.fault(line, "id", message, "treated as a separate list")
        self._seen.add(hash(name))
        return self.open, finished

    def fault(self, line: int, code: str, message: str, column: int | None = None) -> None:
        """Add a problem of a line that belongs to no list."""
        if self.open is not None:
            self.open.fault(line, code, message, column=column)
        else:
            place = {"file": self.file, "line": line, "column": column}
            self.early.append(Problem(code, message, action="left out", **place))  # type: ignore[arg-type]

    def finished(self) -> NBest | None:
        """The current list, which ends here."""
        nbest = None if self.open is None else self.open.build()
        self.open = None
        return nbest

    def last(self) -> Iterator[NBest]:
        """The current list, at the end of the file."""
        nbest = self.finished()
        if nbest is not None:
            yield nbest
        elif self.early:
            shown = self.early[0].replace(action=None)
            message = f"no list could be read ({number_of(len(self.early), 'problem')}); first problem: {shown}"
            raise InputError(Problem("not-lists", message, file=self.file))


def _read_tsv(lines: Lines, file: str) -> Iterator[NBest]:
    lists = _Grouped(file)
    header = True
    for number, line in lines:
        columns = line.split(b"\t", 3)
        if header and tuple(column.strip().lower() for column in columns) == _COLUMNS:
            header = False
            continue
        header = False
        if not line.strip():
            continue
        if len(columns) < 4:
            lists.fault(number, "columns", "there are fewer than four columns: write id, rank, score and tree")
            continue
        name, rank, score, tree = columns
        builder, finished = lists.of(number, decode(name.strip()))
        if finished is not None:
            yield finished
        builder.add(number, rank, score.strip(), tree, len(decode(line)) - len(decode(tree)))
    yield from lists.last()


def _read_blocks(lines: Lines, file: str) -> Iterator[NBest]:
    builder, count = None, 0
    for number, line in lines:
        if not line.strip():
            if builder is not None:
                yield builder.build()
            builder = None
            continue
        if builder is None:
            count += 1
            builder = Builder(file, count, None)
        before, bracket, _ = line.partition(b"(")
        if not bracket:
            builder.fault(number, "tree", "there is no tree on this line")
        elif len(before.split()) > 1:
            builder.fault(number, "columns", "more than a score stands before the tree")
        else:
            builder.add(number, None, before.strip(), line[len(before) :], len(decode(before)))
    if builder is not None:
        yield builder.build()


def _read_jsonl(lines: Lines, file: str) -> Iterator[NBest]:
    lists = _Grouped(file)
    for number, line in lines:
        if not line.strip():
            continue
        item = _object(lists, number, line)
        if item is None:
            continue
        name = item.get("id")
        name = str(name) if type(name) is int else name
        if name is not None and type(name) is not str:
            lists.fault(number, "json", "the id is no string")
        elif "candidates" in item:
            finished = lists.finished()
            if finished is not None:
                yield finished
            builder, _ = lists.of(number, name if name is not None else f"<line {number}>")
            _add_all(builder, number, item["candidates"])
        elif name is None:
            lists.fault(number, "json", 'there is neither an "id" nor "candidates" in this object')
        elif "tree" not in item:
            lists.fault(number, "json", 'there is neither a "tree" nor "candidates" in this object')
        else:
            builder, finished = lists.of(number, name)
            if finished is not None:
                yield finished
            builder.add(number, item.get("rank"), item.get("score"), item["tree"])
    yield from lists.last()


def _object(lists: _Grouped, number: int, line: bytes) -> dict[str, Any] | None:
    from json import JSONDecodeError, loads

    try:
        item = loads(decode(line))
    except JSONDecodeError as problem:
        lists.fault(number, "json", f"this is not JSON ({visible(problem.msg)})", column=problem.colno)
    except RecursionError:
        lists.fault(number, "json", "these lists are nested too deeply for JSON; write the trees in brackets")
    except ValueError as problem:
        lists.fault(number, "json", f"this JSON cannot be read ({visible(str(problem))})")
    else:
        if type(item) is dict:
            return item
        lists.fault(number, "json", 'this is no object; write {"id": "…", "candidates": […]}')
    return None


def _add_all(builder: Builder, number: int, candidates: Any) -> None:
    if type(candidates) is not list:
        builder.fault(number, "json", "candidates are no list", "read as an empty list")
        return
    for candidate in candidates:
        if type(candidate) is str:
            builder.add(number, None, None, candidate)
        elif type(candidate) is dict and "tree" in candidate:
            builder.add(number, candidate.get("rank"), candidate.get("score"), candidate["tree"])
        else:
            builder.fault(number, "json", 'a candidate is neither a tree nor an object with a "tree"', LEFT_OUT)


_READERS: dict[str, Callable[[Lines, str], Iterable[NBest]]] = {
    "tsv": _read_tsv,
    "blocks": _read_blocks,
    "jsonl": _read_jsonl,
}
