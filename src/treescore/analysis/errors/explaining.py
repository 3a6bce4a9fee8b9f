"""Error analysis: the steps that turn test trees into gold trees, and their classes.

>>> gold = "(S (NP (PRP she)) (VP (VBD ate) (NP (NN pie)) (PP (IN with) (NP (NNS friends)))))"
>>> test = "(S (NP (PRP she)) (VP (VBD ate) (NP (NP (NN pie)) (PP (IN with) (NP (NNS friends))))))"
>>> analysis = explain_errors(gold, test)
>>> analysis
<ErrorAnalysis (english): 1 sentence, 1 step for 1 bracket>
>>> for step in analysis.steps():
...     print(step)
NP “pie with friends” is extra: PP Attachment
"""

from __future__ import annotations

from array import array

from ... import _core
from ..._core import ErrorReason, StepRecord
from ...helpers.named import values
from ...helpers.text import number_of, visible
from ...helpers.threads import count_threads
from ...pairing.node_mapping import range_of
from ...place.two_sides import read_both
from ...values.brief import brief
from ...values.problem import Problem, check_choice
from ...values.value import Value
from .pack import STEPS, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from typing import Any

    from ...readers.sources import Readable
    from ...trees import Treebank
    from .pack import Pack

#: Citations.
CITES = ("kummerfeld-etal-2012-parser",)
#: Programs whose bugs can be reproduced.
COMPAT = ("original",)
#: The columns of a sentence in tables for people.
SENTENCE_COLUMNS = ("length", "gold", "test", "extra", "missing", "crossing", "steps", "brackets")
_LEFT_OUT = "left out"
#: Code and message of each reason; trees that could not be read have a problem from the reader.
_REASONS = {
    ErrorReason.EMPTY_TEST: ("unparsed", "there are no words in the test tree"),
    ErrorReason.EMPTY_GOLD: ("no-gold", "there are no words in the gold tree"),
    ErrorReason.BOTH_EMPTY: ("empty", "neither tree has words"),
    ErrorReason.CROSSING: ("discontinuous", "discontinuous trees cannot be repaired step by step"),
    ErrorReason.TOO_MANY_STEPS: ("gave-up", "more than 100 steps would be needed to repair this tree"),
    ErrorReason.TOO_DIFFERENT: ("too-different", "the search for repair steps would take too long"),
}
_STEP_NAMES = {value: name for name, value in STEPS.items()}
_MAX_WORDS = 8  # words of a step as text
#: What was wrong before a step, by the type of the step. The report page fills in the same sentences.
SENTENCES = {
    "move": "{nodes} “{words}” attached to {parent} instead of {new_parent}",
    "move within a label": "{nodes} “{words}” attached to the wrong {parent}",
    "relabel": "“{words}” labelled {label} instead of {new_label}",
    "add": "{label} “{words}” is missing",
    "remove": "{label} “{words}” is extra",
    "added": ", where {new_label} is missing",
}
#: The fields of a step as numbers, before the fields of its nodes.
STEP_FIELDS = sorted(values(StepRecord), key=values(StepRecord).__getitem__)


class StepNode(Value):
    """A child of a node, or a node that is moved: its label and its span in the compared words."""

    label: str
    start: int
    end: int


