"""The libraries of the extra `speech`, imported when they are first needed."""

from __future__ import annotations

from ..helpers import extras

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ADVICE = extras.advice("speech")
LIBRARIES = ("numpy", "soundfile", "soxr", "pocketsphinx")


def library(name: str) -> Any:
    """One of the libraries, or a UsageError."""
    return extras.library(name, "speech")


def check() -> None:
    """Raise an error now, instead of during the work, if a library is missing."""
    for name in LIBRARIES:
        library(name)
