"""What kernels take for themselves while they run: measured on the device, one operation at a time.

No trace sees these bytes: oneDNN reorders images and weights into blocks, cuDNN takes workspaces, the backward of
BatchNorm makes a map. On a card every operation is measured at its own height and width, for cuDNN takes other
algorithms at other sizes, and for a band others than for a square of as many pixels; one that does not fit alone is
measured at the largest half, quarter … of its rows that does. On a CPU, up to `DIRECT` pixels (`DIRECT_LARGE` where
weights are large) an operation is measured as it is, for weights and images compete there; above, bytes grow linearly
with pixels, and two sizes tell the line. Operations that are not listed in `MEASURED` take nothing
that is worth a look.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import _disable_current_modes

from fullfield.hardware import devices
from fullfield.memory import allocator
from fullfield.memory.operations import Operation

aten = torch.ops.aten
MEASURED = {"aten::convolution", "aten::convolution_backward", "aten::native_batch_norm_backward"}
DIRECT = 4096  # pixels
DIRECT_LARGE = 1024  # where weights are large: parts with few pixels, and slow to measure
LARGE_WEIGHT = 2**18  # values
DIRECT_NARROW = (
    65536  # for images of fewer than `NARROW` channels: torch gives oneDNN no image of 20,480 values or less
)
NARROW = 10
Points = dict[int, int]


class Temporaries:
    """Bytes at numbers of pixels by operation, for one device. `device`: "none" takes none into account."""

    def __init__(self, device: str = "cpu", known: Mapping[str, Mapping[str, int]] | None = None) -> None:
        """`known`: from `to_fields`."""
        self.device = device
        self._known: dict[str, Points] = {
            key: {int(pixels): count for pixels, count in points.items()} for key, points in (known or {}).items()
        }

    def to_fields(self) -> dict[str, dict[str, int]]:
        """Plain values, for the next time."""
        return {key: {str(pixels): count for pixels, count in points.items()} for key, points in self._known.items()}

    def of(self, operation: Operation) -> int:
        """Bytes that it takes beside what it returns. Raises KeyError where it must be measured first."""
        if self.device == "none" or operation.name not in MEASURED:
            return 0
        points = self._known[self._key(operation)]
        wanted = self._sizes(operation)
        if wanted == (operation.pixels,):
            return points[operation.pixels]
        (few, small), (many, large) = ((pixels, points[pixels]) for pixels in wanted)
        return large + max(0, round((large - small) / (many - few) * (operation.pixels - many)))

    def _key(self, operation: Operation) -> str:
        return _key(operation, own=self._on_card)

    def _sizes(self, operation: Operation) -> tuple[int, ...]:
        return (operation.pixels,) if self._on_card else _two_sizes(operation)

    @property
    def _on_card(self) -> bool:
        return self.device.startswith("cuda")

    def require(self, operations: Iterable[Operation]) -> None:
        """Measure what is not known."""
        if self.device == "none":
            return
        missing: dict[tuple[str, int], Operation] = {}
        for operation in operations:
            if operation.name in MEASURED:
                for pixels in self._sizes(operation):
                    if pixels not in self._known.get(self._key(operation), {}):
                        missing[self._key(operation), pixels] = operation
        if not missing:
            return
        device = torch.device(self.device)
        with _disable_current_modes(), torch.no_grad():
            if device.type == "cuda":
                gc.collect()  # of the trace
                taken = [_on_card(operation, pixels, device) for (_, pixels), operation in missing.items()]
            else:
                calls = [_call(operation, pixels, device) for (_, pixels), operation in missing.items()]
                taken = allocator.temporaries(calls, device)
        for (key, pixels), count in zip(missing, taken, strict=True):
            self._known.setdefault(key, {})[pixels] = max(0, count)


@cache
def _key(operation: Operation, *, own: bool) -> str:
    """Of what is measured together; `own`: at its own height alone."""
    apart = {"pixels"} if own else {"pixels", "rows"}
    return "|".join(str(value) for name, value in asdict(operation).items() if name not in apart)


def _on_card(operation: Operation, pixels: int, device: torch.device) -> int:
    """What it takes at its own size; else what it takes at the largest that fits, by the pixels."""
    fewer = pixels
    while True:
        try:
            with torch.backends.cudnn.flags(enabled=True, allow_tf32=False):  # as trainings compute
                (taken,) = allocator.temporaries([_call(operation, fewer, device)], device)
            return taken * pixels // fewer
        except (RuntimeError, MemoryError) as error:
            if not devices.is_out_of_memory(error) or fewer <= DIRECT:
                raise
        devices.free_cached()
        fewer //= 2


def _two_sizes(operation: Operation) -> tuple[int, ...]:
    """The numbers of pixels at which it is measured on a CPU: its own, or two that tell the line."""
    direct = DIRECT_LARGE if math.prod(operation.weight) > LARGE_WEIGHT else DIRECT
    if operation.weight and operation.groups * operation.weight[1] < NARROW:
        direct = DIRECT_NARROW
    return (operation.pixels,) if operation.pixels <= direct else (direct // 2, direct)


def sides(operation: Operation, pixels: int, *, own: bool) -> tuple[int, int]:
    """Height and width of each image of an operation on so many pixels in all: its `own`, or where they are fewer than
    its own a share of its rows; else as square as can be."""
    each = -(-pixels // operation.images)
    if own:
        height = max(1, operation.rows * pixels // operation.pixels)
        return height, -(-each // height)
    height = next(side for side in range(math.isqrt(each), 0, -1) if each % side == 0)
    return height, each // height


def _call(operation: Operation, pixels: int, device: torch.device) -> allocator.Call:
    """The operation on tensors of its own that are made when it is to run: `prepare()` gives the call."""
    images = operation.images
    height, width = sides(operation, pixels, own=device.type == "cuda")
    dtype = getattr(torch, operation.dtype)
    layout = torch.channels_last if operation.channels_last else torch.contiguous_format

    def empty(*shape: int, sliced: bool = False) -> Tensor:
        count, channels, rows, columns = shape
        whole = torch.zeros(count, channels, rows + sliced, columns, dtype=dtype, device=device)
        return whole.contiguous(memory_format=layout)[:, :, int(sliced) :]

    def prepare() -> Any:
        if operation.name == "aten::native_batch_norm_backward":
            channels = operation.channels
            image, gradient = empty(images, channels, height, width), empty(images, channels, height, width)
            statistic = torch.ones(channels, dtype=_wide(dtype), device=device)
            wanted = list(operation.outputs)
            return lambda: aten.native_batch_norm_backward(
                gradient, image, statistic, None, None, statistic, statistic, True, 1e-5, wanted
            )
        weight = empty(*operation.weight)
        stride, padding = operation.stride, list(operation.padding)
        sides = [max(side * stride, least) for side, least in zip((height, width), operation.weight[2:], strict=True)]
        image = empty(images, operation.groups * operation.weight[1], *sides, sliced=operation.sliced[-1])
        geometry = ([stride, stride], padding, [1, 1], False, [0, 0], operation.groups)
        if operation.name == "aten::convolution":
            return lambda: aten.convolution(image, weight, None, *geometry)
        given = zip(sides, padding, operation.weight[2:], strict=True)
        made = [(side + 2 * beside - taps) // stride + 1 for side, beside, taps in given]
        gradient = empty(images, operation.weight[0], *made, sliced=operation.sliced[0])
        wanted = [*operation.outputs, False]
        return lambda: aten.convolution_backward(gradient, image, weight, None, *geometry, wanted)

    return prepare


def _wide(dtype: torch.dtype) -> torch.dtype:
    return torch.float64 if dtype == torch.float64 else torch.float32
