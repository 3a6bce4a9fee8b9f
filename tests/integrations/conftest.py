"""What the tests of several adapters share."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from integrations.needed import needed


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No network, and the files of Hugging Face's evaluate in a folder of the test."""
    connect = socket.socket.connect

    def refuse(*_: object) -> None:
        raise AssertionError("a server was asked")

    def connect_locally(own: socket.socket, address: Any) -> None:
        if own.family != socket.AF_UNIX:  # wandb writes its files in a process of its own
            refuse()
        connect(own, address)

    monkeypatch.setenv("DO_NOT_TRACK", "true")
    monkeypatch.setenv("WANDB_ERROR_REPORTING", "false")
    monkeypatch.setattr(socket.socket, "connect", connect_locally)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    config = needed("evaluate").config
    monkeypatch.setattr(config, "HF_METRICS_CACHE", str(tmp_path))
    monkeypatch.setattr(config, "HF_MODULES_CACHE", str(tmp_path / "modules"))
