"""Files of columns: Parquet, Arrow IPC and JSON lines, read and written in windows of rows."""

from __future__ import annotations

import json
import os
import sys
from functools import cached_property

from ..helpers.binary import ENOUGH
from ..helpers.files import walked
from ..helpers.packed import unpacked_name
from ..helpers.text import visible
from ..helpers.text_files import text_lines, text_stream
from ..readers.data_frames import Unusable
from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value
from .extra import library
from .pairs import WINDOW, prefixes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, BinaryIO, NoReturn

    from ..metrics.base import Metric
    from .pairs import Scored

#: Formats by file name ending; arrow is an Arrow IPC file, arrows a stream.
SUFFIXES = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arrows": "arrows",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrows"}
_MOST_BYTES = 1 << 26  # maximum JSON per window


class Window(Value):
    """Some rows: gold and test values, ids or None, and the share of the file read so far."""

    gold: Sequence[object]
    test: Sequence[object]
    ids: Any
    share: float


def kind_by_suffix(path: str) -> str:
    """The format of a file to be written, by its name.

    >>> kind_by_suffix("scores.pq"), kind_by_suffix("-")
    ('parquet', 'jsonl')
    """
    if path == "-":
        return "jsonl"
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"{path}: the name must end in one of {', '.join(SUFFIXES)}, which determines the format")
    return SUFFIXES[suffix]


def files_in(paths: Sequence[str]) -> list[str]:
    """The files, and files with known suffixes in folders and subfolders, sorted by name."""
    files: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            files.append(path)
            continue
        inside = [
            os.path.join(above, name)
            for above, names in walked(path)
            for name in names
            if os.path.splitext(unpacked_name(name))[1].lower() in SUFFIXES and not name.startswith("_")
        ]
        if not inside:
            raise UsageError(f"{path}: there are no files in it with the endings {', '.join(SUFFIXES)}")
        files += sorted(inside)
    return files


