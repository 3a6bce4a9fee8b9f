"""Scoring of CoNLL-U files in commands that also score trees."""

from __future__ import annotations

from ..scoring.choosing import choose_for_conllu
from ..scoring.evaluation import conllu_eval
from ..values.problem import InputError, Problem, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..metrics.base import Metric
    from ..readers.dependency_bank import DependencyBank
    from ..readers.sources import Readable
    from ..scoring.report import Report

_FOR_TREES = ("profile", "prm", "reconcile", "node_mappings", "disconly", "encoding", "explain", "chunk")


def compare(
    gold: Readable | DependencyBank, test: Readable | DependencyBank, options: argparse.Namespace, metric: Metric
) -> Report:
    """The report on two files."""
    report = conllu_eval(
        gold,
        test,
        metric=metric,
        multiple_roots=getattr(options, "multiple_roots", False),
        empty_nodes=not getattr(options, "no_empty_nodes", False),
        on_error="raise" if options.strict else "keep",
    )
    for bank in (report.gold, report.test):
        if len(bank) == 0:
            raise InputError(Problem("empty", "there are no sentences in it", file=bank.source.name))
    return report


def metric_for(options: argparse.Namespace, metrics: Sequence[Metric]) -> Metric:
    """The selected metric, if all options apply to CoNLL-U."""
    metric = choose_for_conllu(metrics if options.metric else None)
    values = {f"--{name}": getattr(options, name, None) for name in _FOR_TREES}
    values |= {"--input-format": options.input_format != "auto", "--layout": options.layout != "auto"}
    values["--functions"] = options.functions != "apart"
    values["--by label"] = getattr(options, "by", None) == "label"
    values["-f evalb"] = options.format == "evalb"
    for name, value in values.items():
        if value:
            raise UsageError(f"{name} is for trees; {metric.name} scores CoNLL-U files")
    return metric
