"""The events of a run, read from its folder without attaching to it: once, or again and again while it goes on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from fullfield import checked, files
from fullfield.errors import FullfieldError
from fullfield.jobs import event_log
from fullfield.jobs.job import load
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import event_lines, events
from fullfield.protocol.events import PlanMade
from fullfield.protocol.plan import Plan
from fullfield.runs.run_state import RunSnapshot, RunState

PREDICTION = "prediction.json"


class Reader:
    """Folds the events of a run, and reads on where it ended."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._state, self._read = folder, RunState(epochs_wanted(folder)), 0
        for event in prelude(folder):
            self._state.apply(event)

    def snapshot(self) -> RunSnapshot:
        """The state up to now. Takes some seconds for a long run that is read for the first time."""
        with contextlib.suppress(FileNotFoundError), event_log.path(self._folder).open("rb") as stream:
            stream.seek(self._read)
            for line in stream:
                if not line.endswith(b"\n"):
                    break  # its writer is not done
                self._read += len(line)
                event = event_lines.from_line(line.decode("utf-8", "replace"))
                if event is not None:
                    self._state.apply(event)
        return self._state.snapshot()


def read(folder: Path) -> RunSnapshot:
    """The state of a run, of all its events."""
    return Reader(folder).snapshot()


def epochs_wanted(folder: Path) -> int:
    """How many epochs a training was asked for; 0 where that cannot be known."""
    with contextlib.suppress(FullfieldError, ValueError):
        return int(checked.known(TrainSpec, load(folder).spec).get("epochs", 0))
    return 0


def prelude(folder: Path) -> Iterator[PlanMade]:
    """What was predicted before the run began, if anything was."""
    with contextlib.suppress(OSError):
        event = event_lines.from_line((folder / PREDICTION).read_bytes().decode("utf-8", "replace"))
        if isinstance(event, PlanMade):
            yield event


def predict(folder: Path, plan: Plan, *, budget_bytes: int = 0) -> None:
    """Note what was predicted for a training that was set up by hand."""
    files.write_text(folder / PREDICTION, events.to_line(PlanMade(plan=plan, budget_bytes=budget_bytes)))
