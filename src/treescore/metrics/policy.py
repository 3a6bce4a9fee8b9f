"""Metrics whose labels and words are governed by a recipe: a profile, a parameter file, or either with changes."""

from __future__ import annotations

from functools import cached_property

from .._version import __version__
from ..helpers.suggestions import suggestion
from ..helpers.text import decode
from ..profiles import PROFILES
from ..readers.prm import Parameters, check_parameters
from ..recipe import CHOICES, OUTER_LABELS, Compiler, Recipe
from ..values.problem import Problem
from ..values.signature_text import (
    SignatureError,
    join_signature,
    quote,
    quote_list,
    quote_pairs,
    split_signature,
    unquote,
    unquote_list,
    unquote_pairs,
)
from .base import Metric
from .conventions import CONVENTIONS, remedies
from .known_files import recall, remember

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    from typing_extensions import Self

    from ..place.pair import Pair
    from ..recipe import Compiled
    from ..values.counts import Counts


def yes(value: str) -> bool:
    if value not in ("yes", "no"):
        raise SignatureError(f"{value!r} should be yes or no")
    return value == "yes"


def _number(value: str) -> int:
    if not value.isdecimal() or len(value) > 9:
        raise SignatureError(f"{value[:20]!r} should be a number of at most nine digits")
    return int(value)


def as_bool(name: str, value: object) -> bool:
    """The value of an option that is true or false; no text, which would always be true."""
    if not isinstance(value, bool):
        raise SignatureError(f"{name} must be True or False, not {value!r}")
    return value


