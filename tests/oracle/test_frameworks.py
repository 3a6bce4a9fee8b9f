"""Function trees, generalised gold and scores across frameworks, against plain models of their definitions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import make_tree, make_words, write

import treescore
from treescore.studies.frameworks import FunctionTree, FunctionTrees, cross_framework, generalised

FUNCTIONS = ("SBJ", "OBJ", "ADV", "PRD")
Forest = tuple[Any, ...]

#: Not hypothesis' own, which is slow where much is drawn.
SEEDED = st.integers(0, 2**32).map(Random)


def make_function_tree(rng: Random, length: int) -> FunctionTree:
    """Nested spans with one or two functions each."""
    nodes = []
    waiting = [(0, length)]
    while waiting:
        start, end = waiting.pop()
        if rng.random() < 0.7:
            nodes.append(((start, end), rng.sample(FUNCTIONS, rng.choice((1, 1, 2)))))
        if end - start > 1:
            cut = rng.randint(start + 1, end - 1)
            waiting += [(start, cut), (cut, end)]
    return FunctionTree(length, nodes)


def make_heads(rng: Random, length: int) -> list[int]:
    """A tree over words in any order, often not projective."""
    order = rng.sample(range(1, length + 1), length)
    heads = [0] * length
    for place, word in enumerate(order):
        heads[word - 1] = rng.choice(order[:place]) if place else 0
    return heads


def forest_of(tree: FunctionTree) -> Forest:
    """A function tree as an ordered tree with words for leaves: (label, is it a word, children)."""

    def build(start: int, end: int, spans: Sequence[tuple[int, int]]) -> Forest:
        items: list[Any] = []
        at = start
        while at < end:
            widest = max((span for span in spans if span[0] == at), key=lambda span: span[1], default=None)
            if widest is None:
                items.append((f"word {at}", True, ()))
                at += 1
            else:
                rest = [it for it in spans if it != widest and widest[0] <= it[0] and it[1] <= widest[1]]
                items.append((repr(sorted(tree.nodes[widest])), False, build(*widest, rest)))
                at = widest[1]
        return tuple(items)

    return build(0, tree.length, list(tree.nodes))


def fewest_edits(gold: Forest, test: Forest) -> float:
    """Tai's distance where nodes cost 1 and are not renamed, and words must not be touched."""

    @cache
    def least(f: Forest, g: Forest) -> float:
        ways = []
        for side, (whole, other) in enumerate(((f, g), (g, f))):
            if whole:
                left = whole[:-1] + whole[-1][2]
                cost = float("inf") if whole[-1][1] else 1
                ways.append(cost + (least(other, left) if side else least(left, other)))
        if f and g and f[-1][:2] == g[-1][:2]:
            ways.append(least(f[:-1], g[:-1]) + least(f[-1][2], g[-1][2]))
        return min(ways, default=0)

    return least(gold, test)


@given(SEEDED)
def test_edits_are_the_fewest_that_leave_the_words_alone(rng: Random) -> None:
    length = rng.randint(1, 5)
    one, other = make_function_tree(rng, length), make_function_tree(rng, length)
    assert len(one.edits_to(other)) == fewest_edits(forest_of(one), forest_of(other))
    assert {("add" if kind == "del" else "del", *rest) for kind, *rest in one.edits_to(other)} == {
        (kind, *rest) for kind, *rest in other.edits_to(one)
    }


@given(SEEDED)
def test_scores_follow_the_definition(rng: Random) -> None:
    schemes, sentences = rng.randint(2, 3), rng.randint(1, 4)
    lengths = [rng.randint(1, 7) for _ in range(sentences)]
    golds, tests = ([[make_function_tree(rng, it) for it in lengths] for _ in range(schemes)] for _ in range(2))
    found = cross_framework([FunctionTrees(it) for it in golds], [FunctionTrees(it) for it in tests])
    assert found.problems == []
    for scheme, score in enumerate(found):
        blamed = counted = 0
        for place in range(sentences):
            trees = [gold[place].nodes for gold in golds]
            shared = {span: frozenset.intersection(*(it.get(span, frozenset()) for it in trees)) for span in trees[0]}
            general = {(span, functions) for span, functions in shared.items() if functions}

            def edits(tree: FunctionTree, general: set[Any] = general) -> set[Any]:
                own = set(tree.nodes.items())
                return {("del", it) for it in own - general} | {("add", it) for it in general - own}

            test, gold = tests[scheme][place], golds[scheme][place]
            errors = len(edits(test)) - len(edits(test) & edits(gold))
            most = len(test) + len(general)
            assert score.rows["errors"][place] == errors
            assert score.rows["score"][place] == (1 - errors / most if most else 1)
            blamed, counted = blamed + errors, counted + most
        assert score.value == (1 - blamed / counted if counted else 1)
        assert score.sentence_mean == pytest.approx(sum(score.rows["score"]) / sentences)
        assert 0 <= score.value <= 1


