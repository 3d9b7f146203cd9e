"""One step, the rate it is made with, and the state it leaves."""

from __future__ import annotations

from typing import cast

import pytest
import torch
from torch import Tensor, nn

from fullfield.data.loader import Batch
from fullfield.model.network import Network
from fullfield.model.phantom import phantom
from fullfield.train import step as steps
from fullfield.train.state import Progress, State


def small_network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 1, 3, padding=1), nn.Sigmoid()
    )


def adam(network: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.Adam(network.parameters(), fused=True)


@pytest.fixture
def batch() -> Batch:
    x = torch.from_numpy(phantom(192, 192, seed=0))[None, None]
    return Batch(x_NCHW=x, y_NCHW=x.sqrt(), shapes=((192, 192),))


def values(network: nn.Module) -> dict[str, Tensor]:
    return {name: value.clone() for name, value in network.state_dict().items()}


def equal(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def test_that_steps_bring_the_loss_down(batch: Batch) -> None:
    network = small_network()
    optimizer = adam(network)
    found = [
        steps.train_step(network, optimizer, batch, loss="ms_ssim", l1=number < 5, rate=0.02) for number in range(40)
    ]
    assert found[-1].loss < 0.5 * found[0].loss
    assert found[-1].loss == found[-1].structure


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_that_a_step_that_is_not_finite_changes_nothing_not_even_the_statistics(batch: Batch, bad: float) -> None:
    network = small_network()
    optimizer = adam(network)
    steps.train_step(network, optimizer, batch, loss="ms_ssim", l1=True, rate=0.01)
    before = values(network)
    spoiled = batch.x_NCHW.clone()
    spoiled[0, 0, 50, 50] = bad
    found = steps.train_step(
        network,
        optimizer,
        Batch(x_NCHW=spoiled, y_NCHW=batch.y_NCHW, shapes=batch.shapes),
        loss="ms_ssim",
        l1=True,
        rate=0.01,
    )
    assert found.skipped
    assert equal(before, values(network))


def test_that_frozen_statistics_stay_and_weights_move(batch: Batch) -> None:
    network = small_network()
    steps.set_mode(network, frozen=True)
    before = values(network)
    steps.train_step(network, adam(network), batch, loss="ms_ssim", l1=True, rate=0.01)
    after = values(network)
    assert torch.equal(before["1.running_mean"], after["1.running_mean"])
    assert not torch.equal(before["0.weight"], after["0.weight"])


def test_that_the_rate_rises_falls_as_a_cosine_and_ends_above_nothing() -> None:
    rates = [steps.learning_rate(n, 100, largest=1.0, schedule="cosine", warm_up=0.1) for n in range(100)]
    assert rates[0] == pytest.approx(0.1)
    assert max(rates) == rates[10] == 1.0
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert 0.01 <= rates[-1] < 0.012
    assert steps.learning_rate(99, 100, largest=1.0, schedule="constant", warm_up=0.1) == 1.0


def test_that_a_restored_training_goes_on_bit_for_bit(batch: Batch) -> None:
    def fresh() -> State:
        network = small_network()
        return State(
            network=cast(Network, network), optimizer=adam(network), progress=Progress(), threads=1, data="", start=""
        )

    def go(state: State, count: int) -> None:
        for _ in range(count):
            steps.train_step(state.network, state.optimizer, batch, loss="ms_ssim+l1", l1=False, rate=0.01)
            state.progress.step += 1

    whole = fresh()
    go(whole, 3)
    saved = {name: value.clone() for name, value in whole.tensors().items()}, whole.fields()
    go(whole, 3)
    resumed = fresh()
    resumed.restore(*saved)
    assert resumed.progress.step == 3
    go(resumed, 3)
    assert equal(whole.tensors(), resumed.tensors())
