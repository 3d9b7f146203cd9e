"""Arithmetic of memory: from how a step is run to its peak, by part and by moment. Imports no torch.

A `MemoryEstimate` describes a step; techniques return changed ones. `account` walks through the step with the costs of
its parts: forward, loss, backward, update. At each moment it adds what the part has alive, the maps and gradients of
maps that anyone still holds (each once), what earlier parts have saved, the gradients of weights that are there, and
what is always there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from fullfield.distribution import counting, share
from fullfield.memory.costs import Costs, Key, Moment, Work
from fullfield.memory.kept import Kept, Owned
from fullfield.model.stages import INPUT, OUTPUT, STAGES

LOSS = "loss"
WAITING = 3  # batches beside the one in use, at most: two that are ready, and one that is being read
STORED_BYTES, TABLE_BYTES = 2, 4 << 16  # of a pixel as it is stored, and of what each of an image's levels stands for
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

    def __str__(self) -> str:
        return f"{self.encoder}:{self.batch}x{self.height}x{self.width}"


@dataclass(frozen=True, kw_only=True)
class PartPlan:
    """How one part is run: the values of `fullfield.model.chain.Part` without its function."""

    name: str
    takes: tuple[str, ...]
    stages: tuple[str, ...]
    method: str = "plain"


def plain_parts() -> tuple[PartPlan, ...]:
    """A part for each stage of the network, run as it is."""
    return tuple(PartPlan(name=name, takes=takes, stages=(name,)) for name, takes in STAGES.items())


@dataclass(frozen=True, kw_only=True)
class MemoryEstimate:
    """How a step is run. Everything that decides its bytes, nothing that is computed from it.

    `precision`: of the maps, a key of `ITEM_BYTES`. `codec`: what becomes of saved tensors ("": nothing). `layout`:
    "contiguous" or "channels_last". `released`: gradients of weights are let go of as soon as backward has them.
    `loss`: how 1 − MS-SSIM is computed. `stored_input`, `stored_reference`: these images lie on the device as they are
    stored, with a table of their levels. `state`, `host_state`: bytes of the optimizer per byte of fp32 weights, on
    the device and on the host; `update`: bytes that its step takes for a moment, likewise per byte of weights.
    `message`, `beside`: likewise, of gradients on their way to other processes while backward goes on, and of what
    lies beside gradients from step to step: what compressing them left over, or another copy of them; `copies`: of
    weights beside the optimizer. `owned`: what single ranks keep alone.
    `waiting`: images of the batch that are not in this forward (with accumulation, `shape` is that of one forward).
    `portions`: of the rows of every map, by rank, where ranks share them; `rank`: whose step it is then, of those that
    compute the same the first (`distribution.counting.alike`). `exchanged`: what each rank says to the others beside
    what its parts say.
    `time`: factor on the time that FLOPs alone explain, measured on a CPU and true of CPUs alone; a card's time follows
    from what it is asked for (`Work`). `waits`: how often the update lets the program wait until a card has done all
    that it was asked for; `update_starts`, `sent`: operations that the update starts more than the plain one, and bytes
    by those of fp32 weights that it sends to the host tier and back. `notes`: sentences on what the figures hold.
    """

    shape: Shape
    parts: tuple[PartPlan, ...] = field(default_factory=plain_parts)
    precision: str = "fp32"
    codec: str = ""
    layout: str = "contiguous"
    released: bool = False
    loss: str = "pytorch_msssim"
    stored_input: bool = False
    stored_reference: bool = False
    state: float = 2.0
    host_state: float = 0.0
    update: float = 0.0
    message: float = 0.0
    beside: float = 0.0
    copies: float = 0.0
    owned: Owned | None = None
    waiting: int = 0
    portions: tuple[int, ...] = ()
    rank: int = 0
    exchanged: Work = field(default_factory=Work)
    time: float = 1.0
    waits: int = 0
    update_starts: int = 0
    sent: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def variant(self) -> str:
        """What decides the cost of every part, beside its method."""
        flags = (str(self.shape), self.precision, self.codec, self.layout)
        shared = (f"rows{self.rank}of{'+'.join(map(str, self.portions))}",) if self.portions else ()
        return "/".join((*flags, *shared))

    @property
    def rows(self) -> int:
        """Of each image, those that this rank has."""
        height = self.shape.height
        first, last = share.own(height, self.rank, self.portions) if self.portions else (0, height)
        return last - first

    @property
    def image_bytes(self) -> int:
        """Of the images of a batch, inputs and references, with those that are not in this forward."""
        one = self.rows * self.shape.width
        floats = one * ITEM_BYTES["fp32"]
        kept = (self.stored_input, self.stored_reference)
        each = (one * STORED_BYTES + TABLE_BYTES if stored else floats for stored in kept)
        return (self.shape.batch + self.waiting) * sum(each)

    @property
    def waiting_bytes(self) -> int:
        """Of the batches that wait in the computer's memory."""
        return WAITING * self.image_bytes

    def run(self, method: str, *names: str) -> MemoryEstimate:
        """With the parts `names` run by `method`; all parts where no name is given."""
        parts = tuple(replace(part, method=method) if part.name in names or not names else part for part in self.parts)
        return replace(self, parts=parts)

    def replaced(self, name: str, *parts: PartPlan) -> MemoryEstimate:
        """With `parts` in the place of the part `name`."""
        flat = tuple(new for part in self.parts for new in (parts if part.name == name else (part,)))
        return replace(self, parts=flat)


