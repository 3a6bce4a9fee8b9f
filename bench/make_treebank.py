#!/usr/bin/env python3
"""Make pairs of gold and test trees that look like parsed English newspaper text.

    python bench/make_treebank.py -n 2416 --seed 1 --gold gold.mrg --test test.mrg

or, from Python:

    >>> gold, test = next(pairs(1, seed=1))
    >>> gold.startswith("(TOP ") and gold.count("(") == gold.count(")")
    True

Nothing here comes from a treebank: the grammar is written by hand, the words are made of syllables, and only the broad
figures (words, phrases and depth of a sentence, frequency of labels, kinds of parser errors) follow newspaper text.
The same arguments always give the same trees. The test side is the gold side after a number of typical parser errors;
with `error_rate` 0.1 about a tenth of the brackets is wrong (labelled F1 near 90) and a third of the sentences exact.
"""

from __future__ import annotations

import argparse
import random
import sys
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate, chain
from math import exp, log
from pathlib import Path

__all__ = ["FAILED", "pairs"]

FAILED = ("(TOP ())", "(())")
"""What stands on the test side where the parser found nothing."""

# Under each state, a line gives the lengths (in words) for which its rules are used, then the rules: weight, children.
# The child with a star takes whatever words the others leave. `X.y` is a state of its own that prints as X;
# `X-Y` prints as X-Y where function tags are wanted, else as X.
GRAMMAR = """
TOP
  4-    93 S.top*
  9-    2.5 SINV*
  5-60  1 SBARQ*
  1-9   9 NP*
  2-9   6 FRAG*
  1     30 INTJ*
S.top
  3-    47 NP-SBJ VP* .
  10-   8 PP , NP-SBJ VP* .
  9-    3 PP NP-SBJ VP* . | 6 S* , NP-SBJ VP.said .
  5-    4 ADVP , NP-SBJ VP* . | 4 CC NP-SBJ VP* . | 5 NP-SBJ ADVP VP* .
  14-   5 SBAR-ADV , NP-SBJ VP* . | 3 S CC S* .
  7-    2 NP.tmp-TMP , NP-SBJ VP* . | 2 `` NP-SBJ VP* . ''
  16-   4 S , CC S* . | 2 S : S* . | 2 NP-SBJ PRN VP* .
  12-   5 `` S* , '' NP-SBJ VP.said . | 2 S.ing-ADV , NP-SBJ VP* .
SINV
  9-    5 S* , VP.said NP-SBJ .
  11-   5 `` S* , '' VP.said NP-SBJ .
SBARQ
  5-    5 WHNP SQ* . | 3 WHADVP SQ* .
SQ
  2-    3 V NP-SBJ*
  3-    5 V NP-SBJ VP.vb* | 3 MD NP-SBJ VP.vb*
FRAG
  2-    6 NP* .
  5-    2 NP : NP* .
  3-    2 PP* .
  2     1 ADVP* .
INTJ
  1     1 UH
S
  2-    80 NP-SBJ VP*
  8-    4 PP , NP-SBJ VP*
  4-    5 ADVP NP-SBJ VP* | 6 NP-SBJ ADVP VP*
  6-    2 NP.tmp-TMP NP-SBJ VP*
  10-   4 S CC S*
  12-   3 SBAR-ADV , NP-SBJ VP*
S.inf
  2-    95 VP.to*
  6-    3 NP-SBJ VP.to*
S.ing
  1-    90 VP.ing*
  5-    6 NP-SBJ VP.ing*
S.rel
  1-    72 VP*
  3-    28 NP-SBJ VP*
VP.said
  1     8 VBD | 3 VBZ
  2-4   3 VBD NP.tmp-TMP*
  3-    4 VBD PP*
  4-    1 VBD , S.ing-ADV*
VP.to
  2-    1 TO VP.vb*
NP
  1     26 PRP | 26 NNP | 20 NNS | 14 NN | 4 CD | 5 DT
  2     34 DT NN | 6 DT NNS | 12 JJ NNS | 8 JJ NN | 16 NNP NNP | 8 NN NNS | 6 CD NNS | 7 PRP$ NN | 2 PRP$ NNS
  2     3 CD NN | 3 $ CD
  3     22 DT JJ NN | 13 DT NN NN | 6 DT JJ NNS | 5 NNP NNP NNP | 5 PRP$ JJ NN | 5 JJ NN NNS | 5 DT NNP NN
  3     4 NNP CC NNP | 4 NN CC NN | 4 NNP CD NN
  3-7   6 NP.poss NP.rest*
  3-6   5 QP* NNS
  3-5   5 QP*
  4     9 DT JJ NN NN | 6 DT NNP NNP NN | 4 DT JJ JJ NN | 4 PRP$ JJ NN NNS | 4 NN CC NN NNS | 8 NP.base PP*
  4-7   3 DT ADJP* NN
  5     5 DT NNP NNP NN NN | 5 DT JJ NN CC NN
  6     1.5 DT NNP NNP NNP NN NNS | 1.5 NNP , NNP , CC NNP
  7     1 DT JJ NN CC JJ NN NN
  5-6   18 NP.base PP*
  7-10  32 NP.base PP*
  11-   22 NP.base PP*
  7-    3 NP.base , NP* , | 1.5 NP.base PRN* | .4 NP CONJP NP*
  3     2 NP.base PP*
  9-    10 NP PP* | 6 NP.base PP PP*
  5-    5 NP.base SBAR.rel* | 4 NP.base VP.vbn* | 3 NP.base VP.ing* | 6 NP CC NP* | 2 NP.base S.inf*
  8-    3 NP.base , SBAR.rel* | 3 NP , NP CC NP* | 1 NP.base : NP*
  10-   2 NP.base , SBAR.rel* , | 2 NP , NP , CC NP*
  6-    4 NP.base , NP* | .5 NP.base RRC*
  5-8   .6 DT NX* PP
  6-9   .5 DT UCP* NN
NP.base
  1     22 PRP | 26 NNP | 30 NNS | 18 NN | 4 CD
  2     40 DT NN | 8 DT NNS | 12 JJ NNS | 8 JJ NN | 14 NNP NNP | 8 CD NNS | 6 PRP$ NN | 3 CD NN
  3     25 DT JJ NN | 14 DT NN NN | 7 DT JJ NNS | 5 NNP NNP NNP | 5 PRP$ JJ NN | 5 QP* NNS
  4     9 DT JJ NN NN | 6 DT NNP NNP NN | 5 NP.poss NP.rest*
  5     5 DT JJ JJ NN NN | 5 NP.poss NP.rest*
  6-    5 NP.poss NP.rest*
NP.rest
  1     8 NN | 4 NNS
  2     8 JJ NN | 5 NN NN | 4 JJ NNS
  3     5 JJ NN NN | 3 JJS JJ NNS
  4     5 JJ JJ NN NNS
  5-    1 JJ NX*
NP.poss
  2     6 NNP POS
  3     5 DT NN POS | 4 NNP NNP POS
  4     3 DT NNP NN POS
NP.tmp
  1     6 NN | 4 NNP
  2     5 DT NN | 5 JJ NN | 5 NNP CD
  3     5 NNP CD CD
NX
  1     5 NN
  2     5 NN NNS
  3     5 NN CC NN
  4-    5 JJ NX*
PP
  2-    85 IN NP* | 10 TO NP*
  3-    5 IN S.ing*
  4-    2 ADVP IN NP* | 1 IN PP*
  8-    1 PP CC PP*
SBAR
  3-    46 IN S* | 6 WHNP S.rel*
  2-    36 S*
  4-    7 WHADVP S*
  6-    2 RB IN S*
SBAR.rel
  2-    88 WHNP S.rel*
  4-    7 WHADVP S* | 5 WHPP S*
WHNP
  1     12 WDT | 8 WP
  2     1 WP$ NN | 1 WDT NN
WHADVP
  1     9 WRB
  2     1 WRB RB
WHPP
  2     1 IN WHNP*
ADVP
  1     70 RB | 5 RBR
  2     6 RB RB | 5 IN JJS | 4 RB RBR
  2-4   3 NP.tmp* RB
  3-    8 RB PP*
ADJP
  1     35 JJ | 5 VBN
  2     20 RB JJ | 6 RBR JJ | 5 CD NN
  3     8 JJ CC JJ | 3 RB RB JJ
  3-    20 JJ PP* | 8 JJ S.inf*
  5-    4 JJ SBAR*
  4-    4 RB JJ PP*
QP
  2     5 RB CD | 6 CD CD | 4 IN CD
  3     16 $ CD CD | 4 JJR IN CD | 3 CD TO CD
  4     6 IN $ CD CD
  5     3 JJR IN $ CD CD
PRN
  3-    6 -LRB- NP* -RRB- | 4 : NP* :
  4-    5 , S.say* , | 2 : S* : | 1 -LRB- S* -RRB-
S.say
  2-    1 NP-SBJ* VP.said
PRT
  1     1 RP
CONJP
  3     5 RB RB IN
  2     3 RB RB
RRC
  3-    1 ADJP* PP
UCP
  4-    1 ADJP CC NP*
"""