def as_number(name: str, value: Any) -> float:
    """The value of an option that is a number, and no text that reads like one.

    >>> as_number("limit", 5)
    5.0
    """
    try:
        number = float("nan" if isinstance(value, bool | str | bytes) else value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if number != number:
        raise SignatureError(f"{name} must be a number, not {value!r}")
    return number


def one_of(name: str, value: str, allowed: Collection[str]) -> str:
    """A value that is one of a few."""
    if value not in allowed:
        raise SignatureError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
    return value


def yes_no(value: Any) -> str:
    return "yes" if value else "no"


# How each option of a recipe is written in a signature: recipe name, to text, from text.
_OPTIONS: dict[str, tuple[str, Callable[[Any], str], Callable[[str], Any]]] = {
    "labels": ("labels", yes_no, yes),
    "delete": ("delete", quote_list, unquote_list),
    "delete-words": ("delete_words", yes_no, yes),
    "delete-by": ("delete_by", str, str),
    "delete-forms": ("delete_forms", quote_list, unquote_list),
    "only": ("only", str, str),
    "length-ignores": ("uncounted", quote_list, unquote_list),
    "quotes": ("quotes", quote_list, unquote_list),
    "equal": ("equal_labels", quote_pairs, unquote_pairs),
    "equal-words": ("equal_words", quote_pairs, unquote_pairs),
    "text": ("text", str, str),
    "cut": ("cut", quote, unquote),
    "cut-start": ("cut_start", yes_no, yes),
    "cut-tags": ("cut_tags", yes_no, yes),
    "cut-delete": ("cut_delete", yes_no, yes),
    "least-width": ("least_width", str, _number),
    "least-words": ("least_words", str, _number),
    "longest": ("most_length", str, _number),
    "outer": ("outer", str, str),
    "root": ("root", str, str),
    "duplicates": ("duplicates", str, str),
    "empty": ("empty", str, str),
    "average": ("average", str, str),
}


_FIRST = 50  # trees that are looked at for their outer brackets


class PolicyMetric(Metric):
    """A metric with a recipe. Subclasses say which options of the recipe they have, and add options of their own."""

    #: The recipe's options that this metric has, by their names in a signature; the first ones always stand in it.
    recipe_options: tuple[str, ...] = tuple(_OPTIONS)
    always: tuple[str, ...] = ("labels",)
    #: What holds where neither a profile nor a parameter file is named.
    default_profile: str | None = None
    plain_recipe = Recipe()
    #: Does it use only its own options of a profile, as its documentation says, because the others mean nothing to it?
    uses_part_of_profiles = False
    #: Are the labels of phrases and the tags of words compared with one another?
    tags_are_labels = False
    #: Does it matter which label the outer bracket has?
    outer_counts = True

    def __init__(self, profile: str | None = None, *, prm: bytes | None = None, **changes: Any) -> None:
        if prm is not None and profile == "none":
            profile = None
        if profile is None and prm is None:
            profile = self.default_profile
        if profile is not None and profile not in PROFILES:
            raise SignatureError(f"there is no profile {profile!r}; {suggestion(profile, PROFILES)}")
        unknown = set(changes) - {_OPTIONS[key][0] for key in self.recipe_options}
        if unknown:
            raise SignatureError(f"{self.name} has no option {', '.join(sorted(unknown))}")
        self.profile, self.prm_hash = profile, None
        self.prm_complaints: list[str] = []
        self.cutoff = 40
        self.base = self.plain_recipe if profile is None else PROFILES[profile]
        if prm is not None:
            if profile not in (None, "spmrl", "discodop"):
                raise SignatureError(
                    f"a parameter file goes with the profiles none, spmrl and discodop, not with {profile}"
                )
            check_parameters(prm, None)
            self.prm_hash = remember(prm)
            parameters = Parameters(discodop=profile == "discodop", advises=True)
            self.prm_complaints = parameters.add(prm)
            self.cutoff = parameters.cutoff
            self.base = parameters.spmrl_recipe() if profile == "spmrl" else parameters.recipe()
        lacking = () if profile is None and prm is None else self.lacking(self.base)
        if lacking:
            rules = "this parameter file" if profile is None else f"the profile {profile}"
            options = f"the option{'s' * (len(lacking) > 1)} {', '.join(lacking)}"
            raise SignatureError(f"{self.name} cannot apply {rules}: it lacks {options}")
        try:
            self.recipe: Recipe = self.base.replace(**changes)
        except ValueError as problem:
            raise SignatureError(str(problem)) from None

    @cached_property
    def _compiler(self) -> Compiler:
        return Compiler(self.recipe, tags_are_labels=self.tags_are_labels, outer_counts=self.outer_counts)

    def compiled(self, pair: Pair) -> Compiled:
        """The recipe as tables over the labels, tags and words of these trees."""
        compiled = self._compiler.compile(pair.gold.native, pair.test.native)
        compiled.word_texts = self.word_texts(pair)
        return compiled

    @classmethod
    def lacking(cls, recipe: Recipe) -> tuple[str, ...]:
        """The options with which this recipe changes something, but which the metric does not have.

        >>> from treescore.metrics.aligned_parseval import AlignedParseval
        >>> AlignedParseval.lacking(PROFILES["collins"]), AlignedParseval.lacking(PROFILES["shi2020"])
        ((), ('least-width', 'least-words', 'duplicates', 'average'))
        """
        if cls.uses_part_of_profiles:
            return ()
        plain = PolicyMetric.plain_recipe
        missing = (key for key in _OPTIONS if key not in cls.recipe_options)
        return tuple(key for key in missing if getattr(recipe, _OPTIONS[key][0]) != getattr(plain, _OPTIONS[key][0]))

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Self:
        """The metric with the options of a signature."""
        arguments = cls.own_arguments(options)
        own = cls.own_options()
        for key, value in options.items():
            if key in ("v", "profile", "prm") or key in own:
                continue
            if key not in cls.recipe_options:
                known = ", ".join(["profile", "prm", *own, *cls.recipe_options])
                hint = "; failed sentences count in figures that end in _all, such as f1_all" * (key == "unparsed")
                raise SignatureError(f"{cls.name} has no option {key!r}{hint}; known: {known}")
            name, _, parse = _OPTIONS[key]
            try:
                arguments[name] = parse(value)
            except SignatureError as problem:
                raise SignatureError(f"{key}: {problem}") from None
            if name in CHOICES and value not in CHOICES[name]:
                raise SignatureError(f"{key}: {value!r} should be one of {', '.join(CHOICES[name])}")
        prm = None
        if "prm" in options:
            prm = recall(options["prm"], "parameter", "--prm FILE or prm:FILE")
            check_parameters(prm, unquote(options["prm"]))
        return cls(options.get("profile"), prm=prm, **arguments)

    def word_texts(self, pair: Pair) -> list[tuple[bytes, bytes]]:
        """Words of sentences that differ, with the texts as which the option `text` compares them."""
        if self.recipe.text == "none":
            return []
        return self.recipe.word_texts(pair.gold.native.differing_words(pair.test.native))

    @classmethod
    def reconcilable(cls) -> set[str]:
        """The options with which files of other conventions can be compared."""
        known = {*cls.recipe_options, *cls.own_options()}
        return {convention.option for convention in CONVENTIONS if convention.is_reconciled} & known

    def prm_problems(self) -> list[Problem]:
        """What could not be understood of the parameter file."""
        return [Problem("parameters", complaint, action="line ignored") for complaint in self.prm_complaints]

    @classmethod
    def own_options(cls) -> tuple[str, ...]:
        """The names of the metric's options beside those of the recipe."""
        return ()

    @classmethod
    def own_arguments(cls, options: Mapping[str, str]) -> dict[str, Any]:
        """The arguments of the constructor for these of the metric's own options."""
        return {}

    def own_values(self) -> dict[str, str]:
        """The metric's own options as they stand in its signature."""
        return {}

    @cached_property
    def signature(self) -> str:
        always = {key: self._written(key) for key in self.always}
        options = {"labels": always.pop("labels")} if "labels" in always else {}
        if self.profile is not None:
            options["profile"] = self.profile
        if self.prm_hash is not None:
            options["prm"] = self.prm_hash
        options.update(self.own_values())
        options.update(always)
        for key in self.recipe_options:
            name = _OPTIONS[key][0]
            if key not in self.always and getattr(self.recipe, name) != getattr(self.base, name):
                options[key] = self._written(key)
        options["v"] = __version__
        return join_signature(self.name, options)

    def _written(self, key: str) -> str:
        name, write, _ = _OPTIONS[key]
        return write(getattr(self.recipe, name))

    def describe(self) -> dict[str, str]:
        from .recipe_words import describe

        said = describe(self.recipe)
        return {_OPTIONS[key][0]: said[_OPTIONS[key][0]] for key in self.recipe_options}


def outer_bracket_problems(recipe: Recipe, pair: Pair) -> list[Problem]:
    """Warn once where the outer brackets of the two files differ in a way that moves every score."""
    for index in range(min(len(pair.gold), len(pair.test), _FIRST)):
        if not pair.gold.native.leaf_count(index) or not pair.test.native.leaf_count(index):
            continue
        names = [bank.native.outer_label(index) for bank in (pair.gold, pair.test)]
        if names[0] == names[1] or not recipe.keeps_outermost():
            return []
        labels = ["-" if name is None else decode(name) for name in names]
        counted = [recipe.counts_label(label) for label in labels]
        if not any(it and label in OUTER_LABELS for label, it in zip(labels, counted, strict=True)):
            return []
        shown = [
            f"{label!r}" + (" (counted)" if it else " (left out)") for label, it in zip(labels, counted, strict=True)
        ]
        message = (
            f"the outer bracket is {shown[0]} in gold and {shown[1]} in test; "
            "where one side differs every score moves: add outer:ignored to the metric to leave them all out"
        )
        return [Problem("outer-bracket", message, file=pair.test.source.name, line=pair.test.line(index) or None)]
    return []


def cause_hint(metric: PolicyMetric, counts: Counts, index: int) -> str:
    """The known causes for which a sentence failed, and what to add to the metric; nothing if there is none."""
    known = [convention for convention in CONVENTIONS if convention.reason and counts[convention.column][index]]
    if not known:
        return ""
    remedy = "|".join(f"{name}:{value}" for name, value in remedies(known, {"text": metric.recipe.text}).items())
    return f"; {', and '.join(convention.reason for convention in known)}: add {remedy} to the metric"


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

    metric = get(metric)
    if not isinstance(metric, PolicyMetric):
        return metric
    _, options = split_signature(metric.signature)
    able = metric.reconcilable() - (set() if metric.recipe.keeps_outermost() else {"outer"})
    known = [convention for convention in CONVENTIONS if convention.is_reconciled and convention.option in able]
    changed = type(metric).from_options(options | remedies(known, options))
    return metric if changed == metric else changed
