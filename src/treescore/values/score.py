"""Score: the figures of one metric, the counts that they are computed from, and the metric's signature."""

from __future__ import annotations

from .value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..metrics.base import Metric
    from ..significance import Interval
    from .counts import Counts


class Part(Value):
    """One figure of a score. `value` is a fraction of 1 (or a plain mean); None is undefined and prints as –.

    `shown_value` is the printed value, which may be rounded differently, such as EVALB's F.
    """

    value: float | None
    title: str
    above: int | None
    below: int | None
    percent: bool
    shown_value: float | None
    unit: str

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

    def per_sentence(self, comparisons: int) -> Part:
        """The same figure if each sentence was counted `comparisons` times."""
        if comparisons == 1 or self.above is not None or self.below is None or self.unit != "sentence":
            return self
        below = self.below // comparisons
        return Part(self.title, self.value, below=below, percent=self.percent, shown_value=self.shown_value)

    def undefined(self) -> Part:
        """The same figure without a value."""
        return Part(self.title, percent=self.percent, unit=self.unit)

    def shown(self) -> str:
        """The value as tables print it.

        >>> Part("Recall", above=7, below=8).shown(), Part("Recall", above=0, below=0).shown()
        ('87.50', '–')
        """
        return "–" if self.shown_value is None else f"{self.shown_value:.2f}"


_set_value, _set_title, _set_above, _set_below, _set_percent, _set_shown_value, _set_unit = (
    vars(Part)[name].__set__ for name in Part.__slots__
)


#: Suffix of the names of figures over all sentences: `f1_all`.
ALL = "_all"
#: Columns with the reasons why sentences are not scored: faults of test, the recipe, faults of gold, our own faults.
CAUSES = ("failed", "excluded", "gold_faults", "lost")


def with_all(figures: Mapping[str, Part], all_figures: Mapping[str, Part]) -> dict[str, Part]:
    """Figures by name, followed by the figures over all sentences, whose names end with `_all`."""
    return {**figures, **{name + ALL: part for name, part in all_figures.items()}}


def group_counts(figures: Mapping[str, Part]) -> dict[str, int]:
    """The counts of brackets or nodes from which the figures of a group are computed."""
    wanted = (("matched", "recall", "above"), ("gold", "recall", "below"), ("test", "precision", "below"))
    counts = {name: getattr(figures.get(figure), side, None) for name, figure, side in wanted}
    return {name: count for name, count in counts.items() if count is not None}


