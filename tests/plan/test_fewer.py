"""What fewer of several computers would do, and how little is asked for that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fullfield.errors import UsageError
from fullfield.plan import fewer, predicting
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.plan.sets import Set
from fullfield.protocol.computers import Computer
from fullfield.protocol.plan import Plan, RankPlan
from fullfield.techniques.base import Stage

GIB = 1 << 30
QUESTION = Question(
    height=192,
    width=192,
    encoder="resnet18",
    batch=12,
    nodes=tuple(Computer(name=name, cores=8, free_bytes=8 * GIB, total_bytes=16 * GIB) for name in "abcd"),
)
Asked = list[tuple[int, tuple[str, ...]]]


@pytest.fixture
def reckoned(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Plan, Asked]]:
    """`reckoned(factor=…, held=…)`: the plan of four computers where a set of so many takes `factor` times what their
    number lets expect, and so many bytes; and of what it was asked, in turn. Nothing is traced."""

    def reckon(**given: Callable[[int, Set], float]) -> tuple[Plan, Asked]:
        factor, held = given.get("factor", lambda *_: 1.0), given.get("held", lambda *_: float(GIB))
        asked: Asked = []

        def plan(self: Predictor, techniques: Set) -> Plan:
            count, site = self.site.computers, self.site
            asked.append((count, tuple(map(str, techniques))))
            more = sum(not one.stage.of_ranks and one.stage is not Stage.LAYOUT for one in techniques)
            devices = tuple(
                RankPlan(rank=rank, process_bytes=int(held(count, techniques))) for rank in range(site.ranks)
            )
            time = (1.0 + 0.1 * more) * factor(count, techniques) / count
            return Plan(
                techniques=tuple(map(str, techniques)),
                devices=devices,
                process_bytes=devices[0].process_bytes,
                time_factor=time,
            )

        monkeypatch.setattr(Predictor, "plan", plan)
        monkeypatch.setattr(Predictor, "trace", lambda self, techniques: None)
        monkeypatch.setattr(Predictor, "seconds", lambda self, plan: plan.time_factor)
        found = predicting.answer(QUESTION, Predictor(QUESTION)).plan
        return found, asked

    return reckon


def of(count: int, asked: Asked) -> list[tuple[str, ...]]:
    return [techniques for computers, techniques in asked if computers == count]


def shares(techniques: Any, name: str) -> bool:
    return any(str(one).partition(":")[0] == name for one in techniques)


def test_that_every_smaller_number_of_a_few_is_told_and_of_many_one_less_and_halves() -> None:
    assert fewer.numbers(3) == (2,) and fewer.numbers(8) == (7, 6, 5, 4, 3, 2)
    assert fewer.numbers(9) == (8, 4, 2) and fewer.numbers(64) == (63, 32, 16, 8, 4, 2)


def test_that_of_fewer_the_way_of_all_is_asked_alone_where_it_takes_what_their_speeds_let_expect(
    reckoned: Callable[..., tuple[Plan, Asked]],
) -> None:
    plan, asked = reckoned()
    assert len(of(4, asked)) > 20, "of all every way is asked"
    assert [len(of(count, asked)) for count in (3, 2)] == [1, 1]
    assert [(one.computers, one.times) for one in plan.fewer] == [(3, 1.3333), (2, 2.0)]
    assert all(one.techniques == plan.techniques for one in plan.fewer)


def test_that_where_it_takes_longer_the_other_ways_to_share_are_asked_and_no_way_to_save_memory(
    reckoned: Callable[..., tuple[Plan, Asked]],
) -> None:
    plan, asked = reckoned(
        factor=lambda count, techniques: 2.0 if shares(techniques, "data_parallel") ^ (count == 4) else 1.0
    )
    assert shares(plan.techniques, "data_parallel")
    three, two = plan.fewer
    assert (three.times, two.times) == (1.3333, 2.0) and not shares(three.techniques, "data_parallel")
    for count in (3, 2):
        assert 1 < len(of(count, asked)) < 6 and shares(of(count, asked)[0], "data_parallel"), "that of all first"
        assert not any(shares(techniques, "hybrid_bands") for techniques in of(count, asked))


def test_that_where_none_of_them_fits_all_is_asked_once_and_still_fewer_computers_not_at_all(
    reckoned: Callable[..., tuple[Plan, Asked]],
) -> None:
    def small(count: int, techniques: Set) -> float:
        return GIB if count == 4 or (count == 3 and shares(techniques, "hybrid_bands")) else 9 * GIB

    plan, asked = reckoned(held=small)
    assert shares(plan.fewer[0].techniques, "hybrid_bands") and plan.fewer[0].times > 1.3
    assert plan.fewer[1].times == 0 and len(of(2, asked)) > 20
    plan, asked = reckoned(held=lambda count, techniques: GIB if count == 4 else 9 * GIB)
    assert [(one.computers, one.times) for one in plan.fewer] == [(3, 0.0), (2, 0.0)]
    assert len(of(3, asked)) > 20 and of(2, asked) == []


def test_that_a_number_of_which_no_plan_is_possible_is_left_out_and_still_fewer_computers_are_asked(
    reckoned: Callable[..., tuple[Plan, Asked]], monkeypatch: pytest.MonkeyPatch
) -> None:
    of_question = Predictor.of

    def refuse(self: Predictor, question: Question) -> Predictor:
        if question.together == 3:
            raise UsageError("Cannot train on cuda:1 of c.", detail="It has no card.")
        return of_question(self, question)

    monkeypatch.setattr(Predictor, "of", refuse)
    plan, asked = reckoned()
    assert [(one.computers, one.times) for one in plan.fewer] == [(2, 2.0)] and of(2, asked)
