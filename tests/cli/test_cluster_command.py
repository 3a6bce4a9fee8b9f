"""`treescore columns` with workers: some are killed while they work, runs are stopped, and rows end processes.

What comes out must be what one process gives, byte for byte. Workers are those of commands that the tests start, and
are killed by their ids. To have time for that, and to have rows that kill, the processes start with other scoring
(`sitecustomize.py`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cluster_processes import content, dask, environment, parts, started, workers_of
from column_pairs import write_pairs
from command import treescore, treescore_inside

from treescore.scale import cluster
from treescore.scale.pairs import WINDOW
from treescore.values.problem import UsageError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="workers are killed by signals")

SITE = """
import os, time
from treescore.scale import pairs
plain = pairs.score_columns
def score_columns(gold, test, *others, **options):
    time.sleep(float(os.environ.get("SLOW", "0")))
    if any(b"DEADLY" in tree for tree in gold if isinstance(tree, bytes)) and os.getpid() != SPARED:
        os.kill(os.getpid(), 9)
    return plain(gold, test, *others, **options)
pairs.score_columns = score_columns
SPARED = int(os.environ.get("SPARED", "0"))
"""


def changed(folder: Path, **more: str) -> dict[str, str]:
    """The environment of processes that score slowly, and that some rows kill."""
    return environment(folder, SITE, **more)


def wait_until(true: Callable[[], object], run: subprocess.Popen[str]) -> None:
    """Wait for something, at most a minute and while the command runs."""
    deadline = time.monotonic() + 60
    while not true():
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def single(folder: Path, *arguments: str) -> tuple[str, dict[str, bytes]]:
    """What one process says and writes; the parts hold what `treescore columns` gives for the same rows."""
    stdout, _ = treescore_inside(folder, "columns", "pairs", *arguments, "--workers", "0", "-o", "single")
    plain, _ = treescore_inside(folder, "columns", "pairs", *_without_rows(arguments), "-o", "plain.parquet")
    assert stdout == plain
    whole = pq.read_table(folder / "plain.parquet")
    result = pa.concat_tables([pq.read_table(path) for path in parts(folder / "single")], promote_options="none")
    assert result.equals(whole)
    assert result.schema.remove_metadata().equals(whole.schema.remove_metadata())
    kept = {key: value for key, value in result.schema.metadata.items() if key != b"treescore.part"}
    assert kept == whole.schema.metadata
    return stdout, content(folder / "single")


def _without_rows(arguments: Sequence[str]) -> list[str]:
    at = arguments.index("--rows-per-task")
    return [*arguments[:at], *arguments[at + 2 :]]


def check_killed_workers(folder: Path, kills: int, slow: str, every: int) -> None:
    """Kill workers again and again while a command runs, and look whether anybody can tell."""
    options = ("--rows-per-task", "20", "--id-column", "id", "-m", "parseval", "-m", "struct_iou")
    wanted = single(folder, *options)
    killed: list[int] = []
    env = changed(folder, SLOW=slow)
    with started(folder, "treescore", "columns", "pairs", *options, "--workers", "2", env=env) as run:
        out = folder / "pairs.scores"
        while len(killed) < kills:
            wait_until(lambda: len(parts(out)) >= every * (len(killed) + 1), run)
            wait_until(lambda: workers_of(run), run)
            victim = workers_of(run)[0]
            os.kill(victim.pid, signal.SIGKILL)
            killed.append(victim.pid)
        stdout, stderr = run.communicate(timeout=120)
    assert (run.returncode, stderr) == (0, "")
    assert len(set(killed)) == kills
    assert (stdout, content(out)) == wanted


def test_killed_workers(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs", files=3, rows=300, group=20)
    check_killed_workers(tmp_path, kills=3, slow="0.1", every=8)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_many_killed_workers(tmp_path: Path, seed: int) -> None:
    write_pairs(tmp_path / "pairs", files=5, rows=400, group=20, seed=seed)
    check_killed_workers(tmp_path, kills=12, slow="0.3", every=3 + seed)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["stopped", "killed"])
def test_a_run_goes_on_where_it_ended(tmp_path: Path, how: signal.Signals) -> None:
    write_pairs(tmp_path / "pairs", files=2, rows=200, group=20)
    options = ("--rows-per-task", "20")
    wanted = single(tmp_path, *options)
    out = tmp_path / "pairs.scores"
    env = changed(tmp_path, SLOW="0.1")
    with started(tmp_path, "treescore", "columns", "pairs", *options, "--workers", "2", env=env) as run:
        wait_until(lambda: len(parts(out)) >= 5, run)
        if how == signal.SIGINT:
            os.killpg(run.pid, how)  # as a terminal does
        else:
            run.kill()
        stdout, stderr = run.communicate(timeout=60)
    assert stdout == ""
    if how == signal.SIGINT:
        assert run.returncode == 130
        assert stderr.endswith("pairs.scores; the same command continues the run\n")
        assert stderr.count("\n") == 1
        assert not list(out.glob(".*"))
    before = {path: path.stat().st_mtime_ns for path in parts(out)}
    assert 5 <= len(before) < 20
    assert not (out / "_total.json").exists()
    again, output = treescore_inside(tmp_path, "columns", "pairs", *options, "--workers", "0")
    assert f"{len(before)} of 20 parts in {out} already exist" in output
    assert (again, content(out)) == wanted
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_a_row_that_kills(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs", files=1, rows=60, group=20)
    table = pq.read_table(tmp_path / "pairs" / "0.parquet")
    gold = table["gold"].to_pylist()
    gold[26] = "(S (DEADLY x))"
    pq.write_table(table.set_column(0, "gold", pa.array(gold)), tmp_path / "pairs" / "0.parquet", row_group_size=20)
    env = changed(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    stdout, _ = treescore(
        tmp_path,
        "columns",
        "pairs",
        "--rows-per-task",
        "20",
        "--workers",
        "2",
        "-f",
        "json",
        "--strict",
        env=env,
        code=1,
    )
    assert json.loads(stdout)["problems"]["by_code"]["killed"] == 1
    assert json.loads(stdout)["gold"]["trees"] == 60
    rows = [row for path in parts(tmp_path / "pairs.scores") for row in pq.read_table(path).to_pylist()]
    gold[26] = None
    pq.write_table(table.set_column(0, "gold", pa.array(gold)), tmp_path / "pairs" / "0.parquet", row_group_size=20)
    treescore_inside(tmp_path, "columns", "pairs", "-o", "plain.parquet")
    plain = pq.read_table(tmp_path / "plain.parquet").to_pylist()
    assert rows[26].pop("problem").startswith("killed: gold: scoring this pair repeatedly crashed the process")
    assert plain[26].pop("problem").startswith("null: gold: there is no tree")
    # No sentence is excluded, neither gold nor test is to blame, and so no figure over all sentences is defined.
    assert (plain[26].pop("excluded"), plain[26].pop("lost")) == (1, 0)
    assert (rows[26].pop("excluded"), rows[26].pop("lost")) == (0, 1)
    assert rows == plain
    assert json.loads(stdout)["scores"][0]["all"] is None


def test_a_scheduler(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs", files=2, rows=60, group=20)
    options = ("--rows-per-task", "20")
    wanted = single(tmp_path, *options)
    command = ("treescore", "columns", "pairs", *options, "--scheduler", "scheduler.json")
    with dask(tmp_path, "scheduler", "--port", "0", "--host", "127.0.0.1") as scheduler:
        wait_until((tmp_path / "scheduler.json").exists, scheduler)
        with started(tmp_path, *command) as run:
            assert run.stderr is not None
            assert "has no workers; waiting for the first" in run.stderr.readline()
            with dask(tmp_path, "worker", "--nthreads", "2"):
                stdout, stderr = run.communicate(timeout=60)
        assert (run.returncode, stderr) == (0, "")
        assert (stdout, content(tmp_path / "pairs.scores")) == wanted
        env = changed(tmp_path, SLOW="0.3")
        with dask(tmp_path, "worker", "--nthreads", "1", env=env), started(tmp_path, *command, "-o", "again") as run:
            wait_until(lambda: parts(tmp_path / "again"), run)
            scheduler.kill()
            stdout, stderr = run.communicate(timeout=60)
    assert (run.returncode, stdout) == (2, "")
    assert "the scheduler has stopped" in stderr
    assert all(line.startswith("treescore: ") for line in stderr.splitlines()), stderr


@pytest.mark.parametrize("rows", ["1", "10000", "100000"])
def test_row_groups_that_are_split(tmp_path: Path, rows: str) -> None:
    (tmp_path / "pairs").mkdir()
    size = 2 * WINDOW + 900
    labels = ["TOP"] * (WINDOW - 3) + ["ROOT"] * (size - WINDOW + 3)
    table = pa.table({"gold": ["(TOP (NN a))"] * size, "test": [f"({label} (NN a))" for label in labels]})
    for name in ("a", "b"):
        pq.write_table(table, tmp_path / "pairs" / f"{name}.parquet", row_group_size=size - 800)
    stdout, _ = single(tmp_path, "--rows-per-task", rows)
    assert "Outer bracket differs in 18,190 sentences; try outer:ignored" in stdout
    assert len(parts(tmp_path / "single")) == {"1": 8, "10000": 6, "100000": 2}[rows]


def test_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pairs(tmp_path / "pairs", files=1, rows=5, group=5)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.jsonl").write_text("{}")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(cluster, "_CONNECT", 0.5)
    for arguments, message in (
        (["missing"], "missing: No such file"),
        (["empty"], "empty: there are no files in it with the endings"),
        (["other"], "a.jsonl is not Parquet, which --workers and --scheduler need; leave them out"),
        (["file"], "file is not Parquet"),
        (["pairs", "pairs"], "name the folder of the scores by -o FOLDER"),
        (["pairs", "-o", "pairs/scores"], "is inside"),
        (["pairs", "-o", "pairs"], "is inside"),
        (["pairs", "-o", "file"], "file is not a folder"),
        (["pairs", "--gold-column", "tree"], "0.parquet: there is no column 'tree'; there are: gold, test, id"),
        (["pairs", "-m", "aligned_parseval"], "cannot score single rows"),
        (["pairs", "--scheduler", "x", "--workers", "2"], "a scheduler has its own workers"),
        (["pairs", "--scheduler", "tcp://127.0.0.1:9"], "there is no Dask scheduler at tcp://127.0.0.1:9"),
        (["pairs", "--scheduler", "nonsense"], "there is no Dask scheduler at nonsense"),
        (["pairs", "--workers", "-1"], "is not a number of processes (or auto) from 0 to 9,999"),
        (["pairs", "--workers", "2", "--threads", "2"], "--threads: each worker has one thread; use --workers"),
        (["pairs", "--rows-per-task", "0"], "not a number of rows from 1"),
    ):
        workers = [] if {"--scheduler", "--workers"} & set(arguments) else ["--workers", "auto"]
        _, stderr = treescore_inside(tmp_path, "columns", *arguments, *workers, code=2)
        assert message in stderr
    for arguments, message in (
        (["pairs", "--restart"], "--restart needs --workers or --scheduler"),
        (["pairs", "--rows-per-task", "9"], "--rows-per-task needs --workers or --scheduler"),
    ):
        _, stderr = treescore_inside(tmp_path, "columns", *arguments, code=2)
        assert message in stderr
    assert {path.name for path in tmp_path.iterdir()} == {"empty", "file", "other", "pairs"}


def test_damage_has_an_exit_code(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs", files=2, rows=5, group=5)
    (tmp_path / "pairs" / "1.parquet").write_bytes(b"PAR1")
    stdout, stderr = treescore_inside(tmp_path, "columns", "pairs", "--workers", "0", code=1)
    assert "5 sentences" in stdout
    assert "1 piece of the input not scored, with 0 rows as far as is known\n" in stdout
    assert "1 unreadable" in stdout
    assert stderr.startswith("treescore: pairs/1.parquet: this parquet file is damaged")
    assert "not scored, with 0 rows as far as is known; the same command tries again" in stderr
    assert json.loads((tmp_path / "pairs.scores" / "_total.json").read_text())["lost"] == {"pieces": 1, "rows": 0}


def test_what_workers_see(tmp_path: Path) -> None:
    there, elsewhere = tmp_path / "lock", tmp_path / "x" / "lock"
    there.touch()
    assert cluster.sees_files(str(there), str(there))
    assert not cluster.sees_files(str(elsewhere), str(there))
    assert not cluster.sees_files(str(there), str(elsewhere))


def test_without_dask(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs", files=1, rows=5, group=5)
    script = (
        "import sys; sys.modules['distributed'] = None; from treescore.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    for arguments, code in ((("--workers", "0"), 0), (("--workers", "auto"), 2)):
        done = subprocess.run(
            [sys.executable, "-c", script, "columns", "pairs", *arguments],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert done.returncode == code
        assert code == 0 or b"pip install 'treescore[cluster]'" in done.stderr


@pytest.mark.parametrize("fault", [RuntimeError("Nanny failed to start."), OSError("no ports")])
def test_workers_that_are_killed_at_once_start_again(fault: Exception) -> None:
    class Distributed:
        starts = 0

        def LocalCluster(self, n_workers: int, **_: object) -> int:
            self.starts += 1
            if self.starts < 4:
                raise fault
            return n_workers

    library = Distributed()
    if isinstance(fault, RuntimeError):
        assert cluster._local(library, 7) == 7
        return
    with pytest.raises(UsageError, match="cannot start workers"):
        cluster._local(library, 7)
    assert library.starts == 1


def test_workers_that_end_while_they_are_checked() -> None:
    class Client:
        def __init__(self, answers: dict[str, object] | OSError) -> None:
            self.answers = answers

        def run(self, *_: object, on_error: str) -> dict[str, object]:
            assert on_error == "return"
            if isinstance(self.answers, OSError):
                raise self.answers
            return self.answers

    error = ModuleNotFoundError("No module named 'treescore'")
    answers = {"tcp://a": "version", "tcp://b": ConnectionError("closed"), "tcp://c": error}
    assert cluster._answers(Client(answers), "scores", cluster.version_here) == {"tcp://a": "version", "tcp://c": error}
    with pytest.raises(UsageError, match=r"scheduler has stopped .*; finished parts are kept in scores"):
        cluster._answers(Client(ConnectionError("closed")), "scores", cluster.version_here)
