"""Completions of language models: the records, how they are paired with sentences, and borders of the rules."""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import treescore
from treescore import Completions, InputError, UnequalTreebanks, UsageError, read_completions
from treescore.readers.completions.record_files import is_completions
from treescore.readers.completions.records import text_of

CAT, DOGS = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))", "(S (NP (NNS dogs)) (VP (VBP bark)))"
SENTENCES = ["the cat sleeps", "dogs bark"]
GOLD_WITH_IDS = f"c\t{CAT}\nd\t{DOGS}\n"


def one(text: str | None, words: str = "the cat sleeps", repair: Any = "all") -> treescore.Completion:
    return read_completions([text], sentences=[words], repair=repair)[0]


def outcomes(completions: Completions) -> list[str]:
    return [record.outcome for record in completions]


@pytest.mark.parametrize(
    "item",
    [
        CAT,
        CAT.encode(),
        {"role": "assistant", "content": CAT},
        [{"role": "user", "content": DOGS}, {"role": "assistant", "content": CAT}],
        [{"role": "assistant", "content": CAT}, {"role": "tool", "content": DOGS}],
        [{"role": "assistant", "content": [{"type": "text", "text": CAT[:9]}, {"type": "text", "text": CAT[9:]}]}],
        [{"type": "image"}, {"type": "text", "text": CAT}],
        [{"content": DOGS}, {"content": CAT}],
        {"choices": [{"message": {"role": "assistant", "content": CAT}}]},
        {"choices": [{"text": CAT}]},
        {"id": "x", "custom_id": "c", "response": {"status_code": 200, "body": {"choices": [{"text": CAT}]}}},
        {"completion": CAT, "response": DOGS},
        {"response": CAT, "text": DOGS},
        {"output": [{"type": "reasoning"}, {"role": "assistant", "content": [{"type": "output_text", "text": CAT}]}]},
        {"output": CAT},
        {"text": CAT},
        {"message": {"content": CAT}},
        {"content": CAT},
    ],
)
def test_text_of_records(item: Any) -> None:
    assert text_of(item) == CAT
    assert read_completions([item], sentences=SENTENCES[:1])[0].outcome == "valid"
    if not isinstance(item, bytes):
        line = json.dumps({"completion": item})
        assert read_completions(f"{line}\n", sentences=SENTENCES[:1])[0].text == CAT


def test_no_text() -> None:
    items: list[Any] = [None, float("nan"), {"completion": None}, [], {"choices": [{"message": {"content": None}}]}]
    for item in items:
        assert read_completions([item], sentences=["a"])[0].reason == "empty"
    with pytest.raises(UsageError, match=r"completion 2: .*not of type int"):
        read_completions([CAT, 7], sentences=SENTENCES)
    with pytest.raises(UsageError, match=r"no completion in this object \(it has answer\)"):
        read_completions([{"answer": CAT}], sentences=["a"])
    assert read_completions([{"answer": [{"x": CAT}]}], sentences=SENTENCES[:1], field="answer[0].x")[0].tree == CAT
    with pytest.raises(UsageError, match="no field 'x'"):
        read_completions([{"answer": CAT}], sentences=["a"], field="x")


def test_json_lines(tmp_path: Path) -> None:
    lines = "".join(
        json.dumps({"custom_id": name, "completion": text}) + "\n\n"
        for name, text in (("d", DOGS), ("c", f"So: {CAT}"))
    )
    path = tmp_path / "out.jsonl"
    path.write_text("\ufeff" + lines, encoding="utf-8")
    for source in (path, str(path), lines, lines.encode(), io.BytesIO(lines.encode()), path.open("rb")):
        completions = read_completions(source, gold=GOLD_WITH_IDS)
        assert outcomes(completions) == ["extracted", "valid"]
        assert [(record.id, record.index) for record in completions] == [("c", 0), ("d", 1)]
        assert completions.treebank.ids == ("c", "d")
    as_list = json.dumps([json.loads(line) for line in lines.split("\n\n") if line])
    expected = [record.replace(line=None) for record in completions]
    assert list(read_completions(as_list, gold=GOLD_WITH_IDS)) == expected
    indented = json.dumps([json.loads(line) for line in lines.split("\n\n") if line], indent=1)
    assert list(read_completions(indented, gold=GOLD_WITH_IDS)) == expected
    messages = json.dumps([{"role": "user", "content": "?"}, {"role": "assistant", "content": CAT}])
    assert read_completions(messages, sentences=SENTENCES[:1])[0].text == CAT


