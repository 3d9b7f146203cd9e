"""The cheapest way to run a chain of parts under a budget of bytes, by dynamic programming. Pure; imports no torch.

The plans. A plan cuts the chain into consecutive segments and gives each a `Way` to run it: a single part as it is, a
single part by another method, or several parts merged into one that is run twice as a whole. Which ways there are is
the caller's to say. Parts may be merged whose inner maps nobody outside takes, so that a segment makes one map; a
skip therefore ends the segment that makes it. It must be stored anyhow: the other side of the U takes it.

The bytes. Those of `fullfield.memory.account`, beyond weights, optimizer and images: while segment s runs forward,

    saved by the segments before it + maps that they hold, or that it or a segment behind it takes + its own moment

and while it runs backward, output and gradients counted (Hong et al. 2025),

    saved by the segments before it + maps that they or it hold + its own moment
    + gradients of weights of the segments behind it
    + gradients, already made by segments behind it, of maps made before it

Weights' gradients, and how large a gradient arrives (a view of a concatenation's keeps all of that alive), are taken
from the parts run alone: running a part twice changes neither. A gradient written over its map counts as beside it.

The recurrence. Before part p only this of the past matters: the bytes b that were saved or are held, the set K of maps
that are held and will be taken again, and the FLOPs f so far; the rest of the sums is the chain's alone. So
F[p, K] is the set of pairs (b, f) of which none is worse than another in both, F[0, ∅] = {(0, 0)}, and way w of
parts p … e leads from (b, f) in F[p, K] to (b + saved(w) + maps newly held, f + flops(w)) in F[e + 1, K'], where its
moments stay within the budget. All moments grow with b, so a worse pair never helps: the plan is optimal.

Sources: Beaumont, Eyraud-Dubois, Herrmann, Joly, Shilova 2019, "Optimal checkpointing for heterogeneous chains: how to
train deep neural networks with limited memory" (Rotor; a segment there is cut anew when it is run again, here it is run
as it was); Hong et al. 2025, "GPU Memory Usage Optimization for Backward Propagation in Deep Network Training". Both
are of chains without skips; K is what skips add.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fullfield.memory.account import PartPlan
from fullfield.memory.costs import Moment, PartCost
from fullfield.model.stages import INPUT


@dataclass(frozen=True, kw_only=True)
class Way:
    """A way to run the parts `first` … `last` of the chain (positions, inclusive) as one part `plan` at `cost`."""

    first: int
    last: int
    plan: PartPlan
    cost: PartCost

    @property
    def flops(self) -> int:
        """Of forward and backward."""
        return self.cost.flops_forward + self.cost.flops_backward


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The ways in order, their FLOPs, and the largest sum of bytes (see the module)."""

    ways: tuple[Way, ...]
    flops: int
    peak: int


