"""The plan of a training, as it is told: which techniques, and what they take."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullfield.checked import Count, Seconds

ESTIMATED, MEASURED, GIVEN = "estimated", "measured", "given"  # how the figures of a link are known

MOST_WAITING = 0.25  # of a step: above it the link between ranks is the limit


@dataclass(frozen=True, kw_only=True)
class DevicePlan:
    """What a training takes on one device, in bytes.

    `process_bytes`: what the process holds of the device's memory at its highest, over the whole
    training: the bytes that a budget is held against, and that are shown. On a card they are `peak_bytes`; on a CPU,
    whose memory is the process's, `library_bytes` (what the process holds beside tensors) and `loader_bytes` (batches
    that wait) come to them, and an evaluation may be higher than a step. `peak_bytes`: the step's part of it: what
    torch's allocator gives out (`allocator_bytes`), what it keeps besides (`reserved_bytes`; on a CPU the heap), and
    the context of a card (`context_bytes`); on a CPU the host tier too, which is the same memory there, and for a card
    that is not here the doubt of the estimate. `optimizer_bytes`: of it, the optimizer's. `host_bytes`: in the host
    tier; the loader's batches are the computer's memory too. `by_kind`: bytes at the peak, which is `peak_at`.
    """

    process_bytes: Count = 0
    peak_bytes: Count = 0
    allocator_bytes: Count = 0
    reserved_bytes: Count = 0
    context_bytes: Count = 0
    library_bytes: Count = 0
    loader_bytes: Count = 0
    optimizer_bytes: Count = 0
    host_bytes: Count = 0
    by_kind: dict[str, Count] = field(default_factory=dict)
    peak_at: str = ""


@dataclass(frozen=True, kw_only=True)
class RankPlan(DevicePlan):
    """What a training takes on the device of one rank. `name`: the device's title. `rows`: of each image that the rank
    has. `sent_bytes`, `messages`: what it sends to the others in a step, operations of all ranks at once counted too;
    `waiting_seconds`: how long it waits for that and for what they send, by the plan's `link`.
    """

    rank: Count = 0
    name: str = ""
    rows: Count = 0
    sent_bytes: Count = 0
    messages: Count = 0
    waiting_seconds: Seconds = 0.0


@dataclass(frozen=True, kw_only=True)
class LinkPlan:
    """What is between the devices of a plan: latency of a message, and bytes a second in one direction. `source`:
    `ESTIMATED`, `MEASURED` on this computer, or `GIVEN` by who asked."""

    name: str = ""
    seconds: Seconds = 0.0
    bytes_per_second: float = 0.0
    source: str = ESTIMATED


@dataclass(frozen=True, kw_only=True)
class AlonePlan:
    """What the best of several devices would do alone, by `techniques`: `times` as long as all of them; 0: no plan of
    one alone fits. `name`: its title, or "process" for one on the processor."""

    name: str = ""
    times: float = 0.0
    techniques: tuple[str, ...] = ()

    @property
    def pays(self) -> bool:
        """Whether the others are of use."""
        return self.times == 0.0 or self.times > 1.0


@dataclass(frozen=True, kw_only=True)
class FewerPlan:
    """What `computers` of those that are named would do, by `techniques`: a step takes `times` as long as that of all;
    0: no plan of so many fits. Which come beside the first is not known: see `fullfield.plan.where`."""

    computers: Count = 0
    times: float = 0.0
    techniques: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Plan(DevicePlan):
    """How a training will be run, and what it takes: its own figures are those of the fullest of its `devices`, one for
    each rank; `device`: that one's title. What an event does not tell (of a prediction that was noted by hand, or of an
    older version) is 0, empty or as usual.

    `size`: (height, width) in pixels, multiples of 32; `batch`: images per step, of all devices. `techniques`: in the
    order of application. `exact`: gradients are those of the plain step. `flop_factor`, `time_factor`: by the plain
    step. `waiting`: the share of a step on cards that ranks wait for what they say to one another. Of several devices,
    `link`: what is between them, and `alone`: what the best of them would do alone; None where nobody has looked;
    of several computers, `fewer`: what each smaller number of them would do, from 2.
    `estimate`: how sure the figures are, of any card (`HERE`, `ABSENT` of `fullfield.plan.plan`), and where the
    libraries of a CPU's process could not be measured; else "". `reason`: why it was chosen, a sentence. `notes`:
    sentences on what the figures hold.
    """

    device: str = ""
    devices: tuple[RankPlan, ...] = ()
    size: tuple[int, int] = (0, 0)
    batch: int = 1
    techniques: tuple[str, ...] = ()
    exact: bool = True
    flop_factor: float = 1.0
    time_factor: float = 1.0
    waiting: float = 0.0
    link: LinkPlan | None = None
    alone: AlonePlan | None = None
    fewer: tuple[FewerPlan, ...] = ()
    estimate: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def moved_bytes(self) -> int:
        """In the host tier of all devices together."""
        return sum(one.host_bytes for one in self.devices or (self,))

    @property
    def waits_long(self) -> bool:
        """Whether the link between ranks is the limit."""
        return self.waiting > MOST_WAITING


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """What a set of techniques takes: `process_bytes` and `flop_factor` as in its plan."""

    techniques: tuple[str, ...] = ()
    process_bytes: Count = 0
    flop_factor: float = 1.0
