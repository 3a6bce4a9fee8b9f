"""`treescore explain-signature` and `treescore profiles`."""

from __future__ import annotations

import argparse

from .. import metrics
from .._version import __version__
from ..profiles import PROFILE_NOTES
from ..significance.signatures import explain_interval, explain_test
from ..values.problem import UsageError
from ..values.signature_text import quote, split_signature, without_interval

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
    named = map(without_interval, options.signature)
    versions = [split_signature(signature)[1].get("v", __version__) for signature in named]
    for letter, metric in zip("AB" if len(made) == 2 else " ", made, strict=True):
        print(f"{letter}: {metric.signature}".removeprefix(" : "))
    if any(version != __version__ for version in versions):
        print(f"Made by version {' and '.join(versions)}; the changelog says whether numbers changed since.")
    words = [metric.describe() for metric in made]
    if len(made) == 1:
        said = options.signature[0]
        for sentence in dict.fromkeys([*words[0].values(), *explain_test(said), *explain_interval(said)]):
            print(f"  {sentence}")
        return 0
    if made[0].name != made[1].name:
        print(f"\n  A is {made[0].name}, B is {made[1].name}: two different measures.")
        return 0
    differing = [(sentence, words[1][option]) for option, sentence in words[0].items() if words[1][option] != sentence]
    if not differing:
        print("Both count the same.")
    for left, right in differing:
        print(f"\n  A: {left}\n  B: {right}")
    return 0
