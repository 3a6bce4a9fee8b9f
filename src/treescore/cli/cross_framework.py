"""`treescore cross-framework`: parsers of different annotation schemes on one scale. Experimental."""

from __future__ import annotations

import argparse
import sys

from ..helpers.problem_lines import in_one_line
from ..place.two_sides import check_readable
from ..readers.conllu import is_conllu, read_conllu
from ..readers.sources import open_source, read
from ..render.grids import Grid, as_text, problem_notes
from ..studies.frameworks import FunctionTrees, cross_framework
from ..values.problem import InputError, Problem, UsageError
from . import errors
from .files import opened, source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..render.grids import Cell
    from ..studies.frameworks import CrossFramework

_MOST_SCHEMES = 9
_EPILOG = """\
example:
  treescore cross-framework -g1 a.gold.mrg -p1 a.parsed.mrg -g2 b.gold.mrg -p2 b.parsed.mrg

Files are CoNLL-U, or trees with functions in the labels, such as NP-SBJ, or beside them (export, TigerXML).
This is experimental: the papers leave details open, and figures may change.

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(
        prog="treescore cross-framework",
        description="Score parsers of different annotation schemes against what their gold trees have in common.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for number in range(1, _MOST_SCHEMES + 1):
        for side, kind in (("g", "gold"), ("p", "parsed")):
            shown = f"{kind} trees of scheme {number}" + (f"; and so on to -{side}9" if number == 2 else "")
            made.add_argument(f"-{side}{number}", metavar="FILE", help=shown if number <= 2 else argparse.SUPPRESS)
    made.add_argument("--unlabelled", action="store_true", help="compare all nodes, whatever their functions")
    made.add_argument("-f", "--format", choices=("table", "json"), default="table", help="output format")
    made.add_argument("--per-sentence", action="store_true", help="add a row per sentence")
    made.add_argument("-o", "--output", metavar="FILE", help="write the result here; - is standard output")
    made.add_argument("--strict", action="store_true", help="exit with 1 on any problem")
    return made


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    paths = {name: getattr(options, name) for n in range(1, _MOST_SCHEMES + 1) for name in (f"g{n}", f"p{n}")}
    schemes = [n for n in range(1, _MOST_SCHEMES + 1) if paths[f"g{n}"] or paths[f"p{n}"]]
    for number in schemes:
        if not paths[f"g{number}"] or not paths[f"p{number}"]:
            raise UsageError(f"scheme {number} needs both -g{number} and -p{number}")
    if len(schemes) < 2:
        raise UsageError("at least two schemes are needed: -g1 FILE -p1 FILE -g2 FILE -p2 FILE")
    if list(paths.values()).count("-") > 1:
        raise UsageError("only one file can be standard input")
    golds, tests = (
        [_function_trees(paths[f"{side}{number}"], labels=not options.unlabelled) for number in schemes]
        for side in ("g", "p")
    )
    found = cross_framework(golds, tests, names=[paths[f"p{number}"] for number in schemes])
    with opened(options.output, paths.values()) as out:
        shown = _json(found) if options.format == "json" else _table(found, options.per_sentence)
        out.write(shown.encode("utf-8", "surrogateescape"))
        out.flush()
    if options.strict and found.problems:
        sys.stderr.write(f"treescore: --strict, and {in_one_line(found.problems)}\n")
        return errors.FAILED
    return errors.OK


def _function_trees(path: str, *, labels: bool) -> FunctionTrees:
    """The trees of one file, which may be CoNLL-U."""
    found = open_source(source(path), None)
    assert found is not None  # it is a path or standard input
    data, origin = bytes(found[0]), found[1]
    if is_conllu(data):
        words = read_conllu(data, name=origin.name, on_error="keep", enhanced=False)
        sentences = ([word[-2:] for word in words.words(index)] for index in range(len(words)))
        made = FunctionTrees.from_dependencies(sentences, labels=labels, name=origin.name)
        made.problems[:0] = words.problems
        return made
    bank = read(data, name=origin.name, on_error="keep")
    if len(bank) == 0:
        raise InputError(Problem("empty", "there are no trees in it", file=origin.name))
    check_readable(bank)
    return FunctionTrees.from_trees(bank, labels=labels)


def _table(found: CrossFramework, per_sentence: bool) -> str:
    rows: list[list[Cell]] = [
        [it.name, it.value, it.sentence_mean, it.exact, it.scored, it.errors, it.nodes] for it in found
    ]
    notes = ["experimental: see the card of TEDEVAL for what was decided where the papers are silent"]
    notes += problem_notes(found.problems)
    header = ["parser", "corpus", "sentence", "exact", "sentences", "errors", "nodes"]
    grids = [Grid("against what the gold trees have in common", header, rows, notes)]
    if per_sentence:
        for score in found:
            columns: list[list[Cell]] = [list(row) for row in zip(*score.rows.values(), strict=True)]
            grids.append(Grid(score.name, list(score.rows), columns, []))
    return "\n".join(map(as_text, grids))


def _json(found: CrossFramework) -> str:
    import json

    document = {
        "experimental": True,
        "schemes": [
            {
                "name": it.name,
                "corpus": it.value,
                "sentence": it.sentence_mean,
                "exact": it.exact,
                "scored": it.scored,
                "errors": it.errors,
                "nodes": it.nodes,
                "sentences": it.rows,
            }
            for it in found
        ],
        "problems": [problem.values() for problem in found.problems],
    }
    return json.dumps(document, indent=2) + "\n"
