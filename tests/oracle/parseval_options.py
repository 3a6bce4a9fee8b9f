"""PARSEVAL with all its options in plain Python, for continuous trees in bracket notation.

    result = score(gold, test, treescore.PROFILES["supar"])    # two lists of trees
    result.total["matched"], result.figures["f1"], result.by_label["NP"]

Slow and readable: everything is counted by looking at lists from front to back. Of a recipe only the values of its
options are read. Left out are the quotation marks that are put back (`quotes`), equal words, discontinuous trees, and
all steps of `text` but `fold`. Labels that count as equal must form classes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from oracle.conventions import Span, Tree, crosses, read

Bracket = tuple[str, Span]


@dataclass
class Result:
    total: Counter[str] = field(default_factory=Counter)
    figures: dict[str, float | None] = field(default_factory=dict)
    sentence_f1: list[float | None] = field(default_factory=list)
    by_label: dict[str, list[int]] = field(default_factory=dict)  # gold brackets that are found, and all


@dataclass
class Side:
    tree: Tree
    deleted: list[bool]
    aside: list[bool]
    length: int

    @property
    def forms(self) -> list[str]:
        return [word.form for word, is_deleted in zip(self.tree.words, self.deleted, strict=True) if not is_deleted]

    @property
    def kept(self) -> int:
        return self.deleted.count(False)


def cut(label: str, recipe: Any) -> str:
    for place, character in enumerate(label):
        if character not in recipe.cut or (place == 0 and recipe.cut_start != "yes"):
            continue
        is_first_of_equals = label[0] == character and label[1:place].count(character) == 0
        if recipe.cut_start == "paired" and place > 0 and is_first_of_equals:
            continue
        return label[:place]
    return label


def representative(label: str, recipe: Any) -> str:
    """One name for all labels that count as equal."""
    names = {label}
    while True:
        more = {other for pair in recipe.equal if set(pair) & names for other in pair}
        if more <= names:
            return min(names)
        names |= more


def side_of(text: str, recipe: Any) -> Side:
    tree = read(text)
    in_phrase = [False] * len(tree.words)
    for phrase in tree.phrases:
        if cut(phrase.label, recipe) in recipe.delete_phrases:
            in_phrase[phrase.start : phrase.end] = [True] * phrase.width
    deleted, aside, length = [], [], 0
    for word, is_in_phrase in zip(tree.words, in_phrase, strict=True):
        tag = cut(word.tag, recipe) if recipe.delete_tags == "cut" else word.tag
        is_listed = recipe.delete_words and tag in recipe.delete
        is_not_kept = bool(recipe.keep) and tag not in recipe.keep
        is_gone = is_in_phrase or tag in recipe.delete_phrases
        deleted.append(is_listed or is_not_kept or is_gone or word.form in recipe.delete_forms)
        aside.append(is_gone or tag in recipe.length_ignores)
        length += not (is_not_kept or aside[-1])
    return Side(tree, deleted, aside, length)


def delete_by_gold(gold: Side, test: Side, recipe: Any) -> None:
    """Gold's words decide which words of test are deleted, if they can be paired."""
    are_aside = recipe.lengths == "counted" and any(gold.aside + test.aside)
    if are_aside and gold.aside.count(False) == test.aside.count(False):
        by_gold = iter([deleted for deleted, aside in zip(gold.deleted, gold.aside, strict=True) if not aside])
        test.deleted = [
            deleted if aside else next(by_gold) for deleted, aside in zip(test.deleted, test.aside, strict=True)
        ]
    elif len(gold.deleted) == len(test.deleted):
        test.deleted = list(gold.deleted)
    elif recipe.keep and len(test.deleted) == gold.kept:
        test.deleted = [False] * gold.kept


def same_words(a: Side, b: Side, recipe: Any) -> bool:
    def compared(form: str) -> str:
        return form.lower() if recipe.text == "fold" else form

    return all(compared(first) == compared(other) for first, other in zip(a.forms, b.forms, strict=False))


