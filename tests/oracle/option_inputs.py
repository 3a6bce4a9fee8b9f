"""Random pairs of trees and random values of the options of recipes, for the plain Python model of PARSEVAL."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import treescore

LABELS = [
    *("S", "NP", "VP", "PP", "SBAR", "ADVP", "PRT", "VB", "ADJP", "S1", "ROOT", "TOP", "FRAG"),
    *("NP-SBJ", "PP=2", "PRT-X", "NP|Y", "-LRB-", "CODE", "IP"),
]
FORMS = {
    **{",": ",", ".": ".", ":": "--", "``": "``", "''": "''", "-NONE-": "*", "$": "$", "#": "#"},
    **{"HYPH": "-", "NFP": ":-D", "-LRB-": "-LRB-", "POS": "'", ",-HL": ",", "CODE": "{D"},
}
TAGS = ["NN", "NNS", "VBZ", "DT", "JJ", *FORMS]
TagsAndForms = list[tuple[str, str]]


def tree_over(rng: Random, words: Sequence[tuple[str, str]]) -> str:
    """A tree with chains, over words of which none is lost."""

    def build(part: Sequence[tuple[str, str]]) -> str:
        label = rng.choice(LABELS)
        if len(part) == 1 and rng.random() < 0.7:
            return f"({part[0][0]} {part[0][1]})"
        if len(part) == 1 or rng.random() < 0.15:
            return f"({label} {build(part)})"
        pieces: list[str] = []
        begin = 0
        while begin < len(part):
            most = len(part) - begin - (not pieces)
            size = rng.randint(1, max(1, most))
            pieces.append(build(part[begin : begin + size]))
            begin += size
        return f"({label} {' '.join(pieces)})"

    tree = build(words)
    if tree[1:].split()[0] in TAGS:
        tree = f"(S {tree})"
    if rng.random() < 0.15:
        tree = f"( {tree})"
    return f"({rng.choice(['TOP', 'ROOT'])} {tree})" if rng.random() < 0.15 else tree


def random_pair(rng: Random) -> tuple[str, str]:
    """Mostly the same words; some tags and forms differ, and words may be missing in test."""
    words: TagsAndForms = []
    for _ in range(rng.randint(1, 8)):
        tag = rng.choice(TAGS)
        words.append((tag, FORMS.get(tag) or rng.choice(["tea", "dog", "a", "Fish"])))
    test = [
        (rng.choice(TAGS) if rng.random() < 0.1 else tag, rng.choice(["tea", "fish"]) if rng.random() < 0.03 else form)
        for tag, form in words
    ]
    if rng.random() < 0.1 and len(test) > 1:
        del test[rng.randrange(len(test))]
    if rng.random() < 0.1:
        test = [word for word in test if word[0].isalpha()] or test
    return tree_over(rng, words), tree_over(rng, test)


def random_values(rng: Random) -> dict[str, Any]:
    """Arguments of a recipe; every option has its default in about half of all recipes."""

    def some(names: list[str], most: int) -> tuple[str, ...]:
        return tuple(rng.sample(names, rng.randint(1, most)))

    values = {
        "labels": False,
        "delete": some(["TOP", "ROOT", "", "S1", ",", ":", ".", "-NONE-", "NP", "ADVP", "''"], 6),
        "delete_words": False,
        "keep": ("NN", "NNS", "VBZ", "DT", "JJ", *some(["POS", "$", "-LRB-", ",", "HYPH"], 3)),
        "delete_by": "gold",
        "delete_tags": "cut",
        "delete_phrases": some(["CODE", "IP", "FRAG"], 2),
        "delete_forms": some(["-", "--", "'", ",", "-LRB-", "dog"], 4),
        "length_ignores": some(["-NONE-", ",", ".", "CODE"], 3),
        "equal": rng.choice([(("ADVP", "PRT"),), (("ADVP", "PRT"), ("VP", "VB")), (("NP", "PP"), ("TOP", "S1"))]),
        "text": "fold",
        "words": "any",
        "lengths": rng.choice(["counted", "any"]),
        "cut": rng.choice(["", "-", "-=|#^~_[", "|"]),
        "cut_start": rng.choice(["no", "paired"]),
        "cut_delete": True,
        "least_width": 2,
        "least_words": rng.randint(1, 4),
        "shortest": rng.randint(1, 4),
        "longest": rng.randint(1, 7),
        "outer": rng.choice(["ignored", "unwrapped"]),
        "root": rng.choice(["drop-whole", "drop-outermost"]),
        "duplicates": rng.choice(["drop", "once", "members"]),
        "label_root": "keep",
        "label_duplicates": "members",
        "empty": rng.choice(["perfect", "zero"]),
        "undefined": rng.choice(["zero", "zero-shares", "either"]),
        "average": "sentence",
    }
    return {name: value for name, value in values.items() if rng.random() < 0.4}


def random_recipe(rng: Random) -> treescore.Recipe:
    recipe = rng.choice([treescore.Recipe(), *treescore.PROFILES.values()])
    if recipe.words == "aligned" or recipe.quotes or rng.random() < 0.3:
        recipe = treescore.Recipe()
    return recipe.replace(**random_values(rng))
