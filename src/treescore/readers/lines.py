"""Shared by formats with a record per line: comments, positions of faults, and numbers."""

from __future__ import annotations

from ..helpers.binary import ENOUGH, check_narrow
from ..helpers.text import decode, visible
from ..values.problem import MORE, MOST_PROBLEMS, InputError, Problem, check_choice, more_problems
from .brackets import ON_ERROR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .. import _core

LEFT_OUT = "line left out"
_UNDERSCORE = ord("_")
#: First characters of blank lines and comments.
_MARKING = frozenset((b"", b" ", b"\t", b"\v", b"\f", b"\r", b";"))


class Faults:
    """The problems of a file: the first are collected, the others counted; with `on_error="raise"` they are raised."""

    def __init__(self, *, name: str | None = None, on_error: str = "raise") -> None:
        check_choice(on_error, "on_error", ON_ERROR)
        self.name = name
        self.problems: list[Problem] = []
        self._total = 0
        self._place_of_more: int | None = None
        self._keep = on_error == "keep"

    def note(self, problem: Problem) -> None:
        """Add a problem, or raise it."""
        if not self._keep:
            raise InputError(problem.replace(action=None))
        if problem.code != MORE:  # the number of others in another file
            self._total += 1
        if self._total <= MOST_PROBLEMS or problem.code == MORE:
            self.problems.append(problem)
            return
        more = more_problems(self._total - MOST_PROBLEMS, self.name)
        if self._place_of_more is None:
            self._place_of_more = len(self.problems)
            self.problems.append(more)
        else:
            self.problems[self._place_of_more] = more

    def fault(
        self, code: str, message: str, column: int | None = None, *, line: int | None = None, action: str = LEFT_OUT
    ) -> None:
        """Add a problem of this file, or raise it."""
        self.note(Problem(code, message, file=self.name, line=line, column=column, action=action))


class Lines(Faults):
    """The lines of a file, and their problems.

    >>> lines = Lines(b"a\\n;; note\\n\\nb c", name="x.trn")
    >>> [line for line in lines.records()]
    [b'a', b'b c']
    >>> lines.number, lines.column(b"b c", 1)
    (4, 3)
    """

    def __init__(self, data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> None:
        super().__init__(name=name, on_error=on_error)
        self.data = bytes(data).removeprefix(b"\xef\xbb\xbf")
        self.number = 0
        check_narrow(self.data[:ENOUGH], name)

    def records(self) -> Iterator[bytes]:
        """All lines except blank lines and comments, which begin with two semicolons."""
        for line in self.all():
            if line[:1] not in _MARKING or (line.strip() and not line.lstrip().startswith(b";;")):
                yield line

    def all(self) -> Iterator[bytes]:
        """All lines."""
        for number, line in enumerate(self.data.split(b"\n"), 1):
            self.number = number
            yield line.removesuffix(b"\r")

    def fault(
        self, code: str, message: str, column: int | None = 1, *, line: int | None = None, action: str = LEFT_OUT
    ) -> None:
        """Add a problem of the current line or another one, or raise it."""
        super().fault(code, message, column, line=line or self.number, action=action)

    @staticmethod
    def column(line: bytes, place: int) -> int:
        """The column, counted from 1, of the word with this number, counted from 0."""
        at = 0
        for number, word in enumerate(line.split(None, place + 1)[: place + 1]):
            at = line.index(word, at) if number < place else line.index(word.split(None, 1)[0], at)
            if number < place:
                at += len(word)
        return len(decode(line[:at])) + 1


def first_record(text: _core.Buffer) -> bytes:
    """The first line of a text that is neither blank nor a comment.

    >>> first_record(b"\\n;; 1996\\nf A 0.5 0.2 the\\r\\n")
    b'f A 0.5 0.2 the'
    """
    for line in bytes(text[:65536]).removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip() and not line.lstrip().startswith(b";;"):
            return line.rstrip(b"\r")
    return b""


def timed_lines(text: _core.Buffer) -> str | None:
    """The format of the first line, "ctm" or "stm", or None.

    >>> timed_lines(b"f A 0.5 0.2 the"), timed_lines(b"f A spk 0.5 1.5 the cat")
    ('ctm', 'stm')
    """
    fields = first_record(text).split()
    timed = [field == b"*" or seconds(field) is not None for field in fields[2:5]]
    if len(timed) == 3 and timed[1]:
        if timed[0] and (not timed[2] or (len(fields) < 7 and not fields[-1].startswith(b"<"))):
            return "ctm"
        if timed[2]:
            return "stm"
    return None


def seconds(text: bytes) -> float | None:
    """The time in seconds; None if the text is not a time.

    >>> seconds(b"1.25"), seconds(b"-1"), seconds(b"nan"), seconds(b"1_0")
    (1.25, None, None, None)
    """
    if not text.replace(b".", b"", 1).isdigit() or len(text) > 20:
        return None
    value = float(text)
    return value if value < 1e9 else None


def not_seconds(text: bytes) -> str:
    """The message for a text that should be a time.

    >>> not_seconds(b"x")
    'x is not a time in seconds, such as 12.5'
    """
    return f"{visible(decode(text)) or 'nothing'} is not a time in seconds, such as 12.5"


def number(text: bytes | str) -> float | None:
    """The number, even if it is not a valid time; None if the text is not a number.

    >>> number(b"-1.5e3"), number("nan"), number("1_0"), number("٣"), number("")
    (-1500.0, nan, None, None, None)
    """
    digits = decode(text) if isinstance(text, bytes) else text
    if not digits.isascii() or "_" in digits:
        return None
    try:
        return float(digits)
    except ValueError:
        return None


def numbers(first: bytes, second: bytes) -> tuple[float, float] | None:
    """Two numbers, even if they are not valid times; None if either text is not a number. This is fast.

    >>> numbers(b"0.5", b"-1"), numbers(b"0.5", b"1_0")
    ((0.5, -1.0), None)
    """
    try:
        values = float(first), float(second)
    except ValueError:
        return None
    return None if _UNDERSCORE in first or _UNDERSCORE in second else values
