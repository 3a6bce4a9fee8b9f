"""Correction of word times, so that they increase and have positive lengths.

>>> from treescore.words.transcript import Transcript
>>> utterance = Utterance(Transcript(["so", "uh", "no"], times=[(0.0, 0.5), (0.4, 0.9), (0.3, 0.6)]), id="u1")
>>> corrected, problems = sound(utterance)
>>> corrected.transcript.times
((0.0, 0.4), (0.4, 0.9), None)
>>> for problem in problems:
...     print(problem)
word 2 of u1, uh, begins at 0.4, before the word before it ends at 0.5 (that one ends there)
word 3 of u1, no, begins at 0.3, not after the word before it at 0.4 (word kept without a time)
"""

from __future__ import annotations

from .. import _core
from ..helpers.text import visible
from ..values.problem import Problem
from .transcript import Transcript
from .utterance import Utterance, Utterances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .transcript import Times
    from .utterance import InColumns

#: All times are below this many seconds: 31 years.
LONGEST = 1e9
#: The action for a word with an unusable time.
NO_TIME = "word kept without a time"
#: Faults of the begin and end of an utterance.
_LIMITS = (_core.TimeFaultKind.BEGIN, _core.TimeFaultKind.END, _core.TimeFaultKind.REVERSED)

#: Lower-case marks for silence, noise and the like in the place of words.
MARKS = frozenset(
    f"{left}{name}{right}"
    for name in ("silence", "sil", "pause", "noise", "vocalized-noise", "laughter", "breath", "cough", "lipsmack")
    for left, right in ("[]", "<>")
) | {"", "<eps>", "<s>", "</s>", "<p>", "<p:>", "(null)", "!sil", "!enter", "!exit", "<b_aside>", "<e_aside>"}
#: Marks in the tiers of aligners.
TIER_MARKS = MARKS | {"sp", "sil", "spn", "{sl}", "{ns}", "{lg}", "{br}", "{cg}", "{ls}"}


def sound(utterance: Utterance, *, file: str | None = None) -> tuple[Utterance, list[Problem]]:
    """The utterance with corrected times, and the problems; `file` is its source.

    In the order of the words: a time that is infinite, negative, reversed, of length 0 or longer than any recording is
    removed; so is the time of a word that does not begin after the previous timed word; and if words overlap, the
    earlier one ends where the later one begins.
    """
    words, lines = utterance.transcript.words, utterance.lines
    original = utterance.transcript.times or ()
    corrected, begin, end, faults = _core.correct_times(original, utterance.begin, utterance.end)
    problems: list[Problem] = []
    for kind, _, index, first, second in faults:
        line = utterance.line if lines is None or kind in _LIMITS else lines[index]
        word = words[index] if words else ""
        problems.append(_problem(kind, utterance.id, (index, word), (first, second), file=file, line=line))
    if (begin, end) != (utterance.begin, utterance.end):
        utterance = utterance.replace(begin=begin, end=end)
    if tuple(corrected) != original:  # avoids copies of correct utterances
        times = [old if new == old else new for old, new in zip(original, corrected, strict=True)]
        utterance = utterance.replace(transcript=utterance.transcript.replace(times=times))
    return utterance, problems


def all_sound(utterances: Utterances, *, file: str | None = None) -> tuple[list[Utterance | InColumns], list[Problem]]:
    """All utterances with corrected times, those in native columns in place; and the problems in their order."""
    in_columns: dict[tuple[int, int], list[Problem]] = {}
    for columns in utterances.columns():
        for kind, number, index, first, second in columns.correct():
            word, line = ("", 0) if kind in _LIMITS else columns.word(number, index)
            problem = _problem(
                kind,
                columns.names(number)[0],
                (index, word),
                (first, second),
                file=file,
                line=line or columns.line(number) or None,
            )
            in_columns.setdefault((id(columns), number), []).append(problem)
    items: list[Utterance | InColumns] = []
    problems: list[Problem] = []
    for item in utterances.in_columns():
        if isinstance(item, tuple):
            if in_columns:
                problems += in_columns.get((id(item[0]), item[1]), ())
        else:
            item, found = sound(item, file=file)
            problems += found
        items.append(item)
    return items, problems


