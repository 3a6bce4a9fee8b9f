"""The command as users run it, in a process of its own: every format and option, every way to fail, and the demo.

Every run checks that there is no traceback on standard error and that nothing was written into the working folder.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from command import COLLINS_PRM

import treescore
from treescore.profiles import PROFILES

GOLD = (
    "(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps) (ADVP (RB well)))))\n(TOP (S (NP (NNS dogs)) (VP (VBP bark))))\n"
)
TEST = (
    "(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (ADVP (RB well))))\n(TOP (S (NP (NNS dogs)) (NP (VBP bark))))\n"
)
SIGNATURE = f"parseval|labels:yes|profile:collins|v:{treescore.__version__}"


@dataclass
class Done:
    """What a command printed and returned."""

    code: int
    stdout: str
    stderr: str


@dataclass
class Shell:
    """Runs treescore in a folder of its own."""

    folder: Path

    def write(self, **files: str | bytes) -> None:
        """Put files into the folder; a gold and a test file are there already."""
        for name, content in files.items():
            (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)

    def listing(self) -> dict[str, bytes]:
        """Everything in the folder."""
        return {str(path): path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file()}

    def run(
        self, *arguments: str, stdin: bytes = b"", writes: Sequence[str] = (), env: dict[str, str] | None = None
    ) -> Done:
        """Run the command; only the files named in `writes` may change."""
        before = self.listing()
        done = subprocess.run(
            [sys.executable, "-m", "treescore", *arguments],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            timeout=300,
            env={**clean_environment(), **(env or {})},
            check=False,
        )
        after = self.listing()
        for name in writes:
            before.pop(str(self.folder / name), None)
            after.pop(str(self.folder / name))
        assert after == before
        stderr = done.stderr.decode("utf-8", "replace")
        assert "Traceback" not in stderr, stderr
        return Done(done.returncode, done.stdout.decode(env_encoding(env)), stderr)

    def json(self, *arguments: str) -> Any:
        """The report as data."""
        done = self.run(*arguments, "-f", "json")
        assert (done.code, done.stderr) == (0, "")
        return json.loads(done.stdout)

    def fails(self, *arguments: str, said: str, code: int = 2, stdin: bytes = b"") -> str:
        """The run ends with this code, prints no result and says this on one line."""
        done = self.run(*arguments, stdin=stdin)
        assert done.code == code, done
        assert done.stdout == ""
        assert re.search(said, done.stderr), done.stderr
        last = done.stderr.strip().splitlines()[-1]
        assert last.startswith("treescore: error: ") or last.startswith("treescore"), done.stderr
        return last


def clean_environment() -> dict[str, str]:
    """This process's, without what changes how Python prints."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHONIOENCODING", "PYTHONUTF8"))
    }


def env_encoding(env: dict[str, str] | None) -> str:
    return (env or {}).get("PYTHONIOENCODING", "utf-8")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    folder = tmp_path / "work"
    folder.mkdir()
    result = Shell(folder)
    result.write(gold=GOLD, test=TEST)
    return result


# ---------------------------------------------------------------------------------------------------------------------
# Formats


def test_table(shell: Shell) -> None:
    done = shell.run("gold", "test")
    assert (done.code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "test against gold"
    assert re.search(r"^Labelled F1 +71\.43 +10 of 14$", done.stdout, re.MULTILINE)
    assert re.search(r"^Exact match +0\.00 +0 of 2$", done.stdout, re.MULTILINE)
    assert lines[-2] == "2 sentences: 2 scored, 0 failed"
    assert lines[-1] == SIGNATURE


def test_json(shell: Shell) -> None:
    whole = shell.json("gold", "test")
    score = whole["scores"][0]
    assert score["value"] == score["parts"]["f1"] == 10 / 14
    assert score["parts"]["precision"] == score["parts"]["recall"] == 5 / 7
    assert (score["counts"]["matched"], score["counts"]["gold"], score["counts"]["test"]) == (5, 7, 7)
    assert score["signature"] == SIGNATURE
    assert score["name"] == "parseval"
    assert whole["problems"] == {"count": 0, "by_code": {}, "list": []}
    assert whole["treescore"] == treescore.__version__
    assert whole["gold"]["trees"] == whole["test"]["trees"] == 2
    assert whole["gold"]["name"] == "gold"
    assert re.fullmatch("[0-9a-f]{64}", whole["gold"]["sha256"])
    assert whole["gold"]["sha256"] != whole["test"]["sha256"]


def test_json_equals_the_python_interface(shell: Shell) -> None:
    report = treescore.evaluate(shell.folder / "gold", shell.folder / "test")
    score = shell.json("gold", "test")["scores"][0]
    assert score["parts"] == report["parseval"].parts
    assert score["counts"] == report["parseval"].counts.total()


def test_json_with_problems(shell: Shell) -> None:
    shell.write(test=TEST.splitlines()[0][:-1] + "\n(TOP (S (NP (NNS cats)) (VP (VBP bark))))\n")
    problems = shell.json("gold", "test", "-m", "parseval")["problems"]
    assert problems["count"] == 2
    assert problems["by_code"] == {"unclosed": 1, "words": 1}
    unclosed, words = problems["list"]
    assert (unclosed["code"], unclosed["file"], unclosed["line"], unclosed["column"], unclosed["unit"]) == (
        "unclosed",
        "test",
        1,
        1,
        1,
    )
    assert (words["code"], words["file"], words["line"], words["unit"]) == ("words", "test", 2, 2)
    assert "dogs" in words["message"]
    assert "cats" in words["message"]
    assert words["action"]


def test_json_lines(shell: Shell) -> None:
    done = shell.run("gold", "test", "-f", "jsonl", "-m", "parseval", "-m", "parseval|labels:no")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["parts"]["f1"] for row in rows] == [10 / 14, 12 / 14]
    done = shell.run("gold", "test", "-f", "jsonl", "--per-sentence")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["sentence"], row["matched"], row["gold"]) for row in rows] == [(1, 3, 4), (2, 2, 3)]
    done = shell.run("gold", "test", "-f", "jsonl", "--by", "label")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["label"]: (row["matched"], row["gold"], row["test"]) for row in rows} == {
        "NP": (2, 2, 3),
        "S": (2, 2, 2),
        "VP": (0, 2, 1),
        "ADVP": (1, 1, 1),
    }


