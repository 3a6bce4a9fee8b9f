"""Speech: recordings and when words are said in them, trees over time, and what can be done to them.

Recordings need `pip install 'treescore[speech]'`; nothing of that is imported before it is used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .audio import Sound, read_sound
    from .batch import align_audio
    from .forced import Aligner, NotAligned

__all__ = ["Aligner", "NotAligned", "Sound", "align_audio", "read_sound"]

_HOMES = {
    "Aligner": "forced",
    "NotAligned": "forced",
    "Sound": "audio",
    "align_audio": "batch",
    "read_sound": "audio",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'treescore.speech' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