# Verb phrases of every form have these; `H` is the form's verb, `VP` another phrase of the same form.
VERB_PHRASES = """
  1     20 H
  2     3 H ADVP*
  2-12  30 H NP*
  13-   8 H NP*
  3-    8 H NP-PRD* | 12 H PP* | 9 H S.inf* | 3 H PRT NP*
  6-    18 H NP PP* | 6 H PP PP* | 4 H NP S.inf* | 3 H NP SBAR*
  8-    6 H NP PP PP* | 8 VP CC VP* | .6 H `` S* ''
  4-    13 H SBAR* | 7 H ADVP PP* | 4 H NP* NP.tmp-TMP | 6 H NP* ADVP | 6 H ADVP NP*
  2-14  14 H ADJP-PRD*
  10-   4 H NP , S.ing-ADV*
  9-    3 H NP , SBAR-ADV* | 3 H NP PP , SBAR-ADV* | 2 H NP PP , S.ing-ADV*
  12-   1.5 VP , VP CC VP*
"""
AUXILIARY_PHRASES = """
  2-    17 H VP.vbn* | 8 H VP.ing*
  3-    4 H ADVP VP.vbn* | 3 H RB VP.vb*
"""
MODAL_PHRASES = """
  2-    18 MD VP.vb*
  3-    4 MD RB VP.vb*
"""
# Form: its verb, and how much more or less than a finite verb it takes auxiliary phrases.
VERB_FORMS = {"VP": ("V", 1.0), "VP.vb": ("VB", 0.5), "VP.vbn": ("VBN", 0.15), "VP.ing": ("VBG", 0.1)}

