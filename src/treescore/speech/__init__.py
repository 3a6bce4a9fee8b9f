"""From recordings to word times: audio, what was said in it, and when.

Needs `pip install 'treescore[speech]'`; nothing of that is imported before it is used.
"""

from __future__ import annotations

from .audio import Sound, read_sound
from .batch import Outcome, Said, align_audio
from .forced import Aligner, NotAligned
from .spoken import Spoken, spoken

__all__ = ["Aligner", "NotAligned", "Outcome", "Said", "Sound", "Spoken", "align_audio", "read_sound", "spoken"]
