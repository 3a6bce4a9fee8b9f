"""Selection of sentences by id, by number or by their loss."""

from __future__ import annotations

from math import fsum

from ..helpers.text import isolated, number_of, visible
from ..metrics.base import check_best
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..metrics.base import Metric
    from ..scoring.report import Report
    from ..trees import Treebank

_ROUNDING = 1e-9  # tolerance for sums of IoU


def sentence_name(number: int | None, id: str | None) -> str:
    """The number and id of a sentence, if known.

    >>> sentence_name(1, None), sentence_name(2, "wsj.7")
    ('sentence 1', 'sentence 2 (wsj.7)')
    """
    if number is None:
        return ""
    shown = f" ({isolated(id)})" if id and id != str(number) else ""
    return f"sentence {number:,}{shown}"


def check_explained(metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics whose scores can be explained, or an error if there are none."""
    explained = [metric for metric in metrics if metric.judges_nodes]
    if not explained:
        for metric in metrics:
            check_best(metric, "explanation node by node")
        names = ", ".join(dict.fromkeys(metric.name for metric in metrics))
        if any(metric.reads == "conllu" for metric in metrics):
            raise UsageError(
                f"{names} compares CoNLL-U, which has no trees to show or explain; treescore GOLD TEST scores it"
            )
        raise UsageError(f"{names} cannot be explained node by node; parseval and struct_iou can (-m)")
    return explained


def check_selectors(gold: Treebank, selectors: Iterable[str]) -> None:
    """Raise an error for invalid selectors of sentences, see `select_sentences`.

    >>> import treescore
    >>> check_selectors(treescore.read("(S (NN a))"), ["worst:0"])
    Traceback (most recent call last):
    treescore.UsageError: 'worst:0' selects no sentence: use worst, or worst:N with N from 1
    """
    for selector in selectors:
        if _worst(gold, selector) is None:
            indices_of(gold, selector)


def select_sentences(report: Report, selectors: Iterable[str], metric: str | None = None) -> list[int]:
    """The indices of sentences by ids or numbers from 1, separated by commas, or by "worst" or "worst:5".

    "worst" selects only sentences with a loss.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NN a))\\n(S (NN b))", "(S (NN a))\\n(X (NN b))", "parseval|profile:none")
    >>> select_sentences(report, ["1", "worst"])
    [0, 1]
    """
    indices: dict[int, None] = {}
    for selector in selectors:
        count = _worst(report.gold, selector)
        selected = indices_of(report.gold, selector) if count is None else costliest([report], metric)[:count]
        indices.update(dict.fromkeys(selected))
    return list(indices)


def selects_worst(gold: Treebank, selectors: Iterable[str]) -> bool:
    """Does any selector ask for the worst sentences?"""
    return any(_worst(gold, selector) is not None for selector in selectors)


def _worst(gold: Treebank, name: str) -> int | None:
    """The number of worst sentences that a selector asks for; None for an id or a number."""
    kind, colon, count = name.partition(":")
    if kind != "worst" or name in (gold.ids or ()):
        return None
    if not colon:
        return 1
    if count.isascii() and count.isdecimal() and len(count) < 19 and int(count):
        return int(count)
    raise UsageError(f"{visible(name)!r} selects no sentence: use worst, or worst:N with N from 1")


def indices_of(gold: Treebank, name: str) -> list[int]:
    """The indices of sentences; ids may contain commas, so the whole selector is tried as an id first."""
    try:
        return [gold.find(name)]
    except UsageError:
        if "," not in name:
            raise
    return [gold.find(part.strip()) for part in name.split(",")]


def costliest(reports: Sequence[Report], metric: str | None = None) -> list[int]:
    """The indices of sentences with a loss for one system or several, largest losses first.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NN a))\\n(S (NN b))", "(S (NN a))\\n(X (NN b))", "parseval|profile:none")
    >>> costliest([report])
    [1]
    """
    losses = [fsum(row) for row in zip(*(_sentence_losses(report, metric) for report in reports), strict=True)]
    return sorted((index for index, loss in enumerate(losses) if loss > _ROUNDING), key=lambda index: -losses[index])


def _sentence_losses(report: Report, metric: str | None) -> list[float]:
    """The loss of each sentence, in nodes, or in sentences if the score is a mean over sentences."""
    scorer, score = report.find(metric)
    rows = report.rows(score.signature)
    figures = rows[scorer.row_figure]
    if score.main.startswith("sentence"):
        return [0.0 if figure is None else 1.0 - figure for figure in figures]
    common = rows["overlap" if "overlap" in rows else "matched"]
    columns = zip(figures, rows["gold"], rows["test"], common, strict=True)
    return [0.0 if figure is None else (gold + test) / 2 - shared for figure, gold, test, shared in columns]


def without_score(reports: Sequence[Report], metric: str | None = None) -> str:
    """A message about sentences without a score in any of the systems; empty if there are none.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NN a))\\n(S (NN b))", "(S (NN a))\\n(S (NN c))", "parseval|profile:none")
    >>> without_score([report])
    '1 sentence has no score; first: sentence 2'
    """
    unscored = set()
    for report in reports:
        scorer, score = report.find(metric)
        figures = report.rows(score.signature)[scorer.row_figure]
        unscored |= {index for index, figure in enumerate(figures) if figure is None}
    if not unscored:
        return ""
    have = "has" if len(unscored) == 1 else "have"
    first = reports[0].gold.number(min(unscored))
    return f"{number_of(len(unscored), 'sentence')} {have} no score; first: sentence {first}"
