"""Subtitles: SRT, WebVTT, and the ASS of NeMo's forced aligner.

>>> text = b"1\\n00:00:00,500 --> 00:00:02,000\\nThe kettle\\nis <i>on</i>.\\n"
>>> utterance = read_srt(text, name="a.srt")[0]
>>> utterance.id, utterance.begin, utterance.transcript.words, utterance.transcript.times
('a-001', 0.5, ('The', 'kettle', 'is', 'on.'), (None, None, None, None))
"""

from __future__ import annotations

import re
from itertools import pairwise

from ..words.utterance import Utterance, Utterances
from .json_words import clock
from .lines import Lines
from .turns import Piece, Turn, id_of_file, utterances_of, utterances_of_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .. import _core
    from ..words.transcript import Times

_TIME = r"(?:[0-9]{1,9}:)?[0-9]{1,2}:[0-9]{1,2}[,.][0-9]{1,3}"
_CUE = re.compile(rf"\s*({_TIME})\s*-->\s*({_TIME})(?:\s.*)?")
_SRT_START = re.compile(rf"(?:\s*[0-9]+[ \t]*\r?\n)?{_CUE.pattern}".encode())
_TAG = re.compile(r"<(/?)([^<>\s.]*)((?:\.[^<>\s]*)?)([^<>]*)>|\{\\[^{}]*\}")
_TIME_TAG = re.compile(rf"<({_TIME})>")
_SPEAKER = re.compile(r"\s*(?:\[{1,2}([^\[\]]+)\]{1,2}:|\(speaker ([^()]+)\))\s*")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "nbsp": "\u00a0", "lrm": "", "rlm": ""}
_ENTITY = re.compile("&(" + "|".join(_ENTITIES) + ");")
_LEAST = 0.0105  # seconds; YouTube shows a finished line for a shorter time
_NOTE = "cue times are when a line is shown, not when it is spoken"


class _Cue:
    """Text with times; `parts` are texts between time tags, with their begins."""

    def __init__(self, begin: float, end: float, lines: list[str], line: int) -> None:
        self.begin, self.end, self.lines, self.line = begin, end, lines, line
        self.speaker: str | None = None


def is_srt(text: bytes) -> bool:
    """Does the text begin with a cue?"""
    return _SRT_START.match(bytes(text[:4096]).removeprefix(b"\xef\xbb\xbf").lstrip()) is not None


