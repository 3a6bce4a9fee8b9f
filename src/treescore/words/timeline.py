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

from ..helpers.text import visible
from ..values.problem import Problem
from .interpolation import ROUNDING
from .transcript import Transcript
from .utterance import Utterance, Utterances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .transcript import Times

#: All times are below this many seconds: 31 years.
LONGEST = 1e9
#: Overlaps up to this number of seconds are closed without a problem; services round times down and up.
_TOLERANCE = 2e-6
#: The action for a word with an unusable time.
NO_TIME = "word kept without a time"

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
    problems: list[Problem] = []

    def fault(code: str, index: int, message: str, action: str = NO_TIME) -> None:
        line = utterance.lines[index] if utterance.lines is not None else utterance.line
        of_utterance = f" of {visible(utterance.id)}" if utterance.id is not None else ""
        message = f"word {index + 1}{of_utterance}, {visible(utterance.transcript.words[index])}, {message}"
        problems.append(Problem(code, message, file=file, line=line, action=action))

    original = utterance.transcript.times or ()
    times = list(original)
    last, last_start, last_end = -1, -1.0, 0.0
    for index, time in enumerate(original):
        if time is None:
            continue
        start, end = time
        if not 0 <= start < end < LONGEST:
            times[index] = None
            fault("time", index, _odd(start, end))
            continue
        if start < last_end:
            if start <= last_start:
                times[index] = None
                fault("order", index, f"begins at {start:.9g}, not after the word before it at {last_start:.9g}")
                continue
            times[last] = last_start, start
            if round(last_end - start, 9) > _TOLERANCE:
                message = f"begins at {start:.9g}, before the word before it ends at {last_end:.9g}"
                fault("overlap", index, message, "that one ends there")
        last, last_start, last_end = index, start, end
    limits = _limits(utterance, file, problems)
    if limits != (utterance.begin, utterance.end):
        utterance = utterance.replace(begin=limits[0], end=limits[1])
    if tuple(times) != original:  # avoids copies of correct utterances
        utterance = utterance.replace(transcript=Transcript(utterance.transcript.words, times=times))
    return utterance, problems


def _odd(start: float, end: float) -> str:
    """The fault of a time."""
    span = f"({start:.9g} to {end:.9g})"
    if start != start or end != end or max(abs(start), abs(end)) >= LONGEST:
        return f"has a time that is no number of seconds below {LONGEST:,.0f} {span}"
    if start < 0:
        return f"begins before the recording {span}"
    return f"has no length {span}" if start == end else f"ends before it begins {span}"


def _limits(utterance: Utterance, file: str | None, problems: list[Problem]) -> tuple[float | None, float | None]:
    """The usable begin and end of the utterance; neither if the end is before the begin."""

    def fault(message: str, what: str) -> None:
        whose = f"the utterance {visible(utterance.id)}" if utterance.id is not None else "the utterance"
        message, action = f"{whose} cannot {message} seconds", f"its {what} left out"
        problems.append(Problem("time", message, file=file, line=utterance.line, action=action))

    begin, end = utterance.begin, utterance.end
    if begin is not None and not 0 <= begin < LONGEST:
        fault(f"begin at {begin:.9g}", "begin is")
        begin = None
    if end is not None and not 0 <= end < LONGEST:
        fault(f"end at {end:.9g}", "end is")
        end = None
    if begin is not None and end is not None and begin > end:
        fault(f"last from {begin:.9g} to {end:.9g}", "begin and end are")
        return None, None
    return begin, end


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
    total = sum(map(len, words))
    if not start < end or not total:
        return [(start, end)] * len(words)
    times: list[Times] = []
    characters, before = 0, start
    for word in words[:-1]:
        characters += len(word)
        after = start + (end - start) * characters / total
        if end - start > ROUNDING:
            after = round(after, 9)
        times.append((before, after))
        before = after
    return [*times, (before, end)]
