"""Score the bundled sample treebank: 40 sentences with typical parser errors.

example: treescore demo --by label
"""

from __future__ import annotations

import argparse

from ..helpers.files import packaged
from . import score


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    score.add_scoring_options(command)


def run(options: argparse.Namespace) -> int:
    """Score the bundled treebank."""
    options.gold, options.test = (str(packaged(f"demo.{kind}.mrg")) for kind in ("gold", "test"))
    return score.run(options, names=("demo.gold.mrg", "demo.test.mrg"))