def test_errors_of_files(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text('{"completion": "(S a)"}\n{"completion": \n', "utf-8")
    with pytest.raises(InputError, match=r"out.jsonl:2:\d+: this is not JSON"):
        read_completions(path, sentences=["a", "b"])
    path.write_text('{"completion": "(S a)"}\n{"answer": "(S b)"}\n', "utf-8")
    with pytest.raises(InputError, match=r"out.jsonl:2: there is no completion in this object"):
        read_completions(path, sentences=["a", "b"])
    path.write_text('{"completion": "(S a)", "words": ["a"]}\n{"completion": "(S b)"}\n', "utf-8")
    with pytest.raises(InputError, match=r"out.jsonl:2: the words of the sentences are unknown"):
        read_completions(path)
    with pytest.raises(UsageError, match="needs JSON lines"):
        read_completions("(S a)\n(S b)\n", sentences=["a", "b"], field="x")
    with pytest.raises(FileNotFoundError):
        read_completions("missing.jsonl", sentences=["a"])


def test_own_words() -> None:
    lines = '{"completion": "(S (A a))", "words": ["a"]}\n{"completion": "(S (B b))", "sentence": "b"}\n'
    assert [record.faithful for record in read_completions(lines)] == [True, True]
    with pytest.raises(InputError, match="the words of the sentences are unknown"):
        read_completions(["(S a)"])
    with pytest.raises(UsageError, match="a sentence is text or a list of words"):
        read_completions(["(S a)"], sentences=[7])  # type: ignore[list-item]


def test_pairing_by_id() -> None:
    records: list[dict[str, Any]] = [{"id": "d", "text": DOGS}]
    completions = read_completions(records, gold=GOLD_WITH_IDS)
    assert [(record.outcome, record.reason, record.id) for record in completions] == [
        ("rejected", "missing", "c"),
        ("valid", None, "d"),
    ]
    assert completions.as_printed()[0].reason == "missing"
    with pytest.raises(InputError, match="no sentence with the id 'e'"):
        read_completions([*records, {"id": "e", "text": DOGS}], gold=GOLD_WITH_IDS)
    twice = [*records, {"id": "d", "text": "no"}]
    with pytest.raises(InputError, match="'d' occurs twice"):
        read_completions(twice, gold=GOLD_WITH_IDS)
    samples = read_completions(twice, gold=GOLD_WITH_IDS, samples=True)
    assert [(record.id, record.outcome) for record in samples] == [("c", "rejected"), ("d", "valid"), ("d", "rejected")]
    # Without ids on both sides, the order counts.
    assert outcomes(read_completions([{"id": 1, "text": CAT}, {"id": 2, "text": DOGS}], gold=f"{CAT}\n{DOGS}")) == [
        "valid",
        "valid",
    ]
    # An API has ids of its own.
    batch = [{"id": f"batch_{name}", "custom_id": name, "text": text} for name, text in (("d", DOGS), ("c", CAT))]
    assert [record.text for record in read_completions(batch, gold=GOLD_WITH_IDS)] == [CAT, DOGS]


def test_pairing_by_order() -> None:
    with pytest.raises(
        UnequalTreebanks, match="3 completions for 2 sentences; their words first differ in completion 2"
    ):
        read_completions([CAT, CAT, DOGS], sentences=SENTENCES)
    with pytest.raises(UnequalTreebanks, match="1 completions for 2 sentences; the words of the first 1 do not differ"):
        read_completions([CAT], sentences=SENTENCES)
    assert outcomes(read_completions([CAT, "no"], gold=CAT, samples=True)) == ["valid", "rejected"]
    with pytest.raises(UsageError, match="1 sentences for 2 gold trees"):
        read_completions([CAT], sentences=SENTENCES[:1], gold=GOLD_WITH_IDS)


def test_layouts() -> None:
    lines = f"{CAT}\n\n"
    assert outcomes(read_completions(lines, sentences=SENTENCES)) == ["valid", "rejected"]
    blocks = f"\n\nSo:\n{CAT}\n\n \n{DOGS}\n"
    assert outcomes(read_completions(blocks, sentences=SENTENCES)) == ["extracted", "valid"]
    assert outcomes(read_completions(blocks, sentences=SENTENCES, layout="block")) == ["extracted", "valid"]
    whole = f"So:\n\n{CAT}\n\nRight?\n"
    assert outcomes(read_completions(whole, sentences=SENTENCES[:1])) == ["extracted"]
    with pytest.raises(
        UnequalTreebanks, match=r"5 lines and 3 blocks of text do not fit 2 sentences; choose the layout"
    ):
        read_completions(whole, sentences=SENTENCES)
    for marked in (f"{whole}===\n{DOGS}\n", f"{whole}===\n{DOGS}\n===\n", f"===\r\n{whole}===\r\n{DOGS}"):
        assert outcomes(read_completions(marked, sentences=SENTENCES, separator="===")) == ["extracted", "valid"]
    assert outcomes(read_completions("===\n\n===\n", sentences=SENTENCES, separator="===")) == ["rejected"] * 2
    assert len(read_completions("", sentences=[], separator="=")) == 0


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="repair must be one of all, none, close"):
        read_completions([CAT], sentences=SENTENCES[:1], repair="closed")
    with pytest.raises(UsageError, match="cannot be combined"):
        read_completions([CAT], sentences=SENTENCES[:1], repair=["all", "close"])
    with pytest.raises(UsageError, match="layout must be one of"):
        read_completions([CAT], sentences=SENTENCES[:1], layout="lines")
    with pytest.raises(UsageError, match="unfaithful must be one of"):
        read_completions([CAT], sentences=SENTENCES[:1], unfaithful="score")


