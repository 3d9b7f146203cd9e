"""Clipping by norm: torch's own function, after the whole batch and in the loss's own scale."""

from __future__ import annotations

import copy

import pytest
import torch

from fullfield.errors import UsageError
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.techniques.gradient_clipping import STARTS
from fullfield.train import loss as losses
from fullfield.train.update import Update
from techniques.stepping import batch, equal, go, operations, resumes_bit_for_bit, site, state

DOUBLE = torch.float64


@pytest.mark.parametrize("norm", [0.01, 0.1, 100.0])
def test_that_steps_are_those_of_torchs_clip_grad_norm_in_fp64(norm: float) -> None:
    images = batch(dtype=DOUBLE)
    one = state(f"gradient_clipping:norm={norm}", dtype=DOUBLE)
    network = copy.deepcopy(one.network)
    adam = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(4):
        adam.zero_grad()
        loss, _ = losses.on_true_parts(
            network(images.x_NCHW), images.y_NCHW, images.shapes, structure=one.build.structure
        )
        loss.backward()
        before = torch.nn.utils.clip_grad_norm_(network.parameters(), norm)
        adam.step()
        (found,) = go(one, 1, images)
        assert found.gradient == pytest.approx(min(norm, float(before)), rel=1e-5)
    for wanted, parameter in zip(network.parameters(), one.network.parameters(), strict=True):
        assert (parameter - wanted).norm() <= 1e-11 * wanted.norm()


def test_that_the_gradient_of_the_whole_batch_is_clipped_and_not_that_of_its_pieces() -> None:
    images = batch(3, DOUBLE)
    whole, pieces = state("accumulate", dtype=DOUBLE), state("accumulate", "gradient_clipping:norm=0.01", dtype=DOUBLE)
    (reported,), (clipped,) = go(whole, 1, images), go(pieces, 1, images)
    assert reported.gradient > 0.02
    pairs = zip(whole.network.parameters(), pieces.network.parameters(), strict=True)
    for one, other in pairs:
        assert one.grad is not None and other.grad is not None
        assert torch.allclose(other.grad, one.grad * clipped.gradient / reported.gradient, rtol=1e-11, atol=1e-300)


def test_that_the_scale_of_the_loss_changes_nothing() -> None:
    plain, scaled = state("gradient_clipping:norm=0.01"), state("gradient_clipping:norm=0.01")
    scaled.build.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    scaled.update = Update(scaled.build)
    assert go(plain, 1)[0].gradient == pytest.approx(0.01, rel=1e-3)
    assert go(scaled, 1)[0].gradient == pytest.approx(0.01, rel=1e-3)


def test_that_where_nobody_says_a_norm_it_is_one() -> None:
    """What is kept of a plan has no options that are the default: another one would make another model of it."""
    one = state("gradient_clipping")
    for parameter in one.network.parameters():
        parameter.register_hook(lambda gradient: 1000 * gradient)
    assert go(one, 1)[0].gradient == pytest.approx(1.0, rel=1e-3)


def test_that_a_gradient_that_is_not_finite_skips_the_step() -> None:
    one = state("gradient_clipping")
    next(one.network.parameters()).register_hook(lambda gradient: gradient * torch.inf)
    before = {name: value.clone() for name, value in one.network.state_dict().items()}
    assert go(one, 1)[0].skipped
    assert equal(before, one.network.state_dict())


@pytest.mark.parametrize(
    "others", [(), ("accumulate",), ("optimizer_8bit",), ("optimizer_offload",), ("lamb",), ("ema",)], ids=str
)
def test_that_a_restored_training_goes_on_bit_for_bit(others: tuple[str, ...]) -> None:
    resumes_bit_for_bit("gradient_clipping:norm=0.01", *others)


def test_that_inside_backward_it_is_refused_with_the_reason() -> None:
    with pytest.raises(UsageError) as reported:
        compose.read(["gradient_clipping", "optimizer_in_backward"])
    assert "known only when the last one is" in reported.value.detail


def test_that_it_takes_no_memory_and_starts_few_operations() -> None:
    before = MemoryEstimate(shape=Shape(height=64, width=64))
    after = registry.read("gradient_clipping").predict(before, site())
    assert (after.state, after.update, after.update_starts) == (before.state, before.update, STARTS)
    one = state("gradient_clipping")
    go(one, 1)
    (clip,) = one.build.gradients
    assert operations(lambda: clip(list(one.network.parameters()))) <= STARTS


def test_that_it_is_said_to_change_the_model() -> None:
    assert compose.effect(compose.read(["gradient_clipping"]), site()) == Effect.MODEL


def test_that_one_bad_image_moves_the_weights_no_further_than_others() -> None:
    """What it is for: one step of SGD after an image whose gradient is a thousand times too large."""
    moved = []
    for names in ((), ("gradient_clipping:norm=0.05",)):
        one = state(*names)
        one.build.optimizer = lambda parameters: torch.optim.SGD(parameters)
        one.update = Update(one.build)
        before = [parameter.detach().clone() for parameter in one.network.parameters()]
        for parameter in one.network.parameters():
            parameter.register_hook(lambda gradient: 1000 * gradient)
        go(one, 1, rate=1.0)
        after = [parameter.detach() for parameter in one.network.parameters()]
        moves = [(now - then).norm() for now, then in zip(after, before, strict=True)]
        moved.append(float(torch.stack(moves).norm()))
    assert moved[0] > 1.0
    assert moved[1] == pytest.approx(0.05, rel=1e-3)
