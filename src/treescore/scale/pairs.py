"""Rows of gold and test in columns: every row is scored for itself, and a bad one harms no other.

>>> found = score_columns(["(S (NN a))", None], ["(S (NN a))", "(S (NN b))"], check_metrics("parseval|profile:none"))
>>> found.tables[0].figures, list(found.tables[0].status)
([1.0, None], [0, 1])
>>> [(problem.unit, problem.code) for problem in found.batch.problems]
[(2, 'null')]
"""

from __future__ import annotations

from .. import _core
from ..helpers.text import encode
from ..helpers.threads import count_threads
from ..place.pair import Pair
from ..readers.brackets import NO_TREE, OVER_LINES, read_rows
from ..readers.data_frames import Unusable, is_missing
from ..scoring.batch import Batch, score_batch
from ..scoring.choosing import as_metrics
from ..trees import Source, Treebank
from ..values.counts import Counts
from ..values.problem import InputError, Problem, UsageError, check_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..metrics.base import Metric
    from ..scoring.choosing import Metrics

#: How trees are written: in brackets, some of them perhaps with numbered words; or with spans of time for words. With
#: auto they are spans where a metric needs times. Other rows do not matter.
FORMS = ("auto", "brackets", "spans")
#: Rows that are scored at a time.
WINDOW = 1 << 13
#: Rows of a part, about: row groups are joined up to this number, and longer ones are split.
ROWS = 4 * WINDOW
_FOLLOWING = ("unparsed", "no-gold", "empty")  # problems that follow from values that are no trees
_BAD = b")"  # what stands for a value that is no text: a tree that cannot be read
_TIMED = b"(X (X 0-1))"
_MARK = b"\xef\xbb\xbf"


class ScoredTable:
    """What one metric says about some rows: a figure or None and a status for each, and the counts."""

    __slots__ = ("counts", "figures", "status")

    def __init__(self, figures: list[float | None], status: Sequence[int], counts: Counts) -> None:
        self.figures = figures
        self.status = status
        self.counts = counts

    @property
    def all_figures(self) -> list[float | None]:
        """The figures over all sentences: a row that failed scores 0."""
        return self.counts.with_failed(self.figures) if any(self.counts.columns.get("failed", ())) else self.figures


class Scored:
    """Scored rows: the batch, whose problems have the numbers of the rows from 1, and a table for each metric."""

    __slots__ = ("batch", "tables")

    def __init__(self, batch: Batch, tables: list[ScoredTable]) -> None:
        self.batch = batch
        self.tables = tables

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.batch)

    def problem_texts(self) -> list[str | None]:
        """The problems of each row as text, a line each; None where there is none."""
        lines: dict[int, list[str]] = {}
        for problem in self.batch.problems:
            lines.setdefault(problem.unit or 0, []).append(as_text(problem))
        texts: list[str | None] = [None] * self.size
        for row, problems in lines.items():
            text = "\n".join(problems)
            texts[row - 1] = text.encode("utf-8", "backslashreplace").decode()  # words need not be UTF-8, columns must
        return texts


def as_text(problem: Problem) -> str:
    """A problem as it stands in a column: its code, its side, where it is in the tree, what it is.

    >>> as_text(Problem("null", "there is no tree", file="gold", action="read as …"))
    'null: gold: there is no tree (read as …)'
    """
    return f"{problem.code}: {problem}"


def check_metrics(metrics: Metrics) -> list[Metric]:
    """Metrics from signatures; an error if one cannot score single rows."""
    chosen = as_metrics(metrics)
    for metric in chosen:
        if not metric.pairs_trees:
            advice = "choose unit:line" if hasattr(metric, "unit") else "choose another, such as parseval or struct_iou"
            raise UsageError(
                f"{metric.name} aligns the sentences of whole files and cannot score single rows; {advice}"
            )
    return chosen


def prefixes(metrics: Sequence[Metric]) -> list[str]:
    """What stands before the names of columns: nothing for a single metric, else its name, with a number if it recurs.

    >>> prefixes(check_metrics(["parseval", "struct_iou", "parseval|labels:no"]))
    ['parseval.', 'struct_iou.', 'parseval_2.']
    """
    if len(metrics) == 1:
        return [""]
    seen: dict[str, int] = {}
    names = []
    for metric in metrics:
        seen[metric.name] = number = seen.get(metric.name, 0) + 1
        names.append(f"{metric.name}." if number == 1 else f"{metric.name}_{number}.")
    return names


