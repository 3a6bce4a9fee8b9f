"""A view of the agreement of annotators.

>>> import treescore
>>> agreement = treescore.agreement({"Ann": "(S (NP (NN a)) (VB b))", "Ben": "(S (NN a) (VB b))"})
>>> print(agreement.to("markdown").splitlines()[4])
| Labelled F1 | 66.67 | – | 2 of 3 |
"""

from __future__ import annotations

from .._version import __version__
from ..helpers.problem_lines import problem_values
from ..helpers.text import number_of, percent, visible
from .grids import Grid, drawn_note, few_notes, problem_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ..analysis.annotators.results import Agreement, Figure
    from ..scoring.report import Report
    from .grids import Cell

#: Default number of rows of a list.
MOST = 10
#: Figures of pairs of annotators, if there are more than two, and against adjudicated trees, with their headings.
_OF_PAIRS = {
    "f1": "F1",
    "unlabelled_f1": "unlabelled",
    "struct_iou": "STRUCT-IOU",
    "same_trees": "same trees",
    "kappa_tags": "κ tags",
    "kappa_labels": "κ labels",
}
_AGAINST = (
    ("F1", 0, "f1"),
    ("precision", 0, "precision"),
    ("recall", 0, "recall"),
    ("STRUCT-IOU", 1, "corpus"),
    ("same trees", 2, "exact"),
)
_NOTHING = "(none)"
_WIDTH = 60
_CHANCE = (
    "κ and α: 1 where all agree, 0 where they agree as by chance",
    "F1 and STRUCT-IOU: not corrected for chance, which would need the number of phrases that no annotator has",
)


class AgreementView:
    """The contents of an agreement; in tables, lists have at most `most` rows unless `per_sentence` lists all."""

    def __init__(self, agreement: Agreement, *, per_sentence: bool = False, most: int | None = None) -> None:
        self.agreement, self.per_sentence, self.most = agreement, per_sentence, MOST if most is None else most

    def tables(self) -> list[Grid]:
        """All tables."""
        agreement, most = self.agreement, self.most
        grids = [_summary(agreement)]
        if len(agreement.pairs) > 1:
            grids.append(_pairs(agreement))
        if agreement.adjudicated:
            grids.append(_adjudicated(agreement))
        grids += [_labels(agreement, "labels", most), _labels(agreement, "tags", most)]
        grids += [_disagreements(agreement, most), _sentences(agreement, self.per_sentence, most)]
        notes = (*problem_notes(agreement.problems), *agreement.signatures)
        grids[-1].notes += [visible(note) for note in notes]
        return grids

    def rows(self) -> Iterator[list[Cell]]:
        """All tables without omissions, each with its title and an empty line above."""
        for title, rows in _csv_tables(self.agreement, self.per_sentence).items():
            if title != "agreement":
                yield []
            yield [title]
            yield from rows

    def data(self) -> dict[str, Any]:
        """Everything."""
        return _values(self.agreement, self.per_sentence)


def _number(value: float | None, percent: bool) -> str | None:
    return None if value is None else f"{100 * value:.2f}" if percent else f"{value:.3f}"


def _interval(figure: Figure) -> str | None:
    if figure.low is None or figure.high is None:
        return None
    return f"{_number(figure.low, figure.percent)} to {_number(figure.high, figure.percent)}"


def _behind(figure: Figure) -> str:
    if figure.above is not None and figure.below is not None:
        return f"{figure.above:,} of {figure.below:,}"
    return number_of(figure.below or 0, figure.unit)


def _interval_of(agreement: Agreement) -> Any:
    return next((s.interval for report in agreement.reports.values() for s in report.scores if s.interval), None)


