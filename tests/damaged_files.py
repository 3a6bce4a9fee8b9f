"""Files of trees with damage in them, and what every reader must make of any bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest
from strategies import hang_guard

from treescore import InputError, Treebank, TreeSyntaxError, read


def damaged(rng: Random, sound: bytes, pieces: Sequence[bytes], *, shuffle: bool = False) -> bytes:
    """The same with some bytes cut out, doubled, replaced or cut off; with `shuffle`, some lines in another place."""
    data = bytearray(sound)
    for _ in range(rng.randint(0, 4)):
        place, kind = rng.randrange(len(data) + 1), rng.randrange(5 + shuffle)
        if kind == 0:
            del data[place : place + rng.randint(1, 10)]
        elif kind == 1:
            data[place:place] = data[place : place + rng.randint(1, 20)]
        elif kind == 2:
            data[place:place] = bytes([rng.randrange(256)])
        elif kind == 3:
            data[place : place + 1] = rng.choice(pieces)
        elif kind == 4 and shuffle:
            lines = bytes(data).split(b"\n")
            rng.shuffle(lines)
            data = bytearray(b"\n".join(lines))
        elif rng.random() < 0.3:
            del data[place:]
    return bytes(data)


def check_reading(data: bytes, form: str, check_bank: Callable[[Treebank, bytes], None]) -> None:
    """Nothing but an InputError may come out, and faults are errors where they are not kept."""
    with hang_guard():
        try:
            bank = read(data, form=form, on_error="keep")
        except InputError as error:
            assert not isinstance(error, TreeSyntaxError)
            assert error.problem.message
            return
        check_bank(bank, data)
        if bank.problems:
            with pytest.raises(TreeSyntaxError):
                read(data, form=form)
        else:
            assert read(data, form=form) == bank
