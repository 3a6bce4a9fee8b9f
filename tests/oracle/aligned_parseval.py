"""Plain re-implementation of alignment-based PARSEVAL with sound alignment, the oracle of the differential tests.

The measure is that of Jo, Park & Park (2024). Sentences and words of the two sides need not agree: sentences are
aligned to blocks, the words of a block to groups, and brackets are compared by the groups they span. Written from these
rules only; the comments name them by number.

1. Read trees by bracket balance, ASCII white space only; line breaks mean nothing, empty trees are legal.
2. Normalise words, for comparison only: case, quotes, dashes, escapes, contractions.
3. Align sentences: at common offsets if both sides have the same characters; otherwise cut at unique equal
   sentences, and take the cheapest alignment in between. Sentences without partner get rows of their own.
4. Align the words of a block: least edit distance, most groups, most equal groups, then a word without partner joins
   the group on its right.
5. Count brackets: some root labels ignored on both sides, labels cut, brackets without words dropped, multisets.
6. Compare tags inside groups.
7. The length is the number of gold words of the block.
8. Parameters as EVALB has them (deleted labels, equal labels) change what is counted, and align all the same.

    python -m oracle.aligned_parseval gold test          prints the rows, in the folder above

Readable first, never tuned. What the rules leave open, what was chosen, and the recorded case that decides it
("open": no case tells the readings apart):

*  2, the order is: NFC, case folding, NFC (d11); quotes, dashes, bracket escapes, backslashes. A dash that is an
   em wide becomes two hyphens, all others one: open. A backslash that ends a word stays: open.
*  2, of the expanded and the unexpanded reading the cheaper counts: one reading for both sides of a whole block or
   group of sentences, unexpanded when they cost the same. Always expanding is ruled out by b07. A choice for each
   contraction is possible too: open.
*  2, a contraction inside a joined token (don't) is expanded as well; ca and wo must be the whole rest of that
   token, or the whole word before the word n't, be it in the same tree or in the one before: open.
*  3, an empty tree at a common offset: pairs with an empty tree at that offset, otherwise it stays alone; strictly
   inside a block it belongs to the block. Open.
*  3, unique equal sentences that cross: the chain with most characters stays, then with most sentences, then, from
   the left, the one that comes first in gold. Open; characters, since that is what leaving a sentence costs.
*  3, half a unit for each sentence beyond 1-1: (n + m − 2) / 2. Open between that and (max(n, m) − 1) / 2.
*  3, a group is not allowed if its distance is above half the longer side: exactly half is allowed (d07); both are
   taken from the reading chosen.
*  3, an empty tree pairs with a sentence just below the cost of leaving it: at that cost, since more groups win
   (c22, c23).
*  3, further ties, from the left: a group before leaving a sentence, the smallest group first, with least gold
   sentences first, and leaving a test sentence before leaving a gold one (c27). Otherwise open.
*  4, to join the group on the right: from the left, every group is as small as can be (b21, b22, d02). If n-m and
   m-n are equally small, the one with less gold words: open.
*  5, ignored labels are ignored anywhere in the tree, after cutting. Open.
*  6, a word without a tag of its own, as in (NP the dog), is right if its partner has no tag either. Open.
*  6, the normalised word is that of the block's reading. Open; b07 rules out the expanded one.
*  8, sentences are aligned by all words, words and tags only by those left. Open. Deleted labels take words away if
   they are tags, and only the bracket if not (e18). Words of DELETE_LABEL_FOR_LENGTH are not in the length (e09).
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

# ---------------------------------------------------------------------------------------------------------------------
# 1. Trees
# ---------------------------------------------------------------------------------------------------------------------

PIECE = re.compile(r"\(([^ \t\n\v\f\r()]*)|(\))|([^ \t\n\v\f\r()]+)|[ \t\n\v\f\r]+")


class Word(NamedTuple):
    form: str
    tag: str | None


class Bracket(NamedTuple):
    label: str
    start: int
    end: int


@dataclass
class Tree:
    """The words of a tree, and its brackets over them in the order in which they open."""

    words: list[Word] = field(default_factory=list)
    brackets: list[Bracket] = field(default_factory=list)


@dataclass
class Open:
    """A node that is not closed yet; `children` counts words and nodes."""

    label: str
    start: int
    place: int
    children: int = 0
    bare: bool = False


def read(text: str) -> list[Tree]:
    """The trees of a file; a node over a single word and nothing else is a tag, every other node a bracket."""
    trees: list[Tree] = []
    stack: list[Open] = []
    tree = Tree()
    placed: list[Bracket | None] = []
    for piece in PIECE.finditer(text):
        label, closing, word = piece.groups()
        if label is not None:
            if stack:
                stack[-1].children += 1
                stack[-1].bare = False
            else:
                tree, placed = Tree(), []
            stack.append(Open(label, len(tree.words), len(placed)))
            placed.append(None)
        elif word is not None:
            if not stack:
                raise ValueError(f"text outside of brackets: {word}")
            stack[-1].children += 1
            stack[-1].bare = True
            tree.words.append(Word(word, None))
        elif closing is not None:
            if not stack:
                raise ValueError("a closing bracket too many")
            node = stack.pop()
            if node.children == 1 and node.bare:
                tree.words[-1] = Word(tree.words[-1].form, node.label)
            else:
                placed[node.place] = Bracket(node.label, node.start, len(tree.words))
            if not stack:
                tree.brackets = [bracket for bracket in placed if bracket]
                trees.append(tree)
    if stack:
        raise ValueError("a closing bracket is missing")
    return trees


# ---------------------------------------------------------------------------------------------------------------------
# 2. Normalisation
# ---------------------------------------------------------------------------------------------------------------------

SINGLE_QUOTES = "‘’‚‛′‹›´`＇"
DOUBLE_QUOTES = "“”„‟″«»＂"
DASHES = "‐‑‒–−﹣－"
LONG_DASHES = "—―"
ESCAPES = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
CHARACTERS = str.maketrans(
    dict.fromkeys(SINGLE_QUOTES, "'")
    | dict.fromkeys(DOUBLE_QUOTES, '"')
    | dict.fromkeys(DASHES, "-")
    | dict.fromkeys(LONG_DASHES, "--")
)
FULL_FORMS = {"ca": "can", "wo": "will"}


@dataclass(frozen=True)
class Forms:
    """How words are made comparable: the Unicode form, and whether Hangul is compared by letters."""

    unicode: str = "NFC"
    letters: bool = False


AS_USUAL = Forms()


def normalise(form: str, forms: Forms = AS_USUAL) -> str:
    """The word as it is compared, contractions left as they are."""

    def composed(text: str) -> str:
        return unicodedata.normalize("NFKC" if forms.unicode == "NFKC" else "NFC", text)

    text = composed(composed(form).casefold()).translate(CHARACTERS).replace("''", '"')
    for escape, bracket in ESCAPES.items():
        text = text.replace(escape, bracket)
    text = re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
    return "".join(letters_of(text)) if forms.letters else text


def letters_of(text: str) -> Iterator[str]:
    """Hangul syllables and conjoining letters as the letters of everyday spelling, other characters as they are."""
    for character in text:
        for part in unicodedata.normalize("NFD", character) if "가" <= character <= "힣" else character:
            name = re.sub("^HANGUL (CHO|JUNG|JONG)SEONG ", "HANGUL LETTER ", unicodedata.name(part, ""))
            try:
                yield unicodedata.lookup(name)
            except KeyError:  # controls have no name, letters of old texts no other form
                yield part


class Text(NamedTuple):
    """The two readings of a word."""

    plain: str
    expanded: str


def texts_of(trees: Sequence[Tree], forms: Forms = AS_USUAL) -> list[list[Text]]:
    """The readings of all words of a side, tree by tree."""
    plain = [normalise(word.form, forms) for tree in trees for word in tree.words]
    expanded = list(plain)
    for at, text in enumerate(plain):
        if text.endswith("n't"):
            stem = text.removesuffix("n't")
            expanded[at] = FULL_FORMS.get(stem, stem) + "not"
            if not stem and at and plain[at - 1] in FULL_FORMS:
                expanded[at - 1] = FULL_FORMS[plain[at - 1]]
    every = iter([Text(*pair) for pair in zip(plain, expanded, strict=True)])
    return [[next(every) for _ in tree.words] for tree in trees]


def readings(gold: Iterable[Text], test: Iterable[Text]) -> Iterator[tuple[list[str], list[str]]]:
    """Both sides unexpanded, then both expanded."""
    gold, test = list(gold), list(test)
    yield [text.plain for text in gold], [text.plain for text in test]
    yield [text.expanded for text in gold], [text.expanded for text in test]


# ---------------------------------------------------------------------------------------------------------------------
# Edit distance
# ---------------------------------------------------------------------------------------------------------------------


def distance(a: str, b: str) -> int:
    """Levenshtein's distance with unit costs."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]


