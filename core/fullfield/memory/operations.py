"""What an operation is and asks of a device, told by what it is given: no trace knows its values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

aten = torch.ops.aten
_WITHOUT_KERNEL = {
    "aten::detach",
    "aten::_unsafe_view",
    "aten::empty",
    "aten::empty_like",
    "aten::empty_strided",
    "aten::new_empty",
    "aten::new_empty_strided",
    "aten::resize_",
    "aten::set_",
    "aten::sym_size",
}
_CONVOLUTIONS = {aten.convolution.default, aten.convolution_backward.default}


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What decides an operation's temporaries: its name; for convolutions weights, groups, stride, padding, wanted
    outputs.

    `sliced`: which tensors are rows of larger ones (the image; in backward the gradient, then the image), of which
    torch makes copies; none with channels last, where the rows of one image lie in one piece. `images`: 1, or 2 for any
    larger batch, for which torch takes other kernels. `pixels`: N·H·W of the image, by the square of the stride, which
    temporaries grow with; `rows`: H of it, by the stride, which decides a card's kernel.
    """

    name: str
    weight: tuple[int, ...] = ()
    stride: int = 1
    padding: tuple[int, ...] = ()
    outputs: tuple[bool, ...] = ()
    dtype: str = ""
    channels_last: bool = False
    channels: int = 0
    sliced: tuple[bool, ...] = ()
    images: int = 1
    pixels: int = 0
    rows: int = 0
    groups: int = 1


@cache
def starts(func: Any) -> bool:
    """Whether it starts a kernel on a card: it is no view, no mark of the profiler, and does more than find memory."""
    name = func._schema.name
    return not func.is_view and name not in _WITHOUT_KERNEL and not name.startswith("profiler::")


def of(func: Any, args: tuple[Any, ...]) -> Operation:
    """Of a call."""
    if func not in _CONVOLUTIONS:
        first = next((value for value in args if isinstance(value, Tensor)), None)
        if first is None or first.dim() != 4:
            return Operation(name=func._schema.name)
        return Operation(
            name=func._schema.name,
            dtype=str(first.dtype).removeprefix("torch."),
            channels=first.shape[1],
            images=min(2, first.shape[0]),
            pixels=first.numel() // max(1, first.shape[1]),
            rows=first.shape[2],
            outputs=tuple(args[-1]) if func is aten.native_batch_norm_backward.default else (),
            channels_last=_channels_last(first),
        )
    backward = func is aten.convolution_backward.default
    image, weight = (args[1], args[2]) if backward else (args[0], args[1])
    stride, padding = args[4:6] if backward else args[3:5]
    channels_last = _channels_last(image) or _channels_last(weight)
    in_one_piece = channels_last and image.shape[0] == 1
    return Operation(
        name=func._schema.name,
        weight=tuple(weight.shape),
        stride=stride[0],
        padding=tuple(padding),
        outputs=tuple(map(bool, args[10][:2])) if backward else (),
        dtype=str(image.dtype).removeprefix("torch."),
        channels_last=channels_last,
        sliced=tuple(not in_one_piece and _sliced(one) for one in ((args[0], image) if backward else (image,))),
        images=min(2, image.shape[0]),
        pixels=image.numel() // max(1, image.shape[1]) // stride[0] ** 2,
        rows=image.shape[2] // stride[0],
        groups=args[9] if backward else args[8],
    )


def flops(func: Any, args: tuple[Any, ...], result: Any) -> int:
    """Of a call's convolutions, 2 per multiply-add; 0 of all other operations."""
    if func not in _CONVOLUTIONS:
        return 0
    backward = func is aten.convolution_backward.default
    out, weight = (args[0], args[2]) if backward else (result, args[1])
    runs = sum(map(bool, args[10][:2])) if backward else 1
    return 2 * int(out.numel()) * int(weight[0].numel()) * runs


def moved(func: Any, tensors: Iterable[Tensor]) -> int:
    """Bytes that a call reads and writes, by the tensors that it is given and returns; 0 where FLOPs take its time."""
    if func in _CONVOLUTIONS or not starts(func):
        return 0
    return sum(value.numel() * value.itemsize for value in tensors)


def _sliced(tensor: Tensor) -> bool:
    return not tensor.is_contiguous() and not tensor.is_contiguous(memory_format=torch.channels_last)


def _channels_last(tensor: Tensor) -> bool:
    return tensor.is_contiguous(memory_format=torch.channels_last) and not tensor.is_contiguous()
