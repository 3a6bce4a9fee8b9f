"""Known causes of lower scores: how many sentences they concern, and what their remedies do."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st
from oracle.causes import Sentence, causes_of_failure, outer_differs

import treescore
from treescore.scoring import causes, tally

CODES = ("outer_differs", "failed_by_tags", "failed_by_escapes", "failed_by_case")
DELETED = {
    "collins": frozenset(("TOP", "-NONE-", ",", ":", "``", "''", ".")),
    "none": frozenset[str](),
}
#: Ways to write the same word.
SPELLINGS = (("a", "A"), ("é", "É"), ("[", "-LSB-", "-lsb-"), ("1/2", "1\\/2"), (".",), ("b",))
TAGS = st.sampled_from(("NN", "DT", ".", ",", "-NONE-"))
WORDS = st.sampled_from(SPELLINGS).flatmap(st.sampled_from)
LEAVES = st.tuples(TAGS, WORDS)
OUTER = st.sampled_from(("TOP", "ROOT", "S1", ""))


@st.composite
def sentences(draw: st.DrawFn) -> tuple[Sentence, Sentence]:
    """A sentence, and what another file makes of it: other tags, other words, another outer bracket."""
    gold = draw(st.lists(LEAVES, min_size=1, max_size=4))
    spellings = {word: alike for alike in SPELLINGS for word in alike}
    kind = draw(st.sampled_from(("as it is", "tags", "spelling", "both", "words")))
    test = []
    for tag, word in gold:
        other_tag = draw(TAGS) if kind in ("tags", "both") else tag
        word = draw(st.sampled_from(spellings[word])) if kind in ("spelling", "both") else word
        test.append((other_tag, draw(WORDS) if kind == "words" else word))
    if kind == "words" and draw(st.booleans()):
        test.append(draw(LEAVES))
    return Sentence(draw(OUTER), gold), Sentence(draw(OUTER), test)


def written(sides: Sequence[Sentence]) -> list[str]:
    """The sentences in brackets."""
    return [f"({side.outer} (S {' '.join(f'({tag} {word})' for tag, word in side.leaves)}))" for side in sides]


@pytest.mark.parametrize("profile", DELETED)
@given(st.lists(sentences(), min_size=1, max_size=6))
def test_sentences_are_counted_as_the_model_does(profile: str, pairs: list[tuple[Sentence, Sentence]]) -> None:
    deleted = DELETED[profile]
    expected: Counter[str] = Counter()
    for gold, test in pairs:
        if all(tag in deleted for tag, _ in gold.leaves):
            continue  # excluded
        actual = causes_of_failure(gold, test, deleted)
        if actual is None:
            expected["outer_differs"] += outer_differs(gold, test, deleted)
        expected.update(actual or ())
    gold_trees, test_trees = (written(side) for side in zip(*pairs, strict=True))
    report = treescore.evaluate(gold_trees, test_trees, f"parseval|profile:{profile}")
    total = report.scores[0].counts.total()
    assert {code: total[code] for code in CODES} == {code: expected[code] for code in CODES}
    assert {cause.code: cause.sentences for cause in report.causes()} == {
        code: expected[code] for code in CODES if expected[code]
    }


@given(st.lists(sentences(), min_size=1, max_size=6))
def test_a_remedy_does_what_is_said(pairs: list[tuple[Sentence, Sentence]]) -> None:
    """The figure is that of the metric with the option, under which no sentence has this cause alone."""
    gold, test = (written(side) for side in zip(*pairs, strict=True))
    report = treescore.evaluate(gold, test, "parseval")
    for cause in report.causes():
        assert cause.signature is not None and cause.remedy is not None
        remedied = treescore.evaluate(gold, test, cause.signature)
        score = remedied.scores[0]
        figures = score.all_figures if cause.is_failure else score.figures
        assert cause.after == figures["f1"].shown_value
        rows = score.counts.columns
        alone = [sum(row) == 1 for row in zip(*(rows[code] for code in CODES[1:]), strict=True)]
        assert not any(
            has and (not cause.is_failure or only) for has, only in zip(rows[cause.code], alone, strict=True)
        )
        assert treescore.metric(f"parseval|{cause.remedy}").signature == cause.signature


@given(st.lists(sentences(), min_size=1, max_size=6))
def test_reconciling_removes_the_causes_that_it_is_for(pairs: list[tuple[Sentence, Sentence]]) -> None:
    gold, test = (written(side) for side in zip(*pairs, strict=True))
    result = treescore.evaluate(gold, test, "parseval").causes()
    reconciled = treescore.evaluate(gold, test, "parseval", reconcile=True)
    total = reconciled.scores[0].counts.total()
    assert {code for code in CODES if total[code]} <= {"failed_by_case"}
    together = [line for line in result.lines() if line.startswith("Together: ")]
    codes = {cause.code for cause in result}
    assert len(together) == (len(codes) > 1)
    if together and all(cause.code != "failed_by_case" for cause in result):
        part = reconciled.scores[0].all_figures["f1"]
        assert together[0].endswith(f" {part.shown()} with --reconcile")


def test_nothing_is_scored_again_before_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by `evaluate`, nor for JSON, nor by what adds up parts."""
    asked: list[str] = []

    def watched(metrics: Sequence[treescore.Metric], pair: treescore.Pair) -> treescore.Report:
        asked.extend(metric.signature for metric in metrics)
        return tally.score_pair(metrics, pair)

    monkeypatch.setattr(causes, "score_pair", watched)
    gold, test = ["(ROOT (S (NN a)))", "(ROOT (S (NN [)))"], ["(S1 (S (NN a)))", "(S1 (S (NN -LSB-)))"]
    report = treescore.evaluate(gold, test, "parseval")
    assert [cause["code"] for cause in json.loads(report.to("json"))["causes"]] == [
        "outer_differs",
        "failed_by_escapes",
    ]
    scorer = treescore.Scorer("parseval")
    scorer.update(gold, test)
    text = scorer.report().to("table")
    assert "Outer bracket differs in 1 sentence; try outer:ignored" in text
    assert not asked
    shown = report.to("table")
    assert len(asked) == 3
    assert "Outer bracket differs (ROOT vs S1) in 1 sentence: Labelled F1 50.00, or 100.00 with outer:ignored" in shown
    assert "Escapes differ in 1 sentence (failed): " in shown
    assert "Together: " in shown


