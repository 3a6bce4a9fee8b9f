"""Word alignment in plain Python: the full table, the rule for ties as sclite has it, and every path through a lattice.

Costs are (insertion, deletion, substitution). A word is a number; NULL is never paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

NULL = -1
INFINITE = 10**12

Step = tuple[int | None, int | None]
Pair = Callable[[int, int], int]


def align(
    deletions: Sequence[int], insertions: Sequence[int], pair: Pair, *, late_gap: bool = False
) -> tuple[int, list[Step]]:
    """The least cost and the path. `pair` says what it costs to pair word i of the reference with word j."""
    n, m = len(deletions), len(insertions)
    if late_gap:
        cost, turned = align(deletions[::-1], insertions[::-1], lambda i, j: pair(n - 1 - i, m - 1 - j))
        return cost, [(None if i is None else n - 1 - i, None if j is None else m - 1 - j) for i, j in turned[::-1]]
    table = [[INFINITE] * (m + 1) for _ in range(n + 1)]
    table[0][0] = 0

    def ways(i: int, j: int) -> tuple[int, int, int]:
        paired = table[i - 1][j - 1] + pair(i - 1, j - 1) if i and j else INFINITE
        deleted = table[i - 1][j] + deletions[i - 1] if i else INFINITE
        inserted = table[i][j - 1] + insertions[j - 1] if j else INFINITE
        return paired, deleted, inserted

    for i in range(n + 1):
        for j in range(m + 1):
            if i or j:
                table[i][j] = min(ways(i, j))
    steps: list[Step] = []
    i, j = n, m
    while i or j:
        paired, deleted, inserted = ways(i, j)
        if paired <= deleted and paired <= inserted:
            i, j = i - 1, j - 1
            steps.append((i, j))
        elif deleted < inserted:
            i -= 1
            steps.append((i, None))
        else:
            j -= 1
            steps.append((None, j))
    return table[n][m], steps[::-1]


def lcs(a: Sequence[int], b: Sequence[int]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for place, y in enumerate(b, 1):
            before, row[place] = row[place], before + 1 if x == y else max(row[place], row[place - 1])
    return row[-1]


Branch = list["int | list[Branch]"]


def readings(branch: Branch) -> Iterator[list[int]]:
    """All sequences of words that a transcript with alternatives stands for. A list within is a list of branches."""
    if not branch:
        yield []
        return
    first, rest = branch[0], branch[1:]
    heads = [[first]] if isinstance(first, int) else [head for inner in first for head in readings(inner)]
    for head in heads:
        for tail in readings(rest):
            yield head + tail
