"""Rewards for reinforcement learning of parsers: completions of language models in, one number for each out.

`rewards` is a reward function of TRL's GRPO trainer as it is; `compute_score` is one for verl, `reward_func` one for
OpenRLHF.
"""

from __future__ import annotations

from functools import lru_cache
from math import isfinite

from .. import metrics as registry
from ..helpers.threads import count_threads
from ..metrics.base import Metric
from ..readers.completions.completion_list import allowed_repairs
from ..scoring.batch import score_batch
from ..scoring.choosing import check_trees
from ..values.problem import UsageError, check_choice, check_whole
from .judged_completions import gold_trees, judge, texts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..place.pair import Pair
    from ..readers.sources import Readable
    from .judged_completions import Judged

#: The metric of the figure "f1" of `compute_score`.
F1 = "parseval|delete-by:gold|outer:ignored"
#: What `compute_score` and `reward_func` return for a gold tree that cannot be used: their callers need numbers.
_NO_GOLD = 0.0


def rewards(
    completions: Sequence[Any],
    gold: Readable,
    metric: str | Metric = "struct_iou",
    *,
    invalid: float = 0.0,
    unfaithful: str | float = "invalid",
    repair: str | Iterable[str] = "all",
    repaired: float = 1.0,
    sentence: Any = None,
    threads: int = 1,
    **kwargs: Any,
) -> list[float | None]:
    """A reward for each completion of a language model: the score of its tree by a metric, from 0 to 1.

    A completion is a string, None, a message of a chat, or a list of messages, the last of the assistant counts. `gold`
    has a tree for each completion, as a string or object; a single tree stands for all. The metric is a signature;
    outer brackets such as ROOT are ignored (`outer:ignored`) unless it says otherwise.

    A completion without a tree has the reward `invalid`; so has a tree with other words than its sentence, unless
    `unfaithful` is another number. `unfaithful="score"` scores such trees, which rewards models for wrong words.
    `repair` has the repairs that are allowed, "all", "none" or names; the reward of a repaired tree is multiplied by
    `repaired`. `sentence` has the words of each completion if they are not the leaves of its gold tree.

    The reward is None if the gold tree cannot be used: it is unreadable, without words, or too large. Other keyword
    arguments are ignored, but `log_extra` and `log_metric` of TRL are called with trees, outcomes and their rates.

    >>> gold = "(S (NP (DT The) (NN cat)) (VP (VBD sat)))"
    >>> rewards([gold, "(S (NP (DT The) (NN cat)) (VBD sat))", "I cannot do that.", "(S (NP (DT The) (NN cat"], gold)
    [1.0, 0.9090909091, 0.0, 0.0]
    """
    values: dict[str, Any] = {"invalid": invalid, "unfaithful": unfaithful, "repaired": repaired}
    scores, judged = _rewarded(completions, gold, metric, **values, repair=repair, sentence=sentence, threads=threads)
    _log(judged, **kwargs)
    return scores


def _rewarded(
    completions: Sequence[Any],
    gold: Readable,
    metric: str | Metric,
    *,
    repair: str | Iterable[str],
    sentence: Any,
    threads: int,
    **values: Any,
) -> tuple[list[float | None], Judged]:
    """The rewards, and what the completions were taken for."""
    scorer = _scorer(metric)
    _check_options(**values)
    repairs, texts = allowed_repairs(repair), texts_of(completions)
    check_whole(threads, "threads")
    trees = gold_trees(gold, len(texts), sentence)
    judged = judge(texts, trees, repairs=repairs, with_unfaithful=values["unfaithful"] == "score")
    return _scores(scorer, judged, **values, threads=count_threads(threads, len(texts))), judged