def distances(a: str, b: str) -> list[int]:
    """distance(a, b[:j]) for all j, a column at a time: the bits of `up` and `down` are the steps from row to row."""
    mask = (1 << len(a)) - 1
    places: dict[str, int] = {}
    for i, x in enumerate(a):
        places[x] = places.get(x, 0) | 1 << i
    up, down, actual = mask, 0, [len(a)]
    for y in b:
        equal = places.get(y, 0)
        no_more = (((equal & up) + up) ^ up) | equal | down  # diagonal steps that cost nothing
        right, left = (down | ~(no_more | up)) & mask, up & no_more  # steps from column to column
        step = (right >> len(a) - 1) - (left >> len(a) - 1) if a else 1
        actual.append(actual[-1] + step)
        right, left = right << 1 | 1, left << 1
        up, down = (left | ~(no_more | right)) & mask, right & no_more & mask
    return actual


# ---------------------------------------------------------------------------------------------------------------------
# 3. Sentences
# ---------------------------------------------------------------------------------------------------------------------


class Block(NamedTuple):
    """Gold trees [gold, gold_end) and test trees [test, test_end) that belong together; one side may be missing."""

    gold: int
    gold_end: int
    test: int
    test_end: int


Sentences = Sequence[Sequence[Text]]


def plain_text(sentence: Sequence[Text]) -> str:
    return "".join(text.plain for text in sentence)


