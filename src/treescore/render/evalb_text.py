"""EVALB's output, byte for byte: header, rows, totals, summary and the two levels of debug output."""

from __future__ import annotations

from .. import _core
from .._core import FieldKind
from ..helpers.text import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .._core import Buffer
    from ..recipe import Recipe

RULE = b"=" * 76 + b"\n"
HEADER = (
    b"  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    b" ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n" + RULE
)

_ROW_NUMBER, _NUMBER, _PERCENT = FieldKind.ROW_NUMBER, FieldKind.NUMBER, FieldKind.PERCENT
_ROW = (
    (b"", _ROW_NUMBER, 4, ()),
    (b"  ", _NUMBER, 3, ("length",)),
    (b"    ", _NUMBER, 1, ("status",)),
    (b"  ", _PERCENT, 6, ("matched", "gold")),
    (b" ", _PERCENT, 6, ("matched", "test")),
    (b"   ", _NUMBER, 3, ("matched",)),
    (b"    ", _NUMBER, 3, ("gold",)),
    (b"  ", _NUMBER, 3, ("test",)),
    (b"    ", _NUMBER, 3, ("crossing",)),
    (b"   ", _NUMBER, 4, ("words",)),
    (b"  ", _NUMBER, 4, ("tags",)),
    (b"   ", _PERCENT, 6, ("tags", "words")),
)


#: Columns that are summed over valid rows.
_SUMMED = ("matched", "gold", "test", "crossing", "words", "tags", "exact", "no_crossing", "two_or_less_crossing")


def rows(columns: Mapping[str, Buffer], begin: int, end: int, number: int) -> bytes:
    """The rows from begin to end; `number` is the sentence number of the first."""
    return _core.format_rows(_ROW, columns, begin, end, number)


class Totals:
    """Running sums of the rows printed, for all sentences or for those up to a length."""

    def __init__(self, longest: int | None = None) -> None:
        self.longest = longest
        self.sentences = self.errors = self.skipped = 0
        self.matched = self.gold = self.test = self.crossing = self.words = self.tags = 0
        self.exact = self.no_crossing = self.two_or_less_crossing = 0

    def add(self, columns: Mapping[str, Buffer], begin: int, end: int) -> None:
        """Add the rows from begin to end."""
        part = {name: memoryview(column).cast("B")[8 * begin : 8 * end] for name, column in columns.items()}
        lengths = [] if self.longest is None else [(part["length"], -(2**62), self.longest)]
        valid, errors, skipped = _core.sum_rows([part["valid"], part["errors"], part["skipped"]], lengths)
        self.sentences += valid + errors + skipped
        self.errors += errors
        self.skipped += skipped
        sums = _core.sum_rows([part[name] for name in _SUMMED], [*lengths, (part["valid"], 1, 1)])
        for name, value in zip(_SUMMED, sums, strict=True):
            setattr(self, name, getattr(self, name) + value)

    @property
    def valid(self) -> int:
        return self.sentences - self.errors - self.skipped

    @property
    def recall(self) -> float:
        return percent(self.matched, self.gold)

    @property
    def precision(self) -> float:
        return percent(self.matched, self.test)

    @property
    def f_measure(self) -> float | None:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else None

    @property
    def tagging_accuracy(self) -> float:
        return percent(self.tags, self.words)

    @property
    def complete_match(self) -> float:
        return percent(self.exact, self.valid)


def percent(part: int, whole: int) -> float:
    """100 * part / whole, or 0 if whole is 0, like EVALB."""
    return 100.0 * part / whole if whole else 0.0


def two_decimals(value: float | None, width: int = 6) -> str:
    """C's %6.2f; an undefined value is printed as on x86-64 Linux."""
    return f"{'-nan':>{width}}" if value is None else f"{value:{width}.2f}"


def totals_line(totals: Totals) -> bytes:
    """The line under the rows."""
    line = ""
    if totals.gold > 0 and totals.test > 0:
        line = (
            f"{'':16}{totals.recall:6.2f} {totals.precision:6.2f} {totals.matched:6d} "
            f"{totals.gold:5d} {totals.test:5d}  {totals.crossing:5d}"
        )
    return f"{line}  {totals.words:5d} {totals.tags:5d}   {totals.tagging_accuracy:6.2f}\n".encode()


