"""`treescore study NAME`: published experiments on your files or on bundled data."""

from __future__ import annotations

import argparse

from ..helpers.steps import Steps
from ..studies import STUDIES
from ..values.problem import UsageError
from . import errors
from .arguments import Parser
from .files import check_standard_input, keep_inputs, opened, write
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


def _command(name: str) -> Any:
    """The module with the options of a study."""
    from importlib import import_module

    return import_module(f".studies.{name}", __package__)


def parser(name: str) -> Parser:
    """The arguments of a study."""
    module = _command(name)
    command = Parser(f"study {name}", STUDIES[name], module.EPILOG)
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
        write([study.to(options.format)], out)
    return errors.count_problems(study.problems, form=options.format, strict=getattr(options, "strict", False))


def _plot(study: Study, path: str) -> None:
    from ..plots.writing import save, suffix

    with opened(path) as file:
        for remark in save(lambda: [study.figure()], file, suffix(path)):
            errors.notify(f"{path}: {remark}")


def add_trees(command: argparse.ArgumentParser, *, several: bool = False, test: bool = True) -> None:
    """The files of a study and reading options; without files, a study runs on bundled data."""
    add_flags(command, "gold", more="(default: bundled data)")
    if several:
        command.add_argument(
            "--test", metavar="FILE", nargs="+", action="extend", default=[], help="parsed trees, a file per system"
        )
        add_flags(command, "name")
    elif test:
        command.add_argument("--test", metavar="FILE", help="parsed trees")
    add_reading_flags(command)


def read_given(options: argparse.Namespace, *, needs_test: bool = True) -> tuple[Treebank | None, Treebank | None]:
    """Gold and test trees, if given; test may be optional."""
    if options.gold is None and options.test is None:
        return None, None
    if options.gold is None or (options.test is None and needs_test):
        missing = "--gold" if options.gold is None else "--test"
        raise UsageError(f"there is no {missing}: both files are needed, or neither")
    check_standard_input((options.gold, options.test))
    test = None if options.test is None else read_trees(options.test, options, test=True)
    return read_trees(options.gold, options), test


def read_several(options: argparse.Namespace) -> tuple[Treebank | None, dict[str, Treebank] | None]:
    """Gold trees and the trees of each system by name, if given."""
    if options.gold is None and not options.test:
        if options.name:
            raise UsageError("--name needs --test")
        return None, None
    if options.gold is None or not options.test:
        missing = "--gold" if options.gold is None else "--test"
        raise UsageError(f"there is no {missing}: both are needed, or neither")
    return read_systems(options, options.test)


def input_files(options: argparse.Namespace) -> list[str]:
    """All input files."""
    paths: list[str] = []
    for name in ("gold", "test", "times", "sides", "rules"):
        value = getattr(options, name, None)
        paths += value if isinstance(value, list) else [value] if value else []
    return paths