@dataclass(frozen=True, kw_only=True)
class DeviceAccount:
    """The bytes of a step on one device. `peak`: all together, at `moment` of `part` in `phase`; `at_peak`: of it, by
    kind (weights, gradients, optimizer, activations, workspace, loss, input). `host`: the most in the host tier.
    `together`: the most of both at one moment, which is less than their sum where the two peaks are at different ones.

    `forward`, `backward`: the largest sums of those phases.
    """

    peak: int
    phase: str
    part: str
    operation: str
    at_peak: Mapping[str, int]
    forward: int
    backward: int
    host: int
    together: int


@dataclass(frozen=True, kw_only=True)
class Account:
    """What a step takes. `devices`: bytes, of the device of each rank. `works`: of each rank's forward and backward;
    `plain`: of the plain step's, which one device makes alone.
    """

    devices: tuple[DeviceAccount, ...]
    works: tuple[Work, ...]
    plain: Work = field(default_factory=Work)

    @property
    def fullest(self) -> DeviceAccount:
        """The device that takes most."""
        return max(self.devices, key=lambda one: one.peak)

    @property
    def flops(self) -> int:
        """Of convolutions, of all ranks."""
        return sum(work.flops for work in self.works)

    @property
    def flop_factor(self) -> float:
        """FLOPs by those of the plain step."""
        return self.flops / self.plain.flops if self.plain.flops else 1.0


def account(estimate: MemoryEstimate, costs: Costs, *, ranks: int = 1) -> Account:
    """The bytes of the step that `estimate` describes, of which each of the `ranks` makes its part. Raises KeyError
    where a cost is missing."""
    found: dict[int, tuple[DeviceAccount, Work]] = {}
    for one, alike in unlike(estimate, ranks):
        for same in ([rank] for rank in alike) if estimate.owned else (alike,):
            walk = _Walk(one, costs, same[0])
            found |= dict.fromkeys(same, (walk.device(), walk.work()))
    devices, works = zip(*(found[rank] for rank in range(ranks)), strict=True)
    return Account(devices=devices, works=works)


def unlike(estimate: MemoryEstimate, ranks: int) -> list[tuple[MemoryEstimate, Sequence[int]]]:
    """The step of each rank that computes something else than the others, and who computes the same."""
    if not estimate.portions:
        return [(estimate, range(ranks))]
    groups = counting.alike(estimate.portions, estimate.shape.height)
    return [(replace(estimate, rank=first), alike) for first, alike in groups.items()]


