"""What was probably meant by a name that is unknown."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one, if any is."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(known), 1)), None)


def suggestion(name: str, known: Iterable[str]) -> str:
    """The known name that is most like this one, or all of them if none is.

    >>> suggestion("colins", ["collins", "spmrl"])
    "did you mean 'collins'?"
    >>> suggestion("bodmas", ["collins", "spmrl"])
    'known: collins, spmrl'
    """
    names = list(known)
    close = closest(name, names)
    return f"did you mean {close!r}?" if close else f"known: {', '.join(names)}"
