"""The JSON of WhisperX and Whisper: segments with words.

>>> text = b'{"segments": [{"start": 0, "end": 1, "words": [{"word": "So", "start": 0.1, "end": 0.4}, {"word": "2"}]}]}'
>>> utterance = read_whisperx(text, name="a.json")[0]
>>> utterance.id, utterance.end, utterance.transcript.words, utterance.transcript.times
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

#: Note on segments with a text whose words WhisperX did not find in the audio.
_UNALIGNED = "some segments could not be aligned; their words have no times"


def read_whisperx(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read segments, each as an utterance; if there are none, read all words as one utterance."""
    faults = Faults(name=name, on_error=on_error)
    segments, loose_words = _parts(load(bytes(data), name=name))
    if segments is None and loose_words is None:
        message = "this is JSON, but it has no segments or word_segments like WhisperX's"
        raise InputError(Problem("format", message, file=name))
    file_id = stem(name)
    utterances, any_unaligned = [], False
    if not segments:
        words = JsonWords(faults)
        words.take_all(loose_words or [], "word_segments", "word", "text")
        utterances.append(words.utterance(id=file_id))
    for number, segment in enumerate(objects(segments or [], "segments", faults), 1):
        words = JsonWords(faults)
        where = f"segment {number}"
        begin, end = (words.limit(segment.get(which), f"{which} of {where}") for which in ("start", "end"))
        text = segment.get("text")
        is_unaligned = segment.get("words") == [] and isinstance(text, str) and bool(text.strip())
        any_unaligned = any_unaligned or is_unaligned
        if is_unaligned or segment.get("words") is None:  # not aligned, or without times of words
            words.take(text, None, None, where)
        else:
            words.take_all(segment["words"], where, "word", "text")
        id = f"{file_id}-{number:03}" if file_id else f"{number:03}"
        utterances.append(words.utterance(id=id, speaker=as_name(segment.get("speaker")), begin=begin, end=end))
    return Utterances(
        utterances, format="whisperx", name=name, problems=faults.problems, notes=[_UNALIGNED] if any_unaligned else []
    )


def _parts(content: object) -> tuple[object, object]:
    """Segments, and words outside of segments."""
    if isinstance(content, dict):
        return content.get("segments"), content.get("word_segments")
    if isinstance(content, list) and content and isinstance(content[0], dict):
        return (None, content) if "word" in content[0] else (content, None)
    return None, None
