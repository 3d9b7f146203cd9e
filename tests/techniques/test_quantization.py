"""Quantization-aware training: every convolution rounded, the network's own tensors trained, an int8 model of it.

What imports torchao is imported where it is tried: every collection would pay for it.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from fullfield.memory import trace
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.model.stages import STRIDES
from fullfield.techniques.build import Build
from fullfield.techniques.quantization import Quantization
from techniques import exactness

pytestmark = pytest.mark.slow  # eleven exports


def squared(prediction: Tensor, reference: Tensor) -> Tensor:
    return (prediction - reference).square().mean()


@pytest.fixture(scope="module")
def prepared() -> Build:
    """Exporting takes a while: once for all tests."""
    network, _, _ = exactness.reference("resnet18", 1, 32, 32, by=1)
    return exactness.built(network.float(), Quantization())


def test_that_every_convolution_sees_rounded_input_and_weights(prepared: Build) -> None:
    from fullfield.quantize.quantized import Quantized, convolutions, fake_quantized

    graphs = [part.run.prepared for part in prepared.chain.parts if isinstance(part.run, Quantized)]
    counted = [(fake_quantized(graph), convolutions(graph)) for graph in graphs]
    assert all(rounded == there for rounded, there in counted)
    assert sum(rounded for rounded, _ in counted) == 31  # 20 in the encoder, 10 in the decoder, the head
    modules = prepared.network.modules()
    assert sum(isinstance(module, torch.nn.Conv2d) for module in modules) == 31


def test_that_a_step_of_any_size_trains_the_networks_own_parameters(prepared: Build) -> None:
    network = prepared.network
    before = {name: buffer.clone() for name, buffer in network.named_buffers() if name.endswith("num_batches_tracked")}
    x = torch.rand(1, 1, 64, 96)
    found = exactness.gradients(prepared, x, 0.5 * x, squared)
    assert found.gradients.keys() == dict(network.named_parameters()).keys()
    assert all(found.statistics[name] == count + 1 for name, count in before.items())


def test_that_it_stays_near_the_plain_network_and_frozen_statistics_stay_frozen(prepared: Build) -> None:
    network, x = prepared.network, torch.rand(2, 1, 64, 64)
    with torch.no_grad():
        for _ in range(3):
            prepared.chain(x)
        network.eval()
        before = {name: buffer.clone() for name, buffer in network.named_buffers()}
        made, plain = prepared.chain(x), network(x)
        assert all(torch.equal(buffer, before[name]) for name, buffer in network.named_buffers())
        network.train()
    assert 0 < (made - plain).norm() < 0.2 * plain.norm()


def test_that_a_further_stage_costs_its_own_export_in_training_and_evaluation_and_none_of_patterns(
    prepared: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fullfield.quantize.quantized import Quantized, freeze

    exported: list[object] = []
    export = torch.export.export

    def counted(module: torch.nn.Module, *given: Any, **named: Any) -> Any:
        exported.append(module)
        return export(module, *given, **named)

    monkeypatch.setattr(torch.export, "export", counted)
    network, stage = prepared.network, prepared.network.stages["d4"]
    made = Quantized(stage, [(network.channels(name), STRIDES[name]) for name in ("d3", "stem")])
    for frozen in (True, False):
        freeze(made.prepared, frozen)
    assert exported == [stage]


def test_that_the_prediction_describes_the_parts_that_apply_makes(prepared: Build) -> None:
    site: object = None  # not looked at
    predicted = Quantization().predict(MemoryEstimate(shape=Shape(height=64, width=64)), site).parts  # type: ignore[arg-type]
    reported = [(part.name, part.takes, part.stages, part.method) for part in predicted]
    assert reported == [(part.name, part.takes, part.stages, part.method) for part in prepared.chain.parts]


def test_that_its_time_is_a_measured_one() -> None:
    before = MemoryEstimate(shape=Shape(height=64, width=64), time=2.0)
    site: object = None  # not looked at
    assert Quantization().predict(before, site).time == pytest.approx(3.0)  # type: ignore[arg-type]


def test_that_a_trace_can_follow_it() -> None:
    from fullfield.quantize.quantized import Quantized

    mode, network = trace.network_without_values("resnet18", on_meta=False)
    with mode:
        run = Quantized(network.stages["d4"], [(network.channels(name), STRIDES[name]) for name in ("d3", "stem")])
        made = run(torch.empty(1, 64, 512, 512), torch.empty(1, 64, 1024, 1024))
        made.sum().backward()
    assert made.shape == (1, 32, 1024, 1024)
    assert all(parameter.grad is not None for parameter in network.stages["d4"].parameters())
