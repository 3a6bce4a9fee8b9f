"""The library of the extra `scale`, imported on first use."""

from __future__ import annotations

from ..helpers import extras

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def library(name: str = "pyarrow") -> Any:
    """pyarrow or one of its modules, or a UsageError if it is missing."""
    return extras.library(name, "scale")
