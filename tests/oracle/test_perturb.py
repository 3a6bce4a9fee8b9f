"""Perturbed word boundaries against their definitions on random trees, and what must hold whatever the trees are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from interval_trees import make_pair, with_times
from oracle import perturb as oracle
from strategies import RANDOMS, TREES, Phrase, hang_guard, read_lines, spoken, write

import treescore
from treescore import _core
from treescore.render.nested_trees import jsonl_lines
from treescore.speech.perturb import OPERATIONS, perturb

Times = list[tuple[float, float]]
DELTAS = st.sampled_from([0.1, 0.5, 1.0]) | st.floats(0, 1)
SEEDS = st.integers(-5, 5)


def times_of(tree: treescore.Tree) -> Times:
    """The times of its words, which must be there."""
    times = tree.times
    assert times is not None
    return times


def said(times: Times) -> Times:
    """Those of words that were spoken."""
    return [(start, end) for start, end in times if start < end]


def same(first: treescore.Treebank, other: treescore.Treebank) -> bool:
    """Trees, words and times, bit for bit."""
    return first == other and [tree.times for tree in first] == [tree.times for tree in other]


def flat(number: int, words: int) -> treescore.Treebank:
    """So many trees over words of one second each."""
    return perturb(["(S" + " (NN word)" * words + ")"] * number, "noise", 0, axis="words")


@pytest.mark.parametrize("operation", OPERATIONS)
@given(rng=RANDOMS, delta=DELTAS, seed=SEEDS)
def test_random_trees(operation: str, rng: Random, delta: float, seed: int) -> None:
    pair = [["TOP", [with_times(tree, lambda time: time / 64)]] for tree in make_pair(rng, 8)]  # every gap is real
    for number, (tree, item) in enumerate(zip(pair, perturb(pair, operation, delta, seed=seed), strict=True), 1):
        expected = oracle.perturbed(tree, operation, delta, seed, number)
        shape = oracle.replaced(expected, iter([[[leaf[0], 0, 1]] for leaf in oracle.leaves_of(expected)]))[0]
        assert without_words(item) == written(shape)
        for given_time, leaf in zip(times_of(item), oracle.leaves_of(expected), strict=True):
            assert given_time == pytest.approx([float(time) for time in leaf[1:]], abs=1e-9)


def written(tree: list[Any]) -> str:
    """Brackets with the tags only."""
    return f"({tree[0]})" if len(tree) == 3 else f"({tree[0]} {' '.join(map(written, tree[1]))})"


def without_words(tree: treescore.Tree) -> str:
    """The same of a `Tree`."""
    below = [child for child in tree.children if isinstance(child, treescore.Tree)]
    return f"({tree.label} {' '.join(map(without_words, below))})" if below else f"({tree.label})"


# ---------------------------------------------------------------------------------------------------------------------
# Laws; here with words that are not spoken


def bank_of(trees: list[Phrase]) -> treescore.Treebank:
    """Trees with times; traces have no length."""
    return spoken(read_lines("".join(write(tree) + "\n" for tree in trees)))


BANKS = st.lists(TREES, max_size=3).map(bank_of)


@given(operation=st.sampled_from([*OPERATIONS]), bank=BANKS, seed=SEEDS)
def test_delta_0_changes_nothing(operation: str, bank: treescore.Treebank, seed: int) -> None:
    assert same(perturb(bank, operation, 0, seed=seed), bank)


@given(operation=st.sampled_from([*OPERATIONS]), bank=BANKS, delta=DELTAS, seed=SEEDS)
def test_words_stay_in_order_and_in_their_span(
    operation: str, bank: treescore.Treebank, delta: float, seed: int
) -> None:
    perturbed = perturb(bank, operation, delta, seed=seed)
    assert len(perturbed) == len(bank)
    for before, after in zip(bank, perturbed, strict=True):
        old, new = said(times_of(before)), said(times_of(after))
        assert bool(old) == bool(new)
        if old:
            assert (old[0][0], old[-1][1]) == (new[0][0], new[-1][1])
        assert all(a[1] <= b[0] for a, b in pairwise(times_of(after)))
        if operation == "noise":
            assert str(before) == str(after)
            assert [a[1] == b[0] for a, b in pairwise(old)] == [a[1] == b[0] for a, b in pairwise(new)]
        else:
            assert "".join(after.leaves) if operation == "delete" else len(after.leaves) >= len(before.leaves)


@given(operation=st.sampled_from([*OPERATIONS]), bank=BANKS, delta=DELTAS)
def test_words_that_are_not_spoken_stay(operation: str, bank: treescore.Treebank, delta: float) -> None:
    """As many as before, and each at the end of the word before it, or at the start of the first."""
    for before, after in zip(bank, perturb(bank, operation, delta), strict=True):
        silent = [
            [word for (word, _), (start, end) in zip(tree.pos(), times_of(tree), strict=True) if start == end]
            for tree in (before, after)
        ]
        assert silent[0] == silent[1]
        times = times_of(after)
        first = next((start for start, end in times if start < end), times[0][0] if times else 0.0)
        last = first
        for start, end in times:
            assert start < end or start == last
            last = end


@given(bank=BANKS, seed=SEEDS)
def test_delta_1(bank: treescore.Treebank, seed: int) -> None:
    cut, joined = (perturb(bank, operation, 1, seed=seed) for operation in ("insert", "delete"))
    for index, tree in enumerate(bank):
        old = said(times_of(tree))
        assert len(said(times_of(cut[index]))) == 2 * len(old)
        assert said(times_of(joined[index])) == ([(old[0][0], old[-1][1])] if old else [])


@given(operation=st.sampled_from([*OPERATIONS]), bank=BANKS, delta=DELTAS, seed=SEEDS)
def test_a_tree_does_not_depend_on_the_others(
    operation: str, bank: treescore.Treebank, delta: float, seed: int
) -> None:
    whole = perturb(bank, operation, delta, seed=seed)
    assert same(whole, perturb(bank, operation, delta, seed=seed))
    for index in range(len(bank)):
        assert same(whole[index : index + 1], perturb(bank[index : index + 1], operation, delta, seed=seed))
    longer = perturb(bank + bank, operation, delta, seed=seed)
    assert same(whole, longer[: len(bank)])


def test_seeds_differ() -> None:
    bank = flat(1, 20)
    for operation in OPERATIONS:
        assert not same(perturb(bank, operation, 0.5, seed=0), perturb(bank, operation, 0.5, seed=1))


def test_a_larger_delta_does_more_of_the_same() -> None:
    bank = flat(20, 10)
    for operation, fewer, more in (("insert", 0.3, 0.6), ("delete", 0.6, 0.3)):
        few, many = (perturb(bank, operation, delta) for delta in (fewer, more))
        for first, other in zip(few, many, strict=True):
            assert {time for time, _ in times_of(first)} <= {time for time, _ in times_of(other)}
    near, far = (perturb(bank, "noise", delta) for delta in (1e-6, 1e-5))
    for tree, first, other in zip(bank, near, far, strict=True):
        moves = [[a[1] - b[1] for a, b in zip(times_of(to), times_of(tree), strict=True)] for to in (first, other)]
        assert [10 * move for move in moves[0]] == pytest.approx(moves[1], abs=1e-9)


def test_the_same_on_every_platform() -> None:
    perturbed = perturb([["S", [["A", 0, 1, "a"], ["B", 1, 2, "b"], ["C", 2.5, 3, "c"]]]], "noise", 0.5, seed=3)[0]
    assert perturbed.times == [
        (0.0, 0.9814463001835781),
        (0.9814463001835781, 2.0945220443715056),
        (2.3022501016151913, 3.0),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Chance


def test_how_many_boundaries_are_inserted_and_deleted() -> None:
    words, delta = 20 * 500, 0.3
    bank = flat(500, 20)
    cut = perturb(bank, "insert", delta).native.leaf_total() - words
    assert abs(cut - delta * words) < 5 * sqrt(words * delta * (1 - delta))
    inner = 19 * 500
    dropped = words - perturb(bank, "delete", delta).native.leaf_total()
    assert abs(dropped - delta * inner) < 5 * sqrt(inner * delta * (1 - delta))


def test_how_far_boundaries_move() -> None:
    """One inner boundary in the middle of two seconds: uniform in ±delta."""
    delta, number = 0.4, 4_000
    moves = sorted(times_of(tree)[0][1] - 1 for tree in perturb(flat(number, 2), "noise", delta))
    assert -delta <= moves[0] < -0.99 * delta < 0.99 * delta < moves[-1] <= delta
    assert abs(sum(moves) / number) < 5 * delta / sqrt(3 * number)
    for share in (0.25, 0.5, 0.75):
        below = sum(move < delta * (2 * share - 1) for move in moves)
        assert abs(below - share * number) < 5 * sqrt(number * share * (1 - share))


def test_where_words_are_cut() -> None:
    cuts = [times_of(tree)[0][1] for tree in perturb(flat(4_000, 1), "insert", 1)]
    assert abs(sum(cuts) / len(cuts) - 0.5) < 5 / sqrt(12 * len(cuts))


# ---------------------------------------------------------------------------------------------------------------------
# Single cases


def test_words_by_their_characters() -> None:
    perturbed = perturb(["(S (A sleeps) (B I) bare)"], "insert", 1, axis="words")[0]
    assert "".join(perturbed.leaves[:2]) == "sleeps"
    assert perturbed.leaves[2:4] == ["I", "I"]
    assert [tag for _, tag in perturbed.pos()] == ["A", "A", "B", "B", None, None]
    accents = perturb(["(S (A e\u0301))"] * 50, "insert", 1, axis="words")
    assert {tuple(tree.leaves) for tree in accents} == {("e\u0301", "e\u0301")}


def test_a_word_alone() -> None:
    """It has no parent under which its parts could stand: then there are two trees."""
    perturbed = perturb([["A", 0, 1, "ab"]], "insert", 1)
    assert list(perturbed.lines()) == ["(A a) (A b)"]
    assert str(perturb([["A", 0, 1, "ab"]], "delete", 1)[0]) == "(A ab)"


def test_words_that_are_only_times() -> None:
    tree = ["NP", [["DT", 0.0, 0.25], ["NN", 0.25, 1.0]]]
    for operation in OPERATIONS:
        perturbed = perturb([tree], operation, 1)[0]
        assert perturbed.leaves == [f"{start:g}-{end:g}" for start, end in times_of(perturbed)]


def test_joined_words() -> None:
    tree = ["S", [["NP", [["DT", 0, 1, "the"], ["NN", 1, 2, "cat"]]], ["VP", [["VBZ", 3, 4, "sleeps"]]]]]
    perturbed = perturb([tree], "delete", 1)[0]
    assert str(perturbed) == "(S (NP (DT the_cat_sleeps)))"
    assert perturbed.leaves == ["the_cat_sleeps"]
    assert perturbed.times == [(0, 4)]
    silent = perturb(["(S (NP (A a)) (VP (-NONE- *) (B b)) (X (-NONE- *2)))"], "delete", 1, axis="words")[0]
    assert str(silent) == "(S (NP (A a_b)) (VP (-NONE- *)) (X (-NONE- *2)))"
    assert silent.times == [(0, 2), (2, 2), (2, 2)]


def test_a_gap_by_rounding_is_one_boundary() -> None:
    tree = ["S", [["A", 0.0, 0.3, "a"], ["B", 0.1 + 0.2, 1.0, "b"]]]
    times = times_of(perturb([tree], "noise", 0.5)[0])
    assert times[0][1] == times[1][0] != 0.3
    for gap, meets in ((0.9e-6, True), (1.1e-6, False)):
        times = times_of(perturb([["S", [["A", 0.0, 0.3], ["B", 0.3 + gap, 1.0]]]], "noise", 0.5)[0])
        assert (times[0][1] == times[1][0]) is meets


@pytest.mark.parametrize("place", [0.0, 1.0, 1.2, 2.0, 3.0])
def test_what_is_not_spoken_stays_beside_its_neighbours(place: float) -> None:
    words = [(0.0, 1.0), (2.0, 3.0)]
    times = sorted([*words, (place, place)])
    builder = _core.TreeBuilder()
    for _ in times:
        builder.leaf(b"w", None)
    builder.set_times(times)
    builder.finish(0)
    bank = treescore.Treebank(builder.trees())
    at = times.index((place, place))
    for seed in range(20):
        new = times_of(perturb(bank, "noise", 1, seed=seed)[0])
        (silent, end), (first, second) = new[at], said(new)
        assert silent == end
        assert silent == {0.0: 0.0, 1.0: first[1], 2.0: second[0], 3.0: 3.0}.get(place, silent)
        assert first[1] <= silent <= second[0] or place in (0.0, 3.0)
    joined = times_of(perturb(bank, "delete", 1)[0])
    assert [time for time in joined if time[0] == time[1]] == [(0.0, 0.0) if place == 0 else (3.0, 3.0)]


def test_words_too_short_to_be_cut() -> None:
    tree = ["S", [["A", 1.0, 1.0 + sys.float_info.epsilon, "ab"], ["B", 2.0, 3.0, "cd"]]]
    perturbed = perturb([tree], "insert", 1)[0]
    assert perturbed.leaves[0] == "ab"
    assert len(perturbed.leaves) == 3
    moved = times_of(perturb([tree], "noise", 1)[0])
    assert moved[0][0] < moved[0][1] < moved[1][0] < moved[1][1]


def test_trees_that_stay_as_they_are() -> None:
    bank = treescore.read("(S (A 0=a) (NP (B 1=b)))\n(S (NP (A 0=a) (C 2=c)) (B 1=b))", form="discbracket")
    perturbed = perturb(bank, "insert", 1, axis="words")
    assert [problem.code for problem in perturbed.problems] == ["discontinuous"]
    assert (len(perturbed[0].leaves), str(perturbed[1])) == (4, str(bank[1]))
    some = spoken(read_lines("(S (A a))\n")) + read_lines("(S (A a))\n\n(S (A\n")
    perturbed = perturb(some, "insert", 1)
    assert [problem.code for problem in perturbed.problems] == ["unclosed", "no-times"]
    assert [len(tree.leaves) for tree in perturbed] == [2, 1, 0, 0]
    assert perturbed.native.faulty(3)
    assert len(perturb([], "noise", 0.5)) == 0


def test_functions_are_kept() -> None:
    text = b"#FORMAT 4\n#BOS 1\na\t--\tA\t--\tX\t500\nb\t--\tB\t--\tY\t500\n#500\t--\tS\t--\t--\t0\n#EOS 1\n"
    bank = treescore.read(text)
    perturbed = perturb(bank, "insert", 1, axis="words")
    assert [node.function for node in perturbed[0].nodes()] == [None, "X", "X", "Y", "Y"]
    assert (perturbed.problems, perturbed.ids, perturbed[0].leaves) == ((), bank.ids, ["a", "a", "b", "b"])
    assert said(times_of(perturbed[0])) == times_of(perturbed[0])
    joined = perturb(bank, "delete", 1, axis="words")[0]
    assert [node.function for node in joined.nodes()] == [None, "X"]
    assert times_of(joined) == [(0.0, 2.0)]
    moved = perturb(bank, "noise", 1, axis="words")  # which changes no word
    assert [tree.function for tree in moved[0].nodes()] == [tree.function for tree in bank[0].nodes()]
    assert (moved.problems, moved.ids) == ((), bank.ids)
    assert moved[0].times != [(0.0, 1.0), (1.0, 2.0)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"operation": "swap"}, "operation must be one of noise, insert, delete"),
        ({"delta": -0.1}, "delta must be"),
        ({"delta": 1.1}, "delta must be"),
        ({"delta": float("nan")}, "delta must be"),
        ({"delta": "0.1"}, "delta must be"),
        ({"delta": None}, "delta must be"),
        ({"delta": True}, "delta must be"),
        ({"seed": 0.5}, "seed must be"),
        ({"axis": "time"}, "axis must be"),
        ({"parser": "cat"}, "a parser goes with delete"),
        ({"operation": "delete", "parser": ""}, "an empty command"),
        ({"operation": "delete", "parser": "'"}, "is not a command"),
        ({"operation": "delete", "parser": "no-such-parser-here"}, "cannot be run"),
        ({"operation": "delete", "parser": 5}, "parser must be a function from lists of words to trees, or a command"),
    ],
)
def test_options_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    options = {"operation": "noise", "delta": 0.5, "axis": "words", **changes}
    with pytest.raises(treescore.UsageError, match=message):
        perturb(["(S (A a) (B b) (C c) (D d) (E e))"], **options)


def test_trees_without_times_are_refused() -> None:
    with pytest.raises(
        treescore.InputError, match="have no times; place_seconds gives them times, and with axis='words'"
    ):
        perturb("(S (A a))", "noise", 0.5)


# ---------------------------------------------------------------------------------------------------------------------
# Parsers


TEXTS = ["(S (NP (A a)) (VP (-NONE- *) (B b)))", "(S (A a))", "()", "(S (A c) (B d))"]


def test_a_parser() -> None:
    asked: list[list[list[str]]] = []

    def parser(sentences: list[list[str]]) -> list[Any]:
        asked.append(sentences)
        return ["(X (Y a_b))", ["X", [["Y", 0, 1, "c d"]]]]

    bank = treescore.read(TEXTS)
    perturbed = perturb(bank, "delete", 1, parser=parser, axis="words")
    assert asked == [[["a b"], ["c d"]]]
    assert list(perturbed.lines()) == ["(X (Y a_b))", "(S (A a))", "()", "(X (Y c_d))"]
    assert (perturbed[0].times, perturbed[1].times, perturbed.problems) == ([(0, 2)], [(0, 1)], ())
    assert [perturbed.line(index) for index in range(4)] == [1, 2, 3, 4]


def test_a_parser_is_not_asked_for_nothing() -> None:
    def parser(sentences: list[list[str]]) -> list[str]:
        raise AssertionError

    bank = spoken(treescore.read(TEXTS))
    assert same(perturb(bank, "delete", 0, parser=parser), bank)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("(X (Y ba))", "its words are 'ba', not 'a_b'"),
        ("(X (Y a) (Y b))", "its words are 'a b', not 'a_b'"),
        ("(X (Y a_b)", "this bracket is never closed"),
        (None, "it is empty"),
        ("", "it is empty"),
    ],
)
def test_trees_of_a_parser_that_cannot_be_used(answer: str | None, message: str) -> None:
    perturbed = perturb(TEXTS, "delete", 1, parser=lambda sentences: [answer, "(X (Y c_d))"], axis="words")
    assert str(perturbed[0]) == "(S (NP (A a_b)) (VP (-NONE- *)))"
    assert str(perturbed[3]) == "(X (Y c_d))"
    [problem] = perturbed.problems
    assert (problem.code, problem.unit, problem.action) == ("parser", 1, "words joined in the original tree")
    assert message in problem.message


def test_too_few_trees_of_a_parser() -> None:
    with pytest.raises(treescore.InputError, match="1 tree for 2 sentences"):
        perturb(TEXTS, "delete", 1, parser=lambda sentences: ["(X (Y ab))"], axis="words")


@pytest.mark.parametrize("answer", [None, 5, "(X (Y ab))", b"(X (Y ab))", {0: "(X (Y ab))"}, [5, 6], [None, {}]])
def test_answers_of_a_parser_that_are_no_trees(answer: Any) -> None:
    with pytest.raises(treescore.UsageError, match="a parser must return a list with one tree per sentence"):
        perturb(TEXTS, "delete", 1, parser=lambda sentences: answer, axis="words")


def test_faults_of_a_parser_are_its_own() -> None:
    def parser(sentences: list[list[str]]) -> Iterator[str]:
        yield "(X (Y ab))" + sentences  # type: ignore[operator]

    with pytest.raises(TypeError, match="concatenate"):
        perturb(TEXTS, "delete", 1, parser=parser, axis="words")


def test_a_command_that_writes_trees_over_lines() -> None:
    command = f"""'{sys.executable}' -c 'print("(X\\n (Y ab))\\n(X\\n (Y cd))")'"""
    with pytest.raises(treescore.InputError, match=r"returned 4 trees for 2 sentences; each tree must be on one line"):
        perturb(TEXTS, "delete", 1, parser=command, axis="words")


def test_a_command_as_parser() -> None:
    script = "import sys; [print('(X (Y', line.strip() + '))') for line in sys.stdin]"
    perturbed = perturb(TEXTS, "delete", 1, parser=f'"{sys.executable}" -c "{script}"', axis="words")
    assert str(perturbed[3]) == "(X (Y c_d))"
    with pytest.raises(treescore.InputError, match="ended with 3"):
        perturb(TEXTS, "delete", 1, parser=f'"{sys.executable}" -c "raise SystemExit(3)"', axis="words")


# ---------------------------------------------------------------------------------------------------------------------
# Size, and JSON


def test_deep_and_long_trees() -> None:
    depth, words = 100_000, 10_000
    builder = _core.TreeBuilder()
    for _ in range(depth):
        builder.open(b"X")
    for _ in range(2):
        builder.leaf(b"ab", b"A")
    for _ in range(depth):
        builder.close()
    builder.finish(0)
    builder.open(b"S")
    for _ in range(words):
        builder.leaf(b"ab", b"A")
    builder.close()
    builder.finish(0)
    bank = treescore.Treebank(builder.trees())
    with hang_guard():
        for operation, sizes in (("noise", [2, words]), ("insert", [4, 2 * words]), ("delete", [1, 1])):
            perturbed = perturb(bank, operation, 1, axis="words")
            assert [perturbed.native.leaf_count(index) for index in range(2)] == sizes
            assert perturbed.native.node_count(0) == depth
        assert next(jsonl_lines(perturbed)).count("[") == 2 * depth + 1


def test_json() -> None:
    import json

    tree = ["S", [["NP", [["A", 0.1, 0.25, 'a"é'], [None, 0.25, 0.5, "b"]]], ["C", 0.5, 1.0]]]
    named = treescore.read(json.dumps({"id": "u 1", "tree": tree}))
    assert [json.loads(line) for line in jsonl_lines(named)] == [{"id": "u 1", "tree": tree}]
    assert list(jsonl_lines(read_lines("()\n(S (A\n"))) == ['{"tree": null}'] * 2
    odd = perturb(read_lines("(A a) (NP (B b) (E))\n(NP (E) (B b))\n(A a)\n"), "noise", 0, axis="words")
    assert [json.loads(line)["tree"] for line in jsonl_lines(odd)] == [
        ["", [["A", 0.0, 1.0, "a"], ["NP", [["B", 1.0, 2.0, "b"]]]]],
        ["NP", [["B", 0.0, 1.0, "b"]]],
        ["A", 0.0, 1.0, "a"],
    ]
    builder = _core.TreeBuilder()
    builder.leaf(b"bare", None)
    builder.set_times([(0.0, 1.0)])
    builder.finish(0)
    assert list(jsonl_lines(treescore.Treebank(builder.trees()))) == ['{"tree": ["", [[null, 0.0, 1.0, "bare"]]]}']


@given(bank=BANKS, operation=st.sampled_from([*OPERATIONS]))
def test_json_is_read_back(bank: treescore.Treebank, operation: str) -> None:
    perturbed = perturb(bank, operation, 0.5)
    again = treescore.read("\n".join(jsonl_lines(perturbed)))
    assert [tree.leaves for tree in again] == [tree.leaves for tree in perturbed]
    assert [tree.times for tree in again] == [tree.times for tree in perturbed]


def test_json_of_trees_that_are_not_changed() -> None:
    """Nothing is lost: they are in brackets, with numbers if one of them is discontinuous."""
    plain, gap = "(S (A a) (NP (B =b)))", "(S (NP (A 0=a) (C 2=c)) (B 1=b))"
    timed = ["S", [["A", 0.0, 1.0, "a"], ["B", 1.0, 2.0, "b"]]]
    for items in ([timed, plain], [timed, gap], [timed, plain, gap, None, plain]):
        bank = treescore.read(items)
        perturbed = perturb(bank, "insert", 1)
        lines = list(jsonl_lines(perturbed))
        again = treescore.read("\n".join(lines))
        assert [str(tree) for tree in again] == [str(tree) for tree in perturbed]
        for item, before, after in zip(items, bank, again, strict=True):
            assert item is timed or str(before) == str(after)
    from array import array

    [line] = jsonl_lines(treescore.read([gap]).with_times(array("d", [0, 1, 1, 2, 2, 3])))
    assert line == f'{{"tree": "{gap}", "words": [["a", 0.0, 1.0], ["b", 1.0, 2.0], ["c", 2.0, 3.0]]}}'


# ---------------------------------------------------------------------------------------------------------------------
# Without silence


def test_silence_is_removed_first() -> None:
    tree = ["S", [["A", 0.0, 0.5, "a"], ["B", 1.0, 2.0, "b"], ["C", 2.0, 3.0, "c"], ["D", 3.25, 4.0, "d"]]]
    met = [(0.0, 0.75), (0.75, 2.0), (2.0, 3.125), (3.125, 4.0)]
    assert perturb([tree], "noise", 0, gaps="close")[0].times == met
    closed = ["S", [[tag, *time, word] for (tag, _, _, word), time in zip(tree[1], met, strict=True)]]
    for operation in OPERATIONS:
        perturbed, expected = perturb([tree], operation, 0.7, gaps="close"), perturb([closed], operation, 0.7)
        assert perturbed[0].times == expected[0].times
    spans = perturb([["S", [["A", 0.0, 0.5], ["B", 1.0, 2.0]]]], "noise", 0, gaps="close")[0]
    assert spans.leaves == ["0-0.75", "0.75-2"]
    with pytest.raises(treescore.UsageError, match="gaps must be one of keep, close"):
        perturb([tree], "noise", 0.5, gaps="drop")


@given(bank=BANKS)
def test_silence_is_removed_as_in_the_metric(bank: treescore.Treebank) -> None:
    """STRUCT-IOU with gaps:close sees no difference between trees with and without silence."""
    metric = "struct_iou|axis:seconds|gaps:close"
    closed = perturb(bank, "noise", 0, gaps="close")
    assert closed.problems == bank.problems
    score = treescore.evaluate(bank, closed, metric).scores[0]
    assert score.value in (None, 1.0)
    for tree in closed:
        assert all(a[1] == b[0] for a, b in pairwise(said(times_of(tree))))
