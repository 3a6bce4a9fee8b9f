"""Corpora with a word or an utterance per line: TIMIT, HTK, Buckeye, LibriSpeech's alignments, Kaldi's segments.

>>> read_timit(b"2260 4070 she\\n", name="a.wrd")[0].transcript.times
((2260.0, 4070.0),)
>>> read_librispeech(b'84-1-0 ",GO,,DO," "0.5,0.9,1.25,1.5,2.0"\\n')[0].transcript.times
((0.5, 0.9), (1.25, 1.5))
>>> read_buckeye(b"a\\n#\\n  0.5 122 <SIL>; S\\n  0.75 122 so; s ow; s ow; RB\\n")[0].transcript.times
((0.5, 0.75),)
"""

from __future__ import annotations

import re

from ..helpers.files import stem
from ..helpers.text import decode
from ..values.problem import InputError, Problem
from ..words.timeline import MARKS, TIER_MARKS
from ..words.utterance import Utterances
from .json_words import limit, span
from .lines import Lines, first_record, not_seconds, number
from .turns import Turn, id_of_file, utterances_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core

_NO_WORDS = frozenset(("h#", "pau", "epi"))


def is_labels(text: _core.Buffer) -> bool:
    """Does the first line have two whole numbers and a label?"""
    fields = first_record(text).split()
    return len(fields) == 3 and fields[0].isdigit() and fields[1].isdigit() and not fields[2].isdigit()


