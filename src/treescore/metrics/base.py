"""What a metric is: a name, options, counts of each sentence, and figures of their sums."""

from __future__ import annotations

from functools import cached_property
from itertools import product

from .._version import __version__
from ..helpers.text import number_of
from ..place.axis import WORDS
from ..values.option import Choice, WholeNumber
from ..values.problem import UsageError
from ..values.score import ALL, Score, with_all
from ..values.signature_text import SignatureError, join_signature
from ..values.suggestions import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any

    from typing_extensions import Self

    from .._core import Progress
    from ..pairing.node_mapping import NodeMappings, Verdicts
    from ..place.axis import Axis
    from ..place.pair import Pair
    from ..place.placed import Columns, Placed
    from ..trees import Treebank
    from ..values.counts import Counts
    from ..values.option import Option
    from ..values.problem import Problem
    from ..values.score import Part
    from .overview import Overview
    from .ratios import Ratio

_NODES = 1 << 18  # copied at a time to score all pairs
_LENGTHS = 10  # words in a range of lengths

#: The number of sentences that can be in a figure, as a sum of columns.
ELIGIBLE = {"sentences": 1, "excluded": -1, "gold_faults": -1, "lost": -1}
#: The same for metrics whose rows are counted as units.
ELIGIBLE_UNITS = {"units": 1, "excluded": -1, "gold_faults": -1, "lost": -1}


#: The columns that replace others in the figures over all sentences of most metrics.
OVER_ALL = {"gold": {"gold_all": 1}, "test": {"test_all": 1}, "valid": ELIGIBLE}


class Several(WholeNumber):
    """A number from 2."""

    kind = "a whole number from 2 to 999"

    def checked(self, value: Any) -> Any:
        if value not in range(2, 1000):
            raise self.refusal(value)
        return super().checked(value)

    def parse(self, text: str) -> int:
        return int(self.checked(super().parse(text)))


#: Options of all metrics that compare a gold tree with its test tree.
REFERENCE_OPTIONS = (
    Several("references", None, "sentences have up to {} gold trees"),
    Choice(
        "reference-by",
        choices={
            "best": "each sentence is scored against the gold tree with the best score",
            "mean": "the counts of each sentence are added up over its gold trees",
        },
    ),
)


