"""The libraries of the extra `speech`, imported when they are first needed."""

from __future__ import annotations

from ..problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ADVICE = "pip install 'treescore[speech]', in a clone of the project: pip install '.[speech]'"
LIBRARIES = ("numpy", "soundfile", "soxr", "pocketsphinx")


def library(name: str) -> Any:
    """One of the libraries.

    >>> library("nonsense")
    Traceback (most recent call last):
    treescore.problem.UsageError: this needs nonsense, which is not installed; pip install 'treescore[speech]', in a \
clone of the project: pip install '.[speech]'
    """
    from importlib import import_module

    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise UsageError(f"this needs {name}, which is not installed; {ADVICE}") from None
    except (ImportError, OSError) as problem:  # soundfile without the library that it stands for
        raise UsageError(f"this needs {name}, which cannot be loaded ({problem})") from None


def check() -> None:
    """Is everything there? Better asked before the work than in the middle of it."""
    for name in LIBRARIES:
        library(name)
