"""Several systems with one gold file."""

from __future__ import annotations

import os

from ..helpers.files import stem
from ..helpers.packed import unpacked_name
from ..helpers.text import visible
from ..scoring.evaluation import Comparison, paired_systems, score_pairs
from ..values.problem import PerSide, UsageError
from . import errors
from .files import check_standard_input, keep_inputs, source
from .flags import add_completion_flags, add_flags, add_times_flags
from .results import report_lost
from .score import (
    check_completion_flags,
    check_no_reference,
    has_word_times,
    read_gold_trees,
    read_trees,
    shared_options,
)
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from ..metrics.base import Metric
    from ..readers.dependency_bank import DependencyBank
    from ..readers.sources import Readable
    from ..scoring.report import Report
    from ..trees import Treebank


def add_systems(
    command: argparse.ArgumentParser, number: str = "+", more: str = "", *, shows_nodes: bool = True
) -> None:
    """The gold file and the files of systems."""
    command.add_argument("gold", metavar="GOLD", help="file of gold trees, or - for standard input")
    command.add_argument("tests", metavar="TEST", nargs=number, help=f"files of parsed trees{more}")
    add_flags(command, "name")
    add_times_flags(command, shows_nodes=shows_nodes)
    add_completion_flags(command)


def read_systems(options: argparse.Namespace) -> tuple[Treebank, dict[str, Treebank]]:
    """The gold trees and the trees of each system by name, with times if there are word times."""
    named = named_systems(options)
    is_timed = has_word_times(options)
    if is_timed:
        check_no_reference(options, "trees with times of --gold-times or --test-times")
    gold = read_gold_trees(options)
    systems = {name: read_trees(path, options, against=gold) for name, path in named.items()}
    check_completion_flags(options, systems.values())
    return _with_times(gold, systems, options) if is_timed else (gold, systems)


def _with_times(
    gold: Treebank, systems: Mapping[str, Treebank], options: argparse.Namespace
) -> tuple[Treebank, dict[str, Treebank]]:
    """The trees with the times of --gold-times and --test-times; a system without such a file has those of gold."""
    from ..place.seconds import place_seconds
    from .times import times_of_side

    gold_words = times_of_side(options.gold_times, options, is_test=False) if options.gold_times else None
    attach = [PerSide.of(options.attach, test=is_test) for is_test in (False, True)]
    placed = {}
    files = dict(zip(systems, options.test_times, strict=False))
    for name, test in systems.items():
        if name in files:
            placed[name] = place_seconds(test, times_of_side([files[name]], options, is_test=True), attach=attach[1])
        elif gold_words is not None and not test.native.has_times():
            placed[name] = place_seconds(test, gold_words, attach=attach[0])
        else:
            placed[name] = test
    return gold if gold_words is None else place_seconds(gold, gold_words, attach=attach[0]), placed


def named_systems(options: argparse.Namespace) -> dict[str, str]:
    """The file of each system by name; refuses to overwrite files and to read standard input twice."""
    if len(options.test_times) > len(options.tests):
        number = len(options.tests)
        raise UsageError(f"there are {len(options.test_times)} files of --test-times for {number} files of trees")
    inputs = [options.gold, *getattr(options, "reference", ()), *options.tests]
    inputs += [*options.gold_times, *options.test_times]
    check_standard_input(inputs)
    keep_inputs(options.output, inputs)
    return dict(zip(system_names(options.tests, options.name), options.tests, strict=True))


def read_comparison(options: argparse.Namespace) -> Comparison:
    """Scores of all systems, by the metrics of -m or by default metrics for the input."""
    gold, banks = read_systems(options)
    return compared(gold, banks, options)


def read_conllu_comparison(options: argparse.Namespace, metrics: Sequence[Metric]) -> Comparison:
    """Scores of CoNLL-U files; gold is read once."""
    from . import conllu

    check_no_reference(options, "CoNLL-U")
    if has_word_times(options):
        raise UsageError("--gold-times and --test-times are for trees, not for CoNLL-U")
    metric = conllu.metric_for(options, metrics)
    reports: dict[str, Report] = {}
    gold: Readable | DependencyBank = source(options.gold)
    for name, path in named_systems(options).items():
        reports[name] = conllu.compare(gold, source(path), options, metric)
        gold = reports[name].gold
    return Comparison(reports)


