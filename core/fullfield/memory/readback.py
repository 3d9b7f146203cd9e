"""What a training took, read back from its events: peaks by phase, measured beside predicted, and which operation held
the peak. No torch, for windows and command lines read it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from fullfield.hardware.meter import Reading
from fullfield.memory.watch import BACKWARD, FORWARD
from fullfield.protocol.events import Event, MemorySampled, PlanMade, RungTaken, StepProfiled
from fullfield.protocol.plan import RankPlan
from fullfield.protocol.rank_events import RanksSampled
from fullfield.units import format_bytes

TRAINING = "Training"  # the phase of a run in which steps are made
_FIGURES = tuple(item.name for item in fields(Reading))


class Readback:
    """Hears a run's events in order; holds figures alone, however long the run.

    `phases`: the highest of every figure by phase, of any rank. `profiled`: the last profiled step of rank 0.
    `predicted_bytes`: what the plan says that torch's allocator gives out at most; `process_bytes`: that the process
    holds at most. None without a plan, and after a training has left its plan's first choice for the next because
    memory ran out: then all begins anew, as by a plan of other techniques. `ranks`: the most that each process held,
    where there are several.
    """

    def __init__(self) -> None:
        self.phases: dict[str, Reading] = {}
        self.profiled: StepProfiled | None = None
        self.predicted_bytes: int | None = None
        self.process_bytes: int | None = None
        self.ranks: dict[int, int] = {}
        self._devices: tuple[RankPlan, ...] = ()
        self._techniques: tuple[str, ...] | None = None

    def apply(self, event: Event) -> None:
        """Take an event in; all but those of memory and plans are passed over."""
        match event:
            case RungTaken():  # with other techniques: what was is no longer
                self._begin_anew(event.techniques)
                self.predicted_bytes, self._devices = None, ()
                self.process_bytes = event.peak_bytes or None
            case PlanMade():
                if event.plan.techniques != self._techniques:
                    self._begin_anew(event.plan.techniques)
                self.predicted_bytes = event.plan.allocator_bytes or None
                self.process_bytes = event.plan.process_bytes or None
                self._devices = event.plan.devices
            case RanksSampled():
                for state in event.ranks:
                    self.ranks[state.rank] = max(self.ranks.get(state.rank, 0), state.held_bytes)
            case StepProfiled(rank=0):
                self.profiled = event
            case MemorySampled():
                reading = Reading(**{name: getattr(event, name) for name in _FIGURES})
                before = self.phases.get(event.phase)
                self.phases[event.phase] = before.highest(reading) if before else reading
            case _:
                pass

    def _begin_anew(self, techniques: Sequence[str]) -> None:
        self.phases, self.profiled, self.ranks = {}, None, {}
        self._techniques = tuple(techniques)

    def given_out(self, phase: str) -> int | None:
        """The most bytes that torch's allocator gave out in `phase`, weights and optimizer included: on a card of all
        steps, on the CPU of the profiled step. None where it is not known.
        """
        counted = self.phases[phase].peak_bytes if phase in self.phases else None
        if counted is not None or self.profiled is None:
            return counted
        more = {FORWARD: self.profiled.forward_bytes, BACKWARD: self.profiled.backward_bytes}
        return self.profiled.before_bytes + more[phase] if phase in more else None

    def sentences(self) -> str:
        """One line for people; empty where no step was watched."""
        if FORWARD not in self.phases or BACKWARD not in self.phases:
            return ""
        on_card = self.phases[BACKWARD].allocated_bytes is not None
        forward, backward = self.given_out(FORWARD), self.given_out(BACKWARD)
        if forward is None or backward is None:
            fore, back = (format_bytes(self.phases[phase].host_bytes) for phase in (FORWARD, BACKWARD))
            if self.process_bytes and not on_card:
                held = format_bytes(max(reading.host_bytes for reading in self.phases.values()))
                predicted = format_bytes(self.process_bytes)
                return f"Memory: the process held up to {held}, of {predicted} predicted (no graphics card)."
            return f"Memory: forward {fore}, backward {back} (process memory, no graphics card)."
        whole = [reading.device_bytes if on_card else reading.host_bytes for reading in self.phases.values()]
        most = max((count for count in whole if count is not None), default=0)
        holder = "card" if on_card else "process, without a graphics card,"
        beside = f"; the whole {holder} held up to {format_bytes(most)}" if most else ""
        fore, back = format_bytes(forward), format_bytes(backward)
        text = f"Memory: forward {fore}, backward {back} (what torch gave out{beside})."
        if self.predicted_bytes:
            predicted = format_bytes(self.predicted_bytes)
            text = f"Memory: forward {fore}, backward {back}, of {predicted} predicted (what torch gave out{beside})."
        if self.profiled and self.profiled.peak_operation:
            return " ".join((text, f"Most was held {_moment(self.profiled)}."))
        return text

    def of_ranks(self) -> str:
        """One line for people, of each process; empty where there is one."""
        return " ".join(self._of_rank(rank, format_bytes(held)) for rank, held in sorted(self.ranks.items()))

    def _of_rank(self, rank: int, held: str) -> str:
        planned = self._devices[rank].process_bytes if rank < len(self._devices) else 0
        if not planned:
            return f"Process {rank + 1} held up to {held}."
        return f"Process {rank + 1} held up to {held}, of {format_bytes(planned)} predicted."


def summary(events: Iterable[Event]) -> Readback:
    """What the events of a run say on its memory."""
    found = Readback()
    for event in events:
        found.apply(event)
    return found


def _moment(profiled: StepProfiled) -> str:
    """When most was held: in plain words where we have them, and always in torch's own."""
    words = OPERATIONS.get(profiled.peak_operation)
    operation = f"{words} ({profiled.peak_operation})" if words else profiled.peak_operation
    return f"in the {profiled.peak_phase} phase, by {operation}"


OPERATIONS = {
    "aten::convolution": "a convolution",
    "aten::convolution_backward": "the gradients of a convolution",
    "aten::native_batch_norm": "a BatchNorm",
    "aten::native_batch_norm_backward": "the gradients of a BatchNorm",
    "aten::cat": "maps being joined",
    "aten::add": "maps being added",
    "aten::add_": "maps being added",
    "aten::clone": "a map being copied",
    "aten::empty": "room for a result",
    "aten::empty_strided": "room for a result",
    "aten::relu_": "a ReLU",
    "aten::relu": "a ReLU",
}
