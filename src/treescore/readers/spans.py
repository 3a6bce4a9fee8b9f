"""Brackets whose words are spans of time, the output of parsers of speech without text.

>>> import treescore
>>> bank = treescore.read("(NP (DT 0.15-0.39) 0.39-0.59) ((0.15-0.39 0.39-0.59) 0.59-0.8)")
>>> bank[0].times
[(0.15, 0.39), (0.39, 0.59)]
>>> print(bank[1])
( ( ( 0.15-0.39) ( 0.39-0.59)) ( 0.59-0.8))
"""

from __future__ import annotations

import re

from .. import _core
from .._core import SpanFault
from ..helpers.text import decode, visible
from ..trees import Source, Treebank
from ..values.problem import TreeSyntaxError
from .brackets import NO_TREE, read_text

#: Code and message of each fault.
_FAULTS = {
    SpanFault.NO_SPAN: (
        "span",
        "the word {} is not a span such as 0.15-0.39; text? choose the form brackets (--input-format brackets)",
    ),
    SpanFault.OUTSIDE: ("time", "{} does not start and end from 0 to 1e300 seconds"),
    SpanFault.NO_LENGTH: ("time", "{} ends before it starts, or has no length"),
    SpanFault.OVERLAP: (
        "overlap",
        "{} overlaps the words before it, in any order of its phrases; correct its times",
    ),
}


def read_spans(
    text: _core.Buffer,
    source: Source,
    *,
    layout: str = "auto",
    on_error: str = "raise",
    progress: _core.Progress | None = None,
    unit: float | None = None,
) -> Treebank:
    """Read bracketed text whose words are spans of time, in units of so many seconds (default: seconds)."""
    text = text if unit is None else spans_in_seconds(text, unit)
    bank = read_text(text, source, layout=layout, on_error=on_error, progress=progress)
    return with_spans(bank, on_error=on_error, progress=progress)


_FRAMES = re.compile(r"[0-9]{1,15}[-:][0-9]{1,15}")
_SPAN = re.compile(rb"(?<![^\s()])([0-9]+(?:\.[0-9]*)?)[-:]([0-9]+(?:\.[0-9]*)?)(?![^\s()])")
_MAY_BE_FRAMES = re.compile(r"[\s(]*[0-9]{1,15}[-:][0-9]{1,15}[\s()]")


def may_be_frames(text: object) -> bool:
    """Does a text in brackets begin with a span of whole numbers? This is fast.

    >>> may_be_frames("((10-30 30-70) 90-110)"), may_be_frames("(S (CD 10-30))")
    (True, False)
    """
    return isinstance(text, str) and _MAY_BE_FRAMES.match(text) is not None


def are_frames(bank: Treebank, *, labelled: bool = False) -> bool:
    """Are all words spans of whole numbers, whose unit is unknown, and all labels empty or such spans?

    Brackets may be `labelled`: then `(CD 1990-1995)` is a span, too.
    """
    if not bank.native.leaf_total():
        return False
    if not labelled and not all(not name or _FRAMES.fullmatch(name) for name in bank.names()):
        return False
    return all(map(_FRAMES.fullmatch, map(decode, _core.LeafWords(bank.native).names())))


def spans_in_seconds(text: _core.Buffer, unit: float) -> bytes:
    """The text with spans in seconds instead of units of so many seconds.

    >>> spans_in_seconds(b"((5-15 15-35) 45-55)", 0.02)
    b'((0.1-0.3 0.3-0.7) 0.9-1.1)'
    """

    def converted(match: re.Match[bytes]) -> bytes:
        return b"%r-%r" % tuple(round(float(number) * unit, 9) for number in match.groups())

    return _SPAN.sub(converted, bytes(text))


def with_spans(bank: Treebank, *, on_error: str = "raise", progress: _core.Progress | None = None) -> Treebank:
    """The same trees with times; a tree whose words cannot be placed in time becomes an empty tree and a `Problem`."""
    trees, faults = _core.place_spans(bank.native, progress)
    problems = list(bank.problems)
    for kind, tree, word in faults:
        code, message = _FAULTS[kind]
        problems.append(bank.problem(tree, code, message.format(repr(visible(decode(word)))), NO_TREE))
    if faults:
        problems.sort(key=lambda problem: problem.unit or 0)
        if on_error == "raise":
            raise TreeSyntaxError(problems[0].replace(action=None))
    source = bank.source.replace(textless=True)
    return Treebank(trees, source=source, problems=problems, blank_lines=bank.blank_lines, ids=bank.ids)
