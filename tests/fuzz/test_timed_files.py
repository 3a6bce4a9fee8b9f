"""Bytes of any kind through the readers of trees with times or names.

Nothing but an InputError may come out; every line or tree is there, faulty ones as empty trees with a problem each;
what was read can be scored, saved and, if it has times, written and read again.
"""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from random import Random

import pytest
from damaged_files import check_reading, damaged
from hypothesis import given, settings, strategies as st
from strategies import hang_guard, make_pairs

from treescore import InputError, Treebank, read
from treescore.metrics.parseval import Parseval
from treescore.place.pair import Pair

FORMS = ("spans", "named", "jsonl")
DAMAGE = (b"0", b"-", b"\t", b"\n", b"(", b")", b"e9", b"[", b'"', b"{}", b"<")
SYNTAX = """<nite:root xmlns:nite="x">
<parse nite:id="s1"><nt cat="S"><nite:child href="a.terminals.xml#id(w1)"/><nt cat="VP" subcat="X">
<nite:child href="a.terminals.xml#id(w2)..id(p1)"/></nt></nt></parse>
<parse nite:id="s2"><nt cat="NP"><nite:child href="a.terminals.xml#id(w4)"/></nt></parse>
</nite:root>"""
TERMINALS = """<nite:root xmlns:nite="x">
<word nite:id="w1" nite:start="0.1" nite:end="0.5" orth="a" pos="DT"/>
<word nite:id="w2" nite:start="0.5" nite:end="n/a" orth="b" pos="NN"/><sil nite:id="q"/><trace nite:id="t"/>
<word nite:id="w3" nite:start="0.7" nite:end="0.9" orth="c"/><punc nite:id="p1">.</punc>
<word nite:id="w4" nite:start="1.0" nite:end="1.5" orth="d" pos="NN"/>
</nite:root>"""


def spans(rng: Random) -> str:
    """A tree over spans."""
    at, parts = 0, ["(S"]
    for _ in range(rng.randint(1, 5)):
        at += rng.randint(0, 3)
        span = f"{at / 8}{rng.choice('-:')}{(at + 2) / 8}"
        parts.append(rng.choice((" {}", " (X {})", " ({})", " (NP (DT {}))")).format(span))
        at += 2
    return "".join(parts) + ")"


def source(rng: Random, form: str) -> bytes:
    """Sound text in this format."""
    trees = [spans(rng) if rng.random() < 0.7 else make_pairs(rng, 1)[0][0] for _ in range(rng.randint(1, 4))]
    if form == "spans":
        lines = [spans(rng) for _ in trees]
    elif form == "named":
        lines = [f"u{number}\t{tree}" for number, tree in enumerate(trees)]
    else:
        lines = [json.dumps({"id": f"u{number}", "tree": tree}) for number, tree in enumerate(trees)]
        lines.append('{"id": "v", "tree": ["NP", [["DT", 0.1, 0.2], [null, 0.2, 0.4]]]}')
    return "".join(line + "\n" for line in lines).encode()


def check_bank(bank: Treebank, data: bytes) -> None:
    last_line = data.count(b"\n") + 1
    faulty = {index + 1 for index in range(len(bank)) if bank.native.faulty(index)}
    units = {problem.unit for problem in bank.problems}
    assert faulty <= units
    for problem in bank.problems:
        if problem.file != bank.source.name:
            continue
        assert problem.line is not None and 1 <= problem.line <= last_line
        assert problem.unit is not None and 1 <= problem.unit <= len(bank)
        assert problem.message and problem.action
    for unit in faulty:
        assert str(bank[unit - 1]) == "()"
    assert pickle.loads(pickle.dumps(bank)) == bank
    total = Parseval("none").counts(Pair(bank, bank)).total()
    assert total["matched"] == total["gold"] == total["test"]
    for index, tree in enumerate(bank):
        if tree.times is None or tree.times[0][0] < 0:
            continue  # nested lists may begin before 0, which spans cannot say
        spoken = [time for time in tree.times if time[0] < time[1]]
        again = read(list(bank[index : index + 1].lines(form="spans")), form="spans")
        assert (again[0].times or []) == spoken


@pytest.mark.parametrize("form", FORMS)
def test_damaged_files(form: str) -> None:
    for seed in range(150):
        rng = Random(seed)
        check_reading(damaged(rng, source(rng, form), DAMAGE), form, check_bank)


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_many_damaged_files(form: str) -> None:
    for seed in range(150, 20_000):
        rng = Random(seed)
        check_reading(damaged(rng, source(rng, form), DAMAGE), form, check_bank)


def check_nxt(rng: Random, folder: Path) -> None:
    syntax, terminals = (damaged(rng, text.encode(), DAMAGE) for text in (SYNTAX, TERMINALS))
    (folder / "a.syntax.xml").write_bytes(syntax)
    (folder / "a.terminals.xml").write_bytes(terminals)
    with hang_guard():
        try:
            bank = read(folder / "a.syntax.xml", form="nxt", on_error="keep")
        except InputError as error:
            assert error.problem.message
            return
        of_words = [problem for problem in bank.problems if (problem.file or "").endswith(".terminals.xml")]
        assert all(1 <= (problem.line or 0) <= terminals.count(b"\n") + 1 for problem in of_words)
        assert {problem.code for problem in of_words} <= {"time", "order", "overlap", "same-id"}
        check_bank(bank, syntax)


def test_damaged_nxt(tmp_path: Path) -> None:
    for seed in range(200):
        check_nxt(Random(seed), tmp_path)


@pytest.mark.long
def test_much_damaged_nxt(tmp_path: Path) -> None:
    for seed in range(200, 10_000):
        check_nxt(Random(seed), tmp_path)


#: Pieces of which broken files are made.
SPANS = (b"0.1-0.2", b"0.2:0.5", b"1-", b"-1", b"1e-3-2e0", b"nan-1", b"(", b")", b" ", b"(S ", b"\n")
NAMED = (b"u1\t", b"\t", b"\xef\xbb\xbf", b"\xff", b"\r\n")
JSON = (b'{"id": ', b'"tree": ', b'"u"', b"null", b", ", b"}", b"[", b"]", b'["S", ', b"1e999", b"\\ud800", b"NaN")
PIECES = st.sampled_from([*SPANS, *NAMED, *JSON])


@pytest.mark.parametrize("form", ("auto", *FORMS))
@given(data=st.binary(max_size=100) | st.lists(PIECES, max_size=40).map(b"".join))
@settings(max_examples=60)
def test_any_bytes(data: bytes, form: str) -> None:
    check_reading(data, form, check_bank)
