"""Arithmetic of memory: from how a step is run to its peak, by part and by moment. Imports no torch.

A `MemoryEstimate` describes a step; techniques return changed ones. `account` walks through the step with the costs of
its parts: forward, loss, backward, update. At each moment it adds what the part has alive, the maps and gradients of
maps that anyone still holds (each once), what earlier parts have saved, the gradients of weights that are there, and
what is always there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

INPUT, OUTPUT, LOSS = "input", "head", "loss"
ITEM_BYTES = {"fp32": 4, "tf32": 4, "bf16": 2, "fp16": 2, "fp64": 8}


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What one step computes on: `batch` images of `height` × `width` pixels, padded to multiples of 32."""

    height: int
    width: int
    batch: int = 1
    encoder: str = "resnet34"

    @property
    def pixels(self) -> int:
        """Of all images of a batch."""
        return self.batch * self.height * self.width


@dataclass(frozen=True, kw_only=True)
class PartPlan:
    """How one part is run: the values of `fullfield.model.chain.Part` without its function."""

    name: str
    takes: tuple[str, ...]
    stages: tuple[str, ...]
    method: str = "plain"


def plain_parts() -> tuple[PartPlan, ...]:
    """A part for each stage of the network, run as it is."""
    from fullfield.model.stages import STAGES

    return tuple(PartPlan(name=name, takes=takes, stages=(name,)) for name, takes in STAGES.items())


@dataclass(frozen=True, kw_only=True)
class MemoryEstimate:
    """How a step is run. Everything that decides its bytes, nothing that is computed from it.

    `precision`: of the maps, a key of `ITEM_BYTES`. `codec`: what becomes of saved tensors ("": nothing). `layout`:
    "contiguous" or "channels_last". `released`: gradients of weights are let go of as soon as backward has them.
    `loss`: how 1 − MS-SSIM is computed. `state`, `host_state`: bytes of the optimizer per byte of fp32 weights, on
    the device and on the host; `update`: bytes that its step takes for a moment, likewise per byte of weights.
    `micro`: images of one forward (0: the whole batch). `time`: factor on the time that FLOPs alone explain.
    `notes`: sentences on what the figures hold.
    """

    shape: Shape
    parts: tuple[PartPlan, ...] = field(default_factory=plain_parts)
    precision: str = "fp32"
    codec: str = ""
    layout: str = "contiguous"
    released: bool = False
    loss: str = "pytorch_msssim"
    state: float = 2.0
    host_state: float = 0.0
    update: float = 0.0
    micro: int = 0
    time: float = 1.0
    notes: tuple[str, ...] = ()

    @property
    def variant(self) -> str:
        """What decides the cost of every part, beside its method."""
        flags = (self.precision, self.codec, self.layout, "released" if self.released else "kept")
        return "/".join(flags)

    def run(self, method: str, *names: str) -> MemoryEstimate:
        """With the parts `names` run by `method`; all parts where no name is given."""
        parts = tuple(replace(part, method=method) if part.name in names or not names else part for part in self.parts)
        return replace(self, parts=parts)

    def replaced(self, name: str, *parts: PartPlan) -> MemoryEstimate:
        """With `parts` in the place of the part `name`."""
        flat = tuple(new for part in self.parts for new in (parts if part.name == name else (part,)))
        return replace(self, parts=flat)


@dataclass(frozen=True, kw_only=True)
class Account:
    """The bytes of a step. `peak`: on the device, all together, at `moment` of `part` in `phase`; `at_peak`: of it, by
    kind (weights, gradients, optimizer, activations, workspace, loss, input). `host`: in the host tier beside it.

    `forward`, `backward`: the largest sums of those phases. `flops`: of the step; `plain_flops`: of the plain one.
    """

    peak: int
    phase: str
    part: str
    operation: str
    at_peak: Mapping[str, int]
    forward: int
    backward: int
    host: int
    flops: int
    plain_flops: int

    @property
    def flop_factor(self) -> float:
        """FLOPs by those of the plain step."""
        return self.flops / self.plain_flops if self.plain_flops else 1.0
