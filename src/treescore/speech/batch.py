"""Many recordings and what was said in them: which belong together, all cores at work, and no work done twice."""

from __future__ import annotations

import os

from ..helpers.steps import Steps
from ..helpers.text import number_of, visible
from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value
from .audio import audio_files, channel_number, read_sound
from .extra import check
from .forced import ForcedAligner, NotAligned, version
from .journal import Journal
from .readings import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..readers.pronunciations import Pronunciations
    from ..trees import Treebank
    from ..words.utterance import Utterances
    from .journal import Line

    Leaves = tuple[tuple[str, str | None], ...]

_FORMAT = 1  # of the mark by which finished work is known again
_AHEAD = 4  # tasks per process that wait in its queue


class Said(Value):
    """What was said in a recording: its name if it has one, leaves with their tags, and where the text stands.

    It is not `whole` if a tree of it could not be read.
    """

    id: str | None
    leaves: Leaves
    file: str | None = None
    line: int | None = None
    unit: int | None = None
    whole: bool = True

    def problem(self, code: str, message: str) -> Problem:
        """A reason for which it has no times."""
        name = "" if self.id is None else f"{self.id}: "
        return Problem(code, name + message, file=self.file, line=self.line, unit=self.unit, action="not aligned")


class Task(Value):
    """One recording, what was said in it, and the line about it that is there already."""

    said: Said
    path: str
    before: Line | None = None


class Done(Value):
    """What became of a task: a line of word times, perhaps an old one, or a problem; and what should be said."""

    line: str | None = None
    reused: bool = False
    problem: Problem | None = None
    note: str | None = None


