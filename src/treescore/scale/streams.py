"""Scoring of two files of trees in blocks: memory does not grow with the files.

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
from ..helpers.threads import count_threads
from ..place.pair import Pair
from ..place.two_sides import unreadable
from ..place.unequal import difference_at, first_difference, sizes_message, unequal
from ..readers.blocks import BlockedText
from ..readers.brackets import check_options
from ..scoring.batch import score_batch
from ..scoring.choosing import DEFAULT, as_metrics, words_differ_at
from ..scoring.evaluation import unpaired_advice
from ..scoring.tally import Tally
from ..trees import Source, Treebank
from ..values.problem import InputError, PerSide, Problem, TreeSyntaxError, UsageError, check_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Executor, Future
    from threading import Thread
    from typing import IO

    from typing_extensions import Buffer

    from ..helpers.steps import Steps
    from ..metrics.base import Metric
    from ..readers.blocks import Block
    from ..scoring.choosing import Metrics
    from ..scoring.report import Report

    Streamed = str | os.PathLike[str] | IO[bytes] | BlockedText

#: Bytes of text of each side in memory at a time.
CHUNK = 1 << 23
_LEAST = 1 << 20  # minimum bytes of a block, unless `chunk` is smaller
_MOST_PAIRS = 100_000  # that are scored at a time, since a row of counts needs more memory than a tiny tree
_PATIENCE = 0.5  # seconds in which a thread must end, unless it waits for a pipe


def evaluate_stream(
    gold: Streamed,
    test: Streamed,
    metrics: Metrics = DEFAULT,
    *,
    form: str = "auto",
    layout: str = "auto",
    on_error: str = "keep",
    chunk: int = CHUNK,
    threads: int | None = None,
    by: Iterable[str] = (),
    on_difference: Callable[[int], None] | None = None,
    steps: Steps | None = None,
) -> Report:
    """Score files of bracketed trees as `evaluate` does, in blocks of both files.

    Each side is a path, - for standard input, or a binary file; gzip and zstd are detected. About `chunk` bytes of each
    side are in memory at a time, or the largest tree. Neither `chunk` nor the number of threads changes the result. The
    report has the scores, the requested tables `by` "label" or "length", and the problems, but neither trees nor rows;
    problems beyond 100,000 are only counted. `form` "brackets" reads words that look like spans of time as words,
    and "labelless" reads every token as a word; "brackets,labelless" is the form of gold and of test.
    `on_difference` is called once with the number of the first sentence whose words differ; exceptions end the run.
    """
    check_options(layout, on_error)
    check_whole(chunk, "chunk")
    chosen = as_metrics(metrics)
    for metric in chosen:
        if not metric.takes_parts or metric.needs_times:
            raise UsageError(f"{metric.name} needs whole files: use treescore.evaluate")
    workers = count_threads(threads, chunk)
    size = min(chunk, max(_LEAST, chunk // workers))
    with ExitStack() as stack:
        texts = [stack.enter_context(_opened(side)) for side in (gold, test)]
        if steps is not None:
            steps.total = sum(text.packed_size for text in texts)
        for place, text in enumerate(texts):
            if not text.is_plain(layout, PerSide.of(form, test=place > 0)):
                message = "only bracketed text can be scored in parts, not other text: use treescore.evaluate"
                raise InputError(Problem("not-plain", message, file=text.name))
        pool = None if workers == 1 else stack.enter_context(_readers(workers))
        sides = [stack.enter_context(_Side(text, layout, size, pool, workers)) for text in texts]
        scoring = _Scoring(chosen, sides, on_error, workers, list(by), on_difference)
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
    """A file that only has `read`; it is not closed."""

    def __init__(self, file: IO[bytes]) -> None:
        if not hasattr(file, "read"):
            raise TypeError(f"trees must be a path, - or a binary file, not {file!r:.80}")
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        data = self._file.read(len(view))
        if not isinstance(data, bytes):
            raise TypeError("the file must be opened in binary mode")
        view[: len(data)] = data
        return len(data)


def _readers(workers: int) -> Executor:
    from concurrent.futures import ThreadPoolExecutor

    class Readers(ThreadPoolExecutor):
        def __exit__(self, *_: object) -> None:
            self.shutdown(wait=True, cancel_futures=True)

    return Readers(workers)


class _Side:
    """The trees of a text in blocks, read ahead by a pool of threads, with statistics."""

    def __init__(self, text: BlockedText, layout: str, size: int, pool: Executor | None, ahead: int) -> None:
        self.source = text.source
        self.layout = layout
        self.trees = self.blank_lines = self.faulty = 0
        self.first_problem: Problem | None = None
        self._jobs = text.jobs(layout, size)
        self._pool = pool
        self._ahead = ahead
        self._is_closed = False
        self._cutter: Thread | None = None

    def __enter__(self) -> _Side:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_closed = True
        if self._cutter is not None:  # Python must not exit while it runs native code
            self._cutter.join(_PATIENCE)

    def _blocks(self) -> Iterator[Block]:
        """Blocks in order. With a pool, one thread cuts the text and others read the blocks."""
        if self._pool is None:
            for job in self._jobs:
                yield job()
            return
        from queue import Full, Queue
        from threading import Thread

        pool = self._pool
        reading: Queue[Future[Block] | BaseException | None] = Queue(self._ahead)

        def put(item: Future[Block] | BaseException | None) -> None:
            while not self._is_closed:
                try:
                    return reading.put(item, timeout=0.1)
                except Full:
                    continue

        def cut() -> None:
            try:
                for job in self._jobs:
                    if self._is_closed:
                        return
                    put(pool.submit(job))
                put(None)
            except BaseException as error:  # raised in the thread that waits for blocks
                put(error)

        self._cutter = Thread(target=cut, daemon=True)  # it may wait for standard input forever
        self._cutter.start()
        while (item := reading.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item.result()

    def __iter__(self) -> Iterator[Treebank]:
        """The trees in non-empty treebanks."""
        try:
            for block in self._blocks():
                bank = block.bank(self.source, self.layout, self.trees)
                self._note(bank)
                if len(bank):
                    yield bank
        except _core.TreeTooLarge as problem:
            raise InputError(Problem("too-large", str(problem), file=self.source.name)) from None

    def _note(self, bank: Treebank) -> None:
        if self.first_problem is None and bank.problems:
            self.first_problem = bank.problems[0]
        self.trees += len(bank)
        self.faulty += len({problem.unit for problem in bank.problems})
        self.blank_lines += bank.blank_lines


class _Scoring:
    """The tally so far."""

    def __init__(
        self,
        metrics: Sequence[Metric],
        sides: Sequence[_Side],
        on_error: str,
        threads: int,
        by: Sequence[str],
        on_difference: Callable[[int], None] | None,
    ) -> None:
        self.metrics, self.gold, self.test = metrics, *sides
        self.threads, self.on_error, self.on_difference = threads, on_error, on_difference
        self.tally = Tally(metrics, by=by)
        self.first_difference: tuple[int, str] | None = None  # number of the first differing tree, and a description

    def steps(self) -> Iterator[None]:
        """Score all pairs, block by block."""
        streams = iter(self.gold), iter(self.test)
        banks: list[Treebank | None] = [None, None]
        while True:
            banks = [bank or next(stream, None) for bank, stream in zip(banks, streams, strict=True)]
            gold, test = banks
            if gold is None or test is None:
                break
            size = min(len(gold), len(test), _MOST_PAIRS)
            self._add(gold[:size], test[:size])
            banks = [gold[size:], test[size:]]
            yield
        if self.first_difference is None and (gold or test):
            none = Treebank(_core.TreeBuilder().trees())
            self.first_difference = (
                self.tally.size + 1,
                difference_at(gold or none, test or none, 0, before=self.tally.size),
            )
        for stream in streams:
            for _ in stream:
                yield

    def _add(self, gold: Treebank, test: Treebank) -> None:
        if self.on_error == "raise":
            faults = [(problem.unit or 0, side, problem) for side in (0, 1) for problem in (gold, test)[side].problems]
            if faults:
                raise TreeSyntaxError(min(faults, key=lambda fault: fault[:2])[2].replace(action=None))
        pair = Pair(gold, test)
        before = self.tally.size
        if self.on_difference is not None and (place := words_differ_at(pair, self.metrics[0])) is not None:
            self.on_difference(before + place + 1)
            self.on_difference = None
        if self.first_difference is None and (place := first_difference(gold, test)) is not None:
            self.first_difference = before + place + 1, difference_at(gold, test, place, before=before)
        self.tally.add(score_batch(self.metrics, pair, threads=self.threads))

    def report(self) -> Report:
        """The report on all pairs; an error without trees, or if the numbers of trees differ."""
        for side in (self.gold, self.test):
            if side.trees == 0:
                raise InputError(Problem("empty", "there are no trees in it", file=side.source.name))
        if self.gold.trees != self.test.trees:
            assert self.first_difference is not None
            names = [side.source.name or kind for side, kind in ((self.gold, "gold"), (self.test, "test"))]
            has_blank_lines = max(self.gold.blank_lines, self.test.blank_lines) > 0
            message = sizes_message(
                names, (self.gold.trees, self.test.trees), self.first_difference[1], has_blank_lines=has_blank_lines
            )
            raise unequal(message, self.first_difference[0], unpaired_advice(self.metrics))
        for side in (self.gold, self.test):
            if 1 < side.trees == side.faulty and side.first_problem is not None:
                raise unreadable(side.first_problem)
        return self.tally.report(self.gold.source, self.test.source)
