"""The share of one-word utterances, on which the order of the three kinds of perturbation depends.

A one-word utterance has no boundary between two words: it can be split, but neither moved nor deleted. Scores are means
over utterances with one word, and over utterances with several words; any share of the two follows from these.

>>> from treescore.readers.sources import read
>>> Utterances(read("(S (A a))\\n(S (A a) (B b))"), axis=WORDS).description
'1 of 2 sentences'
"""

from __future__ import annotations

from itertools import combinations

from ..helpers.text import number_of
from ..place.axis import WORDS
from ..readers.sources import read
from ..speech.perturb import perturb
from ..values.counts import UNIT
from .base import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..place.axis import Axis
    from ..trees import Treebank
    from ..values.counts import Counts

TITLE = "means by number of words"
#: The share of one-word utterances in the data of Shi, Gimpel and Livescu (2024), rounded.
SHARE = 0.4
ONE, SEVERAL, MIXED = "one word", "several words", f"{SHARE:.0%} one word".replace("%", " %")
_COLUMNS = {"operation": "text", "δ": "number", SEVERAL: "share", ONE: "share", MIXED: "share"}
#: Scored if gold has no one-word utterance; the mean of this number of splits.
_EXAMPLE, _COPIES = "(TOP (INTJ (UH yes)))", 200


class Utterances:
    """The one-word utterances of gold, or copies of an example if there are none."""

    def __init__(self, gold: Treebank, *, axis: Axis) -> None:
        placed = perturb(gold, "noise", 0, axis=axis)
        self._is_one = [_spoken(placed, index) == 1 for index in range(len(placed))]
        number = sum(self._is_one)
        #: Trees to score in addition to gold, or None.
        self.examples: Treebank | None = None
        self.description = f"{number:,} of {number_of(len(gold), 'sentence')}"
        if not number:
            self.examples = perturb(read([_EXAMPLE] * _COPIES), "noise", 0, axis=WORDS)
            self.description = f"none in gold; {_COPIES} copies of {_EXAMPLE}"

    def means(self, counts: Counts, examples: Counts | None) -> tuple[float | None, float | None]:
        """The mean score of sentences with several words, and with one word."""
        several = _mean(counts, [not is_one for is_one in self._is_one])
        if examples is not None:
            return several, _mean(examples, [True] * len(examples))
        return several, _mean(counts, self._is_one)


def _spoken(bank: Treebank, index: int) -> int:
    return sum(start < end for start, end in bank.native.times(index) or ())


def _mean(counts: Counts, wanted: Sequence[bool]) -> float | None:
    scores = counts["sentence_score"]
    chosen = [scores[row] for row, valid in enumerate(counts["valid"]) if valid and wanted[row]]
    return sum(chosen) / UNIT / len(chosen) if chosen else None


def table(means: Mapping[tuple[str, float], Sequence[tuple[float | None, float | None]]]) -> Table:
    """The means over runs for each operation and δ, and for a share of one-word utterances."""
    rows = []
    for (operation, delta), runs in means.items():
        several, one = (_mean_of_runs(values) for values in zip(*runs, strict=True))
        rows.append((operation, delta, several, one, mixed(several, one, SHARE)))
    return Table(TITLE, _COLUMNS, rows, detail=True)


def _mean_of_runs(values: Iterable[float | None]) -> float | None:
    known = list(values)
    numbers = [value for value in known if value is not None]
    return sum(numbers) / len(numbers) if numbers and len(numbers) == len(known) else None


def mixed(several: float | None, one: float | None, share: float) -> float | None:
    """The mean of sentences if this share of them has one word."""
    return None if several is None or one is None else (1 - share) * several + share * one


def findings(means: Table) -> str:
    """The effect of one-word utterances at the largest δ."""
    largest = max(means.column("δ"))
    last = {str(row["operation"]): row for row in means.records() if row["δ"] == largest}
    lines = {name: (row[SEVERAL], row[ONE]) for name, row in last.items() if row[MIXED] is not None}
    if not lines:
        return ""
    parts = [f"One-word utterances at δ = {largest:g}: {_listed({name: one for name, (_, one) in lines.items()})}."]
    if {"noise", "delete"} & set(lines):
        parts.append("They have no boundary between words, so noise and deletions do not change them.")
    parts.append(
        f"Means of sentences without one-word utterances: {_listed({name: a for name, (a, _) in lines.items()})}; "
        f"with {100 * SHARE:g} %: {_listed({name: mixed(*pair, SHARE) for name, pair in lines.items()})}."
    )
    parts += [
        f"{first} and {second} change places at a share of {100 * share:.1f} %."
        for first, second in combinations(lines, 2)
        if (share := crossing(lines[first], lines[second])) is not None
    ]
    return " ".join(parts)


def _listed(scores: Mapping[str, float | None]) -> str:
    ordered = sorted(scores, key=lambda name: scores[name] or 0.0)
    return ", ".join(f"{name} {100 * (scores[name] or 0.0):.2f}" for name in ordered)


def crossing(first: tuple[float, float], second: tuple[float, float]) -> float | None:
    """The share of one-word utterances at which two means (several words, one word) are equal; None if there is none.

    >>> crossing((0.5, 1.0), (0.7, 0.8))
    0.5
    """
    several, one = first[0] - second[0], first[1] - second[1]
    return several / (several - one) if several * one < 0 else None