def form(
    completions: Sequence[Any],
    gold: Readable,
    *,
    repair: str | Iterable[str] = "all",
    sentence: Any = None,
    **kwargs: Any,
) -> list[float | None]:
    """A reward for form alone: 1 for trees that are valid as printed, with the words of their sentence, else 0.

    >>> form(["(S (NN a))", "Tree: (S (NN a))", "(S (NN b))"], "(NP (NN a))")
    [1.0, 0.0, 0.0]
    """
    repairs, texts = allowed_repairs(repair), texts_of(completions)
    judged = judge(texts, gold_trees(gold, len(texts), sentence), repairs=repairs)
    pairs = zip(judged.outcomes, judged.faithful, strict=True)
    return [None if outcome is None else float(outcome == "valid" and faithful is True) for outcome, faithful in pairs]


def compute_score(
    data_source: Any = None,
    solution_str: Any = None,
    ground_truth: Any = None,
    extra_info: Any = None,
    *,
    solution_strs: Sequence[Any] | None = None,
    ground_truths: Sequence[Any] | None = None,
    **options: Any,
) -> Any:
    """The reward of a completion for verl, as a dict of numbers; with `solution_strs` and `ground_truths` a list.

    The options are those of `rewards`. `f1` is the F1 of the tree, 0 without a tree or with other words. If the gold
    tree cannot be used, all numbers are 0.

    >>> gold = "(S (NP (DT The) (NN cat)) (VP (VBD sat)))"
    >>> compute_score("treebank", "(S (DT The) (NN cat) (VP (VBD sat)))", gold)
    {'score': 0.9090909091, 'valid': 1, 'faithful': 1, 'repaired': 0, 'f1': 0.8}
    """
    if solution_strs is None:
        return _computed([solution_str], [ground_truth], **options)[0]
    return _computed(list(solution_strs), list(ground_truths or ()), **options)


def _computed(completions: Sequence[Any], gold: Readable, **options: Any) -> list[dict[str, float]]:
    """The figures of each completion. The options are those of `rewards`; others are ignored, as there."""
    defaults = {"metric": "struct_iou", **(rewards.__kwdefaults__ or {})}
    known = {name: options.get(name, default) for name, default in defaults.items()}
    scores, judged = _rewarded(completions, gold, known.pop("metric"), **known)
    f1 = _scores(_scorer(F1), judged)
    rows = zip(scores, judged.outcomes, judged.faithful, f1, strict=True)
    return [
        {
            "score": _NO_GOLD if score is None else score,
            "valid": int(outcome == "valid"),
            "faithful": int(faithful is True),
            "repaired": int(outcome == "repaired"),
            "f1": value if value is not None and faithful else 0.0,
        }
        for score, outcome, faithful, value in rows
    ]


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **options: Any
) -> dict[str, Any]:
    """The rewards of completions for OpenRLHF; labels are gold trees. Tensors if torch is installed, else lists.

    A query is a prompt with its completion. The prompt, which may contain trees, is removed.

    >>> prompt = "Parse: a b. For instance, c d is (S (NN c) (NN d)). "
    >>> reward_func([prompt + "(S (NN a) (NN b))"], [prompt], ["(S (NN a) (NN b))"])["extra_logs"].keys()
    dict_keys(['valid', 'faithful', 'repaired', 'f1'])
    """
    completions = [query.removeprefix(prompt) for query, prompt in zip(queries, prompts, strict=True)]
    computed = _computed(completions, list(labels), **options)
    columns = {name: _numbers([float(figures[name]) for figures in computed]) for name in _COMPUTED}
    score = columns.pop("score")
    return {"rewards": score, "scores": score, "extra_logs": columns}


_COMPUTED = ("score", "valid", "faithful", "repaired", "f1")


def _numbers(values: list[float]) -> Any:
    try:
        import torch
    except ImportError:
        return values
    return torch.tensor(values)


def _scorer(metric: str | Metric) -> Metric:
    """The metric of a reward. A signature that says nothing about outer brackets ignores them.

    >>> _scorer("struct_iou").signature
    'struct_iou|labels:yes|terminals:flexible|threshold:0|axis:words|outer:ignored|v:0.2.0.dev0'
    """
    scorer = registry.get(metric)
    if _may_ignore_outer(scorer) and isinstance(metric, str):
        return registry.get(metric, {"outer": "ignored"})
    return scorer


