"""Columns of pairs: the same as evaluate(), however rows are put into batches, and whatever stands in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings, strategies as st

import treescore
from treescore.helpers.files import packaged
from treescore.place.pair import Pair
from treescore.scale.pairs import check_metrics, score_columns

METRICS = ["parseval", "struct_iou", "parseval|labels:no"]
#: Metrics that score row by row, each as it is by default.
ALL = ["parseval", "functions", "struct_iou", "tree_distance", "tedeval", "sparseval", "leaf_ancestor", "disfluency",
       "dependencies"]  # fmt: skip
HOSTILE: list[Any] = [
    "", " ", "()", "(())", ")", "(S", "(S (NN a)) (S (NN b))", "PK\x03\x04", "\x1f\x8b", "BZh", "\ufeff(S (NN a))",
    "1\ta\ta\tNN\t_\t_\t0\troot\t_\t_", "\xff\xfe", "(S (NN\n a))", "(S (NN a\x00))", "{}", "<corpus>", "#BOS 1",
    "(S (NN 0=a))", "(S (NN 1=b) (NN 0=a))", "(S (NN 0-1))", "(S (名詞 猫))", "(S (NN e\u0301\U0001f600))", "\udc80",
    b"(S (NN \xff))", b"\xff", None, 3, float("nan"), [], {}, True, "(" * 500, "(A " * 500 + "a" + ")" * 500,
]  # fmt: skip


def bundled() -> tuple[list[str], list[str]]:
    gold, test = (list(treescore.read(packaged(f"demo.{kind}.mrg")).lines()) for kind in ("gold", "test"))
    return gold, test


def test_the_same_as_evaluate() -> None:
    gold, test = bundled()
    test[3] = "(S ("
    gold[5] = ""
    report = treescore.evaluate(gold, test, ALL)
    batch = treescore.arrow.score({"gold": gold, "test": test}, ALL)
    total = treescore.arrow.total(batch)
    for score in report:
        name = score.name
        assert total[score.signature].figures == score.figures
        rows = report.rows(score.signature)
        metric, _ = report.find(score.signature)
        assert batch[f"{name}.score"].to_pylist() == rows[metric.row_figure]
        assert batch[f"{name}.status"].to_pylist() == rows["status"]
        for column, values in score.counts.columns.items():
            assert batch[f"{name}.{column}"].to_pylist() == list(values)
        assert metric.summary(total[score.signature].counts) == metric.summary(score.counts)
    assert total.problem_counts()["unclosed"] == report.problem_counts()["unclosed"] == 1
    with pytest.raises(treescore.UsageError, match="there are only sums"):
        total.rows("parseval")


def test_times_are_read_where_they_are_needed() -> None:
    trees = ["(S (A 0-1) (B 1-2))", "(S (A 0-1.5) (B 1.5-2))", "(S (A a) (B b))"]
    metrics = ["boundaries", "struct_iou|axis:seconds"]
    whole = treescore.evaluate(trees[:2], trees[1::-1], metrics)
    batch = treescore.arrow.score({"gold": trees, "test": [trees[1], trees[0], trees[0]]}, metrics)
    assert batch["boundaries.score"].to_pylist()[:2] == whole.rows("boundaries")["f1"]
    assert batch["struct_iou.score"].to_pylist()[:2] == whole.rows("struct_iou")["score"]
    alone = treescore.arrow.score({"gold": trees[2:], "test": trees[2:]}, metrics)  # not one row has times
    assert alone["boundaries.status"].to_pylist() == [2]  # gold has none
    assert "not a span such as" in alone["problem"][0].as_py()


def scored_in_pieces(gold: Sequence[Any], test: Sequence[Any], cuts: Sequence[int]) -> pa.Table:
    ends = [*sorted(cuts), len(gold)]
    pieces = []
    begin = 0
    for end in ends:
        piece = {"gold": list(gold[begin:end]), "test": list(test[begin:end]), "id": list(range(begin, end))}
        ids = pa.array(piece["id"], pa.int64())
        pieces.append(treescore.arrow.score({**piece, "id": ids}, METRICS, id_column="id"))
        begin = end
    return pa.Table.from_batches(pieces)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(HOSTILE), st.sampled_from(HOSTILE)), max_size=12), st.data())
def test_no_row_depends_on_others(rows: list[tuple[Any, Any]], data: st.DataObject) -> None:
    gold, test = [row[0] for row in rows], [row[1] for row in rows]
    whole = scored_in_pieces(gold, test, [])
    cuts = data.draw(st.lists(st.integers(0, len(rows)), max_size=6))
    assert scored_in_pieces(gold, test, cuts).equals(whole, check_metadata=True)
    assert scored_in_pieces(gold, test, range(len(rows))).equals(whole)
    assert whole.num_rows == len(rows)


def test_hostile_rows_harm_no_other() -> None:
    good = "(S (NP (NN a)) (VP (VB b)))"
    for side in ("gold", "test"):
        columns = {"gold": [good] * (len(HOSTILE) + 1), "test": [good] * (len(HOSTILE) + 1)}
        columns[side] = [*HOSTILE, good]
        batch = treescore.arrow.score(columns)
        assert batch["score"].to_pylist()[-1] == 1.0
        failed = dict(zip(map(repr, HOSTILE), batch["problem"].to_pylist(), strict=False))
        assert failed["None"].startswith(f"null: {side}: ")
        assert failed["nan"].startswith(f"null: {side}: ")
        assert (
            failed["3"] == f"type: {side}: a tree is text, and this is of type int (read as a sentence without a tree)"
        )
        assert failed["'(S'"].startswith(f"unclosed: {side}:1: ")
        outcomes = zip(batch["score"].to_pylist(), batch["problem"].to_pylist(), strict=True)
        assert all(score is not None or problem for score, problem in outcomes)


def test_windows_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, test = bundled()
    wanted = treescore.arrow.score({"gold": gold, "test": test}, METRICS)
    monkeypatch.setattr("treescore.scale.pairs.WINDOW", 7)
    assert treescore.arrow.score({"gold": gold, "test": test}, METRICS, threads=2).equals(wanted)


def test_a_failing_row_is_found_among_others(monkeypatch: pytest.MonkeyPatch) -> None:
    from treescore.metrics.parseval import Parseval
    from treescore.values.problem import InputError, Problem

    counts = Parseval.counts

    def refusing(self: Any, pair: Pair, **rest: Any) -> Any:
        if any("poison" in line for line in pair.gold.lines()):
            raise InputError(Problem("odd", "this is odd"))
        return counts(self, pair, **rest)

    monkeypatch.setattr(Parseval, "counts", refusing)
    trees = ["(S (NN a))", "(S (NN poison))", "(S (NN a))"]
    result = score_columns(trees, trees, check_metrics("parseval|profile:none"))
    assert result.tables[0].figures == [1.0, None, 1.0]
    assert [(problem.unit, problem.code) for problem in result.batch.problems] == [(2, "odd")]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.dictionary(pa.int32(), pa.string()),
     pa.string_view()],
    ids=str,
)  # fmt: skip
def test_types_of_text(kind: pa.DataType) -> None:
    trees = ["(S (NN a))", None, "(S (名詞 猫))", "(X (NN b))"]
    plain = pa.array([None if tree is None else tree.encode() for tree in trees]) if "binary" in str(kind) else trees
    column = pa.chunked_array([pa.array(plain, pa.string() if "view" in str(kind) else None).cast(kind)] * 2)
    table = pa.table({"gold": column, "test": trees * 2}).slice(1)
    wanted = treescore.arrow.score({"gold": (trees * 2)[1:], "test": (trees * 2)[1:]})
    assert treescore.arrow.score(table).equals(wanted)


def test_columns_that_are_no_text() -> None:
    table = pa.table({"gold": pa.array([1, None], pa.int32()), "test": pa.nulls(2)})
    batch = treescore.arrow.score(table)
    assert batch["problem"][0].as_py().startswith("type: gold: a tree is text, and this is of type int32")
    assert batch["problem"][1].as_py().count("null: ") == 2
    assert batch["status"].to_pylist() == [1, 2]
    damaged = pa.Array.from_buffers(pa.string(), 1, pa.array([b"(S (NN \xff))"]).buffers())
    batch = treescore.arrow.score({"gold": damaged, "test": ["(S (NN a))"]})
    assert "words: " in batch["problem"][0].as_py()


def test_empty() -> None:
    batch = treescore.arrow.score({"gold": [], "test": []}, METRICS)
    assert batch.num_rows == 0
    total = treescore.arrow.total([batch])
    assert total["struct_iou"].value is None
    assert total["struct_iou"].figures == treescore.evaluate([], [], "struct_iou")["struct_iou"].figures


def test_signatures_come_back() -> None:
    gold, test = bundled()
    batch = treescore.arrow.score({"gold": gold, "test": test}, METRICS)
    result = treescore.arrow.signatures(batch.schema)
    assert result == [treescore.metric(name).signature for name in METRICS]
    assert treescore.arrow.score({"gold": gold, "test": test}, result).equals(batch, check_metadata=True)
    with pytest.raises(treescore.UsageError, match="was scored by"):
        treescore.arrow.total(batch, "parseval")
    with pytest.raises(treescore.UsageError, match="has no signature"):
        treescore.arrow.total(pa.table({"a": [1]}))


def test_wrong_use() -> None:
    for columns, message in (
        ({"gold": ["(S a)"]}, "there is no column 'test'; there are: gold"),
        ({"gold": ["(S a)"], "test": []}, "different lengths: 1 row in 'gold', 0 in 'test'"),
        (3, "int has no columns"),
    ):
        with pytest.raises(treescore.UsageError, match=message):
            treescore.arrow.score(columns)
    with pytest.raises(treescore.UsageError, match="cannot score single rows"):
        treescore.arrow.score({"gold": [], "test": []}, "aligned_parseval")


def test_frames() -> None:
    columns = {"gold": ["(S (NN a))", None], "test": ["(S (NN a))", "(S (NN b))"], "name": ["u1", "u2"]}
    frame = polars.DataFrame({**columns, "other": [object(), object()]})
    actual = treescore.arrow.score_frame(frame, id_column="name")
    assert isinstance(actual, polars.DataFrame)
    assert actual.select("id", "score", "matched").rows() == [("u1", 1.0, 1), ("u2", None, 0)]
    mixed = pandas.DataFrame({**columns, "gold": ["(S (NN a))", 3]}, index=[7, 9])
    result = treescore.arrow.score_frame(mixed, id_column="name")
    assert list(result.index) == [7, 9]
    assert list(result["status"]) == [0, 1]
    with pytest.raises(treescore.UsageError, match="not a polars or pandas"):
        treescore.arrow.score_frame(columns)


def test_ids_keep_their_type(tmp_path: Path) -> None:
    table = pa.table({"gold": ["(S (NN a))"], "test": ["(S (NN a))"], "n": pa.array([7], pa.uint16())})
    assert treescore.arrow.score(table, id_column="n").schema.field("id").type == pa.uint16()
    odd = treescore.arrow.score({"gold": ["(S (NN a))"] * 2, "test": [None] * 2, "n": [1, "é"]}, id_column="n")
    assert odd["id"].to_pylist() == ["1", "é"]
    pq.write_table(pa.Table.from_batches([odd]), tmp_path / "scores.parquet")
    again = pq.read_table(tmp_path / "scores.parquet")
    assert treescore.arrow.signatures(again.schema) == treescore.arrow.signatures(odd.schema)
    assert json.loads(json.dumps(again["status"].to_pylist())) == [2, 2]


# ---------------------------------------------------------------------------------------------------------------------
# Columns of other libraries

GOOD = "(S (NP (NN a)) (VP (VB b)))"
OTHER = "(S (NP (NN a)) (NP (VB b)))"
VALUES = [GOOD, None, OTHER]

COLUMNS: dict[str, Any] = {
    "pandas object": lambda: pandas.Series(VALUES, dtype=object, index=[7, 3, 5]),
    "pandas str": lambda: pandas.Series(VALUES),
    "pandas string": lambda: pandas.Series(VALUES, dtype="string"),
    "pandas pyarrow": lambda: pandas.Series(VALUES, dtype=pandas.ArrowDtype(pa.string())),
    "pandas category": lambda: pandas.Series(VALUES, dtype="category"),
    "pandas NaN": lambda: pandas.Series([GOOD, float("nan"), OTHER], dtype=object),
    "pandas NA": lambda: pandas.Series([GOOD, pandas.NA, OTHER], dtype=object),
    "pandas Index": lambda: pandas.Index(VALUES),
    "polars": lambda: polars.Series(VALUES),
    "polars Categorical": lambda: polars.Series(VALUES, dtype=polars.Categorical),
    "polars Enum": lambda: polars.Series(VALUES, dtype=polars.Enum([GOOD, OTHER])),
    "numpy": lambda: numpy.array(VALUES, dtype=object),
    "pyarrow": lambda: pa.array(VALUES),
    "pyarrow large": lambda: pa.array(VALUES, pa.large_string()),
    "pyarrow view": lambda: pa.array(VALUES, pa.string_view()),
    "pyarrow binary": lambda: pa.array([None if value is None else value.encode() for value in VALUES]),
    "pyarrow dictionary": lambda: pa.array(VALUES).dictionary_encode(),
    "pyarrow chunks": lambda: pa.chunked_array([VALUES, VALUES]).slice(3),
    "only the protocol": lambda: Streaming(pa.chunked_array([VALUES])),
    "list": lambda: VALUES,
}


class Streaming:
    """Something with Arrow data that nobody has heard of."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.data.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_of_all_kinds(kind: str) -> None:
    """As trees, and as columns of a dict: what is missing is missing, and not the text nan or None."""
    gold = pandas.Series([GOOD] * 3)
    report = treescore.evaluate(gold, COLUMNS[kind]())
    assert report.rows()["f1"] == [1.0, None, 0.6666666667]
    assert [(problem.code, problem.unit) for problem in report.problems] == [("unparsed", 2)]
    assert [str(tree) for tree in treescore.read(COLUMNS[kind]())] == [GOOD, "()", OTHER]
    batch = treescore.arrow.score({"gold": gold, "test": COLUMNS[kind]()})
    assert batch["score"].to_pylist() == [1.0, None, 0.6666666667]
    assert batch["problem"].to_pylist()[1].startswith("null: test: ")