class Metric:
    """A value with a name and options. Subclasses are pure: equal signatures give equal counts on equal trees."""

    name: str
    #: What to cite: keys of `data/citations.bib`.
    cites: tuple[str, ...] = ()
    #: Its options, in the order in which its signature contains them. The arguments of the constructor, the signature,
    #: its parser, `treescore info` and the table of options are derived from them. The value of an option
    #: is an attribute of the metric.
    options: tuple[Option, ...] = ()
    #: The arguments of options whose values a subclass sets itself.
    set_elsewhere: Collection[str] = ()
    references: int | None = None
    reference_by: str | None = None
    #: The number of pairs of trees whose counts a row adds up.
    comparisons = 1

    # ---- What it can handle. `tests/laws/test_capabilities.py` tests that this is true of every metric.

    #: The input that it compares: "trees", or "conllu" for the words and heads of CoNLL-U files.
    reads = "trees"
    #: The axis on which it places leaves. If the axis needs times, trees without times are refused.
    axis: Axis = WORDS
    #: Does it score discontinuous trees? Otherwise it reports the problem "discontinuous".
    takes_discontinuous = False
    #: Must both sides have the same number of trees, each with its partner?
    pairs_trees = True
    #: What to do if the numbers differ.
    unpaired_advice = ""
    #: Can pairs be scored a few at a time, with the same result?
    takes_parts = True
    #: Do its remarks depend on the labels and tags of both sides?
    compares_names = False
    #: The unit of a row: a "sentence", or a "block" of corresponding sentences, …
    row_unit = "sentence"
    #: Does it expect that the words differ?
    aligns_words = False
    #: Does it map nodes to nodes?
    maps_nodes = False
    #: Does it judge every node? Then it also gives the positions of leaves (`positions`).
    judges_nodes = False

    @property
    def needs_times(self) -> bool:
        """Does it compare times?"""
        return self.axis.needs_times

    # ---- What its rows and figures mean

    #: The name of what is counted in gold, in the plural; a failed row has missed all of it.
    gold_unit = "brackets"
    #: Columns of `rows` that are amounts and not shares, and a note about the numbers in `status`.
    amounts: tuple[str, ...] = ()
    status_note = "status: 0 scored, 1 failed, 2 in no figure"
    #: Figures for which 0 is best and which may be above 1; and figures that may be negative.
    error_rates: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    #: Figures for which 0 is best and which are amounts, not shares.
    error_amounts: tuple[str, ...] = ()
    #: The sums of columns that replace a column in the figures over all sentences, in which failed sentences count.
    #: Columns that are not named here, such as `matched`, are the same: in a failed sentence nothing is right.
    all_columns: dict[str, dict[str, int]] = OVER_ALL
    #: The number of eligible sentences (not excluded, not lost, no fault in gold) as a sum of columns.
    eligible: dict[str, int] = ELIGIBLE
    #: Figures that have no meaning over all sentences.
    without_all: tuple[str, ...] = ()

    # ---- Options

    def __init_subclass__(cls) -> None:
        if cls.pairs_trees and "options" in vars(cls):
            cls.options = (*cls.options, *REFERENCE_OPTIONS)

    def __init__(self, **given: Any) -> None:
        known = {option.argument: option for option in self.options}
        for argument in given:
            if argument not in known:
                raise self._no_option(argument, known)
        for argument, option in known.items():
            if argument not in self.set_elsewhere:
                setattr(self, argument, option.check(given.get(argument, option.default)))
        if self.references and not self.reference_by:
            self.reference_by = "best"
        if self.reference_by == "mean":
            self.maps_nodes = self.judges_nodes = False
            self.comparisons = self.references or 1

    @classmethod
    def parse(cls, values: Mapping[str, str]) -> Self:
        """The metric with the options of a signature."""
        known = {option.name: option for option in cls.options}
        given = {}
        for name, text in values.items():
            if name == "v":
                continue
            if name not in known:
                raise cls._no_option(name, known)
            given[known[name].argument] = known[name].parse(text)
        return cls(**given)

    @classmethod
    def _no_option(cls, name: str, known: Collection[str]) -> SignatureError:
        return SignatureError(f"{cls.name} has no option {name!r}; {suggestion(name, known)}")

    @classmethod
    def has_option(cls, name: str) -> bool:
        """Does the metric have an option with this name?"""
        return any(option.name == name for option in cls.options)

    def value_of(self, option: Option) -> Any:
        """The value of an option."""
        return getattr(self, option.argument)

    def default_of(self, option: Option) -> Any:
        """The value with which the signature need not contain the option."""
        return option.default

    @cached_property
    def signature(self) -> str:
        """The string that names the metric with all its options."""
        values = {}
        for option in self.options:
            value, default = self.value_of(option), self.default_of(option)
            if value is not None and (option.is_always_written or value != default):
                values[option.name] = option.write(value)
            elif value != default:
                values[option.name] = ""
        return join_signature(self.name, {**values, "v": __version__})

    def written(self, option: Option) -> str | None:
        """The value of an option as a signature contains it; None if there is none."""
        value = self.value_of(option)
        return None if value is None else option.write(value)

    def in_words(self) -> dict[str, str]:
        """What the options mean, one sentence for each."""
        sentences = {option.name: option.sentence(self.value_of(option)) for option in self.options}
        return {name: sentence for name, sentence in sentences.items() if sentence}

    # ---- Scores

    def with_chosen_gold(self, pair: Pair, *, threads: int = 1, progress: Progress | None = None) -> Pair:
        """The pair with one of several gold trees for each sentence, and the rows of this metric."""
        from .references import with_chosen_gold

        return with_chosen_gold(self, pair, threads=threads, progress=progress)

    def counts(self, pair: Pair, *, threads: int = 1, progress: Progress | None = None) -> Counts:
        """One row per sentence pair."""
        raise NotImplementedError

    @property
    def main(self) -> str:
        """The name of the figure to quote: the first one."""
        from collections import defaultdict

        return next(iter(self.figures(defaultdict(int))))

    @property
    def row_figure(self) -> str:
        """The column of `rows` that is the score of a row."""
        return self.main

    @property
    def group_figures(self) -> tuple[str, ...]:
        """The figures that tables by label and length show, the first of them also as a curve."""
        return (self.main,)

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        """The metric's own figures for these sums of columns: those in `ratios`, unless a metric has others."""
        return {name: ratio.part(total) for name, ratio in self.ratios.items()}

    def score(self, counts: Counts) -> Score:
        """The figures for the sum of these rows, and the same over all sentences."""
        total = counts.total()
        is_partial = bool(total.get("failed") or total.get("lost"))
        return Score(self, counts, is_partial=is_partial, eligible=_sum(self.eligible, total) // self.comparisons)

    def all_figures(self, total: Mapping[str, int], figures: Mapping[str, Part]) -> dict[str, Part]:
        """The figures over all sentences; they are undefined if any were lost."""
        everywhere = self.figures(self.over_all(total)) if total.get("failed") else figures
        parts = {name: everywhere[name] for name in figures if name not in self.without_all}
        return {name: part.undefined() for name, part in parts.items()} if total.get("lost") else parts

    def over_all(self, total: Mapping[str, int]) -> dict[str, int]:
        """The sums over all sentences, including those that failed."""
        return {**total, **{column: _sum(sums, total) for column, sums in self.all_columns.items()}}

    def figure(self, total: Mapping[str, int], name: str) -> float | None:
        """One figure for these sums, without computing the others: tests and samples need it many times."""
        ratio = self.ratio(name)
        if ratio is not None:
            value = ratio.of(total)
            if value is not None or ratio.is_all:
                return value
        if not name.endswith(ALL):
            return self.figures(total)[name].value
        return None if total["lost"] else self.figures(self.over_all(total))[name.removesuffix(ALL)].value

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        """The figures that are one sum of counts divided by another, in the order of tables."""
        return {}

    def ratio(self, name: str) -> Ratio | None:
        """The counts that determine a figure, also over all sentences; None if it needs more than two sums."""
        return self._all_ratios.get(name) if name.endswith(ALL) else self.ratios.get(name)

    @cached_property
    def _all_ratios(self) -> Mapping[str, Ratio]:
        return {
            name + ALL: ratio.with_columns(self.all_columns, unless="lost")
            for name, ratio in self.ratios.items()
            if name not in self.without_all
        }

    def deciding(self, figure: str, *totals: Mapping[str, int]) -> str:
        """The name of a figure over all sentences, if sentences failed or were lost in one of these sums.

        Everything that decides something, such as a test, uses this figure. If nothing failed, it is the figure itself.

        >>> import treescore
        >>> metric = treescore.metric("parseval")
        >>> metric.deciding("f1", {"failed": 0, "lost": 0}), metric.deciding("f1", {"failed": 1, "lost": 0})
        ('f1', 'f1_all')
        """
        if figure.endswith(ALL) or figure in self.without_all:
            return figure
        return figure + ALL if any(total["failed"] or total["lost"] for total in totals) else figure

    def columns_of(self, names: Iterable[str]) -> tuple[str, ...] | None:
        """The columns that determine these figures; None if the figures need more than sums of columns."""
        columns: dict[str, None] = {}
        for name in names:
            ratio = self.ratio(name)
            if ratio is None or not ratio.is_all:
                return None
            columns |= dict.fromkeys(ratio.columns)
        return tuple(columns)

    def goodness(self, figure: str, value: float) -> float:
        """A number that is greater for a better value: the value, or minus its absolute value if 0 is best.

        >>> import treescore
        >>> metric = treescore.metric("parseval")
        >>> metric.goodness("f1", 0.5), metric.goodness("average_crossing", 0.5)
        (0.5, -0.5)
        """
        figure = figure.removesuffix(ALL)
        return -abs(value) if figure in self.error_rates or figure in self.error_amounts else value

    def problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        """Problems of the pair as a whole and of single sentences."""
        from .overview import Overview

        banks = pair.gold, pair.test
        names = [bank.native.names(0) for bank in banks] if self.compares_names else [[], []]
        overview = Overview(names, [bank.source.name for bank in banks], counts.total())
        return [*self.remarks(overview), *self.row_problems(pair, counts)]

    def remarks(self, overview: Overview) -> list[Problem]:
        """Problems of the input as a whole."""
        return []

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        """Problems of single sentences, each of which depends on its own sentence only."""
        return []

    def breakdown(self, by: str, pair: Pair, counts: Counts) -> dict[str, dict[str, Part]]:
        """The figures for each label or each range of lengths."""
        sums = self.group_sums(by, pair, counts)
        return self.group_scores(by, sums, lost=counts.total().get("lost", 0))

    def group_sums(self, by: str, pair: Pair, counts: Counts) -> dict[str, dict[str, int]]:
        """The sums for each label or for each range of lengths; sums of parts add up."""
        if by == "length":
            return self._length_sums(counts)
        if by != "label":
            raise UsageError(f"by must be label or length, not {by!r}")
        check_best(self, "table by label")
        return self.label_sums(pair)

    def group_scores(
        self, by: str, sums: Mapping[str, Mapping[str, int]], *, lost: int = 0
    ) -> dict[str, dict[str, Part]]:
        """The figures for these sums: ranges of lengths in order, labels by how many there are in gold.

        The labels of `lost` sentences are unknown: if there are any, figures over all sentences are undefined.
        """
        from ..values.counts import Counts

        failed = any(_differ_over_all(total) for total in sums.values())
        if by == "length":
            named = {
                f"{start}-{start + _LENGTHS - 1}" if start else "0": str(start) for start in sorted(map(int, sums))
            }
            scores = {name: self.score(Counts({}, totals=sums[key])) for name, key in named.items()}
            return {
                name: with_all(score.figures, score.all_figures) if failed else score.figures
                for name, score in scores.items()
            }
        ordered = sorted(sums, key=lambda label: (-_gold_of(sums[label]), label))
        return {label: self._label_parts(sums[label], failed or bool(lost), bool(lost)) for label in ordered}

    def _label_parts(self, sums: Mapping[str, int], failed: bool, lost: bool) -> dict[str, Part]:
        own = {name: value for name, value in sums.items() if name not in LABEL_ALL}
        parts = self.label_figures(own)
        if not failed:
            return parts
        with_failed = {column: sums[name] for name, column in LABEL_ALL.items() if name in sums}
        everywhere = self.label_figures({**own, **with_failed})
        if lost:
            everywhere = {name: part.undefined() for name, part in everywhere.items()}
        return with_all(parts, everywhere)

    def _length_sums(self, counts: Counts) -> dict[str, dict[str, int]]:
        """The sums for each range of ten words, by its shortest length."""
        if not self.has_lengths(counts):
            raise UsageError(f"{self.name} has no lengths of sentences")
        lower = [(length - 1) // _LENGTHS * _LENGTHS + 1 if length > 0 else 0 for length in counts["length"]]
        return {key: group.total() for key, group in counts.grouped(list(map(str, lower))).items()}

    def label_sums(self, pair: Pair) -> dict[str, dict[str, int]]:
        """The sums for each label; `gold` is its number in gold."""
        raise UsageError(f"{self.name} has no table by label")

    def label_figures(self, sums: Mapping[str, int]) -> dict[str, Part]:
        """The figures of a label: those named in `group_figures`."""
        raise UsageError(f"{self.name} has no table by label")

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        """Columns for tables with a row per sentence: `row_figure`, `status` and the counts."""
        statuses = counts.statuses()
        scored = zip(counts.rows(), statuses, strict=True)
        return {
            "sentence": list(range(1, len(counts) + 1)),
            "status": statuses,
            **({"length": list(counts["length"])} if self.has_lengths(counts) else {}),
            self.row_figure: [None if status else self.figures(row)[self.main].value for row, status in scored],
            **{name: list(column) for name, column in counts.columns.items() if name != "length"},
        }

    def row_columns(self, counts: Counts, *figures: str, **named: str) -> dict[str, list[Any]]:
        """The first columns of many tables: number, status and length of each sentence, and figures.

        The columns of figures are called like the figures, or as in `named`.
        """
        columns: dict[str, list[Any]] = {
            "sentence": list(range(1, len(counts) + 1)),
            "status": counts.statuses(),
            "length": list(counts["length"]),
        }
        for name, figure in {**dict(zip(figures, figures, strict=True)), **named}.items():
            columns[name] = self.row_values(counts, figure)
        return columns

    def row_values(self, counts: Counts, figure: str) -> list[float | None]:
        """A figure of each row."""
        ratio = self.ratios[figure]
        values = ratio.of_all({name: counts[name] for name in ratio.columns})
        return [None if value is None else round(value, 10) for value in values]

    def row_scores(self, counts: Counts) -> list[float | None]:
        """The column `row_figure` of `rows`."""
        scores: list[float | None] = self.rows(counts)[self.row_figure]
        return scores

    @staticmethod
    def has_lengths(counts: Counts) -> bool:
        """Do rows have the lengths of sentences?"""
        return "length" in counts.notes or "length" in counts.columns

    def node_mappings(self, pair: Pair, *, threads: int = 1, progress: Progress | None = None) -> NodeMappings:
        """The node mapping of each pair of trees."""
        raise UsageError(f"{self.name} has no node mappings")

    def with_tolerance(self, tolerance: float) -> Self:
        """This metric with another tolerance of crossing: seconds by which boundaries may differ. Scores are the same.

        >>> from treescore import metric
        >>> metric("struct_iou|axis:seconds").with_tolerance(0.05).axis.tolerance
        0.05
        """
        if not 0 <= tolerance < float("inf"):
            raise UsageError(f"tolerance must be a number of seconds from 0, not {tolerance!r}")
        if not self.judges_nodes or not self.axis.needs_times:
            return self
        from copy import copy

        changed = copy(self)
        changed.axis = self.axis.replace(tolerance=tolerance)
        return changed

    def verdicts(self, pair: Pair, *, threads: int = 1, progress: Progress | None = None) -> Verdicts:
        """The verdict on each node that counts, pair by pair; none for pairs that were not scored."""
        raise UsageError(f"{self.name} does not judge single nodes; parseval and struct_iou do")

    def placed(self, pair: Pair) -> Placed:
        """The positions of a pair's leaves as the metric compares them, after its own deletions."""
        return pair.placed(self.axis, self)

    def positions(self, pair: Pair) -> Columns:
        """The positions of all leaves of both sides for `placed`, from the functions that the metric itself uses."""
        raise UsageError(f"{self.name} does not say where words stand")

    def pairwise(self, trees: Treebank, *, threads: int = 1, progress: Progress | None = None) -> Sequence[float]:
        """The score of each tree against each other tree, row by row; NaN where it is undefined."""
        from .. import _core
        from ..place.pair import Pair
        from ..trees import Treebank

        scores: list[float] = []
        size = len(trees)
        if not self.pairs_trees:  # it would align the sentences of all pairs
            for first, second in product(range(size), repeat=2):
                pair = Pair(trees[first : first + 1], trees[second : second + 1])
                value = self.figures(self.counts(pair, threads=threads, progress=progress).total())[self.main].value
                scores.append(float("nan") if value is None else value)
            return scores
        nodes = trees.native.leaf_total() + sum(map(trees.native.node_count, range(size)))
        step = max(1, _NODES // max(nodes, 1))  # rows that are scored together: each call begins with all labels
        for begin in range(0, size, step):
            gold, test = _core.TreeBuilder(), _core.TreeBuilder()
            for index in range(begin, min(begin + step, size)):
                tree = trees.native.slice(index, index + 1)
                for _ in range(size):
                    gold.extend(tree)
                test.extend(trees.native)
            banks = Treebank(gold.trees()), Treebank(test.trees())
            rows = self.rows(self.counts(Pair(*banks), threads=threads, progress=progress))
            scores += [float("nan") if score is None else score for score in rows[self.row_figure]]
        return scores

    def gold_sentences(self, counts: Counts) -> Sequence[int] | None:
        """The place, from 0, of the first gold sentence of each row; None if it is unknown."""
        return range(len(counts)) if self.row_unit == "sentence" else None

    def summary(self, counts: Counts) -> str:
        """One line about what was scored and what was not."""
        total = {name: number // self.comparisons for name, number in counts.total().items()}
        eligible = _sum(self.eligible, total)
        words = {"excluded": "excluded", "gold_faults": "with faults in gold", "lost": "lost"}
        rest = "".join(f", {total[name]:,} {cause}" for name, cause in words.items() if total.get(name))
        size = eligible + sum(total.get(name, 0) for name in words)
        failed = total.get("failed", 0)
        return f"{number_of(size, self.row_unit)}: {eligible - failed:,} scored, {failed:,} failed{rest}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and self.signature == other.signature

    def __hash__(self) -> int:
        return hash(self.signature)

    def __repr__(self) -> str:
        return f"<Metric {self.signature}>"


def check_best(metric: Metric, what: str) -> None:
    """Refuse what a metric says about one gold tree of each sentence if it takes the mean over several."""
    if metric.reference_by == "mean":
        raise UsageError(f"reference-by:mean has no {what}, which needs a single gold tree; use reference-by:best")


#: Columns of a label over all sentences, and the columns that they replace.
LABEL_ALL = {"gold_all": "gold", "test_all": "test"}


def _sum(columns: Mapping[str, int], total: Mapping[str, int]) -> int:
    result = 0
    for name, times in columns.items():  # a plain loop, because there is a score for each single call
        result += times * total.get(name, 0)
    return result


def _gold_of(sums: Mapping[str, int]) -> int:
    return sums.get("gold_all", sums["gold"])


def _differ_over_all(sums: Mapping[str, int]) -> bool:
    """Are there failed sentences in these sums, of a label or of a range of lengths?"""
    if "failed" in sums:
        return bool(sums["failed"] or sums["lost"])
    return any(name in sums and sums[name] != sums[column] for name, column in LABEL_ALL.items())