def read_timit(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read begin, end and word on each line."""
    lines = Lines(data, name=name, on_error=on_error)
    turn = Turn()
    for line in lines.records():
        _add_label(turn, lines, line, _NO_WORDS)
    utterances = utterances_of([turn], id_of_file(name), numbered=False)
    return Utterances(utterances, format="timit", name=name, problems=lines.problems)


def _add_label(turn: Turn, lines: Lines, line: bytes, silent: frozenset[str]) -> None:
    """Add the label of a line with begin, end and label."""
    fields = line.split()
    if len(fields) < 3:
        lines.fault("fields", "a line has begin, end and word", lines.column(line, 0))
        return
    begin, end = number(fields[0]), number(fields[1])
    when = span(begin, end, "this word", lines, line=lines.number)
    if begin is None and end is None:
        lines.fault("time", not_seconds(fields[0]), lines.column(line, 0), action="word kept without a time")
    label = decode(fields[2])
    if label.casefold() not in silent:
        turn.add(label, when, line=lines.number)


def read_htk(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read the labels of each file of an mlf, or of a lab."""
    lines = Lines(data, name=name, on_error=on_error)
    turns: list[Turn] = []
    is_list = lines.data.lstrip().startswith(b"#!MLF!#")
    turn = None if is_list else Turn()
    if not is_list and not is_labels(lines.data):
        message = "this file has a text without times, as for the Montreal Forced Aligner; give the aligner's output"
        raise InputError(Problem("format", message, file=name))
    for line in lines.all():
        text = line.strip()
        if not text or text == b"#!MLF!#" or text == b"///":
            continue
        if is_list and text.startswith(b'"') and text.endswith(b'"'):
            turn = Turn(line=lines.number, id=stem(decode(text[1:-1])))
            turns.append(turn)
        elif text == b".":
            turn = None if is_list else turn
        elif turn is not None:
            _add_label(turn, lines, line, _HTK_MARKS)
        else:
            lines.fault("fields", "a label stands outside of a file; write its name in quotes before it")
    turns = turns if is_list or turn is None else [turn]
    utterances = utterances_of(turns, id_of_file(name), numbered=is_list)
    return Utterances(utterances, format="htk", name=name, problems=lines.problems)


_HTK_MARKS = frozenset(TIER_MARKS | {"!null"})
_BUCKEYE = re.compile(rb"\s*(-?[0-9.]+)\s+(-?[0-9]+)(?:\s+(.*))?")
_BUCKEYE_SPOKEN = re.compile(r"<(CUTOFF|LAUGH|EXT|HES)-([^<>]*)>", re.IGNORECASE)


def is_buckeye(text: _core.Buffer) -> bool:
    """Does a line with an end, a colour and a word follow a line that begins with #?"""
    before, mark, after = (b"\n" + bytes(text[:65536])).partition(b"\n#")
    match = _BUCKEYE.match(after.partition(b"\n")[2].lstrip(b"\r\n").partition(b"\n")[0]) if mark else None
    return match is not None and b"{" not in before and match[3] is not None


def read_buckeye(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read words with their ends; a word begins where the previous line ends."""
    lines = Lines(data, name=name, on_error=on_error)
    turn, before, in_head = Turn(), 0.0, True
    for line in lines.all():
        if in_head or not line.strip():
            in_head = in_head and not line.startswith(b"#")
            continue
        match = _BUCKEYE.fullmatch(line)
        end = None if match is None else number(match[1])
        if match is None or end is None:
            lines.fault("fields", "a line has an end, a colour and a word", None)
            continue
        words = buckeye_words(decode((match[3] or b"").partition(b";")[0].strip()))
        if words:
            turn.add(words, (before, end), line=lines.number)
        before = max(end, 0.0)  # one file of the corpus begins before 0
    utterances = utterances_of([turn], id_of_file(name), numbered=False)
    return Utterances(utterances, format="buckeye", name=name, problems=lines.problems)


def buckeye_words(label: str) -> str:
    """The words of a label of the Buckeye corpus; empty for noise.

    >>> buckeye_words("<CUTOFF-kn=know>"), buckeye_words("<LAUGH-oh_yeah>"), buckeye_words("<SIL>"), buckeye_words("so")
    ('kn-', 'oh yeah', '', 'so')
    """
    match = _BUCKEYE_SPOKEN.fullmatch(label)
    if match is None:
        return "" if label.startswith(("<", "{")) else label
    spoken = match[2].partition("=")[0]
    return f"{spoken.rstrip('-')}-" if match[1].upper() == "CUTOFF" else spoken.replace("_", " ")


_LIBRISPEECH = re.compile(rb'\s*(\S+)\s+"([^"]*)"\s+"([0-9.,\s]*)"\s*')


def is_librispeech(text: _core.Buffer) -> bool:
    """Does the first line have an id, words and ends in quotes?"""
    match = _LIBRISPEECH.fullmatch(first_record(text))
    return match is not None and match[2].count(b",") == match[3].count(b",")


def read_librispeech(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read an utterance from each line; a word begins where the previous one ends, and an empty word is silence."""
    lines = Lines(data, name=name, on_error=on_error)
    turns = []
    for line in lines.records():
        match = _LIBRISPEECH.fullmatch(line)
        words = match[2].split(b",") if match else []
        ends = [number(end.strip()) for end in match[3].split(b",")] if match else []
        if match is None or len(words) != len(ends) or None in ends:
            message = 'a line has an id, "words" and as many "ends", with commas between'
            lines.fault("fields", message, None)
            continue
        turn = Turn(line=lines.number, id=decode(match[1]), begin=0.0, end=ends[-1])
        before = 0.0
        for word, end in zip(words, ends, strict=True):
            if word.strip() and end is not None:
                turn.add(decode(word.strip()), (before, end), line=lines.number)
            before = before if end is None else end
        turns.append(turn)
    return Utterances(utterances_of(turns, None), format="librispeech", name=name, problems=lines.problems)


def read_segments(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read Kaldi's segments: utterance, recording, begin, end, and perhaps a score and words."""
    lines = Lines(data, name=name, on_error=on_error)
    turns = []
    for line in lines.records():
        fields = line.split(None, 4)
        if len(fields) < 4:
            lines.fault("fields", "a line has utterance, recording, begin and end", lines.column(line, 0))
            continue
        rest = fields[4] if len(fields) > 4 else b""
        first = rest.split(None, 1)
        if first and number(first[0]) is not None:
            rest = first[1] if len(first) > 1 else b""
        limits = {
            which: limit(decode(field), which, lines, line=lines.number)
            for which, field in zip(("begin", "end"), fields[2:4], strict=True)
        }
        turn = Turn(line=lines.number, id=decode(fields[0]), file=decode(fields[1]), **limits)
        turn.add_text(decode(rest))
        turn.words = [word for word in turn.words if word.text.strip().casefold() not in MARKS]
        turns.append(turn)
    return Utterances(utterances_of(turns, None), format="segments", name=name, problems=lines.problems)


_CLASS = re.compile(rb"Class +(\S+)(?: .*)?")


def is_classes(text: _core.Buffer) -> bool:
    """Does the first line name a class?"""
    return _CLASS.fullmatch(first_record(text).rstrip()) is not None


def read_classes(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read classes of segments, an utterance for each file; the word of a segment is the name of its class.

    >>> [it.transcript.words for it in read_classes(b"Class 0\\na 1.5 2.0\\n\\nClass 1\\na 1.0 1.5\\n")]
    [('1', '0')]
    """
    lines = Lines(data, name=name, on_error=on_error)
    segments: dict[str, list[tuple[float, float, str, int]]] = {}
    label = ""
    for line in lines.records():
        match, fields = _CLASS.fullmatch(line.rstrip()), line.split()
        if match is not None:
            label = decode(match[1])
            continue
        when = None
        if len(fields) != 3:
            lines.fault("fields", "a line has file, begin and end, or Class and a number", lines.column(line, 0))
        else:
            when = span(number(fields[1]), number(fields[2]), "this segment", lines, line=lines.number)
        if when is not None:
            segments.setdefault(decode(fields[0]), []).append((*when, label, lines.number))
    turns = []
    for file, of_file in segments.items():
        turn = Turn(line=of_file[0][3], id=file, file=file)
        for begin, end, word, at in sorted(of_file):
            turn.add(word, (begin, end), line=at)
        turns.append(turn)
    return Utterances(utterances_of(turns, None), format="classes", name=name, problems=lines.problems)


def check_no_phones(name: str | None) -> None:
    """Refuse files of phones."""
    if name is not None and name.lower().removesuffix(".gz").endswith((".phn", ".phones")):
        message = "this file has phones, not words; give the file of words (.wrd, .words), or --times-format"
        raise InputError(Problem("format", message, file=name))
