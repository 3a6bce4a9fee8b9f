"""Unsupervised parsing F1 in plain Python, one function per convention, straight from what each paper's code counts.

A tree here is the list of its phrases as (start, end) over the words that are left, in opening order, wider than one
word. Slow and readable; the oracle for the profiles of the same names.
"""

from __future__ import annotations

from dataclasses import dataclass

Spans = list[tuple[int, int]]


@dataclass
class Counted:
    """What one sentence adds to the corpus figure, and its own F1 (None where it has none)."""

    matched: int
    gold: int
    test: int
    f1: float | None


def f1(precision: float, recall: float) -> float:
    """Harmonic mean, 0 for nothing."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def of_sets(gold: set[tuple[int, int]], test: set[tuple[int, int]]) -> float:
    """Sentence F1 as PRPN and those after it take it: nothing to find is all found."""
    both = len(gold & test)
    recall = both / len(gold) if gold else 1.0
    precision = both / len(test) if test else (1.0 if not gold else 0.0)
    return f1(precision, recall)


def prpn(words: int, gold: Spans, test: Spans) -> Counted:
    """Whole-sentence spans are left out by value; sets."""
    g, t = ({span for span in spans if span != (0, words)} for spans in (gold, test))
    return Counted(len(g & t), len(g), len(t), of_sets(g, t))


def compound_pcfg(words: int, gold: Spans, test: Spans) -> Counted:
    """One bracket, the outermost, is left out of each list; then sets."""
    g, t = set(gold[1:]), set(test[1:])
    return Counted(len(g & t), len(g), len(t), of_sets(g, t))


def tn_pcfg(words: int, gold: Spans, test: Spans) -> Counted:
    """Whole-sentence spans are left out by value; the corpus figure counts the lists, the sentence figure sets."""
    gold_list, test_list = ([span for span in spans if span != (0, words)] for spans in (gold, test))
    result = sum(span in gold_list for span in test_list)
    missed = sum(span not in test_list for span in gold_list)
    return Counted(result, result + missed, len(test_list), of_sets(set(gold_list), set(test_list)))


def vg_nsl(words: int, gold: Spans, test: Spans) -> Counted:
    """Sets, with the span of the whole sentence."""
    g, t = set(gold), set(test)
    both = len(g & t)
    return Counted(both, len(g), len(t), 2 * both / (len(g) + len(t)) if g or t else None)


CONVENTIONS = {"prpn": prpn, "compound-pcfg": compound_pcfg, "tn-pcfg": tn_pcfg, "vg-nsl": vg_nsl, "shi2020": vg_nsl}
