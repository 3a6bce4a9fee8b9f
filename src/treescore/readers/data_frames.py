"""Columns of data frames as lists, recognised by shape: pandas, polars, pyarrow, numpy.

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

#: How a column becomes a list: pyarrow's, then polars' and pandas', then numpy's.
_AS_LIST = ("to_pylist", "to_list", "tolist")


def is_missing(value: object) -> bool:
    """None, or what pandas has in its place.

    >>> is_missing(None), is_missing(float("nan")), is_missing("nan"), is_missing(0.0)
    (True, True, False, False)
    """
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ == "NAType"


def column_values(source: Any) -> list[Any] | None:
    """The values of a column; None if it is something else. A table is refused: which of its columns is meant?"""
    kind = type(source)  # its attributes and not those of the object, which may be computed: a LazyFrame would warn
    if isinstance(source, dict) or hasattr(kind, "columns"):
        first = "collect() it, then " if hasattr(kind, "collect") else ""
        raise TypeError(
            f"a table is no list of trees ({kind.__module__}.{kind.__qualname__}): {first}give one of its columns, "
            "such as table['gold'], or let treescore.arrow.score take them all"
        )
    name = next((name for name in _AS_LIST if hasattr(kind, name)), None)
    if name is None:
        if not hasattr(kind, "__arrow_c_stream__") and not hasattr(kind, "__arrow_c_array__"):
            return None
        return _by_arrow(source)
    try:
        values = getattr(source, name)()
    except UnicodeDecodeError:  # Arrow takes bytes for text as they are
        return _by_arrow(source)
    return values if isinstance(values, list) else [values]


def _by_arrow(source: Any) -> list[Any]:
    return list(texts(source))


class Unusable(Value):
    """Placeholder for a value that is not text, and the reason; without a message, nothing more is said about it.

    `lost`: treescore could not finish the row, so that neither gold nor test is to blame.
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
    """The values of a column as bytes; what is no text stays what it is."""
    pa = library("pyarrow", "scale")
    if not isinstance(column, pa.Array | pa.ChunkedArray):
        if not is_batch(column):
            return column if isinstance(column, list | tuple) else list(column)
        column = pa.chunked_array(column) if hasattr(column, "__arrow_c_stream__") else pa.array(column)
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        column = pa.chunked_array([part.storage for part in chunks(column)], kind.storage_type)
        kind = column.type
    if pa.types.is_dictionary(kind):  # not by a cast, which does not know all types
        return [value for part in chunks(column) for value in _looked_up(part)]
    if pa.types.is_null(kind):
        return [None] * len(column)
    for is_one in ("is_string", "is_large_string", "is_binary", "is_large_binary", "is_fixed_size_binary",
                   "is_string_view", "is_binary_view"):  # fmt: skip
        if getattr(pa.types, is_one, _never)(kind):
            break
    else:
        wrong = Unusable.of_type(str(kind))
        return [wrong if there else None for there in column.is_valid().to_pylist()]
    values: list[object] = []
    for part in chunks(column):  # as bytes: text that is not UTF-8 is read as other readers read it
        values += (part.view(_BYTES[str(kind)]) if str(kind) in _BYTES else part).to_pylist()
    return values


def _looked_up(part: Any) -> list[object]:
    """The values that a dictionary-encoded column stands for."""
    known = texts(part.dictionary)
    return [None if place is None else known[place] for place in part.indices.to_pylist()]


_BYTES = {"string": "binary", "large_string": "large_binary", "string_view": "binary_view"}


def _never(_: object) -> bool:
    return False


def chunks(column: Any) -> list[Any]:
    return list(column.chunks) if hasattr(column, "chunks") else [column]
