"""Very long words and labels are shortened wherever they are shown, but not in data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import treescore_inside

LONG = 900_000 * "x"
FILES = {
    "gold": f"(S (NP (DT {LONG}) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (DT the)) (VP (V a)))\n",
    "test": f"(S (NP (DT {LONG})) (VP (NN cat) (VBZ sleeps)))\n(S (NP (DT thy)) (VP (V a)))\n",
    "other": f"(S (NP (DT {LONG}y)) (VP (NN cat) (VBZ sleeps)))\n(S (NP (DT the)) (VP (V a)))\n",
    "label": f"({LONG} (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n",
    "labels": f"(S (NP (DT the)) ({LONG} (NN cat) (VBZ sleeps)))\n",
    "bad": f"(S (NP (DT {LONG}\n",
    "more": f"(S (NP (DT a b {LONG})))\n(S {LONG} (A a))\n",
}
PAIRS = ("gold test", "gold other", "label labels", "label gold", "gold bad", "gold more")
COMMANDS = [
    *("PAIR", "PAIR --explain 1", "PAIR --by label", "PAIR --by label -f markdown", "PAIR --by label -f latex"),
    *("PAIR --by label -f html", "PAIR --per-sentence", "PAIR -m aligned_parseval", "PAIR -f json"),
    *(
        "PAIR -m sparseval --word-errors 5",
        "show PAIR",
        "show PAIR -o tree.svg",
        "errors PAIR",
        "errors PAIR --by rule",
    ),
    *("align sentences PAIR", "align trees PAIR", "agreement PAIR --ci-samples 10", "report PAIR -o page.html"),
    "compare PAIR PAIR --ci-samples 10 --name a --name b --name c",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("pair", PAIRS)
def test_long_words_are_shortened(command: str, pair: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    try:
        shown = "".join(treescore_inside(tmp_path, *command.replace("PAIR", pair).split()))
    except AssertionError as error:  # refused
        shown = str(error)
    for picture in ("tree.svg", "page.html"):
        if (tmp_path / picture).exists():
            shown += (tmp_path / picture).read_text()
    assert shown and 2_000 * "x" not in shown


def test_data_has_whole_words(tmp_path: Path) -> None:
    (tmp_path / "label").write_text(FILES["label"])
    out, _ = treescore_inside(tmp_path, "label", "label", "--by", "label", "-f", "csv")
    assert LONG in out
    out, _ = treescore_inside(tmp_path, "heads", "label")
    assert LONG in out
    out, _ = treescore_inside(tmp_path, "label", "label", "-f", "json", "--by", "label")
    assert LONG in json.dumps(json.loads(out))
