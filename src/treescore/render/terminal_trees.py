"""Gold and test on a terminal: one node on a line, with box characters, marks and colours.

>>> import treescore
>>> gold = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN cat)) (PP (IN with) (NP (NNS eyes)))))"
>>> test = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN cat)) (PP (IN with) (NP (NNS eyes))))))"
>>> print("\\n".join(tree_lines({"test": treescore.pair(gold, test)}, 76)))
gold                                   test
S                                      S
├ NP I                                 ├ NP I
└ VP                                   └ VP
  ├ VBD saw                              ├ VBD saw
  │                                      └ +NP
  ├ NP a cat                               ├ NP a cat
  └ PP                                     └ PP
    ├ IN with                                ├ IN with
    └ NP eyes                                └ NP eyes
<BLANKLINE>
+ extra: only in test
"""

from __future__ import annotations

from .._version import __version__
from ..analysis.sentences import sentence_name
from ..analysis.tree_pair import words_at
from ..draw.colours import SIGNS, colour_numbers, letters, share, signs
from ..helpers.text import clipped, cut_to_fit, isolated, number_of, padded, shortened, visible, width, wrapped
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ..analysis.tree_pair import PairNode, TreePair
    from ..trees import Tree

    #: Text, and how it is painted.
    Piece = tuple[str, str | int]

#: What is put on one line: nothing that could have its own; phrases over nothing but words; all that is right.
FOLDS = ("nothing", "words", "right")

_INDENT = 9  # columns of the points before a loss
_GAP = 2  # columns between trees that stand side by side
_LEAST = 36  # columns that a tree needs beside another
_TEXT = 16  # columns for labels and words behind the deepest indentation of trees that stand side by side
_DEEPEST = 2 / 3  # of the columns are for indentation at most

# Palette colours are those of the pictures, as near as terminals have them; aligned phrases take them in turn.
_COLOURS = {
    256: ("38;5;32", "38;5;166", "38;5;36", "38;5;175", "38;5;74", "38;5;214"),
    16: ("34", "31", "32", "35", "36", "33"),
}
_STYLES = {"alone": "1", "ignored": "90", "heading": "1"}


class _Line:
    """A line of one tree: what stands before it, its text, the node it is about, and what stands above it in a gap."""

    __slots__ = ("above", "node", "pieces", "prefix")

    def __init__(self, prefix: str, pieces: list[Piece], node: int | None = None) -> None:
        self.prefix, self.pieces, self.node = prefix, pieces, node
        self.above = prefix.replace("├", "│").replace("└", "│")

    @property
    def width(self) -> int:
        return len(self.prefix) + sum(width(text) for text, _ in self.pieces)


class TreePairsView(Value):
    """The contents of sentences, each with its trees by system; `note` says why these, the others how text looks."""

    sentences: Sequence[Mapping[str, TreePair]]
    note: str = ""
    columns: int = 80
    colours: int = 0
    fold: str = "words"

    def text(self) -> Iterator[str]:
        """Trees for a terminal, with empty lines between the sentences."""
        if self.note:
            yield f"{self.note}\n\n" if self.sentences else f"{self.note}\n"
        for number, pairs in enumerate(self.sentences):
            if number:
                yield "\n"
            for line in sentence_lines(pairs, self.columns, colours=self.colours, fold=self.fold):
                yield f"{line}\n"

    def data(self) -> dict[str, Any]:
        """Scores, words, nodes and explanations."""
        return {"treescore": __version__, "sentences": list(map(_sentence_values, self.sentences))}


def _sentence_values(pairs: Mapping[str, TreePair]) -> dict[str, Any]:
    first = next(iter(pairs.values()))
    systems = {name: _pair_values(pair) for name, pair in pairs.items()}
    return {"sentence": first.number, "id": first.id, "signature": first.signature, "systems": systems}


def _pair_values(pair: TreePair) -> dict[str, Any]:
    gold, test = ([node.values() for node in nodes] for nodes in pair.nodes)
    return {
        "score": pair.score,
        "axis": pair.axis.name,
        "words": {"gold": pair.gold.leaves, "test": pair.test.leaves},
        "nodes": {"gold": gold, "test": test},
        "explanation": pair.explain().values(),
    }


