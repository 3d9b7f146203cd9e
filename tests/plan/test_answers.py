"""How questions about plans are answered, and what is traced ahead, by a predictor that traces nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import asking
from fullfield import system
from fullfield.errors import FullfieldError, UsageError
from fullfield.hardware import cards, devices, present, rate
from fullfield.plan import predicting, session, where
from fullfield.plan.plan import Ladder
from fullfield.plan.question import Question
from fullfield.protocol.commands import Command
from fullfield.protocol.computers import Computer
from fullfield.protocol.plan import CurvePoint, Plan
from fullfield.protocol.planning import PlanningSpec
from fullfield.protocol.setup_events import MachineProbed, PlanReady, PlanRefused, Present, TechniquesJudged
from fullfield.techniques import costing, here
from techniques.stepping import site
from training import FakeContext

SMALL = {"height": 192, "width": 192, "encoder": "resnet18", "device": "cpu"}
PLAN = Plan(techniques=("banded_loss",), process_bytes=100, time_factor=2.0)
Turn = Callable[[], None]


class Desk(FakeContext):
    """What is asked in each turn; it stops after the last one."""

    def __init__(self, folder: Path, *turns: list[dict[str, Any]]) -> None:
        super().__init__(folder)
        self._turns = list(turns)

    def commands(self) -> list[Command]:
        return [asking.command(one) for one in self._turns.pop(0)] if self._turns else []

    def stopping(self) -> bool:
        return not self._turns


class Predictor:
    """Knows the plans of `known`, by their techniques, and traces others."""

    plain_flops, plain_seconds, fixed_bytes, free_bytes, limits = 10**12, 3.0, 777, 5000, (5000, 6000)

    def __init__(self, *known: tuple[str, ...]) -> None:
        self.site = site("cpu")
        self.known_ = set(known)
        self.traced: list[tuple[str, ...]] = []
        self.kept = 0
        self.renewed: list[Question] = []

    def renew(self, question: Question) -> None:
        self.renewed.append(question)

    def known(self, techniques: Any) -> Plan | None:
        return self._plan(techniques) if tuple(map(str, techniques)) in self.known_ else None

    def plan(self, techniques: Any) -> Plan:
        self.traced.append(tuple(map(str, techniques)))
        return self._plan(techniques)

    def keep(self) -> None:
        self.kept += 1

    def _plan(self, techniques: Any) -> Plan:
        count = len(techniques)
        return Plan(techniques=tuple(map(str, techniques)), process_bytes=100 + count, time_factor=1.0 + count)


class Room:
    """Answers in the process of the test; `found`: what the planner does with a question."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.predictor = folder, Predictor()
        self.found: Callable[[Question], Ladder] = lambda question: Ladder(plan=PLAN, next=(), refused=())
        self.slept: list[float] = []
        self.now, self.each = 0.0, 0.0
        self.rates = {"cpu": 5e11}
        self.measured: list[str] = []
        monkeypatch.setattr(session._Desk, "_predictor", lambda desk, question: self.predictor)
        monkeypatch.setattr(session, "_tell_machine", lambda device, context: None)
        monkeypatch.setattr(predicting, "answer", lambda question, predictor: self.found(question))
        monkeypatch.setattr(rate, "flops_per_second", self._rate)
        monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=self._time, sleep=self.slept.append))

    def go(self, *turns: list[dict[str, Any]]) -> FakeContext:
        context = Desk(self.folder, *turns)
        assert session.run(PlanningSpec(), context) == {}
        context.events[:] = [replace(event, time=0.0) for event in context.events]
        return context

    def _time(self) -> float:
        self.now += self.each
        return self.now

    def _rate(self, device: str) -> float:
        self.measured.append(device)
        return self.rates[device]


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(tmp_path, monkeypatch)


def ask(number: int, *compare: str, **asked: Any) -> dict[str, Any]:
    return {"command": "ask", "number": number, "asked": {**SMALL, **asked}, "compare": list(compare)}


