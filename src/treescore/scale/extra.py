"""The library of the extra `scale`, imported when it is first needed."""

from __future__ import annotations

from ..helpers import extras

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def library(name: str = "pyarrow") -> Any:
    """pyarrow, or one of its modules, or a UsageError."""
    return extras.library(name, "scale")
