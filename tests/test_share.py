"""What wheels install for shells and for `man`: it is what the parsers say now, and programs can read it."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

import treescore
from treescore.cli.commands import with_studies

ROOT = Path(__file__).parent.parent
SHARE = ROOT / "share"
PAGES = sorted((SHARE / "man" / "man1").glob("*.1"))


def test_files_are_new() -> None:
    result: dict[str, str] = runpy.run_path(str(ROOT / "scripts" / "make_share.py"))["texts"]()
    there = {path.relative_to(SHARE).as_posix(): path for path in SHARE.rglob("*") if path.is_file()}
    old = sorted(
        {*result, *there} - {name for name, path in there.items() if result.get(name) == path.read_text("utf-8")}
    )
    assert not old, "not what the commands say now: make share writes them anew"


def test_every_command_has_a_page() -> None:
    main = (SHARE / "man" / "man1" / "treescore.1").read_text("utf-8")
    assert f'"treescore {treescore.__version__}"' in main
    names = {page.name for page in PAGES}
    for command in filter(None, with_studies()):
        page = f"treescore-{command.replace(' ', '-')}"
        assert f"{page}.1" in names
        assert " " in command or page.replace("-", "\\-") in main


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_pages_have_no_faults() -> None:
    for page in PAGES:
        shown = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], check=True, capture_output=True, text=True)
        assert not shown.stderr, page.name
        assert treescore.__version__ in shown.stdout
