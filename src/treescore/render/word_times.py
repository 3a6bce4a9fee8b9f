"""Words and when they were spoken, as JSON lines.

>>> from treescore.words.transcript import Transcript
>>> from treescore.words.utterance import Utterance
>>> jsonl_line(Utterance(Transcript(["so", "uh"], times=[(0.1, 0.35), None]), id="u1", end=0.8))
'{"id": "u1", "end": 0.8, "words": [["so", 0.1, 0.35], ["uh", null, null]]}'
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..words.utterance import Utterance

#: What is written about an utterance where it is known, in this order.
FACTS = ("id", "speaker", "file", "channel", "begin", "end")


def jsonl_line(utterance: Utterance, **more: str) -> str:
    """An utterance as one line of JSON, without a line break; words without times have null. `more` are other facts."""
    from json import dumps

    transcript = utterance.transcript
    times = transcript.times or [None] * len(transcript.words)
    facts = {name: getattr(utterance, name) for name in FACTS if getattr(utterance, name) is not None}
    words = [[word, *(when or (None, None))] for word, when in zip(transcript.words, times, strict=True)]
    return dumps({**facts, **more, "words": words}, ensure_ascii=False)
