"""Columns of data frames as lists, recognised by shape: pandas, polars, pyarrow, numpy.

>>> import pandas
>>> column_values(pandas.Series(["(S (NN a))", "(S (NN b))"]))
['(S (NN a))', '(S (NN b))']
>>> [is_missing(value) for value in column_values(pandas.Series(["(S (NN a))", None]))]
[False, True]
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    from ..scale.arrow import texts

    return list(texts(source))
