"""What is asked of the planner for a question, with which budgets, and what comes to its plan: nothing is traced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fullfield.errors import UsageError
from fullfield.hardware import devices, links
from fullfield.plan import fewer, libraries, planner, predicting, together, where
from fullfield.plan.plan import Ladder
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.protocol.computers import Computer
from fullfield.protocol.plan import FewerPlan, Plan
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Card
from techniques.stepping import site

GIB = 1 << 30
NODES = tuple(
    Computer(name=name, cores=8, free_bytes=free * GIB, total_bytes=16 * GIB) for name, free in zip("abc", (8, 3, 5))
)
FOUND = Ladder(plan=Plan(techniques=("banded_loss",), process_bytes=50, notes=("x",)), next=(), refused=())
FEWER = (FewerPlan(computers=2, times=1.5),)


def question(**changes: Any) -> Question:
    return Question(**{"height": 192, "width": 192, "encoder": "resnet18", "device": "cpu", **changes})


class Asked:
    """What the planner, and who compares with one alone and with fewer, are asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.noted: list[str] = []
        self.plan: dict[str, Any] = {}
        self.answers: Callable[[], Ladder] = lambda: FOUND
        self.alone: dict[str, Any] = {}
        self.measuring = True
        self.site = site("cpu")
        monkeypatch.setattr(planner, "plan", self._plan)
        monkeypatch.setattr(together, "compared", self._compared)
        monkeypatch.setattr(fewer, "of", self._fewer)
        monkeypatch.setattr(libraries, "more", lambda techniques, resident: resident - 1000)
        monkeypatch.setattr(devices, "free_cached", lambda: self.noted.append("freed"))

    def answer(self, asked: Question, resident: int = 0, *, total: int = 900, free: int = 700) -> Ladder:
        own, larger = (replace(self.site.devices[0], total_bytes=total + more, title=f"of {more}") for more in (0, 1))
        there = replace(self.site, devices=(*(larger,) * (self.site.ranks - 1), own))
        one = SimpleNamespace(site="alone", free_bytes=33, plan="plan of one", within=self._within)
        self.predictor = SimpleNamespace(
            site=there,
            free_bytes=free,
            measuring=self.measuring,
            plan="plan",
            trace="trace",
            within=self._within,
            keep=lambda: self.noted.append("kept"),
            alone=lambda: one,
        )
        return predicting.answer(asked, cast(Predictor, self.predictor), resident)

    def _within(self, asked: Question, more: int = 0) -> tuple[Question, tuple[int, ...]]:
        return replace(asked, budget=(asked.budget or 700) - more), (7, 8)

    def _plan(self, asked: Question, there: Any, predict: Any, first: Any, beyond: Any) -> Ladder:
        self.plan = {"budget": asked.budget, "site": there, "predict": predict, "first": first, "beyond": beyond}
        return self.answers()

    def _compared(self, found: Ladder, asked: Question, alone: Any, free: int, predict: Any) -> Ladder:
        self.alone = {"budget": asked.budget, "site": alone, "free": free, "predict": predict}
        return replace(found, refused=("compared",))

    def _fewer(self, asked: Question, predictor: Any, plan: Plan) -> tuple[FewerPlan, ...]:
        assert predictor is self.predictor and plan == FOUND.plan
        return FEWER


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


def test_that_the_planner_is_asked_within_what_is_free_and_costs_are_kept(asked: Asked) -> None:
    assert asked.answer(question()) == FOUND
    expected = {"budget": 700, "site": asked.predictor.site, "predict": "plan", "first": "trace", "beyond": (7, 8)}
    assert asked.plan == expected and asked.alone == {} and asked.noted == ["kept"]
    asked.measuring = False
    asked.answer(question(budget=500))
    assert asked.plan["first"] is None and asked.plan["budget"] == 500

    def refuse() -> Ladder:
        raise UsageError("No.")

    asked.answers = refuse
    for here, noted in ((False, ["kept"]), (True, ["kept", "freed"])):
        asked.noted.clear()
        with pytest.raises(UsageError):
            asked.answer(question(trains_here=here), 1000)
        assert asked.noted == noted


def test_that_what_a_process_holds_is_taken_from_the_budget_where_it_trains_itself_on_a_processor(asked: Asked) -> None:
    found = asked.answer(question(trains_here=True), 1030)
    assert asked.plan["budget"] == 670 and found == FOUND.with_more(30)
    assert asked.answer(question(), 1030) == FOUND and asked.plan["budget"] == 700
    asked.site = site("cuda", (8, 0))
    assert asked.answer(question(trains_here=True), 1030) == FOUND and asked.plan["budget"] == 700


def test_that_of_several_one_alone_is_compared_but_where_it_is_decided_already(asked: Asked) -> None:
    asked.site = replace(asked.site, devices=asked.site.devices * 2)
    several = question(processes=2, batch=2)
    assert asked.answer(several).refused == ("compared",)
    assert asked.alone == {"budget": 700, "site": "alone", "free": 33, "predict": "plan of one"}
    for here, named, compared in ((True, None, True), (False, (), True), (True, (), False)):
        found = asked.answer(replace(several, trains_here=here, techniques=named), 1000)
        assert bool(found.refused) is compared