def sentence_lines(
    pairs: Mapping[str, TreePair], columns: int = 80, *, colours: int = 0, fold: str = "words", losses: int = 3
) -> Iterator[str]:
    """One sentence: its scores, its trees, so many of the largest losses of each system, and what is wrong with it."""
    first = next(iter(pairs.values()))
    yield _painted([(_title(first, pairs), "heading")], colours)
    yield visible(first.signature)
    yield ""
    yield from tree_lines(pairs, columns, colours=colours, fold=fold)
    for name, pair in zip(_names(pairs), pairs.values(), strict=True):
        said = [line for text in _said(pair, losses) for line in _indented(text, columns)]
        if said:
            yield ""
            what = "points lost by" if pair.score is not None else "no score for"
            yield _painted([(f"{what} {clipped(name, columns // 2)}", "heading")], colours)
            yield from said


def _title(first: TreePair, pairs: Mapping[str, TreePair]) -> str:
    scores = ["–" if pair.score is None else f"{100 * pair.score:.2f}" for pair in pairs.values()]
    if len(pairs) > 1:
        scores = [f"{letter} {score}" for letter, score in zip(letters(len(pairs)), scores, strict=True)]
    return ": ".join(filter(None, (sentence_name(first), ", ".join(scores))))


def _said(pair: TreePair, losses: int) -> Iterator[str]:
    yield from pair.explain().loss_lines(losses)
    yield from (f"{'!':>{_INDENT - 2}}  {visible(str(problem))}" for problem in pair.problems)


def _indented(text: str, columns: int) -> list[str]:
    """A line of an explanation on as many as it needs."""
    room = max(columns - _INDENT, 1)
    words = (cut_to_fit(word, lambda part: width(part) <= room) for word in text[_INDENT:].split(" "))
    first, *rest = wrapped((part for parts in words for part in parts), room)
    return [text[:_INDENT] + first, *(" " * _INDENT + line for line in rest)]


def tree_lines(
    pairs: Mapping[str, TreePair], columns: int = 80, *, colours: int = 0, fold: str = "words"
) -> Iterator[str]:
    """The gold tree and those of one system or several: side by side if there is room, else one below the other.

    `colours` is how many the terminal has: 0, 16 or 256. `fold` is one of `FOLDS`.
    """
    sides = _sides(pairs)
    together = (columns - _GAP * (len(sides) - 1)) // len(sides)
    beside = together >= max(_LEAST, *(2 * side.depth(fold) + _TEXT for side in sides))
    trees = [side.lines(together if beside else columns, fold) for side in sides]
    if beside:
        yield from _side_by_side(sides, trees, together, colours)
    else:
        for number, (side, lines) in enumerate(zip(sides, trees, strict=True)):
            if number:
                yield ""
            yield _painted([(clipped(side.name, columns), "heading")], colours)
            yield from (line.prefix + _painted(line.pieces, colours) for line in lines)
    yield from _legend(sides, columns)


def _sides(pairs: Mapping[str, TreePair]) -> list[_Side]:
    """Gold, and each system."""
    marks = letters(len(pairs))
    first = next(iter(pairs.values()))
    golds = [pair.nodes[0] for pair in pairs.values()]
    colour = colour_numbers(list(pairs.values()))
    gold = _Side("gold", first.gold, golds, marks, colour)
    sides = [gold]
    for letter, name, pair in zip(marks, _names(pairs), pairs.values(), strict=True):
        painted = {node.number: colour[node.partner] for node in pair.nodes[1] if node.partner in colour}
        sides.append(_Side(name, pair.test, [pair.nodes[1]], [letter], painted))
        sides[-1].has_words_of_gold = sides[-1].words == gold.words
    return sides


def _names(pairs: Iterable[str]) -> list[str]:
    """The names of systems; several have letters, so that gold can name them."""
    names = [visible(name) for name in pairs]
    if len(names) == 1:
        return names
    return [f"{letter}: {name}" for letter, name in zip(letters(len(names)), names, strict=True)]


