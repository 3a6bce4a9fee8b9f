"""The data of the page in compact columns: sentences, scores, trees, and outcomes of their nodes.

Words and scores of all sentences are in columns that the page reads when it opens. Trees are in blocks of sentences,
which are inflated when one of their sentences is opened. `script/data.js` reads this format.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from itertools import accumulate
from operator import ne

from .. import _core
from ..draw.colours import NO_LABEL
from ..helpers.garbage import uncollected
from ..helpers.text import decode, without_middle
from ..place.pair import Pair
from ..place.references import ChosenTrees
from ..recipe import Compiler
from .columns import lines, shown, signed, varints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..pairing.node_mapping import Verdicts
    from ..readers.completions.completion import Completion
    from ..scoring.report import Report
    from ..trees import Treebank

#: Number of sentences per block of trees, and bytes per block of words.
BLOCK, TEXT_BLOCK = 128, 1 << 20
#: Maximum number of phrases and words of a tree; browsers cannot draw larger trees.
MOST_ITEMS = 5_000
#: Maximum number of characters of a completion of a language model.
MOST_PRINTED = 4_000
#: Scores are stored in millionths; the placeholder for no score.
_MILLION, _NO_SCORE = 1_000_000, -(1 << 31)
#: Flags of stored trees and verdicts: the words differ from gold; words have times; positions follow.
_OWN_WORDS, _WITH_TIMES, _WITH_PLACES = 4, 8, 4
#: Compression level: the highest takes ten times as long, for 6 % less.
_LEVEL = 5

_PHRASE, _TAG, _WORD = "phrase", "tag", "word"


class Symbols:
    """Numbers of phrase labels and tags, in order of first occurrence."""

    def __init__(self) -> None:
        #: The labels in the order of their numbers. Names that are shown as the same label may have several numbers.
        self.shown: list[tuple[str, str]] = []
        self.found: dict[tuple[str, str], int] = {}
        self.labels: dict[str, int] = {}

    def known(self, symbol: tuple[str, str]) -> int:
        """The number of a label of some kind, or -1 if it has none yet."""
        label, kind = symbol
        return self.found.get((shown(label), kind), -1)

    def add(self, label: str, kind: str) -> None:
        """Give a label of some kind the next number."""
        self.shown.append((shown(label), kind))
        self.found.setdefault(self.shown[-1], len(self.shown) - 1)

    def label(self, text: str) -> int:
        """The number of a label of any kind."""
        return self.labels.setdefault(shown(text) or NO_LABEL, len(self.labels))


class Pieces:
    """Bytes with a piece for each sentence, and the end of each piece."""

    def __init__(self, data: bytes, ends: bytes) -> None:
        self.data, self._ends = data, memoryview(ends).cast("q")

    @classmethod
    def joined(cls, pieces: Sequence[bytes]) -> Pieces:
        """The pieces of all sentences."""
        return cls(b"".join(pieces), array("q", accumulate(map(len, pieces))).tobytes())

    def __getitem__(self, index: int) -> bytes:
        return self.data[self._ends[index - 1] if index else 0 : self._ends[index]]

    def __iter__(self) -> Iterator[bytes]:
        begin = 0
        for end in self._ends:
            yield self.data[begin:end]
            begin = end

    def of(self, places: Sequence[int]) -> bytes:
        """The pieces of some sentences, in ascending order."""
        first, last = places[0], places[-1]
        if last - first + 1 == len(places):
            return self.data[self._ends[first - 1] if first else 0 : self._ends[last]]
        return b"".join(map(self.__getitem__, places))


class Side:
    """The trees of one file in the format of the page."""

    def __init__(self, bank: Treebank, symbols: Symbols) -> None:
        self.bank, self.native = bank, bank.native
        self.names = bank.names()
        self.symbols = symbols
        self._words: dict[bytes, str] = {}

    def is_large(self, index: int) -> bool:
        """Does the tree exceed the limit of phrases and words?"""
        return self.native.node_count(index) + self.native.leaf_count(index) > MOST_ITEMS

    def encode(self, gold: Side | None, skipped: bytes) -> None:
        """Encode all trees but the skipped ones, and all words, or those that differ from gold."""
        kinds = [(name, _PHRASE) for name in self.names] + [(name, _TAG) for name in self.names] + [("", _WORD)]
        known = array("i", map(self.symbols.known, kinds))
        of_gold = None if gold is None else gold.native
        encoded = _core.page_trees(self.native, of_gold, skipped, known, len(self.symbols.shown))
        for place in memoryview(encoded["symbols"]).cast("i"):
            self.symbols.add(*kinds[place])
        head, items, ups, order = (Pieces(*encoded[name]) for name in ("head", "items", "ups", "order"))
        times = self._times(skipped)
        heads = [
            bytes([piece[0] | _WITH_TIMES]) + piece[1:] if own else piece
            for piece, own in zip(head, times, strict=True)
        ]
        self.columns = [Pieces.joined(heads) if any(times) else head, items, ups, order, Pieces.joined(times)]
        odd = set(memoryview(encoded["odd"]).cast("q"))
        words = Pieces(*encoded["words"])
        self.texts = [self._text(index, line, index in odd) for index, line in enumerate(words)]
        flags = (piece[0] for piece in self.columns[0])
        own = [
            text.encode() + b"\n" if flag & _OWN_WORDS else b"" for flag, text in zip(flags, self.texts, strict=True)
        ]
        self.columns.append(Pieces.joined(own))

    def _times(self, skipped: bytes) -> list[bytes]:
        """The times of the words of each tree, or no bytes."""
        times = [b""] * len(skipped)
        if self.native.has_times():
            for index, is_skipped in enumerate(skipped):
                leaves = None if is_skipped else self.native.times(index)
                if leaves:
                    times[index] = varints(intervals(leaves))
        return times

    def _text(self, index: int, line: bytes, is_odd: bool) -> str:
        """The words of a tree in one line, with escapes for control and invisible characters."""
        if is_odd:
            return "\t".join(shown(decode(word)) for _, _, word in self.native.leaves(index))
        if line.isascii():
            return line.decode("ascii")
        return "\t".join(map(self._shown, line.split(b"\t")))

    def _shown(self, word: bytes) -> str:
        text = self._words.get(word)
        if text is None:
            text = self._words[word] = shown(decode(word))
        return text


def _flagged(head: bytes, flag: int) -> bytes:
    """The head of a stored tree with another flag."""
    return bytes([head[0] | flag]) + head[1:]


def other_trees(shown: Treebank, judged: Treebank) -> set[int]:
    """The places of sentences with several gold trees for which two metrics or systems have chosen different ones."""
    chosen = [bank.chosen if isinstance(bank, ChosenTrees) else () for bank in (shown, judged)]
    return {place for place, (one, other) in enumerate(zip(*chosen, strict=True)) if one != other}


class Judged:
    """The outcomes of the nodes of all sentences of one system by one metric."""

    def __init__(
        self, verdicts: Verdicts, metric: Metric, gold: Side, test: Side, without: Collection[int] = ()
    ) -> None:
        self.verdicts = verdicts
        self._without = without  # sentences whose gold tree on the page is another one than that of the metric
        self.sides = gold, test
        self._placed = metric.placed(Pair(gold.bank, test.bank))
        self._compared = _compared(metric, gold, test)

    def encode(self, skipped: bytes, tracked: Sequence[str]) -> None:
        """Encode the outcomes in all sentences but the skipped ones; nodes with `tracked` labels are counted."""
        gold, test = self.sides
        labels = gold.symbols.labels
        columns = array("i", [-1] * len(labels))
        for column, label in enumerate(tracked):
            if label in labels:
                columns[labels[label]] = column
        absent = bytearray(skipped)
        for index in self._without:
            absent[index] = 1
        names: dict[str, int] = {}
        same = [[names.setdefault(name, len(names)) for name in side.names] for side in self.sides]
        numbers = [*(self._compared[side][kind] for kind in range(2) for side in range(2)), *same]
        encoded = _core.page_verdicts(
            gold.native,
            test.native,
            bytes(absent),
            {name: getattr(self.verdicts, name) for name in self.verdicts.__slots__},
            [array("i", column) for column in numbers],
            len(labels),
            columns,
            len(tracked),
        )
        self.head = bytearray(encoded["head"][0])  # one byte for each sentence
        self.columns = [Pieces(*encoded[name]) for name in ("gold", "test", "details")]
        #: The labels of missing and of extra nodes in each sentence.
        self.missing, self.extra = (Pieces(*encoded[name]) for name in ("missing", "extra"))
        pairs, ends = encoded["confused"]
        self._pairs, self._pair_ends = memoryview(pairs).cast("i"), memoryview(ends).cast("q")
        #: For each side and compared label, the number of sentences in which it is wrong, and of nodes without a twin.
        self.sentences, self.alone = (
            [memoryview(side).cast("q") for side in encoded[name]] for name in ("sentences", "alone")
        )
        #: For each tracked label and sentence, the number of nodes, and their overlap with partners in millionths.
        self.nodes, self.credits = (
            [memoryview(data).cast("q") for data in encoded[name]] for name in ("nodes", "credits")
        )
        self.places = [b""] * len(self.head)

    def confused(self) -> Iterator[list[tuple[int, int]]]:
        """For each sentence, the compared labels of nodes over the same words with different labels."""
        begin = 0
        for end in self._pair_ends:
            yield [(self._pairs[2 * pair], self._pairs[2 * pair + 1]) for pair in range(begin, end)]
            begin = end

    def placed_sentences(self) -> set[int]:
        """The sentences in which positions of leaves differ from their numbers, as with alignments or times."""
        sentences = range(len(self.head))
        if self._placed.axis.has_lengths:
            return set(sentences)
        if self._placed.columns == (None, None):
            return set()
        return {index for index in sentences if not self._placed.are_same(index) and self._needs_places(index)}

    def _needs_places(self, index: int) -> bool:
        gold, test = ([start < end for start, end in leaves] for leaves in self._placed[index])
        return any(map(ne, gold, test))

    def add_places(self, index: int) -> None:
        """Store the positions of the leaves of both sides on the axis, in millionths."""
        if not self.head[index]:
            return
        numbers = [number for leaves in self._placed[index] for number in (len(leaves), *intervals(leaves))]
        self.places[index] = varints(numbers)
        self.head[index] |= _WITH_PLACES

    def stored(self) -> list[Pieces]:
        """The columns of the page."""
        heads = Pieces(bytes(self.head), array("q", range(1, len(self.head) + 1)).tobytes())
        return [heads, *self.columns, Pieces.joined(self.places)]


def _compared(metric: Any, gold: Side, test: Side) -> list[tuple[list[int], list[int]]]:
    """The numbers of compared labels by name, for phrases and tags of each side."""
    compared = Compiler(metric.recipe, tags_are_labels=True).compile(gold.native, test.native).compared()
    return [
        (list(map(side.symbols.label, labels)), list(map(side.symbols.label, tags)))
        for side, (labels, tags) in zip((gold, test), compared, strict=True)
    ]


def intervals(leaves: Iterable[tuple[float, float]]) -> list[int]:
    """The position of each leaf in millionths: the distance from the previous leaf, and the length.

    >>> intervals([(0.0, 0.5), (1.0, 1.25)])
    [0, 500000, 1000000, 250000]
    """
    numbers: list[int] = []
    at = 0
    for start, end in leaves:
        first, last = round(start * _MILLION), round(end * _MILLION)
        numbers += (signed(first - at), max(0, last - first))
        at = last
    return numbers


def packed(data: bytes) -> str:
    """Data as text that is valid anywhere in HTML."""
    from base64 import b64encode

    return b64encode(zlib.compress(data, _LEVEL)).decode("ascii")


def integers(values: Iterable[int]) -> bytes:
    """Integers of four bytes, little-endian."""
    numbers = array("i", values)
    if sys.byteorder != "little":
        numbers.byteswap()
    return numbers.tobytes()


class PageData:
    """Sentences and trees from the reports of one or more systems.

    For each metric, the nodes with its `tracked` labels are counted sentence by sentence.
    """

    def __init__(
        self,
        reports: Mapping[str, Report],
        metrics: Sequence[Metric],
        tracked: Sequence[Sequence[str]],
        threads: int | None = None,
    ) -> None:
        self.reports = dict(reports)
        first = next(iter(self.reports.values()))
        self.metrics = metrics
        self.symbols = Symbols()
        chosen = [[report.trees.of(metric).gold for metric in self.metrics] for report in self.reports.values()]
        shown = next((bank for metric, bank in zip(metrics, chosen[0], strict=True) if metric.judges_nodes), first.gold)
        self.gold = Side(shown, self.symbols)
        self.tests = [Side(report.test, self.symbols) for report in self.reports.values()]
        self.count = len(first.gold)
        self.ids = first.gold.ids
        self.rows = [[report.rows(metric.signature) for metric in self.metrics] for report in self.reports.values()]
        self.judged = [
            [
                Judged(
                    report.verdicts(metric.signature, threads=threads),
                    metric,
                    self.gold,
                    test,
                    other_trees(shown, bank),
                )
                if metric.judges_nodes
                else None
                for metric, bank in zip(self.metrics, banks, strict=True)
            ]
            for report, test, banks in zip(self.reports.values(), self.tests, chosen, strict=True)
        ]
        self.length_columns = self._find_lengths()
        with uncollected():
            self._encode(tracked)

    def _encode(self, tracked: Sequence[Sequence[str]]) -> None:
        """Encode all trees, then all verdicts."""
        sides = [self.gold, *self.tests]
        skipped = bytes(any(side.is_large(index) for side in sides) for index in range(self.count))
        self.too_large = sum(skipped)
        self.gold.encode(None, skipped)
        for test in self.tests:
            test.encode(self.gold, skipped)
        for labels, systems in zip(tracked, zip(*self.judged, strict=True), strict=True):
            judging = [judged for judged in systems if judged is not None]
            for judged in judging:
                judged.encode(skipped, labels)
            for index in sorted(set().union(*(judged.placed_sentences() for judged in judging))):
                for judged in judging:
                    judged.add_places(index)
        self.texts = self.gold.texts
        trees = (column for side in sides for column in side.columns)
        verdicts = (column for row in self.judged for judged in row if judged for column in judged.stored())
        self._columns = [*trees, *verdicts]

    @property
    def labels(self) -> list[str]:
        """The labels that metrics compare, by number."""
        return list(self.symbols.labels)

    def scores(self) -> list[list[list[float | None]]]:
        """The scores of sentences, by system and metric."""
        return [
            [rows[metric.row_figure] for rows, metric in zip(system, self.metrics, strict=True)] for system in self.rows
        ]

    def tree_blocks(self, kept: Sequence[int]) -> Iterator[str]:
        """The trees of these sentences."""
        for begin in range(0, len(kept), BLOCK):
            places = kept[begin : begin + BLOCK]
            columns = [column.of(places) for column in self._columns]
            head = varints([len(places), len(columns), *map(len, columns)])
            yield packed(head + b"".join(columns))

    def column_blocks(self) -> Iterator[tuple[str, str]]:
        """The blocks that the page reads when it opens, except `main`."""
        yield "lengths", packed(b"".join(self._lengths))
        values = (
            _NO_SCORE if score is None else round(score * _MILLION)
            for system in self.scores()
            for column in system
            for score in column
        )
        yield "scores", packed(integers(values))
        if self.ids is not None:
            yield "ids", packed(lines(map(shown, self.ids)))

    def completion_blocks(self) -> Iterator[str]:
        """What language models printed for each sentence: for each system a summary and the text, or null."""
        printed = [report.completions for report in self.reports.values()]
        for begin in range(0, self.count if any(printed) else 0, BLOCK):
            places = range(begin, min(begin + BLOCK, self.count))
            yield as_json(
                [[completions and _printed(completions[place]) for completions in printed] for place in places]
            )

    def _find_lengths(self) -> list[list[int]]:
        """The number of the column of lengths of each system and metric, since metrics count different words."""
        columns: dict[bytes, int] = {}
        words = integers(map(self.gold.native.leaf_count, range(self.count)))
        numbers = [
            [
                columns.setdefault(integers(rows["length"]) if "length" in rows else words, len(columns))
                for rows in system
            ]
            for system in self.rows
        ]
        self._lengths = list(columns)
        return numbers

    def text_blocks(self) -> Iterator[str]:
        """The words of all sentences, one line each, in blocks of whole sentences."""
        waiting: list[str] = []
        size = 0
        for text in self.texts:
            waiting.append(text)
            size += len(text)
            if size >= TEXT_BLOCK:
                yield packed(lines(waiting))
                waiting, size = [], 0
        if waiting:
            yield packed(lines(waiting))

    def sets(self, classes: Sequence[Sequence[Sequence[int]]] | None) -> tuple[str, list[list[int]]]:
        """Labels and error classes of each sentence, and the pairs of labels by number."""
        pairs: dict[tuple[int, int], int] = {}
        out: list[bytes] = []

        def append(lists: Iterable[Sequence[int]]) -> None:
            out.extend(varints([len(numbers), *numbers]) for numbers in lists)

        for place, row in enumerate(self.judged):
            for judged in row:
                if judged is None:
                    continue
                out += (judged.missing.data, judged.extra.data)
                append([pairs.setdefault(pair, len(pairs)) for pair in confused] for confused in judged.confused())
            if classes is not None:
                append(classes[place])
        return packed(b"".join(out)), [list(pair) for pair in pairs]


def _printed(completion: Completion) -> tuple[str, str]:
    """The outcome of a completion, and its text."""
    return completion.summary, "\n".join(map(shown, without_middle(completion.text, MOST_PRINTED).split("\n")))


def as_json(data: Any) -> str:
    """Data that are not columns."""
    return packed(json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode())
