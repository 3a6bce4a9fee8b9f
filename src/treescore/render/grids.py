"""Tables: the same grid of cells as text, Markdown, LaTeX, CSV or HTML."""

from __future__ import annotations

from ..helpers.problem_lines import codes_in_one_line
from ..helpers.text import isolated, lines_of, number_of, padded, pieces, visible, width
from ..values.brief import brief
from ..values.problem import by_code
from ..values.score import Part
from ..values.value import Value


class Marked(Value):
    """Text followed by marks, which are a superscript in LaTeX, where `strong` text is bold."""

    text: str
    marks: str
    strong: bool = False


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..metrics.base import Metric
    from ..scoring.report import Report
    from ..significance import Interval
    from ..values.problem import Problem
    from ..values.score import Score

    Cell = str | int | float | Part | Marked | None

_WIDTH = 100  # columns of a line of text
_MOST_PROBLEMS = 10  # shown below a table; others are only counted
#: Mark of a figure that leaves out some sentences.
DAGGER = "†"


class Grid:
    """A titled table. The first column and those named in `texts` are text; the others are numbers.

    `above` are warnings about the numbers; in LaTeX they follow the numbers, marked with a dagger. `before` are remarks
    on the run as a whole. In LaTeX, `groups` are headings over several columns, and `below` are notes on the table.
    """

    def __init__(
        self,
        title: str,
        header: list[str],
        rows: list[list[Cell]],
        notes: list[str],
        *,
        texts: Iterable[str] = (),
        above: Iterable[str] = (),
        before: Iterable[str] = (),
        groups: Sequence[tuple[str, int]] = (),
        below: Iterable[str] = (),
    ) -> None:
        self.above = [visible(line) for line in above]
        self.before = [visible(line) for line in before]
        self.title, self.header, self.rows = visible(title), header, rows
        self.texts = frozenset((*header[:1], *texts))
        self.notes = [visible(note) for note in notes]
        self.groups = [(visible(name), columns) for name, columns in groups]
        self.below = [visible(note) for note in below]

    def shown(self) -> list[list[str]]:
        """All cells as text."""
        return [[_shown(cell) for cell in row] for row in self.rows]

    def with_header(self) -> list[list[Cell]]:
        """The rows below the header, for programs."""
        return [[*self.header], *self.rows]


class Heading(Value):
    """A title with a text."""

    title: str
    text: str


class Paragraph(Value):
    """Text between tables."""

    text: str


class Notes(Value):
    """Lines below all tables, which are comments in LaTeX."""

    lines: Sequence[str]


def _shown(cell: Cell) -> str:
    if isinstance(cell, Marked):
        return visible(brief(f"{cell.text} {cell.marks}".rstrip()))
    if isinstance(cell, Part):
        return cell.shown()
    if isinstance(cell, float):
        return f"{100 * cell:.2f}"
    if isinstance(cell, int):
        return f"{cell:,}"
    return "–" if cell is None else visible(brief(cell))


def _raw(cell: Cell) -> str:
    value = cell.value if isinstance(cell, Part) else cell.text if isinstance(cell, Marked) else cell
    return "" if value is None else str(value)


