"""No command writes its result over what it reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import treescore_inside

CONLLU = "1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n"
FILES = {
    "tree": "(S (NP (NN a)) (VB b))\n",
    "spans": '["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.8]]]\n',
    "text.trn": "a b (u1)\n",
    "words.ctm": "u1 1 0.0 0.5 a\n",
    "one.conllu": CONLLU,
}
COMMANDS = [
    ["agreement", "tree", "tree", "-o", "tree"],
    ["align", "sentences", "tree", "tree", "-o", "tree"],
    ["align", "trees", "tree", "tree", "-o", "tree"],
    ["align", "words", "text.trn", "text.trn", "-o", "text.trn"],
    ["compare", "tree", "tree", "tree", "--name", "a", "--name", "b", "-o", "tree"],
    ["compare", "tree", "tree", "spans", "--ci-units", "text.trn", "-o", "text.trn"],
    ["compare", "--compat", "bikel", "tree", "tree", "-o", "tree"],
    ["tree", "tree", "--ci", "--ci-units", "text.trn", "-o", "text.trn"],
    ["tree", "tree", "-m", "sparseval", "--word-errors", "9", "--ci", "--ci-units", "text.trn", "-o", "text.trn"],
    ["spans", "spans", "--pair", "auto", "--ci", "--ci-units", "text.trn", "-o", "text.trn"],
    ["one.conllu", "one.conllu", "-o", "one.conllu"],
    ["errors", "tree", "tree", "-o", "tree"],
    ["heads", "tree", "--output", "tree"],
    ["mbr", "tree", "-o", "tree"],
    ["perturb", "noise", "spans", "--delta", "0.1", "-o", "spans"],
    ["report", "tree", "tree", "-o", "tree"],
    ["show", "tree", "tree", "-o", "tree"],
    ["tree", "tree", "-m", "sparseval", "--word-alignment", "tree"],
    ["spans", "spans", "--pair", "auto", "-o", "spans"],
    ["study", "length", "--gold", "tree", "--test", "tree", "-o", "tree"],
    ["times", "words.ctm", "-o", "words.ctm"],
    ["tree", "tree", "-o", "./tree"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_inputs_are_kept(command: list[str], tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    _, err = treescore_inside(tmp_path, *command, code=2)
    assert "is an input file" in err, err
    assert {name: (tmp_path / name).read_text() for name in FILES} == FILES
