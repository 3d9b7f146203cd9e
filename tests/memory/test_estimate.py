"""How a step is described: its images, its forwards, and what of it a rank has. Arithmetic alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.memory.account import MemoryEstimate, PartPlan, Shape, plain_parts
from fullfield.memory.estimate import ITEM_BYTES

SHAPE = Shape(height=64, width=32, batch=3)
ESTIMATE = MemoryEstimate(shape=SHAPE)
FLOATS, STORED = 4 * 64 * 32, 2 * 64 * 32 + 4 * 65536  # of an image; a table has a number for each 16-bit level


def test_that_a_shape_is_told_by_its_network_and_its_images() -> None:
    assert str(replace(SHAPE, encoder="resnet18")) == "resnet18:3x64x32"
    assert str(Shape(height=64, width=32)) == "resnet34:1x64x32"
    assert SHAPE.pixels == 3 * 64 * 32


def test_that_a_step_of_which_nothing_is_said_runs_every_stage_as_it_is() -> None:
    assert ESTIMATE.parts == plain_parts("resnet34")
    assert {part.method for part in ESTIMATE.parts} == {"plain"}
    assert all(part.stages == (part.name,) for part in ESTIMATE.parts)
    assert (ESTIMATE.variant, ESTIMATE.loss) == ("resnet34:3x64x32/fp32//contiguous", "pytorch_msssim")
    assert (ESTIMATE.state, ESTIMATE.released, ESTIMATE.image_bytes) == (2.0, False, 3 * 2 * FLOATS), "Adam's moments"
    beside = (ESTIMATE.host_state, ESTIMATE.update, ESTIMATE.beside, ESTIMATE.copies, ESTIMATE.sent)
    counts = (ESTIMATE.joint, ESTIMATE.waiting, ESTIMATE.rank, ESTIMATE.waits, ESTIMATE.update_starts)
    assert (beside, counts, ESTIMATE.time) == ((0.0,) * 5, (0,) * 5, 1.0)


def test_that_numbers_of_a_precision_take_their_own_bytes() -> None:
    assert ITEM_BYTES == {"fp64": 8, "fp32": 4, "tf32": 4, "bf16": 2, "fp16": 2}


@pytest.mark.parametrize(
    ("stored_input", "stored_reference", "each"),
    [
        (False, False, 2 * FLOATS),
        (True, False, FLOATS + STORED),
        (False, True, FLOATS + STORED),
        (True, True, 2 * STORED),
    ],
)
def test_that_images_lie_on_the_device_as_floats_or_as_they_are_stored_with_a_table(
    stored_input: bool, stored_reference: bool, each: int
) -> None:
    found = replace(ESTIMATE, stored_input=stored_input, stored_reference=stored_reference)
    assert found.image_bytes == 3 * each
    assert replace(found, waiting=2).image_bytes == 5 * each, "those of later forwards are there"
    assert found.waiting_bytes == 3 * 3 * each, "in the computer's memory up to three batches wait"


def test_that_rows_of_an_image_are_divided_by_portions_and_ranks_that_share_one_follow_one_another() -> None:
    shared = replace(ESTIMATE, portions=(3, 1))
    found = [replace(shared, rank=rank) for rank in range(4)]
    assert [one.rows for one in found] == [48, 16, 48, 16]
    assert [one.place for one in found] == [0, 1, 0, 1]
    assert [one.image_bytes for one in found[:2]] == [3 * 2 * FLOATS * 3 // 4, 3 * 2 * FLOATS // 4]
    assert [one.variant for one in found[:2]] == [ESTIMATE.variant + "/rows0of3+1", ESTIMATE.variant + "/rows1of3+1"]
    assert (replace(ESTIMATE, rank=3).rows, replace(ESTIMATE, rank=3).place) == (64, 0)


def test_that_what_decides_a_parts_cost_is_in_its_variant_and_nothing_else() -> None:
    changed = {"precision": "bf16", "codec": "int8", "layout": "channels_last", "joint": 2, "portions": (1, 1)}
    variants = [replace(ESTIMATE, **{name: value}).variant for name, value in changed.items()]  # type: ignore[arg-type]
    assert len({*variants, ESTIMATE.variant, replace(ESTIMATE, shape=replace(SHAPE, batch=1)).variant}) == 7
    assert replace(ESTIMATE, joint=2).variant == ESTIMATE.variant + "/joint2"
    for name, value in {"state": 0.0, "waiting": 3, "rank": 1, "released": True, "time": 2.0}.items():
        assert replace(ESTIMATE, **{name: value}).variant == ESTIMATE.variant  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("images", "waiting", "rank", "batch", "left"),
    [
        ((), 2, 1, 3, 2),  # all alike
        ((3, 2, 0), 0, 0, 3, 0),
        ((3, 2, 0), 0, 1, 2, 0),
        ((3, 2, 0), 0, 2, 1, 0),  # a stand-in
        ((7, 5, 2), 4, 0, 3, 4),  # in forwards of three
        ((7, 5, 2), 4, 1, 3, 2),
        ((7, 5, 2), 4, 2, 2, 0),
    ],
)
def test_that_of_a_batch_each_rank_has_its_own_images(
    images: tuple[int, ...], waiting: int, rank: int, batch: int, left: int
) -> None:
    found = replace(ESTIMATE, images=images, waiting=waiting).of(rank)
    assert (found.shape.batch, found.waiting, found.rank) == (batch, left, rank)


def test_that_ranks_that_share_the_rows_of_an_image_have_the_same_images() -> None:
    estimate = replace(ESTIMATE, images=(3, 1), portions=(1, 1))
    assert [estimate.of(rank).shape.batch for rank in range(4)] == [3, 3, 1, 1]


@pytest.mark.parametrize(("waiting", "batch"), [(0, 0), (1, 1), (2, 2), (3, 0), (4, 0)])
def test_that_a_last_forward_of_fewer_images_is_a_step_of_its_own(waiting: int, batch: int) -> None:
    last = replace(ESTIMATE, waiting=waiting).last
    assert (last.shape.batch if last else 0) == batch
    if last:
        assert (last.waiting, last.image_bytes) == (3, replace(ESTIMATE, waiting=waiting).image_bytes)
    placed = replace(ESTIMATE, waiting=waiting, placed=((("stem",),) * 2))
    assert placed.last is None, "ranks with parts of their own take one image after another"


def test_that_parts_are_divided_with_the_weights_of_their_stages() -> None:
    parts = (
        PartPlan(name="one", takes=("input",), stages=("stem", "layer1")),
        PartPlan(name="two", takes=("one",), stages=("head",)),
    )
    found = replace(ESTIMATE, parts=parts).divided((("one",), ("two",)), {"stem": 5, "layer1": 6, "head": 7})
    assert found.placed == (("one",), ("two",))
    assert found.owned is not None
    assert found.owned.by_rank == ({"stem": 5, "layer1": 6}, {"head": 7})
    assert found.owned.gradients and found.owned.weights
