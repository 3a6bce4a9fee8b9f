"""`treescore study NAME`: the experiments of the papers, on your files or on data that come with treescore."""

from __future__ import annotations

import argparse
import sys

from ..helpers.steps import Steps
from ..studies import STUDIES
from ..values.problem import UsageError
from . import errors
from .arguments import Parser
from .files import keep_inputs, opened, tells_problems
from .flags import add_flags, add_format_flag, add_reading_flags
from .results import check_plots
from .score import read_trees
from .systems import read_systems
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..studies import Study
    from ..trees import Treebank

_EXIT = "exit code: 0 fine, 1 problems with --strict, 2 unusable input"


def _command(name: str) -> Any:
    """The module that has the options of a study."""
    from importlib import import_module

    return import_module(f".studies.{name}", __package__)


def parser(name: str) -> Parser:
    """The arguments of a study."""
    module = _command(name)
    command = Parser(
        f"study {name}",
        STUDIES[name],
        f"{module.EPILOG}\n\n{_EXIT}",
    )
    module.add_options(command)
    add_format_flag(command, "Study")
    add_flags(command, "output")
    add_flags(command, "plot")
    return command


def main(name: str, arguments: Sequence[str]) -> int:
    """Run a study."""
    options = parser(name).parse_args(arguments)
    check_plots(options)
    for path in (options.output, *options.plot):
        keep_inputs(path, input_files(options))
    steps = Steps()
    with opened(options.output) as out:
        with watched(f"study {name}", steps):
            study: Study = _command(name).run(options, steps)
        for path in options.plot:
            _plot(study, path)
        out.write(study.to(options.format).encode("utf-8", "surrogateescape"))
    strict = getattr(options, "strict", False)
    if study.problems and (strict or not tells_problems(options.format)):
        sys.stderr.write(f"treescore: {study.problem_line()}\n")
    return errors.FAILED if strict and study.problems else errors.OK


def _plot(study: Study, path: str) -> None:
    from ..plots.writing import save, suffix

    with opened(path) as file:
        for remark in save(lambda: [study.figure()], file, suffix(path)):
            sys.stderr.write(f"treescore: {path}: {remark}\n")


def add_trees(command: argparse.ArgumentParser, *, several: bool = False, test: bool = True) -> None:
    """The files of a study, and how they are read; without them it runs on data that come with treescore."""
    add_flags(command, "gold", more="(default: data that come with treescore)")
    if several:
        command.add_argument(
            "--test", metavar="FILE", nargs="+", action="extend", default=[], help="parsed trees, a file for a system"
        )
        add_flags(command, "name")
    elif test:
        command.add_argument("--test", metavar="FILE", help="parsed trees")
    add_reading_flags(command)


def read_given(options: argparse.Namespace, *, needs_test: bool = True) -> tuple[Treebank | None, Treebank | None]:
    """Gold and test trees if they are given; gold alone where that is enough."""
    if options.gold is None and options.test is None:
        return None, None
    if options.gold is None or (options.test is None and needs_test):
        missing = "--gold" if options.gold is None else "--test"
        raise UsageError(f"there is no {missing}: both files are needed, or neither")
    if options.gold == options.test == "-":
        raise UsageError("only one of the files can be standard input")
    test = None if options.test is None else read_trees(options.test, options)
    return read_trees(options.gold, options), test


def read_several(options: argparse.Namespace) -> tuple[Treebank | None, dict[str, Treebank] | None]:
    """Gold trees, and those of each system by its name, if they are given."""
    if options.gold is None and not options.test:
        if options.name:
            raise UsageError("--name is for systems that are given by --test")
        return None, None
    if options.gold is None or not options.test:
        missing = "--gold" if options.gold is None else "--test"
        raise UsageError(f"there is no {missing}: both are needed, or neither")
    return read_systems(options, options.test)


def input_files(options: argparse.Namespace) -> list[str]:
    """All files that are read: what options name that stand for input."""
    paths: list[str] = []
    for name in ("gold", "test", "times", "sides", "rules"):
        value = getattr(options, name, None)
        paths += value if isinstance(value, list) else [value] if value else []
    return paths
