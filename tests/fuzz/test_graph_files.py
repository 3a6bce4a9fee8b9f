"""Bytes of any kind through the readers for discontinuous trees.

Nothing but an InputError may come out; every sentence is there, faulty ones as empty trees with a problem each; what
was read can be scored, written and read again.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from random import Random

import pytest
from damaged_files import check_reading, damaged
from hypothesis import given, settings, strategies as st
from oracle import discontinuous as model

from treescore import Treebank, read
from treescore.metrics.functions import Functions
from treescore.metrics.parseval import Parseval
from treescore.place.pair import Pair

FORMS = ("discbracket", "export", "tiger")
DAMAGE = (b"0", b"=", b"\t", b"\n", b"(", b"#", b"50", b"<", b"'", b"%%")


def source(rng: Random, form: str) -> bytes:
    """Sound text in this format."""
    trees = [model.make_tree(rng, model.make_sentence(rng, 6)) for _ in range(rng.randint(1, 3))]
    if form == "discbracket":
        return "".join(model.written(tree, rng) + "\n" for tree in trees).encode()
    write: Callable[..., str] = model.in_export if form == "export" else model.in_tiger
    text = "".join(write(tree, f"s{number}") for number, tree in enumerate(trees))
    return (text if form == "export" else f"<corpus><body>{text}</body></corpus>").encode()


def check_damaged(seed: int, form: str) -> None:
    rng = Random(seed)
    check_reading(damaged(rng, source(rng, form), DAMAGE, shuffle=True), form, check_bank)


def check_bank(bank: Treebank, data: bytes) -> None:
    units = [problem.unit for problem in bank.problems if problem.unit is not None]
    assert sorted(units) == sorted(set(units))
    for problem in bank.problems:
        assert problem.line is not None
        assert 1 <= problem.line <= data.count(b"\n") + 1
        assert problem.message
    for index, tree in enumerate(bank):
        assert bank.native.faulty(index) == (index + 1 in units)
        if bank.native.faulty(index):
            assert str(tree) == "()"
        for span in tree.spans():
            assert 0 <= span.start < span.end <= len(tree.leaves)
        assert sorted(place for node in tree.nodes() if node.is_preterminal for place in node.positions) == [
            place for place, (_, tag) in enumerate(tree.pos()) if tag is not None
        ]
    text = "".join(line + "\n" for line in bank.lines(form="discbracket"))
    assert read(text.encode("utf-8", "surrogateescape"), form="discbracket", layout="line") == bank
    assert pickle.loads(pickle.dumps(bank)) == bank
    for metric in (Parseval("none"), Parseval("discodop", only="discontinuous"), Functions("none")):
        total = metric.counts(Pair(bank, bank)).total()
        assert total["matched"] == total["gold"] == total["test"]


@pytest.mark.parametrize("form", FORMS)
def test_damaged_files(form: str) -> None:
    for seed in range(400):
        check_damaged(seed, form)


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_many_damaged_files(form: str) -> None:
    for seed in range(400, 20_000):
        check_damaged(seed, form)


#: Pieces of which broken files are made.
EXPORT = (b"#BOS 1", b"#EOS 1", b"#500", b"#501", b"\t", b"\n", b"0", b"500", b"--", b"%%", b"#FORMAT 4", b"#BOT")
BRACKETS = (b"(", b")", b" ", b"0=a", b"1=b", b"2=", b"=", b"\xff", b"\xc3\xa9", b"\0")
XML = (b"<corpus>", b"</corpus>", b"<s id='1'>", b"</s>", b"<t id='a' word='b'/>", b"<nt id='c'>", b"</nt>", b"&amp;")
PIECES = st.sampled_from([*EXPORT, *BRACKETS, *XML])


@pytest.mark.parametrize("form", FORMS)
@given(data=st.binary(max_size=100) | st.lists(PIECES, max_size=40).map(b"".join))
@settings(max_examples=150)
def test_any_bytes(data: bytes, form: str) -> None:
    check_reading(data, form, check_bank)


def test_damaged_pickles() -> None:
    """Saved columns that were changed are refused, or they are trees."""
    rng = Random(3)
    text = b"".join(source(rng, "export") for _ in range(3))
    bank = read(text)
    saved = bank.native.saved()
    kind = type(bank.native)
    for _ in range(3_000):
        data = bytearray(saved)
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 2, 4, 8, 12, 255, rng.randrange(256)))
        try:
            trees = Treebank(kind.loaded(bytes(data)))
        except ValueError:
            continue
        Parseval("none").counts(Pair(trees, trees))
        list(trees.lines())
