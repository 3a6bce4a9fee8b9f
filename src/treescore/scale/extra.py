"""The library of the extra `scale`, imported when it is first needed."""

from __future__ import annotations

from ..problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ADVICE = "pip install 'treescore[scale]', in a clone of the project: pip install '.[scale]'"


def library(name: str = "pyarrow") -> Any:
    """pyarrow, or one of its modules.

    >>> library("nonsense")
    Traceback (most recent call last):
    treescore.problem.UsageError: this needs nonsense, which is not installed; pip install 'treescore[scale]', in a \
clone of the project: pip install '.[scale]'
    """
    from importlib import import_module

    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise UsageError(f"this needs {name.partition('.')[0]}, which is not installed; {ADVICE}") from None
    except (ImportError, OSError) as problem:
        raise UsageError(f"this needs {name.partition('.')[0]}, which cannot be loaded ({problem})") from None
