"""What the tests of several commands begin with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fullfield import parts
from fullfield.jobs.job import Job
from fullfield.training_part import place
from fullfield_app.cli import train


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The jobs that a command line starts, of which none runs."""
    found: list[Job] = []
    monkeypatch.setattr(train, "launch", lambda job, folder: found.append(job))
    monkeypatch.setattr(train._Asked, "give", lambda self, handle: None)
    monkeypatch.setattr(train, "_follow", lambda handle, json, quiet: 0)
    return found


@pytest.fixture
def light_installation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Makes this a light installation, with the training part beside it where that is installed."""

    def make(*, installed: bool = True) -> None:
        monkeypatch.setattr(parts, "is_here", lambda name: False)
        monkeypatch.setattr(place, "installed", lambda: object() if installed else None)
        monkeypatch.setattr(place, "python", lambda: tmp_path / "python")

    return make
