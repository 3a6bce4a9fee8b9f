"""Parts of scores: whole or not there, told from others, the same for any cut and order; damage stays where it is."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from column_pairs import gold_and_test, write_pairs
from hypothesis import given, strategies as st

import treescore
from treescore.helpers.steps import Steps
from treescore.metrics.base import Metric
from treescore.scale import parts
from treescore.scale.cluster import run_here
from treescore.scale.pairs import WINDOW, check_metrics, score_columns
from treescore.scale.parts import Folder, Job, Plan, cut, finished_part, make_part, part_name, plan
from treescore.scoring.problem_log import FEW_PROBLEMS
from treescore.scoring.tally import Tally
from treescore.values.problem import UsageError

METRICS = check_metrics(["parseval", "struct_iou"])


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    write_pairs(tmp_path / "pairs", files=2, rows=60, group=20)
    return tmp_path / "pairs"


def planned(pairs: Path, rows: int = 20, folder: str = "scores") -> Plan:
    job = Job(METRICS, str(pairs.parent / folder), [str(pairs)], id="id")
    return plan(job, [str(path) for path in sorted(pairs.iterdir())], rows)


def done(whole: Plan, **options: bool) -> Tally:
    with Folder(whole, **options):
        return run_here(whole, Steps())


def content(whole: Plan) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path(whole.job.folder).iterdir())}


@given(st.lists(st.integers(0, 3 * WINDOW), max_size=8), st.integers(1, 3 * WINDOW))
def test_every_row_is_in_one_piece(sizes: list[int], rows: int) -> None:
    pieces = list(cut(sizes, rows))
    spans = [span for piece in pieces for span in piece]
    wanted = [(group, row) for group, size in enumerate(sizes) for row in range(0, size, WINDOW)]
    assert [(group, row) for group, begin, end in spans for row in range(begin, end, WINDOW)] == wanted
    assert sum(end - begin for _, begin, end in spans) == sum(sizes)
    assert all(begin % WINDOW == 0 for _, begin, _ in spans)
    assert all(
        sum(end - begin for _, begin, end in piece) <= max(rows, -(-rows // WINDOW) * WINDOW) for piece in pieces
    )


def tally_of(metrics: Sequence[Metric], gold: Sequence[object], test: Sequence[object], begin: int = 0) -> Tally:
    tally = Tally(metrics, most=FEW_PROBLEMS)
    tally.add(score_columns(gold, test, metrics).batch.renumbered(begin))
    return tally


def test_tallies_do_not_depend_on_cuts_and_order() -> None:
    gold, test = gold_and_test(200)
    whole = tally_of(METRICS, gold, test)
    draw = random.Random(3)
    for _ in range(5):
        cuts = sorted({0, 200, *draw.choices(range(200), k=6)})
        some = []
        for begin, end in pairwise(cuts):
            part = tally_of(METRICS, gold[begin:end], test[begin:end], begin)
            data = json.loads(json.dumps(part.as_data()))
            some.append(Tally.from_data(METRICS, data, most=FEW_PROBLEMS))
        draw.shuffle(some)
        split = draw.randrange(1, len(some))
        result = Tally.added([Tally.added(some[:split]), Tally.added(some[split:])])
        assert result.problem_log().problems == whole.problem_log().problems
        assert list(result.problem_log().codes().items()) == list(whole.problem_log().codes().items())
        assert result.report().to("json") == whole.report().to("json")
    assert len(whole.problem_log().problems) == FEW_PROBLEMS


def test_what_concerns_all_rows_is_said_once() -> None:
    metrics = check_metrics("struct_iou")
    gold, test = ["(TOP (NN-X a))", None], ["(TOP (NN a))"] * 2
    log = Tally.added([tally_of(metrics, gold, test, begin) for begin in (6, 0, 3)]).problem_log()
    assert log.codes() == {"function-tags": 1, "null": 3}
    assert [problem.unit for problem in log.problems] == [None, 2, 5, 8]


def test_parts_are_made_once(pairs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = planned(pairs)
    assert [piece.rows for piece in whole.pieces] == [20] * 6
    first = done(whole)
    before = content(whole)
    rows = pq.read_table(whole.job.folder)
    assert rows["id"].to_pylist() == [f"{file}-{row}" for file in range(2) for row in range(60)]
    assert treescore.arrow.total(rows)["parseval"].figures == first.report()["parseval"].figures
    monkeypatch.setattr(parts, "score_columns", None)  # not needed any more
    again = done(planned(pairs))
    assert again.as_data() == first.as_data()
    assert content(whole) == before


def test_half_a_part_is_none(pairs: Path) -> None:
    whole = planned(pairs)
    wanted = done(whole)
    before = content(whole)
    folder = Path(whole.job.folder)
    names = [part_name(whole.job, piece) for piece in whole.pieces]
    (folder / names[0]).write_bytes(before[names[0]][:-1])
    (folder / names[1]).write_bytes(before[names[1]][: len(before[names[1]]) // 2])
    (folder / names[2]).write_bytes(b"")
    (folder / names[3]).write_bytes(before[names[4]])  # whole, but of another piece
    (folder / f".treescore-{'0' * 16}.tmp").write_bytes(b"PAR1")
    assert [finished_part(whole.job, piece) is None for piece in whole.pieces] == [True] * 4 + [False] * 2
    assert done(whole).as_data() == wanted.as_data()
    assert content(whole) == before


@pytest.mark.parametrize("step", [29, pytest.param(1, marks=pytest.mark.long)])
def test_damaged_bytes_are_noticed(pairs: Path, step: int) -> None:
    whole = planned(pairs)
    wanted = done(whole)
    before = content(whole)
    piece = whole.pieces[0]
    path = Path(whole.job.folder) / part_name(whole.job, piece)
    data = bytearray(path.read_bytes())
    for place in range(0, len(data), step):
        data[place] ^= 1 << place % 8
        path.write_bytes(data)
        assert finished_part(whole.job, piece) is None, place
        data[place] ^= 1 << place % 8
    path.write_bytes(data[:-1])
    with Folder(whole) as folder:
        assert (folder.damaged, folder.kept) == (1, 5)
    assert done(whole).as_data() == wanted.as_data()
    assert content(whole) == before


def test_a_part_has_its_name_only_when_it_is_whole(pairs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = planned(pairs)
    with Folder(whole):
        monkeypatch.setattr(os, "fsync", _full)
        with pytest.raises(OSError, match="disk"):
            make_part(whole.job, whole.pieces[0])
        assert [path.name for path in Path(whole.job.folder).iterdir()] == [".lock"]
    assert not Path(whole.job.folder).exists()


def _full(_: int) -> None:
    raise OSError(28, "the disk is full")


def test_other_settings_and_other_input(pairs: Path) -> None:
    whole = planned(pairs)
    done(whole)
    before = content(whole)
    other = whole.job.replace(metrics=tuple(METRICS[:1]))
    for job in (other, whole.job.replace(form="spans"), whole.job.replace(id=None, id_type=None)):
        with (
            pytest.raises(UsageError, match="has the scores of another run, by parseval"),
            Folder(Plan(job, [], Tally([]))),
        ):
            pass
    moved = whole.job.replace(inputs=("/elsewhere",))
    with (
        pytest.raises(UsageError, match=r"has the scores of another run, of .*pairs"),
        Folder(Plan(moved, [], Tally([]))),
    ):
        pass
    with pytest.raises(UsageError, match="with another --rows-per-task"), Folder(planned(pairs, 40)):
        pass
    assert content(whole) == before
    done(Plan(other, whole.pieces, Tally(other.metrics)), restart=True)
    assert content(whole).keys().isdisjoint(before)
    assert len(content(whole)) == 6


def test_stale_parts_are_made_anew(pairs: Path) -> None:
    whole = planned(pairs)
    done(whole)
    write_pairs(pairs, files=1, rows=60, group=20, seed=9)
    new = planned(pairs)
    with Folder(new) as folder:
        assert (folder.kept, folder.stale) == (3, 3)  # of the second file, which has not changed
        result = run_here(new, Steps())
    assert content(new).keys() == {part_name(new.job, piece) for piece in new.pieces}
    fresh = planned(pairs, folder="fresh")
    assert result.as_data() == done(fresh).as_data()
    os.utime(pairs / "0.parquet")
    with Folder(planned(pairs)) as folder:
        assert (folder.kept, folder.stale) == (3, 3)


def test_files_of_others_are_left_alone(pairs: Path) -> None:
    whole = planned(pairs)
    Path(whole.job.folder).mkdir()
    strange = Path(whole.job.folder, "mine.parquet")
    strange.write_bytes(b"")
    for restart in (False, True):
        with (
            pytest.raises(UsageError, match=r"other files in it, such as mine\.parquet"),
            Folder(whole, restart=restart),
        ):
            pass
    assert list(Path(whole.job.folder).iterdir()) == [strange]


@pytest.mark.skipif(os.name == "nt", reason="there are no such locks")
def test_one_run_at_a_time(pairs: Path) -> None:
    whole = planned(pairs)
    with Folder(whole), pytest.raises(UsageError, match="another run is writing"), Folder(whole):
        pass
    assert len(done(whole).report().scores) == 2


def damage(path: Path, group: int) -> None:
    """Overwrite what a row group has in the column of gold trees."""
    column = pq.read_metadata(path).row_group(group).column(0)
    data = bytearray(path.read_bytes())
    begin = column.dictionary_page_offset or column.data_page_offset
    data[begin : begin + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(data)


@pytest.mark.parametrize("rows", [20, 1000])
def test_damage_stays_where_it_is(pairs: Path, rows: int) -> None:
    unharmed = planned(pairs, folder="unharmed")
    done(unharmed)
    damage(pairs / "0.parquet", 1)
    (pairs / "00.parquet").write_bytes(b"PAR1 and nothing more")
    (pairs / "000.parquet").write_bytes(b"")
    (pairs / "1.parquet").rename(pairs / "9.parquet")
    whole = planned(pairs, rows)
    result = done(whole)
    assert (result.size, result.lost_rows, result.lost_pieces) == (100, 20, 3)
    assert result.problem_log().codes()["damaged"] == 1
    assert result.problem_log().codes()["unreadable"] == 2
    first, second, third = map(str, result.lost)
    assert "0.parquet: row group 2: this parquet file is damaged" in first
    assert first.endswith("(20 rows not scored)")
    assert "00.parquet: " in second
    assert "000.parquet: this is not a Parquet file (none of its rows are scored)" in third
    left = pq.read_table(whole.job.folder)
    there = pq.read_table(unharmed.job.folder)
    assert left.to_pylist() == [*there.to_pylist()[:20], *there.to_pylist()[40:]]
    write_pairs(pairs, files=1, rows=60, group=20)
    for name in ("00.parquet", "000.parquet"):
        (pairs / name).unlink()
    assert done(planned(pairs, rows)).lost_rows == 0
    assert pq.read_table(whole.job.folder).to_pylist() == there.to_pylist()


def test_a_file_that_changes_meanwhile(pairs: Path) -> None:
    whole = planned(pairs)
    write_pairs(pairs, files=1, rows=60, group=20, seed=5)
    result = done(whole)
    assert (result.size, result.lost_rows) == (60, 60)
    assert result.problem_log().codes()["changed"] == 3


def test_ids_in_the_type_of_the_first_file(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs"
    pairs.mkdir()
    tree = ["(S (NN a))"] * 2
    for name, ids in (("a", pa.array([1, 2], pa.int32())), ("b", pa.array(["3", "4"])), ("c", pa.array(["x", "5"]))):
        pq.write_table(pa.table({"gold": tree, "test": tree, "id": ids}), pairs / f"{name}.parquet")
    whole = planned(pairs)
    result = done(whole)
    assert pq.read_table(whole.job.folder)["id"].to_pylist() == [1, 2, 3, 4]
    assert result.problem_log().codes() == {"id": 1}
    assert "incompatible types: int32 and string (2 rows not scored)" in str(result.lost[0])
