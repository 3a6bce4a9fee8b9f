"""Trees on the time axis in plain Python: from words and when they were spoken to the interval of every leaf, and on to
the score over seconds. The oracle of the differential tests.

Readable first, never tuned; recursive, and quadratic or worse wherever that is the definition. All times are fractions;
a number with a point is taken for the decimal that is printed, so that 1.1 is 11/10.

A tree is (label, children) for a phrase and (tag, word) for a tagged word; a word without a tag is a string.

What is done, in this order:

1.  `sound`: times that cannot be are dropped, overlaps are cut.
2.  Words that nobody speaks (punctuation) are left out, and words without times get some from around them (`fill`).
3.  `groups`: leaves and words that belong together. If both sides have the same text as a whole, they are what lies
    between common boundaries. If not, equal words, then groups of equal text, then the rest by place.
4.  `shared`: the leaves of a group share the time of its words.
5.  Leaves without words get some time from around them in the tree (`fill`), and silent leaves a place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias
from unicodedata import category

from oracle.struct_iou import Node, Rules, Tree as Nodes, best_by_chains, weights_of
from oracle.words import align

from treescore.words.normal import Normal

#: A phrase (label, children), a tagged word (tag, word), or a word without a tag.
Tree: TypeAlias = "tuple[str, Any] | str"
Interval: TypeAlias = tuple[Fraction, Fraction]
Time: TypeAlias = "Interval | None"
#: A time as it is given: a number, or a decimal as a string.
Given: TypeAlias = "float | str | Fraction"

SILENT_TAGS = ("-NONE-", ",", ".", ":", "``", "''", "-LRB-", "-RRB-", "-DFL-")
SPOKEN_MARKS = "%&@#§‰"
#: Overlaps up to this many seconds are rounding.
ROUNDING = Fraction(1, 10**6)
#: Runs in which leaves times words are more than this have no groups.
MOST = 1_000_000

INSERTION, DELETION, SUBSTITUTION = 3, 3, 4


def exact(time: Given) -> Fraction:
    """The time as a fraction, by its decimals."""
    return time if isinstance(time, Fraction) else Fraction(str(time))


def known(time: Given | None) -> Fraction | None:
    """Begin or end of an utterance, if it is one."""
    if time is None or not math.isfinite(float(time)) or float(time) < 0:
        return None
    return exact(time)


# ---------------------------------------------------------------------------------------------------------------------
# Words


def sound(times: Sequence[tuple[Given, Given] | None]) -> tuple[list[Time], list[str]]:
    """Times of words one after the other, None where there is none, and what was wrong, in the order of the words."""
    kept: list[Time] = []
    problems: list[str] = []
    for given in times:
        kept.append(None)
        if given is None:
            continue
        if not all(math.isfinite(float(time)) for time in given):
            problems.append("time")
            continue
        start, end = exact(given[0]), exact(given[1])
        if start < 0 or end <= start:
            problems.append("time")
            continue
        last = max((place for place, time in enumerate(kept) if time is not None), default=None)
        if last is not None:
            last_start, last_end = kept[last] or (start, end)
            if start <= last_start:
                problems.append("order")
                continue
            if start < last_end:
                kept[last] = (last_start, start)
                if last_end - start > ROUNDING:
                    problems.append("overlap")
        kept[-1] = (start, end)
    return kept, problems


def silent(tag: str | None, word: str) -> bool:
    """Is it a leaf that nobody speaks: punctuation or a trace?"""
    text = Normal().word(word)
    return tag in SILENT_TAGS or not any(category(mark)[0] in "LNMS" or mark in SPOKEN_MARKS for mark in text)


def key(word: str) -> str:
    """What words must have in common to be the same."""
    text = Normal().word(word)
    return "".join(letter for letter in text if category(letter)[0] in "LNM") or text


def weight(word: str) -> int:
    """The share of a word in time that several have in common."""
    return len(Normal().word(word))


def portions(weights: Sequence[int], start: Fraction, end: Fraction) -> list[Interval]:
    """The time from start to end, divided in proportion to the weights."""
    whole = sum(weights)
    cuts = [start + (end - start) * sum(weights[:place]) / whole for place in range(len(weights) + 1)]
    return list(pairwise(cuts))


def fill(
    weights: Sequence[int], times: Sequence[Time], begin: Fraction | None = None, end: Fraction | None = None
) -> list[Time]:
    """Times for those that have none, from the gaps around them, or else from a neighbour; None for all if there is
    nothing to take them from.
    """
    timed = [place for place, time in enumerate(times) if time is not None]
    if not timed:
        if begin is None or end is None or begin >= end or not times:
            return [None] * len(times)
        return list(portions(weights, begin, end))
    filled = list(times)
    sharing: dict[int, list[int]] = {place: [place] for place in timed}  # who takes part in the time of this one
    for before, after in pairwise([None, *timed, None]):
        run = range(0 if before is None else before + 1, len(times) if after is None else after)
        if not run:
            continue
        gap_start, gap_end = begin, end
        if before is not None and (time := times[before]) is not None:
            gap_start = time[1]
        if after is not None and (time := times[after]) is not None:
            gap_end = time[0]
        if gap_start is not None and gap_end is not None and gap_start < gap_end:
            filled[run.start : run.stop] = portions([weights[place] for place in run], gap_start, gap_end)
        else:
            neighbour = after if before is None else before
            assert neighbour is not None
            sharing[neighbour] = sorted([*sharing[neighbour], *run])
    for neighbour, places in sharing.items():
        own = times[neighbour]
        assert own is not None
        for place, time in zip(places, portions([weights[place] for place in places], *own), strict=True):
            filled[place] = time
    return filled


# ---------------------------------------------------------------------------------------------------------------------
# Which leaves and words belong together


@dataclass(frozen=True)
class Group:
    """Leaves and words that belong together, by number; one side may be empty."""

    leaves: range
    words: range
    is_same: bool  # in text


def word_steps(leaves: Sequence[str], words: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """sclite's alignment of two sequences of keys: pairs, leaves alone and words alone."""

    def pair(leaf: int, word: int) -> int:
        return 0 if leaves[leaf] == words[word] else SUBSTITUTION

    return align([DELETION] * len(leaves), [INSERTION] * len(words), pair)[1]


