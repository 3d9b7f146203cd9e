"""What the allocator's records say on a step's phases."""

from __future__ import annotations

import gc

import pytest
import torch
from torch.nn import functional

from fullfield.memory import allocator
from fullfield.memory.allocator import StepRecords

CPU = torch.device("cpu")
MIB = 2**20


def taken(mib: float) -> torch.Tensor:
    return torch.empty(round(mib * MIB), dtype=torch.uint8)


def test_that_phases_are_told_apart_over_what_there_was_before() -> None:
    with StepRecords(CPU) as records:
        early = taken(5)
        with records.phase("forward"):
            kept = taken(10)
            del early
            passing = taken(3)
            del passing
        with records.phase("backward"):
            more = taken(4)
            del kept, more
    found = records.peaks()
    assert found is not None and found.base is None
    assert {name: count // MIB for name, count in found.most.items()} == {"forward": 10, "backward": 9}
    assert found.phase == "forward"


def test_that_the_operation_at_the_peak_is_named_and_not_its_allocation() -> None:
    image, weight = torch.ones(1, 64, 128, 128), torch.ones(64, 64, 3, 3, requires_grad=True)
    with StepRecords(CPU) as records:
        with records.phase("forward"):
            output = functional.conv2d(image, weight, padding=1)
        with records.phase("backward"):
            output.backward(torch.ones_like(output))
    found = records.peaks()
    assert found is not None
    assert (found.phase, found.operation) == ("backward", "aten::convolution_backward")


def test_that_the_phases_of_a_step_have_the_peak_of_the_whole() -> None:
    image, weight = torch.ones(1, 8, 64, 64), torch.ones(8, 8, 3, 3, requires_grad=True)

    def step(records: StepRecords) -> None:
        with records.phase("forward"):
            output = functional.conv2d(functional.conv2d(image, weight).relu(), weight).relu().sum()
        with records.phase("backward"):
            output.backward()

    step(StepRecords(CPU))  # not opened: phases are nothing then
    weight.grad = None
    whole = allocator.peak(lambda: step(StepRecords(CPU)), CPU).peak
    weight.grad = None
    gc.collect()
    with StepRecords(CPU) as records:
        step(records)
    found = records.peaks()
    assert found is not None and max(found.most.values()) == whole


def test_that_records_of_a_step_in_micro_batches_end_with_the_second() -> None:
    with StepRecords(CPU) as records:
        for number in range(4):
            with records.phase("forward"):
                taken(number)
    found = records.peaks()
    assert found is not None and found.most == {"forward": MIB}
    assert not torch.autograd.profiler._is_profiler_enabled


def test_that_the_error_of_a_step_stays_its_own_and_its_maps_are_let_go_of() -> None:
    freed: list[str] = []

    class Map:
        def __del__(self) -> None:
            freed.append("map")

    def step() -> None:
        held = Map()
        raise MemoryError(str(type(held)))

    with pytest.raises(MemoryError, match="Map"), StepRecords(CPU) as records, records.phase("forward"):
        step()
    assert freed == ["map"]
    assert not torch.autograd.profiler._is_profiler_enabled


def test_that_on_a_card_the_counters_tell_each_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    card = {"now": 1000, "most": 5000}

    def take(count: int) -> None:
        card["now"] += count
        card["most"] = max(card.values())

    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda device: card["now"])
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda device: card["most"])
    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", lambda device: card.update(most=card["now"]))
    with StepRecords(torch.device("cuda:0")) as records:
        take(-200)  # gradients of the step before
        with records.phase("forward"):
            take(500)
        with records.phase("backward"):
            take(100)
            take(-400)
    found = records.peaks()
    assert found is not None
    assert (found.base, found.most, found.phase) == (800, {"forward": 500, "backward": 600}, "backward")
    assert found.operation == "", "the profiler of a machine without a card records nothing of it"


def test_that_a_step_without_phases_tells_nothing() -> None:
    with StepRecords(CPU) as records:
        taken(1)
    assert records.peaks() is None
