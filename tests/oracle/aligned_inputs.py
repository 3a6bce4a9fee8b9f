"""Pairs of documents whose alignment is known, the same for the same seed.

    python -m oracle.aligned_inputs SEED          prints one pair and its blocks, in the folder above

A text is made up first: sentences of words, each word with a number of its own. Both sides are made from it, the
test side with changes: other sentence boundaries, other tokens, misspelt, missing and extra words, missing, extra and
empty trees, other ways to write the same. A word keeps the numbers of what it was made from. So words that share a
number belong together, and so do sentences that share a word.

`random_document` draws what may change from its seed, in several scripts, or with words of so few letters that ties are
frequent; `document` takes the rates; `large_document` is for speed, and takes time in proportion to its length.
"""

from __future__ import annotations

import random
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise

from oracle.aligned_parseval import Block, Group

# ---------------------------------------------------------------------------------------------------------------------
# Scripts
# ---------------------------------------------------------------------------------------------------------------------

LATIN = (
    *("ba", "be", "co", "da", "dri", "el", "fa", "gro", "hi", "in", "ja", "ka", "lé", "mo"),
    *("ña", "or", "pu", "qui", "ra", "sti", "th", "ün", "va", "wo", "xe", "ys", "ze"),
)
HEBREW = tuple("אבגדהוזחטיכלמנסעפצקרשת")
HANGUL = tuple("가각간강거건겨고공과구국그기나날내는다단대도동들라로를마만말명모무문물미바발방보부사산상서선성소")
CHINESE = tuple("的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后")


@dataclass(frozen=True)
class Script:
    """What words are made of, how many pieces they have, and the marks that end a sentence."""

    pieces: tuple[str, ...]
    least: int
    most: int
    ends: tuple[str, ...] = (".", ".", ".", "?")


SCRIPTS = {
    "latin": Script(LATIN, 1, 4),
    "hebrew": Script(HEBREW, 2, 6),
    "hangul": Script(HANGUL, 1, 4),
    "chinese": Script(CHINESE, 1, 3, ("。", "。", "？")),
    "tiny": Script(("a", "b"), 1, 3, ("a", ".", ".")),  # words that are easily confused
}

#: Ways to write the same: a word of the first list may become any other of its list.
SAME = (
    ("``", "''", '"', "“", "”", "„", "«"),
    ("'", "`", "’", "‘"),
    ("-", "–", "−"),
    ("--", "—"),
    ("-LRB-", "-lrb-"),
    ("-RRB-", "-Rrb-"),
    ("-LSB-", "["),
    (r"1\/2", "1/2"),
    (r"\*", "*"),
    ("İzmir", "i̇zmir"),
    ("straße", "STRASSE"),
)

#: A contraction is two words, 0 and 1, and may be written with these tokens: what they are made of stands beside them.
CONTRACTIONS = (
    (
        (("ca", (0,)), ("n't", (1,))),
        (("can", (0,)), ("not", (1,))),
        (("can't", (0, 1)),),
        (("cannot", (0, 1)),),
        (("can", (0, 1)), ("'t", (1,))),
    ),
    (
        (("wo", (0,)), ("n't", (1,))),
        (("will", (0,)), ("not", (1,))),
        (("won't", (0, 1)),),
    ),
    (
        (("do", (0,)), ("n't", (1,))),
        (("do", (0,)), ("not", (1,))),
        (("don't", (0, 1)),),
    ),
)

PHRASES = ("NP", "VP", "PP", "S", "ADJP", "NP-SBJ", "SBAR=2", "X")
TAGS = ("NN", "VB", "DT", "IN", "JJ", "RB")
ROOTS = ("TOP", "TOP", "TOP", "S1", "ROOT", "")


# ---------------------------------------------------------------------------------------------------------------------
# Trees
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Leaf:
    """A word with its tag, and the numbers of the words of the text that it was made from."""

    form: str
    tag: str
    made_from: tuple[int, ...]

    def __str__(self) -> str:
        return f"({self.tag} {self.form})"


