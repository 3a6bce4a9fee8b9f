"""Several gold trees for each sentence: the same score at every entry point that takes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from entry_points.every_entry_point import Outcome, accepted, differences, of_json, of_score
from entry_points.file_pairs import CLEAN, DIFFERENT_WORDS, GARBAGE, MISSING

import treescore
from treescore import Score
from treescore.integrations import huggingface
from treescore.integrations.service import answer
from treescore.scale.pairs import check_metrics, for_gold, score_columns

SIGNATURES = [
    f"{metric}|reference-by:{by}"
    for metric in (
        "parseval|profile:collins",
        "parseval|profile:none|average:sentence",
        "struct_iou",
        "leaf_ancestor",
        "sparseval",
    )
    for by in ("best", "mean")
]


@dataclass(frozen=True)
class Files:
    """Gold files and a test file in a folder, a tree on each line; None is a sentence without a tree."""

    name: str
    folder: Path
    golds: tuple[tuple[str | None, ...], ...]
    test: tuple[str | None, ...]

    @property
    def cells(self) -> list[list[str | None]]:
        """The gold trees of each sentence."""
        return [list(row) for row in zip(*self.golds, strict=True)]

    @property
    def more(self) -> list[str]:
        """The arguments for the other gold files."""
        return [word for number in range(1, len(self.golds)) for word in ("--reference", f"gold{number}.mrg")]

    def command(self, signature: str, *words: str) -> str:
        """What a command with these files prints."""
        before, files = ([words[0]], words[1:]) if words[0][0] != "-" else ([], words)
        arguments = (*before, "gold0.mrg", "test.mrg", *files, *self.more, "--layout", "line", "-m", signature)
        return accepted(self.folder, *arguments)


def _changed(rows: tuple[str | None, ...], old: str, new: str) -> tuple[str | None, ...]:
    return tuple(None if row is None else row.replace(old, new) for row in rows)


@pytest.fixture(scope="module", params=[CLEAN, DIFFERENT_WORDS, MISSING, GARBAGE], ids=str)
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The gold trees of a pair of files, the same with other labels, and its test trees."""
    pair = request.param
    folder = tmp_path_factory.mktemp("references")
    gold, test = tuple(pair.gold), tuple(pair.test)
    golds = (gold, _changed(gold, "(NP-SBJ", "(NP-PRD"), (*_changed(test, "(VP", "(X")[::2], *gold)[: len(gold)])
    for name, rows in (*((f"gold{number}", rows) for number, rows in enumerate(golds)), ("test", test)):
        (folder / f"{name}.mrg").write_text("".join(f"{row or ''}\n" for row in rows), encoding="utf-8")
    return Files(pair.name, folder, golds, test)


def _whole(files: Files, signature: str) -> Score:
    paths = [files.folder / f"gold{number}.mrg" for number in range(len(files.golds))]
    test = files.folder / "test.mrg"
    return treescore.evaluate(paths[0], test, signature, layout="line", references=paths[1:]).scores[0]


Call = Callable[[Files, str], Outcome]
ENTRY_POINTS: dict[str, Call] = {}


def entry_point(call: Call) -> Call:
    """Put a function into the table."""
    ENTRY_POINTS[call.__name__] = call
    return call


@entry_point
def command(files: Files, signature: str) -> Outcome:
    return of_json(json.loads(files.command(signature, "-f", "json"))["scores"][0])


@entry_point
def command_with_intervals(files: Files, signature: str) -> Outcome:
    return of_json(json.loads(files.command(signature, "-f", "json", "--ci", "--ci-samples", "20"))["scores"][0])


