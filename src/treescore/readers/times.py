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
from ..helpers.garbage import uncollected
from ..helpers.text import encode, number_of, visible
from ..pairing.word_reports import IGNORED
from ..values.problem import InputError, Problem, UsageError, check_choice
from ..words.timeline import MARKS, all_sound, with_shared_times
from ..words.transcript import NULL, Transcript
from ..words.units import in_seconds, seconds_of_unit, suspicious_length
from ..words.utterance import Utterance, Utterances
from .brackets import ON_ERROR
from .ctm import Streams
from .input_formats import TIMES_FORMATS, detected, named_formats, suffix_of, suffixes
from .json_words import values
from .label_lines import check_no_phones, is_labels
from .lines import Faults
from .nemo_ctm import has_units, joined_units
from .sources import is_text, open_source
from .stm import read_stm
from .textgrid import is_signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .. import _core
    from ..words.utterance import InColumns
    from .sources import Readable

_TIERED = tuple(name for name, format in TIMES_FORMATS.items() if "tier" in format.options)
_OPTION = f"(--times-format {'|'.join(TIMES_FORMATS)})"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_WHOLE_UTTERANCES, _OF_WORDS = "-trans.text", "-word.text"  # of Mississippi State University, for the same utterances
_SHOWN_KEYS = 10


def read_times(
    source: Readable | Utterances,
    *,
    format: str | None = None,
    tier: str | None = None,
    unit: str | None = None,
    interpolate: bool = False,
    on_error: str = "keep",
    name: str | None = None,
) -> Utterances:
    """Read words and their times from a path, several paths, a folder, `-`, an open file, or text.

    `format` is one of `treescore.readers.input_formats.TIMES_FORMATS`; by default it is detected from the name and the
    content. All files of a folder with a known suffix are read, in the order of their names. `tier` is the name of the
    tier with the words (TextGrid and EAF only); by default it is guessed, and `notes` names the chosen tier. Invalid
    times are corrected (see `treescore.words.timeline`) and added to `problems`; with `on_error="raise"` they are
    errors. `unit` is the unit of times, such as "ms" or "frames:0.02"; by default it is known from the format. With
    `interpolate`, the words of an utterance that has times only as a whole share its time by their characters. `name`
    is the name of the source in messages.

    >>> read_times("id\\tword\\tstart\\tend\\nu1\\tso\\t0.1\\t0.4\\n")
    <Utterances: 1 utterance from <text>>
    """
    utterances, tiered = gather_times(
        source, format=format, tier=tier, unit=unit, interpolate=interpolate, on_error=on_error, name=name
    )
    check_tier(tier, tiered)
    return utterances


def check_tier(tier: str | None, tiered: bool) -> None:
    """Refuse the name of a tier if no file has tiers."""
    if tier is not None and not tiered:
        message = f"only {', '.join(_TIERED)} have tiers, and none of the files with words is one"
        raise UsageError(f"{message}; leave out the tier {visible(tier)!r}")


def gather_times(
    source: Readable | Utterances,
    *,
    format: str | None = None,
    tier: str | None = None,
    unit: str | None = None,
    interpolate: bool = False,
    on_error: str = "keep",
    name: str | None = None,
) -> tuple[Utterances, bool]:
    """The result of `read_times`, and whether any of the files has tiers; the tier is not checked."""
    if isinstance(source, Utterances):
        return source, True  # a tier has been chosen before
    if format is not None:
        check_choice(format, "the format of word times", TIMES_FORMATS)
    check_choice(on_error, "on_error", ON_ERROR)
    gathered = _Gathered(format, tier, None if unit is None else seconds_of_unit(unit), interpolate, on_error)
    several = _sources(source, gathered)
    with uncollected():
        if several is None:
            gathered.read(source, name)
        else:
            gathered.read_all(several)
        return gathered.utterances(name), gathered.tiered


