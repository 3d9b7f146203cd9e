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


def test_that_a_step_without_phases_tells_nothing() -> None:
    with StepRecords(CPU) as records:
        taken(1)
    assert records.peaks() is None
