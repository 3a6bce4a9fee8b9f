"""Flags that several commands have. Each is declared here and nowhere else, so that it means the same everywhere."""

from __future__ import annotations

import argparse

from ..pairing import ATTACH, PAIRINGS, UNITS
from ..profiles import PROFILES
from ..readers.brackets import LAYOUTS
from ..readers.input_formats import TIMES_FORMATS
from ..readers.sources import FUNCTIONS, forms
from ..render import formats_of
from ..significance.intervals import LEVEL, METHODS, SEED
from ..significance.sampling import MAX_SAMPLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def positive(text: str) -> int:
    """A number of threads."""
    if not text.isdecimal() or len(text) > 4 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of threads from 1 to 9999")
    return int(text)


def seed(text: str) -> int:
    """A seed: any whole number from 0."""
    if not (text.isascii() and text.isdecimal()) or int(text[:21]) >= 1 << 64:
        raise argparse.ArgumentTypeError(f"{text!r} is not a seed: a whole number from 0 to 2^64 - 1")
    return int(text)


def whole(text: str) -> int:
    """A number of samples or trials."""
    if not (text.isascii() and text.isdecimal()) or not 0 < int(text[:9]) <= MAX_SAMPLES or len(text) > 8:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {MAX_SAMPLES:,}")
    return int(text)


def count(text: str) -> int:
    """A number of rows, from 0."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rows")
    return int(text)


def level(text: str) -> float:
    """A share in percent, or as a fraction below 1.

    >>> level("99"), level("0.9"), level("95.45")
    (0.99, 0.9, 0.9545)
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of percent between 0 and 100")
    if value == 1:
        raise argparse.ArgumentTypeError(f"{text!r} may be 1 % or all of them: 0.01 is the one, 99.99 near the other")
    return float(f"{value!r}e-2") if value > 1 else value  # not divided, which would add to its digits


#: The settings of each flag as argparse takes them, and its letter; choices may be a function. A command may add to the
#: help, and set choices and defaults.
FLAGS: dict[str, dict[str, Any]] = {
    "format": {"short": "-f", "help": "output format"},
    "output": {"short": "-o", "metavar": "FILE", "help": "write the result here; - is standard output"},
    "strict": {"action": "store_true", "help": "stop at the first fault in the input; exit with 1 on any problem"},
    "threads": {
        "type": positive,
        "metavar": "N",
        "help": "number of threads; the result does not depend on it (default: all cores)",
    },
    "metric": {
        "short": "-m",
        "action": "append",
        "metavar": "SIGNATURE",
        "help": "metric with options, e.g. 'parseval|labels:no'",
    },
    "profile": {
        "choices": PROFILES,
        "help": "named way to score brackets, for metrics that name none (see: treescore info; parseval: collins)",
    },
    "prm": {"short": "-p", "metavar": "FILE", "help": "EVALB parameter file to use instead of a profile"},
    "reconcile": {
        "action": "store_true",
        "help": "compare as if both files followed the same conventions: outer brackets, escapes such as -LRB- and "
        "what tags of punctuation delete make no difference (outer:ignored, text:escapes, delete-by:gold)",
    },
    "input-format": {
        "choices": forms,
        "default": "auto",
        "help": "format of the trees (default: auto, detected from the content)",
    },
    "encoding": {
        "metavar": "NAME",
        "help": "encoding of the trees if it is not UTF-8, e.g. latin-1 for old export files",
    },
    "functions": {
        "choices": FUNCTIONS,
        "default": "apart",
        "help": "functions in export and tiger files: kept apart from labels, or added to them as in NP-SB "
        "(default: apart)",
    },
    "layout": {
        "choices": LAYOUTS,
        "default": "auto",
        "help": "whether a tree takes one line or several lines (default: auto)",
    },
    "per-sentence": {"action": "store_true", "help": "add a row per sentence"},
    "plot": {
        "action": "append",
        "default": [],
        "metavar": "FILE",
        "help": "also draw a plot: .pdf, .png or .svg; repeatable; needs matplotlib",
    },
    "name": {
        "action": "append",
        "default": [],
        "help": "name of a system or annotator, in the order of the files (default: the names of the files)",
    },
    "title": {"metavar": "TEXT", "help": "title of the page or picture"},
    "pack": {
        "metavar": "NAME",
        "help": "language pack that names classes of errors: english (the default), or a file of your own",
    },
    "most": {"type": count, "default": 10, "metavar": "N", "help": "rows of long tables (default: 10)"},
    "table": {
        "default": "collins",
        "metavar": "NAME|FILE",
        "help": "head table, by name or from a file (default: collins)",
    },
    "seed": {"type": seed, "default": 1, "metavar": "N", "help": "seed of random numbers"},
    "runs": {"type": whole, "metavar": "N", "help": "number of repetitions with other random numbers"},
    "parser": {
        "metavar": "CMD",
        "help": "a command that reads a line of words for each sentence that was changed, and writes a line with a "
        "tree for each",
    },
    "gold": {"metavar": "FILE", "help": "gold trees"},
    "times-format": {"choices": TIMES_FORMATS, "help": "format of words with times (default: detected)"},
    "tier": {"metavar": "NAME", "help": "the tier that has the words (TextGrid, EAF; default: guessed)"},
    "attach": {
        "choices": ATTACH,
        "default": "auto",
        "help": "how trees find their words with times (default: auto)",
    },
    "times": {
        "nargs": "+",
        "action": "extend",
        "metavar": "PATH",
        "help": "words with times for the trees: files or directories; not needed if the trees have times",
    },
    "gold-times": {
        "nargs": "+",
        "action": "extend",
        "default": [],
        "metavar": "PATH",
        "help": "words with times for the trees of GOLD: files or directories",
    },
    "test-times": {
        "nargs": "+",
        "action": "extend",
        "default": [],
        "metavar": "PATH",
        "help": "words with times for the trees of TEST: files or directories; of several systems one each (default: "
        "their own times, else the words of gold)",
    },
    "significance": {
        "choices": ("randomization", "bootstrap"),
        "help": "the test: swap the results of systems for a sentence at random, or draw sentences with replacement",
    },
    "ci-method": {"choices": METHODS, "help": f"how intervals are computed (default: {METHODS[0]})"},
    "ci-level": {"type": level, "metavar": "PERCENT", "help": f"level of the intervals (default: {100 * LEVEL:g})"},
    "ci-samples": {"type": whole, "metavar": "N", "help": "how many samples are drawn, for intervals and tests"},
    "ci-seed": {"type": seed, "metavar": "N", "help": f"seed of the samples (default: {SEED})"},
    "ci-unit": {
        "metavar": "NAME",
        "help": "what is drawn: sentence, or for instance document or side, which follow from the ids of the sentences "
        "or from --ci-units (default: sentence)",
    },
    "ci-units": {
        "metavar": "FILE",
        "help": "a line for each gold sentence: the name of the document, or what else it belongs to",
    },
}


