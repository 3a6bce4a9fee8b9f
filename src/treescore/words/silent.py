"""Leaves that are not spoken: traces and punctuation."""

from __future__ import annotations

from unicodedata import category

#: Tags of leaves that are not spoken.
SILENT_TAGS = ("-NONE-", ",", ".", ":", "``", "''", "-LRB-", "-RRB-", "-DFL-")
#: Symbols that are spoken although Unicode classifies them as punctuation.
_SPOKEN = frozenset("%&@#§‰")


def is_silent(text: str) -> bool:
    """Is a normalised word punctuation that is not spoken?

    >>> is_silent("..."), is_silent("%"), is_silent("$"), is_silent("o'clock")
    (True, False, False, False)
    """
    return not any(character in _SPOKEN or category(character)[0] in "LNMS" for character in text)