def read_srt(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read cues, each as an utterance; cues of one word each are one utterance."""
    lines = Lines(data, name=name, on_error=on_error)
    return _read(lines, list(_cues(_decoded(lines), lines)), "srt")


def read_vtt(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read cues, each as an utterance; time tags in the text are times of words."""
    lines = Lines(data, name=name, on_error=on_error)
    text = _decoded(lines)
    while text and text[0].strip():  # the head
        text[0] = ""
        del text[0]
        lines.number += 1
    return _read(lines, list(_cues(text, lines, lines.number)), "vtt")


def _decoded(lines: Lines) -> list[str]:
    """The lines of the text."""
    data = lines.data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        lines.fault("encoding", "this is not UTF-8 text; save it as UTF-8", None, line=line, action="read as cp1252")
        text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _cues(text: list[str], lines: Lines, first: int = 0) -> Iterator[_Cue]:
    """The cues of a text; other blocks are passed over."""
    cue: _Cue | None = None
    is_comment = False
    for number, line in enumerate(text, first + 1):
        match = None if is_comment else _CUE.fullmatch(line)
        if match is not None:
            if cue is not None:  # no blank line between
                yield _without_number(cue)
            begin, end = clock(match[1]), clock(match[2])
            cue = _Cue(begin or 0.0, end or 0.0, [], number)
        elif not line or (cue is None and not line.strip()):  # lines of blanks belong to a cue
            if cue is not None:
                yield cue
            cue, is_comment = None, False
        elif cue is not None:
            cue.lines.append(line)
        elif line.startswith(("NOTE", "STYLE", "REGION")):
            is_comment = True
        elif "-->" in line and not is_comment:
            lines.fault("time", "this is not a cue such as 00:00:00,500 --> 00:00:02,000", None, line=number)
    if cue is not None:
        yield cue


def _without_number(cue: _Cue) -> _Cue:
    """The cue without the number of the next cue."""
    if cue.lines and cue.lines[-1].strip().isdigit():
        cue.lines.pop()
    return cue


def _read(lines: Lines, cues: list[_Cue], format: str) -> Utterances:
    file_id = id_of_file(lines.name)
    for cue in cues:
        _take_speaker(cue)
    if any(_TIME_TAG.search(line) for cue in cues for line in cue.lines):
        utterances = utterances_of(list(_tagged(cues)), file_id)
    elif _is_highlighted(cues):
        utterances = utterances_of(list(_highlighted(cues)), file_id)
    else:
        pieces = [
            Piece(text, (cue.begin, cue.end), line=cue.line, begin=cue.begin, end=cue.end, speaker=cue.speaker)
            for cue in cues
            if (text := " ".join(_plain(line) for line in cue.lines)).strip()
        ]
        utterances = utterances_of_pieces(pieces, file_id)
    return Utterances(utterances, format=format, name=lines.name, problems=lines.problems, notes=[_NOTE])


def _take_speaker(cue: _Cue) -> None:
    """Take the speaker from a voice tag, or from the begin of the text."""
    for place, line in enumerate(cue.lines):
        voice = re.search(r"<v(?:\.[^<>\s]*)?\s+([^<>]+)>", line)
        if voice is not None and cue.speaker is None:
            cue.speaker = _ENTITY.sub(lambda match: _ENTITIES[match[1]], voice[1]).strip()
        match = _SPEAKER.match(line) if place == 0 else None
        if match is not None:
            cue.speaker = (match[1] or match[2]).strip()
            cue.lines[0] = line[match.end() :]


def _plain(text: str) -> str:
    """The text without tags and ruby annotations, with characters for entities."""
    text = re.sub(r"<rt(?:\.[^<>]*)?>.*?(?:</rt>|$)", "", text)
    text = _TAG.sub("", text)
    return _ENTITY.sub(lambda match: _ENTITIES[match[1]], text)


# ---- time tags


def _tagged(cues: list[_Cue]) -> Iterator[Turn]:
    """Utterances of cues with time tags: a tag begins the next word and ends the previous one."""
    before: list[str] = []
    for cue in cues:
        has_tags = [_TIME_TAG.search(line) is not None for line in cue.lines]
        plain = [_plain(line).strip() for line in cue.lines]
        kept = [
            line
            for line, text, is_tagged in zip(cue.lines, plain, has_tags, strict=True)
            if text and (is_tagged or text not in before)
        ]
        if any(plain):
            before = [text for text in plain if text]
        if not kept or (cue.end - cue.begin < _LEAST and not any(has_tags)):
            continue
        turn = Turn(line=cue.line, begin=cue.begin, end=cue.end, speaker=cue.speaker)
        text = " ".join(kept)
        if _TIME_TAG.search(text):
            _add_tagged(turn, text, cue)
        else:
            turn.add_text(_plain(text))
        yield turn


def _add_tagged(turn: Turn, text: str, cue: _Cue) -> None:
    pieces = _TIME_TAG.split(text)  # text, time, text, …
    times = [cue.begin, *(clock(piece) or 0.0 for piece in pieces[1::2]), cue.end]
    for place, piece in enumerate(pieces[::2]):
        words = _plain(piece).split()
        when = (times[place], times[place + 1]) if len(words) == 1 else None
        for word in words:
            turn.add(word, when, line=cue.line)


# ---- highlighted words


def _is_highlighted(cues: list[_Cue]) -> bool:
    """Is there a word in <u> in most cues, whose texts are repeated?"""
    texts = [_text(cue) for cue in cues]
    marked = sum(any("<u>" in line for line in cue.lines) for cue in cues)
    return marked > 1 and 2 * marked >= len(cues) and any(a == b for a, b in pairwise(texts))


def _text(cue: _Cue) -> str:
    return " ".join(_plain(" ".join(cue.lines)).split())


def _highlighted(cues: list[_Cue]) -> Iterator[Turn]:
    """An utterance for each run of cues with the same text, whose word in <u> is spoken."""
    turn, text_before = None, None
    times: dict[int, Times] = {}
    for cue in cues:
        text = _text(cue)
        if turn is None or text != text_before or cue.speaker != turn.facts["speaker"]:
            if turn is not None and text_before:
                yield _with_times(turn, text_before, times)
            turn, times = Turn(line=cue.line, begin=cue.begin, end=cue.end, speaker=cue.speaker), {}
            text_before = text
        turn.facts["end"] = cue.end
        before, mark, _ = " ".join(cue.lines).partition("<u>")
        if mark:
            place = len(_plain(before).split())
            times[place] = (cue.begin, cue.end)
    if turn is not None and text_before:
        yield _with_times(turn, text_before, times)


def _with_times(turn: Turn, text: str, times: dict[int, Times]) -> Turn:
    for place, word in enumerate(text.split()):
        turn.add(word, times.get(place), line=turn.line)
    return turn


# ---- ASS

_DIALOGUE = re.compile(r"Dialogue:\s*[^,]*,([^,]*),([^,]*),(?:[^,]*,){6}(.*)")
_BLOCK = re.compile(r"\{\\c[^{}]*\}([^{}]*)")


def read_ass(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read the words that are in a colour of their own, as written by NeMo; otherwise cues as in SRT."""
    lines = Lines(data, name=name, on_error=on_error)
    cues = []
    for number, line in enumerate(_decoded(lines), 1):
        match = _DIALOGUE.match(line)
        if match is None:
            continue
        begin, end = clock(match[1].strip()), clock(match[2].strip())
        if begin is None or end is None:
            lines.fault("time", "this is not a time such as 0:00:01.50", None, line=number)
            continue
        cues.append(_Cue(begin, end, [match[3].replace("\\N", " ").replace("\\n", " ")], number))
    blocks = [_BLOCK.findall(cue.lines[0]) for cue in cues]
    if not any(len(texts) == 3 for texts in blocks):
        for cue in cues:
            cue.lines = [re.sub(r"\{[^{}]*\}", "", line) for line in cue.lines]
        return _read(lines, cues, "ass")
    turn = Turn()
    for cue, texts in zip(cues, blocks, strict=True):
        # A word is in the second of three colours; between words, all that was spoken is in the first.
        if len(texts) == 3 and texts[1].strip() and _is_word(cue, texts):
            turn.add(texts[1].strip(), (cue.begin, cue.end), line=cue.line)
    utterances: list[Utterance] = utterances_of([turn], id_of_file(name), numbered=False)
    return Utterances(utterances, format="ass", name=name, problems=lines.problems)


def _is_word(cue: _Cue, texts: list[str]) -> bool:
    """Does the second block have a colour of its own?"""
    colours = re.findall(r"\{\\c([^{}]*)\}", cue.lines[0])
    return len(colours) == 3 and len({*colours}) == 3
