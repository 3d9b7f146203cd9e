"""The host tier: tensors kept outside the memory of the device, and counted.

Beside a card they lie in pinned memory, one arena of it. Where the device is the CPU, its memory is what torch's
allocator holds, and the host tier lies outside that allocator, in numpy's memory; so the same plan can be run, measured
and proven there. Maps whose rows come and go lie rows first (H, N, C, W), so that a band is one piece of memory. In a
trace only the bytes are counted.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fullfield.host_tier import arena, lane
from fullfield.host_tier.arena import Arena, Piece
from fullfield.kernels import rows
from fullfield.kernels.traced import traced, tracing

_lock = threading.Lock()


@dataclass
class Ledger:
    """Bytes in the host tier: `live` now, and the `peak` since `reset`. `sent`: so many went there and came back, as a
    trace counts them."""

    live: int = 0
    peak: int = 0
    sent: int = 0

    def add(self, count: int) -> None:
        """`count` bytes more, or fewer where it is negative."""
        with _lock:
            self.live += count
            self.peak = max(self.peak, self.live)

    def reset(self) -> None:
        """Let the peak be what is live now."""
        self.peak = self.live


ledger = Ledger()
_rooms: set[int] = set()  # addresses of what is in the host tier now


@dataclass(kw_only=True, eq=False)
class _Buffers:
    """The buffers of a `lane`, as a trace makes them: two for what comes, one for what goes."""

    come: list[Tensor] = field(default_factory=list)
    goes: list[Tensor] = field(default_factory=list)

    def use(self, device: torch.device, size: int, *, comes: bool) -> None:
        buffers = self.come if comes else self.goes
        if not buffers or buffers[0].numel() < size:
            buffers.clear()
            buffers += [torch.empty(size, dtype=torch.uint8, device=device) for _ in range(2 if comes else 1)]


_buffers: ContextVar[_Buffers | None] = ContextVar("buffers", default=None)


@contextlib.contextmanager
def traced_beside_card() -> Iterator[None]:
    """What is traced within it is for a card: rows come and go through buffers on the device, which count."""
    token = _buffers.set(_Buffers())
    try:
        yield
    finally:
        _buffers.reset(token)


@cache
def pinned() -> Arena:
    """The pinned memory of this process's host tier."""
    return Arena(arena.pinned)


def holds(tensor: Tensor) -> bool:
    """Whether `tensor` lies in the host tier; beside a CPU it looks like any other."""
    return tensor.untyped_storage().data_ptr() in _rooms