def test_that_of_many_computers_fewer_are_told_but_where_it_is_decided_already(asked: Asked) -> None:
    asked.site = replace(asked.site, devices=asked.site.devices * 3, computers=3)
    three = question(nodes=NODES)
    assert asked.answer(three).plan.fewer == FEWER
    assert asked.answer(replace(three, trains_here=True), 1000).plan.fewer == ()
    assert asked.answer(replace(three, together=2)).plan.fewer == ()
    asked.site = replace(asked.site, computers=2)
    assert asked.answer(three).plan.fewer == ()


def test_that_a_budget_beyond_what_the_smallest_device_has_is_said(asked: Asked) -> None:
    for there in (asked.site, replace(asked.site, devices=asked.site.devices * 2)):
        asked.site = there
        for budget, free, said in ((900, 1, False), (901, 1, True), (0, 900, False), (0, 901, True)):
            notes = asked.answer(question(budget=budget), free=free).plan.notes
            assert (len(notes) == 2) is said
            if said:
                assert notes == ("x", "The budget, 901 B, is more than of 0 has: 900 B.")
        assert len(asked.answer(question(budget=901, techniques=())).plan.notes) == 1, "they are not held against it"


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> Predictor:
    """Of three computers with 8, 3 and 5 GiB."""
    monkeypatch.setattr(libraries, "prepare", lambda: True)
    return Predictor(question(nodes=NODES), Costing("resnet18", "cpu"))


def test_that_the_least_of_what_all_have_is_what_may_be_taken_and_the_others_have_more(three: Predictor) -> None:
    asked = question(nodes=NODES)
    assert three.measuring and three.site.computers == 3 and three.site.ranks == 3
    assert (three.free_bytes, three.limits) == (3 * GIB, (8 * GIB, 3 * GIB, 5 * GIB))
    found, beyond = three.within(asked)
    assert (found, beyond) == (replace(asked, budget=3 * GIB), (5 * GIB, 0, 2 * GIB))
    assert three.within(asked, 7)[0].budget == 3 * GIB - 7
    assert three.within(asked, 4 * GIB)[0].budget == 1
    assert three.within(replace(asked, budget=9))[1] == (), "each may take as much"
    three.limits = (3 * GIB,) * 3
    assert three.within(asked)[1] == (0, 0, 0), "each has a name, by which it is told where it is too small"
    assert three.within(question())[1] == ()


def test_that_what_is_free_and_between_them_is_looked_at_anew(three: Predictor) -> None:
    less = tuple(replace(node, free_bytes=node.free_bytes // 2) for node in NODES)
    before = three.site
    three.renew(question(nodes=less, link="10GbE"))
    assert (three.free_bytes, three.limits) == (3 * GIB // 2, (4 * GIB, 3 * GIB // 2, 5 * GIB // 2))
    assert [card.free_bytes for card in three.site.devices] == list(three.limits)
    assert three.site.link == links.find("10GbE") and before.link == links.BETWEEN
    assert replace(three.site, devices=before.devices, link=before.link) == before


def test_that_the_fastest_of_them_alone_has_all_of_its_device_and_of_as_fast_ones_that_with_most_memory(
    three: Predictor,
) -> None:
    alone = three.alone()
    assert [card.title for card in alone.site.devices] == ["a"] and alone.site.computers == 1
    assert alone.free_bytes == 8 * GIB and alone.limits == (8 * GIB,)
    faster = replace(NODES[1], cores=16)
    three.renew(question(nodes=(NODES[0], faster, NODES[2])))
    alone = three.alone()
    assert [card.title for card in alone.site.devices] == ["b"] and alone.limits == (3 * GIB,)
    two_each = Predictor(question(nodes=NODES, processes=2), Costing("resnet18", "cpu"))
    assert two_each.limits[0] == 4 * GIB and two_each.alone().limits == (8 * GIB,), "which two ranks share"
    assert three.site.ranks == 3, "it is another one"


def test_that_a_network_is_padded_and_of_one_computer_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "prepare", lambda: True)
    costing = Costing("resnet18", "cpu")
    here = Predictor(question(height=193, width=200, batch=3), costing)
    shape = here.site.shape
    assert (shape.height, shape.width, shape.batch, shape.encoder) == (224, 224, 3, "resnet18")
    assert here.site.rows == 224 and here.of(question(height=193, lowest=65)).site.rows == 96
    assert here.site.computers == 1 and here.site.link == links.INSIDE
    there = Predictor(question(gpu="RTX 3060"), Costing("resnet18", where.NOBODYS))
    assert not there.measuring, "libraries hold nothing on a card"
    (card,) = there.site.devices
    assert isinstance(card, Card) and there.plain_seconds == 0.0
