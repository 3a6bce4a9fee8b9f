"""Two files of trees scored a block at a time: what is held does not grow with the files.

>>> import io
>>> gold, test = (io.BytesIO(b"(S (NN a))\\n(S (NN b))\\n"), io.BytesIO(b"(S (NN a))\\n(X (NN b))\\n"))
>>> evaluate_stream(gold, test, "parseval|profile:none", chunk=12)["parseval"].value
0.5
"""

from __future__ import annotations

import io
import os
from contextlib import ExitStack

from .. import _core
from ..evaluation import (
    as_metrics,
    count_threads,
    differing_words,
    parting,
    unequal,
    unequal_numbers,
    unpaired_advice,
    unreadable,
    words_differ,
)
from ..overview import FIRST, Overview
from ..place.pair import Pair
from ..problem import InputError, Problem, TreeSyntaxError, UsageError, check_whole
from ..readers.blocks import BlockedText
from ..readers.brackets import check_options
from ..trees import Source, Treebank
from .sums import Sums, SumsReport, add_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor, Future
    from threading import Thread
    from typing import IO

    from typing_extensions import Buffer

    from ..evaluation import Metrics
    from ..metrics.base import Metric
    from ..readers.blocks import Block
    from ..steps import Steps

    Streamed = str | os.PathLike[str] | IO[bytes] | BlockedText

#: How much text of each side is held at a time, in bytes.
CHUNK = 1 << 23
#: So many problems are kept; the others are only counted.
MOST_PROBLEMS = 100_000
_LEAST = 1 << 20  # bytes of a block, unless less is asked for
_PATIENCE = 0.5  # seconds in which a thread must see that it is no longer needed, unless it waits for a pipe


class StreamReport(SumsReport):
    """Scores of all pairs, without the trees. `differing` says in words that the words of some sentences differ."""

    differing: str | None = None


class WordsDiffer(Exception):
    """Gold and test have different words."""


