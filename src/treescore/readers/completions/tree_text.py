"""The text of one bracket tree: is it complete, what are its words, and how is it written.

>>> written("(S\\n  (NP a )\\n  ( (VP b)))"), words_of("(S (NP a) b c)")
('(S (NP a) ( (VP b)))', ['a', 'b', 'c'])
"""

from __future__ import annotations

import re

from .folding import BLANKS

#: A bracket without words: it has no brackets inside, and at most a label.
EMPTY_BRACKET = re.compile(rf"\([{BLANKS}]*(?:[^(){BLANKS}]+[{BLANKS}]*)?\)")
_TOKEN = re.compile(rf"[()]|[^(){BLANKS}]+")
#: A word of a written tree, with the blank before it.
WORD = re.compile(r" ([^() ]+)")
#: The brackets and words of a written tree; labels are left out.
BRACKET_OR_WORD = re.compile(r"[()]| [^() ]+")
_UNLABELLED = re.compile(r"\((?=\()")


def is_one_tree(text: str) -> bool:
    """Is this text, from its first bracket to its last, one tree whose brackets all have words?"""
    if not (text.startswith("(") and text.endswith(")") and text.count("(") == text.count(")")):
        return False
    depth = 0
    for part in text[:-1].split(")")[:-1]:
        depth += part.count("(") - 1
        if depth <= 0:
            return False
    return EMPTY_BRACKET.search(text) is None


def written(text: str) -> str:
    """A tree on one line, with single blanks; its brackets have words."""
    return _joined(_TOKEN.findall(text))


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
