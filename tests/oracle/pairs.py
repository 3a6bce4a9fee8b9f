"""Random EVALB input for differential tests, the same for the same seed.

    python pairs.py [--spmrl] SEED          prints one case

Each feature (function tags, traces, quotes, unbalanced lines, …) is switched on or off once per case, so that
many combinations occur while most runs still reach their summary. Left out is what the original does not
define: keywords without a value, five and more surplus closing brackets, -D together with unbalanced lines or
with text that ends the run, lines that end inside a label or a word, and sizes beyond the original's tables.
Left out as well are a few combinations on which the specification is silent: quotes inside brackets opened
below depth 0, -X with -d, and -L with -l.
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

# Labels and tags. Short, so that equal ones meet often; all far below the original's 29 bytes.
PHRASES = (b"S", b"NP", b"VP", b"PP", b"ADVP", b"PRT", b"X", b"T", b"TT")
ROOTS = (b"TOP", b"ROOT", b"S1", b"")
TAGS = (b"NN", b"DT", b"VB", b"IN", b"JJ", b"T", b"TT", b"NP")
ODD_LABELS = (b"-LRB-", b"-X-", b"=Y", b"NP|X", b"A+B", b"*", b"np", b"NP_2", b"a:b", b"$", b"~", b"N/P")
SUFFIXES = (b"-SBJ", b"-LOC", b"=2", b"-TMP-1", b"=1-X", b"-", b"=")
FEATURES = (b"##g=m##", b"##n=s##", b"#x", b"#")
PUNCTUATION = ((b",", b","), (b".", b"."), (b":", b";"), (b"?", b"?"), (b"-LRB-", b"-LRB-"), (b"-RRB-", b"-RRB-"))
TRACES = (b"*", b"0", b"*T*-1", b"*-2")
TEXTS = (b"a", b"b", b"c", b"the", b"The", b"dog", b"ran", b"home", b"x-y", b"=", b"#", b"``", b"''")
QUOTE_TEXTS = (b"'", b'"', b"/")
QUOTE_TAGS = (b"''", b"``", b"POS", b"NN", b":")
STRANGE = ("é", "木", "שלום", "\u00a0", "\u3000", "\ufeff", "🌲")
INVALID = (b"\xff", b"\xc3", b"\xa0", b"\x85", b"\x1c", b"\x7f", b"\xed\xa0\x80")
BLANKS = (b" ", b" ", b" ", b"  ", b"\t", b"\v", b"\f", b"\r", b"\r \t")
EMPTY_PARSES = (b"(())", b"()", b"", b" ", b"(TOP)", b"(S (NP))", b"(S)()", b"(TOP (S (NP)) (VP))", b"((()))")
EQ_LABELS = (
    (b"ADVP", b"PRT"),
    (b"PRT", b"X"),
    (b"X", b"VP"),
    (b"NN", b"JJ"),
    (b"T", b"TT"),
    (b"NP-SBJ", b"PP"),
    (b"TOP", b"S"),
)
EQ_WORDS = ((b"the", b"The"), (b"a", b"b"), (b"b", b"c"), (b"dog", b"home"))
LOOSE = (b"oops", b"(NN a b)", b"(NN a )", b"( NP (NN a))", b"\xef\xbb\xbf", b"# comment", b"(NP the(NN a))")

MOST_QUOTES = 8  # the original's table has 20
MOST_SURPLUS = 4
EVALB_LINE, SPMRL_LINE = 4999, 49999


@dataclass
class Case:
    """One input; prm is None if the run gets no parameter file."""

    gold: bytes
    test: bytes
    prm: bytes | None
    flags: list[str]

    def arguments(self) -> list[str]:
        """The command line, with the files called gold, test and prm."""
        return [*(["-p", "prm"] if self.prm is not None else []), *self.flags, "gold", "test"]


@dataclass
class Leaf:
    tag: bytes
    text: bytes


@dataclass
class Node:
    """A phrase, or with label None the line as a whole."""

    label: bytes | None
    children: list[Node | Leaf] = field(default_factory=list)


@dataclass
class Open:
    label: bytes


@dataclass
class Close:
    pass


@dataclass
class Raw:
    """Bytes taken as they are."""

    text: bytes


Token = Open | Close | Leaf | Raw


@dataclass
class Features:
    """What may occur in a case; fractions are probabilities per place."""

    most_words: int
    unary: float
    noise: float  # changes per sentence on the test side
    suffixes: float
    features: float
    odd_labels: float
    punctuation: float
    traces: float
    quotes: float
    quote_errors: float
    strange: float
    empty_words: float
    empty_phrases: float
    same_label: float
    forests: float
    empty_parses: float
    length_errors: float
    word_errors: float
    eq_words: float
    missing: float
    surplus: float
    reopen: float
    blanks: float
    nul: float
    blank_lines: float
    loose: float
    long_lines: float


def make_features(rng: random.Random, *, spmrl: bool, debug: int) -> Features:
    def sometimes(chance: float, *values: float) -> float:
        return rng.choice(values) if rng.random() < chance else 0.0

    quotes = sometimes(0.35, 0.1, 0.4)
    safe = debug < 2  # -D shows bracket texts, which unbalanced lines leave undefined
    return Features(
        most_words=rng.choice((3, 6, 8)) if debug else rng.choice((2, 6, 12, 25)),
        unary=sometimes(0.6, 0.1, 0.3, 0.5),
        noise=rng.choice((0.0, 1.0, 2.0, 5.0)),
        suffixes=sometimes(0.5, 0.1, 0.5),
        features=sometimes(0.6 if spmrl else 0.2, 0.1, 0.5),
        odd_labels=sometimes(0.3, 0.05, 0.2),
        punctuation=sometimes(0.5, 0.1, 0.3),
        traces=sometimes(0.4, 0.1, 0.3),
        quotes=quotes,
        quote_errors=rng.choice((0.05, 0.2, 0.6)),
        strange=sometimes(0.2, 0.05, 0.2),
        empty_words=sometimes(0.1, 0.05),
        empty_phrases=sometimes(0.15, 0.05, 0.15),
        same_label=sometimes(0.4, 0.3, 0.8),
        forests=sometimes(0.3, 0.1, 0.5),
        empty_parses=sometimes(0.3, 0.1, 0.3),
        length_errors=sometimes(0.6 if spmrl and quotes else 0.3, 0.1, 0.4),
        word_errors=sometimes(0.3, 0.1, 0.4),
        eq_words=sometimes(0.3, 0.1, 0.3),
        missing=sometimes(0.2 * safe, 0.1, 0.4),
        surplus=sometimes(0.2 * safe, 0.1, 0.4),
        reopen=sometimes(0.15 * safe, 0.1, 0.4) if quotes == 0 else 0.0,
        blanks=sometimes(0.3, 0.1, 0.5),
        nul=sometimes(0.1, 0.1, 0.3),
        blank_lines=sometimes(0.15, 0.1),
        loose=sometimes(0.04 * safe, 0.2),
        long_lines=sometimes(0.03, 0.3) if debug == 0 and quotes == 0 else 0.0,
    )


# ---------------------------------------------------------------------------------------------------------------------
# Trees


def strange_text(rng: random.Random) -> bytes:
    return rng.choice(STRANGE).encode() if rng.random() < 0.6 else rng.choice(INVALID)


def make_label(rng: random.Random, features: Features) -> bytes:
    label = rng.choice((b"", *ODD_LABELS) if rng.random() < features.odd_labels else PHRASES)
    if rng.random() < features.suffixes:
        label += rng.choice(SUFFIXES)
    if rng.random() < features.features:
        label += rng.choice(FEATURES)
    if rng.random() < features.strange:
        label += strange_text(rng)
    return label


def make_leaf(rng: random.Random, features: Features) -> Leaf:
    if rng.random() < features.punctuation:
        return Leaf(*rng.choice(PUNCTUATION))
    if rng.random() < features.traces:
        return Leaf(b"-NONE-", rng.choice(TRACES))
    if rng.random() < features.quotes:
        return Leaf(rng.choice(QUOTE_TAGS), rng.choice(QUOTE_TEXTS))
    leaf = Leaf(rng.choice(TAGS), rng.choice(TEXTS))
    if rng.random() < features.suffixes / 4:
        leaf.tag += rng.choice(SUFFIXES)
    if rng.random() < features.features:
        leaf.tag += rng.choice(FEATURES)
    if rng.random() < features.strange:
        leaf.text += strange_text(rng)
    if rng.random() < features.empty_words:
        leaf.text = b""
    if rng.random() < features.empty_words:
        leaf.tag = b""
    return leaf


def make_leaves(rng: random.Random, features: Features) -> list[Leaf]:
    leaves: list[Leaf] = []
    quotes = 0
    for _ in range(rng.randint(0 if rng.random() < 0.1 else 1, features.most_words)):
        leaf = make_leaf(rng, features)
        quotes += leaf.text in QUOTE_TEXTS
        if quotes <= MOST_QUOTES or leaf.text not in QUOTE_TEXTS:
            leaves.append(leaf)
    return leaves


def make_tree(rng: random.Random, features: Features, leaves: Sequence[Leaf]) -> Node:
    """A random tree over these leaves, built from the bottom."""
    items: list[Node | Leaf] = [Leaf(leaf.tag, leaf.text) for leaf in leaves]
    label = make_label(rng, features)
    while len(items) > 1 and rng.random() >= features.forests / 4:
        size = rng.randint(2, min(4, len(items)))
        start = rng.randint(0, len(items) - size)
        if rng.random() >= features.same_label:
            label = make_label(rng, features)
        items[start : start + size] = [Node(label, items[start : start + size])]
        if rng.random() < features.unary:
            place = rng.randrange(len(items))
            if rng.random() >= features.same_label:
                label = make_label(rng, features)
            items[place] = Node(label, [items[place]])
        if rng.random() < features.empty_phrases:
            items.insert(rng.randint(0, len(items)), Node(make_label(rng, features)))
    if rng.random() < 0.9 and (len(items) == 1 or rng.random() >= features.forests):
        items = [Node(make_label(rng, features), items)]
    if rng.random() < 0.7:
        items = [Node(rng.choice(ROOTS), items)]
    return Node(None, items)


def nodes_of(tree: Node) -> list[Node]:
    """The line and all its phrases."""
    items = [tree]
    for node in items:
        items.extend(child for child in node.children if isinstance(child, Node))
    return items


def places_of_leaves(tree: Node) -> list[tuple[Node, int, Leaf]]:
    return [
        (node, place, child)
        for node in nodes_of(tree)
        for place, child in enumerate(node.children)
        if isinstance(child, Leaf)
    ]


def leaves_in_order(tree: Node) -> list[Leaf]:
    return [token for token in tokens_of(tree) if isinstance(token, Leaf)]


def change_phrases(rng: random.Random, features: Features, tree: Node) -> None:
    """One change of the bracketing: another label, a bracket less, a bracket more, or a child moved out."""
    node = rng.choice(nodes_of(tree))
    inner = [place for place, child in enumerate(node.children) if isinstance(child, Node)]
    kind = rng.randrange(4)
    if kind == 0 and node.label is not None:
        node.label = make_label(rng, features)
    elif kind == 1 and inner:
        place = rng.choice(inner)
        child = node.children[place]
        if isinstance(child, Node):
            node.children[place : place + 1] = child.children
    elif kind == 2 and node.children:
        start = rng.randrange(len(node.children))
        end = rng.randint(start + 1, len(node.children))
        label = make_label(rng, features)
        if node.label is not None and rng.random() < features.same_label:
            label = node.label
        node.children[start:end] = [Node(label, node.children[start:end])]
    elif kind == 3 and inner:
        place = rng.choice(inner)
        child = node.children[place]
        if isinstance(child, Node) and child.children:
            node.children.insert(place + 1, child.children.pop())


def change_leaves(rng: random.Random, features: Features, tree: Node) -> None:
    """Tag errors, mistagged quotes, equivalent words, and the two kinds of mismatch."""
    for _, _, leaf in places_of_leaves(tree):
        if leaf.text in QUOTE_TEXTS:
            if rng.random() < features.quote_errors:
                leaf.tag = rng.choice(QUOTE_TAGS)
        elif rng.random() < features.noise / 30:
            leaf.tag = make_leaf(rng, features).tag
        if rng.random() < features.eq_words:
            for first, other in EQ_WORDS:
                if leaf.text in (first, other):
                    leaf.text = other if leaf.text == first else first
                    break
    if rng.random() < features.word_errors:
        words = [leaf for _, _, leaf in places_of_leaves(tree) if leaf.text not in QUOTE_TEXTS]
        if words:
            rng.choice(words).text = rng.choice(TEXTS)
    if rng.random() < features.length_errors:
        places = places_of_leaves(tree)
        if places and rng.random() < 0.5:
            node, place, _ = rng.choice(places)
            del node.children[place]
        else:
            node = rng.choice(nodes_of(tree))
            extra = Leaf(rng.choice(TAGS), rng.choice(TEXTS))
            node.children.insert(rng.randint(0, len(node.children)), extra)


def make_test_tree(rng: random.Random, features: Features, gold: Node) -> Node:
    if rng.random() < 0.3 * (features.noise > 0):
        tree = make_tree(rng, features, leaves_in_order(gold))
    else:
        tree = copy.deepcopy(gold)
        for _ in range(rng.randint(0, int(features.noise))):
            change_phrases(rng, features, tree)
    change_leaves(rng, features, tree)
    return tree


# ---------------------------------------------------------------------------------------------------------------------
# Lines


def tokens_of(tree: Node) -> list[Token]:
    tokens: list[Token] = []
    todo: list[Node | Leaf | Close] = list(reversed(tree.children))
    while todo:
        item = todo.pop()
        if isinstance(item, Node):
            tokens.append(Open(item.label or b""))
            todo.append(Close())
            todo.extend(reversed(item.children))
        else:
            tokens.append(item)
    return tokens


def depths(tokens: Sequence[Token]) -> list[int]:
    """The number of open brackets after each token, with 0 in front."""
    items = [0]
    for token in tokens:
        items.append(items[-1] + isinstance(token, Open) - isinstance(token, Close))
    return items


def unbalance(rng: random.Random, features: Features, tokens: list[Token]) -> list[Token]:
    """Leave out or add closing brackets, within what the original defines."""
    changed = list(tokens)
    if rng.random() < features.missing:
        for _ in range(rng.randint(1, 3)):
            closings = [place for place, token in enumerate(changed) if isinstance(token, Close)]
            if closings:
                del changed[rng.choice(closings)]
    if rng.random() < features.surplus:
        at_end = 0.6 if features.quotes == 0 else 1.0
        for _ in range(rng.randint(1, MOST_SURPLUS)):
            last = len(changed)
            changed.insert(last if rng.random() < at_end else rng.randint(0, last), Close())
    if rng.random() < features.reopen:
        count = rng.randint(1, 2)
        changed.extend(Close() for _ in range(count))
        for _ in range(rng.randint(count, count + 1)):
            changed.append(Open(make_label(rng, features)))
            changed.append(Leaf(rng.choice(TAGS), rng.choice(TEXTS)))
    ends_open = bool(changed) and isinstance(changed[-1], Open)
    return tokens if ends_open or min(depths(changed)) < -MOST_SURPLUS else changed


def pad_long(rng: random.Random, tokens: list[Token], most: int) -> list[Token]:
    """Blanks so many that the line is cut among them; what follows may hold at most four surplus closings."""
    heights = depths(tokens)
    places = [
        place + 1
        for place, token in enumerate(tokens)
        if isinstance(token, Close | Leaf) and heights[place + 1] <= MOST_SURPLUS and min(heights) >= 0
    ]
    if not places:
        return tokens
    place = rng.choice(places)
    return [*tokens[:place], Raw(b" " * (most + rng.randint(0, 50))), *tokens[place:]]


def write_line(rng: random.Random, features: Features, tokens: Sequence[Token], *, nul: bool) -> bytes:
    """The line without its end."""
    pieces: list[bytes] = []
    for place, token in enumerate(tokens):
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        closes = isinstance(following, Close)
        if isinstance(token, Open):
            pieces.append(b"(" + token.label)
            between = b"" if closes or (not token.label and rng.random() < 0.5) else b" "
        elif isinstance(token, Leaf):
            blank = rng.choice(BLANKS) if rng.random() < features.blanks else b" "
            pieces.append(b"(" + token.tag + blank + token.text + b")")
            between = b"" if closes else b" "
        elif isinstance(token, Close):
            pieces.append(b")")
            between = b"" if closes else b" "
        else:
            pieces.append(token.text)
            between = b" "
        # A blank in an empty phrase turns it into a word with empty text: rather rarely.
        chance = features.blanks * (0.1 if isinstance(token, Open) and closes else 1.0)
        if rng.random() < chance:
            between = rng.choice((b"", *BLANKS))
        if following is not None:
            pieces.append(between)
        if nul and isinstance(token, Close | Leaf) and rng.random() < 0.1:
            pieces.append(b"\0")
    if nul and (not tokens or isinstance(tokens[-1], Close | Leaf)):
        pieces.append(rng.choice((b"\0", b"\0 (NP", b" \0oops")))
    if rng.random() < features.blanks:
        pieces.insert(0, rng.choice(BLANKS))
        pieces.append(rng.choice(BLANKS))
    return b"".join(pieces)


def make_line(rng: random.Random, features: Features, tree: Node, *, spmrl: bool, debug: int) -> bytes:
    tokens = unbalance(rng, features, tokens_of(tree))
    most = SPMRL_LINE if spmrl else EVALB_LINE
    long = rng.choice(("cut", "edge")) if rng.random() < features.long_lines else ""
    if long == "cut":
        tokens = pad_long(rng, tokens, most)
    elif rng.random() < features.loose:
        tokens.insert(rng.randint(0, len(tokens)), Raw(rng.choice(LOOSE)))
    nul = debug < 2 and rng.random() < features.nul
    line = write_line(rng, features, tokens, nul=nul)
    if long == "edge":  # the line end just fits or just does not
        line = line.rjust(most - rng.randint(0, 2))
    return line


def make_pair(rng: random.Random, features: Features, *, spmrl: bool, debug: int) -> tuple[bytes, bytes]:
    gold_tree = make_tree(rng, features, make_leaves(rng, features))
    test_tree = make_test_tree(rng, features, gold_tree)
    gold = make_line(rng, features, gold_tree, spmrl=spmrl, debug=debug)
    test = make_line(rng, features, test_tree, spmrl=spmrl, debug=debug)
    if rng.random() < features.empty_parses:
        test = rng.choice(EMPTY_PARSES)
    if rng.random() < features.empty_parses / 5:
        gold = rng.choice(EMPTY_PARSES)
    if rng.random() < features.blank_lines:
        gold = test = b""
    return gold, test


def join_lines(rng: random.Random, lines: Sequence[bytes], *, carriage: bool) -> bytes:
    end = b"\r\n" if carriage else b"\n"
    data = b"".join(line + end for line in lines)
    if data and lines[-1] and rng.random() < 0.1:
        data = data[: -len(end)]
    return data


# ---------------------------------------------------------------------------------------------------------------------
# Parameters and options


def make_parameters(rng: random.Random, features: Features, debug: int) -> bytes:
    lines: list[bytes] = []

    def some(keyword: bytes, values: Sequence[bytes], chance: float) -> None:
        lines.extend(keyword + b" " + value for value in values if rng.random() < chance)

    def one_of(keyword: bytes, values: Sequence[bytes], chance: float) -> None:
        if rng.random() < chance:
            lines.append(keyword + b" " + rng.choice(values))

    some(b"DELETE_LABEL", (b"TOP", b"ROOT", b"S1", b"-NONE-"), rng.choice((0.0, 0.6, 1.0)))
    some(b"DELETE_LABEL", (b",", b":", b"``", b"''", b".", b"?"), rng.choice((0.5 * bool(features.quotes), 0.7, 1.0)))
    some(
        b"DELETE_LABEL", (b"NP", b"PP-LOC", b"NP VP", b"T", b"PRT", b"ADVP##g=m##", b"=2"), rng.choice((0.0, 0.0, 0.2))
    )
    some(b"DELETE_LABEL_FOR_LENGTH", (b"-NONE-", b",", b"NN"), rng.choice((0.0, 0.5, 1.0)))
    if features.quotes > 0 or rng.random() < 0.1:
        some(b"QUOTE_LABEL", QUOTE_TAGS, rng.choice((0.6, 1.0)))
    some(b"EQ_LABEL", [b" ".join(pair) for pair in EQ_LABELS], rng.choice((0.0, 0.2, 0.7)))
    some(b"EQ_WORD", [b"  ".join(pair) for pair in EQ_WORDS], 0.8 if features.eq_words else 0.1)
    one_of(b"LABELED", (b"0", b"1", b"2", b"no", b"-1"), 0.3)
    one_of(b"CUTOFF_LEN", (b"0", b"1", b"3", b"5", b"10", b"12abc", b"+4", b"-1"), 0.5)
    one_of(b"MAX_ERROR", (b"-1", b"0", b"1", b"2", b"5"), 0.15)
    if not any(line.startswith(b"MAX_ERROR") for line in lines) and rng.random() < 0.8:
        lines.append(b"MAX_ERROR 100")
    if rng.random() < 0.2:
        odd = (
            b"# note",
            b"#",
            b"ab",
            b"   ",
            b"",
            b" DELETE_LABEL NP",
            b"DELETE_WORD dog",
            b"delete_label NP",
            b"EQ_LABEL NP",
        )
        lines.append(
            rng.choice((*odd, b"EQ_LABEL A B C", b"EQ_WORD x", b"# " + b"y" * 600, b"\tDEBUG 1", b"DEBUG 0 2"))
        )
    if debug:
        lines.append(b"DEBUG %d" % debug)
    if rng.random() < 0.5:
        rng.shuffle(lines)
    if rng.random() < 0.1:
        lines = [line + rng.choice((b"", b" ", b" \t")) for line in lines]
    return join_lines(rng, lines, carriage=rng.random() < 0.1)


def make_flags(rng: random.Random, *, spmrl: bool, debug: int, show: bool) -> list[str]:
    options: list[list[str]] = []

    def value(letter: str, values: Sequence[int], chance: float) -> None:
        if rng.random() < chance:
            chosen = str(rng.choice(values))
            options.append([letter + chosen] if rng.random() < 0.3 else [letter, chosen])

    value("-c", (-1, 0, 1, 3, 5, 10), 0.2)
    value("-e", (-1, 0, 1, 3, 20, 100), 0.1)
    if show:
        options.append(["-d" if debug == 1 else "-D"])
    if spmrl:
        if not debug and rng.random() < 0.4:
            options.append(["-X"])
        value("-K", (-1, 0, 1, 2, 3, 50), 0.2)
        if rng.random() < 0.3:
            options.append([rng.choice(("-L", "-l"))])
        if rng.random() < 0.2:
            options.append(["-V"])
    rng.shuffle(options)
    return [word for option in options for word in option]


def make_case(rng: random.Random, *, spmrl: bool = False) -> Case:
    """One random case; the same state of rng gives the same case."""
    debug = rng.choices((0, 1, 2), (6, 2, 2))[0]
    features = make_features(rng, spmrl=spmrl, debug=debug)
    gold_lines: list[bytes] = []
    test_lines: list[bytes] = []
    for _ in range(rng.choice((0, 1, 2, 3, 4, 6, 8, 10))):
        gold, test = make_pair(rng, features, spmrl=spmrl, debug=debug)
        gold_lines.append(gold)
        test_lines.append(test)
    if rng.random() < 0.1:
        shorter = rng.choice((gold_lines, test_lines))
        del shorter[max(0, len(shorter) - rng.randint(1, 2)) :]
    one_carriage = rng.random() < 0.1
    both_carriage = rng.random() < 0.1
    with_file = rng.random() < (0.95 if features.quotes else 0.8)
    debug_in_file = debug if with_file and rng.random() < 0.3 else 0
    return Case(
        gold=join_lines(rng, gold_lines, carriage=both_carriage),
        test=join_lines(rng, test_lines, carriage=both_carriage or one_carriage),
        prm=make_parameters(rng, features, debug_in_file) if with_file else None,
        flags=make_flags(rng, spmrl=spmrl, debug=debug, show=debug > debug_in_file),
    )


def main() -> None:
    arguments = sys.argv[1:]
    spmrl = "--spmrl" in arguments
    case = make_case(random.Random(int(arguments[-1])), spmrl=spmrl)
    print(*case.arguments())
    for name, data in (("prm", case.prm), ("gold", case.gold), ("test", case.test)):
        for line in (data or b"").splitlines(keepends=True):
            print(f"{name}: {line!r}")


if __name__ == "__main__":
    main()
