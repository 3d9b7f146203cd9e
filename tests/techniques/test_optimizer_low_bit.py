"""Adam in eight and four bits: it learns, it is restored to the bit, and it takes what is predicted."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from fullfield.hardware import compiler
from fullfield.memory import allocator
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.techniques.build import begin
from fullfield.train.update import Update
from techniques.stepping import WEIGHTS, go, resumes_bit_for_bit, site, state, whole_network

BOTH = pytest.mark.parametrize("name", ["optimizer_8bit", "optimizer_4bit"])
CPU = torch.device("cpu")


@BOTH
def test_that_it_learns_nearly_as_the_plain_optimizer_does(name: str) -> None:
    plain, short = go(state(), 12), go(state(name), 12)
    assert short[-1].loss < 0.5 * short[0].loss
    assert short[-1].loss < 1.5 * plain[-1].loss
    assert short[-1].loss != plain[-1].loss


@BOTH
@pytest.mark.parametrize("others", [(), ("channels_last",), ("optimizer_in_backward",)], ids=str)
def test_that_a_restored_training_goes_on_bit_for_bit(name: str, others: tuple[str, ...]) -> None:
    resumes_bit_for_bit(name, *others)


@BOTH
def test_that_its_moments_are_kept_in_a_checkpoint_as_short_as_they_are(name: str) -> None:
    short = state(name)
    go(short, 1)
    tensors = short.tensors()
    assert tensors["optimizer.exp_avg.codes.3.weight"].dtype == torch.uint8
    assert tensors["optimizer.exp_avg.0.weight"].dtype == torch.float32  # below 4096 values nothing is gained


@BOTH
def test_that_its_state_is_what_was_predicted(name: str) -> None:
    with torch.device("meta"):
        build = begin(whole_network(), torch.device("meta"))
    technique = registry.read(name)
    technique.apply(build)
    update = Update(build)
    update.begin(0.01)
    for parameter in build.network.parameters():
        parameter.grad = torch.zeros_like(parameter)
    update.finish()
    weights = sum(parameter.nbytes for parameter in build.network.parameters())
    taken = sum(tensor.nbytes for tensor in update.tensors().values())
    assert taken == pytest.approx(predicted(name).state * weights, rel=0.03)


@BOTH
def test_that_the_update_takes_for_a_moment_what_was_predicted(name: str) -> None:
    largest = torch.nn.Parameter(torch.ones(site().costs.facts.largest // 4))
    from fullfield.optim import low_bit_adam  # imports torchao

    optimizer = low_bit_adam.chosen(8 if "8" in name else 4, CPU)([largest])
    largest.grad = torch.ones_like(largest)
    optimizer.step()
    assert allocator.peak(optimizer.step, CPU).peak == pytest.approx(predicted(name).update * WEIGHTS, rel=0.03)


def predicted(name: str) -> MemoryEstimate:
    before = MemoryEstimate(shape=Shape(height=64, width=64, encoder="resnet18"))
    return registry.read(name).predict(before, site())


@BOTH
def test_that_its_update_takes_as_long_whatever_the_image_on_a_cpu(name: str) -> None:
    def time(side: int, **where: Any) -> float:
        shape = Shape(height=side, width=side, encoder="resnet18")
        return registry.read(name).predict(MemoryEstimate(shape=shape), site(shape=shape, **where)).time

    assert time(512) - 1 == pytest.approx(4 * (time(1024) - 1)) and time(512) > 2
    assert time(512, kind="cuda", capability=(8, 6)) == 1


@BOTH
def test_that_it_is_called_approximate(name: str) -> None:
    assert compose.effect(compose.read([name]), site()) == Effect.APPROXIMATE


def test_that_the_two_do_not_go_together() -> None:
    assert compose.conflicts([registry.read("optimizer_8bit"), registry.read("optimizer_4bit")])


@pytest.mark.slow
@pytest.mark.skipif(bool(compiler.missing()), reason="no compiler here")
def test_that_compiled_it_makes_the_same_step_but_for_rounding() -> None:
    torch.manual_seed(0)
    start, gradient = torch.randn(64, 64), torch.randn(64, 64)
    after = []
    from fullfield.optim import low_bit_adam  # imports torchao

    for kind in (low_bit_adam.Adam8bit, low_bit_adam.EagerAdam8bit):
        parameter = torch.nn.Parameter(start.clone())
        optimizer = kind([parameter], lr=0.01)
        parameter.grad = gradient.clone()
        optimizer.step()
        after.append(parameter.detach())
    assert torch.allclose(after[0], after[1], atol=1e-6)
