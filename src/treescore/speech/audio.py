"""Recordings of any rate, width and number of channels as the aligner wants them: 16 kHz, mono, 16 bits."""

from __future__ import annotations

import os

from ..problem import InputError, Problem, UsageError
from ..values import Value
from .extra import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

RATE = 16_000
#: Endings of the files that are looked for in folders.
ENDINGS = (".wav", ".flac", ".ogg", ".aiff", ".aif", ".au", ".sph")

_BLOCK = 1 << 18  # frames read at a time
_SILENCE = RATE // 20  # so many exact zeros in a row are no recording, but what a program wrote
_NOISE = 16  # of 32,768 steps: of six sentences of one synthesiser all were aligned with it, two without
_SEED = 1


class Sound(Value):
    """Samples of 16 bits, in the machine's byte order, 16,000 in a second; and how long the recording is in seconds."""

    samples: bytes
    seconds: float

    __slots__ = ("samples", "seconds")

    def __init__(self, samples: bytes, seconds: float) -> None:
        self._store(samples=samples, seconds=seconds)


def channel_number(name: str | None) -> int | None:
    """Which channel a name means, from 0; None for all of them mixed.

    >>> channel_number("A"), channel_number("2"), channel_number("mix"), channel_number(None)
    (0, 1, None, None)
    """
    if name is None or name == "mix":
        return None
    if len(name) == 1 and "A" <= name.upper() <= "Z":
        return ord(name.upper()) - ord("A")
    if name.isascii() and name.isdigit() and len(name) < 5 and int(name) > 0:
        return int(name) - 1
    raise UsageError(f"{name!r} is not a channel; say A, B, … or 1, 2, …, or mix for all of them together")


def read_sound(path: str, channel: int | None = None) -> Sound:
    """The recording in a file: one channel of it, from 0, or the mean of all. Raises InputError."""
    numpy, soundfile = library("numpy"), library("soundfile")
    try:
        with open(path, "rb") as file, soundfile.SoundFile(file) as recording:
            if channel is not None and channel >= recording.channels:
                message = f"there is no channel {channel + 1}: this recording has {recording.channels}"
                raise _unusable(path, "channel", message)
            parts, frames = [], 0
            for part, read in _resampled(_mono(recording, channel), recording.samplerate):
                parts.append(part)
                frames += read
            rate = recording.samplerate
    except soundfile.LibsndfileError as problem:
        raise _unusable(path, "audio", f"this cannot be read as audio: {problem.error_string}") from None
    except RuntimeError as problem:  # what libsndfile found out while reading
        raise _unusable(path, "audio", f"this cannot be read as audio: {problem}") from None
    signal = numpy.concatenate(parts) if parts else numpy.zeros(0)
    if not len(signal):
        raise _unusable(path, "audio", "there is no sound in it")
    if not numpy.isfinite(signal).all():
        raise _unusable(path, "audio", "there are samples in it that are not numbers")
    samples = numpy.clip(numpy.rint(signal * 32768.0), -32768, 32767).astype(numpy.int16)
    return Sound(_dithered(samples).tobytes(), frames / rate)


def _unusable(path: str, code: str, message: str) -> InputError:
    return InputError(Problem(code, message, file=path))


def _mono(recording: Any, channel: int | None) -> Iterator[Any]:
    """The samples, block by block: an hour of stereo would not fit everywhere."""
    for block in recording.blocks(_BLOCK, dtype="float64", always_2d=True):
        yield block.mean(axis=1) if channel is None else block[:, channel]


def _resampled(blocks: Iterator[Any], rate: int) -> Iterator[tuple[Any, int]]:
    """Blocks at the aligner's rate, and how many frames of the recording went into each."""
    if rate == RATE:
        yield from ((block, len(block)) for block in blocks)
        return
    numpy = library("numpy")
    stream = library("soxr").ResampleStream(rate, RATE, 1, dtype="float64", quality="HQ")
    for block in blocks:
        yield stream.resample_chunk(numpy.ascontiguousarray(block)), len(block)
    yield stream.resample_chunk(numpy.zeros(0), last=True), 0


def _dithered(samples: Any) -> Any:
    """The samples with faint noise if there is digital silence in them, which the model has never heard.

    It is always the same noise, 66 dB below the loudest that samples can be. Recordings proper are left as they are.
    """
    numpy = library("numpy")
    sounding = numpy.flatnonzero(samples)
    ends = numpy.concatenate(([-1], sounding, [len(samples)]))
    if int(numpy.diff(ends).max()) <= _SILENCE:
        return samples
    bits = numpy.random.PCG64(_SEED).random_raw(len(samples)) >> numpy.uint64(59)  # from 0 to 31
    return numpy.clip(samples + bits.astype(numpy.int32) - _NOISE, -32768, 32767).astype(numpy.int16)


def audio_files(path: str) -> list[str]:
    """The recordings in a folder and those below it, numbers in their order (u2 before u10); or the file itself."""
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise InputError(Problem("audio", "there is no such file or folder", file=path))
        return [path]
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [os.path.join(folder, name) for name in names if _is_audio(name)]
    if not found:
        message = f"there are no recordings in this folder ({', '.join(ENDINGS)})"
        raise InputError(Problem("audio", message, file=path))
    return sorted(found, key=natural)


def _is_audio(name: str) -> bool:
    return name.lower().endswith(ENDINGS) and not name.startswith(".")


def natural(name: str) -> tuple[list[Any], str]:
    """A key that sorts numbers inside names by their value.

    >>> sorted(["u10.wav", "u2.wav", "u1.wav"], key=natural)
    ['u1.wav', 'u2.wav', 'u10.wav']
    """
    import re

    parts = re.split(r"([0-9]+)", name)  # text and numbers in turn
    return [int(part[:4000]) if at % 2 else part for at, part in enumerate(parts)], name
