"""Which score comes first where no metric is named: one rule, wherever both inputs are held whole."""

from __future__ import annotations

import gzip
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from entry_points.every_entry_point import (
    ENTRY_POINTS,
    EntryPoint,
    Refused,
    accepted,
    differences,
    of_score,
    run,
    whole,
)
from entry_points.file_pairs import (
    CLEAN,
    CONLLU,
    DIFFERENT_WORDS,
    DISCONTINUOUS,
    OTHER_NUMBERS,
    OTHER_TAGS,
    OUTER,
    PAIRS,
    TIMED,
    FilePair,
    Written,
    can_handle,
)
from entry_points.test_same_value_everywhere import reference

import treescore
from treescore import PROFILES, Metric, UsageError
from treescore.integrations.service import answer
from treescore.readers.conllu import read_conllu
from treescore.scoring.batch import score_batch

CHOOSING = [point for point in ENTRY_POINTS if point.chooses is not None]
#: Entry points that see a part of the input at a time. Those that are left out have defaults of their own.
IN_PARTS = [
    point
    for point in ENTRY_POINTS
    if point.chooses is None
    and point.name not in ("conllu_eval", "mbr --gold", "study metrics", "--pair auto", "treescore.evalb")
]


def headline_of(pair: FilePair) -> Metric:
    """The metric that must be chosen."""
    name = pair.headline.partition("|")[0]
    return treescore.metric(f"struct_iou|axis:{pair.axis}" if name == "struct_iou" else name)


@pytest.mark.parametrize("point", CHOOSING, ids=str)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_rule_chooses_the_first_score(pair: FilePair, point: EntryPoint, written: dict[str, Written]) -> None:
    """Where the entry point cannot show the metric that is chosen, it refuses in one line and chooses no other."""
    files, headline = written[pair.name], headline_of(pair)
    assert point.chooses is not None
    if not point.chooses(files, headline):
        if can_be_called(point, files):
            with pytest.raises(Refused, match=r"\A[^\n]+\Z"):
                point.call(files, None)
        return
    outcome = point.call(files, None)
    beginning = str(outcome.signature)[: len(pair.headline)]
    assert beginning == pair.headline
    assert headline.name != "struct_iou" or f"|axis:{pair.axis}|" in str(outcome.signature)
    chosen = treescore.metric(str(outcome.signature))
    assert not differences(outcome, reference(files, chosen))


def can_be_called(point: EntryPoint, files: Written) -> bool:
    """Can the pair be given to this entry point at all?"""
    return files.pair.rows or point.name != "evaluate, lists"


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_all_choose_the_same_signature(pair: FilePair, written: dict[str, Written]) -> None:
    files, headline = written[pair.name], headline_of(pair)
    chosen: dict[object, list[str]] = {}
    for point in CHOOSING:
        assert point.chooses is not None
        if point.chooses(files, headline):
            try:
                signature = point.call(files, None).signature
            except Refused as refusal:
                signature = f"refused: {refusal}"
            chosen.setdefault(signature, []).append(point.name)
    assert len(chosen) == 1, chosen


@pytest.mark.parametrize("point", IN_PARTS, ids=str)
def test_elsewhere_the_default_is_parseval(point: EntryPoint, written: dict[str, Written]) -> None:
    parseval = treescore.metric("parseval")
    for pair in (CLEAN, OUTER):
        assert not differences(point.call(written[pair.name], None), reference(written[pair.name], parseval))


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.timed], ids=str)
@pytest.mark.parametrize("point", CHOOSING, ids=str)
def test_an_option_left_open_is_resolved_from_the_input(
    point: EntryPoint, pair: FilePair, written: dict[str, Written]
) -> None:
    """Seconds where both sides have times; a complete signature is taken literally."""
    files = written[pair.name]
    seconds, words = (treescore.metric(f"struct_iou|axis:{axis}") for axis in ("seconds", "words"))
    if not point.takes(files, seconds) or not can_be_called(point, files):
        return
    for signature, metric in (("struct_iou", seconds), (seconds.signature, seconds), (words.signature, words)):
        assert not differences(point.call(files, signature), reference(files, metric)), signature


@pytest.mark.parametrize("pair", [CLEAN, DIFFERENT_WORDS, OTHER_TAGS, TIMED], ids=str)
def test_the_page_and_compare_have_the_same_metrics(pair: FilePair, written: dict[str, Written]) -> None:
    files = written[pair.name]
    html = accepted(files.folder, "report", *files.arguments, "--pack", "none", "-o", "-")
    options = (*files.arguments, files.gold, "--ci-samples", "20", "-f", "json")
    compared = json.loads(accepted(files.folder, "compare", *options))["metrics"]
    signatures = [unescape(text) for text in re.findall(r'<code id="signature-\d+">(.*?)</code>', html)]
    assert signatures == [metric["signature"] for metric in compared]
    assert signatures


