"""Compiled parts: the same gradients, fewer maps kept under a budget, and nothing compiled that is run by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from fullfield.hardware import compiler
from fullfield.kernels.compiled import compiled
from fullfield.memory.account import MemoryEstimate, PartPlan, Shape
from fullfield.model import network as networks
from fullfield.model.card import NetworkSpec
from fullfield.techniques import registry
from fullfield.techniques.build import Build
from fullfield.techniques.costing import Costing
from techniques.exactness import agree, built, found, gradients, reference
from techniques.stepping import site

ALIKE = ("layer3", "layer4", "d1", "d2", "d3")
"""Parts that are built as others are, and are left uncompiled: each takes seconds."""


def squared(prediction: Tensor, wanted: Tensor) -> Tensor:
    return (prediction - wanted).square().mean()


def kept(run: object, x: Tensor) -> int:
    """Elements that are kept for backward."""
    sizes: dict[int, int] = {}

    def note(tensor: Tensor) -> Tensor:
        sizes[tensor.data_ptr()] = tensor.numel()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        run(x)  # type: ignore[operator]
    return sum(sizes.values())


@pytest.mark.slow
def test_that_gradients_and_statistics_are_those_of_the_plain_network() -> None:
    network, x, y = reference(height=64, width=64)
    wanted, build = gradients(built(network), x, y, squared), built(network)
    build.replace_parts(ALIKE, lambda part: replace(part, method="by hand"))
    registry.read("compile:backend=aot_eager").apply(build)
    assert sum(part.method != "by hand" for part in build.chain.parts) == 6
    agree(gradients(build, x, y, squared), wanted)


def test_that_under_a_budget_fewer_maps_are_kept_and_gradients_stay_equal() -> None:
    network, _, _ = reference(height=32, width=32, by=1)
    layer = network.stages["d4"].train()
    x = torch.rand(1, 128, 32, 32, dtype=torch.float64, requires_grad=True)
    convolutions = torch.nn.Sequential(layer.conv1, layer.conv2)
    tight = compiled(convolutions, backend="aot_eager", budget=0.0)
    free = compiled(convolutions, backend="aot_eager", budget=1.0)
    assert kept(tight, x) < kept(free, x)
    outcomes = []
    for run in (convolutions, tight):
        convolutions.zero_grad(set_to_none=True)
        before = {name: value.clone() for name, value in convolutions.state_dict().items()}
        value = run(x).square().mean()
        value.backward()
        outcomes.append(found(convolutions, value))
        convolutions.load_state_dict(before)
    agree(*outcomes)


@pytest.mark.slow
@pytest.mark.skipif(bool(compiler.missing()), reason="no compiler here")
def test_that_a_stage_compiled_to_machine_code_has_the_same_gradients() -> None:
    torch.manual_seed(0)
    stage = torch.nn.Sequential(torch.nn.Conv2d(4, 8, 3, bias=False), torch.nn.BatchNorm2d(8), torch.nn.ReLU()).double()
    x = torch.rand(1, 4, 16, 16, dtype=torch.float64, requires_grad=True)
    outcomes = []
    for run in (stage, compiled(stage, backend="inductor", budget=1.0)):
        stage.zero_grad(set_to_none=True)
        before = {name: value.clone() for name, value in stage.state_dict().items()}
        value = run(x).square().sum()
        value.backward()
        outcomes.append(found(stage, value))
        stage.load_state_dict(before)
    agree(*reversed(outcomes))


@pytest.mark.slow
@pytest.mark.skipif(bool(compiler.missing()), reason="no compiler here")
@pytest.mark.parametrize("name", ["layer1", "d5"])
def test_that_what_is_reckoned_to_be_kept_is_what_the_compiler_keeps(name: str) -> None:
    costing = Costing("resnet18", "none")
    here = site(costs=costing.costs, shape=Shape(height=192, width=192))
    costing.account([registry.read("compile")], here)
    reckoned = next(cost for key, cost in costing.costs.known.items() if f"|{name}|compiled" in key)
    network = networks.build(NetworkSpec(encoder="resnet18")).train()
    build = built(network)
    registry.read("compile").apply(build)
    part = build.chain.part(name)
    shape = here.shape
    taken = {"layer1": (64, 2), "d5": (32, 2)}[name]
    x = torch.rand(1, taken[0], shape.height // taken[1], shape.width // taken[1], requires_grad=True)
    made = part.run(x)
    weights = {value.untyped_storage()._cdata for value in build.network.state_dict().values()}
    beside = weights | {x.untyped_storage()._cdata, made.untyped_storage()._cdata}
    real = sum(count for key, count in saved(made).items() if key not in beside)
    assert reckoned.saved.bytes == pytest.approx(real, rel=0.01)


def saved(made: torch.Tensor) -> dict[int, int]:
    """The bytes of what the graph that made it keeps, by storage."""
    waiting, found = [made.grad_fn], {}
    while waiting:
        node = waiting.pop()
        if node is not None:
            for tensor in getattr(node, "saved_tensors", ()):
                found[tensor.untyped_storage()._cdata] = tensor.untyped_storage().nbytes()
            waiting += [following for following, _ in node.next_functions]
    return found


def test_that_only_parts_that_run_as_they_are_get_compiled_and_that_is_predicted() -> None:
    network, _, _ = reference(by=1)
    technique = registry.read("compile:backend=aot_eager")
    build = built(network)
    build.replace_parts(["d5"], lambda part: replace(part, method="by hand"))
    technique.apply(build)
    before = MemoryEstimate(shape=Shape(height=64, width=64, encoder="resnet18")).run("by hand", "d5")
    assert list(technique.predict(before, site()).parts) == plans(build)
    assert build.chain.part("d5").method == "by hand"


def test_that_where_nothing_is_left_to_compile_that_is_said() -> None:
    network, _, _ = reference(by=1)
    technique = registry.read("compile")
    build = built(network)
    build.replace_parts([part.name for part in build.chain.parts], lambda part: replace(part, method="by hand"))
    technique.apply(build)
    assert build.notices
    estimate = MemoryEstimate(shape=Shape(height=64, width=64, encoder="resnet18")).run("by hand")
    assert list(technique.predict(estimate, site()).parts) == plans(build)


def test_that_without_a_compiler_it_is_refused_by_what_is_missing() -> None:
    missing = site(compiler="torch.compile needs a C++ compiler, and g++ is not installed.")
    reason = registry.read("compile").refuse(missing)
    assert reason is not None and "g++" in reason.text
    assert registry.read("compile").refuse(site()) is None


def test_that_a_compiler_is_looked_for_where_torch_would_call_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert "no-such-compiler is not installed" in compiler.missing()


def plans(build: Build) -> list[PartPlan]:
    return [
        PartPlan(name=part.name, takes=part.takes, stages=part.stages, method=part.method) for part in build.chain.parts
    ]
