"""Optional libraries (extras), imported when they are first needed."""

from __future__ import annotations

from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def advice(extra: str) -> str:
    """How to install the libraries of an extra."""
    return f"pip install 'treescore[{extra}]', in a clone of the project: pip install '.[{extra}]'"


def library(name: str, extra: str | None, who: str = "this needs") -> Any:
    """A library or one of its modules; an error with advice on installation if it is missing or in no extra.

    >>> library("nonsense", "speech")
    Traceback (most recent call last):
    treescore.UsageError: this needs nonsense, which is not installed; pip install 'treescore[speech]', in a \
clone of the project: pip install '.[speech]'
    """
    from importlib import import_module

    whole = name.partition(".")[0]
    try:
        return import_module(name)
    except ModuleNotFoundError:
        command = advice(extra) if extra else f"pip install {whole}"
        raise UsageError(f"{who} {whole}, which is not installed; {command}") from None
    except (ImportError, OSError) as problem:  # a binding whose system library is missing
        raise UsageError(f"{who} {whole}, which cannot be loaded ({problem})") from None
