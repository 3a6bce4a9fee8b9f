"""Scores of completions of language models: failures count, rates add up, traces are removed, signatures say how."""

from __future__ import annotations

import json
import lzma
import pickle
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command import treescore as run

import treescore
from treescore import InputError, UnequalTreebanks, UsageError
from treescore.metrics import names
from treescore.readers.completions.completion import OUTCOMES, REPAIRS

RECORDED = lzma.decompress((Path(__file__).parent / "golden" / "completions.jsonl.xz").read_bytes()).decode()
CASES = [json.loads(line) for line in RECORDED.splitlines()]
GOLDS = [case["gold"] for case in CASES]
PRINTED = [case["completion"] for case in CASES]
#: Metrics of trees whose words have no times.
METRICS = [name for name in names() if name not in ("boundaries", "conllu_eval")]
PLAIN = "parseval|profile:none"

Node = tuple[str, list[Any]]
Bracket = tuple[str, int, int]


def parsed(text: str) -> Node:
    """A tree as nested pairs of a label and children, which are pairs or words."""
    stack: list[Node] = [("", [])]
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    for place, token in enumerate(tokens):
        if token == "(":
            stack.append(("", []))
        elif token == ")":
            node = stack.pop()
            stack[-1][1].append(node)
        elif tokens[place - 1] == "(":
            stack[-1] = (token, [])
        else:
            stack[-1][1].append(token)
    (tree,) = stack[0][1]
    return tree  # type: ignore[no-any-return]


def brackets(node: Node, start: int = 0) -> tuple[list[Bracket], list[str]]:
    """The brackets of all phrases, and the words."""
    label, children = node
    if all(isinstance(child, str) for child in children) and len(children) == 1:
        return [], children
    inner: list[Bracket] = []
    words: list[str] = []
    for child in children:
        if isinstance(child, str):
            words.append(child)
        else:
            more, leaves = brackets(child, start + len(words))
            inner += more
            words += leaves
    return [(label, start, start + len(words)), *inner], words


def expected_f1(golds: list[str], tests: list[tuple[str | None, bool | None]]) -> float:
    """F1 over all sentences: a failed one has g missed brackets and max(g, t) wrong ones."""
    matched = number_gold = number_test = 0
    for gold, (test, is_faithful) in zip(golds, tests, strict=True):
        gold_brackets = Counter(brackets(parsed(gold))[0])
        test_brackets = Counter(brackets(parsed(test))[0] if test else [])
        g, t = gold_brackets.total(), test_brackets.total()
        number_gold += g
        number_test += t if is_faithful else max(g, t)
        matched += (gold_brackets & test_brackets).total() if is_faithful else 0
    return 2 * matched / (number_gold + number_test)


@pytest.mark.parametrize(("repair", "outcome"), [("all", "outcome"), ("none", "unrepaired")])
def test_all_cases_by_the_command(tmp_path: Path, repair: str, outcome: str) -> None:
    records = [json.dumps({"id": case["id"], "response": case["completion"]}) for case in CASES]
    random.Random(1).shuffle(records)
    (tmp_path / "model.jsonl").write_text("\n".join(records), encoding="utf-8")
    gold = [json.dumps({"id": case["id"], "tree": case["gold"]}) for case in CASES]
    (tmp_path / "gold.jsonl").write_text("\n".join(gold), encoding="utf-8")
    options = "-m", PLAIN, "-f", "jsonl", "--per-sentence", "--repair", repair, "--trees", "trees.mrg"
    rows = [json.loads(line) for line in run(tmp_path, "gold.jsonl", "model.jsonl", *options)[0].splitlines()]
    trees = (tmp_path / "trees.mrg").read_text(encoding="utf-8").splitlines()
    for case, row, tree in zip(CASES, rows, trees, strict=True):
        assert (row["id"], row["outcome"]) == (case["id"], case[outcome])
        assert tree == (row["tree"] or "()")
        if repair == "all":
            assert row["faithful"] is case["faithful"], case["id"]
            assert row["repairs"] == (", ".join(case["repairs"]) or None)
            assert (row["reason"], row["difference"]) == (case["reason"], case["difference"])
            assert (row["tree"] or "").split() == (case["tree"] or "").split()


