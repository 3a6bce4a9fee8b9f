"""`treescore compare`: what it says against what the parts say, its formats, and input that it cannot use."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

import command
import pytest

import treescore
from treescore.significance import sacrebleu
from treescore.values.counts import Counts

SENTENCES = 24
FAST = ("--ci-samples", "100")
BOTH = ("-m", "parseval", "-m", "struct_iou")


def tree(words: int, labels: tuple[str, str]) -> str:
    inner = " ".join(f"(NN w{number})" for number in range(words))
    return f"(S ({labels[0]} {inner}) ({labels[1]} (VB v) (NN o)))"


def trees(wrong: float, seed: int) -> str:
    """Sentences of which a part has a wrong label; the same seed gives the same sentences."""
    rng = Random(seed)
    lines = []
    for number in range(SENTENCES):
        labels = ("NP", "VP" if rng.random() >= wrong else "X")
        lines.append(tree(2 + number % 5, labels))
    return "\n".join(lines) + "\n"


FILES = {
    "gold.mrg": trees(0, 1),
    "good.mrg": trees(0.1, 2),
    "fair.mrg": trees(0.3, 3),
    "poor.mrg": trees(0.95, 4),
    "same.mrg": trees(0.1, 2),
    "short.mrg": trees(0, 1).split("\n", 1)[1],
    "other.mrg": trees(0, 1).replace("w0", "u0", 1),
    "failed.mrg": trees(0, 1).replace("w0", "u0"),
    "crossed.mrg": "".join(
        f"(S {' '.join(f'(NN w{n})' for n in range(1 + number % 5))} (X (NN w{1 + number % 5}) (VB v)) (NN o))\n"
        for number in range(SENTENCES)
    ),
    "units": "".join(f"d{number // 3}\n" for number in range(SENTENCES)),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("compare")
    for name, text in FILES.items():
        (directory / name).write_text(text, encoding="utf-8")
    return directory


def run(folder: Path, *arguments: str, code: int = 0, stderr: str = "") -> str:
    out, output = command.treescore_inside(folder, "compare", *arguments, code=code)
    assert output == stderr
    return out


def found(folder: Path, *arguments: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(run(folder, *FAST, *arguments, "-f", "json"))
    return loaded


def test_table(folder: Path) -> None:
    out = run(folder, "gold.mrg", "poor.mrg", "good.mrg", "fair.mrg", *FAST, *BOTH)
    assert out.startswith("3 systems against gold.mrg\n\nsystem  Labelled F1   95 % interval  letters\n")
    assert [line.split()[0] for line in out.splitlines()[4:7]] == ["poor", "good", "fair"]
    assert [line.split()[-1] for line in out.splitlines()[4:7]] == ["b", "a", "a"]
    assert "systems that share a letter do not differ significantly (p after Holm's correction at most 0.05)\n" in out
    assert "STRUCT-IOU (corpus)" in out
    test = "test:randomization|figure:f1|n:100|seed:1|unit:sentence|pairs:all|correction:holm|alpha:0.05"
    interval = "ci:percentile|level:0.95|n:100|seed:1|unit:sentence"
    assert f"|v:{treescore.__version__}|{interval}\n" in out
    assert f"|{test}|{interval}\n" in out
    assert "problems" not in out
    assert "no score" not in out


@pytest.mark.parametrize("kind", ["randomization", "bootstrap"])
def test_figures_are_those_of_the_parts(folder: Path, kind: str) -> None:
    systems = {name: folder / f"{name}.mrg" for name in ("good", "fair", "poor")}
    comparison = treescore.compare(folder / "gold.mrg", systems, ["parseval", "struct_iou"])
    chosen = ("--significance", kind, "--ci-level", "90", "--ci-seed", "0")
    out = found(folder, "gold.mrg", *map(str, systems.values()), *BOTH, *chosen)
    options: dict[str, Any] = {"n": 100, "seed": 0}
    assert [metric["name"] for metric in out["metrics"]] == ["parseval", "struct_iou"]
    for metric in out["metrics"]:
        signature = metric["signature"]
        for system in metric["systems"]:
            report = comparison[system["name"]]
            interval = report.intervals(signature, level=0.9, **options)[metric["figure"]]
            assert system["value"] == report[signature].value
            assert system["interval"] == {**interval.values(), "signature": interval.signature}
        tests = comparison.tests(signature, kind=kind, level=0.9, **options)
        assert [(pair["a"], pair["b"]) for pair in metric["pairs"]] == list(tests)
        for pair, test in zip(metric["pairs"], tests.values(), strict=True):
            signature_of_test = f"{test.signature}|pairs:all|correction:holm|alpha:0.05"
            values = {name: value for name, value in test.values().items() if name not in ("low", "high", "level")}
            assert pair["test"] == {**values, "signature": signature_of_test}
            ends = comparison.test(pair["a"], pair["b"], signature, kind="bootstrap", level=0.9, **options)
            assert (pair["interval"]["low"], pair["interval"]["high"]) == (ends.low, ends.high)
            assert pair["interval"]["signature"] == "ci:percentile|level:0.9|n:100|seed:0|unit:sentence"
            wins = comparison.wins(pair["a"], pair["b"], signature)
            assert list(wins.values()) == [pair["wins"], pair["losses"], pair["ties"], pair["unscored"]]
            rows = [
                comparison[name].rows(signature)[comparison[name].find(signature)[0].row_figure]
                for name in (pair["a"], pair["b"])
            ]
            differences = [x - y for x, y in zip(*rows, strict=True)]
            assert pair["effect"] == pytest.approx(mean(differences) / stdev(differences))


def test_systems_with_the_same_output_share_all_letters(folder: Path) -> None:
    (metric,) = found(folder, "gold.mrg", "good.mrg", "same.mrg", "poor.mrg", "-m", "parseval")["metrics"]
    assert [system["letters"] for system in metric["systems"]] == ["a", "a", "b"]
    pair = metric["pairs"][0]
    assert (pair["test"]["p"], pair["test"]["adjusted"], pair["effect"], pair["ties"]) == (1.0, 1.0, None, SENTENCES)


def test_baseline(folder: Path) -> None:
    arguments = ("gold.mrg", "good.mrg", "fair.mrg", "poor.mrg", "-m", "parseval", "--baseline", "fair")
    (metric,) = found(folder, *arguments)["metrics"]
    assert [(pair["a"], pair["b"]) for pair in metric["pairs"]] == [("good", "fair"), ("poor", "fair")]
    assert [system["differs"] for system in metric["systems"]] == [False, None, True]
    out = run(folder, *arguments, *FAST)
    assert "* differs significantly from fair" in out
    assert "|pairs:baseline|" in out
    assert run(folder, *arguments, *FAST, "-f", "latex").count("$^{*}$") == 1


def test_alpha_decides(folder: Path) -> None:
    files = ("gold.mrg", "good.mrg", "poor.mrg", "-m", "parseval")
    letters = [
        [system["letters"] for system in found(folder, *files, "--alpha", alpha)["metrics"][0]["systems"]]
        for alpha in ("0.05", "0.000001")
    ]
    assert letters == [["a", "b"], ["a", "a"]]


def test_documents(folder: Path) -> None:
    (metric,) = found(
        folder, "gold.mrg", "good.mrg", "poor.mrg", "-m", "parseval", "--ci-units", "units", "--ci-samples", "256"
    )["metrics"]
    assert metric["unit"] == metric["systems"][0]["interval"]["unit"]
    assert metric["unit"].startswith("document@")
    (pair,) = metric["pairs"]
    assert pair["test"]["rows"] == pair["wins"] + pair["losses"] + pair["ties"] == SENTENCES // 3
    assert pair["test"]["exact"]


def test_blocks_of_sentences(folder: Path) -> None:
    files = ("gold.mrg", "good.mrg", "short.mrg", "-m", "aligned_parseval")
    loaded = found(folder, *files)
    (metric,) = loaded["metrics"]
    assert metric["unit"] == "block"
    assert loaded["problems"]["short"]["count"] > 0
    assert metric["pairs"][0]["test"]["p"] is not None


def test_csv(folder: Path) -> None:
    out = run(folder, "gold.mrg", "good.mrg", "poor.mrg", *BOTH, *FAST, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["metric"], row["a"], row["b"]) for row in rows] == [
        ("parseval", "good", "poor"),
        ("struct_iou", "good", "poor"),
    ]
    assert (rows[0]["letters_a"], rows[0]["letters_b"]) == ("a", "b")
    assert float(rows[0]["score_a"]) - float(rows[0]["score_b"]) == float(rows[0]["difference"])
    assert float(rows[0]["low_a"]) <= float(rows[0]["score_a"]) <= float(rows[0]["high_a"])
    assert rows[0]["interval"] == "ci:percentile|level:0.95|n:100|seed:1|unit:sentence"
    assert rows[0]["test"].endswith("|pairs:all|correction:holm|alpha:0.05")
    out = run(folder, "gold.mrg", "good.mrg", "same.mrg", "poor.mrg", *BOTH, *FAST, "--baseline", "good", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["a"], row["differs"]) for row in rows] == [("same", "False"), ("poor", "True")] * 2


def test_json_names_what_was_read(folder: Path) -> None:
    loaded = found(folder, "gold.mrg", "good.mrg", "poor.mrg", "-m", "parseval")
    read = treescore.evaluate(folder / "gold.mrg", folder / "poor.mrg").provenance
    assert loaded["inputs"]["gold"]["sha256"] == read["gold"]["sha256"] is not None
    assert loaded["inputs"]["systems"]["poor"]["sha256"] == read["test"]["sha256"] is not None


def test_another_figure(folder: Path) -> None:
    files = ("gold.mrg", "crossed.mrg", "gold.mrg", "--name", "crossed", "--name", "right")
    note = "treescore: struct_iou has no figure 'average_crossing' and is left out\n"
    arguments = (*FAST, *BOTH, *files, "--figure", "average_crossing")
    (metric,) = json.loads(run(folder, *arguments, "-f", "json", stderr=note))["metrics"]
    assert (metric["figure"], metric["title"]) == ("average_crossing", "Average crossing")
    assert [(system["letters"], system["best"]) for system in metric["systems"]] == [("b", False), ("a", True)]
    (pair,) = metric["pairs"]
    assert pair["test"]["difference"] > 0 and pair["test"]["figure"] == "average_crossing"
    assert (pair["wins"], pair["losses"]) == (0, SENTENCES)
    interval = treescore.evaluate(folder / "gold.mrg", folder / "crossed.mrg").intervals(n=100)["average_crossing"]
    assert metric["systems"][0]["interval"]["high"] == interval.high
    both = found(folder, *files, *BOTH, "--figure", "exact")["metrics"]
    assert [it["figure"] for it in both] == ["exact", "exact"]


def test_what_is_best_at_zero_may_be_below() -> None:
    gold = ["(S (NN 0.0-1.0) (NN 1.0-2.0) (NN 2.0-3.0))"] * 8
    few, other = ["(S (NN 0.0-3.0))"] * 8, ["(S (NN 0.0-1.5) (NN 1.5-2.0) (NN 2.0-3.0))"] * 8
    comparison = treescore.compare(gold, {"few": few, "other": other}, "boundaries")
    (metric,) = comparison.summary(figure="over_segmentation", n=100).metrics
    values = [system.value for system in metric.systems]
    assert values[0] is not None and values[0] < 0 and values[1] == 0
    assert [system.letters for system in metric.systems] == ["b", "a"]
    assert (metric.pairs[0].wins, metric.pairs[0].losses) == (0, 8)


def test_what_a_comparison_prints_is_explained(folder: Path) -> None:
    for options in ((), ("--significance", "bootstrap", "--baseline", "poor")):
        out = run(folder, "gold.mrg", "good.mrg", "poor.mrg", "-m", "parseval", *FAST, *options)
        output, _ = command.treescore_inside(folder, "info", out.splitlines()[-1])
        kind = options[1] if options else "randomization"
        assert f"  differences of f1 tested by {kind}: 100 trials with sentences, seed 1\n" in output
        assert ("each system against a baseline" if options else "all pairs of systems") in output
        assert "  95 % intervals by the bootstrap (percentile): 100 samples of sentences, seed 1\n" in output
    _, output = command.treescore_inside(folder, "info", "parseval|test:bootstrap|n:9", code=2)
    assert "the test lacks figure, seed, unit" in output


def test_no_system_is_best_that_was_not_tested_against_every_other(folder: Path) -> None:
    files = ("gold.mrg", "good.mrg", "poor.mrg", "failed.mrg", "-m", "parseval")
    for baseline, best in (("poor", []), ("good", ["good"]), (None, ["good"])):
        options = () if baseline is None else ("--baseline", baseline)
        (metric,) = found(folder, *files, *options)["metrics"]
        assert [system["name"] for system in metric["systems"] if system["best"]] == best, baseline
        latex = run(folder, *files, *FAST, *options, "-f", "latex")
        assert latex.count(r"\textbf{") == len(best), baseline


def test_latex(folder: Path) -> None:
    names = ("--name", "a_b & 50%", "--name", "[$x$]")
    out = run(folder, "gold.mrg", "good.mrg", "poor.mrg", *BOTH, *FAST, *names, "-f", "latex")
    systems, *pairs = out.split("\n\n")
    assert len(pairs) == 2
    assert r"& \multicolumn{2}{c}{Labelled F1} & \multicolumn{2}{c}{STRUCT-IOU (corpus)} \\" in systems
    assert r"  system & score & 95 \% interval & score & 95 \% interval \\" in systems
    assert systems.count(r"\textbf{") == systems.splitlines()[7].count(r"\textbf{") == 2  # the better one, twice
    assert r"  \multicolumn{5}{l}{\footnotesize Systems that share a letter do not differ" in systems
    assert r"  a\_b \& 50\% & " in systems
    assert r"  {}[\$x\$] & " in systems
    assert systems.count("$^{a}$") == systems.count("$^{b}$") == 2
    assert r"  a\_b \& 50\% $-$ [\$x\$] & +" in pairs[0]
    for line in out.splitlines():
        assert line.startswith(("%", "\\", "  ")) or not line
    names = ("--name", '<"¿Δ≥×', "--baseline", "poor")
    systems = run(folder, "gold.mrg", "good.mrg", "poor.mrg", *FAST, *names, "-f", "latex").split("\n\n")[0]
    assert r"\textless{}\textquotedblright{}\textquestiondown{}$\Delta$$\ge$$\times$ & " in systems
    assert r"{\footnotesize * differs significantly from poor" in systems


@pytest.mark.parametrize(("form", "mark"), [("html", "&lt;b&gt;"), ("markdown", "&lt;b&gt;")])
def test_names_are_never_taken_for_markup(folder: Path, form: str, mark: str) -> None:
    out = run(folder, "gold.mrg", "good.mrg", "poor.mrg", *FAST, "-m", "parseval", "--name", "<b>", "-f", form)
    assert mark in out
    assert "<b>" not in out


def test_problems_stand_beside_the_scores(folder: Path) -> None:
    files = ("gold.mrg", "good.mrg", "other.mrg", "-m", "parseval", *FAST)
    out = run(folder, *files)
    assert "\n\nother failed on 1 of 24 sentences: coverage 95.83 %\n" in out
    assert "\nLabelled F1: intervals, tests and letters are over all sentences; failed ones count as wrong\n" in out
    assert "\n23 of 24 sentences are scored for all systems (--common compares these only)\n" in out
    assert "system  Labelled F1  coverage  all sentences" in out
    assert "other: 24 sentences: 23 scored, 1 failed\n" in out
    assert "\nother: 1 problem: 1 words\n" in out
    (metric,) = json.loads(run(folder, *files, "-f", "json"))["metrics"]
    assert (metric["scored_for_all"], metric["figure"]) == ([23, 24], "f1_all")
    good, other = metric["systems"]
    assert good["own"] == good["value"] and other["own"] > other["value"]
    assert [system["coverage"]["failed"] for system in (good, other)] == [0, 1]
    assert metric["pairs"][0]["unscored"] == 0
    run(folder, *files, "-f", "csv", stderr="treescore: other: 1 problem: 1 words\n")
    run(folder, *files, "--strict", code=1, stderr="treescore: --strict, and other: 1 problem: 1 words\n")


def test_systems_can_be_compared_on_the_sentences_that_all_have_a_score_for(folder: Path) -> None:
    files = ("gold.mrg", "good.mrg", "other.mrg", "-m", "parseval", "-m", "struct_iou", *FAST, "--common")
    message = "left out of all scores: 1 of 24 sentences, for which not every system has a score\n"
    first = json.loads(run(folder, *files, "-f", "json", stderr=f"treescore: Labelled F1: {message}"))["metrics"][0]
    assert (first["common"], first["scored_for_all"]) == (True, [23, 24])
    # The same as if the sentence were in none of the files.
    rows = treescore.evaluate(folder / "gold.mrg", folder / "other.mrg", "parseval").rows()
    (failed,) = (place for place, status in enumerate(rows["status"]) if status)
    shorter = []
    for name in ("gold.mrg", "good.mrg", "other.mrg"):
        lines = (folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
        shorter.append("".join(lines[:failed] + lines[failed + 1 :]))
    alone = treescore.compare(shorter[0], {"good": shorter[1], "other": shorter[2]}, "parseval").summary(n=100)
    assert [it["value"] for it in first["systems"]] == [it.value for it in alone.metrics[0].systems]
    assert [it["interval"]["low"] for it in first["systems"]] == [it.interval.low for it in alone.metrics[0].systems]
    ((pair,), (other,)) = first["pairs"], alone.metrics[0].pairs
    assert (pair["test"]["p"], pair["test"]["rows"], pair["unscored"]) == (other.test.p, 23, 0)
    assert pair["test"]["signature"].endswith("|alpha:0.05|scored:by-all")
    assert first["systems"][0]["full_signature"].endswith("|unit:sentence|scored:by-all")
    out = run(folder, *files, stderr=f"treescore: Labelled F1: {message}")
    assert f"23 sentences: 23 scored, 0 failed\n{message}" in out
    signature = next(line for line in out.splitlines() if "|test:" in line)
    words, _ = command.treescore_inside(folder, "info", signature)
    assert words.count("only sentences with a score for every compared system\n") == 1
    assert "|scored:" not in out.partition("STRUCT-IOU")[2]  # which scores all of them


@pytest.mark.parametrize("failing", [{"a": [1], "b": []}, {"a": [1], "b": [1]}, {"a": [1, 4], "b": [2]}], ids=str)
@pytest.mark.parametrize(
    "metric",
    [
        "parseval",
        "struct_iou",
        "leaf_ancestor",
        "disfluency",
        "dependencies",
        "aligned_parseval",
        "functions|text:fold",
    ],
)
def test_no_metric_scores_what_a_system_failed_on(metric: str, failing: dict[str, list[int]]) -> None:
    """As if the sentences were in none of the files, even if all systems failed on the same ones."""
    gold = [f"(S (NP-SBJ (NN w{number}) (NN x)) (EDITED (VB y{number})))" for number in range(6)]
    systems = {
        name: ["()" if n in places else gold[n].replace("EDITED", label) for n in range(6)]
        for (name, places), label in zip(failing.items(), ("VP", "EDITED"), strict=True)
    }
    kept = sorted(set(range(6)) - {*failing["a"], *failing["b"]})
    shorter = {name: [trees[n] for n in kept] for name, trees in systems.items()}
    (found,) = treescore.compare(gold, systems, metric).summary(n=50, common=True).metrics
    (alone,) = treescore.compare([gold[n] for n in kept], shorter, metric).summary(n=50).metrics
    assert found.scored_for_all == (len(kept), 6) and found.common
    assert found.warning is not None and found.warning.startswith(f"left out of all scores: {6 - len(kept)} of 6 ")
    assert found.figure == alone.figure
    assert [it.part for it in found.systems] == [it.part for it in alone.systems]
    assert [it.interval for it in found.systems] == [it.interval for it in alone.systems]
    assert [(pair.test.p, pair.test.rows) for pair in found.pairs] == [(it.test.p, it.test.rows) for it in alone.pairs]


def test_systems_with_different_blocks_of_sentences_have_none_to_leave_out() -> None:
    gold = ["(S (NN a) (NN b))", "(S (NN c) (NN d))", "(S (NN e) (NN f))"]
    systems = {"joined": ["(S (NN a) (NN b) (NN c) (NN d))", gold[2]], "short": [*gold[:2], "()"]}
    (found,) = treescore.compare(gold, systems, "aligned_parseval").summary(n=50, common=True).metrics
    assert found.warning == "nothing is left out, because the systems have different blocks"
    assert (found.common, found.scored_for_all) == (False, None)


def test_documents_of_common_sentences(folder: Path) -> None:
    names = "".join(f"text{number // 6}\n" for number in range(24))
    (folder / "documents.txt").write_text(names, encoding="utf-8")
    files = ("gold.mrg", "good.mrg", "other.mrg", "-m", "parseval", *FAST, "--common", "--ci-units", "documents.txt")
    message = "left out of all scores: 1 of 24 sentences, for which not every system has a score\n"
    out = run(folder, *files, stderr=f"treescore: Labelled F1: {message}")
    assert "23 sentences: 23 scored" in out and "samples of 4 documents" in out
    digest = hashlib.sha256(names.encode()).hexdigest()
    assert f"|unit:document@{digest[:8]}|pairs:all|correction:holm|alpha:0.05|scored:by-all|" in out


def test_undefined_scores(folder: Path) -> None:
    arguments = ("gold.mrg", "good.mrg", "failed.mrg", "poor.mrg", "-m", "parseval")
    (metric,) = json.loads(run(folder, *FAST, *arguments, "-f", "json"))["metrics"]
    assert [system["letters"] for system in metric["systems"]] == ["a", "c", "b"]  # who fails everywhere comes last
    assert [system["own"] is None for system in metric["systems"]] == [False, True, False]
    assert all(pair["test"]["p"] is not None for pair in metric["pairs"])
    assert re.search("^failed +– +0.00 % +0.00 ", run(folder, *arguments, *FAST), re.MULTILINE)
    gone = (
        "treescore: Labelled F1: left out of all scores: 24 of 24 sentences, for which not every system has a score\n"
    )
    common = json.loads(run(folder, *FAST, *arguments, "--common", "-f", "json", stderr=gone))["metrics"][0]
    assert [system["letters"] for system in common["systems"]] == [None] * 3  # nothing is left to compare
    assert [pair["test"]["p"] for pair in common["pairs"]] == [None] * 3
    assert common["pairs"][0]["interval"] is None


def test_samples_and_trials_without_a_score_are_told(tmp_path: Path) -> None:
    """Precision is undefined where there are no test brackets, as below an outer bracket that does not count."""
    for name, text in {
        "gold": "(S (NN a))\n(S (NN b))\n",
        "a": "(S (NN a))\n(TOP (NN b))\n",
        "b": "(TOP (NN a))\n(S (NN b))\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    out = run(tmp_path, "gold", "a", "b", "-m", "parseval", "--figure", "precision", *FAST)
    assert " samples without a score, left out of the interval\n" in out
    assert " samples whose difference is undefined, left out of its interval\n" in out
    assert "a − b: 1 trial whose difference is undefined, counted as large\n" in out


def test_where_no_sentence_is_scored_for_all_systems_nothing_is_common(tmp_path: Path) -> None:
    for name, text in {
        "gold": "(S (NN a))\n(S (NN b))\n",
        "a": "(S (NN a))\n(S (NN x))\n",
        "b": "(S (NN x))\n(S (NN b))\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    arguments = ("gold", "a", "b", "-m", "parseval|profile:none", *FAST)
    out = run(tmp_path, *arguments)
    assert re.search(r"^a +100\.00 +50\.00 % +50\.00 ", out, re.MULTILINE)
    message = "left out of all scores: 2 of 2 sentences, for which not every system has a score\n"
    nothing = run(tmp_path, *arguments, "--common", stderr=f"treescore: Labelled F1: {message}")
    assert "a − b           –" in nothing and f"0 sentences: 0 scored, 0 failed\n{message}" in nothing


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold.mrg", "good.mrg"), "compare needs at least two systems"),
        (("gold.mrg", "good.mrg", "./good.mrg", "--name", "a", "--name", "a"), "two systems have the name 'a'"),
        (("gold.mrg", "good.mrg", "short.mrg", "-m", "parseval"), "24 trees in gold.mrg but 23 in short.mrg"),
        (("gold.mrg", "good.mrg", "nothing.mrg"), "nothing.mrg: No such file or directory"),
        (
            ("gold.mrg", "good.mrg", "poor.mrg", "--baseline", "x"),
            "must be one of the systems, 'good', 'poor', not 'x'",
        ),
        (("gold.mrg", "good.mrg", "poor.mrg", "--ci-unit", "document"), "the sentences have no ids"),
        (("gold.mrg", "good.mrg", "poor.mrg", "-o", "poor.mrg"), "poor.mrg is an input file"),
        (("gold.mrg", "good.mrg", "poor.mrg", "--figure", "x"), "no figure 'x': parseval has f1, precision, recall,"),
        (("-", "-", "poor.mrg"), "only one of the files can be standard input"),
        (("-", "good.mrg", "poor.mrg", "--ci-units", "-"), "only one of the files can be standard input"),
        (("gold.mrg", "good.mrg", "poor.mrg", "--name", ""), "the name of one of the systems (--name) is empty"),
        (("gold.mrg", "good.mrg", "short.mrg", "-m", "parseval", "-o", "new"), "trees in gold.mrg but 23 in short.mrg"),
        (("--compat", "bikel", "-", "-"), "only one of the files can be standard input"),
        (("--compat", "bikel", "gold.mrg", "good.mrg"), "there is no row of EVALB's output in it"),
        (("--compat", "sacrebleu", "gold.mrg", "good.mrg"), "compare needs at least two systems"),
        (
            ("--compat", "sacrebleu", "gold.mrg", "good.mrg", "poor.mrg", "-m", "parseval", "-m", "tedeval"),
            "one metric at a time",
        ),
        (
            ("--compat", "sacrebleu", "gold.mrg", "good.mrg", "poor.mrg", "-o", "gold.mrg"),
            "gold.mrg is an input file",
        ),
    ],
)
def test_what_cannot_be_used(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    before = {name: (folder / name).read_text(encoding="utf-8") for name in FILES}
    out, output = command.treescore_inside(folder, "compare", *arguments, code=2)
    assert message in output
    assert output.rstrip("\n") == output.rstrip()
    assert out == ""
    assert not (folder / "new").exists()
    assert {name: (folder / name).read_text(encoding="utf-8") for name in FILES} == before


@pytest.mark.parametrize(
    "options", [("--alpha", "1"), ("--alpha", "x"), ("--ci-samples", "0"), ("--compat", "x"), ("--comp", "bikel")]
)
def test_bad_options(folder: Path, options: tuple[str, str]) -> None:
    _, output = command.treescore_inside(folder, "compare", "gold.mrg", "good.mrg", "poor.mrg", *options, code=2)
    assert "(see: treescore compare --help)" in output


def test_one_system_has_nothing_to_be_compared_with(folder: Path) -> None:
    alone = treescore.compare(folder / "gold.mrg", {"A": folder / "good.mrg"})
    with pytest.raises(treescore.UsageError, match="only one system"):
        alone.summary()
    with pytest.raises(treescore.UsageError, match="alpha must be a share"):
        alone.summary(alpha=5)


def test_help_has_examples(folder: Path) -> None:
    assert "examples:\n  treescore compare gold.mrg a.mrg b.mrg" in run(folder, "--help")
    assert "--paired-ar" in run(folder, "--compat", "sacrebleu", "--help")
    assert "more than 40 words" in run(folder, "--compat=bikel", "--help")


def test_as_bikel(folder: Path) -> None:
    for name in ("good", "poor"):
        command.treescore_inside(folder, "evalb", "gold.mrg", f"{name}.mrg")
        out, _ = command.treescore_inside(folder, "evalb", "gold.mrg", f"{name}.mrg")
        (folder / f"{name}.evalb").write_text(out, encoding="utf-8")
    note = (
        "treescore: the last line is the harmonic mean of the two p-values above it, which is not a test of F; "
        "treescore compare GOLD A B has one\n"
    )
    arguments = ("--compat", "bikel", "good.evalb", "poor.evalb", "-n", "99")
    out = run(folder, *arguments, stderr=note)
    assert out.startswith("72\nmodel1: recall=")
    assert out.count("\n") == 12
    assert out.endswith(
        "p-value for recall diff: 0.01\np-value for precision diff: 0.01\np-value for Fscore diff: 0.01\n"
    )
    assert run(folder, *arguments, "-f", "--ci-seed", "1", "-o", "out", stderr=note) == ""
    assert (folder / "out").read_text(encoding="utf-8") == out


def test_lines_that_are_no_rows_are_told(tmp_path: Path) -> None:
    row = "{} 9 0 50.00 50.00 1 2 2 0 9 9 100.00\n"
    (tmp_path / "a").write_text(row.format(1) + row.format(2).replace("50.00", "nan"), encoding="utf-8")
    _, output = command.treescore_inside(tmp_path, "compare", "--compat", "bikel", "a", "a", "-n", "9")
    said_of_one = "treescore: a: 1 line skipped (two leading numbers, but not a row); the first is line 2\n"
    assert output.startswith(said_of_one * 2)


def test_the_bootstrap_of_few_rows_is_warned_of(folder: Path) -> None:
    out = run(folder, "gold.mrg", "good.mrg", "poor.mrg", *FAST, "--ci-units", "units", "--significance", "bootstrap")
    assert (
        "with fewer than 20 documents, the bootstrap reports differences too often; use --significance "
        "randomization\n" in out
    )
    assert "wins, losses, ties: documents on which" in out


@pytest.mark.parametrize("kind", sacrebleu.KINDS)
def test_as_sacrebleu(folder: Path, kind: str) -> None:
    files = ("gold.mrg", "good.mrg", "fair.mrg")
    out = json.loads(run(folder, "--compat", "sacrebleu", *files, "--significance", kind, *FAST, "-f", "json"))
    counts = {}
    for name in ("good", "fair"):
        score = treescore.evaluate(folder / "gold.mrg", folder / f"{name}.mrg").scores[0]
        counts[name] = Counts({column: score.counts[column] for column in ("matched", "gold", "test")})

    def f1(total: dict[str, int]) -> float:
        return 200 * total["matched"] / (total["gold"] + total["test"])

    number = {"samples" if kind == "bootstrap" else "trials": 100}
    expected = sacrebleu.paired(counts, f1, kind=kind, **number)
    assert out["systems"] == [{"name": name, **result.values()} for name, result in expected.items()]
    assert out["seed"] == 12345


def test_as_sacrebleu_in_other_forms(folder: Path) -> None:
    arguments = ("--compat", "sacrebleu", "gold.mrg", "good.mrg", "same.mrg", *FAST)
    note = (
        "treescore: same has the same counts as good: its p is no evidence of a difference, since the test omits ties\n"
    )
    out = run(folder, *arguments, stderr=note)
    assert out.startswith("systems against good, by sacrebleu's test\n\nsystem  Labelled F1   mean     ±       p\n")
    assert r" & $\pm$ & p \\" in run(folder, *arguments, "-f", "latex", stderr=note)
    assert run(folder, *arguments, "-f", "csv", stderr=note).startswith("system,score,mean,half_width,p,undefined\n")
