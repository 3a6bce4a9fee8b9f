"""Brackets whose words are spans of time, the output of parsers of speech without text.

>>> import treescore
>>> bank = treescore.read("(NP (DT 0.15-0.39) 0.39-0.59) ((0.15-0.39 0.39-0.59) 0.59-0.8)")
>>> bank[0].times
[(0.15, 0.39), (0.39, 0.59)]
>>> print(bank[1])
( ( ( 0.15-0.39) ( 0.39-0.59)) ( 0.59-0.8))
"""

from __future__ import annotations

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
) -> Treebank:
    """Read bracketed text whose words are spans of time."""
    bank = read_text(text, source, layout=layout, on_error=on_error, progress=progress)
    return with_spans(bank, on_error=on_error, progress=progress)


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
    return Treebank(trees, source=bank.source, problems=problems, blank_lines=bank.blank_lines, ids=bank.ids)
