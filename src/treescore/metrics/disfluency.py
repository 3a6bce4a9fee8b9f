"""Disfluency: does the parser find the words that a speaker took back, those under an EDITED phrase?

Charniak and Johnson (2001), as counted by Jamshid Lou and Johnson (2020): a word under such a phrase counts once,
however many such phrases are above it. Punctuation and traces do not count as words.

>>> import treescore
>>> gold = treescore.read("(S (EDITED (NP (PRP i)) (VP (VBD went))) (NP (PRP i)) (VP (VBD left)))")
>>> test = treescore.read("(S (EDITED (NP (PRP i)) (VP (VBD went)) (NP (PRP i))) (VP (VBD left)))")
>>> metric = Disfluency()
>>> score = metric.score(metric.counts(treescore.Pair(gold, test)))
>>> {name: round(score.parts[name], 4) for name in ("precision", "recall", "f1", "node_f1", "all_f1")}
{'precision': 0.6667, 'recall': 1.0, 'f1': 0.8, 'node_f1': 0.0, 'all_f1': 0.8333}
"""

from __future__ import annotations

from functools import cached_property

from .. import _core
from .._core import DisfluencyGroup as Group
from ..recipe import OUTER, Recipe
from ..values.counts import Counts
from ..values.option import Choice, Texts
from ..values.score import Part
from .nodes import DISCONTINUOUS, SameWordsMetric
from .options import PRM, PROFILE, WORD_OPTIONS
from .ratios import Ratio, rates, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ..place.pair import Pair
    from ..values.problem import Problem

#: Tags of leaves that are not spoken.
PUNCTUATION = ("''", ":", "#", ",", ".", "``", "-LRB-", "-RRB-", "-NONE-", "-DFL-")
EDITS = ("EDITED",)
DISFLUENT = ("EDITED", "PRN", "INTJ")
EDITED = Texts("edits", EDITS, "labels of phrases whose words are edited: {}", is_always_written=True)
DISFLUENCIES = Texts("disfluent", DISFLUENT, "labels of phrases whose words are disfluent: {}", is_always_written=True)
COMPAT = Choice(
    "compat",
    choices={"original": "figures without anything to find are 0, as the original has them"},
    unset="figures without anything to find are undefined",
)

#: Prefixes of columns and figures, and their titles.
_GROUPS = {"": "Edited words", "node_": "Edited phrases", "disfluent_": "Disfluent words", "all_": "All phrases"}
_GAPS = (
    DISCONTINUOUS[0],
    "one of the trees is discontinuous",
    "words are scored; phrases are compared by their first and last word",
)


class Disfluency(SameWordsMetric):
    """Words and phrases under labels of disfluency.

    >>> Disfluency(disfluent=["EDITED", "PRN", "UH"], compat="original").signature
    'disfluency|edits:EDITED|disfluent:EDITED+PRN+UH|compat:original|v:0.2.0.dev0'
    """

    name = "disfluency"
    cites = ("charniak-johnson-2001-edit", "jamshid-lou-johnson-2020-improving")
    options = (PROFILE, PRM, EDITED, DISFLUENCIES, COMPAT, *WORD_OPTIONS, OUTER)
    plain_recipe = Recipe(cut="", delete=PUNCTUATION)
    main = row_figure = "f1"
    group_figures = ("f1", "precision", "recall")
    all_columns = SameWordsMetric.all_columns | {
        **{f"{group}{side}": {f"{group}{side}_all": 1} for group in _GROUPS for side in ("gold", "test")},
    }

    edits: tuple[str, ...]
    disfluent: tuple[str, ...]
    compat: str | None

    def __init__(self, profile: str | None = None, **given: Any) -> None:
        super().__init__(profile, **given)
        self.edits, self.disfluent = (tuple(dict.fromkeys(labels)) for labels in (self.edits, self.disfluent))

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        compiled = self.compiled(pair)
        edits, disfluent = (self._keys(names) for names in (self.edits, self.disfluent))
        groups = bytes(
            (label in edits) * Group.EDIT | (label in disfluent) * Group.DISFLUENT for label in compiled.labels
        )
        rules = _core.DisfluencyRules(**self.pair_rules(compiled), groups=groups)
        return Counts.of_rows(_core.disfluency_rows(pair.gold.native, pair.test.native, rules, threads, progress))

    def _keys(self, names: Iterable[str]) -> set[str]:
        """These labels, and the labels that count as equal to them."""
        pairs = self.recipe.equal
        equal = {b for a, b in pairs if a in names} | {a for a, b in pairs if b in names}
        return {*names, *equal}

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        ratios: dict[str, Ratio] = {}
        for group, title in _GROUPS.items():
            columns = (f"{group}{kind}" for kind in ("matched", "gold", "test"))
            ratios |= rates(f"{title},", *columns, prefix=group, is_all=not self.compat)
        return {**ratios, "exact": share("Sentences with the same edited words", "exact", "valid")}

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        figures = super().figures(total)
        if self.compat:
            for name, part in figures.items():
                if part.value is None and name != "exact":
                    figures[name] = Part(part.title, 0.0, above=part.above, below=part.below)
        return figures

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        problems = super().row_problems(pair, counts)
        if pair.gold.is_discontinuous or pair.test.is_discontinuous:
            for index, valid in enumerate(counts["valid"]):
                if valid and (pair.gold.native.discontinuous(index) or pair.test.native.discontinuous(index)):
                    problems.append(pair.test.problem(index, *_GAPS))
        return problems

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        names = [f"{group}{kind}" for group in _GROUPS for kind in ("matched", "gold", "test")]
        out = self.row_columns(counts)
        for rate in self.group_figures:
            values = zip(self.ratios[rate].of_all(counts.columns), counts["valid"], strict=True)
            undefined = 0.0 if self.compat else None
            out[rate] = [
                None if not valid else undefined if value is None else round(value, 10) for value, valid in values
            ]
        return {**out, **{name: list(counts[name]) for name in (*names, "exact")}}