def check_form(form: str) -> None:
    """Refuse a form that there is not."""
    check_choice(form, "form", FORMS)


def score_columns(
    gold: Sequence[object],
    test: Sequence[object],
    metrics: Sequence[Metric],
    *,
    form: str = "auto",
    threads: int | None = None,
) -> Scored:
    """Score row by row. Values are str or bytes; None, NaN and all else are trees that cannot be read."""
    check_form(form)
    parts = [
        _scored(gold[begin : begin + WINDOW], test[begin : begin + WINDOW], metrics, form, threads)
        for begin in range(0, max(1, len(gold)), WINDOW)
    ]
    return _joined(parts)


def _joined(parts: Sequence[Scored]) -> Scored:
    if len(parts) == 1:
        return parts[0]
    tables = [
        ScoredTable(
            [figure for table in several for figure in table.figures],
            [status for table in several for status in table.status],
            Counts.concatenated([table.counts for table in several]),
        )
        for several in zip(*(part.tables for part in parts), strict=True)
    ]
    problems: list[Problem] = []
    size = 0
    for part in parts:
        problems += part.batch.behind(size).problems
        size += part.size
    pair = Pair(*(_added([getattr(part.batch.pair, side) for part in parts]) for side in ("gold", "test")))
    return Scored(Batch(parts[0].batch.metrics, pair, [table.counts for table in tables], problems), tables)


def _added(banks: Sequence[Treebank]) -> Treebank:
    """The trees of all of them, one after the other."""
    builder = _core.TreeBuilder()
    for bank in banks:
        builder.extend(bank.native)
    return Treebank(builder.trees(), source=banks[0].source)


def _scored(
    gold: Sequence[object], test: Sequence[object], metrics: Sequence[Metric], form: str, threads: int | None
) -> Scored:
    try:
        return _scored_together(gold, test, metrics, form, threads)
    except (InputError, _core.TreeTooLarge) as error:
        if len(gold) > 1:  # look for the row that is to blame
            half = len(gold) // 2
            return _joined(
                [
                    _scored(gold[:half], test[:half], metrics, form, threads),
                    _scored(gold[half:], test[half:], metrics, form, threads),
                ]
            )
        if not gold or isinstance(gold[0], Unusable):
            raise
        is_lost = isinstance(error, _core.TreeTooLarge)
        scored = _scored_together([Unusable(lost=is_lost)], [Unusable()], metrics, form, threads)
        problem = error.problem if isinstance(error, InputError) else Problem("too-large", str(error))
        batch = scored.batch
        problems = [problem.replace(line=None, unit=1, action=NO_TREE)]
        return Scored(Batch(batch.metrics, batch.pair, batch.counts, problems), scored.tables)


def _scored_together(
    gold: Sequence[object], test: Sequence[object], metrics: Sequence[Metric], form: str, threads: int | None
) -> Scored:
    size = len(gold)
    needs_times = any(metric.needs_times for metric in metrics)
    spans = form == "spans" or (form == "auto" and needs_times)
    of_values: list[Problem] = []
    banks, known = [], []
    for name, values in (("gold", gold), ("test", test)):
        found = _lines(values, name, of_values)
        lines = [_BAD if line is None else line for line in found]
        if needs_times:  # so that there are always times: that a whole batch has none is no error of its own
            lines.append(_TIMED)
        banks.append(_read(lines, name, spans))
        known.append(found)
    batch = score_batch(metrics, Pair(*banks), threads=count_threads(threads, size))
    tables = []
    for metric, counts in zip(metrics, batch.counts, strict=True):
        own = _with_lost(_first_rows(counts, size), gold)
        rows = metric.rows(own)
        tables.append(ScoredTable(rows[metric.row_figure], rows["status"], own))
    told = {problem.unit for problem in of_values}
    of_rows = (it for it in _of_rows(batch, known, size) if it.unit not in told or it.code not in _FOLLOWING)
    problems = sorted([*of_values, *of_rows], key=lambda problem: problem.unit or 0)
    pair = batch.pair if len(batch) == size else batch.pair[:size]
    return Scored(Batch(metrics, pair, [table.counts for table in tables], problems), tables)


