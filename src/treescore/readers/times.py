"""Files of words with times: detects their format, and corrects invalid times.

>>> utterances = read_times("f A 0.0 0.5 the\\nf A 0.4 0.2 cat\\n")
>>> utterances[0].transcript.words, utterances[0].transcript.times
(('the', 'cat'), ((0.0, 0.4), (0.4, 0.6)))
>>> print(utterances.problems[0])
<text>:2: word 2 of f, cat, begins at 0.4, before the word before it ends at 0.5 (that one ends there)
"""

from __future__ import annotations

import os

from ..helpers.files import walked
from ..helpers.memory import uncollected
from ..helpers.text import encode, number_of, visible
from ..pairing.word_reports import IGNORED
from ..values.problem import InputError, Problem, UsageError, check_choice
from ..words.timeline import MARKS, sound
from ..words.transcript import Transcript
from ..words.utterance import Utterance, Utterances
from .brackets import ON_ERROR
from .ctm import read_ctm
from .input_formats import TIMES_FORMATS, detected, named_format, suffix_of, suffixes
from .lines import Faults
from .sources import is_text, open_source
from .stm import read_stm
from .textgrid import is_signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .. import _core
    from .sources import Readable

_TIERED = tuple(name for name, format in TIMES_FORMATS.items() if "tier" in format.options)
_OPTION = f"(--times-format {'|'.join(TIMES_FORMATS)})"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_WHOLE_UTTERANCES = "-trans.text"  # transcripts of Mississippi State University without times of words


def read_times(
    source: Readable | Utterances,
    *,
    format: str | None = None,
    tier: str | None = None,
    on_error: str = "keep",
    name: str | None = None,
) -> Utterances:
    """Read words and their times from a path, several paths, a folder, `-`, an open file, or text.

    `format` is one of `treescore.readers.input_formats.TIMES_FORMATS`; by default it is detected from the name and the
    content. All files of a folder with a known suffix are read, in the order of their names. `tier` is the name of the
    tier with the words (TextGrid and EAF only); by default it is guessed, and `notes` names the chosen tier. Invalid
    times are corrected (see `treescore.words.timeline`) and added to `problems`; with `on_error="raise"` they are
    errors. `name` is the name of the source in messages.

    >>> read_times("id\\tword\\tstart\\tend\\nu1\\tso\\t0.1\\t0.4\\n")
    <Utterances: 1 utterance from <text>>
    """
    utterances, tiered = gather_times(source, format=format, tier=tier, on_error=on_error, name=name)
    check_tier(tier, tiered)
    return utterances


def check_tier(tier: str | None, tiered: bool) -> None:
    """Refuse the name of a tier if no file has tiers."""
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
    """The result of `read_times`, and whether any of the files has tiers; the tier is not checked."""
    if isinstance(source, Utterances):
        return source, True  # a tier has been chosen before
    if format is not None:
        check_choice(format, "the format of word times", TIMES_FORMATS)
    check_choice(on_error, "on_error", ON_ERROR)
    gathered = _Gathered(format, tier, on_error)
    several = _sources(source, gathered)
    with uncollected():
        if several is None:
            gathered.read(source, name)
        else:
            gathered.read_all(several)
        return gathered.utterances(name), gathered.tiered


class _Gathered:
    """The utterances of all sources."""

    def __init__(self, format: str | None, tier: str | None, on_error: str) -> None:
        self.ignored: list[str] = []  # notes on ignored files
        self.tiered = False  # whether any file has tiers
        self._notes: dict[str, int] = {}  # notes with their numbers of files
        self._format, self._tier, self._on_error = format, tier, on_error
        self._found: list[Utterance] = []
        self._files: list[str | None] = []  # the file of each utterance
        self._faults = Faults(on_error=on_error)
        self._formats: dict[str, None] = {}
        self._names: list[str | None] = []

    def read_all(self, sources: Iterable[Readable]) -> None:
        """Read several files; a file that cannot be read is a problem, unless all are."""
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
        """Read a single source."""
        opened = open_source(_as_bytes(source), name)
        if opened is None:
            raise UsageError("word times are read from paths, from standard input, from an open file or from text")
        data, name = bytes(opened[0]), opened[1].name
        format = self._format or format_of(data, name)
        named = self._format or named_format(TIMES_FORMATS, name) or format
        if format != named:
            self._note(f"the file has the name of {named}, but the content of {format}, and is read as {format}")
        self.tiered = self.tiered or format in _TIERED
        utterances = TIMES_FORMATS[format].read(data, name=name, on_error=self._on_error, options={"tier": self._tier})
        for problem in utterances.problems:
            self._faults.note(problem)
        for note in utterances.notes:
            self._note(note)
        for utterance in utterances:
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
        """All utterances; repeated ids are problems."""
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
        files_read = len(self._names)
        counted = [
            f"{note} ({number_of(files, 'file')})" if files_read > 1 else note for note, files in self._notes.items()
        ]
        return Utterances(
            self._found,
            format="+".join(self._formats),
            name=name or (self._names[0] if files_read == 1 else f"<{number_of(files_read, 'file')}>"),
            problems=self._faults.problems,
            notes=[*counted, *self.ignored],
            is_sound=True,
            paths=self._files if files_read > 1 else None,
        )


