"""Sampling for confidence intervals and tests."""

from __future__ import annotations

import argparse

from ..render.output_formats import OUTPUT_FORMATS
from ..significance.intervals import SAMPLES
from ..significance.units import FileNames
from ..values.problem import InputError, Problem, UsageError
from .flags import add_flags, add_sampling_flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAMES = ("method", "level", "samples", "seed", "unit", "units")


def add_interval_options(parser: argparse.ArgumentParser) -> None:
    """`--ci` and its settings."""
    group = parser.add_argument_group("confidence intervals")
    group.add_argument("--ci", action="store_true", help="add confidence intervals")
    add_flags(group, "ci-method")
    add_sampling_flags(group, SAMPLES)


def sampling(options: argparse.Namespace) -> dict[str, Any]:
    """The sampling settings, as arguments of the functions of `significance`."""
    values = {name: getattr(options, f"ci_{name}", None) for name in _NAMES}
    settings = {"n" if name == "samples" else name: value for name, value in values.items() if value is not None}
    if "units" in settings:
        settings["units"] = read_units(settings["units"])
    return settings


def interval_options(options: argparse.Namespace) -> dict[str, Any] | None:
    """The sampling settings of intervals; None without `--ci`."""
    given = [name for name in _NAMES if getattr(options, f"ci_{name}") is not None]
    if given and not options.ci:
        raise UsageError(f"--ci-{given[0]} needs --ci")
    if options.ci and OUTPUT_FORMATS[options.format].original:
        raise UsageError(f"the format {options.format} has no intervals: choose another format for --ci")
    details = [f"--{name.replace('_', '-')}" for name in ("by", "per_sentence") if getattr(options, name, None)]
    if options.ci and details and OUTPUT_FORMATS[options.format].one_table:
        raise UsageError(
            f"with {details[0]} the format {options.format} has no totals, and so no intervals: choose another format"
        )
    return sampling(options) if options.ci else None


def read_units(path: str) -> FileNames:
    """The names in a file, one per line."""
    from ..readers.sources import open_source
    from .files import source

    opened_source = open_source(source(path), None)
    assert opened_source is not None
    text = bytes(opened_source[0]).decode("utf-8-sig", "surrogateescape")
    lines = text.removesuffix("\n").split("\n") if text else []  # only "\n" ends a line
    names = [line.strip(" \t\r") for line in lines]
    for number, name in enumerate(names, 1):
        if not name:
            message = "this line is empty; each line names the unit of a sentence"
            raise InputError(Problem("units", message, file=path, line=number))
    return FileNames(names, path)