def _of_rows(batch: Batch, known: Sequence[Sequence[bytes | None]], size: int) -> Iterator[Problem]:
    """The problems of a batch as those of rows, without what follows from values that are no text."""
    read = {
        id(problem): side for side, bank in enumerate((batch.pair.gold, batch.pair.test)) for problem in bank.problems
    }
    for problem in batch.problems:
        if problem.unit is None or problem.unit > size:
            continue
        side = read.get(id(problem))
        if side is None:
            yield problem.replace(line=None)
        elif known[side][problem.unit - 1] is not None:
            yield problem.replace(message=problem.message.removesuffix(OVER_LINES), line=None)


def _first_rows(counts: Counts, size: int) -> Counts:
    if len(counts) == size:
        return counts
    cut = [{name: column[:size] for name, column in part.items()} for part in (counts.columns, counts.notes)]
    return Counts(cut[0], notes=cut[1])


def _with_lost(counts: Counts, gold: Sequence[object]) -> Counts:
    """The counts with rows that are lost, and not faults of gold, as such."""
    if not any(counts.columns.get("gold_faults", ())):  # usually; it saves a look at each row
        return counts
    lost = {row for row, value in enumerate(gold) if isinstance(value, Unusable) and value.lost}
    if not lost:
        return counts
    changed = {
        "lost": [int(row in lost) for row in range(len(counts))],
        "gold_faults": [0 if row in lost else fault for row, fault in enumerate(counts["gold_faults"])],
    }
    return Counts({**counts.columns, **changed}, notes=counts.notes)


def _lines(values: Sequence[object], name: str, problems: list[Problem]) -> Sequence[bytes | None]:
    """The values as lines of text, None for what is no text."""
    if set(map(type, values)) <= {bytes}:
        together = b"".join(values)  # type: ignore[arg-type]
        if b"\n" not in together and _MARK not in together:
            return values  # type: ignore[return-value]  # the usual case, in which no line needs to be looked at
    return [_line(value, name, row, problems) for row, value in enumerate(values)]


def _line(value: object, name: str, row: int, problems: list[Problem]) -> bytes | None:
    """A value as a line of text; what is no text is a problem, and None."""
    if isinstance(value, str):
        value = encode(value)
    if isinstance(value, bytes):
        line = value.removeprefix(_MARK)
        return line.replace(b"\n", b" ") if b"\n" in line else line
    if is_missing(value):
        problems.append(Problem("null", "there is no tree", file=name, unit=row + 1, action=NO_TREE))
        return b""
    if not isinstance(value, Unusable):
        value = Unusable.of_type(type(value).__name__)
    if value.message:
        problems.append(Problem(value.code, value.message, file=name, unit=row + 1, action=NO_TREE))
    return None


def _read(lines: Iterable[bytes], name: str, spans: bool) -> Treebank:
    """A tree for each line. What a line is depends on no other line."""
    from ..readers.spans import with_spans

    lines = list(lines)
    numbered = [row for row, line in enumerate(lines) if b"=" in line and _core.is_discbracket(line)]
    source = Source(name)
    bank = read_rows(lines, source)
    if numbered:
        bank = _with_numbered(bank, lines, numbered, source)
    return with_spans(bank, on_error="keep") if spans else bank


def _with_numbered(bank: Treebank, lines: Sequence[bytes], numbered: Sequence[int], source: Source) -> Treebank:
    """The trees whose words are numbered read as such."""
    from ..readers.discbracket import read_discbracket

    builder = _core.TreeBuilder()
    among = set(numbered)
    problems = [problem for problem in bank.problems if (problem.unit or 0) - 1 not in among]
    end = 0
    for row in numbered:
        builder.extend(bank.native.slice(end, row))
        read = read_discbracket(lines[row] + b"\n", source, layout="line", on_error="keep")
        builder.extend(read.native)
        problems += [problem.replace(unit=row + 1) for problem in read.problems]
        end = row + 1
    builder.extend(bank.native.slice(end, len(bank)))
    return Treebank(builder.trees(), source=source, problems=problems)