def rows_of(text: str) -> list[dict[str, str]]:
    """A CSV file."""
    return list(csv.DictReader(io.StringIO(text)))


def test_csv(shell: Shell) -> None:
    rows = rows_of(shell.run("gold", "test", "-f", "csv").stdout)
    first = rows[0]
    assert (first["metric"], first["part"], first["above"], first["below"]) == ("parseval", "f1", "10", "14")
    assert float(first["value"]) == 10 / 14
    assert {row["signature"] for row in rows} == {SIGNATURE}
    by_sentence = rows_of(shell.run("gold", "test", "-f", "csv", "--per-sentence").stdout)
    assert [row["matched"] for row in by_sentence] == ["3", "2"]
    by_label = rows_of(shell.run("gold", "test", "-f", "csv", "--by", "label").stdout)
    assert {row["label"]: row["gold"] for row in by_label} == {"NP": "2", "S": "2", "VP": "2", "ADVP": "1"}
    several = rows_of(
        shell.run("gold", "test", "-f", "csv", "--by", "label", "-m", "parseval", "-m", "parseval|labels:no").stdout
    )
    assert len({row["signature"] for row in several}) == 2


def test_markdown_and_latex_and_html(shell: Shell) -> None:
    markdown = shell.run("gold", "test", "-f", "markdown").stdout
    assert "| Labelled F1 | 71.43 | 10 of 14 |" in markdown.splitlines()
    assert SIGNATURE in markdown
    latex = shell.run("gold", "test", "-f", "latex").stdout
    assert r"  Labelled F1 & 71.43 & 10 of 14 \\" in latex.splitlines()
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 1
    html = shell.run("gold", "test", "-f", "html").stdout
    assert "<td>Labelled F1</td><td>71.43</td>" in html


def test_format_evalb_equals_the_command_evalb(shell: Shell) -> None:
    shell.write(prm=COLLINS_PRM)
    expected = shell.run("evalb", "-p", "prm", "gold", "test").stdout
    assert "Bracketing FMeasure       =  71.43" in expected
    assert shell.run("gold", "test", "-f", "evalb").stdout == expected
    assert shell.run("gold", "test", "-f", "evalb", "-p", "prm").stdout == expected


def test_format_evalb_takes_the_cut_off_from_the_parameters(shell: Shell) -> None:
    shell.write(prm=COLLINS_PRM.replace("CUTOFF_LEN 40", "CUTOFF_LEN 3"))
    expected = shell.run("evalb", "-p", "prm", "gold", "test").stdout
    assert shell.run("gold", "test", "-f", "evalb", "-p", "prm").stdout == expected


def test_per_sentence_and_by(shell: Shell) -> None:
    table = shell.run("gold", "test", "--per-sentence", "--by", "length").stdout
    assert "by length" in table
    assert re.search(r"^1-10 +71\.43 +71\.43 +71\.43 +5 +7 +7$", table, re.MULTILINE)
    assert "by sentence" in table
    assert re.search(r"^2 +0 +2 +66\.67 +66\.67 +66\.67 +2 +3 +3", table, re.MULTILINE)
    by_label = shell.run("gold", "test", "--by", "label").stdout
    assert re.search(r"^VP +0\.00 +0\.00 +0\.00 +0 +2 +1$", by_label, re.MULTILINE)


def test_undefined_figures_are_dashes_not_numbers(shell: Shell) -> None:
    shell.write(test="(())\n()\n")
    done = shell.run("gold", "test")
    assert re.search(r"^Labelled F1 +– +0\.00 +0 of 0$", done.stdout, re.MULTILINE)
    score = shell.json("gold", "test")["scores"][0]
    assert (score["value"], score["all"], score["coverage"]["units"]) == (None, 0.0, 0.0)
    assert rows_of(shell.run("gold", "test", "-f", "csv").stdout)[0]["value"] == ""


