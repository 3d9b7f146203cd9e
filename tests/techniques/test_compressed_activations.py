"""Compressed activations: close to the plain step, unbiased, repeatable, and small."""

from __future__ import annotations

from dataclasses import asdict

import pytest
import torch
from torch import Tensor

from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques.compressed_activations import CompressedActivations, Options
from techniques import exactness
from techniques.stepping import site


def small() -> tuple[torch.nn.Module, Tensor, Tensor]:
    network, x, y = exactness.reference("resnet18", 1, 64, 64)
    return network, x, y


def squared(prediction: Tensor, reference: Tensor) -> Tensor:
    return (prediction - reference).square().mean()


@pytest.mark.parametrize(("bits", "allowed"), [(8, 0.1), (4, 1.5)])
def test_that_gradients_are_near_the_plain_ones_and_the_forward_is_the_same(bits: int, allowed: float) -> None:
    network, x, y = small()
    plain = exactness.gradients(exactness.built(network), x, y, squared)
    torch.manual_seed(1)
    found = exactness.gradients(exactness.built(network, CompressedActivations(Options(bits=bits))), x, y, squared)
    assert torch.equal(found.value, plain.value)
    assert all(map(torch.equal, found.statistics.values(), plain.statistics.values()))
    assert 1e-5 < exactness.worst(found, plain) < allowed


def test_that_the_prediction_tells_the_codec() -> None:
    before = MemoryEstimate(shape=Shape(height=512, width=512))
    texts = []
    for options in (Options(), Options(bits=4), Options(block=64)):
        after = CompressedActivations(options).predict(before, site())
        texts.append(after.codec)
        assert asdict(after) | {"codec": "", "time": 1.0} == asdict(before)
    assert texts == ["8", "4", "8x64"]


def test_that_the_time_is_a_measured_one_on_a_cpu_and_that_one_card_alone_was_measured_is_said() -> None:
    before = MemoryEstimate(shape=Shape(height=512, width=512))
    here, there = (CompressedActivations().predict(before, site(kind)) for kind in ("cpu", "cuda"))
    assert here.time > 2 and not here.notes
    assert "was measured on one alone" in there.notes[0]
