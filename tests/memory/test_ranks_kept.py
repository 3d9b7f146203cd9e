"""What one of several ranks runs and keeps, and where a chain is cut among them: arithmetic on costs made by hand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from fullfield.distribution.processes import SMALL_BYTES
from fullfield.distribution.schedule import GPIPE, ONE_F_ONE_B
from fullfield.memory import account, cuts, own
from fullfield.memory.account import LOSS, MemoryEstimate, PartPlan, Shape
from fullfield.memory.costs import Costs, Facts, Key, Moment, PartCost, Work
from fullfield.memory.kept import Kept, Moved, Owned, brought, led
from fullfield.memory.own import Own
from fullfield.model.stages import INPUT, OUTPUT

WEIGHTS = {"stem": 14, "layer1": 7}
EACH_ONE = ({"stem": 14, "layer1": 0}, {"stem": 0, "layer1": 7})
ORDER = {"stem": ((10, 0), (4, 1)), "layer1": ((7, 1),)}

# What a rank keeps ------------------------------------------------------------------------------------------------


def test_that_a_rank_that_is_alone_keeps_everything_and_sends_nothing() -> None:
    kept = Kept(None, 0, WEIGHTS)
    assert (kept.remembered, kept.gradients, kept.weights) == (21, 21, 21)
    assert kept.gathered(["stem"]) == kept.message(["stem"]) == kept.going(["stem"]) == kept.others(["stem"], 14) == 0


@pytest.mark.parametrize(("rank", "its"), [(0, 14), (1, 7)])
def test_that_a_rank_remembers_for_its_own_weights_and_keeps_of_the_rest_what_others_do_not_keep_for_it(
    rank: int, its: int
) -> None:
    for gradients, weights in itertools.product((False, True), repeat=2):
        kept = Kept(Owned(by_rank=EACH_ONE, gradients=gradients, weights=weights), rank, WEIGHTS)
        assert kept.remembered == its
        assert (kept.gradients, kept.weights) == (its if gradients else 21, its if weights else 21)
        assert kept.gathered(["stem", "layer1"]) == (21 - its if weights else 0), "they come while they run"


def test_that_messages_are_those_of_the_stages_that_run() -> None:
    moved = {"stem": Moved(whole=5, going=2), "layer1": Moved(whole=3, going=1)}
    kept = Kept(Owned(by_rank=EACH_ONE, gradients=True, weights=True, order=ORDER, moved=moved), 0, WEIGHTS)
    stages = (["stem"], ["layer1", "stem"], ["head"])
    assert [kept.message(each) for each in stages] == [kept.gathered(each) for each in stages] == [5, 8, 0]
    assert [kept.going(each) for each in stages] == [2, 3, 0]
    assert kept.others(["stem"], 14) == 0 and kept.others(["stem"], 14, last=True) == 4, "they go together"


@pytest.mark.parametrize(("rank", "away"), [(0, [0, 5, 7, 7, 11]), (1, [0, 0, 0, 5, 10])])
def test_that_of_the_gradients_made_so_far_those_of_others_weights_leave_in_the_order_of_backward(
    rank: int, away: list[int]
) -> None:
    stages, made = ["stem", "layer1"], (0, 5, 7, 12, 21)  # layer1's come first
    sent = Kept(Owned(by_rank=EACH_ONE, gradients=True, order=ORDER), rank, WEIGHTS)
    assert [sent.others(stages, count) for count in made] == away
    stays = Kept(Owned(by_rank=EACH_ONE, order=ORDER), rank, WEIGHTS)
    assert not any(stays.others(stages, count) for count in made)


def test_that_weights_go_through_a_link_once_where_sums_of_them_go_twice_and_small_ones_go_together() -> None:
    sizes = {"a": SMALL_BYTES, "b": 2000, "c": 4000, "d": SMALL_BYTES + 1, "e": 1 << 20}
    found = brought(sizes, {"a": 2, "b": 0, "c": 0, "d": 1, "e": 1})
    assert found == Work(shared=sum(sizes.values()) // 2, collectives=2 + 2)


def test_that_where_the_first_rank_leads_it_alone_remembers_and_what_forwards_counted_goes_with_the_weights() -> None:
    facts = Facts(weights=WEIGHTS, buffers=10, parameters={"net.stem.a": 8, "net.stem.b": 6, "net.layer1.a": 7})
    owned, work = led(facts, 3)
    assert owned == Owned(by_rank=(WEIGHTS, *[{"stem": 0, "layer1": 0}] * 2))
    assert work == Work(shared=21 // 2 + 10 // 2, collectives=1 + 1)


# What a rank runs -------------------------------------------------------------------------------------------------

PARTS = (
    PartPlan(name="a", takes=(INPUT,), stages=("a",)),
    PartPlan(name="b", takes=("a",), stages=("b",)),
    PartPlan(name="c", takes=("b", "a"), stages=("c",)),
    PartPlan(name="d", takes=("c", "a"), stages=("d",)),
    PartPlan(name=LOSS, takes=("d",), stages=()),
)
PLACED = (("a",), ("b", "c"), ("d",))


def of_rank(rank: int, order: str = GPIPE) -> Own:
    return own.of_rank(PARTS, PLACED, rank, 3, order)


def test_that_a_rank_has_its_parts_and_the_last_one_the_loss() -> None:
    assert [of_rank(rank).places for rank in range(3)] == [range(1), range(1, 3), range(3, 5)]


def test_that_maps_are_given_to_every_rank_that_takes_them_and_not_to_oneself() -> None:
    assert [of_rank(rank).given for rank in range(3)] == [{"a": 2}, {"c": 1}, {}]
    assert [of_rank(rank).taken for rank in range(3)] == [{INPUT}, {"a"}, {"a", "c"}]


def test_that_of_1f1b_the_last_rank_goes_back_at_once_and_of_gpipe_none_does() -> None:
    turns = {
        (order, rank): "".join("F" if action.forward else "B" for action in of_rank(rank, order).actions)
        for order, rank in itertools.product((GPIPE, ONE_F_ONE_B), (0, 2))
    }
    assert turns == {
        (GPIPE, 0): "FFFBBB",
        (GPIPE, 2): "FFFBBB",
        (ONE_F_ONE_B, 0): "FFFBBB",
        (ONE_F_ONE_B, 2): "FBFBFB",
    }


@pytest.mark.parametrize("added", [False, True])
def test_that_a_rank_that_runs_all_gives_and_takes_nothing(added: bool) -> None:
    found = own.whole(PARTS, added=added)
    assert (found.places, found.given, found.taken) == (range(5), {}, frozenset())
    assert [(action.forward, action.added) for action in found.actions] == [(True, added), (False, added)]


# Where the chain is cut -------------------------------------------------------------------------------------------


def cost(takes: int, chance: random.Random) -> PartCost:
    def moment(*, makes: bool = False) -> Moment:
        holds = tuple(chance.random() < 0.5 for _ in range(takes))
        return Moment(bytes=chance.randint(0, 900), holds=holds, makes=makes)

    return PartCost(
        forward=(moment(),),
        saved=moment(makes=True),
        backward=(moment(makes=True),),
        left=Moment(bytes=0, holds=(False,) * takes, makes=False),
        in_place=(False,) * takes,
        gradients=(500,) * takes,
        map_bytes=chance.randint(100, 900),
        flops_forward=chance.randint(1, 90),
        flops_backward=chance.randint(1, 90),
    )


def chain(seed: int) -> tuple[MemoryEstimate, Costs]:
    """Seven parts, of which the last one takes the second one's map as well."""
    chance = random.Random(seed)
    names = [*(f"p{number}" for number in range(6)), OUTPUT]
    takes = [(INPUT,), *((name,) for name in names[:5]), ("p5", "p1")]
    parts = tuple(PartPlan(name=name, takes=its, stages=(name,)) for name, its in zip(names, takes, strict=True))
    shape = Shape(height=32, width=32)
    estimate = MemoryEstimate(shape=shape, parts=parts, waiting=3, schedule=ONE_F_ONE_B)
    known = {
        str(Key(part=part.name, method="plain", variant=estimate.variant)): cost(len(part.takes), chance)
        for part in parts
    }
    known[str(Key(part=LOSS, method=estimate.loss, variant=estimate.variant))] = cost(1, chance)
    return estimate, Costs(Facts(weights={name: chance.randint(0, 400) for name in names}, buffers=0), known)