def test_policy() -> None:
    def policy(**options: Any) -> str:
        return read_completions([CAT], sentences=SENTENCES[:1], **options).policy

    assert policy() == "llm:last|repair:all"
    assert policy(repair="none") == policy(repair=[]) == "llm:last|repair:none"
    assert policy(repair="surplus,close") == policy(repair=["surplus", "close"]) == "llm:last|repair:close+surplus"
    assert policy(repair="close+surplus", unfaithful="aligned") == "llm:last|repair:close+surplus|unfaithful:aligned"


def test_unfaithful_trees_fail() -> None:
    test = [CAT, "(S (NP (NNS cats)) (X (VP (VBP bark))))"]
    completions = read_completions(test, sentences=SENTENCES)
    assert [problem.code for problem in completions.treebank.problems] == ["unfaithful"]
    assert completions.treebank[1].leaves == ["cats", "bark"]
    score = treescore.evaluate(f"{CAT}\n{DOGS}", completions.treebank, "struct_iou").scores[0]
    assert score.coverage == 0.5


def test_only_metrics_that_align_words_score_unfaithful_trees() -> None:
    test = read_completions(
        [CAT, "(S (NP (NNS cats)) (X (VP (VBP bark))))"], sentences=SENTENCES, unfaithful="aligned"
    ).treebank
    assert [problem.action for problem in test.problems] == ["scored by metrics that align words, failed by others"]
    report = treescore.evaluate(f"{CAT}\n{DOGS}", test, ["aligned_parseval", "struct_iou"])
    assert [score.coverage for score in report.scores] == [1.0, 0.5]


