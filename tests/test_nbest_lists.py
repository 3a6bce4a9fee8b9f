"""Readers of n-best lists: formats, faults with their places, one list at a time."""

from __future__ import annotations

import gzip
import io
import json
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import treescore
from treescore import nbest
from treescore.helpers.steps import Steps
from treescore.nbest import NBest

A, B = "(S (NP (NN a)) (VB b))", "(S (NN a) (VB b))"
TSV = f"u1\t0\t-1.5\t{A}\nu1\t1\t-2\t{B}\nu2\t0\t-3\t{B}\n"
BLOCKS = f"-1.5 {A}\n-2\t{B}\n\n\n-3 {B}\n"
WHOLE = "".join(
    json.dumps({"id": name, "candidates": candidates}) + "\n"
    for name, candidates in (
        ("u1", [{"tree": A, "score": -1.5}, {"tree": B, "score": -2}]),
        ("u2", [{"tree": B, "score": -3}]),
    )
)
SINGLE = "".join(
    json.dumps({"id": name, "rank": rank, "score": score, "tree": tree}) + "\n"
    for name, rank, score, tree in (("u1", 0, -1.5, A), ("u1", 1, -2, B), ("u2", 0, -3, B))
)


def told(result: NBest) -> tuple[object, ...]:
    return [str(tree) for tree in result.trees], result.scores, result.problems


@pytest.mark.parametrize(
    "text", [TSV, f"id\trank\tscore\ttree\n{TSV}", BLOCKS, WHOLE, SINGLE, TSV.replace("\n", "\r\n")]
)
def test_all_formats_say_the_same(text: str, tmp_path: Path) -> None:
    packed = tmp_path / "lists.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    for source in (
        text,
        text.encode(),
        b"\xef\xbb\xbf" + text.encode(),
        packed,
        io.StringIO(text),
        io.BytesIO(text.encode()),
    ):
        items = list(nbest.read(source))
        assert [told(each) for each in items] == [([A, B], [-1.5, -2.0], []), ([B], [-3.0], [])]
        assert [each.id for each in items] == (["1", "2"] if text == BLOCKS else ["u1", "u2"])
        assert [each.number for each in items] == [1, 2]


def test_ranks_order_the_candidates() -> None:
    [bank] = nbest.read(f"u1\t7\t\t{B}\nu1\t3\t\t{A}\n")
    assert (bank.ranks, bank.scores, str(bank.trees[0])) == ([3, 7], [None, None], A)


FAULTS = [
    (f"u1\t0\t-1\t(S (NN a\nu1\t1\t-2\t{B}\n", "unclosed", 1, 9),
    (f"u1\t0\t-1\t{B}\nu1\tfirst\t-2\t{B}\n", "rank", 2, None),
    (f"u1\t0\tlow\t{B}\n", "score", 1, None),
    (f"u1\t0\tnan\t{B}\n", "score", 1, None),
    (f"u1\t0\t-1\t{B}\nu1 {B}\n", "columns", 2, None),
    (f"u1 0\n{B}\n", "tree", 1, None),
    (f"u1\t0\t-1\t{B}\nu1\t1\t-1\t(())\n", "no-tree", 2, None),
    (f"u1\t0\t-1\t{B}\nu2\t0\t-1\t{B}\nu1\t1\t-1\t{A}\n", "id", 3, None),
    (f"{B}\n-1 -2 {A}\n", "columns", 2, None),
    (f'{{"id": 1, "tree": "{B}"}}\n{{"id"\n', "json", 2, 6),
    (f'{{"id": 1, "tree": "{B}"}}\n{{"tree": "{A}"}}\n', "json", 2, None),
    (f'{{"id": 1, "tree": "{B}"}}\n[1]\n', "json", 2, None),
    (f'{{"id": "x", "candidates": ["{B}", 7]}}\n', "json", 1, None),
    (f'{{"id": "x", "candidates": [{{"tree": 7}}, "{B}"]}}\n', "tree", 1, None),
    (f'{{"id": "x", "candidates": 7}}\n{{"id": "y", "candidates": ["{B}"]}}\n', "json", 1, None),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), FAULTS)
def test_faults_have_places_and_others_still_count(text: str, code: str, line: int, column: int | None) -> None:
    items = list(nbest.read(text, name="lists"))
    [problem] = [problem for each in items for problem in each.problems]
    assert (problem.code, problem.file, problem.line) == (code, "lists", line), problem
    assert column is None or problem.column == column
    assert any(B in map(str, each.trees) for each in items)
    with pytest.raises(treescore.InputError, match=f"^lists:{line}"):
        list(nbest.read(text, name="lists", on_error="raise"))


