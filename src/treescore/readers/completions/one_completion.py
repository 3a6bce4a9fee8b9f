"""What one completion is taken for: the tree in it, or the reason why there is none.

>>> sentence = Sentence(["the", "cat"])
>>> read_completion("Here it is: **(NP (DT the) (NN cat))**", sentence).outcome
'extracted'
>>> read_completion("(NP (DT the) (NN cat)", sentence).repairs
['close']
>>> read_completion("I cannot do this.", sentence).reason
'no-tree'
"""

from __future__ import annotations

from .candidates import Candidates
from .completion import REPAIRS, Completion
from .folding import BLANKS, Sentence, difference
from .json_strings import json_strings
from .pieces import answer, blocks
from .repairs import (
    ODD_BLANKS,
    OTHER_BRACKETS,
    PARENTHESES,
    mended,
    with_other_brackets,
    with_tags,
    with_words,
    without_odd_blanks,
)
from .tree_text import is_one_tree, words_of, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .candidates import Candidate

_ALL = frozenset(REPAIRS)


def read_completion(
    text: str, sentence: Sentence, allowed: frozenset[str] = _ALL, *, id: str | None = None, index: int = 0
) -> Completion:
    """Read the tree of a sentence from what a model printed, with the `allowed` repairs."""
    answered = answer(text).strip(BLANKS)
    if not answered:
        return Completion(text, "rejected", reason="empty", id=id, index=index)
    if _is_valid(answered):
        outcome, tree, repairs = "valid", written(answered), []
    else:
        chosen, reason = _chosen(answered, sentence, allowed)
        if chosen is None:
            return Completion(text, "rejected", reason=reason, id=id, index=index)
        outcome, tree, repairs = "extracted", chosen.tree, chosen.repairs
    words = words_of(tree)
    if words != sentence.words:
        tree, words, more = _repaired_words(tree, words, sentence, allowed)
        repairs = [*repairs, *more]
    is_faithful = words == sentence.words
    return Completion(
        text,
        "repaired" if repairs else outcome,
        tree,
        is_faithful,
        repairs=[name for name in REPAIRS if name in repairs] if len(repairs) > 1 else repairs,
        difference=None if is_faithful else difference(words, sentence.words),
        id=id,
        index=index,
    )


def _is_valid(text: str) -> bool:
    """Is the text a tree as printed?"""
    return is_one_tree(text) and not PARENTHESES.search(text) and (text.isascii() or not ODD_BLANKS.search(text))


def _chosen(text: str, sentence: Sentence, allowed: frozenset[str]) -> tuple[Candidate | None, str]:
    """The tree in the text; if there is none, the reason."""
    strings = json_strings(text)
    candidates = Candidates(sentence, allowed)
    for string in [text] if strings is None else strings:
        for block, is_fenced in blocks(string, "()"):
            candidates.add_block(mended(block), is_fenced)
    chosen, reason = candidates.chosen(), candidates.reason
    if chosen is None and strings is None and "brackets" in allowed:
        chosen = _chosen_with_other_brackets(text, sentence, allowed)
    return chosen, reason


def _chosen_with_other_brackets(text: str, sentence: Sentence, allowed: frozenset[str]) -> Candidate | None:
    for brackets in OTHER_BRACKETS:
        if brackets[0] not in text:
            continue
        candidates = Candidates(sentence, allowed)
        for block, is_fenced in blocks(text, brackets):
            candidates.add_block(without_odd_blanks(with_other_brackets(block, brackets)), is_fenced)
        chosen = candidates.chosen()
        if chosen is not None:
            chosen.repairs.append("brackets")
            return chosen
    return None


def _repaired_words(
    tree: str, words: list[str], sentence: Sentence, allowed: frozenset[str]
) -> tuple[str, list[str], list[str]]:
    """The tree, its words, and the repairs of its words, which are not those of the sentence."""
    repairs = []
    tagged = with_tags(tree, words, sentence) if "slash" in allowed else None
    if tagged is not None:
        tree, words = tagged
        repairs.append("slash")
    if "notation" in allowed and words != sentence.words and sentence.has_notation_of(words):
        tree, words = with_words(tree, sentence.words), sentence.words
        repairs.append("notation")
    return tree, words, repairs
