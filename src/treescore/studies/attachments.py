"""Trees over `N (P N){n}`: all that attach each prepositional phrase to a noun, and random binary ones.

A shape is a binary tree as bytes, children before their parents: 0 is a leaf, 1 joins the last two parts.

>>> len(shapes(5))
14
>>> CONVENTIONS["plain"].plausible(shapes(3)[0])
'(NP (N n) (PP (P p) (NP (N n) (PP (P p) (N n)))))'
>>> CONVENTIONS["wrapped"].plausible(shapes(2)[0])
'(NP (NP (N n)) (PP (P p) (NP (N n))))'
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from ..trees import Tree

_LEAF, _JOIN = b"\0", b"\1"
_NOUN, _PREPOSITION = "(N n)", "(P p)"


def catalan(number: int) -> int:
    """How many binary trees have so many inner nodes.

    >>> catalan(8)
    1430
    """
    return comb(2 * number, number) // (number + 1)


def shapes(leaves: int) -> list[bytes]:
    """All binary trees with so many leaves, the right-branching one first, the left-branching one last."""
    by_size: list[list[bytes]] = [[], [_LEAF]]
    for size in range(2, leaves + 1):
        by_size.append(
            [left + right + _JOIN for cut in range(1, size) for left in by_size[cut] for right in by_size[size - cut]]
        )
    return by_size[leaves]


def uniform(leaves: int, random: Random) -> bytes:
    """A binary tree, each as likely as any other (Rémy's algorithm: new leaves beside any node, on either side)."""
    children: list[tuple[int, int] | None] = [None]
    parents = [-1]
    root = 0
    for size in range(1, leaves):
        beside, left = divmod(random.randrange(2 * (2 * size - 1)), 2)
        leaf, join = len(children), len(children) + 1
        above = parents[beside]
        children += [None, (leaf, beside) if left else (beside, leaf)]
        parents += [join, above]
        parents[beside] = join
        if above < 0:
            root = join
        else:
            first, second = children[above] or (-1, -1)
            children[above] = (join, second) if first == beside else (first, join)
    # Parents before children, the right one first, is the wanted order from its end.
    code, waiting = bytearray(), [root]
    while waiting:
        pair = children[waiting.pop()]
        code += _LEAF if pair is None else _JOIN
        waiting += pair or ()
    return bytes(reversed(code))


def split(leaves: int, random: Random) -> bytes:
    """A binary tree that is cut in two anywhere, each cut as likely as any other, and so are its parts."""
    code, waiting = bytearray(), [leaves]
    while waiting:
        size = waiting.pop()
        if size > 1:
            cut = random.randrange(1, size)
            waiting += [0, size - cut, cut]  # 0 joins the two
        else:
            code += _LEAF if size else _JOIN
    return bytes(code)


#: How random trees are drawn.
DRAWS = {"uniform": uniform, "split": split}


@cache
def chance(draw: str, start: int, end: int, leaves: int) -> Fraction:
    """How likely a random tree has a phrase over the words from `start` to `end`, of so many.

    >>> chance("uniform", 0, 2, 3), chance("split", 1, 3, 17)
    (Fraction(1, 2), Fraction(1, 3))
    """
    width = end - start
    if draw == "uniform":  # the phrase inside, and around it the tree in which it is a leaf
        return Fraction(catalan(width - 1) * catalan(leaves - width), catalan(leaves - 1))
    # Cuts come in any order: those at the borders of the phrase before those inside.
    borders = (start > 0) + (end < leaves)
    return Fraction((1, 1, 2)[borders], (1, width, width * (width + 1))[borders])


class Convention(Value):
    """What plausible and random trees look like, and what the two metrics count in them.

    `bare`: where a noun alone is an NP: "nowhere", "everywhere", as "object" of a P, or as "head" before a PP; "words"
    puts a node over every word. `flat`: the PPs of a noun are sisters. `pp`: PPs are nodes. `wrapped`: in random trees,
    too, nouns alone are NPs (or words have their nodes). `labels`: those of random phrases, "first" (PP if the first
    word is a P, else NP), "NP" or "coin"; None if labels are ignored. `f1`: further options of the F1.
    """

    about: str
    bare: str = "nowhere"
    flat: bool = False
    pp: bool = True
    wrapped: bool = False
    labels: str | None = None
    f1: str = ""

    @property
    def signatures(self) -> tuple[str, str]:
        """Those of F1 and of STRUCT-IOU."""
        labels = "labels:" + ("no" if self.labels is None else "yes")
        return f"parseval|{labels}{self.f1}", f"struct_iou|{labels}"

    def plausible(self, shape: bytes) -> str:
        """The tree in which each noun with what follows it is attached as the shape over the nouns says."""
        parts: list[tuple[str, bool]] = []  # what is inside, and is it a noun alone?
        preposition = self._preposition(self.bare == "words")
        for code in shape:
            if not code:
                parts.append((f"(X {_NOUN})" if self.bare == "words" else _NOUN, True))
                continue
            right, left = parts.pop(), parts.pop()
            attached = f"{preposition} {self._phrase(right, 'object')}"
            first = left[0] if self.flat else self._phrase(left, "head")
            parts.append((f"{first} (PP {attached})" if self.pp else f"{first} {attached}", False))
        return f"(NP {parts[0][0]})"

    def _phrase(self, part: tuple[str, bool], role: str) -> str:
        inside, alone = part
        return inside if alone and self.bare not in ("everywhere", role) else f"(NP {inside})"

    def _preposition(self, wrapped: bool) -> str:
        return f"(X {_PREPOSITION})" if wrapped else _PREPOSITION

    def random_tree(self, shape: bytes, random: Random) -> str:
        """The tree of this shape over the words, with labels."""
        noun = _NOUN
        if self.wrapped:
            noun = f"(X {_NOUN})" if self.bare == "words" else f"(NP {_NOUN})"
        preposition = self._preposition(self.wrapped and self.bare == "words")
        parts: list[tuple[str, int]] = []
        word = 0
        for code in shape:
            if not code:
                parts.append((preposition if word % 2 else noun, word))
                word += 1
                continue
            right, (left, start) = parts.pop()[0], parts.pop()
            label = "NP"
            if self.labels == "coin":
                label = random.choice(("NP", "PP"))
            elif self.labels == "first" and start % 2:
                label = "PP"
            parts.append((f"({label} {left} {right})", start))
        return parts[0][0]

    def expected_f1(self, truth: Tree, draw: str) -> float:
        """The mean F1 of all random trees against a plausible one, each as often as it is drawn.

        >>> import treescore
        >>> plain = CONVENTIONS["plain"]
        >>> plain.expected_f1(treescore.read(plain.plausible(shapes(2)[0]))[0], "uniform")
        0.75
        """
        words = len(truth.leaves)
        least = 2 if "least-width:2" in self.f1 else 1
        whole = "root:drop-whole" in self.f1

        def counts(start: int, end: int) -> bool:
            return end - start >= least and not (whole and end - start == words)

        spans = [(span.label, span.start, span.end) for span in truth.spans() if counts(span.start, span.end)]
        unary = ((words if self.bare == "words" else words // 2 + 1) if self.wrapped else 0) if least == 1 else 0
        total = len(spans) + unary + words - 1 - whole
        matched = sum((self._chance(draw, *span, words) for span in spans), Fraction(0))
        return float(2 * matched / total)

    def _chance(self, draw: str, label: str, start: int, end: int, words: int) -> Fraction:
        """How likely a random tree has this bracket."""
        if end - start == 1:
            return Fraction(self.wrapped)
        agrees = Fraction(1)
        if self.labels == "coin":
            agrees = Fraction(1, 2)
        elif self.labels is not None:
            agrees = Fraction(label == ("PP" if self.labels == "first" and start % 2 else "NP"))
        return agrees * chance(draw, start, end, words)


_WIDE = "|least-width:2"
#: The ways to draw and to count such trees.
CONVENTIONS = {
    "plain": Convention("a noun alone is no NP; labels are ignored"),
    "rootless": Convention("plain; F1 without the bracket over all words", f1="|root:drop-whole"),
    "labels": Convention(
        "plain with labels; a random phrase is a PP if it starts with a P, else an NP", labels="first"
    ),
    "labels-np": Convention("plain with labels; all random phrases are NPs", labels="NP"),
    "labels-coin": Convention("plain with labels; a coin decides if a random phrase is an NP or a PP", labels="coin"),
    "wrapped": Convention("a noun alone is an NP, in random trees too", bare="everywhere", wrapped=True),
    "wrapped-wide": Convention(
        "wrapped; F1 of brackets over two words or more", bare="everywhere", wrapped=True, f1=_WIDE
    ),
    "wrapped-gold": Convention("a noun alone is an NP, not in random trees", bare="everywhere"),
    "wrapped-gold-wide": Convention("wrapped-gold; F1 of brackets over two words or more", bare="everywhere", f1=_WIDE),
    "object": Convention("a noun alone is an NP after a P, not in random trees", bare="object"),
    "object-wide": Convention("object; F1 of brackets over two words or more", bare="object", f1=_WIDE),
    "head": Convention("a noun alone is an NP before a PP, not in random trees", bare="head"),
    "head-wide": Convention("head; F1 of brackets over two words or more", bare="head", f1=_WIDE),
    "words": Convention("words are nodes too", bare="words", wrapped=True),
    "words-wide": Convention(
        "words are nodes too; F1 of brackets over two words or more", bare="words", wrapped=True, f1=_WIDE
    ),
    "flat": Convention("the PPs of a noun are sisters; a noun alone is no NP", flat=True),
    "flat-object": Convention("flat; a noun alone is an NP after a P, not in random trees", flat=True, bare="object"),
    "flat-wrapped": Convention(
        "flat; a noun alone is an NP, in random trees too", flat=True, bare="everywhere", wrapped=True
    ),
    "no-pp": Convention("an NP is NP P NP, without a PP; a noun alone is no NP", pp=False),
    "no-pp-wrapped": Convention(
        "no-pp; a noun alone is an NP, in random trees too", pp=False, bare="everywhere", wrapped=True
    ),
}


def drawn(draw: str, words: int, number: int, random: Random) -> Sequence[bytes]:
    """So many random shapes over so many words."""
    return [DRAWS[draw](words, random) for _ in range(number)]