def _problem(
    kind: int,
    id: str | None,
    word: tuple[int, str],
    times: tuple[float, float],
    *,
    file: str | None,
    line: int | None,
) -> Problem:
    """The problem for a fault of a time: of a word, given by its number and text, or of an utterance."""
    first, second = times
    if kind in _LIMITS:
        whose = f"the utterance {visible(id)}" if id is not None else "the utterance"
        if kind == _core.TimeFaultKind.REVERSED:
            message, what = f"last from {first:.9g} to {second:.9g}", "begin and end are"
        elif kind == _core.TimeFaultKind.BEGIN:
            message, what = f"begin at {first:.9g}", "begin is"
        else:
            message, what = f"end at {first:.9g}", "end is"
        return Problem("time", f"{whose} cannot {message} seconds", file=file, line=line, action=f"its {what} left out")
    of_utterance = f" of {visible(id)}" if id is not None else ""
    whose = f"word {word[0] + 1}{of_utterance}, {visible(word[1])},"
    if kind == _core.TimeFaultKind.ODD:
        return Problem("time", f"{whose} {_odd(first, second)}", file=file, line=line, action=NO_TIME)
    if kind == _core.TimeFaultKind.ORDER:
        message = f"{whose} begins at {first:.9g}, not after the word before it at {second:.9g}"
        return Problem("order", message, file=file, line=line, action=NO_TIME)
    message = f"{whose} begins at {first:.9g}, before the word before it ends at {second:.9g}"
    return Problem("overlap", message, file=file, line=line, action="that one ends there")


def _odd(start: float, end: float) -> str:
    """The fault of a time."""
    span = f"({start:.9g} to {end:.9g})"
    if start != start or end != end or max(abs(start), abs(end)) >= LONGEST:
        return f"has a time that is no number of seconds below {LONGEST:,.0f} {span}"
    if start < 0:
        return f"begins before the recording {span}"
    return f"has no length {span}" if start == end else f"ends before it begins {span}"


def usable(times: Iterable[Times]) -> list[Times]:
    """The times without those that `sound` removes, so that these do not affect the order of words.

    >>> usable([(1.0, 2.0), (-3.0, 0.5), (2.0, 2.0), None])
    [(1.0, 2.0), None, None, None]
    """
    return [time if time is not None and 0 <= time[0] < time[1] < LONGEST else None for time in times]


def chronological(times: Sequence[Times]) -> list[int] | None:
    """The order of the words by their begins; None if they are in order. A word without a time follows its predecessor.

    >>> chronological([(1, 2), None, (0, 1)]), chronological([(0, 1), (0, 2)])
    ([2, 0, 1], None)
    """
    last, keys = float("-inf"), []
    for time in times:
        if time is not None and time[0] == time[0]:  # not NaN
            last = time[0]
        keys.append(last)
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return None if order == list(range(len(keys))) else order


def with_shared_times(utterance: Utterance) -> Utterance:
    """The utterance; if it has times only as a whole, its words share its time by their characters."""
    begin, end, transcript = utterance.begin, utterance.end, utterance.transcript
    if begin is None or end is None or not begin < end or any(time is not None for time in transcript.times or ()):
        return utterance
    return utterance.replace(transcript=Transcript(transcript.words, times=shared(transcript.words, begin, end)))


def without_whole_times(utterances: Utterances) -> Utterances:
    """The utterances; without begin and end if no word has a time, so that no times of words are made from them."""
    kept = [
        utterance if any(utterance.transcript.times or ()) else utterance.replace(begin=None, end=None)
        for utterance in utterances
    ]
    return Utterances(
        kept,
        format=utterances.format,
        name=utterances.name,
        problems=utterances.problems,
        notes=utterances.notes,
        is_sound=utterances.is_sound,
        paths=utterances.paths,
    )


def shared(words: Sequence[str], start: float, end: float) -> list[Times]:
    """The common time of several words, divided by their numbers of characters.

    >>> shared(["to", "speak"], 1.0, 1.7)
    [(1.0, 1.2), (1.2, 1.7)]
    """
    return list(_core.share_by_characters([len(word) for word in words], start, end))
