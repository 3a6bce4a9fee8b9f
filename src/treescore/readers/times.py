"""Files of words and when they were spoken: finds out which format they have, and puts odd times right.

>>> found = read_times("f A 0.0 0.5 the\\nf A 0.4 0.2 cat\\n")
>>> found[0].transcript.words, found[0].transcript.times
(('the', 'cat'), ((0.0, 0.4), (0.4, 0.6)))
>>> print(found.problems[0])
<text>:2: word 2 of f, cat, begins at 0.4, before the word before it ends at 0.5 (that one ends there)
"""

from __future__ import annotations

import os

from ..helpers.files import walked
from ..helpers.memory import uncollected
from ..helpers.text import encode, number_of, visible
from ..pairing.segments import IGNORED
from ..values.problem import InputError, Problem, UsageError
from ..words.timeline import MARKS, sound
from ..words.transcript import Transcript
from ..words.utterance import Utterance, Utterances
from .brackets import ON_ERROR
from .lines import Faults, number
from .sources import is_text, open_source
from .transcripts import timed_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .sources import Readable

#: Formats of files of word times.
FORMATS = ("textgrid", "ctm", "stm", "nxt", "mississippi", "eaf", "whisperx", "gentle", "tsv", "jsonl")
#: Formats by the end of a file's name; None where only its content tells.
SUFFIXES = {
    ".textgrid": "textgrid",
    ".ctm": "ctm",
    ".stm": "stm",
    ".terminals.xml": "nxt",
    ".text": "mississippi",
    ".eaf": "eaf",
    ".json": None,
    ".tsv": "tsv",
    ".jsonl": "jsonl",
}
_TIERED = ("textgrid", "eaf")
_IN_LINES = ("ctm", "stm", "mississippi", "tsv")
_OPTION = f"(--times-format {'|'.join(FORMATS)})"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_WHOLE_UTTERANCES = "-trans.text"  # the other file of Mississippi State's


def read_times(
    source: Readable | Utterances,
    *,
    format: str | None = None,
    tier: str | None = None,
    on_error: str = "keep",
    name: str | None = None,
) -> Utterances:
    """Read words and their times from a path, several paths, a folder, `-`, an open file, or text.

    The name or the content tells the format, unless `format` says it: one of `FORMATS`. Of a folder, all files with a
    known suffix are read, in the order of their names. `tier` is the name of the tier that has the words (TextGrid and
    EAF; other files have none); if it is not given, it is guessed, and `notes` says which one was taken. Odd times are
    put right (see `treescore.words.timeline`), and what was wrong is in `problems`; with `on_error="raise"` it is an
    error. `name` stands for the source in messages.

    >>> read_times("id\\tword\\tstart\\tend\\nu1\\tso\\t0.1\\t0.4\\n")
    <Utterances: 1 utterance from <text>>
    """
    found, tiered = gather_times(source, format=format, tier=tier, on_error=on_error, name=name)
    check_tier(tier, tiered)
    return found


def check_tier(tier: str | None, tiered: bool) -> None:
    """A tier can only be asked for if any of the files has tiers."""
    if tier is not None and not tiered:
        message = f"only {' and '.join(_TIERED)} have tiers, and none of the files with words is one"
        raise UsageError(f"{message}; leave out the tier {visible(tier)!r}")


def gather_times(
    source: Readable | Utterances,
    *,
    format: str | None = None,
    tier: str | None = None,
    on_error: str = "keep",
    name: str | None = None,
) -> tuple[Utterances, bool]:
    """What `read_times` gives, and whether any of the files has tiers, for those who have other files as well."""
    if isinstance(source, Utterances):
        return source, True  # the tier was chosen, if there was one
    if format is not None and format not in FORMATS:
        raise UsageError(f"the format of word times must be one of {', '.join(FORMATS)}, not {format!r}")
    if on_error not in ON_ERROR:
        raise ValueError(f"on_error must be one of {', '.join(ON_ERROR)}, not {on_error!r}")
    gathered = _Gathered(format, tier, on_error)
    several = _sources(source, gathered)
    with uncollected():
        if several is None:
            gathered.read(source, name)
        else:
            gathered.read_all(several)
        return gathered.utterances(name), gathered.tiered


