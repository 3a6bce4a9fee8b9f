"""The rule for choosing metrics if none is named, for every entry point that has both inputs as a whole.

CoNLL-U: the metrics of Universal Dependencies. Both sides timed: STRUCT-IOU over seconds, SParseval if there are words,
and word boundaries. Otherwise PARSEVAL with the profile collins is the headline. If words differ, aligned PARSEVAL with
the same profile is a second score; if the numbers of trees differ, it is the only one.

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
from ..metrics.base import Metric
from ..metrics.policy import PolicyMetric, reconcilable, reconciled
from ..place.unequal import check_equal_number, first_difference, sizes_and_difference
from ..recipe import Recipe
from ..values.problem import UsageError
from ..values.signature_text import SignatureError, join_signature, split_signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..place.pair import Pair

    Metrics = str | Metric | Recipe | Iterable[str | Metric | Recipe]

#: The metric for inputs that are read in parts, if none is named.
DEFAULT = "parseval"


class Choice:
    """The metrics, the first of which is the headline, and remarks on the choice."""

    __slots__ = ("metrics", "remarks")

    def __init__(self, metrics: Iterable[Metric], remarks: Sequence[str] = ()) -> None:
        self.metrics = list(dict.fromkeys(metrics))
        self.remarks = tuple(remarks)


def choose(
    pairs: Sequence[Pair],
    metrics: Metrics | None = None,
    options: Mapping[str, str] | None = None,
    *,
    names: Sequence[str] = (),
    reconcile: bool = False,
) -> Choice:
    """The metrics for these pairs: one gold treebank against one or several systems with these `names`.

    If `metrics` are given, only an axis that their signatures leave open is chosen by the input. The `options`, such as
    a profile, apply to every metric whose signature does not have them. With `reconcile`, all metrics compare as if
    both files followed the same conventions.
    """
    choice = _chosen(pairs, metrics, options, names if len(pairs) > 1 else ())
    number = _gold_trees(pairs)
    if number > 1 or any(metric.reference_by for metric in choice.metrics):
        chosen = [with_gold_trees(metric, number) for metric in choice.metrics]
        choice = Choice(chosen, [*choice.remarks, *_agreement(pairs[0])])
    return all_reconciled(choice, metrics) if reconcile else choice


def _gold_trees(pairs: Sequence[Pair]) -> int:
    """The largest number of gold trees of a sentence. A `DependencyBank` has no references."""
    first = pairs[0].gold if pairs else None  # which all pairs have
    return 1 + len(getattr(first, "references", ()))


def _agreement(pair: Pair) -> list[str]:
    """The command for the agreement of the gold files, which is a ceiling for parsers; nothing if they are one file."""
    names = [bank.source.name for bank in (pair.gold, *pair.gold.references) if bank.source.path]
    if len(set(names)) < 1 + len(pair.gold.references):
        return []
    from shlex import quote

    return [f"how well the gold files agree: treescore agreement {' '.join(map(quote, filter(None, names)))}"]


def with_references(metrics: Iterable[Metric], number: int) -> list[Metric]:
    """The metrics for input read in parts; `number` is the largest number of gold trees of its first sentences.

    Metrics whose signatures have such a number are not changed.
    """
    return [metric if metric.references else with_gold_trees(metric, number) for metric in metrics]


def with_gold_trees(metric: Metric, number: int) -> Metric:
    """The metric for sentences with this number of gold trees; an error if its signature has a different one.

    >>> with_gold_trees(registry.get("parseval|profile:none"), 2).signature
    'parseval|labels:yes|profile:none|references:2|reference-by:best|v:0.2.0.dev0'
    """
    if number == 1 and metric.references is None and metric.reference_by is None:
        return metric
    name, options = split_signature(metric.signature)
    if number == 1:
        option = "references" if metric.references else "reference-by"
        raise UsageError(
            f"{option}:{options[option]} needs several gold trees for each sentence, and there is one: add --reference "
            "FILE (in Python: references=[…])"
        )
    if metric.references is None and metric.pairs_trees:
        metric = registry.get(join_signature(name, {**options, "references": str(number)}))
    from ..metrics.references import check_number

    check_number(metric, number)
    if metric.references != number:
        raise UsageError(f"references:{metric.references} in the metric, but there are {number} gold trees")
    return metric


def all_reconciled(choice: Choice, named: Metrics | None = None) -> Choice:
    """The metrics as if both files followed the same conventions; metrics `named` by complete signatures do not change.

    Metrics that cannot be changed are named in a remark; it is an error if none can.
    """
    fixed = {registry.get(metric) for metric in listed(named) if registry.is_complete(metric)} if named else set()
    changeable = [metric for metric in choice.metrics if metric not in fixed and reconcilable(metric)]
    names = ", ".join(dict.fromkeys(metric.name for metric in choice.metrics if metric not in changeable))
    if not changeable:
        reason = "is a complete signature" if fixed else "has no option for conventions"
        raise UsageError(f"reconcile has no effect: {names} {reason}")
    remarks = [*choice.remarks, *([f"reconcile does not change {names}"] if names else [])]
    return Choice([reconciled(metric) if metric in changeable else metric for metric in choice.metrics], remarks)


def _chosen(
    pairs: Sequence[Pair], metrics: Metrics | None, options: Mapping[str, str] | None, names: Sequence[str]
) -> Choice:
    timed = all(pair.is_timed for pair in pairs)
    if metrics is not None:
        choice = Choice(_resolved(metric, timed) for metric in configured(metrics, options))
        check_unfaithful(pairs, choice.metrics)
        return choice
    if timed:
        return _over_time(pairs, options)
    options = dict(options or {})
    if "prm" not in options:
        options.setdefault("profile", "collins")
    unequal = next((pair for pair in pairs if len(pair.gold) != len(pair.test)), None)
    if _gold_trees(pairs) > 1:  # which aligned_parseval does not take
        if unequal:
            check_equal_number(unequal.gold, unequal.test)
        return Choice([registry.get(DEFAULT, options)])
    return _over_words(pairs, options, names) if unequal is None else _over_unequal(unequal, options)


def _over_unequal(pair: Pair, options: Mapping[str, str]) -> Choice:
    """The metric for sides with different numbers of trees."""
    sizes, _ = sizes_and_difference(pair.gold, pair.test)
    try:
        aligned = registry.get("aligned_parseval", options)
    except SignatureError as refusal:
        raise UsageError(f"{sizes}: parseval is undefined, and {_in_short(refusal)}") from None
    return Choice([aligned], [f"{sizes}: parseval is undefined, aligned_parseval aligns the sentences"])


def _over_words(pairs: Sequence[Pair], options: Mapping[str, str], names: Sequence[str]) -> Choice:
    """The metrics for sides with the same number of trees, whose words may differ."""
    headline = registry.get(DEFAULT, options)
    places = [_differs_at(pair, headline) for pair in pairs]
    differing = [(place, n) for n, place in enumerate(places) if place is not None]
    if not differing:
        return Choice([headline])
    place, n = min(differing)
    other = names[n] if names else "test"
    before = f"the words of gold and {other} first differ in sentence {pairs[n].gold.number(place)}"
    try:
        aligned = registry.get("aligned_parseval", options)
    except SignatureError as refusal:
        return Choice([headline], [f"{before}: {_in_short(refusal)}"])
    if any(bank.is_discontinuous for pair in pairs for bank in (pair.gold, pair.test)):
        return Choice([headline], [f"{before}: aligned_parseval does not compare discontinuous trees"])
    return Choice([headline, aligned], [f"{before}: aligned_parseval aligns them"])


def _differs_at(pair: Pair, headline: Metric) -> int | None:
    """The first sentence with different words; None if completions of a language model fail if their words differ."""
    completions = pair.test.completions
    if completions is None:
        return words_differ_at(pair, headline)
    unfaithful = (place for place, completion in enumerate(completions) if completion.faithful is False)
    return next(unfaithful, None) if completions.unfaithful == "aligned" else None


def check_unfaithful(pairs: Iterable[Pair], metrics: Sequence[Metric]) -> None:
    """Refuse metrics that do not align words if unfaithful completions are to be scored on aligned words."""
    completions = [getattr(pair.test, "completions", None) for pair in pairs]
    is_aligned = any(read is not None and read.unfaithful == "aligned" for read in completions)
    if is_aligned and not any(metric.aligns_words for metric in metrics):
        names = ", ".join(dict.fromkeys(metric.name for metric in metrics))
        raise UsageError(
            f"unfaithful:aligned has no effect on {names}: add a metric that aligns words (aligned_parseval, tedeval, "
            "sparseval or dependencies)"
        )


#: The flags of options that several metrics share.
_FLAGS = {"profile": "--profile", "prm": "-p", "only": "--disconly"}


def configured(metrics: Metrics, options: Mapping[str, str] | None = None) -> list[str | Metric | Recipe]:
    """The metrics, with the options added to signatures that leave them open; an error if an option has no effect.

    >>> configured(["parseval|profile:none", "struct_iou"], {"profile": "collins"})
    ['parseval|profile:none', 'struct_iou|profile:collins']
    """
    named = listed(metrics)
    if not options:
        return named
    signatures: list[str | Metric | Recipe] = []
    used: set[str] = set()
    for metric in named:
        extra = registry.left_open(metric, options) if isinstance(metric, str) else {}
        used.update(extra)
        signatures.append(join_signature(metric, extra) if isinstance(metric, str) else metric)
    for name in options:
        if name not in used:
            flag = _FLAGS.get(name, name)
            raise UsageError(f"{flag} has no effect: every metric of -m has this option, or is a complete signature")
    return signatures


def listed(metrics: Metrics) -> list[str | Metric | Recipe]:
    """One or several metrics as a list; an error if there is none."""
    named = [metrics] if isinstance(metrics, str | Metric | Recipe) else list(metrics)
    if not named:
        raise UsageError("no metric is named")
    return named


def as_metrics(metrics: Metrics) -> list[Metric]:
    """The metrics with these signatures, without repetitions, for inputs that are read in parts."""
    chosen = list(dict.fromkeys(map(registry.get, listed(metrics))))
    check_trees(chosen)
    return chosen


def check_trees(metrics: Iterable[Metric]) -> None:
    """Refuse metrics that do not compare trees."""
    for metric in metrics:
        if metric.reads != "trees":
            raise UsageError(f"{metric.name} compares CoNLL-U files, not trees")


def choose_for_conllu(metrics: Metrics | None) -> Metric:
    """The metric for CoNLL-U files, or for inputs that are compared by such a metric."""
    chosen = [registry.get(metric) for metric in listed("conllu_eval" if metrics is None else metrics)]
    for metric in chosen:
        if metric.reads != "conllu":
            raise UsageError(f"{metric.name} compares trees, and these files are CoNLL-U: use conllu_eval")
    if len(set(chosen)) > 1:
        raise UsageError("for CoNLL-U files, give conllu_eval once")
    return chosen[0]


def _resolved(metric: str | Metric | Recipe, timed: bool) -> Metric:
    """The metric, over seconds if both sides are timed and its signature names no axis."""
    has_axis = timed and registry.get(metric).has_option("axis")
    return registry.get(metric, {"axis": "seconds"} if has_axis else None)


def _in_short(refusal: SignatureError) -> str:
    """The reason of a refusal, without the list of known options."""
    return str(refusal).partition("; known")[0]


def words_differ_at(pair: Pair, metric: Metric) -> int | None:
    """The place of the first sentence whose words differ, if the metric compares words.

    Traces count as words unless the metric deletes them.
    """
    if isinstance(metric, PolicyMetric) and metric.recipe.words != "same":
        return None
    deletes_traces = isinstance(metric, PolicyMetric) and metric.recipe.deletes_tag("-NONE-")
    return first_difference(pair.gold, pair.test, traces=not deletes_traces)


def _over_time(pairs: Sequence[Pair], options: Mapping[str, str] | None) -> Choice:
    from .. import _core

    are_words = not any(_core.are_spans(bank.native) for pair in pairs for bank in (pair.gold, pair.test))
    return choose_over_time(options, are_words=are_words)


def choose_over_time(options: Mapping[str, str] | None = None, *, are_words: bool, labels: bool = True) -> Choice:
    """The metrics for trees over time; SParseval only if there are words.

    >>> [metric.name for metric in choose_over_time(are_words=False).metrics]
    ['struct_iou', 'boundaries']
    """
    shared = {} if labels else {"labels": "no"}
    try:
        metrics = [registry.get("struct_iou|axis:seconds", {**(options or {}), **shared})]
    except SignatureError as refusal:
        raise UsageError(f"both sides have times, so that struct_iou is chosen: {_in_short(refusal)}") from None
    metrics += [registry.get("sparseval", shared)] if are_words else []
    metrics.append(registry.get("boundaries"))
    flags = [_FLAGS.get(name, name) for name in options or ()]
    verb = "apply" if len(flags) > 1 else "applies"
    others = " and ".join(metric.name for metric in metrics[1:])
    remarks = (
        [f"{' and '.join(flags)} {verb} to struct_iou as far as labels and deletions go, and not to {others}"]
        if flags
        else []
    )
    return Choice(metrics, remarks)