def every_division(count: int, ranks: int) -> Iterator[list[int]]:
    for inner in itertools.combinations(range(1, count), ranks - 1):
        yield [last - first for first, last in itertools.pairwise((0, *inner, count))]


def fullest(estimate: MemoryEstimate, costs: Costs, counts: Sequence[int]) -> int:
    """Bytes at the peak of the fullest rank, where each has so many parts."""
    names = iter([part.name for part in estimate.parts])
    placed = tuple(tuple(itertools.islice(names, count)) for count in counts)
    divided = estimate.divided(placed, costs.facts.weights)
    return account.account(divided, costs, ranks=len(counts)).fullest.peak


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("seed", range(6))
def test_that_no_other_division_has_a_less_full_fullest_rank(seed: int, ranks: int) -> None:
    estimate, costs = chain(seed)
    counts = cuts.balanced(estimate, costs, [(7, ranks)])
    assert len(counts) == ranks and sum(counts) == 7 and min(counts) > 0
    best = min(fullest(estimate, costs, one) for one in every_division(7, ranks))
    assert fullest(estimate, costs, counts) == best


@pytest.mark.parametrize("seed", range(6))
def test_that_groups_of_ranks_keep_their_own_parts(seed: int) -> None:
    estimate, costs = chain(seed)
    counts = cuts.balanced(estimate, costs, [(2, 2), (5, 2)])
    assert counts[:2] == [1, 1] and sum(counts[2:]) == 5
    best = min(fullest(estimate, costs, [1, 1, *others]) for others in every_division(5, 2))
    assert fullest(estimate, costs, counts) == best


def test_that_of_divisions_that_are_equally_full_that_one_is_taken_whose_busiest_rank_has_least_to_do() -> None:
    estimate, costs = chain(0)
    for name, one in costs.known.items():
        none = Moment(bytes=0, holds=(False,) * len(one.gradients), makes=False)
        costs.known[name] = replace(
            one,
            forward=(none,),
            saved=none,
            backward=(none,),
            gradients=(0,) * len(one.gradients),
            map_bytes=0,
            flops_forward=60 if f"|{OUTPUT}|" in name else 10,
            flops_backward=0,
        )
    light = Costs(replace(costs.facts, weights=dict.fromkeys(costs.facts.weights, 0)), costs.known)
    assert len({fullest(estimate, light, one) for one in every_division(7, 2)}) == 1
    assert cuts.balanced(estimate, light, [(7, 2)]) == [6, 1]


def test_that_fewer_parts_than_ranks_are_refused() -> None:
    estimate, costs = chain(0)
    with pytest.raises(ValueError, match="2 parts cannot be divided among 3 ranks"):
        cuts.balanced(estimate, costs, [(5, 2), (2, 3)])
