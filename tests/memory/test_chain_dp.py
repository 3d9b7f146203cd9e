"""The dynamic programme against every plan there is, each of them walked through by a simulator of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from fullfield.memory.account import PartPlan
from fullfield.memory.chain_dp import Chain, Way
from fullfield.memory.costs import Moment, PartCost
from fullfield.model.stages import INPUT
from fullfield.techniques.checkpointing import mergeable, merged

Ways = tuple[Way, ...]


def chain(length: int, skips: dict[int, int]) -> list[PartPlan]:
    """Parts m0, m1 …, each taking the map before it; `skips`: by part, an earlier one whose map it takes as well."""
    parts = []
    for place in range(length):
        takes = (INPUT,) if place == 0 else (f"m{place - 1}",)
        if place in skips and f"m{skips[place]}" not in takes:
            takes = (*takes, f"m{skips[place]}")
        parts.append(PartPlan(name=f"m{place}", takes=takes, stages=(f"s{place}",)))
    return parts


def random_chain(seed: int, length: int, skips: dict[int, int], *, longest: int) -> tuple[list[PartPlan], Ways]:
    """Two or three ways for each part, one for each run of up to `longest` parts that may be merged."""
    chance = random.Random(seed)
    parts = chain(length, skips)
    maps = {part.name: chance.randint(1, 40) for part in parts}
    weights = [chance.randint(0, 9) for _ in parts]
    arriving = {(part.name, name): maps.get(name, 0) + chance.choice((0, 20)) for part in parts for name in part.takes}

    def moment(takes: tuple[str, ...], *, makes: bool) -> Moment:
        holds = tuple(chance.random() < 0.5 for _ in takes)
        kept, receives = makes and chance.random() < 0.5, makes and chance.random() < 0.5
        return Moment(bytes=chance.randint(0, 60), holds=holds, makes=kept, receives=receives)

    def gradient(name: str, inside: list[PartPlan]) -> int:
        return max((arriving[part.name, name] for part in inside if name in part.takes), default=0)

    def way(first: int, last: int, plan: PartPlan) -> Way:
        cost = PartCost(
            forward=tuple(moment(plan.takes, makes=False) for _ in range(chance.randint(1, 2))),
            saved=moment(plan.takes, makes=True),
            backward=tuple(moment(plan.takes, makes=True) for _ in range(chance.randint(1, 3))),
            left=Moment(bytes=sum(weights[first : last + 1]), holds=tuple(False for _ in plan.takes), makes=False),
            in_place=tuple(False for _ in plan.takes),
            gradients=tuple(gradient(name, parts[first : last + 1]) for name in plan.takes),
            map_bytes=maps[plan.name],
            flops_forward=chance.randint(0, 9),
            flops_backward=chance.randint(0, 9),
        )
        return Way(first=first, last=last, plan=plan, cost=cost)

    ways = []
    for first, part in enumerate(parts):
        methods = ("plain", "checkpoint", "checkpoint-blocks")[: chance.randint(2, 3) if length < 9 else 2]
        ways += [way(first, first, merged([part], method)) for method in methods]
        for last in range(first + 1, min(length, first + longest)):
            if mergeable(parts, first, last):
                ways.append(way(first, last, merged(parts[first : last + 1], "checkpoint")))
    return parts, tuple(ways)


def every_plan(length: int, ways: Ways, place: int = 0) -> Iterator[Ways]:
    """All covers of the chain."""
    if place == length:
        yield ()
    for way in ways:
        if way.first == place:
            for others in every_plan(length, ways, way.last + 1):
                yield (way, *others)


def simulated(plan: Ways) -> int:
    """The largest sum of a step, told by who owns which map while time goes by."""
    size = {INPUT: 0} | {way.plan.name: way.cost.map_bytes for way in plan}
    owners: dict[str, set[object]] = {name: set() for name in size}
    last_taker = {name: place for place, way in enumerate(plan) for name in way.plan.takes}
    saved = peak = 0

    def kept_by(way: Way, moment: Moment) -> list[str]:
        names = [name for name, holds in zip(way.plan.takes, moment.holds, strict=True) if holds]
        return [*names, way.plan.name] if moment.makes else names

    for place, way in enumerate(plan):
        alive = sum(size[name] for name, owning in owners.items() if owning)
        peak = max(peak, *(saved + alive + moment.bytes for moment in way.cost.forward))
        saved += way.cost.saved.bytes
        if way.plan.name in last_taker:
            owners[way.plan.name].add("chain")
        for name in kept_by(way, way.cost.saved):
            owners[name].add(place)
        for name, last in last_taker.items():
            if last == place:
                owners[name].discard("chain")
    gradients: dict[str, int] = {}
    of_weights = 0
    for place in reversed(range(len(plan))):
        way = plan[place]
        saved -= way.cost.saved.bytes
        beyond = max(0, gradients.pop(way.plan.name, 0) - way.cost.map_bytes)
        for owning in owners.values():
            owning.discard(place)
        for moment in way.cost.backward:
            alive_maps = {name for name, owning in owners.items() if owning} | set(kept_by(way, moment))
            maps = sum(size[name] for name in alive_maps)
            own = moment.bytes + (beyond if moment.receives else 0)
            peak = max(peak, saved + maps + sum(gradients.values()) + of_weights + own)
        of_weights += way.cost.left.bytes
        for name, made in zip(way.plan.takes, way.cost.gradients, strict=True):
            if name != INPUT:
                gradients[name] = max(made, gradients.get(name, 0))
    return peak


U_OF_SIX = {4: 2, 5: 0}
U_OF_EIGHT = {5: 3, 6: 1, 7: 0}
U_OF_TWELVE = {5: 3, 6: 2, 7: 1, 8: 0}  # the network's own skips, with the loss


def scattered(seed: int, length: int) -> dict[int, int]:
    """Skips from anywhere to anywhere."""
    chance = random.Random(-seed)
    return {place: chance.randrange(place) for place in range(2, length) if chance.random() < 0.4}


CASES = [
    *((seed, 1 + seed % 8, scattered(seed, 1 + seed % 8), 8) for seed in range(24)),
    *((seed, 6, U_OF_SIX, 6) for seed in range(40, 50)),
    *((seed, 8, U_OF_EIGHT, 8) for seed in range(50, 53)),
    (60, 12, U_OF_TWELVE, 2),
    (61, 12, scattered(61, 12), 2),
]


@pytest.mark.parametrize(("seed", "length", "skips", "longest"), CASES)
def test_that_no_plan_is_cheaper_under_any_budget(seed: int, length: int, skips: dict[int, int], longest: int) -> None:
    parts, ways = random_chain(seed, length, skips, longest=longest)
    flops_and_peak = [(sum(way.flops for way in plan), simulated(plan)) for plan in every_plan(length, ways)]
    dynamic = Chain(parts, ways)
    peaks = sorted({peak for _, peak in flops_and_peak})
    for budget in {*peaks[:: max(1, len(peaks) // 12)], peaks[0] - 1, peaks[-1]}:
        fitting = [flops for flops, peak in flops_and_peak if peak <= budget]
        plan = dynamic.cheapest(budget)
        if not fitting:
            assert plan is None
            continue
        assert plan is not None
        assert plan.flops == sum(way.flops for way in plan.ways) == min(fitting)
        assert plan.peak == simulated(plan.ways) <= budget


def test_that_the_frontier_ends_at_the_smallest_peak_there_is() -> None:
    parts, ways = random_chain(7, 7, {4: 1, 6: 0}, longest=7)
    plans = [(simulated(plan), sum(way.flops for way in plan)) for plan in every_plan(7, ways)]
    frontier = list(Chain(parts, ways).frontier())
    assert frontier[0].flops == min(flops for _, flops in plans)
    assert frontier[-1].peak == min(peak for peak, _ in plans)
    assert [plan.peak for plan in frontier] == sorted({plan.peak for plan in frontier}, reverse=True)
    assert [plan.flops for plan in frontier] == sorted(plan.flops for plan in frontier)


def test_that_parts_merge_only_where_no_skip_leaves_the_inside() -> None:
    parts = chain(6, {4: 2, 5: 0})
    possible = {(first, last) for first in range(6) for last in range(first, 6) if mergeable(parts, first, last)}
    assert (0, 1) not in possible and (0, 4) not in possible and (2, 3) not in possible
    assert {(0, 5), (1, 2), (1, 4), (2, 4), (3, 5), (4, 5), (0, 0)} <= possible


def test_that_merged_parts_take_what_is_made_outside() -> None:
    parts = chain(6, {4: 2, 5: 0})
    assert merged(parts[3:], "checkpoint") == PartPlan(
        name="m5", takes=("m2", "m0"), stages=("s3", "s4", "s5"), method="checkpoint"
    )


def test_that_every_part_needs_a_way_of_its_own() -> None:
    parts, ways = random_chain(1, 3, {}, longest=3)
    with pytest.raises(ValueError, match="alone"):
        Chain(parts, [way for way in ways if way.first == 0])
