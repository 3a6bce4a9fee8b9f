"""Which leaves of a tree nobody says aloud: traces and punctuation."""

from __future__ import annotations

from .normal import Normal

#: Tags of leaves that are never spoken.
SILENT_TAGS = frozenset(("-NONE-", ",", ".", ":", "``", "''", "-LRB-", "-RRB-"))
#: Marks that are spoken though they are punctuation for Unicode.
_SPOKEN = frozenset("%&@#§‰")


def is_silent(text: str, tag: str | None, normal: Normal) -> bool:
    """Is a leaf not spoken?

    >>> normal = Normal()
    >>> is_silent("...", "NN", normal), is_silent("*T*-1", "-NONE-", normal), is_silent("%", "NN", normal)
    (True, True, False)
    """
    if tag in SILENT_TAGS:
        return True
    if text.isascii() and text.isalnum():
        return False
    from unicodedata import category

    return not any(character in _SPOKEN or category(character)[0] in "LNMS" for character in normal.word(text))
