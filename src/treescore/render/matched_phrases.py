"""Alignments of trees: which labels stand over the same words, as a table, for programs, and as parameters of EVALB.

>>> import treescore
>>> found = treescore.align_trees("(S (NP (X a)) (VP (X b)))", "(S (N (X a)) (V (X b)))")
>>> print("".join(as_prm(found, least=1)).splitlines()[-1])
EQ_LABEL VP V
"""

from __future__ import annotations

from ..analysis.matched_phrases import LEAST, SHARE
from ..helpers.text import encode, number_of, visible
from ..readers.prm import Parameters
from ..values.problem import UsageError
from ..values.score import Part
from .grids import Grid, as_text, problem_notes
from .text_alignments import problem_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..analysis.matched_phrases import LabelPair, LabelTable, TreeAlignment
    from .grids import Cell

_MOST_ROWS = 40  # of labels in the table


def tree_alignment(
    found: TreeAlignment, form: str, *, least: int = LEAST, share: float = SHARE, finer: bool = False
) -> Iterator[str]:
    """An alignment in one of the TREE_FORMATS, piece by piece."""
    if form not in TREE_FORMATS:
        raise UsageError(f"the format must be one of {', '.join(TREE_FORMATS)}, not {form!r}")
    return TREE_FORMATS[form](found, least, share, finer)


def as_table(found: TreeAlignment, least: int = LEAST, share: float = SHARE, finer: bool = False) -> Iterator[str]:
    """How much is common, the most frequent pairs of labels, and which of them are proposed as equal."""
    names = [bank.source.name or side for bank, side in ((found.left, "left"), (found.right, "right"))]
    counts, table = found.counts, found.table()
    rows: list[list[Cell]] = [
        [what, Part("", above=counts[aligned], below=counts[whole]), f"{counts[aligned]:,} of {counts[whole]:,}"]
        for what, aligned, whole in (
            (f"sentences of {names[0]}", "aligned_sentences_left", "sentences_left"),
            (f"sentences of {names[1]}", "aligned_sentences_right", "sentences_right"),
            (f"words of {names[0]}", "aligned_words", "words_left"),
            (f"words of {names[1]}", "aligned_words", "words_right"),
            (f"phrases of {names[0]}", "aligned_phrases_left", "phrases_left"),
            (f"phrases of {names[1]}", "aligned_phrases_right", "phrases_right"),
        )
    ]
    yield as_text(Grid(f"{names[0]} and {names[1]} ({found.mode})", ["aligned", "share", "counts"], rows, [])) + "\n"
    proposed = table.proposed(least=least, share=share, finer=finer)
    pairs = table.pairs()
    cells: list[list[Cell]] = [
        [
            f"{pair.left or '(empty)'} ~ {pair.right or '(empty)'}",
            pair.count,
            pair.left_share,
            pair.right_share,
            "equal" if pair in proposed else "",
        ]
        for pair in pairs[:_MOST_ROWS]
    ]
    notes = []
    if len(pairs) > _MOST_ROWS:
        notes.append(f"… and {len(pairs) - _MOST_ROWS:,} more pairs of labels (all of them: -f tsv)")
    notes.append(
        f"{len(proposed):,} proposed as equal: from {number_of(least, 'pair')} and {100 * share:g} % of "
        f"{'one' if finer else 'either'} label on (-f prm writes EVALB's EQ_LABEL)"
    )
    notes += problem_notes(found.problems)
    header = ["labels", "pairs", "of left", "of right", "proposed"]
    yield as_text(Grid("", header, cells, notes))


def as_tsv(found: TreeAlignment, least: int = LEAST, share: float = SHARE, finer: bool = False) -> Iterator[str]:
    """A row for each pair of labels, with a header."""
    table = found.table()
    proposed = {(pair.left, pair.right) for pair in table.proposed(least=least, share=share, finer=finer)}
    yield "left\tright\tpairs\tleft_share\tright_share\tproposed\n"
    for pair in table.pairs():
        mark = "yes" if (pair.left, pair.right) in proposed else "no"
        labels = f"{visible(pair.left)}\t{visible(pair.right)}"
        yield f"{labels}\t{pair.count}\t{pair.left_share:.6f}\t{pair.right_share:.6f}\t{mark}\n"


