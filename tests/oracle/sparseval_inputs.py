"""Random input for sparseval, headtrees and strealign, the same for the same seed.

    python -m oracle.sparseval_inputs SEED          prints one case, in the folder above

Small but nasty: edits, unary chains, empty categories, words that join or split against the alignment, odd
spacing, missing labels, faulty files. Each feature is switched on or off once per case, so that many combinations
occur while most runs still reach their summary. Some input is undefined in the original (section 17 of the
specification); the oracle says so, and the differential test leaves it out.
"""

from __future__ import annotations

import copy
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from oracle.sparseval import (
    GOLD_PLACEHOLDER,
    LONGEST_PIECE,
    TEST_PLACEHOLDER,
    Node,
    Sparseval,
    Stop,
    Undefined,
    f_measure,
    lines_of,
    nodes_with_words,
    normalise_edits,
    ratio,
    two_decimals,
)

PHRASES = (b"S", b"NP", b"VP", b"PP", b"ADVP", b"PRT", b"SBAR", b"X", b"INTJ")
ROOTS = (b"TOP", b"TOP", b"TOP", b"TOP", b"S1", b"S", b"ROOT", b"NP", b"EDITED", b"")
TAGS = (b"NN", b"DT", b"VBZ", b"IN", b"JJ", b"PRP", b"RB", b"UH")
ODD_LABELS = (b"-LRB-", b"-X-Y", b"=", b"--", b"np", b"*default*", b"N(P", b"NP)", b"VP-", b"S=", b"NP\tX", b"\xc3\x89")
SUFFIXES = (b"-SBJ", b"=2", b"-TMP-1", b"--Q", b"-", b"=", b"-LOC=1")
EDITS = (b"EDITED", b"EDITED", b"EDIT2")
PUNCTUATION = ((b",", b","), (b".", b"."), (b",", b"--"), (b".", b"?"), (b":", b";"))
TRACES = (b"*", b"0", b"*T*-1")
WORDS = (b"a", b"b", b"the", b"dog", b"hound", b"cat", b"ice", b"cream", b"does", b"n't", b"we", b"go", b"top")
CASED = (b"A", b"The", b"DOG", b"Ice", b"TOP", b"WE")
FILLERS = (b"uh", b"um", b"mm-hm", b"mmhm", b"yeah", b"UH")
HYPHENED = (
    b"ice-cream",
    b"ice-",
    b"-",
    b"--",
    b"x-y",
    b"d-og",
    b"doesn't",
    b"icecream",
    b"cre-am",
    b"-a-",
    b"aHnullI",
    b"the-hNULLi",
)
STRANGE = (
    b"1",
    b"Q",
    b".N",
    b"n.",
    b"$",
    b"D",
    b"[",
    b"{",
    b"\xc3\x89",
    b"\xc3\xa9",
    b"\x10",
    b"\xf0",
    b"\xe6\x9c\xa8",
    b"%s",
    b"\x7f",
    b"\x9f",
)
#: Words that some rule makes equivalent, or nearly so.
RELATED = (
    (b"a", b"A", b"b", b"the", b"-a-", b"The"),
    (b"dog", b"hound", b"cat", b"d-og", b"DOG"),
    (b"uh", b"um", b"UH", b"mm-hm", b"mmhm", b"yeah", b"u-m", b"cat"),
    (b"ice", b"ice-cream", b"icecream", b"Ice", b"ice-"),
    (b"we", b"go", b" go", b"TOP", b"top", b"WE", b"the", b" the"),
    (b"1", b"Q", b"q"),
    (b".N", b"n.", b".n"),
    (b"[", b"{"),
    (b"\xc3\x89", b"\xc3\xa9"),
    (b"\x10", b"\xf0"),
    (b"\x7f", b"\x9f", b"_"),
    (b"-", b"--", b"n't"),
)
UNREADABLE = (b"\xff", b"\0", b"\r")
BETWEEN = (b" ", b" ", b"  ", b"\t", b" \t ", b"")