@pytest.mark.parametrize("text", ["", "\n\n", "a\tb\n" * 2, '{"tree": 1}\n'])
def test_what_has_no_lists(text: str) -> None:
    form = "tsv" if text.startswith("a") else "auto"
    with pytest.raises(treescore.InputError):
        list(nbest.read(text.encode(), form=form))


def test_a_damaged_gzip(tmp_path: Path) -> None:
    path = tmp_path / "lists.gz"
    path.write_bytes(gzip.compress(TSV.encode() * 500)[:-40])
    with pytest.raises(treescore.InputError, match="gzip"):
        list(nbest.read(path))


@given(
    st.binary(max_size=60) | st.text('(S a)\t\n0-1{}"id:tre,', max_size=60).map(str.encode),
    st.sampled_from(nbest.FORMS),
)
@settings(max_examples=80, deadline=None)
def test_any_bytes(data: bytes, form: str) -> None:
    try:
        items = list(nbest.mbr(nbest.read(data, form=form), weights="scores"))
    except treescore.InputError:
        return
    assert all(choice.rank is not None or choice.problems or not choice.candidates for choice in items)


def test_one_list_at_a_time() -> None:
    """A file without an end: were all of it read, there would be no first list."""

    class Endless:
        name = "endless"

        def __init__(self) -> None:
            self.number = 0

        def readline(self, size: int = -1) -> bytes:
            if size == 0:
                return b""
            self.number += 1
            return f"u{self.number // 2}\t{self.number % 2}\t0\t{B}\n".encode()

    endless = Endless()
    assert [choice.id for choice in islice(nbest.mbr(endless), 3)] == ["u0", "u1", "u2"]  # type: ignore[arg-type]
    assert endless.number < 10


def test_other_words_are_left_out() -> None:
    other = "(S (NN x) (VB b))"
    [choice] = nbest.mbr([[other, A, B, B]])
    assert (choice.rank, choice.candidates, [problem.code for problem in choice.problems]) == (3, 3, ["words"])
    [choice] = nbest.mbr([["(S (NN a", "()"]])
    assert (choice.tree, choice.rank, choice.expected, len(choice.problems)) == (None, None, None, 2)


def test_missing_scores() -> None:
    [choice] = nbest.mbr([NBest.of([A, B, B], scores=[-1, None, None])], weights="scores")
    assert (choice.rank, [problem.code for problem in choice.problems]) == (1, ["score"])
    assert [each.weight for each in choice.distribution()] == [1.0, 0.0]
    [choice] = nbest.mbr([[A, B, B]], weights="scores")
    assert (choice.rank, len(choice.problems)) == (2, 1)


def test_steps_count_bytes(tmp_path: Path) -> None:
    path = tmp_path / "lists.tsv"
    path.write_text(TSV)
    steps = Steps()
    assert len(list(nbest.read(path, steps=steps))) == 2
    assert steps.position == steps.total == len(TSV)


def test_wrong_arguments() -> None:
    wrong = [{"weights": "some"}, {"temperature": 0}, {"metric": "aligned_parseval"}, {"form": "csv"}]
    for options in wrong:
        with pytest.raises(treescore.UsageError):
            nbest.mbr(BLOCKS, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="2 trees, but 1 scores"):
        NBest.of([A, B], scores=[1])


def test_gold_by_id_and_by_order() -> None:
    curves = nbest.Curves(f"u2\t{B}\nu3\t{A}\nu1\t{A}\n")
    list(nbest.mbr(TSV, "parseval|profile:none", curves=curves))
    assert curves.at(1)["first"] == 1  # so far
    curves.finish()
    assert [problem.code for problem in curves.problems] == ["id", "unparsed"]
    assert curves.at(1)["first"] == 0.6  # the list that is missing counts as a failed sentence
    curves = nbest.Curves([A])
    with pytest.raises(treescore.UnequalTreebanks):
        list(nbest.mbr(TSV, curves=curves))
    curves = nbest.Curves([A] * 3)
    list(nbest.mbr(TSV, curves=curves))
    with pytest.raises(treescore.UnequalTreebanks, match="2 lists but 3 gold trees"):
        curves.finish()
    with pytest.raises(treescore.UsageError, match="used before"):
        nbest.mbr(TSV, curves=curves)