def add_flags(parser: argparse._ActionsContainer, *names: str, more: str | None = None, **settings: Any) -> None:
    """Add shared flags to a command, with `more` in their help, and other settings."""
    for name in names:
        known = {**FLAGS[name], **settings}
        if callable(known.get("choices")):
            known["choices"] = known["choices"]()
        spellings = [known.pop("short"), f"--{name}"] if "short" in known else [f"--{name}"]
        if more:
            known["help"] += more if more[0] in ",;" else f" {more}"
        parser.add_argument(*spellings, **known)


def add_metric_flags(parser: argparse._ActionsContainer, more: str | None = None) -> None:
    """Which metrics, and options that they share; `more` says which metrics the command takes."""
    if more is None:
        from ..metrics import names  # only here, since some commands need no metrics

        more = f"; repeatable. Metrics: {', '.join(names())}"
    add_flags(parser, "metric", more=more)
    add_flags(parser, "profile", "prm")


def add_reading_flags(parser: argparse._ActionsContainer) -> None:
    """How trees are read, and what becomes of faults in them."""
    add_flags(parser, "input-format", "encoding", "functions", "layout", "threads", "strict")


def add_sampling_flags(parser: argparse._ActionsContainer, samples: int) -> None:
    """How many samples are drawn, of what, and from which seed."""
    add_flags(parser, "ci-level")
    add_flags(parser, "ci-samples", more=f"(default: {samples:,})")
    add_flags(parser, "ci-seed", "ci-unit", "ci-units")


def add_format_flag(
    parser: argparse._ActionsContainer, *kinds: str, default: str | None = "table", more: str | None = None
) -> None:
    """The output format, of those in which these kinds of results can be written."""
    choices = list(dict.fromkeys(form for kind in kinds for form in formats_of(kind)))
    add_flags(parser, "format", choices=choices, default=default, more=more or f"(default: {default})")


def add_speech_flags(parser: argparse.ArgumentParser) -> None:
    """All about trees over time."""
    group = parser.add_argument_group("speech")
    add_flags(group, "gold-times", "test-times", "times-format", "tier", "attach")
    group.add_argument(
        "--pair",
        choices=PAIRINGS,
        help="how sentences over time find their partners (default: auto: by id, else by position or time)",
    )
    group.add_argument("--unit", choices=UNITS, help="what is scored at a time (default: sentence)")


def add_document_flags(parser: argparse.ArgumentParser) -> None:
    """Lists of files, and what is shown of aligned words."""
    group = parser.add_argument_group("several files, recognised speech (sparseval)")
    group.add_argument(
        "--lists",
        action="store_true",
        help="GOLD and TEST are lists of files, one name a line, that belong together in this order (directories: "
        "files of the same names); so is align:FILE in a metric",
    )
    group.add_argument("--word-errors", type=whole, metavar="N", help="add the N most frequent errors in words")
    group.add_argument("--word-alignment", metavar="FILE", help="write the alignment of the words here, as SParseval")


def add_conllu_flags(parser: argparse.ArgumentParser) -> None:
    """What is a fault in CoNLL-U."""
    group = parser.add_argument_group("CoNLL-U")
    group.add_argument("--multiple-roots", action="store_true", help="a sentence may have several roots")
    group.add_argument("--no-empty-nodes", action="store_true", help="report empty nodes: there should be none")
