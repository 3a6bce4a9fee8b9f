"""Acoustic models of CMU Sphinx for other languages than English."""

from __future__ import annotations

import os

from ..helpers.text import decode
from ..values.problem import UsageError
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

_DEFINITION = "mdef"  # the file with the phones of a model
#: The order of bytes by the first bytes of the file; other files are text.
_BINARY: dict[bytes, Literal["little", "big"]] = {b"BMDF": "little", b"FDMB": "big"}
_NUMBERS = 10  # before the names of the phones


class AcousticModel(Value):
    """The folder of a model, its phones, and a hash of its files."""

    folder: str
    phones: frozenset[str]
    mark: str


def read_acoustic_model(folder: str) -> AcousticModel:
    """Find a model in a folder or the folders in it. Raises UsageError."""
    from hashlib import blake2b

    folders = [place for place, _, files in os.walk(folder) if _DEFINITION in files and "means" in files]
    if len(folders) != 1:
        several = (
            f"has several models: {', '.join(sorted(folders))}; name one" if folders else "has no files mdef, means"
        )
        raise UsageError(
            f"{folder} {several}; a model of CMU Sphinx is a folder with mdef, means, variances and others"
        )
    digest = blake2b(digest_size=8)
    for name in sorted(os.listdir(folders[0])):
        path = os.path.join(folders[0], name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                content = file.read()
            digest.update(f"{name}:{len(content)}:".encode() + content)
            if name == _DEFINITION:
                phones = _phones(content)
    if not phones:
        raise UsageError(f"{folders[0]}/{_DEFINITION} cannot be read as the definition of a model of CMU Sphinx")
    return AcousticModel(folders[0], phones, digest.hexdigest())


def _phones(content: bytes) -> frozenset[str]:
    """The phones in the definition of a model, which is text or binary, without those of pauses and noises.

    >>> sorted(_phones(b"0.3\\n2 n_base\\nSIL - - - filler 0 0 N\\na - - - n/a 1 3 N\\na a a b n/a 1 4 N\\n"))
    ['a']
    """
    order = _BINARY.get(content[:4])
    if order is None:
        lines = [line.split() for line in decode(content).split("\n")]
        names = [fields[0] for fields in lines if fields[1:4] == ["-", "-", "-"] and fields[4:5] != ["filler"]]
    else:
        start = 12 + int.from_bytes(content[8:12], order)  # after a description of the format
        count = int.from_bytes(content[start : start + 4], order)
        names = decode(content[start + 4 * _NUMBERS :]).split("\0", count)[:count]
    return frozenset(name for name in names if name and name != "SIL" and not name.startswith("+"))
