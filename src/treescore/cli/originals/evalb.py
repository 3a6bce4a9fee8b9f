"""`treescore evalb` and `treescore evalb-spmrl`: the flags and the bytes of the original programs."""

from __future__ import annotations

import os
import sys

from ... import _core
from ..._core import EvalbComplaint, EvalbEnd
from ...helpers.files import all_of, map_file
from ...helpers.text import decode, encode
from ...readers.prm import Parameters, leading_number
from ...recipe import Compiler
from ...render import evalb_text as text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BATCH = 2000
_MESSAGES = {
    EvalbComplaint.UNBALANCED_OPEN: "Bracketing is unbalanced (too many open bracket)",
    EvalbComplaint.UNBALANCED_CLOSE: "Bracketing unbalance (too many close bracket)",
    EvalbComplaint.TWO_ELEMENTS: "More than two elements in a bracket",
    EvalbComplaint.LOOSE_TEXT: "Reading sentence",
}
_MOST_REPEATS = 50_000  # of a message that the original repeats until MAX_ERROR

USAGE = {
    "evalb": """\
usage: treescore evalb [-dDh] [-c N] [-e N] [-p FILE] GOLD TEST
  Scores the trees of TEST against those of GOLD, one tree per line, exactly as EVALB does.
  -p FILE  parameter file, such as COLLINS.prm
  -c N     longest sentence of the second summary (40)
  -e N     stop after this many errors (10)
  -d       show the words and brackets of each sentence
  -D       show every comparison as well
  -h       this help
  example: treescore evalb -p COLLINS.prm gold.mrg parsed.mrg
""",
    "evalb-spmrl": """\
usage: treescore evalb-spmrl [-dDhLlVX] [-c N] [-e N] [-K N] [-p FILE] GOLD TEST
  Scores the trees of TEST against those of GOLD, one tree per line, exactly as EVALB_SPMRL does.
  -p FILE  parameter file, such as spmrl.prm
  -c N     longest sentence of the second summary (40)
  -e N     stop after this many errors (10)
  -K N     score the first N sentences only
  -X       count sentences without a parse
  -L, -l   one line instead of the summary: all sentences, or those up to the cut-off
  -V       name the files in the summary
  -d, -D   show the words and brackets of each sentence; every comparison as well
  -h       this help
  Without -L and -l a file named "status" is written into the current folder, as the original does.
  example: treescore evalb-spmrl -p spmrl.prm gold.ptb parsed.ptb
""",
}


class _Exit(Exception):
    """Ends the run with this exit code."""

    def __init__(self, code: int) -> None:
        self.code = code


class _Options:
    """The parsed command line."""

    def __init__(self, spmrl: bool) -> None:
        self.spmrl = spmrl
        self.parameters = Parameters()
        self.files: list[str] = []
        self.most = -1
        self.one_line: str | None = None
        self.count_unparsed = self.name_files = False

    def parse(self, arguments: Sequence[str]) -> None:
        waiting = list(reversed(arguments))
        while waiting:
            word = waiting.pop()
            if not word.startswith("-"):
                self.files.append(word)
            elif len(word) > 1:
                self._option(word[1], word[2:], waiting)

    def _option(self, letter: str, rest: str, waiting: list[str]) -> None:
        parameters = self.parameters
        values = {"p": "parameter file", "c": "cut-off length for statistices", "e": "number of error to kill"}
        if self.spmrl:
            values["K"] = "Max nb of  sentences to read"
        if letter in values:
            value = rest
            if not rest:
                if waiting:
                    value = waiting.pop()
                else:
                    _say(f"Missing argument: {values[letter]}")
            if letter == "p":
                for complaint in parameters.add(bytes(_load(value, "parameter"))):
                    _say(complaint)
                return
            number = leading_number(os.fsencode(value))
            if letter == "c":
                parameters.cutoff = number
                if self.spmrl:
                    _say(f"cutoff {number}")
            elif letter == "e":
                parameters.max_error = number
            else:
                self.most = number
        elif letter in "dD":
            parameters.debug = 1 if letter == "d" else 2
        elif self.spmrl and letter in "Ll":
            self.one_line = letter
        elif self.spmrl and letter == "X":
            self.count_unparsed = True
        elif self.spmrl and letter == "V":
            self.name_files = True
        else:
            sys.stderr.write(USAGE["evalb-spmrl" if self.spmrl else "evalb"])
            raise _Exit(1 if letter == "h" else 0)


