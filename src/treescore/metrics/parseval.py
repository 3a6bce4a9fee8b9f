"""PARSEVAL: labelled and unlabelled brackets, as EVALB counts them.

>>> import treescore
>>> gold = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")
>>> test = treescore.read("(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))")
>>> metric = Parseval("none")
>>> counts = metric.counts(gold, test)
>>> {name: counts.total()[name] for name in ("matched", "gold", "test", "crossing")}
{'matched': 1, 'gold': 3, 'test': 3, 'crossing': 1}
>>> metric.score(counts)
<Score Labelled F1 = 33.33 parseval|labels:yes|profile:none|v:0.1.0>
"""

from __future__ import annotations

from array import array

from .. import _core
from .. import rows as c
from .._version import __version__
from ..counts import UNIT, Counts
from ..problem import Problem
from ..profiles import PROFILES
from ..readers.prm import Parameters, load
from ..recipe import CHOICES, OUTER_LABELS, Recipe
from ..score import Part, Score
from ..text import decode, number_of
from .base import (
    Metric,
    SignatureError,
    join_signature,
    quote,
    quote_list,
    quote_pairs,
    unquote,
    unquote_list,
    unquote_pairs,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..trees import Treebank

_COLUMNS = {
    "valid": c.VALID,
    "errors": c.ERROR,
    "skipped": c.SKIPPED,
    "matched": c.MATCHED,
    "gold": c.GOLD,
    "test": c.TEST,
    "unlabelled": c.UNLABELLED,
    "crossing": c.CROSSING,
    "no_crossing": c.NO_CROSSING,
    "two_or_less_crossing": c.FEW_CROSSING,
    "exact": c.EXACT,
    "words": c.WORDS,
    "tags": c.TAGS,
    "sentence_precision": c.PRECISION,
    "sentence_recall": c.RECALL,
    "sentence_f1": c.F1,
    "sentences_with_precision": c.PRECISION_DEFINED,
    "sentences_with_recall": c.RECALL_DEFINED,
    "sentences_with_f1": c.F1_DEFINED,
}
_NOTES = {
    "reason": c.REASON,
    "status": c.STATUS,
    "length": c.LENGTH,
    "detail_a": c.DETAIL_A,
    "detail_b": c.DETAIL_B,
}


def _yes(value: str) -> bool:
    if value not in ("yes", "no"):
        raise SignatureError(f"{value!r} should be yes or no")
    return value == "yes"


def _number(value: str) -> int:
    if not value.isdecimal() or len(value) > 9:
        raise SignatureError(f"{value[:20]!r} should be a number of at most nine digits")
    return int(value)


def _yes_no(value: Any) -> str:
    return "yes" if value else "no"


# How each option of a recipe is written in a signature: recipe name, to text, from text.
_OPTIONS: dict[str, tuple[str, Callable[[Any], str], Callable[[str], Any]]] = {
    "labels": ("labels", _yes_no, _yes),
    "delete": ("delete", quote_list, unquote_list),
    "delete-words": ("delete_words", _yes_no, _yes),
    "delete-by": ("delete_by", str, str),
    "length-ignores": ("uncounted", quote_list, unquote_list),
    "quotes": ("quotes", quote_list, unquote_list),
    "equal": ("equal_labels", quote_pairs, unquote_pairs),
    "equal-words": ("equal_words", quote_pairs, unquote_pairs),
    "cut": ("cut", quote, unquote),
    "cut-tags": ("cut_tags", _yes_no, _yes),
    "cut-delete": ("cut_delete", _yes_no, _yes),
    "least-width": ("least_width", str, _number),
    "least-words": ("least_words", str, _number),
    "longest": ("most_length", str, _number),
    "outer": ("outer", str, str),
    "root": ("root", str, str),
    "duplicates": ("duplicates", str, str),
    "empty": ("empty", str, str),
    "unparsed": ("unparsed", str, str),
    "average": ("average", str, str),
}

#: Parameter files seen so far, by the hash that stands for them in signatures.
_known_files: dict[str, bytes] = {}


class Parseval(Metric):
    """Bracket scores under a profile, a parameter file, or either with some options changed."""

    name = "parseval"

    def __init__(self, profile: str | None = None, *, prm: bytes | None = None, **changes: Any) -> None:
        if prm is not None and profile == "none":
            profile = None
        if profile is None and prm is None:
            profile = "collins"
        if profile is not None and profile not in PROFILES:
            raise SignatureError(f"there is no profile {profile!r}; known: {', '.join(PROFILES)}")
        unknown = set(changes) - {name for name, _, _ in _OPTIONS.values()}
        if unknown:
            raise SignatureError(f"parseval has no option {', '.join(sorted(unknown))}")
        self.profile, self.prm_hash = profile, None
        self.prm_complaints: list[str] = []
        self.cutoff = 40
        self.base = PROFILES[profile or "none"]
        if prm is not None:
            import hashlib

            if profile not in (None, "spmrl"):
                raise SignatureError(f"a parameter file goes with the profiles none and spmrl, not with {profile}")
            self.prm_hash = hashlib.sha256(prm).hexdigest()[:12]
            _known_files[self.prm_hash] = prm
            parameters = Parameters()
            self.prm_complaints = parameters.add(prm)
            self.cutoff = parameters.cutoff
            self.base = parameters.spmrl_recipe() if profile == "spmrl" else parameters.recipe()
        self.recipe: Recipe = self.base.replace(**changes)

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Parseval:
        """The metric with the options of a signature."""
        changes: dict[str, Any] = {}
        for key, value in options.items():
            if key in ("v", "profile", "prm"):
                continue
            if key not in _OPTIONS:
                known = ", ".join(["profile", "prm", *_OPTIONS])
                raise SignatureError(f"parseval has no option {key!r}; known: {known}")
            name, _, parse = _OPTIONS[key]
            try:
                changes[name] = parse(value)
            except SignatureError as problem:
                raise SignatureError(f"{key}: {problem}") from None
            if name in CHOICES and value not in CHOICES[name]:
                raise SignatureError(f"{key}: {value!r} should be one of {', '.join(CHOICES[name])}")
        prm = _parameter_file(options["prm"]) if "prm" in options else None
        try:
            return cls(options.get("profile"), prm=prm, **changes)
        except SignatureError:
            raise
        except ValueError as problem:
            raise SignatureError(str(problem)) from None

    @property
    def signature(self) -> str:
        options = {"labels": _yes_no(self.recipe.labels)}
        if self.profile is not None:
            options["profile"] = self.profile
        if self.prm_hash is not None:
            options["prm"] = self.prm_hash
        for key, (name, write, _) in _OPTIONS.items():
            if key != "labels" and getattr(self.recipe, name) != getattr(self.base, name):
                options[key] = write(getattr(self.recipe, name))
        options["v"] = __version__
        return join_signature(self.name, options)

    def counts(
        self, gold: Treebank, test: Treebank, *, threads: int = 1, progress: _core.Progress | None = None
    ) -> Counts:
        rules = self._compiled(gold, test).rules
        data = _core.parseval_rows(gold.native, test.native, rules, threads, progress)
        columns: dict[str, bytes] = {"sentences": (array("q", [1]) * len(gold)).tobytes()}
        columns.update((name, data[place]) for name, place in _COLUMNS.items())
        return Counts(columns, notes={name: data[place] for name, place in _NOTES.items()})

    def _compiled(self, gold: Treebank, test: Treebank) -> Any:
        return self.recipe.compile(gold.native.names(0), test.native.names(0))

    def score(self, counts: Counts) -> Score:
        total = counts.total()
        labelled = self.recipe.labels
        figures = _bracket_figures(total, "matched", "", "Labelled" if labelled else "Unlabelled")
        if labelled:
            figures.update(_bracket_figures(total, "unlabelled", "unlabelled_", "Unlabelled"))
        for rate, title in (("f1", "F1"), ("precision", "precision"), ("recall", "recall")):
            name, sentences = f"sentence_{rate}", total[f"sentences_with_{rate}"]
            value = total[name] / UNIT / sentences if sentences else None
            figures[name] = Part(f"Mean of sentence {title}", value, below=sentences)
        valid = total["valid"]
        figures["exact"] = Part("Exact match", above=total["exact"], below=valid)
        figures["tag_accuracy"] = Part("Tag accuracy", above=total["tags"], below=total["words"])
        figures["average_crossing"] = Part("Average crossing", above=total["crossing"], below=valid, percent=False)
        figures["no_crossing"] = Part("No crossing", above=total["no_crossing"], below=valid)
        figures["two_or_less_crossing"] = Part("2 or less crossing", above=total["two_or_less_crossing"], below=valid)
        main = "sentence_f1" if self.recipe.average == "sentence" else "f1"
        return Score(self.name, self.signature, {main: figures[main], **figures}, main, counts)

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        out: dict[str, list[Any]] = {"sentence": list(range(1, len(counts) + 1))}
        out["status"] = list(counts["status"])
        out["length"] = list(counts["length"])
        for rate in ("f1", "precision", "recall"):
            sums, defined = counts[f"sentence_{rate}"], counts[f"sentences_with_{rate}"]
            out[rate] = [round(v / UNIT, 10) if known else None for v, known in zip(sums, defined, strict=True)]
        for name in ("matched", "gold", "test", "unlabelled", "crossing", "words", "tags", *counts.columns):
            if not name.startswith("sentence"):
                out[name] = list(counts[name])
        return out

    def summary(self, counts: Counts) -> str:
        total = counts.total()
        return (
            f"{number_of(total['sentences'], 'sentence')}: {total['valid']:,} scored, {total['errors']:,} failed, "
            f"{total['skipped']:,} skipped"
        )

    def describe(self) -> dict[str, str]:
        from ..recipe_words import describe

        return describe(self.recipe)

    def evalb_columns(self, counts: Counts) -> list[bytes]:
        """The rows in the order of the native engine, for EVALB's own table."""
        data = [bytes(8 * len(counts))] * c.COLUMNS
        for name, place in (*_COLUMNS.items(), *_NOTES.items()):
            data[place] = counts[name].tobytes()
        return data

    def problems(self, gold: Treebank, test: Treebank, counts: Counts) -> list[Problem]:
        problems = [Problem("parameters", complaint, action="line ignored") for complaint in self.prm_complaints]
        problems += _outer_brackets(self.recipe, gold, test)
        if not sum(counts.total()[name] for name in ("errors", "skipped")) and self.recipe.unparsed == "skip":
            return problems
        missed = self.recipe.unparsed == "missed"
        for index, reason in enumerate(counts["reason"]):
            if reason in (c.SCORED, c.LEFT_OUT, c.GOLD_FAULT, c.TEST_FAULT):
                continue  # left out by the recipe's own wish, or reported by the reader
            a, b = counts["detail_a"][index], counts["detail_b"][index]
            action = "left out of the score"
            if reason == c.LENGTHS_DIFFER:
                code, message = (
                    "length",
                    f"{a} words in gold, {b} in test after deletions{_same_words(gold, test, index)}",
                )
            elif reason == c.WORDS_DIFFER:
                words = [decode(gold.native.word(index, a)), decode(test.native.word(index, b))]
                message = f"gold has the word {words[0]!r} where test has {words[1]!r}{_same_words(gold, test, index)}"
                code = "words"
            else:
                code, message = "unparsed", "no words are left in the test tree"
                action = "all its brackets count as missed" if missed else action
            problems.append(
                Problem(
                    code,
                    message,
                    file=test.source.name,
                    line=test.line(index) or None,
                    unit=test.number(index),
                    action=action,
                )
            )
        return problems

    def breakdown(self, by: str, gold: Treebank, test: Treebank, counts: Counts) -> dict[str, dict[str, Part]]:
        if by == "length":
            return self._by_length(counts)
        if by != "label":
            raise ValueError(f"by must be label or length, not {by!r}")
        compiled = self._compiled(gold, test)
        rows = {}
        for key, *counted in _core.parseval_by_label(gold.native, test.native, compiled.rules):
            rows[compiled.labels[key]] = _label_figures(*counted, labelled=self.recipe.labels)
        return dict(sorted(rows.items(), key=lambda row: (-(row[1]["recall"].below or 0), row[0])))

    def _by_length(self, counts: Counts) -> dict[str, dict[str, Part]]:
        step = 10
        lower = [(length - 1) // step * step + 1 if length > 0 else 0 for length in counts["length"]]
        groups = counts.grouped([str(value) for value in lower])
        return {
            f"{start}-{start + step - 1}" if start else "0": self.score(groups[str(start)]).figures
            for start in sorted(set(lower))
        }


def _bracket_figures(total: Mapping[str, int], matched: str, prefix: str, title: str) -> dict[str, Part]:
    found, gold, test = total[matched], total["gold"], total["test"]
    precision = Part(f"{title} precision", above=found, below=test)
    recall = Part(f"{title} recall", above=found, below=gold)
    return {
        f"{prefix}f1": Part(
            f"{title} F1", above=2 * found, below=gold + test, shown_value=f_measure(precision, recall)
        ),
        f"{prefix}precision": precision,
        f"{prefix}recall": recall,
    }


def f_measure(precision: Part, recall: Part) -> float | None:
    """F in percent in EVALB's order of operations, which decides how ties are rounded; None where there it is nan."""
    p, r = precision.shown_value, recall.shown_value
    return 2 * p * r / (p + r) if p is not None and r is not None and p + r > 0 else None


def _label_figures(found_in_gold: int, gold: int, found_in_test: int, test: int, *, labelled: bool) -> dict[str, Part]:
    """Without labels a bracket's partner may have another one, so that each side has its own number of matches."""
    if labelled and found_in_gold == found_in_test:
        return _bracket_figures({"matched": found_in_gold, "gold": gold, "test": test}, "matched", "", "Labelled")
    precision = Part("Precision", above=found_in_test, below=test)
    recall = Part("Recall", above=found_in_gold, below=gold)
    f1 = None
    if precision.value is not None and recall.value is not None:
        f1 = (f_measure(precision, recall) or 0.0) / 100
    return {"f1": Part("F1", f1), "precision": precision, "recall": recall}


def _parameter_file(value: str) -> bytes:
    """The content of a parameter file, given by its path or by the hash in a signature."""
    if value in _known_files:
        return _known_files[value]
    try:
        return load(unquote(value))
    except OSError as problem:
        if len(value) == 12 and all(digit in "0123456789abcdef" for digit in value):
            advice = f"the parameter file with the hash {value} is not known here; give it with --prm FILE or prm:FILE"
            raise SignatureError(advice) from None
        raise SignatureError(f"the parameter file {value!r} cannot be read: {problem.strerror}") from None


def _same_words(gold: Treebank, test: Treebank, index: int) -> str:
    """A hint for sentences that differ only by what their tags delete."""
    if gold.native.same_words(index, test.native, index):
        return (
            "; all words are the same, but other tags delete other words: add delete-by:gold to the metric to score it"
        )
    return ""


def _outer_brackets(recipe: Recipe, gold: Treebank, test: Treebank) -> list[Problem]:
    """Warn once where the outer brackets of the two files differ in a way that moves every score."""
    for index in range(min(len(gold), len(test), 50)):
        if not gold.native.leaf_count(index) or not test.native.leaf_count(index):
            continue
        labels = [decode(bank.native.outer_label(index) or b"-") for bank in (gold, test)]
        counted = [recipe.counts_label(label) for label in labels]
        moves = any(it and label in OUTER_LABELS for label, it in zip(labels, counted, strict=True))
        if labels[0] == labels[1] or not moves or (recipe.root, recipe.duplicates) != ("keep", "keep"):
            return []
        shown = [
            f"{label!r}" + (" (counted)" if it else " (left out)") for label, it in zip(labels, counted, strict=True)
        ]
        message = (
            f"the outer bracket is {shown[0]} in gold and {shown[1]} in test; "
            "where one side differs every score moves: add outer:ignored to the metric to leave them all out"
        )
        return [Problem("outer-bracket", message, file=test.source.name, line=test.line(index) or None)]
    return []
