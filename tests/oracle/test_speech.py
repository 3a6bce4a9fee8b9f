"""The metric sparseval against the oracle on random speech, and the laws it obeys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from oracle.speech import Branch, Heads, Item, Options, Table, aligned, prepared, score_unit
from oracle.speech_inputs import Unit, bank_of, make_options, make_unit, metric_of, sentences_of

import treescore
from treescore.heads import HeadTable
from treescore.metrics.sparseval import Sparseval
from treescore.place.pair import Pair

#: A seed: drawing every choice of a unit would take longer than scoring it.
SEEDS = st.integers(0, 2**32).map(Random)

KINDS = ("head", "open")
LEFT = HeadTable({}, [("l", ())])
PLAIN = Options(Table({}, (("l", ()),)))


def native(gold: Sequence[str], test: Sequence[str], metric: Sparseval) -> dict[str, int]:
    """The counts of the lines as one unit."""
    counts = metric.counts(Pair(bank_of(gold), bank_of(test)))
    assert len(counts) == 1
    return counts.row(0)


def first_lines(units: Sequence[Unit]) -> tuple[list[str], list[str]]:
    """The first line of each unit, on both sides."""
    return [unit.gold[0] for unit in units], [unit.test[0] for unit in units]


def expected(gold: Sequence[str], test: Sequence[str], options: Options) -> dict[str, int]:
    """What the oracle says."""
    return score_unit(sentences_of(bank_of(gold)), sentences_of(bank_of(test)), options)


def assert_equal(row: dict[str, int], wanted: dict[str, int], *case: object) -> None:
    """All columns of the oracle agree."""
    assert {name: row[name] for name in wanted} == wanted, case


def check_unit(rng: Random, unit: Unit | None = None) -> bool:
    """One random unit with random options; False if it cannot be compared."""
    options, table = make_options(rng)
    unit = unit or make_unit(rng, rng.choice((1, 1, 3)), rng.choice((2, 4, 7)))
    row = native(unit.gold, unit.test, metric_of(options, table, "file"))
    assert_equal(row, expected(unit.gold, unit.test, options), unit, options)
    return True


# ---------------------------------------------------------------------------------------------------------------------
# The oracle on examples


def test_oracle_on_the_worked_examples() -> None:
    """Spans absorb what is before them; the heads of a sentence with a prepositional phrase."""
    gold = ["(TOP (S (NP (X a)) (VP (X c))))"]
    counts = expected(gold, ["(TOP (S (NP (X a)) (VP (X b) (X c))))"], PLAIN)
    assert [counts[name] for name in ("matched", "gold", "test", "crossing")] == [3, 3, 3, 0]
    counts = expected(gold, ["(TOP (S (NP (X a) (X b)) (VP (X c))))"], PLAIN)
    assert [counts[name] for name in ("matched", "gold", "test", "crossing")] == [1, 3, 3, 1]
    table = Table(
        {
            "S": (("l", ("VP",)),),
            "NP": (("r", ("NN",)),),
            "VP": (("l", ("VBZ",)),),
            "PP": (("l", ("IN",)),),
        },
        (("l", ()),),
    )
    options = Options(table, closed=("DT", "IN"))
    tree = "(TOP (S (NP (DT the) (NN cup)) (VP (VBZ stands) (PP (IN on) (NP (NN wood))))))"
    side = prepared(sentences_of(bank_of([tree])), options)
    assert [
        (it.dependent.word, it.mother, it.child, it.head and it.head.word) for it in Heads(options).dependencies(side)
    ] == [
        ("the", "NP", "DT", "cup"),
        ("cup", "S", "NP", "stands"),
        ("stands", "TOP", "S", None),
        ("on", "VP", "PP", "stands"),
        ("wood", "PP", "NP", "on"),
    ]
    counts = expected([tree], [tree], options)
    assert (counts["gold"], counts["head_gold"], counts["open_gold"]) == (5, 5, 2)


def test_oracle_on_edits() -> None:
    """They climb out of phrases, those of one label merge, and a sentence keeps its own."""
    options = replace(PLAIN, edits=("EDITED", "EDX"))
    lines = [
        "(S (NP (EDITED (NP (X a)) (EDITED (X b))) (EDITED (X c)) (X d)) (EDX (X e)))",
        "(S (EDX (X f)) (EDX g) (VP (X h) (EDITED (X i)) (X j)))",
    ]

    def shape(item: Item) -> object:
        return (item.label, *map(shape, item.children)) if isinstance(item, Branch) else item.word

    assert [shape(item) for item in prepared(sentences_of(bank_of(lines)), options).tops] == [
        ("EDITED", "a", "b", "c"),
        ("S", ("NP", "d")),
        ("EDX", "e"),
        ("EDX", "f"),
        "g",
        ("S", ("VP", "h", ("EDITED", "i"), "j")),
    ]


@pytest.mark.parametrize(
    ("gold", "test", "steps"),
    [("a b c d", "a x d", "CDSC"), ("a b c d", "a x d e", "CDSCI"), ("a", "", "D"), ("", "a", "I"), ("", "", "")],
)
def test_oracle_aligns_as_sclite(gold: str, test: str, steps: str) -> None:
    words = gold.split(), test.split()
    result = ""
    for i, j in aligned(*words):
        result += "I" if i is None else "D" if j is None else "C" if words[0][i] == words[1][j] else "S"
    assert result == steps


# ---------------------------------------------------------------------------------------------------------------------
# The native code against the oracle


def test_random_units() -> None:
    rng = Random(1)
    assert sum(check_unit(rng) for _ in range(3000)) > 2900


@settings(max_examples=150)
@given(SEEDS)
def test_drawn_units(rng: Random) -> None:
    check_unit(rng)


@pytest.mark.parametrize("align", ["words", "bag"])
@pytest.mark.parametrize("governor", ["word", "place"])
@pytest.mark.parametrize("gaps", ["left", "common"])
@pytest.mark.parametrize("labels", [True, False])
def test_every_combination(align: str, governor: str, gaps: str, labels: bool) -> None:
    rng = Random(2)
    for _ in range(250):
        options, table = make_options(rng)
        options = replace(options, align=align, governor=governor, gaps=gaps, labels=labels)
        unit = make_unit(rng, rng.choice((1, 3)), 5)
        row = native(unit.gold, unit.test, metric_of(options, table, "file"))
        assert_equal(row, expected(unit.gold, unit.test, options), unit, options)


def test_random_lines() -> None:
    """Many lines at once, each of them a unit."""
    rng = Random(3)
    for _ in range(60):
        options, table = make_options(rng)
        units = [make_unit(rng) for _ in range(20)]
        gold, test = first_lines(units)
        counts = metric_of(options, table, "line").counts(Pair(bank_of(gold), bank_of(test)))
        for number, unit in enumerate(units):
            assert_equal(counts.row(number), expected(unit.gold[:1], unit.test[:1], options), unit, options)


def test_random_chunks() -> None:
    """Blank lines end units; a side with fewer of them has no words in the rest."""
    rng = Random(4)
    for _ in range(150):
        options, table = make_options(rng)
        units = [make_unit(rng, 3, 3) for _ in range(rng.randint(1, 4))]
        units = [unit for unit in units if is_plain(unit)]
        sides = [[unit.gold for unit in units], [unit.test for unit in units]]
        if len(units) > 1 and rng.random() < 0.2:
            sides[rng.randrange(2)].pop()
        texts = ["\n".join("".join(line + "\n" for line in lines) for lines in side) for side in sides]
        gold, test = (treescore.read(text.encode(), form="brackets", on_error="keep") for text in texts)
        counts = metric_of(options, table, "chunk").counts(Pair(gold, test))
        assert len(counts) == len(units)
        for number in range(len(units)):
            lines = [side[number] if number < len(side) else () for side in sides]
            assert_equal(counts.row(number), expected(lines[0], lines[1], options), units[number], options)


def is_plain(unit: Unit) -> bool:
    """Is every line one tree that can be read?"""
    banks = [treescore.read(line.encode(), on_error="keep") for line in (*unit.gold, *unit.test)]
    return all(len(bank) == 1 and not bank.problems for bank in banks)


@pytest.mark.parametrize("align", ["words", "bag"])
def test_larger_units(align: str) -> None:
    rng = Random(5)
    for _ in range(4):
        options, table = make_options(rng)
        options = replace(options, align=align)
        units = [make_unit(rng, 3, 8) for _ in range(12)]
        gold, test = (list(chain(*side)) for side in ([u.gold for u in units], [u.test for u in units]))
        assert_equal(native(gold, test, metric_of(options, table, "file")), expected(gold, test, options), options)


@pytest.mark.long
@settings.get_profile("long")
@given(SEEDS)
def test_many_drawn_units(rng: Random) -> None:
    check_unit(rng)


# ---------------------------------------------------------------------------------------------------------------------
# Odd corners


@pytest.mark.parametrize(
    ("align", "edit"), [("bag", "(EDITED (NN a))"), ("bag", "(EDITED a)"), ("words", "(EDITED a)")]
)
def test_phrases_headed_by_edits(align: str, edit: str) -> None:
    """An edit of several words or of one gives no dependencies, whether words are aligned or not."""
    table = HeadTable({}, [("l", ())], skip=[","])
    options = replace(PLAIN, table=Table({}, table.default, skip=table.skip), align=align)
    tree = [f"(TOP (NP (, x) {edit} (, y)) (VB b))"]
    assert_equal(native(tree, tree, metric_of(options, table, "line")), expected(tree, tree, options))


def test_edits_of_skipped_words() -> None:
    """They are no heads where there are other words, as in `treescore.heads`."""
    table = HeadTable({}, [("l", ())], skip=[","])
    options = replace(PLAIN, table=Table({}, table.default, skip=table.skip))
    tree = ["(VP (, a) (EDITED (, b)) (, c))"]
    assert treescore.heads.find(bank_of(tree)[0], table)[0] == (0, 0)
    assert_equal(native(tree, tree, metric_of(options, table, "line")), expected(tree, tree, options))


def test_no_group_fits() -> None:
    """Then the direction of the last group decides, as in `treescore.heads`."""
    table = HeadTable({}, [("r", ["ZZ"])])
    tree = ["(S (DT a) (NN b))"]
    options = replace(PLAIN, table=Table({}, table.default), closed=("DT",))
    assert treescore.heads.find(bank_of(tree)[0], table) == [(1, 1)]
    assert_equal(native(tree, tree, metric_of(options, table, "line")), expected(tree, tree, options))


@pytest.mark.parametrize(
    ("pauses", "equal_words", "words"),
    [(("b", "a", "c"), (("d", "b"),), "cd"), (("a", "b"), (("a", "c"), ("a", "d")), "ab")],
)
def test_pauses_and_pairs_join(pauses: tuple[str, ...], equal_words: tuple[tuple[str, str], ...], words: str) -> None:
    options = replace(PLAIN, pauses=pauses, equal_words=equal_words)
    gold, test = ([f"(S (X {word}))"] for word in words)
    assert expected(gold, test, options)["correct"] == 1
    assert_equal(native(gold, test, metric_of(options, LEFT, "line")), expected(gold, test, options))


# ---------------------------------------------------------------------------------------------------------------------
# Laws


@given(SEEDS)
def test_gold_against_itself(rng: Random) -> None:
    options, table = make_options(rng)
    lines = [line for _ in range(3) for line in make_unit(rng, 2).gold]
    for unit in ("line", "file"):
        metric = metric_of(options, table, unit)
        score = metric.score(metric.counts(Pair(bank_of(lines), bank_of(lines))))
        total = score.counts.total()
        assert total["exact"] == total["valid"]
        assert total["crossing"] == 0
        for name, part in score.figures.items():
            assert part.value in ((None, 1.0) if part.percent and name != "wer" else (None, 0.0)), name


@given(SEEDS)
def test_swapping_sides_without_alignment(rng: Random) -> None:
    """A longest common subsequence does not know which side is which."""
    options, table = make_options(rng)
    there, back = swapped(readable(make_unit(rng, 3)), metric_of(replace(options, align="bag"), table, "file"))
    for kind in KINDS:
        assert there[f"{kind}_matched"] == back[f"{kind}_matched"]
        assert there[f"{kind}_gold"] == back[f"{kind}_test"]


@given(SEEDS)
def test_swapping_sides_with_the_same_words(rng: Random) -> None:
    """Where all words are the same there is one alignment, and everything but crossing is swapped."""
    options, table = make_options(rng)
    metric = metric_of(replace(options, align="words"), table, "file")
    there, back = swapped(readable(make_unit(rng, 3)), metric)
    if there["substituted"] + there["deleted"] + there["inserted"] == 0:
        for prefix in ("", *(f"{kind}_" for kind in KINDS)):
            assert there[f"{prefix}matched"] == back[f"{prefix}matched"]
            assert there[f"{prefix}gold"] == back[f"{prefix}test"]
        assert (there["exact"], there["correct"]) == (back["exact"], back["correct"])


@given(SEEDS)
def test_swapping_sides_with_other_words(rng: Random) -> None:
    """How many there are is swapped, and an alignment costs as much; which words and phrases match may change."""
    options, table = make_options(rng)
    there, back = swapped(readable(make_unit(rng, 3)), metric_of(options, table, "file"))
    for prefix in ("", *(f"{kind}_" for kind in KINDS)):
        assert there[f"{prefix}gold"] == back[f"{prefix}test"]
    assert cost(there) == cost(back)
    assert there["deleted"] - there["inserted"] == back["inserted"] - back["deleted"]


def test_swapping_sides_may_change_matches() -> None:
    """Of the cheapest alignments, each order of the sides may take another, with other words in it."""
    metric = Sparseval(heads=LEFT)
    there, back = swapped(Unit(("(S (X a) (Y b))",), ("(S (Y b) (X a))",)), metric)  # b stays, or a does
    assert (there["correct"], back["correct"]) == (1, 1)
    there, back = swapped(Unit(("(S a a a b c)",), ("(S b c c b)",)), metric)
    assert (there["correct"], back["correct"]) == (2, 1)
    assert cost(there) == cost(back) == 15


def swapped(unit: Unit, metric: Sparseval) -> tuple[dict[str, int], dict[str, int]]:
    """Gold against test, and test against gold."""
    return native(unit.gold, unit.test, metric), native(unit.test, unit.gold, metric)


def readable(unit: Unit) -> Unit:
    """The unit with trees without words for those that cannot be read: these are left out on one side only."""
    gold, test = (
        tuple("()" if sentences_of(bank_of([line])) == [None] else line for line in side)
        for side in (unit.gold, unit.test)
    )
    return Unit(gold, test)


def cost(row: dict[str, int]) -> int:
    """What the alignment costs."""
    return 4 * row["substituted"] + 3 * (row["deleted"] + row["inserted"])


@given(SEEDS)
def test_places_never_give_more_matches(rng: Random) -> None:
    """Dependencies that match by place stand in the same order on both sides, so they are a common subsequence."""
    options, table = make_options(rng)
    unit = make_unit(rng, 3)
    bag, word, place = (
        native(unit.gold, unit.test, metric_of(replace(options, align=align, governor=governor), table, "file"))
        for align, governor in (("bag", "word"), ("words", "word"), ("words", "place"))
    )
    for kind in KINDS:
        assert place[f"{kind}_matched"] <= word[f"{kind}_matched"] <= bag[f"{kind}_matched"]
        assert word[f"{kind}_gold"] == bag[f"{kind}_gold"]


@given(SEEDS)
def test_labels_never_give_more_matches(rng: Random) -> None:
    options, table = make_options(rng)
    unit = make_unit(rng, 3)
    labelled, unlabelled = (
        native(unit.gold, unit.test, metric_of(replace(options, labels=labels), table, "file"))
        for labels in (True, False)
    )
    for name, number in labelled.items():
        assert number <= unlabelled[name] if name.endswith("matched") else number == unlabelled[name] or name == "exact"


@given(SEEDS)
def test_counts_are_consistent(rng: Random) -> None:
    """Each word outside edits depends on one other; open dependencies and matches are some of all."""
    options, table = make_options(rng)
    unit = readable(make_unit(rng, 3))
    row = native(unit.gold, unit.test, metric_of(options, table, "file"))
    for side, lines in (("gold", unit.gold), ("test", unit.test)):
        result = prepared(sentences_of(bank_of(lines)), options)
        others = row["deleted" if side == "gold" else "inserted"]
        assert len(result.leaves) == row["correct"] + row["substituted"] + others
        assert row[f"open_{side}"] <= row[f"head_{side}"] <= len(result.leaves)
        if not options.edits:
            assert row[f"head_{side}"] == len(result.leaves)
        for prefix in ("", "head_", "open_"):
            assert row[f"{prefix}matched"] <= row[f"{prefix}{side}"]
    assert row["matched"] + row["crossing"] <= row["test"]
    assert row["open_matched"] <= row["head_matched"]


@given(SEEDS)
def test_lines_add_up(rng: Random) -> None:
    options, table = make_options(rng)
    units = [make_unit(rng) for _ in range(6)]
    gold, test = first_lines(units)
    metric = metric_of(options, table, "line")
    together = metric.counts(Pair(bank_of(gold), bank_of(test)))
    cut = rng.randint(0, 6)
    parts = [
        metric.counts(Pair(bank_of(gold[start:end]), bank_of(test[start:end]))) for start, end in ((0, cut), (cut, 6))
    ]
    assert parts[0] + parts[1] == together
    alone = [native(gold[i : i + 1], test[i : i + 1], metric) for i in range(6)]
    assert together.total() == {name: sum(row[name] for row in alone) for name in alone[0]}


@given(SEEDS)
def test_threads_change_nothing(rng: Random) -> None:
    options, table = make_options(rng)
    units = [make_unit(rng) for _ in range(40)]
    gold, test = map(bank_of, first_lines(units))
    metric = metric_of(options, table, "line")
    assert metric.counts(Pair(gold, test), threads=3) == metric.counts(Pair(gold, test))


@given(SEEDS)
def test_a_file_of_one_tree_is_a_line(rng: Random) -> None:
    options, table = make_options(rng)
    unit = make_unit(rng)
    rows = [native(unit.gold[:1], unit.test[:1], metric_of(options, table, kind)) for kind in ("line", "file", "chunk")]
    assert rows[0] == rows[1] == rows[2]


@given(SEEDS)
def test_signatures_parse_back(rng: Random) -> None:
    options, _ = make_options(rng)
    unit = make_unit(rng, 3)
    metric = Sparseval(**{name: value for name, value in vars(options).items() if name != "table"}, unit="file")
    again = treescore.metrics.get(metric.signature)
    assert again == metric
    banks = bank_of(unit.gold), bank_of(unit.test)
    assert again.counts(Pair(*banks)) == metric.counts(Pair(*banks))


DEEP = st.sampled_from([("NP", "NP"), ("EDITED", "NP"), ("NP", "EDITED"), ("EDITED", "EDITED")])


@settings(max_examples=4)
@given(DEEP, st.sampled_from(["words", "bag"]))
def test_deep_trees(labels: tuple[str, str], align: str) -> None:
    depth = 20_000
    line = "(TOP " + "".join(f"({label} " for label in labels) * depth + "(NN a) (NN b)" + "))" * depth + ")"
    row = native([line], [line], Sparseval(align=align))
    assert row["correct"] == 2
    assert row["exact"] == 1
