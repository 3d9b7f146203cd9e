"""The arithmetic of a step's memory, on costs made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.distribution.buckets import Summed
from fullfield.memory import account
from fullfield.memory.account import DeviceAccount, MemoryEstimate, PartPlan, Shape
from fullfield.memory.costs import Costs, Facts, Key, Moment, PartCost, Work, from_fields, most, to_fields
from fullfield.memory.kept import Moved, Owned

SHAPE = Shape(height=32, width=32)
PARTS = (
    PartPlan(name="one", takes=("input",), stages=("stem",)),
    PartPlan(name="two", takes=("one",), stages=("layer1",)),
    PartPlan(name="head", takes=("two", "one"), stages=("head",)),
)
INPUT = 2 * 32 * 32 * 4


def cost(
    takes: int, *, holds: bool = True, makes: bool = False, saved: int = 10, forward: int = 100, backward: int = 50
) -> PartCost:
    """Maps of 1,000 bytes, weights of 7."""
    held, none = (holds,) * takes, (False,) * takes
    return PartCost(
        forward=(Moment(bytes=forward + 1000, holds=held, makes=False),),
        saved=Moment(bytes=saved, holds=held, makes=makes),
        backward=(Moment(bytes=backward + 1000, holds=held, makes=makes, receives=True),),
        left=Moment(bytes=7, holds=none, makes=False),
        in_place=none,
        gradients=(1000,) * takes,
        map_bytes=1000,
        flops_forward=10,
        flops_backward=20,
    )


def costs(**changed: PartCost) -> Costs:
    estimate = MemoryEstimate(shape=SHAPE, parts=PARTS)
    brief = (Moment(bytes=30, holds=(False,), makes=False),)
    loss = replace(cost(1, holds=False), map_bytes=0, forward=brief, backward=brief)
    parts = {"one": cost(1), "two": cost(1), "head": cost(2), "loss": loss} | changed
    methods = {"loss": estimate.loss}
    return Costs(
        Facts(weights={"stem": 14, "layer1": 7}, buffers=5),
        {
            str(Key(part=name, method=methods.get(name, "plain"), variant=estimate.variant)): value
            for name, value in parts.items()
        },
    )


def estimate(**changes: float) -> MemoryEstimate:
    return replace(MemoryEstimate(shape=SHAPE, parts=PARTS), **changes)  # type: ignore[arg-type]


def taken(estimate: MemoryEstimate, costs: Costs) -> DeviceAccount:
    """The bytes on the device of the only rank."""
    (device,) = account.account(estimate, costs).devices
    return device


FIXED = 21 + 2 * 5 + INPUT


def test_that_a_map_that_two_parts_hold_counts_once() -> None:
    found = taken(estimate(state=0.0), costs())
    # head's forward: saved of one and two, maps one and two, its own 1,100
    assert found.forward == FIXED + 2 * 10 + 2 * 1000 + 1100
    assert found.part == "head"


def test_that_gradients_of_maps_wait_for_the_part_that_made_them() -> None:
    found = taken(estimate(state=0.0), costs())
    # two's backward: saved of one, map one held by one's taker two and by itself, gradient of one from head waits,
    # gradients of the weights of loss and head
    two = FIXED + 10 + 1000 + 1000 + 2 * 7 + 1050
    # head's: saved of one and two, maps one and two, nothing waits
    head = FIXED + 20 + 2000 + 7 + 1050
    assert found.backward == max(two, head)


def test_that_a_map_that_nobody_holds_is_gone_in_backward() -> None:
    free = costs(two=cost(1, holds=False), head=cost(2, holds=False))
    held = taken(estimate(state=0.0), costs()).backward
    assert taken(estimate(state=0.0), free).backward < held


def test_that_a_map_that_its_own_part_keeps_is_there_until_its_backward() -> None:
    nobody = {"one": cost(1, holds=False), "two": cost(1, holds=False), "head": cost(2, holds=False)}
    kept = nobody | {"two": cost(1, holds=False, makes=True)}
    large = (Moment(bytes=9000, holds=(False,), makes=False),)
    loss = replace(cost(1, holds=False), map_bytes=0, forward=large, backward=large)
    found = [taken(estimate(state=0.0), costs(**parts, loss=loss)).forward for parts in (nobody, kept)]
    assert found == [FIXED + 3 * 10 + 1000 + 9000, FIXED + 3 * 10 + 2 * 1000 + 9000]


def test_that_a_gradient_that_keeps_a_concatenation_alive_counts_whole() -> None:
    wide = replace(cost(2), gradients=(3000, 0))
    more = taken(estimate(state=0.0), costs(head=wide))
    # two receives its gradient as a view of 3,000 bytes; the other gradient is in them
    assert more.backward == FIXED + 10 + 1000 + 0 + 2000 + 2 * 7 + 1050


def test_that_the_optimizer_counts_always_and_its_update_at_the_end() -> None:
    plain, adam = (taken(estimate(state=state), costs()) for state in (0.0, 2.0))
    assert adam.peak == plain.peak + 42
    assert adam.at_peak["optimizer"] == 42
    heavy = taken(estimate(state=0.0, update=1000.0), costs())
    assert (heavy.phase, heavy.peak) == ("update", FIXED + 4 * 7 + 21_000)


def test_that_gradients_on_their_way_lie_beside_those_of_backward_and_what_is_left_over_is_there_always() -> None:
    summed = Summed(gradients=(("stem", 14), ("layer1", 7)))  # both leave, in a copy, while backward is in layer1
    plain = taken(estimate(), costs())
    sent = taken(replace(estimate(beside=1.0), summed=summed), costs())
    assert sent.forward - plain.forward == 21
    assert sent.backward == FIXED + 42 + 10 + 2000 + 2 * 7 + 1050 + 21 + 21  # of "two"


@pytest.mark.parametrize(
    ("stem", "layer1", "backward"),
    [
        # one's weights in the message with which they come, beside that of two's gradients, and the gradient of its map
        (Moved(whole=100_000, going=1_000), Moved(whole=10_000, going=50_000), 200_000 + 10_000 + 1_010),
        # what takes one's gradients away, when its maps and its weights are gone
        (Moved(whole=10, going=90_000), Moved(whole=20, going=1), 90_000 + 20),
    ],
)
def test_that_pieces_of_a_stage_come_and_go_together_and_messages_stay_to_the_end_of_backward(
    stem: Moved, layer1: Moved, backward: int
) -> None:
    order = {"stem": [(7, -1)], "layer1": [(3, -1)]}
    moved = {"stem": stem, "layer1": layer1}
    owned = Owned(by_rank=({"stem": 7, "layer1": 4},), gradients=True, weights=True, order=order, moved=moved)
    found = taken(replace(estimate(state=0.0), owned=owned), costs())
    fixed = FIXED - 21 + 11
    assert found.forward == fixed + max(2 * stem.whole, 2 * 10 + 2 * 1_000 + 1_100)  # of one, or of head
    assert found.backward == fixed + 2 * 7 + 4 + backward  # gradients of loss and head, and the piece of two's


def test_that_the_kinds_at_the_peak_sum_up_to_it() -> None:
    found = taken(estimate(), costs())
    assert sum(found.at_peak.values()) == found.peak


def test_that_waiting_images_of_a_batch_count_as_input_and_the_gradients_before_them_are_there_throughout() -> None:
    one, more = (taken(estimate(waiting=waiting), costs()) for waiting in (0, 3))
    assert more.forward == one.forward + 3 * INPUT + 21
    assert more.at_peak["gradients"] == 21


def test_that_what_lies_in_the_host_tier_at_another_moment_is_not_added_to_the_peak() -> None:
    one = cost(1)
    away = replace(
        one,
        forward=(replace(one.forward[0], bytes=50_000), replace(one.forward[0], host=4)),
        saved=replace(one.saved, host=300),
        backward=(replace(one.backward[0], host=300),),
    )
    found = taken(estimate(state=0.0, host_state=2.0), costs(one=away))
    assert found.host == 42 + 300, "the optimizer's, and from one's forward to its backward what that has put there"
    assert found.peak == FIXED + 50_000
    assert found.together == found.peak + 42, "at the peak only the optimizer's is there"


def test_that_a_missing_cost_is_named() -> None:
    with pytest.raises(KeyError, match="recomputed"):
        taken(estimate().run("recomputed", "two"), costs())


def test_that_moments_that_another_one_covers_are_left_out() -> None:
    small, large = Moment(bytes=5, holds=(True,), makes=False), Moment(bytes=9, holds=(True,), makes=False)
    other = Moment(bytes=7, holds=(False,), makes=True)
    assert most([small, large, other, small]) == (large, other)


def test_that_an_earlier_moment_stays_where_later_gradients_may_go_to_another_rank_with_their_weights() -> None:
    plain = Moment(bytes=10, holds=(True,), makes=False)
    first, second = replace(plain, bytes=19, gradients=9), replace(plain, bytes=28, gradients=18)
    assert most([plain, first, second]) == (plain, first, second)
    more = replace(second, bytes=40)
    assert most([plain, first, more]) == (plain, more)


def test_that_a_cost_survives_being_written() -> None:
    assert from_fields(to_fields(cost(2))) == cost(2)


def test_that_the_fullest_device_tells_how_much_a_step_takes() -> None:
    small, large = taken(estimate(state=0.0), costs()), taken(estimate(), costs())
    assert account.Account(devices=(small, large, small), works=(Work(),) * 3).fullest == large
    alone, three = (account.account(estimate(), costs(), ranks=ranks) for ranks in (1, 3))
    assert three.devices == alone.devices * 3 and three.works == alone.works * 3


def test_that_of_several_ranks_each_takes_what_its_own_weights_take() -> None:
    each = ({"stem": 14, "layer1": 0}, {"stem": 0, "layer1": 7})
    alike, unlike = (
        account.account(replace(estimate(), owned=owned), costs(), ranks=2).devices
        for owned in (None, Owned(by_rank=each))
    )
    assert [device.at_peak["optimizer"] for device in alike] == [42, 42]
    assert [device.at_peak["optimizer"] for device in unlike] == [28, 14]
    assert [one.peak - other.peak for one, other in zip(alike, unlike, strict=True)] == [14, 28]


def test_that_a_method_runs_the_parts_that_are_named_or_all() -> None:
    assert [part.method for part in estimate().run("recomputed", "two").parts] == ["plain", "recomputed", "plain"]
    assert [part.method for part in estimate().run("recomputed").parts] == ["recomputed"] * 3


def test_that_parts_stand_in_the_place_of_the_one_that_they_replace() -> None:
    halves = tuple(PartPlan(name=f"two {half}", takes=("one",), stages=("layer1",)) for half in "ab")
    found = estimate().replaced("two", *halves)
    assert [part.name for part in found.parts] == ["one", "two a", "two b", "head"]
    assert replace(found, parts=PARTS) == estimate()
    assert [part.name for part in found.replaced("two a").parts] == ["one", "two b", "head"]
