"""The data of the page in compact columns: sentences, scores, trees, and outcomes of their nodes.

Words and scores of all sentences are in columns that the page reads when it opens. Trees are in blocks of sentences,
which are inflated when one of their sentences is opened. `script/data.js` reads this format.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections import Counter
from itertools import compress
from operator import ne

from .. import _core
from ..analysis.tree_pair import find_twins
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

    from ..analysis.tree_pair import Unmatched
    from ..metrics.base import Metric
    from ..pairing.node_mapping import Verdicts
    from ..readers.completions.completion import Completion
    from ..scoring.report import Report
    from ..trees import Treebank

    Stored = tuple[list[bytes], str | None, list[int], list[bool]]

#: Number of sentences per block of trees, and bytes per block of words.
BLOCK, TEXT_BLOCK = 128, 1 << 20
#: Maximum number of phrases and words of a tree; browsers cannot draw larger trees.
MOST_ITEMS = 5_000
#: Maximum number of characters of a completion of a language model.
MOST_PRINTED = 4_000
#: Scores are stored in millionths; the placeholder for no score.
_MILLION, _NO_SCORE = 1_000_000, -(1 << 31)

_PHRASE, _TAG, _WORD = "phrase", "tag", "word"


class Symbols:
    """Numbers of phrase labels and tags, in order of first occurrence."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], int] = {}
        self.labels: dict[str, int] = {}

    def number(self, label: str, kind: str) -> int:
        """The number of a label of this kind."""
        return self.found.setdefault((shown(label), kind), len(self.found))

    def label(self, text: str) -> int:
        """The number of a label of any kind."""
        return self.labels.setdefault(shown(text) or NO_LABEL, len(self.labels))


class Side:
    """The trees of one file in the format of the page."""

    def __init__(self, bank: Treebank, symbols: Symbols) -> None:
        self.bank, self.native = bank, bank.native
        self.names = bank.names()
        self.symbols = symbols
        self._numbers: dict[tuple[int, str], int] = {}
        self._words: dict[bytes, str] = {}

    def _symbol(self, name: int, kind: str) -> int:
        number = self._numbers.get((name, kind))
        if number is None:
            label = "" if kind == _WORD else self.names[name]
            number = self._numbers[name, kind] = self.symbols.number(label, kind)
        return number

    def words(self, leaves: Sequence[tuple[int, int, bytes]]) -> str:
        """The words of a tree in one line."""
        cache = self._words
        words = []
        for _, _, word in leaves:
            text = cache.get(word)
            if text is None:
                text = cache[word] = shown(decode(word))
            words.append(text)
        return "\t".join(words)

    def text(self, index: int) -> str:
        """The words of a tree."""
        return self.words(self.native.leaves(index))

    def is_large(self, index: int) -> bool:
        """Does the tree exceed the limit of phrases and words?"""
        return self.native.node_count(index) + self.native.leaf_count(index) > MOST_ITEMS

    def stored(self, index: int, gold: Side | None) -> Stored:
        """Columns, words if they differ from gold, the label of each node, and whether it is a phrase."""
        nodes, leaves = self.native.nodes(index), self.native.leaves(index)
        gaps = self.native.discontinuous(index)
        items, parents, order = self._with_gaps(index) if gaps else _in_order(nodes, leaves)
        codes, ups, labels, phrases = [], [], [], []
        top = -1
        for place, (item, parent) in enumerate(zip(items, parents, strict=True)):
            up = 0
            while top != parent and top >= 0:
                top, up = nodes[top][1], up + 1
            if place:
                ups.append(up)
            if item >= 0:
                top, name, kind = item, nodes[item][0], _PHRASE
            else:
                name = leaves[~item][0]
                kind = _WORD if name == _core.NO_TAG else _TAG
            codes.append(self._symbol(name, kind))
            if kind != _WORD:
                labels.append(name)
                phrases.append(item >= 0)
        ups += [0] * (len(items) - len(ups))
        own_words = None
        if gold is None or not gold.native.same_words(index, self.native, index):
            own_words = self.words(leaves)
        times = self.native.times(index)
        flags = 2 * gaps + 4 * (gold is not None and own_words is not None) + 8 * (times is not None)
        columns = [[flags, len(items)], codes, ups, order, intervals(times or ())]
        return list(map(varints, columns)), own_words, labels, phrases

    def _with_gaps(self, index: int) -> tuple[list[int], list[int], list[int]]:
        """`_in_order` for a discontinuous tree."""
        phrases, roots = self.bank[index].structure()
        items, parents, order = [], [], []
        waiting = [(root, -1) for root in reversed(roots)]
        while waiting:
            item, parent = waiting.pop()
            items.append(item)
            parents.append(parent)
            if item < 0:
                order.append(~item)
            else:
                waiting.extend((child, item) for child in reversed(phrases[item][1]))
        return items, parents, order


