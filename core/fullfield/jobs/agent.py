"""torchrun's agent of one node of a training on several: `python -m fullfield.jobs.agent RUN`, which the worker of the
run there starts, and ends with. Its exit code says how its part has ended."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import time
from enum import IntEnum
from pathlib import Path

from fullfield import checked, files, log, offline, system
from fullfield.distribution import elastic
from fullfield.distribution.gathering import Gathering, HeadLost, Left, Round
from fullfield.distribution.heartbeats import Heartbeats
from fullfield.errors import UsageError
from fullfield.jobs import event_log, rank, ranks, registry
from fullfield.jobs import job as jobs
from fullfield.jobs.agent_looks import Looking
from fullfield.jobs.worker import WorkerContext
from fullfield.protocol.events import Notice
from fullfield.protocol.fleets import Fleet
from fullfield.protocol.rank_events import NodesChanged

LOG = "worker-0.log"
WAITING_SECONDS = 30.0
"""After which it is said that too few nodes are there."""
_log = logging.getLogger(__name__)


class Part(IntEnum):
    """How a node's part ends: with the training; because its user stopped it while it waited for nodes; by what a rank
    has left (`failed-N.json`); without the head; or by what nobody foresaw."""

    DONE = 0
    UNFORESEEN = 1
    STOPPED = 3
    FAILED = 4
    HEAD_LOST = 5


def main(arguments: list[str]) -> int:
    """Train with the others, in as many rounds as there are; the exit code, one of `Part`."""
    offline.stay_offline()
    folder = Path(arguments[0])
    log.configure(file=folder / LOG, level=logging.INFO, own=True)
    system.end_with_starter()
    job = jobs.asked(folder)
    assert job.fleet is not None
    return int(_Agent(folder, job, job.fleet).run())


class _Agent:
    def __init__(self, folder: Path, job: jobs.Job, fleet: Fleet) -> None:
        self._folder, self._job, self._fleet = folder, job, fleet
        self._context = WorkerContext(folder, rank=0, world=1)
        self._part = Part.DONE
        self._waits_since: float | None = None

    def run(self) -> Part:
        """See `main`."""
        fleet = self._fleet
        elastic.prepare([rank.__name__, registry.find(self._job.kind).module])
        try:
            own = elastic.opened(fleet) if fleet.leads else None
            self._store = elastic.connected(fleet)
            others = tuple(range(1, len(fleet.names))) if fleet.leads else (0,)
            heartbeats = Heartbeats(lambda: elastic.connected(fleet), fleet.number, others)
            gathering = Gathering(self._store, heartbeats, fleet, reported=self._tell, check=self._check)
            gathering.clear = self._clear
            gathering.is_over = (self._folder / ranks.TRAINED).exists
            Looking(self._folder, fleet, gathering, lambda: elastic.connected(fleet))
            done = elastic.run(gathering, rank.main, (str(self._folder),), self._job.processes, again=rank.AGAIN)
            (gathering.set_closed if fleet.leads else gathering.ended)()
            del own
            return Part.DONE if done else Part.UNFORESEEN
        except Left:
            if fleet.leads:
                with contextlib.suppress(RuntimeError):
                    self._store.set("over", "{}")
            return self._part
        except (HeadLost, RuntimeError, OSError):
            _log.exception("this node's part has ended")
            return Part.UNFORESEEN if fleet.leads else Part.HEAD_LOST

    def _check(self, waits: bool) -> None:
        """Raise Left where a rank has left why nothing can go on, or the user would not wait."""
        for path in self._folder.glob("failed-*.json"):
            if not self._fleet.leads:
                self._store.set("failed", json.dumps([path.name, path.read_text(encoding="utf-8")]))
            self._part = Part.FAILED
            raise Left
        if self._fleet.leads and self._store.check(["failed"]):
            name, text = checked.parse(self._store.get("failed"))
            if jobs.FAILED.fullmatch(name):
                files.write_text(self._folder / name, text)
            self._part = Part.FAILED
            raise Left
        if self._fleet.leads and waits:
            if event_log.has_ended(self._folder):
                raise Left
            self._wait()

    def _wait(self) -> None:
        if self._context.stopping():
            self._part = Part.STOPPED
            raise Left
        if self._waits_since is None:
            self._waits_since = time.monotonic()
        elif 0.0 < self._waits_since < time.monotonic() - WAITING_SECONDS:
            self._waits_since = 0.0  # it is said once
            text = f"Fewer than {self._fleet.least} nodes are there. The training waits for more; it can be stopped."
            self._context.emit(Notice(text=text, level="warning"))

    def _clear(self) -> None:
        """Ranks have other numbers from now on: what those of before told would be taken for theirs."""
        for path in (*self._folder.glob("rank-*.json"), self._folder / ranks.TRAINED):
            path.unlink(missing_ok=True)

    def _tell(self, found: Round) -> None:
        """A round begins: say who is in it, and why there is a new one."""
        self._waits_since = None
        self._clear()  # what was brought meanwhile
        names = self._fleet.names
        nodes, lost = (tuple(names[number] for number in some) for some in (found.nodes, found.lost))
        silent = max(found.lost.values(), default=0.0)
        self._context.emit(NodesChanged(nodes=nodes, lost=lost, after_seconds=round(silent, 1)))
        why = ""
        if lost:
            why = f"No answer for {silent:.0f} seconds from {' and '.join(lost)}."
        elif found.again:
            again = " and ".join(names[number] for number in sorted(found.again))
            why = f"A process on {again} has ended without a word."
        elif found.broken:
            why = "A connection between nodes has broken."
        text = f"The training goes on with {', '.join(nodes)}."
        if found.first:
            text = f"{len(nodes)} of {len(names)} nodes train together: {', '.join(nodes)}."
        self._context.emit(Notice(text=f"{why} {text}".strip(), level="warning" if why else "info"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise UsageError("The agent takes one argument: the folder of a run.")
    sys.exit(main(sys.argv[1:]))