def problem_notes(problems: Sequence[Problem], counted: Mapping[str, int] | None = None) -> list[str]:
    """The number of problems, and the first of each kind; `counted` has all numbers if only some problems are given."""
    if not problems:
        return []
    counted = counted or by_code(problems)
    notes = [codes_in_one_line(counted)]
    each = max(1, _MOST_PROBLEMS // len(counted))
    for code, number in list(counted.items())[:_MOST_PROBLEMS]:
        listed = [problem for problem in problems if problem.code == code][: max(each, _MOST_PROBLEMS - len(problems))]
        notes += [f"  {problem}" for problem in listed]
        if number > len(listed):
            notes.append(f"  … and {number - len(listed):,} more: {code} (all of them: -f json)")
    return notes


def coverage_lines(metric: Metric, score: Score) -> list[str]:
    """Warnings above the figures, if sentences failed or were lost.

    >>> import treescore
    >>> report = treescore.evaluate(["(S (NN a))"] * 4, ["(S (NN a))"] * 3 + ["(S (NN b))"], "parseval|profile:none")
    >>> coverage_lines(report.metrics[0], report.scores[0])
    ['coverage 75.00 %: 1 of 4 sentences failed, with 25.00 % of the gold brackets']
    """
    lines = []
    coverage = score.coverage
    if coverage is not None and coverage.failed:
        failed = f"{coverage.failed:,} of {number_of(coverage.eligible, metric.row_unit)} failed"
        share = (
            "" if coverage.gold is None else f", with {100 * (1 - coverage.gold):.2f} % of the gold {metric.gold_unit}"
        )
        lines.append(f"coverage {100 * coverage:.2f} %: {failed}{share}")
    if score.lost:
        lost = number_of(score.lost, metric.row_unit)
        lines.append(f"{lost} lost: treescore could not finish, and figures over all {metric.row_unit}s are undefined")
    return lines


def remark_lines(report: Report) -> list[str]:
    """Remarks on the run as a whole: the choice of metrics, and known causes with their effects."""
    return [*report.remarks, *report.causes().lines()]


def interval_text(interval: Interval, part: Part) -> str | None:
    """The ends of an interval in the format of the figure; None if there is no interval.

    >>> from treescore.significance import Interval
    >>> interval_text(Interval(0.5, 0.625), Part("F1", 0.6))
    '50.00 to 62.50'
    """
    if interval.low is None or interval.high is None:
        return None
    scale = 100 if part.percent else 1
    return f"{scale * interval.low:.2f} to {scale * interval.high:.2f}"


def interval_notes(score: Score) -> list[str]:
    """Notes on the method of a score's confidence intervals."""
    interval = score.interval
    if interval is None:
        return []
    method = "bias-corrected and accelerated (BCa)" if interval.method == "bca" else "percentiles"
    notes = [f"intervals: bootstrap, {method}, {drawn_note(interval)}"]
    left_out = [
        f"{part.title} {score.intervals[name].undefined:,}"
        for name, part in score.figures.items()
        if score.intervals[name].undefined and part.value is not None
    ]
    if left_out:
        notes.append(f"samples in which a figure has no value, left out of its interval: {', '.join(left_out)}")
    return notes + few_notes(interval)


def drawn_note(interval: Interval) -> str:
    """A note on the number and size of samples, and the seed.

    >>> from treescore.significance import Interval
    >>> drawn_note(Interval(0.5, 0.625, rows=1, n=50)), drawn_note(Interval(0.5, 0.625, unit="document@2291547a"))
    ('50 samples of 1 sentence, seed 1', '1,000 samples of documents, seed 1')
    """
    from ..significance.units import in_words

    unit = in_words(interval.unit)
    drawn = f"{unit}s" if interval.rows is None else number_of(interval.rows, unit)
    return f"{number_of(interval.n, 'sample')} of {drawn}, seed {interval.seed}"


def few_notes(interval: Interval) -> list[str]:
    """A warning about confidence intervals with few rows."""
    from ..significance.intervals import FEW
    from ..significance.units import in_words

    unit = in_words(interval.unit)
    scored = interval.rows if interval.scored is None else interval.scored
    if scored is None or scored >= FEW:
        return []
    if scored < 2:
        return [f"there are no intervals: one {unit} does not show any variation"]
    return [f"with fewer than {FEW} {unit}s, intervals are too narrow"]


class Screen:
    """The terminal to which tables are printed: its number of columns; None if the output is not a terminal."""

    columns: int | None = None


def _text(grid: Grid) -> str:
    """The table as plain text: text is aligned left, numbers right; warnings are above the table, without daggers.

    On a narrow terminal, columns that do not fit follow below, after the first column once more.

    >>> Screen.columns = 16
    >>> print(_text(Grid("", ["label", "gold", "test", "f1"], [["NP", 10, 12, 0.5]], [])), end="")
    label  gold
    -----------
    NP       10
    <BLANKLINE>
    label  test
    -----------
    NP       12
    <BLANKLINE>
    label     f1
    ------------
    NP     50.00
    >>> Screen.columns = None
    """
    plain = [[cell.text if isinstance(cell, Marked) else cell for cell in row] for row in grid.rows]
    rows = [grid.header, *([_shown(cell) for cell in row] for row in plain)]
    widths = [max(width(row[place]) for row in rows) for place in range(len(grid.header))]
    lines = [grid.title, ""] if grid.title else []
    lines += [*grid.before, *grid.above, ""] if grid.before or grid.above else []
    for number, places in enumerate(_parts(widths)):
        lines += [""] if number else []
        for place, row in enumerate(rows):
            cells = [
                padded(isolated(row[column]), widths[column])
                if grid.header[column] in grid.texts
                else " " * (widths[column] - width(row[column])) + row[column]
                for column in places
            ]
            lines.append("  ".join(cells).rstrip())
            if place == 0:
                lines.append("-" * (sum(widths[column] for column in places) + 2 * len(places) - 2))
    return "\n".join([*lines, *([""] if grid.notes else []), *grid.notes]) + "\n"


def _parts(widths: Sequence[int]) -> list[list[int]]:
    """The columns that are side by side on the terminal: all, or several parts that begin with the first column."""
    parts = [[0]]
    for column in range(1, len(widths)):
        needed = sum(widths[place] + 2 for place in parts[-1]) + widths[column]
        if Screen.columns is not None and needed > Screen.columns and len(parts[-1]) > 1:
            parts.append([0])
        parts[-1].append(column)
    return parts


def markdown_text(text: str) -> str:
    """Text escaped for Markdown."""
    from html import escape

    return "".join(f"\\{c}" if c in "\\`*_[]|#~" else c for c in escape(text, quote=False))


def markdown_note(text: str) -> str:
    """A line of code with a line break."""
    fence = "`" * (1 + max(map(len, "".join(c if c == "`" else " " for c in text).split()), default=0))
    return f"{fence} {text} {fence}  " if "`" in text else f"`{text}`  "


def _markdown(grid: Grid) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(map(markdown_text, cells)) + " |"

    rule = "|" + "|".join(" --- " if name in grid.texts else " ---: " for name in grid.header) + "|"
    notes = ["", *(markdown_note(note.strip()) for note in grid.notes)] if grid.notes else []
    title = f"**{markdown_text(grid.title)}**"
    above = [part for text in grid.above for part in (f"{DAGGER} {markdown_text(text)}", "")]
    before = [part for text in grid.before for part in (markdown_text(text), "")]
    return "\n".join([title, "", *before, *above, line(grid.header), rule, *map(line, grid.shown()), *notes]) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedblright{}",
    "¡": r"\textexclamdown{}",
    "¿": r"\textquestiondown{}",
    "…": r"\ldots{}",
    "–": "--",
    "−": "$-$",
    "→": r"$\to$",
    "†": r"\dag{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "Δ": r"$\Delta$",
    "δ": r"$\delta$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
}


