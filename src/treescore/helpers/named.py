"""The values of lists that are declared in native/: attributes of the native module, or found by their names."""

from __future__ import annotations

from functools import cache


def values(names: object) -> dict[str, int]:
    """The values of an enumeration of the native module by name, in lower case.

    >>> from treescore import _core
    >>> list(values(_core.Axis))
    ['characters', 'seconds', 'words']
    """
    return {name.lower(): value for name, value in sorted(vars(names).items()) if not name.startswith("_")}


@cache
def value_of(names: object, text: str) -> int:
    """The value with the name that an option has in text.

    >>> from treescore import _core
    >>> value_of(_core.RootRule, "drop-whole") == _core.RootRule.DROP_WHOLE
    True
    """
    return values(names)[text.replace("-", "_").replace(" ", "_")]
