"""`treescore columns`: files of all kinds in and out, failures, and what is imported."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import inside

import treescore
from treescore.cli import main

GOLD = ["(S (NP (NN a)) (VP (VB b)))", "(S (NN a))", "(S (名詞 猫))", "(S (NN a))"]
TEST = ["(S (NP (NN a)) (NP (VB b)))", None, "(S (名詞 猫))", "(S ("]
IDS = ["u1", "u2", "ü3", "u4"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    table = pa.table({"other": [1] * 4, "tree": GOLD, "parse": pa.array(TEST).dictionary_encode(), "id": IDS})
    pq.write_table(table, tmp_path / "pairs.parquet", row_group_size=3)
    with pa.ipc.new_file(tmp_path / "pairs.arrow", table.schema) as file:
        file.write_table(table)
    with pa.ipc.new_stream(tmp_path / "pairs.arrows", table.schema) as file:
        file.write_table(table)
    rows = zip(GOLD, TEST, IDS, strict=True)
    lines = "".join(json.dumps({"tree": gold, "parse": test, "id": id}) + "\n\n" for gold, test, id in rows)
    (tmp_path / "pairs.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "packed.jsonl").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    """Standard output and standard error."""
    names = ("--gold-column", "tree", "--test-column", "parse")
    stdout, stderr, result = inside(folder, lambda: main(["columns", *arguments, *names]))
    assert result == code, stderr
    return stdout.decode(), stderr.decode()


def rows_of(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if path.suffix == ".parquet":
        table = pq.read_table(path)
    else:
        opened = pa.ipc.open_file if path.suffix == ".arrow" else pa.ipc.open_stream
        table = opened(path.read_bytes()).read_all()
    signature = treescore.arrow.signatures(table.schema)[0]
    rows: list[dict[str, Any]] = table.to_pylist()
    return [{**row, "signature": signature} for row in rows]


@pytest.mark.parametrize("out", ["out.parquet", "out.arrow", "out.arrows", "out.jsonl"])
def test_all_kinds_say_the_same(folder: Path, out: str) -> None:
    wanted: Any = None
    for name in ("pairs.parquet", "pairs.arrow", "pairs.arrows", "pairs.jsonl", "packed.jsonl"):
        stdout, _ = run(folder, name, "-o", out, "--id-column", "id", "-f", "json")
        total = json.loads(stdout)
        assert total["problems"]["by_code"] == {"null": 1, "unclosed": 1}
        assert total["gold"]["trees"] == 4
        result = rows_of(folder / out), total["scores"]
        assert wanted is None or result == wanted
        wanted = result
    rows, scores = wanted
    assert [row["id"] for row in rows] == IDS
    assert [row["score"] for row in rows] == [pytest.approx(2 / 3), None, 1.0, None]
    assert [row["status"] for row in rows] == [0, 2, 0, 1]
    assert {row["signature"] for row in rows} == {scores[0]["signature"]}
    report = treescore.evaluate(GOLD, ["()" if tree is None else tree for tree in TEST])
    assert [row["matched"] for row in rows] == list(report["parseval"].counts["matched"])
    assert not list(folder.glob("*.part"))


def test_several_files_and_folders(folder: Path) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "b.parquet").write_bytes((folder / "pairs.parquet").read_bytes())
    (folder / "parts" / "a.jsonl").write_bytes((folder / "pairs.jsonl").read_bytes())
    (folder / "parts" / "notes.txt").write_text("no columns")
    stdout, _ = run(folder, "parts", "pairs.arrow", "-o", "out.parquet")
    assert "12 sentences: 6 scored, 6 failed" in stdout
    assert "6 problems: 3 null, 3 unclosed\n  row 2: test: there is no tree" in stdout
    assert pq.read_table(folder / "out.parquet")["row"].to_pylist() == list(range(1, 13))


def test_failures(folder: Path) -> None:
    (folder / "out.parquet").write_bytes(b"before")
    (folder / "cut.arrows").write_bytes((folder / "pairs.arrows").read_bytes()[:-200])
    (folder / "cut.parquet").write_bytes((folder / "pairs.parquet").read_bytes()[:-20])
    (folder / "cut.jsonl").write_bytes((folder / "packed.jsonl").read_bytes()[:-20])
    (folder / "none.jsonl").write_bytes(b"")
    (folder / "nothing").mkdir()
    for arguments, message in (
        (["pairs.jsonl", "cut.arrows"], "cut.arrows: this arrows file is damaged"),
        (["cut.parquet"], "cut.parquet: this parquet file is damaged"),
        (["cut.jsonl"], "cut.jsonl: this gzip data is damaged"),
        (["none.jsonl"], "none.jsonl: there are no rows in it"),
        (["nothing"], "nothing: there are no files in it with the endings"),
        (["missing.parquet"], "missing.parquet: No such file"),
        (["pairs.parquet", "--id-column", "x"], "there is no column 'x'; there are: other, tree, parse, id"),
        (["pairs.jsonl", "--id-column", "x"], "no row has a column 'x'; there are: tree, parse, id"),
        (["pairs.jsonl", "-m", "aligned_parseval"], "cannot score single rows"),
    ):
        _, stderr = run(folder, *arguments, "-o", "out.parquet", code=2)
        assert message in stderr
        assert (folder / "out.parquet").read_bytes() == b"before"
    assert "is an input file" in run(folder, "pairs.jsonl", "-o", "pairs.jsonl", code=2)[1]
    assert "the name must end in one of" in run(folder, "pairs.jsonl", "-o", "out.txt", code=2)[1]
    assert not list(folder.glob("*.part"))


def test_hostile_lines(folder: Path) -> None:
    lines = [b'{"tree": "(S (NN a))", "parse": "(S (NN a))"}', b"\xff\xff", b"[1]", b"{", b"[" * 100_000, b"{}",
             b'{"tree": 3, "parse": NaN}', b"1" * 5000]  # fmt: skip
    (folder / "odd.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\n".join(lines))
    stdout, stderr = run(folder, "odd.jsonl", "--strict", "-o", "-", code=1)
    assert [json.loads(line)["status"] for line in stdout.splitlines()] == [0, 1, 1, 1, 1, 2, 1, 1]
    assert "9 problems: 5 json, 3 null, 1 type" in stderr


def test_json_lines_need_no_pyarrow(folder: Path) -> None:
    names = ("--gold-column", "tree", "--test-column", "parse")
    script = "import sys; sys.modules['pyarrow'] = None; from treescore.cli import main; sys.exit(main(sys.argv[1:]))"
    for arguments, code in (
        (("pairs.jsonl", "-o", "-"), 0),
        (("pairs.parquet",), 2),
        (("pairs.jsonl", "-o", "x.pq"), 2),
    ):
        done = subprocess.run(
            [sys.executable, "-c", script, "columns", *arguments, *names], cwd=folder, capture_output=True, check=False
        )
        assert done.returncode == code
        assert code == 0 or b"pip install 'treescore[scale]'" in done.stderr
