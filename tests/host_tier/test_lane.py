"""Rows on their way between a card and the host tier: in which order, and that they are the right ones."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

from fullfield.host_tier import host
from fullfield.host_tier.host import HostTensor
from fullfield.host_tier.lane import Lane


class FakeStreams:
    """Two orders of work. `log`: what was asked of them, in order; the work itself is done at once."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self._count = 0

    @contextlib.contextmanager
    def beside(self) -> Iterator[None]:
        self.log.append("copy beside")
        yield

    def now(self, *, beside: bool) -> Any:
        self._count += 1
        self.log.append(f"{'beside' if beside else 'here'} reaches {self._count}")
        return self._count

    def wait(self, moment: Any, *, beside: bool) -> None:
        self.log.append(f"{'beside' if beside else 'here'} waits for {moment}")


@pytest.fixture
def streams() -> FakeStreams:
    return FakeStreams()


@pytest.fixture
def lane(streams: FakeStreams) -> Lane:
    return Lane(device=torch.device("cpu"), streams=streams)


def room(height: int = 37) -> Tensor:
    return torch.arange(height * 2 * 3 * 5, dtype=torch.float32).view(height, 2, 3, 5)


def band(lane: Lane, whole: Tensor, first: int, last: int) -> Tensor:
    found = torch.empty(2, 3, last - first, 5)
    lane.read(whole, first, last, found)
    return found


def test_that_bands_with_halos_come_as_they_lie_and_the_next_one_is_on_its_way_before_it_is_asked_for(
    lane: Lane, streams: FakeStreams
) -> None:
    whole = room()
    copies = []
    for first, last in ((0, 11), (8, 20), (17, 29), (27, 37)):
        streams.log.clear()
        assert torch.equal(band(lane, whole, first, last), whole[first:last].permute(1, 2, 0, 3))
        copies.append(streams.log.count("copy beside"))
    assert copies == [1, 2, 1, 0], "the third is on its way while the second is read, the fourth while the third is"


def test_that_a_buffer_is_filled_again_only_when_it_has_been_read(lane: Lane, streams: FakeStreams) -> None:
    whole = room()
    band(lane, whole, 0, 8)
    has_been_read = streams.log[-1].removeprefix("here reaches ")
    streams.log.clear()
    band(lane, whole, 8, 16)
    copies = [place for place, text in enumerate(streams.log) if text == "copy beside"]
    assert len(copies) == 2, "the second band and, ahead, the third, into the buffer of the first"
    assert streams.log.index(f"beside waits for {has_been_read}") < copies[1]


def test_that_rows_that_are_written_while_they_are_on_their_way_are_fetched_again(lane: Lane) -> None:
    whole = room()
    band(lane, whole, 0, 8)
    band(lane, whole, 8, 16)  # 15 to 25 set out
    lane.write(whole, 16, 20, torch.full((2, 3, 4, 5), -1.0))
    assert torch.equal(band(lane, whole, 16, 24)[:, :, :4], torch.full((2, 3, 4, 5), -1.0))


def test_that_any_order_of_reading_and_writing_two_maps_is_right(lane: Lane) -> None:
    chance = random.Random(5)
    rooms = [room(), -room()]
    mirrors = [one.permute(1, 2, 0, 3).clone() for one in rooms]
    for _ in range(200):
        number, first = chance.randrange(2), chance.randrange(36)
        last = chance.randint(first + 1, min(37, first + 12))
        if chance.random() < 0.3:
            values = torch.randn(2, 3, last - first, 5)
            lane.write(rooms[number], first, last, values)
            mirrors[number][:, :, first:last] = values
        else:
            assert torch.equal(band(lane, rooms[number], first, last), mirrors[number][:, :, first:last])


