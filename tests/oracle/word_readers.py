"""Readers of words with times in plain Python: tables, ctm, JSON lines, TextGrid, and the correction of times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from treescore.helpers.binary import ENOUGH, check_text
from treescore.helpers.text import decode, visible
from treescore.readers.json_words import as_name, limit, load, span
from treescore.readers.lines import LEFT_OUT, Faults, Lines, not_seconds, number, numbers, seconds
from treescore.readers.tiers import Labels, choose_tiers, tier_utterances
from treescore.readers.timed_words import TimedWords
from treescore.readers.turns import id_of_file
from treescore.readers.word_table import COLUMNS, PLAIN, header
from treescore.values.problem import InputError, Problem
from treescore.words.interpolation import ROUNDING
from treescore.words.timeline import LONGEST, MARKS, NO_TIME, chronological, usable
from treescore.words.transcript import NULL, Alternatives, MarkupError, joined
from treescore.words.utterance import Utterance

Times = tuple[float, float] | None
Read = tuple[list[Utterance], list[Problem], list[str]]

_UNKNOWN = frozenset((b"", b"-", b"na", b"n/a", b"none", b"null"))
_UNSPOKEN = frozenset((b"non-lex", b"misc"))
_ALTERNATIVES: dict[bytes, Callable[[Alternatives], None]] = {
    b"<ALT_BEGIN>": Alternatives.begin,
    b"<ALT>": Alternatives.between,
    b"<ALT_END>": Alternatives.end,
}
_TOKEN = re.compile(
    r"""(?P<string>"[^"]*(?:""[^"]*)*"?)
    |(?P<number>[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?!\S)
    |(?P<flag><[^<>\s"]*>)
    |![^\n]*
    |[^\s"]+""",
    re.VERBOSE,
)
_KINDS = {"string": "a text in quotes", "number": "a number", "flag": "<exists> or <absent>"}
_TOLERANCE = 2e-6


def read_word_table(data: bytes, name: str | None, on_error: str) -> Read:
    """A table with a word on each line."""
    lines = Lines(data, name=name, on_error=on_error)
    words_of: dict[bytes, TimedWords] = {}
    facts_of: dict[bytes, dict[str, str | None]] = {}
    names: list[str] | None = None
    for line in lines.all():
        if not line or line.isspace():
            continue
        cells = line.split(b"\t")
        if names is None:
            names = header(line)
            if names is not None and len(set(names)) < len(names):
                raise InputError(Problem("fields", "two columns have the same name", file=name, line=lines.number))
            has_header, names = names is not None, names or list(PLAIN)
            word_at, start_at, end_at = (names.index(column) for column in ("word", "start", "end"))
            facts = {fact: names.index(fact) for fact in COLUMNS if fact in names and fact not in PLAIN[1:]}
            keys = [facts["id"]] if "id" in facts else list(facts.values())
            if has_header:
                continue
        if len(cells) != len(names):
            columns = f"{len(names)} columns with tabs between ({', '.join(map(visible, names))})"
            lines.fault("fields", f"a line has {columns}, not {len(cells)}")
            continue
        key = b"\t".join([cells[place] for place in keys])
        words = words_of.get(key)
        if words is None:
            words = words_of[key] = TimedWords(lines.number)
            facts_of[key] = {fact: decode(cells[place]) or None for fact, place in facts.items()}
        begin, end = cells[start_at], cells[end_at]
        when = numbers(begin, end)
        if when is None and not (begin.strip().lower() in _UNKNOWN and end.strip().lower() in _UNKNOWN):
            wrong = start_at if number(begin) is None else end_at
            column = sum(len(decode(cell)) + 1 for cell in cells[:wrong]) + 1
            lines.fault("time", not_seconds(cells[wrong]), column, action=NO_TIME)
        if word := decode(cells[word_at].strip()):
            words.add(word, when, lines.number)
    utterances = [words.utterance(**{"id": id_of_file(name), **facts_of[key]}) for key, words in words_of.items()]
    return utterances, lines.problems, []


def read_ctm_streams(data: bytes, name: str | None, on_error: str, *, keep_words: bool) -> Read:
    """All words of each file and channel of a ctm."""
    lines = Lines(data, name=name, on_error=on_error)
    streams: dict[tuple[bytes, bytes], _Stream] = {}
    for line in lines.records():
        fields = line.split()
        if len(fields) < 5:
            lines.fault("fields", "a line has file, channel, begin, duration and word", lines.column(line, 0))
            continue
        file, channel, begin, length, word = fields[:5]
        stream = streams.get((file, channel))
        if stream is None:
            stream = streams[file, channel] = _Stream(lines.number)
        if word in _ALTERNATIVES:
            try:
                if word != b"<ALT_BEGIN>" and stream.words.is_branch_empty:
                    stream.add(NULL, None, lines.number)
                _ALTERNATIVES[word](stream.words)
            except MarkupError as problem:
                lines.fault("alternatives", _in_ctm(problem), lines.column(line, 4))
            continue
        if keep_words and len(fields) > 6 and fields[6].lower() in _UNSPOKEN:
            continue
        times: tuple[float, float] | None = None
        if not (begin == length == b"*" and word == b"@"):
            when = numbers(begin, length) if keep_words else _seconds(begin, length)
            if when is not None:
                times = when[0], round(when[0] + when[1], 9)
            else:
                place = 2 if (number if keep_words else seconds)(begin) is None else 3
                action = NO_TIME if keep_words else LEFT_OUT
                lines.fault("time", not_seconds(fields[place]), lines.column(line, place), action=action)
                if not keep_words:
                    continue
        stream.add(decode(word), times, lines.number)
    utterances = []
    for (file, channel), stream in streams.items():
        utterance = _finished(stream, lines, keep_words)
        if utterance is not None:
            names = decode(file), decode(channel)
            utterances.append(utterance.replace(id="-".join(names), speaker=names[0], file=names[0], channel=names[1]))
    return utterances, lines.problems, []


def _seconds(begin: bytes, length: bytes) -> tuple[float, float] | None:
    first, second = seconds(begin), seconds(length)
    return None if first is None or second is None else (first, second)


class _Stream:
    def __init__(self, line: int) -> None:
        self.words = Alternatives()
        self.first = line
        self.lines: list[int] = []

    def add(self, word: str, times: Times, line: int) -> None:
        self.words.word(word, times)
        self.lines.append(line)


def _finished(stream: _Stream, lines: Lines, keep_words: bool) -> Utterance | None:
    try:
        transcript = stream.words.transcript(timed=True)
    except MarkupError as problem:
        lines.fault("alternatives", _in_ctm(problem), line=stream.first, action="file and channel left out")
        return None
    blocks = list(transcript.blocks())
    times = [transcript.span(*block) for block in blocks]
    order = chronological(usable(times) if keep_words else times)
    if order is None:
        return Utterance(transcript, line=stream.first, lines=stream.lines)
    message = "the words of this file and channel are not in the order of time; sort them by their begin"
    lines.fault("order", message, line=stream.first, action="put in order")
    transcript = joined([transcript.part(*blocks[place]) for place in order])
    numbers_in_order = [stream.lines[word] for place in order for word in range(*blocks[place])]
    return Utterance(transcript, line=stream.first, lines=numbers_in_order)


def _in_ctm(problem: MarkupError) -> str:
    return str(problem).replace("{ a / b }", "<ALT_BEGIN>, <ALT>, <ALT_END>")


def read_ctm(data: bytes, name: str | None, on_error: str) -> Read:
    """The spoken words of a ctm without tokens of NeMo's aligner."""
    utterances, problems, _ = read_ctm_streams(data, name, on_error, keep_words=True)
    faults = Faults(name=name, on_error=on_error)
    files = [utterance.file for utterance in utterances]
    plain = []
    for utterance in utterances:
        transcript = utterance.transcript
        if transcript.words == ("IGNORE_TIME_SEGMENT_IN_SCORING",):
            continue
        if transcript.ways is not None:
            message = "these words have alternatives, but only one of them was spoken"
            faults.fault("alternatives", message, line=utterance.line, action="the first alternative is used")
        places = [place for place in transcript.first_way() if transcript.words[place].casefold() not in MARKS]
        if len(places) < len(transcript.words):
            utterance = utterance.only(places)
        id = utterance.file if files.count(utterance.file) == 1 else utterance.id
        plain.append(utterance.replace(speaker=None, id=id))
    return plain, [*problems, *faults.problems], []


def read_word_lines(data: bytes, name: str | None, on_error: str) -> Read:
    """JSON lines."""
    lines = Lines(data, name=name, on_error=on_error)
    utterances = []
    for line in lines.all():
        if not line or line.isspace():
            continue
        try:
            record = load(line, name=name, line=lines.number)
        except InputError as error:
            lines.note(error.problem.replace(action=LEFT_OUT))
            continue
        if isinstance(record, dict) and "tree" in record and "words" not in record:
            record["words"] = []
        if not isinstance(record, dict) or not isinstance(record.get("words"), list):
            example = '{"id": "u1", "words": [["so", 0.1, 0.4]]}'
            lines.fault("json", f"a line is an object with words, such as {example}")
            continue
        words = TimedWords(lines.number)
        for count, item in enumerate(record["words"], 1):
            _add(words, item, f"word {count}", lines)
        limits = {fact: limit(record.get(fact), fact, lines, line=lines.number) for fact in ("begin", "end")}
        facts = {fact: as_name(record.get(fact)) for fact in ("id", "speaker", "file", "channel")}
        utterances.append(words.utterance(**facts, **limits))
    return utterances, lines.problems, []


def _add(words: TimedWords, item: object, where: str, lines: Lines) -> None:
    start: object = None
    end: object = None
    if isinstance(item, list) and len(item) == 3:
        word, start, end = item
    elif isinstance(item, dict):
        word, start, end = item.get("word", item.get("text")), item.get("start"), item.get("end")
    elif isinstance(item, str):
        word = item
    else:
        lines.fault("word", f"{where} should be a list [word, start, end]", None, action="left out")
        return
    if not isinstance(word, str):
        lines.fault("word", f"there is no word in {where}", None, action="left out")
        return
    when = span(start, end, where, lines, line=lines.number)
    if word.strip():
        words.add(word, when, lines.number)


def read_textgrid(data: bytes, name: str | None, on_error: str) -> Read:
    """The tiers of words of a TextGrid."""
    faults = Faults(name=name, on_error=on_error)
    grid = _Grid(_text(data, faults), faults)
    grid.read()
    tiers = [it for it in grid.tiers if it.kind == "IntervalTier"]
    points = [it.name for it in grid.tiers if it.kind == "TextTier"]
    chosen, guesses = choose_tiers([it.name for it in tiers], None, points=points, file=name)
    labels = [(tiers[place].name, speaker, Labels(tiers[place].items)) for place, speaker in chosen]
    utterances, notes = tier_utterances(
        labels, id_of_file(name), named_after_speakers=True, begin=grid.begin, end=grid.end
    )
    return [it for it in utterances if isinstance(it, Utterance)], faults.problems, [*guesses, *notes]


def _text(data: bytes, faults: Faults) -> str:
    check_text(data[:ENOUGH], faults.name)
    encoding = "utf-8-sig"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in data[:4]:
        encoding = "utf-16-be" if data[:1] == b"\0" else "utf-16-le"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        if encoding != "utf-8-sig":
            message = f"this is not valid UTF-16 text (byte {problem.start + 1:,}); was the file cut short?"
            raise InputError(Problem("encoding", message, file=faults.name, line=line)) from None
        encoding = "mac-roman" if re.search(rb"[\x80-\x9f]", data) else "latin-1"
        encoding_name = {"mac-roman": "MacRoman", "latin-1": "Latin-1"}[encoding]
        message = "this is not UTF-8 text; save it as UTF-8 (in Praat: Text writing preferences)"
        faults.fault("encoding", message, line=line, action=f"read as {encoding_name}")
        text = data.decode(encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Tier:
    def __init__(self, kind: str, name: str) -> None:
        self.kind, self.name = kind, name
        self.items: list[tuple[str, Times, int | None]] = []


class _End(Exception):
    pass


class _Grid:
    def __init__(self, text: str, faults: Faults) -> None:
        self.tiers: list[_Tier] = []
        self.begin: float | None = None
        self.end: float | None = None
        self._faults, self._text = faults, text
        self._tokens: Iterator[re.Match[str]] = _TOKEN.finditer(text)
        self._line, self._at = 1, 0

    def read(self) -> None:
        try:
            if self._head():
                self._chronological()
            else:
                self._by_tier()
        except _End:
            pass

    def _head(self) -> bool:
        strings = (token[0].strip('"') for token in self._tokens if token.lastgroup == "string")
        kind = next(strings, "")
        if kind == "Praat chronological TextGrid text file":
            return True
        object_class = next(strings, "")
        if not kind.startswith("ooTextFile") or not object_class.startswith("TextGrid"):
            other = f"; it is a {visible(object_class)}" if kind.startswith("ooTextFile") and object_class else ""
            message = f'this is not a TextGrid, which begins with File type = "ooTextFile" and its class{other}'
            raise InputError(Problem("format", message, file=self._faults.name, line=1))
        return False

    def _by_tier(self) -> None:
        self.begin, self.end = self._number(), self._number()
        if self._next("flag") == "<absent>":
            return
        for _ in range(self._size()):
            tier = self._tier()
            for _ in range(self._size()):
                self._item(tier)

    def _chronological(self) -> None:
        self.begin, self.end = self._number(), self._number()
        for _ in range(self._size()):
            self._tier()
        while True:
            place = self._number(last=True)
            if not (1 <= place <= len(self.tiers) and place.is_integer()):
                raise self._broken(f"there is no tier {place:.9g}; there are {len(self.tiers)}")
            self._item(self.tiers[int(place) - 1])

    def _tier(self) -> _Tier:
        kind = self._next("string")
        if kind not in ("IntervalTier", "TextTier"):
            raise self._broken(f"a tier is an IntervalTier or a TextTier, not {visible(kind)!r}")
        tier = _Tier(kind, self._next("string"))
        self._number()
        self._number()
        self.tiers.append(tier)
        return tier

    def _item(self, tier: _Tier) -> None:
        begin = self._number()
        end = self._number() if tier.kind == "IntervalTier" else begin
        label = self._next("string")
        if tier.kind == "IntervalTier":
            tier.items.append((label, (begin, end), self._line))

    def _size(self) -> int:
        size = self._number()
        if not (0 <= size < LONGEST and size.is_integer()):
            raise self._broken(f"{size:.9g} cannot be the number of tiers or labels")
        return int(size)

    def _number(self, *, last: bool = False) -> float:
        return float(self._next("number", last=last))

    def _next(self, wanted: str, *, last: bool = False) -> str:
        for token in self._tokens:
            kind, text = token.lastgroup, token[0]
            if kind is None:
                continue
            start = token.start()
            self._line += self._text.count("\n", self._at, start)
            self._at = start
            if kind != wanted:
                raise self._broken(f"{_KINDS[wanted]} is expected here, not {_KINDS[kind]}, {visible(text[:40])}")
            if kind == "string":
                if text.count('"') % 2:
                    raise self._broken("this text in quotes is never closed")
                return text[1:-1].replace('""', '"')
            return text
        if last:
            raise _End
        self._line += self._text.count("\n", self._at)
        self._at = len(self._text)
        raise self._broken(f"the file ends where {_KINDS[wanted]} is expected; was it cut short?")

    def _broken(self, message: str) -> _End:
        column = self._at - self._text.rfind("\n", 0, self._at)
        self._faults.fault("broken", message, column, line=self._line, action="only what comes before is read")
        return _End()


def corrected(utterance: Utterance, file: str | None) -> tuple[Utterance, list[Problem]]:
    """The utterance with increasing times, and the problems."""
    problems: list[Problem] = []
    name = "" if utterance.id is None else f" of {visible(utterance.id)}"

    def fault(code: str, index: int, message: str, action: str = NO_TIME) -> None:
        line = utterance.lines[index] if utterance.lines is not None else utterance.line
        message = f"word {index + 1}{name}, {visible(utterance.transcript.words[index])}, {message}"
        problems.append(Problem(code, message, file=file, line=line, action=action))

    original = utterance.transcript.times or ()
    times = list(original)
    last, last_start, last_end = -1, -1.0, 0.0
    for index, time in enumerate(original):
        if time is None:
            continue
        start, end = time
        if not 0 <= start < end < LONGEST:
            times[index] = None
            fault("time", index, _odd(start, end))
            continue
        if start < last_end:
            if start <= last_start:
                times[index] = None
                fault("order", index, f"begins at {start:.9g}, not after the word before it at {last_start:.9g}")
                continue
            times[last] = last_start, start
            if round(last_end - start, 9) > _TOLERANCE:
                message = f"begins at {start:.9g}, before the word before it ends at {last_end:.9g}"
                fault("overlap", index, message, "that one ends there")
        last, last_start, last_end = index, start, end
    begin, end_of_all = _limits(utterance, file, problems)
    transcript = utterance.transcript.replace(times=times)
    return utterance.replace(transcript=transcript, begin=begin, end=end_of_all), problems


def _odd(start: float, end: float) -> str:
    span_of_word = f"({start:.9g} to {end:.9g})"
    if start != start or end != end or max(abs(start), abs(end)) >= LONGEST:
        return f"has a time that is no number of seconds below {LONGEST:,.0f} {span_of_word}"
    if start < 0:
        return f"begins before the recording {span_of_word}"
    return f"has no length {span_of_word}" if start == end else f"ends before it begins {span_of_word}"


def _limits(utterance: Utterance, file: str | None, problems: list[Problem]) -> tuple[float | None, float | None]:
    def fault(message: str, what: str) -> None:
        whose = f"the utterance {visible(utterance.id)}" if utterance.id is not None else "the utterance"
        message, action = f"{whose} cannot {message} seconds", f"its {what} left out"
        problems.append(Problem("time", message, file=file, line=utterance.line, action=action))

    begin, end = utterance.begin, utterance.end
    if begin is not None and not 0 <= begin < LONGEST:
        fault(f"begin at {begin:.9g}", "begin is")
        begin = None
    if end is not None and not 0 <= end < LONGEST:
        fault(f"end at {end:.9g}", "end is")
        end = None
    if begin is not None and end is not None and begin > end:
        fault(f"last from {begin:.9g} to {end:.9g}", "begin and end are")
        return None, None
    return begin, end


def shared(words: list[str], start: float, end: float) -> list[Times]:
    """The common time of several words, divided by their numbers of characters."""
    total = sum(map(len, words))
    if not start < end or not total:
        return [(start, end)] * len(words)
    times: list[Times] = []
    characters, before = 0, start
    for word in words[:-1]:
        characters += len(word)
        after = start + (end - start) * characters / total
        if end - start > ROUNDING:
            after = round(after, 9)
        times.append((before, after))
        before = after
    return [*times, (before, end)]
