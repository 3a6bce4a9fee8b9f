"""The axes on which leaves are placed, and what is different from one to another.

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
    from collections.abc import Iterable
    from typing import Any


class Axis(Value):
    """An axis: its name, and what others need to know to compare, write and draw positions on it.

    `unit` stands behind positions, which have so many `digits`. `needs_times`: leaves stand where they were spoken, and
    silence takes room, too. `has_lengths`: words differ in length. `has_ruler`: the numbers on the axis mean something
    to a reader. `noun` is what two nodes over the same interval share. `places` names the function of a pair that
    gives the positions of all leaves, as "module.function" of this package; without it, the engine places them.
    """

    name: str
    noun: str = "place"
    unit: str = ""
    digits: int = 0
    needs_times: bool = False
    has_lengths: bool = True
    has_ruler: bool = False
    places: str | None = None

    def interval(self, start: float, end: float) -> str:
        """An interval as people read it."""
        written = f"{start:.{self.digits}f}–{end:.{self.digits}f}"
        return f"{written} {self.unit}" if self.unit else written

    def __reduce__(self) -> tuple[Any, ...]:
        return axis_named, (self.name,)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Axis {self.name}>"


#: Each word is as long as any other.
WORDS = Axis("words", has_lengths=False)
#: Words are as long as they are written.
CHARACTERS = Axis("characters", has_ruler=True)
#: Words are as long as they were spoken.
SECONDS = Axis("seconds", noun="time", unit="s", digits=2, needs_times=True, has_ruler=True)
#: Groups of words that belong together are one long, and their words share them.
ALIGNED = Axis("aligned", places="aligned.aligned_positions")

#: All of them by name.
AXES = {
    "words": WORDS,
    "characters": CHARACTERS,
    "seconds": SECONDS,
    "aligned": ALIGNED,
}


def axis_named(name: str | Axis, known: Iterable[str] = AXES) -> Axis:
    """The axis with this name, which must be one of those that are known.

    >>> axis_named("seconds") is SECONDS
    True
    >>> axis_named("minutes", ["words", "seconds"])
    Traceback (most recent call last):
    treescore.UsageError: axis must be one of words, seconds, not 'minutes'
    """
    check_choice(str(name) if isinstance(name, Axis) else name, "axis", known)
    return AXES[str(name)]