def equal_texts(leaves: Sequence[str], words: Sequence[str]) -> list[tuple[range, range]]:
    """Groups of consecutive leaves and words with the same text, in order, with the most characters in all."""

    @cache
    def starting(leaf: int, word: int) -> list[tuple[int, int]]:
        """Where groups that start here may end, the shortest first."""
        return [
            (leaf_end, word_end)
            for leaf_end in range(leaf + 1, len(leaves) + 1)
            for word_end in range(word + 1, len(words) + 1)
            if "".join(leaves[leaf:leaf_end]) == "".join(words[word:word_end])
        ]

    best: dict[tuple[int, int], int] = {}

    def value(leaf: int, word: int) -> int:
        return best.get((leaf, word), 0)  # nothing is left of one side

    def with_group(leaf: int, word: int, ends: tuple[int, int]) -> int:
        return len("".join(leaves[leaf : ends[0]])) + value(*ends)

    for leaf in reversed(range(len(leaves))):
        for word in reversed(range(len(words))):
            choices = [value(leaf + 1, word), value(leaf, word + 1)]
            choices += [with_group(leaf, word, ends) for ends in starting(leaf, word)]
            best[leaf, word] = max(choices)

    result: list[tuple[range, range]] = []
    leaf = word = 0
    while leaf < len(leaves) and word < len(words):
        shortest = starting(leaf, word)[:1]
        if shortest and with_group(leaf, word, shortest[0]) == value(leaf, word):
            leaf_end, word_end = shortest[0]
            result.append((range(leaf, leaf_end), range(word, word_end)))
            leaf, word = leaf_end, word_end
        elif value(leaf + 1, word) == value(leaf, word):
            leaf += 1
        else:
            word += 1
    return result


