"""Gold and test on a terminal: one node per line, with box characters, marks and colours.

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
from ..analysis.tree_pair import nodes_of, words_at
from ..draw.colours import SIGNS, colour_numbers, letters, share, signs
from ..helpers.text import (
    clipped,
    cut_to_fit,
    isolated,
    number_of,
    padded,
    shortened,
    visible,
    width,
    without_middle,
    wrapped,
)
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ..analysis.tree_pair import PairNode, TreePair
    from ..trees import Tree

    #: Text and its style.
    Piece = tuple[str, str | int]

#: What is folded into one line: nothing; phrases that consist of words; phrases without errors.
FOLDS = ("nothing", "words", "right")

_PRINTED = 2_000  # maximum number of characters of a completion
_INDENT = 9  # columns before the text of a loss
_GAP = 2  # columns between trees that are side by side
_LEAST = 36  # minimum width of trees that are side by side
_TEXT = 16  # columns for labels and words after the deepest indentation of trees that are side by side
_DEEPEST = 2 / 3  # maximum share of columns for indentation

# The colours of the pictures, as close as terminals have them; aligned phrases use them in turn.
_COLOURS = {
    256: ("38;5;32", "38;5;166", "38;5;36", "38;5;175", "38;5;74", "38;5;214"),
    16: ("34", "31", "32", "35", "36", "33"),
}
_STYLES = {"alone": "1", "ignored": "90", "heading": "1"}


class _Line:
    """A line of one tree: its prefix, its text, its node, and the prefix of a gap above it."""

    __slots__ = ("above", "node", "pieces", "prefix")

    def __init__(self, prefix: str, pieces: list[Piece], node: int | None = None) -> None:
        self.prefix, self.pieces, self.node = prefix, pieces, node
        self.above = prefix.replace("├", "│").replace("└", "│")

    @property
    def width(self) -> int:
        return len(self.prefix) + sum(width(text) for text, _ in self.pieces)


class TreePairsView(Value):
    """Sentences with the trees of each system; `note` explains their selection, the other fields are about layout."""

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


class TreesView(Value):
    """Trees without a comparison, by the names of their sentences; `note` explains their selection."""

    trees: Sequence[tuple[str, Tree]]
    note: str = ""
    columns: int = 80
    fold: str = "words"

    def text(self) -> Iterator[str]:
        """Trees for a terminal, with empty lines between them."""
        if self.note:
            yield f"{self.note}\n\n"
        for number, (name, tree) in enumerate(self.trees):
            yield f"\n{name}\n" if number else f"{name}\n"
            side = _Side(name, tree, [nodes_of(tree)], [""], {})
            for line in side.lines(self.columns, self.fold):
                yield f"{line.prefix}{_painted(line.pieces, 0)}\n"


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
        **({} if pair.completion is None else {"completion": pair.completion.values()}),
    }


def sentence_lines(
    pairs: Mapping[str, TreePair], columns: int = 80, *, colours: int = 0, fold: str = "words", losses: int = 3
) -> Iterator[str]:
    """One sentence: its scores, its trees, and the largest `losses` and the problems of each system."""
    first = next(iter(pairs.values()))
    yield _painted([(_title(first, pairs), "heading")], colours)
    yield visible(first.signature)
    yield ""
    yield from tree_lines(pairs, columns, colours=colours, fold=fold)
    for name, pair in zip(_names(pairs), pairs.values(), strict=True):
        if pair.completion is not None:
            yield ""
            yield _painted(
                [(f"completion of {clipped(name, columns // 2)}: {pair.completion.summary}", "heading")], colours
            )
            yield from _printed(pair.completion.text, columns)
        lines = [line for text in _loss_lines(pair, losses) for line in _indented(text, columns)]
        if lines:
            yield ""
            heading = "points lost by" if pair.score is not None else "no score for"
            yield _painted([(f"{heading} {clipped(name, columns // 2)}", "heading")], colours)
            yield from lines


def _printed(text: str, columns: int) -> Iterator[str]:
    """What a language model printed, wrapped; without the middle of a long text."""
    for line in without_middle(text, _PRINTED).split("\n"):
        yield from (f"  {isolated(part)}" for part in _wrapped(visible(line), columns - 2))


def _title(first: TreePair, pairs: Mapping[str, TreePair]) -> str:
    scores = ["–" if pair.score is None else f"{100 * pair.score:.2f}" for pair in pairs.values()]
    if len(pairs) > 1:
        scores = [f"{letter} {score}" for letter, score in zip(letters(len(pairs)), scores, strict=True)]
    return ": ".join(filter(None, (sentence_name(first.number, first.id), ", ".join(scores))))


def _loss_lines(pair: TreePair, losses: int) -> Iterator[str]:
    yield from pair.explain().loss_lines(losses)
    yield from (f"{'!':>{_INDENT - 2}}  {visible(str(problem))}" for problem in pair.problems)


def _indented(text: str, columns: int) -> list[str]:
    """A line of an explanation, wrapped."""
    unindented = text.lstrip(" ")
    start = text.index("  ", len(text) - len(unindented)) + 2  # where the text after the points begins
    first, *rest = _wrapped(text[start:], columns - start)
    return [text[:start] + first, *(" " * start + line for line in rest)]


def _wrapped(text: str, columns: int) -> list[str]:
    """Text in lines of this width; long words are cut."""
    room = max(columns, 1)
    words = (cut_to_fit(word, lambda part: width(part) <= room) for word in text.split(" "))
    return wrapped((part for parts in words for part in parts), room)


def tree_lines(
    pairs: Mapping[str, TreePair], columns: int = 80, *, colours: int = 0, fold: str = "words"
) -> Iterator[str]:
    """The trees of gold and of one or several systems: side by side if there is room, else one below the other.

    `colours` is the terminal's number of colours: 0, 16 or 256. `fold` is one of `FOLDS`.
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
    """Gold and all systems."""
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
    """The names of systems, with letters if there are several, so that gold can refer to them."""
    names = [visible(name) for name in pairs]
    if len(names) == 1:
        return names
    return [f"{letter}: {name}" for letter, name in zip(letters(len(names)), names, strict=True)]


