"""How a step is run, by what decides its bytes: the values that techniques change and that `account` reckons with.

Imports no torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fullfield.distribution import share
from fullfield.distribution.buckets import Summed
from fullfield.memory.costs import Work
from fullfield.memory.kept import Owned
from fullfield.model.families import registry as families

LOSS, PLAIN = "loss", "plain"
WAITING = 3  # batches beside the one in use, at most: two that are ready, and one that is being read
STORED_BYTES, TABLE_BYTES = 2, 4 << 16  # of a pixel as it is stored, and of what each of an image's levels stands for
ITEM_BYTES = {"fp32": 4, "tf32": 4, "bf16": 2, "fp16": 2, "fp64": 8}


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What one step computes on: `batch` images of `height` × `width` pixels, padded to multiples of 32. `encoder`: of
    the U-Net, or the name of another network (`model.spec.NetworkSpec.name`)."""

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
    method: str = PLAIN


def plain_parts(network: str = "resnet34") -> tuple[PartPlan, ...]:
    """A part for each stage of the network of that name, run as it is."""
    stages = families.of(network).stages
    return tuple(PartPlan(name=name, takes=takes, stages=(name,)) for name, takes in stages.items())


@dataclass(frozen=True, kw_only=True)
class MemoryEstimate:
    """How a step is run. Everything that decides its bytes, nothing that is computed from it.

    `precision`: of the maps, a key of `ITEM_BYTES`. `codec`: what becomes of saved tensors ("": nothing). `layout`:
    "contiguous" or "channels_last". `released`: gradients of weights are let go of as soon as backward has them.
    `loss`: how 1 − MS-SSIM is computed. `stored_input`, `stored_reference`: these images lie on the device as they are
    stored, with a table of their levels. `state`, `host_state`: bytes of the optimizer per byte of fp32 weights, on
    the device and on the host; `update`: bytes that its step takes for a moment, likewise per byte of weights.
    `beside`: likewise, of what lies beside gradients from step to step: what compressing them left over, or another
    copy of them; `copies`: of weights beside the optimizer. `summed`: how gradients are summed over ranks, in buckets.
    `images`: of a batch those of each rank, or of each group that shares the rows of an image, where they are not
    alike; `shape` and `waiting` are of one that has most.
    `owned`: what single ranks keep alone. `joint`: ranks whose images BatchNorm counts together, 0: each its own.
    `waiting`: images of the batch that are not in this forward (with accumulation, `shape` is that of one forward).
    `placed`: by rank, the names of the parts that it runs, where ranks have other parts than one another: one image
    after another, in the order of `schedule` (`fullfield.distribution.schedule`).
    `portions`: of the rows of every map, of each of so many ranks that share them; `rank`: whose step it is then, of
    those that compute the same the first (`distribution.counting.alike`). `exchanged`: what each rank says to the
    others beside what its parts say; `again`: of it, what every forward and backward after the first says once more;
    `of_owners`: what more, where single ranks own weights.
    `time`: factor on the time that FLOPs alone explain, measured on a CPU and true of CPUs alone; a card's time follows
    from what it is asked for (`Work`). `waits`: how often the update lets the program wait until a card has done all
    that it was asked for; `update_starts`, `sent`: operations that the update starts more than the plain one, and bytes
    by those of fp32 weights that it sends to the host tier and back. `notes`: sentences on what the figures hold.
    """

    shape: Shape
    parts: tuple[PartPlan, ...] = ()
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
    beside: float = 0.0
    copies: float = 0.0
    summed: Summed | None = None
    images: tuple[int, ...] = ()
    joint: int = 0
    owned: Owned | None = None
    waiting: int = 0
    placed: tuple[tuple[str, ...], ...] = ()
    schedule: str = ""
    portions: tuple[int, ...] = ()
    rank: int = 0
    exchanged: Work = field(default_factory=Work)
    again: Work = field(default_factory=Work)
    of_owners: Work = field(default_factory=Work)
    time: float = 1.0
    waits: int = 0
    update_starts: int = 0
    sent: float = 0.0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.parts:
            object.__setattr__(self, "parts", plain_parts(self.shape.encoder))

    def of(self, rank: int) -> MemoryEstimate:
        """As the step of this rank is: one without an image runs a stand-in."""
        if not self.images:
            return replace(self, rank=rank)
        count = max(1, self.images[rank // (len(self.portions) or 1)])
        batch = min(self.shape.batch, count) if self.waiting else count
        return replace(self, rank=rank, shape=replace(self.shape, batch=batch), waiting=count - batch)

    @property
    def last(self) -> MemoryEstimate | None:
        """Of the second and last forward, where it has fewer images: it alone runs beside gradients of others."""
        fewer = 0 < self.waiting < self.shape.batch and not self.placed
        shape = replace(self.shape, batch=self.waiting)
        return replace(self, shape=shape, waiting=self.shape.batch) if fewer else None

    @property
    def variant(self) -> str:
        """What decides the cost of every part, beside its method."""
        flags = (str(self.shape), self.precision, self.codec, self.layout)
        shared = (f"rows{self.place}of{'+'.join(map(str, self.portions))}",) if self.portions else ()
        counted = (f"joint{self.joint}",) if self.joint else ()
        return "/".join((*flags, *shared, *counted))

    @property
    def place(self) -> int:
        """Of this rank among those that share the rows of an image: they follow one another."""
        return self.rank % len(self.portions) if self.portions else 0

    @property
    def rows(self) -> int:
        """Of each image, those that this rank has."""
        height = self.shape.height
        first, last = share.own(height, self.place, self.portions) if self.portions else (0, height)
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

    def divided(self, placed: tuple[tuple[str, ...], ...], weights: Mapping[str, int]) -> MemoryEstimate:
        """With its parts on ranks, by name, each with the weights of its own alone; of those the bytes by stage."""
        stages = {part.name: part.stages for part in self.parts}
        own = tuple({stage: weights[stage] for name in names for stage in stages[name]} for names in placed)
        return replace(self, placed=placed, owned=Owned(by_rank=own, gradients=True, weights=True))

    def replaced(self, name: str, *parts: PartPlan) -> MemoryEstimate:
        """With `parts` in the place of the part `name`."""
        flat = tuple(new for part in self.parts for new in (parts if part.name == name else (part,)))
        return replace(self, parts=flat)