def test_traces_of_gold_are_no_words() -> None:
    gold = "(S (NP (-NONE- *)) (VP (VB go)))"
    assert read_completions(["(S (VP (VB go)))"], gold=gold)[0].faithful


def test_completions_are_a_sequence() -> None:
    completions = read_completions([CAT, "So: (S (NNS dogs) (VBP bark"], sentences=SENTENCES)
    assert pickle.loads(pickle.dumps(completions)) == completions
    assert list(completions[1:]) == [completions[1]]
    assert completions[1:].as_printed()[0].outcome == "rejected"


@pytest.mark.parametrize(
    ("text", "outcome", "repairs", "reason"),
    [
        # 4.1: text and reasoning
        (f"<THINK>x</Think>{CAT}", "valid", [], None),
        (f"{CAT}<reasoning>{DOGS}", "valid", [], None),
        (f"<think>{CAT}", "rejected", [], "empty"),
        (f"\ufeff {CAT}\r\n", "valid", [], None),
        ("\u00a0", "rejected", [], "no-tree"),
        # 4.4: fences, JSON, lists, quotations
        (f"```\n{CAT}", "extracted", [], None),
        (f"````\n```\n{CAT}\n```\n````", "extracted", [], None),
        ("```\n(NP the cat)\n```", "extracted", [], None),
        ("So:\n```\n\n(NP the cat)\n\n```\nBye.", "extracted", [], None),
        ("```\nSo: (NP the cat)\n```", "rejected", [], "no-tree"),
        ("So: (NP the cat)", "rejected", [], "no-tree"),
        (f"```json\n{json.dumps({'a': [DOGS, {'b': CAT}]})}\n```", "extracted", [], None),
        (json.dumps({"text": f"```\n{CAT}\n```"}), "extracted", [], None),
        ('{"label": "S", "children": []}', "rejected", [], "no-tree"),
        ('```json\n{"S": {"NP": "the cat", "VP": "sleeps"}}\n```', "rejected", [], "no-tree"),
        ("- (S (NP the\n* **(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))**", "extracted", [], None),
        (f"2) *(X\n 3. `{CAT}`", "extracted", [], None),
        # runs
        ("(NP (DT the) (NN cat)) (VP (VBZ sleeps))", "rejected", [], "rootless"),
        ("(NP (DT the) (NN cat)) (VP (VBZ sleeps)", "rejected", [], "rootless"),
        ("(S (NP (DT the) (NN cat))) (VP (VBZ sleeps)))", "rejected", [], "unbalanced"),
        (f"{CAT} )\n)", "repaired", ["surplus"], None),
        (f"{CAT} :)", "extracted", [], None),
        (f"1) {CAT}", "extracted", [], None),
        # groups that are not closed
        (f"**{CAT[:-1]}**", "repaired", ["close"], None),
        (f"**{CAT[:-1]}** \nand so on", "repaired", ["close"], None),
        (f"`{CAT[:-1]} `\nNote: the verb is last", "repaired", ["close"], None),
        (f"{CAT[:-1]}\n\n(no more", "repaired", ["close"], None),
        # repairs
        ("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (X", "repaired", ["close"], None),
        ("(S () (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (X", "repaired", ["close"], None),
        ("(S () (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (X )))", "repaired", ["surplus", "empty"], None),
        ("(S (() the cat) (VP (VBZ sleeps)))", "rejected", [], "no-tree"),
        ("((()))", "rejected", [], "no-words"),
        ("(S (NP the\u00a0cat) (VP sleeps))", "repaired", ["blanks"], None),
        (f"So\u00a0: {CAT}", "extracted", [], None),
        (f"\u200e{CAT}\u200e", "extracted", [], None),
        ("(S [NP (DT the)", "repaired", ["close"], None),
        ("（S （NP the cat） （VP sleeps））", "repaired", ["brackets"], None),
        ("{S {NP the cat} {VP sleeps}", "repaired", ["close", "brackets"], None),
        ("[S [NP the/DT cat/NN] sleeps/VBZ]", "repaired", ["brackets", "slash"], None),
        # 4.5: which one
        (f"{CAT}\n\n{CAT} and (S (NP (DT the) (NN dog)) (VP (VBZ sleeps)))", "extracted", [], None),
        (f"{CAT}\n\n(S (NP (DT the) (NN cat", "extracted", [], None),
        (f"{DOGS}.", "rejected", [], "other-words"),
        (DOGS, "valid", [], None),
    ],
)
def test_borders_of_the_rules(text: str, outcome: str, repairs: list[str], reason: str | None) -> None:
    completion = one(text)
    assert (completion.outcome, completion.repairs, completion.reason) == (outcome, repairs, reason)
    if repairs:
        assert one(text, repair="none").outcome in ("valid", "extracted", "rejected")
        assert one(text, repair=repairs) == completion
        if repairs != ["surplus", "empty"]:
            assert one(text, repair=[name for name in repairs if name != repairs[0]]).outcome != "valid"


