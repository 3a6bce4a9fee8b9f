"""Leaf-ancestor scores by their definitions, for tests: sets of words, daughters, and an edit distance by recursion.

Sampson and Babarczy (2003): the lineage of a word is the sequence of labels above it, its tag left out, with marks for
where it begins and ends phrases. Two lineages are alike to 1 - distance / (length + length).

*  spmrl (J. Wagner's program of the SPMRL 2013 task): from the word up; `[` before a label if the word begins this
   phrase and it is not the first daughter, `]` behind it if the word ends the phrase and it is not the last daughter;
   for the root both stand behind the label.
*  discodop: from the root down; for each phrase, `)` if the word is its last one and there is none yet, or `]` if the
   phrase goes on only behind a gap and there is none yet; the label; `(` if the word is its first one and there is
   none yet, or `[` if the word is the first behind a gap and there is none yet.
*  plain: the labels alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import cache

from gapped_trees import Leaf, Node, leaves_of

Path = tuple[str, ...]
Cost = Callable[[str, str], Fraction]

HALF = Fraction(1, 2)


def without(tree: Node, labels: Collection[str] = (), places: Collection[int] = ()) -> list[Node | Leaf]:
    """The tree without phrases of these labels, whose daughters take their places, and without these words.

    Phrases without words go, too; the places that are left are numbered anew.
    """
    kept = sorted(leaf.place for leaf in leaves_of(tree) if leaf.place not in places)

    def reduced(item: Node | Leaf) -> list[Node | Leaf]:
        if isinstance(item, Leaf):
            return [Leaf(kept.index(item.place), item.tag, item.text)] if item.place in kept else []
        below = [part for child in item.children for part in reduced(child)]
        if not below or item.label in labels:
            return below
        return [Node(item.label, tuple(below))]

    return reduced(tree)


def extent(node: Node | Leaf) -> set[int]:
    """The places of the words under a node."""
    return {leaf.place for leaf in leaves_of(node)}


def chains(forest: Sequence[Node | Leaf]) -> dict[int, list[Node]]:
    """For each word the phrases above it, outermost first."""
    result: dict[int, list[Node]] = {}

    def walk(item: Node | Leaf, above: list[Node]) -> None:
        if isinstance(item, Leaf):
            result[item.place] = above
        else:
            for child in item.children:
                walk(child, [*above, item])

    for item in forest:
        walk(item, [])
    return result


def spmrl(word: int, chain: Sequence[Node]) -> Path:
    """From the word up."""
    path: list[str] = []
    for depth in range(len(chain) - 1, -1, -1):
        phrase, places = chain[depth], extent(chain[depth])
        begins, ends = word == min(places), word == max(places)
        if depth == 0:
            path += [phrase.label, *["["] * begins, *["]"] * ends]
            continue
        daughters = chain[depth - 1].children
        first = min(daughters, key=lambda daughter: min(extent(daughter)))
        last = max(daughters, key=lambda daughter: max(extent(daughter)))
        path += [*["["] * (begins and phrase is not first), phrase.label, *["]"] * (ends and phrase is not last)]
    return tuple(path)


def discodop(word: int, chain: Sequence[Node]) -> Path:
    """From the word up, like the others, though made from the root down."""
    path: list[str] = []
    for phrase in chain:
        places = extent(phrase)
        if word + 1 not in places:
            mark = ")" if word == max(places) else "]"
            path += [mark] * (("mark", mark) not in marks_in(path))
        path.append(phrase.label)
        if word - 1 not in places:
            mark = "(" if word == min(places) else "["
            path += [mark] * (("mark", mark) not in marks_in(path))
    return tuple(reversed(path))


def marks_in(path: Sequence[str]) -> list[tuple[str, str]]:
    """The marks so far; labels of the test trees are never marks."""
    return [("mark", symbol) for symbol in path if symbol in "()[]"]


def plain(word: int, chain: Sequence[Node]) -> Path:
    """From the word up."""
    return tuple(phrase.label for phrase in reversed(chain))


VARIANTS = {"spmrl": spmrl, "discodop": discodop, "plain": plain}


def unit(a: str, b: str) -> Fraction:
    """Any other symbol costs 1."""
    return Fraction(a != b)


def by_first_character(similar: Fraction) -> Cost:
    """Symbols with the same first character are similar, others cost 2."""
    return lambda a, b: Fraction(0) if a == b else similar if a[:1] == b[:1] else Fraction(2)


COSTS: dict[str, Cost] = {
    "unit": unit,
    "similar": by_first_character(HALF),
    "workshop": by_first_character(3 * HALF),
    "lcs": by_first_character(Fraction(2)),
}


def distance(a: Path, b: Path, cost: Cost) -> Fraction:
    """The least cost of turning one path into the other; to insert or to delete costs 1."""

    @cache
    def of_first(i: int, j: int) -> Fraction:
        if i == 0 or j == 0:
            return Fraction(i + j)
        replaced = of_first(i - 1, j - 1) + cost(a[i - 1], b[j - 1])
        return min(of_first(i - 1, j) + 1, of_first(i, j - 1) + 1, replaced)

    return of_first(len(a), len(b))


def similarities(
    gold: Sequence[Node | Leaf], test: Sequence[Node | Leaf], variant: str, costs: str
) -> list[tuple[Path, Path, Fraction]]:
    """For each word its two paths, and how alike they are."""
    chains_of = chains(gold), chains(test)
    assert sorted(chains_of[0]) == sorted(chains_of[1])
    out = []
    for word in sorted(chains_of[0]):
        a, b = (VARIANTS[variant](word, side[word]) for side in chains_of)
        length = len(a) + len(b)
        out.append((a, b, 1 - distance(a, b, COSTS[costs]) / length if length else Fraction(1)))
    return out
