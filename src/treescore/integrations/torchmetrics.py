"""Scores of parse trees as a torchmetrics metric: exact sums of counts, in one process or many.

torchmetrics and torch (the extra `torch`) are imported only by this module.
"""

from __future__ import annotations

from hashlib import sha256

from ..helpers.extras import library
from ..scoring.batch import columns_of
from ..scoring.tally import Tally
from ..values.counts import Counts
from ..values.problem import UsageError
from .streaming import Scorer, one_metric, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from typing_extensions import Self

    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..scoring.report import Report
    from ..values.score import Score

torch = library("torch", "torch", "treescore.integrations.torchmetrics needs")
_Base: Any = library("torchmetrics", "torch", "treescore.integrations.torchmetrics needs").Metric

# Sums of rates, in units of 2^-40, overflow 64 bits after eight million sentences. So each sum is kept as two integers,
# the multiples of 2^32 and the rest. torchmetrics may add both: no carry is lost before 2^31 additions, and every
# update carries.
_BITS = 32
_BELOW = (1 << _BITS) - 1
#: Sums that precede the counts of the metric.
_ALSO = ("pairs", "problems")


class ParseScore(_Base):  # type: ignore[misc]
    """A metric of treescore for training loops: `update(preds, target)`, `compute()`.

    `metric` is a name or a signature. `compute` returns the main figure as a scalar, or the figure named by `figures`;
    for a list of names, or "all", a dict. Figures that end in `_all`, such as `f1_all`, count failed sentences as
    wrong: use one of them for model selection. Further names are "pairs", "failed" (numbers of pairs), "coverage" (the
    share of pairs that did not fail) and "problems" (the number of problems of sentences). Undefined figures are NaN
    and cause a warning, as do failed sentences. `preds` and `target` are arguments of `treescore.evaluate`, usually
    lists of strings or trees; None is a sentence without a parse.

    >>> score = ParseScore("parseval|profile:none")
    >>> score.update(preds=["(S (NN a))", "(X (NN b))"], target=["(S (NN a))", "(S (NN b))"])
    >>> score.compute()
    tensor(0.5000)
    >>> ParseScore("parseval|profile:none", ["f1", "failed"])(["(S (NN a))"], ["(S (NN a))"])
    {'f1': tensor(1.), 'failed': tensor(0)}
    """

    is_differentiable = False
    full_state_update = False
    plot_lower_bound = 0.0

    def __init__(
        self,
        metric: str | Metric = "parseval",
        figures: str | Sequence[str] | None = None,
        *,
        threads: int = 1,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.metric = one_metric(metric)
        self.threads = threads
        self._names = columns_of(self.metric)
        score = self.metric.score(Counts({}, totals=dict.fromkeys(self._names, 0)))
        self._main = score.main
        self._figures = _checked(figures, score)
        # Metrics of a MetricCollection share states with the same names and, after the first batch, the same values. So
        # the names identify the metric; this also prevents loading the state of another metric.
        mark = sha256(self.signature.encode()).hexdigest()[:12]
        self._states = (f"above_{mark}", f"below_{mark}")
        for name in self._states:
            zeros = torch.zeros(len(_ALSO) + len(self._names), dtype=torch.int64)
            self.add_state(name, zeros, dist_reduce_fx="sum")

    @property
    def signature(self) -> str:
        """The metric's signature."""
        return self.metric.signature

    @property
    def higher_is_better(self) -> bool:
        """False for figures that are best at 0, such as crossing brackets or word error rates."""
        figure = self._figures if isinstance(self._figures, str) else self._main
        return self.metric.goodness(figure, 1.0) > 0

    def update(self, preds: Readable, target: Readable) -> None:
        """Add a batch of parses and of their gold trees."""
        batch = Scorer(self.metric, threads=self.threads)
        batch.update(target, preds)
        batch.check_signature(self.signature)
        counts = batch.sums(self.signature)
        sums = [batch.size, batch.sentence_problems, *(counts[name] for name in self._names)]
        above, below = (getattr(self, name) for name in self._states)
        below = below + self._integers([value & _BELOW for value in sums])
        above = above + self._integers([value >> _BITS for value in sums]) + (below >> _BITS)
        for name, state in zip(self._states, (above, below & _BELOW), strict=True):
            setattr(self, name, state)

    def compute(self) -> Any:
        """The figure, or a dict of figures, over all batches and processes."""
        totals, counts = self._sums()
        score = self.metric.score(Counts({}, totals=counts))
        warn(score)
        figures = {name: self._tensor(value) for name, value in {**score.values(), **totals}.items()}
        return (
            figures[self._figures]
            if isinstance(self._figures, str)
            else {name: figures[name] for name in self._figures}
        )

    def report(self) -> Report:
        """A report with all figures and counts. With several processes, all must call this method."""
        with self.sync_context(
            dist_sync_fn=self.dist_sync_fn, should_sync=self._to_sync, should_unsync=self._should_unsync
        ):
            seen, counts = self._sums()
        tally = Tally([self.metric])
        tally.add_sums([counts], seen["pairs"])
        tally.count_problems("of any kind", seen["problems"])
        return tally.report()

    def set_dtype(self, dst_type: Any) -> Self:
        """Set the type of figures. Sums remain integers."""
        self._dtype = torch.empty(0).type(dst_type).dtype
        self._computed = None
        return self

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot one or several values with torchmetrics."""
        return self._plot(val, ax)

    def extra_repr(self) -> str:
        """The text in brackets in the representation."""
        return self.signature

    def _sums(self) -> tuple[dict[str, int], dict[str, int]]:
        """The numbers of pairs and problems, and the sums of the counts, as unlimited integers."""
        above, below = (getattr(self, name).tolist() for name in self._states)
        values = [(high << _BITS) + low for high, low in zip(above, below, strict=True)]
        return dict(zip(_ALSO, values, strict=False)), dict(zip(self._names, values[len(_ALSO) :], strict=True))

    def _integers(self, values: int | list[int]) -> Any:
        return torch.tensor(values, dtype=torch.int64, device=self.device)

    def _tensor(self, value: float | None) -> Any:
        if isinstance(value, int):
            return self._integers(value)
        return torch.tensor(float("nan") if value is None else value, dtype=self.dtype, device=self.device)


def _checked(figures: str | Sequence[str] | None, score: Score) -> str | tuple[str, ...]:
    known = (*score.values(), *_ALSO)
    if figures is None:
        return score.main
    if figures == "all":
        return known
    for name in [figures] if isinstance(figures, str) else figures:
        if name not in known:
            raise UsageError(f"{score.name} has no figure {name!r}; there are: {', '.join(known)}")
    return figures if isinstance(figures, str) else tuple(figures)