def _say(line: str) -> None:
    sys.stderr.flush()
    sys.stderr.buffer.write(encode(line) + b"\n")
    sys.stderr.buffer.flush()


def _load(name: str | None, kind: str) -> _core.Buffer:
    """The bytes of a file, memory-mapped if possible."""
    try:
        with open(name or "", "rb", buffering=0) as file:
            mapped = None if kind == "parameter" else map_file(file.fileno(), os.fstat(file.fileno()).st_size)
            content = all_of(file) if mapped is None else mapped
    except OSError:
        shown = "(null)" if name is None else decode(os.fsencode(name))
        _say(f"Can't open {kind} file ({shown})")
        raise _Exit(1) from None
    if content is None:
        _say(f"treescore: error: {name} is a device without an end, not a {kind} file")
        raise _Exit(1)
    return content


def _columns(gold: _core.Trees, test: _core.Trees, rules: _core.ParsevalRules) -> dict[str, memoryview]:
    rows = _core.parseval_rows(gold, test, rules, 1)
    return {name: rows.column(name) for name in (*rows.sums, *rows.notes)}


def _row(columns: dict[str, memoryview], index: int) -> dict[str, int]:
    return {name: column[index] for name, column in columns.items()}


class _Run:
    """One run over two files."""

    def __init__(self, options: _Options) -> None:
        self.options = options
        self.parameters = options.parameters
        recipe = self.parameters.spmrl_recipe() if options.spmrl else self.parameters.recipe()
        self.recipe = recipe.replace(count_faulty=True)
        self.number = 0  # of the current sentence
        self.messages = 0
        self.everything = text.Totals()
        self.short = text.Totals(self.parameters.cutoff)
        self.out: list[bytes] = []
        self.warned = False

    def flush(self) -> None:
        data, self.out = b"".join(self.out), []
        sys.stdout.buffer.write(data)

    def complain(self, number: int, message: str) -> None:
        _say(f"{number} : {message}")
        self.messages += 1
        if self.messages - 1 > self.parameters.max_error:
            raise _Exit(1)

    def warn(self, what: str) -> None:
        """Warn once that the input exceeds the limits of the original."""
        if not self.warned:
            self.warned = True
            name = "EVALB_SPMRL" if self.options.spmrl else "EVALB"
            _say(f"treescore: warning: {what}, beyond the limits of {name}; scored as if it had none")

    def run(self) -> None:
        files = [*self.options.files[:2], None, None]
        gold, test = _load(files[0], "gold"), _load(files[1], "test")
        self.texts = (gold, test)
        self.out.append(text.HEADER)
        self._check_lists()
        # Only restored quotation marks need the open brackets around them.
        limit, quotes = 49_999 if self.options.spmrl else 4_999, bool(self.recipe.quotes)
        reader = _core.EvalbReader(gold, test, limit, quotes)
        names: list[bytes] = []
        compiler = Compiler(self.recipe)
        left = self.options.most if self.options.most == -1 else max(self.options.most, 1)
        while reader.end == EvalbEnd.NOT_YET and left != 0:
            size = _BATCH if left < 0 else min(_BATCH, left)
            gold_trees, test_trees, messages = reader.read(size)
            if self.parameters.debug > 0:
                self.extents = reader.extents
            new = gold_trees.names(len(names))
            if new or not names:
                names += new
                self._check_names(new)
                rules = compiler.compile(gold_trees, test_trees).rules
            columns = _columns(gold_trees, test_trees, rules)
            self._check_sizes((gold_trees, test_trees), names, columns, reader)
            self._batch(gold_trees, test_trees, columns, messages, reader.end)
            left -= len(gold_trees) if left > 0 else 0
            del gold_trees, test_trees  # so that the reader can reuse their memory
            self.flush()
        self._end(reader.end)

    # ------------------------------------------------------------------------------------------ one batch

    def _batch(
        self,
        gold: _core.Trees,
        test: _core.Trees,
        columns: dict[str, memoryview],
        messages: list[_core.Message],
        end: int,
    ) -> None:
        first, count = self.number, len(gold)
        complaints: dict[int, list[_core.Message]] = {}
        for message in messages:
            complaints.setdefault(message[0], []).append(message)
        done = 0
        for index in self._special(columns, complaints, count):
            self._print(columns, done, index, first + done + 1)
            self.number = first + index + 1
            self._sentence((gold, test), columns, index, complaints.get(index, []))
            done = index + 1
        self._print(columns, done, count, first + done + 1)
        self.number = first + count
        unfinished = complaints.get(count, [])
        if self.parameters.debug > 1 and end in (EvalbEnd.GOLD_LONGER, EvalbEnd.LOOSE_TEXT):
            self._trace_reading(count, unfinished, end)
        if unfinished:
            self.number += 1
            self._reading_messages(unfinished)
            self.number -= 1

    def _special(
        self, columns: dict[str, memoryview], complaints: dict[int, list[_core.Message]], count: int
    ) -> Sequence[int]:
        """The sentences with more output than their row."""
        if self.parameters.debug > 0:
            return range(count)
        errors, skipped = _core.sum_rows([columns["errors"], columns["skipped"]], [])
        if not complaints and not errors and not (skipped and self.options.count_unparsed):
            return ()
        wanted = {_core.ParsevalReason.LENGTHS_DIFFER, _core.ParsevalReason.WORDS_DIFFER}
        if self.options.count_unparsed:
            wanted.add(_core.ParsevalReason.EMPTY_TEST)
        reason = columns["reason"]
        return [index for index in range(count) if index in complaints or reason[index] in wanted]

    def _print(self, columns: Mapping[str, _core.Buffer], begin: int, end: int, number: int) -> None:
        """Print rows `begin` to `end`, numbered from `number`, and add them to the totals."""
        if begin == end:
            return
        self.out.append(text.rows(columns, begin, end, number))
        self.everything.add(columns, begin, end)
        self.short.add(columns, begin, end)

    def _sentence(
        self,
        trees: tuple[_core.Trees, _core.Trees],
        columns: dict[str, memoryview],
        index: int,
        complaints: list[_core.Message],
    ) -> None:
        debug = self.parameters.debug
        pair = None
        if debug > 0:
            lines = (self._line(index, 0), self._line(index, 1))
            pair = text.Pair(self.recipe, trees, index, lines)
            if debug > 1:
                for line in lines:
                    self.out += line.trace(self._deleted_tags())
        self._reading_messages(complaints)
        if pair and debug > 1:
            self.out.append(b"\n")
            self.out += pair.repair_trace()
            self.out += pair.match_trace()
        row = _row(columns, index)
        if self.options.spmrl and row["reason"] == _core.ParsevalReason.LENGTHS_DIFFER:
            self._spmrl_length_error(trees, index, row, pair)
            return
        if row["reason"] == _core.ParsevalReason.LENGTHS_DIFFER:
            self.complain(self.number, f"Length unmatch ({row['detail_a']}|{row['detail_b']})")
        elif row["reason"] == _core.ParsevalReason.WORDS_DIFFER:
            self._words_differ(trees, index, row)
        elif row["reason"] == _core.ParsevalReason.EMPTY_TEST and self.options.count_unparsed:
            row = self._unparsed_row(trees[0], index, row)
        self._print_row(row, pair)

    def _print_row(self, row: dict[str, int], pair: text.Pair | None) -> None:
        self._print(
            {name: value.to_bytes(8, sys.byteorder, signed=True) for name, value in row.items()}, 0, 1, self.number
        )
        if pair:
            self.out.append(pair.tables())

    def _words_differ(self, trees: tuple[_core.Trees, _core.Trees], index: int, row: dict[str, int]) -> None:
        words = [trees[0].word(index, row["detail_a"]), trees[1].word(index, row["detail_b"])]
        self.complain(self.number, f"Words unmatch ({decode(words[0])}|{decode(words[1])})")

    def _reading_messages(self, complaints: list[_core.Message]) -> None:
        for _, side, complaint, offset, end in complaints:
            if complaint == EvalbComplaint.TWO_ELEMENTS and self.options.spmrl:
                _say(f"debug djam: q= {decode(bytes(self.texts[side][offset:end]))}")
            self.complain(self.number, _MESSAGES[complaint])
            if complaint == EvalbComplaint.LOOSE_TEXT:  # the original loops here until MAX_ERROR
                for _repeat in range(_MOST_REPEATS):
                    self.complain(self.number, _MESSAGES[complaint])
                _say(f"treescore: warning: MAX_ERROR is {self.parameters.max_error}; not said more often than this")
                raise _Exit(1)

    # ------------------------------------------------------------------------------------------ EVALB_SPMRL only

    def _spmrl_length_error(
        self, trees: tuple[_core.Trees, _core.Trees], index: int, row: dict[str, int], pair: text.Pair | None
    ) -> None:
        """The row precedes the error message; a sentence with at most one gold word is scored nevertheless."""
        faulty = trees[0].faulty(index) or trees[1].faulty(index)
        row["status"] = row["errors"] = int(faulty)
        row["valid"] = row["exact"] = row["no_crossing"] = row["two_or_less_crossing"] = int(not faulty)
        self._print_row(row, pair)
        gold_words, test_words = row["detail_a"], row["detail_b"]
        if gold_words > 1:
            self.complain(self.number, f"Length unmatch ({gold_words}|{test_words})")
            return
        overlooking = self.recipe.replace(overlook_length=True)
        pair_alone = (trees[0].slice(index, index + 1), trees[1].slice(index, index + 1))
        rules = overlooking.compile(*pair_alone).rules
        row = _row(_columns(*pair_alone, rules), 0)
        if pair:
            pair = text.Pair(overlooking, pair_alone, 0, pair.lines)
            if self.parameters.debug > 1:
                self.out += pair.match_trace()
        if row["reason"] == _core.ParsevalReason.WORDS_DIFFER:
            self._words_differ(pair_alone, 0, row)
        self._print_row(row, pair)

    def _unparsed_row(self, gold: _core.Trees, index: int, row: dict[str, int]) -> dict[str, int]:
        """-X: each gold bracket counts once, and again for each delete label that differs from its label."""
        names = gold.names(0)
        delete = [self.recipe.cut_label(label) for label in self.recipe.delete]
        brackets = 0
        for label, _, start, end in gold.nodes(index):
            if start == end:
                continue
            cut = self.recipe.cut_label(decode(names[label]))
            pairs = ((cut, entry) in self.recipe.equal or (entry, cut) in self.recipe.equal for entry in delete)
            brackets += 1 + sum(cut != entry and not equal for entry, equal in zip(delete, pairs, strict=True))
        row["status"], row["valid"], row["skipped"] = 3, 1, 0
        row["gold"], row["words"] = brackets, gold.leaf_count(index)
        row["exact"] = int(brackets == 0)
        row["no_crossing"] = row["two_or_less_crossing"] = 1
        return row

    # ------------------------------------------------------------------------------------------ debug, end, limits

    def _line(self, index: int, side: int) -> text.Line:
        """A line of the batch as read."""
        begin, end = self.extents[index][side]
        line = text.Line(bytes(self.texts[side][begin:end]))
        limit = 9_999 if self.options.spmrl else 999
        if self.parameters.debug > 1 and len(line.text) > limit:
            self.warn(f"a line of more than {limit:,} bytes in the trace")
        return line

    def _deleted_tags(self) -> set[bytes]:
        return {encode(label) for label in self.recipe.delete} if self.recipe.delete_words else set()

    def _trace_reading(self, index: int, unfinished: list[_core.Message], end: int) -> None:
        last_side = unfinished[-1][1] if end == EvalbEnd.LOOSE_TEXT else 0
        for side in range(last_side + 1):
            line = self._line(index, side)
            if end == EvalbEnd.LOOSE_TEXT and side == last_side:
                line = text.Line(line.text[: unfinished[-1][3] - self.extents[index][side][0]])
            self.out += line.trace(self._deleted_tags())

    def _end(self, end: int) -> None:
        if end == EvalbEnd.GOLD_LONGER:
            self.complain(self.number + 1, "Number of lines unmatch (too many lines in gold file)")
        elif end == EvalbEnd.TEST_LONGER:
            self.complain(self.number + 1, "Number of lines unmatch (too many lines in test file)")
        if self.options.one_line:
            self.out.append(self._one_line())
            return
        self.out.append(text.RULE + text.totals_line(self.everything))
        title = "=== Summary ==="
        if self.options.name_files:
            names = [decode(os.fsencode(name)) for name in self.options.files[:2]]
            title = f"=== Summary: {names[0]}\tvs\t{names[1]} ==="
        self.out.append(text.summary(self.everything, self.short, title))
        if self.options.spmrl:
            self._write_status()

    def _one_line(self) -> bytes:
        totals = self.everything if self.options.one_line == "L" else self.short
        name = decode(os.fsencode(self.options.files[1]))
        figures = [
            f"F1: {text.two_decimals(totals.f_measure)} %",
            f"Prec: {text.two_decimals(totals.recall)} %",
            f"Rec: {text.two_decimals(totals.precision)} %",
            f"POS: {text.two_decimals(totals.tagging_accuracy)} %",
            f"EX: {text.two_decimals(totals.complete_match)} %",
            f"Unparsed: {totals.skipped + totals.errors:6d}",
            f"Sent: {totals.sentences:6d}",
            f"file: {name}",
        ]
        return encode("\t".join(figures) + "\n")

    def _write_status(self) -> None:
        from ...helpers.new_files import replacing

        totals, f_measure = self.everything, self.everything.f_measure
        figures = (
            ("F1", f_measure),
            ("LP", totals.precision),
            ("LR", totals.recall),
            ("POS", totals.tagging_accuracy),
            ("errorRate", None if f_measure is None else 100.0 - f_measure),
        )
        lines = "".join(f"{name}: {text.two_decimals(value, 0)}\n" for name, value in figures)
        try:
            with replacing("status") as file:
                file.write(b"---\n" + lines.encode("ascii"))
        except OSError as problem:
            from ..errors import in_words

            self.flush()
            _say(f"treescore: error: {in_words(problem)}")
            raise _Exit(1) from None

    def _check_lists(self) -> None:
        most = 1_000 if self.options.spmrl else 100
        p = self.parameters
        for values, limit in (
            (p.delete, most),
            (p.length_ignores, most),
            (p.equal, most),
            (p.equal_words, most),
            (p.quotes, 20),
        ):
            if len(values) > limit:
                self.warn(f"{len(values)} entries of one kind in the parameters")

    def _check_names(self, names: list[bytes]) -> None:
        longest = 299 if self.options.spmrl else 29
        for name in names:
            if len(name) > longest:
                self.warn(f"a label of {len(name)} bytes")

    def _check_sizes(
        self,
        trees: tuple[_core.Trees, _core.Trees],
        names: list[bytes],
        columns: dict[str, memoryview],
        reader: _core.EvalbReader,
    ) -> None:
        if self.warned:
            return
        words, brackets = (1_000, 2_000) if self.options.spmrl else (200, 200)
        if reader.longest_uncut:
            self.warn(f"a line of {reader.longest_uncut:,} bytes that would be cut inside a bracket")
        if reader.longest_word > 99:
            self.warn(f"a word of {reader.longest_word:,} bytes")
        most = max(side.most_nodes() for side in trees)
        if most > brackets:
            self.warn(f"a sentence with {most:,} brackets")
        if _core.sum_rows([columns["valid"]], [(columns["words"], words + 1, 2**62)])[0]:
            self.warn(f"a sentence with more than {words:,} words")
        if self.recipe.quotes:
            quote_tags = [decode(name) in self.recipe.quotes for name in names]
            marks = max(side.most_leaves(quote_tags, (b"'", b'"', b"/")) for side in trees)
            if marks > 20:
                self.warn(f"a sentence with {marks:,} quotation marks")


def main(program: str, arguments: Sequence[str]) -> int:
    """Run one of the two programs with these arguments and return its exit code."""
    try:
        return _main(_Options(spmrl=program == "evalb-spmrl"), arguments)
    except OSError as problem:
        if not isinstance(problem, BrokenPipeError):  # a closed pipe is not an error
            from ..errors import in_words

            _say(f"treescore: error: {in_words(problem)}")
        return 1
    except MemoryError:
        _say("treescore: error: not enough memory")
        return 1
    except KeyboardInterrupt:
        return 130


def _main(options: _Options, arguments: Sequence[str]) -> int:
    run = None
    code = 0
    try:
        options.parse(arguments)
        run = _Run(options)
        run.run()
    except _Exit as exit_:
        code = exit_.code
    if run:
        run.flush()
    sys.stdout.flush()
    return code
