"""`treescore study NAME`: published experiments on your files or on bundled data."""

from __future__ import annotations

import argparse
from importlib import import_module
from inspect import signature

from ..helpers.steps import Steps
from ..studies import STUDIES, module
from ..values.problem import UsageError
from . import errors
from .arguments import Parser
from .files import check_standard_input, keep_inputs, opened_together, write
from .flags import add_flags, add_output_flags, add_plot_flags, add_reading_flags
from .results import check_plots, save_plot
from .sampling import read_units
from .score import chosen_metrics, read_trees
from .systems import system_names
from .times import times_for_trees
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from inspect import Parameter
    from typing import Any

    from ..studies import Study
    from ..trees import Treebank


def parser(name: str) -> Parser:
    """The arguments of a study. Its module in `cli/studies` has the options, and the examples in the docstring."""
    study = name.removeprefix("study ")
    options = import_module(f".studies.{study}", __package__)
    examples = (options.__doc__ or "").partition("\n\n")[2]
    command = Parser(name, f"{STUDIES[study]}\n\n{examples}")
    options.add_options(command)
    add_output_flags(command, "Study")
    add_plot_flags(command)
    return command


def main(name: str, words: Sequence[str]) -> int:
    """Run a study."""
    options = parser(name).parse_args(words)
    check_plots(options)
    for path in (options.output, *options.plot):
        keep_inputs(path, input_files(options))
    study = module(name.removeprefix("study ")).study
    steps = Steps()
    with opened_together(options.output or "-", *options.plot) as (out, *plots):
        with watched(name, steps):
            result: Study = study(**_arguments(options, signature(study).parameters), steps=steps)
        for path, file in zip(options.plot, plots, strict=True):
            save_plot(path, file, lambda _: [result.figure()], options)
        write([result.to(options.format)], out)
    return errors.count_problems(result.problems, form=options.format, strict=getattr(options, "strict", False))


def _arguments(options: argparse.Namespace, accepted: Mapping[str, Parameter]) -> dict[str, Any]:
    """The arguments of a study: the options with the names of its parameters, instead of files their content."""
    given = vars(options)
    if "metrics" in accepted:
        given["metrics"] = chosen_metrics(options, accepted["metrics"].default)
    if "gold" in accepted:
        given["gold"], given["test"] = _read(options)
    if given.get("times") is not None:
        given["times"] = times_for_trees(options)
    if given.get("units") is not None:
        given["units"] = read_units(options.units)
    return {name: given[name] for name in accepted if given.get(name) is not None}


def add_trees(command: argparse.ArgumentParser, *, several: bool = False) -> None:
    """The files of a study and reading options; without files, a study runs on bundled data."""
    add_flags(command, "gold", more="(default: bundled data)")
    if several:
        command.add_argument(
            "--test", metavar="FILE", nargs="+", action="extend", default=[], help="parsed trees, a file per system"
        )
        add_flags(command, "name")
    else:
        command.add_argument("--test", metavar="FILE", help="parsed trees")
    add_reading_flags(command)


def _read(options: argparse.Namespace) -> tuple[Treebank | None, Treebank | dict[str, Treebank] | None]:
    """Gold and test trees, if given; a study of several systems gets their trees by name."""
    several = isinstance(options.test, list)
    paths = options.test if several else [options.test]
    if several and options.name and not paths:
        raise UsageError("--name needs --test")
    check_standard_input([options.gold, *paths])
    names = system_names(paths, options.name) if several else [""]
    gold = None if options.gold is None else read_trees(options.gold, options)
    tests = {
        name: read_trees(path, options, against=gold)
        for name, path in zip(names, paths, strict=True)
        if path is not None
    }
    return gold, (tests or None) if several else tests.get("")


def input_files(options: argparse.Namespace) -> list[str]:
    """All input files."""
    paths: list[str] = []
    for name in ("gold", "test", "times", "units", "splitter"):
        value = getattr(options, name, None)
        paths += value if isinstance(value, list) else [value] if value else []
    return paths
