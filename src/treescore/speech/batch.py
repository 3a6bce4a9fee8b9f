"""Many recordings and what was said in them: which belong together, all cores at work, and no work done twice."""

from __future__ import annotations

import os

from ..problem import InputError, Problem, UsageError
from ..text import number_of, visible
from ..values import Value
from .audio import audio_files, channel_number, read_sound
from .extra import check
from .forced import Aligner, NotAligned, version
from .journal import Journal
from .readings import spoken
from .steps import Steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..readers.pronunciations import Pronunciations
    from ..trees import Treebank
    from ..words.utterance import Utterances

    Leaves = tuple[tuple[str, str | None], ...]

_FORMAT = 1  # of the mark by which finished work is known again
_AHEAD = 4  # tasks per process that wait in its queue


class Said(Value):
    """What was said in a recording: its name if it has one, leaves with their tags, and where the text stands."""

    id: str | None
    leaves: Leaves
    file: str | None
    line: int | None
    unit: int | None

    __slots__ = ("id", "leaves", "file", "line", "unit")

    def __init__(
        self,
        id: str | None,
        leaves: Leaves,
        *,
        file: str | None = None,
        line: int | None = None,
        unit: int | None = None,
    ) -> None:
        self._store(id=id, leaves=leaves, file=file, line=line, unit=unit)

    def problem(self, code: str, message: str) -> Problem:
        """A reason for which it has no times."""
        name = "" if self.id is None else f"{self.id}: "
        return Problem(code, name + message, file=self.file, line=self.line, unit=self.unit, action="not aligned")


class Task(Value):
    """One recording, what was said in it, and the line that an earlier run wrote about it."""

    said: Said
    path: str
    before: str | None

    __slots__ = ("said", "path", "before")

    def __init__(self, said: Said, path: str, before: str | None = None) -> None:
        self._store(said=said, path=path, before=before)


class Done(Value):
    """What became of a task: a line of word times, perhaps an old one, or a problem."""

    line: str | None
    reused: bool
    problem: Problem | None

    __slots__ = ("line", "reused", "problem")

    def __init__(self, line: str | None = None, *, reused: bool = False, problem: Problem | None = None) -> None:
        self._store(line=line, reused=reused, problem=problem)


