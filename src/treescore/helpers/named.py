"""Values of the enumerations of the native module, by name."""

from __future__ import annotations

_VALUES: dict[tuple[object, str], int] = {}  # by enumeration and spelling


def values(names: object) -> dict[str, int]:
    """The values of an enumeration by lower-case name.

    >>> from treescore import _core
    >>> list(values(_core.Axis))
    ['characters', 'seconds', 'words']
    """
    return {name.lower(): value for name, value in sorted(vars(names).items()) if not name.startswith("_")}


def value_of(names: object, text: str) -> int:
    """The value of an enumeration by the spelling of its name in options.

    >>> from treescore import _core
    >>> value_of(_core.RootRule, "drop-whole") == _core.RootRule.DROP_WHOLE
    True
    """
    value = _VALUES.get((names, text))
    if value is None:
        value = _VALUES[names, text] = values(names)[text.replace("-", "_").replace(" ", "_")]
    return value
