"""Scoring in pieces, each with a part of the result on disk: a part is complete or absent, and names its input.

A part is a Parquet file with the scored rows of a piece of the input. Its metadata has their sums, settings and input,
and a checksum of the file. An existing part is not scored again, and scoring it twice gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import ExitStack, contextmanager
from functools import cached_property, lru_cache

from .._version import __version__
from ..helpers.files import locked
from ..helpers.new_files import is_unfinished, replacing
from ..helpers.text import number_of
from ..readers.data_frames import Unusable
from ..scoring.batch import columns_of
from ..scoring.problem_log import FEW_PROBLEMS
from ..scoring.tally import Tally
from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value
from .column_files import SUFFIXES, ColumnFile, cast_ids
from .extra import library
from .pairs import ROWS, WINDOW, score_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from .column_files import Window
    from .pairs import Scored

    #: A row group, the first row and the last row plus one.
    Span = tuple[int, int, int]

#: The version of the format of parts; parts with another version are never used.
LAYOUT = 3
#: The file with the total of a finished run; other programs ignore names with this prefix.
TOTAL = "_total.json"
_KEY = b"treescore.part"
#: Placeholder for the checksum of a part, which is computed with this placeholder in place.
_NO_CHECKSUM = "0" * 64
_CHECKSUM = re.compile(rb'"sha256": "([0-9a-f]{64})"')
_NAME = re.compile(r"part-\d{7,}-[0-9a-f]{12}\.parquet")


class Job(Value):
    """Settings of scoring, and the folder of parts."""

    metrics: tuple[Metric, ...]
    gold: str
    test: str
    id: str | None
    form: str
    folder: str
    inputs: tuple[str, ...]
    id_type: Any

    def __init__(
        self,
        metrics: Iterable[Metric],
        folder: str,
        inputs: Iterable[str],
        *,
        gold: str = "gold",
        test: str = "test",
        id: str | None = None,
        form: str = "auto",
        id_type: Any = None,
    ) -> None:
        paths = tuple(map(os.path.abspath, inputs))
        self._store(metrics=tuple(metrics), gold=gold, test=test, id=id, form=form, id_type=id_type)
        self._store(folder=os.path.abspath(folder), inputs=paths)

    def identity(self) -> dict[str, Any]:
        """The settings that determine the rows of a part, except the input."""
        return {
            "version": __version__,
            "layout": LAYOUT,
            "counts": _names_of_counts(self.metrics),
            "signatures": [metric.signature for metric in self.metrics],
            "columns": [self.gold, self.test, self.id],
            "id_type": None if self.id_type is None else str(self.id_type),
            "form": self.form,
        }


@lru_cache(maxsize=8)
def _names_of_counts(metrics: tuple[Metric, ...]) -> list[list[str]]:
    """The columns of counts of each metric."""
    return [list(columns_of(metric)) for metric in metrics]


class Piece(Value):
    """Some rows of one Parquet file: row groups, or rows of one row group, after `row` rows of the whole input.

    `state` is size and time of the file, `mark` its identity. `poisoned` are the numbers of crashing rows in the piece.
    """

    number: int
    path: str
    shown: str
    state: tuple[int, int]
    mark: str
    row: int
    spans: tuple[Span, ...]
    poisoned: tuple[int, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(end - begin for _, begin, end in self.spans)

    def identity(self) -> dict[str, Any]:
        """The identity of the piece, independent of the folder of its file."""
        return {"file": os.path.basename(self.path), "mark": self.mark, "row": self.row, "spans": self.spans}


# --- The plan


class Plan(Value):
    """The pieces of the input in order; unreadable files are in `lost`."""

    job: Job
    pieces: list[Piece]
    lost: Tally


def plan(job: Job, paths: Sequence[str], rows: int = ROWS) -> Plan:
    """Divide the files into pieces by their row groups. A damaged file is lost; the others are not."""
    pieces: list[Piece] = []
    lost = Tally(job.metrics, most=FEW_PROBLEMS)
    row = 0
    for path in paths:
        try:
            sizes, state, mark, schema = _inspected(path, job)
        except (InputError, OSError) as error:
            action = "none of its rows are scored"
            lost.lose(Problem("unreadable", _reason(error), file=path, unit=row + 1, action=action), 0)
            continue
        if job.id is not None and job.id_type is None:
            job = job.replace(id_type=_plain_type(schema.field(job.id).type))
        for spans in cut(sizes, rows):
            piece = Piece(len(pieces), os.path.abspath(path), path, state, mark, row, spans)
            pieces.append(piece)
            row += piece.rows
    return Plan(job, pieces, lost)


def cut(sizes: Sequence[int], rows: int) -> Iterator[tuple[Span, ...]]:
    """Pieces of about this number of rows, from row groups of these sizes.

    >>> list(cut([10, 20, 0, 30], 40))
    [((0, 0, 10), (1, 0, 20)), ((3, 0, 30),)]
    >>> list(cut([20_000], 1))
    [((0, 0, 8192),), ((0, 8192, 16384),), ((0, 16384, 20000),)]
    """
    step = -(-rows // WINDOW) * WINDOW  # so that windows are the same as for the whole group
    joined: list[Span] = []
    total = 0
    for group, size in enumerate(sizes):
        if joined and total + size > rows:
            yield tuple(joined)
            joined, total = [], 0
        if size > step:
            yield from (((group, begin, min(begin + step, size)),) for begin in range(0, size, step))
        elif size:
            joined.append((group, 0, size))
            total += size
    if joined:
        yield tuple(joined)


def _inspected(path: str, job: Job) -> tuple[list[int], tuple[int, int], str, Any]:
    """Sizes of row groups, state and mark of a file, and its schema."""
    with ColumnFile(path, job.gold, job.test, job.id) as source:
        if source.kind != "parquet":
            raise InputError(Problem("unreadable", "this is not a Parquet file"))
        state = _state(source.file)
        try:
            sizes, schema = source.layout()
        except UsageError as error:  # a column is missing
            raise UsageError(f"{path}: {error}") from None
        source.file.seek(-8, os.SEEK_END)
        length = int.from_bytes(source.file.read(4), "little")
        source.file.seek(-8 - length, os.SEEK_END)
        mark = hashlib.sha256(repr(state).encode() + source.file.read(length)).hexdigest()
        return sizes, state, mark, schema


def _state(file: Any) -> tuple[int, int]:
    status = os.fstat(file.fileno())
    return status.st_size, status.st_mtime_ns


def _plain_type(kind: Any) -> Any:
    return kind.value_type if library().types.is_dictionary(kind) else kind


def _reason(error: Exception) -> str:
    if isinstance(error, InputError):
        return error.problem.message
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


# --- A part


def part_name(job: Job, piece: Piece) -> str:
    """The name of the file of a part, which depends on settings and input."""
    origin = _origin(job, piece)
    return f"part-{piece.number:07}-{hashlib.sha256(origin.encode()).hexdigest()[:12]}.parquet"


def _origin(job: Job, piece: Piece) -> str:
    return json.dumps({"job": job.identity(), "piece": piece.identity()}, sort_keys=True)


def make_part(job: Job, piece: Piece, threads: int | None = 1) -> Tally:
    """Score a piece and write its part, unless it exists. Unreadable rows are tried again."""
    known = finished_part(job, piece)
    if known is not None and not known.lost_rows:
        return known
    tally, batches = score_piece(job, piece, threads)
    _write(job, piece, tally, batches)
    return tally


def give_up(job: Job, piece: Piece, reason: str) -> Tally:
    """The tally of a piece that cannot be scored."""
    tally = Tally(job.metrics, most=FEW_PROBLEMS)
    row = piece.row
    for span in piece.spans:
        row += _lose(tally, piece, span, row, "killed", reason)
    return tally


def score_piece(
    job: Job, piece: Piece, threads: int | None = 1, only: tuple[int, int] | None = None
) -> tuple[Tally, list[Any]]:
    """The tally and the scored rows of a piece, or of some of its rows."""
    tally = Tally(job.metrics, most=FEW_PROBLEMS)
    batches: list[Any] = []
    row = piece.row
    source: ColumnFile | None = None
    with ExitStack() as stack:
        for span in piece.spans:
            try:
                source = source or stack.enter_context(_opened(job, piece))
                windows = list(_scored_windows(job, piece, _read(job, source, span), row, threads, only))
            except _Unreadable as error:
                row += _lose(tally, piece, span, row, error.code, str(error))
                continue
            for begin, scored, batch in windows:
                tally.add(scored.batch.renumbered(begin))
                batches.append(batch)
            row += span[2] - span[1]
    return tally, batches


def _lose(tally: Tally, piece: Piece, span: Span, row: int, code: str, reason: str) -> int:
    group, begin, end = span
    some = f", from its row {begin + 1:,}" if begin else ""
    action = f"{number_of(end - begin, 'row')} not scored"
    message = f"row group {group + 1}{some}: {reason}"
    tally.lose(Problem(code, message, file=piece.shown, unit=row + 1, action=action), end - begin)
    return end - begin


class _Unreadable(Exception):
    """Rows cannot be read; with a reason and its code."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def _scored_windows(
    job: Job, piece: Piece, windows: Iterable[Window], at: int, threads: int | None, only: tuple[int, int] | None
) -> Iterator[tuple[int, Scored, Any]]:
    """The number of rows before each window, its scores, and its batch; nothing with `only`."""
    from .arrow import as_batch

    pa = library()
    for window in windows:
        gold, test = list(window.gold), list(window.test)
        place = at - piece.row  # of the window in the piece
        for poisoned in piece.poisoned:
            if 0 <= poisoned - place < len(gold):
                message = "scoring this pair repeatedly crashed the process"
                gold[poisoned - place] = Unusable("killed", message, lost=True)
                test[poisoned - place] = Unusable()
        if only is not None:
            first, last = (min(max(bound - place, 0), len(gold)) for bound in only)
            if first < last:
                score_columns(gold[first:last], test[first:last], job.metrics, form=job.form, threads=threads)
            at += len(gold)
            continue
        scored = score_columns(gold, test, job.metrics, form=job.form, threads=threads)
        numbers = pa.array(range(at + 1, at + len(gold) + 1), pa.int64())
        before = {"row": numbers} if job.id is None else {"id": window.ids}
        yield at, scored, as_batch(scored, job.metrics, before)
        at += len(gold)


