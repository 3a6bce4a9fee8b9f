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
from ..values.problem import InputError, Problem, TreeSyntaxError, UsageError, check_whole

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

#: How much text of each side is held at a time, in bytes.
CHUNK = 1 << 23
_LEAST = 1 << 20  # bytes of a block, unless less is asked for
_PATIENCE = 0.5  # seconds in which a thread must see that it is no longer needed, unless it waits for a pipe


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
    """Score files of trees in brackets as `evaluate` does, a block of both at a time.

    Each side is a path, - for standard input, or a file opened for bytes; gzip and zstd are recognised. About `chunk`
    bytes of each side are held at a time, or as many as the largest tree has. Neither that nor the number of threads
    changes the result. The report has the scores, the tables `by` "label" or "length" that are asked for, and the
    problems, but neither trees nor rows; more than 100,000 problems are only counted. `form` "brackets" says that it is
    text, even if its words look like spans of time. `on_difference` is called once with the number of the first
    sentence whose words differ; what it raises ends the work.
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
        for text in texts:
            if not text.is_plain(layout, form):
                message = (
                    "this may not be text in brackets, and only that can be scored in parts: use treescore.evaluate"
                )
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
    """The trees of a text, block by block in order, read ahead by a pool of threads, and what is known about all."""

    def __init__(self, text: BlockedText, layout: str, size: int, pool: Executor | None, ahead: int) -> None:
        self.source = text.source
        self.layout = layout
        self.trees = self.blank_lines = self.faulty = 0
        self.first_problem: Problem | None = None
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
        self.parting: tuple[int, str] | None = None  # the number of the tree, and what is there

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
            self.parting = self.tally.size + 1, difference_at(gold or none, test or none, 0, before=self.tally.size)
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
        if self.parting is None and (place := first_difference(gold, test)) is not None:
            self.parting = before + place + 1, difference_at(gold, test, place, before=before)
        self.tally.add(score_batch(self.metrics, pair, threads=self.threads))

    def report(self) -> Report:
        """The scores of all pairs; an error if there is nothing to score, or the sides have different sizes."""
        for side in (self.gold, self.test):
            if side.trees == 0:
                raise InputError(Problem("empty", "there are no trees in it", file=side.source.name))
        if self.gold.trees != self.test.trees:
            assert self.parting is not None
            names = [side.source.name or kind for side, kind in ((self.gold, "gold"), (self.test, "test"))]
            has_blank_lines = max(self.gold.blank_lines, self.test.blank_lines) > 0
            message = sizes_message(
                names, (self.gold.trees, self.test.trees), self.parting[1], has_blank_lines=has_blank_lines
            )
            raise unequal(message, self.parting[0], unpaired_advice(self.metrics))
        for side in (self.gold, self.test):
            if 1 < side.trees == side.faulty and side.first_problem is not None:
                raise unreadable(side.first_problem)
        return self.tally.report(self.gold.source, self.test.source)
