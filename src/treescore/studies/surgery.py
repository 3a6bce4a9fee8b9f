"""Trees that are cut, joined, and lose or change words, as lists of events in which nothing is nested.

A phrase that opens is its label, a word is the pair of word and tag, and None closes a phrase. So each operation is one
pass, however deep the tree is. Phrases of which no word is left are left out.

>>> import treescore
>>> tree = events(treescore.read("(TOP (S (NP (PRP we)) (VP (VBD left) (ADVP (RB early)))))"), 0)
>>> for part in split(tree, [2]):
...     print(written([part])[0])
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
    """A tree as it opens and closes; without words if it could not be read. One with gaps is an error.

    >>> import treescore
    >>> events(treescore.read("(NP (DT the) cat)"), 0)
    [b'NP', (b'the', b'DT'), (b'cat', None), None]
    """
    native = bank.native
    if native.faulty(index):
        return []
    if native.discontinuous(index):
        raise InputError(bank.problem(index, "discontinuous", "the tree has gaps, and cannot be cut and joined"))
    names = native.names(0)
    nodes = native.nodes(index)
    found: Events = []
    current, node = -1, 0

    def climb(to: int) -> None:
        nonlocal current
        while current != to:
            found.append(None)
            current = nodes[current][1]

    for leaf, (tag, parent, word) in enumerate(native.leaves(index)):
        while node < len(nodes) and nodes[node][2] <= leaf:
            if nodes[node][2] < nodes[node][3]:  # or else it is over no word
                climb(nodes[node][1])
                found.append(names[nodes[node][0]])
                current = node
            node += 1
        climb(parent)
        found.append((word, None if tag == _core.NO_TAG else names[tag]))
    climb(-1)
    return found


def words(tree: Events) -> list[Word]:
    """The words of a tree with their tags."""
    return [event for event in tree if isinstance(event, tuple)]


def changed(tree: Events, places: Iterator[Sequence[Word] | None]) -> Events:
    """The tree with other words in the places of its own, which are taken one by one; None leaves a word as it is.

    >>> places = iter([None, [(b"cat", b"NN"), (b"uh", b"UH")], []])
    >>> changed([b"S", b"NP", (b"the", b"DT"), (b"rat", b"NN"), None, b"VP", (b"ran", b"VBD"), None, None], places)
    [b'S', b'NP', (b'the', b'DT'), (b'cat', b'NN'), (b'uh', b'UH'), None, None]
    """
    made: Events = []
    same = True
    for event in tree:
        place = next(places) if isinstance(event, tuple) else None
        if place is not None:
            made += place
            same = False
        elif event is None:
            _close(made)
        else:
            made.append(event)
    return tree if same else made


def without(tree: Events, labels: Collection[str]) -> Events:
    """The tree without phrases and tags of these labels, function tags apart, and without their words.

    >>> without([b"S", b"EDITED-X", (b"I", b"PRP"), None, b"NP", (b"we", b"PRP"), None, None], ["EDITED"])
    [b'S', b'NP', (b'we', b'PRP'), None, None]
    """
    made: Events = []
    depth = 0  # in what is left out
    same = True
    for event in tree:
        label = event[1] if isinstance(event, tuple) else event
        if depth or (label is not None and category(decode(label)) in labels):
            depth += isinstance(event, bytes) - (event is None)
            same = False
        elif event is None:
            _close(made)
        else:
            made.append(event)
    return tree if same else made


def split(tree: Events, cuts: Sequence[int]) -> list[Events]:
    """The tree cut before the words of these numbers, in order; a phrase over a cut becomes a phrase on either side."""
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
    """How many phrases `split` has to open again."""
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
    """Several trees as one: below the outer bracket of the first, if it has one, a new phrase with all of them.

    >>> yes, left = [b"TOP", b"INTJ", (b"yes", b"UH"), None, None], [b"TOP", b"S", (b"we", b"PRP"), None, None]
    >>> print(written([joined([yes, left], b"S")])[0])
    (TOP (S (INTJ (UH yes)) (S (PRP we))))
    """
    if len(trees) == 1:
        return trees[0]
    below = [tree[1:-1] if has_outer(tree) else tree for tree in trees]
    outer = [trees[0][0]] if has_outer(trees[0]) else []
    return [*outer, label, *(event for tree in below for event in tree), None, *(None for _ in outer)]


def has_outer(tree: Events) -> bool:
    """Is all of it in one outer bracket, such as TOP?"""
    if not tree or not isinstance(tree[0], bytes) or tree[0] not in _OUTER:
        return False
    depth = 0
    for place, event in enumerate(tree):
        depth += isinstance(event, bytes) - (event is None)
        if not depth:
            return place == len(tree) - 1
    return False


def written(trees: Iterable[Events]) -> Treebank:
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


def _close(made: Events) -> None:
    """Close a phrase, or leave it out if there is nothing in it."""
    if made and isinstance(made[-1], bytes):
        made.pop()
    else:
        made.append(None)
