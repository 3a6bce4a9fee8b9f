"""How samples are drawn for intervals and tests."""

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
    """`--ci`, and how the intervals are computed."""
    group = parser.add_argument_group("intervals")
    group.add_argument("--ci", action="store_true", help="show how sure each figure is: an interval by the bootstrap")
    add_flags(group, "ci-method")
    add_sampling_flags(group, SAMPLES)


def sampling(options: argparse.Namespace) -> dict[str, Any]:
    """How samples are drawn, as the functions of `significance` take it."""
    given = {name: getattr(options, f"ci_{name}", None) for name in _NAMES}
    settings = {"n" if name == "samples" else name: value for name, value in given.items() if value is not None}
    if "units" in settings:
        settings["units"] = read_units(settings["units"])
    return settings


def interval_options(options: argparse.Namespace) -> dict[str, Any] | None:
    """How the intervals are computed; None without `--ci`."""
    given = [name for name in _NAMES if getattr(options, f"ci_{name}") is not None]
    if given and not options.ci:
        raise UsageError(f"--ci-{given[0]} goes with --ci, which asks for intervals")
    if options.ci and OUTPUT_FORMATS[options.format].original:
        raise UsageError(f"the format {options.format} has no room for intervals: choose another one for --ci")
    details = [f"--{name.replace('_', '-')}" for name in ("by", "per_sentence") if getattr(options, name, None)]
    if options.ci and details and OUTPUT_FORMATS[options.format].one_table:
        raise UsageError(
            f"with {details[0]} the format {options.format} has no line for a whole score, so --ci has no place in it: "
            "choose another format"
        )
    return sampling(options) if options.ci else None


def read_units(path: str) -> FileNames:
    """The names in a file, one in a line."""
    from ..readers.sources import open_source
    from .files import source

    given = open_source(source(path), None)
    assert given is not None
    text = bytes(given[0]).decode("utf-8-sig", "surrogateescape")
    lines = text.removesuffix("\n").split("\n") if text else []  # no other sign ends a line, as in `wc -l`
    names = [line.strip(" \t\r") for line in lines]
    for number, name in enumerate(names, 1):
        if not name:
            message = "this line is empty; each has the name of what a sentence belongs to"
            raise InputError(Problem("units", message, file=path, line=number))
    return FileNames(names, path)


def share(text: str) -> float:
    """A share between 0 and 1."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share between 0 and 1, such as 0.05")
    return value
