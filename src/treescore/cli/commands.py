"""The table of commands: dispatch, help, suggestions, completion, manual pages and tests are derived from it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

#: The tasks by which the help groups the commands.
TASKS = ("score", "compare", "inspect", "speech", "large data", "originals", "tools")


class Command:
    """A command: its task, what it does in one line, and the module that is imported when it is chosen.

    The module has `parser(*given)` and `main(*given, words)`.
    """

    __slots__ = ("given", "module_name", "summary", "task")

    def __init__(self, task: str, summary: str, module_name: str, *given: str) -> None:
        self.task = task
        self.summary = summary
        self.module_name = module_name
        self.given = given

    @property
    def module(self) -> Any:
        """The module that implements the command."""
        from importlib import import_module

        return import_module(f".{self.module_name}", __package__)

    def parser(self) -> argparse.ArgumentParser:
        """The arguments of the command."""
        parser: argparse.ArgumentParser = self.module.parser(*self.given)
        return parser

    def main(self, words: Sequence[str]) -> int:
        """Run the command with these arguments and return its exit code."""
        code: int = self.module.main(*self.given, words)
        return code


#: All commands but the studies. A command whose name is the first word of others stands for all of them.
COMMANDS = {
    "": Command("score", "score the parse trees of TEST against those of GOLD", "score"),
    "demo": Command("score", "score a small treebank that comes with treescore", "demo"),
    "mbr": Command(
        "score", "choose from n-best lists the parses with the least Bayes risk, and score them against gold", "mbr"
    ),
    "compare": Command("compare", "compare systems: scores, intervals, tests of their differences", "compare"),
    "agreement": Command(
        "compare", "measure how far annotators of the same sentences agree, without a gold standard", "agreement"
    ),
    "report": Command(
        "inspect",
        "write a page for the browser: scores, plots, sentences and aligned trees of one or more systems",
        "report",
    ),
    "show": Command("inspect", "show the gold and test trees of a sentence, on the terminal or as a picture", "show"),
    "errors": Command(
        "inspect", "classify parser errors: attachment, co-ordination, labels, unary phrases and so on", "error_classes"
    ),
    "align": Command("inspect", "match sentences, words, trees or audio with each other", "family", "align"),
    "align sentences": Command(
        "inspect", "show which sentences and words of two files of trees belong together", "align_sentences"
    ),
    "align trees": Command(
        "inspect", "find phrases over the same words in two annotations of a text, and compare labels", "align_trees"
    ),
    "align words": Command("speech", "align recognised words with a transcript, as sclite does", "align_words"),
    "align audio": Command(
        "speech", "find out when the words of trees are said in recordings, by forced alignment", "align_audio"
    ),
    "times": Command("speech", "show and convert words and when they were spoken", "times"),
    "perturb": Command("speech", "move, insert or delete the word boundaries of trees with times", "perturb"),
    "columns": Command(
        "large data", "score pairs in the rows of Parquet, Arrow or JSON lines, here or on many workers", "columns"
    ),
    "serve-stdin": Command(
        "large data", "answer requests in JSON, one a line, for programs in other languages", "serve_stdin"
    ),
    "evalb": Command("originals", "EVALB's flags and output, byte for byte", "originals.evalb", "evalb"),
    "evalb-spmrl": Command(
        "originals", "EVALB_SPMRL's flags and output, byte for byte", "originals.evalb", "evalb-spmrl"
    ),
    "sparseval": Command(
        "originals", "SParseval's flags and output, byte for byte", "originals.sparseval", "sparseval"
    ),
    "headtrees": Command(
        "originals",
        "SParseval's headtrees: trees with heads",
        "originals.sparseval",
        "headtrees",
    ),
    "strealign": Command(
        "originals",
        "SParseval's strealign: fit a raw alignment of words to the words of trees",
        "originals.sparseval",
        "strealign",
    ),
    "heads": Command("tools", "find the heads of phrases, by tables from the literature or your own", "heads"),
    "study": Command("tools", "repeat an experiment of a paper, on your files or on bundled data", "family", "study"),
    "info": Command("tools", "list profiles, explain signatures, print what to cite, complete words in shells", "info"),
}


def with_studies() -> dict[str, Command]:
    """All commands, and a command for each study, such as "study length".

    >>> "study length" in with_studies()
    True
    """
    from ..studies import STUDIES

    return COMMANDS | {f"study {name}": Command("tools", asked, "study", name) for name, asked in STUDIES.items()}


def chosen(words: Sequence[str]) -> tuple[Command, Sequence[str]]:
    """The command that the first words name, and the words behind its name.

    >>> command, rest = chosen(["align", "words", "ref.trn", "hyp.trn"])
    >>> command.module_name, rest
    ('align_words', ['ref.trn', 'hyp.trn'])
    """
    table = with_studies() if words and words[0] == "study" else COMMANDS
    for length in (2, 1):
        name = " ".join(words[:length])
        if name and name in table:
            return table[name], words[length:]
    return table[""], words


def listing() -> str:
    """The commands by task, as the help shows them."""
    lines = []
    for task in TASKS:
        lines.append(f"  {task}\n")
        for name, command in COMMANDS.items():
            if command.task == task and name and " " not in name:
                lines.append(f"    {name:16} {command.summary}\n")
    return "".join(lines)
