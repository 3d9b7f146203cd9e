"""kill −9 at moments spread over a training, some inside a checkpoint write: does the resumed run end bit-identical?

    python tests/flows/kill_resume.py --moments 20

Trains ResNet-34 at 192 pixels on phantoms, once without interruption; then once per moment with a worker that is killed
there and started again. Prints a line per moment and exits with 0 when all are bit-identical.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from PIL import Image as Pillow
from safetensors.numpy import load_file

from fullfield import files, system
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job, worker
from fullfield.jobs.launch import attach, launch
from fullfield.model.phantom import phantom
from fullfield.protocol.events import Notice, RunEnded, RunFailed, StepDone

IMAGES, EPOCHS, SIZE, EVERY, ENCODER = 8, 4, 192, 4, "resnet34"
TRAINING = 6
STEPS = TRAINING * EPOCHS
LEAST_PROGRESS = 3
PATIENCE = 180.0  # seconds


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One kill: after which step, whether a temporary of a checkpoint was left, and whether the end was the same."""

    step: int
    inside_write: bool
    resumed: bool
    identical: bool


def make_images(folder: Path) -> Path:
    """Small phantoms of as many patients as 8-bit PNG files."""
    folder.mkdir(parents=True)
    for number in range(IMAGES):
        pixels = np.rint(phantom(SIZE, SIZE - 16 * (number % 2), seed=number) * 255).astype(np.uint8)
        Pillow.fromarray(pixels).save(folder / f"{number:03d}.png")
    return folder


def spec(data: Path, epochs: int = EPOCHS, encoder: str = ENCODER) -> dict[str, Any]:
    """The settings of all runs."""
    return {
        "data": str(data),
        "size": SIZE,
        "epochs": epochs,
        "encoder": encoder,
        "weights": "none",
        "reference": "image",
        "validation": 1 - TRAINING / IMAGES,
        "l1_steps": 6,
        "threads": 1,
        "device": "cpu",
        "checkpoint_steps": EVERY,
        "calibrate_halo": False,
    }


def finish(job: JobHandle) -> bool:
    """Follow a run to its end; True when it had gone on from a checkpoint. Raises RuntimeError where it failed."""
    resumed = False
    for event in job.events():
        match event:
            case Notice(text=text) if text.startswith("Going on after step"):
                resumed = True
            case RunFailed(error=error):
                raise RuntimeError(str(error))
            case RunEnded(reason=reason) if reason != "completed":
                raise RuntimeError(f"the run ended: {reason}")
            case _:
                pass
    return resumed


def kill_at(job: JobHandle, step: int, *, inside_write: bool) -> tuple[int, bool]:
    """kill −9 after `step` optimizer steps, or in the next checkpoint write after them; (the step, was it inside)."""
    store = job.folder / "checkpoints"
    deadline = time.monotonic() + PATIENCE
    reached = 0
    while time.monotonic() < deadline:
        for event in job.poll():
            if isinstance(event, StepDone):
                reached = event.step
        if reached >= step and (not inside_write or _caught(job, store)):
            break
        time.sleep(0.001 if reached >= step else 0.01)
    job.kill()
    return reached, _writing(store)


def _caught(job: JobHandle, store: Path) -> bool:
    """Whether it stands still with a checkpoint half written: killed while it goes on, it may be at the end of it."""
    known = worker(job.folder) if _writing(store) else None
    if known is None:
        return False
    process = psutil.Process(known.pid)
    process.suspend()
    if not _writing(store):
        process.resume()
        return False
    return True


def _writing(store: Path) -> bool:
    """A temporary holds a part of a checkpoint."""
    sizes = (_size(part) for part in store.glob(f".*{files.PART_SUFFIX}"))
    return any(size > 1 << 20 for size in sizes)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # renamed meanwhile
        return 0


def same_weights(one: Path, other: Path) -> bool:
    """Bit for bit, in both model files."""
    for name in ("last.safetensors", "model.safetensors"):
        first, second = load_file(one / name), load_file(other / name)
        if first.keys() != second.keys() or any(first[key].tobytes() != second[key].tobytes() for key in first):
            return False
    return True


def trials(
    base: Path, moments: int, epochs: int = EPOCHS, encoder: str = ENCODER, *, of_a_run: int = 1
) -> Iterator[Outcome]:
    """The uninterrupted run, then one outcome per moment, spread evenly from step 3 to the last but one; `of_a_run`:
    so many of them one after the other in the same run, whose end is that of its last one."""
    made = spec(make_images(base / "data"), epochs, encoder)
    steps = TRAINING * epochs
    whole = base / "whole"
    finish(launch(Job(kind="train", spec=made), folder=whole))
    for number in range(moments):
        step = LEAST_PROGRESS + round(number * (steps - 1 - LEAST_PROGRESS) / max(1, moments - 1))
        run = base / f"run{number // of_a_run}"
        job = launch(Job(kind="train", spec=made), folder=run)
        reached, inside = kill_at(job, step, inside_write=number % 3 == 1)
        while attach(run).alive():
            time.sleep(0.01)
        if (number + 1) % of_a_run:
            continue
        resumed = finish(launch(Job(kind="train", spec=made), folder=run))
        identical = same_weights(whole, run)
        yield Outcome(step=reached, inside_write=inside, resumed=resumed, identical=identical)
        for path in run.rglob("*.safetensors"):  # 1.3 GB a run
            path.unlink()


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=20)
    moments = parser.parse_args().moments
    began = time.monotonic()
    outcomes = []
    system.lower_priority()
    with tempfile.TemporaryDirectory() as folder:
        for outcome in trials(Path(folder), moments):
            outcomes.append(outcome)
            where = "inside a checkpoint write" if outcome.inside_write else "between writes"
            verdict = "bit-identical" if outcome.identical else "DIFFERENT"
            print(f"killed after step {outcome.step} of {STEPS}, {where}: {verdict}", flush=True)
    same = sum(outcome.identical for outcome in outcomes)
    inside = sum(outcome.inside_write for outcome in outcomes)
    print(f"{same} of {moments} bit-identical, {inside} killed inside a write, {time.monotonic() - began:.0f} s")
    return 0 if same == moments else 1


if __name__ == "__main__":
    sys.exit(main())
