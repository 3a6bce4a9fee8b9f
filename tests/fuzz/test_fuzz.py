"""Bytes of any kind through the readers: trees in every layout, parameter files, and the evalb commands.

Nothing but an InputError may come out, what was read is sound, and nothing hangs.
"""

from __future__ import annotations

import gzip
import pickle
import re
from pathlib import Path
from random import Random

import pytest
from command import evalb
from hypothesis import given, settings, strategies as st
from strategies import RANDOMS, hang_guard, make_pairs

import treescore
from treescore import InputError, Treebank, TreeSyntaxError, read
from treescore.metrics.parseval import Parseval
from treescore.place.pair import Pair
from treescore.readers.prm import Parameters
from treescore.readers.sources import form_of

LAYOUTS = ("auto", "line", "multiline")

#: Pieces of which broken trees are made.
PIECES = st.sampled_from(
    [
        b"(",
        b")",
        b" ",
        b"\n",
        b"\r\n",
        b"\t",
        b"(S ",
        b"(NN a)",
        b"a",
        b"))",
        b"((",
        b"\xff",
        b"\xc3\xa9",
        b"\0",
        b"-LRB-",
    ]
)
SOUP = st.lists(PIECES, max_size=40).map(b"".join)


#: Trees without labels.
UNLABELLED = (
    b"( ( a urinal ) ( in ( a restroom ) ) )\nMISMATCH\n( hello )\n( a ( big **LP** ball ) )\n",
    b'[["a", "urinal"], ["in", ["a", "restroom"]]]\n["a", ["big", "ball"]]\n',
    b'[\n["a", "urinal"],\n["in", ["a", "restroom"]]\n]\n',
)


def labelled_trees(rng: Random) -> bytes:
    return "".join(gold + "\n" for gold, _ in make_pairs(rng, rng.randint(1, 4))).encode()


