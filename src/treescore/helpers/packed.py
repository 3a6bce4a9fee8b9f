"""gzip and zstd: detected from the content, and unpacked piece by piece.

>>> import gzip
>>> unpacking(io.BytesIO(gzip.compress(b"(S (NN a))")), "a.gz").read()
b'(S (NN a))'
"""

from __future__ import annotations

import io

from ..values.problem import InputError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, NoReturn

_STARTS = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}
#: Number of bytes at the start by which packed data is detected.
ENOUGH = 4
_SUFFIXES = (".gz", ".zst")
_PIECE = 1 << 17
_PACKED = 1 << 14  # bytes that are unpacked at a time: they can grow by a factor of ten thousand


def packing(start: bytes) -> str | None:
    """The kind of packed data with these first bytes: "gzip", "zstd" or None.

    >>> packing(b"\\x1f\\x8b\\x08\\x00"), packing(b"(S (")
    ('gzip', None)
    """
    return next((kind for kind, mark in _STARTS.items() if start.startswith(mark)), None)


def unpacked_name(name: str) -> str:
    """The name that a file would have if it were not packed.

    >>> unpacked_name("a.jsonl.zst"), unpacked_name("a.jsonl")
    ('a.jsonl', 'a.jsonl')
    """
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def unpacking(file: IO[bytes], name: str | None) -> IO[bytes]:
    """A stream of the unpacked content of a file that may be packed. The file must have `peek` or be in memory.

    Damaged data is an `InputError` when it is reached.
    """
    start = file.getbuffer()[:ENOUGH] if hasattr(file, "getbuffer") else file.peek(ENOUGH)[:ENOUGH]  # type: ignore[attr-defined]
    kind = packing(bytes(start))
    return file if kind is None else _Stream(file, kind, name)  # type: ignore[return-value]


class _Stream:
    """A stream of the content of a packed file, which is `fileobj`."""

    def __init__(self, file: IO[bytes], kind: str, name: str | None) -> None:
        self.fileobj = file
        self.kind = kind
        self.name = name
        opened, errors = (_gzip if kind == "gzip" else _zstd)(file)
        self._errors: tuple[type[Exception], ...] = errors
        self._file = io.BufferedReader(opened, _PIECE)

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes; all if it is negative."""
        return self._guarded(self._file.read, size)

    def readline(self, size: int = -1) -> bytes:
        """A line with its line end."""
        return self._guarded(self._file.readline, size)

    def peek(self, size: int = 0) -> bytes:
        """Some of the next bytes, without reading past them."""
        return self._guarded(self._file.peek, size)

    def __iter__(self) -> _Stream:
        return self

    def __next__(self) -> bytes:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def _guarded(self, method: Any, size: int) -> bytes:
        try:
            return method(size)  # type: ignore[no-any-return]
        except self._errors as problem:
            self._fail(problem)
        except OSError as problem:
            if problem.errno is not None:
                raise
            self._fail(problem)

    def _fail(self, problem: Exception) -> NoReturn:
        raise InputError(Problem(self.kind, f"this {self.kind} data is damaged ({problem})", file=self.name)) from None


def _gzip(file: IO[bytes]) -> tuple[Any, tuple[type[Exception], ...]]:
    import gzip
    import zlib

    return gzip.GzipFile(fileobj=file, mode="rb"), (EOFError, zlib.error)


def _zstd(file: IO[bytes]) -> tuple[Any, tuple[type[Exception], ...]]:
    import sys

    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.ZstdFile(file, "rb"), (EOFError, zstd.ZstdError)
    from .extras import library

    zstandard = library("zstandard", "zstd", "zstd data needs")
    return _Frames(file, zstandard.ZstdDecompressor().decompressobj), (EOFError, zstandard.ZstdError)


class _Frames(io.RawIOBase):
    """A sequence of zstd frames. (The library's own stream does not notice truncated data.)"""

    def __init__(self, file: IO[bytes], decompressor: Any) -> None:
        self._file = file
        self._decompressor = decompressor
        self._frame: Any = None
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            if not self._packed:
                self._packed = self._file.read(_PACKED)
                if not self._packed:
                    if self._frame is not None:
                        raise EOFError("it is cut off")
                    return 0
            if self._frame is None:
                self._frame = self._decompressor()
            self._ready = memoryview(self._frame.decompress(self._packed))
            self._packed = b""
            if self._frame.eof:
                self._packed, self._frame = self._frame.unused_data, None
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