def _summary(agreement: Agreement) -> Grid:
    names, figures = agreement.names, _figures(agreement)
    interval = _interval_of(agreement)
    rows: list[list[Cell]] = []
    for figure in figures.values():
        bounds = [_interval(figure)] if interval else []
        rows.append([figure.title, _number(figure.value, figure.percent), *bounds, _behind(figure)])
    header = ["all annotators" if len(names) > 2 else "figure", "agreement"]
    header += [*([f"{percent(interval.level)} interval"] if interval else []), "counts"]
    notes = [_compared(agreement)]
    if len(names) > 2:
        notes.append(f"means of {number_of(len(agreement.pairs), 'pair')} of annotators, and α of all")
    notes += _CHANCE
    expected = agreement.expected
    extent = "all" if expected.exact else f"{expected.pairs:,}, drawn with seed {expected.seed}, of"
    notes.append(f"chance for α of trees: {extent} {number_of(expected.known, 'pair')} of trees of different sentences")
    if interval:
        notes += [f"intervals: bootstrap, {interval.method}, {drawn_note(interval)}", *few_notes(interval)]
    return Grid(f"agreement of {_listed(names)}", header, rows, notes)


def _figures(agreement: Agreement) -> dict[str, Figure]:
    """The figures of all annotators; for two annotators, also the share of phrases that each has of the other's."""
    figures, names = agreement.figures(), agreement.names
    if len(names) > 2:
        return figures
    shares = {"first_share": agreement.shares(*names), "second_share": agreement.shares(*reversed(names))}
    return {name: figures[name] for name in ("f1", "unlabelled_f1")} | shares | figures


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _compared(agreement: Agreement) -> str:
    left_out = len(agreement) - agreement.compared
    counts = f"{number_of(len(agreement), 'sentence')}: {agreement.compared:,} compared, {left_out:,} left out"
    problems = number_of(len(agreement.problems), "problem")
    return f"{counts}; {problems}, listed below" if agreement.problems else counts


def _pairs(agreement: Agreement) -> Grid:
    rows: list[list[Cell]] = []
    for first, second in agreement.pairs:
        figures = agreement.figures(first, second)
        rows.append([first, second, *(_number(figures[name].value, figures[name].percent) for name in _OF_PAIRS)])
    means = agreement.figures()
    rows.append(["mean", "", *(_number(means[name].value, means[name].percent) for name in _OF_PAIRS)])
    return Grid("pairs of annotators", ["annotator", "and", *_OF_PAIRS.values()], rows, [], texts=["and"])


def _against(report: Report) -> dict[str, float | None]:
    return {title: report.scores[place].figures[name].value for title, place, name in _AGAINST}


def _adjudicated(agreement: Agreement) -> Grid:
    rows: list[list[Cell]] = []
    for name, report in agreement.adjudicated.items():
        scored = report.scores[0].counts.total()["valid"]
        rows.append([name, *(_number(value, True) for value in _against(report).values()), scored])
    return Grid("against the adjudicated trees", ["annotator", *(it[0] for it in _AGAINST), "sentences"], rows, [])


def _more(rows: Sequence[object], most: int) -> list[str]:
    """A note on the number of rows that are not shown."""
    if not rows:
        return ["none"]
    return [f"… and {len(rows) - most:,} more (--most)"] if len(rows) > most else []


def _labels(agreement: Agreement, what: str, most: int) -> Grid:
    label_rows = agreement.labels if what == "labels" else agreement.tags
    rows: list[list[Cell]] = [
        [row.label, *row.counts, row.both, _number(row.agreement, True), _number(row.alpha, False)]
        for row in label_rows[:most]
    ]
    both = "both" if len(agreement.names) == 2 else "pairs"
    title = "by label of phrases" if what == "labels" else "by tag of words"
    return Grid(title, [what[:-1], *agreement.names, both, "F1", "α"], rows, _more(label_rows, most))


def _disagreements(agreement: Agreement, most: int) -> Grid:
    rows: list[list[Cell]] = []
    for row in agreement.disagreements[:most]:
        a, b = (_NOTHING if label is None else label for label in row.labels)
        rows.append([a, b, row.count, agreement.name_of(row.sentence), _opening(agreement.words(row.sentence))])
    names = agreement.names if len(agreement.names) == 2 else ["one", "other"]
    header = [*names, "times", "first in", "words"]
    texts = [names[1], "first in", "words"]
    return Grid("most frequent disagreements", header, rows, _more(agreement.disagreements, most), texts=texts)


def _opening(words: Sequence[str]) -> str:
    """The first words, as far as they fit."""
    text = ""
    for word in words:
        if len(text) + len(word) > _WIDTH:
            return f"{text} …".strip()
        text = f"{text} {word}".strip()
    return text


