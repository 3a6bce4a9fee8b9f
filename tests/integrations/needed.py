"""Packages that only `make test-company` installs: without them tests are skipped, and say so loudly."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

import pytest


def needed(name: str) -> Any:
    """A package, or one of its modules; where it is missing, the tests of this module are skipped."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what other packages think of each other
            return import_module(name)
    except ImportError as problem:
        package = name.partition(".")[0]
        message = f"{package.upper()} IS NOT TESTED: {problem}; make test-company installs it"
        warnings.warn(message, stacklevel=2)
        pytest.skip(message, allow_module_level=True)
