"""A card beside what plans say of it: `fullfield bench card`, whose exit code says whether they may be believed.

For every way of training: the peak of torch's allocator beside the plan's, what NVML says the process holds, the time
of a step by the plain one's beside the plan's factor, how far its gradients are from the plain step's in fp64, and
whether they are the same bits when no gradient is written over in place (`fullfield.bands.handmade`). First of all,
what a plan takes a card for: the process's context, and the seconds that the start of a kernel takes. On a CPU the same
is measured, without what is a card's alone.
"""

from __future__ import annotations

import contextlib
import json as jsons
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from fullfield import files, system
from fullfield.bands import handmade
from fullfield.bench import exact, report
from fullfield.bench import step as steps
from fullfield.bench.table import Table
from fullfield.hardware import devices, meter
from fullfield.hardware.devices import Device
from fullfield.host_tier import host
from fullfield.memory.account import Shape
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.plan.sets import ways
from fullfield.plan.spec import USUAL_TECHNIQUES
from fullfield.techniques import compose
from fullfield.techniques.base import Stage
from fullfield.techniques.site import Site
from fullfield.train import build as training

NAME = "card"
Texts = tuple[str, ...]
QUICK: tuple[Texts, ...] = ((), ("recompute",), ("hybrid_bands",), ("full_bands:tier=host",))
IN_PLACE = ("recompute", "hybrid_bands", "full_bands")
"""Techniques that write over gradients."""
SMALL = Shape(height=192, width=224)  # of the proofs in fp64: many bands all the same, for `FINE` cuts them small
FINE = {"full_bands": "full_bands:rows=32", "full_bands:tier=host": "full_bands:rows=32,tier=host"}
ALLOWED = 1.03  # times what was taken is the most that a plan may say
STARTED = 2000  # kernels, to find what the start of one takes


