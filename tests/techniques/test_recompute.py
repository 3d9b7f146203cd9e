"""Recomputing what is cheap: exact, no convolution runs twice, and the promise of the prediction is kept."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from fullfield.memory.account import MemoryEstimate, PartPlan, Shape
from fullfield.techniques import registry
from fullfield.techniques.build import Build
from techniques.exactness import agree, built, gradients, reference


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def squared(prediction: Tensor, wanted: Tensor) -> Tensor:
    return (prediction - wanted).square().mean()


def plans(build: Build) -> list[PartPlan]:
    return [
        PartPlan(name=part.name, takes=part.takes, stages=part.stages, method=part.method) for part in build.chain.parts
    ]


def test_that_a_step_of_resnet34_is_that_of_the_plain_network() -> None:
    network, x, y = reference("resnet34", height=192, width=224)
    agree(gradients(built(network, registry.read("recompute")), x, y), gradients(built(network), x, y))


@pytest.mark.parametrize("training", [True, False], ids=["batch statistics", "running statistics"])
def test_that_two_images_in_one_step_are_exact_too(training: bool) -> None:
    network, x, y = reference(batch=2, height=64, width=96)
    network.train(training)
    wanted = gradients(built(network), x, y, squared)
    agree(gradients(built(network, registry.read("recompute")), x, y, squared), wanted)


def test_that_no_convolution_runs_twice() -> None:
    network, x, y = reference(height=64, width=64)
    counts = []
    for build in (built(network), built(network, registry.read("recompute"))):
        with FlopCounterMode(display=False) as counter:
            gradients(build, x, y, squared)
        counts.append(counter.get_total_flops())
    assert counts[0] == counts[1]


def test_that_the_prediction_is_of_the_parts_that_are_made() -> None:
    technique = registry.read("recompute")
    network, _, _ = reference()
    before = MemoryEstimate(shape=Shape(height=64, width=64, encoder="resnet18"))
    after = technique.predict(before, None)  # type: ignore[arg-type]
    assert list(after.parts) == plans(built(network, technique))