def align_sentences(gold: Sentences, test: Sentences) -> list[Block]:
    """The blocks of a document in order; every tree of either side is in exactly one."""
    if "".join(map(plain_text, gold)) == "".join(map(plain_text, test)):
        return cut_at_common_offsets([len(plain_text(s)) for s in gold], [len(plain_text(s)) for s in test])
    blocks: list[Block] = []
    at, over = 0, 0
    for i, j in [*anchors(gold, test), (len(gold), len(test))]:
        for block in align_gap(gold[at:i], test[over:j]):
            blocks.append(Block(at + block.gold, at + block.gold_end, over + block.test, over + block.test_end))
        if (i, j) != (len(gold), len(test)):
            blocks.append(Block(i, i + 1, j, j + 1))
        at, over = i + 1, j + 1
    return blocks


def cut_at_common_offsets(gold: Sequence[int], test: Sequence[int]) -> list[Block]:
    """Blocks of two sides with the same characters, given the lengths of their sentences."""
    blocks: list[Block] = []
    i = j = 0
    while i < len(gold) or j < len(test):
        if (i == len(gold) or gold[i]) and j < len(test) and not test[j]:
            blocks.append(Block(i, i, j, j + 1))
            j += 1
        elif (j == len(test) or test[j]) and i < len(gold) and not gold[i]:
            blocks.append(Block(i, i + 1, j, j))
            i += 1
        else:
            start, over, ahead = i, j, gold[i] - test[j]
            i, j = i + 1, j + 1
            while ahead:
                if ahead > 0:
                    ahead, j = ahead - test[j], j + 1
                else:
                    ahead, i = ahead + gold[i], i + 1
            blocks.append(Block(start, i, over, j))
    return blocks