@pytest.mark.parametrize("repair", ["all", "none", "close,surplus"])
def test_failures_count_by_hand(repair: str) -> None:
    completions = treescore.read_completions(PRINTED, gold=GOLDS, repair=repair)
    score = treescore.evaluate(GOLDS, completions, PLAIN).scores[0]
    expected = expected_f1(GOLDS, [(completion.tree, completion.faithful) for completion in completions])
    assert score.all == pytest.approx(expected, abs=1e-12)
    assert score.coverage is not None
    assert score.coverage.failed == sum(completion.faithful is not True for completion in completions)


@pytest.mark.parametrize("metric", [*METRICS, "parseval|profile:stanza", "struct_iou|axis:characters"])
def test_as_printed_is_repair_none(metric: str) -> None:
    report = treescore.evaluate(GOLDS, treescore.read_completions(PRINTED, gold=GOLDS), metric)
    printed = treescore.evaluate(GOLDS, treescore.read_completions(PRINTED, gold=GOLDS, repair="none"), metric)
    assert report.as_printed is not None
    assert report.as_printed.scores[0].all_figures == printed.scores[0].all_figures


@pytest.mark.parametrize("metric", [*METRICS, "parseval|profile:stanza"])
def test_a_failure_never_helps(metric: str) -> None:
    """A completion that is rejected or unfaithful scores no better than no completion."""
    completions = treescore.read_completions(PRINTED, gold=GOLDS)
    nothing = [text if read.faithful else None for text, read in zip(PRINTED, completions, strict=True)]
    score = treescore.evaluate(GOLDS, completions, metric).scores[0]
    silent = treescore.evaluate(GOLDS, treescore.read_completions(nothing, gold=GOLDS), metric).scores[0]
    assert score.all is None or (silent.all is not None and score.all <= silent.all)
    assert score.coverage == silent.coverage


def test_rates_add_up() -> None:
    rates = treescore.read_completions(PRINTED, gold=GOLDS).rates()
    assert sum(rates.outcomes.values()) == rates.number == len(CASES)
    assert sum(rates.reasons.values()) == rates.outcomes["rejected"]
    assert rates.faithful + sum(rates.differences.values()) + rates.outcomes["rejected"] == rates.number
    assert set(rates.repairs) <= set(REPAIRS)
    assert rates.shares() == {name: rates.number_of(name) / len(CASES) for name in (*OUTCOMES, "faithful")}


GOLD = [
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .))",
    "(S (NP (-NONE- *)) (VP (VB go) (NP (NN home)) (NP (-NONE- *T*))))",
]
BARE = [GOLD[0], "(S (VP (VB go) (NP (NN home))))"]
#: The first sentence with one word changed, dropped, added, in capitals, and with another full stop.
UNFAITHFUL = {
    "changed": "(S (NP (DT the) (NN dog)) (VP (VBZ sleeps)) (. .))",
    "dropped": "(S (NP (NN cat)) (VP (VBZ sleeps)) (. .))",
    "added": "(S (NP (DT the) (JJ old) (NN cat)) (VP (VBZ sleeps)) (. .))",
    "case": "(S (NP (DT The) (NN cat)) (VP (VBZ sleeps)) (. .))",
    "mark": "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. !))",
}


def aligned(test: str) -> treescore.Completions:
    return treescore.read_completions([test, BARE[1]], gold=GOLD, unfaithful="aligned")


@pytest.mark.parametrize("metric", METRICS)
def test_traces_are_removed_from_gold(metric: str) -> None:
    with_traces = treescore.evaluate(GOLD, treescore.read_completions(BARE, gold=GOLD), metric).scores[0]
    without = treescore.evaluate(BARE, treescore.read_completions(BARE, gold=BARE), metric).scores[0]
    assert with_traces.figures == without.figures
    assert with_traces.all in (1.0, None)


@pytest.mark.parametrize("metric", METRICS)
def test_traces_are_removed_for_all_systems(metric: str) -> None:
    systems = {"model": treescore.read_completions(BARE, gold=GOLD), "parser": BARE, "gold": GOLD}
    reports = treescore.compare(GOLD, systems, metric).reports
    alone = treescore.compare(GOLD, {"a": BARE, "b": BARE}, metric).reports["a"]
    assert {report.scores[0].all for report in reports.values()} <= {1.0, None}
    assert reports["parser"].completions is None
    if metric == "struct_iou":
        assert alone.scores[0].all != 1.0  # without a model, gold is scored as it is