def latex_text(text: str) -> str:
    """Text escaped for LaTeX."""
    return "".join(_LATEX.get(character, character) for character in text)


def _latex(grid: Grid) -> str:
    def written(cell: Cell) -> str:
        if isinstance(cell, Marked):
            name = latex_text(brief(cell.text))
            text = f"\\textbf{{{name}}}" if cell.strong else name
            return text + (f"$^{{{latex_text(cell.marks)}}}$" if cell.marks else "")
        return latex_text(_shown(cell))

    def line(cells: Iterable[Cell]) -> str:
        joined = " & ".join(map(written, cells))
        guard = "{}" if joined[:1] in ("[", "*") else ""  # otherwise an argument of the preceding \\
        return f"  {guard}{joined} \\\\"

    def spanned(note: str) -> str:
        return rf"  \multicolumn{{{len(grid.header)}}}{{l}}{{\footnotesize {latex_text(note)}}} \\"

    def headings() -> list[str]:
        cells, rules, before = [], [], 0
        for name, columns in grid.groups:
            cells.append(rf"\multicolumn{{{columns}}}{{c}}{{{latex_text(name)}}}" if name else "")
            rules += [rf"\cmidrule(lr){{{before + 1}-{before + columns}}}"] if name else []
            before += columns
        return ["  " + " & ".join(cells).lstrip() + r" \\", "  " + " ".join(rules)]

    return "\n".join(
        [
            f"% {grid.title}; needs \\usepackage{{booktabs}}",
            r"\begin{tabular}{" + "".join("l" if name in grid.texts else "r" for name in grid.header) + "}",
            r"  \toprule",
            *(headings() if grid.groups else ()),
            line(grid.header),
            r"  \midrule",
            *map(line, grid.rows),
            r"  \bottomrule",
            *(spanned(note) for note in _wrapped(grid)),
            r"\end{tabular}",
            *(f"% {note.strip()}" for note in (*grid.before, *grid.notes)),
            "",
        ]
    )


