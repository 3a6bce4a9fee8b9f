"""Bracketed text in blocks that end between trees, so that memory does not grow with the file.

>>> import io
>>> text = BlockedText(io.BytesIO(b"(S (NN a))\\n(S (NN b)\\n(S (NN c))\\n"), Source("x.mrg"))
>>> for job in text.jobs("auto", 16):
...     print(len(job().trees), job().next_line)
1 2
1 3
1 4
"""

from __future__ import annotations

import sys
from functools import partial

from .. import _core
from .._core import Break
from ..helpers.binary import ENOUGH, check_text
from ..helpers.files import count_lines
from ..helpers.memory import VARIABLE, longest_tree, shown_size
from ..helpers.packed import unpacking
from ..helpers.text_files import whole
from ..trees import Source, Treebank
from ..values.problem import InputError, Problem
from . import brackets
from .input_formats import START
from .sources import PLAIN_FORMS, form_of, source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Any

#: Rules for the end of a tree.
_RULES = {"auto": Break.UNDECIDED, "multiline": Break.NEVER, "line": Break.AT_NEWLINE}
#: Number of bytes after which an unclosed first tree has been given up (native/reader.cpp), and others have been read.
_GIVEN_UP = 1 << 25
#: Approximate ratio of the sizes of unpacked and packed text.
_PACKED = 8


def too_long(most: int, source: Source, unit: int, line: int) -> Problem:
    """The problem of a tree whose text has more than `most` bytes."""
    message = f"the text of this tree has more than {shown_size(most)}; a larger --memory or {VARIABLE} allows more"
    return Problem("too-large", message, file=source.name, line=line, column=1, unit=unit, action=brackets.NO_TREE)


class Block:
    """The trees of a block and their faults; lines are numbered as in the file, trees from the start of the block."""

    __slots__ = ("_names", "blank_lines", "faults", "next_line", "rule", "size", "too_long", "trees")

    def __init__(self, text: Any, rule: int, first_line: int, more: bool, labelless: bool = False) -> None:
        fields = _core.read_block(text, rule, first_line, more, labelless)
        self.too_long = 0  # maximum size of a tree, if its only tree is longer
        self.trees, self.faults, self.blank_lines, self.rule, self.size, self._names, self.next_line = fields

    def names(self) -> list[bytes]:
        """Labels and tags in the order in which they first occur."""
        return self.trees.names(0)[: self._names]

    def bank(self, source: Source, layout: str, before: int) -> Treebank:
        """The trees, numbered after the `before` trees of earlier blocks."""
        if self.too_long:
            problem = too_long(self.too_long, source, before + 1, self.faults[0][2])
            return Treebank(self.trees, source=source, problems=[problem], offset=before)
        problems = [
            brackets.as_problem(source, layout, code, before + tree, *place) for code, tree, *place in self.faults
        ]
        return Treebank(self.trees, source=source, problems=problems, blank_lines=self.blank_lines, offset=before)


