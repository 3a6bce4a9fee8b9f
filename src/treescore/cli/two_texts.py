"""What `treescore align sentences` and `align trees` share: two files of trees whose text may differ."""

from __future__ import annotations

import argparse
import sys

from ..helpers.problem_lines import in_one_line
from ..helpers.threads import count_threads
from ..metrics import get
from ..metrics.aligned_parseval import AlignedParseval
from ..place.two_sides import check_readable
from ..values.problem import UsageError
from ..values.signature_text import quote
from ..words.contractions import LANGUAGES
from ..words.normal import DEFAULT
from . import errors
from .flags import add_flags, add_reading_flags
from .score import read_trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import BinaryIO

    from ..trees import Treebank
    from ..values.problem import Problem


def add_options(command: argparse.ArgumentParser) -> None:
    """Options about how words are compared and trees are read."""
    add_flags(command, "output")
    command.add_argument(
        "--text",
        metavar="STEPS",
        help=f"what is done to words before they are compared, joined by + (default: {'+'.join(DEFAULT)}), or none",
    )
    command.add_argument(
        "--contractions",
        metavar="LIST",
        help=f"contractions that may be written out: {', '.join(LANGUAGES)}, or a file (default: en)",
    )
    add_flags(command, "profile", "prm")
    add_reading_flags(command)


def metric_of(options: argparse.Namespace) -> AlignedParseval:
    """The metric that aligns words as the options say."""
    given = {name: getattr(options, name) for name in ("text", "contractions", "profile", "prm")}
    extra = {name: value for name, value in given.items() if value is not None}
    for name in ("contractions", "prm"):
        if name in extra:
            extra[name] = quote(extra[name])
    metric = get("aligned_parseval", extra)
    assert isinstance(metric, AlignedParseval)
    return metric


def read_sides(paths: tuple[str, str], options: argparse.Namespace) -> tuple[Treebank, Treebank, int]:
    """The trees of both files, and on how many threads to work on them."""
    if paths == ("-", "-"):
        raise UsageError("only one of the two files can be standard input")
    first, second = (read_trees(path, options) for path in paths)
    for bank in (first, second):
        check_readable(bank)
    return first, second, count_threads(options.threads, len(first))


def write(pieces: Iterable[str], out: BinaryIO) -> None:
    """Write text piece by piece."""
    out.writelines(piece.encode("utf-8", "surrogateescape") for piece in pieces)
    out.flush()


def report_problems(problems: Sequence[Problem], *, shown: bool, strict: bool) -> int:
    """Say on standard error how many problems there are unless that was shown, and return the exit code."""
    if problems and (strict or not shown):
        before, behind = ("--strict, and ", "") if strict else ("", " (-f json lists them)")
        sys.stderr.write(f"treescore: {before}{in_one_line(problems)}{behind}\n")
    return errors.FAILED if problems and strict else errors.OK