def test_names_of_causes_are_columns() -> None:
    """They add up, in whatever parts the sentences are scored."""
    gold, test = ["(TOP (S (NN a)))"] * 3, ["(S1 (S (NN a)))", "(S1 (S (NN a)))", "(S1 (S (NN A)))"]
    whole = treescore.evaluate(gold, test, "parseval").causes()
    scorer = treescore.Scorer("parseval")
    for pair in zip(gold, test, strict=True):
        scorer.update(*pair)
    parts = scorer.report().causes()
    assert [(cause.code, cause.sentences) for cause in parts] == [(cause.code, cause.sentences) for cause in whole]
    assert [cause.sentences for cause in parts] == [2, 1]


def test_the_model_knows_all_causes() -> None:
    """So that the random sentences above are compared by more than one of them."""

    def side(text: str) -> Sentence:
        return Sentence("TOP", [(",", word[1:]) if word.startswith(",") else ("NN", word) for word in text.split()])

    def causes(gold: str, test: str) -> set[str] | None:
        return causes_of_failure(side(gold), side(test), DELETED["collins"])

    assert causes("a b", "a b") is causes("a ,b", "a ,c") is None
    assert causes("a b", "a c") == causes("a b", "a") == set()
    assert causes("a ,b", "a b") == causes("a ,b", "a c") == {"failed_by_tags"}
    assert causes("a [", "a -LSB-") == causes("a 1\\/2", "a 1/2") == {"failed_by_escapes"}
    assert causes("a É", "a é") == causes("A -LSB-", "a -LSB-") == {"failed_by_case"}
    assert causes("a -LSB-", "A [") == {"failed_by_escapes", "failed_by_case"}
    assert causes("a ,b [", "a b -LSB-") == {"failed_by_tags", "failed_by_escapes"}
    assert causes("a ,b", "A b") == {"failed_by_tags", "failed_by_case"}
    assert causes("a ,b [", "A b -LSB-") == set(CODES[1:])


def test_two_causes_of_one_sentence_are_mended_together() -> None:
    gold, test = "(S (NN a) (, ,) (NN [))", "(S (NN a) (NN ,) (NN -LSB-))"
    report = treescore.evaluate([gold, gold], [gold, test], "parseval")
    assert report.causes().lines() == [
        "Tags delete different words in 1 sentence (failed): Labelled F1 over all sentences 50.00, or 50.00 with "
        "delete-by:gold",
        "Escapes differ in 1 sentence (failed): Labelled F1 over all sentences 50.00, or 50.00 with text:escapes",
        "Together: Labelled F1 over all sentences 50.00, or 100.00 with --reconcile",
    ]
    assert "add delete-by:gold|text:escapes to the metric" in report.problems[0].message
    lower = treescore.evaluate([gold, gold], [gold, test.replace("a", "A")], "parseval").causes().lines()
    assert lower[-1].endswith("50.00, or 100.00 with delete-by:gold|text:fold+escapes")


