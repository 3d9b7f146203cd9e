"""What memory is taken at this moment: of the host, of a card by its driver, and of torch's allocator. It only looks.

Cheap enough to be asked twenty times a second beside a training. Works without a card and without NVIDIA's management
library (NVML). torch is imported where the device is a card alone, and CUDA is never initialised from here: until the
training has done so, figures of the card are None.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import Any

import psutil

CPU = "cpu"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Bytes at a moment; None where this machine does not tell.

    `host_bytes`: resident set size of this process. `device_bytes`, `process_bytes`: NVML's, of the whole card and of
    this process on it. `allocated_bytes`, `reserved_bytes`: what torch's allocator has given out and what it holds;
    `peak_bytes`: the most it had given out since `Meter.begin_peak`.
    """

    host_bytes: int
    device_bytes: int | None = None
    process_bytes: int | None = None
    allocated_bytes: int | None = None
    reserved_bytes: int | None = None
    peak_bytes: int | None = None

    def highest(self, other: Reading) -> Reading:
        """The higher of every figure; one that a single reading knows is that one's."""
        mine, others = vars(self), vars(other)  # asdict copies, and this is done at every look
        highest: dict[str, Any] = {name: _more(mine[name], others[name]) for name in mine}
        return Reading(**highest)


class Meter:
    """Reads the memory of this process on one device: "cpu" or "cuda:N", as torch counts them.

    `look_at_card` belongs to one thread; the others may be called from any.
    """

    def __init__(self, device: str) -> None:
        self._device = None if device == CPU else device
        self._process = psutil.Process()
        self._card = _Card(device) if self._device else None
        self._used: tuple[int | None, int | None] = (None, None)

    def read(self) -> Reading:
        """The host and torch's allocator now, in microseconds; the card as `look_at_card` last saw it."""
        allocator = _allocator(self._device) if self._device else {}
        device, process = self._used
        return Reading(
            host_bytes=int(self._process.memory_info().rss), device_bytes=device, process_bytes=process, **allocator
        )

    def look_at_card(self) -> None:
        """Ask NVML anew. The driver may take a millisecond, so no training should wait for it."""
        if self._card is not None:
            self._used = self._card.used()

    def begin_peak(self) -> None:
        """Let `Reading.peak_bytes` count from here. Needs no synchronisation: the allocator counts on the host."""
        if self._device:
            import torch

            if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
                torch.cuda.reset_peak_memory_stats(self._device)

    def close(self) -> None:
        """Let go of the management library."""
        if self._card is not None:
            self._card.close()


@cache
def context_bytes(device: str) -> int | None:
    """What CUDA, cuDNN and their kernels take of a card before the first tensor, measured once in this process.

    NVML's figure of this process, less what torch's allocator holds; None where the driver tells nothing of single
    processes (Windows' display drivers, some containers). `device`: "cuda:N"; it is initialised.
    """
    import torch

    one = torch.ones(1, 1, 8, 8, device=device, requires_grad=True)
    torch.nn.functional.conv2d(one, one[:, :, :3, :3]).sum().backward()  # type: ignore[no-untyped-call]
    torch.cuda.synchronize(device)
    meter = Meter(device)
    try:
        meter.look_at_card()
        reading = meter.read()
    finally:
        meter.close()
    if not reading.process_bytes:
        return None
    return max(0, reading.process_bytes - (reading.reserved_bytes or 0)) or None


def _more(one: int | None, other: int | None) -> int | None:
    return other if one is None or (other is not None and other > one) else one


def _allocator(device: str) -> dict[str, int]:
    """torch's counters of a card; none before CUDA is initialised."""
    import torch

    counters = torch.cuda.memory_stats_as_nested_dict(device)
    if not counters:
        return {}
    allocated, reserved = counters["allocated_bytes"]["all"], counters["reserved_bytes"]["all"]
    return {
        "allocated_bytes": int(allocated["current"]),
        "reserved_bytes": int(reserved["current"]),
        "peak_bytes": int(allocated["peak"]),
    }


class _Card:
    """A card as NVML sees it, found by what torch and NVML both call it: CUDA_VISIBLE_DEVICES renumbers torch's."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._handle: Any = None
        self._absent = False
        self._open = False

    def used(self) -> tuple[int | None, int | None]:
        """Bytes in use on the whole card, and by this process. None: the driver does not tell."""
        import pynvml

        try:
            handle = self._found()
            if handle is None:
                return None, None
            used = int(pynvml.nvmlDeviceGetMemoryInfo(handle).used)
        except (pynvml.NVMLError, OSError):
            self._absent = True
            return None, None
        try:
            running = pynvml.nvmlDeviceGetComputeRunningProcesses(handle)
        except pynvml.NVMLError:  # not for every card and every user
            return used, None
        # Display drivers of Windows do not count by process; in a container a process may have another number.
        own = [process.usedGpuMemory for process in running if process.pid == os.getpid()]
        return used, int(own[0]) if own and own[0] is not None else None

    def close(self) -> None:
        if self._open:
            import pynvml

            self._open, self._handle, self._absent = False, None, True
            pynvml.nvmlShutdown()

    def _found(self) -> Any:
        """NVML's handle; None where there is none, or CUDA is not initialised yet."""
        import torch

        if self._handle is not None or self._absent:
            return self._handle
        if not torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
            return None
        import pynvml

        pynvml.nvmlInit()
        self._open = True
        properties: Any = torch.cuda.get_device_properties(self._device)
        try:
            self._handle = pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{properties.uuid}")
        except pynvml.NVMLError:  # a slice of a card (MIG) has another name; its memory is told for the whole card
            place = f"{properties.pci_domain_id:08x}:{properties.pci_bus_id:02x}:{properties.pci_device_id:02x}.0"
            self._handle = pynvml.nvmlDeviceGetHandleByPciBusId(place)
        return self._handle