@dataclass(eq=False)
class Phrase:
    """A small tree: recursion is no danger here."""

    label: str
    children: list[Phrase | Leaf] = field(default_factory=list)

    def __str__(self) -> str:
        return f"({self.label} {' '.join(map(str, self.children))})"

    def leaves(self) -> list[Leaf]:
        return [leaf for c in self.children for leaf in ([c] if isinstance(c, Leaf) else c.leaves())]

    def rebuilt(self, change: Callable[[Leaf], Sequence[Leaf]]) -> Phrase:
        """A copy with other leaves; phrases that have none left go away."""
        children: list[Phrase | Leaf] = []
        for child in self.children:
            if isinstance(child, Leaf):
                children += change(child)
            elif (copy := child.rebuilt(change)).children:
                children.append(copy)
        return Phrase(self.label, children)


def grown(rng: random.Random, leaves: Sequence[Leaf]) -> Phrase:
    """A random tree over the leaves."""
    if len(leaves) == 1:
        return Phrase(rng.choice(PHRASES), [leaves[0]])
    cuts = sorted(rng.sample(range(1, len(leaves)), min(len(leaves) - 1, rng.choice((1, 1, 2, 3)))))
    children: list[Phrase | Leaf] = []
    for start, end in zip([0, *cuts], [*cuts, len(leaves)], strict=True):
        alone = end - start == 1 and rng.random() < 0.6
        children.append(leaves[start] if alone else grown(rng, leaves[start:end]))
    return Phrase(rng.choice(PHRASES), children)


def joined(a: Phrase, b: Phrase) -> Phrase:
    """One tree over what is below the roots of two."""
    return Phrase(a.label, [Phrase("S", [*a.children, *b.children])])


def parted(tree: Phrase, at: int) -> tuple[Phrase, Phrase]:
    """The tree over the leaves before `at`, and the one over the rest."""
    first = set(tree.leaves()[:at])
    return (
        tree.rebuilt(lambda leaf: [leaf] if leaf in first else []),
        tree.rebuilt(lambda leaf: [] if leaf in first else [leaf]),
    )


# ---------------------------------------------------------------------------------------------------------------------
# Documents
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Changes:
    """How often something changes: for each sentence, for each word, for each bracket."""

    splits: float = 0.0
    merges: float = 0.0
    shifts: float = 0.0
    missing: float = 0.0
    extra: float = 0.0
    repeated: float = 0.0
    empty: float = 0.0
    joined_words: float = 0.0
    split_words: float = 0.0
    misspelt: float = 0.0
    missing_words: float = 0.0
    extra_words: float = 0.0
    forms: float = 0.0
    brackets: float = 0.0


@dataclass
class Document:
    """Two files and their true alignment; the groups are empty where a side of the block has no words."""

    gold: str
    test: str
    blocks: list[Block]
    groups: list[list[Group]] = field(default_factory=list)


def aligned(blocks: Sequence[Block]) -> list[Block]:
    """The blocks that have both sides."""
    return [block for block in blocks if block.gold < block.gold_end and block.test < block.test_end]


