from __future__ import annotations

from fullfield.plan import planner
from fullfield.plan.curve import curve
from fullfield.protocol.plan import Plan

FIGURES = {"a": (4, 1.5), "b": (3, 1.6), "c": (2, 2.5), "d": (1, 2.4), "e": (3, 1.6)}  # bytes, FLOPs
PLANS = [
    Plan(techniques=(name,), process_bytes=size, flop_factor=work, time_factor=work)
    for name, (size, work) in FIGURES.items()
]


def test_that_the_curve_has_the_plans_that_no_other_one_beats_in_both_by_rising_memory() -> None:
    assert [one.techniques[0] for one in curve(PLANS)] == ["d", "b", "a"]
    assert [(one.process_bytes, one.flop_factor) for one in curve(PLANS)] == [(1, 2.4), (3, 1.6), (4, 1.5)]


def test_that_a_ladder_tells_the_plans_above_its_budget_in_its_curve_too() -> None:
    ladder = planner.choose(PLANS, budget=3)
    assert ladder.plan.techniques == ("b",)
    assert [one.process_bytes for one in ladder.curve] == [1, 3, 4]
    assert [one.process_bytes for one in ladder.with_more(10).curve] == [11, 13, 14]
