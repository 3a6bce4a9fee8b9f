"""Results of `agreement`: figures, labels, disagreements, sentences."""

from __future__ import annotations

from ...helpers.showing import Shown, rendered
from ...helpers.text import number_of
from ...values.problem import UsageError
from ...values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ...scoring.report import Report
    from ...trees import Treebank
    from ...values.problem import Problem
    from ...values.score import Part, Score

    Pair = tuple[str, str]
    #: For each sentence the numbers of the annotators whose trees have the same words; empty for fewer than two.
    Groups = Sequence[tuple[int, ...]]

#: The score of a sentence in the rows of the first three metrics.
ROW_FIGURES = ("f1", "score", "distance")


class Figure(Value):
    """One figure with an optional confidence interval; None is undefined. `percent` figures are shown in percent.

    It is computed from `below` units, `above` of which count if it is a share.
    """

    title: str
    value: float | None
    low: float | None = None
    high: float | None = None
    above: int | None = None
    below: int | None = None
    unit: str = "sentence"
    percent: bool = True

    @classmethod
    def of(cls, title: str, score: Score, name: str) -> Figure:
        """A figure of a score, under another title."""
        part: Part = score.figures[name]
        interval = score.intervals.get(name)
        low, high = (None, None) if interval is None else (interval.low, interval.high)
        return cls(title, part.value, low, high, part.above, part.below, part.unit, part.percent)


class LabelAgreement(Value):
    """A label or a tag: its frequency by annotator (`counts`), and how often two annotators agree on it (`both`).

    `agreement` is the specific agreement (the F1 of the label over all pairs of annotators), `alpha` is Krippendorff's
    alpha of the presence of the label.
    """

    label: str
    counts: tuple[int, ...]
    both: int
    agreement: float | None
    alpha: float | None


class Disagreement(Value):
    """Two different labels over the same words, and their frequency; None if an annotator has no phrase there.

    With two annotators, the first label belongs to the first annotator; with more, the order has no meaning. `sentence`
    is the index of the first such sentence.
    """

    labels: tuple[str | None, str | None]
    count: int
    sentence: int


class Expected(Value):
    """The expected distance, from `pairs` out of `known` pairs of trees.

    `left_out` pairs were too large to be compared.
    """

    distance: float | None
    pairs: int
    known: int
    left_out: int
    seed: int

    @property
    def exact(self) -> bool:
        """Were all pairs compared?"""
        return self.pairs == self.known