class Coverage(float):
    """The share of eligible sentences that did not fail: a number from 0 to 1.

    `gold` is the same share in gold brackets (nodes, words). A sentence fails if its test tree is missing, empty or
    unreadable, or has other words than gold where the metric needs the same ones. Not eligible are sentences `excluded`
    by the recipe, `gold_faults` (gold itself cannot be scored), and sentences `lost` (treescore could not finish them).

    >>> coverage = Coverage.of({"failed": 1, "failed_gold": 3, "gold_all": 10}, eligible=4)
    >>> coverage, coverage.gold, coverage.failed, coverage.eligible
    (Coverage(0.75), 0.7, 1, 4)
    """

    eligible: int
    failed: int
    gold: float | None
    excluded: int
    gold_faults: int
    lost: int

    @classmethod
    def of(cls, total: Mapping[str, int], *, eligible: int, comparisons: int = 1) -> Coverage | None:
        """The coverage for a sum of counts with this number of comparisons per sentence; None if none is eligible."""
        if not eligible:
            return None
        failed = total.get("failed", 0) // comparisons
        coverage = cls((eligible - failed) / eligible)
        coverage.eligible = eligible
        gold = total.get("gold_all")
        coverage.gold = (gold - total["failed_gold"]) / gold if gold else None
        for name in CAUSES:
            setattr(coverage, name, total.get(name, 0) // comparisons)
        return coverage

    def values(self) -> dict[str, float | int | None]:
        """The two shares and the numbers of sentences, by name."""
        return {"units": float(self), **{name: getattr(self, name) for name in ("gold", "eligible", *CAUSES)}}

    def __repr__(self) -> str:
        return f"Coverage({float(self)!r})"


class Score:
    """The result of one metric.

    `figures` are the metric's own, which may omit failed sentences. `all_figures` are the same over all sentences: the
    gold brackets of a failed sentence count as missed, and at least as many test brackets as wrong. The two differ if
    the score `is_partial`, because sentences failed or were lost. Figures that have no meaning over all sentences are
    not in `all_figures`. `intervals` has the figures' confidence intervals by name, if they were requested. `policy` is
    the part of the full signature that says how completions of a language model were read; empty for other input.
    """

    __slots__ = (
        *("_all_figures", "_comparisons", "_eligible", "_figures", "_metric", "counts", "intervals", "is_partial"),
        *("main", "name", "policy", "signature"),
    )

    def __init__(
        self,
        metric: Metric,
        counts: Counts,
        intervals: Mapping[str, Interval] | None = None,
        *,
        is_partial: bool = False,
        eligible: int = 0,
    ) -> None:
        self.name = metric.name
        self.signature = metric.signature
        self.main = metric.main
        self.counts = counts
        self.is_partial = is_partial
        self.policy = ""
        self.intervals = dict(intervals or {})
        self._eligible = eligible
        self._comparisons = metric.comparisons
        self._metric: Metric | None = metric
        self._figures: dict[str, Part] | None = None
        self._all_figures: dict[str, Part] | None = None
        if metric.ratio(self.main) is None:
            self._figures = self._figures_of(metric)

    def _figures_of(self, metric: Metric) -> dict[str, Part]:
        figures = metric.figures(self.counts.total())
        if self._comparisons > 1:
            figures = {name: part.per_sentence(self._comparisons) for name, part in figures.items()}
        return {self.main: figures[self.main], **figures}

    @property
    def figures(self) -> dict[str, Part]:
        """The metric's own figures by name, the main one first."""
        if self._figures is None:
            self._figures = {} if self._metric is None else self._figures_of(self._metric)
        return self._figures

    @property
    def all_figures(self) -> dict[str, Part]:
        """The figures over all sentences, by name."""
        if self._all_figures is None:
            metric, figures = self._metric, self.figures
            differ = metric is not None and (self.is_partial or metric.without_all)
            self._all_figures = metric.all_figures(self.counts.total(), figures) if metric and differ else figures
        return self._all_figures

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        self.figures, self.all_figures  # noqa: B018  # computed now, because the metric is not pickled
        return None, {name: None if name == "_metric" else getattr(self, name) for name in self.__slots__}

    @property
    def value(self) -> float | None:
        """The metric's own figure, as a fraction of 1; None if it is undefined."""
        if self._figures is None and self._metric is not None:
            return self._metric.figure(self.counts.total(), self.main)
        return self.figures[self.main].value

    @property
    def all(self) -> float | None:
        """The figure over all sentences; None if it is undefined, for example because sentences were lost."""
        if self._metric is not None and not self.is_partial and self.main not in self._metric.without_all:
            return self.value
        return self.all_figures[self.main].value

    @property
    def coverage(self) -> Coverage | None:
        """The share of eligible sentences that did not fail; None if there are none."""
        return Coverage.of(self.counts.total(), eligible=self._eligible, comparisons=self._comparisons)

    @property
    def lost(self) -> int:
        """Number of sentences that treescore could not finish."""
        return self.counts.total().get("lost", 0) // self._comparisons

    @property
    def decisive(self) -> str:
        """The name of the figure that decisions are based on: the main figure over all sentences."""
        return self.main + ALL if self.is_partial else self.main

    def part(self, name: str) -> Part | None:
        """A figure by name, such as `f1` or, over all sentences, `f1_all`; None if there is no such figure."""
        if name in self.figures:
            return self.figures[name]
        return self.all_figures.get(name.removesuffix(ALL)) if name.endswith(ALL) else None

    @property
    def interval(self) -> Interval | None:
        """The confidence interval of the main figure, if it was requested."""
        return self.intervals.get(self.main)

    @property
    def with_policy(self) -> str:
        """The signature, followed by the policy of reading completions, if any."""
        return f"{self.signature}|{self.policy}" if self.policy else self.signature

    @property
    def full_signature(self) -> str:
        """The signature, followed by the policy of reading completions and the interval's signature, if any."""
        return self.with_policy if self.interval is None else f"{self.with_policy}|{self.interval.signature}"

    @property
    def parts(self) -> dict[str, float | None]:
        """The values of all figures by name; names of figures over all sentences end with `_all`."""
        return {name: part.value for name, part in with_all(self.figures, self.all_figures).items()}

    def values(self) -> dict[str, float | int | None]:
        """The values of all figures, the coverage, and the number of failed sentences, by name.

        >>> import treescore
        >>> values = treescore.evaluate(["(S (NN a))"] * 2, ["(S (NN a))", None])["parseval"].values()
        >>> values["f1"], values["f1_all"], values["coverage"], values["failed"]
        (1.0, 0.5, 0.5, 1)
        """
        coverage = self.coverage
        share, failed = (None, 0) if coverage is None else (float(coverage), coverage.failed)
        return {**self.parts, "coverage": share, "failed": failed}

    def __repr__(self) -> str:
        return f"<Score {self.figures[self.main].title} = {self.figures[self.main].shown()} {self.signature}>"

    def __format__(self, form: str) -> str:
        return format(float("nan") if self.value is None else self.value, form) if form else repr(self)
