"""Recordings of any sampling rate, sample width and number of channels, converted to 16 kHz, mono, 16 bits."""

from __future__ import annotations

import os
from contextlib import contextmanager

from ..helpers import extras
from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: The libraries of the extra.
LIBRARIES = ("numpy", "soundfile", "soxr", "pocketsphinx")
RATE = 16_000
FRAMES = 100  # of the decoder, per second
#: The extensions of audio files in folders: those of libsndfile's formats that are not also extensions of other data.
ENDINGS = (
    *(".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".aiff", ".aif", ".aifc", ".au", ".snd", ".sph", ".caf"),
    *(".w64", ".rf64", ".voc", ".nist", ".mp2", ".mp1", ".wave", ".avr", ".paf", ".pvf", ".svx", ".wve", ".ircam"),
)

_RATES = (1_000, 768_000)  # in Hz; other rates mean a broken header
_BLOCK = 1 << 18  # samples per block, of all channels
_SECONDS = 16  # the longest block
_UNKNOWN = (1 << 31) - (1 << 16)  # from this size on, the header was written before the size was known
_SILENCE = RATE // 20  # this many zeros in a row are digital silence
_NOISE = 16  # of 32,768 steps: with it six of six synthesised sentences were aligned, without it four
_SEED = 1


def library(name: str) -> Any:
    """One of the libraries, or a UsageError."""
    return extras.library(name, "speech")


def check() -> None:
    """Raise an error now, instead of during the work, if a library is missing."""
    for name in LIBRARIES:
        library(name)


class Sound(Value):
    """Samples of 16 bits in the machine's byte order, at 16 kHz, and the length in seconds.

    `channels` is the number of channels of the file, `part` the share of the length in its header: less than 1 if the
    file is truncated.
    """

    samples: bytes
    seconds: float
    channels: int = 1
    part: float = 1.0


def channel_number(name: str | None) -> int | None:
    """The index of a channel by name; None for all channels mixed.

    >>> channel_number("A"), channel_number("2"), channel_number("mix"), channel_number(None)
    (0, 1, None, None)
    """
    if name is None or name == "mix":
        return None
    if len(name) == 1 and "A" <= name.upper() <= "Z":
        return ord(name.upper()) - ord("A")
    if name.isascii() and name.isdigit() and len(name) < 5 and int(name) > 0:
        return int(name) - 1
    raise UsageError(f"{name!r} is not a channel; choose A, B, … or 1, 2, …, or mix for all channels")


def read_sound(path: str, channel: int | None = None) -> Sound:
    """Read one channel of a recording, by index, or the mean of all channels. Raises InputError."""
    numpy = library("numpy")
    parts, frames = [], 0
    with _opened(path) as recording:
        rate = recording.samplerate
        if channel is not None and channel >= recording.channels:
            message = f"there is no channel {channel + 1}: this recording has {recording.channels}"
            raise _unusable(path, "channel", message)
        if not _RATES[0] <= rate <= _RATES[1]:
            message = f"a rate of {rate:,} Hz; from {_RATES[0]:,} to {_RATES[1]:,} can be read"
            raise _unusable(path, "audio", message)
        for part, read in _resampled(_mono(recording, channel), rate):
            if not numpy.isfinite(part).all():
                raise _unusable(path, "audio", "some samples are not numbers")
            parts.append(numpy.clip(numpy.rint(part * 32768.0), -32768, 32767).astype(numpy.int16))
            frames += read
        available = _available(recording.extra_info)
        channels = recording.channels
    if not any(map(len, parts)):
        raise _unusable(path, "audio", "the recording is empty")
    if _is_silent_somewhere(parts):
        _dither(parts)
    return Sound(b"".join(parts), frames / rate, channels=channels, part=available)


def length_of(path: str) -> float:
    """The length of a recording in seconds. Raises InputError."""
    with _opened(path) as recording:
        return float(recording.frames / recording.samplerate)


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    """Open a recording by its descriptor: an interrupt during a callback to a file object would be lost."""
    soundfile = library("soundfile")
    try:
        with open(path, "rb") as file, soundfile.SoundFile(file.fileno(), closefd=False) as recording:
            yield recording
    except soundfile.LibsndfileError as problem:
        raise _unusable(path, "audio", f"this cannot be read as audio: {problem.error_string}") from None
    except RuntimeError as problem:  # raised by libsndfile while reading
        raise _unusable(path, "audio", f"this cannot be read as audio: {problem}") from None


def _unusable(path: str, code: str, message: str) -> InputError:
    return InputError(Problem(code, message, file=path))


def _available(log: str) -> float:
    """The share of the samples in the header that the file contains, from libsndfile's log.

    >>> _available("data : 32000 (should be 8000)"), _available("data : 32000")
    (0.25, 1.0)
    >>> _available("data : 0xFFFFFFFF (should be 8000)"), _available("data : 2147483647 (should be 8000)")
    (1.0, 1.0)
    """
    import re

    sizes = re.search(r"^data : ([0-9]+) \(should be ([0-9]+)\)", log, re.MULTILINE)
    if sizes is None or int(sizes[1]) >= _UNKNOWN:
        return 1.0
    return min(1.0, int(sizes[2]) / max(1, int(sizes[1])))


def _mono(recording: Any, channel: int | None) -> Iterator[Any]:
    """The samples of one channel or of the mean, block by block to save memory."""
    frames = max(1, min(_BLOCK // recording.channels, _SECONDS * recording.samplerate))
    for block in recording.blocks(frames, dtype="float64", always_2d=True):
        yield block.mean(axis=1) if channel is None else block[:, channel]


def _resampled(blocks: Iterator[Any], rate: int) -> Iterator[tuple[Any, int]]:
    """Blocks at the aligner's rate, each with its number of frames in the recording."""
    if rate == RATE:
        yield from ((block, len(block)) for block in blocks)
        return
    numpy = library("numpy")
    stream = library("soxr").ResampleStream(rate, RATE, 1, dtype="float64", quality="HQ")
    for block in blocks:
        yield stream.resample_chunk(numpy.ascontiguousarray(block)), len(block)
    yield stream.resample_chunk(numpy.zeros(0), last=True), 0


def _is_silent_somewhere(parts: list[Any]) -> bool:
    """Do the samples contain digital silence, perhaps across parts?"""
    numpy = library("numpy")
    zeros = 0  # at the end of the parts so far
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
    """Add faint noise to samples with digital silence, which is unknown to the model.

    The noise is always the same, at -66 dB of full scale.
    """
    numpy = library("numpy")
    noise = numpy.random.PCG64(_SEED)
    for part in parts:
        bits = noise.random_raw(len(part)) >> numpy.uint64(59)  # from 0 to 31
        part[:] = numpy.clip(part + bits.astype(numpy.int32) - _NOISE, -32768, 32767)


def audio_files(path: str) -> tuple[list[str], list[str]]:
    """The recordings in a folder and its subfolders in natural order (u2 before u10), or the file itself.

    The second list has audio names that are not regular files, such as pipes, which could block.
    """
    if not os.path.isdir(path):
        if not os.path.isfile(path):
            message = "this is not a file" if os.path.lexists(path) else "there is no such file or folder"
            raise InputError(Problem("audio", message, file=path))
        return [path], []
    paths = [os.path.join(folder, name) for folder, names in _folders(path) for name in names if _is_audio(name)]
    files = sorted(filter(os.path.isfile, paths), key=natural)
    if not files:
        message = f"there are no recordings in this folder ({', '.join(ENDINGS)})"
        raise InputError(Problem("audio", message, file=path))
    return files, sorted(set(paths).difference(files), key=natural)


def _folders(path: str) -> Iterator[tuple[str, list[str]]]:
    """A folder and its subfolders, each once, with the names of their files; linked folders come last."""
    waiting, seen = [path], set()
    for start in waiting:
        for folder, folders, names in os.walk(start):
            real = os.path.realpath(folder)
            if real in seen:  # a link to a visited folder
                folders.clear()
                continue
            seen.add(real)
            folders[:] = sorted((name for name in folders if not name.startswith(".")), key=natural)
            waiting += [link for name in folders if os.path.islink(link := os.path.join(folder, name))]
            yield folder, names


def _is_audio(name: str) -> bool:
    return name.lower().endswith(ENDINGS) and not name.startswith(".")


def natural(name: str) -> tuple[list[Any], str]:
    """A sort key that compares numbers inside names by their value.

    >>> sorted(["u10.wav", "u2.wav", "u1.wav"], key=natural)
    ['u1.wav', 'u2.wav', 'u10.wav']
    """
    import re

    parts = re.split(r"([0-9]+)", name)  # text and numbers alternate
    return [int(part[:4000]) if index % 2 else part for index, part in enumerate(parts)], name