class _Walk:
    """Through the step of a rank in time. `gradients`: of maps, by map, that wait for the part that made the map."""

    def __init__(self, estimate: MemoryEstimate, costs: Costs, rank: int) -> None:
        self._estimate = estimate
        self._kept = Kept(estimate.owned, rank, costs.facts.weights)
        loss = PartPlan(name=LOSS, takes=(OUTPUT,), stages=(), method=estimate.loss)
        self._parts = (*estimate.parts, loss)
        variant = estimate.variant
        self._costs = [costs.of(Key(part=part.name, method=part.method, variant=variant)) for part in self._parts]
        self._facts = costs.facts
        self._map_bytes = {part.name: cost.map_bytes for part, cost in zip(self._parts, self._costs, strict=True)}
        self._peaks: dict[str, tuple[int, str, Moment | None, dict[str, int]]] = {}
        self._host = self._together = 0

    def work(self) -> Work:
        """Of all parts."""
        return sum((cost.work for cost in self._costs), Work())

    def device(self) -> DeviceAccount:
        """What the device holds on the way."""
        fixed = self._fixed()
        self._forward(fixed)
        left = self._backward(fixed)
        self._update(fixed, left)
        phase = max(self._peaks, key=lambda name: self._peaks[name][0])
        peak, part, moment, kinds = self._peaks[phase]
        return DeviceAccount(
            peak=peak,
            phase=phase,
            part=part,
            operation=moment.operation if moment else "",
            at_peak=kinds,
            forward=self._peaks["forward"][0],
            backward=self._peaks["backward"][0],
            host=self._host,
            together=self._together,
        )

    def _fixed(self) -> dict[str, int]:
        weights, estimate, kept = sum(self._facts.weights.values()), self._estimate, self._kept
        before = kept.gradients if estimate.waiting else 0  # those of the images before these
        return {
            "weights": kept.weights + 2 * self._facts.buffers,  # a bad step is undone from a copy of the buffers
            "optimizer": round(kept.remembered * estimate.state + weights * estimate.copies),
            "gradients": round(weights * estimate.beside) + before,
            "input": self._estimate.image_bytes,
        }

    def _forward(self, fixed: dict[str, int]) -> None:
        saved = 0
        for place, cost in enumerate(self._costs):
            alive = self._held(place) | set(self._parts[place].takes) | self._taken_from(place)
            maps = sum(self._map_bytes[name] for name in alive - {INPUT})
            for moment in cost.forward:
                kinds = {**fixed, "activations": saved + maps}
                kinds["weights"] += self._kept.gathered(self._parts[place].stages)
                self._note("forward", place, moment, kinds, moment.bytes, self._hosted(place))
            saved += cost.saved.bytes

    def _backward(self, fixed: dict[str, int]) -> int:
        waiting: dict[str, int] = {}
        left = 0
        # Gradients that are let go of, or added to those of the images before.
        passing = self._estimate.released or self._estimate.waiting > 0
        message = self._message()
        for place in reversed(range(len(self._parts))):
            part, cost = self._parts[place], self._costs[place]
            extra = max(0, waiting.pop(part.name, 0) - cost.map_bytes)
            saved, hosted = sum(before.saved.bytes for before in self._costs[:place]), self._hosted(place)
            held, share = self._held(place), self._kept.share(part.stages)
            for moment in cost.backward:
                alive = held | {name for name, holds in zip(part.takes, moment.holds, strict=True) if holds}
                alive |= {part.name} if moment.makes else set()
                maps = sum(self._map_bytes[name] for name in alive - {INPUT})
                gradients = sum(waiting.values()) + (extra if moment.receives else 0)
                kinds = {**fixed, "activations": saved + maps + gradients}
                kinds["weights"] += self._kept.gathered(part.stages)
                kinds["gradients"] += left + message
                released = moment.gradients if passing else round(moment.gradients * (1 - share))
                self._note("backward", place, moment, kinds, moment.bytes - released, hosted)
            left += 0 if passing else round(cost.left.bytes * share)
            for name, in_place, size in zip(part.takes, cost.in_place, cost.gradients, strict=True):
                if name != INPUT:  # a second gradient is added to the first, in place
                    size = self._map_bytes[name] if in_place else size
                    waiting[name] = max(waiting.get(name, 0), 0 if in_place and name in held else size)
        return left

    def _update(self, fixed: dict[str, int], left: int) -> None:
        weights = sum(self._facts.weights.values())
        taken = round(weights * self._estimate.update)
        kinds = {**fixed, "gradients": fixed["gradients"] + left + self._message(), "workspace": taken}
        total, remembered = sum(kinds.values()), self._hosted(0)
        self._peaks["update"] = (total, "", None, kinds)
        self._host, self._together = max(self._host, remembered), max(self._together, total + remembered)

    def _message(self) -> int:
        return round(sum(self._facts.weights.values()) * self._estimate.message)

    def _hosted(self, place: int) -> int:
        """Bytes in the host tier of the optimizer, and of what the parts before `place` have left there."""
        state = round(self._kept.remembered * self._estimate.host_state)
        return state + sum(before.saved.host for before in self._costs[:place])

    def _held(self, place: int) -> set[str]:
        """The maps that parts before `place` keep for backward."""
        names: set[str] = set()
        for part, cost in zip(self._parts[:place], self._costs[:place], strict=True):
            names |= {name for name, holds in zip(part.takes, cost.saved.holds, strict=True) if holds}
            names |= {part.name} if cost.saved.makes else set()
        return names

    def _taken_from(self, place: int) -> set[str]:
        """The maps made before `place` that a part behind it takes."""
        later = {name for part in self._parts[place:] for name in part.takes}
        return later & {part.name for part in self._parts[:place]}

    def _note(self, phase: str, place: int, moment: Moment, kinds: dict[str, int], own: int, hosted: int) -> None:
        kind = "loss" if self._parts[place].name == LOSS else "activations"
        whole = {**kinds, "workspace": moment.workspace}
        whole[kind] = whole.get(kind, 0) + own - moment.workspace
        total, hosted = sum(whole.values()), hosted + moment.host
        self._host, self._together = max(self._host, hosted), max(self._together, total + hosted)
        if phase not in self._peaks or total > self._peaks[phase][0]:
            self._peaks[phase] = (total, self._parts[place].name, moment, whole)