class _Gathered:
    """What was found in all sources."""

    def __init__(self, format: str | None, tier: str | None, on_error: str) -> None:
        self.ignored: list[str] = []  # files that were passed over, in words
        self.tiered = False  # has any file tiers?
        self._notes: dict[str, int] = {}  # with the number of files
        self._format, self._tier, self._on_error = format, tier, on_error
        self._found: list[Utterance] = []
        self._files: list[str | None] = []  # of each utterance
        self._faults = Faults(on_error=on_error)
        self._formats: dict[str, None] = {}
        self._names: list[str | None] = []

    def read_all(self, sources: Iterable[Readable]) -> None:
        """Several files; one that cannot be read is a problem, unless none can."""
        first: InputError | None = None
        for source in sources:
            try:
                self.read(source, None)
            except InputError as error:
                if self._on_error == "raise":
                    raise
                first = first or error
                self._faults.note(error.problem.replace(action="file left out"))
        if first is not None and not self._names:
            raise first

    def read(self, source: Readable, name: str | None) -> None:
        """A single source."""
        opened = open_source(_as_bytes(source), name)
        if opened is None:
            raise UsageError("word times are read from paths, from standard input, from an open file or from text")
        data, name = bytes(opened[0]), opened[1].name
        format = self._format or format_of(data, name)
        named = self._format or _named_format(name) or format
        if format != named:
            self._note(f"the name is that of {named}, but the content that of {format}, and is read as that")
        self.tiered = self.tiered or format in _TIERED
        found = _read(data, format, name, self._on_error, self._tier)
        for problem in found.problems:
            self._faults.note(problem)
        for note in found.notes:
            self._note(note)
        for utterance in found:
            fixed, problems = sound(utterance, file=name)
            for problem in problems:
                self._faults.note(problem)
            self._found.append(fixed)
            self._files.append(name)
        self._formats[format] = None
        self._names.append(name)

    def _note(self, note: str) -> None:
        self._notes[note] = self._notes.get(note, 0) + 1

    def utterances(self, name: str | None) -> Utterances:
        """All of it. Two utterances with one id cannot be told apart later on."""
        seen: dict[str, str | None] = {}
        for utterance, file in zip(self._found, self._files, strict=True):
            if utterance.id is None:
                continue
            if utterance.id in seen:
                message = f"there is another utterance {visible(utterance.id)!r}"
                message += f" in {seen[utterance.id]}" if seen[utterance.id] != file else ""
                problem = Problem(
                    "same-id", f"{message}; ids should differ", file=file, line=utterance.line, action="both are kept"
                )
                self._faults.note(problem)
            seen.setdefault(utterance.id, file)
        many = len(self._names)
        counted = [f"{note} ({number_of(files, 'file')})" if many > 1 else note for note, files in self._notes.items()]
        return Utterances(
            self._found,
            format="+".join(self._formats),
            name=name or (self._names[0] if many == 1 else f"<{number_of(many, 'file')}>"),
            problems=self._faults.problems,
            notes=[*counted, *self.ignored],
            is_sound=True,
            paths=self._files if many > 1 else None,
        )


def _as_bytes(source: Any) -> Any:
    """Text as bytes: what begins as JSON or XML, or has tabs, is text here and no path."""
    if not isinstance(source, str) or source == "-":
        return source
    looks = is_text(source) or source.lstrip().startswith(("{", "[", "<")) or any(mark in source for mark in "\t\r\0")
    return encode(source) if looks else source


def _sources(source: Any, gathered: _Gathered) -> list[Any] | None:
    """The files of a folder or a list; None for a single source."""
    if isinstance(source, list | tuple):
        found: list[Any] = []
        for one in source:
            inside = _sources(one, gathered)
            found += [one] if inside is None else inside
        if not found:
            raise UsageError("there are no files of word times in an empty list")
        return found
    is_path = isinstance(source, os.PathLike) or (isinstance(source, str) and isinstance(_as_bytes(source), str))
    if not is_path or not os.path.isdir(source):
        return None
    folder = os.fspath(source)
    paths = sorted(os.path.join(inner, file) for inner, files in walked(folder) for file in files)
    known = [path for path in paths if _suffix(path) is not None and not path.endswith(_WHOLE_UTTERANCES)]
    others = number_of(len(paths) - len(known), "file")
    if not known:
        message = (
            f"there is no file of word times in this folder ({others} of other kinds); known are names that end in "
        )
        raise InputError(Problem("empty", message + ", ".join(SUFFIXES), file=folder))
    if len(known) < len(paths):
        gathered.ignored.append(f"{others} of other kinds in {visible(folder)} not read")
    from pathlib import Path

    return [Path(path) for path in known]


def _suffix(name: str | None) -> str | None:
    lower = (name or "").lower().removesuffix(".gz")
    return next((suffix for suffix in SUFFIXES if lower.endswith(suffix)), None)


def _named_format(name: str | None) -> str | None:
    suffix = _suffix(name)
    return SUFFIXES[suffix] if suffix else None


def format_of(data: bytes, name: str | None = None) -> str:
    """The format of a file by its name, unless its content is plainly that of another; else by its content.

    >>> format_of(b"", "a.TextGrid"), format_of(b"f A 0.1 0.2 so"), format_of(b"sw1A-ms98-a-1 0.1 0.2 so")
    ('textgrid', 'ctm', 'mississippi')
    >>> format_of(b'File type = "ooTextFile"', "a.ctm")
    'textgrid'
    """
    named = _named_format(name)
    found = _by_content(data) if named is None else _checked(data, named, name)
    if found is None:
        message = "it cannot be told what format of word times this is; name it"
        raise InputError(Problem("format", f"{message} {_OPTION}", file=name))
    return found