def summary(everything: Totals, short: Totals, title: str = "=== Summary ===") -> bytes:
    """The two blocks of figures at the end."""
    return encode(f"{title}\n\n-- All --\n{_block(everything)}\n-- len<={short.longest} --\n{_block(short)}")


def _block(totals: Totals) -> str:
    valid = totals.valid
    lines: list[tuple[str, str]] = [
        ("Number of sentence", f"{totals.sentences:6d}"),
        ("Number of Error sentence", f"{totals.errors:6d}"),
        ("Number of Skip  sentence", f"{totals.skipped:6d}"),
        ("Number of Valid sentence", f"{valid:6d}"),
        ("Bracketing Recall", two_decimals(totals.recall)),
        ("Bracketing Precision", two_decimals(totals.precision)),
        ("Bracketing FMeasure", two_decimals(totals.f_measure)),
        ("Complete match", two_decimals(totals.complete_match)),
        ("Average crossing", two_decimals(totals.crossing / valid if valid else 0.0)),
        ("No crossing", two_decimals(percent(totals.no_crossing, valid))),
        ("2 or less crossing", two_decimals(percent(totals.two_or_less_crossing, valid))),
        ("Tagging accuracy", two_decimals(totals.tagging_accuracy)),
    ]
    return "".join(f"{name:26}= {value}\n" for name, value in lines)


# ------------------------------------------------------------------------------------------------ debug output


class Line:
    """The brackets of one line of text as EVALB reads them, with their positions in the text."""

    def __init__(self, text: bytes) -> None:
        import re

        # A word in its bracket; any other opening bracket with its label; a closing bracket.
        pattern = re.compile(rb"\(([^\s()]*)\s+([^\s()]*)\)|\(([^\s()]*)|\)")
        self.text = text.split(b"\0", 1)[0]
        self.opened: list[tuple[bytes, bytes | None, int]] = []  # label, word or None, end of the label
        self.closed: dict[int, int] = {}
        self.behind_label: list[int] = []
        stack: list[int] = []
        for match in pattern.finditer(self.text):
            if match[3] is not None:
                stack.append(len(self.behind_label))
                self.behind_label.append(match.end())
                self.opened.append((match[3], None, match.end()))
            elif match[1] is not None:
                self.opened.append((match[1], match[2], match.end(1)))
            elif stack:
                self.closed[stack.pop()] = match.start()

    def inside(self, node: int) -> bytes:
        """The text of a bracket after its label."""
        return self.text[self.behind_label[node] : self.closed.get(node, len(self.text.rstrip()))]

    def trace(self, deleted: set[bytes]) -> Iterator[bytes]:
        """One line for every bracket whose label is followed by a blank."""
        kept = 0
        for label, word, end in self.opened:
            if self.text[end : end + 1].isspace():
                yield b"label=%s, word=%s, wid=%d\n" % (label, word or b"", kept)
            kept += word is not None and label not in deleted


