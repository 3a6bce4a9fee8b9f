"""Function tags (Blaheta and Charniak 2000): are the functions right on phrases and words that are right themselves?

Functions of a phrase count if its bracket is right, those of a preterminal if its tag is. A function is what a format
separates from the label (`SB` in the export format), or else what follows a hyphen in the label (`SBJ` and `TMP` in
`NP-SBJ-TMP`), numbers excepted. Nodes without functions on either side count for nothing.

>>> import treescore
>>> gold = treescore.read("(S (NP-SBJ (PRP he)) (VP (VBD ran) (NP-TMP (NN today))))")
>>> test = treescore.read("(S (NP-SBJ (PRP he)) (VP (VBD ran) (NP (NN today))))")
>>> metric = Functions()
>>> metric.score(metric.counts(treescore.Pair(gold, test))).parts["recall"]
0.5
"""

from __future__ import annotations

from functools import cached_property

from .. import _core
from ..helpers.text import decode
from ..recipe import LABELS, Compiler, Recipe, recipe_options
from ..values.counts import Counts
from ..values.problem import Problem
from .options import PRM, PROFILE
from .parseval import RATES, pair_problems
from .policy import PolicyMetric
from .ratios import Ratio, rates, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..place.pair import Pair
    from ..trees import Treebank
    from ..values.score import Part
    from .overview import Overview

#: Where a label ends and its functions begin.
_HYPHENS = "-="


class Functions(PolicyMetric):
    """Precision, recall and F1 of functions on what brackets and tags have right."""

    name = "functions"
    cites = ("blaheta-charniak-2000-assigning",)
    default_profile = "collins"
    takes_discontinuous = True
    gold_unit = "functions"
    group_figures = RATES
    status_note = "status: 0 scored, 1 error, 2 skipped, as in EVALB"
    options = (
        LABELS,
        PROFILE,
        PRM,
        *recipe_options(
            *("delete", "delete-words", "keep", "delete-by", "delete-tags", "delete-phrases", "delete-forms"),
            *("length-ignores", "quotes", "equal", "equal-words", "text", "cut", "cut-delete"),
            *("least-words", "shortest", "longest", "outer"),
        ),
    )

    @classmethod
    def lacking(cls, recipe: Recipe) -> tuple[str, ...]:
        """Without two options: tags are always cut here, and undefined figures of functions stay undefined."""
        return tuple(option for option in super().lacking(recipe) if option not in ("cut-tags", "undefined"))

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        rules, _ = self._rules(pair)
        return Counts.of_rows(_core.function_rows(pair.gold.native, pair.test.native, rules, threads, progress))

    @cached_property
    def _compiler(self) -> Compiler:
        plain = self.recipe.replace(cut_tags=True, least_width=1, root="keep", duplicates="keep", only="all")
        return Compiler(plain)

    def _rules(self, pair: Pair) -> tuple[_core.FunctionRules, list[str]]:
        """The rules for the engine, and the functions behind their keys."""
        keys: dict[str, int] = {}

        def names(bank: Treebank) -> _core.FunctionNames:
            labels = [decode(name) for name in bank.native.names(0)]
            apart = [keys.setdefault(name, len(keys)) for name in labels]
            return apart, [[keys.setdefault(function, len(keys)) for function in functions_of(name)] for name in labels]

        brackets = self.compiled(pair).rules
        rules = _core.FunctionRules(brackets, names(pair.gold), names(pair.test))
        return rules, list(keys)

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        return {**rates("Function", "matched"), "exact": share("All functions right", "exact", "valid")}

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        return {
            **self.row_columns(counts, "f1"),
            "status": list(counts["status"]),
            **{name: list(counts[name]) for name in ("matched", "gold", "test", "exact")},
        }

    def label_sums(self, pair: Pair) -> dict[str, dict[str, int]]:
        """By function."""
        rules, keys = self._rules(pair)
        return {keys[key]: sums for key, sums in _core.functions_by_name(pair.gold.native, pair.test.native, rules)}

    def label_figures(self, sums: Mapping[str, int]) -> dict[str, Part]:
        return {name: self.ratios[name].part(sums) for name in RATES}

    def remarks(self, overview: Overview) -> list[Problem]:
        return self.prm_problems()

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        return pair_problems(self, pair, counts)


def functions_of(label: str) -> list[str]:
    """The functions in a label.

    >>> functions_of("NP-SBJ-1"), functions_of("ADVP-LOC-PRD-TPC-2"), functions_of("-NONE-"), functions_of("NP=3")
    (['SBJ'], ['LOC', 'PRD', 'TPC'], [], [])
    """
    if not label or label[0] in _HYPHENS:
        return []
    for hyphen in _HYPHENS[1:]:
        label = label.replace(hyphen, _HYPHENS[0])
    return [part for part in label.split(_HYPHENS[0])[1:] if part and not part.isdecimal()]