class HostTensor:
    """Room for a tensor in the host tier, counted until `free` or its end."""

    def __init__(
        self,
        shape: torch.Size | tuple[int, ...],
        dtype: torch.dtype,
        device: torch.device,
        *,
        rows_first: bool = False,
    ) -> None:
        """Uninitialised room for a tensor of `shape` and `dtype` that belongs to `device`.

        `rows_first`: a map (N, C, H, W) of which rows are read and written.
        """
        self.shape, self.dtype, self.device = torch.Size(shape), dtype, device
        self._rows_first = rows_first
        self._piece: Piece | None = None
        self._last: Any = None
        self.bytes, wanted = 0, self.shape.numel() * dtype.itemsize
        self._fake = tracing(device)
        self._tensor: Tensor | None = None
        if not self._fake:
            if device.type == "cpu":
                memory = np.empty(wanted, np.uint8)
            else:
                self._piece = pinned().take(wanted)
                memory = self._piece.memory
            room = torch.from_numpy(memory).view(dtype)
            self._tensor = laid_out(room, self.shape, rows_first=rows_first)
            _rooms.add(self._tensor.untyped_storage().data_ptr())
        self.bytes = wanted  # of what is there: where there is no room, nothing was taken
        ledger.add(wanted)

    def write(
        self, first: int, last: int, values: Tensor, *, axis: int = 2, add: bool = False, non_blocking: bool = False
    ) -> None:
        """Put `values` at [first, last) of `axis`, or add them to what is there.

        `non_blocking`: the copy is only enqueued on the current stream, and the caller keeps `values` until it is done.
        """
        if self._fake or traced(values):
            self._count(values.numel() * values.itemsize, comes=False, twice=add)
            return
        assert self._tensor is not None
        if self._by_lane(axis):
            if add:
                values = self.read(first, last).add_(values)
            self._last = lane.of_card(self.device).write(_rows(self._tensor), first, last, values)
            return
        self._settle()
        place = self._tensor.narrow(axis, first, last - first) if self._tensor.dim() else self._tensor
        if add:
            place.add_(values.to(place.device))
        else:
            place.copy_(values, non_blocking=non_blocking)
            self._note(asynchronous=non_blocking)

    def read(self, first: int, last: int, *, axis: int = 2) -> Tensor:
        """A copy of [first, last) of `axis` on the device."""
        shape = list(self.shape)
        if shape:
            shape[axis] = last - first
        found = torch.empty(shape, dtype=self.dtype, device=self.device)
        if self._tensor is not None and self._by_lane(axis):
            lane.of_card(self.device).read(_rows(self._tensor), first, last, found)
        elif self._tensor is not None:
            self._settle()
            found.copy_(self._tensor.narrow(axis, first, last - first) if shape else self._tensor)
        else:
            self._count(found.numel() * found.itemsize, comes=True)
        return found

    def load(self) -> Tensor:
        """A copy of the whole on the device."""
        return self.read(0, self.shape[0] if self.shape else 1, axis=0)

    def load_into(self, found: Tensor) -> None:
        """Copy the whole into `found`; where that is on a card, the copy is only enqueued on the current stream."""
        if self._tensor is not None:
            self._settle()
            found.copy_(self._tensor, non_blocking=True)
            self._note(asynchronous=True)
        else:
            ledger.sent += rows.weight() * self.bytes

    @property
    def tensor(self) -> Tensor:
        """The room itself, on the host; there is none in a trace, and none after `free`."""
        assert self._tensor is not None
        return self._tensor

    def free(self) -> None:
        """Give the room back; nothing can be read afterwards."""
        if self.bytes:
            ledger.add(-self.bytes)
        if self._tensor is not None:
            _rooms.discard(self._tensor.untyped_storage().data_ptr())
        if self._piece is not None:
            if self._rows_first and self._tensor is not None:
                self._last = lane.of_card(self.device).leave(_rows(self._tensor))
            self._piece.last, piece = self._last, self._piece
            pinned().give(piece)
        self.bytes, self._tensor, self._piece = 0, None, None

    def _by_lane(self, axis: int) -> bool:
        return self._rows_first and axis == 2 and self.device.type == "cuda"

    def _settle(self) -> None:
        """Wait until the lane, whose copies are in an order of their own, has done with the room; rows that it has
        fetched ahead are of no use."""
        if self._tensor is not None and self._by_lane(2):
            lane.of_card(self.device).leave(_rows(self._tensor)).synchronize()

    def _note(self, *, asynchronous: bool) -> None:
        """That a copy has been asked of the current stream, which the room must outlive."""
        if asynchronous and self.device.type == "cuda":
            self._last = torch.cuda.current_stream(self.device).record_event()

    def _count(self, size: int, *, comes: bool, twice: bool = False) -> None:
        """In a trace, bytes that come or go; `twice`: that come, are changed, and go again."""
        ledger.sent += (2 if twice else 1) * rows.weight() * size
        buffers = _buffers.get()
        if buffers is not None and self._rows_first:
            for way in (comes, not comes) if twice else (comes,):
                buffers.use(self.device, size, comes=way)

    def __del__(self) -> None:
        self.free()


def laid_out(flat: Tensor, shape: torch.Size, *, rows_first: bool) -> Tensor:
    """The elements of `flat` as a tensor of `shape`; `rows_first`: of (N, C, H, W), with H the slowest in memory."""
    if not rows_first:
        return flat.view(shape)
    images, channels, height, width = shape
    return flat.view(height, images, channels, width).permute(1, 2, 0, 3)


def _rows(map_NCHW: Tensor) -> Tensor:
    """As it lies: (H, N, C, W)."""
    return map_NCHW.permute(2, 0, 1, 3)
