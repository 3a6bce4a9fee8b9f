"""Plain re-implementation of EVALB and EVALB_SPMRL, the oracle of the differential tests.

Written from the behavioural specification only; the numbers in the comments are its sections ("A 3.5" is
section 3.5 of the EVALB part, "B 3" point 3 of the SPMRL part). Readable first, never tuned: every list is
searched from front to back.

    python evalb.py [--spmrl] [options] gold test

Where the specification is silent or can be read in two ways: what was chosen, and the name of the conformance
case that decided it. "Open" means that no case tells the readings apart.

*  A 2, a keyword without a value is undefined in the original: here the complaint `KEYWORD requires a value`,
   and the line is ignored, also for EQ_LABEL and EQ_WORD.
*  A 3.2, a label followed by white space and the end of the line, e.g. a line ending in `(NP`: read as a
   phrase, so that the line is merely unbalanced. Open; the original may well read stale memory here.
*  A 3.2, a label or candidate word that runs into the end of the content (NUL, line cut, no final newline):
   undefined in the original; here the label is a phrase and the candidate word loose text.
*  A 3.5, a cell may name a bracket that the present tree does not have (yet): the closing has no effect.
   Cells below -4 start at 0, too. Open, like all of the cells' long life: emptying them for every line passes
   all cases as well.
*  A 3.5 and 6, the brackets open at a quote are stack cells 0 … depth-1; what was pushed below 0 is not among
   them. Open.
*  A 6, "tag in DELETE_LABEL" is an exact comparison without EQ_LABEL, as in 3.3: quote_word_length. In SPMRL
   it uses the list in its present, possibly already cut state (B 2): open.
*  A 9.2.1, "phrases show an empty W" is taken literally, also where a non-empty candidate word stands before
   `(` or white space (the run dies right after that). Open.
*  A 9.2.2, the empty line comes in every sentence, also in a skipped one: big_debug. Not for a gold line
   without a test line: open.
*  A 9.2.6, "the previous crossing" is one of the same sentence. Open.
*  A 9.2, TEXT of a never closed bracket is undefined; here it runs to the end of the line. After surplus
   closings TEXT of bracket 0 ends at the last of them: open.
*  B 2, "the delete list itself is cut at the first bracket compared": the whole list at once, even if its
   first entry matches. A bracket's label is cut by A 5.3 even if there is nothing to compare it with (-d
   shows it). Open.
*  B 3, test words without a gold partner keep the result 9 in the -d table of the second row. Open.
*  B 4, the comparison with the delete labels is the one of B 2 and A 7.1: it cuts label and list and knows
   EQ_LABEL. Thus -d shows cut labels in such a sentence if there is any delete label. Open.
*  B 5, -K counts lines, not rows. Open.
*  B 6, -L and -l together: the later one wins. Open.
"""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

WHITE = b" \t\n\v\f\r"  # A 3.1
PARENTHESES = b"()"
QUOTE_TEXTS = (b"'", b'"', b"/")  # A 3.3
MOST_QUOTES_SHOWN = 20  # A 9.2.3

PARAMETER_LINE = 499  # A 2
EVALB_LINE = 4999  # A 3.1
SPMRL_LINE = 49999  # B 13

NOT_MATCHED, MATCHED, DELETED, NEVER = 0, 1, 5, 9  # A 9.1
GOOD, ERROR, SKIP, UNPARSED = 0, 1, 2, 3  # A 8, B 4

RULE = b"=" * 76
HEADER = (
    b"  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    b" ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n" + RULE + b"\n"
)


@dataclass
class Result:
    """What a run leaves behind; status is the content of the SPMRL file of that name, None if it is not written."""

    stdout: bytes
    stderr: bytes
    code: int
    status: bytes | None


