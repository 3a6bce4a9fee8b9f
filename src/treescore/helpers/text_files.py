"""Reads text, packed or not, from files or memory; data that is not text is refused by its first bytes.

>>> import io
>>> read_text(io.BytesIO(b"(S (NN a))"), "a.mrg")
b'(S (NN a))'
>>> read_text(io.BytesIO(bytes(1000)), "zeros")
Traceback (most recent call last):
treescore.InputError: zeros: this is not text but NUL bytes; the file may be damaged: copy it or write it again
"""

from __future__ import annotations

import io

from ..values.problem import InputError, Problem
from .binary import ENOUGH, check_narrow, check_text
from .memory import VARIABLE, longest_text, longest_tree, shown_size
from .packed import ENOUGH as MARKED, packing, unpacking
from .text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, Any

    from .._core import Buffer

_PIECE = 1 << 20


def text_of(data: Buffer, name: str | None, encoding: str | None = None) -> Buffer:
    """The text in data that may be packed."""
    if packing(bytes(data[:MARKED])) is None:
        check_text(bytes(data[:ENOUGH]), name, encoding)
        return data
    return _checked(unpacking(io.BytesIO(data), name), name, encoding)


def read_text(file: Any, name: str | None, encoding: str | None = None) -> Buffer:
    """The text of an open file that may be packed or in text mode; if it is not text, only its start is read."""
    if not isinstance(file, io.IOBase):  # may only be able to read everything
        data: str | bytes = file.read()
        return text_of(encode(data) if isinstance(data, str) else data, name, encoding)
    if isinstance(file, io.TextIOBase):
        start = file.read(ENOUGH)
        check_text(encode(start), name)
        return encode(start + file.read())
    peeked = _start(file)
    if packing(peeked) is None:
        return _checked(file, name, encoding, peeked)
    return text_of(_rest(file, peeked, name), name, encoding)


def read_text_file(path: str, name: str | None = None, encoding: str | None = None) -> bytes:
    """The text of a small file."""
    with open(path, "rb", buffering=0) as file:
        return bytes(read_text(file, name or path, encoding))


def text_stream(file: IO[bytes], name: str | None) -> IO[bytes]:
    """A stream of the lines in a file that may be packed. The file must have `peek` or be in memory.

    Only the result of `peek` is checked, so that a pipe is not waited for.
    """
    stream: Any = unpacking(file, name)
    start = bytes(stream.getbuffer()[:ENOUGH] if hasattr(stream, "getbuffer") else stream.peek(ENOUGH)[:ENOUGH])
    check_text(start, name)
    check_narrow(start, name)
    return stream  # type: ignore[no-any-return]


def text_lines(stream: IO[bytes], name: str | None) -> Iterator[bytes]:
    """The lines of a stream; an error at a line that is longer than the memory budget allows."""
    most = longest_tree()
    while line := stream.readline(most + 1):
        if len(line) > most:
            message = f"this line has more than {shown_size(most)}; a larger --memory or {VARIABLE} allows more"
            raise InputError(Problem("too-large", message, file=name))
        yield line


def _checked(file: Any, name: str | None, encoding: str | None, start: bytes | None = None) -> bytes:
    """The content of a file whose `start` has been read; an error if it is not text."""
    start = _start(file) if start is None else start
    check_text(start, name, encoding)
    return _rest(file, start, name)


def _start(file: Any) -> bytes:
    """The first bytes of a file."""
    start = b""
    while len(start) < ENOUGH and (piece := file.read(ENOUGH - len(start))):
        start += piece
        if isinstance(file, io.BufferedReader) and file.isatty():  # the end has been reached; reading again would wait
            break
    return start


def _rest(file: Any, start: bytes, name: str | None) -> bytes:
    """The content of a file whose `start` has been read, in memory only once."""
    if len(start) < ENOUGH:
        return start
    return whole(file, name, start)


def whole(file: Any, name: str | None, start: bytes = b"") -> bytes:
    """`start` and the rest of a file; an error if they are longer than the memory budget allows."""
    most = longest_text()
    held = io.BytesIO()
    held.write(start)
    while piece := file.read(_PIECE):
        if held.tell() + len(piece) > most:
            message = f"this text, which must be read whole, has more than {shown_size(most)}; a larger --memory or "
            raise InputError(Problem("too-large", f"{message}{VARIABLE} allows more", file=name))
        held.write(piece)
    return held.getvalue()