class ColumnFile:
    """A file of columns; the format is detected from the content; - is standard input. A context manager."""

    def __init__(self, path: str, gold: str, test: str, id: str | None = None) -> None:
        self.name = "<stdin>" if path == "-" else path
        self.names = list(dict.fromkeys([gold, test, *([] if id is None else [id])]))
        self.gold, self.test, self.id = gold, test, id
        if path == "-":
            if sys.stdin is None:
                raise InputError(Problem("closed", "standard input is closed"))
            self.file: Any = sys.stdin.buffer
        else:
            self.file = open(path, "rb", ENOUGH)  # noqa: SIM115 (closed by __exit__)
        self.size = os.fstat(self.file.fileno()).st_size
        start = self.file.peek(8)[:8]
        kinds = [kind for magic, kind in _MAGIC.items() if start.startswith(magic)]
        self.kind = kinds[0] if kinds else "jsonl"
        if self.kind in ("parquet", "arrow") and path == "-":
            self._fail(
                "this format cannot be read from standard input; give a file, or send JSON lines or an Arrow stream"
            )

    def __enter__(self) -> ColumnFile:
        return self

    def __exit__(self, *_: object) -> None:
        if self.name != "<stdin>":
            self.file.close()

    def windows(self) -> Iterator[Window]:
        """All rows in order. In Parquet, a new window starts with each row group, and every `WINDOW` rows in it."""
        if self.kind == "jsonl":
            yield from self._json_windows()
        else:
            yield from self._as_windows(self._parquet() if self.kind == "parquet" else self._ipc())

    def group_windows(self, group: int, begin: int, end: int) -> Iterator[Window]:
        """Some rows of a row group; in the windows of the whole file if `begin` is the begin of a window."""
        batches = self._group_batches(group, begin, end)
        return self._as_windows((batch, 0.0) for batch in batches)

    def layout(self) -> tuple[list[int], Any]:
        """The number of rows of each row group of this Parquet file, and its schema."""
        pa = library()
        try:
            groups = self.parquet.metadata
            sizes = [groups.row_group(group).num_rows for group in range(groups.num_row_groups)]
            schema = self.parquet.schema_arrow
        except (pa.ArrowException, OSError) as problem:
            self._fail_damaged(problem)
        self._check_names(schema.names)
        return sizes, schema

    def _as_windows(self, batches: Iterable[tuple[Any, float]]) -> Iterator[Window]:
        from ..readers.data_frames import texts

        pa = library()
        try:
            for batch, share in batches:
                self._check_names(batch.schema.names)
                for begin in range(0, batch.num_rows, WINDOW):
                    part = batch.slice(begin, WINDOW)
                    columns = {name: part.column(part.schema.names.index(name)) for name in self.names}
                    ids = None if self.id is None else _plain(columns[self.id])
                    yield Window(texts(columns[self.gold]), texts(columns[self.test]), ids, share)
                    pa.default_memory_pool().release_unused()  # otherwise freed memory accumulates
        except (pa.ArrowException, OSError) as problem:
            if isinstance(problem, BrokenPipeError):
                raise
            self._fail_damaged(problem)

    @cached_property
    def parquet(self) -> Any:
        """The open file of pyarrow."""
        # With pre_buffer, pyarrow keeps all data until the file is closed.
        return library("pyarrow.parquet").ParquetFile(self.file, page_checksum_verification=True, pre_buffer=False)

    def _parquet(self) -> Iterator[tuple[Any, float]]:
        self._check_names(self.parquet.schema_arrow.names)
        about = self.parquet.metadata
        rows, done = max(1, about.num_rows), 0
        for group in range(about.num_row_groups):
            for batch in self._group_batches(group, 0, about.row_group(group).num_rows):
                done += batch.num_rows
                yield batch, done / rows

    def _group_batches(self, group: int, begin: int, end: int) -> Iterator[Any]:
        """These rows of a row group, cut at multiples of `WINDOW`."""
        if begin >= end:
            return
        at = 0
        for batch in self.parquet.iter_batches(batch_size=WINDOW, row_groups=[group], columns=self.names):
            behind = at + batch.num_rows
            while at < min(behind, end):
                cut = min(behind, end, at + WINDOW - at % WINDOW)
                if at >= begin:
                    yield batch.slice(at - (behind - batch.num_rows), cut - at)
                at = cut
            if at >= end:
                return
        raise OSError(f"row group {group + 1} is truncated")

    def _check_names(self, columns: Sequence[str]) -> None:
        from .arrow import check_names

        check_names(columns, self.names)

    def _ipc(self) -> Iterator[tuple[Any, float]]:
        ipc = library("pyarrow.ipc")
        if self.kind == "arrow":
            reader = ipc.open_file(self.file)
            for index in range(reader.num_record_batches):
                yield reader.get_batch(index), (index + 1) / reader.num_record_batches
            return
        for batch in ipc.open_stream(self.file):
            yield batch, self._share(self.file)

    def _json_windows(self) -> Iterator[Window]:
        rows: list[tuple[object, object, str | None]] = []
        size = 0
        keys: dict[str, None] | None = {}  # of the first window; None afterwards
        for number, line in enumerate(text_lines(text_stream(self.file, self.name), self.name), 1):
            text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            if not text.strip():
                continue
            rows.append(self._json_row(text, number, keys))
            size += len(text)
            if len(rows) == WINDOW or size > _MOST_BYTES:
                yield self._window(rows, keys)
                rows, size, keys = [], 0, None
        if rows:
            yield self._window(rows, keys)

    def _window(self, rows: Sequence[tuple[object, object, str | None]], keys: dict[str, None] | None) -> Window:
        if keys is not None:
            for name in self.names:
                if name not in keys:
                    known = ", ".join(map(visible, keys)) or "none (is it JSON, one object per line?)"
                    message = f"no row has a column {name!r}; there are: {known}"
                    raise InputError(Problem("column", message, file=self.name))
        gold, test, ids = zip(*rows, strict=True)
        return Window(gold, test, None if self.id is None else list(ids), self._share(self.file))

    def _json_row(self, line: bytes, number: int, keys: dict[str, None] | None) -> tuple[object, object, str | None]:
        try:
            row = json.loads(line)
            problem = "" if isinstance(row, dict) else "this is not a JSON object"
        except (ValueError, RecursionError) as error:
            row, problem = None, f"this is not JSON ({error})"
        if problem:
            return Unusable("json", f"line {number:,} of {self.name}: {problem}"), Unusable(), None
        if keys is not None and len(keys) < 100:
            keys.update(dict.fromkeys(row))
        id = row.get(self.id) if self.id is not None else None
        if id is not None and not isinstance(id, str):
            id = json.dumps(id)
        return row.get(self.gold), row.get(self.test), id

    def _share(self, file: BinaryIO) -> float:
        return min(1.0, file.tell() / self.size) if self.size and self.name != "<stdin>" else 0.0

    def _fail_damaged(self, problem: Exception) -> NoReturn:
        self._fail(f"this {self.kind} file is damaged or of an unknown version ({problem})")

    def _fail(self, message: str) -> NoReturn:
        raise InputError(Problem(self.kind, message, file=self.name)) from None


