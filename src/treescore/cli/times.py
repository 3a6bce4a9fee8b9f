"""Read the times of words in any supported format, and write them in another.

examples:
  treescore times aligned/utt1.TextGrid                   words and times as JSON lines
  treescore times aligned/ -f tsv -o words.tsv            all files of a folder as a table
  treescore times talk.eaf --tier "A - words" -f ctm      the words of one tier as ctm
  treescore times talk.srt --interpolate                  words of whole utterances, with estimated times
  treescore times words.jsonl -f textgrid -o grids/       a TextGrid for each utterance

exit code: 0 success, 1 words without a time left out with --strict, 2 unusable input, or with --strict any input
error
"""

from __future__ import annotations

import argparse
import os

from ..helpers.problem_lines import in_one_line
from ..helpers.text import encode, number_of, visible
from ..readers.times import read_times
from ..render import pieces
from ..render.word_times import TIMED, only_timed, read_as_marks, textgrid
from ..values.problem import InputError, PerSide, Problem, UsageError
from ..words.timeline import without_whole_times
from . import errors
from .files import check_standard_input, opened, sources, write
from .flags import WORD_TIMES_FLAGS, add_flags, add_output_flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..words.utterance import Utterance, Utterances


_NOTES = 5  # maximum shown


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("files", metavar="FILE", nargs="+", help="file or folder, or - for standard input")
    add_output_flags(command, "Utterances", default="jsonl", file="; a folder for several TextGrids")
    add_flags(command, *WORD_TIMES_FLAGS, "strict")


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    utterances = times_of(options.files, options, unit=options.times_unit, strict=options.strict)
    words: Sequence[Utterance] = list(utterances)
    left_out = 0
    if options.format in TIMED:
        words, left_out = only_timed(words)
        if left_out:
            errors.notify(f"{number_of(left_out, 'word')} without a time left out")
        if not any(utterance.transcript.words for utterance in words):
            message = f"no word has a time, which {options.format} needs; use jsonl"
            raise InputError(Problem("no-times", message, file=utterances.name))
        marks = read_as_marks(words, options.format)
        if marks:
            words_lost = f"{number_of(len(marks), 'word')}, first {visible(marks[0])!r}"
            errors.notify(f"{options.format} treats words spelt like silence or noise marks as such: {words_lost}")
    if options.format == "textgrid" and options.output is not None and _is_folder(options.output):
        _write_grids(words, options.output)
    else:
        text = "".join(pieces("Utterances", words, options.format))
        with opened(options.output, options.files) as out:
            write([text], out)
    return errors.FAILED if left_out and options.strict else errors.OK


def times_for_trees(options: argparse.Namespace) -> Utterances:
    """The word times of `--times`; their problems are included in those of the trees."""
    times = times_of(options.times, options, unit=options.times_unit, strict=options.strict, faults=False)
    return without_whole_times(times)


def times_of_side(paths: Sequence[str], options: argparse.Namespace, *, is_test: bool) -> Utterances:
    """The word times of --gold-times or --test-times; their problems are included in those of the trees."""
    unit = options.times_unit and PerSide.of(options.times_unit, test=is_test)
    return times_of(paths, options, unit=unit, strict=options.strict, faults=False)


def times_of(
    paths: Sequence[str], options: argparse.Namespace, *, unit: str | None, strict: bool, faults: bool = True
) -> Utterances:
    """The word times of files; guesses and, with `faults`, problems are reported on standard error."""
    check_standard_input(paths)
    utterances = read_times(
        sources(paths),
        format=options.times_format,
        tier=options.tier,
        unit=unit,
        interpolate=bool(options.interpolate),
        on_error="raise" if strict else "keep",
    )
    for note in utterances.notes[:_NOTES]:
        errors.notify(note)
    if len(utterances.notes) > _NOTES:
        errors.notify(f"… and {len(utterances.notes) - _NOTES:,} more")
    if faults and utterances.problems:
        errors.notify(f"{in_one_line(utterances.problems)}; first problem: {utterances.problems[0]}")
    if not any(utterance.transcript.words for utterance in utterances):
        raise InputError(Problem("empty", "there are no words in it", file=utterances.name))
    return utterances


def _is_folder(path: str) -> bool:
    return path.endswith(("/", os.sep)) or os.path.isdir(path)


def _write_grids(utterances: Sequence[Utterance], folder: str) -> None:
    """Write a file for each utterance, named by its id, and never hidden, since hidden files are not read."""
    names: dict[str, None] = {}
    for number, utterance in enumerate(utterances, 1):
        name = (utterance.id or f"{number:03}").replace("/", "_").replace(os.sep, "_").replace("\0", "_")
        name = f"_{name[1:]}" if name.startswith(".") else name
        if name in names:
            raise UsageError(f"two utterances would be written to {visible(name)!r}; ids must differ")
        names[name] = None
    os.makedirs(folder, exist_ok=True)
    for name, utterance in zip(names, utterances, strict=True):
        with opened(os.path.join(folder, f"{name}.TextGrid")) as out:
            out.write(encode(textgrid(utterance)))
