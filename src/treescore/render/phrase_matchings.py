"""A view of matched phrases: labels over the same words, and proposals for EVALB's equal labels.

>>> import treescore
>>> matching = treescore.align_trees("(S (NP (X a)) (VP (X b)))", "(S (N (X a)) (V (X b)))")
>>> print([*PhraseMatchingView(matching, least=1).prm()][-1], end="")
EQ_LABEL VP V
"""

from __future__ import annotations

from .._version import __version__
from ..analysis.phrase_matching import LEAST, SHARE
from ..helpers.problem_lines import problem_values
from ..helpers.text import encode, number_of, visible
from ..readers.prm import Parameters
from ..values.score import Part
from .grids import Grid, problem_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..analysis.phrase_matching import LabelPair, LabelTable, PhraseMatching
    from .grids import Cell

_MOST_ROWS = 40  # pairs of labels in the table


class PhraseMatchingView:
    """The contents of matched phrases; `least`, `share` and `finer` select the labels that are proposed as equal."""

    def __init__(
        self, matching: PhraseMatching, *, least: int = LEAST, share: float = SHARE, finer: bool = False
    ) -> None:
        self.matching, self.least, self.share, self.finer = matching, least, share, finer
        self.labels = matching.table()
        self.proposed = self.labels.proposed(least=least, share=share, finer=finer)

    def tables(self) -> list[Grid]:
        """The shares of matched units, the most frequent pairs of labels, and the proposals."""
        counts, names = self.matching.counts, _names(self.matching)
        rows: list[list[Cell]] = [
            [unit, Part("", above=counts[aligned], below=counts[whole]), f"{counts[aligned]:,} of {counts[whole]:,}"]
            for unit, aligned, whole in (
                (f"sentences of {names[0]}", "aligned_sentences_left", "sentences_left"),
                (f"sentences of {names[1]}", "aligned_sentences_right", "sentences_right"),
                (f"words of {names[0]}", "aligned_words", "words_left"),
                (f"words of {names[1]}", "aligned_words", "words_right"),
                (f"phrases of {names[0]}", "aligned_phrases_left", "phrases_left"),
                (f"phrases of {names[1]}", "aligned_phrases_right", "phrases_right"),
            )
        ]
        title = f"{names[0]} and {names[1]} ({self.matching.mode})"
        return [Grid(title, ["aligned", "share", "counts"], rows, []), self._pairs_of_labels()]

    def _pairs_of_labels(self) -> Grid:
        pairs = self.labels.pairs()
        rows: list[list[Cell]] = [
            [
                f"{pair.left or '(empty)'} ~ {pair.right or '(empty)'}",
                pair.count,
                pair.left_share,
                pair.right_share,
                "equal" if pair in self.proposed else "",
            ]
            for pair in pairs[:_MOST_ROWS]
        ]
        notes = []
        if len(pairs) > _MOST_ROWS:
            notes.append(f"… and {len(pairs) - _MOST_ROWS:,} more pairs of labels (all of them: -f tsv)")
        notes.append(
            f"{len(self.proposed):,} proposed as equal: from {number_of(self.least, 'pair')} and "
            f"{100 * self.share:g} % of {'one' if self.finer else 'either'} label on (-f prm writes EVALB's EQ_LABEL)"
        )
        notes += problem_notes(self.matching.problems)
        return Grid("", ["labels", "pairs", "of left", "of right", "proposed"], rows, notes)

    def rows(self) -> Iterator[list[Cell]]:
        """A row for each pair of labels."""
        yield ["left", "right", "pairs", "left_share", "right_share", "proposed"]
        for pair in self.labels.pairs():
            shares = f"{pair.left_share:.6f}", f"{pair.right_share:.6f}"
            yield [pair.left, pair.right, pair.count, *shares, "yes" if pair in self.proposed else "no"]

    def pairs(self) -> Iterator[list[Cell]]:
        """A row for each pair of phrases: sentence, label and span of both; numbers start at 0."""
        columns = ("sentence", "label", "start", "end")
        yield [f"{side}_{column}" for side in ("left", "right") for column in columns]
        for pair in self.matching.pairs():
            sides = ((pair.left_sentence, pair.left), (pair.right_sentence, pair.right))
            yield [cell for sentence, phrase in sides for cell in (sentence, phrase.label, phrase.start, phrase.end)]

    def data(self) -> dict[str, Any]:
        """Counts, labels and proposals; the format pairs has the pairs of phrases."""
        matching = self.matching
        return {
            "treescore": __version__,
            "left": matching.left.source.name,
            "right": matching.right.source.name,
            "mode": matching.mode,
            "options": matching.texts.options,
            "counts": matching.counts,
            "labels": {
                name: {label: {"phrases": row[0], "aligned": row[1]} for label, row in side.items()}
                for name, side in (("left", self.labels.left), ("right", self.labels.right))
            },
            "pairs": [pair.values() for pair in self.labels.pairs()],
            "least": self.least,
            "share": self.share,
            "finer": self.finer,
            "proposed": [pair.values() for pair in self.proposed],
            "problems": problem_values(matching.problems),
        }

    def prm(self) -> Iterator[str]:
        """The proposals as lines of an EVALB parameter file, with comments."""
        names = [visible(name) for name in _names(self.matching)]
        yield from _comments(
            f"labels of {names[0]} and {names[1]} over the same words ({self.matching.mode}): "
            f"{'one' if self.finer else 'each'} is the most frequent partner of the other, from "
            f"{number_of(self.least, 'pair')} and {100 * self.share:g} % of "
            f"{'that' if self.finer else 'either'} label on"
        )
        for pair in self.proposed:
            shares = f"{pair.count:,} pairs, {100 * pair.left_share:.1f} % and {100 * pair.right_share:.1f} %"
            if not _readable(pair):
                yield from _comments(
                    f"left out, because EVALB could not read it: {pair.left!r} {pair.right!r}, {shares}"
                )
                continue
            both = _on_both_sides(pair, self.labels)
            yield from _comments(shares + (f"; look at it: {both}" if both else ""))
            yield f"EQ_LABEL {pair.left} {pair.right}\n"


def _names(matching: PhraseMatching) -> list[str]:
    return [bank.source.name or side for bank, side in ((matching.left, "left"), (matching.right, "right"))]


def _comments(text: str) -> Iterator[str]:
    """A comment in short lines, because EVALB splits lines of more than 499 bytes."""
    from textwrap import wrap

    for line in wrap(visible(text), 100):
        yield f"# {line}\n"


def _readable(pair: LabelPair) -> bool:
    parameters = Parameters()
    complaints = parameters.add(encode(f"EQ_LABEL {pair.left} {pair.right}\n"))
    return not complaints and parameters.equal == [(pair.left, pair.right)]


def _on_both_sides(pair: LabelPair, table: LabelTable) -> str:
    """A warning if EVALB would apply the equation to labels of both sides; it does not distinguish them."""
    shared = [label for label, side in ((pair.left, table.right), (pair.right, table.left)) if label in side]
    return (
        f"{' and '.join(shared)} {'is a label' if len(shared) == 1 else 'are labels'} of both sides" if shared else ""
    )
