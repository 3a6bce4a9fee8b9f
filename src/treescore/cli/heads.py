"""Find the head of every phrase.

examples:
  treescore heads gold.mrg                                head words after labels, by Collins' rules
  treescore heads gold.mrg --table semantic -f tsv        each word and its governor
  treescore heads gold.mrg --table mine.heads -f jsonl    a head table of your own
  treescore heads --tables                                the head tables and their sources
  treescore heads --table collins --show > mine.heads     a table to edit

For the exact output of SParseval's headtrees, see: treescore headtrees --help

exit code: 0 success, 2 unusable input
"""

from __future__ import annotations

import argparse
from pathlib import Path
from textwrap import wrap

from ..heads import CITATIONS, EDITS, NAMES, HeadFinder, HeadTable, get
from ..readers.sources import read
from ..render import pieces
from ..values.problem import UsageError
from ..values.suggestions import suggestion
from .errors import list_problems
from .files import opened, source, write
from .flags import add_flags, add_output_flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("trees", metavar="TREES", nargs="?", help="file of trees, or - for standard input")
    add_flags(command, "table")
    add_output_flags(
        command,
        "HeadedTrees",
        default="trees",
        more="(trees: LABEL^word; tsv, csv: a row per word; jsonl: a line per tree; default: trees)",
    )
    command.add_argument(
        "--edit",
        action="append",
        metavar="LABEL",
        help="label of edited speech, which is never a head; repeatable (default: EDITED)",
    )
    add_flags(command, "layout", "strict")
    command.add_argument("--tables", action="store_true", help="list the head tables and their sources")
    command.add_argument("--show", action="store_true", help="print the head table in SParseval's format")


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    if options.tables:
        return _write(_citations(), options)
    table = _table(options.table)
    if options.show:
        return _write([str(table)], options)
    if options.trees is None:
        raise UsageError("a file of trees is needed, or - for standard input; see treescore heads --help")
    bank = read(source(options.trees), layout=options.layout, on_error="raise" if options.strict else "keep")
    finder = HeadFinder(table, edits=options.edit or EDITS)
    _write(pieces("HeadedTrees", bank, options.format, finder=finder), options)
    return list_problems(bank.problems)


def _table(name: str) -> HeadTable:
    if name in NAMES:
        return get(name)
    try:
        table = HeadTable.read(Path(name))
    except FileNotFoundError:
        raise UsageError(f"there is no head table and no file {name!r}; {suggestion(name, NAMES)}") from None
    list_problems(table.problems)
    return table


def _write(parts: Iterable[str], options: argparse.Namespace) -> int:
    with opened(options.output, [options.trees]) as file:
        write(parts, file)
    return 0


def _citations() -> Iterator[str]:
    for name, citation in CITATIONS.items():
        yield f"{name}: {citation.about}\n"
        for text in (citation.source, citation.note):
            yield from (f"  {line}\n" for line in wrap(text, 110))
