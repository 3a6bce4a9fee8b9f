"""Plain re-implementation of sparseval, headtrees and strealign, the oracle of the differential tests.

Written from the behavioural specification only; the numbers in the comments are its sections. Readable first,
never tuned: every list is searched one by one, and the sequence matcher goes cell by cell.

    python sparseval.py sparseval|headtrees|strealign [options] operands

What the original does not define (section 17: crashes, memory of earlier lines) raises Undefined, so that a
differential test can leave such input out.

Where the specification is silent or can be read in two ways: what was chosen, and the name of the conformance
case that decided it. "Open" means that no case tells the readings apart.

*  1, an empty file name cannot be opened, also that of -p, -h and -a; a folder reads as an empty file. Open.
*  3.1, the column counter of the test file starts at 0 for every unit. Open.
*  3.4, the lines after the first are checked for text behind the tree like the first. Open.
*  1 and 6, in a unit the gold trees are read to the end before the test trees. Open.
*  4.1, two fields without a blank: the second is empty. FILLED_PAUSE with fewer than 14 bytes before the end of
   the line: ignored. A line with a group character from 0x80 on hides earlier lines for the same word. Open.
*  5.1, NUL or 0xFF as direction character: Undefined here.
*  7.1, the root is an edit node: no word has a dependency. Open.
*  7.1 and 7.2, a node with a word and children that loses its last child goes together with its word. Open.
*  12.1, "edit nodes being open": unless their label is CLOSED_CLASS. Open.
*  12 and 17, a bag unit with -h whose root has no children but a word: no dependencies if TOP is deletable,
   else Undefined. Open.
*  15, misbracketing under -l names the members of the lists. Open. headtrees has no test file to name:
   Undefined here.
*  16.1, heads are found as in bag mode, without the condition on width. Open.
*  16.2, strealign opens its files in the order gold, test, raw, reads raw, then the trees; a word field that is
   blank to the end of the line, and a root with a word: Undefined here.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

LONGEST_PIECE = 80_919  # 2
NEWLINE, NUL, END_BYTE = 0x0A, 0x00, 0xFF
END_OF_LINE = (NEWLINE, NUL, END_BYTE)  # 2
BLANKS = b" \t"
SPACE, OPEN, CLOSE = b" ()"

ROOT_LABEL = b"TOP"  # 3.3
GOLD_PLACEHOLDER, TEST_PLACEHOLDER = b"gU~l", b"tU~l"  # 3.2
NO_WORD = b"(null)"  # 9.2, 15, 16.1
LONGEST_HEAD_LABEL = 23  # 17
BAND = 2_000  # 12.3

RULE = b"=" * 33 + b"  " + b"=" * 19 + b"  " + b"=" * 19  # 14.1
DASHES = b"-" * 38  # 14.3
USAGE_WIDTH = 75  # 15


class Undefined(Exception):
    """The original crashes or reads memory that means nothing (17)."""


class Stop(Exception):
    """The run ends here with exit code 1; the message is written already."""


# ---------------------------------------------------------------------------------------------------------------------
# 2 Lines and files


def lines_of(data: bytes) -> Iterator[bytearray]:
    """The pieces in which a file is read, each with a NUL behind it."""
    position = 0
    while position < len(data):
        newline = data.find(b"\n", position, position + LONGEST_PIECE)
        end = newline + 1 if newline >= 0 else min(position + LONGEST_PIECE, len(data))
        yield bytearray(data[position:end] + b"\0")
        position = end


def byte_at(line: bytearray, at: int) -> int:
    """The byte at this place; what lies behind the NUL is left over from earlier lines (17)."""
    if at >= len(line):
        raise Undefined("leftovers in the line buffer are read")
    return line[at]


def at_end(line: bytearray, at: int) -> bool:
    return byte_at(line, at) in END_OF_LINE


def after_blanks(line: bytearray, at: int) -> int:
    while byte_at(line, at) in BLANKS:
        at += 1
    return at


def end_of_field(line: bytearray, at: int) -> int:
    """Where the run of bytes that starts here meets a blank or the end of the line."""
    while line[at] not in BLANKS and line[at] not in END_OF_LINE:
        at += 1
    return at


def rest_of(line: bytearray, at: int) -> bytes:
    """The text from here to the end of the line, untrimmed."""
    end = at
    while not at_end(line, end):
        end += 1
    return bytes(line[at:end])


def as_printed(line: bytearray) -> bytes:
    """The line as C prints it."""
    return bytes(line[: line.index(NUL)])


# ---------------------------------------------------------------------------------------------------------------------
# 4 Parameters, 8 Word equivalence


def signed(code: int) -> int:
    return code - 256 if code >= 0x80 else code


def same_surface(first: bytes, other: bytes) -> bool:
    """8, point 1."""
    if first == other:
        return True
    first, other = first.replace(b"-", b""), other.replace(b"-", b"")
    return len(first) == len(other) and all(
        abs(signed(a) - signed(b)) in (0, 32) for a, b in zip(first, other, strict=True)
    )


@dataclass
class Parameters:
    """The lines of the parameter file in their order (4.1)."""

    delete: list[bytes] = field(default_factory=list)
    empty: list[bytes] = field(default_factory=list)
    edit: list[bytes] = field(default_factory=list)
    closed: list[bytes] = field(default_factory=list)
    eq_label: list[tuple[bytes, bytes]] = field(default_factory=list)
    eq_words: list[tuple[bytes, bytes]] = field(default_factory=list)
    filled_pauses: list[tuple[int, bytes]] = field(default_factory=list)
    answers: dict[tuple[bytes, bytes], bool] = field(default_factory=dict)

    def read(self, data: bytes) -> None:
        lists = [(b"DELETE_LABEL ", self.delete), (b"EMPTY_NODE ", self.empty)]
        lists += [(b"EDIT_LABEL ", self.edit), (b"CLOSED_CLASS ", self.closed)]
        pairs = ((b"EQ_LABEL ", self.eq_label), (b"EQ_WORDS ", self.eq_words))
        for line in lines_of(data):
            for keyword, values in lists:
                if line.startswith(keyword):
                    values.append(rest_of(line, len(keyword)))
            for keyword, both in pairs:
                if line.startswith(keyword):
                    end = end_of_field(line, len(keyword))
                    second = b"" if at_end(line, end) else rest_of(line, end + 1)
                    both.append((bytes(line[len(keyword) : end]), second))
            keyword = b"FILLED_PAUSE"
            if line.startswith(keyword) and len(rest_of(line, 0)) >= len(keyword) + 2:
                self.filled_pauses.append((line[len(keyword)], rest_of(line, len(keyword) + 2)))

    def rewritten(self, label: bytes) -> bytes:
        """4.2: one step, the last line decides."""
        for old, new in reversed(self.eq_label):
            if label == old:
                return new
        return label

    def group(self, word: bytes) -> int | None:
        """The FILLED_PAUSE group of a word, if any (4.2, 8)."""
        for group, listed in reversed(self.filled_pauses):
            if same_surface(word, listed):
                return group if group < 0x80 else None
        return None

    def equivalent(self, first: bytes | None, other: bytes | None) -> bool:
        """W(a, b) of 8."""
        if first is None or other is None:
            return False
        if (first, other) not in self.answers:
            self.answers[first, other] = self._equivalent(first, other)
        return self.answers[first, other]

    def _equivalent(self, first: bytes, other: bytes) -> bool:
        if same_surface(first, other):
            return True
        group = self.group(first)
        if group is not None and group == self.group(other):
            return True
        return any(
            (same_surface(first, x) and same_surface(other, y)) or (same_surface(other, x) and same_surface(first, y))
            for x, y in self.eq_words
        )

    def information(self) -> bytes:
        """14.1."""
        lines = [b"Evaluation parameterizations:"]
        lines += [b"  DELETE_LABEL " + label for label in reversed(self.delete)]
        lines += [b"  EMPTY_NODE " + label for label in reversed(self.empty)]
        lines += [b"  EQ_LABEL " + old + b" " + new for old, new in reversed(self.eq_label)]
        lines += [b"  EDIT_LABEL " + label for label in reversed(self.edit)]
        lines += [b"  CLOSED_CLASS " + label for label in reversed(self.closed)]
        return b"".join(line + b"\n" for line in [*lines, RULE, b""])


# ---------------------------------------------------------------------------------------------------------------------
# 3 Trees


@dataclass(eq=False)
class Node:
    label: bytes
    word: bytes | None = None
    children: list[Node] = field(default_factory=list)
    closed: bool = False
    deletable: bool = False
    edit: bool = False
    void: bool = False
    row: Row | None = None  # 9.2, of a node with a word
    position: int = -1  # 9.3, of a node with a word
    start: int = 0  # 10.1, of a phrase
    end: int = 0
    head_child: Node | None = None  # 5.2
    head_word: bytes | None = None  # 11.1
    head_position: int = -1
    open: bool = True


@dataclass(eq=False)
class Row:
    """9: a row of the alignment."""

    gold: bytes | None
    test: bytes | None
    deleted: bool = False
    unit: int = -1
    number: int = -1
    gold_leaf: Node | None = None
    test_leaf: Node | None = None


def pre_order(root: Node, *, into_edits: bool = True) -> list[Node]:
    """The nodes of a tree; without those below edit nodes if so wished."""
    result, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        result.append(node)
        if into_edits or not node.edit:
            waiting.extend(reversed(node.children))
    return result


def cut(label: bytes) -> bytes:
    """3.3, point 1: without function tags."""
    for at in range(1, len(label) - 1):
        if label[at] in b"-=":
            return label[:at]
    return label


def rendering(node: Node) -> bytes:
    """15: the node in a message."""
    if not node.children:
        return b"(%s %s)" % (node.label, NO_WORD if node.word is None else node.word)
    return b"".join(b"(%s%s)\n" % (node.label, inside(child)) for child in node.children)


def inside(node: Node, *, heads: bool = False) -> bytes:
    """A node below the one that is rendered, on one line; for headtrees phrases show their head words (16.1)."""
    texts: list[bytes] = []
    waiting: list[Node | bytes] = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, bytes):
            texts.append(item)
        elif item.children:
            head = b"^" + item.head_word if heads and item.head_word is not None else b""
            texts.append(b" (" + item.label + head)
            waiting.append(b")")
            waiting.extend(reversed(item.children))
        else:
            texts.append(b" (%s %s)" % (item.label, NO_WORD if item.word is None else item.word))
    return b"".join(texts)


# ---------------------------------------------------------------------------------------------------------------------
# 5 Head table


@dataclass
class Group:
    leftmost: bool
    labels: list[bytes]

    def pick(self, children: list[Node]) -> Node | None:
        """5.2."""
        ordered = children if self.leftmost else children[::-1]
        considered = [child for child in ordered if not self.labels or child.label in self.labels]
        for child in considered:
            if not child.edit:
                return child
        return considered[0] if considered else None


# ---------------------------------------------------------------------------------------------------------------------
# 7 Edits and deletion


def normalise_edits(root: Node) -> None:
    """7.1."""
    # 1. Flatten.
    for node in pre_order(root, into_edits=False):
        if node.edit and node.children:
            node.children = [below for below in pre_order(node) if not below.children]
    # 2. Move up; the reverse of pre-order has every node behind all nodes below it.
    for node in reversed(pre_order(root)):
        moved: list[Node] = []
        for child in node.children:
            if child.edit or not child.children:
                moved.append(child)
                continue
            while child.children and child.children[0].edit:
                moved.append(child.children.pop(0))
            if not child.children:
                continue
            behind: list[Node] = []
            while child.children[-1].edit:
                behind.insert(0, child.children.pop())
            moved += [child, *behind]
        node.children = moved
    # 3. Merge.
    for node in pre_order(root, into_edits=False):
        if node.edit:
            continue
        merged: list[Node] = []
        for child in node.children:
            if merged and merged[-1].edit and child.edit:
                if not merged[-1].children or not child.children:
                    raise Undefined("two neighbouring edit nodes, one of them a preterminal")
                merged[-1].children += child.children
            else:
                merged.append(child)
        node.children = merged


def remove_deletable(root: Node) -> None:
    """7.2, bottom-up."""
    for node in reversed(pre_order(root)):
        left: list[Node] = []
        for child in node.children:
            if child.deletable or child.void:
                left += child.children
            else:
                left.append(child)
        if node.children and not left:
            node.void = True
        node.children = left


# ---------------------------------------------------------------------------------------------------------------------
# 10 Spans and brackets


@dataclass
class Bracket:
    start: int
    end: int
    label: bytes


def brackets_of(root: Node) -> list[Bracket]:
    """10.1: gives every phrase its span; returns the list of brackets."""
    cursor = 0
    phrases: list[Node] = []
    waiting: list[tuple[Node, bool]] = [(root, True)]
    while waiting:
        node, entering = waiting.pop()
        if node.word is not None:
            cursor = node.position + 1
        elif entering:
            phrases.append(node)
            node.start = cursor
            waiting.append((node, False))
            waiting.extend((child, True) for child in reversed(node.children))
        else:
            node.end = cursor
    return [
        Bracket(node.start, node.end, node.label) for node in phrases if node.start < node.end and not node.deletable
    ]


def matching_brackets(gold: list[Bracket], test: list[Bracket], *, labelled: bool) -> int:
    """10.2."""
    unused = list(gold)
    for bracket in test:
        for other in unused:
            if (bracket.start, bracket.end) == (other.start, other.end) and (
                not labelled or bracket.label == other.label
            ):
                unused.remove(other)
                break
    return len(gold) - len(unused)


def crossing_brackets(gold: list[Bracket], test: list[Bracket]) -> int:
    """10.3."""
    return sum(any(g.start < t.start < g.end < t.end or t.start < g.start < t.end < g.end for g in gold) for t in test)


# ---------------------------------------------------------------------------------------------------------------------
# 11 and 12 Dependencies


@dataclass
class Dependency:
    dependent: bytes | None
    head: bytes | None
    relation: tuple[bytes, bytes]
    position: int
    open: bool


def dependency(mother: Node, child: Node) -> Dependency:
    """11.2."""
    relation = (mother.label, child.label)
    return Dependency(child.head_word, mother.head_word, relation, child.head_position, mother.open and child.open)


def has_width(node: Node) -> bool:
    """11.1."""
    if node.word is not None or not node.children:
        return node.row is not None
    return node.start < node.end


def dependencies_by_position(root: Node) -> list[Dependency]:
    """11.2."""
    return [
        dependency(mother, child)
        for mother in pre_order(root, into_edits=False)
        if not mother.edit and mother.head_word is not None
        for child in mother.children
        if child is not mother.head_child and not child.edit and has_width(child) and child.head_word is not None
    ]


def dependencies_by_sequence(root: Node) -> list[Dependency]:
    """12.1, in right-to-left order."""
    if not root.children:
        if not root.deletable:
            raise Undefined("dependencies of a tree without words")
        return []
    nodes = pre_order(root, into_edits=False)
    mothers = {id(child): node for node in nodes for child in node.children}
    result: list[Dependency] = []
    for node in nodes:
        if node.children or node.edit:
            continue
        current = node
        while mothers[id(current)].head_child is current:
            current = mothers[id(current)]
        result.append(dependency(mothers[id(current)], current))
    return result[::-1]


# ---------------------------------------------------------------------------------------------------------------------
# 13 Numbers


def single(value: float) -> float:
    """Rounded to single precision."""
    (rounded,) = struct.unpack("f", struct.pack("f", value))
    assert isinstance(rounded, float)
    return rounded


def quotient(above: float, below: float) -> float:
    """In single precision; only 0 / 0 has no value."""
    return single(above / below) if below != 0 else float("nan")


def ratio(part: int, whole: int, factor: int = 100) -> float:
    product = (factor * part + 2**31) % 2**32 - 2**31  # 32-bit integers
    return quotient(single(product), single(whole))


def f_measure(precision: float, recall: float) -> float:
    if precision == 0 and recall == 0:
        return 0.0
    return quotient(single(single(2 * precision) * recall), single(precision + recall))


def two_decimals(value: float) -> bytes:
    return b"    -nan" if value != value else b"%8.2f" % value


@dataclass
class Counters:
    """Of a unit, or totals, in the order of the table (14.2)."""

    matched: int = 0
    gold: int = 0
    test: int = 0
    cross: int = 0
    head_matched: int = 0
    head_gold: int = 0
    head_test: int = 0
    open_matched: int = 0
    open_gold: int = 0
    open_test: int = 0

    def values(self) -> list[int]:
        values = [self.matched, self.gold, self.test, self.cross, self.head_matched, self.head_gold, self.head_test]
        return [*values, self.open_matched, self.open_gold, self.open_test]

    def row(self) -> bytes:
        return b" ".join(b"%6d" % value for value in self.values()) + b"\n"


# ---------------------------------------------------------------------------------------------------------------------
# 1 Command line


@dataclass
class Options:
    program: bytes
    values: dict[bytes, bytes] = field(default_factory=dict)
    flags: set[bytes] = field(default_factory=set)
    operands: list[bytes] = field(default_factory=list)
    bad: bool = False

    def value(self, letter: bytes) -> bytes:
        return self.values.get(letter, b"")


class Program:
    """What the three programs share: options, files, parameters, trees, walks."""

    with_argument = b""
    without_argument = b""
    operands = 0
    usage_lines: tuple[str, ...] = ()

    def __init__(self, cwd: Path) -> None:
        self.cwd = cwd
        self.options = Options(b"")
        self.out: list[bytes] = []
        self.err: list[bytes] = []
        self.out_file: Path | None = None
        self.parameters = Parameters()
        self.rules: dict[bytes, list[Group]] = {}
        self.default: list[Group] = []
        self.gold_name = b""
        self.test_name = b""

    def stop(self, message: bytes) -> NoReturn:
        self.err.append(message)
        raise Stop

    # Files

    def path(self, name: bytes) -> Path | None:
        return self.cwd / os.fsdecode(name) if name else None

    def could_not_open(self, name: bytes, mode: bytes) -> NoReturn:
        self.stop(b'ERROR: could not open file %s in mode "%s"\n' % (name, mode))

    def read_file(self, name: bytes) -> bytes:
        path = self.path(name)
        if path is None:
            self.could_not_open(name, b"r")
        try:
            return path.read_bytes()
        except IsADirectoryError:
            return b""  # can be opened; reading fails, which looks like the end of the file
        except (OSError, ValueError):
            self.could_not_open(name, b"r")

    def create_file(self, name: bytes) -> None:
        path = self.path(name)
        if path is None:
            self.could_not_open(name, b"w")
        try:
            path.write_bytes(b"")
        except (OSError, ValueError):
            self.could_not_open(name, b"w")
        self.out_file = path

    # Options, as GNU getopt reads them

    def parse(self, argv: Sequence[bytes]) -> None:
        self.options = Options(argv[0])
        words = list(argv[1:])
        while words:
            word = words.pop(0)
            if word == b"--":
                self.options.operands += words
                return
            if word[:1] != b"-" or word == b"-":
                self.options.operands.append(word)
                continue
            letters = word[1:]
            while letters:
                letter, letters = letters[:1], letters[1:]
                if letter in self.with_argument:
                    if letters:
                        self.option(letter, letters)
                    elif words:
                        self.option(letter, words.pop(0))
                    else:
                        self.complain(b"option requires an argument", letter)
                    break
                if letter == b"?":
                    self.options.bad = True
                elif letter in self.without_argument:
                    self.options.flags.add(letter)
                else:
                    self.complain(b"invalid option", letter)

    def option(self, letter: bytes, value: bytes) -> None:
        self.options.values[letter] = value
        if letter == b"F":
            self.create_file(value)

    def complain(self, what: bytes, letter: bytes) -> None:
        self.err.append(b"%s: %s -- '%s'\n" % (self.options.program, what, letter))
        self.options.bad = True

    def usage(self) -> NoReturn:
        """15; see the cases 180, 195, 199 for the text."""
        first, *others = self.usage_lines
        lines = [b"Usage: " + self.options.program + b" [-opts] " + first.encode()]
        lines += [line.encode().ljust(USAGE_WIDTH) for line in ["", "Options:", *others]]
        self.stop(b"".join(line + b"\n" for line in lines))

    def banner(self) -> None:
        """Only sparseval has one (14.4)."""

    def run(self, argv: Sequence[bytes]) -> tuple[bytes, bytes, int]:
        code = 0
        try:
            self.parse(argv)
            if b"v" in self.options.flags:
                self.banner()
            if self.options.bad or len(self.options.operands) != self.operands:
                self.usage()
            if b"h" in self.options.values:
                self.read_head_table(self.read_file(self.options.values[b"h"]))
            if b"p" in self.options.values:
                self.parameters.read(self.read_file(self.options.values[b"p"]))
            self.work()
        except Stop:
            code = 1
        out = b"".join(self.out)
        if self.out_file is not None:
            self.out_file.write_bytes(out)
            out = b""
        return out, b"".join(self.err), code

    def work(self) -> None:
        raise NotImplementedError

    # 3 Trees

    def new_node(self, label: bytes, *, root: bool) -> Node:
        """3.3."""
        label = ROOT_LABEL if root else self.parameters.rewritten(cut(label))
        return Node(
            label,
            closed=label in self.parameters.closed,
            deletable=label in self.parameters.delete,
            edit=label in self.parameters.edit,
            void=label in self.parameters.empty,
        )

    def opened(self, line: bytearray, at: int) -> int:
        """3.2, before and in point 1: where the label starts."""
        if line[at] != OPEN:
            self.stop(b"oops, misparse\n")
        if line[at + 1] == OPEN:
            line[at] = SPACE
            return at
        return at + 1

    def read_tree(self, line: bytearray, at: int, placeholder: bytes, root: Node | None = None) -> Node:
        """3.2; with a root, this is a further line of its unit (3.4)."""
        stack: list[tuple[Node, int]] = []
        if root is not None:
            column = at
            at = self.opened(line, at)
            while line[at] not in BLANKS and line[at] not in END_OF_LINE:
                at += 1
            stack.append((root, column))
        else:
            root, at = self.read_label(line, at, placeholder, stack)
        while True:
            node, column = stack[-1]
            # Point 3
            if line[at] != CLOSE and not at_end(line, at):
                at = after_blanks(line, at)
                if at_end(line, at):
                    pass
                elif line[at] == OPEN:
                    _, at = self.read_label(line, at, placeholder, stack)
                else:
                    end = at
                    while line[end] != CLOSE and not at_end(line, end):
                        end += 1
                    node.word = bytes(line[at:end]) or placeholder
                    at = end
                continue
            # Point 4
            if node.word is None and not node.children:
                node.void = True
            # Point 5
            if at_end(line, at):
                self.misbracketing(node, line)
            # Point 6
            at = after_blanks(line, at + 1)
            if column == 0 and not at_end(line, at):
                self.misbracketing(node, line)
            # Point 7
            stack.pop()
            if not stack:
                return root
            if not node.void:
                stack[-1][0].children.append(node)

    def read_label(
        self, line: bytearray, at: int, placeholder: bytes, stack: list[tuple[Node, int]]
    ) -> tuple[Node, int]:
        """3.2, points 1 and 2: puts the node on the stack."""
        column = at
        at = self.opened(line, at)
        end = at
        while line[end] != SPACE and not at_end(line, end):
            end += 1
        node = self.new_node(bytes(line[at:end]) or placeholder, root=not stack)
        stack.append((node, column))
        return node, end

    def misbracketing(self, node: Node, line: bytearray) -> NoReturn:
        """15."""
        self.err += [rendering(node), b"misbracketing:\n", as_printed(line), b"Node:" + node.label + b"\n"]
        self.stop(b"gold file: %s\ntest file %s\n" % (self.gold_name, self.test_name))

    def first_tree(self, lines: Iterator[bytearray], placeholder: bytes, *, load_deletion: bool) -> Node | None:
        """3.1: the tree of the next line that is not blank; None at the end of the file."""
        column = 0
        for line in lines:
            column = after_blanks(line, column if placeholder == TEST_PLACEHOLDER else 0)
            if not at_end(line, column):
                root = self.read_tree(line, column, placeholder)
                if load_deletion:
                    remove_deletable(root)
                return root
        return None

    def further_trees(self, root: Node, lines: Iterator[bytearray], placeholder: bytes, *, load_deletion: bool) -> None:
        """3.4: the remaining lines of the file become part of the same unit."""
        for line in lines:
            column = after_blanks(line, 0)
            if at_end(line, column):
                continue
            if not root.children:
                raise Undefined("a line is added while the root has no children")
            before = len(root.children)
            self.read_tree(line, column, placeholder, root)
            if load_deletion:
                # Nothing deletable is left of the earlier lines: the pass need not go over them again.
                added = Node(b"", children=root.children[before:])
                remove_deletable(added)
                root.children[before:] = added.children

    # 5 Head table

    def read_head_table(self, data: bytes) -> None:
        """5.1."""
        table: list[tuple[bytes, list[Group]]] = []
        default: list[Group] | None = None
        lines = list(lines_of(data))
        for line in lines:
            at = after_blanks(line, 0)
            end = end_of_field(line, at)
            category = bytes(line[at:end])
            groups = self.read_groups(line, end)
            if max(len(label) for label in [category, *(x for group in groups for x in group.labels)]) > (
                LONGEST_HEAD_LABEL
            ):
                raise Undefined("a label in the head table is too long")
            if category == b"*default*" and default is None:
                default = groups
            else:
                table.append((category, groups))
        if default is None:
            if len(lines) >= 3 and len(lines) % 2 == 1:
                raise Undefined("head table without a default and with an odd number of lines")
            table = table[:-1]
        for category, groups in table:
            self.rules.setdefault(category, groups)
        self.default = default or []

    def read_groups(self, line: bytearray, at: int) -> list[Group]:
        groups: list[Group] = []
        at = after_blanks(line, at)
        while not at_end(line, at):
            if line[at] != OPEN:
                self.stop(b"misparse head file\n")
            at = after_blanks(line, at + 1)
            direction = line[at]
            if direction in (NUL, END_BYTE):
                raise Undefined("no direction character in the head table")
            at = after_blanks(line, at + 1)
            labels: list[bytes] = []
            while line[at] != CLOSE:
                if at_end(line, at):
                    self.stop(b"headfile misparse\n")
                end = at
                while line[end] != CLOSE and line[end] not in BLANKS and not at_end(line, end):
                    end += 1
                labels.append(bytes(line[at:end]))
                at = after_blanks(line, end)
            groups.append(Group(direction == ord("l"), labels))
            at = after_blanks(line, at + 1)
        return groups or [Group(False, [])]

    def head_child(self, node: Node) -> Node:
        """5.2."""
        for group in [*self.rules.get(node.label, []), *self.default]:
            result = group.pick(node.children)
            if result is not None:
                return result
        self.stop(b"Head rules with insufficient default conditions")

    def find_heads(self, root: Node, *, by_position: bool) -> None:
        """5.2 and 11.1, bottom-up."""
        for node in reversed(pre_order(root, into_edits=False)):
            node.open = not node.closed
            if node is root:
                node.head_word = node.label
            elif not node.children:
                node.head_word, node.head_position = node.word, node.position
            elif not node.edit:
                head = node.head_child = self.head_child(node)
                node.open = head.open
                if not by_position or has_width(head):
                    node.head_word, node.head_position = head.head_word, head.head_position

    # 9.2 Walking the trees

    def joined(self, word: bytes, first: bytes, second: bytes | None) -> bool:
        """The word covers two rows."""
        if second is None:
            second = NO_WORD
        return word in (first + b"-" + second, first + second) or same_surface(first + second, word)

    def exhausted(self, side: bytes, rows: list[Row], stood: int, word: bytes) -> NoReturn:
        unit, number = (rows[stood].unit, rows[stood].number) if stood < len(rows) else (-1, -1)
        self.stop(b"warning: %s mis-alignment: (%d,%d) %s\n" % (side, unit, number, word))

    def warn(self, side: bytes, row: Row, word: bytes, expected: bytes) -> None:
        text = b"warning, potential %s mis-alignment (%d,%d): %s %s\n"
        self.err.append(text % (side, row.unit, row.number + 1, word, expected))

    def walk_gold(self, leaves: list[Node], rows: list[Row]) -> None:
        pointer = 0
        for leaf in leaves:
            word = leaf.word
            assert word is not None
            stood = pointer
            while pointer < len(rows) and rows[pointer].gold is None:
                pointer += 1
            if pointer >= len(rows):
                self.exhausted(b"gold", rows, stood, word)
            row = rows[pointer]
            gold = row.gold
            assert gold is not None
            row.gold_leaf, leaf.row = leaf, row
            pointer += 1
            if word == gold:
                continue
            if gold.startswith(word):
                deleted = True if row.test is not None else row.deleted
                rows.insert(pointer, Row(gold[len(word) :], None, deleted))
                row.gold = word
                if row.test == word:
                    row.test = None
            elif pointer < len(rows) and self.joined(word, gold, rows[pointer].gold):
                pointer += 1
            else:
                self.warn(b"gold", row, word, gold)

    def walk_test(self, leaves: list[Node], rows: list[Row]) -> None:
        pointer = 0
        for leaf in leaves:
            word = leaf.word
            assert word is not None
            stood = pointer
            while pointer < len(rows) and rows[pointer].deleted:
                pointer += 1
            if pointer >= len(rows):
                self.exhausted(b"test", rows, stood, word)
            row = rows[pointer]
            expected = row.gold if row.test is None else row.test
            assert expected is not None
            row.test_leaf, leaf.row = leaf, row
            pointer += 1
            if word == expected:
                continue
            if row.test is not None and row.test.startswith(word):
                rest = row.test[len(word) :]
                if pointer < len(rows) and rows[pointer].deleted:
                    rows[pointer].deleted = False
                    rows[pointer].test = rest
                else:
                    rows.insert(pointer, Row(None, rest))
                row.test = word
                continue
            if pointer < len(rows):
                following = rows[pointer]
                if self.joined(word, expected, following.gold if following.test is None else following.test):
                    pointer += 1
                    continue
            self.warn(b"test", row, word, expected)


def nodes_with_words(root: Node) -> list[Node]:
    return [node for node in pre_order(root) if node.word is not None]


# ---------------------------------------------------------------------------------------------------------------------
# sparseval


class Sparseval(Program):
    with_argument = b"phaF"
    without_argument = b"lbcuvz"
    operands = 2
    usage_lines = (
        "goldfile parsefile" + " " * 24,
        " -p file         evaluation parameter file",
        " -h file         head percolation file",
        " -a file         string alignment file",
        " -F file         output file",
        " -l              goldfile and parsefile are lists of files to evaluate",
        " -b              no alignment (bag of head dependencies)",
        " -c              conversation side",
        " -u              unlabeled evaluation",
        " -v              verbose",
        " -z              show info",
        " -?              info/options",
    )

    def __init__(self, cwd: Path) -> None:
        super().__init__(cwd)
        self.units = 0
        self.totals = Counters()
        self.complete = self.no_crossing = self.two_or_less = 0

    def flag(self, letter: bytes) -> bool:
        return letter in self.options.flags

    @property
    def aligned(self) -> bool:
        return b"a" in self.options.values

    @property
    def bag(self) -> bool:
        """6: -b counts only without -a."""
        return self.flag(b"b") and not self.aligned

    @property
    def heads(self) -> bool:
        return b"h" in self.options.values

    def banner(self) -> None:
        """14.4."""
        gold, test = [*self.options.operands, b"NOT PROVIDED", b"NOT PROVIDED"][:2]
        switches = b"".join(b" -" + letter for letter in (b"u", b"b", b"c", b"l") if self.flag(letter))
        self.err += [b"  command: " + self.options.program + b"\n", b"  arg1: " + gold + b"\n"]
        self.err += [b"  arg2: " + test + b"\n", b"  params file:" + self.options.value(b"p") + b"\n"]
        self.err += [b"  switches:" + switches + b"\n"]
        self.err += [b"  head percolation: " + self.options.value(b"h") + b"\n"]
        self.err += [b"  alignment: " + self.options.value(b"a") + b"\n"]

    def work(self) -> None:
        """1, points 5 to 7."""
        names = [*self.options.operands, *([self.options.values[b"a"]] if self.aligned else [])]
        lists = [lines_of(self.read_file(name)) for name in names] if self.flag(b"l") else None
        if self.flag(b"z"):
            self.out.append(self.parameters.information())
        if lists is None:
            self.score_files(names, [self.read_file(name) for name in names])
        else:
            for line in lists[0]:
                members = [rest_of(line, 0)]
                data = [self.read_file(members[0])]
                for number, others in enumerate(lists[1:], 1):
                    line_of_other = next(others, None)
                    if line_of_other is None:
                        kind = b"" if number == 1 else b" (align)"
                        self.stop(b"file length mismatch%s: %s %s\n" % (kind, names[0], names[number]))
                    members.append(rest_of(line_of_other, 0))
                    data.append(self.read_file(members[-1]))
                self.score_files(members, data)
        self.summary()

    def score_files(self, names: list[bytes], data: list[bytes]) -> None:
        """One pair of files; names and contents of gold, test and perhaps the alignment."""
        self.gold_name, self.test_name = names[:2]
        gold, test = lines_of(data[0]), lines_of(data[1])
        file_rows = self.read_alignment(data[2]) if self.aligned else None
        whole_file = self.flag(b"c") or self.aligned
        load_deletion = self.aligned or self.bag
        while True:
            trees: list[Node] = []
            for lines, placeholder in ((gold, GOLD_PLACEHOLDER), (test, TEST_PLACEHOLDER)):
                root = self.first_tree(lines, placeholder, load_deletion=load_deletion)
                if root is None:
                    if not trees:
                        return
                    self.stop(b"file length mismatch (files): %s %s\n" % (self.gold_name, self.test_name))
                if whole_file:
                    self.further_trees(root, lines, placeholder, load_deletion=load_deletion)
                trees.append(root)
            self.finish_unit(self.score(trees[0], trees[1], file_rows))

    # 9.1 Rows

    def read_alignment(self, data: bytes) -> list[Row]:
        rows: list[Row] = []
        for line in lines_of(data):
            end = end_of_field(line, 0)
            gold = bytes(line[:end]) or None
            at = after_blanks(line, end)
            end = end_of_field(line, at)
            second = bytes(line[at:end])
            row = Row(gold, None, unit=self.units, number=len(rows) + 1)
            if not at_end(line, end):
                at = after_blanks(line, end)
                code = byte_at(line, at + 1)
                if code == ord("0") and gold is None:
                    self.err.append(as_printed(line) + b"\n")
                    self.stop(b"disagreement in alignment a\n")
                if code == ord("1") and gold is not None:
                    self.stop(b"disagreement in alignment b\n")
                if second != gold:
                    row.test = second
            elif second == b"100":
                row.deleted = True
            else:
                self.stop(b"disagreement in alignment c\n")
            rows.append(row)
        if not rows:
            self.stop(b"no alignment data in file!\n\n")
        return rows

    def rows_of(self, gold: Node) -> list[Row]:
        """In text mode."""
        words: list[bytes] = []
        waiting = [gold]
        while waiting:
            node = waiting.pop()
            if node.word is not None:
                words.append(node.word)
            else:
                waiting.extend(reversed(node.children))
        return [Row(word, None, unit=self.units, number=number) for number, word in enumerate(words, 1)]

    # 6 Modes

    def score(self, gold: Node, test: Node, rows: list[Row] | None) -> Counters:
        """The order of work for a unit."""
        if not self.bag and (gold.word is not None or test.word is not None):
            raise Undefined("the root has a word")
        normalise_edits(gold)
        normalise_edits(test)
        if rows is None and not self.bag:
            rows = self.rows_of(gold)
        counters = Counters()
        if not rows:
            remove_deletable(gold)
            remove_deletable(test)
            if self.heads:
                self.score_by_sequence(gold, test, counters)
            return counters
        self.walk_gold(nodes_with_words(gold), rows)
        self.walk_test(nodes_with_words(test), rows)
        for position, row in enumerate(rows):
            for leaf in (row.gold_leaf, row.test_leaf):
                if leaf is not None:
                    leaf.position = position
            if row.gold_leaf is not None and row.gold_leaf.deletable and row.test_leaf is not None:
                row.test_leaf.deletable = True  # 7.2
        remove_deletable(gold)
        remove_deletable(test)
        gold_brackets, test_brackets = brackets_of(gold), brackets_of(test)
        if self.heads:
            self.score_by_position(gold, test, counters)
        counters.gold, counters.test = len(gold_brackets), len(test_brackets)
        counters.matched = matching_brackets(gold_brackets, test_brackets, labelled=not self.flag(b"u"))
        counters.cross = crossing_brackets(gold_brackets, test_brackets)
        return counters

    # 11 Dependencies by position

    def match(self, gold: Dependency, test: Dependency) -> bool:
        """11.3, without the positions."""
        return (
            (self.flag(b"u") or gold.relation == test.relation)
            and self.parameters.equivalent(gold.dependent, test.dependent)
            and self.parameters.equivalent(gold.head, test.head)
        )

    def count(self, gold: list[Dependency], test: list[Dependency], counters: Counters) -> None:
        counters.head_gold, counters.head_test = len(gold), len(test)
        counters.open_gold = sum(item.open for item in gold)
        counters.open_test = sum(item.open for item in test)

    def score_by_position(self, gold_root: Node, test_root: Node, counters: Counters) -> None:
        for root in (gold_root, test_root):
            self.find_heads(root, by_position=True)
        gold, test = dependencies_by_position(gold_root), dependencies_by_position(test_root)
        self.count(gold, test, counters)
        by_position = {first.position: first for first in gold}
        for first in test:
            other = by_position.get(first.position)
            if other is not None and self.match(other, first):
                counters.head_matched += 1
                counters.open_matched += first.open and other.open

    # 12 Dependencies by sequence

    def score_by_sequence(self, gold_root: Node, test_root: Node, counters: Counters) -> None:
        for root in (gold_root, test_root):
            self.find_heads(root, by_position=False)
        gold, test = dependencies_by_sequence(gold_root), dependencies_by_sequence(test_root)
        self.count(gold, test, counters)
        counters.head_matched, counters.open_matched = self.longest_common(gold, test)

    def longest_common(self, gold: list[Dependency], test: list[Dependency]) -> tuple[int, int]:
        """12.3, with its names; entries are (matches, open matches)."""
        m, n = len(gold), len(test)
        cur, prev = [(0, 0)] * (n + 1), [(0, 0)] * (n + 1)
        first, best, half = 1, 0, BAND  # F, B and S
        for i in range(1, m + 1):
            cur[first - 1] = (0, 0)  # step 1
            while first <= n and first < i - half:  # step 2
                cur[first] = prev[first]
                first += 1
            j = first
            while j <= n and j < i + half:  # step 3
                drop = False
                c = cur[j - 1]
                if prev[j][0] > c[0]:
                    c = prev[j]
                if prev[j - 1][0] + 1 > c[0]:
                    c = prev[j - 1]
                    if c[0] + 1 + (m - i) > best:
                        if self.match(gold[i - 1], test[j - 1]):
                            c = (c[0] + 1, c[1] + (gold[i - 1].open and test[j - 1].open))
                            if c[0] > best:
                                best = c[0]
                                half = abs(i - j) + BAND
                    elif j == first:
                        drop = True
                elif j == first and c[0] + 1 + (m - i) <= best:
                    drop = True
                cur[j] = c
                if drop:
                    first += 1
                j += 1
            for k in range(j, n):  # step 4
                cur[k] = (cur[j - 1][0], cur[k][1])
            cur, prev = prev, cur  # step 5
        return prev[n]

    # 13 and 14 Output

    def finish_unit(self, counters: Counters) -> None:
        if self.units == 0:
            self.out.append(self.header())
        self.units += 1
        values = [first + other for first, other in zip(self.totals.values(), counters.values(), strict=True)]
        self.totals = Counters(*values)
        self.complete += counters.matched == counters.gold == counters.test
        self.no_crossing += counters.cross == 0
        self.two_or_less += counters.cross < 3
        if self.flag(b"v"):
            self.out.append(b"%5d " % self.units + counters.row())

    def header(self) -> bytes:
        """14.2."""
        if self.flag(b"u"):
            first = b" " * 17 + b"Unlabeled" + b" " * 14 + b"Unlabeled" + b" " * 11 + b"Unlabeled" + b" " * 5
        else:
            first = b" " * 18 + b"Labeled" + b" " * 16 + b"Labeled" + b" " * 13 + b"Labeled" + b" " * 7
        lines = [first, b" Sent. ---------- Brackets ------  ---- Head-depen ---  -- Open-class hh --"]
        lines += [b"  ID   match   gold   test  cross  match   gold   test  match   gold   test", RULE]
        return b"".join(line + b"\n" for line in lines)

    def summary(self) -> None:
        """14.2, last paragraph, and 14.3."""
        if self.flag(b"v"):
            self.out.append(RULE + b"\n")
        totals = self.totals
        self.out.append(b"Total:" + totals.row())
        kind = b"Unlabeled " if self.flag(b"u") else b"Labeled "
        lines = [b"", b"Summary", DASHES, b"Number of sentences:" + b" " * 15 + b"%10d" % self.units]
        if not self.flag(b"b"):
            recall, precision = ratio(totals.matched, totals.gold), ratio(totals.matched, totals.test)
            lines += [kind + b"Bracketing Recall:" + b" " * 19 + two_decimals(recall)]
            lines += [kind + b"Bracketing Precision:" + b" " * 16 + two_decimals(precision)]
            lines += [kind + b"Bracketing F-measure:" + b" " * 16 + two_decimals(f_measure(precision, recall))]
            lines += [b"Complete match:" + b" " * 20 + b"%10d" % self.complete, DASHES]
            average = ratio(totals.cross, self.units, factor=1)
            lines += [b"Average Crossing Brackets:" + b" " * 11 + two_decimals(average)]
            none, few = ratio(self.no_crossing, self.units), ratio(self.two_or_less, self.units)
            lines += [b"No Crossing Brackets:" + b" " * 16 + two_decimals(none)]
            lines += [b"Two or less Crossing:" + b" " * 16 + two_decimals(few), DASHES]
        recall = ratio(totals.head_matched, totals.head_gold)
        precision = ratio(totals.head_matched, totals.head_test)
        lines += [kind + b"Head-dependency Recall:" + b" " * 15 + two_decimals(recall)]
        lines += [kind + b"Head-dependency Precision:" + b" " * 12 + two_decimals(precision)]
        lines += [kind + b"Head-dependency F-measure:" + b" " * 12 + two_decimals(f_measure(precision, recall))]
        recall = ratio(totals.open_matched, totals.open_gold)
        precision = ratio(totals.open_matched, totals.open_test)
        kind = kind + b"Open-class head-dependency "
        lines += [DASHES, kind + b"Recall:" + b" " * 4 + two_decimals(recall)]
        lines += [kind + b"Precision: " + two_decimals(precision)]
        lines += [kind + b"F-measure: " + two_decimals(f_measure(precision, recall))]
        self.out.append(b"".join(line + b"\n" for line in lines))


# ---------------------------------------------------------------------------------------------------------------------
# 16.1 headtrees


class Headtrees(Program):
    with_argument = b"phF"
    without_argument = b"lv"
    operands = 1
    usage_lines = (
        "parsefile" + " " * 33,
        " -p file         evaluation parameter file",
        " -h file         head percolation file",
        " -F file         output file",
        " -l              goldfile and parsefile are lists of files to evaluate",
        " -v              verbose",
        " -?              info/options",
    )

    def work(self) -> None:
        (name,) = self.options.operands
        data = self.read_file(name)
        if b"l" not in self.options.flags:
            self.print_trees(data)
            return
        for line in lines_of(data):
            if NEWLINE not in line:
                raise Undefined("the list does not end in a newline")
            self.print_trees(self.read_file(bytes(line[: line.index(NEWLINE)]).split(b"\0")[0]))

    def print_trees(self, data: bytes) -> None:
        for line in lines_of(data):
            at = after_blanks(line, 0)
            if line[at] == NEWLINE:
                continue
            root = self.read_tree(line, at, GOLD_PLACEHOLDER)
            remove_deletable(root)
            self.find_heads(root, by_position=False)
            if not root.children:
                self.out.append(rendering(root))
            for child in root.children:
                self.out.append(b"(%s%s)\n" % (root.label, inside(child, heads=True)))

    def misbracketing(self, node: Node, line: bytearray) -> NoReturn:
        raise Undefined("misbracketing in headtrees: which file names are printed is not known")


# ---------------------------------------------------------------------------------------------------------------------
# 16.2 strealign


class Strealign(Program):
    with_argument = b"paF"
    without_argument = b"v"
    operands = 3
    usage_lines = (
        "goldfile parsefile alignfile" + " " * 14,
        " -p file         evaluation parameter file",
        " -F file         output file",
        " -v              verbose",
        " -?              info/options",
    )

    def option(self, letter: bytes, value: bytes) -> None:
        super().option(letter, value)
        if letter == b"a":
            self.options.bad = True

    def work(self) -> None:
        gold_name, test_name, raw_name = self.options.operands
        self.gold_name, self.test_name = gold_name, test_name
        gold_data, test_data = self.read_file(gold_name), self.read_file(test_name)
        rows = self.read_raw(self.read_file(raw_name))
        gold, test = self.unit(gold_data, GOLD_PLACEHOLDER), self.unit(test_data, TEST_PLACEHOLDER)
        self.walk_gold([node for node in nodes_with_words(gold) if not node.deletable], rows)
        self.walk_test([node for node in nodes_with_words(test) if not node.deletable], rows)
        for row in rows:
            leaves = (row.gold_leaf, row.test_leaf)
            if leaves == (None, None):
                continue
            words = [None if leaf is None else leaf.word for leaf in leaves]
            differ = None not in words and not self.parameters.equivalent(*words)
            self.out += [b"\t\t" if word is None else word + b"\t" * (2 if len(word) < 8 else 1) for word in words]
            self.out.append(b"%d%d%d\n" % (words[1] is None, words[0] is None, differ))

    def unit(self, data: bytes, placeholder: bytes) -> Node:
        lines = lines_of(data)
        root = self.first_tree(lines, placeholder, load_deletion=False)
        if root is None:
            raise Undefined("no trees")
        self.further_trees(root, lines, placeholder, load_deletion=False)
        if root.word is not None:
            raise Undefined("the root has a word")
        return root

    def read_raw(self, data: bytes) -> list[Row]:
        rows: list[Row] = []
        lines = lines_of(data)
        for line in lines:
            if line.startswith(b" ref del ins sub "):
                break
        for line in lines:
            if at_end(line, 0):
                break
            row = Row(None, None)
            if byte_at(line, 3) == ord("1"):
                row.gold = self.raw_word(line, 16)
            row.deleted = byte_at(line, 7) in b"01"
            if not row.deleted:
                row.test = self.raw_word(line, 62)
                if row.test == row.gold:
                    row.test = None
            rows.append(row)
        if not rows:
            self.stop(b"no alignment data in file!\n\n")
        return rows

    def raw_word(self, line: bytearray, column: int) -> bytes:
        at = after_blanks(line, column)
        word = bytes(line[at : end_of_field(line, at)])
        if not word:
            raise Undefined("a word is missing in the raw alignment")
        return word


# ---------------------------------------------------------------------------------------------------------------------

PROGRAMS: dict[str, type[Program]] = {"sparseval": Sparseval, "headtrees": Headtrees, "strealign": Strealign}


def main(argv: Sequence[str | bytes], cwd: Path | None = None) -> tuple[bytes, bytes, int]:
    """Runs the program that argv[0] names; returns stdout, stderr and exit code."""
    words = [os.fsencode(word) for word in argv]
    program = PROGRAMS[os.fsdecode(words[0])](Path.cwd() if cwd is None else cwd)
    return program.run(words)


if __name__ == "__main__":
    try:
        stdout, stderr, code = main(sys.argv[1:])
    except Undefined as undefined:
        stdout, stderr, code = b"", f"undefined: {undefined}\n".encode(), 139
    sys.stdout.buffer.write(stdout)
    sys.stderr.buffer.write(stderr)
    sys.exit(code)
