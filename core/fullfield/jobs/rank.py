"""One rank of a training on several nodes, as torchrun's agent starts it: what it ends by decides what the agent does.

It returns where the training is over; it ends with AGAIN where it is to begin anew with other ranks, and leaves
`failed-N.json` where nothing can go on. Its files have the number of its rank and one: the first are the agent's.
"""

from __future__ import annotations

import logging
import os
import signal
from pathlib import Path
from types import FrameType

from fullfield import files, interpreter, log, offline, system
from fullfield.distribution import meet
from fullfield.errors import Interrupted, RankLost
from fullfield.jobs import heartbeat, ranks, registry, worker
from fullfield.jobs import job as jobs
from fullfield.protocol import specs
from fullfield.protocol.events import RunEnded

AGAIN = 75
_log = logging.getLogger(__name__)


class _Again(BaseException):
    """Leaves a job so that its ranks meet anew."""


class RankContext(worker.WorkerContext):
    """The context of a rank that is asked to make room for a meeting of others, too."""

    def __init__(self, folder: Path, *, rank: int, world: int, job: jobs.Job) -> None:
        super().__init__(folder, rank=rank, world=world)
        assert job.fleet is not None
        fleet = job.fleet
        self.worlds = tuple(count * job.processes for count in range(fleet.least, fleet.most + 1))
        self.nodes, self._again, self._over = fleet.computers, False, False

    def ask_to_stop(self, signum: int, frame: FrameType | None) -> None:
        """The agent asks: others continue from what is saved then. Not once the training is over."""
        if self._over:
            return
        self._again = True
        self._stop.set()

    def is_to_regroup(self) -> bool:
        """See `Context`. After a no the training is over, which the agent of the head is told."""
        self._over = not self._again
        if self._over and self.rank == 0:
            files.touch(self.folder / ranks.TRAINED)
        return self._again

    def begin_anew(self) -> None:
        """See `Context`."""
        raise _Again


def main(folder: str) -> None:
    """Do the job of the run in `folder`, as the rank that the environment names."""
    offline.stay_offline()
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    system.end_with_parent()
    path = Path(folder)
    log.configure(file=path / jobs.of_rank("worker.log", rank + 1), level=logging.INFO, own=True)
    interpreter.prepare_for_torch()
    job = jobs.asked(path)
    assert job.fleet is not None
    context = RankContext(path, rank=rank, world=world, job=job)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, context.ask_to_stop)
    worker.say_what_it_is(path, rank=rank + 1, world=world)
    heartbeat.beat(path, rank + 1)
    os.environ[meet.INTERFACE] = job.fleet.interface
    code = _work(context, job)
    if code:
        os._exit(code)


def _work(context: RankContext, job: jobs.Job) -> int:
    kind = registry.find(job.kind)
    if kind.low_priority:
        system.lower_priority()
    try:
        spec = specs.read(job.kind, job.spec)
        summary = kind.load()(spec, context)
        context.accept()
    except (_Again, RankLost):
        return AGAIN
    except Interrupted as error:
        if context.is_to_regroup() or context.rank > 0 or not context.stopping():
            return AGAIN  # where it was stopped by its user, the head says that it is over
        summary = error.as_fields()
    except Exception as error:  # noqa: BLE001 - the last line of defence, as in `worker`
        reported = worker.in_words(error, jobs.of_rank("worker.log", context.rank + 1))
        ranks.tell(context.folder, context.rank, reported)
        return int(reported.exit_code)
    if context.rank == 0:
        context.emit(RunEnded(reason=context.reason(), summary=summary))
    return 0
