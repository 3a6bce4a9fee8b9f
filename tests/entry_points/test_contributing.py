"""What CONTRIBUTING.md says about adding things is done literally, and must be enough for every command."""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import treescore_inside

import treescore
from treescore.cli.commands import with_studies

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PARTS = ("a metric", "a format", "a command", "an axis")

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NN rain)) (VP (VBZ falls)))\n"
TEST = "(S (NP (DT the) (NN cat) (VBZ sleeps)))\n(S (NP (NN rain)) (VP (NN falls)))\n"

#: A copy of a file, a module, and an entry of a table.
COPY = re.compile(r"cp (\S+) src/treescore/(\w+)/(\w+\.py)\n")
MODULE = re.compile(r"# src/treescore/(\w+)/(\w+\.py)\n")
ENTRY = re.compile(r"# (\w+) in src/(\S+)\.py\n")


def blocks(part: str) -> list[str]:
    """The code blocks under a heading."""
    section = TEXT.split(f"## Add {part}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^```\w+\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module", autouse=True)
def _contributed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Do what the blocks say, with modules in a folder that the packages look into as well."""
    folder = tmp_path_factory.mktemp("contributed")
    written, tables = [], []
    with pytest.MonkeyPatch.context() as patched:
        for block in (block for part in PARTS for block in blocks(part)):
            if file := COPY.match(block) or MODULE.match(block):
                package, name = file.groups()[-2:]
                (folder / package).mkdir(exist_ok=True)
                source = (ROOT / file[1]).read_text(encoding="utf-8") if COPY.match(block) else block
                (folder / package / name).write_text(source, encoding="utf-8")
                module = import_module(f"treescore.{package}")
                patched.setattr(module, "__path__", [*module.__path__, str(folder / package)])
                written.append(f"treescore.{package}.{name.removesuffix('.py')}")
            else:
                entry = ENTRY.match(block)
                assert entry, block
                module = import_module(entry[2].replace("/", ".").removesuffix(".__init__"))
                for name, value in eval(f"{{{block}}}", vars(module).copy()).items():
                    patched.setitem(getattr(module, entry[1]), name, value)
                tables.append(entry[1])
        assert tables == ["REGISTRY", "TREE_FORMATS", "OUTPUT_FORMATS", "COMMANDS", "AXES"]
        yield
    for name in written:
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders with the same trees in files of the same names: in brackets, and in the toy format."""
    root = tmp_path_factory.mktemp("files")
    for kind in ("brackets", "toy"):
        (root / kind).mkdir()
        for name, text in (("gold", GOLD), ("test", TEST)):
            toy = "%toy" + text.replace("(", "[").replace(")", "]")
            (root / kind / name).write_text(toy if kind == "toy" else text)
        columns = {name: pa.array(text.splitlines()) for name, text in (("gold", GOLD), ("test", TEST))}
        pq.write_table(pa.table(columns), root / kind / "pairs.parquet")
    (root / "brackets" / "ref.trn").write_text("a b (s-1)\n")
    (root / "brackets" / "hyp.trn").write_text("a c (s-1)\n")
    return root


def choices(command: str, option: str) -> list[Any] | None:
    """What an option of a command takes; None if there is no such option."""
    actions = with_studies()[command].parser(command)._actions
    result: argparse.Action | None = next((action for action in actions if option in action.option_strings), None)
    return None if result is None else list(result.choices or ())


@pytest.mark.parametrize("part", PARTS)
def test_the_instructions_are_five_lines(part: str) -> None:
    section = TEXT.split(f"## Add {part}\n", 1)[1].split("\n```", 1)[0]
    assert len(re.findall(r"^\d\. ", section, re.MULTILINE)) == 5
    assert blocks(part)


# ---- a metric

WITH_METRIC = [
    "gold test -m toy",
    "gold test -m toy --by length",
    "gold test -m toy --per-sentence -f csv",
    "gold test -m toy --plot plot.svg",
    "gold test -m toy --plot plot.svg --plot-kind length",
    "gold test -m toy --ci --ci-samples 20",
    "gold test -m toy --fail-under f1=1",
    "gold test -m toy|fold:yes",
    "compare gold test gold -m toy --ci-samples 20",
    "report gold test -m toy -o page.html",
    "columns pairs.parquet -m toy -o scores.jsonl",
    "study length --gold gold --test test -m toy",
    "info toy|fold:yes",
]


