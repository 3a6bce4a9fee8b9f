"""Scores of columns of trees, batch by batch: a function for any engine to map.

>>> import treescore.scale.arrow
>>> batch = treescore.arrow.score({"gold": ["(S (NN a))", None], "test": ["(S (NN a))", "(S (NN b))"]})
>>> batch["score"].to_pylist(), batch["status"].to_pylist(), batch["gold"].to_pylist()
([1.0, None], [0, 1], [1, 0])
>>> batch.schema.metadata[b"treescore.signature"].decode()
'parseval|labels:yes|profile:collins|v:0.2.0.dev0'
>>> treescore.arrow.total([batch, batch])["parseval"].value
1.0
"""

from __future__ import annotations

from .._version import __version__
from ..helpers.text import number_of, visible
from ..readers.data_frames import is_batch, texts
from ..scoring.batch import columns_of
from ..scoring.problem_log import FEW_PROBLEMS
from ..scoring.tally import Tally
from ..values.problem import Problem, UsageError
from .extra import library
from .pairs import Scored, check_metrics, for_gold, prefixes, score_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..scoring.choosing import Metrics
    from ..scoring.report import Report

_VERSION, _SIGNATURE = b"treescore.version", b"treescore.signature"


def score(
    batch: Any,
    metrics: Metrics = "parseval",
    *,
    gold_column: str = "gold",
    test_column: str = "test",
    id_column: str | None = None,
    form: str = "auto",
    threads: int | None = None,
) -> Any:
    """Score the pairs of trees in the rows of a batch, and return a pyarrow RecordBatch with a row for each pair.

    A batch is a pyarrow RecordBatch or Table, an object with `__arrow_c_stream__` or `__arrow_c_array__` (polars,
    pandas, duckdb), or a dict of columns. The result has the columns `id` (with `id_column`), `score` (None if
    undefined), `score_all` (0 for failed rows), `status` (0 scored, 1 failed, 2 in no figure; for PARSEVAL and
    functions the status of EVALB), `problem` (None, or the problems of the row), and the counts; with several metrics,
    columns are prefixed with the name of the metric, as in `parseval.score`. Version and signature are in the metadata
    of the schema. Rows are independent: a null, other value or damaged tree affects no other row.

    >>> both = score({"g": ["(S (NN a))"], "t": ["(X (NN a))"]}, ["parseval", "struct_iou"], gold_column="g",
    ...              test_column="t")
    >>> both.column_names[:4], both["struct_iou.score"].to_pylist()
    (['problem', 'parseval.score', 'parseval.score_all', 'parseval.status'], [0.5])
    """
    chosen = check_metrics(metrics)
    columns = _columns(batch, [gold_column, test_column, *([] if id_column is None else [id_column])])
    gold, test = texts(columns[gold_column]), texts(columns[test_column])
    ids = None if id_column is None else columns[id_column]
    if len(gold) != len(test) or (ids is not None and len(ids) != len(gold)):
        raise UsageError(
            f"the columns have different lengths: {number_of(len(gold), 'row')} in {gold_column!r}, {len(test):,} in "
            f"{test_column!r}" + ("" if ids is None else f", {len(ids):,} in {id_column!r}")
        )
    chosen = for_gold(chosen, gold)
    scores = score_columns(gold, test, chosen, form=form, threads=threads)
    return as_batch(scores, chosen, None if ids is None else {"id": _array(ids)})


def total(batches: Any, metrics: Metrics | None = None) -> Report:
    """The total of batches that `score` returned: the same scores as `evaluate` for all rows.

    `batches` is one batch or several, in any order. The metrics are taken from the batches by default.

    >>> halves = [score({"gold": ["(S (NN a))"], "test": [tree]}, "parseval|profile:none")
    ...           for tree in ("(S (NN a))", "(X (NN a))")]
    >>> print(total(halves)["parseval"].figures["f1"].shown())
    50.00
    """
    tally = None if metrics is None else Tally(check_metrics(metrics), most=FEW_PROBLEMS)
    for batch in [batches] if is_batch(batches) else batches:
        table = _as_table(batch)
        found = signatures(table.schema)
        if tally is None:
            tally = Tally(check_metrics(found), most=FEW_PROBLEMS)
        expected = [metric.signature for metric in tally.metrics]
        if found != expected:
            raise UsageError(f"a batch was scored by {', '.join(found)}, not by {', '.join(expected)}")
        tally.add_problems(_problems(table["problem"], tally.size))
        tally.add_sums(_sums(table, tally.metrics), table.num_rows)
    if tally is None:
        raise UsageError("there are no batches: give metrics or a batch")
    return tally.report()


