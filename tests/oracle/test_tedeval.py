"""TEDEVAL against the oracle, and by the laws that it obeys."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from oracle.tedeval import Options, below_the_root, edits, score, shape, size, without
from oracle.tree_distance import Forest, is_mapping, nodes_of
from strategies import RANDOMS, Node as Part, Phrase, Word, changed, make_tree, make_words, read_lines, words_of, write

import treescore
from treescore.metrics.tedeval import Tedeval
from treescore.place.pair import Pair

RENAMES = ("2", "2", "2", "1", "0", "0.5", "1.75")


@dataclass(frozen=True)
class Case:
    """Two sentences of one or several trees, the options, and the surface word of each segment, if known."""

    gold: tuple[Part, ...]
    test: tuple[Part, ...]
    options: Options
    surface: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    def forests(self) -> list[Forest]:
        """The nodes of both sides."""
        surface = self.surface or (None, None)
        sides = zip((self.gold, self.test), surface, strict=True)
        return [below_the_root(side, self.options, words) for side, words in sides]

    def found(self) -> treescore.TedevalTrees:
        """What treescore says."""
        gold, test = (read_lines(" ".join(map(write, side))) for side in (self.gold, self.test))
        gold_words, test_words = self.surface or (None, None)
        rename = self.options.rename
        return treescore.tedeval(
            gold,
            test,
            labels=self.options.labels,
            by_word=self.surface is not None,
            gold_words=gold_words,
            test_words=test_words,
            merge_preterminals=self.options.merge,
            rename_cost=int(rename) if rename.denominator == 1 else float(rename),
            roots="counted" if self.options.roots_count else "fixed",
        )


def resegmented(rng: Random, part: Part) -> tuple[Part, ...]:
    """The same tree with some words cut in two, and some gone."""
    if isinstance(part, Phrase):
        below = tuple(item for child in part.children for item in resegmented(rng, child))
        return (Phrase(part.label, below),) if below else ()
    if rng.random() < 0.2:
        return Word(part.tag, part.text[:1] + "1"), Word(rng.choice(("NN", "DT")), part.text[:1] + "2")
    return () if rng.random() < 0.1 else (part,)


def bare(rng: Random, part: Part) -> Part:
    """The same tree with some tags gone, where the word is not the only child of its phrase."""
    if isinstance(part, Word):
        return part
    below = [bare(rng, child) for child in part.children]
    if len(below) > 1 and part.label:
        below = [Word(None, it.text) if isinstance(it, Word) and rng.random() < 0.2 else it for it in below]
    return Phrase(part.label, tuple(below))


def make_side(rng: Random, tree: Phrase) -> tuple[Part, ...]:
    """A sentence from a tree: with other segments, with words without tags, as several trees."""
    parts: tuple[Part, ...] = (tree,)
    if rng.random() < 0.5:
        parts = resegmented(rng, tree) or parts
    if rng.random() < 0.2:
        parts = tuple(bare(rng, part) for part in parts)
    if rng.random() < 0.1 and isinstance(parts[0], Phrase):
        parts = tuple(part for part in parts[0].children if not isinstance(part, Word) or part.tag is not None) or parts
    return parts


def make_surface(rng: Random, side: Sequence[Part]) -> tuple[int, ...]:
    """Some segments in a row are one surface word."""
    words, last = [], 1
    for place in range(sum(len(words_of(part)) for part in side)):
        last += place > 0 and rng.random() < 0.6
        words.append(last)
    return tuple(words)


def make_case(rng: Random, most_words: int = 4) -> Case:
    """One random comparison."""
    odd = rng.choice((0.0, 0.2))
    tree = make_tree(rng, make_words(rng, most_words, odd), odd)
    other = (
        changed(rng, tree, 0.3, odd) if rng.random() < 0.8 else make_tree(rng, make_words(rng, most_words, odd), odd)
    )
    gold, test = make_side(rng, tree), make_side(rng, other)
    options = Options(rng.random() < 0.7, rng.random() < 0.8, Fraction(rng.choice(RENAMES)), rng.random() < 0.3)
    surface = (make_surface(rng, gold), make_surface(rng, test)) if rng.random() < 0.3 else None
    return Case(gold, test, options, surface)


CASES: st.SearchStrategy[Case] = RANDOMS.map(make_case)


def assert_right(case: Case) -> None:
    """Sizes, distance and score are those of the definition, and the script does what it says."""
    result = case.found()
    gold, test = case.forests()
    assert (result.gold_nodes, result.test_nodes) == (size(gold), size(test)), case
    assert result.distance == pytest.approx(float(edits(gold, test, case.options)), abs=1e-9), case
    assert result.score == pytest.approx(float(score(gold, test, case.options)), abs=1e-9), case
    added, deleted = ({step[1] for step in result.script if step[0] == kind} for kind in ("add", "del"))
    renamed = [step[1:3] for step in result.script if step[0] == "rename"]
    assert is_mapping(gold, test, result.mapping), case
    cost = len(added) + len(deleted) + len(renamed) * case.options.rename
    assert result.distance == pytest.approx(float(cost), abs=1e-9), case
    kept = [without(gold, added), without(test, deleted)]
    if not renamed:  # what is left of both when the edits are undone on one side and done on the other is equal
        assert shape(kept[0]) == shape(kept[1]), case
    assert [[node.number for node in nodes_of(side)] for side in kept] == [
        [step[place] for step in result.script if step[0] in ("keep", "rename")] for place in (1, 2)
    ], case
    assert len(result.edits) == len(added) + len(deleted)


@settings(max_examples=150)
@given(CASES)
def test_score_and_script(case: Case) -> None:
    assert_right(case)


def test_many_pairs() -> None:
    rng = Random(1)
    for _ in range(500):
        assert_right(make_case(rng, rng.choice((1, 2, 3, 5))))


@given(RANDOMS)
def test_the_metric_has_the_same_scores(rng: Random) -> None:
    cases = [replace(make_case(rng), options=Options(), surface=None) for _ in range(rng.randint(1, 10))]
    surfaces = [(make_surface(rng, case.gold), make_surface(rng, case.test)) for case in cases]
    gold, test = (
        read_lines("".join(" ".join(map(write, side)) + "\n" for side in sides))
        for sides in ([case.gold for case in cases], [case.test for case in cases])
    )
    maps = ["".join(" ".join(map(str, pair[side])) + "\n" for pair in surfaces).encode() for side in (0, 1)]
    for by_word in (False, True):
        metric = Tedeval(gold_words=maps[0], test_words=maps[1]) if by_word else Tedeval()
        counts = metric.counts(Pair(gold, test), threads=2)
        rows, alignments = metric.rows(counts), metric.node_mappings(Pair(gold, test), threads=2)
        for index, case in enumerate(cases):
            result = replace(case, surface=surfaces[index] if by_word else None).found()
            assert rows["score"][index] == pytest.approx(result.score, abs=1e-8)
            assert rows["distance"][index] == result.distance
            assert (rows["gold"][index], rows["test"][index]) == (result.gold_nodes, result.test_nodes)
            assert rows["exact"][index] == (result.distance == 0)
            assert alignments[index] == [(a, b, 1.0) for a, b in result.mapping]
        total = counts.total()
        most = total["gold"] + total["test"] - 2 * len(cases)
        assert metric.score(counts).value == pytest.approx(1 - sum(rows["distance"]) / most, abs=1e-12)
        assert treescore.metric(metric.signature) == metric


# ---------------------------------------------------------------------------------------------------------------------
# Laws


@given(CASES)
def test_in_range_and_one_only_for_equal_trees(case: Case) -> None:
    case = replace(case, options=replace(case.options, rename=max(case.options.rename, Fraction(1, 2))))
    result = case.found()
    assert result.score is not None
    assert 0 <= result.score <= 1
    assert (result.score == 1) == (result.distance == 0) == (shape(case.forests()[0]) == shape(case.forests()[1]))


@given(CASES)
def test_the_sides_may_be_swapped(case: Case) -> None:
    surface = None if case.surface is None else (case.surface[1], case.surface[0])
    back = replace(case, gold=case.test, test=case.gold, surface=surface).found()
    assert case.found().score == back.score
    assert case.found().distance == back.distance


@given(CASES)
def test_a_tree_is_like_itself(case: Case) -> None:
    surface = None if case.surface is None else (case.surface[0], case.surface[0])
    result = replace(case, test=case.gold, surface=surface).found()
    assert (result.score, result.distance, result.edits) == (1, 0, [])


@given(CASES)
def test_labels_and_surface_words_only_cost(case: Case) -> None:
    plain = replace(case, surface=None)
    free = replace(plain, options=replace(case.options, labels=False))
    scores = [it.found().score for it in (case, plain, free)]
    assert scores == sorted(scores)  # type: ignore[type-var]


@pytest.mark.parametrize("root", ["TOP", "ROOT", "S1", "VROOT", ""])
def test_it_does_not_matter_which_root_there_is(root: str) -> None:
    gold, test = "(S (NP (A a)) (VP (B b)))", "(S (NP (A a)) (NP (B b)))"
    assert treescore.tedeval(gold, f"({root} {test})").score == treescore.tedeval(gold, test).score == 0.8
    assert treescore.tedeval(f"({root} {gold})", f"({root} {test})").test_nodes == 6
    assert not treescore.tedeval(f"({root} {gold})", test).problems


def test_only_the_outermost_bracket_is_the_root() -> None:
    result = treescore.tedeval("(TOP (TOP (X x)))", "(TOP (X x))")
    assert (result.gold_nodes, result.test_nodes, result.distance) == (3, 2, 1)
    several, first = read_lines("(TOP (A a)) (TOP (B b))"), read_lines("(TOP (A a) (B b))")
    assert treescore.tedeval(several, first).gold_nodes == 5  # with a root over both


# ---------------------------------------------------------------------------------------------------------------------
# What cannot be compared, and what can


def test_what_is_not_scored() -> None:
    gold = read_lines("(S (A a))\n(S (A a))\n(S (A a)\n()\n()\n(S (A a) (X))\n")
    test = read_lines("()\n(S (A a)\n(S (A a))\n(S (A a))\n()\n(S (A a))\n")
    for roots in ("fixed", "counted"):
        metric = Tedeval(roots=roots)
        counts = metric.counts(Pair(gold, test))
        rows = metric.rows(counts)
        assert rows["score"] == [0.0, 0.0, None, 0.0, 1.0, 1.0]
        assert rows["status"] == [1, 1, 2, 0, 0, 0]
        items = {(problem.unit, problem.code) for problem in metric.problems(Pair(gold, test), counts)}
        assert items == {(1, "unparsed"), (4, "no-gold"), (5, "empty"), (6, "empty-phrase")}
    assert treescore.evaluate("()", "()", "tedeval").scores[0].value == 1


def test_other_words_are_no_problem() -> None:
    report = treescore.evaluate("(TOP (S (A ab) (B c)))", "(TOP (S (A a) (B b) (C c)))", "tedeval")
    assert report.problems == []
    assert report.rows()["distance"] == [5]
    assert list(report.breakdown("length")) == ["1-10"]


def test_surface_words() -> None:
    gold, test = "(TOP (X (A a) (A a)))", "(TOP (X (A a)))"
    assert treescore.tedeval(gold, test).distance == 1
    first, second = (
        treescore.tedeval(gold, test, by_word=True, gold_words=[1, 2], test_words=[word]) for word in (1, 3)
    )
    assert first.edits == [("add", "2:a/A", (1, 2))]
    assert [edit[:2] for edit in second.edits] == [("add", "1:a/A"), ("add", "2:a/A"), ("del", "3:a/A")]


def test_word_maps_that_do_not_fit() -> None:
    result = treescore.tedeval("(A a)", "(A a)", by_word=True, gold_words=[1, 2], test_words=[1])
    assert result.score is None
    assert [str(problem) for problem in result.problems] == [
        "<test>:1: 1 segment in the gold tree but 2 in its word map (left out of the score)"
    ]
    metric = Tedeval(gold_words=b"1\n1\n", test_words=b"1\n")
    bank = treescore.read("(A a)")
    with pytest.raises(treescore.InputError, match="the word map of gold has 2 sentences for 1 trees"):
        metric.counts(Pair(bank, bank))


@pytest.mark.parametrize(
    ("text", "place"),
    [(b"1 x\n", "1:3"), (b"0\n", "1:1"), (b"1\n2 1\n", "2:3"), (b"a\t1\n\nb\tx\n", "3:3"), (b"a\t1\nb\n", "2:1")],
)
def test_faults_of_word_maps_have_a_place(text: bytes, place: str) -> None:
    with pytest.raises(treescore.InputError, match=f"^{place}: "):
        Tedeval(gold_words=text, test_words=b"1\n")


@given(st.binary(max_size=20) | st.text("012 \t\r\n", max_size=20).map(str.encode))
def test_any_bytes_are_a_word_map_or_an_error(data: bytes) -> None:
    with suppress(treescore.InputError):
        Tedeval(gold_words=data, test_words=data)


def test_a_map_has_as_many_sentences_as_lines() -> None:
    from treescore.readers.word_maps import read_word_map

    assert read_word_map(b"").sentences() == []
    assert read_word_map(b"1 1\n\n2\n").sentences() == [[1, 1], [], [2]]
    assert read_word_map(b"1 1\r\n2").sentences() == [[1, 1], [2]]
    assert read_word_map(b"a\t1\r\nb\t1\r\n\r\nc\t2\r\n\r\n").sentences() == [[1, 1], [2]]


def test_deep_and_large_trees() -> None:
    deep = "(S " * 100_000 + "(A a)" + ")" * 100_000
    assert treescore.tedeval(deep, "(S (S (A a)))").distance == 99_998
    assert treescore.tedeval(deep, deep).score == 1
    flat = [f"(S {' '.join(f'({label} {number})' for number in range(20_000))})" for label in "AB"]
    assert [problem.code for problem in treescore.tedeval(*flat).problems] == ["too-complex"]
    assert treescore.tedeval(flat[0], flat[0]).score == 1


def test_one_pair_only() -> None:
    with pytest.raises(treescore.UsageError, match="takes one tree"):
        treescore.tedeval("(A a) (B b)", "(A a) (B b)")
