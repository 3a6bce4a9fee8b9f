"""Requests and answers of `treescore serve-stdin`, without a process: what is answered, and that no file is opened."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

import treescore
from treescore import metrics
from treescore.integrations import service
from treescore.place.pair import Pair

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps) (ADVP (RB well))))"
TEST = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (ADVP (RB well)))"
CONLLU = "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
TREE_METRICS = [name for name in metrics.names() if metrics.get(name).reads == "trees"]
#: Every file that is opened while a test listens; audit hooks stay for ever.
OPENED: list[str] = []
LISTENING: list[bool] = []


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if LISTENING and event == "open":
        OPENED.append(str(arguments[0]))


def refusal(request: object) -> str:
    """The code of the error that answers a request."""
    answers = service.answer(request)
    assert set(answers) == {"id", "error"}
    assert set(answers["error"]) == {"code", "message"}
    return str(answers["error"]["code"])


def line(request: object) -> Any:
    """The answer to a request that is sent as a line."""
    result = service.answer_line(json.dumps(request).encode())
    assert result.endswith(b"\n")
    assert result.count(b"\n") == 1
    return json.loads(result.decode("ascii"), parse_constant=pytest.fail)


@pytest.mark.parametrize("name", [name for name in TREE_METRICS if not metrics.get(name).needs_times])
def test_scores_are_those_of_evaluate(name: str) -> None:
    gold, test = [GOLD, "(S (NP (NN a)) (VP (VB b)))"], [TEST, "(S (NP (NN a) (VB b)))"]
    expected = treescore.evaluate(gold, test, name)
    actual = line({"id": [name], "gold": gold, "test": test, "metrics": [name]})
    score = expected.scores[0]
    assert actual == {
        "id": [name],
        "scores": [
            {
                "signature": score.signature,
                "value": score.value,
                "all": score.all,
                "coverage": score.coverage and score.coverage.values(),
                "parts": score.parts,
                "counts": score.counts.total(),
            }
        ],
        "remarks": [],
        "problems": [],
        "problem_count": 0,
    }


@pytest.mark.parametrize("name", [name for name in TREE_METRICS if not metrics.get(name).needs_times])
def test_sum_scores_the_sum(name: str) -> None:
    pairs = [(GOLD, TEST), ("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a) (VB b)))"), (GOLD, GOLD)]
    alone = [line({"gold": gold, "test": test, "metrics": [name]})["scores"][0] for gold, test in pairs]
    gold, test = zip(*pairs, strict=True)
    together = line({"gold": list(gold), "test": list(test), "metrics": [name]})["scores"]
    if metrics.get(name).pairs_trees:  # others may align the sentences of a text differently
        summed = {"op": "sum", "metric": alone[0]["signature"], "counts": [score["counts"] for score in alone]}
        assert line(summed)["scores"] == together
    assert line({"op": "sum", "metric": name, "counts": [together[0]["counts"]]})["scores"] == together


def test_metrics_asked_for_twice_are_answered_twice() -> None:
    answers = service.answer({"gold": GOLD, "test": TEST, "metrics": ["struct_iou", "parseval", "struct_iou"]})
    assert [score["signature"].partition("|")[0] for score in answers["scores"]] == [
        "struct_iou",
        "parseval",
        "struct_iou",
    ]
    assert service.answer({"gold": GOLD, "test": TEST, "metrics": "struct_iou"})["scores"] == answers["scores"][:1]


def test_unequal_numbers_are_aligned() -> None:
    (score,) = line({"gold": GOLD, "test": [GOLD, GOLD]})["scores"]
    assert (score["signature"].partition("|")[0], score["counts"]["matched"]) == ("aligned_parseval", 4)


@pytest.mark.parametrize("asked", [{}, {"metrics": ["conllu_eval"]}])
def test_conllu(asked: dict[str, Any]) -> None:
    actual = line({"gold": CONLLU, "test": CONLLU.replace("VERB", "NOUN"), **asked})
    expected = treescore.evaluate(CONLLU, CONLLU.replace("VERB", "NOUN"), "conllu_eval")["conllu_eval"]
    assert actual["scores"][0]["signature"] == expected.signature
    assert actual["scores"][0]["counts"] == expected.counts.total()
    assert actual["scores"][0]["parts"]["upos"] == 0.0
    together = line({"op": "sum", "metric": "conllu_eval", "counts": [expected.counts.total()]})
    assert together["scores"] == actual["scores"]


def test_pairwise_and_align() -> None:
    trees = [GOLD, TEST, None]
    answers = service.answer({"op": "pairwise", "candidates": trees, "metric": "parseval"})
    expected = [[None if score != score else score for score in row] for row in treescore.pairwise(trees, "parseval")]
    assert answers["values"] == expected
    aligned = line({"op": "align", "gold": [GOLD], "test": [TEST]})
    report = treescore.evaluate([GOLD], [TEST], "struct_iou")
    assert aligned["alignments"] == [[list(pair) for pair in report.node_mappings()[0]]]
    assert aligned["scores"][0]["value"] == report.scores[0].value


def test_bad_trees_of_a_list_are_problems() -> None:
    request = {"gold": [GOLD] * 4, "test": ["<corpus>", GOLD, "(S (NP", None], "metrics": ["struct_iou"]}
    result = line(request)
    assert result["scores"][0]["counts"]["exact"] == 1
    assert result["scores"][0]["counts"]["sentences"] == 4
    assert {problem["sentence"] for problem in result["problems"]} == {1, 3, 4}
    many = service.answer({**request, "gold": [GOLD] * 400, "test": ["("] * 399 + [GOLD]})
    assert len(many["problems"]) == service.MOST_PROBLEMS < many["problem_count"]


def test_what_is_known() -> None:
    answers = service.answer({"op": "metrics", "id": None})
    assert [metric["name"] for metric in answers["metrics"]] == metrics.names()
    version = service.answer({"op": "version"})
    assert (version["version"], version["protocol"]) == (treescore.__version__, service.PROTOCOL)
    assert version["ops"] == list(service.OPERATIONS)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (None, "request"),
        ([], "request"),
        ({}, "request"),
        ({"op": "fly"}, "op"),
        ({"op": ["score"]}, "op"),
        ({"op": "version", "gold": GOLD}, "request"),
        ({"gold": GOLD, "test": TEST, "metric": "parseval"}, "request"),
        ({"gold": GOLD, "test": 5}, "request"),
        ({"gold": GOLD, "test": {"a": GOLD}}, "request"),
        ({"gold": GOLD, "test": [[GOLD]]}, "request"),
        ({"gold": GOLD, "test": TEST, "metrics": []}, "request"),
        ({"gold": GOLD, "test": TEST, "metrics": [5]}, "request"),
        ({"gold": GOLD, "test": TEST, "metrics": ["f1"]}, "metric"),
        ({"gold": GOLD, "test": TEST, "metrics": ["conllu_eval"]}, "trees"),
        ({"gold": CONLLU, "test": CONLLU, "metrics": ["parseval"]}, "request"),
        ({"gold": CONLLU, "test": CONLLU, "metrics": ["conllu_eval", "conllu_eval|text:aligned"]}, "request"),
        ({"gold": CONLLU, "test": [CONLLU], "metrics": ["conllu_eval"]}, "request"),
        ({"op": "pairwise", "candidates": [GOLD], "metric": "conllu_eval"}, "metric"),
        ({"gold": GOLD, "test": TEST, "metrics": ["parseval|delete:\ud800"]}, "metric"),
        ({"gold": GOLD, "test": TEST, "metrics": ["parseval"] * 101}, "limit"),
        ({"gold": GOLD, "test": TEST, "metrics": ["parseval|delete:" + "A" * 20_000]}, "limit"),
        ({"gold": GOLD, "test": "(NN \ud800)"}, "trees"),
        ({"gold": GOLD, "test": "\x1f\udc8b"}, "trees"),
        ({"gold": GOLD, "test": "<?xml version='1.0'?><corpus/>"}, "trees"),
        ({"gold": GOLD, "test": "", "metrics": ["parseval"]}, "trees"),
        ({"gold": GOLD, "test": [GOLD, GOLD], "metrics": ["parseval"]}, "trees"),
        ({"gold": "()" * 100_001, "test": GOLD}, "limit"),
        ({"gold": [None] * 100_001, "test": GOLD}, "limit"),
        ({"op": "align", "gold": GOLD, "test": TEST, "metric": "functions"}, "metric"),
        ({"op": "pairwise", "candidates": GOLD}, "request"),
        ({"op": "pairwise", "candidates": [GOLD] * 1_001}, "limit"),
        ({"op": "pairwise", "candidates": [GOLD, "(S (NN a))"], "metric": "parseval"}, "trees"),
        ({"op": "sum", "metric": "functions", "counts": []}, "request"),
        ({"op": "sum", "metric": "functions", "counts": [{"matched": 1}]}, "counts"),
        ({"op": "sum", "metric": "functions", "counts": [5]}, "counts"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_errors(request_: object, code: str) -> None:
    assert refusal(request_) == code


def test_counts_that_are_no_counts() -> None:
    counts = service.answer({"gold": GOLD, "test": TEST})["scores"][0]["counts"]
    for wrong in (1.0, True, None, "1"):
        assert refusal({"op": "sum", "metric": "parseval", "counts": [{**counts, "gold": wrong}]}) == "counts"
    for name in TREE_METRICS:
        columns = metrics.get(name).counts(Pair(treescore.read([]), treescore.read([]))).columns
        for value in (-1, 0, 10**40 - 1):
            result = line({"op": "sum", "metric": name, "counts": [dict.fromkeys(columns, value)]})
            assert "scores" in result or result["error"]["code"] == "counts"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"gold": -1}, "gold is negative"),
        ({"matched": 100}, "f1 is "),
        ({"exact": 2}, "exact is 2"),
        ({"tags": 100}, "tag_accuracy is "),
        ({"failed": 2}, "2 of 1 sentences failed"),
        ({"lost": 2}, "0 of -1 sentences failed"),
        ({"valid": 2}, "valid is 2, and over all sentences 1"),
        ({"gold_all": 0}, "over all sentences 0"),
        ({"failed_gold": 100}, "less than failed_gold, 100"),
        ({"sentence_f1": 2**42}, "sentence_f1 is 4"),
    ],
    ids=str,
)
def test_impossible_counts_are_refused(changes: dict[str, int], reason: str) -> None:
    counts = service.answer({"gold": GOLD, "test": TEST})["scores"][0]["counts"]
    answer = line({"op": "sum", "metric": "parseval", "counts": [counts, {**counts, **changes}]})
    assert answer["error"]["code"] == "counts"
    assert answer["error"]["message"].startswith("counts 2 cannot be those of trees: ")
    assert reason in answer["error"]["message"]


def test_no_file_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither as a tree nor by an option of a metric, whichever takes one."""
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / "secret.mrg")
    for file in (path, "secret.mrg", "-.mrg"):
        Path(file).write_text(GOLD)
    assert treescore.read("secret.mrg")[0].leaves  # which does open it
    options = ["prm", "heads", "align", "contractions", "gold-words", "test-words", "split", "classes", "text", "words"]
    signatures = [f"{name}|{option}:{path}" for name in TREE_METRICS for option in options]
    signatures += [
        f"tedeval|by-word:yes|gold-words:{path}|test-words:{path}",
        f"{path}",
        f"parseval|prm:{path[:-1]}%67",
    ]
    service.answer({"gold": GOLD, "test": TEST, "metrics": TREE_METRICS})  # imports
    sys.addaudithook(_listen)
    LISTENING.append(True)
    try:
        for signature in signatures:
            code = refusal({"gold": GOLD, "test": TEST, "metrics": [signature]})
            assert code in ("metric", "request"), signature
            assert refusal({"op": "pairwise", "candidates": [GOLD], "metric": signature}) == code
        for tree in (path, "secret.mrg", "-.mrg", "-", ".", "/dev/stdin", f"file://{path}"):
            assert refusal({"gold": tree, "test": tree}) == "trees"
            assert line({"gold": [GOLD, tree], "test": [GOLD, tree]})["scores"][0]["counts"]["matched"] == 4
            service.answer({"gold": f"{tree}\n(", "test": f"{tree}\t("})
    finally:
        LISTENING.clear()
    package = str(Path(treescore.__file__).parent)
    assert [name for name in OPENED if not name.startswith(package)] == []
    with pytest.raises(treescore.SignatureError, match="cannot be read"):
        treescore.metric(f"parseval|prm:{tmp_path}")  # afterwards files are opened again: this one is a folder