@pytest.mark.parametrize("form", ["jsonl", "csv", "evalb"])
def test_problems_are_mentioned_beside_formats_that_do_not_list_them(form: str, shell: Shell) -> None:
    shell.write(test=TEST.splitlines()[0] + "\n(())\n")
    done = shell.run("gold", "test", "-f", form)
    assert done.code == 0
    assert "1 problem: 1 unparsed" in done.stderr


def test_outer_brackets_that_differ_are_mentioned(shell: Shell) -> None:
    shell.write(test=TEST.replace("(TOP", "(ROOT"))
    report = shell.json("gold", "test")
    assert report["problems"]["count"] == 0
    assert [cause["message"] for cause in report["causes"]] == ["Outer bracket differs"]
    assert [cause["sentences"] for cause in report["causes"]] == [2]
    expected = r"^Outer bracket differs \(TOP vs ROOT\) in 2 sentences: Labelled F1 62.50, or 71.43 with outer:ignored$"
    assert re.search(expected, shell.run("gold", "test").stdout, re.MULTILINE)


def test_a_failed_parse_says_nothing_about_outer_brackets(shell: Shell) -> None:
    """The first sentence failed; all others have the same outer bracket as gold."""
    shell.write(test="(())\n" + TEST.splitlines()[1] + "\n")
    report = shell.json("gold", "test")
    assert (report["problems"]["by_code"], report["causes"]) == ({"unparsed": 1}, [])


def test_output_file(shell: Shell) -> None:
    printed = shell.run("gold", "test", "-f", "json").stdout
    done = shell.run("gold", "test", "-f", "json", "-o", "out.json", writes=["out.json"])
    assert (done.code, done.stdout, done.stderr) == (0, "", "")
    assert (shell.folder / "out.json").read_text() == printed
    shell.fails("gold", "test", "-o", "no/such/folder/out", said="no/such/folder/out: No such file")
    shell.fails("gold", "test", "-o", ".", said=r"\.: Is a directory")
    assert shell.run("gold", "test", "-f", "json", "-o", "-").stdout == printed


def test_alignments_go_to_a_file_or_to_standard_output(shell: Shell) -> None:
    command = ("gold", "test", "-m", "struct_iou")
    shell.run(*command, "--node-mappings", "lines", writes=["lines"])
    done = shell.run(*command, "--node-mappings", "-", "-o", "report", writes=["report"])
    assert (done.code, done.stdout) == (0, (shell.folder / "lines").read_text())
    assert (shell.folder / "report").read_text() == shell.run(*command).stdout
    for output in ((), ("-o", "-")):
        shell.fails(*command, "--node-mappings", "-", *output, said="also goes to standard output")


def test_files_that_cannot_be_written_are_named_before_the_work(shell: Shell) -> None:
    for option in ("-o", "--node-mappings"):
        shell.fails("gold", "test", "-m", "struct_iou", option, "no/such/out", said="no/such/out: No such file")


# ---------------------------------------------------------------------------------------------------------------------
# Options


def test_metrics_and_profiles(shell: Shell) -> None:
    for profile in PROFILES:
        assert f"profile:{profile}" in shell.json("gold", "test", "--profile", profile)["scores"][0]["signature"]
    unlabelled = shell.json("gold", "test", "-m", "parseval|labels:no", "--profile", "none")["scores"][0]
    assert unlabelled["signature"] == f"parseval|labels:no|profile:none|v:{treescore.__version__}"
    assert unlabelled["counts"]["gold"] == 9


def test_signature_from_the_output_is_taken_again(shell: Shell) -> None:
    first = shell.json("gold", "test", "-m", "parseval|labels:no|delete:TOP+%7C+S|cut:")["scores"][0]
    assert shell.json("gold", "test", "-m", first["signature"])["scores"][0] == first


def test_the_same_metric_twice(shell: Shell) -> None:
    for form in ("table", "json", "jsonl", "csv"):
        done = shell.run("gold", "test", "-m", "parseval", "-m", "parseval", "-f", form, "--per-sentence")
        assert done.code == 0
        assert done.stdout == shell.run("gold", "test", "-f", form, "--per-sentence").stdout


@pytest.mark.parametrize("name", ["my.prm", "a b.prm", "c|d%41:e+f.prm"])
def test_parameter_file(name: str, shell: Shell) -> None:
    shell.write(**{name: "DELETE_LABEL TOP\nDELETE_LABEL NP\nNONSENSE 1\n"})
    whole = shell.json("gold", "test", "-p", name)
    assert whole["scores"][0]["counts"]["gold"] == 5
    assert whole["problems"]["by_code"] == {"parameters": 1}
    assert "NONSENSE" in whole["problems"]["list"][0]["message"]
    done = shell.run("info", "--prm", name, whole["scores"][0]["signature"])
    assert done.code == 0
    assert "TOP NP" in done.stdout


