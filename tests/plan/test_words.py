"""Plans in words for people: what fits where, what several devices make of it, and the questions that are none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fullfield.errors import UsageError
from fullfield.plan import plan as plans
from fullfield.plan import planner
from fullfield.plan.plan import Ladder
from fullfield.plan.question import Question, judged
from fullfield.protocol.computers import Computer
from fullfield.protocol.plan import AlonePlan, CurvePoint, FewerPlan, LinkPlan, Plan, RankPlan
from fullfield.protocol.planning import PlanSpec
from fullfield.techniques.site import Several

GIB = 1 << 30
PLAN = Plan(
    techniques=("a", "b"),
    size=(192, 256),
    process_bytes=3 * GIB,
    allocator_bytes=GIB,
    time_factor=1.25,
    library_bytes=GIB,
    devices=(RankPlan(name="x", process_bytes=3 * GIB), RankPlan(rank=1, name="y", process_bytes=2 * GIB)),
    device="x",
)
LINK = LinkPlan(name="wire", seconds=5e-5, bytes_per_second=1.25e9, source="measured")


def test_that_a_process_that_holds_more_holds_it_in_every_plan_and_budget() -> None:
    ladder = Ladder(plan=PLAN, next=(PLAN,), refused=("x",), budget=9, curve=(CurvePoint(process_bytes=5),))
    more = ladder.with_more(7)
    for one in (more.plan, *more.next):
        assert (one.process_bytes, one.library_bytes) == (3 * GIB + 7, GIB + 7)
        assert [(device.process_bytes, device.library_bytes) for device in one.devices] == [
            (3 * GIB + 7, 7),
            (2 * GIB + 7, 7),
        ]
        assert one.allocator_bytes == GIB
    assert more.budget == 16 and more.curve[0].process_bytes == 12 and more.refused == ("x",)
    assert replace(ladder, budget=0).with_more(7).budget == 0, "none was said"


def test_that_where_nothing_fits_the_least_is_named_and_each_device_that_is_too_small() -> None:
    error = plans.nothing_fits(GIB, PLAN)
    assert error.detail == "At 192×256 the least is 3.0 GiB; the budget is 1.0 GiB."
    assert "take techniques that are not exact" in error.hint
    assert "exact" not in plans.nothing_fits(GIB, replace(PLAN, exact=False)).hint
    found = plans.nothing_fits(GIB, PLAN, (GIB, 2 * GIB)).detail
    assert found == "At 192×256 a process takes 3.0 GiB on x, which has 2.0 GiB for it."
    assert plans.too_small(PLAN, (3 * GIB, 2 * GIB)) == []
    assert len(plans.too_small(PLAN, (3 * GIB - 1, 2 * GIB - 1))) == 2
    same = replace(PLAN, devices=(PLAN.devices[0],) * 2)
    assert len(plans.too_small(same, (GIB, GIB))) == 1, "what is the same is said once"
    with pytest.raises(ValueError, match="longer"):
        plans.too_small(PLAN, (GIB, GIB, GIB))


def test_that_a_plan_is_a_line() -> None:
    line = "a + b: the process{} will hold at most 3.0 GiB (of it the training's tensors 1.0 GiB){}, 1.25 × time, {}"
    assert plans.describe(PLAN) == line.format(" on x, the fullest of 2 devices,", "", "exact")
    one = replace(PLAN, devices=(), host_bytes=GIB, exact=False)
    assert plans.describe(one) == line.format("", ", 1.0 GiB of host memory", "not exact")
    assert plans.names(replace(PLAN, techniques=())) == "no technique"


def test_that_the_host_memory_of_several_devices_is_that_of_all_together() -> None:
    several = replace(PLAN, host_bytes=GIB, devices=tuple(replace(one, host_bytes=GIB) for one in PLAN.devices))
    assert ", 2.0 GiB of host memory of all processes together, " in plans.describe(several)


def test_that_one_device_alone_has_nothing_to_say_of_several() -> None:
    assert plans.of_several(PLAN) == []


@pytest.mark.parametrize(
    ("source", "said"), [("measured", "measured here"), ("estimated", "an estimate"), ("given", "as it is given")]
)
def test_that_what_is_between_devices_is_told_with_what_is_waited_for_it(source: str, said: str) -> None:
    waits = tuple(replace(one, waiting_seconds=0.5 + one.rank) for one in PLAN.devices)
    plan = replace(PLAN, link=replace(LINK, source=source), devices=waits, waiting=0.1)
    line = f"link    {said}: 1.25 GB/s, 50 µs a message; 1.5 s of a step for it"
    assert plans.of_several(plan) == [line]
    of_one_cpu = replace(plan, waiting=0.0)  # whose time is told without it
    assert plans.of_several(of_one_cpu) == [f"{line}, which the time below leaves out"]
    (line,) = plans.of_several(replace(PLAN, link=LINK, devices=()))
    assert line.endswith("; 0 s of a step for it")


@pytest.mark.parametrize(("waiting", "exact", "said"), [(0.5, True, True), (0.25, True, False), (0.5, False, False)])
def test_that_a_link_that_is_the_limit_is_told_where_anything_can_be_done(
    waiting: float, exact: bool, said: bool
) -> None:
    found = plans.of_several(replace(PLAN, waiting=waiting, exact=exact))
    assert found == (
        [
            "The link is the limit: a rank waits 50% of a step for messages. What is not exact may shorten them: "
            "--approximate."
        ]
        if said
        else []
    )


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (1.5, ["One x alone takes 1.50 times as long (c + d)."]),
        (0.75, ["One x alone takes 0.75 times as long (c + d).", "More of them do not pay here."]),
        (0.0, ["No plan for one x alone fits."]),
    ],
)
def test_that_what_one_alone_would_do_is_told(times: float, said: list[str]) -> None:
    alone = AlonePlan(name="x", times=times, techniques=("c", "d"))
    assert plans.of_several(replace(PLAN, alone=alone)) == said


def test_that_one_alone_and_fewer_without_techniques_are_said_to_have_none() -> None:
    found = replace(PLAN, alone=AlonePlan(name="x", times=1.5), fewer=(FewerPlan(computers=2, times=1.3),))
    assert plans.of_several(found) == [
        "One x alone takes 1.50 times as long (no technique).",
        "2 of them, by those with least memory, take 1.30 times as long as all (no technique).",
    ]


def test_that_what_fewer_would_do_is_told() -> None:
    fewer = (FewerPlan(computers=3, times=1.336, techniques=("c", "d")), FewerPlan(computers=2))
    assert plans.of_several(replace(PLAN, fewer=fewer)) == [
        "3 of them, by those with least memory, take 1.34 times as long as all (c + d).",
        "No plan for 2 of them fits.",
    ]


def one(name: str, time: float, takes: int, *, remembers: bool = False) -> Plan:
    techniques = (name, "optimizer_offload") if remembers else (name, "hybrid_bands")
    return Plan(techniques=techniques, time_factor=time, process_bytes=takes)


def test_that_rungs_go_down_in_memory_and_no_further_than_is_of_use() -> None:
    made = [one("banded_loss", 1.0 + at / 10, 1000 - 20 * at) for at in range(12)]
    ladder = planner.choose(made, 1000)
    assert ladder.plan.time_factor == 1.0 and [rung.process_bytes for rung in ladder.next] == [
        1000 - 20 * at for at in range(1, 9)
    ]
    assert ladder.next[0].reason == "it takes 980 B, at 1.10 times the chosen plan's time."
    assert ladder.plan.reason == ("chosen because it is the fastest of 12 plans that fit 1000 B: it takes 1000 B.")
    close = planner.choose([one("banded_loss", 1.0, 1000), one("banded_loss", 1.1, 991)], 1000)
    assert close.next == (), "a hundredth less is no rung"
    smaller = planner.choose(made, 990, ("No.",))
    assert smaller.refused == (
        "banded_loss + hybrid_bands: refused because it takes 1000 B, more than 990 B.",
        "No.",
    )


def test_that_a_plan_that_alone_fits_is_not_the_fastest_of_one() -> None:
    made = [one("a", 1.0, 1000), one("b", 1.1, 900)]
    assert planner.choose(made, 950).plan.reason == "chosen because it is the only plan that fits: it takes 900 B."


def test_that_of_faster_plans_that_do_not_fit_the_one_that_takes_least_is_told_and_the_others_are_counted() -> None:
    made = [one("a", 1.0, 1000), one("b", 1.1, 900), one("c", 1.2, 950), one("d", 1.3, 500)]
    assert planner.choose(made, 600, ("No.",)).refused == (
        "b + hybrid_bands: refused because it takes 900 B, more than 600 B. Faster plans that do not fit either: 2.",
        "No.",
    )


def test_that_a_training_that_goes_on_has_rungs_alone_that_remember_the_same() -> None:
    made = [one("banded_loss", 1.0, 1000), one("banded_loss", 1.1, 900, remembers=True), one("banded_loss", 1.2, 800)]
    assert [rung.process_bytes for rung in planner.choose(made, 1000).next] == [900, 800]
    assert [rung.process_bytes for rung in planner.choose(made, 1000, resuming=True).next] == [800]


def test_that_each_device_holds_its_part_where_they_have_unlike_memory() -> None:
    for more, share, fits in (
        ((), 1.0, False),
        ((), 0.5, True),
        ((GIB, 0), 1.0, True),
        ((GIB - 1, 0), 1.0, False),
        ((GIB, -1), 1.0, False),
        ((0, -GIB), 0.5, True),
    ):
        assert planner.fits(PLAN, 2 * GIB, more, share=share) is fits
    ladder = planner.choose([PLAN], 2 * GIB, more=(GIB, 0))
    assert ladder.plan.reason.startswith("chosen because it is the only plan that fits: it takes ")
    with pytest.raises(UsageError, match=r"which has 2\.0 GiB for it"):
        planner.choose([PLAN], 2 * GIB, more=(0, 0))
    with pytest.raises(UsageError, match=r"No plan is possible here\. a b"):
        planner.choose([], GIB, ("a", "b"))


def test_that_a_faster_plan_is_refused_by_the_device_that_is_too_small_for_it() -> None:
    slower = replace(PLAN, time_factor=2.0, devices=(PLAN.devices[0], RankPlan(rank=1, name="y")))
    ladder = planner.choose([PLAN, slower], GIB, more=(3 * GIB, 0))
    assert ladder.refused == ("a + b: refused because it takes 2.0 GiB on y, which has 1.0 GiB for it.",)


NODES = tuple(Computer(name=name, cores=2, free_bytes=GIB) for name in "abc")


@pytest.mark.parametrize(
    ("asked", "ranks", "computers", "elsewhere", "several"),
    [
        ({}, 1, 0, False, Several(ranks=1, batch=4, network="resnet18")),
        ({"processes": 2}, 2, 0, False, Several(ranks=2, batch=4, network="resnet18")),
        (
            {"processes": 2, "device": "cuda:0,cuda:1"},
            2,
            0,
            False,
            Several(ranks=2, batch=4, network="resnet18", listed=2),
        ),
        ({"gpu": "RTX 3060"}, 1, 0, True, Several(ranks=1, batch=4, network="resnet18")),
        ({"cards": "RTX 3060 x3"}, 3, 0, True, Several(ranks=3, batch=4, network="resnet18", listed=3)),
        ({"cards": "RTX 3060, cpu"}, 2, 0, True, Several(ranks=2, batch=4, network="resnet18")),
        (
            {"cards": "RTX 3060 x3", "link": "1GbE"},
            3,
            0,
            True,
            Several(ranks=3, batch=4, network="resnet18", listed=3, computers=3),
        ),
        (
            {"cards": "RTX 3060 x3", "link": "PCIe"},
            3,
            0,
            True,
            Several(ranks=3, batch=4, network="resnet18", listed=3),
        ),
        ({"nodes": NODES}, 3, 3, False, Several(ranks=3, batch=4, network="resnet18", computers=3)),
        (
            {"nodes": NODES, "together": 2, "processes": 2},
            4,
            2,
            False,
            Several(ranks=4, batch=4, network="resnet18", computers=2),
        ),
    ],
)
def test_that_a_question_is_of_so_many_processes(
    asked: dict[str, Any], ranks: int, computers: int, elsewhere: bool, several: Several
) -> None:
    found = Question(**{"height": 192, "width": 192, "encoder": "resnet18", "batch": 4, **asked})
    assert (found.ranks, found.computers, found.elsewhere, found.several) == (ranks, computers, elsewhere, several)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"height": 191}, "191×192 pixels"),
        ({"width": 16385}, "192×16385 pixels"),
        ({"batch": 0}, "steps of 0 images"),
        ({"batch": 4097}, "steps of 4097 images"),
        ({"cards": "RTX 3060", "gpu": "RTX 3060"}, "named together with others"),
        ({"cards": "RTX 3060", "processes": 2}, "named together with others"),
        ({"nodes": NODES, "gpu": "RTX 3060"}, "these nodes"),
        ({"nodes": NODES, "cards": "RTX 3060"}, "these nodes"),
        ({"nodes": NODES, "together": 4}, "these nodes"),
        ({"processes": 0}, "Cannot plan for 0 processes"),
        ({"processes": 65}, "Cannot plan for 65 processes"),
        ({"nodes": NODES, "processes": 22}, "Cannot plan for 66 processes"),
        ({"budget": -1}, "a positive number"),
    ],
)
def test_that_what_cannot_be_asked_is_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Question(**{"height": 192, "width": 192, "encoder": "resnet18", **asked})


@pytest.mark.parametrize(
    "asked",
    [
        {"height": 192, "width": 16384},
        {"batch": 4096},
        {"nodes": NODES, "together": 3},
        {"processes": 64},
        {"nodes": NODES, "processes": 21},
    ],
)
def test_that_the_least_and_the_most_can_be_asked(asked: dict[str, Any]) -> None:
    given = PlanSpec(**{"height": 192, "width": 192, "encoder": "resnet18", **asked})
    found = judged(given)
    assert all(getattr(found, name) == value for name, value in vars(given).items())
    assert (found.rungs, found.before, found.trains_here) == (0, None, False)