def evaluate_stream(
    gold: Streamed,
    test: Streamed,
    metrics: Metrics = "parseval",
    *,
    form: str = "auto",
    layout: str = "auto",
    on_error: str = "keep",
    chunk: int = CHUNK,
    threads: int | None = None,
    by: Iterable[str] = (),
    same_words: bool = False,
    steps: Steps | None = None,
) -> StreamReport:
    """Score files of trees in brackets as `evaluate` does, a block of both at a time.

    Each side is a path, - for standard input, or a file opened for bytes; gzip and zstd are recognised. About `chunk`
    bytes of each side are held at a time, or as many as the largest tree has. Neither that nor the number of threads
    changes the result. The report has the scores, the tables `by` "label" or "length" that are asked for, and the
    problems, but neither trees nor rows; more than 100,000 problems are only counted. `form` "brackets" says that it is
    text, even if its words look like spans of time. With `same_words`, words that differ are an error at once
    (`WordsDiffer`).
    """
    check_options(layout, on_error)
    check_whole(chunk, "chunk")
    made = as_metrics(metrics)
    for metric in made:
        if not metric.takes_parts or metric.needs_times:
            raise UsageError(f"{metric.name} needs whole files: use treescore.evaluate")
    workers = count_threads(threads, chunk)
    size = min(chunk, max(_LEAST, chunk // workers))
    with ExitStack() as stack:
        texts = [stack.enter_context(_opened(side)) for side in (gold, test)]
        if steps is not None:
            steps.total = sum(text.packed_size for text in texts)
        for text in texts:
            if not text.is_plain(layout, form):
                message = "this is not surely text in brackets, which can be scored in parts: use treescore.evaluate"
                raise InputError(Problem("not-plain", message, file=text.name))
        pool = None if workers == 1 else stack.enter_context(_readers(workers))
        sides = [stack.enter_context(_Side(text, layout, size, pool, workers)) for text in texts]
        scoring = _Scoring(made, sides, on_error, workers, list(by), same_words)
        for _ in scoring.steps():
            if steps is not None:
                steps.position = sum(text.position for text in texts)
        return scoring.report()


def _opened(side: Streamed) -> BlockedText:
    if isinstance(side, BlockedText):
        return side
    if isinstance(side, str | os.PathLike):
        return BlockedText.opened(os.fspath(side))
    name = getattr(side, "name", None)
    if not hasattr(side, "peek") and not hasattr(side, "getbuffer"):
        side = io.BufferedReader(_Raw(side))
    return BlockedText(side, Source(name if isinstance(name, str) else "<file>"))


class _Raw(io.RawIOBase):
    """A file that can do no more than `read`; it is not closed."""

    def __init__(self, file: IO[bytes]) -> None:
        if not hasattr(file, "read"):
            raise TypeError(f"trees come from a path, from - or from a file opened for bytes, not from {file!r:.80}")
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        data = self._file.read(len(view))
        if not isinstance(data, bytes):
            raise TypeError("the file must be opened for bytes, not for text")
        view[: len(data)] = data
        return len(data)


def _readers(workers: int) -> Executor:
    from concurrent.futures import ThreadPoolExecutor

    class Readers(ThreadPoolExecutor):
        def __exit__(self, *_: object) -> None:
            self.shutdown(wait=True, cancel_futures=True)

    return Readers(workers)


class _Side:
    """The trees of a text, block by block in order, read ahead by a pool of threads; and what is known of them all."""

    def __init__(self, text: BlockedText, layout: str, size: int, pool: Executor | None, ahead: int) -> None:
        self.source = text.source
        self.layout = layout
        self.trees = self.blank_lines = self.faulty = 0
        self.first_problem: Problem | None = None
        self.first: list[Treebank] = []  # up to FIRST trees
        self.names: dict[bytes, None] = {}
        self._jobs = text.jobs(layout, size)
        self._pool = pool
        self._ahead = ahead
        self._left = False
        self._cutter: Thread | None = None

    def __enter__(self) -> _Side:
        return self

    def __exit__(self, *_: object) -> None:
        self._left = True
        if self._cutter is not None:  # Python must not end while it runs native code
            self._cutter.join(_PATIENCE)

    def _blocks(self) -> Iterator[Block]:
        """Blocks in order. With a pool they are cut from the text in one thread, and read in others."""
        if self._pool is None:
            for job in self._jobs:
                yield job()
            return
        from queue import Full, Queue
        from threading import Thread

        pool = self._pool
        reading: Queue[Future[Block] | BaseException | None] = Queue(self._ahead)

        def put(item: Future[Block] | BaseException | None) -> None:
            while not self._left:
                try:
                    return reading.put(item, timeout=0.1)
                except Full:
                    continue

        def cut() -> None:
            try:
                for job in self._jobs:
                    if self._left:
                        return
                    put(pool.submit(job))
                put(None)
            except BaseException as error:  # it is raised where the blocks are waited for
                put(error)

        self._cutter = Thread(target=cut, daemon=True)  # it may wait for standard input for ever
        self._cutter.start()
        while (item := reading.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item.result()

    def __iter__(self) -> Iterator[Treebank]:
        """The trees, some at a time, never none."""
        try:
            for block in self._blocks():
                bank = block.bank(self.source, self.layout, self.trees)
                self._note(bank, block.names())
                if len(bank):
                    yield bank
        except _core.TreeTooLarge as problem:
            raise InputError(Problem("too-large", str(problem), file=self.source.name)) from None

    def _note(self, bank: Treebank, names: Iterable[bytes]) -> None:
        if self.trees < FIRST:
            self.first.append(bank[: FIRST - self.trees])
        if self.first_problem is None and bank.problems:
            self.first_problem = bank.problems[0]
        self.names.update(dict.fromkeys(names))
        self.trees += len(bank)
        self.faulty += len({problem.unit for problem in bank.problems})
        self.blank_lines += bank.blank_lines

    def overview(self) -> Overview:
        """The first trees, and all labels."""
        builder = _core.TreeBuilder()
        for bank in self.first:
            builder.extend(bank.native)
        return Overview(Treebank(builder.trees(), source=self.source), self.names)


class _Problems:
    """Problems of one kind in order: the first of them, and how many there are of each code."""

    def __init__(self) -> None:
        self.first: list[Problem] = []
        self.codes: dict[str, int] = {}

    def add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.codes[problem.code] = self.codes.get(problem.code, 0) + 1
            if len(self.first) < MOST_PROBLEMS:
                self.first.append(problem)


class _Scoring:
    """What has been found so far."""

    def __init__(
        self,
        metrics: Sequence[Metric],
        sides: Sequence[_Side],
        on_error: str,
        threads: int,
        by: Sequence[str],
        same_words: bool,
    ) -> None:
        self.metrics, self.gold, self.test = metrics, *sides
        self.threads, self.on_error, self.same_words = threads, on_error, same_words
        self.pairs = 0
        self.sums: list[dict[str, int]] = [{} for _ in metrics]
        self.groups: dict[str, list[dict[str, dict[str, int]]]] = {kind: [{} for _ in metrics] for kind in by}
        self.read = [_Problems(), _Problems()]
        self.scored = [_Problems() for _ in metrics]
        self.parting: tuple[int, str] | None = None  # the number of the tree, and what is there
        self.differing = self.first_differing = 0

    def steps(self) -> Iterator[None]:
        """Score all pairs, some at a time."""
        streams = iter(self.gold), iter(self.test)
        banks: list[Treebank | None] = [None, None]
        while True:
            banks = [bank or next(stream, None) for bank, stream in zip(banks, streams, strict=True)]
            gold, test = banks
            if gold is None or test is None:
                break
            size = min(len(gold), len(test))
            self._add(gold[:size], test[:size])
            banks = [gold[size:], test[size:]]
            yield
        if self.parting is None and (gold or test):
            none = Treebank(_core.TreeBuilder().trees())
            self.parting = self.pairs + 1, parting(gold or none, test or none, 0, before=self.pairs)
        for stream in streams:
            for _ in stream:
                yield

    def _add(self, gold: Treebank, test: Treebank) -> None:
        if self.on_error == "raise":
            faults = [(problem.unit or 0, side, problem) for side in (0, 1) for problem in (gold, test)[side].problems]
            if faults:
                raise TreeSyntaxError(min(faults, key=lambda fault: fault[:2])[2].replace(action=None))
        if self.parting is None and (place := gold.native.first_parting(test.native)) is not None:
            self.parting = self.pairs + place + 1, parting(gold, test, place, before=self.pairs)
        for found, bank in zip(self.read, (gold, test), strict=True):
            found.add(bank.problems)
        seen = set(test.problems)
        for place, (metric, found) in enumerate(zip(self.metrics, self.scored, strict=True)):
            counts = metric.counts(Pair(gold, test), threads=self.threads)
            add_to(self.sums[place], counts.total())
            for by, groups in self.groups.items():
                for key, sums in metric.group_sums(by, Pair(gold, test), counts).items():
                    add_to(groups[place].setdefault(key, {}), sums)
            problems = [problem for problem in metric.row_problems(Pair(gold, test), counts) if problem not in seen]
            seen.update(problems)
            found.add(dict.fromkeys(problems))
            if metric.name == "parseval" and place == 0:
                self._compare_words(differing_words(gold, test, counts))
        self.pairs += len(gold)

    def _compare_words(self, places: Sequence[int]) -> None:
        if places:
            if self.same_words:
                raise WordsDiffer
            self.first_differing = self.first_differing or self.pairs + places[0] + 1
            self.differing += len(places)

    def report(self) -> StreamReport:
        """The scores of all pairs; an error if there is nothing to score, or the sides have different sizes."""
        for side in (self.gold, self.test):
            if side.trees == 0:
                raise InputError(Problem("empty", "there are no trees in it", file=side.source.name))
        if self.gold.trees != self.test.trees:
            assert self.parting is not None
            names = [side.source.name or kind for side, kind in ((self.gold, "gold"), (self.test, "test"))]
            are_blank = max(self.gold.blank_lines, self.test.blank_lines) > 0
            message = unequal_numbers(names, (self.gold.trees, self.test.trees), self.parting[1], are_blank=are_blank)
            raise unequal(message, self.parting[0], unpaired_advice(self.metrics))
        for side in (self.gold, self.test):
            if 1 < side.trees == side.faulty and side.first_problem is not None:
                raise unreadable(side.first_problem)
        scores = [metric.score(Sums(sums, self.pairs)) for metric, sums in zip(self.metrics, self.sums, strict=True)]
        problems, codes = self._problems()
        sources = self.gold.source, self.test.source
        report = StreamReport(self.metrics, scores, problems, codes, sources, self.pairs, self.groups)
        if self.differing:
            report.differing = words_differ(self.differing, self.pairs, self.first_differing)
        return report

    def _problems(self) -> tuple[list[Problem], dict[str, int]]:
        """The first problems, in the order in which `evaluate` has them, and how many there are of each kind."""
        views = self.gold.overview(), self.test.overview()
        kinds = list(self.read)
        said: dict[Problem, None] = {}
        for metric, found in zip(self.metrics, self.scored, strict=True):
            remarks = _Problems()
            remarks.add(problem for problem in metric.remarks(*views) if problem not in said)
            said.update(dict.fromkeys(remarks.first))
            kinds += [remarks, found]
        codes: dict[str, int] = {}
        for kind in kinds:
            add_to(codes, kind.codes)
        return [problem for kind in kinds for problem in kind.first][:MOST_PROBLEMS], codes
