"""What a run's events say on its memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fullfield.memory.readback import summary
from fullfield.protocol.events import Event, MemorySampled, Notice, PlanMade, RungTaken, RunStarted, StepProfiled
from fullfield.protocol.plan import Plan, RankPlan
from fullfield.protocol.rank_events import RanksSampled, RankState

MIB = 2**20
PLAN = PlanMade(plan=Plan(allocator_bytes=800 * MIB))
PROFILED = StepProfiled(
    step=2,
    before_bytes=300 * MIB,
    forward_bytes=400 * MIB,
    backward_bytes=450 * MIB,
    peak_phase="backward",
    peak_operation="aten::convolution_backward",
)


def sampled(phase: str, host: int, **more: Any) -> MemorySampled:
    counts = {name: count * MIB for name, count in more.items()}
    return MemorySampled(seconds=1.0, step=1, phase=phase, border=True, host_bytes=host * MIB, **counts)


ON_THE_CPU: list[Event] = [
    sampled("forward", 900),
    sampled("backward", 1300),
    sampled("forward", 1000),
    sampled("backward", 1200),
    sampled("", 1400),
]


def test_that_peaks_are_read_back_by_phase() -> None:
    found = summary(ON_THE_CPU)
    assert {phase: reading.host_bytes // MIB for phase, reading in found.phases.items()} == {
        "forward": 1000,
        "backward": 1300,
        "": 1400,
    }


def test_that_without_a_card_measured_stands_beside_predicted_and_the_process_is_labelled() -> None:
    found = summary([PLAN, *ON_THE_CPU, PROFILED])
    assert (found.given_out("forward"), found.given_out("backward")) == (700 * MIB, 750 * MIB)
    assert found.sentences() == (
        "Memory: forward 700.0 MiB, backward 750.0 MiB, of 800.0 MiB predicted (what torch gave out; the whole "
        "process, without a graphics card, held up to 1.4 GiB). Most was held in the backward "
        "phase, by the gradients of a convolution "
        "(aten::convolution_backward)."
    )


def test_that_without_a_profiled_step_the_process_is_told_and_not_held_against_the_prediction() -> None:
    text = summary([PLAN, *ON_THE_CPU]).sentences()
    assert text == "Memory: forward 1000.0 MiB, backward 1.3 GiB (process memory, no graphics card)."


def test_that_without_a_profiled_step_the_process_is_held_against_what_was_predicted_of_it() -> None:
    plan = PlanMade(plan=Plan(allocator_bytes=800 * MIB, process_bytes=1500 * MIB))
    text = summary([plan, *ON_THE_CPU]).sentences()
    assert text == "Memory: the process held up to 1.4 GiB, of 1.5 GiB predicted (no graphics card)."


def test_that_on_a_card_the_allocators_peak_of_all_steps_is_told() -> None:
    card = {"device_bytes": 2000, "allocated_bytes": 500}
    events = [
        PLAN,
        sampled("forward", 900, peak_bytes=600, **card),
        sampled("backward", 900, peak_bytes=790, **card),
        PROFILED,
    ]
    text = summary(events).sentences()
    assert "forward 600.0 MiB, backward 790.0 MiB, of 800.0 MiB predicted" in text
    assert "the whole card held up to 2.0 GiB" in text


def test_that_a_training_that_went_on_with_other_techniques_is_not_held_against_its_first_plan() -> None:
    begin, before, after = RunStarted(job="train", pid=1), sampled("forward", 900), sampled("forward", 500)
    fallen = RungTaken(text="Less.", before=[], techniques=["recompute"], step=0, left=0)
    again = summary([begin, PLAN, before, PROFILED, fallen, begin, after])
    assert again.predicted_bytes is None and again.profiled is None
    assert again.phases["forward"].host_bytes == 500 * MIB
    gone_on = summary([begin, PLAN, before, begin, after])
    assert gone_on.predicted_bytes == 800 * MIB
    assert gone_on.phases["forward"].host_bytes == 900 * MIB


def test_that_a_training_that_went_on_is_held_against_what_was_predicted_of_the_techniques_that_it_went_on_with() -> (
    None
):
    plan = PlanMade(plan=Plan(allocator_bytes=800 * MIB, process_bytes=1500 * MIB))
    fallen = RungTaken(text="Less.", before=[], techniques=["recompute"], step=0, left=0, peak_bytes=1434 * MIB)
    again = summary([plan, sampled("forward", 2000), fallen, *ON_THE_CPU])
    assert again.sentences() == "Memory: the process held up to 1.4 GiB, of 1.4 GiB predicted (no graphics card)."
    nobody_knows = summary([plan, replace(fallen, peak_bytes=0), *ON_THE_CPU])
    assert "predicted" not in nobody_knows.sentences()


def test_that_a_run_without_steps_says_nothing() -> None:
    assert summary([Notice(text="x"), sampled("evaluation", 3)]).sentences() == ""
    assert summary([sampled("forward", 3)]).sentences() == "", "it was stopped before its first step had ended"


def test_that_of_several_processes_each_is_held_against_its_own_prediction() -> None:
    plan = PlanMade(plan=Plan(devices=(RankPlan(rank=0, process_bytes=900 * MIB), RankPlan(rank=1))))

    def held(rank: int, host: int, device: int | None = None) -> RankState:
        return RankState(rank=rank, host_bytes=host * MIB, device_bytes=device and device * MIB)

    states = [(held(1, 500), held(0, 800)), (held(0, 700), held(1, 10, 600)), (held(2, 5),)]
    events = [plan, *(RanksSampled(seconds=1.0, step=1, ranks=each) for each in states)]
    assert summary(events).of_ranks() == (
        "Process 1 held up to 800.0 MiB, of 900.0 MiB predicted. Process 2 held up to 600.0 MiB. "
        "Process 3 held up to 5.0 MiB."
    )
    assert summary([plan]).of_ranks() == ""
    fallen = RungTaken(text="Less.", before=[], techniques=["recompute"], step=0, left=0)
    assert summary([*events, fallen]).ranks == {}
    assert summary([plan, fallen, *events[1:]]).of_ranks().startswith("Process 1 held up to 800.0 MiB. Process")


def test_that_a_new_plan_of_the_same_techniques_goes_on_and_one_of_others_begins_anew() -> None:
    one, other = (PlanMade(plan=Plan(allocator_bytes=MIB, techniques=names)) for names in (("a",), ("b",)))
    before = [one, sampled("forward", 900), PROFILED]
    assert summary([*before, one]).phases["forward"].host_bytes == 900 * MIB
    assert summary([*before, one]).profiled == PROFILED
    again = summary([*before, other])
    assert (again.phases, again.profiled, again.predicted_bytes) == ({}, None, MIB)
    on_the_rung = RungTaken(text="Less.", before=[], techniques=["b"], step=0, left=0)
    assert summary([one, on_the_rung, sampled("forward", 5), other]).phases["forward"].host_bytes == 5 * MIB


def test_that_the_step_of_rank_0_alone_is_profiled_and_a_plan_without_figures_predicts_nothing() -> None:
    assert summary([replace(PROFILED, rank=1)]).profiled is None
    assert summary([PROFILED, replace(PROFILED, step=5)]).profiled == replace(PROFILED, step=5)
    nothing = summary([PlanMade(plan=Plan())])
    assert nothing.predicted_bytes is None and nothing.process_bytes is None
    assert nothing.given_out("forward") is None
    assert summary([PROFILED]).given_out("update") is None


def test_that_an_operation_is_told_in_plain_words_where_there_are_some_and_in_torchs_own() -> None:
    def told(operation: str) -> str:
        return summary([*ON_THE_CPU, replace(PROFILED, peak_operation=operation)]).sentences()

    assert told("aten::cat").endswith("Most was held in the backward phase, by maps being joined (aten::cat).")
    assert told("aten::odd").endswith("Most was held in the backward phase, by aten::odd.")
    assert told("").endswith(
        "backward 750.0 MiB (what torch gave out; the whole process, without a graphics card, held up to 1.4 GiB)."
    )


def test_that_on_a_card_of_which_the_driver_tells_nothing_the_allocator_tells() -> None:
    events = [sampled(phase, 900, allocated_bytes=5, peak_bytes=600) for phase in ("forward", "backward")]
    assert summary(events).sentences() == "Memory: forward 600.0 MiB, backward 600.0 MiB (what torch gave out)."
    process = PlanMade(plan=Plan(process_bytes=MIB))
    bare = [sampled(phase, 900, allocated_bytes=5) for phase in ("forward", "backward")]
    assert "process held" not in summary([process, *bare]).sentences(), "the prediction is of the card"
