"""gzip and zstd, whole and as streams."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from command import treescore_inside
from hypothesis import given, strategies as st

import treescore as ts
from treescore.helpers.packed import unpacking

Pack = Callable[[bytes], bytes]


def _in_frames(data: bytes) -> bytes:
    """Several frames one after the other, as parallel packers write them."""
    pieces = [data[at : at + 7] for at in range(0, max(1, len(data)), 7)]
    return b"".join(map(zstandard.ZstdCompressor().compress, pieces))


def _in_members(data: bytes) -> bytes:
    return gzip.compress(data[:5]) + gzip.compress(data[5:])


PACKERS: dict[str, Pack] = {
    "gzip": gzip.compress,
    "members": _in_members,
    "zstd": zstandard.ZstdCompressor().compress,
    "frames": _in_frames,
}
packers = pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)


@packers
@given(data=st.binary(max_size=60), size=st.integers(1, 20))
def test_unpacks_what_was_packed(pack: Pack, data: bytes, size: int) -> None:
    packed = pack(data)
    stream = unpacking(io.BytesIO(packed), None)
    assert data.startswith(stream.peek(1) if data else b"")  # type: ignore[attr-defined]
    assert b"".join(iter(lambda: stream.read(size), b"")) == data
    assert list(unpacking(io.BytesIO(packed), None)) == list(io.BytesIO(data))


@packers
def test_damage_is_told(pack: Pack) -> None:
    packed = pack(b"(S (NN a))\n" * 50)
    for broken in (packed[:-1], packed[:-9], packed + b"junk"):
        with pytest.raises(ts.InputError, match=r"^a.x: this (gzip|zstd) data is damaged"):
            unpacking(io.BytesIO(broken), "a.x").read()


def test_what_is_not_packed_stays_as_it_is() -> None:
    file = io.BytesIO(b"(S (NN a))")
    assert unpacking(file, None) is file


@packers
def test_scored_as_if_not_packed(pack: Pack, tmp_path: Path) -> None:
    gold, test = b"(S (NP (NN a)) (VP (VB b)))\n", b"(S (NP (NN a)) (NP (VB b)))\n"
    for name, data in (("gold", gold), ("test", test), ("packed", pack(test))):
        (tmp_path / name).write_bytes(data)
    plain, packed = (treescore_inside(tmp_path, "gold", name)[0] for name in ("test", "packed"))
    assert "66.67" in plain
    assert packed == plain.replace("test against", "packed against")
    assert ts.read(tmp_path / "packed")[0] == ts.read(test.decode())[0]
