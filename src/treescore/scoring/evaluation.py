"""evaluate() and compare(), which the Python interface and the commands share."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import combinations

from .. import _core, metrics as registry
from ..helpers.text import visible
from ..helpers.threads import count_threads
from ..metrics.base import Metric
from ..metrics.policy import PolicyMetric
from ..place.pair import Pair
from ..place.two_sides import check_readable, pair_up, read_sides, side_name
from ..place.unequal import check_equal_number
from ..readers.sources import are_conllu, is_text, read
from ..trees import Treebank
from ..values.problem import InputError, Problem, UsageError, check_choice
from .choosing import check_trees, choose, choose_for_conllu, configured, listed
from .tally import score_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
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
    alignment: Iterable[Any] | None = None,
    progress: _core.Progress | None = None,
    references: Sequence[Readable] = (),
) -> Report:
    """Score test trees against gold trees.

    Both may be paths, strings, lists of strings or trees, `Treebank`s, nltk, stanza or supar trees, or columns of a
    data frame. Without `metrics`, trees with times on both sides are scored by STRUCT-IOU, SParseval and word
    boundaries; others by PARSEVAL with the profile collins, and also by aligned PARSEVAL if words differ; CoNLL-U files
    by the metrics of Universal Dependencies.

    `reconcile` compares as if both sides followed the same conventions for outer brackets, escapes such as -LRB-, and
    deleted punctuation. `threads` changes only the time, never the result. `on_error` is the handling of trees that
    cannot be read: see `treescore.read`. `ci` requests confidence intervals: True, their level such as 0.99, or the
    arguments of `Report.intervals`. `alignment` is for metrics with words:aligned: for each sentence the pairs
    (gold word, test word), numbered from 0.

    `references` are more gold trees for the same sentences, each of them like `gold`. A sentence is then scored against
    its best gold tree, or with `reference-by:mean` in a metric against all of them. `gold` may also be a list with a
    list of strings for each sentence.

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
        _check_no_references(references)
        report = conllu_eval(gold, test, metric=choose_for_conllu(metrics), on_error=on_error)
    else:
        if references:
            gold = read_gold(gold, references, layout=layout, on_error=on_error)
        pair = read_pair(gold, test, metrics, layout=layout, on_error=on_error)
        if alignment is not None:
            pair = with_alignment(pair, alignment, metrics)
        report = score_pairs({"": pair}, metrics, reconcile=reconcile, threads=threads, progress=progress)[""]
    return report if ci is False or ci is None else report.with_intervals(**_interval_options(ci), threads=threads)


def compare_conllu(sources: Sequence[tuple[str, Readable]], metrics: Metrics | None) -> bool:
    """Are the inputs compared as CoNLL-U, because a metric reads it or because all of them have this format?"""
    if metrics is not None and any(registry.get(metric).reads == "conllu" for metric in listed(metrics)):
        return not any(isinstance(source, Treebank | list) for _, source in sources)
    return are_conllu(sources)


def with_alignment(
    pair: Pair, alignment: Iterable[Any], metrics: Metrics | None, options: Mapping[str, str] | None = None
) -> Pair:
    """The pair with words that are aligned, for metrics with words:aligned."""
    from ..place.word_partners import aligned

    made = [registry.get(metric) for metric in configured(metrics or "parseval", options)]
    if not any(isinstance(metric, PolicyMetric) and metric.recipe.words == "aligned" for metric in made):
        raise UsageError("an alignment of words has no effect without words:aligned, as in parseval|profile:av-nsl")
    if pair.gold.references:
        raise UsageError("an alignment of words is about one gold tree per sentence; leave out the references")
    return Pair(pair.gold, aligned(pair.gold, pair.test, alignment))


def _check_no_references(references: Sequence[Readable]) -> None:
    if references:
        raise UsageError("conllu_eval takes one gold file, and no references")


