"""Why a sentence fails, from the definitions: trees of one phrase, whose words are compared in plain Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

#: A word with its tag.
Leaf = tuple[str, str]

OUTER = {"TOP", "ROOT", "S1", "VROOT", ""}
_BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}


@dataclass(frozen=True)
class Sentence:
    """The label of the outer bracket, and the words."""

    outer: str
    leaves: Sequence[Leaf]


def escaped_as(word: str) -> str:
    """The word without escapes: brackets as themselves, without backslashes."""
    word = re.sub("-(LRB|RRB|LSB|RSB|LCB|RCB|lrb|rrb|lsb|rsb|lcb|rcb)-", lambda m: _BRACKETS[m[1].lower()], word)
    return re.sub(r"\\(.)", r"\1", word)


def same(gold: Sequence[Leaf], test: Sequence[Leaf], text: Callable[[str], str] = str) -> bool:
    """Are these the same words?"""
    return [text(word) for _, word in gold] == [text(word) for _, word in test]


def causes_of_failure(gold: Sentence, test: Sentence, deleted: frozenset[str]) -> set[str] | None:
    """Why the words left after deletions are not the same; None if they are.

    They are as few conventions as possible, and nothing is known about words that differ in spite of all conventions.
    """
    kept = [place for place, (tag, _) in enumerate(gold.leaves) if tag not in deleted]
    of_gold = [gold.leaves[place] for place in kept]
    of_test = [leaf for leaf in test.leaves if leaf[0] not in deleted]
    by_gold = [test.leaves[place] for place in kept] if len(gold.leaves) == len(test.leaves) else []
    if same(of_gold, of_test):
        return None
    spellings: dict[frozenset[str], Callable[[str], str]] = {
        frozenset(): str,
        frozenset({"failed_by_escapes"}): escaped_as,
        frozenset({"failed_by_case"}): str.lower,
        frozenset({"failed_by_escapes", "failed_by_case"}): lambda word: escaped_as(word.lower()),
    }
    known = [{"failed_by_tags", *causes} for causes, text in spellings.items() if same(of_gold, by_gold, text)]
    known += [set(causes) for causes, text in spellings.items() if same(of_gold, of_test, text)]
    return min(known, key=len, default=set())  # the first of those that are as few


def outer_differs(gold: Sentence, test: Sentence, deleted: frozenset[str]) -> bool:
    """Are the outer brackets compared, and not the same? One without a name is an outer bracket as well."""
    counted = [side.outer in OUTER - deleted for side in (gold, test)]
    return any(counted) and gold.outer != test.outer
