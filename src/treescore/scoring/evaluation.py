"""evaluate() and compare(): the one path under the Python interface and the commands."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import combinations

from .. import _core, metrics as registry
from ..helpers.text import visible
from ..helpers.threads import count_threads
from ..metrics.base import Metric
from ..place.pair import Pair
from ..place.two_sides import check_readable, pair_up, read_sides, side_name
from ..readers.sources import are_conllu, is_text, read
from ..trees import Treebank
from ..values.problem import InputError, Problem, UsageError, check_choice
from .choosing import check_trees, choose, choose_for_conllu, listed
from .tally import score_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..analysis.tree_pair import TreePair
    from ..readers.dependency_bank import DependencyBank
    from ..readers.sources import Readable
    from ..significance import PairedTest
    from ..values.counts import Counts
    from ..values.score import Score
    from .choosing import Metrics
    from .comparisons import Summary
    from .report import Report


def evaluate(
    gold: Readable,
    test: Readable,
    metrics: Metrics | None = None,
    *,
    threads: int | None = None,
    layout: str = "auto",
    on_error: str = "keep",
    reconcile: bool = False,
    ci: bool | float | Mapping[str, Any] | None = False,
    progress: _core.Progress | None = None,
) -> Report:
    """Score test trees against gold trees.

    Both may be paths, strings, lists of strings or trees, `Treebank`s, nltk, stanza or supar trees, columns of a data
    frame. Without `metrics`, trees with times on both sides are scored by STRUCT-IOU, SParseval and word boundaries;
    others by PARSEVAL with the profile collins, and where words differ also by aligned PARSEVAL; CoNLL-U files by the
    metrics of Universal Dependencies.

    `reconcile` compares as if both sides followed the same conventions: outer brackets, escapes such as -LRB-, and what
    tags of punctuation delete make no difference. `threads` changes only the time, never the result. `on_error` says
    what becomes of trees that cannot be read: see `treescore.read`. `ci` asks for intervals: True, their level such as
    0.99, or the arguments of `Report.with_intervals`.

    >>> report = evaluate(["(S (NP (NN a)) (VP (VB b)))"], ["(S (NP (NN a)) (NP (VB b)))"])
    >>> round(report["parseval"].value, 4)
    0.6667
    >>> report["parseval"].counts.total()["matched"]
    2
    >>> evaluate(["(S (NN a))"] * 9, ["(S (NN a))"] * 9, ci={"seed": 7, "n": 200})["parseval"].interval.low
    1.0
    """
    if compare_conllu([("gold", gold), ("test", test)], metrics):
        _check_not_reconciled(reconcile)
        report = conllu_eval(gold, test, metric=choose_for_conllu(metrics), on_error=on_error)
    else:
        pair = read_pair(gold, test, metrics, layout=layout, on_error=on_error)
        report = score_pairs({"": pair}, metrics, reconcile=reconcile, threads=threads, progress=progress)[""]
    return report if ci is False or ci is None else report.with_intervals(**_interval_options(ci), threads=threads)


def compare_conllu(sources: Sequence[tuple[str, Readable]], metrics: Metrics | None) -> bool:
    """Are these to be compared as CoNLL-U: because of a metric, or because all of them are?"""
    if metrics is not None and any(registry.get(metric).reads == "conllu" for metric in listed(metrics)):
        return not any(isinstance(source, Treebank | list) for _, source in sources)
    return are_conllu(sources)


def _check_not_reconciled(reconcile: bool) -> None:
    if reconcile:
        raise UsageError("reconcile is for trees in brackets, and conllu_eval compares CoNLL-U")


def score_pairs(
    pairs: Mapping[str, Pair],
    metrics: Metrics | None = None,
    options: Mapping[str, str] | None = None,
    *,
    reconcile: bool = False,
    threads: int | None = None,
    progress: _core.Progress | None = None,
) -> dict[str, Report]:
    """Score systems, by their names, against the same gold trees: all of them by the same metrics.

    Without `metrics` they are chosen by the input; `options` hold where signatures are silent.
    """
    choice = choose(list(pairs.values()), metrics, options, names=list(pairs), reconcile=reconcile)
    reports = {}
    for name, pair in pairs.items():
        workers = count_threads(threads, len(pair))
        reports[name] = score_pair(choice.metrics, pair, threads=workers, progress=progress)
        reports[name].remarks += choice.remarks
    return reports


def _interval_options(ci: bool | float | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(ci, bool):
        return {}
    if isinstance(ci, int | float):
        return {"level": ci}
    known = ("method", "level", "n", "seed", "unit", "units")
    said = ci.keys() if hasattr(ci, "keys") else [ci]
    unknown = [name for name in said if name not in known]
    if unknown:
        raise UsageError(f"ci is True, a level such as 0.95, or a dict of {', '.join(known)}; not {unknown[0]!r}")
    return dict(ci)


def read_pair(
    gold: Readable,
    test: Readable,
    metrics: Metrics | None = None,
    *,
    layout: str = "auto",
    on_error: str = "keep",
    readable: bool = True,
) -> Pair:
    """Both sides as treebanks; see `paired`."""
    return paired(*read_sides(gold, test, layout=layout, on_error=on_error), metrics, readable=readable)


def paired(gold: Treebank, test: Treebank, metrics: Metrics | None = None, *, readable: bool = True) -> Pair:
    """The pair of both sides, whose sentences are paired by their ids.

    An error where the sides must be of the same size and are not, and if `readable` where not one of several trees
    could be read. Without metrics, which are then chosen by the pair, sizes may differ, but each side must have trees.
    """
    made = None if metrics is None else [registry.get(metric) for metric in listed(metrics)]
    check_trees(made or ())
    pairing = [metric for metric in made or () if metric.pairs_trees]
    pair = pair_up(gold, test, required=made is None or bool(pairing))
    if made is None:
        for bank, other in ((gold, test), (test, gold)):
            if len(bank) == 0 < len(other):
                raise InputError(Problem("empty", "there are no trees in it", file=bank.source.name))
    if pairing and len(pair.gold) != len(pair.test):
        from ..place.unequal import check_equal_number

        check_equal_number(pair.gold, pair.test, advice=unpaired_advice(pairing))
    if readable:
        check_readable(pair.gold)
        check_readable(pair.test)
    return pair


def unpaired_advice(metrics: Iterable[Metric]) -> str:
    """What to do if the sides differ in size, by metrics that need the same."""
    return "; ".join(filter(None, (metric.unpaired_advice for metric in metrics)))


def conllu_eval(
    gold: Readable | DependencyBank,
    test: Readable | DependencyBank,
    *,
    metric: str | Metric = "conllu_eval",
    multiple_roots: bool = False,
    empty_nodes: bool = True,
    on_error: str = "keep",
) -> Report:
    """Score a CoNLL-U file against another, as the CoNLL shared tasks on Universal Dependencies do.

    Both may be paths, text, open files or `DependencyBank`s. What cannot be read is a problem of the report, and the
    rest is scored; with `on_error="raise"` it is an `InputError`. Texts that differ always are one, unless the metric
    says otherwise: see `ConlluEval`.

    >>> gold = "1\\tgo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n"
    >>> conllu_eval(gold, gold.replace("go", "Go"), metric="conllu_eval|text:folded")["conllu_eval"].value
    1.0
    """
    from ..metrics.conllu_eval import ConlluEval
    from ..readers.conllu import read_conllu

    made = registry.get(metric)
    if not isinstance(made, ConlluEval):
        raise UsageError(f"{made.name} does not compare CoNLL-U files; use conllu_eval")
    gold_bank, test_bank = (
        read_conllu(
            source,
            on_error=on_error,
            name=name if isinstance(source, bytes) or (isinstance(source, str) and "\n" in source) else None,
            multiple_roots=multiple_roots,
            empty_nodes=empty_nodes,
            enhanced=made.enhanced,
        )
        for source, name in ((gold, "<gold>"), (test, "<test>"))
    )
    return score_pair([made], Pair(gold_bank, test_bank))


class Comparison:
    """Several systems against one gold: a report each, and where two of them differ."""

    def __init__(self, reports: Mapping[str, Report]) -> None:
        self.reports = dict(reports)

    def __getitem__(self, system: str) -> Report:
        return self.reports[system]

    def difference(self, a: str, b: str, metric: str | None = None) -> float | None:
        """Score of a minus score of b, over all sentences; None if either is undefined."""
        values = [self._score(system, metric).all for system in (a, b)]
        return None if values[0] is None or values[1] is None else values[0] - values[1]

    def test(
        self,
        a: str,
        b: str,
        metric: str | None = None,
        *,
        kind: str = "randomization",
        figure: str | None = None,
        n: int = 10_000,
        seed: int = 1,
        level: float = 0.95,
        unit: str | None = None,
        units: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> PairedTest:
        """Is the difference of two systems more than chance? A paired "randomization" test, or the "bootstrap".

        Failed sentences count: the test compares figures over all sentences. `figure` names another figure than the
        main one; `unit` and `units` are those of `Report.intervals`. The
        bootstrap also gives the interval of the difference, of this `level`.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> both = compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"})
        >>> both.test("A", "B").p
        1.0
        """
        from ..significance import paired
        from ..significance.intervals import check_level

        check_choice(kind, "kind", paired.KINDS)
        check_level(level)
        made_by, _ = self._report(a).find(metric)
        one, other, drawn = self.paired_rows(a, b, metric, unit=unit, units=units)
        if kind == "randomization":
            return paired.paired_randomization(
                made_by, one, other, figure=figure, n=n, seed=seed, unit=drawn, threads=threads
            )
        return paired.paired_bootstrap(
            made_by, one, other, figure=figure, n=n, seed=seed, level=level, unit=drawn, threads=threads
        )

    def paired_rows(
        self,
        a: str,
        b: str,
        metric: str | None = None,
        *,
        unit: str | None = None,
        units: Sequence[str] | None = None,
    ) -> tuple[Counts, Counts, str]:
        """The rows of two systems that belong together, and what a row is.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> one, other, unit = compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"}).paired_rows("A", "B")
        >>> one["test"].tolist(), other["test"].tolist(), unit
        ([2, 1], [1, 1], 'sentence')
        """
        signature = self._score(a, metric).signature
        reports = self._report(a), self._report(b)
        made_by, _ = reports[0].find(signature)
        if made_by.row_unit == "block":
            names, drawn = reports[0].unit_names(signature, unit=unit, units=units)
            one, other = _common_blocks(made_by, reports[0][signature].counts, reports[1][signature].counts, names)
        else:
            (one, drawn), (other, _) = (report.sampled(signature, unit=unit, units=units) for report in reports)
        return one, other, drawn

    def tests(
        self, metric: str | None = None, *, baseline: str | None = None, **options: Any
    ) -> dict[tuple[str, str], PairedTest]:
        """All pairs of systems, or each against the baseline, with p-values corrected for their number (Holm).

        The options are those of `test`.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> both = compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))", "C": gold})
        >>> [(pair, found.adjusted) for pair, found in both.tests().items()]
        [(('A', 'B'), 1.0), (('A', 'C'), 1.0), (('B', 'C'), 1.0)]
        """
        from ..significance import holm

        if baseline is None:
            pairs = list(combinations(self.reports, 2))
        else:
            self._report(baseline)
            pairs = [(name, baseline) for name in self.reports if name != baseline]
        found = {pair: self.test(*pair, metric, **options) for pair in pairs}
        adjusted = holm([test.p for test in found.values()])
        return {pair: test.replace(adjusted=p) for (pair, test), p in zip(found.items(), adjusted, strict=True)}

    def summary(self, **options: Any) -> Summary:
        """All systems by all metrics: scores, intervals, and a test of each pair; see `comparisons.summary`.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"}).summary(n=100).metrics[0].systems[1].letters
        'a'
        """
        from .comparisons import summary

        return summary(self, **options)

    def wins(self, a: str, b: str, metric: str | None = None) -> dict[str, int]:
        """On how many sentences a is better, b is better, both are equal, or one of them has no figure.

        A sentence that failed counts as wrong, not as undefined.

        >>> both = compare("(S (NP (NN a)) (X (NN b)))", {"A": "(S (NP (NN a)) (X (NN b)))", "B": "(S (NN a) (NN b))"})
        >>> both.wins("A", "B")
        {'A': 1, 'B': 0, 'equal': 0, 'undefined': 0}
        """
        for name in (a, b):
            if name in ("equal", "undefined"):
                raise UsageError(f"a system is called {name!r}, as one of the outcomes is: use `outcomes`")
        return dict(zip((a, b, "equal", "undefined"), self.outcomes(a, b, metric), strict=True))

    def outcomes(self, a: str, b: str, metric: str | None = None) -> tuple[int, int, int, int]:
        """The numbers of `wins` without the names.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> compare(gold, {"equal": gold, "B": "(S (NN a))\\n(S (NN b))"}).outcomes("equal", "B")
        (1, 0, 1, 0)
        """
        from ..significance.effects import outcomes

        made_by, _ = self._report(a).find(metric)
        scores = self._score(a, metric), self._score(b, metric)
        totals = [score.counts.total() for score in scores]
        name = made_by.deciding(scores[0].main, *totals)
        rows = zip(*([made_by.figure(row, name) for row in score.counts.rows()] for score in scores), strict=True)
        return outcomes(
            [
                None if one is None or other is None else made_by.goodness(name, one) - made_by.goodness(name, other)
                for one, other in rows
            ]
        )

    def differences(self, a: str, b: str, *others: str, metric: str | None = None) -> list[tuple[Any, ...]]:
        """Where systems differ: the places of sentences, from 0, with the score of each system, most different first.

        A sentence that failed scores 0. Sentences on which only some systems have a score come last.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> both = compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"})
        >>> [(index, round(first, 2), round(second, 2)) for index, first, second in both.differences("A", "B")]
        [(0, 1.0, 0.67)]
        """
        figures = [self._sentence_figures(system, metric) for system in (a, b, *others)]
        found = [(index, *scores) for index, scores in enumerate(zip(*figures, strict=True)) if len(set(scores)) > 1]
        return sorted(found, key=lambda row: (None in row, -_spread(row[1:])))

    def pairs(self, index: int, metric: str | None = None) -> dict[str, TreePair]:
        """A sentence, by its place from 0, of each system, with what became of each node."""
        return {name: report.pair(index, metric) for name, report in self.reports.items()}

    def _score(self, system: str, metric: str | None) -> Score:
        report = self._report(system)
        return report.scores[0] if metric is None else report[metric]

    def _report(self, system: str) -> Report:
        if system not in self.reports:
            known = ", ".join(repr(visible(name)) for name in self.reports)
            raise UsageError(f"there is no system {visible(system)!r}: there are {known}")
        return self.reports[system]

    def _sentence_figures(self, system: str, metric: str | None) -> Sequence[float | None]:
        report = self._report(system)
        score = self._score(system, metric)
        made_by = report.metrics[report.scores.index(score)]
        return score.counts.with_failed(report.rows(metric)[made_by.row_figure])

    def _repr_html_(self) -> str:
        if len(self.reports) > 1:
            return self.summary(n=1_000).to("html")  # shown unasked: it should not take long
        return "".join(report.to("html") for report in self.reports.values())

    def __repr__(self) -> str:
        return f"<Comparison: {', '.join(f'{name} {report!r}' for name, report in self.reports.items())}>"


def _common_blocks(metric: Metric, one: Counts, other: Counts, names: Sequence[str] | None) -> tuple[Counts, Counts]:
    """Blocks of sentences added up to those that both systems have: where one joins sentences, others may not.

    With `names` of documents, these are added up, and documents that such a block spans are one.
    """
    from bisect import bisect_right

    from ..significance.units import by_unit, units_of_blocks

    firsts = [metric.gold_sentences(counts) or () for counts in (one, other)]
    starts = sorted({0} | (set(firsts[0]) & set(firsts[1])))
    keys = [str(start) for start in starts] if names is None else units_of_blocks(names, starts)
    found = [[keys[bisect_right(starts, place) - 1] for place in places] for places in firsts]
    if list(dict.fromkeys(found[0])) != list(dict.fromkeys(found[1])):
        raise UsageError("the rows of these systems are about different sentences and cannot be compared")
    return by_unit(one, found[0]), by_unit(other, found[1])


def _spread(scores: Sequence[float | None]) -> float:
    known = [score for score in scores if score is not None]
    return max(known, default=0.0) - min(known, default=0.0)


def compare(
    gold: Readable,
    systems: Mapping[str, Readable] | Sequence[Readable],
    metrics: Metrics | None = None,
    *,
    threads: int | None = None,
    layout: str = "auto",
    on_error: str = "keep",
    reconcile: bool = False,
) -> Comparison:
    """Score several systems against the same gold trees; gold is read once.

    Without `metrics` they are chosen as `evaluate` chooses them, and are the same for all systems; `reconcile` is that
    of `evaluate`.
    """
    if isinstance(systems, str | bytes | os.PathLike | Treebank):
        raise TypeError("compare takes several systems: a list, or a dict with their names")
    named: Mapping[str, Readable]
    named = systems if isinstance(systems, Mapping) else {_name(s, n): s for n, s in enumerate(systems, 1)}
    if len(named) < len(systems):
        raise ValueError("two systems have the same name; give a dict with names of your own")
    if compare_conllu([("gold", gold), *named.items()], metrics):
        _check_not_reconciled(reconcile)
        return _compare_conllu(gold, named, choose_for_conllu(metrics), on_error)
    gold_bank = read(gold, layout=layout, on_error=on_error, name=side_name(gold, "<gold>"))
    pairs = {
        name: read_pair(gold_bank, system, metrics, layout=layout, on_error=on_error) for name, system in named.items()
    }
    return Comparison(score_pairs(pairs, metrics, reconcile=reconcile, threads=threads))


def _compare_conllu(gold: Any, systems: Mapping[str, Readable], metric: Metric, on_error: str) -> Comparison:
    from ..scoring.evaluation import conllu_eval

    reports: dict[str, Report] = {}
    for name, system in systems.items():
        reports[name] = conllu_eval(gold, system, metric=metric, on_error=on_error)
        gold = reports[name].gold
    return Comparison(reports)


def _name(system: Readable, number: int) -> str:
    if isinstance(system, os.PathLike):
        return os.fspath(system)
    return system if isinstance(system, str) and not is_text(system) else f"system {number}"