def read_saved_comparison(options: argparse.Namespace) -> Comparison | None:
    """The systems of saved reports or pages, if the files are such; otherwise None."""
    paths = [options.gold, *options.tests]
    are_saved = [_may_be_saved(path) for path in paths]
    if not any(are_saved):
        return None
    from ..render.saved_reports import read_saved, restored, same_metrics

    reports: dict[str, Report] = {}
    for path in paths:
        data = read_saved(_text(path), path) if _may_be_saved(path) else None
        if data is None:
            raise UsageError(f"{path} is not a report: compare reports with reports, or files of trees with gold trees")
        systems = restored(data)
        short = _short_name(path)
        reports |= {short if len(systems) == 1 else f"{short}: {name}": report for name, report in systems.items()}
    if options.metric:
        raise UsageError("reports have their own metrics: leave out -m")
    names = system_names(list(reports), options.name) if options.name else list(reports)
    named = dict(zip(names, reports.values(), strict=True))
    for name, report in named.items():
        report.remarks = [f"{name}: {line}" for line in report.remarks]
    same_metrics(named)
    return Comparison(named)


def _may_be_saved(path: str) -> bool:
    """Does a file begin like a page or the JSON of a report?"""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        start = file.read(200).lstrip().lower()
    return start.startswith((b"<!doctype html", b'{"schema":"treescore-report', b'{"schema": "treescore-report'))


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def compared(gold: Treebank, tests: Mapping[str, Treebank], options: argparse.Namespace) -> Comparison:
    """Scores of systems that are already loaded."""
    metrics = options.metric or None
    pairs = paired_systems(gold, tests, metrics)
    with watched("scoring") as progress:
        shared = shared_options(options)
        arguments = {"reconcile": options.reconcile, "threads": options.threads, "progress": progress}
        reports = score_pairs(pairs, metrics, shared, **arguments)
    if getattr(options, "tolerance", None) is not None:
        reports = {name: report.with_tolerance(options.tolerance) for name, report in reports.items()}
    return Comparison(reports)


def check_several(paths: Sequence[str]) -> None:
    """Refuse a comparison of fewer than two systems."""
    if len(paths) < 2:
        raise UsageError("compare needs at least two systems: give two or more files after the gold file")


def judged(comparison: Comparison, *, strict: bool, shown: bool = False) -> int:
    """The exit code; reports the problems of each system with --strict, or if they are not shown."""
    has_problems = False
    for name, report in comparison.reports.items():
        if report.problems and (strict or not shown):
            errors.notify(f"{'--strict, and ' if strict else ''}{name}: {report.problem_line()}")
        has_problems = has_problems or bool(report.problems)
    are_lost = report_lost(comparison.reports.values())
    return errors.FAILED if are_lost or (strict and has_problems) else errors.OK


def system_names(paths: Sequence[str], given: Sequence[str], what: str = "systems") -> list[str]:
    """The names of systems or annotators: the given names, else distinct file names.

    >>> system_names(["out/a.mrg", "out/b.mrg"], [])
    ['a', 'b']
    >>> system_names(["one/parsed.mrg.gz", "two/parsed.mrg"], ["first"])
    ['first', 'parsed']
    >>> system_names(["one/parsed.mrg", "two/parsed.mrg"], [])
    ['one/parsed.mrg', 'two/parsed.mrg']
    >>> system_names(["wsj/23.sys_berkeley_top", "wsj/23.bllip", "wsj/dev.bllip"], [])
    ['23.sys_berkeley_top', '23.bllip', 'dev']
    """
    if len(given) > len(paths):
        raise UsageError(f"there are {len(given)} names (--name) for {len(paths)} files")
    if not all(name.strip() for name in given):
        raise UsageError(f"the name of one of the {what} (--name) is empty")
    stems = [_short_name(path) for path in paths]
    names = [*given, *stems[len(given) :]]
    if len(set(names)) < len(names):
        names = [*given, *paths[len(given) :]]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two {what} have the name {visible(name)!r}: give distinct names by --name")
    return names


def _short_name(path: str) -> str:
    """The name of a file without folder and suffix; with the suffix if it is not one, or if only a number remains."""
    name = stem(path) or path
    suffix = unpacked_name(os.path.basename(path))[len(name) :]
    return name if suffix[1:].isalnum() and not name.isdecimal() else f"{name}{suffix}"