class RepairStep(Value):
    """One step of the repair of one tree.

    Spans count the compared words, without traces and punctuation, from 0. `nodes` are the children of the node, or the
    moved nodes; `new_label` is the right label of a node, or the label of the phrase added by a move. `brackets` is the
    number of wrong brackets that the step removes. `gold_phrases` and `test_phrases` are the missing and extra phrases
    that it repairs, by their numbers in the order of opening brackets, without preterminals.
    """

    sentence: int
    id: str | None
    type: str
    kind: str
    brackets: int
    label: str | None
    new_label: str | None
    start: int
    end: int
    words: tuple[str, ...]
    parent: str | None
    new_parent: str | None
    nodes: tuple[StepNode, ...]
    added: tuple[int, int] | None
    gold_phrases: tuple[int, ...] = ()
    test_phrases: tuple[int, ...] = ()

    def __str__(self) -> str:
        return visible(f"{self.in_words()}: {self.kind}")

    def in_words(self) -> str:
        """What was wrong, with the first and last words of a long phrase."""
        words = self.words if len(self.words) <= _MAX_WORDS else (*self.words[:4], "…", *self.words[-3:])
        is_within = self.type == "move" and self.parent == self.new_parent
        sentence = SENTENCES["move within a label" if is_within else self.type]
        if self.type == "move" and self.added:
            sentence += SENTENCES["added"]
        text = sentence.format(
            nodes=" ".join(node.label for node in self.nodes),
            words=" ".join(words),
            label=self.label,
            new_label=self.new_label,
            parent=self.parent,
            new_parent=self.new_parent,
        )
        return brief(text)

    def record(self) -> dict[str, Any]:
        """The step for JSON, with the original program's names where it has them."""
        span = [self.start, self.end]
        labels = [node.label for node in self.nodes]
        record: dict[str, Any] = {
            "sentence": self.sentence,
            "id": self.id,
            "type": self.type,
            "class": self.kind,
            "brackets": self.brackets,
        }
        if self.type == "move":
            record |= {
                "old_parent": self.parent,
                "new_parent": self.new_parent,
                "movers": labels,
                "mover_info": [[node.label, [node.start, node.end]] for node in self.nodes],
                "span": span,
                "added_label": self.new_label,
                "added_span": None if self.added is None else list(self.added),
            }
        else:
            change = {"change": [self.label, self.new_label]} if self.type == "relabel" else {"label": self.label}
            record |= change | {
                "span": span,
                "subtrees": labels,
                "parent": self.parent,
                "over_word": self.end - self.start == 1,
            }
        return record | {"words": " ".join(self.words)}


class ErrorClass(Value):
    """A class of errors: the number of repair steps, and the number of wrong brackets that they removed."""

    name: str
    steps: int
    brackets: int