class Chain:
    """The parts, the ways to run them, and the sums that do not depend on the plan."""

    def __init__(self, parts: Sequence[PartPlan], ways: Iterable[Way]) -> None:
        """Raises ValueError where a part has no way of its own: maps and gradients of weights are taken from it."""
        self._ways: defaultdict[int, list[Way]] = defaultdict(list)
        single: dict[int, PartCost] = {}
        for way in ways:
            self._ways[way.first].append(way)
            if way.first == way.last:
                single.setdefault(way.first, way.cost)
        if set(single) != set(range(len(parts))):
            raise ValueError("every part needs a way to be run alone")
        self._length = len(parts)
        self._bytes = {part.name: single[place].map_bytes for place, part in enumerate(parts)} | {INPUT: 0}
        self._open = [_open(parts, place) for place in range(len(parts) + 1)]
        self._arriving = [_arriving(parts, single, place) for place in range(len(parts) + 1)]
        self._weights = [sum(single[k].left.bytes for k in range(place, len(parts))) for place in range(len(parts) + 1)]

    def cheapest(self, budget: float = float("inf")) -> Plan | None:
        """The plan of fewest FLOPs whose sums stay within `budget` bytes; None where no plan does."""
        states: dict[int, dict[frozenset[str], list[_State]]] = defaultdict(lambda: defaultdict(list))
        states[0][frozenset()] = [_State(kept=0, flops=0, peak=0, ways=())]
        for place in range(self._length):
            for held, front in states.pop(place, {}).items():
                for state in front:
                    for way in self._ways[place]:
                        new_held, new = self._step(held, state, way)
                        if new.peak <= budget:
                            _keep(states[way.last + 1][new_held], new)
        ends = [state for front in states[self._length].values() for state in front]
        if not ends:
            return None
        best = min(ends, key=lambda state: (state.flops, state.peak))
        return Plan(ways=best.ways, flops=best.flops, peak=best.peak)

    def frontier(self) -> Iterator[Plan]:
        """From the cheapest plan on, each time the cheapest one of a smaller peak, to the one of the smallest."""
        budget = float("inf")
        while (plan := self.cheapest(budget)) is not None:
            yield plan
            budget = plan.peak - 1

    def _step(self, held: frozenset[str], state: _State, way: Way) -> tuple[frozenset[str], _State]:
        """The state after `way`, and the maps held that will be taken again."""
        forward = state.kept + self._size(self._open[way.first] - held)
        arriving = self._arriving[way.last + 1]
        waiting = sum(arriving.get(name, 0) for name in self._open[way.first])
        received = max(0, arriving.get(way.plan.name, 0) - way.cost.map_bytes)  # a plain gradient is in the moments
        backward = state.kept + self._weights[way.last + 1] + waiting
        peak = max(
            state.peak,
            *(forward + moment.bytes for moment in way.cost.forward),
            *(
                backward + moment.bytes + self._size(_held_by(way, moment) - held) + received * moment.receives
                for moment in way.cost.backward
            ),
        )
        new = _held_by(way, way.cost.saved) - held
        kept = state.kept + way.cost.saved.bytes + self._size(new)
        after = (held | new) & self._open[way.last + 1]
        return after, _State(kept=kept, flops=state.flops + way.flops, peak=peak, ways=(*state.ways, way))

    def _size(self, maps: Iterable[str]) -> int:
        return sum(self._bytes[name] for name in maps)


@dataclass(frozen=True, kw_only=True)
class _State:
    """After some of the parts: bytes that stay until backward, FLOPs, the largest sum so far, and the way here."""

    kept: int
    flops: int
    peak: int
    ways: tuple[Way, ...]


def _keep(front: list[_State], new: _State) -> None:
    """Put `new` among states of which none is worse in both bytes and FLOPs."""
    if any(one.kept <= new.kept and one.flops <= new.flops for one in front):
        return
    front[:] = [one for one in front if not (new.kept <= one.kept and new.flops <= one.flops)]
    front.append(new)


def _taken(parts: Iterable[PartPlan]) -> frozenset[str]:
    return frozenset(name for part in parts for name in part.takes)


def _open(parts: Sequence[PartPlan], place: int) -> frozenset[str]:
    """The maps made before `place` that it or a part behind it takes."""
    return _taken(parts[place:]) & {part.name for part in parts[:place]}


def _arriving(parts: Sequence[PartPlan], single: dict[int, PartCost], place: int) -> dict[str, int]:
    """By map, the bytes of its gradient from the part `place` and those behind it: the largest, for they are added."""
    found: dict[str, int] = {}
    for number in range(place, len(parts)):
        for name, size in zip(parts[number].takes, single[number].gradients, strict=True):
            found[name] = max(found.get(name, 0), size)
    return found


def _held_by(way: Way, moment: Moment) -> frozenset[str]:
    """The maps that a moment of `way` keeps alive."""
    held = {name for name, holds in zip(way.plan.takes, moment.holds, strict=True) if holds}
    return frozenset(held | ({way.plan.name} if moment.makes else set()))
