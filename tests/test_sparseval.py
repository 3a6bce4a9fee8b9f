"""The metric sparseval: worked examples, alignments from outside, parameter files, the original's counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command import interrupted_at_work, sparseval
from strategies import make_pairs

import treescore
from treescore import cli
from treescore.metrics.sparseval import Sparseval
from treescore.pairing.fitted_words import fit
from treescore.place.pair import Pair
from treescore.render.sparseval_text import COLUMNS
from treescore.values.signature_text import SignatureError

GOLD = "(TOP (S (NP (DT the) (NN cup)) (VP (VBZ stands) (PP (IN on) (NP (NN wood))))))"


def totals(gold: str, test: str, **options: object) -> dict[str, int]:
    """The counts of one evaluation."""
    metric = Sparseval(**options)  # type: ignore[arg-type]
    return treescore.evaluate(gold, test, metric).scores[0].counts.total()


def some(counts: dict[str, int], *names: str) -> list[int]:
    return [counts[name] for name in names]


# ---------------------------------------------------------------------------------------------------------------------
# Worked examples


def test_brackets_and_dependencies() -> None:
    counts = totals(GOLD, GOLD)
    assert some(counts, "matched", "gold", "test") == [5, 5, 5]  # S NP VP PP NP: the root is no bracket
    assert some(counts, "head_matched", "head_gold", "head_test") == [5, 5, 5]  # each word once
    # the (closed), on (closed), wood on `on` (closed); cup and stands are left
    assert some(counts, "open_matched", "open_gold", "open_test") == [2, 2, 2]


def test_a_wrong_word_costs_the_dependencies_that_name_it() -> None:
    counts = totals(GOLD, GOLD.replace("stands", "lands"))
    assert some(counts, "matched", "substituted") == [5, 1]
    assert counts["head_matched"] == 2  # the/cup and wood/on; cup, on and the root's name stands
    assert totals(GOLD, GOLD.replace("stands", "Stands"))["head_matched"] == 5


@pytest.mark.parametrize(
    ("test", "left", "common"),
    [
        ("(TOP (S (NP (NN a)) (VP (VB b) (VB c))))", 3, 3),  # the inserted word belongs to what starts after it
        ("(TOP (S (NP (NN a) (VB b)) (VP (VB c))))", 1, 3),
    ],
)
def test_gaps(test: str, left: int, common: int) -> None:
    gold = "(TOP (S (NP (NN a)) (VP (VB c))))"
    assert totals(gold, test)["matched"] == left
    assert totals(gold, test, gaps="common")["matched"] == common


def test_the_head_may_be_asked_to_stand_at_the_same_place() -> None:
    gold = "(TOP (S (VP (VB go) (ADVP (RB there))) (CC and) (VP (VB go))))"
    test = "(TOP (S (VP (VB go)) (CC and) (VP (ADVP (RB there)) (VB go))))"
    word, place = (
        totals(gold, test, heads="collins-1997", governor=governor)["head_matched"] for governor in ("word", "place")
    )
    assert place <= word


def test_edits_have_no_dependencies_and_merge_inside_a_sentence() -> None:
    gold = "(TOP (S (NP (PRP we)) (EDITED (VP (VBD l-))) (EDITED (VP (VBD le-))) (VP (VBD left))))"
    counts = totals(gold, gold)
    assert some(counts, "gold", "head_gold") == [4, 2]  # S NP EDITED VP; we, left
    apart = totals(gold.replace("(EDITED (VP (VBD le-)))", "(PRN (VBD le-))"), gold)
    assert some(apart, "gold", "test") == [5, 4]
    assert totals(gold, gold, edits=["PRN"])["head_gold"] == 4


def test_filled_pauses_are_alike() -> None:
    gold, test = "(TOP (S (INTJ (UH uh)) (VP (VB go))))", "(TOP (S (INTJ (UH um)) (VP (VB go))))"
    assert totals(gold, test)["substituted"] == 0
    assert totals(gold, test, pauses=[])["substituted"] == 1


def test_other_sentence_boundaries() -> None:
    gold = "(TOP (S (NP (PRP we)) (VP (VBD left))))\n(TOP (S (NP (PRP they)) (VP (VBD stayed))))\n"
    test = "(TOP (S (S (NP (PRP we)) (VP (VBD left))) (S (NP (PRP they)) (VP (VBD stayed)))))\n"
    with pytest.raises(treescore.UnequalTreebanks):
        totals(gold, test)
    counts = totals(gold, test, unit="file")
    assert some(counts, "matched", "gold", "test") == [6, 6, 7]
    assert some(counts, "units", "correct") == [1, 4]
    assert totals(gold, test, unit="side") == counts


def test_a_scorer_takes_unequal_sides() -> None:
    line = "(TOP (S (NP (PRP we)) (VP (VBD left))))"
    scorer = treescore.Scorer("sparseval|unit:file")
    scorer.update([line, line], [line])
    scorer.update([line], [line])
    assert some(scorer.compute()["sparseval"].counts.total(), "units", "deleted") == [2, 2]
    scores = treescore.pairwise([GOLD, GOLD.replace("stands", "lands")], "sparseval|align:bag")
    assert [float(score) for score in scores[0]] == [1.0, 0.4]


def test_chunks_are_between_blank_lines() -> None:
    line = "(TOP (S (NP (PRP we)) (VP (VBD left))))\n"
    counts = totals(line + line + "\n" + line, line + "\n" + line + line, unit="chunk")
    assert some(counts, "units", "correct", "deleted", "inserted") == [2, 4, 2, 2]
    report = treescore.evaluate(line + "\n" + line, line, "sparseval|unit:chunk")
    assert {"chunks", "unparsed"} <= set(report.problem_counts())
    assert report.scores[0].counts.total()["deleted"] == 2


def test_chunks_need_a_line_for_each_tree() -> None:
    text = "(TOP (S (A a)\n   (B b)))\n(TOP (S (A c)\n  (B d)))\n\n(TOP (S (A e)\n (B f)))\n"
    bank = treescore.read(text, layout="multiline")
    with pytest.raises(treescore.InputError, match="unit:chunk needs every tree on a line of its own"):
        treescore.evaluate(bank, bank, "sparseval|unit:chunk")
    line = treescore.read("(S (A a))\n(S (A b))\n\n(S (A c))\n")
    counts = treescore.evaluate(line + line, line + line, "sparseval|unit:chunk").scores[0].counts
    assert list(counts["length"]) == [2, 1, 2, 1]


def test_nothing_on_one_side() -> None:
    empty = treescore.evaluate([GOLD, GOLD], ["(())", GOLD], "sparseval")
    assert empty.problem_counts() == {"unparsed": 1}
    assert some(empty.scores[0].counts.total(), "gold", "test", "deleted") == [10, 5, 5]
    counts = totals("(TOP (, ,))", GOLD)
    assert some(counts, "gold", "test", "inserted") == [0, 5, 5]
    broken = treescore.evaluate([GOLD, "(TOP (S (NN a)"], [GOLD, GOLD], "sparseval")
    assert broken.scores[0].counts.total()["errors"] == 1


def test_long_sides_with_errors() -> None:
    rng = Random(3)
    words = [f"w{rng.randrange(300)}" for _ in range(20_000)]
    heard = [word if rng.random() > 0.15 else "x" for word in words if rng.random() > 0.05]
    sides = ["".join(f"(S (NP (NN {word})))\n" for word in side) for side in (words, heard)]
    for align in ("words", "bag"):
        counts = totals(*sides, unit="file", align=align)
        assert counts["head_matched"] > 10_000


def test_deep_trees() -> None:
    deep = "(A" * 50_000 + " (NN a)" + ")" * 50_000
    counts = totals(deep, deep)
    assert counts["matched"] == counts["gold"] == 50_000
    assert counts["head_matched"] == 1


# ---------------------------------------------------------------------------------------------------------------------
# Alignments from outside


def test_places_of_words_that_are_cut_otherwise() -> None:
    rows = [("doesn't", "does"), (None, "not"), ("Mister", "mr"), ("Green", "green")]
    result = fit(rows, ["does", "n't", "MisterGreen"], ["does", "not", "mr", "green"])
    assert result.sides[0].places == [(0, 1), (1, 1), (3, 2)]
    assert result.sides[1].places == [(0, 2), (2, 1), (3, 1), (4, 1)]
    assert result.sides[0].rows == [[0], [], [2, 3]]
    assert result.problems == []


def test_places_that_do_not_fit() -> None:
    with pytest.raises(treescore.InputError, match="word 2, 'b', has no row"):
        fit([("a", "a")], ["a", "b"], ["a"])
    result = fit([("a", "a"), ("b", "c"), ("d", None)], ["x", "b"], ["a", "c"])
    assert [problem.code for problem in result.problems] == ["alignment-words", "alignment-rows"]
    many = fit([("a", "a")] * 50, ["b"] * 50, ["a"] * 50)
    assert len(many.problems) == 11
    assert str(many.problems[-1]).startswith("40 more words of gold")


@pytest.mark.parametrize(
    ("gold", "test", "alignment", "counts"),
    [
        (
            "(S (X don't) (X go))",
            "(S (X do) (X n't) (X go))",
            "do\tdo\t000\nn't\tn't\t000\ngo\tgo\t000\n",
            [3, 0, 0, 0],
        ),
        ("(S (UH uh) (X go))", "(S (UH um) (X go))", "uh\tum\t001\ngo\tgo\t000\n", [2, 0, 0, 0]),
        ("(S (X a) (X b))", "(S (X b) (X a))", "a\t\t100\nb\tb\t000\n\ta\t010\n", [1, 0, 1, 1]),
    ],
)
def test_words_count_as_the_given_alignment_has_them(gold: str, test: str, alignment: str, counts: list[int]) -> None:
    result = totals(gold, test, align=alignment.encode())
    assert some(result, "correct", "substituted", "deleted", "inserted") == counts
    rows = Sparseval(align=alignment.encode()).word_rows(Pair(treescore.read(gold), treescore.read(test)))
    assert sum(same for *_, same in rows) == counts[0]


def test_given_alignment() -> None:
    gold = "(TOP (S (NP (NN a)) (VP (VB b))))\n(TOP (S (VB c)))"
    test = "(TOP (S (NP (NN x)) (VP (VB y))))\n(TOP (S (VB c)))"
    alignment = b"a\t\t100\n\tx\t010\nb\ty\t001\nc\tc\t000\n"
    counts = totals(gold, test, unit="file", align=alignment)
    assert some(counts, "correct", "substituted", "deleted", "inserted") == [1, 1, 1, 1]
    assert counts == totals(gold, test, align=alignment) | {"units": 1, "valid": 1, "exact": 0} | {
        name: counts[name] for name in ("matched", "gold", "test", "crossing")
    }
    metric = Sparseval(align=alignment, unit="file")
    assert treescore.metric(metric.signature) == metric
    assert metric.word_rows(Pair(treescore.read(gold), treescore.read(test)))[0] == ("a", None, False)


def test_own_alignment_given_back_changes_nothing(tmp_path: Path) -> None:
    """Except where the words of a row are the same by the metric's rules: then nothing at all."""
    for seed in range(40):
        pairs = make_pairs(Random(seed), 3)
        gold, test = ("\n".join(side) for side in zip(*pairs, strict=True))
        own = Sparseval(unit="file")
        banks = treescore.read(gold, on_error="keep"), treescore.read(test, on_error="keep")
        rows = own.word_rows(Pair(*banks))
        if not rows:
            continue
        text = "".join(
            f"{a or ''}\t{b or ''}\t{'010' if a is None else '100' if b is None else '000' if same else '001'}\n"
            for a, b, same in rows
        )
        given = Sparseval(unit="file", align=text.encode("utf-8", "surrogateescape"))
        assert given.counts(Pair(*banks)).total() == own.counts(Pair(*banks)).total(), seed


