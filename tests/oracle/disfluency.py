"""Words and phrases of disfluent speech by their definitions, for tests: sets, and nothing else.

Charniak and Johnson (2001); Jamshid Lou and Johnson (2020): pairs of a label and the place of a word under it, and
triples of a label and the first and last place of a phrase. Places are those of words that are not punctuation.
"""

from __future__ import annotations

from collections.abc import Collection

import strategies

PUNCTUATION = ("''", ":", "#", ",", ".", "``", "-LRB-", "-RRB-", "-NONE-", "-DFL-")


def sets_of(
    tree: strategies.Phrase, deleted: Collection[str] = PUNCTUATION
) -> tuple[set[tuple[str, int]], set[tuple[str, int, int]], list[str]]:
    """(label, place) of words, (label, left, right) of phrases, and the words that are left."""
    words: set[tuple[str, int]] = set()
    phrases: set[tuple[str, int, int]] = set()
    texts: list[str] = []

    def walk(item: strategies.Node, above: tuple[str, ...]) -> None:
        if isinstance(item, strategies.Word):
            if item.tag not in deleted:
                words.update((label, len(texts)) for label in above)
                texts.append(item.text)
            return
        left = len(texts)
        for child in item.children:
            walk(child, (*above, item.label))
        phrases.add((item.label, left, len(texts)))

    walk(tree, ())
    return words, phrases, texts


def counted(
    gold: set[tuple[str, int]] | set[tuple[str, int, int]],
    test: set[tuple[str, int]] | set[tuple[str, int, int]],
    labels: Collection[str] | None,
) -> tuple[int, int, int]:
    """Matched, gold and test, of these labels."""

    def wanted(
        items: Collection[tuple[str, int] | tuple[str, int, int]],
    ) -> set[tuple[str, int] | tuple[str, int, int]]:
        return {item for item in items if labels is None or item[0] in labels}

    return len(wanted(gold) & wanted(test)), len(wanted(gold)), len(wanted(test))
