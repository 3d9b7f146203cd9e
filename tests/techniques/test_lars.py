"""LARS: the paper's Algorithm 1 in numpy beside it, and what it remembers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
import torch

from fullfield.errors import UsageError
from fullfield.memory import allocator
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.techniques.build import Build, begin
from fullfield.techniques.lars import STARTS
from fullfield.train.update import Update
from techniques.stepping import batch, equal, go, operations, resumes_bit_for_bit, site, state, whole_network

CPU = torch.device("cpu")
Values = npt.NDArray[np.float64]


def optimizer(text: str, *parameters: torch.nn.Parameter) -> torch.optim.Optimizer:
    """As a build with the technique makes it."""
    build = Build(network=None, device=CPU, chain=None)  # type: ignore[arg-type]
    registry.read(text).apply(build)
    return build.optimizer(list(parameters))


def reference(w: Values, gradients: list[Values], rates: list[float], eta: float, m: float, beta: float) -> Values:
    """You, Gitman, Ginsburg 2017, Algorithm 1, for one layer; the rates are given."""
    v = np.zeros_like(w)
    for g, rate in zip(gradients, rates, strict=True):
        local = eta * np.sqrt((w**2).sum()) / (np.sqrt((g**2).sum()) + beta * np.sqrt((w**2).sum()))
        v = m * v + rate * local * (g + beta * w)
        w = w - v
    return w


def plain(w: Values, gradients: list[Values], rates: list[float], m: float) -> Values:
    """SGD with momentum, the rate inside of it."""
    v = np.zeros_like(w)
    for g, rate in zip(gradients, rates, strict=True):
        v = m * v + rate * g
        w = w - v
    return w


@pytest.mark.parametrize(
    ("text", "eta", "m", "beta"),
    [
        ("lars", 0.001, 0.9, 0.0005),
        ("lars:trust=0.02,momentum=0.5,decay=0.1", 0.02, 0.5, 0.1),
        ("lars:decay=0,momentum=0", 0.001, 0.0, 0.0),
    ],
)
@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last], ids=str)
def test_that_it_is_the_papers_algorithm_in_fp64(
    text: str, eta: float, m: float, beta: float, layout: torch.memory_format
) -> None:
    torch.manual_seed(0)
    start = {"convolution": torch.randn(6, 4, 3, 3).double(), "bias": torch.randn(6).double()}
    start["convolution"] = start["convolution"].to(memory_format=layout)
    parameters = {name: torch.nn.Parameter(value.clone()) for name, value in start.items()}
    gradients = {name: [torch.randn_like(value) * 10**n for n in range(-2, 3)] for name, value in start.items()}
    rates = [0.5, 2.0, 1.0, 0.1, 3.0]
    made = optimizer(text, *parameters.values())
    for number, rate in enumerate(rates):
        for group in made.param_groups:
            group["lr"] = rate
        for name, parameter in parameters.items():
            parameter.grad = gradients[name][number].clone()
        made.step()
    arrays = {name: [one.numpy() for one in values] for name, values in gradients.items()}
    wanted = {
        "convolution": reference(start["convolution"].numpy(), arrays["convolution"], rates, eta, m, beta),
        "bias": plain(start["bias"].numpy(), arrays["bias"], rates, m),
    }
    for name, parameter in parameters.items():
        found = parameter.detach().numpy()
        assert np.abs(found - wanted[name]).max() <= 1e-13 * np.abs(wanted[name]).max()


def test_that_a_layer_of_zeros_moves_and_one_without_gradient_stays() -> None:
    zeros = torch.nn.Parameter(torch.zeros(4, 4).double())
    still = torch.nn.Parameter(torch.ones(4, 4).double())
    made = optimizer("lars:decay=0", zeros, still)
    zeros.grad, still.grad = torch.ones_like(zeros), torch.zeros_like(still)
    made.step()
    assert torch.equal(zeros, -torch.ones(4, 4).double())
    assert torch.equal(still, torch.ones(4, 4).double())


def test_that_it_learns() -> None:
    found = go(state("lars:trust=0.05"), 12, rate=1.0)
    assert found[-1].loss < 0.5 * found[0].loss


@pytest.mark.parametrize("others", [(), ("ema",)], ids=str)
def test_that_inside_backward_the_same_bits_come_out(others: tuple[str, ...]) -> None:
    after, inside = state("lars", *others), state("lars", "optimizer_in_backward", *others)
    go(after, 3, rate=1.0)
    go(inside, 3, rate=1.0)
    assert equal(after.tensors(), inside.tensors())


def test_that_the_gradients_are_the_plain_ones() -> None:
    one, other = state(dtype=torch.float64), state("lars", dtype=torch.float64)
    images = batch(dtype=torch.float64)
    go(one, 1, images)
    go(other, 1, images, rate=1.0)
    for first, second in zip(one.network.parameters(), other.network.parameters(), strict=True):
        assert first.grad is not None and second.grad is not None
        assert torch.equal(first.grad, second.grad)


@pytest.mark.parametrize(
    "others", [(), ("accumulate",), ("optimizer_in_backward",), ("channels_last",), ("gradient_clipping",)], ids=str
)
def test_that_a_restored_training_goes_on_bit_for_bit(others: tuple[str, ...]) -> None:
    resumes_bit_for_bit("lars", *others, rate=1.0)


def test_that_its_memory_and_its_operations_are_what_was_predicted() -> None:
    technique = registry.read("lars")
    build = begin(whole_network(), CPU)
    technique.apply(build)
    update = Update(build)
    update.begin(0.01)
    parameters = list(build.network.parameters())
    for parameter in parameters:
        parameter.grad = torch.zeros_like(parameter)
    kept = allocator.peak(update.finish, CPU).kept
    taken = allocator.peak(update.finish, CPU).peak
    estimate = technique.predict(MemoryEstimate(shape=Shape(height=64, width=64, encoder="resnet18")), site())
    weights = sum(parameter.nbytes for parameter in parameters)
    assert kept == pytest.approx(estimate.state * weights, rel=0.01)
    assert taken <= estimate.update * weights + 0.001 * weights
    assert operations(update.finish) <= STARTS * len(parameters)


@pytest.mark.parametrize("other", ["optimizer_8bit", "optimizer_4bit", "optimizer_offload", "lamb"])
def test_that_it_goes_with_no_other_optimizer(other: str) -> None:
    with pytest.raises(UsageError) as reported:
        compose.read(["lars", other])
    assert "Choose one." in reported.value.detail


def test_that_it_is_said_to_change_the_model_and_which_rate_it_wants() -> None:
    assert compose.effect(compose.read(["lars"]), site()) == Effect.MODEL
    assert "learning rate" in " ".join(compose.predict(compose.read(["lars"]), site()).notes)