def test_parameter_file_and_profile(shell: Shell) -> None:
    shell.write(prm="DELETE_LABEL NP\n")
    assert shell.json("gold", "test", "-p", "prm", "--profile", "spmrl")["scores"][0]["counts"]["gold"] == 7
    said = shell.fails("gold", "test", "-p", "prm", "--profile", "collins", said="parameter file")
    assert "spmrl" in said
    shell.fails("gold", "test", "-p", "missing.prm", said=r"missing\.prm.*No such file")


def test_profile_none_with_a_parameter_file_is_not_refused_as_if_it_were_another(shell: Shell) -> None:
    """The message once said that a parameter file goes with none."""
    shell.write(prm="DELETE_LABEL NP\n")
    done = shell.run("gold", "test", "-p", "prm", "--profile", "none")
    assert done.code == 0 or "or with none" not in done.stderr


@pytest.mark.parametrize(
    ("thresholds", "code", "said"),
    [
        (["f1=50"], 0, ""),
        (["f1=71.4"], 0, ""),
        (["f1=99"], 1, r"f1 is 71\.43, below 99"),
        (["parseval.recall=99"], 1, r"parseval\.recall is 71\.43"),
        (["f1=50", "exact=1"], 1, r"exact is 0\.00, below 1"),
        (["f1=71.43"], 0, ""),
    ],
)
def test_fail_under(thresholds: list[str], code: int, said: str, shell: Shell) -> None:
    words = [word for threshold in thresholds for word in ("--fail-under", threshold)]
    done = shell.run("gold", "test", *words)
    assert done.code == code
    assert "Labelled F1" in done.stdout
    assert re.search(said, done.stderr)
    assert bool(done.stderr) == bool(code)


def test_fail_under_an_undefined_figure(shell: Shell) -> None:
    shell.write(test="(())\n(())\n")
    done = shell.run("gold", "test", "--fail-under", "f1=1.5")
    assert done.code == 1
    assert "f1 over all sentences is 0.00, below 1.5" in done.stderr
    shell.write(gold="(S (. .))\n(S (. .))\n", test="(S (. .))\n(S (. .))\n")
    done = shell.run("gold", "test", "--fail-under", "f1=0", "--min-scored", "0")
    assert done.code == 1
    assert "f1 is –, below 0" in done.stderr
    assert "coverage is undefined" in done.stderr


@pytest.mark.parametrize("threshold", ["f=90", "f1", "f1=", "f1=high", "=90", "f1=nan", ""])
def test_fail_under_nonsense(threshold: str, shell: Shell) -> None:
    shell.fails("gold", "test", "--fail-under", threshold, said="fail-under")


@pytest.mark.parametrize(
    ("metric", "figure"),
    [
        ("parseval", "average_crossing"),
        ("tree_distance", "distance"),
        ("tree_distance", "tree_distance.distance"),
        ("sparseval", "wer"),
    ],
)
def test_fail_under_a_figure_that_is_better_when_lower(metric: str, figure: str, shell: Shell) -> None:
    shell.fails("gold", "test", "-m", metric, "--fail-under", f"{figure}=50", said="is better when lower")


def test_fail_under_says_what_is_true(shell: Shell) -> None:
    """Two thirds are shown as 66.67; to call that "below 66.67" would puzzle everybody."""
    shell.write(gold=GOLD.splitlines()[1] + "\n", test=TEST.splitlines()[1] + "\n")
    assert re.search(r"^Labelled F1 +66\.67", shell.run("gold", "test").stdout, re.MULTILINE)
    done = shell.run("gold", "test", "--fail-under", "f1=66.67")
    assert "is 66.67, below 66.67" not in done.stderr


def test_threads(shell: Shell) -> None:
    shell.write(gold=GOLD * 500, test=TEST * 500)
    expected = shell.run("gold", "test", "-f", "json", "--per-sentence").stdout
    for threads in ("1", "2", "7", "1000"):
        assert shell.run("gold", "test", "-f", "json", "--per-sentence", "--threads", threads).stdout == expected


@pytest.mark.parametrize("threads", ["0", "-1", "x", "1.5", "", "99999999999999999999"])
def test_threads_nonsense(threads: str, shell: Shell) -> None:
    shell.fails("gold", "test", "--threads", threads, said="threads")


def test_strict(shell: Shell) -> None:
    assert shell.run("gold", "test", "--strict").code == 0
    shell.write(test="(())\n" + TEST.splitlines()[1] + "\n")
    done = shell.run("gold", "test", "--strict")
    assert done.code == 1
    assert "Labelled F1" in done.stdout
    assert "--strict" in done.stderr
    shell.write(test=TEST[:-2] + "\n")
    shell.fails("gold", "test", "--strict", said=r"test:2:1: this bracket is never closed")
    assert shell.run("gold", "test").code == 0