def mutated(rng: Random) -> bytes:
    """Trees, one per line, with some bytes cut out, doubled, replaced or cut off."""
    data = bytearray(rng.choice([*UNLABELLED, *(labelled_trees(rng) for _ in UNLABELLED)]))
    for _ in range(rng.randint(0, 4)):
        place = rng.randrange(len(data) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            del data[place : place + rng.randint(1, 10)]
        elif kind == 1:
            data[place:place] = data[place : place + rng.randint(1, 10)]
        elif kind == 2:
            data[place:place] = bytes([rng.randrange(256)])
        else:
            del data[place:]
    return bytes(data)


BYTES = st.binary(max_size=200) | SOUP | RANDOMS.map(mutated)


#: A bracket without a label around one word.
PHRASE_OF_ONE_WORD = re.compile(r"\( [^() ]+\)")


def read_back(tree: str, labelless: bool) -> Treebank:
    """A tree of a treebank, alone: it cannot be seen whether its brackets have labels."""
    bank = read([tree], form="labelless" if labelless else "auto")
    return bank if bank.source.labelless == labelless else read([tree], form="brackets")


def check_bank(bank: Treebank, data: bytes, layout: str) -> None:
    """Every problem is about a different sentence, which is empty; every tree is sound and can be read back."""
    units = [problem.unit for problem in bank.problems]
    assert units == sorted(set(units), key=lambda unit: unit or 0)
    last_line = data.count(b"\n") + 1
    for problem in bank.problems:
        assert problem.unit is not None
        assert problem.line is not None
        in_json = form_of(data) in ("json", "jsonl")  # a string in it does not say where in its line it begins
        assert problem.column is not None or in_json
        assert 1 <= problem.unit <= len(bank)
        assert 1 <= problem.line <= last_line
        assert 1 <= (problem.column or 1) <= len(data) + 1
        assert problem.code == "no-id" or str(bank[problem.unit - 1]) == "()"
    if layout == "line" and form_of(data) != "export":
        text = data.removeprefix(b"\xef\xbb\xbf")
        assert len(bank) == text.count(b"\n") + (text[-1:] not in (b"", b"\n"))
    starts = [bank.line(index) for index in range(len(bank))]
    assert starts == sorted(starts)
    assert all(1 <= line <= last_line for line in starts)
    for index, tree in enumerate(bank):
        again = read_back(str(tree), bank.source.labelless)
        assert again[0].leaves == tree.leaves
        if not (bank.source.labelless and PHRASE_OF_ONE_WORD.search(str(tree))):  # which is read as that word
            assert again == bank[index : index + 1]
            assert str(tree) == "()" or again[0].spans() == tree.spans()
        for span in tree.spans():
            assert 0 <= span.start <= span.end <= len(tree.leaves)
        assert len(tree.pos()) == len(tree.leaves)
        assert read_back(tree.pformat(), bank.source.labelless) == again
    assert pickle.loads(pickle.dumps(bank)) == bank


def check_reading(data: bytes) -> None:
    for layout in LAYOUTS:
        with hang_guard():
            try:
                bank = read(data, layout=layout, on_error="keep")
            except InputError as error:
                assert not isinstance(error, TreeSyntaxError)
                assert error.problem.message
                continue
            check_bank(bank, data, layout)
            if len(bank) != len(bank.problems) or len(bank) < 2:
                assert treescore.evaluate(bank, bank).scores[0].counts.total()["sentences"] == len(bank)
            if bank.problems:
                with pytest.raises(TreeSyntaxError) as caught:
                    read(data, layout=layout)
                assert caught.value.problem.line == bank.problems[0].line
                assert caught.value.problem.column == bank.problems[0].column
            else:
                assert read(data, layout=layout) == bank


@given(BYTES)
@settings(max_examples=1_000)
def test_reading(data: bytes) -> None:
    check_reading(data)


@pytest.mark.long
@settings.get_profile("long")
@given(BYTES)
def test_reading_much_more(data: bytes) -> None:
    check_reading(data)


@given(BYTES, st.integers(0, 30), st.binary(max_size=3))
def test_damaged_gzip(data: bytes, cut: int, tail: bytes) -> None:
    packed = gzip.compress(data)
    with hang_guard():
        try:
            bank = read(packed[: max(2, len(packed) - cut)] + tail, on_error="keep")
        except InputError:
            return
        assert bank == read(data, on_error="keep")


# ---------------------------------------------------------------------------------------------------------------------
# Parameter files

WORDS = st.sampled_from(
    [
        b"DEBUG",
        b"MAX_ERROR",
        b"CUTOFF_LEN",
        b"LABELED",
        b"DELETE_LABEL",
        b"DELETE_LABEL_FOR_LENGTH",
        b"QUOTE_LABEL",
        b"EQ_LABEL",
        b"EQ_WORD",
        b"TOP",
        b"NP",
        b"-NONE-",
        b"0",
        b"1",
        b"-1",
        b"99999999999",
        b"99999999999999999999999",
        b" ",
        b" ",
        b"\n",
        b"\n",
        b"\t",
        b"#",
        b"\0",
        b"\xff",
        b"x" * 500,
    ]
)
PARAMETERS = (
    st.binary(max_size=100) | st.lists(WORDS, max_size=40).map(b"".join) | st.lists(WORDS, max_size=40).map(b" ".join)
)


@given(PARAMETERS)
@settings(max_examples=200)
def test_parameter_files(data: bytes) -> None:
    with hang_guard():
        parameters = Parameters()
        complaints = parameters.add(data)
        assert all(isinstance(complaint, str) and complaint for complaint in complaints)
        assert len(complaints) <= data.count(b"\n") + 1 + len(data) // 499
        again = Parameters()
        assert again.add(data) == complaints
        assert again.recipe() == parameters.recipe()
        bank = read("(TOP (S (NP (NN a)) (-NONE- *)))\n()\n")
        try:
            metrics = Parseval(prm=data), Parseval("spmrl", prm=data)
        except InputError as error:
            assert error.problem.code in ("binary", "encoding", "not-parameters")
            return
        for metric in metrics:
            assert [complaint.partition("; it is a key")[0] for complaint in metric.prm_complaints] == complaints
            assert metric.counts(Pair(bank, bank)).total()["sentences"] == 2
            assert treescore.metric(metric.signature) == metric


# ---------------------------------------------------------------------------------------------------------------------
# The commands

FLAGS = st.lists(
    st.sampled_from(["-d", "-D", "-c5", "-c", "0", "-e", "3", "-e-1", "-X", "-L", "-l", "-V", "-K", "1", "-h", "-"]),
    max_size=4,
)


@given(gold=BYTES, test=BYTES, prm=PARAMETERS | st.none(), flags=FLAGS, spmrl=st.booleans())
@settings(max_examples=600)
def test_evalb_commands(
    gold: bytes, test: bytes, prm: bytes | None, flags: list[str], spmrl: bool, tmp_path: Path
) -> None:
    check_command(gold, test, prm, flags, spmrl, tmp_path)


@pytest.mark.long
@settings.get_profile("long")
@given(gold=BYTES, test=BYTES, prm=PARAMETERS | st.none(), flags=FLAGS, spmrl=st.booleans())
def test_evalb_commands_much_more(
    gold: bytes, test: bytes, prm: bytes | None, flags: list[str], spmrl: bool, tmp_path: Path
) -> None:
    check_command(gold, test, prm, flags, spmrl, tmp_path)


def check_command(gold: bytes, test: bytes, prm: bytes | None, flags: list[str], spmrl: bool, folder: Path) -> None:
    (folder / "gold").write_bytes(gold)
    (folder / "test").write_bytes(test)
    arguments = [*flags, "gold", "test"]
    if prm is not None:
        (folder / "prm").write_bytes(prm)
        arguments = ["-p", "prm", *arguments]
    with hang_guard():
        result = evalb(arguments, folder, spmrl=spmrl)
        assert result.code in (0, 1)
        assert b"Traceback" not in result.stderr
        assert result == evalb(arguments, folder, spmrl=spmrl)


@pytest.mark.parametrize("option", [["-c", "9" * 30], ["-e", "9" * 30], ["-c", "9" * 5_000], ["-c", "-" + "9" * 30]])
def test_evalb_with_enormous_numbers(option: list[str], tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("(S (NN a))\n")
    result = evalb([*option, "gold", "gold"], tmp_path)
    assert result.code == 0
    assert b"Number of sentence        =      1" in result.stdout


def test_evalb_does_not_repeat_itself_for_ever(tmp_path: Path) -> None:
    for name in ("gold", "test"):
        (tmp_path / name).write_bytes(b"a\n")
    with hang_guard():
        result = evalb(["-e", "2000000000", "gold", "test"], tmp_path)
    assert result.code == 1
    assert result.stderr.splitlines()[-1].startswith(b"treescore: warning: MAX_ERROR is 2000000000")
