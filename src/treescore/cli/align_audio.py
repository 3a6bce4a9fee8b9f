"""Find the times of the words of TREES in the recordings of AUDIO by forced alignment.

Needs PocketSphinx and its English model: pip install 'treescore[speech]', in a clone of the project pip install
'.[speech]'. Output of other aligners (the Montreal Forced Aligner, Gentle, WhisperX, …) needs no audio: give its files
to treescore --gold-times.

examples:
  treescore align audio wav gold.trees -o times.jsonl     wav/u1.flac is the recording of the tree u1
  treescore align audio wav words.txt -o times.jsonl      the same for lines of: name, tab, words
  treescore align audio call.wav gold.trees --channel B -o times.jsonl
  treescore align audio wav gold.trees -o times.jsonl --guessed names.dict
  treescore align audio wav gold.trees -o times.jsonl --dict names.dict --report failed.jsonl

Pronunciations of words that are not in the dictionary are guessed. --guessed writes them to a file, which can be
corrected and given back with --dict.

Utterances whose words do not seem to fit the recording are aligned, but reported as doubtful; the output has a
confidence from 0 to 1 for each utterance and each word.

The same command continues an interrupted run. Utterances in FILE are kept, even after failures, and are not aligned
again; --prune removes those that TREES does not contain.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import contextmanager

from ..helpers.steps import Steps
from ..helpers.text import number_of, visible
from ..helpers.text_files import read_text_file
from ..readers.sources import forms, open_source, read
from ..speech.confidence import LEAST
from ..values.problem import UsageError
from . import errors
from .files import opened, source, write
from .flags import add_flags, number, whole_number
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..readers.pronunciations import Pronunciations
    from ..speech.acoustic import AcousticModel
    from ..speech.batch import Outcome
    from ..trees import Treebank
    from ..words.utterance import Utterances

_MOST = 10  # problems in the summary


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("audio", metavar="AUDIO", help="folder of recordings, searched recursively; or one file")
    command.add_argument("trees", metavar="TREES", help="named trees, or transcripts: lines of name, tab, words")
    add_flags(command, "output", more="; word times as JSON lines")
    add_flags(command, "input-format", choices=[*forms(), "words"], more="; words: a transcript")
    command.add_argument("--dict", metavar="FILE", help="additional pronunciations, e.g. kowalski K AH W AA L S K IY")
    command.add_argument(
        "--model", metavar="DIR", help="CMU Sphinx model of another language, whose words are in --dict"
    )
    command.add_argument("--guessed", metavar="FILE", help="write guessed pronunciations to this file, for --dict")
    command.add_argument(
        "--min-confidence",
        type=number("a confidence from 0 to 1", lambda value: 0 <= value <= 1),
        metavar="LEVEL",
        help=f"report utterances with a lower confidence; 0: do not compute it (default: {LEAST}; English only)",
    )
    command.add_argument("--channel", metavar="A|B|1|2|…", help="audio channel (default: all, mixed)")
    command.add_argument(
        "--jobs",
        type=whole_number("number of recordings", 1, 9999),
        metavar="N",
        help="recordings aligned in parallel (default: all cores)",
    )
    command.add_argument(
        "--prune", action="store_true", help="remove utterances from the output that TREES does not contain"
    )
    command.add_argument(
        "--report", metavar="FILE", help="write failures and doubtful alignments to this file as JSON lines"
    )
    add_flags(command, "strict")


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from ..speech.audio import check
    from ..speech.batch import align_audio

    check()
    _check_files(options)
    if options.model is not None and options.min_confidence:
        raise UsageError("--min-confidence needs the English model; leave out --model, or --min-confidence")
    texts = _texts(options.trees, options.input_format)
    model, pronunciations = _model_and_pronunciations(options.model, options.dict)
    output = None if options.output in (None, "-") else options.output
    steps = Steps()
    try:
        with _terminable(), watched("aligning", steps):
            outcome = align_audio(
                options.audio,
                texts,
                output,
                pronunciations=pronunciations,
                model=model,
                channel=options.channel,
                min_confidence=LEAST if options.min_confidence is None else options.min_confidence,
                jobs=options.jobs or os.cpu_count() or 1,
                prune=options.prune,
                steps=steps,
            )
    except KeyboardInterrupt:
        if output is not None:
            errors.notify(f"interrupted; the same command continues from {output}.part")
        raise
    if options.report is not None:
        from json import dumps

        with opened(options.report) as out:
            reported = (*outcome.problems, *outcome.doubts)
            write((f"{dumps(problem.values(), ensure_ascii=False)}\n" for problem in reported), out)
    guessed = outcome.guessed
    if options.guessed is not None:
        with opened(options.guessed) as out:
            write(_dictionary(guessed), out)
    if output is None:
        with opened(None) as out:
            write((f"{line}\n" for line in outcome.lines), out)
    _summarise(outcome, options.report)
    if guessed:
        _tell_guessed(list(guessed), options.guessed)
    if not outcome.aligned + outcome.reused:
        raise UsageError("no utterance could be aligned")
    return errors.FAILED if options.strict and outcome.problems else errors.OK


def _model_and_pronunciations(
    folder: str | None, dictionary: str | None
) -> tuple[AcousticModel | None, Pronunciations | None]:
    """The model of another language if there is one, and the pronunciations of --dict."""
    from ..readers.pronunciations import read_pronunciations
    from ..speech.acoustic import read_acoustic_model
    from ..speech.forced import PHONES

    if folder is not None and dictionary is None:
        raise UsageError("--model needs the dictionary of its language; name it with --dict")
    model = None if folder is None else read_acoustic_model(folder)
    if dictionary is None:
        return model, None
    phones = PHONES if model is None else model.phones
    return model, read_pronunciations(read_text_file(dictionary), phones, name=dictionary)


def _check_files(options: argparse.Namespace) -> None:
    """Refuse output files that are input files, or are written twice."""
    read = {"AUDIO": options.audio, "TREES": options.trees, "--dict": options.dict, "--model": options.model}
    written = {"-o": options.output, "--report": options.report, "--guessed": options.guessed}
    if options.output not in (None, "-"):
        written["the temporary file of -o (FILE.part)"] = f"{options.output}.part"
    used: dict[str, str] = {}
    for what, path in (*read.items(), *written.items()):
        if path in (None, "-"):
            continue
        real = os.path.realpath(path)
        if what in written and real in used and _is_ordinary(real):
            raise UsageError(f"{what} and {used[real]} are the same file, {path}")
        used.setdefault(real, what)
    printed = [] if options.output not in (None, "-") else ["the times"]
    printed += [what for what in ("--report", "--guessed") if written[what] == "-"]
    if len(printed) > 1:
        raise UsageError(f"{printed[0]} and {printed[1]} would both go to standard output; name a file for one of them")
    for what in ("--report", "--guessed"):
        path = written[what]
        if path not in (None, "-") and os.path.isfile(path) and os.path.isdir(options.audio):
            from ..speech.audio import audio_files

            if any(os.path.samefile(path, audio) for audio in audio_files(options.audio)[0]):
                raise UsageError(f"{what} would overwrite a recording, {path}")


def _is_ordinary(path: str) -> bool:
    """Not a device such as /dev/null, which may be written twice."""
    return os.path.isfile(path) or not os.path.exists(path)


def _texts(path: str, form: str) -> Treebank | Utterances:
    from ..readers.named_words import is_named_words, read_named_words

    opened_source = open_source(source(path), None)
    assert opened_source is not None
    data, origin = opened_source
    if form == "words" or (form == "auto" and is_named_words(data)):
        return read_named_words(data, name=origin.name, on_error="keep")
    return read(bytes(data), form=form, on_error="keep", name=origin.name)


@contextmanager
def _terminable() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C: processes end, and finished work is kept."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():  # where signals cannot be handled
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _summarise(outcome: Outcome, report: str | None) -> None:
    for note in (*outcome.notes, str(outcome)):
        errors.notify(note)
    for problems in (outcome.problems, outcome.doubts):
        for problem in problems[:_MOST]:
            sys.stderr.write(f"  {visible(str(problem))}\n")
        if len(problems) > _MOST:
            more = f"  … and {len(problems) - _MOST:,} more"
            sys.stderr.write(more + (" (all of them: --report FILE)\n" if report is None else f", in {report}\n"))


def _dictionary(guessed: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The lines of a pronunciation dictionary."""
    yield ";;; Guessed pronunciations; of several, the first one fits the recordings best.\n"
    for word, variants in guessed.items():
        for place, phones in enumerate(variants, 1):
            yield f"{word if place == 1 else f'{word}({place})'} {phones}\n"


def _tell_guessed(words: Sequence[str], file: str | None) -> None:
    listed = ", ".join(map(visible, words[:_MOST])) + (", …" if len(words) > _MOST else "")
    where = "--guessed FILE writes them for --dict" if file is None else f"they are in {file}"
    errors.notify(f"guessed pronunciations of {number_of(len(words), 'word')}: {listed} ({where})")