class BlockedText:
    """A text that is read once from its start; packed text is unpacked. Use it as a context manager."""

    def __init__(self, file: IO[bytes], source: Source) -> None:
        self._packed_file = file
        self._file = unpacking(file, source.name)
        self.source = source
        self.packed_size = source.size or 0  # size on disk; 0 if unknown
        self._ahead = memoryview(b"")
        self._is_checked = False  # whether it is text
        self._has_ended = False
        self._is_own = False
        self._is_waiting = False  # for bytes

    @classmethod
    def opened(cls, path: str, name: str | None = None) -> BlockedText:
        """A file, or - for standard input."""
        if path == "-":
            if sys.stdin is None:
                raise InputError(Problem("closed", "standard input is closed"))
            return cls(_standard_input(), Source(name or "<stdin>"))
        file = open(path, "rb")  # noqa: SIM115 (closed by __exit__)
        text = cls(file, source_of(path, name, file))
        text._is_own = True
        return text

    def __enter__(self) -> BlockedText:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_own and not self._is_waiting:  # otherwise closing would wait for the writer of the pipe, too
            self._packed_file.close()

    @property
    def name(self) -> str:
        """The name for messages."""
        return self.source.name or "<text>"

    @property
    def position(self) -> int:
        """The number of bytes on disk that have been read."""
        return self._packed_file.tell() if self.packed_size else 0

    @property
    def likely_size(self) -> int:
        """The approximate size of the text; 0 if unknown."""
        if not self._is_packed:
            return self.packed_size
        return max(self.packed_size * _PACKED, self.packed_size * len(self._ahead) // max(self.position, 1))

    @property
    def _is_packed(self) -> bool:
        return self._file is not self._packed_file

    def is_larger(self, size: int, lines: int) -> bool:
        """Is there more text than this, or are there more lines? Text up to this size is read for that."""
        if self.packed_size and self.likely_size > size:
            return True
        if self.source.path and not self._is_packed:
            return self.packed_size > lines and count_lines(self.source.path) > lines
        start = self._look(size + 1)
        return len(start) > size or bytes(start).count(b"\n") > lines

    def is_plain(self, layout: str, form: str) -> bool:
        """Is this definitely text in brackets, which can be read block by block?"""
        if form not in PLAIN_FORMS:
            return False
        start = bytes(self._look(START)[:START])
        if brackets.wrong_kind(start[:4096]) is not None:
            return False
        if form != "auto":
            self.source = self.source.replace(labelless=form == "labelless")
            return True
        has_long_line = self._has_long_line(start)
        if has_long_line or form_of(start) != "brackets":
            return False
        return any(self._is_text(layout, size) for size in (START, _GIVEN_UP))

    def _has_long_line(self, start: bytes) -> bool:
        """May all trees be on one line? It must be read whole, for a fault at its end invalidates all its trees."""
        has_long_line = len(start) == START and b"\n(" not in start and len(start.rstrip()) > START // 2
        most = longest_tree()
        if has_long_line and start.lstrip().startswith(b"("):
            line = bytes(self._look(most + 1))
            if len(line) > most and b"\n" not in line[:most]:
                message = (
                    f"the first line has more than {shown_size(most)} and cannot be read in parts; write each tree on "
                    f"a line of its own (a larger --memory or {VARIABLE} allows longer lines)"
                )
                raise InputError(Problem("too-large", message, file=self.name, line=1))
        return has_long_line

    def _is_text(self, layout: str, size: int) -> bool:
        """Do the first bytes show that the words are not spans of time?"""
        start = self._look(size)[:size]
        # With so many blank lines that there are few words, those that there are decide.
        is_enough = len(start) < size or (size == _GIVEN_UP and len(bytes(start).rstrip()) < size // 2)
        trees = Block(start, _RULES[layout], 1, len(start) == size).trees
        self.source = brackets.described(self.source, trees.labels())
        return not _core.are_spans(trees) if is_enough else _core.are_surely_text(trees)

    def _look(self, size: int) -> memoryview:
        """At least the next `size` bytes, if there are so many, without reading past them."""
        if not self._is_checked:
            self._ahead = memoryview(self._next(ENOUGH))
            self._is_checked = True
            check_text(bytes(self._ahead), self.name)
        if len(self._ahead) < size:
            self._ahead = memoryview(bytes(self._ahead) + self._next(size - len(self._ahead)))
        return self._ahead

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes, all if it is negative; fewer only at the end."""
        if not self._is_checked:
            self._look(0)
        if not self._ahead:
            return self._wait(size)
        if 0 <= size <= len(self._ahead):
            ready, self._ahead = bytes(self._ahead[:size]), self._ahead[size:]
            return ready
        ready, self._ahead = bytes(self._ahead), memoryview(b"")
        return ready + self._wait(size if size < 0 else size - len(ready))

    def _after_tree(self, rule: int, line: int, rest: bytes, size: int) -> tuple[int, bytes, bool]:
        """Skip a tree that is too long: the next line, the text read from there on, and whether there is more."""
        mark = b"\n" if rule == Break.AT_NEWLINE else b"\n("
        while (end := rest.find(mark, 1)) < 0:
            line += rest.count(b"\n", 0, len(rest) - 1)
            rest = rest[-1:]
            piece = self.read(size)
            if not piece:
                return line + 1, b"", False
            rest += piece
        line += rest.count(b"\n", 0, end + 1)
        return line, rest[end + 1 :], True

    def _wait(self, size: int) -> bytes:
        self._is_waiting = True
        try:
            return self._next(size)
        finally:
            self._is_waiting = False

    def _next(self, size: int) -> bytes:
        """The next bytes of the file, which is not read again after its end: a terminal would wait for more."""
        data = b"" if self._has_ended else whole(self._file, self.name) if size < 0 else self._file.read(size)
        self._has_ended = self._has_ended or not 0 <= size <= len(data)
        return data

    def jobs(self, layout: str, size: int) -> Iterator[Callable[[], Block]]:
        """Functions that read a block each, of about `size` bytes; they may be called in parallel.

        A block with a larger tree is larger.
        """
        rule, line, rest, wanted = _RULES[layout], 1, b"", size
        more, most = True, max(longest_tree(), size)
        while more:
            if len(rest) > most:
                yield partial(_itself, _too_long(line, most))
                line, rest, more = self._after_tree(rule, line, rest, size)
                wanted = 0 if rest else size
            piece = self.read(wanted)
            more = len(piece) == wanted
            text = rest + piece
            if rule in (Break.UNDECIDED, Break.NEVER):
                block = Block(text, rule, line, more, self.source.labelless)
                is_line = block.next_line > line or not more  # otherwise it may consist of byte order marks
                rule, line, used = block.rule, block.next_line, block.size if is_line else 0
                if used:
                    yield partial(_itself, block)
            else:
                used = _core.block_size(text, rule) if more else len(text)
                if not used and more and rule == Break.AT_COLUMN_ONE:
                    # One tree at most, perhaps with many blank lines around it.
                    block = Block(text, Break.NEVER, line, more, self.source.labelless)
                    used = block.size
                    if block.next_line > line:
                        yield partial(_itself, block)
                        line = block.next_line
                    else:
                        used = 0
                elif used:
                    yield partial(Block, memoryview(text)[:used], rule, line, more, self.source.labelless)
                    line += text.count(b"\n", 0, used)
            rest = text[used:]
            wanted = max(size, 0 if used else len(text))


def _too_long(line: int, most: int) -> Block:
    """A block with a faulty tree instead of one whose text has more than `most` bytes."""
    block = Block(b"(", Break.AT_NEWLINE, line, False)
    block.too_long = most
    return block


def _standard_input() -> IO[bytes]:
    """Standard input as a separate file object: Python cannot exit while a thread waits for `sys.stdin`."""
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except OSError:  # replaced by an object in memory
        return sys.stdin.buffer


def _itself(block: Block) -> Block:
    return block
