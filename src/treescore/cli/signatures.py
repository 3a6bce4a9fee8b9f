"""`treescore explain-signature` and `treescore profiles`."""

from __future__ import annotations

import argparse

from .. import metrics
from .._version import __version__
from ..metrics.base import quote, split_signature
from ..metrics.parseval import Parseval
from ..problem import UsageError
from ..profiles import PROFILE_NOTES
from ..render.signature_text import describe, differences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def parser(command: str) -> argparse.ArgumentParser:
    """The arguments of one of the two commands."""
    if command == "profiles":
        return argparse.ArgumentParser(prog="treescore profiles", description="List the named ways to score brackets.")
    made = argparse.ArgumentParser(
        prog="treescore explain-signature",
        description="Say in words what a signature means, or how two signatures differ.",
        epilog="example: treescore explain-signature 'parseval|profile:collins' 'parseval|profile:spmrl'",
    )
    made.add_argument("signature", nargs="+", metavar="SIGNATURE", help="one or two signatures")
    made.add_argument(
        "--prm", action="append", default=[], metavar="FILE", help="a parameter file that a signature names by its hash"
    )
    return made


def main(command: str, arguments: Sequence[str]) -> int:
    """Run one of the two commands."""
    options = parser(command).parse_args(arguments)
    if command == "profiles":
        width = max(map(len, PROFILE_NOTES))
        for name, note in PROFILE_NOTES.items():
            print(f"{name:{width}}  {note}")
        return 0
    if len(options.signature) > 2:
        raise UsageError("one or two signatures are needed")
    for path in options.prm:
        metrics.get(f"parseval|prm:{quote(path)}")
    made = [metrics.get(signature) for signature in options.signature]
    both = [metric for metric in made if isinstance(metric, Parseval)]
    if len(both) == 1:
        print(both[0].signature)
        for sentence in describe(both[0].recipe):
            print(f"  {sentence}")
        return 0
    versions = [split_signature(signature)[1].get("v", __version__) for signature in options.signature]
    found = differences(both[0], both[1])
    for letter, metric in zip("AB", both, strict=True):
        print(f"{letter}: {metric.signature}")
    if not found:
        print("Both count the same.")
    if versions != [__version__, __version__]:
        print(f"Made by versions {versions[0]} and {versions[1]}; the changelog says whether numbers changed.")
    for left, right in found:
        print(f"\n  A: {left}\n  B: {right}")
    return 0
