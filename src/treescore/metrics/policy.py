"""Metrics with a recipe for labels and words: a profile, a parameter file, or either with changes."""

from __future__ import annotations

from functools import cached_property

from ..helpers.text import decode
from ..profiles import PROFILES
from ..readers.prm import Parameters, check_parameters
from ..recipe import OUTER_LABELS, RECIPE_OPTIONS, Compiler, Recipe
from ..values.problem import Problem
from ..values.signature_text import SignatureError, split_signature
from .base import Metric
from .known_files import remember
from .options import PROFILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..place.pair import Pair
    from ..recipe import Compiled
    from ..values.counts import Counts
    from ..values.option import Option
    from .conventions import Convention


#: Arguments of the constructor that change the recipe.
_IN_RECIPE = frozenset(option.argument for option in RECIPE_OPTIONS)
_FIRST = 50  # trees that are looked at for their outer brackets


class PolicyMetric(Metric):
    """A metric with a recipe: those of its options that are declared with recipes change the recipe of the profile."""

    #: The arguments of its options that change the recipe, if it has them.
    in_recipe = _IN_RECIPE
    set_elsewhere = _IN_RECIPE | {"profile", "prm"}
    #: The profile if neither a profile nor a parameter file is named.
    default_profile: str | None = None
    #: The recipe without a profile and without a parameter file.
    plain_recipe = Recipe()
    #: Options of the recipe that have these values under every profile unless they are given.
    usual: Mapping[str, str] = {}
    #: Does it use only those options of a profile that it has, because the others have no meaning for it?
    uses_part_of_profiles = False
    #: Are the labels of phrases and the tags of words compared with one another?
    tags_are_labels = False
    #: Does it matter which label the outer bracket has?
    outer_counts = True

    def __init__(self, profile: str | None = None, *, prm: bytes | None = None, **given: Any) -> None:
        super().__init__(**given)
        if prm is not None and profile == "none":
            profile = None
        if profile is None and prm is None:
            profile = self.default_profile
        self.profile = PROFILE.check(profile)
        self.prm: str | None = None
        self.prm_complaints: list[str] = []
        self.cutoff = 40
        self.base = self.plain_recipe if profile is None else PROFILES[profile]
        if prm is not None:
            self._read_parameters(prm)
        if self.profile or self.prm:
            self._check_options_of_base()
        changes = {name: value for name, value in given.items() if name in self.in_recipe}
        self.recipe: Recipe = self.base.replace(**{**self.usual, **changes})

    def _read_parameters(self, prm: bytes) -> None:
        """Take the recipe from a parameter file, as the program of the profile applies it."""
        if self.profile not in (None, "spmrl", "discodop"):
            raise SignatureError(
                f"a parameter file goes with the profiles none, spmrl and discodop, not with {self.profile}"
            )
        check_parameters(prm, None)
        self.prm = remember(prm)
        parameters = Parameters(discodop=self.profile == "discodop", advises=True)
        self.prm_complaints = parameters.add(prm)
        self.cutoff = parameters.cutoff
        self.base = parameters.spmrl_recipe() if self.profile == "spmrl" else parameters.recipe()

    def _check_options_of_base(self) -> None:
        """Refuse a profile or a parameter file that needs options which the metric does not have."""
        lacking = self.lacking(self.base)
        if lacking:
            rules = f"the profile {self.profile}" if self.profile else "this parameter file"
            options = f"the option{'s' * (len(lacking) > 1)} {', '.join(lacking)}"
            raise SignatureError(f"{self.name} cannot apply {rules}: it lacks {options}")

    def value_of(self, option: Option) -> Any:
        return getattr(self.recipe if option.argument in self.in_recipe else self, option.argument)

    def default_of(self, option: Option) -> Any:
        return getattr(self.base, option.argument) if option.argument in self.in_recipe else option.default

    @cached_property
    def _compiler(self) -> Compiler:
        return Compiler(self.recipe, tags_are_labels=self.tags_are_labels, outer_counts=self.outer_counts)

    def compiled(self, pair: Pair) -> Compiled:
        """Tables of the recipe for the labels, tags and words of these trees."""
        compiled = self._compiler.compile(pair.gold.native, pair.test.native)
        compiled.word_texts = self.word_texts(pair)
        return compiled

    @classmethod
    def lacking(cls, recipe: Recipe) -> tuple[str, ...]:
        """The options that this recipe changes, but that the metric does not have.

        >>> from treescore.metrics.aligned_parseval import AlignedParseval
        >>> AlignedParseval.lacking(PROFILES["collins"]), AlignedParseval.lacking(PROFILES["shi2020"])
        ((), ('least-width', 'least-words', 'duplicates', 'average'))
        """
        if cls.uses_part_of_profiles:
            return ()
        own = {option.name for option in cls.options}
        missing = [option for option in RECIPE_OPTIONS if option.name not in own]
        return tuple(option.name for option in missing if getattr(recipe, option.argument) != option.default)

    def word_texts(self, pair: Pair) -> list[tuple[bytes, bytes]]:
        """Words of sentences that differ, with the texts that the option `text` makes comparable."""
        if self.recipe.text == "none":
            return []
        return self.recipe.word_texts(pair.gold.native.differing_words(pair.test.native))

    def prm_problems(self) -> list[Problem]:
        """What could not be understood of the parameter file."""
        return [Problem("parameters", complaint, action="line ignored") for complaint in self.prm_complaints]


