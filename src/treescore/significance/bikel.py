"""Dan Bikel's comparator of two EVALB outputs, to reproduce published figures.

Recall and precision of a system are means of the rounded percentages of its sentences, weighted by their brackets. Rows
are swapped at random; a shuffle counts if its difference is at least the observed one, in the same direction: p is
one-sided. Sums are rounded as in the original, which therefore misses some shuffles with exactly the observed
difference. The original has no seed, so only the random numbers differ.

>>> from treescore.readers.evalb_output import read_evalb_output
>>> a, b = (read_evalb_output(f"1 10 0 {100 * n / 4:.2f} {100 * n / 4:.2f} {n} 4 4 0 10 10 100\\n") for n in (3, 4))
>>> result = comparator(a, b, n=999)
>>> result.recall.a, result.recall.difference, 0.4 < result.recall.p < 0.6
(75.0, 25.0, True)

To find out whether two systems differ, use `treescore.significance.paired_randomization` instead.
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
#: The comparator's option -f leaves out longer sentences.
MAX_WORDS = 40


class ComparedFigure(Value):
    """Recall or precision of both systems, in percent, and how many of `n` shuffles are at least as extreme.

    `undefined` is the number of shuffles that leave a system without brackets. The comparator stops at the first of
    them; here they count as extreme.
    """

    a: float
    b: float
    as_extreme: int
    n: int
    undefined: int = 0

    @property
    def difference(self) -> float:
        """b - a."""
        return self.b - self.a

    @property
    def p(self) -> float:
        """The share of extreme shuffles, including the observed assignment."""
        return (self.as_extreme + 1) / (self.n + 1)


class Comparator(Value):
    """The comparator's results: both figures, and the number of brackets of the first system."""

    recall: ComparedFigure
    precision: ComparedFigure
    brackets: int
    rows: int
    seed: int

    @property
    def mean_p(self) -> float:
        """The harmonic mean of both p. The comparator calls it a p-value of F, which it is not."""
        return 2 * self.recall.p * self.precision.p / (self.recall.p + self.precision.p)


def comparator(
    a: EvalbRows,
    b: EvalbRows,
    *,
    n: int = SHUFFLES,
    seed: int = 1,
    max_words: int | None = None,
    threads: int | None = None,
) -> Comparator:
    """Compare two EVALB outputs, without sentences that have more than `max_words` words in either."""
    from ..helpers.threads import count_threads

    check_number(n, "the number of shuffles")
    check_seed(seed)
    _check_same_sentences(a, b)
    if max_words is not None:
        kept = [row for row, words in enumerate(map(max, a.length, b.length)) if words <= max_words]
        if not kept:
            raise InputError(Problem("no-rows", f"all sentences have more than {max_words} words", file=a.name))
        a, b = a.select(kept), b.select(kept)
    for side in (a, b):
        for weights, message in (
            (side.gold, "no gold brackets, so recall is undefined"),
            (side.test, "no test brackets, so precision is undefined"),
        ):
            if not any(weights):
                raise InputError(Problem("no-brackets", message, file=side.name))
    columns = [
        (x.tobytes(), u.tobytes(), y.tobytes(), v.tobytes())
        for x, u, y, v in ((a.recall, a.gold, b.recall, b.gold), (a.precision, a.test, b.precision, b.test))
    ]
    results = _core.swap_rates(columns, n, seed, count_threads(threads, len(a) * n // 1_000))
    recall, precision = (
        ComparedFigure(first, second, as_extreme=as_extreme + undefined, n=n, undefined=undefined)
        for first, second, as_extreme, undefined in results
    )
    return Comparator(recall, precision, brackets=sum(a.test), rows=len(a), seed=seed)


def _check_same_sentences(a: EvalbRows, b: EvalbRows) -> None:
    names = a.name or "a", b.name or "b"
    message = None
    if len(a) != len(b):
        message = f"{number_of(len(a), 'row')} in {names[0]} but {len(b):,} in {names[1]}"
    for row, (first, second) in enumerate(zip(a.sentence, b.sentence, strict=False), 1):
        if message is None and first != second:
            message = f"row {row:,} is sentence {first} in {names[0]} but {second} in {names[1]}"
    if message is not None:
        raise InputError(Problem("unequal", f"{message}: both files must have the same sentences"))
