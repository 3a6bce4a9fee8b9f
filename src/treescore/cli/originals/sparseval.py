"""`treescore sparseval`, `headtrees` and `strealign`: the flags and the bytes of the original programs."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack

from ... import _core
from ...helpers.files import all_of, map_file
from ...helpers.new_files import replacing
from ...readers.sparseval_files import HeadLines, HeadTableError, Parameters, list_lines
from ...render import sparseval_text as text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

USAGE = {
    "sparseval": """\
usage: treescore sparseval [-bcluvz] [-p FILE] [-h FILE] [-a FILE] [-F FILE] GOLD TEST
  Scores the trees of TEST against those of GOLD, one tree per line, exactly as SParseval does: brackets and head
  dependencies, for parses of recognised speech.
  -p FILE  parameter file
  -h FILE  head table, needed for dependencies
  -a FILE  word alignment of the two files
  -F FILE  output file
  -l       GOLD, TEST and the alignment are lists of files
  -b       dependencies as bags, without a word alignment
  -c       score each file as one unit, such as a conversation side
  -u       unlabelled
  -v       a row for each unit
  -z       show the parameters
  example: treescore sparseval -v -p SPEECHPAR.prm -h heads.txt -a words.align gold.trees parsed.trees
""",
    "headtrees": """\
usage: treescore headtrees [-lv] [-p FILE] [-h FILE] [-F FILE] TREES
  Prints trees with the head word of every phrase, exactly as headtrees does.
  -p FILE  parameter file
  -h FILE  head table
  -F FILE  output file
  -l       TREES is a list of files
  -v       accepted, without effect
  example: treescore headtrees -h heads.txt gold.trees
""",
    "strealign": """\
usage: treescore strealign [-v] [-p FILE] [-F FILE] GOLD TEST RAW
  Turns a raw alignment of words in fixed columns into the one that `treescore sparseval -a` takes, with the words as
  the trees have them, exactly as strealign does.
  -p FILE  parameter file
  -F FILE  output file
  -v       accepted, without effect
  example: treescore strealign -p SPEECHPAR.prm gold.trees parsed.trees raw.txt > words.align
""",
}
_WITH_VALUE = "phaF"
_OPERANDS = {"sparseval": 2, "headtrees": 1, "strealign": 3}
_FLAGS = {"sparseval": "lbcuvz", "headtrees": "lv", "strealign": "v"}


class _Exit(Exception):
    """Ends the run with this message and exit code 1."""

    def __init__(self, message: str | bytes) -> None:
        self.message = message if isinstance(message, bytes) else os.fsencode(message)


class _Options:
    """The command line, parsed like getopt."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.values: dict[str, str] = {}
        self.flags: set[str] = set()
        self.files: list[str] = []
        self.report: BinaryIO | None = None
        self.written = ExitStack()  # the files of -F
        self.is_bad = False

    def parse(self, words: Sequence[str]) -> None:
        waiting = list(reversed(words))
        while waiting:
            word = waiting.pop()
            if word == "--":
                self.files += reversed(waiting)
                return
            if word == "-" or not word.startswith("-"):
                self.files.append(word)
                continue
            letters = word[1:]
            while letters:
                letter, letters = letters[0], letters[1:]
                if letter in _WITH_VALUE and (letter != "h" or self.program != "strealign"):
                    if not letters and not waiting:
                        self._complain(f"option requires an argument -- '{letter}'")
                        break
                    self._set(letter, letters or waiting.pop())
                    letters = ""
                elif letter in _FLAGS[self.program]:
                    self.flags.add(letter)
                else:
                    if letter != "?":
                        self._complain(f"invalid option -- '{letter}'")
                    self.is_bad = True

    def _set(self, letter: str, value: str) -> None:
        if letter == "a" and self.program != "sparseval":
            self.is_bad = True
        elif letter == "F":
            try:
                self.report = self.written.enter_context(replacing(value))
            except OSError:
                raise _Exit(f'ERROR: could not open file {value} in mode "w"\n') from None
        self.values[letter] = value

    def _complain(self, problem: str) -> None:
        self.is_bad = True
        _say(f"{self.program}: {problem}\n")

    @property
    def out(self) -> BinaryIO:
        return self.report or sys.stdout.buffer


def _say(message: str | bytes) -> None:
    sys.stderr.buffer.write(message if isinstance(message, bytes) else os.fsencode(message))
    sys.stderr.buffer.flush()


def main(program: str, words: Sequence[str]) -> int:
    """Run one of the three programs and return its exit code."""
    if list(words) == ["--help"]:
        sys.stdout.write(USAGE[program])
        return 0
    options = _Options(program)
    try:
        with options.written:
            return _run(options, words)
    except MemoryError:
        _say(f"{program}: there is not enough memory\n")
    except OSError as problem:
        if not isinstance(problem, BrokenPipeError):
            from ..errors import in_words

            _say(f"{program}: the report cannot be written: {in_words(problem)}\n")
    except KeyboardInterrupt:
        return 130
    return 1


