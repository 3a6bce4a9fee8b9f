"""The commands. `main` finds the command and imports only what it needs."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Commands and what they are for. Anything else is `treescore GOLD TEST`.
COMMANDS = {
    "report": "write a page for the browser: scores, plots, sentences and aligned trees of one or more systems",
    "compare": "compare systems: scores, intervals, tests of their differences, letters for what differs",
    "evalb": "EVALB's flags and output, byte for byte",
    "evalb-spmrl": "EVALB_SPMRL's flags and output, byte for byte",
    "sparseval": "SParseval's flags and output, byte for byte",
    "sparseval-corpus": "score parses of recognised speech: align words, compare brackets and dependencies",
    "speech": "score parses of speech by when their words were spoken, from words with times",
    "show": "show gold and test trees of a sentence on the terminal, or as a picture, and what became of each node",
    "columns": "score pairs of trees in the rows of Parquet, Arrow or JSON lines, here or by many workers",
    "realign": "SParseval's strealign: fit a raw alignment of words to the words of trees",
    "heads": "find the heads of phrases, by tables from the literature or your own",
    "align": "show which sentences and words of two files belong together",
    "align-trees": "find phrases over the same words in two annotations of a text, and which labels go together",
    "align-audio": "find out when the words of trees are said in recordings, by forced alignment",
    "align-words": "align recognised words with a transcript, as sclite does",
    "perturb": "move, insert or delete the word boundaries of trees with times",
    "times": "show and convert words and when they were spoken",
    "study": "repeat the experiments of the papers, on your files or on data that come with treescore",
    "errors": "tell what a parser got wrong: attachment, co-ordination, labels, unary phrases and so on",
    "agreement": "tell how far two or more annotators of the same sentences agree, without a gold standard",
    "mbr": "choose from n-best lists the parses with the least Bayes risk, and score them against gold",
    "serve-stdin": "answer requests in JSON, one a line, for programs in other languages",
    "explain-signature": "say in words what a signature means, or how two differ",
    "profiles": "list the named ways to score brackets",
    "demo": "score a small treebank that comes with treescore",
    "completion": "print a completion script for bash, zsh or fish",
}

#: Commands that are a module with a function `main`, and nothing else.
_MODULES = {
    name: name.replace("-", "_")
    for name in (
        "agreement",
        "align",
        "align-audio",
        "align-trees",
        "align-words",
        "columns",
        "compare",
        "completion",
        "mbr",
        "perturb",
        "report",
        "serve-stdin",
        "show",
        "sparseval-corpus",
        "speech",
        "study",
        "times",
    )
} | {"errors": "error_classes"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = words[0] if words else None
    if command in ("evalb", "evalb-spmrl"):
        from . import evalb

        return evalb.main(words[1:], spmrl=command == "evalb-spmrl")
    if command in ("sparseval", "realign"):
        from . import sparseval

        return sparseval.main(words[1:], "strealign" if command == "realign" else command)
    if command == "heads":
        from . import heads

        return heads.main(words[1:])
    from . import errors

    if sys.stdout is None or sys.stderr is None:
        return errors.UNUSABLE  # nobody could read the result
    with errors.reported() as outcome:
        if command in ("explain-signature", "profiles"):
            from . import signatures

            outcome.code = signatures.main(command, words[1:])
        elif command in _MODULES:
            from importlib import import_module

            outcome.code = import_module(f".{_MODULES[command]}", __name__).main(words[1:])
        else:
            from . import score

            _check_command(words)
            outcome.code = score.demo(words[1:]) if command == "demo" else score.main(words)
    return outcome.code


def _check_command(words: Sequence[str]) -> None:
    """A mistyped command gets a better answer than a complaint about files."""
    import os

    word = words[0] if words else "-"
    if word.startswith("-") or word in COMMANDS or os.path.exists(word):
        return
    from difflib import get_close_matches

    from ..values.problem import UsageError

    close = get_close_matches(word, COMMANDS, 1)
    if close:
        raise UsageError(f"there is no file and no command {word!r}; did you mean {close[0]!r}?")