def _as_bytes(source: Any) -> Any:
    """Text as bytes: a string that begins like JSON or XML, or has tabs, is text, not a path."""
    if not isinstance(source, str) or source == "-":
        return source
    is_content = (
        is_text(source) or source.lstrip().startswith(("{", "[", "<")) or any(mark in source for mark in "\t\r\0")
    )
    return encode(source) if is_content else source


def _sources(source: Any, gathered: _Gathered) -> list[Any] | None:
    """The files of a folder or a list; None for a single source."""
    if isinstance(source, list | tuple):
        files: list[Any] = []
        for item in source:
            inside = _sources(item, gathered)
            files += [item] if inside is None else inside
        if not files:
            raise UsageError("there are no files of word times in an empty list")
        return files
    is_path = isinstance(source, os.PathLike) or (isinstance(source, str) and isinstance(_as_bytes(source), str))
    if not is_path or not os.path.isdir(source):
        return None
    folder = os.fspath(source)
    paths = sorted(os.path.join(inner, file) for inner, files in walked(folder) for file in files)
    known = [path for path in paths if suffix_of(TIMES_FORMATS, path) and not path.endswith(_WHOLE_UTTERANCES)]
    others = number_of(len(paths) - len(known), "file")
    if not known:
        message = (
            f"there is no file of word times in this folder ({others} of other kinds); known are names that end in "
        )
        raise InputError(Problem("empty", message + ", ".join(suffixes(TIMES_FORMATS)), file=folder))
    if len(known) < len(paths):
        gathered.ignored.append(f"{others} of other kinds in {visible(folder)} not read")
    from pathlib import Path

    return [Path(path) for path in known]


def format_of(data: bytes, name: str | None = None) -> str:
    """The format of a file by its content or, if that is ambiguous, by its name.

    >>> format_of(b"", "a.TextGrid"), format_of(b"f A 0.1 0.2 so"), format_of(b"sw1A-ms98-a-1 0.1 0.2 so")
    ('textgrid', 'ctm', 'mississippi')
    >>> format_of(b'File type = "ooTextFile"', "a.ctm")
    'textgrid'
    """
    named = named_format(TIMES_FORMATS, name)
    if named is not None and data.startswith(_UTF16) and not is_signed(data):
        return named  # its reader reads or refuses UTF-16
    by_content = detected(TIMES_FORMATS, data)
    if by_content is None:
        _check_no_xml(data, named, name)
    elif named is not None and TIMES_FORMATS[by_content].ambiguous and TIMES_FORMATS[named].ambiguous:
        return named
    format = by_content or named
    if format is None:
        message = f"the format of these word times is unknown; name it {_OPTION}"
        raise InputError(Problem("format", message, file=name))
    return format


def _check_no_xml(data: bytes, named: str | None, name: str | None) -> None:
    """Refuse XML in a file with the name of another format, because its reader's messages would be misleading."""
    is_xml = data[:4096].lstrip().startswith((b"<?xml", b"<!"))
    if is_xml and named is not None and (TIMES_FORMATS[named].ambiguous or named == "jsonl"):
        message = f"this looks like XML, not like {named}; if it has word times, name their format"
        raise InputError(Problem("format", f"{message} {_OPTION}", file=name))


def read_ctm_words(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """The spoken words of a ctm."""
    return _plain(read_ctm(data, name=name, on_error=on_error, keep_words=True), on_error)


def read_stm_words(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """The spoken words of an stm."""
    return _plain(read_stm(data, name=name, on_error=on_error), on_error)


def _plain(utterances: Utterances, on_error: str) -> Utterances:
    """The utterances without alternatives, null words and marks of noise."""
    faults = Faults(name=utterances.name, on_error=on_error)
    channels: dict[str | None, int] = {}
    for utterance in utterances:
        channels[utterance.file] = channels.get(utterance.file, 0) + 1
    plain = []
    for utterance in utterances:
        transcript = utterance.transcript
        if transcript.words == (IGNORED,):
            continue  # the words of this segment are unknown
        if transcript.ways is not None:
            message = "these words have alternatives, but only one of them was spoken"
            faults.fault("alternatives", message, line=utterance.line, action="the first alternative is used")
        places = [place for place in transcript.first_way() if transcript.words[place].casefold() not in MARKS]
        if len(places) < len(transcript.words):
            utterance = utterance.only(places)
        if utterances.format == "ctm":  # in which the speaker is only the name of the file
            alone = channels[utterance.file] == 1
            utterance = utterance.replace(speaker=None, id=utterance.file if alone else utterance.id)
        if utterance.transcript.times is None:
            untimed = Transcript(utterance.transcript.words, times=[None] * len(places))
            utterance = utterance.replace(transcript=untimed)
        plain.append(utterance)
    return Utterances(
        plain, format=utterances.format, name=utterances.name, problems=[*utterances.problems, *faults.problems]
    )