class Stop(Exception):
    """The run ends here with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Settings:
    """Parameters (A 2) and options (A 1, B 4-7) with their defaults."""

    spmrl: bool = False
    debug: int = 0
    max_error: int = 10
    cutoff: int = 40
    labeled: int = 1
    delete: list[bytes] = field(default_factory=list)
    delete_for_length: list[bytes] = field(default_factory=list)
    quote: list[bytes] = field(default_factory=list)
    eq_label: list[tuple[bytes, bytes]] = field(default_factory=list)
    eq_word: list[tuple[bytes, bytes]] = field(default_factory=list)
    count_unparsed: bool = False  # -X
    most_sentences: int = -1  # -K
    compact: bytes | None = None  # b"L", b"l"
    show_names: bool = False  # -V


@dataclass
class Word:
    text: bytes
    tag: bytes
    result: int = NEVER


@dataclass
class Bracket:
    start: int
    label: bytes
    text_start: int  # offset right behind the label
    end: int = -1
    text_end: int | None = None  # offset of the closing parenthesis
    result: int = NEVER


@dataclass
class Quote:
    """A quote as recorded in A 6."""

    position: int
    brackets_before: int
    open_brackets: list[int]
    text: bytes
    tag: bytes


@dataclass
class Tree:
    line: bytes = b""
    words: list[Word] = field(default_factory=list)
    brackets: list[Bracket] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)
    length: int = 0  # A 4, used of gold only


@dataclass
class Figures:
    """The figures of one row."""

    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0


@dataclass
class Totals:
    """One block of the summary (A 8)."""

    sentences: int = 0
    errors: int = 0
    skips: int = 0
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0
    complete: int = 0
    no_crossing: int = 0
    two_or_less: int = 0

    def add(self, status: int, figures: Figures) -> None:
        self.sentences += 1
        if status == ERROR:
            self.errors += 1
            return
        if status == SKIP:
            self.skips += 1
            return
        self.matched += figures.matched
        self.gold += figures.gold
        self.test += figures.test
        self.crossing += figures.crossing
        self.words += figures.words
        self.tags += figures.tags
        if figures.gold == figures.test == figures.matched:
            self.complete += 1
        if figures.crossing == 0:
            self.no_crossing += 1
        if figures.crossing <= 2:
            self.two_or_less += 1

    @property
    def valid(self) -> int:
        return self.sentences - self.errors - self.skips

    @property
    def recall(self) -> float:
        return percent(self.matched, self.gold)

    @property
    def precision(self) -> float:
        return percent(self.matched, self.test)

    @property
    def f_measure(self) -> float | None:
        """None where the quotient is 0 / 0."""
        precision, recall = self.precision, self.recall
        if precision + recall == 0:
            return None
        return 2 * precision * recall / (precision + recall)


def percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole > 0 else 0.0


def two_decimals(value: float | None, width: int = 6) -> bytes:
    """The value with two decimals, right-aligned; an undefined one is `-nan` (A 8)."""
    return (b"-nan" if value is None else b"%.2f" % value).rjust(width)


def number(text: bytes) -> int:
    """The number a text starts with (A 1): blanks, a sign, digits; 0 without digits."""
    text = text.lstrip(WHITE)
    sign = -1 if text[:1] == b"-" else 1
    if text[:1] in (b"-", b"+"):
        text = text[1:]
    digits = 0
    while text[digits : digits + 1].isdigit():
        digits += 1
    return sign * int(text[:digits] or b"0")


def lines_of(data: bytes, most: int) -> Iterator[bytes]:
    """The lines of a file with their newlines, longer ones cut into pieces, each up to its first NUL (A 2, A 3.1)."""
    position = 0
    while position < len(data):
        piece = data[position : position + most]
        newline = piece.find(b"\n")
        if newline >= 0:
            piece = piece[: newline + 1]
        position += len(piece)
        yield piece.split(b"\0")[0]


def cut(label: bytes, spmrl: bool) -> bytes:
    """The label up to its first cutting character (A 5.3, B 2)."""
    for position, character in enumerate(label):
        if character in (b"-=#" if spmrl else b"-="):
            return label[:position]
    return label


def equal(first: bytes, other: bytes, pairs: list[tuple[bytes, bytes]]) -> bool:
    """Identical, or named together by one EQ_ line; not transitive (A 7.1)."""
    return first == other or (first, other) in pairs or (other, first) in pairs


def is_white(text: bytes, position: int) -> bool:
    return position < len(text) and text[position] in WHITE


def end_of_run(text: bytes, position: int) -> int:
    """Where the run of bytes other than white space and parentheses ends that starts at this position (A 3.2)."""
    while position < len(text) and text[position] not in WHITE and text[position] not in PARENTHESES:
        position += 1
    return position


def end_of_white(text: bytes, position: int) -> int:
    while is_white(text, position):
        position += 1
    return position


def crosses(first: Bracket, other: Bracket) -> bool:
    """A 7.3."""
    return first.start < other.start < first.end < other.end or other.start < first.start < other.end < first.end


# ---------------------------------------------------------------------------------------------------------------------
# Parameters and command line


class Run:
    """One run of the program: settings, output so far, and all that outlives a sentence."""

    def __init__(self, spmrl: bool, cwd: Path | None) -> None:
        self.settings = Settings(spmrl=spmrl)
        self.cwd = cwd
        self.names: list[bytes] = []
        self.out: list[bytes] = []
        self.err: list[bytes] = []
        self.status_file: bytes | None = None
        self.messages = 0  # A 8: messages so far
        self.line_number = 0
        self.status = GOOD  # of the present sentence
        self.cells: dict[int, int] = {}  # A 3.5: stack of open brackets, shared by gold and test, never cleared
        self.all = Totals()
        self.short = Totals()

    def say(self, text: bytes) -> None:
        self.out.append(text + b"\n")

    def complain(self, text: bytes) -> None:
        self.err.append(text + b"\n")

    def trace(self, text: bytes) -> None:
        """A line of the level-2 trace (A 9.2)."""
        if self.settings.debug >= 2:
            self.say(text)

    def report(self, text: bytes) -> None:
        """A counted message of a sentence; too many of them end the run (A 8)."""
        self.complain(b"%d : %s" % (self.line_number, text))
        if self.messages > self.settings.max_error:
            raise Stop(1)
        self.messages += 1
        self.status = ERROR

    def usage(self, code: int) -> Stop:
        self.complain(b"usage: evalb [-dDh] [-c n] [-e n] [-p param_file] gold-file test-file")
        if self.settings.spmrl:
            self.complain(b"       SPMRL: [-X] [-K n] [-L | -l] [-V]")
        return Stop(code)

    def read_file(self, name: bytes | None, kind: bytes) -> bytes:
        """A whole file, or the fatal complaint (A 1)."""
        if name is not None:
            path = (self.cwd or Path()) / os.fsdecode(name)
            try:
                return path.read_bytes()
            except OSError:
                pass
        self.complain(b"Can't open %s file (%s)" % (kind, b"(null)" if name is None else name))
        raise Stop(1)

    # A 1

    def read_arguments(self, arguments: Sequence[bytes]) -> None:
        settings = self.settings
        values = {
            b"e": b"number of error to kill",
            b"c": b"cut-off length for statistices",
            b"p": b"parameter file",
        }
        switches = b"dD"
        if settings.spmrl:
            values[b"K"] = b"Max nb of  sentences to read"
            switches += b"XLlV"
        remaining = list(arguments)
        while remaining:
            word = remaining.pop(0)
            if word[:1] != b"-":
                self.names.append(word)
                continue
            letter, rest = word[1:2], word[2:]
            if letter == b"":
                continue
            if letter in values:
                if rest:
                    value = rest
                elif remaining:
                    value = remaining.pop(0)
                else:
                    self.complain(b"Missing argument: " + values[letter])
                    value = b""
                self.set_value_option(letter, value)
            elif letter in switches:
                self.set_switch(letter)
            elif letter == b"h":
                raise self.usage(1)
            else:
                raise self.usage(0)

    def set_value_option(self, letter: bytes, value: bytes) -> None:
        settings = self.settings
        if letter == b"p":
            self.read_parameters(self.read_file(value, b"parameter"))
        elif letter == b"e":
            settings.max_error = number(value)
        elif letter == b"c":
            settings.cutoff = number(value)
            if settings.spmrl:
                self.complain(b"cutoff %d" % settings.cutoff)  # B 8
        else:
            settings.most_sentences = number(value)

    def set_switch(self, letter: bytes) -> None:
        settings = self.settings
        if letter == b"d":
            settings.debug = 1
        elif letter == b"D":
            settings.debug = 2
        elif letter == b"X":
            settings.count_unparsed = True
        elif letter == b"V":
            settings.show_names = True
        else:
            settings.compact = letter

    # A 2

    def read_parameters(self, data: bytes) -> None:
        for piece in lines_of(data, PARAMETER_LINE):
            line = piece[:1] + piece[1:].rstrip(WHITE)
            if line[:1] == b"#" or len(line) < 3:
                continue
            end = 0
            while end < len(line) and not is_white(line, end):
                end += 1
            self.set_parameter(line, line[:end], line[end:].lstrip(WHITE))

    def set_parameter(self, line: bytes, keyword: bytes, value: bytes) -> None:
        settings = self.settings
        lists = {
            b"DELETE_LABEL": settings.delete,
            b"DELETE_LABEL_FOR_LENGTH": settings.delete_for_length,
            b"QUOTE_LABEL": settings.quote,
        }
        pairs = {b"EQ_LABEL": settings.eq_label, b"EQ_WORD": settings.eq_word}
        numbers = (b"DEBUG", b"MAX_ERROR", b"CUTOFF_LEN", b"LABELED")
        if keyword not in lists and keyword not in pairs and keyword not in numbers:
            self.complain(b"Unknown keyword (%s) in parameter file" % line)
        elif not value:
            self.complain(keyword + b" requires a value")
        elif keyword in lists:
            lists[keyword].append(value)
        elif keyword in pairs:
            both = value.split()
            if len(both) == 2:
                pairs[keyword].append((both[0], both[1]))
            else:
                self.complain(keyword + b" requires two values")
        elif keyword == b"DEBUG":
            settings.debug = number(value)
        elif keyword == b"MAX_ERROR":
            settings.max_error = number(value)
        elif keyword == b"CUTOFF_LEN":
            settings.cutoff = number(value)
        else:
            settings.labeled = number(value)

    # -----------------------------------------------------------------------------------------------------------------
    # Reading trees (A 3)

    def read_tree(self, line: bytes) -> Tree:
        tree = Tree(line)
        depth = 0  # may become negative (A 3.5)
        position = 0
        while position < len(line):
            if is_white(line, position):
                position += 1
            elif line[position : position + 1] == b"(":
                label_end = end_of_run(line, position + 1)
                label = line[position + 1 : label_end]
                word_end = self.read_word(tree, label, label_end, depth)
                if word_end is None:
                    self.cells[depth] = len(tree.brackets)
                    depth += 1
                    tree.brackets.append(Bracket(len(tree.words), label, label_end))
                    position = label_end
                else:
                    position = word_end
            elif line[position : position + 1] == b")":
                if depth < 0:
                    self.report(b"Bracketing unbalance (too many close bracket)")
                depth -= 1
                self.close_bracket(tree, self.cells.get(depth, 0), position)
                position += 1
            else:
                self.report(b"Reading sentence")  # A 3.4: again and again until the run ends
        if depth != 0:
            self.report(b"Bracketing is unbalanced (too many open bracket)")
        return tree

    def close_bracket(self, tree: Tree, index: int, position: int) -> None:
        if index < len(tree.brackets):
            tree.brackets[index].end = len(tree.words)
            tree.brackets[index].text_end = position

    def read_word(self, tree: Tree, label: bytes, label_end: int, depth: int) -> int | None:
        """Read the word behind a label and return where it ends; None if it is a phrase (A 3.2)."""
        line = tree.line
        if not is_white(line, label_end):
            return None
        start = end_of_white(line, label_end)
        end = end_of_run(line, start)
        is_word = line[end : end + 1] == b")"
        text = line[start:end] if is_word else b""
        self.trace(b"label=%s, word=%s, wid=%d" % (label, text, len(tree.words)))
        if is_word:
            self.keep_word(tree, text, label, depth)
            return end + 1
        if is_white(line, end):
            if self.settings.spmrl:
                self.complain(b"debug djam: q= " + line[end:])  # B 10
            self.report(b"More than two elements in a bracket")
        return None

    def keep_word(self, tree: Tree, text: bytes, tag: bytes, depth: int) -> None:
        """A 3.3."""
        settings = self.settings
        if tag not in settings.delete_for_length:
            tree.length += 1
        if tag in settings.quote and text in QUOTE_TEXTS:
            open_brackets = [self.cells[cell] for cell in range(depth)]
            tree.quotes.append(Quote(len(tree.words), len(tree.brackets), open_brackets, text, tag))
        if tag not in settings.delete or settings.spmrl:  # B 1
            tree.words.append(Word(text, tag))

    # -----------------------------------------------------------------------------------------------------------------
    # Quote repair (A 6)

    def repair_quotes(self, gold: Tree, test: Tree) -> None:
        for index in range(MOST_QUOTES_SHOWN):
            for tree in (gold, test):
                if index < len(tree.quotes):
                    quote = tree.quotes[index]
                    self.trace(b"%d: %s - %s" % (quote.position, quote.tag, quote.text))
        delete = self.settings.delete
        for i, test_quote in enumerate(test.quotes):
            position = test_quote.position
            for j, gold_quote in enumerate(gold.quotes):
                if gold_quote.position != position or gold_quote.tag == test_quote.tag:
                    continue
                if gold_quote.tag in delete and test_quote.tag not in delete:
                    self.put_back(gold, j)
                elif test_quote.tag in delete and gold_quote.tag not in delete:
                    self.put_back(test, i)

    def put_back(self, tree: Tree, index: int) -> None:
        quote = tree.quotes[index]
        self.trace(b"bra=%d, ind=%d" % (quote.brackets_before, quote.position))
        for count, bracket in enumerate(tree.brackets):
            self.trace(b"bracket[%d]={%d,%d}" % (count, bracket.start, bracket.end))
        self.trace(b"endslen=%d" % len(quote.open_brackets))
        tree.words.insert(quote.position, Word(quote.text, quote.tag))
        for bracket in tree.brackets[quote.brackets_before :]:
            bracket.start += 1
            bracket.end += 1
        for open_bracket in quote.open_brackets:
            tree.brackets[open_bracket].end += 1
        for later in tree.quotes[index:]:
            later.position += 1

    # -----------------------------------------------------------------------------------------------------------------
    # Scoring (A 5.3, A 7)

    def cut_delete_list(self) -> None:
        """B 2: comparing a label with the delete list cuts the list itself."""
        delete = self.settings.delete
        for index, label in enumerate(delete):
            delete[index] = cut(label, True)

    def delete_brackets(self, tree: Tree) -> None:
        """A 5.3, B 2."""
        settings = self.settings
        for bracket in tree.brackets:
            if bracket.start == bracket.end:
                bracket.result = DELETED
                continue
            bracket.result = NOT_MATCHED
            bracket.label = cut(bracket.label, settings.spmrl)
            if settings.spmrl:
                self.cut_delete_list()
            for label in settings.delete:
                if equal(bracket.label, label, settings.eq_label):
                    bracket.result = DELETED

    def text_of(self, tree: Tree, bracket: Bracket) -> bytes:
        return tree.line[bracket.text_start : bracket.text_end]

    def trace_bracket(self, name: bytes, tree: Tree, bracket: Bracket) -> None:
        self.trace(b"  %s[%d-%d]: %s" % (name, bracket.start, bracket.end - 1, self.text_of(tree, bracket)))

    def match_brackets(self, gold: Tree, test: Tree) -> int:
        """A 7.2 with the trace of A 9.2.4 and A 9.2.5."""
        settings = self.settings
        matched = 0
        mislabelled: list[int] = []
        for bracket in gold.brackets:
            span_met = False
            for index, other in enumerate(test.brackets):
                self.trace(
                    b"1.res=%d, 2.res=%d, 1.start=%d, 2.start=%d, 1.end=%d, 2.end=%d"
                    % (bracket.result, other.result, bracket.start, other.start, bracket.end, other.end)
                )
                if bracket.result == DELETED or other.result != NOT_MATCHED:
                    continue
                if bracket.start != other.start or bracket.end != other.end:
                    continue
                span_met = True
                if settings.labeled == 0 or equal(bracket.label, other.label, settings.eq_label):
                    bracket.result = other.result = MATCHED
                    matched += 1
                    break
                mislabelled.append(index)
                self.trace_bracket(b"LABEL", gold, bracket)
            if bracket.result == NOT_MATCHED and not span_met:
                self.trace_bracket(b"BRACKET", gold, bracket)
        for index, other in enumerate(test.brackets):
            if other.result == NOT_MATCHED and index not in mislabelled:
                self.trace_bracket(b"EXTRA", test, other)
        return matched

    def count_crossing(self, gold: Tree, test: Tree) -> int:
        """A 7.3 with the trace of A 9.2.6."""
        count = 0
        previous: Bracket | None = None
        for other in test.brackets:
            if other.result == DELETED:
                continue
            for bracket in gold.brackets:
                if bracket.result != DELETED and crosses(bracket, other):
                    count += 1
                    if bracket is not previous:
                        self.trace_bracket(b"CROSSING", gold, bracket)
                    previous = bracket
                    break
        return count

    def count_tags(self, gold: Tree, test: Tree) -> int:
        """A 7.4; B 2: tags are cut for good."""
        settings = self.settings
        correct = 0
        for first, other in zip(gold.words, test.words, strict=False):
            if settings.spmrl:
                first.tag, other.tag = cut(first.tag, True), cut(other.tag, True)
            right = equal(first.tag, other.tag, settings.eq_label)
            first.result = other.result = MATCHED if right else NOT_MATCHED
            correct += right
        return correct

    def score_trees(self, gold: Tree, test: Tree) -> Figures:
        """The figures of two trees over the same words; leaves the results in both."""
        self.delete_brackets(gold)
        self.delete_brackets(test)
        figures = Figures()
        figures.gold = sum(bracket.result != DELETED for bracket in gold.brackets)
        figures.test = sum(bracket.result != DELETED for bracket in test.brackets)
        figures.matched = self.match_brackets(gold, test)
        figures.crossing = self.count_crossing(gold, test)
        figures.words = len(gold.words)
        figures.tags = self.count_tags(gold, test)
        return figures

    def unparsed_figures(self, gold: Tree) -> Figures:
        """B 4."""
        settings = self.settings
        figures = Figures(words=len(gold.words))
        for bracket in gold.brackets:
            if bracket.start == bracket.end:
                continue
            figures.gold += 1
            if settings.delete:
                bracket.label = cut(bracket.label, True)
                self.cut_delete_list()
            figures.gold += sum(not equal(bracket.label, label, settings.eq_label) for label in settings.delete)
        return figures

    # -----------------------------------------------------------------------------------------------------------------
    # One sentence (A 8, B 3, B 4)

    def sentence(self, gold: Tree, test: Tree) -> None:
        settings = self.settings
        self.trace(b"")
        if not test.words:
            if settings.count_unparsed:
                self.status = UNPARSED
                self.row(gold, test, self.unparsed_figures(gold))
            else:
                self.status = SKIP
                self.row(gold, test, Figures())
            return
        if len(gold.words) != len(test.words):
            self.repair_quotes(gold, test)
        if len(gold.words) != len(test.words):
            message = b"Length unmatch (%d|%d)" % (len(gold.words), len(test.words))
            if not settings.spmrl:
                self.report(message)
                self.row(gold, test, Figures())
                return
            self.row(gold, test, Figures())  # B 3: row first, then the message, and not always
            if len(gold.words) > 1:
                self.report(message)
                return
        for first, other in zip(gold.words, test.words, strict=False):
            if not equal(first.text, other.text, settings.eq_word):
                self.report(b"Words unmatch (%s|%s)" % (first.text, other.text))
                self.row(gold, test, Figures())
                return
        self.row(gold, test, self.score_trees(gold, test))

    def row(self, gold: Tree, test: Tree, figures: Figures) -> None:
        """Print a row (A 9) and add it to the totals (A 8)."""
        self.say(
            b"%4d  %3d    %d  %s %s   %3d    %3d  %3d    %3d   %4d  %4d   %s"
            % (
                self.line_number,
                gold.length,
                self.status,
                two_decimals(percent(figures.matched, figures.gold)),
                two_decimals(percent(figures.matched, figures.test)),
                figures.matched,
                figures.gold,
                figures.test,
                figures.crossing,
                figures.words,
                figures.tags,
                two_decimals(percent(figures.tags, figures.words)),
            )
        )
        self.all.add(self.status, figures)
        if gold.length <= self.settings.cutoff:
            self.short.add(self.status, figures)
        if self.settings.debug >= 1:
            self.print_tables(gold, test)

    def print_tables(self, gold: Tree, test: Tree) -> None:
        """A 9.1."""
        self.say(
            b"-<1>---(wn1=%3d, bn1=%3d)-           -<2>---(wn2=%3d, bn2=%3d)-"
            % (len(gold.words), len(gold.brackets), len(test.words), len(test.brackets))
        )
        for index in range(max(len(gold.words), len(test.words))):
            left, right = word_cell(gold, index), word_cell(test, index)
            self.say((left + b" " * 6 if left else b" " * 40) + right)
        self.say(b"")
        for index in range(max(len(gold.brackets), len(test.brackets))):
            left, right = bracket_cell(gold, index), bracket_cell(test, index)
            self.say((left + b" " * 6 if left else b" " * 32) + right)
        self.say(b"")
        self.say(b"========")

    # -----------------------------------------------------------------------------------------------------------------
    # All sentences (A 3.6, B 5) and the summary (A 9, B 6-9)

    def evaluate(self) -> None:
        settings = self.settings
        gold_name, test_name = [*self.names, None, None][:2]
        gold_data = self.read_file(gold_name, b"gold")
        test_data = self.read_file(test_name, b"test")
        self.out.append(HEADER)
        most = SPMRL_LINE if settings.spmrl else EVALB_LINE
        test_lines = lines_of(test_data, most)
        stopped = False
        for gold_line in lines_of(gold_data, most):
            self.line_number += 1
            self.status = GOOD
            gold = self.read_tree(gold_line)
            test_line = next(test_lines, None)
            if test_line is None:
                self.report(b"Number of lines unmatch (too many lines in gold file)")
                break
            self.sentence(gold, self.read_tree(test_line))
            if settings.most_sentences != -1 and self.line_number >= settings.most_sentences:
                stopped = True
                break
        if not stopped and next(test_lines, None) is not None:
            self.line_number += 1
            self.report(b"Number of lines unmatch (too many lines in test file)")
        self.print_summary()

    def print_summary(self) -> None:
        settings = self.settings
        if settings.compact is not None:
            self.print_compact(self.all if settings.compact == b"L" else self.short)
            return
        total = self.all
        self.say(RULE)
        line = b""
        if total.gold > 0 and total.test > 0:
            line += b" " * 16 + two_decimals(total.recall) + b" " + two_decimals(total.precision)
            line += b" %6d %5d %5d  %5d" % (total.matched, total.gold, total.test, total.crossing)
        line += b"  %5d %5d   " % (total.words, total.tags) + two_decimals(percent(total.tags, total.words))
        self.say(line)
        if settings.show_names:
            self.say(b"=== Summary: %s\tvs\t%s ===" % (self.names[0], self.names[1]))
        else:
            self.say(b"=== Summary ===")
        self.say(b"")
        self.say(b"-- All --")
        self.print_block(self.all)
        self.say(b"")
        self.say(b"-- len<=%d --" % settings.cutoff)
        self.print_block(self.short)
        if settings.spmrl:
            self.status_file = status_file(self.all)

    def print_block(self, total: Totals) -> None:
        average = total.crossing / total.valid if total.valid > 0 else 0.0
        values = (
            (b"Number of sentence", b"%6d" % total.sentences),
            (b"Number of Error sentence", b"%6d" % total.errors),
            (b"Number of Skip  sentence", b"%6d" % total.skips),
            (b"Number of Valid sentence", b"%6d" % total.valid),
            (b"Bracketing Recall", two_decimals(total.recall)),
            (b"Bracketing Precision", two_decimals(total.precision)),
            (b"Bracketing FMeasure", two_decimals(total.f_measure)),
            (b"Complete match", two_decimals(percent(total.complete, total.valid))),
            (b"Average crossing", two_decimals(average)),
            (b"No crossing", two_decimals(percent(total.no_crossing, total.valid))),
            (b"2 or less crossing", two_decimals(percent(total.two_or_less, total.valid))),
            (b"Tagging accuracy", two_decimals(percent(total.tags, total.words))),
        )
        for name, value in values:
            self.say(name.ljust(26) + b"= " + value)

    def print_compact(self, total: Totals) -> None:
        """B 6; Prec and Rec are exchanged there."""
        items = (
            b"F1: %s %%" % two_decimals(total.f_measure),
            b"Prec: %s %%" % two_decimals(total.recall),
            b"Rec: %s %%" % two_decimals(total.precision),
            b"POS: %s %%" % two_decimals(percent(total.tags, total.words)),
            b"EX: %s %%" % two_decimals(percent(total.complete, total.valid)),
            b"Unparsed: %6d" % (total.skips + total.errors),
            b"Sent: %6d" % total.sentences,
            b"file: " + self.names[1],
        )
        self.say(b"\t".join(items))


def word_cell(tree: Tree, index: int) -> bytes:
    """One half of a word line (A 9.1), empty where there is no word or its text is empty."""
    if index >= len(tree.words) or not tree.words[index].text:
        return b""
    word = tree.words[index]
    return b"%3d : %d : %s  %s" % (index, word.result, word.tag.ljust(6), word.text.ljust(16))


def bracket_cell(tree: Tree, index: int) -> bytes:
    """One half of a bracket line (A 9.1), empty where there is no bracket."""
    if index >= len(tree.brackets):
        return b""
    bracket = tree.brackets[index]
    label = bracket.label.ljust(6)
    return b"%3d : %d : %3d  %3d  %s" % (index, bracket.result, bracket.start, bracket.end, label)


def status_file(total: Totals) -> bytes:
    """B 9."""
    f_measure = total.f_measure
    lines = (
        b"---",
        b"F1: " + two_decimals(f_measure, 0),
        b"LP: " + two_decimals(total.precision, 0),
        b"LR: " + two_decimals(total.recall, 0),
        b"POS: " + two_decimals(percent(total.tags, total.words), 0),
        b"errorRate: " + two_decimals(None if f_measure is None else 100 - f_measure, 0),
    )
    return b"\n".join(lines) + b"\n"


def score_sentence(gold: Tree, test: Tree, settings: Settings) -> Figures:
    """The figures of two trees over the same words (A 7); trees and settings stay as they are."""
    program = Run(settings.spmrl, None)
    program.settings = copy.deepcopy(settings)
    return program.score_trees(copy.deepcopy(gold), copy.deepcopy(test))


def run(arguments: Sequence[bytes | str], *, spmrl: bool = False, cwd: Path | None = None) -> Result:
    """Run EVALB or EVALB_SPMRL on these arguments; file names are relative to cwd. Nothing is written to disk."""
    program = Run(spmrl, cwd)
    code = 0
    try:
        program.read_arguments([os.fsencode(argument) for argument in arguments])
        program.evaluate()
    except Stop as stop:
        code = stop.code
    return Result(b"".join(program.out), b"".join(program.err), code, program.status_file)


def main() -> int:
    arguments = sys.argv[1:]
    spmrl = arguments[:1] == ["--spmrl"]
    result = run(arguments[1:] if spmrl else arguments, spmrl=spmrl)
    sys.stdout.buffer.write(result.stdout)
    sys.stdout.buffer.flush()
    sys.stderr.buffer.write(result.stderr)
    if result.status is not None:
        Path("status").write_bytes(result.status)
    return result.code


if __name__ == "__main__":
    sys.exit(main())