def outcome(gold: Side, test: Side, recipe: Any) -> str:
    """What becomes of the pair: scored, excluded by the recipe, or failed."""
    too_long = recipe.longest is not None and gold.length > recipe.longest
    if too_long or gold.kept < recipe.least_words or gold.length < recipe.shortest:
        return "excluded"
    if recipe.lengths != "any" and gold.kept == 0:
        return "excluded"
    if recipe.lengths == "counted" and gold.length != test.length:
        return "failed"
    if recipe.lengths != "any" and test.kept == 0:
        return "failed"
    if recipe.lengths == "same" and gold.kept != test.kept:
        return "failed"
    return "scored" if recipe.words == "any" or same_words(gold, test, recipe) else "failed"


def brackets(side: Side, recipe: Any, root: str) -> list[Bracket]:
    """Those that count, with labels as they are compared."""
    before = [0]
    for is_deleted in side.deleted:
        before.append(before[-1] + (not is_deleted))
    listed = {cut(label, recipe) if recipe.cut_delete else label for label in recipe.delete}
    listed |= {other for pair in recipe.equal if set(pair) & listed for other in pair} | set(recipe.delete_phrases)
    phrases = side.tree.phrases
    outermost = True
    items = []
    for number, phrase in enumerate(phrases):
        span = before[phrase.start], before[phrase.end]
        label = cut(phrase.label, recipe)
        if span[0] == span[1] or label in listed:
            continue
        if recipe.outer == "ignored" and phrase.label in ("", "TOP", "ROOT", "S1", "VROOT"):
            continue
        is_wrapper = number == 0 and phrase.label == "" and len(phrases) > 1 and phrases[1].span == phrase.span
        if recipe.outer == "unwrapped" and is_wrapper:
            continue
        if span[1] - span[0] < recipe.least_width:
            continue
        if root == "drop-whole" and span == (0, before[-1]):
            continue
        if root == "drop-outermost" and outermost:
            outermost = False
            continue
        items.append((representative(label, recipe), span))
    return items


def spans(listed: Sequence[Bracket]) -> Counter[Span]:
    return Counter(span for _, span in listed)


def compare(gold: list[Bracket], test: list[Bracket], recipe: Any, result: Result) -> None:
    total = result.total

    def compared(listed: list[Bracket]) -> list[Any]:
        return list(listed) if recipe.labels else [span for _, span in listed]

    gold_list, test_list = compared(gold), compared(test)
    if recipe.duplicates == "keep":
        gold_counted, test_counted = gold_list, test_list
    else:
        gold_counted, test_counted = sorted(set(gold_list)), sorted(set(test_list))
    matched = (Counter(gold_counted) & Counter(test_counted)).total()
    unlabelled = (spans(gold_counted) & spans(test_counted)).total() if recipe.labels else matched
    crossing_list = test_list if recipe.duplicates == "once" else test_counted
    crossing = sum(
        any(crosses(bracket[1] if recipe.labels else bracket, other) for _, other in gold) for bracket in crossing_list
    )
    gold_size, test_size = len(gold_counted), len(test_counted)
    if recipe.duplicates == "once":
        gold_size, test_size = len(gold_list), len(test_list)
    add_sentence(matched, gold_size, test_size, recipe, result)
    if recipe.duplicates == "members":
        matched = unlabelled = sum(bracket in gold_list for bracket in test_list)
        gold_size = matched + sum(bracket not in test_list for bracket in gold_list)
        test_size = len(test_list)
    can_be_exact = recipe.empty != "zero" or gold_size + test_size > 0
    total.update(matched=matched, gold=gold_size, test=test_size, unlabelled=unlabelled, crossing=crossing)
    total["exact"] += can_be_exact and matched == gold_size == test_size
    total["unlabelled_exact"] += can_be_exact and unlabelled == gold_size == test_size
    total["no_crossing"] += crossing == 0


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def add_sentence(matched: int, gold: int, test: int, recipe: Any, result: Result) -> None:
    rates = [ratio(2 * matched, gold + test), ratio(matched, test), ratio(matched, gold)]
    if recipe.empty == "perfect":
        if gold == 0:
            rates = [float(test == 0), float(test == 0), 1.0]
        elif test == 0:
            rates[1] = 0.0
    elif recipe.empty == "zero":
        rates = [rate or 0.0 for rate in rates]
    result.sentence_f1.append(rates[0])
    for name, rate in zip(("f1", "precision", "recall"), rates, strict=True):
        if rate is not None:
            result.figures[f"sentence_{name}"] = (result.figures.get(f"sentence_{name}") or 0.0) + rate
            result.total[f"sentences_with_{name}"] += 1


