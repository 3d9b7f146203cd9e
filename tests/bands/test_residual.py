"""Residual blocks by hand against torchvision's, in fp64."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from fullfield.bands import residual
from fullfield.distribution.team import Team
from fullfield.model.network import Layer
from teams import together
from techniques.exactness import GRADIENT, Found, agree, found
from techniques.exactness import stage as reference_stage

WAYS = {"kept": {"keep_convolved": True}, "nested": {"keep_convolved": False}}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def layer(name: str) -> Layer:
    made = reference_stage(name)
    assert isinstance(made, Layer)
    return made


def nested(stage: Layer, x: Tensor, **way: bool) -> Tensor:
    return residual.run(list(stage.blocks), x, pool=stage.pool, **way)


def each_alone(stage: Layer, x: Tensor) -> Tensor:
    x = stage.pool(x)
    for block in stage.blocks:
        x = residual.run([block], x, keep_convolved=False)
    return x


def of_plain(stage: Layer, x: Tensor) -> tuple[object, Tensor]:
    plain, at = copy.deepcopy(stage), x.clone().requires_grad_()
    value = plain(at).cos().sum()
    value.backward()
    return found(plain, value), at.grad


@pytest.mark.parametrize("way", ["kept", "nested", "each alone"])
@pytest.mark.parametrize("name", ["layer1", "layer2"])
@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("mode", [True, False], ids=["batch statistics", "running statistics"])
def test_that_a_layer_has_the_gradients_of_the_plain_one(way: str, name: str, batch: int, mode: bool) -> None:
    stage = layer(name).train(mode)
    x = torch.randn(batch, 64, 8, 12, dtype=torch.float64)
    wanted, input_gradient = of_plain(stage, x)
    at = x.clone().requires_grad_()
    value = (each_alone(stage, at) if way == "each alone" else nested(stage, at, **WAYS[way])).cos().sum()
    value.backward()
    agree(found(stage, value), wanted)
    assert (at.grad - input_gradient).norm() <= GRADIENT * input_gradient.norm()


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_that_a_gradient_that_others_see_is_not_written_over(way: dict[str, bool]) -> None:
    stage = layer("layer2")
    x = torch.randn(1, 64, 16, 12, dtype=torch.float64)
    wanted, _ = of_plain(stage, x)
    kept: list[Tensor] = []
    other = torch.zeros(1, 128, 8, 6, dtype=torch.float64, requires_grad=True)
    out = nested(stage, x.clone().requires_grad_(), **way)
    out.register_hook(kept.append)
    out.retain_grad()
    beside = torch.zeros_like(out).requires_grad_()
    made = out + beside + other  # an addition hands the same gradient to each of its terms
    given = -made.detach().sin()
    before = given.clone()
    made.backward(given)
    agree(found(stage, wanted.value), wanted)
    for seen in (given, out.grad, beside.grad, other.grad, *kept):
        assert torch.equal(seen, before)


def test_that_a_frozen_layer_hands_its_input_the_gradient_and_takes_none() -> None:
    stage = layer("layer2").requires_grad_(False)
    at = torch.randn(1, 64, 16, 12, dtype=torch.float64, requires_grad=True)
    nested(stage, at, keep_convolved=False).sum().backward()
    assert at.grad is not None and all(parameter.grad is None for parameter in stage.parameters())


def test_that_a_second_backward_is_refused() -> None:
    stage = layer("layer1")
    out = nested(stage, torch.randn(1, 64, 16, 12, dtype=torch.float64, requires_grad=True), keep_convolved=True).sum()
    out.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="once only"):
        out.backward()


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_that_under_autocast_it_computes_as_the_plain_layer_does(way: dict[str, bool]) -> None:
    stage = layer("layer2").float()
    plain = copy.deepcopy(stage)
    x = torch.randn(2, 64, 16, 12)
    with torch.autocast("cpu", torch.bfloat16):
        wanted, got = plain(x), nested(stage, x, **way)
    assert got.dtype == wanted.dtype == torch.bfloat16
    assert (got.float() - wanted.float()).norm() <= 1e-2 * wanted.float().norm()
    for out in (wanted, got):
        out.float().cos().sum().backward()
    for name, parameter in stage.named_parameters():
        theirs = plain.get_parameter(name).grad
        assert parameter.grad.dtype == torch.float32
        assert (parameter.grad - theirs).norm() <= 0.05 * theirs.norm(), name


def test_that_a_batch_norm_without_momentum_averages_its_batches_once_a_step() -> None:
    stage = layer("layer1")
    for module in stage.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None
    x = torch.randn(1, 64, 16, 12, dtype=torch.float64)
    plain = copy.deepcopy(stage)
    for _ in range(2):
        plain(x).sum().backward()
        nested(stage, x, keep_convolved=False).sum().backward()
    agree(found(stage, torch.ones(())), found(plain, torch.ones(())))


@pytest.mark.parametrize(("ranks", "height"), [(2, 9), (3, 8), (5, 11)])
@pytest.mark.parametrize("keep", [True, False], ids=["kept", "nested"])
@pytest.mark.parametrize("mode", [True, False], ids=["batch statistics", "running statistics"])
def test_that_ranks_with_uneven_rows_together_have_the_gradients_of_the_plain_layer(
    ranks: int, height: int, keep: bool, mode: bool
) -> None:
    stage = layer("layer2").train(mode)  # whose first block has a stride, and a convolution in its shortcut
    torch.manual_seed(5)
    x = torch.randn(2, 64, height, 12, dtype=torch.float64)
    wanted, input_gradient = of_plain(stage, x)

    def by_hand(team: Team) -> tuple[Found, Tensor]:
        own, at = copy.deepcopy(stage), x[:, :, slice(*team.own(height))].clone().requires_grad_()
        value = residual.run(list(own.blocks), at, keep_convolved=keep, team=team).cos().sum()
        value.backward()
        assert at.grad is not None
        return found(own, value), at.grad

    every = together(ranks, by_hand)
    whole = torch.stack([each.value for each, _ in every]).sum()
    for each, _ in every:
        agree(replace(each, value=whole), wanted)
        assert all(torch.equal(one, every[0][0].gradients[name]) for name, one in each.gradients.items())
    joined = torch.cat([gradient for _, gradient in every], 2)
    assert (joined - input_gradient).norm() <= GRADIENT * input_gradient.norm()