def test_models_must_be_read_alike() -> None:
    systems = {repair: treescore.read_completions(BARE, gold=GOLD, repair=repair) for repair in ("all", "none")}
    with pytest.raises(
        UsageError, match=r"^the completions of all and none were not read alike \(llm:last\|repair:all, "
    ):
        treescore.compare(GOLD, systems)


def test_a_model_that_prints_traces_fails_everywhere() -> None:
    completions = treescore.read_completions(GOLD, gold=GOLD)
    assert [completion.difference for completion in completions] == [None, "extra"]
    alone = treescore.evaluate(GOLD, completions, "struct_iou").scores[0]
    compared = treescore.compare(GOLD, {"model": completions, "parser": BARE}, "struct_iou")["model"].scores[0]
    assert alone.all == compared.all != 1.0


@pytest.mark.parametrize("kind", UNFAITHFUL)
@pytest.mark.parametrize("metric", [*METRICS, "parseval|profile:stanza", "struct_iou|axis:characters"])
def test_unfaithful_trees_are_never_right(metric: str, kind: str) -> None:
    """They fail by all metrics, and with unfaithful:aligned still by those that do not align words."""
    failing = treescore.evaluate(GOLD, treescore.read_completions([UNFAITHFUL[kind], BARE[1]], gold=GOLD), metric)
    assert failing.scores[0].coverage == 0.5
    both = treescore.evaluate(GOLD, aligned(UNFAITHFUL[kind]), [metric, "tedeval|labels:yes"])
    if treescore.metric(metric).aligns_words:
        assert both.scores[0].coverage == 1.0
    else:
        assert both.scores[0].all_figures == failing.scores[0].all_figures
        assert both.scores[0].coverage == 0.5
    assert both["tedeval"].all not in (None, 1.0)


def test_aligned_needs_a_metric_that_aligns_words() -> None:
    with pytest.raises(UsageError, match=r"^unfaithful:aligned has no effect on struct_iou, parseval: add a metric"):
        treescore.evaluate(GOLD, aligned(UNFAITHFUL["changed"]), ["struct_iou", "parseval"])
    report = treescore.evaluate(GOLD, aligned(UNFAITHFUL["dropped"]))
    assert [score.name for score in report.scores] == ["parseval", "aligned_parseval"]
    assert report.completions is not None
    assert report.completions.rates().words == {"changed": 0, "added": 0, "dropped": 1}
    assert report.scores[0].full_signature.endswith("|llm:last|repair:all|unfaithful:aligned")
    assert [score.name for score in treescore.evaluate(GOLD, aligned(GOLD[0])).scores] == ["parseval"]


def test_aligned_with_several_gold_trees() -> None:
    report = treescore.evaluate(GOLD, aligned(UNFAITHFUL["dropped"]), "tedeval", references=[GOLD])
    assert report.scores[0].coverage == 1.0
    assert report.scores[0].all == treescore.evaluate(GOLD, aligned(UNFAITHFUL["dropped"]), "tedeval").scores[0].all


def test_pairs_of_a_report_have_the_tree_that_was_scored() -> None:
    report = treescore.evaluate(GOLD, aligned(UNFAITHFUL["changed"]), ["tedeval", "parseval"])
    pair = report.pair(0, "parseval")
    assert pair.completion is not None
    assert (pair.completion.difference, pair.test.leaves[1]) == ("wrong", "dog")


# ---------------------------------------------------------------------------------------------------------------------
# Pairing, lists, and what is refused


def items(*pairs: tuple[Any, str]) -> list[dict[str, Any]]:
    return [{"id": id, "completion": text} for id, text in pairs]


@pytest.fixture
def gold_with_ids(tmp_path: Path) -> str:
    path = tmp_path / "gold.mrg"
    path.write_text("".join(f"s{number}\t{tree}\n" for number, tree in enumerate(BARE, 1)), encoding="utf-8")
    return str(path)