def between(
    settled: Sequence[tuple[range, range]], leaves: range, words: range
) -> Iterator[tuple[tuple[range, range], tuple[range, range] | None]]:
    """What lies before each of these and behind the last one, each with the one that follows it."""
    leaf, word = leaves.start, words.start
    for own_leaves, own_words in settled:
        yield (range(leaf, own_leaves.start), range(word, own_words.start)), (own_leaves, own_words)
        leaf, word = own_leaves.stop, own_words.stop
    yield (range(leaf, leaves.stop), range(word, words.stop)), None


def by_place(leaves: range, words: range) -> list[Group]:
    """What belongs together where the text says nothing."""
    if len(leaves) == len(words):
        return [
            Group(range(leaf, leaf + 1), range(word, word + 1), False) for leaf, word in zip(leaves, words, strict=True)
        ]
    return [Group(leaves, words, not leaves or not words)]


def same_throughout(leaves: Sequence[str], words: Sequence[str]) -> list[Group]:
    """The smallest groups of equal text, where the whole text is equal."""
    ends = [
        (leaf, word)
        for leaf in range(len(leaves) + 1)
        for word in range(len(words) + 1)
        if len("".join(leaves[:leaf])) == len("".join(words[:word]))
    ]
    return [
        Group(range(leaf, leaf_end), range(word, word_end), True)
        for (leaf, word), (leaf_end, word_end) in pairwise(ends)
    ]


def groups(leaves: Sequence[str], words: Sequence[str], most: int = MOST) -> list[Group]:
    """All leaves and all words, by their keys, in groups from left to right."""
    if "".join(leaves) == "".join(words):
        return same_throughout(leaves, words)
    matches = [
        (range(leaf, leaf + 1), range(word, word + 1))
        for leaf, word in word_steps(leaves, words)
        if leaf is not None and word is not None and leaves[leaf] == words[word]
    ]
    result: list[Group] = []
    for (run_leaves, run_words), match in between(matches, range(len(leaves)), range(len(words))):
        texts: list[tuple[range, range]] = []
        if len(run_leaves) * len(run_words) <= most:
            own_leaves, own_words = (
                [keys[place] for place in run] for keys, run in ((leaves, run_leaves), (words, run_words))
            )
            for inner_leaves, inner_words in equal_texts(own_leaves, own_words):
                texts.append((shifted(inner_leaves, run_leaves.start), shifted(inner_words, run_words.start)))
        for rest, text in between(texts, run_leaves, run_words):
            result += by_place(*rest)
            result += [Group(*text, True)] if text else []
        result += [Group(*match, True)] if match else []
    return result


def shifted(places: range, by: int) -> range:
    """The same numbers, so much greater."""
    return range(places.start + by, places.stop + by)


def shared(weights: Sequence[int], words: Sequence[Interval]) -> list[Interval]:
    """The time of these words, divided among leaves in proportion to their weights."""
    if len(weights) == 1:
        return [(words[0][0], words[-1][1])]
    spoken = sum((end - start for start, end in words), Fraction(0))

    def clock(amount: Fraction, is_end: bool) -> Fraction:
        """When so much has been spoken; at a pause, its begin or its end."""
        before = Fraction(0)
        for start, end in words:
            here = amount - before
            if here < end - start or (is_end and here == end - start):
                return start + here
            before += end - start
        return words[-1][1]

    return [(clock(start, False), clock(end, True)) for start, end in portions(weights, Fraction(0), spoken)]


# ---------------------------------------------------------------------------------------------------------------------
# Trees


@dataclass
class Placed:
    """Trees on the time axis."""

    #: For each tree the times of its leaves, or None.
    times: list[list[Interval] | None]
    #: For each tree what was wrong: the kind, and the numbers of the leaves of the tree.
    problems: list[dict[str, list[int]]]
    #: Words without leaves, by number.
    extra: list[int] = field(default_factory=list)

    def kinds(self) -> list[set[str]]:
        """For each tree what kinds of problems it has."""
        return [set(problems) for problems in self.problems]