def _problems(column: Any, before: int) -> Iterator[Problem]:
    """The problems in a column after `before` rows."""
    rows = library("pyarrow.compute").indices_nonzero(column.is_valid())
    for row, text in zip(rows.to_pylist(), column.drop_null().to_pylist(), strict=True):
        for line in text.split("\n") if text else ():
            code, _, message = line.partition(": ")
            yield Problem(code, message, unit=before + row + 1)


def score_frame(frame: Any, metrics: Metrics = "parseval", **options: Any) -> Any:
    """`score` for a polars or pandas DataFrame, returned as a frame of the same kind; pandas keeps its index.

    >>> import polars
    >>> frame = polars.DataFrame({"gold": ["(S (NN a))"], "test": ["(S (NN a))"]})
    >>> score_frame(frame)["score"].to_list()
    [1.0]
    """
    homes = {kind.__module__.partition(".")[0] for kind in type(frame).__mro__}  # includes subclasses
    home = next((name for name in ("polars", "pandas") if name in homes), None)
    if home is None:
        raise UsageError(f"{type(frame).__name__} is not a polars or pandas DataFrame; use treescore.arrow.score")
    scores = score(frame, metrics, **options)
    if home == "polars":
        import sys

        return sys.modules["polars"].from_arrow(scores)
    rows = scores.to_pandas()
    rows.index = frame.index
    return rows


def signatures(schema: Any) -> list[str]:
    """The signatures of the metrics of a batch, from the metadata of its schema."""
    signatures = (schema.metadata or {}).get(_SIGNATURE)
    if signatures is None:
        raise UsageError("this batch is not from treescore.arrow.score: its schema has no signature")
    return str(signatures.decode()).split("\n")


def schema_of(metrics: Sequence[Metric], before: Mapping[str, Any] | None = None) -> Any:
    """The schema of the results of `score`; `before` has the types of preceding columns, such as id."""
    empty = score_columns([], [], metrics)
    pa = library()
    return as_batch(empty, metrics, {name: pa.array([], kind) for name, kind in (before or {}).items()}).schema


def as_batch(scored: Scored, metrics: Sequence[Metric], before: Mapping[str, Any] | None = None) -> Any:
    """Scored rows as a RecordBatch, after the columns `before`."""
    pa = library()
    columns = [(pa.field(name, array.type), array) for name, array in (before or {}).items()]
    problems = pa.field("problem", pa.string()), pa.array(scored.problem_texts(), pa.string())
    single = len(metrics) == 1
    if not single:
        columns.append(problems)
    for metric, prefix, table in zip(metrics, prefixes(metrics), scored.tables, strict=True):
        about = {"signature": metric.signature, "figure": metric.row_figure}
        figures, over_all = table.figures, table.all_figures
        scores = pa.array(figures, pa.float64())
        scores_all = scores if over_all is figures else pa.array(over_all, pa.float64())
        columns.append((pa.field(f"{prefix}score", pa.float64(), metadata=about), scores))
        columns.append((pa.field(f"{prefix}score_all", pa.float64(), metadata=about), scores_all))
        values = {"values": metric.status_note.removeprefix("status: ")}
        field = pa.field(f"{prefix}status", pa.int8(), nullable=False, metadata=values)
        columns.append((field, pa.array(table.status, pa.int8())))
        if single:
            columns.append(problems)
        for name, column in table.counts.columns.items():
            counts = pa.Array.from_buffers(pa.int64(), scored.size, [None, pa.py_buffer(column)])
            columns.append((pa.field(f"{prefix}{name}", pa.int64(), nullable=False), counts))
    named = "\n".join(metric.signature for metric in metrics)
    fields, arrays = zip(*columns, strict=True)
    schema = pa.schema(fields, metadata={_VERSION: __version__.encode(), _SIGNATURE: named.encode()})
    return pa.RecordBatch.from_arrays(list(arrays), schema=schema)


