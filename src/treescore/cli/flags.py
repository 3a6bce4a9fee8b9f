"""Shared flags of the commands, each declared once, so that a flag means the same everywhere."""

from __future__ import annotations

import argparse

from ..pairing import ATTACH, PAIRINGS, UNITS
from ..profiles import PROFILES
from ..readers.brackets import LAYOUTS
from ..readers.completions.completion import REPAIRS, UNFAITHFUL
from ..readers.input_formats import TIMES_FORMATS
from ..readers.sources import FUNCTIONS, forms_of_sides
from ..render import formats_of
from ..significance.intervals import LEVEL, METHODS, SEED
from ..significance.sampling import MAX_SAMPLES
from ..values.problem import PerSide
from ..words.units import FORMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MAX_ROWS = 999_999_999


def whole_number(what: str, least: int, most: int) -> Callable[[str], int]:
    """A type of arguments: whole numbers from `least` to `most`."""

    def parsed(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or len(text) > 20 or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a {what} from {least} to {most:,}")
        return int(text)

    return parsed


def size(text: str) -> int:
    """A type of arguments: numbers of bytes."""
    from ..helpers.memory import parse_size

    try:
        return parse_size(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def number(what: str, is_valid: Callable[[float], bool]) -> Callable[[str], float]:
    """A type of arguments: numbers that are valid."""

    def parsed(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not is_valid(value):
            raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
        return value

    return parsed


threads = whole_number("number of threads", 1, 9999)
seed = whole_number("seed", 0, (1 << 64) - 1)
positive = whole_number("whole number", 1, MAX_SAMPLES)
rows = whole_number("number of rows", 1, _MAX_ROWS)
share = number("a share between 0 and 1, such as 0.05", lambda value: 0 < value < 1)
_percent = number("a percentage between 0 and 100", lambda value: 0 < value < 100)


def level(text: str) -> float:
    """A confidence level in percent, or as a fraction below 1.

    >>> level("99"), level("0.9"), level("95.45")
    (0.99, 0.9, 0.9545)
    """
    value = _percent(text)
    if value == 1:
        raise argparse.ArgumentTypeError(f"{text!r} is ambiguous: write 0.01 for 1 %, or a level below 100 %")
    return float(f"{value!r}e-2") if value > 1 else value  # a division would round


def milliseconds(text: str) -> float:
    """A time in milliseconds, or with one of the units s, ms and us; the result is in seconds.

    >>> milliseconds("20"), milliseconds("20ms"), milliseconds("0.05s"), milliseconds("0")
    (0.02, 0.02, 0.05, 0.0)
    """
    per_second = {"ms": 1e3, "us": 1e6, "s": 1.0}
    unit = next((unit for unit in per_second if text.endswith(unit)), "")
    parsed = number("a time from 0, such as 20ms or 0.02s", lambda value: 0 <= value < float("inf"))
    value = parsed(text.removesuffix(unit))
    if not unit and 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is ambiguous: give the unit, such as 20ms or 0.02s")
    return value / per_second[unit or "ms"]


#: The arguments of `add_argument` for each flag, and its letter; `choices` may be a function. A command may extend the
#: help and override settings.
FLAGS: dict[str, dict[str, Any]] = {
    "format": {"short": "-f", "help": "output format"},
    "output": {"short": "-o", "metavar": "FILE", "help": "output file; - is standard output"},
    "strict": {"action": "store_true", "help": "stop at the first input error; exit with 1 on any problem"},
    "threads": {
        "type": threads,
        "metavar": "N",
        "help": "number of threads; does not change the result (default: all cores)",
    },
    "memory": {
        "type": size,
        "metavar": "SIZE",
        "help": "memory that all threads together may use for large trees, e.g. 4G; does not change results, except "
        "that trees that need more are reported (default: TREESCORE_MEMORY, else half of the memory)",
    },
    "metric": {
        "short": "-m",
        "action": "append",
        "metavar": "SIGNATURE",
        "help": "metric with options, e.g. 'parseval|labels:no'",
    },
    "profile": {
        "choices": PROFILES,
        "help": "scoring profile of metrics whose signature has none (see: treescore info; default: collins)",
    },
    "prm": {"short": "-p", "metavar": "FILE", "help": "EVALB parameter file, instead of a profile"},
    "reconcile": {
        "action": "store_true",
        "help": "ignore differences in conventions: outer brackets, escapes such as -LRB-, and punctuation tags "
        "(outer:ignored, text:escapes, delete-by:gold)",
    },
    "reference": {
        "action": "append",
        "default": [],
        "metavar": "FILE",
        "help": "another file of gold trees for the sentences of GOLD; repeatable. Each sentence is scored against its "
        "best gold tree, or with reference-by:mean in the metric against all of them",
    },
    "input-format": {
        "choices": forms_of_sides,
        "default": "auto",
        "help": "input format, or those of gold and test as in brackets,labelless (default: auto, detected from the "
        "content)",
    },
    "encoding": {
        "metavar": "NAME",
        "help": "input encoding if it is not UTF-8, e.g. latin-1 for old export files",
    },
    "functions": {
        "choices": FUNCTIONS,
        "default": "apart",
        "help": "functions in export and TIGER-XML files: kept apart from labels, or added to labels as in NP-SB "
        "(default: apart)",
    },
    "layout": {
        "choices": (*LAYOUTS, "block"),
        "default": "auto",
        "help": "one tree per line, trees over several lines, or completions between blank lines (default: auto)",
    },
    "repair": {
        "metavar": "NAMES",
        "help": f"repairs of completions: all (default), none, or some of {', '.join(REPAIRS)}, separated by commas",
    },
    "field": {"metavar": "NAME", "help": "field of JSON lines with the completion, such as answer.text"},
    "separator": {"metavar": "MARK", "help": "line between two completions in a text file"},
    "samples": {
        "action": "store_true",
        "default": None,
        "help": "several completions per sentence, with the same id; all of them are scored",
    },
    "unfaithful": {
        "choices": UNFAITHFUL,
        "help": "completions with other words than the sentence fail (default), or are scored on aligned words",
    },
    "trees": {
        "metavar": "FILE",
        "help": "also write the trees of completions, one per line, and () where there is none",
    },
    "per-sentence": {"action": "store_true", "help": "add a row per sentence"},
    "plot": {
        "action": "append",
        "default": [],
        "metavar": "FILE",
        "help": "also write a plot: .pdf, .png or .svg; repeatable; needs matplotlib",
    },
    "plain": {
        "action": "store_true",
        "default": None,
        "help": "pictures and plots for a paper: without title, score, signature and notes",
    },
    "width": {
        "metavar": "LENGTH",
        "help": "maximum width of pictures, width of plots: 3.3in, 8cm, 84mm, 240pt, or a number of pixels",
    },
    "font-size": {"metavar": "LENGTH", "help": "font size of pictures and plots in points, or with a unit"},
    "greyscale": {"action": "store_true", "default": None, "help": "pictures and plots in shades of grey"},
    "name": {
        "action": "append",
        "default": [],
        "help": "name of a system or annotator, in the order of the files (default: file names)",
    },
    "audio": {"metavar": "AUDIO", "help": "folder of recordings, searched recursively; or one file"},
    "title": {"metavar": "TEXT", "help": "title of the page or picture"},
    "pack": {
        "metavar": "NAME",
        "help": "language pack of error classes: english (default) or a file",
    },
    "most": {
        "type": whole_number("number of rows", 0, _MAX_ROWS),
        "default": 10,
        "metavar": "N",
        "help": "maximum rows of long tables (default: 10)",
    },
    "table": {
        "default": "collins",
        "metavar": "NAME|FILE",
        "help": "head table: a name or a file (default: collins)",
    },
    "seed": {"type": seed, "default": 1, "metavar": "N", "help": "random seed"},
    "runs": {"type": positive, "metavar": "N", "help": "number of repetitions with different seeds"},
    "parser": {
        "metavar": "CMD",
        "help": "parser command: reads the words of a changed sentence per line, writes a tree per line",
    },
    "gold": {"metavar": "FILE", "help": "gold trees"},
    "times-format": {"choices": TIMES_FORMATS, "help": "format of word times (default: detected)"},
    "times-unit": {
        "metavar": "UNIT",
        "help": f"unit of times: {FORMS}; also of spans in trees; of gold and test as in s,frames:0.02 (default: known "
        "from the format)",
    },
    "interpolate": {
        "action": "store_true",
        "default": None,
        "help": "give times to the words of utterances that have times only as a whole, by their characters",
    },
    "tier": {"metavar": "NAME", "help": "tier with the words (TextGrid, EAF, MFA; default: guessed)"},
    "attach": {
        "choices": PerSide(ATTACH),
        "default": "auto",
        "help": "how word times are matched to trees, or those of gold and test as in auto,place (default: auto)",
    },
    "times": {
        "nargs": "+",
        "action": "extend",
        "metavar": "PATH",
        "help": "word times: files or directories (default: times in the trees)",
    },
    "gold-times": {
        "nargs": "+",
        "action": "extend",
        "default": [],
        "metavar": "PATH",
        "help": "word times of GOLD: files or directories",
    },
    "test-times": {
        "nargs": "+",
        "action": "extend",
        "default": [],
        "metavar": "PATH",
        "help": "word times of TEST: files or directories; one for each of several systems (default: times in the "
        "trees, else the times of GOLD)",
    },
    "tolerance": {
        "type": milliseconds,
        "metavar": "TIME",
        "help": "difference of boundaries up to which nodes over seconds do not count as crossing, in milliseconds or "
        "with a unit, such as 50ms or 0.05s; no score depends on it (default: 20ms)",
    },
    "significance": {
        "choices": ("randomization", "bootstrap"),
        "help": "significance test: paired randomization or paired bootstrap",
    },
    "ci-method": {"choices": METHODS, "help": f"method of confidence intervals (default: {METHODS[0]})"},
    "ci-level": {"type": level, "metavar": "PERCENT", "help": f"confidence level (default: {100 * LEVEL:g})"},
    "ci-samples": {"type": positive, "metavar": "N", "help": "number of samples of intervals and tests"},
    "ci-seed": {"type": seed, "metavar": "N", "help": f"random seed of the samples (default: {SEED})"},
    "ci-unit": {
        "metavar": "NAME",
        "help": "resampling unit: sentence, or e.g. document or side, from sentence ids or --ci-units "
        "(default: sentence)",
    },
    "ci-units": {
        "metavar": "FILE",
        "help": "resampling unit of each gold sentence, one name per line",
    },
}


#: Options of reading words with times.
WORD_TIMES_FLAGS = ("times-format", "times-unit", "tier", "interpolate")


def add_flags(parser: argparse._ActionsContainer, *names: str, more: str | None = None, **settings: Any) -> None:
    """Add shared flags to a command; `more` extends the help, `settings` override the declaration."""
    for name in names:
        merged = {**FLAGS[name], **settings}
        if callable(merged.get("choices")):
            merged["choices"] = merged["choices"]()
        spellings = [merged.pop("short"), f"--{name}"] if "short" in merged else [f"--{name}"]
        if more:
            merged["help"] += more if more[0] in ",;" else f" {more}"
        parser.add_argument(*spellings, **merged)


def add_metric_flags(parser: argparse._ActionsContainer, more: str | None = None) -> None:
    """Metrics and their shared options; `more` names the metrics that the command accepts."""
    if more is None:
        from ..metrics import names  # some commands need no metrics

        more = f"; repeatable. Metrics: {', '.join(names())}"
    add_flags(parser, "metric", more=more)
    add_flags(parser, "profile", "prm")


#: Options of the appearance of pictures and plots, for a paper.
LOOK_FLAGS = ("plain", "width", "font-size", "greyscale")


def add_plot_flags(parser: argparse._ActionsContainer, more: str | None = None) -> None:
    """A file for plots, and their appearance."""
    add_flags(parser, "plot", more=more)
    add_flags(parser, *LOOK_FLAGS)


def look_options(options: argparse.Namespace) -> dict[str, Any]:
    """The given options of the appearance of pictures and plots."""
    given = {name.replace("-", "_"): getattr(options, name.replace("-", "_")) for name in LOOK_FLAGS}
    return {name: value for name, value in given.items() if value is not None}


def add_reading_flags(parser: argparse._ActionsContainer) -> None:
    """How trees are read."""
    add_flags(parser, "input-format", "encoding", "functions", "layout", "threads", "memory", "strict")


#: Options of reading completions.
COMPLETION_FLAGS = ("repair", "field", "separator", "samples", "unfaithful")


def add_completion_flags(parser: argparse.ArgumentParser, *more: str) -> None:
    """How completions of a language model are read, and more flags about them."""
    add_flags(parser.add_argument_group("completions of language models"), *COMPLETION_FLAGS, *more)


def add_sampling_flags(parser: argparse._ActionsContainer, samples: int) -> None:
    """Level, number, seed and unit of samples."""
    add_flags(parser, "ci-level")
    add_flags(parser, "ci-samples", more=f"(default: {samples:,})")
    add_flags(parser, "ci-seed", "ci-unit", "ci-units")


def add_output_flags(
    parser: argparse._ActionsContainer,
    *kinds: str,
    default: str | None = "table",
    more: str | None = None,
    file: str | None = None,
) -> None:
    """The output format, one of those of these kinds of results, and file; `more` and `file` extend their help."""
    choices = list(dict.fromkeys(form for kind in kinds for form in formats_of(kind)))
    add_flags(parser, "format", choices=choices, default=default, more=more or f"(default: {default})")
    add_flags(parser, "output", more=file)


def add_times_flags(parser: argparse.ArgumentParser, *, shows_nodes: bool = True) -> argparse._ArgumentGroup:
    """Words with times for gold and test trees; the tolerance of crossing for commands that show nodes."""
    group = parser.add_argument_group("speech")
    add_flags(group, "gold-times", "test-times", *WORD_TIMES_FLAGS, "attach")
    if shows_nodes:
        add_flags(group, "tolerance")
    return group


def add_speech_flags(parser: argparse.ArgumentParser) -> None:
    """Options of timed trees."""
    group = add_times_flags(parser)
    group.add_argument(
        "--pair",
        choices=PAIRINGS,
        help="how timed sentences are paired (default: auto: by id, else by position or time)",
    )
    group.add_argument("--unit", choices=UNITS, help="scoring unit (default: sentence)")


def add_document_flags(parser: argparse.ArgumentParser) -> None:
    """Lists of files, and output about aligned words."""
    group = parser.add_argument_group("several files, recognised speech (sparseval)")
    group.add_argument(
        "--lists",
        action="store_true",
        help="GOLD and TEST are lists of files, one name per line, paired in this order; so is align:FILE in a "
        "metric (files in directories are paired by name)",
    )
    group.add_argument("--word-errors", type=positive, metavar="N", help="list the N most frequent word errors")
    group.add_argument("--word-alignment", metavar="FILE", help="write the word alignment in SParseval's format")


def add_conllu_flags(parser: argparse.ArgumentParser) -> None:
    """What is valid in CoNLL-U."""
    group = parser.add_argument_group("CoNLL-U")
    group.add_argument("--multiple-roots", action="store_true", help="allow several roots per sentence")
    group.add_argument("--no-empty-nodes", action="store_true", help="report empty nodes as errors")