def test_layout(shell: Shell) -> None:
    pretty = treescore.read(GOLD)
    pretty.write(shell.folder / "pretty", pretty=True)
    assert shell.json("pretty", "test")["scores"][0]["counts"]["matched"] == 5
    shell.fails("pretty", "test", "--layout", "line", "-m", "parseval", said="trees in")
    shell.write(gold=GOLD.replace("\n", "\n\n"), test=TEST.replace("\n", "\n\n"))
    assert shell.json("gold", "test")["scores"][0]["counts"]["sentences"] == 2
    assert shell.json("gold", "test", "--layout", "line")["scores"][0]["counts"]["sentences"] == 4


def test_version_and_help(shell: Shell) -> None:
    assert shell.run("--version").stdout == f"treescore {treescore.__version__}\n"
    for words in (["--help"], ["-h"], ["demo", "--help"], ["info", "-h"], ["align", "-h"]):
        done = shell.run(*words)
        assert (done.code, done.stderr) == (0, "")
        assert done.stdout.startswith("usage: treescore")
    assert "--fail-under" in shell.run("--help").stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["info", "profiles"],
        ["info", "parseval|delete:%C3%A9+%E6%9C%A8"],
        ["info", "parseval|delete:%FF"],
    ],
    ids=["help", "profiles", "explain", "explain-bytes"],
)
def test_terminals_that_lack_characters(words: list[str], encoding: str, shell: Shell) -> None:
    done = shell.run(*words, env={"PYTHONIOENCODING": encoding})
    assert done.code == 0
    assert len(done.stdout) > 100


def test_unknown_options(shell: Shell) -> None:
    for words in ([], ["gold"], ["gold", "test", "more"], ["gold", "test", "--colour"], ["gold", "test", "-f", "pdf"]):
        done = shell.run(*words)
        assert (done.code, done.stdout) == (2, "")
        assert re.fullmatch(r"treescore: error: .* \(see: treescore --help\)\n", done.stderr)


# ---------------------------------------------------------------------------------------------------------------------
# Input


def test_standard_input(shell: Shell) -> None:
    expected = shell.run("gold", "test", "-f", "csv").stdout
    assert shell.run("-", "test", "-f", "csv", stdin=GOLD.encode()).stdout == expected
    assert shell.run("gold", "-", "-f", "csv", stdin=TEST.encode()).stdout == expected
    assert shell.run("gold", "-", "-f", "csv", stdin=gzip.compress(TEST.encode())).stdout == expected
    assert shell.run("gold", "-", stdin=TEST.encode()).stdout.startswith("<stdin> against gold")


def test_gzip(shell: Shell) -> None:
    shell.write(**{"gold.gz": gzip.compress(GOLD.encode())})
    assert shell.json("gold.gz", "test")["scores"][0]["counts"]["matched"] == 5
    shell.write(**{"cut.gz": gzip.compress(GOLD.encode() * 50)[:-15]})
    shell.fails("cut.gz", "test", said=r"cut\.gz.*damaged")


def test_unusable_input(shell: Shell) -> None:
    shell.write(empty="", utf16=GOLD.encode("utf-16"), xml="<?xml version='1.0'?>", text="a b c\n")
    shell.fails("missing", "test", said="^treescore: error: missing: No such file or directory$")
    shell.fails("gold", ".", said=r"^treescore: error: \.: Is a directory$")
    shell.fails("-", "-", said="standard input")
    shell.fails("utf16", "test", said="utf16:1:1: .*UTF-16")
    shell.fails("xml", "test", said="xml:1:22: .*XML")
    shell.fails("empty", "test", said="empty.*no trees")
    shell.fails("gold", "empty", said="empty.*no trees")
    shell.fails("gold", "-", said="<stdin>.*no trees")


def test_file_whose_name_looks_like_a_tree(shell: Shell) -> None:
    shell.write(**{"(S (NN a))": GOLD, "-x": GOLD})
    assert shell.json("(S (NN a))", "test")["scores"][0]["counts"]["matched"] == 5
    assert shell.json("./-x", "test")["scores"][0]["counts"]["matched"] == 5


def test_unequal_numbers_of_trees(shell: Shell) -> None:
    shell.write(gold=GOLD + "(NN c)\n", test=TEST)
    said = shell.fails("gold", "test", "-m", "parseval", said="3 trees in gold but 2 in test")
    assert "-m 'aligned_parseval|profile:collins'" in said
    assert "first differ in tree 3" in said
    shell.write(gold=GOLD + "(NN c)\n(NN d)\n", test=TEST.splitlines()[0] + "\n(NN c)\n(NN d)\n")
    said = shell.fails("gold", "test", "-m", "parseval", said="4 trees in gold but 3 in test")
    assert "first differ in tree 2: gold (line 2) has “dogs bark”, test (line 2) has “c”" in said