# ---------------------------------------------------------------------------------------------------------------------
# Options


def test_parameter_files() -> None:
    prm = b"DELETE_LABEL TOP\n# a comment\nEDIT_LABEL PRN\nCLOSED_CLASS\tNN\nCLOSED_WORD on\nEQ_LABEL NP PP \n"
    prm += b"CUTOFF_LEN 40\n"
    metric = Sparseval(prm=prm)
    assert metric.edits == ("PRN",)
    assert metric.delete == ("TOP",)
    assert metric.equal == (("NP", "PP"),)
    report = treescore.evaluate(GOLD, GOLD, metric)
    assert [str(problem) for problem in report.problems] == ["line 7: 'CUTOFF_LEN' is not known (line ignored)"]
    assert "prm:" in metric.signature
    assert treescore.metric(metric.signature) == metric
    assert Sparseval(prm=prm, edits=["X"]).signature != metric.signature


def test_parameter_files_with_the_original_counts() -> None:
    """There a group of pauses is no chain of equal words."""
    prm = b"FILLED_PAUSE1 uh\nFILLED_PAUSE1 um # not quite\nFILLED_PAUSE1 er\n"
    gold, test = "(TOP (S (UH uh) (VB go)))", "(TOP (S (UH er) (VB go)))"
    for compat in (None, "original"):
        assert totals(gold, test, prm=prm.replace(b" # not quite", b""), compat=compat)["head_matched"] == 2
    assert Sparseval(prm=b"\xef\xbb\xbf" + prm).complaints == []


