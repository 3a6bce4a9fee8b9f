"""What the tests of several adapters share."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from integrations.needed import needed


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No network, and the files of Hugging Face's evaluate in a folder of the test."""

    def refuse(*_: object) -> None:
        raise AssertionError("a server was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    config = needed("evaluate").config
    monkeypatch.setattr(config, "HF_METRICS_CACHE", str(tmp_path))
    monkeypatch.setattr(config, "HF_MODULES_CACHE", str(tmp_path / "modules"))
