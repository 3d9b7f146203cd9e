"""What one process of several keeps alone: its prediction beside what the allocator gives out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import torch

import narrow
from fullfield.bench.stepping import Stepping, noise
from fullfield.distribution.owners import is_there
from fullfield.hardware import devices
from fullfield.kernels import stored
from fullfield.memory import allocator
from fullfield.memory.account import Shape
from fullfield.techniques import compose, here, registry
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Site
from fullfield.techniques.zero import Zero
from teams import Lonely

narrowed = narrow.networks()

SHAPE = Shape(height=320, width=320, encoder="resnet18")
CPU = torch.device("cpu")


@cache
def costing() -> Costing:
    torch.set_num_threads(1)
    return Costing(SHAPE.encoder, "cpu")


def of_ranks(count: int, images: int = 1) -> Site:
    """So many ranks, each with so many images."""
    shape = replace(SHAPE, batch=count * images)
    return here.site(devices.choose(devices.CPU), shape, costing().costs, count)


def predicted(texts: tuple[str, ...], ranks: int, images: int = 1) -> list[int]:
    return [device.peak for device in costing().account(compose.read(texts), of_ranks(ranks, images))[1].devices]


def measured(texts: tuple[str, ...], rank: int, ranks: int, images: int = 1) -> int:
    """Bytes of a second step on one rank, with all that is there before it."""
    training = Stepping(texts, encoder=SHAPE.encoder, ranks=Lonely(rank, ranks))
    batch = noise(replace(SHAPE, batch=ranks * images), training.build)
    assert not training.step(batch).skipped
    training.update.free_gradients()
    given = (*stored.tensors(batch.x_NCHW), *stored.tensors(batch.y_NCHW))
    there = [*training.network.parameters(), *training.network.buffers(), *training.update.tensors().values(), *given]
    found = sum(one.nbytes for one in there if is_there(one)) + allocator.peak(lambda: training.step(batch), CPU).peak
    training.update.close()
    return found


@pytest.mark.parametrize(("beside", "images"), [((), 1), (("accumulate:images=2",), 3)], ids=["whole", "in pieces"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_that_a_rank_takes_what_was_predicted_within_three_percent_and_never_more(
    level: int, beside: tuple[str, ...], images: int
) -> None:
    texts = ("data_parallel", f"zero:level={level}", *beside)
    found = predicted(texts, 2, images)
    for rank, most in enumerate(found):
        assert 0.97 * most <= measured(texts, rank, 2, images) <= 1.01 * most  # a plan adds one percent


def test_that_each_level_takes_less_than_the_one_before_and_more_ranks_less_of_it() -> None:
    texts = [("data_parallel",), *(("data_parallel", f"zero:level={level}") for level in (1, 2, 3))]
    found = [max(predicted(one, ranks)) for ranks in (2, 4) for one in texts]
    assert found[0] == found[4] and found[:4] == sorted(found[:4], reverse=True)
    assert all(four < two for two, four in zip(found[1:4], found[5:], strict=True))


def test_that_one_process_has_nobody_to_share_with_and_several_are_proposed_every_level() -> None:
    alone, several = of_ranks(1), of_ranks(2)
    reason = Zero().refuse(alone)
    assert reason is not None and "--processes" in reason.hint and Zero.candidates(alone) == ()
    assert [str(one.technique) for one in Zero.candidates(several)] == ["zero", "zero:level=2", "zero:level=3"]
    assert all(one.technique.refuse(several) is None for one in Zero.candidates(several))


def test_that_an_average_of_weights_is_refused_where_nobody_has_all_of_them() -> None:
    assert compose.conflicts([registry.read(name) for name in ("data_parallel", "zero:level=3", "ema")])
    assert not compose.conflicts([registry.read(name) for name in ("data_parallel", "zero:level=2", "ema")])
    assert compose.conflicts([Zero()]) == ["zero needs one of these: data_parallel, spatial."]
