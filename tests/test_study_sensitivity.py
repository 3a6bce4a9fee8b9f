"""The study of sensitivity: trees that are cut and joined, errors of recognition, and what scores make of them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from command import treescore_inside
from oracle import surgery as oracle

import treescore
from treescore.metrics.sparseval import Sparseval
from treescore.place.pair import Pair
from treescore.studies import Study, sensitivity
from treescore.studies.recognition import Recogniser, Side, edited_words, with_errors
from treescore.studies.surgery import changed, events, has_outer, joined, split, to_treebank, without, words
from treescore.values.counts import Counts
from treescore.values.problem import InputError, UsageError

if TYPE_CHECKING:
    from treescore.studies.surgery import Events

RANDOM_TREES = 150
GOLD, TEST = sensitivity.conversation()


def a_tree(seed: int) -> tuple[Random, Any, Events]:
    """A random tree, nested and as events."""
    random = Random(seed)
    nested = oracle.random_tree(random, random.randint(1, 9))
    return random, nested, events(treescore.read(oracle.brackets(nested)), 0)


def shown(result: list[Events]) -> list[str]:
    """Trees in brackets."""
    return list(to_treebank(result).lines())


def a_side(count: int = 12) -> Side:
    """The first side of the conversations, or a part of it."""
    return Side("allotment.A", TEST, range(count))


# ---- Trees


def test_operations_against_definitions() -> None:
    for seed in range(RANDOM_TREES):
        check_operations(*a_tree(seed))


def check_operations(random: Random, nested: Any, tree: Events) -> None:
    """Cut a tree and thin it out in random places."""
    size = len(oracle.leaves(nested))
    assert shown([tree]) == [oracle.brackets(nested)]
    cuts = sorted(random.sample(range(1, size), random.randint(0, size - 1)))
    parts = [range(begin, end) for begin, end in zip([0, *cuts], [*cuts, size], strict=True)]
    assert shown(split(tree, cuts)) == [oracle.brackets(oracle.restricted(nested, set(part))) for part in parts]
    kept = {number for number in range(size) if random.random() < 0.6}
    thinned = changed(tree, iter([None if number in kept else [] for number in range(size)]))
    expected = [oracle.restricted(nested, kept), oracle.without(nested, "E")]
    for item, wanted in zip((thinned, without(tree, ["E"])), expected, strict=True):
        assert (shown([item]) if item else []) == ([] if wanted is None else [oracle.brackets(wanted)])


def test_nothing_changes_if_there_is_nothing_to_do() -> None:
    tree = events(TEST, 2)
    assert changed(tree, iter([None] * 99)) is tree
    assert without(tree, ["X"]) is tree
    assert split(tree, [])[0] is tree
    assert joined([tree], b"S") is tree


def test_outer_brackets() -> None:
    def read(text: str) -> Events:
        return events(treescore.read(text), 0)

    for text, expected in (
        ("(TOP (S a b))", True),
        ("((S a b))", True),
        ("(S a b)", False),
        ("(TOP a) (S b c)", False),
    ):
        assert has_outer(read(text)) is expected
    whole = joined([read("(S a)"), read("(TOP (S b) (X c))")], b"S")
    assert shown([whole]) == ["(S (S a) (S b) (X c))"]


def test_deep_trees() -> None:
    depth = 30_000
    text = b"(A " * depth + b"(N a)" + b" (N b))" * depth
    side = Side("x", treescore.read(text), [0])
    recogniser = Recogniser([side], shares=(1, 1, 1), seed=1)
    assert len(shown([changed(side.trees[0], iter(recogniser.heard(side, 0, 0.5)))])) == 1
    assert len(split(side.trees[0], [1])) == 2
    result = recogniser.bounded(side, 0, 0.1)
    assert (result.uncut, result.false, len(result.trees)) == (1, 0, 1)


# ---- Errors


def test_words_of_cut_and_joined_trees_stay_in_order() -> None:
    side = a_side()
    recogniser = Recogniser([side], shares=(3, 1, 1), seed=1)
    messages = [word for tree in side.trees for word in words(tree)]
    spoken = len(list(side.spoken_words()))
    for threshold, most in ((0.0, spoken), (0.2, None), (0.5, None), (0.8, None), (1.0, 1)):
        result = recogniser.bounded(side, 0, threshold)
        assert [word for tree in result.trees for word in words(tree)] == messages
        assert result.true == len(side.trees) - 1
        assert len(result.trees) == len(side.trees) + result.false - result.missed
        assert most in (None, len(result.trees))


def test_more_errors_include_fewer() -> None:
    side = a_side()
    recogniser = Recogniser([side], shares=(3, 1, 1), seed=2)
    heard = [recogniser.heard(side, 0, rate) for rate in (0.0, 0.1, 0.5, 1.0)]
    assert set(map(str, heard[0])) == {"None"}
    for fewer, more in pairwise(heard):
        assert all(a is None or a == b for a, b in zip(fewer, more, strict=True))
    own = [word for tree in side.trees for word in words(tree)]
    for (word, tag), place in zip(own, heard[-1], strict=True):
        assert (place is None) == (tag in (b",", b"."))
        if place is not None and len(place) == 1:
            assert place[0][0].lower() != word.lower()
    assert heard[-1] != recogniser.heard(side, 1, 1.0)
    only = Recogniser([side], shares=(0, 1, 0), seed=2)
    assert {str(place) for place in only.heard(side, 0, 1.0)} == {"None", "[]"}


def test_edits() -> None:
    side = a_side(3)
    nothing = [None] * sum(len(words(tree)) for tree in side.trees)
    own, gold = (
        [decoded(tree) for tree in with_errors(side.trees, nothing, **how)]
        for how in ({"cut": True}, {"edited": edited_words(side, (events(GOLD, index) for index in range(3)))})
    )
    assert own[:2] == gold[:2] == [decoded(tree) for tree in side.trees[:2]]
    assert own[2] == ", I planted beans along the fence ."  # the parser took uh for edited
    assert gold[2] == "uh , I planted beans along the fence ."


def decoded(tree: Events) -> str:
    """The words of a tree."""
    return b" ".join(word for word, _ in words(tree)).decode()


# ---- The study


def small(*banks: Any, **options: Any) -> Study:
    """A study with few conditions."""
    return sensitivity.study(*banks, **{"rates": [0.2], "thresholds": [0.5], "runs": 1, **options})


SMALL = small()


def number(row: dict[str, Any], name: str) -> float:
    """A cell that must be defined."""
    result = row[name]
    assert isinstance(result, float)
    return result


def test_without_errors_it_is_the_score() -> None:
    """Each side is scored as a document, one by one."""
    row = SMALL.table(sensitivity.WORDS).records()[0]
    metric = Sparseval(unit="file")
    parts = [
        metric.counts(Pair(GOLD[begin : begin + 12], TEST[begin : begin + 12])) for begin in range(0, len(GOLD), 12)
    ]
    score = metric.score(Counts.concatenated(parts)).parts
    assert [row[name] for name in ("bracket F1", "head F1", "open-class F1")] == [
        score[name] for name in ("f1", "head_f1", "open_f1")
    ]
    assert row["word errors"] == 0
    first = SMALL.table(sensitivity.BOUNDARIES).records()[0]
    assert [first["threshold"], first["boundary errors"], first["head F1"]] == ["true", 0, row["head F1"]]
    sides = SMALL.table(sensitivity.BY_SIDE)
    assert sides.column("side")[0] == "allotment.A"
    assert sides.column("head F1") == [metric.score(part).parts["head_f1"] for part in parts]


def test_word_error_rate_is_near_the_rate() -> None:
    table = sensitivity.study(rates=[0.1, 0.3], thresholds=[], edits=["kept"], runs=4).table(sensitivity.WORDS)
    for row in table.records():
        assert row["word errors"] == pytest.approx(row["rate"], abs=0.03)


def test_alignment_never_gives_more() -> None:
    for title in (sensitivity.WORDS, sensitivity.BOUNDARIES, sensitivity.WITH_EDITS):
        rows = sensitivity._whole(SMALL, title).records()
        half = len(rows) // 2
        for aligned, free in zip(rows[:half], rows[half:], strict=True):
            assert (aligned["words"], free["words"], free["bracket F1"]) == ("aligned", "not aligned", None)
            assert number(aligned, "head F1") <= number(free, "head F1")
            assert number(aligned, "open-class F1") <= number(free, "open-class F1")


def test_details_are_for_programs() -> None:
    details = [table.title for table in SMALL.tables if table.detail]
    assert len(details) == 5
    for title in details:
        assert title not in str(SMALL) and title in SMALL.to("csv") and title in SMALL.to("json")
    assert "not aligned" not in str(SMALL)


def test_only_the_seed_matters() -> None:
    again = small(threads=2)
    assert again == SMALL
    known = SMALL.table(sensitivity.BOUNDARIES)
    assert small(rates=[], edits=["kept"], seed=0).table(sensitivity.BOUNDARIES) != known
    swapped = [*range(12, 96), *range(12)]  # the order of the sides does not
    moved = small(GOLD.select(swapped), TEST.select(swapped), rates=[], edits=["kept"])
    assert moved.table(sensitivity.BOUNDARIES) == known


def test_variance() -> None:
    effects = SMALL.table("variance of dependency F1").column("effect")
    assert effects[:6] == ["words", "boundaries", "edits", "labels", "alignment", "measure"]
    assert len(effects) == 6 + 15
    words = SMALL.table("variance of head F1").records()[0]
    assert (words["df"], words["error df"]) == (1, 7)
    assert number(words, "p") < 0.001
    result = sensitivity.study(GOLD[:12], TEST[:12], rates=[0.2], thresholds=[], edits=["kept"], runs=1)
    assert result.table("variance of head F1").column("p") == [None]
    none = sensitivity.study(GOLD[:12], TEST[:12], rates=[], thresholds=[], edits="kept", runs=1)
    assert "variance of head F1" not in [table.title for table in none.tables]
    assert "corrected p" not in none.findings


def test_sides() -> None:
    gold, test = (treescore.read("\n".join(bank.lines())) for bank in (GOLD, TEST))
    names = [name.rpartition(".")[0] for name in GOLD.ids or ()]
    named = small(gold, test, units=names)
    assert named.tables == SMALL.tables
    with pytest.raises(UsageError, match="no ids"):
        small(gold, test)
    with pytest.raises(UsageError, match="one name per sentence"):
        small(gold, test, units=["a"])
    part = small(GOLD, TEST[12:], thresholds=[], edits=["kept"])
    assert [problem.code for problem in part.problems] == ["sides", "unparsed"]
    assert part.table(sensitivity.BY_SIDE).column("head F1")[0] == 0
    more = small(GOLD[84:], TEST, thresholds=[], edits=["kept"])
    assert [problem.action for problem in more.problems] == ["left out"]


def test_parser() -> None:
    asked: list[list[str]] = []

    def flat(sentences: list[list[str]]) -> list[str]:
        asked.extend(sentences)
        return [f"(TOP (X {' '.join(f'(N {word})' for word in words)}))" for words in sentences]

    result = small(parser=flat, edits=["kept"])
    assert not result.problems
    assert len({tuple(words) for words in asked}) == len(asked)
    before, after = result.table(sensitivity.WORDS).records()[:2]
    assert before == SMALL.table(sensitivity.WORDS).records()[0]
    assert number(after, "head F1") < number(SMALL.table(sensitivity.WORDS).records()[1], "head F1")
    lost = small(parser=lambda sentences: [None] * len(sentences), edits=["kept"])
    assert [problem.code for problem in lost.problems] == ["parser"]
    assert lost.table(sensitivity.WORDS) == SMALL.table(sensitivity.WORDS)
    with pytest.raises(InputError, match="the parser returned 0 trees for"):
        small(parser=lambda sentences: [])


@pytest.mark.parametrize(
    "options",
    [
        {"rates": [1.5]},
        {"rates": [True]},
        {"thresholds": ["0.5"]},
        {"edits": []},
        {"edits": ["lost"]},
        {"errors": (1, 1)},
        {"errors": (0, 0, 0)},
        {"runs": 0},
        {"seed": -1},
        {"gold": GOLD},
        {"parser": 5},
    ],
)
def test_what_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        small(**options)


def test_odd_trees() -> None:
    gap = treescore.read("(S (VP (WRB 0=why) (VB 2=go)) (PRP 1=he))")
    with pytest.raises(InputError, match="discontinuous"):
        small(GOLD[:1], gap, units=["a"])
    with pytest.raises(InputError, match="no trees"):
        small(treescore.read("", name="none"), TEST)
    empty = small(GOLD[:2], treescore.read("() (TOP (. .))"), units=["a", "b"])
    assert {row["head F1"] for row in empty.table(sensitivity.WORDS).records()} == {0.0}


def test_command(tmp_path: Path) -> None:
    for name, bank in (("gold.mrg", GOLD), ("test.mrg", TEST)):
        bank.write(tmp_path / name)
    names = "".join(name.rpartition(".")[0] + "\n" for name in GOLD.ids or ())
    (tmp_path / "sides.txt").write_text(names, encoding="utf-8")
    files = ["--gold", "gold.mrg", "--test", "test.mrg", "--sides", "sides.txt"]
    few = ["--rates", "0.2", "--thresholds", "0.5", "--runs", "1", "-f", "csv"]
    out, err = treescore_inside(tmp_path, "study", "sensitivity", *files, *few)
    assert err == "" and out.partition("\nSettings\n")[0] == SMALL.to("csv").partition("\nSettings\n")[0]
