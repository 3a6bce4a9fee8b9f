"""Results do not depend on how the work is divided: not on threads, blocks of text, updates or parts of a cluster."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pyarrow.parquet as pq
import pytest
from entry_points.every_entry_point import Refused, accepted, run, table
from entry_points.file_pairs import CLEAN, EMPTY, GARBAGE, LARGE, MISSING, TRUNCATED, FilePair, Written

import treescore

METRICS = ("parseval", "struct_iou", "sparseval", "leaf_ancestor|average:corpus", "dependencies", "disfluency")
#: Pairs of text in brackets.
PLAIN = (CLEAN, MISSING, GARBAGE, TRUNCATED, EMPTY, LARGE)


def in_json(files: Written, *options: str) -> str:
    """The whole result, problems included."""
    return accepted(files.folder, *files.arguments, "-f", "json", *options)


def all_metrics() -> Iterator[str]:
    """All metrics at once."""
    for signature in METRICS:
        yield from ("-m", signature)


@pytest.mark.parametrize("pair", [LARGE, GARBAGE], ids=str)
@pytest.mark.parametrize("more", [[], ["--per-sentence"], ["--by", "length"], ["--by", "label", "--ci"]], ids=" ".join)
def test_threads_change_nothing(more: list[str], pair: FilePair, written: dict[str, Written]) -> None:
    metrics = ["-m", "parseval", "-m", "struct_iou"] if "label" in more else [*all_metrics()]
    options = [*metrics, *more, *(["--ci-samples", "50"] if "--ci" in more else [])]
    results = {in_json(written[pair.name], *options, "--threads", threads) for threads in ("1", "2", "4")}
    assert len(results) == 1


@pytest.mark.parametrize("chunk", ["1", "300", "8K"])
@pytest.mark.parametrize("pair", PLAIN, ids=str)
def test_blocks_change_nothing(pair: FilePair, chunk: str, written: dict[str, Written]) -> None:
    files = written[pair.name]
    for signature in METRICS:
        expected = in_json(files, "-m", signature)
        for threads in ("1", "2"):
            assert in_json(files, "-m", signature, "--chunk", chunk, "--threads", threads) == expected
    together = in_json(files, *all_metrics())
    assert in_json(files, *all_metrics(), "--chunk", chunk) == together
    if pair is not CLEAN:
        assert json.loads(together)["problems"]["list"]


@pytest.mark.parametrize("by", ["label", "length"])
def test_blocks_change_no_table(by: str, written: dict[str, Written]) -> None:
    files = written[LARGE.name]
    for signature in ("parseval", "struct_iou", "leaf_ancestor"):
        options = ("-m", signature, "--by", by)
        assert in_json(files, *options, "--chunk", "1K") == in_json(files, *options)


@pytest.mark.parametrize("pair", PLAIN, ids=str)
def test_problems_stand_in_the_order_of_sentences(pair: FilePair, written: dict[str, Written]) -> None:
    """Before they are capped, whichever file or metric they are from."""
    for metrics in (["-m", "parseval"], ["-m", "sparseval"], [*all_metrics()]):
        data = json.loads(in_json(written[pair.name], *metrics))["problems"]["list"]
        units = [problem["unit"] for problem in data if problem["unit"] is not None]
        assert units == sorted(units)


def written_rows(files: Written, group: int) -> str:
    """The pair as a Parquet file with row groups of this size."""
    name = f"rows-{group}.parquet"
    pq.write_table(table(files), files.folder / name, row_group_size=group)
    return name


def totals(text: str) -> dict[str, Any]:
    """What is said of all rows, without the name of the file."""
    data = json.loads(text)
    assert isinstance(data, dict)
    for side in ("gold", "test"):
        data[side] = data[side]["trees"]
    return data


@pytest.mark.parametrize("pair", [GARBAGE, LARGE], ids=str)
def test_parts_of_a_cluster_change_nothing(pair: FilePair, written: dict[str, Written]) -> None:
    files = written[pair.name]
    results, rows = [], []
    for group, size in ((1000, "1"), (1000, "7"), (7, "50"), (3, "5"), (50, "1000")):
        if size == "1" and pair is LARGE:
            continue  # as many files as rows take long
        options = (*all_metrics(), "--workers", "0", "--rows-per-task", size, "--restart", "-o", "parts", "-f", "json")
        results.append(totals(accepted(files.folder, "columns", written_rows(files, group), *options)))
        parts = sorted((files.folder / "parts").glob("part-*.parquet"))
        rows.append([row for part in parts for row in pq.read_table(part).to_pylist()])
    columns = ("columns", written_rows(files, 11), *all_metrics(), "-f", "json")
    results += [totals(accepted(files.folder, *columns, "--threads", threads)) for threads in ("1", "2", "4")]
    for result in results:
        assert result == results[0]
    for item in rows:
        assert item == rows[0]
    assert len(rows[0]) == len(pair.gold)
    assert results[0]["problems"]["count"] > 0


def test_what_is_finished_is_kept(written: dict[str, Written]) -> None:
    """A second run takes its result from the parts that are there, and says the same."""
    files = written[LARGE.name]
    options = (written_rows(files, 50), "-m", "parseval", "--workers", "0", "--rows-per-task", "40", "-o", "kept")
    first = run(files.folder, "columns", *options)
    parts = {path: path.stat().st_mtime_ns for path in (files.folder / "kept").glob("part-*")}
    second = run(files.folder, "columns", *options)
    assert (first.code, first.out) == (second.code, second.out)
    assert parts == {path: path.stat().st_mtime_ns for path in (files.folder / "kept").glob("part-*")}
    assert len(parts) == 3


def test_flipped_bits_are_noticed(written: dict[str, Written]) -> None:
    """A part on disk is read as what was written, or it is made anew: never as other values."""
    files = written[CLEAN.name]
    options = (written_rows(files, 4), "-m", "parseval", "--workers", "0", "-o", "flipped", "-f", "json")
    expected = accepted(files.folder, "columns", *options)
    (part,) = (files.folder / "flipped").glob("part-*")
    whole = part.read_bytes()
    rows = pq.read_table(part).to_pylist()
    wrong = {}
    for place in range(4, len(whole) - 8, len(whole) // 60):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (place % 8)
        part.write_bytes(damaged)
        try:
            if accepted(files.folder, "columns", *options) != expected:
                wrong[place] = "another result"
            elif pq.read_table(part).to_pylist() != rows:
                wrong[place] = "other rows are left in the part"
        except Refused:
            continue
        except Exception as error:
            wrong[place] = f"{type(error).__name__}: {error}"
    assert not wrong, f"of {len(whole):,} bytes"


@pytest.mark.parametrize("signature", METRICS)
def test_updates_in_any_order_change_nothing(signature: str, written: dict[str, Written]) -> None:
    pair = written[LARGE.name].pair
    gold, test = list(pair.gold), list(pair.test)
    whole = treescore.Scorer(signature)
    whole.update(gold, test)
    parts = [treescore.Scorer(signature) for _ in range(3)]
    for place in reversed(range(0, len(gold), 17)):
        parts[place % 3].update(gold[place : place + 17], test[place : place + 17])
    merged = treescore.Scorer(signature)
    for part in parts:
        merged.merge(part)
    assert merged.sums(whole.metrics[0].signature) == whole.sums(whole.metrics[0].signature)
    assert (merged.size, merged.sentence_problems) == (whole.size, whole.sentence_problems)
    assert whole.sentence_problems > 0