def _sentences(agreement: Agreement, is_complete: bool, most: int) -> Grid:
    rows = agreement.sentences() if is_complete else agreement.lowest(None)
    shown = rows if is_complete else rows[:most]
    several = len(agreement.names) > 2
    cells: list[list[Cell]] = []
    for row in shown:
        place = str(row["sentence"]) if row["id"] is None else row["id"]
        edits = None if row["edits"] is None else f"{row['edits']:g}"
        scores = [_number(row["f1"], True), _number(row["struct_iou"], True), edits]
        cells.append([place, *([row["annotators"]] if several else []), *scores])
    title = "by sentence" if is_complete else "sentences with the lowest agreement"
    header = ["sentence", *(["annotators"] if several else []), "F1", "STRUCT-IOU", "edits"]
    return Grid(title, header, cells, [] if is_complete else _more(rows, most))


def _figure_rows(figures: Mapping[str, Figure]) -> list[list[Cell]]:
    return [[name, it.title, it.value, it.low, it.high, it.above, it.below] for name, it in figures.items()]


_FIGURE_COLUMNS = ["figure", "title", "value", "low", "high", "above", "below"]


def _csv_tables(agreement: Agreement, per_sentence: bool) -> dict[str, list[list[Cell]]]:
    names = agreement.names
    tables: dict[str, list[list[Cell]]] = {"agreement": [list(_FIGURE_COLUMNS), *_figure_rows(_figures(agreement))]}
    if len(agreement.pairs) > 1:
        rows: list[list[Cell]] = [["first", "second", *_FIGURE_COLUMNS]]
        for pair in agreement.pairs:
            rows += [[*pair, *row] for row in _figure_rows(agreement.figures(*pair))]
        tables["pairs"] = rows
    if agreement.adjudicated:
        tables["adjudicated"] = [["annotator", *(title for title, _, _ in _AGAINST)]]
        tables["adjudicated"] += [[name, *_against(report).values()] for name, report in agreement.adjudicated.items()]
    for what, listed in (("labels", agreement.labels), ("tags", agreement.tags)):
        tables[what] = [[what[:-1], *names, "both", "agreement", "alpha"]]
        tables[what] += [[row.label, *row.counts, row.both, row.agreement, row.alpha] for row in listed]
    tables["disagreements"] = [["first", "second", "count", "sentence"]]
    tables["disagreements"] += [
        [*row.labels, row.count, agreement.name_of(row.sentence)] for row in agreement.disagreements
    ]
    sentences = agreement.sentences() if per_sentence else agreement.lowest(None)
    columns = ["sentence", "id", "annotators", "f1", "struct_iou", "edits"]
    tables["sentences"] = [list(columns), *([row[name] for name in columns] for row in sentences)]
    return tables


def _values(agreement: Agreement, per_sentence: bool) -> dict[str, Any]:
    def figures(of: Mapping[str, Figure]) -> dict[str, Any]:
        return {name: row.values() for name, row in of.items()}

    return {
        "treescore": __version__,
        "annotators": [
            {"name": name, "file": bank.source.name, "sha256": bank.source.sha256()}
            for name, bank in agreement.banks.items()
        ],
        "signatures": agreement.signatures,
        "sentences": len(agreement),
        "compared": agreement.compared,
        "figures": figures(_figures(agreement)),
        "pairs": [
            {
                "annotators": [first, second],
                "figures": figures(agreement.figures(first, second)),
                "shares": [agreement.shares(first, second).value, agreement.shares(second, first).value],
            }
            for first, second in agreement.pairs
        ],
        "expected": agreement.expected.values(),
        "adjudicated": {name: _against(report) for name, report in agreement.adjudicated.items()},
        "labels": [row.values() for row in agreement.labels],
        "tags": [row.values() for row in agreement.tags],
        "disagreements": [
            {**row.values(), "sentence": agreement.name_of(row.sentence)} for row in agreement.disagreements
        ],
        "lowest": agreement.lowest(None),
        **({"per_sentence": agreement.sentences()} if per_sentence else {}),
        "problems": problem_values(agreement.problems),
    }
