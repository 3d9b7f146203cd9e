"""Looks of a process of ours in the process of the test: before each look comes a turn."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

Turn = Callable[[], None]


class Turns:
    """The thread that `module` begins runs at once, until there is no turn more.

    `more`: of the clock, what it asks for beside sleeping. `killed`: processes and signals; `slept`: how long between
    looks; `begun`: the names of threads.
    """

    def __init__(self, module: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
        self.folder = folder
        self.turns: list[Turn] = []
        self.killed: list[tuple[int, int]] = []
        self.slept: list[float] = []
        self.begun: list[str] = []
        self._own = threading.get_ident()
        monkeypatch.setattr(module, "time", SimpleNamespace(sleep=self._sleep, **more))
        monkeypatch.setattr(module, "threading", SimpleNamespace(Thread=self._thread))
        monkeypatch.setattr(os, "kill", lambda pid, number: self.killed.append((pid, number)))

    def _sleep(self, seconds: float) -> None:
        if threading.get_ident() != self._own:  # a thread that another test has begun in this process looks on
            time.sleep(seconds)
            return
        self.slept.append(seconds)
        if not self.turns:
            raise SystemExit
        self.turns.pop(0)()

    def _thread(self, *, target: Turn, name: str, daemon: bool) -> Any:
        assert daemon, "it ends with the process"

        def start() -> None:
            self.begun.append(name)
            with pytest.raises(SystemExit):
                target()

        return SimpleNamespace(start=start)
