"""The counts of the original SParseval for trees that are already read."""

from __future__ import annotations

from .. import _core
from ..helpers.text import decode, encode
from ..readers.sparseval_files import Parameters
from ..values.problem import InputError, Problem
from .known_files import recall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..place.pair import Pair
    from .sparseval import Sparseval


def rows_of(metric: Sparseval, pair: Pair) -> _core.Rows:
    """The rows of the metric, one per unit. Words are not counted, because the original does not align them."""
    for bank in (pair.gold, pair.test):
        if bank.is_discontinuous:
            message = "the file has discontinuous trees, which the original program cannot read"
            raise InputError(Problem("discontinuous", message, file=bank.source.name))
    table = metric.table
    equal_words = [(encode(a), encode(b)) for a, b in metric.equal_words]
    pauses = [(b"1", encode(word)) for word in metric.pauses]
    if metric.prm and (metric.equal_words, metric.pauses) == (metric.base["equal_words"], metric.base["pauses"]):
        parameters = Parameters(recall(metric.prm, "parameter", "prm:FILE"))  # keeps the groups of pauses apart
        equal_words, pauses = parameters.equal_words, parameters.pauses
    program = _core.Sparseval(
        deleted=[encode(label) for label in metric.delete],
        empty=[encode(label) for label in metric.empty],
        edits=[encode(label) for label in metric.edits],
        closed=[encode(label) for label in metric.closed],
        rewritten=[(encode(a), encode(b)) for a, b in metric.equal],
        equal_words=equal_words,
        pauses=pauses,
        heads=[(encode(label), _groups(groups)) for label, groups in table.rules] if table else None,
        default_head=_groups(table.default) if table else [],
        bag=metric.align == "bag",
        whole_files=metric.unit == "file",
        unlabelled=not metric.labels,
    )
    texts = [encode("\n".join(bank.lines())) for bank in (pair.gold, pair.test)]
    names = [encode(bank.source.name or side) for bank, side in ((pair.gold, "gold"), (pair.test, "test"))]
    refusal = program.score(texts[0], texts[1], names[0], names[1], metric.alignment)
    if refusal is not None:
        message = f"the original program stops here: {' / '.join(decode(refusal).split(chr(10))).strip(' /')}"
        raise InputError(Problem("original", message, unit=len(program) + 1))
    return program.speech_rows()


def _groups(groups: tuple[tuple[str, tuple[str, ...]], ...]) -> list[tuple[bool, list[bytes]]]:
    return [(direction == "l", [encode(label) for label in labels]) for direction, labels in groups]
