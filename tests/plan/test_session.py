"""Questions about plans, answered by a worker that stays warm."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fullfield import system
from fullfield.hardware import rate
from fullfield.plan import predicting, session
from fullfield.plan.question import Question
from fullfield.protocol.planning import PlanningSpec
from fullfield.protocol.setup_events import Card, MachineProbed, PlanReady, PlanRefused, TechniquesJudged
from job_desk import JobDesk, working

SMALL = {"height": 192, "width": 192, "encoder": "resnet18", "device": "cpu"}

pytestmark = pytest.mark.usefixtures("traced")


def ask(desk: JobDesk, number: int, compare: tuple[str, ...] = (), **asked: Any) -> None:
    desk.post(command="ask", number=number, asked={**SMALL, **asked}, compare=list(compare))


def answer(desk: JobDesk, number: int) -> PlanReady:
    return desk.wait(PlanReady, lambda event: event.number == number)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[JobDesk]:
    with working(session.run, PlanningSpec(device="cpu"), tmp_path) as desk:
        yield desk


def test_that_the_machine_is_told_first_with_the_cards_that_can_be_planned_for(desk: JobDesk) -> None:
    machine = desk.wait(MachineProbed)
    assert desk.reported[0] is machine
    assert machine.device == "cpu"
    assert 0 < machine.free_bytes <= machine.total_bytes
    assert Card(title="RTX 2060", total_bytes=6 << 30) in machine.cards
    assert machine.devices[-1].name == "cpu" and machine.cores >= 1 and bool(machine.alone) == system.WINDOWS


def test_that_answers_are_those_of_a_plan_and_single_techniques_are_judged_by_it(desk: JobDesk) -> None:
    ask(desk, 1, ("recompute", "accumulate", "optimizer_8bit", "banded_loss"), techniques=["banded_loss"])
    reported = answer(desk, 1)
    assert reported.plan == predicting.ladder(Question(**SMALL, techniques=("banded_loss",))).plan
    assert reported.free_bytes > 0
    assert reported.step_seconds > 0.0
    judged = desk.wait(TechniquesJudged, lambda event: "recompute" in event.peaks)
    assert judged.number == 1
    assert "cannot be divided" in judged.refused["accumulate"]
    assert "accumulate" not in judged.peaks
    assert "optimizer_8bit" in judged.peaks
    assert judged.fixed_bytes == pytest.approx(4 * reported.plan.by_kind["weights"], rel=0.01)
    with_it = predicting.ladder(Question(**SMALL, techniques=("banded_loss", "recompute"))).plan
    assert judged.peaks["recompute"] == with_it.process_bytes
    assert judged.times["recompute"] == with_it.time_factor
    plain = predicting.ladder(Question(**SMALL, techniques=())).plan
    assert judged.peaks["banded_loss"] == plain.process_bytes


def test_that_what_would_be_moved_to_the_same_memory_is_refused_with_the_reason_and_not_judged(desk: JobDesk) -> None:
    compared = ("optimizer_offload", "offload_activations", "full_bands:tier=host", "recompute")
    ask(desk, 1, compared, techniques=["banded_loss"])
    judged = desk.wait(TechniquesJudged, lambda event: "recompute" in event.peaks)
    assert set(judged.refused) == {"optimizer_offload", "offload_activations", "full_bands"}
    assert set(judged.refused.values()) == {"There is no card here: it is the same memory."}
    assert not set(judged.refused) & set(judged.peaks)
    ask(desk, 2, compared, techniques=["banded_loss", "optimizer_offload"])
    answer(desk, 2)
    judged = desk.wait(TechniquesJudged, lambda event: event.number == 2 and "optimizer_offload" in event.peaks)
    assert "optimizer_offload" in judged.refused, "who has switched it on sees why it is of no use, and what it costs"


def test_that_a_full_card_costs_the_time_of_a_step_alone(desk: JobDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    known = rate.flops_per_second
    monkeypatch.setattr(session.rate, "flops_per_second", lambda device: 0.0)
    ask(desk, 1, techniques=["banded_loss"])
    assert answer(desk, 1).step_seconds == 0.0
    monkeypatch.setattr(session.rate, "flops_per_second", known)
    ask(desk, 2, techniques=["banded_loss"])
    assert answer(desk, 2).step_seconds > 0.0, "it is measured once there is room"


def test_that_numbers_of_threads_divide_the_costs_of_the_cpu_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "spare_cores", lambda total=None: 8)
    monkeypatch.setattr(session.devices, "compute_with", lambda threads: None)
    monkeypatch.setattr(session, "Predictor", lambda question, *costings: costings)
    made = session._Desk(None, SimpleNamespace(check=lambda: None))  # type: ignore[arg-type]

    def costings(**asked: Any) -> Any:
        return made._predictor(Question(**{**SMALL, "device": "auto", **asked}))

    (card,) = costings(gpu="8 GiB")
    assert card is costings(cards="GTX 1650 x2")[0], "of one file: each would keep only what itself traced"
    (alone,), (one_of_two,) = costings(device="cpu"), costings(device="cpu", processes=2)
    assert alone is not one_of_two
    beside_card, cpu = costings(cards="GTX 1650, cpu")
    assert beside_card is card and cpu is not alone, "it has a core less"
    assert cpu is costings(cards="GTX 1650, cpu", height=256)[1]
    monkeypatch.setattr(session.where, "threads", lambda question: 7)
    assert cpu is costings(device="cpu", height=256)[0]


def test_that_images_of_which_one_is_lower_are_asked_about_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "Predictor", lambda question, *costings: question.lowest)
    monkeypatch.setattr(session.devices, "compute_with", lambda threads: None)
    made = session._Desk(None, SimpleNamespace(check=lambda: None))  # type: ignore[arg-type]
    asked = [Question(**SMALL, gpu="8 GiB", lowest=lowest) for lowest in (0, 96, 0)]
    assert [made._predictor(one) for one in asked] == [0, 96, 0]


def test_that_only_the_latest_question_is_answered(desk: JobDesk) -> None:
    desk.wait(MachineProbed)
    for number in range(1, 6):
        ask(desk, number, techniques=["banded_loss"])
    answer(desk, 5)
    assert len([event for event in desk.reported if isinstance(event, PlanReady)]) < 5


def test_that_a_set_that_cannot_be_is_refused_with_its_number_and_the_next_one_answered(desk: JobDesk) -> None:
    ask(desk, 1, ("accumulate",), techniques=["accumulate"])
    refused = desk.wait(PlanRefused)
    assert refused.number == 1
    assert "cannot be divided" in refused.error["detail"]
    ask(desk, 2, techniques=["banded_loss"], height=100)
    assert "192" in desk.wait(PlanRefused, lambda event: event.number == 2).error["hint"]
    ask(desk, 3, techniques=["banded_loss"])
    answer(desk, 3)


def test_that_a_card_is_planned_for_by_its_memory_alone_as_an_estimate(desk: JobDesk) -> None:
    ask(desk, 1, gpu="8 GiB", techniques=["banded_loss"])
    reported = answer(desk, 1)
    assert reported.free_bytes == 8 << 30
    assert reported.step_seconds == 0.0
    assert "± 10%" in reported.plan.estimate


def test_that_the_planner_chooses_within_a_budget_and_says_why(desk: JobDesk) -> None:
    ask(desk, 1, budget=2 << 30)
    reported = answer(desk, 1)
    assert reported.asked_bytes == 2 << 30
    assert reported.plan.peak_bytes <= 2 << 30
    assert reported.plan.reason.startswith("chosen because")
    assert reported.ladder


def test_that_a_newer_question_interrupts_a_trace(desk: JobDesk) -> None:
    ask(desk, 1, techniques=["banded_loss"])
    answer(desk, 1)
    ask(desk, 2, techniques=["banded_loss"], height=256)
    while desk.waiting:
        time.sleep(0.001)
    ask(desk, 3, techniques=["banded_loss"])
    answer(desk, 3)
    assert not [event for event in desk.reported if isinstance(event, PlanReady) and event.number == 2]
