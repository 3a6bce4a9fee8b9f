"""Which metrics score two inputs if none is named: the one rule, for every entry point that holds both inputs whole.

CoNLL-U: the metrics of Universal Dependencies. Both sides timed: STRUCT-IOU over seconds, with SParseval where there
are words, and word boundaries. Otherwise PARSEVAL with the profile collins is the headline. Where words differ, aligned
PARSEVAL with the same profile is a second score; where the numbers of trees differ, it is the only one.

>>> import treescore
>>> pair = treescore.Pair(treescore.read("(S (MD can) (RB not))"), treescore.read("(S (MD cannot))"))
>>> choice = choose([pair])
>>> [metric.name for metric in choice.metrics]
['parseval', 'aligned_parseval']
>>> choice.remarks
('the words of gold and test first differ in sentence 1: aligned_parseval aligns them',)
"""

from __future__ import annotations

from .. import metrics as registry
from ..metrics.base import Metric, SignatureError, split_signature
from ..metrics.policy import reconciled
from ..place.unequal import numbers_and_place
from ..problem import UsageError
from ..recipe import Recipe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..place.pair import Pair

    Metrics = str | Metric | Recipe | Iterable[str | Metric | Recipe]

#: Where two inputs are not held whole, and no metric is named.
DEFAULT = "parseval"


class Choice:
    """The metrics, the first of which is the headline, and what must be known about the choice."""

    __slots__ = ("metrics", "remarks")

    def __init__(self, metrics: Iterable[Metric], remarks: Sequence[str] = ()) -> None:
        self.metrics = list(dict.fromkeys(metrics))
        self.remarks = tuple(remarks)


def choose(
    pairs: Sequence[Pair],
    metrics: Metrics | None = None,
    options: Mapping[str, str] | None = None,
    *,
    reconcile: bool = False,
) -> Choice:
    """The metrics for these pairs, which are one gold treebank against one or several systems.

    `metrics` that are named are taken, and what their signatures leave open is resolved from the input: the axis. The
    `options`, such as a profile, hold for every metric whose signature is silent about them. With `reconcile`, all
    metrics compare as if both files followed the same conventions.
    """
    choice = _chosen(pairs, metrics, options)
    return Choice(map(reconciled, choice.metrics), choice.remarks) if reconcile else choice


def _chosen(pairs: Sequence[Pair], metrics: Metrics | None, options: Mapping[str, str] | None) -> Choice:
    timed = all(pair.is_timed for pair in pairs)
    if metrics is not None:
        return Choice([_resolved(metric, options, timed) for metric in listed(metrics)])
    if timed:
        return Choice(_over_time(pairs, options))
    remarks: list[str] = []
    options = dict(options or {})
    if "prm" not in options:
        options.setdefault("profile", "collins")
    if any(len(pair.gold) != len(pair.test) for pair in pairs):
        unequal = next(pair for pair in pairs if len(pair.gold) != len(pair.test))
        sizes, _ = numbers_and_place(unequal.gold, unequal.test)
        remarks.append(f"{sizes}: parseval is undefined, aligned_parseval aligns the sentences")
        return Choice([registry.get("aligned_parseval", options)], remarks)
    headline = registry.get(DEFAULT, options)
    differing = [place for pair in pairs if (place := first_difference(pair)) is not None]
    if not differing:
        return Choice([headline], remarks)
    before = f"the words of gold and test first differ in sentence {pairs[0].gold.number(min(differing))}"
    try:
        aligned = registry.get("aligned_parseval", options)
    except SignatureError as refusal:
        return Choice([headline], [*remarks, f"{before}: {refusal}"])
    return Choice([headline, aligned], [*remarks, f"{before}: aligned_parseval aligns them"])


def listed(metrics: Metrics) -> list[str | Metric | Recipe]:
    """One metric or several as a list; an error if there is none."""
    named = [metrics] if isinstance(metrics, str | Metric | Recipe) else list(metrics)
    if not named:
        raise UsageError("no metric was asked for")
    return named


def as_metrics(metrics: Metrics) -> list[Metric]:
    """The metrics with these signatures, each of them once, where the input is not held whole."""
    made = list(dict.fromkeys(map(registry.get, listed(metrics))))
    check_trees(made)
    return made


def check_trees(metrics: Iterable[Metric]) -> None:
    """Refuse metrics that do not compare trees."""
    for metric in metrics:
        if metric.reads != "trees":
            raise UsageError(f"{metric.name} compares CoNLL-U files, not trees")


def choose_for_conllu(metrics: Metrics | None) -> Metric:
    """The metric for two CoNLL-U files, or for inputs that are compared by such a metric."""
    made = [registry.get(metric) for metric in listed("conllu_eval" if metrics is None else metrics)]
    for metric in made:
        if metric.reads != "conllu":
            raise UsageError(f"{metric.name} compares trees, and these files are CoNLL-U: use conllu_eval")
    if len(set(made)) > 1:
        raise UsageError("for CoNLL-U files, give conllu_eval once")
    return made[0]


def _resolved(metric: str | Metric | Recipe, options: Mapping[str, str] | None, timed: bool) -> Metric:
    """The metric, over seconds if both sides are timed and its signature names no axis."""
    made = registry.get(metric, options)
    if timed and isinstance(metric, str) and made.has_axis and "axis" not in split_signature(metric)[1]:
        return registry.get(metric, {**(options or {}), "axis": "seconds"})
    return made


def first_difference(pair: Pair) -> int | None:
    """The place of the first sentence whose words differ; sentences without words on one side do not count."""
    return pair.gold.native.first_parting(pair.test.native)


def _over_time(pairs: Sequence[Pair], options: Mapping[str, str] | None) -> list[Metric]:
    from .. import _core

    names = ["struct_iou|axis:seconds", "sparseval", "boundaries"]
    if any(_core.are_spans(bank.native) for pair in pairs for bank in (pair.gold, pair.test)):
        names.remove("sparseval")  # there are no words
    return [registry.get(names[0], options), *map(registry.get, names[1:])]  # only trees have profiles
