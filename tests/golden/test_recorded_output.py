"""The evalb commands against recorded output of the original programs, byte for byte."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from command import evalb

HERE = Path(__file__).parent


def cases(kind: str) -> list[Any]:
    """The recorded cases of one program."""
    recorded = json.loads(lzma.decompress((HERE / f"{kind}.json.xz").read_bytes()))
    return [pytest.param(case, kind == "evalb_spmrl", id=f"{kind}-{case['name']}") for case in recorded["cases"]]


@pytest.mark.parametrize(("case", "spmrl"), [*cases("evalb"), *cases("evalb_spmrl")])
def test_same_bytes(case: dict[str, Any], spmrl: bool, tmp_path: Path) -> None:
    for name, content in case["files"].items():
        (tmp_path / name).write_bytes(content.encode("latin-1"))
    output = evalb(case["cmd"], tmp_path, spmrl=spmrl)
    assert output.stdout.decode("latin-1") == case["stdout"]
    assert output.code == case["code"]
    assert (output.status or b"").decode("latin-1") == (case["status"] or "")
    if not is_usage(case["stderr"]):
        assert output.stderr.decode("latin-1") == case["stderr"]


def is_usage(text: str) -> bool:
    """Help texts are our own."""
    return "help" in text