# ---------------------------------------------------------------------------------------------------------------------
# More than one score


def scores_of(files: Written, *options: str) -> list[dict[str, object]]:
    """All scores in JSON."""
    data = json.loads(accepted(files.folder, *files.arguments, *options, "-f", "json"))["scores"]
    assert isinstance(data, list)
    return data


def test_words_that_differ_add_a_second_score(written: dict[str, Written]) -> None:
    """Under its own name and with the same profile; the headline stays what EVALB computes."""
    pairs = [pair for pair in PAIRS if pair.second is not None]
    assert len(pairs) > 1
    for pair in pairs:
        files = written[pair.name]
        shown = scores_of(files)
        assert len(shown) > 1, pair
        first, second, *_ = shown
        assert str(second["signature"]).startswith(pair.second or "")
        evalb = next(point for point in ENTRY_POINTS if point.name == "treescore -f evalb")
        assert not differences(evalb.call(files, None), reference(files, treescore.metric("parseval")))
        assert first["value"] == reference(files, treescore.metric("parseval")).value
        assert [score.signature for score in whole(files, None)] == [score["signature"] for score in shown]


@pytest.mark.parametrize("pair", [CLEAN, OUTER, OTHER_TAGS], ids=str)
def test_the_same_words_have_one_score(pair: FilePair, written: dict[str, Written]) -> None:
    assert [score["name"] for score in scores_of(written[pair.name])] == ["parseval"]


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.timed], ids=str)
def test_timed_trees_have_no_scores_of_text(pair: FilePair, written: dict[str, Written]) -> None:
    first, *others = (score["name"] for score in scores_of(written[pair.name]))
    assert first == "struct_iou"
    assert set(others) <= {"boundaries", "sparseval"}


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.remark], ids=str)
def test_times_that_are_not_used_are_remarked_on(pair: FilePair, written: dict[str, Written]) -> None:
    files = written[pair.name]
    causes = json.loads(accepted(files.folder, *files.arguments, "-f", "json"))["causes"]
    assert pair.remark
    assert any(pair.remark in cause["message"].lower() and cause["sentences"] > 0 for cause in causes)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_means_what_it_says(profile: str, written: dict[str, Written]) -> None:
    """It is applied to the headline, whatever the words are; a second score has it, or is left out with a remark.

    Where words are not compared, there is nothing to remark on.
    """
    for pair in (CLEAN, DIFFERENT_WORDS):
        files = written[pair.name]
        first, *others = scores_of(files, "--profile", profile)
        assert first["signature"] == treescore.metric(f"parseval|profile:{profile}").signature
        for other in others:
            assert f"|profile:{profile}|" in str(other["signature"])
        if pair is DIFFERENT_WORDS and PROFILES[profile].words != "same":
            assert not others
            assert "aligned_parseval" not in run(files.folder, *files.arguments, "--profile", profile).out
        elif pair is DIFFERENT_WORDS and not others:
            ran = run(files.folder, *files.arguments, "--profile", profile)
            assert "aligned_parseval" in ran.out + ran.err


@pytest.mark.parametrize("profile", PROFILES)
def test_a_metric_applies_a_profile_or_refuses_it(profile: str, written: dict[str, Written]) -> None:
    """Where words and sentences are the same, aligned PARSEVAL has nothing to align: its F1 is that of PARSEVAL."""
    try:
        aligned = treescore.metric(f"aligned_parseval|profile:{profile}")
    except UsageError as refusal:
        assert profile in str(refusal) or "profile" in str(refusal)
        return
    parseval = treescore.metric(f"parseval|profile:{profile}")
    for pair in (CLEAN, OUTER):
        files = written[pair.name]
        assert reference(files, aligned).figures["f1"].value == reference(files, parseval).value


@pytest.mark.parametrize("profile", PROFILES)
def test_functions_apply_a_profile_or_refuse_it(profile: str) -> None:
    """They stand on the brackets that PARSEVAL has right, so rules about which brackets count cannot be ignored."""
    if profile in ("collins", "spmrl", "none", "benepar", "discodop", "allennlp", "urnng"):
        assert f"|profile:{profile}|" in treescore.metric(f"functions|profile:{profile}").signature
    else:
        with pytest.raises(UsageError, match=f"functions cannot apply the profile {profile}: it lacks the option"):
            treescore.metric(f"functions|profile:{profile}")


