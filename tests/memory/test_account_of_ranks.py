"""What each of several ranks takes, on costs made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.distribution.buckets import Summed
from fullfield.distribution.schedule import GPIPE
from fullfield.memory import account
from fullfield.memory.account import Account, DeviceAccount, MemoryEstimate, PartPlan, Shape
from fullfield.memory.costs import Costs, Facts, Key, Moment, PartCost, Work

SHAPE = Shape(height=64, width=32, batch=2)
PARTS = (
    PartPlan(name="one", takes=("input",), stages=("stem",)),
    PartPlan(name="two", takes=("one",), stages=("layer1",)),
    PartPlan(name="head", takes=("two", "one"), stages=("head",)),
)
ESTIMATE = MemoryEstimate(shape=SHAPE, parts=PARTS, state=0.0)


def cost(takes: int, batch: int = 2) -> PartCost:
    """Maps and moments of as many bytes as images, in thousands."""
    none = (False,) * takes
    moment = Moment(bytes=1500 * batch, holds=none, makes=False)
    return PartCost(
        forward=(moment,),
        saved=replace(moment, bytes=100 * batch),
        backward=(replace(moment, bytes=2500 * batch),),
        left=Moment(bytes=7, holds=none, makes=False),
        in_place=none,
        gradients=(1000 * batch,) * takes,
        map_bytes=1000 * batch,
        flops_forward=10 * batch,
        flops_backward=20 * batch,
        moved=5 * batch,
        starts=3,
    )


def costs(*estimates: MemoryEstimate) -> Costs:
    """Of these steps, and of what other ranks run of them."""
    known = {}
    for estimate in estimates:
        for part in (*estimate.parts, PartPlan(name="loss", takes=("head",), stages=(), method=estimate.loss)):
            key = Key(part=part.name, method=part.method, variant=estimate.variant)
            made = cost(len(part.takes), estimate.shape.batch)
            known[str(key)] = replace(made, map_bytes=0) if part.name == "loss" else made
    return Costs(Facts(weights={"stem": 14, "layer1": 7, "head": 0}, buffers=5), known)


def device(**changed: object) -> DeviceAccount:
    values = {"peak": 10, "forward": 8, "backward": 10, "host": 3, "together": 12} | changed
    return DeviceAccount(phase="backward", part="two", operation="cat", at_peak={}, **values)  # type: ignore[arg-type]


def test_that_of_two_forwards_of_a_step_each_figure_is_the_larger_one() -> None:
    first, later = device(), device(peak=11, forward=11, backward=9, host=4, together=11)
    assert first.then(later) == device(peak=11, forward=11, backward=10, host=4, together=12)
    assert later.then(first) == first.then(later)


def test_that_the_work_of_a_step_is_that_of_its_parts_and_its_loss() -> None:
    found = account.account(ESTIMATE, costs(ESTIMATE))
    assert found.works == (Work(flops=4 * 2 * 30, moved=4 * 2 * 5, starts=4 * 3),)


def test_that_flops_are_of_all_ranks_and_told_by_those_of_the_plain_step() -> None:
    found = Account(devices=(device(),) * 2, works=(Work(flops=30), Work(flops=45)), plain=Work(flops=50))
    assert (found.flops, found.flop_factor) == (75, 1.5)
    assert replace(found, plain=Work()).flop_factor == 1.0, "where it is not known"


def test_that_ranks_whose_images_are_as_many_compute_the_same() -> None:
    estimate = replace(ESTIMATE, images=(2, 1, 2, 0))
    found = account.unlike(estimate, 4)
    assert [(one.shape.batch, list(ranks)) for one, ranks in found] == [(1, [1, 3]), (2, [0, 2])]
    devices = account.account(estimate, costs(ESTIMATE, found[0][0]), ranks=4).devices
    assert devices[0] == devices[2] and devices[1] == devices[3] and devices[0].peak > devices[1].peak


def test_that_ranks_that_share_an_image_compute_the_same_in_the_middle_and_other_things_at_its_edges() -> None:
    estimate = replace(ESTIMATE, shape=replace(SHAPE, height=4096), portions=(1, 1, 1, 1))
    assert [(one.rank, list(ranks)) for one, ranks in account.unlike(estimate, 4)] == [
        (0, [0]),
        (1, [1, 2]),
        (3, [3]),
    ]
    assert [(one.rank, list(ranks)) for one, ranks in account.unlike(estimate, 8)] == [
        (0, [0, 4]),
        (1, [1, 2, 5, 6]),
        (3, [3, 7]),
    ], "two groups of four, an image each"


def test_that_groups_with_fewer_images_are_told_apart() -> None:
    estimate = replace(ESTIMATE, portions=(1, 1), images=(2, 1))
    found = [(one.rank, one.shape.batch, list(ranks)) for one, ranks in account.unlike(estimate, 4)]
    assert found == [(2, 1, [2]), (3, 1, [3]), (0, 2, [0]), (1, 2, [1])]


def test_that_a_last_forward_of_fewer_images_can_be_the_fullest() -> None:
    """It runs beside the gradients of the images before it, and the first ones do not."""
    estimate = replace(ESTIMATE, waiting=1)
    assert estimate.last is not None
    known = costs(estimate, estimate.last)
    whole = account.account(estimate, known).devices[0]
    heavy = {
        name: replace(one, backward=tuple(replace(moment, bytes=9000) for moment in one.backward))
        for name, one in known.known.items()
        if ":1x" in name
    }
    fuller = account.account(estimate, Costs(known.facts, known.known | heavy)).devices[0]
    assert fuller.peak > whole.peak and fuller.forward == whole.forward
    assert fuller.at_peak["gradients"] == 21


# Parts of their own -----------------------------------------------------------------------------------------------

PLACED = replace(
    ESTIMATE.divided((("one",), ("two", "head")), {"stem": 14, "layer1": 7, "head": 0}),
    shape=replace(SHAPE, batch=1),
    waiting=2,
    schedule=GPIPE,
)
IMAGES = 2 * 4 * 64 * 32 * 3


def test_that_each_rank_makes_its_own_parts_and_sends_what_the_others_take_and_the_gradients_of_what_it_took() -> None:
    works = account.account(PLACED, costs(PLACED), ranks=2).works
    one, three = Work(flops=30, moved=5, starts=3), Work(flops=90, moved=15, starts=9)
    said = Work(passed=1000, messages=1)
    assert works == (one + said, three + said)


def test_that_a_rank_keeps_what_it_gave_and_its_own_weights_alone_while_others_images_are_on_their_way() -> None:
    first, last = account.account(PLACED, costs(PLACED), ranks=2).devices
    assert (first.at_peak["weights"], last.at_peak["weights"]) == (14 + 10, 7 + 10)
    assert first.at_peak["input"] == last.at_peak["input"] == IMAGES
    others = 2 * (1000 + 100)  # of two other images the map and what the part saved
    assert (first.forward, first.backward) == (24 + IMAGES + others + 1500, 24 + IMAGES + others + 2500)
    assert first.at_peak["gradients"] == 0, "of weights: it is the first backward"


def test_that_messages_of_gradients_lie_beside_them_at_the_update() -> None:
    gradients = (("head", 7), ("layer1", 7), ("stem", 14))
    plain = account.account(replace(ESTIMATE, update=2000.0), costs(ESTIMATE)).devices[0]
    assert plain.phase == "update"
    for released, more in ((False, 28), (True, -28)):
        summed = replace(ESTIMATE, update=2000.0, summed=Summed(gradients=gradients, after=True), released=released)
        found = account.account(summed, costs(ESTIMATE)).devices[0]
        assert found.peak - plain.peak == more, "of released ones nothing is there"


@pytest.mark.parametrize("kind", ["beside", "copies"])
def test_that_copies_of_weights_and_what_lies_beside_gradients_are_there_always(kind: str) -> None:
    plain = account.account(ESTIMATE, costs(ESTIMATE)).devices[0]
    more = account.account(replace(ESTIMATE, **{kind: 2.0}), costs(ESTIMATE)).devices[0]  # type: ignore[arg-type]
    assert (more.forward - plain.forward, more.backward - plain.backward) == (42, 42)
    name = {"beside": "gradients", "copies": "optimizer"}[kind]
    assert more.at_peak[name] - plain.at_peak[name] == 42
