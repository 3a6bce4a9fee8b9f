"""Speech: forced alignment of recordings, trees with word times, and perturbed word boundaries.

Recordings need `pip install 'treescore[speech]'`, in a clone of the project `pip install '.[speech]'`; its libraries
are imported when they are first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .acoustic import read_acoustic_model
    from .audio import Sound, read_sound
    from .batch import align_audio
    from .forced import ForcedAligner, NotAligned
    from .readings import Spoken, spoken

__all__ = [
    "ForcedAligner",
    "NotAligned",
    "Sound",
    "Spoken",
    "align_audio",
    "read_acoustic_model",
    "read_sound",
    "spoken",
]

_HOMES = {
    "ForcedAligner": "forced",
    "NotAligned": "forced",
    "Sound": "audio",
    "Spoken": "readings",
    "align_audio": "batch",
    "read_acoustic_model": "acoustic",
    "read_sound": "audio",
    "spoken": "readings",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'treescore.speech' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
