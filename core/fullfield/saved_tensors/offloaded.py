"""Saved tensors in the host tier, bit for bit: on their way out while forward goes on, fetched before backward asks.

Beside a card copies run on a stream of their own. At most `ahead` maps are on their way at once; until a copy is done
its map stays on the device, so a step takes as many maps more. Without `ahead` every copy is waited for. Where the
device is the CPU, copies are done at once, and maps are held all the same: a plan takes what it takes on a card.
"""

from __future__ import annotations

from collections import deque
from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor

from fullfield.host_tier.host import HostTensor
from fullfield.saved_tensors.saved import Keeper, Kept


class Offloaded(Keeper):
    """Keeps storages in the host tier. `smallest`: bytes of a tensor below which it stays where it is."""

    def __init__(self, *, smallest: int, ahead: int) -> None:
        self._smallest, self.ahead = smallest, ahead
        self._lanes: dict[torch.device, _Lane] = {}

    def wants(self, tensor: Tensor) -> bool:
        """Whether it is large enough; an empty one never is."""
        return tensor.nbytes >= max(1, self._smallest)

    def keep(self, values: Tensor) -> Kept:
        """See `Keeper`."""
        if values.device not in self._lanes:
            self._lanes[values.device] = _Lane(values.device, self.ahead)
        return _AtHost(values, self._lanes[values.device])

    def settle(self) -> None:
        """Wait for what is still on its way."""
        for lane in self._lanes.values():
            lane.wait(0)


class _Lane:
    """The way between one device and the host tier."""

    def __init__(self, device: torch.device, ahead: int) -> None:
        self._device, self._ahead = device, ahead
        self._stream = torch.cuda.Stream(device) if device.type == "cuda" else None  # type: ignore[no-untyped-call]
        self._leaving: deque[tuple[Tensor, torch.cuda.Event | None]] = deque()

    def out(self, values: Tensor) -> HostTensor:
        """Room in the host tier that will hold `values`."""
        room = HostTensor(values.shape, values.dtype, values.device)
        with self._aside():
            room.write(0, values.numel(), values, axis=0, non_blocking=True)
            self._leaving.append((values, self._mark()))
        self.wait(self._ahead)
        return room

    def back(self, room: HostTensor) -> tuple[Tensor, torch.cuda.Event | None]:
        """A tensor that will hold what is in `room`, and when it does."""
        found = torch.empty(room.shape, dtype=room.dtype, device=self._device)
        with self._aside():
            room.load_into(found)
            if self._stream is not None:
                found.record_stream(self._stream)  # nobody may ask for it, and then its memory is another's
            return found, self._mark()

    def wait(self, most: int) -> None:
        """Let go of maps until at most `most` are on their way out."""
        while len(self._leaving) > most:
            values, sent = self._leaving.popleft()
            self.until(sent)
            del values

    def until(self, event: torch.cuda.Event | None) -> None:
        """Let the device compute no further before `event`; the program goes on."""
        if event is not None:
            torch.cuda.current_stream(self._device).wait_event(event)

    def _aside(self) -> AbstractContextManager[object]:
        if self._stream is None:
            return nullcontext()
        self._stream.wait_stream(torch.cuda.current_stream(self._device))
        return torch.cuda.stream(self._stream)

    def _mark(self) -> torch.cuda.Event | None:
        return None if self._stream is None else self._stream.record_event()


class _AtHost(Kept):
    def __init__(self, values: Tensor, lane: _Lane) -> None:
        self._lane = lane
        self._room = lane.out(values)
        self._coming: tuple[Tensor, torch.cuda.Event | None] | None = None

    def fetch(self) -> None:
        """Let it come."""
        if self._coming is None:
            self._coming = self._lane.back(self._room)

    def take(self) -> Tensor:
        """A copy on the device, complete as far as the current stream is concerned."""
        self.fetch()
        assert self._coming is not None
        (found, arrived), self._coming = self._coming, None
        self._lane.until(arrived)
        return found