@given(SEEDED)
def test_a_parser_that_gives_its_own_gold_is_perfect(rng: Random) -> None:
    golds = [FunctionTrees([make_function_tree(rng, 6)]) for _ in range(3)]
    assert [score.value for score in cross_framework(golds, golds)] == [1, 1, 1]
    trees = [tree for gold in golds for tree in gold.trees if tree is not None]
    assert generalised(trees[:1]).nodes == trees[0].nodes


def below(heads: Sequence[int], word: int) -> set[int]:
    """The word and all that depends on it, by climbing from everywhere."""
    found = set()
    for start in range(1, len(heads) + 1):
        at = start
        while at not in (0, word):
            at = heads[at - 1]
        if at == word:
            found.add(start)
    return found


@given(SEEDED)
def test_dependencies(rng: Random) -> None:
    heads = make_heads(rng, rng.randint(1, 8))
    relations = [rng.choice(FUNCTIONS) for _ in heads]
    made = FunctionTrees.from_dependencies([list(zip(heads, relations, strict=True))])
    spans = [(min(below(heads, word)) - 1, max(below(heads, word))) for word in range(1, len(heads) + 1)]
    is_projective = all(end - start == len(below(heads, word)) for word, (start, end) in enumerate(spans, 1))
    assert [problem.code for problem in made.problems] == ([] if is_projective else ["non-projective"])
    tree = made[0]
    assert tree is not None
    if is_projective:
        expected = {
            span: {relation} for span, relation in zip(spans, relations, strict=True) if span != (0, len(heads))
        }
        assert tree.nodes == expected
    for one in tree.nodes:
        assert all(one[1] <= other[0] or other[1] <= one[0] or contains(one, other) for other in tree.nodes)


