"""The examples of docs/integrations.md that need the packages of `make test-company`: its text blocks with `>>>`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from integrations.needed import needed
from test_docs import ROOT, blocks, check_python

for name in ("torchmetrics", "lightning", "evaluate", "spacy", "wandb", "mlflow", "tensorboard"):
    needed(name)


def test_examples(alone: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "integrations.md"
    names: dict[str, Any] = {"__name__": "__main__"}
    chosen = [block for block in blocks(page) if block.kind == "text" and ">>> " in block.text]
    assert len(chosen) >= 10
    wrong = [message for block in chosen for message in check_python(block, page, names)]
    assert not wrong, "\n\n".join(wrong)
    needed("spacy").tokens.Span.remove_extension("tree")
