"""Report: all scores of one evaluation with their problems and provenance."""

from __future__ import annotations

from functools import cached_property

from .._version import __version__
from ..helpers.problem_lines import codes_in_one_line
from ..helpers.showing import rendered
from ..helpers.text import number_of, visible
from ..place.pair import Pair
from ..trees import Treebank
from ..values.problem import UsageError

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
    from ..readers.dependency_bank import DependencyBank
    from ..significance import Interval
    from ..values.counts import Counts
    from ..values.problem import Problem
    from ..values.score import Part, Score
    from .causes import Causes
    from .problem_log import ProblemLog
    from .tally import Tally


class Report:
    """The scores of test against gold. Index it by the name of a metric or by its signature.

    `size` is the number of pairs of trees. Where these were scored part by part, `gold` and `test` have no trees, and
    there are no rows, but their sums.
    """

    def __init__(
        self,
        tally: Tally,
        gold: Treebank | DependencyBank,
        test: Treebank | DependencyBank,
        *,
        as_read: Pair | None = None,
    ) -> None:
        self.metrics = list(tally.metrics)
        self.scores = [metric.score(counts) for metric, counts in zip(tally.metrics, tally.counts, strict=True)]
        self.gold: Any = gold
        self.test: Any = test
        self.size = tally.size
        #: What else must be known about the run, such as why these metrics were chosen.
        self.remarks: list[str] = []
        #: How units were made from speech, if they were.
        self.settings: dict[str, Any] = {}
        self._tally = tally
        self._as_read = as_read

    def __getitem__(self, name: str) -> Score:
        found = [score for score in self.scores if name in (score.name, score.signature)]
        if not found:
            raise KeyError(f"no score {name!r}; there are {', '.join(score.signature for score in self.scores)}")
        if len(found) > 1:
            raise KeyError(f"{name!r} is not unique; use one of {', '.join(score.signature for score in found)}")
        return found[0]

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def pairs(self) -> list[tuple[Metric, Score]]:
        """Each metric with its score."""
        return list(zip(self.metrics, self.scores, strict=True))

    @cached_property
    def trees(self) -> Pair:
        """What was scored."""
        return Pair(self.gold, self.test, as_read=self._as_read)

    @cached_property
    def _log(self) -> ProblemLog:
        return self._tally.problem_log((self.gold.source.name, self.test.source.name))

    @cached_property
    def problems(self) -> list[Problem]:
        """What went wrong: first what concerns all sentences, then sentence by sentence. Very many are only counted."""
        return self._log.problems

    def causes(self) -> Causes:
        """Known causes that change the score although the parser is not to blame, and what would help.

        >>> import treescore
        >>> treescore.evaluate("(S (-LRB- -LSB-) (NN a))", "(S (-LRB- [) (NN a))").causes()
        [<Cause failed_by_escapes: 1 sentence, text:escapes>]
        """
        return self._causes

    @cached_property
    def _causes(self) -> Causes:
        from .causes import causes

        return causes(self)

    def problem_counts(self) -> dict[str, int]:
        """How many problems of each kind there are; each kind counts once per sentence and file."""
        return self._log.codes()

    @property
    def problem_total(self) -> int:
        """How many problems there are."""
        return sum(self.problem_counts().values())

    def problem_line(self) -> str:
        """The number of problems of each kind in one line."""
        return codes_in_one_line(self.problem_counts())

    def rows(self, metric: str | None = None) -> dict[str, list[Any]]:
        """Columns with one entry per sentence, as pandas and polars take them.

        `sentence` is the number in the source of gold, from 1; `status` is 0 if it is scored, 1 if it failed, 2 if it
        is in no figure. For PARSEVAL and functions `status` is that of EVALB.

        >>> import treescore
        >>> report = treescore.evaluate("(S (NN a))", "(S (NN a))", "parseval|profile:none")
        >>> report.rows()["matched"]
        [1]
        """
        made_by, score = self.find(metric)
        if not score.counts.has_rows:
            raise _without_rows(made_by)
        rows = made_by.rows(score.counts)
        if made_by.pairs_trees and isinstance(self.gold, Treebank) and len(self.gold):
            before = self.gold.number(0) - 1  # a slice keeps the numbers of its trees
            rows["sentence"] = [before + number for number in rows["sentence"]]
        if made_by.pairs_trees and getattr(self.gold, "ids", None) is not None:
            numbers = rows.pop("sentence")
            rows = {"sentence": numbers, "id": list(self.gold.ids), **rows}
        return rows

    def breakdown(self, by: str, metric: str | None = None) -> dict[str, dict[str, Part]]:
        """The figures of a metric by label or by length."""
        made_by, score = self.find(metric)
        groups = self._tally.groups(by)
        if groups is not None:
            return made_by.group_scores(by, groups[self.scores.index(score)], lost=score.lost)
        if not score.counts.has_rows:
            raise _without_rows(made_by)
        return made_by.breakdown(by, self.trees.of(made_by), score.counts)

    def breakdowns(self, by: str) -> dict[str, dict[str, dict[str, Part]]]:
        """The tables by label or by length of all metrics that have one, by signature; an error if none has one.

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
        from ..analysis.breakdowns import of_report

        return of_report(self, self.find(metric)[0], threads=threads, progress=progress)

    def node_mappings(
        self, metric: str | None = None, *, threads: int | None = None, progress: _core.Progress | None = None
    ) -> NodeMappings:
        """Which nodes of gold and test belong together, sentence by sentence, for metrics that align nodes."""
        from ..helpers.threads import count_threads

        workers = count_threads(threads, len(self.gold))
        return self.find(metric)[0].node_mappings(self.trees, threads=workers, progress=progress)

    def verdicts(
        self, metric: str | None = None, *, threads: int | None = None, progress: _core.Progress | None = None
    ) -> Verdicts:
        """What became of each node, sentence by sentence, for metrics that can say it (parseval and struct_iou)."""
        from ..helpers.threads import count_threads

        workers = count_threads(threads, len(self.gold))
        return self.find(metric)[0].verdicts(self.trees, threads=workers, progress=progress)

    def pair(self, index: int, metric: str | None = None) -> TreePair:
        """A sentence, by its place from 0, or from the end as in lists, with what became of each node.

        >>> import treescore
        >>> report = treescore.evaluate("(S (NP (NN a)))", "(S (VP (NN a)))", "struct_iou")
        >>> [(node.label, node.mark) for node in report.pair(0).nodes[1]]
        [('S', 'aligned'), ('VP', 'extra'), ('NN', 'aligned')]
        """
        from ..analysis.tree_pair import pair_at

        return pair_at(self.gold, self.test, index, self.find(metric)[0])

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
        """How sure each figure of a metric is: intervals by the bootstrap, `n` samples of sentences.

        With a `unit` such as "document" or "side", whole documents are drawn: those of the sentences' ids, or those
        named in `units`, which has an entry for each sentence of gold. `method` is "percentile" or "bca".

        >>> import treescore
        >>> report = treescore.evaluate(["(S (NN a))"] * 2, ["(S (NN a))", "(X (NN a))"], "parseval|profile:none")
        >>> found = report.intervals(seed=7)["f1"]
        >>> found.low, found.high, found.n, found.unit
        (0.0, 1.0, 1000, 'sentence')
        """
        from ..significance import intervals

        made_by, _ = self.find(metric)
        counts, drawn = self.sampled(metric, unit=unit, units=units)
        return intervals(made_by, counts, method=method, level=level, n=n, seed=seed, unit=drawn, threads=threads)

    def with_intervals(
        self,
        *,
        method: str = "percentile",
        level: float = 0.95,
        n: int = 1_000,
        seed: int = 1,
        unit: str | None = None,
        units: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> Self:
        """The same report with the intervals of all figures in each score; arguments as those of `intervals`."""
        from copy import copy

        made = copy(self)
        made.scores = [copy(score) for score in self.scores]
        for score in made.scores:
            score.intervals = self.intervals(
                score.signature, method=method, level=level, n=n, seed=seed, unit=unit, units=units, threads=threads
            )
        return made

    def sampled(
        self, metric: str | None = None, *, unit: str | None = None, units: Sequence[str] | None = None
    ) -> tuple[Counts, str]:
        """The rows from which samples are drawn, those of a unit added up, and what they are.

        >>> import treescore
        >>> trees = ["(S (NN a))", "(S (NN b))", "(S (NN c))"]
        >>> rows, unit = treescore.evaluate(trees, trees).sampled(units=["one", "one", "two"])
        >>> rows["gold"].tolist(), unit
        ([2, 1], 'document@2291547a')
        """
        from ..significance.units import by_unit

        made_by, score = self.find(metric)
        if not score.counts.has_rows:
            raise _without_rows(made_by)
        names, drawn = self.unit_names(metric, unit=unit, units=units)
        if names is None:
            return score.counts, drawn
        places = made_by.gold_sentences(score.counts) or ()
        return by_unit(score.counts, [names[min(place, len(names) - 1)] for place in places]), drawn

    def unit_names(
        self, metric: str | None = None, *, unit: str | None = None, units: Sequence[str] | None = None
    ) -> tuple[list[str] | None, str]:
        """The unit of each gold sentence, None where rows are drawn as they are; and what is drawn.

        Units that were given, and are not told by ids, are named by their hash as well: document@1a2b3c4d.
        """
        from ..significance.units import check_units, fingerprint, units_of_ids

        made_by, score = self.find(metric)
        rows = self.row_unit(made_by)
        one_by_one = (rows, "sentence") if rows == "block" else (rows,)
        if units is None and unit in (None, *one_by_one):
            return None, rows
        if units is not None and unit in ("sentence", *one_by_one):
            raise UsageError(f"units say which {unit}s belong together: the unit is what they make up, not {unit!r}")
        wanted = unit or "document"
        if rows not in ("sentence", "block") or made_by.gold_sentences(score.counts) is None:
            raise UsageError(f"the rows of {made_by.name} are {rows}s and cannot be added up to {wanted}s")
        if units is None:
            names, drawn = units_of_ids(getattr(self.gold, "ids", None), wanted), wanted
        else:
            names = check_units(units, len(self.gold))
            drawn = f"{wanted}@{fingerprint(names)}"
        if len(names) > 1 and len(set(names)) == 1:
            raise UsageError(
                f"all sentences belong to one {wanted}, {visible(names[0])!r}: there is nothing to draw from"
            )
        return names, drawn

    def row_unit(self, metric: Metric) -> str:
        """What a row of this metric is about: a sentence, or what else is scored as one."""
        own = metric.row_unit
        return str(self.settings.get("unit", own)) if own == "sentence" else own

    def find(self, metric: str | None = None) -> tuple[Metric, Score]:
        """A metric and its score, by name or signature; without one, the first."""
        score = self.scores[0] if metric is None else self[metric]
        return self.metrics[self.scores.index(score)], score

    @property
    def provenance(self) -> dict[str, Any]:
        """Version and inputs, with the hash of their content where they are files."""
        sizes = self.settings.get("trees") or [len(bank) or self.size for bank in (self.gold, self.test)]
        found: dict[str, Any] = {"treescore": __version__}
        for side, bank, size in zip(("gold", "test"), (self.gold, self.test), sizes, strict=True):
            found[side] = {"name": bank.source.name, "trees": size, "sha256": bank.source.sha256()}
        speech = {name: value for name, value in self.settings.items() if name != "trees"}
        return {**found, "speech": speech} if speech else found

    @property
    def lost_rows(self) -> int:
        """How many rows of the input could not be read, as far as is known."""
        return self._tally.lost_rows

    @property
    def lost_pieces(self) -> int:
        """How many pieces of the input could not be read."""
        return self._tally.lost_pieces

    def lost_line(self) -> str:
        """How much of the input could not be read; the rows of a file that cannot be read at all are unknown."""
        pieces, rows = number_of(self.lost_pieces, "piece"), number_of(self.lost_rows, "row")
        return f"{pieces} of the input not scored, with {rows} as far as is known"

    def to(self, form: str, *, by: str | None = None, per_sentence: bool = False, explain: Sequence[str] = ()) -> str:
        """The report as text: table, markdown, latex, csv, json, jsonl, html or evalb.

        `explain` names sentences whose scores are explained node by node in the forms table and json: by id or number,
        or the "worst", or "worst:5".

        >>> import treescore
        >>> report = treescore.evaluate("(S (NP (NN a)))", "(S (NP (NN a)))", "parseval|profile:none")
        >>> print(report.to("csv", by="label"), end="")
        label,f1,precision,recall,matched,gold,test
        NP,1.0,1.0,1.0,1,1,1
        S,1.0,1.0,1.0,1,1,1
        """
        return rendered(self, form, by=by, per_sentence=per_sentence, explain=explain)

    def __str__(self) -> str:
        return self.to("table")

    def __repr__(self) -> str:
        return f"<Report: {', '.join(f'{s.figures[s.main].title} {s.figures[s.main].shown()}' for s in self.scores)}>"

    def _repr_html_(self) -> str:
        return self.to("html")


def _without_rows(metric: Metric) -> UsageError:
    return UsageError(f"{metric.name} was scored part by part: there are only sums here, neither rows nor trees")