# The tag of `V`.
FINITE = ("VBD",) * 48 + ("VBZ",) * 33 + ("VBP",) * 19

# By how many words, on average, a phrase that is not starred exceeds its minimum: a constant and a share of the parent.
EXTRA = {
    "ADJP": (0.7, 0.0),
    "ADVP": (0.4, 0.0),
    "CONJP": (0.5, 0.0),
    "NP": (0.8, 0.32),
    "NP.base": (1.4, 0.0),
    "NP.poss": (0.6, 0.0),
    "NP.tmp": (0.7, 0.0),
    "PP": (0.9, 0.32),
    "PRN": (2.0, 0.1),
    "QP": (0.7, 0.0),
    "S": (1.0, 0.5),
    "S.ing": (2.0, 0.2),
    "SBAR": (2.0, 0.5),
    "VP": (1.0, 0.4),
    "VP.said": (0.3, 0.0),
    "WHADVP": (0.1, 0.0),
    "WHNP": (0.1, 0.0),
}

FUNCTIONS = {
    "PP": ("", "", "", "", "-LOC", "-TMP", "-CLR", "-DIR"),
    "ADVP": ("", "", "-TMP", "-MNR"),
    "S.inf": ("", "-PRP"),
    "SBAR": ("", "", "-ADV", "-TMP"),
}

CLOSED_CLASSES = {
    "DT": "the:58 a:24 an:4 this:4 that:2 some:2 any:1 all:1 no:1 these:1 those:1 each:1 another:1",
    "IN": "of:25 in:18 for:9 on:6 that:8 by:5 at:5 with:5 from:5 as:5 about:2 than:2 because:1 if:2 after:2 while:1"
    " into:1 over:1 under:1 since:1 between:1 before:1 against:1 during:1 without:1 through:1 whether:1 among:1",
    "TO": "to",
    "CC": "and:75 but:14 or:10 nor:1 &:4",
    "PRP": "it:30 he:22 they:16 we:9 I:9 you:5 she:3 them:4 him:2 us:1 himself:1 itself:1",
    "PRP$": "its:42 his:20 their:22 our:6 my:4 her:5 your:3",
    "MD": "will:32 would:27 could:13 may:10 can:12 should:6 might:3 must:2 'll:1 wo:1",
    "POS": "'s:88 ':12",
    "WDT": "which:65 that:35",
    "WP": "who:70 what:28 whom:2",
    "WP$": "whose",
    "WRB": "when:50 how:22 where:16 why:10",
    "RP": "up:38 out:22 off:12 down:10 over:5 back:4 away:3 on:3",
    "UH": "yes:4 no:3 well:6 oh:4",
    "EX": "there",
    "JJR": "more:60 less:15 higher:10 lower:8 better:5 larger:4 fewer:2",
    "JJS": "most:40 least:30 largest:10 best:9 latest:7 biggest:4",
    "RBR": "more:60 earlier:20 less:10 later:6 better:3",
    "$": "$:96 US$:1 C$:3",
    ",": ",",
    ".": ".:96 ?:3 !:1",
    ":": "--:48 ::28 ;:20 ...:4",
    "``": "``",
    "''": "''",
    "-LRB-": "-LRB-:94 -LCB-:6",
    "-RRB-": "-RRB-:94 -RCB-:6",
}

COMMON_WORDS = {
    "RB": "also not now only still even just as so very about much recently too already then well ago almost",
    "VBD": "said was were had did made rose fell reported",
    "VBZ": "is has says does makes",
    "VBP": "are have say do",
    "VB": "be have make buy sell take get",
    "VBN": "been expected made sold based",
    "VBG": "being including trading making",
    "CD": "million billion one two three 10 four five six 1989 15 20 seven 30 eight 50 100 10,000 1.5 25",
}

# Tag: number of words, ending, capital letter. Tags with the same ending share words, so that words are ambiguous.
OPEN_CLASSES = {
    "NN": (9000, "", False),
    "NNS": (5500, "s", False),
    "NNP": (12000, "", True),
    "JJ": (5000, "", False),
    "RB": (1200, "ly", False),
    "VB": (2500, "", False),
    "VBP": (1200, "", False),
    "VBZ": (1800, "s", False),
    "VBD": (2200, "ed", False),
    "VBN": (2800, "ed", False),
    "VBG": (2200, "ing", False),
    "CD": (1500, "", False),
}

