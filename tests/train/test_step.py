"""One step, the rate it is made with, and the state it leaves."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, cast

import pytest
import torch
from torch import Tensor, nn

from fullfield.data.loader import Batch
from fullfield.model.chain import Chain
from fullfield.model.network import Network
from fullfield.model.phantom import phantom
from fullfield.techniques.build import Build
from fullfield.train import step as steps
from fullfield.train.state import Progress, State
from fullfield.train.update import Update


def small_network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 1, 3, padding=1), nn.Sigmoid()
    )


def built(network: nn.Module, **changes: Any) -> Build:
    """A step of a network of any kind, run whole."""
    return Build(network=cast(Network, network), device=torch.device("cpu"), chain=cast(Chain, network), **changes)


def state(**changes: Any) -> State:
    build = built(small_network(), **changes)
    return State(build=build, update=Update(build), progress=Progress(), threads=1, data="", start="")


@pytest.fixture
def batch() -> Batch:
    x = torch.from_numpy(phantom(192, 192, seed=0))[None, None]
    return Batch(x_NCHW=x, y_NCHW=x.sqrt(), shapes=((192, 192),))


def values(network: nn.Module) -> dict[str, Tensor]:
    return {name: value.clone() for name, value in network.state_dict().items()}


def equal(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def test_that_steps_bring_the_loss_down(batch: Batch) -> None:
    build = built(small_network())
    update = Update(build)
    found = [steps.train_step(build, update, batch, loss="ms_ssim", l1=number < 5, rate=0.02) for number in range(25)]
    assert found[-1].loss < 0.5 * found[0].loss
    assert found[-1].loss == found[-1].structure


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_that_a_step_that_is_not_finite_changes_nothing_not_even_the_statistics(batch: Batch, bad: float) -> None:
    network = small_network()
    build = built(network)
    update = Update(build)
    steps.train_step(build, update, batch, loss="ms_ssim", l1=True, rate=0.01)
    before = values(network)
    spoiled = batch.x_NCHW.clone()
    spoiled[0, 0, 50, 50] = bad
    found = steps.train_step(
        build,
        update,
        Batch(x_NCHW=spoiled, y_NCHW=batch.y_NCHW, shapes=batch.shapes),
        loss="ms_ssim",
        l1=True,
        rate=0.01,
    )
    assert found.skipped
    assert equal(before, values(network))


def phases(one: State, batch: Batch) -> list[str]:
    """The phases of a step, in order; none runs inside another."""
    found: list[str] = []
    running: list[str] = []

    @contextlib.contextmanager
    def phase(name: str) -> Iterator[None]:
        assert not running
        running.append(name)
        yield
        found.append(running.pop())

    steps.train_step(one.build, one.update, batch, loss="ms_ssim", l1=True, rate=0.01, phase=phase)
    return found


def test_that_a_step_tells_its_phases_and_each_micro_batch_its_own(batch: Batch) -> None:
    two = Batch(
        x_NCHW=batch.x_NCHW.expand(2, 1, 192, 192), y_NCHW=batch.y_NCHW.expand(2, 1, 192, 192), shapes=batch.shapes * 2
    )
    assert phases(state(), batch) == ["forward", "backward", "update"]
    assert phases(state(in_backward=True), batch) == ["forward", "backward", "update"]
    assert phases(state(micro=1), two) == ["forward", "backward"] * 2 + ["update"]


def test_that_frozen_statistics_stay_and_weights_move(batch: Batch) -> None:
    network = small_network()
    steps.set_mode(network, frozen=True)
    before = values(network)
    build = built(network)
    steps.train_step(build, Update(build), batch, loss="ms_ssim", l1=True, rate=0.01)
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


def go(state: State, batch: Batch, count: int) -> None:
    for _ in range(count):
        steps.train_step(state.build, state.update, batch, loss="ms_ssim+l1", l1=False, rate=0.01)
        state.progress.step += 1


@pytest.mark.parametrize(("in_backward", "scaled"), [(False, False), (True, False), (False, True)])
def test_that_a_restored_training_goes_on_bit_for_bit(batch: Batch, in_backward: bool, scaled: bool) -> None:
    def fresh() -> State:
        scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2) if scaled else None
        return state(in_backward=in_backward, scaler=scaler)

    whole = fresh()
    go(whole, batch, 3)
    saved = {name: value.clone() for name, value in whole.tensors().items()}, whole.fields()
    go(whole, batch, 3)
    resumed = fresh()
    resumed.restore(*saved)
    assert resumed.progress.step == 3
    go(resumed, batch, 3)
    assert equal(whole.tensors(), resumed.tensors())
    assert whole.fields() == resumed.fields()


def test_that_an_update_inside_backward_ends_with_the_same_bits_and_leaves_no_gradient(batch: Batch) -> None:
    after, inside = state(), state(in_backward=True)
    go(after, batch, 3)
    go(inside, batch, 3)
    assert equal(after.tensors(), inside.tensors())
    assert all(parameter.grad is None for parameter in inside.network.parameters())


def test_that_inside_backward_no_update_is_made_from_a_loss_that_is_not_finite(batch: Batch) -> None:
    inside = state(in_backward=True)
    go(inside, batch, 1)
    before = {name: value.clone() for name, value in inside.tensors().items()}
    x = batch.x_NCHW.clone()
    x[0, 0, 50, 50] = torch.nan
    spoiled = Batch(x_NCHW=x, y_NCHW=batch.y_NCHW, shapes=batch.shapes)
    found = steps.train_step(inside.build, inside.update, spoiled, loss="ms_ssim", l1=True, rate=0.01)
    assert found.skipped
    assert equal(before, inside.tensors())


def test_that_inside_backward_a_parameter_with_a_bad_gradient_is_left_alone_and_counted(batch: Batch) -> None:
    inside = state(in_backward=True)
    go(inside, batch, 1)
    before = values(inside.network)
    first = next(inside.network.parameters())
    handle = first.register_hook(lambda gradient: gradient * torch.inf)
    found = steps.train_step(inside.build, inside.update, batch, loss="ms_ssim", l1=True, rate=0.01)
    handle.remove()
    after = values(inside.network)
    assert (found.spared, found.skipped) == (1, False)
    assert torch.equal(before["0.weight"], after["0.weight"])
    assert not torch.equal(before["3.weight"], after["3.weight"])


def test_that_a_scale_that_is_too_large_is_halved_until_the_step_works(batch: Batch) -> None:
    plain, scaled = state(), state(scaler=torch.amp.GradScaler("cpu", init_scale=2.0**40))
    first = next(scaled.network.parameters())
    first.register_hook(lambda gradient: gradient.half().float())  # what is above 65504 overflows
    found = steps.train_step(scaled.build, scaled.update, batch, loss="ms_ssim", l1=True, rate=0.01)
    wanted = steps.train_step(plain.build, plain.update, batch, loss="ms_ssim", l1=True, rate=0.01)
    assert not found.skipped
    assert found.gradient == pytest.approx(wanted.gradient, rel=1e-2)
    assert scaled.build.scaler is not None and scaled.build.scaler.get_scale() < 2.0**36
    assert values(scaled.network)["1.num_batches_tracked"] == 1


def test_that_a_gradient_that_is_not_finite_at_any_scale_halves_the_scale_once(batch: Batch) -> None:
    scaled = state(scaler=torch.amp.GradScaler("cpu", init_scale=2.0**10))
    handle = next(scaled.network.parameters()).register_hook(lambda gradient: gradient * torch.nan)
    found = steps.train_step(scaled.build, scaled.update, batch, loss="ms_ssim", l1=True, rate=0.01)
    handle.remove()
    assert found.skipped
    assert scaled.build.scaler is not None and scaled.build.scaler.get_scale() == 2.0**9


def test_that_micro_batches_add_up_to_the_mean_of_their_gradients(batch: Batch) -> None:
    x, y = (torch.cat([part, part.flip(-1) ** 2]) for part in (batch.x_NCHW, batch.y_NCHW))
    both = Batch(x_NCHW=x, y_NCHW=y, shapes=batch.shapes * 2)
    singles = []
    for number in range(2):
        one = state()
        part = slice(number, number + 1)
        alone = Batch(x_NCHW=x[part], y_NCHW=y[part], shapes=batch.shapes)
        singles.append(steps.train_step(one.build, one.update, alone, loss="ms_ssim", l1=True, rate=0.0))
        if number == 0:
            first = [parameter.grad for parameter in one.network.parameters()]
        else:
            second = [parameter.grad for parameter in one.network.parameters()]
    micro = state(micro=1)
    found = steps.train_step(micro.build, micro.update, both, loss="ms_ssim", l1=True, rate=0.0)
    assert found.loss == pytest.approx(sum(single.loss for single in singles) / 2)
    for parameter, a, b in zip(micro.network.parameters(), first, second, strict=True):
        assert a is not None and b is not None
        assert torch.allclose(parameter.grad, (a + b) / 2, rtol=1e-4, atol=1e-8)  # type: ignore[arg-type]


def test_that_a_bad_step_leaves_the_ranges_of_int8_as_they_were(batch: Batch) -> None:
    network = small_network()
    build = built(network)
    ranges = build.ranges["stage"] = nn.Module()  # like one of torchao's, which is empty at first
    ranges.register_buffer("min_val", torch.tensor([]))

    def ranged(x_NCHW: Tensor) -> Tensor:
        ranges.min_val.resize_(4).fill_(float(x_NCHW.min()))
        return cast(Tensor, network(x_NCHW))

    build.chain = cast(Chain, ranged)
    before = values(ranges)
    bad = Batch(x_NCHW=torch.full_like(batch.x_NCHW, torch.nan), y_NCHW=batch.y_NCHW, shapes=batch.shapes)
    found = steps.train_step(build, Update(build), bad, loss="ms_ssim", l1=True, rate=0.01)
    assert found.skipped
    assert equal(before, values(ranges))
