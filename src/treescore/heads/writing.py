"""Output of heads: brackets, a table of words, JSON."""

from __future__ import annotations

from .. import _core
from ..helpers.text import decode, encode
from ..recipe import OUTER_LABELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..trees import Tree
    from .finding import HeadFinder


def annotated(tree: Tree, finder: HeadFinder, *, pretty: bool = False) -> str:
    """The tree in brackets, with phrases as LABEL^word; the outer bracket has no head, as in SParseval's headtrees.

    >>> import treescore
    >>> from treescore.heads import HeadFinder, get
    >>> annotated(treescore.read("(ROOT (S (NP (NNS cats)) (VP (VBP sleep))))")[0], HeadFinder(get("collins")))
    '(ROOT (S^sleep (NP^cats (NNS cats)) (VP^sleep (VBP sleep))))'
    """
    phrases, tops = tree.structure()
    heads, words = finder.find(tree), dict(zip(tree.positions, tree.pos(), strict=True))

    def name(number: int) -> bytes:
        label, head = phrases[number][0], heads[number]
        is_outer = tops == [number] and label in OUTER_LABELS
        if head is not None and head[1] is not None and not is_outer:
            label = f"{label}^{words[head[1]][0]}"
        return encode(label)

    def leaf(leaf_number: int) -> tuple[bytes, bytes | None]:
        word, tag = words[leaf_number]
        return encode(word), None if tag is None else encode(tag)

    builder = _core.TreeBuilder()
    if tree.is_discontinuous:
        parents = {child: number for number, (_, below) in enumerate(phrases) for child in below}
        builder.graph(
            [(name(number), parents.get(number, -1), None) for number in range(len(phrases))],
            [(*leaf(leaf_number), parents.get(~leaf_number, -1), None) for leaf_number in words],
        )
        return decode(builder.trees().brackets(0, pretty))
    waiting: list[int | None] = list(reversed(tops))
    while waiting:
        item = waiting.pop()
        if item is None:
            builder.close()
        elif item < 0:
            builder.leaf(*leaf(~item))
        else:
            builder.open(name(item))
            waiting.append(None)
            waiting.extend(reversed(phrases[item][1]))
    builder.finish(0)
    return decode(builder.trees().brackets(0, pretty))


def table_rows(tree: Tree, finder: HeadFinder) -> list[list[str]]:
    """A row per word, as in CoNLL files: number, word, tag, number of the head (0: the root), mother/child.

    For a word without a dependency, which is only possible with `compat`, head and relation are `_`.

    >>> import treescore
    >>> from treescore.heads import HeadFinder, get
    >>> tree = treescore.read("(S (NP (NNS cats)) (VP (VBP sleep)))")[0]
    >>> table_rows(tree, HeadFinder(get("collins")))
    [['1', 'cats', 'NNS', '2', 'S/NP'], ['2', 'sleep', 'VBP', '0', 'TOP/S']]
    """
    rows = [[str(number), word, tag or "_", "_", "_"] for number, (word, tag) in enumerate(tree.pos(), 1)]
    number_of = {place: number for number, place in enumerate(tree.positions, 1)}
    for dependent, head, mother, child in finder.dependencies(tree):
        rows[number_of[dependent] - 1][3:] = "0" if head is None else str(number_of[head]), f"{mother}/{child}"
    return rows


def as_data(tree: Tree, finder: HeadFinder) -> dict[str, Any]:
    """Words, tags, heads and phrases as plain data, numbered from 0; None is the root.

    >>> import treescore
    >>> from treescore.heads import HeadFinder, get
    >>> data = as_data(treescore.read("(S (NP (NNS cats)) (VP (VBP sleep)))")[0], HeadFinder(get("collins")))
    >>> data["dependencies"], data["phrases"][0]
    ([(0, 1, 'S', 'NP'), (1, None, 'TOP', 'S')], {'label': 'S', 'start': 0, 'end': 2, 'head_child': 1, 'head': 1})
    """
    phrases = []
    for span, head in zip(tree.spans(), finder.find(tree), strict=True):
        child, word = head or (None, None)
        fields = {name: value for name, value in span.values().items() if value is not None}
        phrases.append({**fields, "head_child": child, "head": word})
    return {
        "words": [word for word, _ in tree.pos()],
        "tags": [tag for _, tag in tree.pos()],
        "dependencies": finder.dependencies(tree),
        "phrases": phrases,
    }
