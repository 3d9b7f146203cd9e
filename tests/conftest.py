"""Every test runs without a screen, without this user's folders, and without a GPU unless it is marked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fullfield.plan import libraries
from fullfield.plan.libraries import Libraries

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(autouse=True)
def private_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Cache, models, runs and settings of this test alone; also for the processes that it starts."""
    base = tmp_path_factory.mktemp("private")
    monkeypatch.setenv("FULLFIELD_MODELS", str(base / "models"))
    monkeypatch.setenv("FULLFIELD_PRESETS", str(base / "presets"))
    monkeypatch.setenv("FULLFIELD_CACHE", str(base / "cache"))
    monkeypatch.setenv("FULLFIELD_RUNS", str(base / "runs"))
    monkeypatch.setenv("FULLFIELD_REVIEWS", str(base / "reviews"))
    monkeypatch.setenv("FULLFIELD_SETTINGS", str(base / "settings"))
    monkeypatch.setenv("FULLFIELD_GRADINGS", str(base / "gradings"))
    monkeypatch.setenv("HF_HUB_CACHE", str(base / "hub"))
    for brings in ((), libraries.USUAL):  # measured once by a process of some ten seconds: not in every test
        libraries.keep(brings, Libraries(begin=800 << 20, whole=900 << 20))
    return base
