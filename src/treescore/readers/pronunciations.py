"""Pronunciation dictionaries in CMU's format: a word, and its phones.

>>> read_pronunciations(b"kowalski K AH W AA L S K IY\\n;;; a comment\\nkowalski(2) K OW V AA L S K IY\\n", {"K", "AH"})
Traceback (most recent call last):
treescore.InputError: 1:17: 'W' is not a phone of the acoustic model; it has AH K
>>> read_pronunciations(b"Ah  AH0\\nah(2)  K AH1  # as in Scots\\nK# K AH\\n", {"K", "AH"})
{'ah': (('AH',), ('K', 'AH')), 'k#': (('K', 'AH'),)}
"""

from __future__ import annotations

import re

from ..helpers.text import decode
from ..values.problem import InputError, Problem
from ..words.normal import Normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from .. import _core

    Pronunciations = dict[str, tuple[tuple[str, ...], ...]]

_NUMBER = re.compile(r"\([0-9]+\)$")


def read_pronunciations(data: _core.Buffer, phones: Collection[str], *, name: str | None = None) -> Pronunciations:
    """Normalised words with their pronunciations, which consist of these phones; an InputError for other phones.

    A word may have several pronunciations on separate lines, with or without numbers: `the DH AH`, `the(2) DH IY`.
    Stress numbers of vowels (AH0) are removed, unless phones have such names. Lines that begin with `;;;` or `#` are
    comments, and so is text after phones, a blank and `#`, as in newer dictionaries of CMU.
    """
    from .lines import Lines

    lines = Lines(data, name=name)
    normal = Normal()
    pronunciations: Pronunciations = {}
    for line in lines.records():
        fields = line.split()
        comment = next((place for place, field in enumerate(fields) if field.startswith(b"#")), len(fields))
        if comment == 0:
            continue
        fields = fields[:comment]
        word = normal.word(_NUMBER.sub("", decode(fields[0])))
        if not word or len(fields) == 1:
            message = "there is no pronunciation; write a word and its phones: kowalski K AH W AA L S K IY"
            raise InputError(Problem("dictionary", message, file=name, line=lines.number, column=1))
        names = map(decode, fields[1:])
        pronunciation = tuple(name if name in phones else name.upper().rstrip("0123456789") for name in names)
        for place, phone in enumerate(pronunciation, 1):
            if phone not in phones:
                message = f"{phone!r} is not a phone of the acoustic model; it has {' '.join(sorted(phones))}"
                column = lines.column(line, place)
                raise InputError(Problem("dictionary", message, file=name, line=lines.number, column=column))
        if pronunciation not in pronunciations.get(word, ()):
            pronunciations[word] = (*pronunciations.get(word, ()), pronunciation)
    return pronunciations