def _opened(job: Job, piece: Piece) -> ColumnFile:
    with _reading():
        source = ColumnFile(piece.path, job.gold, job.test, job.id)
    if _state(source.file) != piece.state:
        source.file.close()
        raise _Unreadable("changed", "the file has changed since the start of the run")
    return source


def _read(job: Job, source: ColumnFile, span: Span) -> Iterator[Window]:
    """The windows of some rows, with ids in the type of the job."""
    with _reading():
        for window in source.group_windows(*span):
            yield window if window.ids is None else window.replace(ids=cast_ids(window.ids, job.id_type))


@contextmanager
def _reading() -> Iterator[None]:
    """Convert all errors to _Unreadable."""
    try:
        yield
    except (InputError, UsageError) as error:
        code = error.problem.code if isinstance(error, InputError) else "column"
        raise _Unreadable("damaged" if code == "parquet" else code, _reason(error)) from None
    except OSError as error:
        raise _Unreadable("unreadable", _reason(error)) from None


def _write(job: Job, piece: Piece, tally: Tally, batches: Sequence[Any]) -> None:
    """Write a part."""
    from io import BytesIO

    from .arrow import schema_of

    before = {"row": library().int64()} if job.id is None else {"id": job.id_type}
    schema = batches[0].schema if batches else schema_of(job.metrics, before)
    about = {"made": _origin(job, piece), "inputs": job.inputs, "tally": tally.as_data(), "sha256": _NO_CHECKSUM}
    schema = schema.with_metadata({**schema.metadata, _KEY: json.dumps(about)})
    table = library().Table.from_batches(batches, batches[0].schema if batches else schema).cast(schema)
    buffer = BytesIO()
    library("pyarrow.parquet").write_table(table, buffer, write_page_checksum=True)
    data = buffer.getvalue()
    with replacing(os.path.join(job.folder, part_name(job, piece))) as file:
        file.write(_with_checksum(data, _NO_CHECKSUM, hashlib.sha256(data).hexdigest()))