def test_parseval_needs_equal_numbers_of_trees(written: dict[str, Written]) -> None:
    files = written[OTHER_NUMBERS.name]
    names = ("--name", "A", "--name", "B")
    for arguments in ((), ("compare", files.gold, *names), ("report", "-o", "page.html")):
        ran = run(files.folder, *arguments, *files.arguments, "-m", "parseval")
        assert ran.code == 2
        assert "4 trees" in ran.err
    assert not can_handle(treescore.metric("parseval"), OTHER_NUMBERS)


def test_the_headline_names_aligned_parseval(written: dict[str, Written]) -> None:
    """Never just “Labelled F1” where numbers of trees differ."""
    files = written[OTHER_NUMBERS.name]
    table = accepted(files.folder, *files.arguments)
    headline = next(line for line in table.splitlines() if "F1" in line)
    assert "lign" in headline, headline


# ---------------------------------------------------------------------------------------------------------------------
# Options that metrics share

COMPLETE = treescore.metric("parseval|profile:none|labels:no").signature


@pytest.mark.parametrize("option", [("--profile", "spmrl"), ("-p", "mine.prm"), ("--disconly",)], ids=str)
@pytest.mark.parametrize("command", [(), ("compare",), ("report", "-o", "page.html"), ("show",)], ids=str)
def test_a_complete_signature_is_taken_literally(
    option: tuple[str, ...], command: tuple[str, ...], written: dict[str, Written]
) -> None:
    """An option that would have no effect is refused; beside another metric it has an effect on this one alone."""
    files = written[CLEAN.name]
    (files.folder / "mine.prm").write_text("DELETE_LABEL NP\n", encoding="utf-8")
    if command and option == ("--disconly",):
        return  # an option of treescore GOLD TEST
    systems = (files.gold, files.test, files.gold) if command == ("compare",) else (files.gold, files.test)
    ran = run(files.folder, *command, *systems, "-m", COMPLETE, *option)
    assert ran.code == 2
    assert f"{option[0]} has no effect" in ran.err
    if not command:
        first, second = scores_of(files, "-m", COMPLETE, "-m", "parseval", *option)
        assert first["signature"] == COMPLETE
        assert first["value"] == reference(files, treescore.metric(COMPLETE)).value
        assert second["signature"] != treescore.metric("parseval").signature


def test_options_hold_for_signatures_that_leave_them_open(written: dict[str, Written]) -> None:
    files = written[CLEAN.name]
    signatures = ("parseval|labels:no", "struct_iou", "parseval|profile:none")
    shown = scores_of(files, *(part for name in signatures for part in ("-m", name)), "--profile", "spmrl")
    expected = ("parseval|labels:no|profile:spmrl", "struct_iou|profile:spmrl", "parseval|profile:none")
    assert [score["signature"] for score in shown] == [treescore.metric(name).signature for name in expected]


def test_a_profile_for_timed_trees_is_applied_where_it_can_be(written: dict[str, Written]) -> None:
    files = written[TIMED.name]
    data = json.loads(accepted(files.folder, *files.arguments, "--profile", "spmrl", "-f", "json"))
    assert "|profile:spmrl|" in data["scores"][0]["signature"]
    assert data["remarks"] == [
        "--profile applies to struct_iou as far as labels and deletions go, and not to boundaries"
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Outputs and gates of metrics that were chosen


def test_gates_refer_to_the_score_that_is_shown(written: dict[str, Written]) -> None:
    timed, unequal = written[TIMED.name], written[OTHER_NUMBERS.name]
    for least, code in ((0, 0), (100, 1)):
        assert run(timed.folder, *timed.arguments, "--fail-under", f"corpus={least}").code == code
    assert run(timed.folder, *timed.arguments, "--min-scored", "100").code == 0
    for gate in (("--fail-under", "f1=0"), ("--min-scored", "0")):
        ran = run(unequal.folder, *unequal.arguments, *gate)
        assert (ran.code, "as many trees" in ran.err) == (1, True)


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "latex"])
def test_tables_by_label_of_timed_trees(form: str, written: dict[str, Written]) -> None:
    """One of the metrics that are chosen has no such table, which is said, and the others are shown."""
    files = written[TIMED.name]
    text = accepted(files.folder, *files.arguments, "--by", "label", "-f", form)
    assert "NP" in text
    assert ("boundaries has no table by label" in text) == (form in ("table", "latex"))


