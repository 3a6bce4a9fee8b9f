"""Suggestions for unknown names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most similar, or None if none is similar."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(known), 1)), None)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message, with the known name that is most similar; empty if none is similar.

    >>> did_you_mean("colins", ["collins", "spmrl"])
    "; did you mean 'collins'?"
    """
    close = closest(name, known)
    return f"; did you mean {close!r}?" if close else ""


def suggestion(name: str, known: Iterable[str]) -> str:
    """The known name that is most similar, or all known names if none is similar.

    >>> suggestion("colins", ["collins", "spmrl"])
    "did you mean 'collins'?"
    >>> suggestion("bodmas", ["collins", "spmrl"])
    'known: collins, spmrl'
    """
    names = list(known)
    return did_you_mean(name, names).removeprefix("; ") or f"known: {', '.join(names)}"
