"""Rows of gold and test in columns: rows are scored independently, so that a bad row affects no other.

>>> scores = score_columns(["(S (NN a))", None], ["(S (NN a))", "(S (NN b))"], check_metrics("parseval|profile:none"))
>>> scores.tables[0].figures, list(scores.tables[0].status)
([1.0, None], [0, 1])
>>> [(problem.unit, problem.code) for problem in scores.batch.problems]
[(2, 'null')]
"""

from __future__ import annotations

from .. import _core
from ..helpers.text import encode, number_of, without_surrogates
from ..helpers.threads import count_threads
from ..place.pair import Pair
from ..readers.brackets import NO_TREE, OVER_LINES, are_labelless, read_rows
from ..readers.data_frames import Unusable, is_missing
from ..readers.several import columns, stacked
from ..scoring.batch import Batch, distinct_names, score_batch
from ..scoring.choosing import as_metrics, with_references
from ..trees import Source, Treebank
from ..values.counts import Counts
from ..values.problem import InputError, PerSide, Problem, UsageError, check_choice
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..metrics.base import Metric
    from ..scoring.choosing import Metrics

#: Formats of trees: brackets, with or without numbered words; labelless brackets; or spans, with times for words.
#: "auto" is spans if a metric needs times, else brackets. Gold and test may have different formats.
FORMS = PerSide(["auto", "brackets", "labelless", "spans"])
#: Number of rows scored at a time.
WINDOW = 1 << 13
#: Approximate number of rows per part: row groups are joined or split to this size.
ROWS = 4 * WINDOW
_FOLLOWING = ("unparsed", "no-gold", "empty")  # problems that follow from values other than trees
_BAD = b")"  # placeholder for values other than text: an unreadable tree
_TIMED = b"(X (X 0-1))"
_MARK = b"\xef\xbb\xbf"


class ScoredTable(Value):
    """The results of one metric for some rows: figures or None, status and counts."""

    figures: list[float | None]
    status: Sequence[int]
    counts: Counts

    @property
    def all_figures(self) -> list[float | None]:
        """The figures over all sentences: a row that failed scores 0."""
        return self.counts.with_failed(self.figures) if any(self.counts.columns.get("failed", ())) else self.figures


class Scored(Value):
    """Scored rows: the batch, with problems by row number from 1, and a table for each metric."""

    batch: Batch
    tables: list[ScoredTable]

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.batch)

    def problem_texts(self) -> list[str | None]:
        """The problems of each row as text, one per line; None without problems."""
        lines: dict[int, list[str]] = {}
        for problem in self.batch.problems:
            lines.setdefault(problem.unit or 0, []).append(as_text(problem))
        texts: list[str | None] = [None] * self.size
        for row, problems in lines.items():
            texts[row - 1] = without_surrogates("\n".join(problems))  # columns must be UTF-8, words need not
        return texts


def as_text(problem: Problem) -> str:
    """A problem as text for a column: code, side, position in the tree, message.

    >>> as_text(Problem("null", "there is no tree", file="gold", action="read as …"))
    'null: gold: there is no tree (read as …)'
    """
    return f"{problem.code}: {problem}"


def check_metrics(metrics: Metrics) -> list[Metric]:
    """Metrics from signatures; refuses metrics that cannot score single rows."""
    chosen = as_metrics(metrics)
    for metric in chosen:
        if not metric.pairs_trees:
            advice = (
                "choose unit:line"
                if hasattr(metric, "unit")
                else "choose another metric, such as parseval or struct_iou"
            )
            raise UsageError(
                f"{metric.name} aligns the sentences of whole files and cannot score single rows; {advice}"
            )
    return chosen


def for_gold(metrics: Sequence[Metric], gold: Iterable[object]) -> list[Metric]:
    """The metrics for rows of which these are the first: cells of gold may be lists of trees.

    >>> for_gold(check_metrics("parseval"), [["(S (NN a))", "(NP (NN a))"]])[0].references
    2
    """
    return with_references(metrics, max([1, *(len(cell) for cell in gold if isinstance(cell, list | tuple))]))


def prefixes(metrics: Sequence[Metric]) -> list[str]:
    """The prefixes of column names: empty for a single metric, else its distinct name.

    >>> prefixes(check_metrics(["parseval", "struct_iou", "parseval|labels:no"]))
    ['parseval.', 'struct_iou.', 'parseval_2.']
    """
    return [""] if len(metrics) == 1 else [f"{name}." for name in distinct_names(metrics)]


