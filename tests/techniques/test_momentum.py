"""MomentumNet in a whole training step: its function in training, in evaluation and in the model file."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from fullfield.memory import trace
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.model import weights
from fullfield.model.card import Card
from fullfield.techniques import build as builds
from fullfield.techniques.momentum import Momentum, Options
from techniques import exactness


def squared(prediction: Tensor, reference: Tensor) -> Tensor:
    return (prediction - reference).square().mean()


def test_that_training_and_evaluation_compute_one_function_which_is_not_the_plain_one() -> None:
    network, x, _ = exactness.reference("resnet18", 1, 64, 64, by=1)
    network = network.float().eval()
    build = exactness.built(network, Momentum())
    with torch.no_grad():
        trained, evaluated = build.chain(x.float()), build.network(x.float())
        assert torch.allclose(trained, evaluated, atol=1e-5)
        assert not torch.allclose(network(x.float()), evaluated, atol=1e-4)
    assert build.network.state_dict().keys() == network.state_dict().keys()


def test_that_gradients_and_statistics_are_those_of_the_networks_own_function() -> None:
    network, x, y = exactness.reference("resnet18", 1, 64, 96, by=1)
    build = exactness.built(network, Momentum())
    found = exactness.gradients(build, x, y, squared)
    build = exactness.built(network, Momentum())
    value = squared(build.network(x), y)
    value.backward()
    exactness.agree(found, exactness.found(build.network, value), gradient=1e-4, statistic=1e-6)


def test_that_a_model_file_is_loaded_with_the_function_it_was_trained_with(tmp_path: Path) -> None:
    network, x, _ = exactness.reference("resnet18", 1, 64, 64, by=1)
    build = exactness.built(network.float(), Momentum(Options(gamma=0.8)))
    weights.save(tmp_path / "m.safetensors", build.network, Card(name="m", network=build.network.spec))
    loaded = weights.load(tmp_path / "m.safetensors")
    assert abs(loaded.card.network.momentum - 0.8) < 2**-16
    with torch.no_grad():
        assert torch.equal(loaded.network(x.float()), build.network.eval()(x.float()))


def test_that_the_prediction_describes_the_parts_that_apply_makes() -> None:
    network, _, _ = exactness.reference("resnet18", 1, 64, 64, by=1)
    build = exactness.built(network, Momentum())
    site: object = None  # not looked at
    before = MemoryEstimate(shape=Shape(height=64, width=64))
    predicted = Momentum().predict(before, site).parts  # type: ignore[arg-type]
    reported = [(part.name, part.takes, part.stages, part.method) for part in predicted]
    assert reported == [(part.name, part.takes, part.stages, part.method) for part in build.chain.parts]


def test_that_a_trace_can_follow_it() -> None:
    mode, network = trace.network_without_values("resnet18")
    with mode:
        build = builds.begin(network, torch.device("cpu"))
        Momentum().apply(build)
        build.chain(torch.empty(1, 1, 512, 512)).sum().backward()
    assert all(parameter.grad is not None for parameter in network.parameters())