PARAMETER_LINES = (
    b"DELETE_LABEL TOP",
    b"DELETE_LABEL ,",
    b"DELETE_LABEL .",
    b"DELETE_LABEL :",
    b"EMPTY_NODE -NONE-",
    b"EDIT_LABEL EDITED",
    b"EDIT_LABEL EDIT2",
    b"CLOSED_CLASS IN",
    b"CLOSED_CLASS DT",
    b"EQ_LABEL ADVP PRT",
    b"FILLED_PAUSE1 uh",
    b"FILLED_PAUSE1 um",
    b"FILLED_PAUSE2 mm-hm",
    b"FILLED_PAUSE2 yeah",
    b"EQ_WORDS hound dog",
)
MORE_LINES = (
    b"DELETE_LABEL PRT",
    b"DELETE_LABEL NP",
    b"DELETE_LABEL X",
    b"DELETE_LABEL UH",
    b"DELETE_LABEL gU~l",
    b"DELETE_LABEL tU~l",
    b"EMPTY_NODE X",
    b"EMPTY_NODE UH",
    b"EMPTY_NODE JJ",
    b"EMPTY_NODE TOP",
    b"EDIT_LABEL X",
    b"EDIT_LABEL INTJ",
    b"EDIT_LABEL UH",
    b"CLOSED_CLASS TOP",
    b"CLOSED_CLASS NP",
    b"CLOSED_CLASS UH",
    b"CLOSED_CLASS PRP",
    b"EQ_LABEL PRT X",
    b"EQ_LABEL X VP",
    b"EQ_LABEL X S",
    b"EQ_LABEL NN JJ",
    b"EQ_LABEL S S",
    b"EQ_LABEL TOP NP",
    b"EQ_LABEL INTJ EDITED",
    b"EQ_LABEL NP-SBJ PP",
    b"EQ_LABEL gU~l NP",
    b"EQ_LABEL tU~l NP",
    b"EQ_LABEL RB",
    b"EQ_LABEL RB  NN",
    b"EQ_WORDS a b",
    b"EQ_WORDS b the",
    b"EQ_WORDS cat d-og",
    b"EQ_WORDS ice ICE-CREAM",
    b"EQ_WORDS n't ",
    b"EQ_WORDS we  go",
    b"EQ_WORDS TOP go",
    b"FILLED_PAUSE1 a",
    b"FILLED_PAUSE2 uh",
    b"FILLED_PAUSE10 the",
    b"FILLED_PAUSEx_we",
    b"FILLED_PAUSEx_go",
    b"FILLED_PAUSE xcat",
    b"FILLED_PAUSE xdog",
    b"FILLED_PAUSE3 -",
    b"FILLED_PAUSE3 ",
    b"FILLED_PAUSE\xe9 um",
    b"FILLED_PAUSE\xe9 cat",
    b"DELETE_LABEL NP\xffX",
    b"CLOSED_CLASS NN\0X",
    b"EQ_LABEL S\xff VP",
    b"EQ_WORDS a cat\xff",
)
#: Lines that contradict each other: the last one counts.
CONTRADICTIONS = (
    (b"EQ_LABEL NP VP", b"EQ_LABEL NP PP"),
    (b"EQ_LABEL X S", b"EQ_LABEL X VP", b"EQ_LABEL VP X"),
    (b"EQ_LABEL NN JJ", b"EQ_LABEL NN DT"),
    (b"FILLED_PAUSE1 uh", b"FILLED_PAUSE2 uh", b"FILLED_PAUSE1 um"),
    (b"FILLED_PAUSE\xe9 uh", b"FILLED_PAUSE\xe9 um", b"FILLED_PAUSE1 um"),
    (b"FILLED_PAUSE1 cat", b"FILLED_PAUSE2 d-og", b"FILLED_PAUSE2 cat", b"FILLED_PAUSE1 dog"),
)
DEAD_LINES = (
    b"",
    b"## comment",
    b" DELETE_LABEL S",
    b"DELETE_LABEL\tVP",
    b"DELETE_LABEL VP ",
    b"DELETE_LABEL  VP",
    b"DELETE_LABEL VP # note",
    b"delete_label VP",
    b"DELETE_LABEL VP\r",
    b"DELETE_LABEL ",
    b"EMPTY_NODE",
    b"EQ_WORD a cat",
    b"CUTOFF_LEN 40",
    b"LABELED 1",
    b"FILLED_PAUSE",
    b"FILLED_PAUSE1",
    b"CLOSED_CLASS the",
    b"EDIT_LABEL NP-X",
    b"EQ_LABEL NP-SBJ VP",
)
HEAD_LINES = (
    b"S (r VP) (r S)",
    b"NP (r NN NNS PRP) (r NP)",
    b"VP (l VBZ VP) (l VP)",
    b"PP (l IN) (r PP)",
    b"SBAR (l IN) (r S)",
    b"X (r EDITED) (l)",
    b"INTJ (r UH)",
    b"PRT (r RB)",
    b"ADVP (l)",
)
MORE_HEADS = (
    b"X",
    b"",
    b"   ",
    b"  NP  (l DT)",
    b"NP (rNN JJ)",
    b"VP (left VBZ)",
    b"S ( l )",
    b"S () l VP)",
    b"VP (r EDITED EDIT2) (l)",
    b"NP (lUH)(r gU~l tU~l)",
    b"gU~l (l)",
    b"TOP (l S)",
    b"VP (r",
    b"VP r VBZ)",
    b"VP (r VBZ) x",
    b"# comment",
    b"*default* (l)",
    b"VP (r VBZ)\r",
    b"A-CATEGORY-OF-THIRTY-CHARACTERS (r)",
)
DEFAULTS = (
    b"*default* (r VP S) (r NN PRP) (r)",
    b"*default* (l)",
    b"*default* (r)",
    b"*default*",
    b"*default* (l VP) (l)",
)

#: How often a feature is on.
FEATURES = {
    "edits": 0.5,
    "empties": 0.35,
    "punctuation": 0.6,
    "suffixes": 0.35,
    "no labels": 0.12,
    "no words": 0.08,
    "spacing": 0.3,
    "hyphens": 0.35,
    "cases": 0.4,
    "fillers": 0.4,
    "strange": 0.1,
    "odd labels": 0.08,
    "word and children": 0.1,
    "blank lines": 0.2,
    "wordless": 0.06,
    "more parameters": 0.4,
    "more heads": 0.2,
    "indented": 0.08,
    "two words": 0.04,
    "ends": 0.05,
    "contradictions": 0.25,
    "rough tokens": 0.3,
}


