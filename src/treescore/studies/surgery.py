"""Cutting and joining trees, and replacing their words, on flat lists of events.

The label of a phrase opens it, a word is a pair of word and tag, and None closes a phrase. So each operation is one
pass, however deep the tree is. Phrases that become empty are left out.

>>> import treescore
>>> tree = events(treescore.read("(TOP (S (NP (PRP we)) (VP (VBD left) (ADVP (RB early)))))"), 0)
>>> for part in split(tree, [2]):
...     print(to_treebank([part])[0])
(TOP (S (NP (PRP we)) (VP (VBD left))))
(TOP (S (VP (ADVP (RB early)))))
"""

from __future__ import annotations

from .. import _core
from ..heads.finding import category
from ..helpers.text import decode
from ..recipe import OUTER_LABELS
from ..trees import Treebank
from ..values.problem import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import TypeAlias

    #: A word and its tag.
    Word: TypeAlias = tuple[bytes, bytes | None]
    Events: TypeAlias = list[bytes | Word | None]

_OUTER = {label.encode() for label in OUTER_LABELS}


def events(bank: Treebank, index: int) -> Events:
    """The events of a tree; empty for an unreadable tree. A discontinuous tree is an error.

    >>> import treescore
    >>> events(treescore.read("(NP (DT the) cat)"), 0)
    [b'NP', (b'the', b'DT'), (b'cat', None), None]
    """
    native = bank.native
    if native.faulty(index):
        return []
    if native.discontinuous(index):
        raise InputError(bank.problem(index, "discontinuous", "discontinuous trees cannot be cut and joined"))
    names = native.names(0)
    nodes = native.nodes(index)
    result: Events = []
    current, node = -1, 0

    def climb(ancestor: int) -> None:
        nonlocal current
        while current != ancestor:
            result.append(None)
            current = nodes[current][1]

    for leaf, (tag, parent, word) in enumerate(native.leaves(index)):
        while node < len(nodes) and nodes[node][2] <= leaf:
            if nodes[node][2] < nodes[node][3]:  # skips empty phrases
                climb(nodes[node][1])
                result.append(names[nodes[node][0]])
                current = node
            node += 1
        climb(parent)
        result.append((word, None if tag == _core.NO_TAG else names[tag]))
    climb(-1)
    return result


def words(tree: Events) -> list[Word]:
    """The words of a tree with their tags."""
    return [event for event in tree if isinstance(event, tuple)]


def changed(tree: Events, places: Iterator[Sequence[Word] | None]) -> Events:
    """The tree with its words replaced by those in `places`, one entry per word; None keeps a word.

    >>> places = iter([None, [(b"cat", b"NN"), (b"uh", b"UH")], []])
    >>> changed([b"S", b"NP", (b"the", b"DT"), (b"rat", b"NN"), None, b"VP", (b"ran", b"VBD"), None, None], places)
    [b'S', b'NP', (b'the', b'DT'), (b'cat', b'NN'), (b'uh', b'UH'), None, None]
    """
    result: Events = []
    same = True
    for event in tree:
        place = next(places) if isinstance(event, tuple) else None
        if place is not None:
            result += place
            same = False
        elif event is None:
            _close(result)
        else:
            result.append(event)
    return tree if same else result


def without(tree: Events, labels: Collection[str]) -> Events:
    """The tree without phrases and words with these labels (function tags are ignored).

    >>> without([b"S", b"EDITED-X", (b"I", b"PRP"), None, b"NP", (b"we", b"PRP"), None, None], ["EDITED"])
    [b'S', b'NP', (b'we', b'PRP'), None, None]
    """
    result: Events = []
    depth = 0  # inside of a removed phrase
    same = True
    for event in tree:
        label = event[1] if isinstance(event, tuple) else event
        if depth or (label is not None and category(decode(label)) in labels):
            depth += isinstance(event, bytes) - (event is None)
            same = False
        elif event is None:
            _close(result)
        else:
            result.append(event)
    return tree if same else result


def split(tree: Events, cuts: Sequence[int]) -> list[Events]:
    """The tree cut before the words with these numbers, in order; a phrase over a cut is divided."""
    if not cuts:
        return [tree]
    parts: list[Events] = []
    part: Events = []
    above: list[bytes] = []
    waiting = iter(cuts)
    cut, number = next(waiting), 0
    for event in tree:
        if isinstance(event, bytes):
            above.append(event)
            part.append(event)
        elif event is None:
            above.pop()
            _close(part)
        else:
            if number == cut:
                for _ in above:
                    _close(part)
                parts.append(part)
                part = [*above]
                cut = next(waiting, -1)
            part.append(event)
            number += 1
    return [part for part in [*parts, part] if part]


def size_of_parts(tree: Events, cuts: Sequence[int]) -> int:
    """The number of phrases that `split` divides."""
    waiting = set(cuts)
    depth = number = total = 0
    for event in tree:
        if isinstance(event, tuple):
            total += depth if number in waiting else 0
            number += 1
        else:
            depth += -1 if event is None else 1
    return total


def joined(trees: Sequence[Events], label: bytes) -> Events:
    """Several trees as one: a new phrase with all trees, below the outer bracket of the first if it has one.

    >>> yes, left = [b"TOP", b"INTJ", (b"yes", b"UH"), None, None], [b"TOP", b"S", (b"we", b"PRP"), None, None]
    >>> print(to_treebank([joined([yes, left], b"S")])[0])
    (TOP (S (INTJ (UH yes)) (S (PRP we))))
    """
    if len(trees) == 1:
        return trees[0]
    below = [tree[1:-1] if has_outer(tree) else tree for tree in trees]
    outer = [trees[0][0]] if has_outer(trees[0]) else []
    return [*outer, label, *(event for tree in below for event in tree), None, *(None for _ in outer)]


def has_outer(tree: Events) -> bool:
    """Is the whole tree in one outer bracket, such as TOP?"""
    if not tree or not isinstance(tree[0], bytes) or tree[0] not in _OUTER:
        return False
    depth = 0
    for position, event in enumerate(tree):
        depth += isinstance(event, bytes) - (event is None)
        if not depth:
            return position == len(tree) - 1
    return False


def to_treebank(trees: Iterable[Events]) -> Treebank:
    """The trees as a treebank."""
    builder = _core.TreeBuilder()
    for tree in trees:
        for event in tree:
            if event is None:
                builder.close()
            elif isinstance(event, bytes):
                builder.open(event)
            else:
                builder.leaf(*event)
        builder.finish(0)
    return Treebank(builder.trees())


def _close(result: Events) -> None:
    """Close a phrase, or remove it if it is empty."""
    if result and isinstance(result[-1], bytes):
        result.pop()
    else:
        result.append(None)
