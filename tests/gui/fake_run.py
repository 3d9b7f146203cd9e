"""A training that a test plays: its folder as a worker leaves it, and a handle that tells what the test says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from fullfield import files
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import events
from fullfield.protocol.commands import Command, Stop
from fullfield.protocol.events import (
    BaselineMeasured,
    EpochDone,
    Event,
    MemorySampled,
    Notice,
    PhaseStarted,
    PlanMade,
    RunEnded,
    RunFailed,
    RunStarted,
    SampleWritten,
    StepDone,
)
from fullfield.protocol.plan import Plan, RankPlan
from fullfield.protocol.rank_events import RanksSampled, RankStarted, RankState

NOBODY = {"pid": 2**22 + 1, "started": 0.0}
STEPS = 4  # of an epoch


def training(number: int = 0, *, reported: list[Event] | None = None, **spec: Any) -> Path:
    """The folder of a training that nobody works at, with these events."""
    folder = files.runs_folder() / f"20260102-03040{number}-train-{number:06x}"
    whole = TrainSpec(data="/data", **{"size": 512, "epochs": 6, "techniques": ("banded_loss",), **spec}).to_json()
    jobs.save(Job(kind="train", spec=whole), folder)
    (folder / "worker.json").write_text(json.dumps(NOBODY))
    (folder / "events.jsonl").write_text("".join(events.to_line(event) + "\n" for event in reported or []))
    return folder


def begun(time: float = 1000.0) -> list[Event]:
    """What is told before the first step."""
    return [
        RunStarted(job="train", pid=1, version="1.0", time=time),
        Notice(
            text="8 images of 8 patients: 6 to train on, 2 held back; raw input; reference: the data's own pairs.",
            topic="data",
            time=time,
        ),
        Notice(text="On the CPU: no NVIDIA GPU with a driver was found.", topic="device", time=time),
        BaselineMeasured(
            name="unprocessed input",
            validation_loss=20.0,
            psnr_db=20.0,
            fine_sd_ratio=0.5,
            fine_correlation=0.5,
            time=time,
        ),
        PhaseStarted(name="Training", total=24, time=time),
    ]


def epoch(number: int, *, epochs: int = 6, loss: float | None = None, folder: Path | None = None) -> list[Event]:
    """An epoch of `STEPS` steps; where a folder is given, the watched image is left there too."""
    time = 1000.0 + 10 * number
    value = 12.0 / number if loss is None else loss
    reported: list[Event] = []
    for step in range((number - 1) * STEPS + 1, number * STEPS + 1):
        reported.append(StepDone(epoch=number, step=step, steps=epochs * STEPS, loss=value, seconds=2.0, time=time))
        for phase, count in (("forward", 2 << 30), ("backward", 3 << 30)):
            seconds = 2.0 * step + (phase == "backward")
            reported.append(
                MemorySampled(seconds=seconds, step=step, phase=phase, border=True, host_bytes=count, time=time)
            )
    reported.append(
        EpochDone(
            epoch=number,
            epochs=epochs,
            train_loss=value * 0.9,
            validation_loss=value,
            psnr_db=28.0 + number,
            fine_sd_ratio=1.0,
            fine_correlation=0.9,
            learning_rate=1e-3,
            seconds=9.0,
            time=time + 9,
        )
    )
    return reported if folder is None else [*reported, sample(folder, number)]


def ranks(count: int, *, moments: int = 30, waiting: tuple[float, ...] = (0.02, 0.4)) -> list[Event]:
    """So many processes, one after the other a second, each with its plan."""
    held = [(2 << 30) + (rank << 28) for rank in range(count)]
    devices = tuple(RankPlan(name="cpu", process_bytes=size + (1 << 28)) for size in held)
    plan = Plan(process_bytes=max(device.process_bytes for device in devices), devices=devices)
    reported: list[Event] = [PlanMade(plan=plan, budget_bytes=3 << 30, time=1000.0)]
    reported += [
        RankStarted(rank=rank, world=count, device="cpu", title="the CPU", time=1000.0) for rank in range(count)
    ]
    for moment in range(1, moments):
        states = tuple(
            RankState(
                rank=rank,
                seconds=1.0,
                phase="backward",
                host_bytes=size - (moment % 3) * (1 << 28),
                waiting=waiting[rank % len(waiting)],
                shared_bytes=moment << 24,
            )
            for rank, size in enumerate(held)
        )
        reported.append(RanksSampled(seconds=float(moment), step=moment, ranks=states, time=1000.0 + moment))
    return reported


def sample(folder: Path, number: int, *, image: int = 0, pixel_size: tuple[float, float] = (1.0, 1.0)) -> SampleWritten:
    """The watched image after an epoch, with its files."""
    here = folder / "samples" / f"image-{image:03d}"
    here.mkdir(parents=True, exist_ok=True)
    y, x = np.mgrid[0:160, 0:120]
    ramp = (x / 120 * 40000 + y / 160 * 20000).astype(np.uint16)
    np.save(here / "input.npy", ramp)
    np.save(here / "reference.npy", 65535 - ramp)
    np.save(here / f"epoch-{number:05d}.npy", (ramp // 2 + 1000 * number).astype(np.uint16))
    names = {"sample": f"epoch-{number:05d}.npy", "input": "input.npy", "reference": "reference.npy"}
    paths = {key: f"samples/image-{image:03d}/{value}" for key, value in names.items()}
    return SampleWritten(epoch=number, image=image, images=2, pixel_size=pixel_size, **paths)


class FakeRun:
    """A handle of a training whose worker is this test. What is posted is answered as a worker does."""

    def __init__(self, folder: Path, reported: list[Event] | None = None, *, alive: bool = True) -> None:
        self.folder = folder
        self.reported = list(reported or [])
        self.posted: list[dict[str, Any]] = []
        self.killed = False
        self._alive = alive

    def tell(self, *news: Event) -> None:
        """The worker says this."""
        for event in news:
            files.append_line(self.folder / "events.jsonl", events.to_line(event))
        self.reported += news

    def end(self, reason: str) -> None:
        """The worker ends with a last word."""
        self.tell(RunEnded(reason=reason, time=2000.0))
        self._alive = False

    def die(self) -> None:
        """The worker is gone without one."""
        self._alive = False
        error = {"title": "The worker was killed.", "detail": "Memory ran out.", "hint": "Start again."}
        self.reported += [RunFailed(error=error), RunEnded(reason="died")]

    def poll(self) -> list[Event]:
        """See JobHandle."""
        reported, self.reported = self.reported, []
        return reported

    def events(self) -> Iterator[Event]:
        """See JobHandle."""
        yield from self.poll()

    def post(self, asked: Command, /) -> None:
        """See JobHandle."""
        command = asked.to_fields()
        self.posted.append(command)
        if command["command"] == "stop":
            self.end("paused" if command.get("why") else "stopped")

    def stop(self) -> None:
        """See JobHandle."""
        self.post(Stop())

    def kill(self) -> None:
        """See JobHandle."""
        self.killed, self._alive = True, False

    def alive(self) -> bool:
        """See JobHandle."""
        return self._alive