def score_columns(
    gold: Sequence[object],
    test: Sequence[object],
    metrics: Sequence[Metric],
    *,
    form: str = "auto",
    threads: int | None = None,
) -> Scored:
    """Score row by row. Values are str or bytes; None, NaN and other values are unreadable trees.

    Gold values may also be lists of at most as many trees as the metrics take (`references`).
    """
    check_choice(form, "form", FORMS)
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
        problems += part.batch.renumbered(size).problems
        size += part.size
    pair = Pair(*(_concatenated([getattr(part.batch.pair, side) for part in parts]) for side in ("gold", "test")))
    return Scored(Batch(parts[0].batch.metrics, pair, [table.counts for table in tables], problems), tables)


def _concatenated(banks: Sequence[Treebank]) -> Treebank:
    """The trees of all treebanks in order."""
    builder = _core.TreeBuilder()
    incomplete: list[int] = []
    size = 0
    for bank in banks:
        builder.extend(bank.native)
        incomplete += [size + place for place in bank.incomplete]
        size += len(bank)
    references = zip(*(bank.references for bank in banks), strict=True)
    return Treebank(builder.trees(), source=banks[0].source).with_references(map(_concatenated, references), incomplete)


def _scored(
    gold: Sequence[object], test: Sequence[object], metrics: Sequence[Metric], form: str, threads: int | None
) -> Scored:
    try:
        return _scored_together(gold, test, metrics, form, threads)
    except (InputError, _core.TreeTooLarge) as error:
        if len(gold) > 1:  # bisect to find the row that causes it
            half = len(gold) // 2
            halves = slice(half), slice(half, None)
            return _joined([_scored(gold[rows], test[rows], metrics, form, threads) for rows in halves])
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
    value_problems: list[Problem] = []
    golds, numbers = _gold_columns(gold, metrics)
    names = ["gold", *(f"reference {number}" for number in range(2, len(golds) + 1)), "test"]
    banks, sides = [], []
    for place, (name, values) in enumerate(zip(names, (*golds, test), strict=True)):
        problems_of_side: list[Problem] = []
        texts = _lines(values, name, problems_of_side)
        if 0 < place < len(golds):  # the first tree stands in for a missing one
            problems_of_side = [it for it in problems_of_side if numbers[(it.unit or 1) - 1] > place]
        value_problems += problems_of_side
        lines = [_BAD if line is None else line for line in texts]
        if needs_times:  # a batch without any times is not an error
            lines.append(_TIMED)
        of_side = PerSide.of(form, test=name == "test")
        banks.append(_read(lines, name, "spans" if of_side == "auto" and needs_times else of_side))
        sides.append(texts)
    *gold_banks, test_bank = banks
    gold_bank = stacked(gold_banks, [*numbers, *([len(golds)] if needs_times else [])]) if numbers else gold_banks[0]
    batch = score_batch(metrics, Pair(gold_bank, test_bank), threads=count_threads(threads, size))
    tables = []
    for metric, counts in zip(metrics, batch.counts, strict=True):
        own = _with_lost(_first_rows(counts, size), gold)
        rows = metric.rows(own)
        tables.append(ScoredTable(rows[metric.row_figure], rows["status"], own))
    reported = {problem.unit for problem in value_problems}
    row_problems = (
        problem
        for problem in _row_problems(batch, sides, size)
        if problem.unit not in reported or problem.code not in _FOLLOWING
    )
    problems = sorted([*value_problems, *row_problems], key=lambda problem: problem.unit or 0)
    pair = batch.pair if len(batch) == size else batch.pair[:size]
    return Scored(Batch(metrics, pair, [table.counts for table in tables], problems), tables)