# Syllables; what stands here more than once is more frequent.
ONSETS = "b c d f g h l m n p r s t v w b c d m p r s t st tr pr pl br gr cl fl sh ch th qu"
VOWELS = "a e i o u a e i o ea ai ou ie"
CODAS = "- - - - - n r l t s d m st nt ck ll nd"

PUNCTUATION = frozenset([",", ".", ":", "``", "''"])

# What a parser takes a label or tag for. Punctuation stays punctuation, so both sides keep the same words.
CONFUSIONS = """
  S > SBAR VP SINV FRAG NP | SINV > S | SBAR > S PP SBAR NP | SBARQ > SBAR S | SQ > S VP | VP > S NP ADJP PP
  NP > ADJP NX QP S ADVP NP | NX > NP | PP > ADVP SBAR PRT NP | ADVP > PRT PP ADJP NP | ADJP > NP ADVP VP
  QP > NP ADJP | PRN > NP S FRAG | PRT > ADVP PP | FRAG > NP S | INTJ > NP ADVP FRAG | UCP > NP ADJP
  CONJP > ADVP PP | RRC > ADJP NP | WHNP > WHADVP SBAR | WHADVP > WHNP ADVP | WHPP > PP
  NN > JJ NNP NN VB NNS VBG | NNS > NNPS VBZ NN | NNP > NN NNPS JJ NNS | JJ > NN VBN RB NNP | RB > IN JJ RP RBR
  IN > RB WDT RP DT | VB > VBP NN | VBP > VB NN | VBD > VBN | VBN > VBD JJ | VBG > NN JJ | VBZ > NNS POS
  CD > NN JJ | DT > IN PRP WDT | RP > IN RB | RBR > JJR | JJR > RBR | WDT > IN | POS > VBZ
"""
CONFUSED = {
    taken: others.split()
    for taken, _, others in (entry.strip().partition(" > ") for entry in CONFUSIONS.replace("\n", "|").split("|"))
    if taken
}

# The phrase a parser puts on top of a lone phrase or word.
UNARY = {
    "VP": "S",
    "S": "SBAR",
    "QP": "NP",
    "NN": "NP",
    "NNS": "NP",
    "NNP": "NP",
    "CD": "QP",
    "JJ": "ADJP",
    "RB": "ADVP",
    "VBN": "VP",
    "VBG": "VP",
    "NP": "S",
    "ADJP": "S",
}

MOVABLE = frozenset(["PP", "SBAR", "NP", "S", "ADVP", "VP", "ADJP", "PRN"])
HOSTS = frozenset(["NP", "VP", "PP", "SBAR", "S", "ADJP"])

ERRORS_PER_BRACKET = 1.65
"""Errors to be made for each bracket that is to be wrong; above 1, since in hard sentences errors fall together."""
DIFFICULTY_SHAPE = 0.9
"""Spread of the number of errors between sentences of one length; small: few sentences have most of the errors."""
TAG_ERRORS = 0.28
"""Wrong tags per word, relative to the wrong brackets."""
FAILURES = 0.01
"""Failed parses per sentence, relative to the wrong brackets."""

LONGEST = 140
"""Words in the longest sentence; keeps lines, words and brackets within EVALB's limits."""


class Node:
    """A phrase with children, or a word with its tag as the label."""

    __slots__ = ("children", "label", "word")

    def __init__(self, label: str, word: str = "") -> None:
        self.label = label
        self.word = word
        self.children: list[Node] = []


@dataclass(frozen=True)
class Child:
    """What a rule says of one child."""

    state: str
    label: str
    function: str
    is_phrase: bool
    minimum: int
    maximum: int
    extra: tuple[float, float]


@dataclass(frozen=True)
class Rule:
    """One rule of the grammar; `starred` is the place of the starred child, or -1."""

    weight: float
    shortest: int
    longest: int
    symbols: tuple[str, ...]
    starred: int


@dataclass(frozen=True)
class Choice:
    """The rules for one state and length, ready to draw from: their children, starred child, fewest words."""

    weights: list[float]
    rules: list[tuple[list[Child], int, int]]


def parse_rules(text: str) -> Iterator[tuple[str, Rule]]:
    r"""Read rules in the notation above; yields the state each belongs to.

    >>> next(parse_rules("PP\n  2-9  85 IN NP*"))
    ('PP', Rule(weight=85.0, shortest=2, longest=9, symbols=('IN', 'NP'), starred=1))
    """
    state = ""
    for line in text.strip("\n").splitlines():
        if not line.startswith(" "):
            state = line
            continue
        lengths, rules = line.split(maxsplit=1)
        shortest, is_range, longest = lengths.partition("-")
        last = int(longest or LONGEST) if is_range else int(shortest)
        for rule in rules.split("|"):
            weight, *symbols = rule.split()
            starred = next((index for index, symbol in enumerate(symbols) if symbol.endswith("*")), -1)
            names = tuple(symbol.removesuffix("*") for symbol in symbols)
            yield state, Rule(float(weight), int(shortest), last, names, starred)


