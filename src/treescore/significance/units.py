"""Sampling units larger than a sentence: documents, conversation sides, …

>>> from treescore.values.counts import Counts
>>> by_unit(Counts({"matched": [1, 2, 3]}), ["a", "b", "a"])["matched"].tolist()
[4, 2]
"""

from __future__ import annotations

import re
from itertools import pairwise

from ..helpers.text import encode, number_of, visible
from ..values.counts import Counts
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: The sentence number at the end of an id: -12, .s12, _utt_12.
_SENTENCE = re.compile(r"[-_.:#/, ]+(?:s|u|sent|sentence|utt|turn)?[-_.:#]?\d+$", re.IGNORECASE)
#: The hash of the file of unit names at the end of a unit.
_HASH = re.compile("@[0-9a-f]{8}$")


def by_unit(counts: Counts, names: Sequence[str]) -> Counts:
    """The sums of rows with equal names, in order of first occurrence."""
    groups = [group.total() for group in counts.grouped(names).values()]
    return Counts({name: [total[name] for total in groups] for name in counts.columns})


def units_of_ids(ids: Sequence[str] | None, unit: str) -> list[str]:
    """The document or conversation side of each sentence: its id without the sentence number.

    >>> units_of_ids(["GUM_news_bank-1", "GUM_news_bank-2", "sw2005.A.s3"], "document")
    ['GUM_news_bank', 'GUM_news_bank', 'sw2005.A']
    """
    options = "(--ci-units FILE, in Python units=[…])"
    advice = f"give a file with one line per sentence, the name of its {unit} {options}"
    if ids is None:
        raise UsageError(f"the sentences have no ids, so their {unit} is unknown; {advice}")
    names = [_SENTENCE.sub("", name) for name in ids]
    unnumbered = [name for name, cut in zip(ids, names, strict=True) if name == cut]
    if 0 < len(unnumbered) < len(names) or len(set(names)) == len(names) > 1:
        example = visible(unnumbered[0] if unnumbered else ids[0])
        raise UsageError(f"ids such as {example!r} do not contain the {unit} of a sentence; {advice}")
    return names


def check_units(names: Sequence[str], sentences: int) -> list[str]:
    """Raise an error unless there is one name per sentence."""
    if isinstance(names, str) or len(names) != sentences:
        given = "a string" if isinstance(names, str) else number_of(len(names), "name")
        expected = number_of(sentences, "gold sentence")
        if isinstance(names, FileNames):
            raise UsageError(f"{names.file} must have one line per sentence: it has {given} for {expected}")
        raise UsageError(f"units must be a list with one name per sentence: {given} for {expected}")
    return [str(name) for name in names]


class FileNames(list[str]):
    """Names with the file from which they were read, for error messages."""

    def __init__(self, names: Iterable[str], file: str) -> None:
        super().__init__(names)
        self.file = file


def fingerprint(names: Iterable[str]) -> str:
    """The first eight digits of the SHA-256 of a file with one name per line.

    >>> fingerprint(["one", "one", "two"])
    '2291547a'
    """
    from hashlib import sha256

    return sha256(b"".join(encode(name) + b"\n" for name in names)).hexdigest()[:8]


def in_words(unit: str) -> str:
    """A unit without the hash of its names.

    >>> in_words("document@2291547a"), in_words("sentence")
    ('document', 'sentence')
    """
    return _HASH.sub("", unit)


def units_of_blocks(names: Sequence[str], starts: Sequence[int]) -> list[str]:
    """The unit of each block of sentences, from the starts of the blocks; units in the same block are joined.

    >>> units_of_blocks(["a", "a", "b", "c"], [0, 1, 3])
    ['a', 'a', 'c']
    """
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = name = parent[parent[name]]
        return name

    for start, end in pairwise([*starts, len(names)]):
        for name in names[start:end]:
            parent[root(name)] = root(names[start])
    return [root(names[min(start, len(names) - 1)]) for start in starts]
