"""Report: all scores of one evaluation with their problems and provenance."""

from __future__ import annotations

from functools import cached_property

from .._version import __version__
from ..helpers.problem_lines import codes_in_one_line
from ..helpers.showing import Shown, rendered
from ..helpers.text import number_of, visible
from ..metrics.base import check_best
from ..place.pair import Pair
from ..trees import Treebank
from ..values.problem import UsageError
from .batch import distinct_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from typing_extensions import Self

    from .. import _core
    from ..analysis.breakdowns import Breakdown
    from ..analysis.tree_pair import TreePair
    from ..metrics.base import Metric
    from ..pairing.node_mapping import NodeMappings, Verdicts
    from ..readers.completions.completion_list import Completions
    from ..readers.dependency_bank import DependencyBank
    from ..significance import Interval
    from ..values.counts import Counts
    from ..values.problem import Problem
    from ..values.score import Part, Score
    from .causes import Causes
    from .problem_log import ProblemLog
    from .tally import Tally


class Report(Shown):
    """The scores of test against gold. Index it by the name of a metric or by its signature.

    `size` is the number of pairs of trees. If these were scored part by part, `gold` and `test` have no trees, and
    there are only sums, no rows.
    """

    def __init__(
        self,
        tally: Tally,
        gold: Treebank | DependencyBank,
        test: Treebank | DependencyBank,
        *,
        pair: Pair | None = None,
    ) -> None:
        self.metrics = list(tally.metrics)
        self.scores = [metric.score(counts) for metric, counts in zip(tally.metrics, tally.counts, strict=True)]
        self.gold: Any = gold
        self.test: Any = test
        self.size = tally.size
        #: Remarks on the run, such as why these metrics were chosen.
        self.remarks: list[str] = [bank.source.remark for bank in (gold, test) if bank.source.remark]
        #: Settings by which speech was divided into units, if any.
        self.settings: dict[str, Any] = {}
        #: What was scored.
        self.trees = Pair(gold, test) if pair is None else pair
        #: The completions of a language model from which the test trees were read, if they were.
        self.completions: Completions | None = getattr(test, "completions", None)
        if self.completions is not None:
            for score in self.scores:
                score.policy = self.completions.policy
        self._tally = tally

    def __getitem__(self, name: str) -> Score:
        matches = [score for score in self.scores if name in (score.name, score.signature)]
        if not matches:
            raise KeyError(f"no score {name!r}; there are {', '.join(score.signature for score in self.scores)}")
        if len(matches) > 1:
            raise KeyError(f"{name!r} is not unique; use one of {', '.join(score.signature for score in matches)}")
        return matches[0]

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def pairs(self) -> list[tuple[Metric, Score]]:
        """Each metric with its score."""
        return list(zip(self.metrics, self.scores, strict=True))

    @cached_property
    def _log(self) -> ProblemLog:
        return self._tally.problem_log((self.gold.source.name, self.test.source.name))

    @cached_property
    def problems(self) -> list[Problem]:
        """General problems, then problems sentence by sentence. If there are very many, the rest is only counted."""
        return self._log.problems

    def causes(self) -> Causes:
        """Known causes that change the score although the parser is not to blame, and their remedies.

        >>> import treescore
        >>> treescore.evaluate("(S (-LRB- -LSB-) (NN a))", "(S (-LRB- [) (NN a))").causes()
        [<Cause failed_by_escapes: 1 sentence, text:escapes>]
        """
        return self._causes

    @cached_property
    def _causes(self) -> Causes:
        from .causes import causes

        return causes(self)

    @cached_property
    def as_printed(self) -> Report | None:
        """The scores of completions of a language model that are read without repairs; None for other input."""
        if self.completions is None:
            return None
        from .tally import score_pair

        return score_pair(self.metrics, Pair(self.gold, self.completions.as_printed().treebank))

    def problem_counts(self) -> dict[str, int]:
        """The number of problems of each kind; each kind counts once per sentence and file."""
        return self._log.codes()

    @property
    def problem_total(self) -> int:
        """The number of problems."""
        return sum(self.problem_counts().values())

    def problem_line(self) -> str:
        """The number of problems of each kind in one line."""
        return codes_in_one_line(self.problem_counts())

    def rows(self, metric: str | None = None) -> dict[str, list[Any]]:
        """Columns with one entry per sentence, for pandas and polars.

        `sentence` is the number in the gold file, from 1; `status` is 0 if it is scored, 1 if it failed, 2 if it is
        left out. For PARSEVAL and functions, `status` is EVALB's.

        >>> import treescore
        >>> report = treescore.evaluate("(S (NN a))", "(S (NN a))", "parseval|profile:none")
        >>> report.rows()["matched"]
        [1]
        """
        scorer, score = self.find(metric)
        if not score.counts.has_rows:
            raise _without_rows(scorer)
        rows = scorer.rows(score.counts)
        if scorer.pairs_trees and isinstance(self.gold, Treebank) and len(self.gold):
            before = self.gold.number(0) - 1  # a slice keeps the numbers of its trees
            rows["sentence"] = [before + number for number in rows["sentence"]]
        if scorer.pairs_trees and getattr(self.gold, "ids", None) is not None:
            numbers = rows.pop("sentence")
            rows = {"sentence": numbers, "id": list(self.gold.ids), **rows}
        if scorer.pairs_trees and self.completions is not None:
            rows |= self.completions.columns()
        return rows

    def frame(self, kind: str = "pandas", what: str = "rows", metric: str | None = None) -> Any:
        """A data frame of "pandas" or "polars", or an Arrow table ("arrow"). The library must be installed.

        `what` is "rows", the columns of `rows`; "labels", the table by label; or "problems", the list of problems.
        Undefined figures are NaN in pandas and null in the others. Types do not depend on the values.

        >>> import treescore
        >>> report = treescore.evaluate(["(S (NN a))"] * 2, ["(S (NN a))", None], "parseval|profile:none")
        >>> report.frame()[["sentence", "f1", "failed"]]
           sentence   f1  failed
        0         1  1.0       0
        1         2  NaN       1
        >>> report.frame("polars", "problems").select("unit", "code", "action").rows()
        [(2, 'unparsed', 'failed')]
        """
        from .frames import report_frame

        return report_frame(self, kind, what, metric)

    def figures(self, prefix: str = "") -> dict[str, float | int]:
        """All figures in one flat dict of plain numbers, for loggers such as wandb, mlflow and TensorBoard.

        Names begin with the prefix and the name of the metric, with a number if it recurs: `parseval_2/f1`. The names
        do not depend on the values: undefined figures are NaN. `failed` and `coverage` follow the figures of each
        metric; rates of completions such as `completions/valid`, `pairs` and `problems` (of sentences) come last.

        >>> import treescore
        >>> report = treescore.evaluate(["(S (NN a))"] * 2, ["(S (NN a))", None], "parseval|profile:none")
        >>> figures = report.figures("val/")
        >>> figures["val/parseval/f1_all"], figures["val/parseval/failed"], figures["val/problems"]
        (0.5, 1, 1)
        """
        values = {
            f"{prefix}{metric}/{name}": float("nan") if value is None else value
            for metric, score in zip(distinct_names(self.metrics), self.scores, strict=True)
            for name, value in score.values().items()
        }
        rates = {} if self.completions is None else self.completions.rates().shares()
        values |= {
            f"{prefix}completions/{name}": float("nan") if share is None else share for name, share in rates.items()
        }
        return {**values, f"{prefix}pairs": self.size, f"{prefix}problems": self._log.in_sentences}

    def breakdown(self, by: str, metric: str | None = None) -> dict[str, dict[str, Part]]:
        """The figures of a metric by label or by length."""
        scorer, score = self.find(metric)
        groups = self._tally.groups(by)
        if groups is not None:
            return scorer.group_scores(by, groups[self.scores.index(score)], lost=score.lost)
        if not score.counts.has_rows:
            raise _without_rows(scorer)
        return scorer.breakdown(by, self.trees.of(scorer), score.counts)

    def breakdowns(self, by: str) -> dict[str, dict[str, dict[str, Part]]]:
        """The tables by label or by length of all metrics that have them, by signature; an error if none has.

        >>> import treescore
        >>> trees = "(S (NP (NN a)))"
        >>> list(treescore.evaluate(trees, trees, ["parseval|profile:none", "tedeval"]).breakdowns("label"))
        ['parseval|labels:yes|profile:none|v:0.2.0.dev0']
        """
        tables = {}
        refusals = []
        for score in self.scores:
            try:
                tables[score.signature] = self.breakdown(by, score.signature)
            except UsageError as refusal:
                refusals.append(refusal)
        if not tables:
            raise refusals[0]
        return tables

    def error_tables(
        self, metric: str | None = None, *, threads: int | None = None, progress: _core.Progress | None = None
    ) -> Breakdown:
        """The errors of test by label, rule, parent and tag, for parseval.

        >>> import treescore
        >>> report = treescore.evaluate("(S (NP (NN a)) (VB b))", "(S (PP (NN a)) (VB b))", "parseval|profile:none")
        >>> report.error_tables()
        <Breakdown of errors: 1 label, 2 rules, 0 parents, 0 tags>
        """
        from ..analysis.breakdowns import Breakdown

        return Breakdown(self, self.find(metric)[0], threads=threads, progress=progress)

    def node_mappings(
        self, metric: str | None = None, *, threads: int | None = None, progress: _core.Progress | None = None
    ) -> NodeMappings:
        """Corresponding nodes of gold and test, sentence by sentence, for metrics that align nodes."""
        from ..helpers.threads import count_threads

        workers = count_threads(threads, len(self.gold))
        made_by = self.find(metric)[0]
        check_best(made_by, "node mappings")
        return made_by.node_mappings(self.trees.of(made_by), threads=workers, progress=progress)

    def verdicts(
        self, metric: str | None = None, *, threads: int | None = None, progress: _core.Progress | None = None
    ) -> Verdicts:
        """The outcome of each node, sentence by sentence, for metrics that have it (parseval and struct_iou)."""
        from ..helpers.threads import count_threads

        workers = count_threads(threads, len(self.gold))
        made_by = self.find(metric)[0]
        check_best(made_by, "verdicts on nodes")
        return made_by.verdicts(self.trees.of(made_by), threads=workers, progress=progress)

    def pair(self, index: int, metric: str | None = None) -> TreePair:
        """A sentence, by its index from 0, or from the end as in lists, with the outcome of each node.

        >>> import treescore
        >>> report = treescore.evaluate("(S (NP (NN a)))", "(S (VP (NN a)))", "struct_iou")
        >>> [(node.label, node.mark) for node in report.pair(0).nodes[1]]
        [('S', 'aligned'), ('VP', 'extra'), ('NN', 'aligned')]
        """
        from ..analysis.tree_pair import pair_at

        made_by = self.find(metric)[0]
        check_best(made_by, "verdicts on nodes")
        trees = self.trees.of(made_by)
        return pair_at(trees.gold, trees.test, index, made_by)

    def with_tolerance(self, tolerance: float) -> Report:
        """The same report, whose pairs and pages call nodes crossing by more than `tolerance` seconds.

        >>> import treescore
        >>> gold = ["S", [["NP", [["A", 0.0, 1.0, "a"], ["B", 1.0, 2.0, "b"]]], ["C", 2.0, 3.0, "c"]]]
        >>> test = ["S", [["NP", [["A", 0.0, 1.0, "a"], ["B", 1.0, 2.1, "b"]]], ["C", 2.1, 3.0, "c"]]]
        >>> report = treescore.evaluate([gold], [test], "struct_iou|axis:seconds")
        >>> [sum(node.crossing for node in it.pair(0).nodes[1]) for it in (report, report.with_tolerance(0.2))]
        [2, 0]
        """
        from copy import copy

        changed = copy(self)
        changed.metrics = [metric.with_tolerance(tolerance) for metric in self.metrics]
        if not any(metric.judges_nodes and metric.needs_times for metric in changed.metrics):
            raise UsageError("tolerance: no metric compares nodes over seconds; use struct_iou|axis:seconds")
        return changed

    def intervals(
        self,
        metric: str | None = None,
        *,
        method: str = "percentile",
        level: float = 0.95,
        n: int = 1_000,
        seed: int = 1,
        unit: str | None = None,
        units: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> dict[str, Interval]:
        """Confidence intervals of all figures of a metric, by the bootstrap with `n` samples of sentences.

        With a `unit` such as "document" or "side", whole documents are drawn: they are known from the sentences' ids or
        named in `units`, which has an entry for each gold sentence. `method` is "percentile" or "bca".

        >>> import treescore
        >>> report = treescore.evaluate(["(S (NN a))"] * 2, ["(S (NN a))", "(X (NN a))"], "parseval|profile:none")
        >>> interval = report.intervals(seed=7)["f1"]
        >>> interval.low, interval.high, interval.n, interval.unit
        (0.0, 1.0, 1000, 'sentence')
        """
        from ..significance import intervals

        scorer, _ = self.find(metric)
        counts, sampled_unit = self.sampled(metric, unit=unit, units=units)
        return intervals(scorer, counts, method=method, level=level, n=n, seed=seed, unit=sampled_unit, threads=threads)

    def with_intervals(self, **options: Any) -> Self:
        """The same report with the intervals of all figures in each score; the options are as in `intervals`."""
        from copy import copy

        report = copy(self)
        report.scores = [copy(score) for score in self.scores]
        for score in report.scores:
            score.intervals = self.intervals(score.signature, **options)
        return report

    def sampled(
        self, metric: str | None = None, *, unit: str | None = None, units: Sequence[str] | None = None
    ) -> tuple[Counts, str]:
        """The rows from which samples are drawn, summed by unit, and the name of the unit.

        >>> import treescore
        >>> trees = ["(S (NN a))", "(S (NN b))", "(S (NN c))"]
        >>> rows, unit = treescore.evaluate(trees, trees).sampled(units=["one", "one", "two"])
        >>> rows["gold"].tolist(), unit
        ([2, 1], 'document@2291547a')
        """
        from ..significance.units import by_unit

        scorer, score = self.find(metric)
        if not score.counts.has_rows:
            raise _without_rows(scorer)
        names, sampled_unit = self.unit_names(metric, unit=unit, units=units)
        if names is None:
            return score.counts, sampled_unit
        places = scorer.gold_sentences(score.counts) or ()
        return by_unit(score.counts, [names[min(place, len(names) - 1)] for place in places]), sampled_unit

    def unit_names(
        self, metric: str | None = None, *, unit: str | None = None, units: Sequence[str] | None = None
    ) -> tuple[list[str] | None, str]:
        """The unit of each gold sentence, or None if single rows are drawn; and the name of the unit.

        The name of units that are not known from ids includes their hash: document@1a2b3c4d.
        """
        from ..significance.units import check_units, fingerprint, units_of_ids

        scorer, score = self.find(metric)
        rows = self.row_unit(scorer)
        single = (rows, "sentence") if rows == "block" else (rows,)
        if units is None and unit in (None, *single):
            return None, rows
        if units is not None and unit in ("sentence", *single):
            raise UsageError(f"units group {unit}s: name the group as the unit, such as document, not {unit!r}")
        unit = unit or "document"
        if rows not in ("sentence", "block") or scorer.gold_sentences(score.counts) is None:
            raise UsageError(f"the rows of {scorer.name} are {rows}s and cannot be summed by {unit}")
        if units is None:
            names, sampled_unit = units_of_ids(getattr(self.gold, "ids", None), unit), unit
        else:
            names = check_units(units, len(self.gold))
            sampled_unit = f"{unit}@{fingerprint(names)}"
        if len(names) > 1 and len(set(names)) == 1:
            raise UsageError(f"all sentences belong to one {unit}, {visible(names[0])!r}: samples need several")
        return names, sampled_unit

    def row_unit(self, metric: Metric) -> str:
        """The unit of a row of this metric: a sentence, or what is scored instead."""
        own = metric.row_unit
        return str(self.settings.get("unit", own)) if own == "sentence" else own

    def find(self, metric: str | None = None) -> tuple[Metric, Score]:
        """A metric and its score, by name or signature; the default is the first metric."""
        score = self.scores[0] if metric is None else self[metric]
        return self.metrics[self.scores.index(score)], score

    @property
    def provenance(self) -> dict[str, Any]:
        """The version, and the inputs with the hashes of files."""
        sizes = self.settings.get("trees") or [len(bank) or self.size for bank in (self.gold, self.test)]
        values: dict[str, Any] = {"treescore": __version__}
        for side, bank, size in zip(("gold", "test"), (self.gold, self.test), sizes, strict=True):
            values[side] = {"name": bank.source.name, "trees": size, "sha256": bank.source.sha256()}
        if references := getattr(self.gold, "references", ()):
            values["references"] = [{"name": bank.source.name, "sha256": bank.source.sha256()} for bank in references]
        speech = {name: value for name, value in self.settings.items() if name != "trees"}
        return {**values, "speech": speech} if speech else values

    @property
    def lost_rows(self) -> int:
        """The number of rows of the input that could not be read, as far as known."""
        return self._tally.lost_rows

    @property
    def lost_pieces(self) -> int:
        """The number of pieces of the input that could not be read."""
        return self._tally.lost_pieces

    def lost_line(self) -> str:
        """The lost input in one line; the number of rows of a file that cannot be opened is unknown."""
        pieces, rows = number_of(self.lost_pieces, "piece"), number_of(self.lost_rows, "row")
        return f"{pieces} of the input not scored, with {rows} as far as is known"

    def to(self, form: str, *, by: str | None = None, per_sentence: bool = False, explain: Sequence[str] = ()) -> str:
        """The report as text: table, markdown, latex, csv, json, jsonl, html or evalb.

        `explain` names sentences whose scores are explained node by node in the formats table and json: an id, a
        number, "worst" or "worst:5".

        >>> import treescore
        >>> report = treescore.evaluate("(S (NP (NN a)))", "(S (NP (NN a)))", "parseval|profile:none")
        >>> print(report.to("csv", by="label"), end="")
        label,f1,precision,recall,matched,gold,test
        NP,1.0,1.0,1.0,1,1,1
        S,1.0,1.0,1.0,1,1,1
        """
        return rendered(self, form, by=by, per_sentence=per_sentence, explain=explain)

    def __repr__(self) -> str:
        return f"<Report: {', '.join(f'{s.figures[s.main].title} {s.figures[s.main].shown()}' for s in self.scores)}>"


def _without_rows(metric: Metric) -> UsageError:
    return UsageError(f"{metric.name} was scored part by part: there are only sums, neither rows nor trees")
