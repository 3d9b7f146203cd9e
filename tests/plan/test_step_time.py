"""The time of a step on a card, reckoned from what it asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.hardware.links import Link
from fullfield.memory.account import Account, MemoryEstimate
from fullfield.memory.costs import Facts, Work
from fullfield.plan import step_time
from fullfield.techniques import compose, registry
from fullfield.techniques.site import Site
from techniques.stepping import site

PLAIN = Work(flops=10**12, moved=10**10, starts=400)


def card() -> Site:
    """One second computes 10 TFLOP, or moves 500 GB."""
    there = site("cuda", (8, 0))
    rated = replace(there.devices[0], flops_per_second=1e13, bytes_per_second=5e11)
    there.costs.facts = Facts(weights={}, buffers=0, tensors=100)
    return replace(there, devices=(rated,))


def factor(work: Work, **changes: float) -> float:
    where = card()
    account = Account(devices=(), works=(work,), plain=PLAIN)
    return step_time.factor(replace(MemoryEstimate(shape=where.shape), **changes), account, where)  # type: ignore[arg-type]


SECONDS = (10**12 / 1e13 + 10**10 / 5e11) / step_time.SUSTAINED
STARTING = 10**6 * step_time.START_SECONDS


@pytest.mark.parametrize(
    ("work", "seconds"),
    [
        (PLAIN, SECONDS),
        (replace(PLAIN, flops=2 * 10**12), SECONDS + 0.1 / step_time.SUSTAINED),
        (replace(PLAIN, moved=3 * 10**10), SECONDS + 0.04 / step_time.SUSTAINED),
        (replace(PLAIN, starts=5000), SECONDS),
        (replace(PLAIN, starts=10**6 - step_time.UPDATE_STARTS), STARTING),
        (replace(PLAIN, sent=24 * 10**9), 1.0),
    ],
)
def test_that_a_card_takes_the_longer_of_computing_starting_and_sending(work: Work, seconds: float) -> None:
    assert factor(work) == pytest.approx(seconds / SECONDS)


def test_that_a_factor_measured_on_a_cpu_is_never_a_cards() -> None:
    assert factor(PLAIN, time=7.0) == 1.0


@pytest.mark.parametrize("name", [name for name in registry.all_techniques() if name != "accumulate"])
def test_that_no_technique_has_another_time_on_a_card_than_what_it_asks_for(name: str) -> None:
    estimate = compose.predict([registry.read(f"{name}:by=stage" if name == "checkpointing" else name)], card())
    plain = MemoryEstimate(shape=estimate.shape)
    timeless = replace(estimate, time=1.0)
    account = Account(devices=(), works=(PLAIN,), plain=PLAIN)
    assert step_time.factor(estimate, account, card()) == step_time.factor(timeless, account, card())
    waits = estimate.waits - plain.waits
    low_bits = dict.fromkeys(("optimizer_8bit", "optimizer_4bit"), 3000)
    assert waits == {"optimizer_in_backward": 100, "optimizer_offload": 400, **low_bits}.get(name, 0)


def test_that_shorter_numbers_save_time_on_cards_that_have_units_for_them() -> None:
    (there,) = card().devices
    estimate, account = MemoryEstimate(shape=card().shape), Account(devices=(), works=(PLAIN,), plain=PLAIN)
    old = replace(card(), devices=(replace(there, capability=(6, 1)),))
    short = replace(estimate, precision="fp16")
    saved = 0.1 * (1 - step_time.SHORTER["fp16"]) / step_time.SUSTAINED
    assert step_time.factor(short, account, card()) == pytest.approx(1 - saved / SECONDS)
    assert step_time.factor(short, account, old) == 1.0


def test_that_what_is_sent_to_the_host_takes_longer_by_the_link_of_an_older_card() -> None:
    (there,) = card().devices
    account = Account(devices=(), works=(replace(PLAIN, sent=24 * 10**9),), plain=PLAIN)
    old = replace(card(), devices=(replace(there, capability=(7, 5)),))
    found = step_time.factor(MemoryEstimate(shape=old.shape), account, old)
    assert found == pytest.approx(2.0 / SECONDS)


def test_that_operations_of_a_codec_start_sooner_than_those_that_autograd_sees() -> None:
    many = replace(PLAIN, starts=PLAIN.starts + 10**6)
    seen = (PLAIN.starts + step_time.UPDATE_STARTS) * step_time.START_SECONDS
    for more, seconds in (({"codec": "f8"}, 15.0), ({}, 70.0), ({"codec": "f8", "portions": (1, 1)}, 70.0)):
        assert factor(many, **more) == pytest.approx((seen + seconds) / SECONDS)  # type: ignore[arg-type]


def test_that_what_is_sent_to_the_host_makes_no_operation_quicker() -> None:
    many = replace(PLAIN, starts=10**6)
    account = Account(devices=(), works=(many,), plain=many)
    found = [step_time.alone(MemoryEstimate(shape=card().shape, codec=codec), account, card()) for codec in ("", "f8")]
    assert found[0] == found[1] and factor(PLAIN, codec="offload") == factor(PLAIN)


def test_that_ranks_on_one_cpu_take_the_time_of_all_that_they_compute() -> None:
    here = site("cpu")
    two = replace(here, devices=here.devices * 2)
    account = Account(devices=(), works=(PLAIN, PLAIN), plain=PLAIN)
    assert step_time.factor(MemoryEstimate(shape=two.shape, time=1.5), account, two) == 3.0


def test_that_two_ranks_on_one_card_take_twice_as_long_as_on_two_and_the_plain_step_has_all_of_it() -> None:
    (whole,) = card().devices
    apart, together = (
        replace(
            card(), devices=(replace(whole, sharing=sharing),) * 2, link=Link(name="", seconds=0, bytes_per_second=1e12)
        )
        for sharing in (1, 2)
    )
    for work in (PLAIN, replace(PLAIN, sent=24 * 10**9)):
        account, estimate = Account(devices=(), works=(work, work), plain=PLAIN), MemoryEstimate(shape=apart.shape)
        times = [step_time.factor(estimate, account, one) for one in (apart, together)]
        assert times[1] == pytest.approx(2 * times[0])
        assert step_time.alone(estimate, account, together) == pytest.approx(SECONDS)


def test_that_half_of_the_work_on_each_of_two_cards_takes_half_of_what_one_was_measured_to_take() -> None:
    half = Work(flops=PLAIN.flops // 2, moved=PLAIN.moved // 2, starts=400)
    both = replace(card(), devices=card().devices * 2, link=Link(name="", seconds=0, bytes_per_second=1e12))
    account = Account(devices=(), works=(half, half), plain=PLAIN)
    assert step_time.apart(MemoryEstimate(shape=both.shape), account, both, 3.0) == pytest.approx(1.5)


def test_that_the_slower_of_two_cards_is_waited_for_and_both_wait_for_the_link() -> None:
    (fast,) = card().devices
    slow = replace(fast, flops_per_second=fast.flops_per_second / 2)
    said = replace(PLAIN, passed=10**9, messages=100, shared=10**9, collectives=10)
    link = Link(name="slow", seconds=1e-3, bytes_per_second=1e9)
    both = replace(card(), devices=(fast, slow), link=link)
    waited = 100 / 2 * 1e-3 + 1.0 + 10 * 2 * 1e-3 + 1.0  # a ring of two: two rounds, and all of the bytes
    assert step_time.talking(said, both) == pytest.approx(waited)
    found = step_time.factor(
        MemoryEstimate(shape=both.shape), Account(devices=(), works=(said, said), plain=PLAIN), both
    )
    assert found == pytest.approx((SECONDS + 0.1 / step_time.SUSTAINED + waited) / SECONDS)
    assert step_time.talking(said, card()) == 0.0


def test_that_what_ranks_wait_for_messages_is_a_share_of_the_slowest_ranks_step() -> None:
    link = Link(name="slow", seconds=0.0, bytes_per_second=1e6)
    where = replace(card(), devices=card().devices * 2, link=link)
    works = (PLAIN, replace(PLAIN, shared=10**5))
    account = Account(devices=(), works=works, plain=PLAIN)
    estimate = MemoryEstimate(shape=where.shape)
    assert step_time.waiting(estimate, account, where) == pytest.approx(0.1 / (SECONDS + 0.1))
    on_cpu = replace(where, devices=tuple(replace(one, kind="cpu") for one in where.devices))
    assert step_time.waiting(estimate, account, on_cpu) == 0.0


QUICK = Link(name="", seconds=0.0, bytes_per_second=1e30)


@pytest.mark.parametrize(("waiting", "idle"), [(0, 1 / 5), (4, 1 / 9)])
def test_that_ranks_with_other_parts_of_the_network_wait_for_the_first_image_and_the_last(
    waiting: int, idle: float
) -> None:
    link = Link(name="", seconds=0.0, bytes_per_second=1e6)
    both = replace(card(), devices=card().devices * 2, link=link)
    account = Account(devices=(), works=(PLAIN, replace(PLAIN, passed=10**5)), plain=PLAIN)
    shape = replace(both.shape, batch=4)
    plain = MemoryEstimate(shape=shape)
    placed = replace(plain, placed=((), ()), waiting=waiting)  # type: ignore[arg-type]
    assert step_time.factor(placed, account, both) == pytest.approx(step_time.factor(plain, account, both) / (1 - idle))
    assert step_time.waiting(placed, account, both) == pytest.approx(
        step_time.waiting(plain, account, both) * (1 - idle)
    )
    apart = [step_time.apart(one, account, both, 3.0) for one in (plain, placed)]
    assert apart[0] == pytest.approx(3.1) and apart[1] == pytest.approx(3.1 / (1 - idle))


def test_that_on_processors_of_several_computers_each_takes_its_own_share_of_the_time() -> None:
    cpu = site("cpu").devices[0]
    devices = tuple(replace(cpu, flops_per_second=speed) for speed in (4e11, 2e11))
    two = replace(site("cpu"), devices=devices, computers=2, link=QUICK)
    half = replace(PLAIN, flops=PLAIN.flops // 2)
    account = Account(devices=(), works=(half, half), plain=PLAIN)
    estimate = MemoryEstimate(shape=two.shape, time=1.5)
    assert step_time.alone(estimate, account, two) == pytest.approx(2.5), "the plain step, on the fastest of them"
    assert step_time.factor(estimate, account, two) == pytest.approx(0.5 * 1.5 * 5.0 / 2.5)
    quarter = replace(account, works=(half, replace(PLAIN, flops=PLAIN.flops // 4)))
    assert step_time.factor(estimate, quarter, two) == pytest.approx(0.75)
    assert step_time.apart(estimate, quarter, two, 4.0) == pytest.approx(4.0 * 0.75)
    slow = replace(two, link=Link(name="", seconds=0.0, bytes_per_second=1e6))
    told = replace(account, works=(half, replace(half, passed=10**6)))
    assert step_time.apart(estimate, told, slow, 4.0) == pytest.approx(4.0), "the last one waits a second for it"
    assert step_time.waiting(estimate, told, slow) == pytest.approx(1.0 / (3.75 + 1.0))


def test_that_the_update_reads_and_writes_weights_and_waits_for_the_card_and_its_link() -> None:
    there = card()
    there.costs.facts = Facts(weights={"a": 10**9, "b": 2 * 10**9}, buffers=0, tensors=2)
    account = Account(devices=(), works=(PLAIN,), plain=PLAIN)
    plain = MemoryEstimate(shape=there.shape)
    moved = 7 * 3 * 10**9 / 5e11 / step_time.SUSTAINED
    alone = step_time.alone(plain, account, there)
    assert alone == pytest.approx(SECONDS + moved)
    waits = replace(plain, waits=plain.waits + 10**5, sent=2.0, update_starts=0)
    found = step_time.factor(waits, account, there) * alone
    assert found == pytest.approx(alone + (10**5 + plain.waits) * 30e-6 + 2.0 * 3 * 10**9 / 24e9, rel=1e-3)
    started = replace(plain, update_starts=10**6)
    assert step_time.factor(started, account, there) * alone == pytest.approx(70.0, rel=1e-2)


@pytest.mark.parametrize(
    ("capability", "rate"), [((9, 0), 36e9), ((8, 9), 24e9), ((8, 0), 24e9), ((7, 5), 12e9), ((0, 0), 12e9)]
)
def test_that_a_card_is_reached_by_the_link_of_its_time(capability: tuple[int, int], rate: float) -> None:
    there = replace(card(), devices=(replace(card().devices[0], capability=capability),))
    account = Account(devices=(), works=(replace(PLAIN, sent=72 * 10**9),), plain=PLAIN)
    found = step_time.factor(MemoryEstimate(shape=there.shape), account, there) * SECONDS
    assert found == pytest.approx(72e9 / rate)


@pytest.mark.parametrize(("capability", "shorter"), [((6, 2), 1.0), ((7, 0), 0.5), ((7, 5), 0.5)])
@pytest.mark.parametrize(("precision", "time"), [("fp32", 1.0), ("tf32", 0.8), ("bf16", 1.0), ("fp16", 1.0)])
def test_that_shorter_numbers_are_quicker_from_the_first_cards_with_units_for_them_on(
    capability: tuple[int, int], shorter: float, precision: str, time: float
) -> None:
    there = replace(card(), devices=(replace(card().devices[0], capability=capability),))
    account = Account(devices=(), works=(PLAIN,), plain=PLAIN)
    found = step_time.factor(MemoryEstimate(shape=there.shape, precision=precision), account, there)
    share = shorter * time if precision != "fp32" and shorter < 1 else 1.0
    assert found * SECONDS == pytest.approx((0.1 * share + 0.02) / step_time.SUSTAINED)


def test_that_what_times_are_reckoned_from_is_said_of_each_kind_of_device() -> None:
    (fast,) = card().devices
    slow, cpu = (
        replace(fast, title="slow", flops_per_second=5e12),
        replace(site("cpu").devices[0], flops_per_second=1e9),
    )
    said = step_time.describe((fast, slow, cpu))
    assert "22% of the rates" in said and "slow: 5 TFLOP/s, 500 GB/s" in said and "70 µs for each operation" in said
    assert said.endswith("The CPU is taken to compute 1 GFLOP/s.") and "CPU" not in step_time.describe((fast, slow))


def test_that_the_plain_step_alone_waits_for_nothing_that_techniques_bring() -> None:
    there = card()
    many = replace(PLAIN, starts=10**6)
    brings = MemoryEstimate(shape=there.shape, waits=700, update_starts=700, precision="fp16", time=3.0)
    for plain, seconds in ((PLAIN, SECONDS), (many, (10**6 + 20) * 70e-6)):
        account = Account(devices=(), works=(plain,), plain=plain)
        assert step_time.alone(brings, account, there) == pytest.approx(seconds, rel=1e-7)
        found = step_time.apart(replace(brings, waits=0, update_starts=0, precision="fp32"), account, there, 3.0)
        assert found == pytest.approx(3.0, rel=1e-7)
