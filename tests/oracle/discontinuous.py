"""A plain model of bracket scores on sets of words, for trees whose phrases may have gaps; and such trees at random.

Written from the definition: a bracket is a label and the set of the words under it; two sets cross if they have words
in common and each has one that the other has not. Nothing here is fast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

LABELS = ("S", "NP", "VP", "PP", "ADVP", "PRT")
TAGS = ("NN", "VB", "DT", ",", "$.")
WORDS = ("a", "b", "cat", "木", "=", "3=4")
FUNCTIONS = (None, None, "SB", "OA", "HD")


@dataclass(frozen=True)
class Word:
    """A word at its place in the sentence."""

    place: int
    text: str
    tag: str
    function: str | None = None


@dataclass(frozen=True)
class Phrase:
    """A label over phrases and words, in any order."""

    label: str
    children: tuple[Phrase | Word, ...]
    function: str | None = None


Tree = Phrase | Word


def words_of(tree: Tree) -> list[Word]:
    """All words in the order of the sentence."""
    if isinstance(tree, Word):
        return [tree]
    return sorted((word for child in tree.children for word in words_of(child)), key=lambda word: word.place)


def places(tree: Tree) -> frozenset[int]:
    """The places of its words."""
    return frozenset(word.place for word in words_of(tree))


def in_order(tree: Phrase) -> list[Tree]:
    """The children by their first words."""
    return sorted(tree.children, key=lambda child: min(places(child)))


def phrases_of(tree: Tree) -> list[Phrase]:
    """All phrases, each before those under it, siblings by their first words."""
    if isinstance(tree, Word):
        return []
    return [tree, *(phrase for child in in_order(tree) for phrase in phrases_of(child))]


def has_gap(numbers: frozenset[int]) -> bool:
    """Is a number missing between the least and the greatest?"""
    return bool(numbers) and max(numbers) - min(numbers) + 1 != len(numbers)


def written(tree: Tree, rng: Random | None = None) -> str:
    """In brackets with numbered words; with a `rng`, children in any order."""
    if isinstance(tree, Word):
        return f"({tree.tag} {tree.place}={tree.text})"
    children = list(tree.children) if rng else in_order(tree)
    if rng:
        rng.shuffle(children)
    return f"({' '.join([tree.label, *(written(child, rng) for child in children)])})"


def in_export(tree: Phrase, name: str, *, lemmas: bool = False, extras: bool = False) -> str:
    """In the export format. The outermost phrase is a phrase of its own below the number 0."""
    phrases = phrases_of(tree)
    number = {id(phrase): 500 + place for place, phrase in enumerate(reversed(phrases))}
    parent = {id(child): number[id(phrase)] for phrase in phrases for child in phrase.children}
    lemma = "\tlemma" if lemmas else ""
    secondary = "\tSE\t500" if extras else ""
    lines = [f"#BOS {name} 1 0 0 %% a comment" if extras else f"#BOS {name}"]
    for word in words_of(tree):
        up = next(parent[id(child)] for phrase in phrases for child in phrase.children if child is word)
        comment = "\t%% a comment" if extras else ""
        lines.append(f"{word.text}{lemma}\t\t{word.tag}\t--\t{word.function or '--'}\t{up}{secondary}{comment}")
    if extras:
        lines += ["%% a line of its own", ""]
    for phrase in reversed(phrases):
        up = parent.get(id(phrase), 0)
        lines.append(f"#{number[id(phrase)]}{lemma}\t{phrase.label}\t--\t{phrase.function or '--'}\t{up}")
    return "\n".join([*lines, f"#EOS {name}"]) + "\n"


def in_tiger(tree: Phrase, name: str) -> str:
    """As a sentence of TigerXML."""
    from xml.sax.saxutils import quoteattr

    phrases = phrases_of(tree)
    number = {id(phrase): f"{name}_{500 + place}" for place, phrase in enumerate(phrases)}
    out = [f"<s id={quoteattr(name)}><graph root={quoteattr(number[id(tree)])}>\n<terminals>"]
    out += [
        f"<t id={quoteattr(f'{name}_{word.place}')} word={quoteattr(word.text)} pos={quoteattr(word.tag)} morph='--'/>"
        for word in words_of(tree)
    ]
    out.append("</terminals>\n<nonterminals>")
    for phrase in phrases:
        out.append(f"<nt id={quoteattr(number[id(phrase)])} cat={quoteattr(phrase.label)}>")
        for child in phrase.children:
            target = f"{name}_{child.place}" if isinstance(child, Word) else number[id(child)]
            out.append(f"<edge label={quoteattr(child.function or '--')} idref={quoteattr(target)}/>")
        out.append(f"<secedge label='X' idref={quoteattr(number[id(tree)])}/></nt>")
    return "\n".join([*out, "</nonterminals></graph></s>\n"])


# ---------------------------------------------------------------------------------------------------------------------
# Random trees


def make_sentence(rng: Random, most: int = 9) -> list[Word]:
    """Words with tags and functions."""
    return [
        Word(place, rng.choice(WORDS), rng.choice(TAGS), rng.choice(FUNCTIONS)) for place in range(rng.randint(1, most))
    ]


def make_tree(rng: Random, words: Sequence[Word], gaps: float = 0.5) -> Phrase:
    """A tree over these words; `gaps` is how often phrases are put together from what does not stand side by side."""
    items: list[Tree] = list(words)
    while len(items) > 1 and rng.random() < 0.9:
        size = rng.randint(1, min(4, len(items)))
        if rng.random() < gaps:
            chosen = rng.sample(items, size)
        else:
            items.sort(key=lambda item: min(places(item)))
            start = rng.randint(0, len(items) - size)
            chosen = items[start : start + size]
        items = [item for item in items if not any(item is each for each in chosen)]
        items.append(Phrase(rng.choice(LABELS), tuple(chosen), rng.choice(FUNCTIONS)))
    return Phrase(rng.choice(("ROOT", "S")), tuple(items))


def changed(rng: Random, tree: Phrase) -> Phrase:
    """The same words: some labels, tags and functions are others, some phrases are gone, some words moved up."""

    def rebuild(node: Tree) -> list[Tree]:
        if isinstance(node, Word):
            tag = rng.choice(TAGS) if rng.random() < 0.1 else node.tag
            function = rng.choice(FUNCTIONS) if rng.random() < 0.2 else node.function
            return [Word(node.place, node.text, tag, function)]
        below = [item for child in node.children for item in rebuild(child)]
        if rng.random() < 0.15:
            return below
        moved: list[Tree] = []
        if len(below) > 1 and rng.random() < 0.2:
            moved = [below.pop(rng.randrange(len(below)))]
        label = rng.choice(LABELS) if rng.random() < 0.15 else node.label
        function = rng.choice(FUNCTIONS) if rng.random() < 0.2 else node.function
        return [Phrase(label, tuple(below), function), *moved]

    return Phrase(tree.label, tuple(item for child in tree.children for item in rebuild(child)))


def moved_words(tree: Tree, order: Sequence[int]) -> Tree:
    """The same tree with the word at place n at place order[n]."""
    if isinstance(tree, Word):
        return Word(order[tree.place], tree.text, tree.tag, tree.function)
    return Phrase(tree.label, tuple(moved_words(child, order) for child in tree.children), tree.function)


# ---------------------------------------------------------------------------------------------------------------------
# Scores


@dataclass(frozen=True)
class Rules:
    """The options of parseval that have to do with sets of words."""

    delete: tuple[str, ...] = ()
    delete_by: str = "own"
    labels: bool = True
    only: str = "all"
    least_width: int = 1
    root: str = "keep"
    duplicates: str = "keep"


Bracket = tuple[str, frozenset[int]]


def brackets_of(tree: Phrase, kept: Sequence[int], rules: Rules) -> list[tuple[Bracket, Phrase]]:
    """What counts, each with its phrase; words are counted anew without the deleted ones."""
    number = {place: new for new, place in enumerate(kept)}
    items = []
    outermost = True
    for phrase in phrases_of(tree):
        words = frozenset(number[place] for place in places(phrase) if place in number)
        if not words or phrase.label in rules.delete or len(words) < rules.least_width:
            continue
        if rules.root == "drop-whole" and len(words) == len(kept):
            continue
        if rules.root == "drop-outermost" and outermost:
            outermost = False
            continue
        if rules.only == "discontinuous" and not has_gap(words):
            continue
        items.append(((phrase.label if rules.labels else "", words), phrase))
    return items


def crosses(a: frozenset[int], b: frozenset[int]) -> bool:
    """Do they overlap, neither holding the other?"""
    return bool(a & b) and not a <= b and not b <= a


def kept_places(gold: Phrase, test: Phrase, rules: Rules) -> tuple[list[int], list[int]]:
    """The places of the words that are not deleted, on both sides."""
    sides = words_of(gold), words_of(gold if rules.delete_by == "gold" else test)
    first, second = ([word.place for word in side if word.tag not in rules.delete] for side in sides)
    return first, second


def counts(gold: Phrase, test: Phrase, rules: Rules) -> dict[str, int] | None:
    """The counts of one pair; None if it cannot be scored."""
    kept = kept_places(gold, test, rules)
    texts = [
        [word.text for word in words_of(tree) if word.place in side]
        for tree, side in zip((gold, test), kept, strict=True)
    ]
    if not kept[1] or texts[0] != texts[1]:
        return None
    in_gold, in_test = (
        [first for first, _ in brackets_of(tree, side, rules)] for tree, side in zip((gold, test), kept, strict=True)
    )
    if rules.duplicates == "drop":
        in_gold, in_test = list(set(in_gold)), list(set(in_test))
    sets = Counter(words for _, words in in_gold) & Counter(words for _, words in in_test)
    tags = [
        [word.tag for word in words_of(tree) if word.place in side]
        for tree, side in zip((gold, test), kept, strict=True)
    ]
    matched = (Counter(in_gold) & Counter(in_test)).total()
    return {
        "matched": matched,
        "unlabelled": sets.total(),
        "gold": len(in_gold),
        "test": len(in_test),
        "crossing": sum(any(crosses(words, other) for _, other in in_gold) for _, words in in_test),
        "words": len(kept[0]),
        "tags": sum(a == b for a, b in zip(*tags, strict=True)),
        "exact": int(matched == len(in_gold) == len(in_test)),
    }


def function_counts(gold: Phrase, test: Phrase, rules: Rules) -> dict[str, int] | None:
    """Functions on phrases with a partner and on words with the right tag."""
    kept = kept_places(gold, test, rules)
    if counts(gold, test, rules) is None:
        return None
    pairs: list[tuple[str | None, str | None]] = []
    free = brackets_of(test, kept[1], rules)
    for bracket, phrase in brackets_of(gold, kept[0], rules):
        partner = next((place for place, (other, _) in enumerate(free) if other == bracket), None)
        if partner is not None:
            pairs.append((phrase.function, free.pop(partner)[1].function))
    words = (
        [word for word in words_of(tree) if word.place in side] for tree, side in zip((gold, test), kept, strict=True)
    )
    pairs += [(a.function, b.function) for a, b in zip(*words, strict=True) if a.tag == b.tag]
    return {
        "matched": sum(a is not None and a == b for a, b in pairs),
        "gold": sum(a is not None for a, _ in pairs),
        "test": sum(b is not None for _, b in pairs),
    }
