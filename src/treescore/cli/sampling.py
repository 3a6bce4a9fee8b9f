"""How rows are drawn for intervals and tests: the options of commands that make them."""

from __future__ import annotations

import argparse

from ..render.output_formats import OUTPUT_FORMATS
from ..significance.intervals import LEVEL, METHODS, SAMPLES, SEED
from ..significance.sampling import MAX_SAMPLES
from ..significance.units import FileNames
from ..values.problem import InputError, Problem, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAMES = ("method", "level", "samples", "seed", "unit", "units")


def add_interval_options(made: argparse.ArgumentParser) -> None:
    """`--ci`, and how the intervals are made."""
    group = made.add_argument_group("intervals")
    group.add_argument("--ci", action="store_true", help="show how sure each figure is: an interval by the bootstrap")
    group.add_argument("--ci-method", choices=METHODS, help=f"(default: {METHODS[0]})")
    add_sampling_options(group, "ci-", samples=SAMPLES)


def add_sampling_options(made: argparse._ActionsContainer, prefix: str = "", *, samples: int) -> None:
    """How many samples are drawn, of what, and from which seed."""
    made.add_argument(
        f"--{prefix}level", type=level, metavar="PERCENT", help=f"level of the intervals (default: {100 * LEVEL:g})"
    )
    made.add_argument(
        f"--{prefix}samples", type=whole, metavar="N", help=f"how many samples are drawn (default: {samples:,})"
    )
    made.add_argument(f"--{prefix}seed", type=seed, metavar="N", help=f"seed of what is drawn (default: {SEED})")
    made.add_argument(
        f"--{prefix}unit",
        metavar="NAME",
        help="what is drawn: sentence, or for instance document or side, told by the ids of the sentences or by "
        f"--{prefix}units (default: sentence)",
    )
    made.add_argument(
        f"--{prefix}units",
        metavar="FILE",
        help="a line for each gold sentence: the name of the document, or what else it belongs to",
    )


def sampling(options: argparse.Namespace, prefix: str = "") -> dict[str, Any]:
    """What of this was said, as the functions of `significance` take it."""
    given = {name: getattr(options, f"{prefix}{name}", None) for name in _NAMES}
    found = {"n" if name == "samples" else name: value for name, value in given.items() if value is not None}
    if "units" in found:
        found["units"] = read_units(found["units"])
    return found


def interval_options(options: argparse.Namespace) -> dict[str, Any] | None:
    """How the intervals are to be made; None if none were asked for."""
    found = [name for name in _NAMES if getattr(options, f"ci_{name}") is not None]
    if found and not options.ci:
        raise UsageError(f"--ci-{found[0]} goes with --ci, which asks for intervals")
    if options.ci and OUTPUT_FORMATS[options.format].original:
        raise UsageError(f"the format {options.format} has no room for intervals: choose another one for --ci")
    details = [f"--{name.replace('_', '-')}" for name in ("by", "per_sentence") if getattr(options, name, None)]
    if options.ci and details and OUTPUT_FORMATS[options.format].one_table:
        raise UsageError(
            f"with {details[0]} the format {options.format} has no line for a whole score, so --ci has no place in it: "
            "choose another format"
        )
    return sampling(options, "ci_") if options.ci else None


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


def seed(text: str) -> int:
    """A seed: any whole number from 0."""
    if not (text.isascii() and text.isdecimal()) or int(text[:21]) >= 1 << 64:
        raise argparse.ArgumentTypeError(f"{text!r} is not a seed: a whole number from 0 to 2^64 - 1")
    return int(text)


def whole(text: str) -> int:
    """A number of samples or trials."""
    if not (text.isascii() and text.isdecimal()) or not 0 < int(text[:9]) <= MAX_SAMPLES or len(text) > 8:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {MAX_SAMPLES:,}")
    return int(text)


def level(text: str) -> float:
    """A share in percent, or as a fraction below 1.

    >>> level("99"), level("0.9"), level("95.45")
    (0.99, 0.9, 0.9545)
    """
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of percent between 0 and 100")
    if found == 1:
        raise argparse.ArgumentTypeError(f"{text!r} may be 1 % or all of them: 0.01 is the one, 99.99 near the other")
    return float(f"{found!r}e-2") if found > 1 else found  # not divided, which would add to its digits


def share(text: str) -> float:
    """A share between 0 and 1."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share between 0 and 1, such as 0.05")
    return found
