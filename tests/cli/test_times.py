"""`treescore times` in processes of its own: formats, what is said, and failures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command import treescore

SAMPLES = Path(__file__).parents[1] / "golden" / "word_times"
TABLE = "id\tword\tstart\tend\nu1\tso\t0.1\t0.4\nu1\tuh\t\t\nu1\tno\t0.3\t0.9\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(SAMPLES / "utt.eaf", tmp_path)
    (tmp_path / "words.tsv").write_text(TABLE)
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0, stdin: str = "") -> tuple[str, str]:
    """Standard output and standard error."""
    return treescore(folder, "times", *arguments, code=code, stdin=stdin)


def test_shown(folder: Path) -> None:
    out, err = run(folder, "utt.eaf")
    assert json.loads(out)["words"][:2] == [["your", 0.0, 0.18], ["turn", 0.18, 0.52]]
    assert err == "treescore: the words are those of the tier 'words'\n"
    assert run(folder, "utt.eaf", "--tier", "words") == (out, "")


def test_converted(folder: Path) -> None:
    out, err = run(folder, ".", "-f", "ctm")
    assert out.startswith("utt A 0.0 0.18 your\n")
    assert out.endswith("u1 A 0.1 0.2 so\nu1 A 0.3 0.6 no\n")
    assert "treescore: 1 problem: 1 overlap; first problem: words.tsv:4: word 3 of u1, no, begins at 0.3" in err
    assert "treescore: 1 word without a time left out\n" in err
    assert run(folder, "-", "-f", "tsv", stdin=TABLE)[0] == TABLE.replace("0.4", "0.3")
    assert run(folder, "words.tsv", "utt.eaf", "-o", "all.jsonl")[0] == ""
    assert len((folder / "all.jsonl").read_text().splitlines()) == 2


def test_textgrids(folder: Path) -> None:
    assert run(folder, "utt.eaf", "-f", "textgrid")[0].startswith('File type = "ooTextFile"\n')
    run(folder, "utt.eaf", "words.tsv", "-f", "textgrid", "-o", "grids/")
    assert sorted(path.name for path in (folder / "grids").iterdir()) == ["u1.TextGrid", "utt.TextGrid"]
    again, err = run(folder, "grids", "-f", "tsv")
    assert "utt\tnow\t1.04\t1.48\n" in again
    assert err == "treescore: the words are those of the tier 'words' (2 files)\n"


def test_ids_that_begin_with_a_dot(folder: Path) -> None:
    """Hidden files of a folder would not be read again."""
    run(folder, "-", "-f", "textgrid", "-o", "grids/", stdin='{"id": ".a/b", "words": [["so", 0, 1]]}\n')
    assert [path.name for path in (folder / "grids").iterdir()] == ["_a_b.TextGrid"]
    assert "_a_b\tso\t0.0\t1.0\n" in run(folder, "grids", "-f", "tsv")[0]


def test_words_that_are_read_as_silence(folder: Path) -> None:
    line = '{"id": "u", "words": [["so", 0, 1], ["sp", 1, 2], ["SIL", 2, 3]]}\n'
    err = run(folder, "-", "-f", "textgrid", stdin=line)[1]
    assert err == "treescore: textgrid treats words spelt like silence or noise marks as such: 2 words, first 'sp'\n"
    assert run(folder, "-", "-f", "ctm", stdin=line)[1] == ""


def test_words_left_out(folder: Path) -> None:
    table = TABLE.replace("0.3", "0.4")
    out = run(folder, "-", "-f", "ctm", stdin=table)[0]
    assert out.count("\n") == 2
    assert run(folder, "-", "-f", "ctm", "--strict", stdin=table, code=1) == (
        out,
        "treescore: 1 word without a time left out\n",
    )
    run(folder, "-", "-f", "tsv", "--strict", stdin=table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.ctm",), "nothing.ctm: No such file or directory"),
        (("-", "-"), "only one of the files can be standard input"),
        (
            ("words.tsv", "utt.eaf", "-f", "textgrid"),
            "a TextGrid holds one utterance, not 2; name a folder",
        ),
        (("words.tsv", "words.tsv", "-f", "textgrid", "-o", "."), "two utterances would be written to 'u1'"),
        (("words.tsv", "--tier", "words"), "only textgrid, eaf, mfa-json, mfa-csv have tiers"),
        (("utt.eaf", "--tier", "phones"), "there is no tier 'phones'; the tiers are 'words'"),
        (("words.tsv", "--times-format", "ctm"), "there are no words in it"),
        (
            ("words.tsv", "--strict"),
            "words.tsv:4: word 3 of u1, no, begins at 0.3, before the word before it ends",
        ),
    ],
)
def test_failures(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    out, err = run(folder, *arguments, code=2)
    assert out == ""
    assert message in err


def test_nothing_timed(folder: Path) -> None:
    assert "no word has a time" in run(folder, "-", "-f", "ctm", stdin="u\tso\t\t\n", code=2)[1]


def test_many_tiers(folder: Path) -> None:
    text = (SAMPLES / "utt.short.TextGrid").read_text()
    for place in range(7):
        (folder / f"{place}.TextGrid").write_text(text.replace("words", f"tier {place}"))
    err = run(folder, *(f"{place}.TextGrid" for place in range(7)))[1]
    assert err.endswith("'tier 4' (1 file)\ntreescore: … and 2 more\n")


def test_help(folder: Path) -> None:
    assert "examples:" in run(folder, "--help")[0]