def verb_rules() -> Iterator[tuple[str, Rule]]:
    """Read the rules of the verb phrases, for every form of the verb."""
    for state, (head, liking) in VERB_FORMS.items():
        modals = MODAL_PHRASES if state == "VP" else ""
        for text, factor in ((VERB_PHRASES, 1.0), (AUXILIARY_PHRASES, liking), (modals, 1.0)):
            for _, rule in parse_rules(text):
                symbols = tuple({"H": head, "VP": state}.get(symbol, symbol) for symbol in rule.symbols)
                yield state, replace(rule, weight=rule.weight * factor, symbols=symbols)


class Grammar:
    """The rules by state, with the fewest and most words each state can stand over."""

    def __init__(self) -> None:
        self.rules: dict[str, list[Rule]] = {}
        for state, rule in chain(parse_rules(GRAMMAR), verb_rules()):
            self.rules.setdefault(state, []).append(rule)
        self.minimum = dict.fromkeys(self.rules, LONGEST)
        while self._lower_minimum():
            pass
        self.maximum = {state: max(rule.longest for rule in rules) for state, rules in self.rules.items()}
        self._choices: dict[tuple[str, int], Choice] = {}

    def _lower_minimum(self) -> bool:
        before = dict(self.minimum)
        for state, rules in self.rules.items():
            self.minimum[state] = min(max(rule.shortest, self._needed(rule)) for rule in rules)
        return before != self.minimum

    def _needed(self, rule: Rule) -> int:
        return sum(self.minimum.get(self._state(symbol), 1) for symbol in rule.symbols)

    @staticmethod
    def _state(symbol: str) -> str:
        return symbol if symbol.startswith("-") else symbol.partition("-")[0]

    def _child(self, symbol: str) -> Child:
        state = self._state(symbol)
        function = symbol.removeprefix(state)
        if state not in self.rules:
            return Child(state, state, function, is_phrase=False, minimum=1, maximum=1, extra=(0.0, 0.0))
        label = state.partition(".")[0]
        extra = EXTRA.get(state) or EXTRA.get(label, (0.0, 0.0))
        return Child(state, label, function, True, self.minimum[state], self.maximum[state], extra)

    def choice(self, state: str, length: int) -> Choice:
        """Return the rules for a state over so many words."""
        known = self._choices.get((state, length))
        if known is None:
            known = self._choices[state, length] = self._choice(state, length)
        return known

    def _choice(self, state: str, length: int) -> Choice:
        weights: list[float] = []
        rules: list[tuple[list[Child], int, int]] = []
        for rule in self.rules[state]:
            needed = self._needed(rule)
            wide_enough = needed <= length if rule.starred >= 0 else needed == length
            if rule.shortest <= length <= rule.longest and wide_enough:
                weights.append(rule.weight)
                rules.append(([self._child(symbol) for symbol in rule.symbols], rule.starred, needed))
        if not rules:
            message = f"the grammar has no rule for {state} over {length} words"
            raise ValueError(message)
        return Choice(list(accumulate(weights)), rules)


@cache
def grammar() -> Grammar:
    """Return the grammar, read on first use."""
    return Grammar()


class Lexicon:
    """Words by tag, the frequent ones first; drawn so that frequency falls with rank as in Zipf's law."""

    OFFSET = 6.0

    def __init__(self) -> None:
        rng = random.Random("words")
        self._closed: dict[str, list[str]] = {}
        for tag, entries in CLOSED_CLASSES.items():
            words = self._closed[tag] = []
            for entry in entries.split():
                word, _, times = entry.rpartition(":")
                if word and times.isdigit():
                    words.extend([word] * int(times))
                else:
                    words.append(entry)
        stems = list(self._stems(rng, 9000))
        names = list(self._stems(rng, 12000))
        self._open: dict[str, tuple[list[str], float]] = {}
        for tag, (count, ending, capital) in OPEN_CLASSES.items():
            common = COMMON_WORDS.get(tag, "").split()
            if tag == "CD":
                rest: Iterable[str] = (self._number(rng) for _ in range(count))
            elif capital:
                rest = (name.capitalize() for name in names)
            else:
                rest = (stem + ending for stem in self._shuffled(rng, stems))
            words = list(dict.fromkeys([*common, *rest]))[:count]
            self._open[tag] = (words, (len(words) + self.OFFSET) / self.OFFSET)

    @staticmethod
    def _stems(rng: random.Random, count: int) -> Iterator[str]:
        onsets, vowels, codas = ONSETS.split(), VOWELS.split(), CODAS.replace("-", "").split(" ")
        seen: set[str] = set()
        while len(seen) < count:
            syllables = 1 + int(rng.random() * (1.2 + log(1 + len(seen)) / 4.5))
            stem = "".join(rng.choice(onsets) + rng.choice(vowels) + rng.choice(codas) for _ in range(syllables))
            if len(stem) > 2 and stem not in seen:
                seen.add(stem)
                yield stem

    @staticmethod
    def _shuffled(rng: random.Random, stems: Sequence[str]) -> list[str]:
        """Return the stems in another order that still has mostly short ones first."""
        return [stems[i] for i in sorted(range(len(stems)), key=lambda i: (i + 20) * (0.3 + rng.random()))]

    @staticmethod
    def _number(rng: random.Random) -> str:
        kind = rng.random()
        if kind < 0.4:
            return str(rng.randrange(2, 1000))
        if kind < 0.75:
            return f"{rng.randrange(1, 1000) / 10:.2f}".removesuffix("0")
        return f"{rng.randrange(1000, 999_000):,}"

    def word(self, tag: str, chance: float) -> str:
        """Return the word that stands at `chance` (from 0 up to 1) of the tag's words."""
        closed = self._closed.get(tag)
        if closed is not None:
            return closed[int(chance * len(closed))]
        words, ratio = self._open[tag]
        return words[min(int(self.OFFSET * ratio**chance - self.OFFSET), len(words) - 1)]


