"""The host tier: tensors kept outside the memory of the device, and counted.

Beside a card they lie in pinned memory. Where the device is the CPU, its memory is what torch's allocator holds, and
the host tier lies outside that allocator, in numpy's memory; so the same plan can be run, measured and proven there.
In a trace only the bytes are counted.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from fullfield.bands import rows
from fullfield.bands.traced import traced, tracing

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


def holds(tensor: Tensor) -> bool:
    """Whether `tensor` lies in the host tier; beside a CPU it looks like any other."""
    return tensor.untyped_storage().data_ptr() in _rooms


class HostTensor:
    """Room for a tensor in the host tier, counted until `free` or its end."""

    def __init__(self, shape: torch.Size | tuple[int, ...], dtype: torch.dtype, device: torch.device) -> None:
        """Uninitialised room for a tensor of `shape` and `dtype` that belongs to `device`."""
        self.shape, self.dtype, self.device = torch.Size(shape), dtype, device
        self.bytes = self.shape.numel() * dtype.itemsize
        self._fake = tracing(device)
        self._tensor: Tensor | None = None
        if not self._fake:
            if device.type == "cpu":
                self._tensor = torch.from_numpy(np.empty(self.bytes, np.uint8)).view(dtype).view(self.shape)
            else:
                self._tensor = torch.empty(self.shape, dtype=dtype, pin_memory=True)
            _rooms.add(self._tensor.untyped_storage().data_ptr())
        ledger.add(self.bytes)

    @classmethod
    def of(cls, tensor: Tensor) -> HostTensor:
        """A copy of `tensor`; its strides are not kept, only its shape."""
        kept = cls(tensor.shape, tensor.dtype, tensor.device)
        kept.write(0, tensor.shape[0] if tensor.dim() else 1, tensor, axis=0)
        return kept

    def write(
        self, first: int, last: int, values: Tensor, *, axis: int = 2, add: bool = False, non_blocking: bool = False
    ) -> None:
        """Put `values` at [first, last) of `axis`, or add them to what is there.

        `non_blocking`: the copy is only enqueued on the current stream, and the caller keeps `values` until it is done.
        """
        if self._fake or traced(values):
            ledger.sent += rows.weight() * values.numel() * values.itemsize
            return
        assert self._tensor is not None
        place = self._tensor.narrow(axis, first, last - first) if self._tensor.dim() else self._tensor
        if add:
            place.add_(values.to(place.device))
        else:
            place.copy_(values, non_blocking=non_blocking)

    def read(self, first: int, last: int, *, axis: int = 2) -> Tensor:
        """A copy of [first, last) of `axis` on the device."""
        shape = list(self.shape)
        if shape:
            shape[axis] = last - first
        found = torch.empty(shape, dtype=self.dtype, device=self.device)
        if self._tensor is not None:
            found.copy_(self._tensor.narrow(axis, first, last - first) if shape else self._tensor)
        else:
            ledger.sent += rows.weight() * found.numel() * found.itemsize
        return found

    def load(self) -> Tensor:
        """A copy of the whole on the device."""
        return self.read(0, self.shape[0] if self.shape else 1, axis=0)

    def load_into(self, found: Tensor) -> None:
        """Copy the whole into `found`; where that is on a card, the copy is only enqueued on the current stream."""
        if self._tensor is not None:
            found.copy_(self._tensor, non_blocking=True)
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
        self.bytes, self._tensor = 0, None

    def __del__(self) -> None:
        self.free()