def _in_order(
    nodes: Sequence[tuple[int, int, int, int]], leaves: Sequence[tuple[int, int, bytes]]
) -> tuple[list[int], list[int], list[int]]:
    """Phrases, and leaves as ~number, in order of their start; their parents; and an empty order of leaves."""
    items, parents = [], []
    phrase, phrases = 0, len(nodes)
    for leaf, (_, parent, _) in enumerate(leaves):
        while phrase < phrases and nodes[phrase][2] <= leaf:
            items.append(phrase)
            parents.append(nodes[phrase][1])
            phrase += 1
        items.append(~leaf)
        parents.append(parent)
    for rest in range(phrase, phrases):
        items.append(rest)
        parents.append(nodes[rest][1])
    return items, parents, []


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
        #: For each sentence, the numbers of compared labels, or pairs of numbers.
        self.missing: list[list[int]] = []
        self.extra: list[list[int]] = []
        self.confused: list[list[tuple[int, int]]] = []
        #: For each side, the number of nodes with a label that differ from no node over the same words.
        self.alone: tuple[Counter[int], Counter[int]] = Counter(), Counter()

    def stored(
        self, index: int, labels: Sequence[Sequence[int]], phrases: Sequence[Sequence[bool]], *, is_placed: bool
    ) -> list[bytes]:
        """The columns of one sentence, from labels and kinds of its nodes; `is_placed`: with positions."""
        columns = self.verdicts
        span = columns.range(index)
        if not span or index in self._without:
            for sets in (self.missing, self.extra, self.confused):
                sets.append([])
            return [b"\0", b"", b"", b"", b""]
        begin, end = span.start, span.stop
        number = columns.number[begin:end].tolist()
        partner = columns.partner[begin:end].tolist()
        crossing = columns.crossing[begin:end].tolist()
        iou = columns.iou[begin:end].tolist()
        golds = columns.side[begin:end].tolist().count(0)
        free: list[list[Unmatched]] = [[], []]
        for at, other in enumerate(partner):
            if other < 0:
                side = at >= golds
                place = columns.start[begin + at], columns.end[begin + at], phrases[side][number[at]]
                free[side].append((place, self.sides[side].names[labels[side][number[at]]], number[at]))
        twins = self._twins(index, free) if free[0] and free[1] else ({}, {})
        marks = [bytearray(len(one)) for one in phrases]
        details: list[int] = []
        own, offset = marks[0], 0
        for at in range(golds):
            node, other = number[at], partner[at]
            if other < 0:
                own[node] = 1 + crossing[at]
                details.append(twins[0].get(node, -1) + 1)
            elif iou[at] == 1.0 and other - node == offset:
                own[node] = 3 + crossing[at]
            else:
                own[node] = 5 + crossing[at]
                details += (signed(other - node - offset), round((1 - iou[at]) * _MILLION))
                offset = other - node
        own = marks[1]
        for at in range(golds, len(number)):
            if partner[at] < 0:
                own[number[at]] = 1 + crossing[at]
                details.append(twins[1].get(number[at], -1) + 1)
            else:
                own[number[at]] = 3 + crossing[at]
        self._note(free, twins[0], labels, phrases)
        tags = [[not phrase for phrase in side] for side in phrases]
        only_phrases = not any(any(compress(*both)) for both in zip(marks, tags, strict=True))
        listed = [bytes(compress(*both)) for both in zip(marks, phrases, strict=True)] if only_phrases else marks
        places = self._places(index) if is_placed else b""
        flags = 1 + 2 * only_phrases + 4 * bool(places)
        return [varints([flags]), bytes(listed[0]), bytes(listed[1]), varints(details), places]

    def _twins(self, index: int, free: Sequence[Sequence[Unmatched]]) -> tuple[dict[int, int], dict[int, int]]:
        if any(side.native.discontinuous(index) for side in self.sides):
            nodes = [side.bank[index].nodes() for side in self.sides]
            free = [
                [((place, tuple(nodes[side][node].positions)), label, node) for place, label, node in own]
                for side, own in enumerate(free)
            ]
        pairs = find_twins(free[0], free[1])
        return dict(pairs), {test: gold for gold, test in pairs}

    def _note(
        self,
        free: Sequence[Sequence[Unmatched]],
        twins: Mapping[int, int],
        labels: Sequence[Sequence[int]],
        phrases: Sequence[Sequence[bool]],
    ) -> None:
        def label(side: int, node: int) -> int:
            return self._compared[side][0 if phrases[side][node] else 1][labels[side][node]]

        matched = set(twins), set(twins.values())
        for side, nodes in enumerate(free):
            self.alone[side].update(label(side, node) for _, _, node in nodes if node not in matched[side])
        self.missing.append(sorted({label(0, node) for _, _, node in free[0]}))
        self.extra.append(sorted({label(1, node) for _, _, node in free[1]}))
        pairs = ((label(0, node), label(1, other)) for node, other in twins.items())
        self.confused.append(sorted(pair for pair in pairs if pair[0] != pair[1]))

    def needs_places(self, index: int) -> bool:
        """Do positions of leaves differ from their numbers, as in sentences with alignments or times?"""
        if self._placed.axis.has_lengths:
            return True
        if self._placed.columns == (None, None) or self._placed.are_same(index):
            return False
        gold, test = ([start < end for start, end in leaves] for leaves in self._placed[index])
        return any(map(ne, gold, test))

    def _places(self, index: int) -> bytes:
        """The positions of the leaves of both sides on the axis, in millionths."""
        return varints([number for leaves in self._placed[index] for number in (len(leaves), *intervals(leaves))])


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

    return b64encode(zlib.compress(data, 9)).decode("ascii")