def count_labels(gold: list[Bracket], test: list[Bracket], recipe: Any, result: Result) -> None:
    """Of each label in gold: how many brackets the test side has too, and how many there are."""

    def key(bracket: Bracket) -> Any:
        return bracket if recipe.labels else bracket[1]

    def add(label: str, actual: int, number: int) -> None:
        entry = result.by_label.setdefault(label, [0, 0])
        entry[0] += actual
        entry[1] += number

    others = {key(bracket) for bracket in test}
    if recipe.label_duplicates == "members":
        for bracket in gold:
            add(bracket[0], key(bracket) in others, 1)
    elif recipe.duplicates == "keep":
        free = Counter(map(key, test))
        for bracket in gold:
            add(bracket[0], free[key(bracket)] > 0, 1)
            free[key(bracket)] -= free[key(bracket)] > 0
    else:
        for bracket in set(gold):
            add(bracket[0], key(bracket) in others, gold.count(bracket) if recipe.duplicates == "once" else 1)


def figures(result: Result, recipe: Any) -> None:
    total, actual = result.total, result.figures
    for name in ("f1", "precision", "recall"):
        actual[f"sentence_{name}"] = ratio(actual.get(f"sentence_{name}") or 0.0, total[f"sentences_with_{name}"])
    for prefix, matched in (("", total["matched"]), ("unlabelled_", total["unlabelled"])):
        actual[f"{prefix}precision"] = ratio(matched, total["test"])
        actual[f"{prefix}recall"] = ratio(matched, total["gold"])
        actual[f"{prefix}f1"] = ratio(2 * matched, total["gold"] + total["test"])
        if recipe.undefined == "either" and 0 in (total["gold"], total["test"]):
            actual[f"{prefix}f1"] = None
    for name in ("exact", "unlabelled_exact", "no_crossing"):
        actual[name] = ratio(total[name], total["valid"])
    actual["average_crossing"] = ratio(total["crossing"], total["valid"])
    if recipe.undefined in ("zero", "zero-shares"):
        for name, value in actual.items():
            is_f1 = name.endswith("f1") and recipe.undefined == "zero-shares"
            if value is None and not name.startswith("sentence_") and not is_f1:
                actual[name] = 0.0


def score(gold: Sequence[str], test: Sequence[str], recipe: Any) -> Result:
    result = Result()
    for gold_text, test_text in zip(gold, test, strict=True):
        gold_side, test_side = side_of(gold_text, recipe), side_of(test_text, recipe)
        if recipe.delete_by == "gold":
            delete_by_gold(gold_side, test_side, recipe)
        what = outcome(gold_side, test_side, recipe)
        result.total[what] += 1
        if what != "scored":
            result.sentence_f1.append(None)
            continue
        result.total["valid"] += 1
        gold_brackets, test_brackets = (brackets(side, recipe, recipe.root) for side in (gold_side, test_side))
        compare(gold_brackets, test_brackets, recipe, result)
        if recipe.label_root == "keep":
            gold_brackets, test_brackets = (brackets(side, recipe, "keep") for side in (gold_side, test_side))
        count_labels(gold_brackets, test_brackets, recipe, result)
    figures(result, recipe)
    return result
