"""The README and the pages in docs: their examples run, their links lead somewhere, nothing is left to be filled in.

Blocks are run by what is written behind the three backticks:

- `python`: examples with `>>>`, checked by doctest;
- `console`: lines that start with `$ ` are run by the shell, the lines below are what it prints (both streams); a line
  of three dots stands for any lines;
- anything else (`sh`, `text`, …) is only shown.

The pictures that a page shows are drawn by its examples, under the same names; those of the report page are taken in
`tests/browser`.

The blocks of a page run in order, in one folder that holds gold.mrg, parsed.mrg and second.mrg (the demo treebank),
sentences.mrg, model.jsonl and other.jsonl (the demo of language models) and COLLINS.prm; those of pages with recordings
in a copy of the speech demo, if the libraries are there that they need.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command import COLLINS_PRM

ROOT = Path(__file__).parent.parent
EXAMPLES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [*EXAMPLES, *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "NOTICE.md", "SECURITY.md"))]

DEMO = ROOT / "src" / "treescore" / "data"
AUDIO_PAGES = [ROOT / "docs" / name for name in ("speech.md", "speech-from-audio.md")]

KINDS = {"bibtex", "console", "csv", "json", "python", "sh", "text"}
FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block of a page."""

    kind: str
    text: str
    line: int  # of its first line, from 1


def page_id(page: Path) -> str:
    """A page as pytest names it."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        yield Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1)


def commands(block: Block) -> Iterator[tuple[int, str, str]]:
    """Line number, command and expected output of each command in a console block."""
    number, command, expected = 0, "", ""
    for at, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith("$ "):
            if command:
                yield number, command, expected
            number, command, expected = at, line[2:], ""
        else:
            assert command, f"line {at}: output without a command"
            expected += line + "\n"
    if command:
        yield number, command, expected


def agrees(expected: str, found: str) -> bool:
    r"""Is this the output that the page shows?

    >>> agrees("a\n...\nd\n", "a\nb\nc\nd\n"), agrees("a\n...\n", "a\n"), agrees("a\n", "a\nb\n")
    (True, True, False)
    """
    lines = [line.rstrip() for line in expected.splitlines()]
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in lines)
    trimmed = "".join(line.rstrip() + "\n" for line in found.splitlines())
    return re.fullmatch(pattern, trimmed) is not None


def search_path() -> str:
    """The PATH of a person who has activated the environment of these tests."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])


def shell(command: str, folder: Path) -> str:
    """What a command prints, on either stream."""
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": search_path(), "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=120,
    )
    return done.stdout.decode("utf-8", "replace")


def check_console(block: Block, folder: Path) -> Iterator[str]:
    """Run the commands of a block and say where the page is wrong."""
    for number, command, expected in commands(block):
        found = shell(command, folder)
        if not agrees(expected, found):
            yield f"line {number}: $ {command}\n--- the page has\n{expected}--- it prints\n{found}"


def check_python(block: Block, page: Path, names: dict[str, Any]) -> Iterator[str]:
    """Run the examples of a block and say where the page is wrong."""
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line - 1)
    test.globs = names  # the blocks of a page share their names
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=said.append, clear_globs=False)
    if said:
        yield "".join(said)


def _needs_speech() -> None:
    from treescore.speech.audio import check
    from treescore.values.problem import UsageError

    try:
        check()
    except UsageError as missing:
        pytest.skip(f"the examples are not run: {missing}")


@pytest.mark.parametrize("page", EXAMPLES, ids=page_id)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page in AUDIO_PAGES:
        _needs_speech()
        shutil.copytree(DEMO / "demo_speech", tmp_path, dirs_exist_ok=True)
    shutil.copy(DEMO / "demo.gold.mrg", tmp_path / "gold.mrg")
    shutil.copy(DEMO / "demo.test.mrg", tmp_path / "parsed.mrg")
    shutil.copy(DEMO / "demo.second.mrg", tmp_path / "second.mrg")
    shutil.copytree(DEMO / "demo_llm", tmp_path, dirs_exist_ok=True)
    (tmp_path / "COLLINS.prm").write_text(COLLINS_PRM, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", search_path())
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong: list[str] = []
    for block in blocks(page):
        if block.kind == "console":
            wrong += check_console(block, tmp_path)
        elif block.kind == "python":
            assert ">>> " in block.text, (
                f"line {block.line}: a python block without >>> is never run; call it sh or text"
            )
            wrong += check_python(block, page, names)
    assert not wrong, "\n\n".join([page_id(page), *wrong])
    old = [picture.name for picture in pictures(page) if not renewed(picture, tmp_path)]
    assert not old, f"{page_id(page)}: not what the page draws: {old}; TREESCORE_RENEW=1 writes them anew"


#: The version of matplotlib that drew the plots.
DRAWN_BY = (3, 11)


def pictures(page: Path) -> list[Path]:
    """The drawings that a page shows and draws; `report` is a screenshot, `measured` is drawn by a script in bench/."""
    links = LINK.findall(page.read_text(encoding="utf-8"))
    return [
        page.parent / link
        for link in links
        if re.match(r"(\.\./)?pictures/(.*\.svg|(?!report|measured).*\.png)$", link)
    ]


def renewed(picture: Path, folder: Path) -> bool:
    """Has the page drawn, into this folder, the picture that it shows?"""
    drawn = (folder / picture.name).read_bytes()
    if os.environ.get("TREESCORE_RENEW"):
        picture.parent.mkdir(exist_ok=True)
        picture.write_bytes(drawn)
    return picture.read_bytes() == drawn or (picture.suffix == ".png" and _look_alike(picture, folder / picture.name))


def _look_alike(*pictures: Path) -> bool:
    """Plots differ a little with another font, by a hundredth of the ink; other matplotlibs lay them out anew."""
    from matplotlib import __version_info__
    from matplotlib.image import imread

    if __version_info__[:2] != DRAWN_BY:
        return True
    one, other = (imread(picture)[..., :3] for picture in pictures)
    return one.shape == other.shape and float(abs(one - other).mean()) < 0.01


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_kinds_of_blocks(page: Path) -> None:
    unknown = [f"line {block.line}: {block.kind or 'no kind'}" for block in blocks(page) if block.kind not in KINDS]
    assert not unknown, f"{page_id(page)}: {unknown}"
    fences = re.findall(r"^```", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(list(blocks(page))), f"{page_id(page)}: a block is not closed"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as Markdown viewers make them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text(encoding="utf-8")))
    broken = []
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        known = target.exists() and (not anchor or (target.suffix == ".md" and anchor in anchors(target)))
        if not known:
            broken.append(link)
    assert not broken, f"{page_id(page)}: {broken}"


def test_all_pages_are_in_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    named = {(index.parent / link.partition("#")[0]).resolve() for link in LINK.findall(index.read_text("utf-8"))}
    missing = [page_id(page) for page in EXAMPLES if page.parent != ROOT and page != index and page not in named]
    assert not missing


def test_nothing_is_left_to_do() -> None:
    left = [page_id(page) for page in PAGES if "TODO" in page.read_text(encoding="utf-8")]
    assert not left