def leaves_of(tree: Tree) -> list[tuple[str | None, str]]:
    """Tag and word of each leaf."""
    if isinstance(tree, str):
        return [(None, tree)]
    if isinstance(tree[1], str):
        return [(tree[0], tree[1])]
    return [leaf for child in tree[1] for leaf in leaves_of(child)]


def placed(
    trees: Sequence[Tree],
    words: Sequence[str],
    times: Sequence[Time],
    begin: Given | None = None,
    end: Given | None = None,
) -> Placed:
    """The trees of one utterance, or of a document, over its words with sound times."""
    leaves = [(number, *leaf) for number, tree in enumerate(trees) for leaf in leaves_of(tree)]
    spoken = [place for place, (_, tag, word) in enumerate(leaves) if not silent(tag, word)]
    heard = [place for place, word in enumerate(words) if not silent(None, word)]
    first, last = known(begin), known(end)
    if first is not None and last is not None and first > last:
        first = last = None
    filled = fill([weight(words[place]) for place in heard], [times[place] for place in heard], first, last)

    of_leaf: dict[int, Interval] = {}  # by number in `leaves`
    untimed, other = set[int](), set[int]()
    extra: list[int] = []
    for group in groups([key(leaves[place][2]) for place in spoken], [key(words[place]) for place in heard]):
        own = [spoken[place] for place in group.leaves]
        own_words = [heard[place] for place in group.words]
        if not own:
            extra += own_words
        elif not own_words:
            untimed.update(own)
        else:
            if not group.is_same:
                other.update(own)
            if any(times[place] is None for place in own_words):
                untimed.update(own)
            when = [time for place in group.words if (time := filled[place]) is not None]
            if when:  # all of them or none
                of_leaf.update(zip(own, shared([weight(leaves[place][2]) for place in own], when), strict=True))

    in_tree = [[place for place, leaf in enumerate(leaves) if leaf[0] == number] for number in range(len(trees))]
    for places in in_tree:
        inside = [place for place in places if place in spoken]
        full = fill([weight(leaves[place][2]) for place in inside], [of_leaf.get(place) for place in inside])
        of_leaf.update({place: time for place, time in zip(inside, full, strict=True) if time is not None})

    result = Placed([], [], extra)
    for places in in_tree:
        here = at_start(places, [place for place in places if place in spoken], of_leaf, first, last)
        if places and here is None:
            result.times.append(None)
            result.problems.append({"no-times": []})
            continue
        times_here: list[Interval] = []
        for place in places:
            assert here is not None
            times_here.append(of_leaf.get(place, (here, here)))
            here = times_here[-1][1]
        concerned = {
            kind: [at for at, place in enumerate(places) if place in which]
            for kind, which in (("untimed", untimed), ("other-word", other))
        }
        result.times.append(times_here)
        result.problems.append({kind: item for kind, item in concerned.items() if item})
    return result


def at_start(
    places: Sequence[int],
    inside: Sequence[int],
    of_leaf: dict[int, Interval],
    first: Fraction | None,
    last: Fraction | None,
) -> Fraction | None:
    """Where the silent leaves stand with which a tree starts, given all its leaves and the spoken ones; None if the
    tree has no place.
    """
    if not places:
        return None
    if inside:
        return of_leaf[inside[0]][0] if inside[0] in of_leaf else None
    before = [place for place in of_leaf if place < places[0]]
    after = [place for place in of_leaf if place > places[0]]
    if before:
        return of_leaf[max(before)][1]
    if after:
        return of_leaf[min(after)][0]
    return first if first is not None else last


# ---------------------------------------------------------------------------------------------------------------------
# The score


@dataclass(frozen=True)
class Options:
    """How trees over seconds are compared."""

    silent: str = "drop"  # or keep
    gaps: str = "keep"  # or close
    rules: Rules = field(default_factory=Rules)


