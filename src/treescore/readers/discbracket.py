"""Brackets with numbered words, disco-dop's format of discontinuous trees: `(S (VP (WRB 0=why) (VB 2=go)) (PRP 1=he))`.

>>> read_discbracket(b"(S (VP (WRB 0=why) (VB 2=go)) (PRP 1=he))\\tcomment\\n", Source("a.dbr"))[0].leaves
['why', 'he', 'go']
"""

from __future__ import annotations

from .. import _core
from ..trees import Source, Treebank
from .brackets import too_large
from .graphs import treebank
from .input_formats import START


def is_discbracket(text: _core.Buffer) -> bool:
    """Do the words of the first trees have numbers?"""
    if len(text) >= START:
        start = bytes(text[:START])
        text = start[: start.rfind(b"\n(") + 1] or text
    return _core.is_discbracket(text)


def read_discbracket(
    text: _core.Buffer,
    source: Source,
    *,
    layout: str = "auto",
    on_error: str = "raise",
    progress: _core.Progress | None = None,
) -> Treebank:
    """Read brackets with numbered words; a tree without any numbers is read as a continuous tree."""
    try:
        graphs = _core.read_discbracket(text, layout == "line", progress)
    except _core.TreeTooLarge as problem:
        raise too_large(problem, source) from None
    return treebank(graphs, source, on_error, has_ids=False)
