"""What a plan tells of a step whose bytes are known: margins, what a process holds beside it, and how sure it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fullfield import heap, system
from fullfield.hardware.links import Link
from fullfield.memory.account import Account, DeviceAccount, MemoryEstimate
from fullfield.memory.costs import Facts, Work
from fullfield.plan import libraries, totals
from fullfield.plan.libraries import Libraries
from fullfield.plan.plan import ABSENT, HERE
from fullfield.protocol.plan import LinkPlan, Plan, RankPlan
from fullfield.techniques import compose
from fullfield.techniques.site import Site
from techniques.stepping import site

MIB = 2**20
GIB = 2**30
FOUND = DeviceAccount(
    peak=10 * GIB,
    phase="backward",
    part="head",
    operation="aten::add",
    at_peak={"weights": GIB, "optimizer": 2 * GIB, "activations": 7 * GIB},
    forward=GIB,
    backward=10 * GIB,
    host=3 * GIB,
    together=12 * GIB,
)
PLAIN = Work(flops=10**12, moved=10**10, starts=400)


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "held", lambda techniques: Libraries(begin=500 * MIB, whole=900 * MIB))


def of(kind: str, *, ranks: int = 1, **changes: Any) -> Site:
    there = site("cpu") if kind == "cpu" else site("cuda", (8, 0))
    there.costs.facts = Facts(weights={"head": GIB}, buffers=0, tensors=100)
    rates = {} if kind == "cpu" else {"flops_per_second": 1e13, "bytes_per_second": 5e11}
    return replace(there, devices=(replace(there.devices[0], **rates, **changes),) * ranks)


def plan(there: Site, *texts: str, found: DeviceAccount = FOUND, **changes: Any) -> Plan:
    works = (PLAIN,) * there.ranks
    account = Account(devices=(found,) * there.ranks, works=works, plain=PLAIN)
    return totals.plan_of(compose.read(texts), MemoryEstimate(shape=there.shape, **changes), account, there)


def test_that_on_a_card_it_is_the_steps_peak_with_what_torch_keeps_and_its_context() -> None:
    there = of("cuda", context_bytes=400 * MIB)
    found = plan(there)
    assert found.allocator_bytes == round(10 * GIB * 1.01)
    assert found.reserved_bytes == round(10 * GIB * 0.05)
    assert (found.context_bytes, found.library_bytes) == (400 * MIB, 0)
    assert found.loader_bytes == MemoryEstimate(shape=there.shape).waiting_bytes > 0, "in the computer's memory"
    assert found.process_bytes == found.peak_bytes
    assert found.peak_bytes == found.allocator_bytes + found.reserved_bytes + 400 * MIB
    assert (found.optimizer_bytes, found.host_bytes, found.by_kind) == (2 * GIB, 3 * GIB, FOUND.at_peak)
    assert found.peak_at == "backward of head (aten::add)"
    assert found.estimate == HERE and "TFLOP/s" in found.notes[-1]
    absent = plan(replace(there, devices=(replace(there.devices[0], present=False),)))
    assert absent.peak_bytes == found.peak_bytes + GIB and absent.estimate == ABSENT, "a tenth more, in doubt"


@pytest.mark.parametrize(
    ("part", "operation", "said"),
    [("", "", "backward"), ("head", "", "backward of head"), ("", "aten::add", "backward (aten::add)")],
)
def test_that_the_peak_is_where_it_was_found(part: str, operation: str, said: str) -> None:
    assert plan(of("cuda"), found=replace(FOUND, part=part, operation=operation)).peak_at == said


def test_that_on_a_processor_it_is_the_whole_process_with_what_is_moved_to_the_same_memory() -> None:
    found = plan(of("cpu"))
    assert found.peak_bytes == round(10 * GIB * 1.01) + round(10 * GIB * 0.05) + 2 * GIB
    assert found.library_bytes == 900 * MIB and found.estimate == "" and found.notes == ()
    waiting = MemoryEstimate(shape=of("cpu").shape).waiting_bytes
    assert waiting > 0 and found.loader_bytes == waiting
    assert found.process_bytes == found.peak_bytes + 900 * MIB + waiting


@pytest.mark.parametrize(
    ("techniques", "given_back", "linux", "share", "least"),
    [
        ((), True, True, 0.05, 140),
        ((), False, True, 0.05, 140),
        (("full_bands",), True, True, 0.05, 500),
        (("full_bands",), False, True, 0.15, 800),
        (("full_bands",), False, False, 0.15, 300),
    ],
)
def test_that_a_heap_that_keeps_blocks_has_larger_holes_of_bands(
    techniques: tuple[str, ...],
    given_back: bool,
    linux: bool,
    share: float,
    least: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heap, "gives_back", lambda: given_back)
    monkeypatch.setattr(system, "LINUX", linux)
    small = replace(FOUND, peak=GIB, together=GIB, host=0, at_peak={"weights": 0, "optimizer": 0})
    there = replace(of("cpu"), shape=replace(of("cpu").shape, height=32, width=32))
    there.costs.facts = Facts(weights={"head": 0}, buffers=0, tensors=1)
    for peak in (GIB, 100 * GIB):
        found = plan(there, *techniques, found=replace(small, peak=peak, together=peak))
        assert found.reserved_bytes == round(peak * share)
        beside = found.process_bytes - found.allocator_bytes - 900 * MIB - found.loader_bytes
        assert beside == max(least * MIB, round(peak * share))
    card = plan(of("cuda"), *techniques, found=small)
    assert card.reserved_bytes == round(GIB * 0.05) and card.process_bytes == card.peak_bytes


def test_that_an_evaluation_may_take_more_than_a_step() -> None:
    there = of("cpu")
    small = replace(FOUND, peak=0, together=0, host=7 * MIB, at_peak={"weights": 5 * MIB, "optimizer": 3 * MIB})
    pixels = there.shape.height * there.shape.width
    found = plan(there, found=small)
    assert found.process_bytes == 900 * MIB + GIB + 10 * MIB + 72 * pixels + found.loader_bytes, "all ranks' weights"
    there.costs.facts = Facts(weights={"head": MIB}, buffers=0, tensors=1)
    found = plan(there, found=small)
    assert found.process_bytes == 900 * MIB + max(15 * MIB + 72 * pixels, 140 * MIB) + found.loader_bytes


def test_that_libraries_that_were_not_measured_make_it_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "held", lambda techniques: replace(libraries.UNMEASURED))
    assert plan(of("cpu")).estimate == "an estimate: what libraries take could not be measured here"
    assert plan(of("cuda")).estimate == HERE


def test_that_of_several_each_is_told_and_the_fullest_speaks_for_the_plan() -> None:
    link = Link(name="wire", seconds=1e-3, bytes_per_second=1e9)
    both = replace(of("cuda", ranks=2), link=link)
    first, second = both.devices
    both = replace(both, devices=(first, replace(second, title="another", context_bytes=GIB)))
    works = (replace(PLAIN, passed=10**9, messages=4), replace(PLAIN, shared=10**6, collectives=3, messages=1))
    account = Account(devices=(FOUND, FOUND), works=works, plain=PLAIN)
    estimate = MemoryEstimate(shape=replace(both.shape, batch=2), portions=(3, 1))
    found = totals.plan_of(compose.read(("banded_loss", "precision")), estimate, account, both)
    one, other = found.devices
    assert (one.rank, other.rank, one.name, other.name) == (0, 1, first.title, "another")
    assert one.rows + other.rows == both.shape.height and one.rows > other.rows
    assert (one.sent_bytes, one.messages, other.sent_bytes, other.messages) == (10**9, 4, 10**6, 4)
    assert one.waiting_seconds == pytest.approx(1.0 + 2e-3) and other.waiting_seconds > 0
    assert found.process_bytes == other.process_bytes == one.process_bytes + GIB - first.context_bytes
    assert found.device == "another" and found.link == LinkPlan(name="wire", seconds=1e-3, bytes_per_second=1e9)
    assert 0.5 < found.waiting < 1 and found.time_factor > 1.0 and found.flop_factor == 2.0
    assert found.techniques == tuple(map(str, compose.read(("banded_loss", "precision")))) and not found.exact
    assert found.size == (both.shape.height, both.shape.width) and found.batch == both.shape.batch
    alone = plan(of("cuda"), "banded_loss")
    assert alone.link is None and alone.exact and alone.waiting == 0.0 and isinstance(alone.devices[0], RankPlan)


def test_that_a_processor_beside_cards_holds_its_process_and_the_card_its_own() -> None:
    card, cpu = of("cuda").devices[0], replace(of("cpu").devices[0], flops_per_second=1e11)
    both = replace(of("cuda"), devices=(card, cpu))
    account = Account(devices=(FOUND, FOUND), works=(PLAIN, PLAIN), plain=PLAIN)
    found = totals.plan_of((), MemoryEstimate(shape=both.shape, notes=("A note.",)), account, both)
    assert [one.library_bytes for one in found.devices] == [0, 900 * MIB]
    assert found.estimate == HERE and found.notes[0] == "A note." and len(found.notes) == 2
