"""Which sentences are looked at: by id or number, or those that cost a score most; and how they are named."""

from __future__ import annotations

from math import fsum

from ..helpers.text import isolated, number_of, visible
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..metrics.base import Metric
    from ..scoring.report import Report
    from ..trees import Treebank
    from .tree_pair import TreePair

_ROUNDING = 1e-9  # what a sum of IoU may be away from a whole number


def sentence_name(pair: TreePair) -> str:
    """The number and the id of a sentence, if it has them.

    >>> import treescore
    >>> sentence_name(treescore.pair("(S a)", "(S a)"))
    'sentence 1'
    """
    if pair.number is None:
        return ""
    id = f" ({isolated(pair.id)})" if pair.id and pair.id != str(pair.number) else ""
    return f"sentence {pair.number:,}{id}"


def check_explained(metrics: Sequence[Metric]) -> list[Metric]:
    """Those of the metrics whose scores can be explained; an error if there is none."""
    able = [metric for metric in metrics if metric.judges_nodes]
    if not able:
        names = ", ".join(dict.fromkeys(metric.name for metric in metrics))
        if any(metric.reads == "conllu" for metric in metrics):
            raise UsageError(
                f"{names} compares CoNLL-U, which has no trees to show or explain; treescore GOLD TEST scores it"
            )
        raise UsageError(f"{names} cannot be explained node by node; parseval and struct_iou can (-m)")
    return able


def check_wanted(gold: Treebank, wanted: Iterable[str]) -> None:
    """An error where the names of sentences are not such as `chosen` takes.

    >>> import treescore
    >>> check_wanted(treescore.read("(S (NN a))"), ["worst:0"])
    Traceback (most recent call last):
    treescore.UsageError: 'worst:0' names no sentence: worst, or worst:N with a number N from 1
    """
    for name in wanted:
        if _worst(gold, name) is None:
            _places(gold, name)


def chosen(report: Report, wanted: Iterable[str], metric: str | None = None) -> list[int]:
    """The places of sentences that are wanted: ids, or numbers from 1, with commas between them; or "worst", "worst:5".

    Where no sentence costs the score anything, none is the worst.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NN a))\\n(S (NN b))", "(S (NN a))\\n(X (NN b))", "parseval|profile:none")
    >>> chosen(report, ["1", "worst"])
    [0, 1]
    """
    found: dict[int, None] = {}
    for name in wanted:
        count = _worst(report.gold, name)
        places = _places(report.gold, name) if count is None else costliest([report], metric)[:count]
        found.update(dict.fromkeys(places))
    return list(found)


def asks_for_worst(gold: Treebank, wanted: Iterable[str]) -> bool:
    """Are some sentences wanted because they cost most?"""
    return any(_worst(gold, name) is not None for name in wanted)


def _worst(gold: Treebank, name: str) -> int | None:
    """How many of the worst sentences are wanted; None if one is named."""
    kind, colon, count = name.partition(":")
    if kind != "worst" or name in (gold.ids or ()):
        return None
    if not colon:
        return 1
    if count.isascii() and count.isdecimal() and len(count) < 19 and int(count):
        return int(count)
    raise UsageError(f"{visible(name)!r} names no sentence: worst, or worst:N with a number N from 1")


def _places(gold: Treebank, name: str) -> list[int]:
    """Ids may have commas, so that the whole is tried first."""
    try:
        return [gold.find(name)]
    except UsageError:
        if "," not in name:
            raise
    return [gold.find(part.strip()) for part in name.split(",")]


def costliest(reports: Sequence[Report], metric: str | None = None) -> list[int]:
    """The sentences that cost the scores of one system or several anything, those first that cost most.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NN a))\\n(S (NN b))", "(S (NN a))\\n(X (NN b))", "parseval|profile:none")
    >>> costliest([report])
    [1]
    """
    lost = [fsum(losses) for losses in zip(*(_sentence_losses(report, metric) for report in reports), strict=True)]
    found = [index for index, loss in enumerate(lost) if loss > _ROUNDING]
    return sorted(found, key=lambda index: -lost[index])


def _sentence_losses(report: Report, metric: str | None) -> list[float]:
    """What each sentence takes off the score, in nodes, or in sentences if the score is their mean."""
    made_by, score = report.find(metric)
    rows = report.rows(score.signature)
    figures = rows[made_by.row_figure]
    if score.main.startswith("sentence"):
        return [0.0 if figure is None else 1.0 - figure for figure in figures]
    common = rows["overlap" if "overlap" in rows else "matched"]
    columns = zip(figures, rows["gold"], rows["test"], common, strict=True)
    return [0.0 if figure is None else (gold + test) / 2 - shared for figure, gold, test, shared in columns]


def without_score(reports: Sequence[Report], metric: str | None = None) -> str:
    """How many sentences have no score under any of the systems, and which is the first; empty if all have one.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NN a))\\n(S (NN b))", "(S (NN a))\\n(S (NN c))", "parseval|profile:none")
    >>> without_score([report])
    '1 sentence has no score, the first is number 2'
    """
    found = set()
    for report in reports:
        made_by, score = report.find(metric)
        figures = report.rows(score.signature)[made_by.row_figure]
        found |= {index for index, figure in enumerate(figures) if figure is None}
    if not found:
        return ""
    have = "has" if len(found) == 1 else "have"
    first = reports[0].gold.number(min(found))
    return f"{number_of(len(found), 'sentence')} {have} no score, the first is number {first}"