@dataclass
class Case:
    """The command line with the program's name first, the input files, and the names of files the run may write."""

    argv: list[str]
    files: dict[str, bytes]
    written: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Tree:
    label: bytes
    word: bytes | None = None
    children: list[Tree] = field(default_factory=list)

    def nodes(self) -> list[Tree]:
        return [self, *(below for child in self.children for below in child.nodes())]


class Maker:
    """Makes one case; the random numbers decide everything."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.features = {name for name, often in FEATURES.items() if rng.random() < often}
        self.faulty = rng.random() < 0.25

    def on(self, feature: str, often: float) -> bool:
        return feature in self.features and self.rng.random() < often

    def chance(self, often: float) -> bool:
        return self.rng.random() < often

    def fault(self, often: float) -> bool:
        return self.faulty and self.rng.random() < often

    # Trees

    def word(self) -> bytes:
        pool: Sequence[bytes] = WORDS
        for feature, words in (("cases", CASED), ("fillers", FILLERS), ("hyphens", HYPHENED), ("strange", STRANGE)):
            if self.on(feature, 0.2):
                pool = words
        word = self.rng.choice(pool)
        if self.on("two words", 0.1):
            word += self.rng.choice((b" x", b" ", b"(y"))
        return word

    def other_word(self, word: bytes) -> bytes:
        related = [words for words in RELATED if word in words]
        return self.rng.choice(self.rng.choice(related)) if related and self.chance(0.7) else self.word()

    def label(self) -> bytes:
        label = self.rng.choice(PHRASES)
        if self.on("odd labels", 0.1):
            label = self.rng.choice(ODD_LABELS)
        if self.on("suffixes", 0.25):
            label += self.rng.choice(SUFFIXES)
        if self.on("no labels", 0.15):
            label = b""
        return label

    def leaf(self) -> Tree:
        if self.on("punctuation", 0.2):
            return Tree(*self.rng.choice(PUNCTUATION))
        if self.on("empties", 0.12):
            return Tree(b"-NONE-", self.rng.choice(TRACES))
        tag = self.rng.choice(TAGS)
        if self.on("suffixes", 0.05):
            tag += self.rng.choice(SUFFIXES)
        return Tree(tag, b"" if self.on("no words", 0.08) else self.word())

    def over(self, leaves: list[Tree]) -> Tree:
        """A random tree over these leaves."""
        if len(leaves) == 1 and self.chance(0.75):
            return leaves[0]
        label = self.rng.choice(EDITS) if self.on("edits", 0.22) else self.label()
        node = Tree(label)
        start = 0
        while start < len(leaves):
            end = min(len(leaves), start + self.rng.choice((1, 1, 1, 2, 2, 3, 4)))
            if end - start == len(leaves) and len(leaves) > 1:
                end -= 1
            part = leaves[start:end]
            node.children.append(part[0] if len(part) == 1 and self.chance(0.8) else self.over(part))
            start = end
        if self.on("edits", 0.2):
            # Edits side by side.
            at = self.rng.randrange(len(node.children))
            beside = node.children[at : at + 2]
            node.children[at : at + 2] = [Tree(self.rng.choice(EDITS), None, [child]) for child in beside]
        if self.on("word and children", 0.08):
            node.word = self.word()
        return node

    def tree(self) -> Tree:
        """A gold tree."""
        if self.on("wordless", 0.4):
            return Tree(b"TOP", None, [Tree(b"NP", None, [Tree(b"-NONE-", b"*")])])
        if self.on("wordless", 0.05):
            return Tree(b"TOP", b"hello")
        size = self.rng.choice((1, 1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10))
        return self.rooted([self.leaf() for _ in range(size)])

    def rooted(self, leaves: list[Tree]) -> Tree:
        root = Tree(self.rng.choice(ROOTS))
        if self.chance(0.8) or not leaves:
            root.children = [self.over(leaves)] if leaves else []
        else:
            cut = self.rng.randint(0, len(leaves))
            root.children = [self.over(part) for part in (leaves[:cut], leaves[cut:]) if part]
        return root

    def parsed(self, gold: Tree, *, recognised: bool) -> Tree:
        """A test tree for a gold tree; if its words are recognised ones, there may be more and fewer of them."""
        test = copy.deepcopy(gold)
        if not test.children:
            return test
        if self.chance(0.25):
            leaves = [node for node in test.nodes() if not node.children]
            test = self.rooted(leaves) if leaves else test
        for _ in range(self.rng.choice((0, 0, 1, 1, 2, 3))):
            self.change(test)
        self.change_words(test, recognised=recognised)
        return test

    def change(self, test: Tree) -> None:
        """One error of a parser."""
        phrases = [node for node in test.nodes() if node.children]
        node = self.rng.choice(phrases)
        kind = self.rng.randrange(5)
        if kind == 0 and node is not test:
            node.label = self.label()
        elif kind == 1:
            at = self.rng.randrange(len(node.children))
            child = node.children[at]
            if child.children:
                node.children[at : at + 1] = child.children
        elif kind == 2:
            start, end = sorted(self.rng.sample(range(len(node.children) + 1), 2))
            label = self.rng.choice(EDITS) if self.on("edits", 0.5) else self.label()
            node.children[start:end] = [Tree(label, None, node.children[start:end])]
        elif kind == 3:
            leaf = self.rng.choice([leaf for leaf in test.nodes() if not leaf.children])
            leaf.label = self.rng.choice((*TAGS, b",", b"."))
        elif "edits" in self.features:
            edits = [node for node in phrases if node.label in EDITS and node is not test]
            if edits:
                self.rng.choice(edits).label = self.label()

    def change_words(self, test: Tree, *, recognised: bool) -> None:
        often = self.rng.choice((0.0, 0.05, 0.2, 0.5)) if recognised else self.rng.choice((0.0, 0.0, 0.05, 0.2))
        for node in test.nodes():
            for child in list(node.children):
                if child.children or child.word is None or child not in node.children or not self.chance(often):
                    continue
                kind = self.rng.randrange(6)
                at = node.children.index(child)
                if kind == 0 and recognised:
                    node.children.insert(at, self.leaf())
                elif kind == 1 and (recognised or self.chance(0.3)) and len(node.children) > 1:
                    del node.children[at]
                elif kind == 2 and at + 1 < len(node.children) and not node.children[at + 1].children:
                    joint = self.rng.choice((b"", b"-"))
                    child.word += joint + (node.children[at + 1].word or b"")
                    del node.children[at + 1]
                elif kind == 3 and len(child.word) > 1 and (recognised or self.fault(0.5)):
                    cut = self.rng.randrange(1, len(child.word))
                    node.children.insert(at + 1, Tree(child.label, child.word[cut:]))
                    child.word = child.word[:cut]
                elif kind == 4:
                    child.word = child.word.swapcase()
                else:
                    child.word = self.other_word(child.word)

    # Text

    def blank(self) -> bytes:
        return self.rng.choice(BETWEEN) if self.on("spacing", 0.2) else b" "

    def text(self, tree: Tree) -> bytes:
        if not tree.children:
            return b"(%s %s)" % (tree.label, tree.word or b"") if tree.word is not None else b"(%s )" % tree.label
        children = [self.text(child) for child in tree.children]
        if tree.word is not None:
            children.append(tree.word)
        blank = b"" if tree.label == b"" and self.chance(0.5) else b" " * (2 if self.on("spacing", 0.1) else 1)
        inner = children[0] + b"".join(self.blank() + child for child in children[1:])
        end = b" " if self.on("spacing", 0.1) and tree.word is None else b""
        return b"(" + tree.label + blank + inner + end + b")"

    def line(self, tree: Tree) -> bytes:
        text = self.text(tree)
        if self.on("spacing", 0.15):
            text += self.rng.choice((b" ", b"\t", b"  "))
        if self.on("indented", 0.3):
            text = self.rng.choice((b" ", b"\t ", b"   ")) + text + self.rng.choice((b"", b" junk )", b" ("))
        if self.on("ends", 0.3):
            text += self.rng.choice((b"\xff", b"\0")) + b" junk )"
        if self.fault(0.04):
            text = self.damaged(text)
        return text

    def damaged(self, text: bytes) -> bytes:
        at = self.rng.randrange(len(text) + 1)
        kind = self.rng.randrange(8)
        if kind == 0:
            return text[:-1]
        if kind == 1:
            return text + b")"
        if kind == 2:
            return b"(TOP ())"
        if kind == 3:
            return text + self.rng.choice((b"\r", b" x", b"(", b"\xff)", b"\0)"))
        if kind == 4:
            return text[:at] + self.rng.choice(UNREADABLE) + text[at:]
        if kind == 5:
            return text[:at] + text[at + 1 :]
        if kind == 6:
            return self.rng.choice(
                (b"x" + text, b"()", b"(", b"((", b"(())", b"((NN a))", b"(TOP )", b"(TOP", b"((a)(b))")
            )
        return text[:at] + self.rng.choice((b"(", b")", b" ", b"((", b"\t")) + text[at:]

    def file(self, lines: list[bytes]) -> bytes:
        """Lines as a file, with blank lines in between now and then."""
        out: list[bytes] = []
        for line in lines:
            while self.on("blank lines", 0.15):
                out.append(self.rng.choice((b"", b"", b"", b" ", b"     ")))
            out.append(line)
        if self.on("blank lines", 0.2):
            out.append(b"")
        data = b"".join(line + b"\n" for line in out)
        return data[:-1] if self.chance(0.1) else data

    def tree_files(self, sentences: int, *, recognised: bool, whole: bool) -> tuple[bytes, bytes]:
        golds = [self.tree() for _ in range(sentences)]
        tests = [self.parsed(gold, recognised=recognised) for gold in golds]
        if recognised and self.chance(0.4):
            # The recogniser finds other sentence ends.
            leaves = [node for test in tests for node in test.nodes() if not node.children]
            tests = []
            while leaves:
                size = self.rng.randint(1, 8)
                tests.append(self.rooted(leaves[:size]))
                leaves = leaves[size:]
        if self.fault(0.1) and tests:
            tests.pop()
        if self.chance(0.05):
            tests.append(self.tree())
        gold_lines, test_lines = [self.line(tree) for tree in golds], [self.line(tree) for tree in tests]
        if "spacing" in self.features:
            # Where a label is skipped, a tab ends it.
            for lines in (gold_lines, test_lines):
                for number in range(1, len(lines)):
                    if lines[number].startswith(b"(TOP (") and self.chance(0.15 if whole else 0.01):
                        lines[number] = lines[number].replace(b"(TOP ", self.rng.choice((b"(TOP\t", b"(T\tOP ")), 1)
        if self.chance(0.01):
            gold_lines.append(deep_line(self.rng))
            test_lines.append(gold_lines[-1] if self.chance(0.5) else deep_line(self.rng))
        return self.file(gold_lines), self.file(test_lines)

    # Parameters and head tables

    def parameters(self) -> bytes:
        lines = [line for line in PARAMETER_LINES if self.chance(0.85)]
        if "more parameters" in self.features:
            lines += self.rng.sample(MORE_LINES, self.rng.randint(1, 8))
            lines += self.rng.sample(DEAD_LINES, self.rng.randint(0, 4))
        if "contradictions" in self.features:
            for some in self.rng.sample(CONTRADICTIONS, 2):
                lines += self.rng.sample(some, len(some))
        if self.chance(0.5):
            self.rng.shuffle(lines)
        data = b"".join(line + b"\n" for line in lines)
        complete = lines and not lines[-1].startswith((b"EQ_LABEL RB", b"FILLED_PAUSE"))
        return data[:-1] if complete and self.chance(0.1) else data

    def heads(self) -> bytes:
        lines = [line for line in HEAD_LINES if self.chance(0.85)]
        if "more heads" in self.features:
            often = 1.0 if self.faulty else 0.1
            faults = (b"VP (r", b"VP r", b"VP (r VBZ) x", b"#", b"A-CAT", b"VP (r VBZ)\r")
            lines += [
                line
                for line in self.rng.sample(MORE_HEADS, 4)
                if not line.startswith(faults) or self.chance(often * 0.3)
            ]
        if self.chance(0.4):
            self.rng.shuffle(lines)
        if self.chance(0.08):
            # Without a default the last line is lost.
            labels = self.rng.sample((*PHRASES, b"gU~l", b"tU~l", b"EDITED"), 12)
            lines = [label + self.rng.choice((b"", b" (l)", b" (r NN) (l)", b" (r VP) (r)")) for label in labels]
        elif self.chance(0.96):
            default = self.rng.choice(DEFAULTS) if self.chance(0.97) else b"*default* (l VP)"
            lines.insert(0 if self.chance(0.5) else self.rng.randint(0, len(lines)), default)
        elif len(lines) % 2 == 1:
            lines.pop()
        data = b"".join(line + b"\n" for line in lines)
        return data[:-1] if self.chance(0.1) else data

    # Alignments

    def rows(self, gold: list[bytes], test: list[bytes]) -> list[tuple[bytes, bytes]]:
        """A simple alignment; a missing word is empty."""
        rows = align(gold, test)
        if self.chance(0.5):
            rows = self.other_tokens(rows)
        if self.fault(0.3) and rows:
            at = self.rng.randrange(len(rows))
            kind = self.rng.randrange(4)
            if kind == 0:
                del rows[at]
            elif kind == 1:
                rows.insert(at, self.rng.choice(((b"a", b"b"), (b"a", b""), (b"", b"b"), (b"", b""))))
            elif kind == 2:
                rows[at] = (self.word() if rows[at][0] else b"", rows[at][1])
            else:
                rows[at] = (rows[at][0], self.word() if rows[at][1] else b"")
        return rows

    def other_tokens(self, rows: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """The alignment may have other tokens than the trees."""
        out: list[tuple[bytes, bytes]] = []
        for gold, test in rows:
            joint = self.rng.choice((b"", b"", b"-"))
            kind = self.rng.randrange(7 if "rough tokens" in self.features else 14)
            if kind == 0 and out and gold and out[-1][0]:
                before = out.pop()
                out.append((before[0] + joint + gold, before[1] + test))
            elif kind == 1 and out and test and out[-1][1]:
                before = out.pop()
                out += [(before[0], before[1] + joint + test), (gold, b"")] if gold else [(before[0], before[1] + test)]
            elif kind == 2 and len(gold) > 1:
                cut = self.rng.randrange(1, len(gold))
                same = gold == test and self.chance(0.7)
                out += [(gold[:cut], gold[:cut] if same else test), (gold[cut:], gold[cut:] if same else b"")]
            elif kind == 3 and len(test) > 1:
                cut = self.rng.randrange(1, len(test))
                out += [(gold, test[:cut]), (b"", test[cut:])]
            elif kind == 4 and gold:
                out.append((gold.swapcase() if self.chance(0.3) else gold, test))
            elif kind == 5 and gold and out and out[-1][0]:
                # Two gold words in one row whose test word is the first of them.
                before = out.pop()
                out.append((before[0] + gold, before[0]))
            elif gold.lower().endswith(b"hnulli"):
                out += [(gold[:-6], test), (b"", b"x")]
            else:
                out.append((gold, test))
        return [row for row in out if row != (b"", b"")]

    def alignment(self, rows: list[tuple[bytes, bytes]]) -> bytes:
        style = self.rng.randrange(3)
        lines = []
        for gold, test in rows:
            code = b"100" if not test else b"010" if not gold else b"000" if gold == test else b"001"
            if style == 0:
                line = gold + b"\t" + test + b"\t" + code
            elif style == 1:
                line = b"".join(word + b"\t" * (2 if len(word) < 8 else 1) for word in (gold, test)) + code
            else:
                line = gold + b" " + test + (b" " if test else b"") + code
            if self.fault(0.06):
                line = self.damaged_row(line, gold, test)
            lines.append(line)
        data = b"".join(line + b"\n" for line in lines)
        return data[:-1] if self.chance(0.1) and not data[:-1].endswith((b" ", b"\t")) else data

    def damaged_row(self, line: bytes, gold: bytes, test: bytes) -> bytes:
        code = self.rng.choice((b"000", b"001", b"010", b"100", b"011", b"111", b"0", b"x", b""))
        choices = [line + b" // note", line + b" ", line[:-3] + code, b"", line + b"\r", b" " + line, b"\t\t100"]
        choices += [gold + b" " + test, gold + b" " + test + b" ", line[:-3] + b" " + line[-3:], b"100", b"\t100 100"]
        return self.rng.choice(choices)

    def raw(self, rows: list[tuple[bytes, bytes]]) -> bytes:
        """The alignment in the columns that strealign reads."""
        lines = [b"some words before"] if self.chance(0.5) else []
        if not self.fault(0.1):
            lines.append(b" ref del ins sub  REF                                          HYP")
        for gold, test in rows:
            line = b"   1   " if gold else b"       "
            line += b" " if test else self.rng.choice((b"0", b"1"))
            lines.append((line.ljust(17) + gold).ljust(62) + test)
        if self.chance(0.5):
            lines += [b"", b"anything"]
        return b"".join(line + b"\n" for line in lines)

    # Command lines

    def argv(self, program: str, flags: str, options: dict[str, str], operands: list[str]) -> list[str]:
        """Flags bundled or not, options anywhere, arguments glued or not."""
        parts: list[list[str]] = []
        while flags:
            size = self.rng.randint(1, len(flags))
            word, flags = "-" + flags[:size], flags[size:]
            if options and self.chance(0.15):
                letter, value = options.popitem()
                parts.append([word + letter + value] if value and self.chance(0.5) else [word + letter, value])
            else:
                parts.append([word])
        for letter, value in options.items():
            parts.append([f"-{letter}{value}"] if value and self.chance(0.2) else [f"-{letter}", value])
        self.rng.shuffle(parts)
        if self.fault(0.12):
            return self.faulty_argv(program, parts, operands)
        if self.chance(0.7):
            return [program, *(word for part in parts for word in part), *operands]
        if self.chance(0.3):
            return [program, *(word for part in parts for word in part), "--", *operands]
        places = sorted(self.rng.randint(0, len(parts)) for _ in operands)
        for place, operand in reversed(list(zip(places, operands, strict=True))):
            parts.insert(place, [operand])
        return [program, *(word for part in parts for word in part)]

    def faulty_argv(self, program: str, parts: list[list[str]], operands: list[str]) -> list[str]:
        words = [word for part in parts for word in part]
        kind = self.rng.randrange(8)
        if kind == 0:
            return [program, *words, *operands[:-1]]
        if kind == 1:
            return [program, *words, *operands, "more"]
        if kind == 2:
            return [program, *words, self.rng.choice(("-q", "-?", "--help", "-vq", "-")), *operands]
        if kind == 3:
            return [program, *words, *operands, self.rng.choice(("-p", "-F", "-vF"))]
        if kind == 4:
            return [program, *words, "-F", self.rng.choice((".", "no/such", "")), *operands]
        if kind == 5:
            return [program, *words, "-p", "nothing", *operands]
        if kind == 6:
            at = self.rng.randrange(len(operands))
            return [program, *words, *operands[:at], self.rng.choice(("nothing", "")), *operands[at + 1 :]]
        return [program]

    # Cases

    def sparseval(self) -> Case:
        aligned = self.chance(0.3)
        bag = self.chance(0.12) if aligned else self.chance(0.35)
        side = self.chance(0.1) if aligned else self.chance(0.4)
        listed = self.chance(0.12)
        files: dict[str, bytes] = {}
        if self.chance(0.9):
            files["params"] = self.parameters()
        if self.chance(0.85):
            files["heads"] = self.heads()
        names: dict[str, list[str]] = {"gold": [], "test": [], "align": []}
        for number in range(self.rng.randint(1, 3) if listed else 1):
            for name in ("gold", "test", "align") if aligned else ("gold", "test"):
                names[name].append(f"{name}{number}" if listed else name)
            sentences = self.rng.choice((0, 1, 1, 2, 2, 3)) if listed else self.rng.choice((1, 2, 3, 4, 5))
            recognised = aligned or (bag and self.chance(0.7))
            gold, test = self.tree_files(sentences, recognised=recognised, whole=side or aligned)
            files[names["gold"][-1]], files[names["test"][-1]] = gold, test
            if aligned:
                parameters = files.get("params", b"")
                words = [
                    words_of(data, placeholder, parameters, delete=True)
                    for data, placeholder in ((gold, GOLD_PLACEHOLDER), (test, TEST_PLACEHOLDER))
                ]
                files[names["align"][-1]] = self.alignment(self.rows(*words))
        if listed:
            for name, members in names.items():
                if self.fault(0.1) and members:
                    self.rng.choice((members.pop, lambda members=members: members.append("nothing")))()
                files[name] = b"".join(member.encode() + b"\n" for member in members)
                files[name] = files[name][:-1] if self.chance(0.3) else files[name]
        flags = [letter for letter, often in (("v", 0.8), ("u", 0.25), ("z", 0.12)) if self.chance(often)]
        flags += [letter for letter, on in (("b", bag), ("c", side), ("l", listed)) if on]
        self.rng.shuffle(flags)
        options = {letter: name for letter, name in (("p", "params"), ("h", "heads")) if name in files}
        if aligned:
            options["a"] = "align"
        return self.case("sparseval", flags, options, ["gold", "test"], files)

    def headtrees(self) -> Case:
        files = {"params": self.parameters(), "heads": self.heads()}
        listed = self.chance(0.2)
        trees = [self.file([self.line(self.tree()) for _ in range(self.rng.randint(0, 5))]) for _ in range(2)]
        if listed:
            files |= {"g1": trees[0], "g2": trees[1], "gold": b"g1\ng2\n"}
        else:
            files["gold"] = trees[0]
        flags = [letter for letter, on in (("l", listed), ("v", self.chance(0.3))) if on]
        options = {"p": "params", "h": "heads"}
        for letter in ("p", "h"):
            if self.chance(0.08):
                del options[letter]
        return self.case("headtrees", flags, options, ["gold"], files)

    def strealign(self) -> Case:
        files = {"params": self.parameters()}
        gold, test = self.tree_files(self.rng.randint(1, 4), recognised=True, whole=True)
        words = [
            words_of(data, placeholder, files["params"], delete=False)
            for data, placeholder in ((gold, GOLD_PLACEHOLDER), (test, TEST_PLACEHOLDER))
        ]
        files |= {"gold": gold, "test": test, "raw": self.raw(self.rows(*words))}
        options = {"p": "params"} if self.chance(0.9) else {}
        if self.fault(0.05):
            options["a"] = "raw"
        return self.case("strealign", ["v"] if self.chance(0.3) else [], options, ["gold", "test", "raw"], files)

    def case(
        self, program: str, flags: list[str], options: dict[str, str], operands: list[str], files: dict[str, bytes]
    ) -> Case:
        written = []
        if self.chance(0.06):
            written = ["out"]
            options["F"] = "out"
        return Case(self.argv(program, "".join(flags), options, operands), files, written)


def words_of(data: bytes, placeholder: bytes, parameters: bytes, *, delete: bool) -> list[bytes]:
    """The words of a file that an alignment should list; none if the file cannot be read."""
    program = Sparseval(Path())
    program.parameters.read(parameters)
    lines = lines_of(data)
    try:
        root = program.first_tree(lines, placeholder, load_deletion=delete) or Node(b"")
        if delete or root.children:
            program.further_trees(root, lines, placeholder, load_deletion=delete)
        if delete:
            normalise_edits(root)
    except (Stop, Undefined):
        return []
    return [node.word for node in nodes_with_words(root) if node.word is not None and not node.deletable]


def align(gold: list[bytes], test: list[bytes]) -> list[tuple[bytes, bytes]]:
    """The cheapest alignment of two lists of words; a missing word is empty."""
    m, n = len(gold), len(test)
    cost = [[i + j if i == 0 or j == 0 else 0 for j in range(n + 1)] for i in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            differ = gold[i - 1].lower() != test[j - 1].lower()
            cost[i][j] = min(cost[i - 1][j - 1] + differ, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    rows: list[tuple[bytes, bytes]] = []
    i, j = m, n
    while i or j:
        if i and j and cost[i][j] == cost[i - 1][j - 1] + (gold[i - 1].lower() != test[j - 1].lower()):
            i, j = i - 1, j - 1
            rows.append((gold[i], test[j]))
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
            rows.append((gold[i], b""))
        else:
            j -= 1
            rows.append((b"", test[j]))
    return rows[::-1]


def deep_line(rng: random.Random) -> bytes:
    """A tree far deeper than any stack of calls should be."""
    depth = rng.randint(300, 1_200)
    opened = b"".join(b"(%s " % rng.choice((b"NP", b"VP (NN a)", b"S", b"PP (IN b)")) for _ in range(depth))
    return b"(TOP " + opened + b"(NN c)" + b")" * depth + b")"


def make_case(rng: random.Random) -> Case:
    """One small case of any kind."""
    maker = Maker(rng)
    kind = rng.random()
    if kind < 0.08:
        return maker.headtrees()
    if kind < 0.16:
        return maker.strealign()
    return maker.sparseval()


def make_bag_case(rng: random.Random, gold_size: int, test_size: int) -> Case:
    """A bag-mode unit with about so many dependencies and few different ones, so that there are many ties."""
    words = [b"w%d" % number for number in range(rng.choice((1, 2, 3, 5, 20)))]
    tags = (b"NN", b"DT", b"IN")
    gold = [(rng.choice(tags), rng.choice(words)) for _ in range(gold_size)]
    if rng.random() < 0.5:
        test = [(rng.choice(tags), rng.choice(words)) for _ in range(test_size)]
    else:
        # The gold words with errors, then brought to the wanted size.
        often = rng.choice((0.01, 0.1, 0.4))
        test = [leaf if rng.random() > often else (rng.choice(tags), rng.choice(words)) for leaf in gold]
        while len(test) > test_size:
            del test[rng.randrange(len(test))]
        while len(test) < test_size:
            test.insert(rng.randint(0, len(test)), (rng.choice(tags), rng.choice(words)))
    sides = rng.random() < 0.5
    files = {"gold": bag_trees(rng, gold, sides), "test": bag_trees(rng, test, sides)}
    parameters = [b"DELETE_LABEL TOP", b"CLOSED_CLASS DT", b"EQ_WORDS w0 w1", b"EQ_WORDS w1 w2", b"CLOSED_CLASS NN"]
    parameters += [b"EDIT_LABEL EDITED", b"FILLED_PAUSE1 w3", b"FILLED_PAUSE1 w4"]
    files["params"] = b"".join(line + b"\n" for line in parameters if rng.random() < 0.6)
    files["heads"] = b"*default* (%s)\n" % rng.choice((b"l", b"r", b"r NN) (l"))
    flags = ["-b", "-v", *(["-u"] if rng.random() < 0.3 else []), *(["-c"] if sides else [])]
    return Case(["sparseval", *flags, "-p", "params", "-h", "heads", "gold", "test"], files)


def bag_trees(rng: random.Random, leaves: list[tuple[bytes, bytes]], sides: bool) -> bytes:
    """Flat phrases over the leaves; in one line, or in many."""
    lines: list[bytes] = []
    phrases: list[bytes] = []
    at = 0
    while at < len(leaves):
        size = rng.choice((1, 1, 2, 3, 6))
        label = rng.choice((b"NP", b"NP", b"VP", b"EDITED")) if rng.random() < 0.1 else b"NP"
        phrases.append(b"(%s %s)" % (label, b" ".join(b"(%s %s)" % leaf for leaf in leaves[at : at + size])))
        at += size
        if sides and rng.random() < 0.3:
            lines.append(b"(TOP " + b" ".join(phrases) + b")")
            phrases = []
    if phrases:
        lines.append(b"(TOP " + b" ".join(phrases) + b")")
    return b"".join(line + b"\n" for line in lines)


def make_figures_case(rng: random.Random) -> Case:
    """Counts whose F-measure in single precision differs from other ways to compute it in its last digit."""
    while True:
        matched, more, others = rng.randint(1, 150), rng.randint(0, 150), rng.randint(0, 150)
        gold, test = matched + more, matched + others
        recall, precision = ratio(matched, gold), ratio(matched, test)
        shown = two_decimals(f_measure(precision, recall))
        double = 2 * (100 * matched / gold) * (100 * matched / test) / (100 * matched / gold + 100 * matched / test)
        if shown != two_decimals(200 * matched / (gold + test)) or shown != two_decimals(double):
            break
    files = {"heads": b"*default* (r)\n"}
    for name, word, size in (("gold", b"b", more), ("test", b"c", others)):
        files[name] = b"(TOP " + b" ".join([b"(NN a)"] * matched + [b"(NN %s)" % word] * size) + b")\n"
    return Case(["sparseval", "-b", "-h", "heads", "gold", "test"], files)


def make_long_line_case(rng: random.Random) -> Case:
    """A tree line about as long as the original's buffer; blanks at its end may fall into the next piece."""
    tree = b"(TOP (S (NP (NN a)) (VP (VBZ b))))"
    lines = {}
    for name in ("gold", "test"):
        length = LONGEST_PIECE + rng.choice((-2, -1, 0, 1, 2, 10, LONGEST_PIECE - 1, LONGEST_PIECE))
        if rng.random() < 0.5:
            line = tree + b" " * (length - len(tree))
        else:
            line = tree.replace(b"(S ", b"(S " + b"(NN x) " * ((length - len(tree)) // 7)).ljust(length)
        lines[name] = line + b"\n" + tree + b"\n"
    if rng.random() < 0.5:
        lines["gold"] = tree + b"\n" + tree + b"\n"
    flags = rng.choice((["-v"], ["-vc"], ["-v", "-b"]))
    return Case(["sparseval", *flags, "-h", "heads", "gold", "test"], {**lines, "heads": b"*default* (r)\n"})


if __name__ == "__main__":
    shown = make_case(random.Random(int(sys.argv[1])))
    print(*shown.argv)
    for shown_name, content in shown.files.items():
        print(f"--- {shown_name}")
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), content)