class Outcome:
    """Lines of word times in the order of the texts, how many of them are old, what failed, and what should be said."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.reused = 0
        self.problems: list[Problem] = []
        self.notes: list[str] = []

    def __str__(self) -> str:
        """
        >>> print(Outcome())
        0 aligned, 0 reused, 0 not aligned
        """
        from ..problem import by_code

        reasons = ", ".join(f"{number:,} {code}" for code, number in by_code(self.problems).items())
        failed = f"{len(self.problems):,} not aligned" + (f" ({reasons})" if reasons else "")
        return f"{len(self.lines) - self.reused:,} aligned, {self.reused:,} reused, {failed}"


def said_of_trees(bank: Treebank) -> list[Said]:
    """What the trees say; those of the same name are sentences of one recording.

    >>> import treescore
    >>> said_of_trees(treescore.read("(S (NN a)) (S (NN b))"))[1].leaves
    (('b', 'NN'),)
    """
    return _by_name(
        Said(
            None if bank.ids is None else bank.ids[index] or None,
            tuple(bank[index].pos()),
            file=bank.source.name,
            line=bank.line(index) or None,
            unit=bank.number(index),
        )
        for index in range(len(bank))
    )


def said_of_transcripts(transcripts: Utterances) -> list[Said]:
    """What transcripts say; lines of the same name belong to one recording."""
    return _by_name(
        Said(one.id, tuple((word, None) for word in one.transcript.words), file=transcripts.name, line=one.line)
        for one in transcripts
    )


def _by_name(texts: Iterable[Said]) -> list[Said]:
    parts: dict[str | int, list[Said]] = {}
    for number, said in enumerate(texts):
        parts.setdefault(number if said.id is None else said.id, []).append(said)
    return [
        same[0] if len(same) == 1 else same[0].replace(leaves=tuple(leaf for said in same for leaf in said.leaves))
        for same in parts.values()
    ]


def align_audio(
    audio: str | os.PathLike[str],
    texts: Treebank | Utterances | Sequence[Said],
    output: str | os.PathLike[str] | None = None,
    *,
    pronunciations: Pronunciations | None = None,
    channel: str | None = None,
    jobs: int = 1,
    steps: Steps | None = None,
) -> Outcome:
    """Find when the words of trees or transcripts are said in the recordings of a folder; write JSON lines to a file.

    What stands in that file already, or in what an interrupted run has left beside it, is not done again. With more
    than one job, processes of their own do the work: call it under `if __name__ == "__main__"`.
    """
    check()
    channel_number(channel)  # else each recording would complain
    outcome = Outcome()
    said, faults = _said(texts)
    outcome.problems += faults
    unreadable = {fault.unit for fault in faults} - {None}
    settings = (channel, version(), pronunciations or {})
    pairs = _paired(said, os.fspath(audio), outcome)
    output = None if output is None else os.fspath(output)
    with Journal(output) as journal:
        tasks = [Task(one, path, journal.lines.get(one.id or "")) for one, path in pairs]
        steps = steps or Steps()
        steps.total = len(tasks)
        done: dict[int, Done] = {}
        for number, result in _worked(tasks, jobs, settings):
            done[number] = result
            steps.position += 1
            if result.line is not None and not result.reused:
                journal.add(result.line)
        for number in range(len(tasks)):
            result = done[number]
            if result.line is not None:
                outcome.lines.append(result.line)
                outcome.reused += result.reused
            elif result.problem is not None:
                told = result.problem.code == "no-words" and result.problem.unit in unreadable
                outcome.problems += [] if told else [result.problem]
        if outcome.lines:  # else what went wrong is not worth the file that is there
            lost = len(journal.lines.keys() - {task.said.id for task in tasks})
            if lost:
                outcome.notes.append(f"{number_of(lost, 'utterance')} left out of {output}: not among these texts")
            journal.finish(outcome.lines)
    return outcome


def _said(texts: Treebank | Utterances | Sequence[Said]) -> tuple[Sequence[Said], Sequence[Problem]]:
    """What is said, and what was wrong with the file."""
    from ..trees import Treebank
    from ..words.utterance import Utterances

    if isinstance(texts, Treebank):
        return said_of_trees(texts), texts.problems
    return (said_of_transcripts(texts), texts.problems) if isinstance(texts, Utterances) else (texts, ())


def _paired(texts: Sequence[Said], audio: str, outcome: Outcome) -> list[tuple[Said, str]]:
    """Each text with its recording, by name or, where there are no names, by position."""
    paths = audio_files(audio)
    if not texts:
        raise InputError(Problem("empty", "there is nothing to align in it"))
    if all(said.id is None for said in texts):
        if len(texts) != len(paths):
            message = (
                f"{number_of(len(texts), 'text')} without names and {number_of(len(paths), 'recording')}; "
                "give each tree the name of its recording (NAME, a tab, the tree)"
            )
            raise UsageError(message)
        names = [_inside(path, audio) for path in paths]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise UsageError(f"two recordings have the name {twice}; take one of them away")
        outcome.notes.append(f"the texts have no names: the first one is taken for {paths[0]}, and so on")
        return [(said.replace(id=name), path) for said, name, path in zip(texts, names, paths, strict=True)]
    by_path: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    for path in paths:
        by_path.setdefault(_inside(path, audio), []).append(path)
        by_stem.setdefault(_stem(path), []).append(path)
    pairs, taken = [], set()
    for said in texts:
        name = said.id or ""
        found = by_path.get(name) or by_stem.get(name, [])
        taken.update(found)
        if len(found) == 1:
            pairs.append((said, found[0]))
        elif found:
            outcome.problems.append(said.problem("audio-twice", f"recordings of the same name: {', '.join(found)}"))
        elif name:
            outcome.problems.append(said.problem("no-audio", f"there is no recording of this name in {audio}"))
        else:
            outcome.problems.append(said.problem("no-audio", "this text has no name, while others have one"))
    if not pairs:
        message = f"no name of a text is that of a recording: {texts[0].id!r} for instance, while there is {paths[0]}"
        raise UsageError(message)
    extra = [path for path in paths if path not in taken]
    if extra:
        outcome.notes.append(f"{number_of(len(extra), 'recording')} without a text, the first of them {extra[0]}")
    return pairs


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def _inside(path: str, folder: str) -> str:
    """The name of a recording with that of the folders that lie between."""
    return _stem(path) if path == folder else os.path.splitext(os.path.relpath(path, folder))[0].replace(os.sep, "/")


class Worker:
    """Does tasks, one after the other."""

    def __init__(self, channel: str | None, made_by: str, pronunciations: Pronunciations) -> None:
        self._channel = channel
        self._made_by = made_by
        self._own = pronunciations
        self._aligner = Aligner(pronunciations)

    def __call__(self, task: Task) -> Done:
        """Whatever goes wrong is a problem with this one recording."""
        said = task.said
        try:
            mark = self._mark(task)
            if task.before is not None and _mark_of(task.before) == mark:
                return Done(task.before, reused=True)
            return Done(self._aligned(task, mark))
        except NotAligned as reason:
            return Done(problem=said.problem(reason.code, str(reason)))
        except InputError as error:
            return Done(problem=said.problem(error.problem.code, f"{error.problem.file}: {error.problem.message}"))
        except OSError as error:
            return Done(problem=said.problem("audio", f"{task.path}: {error.strerror or error}"))
        except Exception as error:  # of the libraries; the work of hours must not end here
            return Done(problem=said.problem("error", visible(f"{task.path}: {type(error).__name__}: {error}")))

    def _aligned(self, task: Task, mark: str) -> str:
        from ..render.word_times import jsonl_line
        from ..words.transcript import Transcript
        from ..words.utterance import Utterance

        sound = read_sound(task.path, channel_number(self._channel))
        placed = self._aligner.align(sound, spoken(task.said.leaves, self._aligner))
        utterance = Utterance(
            Transcript([word for word, _, _ in placed], times=[(begin, end) for _, begin, end in placed]),
            id=task.said.id,
            file=os.path.basename(task.path),
            channel=self._channel,
            begin=0.0,
            end=round(sound.seconds, 6),
        )
        return jsonl_line(utterance, made=mark)

    def _mark(self, task: Task) -> str:
        """The same for the same recording, the same words with the same pronunciations, and the same aligner."""
        from hashlib import blake2b

        digest = blake2b(digest_size=16)
        with open(task.path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        words = [word for known in (_Everything(), ()) for word in spoken(task.said.leaves, known)]
        parts = {part for word in words for reading in word.readings for part in reading}
        parts |= {part.removesuffix("s").removesuffix("'") for part in parts}
        own = sorted((part, self._own[part]) for part in parts if part in self._own)
        facts = (_FORMAT, self._made_by, channel_number(self._channel), [word.text for word in words], own)
        digest.update(repr(facts).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()


class _Everything:
    """A dictionary that has every word."""

    def __contains__(self, _: object) -> bool:
        return True


def _mark_of(line: str) -> str | None:
    from json import loads

    made: str | None = loads(line).get("made")
    return made


Settings = tuple["str | None", str, "Pronunciations"]


def _worked(tasks: Sequence[Task], jobs: int, settings: Settings) -> Iterator[tuple[int, Done]]:
    """The tasks' numbers and what became of them, in any order."""
    if jobs == 1 or len(tasks) < 2:
        worker = Worker(*settings)
        for number, task in enumerate(tasks):
            yield number, worker(task)
        return
    waiting = list(range(len(tasks)))[::-1]
    suspects: list[int] = []  # were at work when a process died, one of them for good reason
    while waiting:
        yield from _pooled(tasks, waiting, suspects, min(jobs, len(waiting)), settings)
    for number in suspects:
        alone = [number]
        died: list[int] = []
        yield from _pooled(tasks, alone, died, 1, settings)
        if died:
            message = f"{tasks[number].path}: the process that aligned it died; is there enough memory?"
            yield number, Done(problem=tasks[number].said.problem("crash", message))


def _pooled(
    tasks: Sequence[Task], waiting: list[int], suspects: list[int], jobs: int, settings: Settings
) -> Iterator[tuple[int, Done]]:
    """Take tasks from the end of `waiting` until none are left or a process dies; then its tasks are `suspects`."""
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    others = active_children()
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_start, initargs=settings)
    running: dict[Future[Done], int] = {}
    try:
        while waiting or running:
            while waiting and len(running) < _AHEAD * jobs:
                number = waiting.pop()
                running[pool.submit(_work, tasks[number])] = number
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running[future], future.result()
                del running[future]
    except BrokenProcessPool:
        suspects += sorted(running.values())
    finally:
        pool.shutdown(wait=not running, cancel_futures=True)
        for process in active_children() if running else []:
            if process not in others:
                process.terminate()


_worker: Callable[[Task], Done] | None = None


def _start(*settings: object) -> None:
    """A process begins: it leaves Ctrl-C to the one that started it, and ends when that one does."""
    global _worker
    import signal
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker = Worker(*settings)  # type: ignore[arg-type]


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(task: Task) -> Done:
    assert _worker is not None
    return _worker(task)
