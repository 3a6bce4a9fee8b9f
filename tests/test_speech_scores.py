"""Parses of speech: files and directories, how trees find their words and sentences their partners."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from oracle.seconds_inputs import floats, make_case, timed_bank
from oracle.speech_pairing import corpus_score, counts, extent, units

import treescore
from treescore.metrics.sparseval import Sparseval
from treescore.pairing.document_units import units_by_time, units_of
from treescore.place.pair import Pair
from treescore.place.seconds import place_seconds, placed
from treescore.readers.times import read_times
from treescore.render.word_times import textgrid
from treescore.scoring.report import Report
from treescore.speech.documents import Names, document_name
from treescore.speech.scoring import evaluate_speech
from treescore.words.transcript import Transcript
from treescore.words.utterance import Utterance, Utterances

GOLD = """\
(TOP (S (NP (PRP We)) (VP (VBP do) (RB n't) (VP (VB know))) (. .)))
(TOP (S (NP (DT the) (NN train)) (VP (VBZ is) (ADJP (JJ late))) (. .)))
"""
#: As it was recognised and cut: one sentence, one word wrong.
PRED = (
    "(TOP (S (NP (PRP we)) (VP (VBP do) (RB n't) (VP (VB know) "
    "(SBAR (S (NP (DT the) (NN rain)) (VP (VBZ is) (ADJP (JJ late)))))))))\n"
)
GOLD_CTM = """\
talk A 0.10 0.20 we
talk A 0.30 0.50 don't
talk A 0.90 0.30 know
talk A 2.00 0.15 the
talk A 2.15 0.45 train
talk A 2.60 0.20 is
talk A 2.80 0.40 late
"""
PRED_CTM = GOLD_CTM.replace("train", "rain")


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    for name, text in (("gold.mrg", GOLD), ("pred.mrg", PRED), ("gold.ctm", GOLD_CTM), ("pred.ctm", PRED_CTM)):
        (tmp_path / name).write_text(text)
    return tmp_path


def scored(folder: Path, **options: object) -> Report:
    return evaluate_speech(
        folder / "gold.mrg",
        folder / "pred.mrg",
        gold_times=folder / "gold.ctm",
        test_times=folder / "pred.ctm",
        **options,  # type: ignore[arg-type]
    )


def test_a_tier_of_one_side(talk: Path) -> None:
    """A tier concerns only the side that has tiers."""
    (talk / "gold.TextGrid").write_text(textgrid(read_times(talk / "gold.ctm")[0]))

    def with_tier(name: str) -> Report:
        return evaluate_speech(
            talk / "gold.mrg",
            talk / "pred.mrg",
            gold_times=talk / "gold.TextGrid",
            test_times=talk / "pred.ctm",
            tier=name,
        )

    assert [score.parts for score in with_tier("words")] == [score.parts for score in scored(talk)]
    with pytest.raises(treescore.InputError, match="there is no tier 'x'"):
        with_tier("x")
    with pytest.raises(treescore.UsageError, match="only textgrid, eaf, mfa-json, mfa-csv have tiers"):
        scored(talk, tier="words")


def test_other_sentences_and_words(talk: Path) -> None:
    report = scored(talk)
    assert [score.name for score in report] == ["struct_iou", "sparseval", "boundaries"]
    assert report.settings["pair"] == ["time"]
    assert "words of gold trees paired by text" in report.remarks
    assert "paired by time: 2 gold and 1 test sentences in 1 unit" in report.remarks
    assert report["sparseval"].counts.total()["substituted"] == 1
    assert report["boundaries"].value == 1
    assert report["struct_iou"].counts.total()["gold"] == 18
    assert len(report["struct_iou"].counts) == 1


def test_a_document_as_a_unit_is_the_same_here(talk: Path) -> None:
    whole, by_time = scored(talk, unit="document"), scored(talk)
    assert whole["struct_iou"].parts == by_time["struct_iou"].parts
    assert whole.settings["pair"] == ["document"]
    gold, test = treescore.read(talk / "gold.mrg"), treescore.read(talk / "pred.mrg")
    side = Sparseval(unit="file")
    assert whole["sparseval"].counts.total() == side.counts(Pair(gold, test)).total()


def test_times_that_are_known_are_kept(talk: Path) -> None:
    gold = place_seconds(treescore.read(talk / "gold.mrg"), read_times(talk / "gold.ctm"))
    assert gold[0].times == [(0.1, 0.3), (0.3, 0.5), (0.5, 0.8), (0.9, 1.2), (1.2, 1.2)]
    assert gold[1].times == [(2.0, 2.15), (2.15, 2.6), (2.6, 2.8), (2.8, 3.2), (3.2, 3.2)]


def test_without_times_of_its_own_test_stands_on_the_words_of_gold(talk: Path) -> None:
    report = evaluate_speech(talk / "gold.mrg", talk / "gold.mrg", gold_times=talk / "gold.ctm")
    assert [report[name].value for name in ("struct_iou", "sparseval", "boundaries")] == [1, 1, 1]
    assert any("use the word times of gold" in remark for remark in report.remarks)
    assert report.problems == []


def test_gold_trees_with_words_and_times_lend_them(tmp_path: Path) -> None:
    tree = ["S", [["NP", [["DT", 0.1, 0.3, "the"], ["NN", 0.3, 0.8, "cat"]]], ["VBZ", 0.9, 1.2, "sleeps"]]]
    (tmp_path / "gold.jsonl").write_text(json.dumps({"id": "u1", "tree": tree}) + "\n")
    (tmp_path / "pred.tsv").write_text("u1\t(S (NP (DT the) (NN cat)) (VBZ sleeps))\n")
    report = evaluate_speech(tmp_path / "gold.jsonl", tmp_path / "pred.tsv")
    assert report["struct_iou"].value == 1


def test_words_beside_the_trees(tmp_path: Path) -> None:
    rows = [
        {"id": "b", "tree": "(S (NN a) (. .))", "words": [["a", 0.1, 0.4]]},
        {"id": "a", "tree": "(S (NN b))", "words": [["b", 0.2, 0.5]]},
    ]
    for name, order in (("gold", rows), ("pred", rows[::-1])):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in order))
    report = evaluate_speech(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl")
    assert report["struct_iou"].value == 1
    assert report.settings["pair"] == ["id"]


def test_a_parser_without_text_or_labels(talk: Path) -> None:
    (talk / "spans.txt").write_text("((0.1-0.3 0.3-0.8 0.9-1.2))\n((2.0-2.2 2.2-2.6) (2.6-2.8 2.8-3.2))\n")
    report = evaluate_speech(talk / "gold.mrg", talk / "spans.txt", gold_times=talk / "gold.ctm")
    assert [score.name for score in report] == ["struct_iou", "boundaries"]
    assert "labels:no" in report["struct_iou"].signature
    assert any("no labels" in remark for remark in report.remarks)
    assert report.settings["pair"] == ["position"]


def test_directories(tmp_path: Path) -> None:
    for folder in ("gold", "pred", "times", "asr"):
        (tmp_path / folder).mkdir()
    trees = GOLD.splitlines()
    grid = "id\tword\tstart\tend\n"
    for side, tree, words in (
        ("sw1.A", trees[0], [("we", 0.1, 0.3), ("don't", 0.3, 0.8), ("know", 0.9, 1.2)]),
        ("sw1.B", trees[1], [("the", 0.1, 0.3), ("train", 0.3, 0.8), ("is", 0.8, 1.2), ("late", 1.2, 1.4)]),
    ):
        (tmp_path / "gold" / f"{side}.mrg").write_text(tree + "\n")
        (tmp_path / "pred" / f"{side.replace('.', '-')}.parse").write_text(tree + "\n")
        rows = "".join(f"{side}\t{word}\t{start}\t{end}\n" for word, start, end in words)
        (tmp_path / "times" / f"{side}.tsv").write_text(grid + rows)
    (tmp_path / "asr" / "all.ctm").write_text(
        "sw1 A 0.1 0.2 we\nsw1 A 0.3 0.5 don't\nsw1 A 0.9 0.3 know\n"
        "sw1 B 0.1 0.2 the\nsw1 B 0.3 0.5 train\nsw1 B 0.8 0.4 is\nsw1 B 1.2 0.2 late\n"
    )
    report = evaluate_speech(
        tmp_path / "gold", tmp_path / "pred", gold_times=tmp_path / "times", test_times=tmp_path / "asr"
    )
    assert report["struct_iou"].value == 1
    assert len(report["struct_iou"].counts) == 2
    (tmp_path / "pred" / "sw1-B.parse").rename(tmp_path / "pred" / "sw9-B.parse")
    less = evaluate_speech(
        tmp_path / "gold", tmp_path / "pred", gold_times=tmp_path / "times", test_times=tmp_path / "asr"
    )
    assert [problem.code for problem in less.problems].count("documents") == 2
    assert less["struct_iou"].parts["precision"] == 1
    assert 0.3 < (less["struct_iou"].parts["recall"] or 0) < 0.7


def test_names_of_documents() -> None:
    assert [document_name(f"x/{name}") for name in ("a.b.mrg", "a.mrg.gz", "sw2.A.syntax.xml", "a")] == [
        "a.b",
        "a",
        "sw2.A",
        "a",
    ]
    times = read_times("id\tword\tstart\tend\ndoc1-1\ta\t0\t1\ndoc10-1\tb\t0\t1\ndoc1\tc\t0\t1\nx\td\t0\t1\n")
    names = Names(["doc1", "doc10", "none"])
    assert [names.of(utterance) for utterance in times] == ["doc1", "doc10", "doc1", None]
    exact = Names(["talk", "talk-2", "u1-1", "u11"])
    assert [exact.find(name) for name in ("talk-2", "u11", "u1-1", "U1.1")] == ["talk-2", "u11", "u1-1", "u1-1"]


def test_sentences_whose_clock_begins_anew_are_not_paired_by_time() -> None:
    gold = treescore.read([["S", [["A", 0, 1], ["B", 1, 2]]]] * 3)
    test = treescore.read([["S", [["A", 0, 1], ["B", 1, 2]]]] * 2)
    with pytest.raises(treescore.InputError, match="time restarts"):
        units_of(gold, test)
    assert units_of(gold, gold)[0] == "position"
    with pytest.raises(treescore.InputError, match="pair them by time"):
        units_of(gold, test, "position")


def test_sentences_that_do_not_meet_are_paired_by_time() -> None:
    gold = treescore.read([["S", [["A", 0, 1]]], ["S", [["A", 5, 6]]]])
    test = treescore.read([["S", [["A", 5, 6]]], ["S", [["A", 8, 9]]]])
    report = evaluate_speech(gold, test)
    assert report.settings["pair"] == ["time"]
    #: A gold sentence without a partner, a pair, and a predicted sentence without a partner.
    assert [row["gold"] for row in map(report["struct_iou"].counts.row, range(3))] == [2, 2, 0]
    assert report["struct_iou"].value == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pair": "luck"}, "pair must be one of"),
        ({"unit": "word"}, "unit must be one of"),
        ({"attach": "glue"}, "attach must be one of"),
        ({"metrics": "struct_iou|axis:seconds|silent:loud"}, "silent must be one of"),
        ({"times_format": "mp3"}, "format of word times"),
    ],
)
def test_options_that_are_not_known(talk: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(treescore.UsageError, match=message):
        scored(talk, **options)


def test_trees_without_any_times(talk: Path) -> None:
    with pytest.raises(treescore.InputError, match="name the words with times"):
        evaluate_speech(talk / "gold.mrg", talk / "pred.mrg")


def test_times_of_other_words(talk: Path) -> None:
    other = "".join(f"talk A {number}.0 0.5 w{number}\n" for number in range(40))
    (talk / "gold.ctm").write_text(other)
    (talk / "gold.mrg").write_text(GOLD * 5)
    with pytest.raises(treescore.InputError, match="times of other words"):
        scored(talk)


def test_an_unreadable_tree_costs_only_itself(talk: Path) -> None:
    (talk / "gold.mrg").write_text(GOLD.replace("(. .)))\n(TOP", "(. .))\n(TOP", 1))
    report = scored(talk, pair="time")
    assert any(problem.file == str(talk / "gold.mrg") for problem in report.problems)


def test_speech_in_json_says_how_it_was_done(talk: Path) -> None:
    data = json.loads(scored(talk).to("json"))
    assert data["speech"]["pair"] == ["time"]


def test_silent_and_gaps_are_in_the_signature(talk: Path) -> None:
    report = scored(talk, metrics="struct_iou|axis:seconds|silent:keep|gaps:close")
    assert "|silent:keep|gaps:close|" in report["struct_iou"].signature
    spoken = scored(talk, metrics="struct_iou|axis:seconds|gaps:close")
    assert (report["struct_iou"].value or 1) < (spoken["struct_iou"].value or 0)
    for option in ("silent:keep", "gaps:close"):
        with pytest.raises(treescore.SignatureError, match="axis:seconds"):
            treescore.metric(f"struct_iou|{option}")


@pytest.mark.parametrize("seed", range(4))
def test_units_and_their_score_are_those_of_the_model(seed: int) -> None:
    rng = Random(seed)
    for _ in range(25):
        sides = []
        for _ in range(2):
            case = make_case(rng)
            placed_trees = case.placed()
            sides.append([(tree, times) for tree, times in zip(case.trees, placed_trees.times, strict=True) if times])
        extents = [[extent(times) for _, times in side] for side in sides]
        expected = units(*extents)
        as_floats = [[None if time is None else floats(time) for time in side] for side in extents]
        assert [(item.gold, item.test) for item in units_by_time(*as_floats)] == [(u.gold, u.test) for u in expected]
        if not all(sides) or not expected:
            continue
        banks = [timed_bank([tree for tree, _ in side], [times for _, times in side]) for side in sides]
        try:
            rows = [counts(sides[0], sides[1], unit) for unit in expected]
        except ValueError:  # sentences over each other
            continue
        wanted = corpus_score(rows)
        try:
            got = evaluate_speech(banks[0], banks[1], pair="time", metrics="struct_iou")["struct_iou"].value
        except treescore.InputError as error:
            assert error.problem.code == "clock"
            continue
        assert got == (None if wanted is None else pytest.approx(float(wanted), abs=1e-9))


# ---------------------------------------------------------------------------------------------------------------------
# Input that is not what one expects


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize("empty", ["gold", "pred"])
def test_files_without_trees(talk: Path, empty: str) -> None:
    (talk / f"{empty}.mrg").write_text("\n")
    with pytest.raises(treescore.InputError, match="no trees in it"):
        scored(talk)


def test_a_prediction_without_times_counts_as_not_parsed(tmp_path: Path) -> None:
    trees = "u1\t(S (NN a) (NN b))\nu2\t(S (NN c) (NN d))\n"
    words = {"u1": [["a", 0.0, 0.5], ["b", 0.5, 1.0]], "u2": [["c", 0, 1], ["d", 1, 2]]}
    lines = [json.dumps({"id": name, "words": own}) + "\n" for name, own in words.items()]
    write(tmp_path, g_tsv=trees, t_jsonl="".join(lines), p_jsonl=lines[0])
    report = evaluate_speech(
        tmp_path / "g.tsv", tmp_path / "g.tsv", gold_times=tmp_path / "t.jsonl", test_times=tmp_path / "p.jsonl"
    )
    assert report["struct_iou"].parts["recall"] == 0.5
    assert report["struct_iou"].counts.total()["gold"] == 6
    assert report["sparseval"].counts.total()["gold"] == 2
    assert any("no utterance 'u2'" in problem.message for problem in report.problems)
    less = evaluate_speech(
        tmp_path / "g.tsv", tmp_path / "g.tsv", gold_times=tmp_path / "p.jsonl", test_times=tmp_path / "t.jsonl"
    )  # gold without times is left out, by all metrics
    assert [len(score.counts) for score in less] == [1, 1, 1]


def test_as_many_utterances_as_trees_that_are_cut_elsewhere(tmp_path: Path) -> None:
    write(
        tmp_path,
        g_mrg="(S (NN a) (NN b) (NN c))\n(S (NN d) (NN e))\n",
        w_tsv="u1\ta\t0\t1\nu1\tb\t1\t2\nu2\tc\t2\t3\nu2\td\t3\t4\nu2\te\t4\t5\n",
    )
    bank, attach = placed(treescore.read(tmp_path / "g.mrg"), read_times(tmp_path / "w.tsv"))
    assert attach == "text"
    assert bank.problems == ()
    assert bank[0].times == [(0, 1), (1, 2), (2, 3)]


def test_words_of_a_document_whose_name_begins_like_another(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "g__talk_mrg": "(S (NN a))\n",
            "g__talk-2_mrg": "(S (NN b))\n",
            "t__talk_tsv": "talk\ta\t0\t1\n",
            "t__talk-2_tsv": "talk-2\tb\t0\t1\n",
            "t__other_tsv": "other\tz\t0\t1\n",
        },
    )
    report = evaluate_speech(tmp_path / "g", tmp_path / "g", gold_times=tmp_path / "t", test_times=tmp_path / "t")
    assert report["struct_iou"].value == 1
    assert [problem.code for problem in report.problems] == ["unused"]
    assert report.rows()["id"] == ["talk-2:1", "talk:1"]


def test_a_document_without_words_and_files_in_folders(tmp_path: Path) -> None:
    write(
        tmp_path,
        g__x__a_mrg="(S (NN a))\n",
        g__y__b_mrg="(S (NN b))\n",
        p__x__a_mrg="(S (NN a))\n",
        p__y__b_mrg="(S (NN b))\n",
        t_tsv="a\ta\t0\t1\n",
    )
    report = evaluate_speech(
        tmp_path / "g", tmp_path / "p", gold_times=tmp_path / "t.tsv", test_times=tmp_path / "t.tsv"
    )
    assert len(report["struct_iou"].counts) == 1
    assert any("no words with times for this document" in problem.message for problem in report.problems)


def test_shared_options(talk: Path) -> None:
    report = scored(talk, options={"profile": "spmrl"})
    assert "|profile:spmrl|" in report["struct_iou"].signature
    assert "profile applies to struct_iou" in " ".join(report.remarks).replace("--", "")
    report = scored(talk, metrics="struct_iou", options={"cut": "-="})
    assert "|cut:-%3D|" in report["struct_iou"].signature


def test_sentences_without_partners_are_told_once(tmp_path: Path) -> None:
    gold = treescore.read([["S", [["A", 0, 1]]], ["S", [["A", 5, 6]]]])
    test = treescore.read([["S", [["A", 5, 6]]], ["S", [["A", 8, 9]]]])
    for metrics in (None, ["struct_iou|axis:seconds"]):
        report = evaluate_speech(gold, test, metrics=metrics)
        assert sorted(problem.code for problem in report.problems) == ["no-gold", "unparsed"]
    assert report.provenance["gold"]["trees"] == 2


def test_a_document_whose_clock_begins_anew(tmp_path: Path) -> None:
    gold = treescore.read([["S", [["A", 0, 1], ["B", 1, 2]]]] * 2)
    with pytest.raises(treescore.InputError, match="begin anew"):
        evaluate_speech(gold, gold, unit="document")


def test_times_from_python_are_put_right() -> None:
    trees = treescore.read("(S (NN a) (NN b) (NN c))")
    times = [(0.0, 0.1 + 0.2), (0.3, 0.7), (float("nan"), 1.0)]
    words = Utterances([Utterance(Transcript(["a", "b", "c"], times=times), end=1.0)], format="python")
    result = place_seconds(trees, words)
    assert result[0].times == [(0.0, 0.3), (0.3, 0.7), (0.7, 1.0)]
    assert {problem.code for problem in result.problems} == {"time", "untimed"}


def test_json_lines_of_any_name(tmp_path: Path) -> None:
    rows = [{"id": "a", "tree": "(S (NN a))", "words": [["a", 0.1, 0.4]]}, {"id": "b", "tree": None}]
    write(tmp_path, g_txt="".join(json.dumps(row) + "\n" for row in rows))
    report = evaluate_speech(tmp_path / "g.txt", tmp_path / "g.txt")
    assert report["struct_iou"].value == 1


def test_a_document_that_cannot_be_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        g__a_mrg="(S (NN a))\n",
        g__b_mrg="(S (NN b)\n(S (NN b)\n",
        g__c_mrg="(S (NN c))\n",
        p__a_mrg="(S (NN a))\n",
        p__b_mrg="(S (NN b))\n",
        p__c_mrg="(S (NN c)\n(S (NN c)\n",
        t_tsv="a\ta\t0\t1\nb\tb\t0\t1\nc\tc\t0\t1\n",
    )
    times = tmp_path / "t.tsv"
    report = evaluate_speech(tmp_path / "g", tmp_path / "p", gold_times=times, test_times=times)
    assert report["struct_iou"].parts["recall"] == 0.5
    assert [problem.action for problem in report.problems if problem.code == "not-trees"] == [
        "left out of the score",
        "its sentences count as not parsed",
    ]
    for name in "ac":
        (tmp_path / "g" / f"{name}.mrg").unlink()
    with pytest.raises(treescore.InputError, match="not one tree"):
        evaluate_speech(tmp_path / "g", tmp_path / "p", gold_times=times, test_times=times)


def test_a_gold_sentence_without_times_in_a_document(tmp_path: Path) -> None:
    write(tmp_path, g_tsv="a\t(S (NN a))\nb\t(S (NN b))\nc\t(S (NN c))\n", t_tsv="a\ta\t0\t1\nc\tc\t2\t3\n")
    gold = tmp_path / "g.tsv"
    report = evaluate_speech(gold, gold, gold_times=tmp_path / "t.tsv", unit="document")
    assert report["struct_iou"].counts.total()["gold"] == 4
    assert any("1 gold without times" in remark for remark in report.remarks)


def test_words_are_found_by_the_names_of_their_files(tmp_path: Path) -> None:
    write(
        tmp_path,
        g__a_mrg="(S (NN a))\n",
        g__b_mrg="(S (NN b))\n",
        t__a_tsv="u1\ta\t0\t1\n",
        t__b_ctm="rec A 0 1 b\n",
    )
    report = evaluate_speech(tmp_path / "g", tmp_path / "g", gold_times=tmp_path / "t")
    assert report["struct_iou"].value == 1
    assert len(report["struct_iou"].counts) == 2


def test_utterances_in_another_order(tmp_path: Path) -> None:
    """As many as trees, but not one is at its place."""
    write(
        tmp_path,
        g_mrg="(S (NN a) (NN b))\n(S (NN c) (NN d))\n",
        t_tsv="u2\tc\t2\t3\nu2\td\t3\t4\nu1\ta\t0\t1\nu1\tb\t1\t2\n",
    )
    _, attach = placed(treescore.read(tmp_path / "g.mrg"), read_times(tmp_path / "t.tsv"))
    assert attach == "text"


@pytest.mark.parametrize(("overlap", "codes"), [(1e-10, []), (0.01, ["overlap"])])
def test_sentences_that_overlap_a_little(overlap: float, codes: list[str]) -> None:
    first = ["S", [["A", 0, 1], ["B", 1, 2 + overlap, "b"], [",", 2 + overlap, 2 + overlap, ","]]]
    gold = treescore.read([first, ["S", [["A", 2, 3], ["B", 3, 4]]]])
    report = evaluate_speech(gold, gold, unit="document")
    assert report["struct_iou"].value == 1
    assert [problem.code for problem in report.problems] == codes


def test_problems_do_not_depend_on_the_metrics(talk: Path) -> None:
    (talk / "pred.mrg").write_text("\n()\n")
    (talk / "gold.mrg").write_text(GOLD)
    items = [
        evaluate_speech(
            talk / "gold.mrg", talk / "pred.mrg", gold_times=talk / "gold.ctm", metrics=metrics, layout="line"
        )
        for metrics in (None, ["struct_iou|axis:seconds"])
    ]
    assert [problem.code for problem in items[0].problems] == [problem.code for problem in items[1].problems]