class _Gathered:
    """The utterances of all sources."""

    def __init__(
        self, format: str | None, tier: str | None, unit: float | None, interpolate: bool, on_error: str
    ) -> None:
        self.ignored: list[str] = []  # notes on ignored files
        self.tiered = False  # whether any file has tiers
        self._notes: dict[str, int] = {}  # notes with their numbers of files
        self._format, self._tier, self._on_error = format, tier, on_error
        self._unit, self._interpolate = unit, interpolate
        self._found: list[Utterance | InColumns] = []
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
        format = self._format or format_of(data, name, unit=self._unit)
        names = named_formats(TIMES_FORMATS, name)
        if self._format is None and names and format not in names and ".json" not in TIMES_FORMATS[names[-1]].suffixes:
            self._note(f"the file has the name of {names[-1]}, but the content of {format}, and is read as {format}")
        self.tiered = self.tiered or format in _TIERED
        unit = TIMES_FORMATS[format].unit
        if self._unit is not None and unit is None:
            raise UsageError(f"times of {format} state their unit; leave out the unit of times ({visible(name or '')})")
        unit = unit if self._unit is None else self._unit
        utterances = TIMES_FORMATS[format].read(
            data, name=name, on_error=self._on_error, options={"tier": self._tier, "unit": unit}
        )
        if unit == 1.0 and self._unit is None:
            _check_unit(utterances, name)
        for problem in utterances.problems:
            self._faults.note(problem)
        for note in utterances.notes:
            self._note(note)
        if self._interpolate or unit not in (None, 1.0):
            utterances = _as_objects(utterances)
        if unit not in (None, 1.0):
            scaled = [in_seconds(utterance, unit) for utterance in utterances]
            utterances = Utterances(scaled, format=format)
        corrected, problems = all_sound(utterances, file=name)
        for problem in problems:
            self._faults.note(problem)
        if self._interpolate:
            corrected = [with_shared_times(item) for item in corrected if not isinstance(item, tuple)]
        self._found += corrected
        self._files += [name] * len(corrected)
        self._formats[format] = None
        self._names.append(name)

    def _note(self, note: str) -> None:
        self._notes[note] = self._notes.get(note, 0) + 1

    def utterances(self, name: str | None) -> Utterances:
        """All utterances; repeated ids are problems."""
        seen: dict[str, str | None] = {}
        for utterance, file in zip(self._found, self._files, strict=True):
            id = utterance[0].names(utterance[1])[0] if isinstance(utterance, tuple) else utterance.id
            if id is None:
                continue
            if id in seen:
                message = f"there is another utterance {visible(id)!r}"
                message += f" in {seen[id]}" if seen[id] != file else ""
                line = utterance[0].line(utterance[1]) or None if isinstance(utterance, tuple) else utterance.line
                problem = Problem(
                    "same-id", f"{message}; ids should differ", file=file, line=line, action="both are kept"
                )
                self._faults.note(problem)
            seen.setdefault(id, file)
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
    by_suffix = [path for path in paths if suffix_of(TIMES_FORMATS, path)]
    known = _unrepeated(by_suffix)
    others = number_of(len(paths) - len(by_suffix), "file")
    if not known:
        message = (
            f"there is no file of word times in this folder ({others} of other kinds); known are names that end in "
        )
        raise InputError(Problem("empty", message + ", ".join(suffixes(TIMES_FORMATS)), file=folder))
    if len(by_suffix) < len(paths):
        gathered.ignored.append(f"{others} of other kinds in {visible(folder)} not read")
    if len(known) < len(by_suffix):
        repeated = number_of(len(by_suffix) - len(known), "file")
        gathered.ignored.append(
            f"{repeated} with tokens, segments or utterances beside words in {visible(folder)} not read"
        )
    from pathlib import Path

    return [Path(path) for path in known]


def _unrepeated(known: list[str]) -> list[str]:
    """The files with word times, each recording only once."""
    words = {path.removesuffix(_OF_WORDS) for path in known if path.endswith(_OF_WORDS)}
    known = [path for path in known if path.removesuffix(_WHOLE_UTTERANCES) not in words or path.endswith(_OF_WORDS)]
    folders = {os.path.dirname(path) for path in known}
    return [path for path in known if not _is_beside_words(path, folders)]


def _is_beside_words(path: str, folders: set[str]) -> bool:
    """Has this file of NeMo's forced aligner tokens, segments or colours of words that are read from another file?"""
    above, kind = os.path.split(os.path.dirname(path))
    whole, form = os.path.split(above)
    if kind in ("tokens", "segments") and os.path.join(above, "words") in folders:
        return True
    return form == "ass" and os.path.join(whole, "ctm", "words") in folders