def _wrapped(grid: Grid) -> list[str]:
    """The notes below a table, in lines of about its width."""
    rows = [grid.header, *grid.shown()]
    columns = sum(max(width(row[place]) for row in rows) + 2 for place in range(len(grid.header)))
    notes = [*(f"{DAGGER} {line}" for line in grid.above), *grid.below]
    return [line for note in notes for line in lines_of(pieces(note), lambda line: width(line) <= columns)]


def tsv_lines(rows: Iterable[Iterable[Cell]]) -> Iterator[str]:
    """Rows of unformatted cells, separated by tabs."""
    return ("\t".join(visible(_raw(cell)) for cell in row) + "\n" for row in rows)


def csv_lines(rows: Iterable[Iterable[Cell]]) -> Iterator[str]:
    """Rows of unformatted cells as CSV.

    >>> list(csv_lines([["label", "count"], ["a,b", 1200]]))
    ['label,count\\n', '"a,b",1200\\n']
    """
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow([_raw(cell) for cell in row])
        yield out.getvalue()
        out.seek(0)
        out.truncate()


def _html(grid: Grid) -> str:
    from html import escape

    def line(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(line(row, "td") for row in grid.shown())
    notes = "".join(f"<div>{escape(note)}</div>" for note in grid.notes)
    above = "".join(f"<div><strong>{DAGGER} {escape(line)}</strong></div>" for line in grid.above)
    before = "".join(f"<div>{escape(line)}</div>" for line in grid.before)
    return (
        f"{before}{above}<table><caption>{escape(grid.title)}</caption>{line(grid.header, 'th')}{body}</table>{notes}\n"
    )


if TYPE_CHECKING:
    Block = Grid | Heading | Paragraph | Notes | str  # a str is written unchanged


class TableWriter(Value):
    """Writes tables and the text between them, with a function for each type of piece."""

    grid: Callable[[Grid], str]
    heading: Callable[[str, str], str]
    paragraph: Callable[[str], str]
    notes: Callable[[Iterable[str]], str]

    def __call__(self, blocks: Iterable[Block]) -> Iterator[str]:
        """All pieces, separated by empty lines.

        >>> print(*MARKDOWN([Grid("counts", ["unit", "number"], [["trees", 1200]], [])]), end="")
        **counts**
        <BLANKLINE>
        | unit | number |
        | --- | ---: |
        | trees | 1,200 |
        """
        between = ""
        for block in blocks:
            yield between + self._written(block)
            between = "\n"

    def _written(self, block: Block) -> str:
        if isinstance(block, str):
            return block
        if isinstance(block, Grid):
            return self.grid(block)
        if isinstance(block, Heading):
            return self.heading(block.title, block.text)
        return self.notes(block.lines) if isinstance(block, Notes) else self.paragraph(block.text)


def _wrapped_text(text: str) -> str:
    return "\n".join(lines_of(pieces(text), lambda line: width(line) <= _WIDTH)) + "\n"


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)


TEXT = TableWriter(
    _text,
    lambda title, text: f"{title}\n{_wrapped_text(text)}",
    _wrapped_text,
    lambda lines: "".join(f"{line}\n" for line in lines),
)
MARKDOWN = TableWriter(
    _markdown,
    lambda title, text: f"### {markdown_text(title)}\n\n{markdown_text(text)}\n",
    lambda text: f"{markdown_text(text)}\n",
    lambda lines: "".join(f"{markdown_note(line.strip())}\n" for line in lines),
)
LATEX = TableWriter(
    _latex,
    lambda title, text: f"\\paragraph{{{latex_text(title)}}} {latex_text(text)}\n",
    lambda text: f"{latex_text(text)}\n",
    lambda lines: "".join(f"% {line.strip()}\n" for line in lines),
)
HTML = TableWriter(
    _html,
    lambda title, text: f"<h3>{_escaped(title)}</h3>\n<p>{_escaped(text)}</p>\n",
    lambda text: f"<p>{_escaped(text)}</p>\n",
    lambda lines: "".join(f"<div>{_escaped(line)}</div>" for line in lines) + "\n",
)
