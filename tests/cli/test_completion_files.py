"""Commands with files of completions: every output format, commands that take GOLD TEST, errors in one line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command import treescore

from treescore.helpers.files import packaged

SUFFIX = "|llm:last|repair:all"
LINE = "30 completions: 8 valid as printed, 7 extracted, 7 repaired, 8 rejected; 17 faithful"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("sentences.mrg", "model.jsonl", "other.jsonl"):
        (tmp_path / name).write_bytes(packaged(f"demo_llm/{name}").read_bytes())
    return tmp_path


def score(folder: Path, *options: str, test: str = "model.jsonl", code: int = 0) -> tuple[str, str]:
    return treescore(folder, "sentences.mrg", test, *options, code=code)


def texts(folder: Path) -> list[str]:
    lines = (folder / "model.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["completion"] or "" for line in lines]


@pytest.mark.parametrize("form", ["table", "markdown", "html", "latex"])
def test_rates_are_in_every_table(folder: Path, form: str) -> None:
    out, _ = score(folder, "-f", form)
    assert LINE in out
    assert out.index("56.90") < out.index("32.11") < out.index("98.06", out.index("32.11"))
    assert "faithful (same words)" in out
    assert "repair:all" in out


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_rates_are_in_rows(folder: Path, form: str) -> None:
    out, _ = score(folder, "-f", form)
    rows = list(csv.DictReader(io.StringIO(out), delimiter="," if form == "csv" else "\t"))
    rates = {row["part"]: (row["above"], row["below"]) for row in rows if row["metric"] == "completions"}
    assert rates["valid"] == ("8", "30")
    assert rates["faithful"] == ("17", "30")
    assert {row["signature"].endswith(SUFFIX) for row in rows} == {True}


def test_rates_are_in_json(folder: Path) -> None:
    data = json.loads(score(folder, "-f", "json", "--per-sentence")[0])
    assert data["completions"]["outcomes"] == {"valid": 8, "extracted": 7, "repaired": 7, "rejected": 8}
    assert data["completions"]["policy"] == SUFFIX[1:]
    (shown,) = data["scores"]
    assert shown["full_signature"].endswith(SUFFIX)
    assert shown["as_printed"] < shown["all"] < shown["value"]
    assert [row["outcome"] for row in shown["sentences"]].count("rejected") == 8
    assert shown["sentences"][4]["repairs"] == "close"
    assert shown["sentences"][12]["difference"] == "wrong"


def test_formats_of_evalb_and_records(folder: Path) -> None:
    out, _ = score(folder, "-f", "evalb")
    assert "Number of sentence        =     30" in out
    rows = [json.loads(line) for line in score(folder, "-f", "jsonl", "--per-sentence")[0].splitlines()]
    assert {"id", "outcome", "repairs", "reason", "faithful", "difference", "tree", "f1"} <= set(rows[0])


def test_trees_are_written_for_other_commands(folder: Path) -> None:
    score(folder, "--trees", "trees.mrg", "-o", "scores.txt")
    trees = (folder / "trees.mrg").read_text(encoding="utf-8").splitlines()
    assert len(trees) == 30
    assert [number for number, tree in enumerate(trees, 1) if tree == "()"] == [12, 18, 19, 20, 21, 26, 27, 30]
    ids = [line.partition("\t")[0] for line in (folder / "sentences.mrg").read_text(encoding="utf-8").splitlines()]
    (folder / "trees.tsv").write_text(
        "".join(f"{id}\t{tree}\n" for id, tree in zip(ids, trees, strict=True)), encoding="utf-8"
    )
    parts = [
        json.loads(score(folder, "-f", "json", test=test)[0])["scores"][0] for test in ("model.jsonl", "trees.tsv")
    ]
    assert parts[0]["all"] == parts[1]["all"]


@pytest.mark.parametrize(
    ("name", "joined", "options"),
    [
        ("marks", "\n=====\n", ("--separator", "=====")),
        ("blocks", "\n\n", ("--layout", "block")),
        ("blocks", "\n\n", ("--input-format", "completions")),
        ("blocks", "\n\n", ("--input-format", "auto,completions")),
    ],
)
def test_text_files(folder: Path, name: str, joined: str, options: tuple[str, ...]) -> None:
    printed = [text.replace("\n\n", "\n") or "nothing" for text in texts(folder)]
    (folder / f"{name}.txt").write_text(joined.join(printed) + "\n", encoding="utf-8")
    assert (
        "30 completions: 8 valid as printed, 7 extracted, 7 repaired" in score(folder, *options, test=f"{name}.txt")[0]
    )


def test_own_fields(folder: Path) -> None:
    lines = [json.dumps({"answer": {"plain": text}}) for text in texts(folder)]
    (folder / "fields.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert LINE in score(folder, "--field", "answer.plain", test="fields.jsonl")[0]
    _, error = score(folder, "--field", "answer.text", test="fields.jsonl", code=2)
    assert "fields.jsonl:1: there is no field 'answer.text' in this object" in error


def test_gates(folder: Path) -> None:
    score(folder, "--fail-under", "valid=26", "--fail-under", "faithful=56.67", "--fail-under", "f1=56.9")
    _, error = score(folder, "--fail-under", "valid=95", "--fail-under", "f1=57", code=1)
    assert "valid is 26.67 % of the completions, below 95" in error
    assert "f1 over all sentences is 56.90, below 57" in error
    for gate, message in (
        ("rejected=5", "more rejected completions are not better; use another rate: valid, faithful"),
        ("valid=0.95", "rates are in percent; did you mean 95?"),
        ("vaild=95", "there is no figure 'vaild'; did you mean 'valid'?"),
    ):
        assert message in score(folder, "--fail-under", gate, code=2)[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--repair", "close,glue"),
            "repair must be one of all, none, close, surplus, brackets, parens, blanks, empty",
        ),
        (("--repair", "none,close"), "repair 'none' cannot be combined with other repairs"),
        (
            ("--unfaithful", "aligned", "-m", "struct_iou"),
            "unfaithful:aligned has no effect on struct_iou: add a metric",
        ),
        (("--chunk", "1K", "--repair", "none"), "--chunk: --repair needs whole files"),
        (("--chunk", "1K"), "only bracketed text can be scored in parts"),
    ],
)
def test_wrong_options(folder: Path, options: tuple[str, ...], message: str) -> None:
    _, error = score(folder, *options, code=2)
    assert error.startswith("treescore: error: ")
    assert error.count("\n") == 1
    assert message in error


@pytest.mark.parametrize("option", [("--repair", "none"), ("--samples",), ("--trees", "x"), ("--layout", "block")])
def test_options_need_completions(folder: Path, option: tuple[str, ...]) -> None:
    (folder / "plain.mrg").write_text("(S (NN a))\n", encoding="utf-8")
    if option[0] == "--layout":
        assert "1 completion: 1 valid" in treescore(folder, "plain.mrg", "plain.mrg", *option)[0]
        return
    _, error = treescore(folder, "plain.mrg", "plain.mrg", *option, code=2)
    assert f"{option[0]} is for completions of a language model, and TEST has trees" in error
    assert not (folder / "x").exists()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"id": "s01", "text": ""}\n{"id": "x", "text": ""}\n', "model.jsonl:2: gold has no sentence with the id 'x'"),
        ('{"id": "s01", "text": ""}\n{"id": "s01", "text": ""}\n', "model.jsonl:2: the id 's01' occurs twice"),
        (
            '{"text": "(S a)"}\n{"text": "(S b)"}\n',
            "there are 2 completions for 30 sentences; their words first differ",
        ),
        ('{"text": "(S a)"}\n{"txt": "(S b)"}\n', "model.jsonl:2: there is no completion in this object (it has txt)"),
        ('{"text": "(S a)"}\n{"text": \n', "model.jsonl:2:"),
    ],
)
def test_wrong_files(folder: Path, lines: str, message: str) -> None:
    (folder / "model.jsonl").write_text(lines, encoding="utf-8")
    _, error = score(folder, code=2)
    assert message in error
    assert error.count("\n") == 1


def test_a_model_is_compared_with_a_parser(folder: Path) -> None:
    """The parser's trees have no traces; gold has some, which no system has to print."""
    gold = [line.split("\t") for line in (folder / "sentences.mrg").read_text(encoding="utf-8").splitlines()]
    bare = [tree.replace("(WHNP (-NONE- 0)) ", "").replace(" (NP (-NONE- *T*-1))", "") for _, tree in gold]
    (folder / "parser.tsv").write_text(
        "".join(f"{id}\t{tree}\n" for (id, _), tree in zip(gold, bare, strict=True)), encoding="utf-8"
    )
    for metric in ("parseval", "struct_iou", "tree_distance"):
        options = "model.jsonl", "other.jsonl", "parser.tsv", "-m", metric, "-f", "json", "--ci-samples", "100"
        data = json.loads(treescore(folder, "compare", "sentences.mrg", *options)[0])
        (summary,) = data["metrics"]
        assert [system["value"] == 1.0 for system in summary["systems"]] == [False, False, True], metric
        assert list(data["completions"]) == ["model", "other"]
        assert SUFFIX in summary["systems"][0]["full_signature"]


