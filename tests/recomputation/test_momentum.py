"""Momentum residual blocks run backwards: equal to keeping everything, with BatchNorm noticing the step once."""

from __future__ import annotations

import copy
from functools import cache
from typing import cast

import momentumnet
import pytest
import torch
from momentumnet.exact_rep_pytorch import RADIX_SCALE, TorchExactRep
from torch import Tensor, nn

import narrow
from fullfield.model.network import Layer, NetworkSpec, build
from fullfield.model.spec import representable
from fullfield.recomputation import momentum
from techniques import exactness

GAMMA = representable(0.9)


def layer(*, gamma: float = GAMMA) -> Layer:
    found = copy.deepcopy(seeded())
    found.momentum = gamma
    return found


@cache
def seeded() -> Layer:
    """Four blocks, of which the first halves the resolution."""
    torch.manual_seed(5)
    found = cast(Layer, build(NetworkSpec(encoder="resnet34")).stages["layer2"]).double().train()
    narrow.liven(found)
    return found


def step(module: Layer, x: Tensor, *, reversible: bool) -> exactness.Found:
    module.zero_grad()
    value = (momentum.run(module)(x) if reversible else module(x)).square().mean()
    value.backward()
    return exactness.found(module, value)


def image(dtype: torch.dtype = torch.float64) -> Tensor:
    torch.manual_seed(9)
    return torch.rand(2, 64, 16, 24, dtype=dtype)


@pytest.fixture
def precise_velocity(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package reads its fixed point in fp32; for a proof in fp64 it must not."""
    monkeypatch.setattr(TorchExactRep, "val", property(lambda self: self.intrep.double() / RADIX_SCALE))


@pytest.mark.usefixtures("precise_velocity")
@pytest.mark.parametrize("gamma", [0.9, 0.5])
@pytest.mark.parametrize("training", [True, False])
def test_that_gradients_and_statistics_are_those_of_keeping_everything(gamma: float, training: bool) -> None:
    kept = layer(gamma=representable(gamma)).train(training)
    reversed_ = copy.deepcopy(kept)
    plain = step(kept, image(), reversible=False)
    # Fixed point of 52 bits and its fraction of 16 leave about 2⁻³⁶ of a value.
    exactness.agree(step(reversed_, image(), reversible=True), plain, gradient=1e-9, statistic=1e-10)


def test_that_the_packages_reading_in_fp32_costs_no_more_than_fp32_does() -> None:
    kept = layer()
    plain = step(copy.deepcopy(kept), image(), reversible=False)
    assert exactness.worst(step(kept, image(), reversible=True), plain) < 1e-4


def test_that_the_networks_function_is_the_packages_with_backpropagation() -> None:
    ours = layer()
    first, *others = copy.deepcopy(ours).blocks
    theirs = momentumnet.MomentumNet(list(others), GAMMA, use_backprop=True, is_residual=False)
    plain = step(ours, image(), reversible=False)
    value = theirs(first(image())).square().mean()
    value.backward()
    names = [name for name, _ in ours.blocks.named_parameters()]
    their_parameters = [*first.parameters(), *theirs.parameters()]
    gradients = {f"blocks.{name}": cast(Tensor, one.grad) for name, one in zip(names, their_parameters, strict=True)}
    assert exactness.worst(plain, exactness.Found(value=value, gradients=gradients, statistics={})) < 1e-12


def test_that_without_momentum_the_layer_is_the_plain_one() -> None:
    plain = layer(gamma=0.0)
    almost = layer(gamma=1e-12)
    assert torch.allclose(almost(image()), cast(nn.Sequential, plain.blocks)(image()), rtol=1e-9)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_that_both_runs_have_the_autocast_of_the_first(dtype: torch.dtype) -> None:
    kept = layer().float()
    reversed_ = copy.deepcopy(kept)
    x = image(torch.float32)[:, :, :8, :8]
    with torch.autocast("cpu", dtype):
        made, wanted = momentum.run(reversed_)(x), kept(x)
    assert made.dtype == torch.float32
    made.square().mean().backward()
    wanted.float().square().mean().backward()
    found = exactness.worst(exactness.found(reversed_, made.mean()), exactness.found(kept, wanted.mean()))
    assert found < 0.2  # of half precision itself
