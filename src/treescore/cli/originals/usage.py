"""Parsers from the usage texts of the byte-exact programs, for completion and manual pages only."""

from __future__ import annotations

import argparse
import re

_FLAG = re.compile(r"  (?P<names>-\w(?:, -\w)*)(?: (?P<metavar>[A-Z]+))?  +(?P<help>\S.*)")


def parser_of(usage: str) -> argparse.ArgumentParser:
    """The flags and operands of a usage text.

    >>> parser_of("usage: treescore evalb [-d] GOLD TEST\\n  Scores trees.\\n  -d  debug\\n").description
    'Scores trees.'
    """
    first, *lines = usage.splitlines()
    prog, _, operands = first.removeprefix("usage: ").partition(" [")
    parser = argparse.ArgumentParser(prog=prog, add_help=False)
    sentences: list[str] = []
    for line in lines:
        flag = _FLAG.fullmatch(line)
        if line.startswith("  example: "):
            parser.epilog = line.strip()
        elif flag is None:
            sentences.append(line.strip())
        elif flag["metavar"]:
            parser.add_argument(*flag["names"].split(", "), metavar=flag["metavar"], help=flag["help"])
        else:
            parser.add_argument(*flag["names"].split(", "), action="store_true", help=flag["help"])
    parser.description = " ".join(sentences)
    for operand in operands.rpartition("]")[2].split():
        parser.add_argument(operand.lower(), metavar=operand)
    return parser
