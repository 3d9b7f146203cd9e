"""Whether several devices pay: what is asked of the best of them alone, and how its plan stands beside theirs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fullfield.errors import UsageError
from fullfield.plan import planner, together
from fullfield.plan.plan import Ladder
from fullfield.plan.question import Question
from fullfield.protocol.computers import Computer
from fullfield.protocol.plan import AlonePlan, Plan
from fullfield.techniques.site import Card, Site

NODES = tuple(Computer(name=name, cores=8, free_bytes=8 << 30, total_bytes=16 << 30) for name in "ab")
QUESTION = Question(height=192, width=192, encoder="resnet18", batch=4, budget=70)
PAIR = Ladder(plan=Plan(techniques=("banded_loss", "data_parallel"), time_factor=0.75), next=(), refused=("x",))


class Asked:
    """What the planner is asked of one alone, whose plan is `single`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.single: Plan | None = Plan(techniques=("banded_loss",), time_factor=1.2, process_bytes=50)
        self.question: Question
        monkeypatch.setattr(planner, "plan", self._plan)

    def beside(self, question: Question, *, free: int = 60, kind: str = "cuda") -> AlonePlan:
        card = Card(kind=kind, title="GTX 1650", total_bytes=99, free_bytes=free)
        self.site = cast(Site, SimpleNamespace(devices=(card,)))
        found = together.compared(PAIR, question, self.site, free, self._predict)
        assert replace(found, plan=replace(found.plan, alone=None)) == PAIR, "all else stays"
        assert found.plan.alone is not None
        return found.plan.alone

    def _predict(self, techniques: Any) -> Plan:
        raise NotImplementedError

    def _plan(self, question: Question, site: Site, predict: Any) -> Ladder:
        self.question = question
        assert site is self.site and predict == self._predict
        if self.single is None:
            raise UsageError("Nothing fits.")
        return Ladder(plan=self.single, next=(), refused=())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


def test_that_one_alone_is_asked_about_without_the_others_and_what_they_share(asked: Asked) -> None:
    named = ("banded_loss", "data_parallel:batch_norm=joint", "hybrid_bands")
    several = replace(QUESTION, processes=2, always=named)
    asked.beside(several)
    one = replace(QUESTION, budget=60)
    assert asked.question == replace(one, always=("banded_loss", "hybrid_bands"))
    asked.beside(replace(several, techniques=named))
    assert asked.question.techniques == asked.question.always == ("banded_loss", "hybrid_bands")
    asked.beside(replace(QUESTION, cards="GTX 1650 x2"))
    assert asked.question == one
    asked.beside(replace(QUESTION, nodes=NODES, together=2))
    assert asked.question == one


@pytest.mark.parametrize(("budget", "free", "held"), [(70, 60, 60), (50, 60, 50)])
def test_that_it_may_take_what_its_device_has_and_what_is_allowed(
    asked: Asked, budget: int, free: int, held: int
) -> None:
    found = asked.beside(replace(QUESTION, budget=budget, processes=2), free=free)
    assert asked.question.budget == held
    assert found == AlonePlan(name="GTX 1650", times=1.6, techniques=("banded_loss",))


def test_that_where_it_does_not_fit_that_is_said(asked: Asked) -> None:
    assert asked.single is not None
    for bytes_, times in ((60, 1.6), (61, 0.0)):  # techniques that are named are not held against a budget
        asked.single = replace(asked.single, process_bytes=bytes_)
        assert asked.beside(replace(QUESTION, processes=2)).times == times
    asked.single = None
    assert asked.beside(replace(QUESTION, processes=2)) == AlonePlan(name="GTX 1650")


@pytest.mark.parametrize(
    ("kind", "nodes", "name"),
    [("cuda", (), "GTX 1650"), ("cpu", (), "process"), ("cpu", NODES, "of them (GTX 1650)")],
)
def test_that_it_is_named_by_what_tells_it_from_the_others(
    asked: Asked, kind: str, nodes: tuple[Computer, ...], name: str
) -> None:
    assert asked.beside(replace(QUESTION, nodes=nodes), kind=kind).name == name
    asked.single = None
    assert asked.beside(replace(QUESTION, nodes=nodes), kind=kind).name == name
