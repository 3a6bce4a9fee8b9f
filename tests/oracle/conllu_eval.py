"""The evaluation of Universal Dependencies in plain Python, from its definitions: slow, and never used elsewhere.

Files are taken to be valid. A row of counts is (correct, gold, system, aligned); None where there is no such number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache


def listed(names: str) -> list[str]:
    """Names with blanks between them."""
    return names.split()


FEATURES = listed(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect "
    "Voice Evident Polarity Person Polite"
)
FUNCTION = listed("aux cop mark det clf case cc")
CONTENT = listed(
    "acl advcl advmod amod appos ccomp compound conj csubj dep discourse dislocated expl fixed flat goeswith iobj list "
    "nmod nsubj nummod obj obl orphan parataxis reparandum root vocative xcomp"
)

Row = tuple[int, int, int, "int | None"]
Test = Callable[["OracleWord", "OracleWord"], bool]


@dataclass(eq=False)
class OracleWord:
    """A word with its place in the text."""

    columns: list[str]
    start: int
    end: int
    in_range: bool
    sentence: int
    head: OracleWord | None = None  # None: the root
    edges: list[tuple[OracleWord | None, str]] = field(default_factory=list)

    @property
    def form(self) -> str:
        return strip(self.columns[1])

    @property
    def relation(self) -> str:
        return self.columns[7].split(":")[0]

    @property
    def features(self) -> list[str]:
        return sorted(f for f in self.columns[5].split("|") if f.split("=")[0] in FEATURES)


@dataclass
class OracleFile:
    """Text, and ranges of tokens and sentences in it."""

    text: str = ""
    tokens: list[tuple[int, int]] = field(default_factory=list)
    sentences: list[tuple[int, int]] = field(default_factory=list)
    words: list[OracleWord] = field(default_factory=list)
    ranges: list[tuple[int, int]] = field(default_factory=list)  # multi-word tokens


def strip(form: str) -> str:
    return "".join(c for c in form if unicodedata.category(c) != "Zs")


def load(text: str) -> OracleFile:
    file = OracleFile()
    for number, block in enumerate(text.split("\n\n")[:-1]):
        begin, words, left = len(file.text), [], 0
        for line in block.split("\n"):
            columns = line.split("\t")
            if line.startswith("#") or "." in columns[0]:
                continue
            if "-" in columns[0] or left == 0:
                start = len(file.text)
                file.text += strip(columns[1])
                file.tokens.append((start, len(file.text)))
            if "-" in columns[0]:
                first, last = map(int, columns[0].split("-"))
                left = last - first + 1
                file.ranges.append(file.tokens[-1])
                continue
            words.append(OracleWord(columns, *file.tokens[-1], left > 0, number))
            left = max(left - 1, 0)
        for word in words:
            head = int(word.columns[6])
            word.head = words[head - 1] if head else None
            for edge in word.columns[8].split("|") if word.columns[8] != "_" else []:
                at, label = edge.split(":", 1)
                if "." not in at:
                    word.edges.append((words[int(at) - 1] if int(at) else None, label))
        file.sentences.append((begin, len(file.text)))
        file.words += words
    return file


def subsequence(gold: list[str], system: list[str]) -> list[tuple[int, int]]:
    """The longest common subsequence: equal ones from the left; else gold is passed over, if that costs nothing."""

    @cache
    def length(g: int, s: int) -> int:
        if g == len(gold) or s == len(system):
            return 0
        if gold[g] == system[s]:
            return 1 + length(g + 1, s + 1)
        return max(length(g + 1, s), length(g, s + 1))

    pairs, g, s = [], 0, 0
    while g < len(gold) and s < len(system):
        if gold[g] == system[s]:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif length(g + 1, s) == length(g, s):
            g += 1
        else:
            s += 1
    return pairs


def align(gold: OracleFile, system: OracleFile) -> dict[OracleWord, OracleWord]:
    """The system word of each gold word that has one.

    Words are taken off the front of two queues. A multi-word token at the front of either opens a stretch. If the other
    queue has a plain word that begins before it, that one (and only that one) is thrown away first.
    """
    ours, theirs = list(gold.words), list(system.words)
    partner = {}
    while ours and theirs:
        g, s = ours[0], theirs[0]
        if not g.in_range and not s.in_range:
            if (g.start, g.end) == (s.start, s.end):
                partner[ours.pop(0)] = theirs.pop(0)
            else:
                (ours if g.start <= s.start else theirs).pop(0)
            continue
        if g.in_range != s.in_range:
            opening, other = (g, theirs) if g.in_range else (s, ours)
            if other[0].start < opening.start:
                other.pop(0)
        end = g.end if g.in_range else s.end
        stretch: tuple[list[OracleWord], list[OracleWord]] = ([], [])
        while any(queue and not beyond(queue[0], end) for queue in (ours, theirs)):
            side = 0 if ours and (not theirs or ours[0].start <= theirs[0].start) else 1
            word = (ours, theirs)[side].pop(0)
            stretch[side].append(word)
            end = max(end, word.end) if word.in_range else end
        for a, b in subsequence(*([word.form.lower() for word in words] for words in stretch)):
            partner[stretch[0][a]] = stretch[1][b]
    return partner


def beyond(word: OracleWord, end: int) -> bool:
    """Does the word lie behind a stretch that ends there? A plain word must fit into it, others begin in it."""
    return word.start >= end if word.in_range else word.end > end


def evaluate(gold_text: str, system_text: str) -> dict[str, Row]:
    """All counts. Raises ValueError where the texts differ."""
    gold, system = load(gold_text), load(system_text)
    if gold.text != system.text:
        raise ValueError("the texts differ")
    partner = align(gold, system)
    back = {s: g for g, s in partner.items()}

    def same_head(g: OracleWord | None, s: OracleWord | None) -> bool:
        return g is s is None or (g is not None and s is not None and back.get(s) is g)

    def below(file: OracleFile, word: OracleWord) -> list[OracleWord]:
        return [child for child in file.words if child.head is word and child.relation in FUNCTION]

    def uas(g: OracleWord, s: OracleWord) -> bool:
        return same_head(g.head, s.head)

    def las(g: OracleWord, s: OracleWord) -> bool:
        return uas(g, s) and g.relation == s.relation

    def column(number: int) -> Test:
        return lambda g, s: g.columns[number] == s.columns[number]

    def features(g: OracleWord, s: OracleWord) -> bool:
        return g.features == s.features

    def lemma(g: OracleWord, s: OracleWord) -> bool:
        return g.columns[2] in ("_", s.columns[2])

    def function_words(g: OracleWord, s: OracleWord) -> bool:
        ours = [(id(c), c.relation, c.columns[3], c.features) for c in below(gold, g)]
        theirs = [(id(back.get(c)), c.relation, c.columns[3], c.features) for c in below(system, s)]
        return ours == theirs

    def count(content: bool, *tests: Test) -> Row:
        pairs = [(g, s) for g, s in partner.items() if not content or g.relation in CONTENT]
        right = sum(all(test(g, s) for test in tests) for g, s in pairs)
        totals = [sum(not content or w.relation in CONTENT for w in file.words) for file in (gold, system)]
        return right, totals[0], totals[1], len(pairs)

    def edges(basic: bool) -> Row:
        def label(text: str) -> str:
            return ">".join(part.split(":")[0] for part in text.split(">")) if basic else text

        right = sum(
            same_head(a[0], b[0]) and label(a[1]) == label(b[1])
            for g, s in partner.items()
            for a in g.edges
            for b in s.edges
        )
        totals = [sum(len(w.edges) for w in file.words) for file in (gold, system)]
        return right, totals[0], totals[1], None

    def ranges(ours: list[tuple[int, int]], theirs: list[tuple[int, int]]) -> Row:
        return len(set(ours) & set(theirs)), len(ours), len(theirs), None

    return {
        "tokens": ranges(gold.tokens, system.tokens),
        "sentences": ranges(gold.sentences, system.sentences),
        "words": (len(partner), len(gold.words), len(system.words), None),
        "upos": count(False, column(3)),
        "xpos": count(False, column(4)),
        "ufeats": count(False, features),
        "alltags": count(False, column(3), column(4), features),
        "lemmas": count(False, lemma),
        "uas": count(False, uas),
        "las": count(False, las),
        "clas": count(True, las),
        "mlas": count(True, las, column(3), features, function_words),
        "blex": count(True, las, lemma),
        "elas": edges(False),
        "eulas": edges(True),
    }
