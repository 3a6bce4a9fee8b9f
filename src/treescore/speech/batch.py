"""Forced alignment of many recordings: pairing with their texts, parallel work, and resumption."""

from __future__ import annotations

import os

from ..helpers.steps import Steps
from ..helpers.text import number_of, visible
from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value
from .audio import audio_files, channel_number, check, read_sound
from .confidence import LEAST
from .forced import ForcedAligner, NotAligned, version
from .journal import Journal, Line
from .readings import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..readers.pronunciations import Pronunciations
    from ..trees import Treebank
    from ..words.utterance import Utterances
    from .acoustic import AcousticModel

    Leaves = tuple[tuple[str, str | None], ...]

_FORMAT = 3  # version of the marks of finished work
_GUESSED = '"guessed"'  # in lines with guessed pronunciations
_AHEAD = 4  # tasks per process in the queue


class Text(Value):
    """The text of a recording: its id if it has one, leaves with their tags, and its position in the input.

    It is not `whole` if one of its trees could not be read.
    """

    id: str | None
    leaves: Leaves
    file: str | None = None
    line: int | None = None
    unit: int | None = None
    whole: bool = True

    def problem(self, code: str, message: str) -> Problem:
        """A reason for missing times."""
        name = "" if self.id is None else f"{self.id}: "
        return Problem(code, name + message, file=self.file, line=self.line, unit=self.unit, action="not aligned")


class Task(Value):
    """One recording, its text, and its earlier line of word times."""

    text: Text
    path: str
    before: Line | None = None


class Result(Value):
    """The result of a task: a line of word times, perhaps a reused one, or a problem; and a note."""

    line: str | None = None
    reused: bool = False
    problem: Problem | None = None
    note: str | None = None