def test_what_shows_pairs_of_trees_says_that_there_are_none(written: dict[str, Written]) -> None:
    files = written[OTHER_NUMBERS.name]
    for command in (("show",), ("report", "-o", "page.html")):
        ran = run(files.folder, *command, *files.arguments)
        assert ran.code == 2
        assert "needs a pair of trees for each sentence; use: treescore GOLD TEST" in ran.err


def test_words_that_differ_in_discontinuous_trees_are_not_aligned(written: dict[str, Written]) -> None:
    files = written[DISCONTINUOUS.name]
    other = files.folder / "other.mrg"
    other.write_text((files.folder / files.test).read_text(encoding="utf-8").replace("Mann", "Mond"), encoding="utf-8")
    data = json.loads(accepted(files.folder, files.gold, "other.mrg", "-f", "json"))
    assert [score["name"] for score in data["scores"]] == ["parseval"]
    assert "does not compare discontinuous trees" in data["remarks"][0]


@pytest.mark.parametrize("name", ["gold.mrg", "gold.mrg.gz"])
def test_conllu_is_recognised_packed_and_beside_standard_input(name: str, written: dict[str, Written]) -> None:
    files = written[CONLLU.name]
    (files.folder / "gold.mrg.gz").write_bytes(gzip.compress((files.folder / files.gold).read_bytes()))
    las = scores_of(files)[0]["value"]
    data = json.loads(accepted(files.folder, name, files.test, "-f", "json"))
    assert data["scores"][0]["value"] == las
    assert treescore.evaluate(files.folder / name, files.paths[1]).scores[0].value == las
    with files.paths[1].open("rb") as file:
        assert treescore.evaluate(files.folder / name, file).scores[0].value == las
    with (files.folder / name).open("rb") as gold, files.paths[1].open(encoding="utf-8") as test:
        assert treescore.evaluate(gold, test).scores[0].value == las
    assert treescore.evaluate((files.folder / name).read_bytes(), files.paths[1].read_bytes()).scores[0].value == las
    trees = written[CLEAN.name].paths[0]
    bank: Any = read_conllu(files.folder / name)
    assert treescore.evaluate(bank, files.paths[1]).scores[0].value == las
    assert treescore.evaluate(bank, bank).scores[0].value == 1
    with pytest.raises(UsageError, match="gold is CoNLL-U, but test is not"):
        treescore.evaluate(bank, "(S a)")
    with pytest.raises(UsageError, match="gold is CoNLL-U, but gold is not"):  # a system may be called so
        treescore.compare(files.folder / name, {"gold": trees})
    with pytest.raises(UsageError, match="reconcile is for trees"):
        treescore.evaluate(bank, bank, reconcile=True)
    with pytest.raises(UsageError, match="is CoNLL-U, but"):
        treescore.evaluate(files.folder / name, trees)
    for option in (("--reconcile",), ("--chunk", "1K")):
        assert f"{option[0]} is for trees" in run(files.folder, *files.arguments, *option).err


def test_a_side_without_trees_is_refused_everywhere(written: dict[str, Written], tmp_path: Path) -> None:
    gold = written[CLEAN.name].paths[0]
    (tmp_path / "empty").write_text("")
    assert "there are no trees in it" in run(tmp_path, str(gold), "empty").err
    with pytest.raises(treescore.InputError, match="there are no trees in it"):
        treescore.evaluate(gold, tmp_path / "empty")
    assert "there are no trees in it" in answer({"gold": gold.read_text(), "test": ""})["error"]["message"]


def test_the_service_aligns_on_the_axis_on_which_it_scores(written: dict[str, Written]) -> None:
    pair = TIMED
    asked = {"gold": list(pair.gold), "test": list(pair.test)}
    [aligned] = answer({"op": "align", **asked, "metric": "struct_iou"})["scores"]
    [scored] = answer({"op": "score", **asked, "metrics": ["struct_iou"]})["scores"]
    assert aligned == scored
    assert "|axis:seconds|" in scored["signature"]