class Outcome:
    """Lines of word times in the order of the texts, then others; what failed, and what should be said.

    Lines are `aligned` now, `reused` since nothing has changed, `kept` since nothing better came out this time, or
    `others`, which are not about these texts.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.aligned = self.reused = self.kept = self.others = 0
        self.problems: list[Problem] = []
        self.notes: list[str] = []

    def __str__(self) -> str:
        """
        >>> print(Outcome())
        0 aligned, 0 reused, 0 not aligned
        """
        from ..values.problem import by_code

        reasons = ", ".join(f"{number:,} {code}" for code, number in by_code(self.problems).items())
        failed = f"{len(self.problems):,} not aligned" + (f" ({reasons})" if reasons else "")
        kept = f", {self.kept:,} kept from before" if self.kept else ""
        others = f", {number_of(self.others, 'other')} kept" if self.others else ""
        return f"{self.aligned:,} aligned, {self.reused:,} reused, {failed}{kept}{others}"


def said_of_trees(bank: Treebank) -> list[Said]:
    """What the trees say; those of the same name are sentences of one recording.

    >>> import treescore
    >>> said_of_trees(treescore.read("(S (NN a)) (S (NN b))"))[1].leaves
    (('b', 'NN'),)
    """
    faulty = {problem.unit for problem in bank.problems}
    texts = []
    for index in range(len(bank)):
        leaves, unit = tuple(bank[index].pos()), bank.number(index)
        texts.append(
            Said(
                None if bank.ids is None else bank.ids[index] or None,
                leaves,
                file=bank.source.name,
                line=bank.line(index) or None,
                unit=unit,
                whole=bool(leaves) or unit not in faulty,
            )
        )
    return _by_name(texts)


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
    return [same[0] if len(same) == 1 else _joined(same) for same in parts.values()]


def _joined(parts: Sequence[Said]) -> Said:
    leaves = tuple(leaf for said in parts for leaf in said.leaves)
    return parts[0].replace(leaves=leaves, whole=all(said.whole for said in parts))


def align_audio(
    audio: str | os.PathLike[str],
    texts: Treebank | Utterances | Sequence[Said],
    output: str | os.PathLike[str] | None = None,
    *,
    pronunciations: Pronunciations | None = None,
    channel: str | None = None,
    jobs: int = 1,
    prune: bool = False,
    steps: Steps | None = None,
) -> Outcome:
    """Find when the words of trees or transcripts are said in the recordings of a folder; write JSON lines to a file.

    What stands in that file already, or in what an interrupted run has left beside it, is not done again, and stays
    there whatever fails now; `prune` takes away what is not about these texts. With more than one job, processes of
    their own do the work: call it under `if __name__ == "__main__"`.
    """
    check()
    channel_number(channel)  # else each recording would complain
    outcome = Outcome()
    said, faults = _said(texts)
    outcome.problems += faults
    settings = (channel, version(), pronunciations or {})
    pairs = _paired(said, os.fspath(audio), outcome)
    output = None if output is None else os.fspath(output)
    with Journal(output) as journal:
        tasks = {
            number: Task(one, path, journal.lines.get(one.id or ""))
            for number, (one, path) in enumerate(pairs)
            if path is not None and one.whole  # what could not be read has been told
        }
        done = {number: _by_hand(task) for number, task in tasks.items() if task.before and not task.before.made}
        steps = steps or Steps()
        steps.total = len(tasks) - len(done)
        waiting = [number for number in tasks if number not in done]
        for at, result in _worked([tasks[number] for number in waiting], jobs, settings):
            done[waiting[at]] = result
            steps.position += 1
            if result.line is not None and not result.reused:
                journal.add(result.line)
        gone = []
        for number, (one, _) in enumerate(pairs):
            before = journal.lines.get(one.id or "")
            if not _settle(one, done.get(number), before, outcome) and before is not None:
                gone.append(f"{one.id}: the times from before are left out, for they are of other words")
        if outcome.aligned + outcome.reused:  # else what went wrong is not worth the file that is there
            outcome.notes += gone
            others = journal.others(one.id for one, _ in pairs)
            if prune and others:
                outcome.notes.append(
                    f"{number_of(len(others), 'utterance')} taken out of {output}: not among these texts"
                )
            elif others:
                outcome.others = len(others)
                outcome.lines += [line.text for line in others]
            journal.finish(outcome.lines)
    return outcome


def _by_hand(task: Task) -> Done:
    """Times that no run has made are not made again, and never overwritten."""
    assert task.before is not None
    if _same_words(task.said, task.before):
        return Done(task.before.text, reused=True)
    message = "the output has times for it, of other words, from another program; correct that line, or remove it"
    return Done(problem=task.said.problem("other-words", message))


def _settle(said: Said, done: Done | None, before: Line | None, outcome: Outcome) -> bool:
    """Find what stands in the file about a text: what has become of it now, or what was there before; is there any?"""
    if done is not None and done.note is not None:
        outcome.notes.append(done.note)
    if done is not None and done.line is not None:
        outcome.lines.append(done.line)
        outcome.reused += done.reused
        outcome.aligned += not done.reused
        return True
    if done is not None and done.problem is not None:
        outcome.problems.append(done.problem)
    if before is None or (said.whole and before.made and not _same_words(said, before)):
        return False
    outcome.lines.append(before.text)
    outcome.kept += 1
    return True


def _same_words(said: Said, line: Line) -> bool:
    """Is it the same text, however it is divided into words?"""
    return _letters(word.text for word in spoken(said.leaves, ())) == _letters(line.words)


def _letters(words: Iterable[str]) -> str:
    from unicodedata import category

    from ..words.normal import Normal

    return "".join(letter for word in words for letter in Normal().word(word) if category(letter)[0] not in "PZ")


def _said(texts: Treebank | Utterances | Sequence[Said]) -> tuple[Sequence[Said], Sequence[Problem]]:
    """What is said, and what was wrong with the file."""
    from ..trees import Treebank
    from ..words.utterance import Utterances

    if isinstance(texts, Treebank):
        return said_of_trees(texts), texts.problems
    return (said_of_transcripts(texts), texts.problems) if isinstance(texts, Utterances) else (texts, ())


def _paired(texts: Sequence[Said], audio: str, outcome: Outcome) -> list[tuple[Said, str | None]]:
    """Each text with its recording, if there is one; by name or, where there are no names, by position."""
    paths, passed = audio_files(audio)
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
    pairs: list[tuple[Said, str | None]] = []
    taken: set[str] = set()
    no_files = {name: path for path in passed for name in (_stem(path), _inside(path, audio))}
    for said in texts:
        name = said.id or ""
        found = by_path.get(name) or by_stem.get(name, [])
        taken.update(found)
        pairs.append((said, found[0] if len(found) == 1 else None))
        if len(found) == 1 or not said.whole:
            continue
        if found:
            outcome.problems.append(said.problem("audio-twice", f"recordings of the same name: {', '.join(found)}"))
        elif name in no_files:
            message = f"{no_files[name]} is not a file, but a pipe, a device, or a link to nothing"
            outcome.problems.append(said.problem("no-audio", message))
        elif name:
            outcome.problems.append(said.problem("no-audio", f"there is no recording of this name in {audio}"))
        else:
            outcome.problems.append(said.problem("no-audio", "this text has no name, while others have one"))
    if not taken:
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
        self._aligner = ForcedAligner(pronunciations)

    def __call__(self, task: Task) -> Done:
        """Whatever goes wrong is a problem with this one recording."""
        said = task.said
        try:
            mark = self._mark(task)
            if task.before is not None and task.before.made == mark:
                return Done(task.before.text, reused=True)
            return self._aligned(task, mark)
        except NotAligned as reason:
            return Done(problem=said.problem(reason.code, str(reason)))
        except InputError as error:
            return Done(problem=said.problem(error.problem.code, f"{error.problem.file}: {error.problem.message}"))
        except OSError as error:
            return Done(problem=said.problem("audio", f"{task.path}: {error.strerror or error}"))
        except Exception as error:  # of the libraries; the work of hours must not end here
            return Done(problem=said.problem("error", visible(f"{task.path}: {type(error).__name__}: {error}")))

    def _aligned(self, task: Task, mark: str) -> Done:
        from ..render.word_times import jsonl_line
        from ..words.transcript import Transcript
        from ..words.utterance import Utterance

        sound = read_sound(task.path, channel_number(self._channel))
        cut = f"{sound.part:.0%} of it is there, by its header" if sound.part < 1 else None
        try:
            placed = self._aligner.align(sound, spoken(task.said.leaves, self._aligner))
        except NotAligned as reason:
            hints = [cut] if cut else []
            if reason.code == "lost" and sound.channels > 1 and channel_number(self._channel) is None:
                hints.append(f"{sound.channels} channels are mixed, --channel names one")
            raise NotAligned(reason.code, f"{reason} ({'; '.join(hints)})" if hints else str(reason)) from None
        utterance = Utterance(
            Transcript([word for word, _, _ in placed], times=[(begin, end) for _, begin, end in placed]),
            id=task.said.id,
            file=os.path.basename(task.path),
            channel=self._channel,
            begin=0.0,
            end=round(sound.seconds, 6),
        )
        note = None if cut is None else f"{task.said.id}: {task.path} is cut off: {cut}"
        return Done(jsonl_line(utterance, made=mark), note=note)

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
        texts = [(word.text, word.spelt) if word.spelt else word.text for word in words]
        facts = (_FORMAT, self._made_by, channel_number(self._channel), texts, own)
        digest.update(repr(facts).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()


class _Everything:
    """A dictionary that has every word."""

    def __contains__(self, _: object) -> bool:
        return True


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