def outer_bracket_problems(recipe: Recipe, pair: Pair) -> list[Problem]:
    """Warn once if the outer brackets of the two files differ in a way that changes every score."""
    for index in range(min(len(pair.gold), len(pair.test), _FIRST)):
        if not pair.gold.native.leaf_count(index) or not pair.test.native.leaf_count(index):
            continue
        names = [bank.native.outer_label(index) for bank in (pair.gold, pair.test)]
        if names[0] == names[1] or not recipe.keeps_outermost():
            return []
        labels = ["-" if name is None else decode(name) for name in names]
        counted = [recipe.counts_label(label) for label in labels]
        if not any(is_counted and label in OUTER_LABELS for label, is_counted in zip(labels, counted, strict=True)):
            return []
        shown = [
            f"{label!r}" + (" (counted)" if is_counted else " (left out)")
            for label, is_counted in zip(labels, counted, strict=True)
        ]
        message = (
            f"the outer bracket is {shown[0]} in gold and {shown[1]} in test; "
            "where one side differs every score moves: add outer:ignored to the metric to leave them all out"
        )
        return [Problem("outer-bracket", message, file=pair.test.source.name, line=pair.test.line(index) or None)]
    return []


def cause_hint(metric: PolicyMetric, counts: Counts, index: int) -> str:
    """The known causes of a failed sentence, and what to add to the metric; empty if there is none."""
    from .conventions import CONVENTIONS, remedies

    known = [convention for convention in CONVENTIONS if convention.reason and counts[convention.column][index]]
    if not known:
        return ""
    remedy = "|".join(f"{name}:{value}" for name, value in remedies(known, {"text": metric.recipe.text}).items())
    return f"; {', and '.join(convention.reason for convention in known)}: add {remedy} to the metric"


def reconcilable(metric: Metric) -> list[Convention]:
    """The conventions for which the metric has an option that lets files with different conventions be compared."""
    from .conventions import CONVENTIONS

    if not isinstance(metric, PolicyMetric):
        return []
    return [
        convention for convention in CONVENTIONS if convention.is_reconciled and metric.has_option(convention.option)
    ]


def reconciled(metric: Metric | str) -> Metric:
    """The metric as if both files followed the same conventions; the metric itself if it has no option for that.

    Escapes are the same as what they stand for (`text:escapes`), gold's tags decide which words are deleted
    (`delete-by:gold`), and outer brackets do not count if it matters which ones there are (`outer:ignored`). Nothing
    else is changed about what is compared.

    >>> reconciled("parseval|labels:no|text:fold").signature
    'parseval|labels:no|profile:collins|delete-by:gold|text:fold+escapes|outer:ignored|v:0.2.0.dev0'
    >>> reconciled("struct_iou").signature
    'struct_iou|labels:yes|terminals:flexible|threshold:0|axis:words|outer:ignored|v:0.2.0.dev0'
    """
    from . import get
    from .conventions import remedies

    metric = get(metric)
    if not isinstance(metric, PolicyMetric):
        return metric
    _, options = split_signature(metric.signature)
    known = [
        convention
        for convention in reconcilable(metric)
        if convention.option != "outer" or metric.recipe.keeps_outermost()
    ]
    changed = type(metric).parse(options | remedies(known, options))
    return metric if changed == metric else changed
