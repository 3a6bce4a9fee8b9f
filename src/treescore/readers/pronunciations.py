"""Dictionaries of pronunciations in the form of CMU's: a word, and its phones.

>>> read_pronunciations(b"kowalski K AH W AA L S K IY\\n;;; a comment\\nkowalski(2) K OW V AA L S K IY\\n", {"K", "AH"})
Traceback (most recent call last):
treescore.problem.InputError: 1:17: 'W' is not a phone of the acoustic model; it has AH K
>>> read_pronunciations(b"Ah  AH0\\nah(2)  K AH1  # as in Scots\\n", {"K", "AH"})
{'ah': (('AH',), ('K', 'AH'))}
"""

from __future__ import annotations

import re

from ..problem import InputError, Problem
from ..text import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from .. import _core

    Pronunciations = dict[str, tuple[tuple[str, ...], ...]]

_NUMBER = re.compile(r"\([0-9]+\)$")


def read_pronunciations(data: _core.Buffer, phones: Collection[str], *, name: str | None = None) -> Pronunciations:
    """Words in small letters with their pronunciations, which are made of these phones. Raises InputError.

    A word may have several, on lines of their own, with or without numbers: `the DH AH`, `the(2) DH IY`. Numbers for
    stress behind vowels (AH0) are taken off. `;;;` and `#` begin comments.
    """
    from .lines import Lines

    lines = Lines(data, name=name)
    found: Pronunciations = {}
    for line in lines.records():
        fields = line.partition(b"#")[0].split() if not line.startswith(b"#") else []
        if not fields:
            continue
        word = _NUMBER.sub("", decode(fields[0])).lower()
        if not word or len(fields) == 1:
            message = "there is no pronunciation; write a word and its phones: kowalski K AH W AA L S K IY"
            raise InputError(Problem("dictionary", message, file=name, line=lines.number, column=1))
        pronunciation = tuple(decode(field).upper().rstrip("0123456789") for field in fields[1:])
        for place, phone in enumerate(pronunciation, 1):
            if phone not in phones:
                message = f"{phone!r} is not a phone of the acoustic model; it has {' '.join(sorted(phones))}"
                column = lines.column(line, place)
                raise InputError(Problem("dictionary", message, file=name, line=lines.number, column=column))
        if pronunciation not in found.get(word, ()):
            found[word] = (*found.get(word, ()), pronunciation)
    return found