COMMANDS = {
    "errors": ("errors", "sentences.mrg", "model.jsonl"),
    "errors by category": ("errors", "sentences.mrg", "model.jsonl", "--by", "category"),
    "show": ("show", "sentences.mrg", "model.jsonl", "other.jsonl", "--id", "s15"),
    "show unfaithful": ("show", "sentences.mrg", "model.jsonl", "--id", "s14", "--unfaithful", "aligned"),
    "report": ("report", "sentences.mrg", "model.jsonl", "other.jsonl", "-o", "page.html"),
    "align trees": ("align", "trees", "sentences.mrg", "model.jsonl"),
    "align sentences": ("align", "sentences", "sentences.mrg", "model.jsonl"),
    "study length": ("study", "length", "--gold", "sentences.mrg", "--test", "model.jsonl"),
    "study metrics": ("study", "metrics", "--gold", "sentences.mrg", "--test", "model.jsonl", "other.jsonl"),
    "all profiles": ("sentences.mrg", "model.jsonl", "--all-profiles"),
    "which f1": ("sentences.mrg", "model.jsonl", "--which-f1", "56.9"),
    "explain": ("sentences.mrg", "model.jsonl", "--explain", "worst:2"),
    "by label": ("sentences.mrg", "model.jsonl", "--by", "label", "--ci", "--ci-samples", "50"),
    "word errors": ("sentences.mrg", "model.jsonl", "--word-errors", "3", "-m", "sparseval"),
    "reference": ("sentences.mrg", "model.jsonl", "--reference", "sentences.mrg"),
    "demo": ("demo",),
}
REFUSED = {
    "agreement": ("agreement", "sentences.mrg", "model.jsonl"),
    "perturb": ("perturb", "noise", "model.jsonl", "--delta", "0.1"),
    "mbr": ("mbr", "model.jsonl"),
    "columns": ("columns", "model.jsonl"),
    "gold": ("model.jsonl", "sentences.mrg"),
    "align words": ("align", "words", "sentences.mrg", "model.jsonl"),
    "heads": ("heads", "model.jsonl"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_accept_completions(folder: Path, name: str) -> None:
    out, _ = treescore(folder, *COMMANDS[name])
    assert out or name == "report"


@pytest.mark.parametrize("name", REFUSED)
def test_commands_refuse_completions(folder: Path, name: str) -> None:
    _, error = treescore(folder, *REFUSED[name], code=2)
    assert error.startswith("treescore: error: ")
    assert error.count("\n") == 1


def test_rates_are_columns_of_compared_pairs(folder: Path) -> None:
    options = "model.jsonl", "sentences.mrg", "--name", "model", "--name", "gold", "-f", "csv", "--ci-samples", "50"
    out, _ = treescore(folder, "compare", "sentences.mrg", *options)
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["a"], row["valid_a"], row["faithful_b"]) == ("model", str(8 / 30), "")


def test_several_files_are_refused(folder: Path) -> None:
    for side, name in (("gold", "sentences.mrg"), ("test", "model.jsonl")):
        (folder / side).mkdir()
        for document in "ab":
            (folder / side / f"{document}{Path(name).suffix}").write_bytes((folder / name).read_bytes())
    _, error = treescore(folder, "gold", "test", code=2)
    assert error.startswith("treescore: error: completions of a language model are scored from one file: ")


def test_show_has_the_raw_text(folder: Path) -> None:
    out, _ = treescore(folder, "show", "sentences.mrg", "model.jsonl", "--id", "s12")
    assert "completion of model: rejected (no-tree)" in out
    assert "I'm sorry, but I can't help with that." in out


def test_show_escapes_hostile_text(folder: Path) -> None:
    printed = "\x1b[31mred\x1b[0m <script>alert(1)</script> \u202e\x00 " + "x" * 1_000_000
    (folder / "gold.mrg").write_text("(S (NN a))\n", encoding="utf-8")
    (folder / "model.jsonl").write_text(json.dumps({"text": printed}) + "\n", encoding="utf-8")
    out, _ = treescore(folder, "show", "gold.mrg", "model.jsonl", "--id", "1")
    assert "\x1b" not in out
    assert "\x00" not in out
    assert "\u202e" not in out
    assert len(out) < 10_000


def test_signatures_are_explained(folder: Path) -> None:
    signature = f"parseval|labels:yes|profile:collins|v:0.2.0.dev0{SUFFIX}"
    out, _ = treescore(folder, "info", signature)
    assert "repairs: all; unfaithful ones fail" in out.splitlines()[-1]
    out, _ = treescore(folder, "info", signature, signature.replace("repair:all", "repair:none|unfaithful:aligned"))
    assert "B: completions: the last tree with the words of the sentence; repairs: none; unfaithful" in out
    for wrong in ("llm:first|repair:all", "llm:last", "llm:last|repair:glue", "llm:last|repair:all|unfaithful:x"):
        _, error = treescore(folder, "info", f"parseval|{wrong}", code=2)
        assert error.count("\n") == 1