def as_pairs(found: TreeAlignment, least: int = LEAST, share: float = SHARE, finer: bool = False) -> Iterator[str]:
    """A row for each pair of phrases: sentence, label and span of either; numbers are from 0."""
    yield "left_sentence\tleft_label\tleft_start\tleft_end\tright_sentence\tright_label\tright_start\tright_end\n"
    for pair in found.pairs():
        sides = ((pair.left_sentence, pair.left), (pair.right_sentence, pair.right))
        yield "\t".join(f"{number}\t{visible(it.label)}\t{it.start}\t{it.end}" for number, it in sides) + "\n"


def as_json(found: TreeAlignment, least: int = LEAST, share: float = SHARE, finer: bool = False) -> Iterator[str]:
    """Counts, labels and proposals in one object; the pairs of phrases are in -f pairs."""
    from json import dumps

    from .._version import __version__

    table = found.table()
    whole = {
        "treescore": __version__,
        "left": found.left.source.name,
        "right": found.right.source.name,
        "mode": found.mode,
        "options": found.texts.options,
        "counts": found.counts,
        "labels": {
            name: {label: {"phrases": row[0], "aligned": row[1]} for label, row in side.items()}
            for name, side in (("left", table.left), ("right", table.right))
        },
        "pairs": [pair.values() for pair in table.pairs()],
        "least": least,
        "share": share,
        "finer": finer,
        "proposed": [pair.values() for pair in table.proposed(least=least, share=share, finer=finer)],
        "problems": problem_values(found.problems),
    }
    yield dumps(whole, indent=2) + "\n"


def as_prm(found: TreeAlignment, least: int = LEAST, share: float = SHARE, finer: bool = False) -> Iterator[str]:
    """The proposals as lines of a parameter file for EVALB, with comments."""
    table = found.table()
    names = [visible(bank.source.name or side) for bank, side in ((found.left, "left"), (found.right, "right"))]
    yield from _comments(
        f"labels of {names[0]} and {names[1]} that stand over the same words ({found.mode}): "
        f"{'one' if finer else 'each'} is the most frequent partner of the other, from {number_of(least, 'pair')} and "
        f"{100 * share:g} % of {'that' if finer else 'either'} label on"
    )
    for pair in table.proposed(least=least, share=share, finer=finer):
        shares = f"{pair.count:,} pairs, {100 * pair.left_share:.1f} % and {100 * pair.right_share:.1f} %"
        if not _readable(pair):
            yield from _comments(f"left out, because EVALB could not read it: {pair.left!r} {pair.right!r}, {shares}")
            continue
        both = _on_both_sides(pair, table)
        yield from _comments(shares + (f"; look at it: {both}" if both else ""))
        yield f"EQ_LABEL {pair.left} {pair.right}\n"


def _comments(text: str) -> Iterator[str]:
    """A comment in lines that EVALB, which knows none longer than 499 bytes, reads as such."""
    from textwrap import wrap

    for line in wrap(visible(text), 100):
        yield f"# {line}\n"


def _readable(pair: LabelPair) -> bool:
    parameters = Parameters()
    complaints = parameters.add(encode(f"EQ_LABEL {pair.left} {pair.right}\n"))
    return not complaints and parameters.equal == [(pair.left, pair.right)]


def _on_both_sides(pair: LabelPair, table: LabelTable) -> str:
    """EVALB does not ask on which side a label stands: say so where that matters."""
    shared = [label for label, side in ((pair.left, table.right), (pair.right, table.left)) if label in side]
    return (
        f"{' and '.join(shared)} {'is a label' if len(shared) == 1 else 'are labels'} of both sides" if shared else ""
    )


#: What `treescore align trees -f` takes.
TREE_FORMATS: dict[str, Callable[[TreeAlignment, int, float, bool], Iterator[str]]] = {
    "table": as_table,
    "json": as_json,
    "tsv": as_tsv,
    "prm": as_prm,
    "pairs": as_pairs,
}
