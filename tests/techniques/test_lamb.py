"""LAMB: the paper's Algorithm 2 in numpy beside it, and what it remembers."""

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
from fullfield.techniques.lamb import STARTS
from fullfield.train.update import Update
from techniques.stepping import (
    LARGEST,
    WEIGHTS,
    batch,
    equal,
    go,
    operations,
    resumes_bit_for_bit,
    site,
    state,
    whole_network,
)

CPU = torch.device("cpu")
Values = npt.NDArray[np.float64]


def optimizer(text: str, *parameters: torch.nn.Parameter) -> torch.optim.Optimizer:
    """As a build with the technique makes it."""
    build = Build(network=None, device=CPU, chain=None)  # type: ignore[arg-type]
    registry.read(text).apply(build)
    return build.optimizer(list(parameters))


def reference(w: Values, gradients: list[Values], rates: list[float], decay: float, *, layer: bool) -> Values:
    """You et al. 2020, Algorithm 2, for one layer; without its trust ratio and weight decay: Adam."""
    m, v = np.zeros_like(w), np.zeros_like(w)
    for t, (g, rate) in enumerate(zip(gradients, rates, strict=True), 1):
        m = 0.9 * m + (1 - 0.9) * g
        v = 0.999 * v + (1 - 0.999) * g**2
        r = (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-6)
        if layer:
            step = r + decay * w
            w = w - rate * np.sqrt((w**2).sum()) / np.sqrt((step**2).sum()) * step
        else:
            w = w - rate * r
    return w


@pytest.mark.parametrize(("text", "decay"), [("lamb", 0.01), ("lamb:decay=1.5", 1.5), ("lamb:decay=0", 0.0)])
@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last], ids=str)
def test_that_it_is_the_papers_algorithm_in_fp64(text: str, decay: float, layout: torch.memory_format) -> None:
    torch.manual_seed(0)
    start = {"convolution": torch.randn(6, 4, 3, 3).double(), "bias": torch.randn(6).double()}
    start["convolution"] = start["convolution"].to(memory_format=layout)
    parameters = {name: torch.nn.Parameter(value.clone()) for name, value in start.items()}
    gradients = {name: [torch.randn_like(value) * 10**n for n in range(-2, 3)] for name, value in start.items()}
    rates = [0.001, 0.01, 0.01, 0.02, 0.005]
    made = optimizer(text, *parameters.values())
    for number, rate in enumerate(rates):
        for group in made.param_groups:
            group["lr"] = rate
        for name, parameter in parameters.items():
            parameter.grad = gradients[name][number].clone()
        made.step()
    for name, parameter in parameters.items():
        arrays = [one.numpy() for one in gradients[name]]
        wanted = reference(start[name].numpy(), arrays, rates, decay, layer=name == "convolution")
        assert np.abs(parameter.detach().numpy() - wanted).max() <= 1e-12 * np.abs(wanted).max()


def test_that_a_layer_of_zeros_moves_and_one_without_gradient_stays() -> None:
    zeros = torch.nn.Parameter(torch.zeros(4, 4).double())
    still = torch.nn.Parameter(torch.ones(4, 4).double())
    made = optimizer("lamb:decay=0", zeros, still)
    zeros.grad, still.grad = torch.ones_like(zeros), torch.zeros_like(still)
    made.step()
    assert torch.allclose(zeros, torch.full_like(zeros, -0.001), rtol=1e-5)
    assert torch.equal(still, torch.ones(4, 4).double())


def test_that_it_learns() -> None:
    found = go(state("lamb"), 25, rate=0.05)
    assert found[-1].loss < 0.5 * found[0].loss


@pytest.mark.parametrize("others", [(), ("ema",)], ids=str)
def test_that_inside_backward_the_same_bits_come_out(others: tuple[str, ...]) -> None:
    after, inside = state("lamb", *others), state("lamb", "optimizer_in_backward", *others)
    go(after, 3)
    go(inside, 3)
    assert equal(after.tensors(), inside.tensors())


def test_that_the_gradients_are_the_plain_ones() -> None:
    one, other = state(dtype=torch.float64), state("lamb", dtype=torch.float64)
    images = batch(dtype=torch.float64)
    go(one, 1, images)
    go(other, 1, images)
    for first, second in zip(one.network.parameters(), other.network.parameters(), strict=True):
        assert first.grad is not None and second.grad is not None
        assert torch.equal(first.grad, second.grad)


@pytest.mark.parametrize("others", [(), ("accumulate",), ("optimizer_in_backward",), ("channels_last",)], ids=str)
def test_that_a_restored_training_goes_on_bit_for_bit(others: tuple[str, ...]) -> None:
    resumes_bit_for_bit("lamb", *others)


def test_that_its_memory_and_its_operations_are_what_was_predicted() -> None:
    technique = registry.read("lamb")
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
    assert taken == pytest.approx(LARGEST, rel=0.01) == pytest.approx(estimate.update * WEIGHTS, rel=0.01)
    assert operations(update.finish) <= STARTS * len(parameters)


@pytest.mark.parametrize("other", ["optimizer_8bit", "optimizer_4bit", "optimizer_offload", "lars"])
def test_that_it_goes_with_no_other_optimizer(other: str) -> None:
    with pytest.raises(UsageError) as reported:
        compose.read(["lamb", other])
    assert "Choose one." in reported.value.detail


def test_that_it_is_said_to_change_the_model() -> None:
    assert compose.effect(compose.read(["lamb"]), site()) == Effect.MODEL
