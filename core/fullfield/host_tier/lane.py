"""The way of rows between a card and the host tier: a stream of its own, and buffers in which rows wait.

Rows lie one after the other on the host (H, N, C, W), so a band is one piece and one copy; on the card they are put in
the order of a map (N, C, H, W), or taken out of it, by a kernel. While a band is computed the next one comes, and the
last one goes: of two buffers for what comes one is read while the other is filled, and what goes has one.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

import torch
from torch import Tensor

MARGIN = 1  # rows more on both sides that are fetched ahead: bands are as even as whole rows can be


class Streams(Protocol):
    """Two orders of work: here, in which the card computes, and beside it. Both can wait for a moment of either."""

    def beside(self) -> AbstractContextManager[object]:
        """Within it, work is of the other order."""
        ...

    def now(self, *, beside: bool) -> Any:
        """The moment at which all that has been asked of an order so far is done."""
        ...

    def wait(self, moment: Any, *, beside: bool) -> None:
        """Let an order go on only after `moment`; the program goes on."""
        ...


class CardStreams:
    """The current stream of a card, and one more."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._other = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

    def beside(self) -> AbstractContextManager[object]:
        """See `Streams`."""
        return torch.cuda.stream(self._other)

    def now(self, *, beside: bool) -> torch.cuda.Event:
        """See `Streams`."""
        moment: torch.cuda.Event = self._stream(beside=beside).record_event()
        return moment

    def wait(self, moment: torch.cuda.Event, *, beside: bool) -> None:
        """See `Streams`."""
        self._stream(beside=beside).wait_event(moment)

    def _stream(self, *, beside: bool) -> torch.cuda.Stream:
        return self._other if beside else torch.cuda.current_stream(self._device)


@dataclass(kw_only=True, eq=False)
class _Buffer:
    """`used`: when its last use ends."""

    memory: Tensor | None = None
    used: Any = None


@dataclass(kw_only=True, eq=False)
class _Coming:
    """Rows [first, last) of a room on their way, in `rows`."""

    room: Tensor
    first: int
    last: int
    rows: Tensor
    buffer: _Buffer
    arrived: Any

    def has(self, room: Tensor, first: int, last: int) -> bool:
        return same(room, self.room) and self.first <= first and last <= self.last


@dataclass(kw_only=True, eq=False)
class Lane:
    """Between one card and rooms of the host tier, each (H, N, C, W)."""

    device: torch.device
    streams: Streams
    _in: list[_Buffer] = field(default_factory=lambda: [_Buffer(), _Buffer()])
    _out: _Buffer = field(default_factory=_Buffer)
    _coming: _Coming | None = None
    _read: tuple[Tensor, int] | None = None  # the room that was read last, and from which row

    def read(self, room: Tensor, first: int, last: int, found: Tensor) -> None:
        """Rows [first, last) into `found` (N, C, last − first, W); those of the next band set out."""
        coming, self._coming = self._coming, None
        if coming is None or not coming.has(room, first, last):
            coming = self._fetch(room, first, last)
        self.streams.wait(coming.arrived, beside=False)
        rows = coming.rows[first - coming.first : last - coming.first]
        found.copy_(rows.permute(1, 2, 0, 3))
        coming.buffer.used = self.streams.now(beside=False)
        before, self._read = self._read, (room, first)
        if before is not None and same(before[0], room) and before[1] < first:
            step = first - before[1]
            if first + step < room.shape[0]:
                ahead = max(0, first + step - MARGIN), min(room.shape[0], last + step + MARGIN)
                self._coming = self._fetch(room, *ahead)

    def write(self, room: Tensor, first: int, last: int, values: Tensor) -> Any:
        """`values` (N, C, last − first, W) to rows [first, last); the moment at which they are there."""
        coming = self._coming
        if coming is not None and same(coming.room, room) and first < coming.last and coming.first < last:
            self._coming = None  # it has the rows as they were
        rows = self._free(self._out, room, last - first)
        rows.copy_(values.permute(2, 0, 1, 3))
        self.streams.wait(self.streams.now(beside=False), beside=True)
        with self.streams.beside():
            room[first:last].copy_(rows, non_blocking=True)
        self._out.used = self.streams.now(beside=True)
        return self._out.used

    def leave(self, room: Tensor) -> Any:
        """Nobody reads the room any more; the moment at which all copies of it are done."""
        if self._coming is not None and same(self._coming.room, room):
            self._coming = None
        if self._read is not None and same(self._read[0], room):
            self._read = None
        return self.streams.now(beside=True)

    def _fetch(self, room: Tensor, first: int, last: int) -> _Coming:
        self._in.reverse()
        buffer = self._in[0]
        rows = self._free(buffer, room, last - first)
        with self.streams.beside():
            rows.copy_(room[first:last], non_blocking=True)
        arrived = buffer.used = self.streams.now(beside=True)
        return _Coming(room=room, first=first, last=last, rows=rows, buffer=buffer, arrived=arrived)

    def _free(self, buffer: _Buffer, room: Tensor, count: int) -> Tensor:
        """Room for `count` rows in a buffer, as soon as its last use has ended, in either order."""
        if buffer.used is not None:
            for beside in (False, True):
                self.streams.wait(buffer.used, beside=beside)
        size = count * room[0].numel() * room.itemsize
        if buffer.memory is None or buffer.memory.numel() < size:
            buffer.memory = None
            buffer.memory = torch.empty(size, dtype=torch.uint8, device=self.device)
            # The memory may have been another tensor's a moment ago, in the order of the computing alone.
            self.streams.wait(self.streams.now(beside=False), beside=True)
        return buffer.memory[:size].view(room.dtype).view(count, *room.shape[1:])


def same(one: Tensor, other: Tensor) -> bool:
    """Views of one room."""
    return one.data_ptr() == other.data_ptr()


@cache
def of_card(device: torch.device) -> Lane:
    """The one lane of a card."""
    return Lane(device=device, streams=CardStreams(device))