class Maker:
    """Makes up a text and changes it."""

    def __init__(self, rng: random.Random, script: Script, changes: Changes, vocabulary: int) -> None:
        self.rng = rng
        self.script = script
        self.changes = changes
        self.number = count()
        self.words = [self.new_word() for _ in range(vocabulary)]

    def new_word(self) -> str:
        pieces = self.rng.randint(self.script.least, self.script.most)
        return "".join(self.rng.choice(self.script.pieces) for _ in range(pieces))

    def happens(self, rate: float) -> bool:
        return self.rng.random() < rate

    def leaf(self, form: str) -> Leaf:
        return Leaf(form, TAGS[len(form) % len(TAGS)], (next(self.number),))

    def sentence(self, least: int, most: int) -> Phrase:
        """A tree over new words. Frequent words come first in the vocabulary."""
        leaves: list[Leaf] = []
        for _ in range(self.rng.randint(least, most)):
            if self.happens(self.changes.forms):
                if self.happens(0.5):
                    leaves.append(self.leaf(self.rng.choice(self.rng.choice(SAME))))
                else:
                    leaves += [self.leaf(form) for form, _ in self.rng.choice(CONTRACTIONS)[0]]
            else:
                leaves.append(self.leaf(self.words[int(len(self.words) * self.rng.random() ** 2)]))
        leaves.append(self.leaf(self.rng.choice(self.script.ends)))
        root = self.rng.choice(ROOTS) if self.happens(self.changes.brackets) else "TOP"
        return Phrase(root, [grown(self.rng, leaves)])

    # Words -----------------------------------------------------------------------------------------------------------

    def misspelt(self, form: str) -> str:
        """The word with one letter changed, missing, too many, or two letters exchanged."""
        at = self.rng.randrange(len(form))
        letter = self.rng.choice(self.script.pieces)[0]
        ways = [form[:at] + letter + form[at + 1 :], form[:at] + letter + form[at:]]
        if len(form) > 2:
            ways += [form[:at] + form[at + 1 :], form[:at] + form[at : at + 2][::-1] + form[at + 2 :]]
        return self.rng.choice(ways)

    def other_form(self, form: str) -> str:
        """The same word, written in another way."""
        for ways in SAME:
            if form in ways:
                return self.rng.choice(ways)
        return self.rng.choice((form, form.capitalize(), form.upper(), unicodedata.normalize("NFD", form)))

    def other_words(self, tree: Phrase) -> Phrase:
        """A copy of the tree with changed words; it may have none left."""
        became: dict[Leaf, list[Leaf]] = {}
        leaves = tree.leaves()
        contracted = self.contractions(leaves)
        at = 0
        while at < len(leaves):
            leaf = leaves[at]
            if at in contracted:
                first, second = leaves[at : at + 2]
                numbers = (first.made_from[0], second.made_from[0])
                tokens = self.rng.choice(contracted[at])
                became[first] = [Leaf(form, first.tag, tuple(numbers[n] for n in of)) for form, of in tokens]
                became[second] = []
                at += 2
                continue
            became[leaf] = self.changed(leaf)
            at += 1
        flat = [leaf for old in leaves for leaf in became[old]]
        for a, b in pairwise(flat):
            if self.happens(self.changes.joined_words) and a.form and b.form:
                b.form, b.made_from = a.form + b.form, a.made_from + b.made_from
                a.form = ""
        return tree.rebuilt(lambda leaf: [new for new in became[leaf] if new.form])

    def contractions(self, leaves: Sequence[Leaf]) -> dict[int, tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]]:
        """Where contractions stand, and how they may be written."""
        if not self.changes.forms:
            return {}
        return {
            at: ways
            for at in range(len(leaves) - 1)
            for ways in CONTRACTIONS
            if (leaves[at].form, leaves[at + 1].form) == (ways[0][0][0], ways[0][1][0])
        }

    def changed(self, leaf: Leaf) -> list[Leaf]:
        """What becomes of a word."""
        changes, form = self.changes, leaf.form
        leaves: list[Leaf] = []
        if self.happens(changes.extra_words):
            leaves.append(self.leaf(self.rng.choice(self.words)))
        if self.happens(changes.missing_words):
            return leaves
        if self.happens(changes.forms):
            form = self.other_form(form)
        elif len(form) > 2 and self.happens(changes.misspelt):
            form = self.misspelt(form)
        if len(form) > 1 and form.isalpha() and self.happens(changes.split_words):
            cut = self.rng.randrange(1, len(form))
            leaves += [Leaf(part, leaf.tag, leaf.made_from) for part in (form[:cut], form[cut:])]
        else:
            leaves.append(Leaf(form, leaf.tag, leaf.made_from))
        return leaves

    def other_brackets(self, tree: Phrase) -> Phrase:
        """A copy of the tree with some labels and brackets changed."""
        children: list[Phrase | Leaf] = []
        for child in tree.children:
            if isinstance(child, Leaf):
                children.append(child)
            else:
                copy = self.other_brackets(child)
                children += copy.children if self.happens(self.changes.brackets / 2) else [copy]
        label = self.rng.choice(PHRASES) if self.happens(self.changes.brackets / 2) else tree.label
        return Phrase(label, children)

    # Sentences -------------------------------------------------------------------------------------------------------

    def document(self, sentences: int, least: int, most: int) -> Document:
        """A document of that many sentences of `least` to `most` words and a full stop."""
        changes = self.changes
        gold: list[Phrase] = []
        test: list[Phrase] = []
        links: list[tuple[int, int]] = []  # of empty trees, which have no words to tell where they belong
        may_join = False  # whether the next sentence may change its boundary with the one before
        for _ in range(sentences):
            tree = self.sentence(least, most)
            if gold and self.happens(changes.repeated):  # the same words once more
                tree = self.rng.choice(gold).rebuilt(lambda leaf: [self.leaf(leaf.form)])
            other = self.other_brackets(self.other_words(tree))
            words = len(other.leaves())
            gold.append(tree)
            if self.happens(changes.extra):
                test.append(self.sentence(least, most))
                may_join = False
            if self.happens(changes.missing):
                may_join = False
            elif self.happens(changes.empty) or not words:
                # An empty tree on either side, in its place.
                links.append((len(gold) - 1, len(test)))
                empty = Phrase("TOP", [Phrase("")])
                if self.happens(0.3) and words:
                    gold[-1], empty = empty, other
                test.append(empty)
                may_join = False
            elif may_join and self.happens(changes.merges):
                test[-1] = joined(test[-1], other)
                may_join = False
            elif may_join and words > 1 and self.happens(changes.shifts):
                first, second = parted(other, self.rng.randrange(1, words))
                test[-1] = joined(test[-1], first)
                test.append(second)
                may_join = False
            elif words > 1 and self.happens(changes.splits):
                test += parted(other, self.rng.randrange(1, words))
                may_join = False
            else:
                test.append(other)
                may_join = True
        gold_text, test_text = ("".join(f"{tree}\n" for tree in trees) for trees in (gold, test))
        made = [[[leaf.made_from for leaf in tree.leaves()] for tree in trees] for trees in (gold, test)]
        blocks = true_blocks(made[0], made[1], links)
        groups = [true_groups(made[0][b.gold : b.gold_end], made[1][b.test : b.test_end]) for b in blocks]
        return Document(gold_text, test_text, blocks, groups)


