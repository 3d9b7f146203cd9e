"""A plan tells of every rank's device; its own figures are those of the fullest."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from fullfield.errors import UsageError
from fullfield.hardware import links, measured_links
from fullfield.memory.account import Account, DeviceAccount, MemoryEstimate, Shape
from fullfield.memory.costs import Costs, Facts, Work
from fullfield.plan import plan as plans
from fullfield.plan import predicting, totals
from fullfield.plan.plan import Ladder
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.plan.sets import Sets
from fullfield.protocol import event_lines
from fullfield.protocol.events import PlanMade, to_line
from fullfield.protocol.plan import ESTIMATED, GIVEN, MEASURED, DevicePlan, Plan
from fullfield.techniques import compose
from fullfield.techniques.base import Tier
from fullfield.techniques.site import Card, Site

GIB = 1 << 30
SHAPE = Shape(height=192, width=192, encoder="resnet18")
TOLD_ALWAYS = (
    *("size", "batch", "techniques", "exact", "process_bytes", "peak_bytes", "allocator_bytes", "reserved_bytes"),
    *("context_bytes", "library_bytes", "loader_bytes", "optimizer_bytes", "host_bytes", "flop_factor", "time_factor"),
    *("estimate", "by_kind", "peak_at", "reason", "notes", "waiting"),
)
OF_RANKS = (
    *("rank", "name", "peak_bytes", "allocator_bytes", "optimizer_bytes", "host_bytes", "process_bytes", "rows"),
    *("sent_bytes", "messages", "waiting_seconds"),
)


def card(title: str, **changes: object) -> Card:
    given = {"kind": "cuda", "total_bytes": 8 * GIB, "free_bytes": 8 * GIB, **changes}
    return Card(title=title, flops_per_second=1e13, bytes_per_second=5e11, **given)  # type: ignore[arg-type]


def taken(peak: int) -> DeviceAccount:
    kinds = {"weights": peak // 4, "optimizer": peak // 2, "activations": peak - peak // 4 - peak // 2}
    return DeviceAccount(
        peak=peak,
        phase="backward",
        part="head",
        operation="",
        at_peak=kinds,
        forward=peak // 2,
        backward=peak,
        host=0,
        together=peak,
    )


def planned(cards: tuple[Card, ...], peaks: tuple[int, ...], shape: Shape = SHAPE) -> Plan:
    site = Site(devices=cards, shape=shape, costs=Costs(Facts(weights={"a": 100}, buffers=0)))
    work = Work(flops=10**12, moved=10**10)
    account = Account(devices=tuple(map(taken, peaks)), works=(work,) * len(cards), plain=work)
    return totals.plan_of((), MemoryEstimate(shape=shape), account, site)


def test_that_a_plan_of_one_device_tells_it_once_more_by_its_name() -> None:
    plan = planned((card("a"),), (GIB,))
    (only,) = plan.devices
    assert only.name == plan.device == "a" and (only.rank, only.rows) == (0, 192)
    assert {item.name for item in fields(DevicePlan)} < set(vars(only))
    assert all(getattr(plan, item.name) == getattr(only, item.name) for item in fields(DevicePlan))
    assert "fullest" not in plans.describe(plan)


def test_that_a_plan_is_that_of_its_fullest_device() -> None:
    plan = planned((card("a"), card("b", context_bytes=GIB), card("c")), (GIB, 2 * GIB, GIB))
    assert [(one.rank, one.name) for one in plan.devices] == [(0, "a"), (1, "b"), (2, "c")]
    assert plan.devices[0].process_bytes < plan.devices[1].process_bytes == plan.process_bytes
    assert (plan.device, plan.context_bytes) == ("b", GIB)
    assert plan.peak_bytes == planned((card("b", context_bytes=GIB),), (2 * GIB,)).peak_bytes
    assert "the process on b, the fullest of 3 devices, will hold at most" in plans.describe(plan)


def test_that_what_a_card_holds_before_the_first_tensor_is_part_of_the_peak() -> None:
    without, more = (planned((card("a", context_bytes=size),), (GIB,)) for size in (0, 300 << 20))
    assert more.peak_bytes == without.peak_bytes + (300 << 20) == more.process_bytes
    assert without.peak_bytes == without.allocator_bytes + without.reserved_bytes


@pytest.mark.parametrize(("side", "each"), [(2048, 72), (3000, 72), (4288, 56)])
def test_that_a_process_has_room_to_compare_images_where_that_takes_more_than_a_step(side: int, each: int) -> None:
    shape = Shape(height=side, width=side, encoder="resnet18")
    plan = planned((card("a", kind="cpu"),), (1000,), shape)
    compared = plan.process_bytes - plan.library_bytes - plan.loader_bytes - plan.optimizer_bytes
    assert compared == plan.by_kind["weights"] + each * side**2
    roomy = planned((card("a", kind="cpu"),), (each * side**2,), shape)
    assert roomy.process_bytes - roomy.library_bytes - roomy.loader_bytes > roomy.peak_bytes > compared


@pytest.mark.parametrize(
    ("part", "operation", "reported"),
    [
        ("head", "", "backward of head"),
        ("head", "aten::cat", "backward of head (aten::cat)"),
        ("", "", "backward"),
        ("", "aten::cat", "backward (aten::cat)"),
    ],
)
def test_that_the_moment_of_the_peak_is_told_by_its_phase_part_and_operation(
    part: str, operation: str, reported: str
) -> None:
    site = Site(devices=(card("a"),), shape=SHAPE, costs=Costs(Facts(weights={"a": 100}, buffers=0)))
    found = replace(taken(GIB), part=part, operation=operation)
    account = Account(devices=(found,), works=(Work(flops=1),), plain=Work(flops=1))
    assert totals.plan_of((), MemoryEstimate(shape=SHAPE), account, site).peak_at == reported


def test_that_one_card_that_is_not_here_makes_the_plan_an_estimate_for_one() -> None:
    here, absent = card("a"), card("b", present=False)
    assert planned((here, here), (GIB, GIB)).estimate == plans.HERE
    assert planned((here, absent), (GIB, GIB)).estimate == plans.ABSENT


def test_that_the_rates_of_each_card_are_told_and_of_like_ones_once() -> None:
    rated = {"flops_per_second": 7.5e12, "bytes_per_second": 448e9}
    fast, slow = replace(card("a"), **rated), replace(card("b"), flops_per_second=1e12, bytes_per_second=1e11)
    assert "(a: 7.5 TFLOP/s, 448 GB/s; b: 1 TFLOP/s, 100 GB/s)" in planned((fast, slow), (GIB, GIB)).notes[-1]
    assert "(7.5 TFLOP/s, 448 GB/s)" in planned((fast, fast), (GIB, GIB)).notes[-1]
    assert "CPU" not in planned((fast, fast), (GIB, GIB)).notes[-1]


def test_that_what_a_process_holds_more_is_on_every_device() -> None:
    found = Ladder(plan=planned((card("a"), card("b")), (GIB, GIB)), next=(), refused=(), budget=9 * GIB)
    more = found.with_more(5).plan
    assert [one.process_bytes - before.process_bytes for one, before in zip(more.devices, found.plan.devices)] == [5, 5]
    assert more.process_bytes == found.plan.process_bytes + 5


def test_that_the_event_of_a_plan_keeps_its_names_and_an_older_one_is_read() -> None:
    made = PlanMade(plan=planned((card("a"), card("b")), (GIB, GIB)))
    reported = json.loads(to_line(made))
    assert set(TOLD_ALWAYS) | {"device", "devices", "link", "alone", "fewer"} == set(reported["plan"])
    assert set(OF_RANKS) < set(reported["plan"]["devices"][0])
    assert event_lines.from_line(json.dumps(reported)) == made
    older = {name: reported["plan"][name] for name in TOLD_ALWAYS}
    read = event_lines.from_line(json.dumps({**reported, "plan": older}))
    assert isinstance(read, PlanMade)
    assert read.plan == replace(made.plan, device="", devices=(), link=None)
    assert isinstance(made.plan.devices[0], DevicePlan)


def question(**changes: Any) -> Question:
    return Question(height=192, width=192, encoder="resnet18", **changes)


@pytest.mark.usefixtures("traced")
def test_that_cards_share_an_image_by_their_memory_and_the_smallest_bounds_a_budget() -> None:
    asked = replace(question(cards="RTX 3060, GTX 1650", budget=10 * GIB), height=1024, width=1024)
    plan = predicting.answer(asked, Predictor(asked)).plan
    assert [one.name for one in plan.devices] == ["RTX 3060", "GTX 1650"]
    assert sum(one.rows for one in plan.devices) == 1024 and plan.devices[0].rows > plan.devices[1].rows
    assert plan.process_bytes == max(one.process_bytes for one in plan.devices)
    assert all(one.sent_bytes > 0 and one.messages > 0 for one in plan.devices)
    assert any("more than GTX 1650 has" in note for note in plan.notes)
    assert plan.alone is not None and plan.alone.name == "RTX 3060" and plan.alone.times > 0
    assert any(line.startswith("One RTX 3060 alone takes ") for line in plans.of_several(plan))


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize(("link", "pays"), [("PCIe", True), ("100kB/s,0.1", False)])
def test_that_a_slow_link_is_said_not_to_pay(link: str, pays: bool) -> None:
    asked = replace(question(cards="GTX 1650 x2", link=link), height=2048, width=2048)
    plan = predicting.answer(asked, Predictor(asked)).plan
    assert plan.alone is not None and plan.alone.pays == pays != (plans.PAYS_NOT in plans.of_several(plan))
    assert plan.link is not None and plan.link.source == GIVEN and (plan.waiting > 0.5) != pays
    assert "as it is given" in plans.of_several(plan)[0]


@pytest.mark.usefixtures("traced")
def test_that_one_device_alone_is_planned_without_what_several_share() -> None:
    asked = question(cards="GTX 1650 x2", always=("spatial", "banded_loss", "hybrid_bands"))
    alone = predicting.answer(asked, Predictor(asked)).plan.alone
    assert alone is not None and alone.techniques == ("banded_loss", "hybrid_bands")


@pytest.mark.usefixtures("traced")
def test_that_cards_that_share_rows_may_have_their_maps_on_the_host() -> None:
    asked = question(cards="GTX 1650 x2", techniques=("spatial", "banded_loss", "full_bands:tier=host"))
    plan = predicting.answer(asked, Predictor(asked)).plan
    assert [one.rows for one in plan.devices] == [96, 96] and plan.host_bytes > 0


@pytest.mark.usefixtures("traced")
def test_that_a_link_is_an_estimate_until_a_training_has_measured_it_and_named_techniques_share_images() -> None:
    asked = question(device="cpu", processes=2, batch=2, techniques=("banded_loss",))
    predictor = Predictor(asked)
    before = predicting.answer(asked, predictor).plan
    assert before.techniques == ("banded_loss", "data_parallel"), "as a training does it"
    assert before.alone is not None and before.alone.techniques == ("banded_loss",)
    assert before.link is not None and before.link.source == ESTIMATED and "an estimate" in plans.of_several(before)[0]
    measured_links.keep("cpu", 2, links.of_sums(1e-3, 0.101, 4 << 20, 2), apart=False)
    predictor.renew(asked)
    after = predicting.answer(asked, predictor).plan
    assert after.link is not None and after.link.source == MEASURED and "measured here" in plans.of_several(after)[0]
    assert after.link.seconds == pytest.approx(5e-4)
    assert after.devices[0].waiting_seconds > 10 * before.devices[0].waiting_seconds > 0
    named = Predictor(question(device="cpu", processes=2, batch=2, link="1GbE")).site.link
    assert named.source == GIVEN and named.name == "1GbE"


@pytest.mark.usefixtures("traced")
def test_that_each_card_may_be_filled_by_itself_where_no_budget_is_said() -> None:
    asked = question(cards="RTX 3060, 1GiB")
    predictor = Predictor(asked)
    assert predictor.limits == (12 * GIB, GIB) and predictor.free_bytes == GIB
    plan = predicting.answer(asked, predictor).plan
    assert all(one.process_bytes <= limit for one, limit in zip(plan.devices, predictor.limits, strict=True))
    assert "what each device has" in plan.reason


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"cards": "GTX 1650 x2", "gpu": "RTX 3060"}, "Name all of them by --cards"),
        ({"cards": "GTX 1650 x99"}, "99 cards"),
        ({"cards": "GTX 1650, "}, "not known"),
        ({"processes": 65}, "65 processes"),
    ],
)
def test_that_devices_that_make_no_sense_are_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError) as found:
        _ = question(**changes).ranks
    assert why in str(found.value)


def test_that_a_plan_of_images_by_speed_tells_each_card_by_its_own_images() -> None:
    def predicted(texts: tuple[str, ...], batch: int, cards: str) -> Plan:
        asked = Question(height=1024, width=768, encoder="resnet18", batch=batch, cards=cards, techniques=texts)
        return Predictor(asked).plan(compose.read(texts))

    joint = "data_parallel:batch_norm=joint"
    turns, speed = (predicted((text,), 4, "RTX 3070, GTX 1650") for text in (joint, f"{joint},portions=3+1"))
    first, second = (predicted((joint,), batch, "RTX 3070 x2").devices[0] for batch in (6, 2))
    assert [one.allocator_bytes for one in speed.devices] == [first.allocator_bytes, second.allocator_bytes]
    assert [one.loader_bytes for one in speed.devices] == [first.loader_bytes, second.loader_bytes]
    assert speed.flop_factor == pytest.approx(turns.flop_factor) == pytest.approx(1.0)
    assert speed.time_factor < turns.time_factor and speed.exact


def test_that_portions_of_groups_are_faster_where_groups_are_unlike_and_leave_small_cards_more() -> None:
    asked = Question(height=1024, width=768, encoder="resnet18", batch=4, cards="RTX 3070 x2, GTX 1650 x2")
    grid, joint = ("banded_loss", "spatial:processes=2"), "data_parallel:batch_norm=joint"
    sets = {frozenset(map(str, one)) for tier in Tier for one in Sets(asked, Predictor(asked).site).of(tier)}
    portions = f"{joint},portions=3+3+1+1"
    assert {*grid, portions} in sets and {"banded_loss", portions} not in sets, "alone it leaves two without an image"
    turns, speed = (Predictor(asked).plan(compose.read((*grid, text))) for text in (joint, portions))
    assert speed.time_factor < turns.time_factor and speed.exact
    small = [plan.devices[2].allocator_bytes for plan in (turns, speed)]
    assert small[1] < small[0]