def _run(options: _Options, words: Sequence[str]) -> int:
    """Run a program; after its own errors, the report has what was written before, as in the original."""
    program = options.program
    try:
        options.parse(words)
        if program == "sparseval" and "v" in options.flags:
            _say(_banner(options))
        if options.is_bad or len(options.files) != _OPERANDS[program]:
            raise _Exit(USAGE[program])
        {"sparseval": _score, "headtrees": _annotate, "strealign": _realign}[program](options)
    except _Exit as end:
        options.out.flush()
        _say(end.message)
        return 1
    options.out.flush()
    return 0


def _banner(options: _Options) -> str:
    switches = "".join(letter for letter in "ubcl" if letter in options.flags)
    values = [options.values.get(letter, "") for letter in "pha"]
    return text.banner(options.program, options.files, values[0], switches, *values[1:])


def _load(name: str | bytes) -> _core.Buffer:
    path = os.fsencode(name)
    try:
        with open(path, "rb") as file:
            content = map_file(file.fileno(), os.fstat(file.fileno()).st_size) or all_of(file)
    except IsADirectoryError:
        return b""  # the original opens a directory and reads nothing
    except (OSError, ValueError):
        raise _Exit(b'ERROR: could not open file %b in mode "r"\n' % path) from None
    if content is None:
        raise _Exit(b"ERROR: %b is a device without an end\n" % path)
    return content


def _set_up(options: _Options) -> tuple[_core.Sparseval, Parameters]:
    """The program with its head table and parameters, which are read in this order."""
    heads: HeadLines | None = None
    if "h" in options.values:
        try:
            heads = HeadLines(bytes(_load(options.values["h"])))
        except HeadTableError as error:
            raise _Exit(str(error)) from None
    parameters = Parameters(bytes(_load(options.values["p"])) if "p" in options.values else b"")
    program = _core.Sparseval(
        deleted=parameters.deleted,
        empty=parameters.empty,
        edits=parameters.edits,
        closed=parameters.closed,
        rewritten=parameters.rewritten,
        equal_words=parameters.equal_words,
        pauses=parameters.pauses,
        heads=heads.lines if heads else None,
        default_head=heads.default if heads else [],
        bag="b" in options.flags,
        whole_files="c" in options.flags,
        unlabelled="u" in options.flags,
    )
    return program, parameters


def _score(options: _Options) -> None:
    program, parameters = _set_up(options)
    names = [*options.files, *([options.values["a"]] if "a" in options.values else [])]
    lists = [list_lines(bytes(_load(name))) for name in names] if "l" in options.flags else None
    if "z" in options.flags:
        options.out.write(text.information(parameters))
    unlabelled, verbose = "u" in options.flags, "v" in options.flags
    totals = text.Totals()

    def score(files: Sequence[str | bytes], contents: Sequence[_core.Buffer]) -> None:
        gold, test, *alignment = contents
        gold_name, test_name = (os.fsencode(name) for name in files[:2])
        message = program.score(gold, test, gold_name, test_name, alignment[0] if alignment else None)
        lines = []
        for index in range(totals.units, len(program)):
            row = program.row(index)
            counts = [row[name] for name in text.COLUMNS]
            if index == 0:
                lines.append(text.header(unlabelled))
            totals.add(counts)
            if verbose:
                lines.append(text.unit(index + 1, counts))
        options.out.write("".join(lines).encode())
        _say(program.take_warnings())
        if message is not None:
            raise _Exit(message)

    if lists is None:
        score(names, [_load(name) for name in names])
    else:
        for index, gold_name in enumerate(lists[0]):
            contents = [_load(gold_name)]
            for listed, name, which in zip(lists[1:], names[1:], ("", " (align)"), strict=False):
                if index >= len(listed):
                    raise _Exit(f"file length mismatch{which}: {names[0]} {name}\n")
                contents.append(_load(listed[index]))
            score([listed[index] for listed in lists], contents)
    if verbose:
        options.out.write(text.RULE.encode())
    options.out.write(text.row("Total:", totals.sums).encode())
    brackets = "b" not in options.flags
    options.out.write(text.summary(totals, unlabelled=unlabelled, brackets=brackets).encode())


def _annotate(options: _Options) -> None:
    program, _ = _set_up(options)
    [trees] = options.files
    for name in list_lines(bytes(_load(trees))) if "l" in options.flags else [os.fsencode(trees)]:
        annotated, message = program.annotate(_load(name), name)
        options.out.write(annotated)
        if message is not None:
            raise _Exit(message)


def _realign(options: _Options) -> None:
    program, _ = _set_up(options)
    gold, test, raw = (_load(name) for name in options.files)
    gold_name, test_name, _ = (os.fsencode(name) for name in options.files)
    aligned, message = program.realign(gold, test, raw, gold_name, test_name)
    _say(program.take_warnings())
    options.out.write(aligned)
    if message is not None:
        raise _Exit(message)
