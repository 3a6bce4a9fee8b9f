"""`--alignment`, and words that are aligned by times or by their numbers."""

from __future__ import annotations

import json
from array import array
from pathlib import Path

import pytest
from command import treescore_inside

import treescore

GOLD, TEST = "(S (NP (D the) (N cat)) (V sleeps))", "(X (X (X (T s0) (T s1)) (T s2)) (T s3))"
SIGNATURE = "parseval|profile:av-nsl"


def timed(tree: str, ends: list[float]) -> treescore.Treebank:
    """The tree with words that follow each other."""
    starts = [0.0, *ends[:-1]]
    bank = treescore.read(tree)
    return bank.with_times(array("d", [time for pair in zip(starts, ends, strict=True) for time in pair]))


def test_an_alignment_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text(GOLD + "\n")
    (tmp_path / "test").write_text(TEST + "\n")
    (tmp_path / "words.jsonl").write_text("[[0, 0], [1, 2], [2, 3]]\n")
    out, _ = treescore_inside(
        tmp_path, "gold", "test", "--profile", "av-nsl", "--alignment", "words.jsonl", "-f", "json"
    )
    assert json.loads(out)["scores"][0]["value"] == pytest.approx(4 / 5)


def test_words_are_aligned_by_their_times() -> None:
    gold, test = timed(GOLD, [0.5, 1.0, 1.5]), timed(TEST, [0.45, 0.5, 1.1, 1.5])
    report = treescore.evaluate(gold, test, SIGNATURE)
    given = treescore.evaluate(GOLD, TEST, SIGNATURE, alignment=[[(0, 0), (1, 2), (2, 3)]])
    assert report.scores[0].counts == given.scores[0].counts
    assert report.scores[0].value == pytest.approx(4 / 5)
    assert report.problems == given.problems == []


def test_without_an_alignment_only_as_many_words_are_aligned() -> None:
    report = treescore.evaluate([GOLD, GOLD], [TEST, GOLD], SIGNATURE)
    assert [problem.code for problem in report.problems] == ["alignment"]
    assert report.scores[0].counts["matched"].tolist() == [0, 2]


@pytest.mark.parametrize(
    ("alignment", "message"),
    [
        ([], "0 sentences"),
        ([[(0, 9)]], "test has no word 9"),
        ([[(3, 0)]], "gold has no word 3"),
        ([[(0, 0), (0, 1)]], "another partner"),
        ([[(0, 0), (1, 0)]], "another partner"),
        ([7], "list of pairs"),
        ([[(0, 1, 2)]], "list of pairs"),
    ],
)
def test_alignments_that_are_refused(alignment: list[object], message: str) -> None:
    with pytest.raises((treescore.InputError, treescore.UsageError), match=message):
        treescore.evaluate(GOLD, TEST, SIGNATURE, alignment=alignment)


def test_an_alignment_needs_a_metric_that_uses_it() -> None:
    with pytest.raises(treescore.UsageError, match="words:aligned"):
        treescore.evaluate(GOLD, TEST, "parseval", alignment=[[]])


def test_slices_and_pickles_keep_the_alignment() -> None:
    import pickle

    from treescore.place.word_partners import aligned

    gold, test = treescore.read([GOLD, GOLD]), treescore.read([TEST, TEST])
    pairs = [[(0, 0)], [(1, 2)]]
    bank = aligned(gold, test, pairs)
    assert bank.partners == ([0, -1, -1], [-1, 2, -1])
    assert bank[1:].partners == ([-1, 2, -1],)
    assert pickle.loads(pickle.dumps(bank)).partners == bank.partners
