"""`--cite` of commands that are about one paper or a few."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence


def add_cite(made: argparse.ArgumentParser) -> None:
    """Let the command take --cite."""
    made.add_argument("--cite", action="store_true", help="print what to cite, and stop")


def cited(arguments: Sequence[str], keys: Iterable[str]) -> bool:
    """Print the BibTeX entries of treescore and of these papers if that is asked for; files are not needed for that."""
    if "--cite" not in arguments:
        return False
    from ..metrics.citations import bibtex

    print(bibtex(["treescore", *keys]))
    return True
