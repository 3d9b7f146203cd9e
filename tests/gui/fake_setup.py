"""Workers that plan, survey and train by the next poll: the seam between the page that trains and its processes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fullfield.data import survey
from fullfield.data.index import Problem
from fullfield.data.survey import Radiograph, Survey
from fullfield.jobs.job import Job
from fullfield.plan.plan import ABSENT
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event, RunEnded, RunFailed, RunStarted
from fullfield.protocol.plan import MEASURED, AlonePlan, LinkPlan, Plan, RankPlan
from fullfield.protocol.setup_events import (
    Card,
    DataRead,
    DataSurveyed,
    LinkProbed,
    MachineProbed,
    NodeProbed,
    PairDrawn,
    PlanReady,
    PlanRefused,
    Present,
    ReferenceProposed,
    TechniquesJudged,
)

GIB = 2**30
SAVED = {"recompute": GIB, "optimizer_8bit": GIB // 8, "hybrid_bands": 2 * GIB}


def plan(techniques: Sequence[str], *, size: int = 512, reason: str = "", estimate: str = "") -> Plan:
    """A plan whose memory grows with the size and shrinks with techniques."""
    saved = sum(SAVED.get(text.partition(":")[0], 0) for text in techniques)
    total = max(4 * GIB * size // 512 - saved, GIB // 2)
    kinds = {"weights": GIB // 10, "gradients": GIB // 10, "optimizer": GIB // 5, "activations": total // 2}
    return Plan(
        size=(size, size),
        techniques=tuple(techniques),
        by_kind=kinds,
        process_bytes=total,
        peak_bytes=total,
        allocator_bytes=total // 2,
        time_factor=1.0 + 0.2 * len(techniques),
        exact=not any(text.startswith("precision") for text in techniques),
        estimate=estimate,
        peak_at="loss",
        reason=reason,
    )


def three_patients(**changes: Any) -> Survey:
    """Three images of three patients, whose references are made; a file that cannot be read."""
    images = [
        Radiograph(
            key=f"{number:016x}",
            sha256=hashlib.sha256(str(number).encode()).hexdigest(),
            relative=f"SECRET-{number}.dcm",
            patient=number + 1,
            rows=1000 + 100 * number,
            columns=800,
            kind="processed",
            own=False,
            held=number == 2,
        )
        for number in range(3)
    ]
    problems = (Problem(kind="unreadable", text="cannot be used: it is no radiograph.", relative="letter.doc"),)
    usual = {"radiographs": tuple(images), "problems": problems, "origin": "single", "use_on": "processed"}
    return Survey(**{**usual, **changes})


PROCESSOR = Present(name="cpu", title="the CPU", total_bytes=16 * GIB, free_bytes=8 * GIB)


def of_ranks(made: Plan, count: int, device: str = "") -> Plan:
    """The plan as several processes share it, which are 1.9 times as fast as one; beside cards the last has the
    processor."""
    techniques = made.techniques
    if not any(text in techniques for text in ("data_parallel", "spatial")):
        techniques = (*techniques, "data_parallel:batch_norm=joint")
    taken = {"process_bytes": made.process_bytes, "sent_bytes": 98 << 20, "waiting_seconds": 0.04}
    libraries = [GIB // 2 if device.endswith(",cpu") and rank == count - 1 else 0 for rank in range(count)]
    ranks = tuple(
        RankPlan(rank=rank, name="a device", library_bytes=held, **taken) for rank, held in enumerate(libraries)
    )
    link = LinkPlan(name="here", seconds=1e-4, bytes_per_second=1e9, source=MEASURED)
    alone = AlonePlan(name="a device", times=1.9, techniques=made.techniques)
    return replace(made, techniques=techniques, devices=ranks, link=link, alone=alone, batch=count)


class FakeSetup:
    """A worker of the page. `job`: what it was started with; `held`: its answers wait until it is emptied;
    `pixel_size`: of all images."""

    def __init__(
        self,
        folder: Path,
        job: Job,
        found: Callable[[], Survey] = three_patients,
        devices: Sequence[Present] = (PROCESSOR,),
        machines: Sequence[NodeProbed] = (),
        pixel_size: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        folder.mkdir(parents=True)
        self.pixel_size = pixel_size
        self.folder, self.job, self.found = folder, job, found
        self.posted: list[dict[str, Any]] = []
        self.reported: list[Event] = [RunStarted(job=job.kind, pid=1)]
        self.ended = self.held = False
        if job.kind == "planning":
            cards = (Card(title="RTX 2060", total_bytes=6 * GIB),)
            self.reported.append(
                MachineProbed(
                    device=devices[0].name.partition(":")[0],
                    title=devices[0].title,
                    devices=tuple(devices),
                    cores=4,
                    why="On the CPU: no NVIDIA GPU with a driver was found.",
                    total_bytes=16 * GIB,
                    free_bytes=8 * GIB,
                    cards=cards,
                )
            )
        if job.kind == "probe":
            linked = self.job.spec["linked"]
            others = [one["name"] for one in self.job.spec["machines"][1:]] if linked else []
            link = LinkPlan(name="", seconds=1e-4, bytes_per_second=112e6, source=MEASURED)
            self.reported += [LinkProbed(name=name, link=link) for name in others] if linked else machines
            self.reported.append(RunEnded(reason="completed"))
        if job.kind == "survey":
            self._tell_survey()

    def poll(self) -> list[Event]:
        """See JobHandle."""
        if self.held:
            return []
        reported, self.reported = self.reported, []
        self.ended = self.ended or any(isinstance(event, RunEnded) for event in reported)
        return reported

    def post(self, asked: Command, /) -> None:
        """See JobHandle."""
        command = asked.to_fields()
        self.posted.append(command)
        answer = {"ask": self._ask, "propose": self._propose, "split": lambda _: None, "stop": self._stop}
        answer[command["command"]](command)

    def stop(self) -> None:
        """See JobHandle."""
        self.ended = True

    kill = stop

    def alive(self) -> bool:
        """See JobHandle."""
        return not self.ended

    def die(self) -> None:
        """The worker is gone without a word of its own."""
        error = {"title": "The worker ended unexpectedly.", "detail": "It was killed.", "hint": "Start again."}
        self.reported += [RunFailed(error=error), RunEnded(reason="died")]

    def refuse(self, title: str) -> None:
        """The worker cannot do what it was started for."""
        self.reported += [RunFailed(error={"title": title, "detail": "", "hint": ""}), RunEnded(reason="failed")]

    def _ask(self, command: dict[str, Any]) -> None:
        asked, number = command["asked"], command["number"]
        techniques = asked.get("techniques")
        if techniques is not None and "optimizer_4bit" in techniques:
            error = {"title": "These techniques are impossible here.", "detail": "momentum: No.", "hint": ""}
            self.reported.append(PlanRefused(number=number, error=error))
            return
        budget, free = asked.get("budget", 0), 6 * GIB if asked["gpu"] else 8 * GIB
        ladder, refused = (), []
        several = max(len(asked["nodes"]), asked["processes"])
        if techniques is None and several > 1:
            techniques = asked["always"]
        elif techniques is None:
            techniques = ["recompute", "banded_loss"]
            ladder = (plan(["hybrid_bands", "banded_loss"], reason="it takes less."),)
            refused = ["banded_loss: refused because it takes 4.0 GiB, more than 3.0 GiB."]
        estimate = ABSENT if asked["gpu"] else ""
        made = plan(techniques, size=asked["height"], reason="chosen because it is the fastest.", estimate=estimate)
        made = of_ranks(made, several, asked["device"]) if several > 1 else made
        links = [one["link"] for one in asked["nodes"][1:]]
        if links:
            link = LinkPlan(**links[0]) if links[0] else LinkPlan(bytes_per_second=1e6)
            made = replace(made, link=link)
        self.reported.append(
            PlanReady(
                number=number,
                plan=made,
                ladder=ladder,
                refused=refused,
                free_bytes=free,
                limits=tuple((one["cards"] or [one])[0]["free_bytes"] for one in asked["nodes"]),
                asked_bytes=budget,
                step_seconds=1.5,
            )
        )
        names = [text.partition(":")[0] for text in command["compare"]]
        peaks = {name: made.process_bytes - SAVED[name] for name in names if name in SAVED}
        self.reported.append(
            TechniquesJudged(
                number=number,
                refused={"accumulate": "A batch of one image cannot be divided."} if asked["batch"] == 1 else {},
                peaks=peaks,
                times=dict.fromkeys(peaks, made.time_factor * 1.5),
                fixed_bytes=373 * 2**20,
            )
        )

    def _tell_survey(self) -> None:
        path = self.folder / "survey.json"
        found = self.found()
        survey.save(found, path)
        self.reported += [DataRead(done=1, total=4), DataRead(done=4, total=4), DataSurveyed(survey=str(path))]
        for one in found.radiographs:
            drawn = self.folder / f"{one.key}.npy"
            np.save(drawn, np.full((2, 40, 30), 90, np.uint8))
            self.reported.append(PairDrawn(key=one.key, drawn=str(drawn), pixel_size=self.pixel_size))

    def _propose(self, command: dict[str, Any]) -> None:
        number = command["number"]
        paths = [self.folder / f"{part}-{number}.npy" for part in ("image", "reference")]
        for path in paths:
            np.save(path, np.arange(64 * 48, dtype=np.uint16).reshape(64, 48) * 16)
        preset = command["preset"] or "general"
        made_by = f"the conventional processor, preset {preset} 1.0.0"
        self.reported.append(
            ReferenceProposed(
                number=number,
                key=command["key"],
                image=str(paths[0]),
                reference=str(paths[1]),
                preset=preset,
                made_by=made_by,
                pixel_size=self.pixel_size,
            )
        )

    def _stop(self, _: dict[str, Any]) -> None:
        self.reported.append(RunEnded(reason="stopped"))
