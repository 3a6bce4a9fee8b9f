"""The study of perturbed word boundaries: its numbers by the definitions, its settings, its findings."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest
from command import treescore_inside
from interval_trees import make_pair, with_times
from oracle import perturb as oracle
from oracle.struct_iou import Rules, best_by_chains, tree_of, weights_of

import treescore
from treescore.helpers.steps import Steps
from treescore.speech.perturb import OPERATIONS, perturb
from treescore.studies import one_word, perturbation
from treescore.studies.base import Study, Table
from treescore.studies.perturbation import GOLD, SEEDS_APART, TEST, study

CAT = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"
WORDS = '{"words": [["the", 0.0, 0.2], ["cat", 0.2, 0.9], ["sleeps", 1.0, 1.6]]}'


METRIC = "struct_iou|axis:seconds|cut:-="


def timed_trees(seed: int, number: int) -> list[list[Any]]:
    """Trees whose times are exact in binary, one side of each random pair."""
    rng = Random(seed)
    return [["TOP", [with_times(make_pair(rng, 5)[0], lambda time: time / 64)]] for _ in range(number)]


def by_definition(gold: list[list[Any]], test: list[list[Any]]) -> tuple[float, float]:
    """Corpus level and mean of sentences, in exact fractions up to the end."""
    sums, nodes, scores = Fraction(0), 0, []
    for first, other in zip(map(tree_of, gold), map(tree_of, test), strict=True):
        best = best_by_chains(first, other, weights_of(first, other, Rules()), Fraction(0))
        sums, nodes = sums + best, nodes + len(first) + len(other)
        scores.append(float(2 * best / (len(first) + len(other))))
    return float(2 * sums / nodes), fmean(scores)


def test_numbers_by_their_definitions() -> None:
    trees = timed_trees(5, 3)
    result = study(trees, deltas=[0.3, 1.0], runs=3, seed=2, metric=METRIC)  # silence is kept
    assert [row[:2] for row in result.table(GOLD).rows] == [
        (name, delta) for name in OPERATIONS for delta in (0.3, 1.0)
    ]
    for row in result.table(GOLD).records():
        operation, delta = str(row["operation"]), row["δ"]
        assert isinstance(delta, float)
        runs = [
            by_definition(
                trees,
                [
                    oracle.perturbed(tree, operation, delta, 2 * SEEDS_APART + run, at)
                    for at, tree in enumerate(trees, 1)
                ],
            )
            for run in (1, 2, 3)
        ]
        for name, values in zip(("corpus", "sentences"), zip(*runs, strict=True), strict=True):
            assert row[name] == pytest.approx(fmean(values), abs=1e-9)
            assert row[f"{name} sd"] == pytest.approx(stdev(values), abs=1e-9)
        assert row["scored"] == 3


def test_a_run_is_what_the_command_makes() -> None:
    trees = [CAT] * 4
    result = study(trees, operations=["noise"], deltas=[0.5], runs=1, seed=7)
    base = perturb(trees, "noise", 0, axis="words")
    moved = perturb(base, "noise", 0.5, seed=7 * SEEDS_APART + 1)
    assert result.table(GOLD).rows[0][2] == treescore.evaluate(base, moved, "struct_iou|axis:seconds").scores[0].value
    assert result.table(GOLD).rows[0][3] is None  # there is no deviation of a single run


def test_test_trees() -> None:
    other = "(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))"
    result = study([CAT] * 2, [other, "(())"], deltas=[0.0, 0.5], runs=2)
    first, *rest = result.table(TEST).records()
    assert (first["operation"], first["δ"]) == ("none", 0.0)
    undisturbed = treescore.evaluate([CAT] * 2, [other, "(())"], "struct_iou").scores[0]
    assert first["corpus"] == pytest.approx(undisturbed.figures["corpus"].value)
    assert [row["corpus"] == pytest.approx(first["corpus"]) for row in rest if row["δ"] == 0] == [True] * 3
    assert [problem.code for problem in result.problems] == ["unparsed"]  # once, however often it was met
    assert (
        f"Without perturbation, the test trees score {100 * (undisturbed.figures['corpus'].value or 0):.2f}."
        in result.findings
    )


def test_times_and_odd_trees() -> None:
    result = study([CAT], times=treescore.read_times(WORDS), deltas=[1], runs=2)
    assert (result.settings["axis"], result.settings["times"]) == ("seconds", "<text>, attached by position")
    gapped = "(S (VP (WRB 0=why) (VB 3=go)) (MD 1=did) (NP (PRP 2=he)))\n(S (NN 0=a) (NN 1=b))\n"
    mixed = study(gapped, deltas=[0.5], runs=2)
    assert {problem.code for problem in mixed.problems} >= {"discontinuous"}
    assert min(mixed.table(GOLD).column("scored")) == 1
    empty = study(["(())", "(())"], deltas=[0.5], runs=2)
    assert empty.table(GOLD).rows[0][2:4] == (None, None)
    assert empty.findings == f"P{GOLD[1:]}: no sentence could be scored."
    empty.figure()


def test_a_parser() -> None:
    asked = []

    def parser(sentences: list[list[str]]) -> list[str]:
        asked.append(sentences)
        return ["(X " + " ".join(f"(NN {word.replace(' ', '_')})" for word in words) + ")" for words in sentences]

    result = study([CAT], operations=["insert", "delete"], deltas=[1], runs=2, parser=parser)
    assert asked == [[["the cat sleeps"]]] * 2
    assert result.settings["after deletions"] == "parsed again by a function"


def test_steps_threads_and_bytes() -> None:
    steps = Steps()
    result = study([CAT] * 3, [CAT] * 3, deltas=[0.5], runs=2, threads=1, steps=steps)
    assert (steps.position, steps.total) == (12, 12)
    assert result.to("json") == study([CAT] * 3, [CAT] * 3, deltas=[0.5], runs=2, threads=3).to("json")
    assert result.table(GOLD) != study([CAT] * 3, deltas=[0.5], runs=2, seed=0).table(GOLD)
    assert result.settings["seed"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": 0}, "runs must be a whole number from 1"),
        ({"runs": SEEDS_APART}, "runs must be less than"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"deltas": [1.5]}, "deltas must be numbers from 0 to 1"),
        ({"deltas": []}, "deltas must be numbers from 0 to 1"),
        ({"deltas": [0.5, 0.5]}, "one delta is given twice"),
        ({"operations": ["swap"]}, "operations must be some of"),
        ({"operations": "noise"}, "operations must be a list"),
        ({"deltas": 0.5}, "deltas must be a list, not 0.5"),
        ({"deltas": [True]}, "deltas must be numbers from 0 to 1"),
        ({"operations": [["noise"]]}, "operations must be some of"),
        ({"times": treescore.read_times(WORDS), "gold": None}, "no gold trees that they belong to"),
        ({"metric": "struct_iou"}, "STRUCT-IOU over time"),
        ({"metric": "parseval"}, "STRUCT-IOU over time"),
        ({"axis": "time"}, "axis must be one of"),
        ({"parser": "cat", "operations": ["noise"]}, "a parser needs the operation delete"),
        ({"test": [CAT], "gold": None}, "no gold trees"),
    ],
)
def test_settings_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(treescore.UsageError, match=message):
        study(**{"gold": [CAT], **options})


def said_of(**scores: list[Any]) -> str:
    """What is said of lines over δ = 0.1, 0.2, …"""
    rows = [
        (name, (place + 1) / 10, score, 0.01 * (place + 1), score, 0.0, 1)
        for name, line in scores.items()
        for place, score in enumerate(line)
    ]
    return perturbation._findings(Table(GOLD, perturbation._COLUMNS, rows), 5)


def test_what_is_said() -> None:
    assert said_of(noise=[0.8, 0.7], delete=[0.95, 0.4]) == (
        "Perturbed gold against gold: At δ = 0.2, delete hurts most: delete 40.00, noise 70.00. All scores fall with "
        "every step of δ. The score is below 90 from δ = 0.1 on (noise), at δ = 0.2 (delete). The score is below 75 at "
        "δ = 0.2 (noise, delete). The score is below 50 at δ = 0.2 (delete only). Over 5 runs the standard deviation "
        "is at most 2.00 (noise, δ = 0.2)."
    )
    assert "With insert the score does not fall from 0.1 to 0.2." in said_of(noise=[0.9, 0.8], insert=[0.8, 0.8])
    assert "The score falls with every step of δ." in said_of(noise=[0.9, 0.8])


def test_ties_and_gaps_are_said() -> None:
    assert "At δ = 0.1, all scores are equal: noise 100.00, insert 100.00." in said_of(noise=[1.0], insert=[1.0])
    assert "At δ = 0.1, noise and delete hurt most:" in said_of(noise=[0.5], delete=[0.500001], insert=[0.9])
    ends_early = said_of(noise=[0.9, 0.8], delete=[0.7, None], insert=[None, None])
    assert "At δ = 0.1, delete hurts most: delete 70.00, noise 90.00." in ends_early
    assert "With delete there is no score at δ = 0.2. With insert there is no score." in ends_early
    assert "There is no δ at which all operations have a score." in said_of(noise=[0.9, None], delete=[None, 0.7])
    assert "The score is below 50 first at δ = 0.1 (noise)." in said_of(noise=[0.4, 0.6])


def test_function_tags_do_not_count() -> None:
    gold = "(S (NP-SBJ (NN a)) (VP (VB b) (NP-TMP (NN c))))"
    result = study([gold], ["(S (NP (NN a)) (VP (VB b) (NP (NN c))))"], deltas=[0.5], runs=1)
    assert result.table(TEST).rows[0][2] == 1.0


def test_lists_may_come_one_by_one() -> None:
    result = study([CAT], operations=iter(["noise"]), deltas=(number / 2 for number in (1, 2)), runs=1)
    assert [row[:2] for row in result.table(GOLD).rows] == [("noise", 0.5), ("noise", 1.0)]


def test_trees_of_which_none_can_be_perturbed() -> None:
    gapped = "(S (VP (WRB 0=why) (VB 3=go)) (MD 1=did) (NP (PRP 2=he)))\n" * 2
    with pytest.raises(
        treescore.InputError, match="no tree can be perturbed; the first problem: discontinuous trees are not perturbed"
    ):
        study(gapped, deltas=[0.5], runs=1)


def test_names_of_files(tmp_path: Path) -> None:
    (tmp_path / "cat.mrg").write_text(f"{CAT}\n")
    result = study(tmp_path / "cat.mrg", [CAT], deltas=[0.5], runs=1)
    assert (result.settings["gold"], result.settings["test"]) == ("cat.mrg (1 sentence)", "1 sentence")


def test_figure_says_what_bars_are() -> None:
    pytest.importorskip("matplotlib")
    (legend,) = study([CAT], deltas=[0.5], runs=3).figure().legends
    assert legend.get_title().get_text() == "mean of 3 runs; bars: ± 1 standard deviation"


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "cat.mrg").write_text(f"{CAT}\n" * 2)
    (tmp_path / "words.jsonl").write_text('{"words": [["the", 0, 0.2], ["cat", 0.2, 0.9], ["sleeps", 1, 1.6]]}\n' * 2)
    files = ["--gold", "cat.mrg", "--times", "words.jsonl"]
    options = ["--operation", "noise", "--delta", "0.5", "--runs", "2", "--seed", "3", "-f", "json"]
    data = json.loads(treescore_inside(tmp_path, "study", "perturbation", *files, *options)[0])
    expected: Study = study(
        [CAT] * 2,
        times=treescore.read_times(tmp_path / "words.jsonl"),
        operations=["noise"],
        deltas=[0.5],
        runs=2,
        seed=3,
    )
    assert data["tables"] == {table.title: table.records() for table in expected.tables}
    wrong = treescore_inside(tmp_path, "study", "perturbation", *files, "--axis", "words", code=2)[1]
    assert "do not go together" in wrong
    wrong = treescore_inside(tmp_path, "study", "perturbation", "--runs", "0", code=2)[1]
    assert "'0' is not a whole number from 1" in wrong
    wrong = treescore_inside(tmp_path, "study", "perturbation", "--times", "words.jsonl", code=2)[1]
    assert "no gold trees that they belong to" in wrong


def test_silence_is_removed_before_boundaries_are_perturbed() -> None:
    trees = timed_trees(5, 12)
    assert "gaps:close" in str(study(trees, deltas=[0.5], runs=1).settings["metric"])
    closed = list(perturb(trees, "noise", 0, gaps="close"))
    for operation in OPERATIONS:
        options: dict[str, Any] = {"operations": [operation], "deltas": [0.5], "runs": 2}
        without_silence = study(trees, **options).table(GOLD).rows
        assert without_silence == study(closed, **options).table(GOLD).rows
        assert without_silence == study(closed, metric=METRIC, **options).table(GOLD).rows
    assert study(trees, metric=METRIC, deltas=[0.5]).table(GOLD) != study(trees, deltas=[0.5]).table(GOLD)


# ---- One-word utterances


def test_means_by_number_of_words() -> None:
    """A one-word utterance can be split, but neither moved nor deleted."""
    several, one = [CAT] * 3, ["(S (INTJ (UH yes)))"] * 2
    result = study([*several, *one], deltas=[1.0], runs=2)
    assert result.settings["one-word utterances"] == "2 of 5 sentences"
    whole = {row["operation"]: row for row in result.table(GOLD).records()}
    for row in result.table(one_word.TITLE).records():
        means = row["several words"], row["one word"]
        assert row["one word"] == 1.0 or row["operation"] == "insert"
        assert row["40 % one word"] == pytest.approx(0.6 * means[0] + 0.4 * means[1])
        assert whole[row["operation"]]["sentences"] == pytest.approx((3 * means[0] + 2 * means[1]) / 5)
    assert "noise and deletions do not change them" in result.findings


def test_examples_of_one_word_utterances() -> None:
    result = study([CAT] * 3, deltas=[1.0], runs=2)
    assert str(result.settings["one-word utterances"]).startswith("none in gold; 200 copies of (TOP ")
    rows = {row["operation"]: row for row in result.table(one_word.TITLE).records()}
    assert (rows["noise"]["one word"], rows["delete"]["one word"]) == (1.0, 1.0)
    # TOP and INTJ keep their partners, and the longer half of the word has an IoU of 3/4 on average.
    assert rows["insert"]["one word"] == pytest.approx(2 * 2.75 / 7, abs=0.01)


def test_the_order_depends_on_the_share_of_one_word_utterances() -> None:
    result = study(deltas=[1.0], runs=2)
    rows = {row["operation"]: row for row in result.table(one_word.TITLE).records()}
    orders = [sorted(rows, key=lambda name: rows[name][column]) for column in ("several words", "40 % one word")]
    assert orders == [["delete", "noise", "insert"], ["delete", "insert", "noise"]]
    assert "noise and insert change places at a share of 3" in result.findings
    pytest.importorskip("matplotlib")
    titles = [axes.get_title() for axes in result.figure().axes]
    assert [title.splitlines()[1] for title in titles] == ["corpus level", "0 % have one word", "40 % have one word"]
