"""Columns of data frames as lists, recognised by their methods: pandas, polars, pyarrow, numpy.

>>> import pandas
>>> column_values(pandas.Series(["(S (NN a))", "(S (NN b))"]))
['(S (NN a))', '(S (NN b))']
>>> [is_missing(value) for value in column_values(pandas.Series(["(S (NN a))", None]))]
[False, True]
"""

from __future__ import annotations

from ..helpers.extras import library
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

#: Methods that convert a column to a list: of pyarrow, of polars and pandas, of numpy.
_AS_LIST = ("to_pylist", "to_list", "tolist")


def is_missing(value: object) -> bool:
    """Is the value None, or a missing value of pandas?

    >>> is_missing(None), is_missing(float("nan")), is_missing("nan"), is_missing(0.0)
    (True, True, False, False)
    """
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ == "NAType"


def column_values(source: Any) -> list[Any] | None:
    """The values of a column; None if it is something else. A table is refused, because it has several columns."""
    kind = type(source)  # attributes of the object may be computed: a LazyFrame would warn
    if isinstance(source, dict) or hasattr(kind, "columns"):
        first = "collect() it, then " if hasattr(kind, "collect") else ""
        raise TypeError(
            f"a table is not a list of trees ({kind.__module__}.{kind.__qualname__}): {first}give one of its columns, "
            "such as table['gold'], or let treescore.arrow.score take them all"
        )
    name = next((name for name in _AS_LIST if hasattr(kind, name)), None)
    if name is None:
        if not hasattr(kind, "__arrow_c_stream__") and not hasattr(kind, "__arrow_c_array__"):
            return None
        return _by_arrow(source)
    try:
        values = getattr(source, name)()
    except UnicodeDecodeError:  # Arrow does not check the encoding of text
        return _by_arrow(source)
    return values if isinstance(values, list) else [values]


def _by_arrow(source: Any) -> list[Any]:
    return list(texts(source))


class Unusable(Value):
    """Placeholder for a value that is not text, and the reason; without a message, no problem is reported.

    `lost`: treescore could not finish the row; neither gold nor test is to blame.
    """

    code: str = ""
    message: str = ""
    lost: bool = False

    @classmethod
    def of_type(cls, kind: str) -> Unusable:
        """A value of another type than text."""
        return cls("type", f"a tree is text, and this is of type {kind}")


def is_batch(value: object) -> bool:
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")


def texts(column: Any) -> Sequence[object]:
    """The values of a column as bytes; values that are not text are unchanged."""
    pa = library("pyarrow", "scale")
    if not isinstance(column, pa.Array | pa.ChunkedArray):
        if not is_batch(column):
            return column if isinstance(column, list | tuple) else list(column)
        column = pa.chunked_array(column) if hasattr(column, "__arrow_c_stream__") else pa.array(column)
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        column = pa.chunked_array([part.storage for part in chunks(column)], kind.storage_type)
        kind = column.type
    if pa.types.is_dictionary(kind):  # a cast does not support all types
        return [value for part in chunks(column) for value in _looked_up(part)]
    if pa.types.is_null(kind):
        return [None] * len(column)
    if any(getattr(pa.types, name, _never)(kind) for name in _LISTS):
        cells = (cell for part in chunks(column) for cell in part)
        return [tuple(texts(cell.values)) if cell.is_valid else None for cell in cells]
    for check in ("is_string", "is_large_string", "is_binary", "is_large_binary", "is_fixed_size_binary",
                   "is_string_view", "is_binary_view"):  # fmt: skip
        if getattr(pa.types, check, _never)(kind):
            break
    else:
        unusable = Unusable.of_type(str(kind))
        return [unusable if is_valid else None for is_valid in column.is_valid().to_pylist()]
    values: list[object] = []
    for part in chunks(column):  # as bytes, because text may not be UTF-8
        values += (part.view(_BYTES[str(kind)]) if str(kind) in _BYTES else part).to_pylist()
    return values


def _looked_up(part: Any) -> list[object]:
    """The values of a dictionary-encoded column."""
    values = texts(part.dictionary)
    return [None if place is None else values[place] for place in part.indices.to_pylist()]


_LISTS = ("is_list", "is_large_list", "is_fixed_size_list", "is_list_view", "is_large_list_view")
_BYTES = {"string": "binary", "large_string": "large_binary", "string_view": "binary_view"}


def _never(_: object) -> bool:
    return False


def chunks(column: Any) -> list[Any]:
    return list(column.chunks) if hasattr(column, "chunks") else [column]
