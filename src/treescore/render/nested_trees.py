"""Trees with times as JSON lines of nested lists.

>>> import treescore
>>> bank = treescore.read([["NP", [["DT", 0.15, 0.39, "the"], ["NN", 0.39, 0.8]]], "(NP (DT the) (NN dog))"])
>>> for line in jsonl_lines(bank):
...     print(line)
{"tree": ["NP", [["DT", 0.15, 0.39, "the"], ["NN", 0.39, 0.8]]]}
{"tree": "(NP (DT the) (NN dog))"}
"""

from __future__ import annotations

from functools import lru_cache
from json import JSONEncoder

from .. import _core
from ..helpers.text import decode
from ..readers.nested import is_span_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..trees import Treebank

_text = JSONEncoder(ensure_ascii=False).encode


def jsonl_lines(bank: Treebank) -> Iterator[str]:
    """Each tree as one line of JSON, without a line break; null if there are no words.

    Several trees in one sentence are joined by a phrase without a label. Phrases without words are left out. Nested
    lists have neither gaps nor words without times: such trees are written in brackets, with numbered words if one of
    them is discontinuous, and with a list of the words and times, if any.
    """
    native = bank.native
    names = [_text(name) for name in bank.names()]
    numbered = native.any_discontinuous()
    for index in range(len(bank)):
        times = native.times(index)
        if not native.leaf_count(index) or native.faulty(index):
            tree = "null"
        elif times is None or native.discontinuous(index):
            tree = _text(decode(native.brackets(index, False, numbered))) + _spoken(native.leaves(index), times)
        else:
            tree = _nested(native.nodes(index), native.leaves(index), times, names)
        yield f'{{"tree": {tree}}}' if bank.ids is None else f'{{"id": {_text(bank.ids[index])}, "tree": {tree}}}'


def _nested(
    nodes: Sequence[tuple[int, int, int, int]],
    leaves: Sequence[tuple[int, int, bytes]],
    times: Sequence[tuple[float, float]],
    names: Sequence[str],
) -> str:
    """A tree as text, leaf by leaf; the json module fails at a few thousand levels."""
    bare = [tag == _core.NO_TAG for tag, parent, _ in leaves if parent < 0]
    roots = len(bare) + sum(parent < 0 and first < end for _, parent, first, end in nodes)
    below_all = roots > 1 or any(bare)
    out = ['["", ['] if below_all else []
    current, node = -1, 0
    comma = ""
    for leaf, (tag, parent, word) in enumerate(leaves):
        while node < len(nodes) and nodes[node][2] <= leaf:
            label, above, first, end = nodes[node]
            if first < end:
                while current != above:
                    out.append("]]")
                    comma, current = ", ", nodes[current][1]
                out.append(f"{comma}[{names[label]}, [")
                comma, current = "", node
            node += 1
        while current != parent:
            out.append("]]")
            comma, current = ", ", nodes[current][1]
        start, stop = times[leaf]
        shown = "" if is_span_word(word, start, stop) else f", {_word(word)}"
        out.append(f"{comma}[{'null' if tag == _core.NO_TAG else names[tag]}, {start!r}, {stop!r}{shown}]")
        comma = ", "
    while current >= 0:
        out.append("]]")
        current = nodes[current][1]
    return "".join(out) + "]]" * below_all


def _spoken(leaves: Sequence[tuple[int, int, bytes]], times: Sequence[tuple[float, float]] | None) -> str:
    if times is None:
        return ""
    words = (f"[{_word(word)}, {start!r}, {end!r}]" for (_, _, word), (start, end) in zip(leaves, times, strict=True))
    return f', "words": [{", ".join(words)}]'


@lru_cache(1 << 16)
def _word(word: bytes) -> str:
    return _text(decode(word))
