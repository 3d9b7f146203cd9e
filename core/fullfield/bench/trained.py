"""One training of a bench, through the product's own: a worker process, followed by its events, and what they tell.

*Forward* is what memory grew by in the forward with the loss, over what there was before the first step. *Backward* is
by how much more it grew in the backward. *Total* is their sum. Of a process, as NVML tells it and the paper measured
it, growth is summed over all steps; of torch's allocator it is that of the one step that was profiled.
"""

from __future__ import annotations

import os
import shutil
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from fullfield.checked import Fields
from fullfield.errors import FullfieldError, Interrupted
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job
from fullfield.jobs.launch import attach, launch
from fullfield.protocol.events import EpochDone, Event, MemorySampled, RunEnded, RunFailed, StepDone, StepProfiled
from fullfield.protocol.training import Training
from fullfield.train.baselines import FILE as BASELINES
from fullfield.train.profiled import ALWAYS

FORWARD, BACKWARD = "forward", "backward"
STOP_SECONDS = 120.0  # for the step in hand and its checkpoint


@dataclass(frozen=True, kw_only=True)
class Trained:
    """What a training told. Bytes; None: this machine does not tell.

    `process_forward`, `process_backward`: growth of the process on the card. `allocator_before`: weights, optimizer
    and images; `allocator_forward`, `allocator_backward`: growth over it in the profiled step, whose peak was in
    `peak_phase`, `peak_operation`. `host`: the largest resident set. `step_seconds`: the median step; `steps`: of one
    epoch. Losses are those of the last epoch, 100·(1 − MS-SSIM).
    """

    process_forward: int | None = None
    process_backward: int | None = None
    allocator_before: int | None = None
    allocator_forward: int | None = None
    allocator_backward: int | None = None
    peak_phase: str = ""
    peak_operation: str = ""
    host: int | None = None
    step_seconds: float | None = None
    steps: int = 0
    epochs: int = 0
    train_loss: float | None = None
    validation_loss: float | None = None


def train(
    spec: Training, folder: Path, *, baselines: Path, reported: Callable[[Event], None], processes: int = 1
) -> Fields:
    """Train as `spec` says in `folder`, or go on there, and say what was found, as the values of `Trained`: of several
    processes, what the first one told.

    `baselines`: the file in which what simple methods reach is kept from one training on the same data to the next.
    The folder is removed once the training is complete. Raises FullfieldError where it failed, Interrupted with Ctrl-C
    (the training goes on from its checkpoint the next time).
    """
    folder.mkdir(parents=True, exist_ok=True)
    if baselines.exists() and not (folder / BASELINES).exists():
        shutil.copyfile(baselines, folder / BASELINES)
    running = (folder / "job.json").exists() and attach(folder).alive()  # of a bench that was killed
    os.environ[ALWAYS] = "1"
    handle = attach(folder) if running else launch(Job.of(spec, processes=processes), folder=folder)
    failed = _follow(handle, reported)
    if failed is not None:
        shutil.rmtree(folder, ignore_errors=True)
        raise failed
    found = reduce(attach(folder).events())
    if (folder / BASELINES).exists() and not baselines.exists():
        shutil.copyfile(folder / BASELINES, baselines)
    shutil.rmtree(folder, ignore_errors=True)
    return asdict(found)


def _follow(handle: JobHandle, reported: Callable[[Event], None]) -> FullfieldError | None:
    """Wait for its end; the error where it failed. Ctrl-C asks the training to stop, a second one ends it at once."""
    failed: FullfieldError | None = None
    try:
        for event in handle.events():
            reported(event)
            if isinstance(event, RunFailed):
                failed = FullfieldError(**event.error)
            elif isinstance(event, RunEnded) and event.reason == "stopped":
                raise Interrupted("The training was stopped.")
    except KeyboardInterrupt:
        try:
            handle.stop()
            _wait(handle)
        finally:
            if handle.alive():
                handle.kill()
        raise Interrupted("The bench was stopped.") from None
    return failed


def _wait(handle: JobHandle) -> None:
    end = time.monotonic() + STOP_SECONDS
    while handle.alive() and time.monotonic() < end:
        time.sleep(0.1)


def reduce(events: Iterable[Event]) -> Trained:
    """What all events of one training tell together, also where it was stopped and gone on with."""
    reported = list(events)
    steps = [event for event in reported if isinstance(event, StepDone)]
    found = _memory(reported)
    if steps:
        profiled = {event.step for event in reported if isinstance(event, StepProfiled)}
        usual = [one.seconds for one in steps[1:] if one.step not in profiled] or [one.seconds for one in steps]
        found = replace(found, step_seconds=statistics.median(usual))
    epochs = [event for event in reported if isinstance(event, EpochDone)]
    if epochs:
        last = max(epochs, key=lambda one: one.epoch)
        found = replace(found, epochs=last.epoch, train_loss=last.train_loss, validation_loss=last.validation_loss)
        if steps:
            found = replace(found, steps=steps[-1].steps // last.epochs)  # of quick ones not each is told
    return found


def _memory(reported: Sequence[Event]) -> Trained:
    samples = [event for event in reported if isinstance(event, MemorySampled)]
    found = Trained(host=max((one.host_bytes for one in samples), default=None))
    process = growth([(one.phase, one.process_bytes) for one in samples])
    if process:
        found = replace(found, process_forward=process[0], process_backward=process[1])
    for event in reported:
        if isinstance(event, StepProfiled) and event.rank == 0:
            return replace(
                found,
                allocator_before=event.before_bytes,
                allocator_forward=event.forward_bytes,
                allocator_backward=max(0, event.backward_bytes - event.forward_bytes),
                peak_phase=event.peak_phase,
                peak_operation=event.peak_operation,
            )
    return found


def growth(samples: Sequence[tuple[str, int | None]]) -> tuple[int, int] | None:
    """(forward, backward): by how much the highest memory so far rose in each of the two phases.

    `samples`: phase and bytes in order of time. What there was before the first forward is the begin; None where no
    sample tells it.
    """
    known = [(phase, count) for phase, count in samples if count is not None]
    if not known or known[0][0] in (FORWARD, BACKWARD):
        return None
    risen: Counter[str] = Counter()
    highest = known[0][1]
    for phase, count in known:
        if count > highest:
            risen[phase] += count - highest
            highest = count
    return risen[FORWARD], risen[BACKWARD]
