"""The options of `fullfield plan`, and what it says."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield.errors import UsageError
from fullfield.plan.plan import ABSENT
from fullfield.plan.question import judged
from fullfield.protocol.events import PlanMade
from fullfield.protocol.plan import MEASURED, AlonePlan, CurvePoint, FewerPlan, LinkPlan, Plan, RankPlan
from fullfield.protocol.planning import PlanSpec
from fullfield_app.arguments import Parser
from fullfield_app.cli import plan
from nodes.servers import kept, script


def given(*words: str) -> argparse.Namespace:
    parser = Parser()
    plan.add_options(parser)
    return parser.parse_args(words)


def sized(size: str) -> PlanSpec:
    return plan.question(given("--size", size))


def test_that_what_is_free_is_the_budget_where_none_is_given_and_no_memory_is_none() -> None:
    assert plan.question(given()).budget == 0
    assert plan.question(given("--budget", "1TiB")).budget == 1 << 40
    for nothing in ("0", "0GiB"):
        with pytest.raises(UsageError, match="Leave --budget out"):
            plan.question(given("--budget", nothing))


def test_that_a_size_is_read_and_one_that_is_none_or_absurd_is_refused() -> None:
    assert [(one.height, one.width) for one in map(sized, ("512", "1024x768"))] == [(512, 512), (1024, 768)]
    for size in ("large", "9" * 5000, "512x" + "9" * 5000):
        with pytest.raises(UsageError, match="as a size"):
            sized(size)


def test_that_a_list_of_devices_is_planned_with_a_process_on_each() -> None:
    named = {(): 1, ("--device", "cuda:0"): 1, ("--device", "cuda:0,cuda:2,cpu"): 3}
    assert {words: plan.question(given(*words)).processes for words in named} == named
    assert plan.question(given("--device", "cuda:0,cpu", "--processes", "4")).processes == 4
    for elsewhere in (("--cards", "RTX 2070, cpu"), ("--gpu", "RTX 2070")):
        asked = judged(plan.question(given(*elsewhere, "--device", "cuda:0,cpu")))
        assert asked.processes == 1, "they need not be here, and the device says nothing of them"


def test_that_one_card_that_is_not_here_is_for_no_more_than_one_process() -> None:
    with pytest.raises(UsageError, match="--gpu names one card"):
        plan.question(given("--gpu", "RTX 3060", "--processes", "2"))
    assert plan.question(given("--gpu", "RTX 3060", "--processes", "1")).processes == 1


def test_that_a_link_is_refused_where_one_device_alone_is_planned_for() -> None:
    for alone in ((), ("--gpu", "RTX 2070"), ("--cards", "RTX 2070"), ("--processes", "1")):
        with pytest.raises(UsageError, match="nothing connects it"):
            judged(plan.question(given("--link", "1GbE", *alone)))
    for several in (("--cards", "RTX 2070 x2"), ("--processes", "2")):
        assert judged(plan.question(given("--link", "1GbE", *several))).link == "1GbE"


def test_that_context_and_reserved_memory_are_shown_beside_the_allocators_peak(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sizes = {"peak_bytes": 1000, "allocator_bytes": 600, "reserved_bytes": 60, "context_bytes": 300, "host_bytes": 40}
    sizes |= {"process_bytes": 1900, "library_bytes": 800, "loader_bytes": 70}
    plan._tell(PlanMade(plan=Plan(**sizes, peak_at="backward")))
    shown = capsys.readouterr().err
    step = "600 B at the allocator's peak + 60 B reserved besides + 300 B context + 40 B host"
    assert f"{step} + 800 B libraries + 70 B images that wait + 30 B evaluation\n" in shown
    assert "the process will hold at most 1.9 KiB\n" in shown and "the training's tensors 600 B" in shown


def test_that_host_memory_of_the_cpu_beside_cards_that_are_not_here_is_no_doubt(
    capsys: pytest.CaptureFixture[str],
) -> None:
    on_card = Plan(peak_bytes=110, process_bytes=110, allocator_bytes=100, estimate=ABSENT)
    on_cpu = replace(on_card, process_bytes=150, library_bytes=40)
    for fullest, parts in ((on_card, "10 B doubt"), (on_cpu, "10 B host + 40 B libraries")):
        plan._tell(PlanMade(plan=fullest))
        assert f"  100 B at the allocator's peak + {parts}\n" in capsys.readouterr().err


def test_that_a_quiet_plan_is_its_techniques_and_its_memory(capsys: pytest.CaptureFixture[str]) -> None:
    plan._tell(PlanMade(plan=Plan(techniques=("a", "b"), process_bytes=1 << 30)), quiet=True)
    assert capsys.readouterr().err == "a + b\n  memory  the process will hold at most 1.0 GiB\n"


def test_that_the_curve_shows_memory_against_work_and_where_the_chosen_plan_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    figures = {"d": (1 << 30, 2.4), "b": (3 << 30, 1.6), "a": (4 << 30, 1.5)}
    points = tuple(
        CurvePoint(techniques=(name,), process_bytes=size, flop_factor=work) for name, (size, work) in figures.items()
    )
    made = PlanMade(plan=Plan(techniques=("b",)), curve=points)
    plan._tell(made)
    shown = capsys.readouterr().err
    lines = [line.split() for line in shown[shown.index("memory against work") :].splitlines()[1:]]
    assert [(line[-1], line[0] == ">") for line in lines] == [("d", False), ("b", True), ("a", False)]
    assert [line[-6:-3] for line in lines] == [["1.0", "GiB", "2.40"], ["3.0", "GiB", "1.60"], ["4.0", "GiB", "1.50"]]
    assert len(lines[0][-2]) == plan.BAR > len(lines[2][-2]) > plan.BAR // 2
    plan._tell(replace(made, curve=points[:1]))
    assert "memory against work" not in capsys.readouterr().err


def test_that_the_help_says_which_plans_are_compared() -> None:
    parser = Parser()
    plan.add_options(parser)
    assert plan.COMPARED in " ".join(parser.format_help().split())


def test_that_several_devices_are_told_with_what_is_between_them_and_whether_they_pay(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ranks = tuple(RankPlan(rank=rank, name="GTX 1650", waiting_seconds=0.25) for rank in range(2))
    link = LinkPlan(name="here", seconds=1e-4, bytes_per_second=2e9, source=MEASURED)
    alone = AlonePlan(name="GTX 1650", times=0.9, techniques=("banded_loss",))
    reported = Plan(devices=ranks, link=link, alone=alone, waiting=0.4)
    plan._tell(PlanMade(plan=reported))
    shown = capsys.readouterr().err
    assert "  link    measured here: 2 GB/s, 100 µs a message; 0.25 s of a step for it\n" in shown
    assert "waits 40% of a step for messages. What is not exact may shorten them: --approximate.\n" in shown
    assert "  One GTX 1650 alone takes 0.90 times as long (banded_loss).\n  More of them do not pay here.\n" in shown
    plan._tell(PlanMade(plan=replace(reported, alone=AlonePlan(name="process"), waiting=0.0)))
    shown = capsys.readouterr().err
    assert "No plan for one process alone fits.\n" in shown and "limit" not in shown and "do not pay" not in shown
    fewer = (FewerPlan(computers=3, times=1.31, techniques=("spatial",)), FewerPlan(computers=2))
    plan._tell(PlanMade(plan=replace(reported, fewer=fewer)))
    shown = capsys.readouterr().err
    assert "  3 of them, by those with least memory, take 1.31 times as long as all (spatial).\n" in shown
    assert "  No plan for 2 of them fits.\n" in shown


def test_that_machines_are_asked_what_they_have_and_measured_before_they_are_planned_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path, monkeypatch)
    for name in ("a", "b"):
        kept(name, tmp_path / name, name=name, interface="lo", allow_unencrypted=True)
    first, second = plan.question(given("--on", "a,b", "--device", "cpu")).nodes
    assert (first.name, second.name) == ("a", "b") and first.free_bytes > 0 and first.cores > 0
    assert second.link is not None and second.link.source == MEASURED and first.link is None
    kept("b", tmp_path / "b", name="b")
    with pytest.raises(UsageError, match="Of b no network interface is named"):
        plan.question(given("--on", "a,b"))
    assert plan.question(given()).nodes == ()