def test_metrics_kept_have_a_bound() -> None:
    for number in range(100):
        service.answer({"gold": GOLD, "test": TEST, "metrics": [f"parseval|delete:X{number}"]})
    assert service._cached_metric.cache_info().currsize <= 64


def test_a_fault_of_ours_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("x" * 5_000)

    monkeypatch.setitem(service.OPERATIONS, "version", (fail, {}))
    answers = service.answer({"id": 3, "op": "version"})
    assert (answers["id"], answers["error"]["code"]) == (3, "internal")
    assert len(answers["error"]["message"]) <= 1_001
    monkeypatch.setitem(service.OPERATIONS, "version", (lambda *_: {"value": float("nan")}, {}))
    unwritable = line({"id": 4, "op": "version"})
    assert (unwritable["id"], unwritable["error"]["code"]) == (4, "internal")


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"", "json"),
        (b" \r", "json"),
        (b"{", "json"),
        (b'{"id": NaN}', "json"),
        (b'{"id": 1e999}', "json"),
        (b'{"id": -Infinity}', "json"),
        (b'{"id": ' + b"9" * 100_000 + b"}", "json"),
        (b'{"id": 0.' + b"9" * 100_000 + b"}", "json"),
        (b"[" * 200_000, "json"),
        (b'{"a":' * 200_000, "json"),
        (b"\xff\xfe{\x00}\x00", "utf-8"),
        (b'{"id": "\xff"}', "utf-8"),
        (b'{"op": "version"} {"op": "version"}', "json"),
        (b'"\xed\xa0\x80"', "utf-8"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_hostile_lines(sent: bytes, code: str) -> None:
    data = json.loads(service.answer_line(sent))
    assert (data["id"], data["error"]["code"]) == (None, code)


@pytest.mark.parametrize("name", TREE_METRICS)
def test_deep_trees(name: str) -> None:
    deep = "(A " * 100_000 + "a" + ")" * 100_000
    result = line({"id": name, "gold": deep, "test": "(A a)", "metrics": [name]})
    assert result["id"] == name
    assert "scores" in result or result["error"]["code"] == "trees"


def test_ids_come_back() -> None:
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    identifiers: list[Any] = [None, True, -5, 0.1, 10**39, "é\ud800\n", [1, {"a": None}], {"b": []}, deep]
    for identifier in identifiers:
        assert line({"id": identifier, "op": "version"})["id"] == identifier
        assert line({"id": identifier, "op": "fly"})["id"] == identifier
    for depth in range(900, 1_100):  # somewhere here it can be read, but not be written
        data = json.loads(service.answer_line(b'{"op":"version","id":' + b"[" * depth + b"]" * depth + b"}"))
        assert "version" in data or data["error"]["code"] == "json"


SINGLE: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 0.5, 10**50, "", "é\ud800", GOLD, TEST, "(", "parseval", "struct_iou", "sum", "-", [], {}]
)
VALUES = SINGLE | st.lists(SINGLE, max_size=3) | st.dictionaries(st.sampled_from("ab"), SINGLE, max_size=2)
REQUESTS = st.fixed_dictionaries(
    {},
    optional={
        "id": VALUES,
        "op": st.sampled_from(list(service.OPERATIONS)) | VALUES,
        **dict.fromkeys(["gold", "test", "metrics", "metric", "candidates", "counts"], VALUES),
    },
)


@settings(max_examples=80, deadline=None)
@given(REQUESTS | VALUES)
def test_any_request(request_: object) -> None:
    result = line(request_)
    assert result.get("error", {}).get("code") != "internal"
    if isinstance(request_, dict) and result["id"] is not None:
        assert result["id"] == request_["id"]


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=60))
@example(b"{}")
def test_any_bytes(sent: bytes) -> None:
    result = service.answer_line(sent)
    assert result.count(b"\n") == 1
    assert json.loads(result)["error"]["code"] != "internal"