def closed(times: Sequence[Interval]) -> list[Interval]:
    """The spoken words around each silence meet in its middle. The silent ones are not looked at again."""
    spoken = [place for place, (start, end) in enumerate(times) if start < end]
    moved = list(times)
    for first, other in pairwise(spoken):
        middle = (times[first][1] + times[other][0]) / 2
        moved[first] = (moved[first][0], middle)
        moved[other] = (middle, moved[other][1])
    return moved


@dataclass
class Side:
    """The trees of one side of a unit as Struct-IoU sees them."""

    nodes: Nodes
    #: Nodes that match nothing, with silent:keep.
    unmatched: int

    @property
    def size(self) -> int:
        """What stands below the line."""
        return len(self.nodes) + self.unmatched


def side_of(trees: Sequence[tuple[Tree, Sequence[Interval]]], options: Options) -> Side:
    """Trees and the times of their leaves as one tree with several roots.

    A phrase reaches from its first spoken word to its last one, tagged or not. A spoken word without a tag is no node;
    a phrase in which no other words are spoken is a leaf with the label of the phrase.
    """
    nodes: dict[int, Node] = {}
    numbers = iter(range(10**9))
    leaf_count = unmatched = 0

    def add(tree: Tree, times: Iterator[Interval], ancestors: frozenset[int]) -> tuple[Fraction, Fraction] | None:
        """What is spoken in the tree; all nodes in it are added, in pre-order."""
        nonlocal leaf_count, unmatched
        if isinstance(tree, str):
            start, end = next(times)
            return (start, end) if start < end else None
        label, below = tree
        if isinstance(below, str):
            start, end = next(times)
            if start == end:
                unmatched += 1
                return None
            number = next(numbers)
            nodes[number] = Node(number, label, start, end, ancestors, leaf_count, leaf_count + 1, number + 1, True)
            leaf_count += 1
            return start, end
        own = [next(times) for _ in leaves_of(tree)]
        if all(start == end for start, end in own):  # and so is all below it
            unmatched += count_silent(tree)
            return None
        number, first_leaf = next(numbers), leaf_count
        inner = iter(own)
        extents = [extent for child in below if (extent := add(child, inner, ancestors | {number})) is not None]
        behind = max((node.end_number for node in nodes.values() if node.number > number), default=number + 1)
        is_leaf = behind == number + 1
        leaf_count += is_leaf
        start, end = min(extent[0] for extent in extents), max(extent[1] for extent in extents)
        nodes[number] = Node(number, label, start, end, ancestors, first_leaf, leaf_count, behind, is_leaf)
        return start, end

    reached: Fraction | None = None
    every = [time for _, times in trees for time in times]
    when = iter(closed(every) if options.gaps == "close" else every)
    for tree, _ in trees:
        extent = add(tree, when, frozenset())
        if extent is not None:
            if reached is not None and extent[0] < reached:
                raise ValueError("these trees are not one after the other")
            reached = extent[1]
    return Side([nodes[number] for number in range(len(nodes))], unmatched if options.silent == "keep" else 0)


def count_silent(tree: Tree) -> int:
    """The nodes of a tree in which nothing is spoken. Words without tags, and phrases without words, are none."""
    if isinstance(tree, str):
        return 0
    if isinstance(tree[1], str):
        return 1
    return sum(map(count_silent, tree[1])) + bool(leaves_of(tree))


def overlap(gold: Side, test: Side, rules: Rules) -> Fraction:
    """The sum of the IoU of the best alignment."""
    weights = weights_of(gold.nodes, test.nodes, rules)
    return best_by_chains(gold.nodes, test.nodes, weights, Fraction(0))


def score(
    gold: Sequence[tuple[Tree, Sequence[Interval]]],
    test: Sequence[tuple[Tree, Sequence[Interval]]],
    options: Options | None = None,
) -> Fraction | None:
    """The score of a unit; None if there is nothing to compare."""
    options = options or Options()
    sides = side_of(gold, options), side_of(test, options)
    below = sides[0].size + sides[1].size
    return 2 * overlap(*sides, options.rules) / below if below else None