class Agreement(Shown, Value):
    """The agreement of annotators. Their order changes no figure.

    `reports` has the scores of the second annotator against the first, for each pair; `overall` is the report of all.
    `labels` of phrases and `tags` of words, and `disagreements` (different labels over the same words), have the most
    frequent ones first. `adjudicated` has the report of each annotator against the adjudicated trees, if there are any.
    """

    banks: dict[str, Treebank]
    reports: dict[Pair, Report]
    overall: Report
    groups: Groups
    labels: list[LabelAgreement]
    tags: list[LabelAgreement]
    disagreements: list[Disagreement]
    expected: Expected
    problems: list[Problem]
    adjudicated: dict[str, Report]

    @property
    def names(self) -> list[str]:
        """The annotators."""
        return list(self.banks)

    @property
    def pairs(self) -> list[Pair]:
        """The pairs of annotators."""
        return list(self.reports)

    @property
    def signatures(self) -> list[str]:
        """The signatures of the metrics and of the intervals."""
        report = next(iter(self.reports.values()))
        signatures = [score.signature for score in report.scores[:3]]
        interval = next((score.interval for score in report.scores if score.interval), None)
        return [*signatures, *([interval.signature] if interval else [])]

    @property
    def compared(self) -> int:
        """The number of sentences that at least two annotators have with the same words."""
        return sum(map(bool, self.groups))

    def __len__(self) -> int:
        return len(self.groups)

    def figures(self, first: str | None = None, second: str | None = None) -> dict[str, Figure]:
        """The figures of two annotators by name; by default of all annotators.

        Figures of all annotators are means over pairs, which have intervals only if there is a single pair, and
        Krippendorff's alpha.

        >>> from treescore import agreement
        >>> result = agreement(["(S (NP (NN a)) (VB b))", "(S (NN a) (VB b))"])
        >>> {name: round(part.value, 2) for name, part in result.figures().items() if part.value is not None}
        {'f1': 0.67, 'unlabelled_f1': 0.67, 'struct_iou': 0.86, 'struct_iou_mean': 0.86, 'same_brackets': 0.0, \
'same_trees': 0.0, 'edits': 1.0, 'same_tags': 1.0, 'kappa_tags': 1.0, 'same_labels': 1.0, 'alpha_tags': 1.0, \
'alpha_trees': 0.0}
        """
        if first is None or second is None:
            if first is not second:
                raise UsageError("give the names of two annotators, or none for the figures of all")
            return {**self._means(), **self._alphas()}
        known = {pair: pair for pair in self.reports} | {(b, a): (a, b) for a, b in self.reports}
        if (first, second) not in known:
            raise UsageError(f"unknown pair of annotators {first!r}, {second!r}; known: {', '.join(self.names)}")
        return _pair_figures(self.reports[known[first, second]])

    def shares(self, first: str, second: str) -> Figure:
        """The share of the first annotator's phrases that the second has with the same label.

        >>> from treescore import agreement
        >>> result = agreement({"Ann": "(S (NP (NN a)) (VB b))", "Ben": "(S (NN a) (VB b))"})
        >>> result.shares("Ann", "Ben").value, result.shares("Ben", "Ann").value
        (0.5, 1.0)
        """
        title = f"phrases of {first} that {second} has"
        if (first, second) in self.reports:
            return Figure.of(title, self.reports[first, second].scores[0], "recall")
        return Figure.of(title, self.reports[second, first].scores[0], "precision")

    def _means(self) -> dict[str, Figure]:
        figures = [_pair_figures(report) for report in self.reports.values()]
        if len(figures) == 1:
            return figures[0]
        means = {}
        for name, figure in figures[0].items():
            values = [pair[name].value for pair in figures]
            known = sum(value is not None for value in values)
            means[name] = Figure(figure.title, _mean(values), below=known, unit="pair", percent=figure.percent)
        return means

    def _alphas(self) -> dict[str, Figure]:
        tags, labels, trees = self.overall.scores
        return {
            "alpha_tags": Figure.of("Krippendorff's alpha of tags", tags, "alpha"),
            "alpha_labels": Figure.of("Krippendorff's alpha of labels", labels, "alpha"),
            "alpha_trees": Figure.of("Krippendorff's alpha of trees", trees, "alpha"),
        }

    def sentences(self) -> list[dict[str, Any]]:
        """A row for each sentence: number, id, number of annotators with the same words, mean F1, STRUCT-IOU and edits.

        >>> from treescore import agreement
        >>> agreement(["(S (NN a)) (S (NN b))", "(S (NN a)) (S (NP (NN b)))"]).sentences()[1]
        {'sentence': 2, 'id': None, 'annotators': 2, 'f1': 0.6666666667, 'struct_iou': 0.8, 'edits': 1}
        """
        columns = [
            [report.rows(score.signature)[name] for score, name in zip(report.scores, ROW_FIGURES, strict=False)]
            for report in self.reports.values()
        ]
        bank = next(iter(self.banks.values()))
        rows: list[dict[str, Any]] = []
        for index, group in enumerate(self.groups):
            row: dict[str, Any] = {"sentence": bank.number(index), "id": bank.ids[index] if bank.ids else None}
            row["annotators"] = len(group)
            for number, name in enumerate(("f1", "struct_iou", "edits")):
                row[name] = _mean([column[number][index] for column in columns])
            rows.append(row)
        return rows

    def lowest(self, most: int | None = 10) -> list[dict[str, Any]]:
        """The rows of `sentences` with the lowest agreement, by F1 and then by STRUCT-IOU."""
        rows = [row for row in self.sentences() if not {row["f1"], row["struct_iou"]} <= {None, 1}]
        rows.sort(key=lambda row: [2.0 if row[name] is None else row[name] for name in ("f1", "struct_iou")])
        return rows[:most]

    def name_of(self, index: int) -> str:
        """The id of the sentence with this index, or its number."""
        bank = next(iter(self.banks.values()))
        return bank.ids[index] if bank.ids else str(bank.number(index))

    def words(self, index: int) -> list[str]:
        """The words of the sentence with this index, which must have been compared."""
        return list(self.banks.values())[self.groups[index][0]].words(index)

    def to(self, form: str, *, per_sentence: bool = False, most: int | None = None) -> str:
        """All tables as text: table, markdown, latex, csv, json or html.

        Lists in tables for people have at most `most` rows (default: 10).

        >>> from treescore import agreement
        >>> print(agreement(["(S (NN a)) (S (NP (NN b)))"] * 2).to("csv").splitlines()[2])
        f1,Labelled F1,1.0,1.0,1.0,6,6
        """
        return rendered(self, form, per_sentence=per_sentence, most=most)

    def __repr__(self) -> str:
        f1 = self.figures()["f1"]
        shown = "–" if f1.value is None else f"{100 * f1.value:.2f}"
        names = f"{', '.join(self.names[:-1])} and {self.names[-1]}"
        compared = f"{self.compared:,} of {number_of(len(self), 'sentence')}"
        return f"<Agreement of {names}: {f1.title} {shown}, {compared}>"


def _pair_figures(report: Report) -> dict[str, Figure]:
    """The symmetric figures of two annotators."""
    brackets, overlap, edits, tags, labels = report.scores
    return {
        "f1": Figure.of("Labelled F1", brackets, "f1"),
        "unlabelled_f1": Figure.of("Unlabelled F1", brackets, "unlabelled_f1"),
        "struct_iou": Figure.of("STRUCT-IOU (corpus)", overlap, "corpus"),
        "struct_iou_mean": Figure.of("STRUCT-IOU (mean of sentences)", overlap, "sentence"),
        "same_brackets": Figure.of("Same labelled brackets", brackets, "exact"),
        "same_trees": Figure.of("Same trees, tags included", edits, "exact"),
        "edits": Figure.of("Edits per sentence", edits, "distance"),
        "same_tags": Figure.of("Same tags", tags, "same"),
        "kappa_tags": Figure.of("Cohen's kappa of tags", tags, "kappa"),
        "same_labels": Figure.of("Same labels over the same words", labels, "same"),
        "kappa_labels": Figure.of("Cohen's kappa of labels", labels, "kappa"),
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    if len(known) == 1:
        return known[0]
    return sum(known) / len(known) if known else None