def test_each_remedy_is_for_its_own_cause() -> None:
    gold, test = ["(S (NN dog) (-LRB- [))", "(S (NN Cat))"], ["(S (NN dog) (-LRB- -LSB-))", "(S (NN cat))"]
    report = treescore.evaluate(gold, test, "parseval")
    before = "Labelled F1 over all sentences 0.00, or"
    assert report.causes().lines() == [
        f"Escapes differ in 1 sentence (failed): {before} 50.00 with text:escapes",
        f"Upper and lower case differ in 1 sentence (failed): {before} 50.00 with text:fold",
        f"Together: {before} 100.00 with text:fold+escapes",
    ]
    assert [problem.message.partition("; ")[2] for problem in report.problems] == [
        "words differ in escapes such as -LSB- for [: add text:escapes to the metric",
        "words differ in case: add text:fold to the metric",
    ]


def test_outer_brackets_are_shown_as_they_differ() -> None:
    gold = ["(ROOT (S (NN a)))"] * 6
    test = [f"({label} (S (NN a)))" for label in ("S1", "TOP", "S1", "", "VROOT", "ROOT")]
    [cause] = treescore.evaluate(gold, test, "parseval|profile:none").causes()
    assert str(cause).startswith(
        "Outer bracket differs (ROOT vs S1, ROOT vs TOP, ROOT vs no label, …) in 5 sentences: "
    )


def test_outer_brackets_are_no_cause_where_they_make_no_difference() -> None:
    gold, test = "(ROOT (S (NP-SBJ (NN a)) (EDITED (NN b))))", "(S1 (S (NP-SBJ (NN a)) (EDITED (NN b))))"
    for metric in ("functions", "disfluency"):
        assert treescore.evaluate([gold], [test], metric).causes() == [], metric
    # Without labels, the function of one tree can stand on a phrase that has the other's outer bracket for its partner.
    [cause] = treescore.evaluate([gold], ["(S-SBJ (NP (NN a)) (EDITED (NN b)))"], "functions|labels:no").causes()
    assert cause.code == "outer_differs"


def test_each_cause_is_told_by_the_first_metric_that_has_it() -> None:
    gold, test = ["(ROOT (S (NN a)))", "(ROOT (S (NN b)))"], ["(S1 (S (NN a)))", "(S1 (S (NN B)))"]
    result = treescore.evaluate(gold, test, ["struct_iou", "parseval"]).causes()
    assert [(cause.code, cause.score.name) for cause in result] == [
        ("outer_differs", "struct_iou"),
        ("failed_by_case", "parseval"),
    ]


@pytest.mark.parametrize(
    ("gold", "test", "message", "remedy"),
    [
        ("(S (A 0.1-0.2))", "(S (NN a))", "Times are not used (only gold has them) in 1 sentence", None),
        ("(S (A 0.1-0.2))", "(S (A 0.1-0.2))", "Times are not used in 1 sentence", "struct_iou|axis:seconds"),
        (
            "(S (A 0.1-0.2)) (S (A 0.3-0.4))",
            "(S (A 0.1-0.2)) ()",
            "Times are not used in 1 sentence",
            "struct_iou|axis:seconds",
        ),
        ("(S (A 0.1-0.2)) (S (A 0.3-0.4))", "(S (A 0.1-0.2))", "(the numbers of trees differ)", None),
    ],
)
def test_times_that_no_metric_uses(gold: str, test: str, message: str, remedy: str | None) -> None:
    metric = "aligned_parseval" if "numbers" in message else "parseval"
    [cause] = treescore.evaluate(gold, test, metric).causes()
    assert message in str(cause)
    assert cause.remedy == remedy


def test_times_of_a_part_of_the_sentences_have_no_remedy() -> None:
    """Over seconds the other sentences would fail."""
    timed, untimed = treescore.read("(S (A 0.1-0.2))"), treescore.read("(S (A a))")
    for metric in ("parseval", "struct_iou|axis:words"):
        [cause] = treescore.evaluate(timed + timed, timed + untimed, metric).causes()
        assert cause.remedy is cause.signature is None
        assert str(cause) == "Times are not used (only a part of the sentences has them) in 1 sentence"


def test_blocks_of_sentences_have_outer_brackets_too() -> None:
    gold = ["(ROOT (S (NN a) (NN b)))", "(ROOT (S (NN c) (NN d)))", "(ROOT (S (NN e) (NN f)))"]
    test = ["(S1 (S (NN e) (NN f)))"]
    [cause] = treescore.evaluate(gold, test).causes()
    assert cause.score.name == "aligned_parseval"
    assert str(cause).startswith("Outer bracket differs in 1 sentence: Aligned labelled F1 ")
