r"""Detects data that is not text by its first bytes: NUL bytes, pictures, packed files and other binary data.

>>> check_text(b"(S (NN caf\xe9))", "latin-1.mrg")
>>> check_text(bytes(1000), "empty.mrg")
Traceback (most recent call last):
treescore.InputError: empty.mrg: this is not text but NUL bytes; the file may be damaged: copy it or write it again
"""

from __future__ import annotations

from ..values.problem import InputError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

#: Number of bytes at the start that are checked.
ENOUGH = 1 << 16
#: Control characters that do not occur in text, in any encoding that keeps ASCII. BEL, BS, tabs, line ends and form
#: feeds (0x07 to 0x0d) may occur, and so may SO, SI and ESC, by which ISO 2022 changes alphabets.
_CONTROLS = bytes([*range(7), *range(0x10, 0x1B), *range(0x1C, 0x20)])
#: Minimum number and share of control characters in binary data; a few stray ones only damage single trees.
_LEAST, _SHARE = 8, 0.05

_UNPACK = "unpack it first, e.g. {} FILE (gzip and zstd are read as they are)"
_EXPORT = "write what is in it to a text file"
_COLUMNS = "its columns of trees can be scored by treescore columns"
_SAVE = "save it as plain text"
_OTHER = "name a text file instead"
#: Position of a mark, the mark, the kind of file, and advice. Marks may be words, so a control character must occur
#: as well, except for the first two.
_KINDS = (
    (0, b"%PDF-", "a PDF document", _OTHER),
    (0, b"{\\rtf", "a formatted document (RTF)", _SAVE),
    (0, b"PK\x03\x04", "a packed file (zip)", _UNPACK.format("unzip")),
    (0, b"PK\x05\x06", "an empty packed file (zip)", _OTHER),
    (0, b"7z\xbc\xaf\x27\x1c", "a packed file (7z)", _UNPACK.format("7z x")),
    (0, b"Rar!\x1a\x07", "a packed file (rar)", _UNPACK.format("unrar x")),
    (4, b"1AY&SY", "a packed file (bzip2)", _UNPACK.format("bunzip2")),
    (0, b"\xfd7zXZ\x00", "a packed file (xz)", _UNPACK.format("unxz")),
    (0, b"\x5d\x00\x00", "a packed file (lzma)", _UNPACK.format("unlzma")),
    (0, b"LZIP\x01", "a packed file (lzip)", _UNPACK.format("lzip -d")),
    (0, b"\x04\x22\x4d\x18", "a packed file (lz4)", _UNPACK.format("unlz4")),
    (0, b"\x1f\x9d", "a packed file (compress)", _UNPACK.format("uncompress")),
    (257, b"ustar", "a tar archive", "unpack it first, e.g. tar -xf FILE"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document", _SAVE),
    (0, b"\x89PNG\r\n", "a picture (PNG)", _OTHER),
    (6, b"JFIF\x00", "a picture (JPEG)", _OTHER),
    (6, b"Exif\x00", "a picture (JPEG)", _OTHER),
    (0, b"GIF87a", "a picture (GIF)", _OTHER),
    (0, b"GIF89a", "a picture (GIF)", _OTHER),
    (0, b"II*\x00", "a picture (TIFF)", _OTHER),
    (0, b"MM\x00*", "a picture (TIFF)", _OTHER),
    (8, b"WAVEfmt ", "a recording (WAV)", _OTHER),
    (0, b"fLaC\x00", "a recording (FLAC)", _OTHER),
    (0, b"OggS\x00", "a recording (Ogg)", _OTHER),
    (0, b"ID3\x03", "a recording (MP3)", _OTHER),
    (0, b"ID3\x04", "a recording (MP3)", _OTHER),
    (0, b"NIST_1A\n", "a recording (SPHERE)", _OTHER),
    (0, b"ooBinaryFile", "a binary TextGrid", "save it in Praat as a text file (Save as text file...)"),
    (0, b"\x7fELF", "a program", _OTHER),
    (0, b"SQLite format 3\x00", "an SQLite database", _EXPORT),
    (0, b"PAR1\x15", "a Parquet file", _COLUMNS),
    (0, b"ARROW1\x00", "an Arrow file", _COLUMNS),
    (0, b"\x89HDF\r\n", "an HDF5 file", _EXPORT),
    (0, b"\x93NUMPY", "a NumPy array", _EXPORT),
    *((0, bytes([0x80, version]), "a Python pickle", f"{_EXPORT}, with Python") for version in range(2, 6)),
)
_UNAMBIGUOUS = tuple(mark for _, mark, _, _ in _KINDS[:2])
#: Text in the first bytes of zip files written by office programs.
_OFFICE = (b"[Content_Types].xml", b"application/vnd.oasis.opendocument")
_MARKS = (
    ("utf-32", b"\xff\xfe\x00\x00"),
    ("utf-32", b"\x00\x00\xfe\xff"),
    ("utf-16", b"\xff\xfe"),
    ("utf-16", b"\xfe\xff"),
)


def check_text(start: bytes, name: str | None, encoding: str | None = None) -> None:
    """Refuse data that is not text, by its first `ENOUGH` bytes.

    Text in an encoding with two or four bytes per character is accepted; `check_narrow` refuses it.
    """
    if not _controls(start) and not start.startswith(_UNAMBIGUOUS):
        return
    for place, mark, kind, advice in _KINDS:
        if start.startswith(mark, place):
            if kind.endswith("(zip)") and any(mark in start for mark in _OFFICE):
                kind, advice = "an office document", _SAVE
            _refuse(kind, advice, name)
    if start.count(0) == len(start):
        _refuse("NUL bytes", "the file may be damaged: copy it or write it again", name)
    encoding = encoding or wide_encoding(start)
    text = start if encoding is None else _decoded(start, encoding)
    if _is_binary(text):
        _refuse(f"binary data ({100 * _controls(text) // len(text)} % control characters)", _OTHER, name)


def wide_encoding(start: bytes) -> str | None:
    r"""The encoding of text with these first bytes if it has two or four bytes per character, else None.

    >>> [wide_encoding("(S (NN a))".encode(encoding)) for encoding in ("utf-8", "utf-16", "utf-16-le")]
    [None, 'utf-16', 'utf-16-le']
    """
    for encoding, mark in _MARKS:
        if start.startswith(mark):
            return encoding
    start = start[: len(start) // 4 * 4]
    if start.count(0) < max(_LEAST, _SHARE * len(start)):  # blanks, brackets and labels are ASCII in any language
        return None
    zeros = [start[place::4].count(0) * 4 / len(start) for place in range(4)]
    for wide, low, high in (
        ("utf-32-le", (0,), (2, 3)),
        ("utf-32-be", (3,), (0, 1)),
        ("utf-16-le", (0, 2), (1, 3)),
        ("utf-16-be", (1, 3), (0, 2)),
    ):
        if sum(zeros[place] for place in low) < 0.02 and min(zeros[place] for place in high) > 0.1:
            text = _decoded(start, wide)
            return wide if text.strip() and not _is_binary(text) else None
    return None


def check_narrow(start: bytes, name: str | None) -> None:
    """Refuse text with two or four bytes per character."""
    encoding = wide_encoding(start)
    if encoding is not None:
        shown = shown_encoding(encoding)
        message = f"this is {shown} text; convert it to UTF-8 first, e.g. iconv -f {shown} -t UTF-8"
        raise InputError(Problem("encoding", message, file=name, line=1, column=1))


def shown_encoding(encoding: str) -> str:
    """The name of an encoding in the spelling of other programs.

    >>> shown_encoding("utf-16"), shown_encoding("utf-16-le")
    ('UTF-16', 'UTF-16LE')
    """
    return encoding.upper().replace("-LE", "LE").replace("-BE", "BE")


def _refuse(kind: str, advice: str, name: str | None) -> NoReturn:
    raise InputError(Problem("binary", f"this is not text but {kind}; {advice}", file=name))


def _controls(data: bytes) -> int:
    """Number of control characters."""
    return len(data) - len(data.translate(None, _CONTROLS))


def _is_binary(data: bytes) -> bool:
    controls = _controls(data)
    return controls > 0 and (controls >= max(_LEAST, _SHARE * len(data)) or not data.translate(None, _CONTROLS).strip())


def _decoded(start: bytes, encoding: str) -> bytes:
    """The valid part of the text in UTF-8; the unchanged bytes if the encoding is unknown."""
    try:
        return start.decode(encoding, "ignore").encode("utf-8", "surrogatepass")
    except (LookupError, ValueError):  # reported when the text is decoded
        return start