@cache
def lexicon() -> Lexicon:
    """Return the words, made on first use."""
    return Lexicon()


def sentence_length(rng: random.Random) -> int:
    """Draw a number of words: mostly around twenty, with a long tail to the right and a few fragments."""
    if rng.random() < 0.035:
        return rng.randrange(1, 7)
    return min(max(int(rng.lognormvariate(3.11, 0.45)), 2), LONGEST)


def grow(rng: random.Random, length: int, *, function_tags: bool) -> Node:
    """Grow a gold tree over so many words.

    >>> measure(grow(random.Random(1), 23, function_tags=False))[0]
    23
    """
    chance = rng.random
    choice = grammar().choice
    word = lexicon().word
    top = Node("TOP")
    waiting = [(top, "TOP", length)]
    while waiting:
        parent, state, length = waiting.pop()
        options = choice(state, length)
        chosen = bisect(options.weights, chance() * options.weights[-1])
        children, starred, needed = options.rules[min(chosen, len(options.rules) - 1)]
        spare = length - needed
        starred_node: Node | None = None
        for index, child in enumerate(children):
            if not child.is_phrase:
                tag = child.state
                if tag == "V":
                    tag = FINITE[int(chance() * len(FINITE))]
                parent.children.append(Node(tag, word(tag, chance())))
                continue
            function = child.function
            if not function and child.state in FUNCTIONS:
                functions = FUNCTIONS[child.state]
                function = functions[int(chance() * len(functions))]
            node = Node(child.label + function if function_tags else child.label)
            parent.children.append(node)
            if index == starred:
                starred_node = node
                continue
            constant, share = child.extra
            extra = int(-log(1.0 - chance()) * (constant + share * length))
            most = min(spare, child.maximum - child.minimum)
            if extra > most:
                extra = int(chance() * (most + 1))
            spare -= extra
            waiting.append((node, child.state, child.minimum + extra))
        if starred_node is not None:
            child = children[starred]
            waiting.append((starred_node, child.state, child.minimum + spare))
    capitalise(top)
    return top


def capitalise(top: Node) -> None:
    """Give the first word a capital letter."""
    node = top
    while node.children:
        node = node.children[1] if node.children[0].label == "``" else node.children[0]
    node.word = node.word[:1].upper() + node.word[1:] if not node.label.startswith("-") else node.word


def to_text(top: Node) -> str:
    """Write a tree in brackets on one line."""
    parts: list[str] = []
    waiting: list[Node | None] = [top]
    while waiting:
        node = waiting.pop()
        if node is None:
            parts.append(")")
        elif node.word:
            parts.append(f" ({node.label} {node.word})")
        else:
            parts.append(" (" + node.label)
            waiting.append(None)
            waiting.extend(reversed(node.children))
    return "".join(parts)[1:]


def copy_tree(top: Node) -> Node:
    """Copy a tree, leaving out the function tags of phrases."""
    copied = Node(top.label)
    waiting = [(top, copied)]
    while waiting:
        node, twin = waiting.pop()
        for child in node.children:
            if child.word:
                twin.children.append(Node(child.label, child.word))
            else:
                below = Node(child.label.partition("-")[0])
                twin.children.append(below)
                waiting.append((child, below))
    return copied


def phrases(top: Node) -> list[tuple[Node, Node]]:
    """List (parent, phrase) for every phrase but the topmost."""
    found: list[tuple[Node, Node]] = []
    waiting = [top]
    while waiting:
        parent = waiting.pop()
        for node in parent.children:
            if not node.word:
                found.append((parent, node))
                waiting.append(node)
    return found


def collapse(parent: Node, node: Node) -> None:
    """Remove a phrase that has come to hold nothing but a phrase of its own label."""
    if len(node.children) == 1 and not node.children[0].word and node.children[0].label == node.label:
        parent.children[parent.children.index(node)] = node.children[0]


def attach_higher(rng: random.Random, top: Node) -> None:
    """Move the last child of a phrase out, behind that phrase."""
    places = [
        (parent, node)
        for parent, node in phrases(top)
        if parent is not top and len(node.children) > 1 and node.children[-1].label in MOVABLE
    ]
    if not places:
        return
    parent, node = rng.choice(places)
    moved = node.children.pop()
    parent.children.insert(parent.children.index(node) + 1, moved)
    collapse(parent, node)