def _plain(column: Any) -> Any:
    """Ids without dictionary encoding, which may differ between batches."""
    pa = library()
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _json_ids(ids: Any) -> list[object]:
    """Ids for JSON, with escapes for text that is not UTF-8."""
    if isinstance(ids, list):
        return ids
    pa = library()
    if pa.types.is_string(ids.type) or pa.types.is_large_string(ids.type):
        ids = ids.view("binary" if pa.types.is_string(ids.type) else "large_binary")
    values: list[object] = ids.to_pylist()
    return [value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value for value in values]


def cast_ids(ids: Any, kind: Any) -> Any:
    """The ids in the type of the first file."""
    pa = library()
    try:
        return ids.cast(kind)
    except pa.ArrowException as problem:
        message = f"the ids of the files have incompatible types: {kind} and {ids.type}"
        raise InputError(Problem("id", message)) from problem


class ScoreFile:
    """A file of scored rows: Parquet, Arrow IPC or JSON lines. A context manager.

    Rows have the column `id` if ids are given, else `row`, a number from 1.
    """

    def __init__(self, file: BinaryIO, kind: str, metrics: Sequence[Metric], *, has_ids: bool) -> None:
        if kind != "jsonl":
            library()  # report a missing library before long work
        self._file = file
        self._kind = kind
        self._metrics = metrics
        self._has_ids = has_ids
        self._writer: Any = None
        self._rows = 0
        self._signatures = {
            f"{prefix}signature": metric.signature for prefix, metric in zip(prefixes(metrics), metrics, strict=True)
        }

    def __enter__(self) -> ScoreFile:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def write(self, scored: Scored, ids: Any) -> None:
        """Write some rows."""
        if self._kind == "jsonl":
            self._write_lines(scored, ids)
        else:
            self._write_batch(scored, ids)
        self._rows += scored.size

    def _numbers(self, size: int) -> range:
        return range(self._rows + 1, self._rows + size + 1)

    def _write_lines(self, scored: Scored, ids: Any) -> None:
        columns: dict[str, Sequence[object]] = (
            {"id": _json_ids(ids)} if self._has_ids else {"row": self._numbers(scored.size)}
        )
        problems = scored.problem_texts()
        for prefix, table in zip(prefixes(self._metrics), scored.tables, strict=True):
            columns |= {f"{prefix}score": table.figures, f"{prefix}score_all": table.all_figures}
            columns |= {f"{prefix}status": table.status, "problem": problems}
            columns |= {f"{prefix}{name}": column for name, column in table.counts.columns.items()}
        for values in zip(*columns.values(), strict=True):
            row = dict(zip(columns, values, strict=True)) | self._signatures
            self._file.write(json.dumps(row, ensure_ascii=True, default=str).encode() + b"\n")

    def _write_batch(self, scored: Scored, ids: Any) -> None:
        from .arrow import as_batch

        pa = library()
        if not self._has_ids:
            before = {"row": pa.array(self._numbers(scored.size), pa.int64())}
        else:
            before = {"id": ids if isinstance(ids, pa.Array) else pa.array(ids, pa.string())}
        if self._writer is not None and self._has_ids:
            before["id"] = cast_ids(before["id"], self._schema.field("id").type)
        batch = as_batch(scored, self._metrics, before)
        if self._writer is None:
            self._writer = self._opened(batch.schema)
        self._writer.write_batch(batch)

    def _opened(self, schema: Any) -> Any:
        self._schema = schema
        if self._kind == "parquet":
            return library("pyarrow.parquet").ParquetWriter(self._file, schema)
        ipc = library("pyarrow.ipc")
        return (ipc.new_file if self._kind == "arrow" else ipc.new_stream)(self._file, schema)
