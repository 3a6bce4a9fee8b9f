"""PARSEVAL: labelled and unlabelled brackets, as EVALB counts them.

>>> import treescore
>>> gold = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")
>>> test = treescore.read("(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))")
>>> metric = Parseval("none")
>>> counts = metric.counts(treescore.Pair(gold, test))
>>> {name: counts.total()[name] for name in ("matched", "gold", "test", "crossing")}
{'matched': 1, 'gold': 3, 'test': 3, 'crossing': 1}
>>> metric.score(counts)
<Score Labelled F1 = 33.33 parseval|labels:yes|profile:none|v:0.2.0.dev0>
"""

from __future__ import annotations

from functools import cached_property

from .. import _core
from ..helpers.text import decode
from ..pairing.node_mapping import NodeMappings, Verdicts
from ..place.pair import Pair
from ..profiles import STOPS, Stop
from ..recipe import LABELS, RECIPE_OPTIONS
from ..values.counts import Counts
from ..values.problem import FAILED, LEFT_OUT, Problem
from ..values.score import Part
from .options import PRM, PROFILE
from .policy import PolicyMetric, cause_hint
from .ratios import Ratio, mean, rates, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..place.placed import Columns
    from ..recipe import Compiled
    from .overview import Overview

RATES = ("f1", "precision", "recall")