@pytest.mark.parametrize("line", WITH_METRIC)
def test_commands_take_the_metric(line: str, folder: Path) -> None:
    out, _ = treescore_inside(folder / "brackets", *line.split())
    assert "toy" in out or line.endswith(("-f csv", "page.html"))


def test_the_metric_is_suggested_and_listed(folder: Path) -> None:
    _, err = treescore_inside(folder / "brackets", "gold", "test", "-m", "toi", code=2)
    assert "did you mean 'toy'?" in err
    assert "toy" in treescore_inside(folder / "brackets", "--help")[0]


# ---- formats

WITH_TREES = [
    "gold test",
    "gold test -m struct_iou --explain worst",
    "compare gold test gold --ci-samples 20",
    "show gold test --worst 1",
    "errors gold test",
    "errors gold test --by rule",
    "agreement gold test --ci-samples 20",
    "align sentences gold test",
    "align trees gold test",
    "study length --gold gold --test test",
    "heads gold",
    "toy gold",
]


@pytest.mark.parametrize("line", WITH_TREES)
def test_commands_detect_and_read_the_input_format(line: str, folder: Path) -> None:
    brackets, toy = (treescore_inside(folder / kind, *line.split()) for kind in ("brackets", "toy"))
    assert toy == brackets


@pytest.mark.parametrize("command", with_studies())
def test_the_input_format_is_a_choice(command: str) -> None:
    """Of every command that reads files of trees; the cells of a table have their own."""
    given = choices(command, "--input-format")
    assert given is None or "toy" in given or command == "columns"


def test_the_input_format_is_suggested_and_read_in_python(folder: Path) -> None:
    with pytest.raises(treescore.UsageError, match="did you mean 'toy'"):
        treescore.read("(S (NN a))", form="toi")
    assert str(treescore.read(folder / "toy" / "gold")[0]) == GOLD.splitlines()[0]
    problem = treescore.read("%toy[S [NN a]]\n[S", on_error="keep").problems[0]
    assert (problem.line, problem.unit) == (2, 2)


@pytest.mark.parametrize("command", with_studies())
def test_the_output_format_is_a_choice(command: str) -> None:
    """Of every command whose result is offered as JSON."""
    given = choices(command, "--format")
    assert given is None or ("toy" in given) == ("json" in given)


@pytest.mark.parametrize(
    "line",
    [
        "gold test",
        "gold test --by length --per-sentence",
        "compare gold test gold --ci-samples 20",
        "compare --compat sacrebleu gold test gold --ci-samples 20",
        "show gold test --worst 1",
        "errors gold test",
        "errors gold test --by rule",
        "agreement gold test --ci-samples 20",
        "align sentences gold test",
        "align trees gold test",
        "align words ref.trn hyp.trn",
        "columns pairs.parquet",
        "study length --gold gold --test test",
    ],
)
def test_commands_write_the_output_format(line: str, folder: Path) -> None:
    out, _ = treescore_inside(folder / "brackets", *line.split(), "-f", "toy")
    assert ast.literal_eval(out)


# ---- a command and an axis


def test_the_command_is_like_any_other(folder: Path) -> None:
    assert treescore_inside(folder / "brackets", "toy", "gold") == ("2\n", "")
    assert "count the trees of a file" in treescore_inside(folder / "brackets", "--help")[0]
    assert "--input-format" in treescore_inside(folder / "brackets", "toy", "--help")[0]
    assert "did you mean '--layout'?" in treescore_inside(folder / "brackets", "toy", "gold", "--layot", code=2)[1]


def test_the_axis_places_leaves() -> None:
    pair = treescore.Pair(treescore.read(GOLD), treescore.read(TEST))
    assert pair.placed("toy")[1] == ([(0.0, 2.0), (2.0, 4.0)], [(0.0, 2.0), (2.0, 4.0)])
    assert str(pair.placed("toy").axis) == "toy"
    with pytest.raises(treescore.UsageError, match="did you mean 'toy'"):
        pair.placed("toi")
