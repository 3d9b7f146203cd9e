"""Activations in the host's memory: the same bits, elsewhere."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fullfield.host_tier.host import ledger
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques.offload_activations import OffloadActivations, Options
from techniques import exactness
from techniques.stepping import site


def squared(prediction: Tensor, reference: Tensor) -> Tensor:
    return (prediction - reference).square().mean()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("batch", [1, 2])
def test_that_a_step_is_bit_identical(dtype: torch.dtype, batch: int) -> None:
    network, x, y = exactness.reference("resnet18", batch, 64, 96, by=1)
    network, x, y = network.to(dtype), x.to(dtype), y.to(dtype)
    plain = exactness.gradients(exactness.built(network), x, y, squared)
    ledger.reset()
    live = ledger.live
    found = exactness.gradients(exactness.built(network, OffloadActivations(Options(smallest=0))), x, y, squared)
    assert torch.equal(found.value, plain.value)
    assert exactness.worst(found, plain) == 0
    assert all(map(torch.equal, found.statistics.values(), plain.statistics.values()))
    assert ledger.live == live
    # 1,470 bytes per pixel are saved in fp32 with what the loss keeps, some storages by several operations.
    assert ledger.peak - live > 800 * batch * 64 * 96 * dtype.itemsize / 4


def test_that_a_step_with_frozen_statistics_is_bit_identical() -> None:
    network, x, y = exactness.reference("resnet18", 1, 64, 96, by=1)
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.eval()  # then it saves tensors of no bytes
    plain = exactness.gradients(exactness.built(network), x, y, squared)
    found = exactness.gradients(exactness.built(network, OffloadActivations(Options(smallest=0))), x, y, squared)
    assert torch.equal(found.value, plain.value)
    assert exactness.worst(found, plain) == 0


def test_that_a_whole_step_with_its_loss_is_bit_identical() -> None:
    network, x, y = exactness.reference("resnet18", 1, 192, 192, by=1)
    network, x, y = network.float(), x.float(), y.float()
    plain = exactness.gradients(exactness.built(network), x, y)
    found = exactness.gradients(exactness.built(network, OffloadActivations()), x, y)
    assert torch.equal(found.value, plain.value)
    assert exactness.worst(found, plain) == 0


def test_that_the_prediction_tells_the_codec() -> None:
    before = MemoryEstimate(shape=Shape(height=512, width=512))
    codecs = [
        OffloadActivations(options).predict(before, site()).codec
        for options in (Options(), Options(smallest=4.0, ahead=0))
    ]
    assert codecs == ["offload", "offload:4+0"]


def test_that_the_time_is_a_measured_one_on_a_cpu_where_it_saves_nothing_and_that_is_said() -> None:
    before = MemoryEstimate(shape=Shape(height=512, width=512))
    here, there = (OffloadActivations().predict(before, site(kind)) for kind in ("cpu", "cuda"))
    assert here.time > 1.1 and "saves nothing" in here.notes[0]
    assert not there.notes