def anchors(gold: Sentences, test: Sentences) -> list[tuple[int, int]]:
    """Equal sentences that occur once on each side, in common order."""
    gold_texts, test_texts = list(map(plain_text, gold)), list(map(plain_text, test))
    once = Counter(gold_texts)
    once_in_test = Counter(test_texts)
    pairs = [
        (i, test_texts.index(text))
        for i, text in enumerate(gold_texts)
        if text and once[text] == 1 and once_in_test[text] == 1
    ]
    best: dict[int, tuple[int, int, int]] = {}  # of chains that begin here: characters, sentences, the next one
    for at in range(len(pairs) - 1, -1, -1):
        chains = [(0, 0, 0)]
        chains += [(best[k][0], best[k][1], -k) for k in range(at + 1, len(pairs)) if pairs[k][1] > pairs[at][1]]
        characters, sentences, following = max(chains)
        best[at] = (characters + len(gold_texts[pairs[at][0]]), sentences + 1, -following)
    chain: list[tuple[int, int]] = []
    if pairs:
        at = max(best, key=lambda k: (best[k][0], best[k][1], -k))
        while True:
            chain.append(pairs[at])
            if not best[at][2]:
                break
            at = best[at][2]
    return chain


def align_gap(gold: Sentences, test: Sentences) -> list[Block]:
    """The cheapest blocks, in half units; then most groups; then the first found in the order of `moves`."""
    best: dict[tuple[int, int], tuple[int, int]] = {(len(gold), len(test)): (0, 0)}
    chosen: dict[tuple[int, int], Block] = {}
    for i in range(len(gold), -1, -1):
        for j in range(len(test), -1, -1):
            for cost, block in moves(gold, test, i, j):
                rest, groups = best[block.gold_end, block.test_end]
                aligned = block.gold_end > i and block.test_end > j
                total = (cost + rest, groups - aligned)
                if (i, j) not in best or total < best[i, j]:
                    best[i, j], chosen[i, j] = total, block
    blocks: list[Block] = []
    i = j = 0
    while (i, j) in chosen:
        blocks.append(chosen[i, j])
        i, j = blocks[-1].gold_end, blocks[-1].test_end
    return blocks


def moves(gold: Sentences, test: Sentences, i: int, j: int) -> list[tuple[int, Block]]:
    """What may begin at gold sentence i and test sentence j, with its cost in half units, what is preferred first."""
    items = [(cost, Block(i, i + n, j, j + m)) for (n, m), cost in groups_from(gold[i:], test[j:]).items()]
    items.sort(key=lambda move: (move[1].gold_end + move[1].test_end, move[1].gold_end))
    if j < len(test):
        items.append((2 * len(plain_text(test[j])), Block(i, i, j, j + 1)))
    if i < len(gold):
        items.append((2 * len(plain_text(gold[i])), Block(i, i + 1, j, j)))
    return items


def groups_from(gold: Sentences, test: Sentences) -> dict[tuple[int, int], int]:
    """The costs of all allowed groups of the first n and the first m sentences, in half units."""
    nearest: dict[tuple[int, int], tuple[int, bool]] = {}
    over = [text for sentence in test for text in sentence]
    for n in range(1, len(gold) + 1):
        for a, b in readings((text for sentence in gold[:n] for text in sentence), over):
            actual = distances("".join(a), "".join(b))
            words = 0
            for m in range(1, len(test) + 1):
                words += len(test[m - 1])
                length, other = len("".join(a)), len("".join(b[:words]))
                allowed = 2 * actual[other] <= max(length, other) or (n == m == 1 and not (length and other))
                if (n, m) not in nearest or actual[other] < nearest[n, m][0]:
                    nearest[n, m] = (actual[other], allowed)
    return {(n, m): 2 * cost + n + m - 2 for (n, m), (cost, allowed) in nearest.items() if allowed}


# ---------------------------------------------------------------------------------------------------------------------
# 4. Words
# ---------------------------------------------------------------------------------------------------------------------


class Group(NamedTuple):
    """Gold words [gold, gold_end) and test words [test, test_end) of a block that belong together."""

    gold: int
    gold_end: int
    test: int
    test_end: int


def align_words(gold: Sequence[Text], test: Sequence[Text]) -> tuple[list[Group], list[str], list[str]]:
    """The groups of a block, and the words of both sides in the reading in which they were found."""
    plain, expanded = readings(gold, test)
    a, b = min(plain, expanded, key=lambda sides: distance("".join(sides[0]), "".join(sides[1])))
    return group_words(a, b), a, b


