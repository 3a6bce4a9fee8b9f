"""The metric parseval against the plain oracles, row by row: EVALB's procedure and the unsupervised conventions."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from oracle.evalb import run
from oracle.unsupervised import CONVENTIONS, Spans
from strategies import banks, make_pairs

import treescore

PARAMETERS = """\
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
QUOTE_LABEL ''
QUOTE_LABEL POS
EQ_LABEL ADVP PRT
EQ_LABEL PRT PP
EQ_WORD cat the
LABELED {labelled}
MAX_ERROR 100000
"""


def balanced(text: str) -> bool:
    """Unbalanced lines are where the metric and EVALB part on purpose."""
    return text.count("(") == text.count(")")


@pytest.mark.parametrize("spmrl", [False, True], ids=["evalb", "spmrl"])
@pytest.mark.parametrize("labelled", [0, 1])
@pytest.mark.parametrize("seed", range(4))
def test_rows_are_those_of_evalb(seed: int, labelled: int, spmrl: bool, tmp_path: Path) -> None:
    pairs = [pair for pair in make_pairs(random.Random(seed), 250) if all(map(balanced, pair))]
    for name, place in (("gold", 0), ("test", 1)):
        text = "".join((pair[place] or "()") + "\n" for pair in pairs)
        (tmp_path / name).write_text(text, encoding="utf-8")
    prm = tmp_path / "prm"
    prm.write_text(PARAMETERS.format(labelled=labelled), encoding="utf-8")
    expected = run(["-p", "prm", "gold", "test"], cwd=tmp_path, spmrl=spmrl)
    profile = "|profile:spmrl" if spmrl else ""
    report = treescore.evaluate(
        tmp_path / "gold", tmp_path / "test", f"parseval{profile}|prm:{prm}", layout="line", on_error="raise"
    )
    printed = [line.split() for line in expected.stdout.decode().splitlines()[3:]]
    rows = {int(line[0]): line for line in printed if len(line) == 12 and line[0].isdigit()}
    ours = report.rows()
    compared = 0
    for place, number in enumerate(ours["sentence"]):
        row = rows[number]
        assert ours["length"][place] == int(row[1])
        if spmrl and ours["status"][place] == 1:
            continue  # the original calls sentences of unequal length right
        assert ours["status"][place] == int(row[2])
        actual = [ours[name][place] for name in ("matched", "gold", "test", "crossing", "words", "tags")]
        assert actual == [int(figure) for figure in row[5:11]]
        compared += ours["status"][place] == 0
    assert compared > 50


def spans(tree: treescore.Tree, deleted: set[str]) -> tuple[int, Spans]:
    """Words left, and phrases over more than one of them."""
    before = [0]
    for _, tag in tree.pos():
        before.append(before[-1] + (tag not in deleted))
    items = [(before[span.start], before[span.end]) for span in tree.spans()]
    return before[-1], [(start, end) for start, end in items if end - start > 1]


@pytest.mark.parametrize("profile", CONVENTIONS)
def test_unsupervised_conventions(profile: str) -> None:
    kept = "keep:|delete:-NONE-+%2C+.|delete-by:own|words:same|outer:counted"
    metric = treescore.metric(f"parseval|profile:{profile}|{kept}")
    gold, test = banks(make_pairs(random.Random(5), 600, sound=True))
    rows = treescore.evaluate(gold, test, metric).rows()
    compared = 0
    for place, (left, right) in enumerate(zip(gold, test, strict=True)):
        (words, gold_spans), (test_words, test_spans) = (spans(tree, {"-NONE-", ",", "."}) for tree in (left, right))
        if rows["status"][place]:
            assert words < 2 or test_words == 0 or words != test_words or left.leaves != right.leaves
            continue
        expected = CONVENTIONS[profile](words, gold_spans, test_spans)
        assert [rows[name][place] for name in ("matched", "gold", "test")] == [
            expected.matched,
            expected.gold,
            expected.test,
        ]
        assert rows["f1"][place] == pytest.approx(expected.f1, abs=1e-9)
        compared += 1
    assert compared > 100