class Outcome:
    """Lines of word times in the order of the texts, then others; problems, doubts and notes.

    The counts of lines are `aligned` now, `reused` because nothing has changed, `kept` because alignment failed this
    time, and `others`, which belong to no text. `doubts` are utterances with low confidence, which are aligned.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.aligned = self.reused = self.kept = self.others = 0
        self.problems: list[Problem] = []
        self.doubts: list[Problem] = []
        self.notes: list[str] = []

    @property
    def guessed(self) -> dict[str, list[str]]:
        """The words whose pronunciations were guessed, in alphabetical order, with these pronunciations."""
        words: dict[str, dict[str, None]] = {}
        for text in self.lines:
            line = Line.read(text) if _GUESSED in text else None
            for word, variants in line.guessed if line is not None else ():
                words.setdefault(word, {}).update(dict.fromkeys(variants))
        return {word: list(words[word]) for word in sorted(words)}

    def __str__(self) -> str:
        """
        >>> print(Outcome())
        0 aligned, 0 reused, 0 not aligned
        """
        failed = f"{len(self.problems):,} not aligned{_by_reason(self.problems)}"
        kept = f", {self.kept:,} kept from before" if self.kept else ""
        others = f", {number_of(self.others, 'other')} kept" if self.others else ""
        doubtful = f", {len(self.doubts):,} doubtful{_by_reason(self.doubts)}" if self.doubts else ""
        return f"{self.aligned:,} aligned, {self.reused:,} reused, {failed}{kept}{others}{doubtful}"


def _by_reason(problems: Sequence[Problem]) -> str:
    from ..values.problem import by_code

    reasons = ", ".join(f"{number:,} {code}" for code, number in by_code(problems).items())
    return f" ({reasons})" if reasons else ""


def texts_of_trees(bank: Treebank) -> list[Text]:
    """The texts of trees; trees with the same id belong to one recording.

    >>> import treescore
    >>> texts_of_trees(treescore.read("(S (NN a)) (S (NN b))"))[1].leaves
    (('b', 'NN'),)
    """
    faulty = {problem.unit for problem in bank.problems}
    texts = []
    for index in range(len(bank)):
        leaves, unit = tuple(bank[index].pos()), bank.number(index)
        texts.append(
            Text(
                None if bank.ids is None else bank.ids[index] or None,
                leaves,
                file=bank.source.name,
                line=bank.line(index) or None,
                unit=unit,
                whole=bool(leaves) or unit not in faulty,
            )
        )
    return _join_by_id(texts)


def texts_of_transcripts(transcripts: Utterances) -> list[Text]:
    """The texts of transcripts; lines with the same id belong to one recording."""
    return _join_by_id(
        Text(
            utterance.id,
            tuple((word, None) for word in utterance.transcript.words),
            file=transcripts.name,
            line=utterance.line,
        )
        for utterance in transcripts
    )


def _join_by_id(texts: Iterable[Text]) -> list[Text]:
    groups: dict[str | int, list[Text]] = {}
    for number, text in enumerate(texts):
        groups.setdefault(number if text.id is None else text.id, []).append(text)
    return [
        group[0].replace(
            leaves=tuple(leaf for text in group for leaf in text.leaves), whole=all(text.whole for text in group)
        )
        for group in groups.values()
    ]


def align_audio(
    audio: str | os.PathLike[str],
    texts: Treebank | Utterances | Sequence[Text],
    output: str | os.PathLike[str] | None = None,
    *,
    pronunciations: Pronunciations | None = None,
    model: AcousticModel | None = None,
    channel: str | None = None,
    min_confidence: float = LEAST,
    jobs: int = 1,
    prune: bool = False,
    steps: Steps | None = None,
) -> Outcome:
    """Align the words of trees or transcripts with the recordings in a folder; write JSON lines to a file.

    Finished work in that file, or in the journal of an interrupted run, is reused, and kept if a step fails now;
    `prune` removes lines that belong to no text. Utterances with a confidence below `min_confidence` are among the
    doubts of the outcome; with 0, and with a `model` of another language, which needs its pronunciations, confidence is
    not computed. More than one job uses several processes: call this function under `if __name__ == "__main__"`.
    """
    check()
    channel_number(channel)  # otherwise each recording would report the error
    outcome = Outcome()
    spoken_texts, problems = _texts_and_problems(texts)
    outcome.problems += problems
    settings = (channel, version(model), pronunciations or {}, model, min_confidence > 0 and model is None)
    pairs = _paired(spoken_texts, os.fspath(audio), outcome)
    output = None if output is None else os.fspath(output)
    with Journal(output) as journal:
        tasks = {
            number: Task(text, path, journal.lines.get(text.id or ""))
            for number, (text, path) in enumerate(pairs)
            if path is not None and text.whole  # unreadable trees have their problem already
        }
        results = {number: _manual(task) for number, task in tasks.items() if task.before and not task.before.mark}
        steps = steps or Steps()
        steps.total = len(tasks) - len(results)
        waiting = [number for number in tasks if number not in results]
        for index, result in _results([tasks[number] for number in waiting], jobs, settings):
            results[waiting[index]] = result
            steps.position += 1
            if result.line is not None and not result.reused:
                journal.add(result.line)
        outdated = []
        for number, (text, _) in enumerate(pairs):
            before = journal.lines.get(text.id or "")
            if not _record(text, results.get(number), before, outcome) and before is not None:
                outdated.append(f"{text.id}: the earlier times are left out: their words differ")
        outcome.doubts = _doubts([text for text, _ in pairs], outcome.lines, min_confidence)
        if outcome.aligned + outcome.reused:  # otherwise the existing file is left alone
            outcome.notes += outdated
            others = journal.others(text.id for text, _ in pairs)
            if prune and others:
                outcome.notes.append(f"{number_of(len(others), 'utterance')} without a text removed from {output}")
            elif others:
                outcome.others = len(others)
                outcome.lines += [line.text for line in others]
            journal.finish(outcome.lines)
    return outcome


def _doubts(texts: Iterable[Text], lines: Iterable[str], least: float) -> list[Problem]:
    """The utterances whose confidence is below the least one."""
    by_id = {text.id: text for text in texts}
    doubts = []
    for line in map(Line.read, lines):
        doubt = None if line is None or line.mark is None else _doubt(line, least)
        if line is not None and doubt is not None:
            doubts.append(by_id[line.id].problem(*doubt).replace(action="aligned all the same"))
    return doubts


def _doubt(line: Line, least: float) -> tuple[str, str] | None:
    """The code and description of a low confidence."""
    if line.confidence is None or line.confidence.utterance >= least:
        return None
    transcript = line.transcript
    return line.confidence.doubt(transcript.words, transcript.times or ())


def _manual(task: Task) -> Result:
    """The result of a task with manual times, which are never overwritten."""
    assert task.before is not None
    if _same_words(task.text, task.before):
        return Result(task.before.text, reused=True)
    message = "the output has times from another program for it, with other words; correct that line, or remove it"
    return Result(problem=task.text.problem("other-words", message))


def _record(text: Text, result: Result | None, before: Line | None, outcome: Outcome) -> bool:
    """Add the result of a text, or its earlier line, to the outcome; False if there is neither."""
    result = result or Result()
    if result.note is not None:
        outcome.notes.append(result.note)
    if result.line is not None:
        outcome.lines.append(result.line)
        outcome.reused += result.reused
        outcome.aligned += not result.reused
        return True
    if result.problem is not None:
        outcome.problems.append(result.problem)
    if before is None or (text.whole and before.mark and not _same_words(text, before)):
        return False
    outcome.lines.append(before.text)
    outcome.kept += 1
    return True


def _same_words(text: Text, line: Line) -> bool:
    """Are the texts equal, apart from their tokenisation?"""
    return _letters(word.text for word in spoken(text.leaves, ())) == _letters(line.words)


def _letters(words: Iterable[str]) -> str:
    from unicodedata import category

    from ..words.normal import Normal

    return "".join(letter for word in words for letter in Normal().word(word) if category(letter)[0] not in "PZ")


def _texts_and_problems(
    texts: Treebank | Utterances | Sequence[Text],
) -> tuple[Sequence[Text], Sequence[Problem]]:
    from ..trees import Treebank
    from ..words.utterance import Utterances

    if isinstance(texts, Treebank):
        return texts_of_trees(texts), texts.problems
    return (texts_of_transcripts(texts), texts.problems) if isinstance(texts, Utterances) else (texts, ())


def _paired(texts: Sequence[Text], audio: str, outcome: Outcome) -> list[tuple[Text, str | None]]:
    """Each text with its recording, if there is one: by id, or by position if no text has an id."""
    paths, irregular = audio_files(audio)
    if not texts:
        raise InputError(Problem("empty", "there is nothing to align in it"))
    if all(text.id is None for text in texts):
        return _paired_by_position(texts, paths, audio, outcome)
    by_path: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    for path in paths:
        by_path.setdefault(_relative_name(path, audio), []).append(path)
        by_stem.setdefault(_stem(path), []).append(path)
    pairs: list[tuple[Text, str | None]] = []
    taken: set[str] = set()
    not_files = {name: path for path in irregular for name in (_stem(path), _relative_name(path, audio))}
    for text in texts:
        name = text.id or ""
        matches = by_path.get(name) or by_stem.get(name, [])
        taken.update(matches)
        pairs.append((text, matches[0] if len(matches) == 1 else None))
        if len(matches) == 1 or not text.whole:
            continue
        code, message = "no-audio", "this text has no name, while others have one"
        if matches:
            code, message = "audio-twice", f"recordings with the same name: {', '.join(matches)}"
        elif name in not_files:
            message = f"{not_files[name]} is not a file, but a pipe, a device, or a broken link"
        elif name:
            message = f"there is no recording of this name in {audio}"
        outcome.problems.append(text.problem(code, message))
    if not taken:
        message = f"no text has the name of a recording: for example, {texts[0].id!r} is a text, {paths[0]} a recording"
        raise UsageError(message)
    extra = [path for path in paths if path not in taken]
    if extra:
        outcome.notes.append(f"{number_of(len(extra), 'recording')} without a text, first: {extra[0]}")
    return pairs


def recordings_of(trees: Treebank, audio: str) -> tuple[list[str | None], list[str]]:
    """The recording of each tree in a folder, paired as for alignment, or None; and notes on the pairing."""
    outcome = Outcome()
    pairs = _paired(texts_of_trees(trees), audio, outcome)
    if trees.ids is None:
        return [path for _, path in pairs], outcome.notes
    paths = {text.id: path for text, path in pairs}
    return [paths.get(name or None) for name in trees.ids], outcome.notes


def _paired_by_position(
    texts: Sequence[Text], paths: Sequence[str], audio: str, outcome: Outcome
) -> list[tuple[Text, str | None]]:
    if len(texts) != len(paths):
        message = (
            f"{number_of(len(texts), 'text')} without names and {number_of(len(paths), 'recording')}; "
            "give each tree the name of its recording (NAME, a tab, the tree)"
        )
        raise UsageError(message)
    names = [_relative_name(path, audio) for path in paths]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two recordings have the name {twice}; remove one of them")
    outcome.notes.append(f"the texts have no names: they are paired by position, the first one with {paths[0]}")
    return [(text.replace(id=name), path) for text, name, path in zip(texts, names, paths, strict=True)]


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def _relative_name(path: str, folder: str) -> str:
    """The name of a recording with its subfolders."""
    return _stem(path) if path == folder else os.path.splitext(os.path.relpath(path, folder))[0].replace(os.sep, "/")


class Worker:
    """Aligns one recording at a time."""

    def __init__(
        self,
        channel: str | None,
        aligner: str,
        pronunciations: Pronunciations,
        model: AcousticModel | None,
        confidence: bool = False,
    ) -> None:
        self._channel = channel
        self._aligner_version = aligner
        self._own = pronunciations
        self._english = model is None
        self._confidence = confidence
        self._aligner = ForcedAligner(pronunciations, model=model, confidence=confidence)

    def __call__(self, task: Task) -> Result:
        """Align a recording; every error becomes a problem of this recording."""
        text = task.text
        try:
            mark = self._mark(task)
            if task.before is not None and task.before.mark == mark:
                return Result(task.before.text, reused=True)
            return self._align(task, mark)
        except NotAligned as reason:
            return Result(problem=text.problem(reason.code, str(reason)))
        except InputError as error:
            return Result(problem=text.problem(error.problem.code, f"{error.problem.file}: {error.problem.message}"))
        except OSError as error:
            return Result(problem=text.problem("audio", f"{task.path}: {error.strerror or error}"))
        except Exception as error:  # of the libraries, which must not end the work of hours
            return Result(problem=text.problem("error", visible(f"{task.path}: {type(error).__name__}: {error}")))

    def _align(self, task: Task, mark: str) -> Result:
        from ..render.word_times import jsonl_line
        from ..words.transcript import Transcript
        from ..words.utterance import Utterance

        sound = read_sound(task.path, channel_number(self._channel))
        truncated = f"it has {sound.part:.0%} of the length in its header" if sound.part < 1 else None
        try:
            words = spoken(task.text.leaves, self._aligner, english=self._english)
            placed = self._aligner.align(sound, words)
        except NotAligned as reason:
            hints = [truncated] if truncated else []
            if reason.code == "lost" and sound.channels > 1 and channel_number(self._channel) is None:
                hints.append(f"{sound.channels} channels are mixed, --channel chooses one")
            raise NotAligned(reason.code, f"{reason} ({'; '.join(hints)})" if hints else str(reason)) from None
        utterance = Utterance(
            Transcript([word for word, _, _ in placed], times=[(begin, end) for _, begin, end in placed]),
            id=task.text.id,
            file=os.path.basename(task.path),
            channel=self._channel,
            begin=0.0,
            end=round(sound.seconds, 6),
        )
        note = None if truncated is None else f"{task.text.id}: {task.path} is truncated: {truncated}"
        guessed = {word: [" ".join(phones) for phones in variants] for word, variants in self._aligner.guessed.items()}
        more: dict[str, object] = {"guessed": guessed} if guessed else {}
        if self._aligner.confidence is not None:
            more["confidence"] = self._aligner.confidence.values()
        return Result(jsonl_line(utterance, made=mark, **more), note=note)

    def _mark(self, task: Task) -> str:
        """A hash of the recording, the words, their pronunciations, and the version of the aligner."""
        from hashlib import blake2b

        digest = blake2b(digest_size=16)
        with open(task.path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        words = [word for known in (_AllWords(), ()) for word in spoken(task.text.leaves, known, english=self._english)]
        parts = {part for word in words for reading in (*word.readings, *word.others) for part in reading}
        parts |= {part.removesuffix("s").removesuffix("'") for part in parts}
        own = sorted((part, self._own[part]) for part in parts if part in self._own)
        texts = [(word.text, word.others) if word.others else word.text for word in words]
        facts = (_FORMAT, self._aligner_version, channel_number(self._channel), texts, own, self._confidence)
        digest.update(repr(facts).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()


class _AllWords:
    """A dictionary with all words."""

    def __contains__(self, _: object) -> bool:
        return True


Settings = tuple["str | None", str, "Pronunciations", "AcousticModel | None", bool]


def _results(tasks: Sequence[Task], jobs: int, settings: Settings) -> Iterator[tuple[int, Result]]:
    """The results of tasks with their indices, in any order."""
    if jobs == 1 or len(tasks) < 2:
        worker = Worker(*settings)
        for number, task in enumerate(tasks):
            yield number, worker(task)
        return
    waiting = list(range(len(tasks)))[::-1]
    suspects: list[int] = []  # tasks that were running when a process died
    while waiting:
        yield from _pooled(tasks, waiting, suspects, min(jobs, len(waiting)), settings)
    for number in suspects:
        crashed: list[int] = []
        yield from _pooled(tasks, [number], crashed, 1, settings)
        if crashed:
            message = f"{tasks[number].path}: the process that aligned it died; is there enough memory?"
            yield number, Result(problem=tasks[number].text.problem("crash", message))


def _pooled(
    tasks: Sequence[Task], waiting: list[int], suspects: list[int], jobs: int, settings: Settings
) -> Iterator[tuple[int, Result]]:
    """Run tasks from the end of `waiting` until a process dies; the tasks running then are added to `suspects`."""
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    others = active_children()
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_start, initargs=settings)
    running: dict[Future[Result], int] = {}
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


_worker: Callable[[Task], Result] | None = None


def _start(*settings: object) -> None:
    """Initialise a process: it ignores Ctrl-C, which the parent handles, and ends with its parent."""
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


def _work(task: Task) -> Result:
    assert _worker is not None
    return _worker(task)
