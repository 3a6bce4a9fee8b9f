"""What nobody says aloud: traces and punctuation."""

from __future__ import annotations

from unicodedata import category

#: Tags of leaves that nobody speaks.
SILENT_TAGS = ("-NONE-", ",", ".", ":", "``", "''", "-LRB-", "-RRB-", "-DFL-")
#: Marks that are spoken though they are punctuation for Unicode.
_SPOKEN = frozenset("%&@#§‰")


def is_silent(text: str) -> bool:
    """Is a word, in its normal form, punctuation that nobody speaks?

    >>> is_silent("..."), is_silent("%"), is_silent("$"), is_silent("o'clock")
    (True, False, False, False)
    """
    return not any(character in _SPOKEN or category(character)[0] in "LNMS" for character in text)
