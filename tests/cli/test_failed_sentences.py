"""What failed and lost sentences do to the output and the exit codes of commands."""

from __future__ import annotations

import json
from pathlib import Path

import command
import pytest

import treescore
from treescore.scale import parts
from treescore.scale.pairs import check_metrics

GOLD = [f"(S (NP (DT the) (NN w{number})) (VP (VBZ is) (ADJP (JJ red))))" for number in range(20)]
#: Right but for one bracket in every second tree.
TEST = [tree.replace("(ADJP (JJ red))", "(JJ red)") if number % 2 else tree for number, tree in enumerate(GOLD)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gold; a parse of all sentences; the same with one word changed, in a bad parse; and without that sentence."""
    texts = {
        "gold": GOLD,
        "whole": TEST,
        "word": [TEST[0], TEST[1].replace("w1", "x1"), *TEST[2:]],
        "deleted": [TEST[0], *TEST[2:]],
        "few": [GOLD[0], *["(())"] * 19],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    return command.treescore_inside(folder, *arguments, code=code)


def figure(folder: Path, test: str, name: str) -> float:
    out, _ = run(folder, "gold", test, "-m", "parseval", "-f", "json")
    value: float = json.loads(out)["scores"][0]["parts"][name]
    return value


def test_a_wrong_word_raises_the_own_figure_but_not_the_one_over_all_sentences(folder: Path) -> None:
    assert figure(folder, "word", "f1") > figure(folder, "whole", "f1")
    assert figure(folder, "word", "f1_all") < figure(folder, "whole", "f1_all") == figure(folder, "whole", "f1")


@pytest.mark.parametrize("test", ["whole", "word", "deleted"])
def test_a_gate_does_not_open_because_a_sentence_fails(folder: Path, test: str) -> None:
    least = f"f1={100 * figure(folder, 'whole', 'f1') + 0.01:.3f}"
    _, output = run(folder, "gold", test, "--fail-under", least, code=1)
    reason = {"whole": "f1 is ", "word": "f1 over all sentences is ", "deleted": "without -m, "}[test]
    assert f"treescore: {reason}" in output
    # What the command chooses by itself where words differ has a higher figure, and does not open the gate.
    run(folder, "gold", "whole", "--fail-under", f"f1={100 * figure(folder, 'whole', 'f1') - 0.01:.3f}")


def test_a_gate_on_coverage(folder: Path) -> None:
    run(folder, "gold", "word", "-m", "parseval", "--min-scored", "95")
    _, output = run(folder, "gold", "word", "-m", "parseval", "--min-scored", "95.1", code=1)
    assert output.startswith("treescore: coverage is 95.00 %, below 95.1 % (parseval|")
    _, output = run(folder, "gold", "word", "--min-scored", "100", code=1)  # whatever metric is shown
    assert "coverage is 95.00 %, below 100 % (parseval|" in output
    _, output = run(folder, "gold", "word", "--min-scored", "101", code=2)
    assert "'101' is not a percentage from 0 to 100" in output


def test_fractions_are_refused_as_thresholds(folder: Path) -> None:
    _, output = run(folder, "gold", "whole", "--fail-under", "f1=0.9", code=2)
    assert "--fail-under f1=0.9: figures are in percent; did you mean 90?" in output


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html"])
def test_coverage_is_visible(folder: Path, form: str) -> None:
    out, _ = run(folder, "gold", "few", "-m", "parseval", "-f", form)
    visible = "\n".join(line for line in out.splitlines() if not line.startswith("%"))  # of LaTeX
    assert "19 of 20 sentences failed, with 95.00" in visible
    if form != "latex":
        assert visible.index("coverage") < visible.index("100.00")
    if form != "table":
        assert {"markdown": "100.00 †", "latex": r"100.00$^{\dag{}}$", "html": "100.00 †"}[form] in visible
    whole, _ = run(folder, "gold", "whole", "-m", "parseval", "-f", form)
    assert "coverage" not in whole and "all sentences" not in whole


def test_data_have_both_figures_and_coverage(folder: Path) -> None:
    score = json.loads(run(folder, "gold", "few", "-m", "parseval", "-f", "json")[0])["scores"][0]
    assert (score["value"], score["all"]) == (1.0, 0.05)
    assert score["coverage"] == {
        "units": 0.05,
        "gold": 0.05,
        "eligible": 20,
        "failed": 19,
        "excluded": 0,
        "gold_faults": 0,
        "lost": 0,
    }
    lines = run(folder, "gold", "few", "-m", "parseval", "-f", "csv")[0].splitlines()
    assert any(line.startswith("parseval,f1_all,0.05,") for line in lines)
    assert any(line.startswith("parseval,coverage,0.05,1,20,") for line in lines)


def test_comparisons_decide_by_all_sentences(folder: Path) -> None:
    arguments = ("compare", "gold", "few", "whole", "-m", "parseval", "--ci-samples", "200")
    (metric,) = json.loads(run(folder, *arguments, "-f", "json")[0])["metrics"]
    few, whole = metric["systems"]
    assert few["own"] > whole["own"] and few["value"] < whole["value"]
    assert (few["best"], whole["best"], few["letters"], whole["letters"]) == (False, True, "b", "a")
    latex, _ = run(folder, *arguments, "-f", "latex")
    assert r"few & 100.00$^{\dag{}}$ & 5.00 \% & 5.00$^{b}$" in latex
    assert rf"whole & {whole['own'] * 100:.2f} & 100.00 \% & \textbf{{{whole['value'] * 100:.2f}}}$^{{a}}$" in latex
    run(folder, "report", "gold", "few", "whole", "-o", "page.html")
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert "few: coverage 5.00 %: 19 of 20 sentences failed" in text
    assert text.index('<td class="number best"') > text.index('scope="row"><bdi>whole</bdi>')


def test_lost_sentences_leave_figures_undefined_and_fail(folder: Path) -> None:
    """A limit that no pair keeps: it is treescore that gives up."""
    left = "".join(f"(S{n} (NN a) " for n in range(60)) + "(X (NN b))" + ")" * 60
    right = "".join(f"(S{n} " for n in range(60)) + "(X (NN a))" + " (NN a)" * 59 + ")" * 60
    (folder / "a").write_text(f"{left}\n{GOLD[0]}\n", encoding="utf-8")
    (folder / "b").write_text(f"{right}\n{GOLD[0]}\n", encoding="utf-8")
    metric = "tree_distance|limit:1e-9"
    out, output = run(folder, "a", "b", "-m", metric, "-f", "json", code=1)
    score = json.loads(out)["scores"][0]
    assert (score["coverage"]["lost"], score["value"], score["all"]) == (1, 1.0, None)
    assert "treescore: 1 sentence could not be finished; figures over all sentences are undefined" in output
    out, _ = run(folder, "a", "b", "-m", metric, code=1)
    assert "1 sentence lost: treescore could not finish" in out
    assert "2 sentences: 1 scored, 0 failed, 1 lost" in out
    _, output = run(folder, "compare", "a", "b", "b", "-m", metric, "--name", "x", "--name", "y", code=1)
    assert "could not be finished" in output


def test_what_the_recipe_leaves_out_is_no_failure(folder: Path) -> None:
    """Whatever test has there: gold alone decides."""
    (folder / "short").write_text("\n".join(["(S (NN a))", *GOLD]) + "\n", encoding="utf-8")
    for parse in ("(S (NN a))", "(S (NN b))", "(())", "(S (NN a)"):
        (folder / "parsed").write_text("\n".join([parse, *GOLD]) + "\n", encoding="utf-8")
        score = json.loads(run(folder, "short", "parsed", "-m", "parseval|least-words:2", "-f", "json")[0])["scores"][0]
        assert (score["all"], score["coverage"]["failed"], score["coverage"]["excluded"]) == (1.0, 0, 1), parse


def test_parts_of_another_layout_are_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    job = parts.Job(check_metrics("parseval"), str(tmp_path), [])
    piece = parts.Piece(0, "pairs.parquet", "pairs.parquet", (1, 1), "mark", 0, ((0, 0, 10),))
    name = parts.part_name(job, piece)
    assert "failed" in job.identity()["counts"][0]
    monkeypatch.setattr(parts, "LAYOUT", parts.LAYOUT - 1)
    assert parts.part_name(job, piece) != name


def test_the_figure_over_all_sentences_by_length_and_by_label(folder: Path) -> None:
    report = treescore.evaluate(folder / "gold", folder / "few", "parseval")
    for by in ("label", "length"):
        for figures in report.breakdown(by).values():
            assert (figures["f1"].value, figures["f1_all"].value) == (1.0, 0.05)