def offsets(words: Sequence[str]) -> list[int]:
    """Where the words begin, and the end."""
    items = [0]
    for word in words:
        items.append(items[-1] + len(word))
    return items


def group_words(a: Sequence[str], b: Sequence[str]) -> list[Group]:
    """Least distance, most groups, most equal groups, then the smallest group first from the left.

    All words in one group have the distance of the two texts, and no cut makes the sum of the distances less. So
    a cut never costs anything, and all the distance there is behind it is the distance of what follows.
    """
    if not a or not b:
        return []
    a_at, b_at = offsets(a), offsets(b)
    a_text, b_text = "".join(a), "".join(b)
    behind: dict[tuple[int, int], int] = {}  # the distance of what follows
    for i in range(len(a) + 1):
        backwards = distances(a_text[a_at[i] :][::-1], b_text[::-1])
        for j in range(len(b) + 1):
            behind[i, j] = backwards[b_at[-1] - b_at[j]]
    before: dict[tuple[int, int], int] = {}
    for i in range(len(a) + 1):
        forwards = distances(a_text[: a_at[i]], b_text)
        for j in range(len(b) + 1):
            before[i, j] = forwards[b_at[j]]

    best: dict[tuple[int, int], tuple[int, int]] = {(len(a), len(b)): (0, 0)}  # from here on: groups, equal ones
    chosen: dict[tuple[int, int], Group] = {}
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            if before[i, j] + behind[i, j] > behind[0, 0]:
                continue  # no cheapest way leads through this cut
            options: list[tuple[tuple[int, int], int, int, Group]] = []
            for k in range(i + 1, len(a) + 1):
                actual = distances(a_text[a_at[i] : a_at[k]], b_text[b_at[j] :])
                for m in range(j + 1, len(b) + 1):
                    if (k, m) in best and actual[b_at[m] - b_at[j]] + behind[k, m] == behind[i, j]:
                        groups, equal = best[k, m]
                        equal += a_text[a_at[i] : a_at[k]] == b_text[b_at[j] : b_at[m]]
                        options.append(((groups + 1, equal), -(k + m), -k, Group(i, k, j, m)))
            if options:
                best[i, j], _, _, chosen[i, j] = max(options)
    groups_found: list[Group] = []
    i = j = 0
    while (i, j) in chosen:
        groups_found.append(chosen[i, j])
        i, j = groups_found[-1].gold_end, groups_found[-1].test_end
    return groups_found


# ---------------------------------------------------------------------------------------------------------------------
# 5-8. Counts
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameters:
    """What is counted; the labels are those of an EVALB parameter file."""

    ignored: frozenset[str] = frozenset({"", "TOP", "S1"})
    delete: frozenset[str] = frozenset()
    delete_for_length: frozenset[str] = frozenset()
    equal: tuple[tuple[str, ...], ...] = ()
    forms: Forms = AS_USUAL


PLAIN = Parameters()

COLLINS = Parameters(
    delete=frozenset({"TOP", "-NONE-", ",", ":", "``", "''", "."}),
    delete_for_length=frozenset({"-NONE-"}),
    equal=(("ADVP", "PRT"),),
)


def parameters_of(text: str) -> Parameters:
    """The parameter file, as far as it means something here."""
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return Parameters(
        delete=frozenset(line[1] for line in lines if line[0] == "DELETE_LABEL"),
        delete_for_length=frozenset(line[1] for line in lines if line[0] == "DELETE_LABEL_FOR_LENGTH"),
        equal=tuple(tuple(line[1:]) for line in lines if line[0] == "EQ_LABEL"),
    )


class Counts(NamedTuple):
    """One row."""

    length: int
    matched: int
    gold: int
    test: int
    crossing: int
    words: int
    tags: int


