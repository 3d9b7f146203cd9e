"""What a job is given while it runs: where it writes, whom it tells, and whether it has been asked to stop."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from fullfield.protocol.commands import Command
from fullfield.protocol.computers import Computer
from fullfield.protocol.events import Event


class Context(Protocol):
    """The world of one rank of one run. The engine's own is `fullfield.jobs.worker.WorkerContext`."""

    folder: Path
    rank: int
    world: int
    worlds: tuple[int, ...]
    """How many ranks may train in the course of the run."""
    nodes: tuple[Computer, ...]
    """Those that may train together, the first of which leads, as they were asked before; none: one computer trains."""

    def emit(self, event: Event, /) -> None:
        """Tell an event; callable from any thread. Ranks other than 0 are silent."""

    def stopping(self) -> bool:
        """True once the run has been asked to stop: finish the step or item in hand, keep it, return."""

    def reason(self) -> str:
        """How the run ends that does not fail, as `RunEnded` tells it: "paused" where it is to be resumed."""

    def accept(self) -> None:
        """Take what was asked as what the run is from now on. Until then nothing of the run that is there already may
        be changed: a job that ends before has been refused, and the run stays what it was.
        """

    def begin_anew(self) -> None:
        """Do this job from its beginning in a process without a past: where memory has run out, libraries may stay
        broken. Returns where the system cannot replace a process (Windows): then the job goes on in this one.
        """

    def is_to_regroup(self) -> bool:
        """True once it has been asked to stop so that other ranks go on with it: what is saved is all that is wanted,
        then `begin_anew`. Asked once, after the last step: where it is not, others come too late.
        """

    def commands(self) -> list[Command]:
        """The commands posted since the last call, oldest first."""