def _checked(data: bytes, named: str, name: str | None) -> str:
    """The format that the name says, or another one that the content plainly has."""
    start = data[:4096]
    if start.startswith(_UTF16) and not _is_textgrid(start):
        return named  # whose reader knows what to say, or can read it
    found = _by_content(data)
    if found in _IN_LINES and named in _IN_LINES:
        return named  # for one line says little about which of those it is
    is_xml = start.lstrip().startswith((b"<?xml", b"<!"))
    if is_xml and found is None and named in (*_IN_LINES, "jsonl"):  # others say so themselves
        message = f"this looks like XML, not like {named}; if it has word times, name their format"
        raise InputError(Problem("format", f"{message} {_OPTION}", file=name))
    return found or named


def _by_content(data: bytes) -> str | None:
    start = data[:65536].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(_UTF16) or _is_textgrid(start):
        return "textgrid"
    if start.startswith(b"<"):
        return "eaf" if b"<ANNOTATION_DOCUMENT" in start else "nxt" if b"nite:" in start else None
    if start.startswith((b"{", b"[")):
        return _kind_of_json(data)
    for line in start.split(b"\n"):
        fields = line.split()
        if not fields or fields[0].startswith(b";;"):
            continue
        cells = line.rstrip(b"\r").split(b"\t")
        if len(cells) >= 3:
            from .word_table import PLAIN, header

            if header(line.rstrip(b"\r")) or (len(cells) == len(PLAIN) and len(fields) < 5):
                return "tsv"
        if len(fields) == 4 and number(fields[1]) is not None and number(fields[2]) is not None:
            return "mississippi"
        return timed_lines(fields)
    return None


def _is_textgrid(start: bytes) -> bool:
    signed = (b"ooTextFile", b"Praat chronological", b"o\0o\0T\0e\0x\0t", b"P\0r\0a\0a\0t\0 \0c\0h\0r")
    return start.startswith(b"ooBinaryFile") or any(mark in start[:200] for mark in signed)


def _kind_of_json(data: bytes) -> str | None:
    """An object per line is ours; else it is told by the names in the only one."""
    from .json_words import load

    line, _, rest = data.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    try:
        found = load(line)
    except InputError:
        try:
            found, rest = load(data), b""
        except InputError:
            return "jsonl" if b'"words"' in line else None
    if isinstance(found, list):
        return "whisperx" if found and isinstance(found[0], dict) and not rest.strip() else None
    words = found.get("words") if isinstance(found, dict) else None
    own = isinstance(words, list) and "id" in found  # whatever else it has
    if isinstance(found, dict) and not rest.strip() and not own:
        if "segments" in found or "word_segments" in found:
            return "whisperx"
        first = words[0] if isinstance(words, list) and words else None
        if isinstance(first, dict) and ("case" in first or "alignedWord" in first):
            return "gentle"
        if "transcript" in found and not isinstance(first, list | str):
            return "gentle"
    return "jsonl" if isinstance(found, dict) else None


def _read(data: bytes, format: str, name: str | None, on_error: str, tier: str | None) -> Utterances:
    given: Any = {"name": name, "on_error": on_error}
    if format == "textgrid":
        from .textgrid import read_textgrid

        return read_textgrid(data, tier=tier, **given)
    if format == "eaf":
        from .eaf import read_eaf

        return read_eaf(data, tier=tier, **given)
    if format == "ctm":
        from .ctm import read_ctm

        return _plain(read_ctm(data, keep_words=True, **given), on_error)
    if format == "stm":
        from .stm import read_stm

        return _plain(read_stm(data, **given), on_error)
    if format == "nxt":
        from .nxt_terminals import read_nxt

        return read_nxt(data, **given)
    if format == "mississippi":
        from .mississippi import read_mississippi

        return read_mississippi(data, **given)
    if format == "whisperx":
        from .whisperx import read_whisperx

        return read_whisperx(data, **given)
    if format == "gentle":
        from .gentle import read_gentle

        return read_gentle(data, **given)
    if format == "tsv":
        from .word_table import read_word_table

        return read_word_table(data, **given)
    from .word_lines import read_word_lines

    return read_word_lines(data, **given)


def _plain(found: Utterances, on_error: str) -> Utterances:
    """Transcripts without alternatives, null words and marks of noise."""
    faults = Faults(name=found.name, on_error=on_error)
    channels: dict[str | None, int] = {}
    for utterance in found:
        channels[utterance.file] = channels.get(utterance.file, 0) + 1
    made = []
    for utterance in found:
        transcript = utterance.transcript
        if transcript.words == (IGNORED,):
            continue  # nobody knows what was said there
        if transcript.ways is not None:
            message = "these words have alternatives, but what is spoken is only one of them"
            faults.fault("alternatives", message, line=utterance.line, action="the first of each is taken")
        places = [place for place in transcript.first_way() if transcript.words[place].casefold() not in MARKS]
        if len(places) < len(transcript.words):
            utterance = utterance.only(places)
        if found.format == "ctm":  # whose speaker is but the file, as sclite has it
            alone = channels[utterance.file] == 1
            utterance = utterance.replace(speaker=None, id=utterance.file if alone else utterance.id)
        if utterance.transcript.times is None:
            untimed = Transcript(utterance.transcript.words, times=[None] * len(places))
            utterance = utterance.replace(transcript=untimed)
        made.append(utterance)
    return Utterances(made, format=found.format, name=found.name, problems=[*found.problems, *faults.problems])