Numbers = tuple[int, ...]


def partners(a: Sequence[Sequence[int]], b: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """The places on both sides that share a number."""
    places: dict[int, list[int]] = {}
    for j, numbers in enumerate(b):
        for number in numbers:
            places.setdefault(number, []).append(j)
    for i, numbers in enumerate(a):
        for number in numbers:
            for j in places.get(number, ()):
                yield i, j


def closed(size: int, other: int, links: Sequence[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """The smallest ranges of both sides that no link leaves; what has no link is in one only if it is in between."""
    ranges: list[tuple[int, int, int, int]] = []
    for i, j in sorted(links):
        start, end, over, over_end = i, i + 1, j, j + 1
        while ranges and (ranges[-1][1] > start or ranges[-1][3] > over):
            last = ranges.pop()
            start, end = min(start, last[0]), max(end, last[1])
            over, over_end = min(over, last[2]), max(over_end, last[3])
        ranges.append((start, end, over, over_end))
    assert not ranges or (ranges[-1][1] <= size and ranges[-1][3] <= other)
    return ranges


def true_blocks(
    gold: Sequence[Sequence[Numbers]], test: Sequence[Sequence[Numbers]], links: Sequence[tuple[int, int]]
) -> list[Block]:
    """Blocks by the numbers of the words; what belongs to no other side stands alone, test first."""
    flat = [[[number for numbers in tree for number in numbers] for tree in side] for side in (gold, test)]
    blocks: list[Block] = []
    i = j = 0
    end = (len(gold), len(gold), len(test), len(test))
    for block in [*closed(len(gold), len(test), [*partners(*flat), *links]), end]:
        blocks += [Block(i, i, k, k + 1) for k in range(j, block[2])]
        blocks += [Block(k, k + 1, block[2], block[2]) for k in range(i, block[0])]
        if block != end:
            blocks.append(Block(*block))
        i, j = block[1], block[3]
    return blocks


def true_groups(gold: Sequence[Sequence[Numbers]], test: Sequence[Sequence[Numbers]]) -> list[Group]:
    """Groups of a block by the numbers of the words; a word without partner joins the group on its right."""
    a = [numbers for tree in gold for numbers in tree]
    b = [numbers for tree in test for numbers in tree]
    groups: list[Group] = []
    i = j = 0
    for _, gold_end, _, test_end in closed(len(a), len(b), list(partners(a, b))):
        groups.append(Group(i, gold_end, j, test_end))
        i, j = gold_end, test_end
    if groups:
        groups[-1] = groups[-1]._replace(gold_end=len(a), test_end=len(b))
    return groups


def document(
    seed: int,
    sentences: int = 40,
    *,
    script: str = "latin",
    words: tuple[int, int] = (4, 30),
    vocabulary: int = 2_000,
    changes: Changes,
) -> Document:
    """A document of this many sentences, each with a full stop and so many words before it."""
    rng = random.Random(f"document {seed}")
    return Maker(rng, SCRIPTS[script], changes, vocabulary).document(sentences, *words)


def random_document(seed: int) -> Document:
    """A small document in which anything may happen, most often only a few things."""
    rng = random.Random(f"random document {seed}")
    rates = {name: rng.choice((0.0, 0.0, 0.0, 0.1, 0.3)) for name in Changes.__dataclass_fields__}
    script = rng.choice(("tiny", "tiny", *SCRIPTS))
    least = rng.choice((0, 1, 3))
    maker = Maker(rng, SCRIPTS[script], Changes(**rates), rng.choice((3, 20, 200)))
    return maker.document(rng.choice((1, 2, 3, 5, 8)), least, least + rng.choice((1, 3, 6)))


# ---------------------------------------------------------------------------------------------------------------------
# Speed
# ---------------------------------------------------------------------------------------------------------------------


def large_document(
    sentences: int = 50_000, *, splits: float = 0.05, merges: float = 0.05, misspelt: float = 0.03, seed: int = 0
) -> Document:
    """A document in time proportional to its length, without the groups of its words.

    Its trees are flat: a sentence is a list of phrases of one to four words, and is split between phrases.
    """
    rng = random.Random(f"large document {seed}")
    maker = Maker(rng, SCRIPTS["latin"], Changes(), 20_000)
    words, labels = maker.words, PHRASES[:4]
    gold: list[str] = []
    test: list[str] = []
    blocks: list[Block] = []
    waiting: list[str] = []  # the phrases of a test sentence that the next one joins
    gold_start = 0

    def written(phrases: Sequence[str]) -> str:
        return f"(TOP (S {' '.join(phrases)}))\n"

    for number in range(sentences):
        there: list[str] = []
        here: list[str] = []
        for _ in range(rng.randint(2, 12)):
            label = rng.choice(labels)
            forms = [words[int(len(words) * rng.random() ** 2)] for _ in range(rng.randint(1, 4))]
            others = [maker.misspelt(form) if len(form) > 2 and rng.random() < misspelt else form for form in forms]
            there.append(f"({label} {' '.join(f'(NN {form})' for form in forms)})")
            here.append(f"({label} {' '.join(f'(NN {form})' for form in others)})")
        there.append("(. .)")
        here.append("(. .)")
        gold.append(written(there))
        if not waiting and number + 1 < sentences and rng.random() < merges:
            waiting = [f"(S {' '.join(here)})"]
            continue
        start = len(test)
        if waiting:
            test.append(written([*waiting, f"(S {' '.join(here)})"]))
            waiting = []
        elif rng.random() < splits:
            cut = rng.randrange(1, len(here))
            test += [written(here[:cut]), written(here[cut:])]
        else:
            test.append(written(here))
        blocks.append(Block(gold_start, number + 1, start, len(test)))
        gold_start = number + 1
    return Document("".join(gold), "".join(test), blocks)


if __name__ == "__main__":
    made = random_document(int(sys.argv[1]))
    print(made.gold, made.test, sep="\n")
    for block_made, groups_made in zip(made.blocks, made.groups, strict=True):
        print(tuple(block_made), [tuple(group) for group in groups_made])