@pytest.mark.parametrize("metric", ["parseval", "parseval|labels:no", "struct_iou"])
def test_missing_trees_score_the_same_as_columns_and_as_frames(metric: str) -> None:
    frame = pandas.DataFrame({"gold": [GOOD] * 3, "test": VALUES})
    total = treescore.arrow.total(treescore.arrow.score(frame, metric))
    report = treescore.evaluate(frame["gold"], frame["test"], metric)
    assert total.scores[0].parts == report.scores[0].parts


def test_text_that_is_not_utf_8() -> None:
    damaged = pa.Array.from_buffers(pa.string(), 1, pa.array([b"(S (NN \xff))"]).buffers())
    assert len(treescore.read(damaged)[0].leaves) == 1


def test_values_that_are_no_trees() -> None:
    for column in (pa.array([1, None]), pandas.Series([1, 2]), polars.Series([1, 2]), numpy.array([1, 2])):
        with pytest.raises(TypeError, match=r"item 1 is an object of type builtins\.(int|float)"):
            treescore.read(column)


@pytest.mark.filterwarnings("error")
def test_whole_tables_are_no_lists_of_trees() -> None:
    data = {"gold": VALUES, "constituency": VALUES}
    tables = (data, pandas.DataFrame(data), polars.DataFrame(data), pa.table(data), pa.record_batch(data))
    for table in tables:
        with pytest.raises(
            TypeError, match=r"a table is not a list of trees .*give one of its columns, such as table\['"
        ):
            treescore.evaluate(table, table)
    with pytest.raises(TypeError, match=r"LazyFrame\): collect\(\) it, then give one"):
        treescore.evaluate(polars.LazyFrame(data), VALUES)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("error")
