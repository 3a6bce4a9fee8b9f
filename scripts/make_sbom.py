#!/usr/bin/env python3
"""Writes the SBOM of a release: what pip installs with a wheel and its extras today, and what is inside the wheel.

Usage: scripts/make_sbom.py FOLDER   (make sbom runs it; FOLDER has a wheel that fits this Python)
Writes FOLDER/treescore-VERSION.cdx.json, CycloneDX 1.6. Nothing is installed: pip only says what it would install.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.tags import sys_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

#: Extras for those who work on treescore; nobody else installs what they bring.
OWN_EXTRAS = {"browser", "dev", "docs", "test"}
#: Frameworks that have adapters here: whoever wants one has the framework already, and its own list of what is in it.
HOSTS = {"huggingface", "spacy", "torch"}


def fitting_wheel(folder: Path) -> Path:
    """The wheel in a folder that can be installed here."""
    tags = set(sys_tags())
    fitting = [path for path in sorted(folder.glob("treescore-*.whl")) if tags & parse_wheel_filename(path.name)[3]]
    if not fitting:
        sys.exit(f"make_sbom: no wheel in {folder} fits this Python; make wheel builds one")
    return fitting[-1]


def read_wheel(path: Path) -> tuple[Metadata, dict[str, Any]]:
    """What a wheel says about itself, and what is inside its native module."""
    with zipfile.ZipFile(path) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Metadata.from_email(wheel.read(name), validate=False)
        return metadata, json.loads(wheel.read("treescore/_core.cdx.json"))


def resolved(wheel: Path, extras: list[str]) -> list[dict[str, Any]]:
    """What pip would install, treescore first."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"]
    done = subprocess.run([*command, f"{wheel}[{','.join(extras)}]"], check=True, stdout=subprocess.PIPE)
    return sorted(json.loads(done.stdout)["install"], key=lambda item: not item["requested"])


def wanted(item: dict[str, Any], extras: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Which packages a package needs with these extras, and with which extras of theirs."""
    for line in item["metadata"].get("requires_dist", ()):
        need = Requirement(line)
        if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(need.name), need.extras


def reached(items: dict[str, dict[str, Any]], extras: set[str]) -> dict[str, set[str]]:
    """All packages that treescore needs with these extras, and what each of them needs."""
    found: dict[str, set[str]] = {}
    seen: dict[str, set[str]] = {}
    todo: list[tuple[str, set[str]]] = [("treescore", extras)]
    while todo:
        name, asked = todo.pop()
        if name not in items or (name in seen and asked <= seen[name]):
            continue
        seen[name] = seen.get(name, set()) | asked
        needs = list(wanted(items[name], seen[name]))
        found[name] = {need for need, _ in needs if need in items and need != name}
        todo += needs
    return found


def licences(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    """The licence of a package as it names it; long texts are left to the package."""
    expression = metadata.get("license_expression")
    if expression:
        return [{"expression": expression}]
    names = [line.rpartition(" :: ")[2] for line in metadata.get("classifier", ()) if line.startswith("License :: ")]
    names = names or [name for name in [metadata.get("license", "")] if name and "\n" not in name]
    return [{"license": {"name": name}} for name in names]


def component(item: dict[str, Any], required: bool) -> dict[str, Any]:
    """A package as CycloneDX writes it."""
    name, version = canonicalize_name(item["metadata"]["name"]), item["metadata"]["version"]
    hashes = item.get("download_info", {}).get("archive_info", {}).get("hashes", {})
    made = {
        "type": "library",
        "bom-ref": name,
        "name": item["metadata"]["name"],
        "version": version,
        "scope": "required" if required else "optional",
        "purl": f"pkg:pypi/{name}@{version}",
        "licenses": licences(item["metadata"]),
        "hashes": [{"alg": "SHA-256", "content": hashes["sha256"]}] if "sha256" in hashes else [],
    }
    return {key: value for key, value in made.items() if value}


def bom(wheel: Path) -> dict[str, Any]:
    """The SBOM of a wheel."""
    metadata, native = read_wheel(wheel)
    extras = {str(extra) for extra in metadata.provides_extra or ()} - OWN_EXTRAS - HOSTS
    items: dict[str, dict[str, Any]] = {}
    items |= {canonicalize_name(item["metadata"]["name"]): item for item in resolved(wheel, sorted(extras))}
    required, needs = reached(items, set()), reached(items, extras)
    core = native["metadata"]["component"]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.now(timezone.utc).timestamp()))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, timezone.utc).isoformat(),
            "component": {**component(items["treescore"], True), "type": "application"},
        },
        "components": [
            core,
            *native["components"],
            *(component(items[name], name in required) for name in sorted(needs) if name != "treescore"),
        ],
        "dependencies": [
            *native["dependencies"],
            *(
                {"ref": name, "dependsOn": [*([core["bom-ref"]] if name == "treescore" else []), *sorted(needs[name])]}
                for name in sorted(needs)
            ),
        ],
    }


def main(folder: str) -> None:
    """Write the SBOM of the wheel in a folder beside it."""
    made = bom(fitting_wheel(Path(folder)))
    text = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        sys.exit(f"make_sbom: that is no CycloneDX: {wrong}")
    path = Path(folder) / f"treescore-{made['metadata']['component']['version']}.cdx.json"
    path.write_text(text, encoding="utf-8")
    print(f"{path}: {len(made['components'])} components")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
