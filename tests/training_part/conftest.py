"""An installation of the training part from tiny wheels, in a process that has none of it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event
from fullfield.protocol.setup_events import BytesFetched
from fullfield.protocol.small import InstallSpec
from fullfield.training_part import install, needs
from fullfield.training_part.pip import Pip
from training_part import made


@dataclass
class FakeContext:
    """A worker's context. `stop_at`: bytes that have arrived when the run is asked to stop."""

    folder: Path
    reported: list[Event] = field(default_factory=list)
    stop_at: int = -1
    rank: int = 0
    world: int = 1
    stopped: threading.Event = field(default_factory=threading.Event)

    def emit(self, event: Event, /) -> None:
        self.reported.append(event)
        if isinstance(event, BytesFetched) and 0 <= self.stop_at <= event.done:
            self.stopped.set()

    def stopping(self) -> bool:
        return self.stopped.is_set()

    def accept(self) -> None:
        """Nothing was there before."""

    def begin_anew(self) -> None:
        """Memory does not run out."""

    def commands(self) -> list[Command]:
        return []


@pytest.fixture
def context(tmp_path: Path) -> FakeContext:
    return FakeContext(tmp_path)


@pytest.fixture
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip of this computer is set to nothing."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("PIP_RETRIES", "0")


Install = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first environment is kept that a test has made."""
    return tmp_path_factory.mktemp("made") / "environment"


@pytest.fixture
def installing(context: FakeContext, no_settings: None, environment: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """The job, run in this process. Its new environments are copies of the first."""
    monkeypatch.setattr(Pip, "make_environment", made.copies(environment))
    monkeypatch.setattr(needs, "check", made.unlabelled)
    return lambda **spec: install.run(InstallSpec(**spec), context)