@pytest.mark.parametrize(
    "options",
    [
        {"unit": "book"},
        {"align": "no-such-file"},
        {"heads": "no-such-table"},
        {"gaps": "right"},
        {"governor": "x"},
        {"compat": "x"},
        {"labels": "no"},
        {"delete": "TOP"},
        {"colour": ["red"]},
        {"compat": "original", "unit": "chunk"},
        {"compat": "original", "align": b"a\ta\t000\n"},
        {"compat": "original", "gaps": "common"},
        {"compat": "original", "closed_words": ["a"]},
        {"delete": [1]},
        {"delete": None},
        {"equal": ["AB"]},
    ],
)
def test_wrong_options(options: dict[str, object]) -> None:
    with pytest.raises(SignatureError):
        Sparseval(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["unit:book", "prm:no-such-file", "align:", "colour:red", "labels:maybe"])
def test_wrong_signatures(option: str) -> None:
    with pytest.raises(SignatureError):
        treescore.metric(f"sparseval|{option}")


def test_original_counts_are_those_of_the_program(tmp_path: Path) -> None:
    """The same trees, lists and head table through the metric and through the program."""
    table = "*default* (r)\nS (l VP)\nNP (r NN NNS) (l NP)\nVP (l VB VBZ)\n"
    for seed in range(60):
        pairs = [pair for pair in make_pairs(Random(seed), 4) if all(side.startswith("(") for side in pair)]
        banks = [treescore.read([pair[side] for pair in pairs], on_error="keep") for side in (0, 1)]
        if not pairs or any(bank.problems for bank in banks):
            continue
        for flags, options in (([], {}), (["-b"], {"align": "bag"}), (["-u"], {"labels": False})):
            metric = Sparseval(
                compat="original", heads=treescore.heads.HeadTable.read(table), pauses=["uh", "um"], **options
            )
            folder = tmp_path / f"{seed}{''.join(flags)}"
            folder.mkdir()
            for bank, name in zip(banks, ("gold", "test"), strict=True):
                bank.write(folder / name)
            lists = {"DELETE_LABEL": metric.delete, "EMPTY_NODE": metric.empty, "EDIT_LABEL": metric.edits}
            lists |= {"CLOSED_CLASS": metric.closed}
            lines = [f"{key} {value}\n" for key, values in lists.items() for value in values]
            lines += [f"FILLED_PAUSE1 {word}\n" for word in metric.pauses]
            (folder / "params").write_text("".join(lines))
            (folder / "heads").write_text(table)
            printed, _, code = sparseval(
                ["sparseval", "-v", *flags, "-p", "params", "-h", "heads", "gold", "test"], folder
            )
            try:
                counts = metric.counts(Pair(*banks))
            except treescore.InputError:
                assert code == 1
                continue
            assert code == 0
            rows = [line.split()[1:] for line in printed.decode().splitlines() if line[:5].strip().isdigit()]
            assert rows == [[str(counts[name][row]) for name in COLUMNS] for row in range(len(banks[0]))], (seed, flags)