def contains(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Is one span inside the other?"""
    return (one[0] <= other[0] and other[1] <= one[1]) or (other[0] <= one[0] and one[1] <= other[1])


@given(SEEDED)
def test_lifting_ends_in_a_projective_tree(rng: Random) -> None:
    from treescore.studies.frameworks import _projective

    heads = make_heads(rng, rng.randint(1, 10))
    lifted = _projective(heads)
    assert lifted is not None
    for word, (old, new) in enumerate(zip(heads, lifted[0], strict=True), 1):
        above = {0}
        at = word
        while at:
            at = heads[at - 1]
            above.add(at)
        assert new in above, (heads, word)
        between = range(min(word, new) + 1, max(word, new))
        assert new == 0 or set(between) <= below(lifted[0], new)
        assert lifted[1] or old == new


@given(SEEDED)
def test_unlabelled_phrases_are_all_spans(rng: Random) -> None:
    text = write(make_tree(rng, make_words(rng, 6, 0), 0))
    tree = FunctionTrees.from_trees(text, labels=False)[0]
    nodes = treescore.read(text)[0].nodes()
    assert tree is not None
    assert set(tree.nodes) == {(node.start, node.end) for node in nodes} - {(0, tree.length)}


def test_functions_of_one_span_are_one_set() -> None:
    trees = FunctionTrees.from_trees("(S (NP-SBJ (NP-TPC (NN-HD tea))) (VP (VB is) (ADJP-PRD (JJ hot))))")
    assert trees[0].nodes == {(0, 1): {"SBJ", "TPC", "HD"}, (2, 3): {"PRD"}}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ([(2, "a"), (1, "b")], "word 1 depends on itself"),
        ([(1, "a")], "word 1 depends on itself"),
        ([(0, "a"), (3, "b")], "the head of word 2 is 3, and there are 2 words"),
        ([(-1, "a")], "the head of word 1 is -1, and there are 1 word"),
        ([(0, "a"), (4, "b"), (4, "c"), (2, "d")], "word 2 depends on itself"),
    ],
)
def test_heads_that_lead_nowhere(sentence: list[tuple[int, str]], message: str) -> None:
    made = FunctionTrees.from_dependencies([sentence, [(0, "root")]], name="x")
    assert made.trees[0] is None
    assert str(made.problems[0]) == f"x: {message} (left out of the scores)"
    assert made.problems[0].unit == 1
    assert made[1] is not None


def test_what_cannot_be_scored() -> None:
    good = "(S (A-X a) (B-Y b))"
    golds = [[good, good, good, "()"], [good, "(S (A-X a))", good, good]]
    tests = [[good, good, "()", good], [good, good, "(S (A-X a))", good]]
    found = cross_framework(golds, tests)
    assert [score.rows["score"] for score in found] == [[1, None, 0, None]] * 2
    assert [score.scored for score in found] == [2, 2]
    assert [(problem.code, problem.unit) for problem in found.problems] == [
        ("no-gold", 2),
        ("unparsed", 3),
        ("words", 3),
        ("no-gold", 4),
    ]
    empty = cross_framework([[], []], [[], []])
    assert [(score.value, score.sentence_mean) for score in empty] == [(None, None)] * 2


def test_sides_must_fit() -> None:
    with pytest.raises(treescore.UsageError, match="sentence 1 is not a list of pairs"):
        FunctionTrees.from_dependencies([[(1, "a", "b")]])  # type: ignore[list-item]
    with pytest.raises(treescore.UsageError, match="each scheme needs"):
        cross_framework(["(A a)"], [])
    with pytest.raises(treescore.UsageError, match="1 names for 2 schemes"):
        cross_framework(["(A a)"] * 2, ["(A a)"] * 2, names=["one"])
    with pytest.raises(treescore.InputError, match="2 sentences in test of scheme 2 but 1 in gold of scheme 1"):
        cross_framework(["(A a)"] * 2, ["(A a)", "(A a) (A a)"])


def test_long_and_deep_sentences() -> None:
    chain = [(head, "X") for head in range(20_000)]
    assert len(FunctionTrees.from_dependencies([chain])[0] or ()) == 19_999
    deep = "(S-X " * 20_000 + "(A-Y a) (B b)" + ")" * 20_000
    assert len(FunctionTrees.from_trees(deep)[0] or ()) == 1
    rng = Random(1)
    tangled = [(head, "X") for head in make_heads(rng, 3_000)]
    assert [problem.code for problem in FunctionTrees.from_dependencies([tangled]).problems] == ["dependencies"]


GAP, NO_GAP = "(S (X-F (A 0=a) (C 2=c)) (B 1=b) (D 3=d))", "(S (X-F (A 0=a) (B 1=b) (C 2=c)) (D 3=d))"


@pytest.mark.parametrize(
    "texts", [(GAP, NO_GAP, NO_GAP, NO_GAP), (NO_GAP, GAP, NO_GAP, NO_GAP), (NO_GAP, NO_GAP, NO_GAP, GAP)]
)
def test_sentences_with_a_gap_are_left_out(texts: tuple[str, ...]) -> None:
    """A phrase with a gap is no span, whichever tree it is in; other sentences are scored."""
    sides = [FunctionTrees.from_trees(f"{text}\n{NO_GAP}\n") for text in texts]
    found = cross_framework(sides[:2], sides[2:])
    assert [score.rows["score"] for score in found] == [[None, 1.0]] * 2
    assert [(problem.code, problem.unit) for problem in found.problems] == [("discontinuous", 1)]


EXPORT = """\
#BOS 1 1 1 1
cats\tNN\t--\tHD\t500
eat\tVB\t--\tHD\t502
fish\tNN\t--\tOA\t502
#500\tNP\t--\tSB\t501
#502\tVP\t--\t--\t501
#501\tS\t--\t--\t0
#EOS 1
"""


def test_functions_that_stand_apart() -> None:
    tree = FunctionTrees.from_trees(EXPORT, names={"OA": "OBJ"})[0]
    assert tree is not None
    assert tree.nodes == {(0, 1): {"SB", "HD"}, (1, 2): {"HD"}, (2, 3): {"OBJ"}}


def test_labels_without_functions_are_reported() -> None:
    made = FunctionTrees.from_trees("(S (NP (NN a)) (VP (VB b)))")
    assert [problem.code for problem in made.problems] == ["functions"]
    assert FunctionTrees.from_trees("(S (NP (NN a)) (VP (VB b)))", labels=False).problems == []


def test_a_file_of_nothing_but_gaps() -> None:
    """There is no score, and no other complaint."""
    found = cross_framework([GAP, NO_GAP], [GAP, NO_GAP])
    assert [score.value for score in found] == [None, None]
    assert {problem.code for problem in found.problems} == {"discontinuous"}
