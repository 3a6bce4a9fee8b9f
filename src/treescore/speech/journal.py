"""What long work has finished, on disk as soon as it is: whatever ends the work, it can go on from there."""

from __future__ import annotations

import os

from ..helpers.files import locked
from ..helpers.text import decode, encode
from ..values.problem import InputError, Problem
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import BinaryIO


class Line(Value):
    """A line of word times: the name of its utterance, and the mark of the run that made it; None for times of yours.

    >>> Line.read('{"id": "u1", "words": [["so", 0.1, 0.4]]}').words
    ('so',)
    >>> Line.read('{"id": "u1"}'), Line.read("(S (NN a))")
    (None, None)
    """

    text: str
    id: str | None
    made: str | None

    @classmethod
    def read(cls, text: str) -> Line | None:
        """None if it is no utterance."""
        from json import loads

        try:
            fields = loads(text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(fields, dict) or not isinstance(fields.get("words"), list):
            return None
        id, made = (value if isinstance(value, str) else None for value in (fields.get("id"), fields.get("made")))
        return cls(text, id, made)

    @property
    def words(self) -> tuple[str, ...]:
        """What is said."""
        from ..readers.word_lines import read_word_lines

        return read_word_lines(encode(self.text), on_error="keep")[0].transcript.words


class Journal:
    """Lines of word times: those of the file, and those in FILE.part beside it.

    New lines go to FILE.part as they come. `finish` puts FILE in place, whole or not at all, and removes FILE.part.
    Without a file, or where it is no ordinary one, nothing is kept.
    """

    def __init__(self, output: str | None) -> None:
        ordinary = output is not None and (os.path.isfile(output) or not os.path.exists(output))
        self._output = os.path.realpath(output) if output is not None and ordinary else None
        self._other = None if ordinary else output
        self._file: BinaryIO | None = None
        #: What is known from before, by name; and all of it, in the order of the file.
        self.lines: dict[str, Line] = {}
        self.all: list[Line] = []

    @property
    def part(self) -> str:
        """The file that holds what has been finished."""
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
            if line.id is not None and (line.made is None or line.id not in self.lines or self.lines[line.id].made):
                self.lines[line.id] = line  # the last one, but times of yours before those of a run
        if written and not written.endswith(b"\n"):  # the end of a run that was killed while writing
            self._write(file, b"\n")

    def others(self, names: Iterable[str | None]) -> list[Line]:
        """The lines that have none of these names, in their order; of what runs made only the last of each name.

        Of several lines of yours for one name the last one counts; the others are among these.
        """
        taken = set(names) - {None}
        found = []
        for line in self.all:
            last = line.id is not None and self.lines[line.id] is line
            mine = line.made is None or line.id is None
            if (not last or line.id not in taken) if mine else (last and line.id not in taken):
                found.append(line)
        return found

    def add(self, line: str) -> None:
        """Keep a line, whatever happens from now on."""
        if self._file is not None:
            self._write(self._file, encode(line) + b"\n")

    def _write(self, file: BinaryIO, data: bytes) -> None:
        """All of it, without a buffer that would try again when the file is closed."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[file.write(rest) :]
        except OSError as error:
            raise self._full(error, self.part) from None

    def _full(self, error: OSError, path: str) -> OSError:
        kept = f"what is finished is kept in {self.part}, and the same command goes on from there"
        return OSError(error.errno, f"{error.strerror or error}; {kept}", path)

    def finish(self, lines: Iterable[str]) -> None:
        """Put the file in place; all lines in their order."""
        if self._output is None:
            if self._other is not None:
                try:
                    with open(self._other, "wb") as file:
                        file.writelines(encode(line) + b"\n" for line in lines)
                except OSError as error:
                    raise OSError(error.errno, error.strerror, self._other) from None
            return
        ready = f"{self._output}.new"
        try:
            with open(ready, "wb") as file:
                file.writelines(encode(line) + b"\n" for line in lines)
                file.flush()
                os.fsync(file.fileno())
            os.replace(ready, self._output)
        except OSError as error:
            if os.path.exists(ready):
                os.remove(ready)
            raise self._full(error, self._output) from None
        self._close(done=True)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._close()

    def _close(self, *, done: bool = False) -> None:
        """Take FILE.part away if it is not needed any more, or if nothing was finished."""
        file, self._file = self._file, None
        if file is None:
            return
        needless = done or file.seek(0, os.SEEK_END) == 0
        if needless and os.name != "nt":  # while it is locked: else it might be that of another run
            os.remove(self.part)
        file.close()
        if needless and os.name == "nt":
            os.remove(self.part)


def _utterances(path: str) -> list[Line]:
    """The lines of a file, each of which must be an utterance; half a line at the end is passed over."""
    try:
        with open(path, "rb") as file:
            lines = decode(file.read()).split("\n")
    except FileNotFoundError:
        return []
    found = []
    for number, text in enumerate(lines, 1):
        line = Line.read(text.removesuffix("\r"))
        if line is not None:
            found.append(line)
        elif text.strip() and (number < len(lines) or not found):
            message = (
                "this is no line of word times, so another program wrote the file; name another file, or remove it"
            )
            raise InputError(Problem("output", message, file=path, line=number))
    return found
