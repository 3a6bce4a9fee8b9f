"""Trees over `N (P N){n}`: plausible ones, which attach each prepositional phrase to a noun, and random binary ones.

A shape is a binary tree as bytes in postorder: 0 is a leaf, 1 joins the last two parts.

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
    """The number of binary trees with this number of inner nodes.

    >>> catalan(8)
    1430
    """
    return comb(2 * number, number) // (number + 1)


def shapes(leaves: int) -> list[bytes]:
    """All binary trees with this number of leaves, the right-branching one first, the left-branching one last."""
    by_size: list[list[bytes]] = [[], [_LEAF]]
    for size in range(2, leaves + 1):
        by_size.append(
            [left + right + _JOIN for cut in range(1, size) for left in by_size[cut] for right in by_size[size - cut]]
        )
    return by_size[leaves]


def uniform(leaves: int, random: Random) -> bytes:
    """A uniformly random binary tree (Rémy's algorithm: add leaves on either side of a random node)."""
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
    # Parents before children, right children first, is the reverse of the postorder.
    code, waiting = bytearray(), [root]
    while waiting:
        pair = children[waiting.pop()]
        code += _LEAF if pair is None else _JOIN
        waiting += pair or ()
    return bytes(reversed(code))


def split(leaves: int, random: Random) -> bytes:
    """A random binary tree by recursive splits at uniformly random positions."""
    code, waiting = bytearray(), [leaves]
    while waiting:
        size = waiting.pop()
        if size > 1:
            cut = random.randrange(1, size)
            waiting += [0, size - cut, cut]  # 0 joins the two parts
        else:
            code += _LEAF if size else _JOIN
    return bytes(code)


#: The distributions of random trees.
DRAWS = {"uniform": uniform, "split": split}


@cache
def chance(draw: str, start: int, end: int, leaves: int) -> Fraction:
    """The probability that a random tree has a phrase over the words [start, end).

    >>> chance("uniform", 0, 2, 3), chance("split", 1, 3, 17)
    (Fraction(1, 2), Fraction(1, 3))
    """
    width = end - start
    if draw == "uniform":  # trees of the phrase times trees in which the phrase is a leaf
        return Fraction(catalan(width - 1) * catalan(leaves - width), catalan(leaves - 1))
    # Cuts come in random order: the cuts at the borders of the phrase must precede those inside.
    borders = (start > 0) + (end < leaves)
    return Fraction((1, 1, 2)[borders], (1, width, width * (width + 1))[borders])


class Convention(Value):
    """The form of plausible and random trees, and the options of the two metrics.

    `bare`: where a single noun is an NP: "nowhere", "everywhere", as "object" of a P, or as "head" before a PP; "words"
    puts a node over every word. `flat`: the PPs of a noun are sisters. `pp`: PPs are nodes. `wrapped`: `bare` also
    applies to random trees. `labels` of random phrases: "first" (PP if the first word is a P, else NP), "NP" or "coin";
    None if labels are ignored. `f1`: further options of F1.
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
        """The signatures of F1 and STRUCT-IOU."""
        labels = "labels:" + ("no" if self.labels is None else "yes")
        return f"parseval|{labels}{self.f1}", f"struct_iou|{labels}"

    def plausible(self, shape: bytes) -> str:
        """The tree with the attachments of this shape over the nouns."""
        parts: list[tuple[str, bool]] = []  # the content of a phrase, and whether it is a single noun
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
        """The tree with this shape over the words, with labels."""
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
        """The expected F1 of random trees against a plausible one.

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
        """The probability that a random tree has this bracket."""
        if end - start == 1:
            return Fraction(self.wrapped)
        agrees = Fraction(1)
        if self.labels == "coin":
            agrees = Fraction(1, 2)
        elif self.labels is not None:
            agrees = Fraction(label == ("PP" if self.labels == "first" and start % 2 else "NP"))
        return agrees * chance(draw, start, end, words)


_WIDE = "|least-width:2"
#: The conventions by name.
CONVENTIONS = {
    "plain": Convention("a single noun is not an NP; labels are ignored"),
    "rootless": Convention("plain; F1 without the bracket over all words", f1="|root:drop-whole"),
    "labels": Convention(
        "plain with labels; a random phrase is a PP if it starts with a P, else an NP", labels="first"
    ),
    "labels-np": Convention("plain with labels; all random phrases are NPs", labels="NP"),
    "labels-coin": Convention(
        "plain with labels; a random phrase is an NP or a PP with equal probability", labels="coin"
    ),
    "wrapped": Convention("a single noun is an NP, also in random trees", bare="everywhere", wrapped=True),
    "wrapped-wide": Convention(
        "wrapped; F1 of brackets over at least two words", bare="everywhere", wrapped=True, f1=_WIDE
    ),
    "wrapped-gold": Convention("a single noun is an NP, but not in random trees", bare="everywhere"),
    "wrapped-gold-wide": Convention(
        "wrapped-gold; F1 of brackets over at least two words", bare="everywhere", f1=_WIDE
    ),
    "object": Convention("a single noun is an NP after a P, but not in random trees", bare="object"),
    "object-wide": Convention("object; F1 of brackets over at least two words", bare="object", f1=_WIDE),
    "head": Convention("a single noun is an NP before a PP, but not in random trees", bare="head"),
    "head-wide": Convention("head; F1 of brackets over at least two words", bare="head", f1=_WIDE),
    "words": Convention("words are nodes, too", bare="words", wrapped=True),
    "words-wide": Convention(
        "words are nodes, too; F1 of brackets over at least two words", bare="words", wrapped=True, f1=_WIDE
    ),
    "flat": Convention("the PPs of a noun are sisters; a single noun is not an NP", flat=True),
    "flat-object": Convention(
        "flat; a single noun is an NP after a P, but not in random trees", flat=True, bare="object"
    ),
    "flat-wrapped": Convention(
        "flat; a single noun is an NP, also in random trees", flat=True, bare="everywhere", wrapped=True
    ),
    "no-pp": Convention("an NP is NP P NP, without a PP; a single noun is not an NP", pp=False),
    "no-pp-wrapped": Convention(
        "no-pp; a single noun is an NP, also in random trees", pp=False, bare="everywhere", wrapped=True
    ),
}


def drawn(draw: str, words: int, number: int, random: Random) -> Sequence[bytes]:
    """Random shapes."""
    return [DRAWS[draw](words, random) for _ in range(number)]
