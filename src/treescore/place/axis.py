"""The axes on which leaves are placed, and their properties.

>>> SECONDS, CHARACTERS.has_ruler, WORDS.needs_times
(<Axis seconds>, True, False)
>>> SECONDS.interval(0.1, 0.25), WORDS.interval(2, 4)
('0.10–0.25 s', '2–4')
"""

from __future__ import annotations

from ..values.problem import check_choice
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any


class Axis(Value):
    """An axis: its name, and how to compare, print and draw positions on it.

    Positions are printed with `digits` decimals and the `unit`. `needs_times`: leaves are placed by their word times,
    including silence. `has_lengths`: words differ in length. `has_ruler`: the numbers on the axis are meaningful to a
    reader. `noun` is what two nodes over the same interval share. `places` names the function of a pair that computes
    the positions of all leaves, as "module.function" of this package; by default the engine does. `tolerance` is the
    distance of two boundaries up to which nodes do not count as crossing in pictures and explanations; no score depends
    on it.
    """

    name: str
    noun: str = "place"
    unit: str = ""
    digits: int = 0
    needs_times: bool = False
    has_lengths: bool = True
    has_ruler: bool = False
    places: str | None = None
    tolerance: float = 0.0

    def interval(self, start: float, end: float) -> str:
        """An interval as text."""
        numbers = f"{start:.{self.digits}f}–{end:.{self.digits}f}"
        return f"{numbers} {self.unit}" if self.unit else numbers

    def __reduce__(self) -> tuple[Any, ...]:
        known = AXES[self.name]
        if self.tolerance == known.tolerance:
            return axis_named, (self.name,)
        return _with_tolerance, (known, self.tolerance)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Axis {self.name}>"


#: All words have length 1.
WORDS = Axis("words", has_lengths=False)
#: The length of a word is its number of characters.
CHARACTERS = Axis("characters", has_ruler=True)
#: The length of a word is its duration.
SECONDS = Axis("seconds", noun="time", unit="s", digits=2, needs_times=True, has_ruler=True, tolerance=0.02)
#: Groups of corresponding words have length 1, divided between their words.
ALIGNED = Axis("aligned", places="aligned.aligned_positions")

#: All axes by name.
AXES = {
    "words": WORDS,
    "characters": CHARACTERS,
    "seconds": SECONDS,
    "aligned": ALIGNED,
}


def axis_named(name: str | Axis, known: Collection[str] = AXES) -> Axis:
    """The axis with this name, which must be one of the known ones.

    >>> axis_named("seconds") is SECONDS
    True
    >>> axis_named("minutes", ["words", "seconds"])
    Traceback (most recent call last):
    treescore.UsageError: axis must be one of words, seconds, not 'minutes'
    """
    check_choice(str(name) if isinstance(name, Axis) else name, "axis", known)
    return AXES[str(name)]


def _with_tolerance(axis: Axis, tolerance: float) -> Axis:
    return axis.replace(tolerance=tolerance)