def read_gold(
    gold: Readable, references: Sequence[Readable] = (), reader: Callable[..., Treebank] = read, **options: Any
) -> Treebank:
    """The gold trees, with the trees of other files for the same sentences; the `reader` takes the `options`."""
    bank = reader(gold, name=side_name(gold, "<gold>"), **options)
    if references == ():
        return bank
    if isinstance(references, str | bytes | os.PathLike | Treebank):
        references = [references]
    if not references:
        return bank
    from ..place.references import with_references

    others = []
    for number, source in enumerate(references, 2):
        name = side_name(source, f"<reference {number}>")
        others.append(reader(source, name=name, **options))
        check_readable(others[-1])
    return with_references(bank, others)


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
    """Score systems, by name, against the same gold trees, all by the same metrics.

    The default metrics depend on the input; `options` apply to signatures that do not have them.
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
    names = ci.keys() if hasattr(ci, "keys") else [ci]
    unknown = [name for name in names if name not in known]
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
    """The pair of both sides, with sentences paired by their ids.

    It is an error if sides that must have the same size do not, and with `readable`, if none of several trees could be
    read. Without metrics, which are then chosen by the input, sizes may differ, but each side must have trees.
    """
    chosen = None if metrics is None else [registry.get(metric) for metric in listed(metrics)]
    check_trees(chosen or ())
    if test.references:
        raise UsageError(f"{test.source.name} has several trees per sentence, which only gold can have")
    pairing = [metric for metric in chosen or () if metric.pairs_trees]
    pair = pair_up(gold, test, required=chosen is None or bool(pairing))
    if chosen is None:
        for bank, other in ((gold, test), (test, gold)):
            if len(bank) == 0 < len(other):
                raise InputError(Problem("empty", "there are no trees in it", file=bank.source.name))
    if pairing and len(pair.gold) != len(pair.test):
        check_equal_number(pair.gold, pair.test, advice=unpaired_advice(pairing))
    if readable:
        check_readable(pair.gold)
        check_readable(pair.test)
    return pair


def unpaired_advice(metrics: Iterable[Metric]) -> str:
    """Advice for sides that differ in size, from metrics that pair trees."""
    return "; ".join(filter(None, dict.fromkeys(metric.unpaired_advice for metric in metrics)))


def conllu_eval(
    gold: Readable | DependencyBank,
    test: Readable | DependencyBank,
    *,
    metric: str | Metric = "conllu_eval",
    multiple_roots: bool = False,
    empty_nodes: bool = True,
    on_error: str = "keep",
) -> Report:
    """Score a CoNLL-U file against another like the CoNLL shared tasks on Universal Dependencies.

    Both may be paths, text, open files or `DependencyBank`s. Sentences that cannot be read are problems of the report,
    and the others are scored; with `on_error="raise"`, they are an `InputError`. Texts that differ are always an
    `InputError`, unless the metric allows it: see `ConlluEval`.

    >>> gold = "1\\tgo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n"
    >>> conllu_eval(gold, gold.replace("go", "Go"), metric="conllu_eval|text:folded")["conllu_eval"].value
    1.0
    """
    from ..metrics.conllu_eval import ConlluEval
    from ..readers.conllu import read_conllu

    scorer = registry.get(metric)
    if not isinstance(scorer, ConlluEval):
        raise UsageError(f"{scorer.name} does not compare CoNLL-U files; use conllu_eval")
    gold_bank, test_bank = (
        read_conllu(
            source,
            on_error=on_error,
            name=name if isinstance(source, bytes) or (isinstance(source, str) and "\n" in source) else None,
            multiple_roots=multiple_roots,
            empty_nodes=empty_nodes,
            enhanced=scorer.enhanced,
        )
        for source, name in ((gold, "<gold>"), (test, "<test>"))
    )
    return score_pair([scorer], Pair(gold_bank, test_bank))


class Comparison:
    """Several systems against the same gold trees: their reports and differences."""

    def __init__(self, reports: Mapping[str, Report]) -> None:
        self.reports = dict(reports)

    def __getitem__(self, system: str) -> Report:
        return self.reports[system]

    def difference(self, a: str, b: str, metric: str | None = None) -> float | None:
        """The score of a minus the score of b, over all sentences; None if either is undefined."""
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
        """Test whether the difference of two systems is significant: a paired "randomization" test or the "bootstrap".

        Failed sentences count: the test compares figures over all sentences. `figure` names a figure other than the
        main one; `unit` and `units` are as in `Report.intervals`. The bootstrap also gives the confidence interval of
        the difference, at this `level`.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> both = compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"})
        >>> both.test("A", "B").p
        1.0
        """
        from ..significance import paired
        from ..significance.intervals import check_level

        check_choice(kind, "kind", paired.KINDS)
        check_level(level)
        scorer, _ = self._report(a).find(metric)
        first, second, sampled_unit = self.paired_rows(a, b, metric, unit=unit, units=units)
        if kind == "randomization":
            return paired.paired_randomization(
                scorer, first, second, figure=figure, n=n, seed=seed, unit=sampled_unit, threads=threads
            )
        return paired.paired_bootstrap(
            scorer, first, second, figure=figure, n=n, seed=seed, level=level, unit=sampled_unit, threads=threads
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
        """The corresponding rows of two systems, and their unit.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> one, other, unit = compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"}).paired_rows("A", "B")
        >>> one["test"].tolist(), other["test"].tolist(), unit
        ([2, 1], [1, 1], 'sentence')
        """
        signature = self._score(a, metric).signature
        reports = self._report(a), self._report(b)
        scorer, _ = reports[0].find(signature)
        if scorer.row_unit == "block":
            names, sampled_unit = reports[0].unit_names(signature, unit=unit, units=units)
            first, second = _common_blocks(scorer, reports[0][signature].counts, reports[1][signature].counts, names)
        else:
            (first, sampled_unit), (second, _) = (
                report.sampled(signature, unit=unit, units=units) for report in reports
            )
        return first, second, sampled_unit

    def tests(
        self, metric: str | None = None, *, baseline: str | None = None, **options: Any
    ) -> dict[tuple[str, str], PairedTest]:
        """Tests of all pairs of systems, or of each against the baseline, with p-values corrected by Holm's method.

        The options are as in `test`.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> both = compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))", "C": gold})
        >>> [(pair, test.adjusted) for pair, test in both.tests().items()]
        [(('A', 'B'), 1.0), (('A', 'C'), 1.0), (('B', 'C'), 1.0)]
        """
        from ..significance import holm

        if baseline is None:
            pairs = list(combinations(self.reports, 2))
        else:
            self._report(baseline)
            pairs = [(name, baseline) for name in self.reports if name != baseline]
        tests = {pair: self.test(*pair, metric, **options) for pair in pairs}
        adjusted = holm([test.p for test in tests.values()])
        return {pair: test.replace(adjusted=p) for (pair, test), p in zip(tests.items(), adjusted, strict=True)}

    def summary(self, **options: Any) -> Summary:
        """All systems by all metrics: scores, intervals, and a test of each pair; see `comparisons.summary`.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"}).summary(n=100).metrics[0].systems[1].letters
        'a'
        """
        from .comparisons import summary

        return summary(self, **options)

    def wins(self, a: str, b: str, metric: str | None = None) -> dict[str, int]:
        """The numbers of sentences on which a is better, b is better, both are equal, or either has no figure.

        A sentence that failed counts as wrong, not as undefined.

        >>> both = compare("(S (NP (NN a)) (X (NN b)))", {"A": "(S (NP (NN a)) (X (NN b)))", "B": "(S (NN a) (NN b))"})
        >>> both.wins("A", "B")
        {'A': 1, 'B': 0, 'equal': 0, 'undefined': 0}
        """
        for name in (a, b):
            if name in ("equal", "undefined"):
                raise UsageError(f"the name of a system is {name!r}, like that of an outcome: use `outcomes`")
        return dict(zip((a, b, "equal", "undefined"), self.outcomes(a, b, metric), strict=True))

    def outcomes(self, a: str, b: str, metric: str | None = None) -> tuple[int, int, int, int]:
        """The numbers of `wins` without their names.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> compare(gold, {"equal": gold, "B": "(S (NN a))\\n(S (NN b))"}).outcomes("equal", "B")
        (1, 0, 1, 0)
        """
        from ..significance.effects import outcomes

        scorer, _ = self._report(a).find(metric)
        scores = self._score(a, metric), self._score(b, metric)
        totals = [score.counts.total() for score in scores]
        name = scorer.deciding(scores[0].main, *totals)
        rows = zip(*([scorer.figure(row, name) for row in score.counts.rows()] for score in scores), strict=True)
        return outcomes(
            [
                None
                if first is None or second is None
                else scorer.goodness(name, first) - scorer.goodness(name, second)
                for first, second in rows
            ]
        )

    def differences(self, a: str, b: str, *others: str, metric: str | None = None) -> list[tuple[Any, ...]]:
        """The sentences on which systems differ: index from 0 and score of each system, largest difference first.

        Failed sentences score 0. Sentences on which only some systems have a score come last.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> both = compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"})
        >>> [(index, round(first, 2), round(second, 2)) for index, first, second in both.differences("A", "B")]
        [(0, 1.0, 0.67)]
        """
        figures = [self._sentence_figures(system, metric) for system in (a, b, *others)]
        differing = [
            (index, *scores) for index, scores in enumerate(zip(*figures, strict=True)) if len(set(scores)) > 1
        ]
        return sorted(differing, key=lambda row: (None in row, -_spread(row[1:])))

    def frame(self, kind: str = "pandas", what: str = "rows", metric: str | None = None) -> Any:
        """The frames of all systems as one, with the name of the system in the first column; see `Report.frame`.

        >>> gold = "(S (X (NN a)))\\n(S (NN b))"
        >>> compare(gold, {"A": gold, "B": "(S (NN a))\\n(S (NN b))"}).frame()[["system", "sentence", "matched"]]
          system  sentence  matched
        0      A         1        2
        1      A         2        1
        2      B         1        1
        3      B         2        1
        """
        from .frames import comparison_frame

        return comparison_frame(self.reports, kind, what, metric)

    def pairs(self, index: int, metric: str | None = None) -> dict[str, TreePair]:
        """A sentence, by its index from 0, for each system, with the outcome of each node."""
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
        scorer = report.metrics[report.scores.index(score)]
        return score.counts.with_failed(report.rows(metric)[scorer.row_figure])

    def _repr_html_(self) -> str:
        if len(self.reports) > 1:
            return self.summary(n=1_000).to("html")  # shown by notebooks: it should not take long
        return "".join(report.to("html") for report in self.reports.values())

    def __repr__(self) -> str:
        return f"<Comparison: {', '.join(f'{name} {report!r}' for name, report in self.reports.items())}>"


def _common_blocks(metric: Metric, first: Counts, second: Counts, names: Sequence[str] | None) -> tuple[Counts, Counts]:
    """The sums over the smallest blocks of sentences that both systems share.

    With `names` of documents, the sums over documents; documents that share a block are joined.
    """
    from bisect import bisect_right

    from ..significance.units import by_unit, units_of_blocks

    begins = [metric.gold_sentences(counts) or () for counts in (first, second)]
    starts = sorted({0} | (set(begins[0]) & set(begins[1])))
    keys = [str(start) for start in starts] if names is None else units_of_blocks(names, starts)
    keys_of_rows = [[keys[bisect_right(starts, place) - 1] for place in places] for places in begins]
    if list(dict.fromkeys(keys_of_rows[0])) != list(dict.fromkeys(keys_of_rows[1])):
        raise UsageError("the rows of these systems are about different sentences and cannot be compared")
    return by_unit(first, keys_of_rows[0]), by_unit(second, keys_of_rows[1])


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
    references: Sequence[Readable] = (),
) -> Comparison:
    """Score several systems against the same gold trees; gold is read once.

    The default metrics, which are the same for all systems, `reconcile` and `references` are as in `evaluate`.
    """
    if isinstance(systems, str | bytes | os.PathLike | Treebank):
        raise TypeError("compare takes several systems: a list, or a dict with their names")
    by_name: Mapping[str, Readable]
    by_name = systems if isinstance(systems, Mapping) else {_name(s, n): s for n, s in enumerate(systems, 1)}
    if len(by_name) < len(systems):
        raise ValueError("two systems have the same name; give a dict with different names")
    if compare_conllu([("gold", gold), *by_name.items()], metrics):
        _check_not_reconciled(reconcile)
        _check_no_references(references)
        return _compare_conllu(gold, by_name, choose_for_conllu(metrics), on_error)
    gold_bank = read_gold(gold, references, layout=layout, on_error=on_error)
    banks = {
        name: read_sides(gold_bank, system, layout=layout, on_error=on_error)[1] for name, system in by_name.items()
    }
    pairs = paired_systems(gold_bank, banks, metrics)
    return Comparison(score_pairs(pairs, metrics, reconcile=reconcile, threads=threads))


def paired_systems(gold: Treebank, systems: Mapping[str, Treebank], metrics: Metrics | None = None) -> dict[str, Pair]:
    """The pair of each system with gold; without traces for all of them if one is a language model.

    Otherwise they would be compared with different gold trees: models do not print traces. Completions that were not
    read alike cannot be compared.
    """
    policies = {bank.completions.policy: name for name, bank in systems.items() if bank.completions is not None}
    if len(policies) > 1:
        (policy, name), (other_policy, other) = list(policies.items())[:2]
        message = f"the completions of {visible(name)} and {visible(other)} were not read alike"
        raise UsageError(f"{message} ({policy}, {other_policy}); their scores cannot be compared")
    if policies:
        from ..words.other_leaves import without_traces

        gold = without_traces(gold)
        systems = {name: without_traces(bank) if bank.completions is None else bank for name, bank in systems.items()}
    return {name: paired(gold, bank, metrics) for name, bank in systems.items()}


def _compare_conllu(gold: Any, systems: Mapping[str, Readable], metric: Metric, on_error: str) -> Comparison:
    reports: dict[str, Report] = {}
    for name, system in systems.items():
        reports[name] = conllu_eval(gold, system, metric=metric, on_error=on_error)
        gold = reports[name].gold
    return Comparison(reports)


def _name(system: Readable, number: int) -> str:
    if isinstance(system, os.PathLike):
        return os.fspath(system)
    return system if isinstance(system, str) and not is_text(system) else f"system {number}"
