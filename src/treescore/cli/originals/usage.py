"""What the usage text of a byte-exact program says, as a parser: for completion and manual pages only."""

from __future__ import annotations

import argparse
import re

_FLAG = re.compile(r"  (?P<names>-\w(?:, -\w)*)(?: (?P<metavar>[A-Z]+))?  +(?P<help>\S.*)")


def parser_of(usage: str) -> argparse.ArgumentParser:
    """The flags and operands that a usage text describes.

    >>> parser_of("usage: treescore evalb [-d] GOLD TEST\\n  Scores trees.\\n  -d  debug\\n").description
    'Scores trees.'
    """
    first, *lines = usage.splitlines()
    prog, _, operands = first.removeprefix("usage: ").partition(" [")
    described = argparse.ArgumentParser(prog=prog, add_help=False)
    sentences: list[str] = []
    for line in lines:
        flag = _FLAG.fullmatch(line)
        if line.startswith("  example: "):
            described.epilog = line.strip()
        elif flag is None:
            sentences.append(line.strip())
        elif flag["metavar"]:
            described.add_argument(*flag["names"].split(", "), metavar=flag["metavar"], help=flag["help"])
        else:
            described.add_argument(*flag["names"].split(", "), action="store_true", help=flag["help"])
    described.description = " ".join(sentences)
    for operand in operands.rpartition("]")[2].split():
        described.add_argument(operand.lower(), metavar=operand)
    return described