def format_of(data: bytes, name: str | None = None, *, unit: float | None = None) -> str:
    """The format of a file by its content or, if that is ambiguous, by its name.

    >>> format_of(b"", "a.TextGrid"), format_of(b"f A 0.1 0.2 so"), format_of(b"sw1A-ms98-a-1 0.1 0.2 so")
    ('textgrid', 'ctm', 'mississippi')
    >>> format_of(b'File type = "ooTextFile"', "a.ctm")
    'textgrid'
    """
    named = named_formats(TIMES_FORMATS, name)
    if named and data.startswith(_UTF16) and not is_signed(data):
        return named[-1]  # its reader reads or refuses UTF-16
    check_no_phones(name)
    by_content = detected(TIMES_FORMATS, data)
    if by_content is None:
        _check_no_xml(data, named[-1] if named else None, name)
        _check_json(data, named, name)
        by_content = _of_labels(data, named, unit, name)
        named = [format for format in named if TIMES_FORMATS[format].json is None or format == "jsonl"]
    elif TIMES_FORMATS[by_content].ambiguous and by_content not in named:
        by_content = next((format for format in named if TIMES_FORMATS[format].ambiguous), by_content)
    format = by_content or (named[-1] if named else None)
    if format is None:
        message = f"the format of these word times is unknown; name it {_OPTION}"
        raise InputError(Problem("format", message, file=name))
    return format


def _of_labels(data: bytes, named: list[str], unit: float | None, name: str | None) -> str | None:
    """The format of lines with two whole numbers and a label; their unit is known only from a name or an option."""
    if not is_labels(data):
        return None
    if named:
        return next((format for format in ("timit", "htk") if format in named), None)
    if unit is not None:
        return "timit"
    message = "the unit of these times is unknown (samples, frames or 100 ns?); give it (--times-unit samples:16000)"
    raise InputError(Problem("unit", message, file=name))


def _check_json(data: bytes, named: list[str], name: str | None) -> None:
    """Refuse JSON of an unknown kind with one message, instead of one for each line."""
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start not in (b"{", b"[") or ("jsonl" in named and b'"words"' in data) or (named and start == b"["):
        return
    value = next(values(data, name=name), None)
    first = value[0] if isinstance(value, list) and value else value
    keys = ", ".join(visible(key) for key in list(first)[:_SHOWN_KEYS]) if isinstance(first, dict) else ""
    message = f"this is JSON, but of no known kind; its keys are {keys}" if keys else "this is JSON without known keys"
    raise InputError(Problem("json", f"{message}; if it has word times, name their format {_OPTION}", file=name))


def _check_unit(utterances: Utterances, name: str | None) -> None:
    """Refuse whole numbers that are too long for seconds."""
    length = suspicious_length(utterances)
    if length is not None:
        message = f"words last {length:,.0f} s: milliseconds? say --times-unit ms (or s)"
        raise InputError(Problem("unit", f"the unit is unclear: {message}", file=name))


def _check_no_xml(data: bytes, named: str | None, name: str | None) -> None:
    """Refuse XML in a file with the name of another format, because its reader's messages would be misleading."""
    is_xml = data[:4096].lstrip().startswith((b"<?xml", b"<!"))
    if is_xml and named is not None and (TIMES_FORMATS[named].ambiguous or named == "jsonl"):
        message = f"this looks like XML, not like {named}; if it has word times, name their format"
        raise InputError(Problem("format", f"{message} {_OPTION}", file=name))


def read_ctm_words(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """The spoken words of a ctm."""
    streams = Streams(data, name=name, on_error=on_error, keep_words=True)
    columns, problems = streams.columns, streams.lines.problems
    texts = columns.texts()
    if streams.alternatives or IGNORED in texts or has_units(texts):
        utterances = Utterances(streams.utterances(), format="ctm", name=name, problems=problems)
        plain = _plain(utterances, on_error)
        return Utterances(joined_units(list(plain)), format="ctm", name=name, problems=plain.problems)
    columns.keep_only(bytes(text != NULL and text.casefold() not in MARKS for text in texts), b"\1" * len(columns))
    names = [columns.names(number) for number in range(len(columns))]
    channels = _channels(file for _, _, file, _ in names)
    for number, (id, _, file, _) in enumerate(names):  # the speaker is only the name of the file
        columns.set_names(number, file if channels[file] == 1 else id, None)
    items = [(columns, number) for number in range(len(columns))]
    return Utterances(items, format="ctm", name=name, problems=problems)


def read_stm_words(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """The spoken words of an stm."""
    return _plain(read_stm(data, name=name, on_error=on_error), on_error)


def _as_objects(utterances: Utterances) -> Utterances:
    """The utterances without native columns."""
    return Utterances(list(utterances), format=utterances.format)


def _channels(files: Iterable[str | None]) -> dict[str | None, int]:
    """The number of channels of each file, given the file of each utterance."""
    channels: dict[str | None, int] = {}
    for file in files:
        channels[file] = channels.get(file, 0) + 1
    return channels


def _plain(utterances: Utterances, on_error: str) -> Utterances:
    """The utterances without alternatives, null words and marks of noise."""
    faults = Faults(name=utterances.name, on_error=on_error)
    channels = _channels(utterance.file for utterance in utterances)
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
