"""A journal of finished work on disk, so that interrupted work can be resumed."""

from __future__ import annotations

import os

from ..helpers.files import locked
from ..helpers.new_files import replacing
from ..helpers.text import decode, encode
from ..values.problem import InputError, Problem
from ..values.value import Value
from .confidence import Confidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import BinaryIO

    from ..words.transcript import Transcript


class Line(Value):
    """A line of word times: the id of its utterance, and the mark of the run that wrote it, None for manual times.

    `guessed` are words with guessed pronunciations. `confidence` is None if it was not computed.

    >>> Line.read('{"id": "u1", "words": [["so", 0.1, 0.4]]}').words
    ('so',)
    >>> Line.read('{"id": "u1"}'), Line.read("(S (NN a))")
    (None, None)
    """

    text: str
    id: str | None
    mark: str | None
    guessed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    confidence: Confidence | None = None

    @classmethod
    def read(cls, text: str) -> Line | None:
        """Parse a line; None if it is no utterance."""
        from json import loads

        try:
            fields = loads(text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(fields, dict) or not isinstance(fields.get("words"), list):
            return None
        id, mark = (value if isinstance(value, str) else None for value in (fields.get("id"), fields.get("made")))
        guessed = fields.get("guessed")
        pronunciations = _pronunciations(guessed) if isinstance(guessed, dict) else ()
        return cls(text, id, mark, pronunciations, Confidence.read(fields.get("confidence")))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the utterance."""
        return self.transcript.words

    @property
    def transcript(self) -> Transcript:
        """The words of the utterance with their times."""
        from ..readers.word_lines import read_word_lines

        return read_word_lines(encode(self.text), on_error="keep")[0].transcript


def _pronunciations(guessed: dict[str, object]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Words with their pronunciations; others are left out."""
    return tuple(
        (word, tuple(phones for phones in variants if isinstance(phones, str)))
        for word, variants in guessed.items()
        if isinstance(variants, list)
    )


class Journal:
    """Lines of word times, from FILE and FILE.part.

    New lines are appended to FILE.part. `finish` replaces FILE atomically and removes FILE.part. Without a file, or if
    it is not a regular file, nothing is kept.
    """

    def __init__(self, output: str | None) -> None:
        regular = output is not None and (os.path.isfile(output) or not os.path.exists(output))
        self._output = os.path.realpath(output) if output is not None and regular else None
        self._other = None if regular else output
        self._file: BinaryIO | None = None
        #: Earlier lines by id; and all earlier lines in the order of the file.
        self.lines: dict[str, Line] = {}
        self.all: list[Line] = []

    @property
    def part(self) -> str:
        """The file with the finished work."""
        return f"{self._output}.part"

    def __enter__(self) -> Journal:
        if self._output is not None:
            self._file = locked(self.part, self._output)
            try:
                self._begin(self._file, self._output)
            except BaseException:
                self._close()
                raise
        return self

    def _begin(self, file: BinaryIO, output: str) -> None:
        self.all = _utterances(output)
        file.seek(0)
        written = file.read()
        self.all += [line for line in map(Line.read, decode(written).split("\n")) if line is not None]
        for line in self.all:
            if line.id is not None and (line.mark is None or line.id not in self.lines or self.lines[line.id].mark):
                self.lines[line.id] = line  # the last line, but manual times take precedence
        if written and not written.endswith(b"\n"):  # the run was killed while writing
            self._write(file, b"\n")

    def others(self, names: Iterable[str | None]) -> list[Line]:
        """The lines with other ids, in order: all manual ones, and the last line of each id that a run wrote.

        Manual lines that are superseded by a later one of the same id are included.
        """
        taken = set(names) - {None}
        others = []
        for line in self.all:
            last = line.id is not None and self.lines[line.id] is line
            manual = line.mark is None or line.id is None
            if (not last or line.id not in taken) if manual else (last and line.id not in taken):
                others.append(line)
        return others

    def add(self, line: str) -> None:
        """Write a line to FILE.part."""
        if self._file is not None:
            self._write(self._file, encode(line) + b"\n")

    def _write(self, file: BinaryIO, data: bytes) -> None:
        """Write without a buffer, which would try again when the file is closed."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except OSError as error:
            raise self._full(error, self.part) from None

    def _full(self, error: OSError, path: str) -> OSError:
        kept = f"finished work is kept in {self.part}; run the same command again to continue"
        return OSError(error.errno, f"{error.strerror or error}; {kept}", path)

    def finish(self, lines: Iterable[str]) -> None:
        """Replace the file by these lines."""
        if self._output is None:
            if self._other is not None:
                with replacing(self._other) as file:
                    file.writelines(encode(line) + b"\n" for line in lines)
            return
        try:
            with replacing(self._output) as file:
                file.writelines(encode(line) + b"\n" for line in lines)
        except OSError as error:
            raise self._full(error, self._output) from None
        self._close(finished=True)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._close()

    def _close(self, *, finished: bool = False) -> None:
        """Remove FILE.part if it is not needed any more, or empty."""
        file, self._file = self._file, None
        if file is None:
            return
        obsolete = finished or file.seek(0, os.SEEK_END) == 0
        if obsolete and os.name != "nt":  # while it is locked: another run could create it after that
            os.remove(self.part)
        file.close()
        if obsolete and os.name == "nt":
            os.remove(self.part)


def _utterances(path: str) -> list[Line]:
    """The lines of a file, each of which must be an utterance; an incomplete last line is ignored."""
    try:
        with open(path, "rb") as file:
            lines = decode(file.read()).split("\n")
    except FileNotFoundError:
        return []
    utterances = []
    for number, text in enumerate(lines, 1):
        line = Line.read(text.removesuffix("\r"))
        if line is not None:
            utterances.append(line)
        elif text.strip() and (number < len(lines) or not utterances):
            message = (
                "this is no line of word times, so another program wrote the file; name another file, or remove it"
            )
            raise InputError(Problem("output", message, file=path, line=number))
    return utterances
