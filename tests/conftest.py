"""Every test runs without a screen, without this user's folders, and without a GPU unless it is marked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(autouse=True)
def private_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Cache, models and runs of this test alone; also for the processes that it starts."""
    base = tmp_path_factory.mktemp("private")
    monkeypatch.setenv("FULLFIELD_MODELS", str(base / "models"))
    monkeypatch.setenv("FULLFIELD_CACHE", str(base / "cache"))
    monkeypatch.setenv("FULLFIELD_RUNS", str(base / "runs"))
    return base
