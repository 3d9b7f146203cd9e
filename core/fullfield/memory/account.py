"""Arithmetic of memory: from how a step is run to its peak, by part and by moment. Imports no torch.

A `MemoryEstimate` describes a step; techniques return changed ones. `account` walks through the step with the costs of
its parts: forward, loss, backward, update. At each moment it adds what the part has alive, the maps and gradients of
maps that anyone still holds (each once), what earlier parts have saved, the gradients of weights that are there, and
what is always there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from fullfield.distribution import counting
from fullfield.distribution.schedule import Action
from fullfield.memory import own
from fullfield.memory.costs import Costs, Key, Moment, Work
from fullfield.memory.estimate import (
    ITEM_BYTES,
    LOSS,
    STORED_BYTES,
    TABLE_BYTES,
    WAITING,
    MemoryEstimate,
    PartPlan,
    Shape,
    plain_parts,
)
from fullfield.memory.kept import Kept
from fullfield.model.stages import INPUT, OUTPUT

MESSAGE = Moment(bytes=0, holds=(), makes=False, operation="message")

__all__ = [
    "ITEM_BYTES",
    "LOSS",
    "STORED_BYTES",
    "TABLE_BYTES",
    "WAITING",
    "Account",
    "DeviceAccount",
    "MemoryEstimate",
    "PartPlan",
    "Shape",
    "account",
    "of_rank",
    "plain_parts",
    "unlike",
]


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

    def then(self, later: DeviceAccount) -> DeviceAccount:
        """With what follows it in the same step."""
        return replace(
            max(self, later, key=lambda one: one.peak),
            forward=max(self.forward, later.forward),
            backward=max(self.backward, later.backward),
            host=max(self.host, later.host),
            together=max(self.together, later.together),
        )


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
            found |= dict.fromkeys(same, of_rank(one, costs, same[0]))
    devices, works = zip(*(found[rank] for rank in range(ranks)), strict=True)
    return Account(devices=devices, works=works)


def of_rank(estimate: MemoryEstimate, costs: Costs, rank: int) -> tuple[DeviceAccount, Work]:
    """What the step of one rank takes. Raises KeyError likewise."""
    walk, last = _Walk(estimate, costs, rank), estimate.last
    device = walk.device()
    if last is not None:
        device = device.then(_Walk(last, costs, rank).device())
    return device, walk.work()


def unlike(estimate: MemoryEstimate, ranks: int) -> list[tuple[MemoryEstimate, Sequence[int]]]:
    """The step of each rank that computes something else than the others, and who computes the same."""
    if estimate.placed:
        return [(replace(estimate, rank=rank), (rank,)) for rank in range(len(estimate.placed))]
    size = len(estimate.portions) or 1  # ranks that share an image
    places = counting.alike(estimate.portions, estimate.shape.height) if estimate.portions else {0: [0]}
    each = [max(1, count) for count in estimate.images] or [1] * max(1, ranks // size)  # a stand-in is an image
    by_count = [[group for group, one in enumerate(each) if one == count] for count in sorted({*each})]
    return [
        (estimate.of(groups[0] * size + first), [group * size + place for group in groups for place in alike])
        for groups in by_count
        for first, alike in places.items()
    ]


class _Walk:
    """Through the step of a rank in time: through all of its parts, or through those that the rank has."""

    def __init__(self, estimate: MemoryEstimate, costs: Costs, rank: int) -> None:
        self._estimate = estimate
        self._kept = Kept(estimate.owned, rank, costs.facts.weights)
        loss = PartPlan(name=LOSS, takes=(OUTPUT,), stages=(), method=estimate.loss)
        self._parts = (*estimate.parts, loss)
        variant = estimate.variant
        self._costs = [costs.of(Key(part=part.name, method=part.method, variant=variant)) for part in self._parts]
        self._facts = costs.facts
        self._map_bytes = {part.name: cost.map_bytes for part, cost in zip(self._parts, self._costs, strict=True)}
        self._own = own.whole(self._parts, added=estimate.waiting > 0 and estimate.last is None)
        if estimate.placed:
            count = estimate.shape.batch + estimate.waiting
            self._own = own.of_rank(self._parts, estimate.placed, rank, count, estimate.schedule)
        self._peaks: dict[str, tuple[int, str, Moment | None, dict[str, int]]] = {}
        self._host = self._together = 0

    def work(self) -> Work:
        """Of its parts, and of the maps that it sends to other ranks."""
        maps = [*(name for name, takers in self._own.given.items() for _ in range(takers)), *self._own.taken - {INPUT}]
        reported = Work(passed=sum(self._map_bytes[name] for name in maps), messages=len(maps))
        return sum((self._costs[place].work for place in self._own.places), reported)

    def device(self) -> DeviceAccount:
        """What the device holds on the way."""
        left, fixed = 0, dict[str, int]()
        alike = {(action.forward, action.others, action.added): action for action in self._own.actions}
        for action in alike.values():
            fixed = self._fixed(action)
            if action.forward:
                self._forward(fixed)
            else:
                left = self._backward(fixed, action)
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

    def _fixed(self, action: Action) -> dict[str, int]:
        """What is there all the time while a forward or a backward runs."""
        end = self._own.places.stop
        others = self._bytes(self._held(end) | {*self._own.given}) + self._saved(end)
        leaving = self._bytes(self._own.taken) if action.added else 0  # gradients of maps, until the next ones leave
        weights, estimate, kept = sum(self._facts.weights.values()), self._estimate, self._kept
        before = kept.gradients if action.added else 0  # those of the images before these
        return {
            "weights": kept.weights + 2 * self._facts.buffers,  # a bad step is undone from a copy of the buffers
            "optimizer": round(kept.remembered * estimate.state + weights * estimate.copies),
            "gradients": round(weights * estimate.beside) + before,
            "input": self._estimate.image_bytes,
            "activations": action.others * others + leaving,
        }

    def _forward(self, fixed: dict[str, int]) -> None:
        for place in self._own.places:
            # What others were given stays until its gradient comes.
            given = {part.name for part in self._parts[:place]} & {*self._own.given}
            alive = self._held(place) | set(self._parts[place].takes) | self._taken_from(place) | given
            kinds = dict(fixed)
            kinds["weights"] += self._kept.gathered(self._parts[place].stages)
            kinds["activations"] += self._saved(place) + self._bytes(alive)
            self._come("forward", place, kinds)
            for moment in self._costs[place].forward:
                self._note("forward", place, moment, kinds, moment.bytes)

    def _backward(self, fixed: dict[str, int], action: Action) -> int:
        # Gradients of maps that wait for the part that made the map: here, or on another rank.
        waiting = {name: self._map_bytes[name] for name in self._own.given}
        left = gone = 0  # `gone`: of messages that are there until backward is over
        # Gradients that are let go of, or added to those of the images before.
        passing = self._estimate.released or action.added
        summed = self._estimate.summed
        beside = summed.beside(released=self._estimate.released) if summed else {}
        for place in reversed(self._own.places):
            part, cost = self._parts[place], self._costs[place]
            message = max((beside[stage] for stage in part.stages if stage in beside), default=0)
            extra = max(0, waiting.pop(part.name, 0) - cost.map_bytes)
            saved, held = self._saved(place), self._held(place)
            kinds = {**fixed, "gradients": fixed["gradients"] + left + gone}
            kinds["weights"] += self._kept.gathered(part.stages)
            own = self._bytes(self._held(place + 1)) + cost.saved.bytes + cost.map_bytes
            kinds["activations"] += saved + own + sum(waiting.values()) + extra
            self._come("backward", place, kinds)
            for moment in cost.backward:
                alive = held | {name for name, holds in zip(part.takes, moment.holds, strict=True) if holds}
                alive |= {part.name} if moment.makes else set()
                gradients = sum(waiting.values()) + (extra if moment.receives else 0)
                kinds = dict(fixed)
                passed = self._kept.others(part.stages, moment.gradients)  # to their owners, with whose weights
                kinds["weights"] += max(0, self._kept.gathered(part.stages) - passed)
                kinds["activations"] += saved + self._bytes(alive) + gradients
                kinds["gradients"] += left + gone + message
                released = moment.gradients if passing else passed
                self._note("backward", place, moment, kinds, moment.bytes - released)
            for name, in_place, size in zip(part.takes, cost.in_place, cost.gradients, strict=True):
                if name != INPUT:  # a second gradient is added to the first, in place
                    size = self._map_bytes[name] if in_place else size
                    waiting[name] = max(waiting.get(name, 0), 0 if in_place and name in held else size)
            if going := self._kept.going(part.stages):
                kinds = {**fixed, "gradients": fixed["gradients"] + left + gone + going}
                kinds["activations"] += saved + self._bytes(held) + sum(waiting.values())
                self._note("backward", place, MESSAGE, kinds, 0)
                gone += self._kept.message(part.stages)
            left += 0 if passing else cost.left.bytes - self._kept.others(part.stages, cost.left.bytes, last=True)
        return left

    def _come(self, phase: str, place: int, kinds: Mapping[str, int]) -> None:
        """The weights of a part come together, where they do, before it runs."""
        if message := self._kept.message(self._parts[place].stages):
            self._note(phase, place, MESSAGE, {**kinds, "gradients": kinds["gradients"] + message}, 0)

    def _update(self, fixed: dict[str, int], left: int) -> None:
        weights = sum(self._facts.weights.values())
        taken = round(weights * self._estimate.update)
        message = self._estimate.summed.last if self._estimate.summed and not self._estimate.released else 0
        kinds = {**fixed, "gradients": fixed["gradients"] + left + message, "workspace": taken}
        total, remembered = sum(kinds.values()), self._hosted(self._own.places.start)
        self._peaks["update"] = (total, "", None, kinds)
        self._host, self._together = max(self._host, remembered), max(self._together, total + remembered)

    def _bytes(self, maps: Set[str]) -> int:
        return sum(self._map_bytes[name] for name in maps - {INPUT})

    def _saved(self, place: int) -> int:
        """Bytes beside maps that the parts before `place` keep for backward."""
        return sum(cost.saved.bytes for cost in self._costs[self._own.places.start : place])

    def _hosted(self, place: int) -> int:
        """Bytes in the host tier of the optimizer, and of what the parts before `place` have left there."""
        state = round(self._kept.remembered * self._estimate.host_state)
        return state + sum(before.saved.host for before in self._costs[self._own.places.start : place])

    def _held(self, place: int) -> set[str]:
        """The maps that parts before `place` keep for backward."""
        names: set[str] = set()
        before = slice(self._own.places.start, place)
        for part, cost in zip(self._parts[before], self._costs[before], strict=True):
            names |= {name for name, holds in zip(part.takes, cost.saved.holds, strict=True) if holds}
            names |= {part.name} if cost.saved.makes else set()
        return names

    def _taken_from(self, place: int) -> set[str]:
        """The maps made before `place` that a part behind it takes; what other ranks made is there at the beginning."""
        later = {name for part in self._parts[place : self._own.places.stop] for name in part.takes}
        return later & {part.name for part in self._parts[:place]}

    def _note(self, phase: str, place: int, moment: Moment, kinds: dict[str, int], beyond: int) -> None:
        kind = "loss" if self._parts[place].name == LOSS else "activations"
        whole = {**kinds, "workspace": moment.workspace}
        whole[kind] = whole.get(kind, 0) + beyond - moment.workspace
        total, hosted = sum(whole.values()), self._hosted(place) + moment.host
        self._host, self._together = max(self._host, hosted), max(self._together, total + hosted)
        if phase not in self._peaks or total > self._peaks[phase][0]:
            self._peaks[phase] = (total, self._parts[place].name, moment, whole)
