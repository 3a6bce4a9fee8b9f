"""Recordings of any rate, width and number of channels as the aligner wants them: 16 kHz, mono, 16 bits."""

from __future__ import annotations

import os
from contextlib import contextmanager

from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value
from .extra import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

RATE = 16_000
#: Endings of the files that are looked for in folders.
ENDINGS = (".wav", ".flac", ".ogg", ".aiff", ".aif", ".au", ".sph")

_RATES = (1_000, 768_000)  # in Hz; what is outside is no speech, but a broken header
_BLOCK = 1 << 18  # samples read at a time, of all channels
_SECONDS = 16  # and not more than these
_UNKNOWN = (1 << 31) - (1 << 16)  # bytes that a program promises which writes the header first, and to a pipe
_SILENCE = RATE // 20  # so many exact zeros in a row are no recording, but what a program wrote
_NOISE = 16  # of 32,768 steps: of six sentences of one synthesiser all were aligned with it, two without
_SEED = 1


class Sound(Value):
    """Samples of 16 bits, in the machine's byte order, 16,000 in a second; and how long the recording is in seconds.

    Then how many channels the file has, and which part of what its header promises: less than 1 if it is cut off.
    """

    samples: bytes
    seconds: float
    channels: int = 1
    part: float = 1.0


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
    parts, frames = [], 0
    try:
        with _opened(path, soundfile) as recording:
            rate = recording.samplerate
            if channel is not None and channel >= recording.channels:
                message = f"there is no channel {channel + 1}: this recording has {recording.channels}"
                raise _unusable(path, "channel", message)
            if not _RATES[0] <= rate <= _RATES[1]:
                message = f"a rate of {rate:,} Hz; from {_RATES[0]:,} to {_RATES[1]:,} can be read"
                raise _unusable(path, "audio", message)
            for part, read in _resampled(_mono(recording, channel), rate):
                if not numpy.isfinite(part).all():
                    raise _unusable(path, "audio", "there are samples in it that are not numbers")
                parts.append(numpy.clip(numpy.rint(part * 32768.0), -32768, 32767).astype(numpy.int16))
                frames += read
            promised = _promised(recording.extra_info)
            channels = recording.channels
    except soundfile.LibsndfileError as problem:
        raise _unusable(path, "audio", f"this cannot be read as audio: {problem.error_string}") from None
    except RuntimeError as problem:  # what libsndfile found out while reading
        raise _unusable(path, "audio", f"this cannot be read as audio: {problem}") from None
    if not any(map(len, parts)):
        raise _unusable(path, "audio", "there is no sound in it")
    if _is_silent_somewhere(parts):
        _dither(parts)
    return Sound(b"".join(parts), frames / rate, channels=channels, part=promised)


def length_of(path: str) -> float:
    """How long a recording is, in seconds. Raises InputError."""
    soundfile = library("soundfile")
    try:
        with _opened(path, soundfile) as recording:
            return float(recording.frames / recording.samplerate)
    except (soundfile.LibsndfileError, RuntimeError) as problem:
        raise _unusable(path, "audio", f"this cannot be read as audio: {problem}") from None


@contextmanager
def _opened(path: str, soundfile: Any) -> Iterator[Any]:
    """A recording, read by its descriptor: an interrupt while a file object is called back would be lost."""
    with open(path, "rb") as file, soundfile.SoundFile(file.fileno(), closefd=False) as recording:
        yield recording


def _unusable(path: str, code: str, message: str) -> InputError:
    return InputError(Problem(code, message, file=path))


def _promised(log: str) -> float:
    """Which part of the samples that the header promises is there, by what libsndfile says about it.

    >>> _promised("data : 32000 (should be 8000)"), _promised("data : 32000")
    (0.25, 1.0)
    >>> _promised("data : 0xFFFFFFFF (should be 8000)"), _promised("data : 2147483647 (should be 8000)")
    (1.0, 1.0)
    """
    import re

    found = re.search(r"^data : ([0-9]+) \(should be ([0-9]+)\)", log, re.MULTILINE)
    if found is None or int(found[1]) >= _UNKNOWN:
        return 1.0
    return min(1.0, int(found[2]) / max(1, int(found[1])))


def _mono(recording: Any, channel: int | None) -> Iterator[Any]:
    """The samples, block by block: an hour of stereo would not fit everywhere."""
    frames = max(1, min(_BLOCK // recording.channels, _SECONDS * recording.samplerate))
    for block in recording.blocks(frames, dtype="float64", always_2d=True):
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


def _is_silent_somewhere(parts: list[Any]) -> bool:
    """Is there digital silence in it, perhaps across the ends of parts?"""
    numpy = library("numpy")
    zeros = 0  # at the end of what has been looked at
    for part in parts:
        sounding = numpy.flatnonzero(part)
        if not len(sounding):
            zeros += len(part)
        elif max(zeros + int(sounding[0]), int(numpy.diff(sounding).max(initial=1)) - 1) >= _SILENCE:
            return True
        else:
            zeros = len(part) - 1 - int(sounding[-1])
        if zeros >= _SILENCE:
            return True
    return False


def _dither(parts: list[Any]) -> None:
    """Add faint noise to samples with digital silence in them, which the model has never heard.

    It is always the same noise, 66 dB below the loudest that samples can be. Recordings proper are left as they are.
    """
    numpy = library("numpy")
    noise = numpy.random.PCG64(_SEED)
    for part in parts:
        bits = noise.random_raw(len(part)) >> numpy.uint64(59)  # from 0 to 31
        part[:] = numpy.clip(part + bits.astype(numpy.int32) - _NOISE, -32768, 32767)


def audio_files(path: str) -> tuple[list[str], list[str]]:
    """The recordings in a folder and those below it, numbers in their order (u2 before u10); or the file itself.

    Then what has the name of a recording but is no file: to read a pipe might take for ever.
    """
    if not os.path.isdir(path):
        if not os.path.isfile(path):
            there = "this is not a file" if os.path.lexists(path) else "there is no such file or folder"
            raise InputError(Problem("audio", there, file=path))
        return [path], []
    found = [os.path.join(folder, name) for folder, names in _folders(path) for name in names if _is_audio(name)]
    files = sorted(filter(os.path.isfile, found), key=natural)
    if not files:
        message = f"there are no recordings in this folder ({', '.join(ENDINGS)})"
        raise InputError(Problem("audio", message, file=path))
    return files, sorted(set(found).difference(files), key=natural)


def _folders(path: str) -> Iterator[tuple[str, list[str]]]:
    """A folder and those below it, each once, with the names of their files; what links lead to comes last."""
    waiting, seen = [path], set()
    for start in waiting:
        for folder, folders, names in os.walk(start):
            real = os.path.realpath(folder)
            if real in seen:  # a link to where we are, or have been
                folders.clear()
                continue
            seen.add(real)
            folders[:] = sorted((name for name in folders if not name.startswith(".")), key=natural)
            waiting += [link for name in folders if os.path.islink(link := os.path.join(folder, name))]
            yield folder, names


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
