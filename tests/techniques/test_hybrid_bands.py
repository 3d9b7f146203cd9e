"""Working in bands where the maps are large: exact in every form, in fp64; in bf16 as near as plain bf16 is."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor

from fullfield.memory.account import MemoryEstimate, PartPlan, Shape
from fullfield.techniques import registry
from fullfield.techniques.build import Build
from techniques.exactness import Found, agree, built, gradients, reference
from techniques.stepping import site

FORMS = (
    "hybrid_bands:rows=32,block_rows=12",
    "hybrid_bands:rows=24,block_rows=7,nested=",
    "hybrid_bands:rows=32,nested=layer1+layer2+layer3+layer4,fused=true",
    "hybrid_bands:rows=16,block_rows=4,nested=stem+d1",
    "hybrid_bands:rows=16,block_rows=5,nested=stem+layer1+layer2+layer3+layer4+d1+d2,fused=true",
)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def squared(prediction: Tensor, wanted: Tensor) -> Tensor:
    return (prediction - wanted).square().mean()


def test_that_a_step_of_resnet34_is_that_of_the_plain_network() -> None:
    network, x, y = reference("resnet34", height=192, width=224)
    got = gradients(built(network, registry.read("hybrid_bands:rows=64,block_rows=32")), x, y)
    agree(got, gradients(built(network), x, y))


@pytest.mark.parametrize("form", FORMS)
def test_that_every_form_is_exact_for_two_images_in_one_step(form: str) -> None:
    network, x, y = reference(batch=2, height=64, width=96)
    wanted = gradients(built(network), x, y, squared)
    agree(gradients(built(network, registry.read(form)), x, y, squared), wanted)


def test_that_a_stem_whose_map_is_needed_is_not_nested_nor_proposed_so() -> None:
    nested = registry.read("hybrid_bands:nested=stem")
    for encoder, possible in (("mobilenet_v2", False), ("resnet18", True)):
        there = site(shape=Shape(height=192, width=192, encoder=encoder))
        assert (nested.refuse(there) is None) is possible
        assert any("stem" in str(one.technique) for one in type(nested).candidates(there)) is possible


def test_that_running_statistics_are_constants() -> None:
    network, x, y = reference(height=64, width=64)
    network.eval()
    wanted = gradients(built(network), x, y, squared)
    agree(gradients(built(network, registry.read(FORMS[0])), x, y, squared), wanted)


@pytest.mark.parametrize("name", [FORMS[0], "recompute"])
def test_that_bf16_is_as_near_to_the_truth_as_plain_bf16(name: str) -> None:
    network, x, y = reference(height=96, width=64)
    truth = gradients(built(network), x, y, squared)
    network, x, y = copy.deepcopy(network).float(), x.float(), y.float()

    def in_bf16(build: Build) -> Found:
        build.around.append(lambda: torch.autocast("cpu", torch.bfloat16))
        return gradients(build, x, y, squared)

    plain, got = in_bf16(built(network)), in_bf16(built(network, registry.read(name)))
    assert all(gradient.dtype == torch.float32 for gradient in got.gradients.values())
    assert _apart(got, truth) <= 1.25 * _apart(plain, truth)


@pytest.mark.parametrize("form", FORMS)
def test_that_the_prediction_is_of_the_parts_that_are_made(form: str) -> None:
    technique = registry.read(form)
    network, _, _ = reference()
    before = MemoryEstimate(shape=Shape(height=64, width=64, encoder="resnet18"))
    made = [
        PartPlan(name=part.name, takes=part.takes, stages=part.stages, method=part.method)
        for part in built(network, technique).chain.parts
    ]
    after = technique.predict(before, None)  # type: ignore[arg-type]
    assert list(after.parts) == made


def _apart(one: Found, truth: Found) -> float:
    """‖a−b‖₂/‖b‖₂ over all parameters together."""
    difference = sum(float((one.gradients[name] - wanted).square().sum()) for name, wanted in truth.gradients.items())
    return (difference / sum(float(wanted.square().sum()) for wanted in truth.gradients.values())) ** 0.5
