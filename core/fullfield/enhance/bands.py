"""The network over a whole map of any size in little memory: its wide stages run band by band.

A plain forward keeps 440 bytes per pixel at its peak, nearly all of it in the full- and half-resolution stages. Here
those (stem with pooling, d3, d4, d5 with the head) run in bands of rows with the few rows of halo that their own
convolutions need; only the quarter-resolution maps and d4's output are ever whole. The stem is computed a second time
for d4's skip, which costs 0.7 % of the arithmetic and saves 64 bytes per pixel. A convolution over a band is the
convolution over the map, so the result is the whole image's up to rounding: no seam, no approximation.

Needs BatchNorm folded (evaluation): with batch statistics every stage would be a barrier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from fullfield.model.network import Decode, Head, Layer, Network, Stem

RowSource = Callable[[int, int], Tensor]
"""Rows `low` … `high` − 1 of a map, as (1, C, high − low, W); what is asked for lies inside the map."""


class _Make(Protocol):
    def __call__(self, low: int, high: int, /) -> Tensor: ...


@dataclass(frozen=True, kw_only=True)
class _Map:
    """A map by its rows, and how many it has."""

    rows: RowSource
    height: int

    @classmethod
    def whole(cls, values: Tensor) -> _Map:
        return cls(rows=lambda low, high: values[:, :, low:high], height=values.shape[2])


def run(network: Network, image: RowSource, height: int, width: int, *, band: int) -> Iterator[tuple[int, Tensor]]:
    """The output of a folded network, as (first row, (1, 1, rows, W)) from top to bottom.

    `image`: the input's rows (1, 1, n, `width`), on the network's device and in its precision; asked for twice.
    `height` and `width`: multiples of 32. `band`: about how many full-resolution pixels a band has.
    """
    stages = network.stages
    stem, head = cast(Stem, stages["stem"]), cast(Head, stages["head"])
    layer1 = cast(Layer, stages["layer1"])
    source = _Map(rows=image, height=height)
    half = _Map(rows=lambda low, high: _stem(stem, source, low, high), height=height // 2)

    pooled = _assemble(lambda low, high: _pool(half, low, high), height // 4, _rows(band, width, 4))
    skip1 = layer1.residual(pooled)
    del pooled
    skip2 = stages["layer2"](skip1)
    skip3 = stages["layer3"](skip2)
    deep = stages["d1"](stages["layer4"](skip3), skip3)
    del skip3
    deep = stages["d2"](deep, skip2)
    del skip2
    deep = _decoded(stages["d3"], deep, _Map.whole(skip1), _rows(band, width, 4))
    del skip1
    deep = _decoded(stages["d4"], deep, half, _rows(band, width, 2))

    d5, below = cast(Decode, stages["d5"]), _Map.whole(deep)
    wide = _Map(rows=lambda low, high: _decode(d5, below, None, low, high), height=height)
    step = _rows(band, width, 1)
    for low in range(0, height, step):
        yield low, _head(head, wide, low, min(low + step, height))


def _rows(band: int, width: int, scale: int) -> int:
    """The rows of a band at 1/`scale` of the resolution; never so few that the halo outweighs them."""
    return max(16, band // (width * scale))


def _assemble(make: _Make, height: int, step: int) -> Tensor:
    """All rows that `make` gives, in one map."""
    whole: Tensor | None = None
    for low in range(0, height, step):
        part = make(low, min(low + step, height))
        if whole is None:
            shape = (1, part.shape[1], height, part.shape[3])
            whole = torch.empty(shape, dtype=part.dtype, device=part.device, memory_format=torch.channels_last)
        whole[:, :, low : low + step] = part
    assert whole is not None
    return whole


def _decoded(stage: nn.Module, x: Tensor, skip: _Map, step: int) -> Tensor:
    decode, below = cast(Decode, stage), _Map.whole(x)
    return _assemble(lambda low, high: _decode(decode, below, skip, low, high), 2 * below.height, step)


def _stem(stem: Stem, image: _Map, low: int, high: int) -> Tensor:
    return _convolve(stem.conv1, image, low, high).relu_()


def _pool(half: _Map, low: int, high: int) -> Tensor:
    """Rows of the 3×3 maximum of stride 2. After ReLU a border of zeros is as good as one of −∞."""
    first = 2 * low - 1
    rows = half.rows(max(first, 0), 2 * high)
    if first < 0:
        rows = functional.pad(rows, (0, 0, 1, 0))
    return functional.max_pool2d(rows, kernel_size=3, stride=2, padding=(0, 1))


def _decode(stage: Decode, x: _Map, skip: _Map | None, low: int, high: int) -> Tensor:
    """Rows of a decoder block's output."""
    height = 2 * x.height

    def joined(first: int, last: int) -> Tensor:
        up = functional.interpolate(x.rows(first // 2, (last + 1) // 2), scale_factor=2.0, mode="nearest")
        up = up[:, :, first % 2 : first % 2 + last - first]
        return up if skip is None else torch.cat([up, skip.rows(first, last)], dim=1)

    def inner(first: int, last: int) -> Tensor:
        return _convolve(stage.conv1, _Map(rows=joined, height=height), first, last).relu_()

    return _convolve(stage.conv2, _Map(rows=inner, height=height), low, high).relu_()


def _head(head: Head, wide: _Map, low: int, high: int) -> Tensor:
    """In the precision of its weights: fp32, also where the rest is bf16."""
    precision = cast(nn.Conv2d, head.conv).weight.dtype
    full = _Map(rows=lambda first, last: wide.rows(first, last).to(precision), height=wide.height)
    return _convolve(head.conv, full, low, high).sigmoid_()


def _convolve(module: nn.Module, x: _Map, low: int, high: int) -> Tensor:
    """Rows `low` … `high` − 1 of a convolution's output: zeros stand only for rows that the map does not have."""
    conv = cast(nn.Conv2d, module[0] if isinstance(module, nn.Sequential) else module)
    stride, padding = conv.stride[0], cast(tuple[int, int], conv.padding)
    first, last = low * stride - padding[0], (high - 1) * stride - padding[0] + conv.kernel_size[0]
    rows = x.rows(max(first, 0), min(last, x.height))
    if first < 0 or last > x.height:
        rows = functional.pad(rows, (0, 0, max(-first, 0), max(last - x.height, 0)))
    return functional.conv2d(rows, conv.weight, conv.bias, conv.stride, (0, padding[1]))