def test_that_the_machine_is_told_with_all_that_a_form_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = replace(here.card(devices.choose("cpu")), title="a CPU", total_bytes=9, free_bytes=5)
    monkeypatch.setattr(here, "card", lambda chosen: card)
    found = (Present(name="cpu", title="a CPU", total_bytes=9),)
    monkeypatch.setattr(present, "found", lambda: found)
    monkeypatch.setattr(system, "alone", lambda: "Not here.")
    for spare, cores in ((3, 4), (1000, cards.MOST)):
        monkeypatch.setattr(system, "spare_cores", lambda spare=spare: spare)
        context = Desk(tmp_path)
        session.run(PlanningSpec(device="cpu"), context)
        (machine,) = context.reported(MachineProbed)
        assert (machine.device, machine.title, machine.total_bytes, machine.free_bytes) == ("cpu", "a CPU", 9, 5)
        assert machine.why == devices.choose("cpu").why and machine.devices == found
        assert (machine.cores, machine.alone) == (cores, "Not here.")
        assert [(one.title, one.total_bytes) for one in machine.cards] == [
            (one.title, one.total_bytes) for one in cards.CARDS
        ]


def test_that_a_plan_is_told_with_what_was_free_and_how_long_a_step_takes(room: Room) -> None:
    ladder = Ladder(plan=PLAN, next=(Plan(batch=7),), refused=("No.",), curve=(CurvePoint(process_bytes=3),))
    room.found = lambda question: ladder
    context = room.go([ask(4, budget=88)])
    (ready,) = context.reported(PlanReady)
    assert ready == PlanReady(
        number=4,
        plan=PLAN,
        ladder=ladder.next,
        refused=["No."],
        curve=ladder.curve,
        free_bytes=5000,
        limits=(5000, 6000),
        asked_bytes=88,
        step_seconds=10**12 * 2.0 / 5e11,
    )
    assert [one.budget for one in room.predictor.renewed] == [88], "what is free is looked at anew"


def test_that_a_device_is_measured_once_and_again_where_it_was_too_full(room: Room) -> None:
    turns = [[ask(number)] for number in range(3)]
    room.go(*turns)
    assert room.measured == ["cpu"]
    room.rates["cpu"] = 0.0
    context = room.go(*turns)
    assert room.measured == ["cpu"] * 4
    assert [one.step_seconds for one in context.reported(PlanReady)] == [0.0] * 3


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ({"gpu": "RTX 3060"}, 0.0),
        ({"cards": "RTX 3060 x2"}, 0.0),
        ({"nodes": [{"name": "a", "free_bytes": 9}, {"name": "b", "free_bytes": 9}]}, 6.0),
    ],
)
def test_that_what_is_not_here_is_not_measured(room: Room, asked: dict[str, Any], seconds: float) -> None:
    (ready,) = room.go([ask(1, **asked)]).reported(PlanReady)
    assert ready.step_seconds == seconds and room.measured == []


def test_that_of_several_questions_the_last_is_answered_and_each_that_comes_later(room: Room) -> None:
    context = room.go([ask(1), ask(2)], [], [ask(3)], [])
    assert [one.number for one in context.reported(PlanReady)] == [2, 3]


def refusing(error: FullfieldError) -> Callable[[Question], Ladder]:
    def found(question: Question) -> Ladder:
        raise error

    return found


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("error", [UsageError("No.", detail="x"), FullfieldError("Not now.")])
def test_that_what_has_no_plan_is_told_with_why_and_named_techniques_are_compared_all_the_same(
    room: Room, named: bool, error: FullfieldError
) -> None:
    room.found = refusing(error)
    context = room.go([ask(1, "optimizer_8bit", **({"techniques": ["banded_loss"]} if named else {}))], [], [])
    assert context.reported(PlanRefused) == [PlanRefused(number=1, error=error.as_fields())]
    assert bool(context.reported(TechniquesJudged)) == (named and isinstance(error, UsageError))
    assert context.reported(PlanReady) == []


def test_that_a_question_that_cannot_be_is_refused_and_nothing_of_the_one_before_goes_on(room: Room) -> None:
    room.each = session.IDLE_SECONDS
    context = room.go([ask(1, "recompute")], [ask(2, height=100)], *[[]] * 9)
    (refused,) = context.reported(PlanRefused)
    assert refused.number == 2 and "192" in refused.error["hint"]
    assert room.predictor.traced == [] and {one.number for one in context.reported(TechniquesJudged)} == {1}


