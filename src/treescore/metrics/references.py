"""Several gold trees for each sentence: which of them a metric compares, and what their rows come to.

A sentence that fails against every gold tree counts against the first. With `reference-by:mean` a sentence needs a
score against each of them.

>>> import treescore
>>> gold = treescore.read("(S (NP (NN a)) (VB b))").with_references([treescore.read("(S (NN a) (VB b))")])
>>> pair = treescore.Pair(gold, treescore.read("(S (NN a) (VB b))"))
>>> best = with_chosen_gold(treescore.metric("parseval|profile:none|references:2"), pair)
>>> list(best.gold.lines()), best.counted.row(0)["gold"]
(['(S (NN a) (VB b))'], 1)
>>> mean = with_chosen_gold(treescore.metric("parseval|profile:none|references:2|reference-by:mean"), pair)
>>> list(mean.gold.lines()), mean.counted.row(0)["gold"]
(['(S (NP (NN a)) (VB b))'], 3)
"""

from __future__ import annotations

from ..place.pair import Pair
from ..place.references import ChosenTrees
from ..values.counts import Counts
from ..values.problem import InputError, Problem, UsageError
from ..values.score import ALL
from .conventions import CONVENTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._core import Progress
    from .base import Metric

#: What becomes of a row, from the best outcome to the worst. A sentence that is scored against any gold tree is scored;
#: one that could not be finished may have been better than one that failed.
_BEST_FIRST = ("", "lost", "failed", "excluded", "gold_faults")
#: The same where every gold tree is needed: what gold decides comes first, and then what test does.
_MEAN_FIRST = ("gold_faults", "excluded", "failed", "lost", "")
#: The columns that count rows, and others that count sentences of a kind: each gold tree counts its sentence once.
_UNITS = ("sentences", "units")
_OF_SENTENCES = (*_BEST_FIRST[1:], *(convention.column for convention in CONVENTIONS))


def check_number(metric: Metric, number: int) -> None:
    """Refuse several gold trees for each sentence if the metric does not take so many."""
    if not metric.pairs_trees:
        raise UsageError(
            f"{metric.name} aligns the sentences of whole files and takes one gold tree for each; leave out the other "
            "references, or choose a metric such as parseval or struct_iou"
        )
    if number > (metric.references or 1):
        raise UsageError(
            f"there are {number} gold trees for a sentence, and {metric.signature} takes {metric.references or 1}: "
            f"write references:{number}"
        )


def with_chosen_gold(metric: Metric, pair: Pair, *, threads: int = 1, progress: Progress | None = None) -> Pair:
    """The pair with the gold tree of each sentence that decides its score, and the rows."""
    banks = pair.gold, *pair.gold.references
    check_number(metric, len(banks))
    counts = [metric.counts(Pair(bank, pair.test), threads=threads, progress=progress) for bank in banks]
    if metric.reference_by == "mean":
        _check_complete(metric, pair)
        chosen = _first_of_states(counts)
        counted = _added(counts, chosen)
    else:
        chosen = _best(metric, counts)
        counted = _picked(counts, chosen)
    return Pair(ChosenTrees(banks, chosen), pair.test, counted=counted)


def _states(counts: Counts) -> list[str]:
    """What became of each row: the column that says why it is not scored, or nothing."""
    states = [""] * len(counts)
    for name in _BEST_FIRST[1:]:
        for place, value in enumerate(counts.columns.get(name, ())):
            if value:
                states[place] = name
    return states


def _best(metric: Metric, several: Sequence[Counts]) -> list[int]:
    """For each sentence the number of the gold tree with the best score; the first of equal ones.

    A score is undefined where neither tree has anything to compare: such trees agree, and none agrees better. Rows that
    are not scored are equally good if they have the same state.
    """
    rank = {state: -place for place, state in enumerate(_BEST_FIRST)}
    rank["gold_faults"] = rank["excluded"]  # neither is due to test
    keys = []
    for counts in several:
        figures = metric.rows(counts)[metric.row_figure]
        keys.append(
            [
                (rank[state], _goodness(metric, figure) if state == "" else 0.0)
                for state, figure in zip(_states(counts), figures, strict=True)
            ]
        )
    return [max(range(len(row)), key=row.__getitem__) for row in zip(*keys, strict=True)]


def _goodness(metric: Metric, figure: float | None) -> float:
    return float("inf") if figure is None else metric.goodness(metric.row_figure, figure)


def _picked(several: Sequence[Counts], chosen: Sequence[int]) -> Counts:
    """For each sentence its row among those of one treebank."""

    def picked(name: str) -> list[int]:
        columns = [counts[name] for counts in several]
        return [columns[number][place] for place, number in enumerate(chosen)]

    first = several[0]
    return Counts({name: picked(name) for name in first.columns}, notes={name: picked(name) for name in first.notes})


def _check_complete(metric: Metric, pair: Pair) -> None:
    """Refuse a mean where sentences have different numbers of gold trees."""
    gold = pair.gold
    wanted = metric.references or 1
    if not len(gold) or (not gold.incomplete and len(gold.references) + 1 == wanted):
        return
    place = gold.incomplete[0] if gold.incomplete else 0
    message = f"this sentence has fewer gold trees than {wanted}: reference-by:mean needs all of them for each sentence"
    raise InputError(Problem("references", message, file=gold.source.name, unit=gold.number(place)))


def _first_of_states(several: Sequence[Counts]) -> list[int]:
    """For each sentence the number of the first gold tree that decides whether the sentence is scored."""
    rows = zip(*map(_states, several), strict=True)
    return [states.index(next(state for state in _MEAN_FIRST if state in states)) for states in rows]


def _added(several: Sequence[Counts], chosen: Sequence[int]) -> Counts:
    """The sums of the rows of each sentence.

    A sentence that is scored against some of its gold trees only is not scored: nothing of it is matched.
    """
    own = _picked(several, chosen)
    times = len(several)
    states = list(zip(*map(_states, several), strict=True))
    mixed = {
        place: row[number] for place, (row, number) in enumerate(zip(states, chosen, strict=True)) if len({*row}) > 1
    }
    columns = {}
    for name, column in own.columns.items():
        if name in _OF_SENTENCES:
            columns[name] = [times * value for value in column]
            continue
        columns[name] = list(map(sum, zip(*(counts[name] for counts in several), strict=True)))
        if name not in _UNITS:
            for place, state in mixed.items():
                if state != "failed" or not name.endswith(ALL):
                    columns[name][place] = 0
    for place, state in mixed.items():
        if state == "failed":
            columns["failed_gold"][place] = columns["gold_all"][place]
            columns["test_all"][place] = max(columns["gold_all"][place], columns["test_all"][place])
    return Counts(columns, notes=own.notes)
