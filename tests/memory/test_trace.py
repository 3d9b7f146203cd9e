"""A trace computes nothing, and nothing twice."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace

import pytest
from torch._subclasses import fake_tensor

from fullfield.memory import trace
from fullfield.memory.account import LOSS, MemoryEstimate, Shape
from fullfield.memory.costs import Key
from fullfield.techniques import compose
from fullfield.techniques.base import Technique
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Card, Site

SHAPE = Shape(height=192, width=192, encoder="resnet18")


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The parts that a trace ran, by name and method."""
    parts: list[str] = []
    telling = trace._Telling

    def counted(part: trace.Part, *others: object) -> trace._Telling:
        parts.append(f"{part.name}|{part.method}")
        return telling(part, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(trace, "_Telling", counted)
    yield parts


def account(costing: Costing, *texts: str) -> MemoryEstimate:
    card = Card(kind="cpu", title="a device", total_bytes=1 << 33, free_bytes=1 << 33)
    site = Site(devices=(card,), shape=SHAPE, costs=costing.costs)
    return costing.account(compose.read(texts), site)[0]


@pytest.mark.parametrize("technique", ["recompute", "checkpointing:by=block", "hybrid_bands", "full_bands"])
def test_that_no_kernel_runs_in_a_trace(technique: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def computed(mode: object, func: object, *others: object) -> None:
        raise AssertionError(f"{func} would have been computed on zeros, at full size")

    monkeypatch.setattr(fake_tensor, "run_fallback_kernel", computed)
    account(Costing("resnet18", "none"), technique, "banded_loss")


def test_that_a_part_is_traced_once_whatever_it_is_asked_with(reported: list[str]) -> None:
    costing = Costing("resnet18", "none")
    account(costing)
    plain = list(reported)
    account(costing, "hybrid_bands:nested=layer1")
    account(costing, "hybrid_bands:nested=layer1+layer2")
    account(costing, "optimizer_in_backward")
    assert len(plain) == 12
    assert len(reported) == len(set(reported))


def test_that_costs_read_from_a_file_stand_for_their_parts_in_further_traces(
    reported: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    first = Costing("resnet18", "none", folder=folder)
    account(first)
    first.keep()
    reported.clear()
    second = Costing("resnet18", "none", folder=folder)
    account(second, "checkpointing:by=block")
    assert reported and all("checkpoint" in part for part in reported)
    fresh = Costing("resnet18", "none")
    account(fresh, "checkpointing:by=block")
    assert {name: fresh.costs.known[name] for name in second.costs.known if name in fresh.costs.known} == {
        name: cost for name, cost in second.costs.known.items() if name in fresh.costs.known
    }


def test_that_what_is_told_does_not_depend_on_when_garbage_is_collected() -> None:
    found = []
    before = gc.get_threshold()
    for threshold in (before[0], 5, 50):  # and each trace finds addresses that the one before it has left
        costing = Costing("resnet18", "none")
        gc.set_threshold(threshold, *before[1:])
        try:
            account(costing, "checkpointing:by=block")
        finally:
            gc.set_threshold(*before)
        found.append(costing.costs.known)
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("technique", ["checkpointing", "recompute", "hybrid_bands", "full_bands"])
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_that_the_meta_device_tells_to_the_byte_what_fake_tensors_tell(
    technique: str, precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for on_meta in (True, False):
        monkeypatch.setattr(Technique, "meta_traceable", on_meta)
        costing = Costing("resnet18", "none")
        account(costing, technique, f"precision:format={precision}", "banded_loss")
        assert costing.costs.known
        # Work is of a card, and fake tensors are of a CPU: its BatchNorm makes maps unasked, its casts are others.
        found.append({name: replace(cost, moved=0, starts=0) for name, cost in costing.costs.known.items()})
    assert found[0] == found[1]


def test_that_the_map_of_a_part_is_told_by_its_bytes_and_a_loss_makes_none() -> None:
    costing = Costing("resnet18", "none")
    estimate = account(costing)
    keys = {part.name: Key(part=part.name, method=part.method, variant=estimate.variant) for part in estimate.parts}
    half, first = costing.costs.of(keys["stem"]), costing.costs.of(keys["layer1"])
    assert half.map_bytes == 64 * 96 * 96 * 4
    assert first.map_bytes == 64 * 48 * 48 * 4
    loss = costing.costs.of(Key(part=LOSS, method=estimate.loss, variant=estimate.variant))
    assert loss.map_bytes == 0
