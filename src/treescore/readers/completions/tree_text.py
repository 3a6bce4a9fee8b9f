"""The text of one bracket tree: is it complete, what are its words, and how is it written.

>>> written("(S\\n  (NP a )\\n  ( (VP b)))"), words_of("(S (NP a) b c)")
('(S (NP a) ( (VP b)))', ['a', 'b', 'c'])
"""

from __future__ import annotations

import re
from array import array
from itertools import accumulate

from .folding import BLANKS

#: A bracket without words: it has no brackets inside, and at most a label.
EMPTY_BRACKET = re.compile(rf"\([{BLANKS}]*(?:[^(){BLANKS}]+[{BLANKS}]*)?\)")
_TOKEN = re.compile(rf"[()]|[^(){BLANKS}]+")
#: A word of a written tree, with the blank before it.
WORD = re.compile(r" ([^() ]+)")
#: The brackets and words of a written tree; labels are left out.
BRACKET_OR_WORD = re.compile(r"[()]| [^() ]+")
_WORD_BEHIND_BRACKET = re.compile(r"\)[^ )]")
_SIGNS = bytes({ord("("): 1, ord(")"): 255}.get(byte, 0) for byte in range(256))
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"()")
_UNLABELLED = re.compile(r"\((?=\()")


def depths(text: str) -> list[int]:
    """The number of open brackets behind each bracket of a text.

    >>> depths("(S (A a) b)")
    [1, 2, 1, 0]
    """
    signs = text.encode("latin-1", "replace").translate(_SIGNS, _NO_BRACKETS)
    return list(accumulate(array("b", signs)))


def is_one_tree(text: str) -> bool:
    """Is this text, from its first bracket to its last, one tree whose brackets all have words?"""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    levels = depths(text)
    return levels[-1] == 0 and levels.index(0) == len(levels) - 1 and not EMPTY_BRACKET.search(text)


def written(text: str) -> str:
    """A tree on one line, with single blanks; its brackets have words."""
    return text if _is_written(text) else _joined(_TOKEN.findall(text))


def _is_written(text: str) -> bool:
    """Has a tree single blanks, before brackets and words only? This is faster than writing it anew."""
    return (
        text.count(" (") == text.count("(") - 1
        and not any(blanks in text for blanks in ("  ", " )", "( ", "\n", "\t", "\r", "\v", "\f"))
        and not _WORD_BEHIND_BRACKET.search(text)
    )


def _joined(tokens: list[str]) -> str:
    line = " ".join(tokens).replace("( ", "(").replace(" )", ")")
    return _UNLABELLED.sub("( ", line) if "((" in line else line


def words_of(tree: str) -> list[str]:
    """The words of a tree that was `written`."""
    return WORD.findall(tree)


def without_empty_brackets(text: str) -> str | None:
    """A tree on one line without brackets that have no words.

    The text is empty if nothing is left; None if a bracket without a label would begin with a word, which would be
    read as its label.

    >>> without_empty_brackets("(S () (NP (X)) (NP a))"), without_empty_brackets("(S (NP))")
    ('(S (NP a))', '')
    >>> without_empty_brackets("(() a)")
    """
    kept: list[str] = []
    open_brackets: list[tuple[int, bool]] = []  # places in `kept`, and whether a label follows
    tokens = _TOKEN.findall(text)
    for token, following in zip(tokens, [*tokens[1:], ")"], strict=True):
        if token == "(":
            open_brackets.append((len(kept), following not in ("(", ")")))
        elif token == ")":
            begin, has_label = open_brackets.pop()
            if len(kept) == begin + 1 + has_label:
                del kept[begin:]
                continue
            if not has_label and kept[begin + 1] != "(":
                return None
        kept.append(token)
    return _joined(kept)