class _Side:
    """A tree, and the outcomes of its nodes in one or several pairs."""

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
        self.signs: set[str] = set()  # signs that were shown, for the legend
        _, self.below, self.top = tree.numbered()
        self.preterminals = {node.first: node.number for node in views[0] if node.is_preterminal}
        self._measure()

    def _measure(self) -> None:
        """The height of each node above its words, and the number of nodes with faults in its subtree."""
        size = len(self.below)
        self.height, self.faults = [0] * size, [0] * size
        for number in range(size - 1, -1, -1):
            self.faults[number] += any(_is_fault(view[number]) for view in self.views)
            for child in self.below[number]:
                if child >= 0:
                    self.height[number] = max(self.height[number], self.height[child] + 1)
                    self.faults[number] += self.faults[child]

    def is_folded(self, number: int, fold: str) -> bool:
        """Is a phrase on one line with all its words?"""
        if self.views[0][number].is_preterminal:
            return True
        if fold == "nothing":
            return False
        below = self.below[number]
        if all(child < 0 or (self.views[0][child].is_preterminal and not self.faults[child]) for child in below):
            return True
        return fold == "right" and not self.faults[number]

    def depth(self, fold: str) -> int:
        """The deepest level of indentation."""
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
        """The lines of the tree; subtrees that are too deep are replaced by a note."""
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
        """The words of a node, with dots for gaps."""
        places: list[int] = []
        node = self.views[0][number]
        size = node.last - node.first
        waiting = [number]
        while waiting and len(places) < size:
            child = waiting.pop()
            if child < 0:
                places.append(~child)
            elif self.views[0][child].is_preterminal:
                places.append(self.views[0][child].first)
            else:
                waiting += self.below[child]
        return words_at(self.words, sorted(places))

    def _label(self, number: int, room: int) -> list[Piece]:
        """Signs, label, and the share of the node that its partner covers; for gold, in each system."""
        nodes = [view[number] for view in self.views]
        all_signs = [signs(node) for node in nodes]
        before = "".join(sign for sign in all_signs[0] if all(sign in own for own in all_signs))
        self.signs |= set("".join(all_signs))
        if all(node.mark == "ignored" for node in nodes):
            style: str | int = "ignored"
        elif all(node.partner is None for node in nodes):
            style = "alone"
        else:
            style = self.colour.get(number, "")
        notes = [share(node.iou) or own for node, own in zip(nodes, all_signs, strict=True)]
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
    """A label and its words, wrapped."""
    line = _Line(prefix, label, node)
    first, *rest = wrapped(words, max(columns - len(inner), 8), columns - line.width - 1)
    if first:
        line.pieces.append((f" {isolated(first)}", ""))
    return [line, *(_Line(inner, [(isolated(run), "")]) for run in rest)]


def _side_by_side(sides: list[_Side], trees: list[list[_Line]], columns: int, colours: int) -> Iterator[str]:
    """The trees in columns, with aligned nodes on one line if their order allows it."""
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
    """The row of each line; aligned nodes, or nodes over the same words with different labels, share a row."""
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
    """The node of a system that belongs beside a gold node."""
    node = sides[0].views[column - 1][number]
    if node.partner is None and node.twin is None and node.is_preterminal and sides[column].has_words_of_gold:
        return sides[column].preterminals.get(node.first)
    return node.twin if node.partner is None else node.partner


def _free(rows: list[int]) -> int:
    return rows[-1] + 1 if rows else 0


def _legend(sides: list[_Side], columns: int) -> Iterator[str]:
    meanings = [f"{sign} {meaning}" for sign, meaning in SIGNS.items() if any(sign in side.signs for side in sides)]
    if meanings:
        yield ""
        line = "   ".join(meanings)
        yield from [line] if len(line) <= columns else meanings


def _painted(pieces: Sequence[Piece], colours: int) -> str:
    return "".join(_in_colour(text, style, colours) if colours else text for text, style in pieces)


def _in_colour(text: str, style: str | int, colours: int) -> str:
    code = _STYLES.get(style) if isinstance(style, str) else _COLOURS[colours][style]
    return f"\x1b[{code}m{text}\x1b[0m" if code else text
