"""Units of times in files.

>>> seconds_of_unit("ms"), seconds_of_unit("samples:16000"), seconds_of_unit("frames:0.02")
(0.001, 6.25e-05, 0.02)
"""

from __future__ import annotations

from ..values.problem import UsageError
from .timeline import LONGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .utterance import Utterance, Utterances

#: Units of times, and their lengths in seconds.
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "100ns": 1e-7}
#: How units are written.
FORMS = "s, ms, us, 100ns, samples:RATE or frames:SECONDS"
#: Whole numbers that last as long as this or longer, in seconds, are hardly seconds.
_SUSPICIOUS = 20


def seconds_of_unit(text: str) -> float:
    """The length of a unit in seconds; a UsageError if it is not a unit."""
    if text in UNITS:
        return UNITS[text]
    kind, mark, size = text.partition(":")
    try:
        value = float(size) if mark and "_" not in size else 0.0
    except ValueError:
        value = 0.0
    if kind == "samples" and 1 <= value <= 1e9:
        return 1 / value
    if kind == "frames" and 1e-9 <= value <= 1e6:
        return value
    raise UsageError(f"the unit of times must be {FORMS}, not {text!r}, such as samples:16000 or frames:0.02")


def in_seconds(utterance: Utterance, unit: float) -> Utterance:
    """The utterance with times in seconds instead of units of so many seconds."""
    from .transcript import Transcript

    def scaled(value: float | None) -> float | None:
        return None if value is None else round(value * unit, 9)

    transcript = utterance.transcript
    times = [time and (round(time[0] * unit, 9), round(time[1] * unit, 9)) for time in transcript.times or ()]
    return utterance.replace(
        transcript=Transcript(transcript.words, times=times),
        begin=scaled(utterance.begin),
        end=scaled(utterance.end),
    )


def suspicious_length(utterances: Utterances) -> float | None:
    """The median length of words, if all times are whole numbers and it is too long for seconds.

    >>> from .transcript import Transcript
    >>> from .utterance import Utterance, Utterances
    >>> suspicious_length(Utterances([Utterance(Transcript(["so"], times=[(100.0, 400.0)]))], format="ctm"))
    300.0
    """
    if any(columns.has_fractions() for columns in utterances.columns()):
        return None
    lengths = []
    for utterance in utterances:
        for time in utterance.transcript.times or ():
            if time is None or not 0 <= time[0] < time[1] < LONGEST:
                continue
            if not (time[0].is_integer() and time[1].is_integer()):
                return None
            lengths.append(time[1] - time[0])
    if not lengths:
        return None
    median = sorted(lengths)[len(lengths) // 2]
    return median if median >= _SUSPICIOUS else None
