"""Pairs of trees in Parquet files, some of them poisoned."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

_BAD = (None, "(S", "(X (NN other))", ")", "")


def _tree(draw: random.Random, depth: int = 3) -> str:
    if depth == 0 or draw.random() < 0.2:
        return f"({draw.choice(['NN', 'VB', 'DT'])} w{draw.randrange(50)})"
    parts = " ".join(_tree(draw, depth - 1) for _ in range(draw.randint(1, 3)))
    return f"({draw.choice(['NP', 'VP', 'S'])} {parts})"


def gold_and_test(rows: int, seed: int = 0) -> tuple[list[str | None], list[str | None]]:
    """Trees, parses of them in which a label may be wrong, and here and there something else."""
    draw = random.Random(seed)
    gold: list[str | None] = []
    test: list[str | None] = []
    for _ in range(rows):
        tree = f"(TOP {_tree(draw)} {_tree(draw)})"
        gold.append(draw.choice(_BAD) if draw.random() < 0.05 else tree)
        test.append(draw.choice(_BAD) if draw.random() < 0.05 else tree.replace("(NP", "(VP", draw.randrange(2)))
    return gold, test


def write_pairs(folder: Path, *, files: int, rows: int, group: int, seed: int = 0) -> None:
    """Files 0.parquet, 1.parquet and so on, with the columns gold, test and id."""
    folder.mkdir(exist_ok=True)
    for number in range(files):
        gold, test = gold_and_test(rows, seed + number)
        table = pa.table({"gold": gold, "test": test, "id": [f"{number}-{row}" for row in range(rows)]})
        pq.write_table(table, folder / f"{number}.parquet", row_group_size=group)