def test_pairing_by_ids(gold_with_ids: str) -> None:
    shuffled = items(("s2", BARE[1]), ("s1", BARE[0]))
    assert treescore.evaluate(gold_with_ids, shuffled).scores[0].all == 1.0
    missing = treescore.evaluate(gold_with_ids, items(("s2", BARE[1])))
    assert missing.completions is not None
    assert [completion.reason for completion in missing.completions] == ["missing", None]
    for wrong, message in (
        (items(("s1", ""), ("s9", "")), "gold has no sentence with the id 's9'"),
        (items(("s1", ""), ("s1", "")), "the id 's1' occurs twice"),
    ):
        with pytest.raises(InputError, match=message):
            treescore.read_completions(wrong, gold=gold_with_ids)


def test_samples(gold_with_ids: str) -> None:
    several = items(("s1", BARE[0]), ("s2", BARE[1]), ("s1", "no"), ("s1", UNFAITHFUL["case"]))
    completions = treescore.read_completions(several, gold=gold_with_ids, samples=True)
    assert [completion.index for completion in completions] == [0, 0, 0, 1]
    score = treescore.evaluate(gold_with_ids, completions, PLAIN).scores[0]
    expected = expected_f1([BARE[0]] * 3 + BARE[1:], [(it.tree, it.faithful) for it in completions])
    assert score.all == pytest.approx(expected)


def test_numbers_that_differ() -> None:
    with pytest.raises(UnequalTreebanks, match=r"1 completions? for 2 sentences"):
        treescore.read_completions(["(S a)"], gold=BARE)


@pytest.mark.parametrize("sent", [BARE, ["<think>so</think>\n" + BARE[0], f"```\n{BARE[1]}\n```"]])
def test_lists_of_messages_are_completions(sent: list[str]) -> None:
    messages = [[{"role": "user", "content": "Parse!"}, {"role": "assistant", "content": text}] for text in sent]
    for given in (messages, [pair[1] for pair in messages], [{"response": text} for text in sent]):
        report = treescore.evaluate(GOLD, given)
        assert report.completions is not None
        assert report.scores[0].all == 1.0


def test_a_list_that_begins_with_reasoning_is_read_with_its_lines() -> None:
    texts = ["<think>so</think>\n" + BARE[0], f"```json\n{json.dumps({'tree': BARE[1]})}\n```"]
    report = treescore.evaluate(GOLD, texts)
    assert report.completions == treescore.read_completions(texts, gold=GOLD)


def test_scorers_and_streams_refuse_completions(tmp_path: Path) -> None:
    completions = treescore.read_completions(BARE, gold=BARE)
    with pytest.raises(UsageError, match=r"scored by evaluate, or by rewards"):
        treescore.Scorer("parseval").update(BARE, completions)
    path = tmp_path / "model.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in BARE), encoding="utf-8")
    gold = tmp_path / "gold.mrg"
    gold.write_text("\n".join(BARE), encoding="utf-8")
    with pytest.raises(InputError, match=r"only bracketed text can be scored in parts"):
        treescore.evaluate_stream(str(gold), str(path), "parseval")


#: Functions that read trees without gold trees.
READERS = {
    "read": treescore.read,
    "agreement": lambda path: treescore.agreement({"a": path, "b": path}),
    "read_completions": treescore.read_completions,
}


@pytest.mark.parametrize("name", READERS)
def test_completions_need_words(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.jsonl"
    path.write_text('{"completion": "(S a)"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"^[^\n]*model.jsonl:1: the words of the sentences are unknown[^\n]*$"):
        READERS[name](str(path))  # type: ignore[operator]


def test_copies_keep_completions() -> None:
    bank = treescore.read_completions([BARE[0], "no"], gold=BARE).treebank
    for copy in (bank[0:2], bank.with_problems([]), pickle.loads(pickle.dumps(bank))):
        assert copy.completions == bank.completions
    assert [completion.outcome for completion in bank[1:2].completions or ()] == ["rejected"]


def test_the_signature_parses_back() -> None:
    report = treescore.evaluate(BARE, treescore.read_completions(BARE, gold=BARE, repair="close"), ci={"n": 50})
    signature = report.scores[0].full_signature
    assert "|llm:last|repair:close|ci:" in signature
    assert treescore.metric(signature).signature == report.scores[0].signature
