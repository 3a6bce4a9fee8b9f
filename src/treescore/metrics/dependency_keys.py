"""The words and names of two dependency treebanks as numbers, equal for what is the same on both sides."""

from __future__ import annotations

from array import array

from .. import _core
from ..readers.conllu import without_spaces
from ..words.normal import Normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

    from ..values.counts import Counts
    from .base import Metric

_FOLDED = Normal()


def characters(form: str, fold: bool) -> str:
    """The characters of a word as they are compared: without spaces; folded, also made comparable.

    >>> characters("-LRB-", False), characters("-LRB-", True), characters("“", True), characters("Its", True)
    ('-LRB-', '(', '"', 'its')
    """
    text = without_spaces(form)
    return _FOLDED.word(text) if fold else text


class Numbers:
    """A number for every text, from 0 on.

    >>> number = Numbers()
    >>> list(number.of(["a", "b", "a"]))
    [0, 1, 0]
    """

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, texts: Iterable[str]) -> array[int]:
        """The numbers of some texts."""
        known = self._known
        return array("I", [known.setdefault(text, len(known)) for text in texts])


def keys(
    forms: Sequence[str],
    *,
    fold: bool,
    number: Numbers,
    name: array[int],
    relation: array[int],
    feats: array[int] | None = None,
    edge_type: array[int] | None = None,
    kind: bytes | None = None,
) -> _core.DependencyKeys:
    """The keys of one side. `number` numbers the forms of both sides; the others have an entry for each name."""
    texts = [characters(form, fold) for form in forms]
    begin = array("Q", [0])
    size = 0
    for text in texts:
        size += len(text)
        begin.append(size)
    return _core.DependencyKeys(
        characters="".join(texts).encode("utf-32-le", "surrogatepass"),
        begin=begin,
        form=number.of(text.lower() for text in texts),
        name=name,
        feats=name if feats is None else feats,
        relation=relation,
        edge_type=name if edge_type is None else edge_type,
        kind=bytes(len(name)) if kind is None else kind,
    )


def outcome_columns(failed: Sequence[int], gold: Sequence[int], test: Sequence[int]) -> dict[str, Sequence[int]]:
    """The columns of the figures over all sentences: in a failed row, test counts at least as many as gold.

    >>> outcome_columns([0, 1], [2, 3], [4, 0])
    {'failed_gold': [0, 3], 'gold_all': [2, 3], 'test_all': [4, 3]}
    """
    if not any(failed):
        return {"failed_gold": failed, "gold_all": gold, "test_all": test}
    rows = list(zip(failed, gold, test, strict=True))
    return {
        "failed_gold": [gone and of_gold for gone, of_gold, _ in rows],
        "gold_all": gold,
        "test_all": [max(of_gold, of_test) if gone else of_test for gone, of_gold, of_test in rows],
    }


def sentence_rows(metric: Metric, counts: Counts, figures: Collection[str]) -> dict[str, list[Any]]:
    """Columns with a row per gold sentence: the F1 of each figure, and the counts."""
    columns = {name: list(column) for name, column in counts.columns.items() if name != "errors"}
    return {
        **metric.row_columns(counts, *figures),
        **{f"{name}_matched" if name in figures else name: column for name, column in columns.items()},
    }