def attach_lower(rng: random.Random, top: Node) -> None:
    """Move a phrase (with the conjunction before it) into the phrase before, or further down along its right edge."""
    places: list[tuple[Node, Node, int, int]] = []
    for parent, node in phrases(top):
        labels = [child.label for child in node.children]
        for index in range(1, len(labels)):
            last = index + (labels[index] == "CC")
            if labels[index - 1] in HOSTS and last < len(labels) and labels[last] in MOVABLE:
                places.append((parent, node, index, last + 1))
    if not places:
        return
    parent, node, index, end = rng.choice(places)
    moved = node.children[index:end]
    del node.children[index:end]
    above, host = node, node.children[index - 1]
    while host.children[-1].label in HOSTS and rng.random() < 0.85:
        above, host = host, host.children[-1]
    if host.label == "NP" and all(child.word for child in host.children):
        joined = Node("NP")
        joined.children = [host, *moved]
        above.children[above.children.index(host)] = joined
    else:
        host.children.extend(moved)
    collapse(parent, node)


def change_label(rng: random.Random, top: Node) -> None:
    """Give a phrase another label."""
    places = [node for _, node in phrases(top) if node.label in CONFUSED]
    if not places:
        return
    node = rng.choice(places)
    node.label = rng.choice([label for label in CONFUSED[node.label] if label != node.label])


def drop_unary(rng: random.Random, top: Node) -> None:
    """Remove a phrase with one child."""
    places = [(parent, node) for parent, node in phrases(top) if parent is not top and len(node.children) == 1]
    if not places:
        return
    parent, node = rng.choice(places)
    parent.children[parent.children.index(node)] = node.children[0]


def insert_unary(rng: random.Random, top: Node) -> None:
    """Put a phrase on top of a phrase or word."""
    places = [
        (node, child)
        for _, node in phrases(top)
        if len(node.children) > 1
        for child in node.children
        if child.label in UNARY
    ]
    if not places:
        return
    parent, child = rng.choice(places)
    added = Node(UNARY[child.label])
    added.children = [child]
    parent.children[parent.children.index(child)] = added


def drop_phrase(rng: random.Random, top: Node) -> None:
    """Remove a phrase, leaving its children in its place."""
    places = [(parent, node) for parent, node in phrases(top) if parent is not top]
    if not places:
        return
    parent, node = rng.choice(places)
    index = parent.children.index(node)
    parent.children[index : index + 1] = node.children


def insert_phrase(rng: random.Random, top: Node) -> None:
    """Put some neighbouring children of a phrase into a phrase of their own."""
    places = [node for _, node in phrases(top) if len(node.children) > 2]
    if not places:
        return
    node = rng.choice(places)
    first = rng.randrange(len(node.children) - 1)
    end = len(node.children) if first else len(node.children) - 1
    end = rng.randrange(first + 2, end + 1) if end > first + 2 else end
    added = Node("NX" if node.label == "NP" and rng.random() < 0.3 else node.label)
    added.children = node.children[first:end]
    node.children[first:end] = [added]


Error = Callable[[random.Random, Node], None]
ERRORS: tuple[Error, ...] = (
    *[attach_higher] * 4,
    *[attach_lower] * 10,
    *[change_label] * 3,
    *[drop_unary] * 2,
    *[insert_unary] * 2,
    *[drop_phrase] * 1,
    *[insert_phrase] * 1,
)


def poisson(rng: random.Random, mean: float) -> int:
    """Draw from a Poisson distribution (for small means)."""
    drawn = 0
    limit = exp(-mean)
    product = rng.random()
    while product > limit:
        drawn += 1
        product *= rng.random()
    return drawn


def spoil(rng: random.Random, gold: Node, error_rate: float) -> Node:
    """Return the tree with a parser's errors in it."""
    test = copy_tree(gold)
    size = len(phrases(test))
    mean = min(ERRORS_PER_BRACKET * error_rate * size * rng.gammavariate(DIFFICULTY_SHAPE, 1 / DIFFICULTY_SHAPE), 300.0)
    for _ in range(poisson(rng, mean)):
        rng.choice(ERRORS)(rng, test)
    wrong_tags = TAG_ERRORS * error_rate
    waiting = [test]
    while waiting:
        node = waiting.pop()
        for child in node.children:
            if not child.word:
                waiting.append(child)
            elif rng.random() < wrong_tags and child.label in CONFUSED:
                child.label = rng.choice(CONFUSED[child.label])
    return test


def tree_pairs(
    count: int, seed: int, error_rate: float = 0.1, *, function_tags: bool = False, failed_parses: bool = True
) -> Iterator[tuple[Node, Node | str]]:
    """Yield pairs of trees; the second is a string of `FAILED` where the parse failed."""
    if not 0 <= error_rate <= 1:
        message = f"the error rate is {error_rate}; it must lie between 0 and 1"
        raise ValueError(message)
    rng = random.Random(seed)
    error_rng = random.Random(f"errors {seed}")  # so that the gold trees do not depend on the error rate
    for _ in range(count):
        gold = grow(rng, sentence_length(rng), function_tags=function_tags)
        test = spoil(error_rng, gold, error_rate)
        failed = error_rng.random() < FAILURES * error_rate
        yield gold, error_rng.choice(FAILED) if failed and failed_parses else test


