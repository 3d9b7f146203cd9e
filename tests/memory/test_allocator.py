"""What the allocator's records say on a step's phases."""

from __future__ import annotations

import gc
from typing import Any

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


def test_that_what_a_function_takes_is_told_at_its_peak_and_at_its_end() -> None:
    def function() -> torch.Tensor:
        passing = taken(5)
        kept = taken(3)
        del passing
        return kept

    found = allocator.peak(function, CPU)
    assert (found.peak // MIB, found.kept // MIB, found.result.nbytes // MIB) == (8, 3, 3)


def test_that_calls_are_told_apart_and_what_they_return_or_prepare_does_not_count() -> None:
    def call(inside: float, returned: float) -> allocator.Call:
        def prepare() -> Any:
            room = taken(50)

            def run() -> Any:
                passing = taken(inside)
                del passing
                return {"made": [taken(returned)], "room": room.shape}

            return run

        return prepare

    found = allocator.temporaries([call(5, 0), call(1, 4), call(7, 2)], CPU)
    assert [round(count / MIB) for count in found] == [5, 0, 5]
    assert allocator.temporaries([], CPU) == []


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The counters of one, of which tests take."""
    counters = {"now": 1000, "most": 5000, "waited": 0}
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda device: counters["now"])
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda device: counters["most"])
    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", lambda device: counters.update(most=counters["now"]))
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: counters.update(waited=counters["waited"] + 1))
    return counters


def take(card: dict[str, int], *counts: int) -> None:
    for count in counts:
        card["now"] += count
        card["most"] = max(card["most"], card["now"])


def test_that_of_a_card_its_counters_tell_when_it_has_done_all_that_it_was_asked_for(card: dict[str, int]) -> None:
    found = allocator.peak(lambda: take(card, 500, -300), torch.device("cuda:0"))
    assert (found.peak, found.kept, card["waited"]) == (500, 200, 2)


def test_that_of_a_call_on_a_card_the_second_run_is_told_beside_what_it_returns(card: dict[str, int]) -> None:
    runs: list[str] = []

    def prepare() -> Any:
        take(card, 10_000)  # the tensors that it is called with

        def run() -> torch.Tensor:
            runs.append("")
            take(card, 3000 if len(runs) == 1 else 500, -(3000 if len(runs) == 1 else 500))
            return torch.empty(100, dtype=torch.uint8)

        return run

    assert allocator.temporaries([prepare], torch.device("cuda:0")) == [400]
    assert len(runs) == 2, "the first one chooses an algorithm"


def test_that_a_phase_that_comes_again_is_told_by_the_higher_of_both(card: dict[str, int]) -> None:
    for first, second in ((500, 300), (300, 500)):
        with StepRecords(torch.device("cuda:0")) as records:
            for count in (first, second):
                with records.phase("forward"):
                    take(card, count, -count)
        found = records.peaks()
        assert found is not None and (found.most, found.base) == ({"forward": 500}, 1000)


def test_that_what_is_alive_as_a_phase_begins_counts_in_it() -> None:
    with StepRecords(CPU) as records:
        with records.phase("forward"):
            kept = taken(6)
        with records.phase("backward"):
            del kept
    found = records.peaks()
    assert found is not None
    assert {name: count // MIB for name, count in found.most.items()} == {"forward": 6, "backward": 6}


@pytest.mark.parametrize(
    ("changes", "most"),
    [
        ([(5, 10), (12, 4), (14, -4), (15, 1), (25, 3)], {"a": (4, 12), "b": (4, 25)}),
        ([(10, 7), (20, -7)], {"a": (7, 10), "b": (7, 20)}),  # at the borders themselves
        ([(1, 9), (30, 2)], {"a": (0, 10), "b": (2, 30)}),  # nothing in the first phase
        ([(1, 9), (12, -9), (40, 100)], {"a": (0, 10), "b": (-9, 20)}),  # less than there was, and what follows
    ],
)
def test_that_of_a_phase_the_most_over_the_begin_of_the_first_is_told_and_when(
    changes: list[tuple[int, int]], most: dict[str, tuple[int, int]]
) -> None:
    found = allocator._highest([("a", 10, 20), ("b", 20, 30)], changes)
    assert {name: count for name, (count, _) in found.items()} == {name: count for name, (count, _) in most.items()}
    assert found["a"][1] == most["a"][1]


def test_that_where_nothing_was_recorded_nothing_is_told() -> None:
    assert allocator._highest([], [(1, 2)]) == allocator._highest([("a", 1, 2)], []) == {}


def test_that_the_innermost_operation_that_does_more_than_allocate_is_named() -> None:
    class Event:
        def __init__(self, name: str, first: int, last: int) -> None:
            self._values = name, first, last

        def name(self) -> str:
            return self._values[0]

        def start_ns(self) -> int:
            return self._values[1]

        def end_ns(self) -> int:
            return self._values[2]

    events = [
        Event("fullfield::forward", 0, 100),
        Event("aten::conv2d", 10, 50),
        Event("aten::convolution", 12, 40),
        Event("aten::empty_strided", 13, 14),
        Event("[memory]", 13, 13),
        Event("## Call CompiledFxGraph f00d ##", 60, 80),
    ]
    named = {time: allocator._innermost(events, time) for time in (5, 10, 13, 40, 41, 50, 51, 60, 80)}
    assert named == {
        5: "",
        10: "aten::conv2d",
        13: "aten::convolution",
        40: "aten::convolution",
        41: "aten::conv2d",
        50: "aten::conv2d",
        51: "",
        60: "compiled code",
        80: "compiled code",
    }
