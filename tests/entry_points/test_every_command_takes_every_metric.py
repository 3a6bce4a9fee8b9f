"""Every command and every output is run for every metric, and for a toy metric that is no more than a minimum.

A command accepts a metric, or refuses it in one line that names the metric and what it lacks. There is never a
traceback, even where no sentence could be scored.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import pyarrow.parquet as pq
import pytest
from entry_points.every_entry_point import Ran, run, table
from entry_points.file_pairs import (
    CLEAN,
    CONLLU,
    DIFFERENT_WORDS,
    NOTHING_PARSED,
    TIMED,
    TIMED_IN_PART,
    FilePair,
    Written,
    can_handle,
)

import treescore
from treescore.integrations.service import answer
from treescore.metrics import names

pytestmark = pytest.mark.usefixtures("toy_is_registered")

METRICS = (*names(), "toy")
#: For pictures, which take long.
SOME = ("parseval", "sparseval", "conllu_eval", "toy")


@dataclass(frozen=True)
class Command:
    """A command line in which GOLD, TEST, METRIC and OTHER stand for files and metrics.

    `lacks` is what a metric may lack, as a pattern of the refusal; without it no metric may be refused that can handle
    the files. `takes_conllu` says that it is not only for trees. It is run for the `metrics`.
    """

    line: str
    lacks: str | None = None
    takes_conllu: bool = False
    metrics: tuple[str, ...] = METRICS

    def __str__(self) -> str:
        return self.line.replace(" -m METRIC", "").replace("GOLD TEST", "treescore" if self.line[0] == "G" else "")


def score(more: str, lacks: str | None = None) -> Command:
    """`treescore GOLD TEST`."""
    return Command(f"GOLD TEST -m METRIC {more}", lacks, takes_conllu=True)


_FORMS = ("table", "markdown", "latex", "csv", "json", "html")

COMMANDS = [
    *(score(f"-f {form}") for form in (*_FORMS, "jsonl")),
    score("-f evalb", "parseval|for trees"),
    *(score(f"--per-sentence -f {form}") for form in (*_FORMS, "jsonl")),
    *(score(f"--by length -f {form}", "length") for form in (*_FORMS, "jsonl")),
    *(score(f"--by label -f {form}", "label") for form in (*_FORMS, "jsonl")),
    score("--explain 1", "explain"),
    score("--explain worst:2 -f json", "explain"),
    score("--node-mappings aligned.jsonl", "align"),
    score("--plot plot.svg"),
    *(
        Command(f"GOLD TEST -m METRIC --plot plot.svg --plot-kind {kind}", lacks, True, SOME)
        for kind, lacks in (("histogram", None), ("length", "length"), ("label", "label"), ("levels", "length"))
    ),
    *(score(f"--ci --ci-samples 20 -f {form}") for form in _FORMS),
    score("--ci --ci-samples 20 --ci-method bca"),
    score("--ci --ci-samples 20 --ci-units units.txt", "documents"),
    score("--min-scored 50"),
    score("--strict"),
    score("--threads 2"),
    score("--chunk 300", "whole files|CoNLL-U"),
    score("--profile spmrl", "profile"),
    score("--disconly", "for brackets"),
    Command("info --cite METRIC", takes_conllu=True),
    *(score(f"-m leaf_ancestor -f {form}", "leaf_ancestor") for form in (*_FORMS, "jsonl")),
    *(Command(f"compare GOLD TEST GOLD -m METRIC --ci-samples 20 -f {form}", takes_conllu=True) for form in _FORMS),
    Command("compare GOLD TEST GOLD -m METRIC --ci-samples 20 --significance bootstrap", takes_conllu=True),
    Command("compare GOLD TEST GOLD -m METRIC --ci-samples 20 --common", takes_conllu=True),
    Command("compare GOLD TEST GOLD -m METRIC --ci-samples 20 --baseline test", takes_conllu=True),
    Command("compare GOLD TEST GOLD -m METRIC --ci-samples 20 --ci-units units.txt", "documents", takes_conllu=True),
    Command("compare --compat sacrebleu GOLD TEST GOLD -m METRIC --ci-samples 20"),
    Command("report GOLD TEST -m METRIC -o page.html", "sentence by sentence"),
    Command("report GOLD TEST GOLD -m METRIC -o page.html", "sentence by sentence"),
    Command("report GOLD TEST -m METRIC -m parseval -o page.html", "sentence by sentence"),
    *(Command(f"show GOLD TEST -m METRIC --id 1 {more}", "explain") for more in ("", "-f json", "-o tree.svg")),
    Command("show GOLD TEST -m METRIC --worst 2", "explain"),
    *(Command(f"columns pairs.parquet -m METRIC {more}", "rows") for more in ("", "-f json", "-o scores.jsonl")),
    Command("columns pairs.parquet -m METRIC -m OTHER -o scores.parquet", "rows"),
    Command("columns pairs.parquet -m METRIC --workers 0 --restart -o scores", "rows"),
    Command("columns pairs.parquet -m METRIC --workers 0 --restart -o scores -f json", "rows"),
    *(
        Command(f"mbr nbest.tsv -m METRIC {more}", "one tree against another")
        for more in ("", "-f jsonl --distribution")
    ),
    *(Command(f"mbr nbest.tsv --gold GOLD -m METRIC -f {form}", "one tree against another") for form in _FORMS),
    Command("mbr nbest.tsv --gold GOLD -m METRIC -f csv --plot curves.svg", "one tree against another"),
    *(Command(f"study length --gold GOLD --test TEST -m METRIC -f {form}", "length|sentence") for form in _FORMS),
    Command("study correlation --gold GOLD --test TEST -m METRIC -m OTHER --size 2 --sizes 3 --runs 5", "sentence"),
    Command("study metrics --gold GOLD --test TEST GOLD -m METRIC -m OTHER", "sentence"),
    Command("study perturbation --gold GOLD --test TEST -m METRIC|axis:seconds --runs 1 --delta 0.5", "axis"),
    Command("study morphology --gold GOLD --test TEST -m METRIC|axis:characters", "axis"),
    Command("errors GOLD TEST --by rule -m METRIC", "parseval"),
    Command("GOLD TEST --pair auto -m METRIC", "times"),
    Command("info METRIC", takes_conllu=True),
]

#: Commands for which a row of counts for each sentence is enough.
BY_ROWS = [command for command in COMMANDS if command.line.split()[0] in ("report", "columns")]

#: Commands that are run on poor parses: not in every format, and without most pictures, which take long.
ON_POOR_PARSES = [
    command
    for command in COMMANDS
    if not re.search(
        "-f (markdown|latex|html|jsonl|csv)|--plot |--bca|--threads|info|GOLD TEST GOLD",
        command.line,
    )
    or command.line.endswith("histogram")
]


def pair_for(command: Command, name: str) -> FilePair:
    """Files that the metric can handle."""
    metric = treescore.metric(name)
    pairs = (TIMED, CONLLU) if "--pair" in command.line else (CLEAN, TIMED, CONLLU)
    return next(pair for pair in pairs if can_handle(metric, pair))


def ran(command: Command, name: str, files: Written) -> Ran:
    """Run the command for a metric."""
    prepare(files)
    other = "leaf_ancestor" if name == "tedeval" else "tedeval"
    line = command.line
    for word, text in (("GOLD", files.gold), ("TEST", files.test), ("METRIC", name), ("OTHER", other)):
        line = line.replace(word, text)
    return run(files.folder, *line.split())


def prepare(files: Written) -> None:
    """Write the files that only some commands read."""
    folder, pair = files.folder, files.pair
    if (folder / "units.txt").exists():
        return
    sentences = 3 if pair is CONLLU else len(pair.gold)
    (folder / "units.txt").write_text("".join(f"d{place // 2}\n" for place in range(sentences)), encoding="utf-8")
    lists = (f"{place}\t0\t-1.5\t{row}\n{place}\t1\t-2\t{row}\n" for place, row in enumerate(pair.test))
    (folder / "nbest.tsv").write_text("".join(lists), encoding="utf-8")
    if pair.has_equal_numbers:
        pq.write_table(table(files), folder / "pairs.parquet")


def refusal_of(result: Ran) -> str | None:
    """The line that says why the command could not be run."""
    assert result.code in (0, 1, 2)
    assert "Traceback" not in result.err and "Error:" not in result.err.replace("error:", "")
    if result.code != 2:
        return None
    *before, line = result.err.strip().splitlines()
    assert line.startswith("treescore") and "error: " in line
    assert not any("error" in other for other in before)
    return line


def why_not(command: Command, name: str, files: Written) -> tuple[bool, str | None]:
    """Is the metric accepted, and what is wrong with what the command did, if anything."""
    try:
        refusal = refusal_of(ran(command, name, files))
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"
    if refusal is None:
        return True, None
    if name not in refusal:
        return False, f"the metric is not named: {refusal}"
    lacks = command.lacks if command.takes_conllu else f"{command.lacks}|CoNLL-U"
    if command.lacks is None and (command.takes_conllu or "CoNLL-U" not in refusal):
        return False, f"refused: {refusal}"
    return False, None if re.search(lacks or "", refusal) else f"not said what it lacks: {refusal}"


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_command_accepts_a_metric_or_says_what_it_lacks(command: Command, written: dict[str, Written]) -> None:
    done = {name: why_not(command, name, written[pair_for(command, name).name]) for name in command.metrics}
    assert not {name: wrong for name, (_, wrong) in done.items() if wrong}
    assert any(accepted for accepted, _ in done.values()), "no metric is accepted"


@pytest.mark.parametrize("command", BY_ROWS, ids=str)
def test_rows_of_counts_are_enough(command: Command, written: dict[str, Written]) -> None:
    assert why_not(command, "toy", written[CLEAN.name]) == (True, None)


@pytest.mark.parametrize("pair", [NOTHING_PARSED, DIFFERENT_WORDS, TIMED], ids=str)
@pytest.mark.parametrize("name", METRICS)
def test_no_command_breaks_on_poor_parses(name: str, pair: FilePair, written: dict[str, Written]) -> None:
    """Figures may be undefined there, and the files may not be those that the metric needs."""
    broken = {}
    for command in ON_POOR_PARSES:
        try:
            refusal_of(ran(command, name, written[pair.name]))
        except Exception as error:
            broken[str(command)] = f"{type(error).__name__}: {error}"
    assert not broken


def test_the_toy_metric_is_scored(written: dict[str, Written]) -> None:
    """The metric is what it says, so that the laws above are about a metric that works."""
    files = written[DIFFERENT_WORDS.name]
    data = json.loads(run(files.folder, *files.arguments, "-m", "toy", "-f", "json").out)["scores"][0]
    assert data["counts"]["matched"] == data["counts"]["gold"] - 5
    assert data["value"] == data["all"] < 1


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_refused_for_files_that_it_cannot_handle(name: str, written: dict[str, Written]) -> None:
    metric = treescore.metric(name)
    wrong = [files for files in written.values() if not can_handle(metric, files.pair) and files.pair != TIMED_IN_PART]
    assert wrong
    for files in wrong:
        assert refusal_of(run(files.folder, *files.arguments, "-m", name)) is not None, files.pair


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("pair", [CLEAN, NOTHING_PARSED, DIFFERENT_WORDS, TIMED], ids=str)
def test_the_service_answers_for_every_metric(name: str, pair: FilePair) -> None:
    """Whatever is asked for; `internal` would be a fault of treescore."""
    signature = treescore.metric(name).signature
    gold, test = list(pair.gold), list(pair.test)
    scored = answer({"op": "score", "gold": gold, "test": test, "metrics": [signature]})
    answers = [
        scored,
        answer({"op": "align", "gold": gold, "test": test, "metric": signature}),
        answer({"op": "pairwise", "candidates": [gold[0], gold[0]], "metric": signature}),
    ]
    for error in (item["error"] for item in answers if "error" in item):
        assert error["code"] in ("metric", "request", "trees"), error["message"]
        assert name in error["message"] or "time" in error["message"]
    not_alike = answer({"op": "pairwise", "candidates": gold, "metric": signature})
    assert not_alike.get("error", {"code": ""})["code"] != "internal", not_alike
    if can_handle(treescore.metric(name), pair):
        (score,) = scored["scores"]
        again = answer({"op": "sum", "metric": signature, "counts": [score["counts"]]})
        assert again["scores"] == [score]