@dataclass(frozen=True, kw_only=True)
class Setting:
    """`context_bytes`: of the process on the card, by NVML; None: not told. `start_seconds`: of one small kernel."""

    device: str
    title: str
    torch: str
    context_bytes: int | None
    start_seconds: float


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One way. `predicted`, `peak`: bytes of the allocator; `process`: NVML's, None where it does not tell.

    `factor`, `predicted_factor`: of the plain step's time. `worst`: relative, of gradients in fp64. `same_bits`: when
    nothing is written over; None where two equal runs differ already, or nothing would be. `pinned`: bytes that the
    host tier's arena holds.
    """

    techniques: Texts
    predicted: int
    peak: int
    process: int | None
    seconds: float
    factor: float
    predicted_factor: float
    worst: float
    same_bits: bool | None
    pinned: int

    @property
    def holds(self) -> bool:
        """The plan is not too small, nor much too large; and the way is exact."""
        fits = self.peak <= self.predicted <= ALLOWED * self.peak
        return fits and self.worst <= exact.LARGEST and self.same_bits is not False


def bench(
    *,
    json: bool,
    quick: bool,
    out: Path | None = None,
    encoder: str = "resnet34",
    device: str = devices.AUTO,
    threads: int = 0,
    repeat: int = 3,
    size: int = 512,
) -> int:
    """Measure and print; `out`: a folder for `card.json`. The exit code is 0 where every plan holds."""
    if out is not None:
        report.refuse_other(files.private_folder(out), NAME)
    chosen = devices.choose(device)
    training.set_up(chosen, threads or system.spare_cores())
    table = Table(NAME, tuple(Measured.__dataclass_fields__), json=json)
    found = setting(chosen)
    rows: list[Measured] = []
    for one in measurements(chosen, QUICK if quick else (), encoder=encoder, repeat=repeat, size=size):
        table.row(*asdict(one).values())
        rows.append(one)
        if out is not None:  # after each, for the next one may be the end of the process
            written = {
                "bench": NAME,
                "setting": asdict(found),
                "size": size,
                "encoder": encoder,
                "ways": [asdict(row) for row in rows],
            }
            files.write_text(out / "card.json", jsons.dumps(written, indent=1))
    return 0 if all(row.holds for row in rows) else 1


def setting(device: Device) -> Setting:
    """What a plan takes the device for."""
    on_card = device.kind == "cuda"
    return Setting(
        device=device.name,
        title=device.title,
        torch=str(torch.__version__),
        context_bytes=meter.context_bytes(device.name) if on_card else None,
        start_seconds=_start_seconds(device.name),
    )


def measurements(
    device: Device, ways: tuple[Texts, ...], *, encoder: str, repeat: int, size: int
) -> Iterator[Measured]:
    """Each of the `ways` that is possible here, the plain one first; none: all that the planner proposes."""
    predictor = Predictor(Question(height=size, width=size, encoder=encoder, device=device.name))
    proof = exact.Plain(Shape(height=SMALL.height, width=SMALL.width, encoder=encoder), device.name)
    plain = 0.0
    for way in ways or proposed(predictor.site):
        techniques = compose.read((*USUAL_TECHNIQUES, *way))
        if compose.refusals(techniques, predictor.site):
            continue
        plan = predictor.plan(techniques)
        devices.free_cached()
        with _watched(device) as process:
            seconds, peak = steps.run(predictor.site.shape, plan.techniques, torch.device(device.name), repeat)
        plain = plain or seconds
        beside = plan.host_bytes if device.kind == devices.CPU else 0
        yield Measured(
            techniques=plan.techniques,
            predicted=plan.allocator_bytes + beside,
            peak=peak,
            process=process[-1] if process else None,
            seconds=seconds,
            factor=round(seconds / plain, 3),
            predicted_factor=plan.time_factor,
            worst=proof.beside(compose.read(tuple(FINE.get(text, text) for text in way))).worst_relative_difference,
            same_bits=same_bits(way, encoder=encoder, device=device.name),
            pinned=host.pinned().held if device.kind == "cuda" else 0,
        )
    predictor.keep()


def proposed(site: Site) -> tuple[Texts, ...]:
    """All ways of the planner to keep activations, to update, and to lay maps out."""
    stages = ((Stage.ACTIVATIONS, Stage.SAVED), (Stage.OPTIMIZER, Stage.STEP), (Stage.LAYOUT,))
    return tuple(dict.fromkeys(texts for some in stages for texts in ways(site, some)))


def same_bits(way: Texts, *, encoder: str, device: str) -> bool | None:
    """Whether gradients in fp32 are the same bits where none that a part is given is written over.

    None: nothing would be written over, or the device does not repeat itself.
    """
    techniques = compose.read(tuple(FINE.get(text, text) for text in way))
    if not any(one.name in IN_PLACE for one in techniques):
        return None
    shape = Shape(height=SMALL.height, width=SMALL.width, batch=2, encoder=encoder)
    with _repeatable():
        plain = exact.Plain(shape, device, torch.float32)
        first, second = (plain.run(techniques).gradients for _ in range(2))
        if not _equal(first, second):
            return None
        with handmade.always_copying():
            return _equal(plain.run(techniques).gradients, first)


def _equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(value, other[name]) for name, value in one.items())


@contextlib.contextmanager
def _repeatable() -> Iterator[None]:
    """Kernels that add up in one order alone, where there are such."""
    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=True, allow_tf32=False):
            yield
    finally:
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])


@contextlib.contextmanager
def _watched(device: Device) -> Iterator[list[int]]:
    """What NVML says that the process holds at the end, in the list; nothing where it does not tell."""
    found: list[int] = []
    if device.kind != "cuda":
        yield found
        return
    looking = meter.Meter(device.name)
    try:
        yield found
        looking.look_at_card()  # the allocator gives nothing back by itself
        process = looking.read().process_bytes
        found += [] if process is None else [process]
    finally:
        looking.close()


def _start_seconds(device: str) -> float:
    """Of the program and the launch of one kernel with next to nothing to compute."""
    one = torch.zeros(8, device=device)
    for _ in range(2):  # the first time kernels are loaded
        began = time.perf_counter()
        for _ in range(STARTED):
            one.add_(1.0)
        if device != devices.CPU:
            torch.cuda.synchronize(device)
    return (time.perf_counter() - began) / STARTED
