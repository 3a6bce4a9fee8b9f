"""Rows that end processes are found, and work whose workers are killed too often comes to an end all the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from column_pairs import write_pairs
from hypothesis import given, strategies as st

from treescore._version import __version__
from treescore.helpers.steps import Steps
from treescore.scale import cluster, guarded
from treescore.scale.cluster import do_part, run_here, run_with
from treescore.scale.guarded import make_part_guarded
from treescore.scale.pairs import check_metrics
from treescore.scale.parts import Folder, Job, Piece, Plan, finished_part, make_part, plan
from treescore.scoring.tally import Tally
from treescore.values.problem import UsageError

METRICS = check_metrics("parseval")


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[Plan]:
    write_pairs(tmp_path / "pairs", files=1, rows=60, group=20)
    path = str(tmp_path / "pairs" / "0.parquet")
    made = plan(Job(METRICS, str(tmp_path / "scores"), [path]), [path], 20)
    with Folder(made):
        yield made


@given(st.sets(st.integers(0, 999), max_size=13))
def test_rows_that_kill_are_found(deadly: set[int]) -> None:
    job = Job(METRICS, "scores", ["pairs"])
    piece = Piece(0, "pairs", "pairs", (0, 0), "", 0, ((0, 0, 400), (1, 0, 600)))
    tries: list[tuple[int, int]] = []

    def tried(_: Job, piece: Piece, rows: tuple[int, int] | None, __: int | None) -> Tally | bool | None:
        begin, end = (0, 1000) if rows is None else rows
        tries.append((begin, end))
        if any(begin <= row < end for row in deadly - set(piece.poisoned)):
            return None
        found = Tally(METRICS)
        found.size = len(piece.poisoned)
        return found if rows is None else True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guarded, "_tried", tried)
        found = make_part_guarded(job, piece)
    if len(deadly) > 10:
        assert (found.size, found.lost_rows, found.lost_pieces) == (0, 1000, 2)
        assert "more than 10 of its rows crash the scoring process" in str(found.lost[0])
    else:
        assert (found.size, found.lost_rows) == (len(deadly), 0)
        assert len(tries) <= 2 + 22 * len(deadly)


def test_a_process_of_its_own(whole: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    job, (piece, *_) = whole.job, whole.pieces
    with monkeypatch.context() as patch:
        patch.setattr(guarded, "_PATIENCE", 0.001)  # it must be looked at before it is done
        assert guarded._tried(job, piece, (3, 5), 1) is None  # one byte of memory is not enough
    assert guarded._tried(job, piece, (3, 5), 1 << 40) is True
    assert finished_part(job, piece) is None

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(cluster, "make_part", fail)
        found = do_part(job, piece, __version__)
    known = finished_part(job, piece)
    assert known is not None
    assert known.as_data() == found.as_data()
    assert known.size == 20
    with pytest.raises(UsageError, match="a worker has treescore"):
        do_part(job, piece, "0.0")
    with pytest.raises(OSError, match="No such file"):  # the part cannot be written: no row is to blame
        make_part_guarded(job.replace(folder="/nowhere/at/all"), piece)


class Killed(Exception):
    """Of a worker."""


class Future:
    """What has come of a call."""

    def __init__(self, call: Callable[[], object]) -> None:
        self._made: Any = None
        self._error: Exception | None = None
        try:
            self._made = call()
        except (Killed, OSError) as error:
            self._error = error
        self.status = "error" if self._error else "finished"

    def exception(self) -> Exception | None:
        return self._error

    def result(self) -> Any:
        if self._error:
            raise self._error
        return self._made


class Completed:
    """Futures in an order of their own, with those that are added meanwhile."""

    def __init__(self, futures: Iterable[Future]) -> None:
        self._futures = list(futures)

    def add(self, future: Future) -> None:
        self._futures.append(future)

    def __iter__(self) -> Iterator[Future]:
        while self._futures:
            yield self._futures.pop()


class Client:
    """Does all work at once, and kills tasks whose names match some pattern."""

    KilledWorker = Killed
    CancelledError = InterruptedError
    as_completed = Completed

    def __init__(self, *deadly: str) -> None:
        self.deadly = deadly
        self.keys: list[str] = []

    def map(self, work: Callable[..., object], *values: Sequence[Any], key: list[str], **options: Any) -> list[Future]:
        self.keys += key
        return [
            Future(lambda name=name, some=some: self._do(name, work, some, options))  # type: ignore[misc]
            for name, some in zip(key, zip(*values, strict=True), strict=True)
        ]

    def _do(self, name: str, work: Callable[..., object], values: Sequence[Any], options: dict[str, Any]) -> object:
        if any(re.search(pattern, name) for pattern in self.deadly):
            raise Killed
        plain = [[one.result() for one in value] if isinstance(value, list) else value for value in values]
        return work(*plain, **options)

    def cancel(self, futures: list[Future], force: bool) -> None:
        assert futures
        assert force


def done(whole: Plan, client: Client, monkeypatch: pytest.MonkeyPatch) -> Tally:
    monkeypatch.setattr(cluster, "library", lambda _="": client)
    monkeypatch.setattr(cluster, "make_part_guarded", lambda job, piece, limit=None: make_part(job, piece))
    monkeypatch.setattr(cluster, "_memory_limit", lambda: None)
    monkeypatch.setattr(cluster, "_TOGETHER", 2)
    return run_with(client, whole, Steps())


@pytest.mark.parametrize(
    "deadly", [(), ("-part-",), ("-part-", "-guarded-1-", "-guarded-2-"), ("-sum-",), ("-sum-", "-part-")]
)
def test_killed_tasks(whole: Plan, deadly: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(*deadly)
    found = done(whole, client, monkeypatch)
    assert found.as_data() == run_here(whole, Steps()).as_data()
    assert len(set(client.keys)) == len(client.keys)


def test_pieces_whose_workers_are_always_killed(whole: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client("-1$")  # the second piece in all rounds
    found = done(whole, client, monkeypatch)
    assert (found.size, found.lost_rows, found.lost_pieces) == (40, 20, 1)
    assert found.problem_log().codes()["killed"] == 1
    assert "row group 2: all its workers have been killed (20 rows not scored)" in str(found.lost[0])
    assert [finished_part(whole.job, piece) is None for piece in whole.pieces] == [False, True, False]


def test_parts_that_cannot_be_written(whole: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = whole.replace(job=whole.job.replace(folder="/nowhere/at/all"))
    with pytest.raises(OSError, match="No such file"):
        done(nowhere, Client(), monkeypatch)
