"""What the main function of a process of ours does to its process."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest


@pytest.fixture
def did(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """It is called in the process of the test, and what it does to that is noted here instead."""
    noted: list[str] = []

    def logs(*, file: Path, level: int, own: bool) -> None:
        noted.append(f"{file.name} {logging.getLevelName(level)}{' own' * own}")

    for name in ("offline.stay_offline", "interpreter.prepare_for_torch", "interpreter.begin_anew"):
        monkeypatch.setattr(f"fullfield.{name}", lambda *_, name=name: noted.append(name))
    for name in ("end_with_starter", "end_with_parent", "lower_priority"):
        monkeypatch.setattr(f"fullfield.system.{name}", lambda name=name: noted.append(name))
    monkeypatch.setattr("faulthandler.enable", lambda stream: noted.append("faulthandler.enable"))
    monkeypatch.setattr("fullfield.log.configure", logs)
    return noted
