"""A run, seen from outside: what a window or a command line holds of it, wherever it runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from fullfield.jobs.job import Job
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event

POLL_SECONDS = 0.02


class JobHandle(Protocol):
    """A run, seen from outside. None of its methods waits, but `events`, and `poll` when the run has just ended."""

    folder: Path

    def poll(self) -> list[Event]:
        """The events since the last call. After the last one (RunEnded) there are no more."""

    def events(self) -> Iterator[Event]:
        """All events to the end, waiting for each; the last is always a RunEnded."""

    def post(self, command: Command, /) -> None:
        """Ask something of the run."""

    def stop(self) -> None:
        """Ask the run to end after the step or item in hand, keeping what is done."""

    def kill(self) -> None:
        """End the run at once; what it had saved stays."""

    def alive(self) -> bool:
        """True while its worker runs."""


class Launch(Protocol):
    """`launch`, or what a test puts in its place."""

    def __call__(self, job: Job, /, *, folder: Path | None = None) -> JobHandle: ...