def _gold_columns(
    gold: Sequence[object], metrics: Sequence[Metric]
) -> tuple[Sequence[Sequence[object]], Sequence[int]]:
    """The first gold trees of all rows, the second ones, and so on; the number of trees of each row if any has several.

    A row with more trees than the metrics take, or with fewer than a mean needs, cannot be read.
    """
    most = max((metric.references or 1 for metric in metrics), default=1)
    if most == 1 and not any(isinstance(cell, list | tuple) for cell in gold):
        return [gold], []
    least = max((metric.comparisons for metric in metrics), default=1)
    rows: list[list[object]] = []
    for cell in gold:
        row = list(cell) or [None] if isinstance(cell, list | tuple) else [cell]
        if not least <= len(row) <= most and not isinstance(row[0], Unusable):
            takes = f"the metrics take {most}" if len(row) > most else f"reference-by:mean needs {least}"
            reason = Unusable("references", f"this row has {number_of(len(row), 'gold tree')}, but {takes}")
            row = [reason, *[Unusable()] * (most - 1)]
        rows.append(row)
    return columns(rows, most), [len(row) for row in rows]


def _row_problems(batch: Batch, sides: Sequence[Sequence[bytes | None]], size: int) -> Iterator[Problem]:
    """The problems of a batch by row, without those that follow from values other than text."""
    banks = batch.pair.gold, *batch.pair.gold.references, batch.pair.test
    read = {id(problem): side for side, bank in enumerate(banks) for problem in bank.problems}
    for problem in batch.problems:
        if problem.unit is None or problem.unit > size:
            continue
        side = read.get(id(problem))
        if side is None:
            yield problem.replace(line=None)
        elif sides[side][problem.unit - 1] is not None:
            yield problem.replace(message=problem.message.removesuffix(OVER_LINES), line=None)


def _first_rows(counts: Counts, size: int) -> Counts:
    if len(counts) == size:
        return counts
    cut = [{name: column[:size] for name, column in part.items()} for part in (counts.columns, counts.notes)]
    return Counts(cut[0], notes=cut[1])


def _with_lost(counts: Counts, gold: Sequence[object]) -> Counts:
    """The counts with lost rows marked as lost instead of as gold faults."""
    if not any(counts.columns.get("gold_faults", ())):  # the usual case
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
    """The values as lines of text; None for other values."""
    if set(map(type, values)) <= {bytes}:
        joined = b"".join(values)  # type: ignore[arg-type]
        if b"\n" not in joined and _MARK not in joined:
            return values  # type: ignore[return-value]  # the usual case: lines need no conversion
    return [_line(value, name, row, problems) for row, value in enumerate(values)]


def _line(value: object, name: str, row: int, problems: list[Problem]) -> bytes | None:
    """A value as a line of text; other values are a problem, and None."""
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


def _read(lines: Iterable[bytes], name: str, form: str) -> Treebank:
    """A tree for each line, independent of other lines."""
    from ..readers.spans import with_spans

    lines = list(lines)
    if form == "labelless":
        return read_rows(lines, Source(name), labelless=True)
    numbered = [row for row, line in enumerate(lines) if b"=" in line and _core.is_discbracket(line)]
    source = Source(name)
    bank = read_rows(lines, source)
    if numbered:
        bank = _with_numbered(bank, lines, numbered, source)
    if form == "spans":
        return with_spans(bank, on_error="keep")
    return bank.with_problems(_labelless(bank)) if form == "auto" else bank


def _labelless(bank: Treebank) -> Iterator[Problem]:
    """Trees whose brackets seem to have no labels: a row alone does not tell."""
    if are_labelless(bank.native.labels()):
        message = "these brackets seem to have no labels; if they have none, choose the form labelless"
        for place in range(len(bank)):
            if are_labelless(bank.native.slice(place, place + 1).labels()):
                yield bank.problem(place, "labelless", message, "read with labels")


def _with_numbered(bank: Treebank, lines: Sequence[bytes], numbered: Sequence[int], source: Source) -> Treebank:
    """The trees, with trees of numbered words read in that format."""
    from ..readers.discbracket import read_discbracket

    builder = _core.TreeBuilder()
    rows = set(numbered)
    problems = [problem for problem in bank.problems if (problem.unit or 0) - 1 not in rows]
    end = 0
    for row in numbered:
        builder.extend(bank.native.slice(end, row))
        read = read_discbracket(lines[row] + b"\n", source, layout="line", on_error="keep")
        builder.extend(read.native)
        problems += [problem.replace(unit=row + 1) for problem in read.problems]
        end = row + 1
    builder.extend(bank.native.slice(end, len(bank)))
    return Treebank(builder.trees(), source=source, problems=problems)
