"""The commands. `main` finds the command and imports only what it needs."""

from __future__ import annotations
