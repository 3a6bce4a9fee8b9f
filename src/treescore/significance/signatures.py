"""Explanations of what follows the metric in a signature: how completions were read, tests, and intervals."""

from __future__ import annotations

from ..helpers.text import percent
from ..readers.completions.completion_list import allowed_repairs
from ..values.problem import UsageError
from ..values.signature_text import SignatureError, split_signature, unquote, unquote_list
from .units import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def explain_reading(signature: str) -> list[str]:
    """How completions of a language model were read, according to a signature; empty for other input.

    >>> explain_reading("parseval|v:0.2.0.dev0|llm:last|repair:close+slash")
    ['completions: the last tree with the words of the sentence; repairs: close and slash; unfaithful ones fail']
    """
    _, separator, rest = signature.partition("|ci:")[0].partition("|test:")[0].partition("|llm:")
    if not separator:
        return []
    fields = split_signature(f"llm|llm:{rest}")[1]
    _check_complete(signature, "reading of completions", fields, ("repair",))
    names = unquote_list(fields["repair"])
    _check_known(signature, {"llm": "last", "unfaithful": "aligned"}, fields)
    try:
        allowed_repairs(names[0] if len(names) == 1 else names)
    except UsageError as problem:
        raise SignatureError(f"in {signature!r}: {problem}") from None
    repairs = " and ".join(names)
    is_aligned = "unfaithful" in fields
    unfaithful = "unfaithful ones are scored on aligned words" if is_aligned else "unfaithful ones fail"
    return [f"completions: the last tree with the words of the sentence; repairs: {repairs}; {unfaithful}"]


def explain_test(signature: str) -> list[str]:
    """The test of differences in a signature, explained; empty without a test.

    >>> test = "test:randomization|figure:f1|n:exact|unit:document|pairs:all|correction:holm|alpha:0.05"
    >>> for sentence in explain_test(f"parseval|v:0.2.0.dev0|{test}"):
    ...     print(sentence)
    differences of f1 tested by randomization: all ways to swap documents
    all pairs of systems; p corrected for their number (holm), significant up to 0.05
    """
    _, separator, rest = signature.partition("|ci:")[0].partition("|test:")
    if not separator:
        return []
    fields = split_signature(f"test|test:{rest}")[1]
    exact = fields.get("n") == "exact"
    _check_complete(signature, "test", fields, ("figure", "n", "unit") if exact else ("figure", "n", "seed", "unit"))
    units = _units_in_words(fields["unit"])
    trials = f"all ways to swap {units}" if exact else f"{fields['n']} trials with {units}, seed {fields['seed']}"
    sentences = [f"differences of {unquote(fields['figure'])} tested by {fields['test']}: {trials}"]
    if {"pairs", "correction", "alpha"} <= set(fields):
        pairs = "all pairs of systems" if fields["pairs"] == "all" else "each system against a baseline"
        correction = f"p corrected for their number ({fields['correction']}), significant up to {fields['alpha']}"
        sentences.append(f"{pairs}; {correction}")
    return [*sentences, *_explain_scored(fields)]


def _check_known(signature: str, known: Mapping[str, str], fields: Mapping[str, str]) -> None:
    for name, value in fields.items():
        if name != "repair" and value != known.get(name):
            raise SignatureError(f"in {signature!r}: {name}:{value} is unknown in the reading of completions")


def _check_complete(signature: str, what: str, fields: Mapping[str, str], required: Sequence[str]) -> None:
    missing = [name for name in required if name not in fields]
    if missing:
        raise SignatureError(f"in {signature!r}: the {what} lacks {', '.join(missing)}")


def explain_interval(signature: str) -> list[str]:
    """The confidence interval in a signature, explained; empty without an interval.

    >>> explain_interval("parseval|v:0.2.0.dev0|ci:bca|level:0.95|n:1000|seed:1|unit:document")
    ['95 % intervals by the bootstrap (bca): 1000 samples of documents, seed 1']
    """
    _, separator, rest = signature.partition("|ci:")
    if not separator:
        return []
    fields = split_signature(f"ci|ci:{rest}")[1]
    _check_complete(signature, "interval", fields, ("level", "n", "seed", "unit"))
    try:
        level = percent(float(fields["level"]))
    except ValueError:
        raise SignatureError(f"in {signature!r}: level must be a number, not {fields['level']!r}") from None
    samples = f"{fields['n']} samples of {_units_in_words(fields['unit'])}, seed {fields['seed']}"
    return [f"{level} intervals by the bootstrap ({fields['ci']}): {samples}", *_explain_scored(fields)]


def _explain_scored(fields: Mapping[str, str]) -> list[str]:
    """Which sentences were scored, if the signature restricts them to those scored by every system."""
    return ["only sentences with a score for every compared system"] if fields.get("scored") == "by-all" else []


def _units_in_words(value: str) -> str:
    """The plural of the sampling unit of a signature.

    >>> _units_in_words("sentence"), _units_in_words("document@2291547a")
    ('sentences', 'documents (named in a file whose SHA-256 begins with 2291547a)')
    """
    unit = unquote(value)
    name = in_words(unit)
    return f"{name}s" + (f" (named in a file whose SHA-256 begins with {unit[-8:]})" if name != unit else "")
