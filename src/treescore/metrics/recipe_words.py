"""Recipes in words, for `treescore info`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..recipe import Recipe

_ROOT = {
    "keep": "the bracket over the whole sentence counts like any other",
    "drop-whole": "brackets over the whole sentence do not count",
    "drop-outermost": "the outermost bracket does not count, another one over the whole sentence does",
}
_DUPLICATES = {
    "keep": "equal brackets count as often as they occur",
    "drop": "equal brackets count once",
    "members": "in the corpus figure every listed bracket counts if the other side has it at all",
}
_EMPTY = {
    "undefined": "a sentence without brackets has no sentence F1",
    "perfect": "a sentence without gold brackets has recall 1, and F1 1 if the test has none either",
}


def _list(items: tuple[str, ...]) -> str:
    return " ".join(item or '""' for item in items) if items else "nothing"


def _pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{a} = {b}" for a, b in pairs) if pairs else "none"


def _text(steps: str) -> str:
    from ..words.normal import Normal

    return Normal.parse(steps).describe()


_SENTENCES: dict[str, Callable[[Any], str]] = {
    "labels": lambda it: "labels must agree" if it else "labels are ignored, only spans count",
    "delete": lambda it: f"left out by label or tag: {_list(it)}",
    "delete_words": lambda it: (
        "words with a listed tag are deleted before spans are numbered"
        if it
        else "words are never deleted, only brackets are"
    ),
    "delete_by": lambda it: (
        "words are deleted by the tags of their own side"
        if it == "own"
        else "words are deleted by the gold tags on both sides, if there are as many words"
    ),
    "delete_forms": lambda it: f"words that are deleted whatever their tags: {_list(it)}",
    "only": lambda it: (
        "continuous and discontinuous phrases count" if it == "all" else "only discontinuous phrases count"
    ),
    "uncounted": lambda it: f"not counted in the sentence length: {_list(it)}",
    "quotes": lambda it: f"quotation marks with these tags are put back where only one side deletes them: {_list(it)}",
    "equal_labels": lambda it: f"labels that count as equal: {_pairs(it)}",
    "equal_words": lambda it: f"words that count as equal: {_pairs(it)}",
    "text": _text,
    "cut": lambda it: f"labels are cut at the first of {' '.join(it)}" if it else "labels are compared whole",
    "cut_start": lambda it: (
        "a label may be cut at its first character" if it else "a label is never cut at its first character"
    ),
    "cut_tags": lambda it: "tags are cut like labels" if it else "tags are compared whole",
    "cut_delete": lambda it: (
        "the list of what is left out is cut like labels" if it else "the list of what is left out is taken as written"
    ),
    "least_width": lambda it: (
        "brackets over a single word count" if it <= 1 else f"brackets over fewer than {it} words do not count"
    ),
    "least_words": lambda it: (
        "sentences of any length count" if it <= 1 else f"sentences of fewer than {it} words are left out"
    ),
    "most_length": lambda it: (
        "long sentences count like others" if it is None else f"sentences longer than {it} words are left out"
    ),
    "outer": lambda it: (
        "outer brackets count unless their label is listed"
        if it == "counted"
        else "outer brackets do not count (no label, TOP, ROOT, S1 or VROOT)"
    ),
    "root": _ROOT.__getitem__,
    "duplicates": _DUPLICATES.__getitem__,
    "empty": _EMPTY.__getitem__,
    "average": lambda it: (
        "the score is taken over the corpus as a whole"
        if it == "corpus"
        else "the score is the mean of the sentence scores"
    ),
}


def describe(recipe: Recipe) -> dict[str, str]:
    """What a recipe does, one sentence per option."""
    return {name: say(_in_order(getattr(recipe, name))) for name, say in _SENTENCES.items()}


def _in_order(value: Any) -> Any:
    """Lists say the same in any order, up to repetition."""
    return tuple(dict.fromkeys(value)) if isinstance(value, tuple) else value
