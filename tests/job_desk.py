"""The context of a job that answers commands, run in a thread of the test: what it tells is collected."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import asking
from fullfield.context import Context
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event

E = TypeVar("E", bound=Event)
S = TypeVar("S")
SECONDS = 60.0


class JobDesk:
    """See `fullfield.context.Context`."""

    rank, world = 0, 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reported: list[Event] = []
        self.waiting: list[Command] = []
        self.stopped = threading.Event()

    def emit(self, event: Event, /) -> None:
        """See Context."""
        self.reported.append(event)

    def stopping(self) -> bool:
        """See Context."""
        return self.stopped.is_set()

    def commands(self) -> list[Command]:
        """See Context."""
        waiting, self.waiting = self.waiting, []
        return waiting

    def post(self, **command: Any) -> None:
        """Ask something of the job."""
        self.waiting = [*self.waiting, asking.command(command)]

    def wait(self, kind: type[E], fits: Callable[[E], bool] = lambda _: True) -> E:
        """The first event of a kind that fits."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for event in list(self.reported):
                if isinstance(event, kind) and fits(event):
                    return event
            time.sleep(0.01)
        raise AssertionError(f"no {kind.__name__} came")


@contextlib.contextmanager
def working(run: Callable[[S, Context], object], spec: S, folder: Path) -> Iterator[JobDesk]:
    """The job at work until the end of the block."""
    desk = JobDesk(folder)
    thread = threading.Thread(target=run, args=(spec, desk))
    thread.start()
    try:
        yield desk
    finally:
        desk.stopped.set()
        thread.join()
