"""Ranks that share the images of a batch and normalise them together: the step of one process with all of them."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from fullfield.data.loader import Batch
from fullfield.distribution.team import ALONE, Team
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.train import step as steps
from fullfield.train.update import Update
from teams import together
from techniques import exactness

JOINT = "data_parallel:batch_norm=joint"
SIDE = 96
IMAGES = 4


@pytest.fixture(scope="module")
def given() -> Any:
    torch.set_num_threads(1)
    return exactness.reference("resnet18", IMAGES, SIDE, SIDE, by=8)


def sgd(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    """Whose update is the gradient: Adam's first one is hardly more than its sign."""
    return torch.optim.SGD(parameters, lr=1.0)


def stepped(given: Any, texts: tuple[str, ...], count: int, team: Team = ALONE) -> tuple[dict[str, Tensor], steps.Step]:
    """What a step with the first `count` images, of which this rank has its share in turn, makes of weights and
    statistics."""
    network, x, y = given
    build = builds.begin(copy.deepcopy(network), torch.device("cpu"), ranks=team)
    compose.apply(compose.read(texts), build)
    build.optimizer = sgd
    own = build.replicas.images(count)
    batch = Batch(x_NCHW=x[own], y_NCHW=y[own], shapes=((SIDE, SIDE),) * len(x[own]), whole=count)
    done = steps.train_step(build, Update(build), batch, loss="ms_ssim+l1", l1=True, rate=1.0, team=team)
    return {name: value.detach().clone() for name, value in build.network.state_dict().items()}, done


def is_that_of_one_process(given: Any, texts: tuple[str, ...], ranks: int, count: int) -> None:
    """Assert that a step of `count` images by so many ranks is that of one process, and the same on each."""
    before = given[0].state_dict()
    wanted, whole = stepped(given, (), count)
    moved = max(float((wanted[name] - before[name]).abs().max()) for name in wanted)
    assert moved > 1e-3, "where nothing changes everything is equal"
    found = together(ranks, lambda team: stepped(given, texts, count, team))
    for weights, done in found:
        assert done.loss == pytest.approx(whole.loss, rel=1e-12) and not done.skipped and not done.spared
        for name, value in weights.items():
            change = (wanted[name] - before[name]).abs().max().clamp(min=1e-3 * moved)
            assert float((value - wanted[name]).abs().max() / change) < 1e-11, name
            assert torch.equal(value, found[0][0][name]), name


@pytest.mark.parametrize(
    ("ranks", "count", "beside"),
    [
        (2, 2, ()),
        (2, 3, ()),
        (3, 2, ()),  # one has no image
        (2, 3, ("checkpointing",)),
        (3, 2, ("checkpointing",)),
        (2, 3, ("optimizer_in_backward",)),
        (3, 2, ("optimizer_in_backward",)),
        (2, 2, ("channels_last", "offload_activations")),
        (2, 3, ("full_bands:rows=16",)),
        (3, 2, ("full_bands:rows=16", "optimizer_in_backward")),
        (3, 2, ("hybrid_bands:rows=16",)),
    ],
    ids=str,
)
def test_that_the_step_is_that_of_one_process_with_the_whole_batch(
    given: Any, ranks: int, count: int, beside: tuple[str, ...]
) -> None:
    is_that_of_one_process(given, (JOINT, *beside), ranks, count)


@pytest.mark.parametrize(
    ("portions", "count", "beside"),
    [
        ("3+1", 4, ()),
        ("1+3", 4, ("zero:level=2",)),
        ("3+1", 2, ("optimizer_in_backward",)),  # one has no image
        ("1+2", 4, ("full_bands:rows=16", "zero")),
        ("2+1+1", 4, ("checkpointing",)),
    ],
    ids=str,
)
def test_that_by_portions_too_it_is_that_of_one_process(
    given: Any, portions: str, count: int, beside: tuple[str, ...]
) -> None:
    is_that_of_one_process(given, (f"{JOINT},portions={portions}", *beside), len(portions.split("+")), count)


def test_that_statistics_of_each_alone_make_another_step(given: Any) -> None:
    wanted, _ = stepped(given, (), 2)
    for weights, _ in together(2, lambda team: stepped(given, ("data_parallel",), 2, team)):
        assert any(not torch.allclose(value, wanted[name], rtol=1e-3) for name, value in weights.items())