def _sums(table: Any, metrics: Sequence[Metric]) -> list[dict[str, int]]:
    """The sums of the counts of each metric, as Python integers, since sums of rates may exceed 64 bits."""
    sums = []
    present = set(table.column_names)
    for prefix, metric in zip(prefixes(metrics), metrics, strict=True):
        names = columns_of(metric)
        missing = [name for name in names if f"{prefix}{name}" not in present]
        if missing:
            raise UsageError(f"the batch has no column {prefix + missing[0]!r}: it is incomplete")
        sums.append({name: _sum(table[f"{prefix}{name}"]) for name in names})
    return sums


def _sum(column: Any) -> int:
    from .. import _core

    pa = library()
    combined = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(combined, pa.ChunkedArray):
        return sum(map(_sum, combined.chunks))
    if combined.null_count or combined.type != pa.int64():
        raise UsageError("a column of counts has nulls or is not int64: the batch was changed")
    if not len(combined):
        return 0
    data = memoryview(combined.buffers()[1])[8 * combined.offset : 8 * (combined.offset + len(combined))].cast("q")
    return int(_core.sum_rows([data], [])[0])


def _as_table(batch: Any) -> Any:
    """An object with Arrow columns as a Table or RecordBatch."""
    pa = library()
    if isinstance(batch, pa.Table | pa.RecordBatch):
        return batch
    try:
        if hasattr(batch, "__arrow_c_stream__"):
            return pa.RecordBatchReader.from_stream(batch).read_all()
        if hasattr(batch, "__arrow_c_array__"):
            return pa.record_batch(batch)
    except pa.ArrowInvalid as problem:
        if "non-struct" not in str(problem):
            raise
        raise _single_column() from None
    raise UsageError(
        f"{type(batch).__name__} has no columns: give a pyarrow RecordBatch or Table, "
        "a polars or pandas DataFrame, or a dict of columns"
    )


def _single_column() -> UsageError:
    return UsageError("this is a single column: give the whole table, or a dict of columns")


def _columns(batch: Any, names: Iterable[str]) -> dict[str, Any]:
    """The columns of these names: Arrow's, or lists."""
    names = list(dict.fromkeys(names))
    if hasattr(type(batch), "collect") and not is_batch(batch):
        raise UsageError(
            f"a {type(batch).__name__} has no rows yet: call collect() first, or map treescore.arrow.score_frame or "
            "treescore.arrow.score over its batches"
        )
    if hasattr(batch, "loc") and not hasattr(batch, "columns"):  # a pandas Series, which may lack Arrow methods
        raise _single_column()
    if hasattr(batch, "keys") and hasattr(batch, "__getitem__") and not is_batch(batch):
        check_names(list(batch.keys()), names)
        return {name: batch[name] for name in names}
    if hasattr(batch, "columns") and hasattr(batch, "shape") and hasattr(batch, "loc"):  # pandas
        check_names(list(batch.columns), names)
        return {name: _of_series(batch[name]) for name in names}
    if hasattr(batch, "columns") and hasattr(batch, "get_column"):  # polars
        check_names(list(batch.columns), names)
        batch = batch.select(names)  # other columns may have types without an Arrow equivalent
    table = _as_table(batch)
    check_names(table.schema.names, names)
    return {name: table.column(table.schema.names.index(name)) for name in names}


def _of_series(series: Any) -> Any:
    """A pandas column; a list if it has values of several types."""
    pa = library()
    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError):
        return series.tolist()


def check_names(columns: Sequence[str], names: Iterable[str]) -> None:
    """Refuse names of missing or duplicate columns."""
    for name in names:
        if columns.count(name) != 1:
            known = ", ".join(visible(str(other)) for other in columns) or "none"
            what = "are two columns" if name in columns else "is no column"
            raise UsageError(f"there {what} {name!r}; there are: {known}")


def _array(values: Any) -> Any:
    """Ids as an Array, with Arrow's type if there is one, else as text."""
    pa = library()
    if isinstance(values, pa.ChunkedArray):
        joined = values.combine_chunks()
        return pa.concat_arrays(joined.chunks) if isinstance(joined, pa.ChunkedArray) else joined
    if isinstance(values, pa.Array):
        return values
    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError, ValueError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
