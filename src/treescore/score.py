"""Score: one number, the figures beside it, the counts behind it and the signature that says what it is."""

from __future__ import annotations

from .values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .counts import Counts
    from .significance import Interval


class Part(Value):
    """One figure of a score. `value` is a fraction of 1 (or a plain mean); None is undefined and prints as –.

    `shown_value` is what is printed where that is rounded differently, as EVALB's F is.
    """

    value: float | None
    title: str
    above: int | None
    below: int | None
    percent: bool
    shown_value: float | None
    unit: str

    __slots__ = ("value", "title", "above", "below", "percent", "shown_value", "unit")

    def __init__(
        self,
        title: str,
        value: float | None = None,
        *,
        above: int | None = None,
        below: int | None = None,
        percent: bool = True,
        shown_value: float | None = None,
        unit: str = "sentence",
    ) -> None:
        if value is None and above is not None and below:
            value = above / below
            if shown_value is None and percent:
                shown_value = 100.0 * above / below
        if shown_value is None and value is not None:
            shown_value = 100.0 * value if percent else value
        # Not by `_store`, which takes four times as long: intervals make these by the hundred thousand.
        _set_value(self, value)
        _set_title(self, title)
        _set_above(self, above)
        _set_below(self, below)
        _set_percent(self, percent)
        _set_shown_value(self, shown_value)
        _set_unit(self, unit)

    def shown(self) -> str:
        """The value as tables print it.

        >>> Part("Recall", above=7, below=8).shown(), Part("Recall", above=0, below=0).shown()
        ('87.50', '–')
        """
        return "–" if self.shown_value is None else f"{self.shown_value:.2f}"


_set_value, _set_title, _set_above, _set_below, _set_percent, _set_shown_value, _set_unit = (
    vars(Part)[name].__set__ for name in Part.__slots__
)


class Score:
    """The result of one metric. `intervals` are those of its figures, if they were asked for."""

    __slots__ = ("counts", "figures", "intervals", "main", "name", "signature")

    def __init__(
        self,
        name: str,
        signature: str,
        figures: dict[str, Part],
        main: str,
        counts: Counts,
        intervals: Mapping[str, Interval] | None = None,
    ) -> None:
        self.name = name
        self.signature = signature
        self.figures = figures
        self.main = main
        self.counts = counts
        self.intervals = dict(intervals or {})

    @property
    def value(self) -> float | None:
        """The number that people quote, as a fraction of 1; None if it is undefined."""
        return self.figures[self.main].value

    @property
    def interval(self) -> Interval | None:
        """The interval of the number that people quote, if it was asked for."""
        return self.intervals.get(self.main)

    @property
    def full_signature(self) -> str:
        """The signature, and how the interval was made if there is one."""
        return self.signature if self.interval is None else f"{self.signature}|{self.interval.signature}"

    @property
    def parts(self) -> dict[str, float | None]:
        """All figures by name."""
        return {name: part.value for name, part in self.figures.items()}

    def __repr__(self) -> str:
        return f"<Score {self.figures[self.main].title} = {self.figures[self.main].shown()} {self.signature}>"

    def __format__(self, form: str) -> str:
        return format(float("nan") if self.value is None else self.value, form) if form else repr(self)