# ---------------------------------------------------------------------------------------------------------------------
# The command


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "json", "jsonl", "html"])
@pytest.mark.parametrize("align", ["words", "bag"])
@pytest.mark.parametrize("compat", ["", "|compat:original"])
def test_every_format(form: str, align: str, compat: str) -> None:
    report = treescore.evaluate([GOLD, GOLD], [GOLD, GOLD], f"sparseval|align:{align}{compat}")
    assert report.to(form, per_sentence=True)
    assert report.to(form, by="length")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_ends_a_long_unit(tmp_path: Path) -> None:
    """All words alike: so many pairs match that a unit of this size takes a minute."""
    for name, seed in (("gold", 1), ("test", 2)):
        rng = Random(seed)
        lines = ("(TOP (X " + " ".join(f"(A w{rng.randrange(2)})" for _ in range(20)) + "))\n" for _ in range(10_000))
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "heads").write_text("*default* (l)\n")
    command = [sys.executable, "-m", "treescore", "sparseval", "-c", "-b", "-h", "heads", "gold", "test"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        interrupted_at_work(running, 1.5)
    assert running.returncode == 130


@pytest.mark.parametrize("n", [20_000])
def test_deep_edits_and_deletions_stay_linear(n: int) -> None:
    """Each level has something to move; a hundred million steps would be felt."""
    for tree in (
        "(S (EDITED (A b)) " * n + "(A c)" + ")" * n,
        "(S " * n + "(A c) " + "(EDITED (A b)) " * n + ")" * n,
        "(TOP " + "(, " * n + "(A c) " * n + ")" * n + ")",
    ):
        counts = totals(tree, tree)
        assert counts["matched"] == counts["gold"]
        assert counts["correct"] >= n


def test_programs_without_a_place_to_write(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text(GOLD + "\n")
    closed = f"{sys.executable} -m treescore sparseval gold gold >&-"
    full = f"{sys.executable} -m treescore sparseval gold gold >/dev/full"
    for command in [closed, full] if Path("/dev/full").exists() else []:
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert done.stderr.startswith("sparseval: ")


def test_corpus_command(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "gold").write_text(GOLD + "\n")
    (tmp_path / "test").write_text(GOLD.replace("wood", "would").replace("(DT the)", "") + "\n")
    files = [str(tmp_path / "gold"), str(tmp_path / "test")]
    alignment = tmp_path / "words.align"
    side = ["-m", "sparseval|unit:side"]
    assert cli.main([*files, *side, "--word-errors", "10", "--word-alignment", str(alignment)]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert "3 words correct, 1 substituted, 1 deleted, 0 inserted" in shown
    assert "substituted: wood → would\ndeleted: the\n" in shown
    assert alignment.read_text() == "the\t\t100\ncup\tcup\t000\nstands\tstands\t000\non\ton\t000\nwood\twould\t001\n"
    assert cli.main([*files, "-m", f"sparseval|unit:side|align:{alignment}", "--per-sentence"]) == 0
    assert "by sentence" in capsysbinary.readouterr().out.decode()
    (tmp_path / "list").write_text(f"{tmp_path / 'gold'}\n{tmp_path / 'gold'}\n")
    lists = [str(tmp_path / "list"), str(tmp_path / "list"), "--lists"]
    assert cli.main([*lists, "-m", "sparseval|unit:file|compat:original", "-f", "json"]) == 0
    assert b'"units": 2' in capsysbinary.readouterr().out
    (tmp_path / "one").write_text(f"{tmp_path / 'gold'}\n")
    for wrong, message in (
        ([*files, "-m", "sparseval|labels:no|align:bag", "-p", "/no/such"], "/no/such"),
        ([*files, *side, "--threads", "0"], "not a number of threads"),
        (["-", "-", *side, "--word-errors", "3"], "only one of the files can be standard input"),
        ([*files, "-m", "sparseval|align:bag", "--word-alignment", str(tmp_path / "out")], "that aligns words"),
        ([*files, "-m", "sparseval|compat:original", "--word-errors", "3"], "that aligns words"),
        ([*files, *side, "--word-errors", "3", "-f", "json"], "--word-errors needs -f table"),
        ([*files, *side, "--word-errors", "3", "--chunk", "1M"], "--chunk"),
        (["--lists", os.devnull, os.devnull], "names no files"),
        ([lists[0], str(tmp_path / "one"), "--lists"], "both need the same number"),
    ):
        assert cli.main(wrong) == 2
        assert message in capsysbinary.readouterr().err.decode()


def test_many_files(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """Directories, lists and one file after the other give the same counts, also with alignments of one's own."""
    trees = {"a": [GOLD, GOLD.replace("wood", "would")], "b": [f"{GOLD}\n{GOLD}", GOLD.replace("(DT the)", "")]}
    for side, folder in enumerate(("gold", "test")):
        (tmp_path / folder).mkdir()
        for name, texts in trees.items():
            (tmp_path / folder / f"{name}.{folder}").write_text(texts[side] + "\n")
        (tmp_path / f"{folder}.list").write_text("".join(f"{tmp_path / folder / name}.{folder}\n" for name in trees))
    (tmp_path / "aligned").mkdir()

    def scored(*arguments: str) -> dict[str, Any]:
        assert cli.main([*arguments, "-f", "json", "--per-sentence"]) == 0
        result: dict[str, Any] = json.loads(capsysbinary.readouterr().out)["scores"][0]
        return result

    single = []
    for name in trees:
        pair = [str(tmp_path / folder / f"{name}.{folder}") for folder in ("gold", "test")]
        single.append(scored(*pair, "-m", "sparseval|unit:file", "--word-alignment", str(tmp_path / "aligned" / name)))
    folders = [str(tmp_path / "gold"), str(tmp_path / "test")]
    whole = scored(*folders, "-m", "sparseval|unit:file", "--word-alignment", str(tmp_path / "all"))
    assert (tmp_path / "all").read_text() == "".join((tmp_path / "aligned" / name).read_text() for name in trees)
    assert [row["gold"] for row in whole["sentences"]] == [score["sentences"][0]["gold"] for score in single]
    for name, value in whole["counts"].items():
        assert value == sum(score["counts"][name] for score in single)
    listed = [str(tmp_path / "gold.list"), str(tmp_path / "test.list"), "--lists"]
    assert scored(*listed, "-m", "sparseval|unit:file") == whole
    given = scored(*folders, "-m", f"sparseval|unit:file|align:{tmp_path / 'aligned'}")
    assert given["counts"] == whole["counts"]
    assert cli.main([*folders, "-m", f"sparseval|unit:file|align:{tmp_path / 'all'}"]) == 2
    assert b"is one file for 2 pairs of files" in capsysbinary.readouterr().err
    (tmp_path / "test" / "b.test").rename(tmp_path / "test" / "c.test")
    assert cli.main([*folders, "-m", "sparseval|unit:file"]) == 2
    assert b"there is no file of this name" in capsysbinary.readouterr().err