class Parseval(PolicyMetric):
    """Bracket scores with the options of a profile or a parameter file; further arguments change some of them."""

    name = "parseval"
    cites = ("black-etal-1991-procedure", "sekine-collins-1997-evalb")
    options = (LABELS, PROFILE, PRM, *(option for option in RECIPE_OPTIONS if option is not LABELS))
    default_profile = "collins"
    maps_nodes = judges_nodes = True
    row_figure = "f1"
    group_figures = RATES
    status_note = "status: 0 scored, 1 error, 2 skipped, as in EVALB"
    error_amounts = ("average_crossing",)
    all_columns = PolicyMetric.all_columns | {
        "words": {"words_all": 1},
        "crossing": {"crossing": 1, "test_all": 1, "test": -1},  # all brackets of a failed sentence count as crossing
        **{f"sentences_with_{rate}": {f"sentences_with_{rate}": 1, "failed": 1} for rate in RATES},
    }
    unpaired_advice = (
        "texts whose sentences differ are scored by treescore GOLD TEST -m 'aligned_parseval|profile:collins'"
    )

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        rules = self.compiled(pair).rules
        return Counts.of_rows(_core.parseval_rows(pair.gold.native, pair.test.native, rules, threads, progress))

    @property
    def takes_discontinuous(self) -> bool:  # type: ignore[override]
        return self.recipe.words != "aligned"

    def compiled(self, pair: Pair) -> Compiled:
        compiled = super().compiled(pair)
        if self.recipe.words == "aligned":
            from ..place.word_partners import word_partners

            partners = word_partners(pair)
            compiled.partners = None if partners is None else (pair.gold.native, pair.test.native, partners)
        return compiled

    @property
    def main(self) -> str:
        return "sentence_f1" if self.recipe.average == "sentence" else "f1"

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        rule = self.recipe.undefined
        figures = super().figures(total)
        if rule == "either" and not (total["gold"] and total["test"]):
            for name in [f"{prefix}f1" for prefix in ("", "unlabelled_") if f"{prefix}f1" in figures]:
                figures[name] = figures[name].undefined()
        if rule in ("zero", "zero-shares"):
            for name, part in figures.items():
                is_exempt = name.startswith("sentence_") or (name.endswith("f1") and rule == "zero-shares")
                if part.value is None and not is_exempt:
                    figures[name] = Part(part.title, 0.0, above=0, below=0, percent=part.percent)
        return figures

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        ratios = bracket_ratios(labelled=self.recipe.labels)
        for rate, title in zip(RATES, ("F1", "precision", "recall"), strict=True):
            ratios[f"sentence_{rate}"] = mean(f"Mean of sentence {title}", f"sentence_{rate}", f"sentences_with_{rate}")
        ratios["exact"] = share("Exact match", "exact", "valid")
        if self.recipe.labels:
            ratios["unlabelled_exact"] = share("Unlabelled exact match", "unlabelled_exact", "valid")
        if self.recipe.words != "aligned":  # tags and crossing are then not compared
            ratios |= {"tag_accuracy": share("Tag accuracy", "tags", "words"), **crossing_ratios("valid")}
        return ratios

    def ratio(self, name: str) -> Ratio | None:
        is_only_ratio = self.recipe.undefined == "none" or name.startswith("sentence_")
        return super().ratio(name) if is_only_ratio else None

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        rates = {rate: f"sentence_{rate}" for rate in RATES}
        rows = {**self.row_columns(counts, **rates), "status": list(counts["status"])}
        for name in ("matched", "gold", "test", "unlabelled", "crossing", "words", "tags", *counts.columns):
            if not name.startswith("sentence"):
                rows[name] = list(counts[name])
        return rows

    def row_scores(self, counts: Counts) -> list[float | None]:
        return self.row_values(counts, f"sentence_{self.row_figure}")

    def verdicts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Verdicts:
        rules = self.compiled(pair).rules
        return Verdicts(_core.parseval_verdicts(pair.gold.native, pair.test.native, rules, threads, progress))

    def positions(self, pair: Pair) -> Columns:
        return _core.parseval_positions(pair.gold.native, pair.test.native, self.compiled(pair).rules)

    def node_mappings(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> NodeMappings:
        return self.verdicts(pair, threads=threads, progress=progress).node_mappings()

    def remarks(self, overview: Overview) -> list[Problem]:
        if self._stop is None or not overview.total["sentences"]:
            return self.prm_problems()
        reasons = self._stop.reasons(overview.total, {*overview.names(0), *overview.names(1)})
        return [Problem("original", f"the program behind {self.profile} {reason}") for reason in reasons]

    @property
    def _stop(self) -> Stop | None:
        return STOPS.get(self.profile or "") if self._is_whole_profile else None

    @cached_property
    def _is_whole_profile(self) -> bool:
        return self.recipe == self.base

    @cached_property
    def compares_names(self) -> bool:  # type: ignore[override]
        return self._stop is not None and self._stop.needs_labels

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        problems = pair_problems(self, pair, counts)
        if self.recipe.words == "aligned":
            from ..place.word_partners import alignment_problems

            problems += alignment_problems(pair)
        return problems

    def label_sums(self, pair: Pair) -> dict[str, dict[str, int]]:
        compiled = self.compiled(pair)
        table = _core.parseval_by_label(pair.gold.native, pair.test.native, compiled.rules)
        return {compiled.labels[key]: sums for key, sums in table}

    def label_figures(self, sums: Mapping[str, int]) -> dict[str, Part]:
        return label_figures(**sums, labelled=self.recipe.labels)


def crossing_ratios(number: str, unit: str = "sentence") -> dict[str, Ratio]:
    """The figures of crossing brackets; `number` is the column with the number of sentences, or of other units."""
    return {
        "average_crossing": share("Average crossing", "crossing", number, percent=False),
        "no_crossing": share("No crossing", "no_crossing", number, unit=unit),
        "two_or_less_crossing": share("2 or less crossing", "two_or_less_crossing", number, unit=unit),
    }


def pair_problems(metric: PolicyMetric, pair: Pair, counts: Counts) -> list[Problem]:
    """A problem for each pair of trees whose brackets could not be compared."""
    problems: list[Problem] = []
    total = counts.total()
    if not total["failed"] and not total["excluded"]:
        return problems
    why = _core.ParsevalReason
    excluded = counts["excluded"]
    for index, (reason, failed) in enumerate(zip(counts["reason"], counts["failed"], strict=True)):
        if not failed or reason == why.TEST_FAULT:
            # The reader has reported trees that cannot be read. Sentences that the recipe leaves out are not problems,
            # unless `keep` leaves nothing of the gold tree.
            is_short = reason == why.LEFT_OUT and not (metric.recipe.keep and not counts["length"][index])
            if excluded[index] and not is_short:
                problems.append(pair.gold.problem(index, "no-gold", "no words are left in the gold tree", LEFT_OUT))
            continue
        a, b = counts["detail_a"][index], counts["detail_b"][index]
        if reason == why.LENGTHS_DIFFER:
            code, message = "length", f"{a} words in gold, {b} in test after deletions"
        elif reason == why.WORDS_DIFFER:
            words = [decode(pair.gold.native.word(index, a)), decode(pair.test.native.word(index, b))]
            code, message = "words", f"gold has the word {words[0]!r} where test has {words[1]!r}"
        else:
            code, message = "unparsed", "no words are left in the test tree"
        message += cause_hint(metric, counts, index)
        problems.append(pair.test.problem(index, code, message, FAILED))
    return problems


class BracketF1(Ratio):
    """F1 of brackets, which tables show as EVALB computes it."""

    __slots__ = ()

    def part(self, total: Mapping[str, int]) -> Part:
        matched, gold, test = (total[name] for name in self.columns)
        recall, precision = (100.0 * matched / below if below else None for below in (gold, test))
        return Part(self.title, above=2 * matched, below=gold + test, shown_value=f_measure(precision, recall))


def bracket_ratios(*, labelled: bool, kind: str = "") -> dict[str, Ratio]:
    """The labelled figures, if labels count, and the unlabelled figures; `kind` is the first word of titles."""
    titles = [f"{kind} {title}" if kind else title.capitalize() for title in ("labelled", "unlabelled")]
    if not labelled:
        return rates(titles[1], "matched", kind=BracketF1)
    unlabelled = rates(titles[1], "unlabelled", prefix="unlabelled_", kind=BracketF1)
    return {**rates(titles[0], "matched", kind=BracketF1), **unlabelled}


def f_measure(p: float | None, r: float | None) -> float | None:
    """F in percent in EVALB's order of operations, which decides how ties are rounded; None where EVALB prints nan."""
    return 2 * p * r / (p + r) if p is not None and r is not None and p + r > 0 else None


_LABELLED = rates("Labelled", "matched", kind=BracketF1)


def label_figures(found_in_gold: int, gold: int, found_in_test: int, test: int, *, labelled: bool) -> dict[str, Part]:
    """The figures of a label. Without labels a match may have another label, so the two sides have separate sums."""
    if labelled and found_in_gold == found_in_test:
        sums = {"matched": found_in_gold, "gold": gold, "test": test}
        return {name: ratio.part(sums) for name, ratio in _LABELLED.items()}
    precision = Part("Precision", above=found_in_test, below=test)
    recall = Part("Recall", above=found_in_gold, below=gold)
    f1 = None
    if precision.value is not None and recall.value is not None:
        f1 = (f_measure(precision.shown_value, recall.shown_value) or 0.0) / 100
    return {"f1": Part("F1", f1), "precision": precision, "recall": recall}
