"""The recipe for Spark in docs/cluster.md, run by Spark on this machine."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from column_pairs import write_pairs
from integrations.needed import needed
from test_docs import ROOT, blocks

import treescore

sql = needed("pyspark.sql")
if not shutil.which("java"):
    _MESSAGE = "SPARK IS NOT TESTED: there is no java; on Debian and Ubuntu: apt-get install default-jre-headless"
    warnings.warn(_MESSAGE, stacklevel=1)
    pytest.skip(_MESSAGE, allow_module_level=True)


@pytest.fixture
def spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Spark with two threads, which writes nothing outside the folder of the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    builder = sql.SparkSession.builder.master("local[2]").appName("treescore")
    for option, value in (
        ("spark.ui.enabled", "false"),
        ("spark.driver.memory", "512m"),
        ("spark.local.dir", str(tmp_path / "local")),
        ("spark.sql.warehouse.dir", str(tmp_path / "warehouse")),
        ("spark.sql.execution.arrow.maxRecordsPerBatch", "7"),
    ):
        builder = builder.config(option, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def test_the_bytes_of_one_process(spark: Any, tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs", files=3, rows=100, group=20)
    recipe = next(block.text for block in blocks(ROOT / "docs" / "cluster.md") if "mapInArrow" in block.text)
    names: dict[str, Any] = {"spark": spark}
    exec(recipe, names)
    rows = names["scored"].toArrow().sort_by("id")
    whole = treescore.arrow.score(pq.read_table("pairs"), "parseval", id_column="id")
    expected = pa.Table.from_batches([whole]).sort_by("id")
    assert written(rows.cast(expected.schema)) == written(expected)
    assert rows.num_rows == 300


def written(table: pa.Table) -> bytes:
    """The bytes of a Parquet file of a table."""
    buffer = pa.BufferOutputStream()
    pq.write_table(table.combine_chunks(), buffer)
    return bytes(buffer.getvalue())