class ErrorAnalysis:
    """The errors of all sentences of a parser, by class."""

    def __init__(
        self,
        gold: Treebank,
        test: Treebank,
        pack: Pack,
        *,
        compat: str | None = None,
        threads: int = 1,
        progress: _core.Progress | None = None,
    ) -> None:
        if compat is not None:
            check_choice(compat, "compat", COMPAT)
        self.gold, self.test, self.pack, self.compat = gold, test, pack, compat
        compiled = pack.compile(gold.native.names(0), test.native.names(0), original=compat == "original")
        self.labels, self._rules = compiled.labels, compiled.rules
        rows, steps, ends = _core.find_errors(gold.native, test.native, self._rules, threads, progress)
        #: Columns by sentence: the reason for having no steps, words, phrases and errors.
        self.rows = {name: rows.column(name) for name in (*rows.notes, *rows.sums)}
        self._sums = tuple(rows.sums)
        self._numbers = memoryview(steps).cast("q")
        self._ends = memoryview(ends).cast("q")

    def __len__(self) -> int:
        return len(self._ends)

    def __repr__(self) -> str:
        counts = self.counts
        steps = f"{number_of(counts['steps'], 'step')} for {number_of(counts['brackets'], 'bracket')}"
        return f"<ErrorAnalysis ({self.pack.name}): {number_of(counts['sentences'], 'sentence')}, {steps}>"

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of sentences (all, compared, left out, without errors), phrases, errors and steps."""
        compared = [reason == ErrorReason.REPAIRED for reason in self.rows["reason"]]
        sums = {
            name: sum(value for value, counted in zip(self.rows[name], compared, strict=True) if counted)
            for name in self._sums
        }
        clean = sum(counted and not steps for counted, steps in zip(compared, self.rows["steps"], strict=True))
        return {
            "sentences": len(self),
            "compared": sum(compared),
            "left_out": len(self) - sum(compared),
            "without_errors": clean,
            **sums,
        }

    def classes(self) -> list[ErrorClass]:
        """The classes of errors, those with most brackets first.

        >>> analysis = explain_errors("(S (NP (NN a) (NN b)) (VP (VB c)))", "(S (X (NN a) (NN b)) (NP (VB c)))")
        >>> [(row.name, row.steps, row.brackets) for row in analysis.classes()]
        [('Single Word Phrase', 1, 2), ('Different label', 1, 2)]
        """
        return self._summed(self.pack.classes)

    def titled_classes(self) -> list[ErrorClass]:
        """The classes with their titles in tables, where errors without a class are "Other"."""
        return self._summed([self.pack.title(name) for name in self.pack.classes])

    def _summed(self, names: list[str] | tuple[str, ...]) -> list[ErrorClass]:
        sums: dict[str, list[int]] = {}
        for start in self._step_starts(0, len(self._numbers)):
            row = sums.setdefault(names[self._numbers[start + StepRecord.of_class]], [0, 0])
            row[0] += 1
            row[1] += self._numbers[start + StepRecord.brackets]
        classes = [ErrorClass(name, *row) for name, row in sums.items()]
        return sorted(classes, key=lambda row: (row.brackets, row.steps, row.name), reverse=True)

    def brackets_by_class(self) -> dict[str, array[int]]:
        """For each class with its title in tables, the number of wrong brackets in each sentence.

        >>> analysis = explain_errors("(S (NP (NN a)) (VP (VB b) (RB c)))", "(S (NP (NN a)) (VP (VB b) (ADVP (RB c))))")
        >>> analysis.brackets_by_class()
        {'Single Word Phrase': array('q', [1])}
        """
        columns: dict[str, array[int]] = {}
        begin = 0
        for index, end in enumerate(self._ends):
            for start in self._step_starts(begin, end):
                title = self.pack.title(self.pack.classes[self._numbers[start + StepRecord.of_class]])
                column = columns.setdefault(title, array("q", bytes(8 * len(self))))
                column[index] += self._numbers[start + StepRecord.brackets]
            begin = end
        return columns

    def _step_starts(self, begin: int, end: int) -> Iterator[int]:
        """Where the numbers of each step start."""
        while begin < end:
            yield begin
            begin += self._numbers[begin + StepRecord.size]

    def steps(self, index: int | None = None) -> Iterator[RepairStep]:
        """The steps of a sentence, counted from 0, or of all sentences."""
        if index is None:
            return (step for number in range(len(self)) for step in self.steps(number))
        return self._steps(range_of(self._ends, index, "sentence"), index % len(self))

    def _steps(self, numbers: range, index: int) -> Iterator[RepairStep]:
        if not numbers:
            return
        kept, _ = _core.compared_leaves(self.gold.native, index, self.test.native, index, self._rules)
        words = self.gold.words(index)
        compared = [words[leaf] for leaf in kept]
        for start in self._step_starts(numbers.start, numbers.stop):
            end = start + self._numbers[start + StepRecord.size]
            yield self._step(index, self._numbers[start:end], compared)

    def _step(self, index: int, numbers: memoryview[int], words: list[str]) -> RepairStep:
        known = dict(zip(STEP_FIELDS, numbers, strict=False))

        def named(name: str) -> str | None:
            return None if known[name] < 0 else self.labels[known[name]]

        children = len(STEP_FIELDS) + 3 * known["children"]
        nodes = zip(*(numbers[len(STEP_FIELDS) + part : children : 3] for part in range(3)), strict=True)
        phrases = numbers[children:].tolist()
        return RepairStep(
            sentence=index + 1,
            id=None if self.gold.ids is None else self.gold.ids[index],
            type=_STEP_NAMES[known["repair"]],
            kind=self.pack.classes[known["of_class"]],
            brackets=known["brackets"],
            label=named("label"),
            new_label=named("new_label"),
            start=known["start"],
            end=known["end"],
            words=tuple(words[known["start"] : known["end"]]),
            parent=named("parent"),
            new_parent=named("new_parent"),
            nodes=tuple(StepNode(self.labels[key], first, last) for key, first, last in nodes),
            added=None if known["added_start"] < 0 else (known["added_start"], known["added_end"]),
            gold_phrases=tuple(phrases[: known["gold_phrases"]]),
            test_phrases=tuple(phrases[known["gold_phrases"] :]),
        )

    def step_numbers(self, index: int) -> list[int]:
        """The steps of a sentence as numbers, each with the fields of `STEP_FIELDS`, its nodes, and its phrases."""
        numbers = range_of(self._ends, index, "sentence")
        return self._numbers[numbers.start : numbers.stop].tolist()

    def sentences(self) -> Iterator[dict[str, Any]]:
        """A row for each sentence: its errors, the repair steps, and the number of errors in each class."""
        begin = 0
        for index, end in enumerate(self._ends):
            classes: dict[str, int] = {}
            for start in self._step_starts(begin, end):
                name = self.pack.classes[self._numbers[start + StepRecord.of_class]]
                classes[name] = classes.get(name, 0) + 1
            begin = end
            is_left_out = self.rows["reason"][index] != ErrorReason.REPAIRED
            yield {
                "sentence": index + 1,
                "id": None if self.gold.ids is None else self.gold.ids[index],
                "status": int(is_left_out),
                **{name: None if is_left_out else self.rows[name][index] for name in SENTENCE_COLUMNS},
                "classes": classes,
            }

    @property
    def problems(self) -> list[Problem]:
        """Problems with reading or comparing."""
        problems = list(dict.fromkeys([*self.gold.problems, *self.test.problems]))
        for index, reason in enumerate(self.rows["reason"]):
            if reason == ErrorReason.LENGTHS:
                sizes = [self.rows[name][index] for name in ("length", "test_length")]
                message = f"{number_of(sizes[0], 'word')} in gold but {sizes[1]:,} in test, punctuation left out"
                problems.append(self.test.problem(index, "length", message, _LEFT_OUT))
            elif reason in _REASONS:
                problems.append(self.test.problem(index, *_REASONS[reason], _LEFT_OUT))
            elif self.rows["differs_at"][index] >= 0:
                problems.append(self._other_word(index))
        return problems

    def _other_word(self, index: int) -> Problem:
        leaves = [self.rows[name][index] for name in ("differs_at", "test_differs_at")]
        words = [bank.words(index)[leaf] for bank, leaf in zip((self.gold, self.test), leaves, strict=True)]
        message = f"the words differ: {visible(words[0])!r} in gold is {visible(words[1])!r} in test"
        return self.test.problem(index, "words", message, "compared anyway")


def explain_errors(
    gold: Readable,
    test: Readable,
    pack: str | os.PathLike[str] | Pack = "english",
    *,
    compat: str | None = None,
    threads: int | None = None,
    layout: str = "auto",
    on_error: str = "keep",
    progress: _core.Progress | None = None,
) -> ErrorAnalysis:
    """Classify the errors of a parser: wrong attachments, missing unary phrases, wrong labels and so on.

    `pack` is the name of a language pack or a file with one. `compat="original"` reproduces two properties of the
    original program: a missing phrase before a conjunction is not an error of coordination, and punctuation is
    determined by the tags of each side, instead of the gold tags where the words are equal.

    >>> analysis = explain_errors("(S (NP (NN a)) (VP (VB b) (RB c)))", "(S (NP (NN a)) (VP (VB b) (ADVP (RB c))))")
    >>> analysis.counts["steps"], analysis.classes()
    (1, [ErrorClass(name='Single Word Phrase', steps=1, brackets=1)])
    """
    banks = read_both(gold, test, layout=layout, on_error=on_error)
    workers = count_threads(threads, len(banks[0]))
    return ErrorAnalysis(*banks, load(pack), compat=compat, threads=workers, progress=progress)