def _with_checksum(data: bytes, before: str, after: str) -> bytes:
    """The bytes of a part with another checksum, which is at the end of its metadata."""
    head, _, tail = data.rpartition(before.encode())
    return b"".join((head, after.encode(), tail))


def finished_part(job: Job, piece: Piece) -> Tally | None:
    """The tally of a piece from its part; None if the part is missing, damaged or has another origin."""
    about, rows = _about(os.path.join(job.folder, part_name(job, piece)))
    if about.get("made") != _origin(job, piece):
        return None
    tally = Tally.from_data(job.metrics, about["tally"], most=FEW_PROBLEMS)
    return tally if tally.size == rows else None


def _about(path: str) -> tuple[dict[str, Any], int]:
    """The metadata of a part and its number of rows; empty if it is missing or damaged."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return {}, 0
    checksums = _CHECKSUM.findall(data)
    if not checksums:
        return {}, 0
    checksum = checksums[-1].decode()
    if hashlib.sha256(_with_checksum(data, checksum, _NO_CHECKSUM)).hexdigest() != checksum:
        return {}, 0
    metadata = library("pyarrow.parquet").read_metadata(library().BufferReader(data))
    about: dict[str, Any] = json.loads(metadata.metadata[_KEY])
    return about, metadata.num_rows


# --- The folder


def kept_in(folder: str) -> str:
    """A message about the finished parts of a stopped run."""
    return f"finished parts are kept in {folder}; the same command continues the run"


class Folder:
    """The folder of the parts of a plan, locked for one run. A context manager.

    Incomplete parts of killed runs are removed, and so are parts of an earlier state of the input. Parts with another
    origin are an error, unless `restart` removes them.
    """

    def __init__(self, plan: Plan, *, restart: bool = False) -> None:
        self.path = plan.job.folder
        self.lock = os.path.join(self.path, ".lock")
        #: Numbers of existing parts, and of removed parts: their input has changed, or they are damaged.
        self.kept = self.stale = self.damaged = 0
        self._plan = plan
        self._restart = restart

    def __enter__(self) -> Folder:
        os.makedirs(self.path, exist_ok=True)
        self._lock = locked(self.lock, self.path)
        try:
            self._clear()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._remove(self._named(is_unfinished))
        if os.name != "nt":  # while it is locked, since later it may belong to another run
            os.unlink(self.lock)
        self._lock.close()
        if not os.listdir(self.path):
            os.rmdir(self.path)

    def notes(self) -> Iterator[str]:
        """Notes on parts of earlier runs in the folder."""
        if self.stale:
            yield f"{number_of(self.stale, 'part')} of an earlier state of the input removed"
        if self.damaged:
            yield f"{number_of(self.damaged, 'damaged part')} removed, to be computed again"
        if self.kept:
            yield f"{self.kept:,} of {number_of(len(self._plan.pieces), 'part')} in {self.path} already exist"

    def finish(self, total: str) -> None:
        """Write the total, which marks a complete run."""
        with replacing(os.path.join(self.path, TOTAL)) as file:
            file.write(total.encode())

    def _clear(self) -> None:
        job = self._plan.job
        expected = set() if self._restart else {part_name(job, piece) for piece in self._plan.pieces}
        parts = self._named(_NAME.fullmatch)
        others = [name for name in parts if name not in expected]
        damaged = [name for name in parts if name in expected and not _about(os.path.join(self.path, name))[0]]
        self.damaged = len(damaged)
        self.kept = len(parts) - len(others) - len(damaged)
        if not self._restart:
            for name in others:
                self._check_is_stale(name)
            self.stale = len(others)
        foreign = [
            name
            for name in self._named(lambda name: os.path.splitext(name)[1].lower() in SUFFIXES)
            if not _NAME.fullmatch(name) and not name.startswith(("_", "."))
        ]
        if foreign:
            raise UsageError(f"{self.path}: there are other files in it, such as {foreign[0]}; use a separate folder")
        self._remove([*others, *damaged, *self._named(is_unfinished), TOTAL])

    def _check_is_stale(self, name: str) -> None:
        about, _ = _about(os.path.join(self.path, name))
        if not about:  # incomplete
            return
        job = self._plan.job
        origin = json.loads(about["made"])
        spans = self._spans_by_mark.get(origin["piece"]["mark"])
        if origin["job"] != job.identity():
            what = f"by {', '.join(origin['job']['signatures'])} (treescore {origin['job']['version']})"
        elif tuple(about["inputs"]) != job.inputs:
            what = f"of {', '.join(about['inputs'])}"
        elif spans and tuple(map(tuple, origin["piece"]["spans"])) not in spans:
            what = "with another --rows-per-task"
        else:
            return
        advice = "name another folder by -o, or remove them by --restart"
        raise UsageError(f"{self.path} has the scores of another run, {what}, in {name} and perhaps others; {advice}")

    @cached_property
    def _spans_by_mark(self) -> dict[str, set[tuple[Span, ...]]]:
        """The spans of the current pieces of each file."""
        spans: dict[str, set[tuple[Span, ...]]] = {}
        for piece in self._plan.pieces:
            spans.setdefault(piece.mark, set()).add(piece.spans)
        return spans

    def _named(self, test: Callable[[str], object]) -> list[str]:
        return sorted(name for name in os.listdir(self.path) if test(name))

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            path = os.path.join(self.path, name)
            if os.path.lexists(path):
                os.unlink(path)