def test_tables_of_all_kinds() -> None:
    data: dict[str, Any] = {"gold": [GOOD] * 3, "test": VALUES, "other": [1, 2, 3]}
    wanted = treescore.arrow.score(data)
    pairs = pa.table(data)
    for kind in (
        pairs, pairs.to_batches()[0], pairs.to_reader(), Streaming(pairs), pandas.DataFrame(data),
        pandas.DataFrame(data).convert_dtypes(dtype_backend="pyarrow"), polars.DataFrame(data),
        polars.DataFrame(data).with_columns(polars.col("test").cast(polars.Categorical)),
        polars.DataFrame(data).to_struct("all"), {name: polars.Series(values) for name, values in data.items()},
        duckdb.sql("SELECT gold, test FROM pairs"),
    ):  # fmt: skip
        assert treescore.arrow.score(kind).equals(wanted)


@pytest.mark.filterwarnings("error")
def test_what_is_no_table_is_told_so() -> None:
    for column in (pandas.Series(VALUES), polars.Series(VALUES)):
        with pytest.raises(treescore.UsageError, match="this is a single column"):
            treescore.arrow.score(column)
    lazy = polars.LazyFrame({"gold": VALUES, "test": VALUES})
    for score in (treescore.arrow.score, treescore.arrow.score_frame):
        with pytest.raises(treescore.UsageError, match=r"LazyFrame has no rows yet: call collect\(\) first"):
            score(lazy)
    with pytest.raises(treescore.UsageError, match="there are two columns 'test'; there are: gold, test, test"):
        treescore.arrow.score(pandas.DataFrame([[GOOD, GOOD, GOOD]], columns=["gold", "test", "test"]))


def test_frames_made_of_frames() -> None:
    kind = type("Special", (pandas.DataFrame,), {"__module__": "special"})
    assert list(treescore.arrow.score_frame(kind({"gold": [GOOD], "test": [OTHER]}))["score"]) == [0.6666666667]


def test_lazy_frames_are_mapped() -> None:
    lazy = polars.LazyFrame({"gold": [GOOD] * 3, "test": VALUES})
    schema = treescore.arrow.score_frame(lazy.head(0).collect()).schema
    result = lazy.map_batches(treescore.arrow.score_frame, schema=schema).select("score").collect()
    assert result["score"].to_list() == [1.0, None, 0.6666666667]