def pairs(
    count: int, seed: int, error_rate: float = 0.1, *, function_tags: bool = False, failed_parses: bool = True
) -> Iterator[tuple[str, str]]:
    """Yield pairs of a gold and a test tree, each in brackets on one line.

    >>> [gold == test for gold, test in pairs(3, seed=1, error_rate=0)]
    [True, True, True]
    """
    trees = tree_pairs(count, seed, error_rate, function_tags=function_tags, failed_parses=failed_parses)
    for gold, test in trees:
        yield to_text(gold), test if isinstance(test, str) else to_text(test)


def brackets(top: Node) -> Counter[tuple[str, int, int]]:
    """Count a tree's brackets by label, start and end; no topmost bracket, no punctuation, no function tags."""
    found: Counter[tuple[str, int, int]] = Counter()
    position = 0
    waiting: list[tuple[Node, int]] = [(top, -1)]
    while waiting:
        node, start = waiting.pop()
        if node.word:
            position += node.label not in PUNCTUATION
        elif start < 0:
            waiting.append((node, position))
            waiting.extend((child, -1) for child in reversed(node.children))
        elif node is not top and position > start:
            found[node.label.partition("-")[0], start, position] += 1
    return found


def measure(top: Node) -> tuple[int, int, int]:
    """Return words, nodes (phrases and tags) and depth (phrases above the deepest word) of a tree."""
    words = nodes = 0
    depth = -1
    level = [top]
    while level:
        depth += 1
        nodes += len(level)
        words += sum(1 for node in level if node.word)
        level = [child for node in level for child in node.children]
    return words, nodes, depth


@dataclass
class Statistics:
    """Sums over the pairs made so far."""

    sentences: int = 0
    failed: int = 0
    words: int = 0
    nodes: int = 0
    depth: int = 0
    longest: int = 0
    exact: int = 0
    matched: int = 0
    gold: int = 0
    test: int = 0
    types: set[str] = field(default_factory=set)

    def add(self, gold: Node, test: Node | str) -> None:
        """Take one more pair into account."""
        words, nodes, depth = measure(gold)
        self.sentences += 1
        self.words += words
        self.nodes += nodes
        self.depth += depth
        self.longest = max(self.longest, words)
        level = [gold]
        while level:
            self.types.update(node.word for node in level if node.word)
            level = [child for node in level for child in node.children]
        if isinstance(test, str):
            self.failed += 1
            return
        ours, theirs = brackets(gold), brackets(test)
        matched = (ours & theirs).total()
        self.exact += ours == theirs
        self.matched += matched
        self.gold += ours.total()
        self.test += theirs.total()

    def __str__(self) -> str:
        sentences = max(self.sentences, 1)
        return (
            f"{self.sentences} pairs, {self.failed} failed parses; longest {self.longest} words,"
            f" {len(self.types)} different words\n"
            f"mean words {self.words / sentences:.2f}, nodes {self.nodes / sentences:.2f}"
            f" (of these phrases {(self.nodes - self.words) / sentences:.2f}), depth {self.depth / sentences:.2f}\n"
            f"labelled F1 {100 * 2 * self.matched / max(self.gold + self.test, 1):.2f},"
            f" exact {100 * self.exact / max(self.sentences - self.failed, 1):.1f} %"
            " (punctuation and topmost bracket left out)"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the two files and print statistics on standard error."""
    parser = argparse.ArgumentParser(description="Make pairs of trees that look like parsed English newspaper text.")
    parser.add_argument("-n", "--count", type=int, default=2416, help="number of sentences (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same trees (default: %(default)s)")
    parser.add_argument("--gold", type=Path, required=True, metavar="FILE", help="where to write the gold trees")
    parser.add_argument("--test", type=Path, required=True, metavar="FILE", help="where to write the test trees")
    parser.add_argument(
        "--error-rate",
        type=float,
        default=0.1,
        metavar="X",
        help="share of wrong brackets on the test side, from 0 to 1 (default: %(default)s)",
    )
    parser.add_argument("--function-tags", action="store_true", help="gold labels with function tags, as in NP-SBJ")
    parser.add_argument("--no-failed-parses", action="store_true", help="leave out test trees without words")
    options = parser.parse_args(arguments)
    if options.count < 0 or not 0 <= options.error_rate <= 1:
        parser.error("the number of sentences must not be negative, and the error rate must lie between 0 and 1")

    statistics = Statistics()
    made = tree_pairs(
        options.count,
        options.seed,
        options.error_rate,
        function_tags=options.function_tags,
        failed_parses=not options.no_failed_parses,
    )
    with options.gold.open("w", encoding="utf-8") as gold_file, options.test.open("w", encoding="utf-8") as test_file:
        for gold, test in made:
            gold_file.write(to_text(gold) + "\n")
            test_file.write((test if isinstance(test, str) else to_text(test)) + "\n")
            statistics.add(gold, test)
    print(statistics, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
