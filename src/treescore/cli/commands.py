"""The table of commands, from which dispatch, help, suggestions, completion, manual pages and tests are derived."""

from __future__ import annotations

from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

#: The groups of commands in the help.
TASKS = ("score", "compare", "inspect", "speech", "large data", "originals", "tools")


class Command(Value):
    """A command: its task, its summary, and the module that is imported to run it.

    The module has `add_options(parser)` and `run(options)`, and its docstring is the description, the examples and the
    exit codes of the help. Otherwise it has `main(name, words)`, and `parser(name)` or usage texts.
    """

    task: str
    summary: str
    module_name: str

    @property
    def module(self) -> Any:
        """The module that implements the command."""
        name = f"{__package__}.{self.module_name}"
        return __import__(name, fromlist=["*"])  # the package importlib would take longer than the module

    def parser(self, name: str) -> argparse.ArgumentParser:
        """The arguments of the command with this name."""
        if hasattr(self.module, "USAGE"):
            from .originals.usage import parser_of

            return parser_of(self.module.USAGE[name])
        if hasattr(self.module, "parser"):
            parser: argparse.ArgumentParser = self.module.parser(name)
            return parser
        from .arguments import Parser

        parser = Parser(name, self.module.__doc__)
        if not name:
            parser.epilog = f"{parser.epilog}\n\ncommands (see: treescore COMMAND --help):\n{listing()}"
        self.module.add_options(parser)
        return parser

    def main(self, name: str, words: Sequence[str]) -> int:
        """Run the command with this name with these arguments and return its exit code."""
        if hasattr(self.module, "main"):
            code: int = self.module.main(name, words)
            return code
        code = self.module.run(self.parser(name).parse_args(words))
        return code


#: All commands except the studies. The first word of commands of two words is a command of its own, which lists them.
COMMANDS = {
    "": Command("score", "score parse trees against gold trees", "score"),
    "demo": Command("score", "score the bundled sample treebank", "demo"),
    "mbr": Command("score", "choose the parse with minimum Bayes risk from each n-best list", "mbr"),
    "compare": Command("compare", "compare systems: scores, confidence intervals, significance tests", "compare"),
    "agreement": Command("compare", "measure inter-annotator agreement without a gold standard", "agreement"),
    "report": Command("inspect", "write an HTML report with scores, plots, sentences and aligned trees", "report"),
    "show": Command("inspect", "show gold and test trees of a sentence in the terminal or as a picture", "show"),
    "errors": Command("inspect", "classify parser errors: attachment, co-ordination, labels, …", "error_classes"),
    "align": Command("inspect", "align sentences, words, trees or audio", "family"),
    "align sentences": Command("inspect", "align the sentences and words of two treebanks", "align_sentences"),
    "align trees": Command("inspect", "match phrases and labels of two annotations of a text", "align_trees"),
    "align words": Command("speech", "align recognised words with a transcript, as sclite does", "align_words"),
    "align audio": Command("speech", "find the times of words in recordings by forced alignment", "align_audio"),
    "times": Command("speech", "show or convert the times of words", "times"),
    "perturb": Command("speech", "move, insert or delete word boundaries of timed trees", "perturb"),
    "columns": Command("large data", "score rows of Parquet, Arrow or JSON lines, locally or with Dask", "columns"),
    "serve-stdin": Command("large data", "answer JSON requests, one per line, of other programs", "serve_stdin"),
    "evalb": Command("originals", "EVALB's flags and output, byte for byte", "originals.evalb"),
    "evalb-spmrl": Command("originals", "EVALB_SPMRL's flags and output", "originals.evalb"),
    "sparseval": Command("originals", "SParseval's flags and output", "originals.sparseval"),
    "headtrees": Command("originals", "SParseval's headtrees: head words", "originals.sparseval"),
    "strealign": Command("originals", "SParseval's strealign: word alignments", "originals.sparseval"),
    "heads": Command("tools", "find the heads of phrases by a head table", "heads"),
    "study": Command("tools", "repeat a published experiment on your files or bundled data", "family"),
    "info": Command("tools", "list metrics, explain signatures, print citations, set up completion", "info"),
}


def with_studies() -> dict[str, Command]:
    """All commands, including the studies, such as "study length".

    >>> "study length" in with_studies()
    True
    """
    from ..studies import STUDIES

    return COMMANDS | {f"study {name}": Command("tools", summary, "study") for name, summary in STUDIES.items()}


def chosen(words: Sequence[str]) -> tuple[str, Command, Sequence[str]]:
    """The command that the first words name, with its name, and the other words.

    >>> name, command, rest = chosen(["align", "words", "ref.trn", "hyp.trn"])
    >>> name, command.module_name, rest
    ('align words', 'align_words', ['ref.trn', 'hyp.trn'])
    """
    table = with_studies() if words and words[0] == "study" else COMMANDS
    for length in (2, 1):
        name = " ".join(words[:length])
        if name and name in table:
            return name, table[name], words[length:]
    return "", table[""], words


def listing() -> str:
    """The commands by task, for the help."""
    lines = []
    for task in TASKS:
        lines.append(f"  {task}\n")
        for name, command in COMMANDS.items():
            if command.task == task and name and " " not in name:
                lines.append(f"    {name:16} {command.summary}\n")
    return "".join(lines)