def test_other_words_are_aligned(shell: Shell) -> None:
    shell.write(test=TEST.splitlines()[0] + "\n(TOP (S (NP (NNS cats)) (VP (VBP bark))))\n")
    done = shell.run("gold", "test", "-f", "json")
    assert (done.code, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    remark = "the words of gold and test first differ in sentence 2: aligned_parseval aligns them"
    assert report["remarks"] == [remark]
    assert [score["name"] for score in report["scores"]] == ["parseval", "aligned_parseval"]
    assert remark in shell.run("gold", "test").stdout
    chosen = shell.json("gold", "test", "-m", "parseval")
    assert [score["name"] for score in chosen["scores"]] == ["parseval"]


def test_other_sentences_are_aligned(shell: Shell) -> None:
    first, second = (line.removeprefix("(TOP ").removesuffix(")") for line in GOLD.splitlines())
    shell.write(test=f"(TOP {first} {second})\n")
    done = shell.run("gold", "test", "--fail-under", "recall=100", "--per-sentence")
    assert done.code == 1, done
    assert "2 trees in gold but 1 in test; the words first differ in tree 1: " in done.stdout
    assert "parseval is undefined, aligned_parseval aligns the sentences" in done.stdout
    (failed,) = done.stderr.splitlines()
    assert failed.startswith("treescore: without -m, --fail-under and --min-scored need as many trees in both files")
    assert shell.run("gold", "test", "-m", "aligned_parseval", "--fail-under", "recall=100").code == 0
    assert "aligned_parseval" in done.stdout
    assert "1-2" in done.stdout


def test_same_words_are_not_aligned(shell: Shell) -> None:
    """Neither a sentence without a parse nor a tag that deletes another word makes other words."""
    shell.write(gold=GOLD.replace("(DT the)", "(DT the) (-NONE- *)"), test=TEST.splitlines()[0] + "\n(())\n")
    assert shell.json("gold", "test")["scores"][0]["name"] == "parseval"


def test_unequal_numbers_because_of_blank_lines(shell: Shell) -> None:
    shell.write(test=TEST.splitlines()[0] + "\n\n")
    shell.fails("gold", "test", "-m", "parseval", said="--layout line")
    assert "--layout line" in shell.run("gold", "test").stdout
    assert shell.json("gold", "test", "--layout", "line")["scores"][0]["counts"]["skipped"] == 1


@pytest.mark.parametrize(
    ("signature", "said"),
    [
        ("nonsense", "no metric .*'nonsense'"),
        ("parseval|colour:red", "no option 'colour'.*labels"),
        ("parseval|labels:perhaps", "labels must be yes or no, not 'perhaps'"),
        ("parseval|root:drop-hole", "root must be one of keep, .*; did you mean 'drop-whole'?"),
        ("parseval|label:no", "no option 'label'; did you mean 'labels'?"),
        ("parsval", "no metric .*'parsval'; did you mean 'parseval'?"),
        ("parseval|profile:colins", "no profile 'colins'; did you mean 'collins'?"),
        ("parseval|profile:x", "no profile 'x'.*collins"),
        ("parseval|profile", "not of the form option:value"),
        ("parseval|least-width:99999999999", "least-width"),
        ("parseval|least-width:" + "9" * 5000, "least-width"),
        ("parseval|prm:0123456789ab", "hash"),
    ],
    ids=lambda text: text[:30],
)
def test_bad_signature(signature: str, said: str, shell: Shell) -> None:
    shell.fails("gold", "test", "-m", signature, said=said)
    shell.fails("info", signature, said=said)


def test_bad_profile(shell: Shell) -> None:
    done = shell.run("gold", "test", "--profile", "nobody")
    assert (done.code, done.stdout) == (2, "")
    assert "collins" in done.stderr


@pytest.mark.parametrize(
    "words", [["gold", "test"], ["gold", "test", "-f", "json"], ["evalb", "gold", "test"]], ids=" ".join
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk(words: list[str], shell: Shell) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "treescore", *words],
            cwd=shell.folder,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=120,
            text=True,
            check=False,
        )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk_for_the_output_file(shell: Shell) -> None:
    shell.fails("gold", "test", "-o", "/dev/full", said="No space left")


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs sh")
@pytest.mark.parametrize(
    "line",
    ['"$0" -m treescore - test <&-', '"$0" -m treescore gold test >&-', '"$0" -m treescore evalb gold test >&-'],
    ids=["stdin", "stdout", "evalb stdout"],
)
def test_closed_streams(line: str, shell: Shell) -> None:
    done = subprocess.run(
        ["sh", "-c", line, sys.executable], cwd=shell.folder, capture_output=True, timeout=120, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.returncode != 0


@pytest.mark.parametrize(
    "words",
    [
        ["gold", "test", "--per-sentence"],
        ["gold", "test", "--per-sentence", "-f", "json"],
        ["gold", "test", "-f", "evalb"],
        ["evalb", "gold", "test"],
    ],
    ids=" ".join,
)
def test_broken_pipe_is_silent(words: list[str], shell: Shell) -> None:
    """`treescore … | head -1`: far more is printed than a pipe holds."""
    shell.write(gold=GOLD * 5_000, test=TEST * 5_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "treescore", *words], cwd=shell.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait(timeout=120)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs terminals")
def test_nothing_but_the_result_on_a_terminal(shell: Shell) -> None:
    """Progress is shown for long work only."""
    controller, terminal = os.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "treescore", "gold", "test"],
        cwd=shell.folder,
        stdout=subprocess.PIPE,
        stderr=terminal,
        timeout=120,
        text=True,
        check=False,
    )
    os.set_blocking(controller, False)
    os.close(terminal)
    try:
        shown = os.read(controller, 1000)
    except (BlockingIOError, OSError):
        shown = b""
    os.close(controller)
    assert (done.returncode, shown) == (0, b"")
    assert done.stdout == shell.run("gold", "test").stdout


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs terminals")
def test_tables_fit_narrow_terminals(shell: Shell) -> None:
    """Columns that do not fit follow below; files and pipes get whole tables."""
    words = [sys.executable, "-m", "treescore", "gold", "test", "--by", "label", "--per-sentence"]
    controller, terminal = os.openpty()
    environment = {**os.environ, "COLUMNS": "50"}
    with subprocess.Popen(words, cwd=shell.folder, env=environment, stdout=terminal, stderr=subprocess.PIPE):
        os.close(terminal)
        shown = b""
        while True:
            try:
                data = os.read(controller, 10_000)
            except OSError:  # the end on Linux
                break
            if not data:
                break
            shown += data
    os.close(controller)
    piped = subprocess.run(words, cwd=shell.folder, env=environment, capture_output=True, check=True, text=True).stdout
    lines = shown.decode().replace("\r\n", "\n").split("\n")
    rules = [place for place, line in enumerate(lines) if line and not line.strip("-")]
    assert rules and all(len(lines[place]) <= 50 for place in rules)
    assert any(len(line) > 50 and not line.strip("-") for line in piped.split("\n"))
    assert all(len(lines[place + row]) <= 50 for place in rules for row in (-1, 1))
    first = [lines[place - 1].split()[0] for place in rules]
    assert len(first) > len(set(first))  # the first column is repeated
    missing = set(piped.split()) - set(shown.decode().split())
    assert not {cell for cell in missing if cell.strip("-")}


