"""WhisperX's JSON, and that of Whisper itself: segments with words.

>>> text = b'{"segments": [{"start": 0, "end": 1, "words": [{"word": "So", "start": 0.1, "end": 0.4}, {"word": "2"}]}]}'
>>> found = read_whisperx(text, name="a.json")[0]
>>> found.id, found.end, found.transcript.words, found.transcript.times
('a-001', 1.0, ('So', '2'), ((0.1, 0.4), None))
"""

from __future__ import annotations

from ..helpers.files import stem
from ..values.problem import InputError, Problem
from ..words.utterance import Utterances
from .json_words import JsonWords, as_name, load, objects
from .lines import Faults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core

#: Said where WhisperX gave the text of a segment, but found none of its words in the audio.
_UNALIGNED = "some segments could not be aligned; their words have no times"


def read_whisperx(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read segments, each an utterance; or if there are none, all words as one utterance."""
    faults = Faults(name=name, on_error=on_error)
    segments, loose = _parts(load(bytes(data), name=name))
    if segments is None and loose is None:
        message = "this is JSON, but it has no segments and no word_segments, as that of WhisperX"
        raise InputError(Problem("format", message, file=name))
    whole = stem(name)
    made, unaligned = [], False
    if not segments:
        words = JsonWords(faults)
        words.take_all(loose or [], "word_segments", "word", "text")
        made.append(words.utterance(id=whole))
    for number, segment in enumerate(objects(segments or [], "segments", faults), 1):
        words = JsonWords(faults)
        where = f"segment {number}"
        begin, end = (words.limit(segment.get(which), f"{which} of {where}") for which in ("start", "end"))
        text = segment.get("text")
        lost = segment.get("words") == [] and isinstance(text, str) and bool(text.strip())
        unaligned = unaligned or lost
        if lost or segment.get("words") is None:  # it could not be aligned, or no times of words were asked for
            words.take(text, None, None, where)
        else:
            words.take_all(segment["words"], where, "word", "text")
        id = f"{whole}-{number:03}" if whole else f"{number:03}"
        made.append(words.utterance(id=id, speaker=as_name(segment.get("speaker")), begin=begin, end=end))
    return Utterances(
        made, format="whisperx", name=name, problems=faults.problems, notes=[_UNALIGNED] if unaligned else []
    )


def _parts(found: object) -> tuple[object, object]:
    """Segments, and words outside of segments."""
    if isinstance(found, dict):
        return found.get("segments"), found.get("word_segments")
    if isinstance(found, list) and found and isinstance(found[0], dict):
        return (None, found) if "word" in found[0] else (found, None)
    return None, None
