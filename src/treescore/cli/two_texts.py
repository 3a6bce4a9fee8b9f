"""Options of `treescore align sentences` and `align trees`: two files of trees whose text may differ."""

from __future__ import annotations

import argparse

from ..helpers.threads import count_threads
from ..metrics import get
from ..metrics.aligned_parseval import AlignedParseval
from ..place.two_sides import check_readable
from ..values.signature_text import quote
from ..words.contractions import LANGUAGES
from ..words.normal import DEFAULT
from .arguments import named
from .files import check_standard_input
from .flags import add_flags, add_reading_flags
from .score import read_trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..trees import Treebank


def add_options(command: argparse.ArgumentParser) -> None:
    """Options about comparing words and reading trees."""
    command.add_argument(
        "--text",
        metavar="STEPS",
        help=f"normalisation of words, steps joined by + (default: {'+'.join(DEFAULT)}), or none",
    )
    command.add_argument(
        "--contractions",
        metavar="LIST",
        help=f"contractions that match their expansion: {', '.join(LANGUAGES)}, or a file (default: en)",
    )
    add_flags(command, "profile", "prm")
    add_reading_flags(command)


def metric_of(options: argparse.Namespace) -> AlignedParseval:
    """The metric that aligns words with these options."""
    given = named(options, "text", "contractions", "profile", "prm")
    extra = {name: value for name, value in given.items() if value is not None}
    for name in ("contractions", "prm"):
        if name in extra:
            extra[name] = quote(extra[name])
    metric = get("aligned_parseval", extra)
    assert isinstance(metric, AlignedParseval)
    return metric


def read_sides(paths: tuple[str, str], options: argparse.Namespace) -> tuple[Treebank, Treebank, int]:
    """The trees of both files, and the number of threads."""
    check_standard_input(paths)
    first = read_trees(paths[0], options)
    second = read_trees(paths[1], options, against=first)
    for bank in (first, second):
        check_readable(bank)
    return first, second, count_threads(options.threads, len(first))