# ---------------------------------------------------------------------------------------------------------------------
# Hostile text

SPECIALS = r"R&D_50%$#~^\{}"
LABELS = ["<script>x</script>", '"quoted"', "a|b", SPECIALS, "`tick`", "[x", "*x*", "=1+1", "<!--", "木"]
ROWS = [f"({label.replace('=', '·')} (NN a) (NN b))" for label in LABELS]


@pytest.fixture
def hostile(shell: Shell) -> Shell:
    """Files whose labels, words and names are full of markup."""
    words = "(S (NN <script>w</script>) (NN ``))", "(S (NN <b>|`x</b>) (NN `))"
    gold, test = ("".join(row + "\n" for row in [*ROWS, side]) for side in words)
    shell.write(**{"gold<i>|_`$": gold, "test<u>&%": test})
    return shell


OPTIONS = ["gold<i>|_`$", "test<u>&%", "-m", "parseval|profile:none|cut:", "--by", "label", "-f"]


def shown_labels() -> list[str]:
    """As they stand in the files."""
    return [label.replace("=", "·") for label in LABELS]


def test_hostile_text_in_data(hostile: Shell) -> None:
    rows = rows_of(hostile.run(*OPTIONS, "csv").stdout)
    failed = {"S"}  # the label of a sentence that could not be scored
    assert {row["label"] for row in rows} == {*shown_labels(), *failed}
    whole = json.loads(hostile.run(*OPTIONS, "json").stdout)
    assert {row["label"] for row in whole["scores"][0]["by"]["label"]} == {*shown_labels(), *failed}
    assert whole["gold"]["name"] == "gold<i>|_`$"
    assert "<script>w</script>" in whole["problems"]["list"][0]["message"]


class Tags(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_hostile_text_in_html(hostile: Shell) -> None:
    page = Tags()
    page.feed(hostile.run(*OPTIONS, "html").stdout)
    assert page.tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "div", "p", "strong"}
    assert set(shown_labels()) <= set(page.text)
    assert "test<u>&% against gold<i>|_`$" in page.text


def test_hostile_text_in_latex(hostile: Shell) -> None:
    lines = hostile.run(*OPTIONS, "latex").stdout.splitlines()
    label = r"R\&D\_50\%\$\#\textasciitilde{}\textasciicircum{}\textbackslash{}\{\}"
    assert rf"  {label} & 100.00 & 100.00 & 100.00 & 100.00 & 100.00 & 100.00 & 1 & 1 & 1 \\" in lines
    assert any(line.startswith(r"  \multicolumn{4}{l}{\footnotesize \dag{} coverage") for line in lines)
    for line in lines:
        assert line == "" or line.startswith(("%", "\\", "  "))
        if line.endswith(r"\\"):
            assert len(re.findall(r"(?<!\\)&", line)) in (3, 9) or r"\multicolumn" in line