class _Side:
    """A tree, and what became of each of its nodes in one pair or several."""

    def __init__(
        self,
        name: str,
        tree: Tree,
        views: list[list[PairNode]],
        letters: list[str],
        colour: dict[int, int],
    ) -> None:
        self.name, self.views, self.letters, self.colour = name, views, letters, colour
        self.words, self.has_words_of_gold = tree.leaves, True
        self.signs: set[str] = set()  # those that were shown
        _, self.below, self.top = tree.numbered()
        self.preterminals = {node.first: node.number for node in views[0] if node.is_preterminal}
        self._measure()

    def _measure(self) -> None:
        """How high each node stands above its words, and how many nodes below it or itself are not quite right."""
        size = len(self.below)
        self.height, self.faults = [0] * size, [0] * size
        for number in range(size - 1, -1, -1):
            self.faults[number] += any(_is_fault(view[number]) for view in self.views)
            for child in self.below[number]:
                if child >= 0:
                    self.height[number] = max(self.height[number], self.height[child] + 1)
                    self.faults[number] += self.faults[child]

    def is_folded(self, number: int, fold: str) -> bool:
        """Does a phrase stand on a line with all its words?"""
        if self.views[0][number].is_preterminal:
            return True
        if fold == "nothing":
            return False
        below = self.below[number]
        if all(child < 0 or (self.views[0][child].is_preterminal and not self.faults[child]) for child in below):
            return True
        return fold == "right" and not self.faults[number]

    def depth(self, fold: str) -> int:
        """How far it is indented."""
        deepest = 0
        levels = [0] * len(self.below)
        for number, below in enumerate(self.below):
            if not self.is_folded(number, fold):
                deepest = max(deepest, levels[number] + 1)
                for child in below:
                    if child >= 0:
                        levels[child] = levels[number] + 1
        return deepest

    def lines(self, columns: int, fold: str) -> list[_Line]:
        """The lines of the tree; what is too deep for them is cut off, and said to be."""
        lines: list[_Line] = []
        deepest = int(columns * _DEEPEST) // 2
        waiting = [(child, "", "") for child in reversed(self.top)]
        while waiting:
            child, before, branch = waiting.pop()
            inner = before + {"": "", "├ ": "│ ", "└ ": "  "}[branch]
            if child < 0:
                lines += _lines_of(
                    before + branch, inner + "  ", [("·", "ignored")], [self.words[~child]], columns, None
                )
                continue
            label = self._label(child, columns - len(before + branch))
            words: list[str] = []
            below: Sequence[int] = ()
            if self.is_folded(child, fold):
                words = self._words(child)
            elif len(inner) // 2 >= deepest:
                words = [*self._cut_off(child).split(), shortened(self._words(child), columns // 2)]
            else:
                below = self.below[child]
            lines += _lines_of(before + branch, inner + ("│ " if below else "  "), label, words, columns, child)
            for place in range(len(below) - 1, -1, -1):
                waiting.append((below[place], inner, "└ " if place == len(below) - 1 else "├ "))
        return lines

    def _cut_off(self, number: int) -> str:
        faults = self.faults[number] - any(_is_fault(view[number]) for view in self.views)
        wrong = f", {faults:,} not quite right" if faults else ""
        return f"… {number_of(self.height[number], 'level')} more{wrong}:"

    def _words(self, number: int) -> list[str]:
        """The words of a node, with dots where it has a gap."""
        found: list[int] = []
        node = self.views[0][number]
        size = node.last - node.first
        waiting = [number]
        while waiting and len(found) < size:
            child = waiting.pop()
            if child < 0:
                found.append(~child)
            elif self.views[0][child].is_preterminal:
                found.append(self.views[0][child].first)
            else:
                waiting += self.below[child]
        return words_at(self.words, sorted(found))

    def _label(self, number: int, room: int) -> list[Piece]:
        """Signs, label, and how much of a node its partner shares; for gold, in each of several systems."""
        nodes = [view[number] for view in self.views]
        found = [signs(node) for node in nodes]
        before = "".join(sign for sign in found[0] if all(sign in own for own in found))
        self.signs |= set("".join(found))
        if all(node.mark == "ignored" for node in nodes):
            style: str | int = "ignored"
        elif all(node.partner is None for node in nodes):
            style = "alone"
        else:
            style = self.colour.get(number, "")
        notes = [share(node.iou) or own for node, own in zip(nodes, found, strict=True)]
        if len(nodes) > 1:
            notes = [f"{letter} {note}" for letter, note in zip(self.letters, notes, strict=True) if note != before]
        elif notes == [before]:
            notes = []
        behind = f" [{', '.join(notes)}]" if notes else ""
        label = clipped(visible(nodes[0].label) or "(empty)", max(room - width(before + behind), 4))
        pieces: list[Piece] = [(before + isolated(label), style)]
        return [*pieces, (behind, "")] if behind else pieces


def _is_fault(node: PairNode) -> bool:
    return node.mark in ("missing", "extra") or bool(share(node.iou))


def _lines_of(
    prefix: str, inner: str, label: list[Piece], words: Sequence[str], columns: int, node: int | None
) -> list[_Line]:
    """A label and its words, on as many lines as they need."""
    line = _Line(prefix, label, node)
    first, *rest = wrapped(words, max(columns - len(inner), 8), columns - line.width - 1)
    if first:
        line.pieces.append((f" {isolated(first)}", ""))
    return [line, *(_Line(inner, [(isolated(run), "")]) for run in rest)]


def _side_by_side(sides: list[_Side], trees: list[list[_Line]], columns: int, colours: int) -> Iterator[str]:
    """The trees in columns, with aligned nodes on one line as far as their order allows."""
    rows = _rows(sides, trees)
    blank = " " * _GAP
    names = [padded(clipped(side.name, columns), columns) for side in sides]
    yield _painted([(blank.join(names).rstrip(" "), "heading")], colours)
    next_line = [0] * len(trees)
    for row in range(max(max(own, default=-1) for own in rows) + 1):
        cells = []
        for column, lines in enumerate(trees):
            at = next_line[column]
            if at == len(lines):
                text, used = "", 0
            elif rows[column][at] == row:
                line = lines[at]
                text, used = line.prefix + _painted(line.pieces, colours), line.width
                next_line[column] += 1
            else:
                text = lines[at].above if at else ""
                used = len(text)
            cells.append(text + " " * (columns - used))
        yield blank.join(cells).rstrip(" ")


def _rows(sides: list[_Side], trees: list[list[_Line]]) -> list[list[int]]:
    """The row of each line, so that lines about aligned nodes, or the same words with another label, share one."""
    line_of = [{line.node: at for at, line in enumerate(lines) if line.node is not None} for lines in trees]
    rows: list[list[int]] = [[] for _ in trees]
    for line in trees[0]:
        partners = []
        for column in range(1, len(trees)):
            partner = None if line.node is None else _partner(sides, column, line.node)
            at = -1 if partner is None else line_of[column].get(partner, -1)
            if at >= len(rows[column]):
                partners.append(column)
                while len(rows[column]) < at:
                    rows[column].append(_free(rows[column]))
        row = max(_free(rows[column]) for column in (0, *partners))
        for column in (0, *partners):
            rows[column].append(row)
    for own, lines in zip(rows, trees, strict=True):
        while len(own) < len(lines):
            own.append(_free(own))
    return rows


def _partner(sides: list[_Side], column: int, number: int) -> int | None:
    """The node of a system that should stand beside one of gold."""
    node = sides[0].views[column - 1][number]
    if node.partner is None and node.twin is None and node.is_preterminal and sides[column].has_words_of_gold:
        return sides[column].preterminals.get(node.first)
    return node.twin if node.partner is None else node.partner


def _free(rows: list[int]) -> int:
    return rows[-1] + 1 if rows else 0


def _legend(sides: list[_Side], columns: int) -> Iterator[str]:
    said = [f"{sign} {meaning}" for sign, meaning in SIGNS.items() if any(sign in side.signs for side in sides)]
    if said:
        yield ""
        in_one = "   ".join(said)
        yield from [in_one] if len(in_one) <= columns else said


def _painted(pieces: Sequence[Piece], colours: int) -> str:
    return "".join(_in_colour(text, style, colours) if colours else text for text, style in pieces)


def _in_colour(text: str, style: str | int, colours: int) -> str:
    code = _STYLES.get(style) if isinstance(style, str) else _COLOURS[colours][style]
    return f"\x1b[{code}m{text}\x1b[0m" if code else text
