"""Text in which very long words are shortened, for messages and tables."""

from __future__ import annotations

_LONGEST, _KEPT = 1_000, 100


def brief(text: str) -> str:
    """Text in which the middle of each word of more than 1,000 characters is left out.

    >>> text = brief("the " + 900_000 * "x")
    >>> text[:8], text[104:128], len(text)
    ('the xxxx', '[… 899,800 characters …]', 228)
    """
    if len(text) <= _LONGEST:
        return text
    return " ".join(map(_shortened, text.split(" ")))


def _shortened(word: str) -> str:
    if len(word) <= _LONGEST:
        return word
    return f"{word[:_KEPT]}[… {len(word) - 2 * _KEPT:,} characters …]{word[-_KEPT:]}"