class Pair:
    """A pair of sentences with all nodes, for debug output."""

    def __init__(
        self, recipe: Recipe, trees: tuple[_core.Trees, _core.Trees], index: int, lines: tuple[Line, Line]
    ) -> None:
        self.lines = lines
        names = (trees[0].names(0), trees[1].names(0))
        rules = recipe.compile(*trees).rules
        explanation = _core.parseval_explain(trees[0], index, trees[1], index, rules)
        self.words, self.phrases, self.quotes, self.insertions, self.lengths_differed = explanation
        self.nodes = (trees[0].nodes(index), trees[1].nodes(index))
        self.leaves = (trees[0].leaves(index), trees[1].leaves(index))
        self.names = names
        self.recipe = recipe
        self.scored = any(result != 9 for side in self.phrases for _, _, result, _ in side) or any(
            result != 9 for side in self.words for _, result in side
        )

    def tag(self, side: int, leaf: int) -> bytes:
        return self.names[side][self.leaves[side][leaf][0]]

    def label(self, side: int, node: int) -> bytes:
        return self.names[side][self.nodes[side][node][0]]

    def cut(self, name: bytes) -> bytes:
        return encode(self.recipe.cut_label(decode(name)))

    def tables(self) -> bytes:
        """Debug level 1: words and brackets of both sides."""
        out = [
            b"-<1>---(wn1=%3d, bn1=%3d)-           -<2>---(wn2=%3d, bn2=%3d)-\n"
            % (len(self.words[0]), len(self.phrases[0]), len(self.words[1]), len(self.phrases[1]))
        ]
        for index in range(max(map(len, self.words))):
            gold, test = self._word(0, index), self._word(1, index)
            out.append((gold + b" " * 6 if gold else b" " * 40) + test + b"\n")
        out.append(b"\n")
        for index in range(max(map(len, self.phrases))):
            gold, test = self._phrase(0, index), self._phrase(1, index)
            out.append((gold + b" " * 6 if gold else b" " * 32) + test + b"\n")
        out.append(b"\n========\n")
        return b"".join(out)

    def _word(self, side: int, index: int) -> bytes:
        if index >= len(self.words[side]):
            return b""
        leaf, result = self.words[side][index]
        text = self.leaves[side][leaf][2]
        if not text:
            return b""
        tag = self.tag(side, leaf)
        if self.recipe.cut_tags and result != 9:  # comparison has cut the tag
            tag = self.cut(tag)
        return b"%3d : %d : %-6s  %-16s" % (index, result, tag, text)

    def _phrase(self, side: int, index: int) -> bytes:
        if index >= len(self.phrases[side]):
            return b""
        start, end, result, _ = self.phrases[side][index]
        label = self.label(side, index)
        if self.scored and start != end:
            label = self.cut(label)
        return b"%3d : %d : %3d  %3d  %-6s" % (index, result, start, end, label)

    def repair_trace(self) -> Iterator[bytes]:
        """Debug level 2: quotation marks and how they were restored."""
        if not self.lengths_differed:
            return
        for number in range(20):
            for side in (0, 1):
                if number < len(self.quotes[side]):
                    position, leaf = self.quotes[side][number]
                    yield b"%d: %s - %s\n" % (position, self.tag(side, leaf), self.leaves[side][leaf][2])
        for _, before, position, open_brackets, spans in self.insertions:
            yield b"bra=%d, ind=%d\n" % (before, position)
            for number, (start, end) in enumerate(spans):
                yield b"bracket[%d]={%d,%d}\n" % (number, start, end)
            yield b"endslen=%d\n" % open_brackets

    def match_trace(self) -> Iterator[bytes]:
        """Debug level 2: every comparison of two brackets, and the missing, extra and crossing brackets."""
        if not self.scored:
            return
        gold, test = self.phrases
        mislabelled: set[int] = set()
        for number, (start, end, result, partner) in enumerate(gold):
            deleted = result == 5
            is_found = False
            for other, (other_start, other_end, other_result, other_partner) in enumerate(test):
                taken = other_result == 1 and other_partner < number
                shown = 5 if other_result == 5 else int(taken)
                yield b"1.res=%d, 2.res=%d, 1.start=%d, 2.start=%d, 1.end=%d, 2.end=%d\n" % (
                    5 if deleted else 0,
                    shown,
                    start,
                    other_start,
                    end,
                    other_end,
                )
                if other == partner:
                    is_found = True
                    break
                if not deleted and shown == 0 and (start, end) == (other_start, other_end):
                    is_found = True
                    mislabelled.add(other)
                    yield self._finding(b"LABEL", 0, number)
            if not is_found and not deleted:
                yield self._finding(b"BRACKET", 0, number)
        for other, (_, _, other_result, _) in enumerate(test):
            if other_result == 0 and other not in mislabelled:
                yield self._finding(b"EXTRA", 1, other)
        last = -1
        for start, end, result, _ in test:
            if result == 5:
                continue
            for number, (a, b, gold_result, _) in enumerate(gold):
                if gold_result != 5 and (a < start < b < end or start < a < end < b):
                    if number != last:
                        yield self._finding(b"CROSSING", 0, number)
                    last = number
                    break

    def _finding(self, kind: bytes, side: int, node: int) -> bytes:
        start, end, _, _ = self.phrases[side][node]
        return b"  %s[%d-%d]: %s\n" % (kind, start, end - 1, self.lines[side].inside(node))
