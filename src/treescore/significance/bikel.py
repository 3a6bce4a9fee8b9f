"""What Dan Bikel's comparator of two EVALB outputs computes, for the sake of figures that were published with it.

Recall and precision of a system are means of the rounded percentages of its sentences, weighted by their brackets. Rows
change sides at random, and counted are the shuffles whose difference is at least the real one, to the same side: p is
one-sided. Sums are made in floating point, so that some shuffles that differ by exactly as much are not counted; these
are the same ones here. The comparator has no seed, so that only its random numbers are others.

>>> from treescore.readers.evalb_output import read_evalb_output
>>> a, b = (read_evalb_output(f"1 10 0 {100 * n / 4:.2f} {100 * n / 4:.2f} {n} 4 4 0 10 10 100\\n") for n in (3, 4))
>>> found = comparator(a, b, n=999)
>>> found.recall.a, found.recall.difference, 0.4 < found.recall.p < 0.6
(75.0, 25.0, True)

This is no way to find out whether two systems differ: see `treescore.significance.paired_randomization`.
"""

from __future__ import annotations

from .. import _core
from ..helpers.text import number_of
from ..values.problem import InputError, Problem
from ..values.value import Value
from .sampling import check_number, check_seed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..readers.evalb_output import EvalbRows

SHUFFLES = 10_000
#: Sentences with more words are left out by the comparator's option -f.
LONGEST = 40


class ComparedFigure(Value):
    """Recall or precision of both systems, in percent, and how many of `n` shuffles differ at least as much.

    `undefined` is the number of shuffles that leave a system without brackets. The comparator stops at the first of
    them; here they are taken for shuffles that differ as much.
    """

    a: float
    b: float
    as_extreme: int
    n: int
    undefined: int = 0

    @property
    def difference(self) -> float:
        """The figure of b minus that of a."""
        return self.b - self.a

    @property
    def p(self) -> float:
        """The share of shuffles that differ as much, the real division among them."""
        return (self.as_extreme + 1) / (self.n + 1)


class Comparator(Value):
    """What the comparator finds: both figures, and the number of brackets of the first system."""

    recall: ComparedFigure
    precision: ComparedFigure
    brackets: int
    rows: int
    seed: int

    @property
    def mean_p(self) -> float:
        """The harmonic mean of both p, which the comparator calls a p-value for F. It is not one."""
        return 2 * self.recall.p * self.precision.p / (self.recall.p + self.precision.p)


def comparator(
    a: EvalbRows,
    b: EvalbRows,
    *,
    n: int = SHUFFLES,
    seed: int = 1,
    longest: int | None = None,
    threads: int | None = None,
) -> Comparator:
    """Compare two EVALB outputs; with `longest`, without sentences that have more words in either."""
    from ..helpers.threads import count_threads

    check_number(n, "the number of shuffles")
    check_seed(seed)
    _check_same_sentences(a, b)
    if longest is not None:
        kept = [place for place, words in enumerate(map(max, a.length, b.length)) if words <= longest]
        if not kept:
            raise InputError(Problem("no-rows", f"all sentences have more than {longest} words", file=a.name))
        a, b = a.select(kept), b.select(kept)
    for side in (a, b):
        for weights, what in (
            (side.gold, "gold brackets, and no recall"),
            (side.test, "test brackets, and no precision"),
        ):
            if not any(weights):
                raise InputError(Problem("no-brackets", f"there are no {what}", file=side.name))
    figures = [
        (x.tobytes(), u.tobytes(), y.tobytes(), v.tobytes())
        for x, u, y, v in ((a.recall, a.gold, b.recall, b.gold), (a.precision, a.test, b.precision, b.test))
    ]
    found = _core.swap_rates(figures, n, seed, count_threads(threads, len(a) * n // 1_000))
    recall, precision = (
        ComparedFigure(first, second, as_extreme=as_extreme + undefined, n=n, undefined=undefined)
        for first, second, as_extreme, undefined in found
    )
    return Comparator(recall, precision, brackets=sum(a.test), rows=len(a), seed=seed)


def _check_same_sentences(a: EvalbRows, b: EvalbRows) -> None:
    """The comparator does not look; rows of different sentences would be compared without a word."""
    if len(a) != len(b):
        message = f"{number_of(len(a), 'row')} in {a.name or 'a'} but {len(b):,} in {b.name or 'b'}"
        raise InputError(Problem("unequal", f"{message}: both must be about the same sentences"))
    for row, (first, second) in enumerate(zip(a.sentence, b.sentence, strict=True), 1):
        if first != second:
            message = f"row {row:,} is about sentence {first} in {a.name or 'a'} but about {second} in {b.name or 'b'}"
            raise InputError(Problem("unequal", f"{message}: both must be about the same sentences"))
