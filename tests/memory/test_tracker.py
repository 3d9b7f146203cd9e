"""What a trace counts of a step's work, beside the operations that a real one starts."""

from __future__ import annotations

import pytest
import torch

from fullfield.bench.starts import Started
from fullfield.bench.stepping import Stepping, noise
from fullfield.host_tier.host import HostTensor
from fullfield.kernels import rows
from fullfield.memory.account import Account, MemoryEstimate, Shape
from fullfield.memory.costs import Work
from fullfield.memory.tracker import Tracker
from fullfield.plan import step_time
from fullfield.techniques import compose
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Card, Site

SHAPE = Shape(height=192, width=192, encoder="resnet18")


def counted(*texts: str) -> int:
    training = Stepping(texts, encoder="resnet18")
    batch = noise(SHAPE, training.build)
    training.step(batch)
    with Started() as mode:
        training.step(batch)
    return mode.count


def reported(texts: tuple[str, ...], shape: Shape = SHAPE) -> tuple[MemoryEstimate, Account]:
    costing = Costing(shape.encoder, "none")
    card = Card(kind="cuda", title="a card", total_bytes=1 << 33, free_bytes=1 << 33)
    return costing.account(compose.read(texts), Site(devices=(card,), shape=shape, costs=costing.costs))


def traced(*texts: str) -> int:
    estimate, account = reported(texts)
    return account.works[0].starts + estimate.update_starts


@pytest.mark.parametrize("technique", ["", "recompute", "hybrid_bands", "full_bands", "checkpointing"])
def test_that_a_trace_counts_the_operations_that_a_step_starts(technique: str) -> None:
    texts = (technique,) if technique else ()
    beside = counted(*texts) - traced(*texts)
    assert beside == pytest.approx(12, abs=8), "the copies of statistics, the norm, Adam"
    assert beside <= step_time.UPDATE_STARTS


@pytest.mark.parametrize(
    ("technique", "starts", "mebibytes"),
    [("hybrid_bands", 3300, 493.0), ("full_bands", 7200, 458.95)],
)
def test_that_bands_start_no_more_kernels_than_is_their_bound_in_no_more_memory_than_before(
    technique: str, starts: int, mebibytes: float
) -> None:
    """At 1024², by the trace alone: it counted 5,838 and 17,443 before decision 042, so the bounds are 0.57 and 0.41 of
    that. What a mode of dispatch counts in a real step is another figure, half of what it was: decision 093."""
    account = reported((technique, "banded_loss"), Shape(height=1024, width=1024))[1]
    assert account.works[0].starts <= starts
    assert account.fullest.peak <= mebibytes * 2**20


@pytest.fixture(scope="module")
def plain_flops() -> float:
    """Of the plain step at 4288², as those at 1024²."""
    return reported(("banded_loss",), Shape(height=1024, width=1024))[1].works[0].flops * (4288 / 1024) ** 2


@pytest.mark.parametrize(
    ("texts", "moments", "gibibytes", "work"),
    [
        (("full_bands:limit=10.5,block_rows=40",), False, 1.05, 3.8),
        (("full_bands",), False, 1.5, 3.1),
        (("hybrid_bands:nested=stem+layer1+layer2+layer3,rows=256", "optimizer_in_backward"), True, 2.85, 1.6),
        (
            ("hybrid_bands:nested=stem+layer1+layer2+layer3+layer4+d1+d2,rows=256", "optimizer_in_backward"),
            True,
            2.5,
            1.9,
        ),
        (("full_bands:rows=32,block_rows=24,tier=host", "optimizer_in_backward"), False, 300 / 1024, 3.7),
    ],
)
def test_that_the_smallest_steps_at_native_size_are_as_small_as_is_told(
    texts: tuple[str, ...], moments: bool, gibibytes: float, work: float, plain_flops: float
) -> None:
    """Weights, gradients, images and all that grows, with or without moments of Adam: decisions 047 and 093."""
    account = reported((*texts, "banded_loss"), Shape(height=4288, width=4288))[1]
    beside = 0 if moments else account.fullest.at_peak["optimizer"]
    assert account.fullest.peak - beside <= gibibytes * 2**30
    assert account.works[0].flops <= work * plain_flops