def test_sentences_without_a_parse_are_no_text(tmp_path: Path) -> None:
    """However many sentences of timed files failed, the metric is the same."""
    gold = "(S (A 0.1-0.2) (B 0.2-0.3))\n" * 6
    for failed in range(6):
        test = "()\n" * failed + gold[: len(gold) // 6 * (6 - failed)]
        report = treescore.evaluate(treescore.read(gold), treescore.read(test))
        assert report.scores[0].signature == treescore.metric("struct_iou|axis:seconds").signature
        assert report.scores[0].coverage == (6 - failed) / 6


def test_a_sentence_that_is_missing_is_one_problem() -> None:
    gold, test = "a\t(S (NN x))\nb\t(S (NN y))", "b\t(S (NN y))\nc\t(S (NN x))"
    for metric in ("parseval", "struct_iou", ["aligned_parseval", "parseval"]):
        report = treescore.evaluate(gold, test, metric)
        assert report.problem_counts()["id"] == 2  # one sentence is missing in test, another one in gold
        assert "unparsed" not in report.problem_counts()


@pytest.mark.parametrize(
    "metric",
    ["parseval", "struct_iou", "leaf_ancestor", "functions", "aligned_parseval", "sparseval", "dependencies"],
)
def test_a_sentence_that_cannot_be_read_is_one_problem(metric: str) -> None:
    good = ["(S (NN x))", "(S (NN y))", "(S (NN z))"]
    for side in (0, 1):
        sides = [good, good]
        sides[side] = [good[0], "(S (NN y)", good[2]]
        assert list(treescore.evaluate(sides[0], sides[1], metric).problem_counts().values()) == [1], side
        parts = treescore.Pair(*(treescore.read(side, on_error="keep") for side in sides))
        if not treescore.metric(metric).takes_parts:
            continue
        batch = score_batch([treescore.metric(metric)], parts[1:])  # the numbers are still those of the whole
        assert [problem.unit for problem in batch.problems] == [2], side


def test_metrics_that_align_sentences_are_not_bound_to_ids() -> None:
    """They take them where both sides have the same ones, and nothing depends on the metrics beside them."""
    gold = "a\t(S (NP (NN dog)) (VP (VB barks)))\nb\t(S (NP (NN cat)) (VP (VB sleeps)))"
    apart = "a\t(S (NP (NN dog)))\nb\t(S (VP (VB barks)))\nc\t(S (NP (NN cat)) (VP (VB sleeps)))"
    order = "\n".join(reversed(gold.split("\n")))
    aligned = treescore.metric("aligned_parseval|profile:collins")
    for test, token_f1 in ((apart, 1.0), (order, 1.0), (gold.replace("b\t", "a\t"), 1.0)):
        alone = treescore.evaluate(gold, test, aligned)
        assert alone.scores[0].figures["token_f1"].value == token_f1
        assert alone.problem_counts().get("id", 0) == 1
    alone = treescore.evaluate(gold, apart, aligned)
    beside = treescore.evaluate(gold, apart, ["parseval", aligned])
    default = treescore.evaluate(gold, apart)
    for report in (beside, default):
        assert of_score(report[aligned.signature]) == of_score(alone.scores[0])
        assert report.breakdown("label", aligned.signature) == alone.breakdown("label")


def test_reconciling_is_refused_where_it_has_no_effect(written: dict[str, Written]) -> None:
    files = written[CLEAN.name]
    refusal = "reconcile has no effect: tedeval has no option for conventions"
    ran = run(files.folder, *files.arguments, "-m", "tedeval", "--reconcile")
    assert ran.err == f"treescore: error: {refusal}\n"
    with pytest.raises(UsageError, match=f"^{refusal}$"):
        treescore.evaluate("(S (NN a))", "(S (NN a))", "tedeval", reconcile=True)
    for more in ([], ["--chunk", "1"]):
        data = json.loads(
            accepted(
                files.folder, *files.arguments, "-m", "tedeval", "-m", "parseval", "--reconcile", "-f", "json", *more
            )
        )
        first, second = data["scores"]
        assert first["signature"] == treescore.metric("tedeval").signature
        assert "|outer:ignored|" in second["signature"]
        assert data["remarks"][0] == "reconcile does not change tedeval", more


def test_formats_of_one_table_leave_the_rest_to_standard_error(written: dict[str, Written]) -> None:
    files = written[OUTER.name]
    for form in ("csv", "jsonl"):
        ran = run(files.folder, *files.arguments, "-f", form)
        assert "Outer bracket differs (" in ran.err
        assert "; try outer:ignored" in ran.err
        ran = run(files.folder, *files.arguments, "-m", "parseval", "-m", "tedeval", "--by", "label", "-f", form)
        assert "tedeval has no table by label" in ran.err
        assert treescore.metric("parseval").signature in ran.out


def test_options_that_a_chosen_metric_lacks_are_explained(written: dict[str, Written]) -> None:
    unequal, timed = written[OTHER_NUMBERS.name], written[TIMED.name]
    for option in (("--profile", "benepar"), ("--disconly",)):
        ran = run(unequal.folder, *unequal.arguments, *option)
        assert (ran.code, "parseval is undefined, and aligned_parseval" in ran.err) == (2, True)
    ran = run(timed.folder, *timed.arguments, "--disconly")
    assert (ran.code, "both sides have times, so that struct_iou is chosen" in ran.err) == (2, True)