def test_latex_rows_do_not_start_like_an_argument(hostile: Shell) -> None:
    r"""After `\\`, TeX takes a star or a bracket for an argument of `\\`, even on the next line."""
    lines = hostile.run(*OPTIONS, "latex").stdout.splitlines()
    assert [line for line in lines if line.lstrip().startswith(("[", "*"))] == []


def unescaped(line: str) -> str:
    """A line of Markdown without its code spans and escaped characters."""
    line = re.sub(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", line)
    return re.sub(r"\\.", "", line)


def test_hostile_text_in_markdown_tables(hostile: Shell) -> None:
    rows = [line for line in hostile.run(*OPTIONS, "markdown").stdout.splitlines() if line.startswith("|")]
    assert len(rows) > len(LABELS)
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row.replace("\\\\", ""))) in (5, 11), row
        assert "<" not in unescaped(row), row


def test_hostile_text_around_markdown_tables(hostile: Shell) -> None:
    """Titles have file names, notes have words; a word may be a back-quote, and `` is one in the Penn Treebank."""
    lines = hostile.run(*OPTIONS, "markdown").stdout.splitlines()
    around = [line for line in lines if not line.startswith("|")]
    assert any("against" in line for line in around)
    assert any("script" in line for line in around)
    for line in around:
        assert "<" not in unescaped(line), line
        assert "`" not in unescaped(line), line


def test_names_with_line_ends_stay_on_their_line() -> None:
    gold = treescore.read("(S (NN a))", name="gold\n\\input{x}\n| a |")
    report = treescore.evaluate(gold, gold)
    assert not any(line.startswith(("\\input", "|")) for line in report.to("latex").splitlines())
    assert not any(line.startswith("| a |") for line in report.to("markdown").splitlines())


# ---------------------------------------------------------------------------------------------------------------------
# Other commands


def test_evalb(shell: Shell) -> None:
    done = shell.run("evalb", "gold", "test")
    assert done.code == 0
    assert done.stdout.startswith("  Sent.")
    assert "Number of sentence        =      2" in done.stdout
    done = shell.run("evalb", "missing", "test")
    assert (done.code, done.stderr) == (1, "Can't open gold file (missing)\n")
    done = shell.run("evalb-spmrl", "gold", "test", writes=["status"])
    assert done.code == 0
    assert shell.run("evalb-spmrl", "-L", "gold", "test").stdout.splitlines()[-1].startswith("F1: ")


def test_explain_signature(shell: Shell) -> None:
    first = shell.run("info", "parseval|profile:collins").stdout
    assert first.splitlines()[0] == SIGNATURE
    assert "  labels must agree" in first.splitlines()
    assert "ADVP = PRT" in first
    two = shell.run("info", "parseval|profile:collins", "parseval|labels:no").stdout
    assert "A: labels must agree" in two
    assert "B: labels are ignored, only spans count" in two
    assert two.count("\n  A: ") == 1
    assert "Both are equivalent." in shell.run("info", "parseval", "parseval|profile:collins").stdout
    shell.fails("info", "parseval", "parseval", "parseval", said="one or two signatures")


def test_profiles(shell: Shell) -> None:
    title, table = shell.run("info", "profiles").stdout.strip().split("\n\n")
    header, _, *rows = table.splitlines()
    assert title == "scoring profiles" and header.split() == ["profile", "users", "deletions", "average", "headline"]
    assert [row.split()[0] for row in rows] == list(PROFILES)


DEMO = """\
demo.test.mrg against demo.gold.mrg

coverage 97.50 %: 1 of 40 sentences failed, with 1.17 % of the gold brackets

parseval                    score  all sentences          counts
----------------------------------------------------------------
Labelled F1                 88.69          87.65  1,192 of 1,344
Labelled precision          89.22          88.17      596 of 668
Labelled recall             88.17          87.13      596 of 676
Unlabelled F1               89.88          88.82  1,208 of 1,344
Unlabelled precision        90.42          89.35      604 of 668
Unlabelled recall           89.35          88.30      604 of 676
Mean of sentence F1         90.09          87.83    39 sentences
Mean of sentence precision  90.58          88.31    39 sentences
Mean of sentence recall     89.67          87.43    39 sentences
Exact match                 41.03          40.00        16 of 39
Unlabelled exact match      46.15          45.00        18 of 39
Tag accuracy                97.18          95.70      690 of 710
Average crossing             0.90           1.07        35 in 39
No crossing                 61.54          60.00        24 of 39
2 or less crossing          87.18          85.00        34 of 39

40 sentences: 39 scored, 1 failed
1 problem: 1 unparsed
  demo.test.mrg:22: no words are left in the test tree (failed)
parseval|labels:yes|profile:collins|v:{version}
"""


def test_demo(shell: Shell) -> None:
    done = shell.run("demo")
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout == DEMO.format(version=treescore.__version__)


def test_demo_takes_the_options(shell: Shell) -> None:
    assert shell.json("demo", "--profile", "spmrl")["scores"][0]["counts"]["sentences"] == 40
    assert shell.run("demo", "--fail-under", "f1=99").code == 1
