"""Several systems against one gold: their files, their names."""

from __future__ import annotations

import os

from ..problem import UsageError
from ..text import visible
from .files import keep_inputs
from .score import read_trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..trees import Treebank


def add_systems(made: argparse.ArgumentParser) -> None:
    """Gold, and the files of the systems."""
    made.add_argument("gold", metavar="GOLD", help="file of gold trees, or - for standard input")
    made.add_argument("tests", metavar="TEST", nargs="+", help="file of parsed trees; several are compared")
    made.add_argument(
        "--name", action="append", default=[], help="name of a system, in the order of the files (default: their names)"
    )


def read_systems(options: argparse.Namespace) -> tuple[Treebank, dict[str, Treebank]]:
    """The trees of gold, and those of each system by its name."""
    if [options.gold, *options.tests].count("-") > 1:
        raise UsageError("only one of the files can be standard input")
    keep_inputs(options.output, [options.gold, *options.tests])
    names = system_names(options.tests, options.name)
    gold = read_trees(options.gold, options)
    return gold, {name: read_trees(path, options) for name, path in zip(names, options.tests, strict=True)}


def system_names(paths: Sequence[str], given: Sequence[str], what: str = "systems") -> list[str]:
    """The names of the systems, or what else they are: those given, else what tells the names of their files apart.

    >>> system_names(["out/a.mrg", "out/b.mrg"], [])
    ['a', 'b']
    >>> system_names(["one/parsed.mrg", "two/parsed.mrg"], ["first"])
    ['first', 'parsed']
    >>> system_names(["one/parsed.mrg", "two/parsed.mrg"], [])
    ['one/parsed.mrg', 'two/parsed.mrg']
    """
    if len(given) > len(paths):
        raise UsageError(f"there are {len(given)} names (--name) for {len(paths)} files")
    stems = [os.path.splitext(os.path.basename(path))[0] or path for path in paths]
    names = [*given, *stems[len(given) :]]
    if len(set(names)) < len(names):
        names = [*given, *paths[len(given) :]]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two {what} have the name {visible(name)!r}: give each its own by --name")
    return names
