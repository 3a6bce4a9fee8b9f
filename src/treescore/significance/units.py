"""Which rows belong together: sentences of a document, or of a side of a conversation, are not drawn one by one.

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

#: The end of an id that tells the sentences of a document apart: -12, .s12, _utt_12.
_SENTENCE = re.compile(r"[-_.:#/, ]+(?:s|u|sent|sentence|utt|turn)?[-_.:#]?\d+$", re.IGNORECASE)
#: The end of a unit whose names were given.
_HASH = re.compile("@[0-9a-f]{8}$")


def by_unit(counts: Counts, names: Sequence[str]) -> Counts:
    """Rows with equal names added up, in the order in which the names come first."""
    groups = [group.total() for group in counts.grouped(names).values()]
    return Counts({name: [total[name] for total in groups] for name in counts.columns})


def units_of_ids(ids: Sequence[str] | None, unit: str) -> list[str]:
    """The document, or side, of each sentence by its id: what remains without the number of the sentence.

    >>> units_of_ids(["GUM_news_bank-1", "GUM_news_bank-2", "sw2005.A.s3"], "document")
    ['GUM_news_bank', 'GUM_news_bank', 'sw2005.A']
    """
    options = "(--units or --ci-units FILE, in Python units=[…])"
    advice = f"say it by a file with a line for each sentence, the name of its {unit} {options}"
    if ids is None:
        raise UsageError(f"the sentences have no ids, so it is unknown to which {unit} they belong; {advice}")
    names = [_SENTENCE.sub("", name) for name in ids]
    whole = [name for name, found in zip(ids, names, strict=True) if name == found]
    if 0 < len(whole) < len(names) or len(set(names)) == len(names) > 1:
        example = visible(whole[0] if whole else ids[0])
        raise UsageError(f"ids such as {example!r} do not tell which {unit} a sentence belongs to; {advice}")
    return names


def check_units(names: Sequence[str], sentences: int) -> list[str]:
    """One name for each sentence, or an error."""
    if isinstance(names, str) or len(names) != sentences:
        given = "one text" if isinstance(names, str) else number_of(len(names), "name")
        wanted = number_of(sentences, "sentence")
        if isinstance(names, NamesOfFile):
            raise UsageError(f"{names.file} must have a line for each of {wanted} of gold, and has {given}")
        raise UsageError(f"units must be a list with a name for each of {wanted}, not {given}")
    return [str(name) for name in names]


class NamesOfFile(list[str]):
    """Names that stand in a file, which errors can then name."""

    def __init__(self, names: Iterable[str], file: str) -> None:
        super().__init__(names)
        self.file = file


def fingerprint(names: Iterable[str]) -> str:
    """The hash of a file with a name in each line: eight digits of its SHA-256.

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
    """The unit of each block of sentences, told by where it starts; units that a block spans are joined.

    >>> units_of_blocks(["a", "a", "b", "c"], [0, 1, 3])
    ['a', 'a', 'c']
    """
    same = {name: name for name in names}

    def first(name: str) -> str:
        while same[name] != name:
            same[name] = name = same[same[name]]
        return name

    for start, end in pairwise([*starts, len(names)]):
        for name in names[start:end]:
            same[first(name)] = first(names[start])
    return [first(names[min(start, len(names) - 1)]) for start in starts]