@lru_cache(maxsize=100)
def _may_ignore_outer(metric: Metric) -> bool:
    """Can the metric ignore outer brackets? It is an error if it cannot give rewards at all."""
    check_trees([metric])
    figure = metric.row_figure
    if metric.needs_times:
        raise UsageError(f"{metric.signature} needs times, which completions do not have; use axis:words")
    if metric.references or metric.reference_by:
        raise UsageError("a completion is compared with one gold tree: remove references and reference-by")
    if figure in (*metric.error_rates, *metric.error_amounts, *metric.signed):
        raise UsageError(f"the figure {figure} of {metric.name} is not a score from 0 to 1")
    return metric.has_option("outer")


def _check_options(*, invalid: float, unfaithful: str | float, repaired: float) -> None:
    _check_number(invalid, "invalid")
    if isinstance(unfaithful, str):
        check_choice(unfaithful, "unfaithful", ("invalid", "score"))
    else:
        _check_number(unfaithful, 'unfaithful, if it is not "invalid" or "score",')
    _check_number(repaired, "repaired")
    if not 0 <= repaired <= 1:
        raise UsageError(f"repaired must be a number from 0 to 1, not {repaired!r}")


def _check_number(value: object, what: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise UsageError(f"{what} must be a number, not {value!r}")


def _scores(
    metric: Metric,
    judged: Judged,
    *,
    invalid: float = 0.0,
    unfaithful: str | float = "invalid",
    repaired: float = 1.0,
    threads: int = 1,
) -> list[float | None]:
    """The reward of each completion."""
    other_words = float(invalid if isinstance(unfaithful, str) else unfaithful)
    without_tree = {None: float(invalid), True: float(invalid), False: other_words}
    rewards: list[float | None] = [
        None if outcome is None else without_tree[faithful]
        for outcome, faithful in zip(judged.outcomes, judged.faithful, strict=True)
    ]
    for pair, places in judged.pairs:
        for index, (place, score) in enumerate(zip(places, _row_scores(metric, pair, threads), strict=True)):
            if score is not None:
                rewards[place] = score * repaired if judged.outcomes[place] == "repaired" else score
            elif _is_undefined(metric, pair, index):
                rewards[place] = None
    return rewards


def _row_scores(metric: Metric, pair: Pair, threads: int) -> list[float | None]:
    """The score of each pair of trees; 0 for test trees that the metric refuses."""
    if not metric.pairs_trees:  # it would align the sentences of a batch
        return [_whole_score(metric, pair[index : index + 1]) for index in range(len(pair))]
    counts = score_batch([metric], pair, threads=threads).counts[0]
    scores = metric.row_scores(counts)
    if None not in scores or "failed" not in counts.columns:
        return scores
    pairs = zip(scores, counts["failed"], strict=True)
    return [0.0 if score is None and failed else score for score, failed in pairs]


def _whole_score(metric: Metric, pair: Pair) -> float | None:
    total = score_batch([metric], pair).counts[0].total()
    score = metric.figure(total, metric.deciding(metric.main, total))
    return None if score is None else round(score, 10)


def _is_undefined(metric: Metric, pair: Pair, index: int) -> bool:
    """Has the gold tree no score even if it is compared with itself?"""
    from ..place.pair import Pair

    gold = pair.gold[index : index + 1]
    return _row_scores(metric, Pair(gold, gold), 1)[0] is None


def _log(judged: Judged, *, log_extra: Any = None, log_metric: Any = None, **_ignored: Any) -> None:
    """Call TRL's functions for logging."""
    if log_extra is not None:
        log_extra("tree", judged.trees())
        log_extra("outcome", list(judged.outcomes))
    size = len(judged.outcomes) - judged.outcomes.count(None)
    if log_metric is not None and size:
        for outcome in ("valid", "repaired", "rejected"):
            log_metric(outcome, judged.outcomes.count(outcome) / size)
        log_metric("faithful", judged.faithful.count(True) / size)
