"""What the signature of an interval or a test means, in words."""

from __future__ import annotations

from ..helpers.text import percent
from ..values.signature_text import SignatureError, split_signature, unquote
from .units import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def words_of_test(signature: str) -> list[str]:
    """What a signature says about a test of differences, in words; nothing if it has none.

    >>> test = "test:randomization|figure:f1|n:exact|unit:document|pairs:all|correction:holm|alpha:0.05"
    >>> for sentence in words_of_test(f"parseval|v:0.2.0.dev0|{test}"):
    ...     print(sentence)
    differences of f1 tested by randomization: all ways to swap documents
    all pairs of systems; p corrected for their number (holm), significant up to 0.05
    """
    _, found, rest = signature.partition("|ci:")[0].partition("|test:")
    if not found:
        return []
    said = split_signature(f"test|test:{rest}")[1]
    exact = said.get("n") == "exact"
    _check_complete(signature, "the test was made", said, ("figure", "n", "unit") if exact else _TESTED)
    unit = _drawn_in_words(said["unit"])
    drawn = f"all ways to swap {unit}" if exact else f"{said['n']} trials with {unit}, seed {said['seed']}"
    words = [f"differences of {unquote(said['figure'])} tested by {said['test']}: {drawn}"]
    if {"pairs", "correction", "alpha"} <= set(said):
        pairs = "all pairs of systems" if said["pairs"] == "all" else "each system against a baseline"
        judged = f"p corrected for their number ({said['correction']}), significant up to {said['alpha']}"
        words.append(f"{pairs}; {judged}")
    return [*words, *_scored_in_words(said)]


_TESTED = ("figure", "n", "seed", "unit")


def _check_complete(signature: str, what: str, said: Mapping[str, str], wanted: Sequence[str]) -> None:
    missing = [name for name in wanted if name not in said]
    if missing:
        raise SignatureError(f"in {signature!r}: how {what} lacks {', '.join(missing)}")


def interval_words(signature: str) -> list[str]:
    """What a signature says about an interval, in words; nothing if it has none.

    >>> interval_words("parseval|v:0.2.0.dev0|ci:bca|level:0.95|n:1000|seed:1|unit:document")
    ['95 % intervals by the bootstrap (bca): 1000 samples of documents, seed 1']
    """
    _, found, rest = signature.partition("|ci:")
    if not found:
        return []
    said = split_signature(f"ci|ci:{rest}")[1]
    _check_complete(signature, "the interval was made", said, ("level", "n", "seed", "unit"))
    try:
        level = percent(float(said["level"]))
    except ValueError:
        raise SignatureError(f"in {signature!r}: level must be a number, not {said['level']!r}") from None
    drawn = f"{said['n']} samples of {_drawn_in_words(said['unit'])}, seed {said['seed']}"
    return [f"{level} intervals by the bootstrap ({said['ci']}): {drawn}", *_scored_in_words(said)]


def _scored_in_words(said: Mapping[str, str]) -> list[str]:
    """Of which sentences scores are that stand beside those of other systems, where that is said."""
    return ["only sentences that every compared system has a score for"] if said.get("scored") == "by-all" else []


def _drawn_in_words(value: str) -> str:
    """What is drawn, as a signature has it.

    >>> _drawn_in_words("sentence"), _drawn_in_words("document@2291547a")
    ('sentences', 'documents (the hash of the file of their names begins with 2291547a)')
    """
    unit = unquote(value)
    name = in_words(unit)
    return f"{name}s" + (f" (the hash of the file of their names begins with {unit[-8:]})" if name != unit else "")
