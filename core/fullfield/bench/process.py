"""What the process of a whole training holds beside what its plan says: `fullfield bench process`.

Real trainings through the product's own command, of phantoms that they prepare themselves: one epoch, an evaluation, a
best model, a checkpoint, the halo. Measured is the largest resident memory that the worker has had, as the kernel
counts it; predicted is `Plan.process_bytes` of the plan that the training told itself.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from fullfield import system
from fullfield.bench import synthetic
from fullfield.bench.table import Table
from fullfield.errors import FullfieldError
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.protocol.events import PlanMade, RunFailed, RunStarted
from fullfield.protocol.plan import Plan
from fullfield.protocol.training import Training

SIZES = (512, 768, 1024, 2048)
QUICK = (512,)
PLANS = (
    ("banded_loss",),
    ("banded_loss", "recompute"),
    ("banded_loss", "hybrid_bands"),
    ("banded_loss", "full_bands", "optimizer_in_backward"),
)
IMAGES, HELD_BACK = 6, 0.5  # three are compared one after another, while the next ones wait
LEAST, MOST = 0.75, 1.0  # of what was predicted, in which libraries count whole, and holes as the most that were seen
LOOK_SECONDS = 0.02
MIB = 2**20


def bench(*, json: bool, quick: bool, encoder: str = "resnet34", threads: int = 1, batch: int = 1) -> int:
    """Train, compare and print; the exit code is 0 where every process held 0.75 to 1.00 of what was predicted."""
    columns = ("size", "techniques", "tensors_MiB", "predicted_MiB", "held_MiB", "ratio")
    table = Table("process", columns, json=json)
    whole = True
    with tempfile.TemporaryDirectory() as folder:
        for size in QUICK if quick else SIZES:
            data = synthetic.phantoms(Path(folder), IMAGES, size=size)
            for techniques in PLANS:
                spec = Training(
                    data=str(data),
                    size=size,
                    validation=HELD_BACK,
                    epochs=1,
                    l1_steps=0,
                    weights="none",
                    encoder=encoder,
                    threads=threads,
                    batch=batch,
                    device="cpu",
                    techniques=tuple(techniques),
                    data_licence="phantoms",
                )
                plan, held = measure(spec, Path(folder) / "run")
                ratio = held / plan.process_bytes
                whole &= LEAST <= ratio <= MOST
                table.row(
                    size,
                    " + ".join(techniques),
                    round(plan.allocator_bytes / MIB),
                    round(plan.process_bytes / MIB),
                    round(held / MIB),
                    round(ratio, 3),
                )
    return 0 if whole else 1


def measure(spec: Training, folder: Path) -> tuple[Plan, int]:
    """The plan that a training told, and the most bytes that its process held. Raises FullfieldError where it failed.

    Nothing of the training stays.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    handle = launch(Job.of(spec), folder=folder)
    plans: Sequence[Plan] = ()
    highest, over, pids = [0], threading.Event(), [0]

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            if pids[0]:
                highest[0] = max(highest[0], system.peak_memory(pids[0]))

    watching = threading.Thread(target=look, name="resident", daemon=True)
    watching.start()
    try:
        for event in handle.events():
            if isinstance(event, RunStarted):
                pids[0] = event.pid
            elif isinstance(event, PlanMade):
                plans = (event.plan,)
            elif isinstance(event, RunFailed):
                raise FullfieldError(**event.error)
    finally:
        over.set()
        watching.join()
        if handle.alive():
            handle.kill()
        shutil.rmtree(folder, ignore_errors=True)
    return plans[0], highest[0]