@entry_point
def command_with_one_file(files: Files, signature: str) -> Outcome:
    lines = (json.dumps({"id": str(place), "trees": trees}) for place, trees in enumerate(files.cells))
    (files.folder / "gold.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    tests = (json.dumps({"id": str(place), "tree": tree}) for place, tree in enumerate(files.test))
    (files.folder / "test.jsonl").write_text("".join(f"{line}\n" for line in tests), encoding="utf-8")
    text = accepted(files.folder, "gold.jsonl", "test.jsonl", "-m", signature, "-f", "json")
    return of_json(json.loads(text)["scores"][0])


@entry_point
def compare(files: Files, signature: str) -> Outcome:
    text = files.command(signature, "compare", "test.mrg", "--name", "A", "--name", "B", "-f", "json")
    metric = json.loads(text)["metrics"][0]
    first, other = ({**system, "name": None, "letters": None} for system in metric["systems"])
    assert first == other
    return Outcome(metric["signature"], first["own"], first["value"], first["coverage"])


@entry_point
def compare_in_python(files: Files, signature: str) -> Outcome:
    first, *others = files.golds
    systems = {"A": list(files.test), "B": list(files.test)}
    comparison = treescore.compare(list(first), systems, signature, references=[list(other) for other in others])
    return of_score(comparison["B"].scores[0])


@entry_point
def lists(files: Files, signature: str) -> Outcome:
    first, *others = files.golds
    references = [list(other) for other in others]
    return of_score(treescore.evaluate(list(first), list(files.test), signature, references=references).scores[0])


@entry_point
def lists_of_lists(files: Files, signature: str) -> Outcome:
    return of_score(treescore.evaluate(files.cells, list(files.test), signature).scores[0])


@entry_point
def scorer(files: Files, signature: str) -> Outcome:
    result = treescore.Scorer(signature)
    for cell, tree in zip(files.cells, files.test, strict=True):
        result.update([cell], [tree])
    return of_score(result.report().scores[0])


@entry_point
def merged_scorers(files: Files, signature: str) -> Outcome:
    result = treescore.Scorer(f"{signature}|references:{len(files.golds)}")
    for begin in range(0, len(files.test), 3):
        other = treescore.Scorer(f"{signature}|references:{len(files.golds)}")
        first, *others = (list(gold[begin : begin + 3]) for gold in files.golds)
        other.update(first, list(files.test[begin : begin + 3]), references=others)
        result.merge(other)
    return of_score(result.report().scores[0])


@entry_point
def columns(files: Files, signature: str) -> Outcome:
    rows = zip(files.cells, files.test, strict=True)
    text = "".join(json.dumps({"gold": cell, "test": tree}) + "\n" for cell, tree in rows)
    (files.folder / "pairs.jsonl").write_text(text, encoding="utf-8")
    return of_json(
        json.loads(accepted(files.folder, "columns", "pairs.jsonl", "-m", signature, "-f", "json"))["scores"][0]
    )


def _table(files: Files) -> pa.Table:
    return pa.table({"gold": pa.array(files.cells, pa.list_(pa.string())), "test": pa.array(files.test, pa.string())})


@entry_point
def columns_in_parts(files: Files, signature: str) -> Outcome:
    pq.write_table(_table(files), files.folder / "pairs.parquet", row_group_size=2)
    options = ("--workers", "0", "--rows-per-task", "3", "--restart", "-o", "scores", "-f", "json")
    text = accepted(files.folder, "columns", "pairs.parquet", *options, "-m", signature)
    return of_json(json.loads(text)["scores"][0])


@entry_point
def columns_in_python(files: Files, signature: str) -> Outcome:
    from treescore.scoring.tally import Tally

    metrics = for_gold(check_metrics(signature), files.cells)
    tally = Tally(metrics)
    for begin in range(0, len(files.test), 2):
        batch = score_columns(files.cells[begin : begin + 2], files.test[begin : begin + 2], metrics).batch
        tally.add(batch.renumbered(tally.size))
    return of_score(tally.report().scores[0])


@entry_point
def arrow(files: Files, signature: str) -> Outcome:
    return of_score(treescore.arrow.total(treescore.arrow.score(_table(files), signature)).scores[0])


@entry_point
def service(files: Files, signature: str) -> Outcome:
    answers = answer({"gold": files.cells, "test": list(files.test), "metrics": [signature]})
    return of_json(answers["scores"][0])


@entry_point
def hugging_face(files: Files, signature: str) -> Outcome:
    figures = huggingface.figures(list(files.test), files.cells, signature)
    return Outcome(figures["signature"], figures[treescore.metric(signature).main])


@pytest.mark.parametrize("name", ENTRY_POINTS)
def test_several_gold_trees_have_the_same_score_everywhere(files: Files, name: str) -> None:
    wrong = {}
    for signature in SIGNATURES:
        score = _whole(files, signature)
        assert f"|references:{len(files.golds)}|" in score.signature
        result = differences(ENTRY_POINTS[name](files, signature), score)
        if result:
            wrong[signature] = result
    assert not wrong


@pytest.mark.parametrize("signature", ["parseval", "struct_iou"])
def test_the_page_and_pictures_show_the_gold_tree_that_was_chosen(files: Files, signature: str) -> None:
    score = _whole(files, signature)
    page = files.command(signature, "report", "--pack", "none", "-o", "-")
    assert score.signature in page
    assert f'<span class="main">{score.figures[score.main].shown()}' in page
    for place in range(len(files.test)):
        shown = json.loads(files.command(signature, "show", "--id", str(place + 1), "-f", "json"))["sentences"][0]
        assert shown["signature"] == score.signature


def test_scores_differ_from_those_against_the_first_tree(files: Files) -> None:
    if files.name != CLEAN.name:  # elsewhere, more sentences can be scored against several trees
        return
    first = treescore.evaluate(list(files.golds[0]), list(files.test), "parseval").scores[0]
    best, mean = (_whole(files, f"parseval|reference-by:{by}") for by in ("best", "mean"))
    assert first.all is not None and best.all is not None and mean.all is not None
    assert mean.all < best.all > first.all
