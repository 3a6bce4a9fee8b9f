"""Known causes of lower scores: how many sentences they concern, and what their remedies do."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.causes import Sentence, cause_of_failure, outer_differs

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
        expected[cause_of_failure(gold, test, deleted) or ""] += 1
        expected["outer_differs"] += outer_differs(gold, test, deleted)
    gold_trees, test_trees = (written(side) for side in zip(*pairs, strict=True))
    report = treescore.evaluate(gold_trees, test_trees, f"parseval|profile:{profile}")
    total = report.scores[0].counts.total()
    assert {code: total[code] for code in CODES} == {code: expected[code] for code in CODES}
    assert {cause.code: cause.sentences for cause in report.causes()} == {
        code: expected[code] for code in CODES if expected[code]
    }


@given(st.lists(sentences(), min_size=1, max_size=6))
def test_a_remedy_does_what_is_said(pairs: list[tuple[Sentence, Sentence]]) -> None:
    """The figure with the remedy is that of the metric with the option, and the sentences fail for another reason."""
    gold, test = (written(side) for side in zip(*pairs, strict=True))
    report = treescore.evaluate(gold, test, "parseval")
    for cause in report.causes():
        assert cause.signature is not None and cause.remedy is not None
        remedied = treescore.evaluate(gold, test, cause.signature)
        score = remedied.scores[0]
        figures = score.all_figures if cause.is_failure else score.figures
        assert cause.after == figures["f1"].shown_value
        assert score.counts.total()[cause.code] == 0
        assert treescore.metric(f"parseval|{cause.remedy}").signature == cause.signature


@given(st.lists(sentences(), min_size=1, max_size=6))
def test_reconciling_removes_the_causes_that_it_is_for(pairs: list[tuple[Sentence, Sentence]]) -> None:
    gold, test = (written(side) for side in zip(*pairs, strict=True))
    found = treescore.evaluate(gold, test, "parseval").causes()
    reconciled = treescore.evaluate(gold, test, "parseval", reconcile=True)
    total = reconciled.scores[0].counts.total()
    assert {code for code in CODES if total[code]} <= {"failed_by_case"}
    together = [line for line in found.lines() if line.startswith("All of this: ")]
    assert len(together) == (sum(cause.code != "failed_by_case" for cause in found) > 1)
    if together:
        assert f"or {100 * (reconciled.scores[0].all or 0):.2f} with --reconcile" in together[0]


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
    assert "Outer bracket differs in 2 sentences; try outer:ignored" in text
    assert not asked
    shown = report.to("table")
    assert len(asked) == 3
    assert "Outer bracket differs (ROOT vs S1) in 2 sentences: Labelled F1 50.00, or 100.00 with outer:ignored" in shown
    assert "Brackets are escaped differently in 1 sentence (failed): " in shown
    assert "All of this: " in shown


def test_names_of_causes_are_columns() -> None:
    """They add up, in whatever parts the sentences are scored."""
    gold, test = ["(TOP (S (NN a)))"] * 3, ["(S1 (S (NN A)))"] * 3
    whole = treescore.evaluate(gold, test, "parseval").causes()
    scorer = treescore.Scorer("parseval")
    for pair in zip(gold, test, strict=True):
        scorer.update(*pair)
    parts = scorer.report().causes()
    assert [(cause.code, cause.sentences) for cause in parts] == [(cause.code, cause.sentences) for cause in whole]
    assert [cause.sentences for cause in parts] == [3, 3]


def test_the_model_knows_all_causes() -> None:
    """So that the random sentences above are compared by more than one of them."""

    def side(text: str) -> Sentence:
        return Sentence("TOP", [(",", word[1:]) if word.startswith(",") else ("NN", word) for word in text.split()])

    def cause(gold: str, test: str) -> str | None:
        return cause_of_failure(side(gold), side(test), DELETED["collins"])

    assert cause("a b", "a b") is cause("a b", "a c") is cause("a b", "a") is cause(",a ,b", "c d") is None
    assert cause("a ,b", "a b") == cause("a ,b", "a c") == "failed_by_tags"
    assert cause("a [", "a -LSB-") == cause("a 1\\/2", "a 1/2") == cause("a ,b [", "a b -LSB-") == "failed_by_escapes"
    assert cause("a É", "a é") == cause("a -LSB-", "A [") == "failed_by_case"