@pytest.mark.parametrize("technique", ["optimizer_in_backward", "optimizer_offload"])
def test_that_what_an_optimizer_starts_for_every_tensor_is_counted(technique: str) -> None:
    more = counted(technique) - counted()
    assert more == pytest.approx(traced(technique) - traced(), rel=0.1)


def test_that_bytes_live_from_the_operation_that_makes_them_to_their_end() -> None:
    image = torch.empty(1, 4, 8, 8, device="meta")
    with Tracker() as tracker:
        one = image + 1
        other = one.relu()
        view = other[:, :2]
        assert (tracker.live, tracker.bytes_of(other), tracker.bytes_of(image)) == (2048, 1024, 0)
        del one, other
        assert tracker.live == 1024, "a view keeps its storage"
        view.mul_(2)
        assert tracker.live == 1024
        del view
    assert tracker.live == 0
    assert [event.live for event in tracker.events] == [1024, 2048]


def test_that_what_is_forgotten_counts_neither_then_nor_at_its_end() -> None:
    with Tracker() as tracker:
        before = torch.empty(16, device="meta")
        tracker.forget()
        assert (tracker.live, tracker.bytes_of(before)) == (0, 0)
        after = before + 1
        assert tracker.live == 64
        del before
        assert tracker.live == 64
        del after
        assert tracker.live == 0


def test_that_what_is_watched_is_told_with_every_operation_and_what_is_ignored_does_not_count() -> None:
    with Tracker() as tracker:
        one, other = torch.empty(16, device="meta"), torch.empty(32, device="meta")
        tracker.watch([one])
        tracker.watch_too(other)
        assert tracker.alive() == (True, True)
        tracker.ignore(other)
        assert (tracker.live, tracker.bytes_of(other)) == (64, 0)
        tracker.ignore(other)
        assert tracker.live == 64, "it was freed already"
        view = other[:4]
        del one, other
        view.add(1)
        assert tracker.live == 0
    assert [event.alive for event in tracker.events] == [(), (), (False, True)]
    tracker.watch([view])
    assert tracker.alive() == (True,), "no more than these"


def test_that_what_an_operation_returns_in_two_parts_of_one_piece_counts_once() -> None:
    library = torch.library.Library("fullfield_tests", "DEF")  # type: ignore[no-untyped-call]
    library.define("halves(Tensor x) -> (Tensor, Tensor)")

    def halves(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        made = torch.empty_like(x)
        return made[:8], made[8:]

    library.impl("halves", halves, "Meta")  # type: ignore[no-untyped-call]
    image = torch.empty(16, device="meta")
    with Tracker() as tracker:
        one, other = torch.ops.fullfield_tests.halves.default(image)
        assert tracker.live == tracker.bytes_of(one) == 64
        del one
        assert tracker.live == 64
        del other
        assert tracker.live == 0


def test_that_work_is_of_all_bands_that_one_stands_for() -> None:
    image, weight = torch.empty(1, 4, 8, 8, device="meta"), torch.empty(2, 4, 1, 1, device="meta")
    with Tracker() as tracker, rows.sampling():
        for _ in rows.visit(9):
            torch.conv2d(image, weight)
            image.add(1)
    assert tracker.flops == 9 * 2 * 2 * 64 * 4
    assert tracker.work == Work(flops=tracker.flops, moved=9 * 2 * image.nbytes, starts=9 * 2)
    assert len(tracker.events) == 5 * 2


def test_that_the_host_tier_is_told_with_every_operation_and_of_that_which_came_meanwhile_alone() -> None:
    device = torch.device("meta")
    before = HostTensor((1, 1, 4, 4), torch.float32, device, rows_first=True)
    with Tracker() as tracker:
        inside = HostTensor((1, 1, 8, 4), torch.float32, device, rows_first=True)
        assert tracker.host == 128
        inside.write(0, 2, torch.empty(1, 1, 2, 4, device="meta"))
        inside.read(0, 4).add(1)
        before.free()
        assert tracker.host == 64
        inside.free()
        assert tracker.host == 0, "and never less than nothing"
    assert {event.host for event in tracker.events} == {128}
    assert tracker.work.sent == 32 + 64