@pytest.mark.parametrize(
    ("text", "words", "tree"),
    [
        ("(S (-LRB- () (NN a) (-RRB- )))", "-LRB- a -RRB-", "(S (-LRB- -LRB-) (NN a) (-RRB- -RRB-))"),
        ("(S (($( () (NN a)) ($( )))", "-LRB- a -RRB-", "(S ( ($-LRB- -LRB-) (NN a)) ($-LRB- -RRB-))"),
        ("(S ($( -LRB-) (NN a) ($( -RRB-))", "-LRB- a -RRB-", "(S ($-LRB- -LRB-) (NN a) ($-LRB- -RRB-))"),
        ("(S (( () (NN a) () )))", "( a )", "(S (-LRB- -LRB-) (NN a) (-RRB- -RRB-))"),
    ],
)
def test_brackets_as_words(text: str, words: str, tree: str) -> None:
    completion = one(text, words)
    assert (completion.tree, completion.faithful, completion.repairs) == (tree, True, ["parens"])
    assert one(text, words, repair=["close", "empty"]).outcome == "rejected"


@pytest.mark.parametrize(
    ("tree", "words", "difference"),
    [
        ("(S The cat)", "the cat", "case"),
        ("(S thecat x)", "the catx", "tokens"),
        ("(S the)", "the cat", "missing"),
        ("(S the big cat)", "the cat", "extra"),
        ("(S the dog)", "the cat", "wrong"),
        ("(S a dog barks)", "the cat", "mixed"),
    ],
)
def test_differences(tree: str, words: str, difference: str) -> None:
    assert one(tree, words).difference == difference


def test_words_of_a_list_are_escaped() -> None:
    completion = read_completions(["(S (-LRB- -LRB-) (NN a_b))"], sentences=[["(", "a b"]])[0]
    assert completion.faithful


def test_detection() -> None:
    for text in (
        f"<think>x</think>\n{CAT}",
        f"<answer>{CAT}</answer>",
        f"```\n{CAT}\n```",
        f"1. {CAT}\n2. {DOGS}",
        f"- {CAT}",
        f"**{CAT}**",
        json.dumps({"custom_id": "x", "response": {"body": {"choices": [{"text": CAT}]}}}),
        json.dumps([{"completion": CAT}]),
    ):
        assert is_completions(text.encode()), text
    for text in (
        CAT,
        "<corpus><s/></corpus>",
        json.dumps({"id": "a", "tree": CAT, "text": "the cat sleeps"}),
        json.dumps({"a": CAT}),
        json.dumps([["NP", "a"]]),
        "1\tgo\t_",
        f"a\t{CAT}",
        "#BOS 1",
        "",
    ):
        assert not is_completions(text.encode()), text