def test_that_rows_of_a_map_in_the_host_tier_are_one_piece_of_memory_and_the_same_numbers() -> None:
    values = torch.randn(2, 3, 16, 5)
    kept = HostTensor(values.shape, values.dtype, values.device, rows_first=True)
    for first in range(0, 16, 4):
        kept.write(first, first + 4, values[:, :, first : first + 4])
    assert kept.tensor.permute(2, 0, 1, 3)[4:8].is_contiguous()
    assert torch.equal(kept.load(), values)
    assert torch.equal(kept.read(3, 9), values[:, :, 3:9])
    assert kept.read(3, 9).is_contiguous()
    kept.write(3, 9, values[:, :, 3:9], add=True)
    assert torch.equal(kept.read(3, 9), 2 * values[:, :, 3:9])
    kept = HostTensor(values.shape, values.dtype, values.device, rows_first=True)
    kept.write(0, values.shape[0], values, axis=0)
    assert torch.equal(kept.read(3, 9), values[:, :, 3:9])


def test_that_a_map_is_loaded_whole_only_when_the_lane_has_done_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    values = torch.randn(2, 3, 16, 5)
    late: list[tuple[Tensor, Tensor]] = []

    class Late:
        """A lane whose copies are done when somebody waits for them."""

        def write(self, room: Tensor, first: int, last: int, rows: Tensor) -> Late:
            late.append((room[first:last], rows.permute(2, 0, 1, 3)))
            return self

        def leave(self, room: Tensor) -> Late:
            return self

        def synchronize(self) -> None:
            while late:
                room, rows = late.pop()
                room.copy_(rows)

    monkeypatch.setattr(host.lane, "of_card", lambda _: Late())
    monkeypatch.setattr(HostTensor, "_by_lane", lambda self, axis: axis == 2)
    kept = HostTensor(values.shape, values.dtype, values.device, rows_first=True)
    kept.write(0, 16, values)
    assert late
    assert torch.equal(kept.load(), values)
    kept.write(4, 16, values[:, :, :12])
    found = torch.empty_like(values)
    kept.load_into(found)
    assert torch.equal(found[:, :, 4:], values[:, :, :12])
    kept.write(4, 16, values[:, :, :12])
    kept.write(0, 1, values[:1], axis=0, add=True)
    assert torch.equal(kept.load()[:1, :, 4:], values[:1, :, :12] + values[:1, :, 4:])


def test_that_a_trace_for_a_card_counts_the_buffers_of_its_lane_and_one_for_a_cpu_has_none() -> None:
    form = (1, 4, 32, 8)
    for beside_card in (False, True):
        with torch.device("meta"), host.traced_beside_card() if beside_card else contextlib.nullcontext():
            kept = HostTensor(form, torch.float32, torch.device("meta"), rows_first=True)
            kept.write(0, 8, torch.empty(1, 4, 8, 8))
            kept.read(0, 10)
            buffers = host._buffers.get()
            sizes = None if buffers is None else [one.nbytes for one in (*buffers.come, *buffers.goes)]
        assert sizes == ([10 * 4 * 8 * 4, 10 * 4 * 8 * 4, 8 * 4 * 8 * 4] if beside_card else None)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_rows_go_to_pinned_memory_and_come_back_whatever_the_card_computes_meanwhile() -> None:
    device = torch.device("cuda:0")
    load = torch.rand(2048, 2048, device=device)
    values = torch.randn(2, 32, 256, 128, device=device)
    kept = HostTensor(values.shape, values.dtype, device, rows_first=True)
    assert kept.tensor.is_pinned()
    for first in range(0, 256, 32):
        load = load @ load / 2048
        kept.write(first, first + 32, values[:, :, first : first + 32])
    assert torch.equal(kept.load(), values)
    for first in range(0, 256, 32):
        load = load @ load / 2048
        last = min(256, first + 36)
        assert torch.equal(kept.read(first, last), values[:, :, first:last])
        kept.write(first, first + 32, values[:, :, first : first + 32], add=True)
        values[:, :, first : first + 32] *= 2
    assert torch.equal(kept.load(), values)
    held = host.pinned().held
    kept.free()
    again = HostTensor(values.shape, values.dtype, device, rows_first=True)
    assert host.pinned().held == held, "what was given back is given out again"
    again.free()
