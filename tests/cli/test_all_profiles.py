"""`--all-profiles` and `--which-f1`: scores by every profile, and the profiles that give a published number."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from command import treescore

from treescore.profiles import PROFILES, PUBLICATIONS
from treescore.scoring.published import signature_of

GOLD = "(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .)))\n(TOP (S (NP (PRP it)) (VP (VBD ran))))\n"
TEST = "(TOP (S (NP (DT the)) (VP (NN cat) (VBZ sleeps)) (. .)))\n(TOP (S (NP (PRP it)) (VP (VBD ran))))\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "test.mrg").write_text(TEST)
    (tmp_path / "pairs.jsonl").write_text("[[0, 0], [1, 1], [2, 2], [3, 3]]\n[[0, 0], [1, 1]]\n")
    return tmp_path


def test_profiles_are_the_metrics_of_that_name(folder: Path) -> None:
    alignment = ["--alignment", "pairs.jsonl"]
    shown, _ = treescore(folder, "gold.mrg", "test.mrg", "--all-profiles", *alignment, "-f", "json")
    profiles = {profile["profile"]: profile for profile in json.loads(shown)["profiles"]}
    assert list(profiles) == list(PROFILES)
    for name, profile in profiles.items():
        aligned = alignment if name == "av-nsl" else []
        shown, _ = treescore(folder, "gold.mrg", "test.mrg", "-m", signature_of(name), *aligned, "-f", "json")
        (score,) = json.loads(shown)["scores"]
        for key in ("value", "all", "signature"):
            assert profile[key] == score[key], name
        assert profile["coverage"] == score["coverage"]["units"], name


@pytest.mark.parametrize("form", ["table", "csv", "tsv", "json", "jsonl", "markdown", "latex", "html"])
@pytest.mark.parametrize("flags", [["--all-profiles"], ["--which-f1", "66.67"]], ids=str)
def test_every_format(form: str, flags: list[str], folder: Path) -> None:
    shown, _ = treescore(folder, "gold.mrg", "test.mrg", *flags, "-f", form)
    assert "collins" in shown


def test_a_profile_that_is_not_applicable_has_a_reason(folder: Path) -> None:
    shown, _ = treescore(folder, "gold.mrg", "test.mrg", "--all-profiles", "-f", "csv")
    (row,) = [row for row in csv.DictReader(io.StringIO(shown)) if row["profile"] == "av-nsl"]
    assert row["value"] == ""
    assert row["reason"].startswith("needs an alignment of words")
    shown, _ = treescore(folder, "gold.mrg", "test.mrg", "--all-profiles", "--reference", "gold.mrg")
    assert "av-nsl is not applicable: it takes one gold tree per sentence\n" in shown


def test_coverage_is_stated(folder: Path) -> None:
    (folder / "test.mrg").write_text(TEST.replace("(PRP it)", "(PRP It)"))
    shown, _ = treescore(folder, "gold.mrg", "test.mrg", "--all-profiles")
    assert "leave out failed sentences, at most 1 of 2; figures over all sentences count them as wrong\n" in shown
    assert "50.00" in next(line for line in shown.splitlines() if line.startswith("collins "))


def test_signatures_name_the_options_in_use(folder: Path) -> None:
    shown, _ = treescore(folder, "gold.mrg", "test.mrg", "--all-profiles")
    assert "\nparseval|labels:yes|profile:PROFILE|v:" in shown
    shown, _ = treescore(folder, "gold.mrg", "test.mrg", "--all-profiles", "--disconly")
    assert "\nparseval|labels:yes|profile:PROFILE|only:discontinuous|v:" in shown


def figures(folder: Path, published: str) -> list[dict[str, Any]]:
    shown, _ = treescore(folder, "gold.mrg", "test.mrg", "--which-f1", published, "-f", "json")
    values: list[dict[str, Any]] = json.loads(shown)["figures"]
    return values


def test_which_f1(folder: Path) -> None:
    shown, _ = treescore(folder, "gold.mrg", "test.mrg", "-f", "json", "--all-profiles")
    collins = json.loads(shown)["profiles"][0]
    assert f"{100 * collins['value']:.2f}" == "66.67"
    for published in ("66.67", "66.7", "67", "0.667"):
        agreeing = figures(folder, published)
        assert agreeing[0]["profile"] == "collins"
        assert agreeing[0]["figure"] == "f1"
        assert all(figure["agrees"] for figure in agreeing)
        headlines = [figure["headline"] for figure in agreeing]
        assert headlines == sorted(headlines, reverse=True)


def test_the_nearest_three(folder: Path) -> None:
    nearest = figures(folder, "66.6")
    assert len(nearest) == 3
    assert not any(figure["agrees"] for figure in nearest)
    assert nearest[0]["value"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--which-f1", "many"], "'many' is not a published figure such as 79.8"),
        (["--which-f1", ""], "'' is not a published figure such as 79.8"),
        (["--which-f1", "120"], "'120' is not a figure in percent"),
        (["--all-profiles", "--which-f1", "80"], "not allowed with argument --all-profiles"),
        (["--all-profiles", "-m", "parseval"], "--all-profiles scores by every profile: leave out --metric"),
        (["--which-f1", "80", "--by", "label"], "--which-f1 scores by every profile: leave out --by"),
        (["--all-profiles", "-f", "evalb"], "the format must be one of table,"),
    ],
    ids=str,
)
def test_wrong_use(arguments: list[str], message: str, folder: Path) -> None:
    shown, output = treescore(folder, "gold.mrg", "test.mrg", *arguments, code=2)
    assert shown == ""
    assert message in output
    assert output.count("\n") == 1


def test_plot(folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="NO PLOT IS TESTED: matplotlib is not installed")
    treescore(folder, "gold.mrg", "test.mrg", "--all-profiles", "--plot", "profiles.svg")
    assert b"<svg" in (folder / "profiles.svg").read_bytes()


def test_table_of_profiles(folder: Path) -> None:
    shown, _ = treescore(folder, "info", "profiles")
    lines = shown.splitlines()
    for name, publication in PUBLICATIONS.items():
        assert any(line.startswith(f"{name} ") and publication.users in line for line in lines), name
    shown, _ = treescore(folder, "info", "supar")
    assert "source: yzhangcs/parser: Tree.factorize, SpanMetric\n" in shown


def test_every_profile_has_a_source_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "profiles.md").read_text(encoding="utf-8")
    assert list(PUBLICATIONS) == list(PROFILES)
    for name, publication in PUBLICATIONS.items():
        repository = publication.source.partition(":")[0]
        assert repository in page, name
