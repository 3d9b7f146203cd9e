"""A session in a thread of this process, and its window: what that asks, and what it is told."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asking
from fullfield.enhance import session
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event
from fullfield.protocol.small import SessionSpec

PATIENCE = 60.0  # seconds until a test is given up that would wait for ever


class Window:
    """The context of a session in a thread of this process: what it is asked, and what it tells."""

    rank, world = 0, 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reported: list[Event] = []
        self.full: Callable[[Event], bool] = lambda event: False
        self.fault: Exception | None = None
        self._news, self._stop = threading.Condition(), threading.Event()
        self._asked: list[Command] = []
        self._thread = threading.Thread(target=self._run, daemon=True)

    def emit(self, event: Event, /) -> None:
        """Keep it; where the disk is `full` for it, fail as a file does."""
        if self.full(event):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with self._news:
            self.reported.append(event)
            self._news.notify_all()

    def stopping(self) -> bool:
        """See `Context`."""
        return self._stop.is_set()

    def commands(self) -> list[Command]:
        """See `Context`."""
        asked, self._asked = self._asked, []
        return asked

    def ask(self, name: str, index: int = 0, **fields: Any) -> None:
        """Post a command."""
        self._asked = [*self._asked, asking.command({"command": name, "index": index, **fields})]

    def open(self, source: Path, index: int = 0) -> None:
        """Post an "open" and an "enhance"."""
        self.ask("open", index, source=str(source), archive="")
        self.ask("enhance", index, choice="general")

    def until(self, kind: type[Event], count: int = 1) -> Any:
        """The `count`th event of a kind."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.of(kind)) >= count, PATIENCE), self.reported
        return self.of(kind)[count - 1]

    def of(self, kind: type[Event]) -> list[Any]:
        """All events of a kind."""
        return [event for event in self.reported if isinstance(event, kind)]

    def begin(self) -> None:
        """Start the session."""
        self._thread.start()

    def end(self) -> None:
        """Ask it to stop; returns when it has."""
        self._stop.set()
        self.wait()

    def wait(self) -> None:
        """Until it has ended."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the session waits for ever"

    def _run(self) -> None:
        try:
            session.run(SessionSpec(device="cpu"), self)
        except Exception as error:  # noqa: BLE001 - it is what the tests look at
            self.fault = error