@dataclass
class Scored:
    """What a run gives; the groups of a block that has only one side are an empty list."""

    blocks: list[Block]
    groups: list[list[Group]]
    counts: list[Counts]

    def rows(self) -> list[list[float]]:
        """The rows with the twelve columns of the published script."""
        return [
            [
                number,
                row.length,
                0,
                percent(row.matched, row.gold),
                percent(row.matched, row.test),
                row.matched,
                row.gold,
                row.test,
                row.crossing,
                row.words,
                row.tags,
                percent(row.tags, row.words),
            ]
            for number, row in enumerate(self.counts, 1)
        ]

    def total(self) -> Counts:
        return Counts(*map(sum, zip(*self.counts, strict=True))) if self.counts else Counts(0, 0, 0, 0, 0, 0, 0)


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def score(gold: str, test: str, parameters: Parameters = PLAIN) -> Scored:
    """Two files, aligned and counted."""
    gold_trees, test_trees = read(gold), read(test)
    gold_texts, test_texts = texts_of(gold_trees, parameters.forms), texts_of(test_trees, parameters.forms)
    scored = Scored(align_sentences(gold_texts, test_texts), [], [])
    for block in scored.blocks:
        gold_side = Side(gold_trees, gold_texts, block.gold, block.gold_end, parameters)
        test_side = Side(test_trees, test_texts, block.test, block.test_end, parameters)
        groups, gold_words, test_words = align_words(gold_side.texts, test_side.texts)
        scored.groups.append(groups)
        scored.counts.append(count(gold_side, test_side, groups, gold_words, test_words))
    return scored


class Side:
    """One side of a block: the trees one behind the other, after deletions."""

    def __init__(self, trees: Sequence[Tree], texts: Sentences, start: int, end: int, parameters: Parameters) -> None:
        self.texts: list[Text] = []
        self.tags: list[str | None] = []
        self.brackets: list[Bracket] = []
        self.length = 0
        for tree, tree_texts in zip(trees[start:end], texts[start:end], strict=True):
            places = [len(self.texts)]
            for word, text in zip(tree.words, tree_texts, strict=True):
                if word.tag not in parameters.delete:
                    self.texts.append(text)
                    self.tags.append(word.tag)
                if word.tag not in parameters.delete_for_length:
                    self.length += 1
                places.append(len(self.texts))
            for bracket in tree.brackets:
                label = cut(bracket.label)
                counts = label not in parameters.ignored and label not in parameters.delete
                if counts and places[bracket.start] < places[bracket.end]:
                    label = next((line[0] for line in parameters.equal if label in line), label)
                    self.brackets.append(Bracket(label, places[bracket.start], places[bracket.end]))


def cut(label: str) -> str:
    """The label up to its first - or =, unless that is its first character."""
    return re.sub(r"(?<=.)[-=].*", "", label, flags=re.DOTALL)


def count(
    gold: Side, test: Side, groups: Sequence[Group], gold_words: Sequence[str], test_words: Sequence[str]
) -> Counts:
    """The row of a block."""
    matched = crossing = tags = 0
    if groups:
        gold_spans = spans(gold.brackets, [n for n, group in enumerate(groups) for _ in range(*group[:2])])
        test_spans = spans(test.brackets, [n for n, group in enumerate(groups) for _ in range(*group[2:])])
        matched = sum((Counter(gold_spans) & Counter(test_spans)).values())
        crossing = sum(any(crosses(bracket, other) for other in gold_spans) for bracket in test_spans)
        for group in groups:
            there = list(zip(gold.tags, gold_words, strict=True))[group.gold : group.gold_end]
            here = list(zip(test.tags, test_words, strict=True))[group.test : group.test_end]
            if len(there) == len(here) == 1:
                tags += there[0][0] == here[0][0]
            else:
                tags += sum((Counter(there) & Counter(here)).values())
    return Counts(gold.length, matched, len(gold.brackets), len(test.brackets), crossing, len(gold.texts), tags)


def spans(brackets: Sequence[Bracket], group_of: Sequence[int]) -> list[Bracket]:
    """The brackets, widened to the groups in which they begin and end."""
    return [Bracket(label, group_of[start], group_of[end - 1] + 1) for label, start, end in brackets]


def crosses(a: Bracket, b: Bracket) -> bool:
    return a.start < b.start < a.end < b.end or b.start < a.start < b.end < a.end


if __name__ == "__main__":
    result = score(Path(sys.argv[1]).read_text("utf-8"), Path(sys.argv[2]).read_text("utf-8"))
    for row_printed in result.rows():
        print(*row_printed, sep="\t")