def integers(values: Iterable[int]) -> bytes:
    """Integers of four bytes, little-endian."""
    numbers = array("i", values)
    if sys.byteorder != "little":
        numbers.byteswap()
    return numbers.tobytes()


class PageData:
    """Sentences and trees from the reports of one or more systems."""

    def __init__(self, reports: Mapping[str, Report], metrics: Sequence[Metric], threads: int | None = None) -> None:
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
        self.too_large = 0
        with uncollected():
            self._encode()

    def _encode(self) -> None:
        """Encode every sentence: columns of trees, then columns of verdicts."""
        self.texts: list[str] = []
        self.records: list[list[bytes]] = []
        absent: Stored = ([b"\1", b"", b"", b"", b""], None, [], [])
        for index in range(self.count):
            large = any(side.is_large(index) for side in (self.gold, *self.tests))
            self.too_large += large
            if large:
                gold, *tests = [absent] * (1 + len(self.tests))
                self.texts.append(self.gold.text(index))
            else:
                gold = self.gold.stored(index, None)
                tests = [side.stored(index, self.gold) for side in self.tests]
                self.texts.append(gold[1] or "")
            record = [*gold[0], b""]
            for columns, words, _, _ in tests:
                record += [*columns, b"" if words is None else words.encode() + b"\n"]
            is_placed = [
                any(judged is not None and judged.needs_places(index) for judged in systems)
                for systems in zip(*self.judged, strict=True)
            ]
            for row, test in zip(self.judged, tests, strict=True):
                for judged, with_places in zip(row, is_placed, strict=True):
                    if judged is None:
                        continue
                    if large:
                        for sets in (judged.missing, judged.extra, judged.confused):
                            sets.append([])
                        record += [b"\0", b"", b"", b"", b""]
                    else:
                        record += judged.stored(index, (gold[2], test[2]), (gold[3], test[3]), is_placed=with_places)
            self.records.append(record)

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
            records = [self.records[index] for index in kept[begin : begin + BLOCK]]
            columns = [b"".join(column) for column in zip(*records, strict=True)]
            head = varints([len(records), len(columns), *map(len, columns)])
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
                append(judged.missing)
                append(judged.extra)
                append([pairs.setdefault(pair, len(pairs)) for pair in confused] for confused in judged.confused)
            if classes is not None:
                append(classes[place])
        return packed(b"".join(out)), [list(pair) for pair in pairs]


def _printed(completion: Completion) -> tuple[str, str]:
    """The outcome of a completion, and its text."""
    return completion.summary, "\n".join(map(shown, without_middle(completion.text, MOST_PRINTED).split("\n")))


def as_json(data: Any) -> str:
    """Data that are not columns."""
    return packed(json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode())
