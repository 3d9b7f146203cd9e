"""Ranks that share the images of a batch and normalise each its own: the mean of their own steps, with every technique
of one device."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import narrow
from fullfield.data.loader import Batch
from fullfield.distribution.team import ALONE, Team
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.train import step as steps
from fullfield.train.update import Update
from support import without_compiler
from teams import together

SIDE = 96
Given = tuple[Any, Tensor, Tensor]


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    without_compiler(monkeypatch)


@pytest.fixture(scope="module")
def given() -> Given:
    torch.set_num_threads(1)
    network = narrow.network()
    x = torch.rand(3, 1, SIDE, SIDE, dtype=torch.float64)
    return network, x, 0.7 * x + 0.1 * torch.rand_like(x) + 0.1


def sgd(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    """Whose update is the gradient."""
    return torch.optim.SGD(parameters, lr=1.0)


def stepped(
    given: Given, texts: tuple[str, ...], images: slice, team: Team = ALONE, *, whole: int = 0, number: int = 1
) -> tuple[dict[str, Tensor], list[steps.Step]]:
    """What `number` steps with these images, of `whole` of all ranks, make of the weights."""
    network, x, y = given
    build = builds.begin(copy.deepcopy(network), torch.device("cpu"), ranks=team)
    build.counted = True  # nothing is compiled
    compose.apply(compose.read(texts), build)
    rate = 0.01
    if number == 1:
        build.optimizer, rate = sgd, 1.0
    update = Update(build)
    x_NCHW, y_NCHW = (one[images].to(next(network.parameters()).dtype) for one in (x, y))
    batch = Batch(x_NCHW=x_NCHW, y_NCHW=y_NCHW, shapes=((SIDE, SIDE),) * len(x_NCHW), whole=whole or len(x_NCHW))
    done = [
        steps.train_step(build, update, batch, loss="ms_ssim+l1", l1=True, rate=rate, team=team) for _ in range(number)
    ]
    assert not any(one.skipped or one.spared for one in done) and done[0].structure < 100.0
    with steps.opened(build.as_result):
        weights = {name: one.detach().clone() for name, one in build.network.named_parameters()}
    update.close()
    return weights, done


def test_that_uneven_shares_make_the_mean_of_their_own_steps_by_images(given: Given) -> None:
    before = dict(given[0].named_parameters())
    (two, _), (one, _) = (stepped(given, (), images) for images in (slice(0, 3, 2), slice(1, 2)))
    wanted = {name: (2 * two[name] + one[name]) / 3 for name in before}
    moved = {name: float((wanted[name] - value).detach().abs().max()) for name, value in before.items()}
    found = together(2, lambda team: stepped(given, ("data_parallel",), slice(team.rank, 3, 2), team, whole=3))
    for name, value in found[0][0].items():
        scale = max(moved[name], 1e-3 * max(moved.values()))
        assert float((value - wanted[name]).abs().max()) <= 1e-11 * scale and scale > 0, name
        assert torch.equal(value, found[1][0][name]), name


def test_that_by_portions_each_makes_the_step_of_its_own_images(given: Given) -> None:
    before = dict(given[0].named_parameters())
    (two, _), (one, _) = (stepped(given, (), images) for images in (slice(0, 2), slice(2, 3)))
    wanted = {name: (2 * two[name] + one[name]) / 3 for name in before}
    moved = {name: float((wanted[name] - value).detach().abs().max()) for name, value in before.items()}
    own = slice(0, 2), slice(2, 3)
    text = "data_parallel:portions=2+1"
    found = together(2, lambda team: stepped(given, (text,), own[team.rank], team, whole=3))
    for name, value in found[0][0].items():
        scale = max(moved[name], 1e-3 * max(moved.values()))
        assert float((value - wanted[name]).abs().max()) <= 1e-11 * scale and scale > 0, name
        assert torch.equal(value, found[1][0][name]), name


@pytest.mark.parametrize(
    "beside",
    [
        ("precision:format=bf16",),
        ("precision:format=fp16",),
        ("precision:format=fp16", "zero:level=3"),
        ("momentum",),
        ("recompute",),
        ("checkpointing",),
        ("hybrid_bands:rows=32",),
        ("full_bands:rows=32",),
        ("offload_activations",),
        ("channels_last",),
        ("gradient_clipping:norm=0.05",),
        ("ema",),
        ("lars",),
        ("lamb",),
        ("optimizer_offload",),
    ],
    ids="+".join,
)  # but for compressed_activations, which draws from the process's generator: ranks are threads here
def test_that_with_every_technique_of_one_device_it_is_what_one_does_with_an_image_at_a_time(
    given: Given, beside: tuple[str, ...]
) -> None:
    single = (copy.deepcopy(given[0]).float(), *given[1:])
    alone = [text for text in beside if not text.startswith("zero")]
    wanted, done = stepped(single, ("accumulate", *alone), slice(0, 2), number=2)
    before = single[0].state_dict()
    found = together(
        2,
        lambda team: stepped(single, ("data_parallel", *beside), slice(team.rank, 2, 2), team, whole=2, number=2),
    )
    assert any(not torch.equal(value, before[name]) for name, value in wanted.items() if name in before)
    for weights, reported in found:
        assert [one.loss for one in reported] == [one.loss for one in done]
        assert all(torch.equal(value, weights[name]) for name, value in wanted.items())