def test_that_what_is_known_is_told_at_once_and_the_rest_is_traced_one_by_one_while_nothing_is_asked(
    room: Room,
) -> None:
    room.predictor = Predictor((), ("banded_loss", "optimizer_8bit"))
    room.each = session.IDLE_SECONDS / 2.5
    compared = ("banded_loss", "optimizer_8bit", "optimizer_in_backward", "recompute", "optimizer_offload")
    compared = ("momentum", "full_bands", *compared)  # the first two take long to trace
    context = room.go([ask(5, *compared)], *[[]] * 9)
    told = context.reported(TechniquesJudged)
    assert {one.number for one in told} == {5} and {one.fixed_bytes for one in told} == {777}
    assert told[0].peaks == {"banded_loss": 100, "optimizer_8bit": 102}
    assert told[0].times == {"banded_loss": 1.0, "optimizer_8bit": 3.0}
    assert list(told[0].refused) == ["optimizer_offload"] and "the same memory" in told[0].refused["optimizer_offload"]
    assert room.predictor.traced == [("banded_loss", "optimizer_in_backward"), ("banded_loss", "recompute")]
    assert len(told) == 1 + len(room.predictor.traced) and room.predictor.kept == len(room.predictor.traced)
    assert told[-1].peaks["optimizer_in_backward"] == 102
    assert "optimizer_offload" not in told[-1].peaks
    assert room.slept[:2] == [session.TICK_SECONDS] * 2, "first it is waited for another question"
    assert len(room.slept) < 9


def test_that_what_is_not_for_a_network_is_no_long_trace_where_it_is_left_out(room: Room) -> None:
    where = room.predictor.site
    room.predictor.site = replace(where, shape=replace(where.shape, encoder="map"))
    room.each = session.IDLE_SECONDS
    with_it = replace(PLAN, techniques=("banded_loss", "full_bands"))
    room.found = lambda question: Ladder(plan=with_it, next=(), refused=())
    context = room.go([ask(1, "full_bands")], *[[]] * 5)
    assert room.predictor.traced == [("banded_loss",)]
    told = context.reported(TechniquesJudged)
    assert list(told[0].refused) == ["full_bands"] and told[-1].peaks == {"full_bands": 101}


def test_that_nothing_is_traced_as_long_as_questions_come(room: Room) -> None:
    room.each = session.IDLE_SECONDS / 2.5
    context = room.go(*[[ask(number, "optimizer_in_backward")] for number in range(5)], [])
    assert room.predictor.traced == [] and len(context.reported(TechniquesJudged)) == 5


def test_that_what_does_not_go_with_the_set_is_left_out(room: Room) -> None:
    context = room.go([ask(1, "ddp", "zero_optimizer", "optimizer_8bit", techniques=["optimizer_4bit"])], [])
    told = context.reported(TechniquesJudged)[-1]
    assert "optimizer_8bit" not in told.peaks


def test_that_a_newer_question_or_the_end_stops_what_nobody_waits_for(tmp_path: Path) -> None:
    context = Desk(tmp_path, [], [ask(1)], [], [ask(2), ask(3)], [])
    inbox = session._Inbox(context)
    inbox.check()
    with pytest.raises(session._Superseded):
        inbox.check()
    assert inbox.take() is not None and (latest := inbox.take()) is not None and latest.number == 3
    assert inbox.take() is None
    with pytest.raises(session._Superseded):
        inbox.check()


def test_that_sites_have_a_predictor_each_that_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Question] = []
    threads: list[int] = []

    def predictor(question: Question, *costings: Any) -> object:
        made.append(question)
        return object()

    monkeypatch.setattr(session, "Predictor", predictor)
    monkeypatch.setattr(devices, "compute_with", threads.append)
    monkeypatch.setattr(where, "threads", lambda question: 5)
    monkeypatch.setattr(costing, "kept", lambda encoder, device, each: object())
    desk = session._Desk(Desk(tmp_path), session._Inbox(Desk(tmp_path)))
    computers = tuple(Computer(name=name, free_bytes=9, cores=2) for name in "ab")
    others: list[dict[str, Any]] = [{}, {"height": 224}, {"width": 224}, {"batch": 2}, {"encoder": "resnet34"}]
    others += [{"processes": 2}, {"nodes": computers}, {"gpu": "RTX 3060"}, {"gpu": "RTX 2060"}, {"cards": "RTX 3060"}]
    others += [{"cards": "RTX 3060 x2", "link": name} for name in ("", "10GbE")]
    asked = [Question(**{**SMALL, **one}) for one in others]  # type: ignore[arg-type]
    first = [desk._predictor(one) for one in asked]
    assert len(set(map(id, first))) == len(asked) == len(made)
    assert [desk._predictor(replace(one, budget=7, techniques=())) for one in asked] == first and len(made) == len(
        asked
    )
    assert set(threads) == {5} and len(threads) == 2 * len(asked)
