"""What a release is made of: versions that agree, a reference of all public names, workflows that call what exists."""

from __future__ import annotations

import importlib.metadata
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import treescore

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_version() -> None:
    output = subprocess.run(
        [sys.executable, "-m", "treescore", "--version"], check=True, capture_output=True, text=True
    )
    assert output.stdout == f"treescore {treescore.__version__}\n"
    try:
        installed = importlib.metadata.version("treescore")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the metadata are not looked at: treescore is not installed, only found")
    assert installed == treescore.__version__


def test_version_is_in_the_changelog_and_the_citation() -> None:
    assert f"\n## [{treescore.__version__}] - " in (ROOT / "CHANGELOG.md").read_text("utf-8")
    cited = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    assert cited == [treescore.__version__]


def test_public_names_are_in_the_reference() -> None:
    text = "".join(page.read_text("utf-8") for page in (ROOT / "docs" / "api").glob("*.rst"))
    listed = re.findall(r"^\.\. (?:auto|py:)\w+:: treescore\.(\w+)$", text, re.M)
    missing = set(treescore.__all__) - set(listed) - {"__version__"}
    assert not missing and len(listed) == len(set(listed))
    for name in listed:  # modules, too
        assert name in treescore.__all__ or (ROOT / "src" / "treescore" / name / "__init__.py").exists()


def public_names() -> dict[str, set[str]]:
    """The public names of each module, as docs/stability.md lists them."""
    from treescore import studies

    text = (ROOT / "docs" / "stability.md").read_text("utf-8")
    rows = re.findall(r"^\| `(treescore[\w.]*)`[^|]*\| (.+) \|$", text, re.M)
    listed = {module: set(re.findall(r"`(\w+)`", names)) for module, names in rows}
    assert "treescore.studies.ambiguity" in listed
    return listed | {f"treescore.studies.{name}": {"study"} for name in studies.names()}


def test_list_of_public_names() -> None:
    for module, names in public_names().items():
        if module.startswith("treescore.integrations."):
            continue  # their libraries may be missing; make test-company runs the examples that import them
        name = module.removeprefix("treescore.")
        namespace = getattr(treescore, name) if name in treescore.__all__ else importlib.import_module(module)
        assert all(hasattr(namespace, name) for name in names), module
        assert names == set(getattr(namespace, "__all__", names)), module


def test_documentation_imports_only_public_names() -> None:
    public = public_names()
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    imports = re.compile(r"^(?:>>> )?(?:from (treescore[\w.]*) import (.+)|import (treescore[\w.]*))$", re.M)
    seen = 0
    for page in pages:
        for source, names, module in imports.findall(page.read_text("utf-8")):
            seen += 1
            assert not module or module == "treescore", (page, module)
            for name in names.split(", ") if names else ():
                assert name in public.get(source, ()) or f"{source}.{name}" in public, (page, source, name)
    assert seen > 50


def test_contents_of_the_site_are_the_tables_of_the_index() -> None:
    site = runpy.run_path(str(ROOT / "docs" / "conf.py"))
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    source = [index]
    site["add_contents"](None, site["root_doc"], source)
    trees = source[0].removeprefix(index)
    assert trees.count("```{toctree}") == index.count("\n## ") + 1
    assert set(re.findall(r"^[\w./-]+$", trees, re.M)) == {*re.findall(r"\(([^)]+)\.md\) \|", index), "api/index"}


def called(workflow: dict[str, Any]) -> list[str]:
    """The commands of a workflow."""
    return [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]


@pytest.mark.skipif(not WORKFLOWS, reason="an sdist has no workflows")
def test_workflows_call_what_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    items = set()
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text("utf-8"))
        assert workflow["permissions"] == {"contents": "read"}
        assert all("timeout-minutes" in job for job in workflow["jobs"].values())
        for command in called(workflow):
            items |= set(re.findall(r"\bmake (?:\w+=\S+ )*([a-z-]+)", command))
            assert all((ROOT / script).exists() for script in re.findall(r"\bscripts/[\w./-]+", command))
    assert {"test", "docs", "release-check"} <= items <= targets
