"""Trees with replaced leaves: words that are split, joined, or left out.

>>> import treescore
>>> trees = treescore.read("(S (NP (DT the) (NN cats)) (VP (VBP sleep)))").native
>>> builder = _core.TreeBuilder()
>>> append(builder, trees, 0, trees.names(0), [[(b"the", None)], [(b"cat", None), (b"s", None)], []])
>>> builder.trees().brackets(0, False)
b'(S (NP (DT the) (NN cat) (NN s)))'
"""

from __future__ import annotations

from array import array
from itertools import accumulate, chain

from .. import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from ..trees import Treebank

    #: The replacement of each leaf of a tree: words, with their times if known.
    Places: TypeAlias = Sequence[Sequence[tuple[bytes, tuple[float, float] | None]]]

#: The tag of traces, which are neither spoken nor printed.
TRACE = b"-NONE-"


def without_traces(bank: Treebank) -> Treebank:
    """The trees without traces, and without phrases of nothing else.

    >>> import treescore
    >>> list(without_traces(treescore.read("(S (NP (-NONE- *)) (VP (VB go)))")).lines())
    ['(S (VP (VB go)))']
    """
    return bank.with_trees(_core.without_traces(bank.native)).replacing_references(map(without_traces, bank.references))


def append(
    builder: _core.TreeBuilder,
    native: _core.Trees,
    index: int,
    names: Sequence[bytes],
    places: Places,
    *,
    tags: Sequence[Sequence[bytes | None]] | None = None,
    line: int | None = None,
) -> None:
    """Append a tree with replaced leaves, without phrases that become empty.

    A new leaf has the tag (unless `tags` are given) and the function of the leaf that it replaces. `names` are the
    names of all labels and tags of the treebank.
    """
    leaves = native.leaves(index)
    if tags is None:
        tags = [[_name(names, tag)] * len(place) for (tag, _, _), place in zip(leaves, places, strict=True)]
    kept = _kept(native, index, places)
    times = [time for place in places for _, time in place if time is not None]
    line = native.line(index) if line is None else line
    if native.discontinuous(index) or native.functions(index) is not None:
        builder.extend(_graph(native, index, names, places, tags, kept, times), line)
        return
    nodes = native.nodes(index)
    current, node = -1, 0
    for leaf in range(len(leaves) + 1):
        while node < len(nodes) and nodes[node][2] <= leaf:
            if kept[node]:
                while current != nodes[node][1]:
                    builder.close()
                    current = nodes[current][1]
                builder.open(names[nodes[node][0]])
                current = node
            node += 1
        if leaf == len(leaves) or not places[leaf]:
            continue
        while current != leaves[leaf][1]:
            builder.close()
            current = nodes[current][1]
        for (word, _), tag in zip(places[leaf], tags[leaf], strict=True):
            builder.leaf(word, tag)
    while current != -1:
        builder.close()
        current = nodes[current][1]
    if times:
        builder.set_times(times)
    builder.finish(line)


def _name(names: Sequence[bytes], number: int) -> bytes | None:
    return None if number == _core.NO_TAG else names[number]


def _kept(native: _core.Trees, index: int, places: Places) -> list[bool]:
    """Which phrases still have words; phrases without words are kept if their parents are."""
    nodes = native.nodes(index)
    before, after = [0] * len(nodes), [0] * len(nodes)
    for (_, parent, _), place in zip(native.leaves(index), places, strict=True):
        if parent >= 0:
            before[parent] += 1
            after[parent] += len(place)
    for node in range(len(nodes) - 1, -1, -1):
        parent = nodes[node][1]
        if parent >= 0:
            before[parent] += before[node]
            after[parent] += after[node]
    kept: list[bool] = []
    for node, (_, parent, _, _) in enumerate(nodes):
        kept.append((parent < 0 or kept[parent]) and (after[node] > 0 or before[node] == 0))
    return kept


def _graph(
    native: _core.Trees,
    index: int,
    names: Sequence[bytes],
    places: Places,
    tags: Sequence[Sequence[bytes | None]],
    kept: Sequence[bool],
    times: Sequence[tuple[float, float]],
) -> _core.Trees:
    """A discontinuous tree, or a tree with functions, whose phrases all have words."""
    nodes, leaves = native.nodes(index), native.leaves(index)
    functions = native.functions(index)
    phrase_functions, word_functions = functions or ([_core.NO_TAG] * len(nodes), [_core.NO_TAG] * len(leaves))
    number = [*(count - 1 for count in accumulate(map(int, kept))), -1]  # the last entry is for the parent -1
    phrases = [
        (names[label], number[parent], _name(names, function))
        for (label, parent, _, _), function, stays in zip(nodes, phrase_functions, kept, strict=True)
        if stays
    ]
    words = [
        (word, tag, number[parent], _name(names, function))
        for (_, parent, _), function, place, own in zip(leaves, word_functions, places, tags, strict=True)
        for (word, _), tag in zip(place, own, strict=True)
    ]
    builder = _core.TreeBuilder()
    builder.graph(phrases, words, 0, functions is not None)
    tree = builder.trees()
    return tree.with_times(array("d", chain.from_iterable(times))) if times else tree
