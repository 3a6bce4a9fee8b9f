"""Trees of studies that are content with gold alone, and what they are called.

>>> [called(bank) for bank in gold_and_test(["(S (NN a))"] * 2, None)]
['2 sentences']
"""

from __future__ import annotations

import os

from ..evaluation import check_readable, read_both
from ..readers.sources import read
from ..text import number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..trees import Treebank


def gold_and_test(
    gold: Readable, test: Readable | None, metrics: Iterable[Metric] | None = None
) -> tuple[Treebank, ...]:
    """Gold, and test if there is one; both are of the same size unless none of these metrics needs that."""
    if test is not None:
        return read_both(gold, test, metrics)
    bank = read(gold, on_error="keep")
    check_readable(bank)
    return (bank,)


def called(bank: Treebank) -> str:
    """The name of the file, and how many sentences there are; only these if the trees come from no file.

    >>> called(read("(S (NN a))", name="trees/gold.mrg"))
    'gold.mrg (1 sentence)'
    """
    name = os.path.basename(bank.source.name or "")
    size = number_of(len(bank), "sentence")
    return size if not name or name.startswith("<") else f"{name} ({size})"
