"""A batch in pieces: the mean of steps of single images, with BatchNorm's statistics of each."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

import narrow
from fullfield.bench.memory import Comparison
from fullfield.data.loader import Batch
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.train import step as steps
from fullfield.train.state import State
from techniques.measuring import taken, there
from techniques.stepping import batch, site, state

COUNT = 3
narrowed = narrow.networks()


def gradients(one: State, images: Batch) -> dict[str, Tensor]:
    """Of a step that moves nothing."""
    steps.train_step(one.build, one.update, images, loss="ms_ssim", l1=False, rate=0.0)
    return {name: p.grad.clone() for name, p in one.network.named_parameters() if p.grad is not None}


def doubled(images: Batch, part: slice) -> Batch:
    return Batch(x_NCHW=images.x_NCHW[part].double(), y_NCHW=images.y_NCHW[part].double(), shapes=images.shapes[part])


def test_that_a_step_is_the_mean_of_steps_of_single_images() -> None:
    images = batch(COUNT)
    single = state(dtype=torch.float64)
    alone = [gradients(single, doubled(images, slice(n, n + 1))) for n in range(COUNT)]
    together = state("accumulate", dtype=torch.float64)
    found = gradients(together, doubled(images, slice(None)))
    for name, gradient in found.items():
        wanted = sum((one[name] for one in alone), torch.zeros_like(gradient)) / COUNT
        assert (gradient - wanted).norm() <= 1e-11 * wanted.norm()
    statistics = single.network.state_dict()
    for name, value in together.network.state_dict().items():
        assert torch.allclose(value, statistics[name], rtol=1e-10)


def test_that_pieces_of_different_size_count_by_their_images() -> None:
    images = batch(COUNT)
    pieces = [slice(0, 2), slice(2, 3)]
    single = state(dtype=torch.float64)
    alone = [gradients(single, doubled(images, piece)) for piece in pieces]
    found = gradients(state("accumulate:images=2", dtype=torch.float64), doubled(images, slice(None)))
    for name, gradient in found.items():
        wanted = (2 * alone[0][name] + alone[1][name]) / COUNT
        assert (gradient - wanted).norm() <= 1e-11 * wanted.norm()


def test_that_it_is_no_step_of_the_whole_batch_and_says_so() -> None:
    images = doubled(batch(2), slice(None))
    whole, pieces = (gradients(state(*names, dtype=torch.float64), images) for names in ((), ("accumulate",)))
    assert any((pieces[name] - whole[name]).norm() > 1e-4 * whole[name].norm() for name in whole)
    assert compose.effect(compose.read(["accumulate"]), site()) == Effect.MODEL


@pytest.mark.parametrize(("count", "text", "possible"), [(1, "accumulate", False), (2, "accumulate", True)])
def test_that_a_batch_of_one_image_is_refused(count: int, text: str, possible: bool) -> None:
    here = site(shape=Shape(height=64, width=64, batch=count))
    assert (registry.read(text).refuse(here) is None) == possible


def test_that_pieces_as_large_as_the_batch_are_refused() -> None:
    reason = registry.read("accumulate:images=4").refuse(site(shape=Shape(height=64, width=64, batch=4)))
    assert reason is not None and "from 1 to 3" in reason.hint


def test_that_the_prediction_is_that_of_one_piece_while_the_others_wait() -> None:
    before = MemoryEstimate(shape=Shape(height=64, width=64, batch=4))
    after = registry.read("accumulate").predict(before, site(shape=before.shape))
    assert (after.shape.batch, after.waiting) == (1, 3)


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        (("accumulate:images=2",), 3),
        (("accumulate:images=2",), 4),
        (("accumulate:images=3",), 5),
        (("accumulate:images=2", "recompute"), 3),
    ],
)
def test_that_a_first_piece_is_predicted_without_gradients_and_a_smaller_last_one_beside_them(
    texts: tuple[str, ...], count: int
) -> None:
    shape = Shape(height=192, width=224, batch=count, encoder="resnet18")
    predicted = 1.01 * Comparison(shape.encoder).predict(compose.read(texts), shape).fullest.peak
    measured = taken(texts, shape) + there(shape)
    assert measured <= predicted <= 1.03 * measured
