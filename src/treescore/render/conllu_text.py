"""The tables of the original evaluation of Universal Dependencies, byte for byte."""

from __future__ import annotations

from ..metrics.conllu_eval import ConlluEval
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..scoring.report import Report
    from ..values.counts import Counts

_RULE = "-----------+-----------+-----------+-----------+-----------"
_QUOTED = {"las": "LAS F1 Score", "mlas": "MLAS Score", "blex": "BLEX Score", "elas": "ELAS F1 Score"} | {
    "eulas": "EULAS F1 Score"
}


def original(report: Report, form: str) -> str:
    """The output of the original without options ("conll"), with -v ("conll-rates") or with -c ("conll-counts")."""
    metric, score = report.pairs()[0]
    if not isinstance(metric, ConlluEval):
        raise UsageError(f"the format {form} is for CoNLL-U files and conllu_eval, not for {metric.name}")
    return {"conll": _quoted, "conll-rates": _rates, "conll-counts": _raw}[form](metric, score.counts)


def _quoted(metric: ConlluEval, counts: Counts) -> str:
    """The main figures, one per line."""
    total = counts.total()
    lines = []
    for name, title in _QUOTED.items():
        if name in metric.measures:
            _, correct, gold, test, _ = metric.measures[name]
            lines.append(f"{title}: {_percent(2 * total[correct], total[gold] + total[test])}")
    return "".join(f"{line}\n" for line in lines)


def _rates(metric: ConlluEval, counts: Counts) -> str:
    """The table of the option -v."""
    total = counts.total()
    lines = ["Metric     | Precision |    Recall |  F1 Score | AligndAcc", _RULE]
    for title, correct, gold, test, aligned in metric.measures.values():
        right, of_gold, of_test = total[correct], total[gold], total[test]
        shares = (right, of_test), (right, of_gold), (2 * right, of_gold + of_test)
        cells = " | ".join(f"{_percent(*share):>9}" for share in shares)
        accuracy = f" {_percent(right, total[aligned]):>9}" if aligned else ""
        lines.append(f"{title:11}| {cells} |{accuracy}")
    return "".join(f"{line}\n" for line in lines)


def _raw(metric: ConlluEval, counts: Counts) -> str:
    """The table of the option -c."""
    total = counts.total()
    lines = ["Metric     | Correct   |      Gold | Predicted | Aligned", _RULE]
    for name, (title, correct, gold, test, aligned) in metric.measures.items():
        number = str(total[correct]) if name == "words" else str(total[aligned] or "") if aligned else ""
        cells = " | ".join(f"{total[column]:>9}" for column in (correct, gold, test))
        lines.append(f"{title:11}| {cells} | {number:>9}")
    return "".join(f"{line}\n" for line in lines)


def _percent(above: int, below: int) -> str:
    return f"{100 * (above / below) if below else 0:.2f}"
