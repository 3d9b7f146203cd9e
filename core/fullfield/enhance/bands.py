"""The network over a whole map of any size in little memory: its wide stages run band by band.

A plain forward keeps 440 bytes per pixel at its peak, nearly all of it in the full- and half-resolution stages. Here
those (stem with pooling, d3, d4, d5 with the head) run in bands of rows with the few rows of halo that their own
convolutions need; only the quarter-resolution maps and d4's output are ever whole. The stem is computed a second time
for d4's skip, which costs 0.7 % of the arithmetic and saves 64 bytes per pixel. A convolution over a band is the
convolution over the map, so the result is the whole image's up to rounding: no seam, no approximation.

Needs BatchNorm folded (evaluation): with batch statistics every stage would be a barrier.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from fullfield.model.blocks import Block, Step
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.network import Decode, Head, Layer, Network
from fullfield.model.stages import DEEP, FULL, HALF, HEAD, LAYERS, STAGES, STEM, STRIDES

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
    encoder = ENCODERS[network.spec.encoder]
    half, quarter = height // STRIDES[STEM], height // STRIDES[LAYERS[0]]
    stem = _blocks(network.blocks(STEM), _Map(rows=image, height=height))
    if not encoder.pools:  # its map is small, and both the first layer and the decoder read it
        stem = _Map.whole(_assemble(stem.rows, half, _rows(band, width, STRIDES[STEM])))
    step = _rows(band, width, STRIDES[LAYERS[0]])
    x = _assemble(lambda low, high: _pool(stem, low, high), quarter, step) if encoder.pools else stem.rows(0, half)
    if encoder.basic:
        x = cast(Layer, stages[LAYERS[0]]).residual(x)
    else:
        for block in network.blocks(LAYERS[0]):
            x = _made(block, x, step)
    maps = {LAYERS[0]: x}
    for name in LAYERS[1:]:
        maps[name] = x = stages[name](x)
    for name in DEEP[:-1]:
        skip = STAGES[name][-1]
        x = stages[name](x, maps[skip])
        maps = {kept: one for kept, one in maps.items() if kept not in (skip, LAYERS[-1])}
    x = _decoded(stages[DEEP[-1]], x, _Map.whole(maps.pop(LAYERS[0])), step)
    x = _decoded(stages[HALF], x, stem, _rows(band, width, STRIDES[HALF]))

    full, below, head = cast(Decode, stages[FULL]), _Map.whole(x), cast(Head, stages[HEAD])
    wide = _Map(rows=lambda low, high: _decode(full, below, None, low, high), height=height)
    step = _rows(band, width, STRIDES[FULL])
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


def _made(block: Block, x: Tensor, step: int) -> Tensor:
    made = _blocks([block], _Map.whole(x))
    return _assemble(made.rows, made.height, step)


def _decoded(stage: nn.Module, x: Tensor, skip: _Map, step: int) -> Tensor:
    decode, below = cast(Decode, stage), _Map.whole(x)
    return _assemble(lambda low, high: _decode(decode, below, skip, low, high), 2 * below.height, step)


def _blocks(blocks: Iterable[Block], x: _Map) -> _Map:
    """The map of an encoder's blocks, one after the other, of whose own maps no more than a band exists."""
    for block in blocks:
        x = _block(block, x)
    return x


def _block(block: Block, x: _Map) -> _Map:
    main = _steps(block.main, x)
    if block.beside is None:
        return main
    beside = _steps(block.beside, x)

    def rows(low: int, high: int) -> Tensor:
        sum_ = main.rows(low, high).add_(beside.rows(low, high))
        return sum_.relu_() if block.relu else sum_

    return _Map(rows=rows, height=main.height)


def _steps(steps: Iterable[Step], x: _Map) -> _Map:
    for step in steps:
        x = _step(step, x)
    return x


def _step(step: Step, x: _Map) -> _Map:
    conv = step.conv
    reach = x.height + 2 * cast(int, conv.padding[0]) - conv.kernel_size[0]

    def rows(low: int, high: int) -> Tensor:
        made = _convolve(conv, x, low, high)
        if not step.relu:
            return made
        return made.relu_() if step.ceiling == math.inf else made.clamp_(0, step.ceiling)

    return _Map(rows=rows, height=reach // conv.stride[0] + 1)


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
    return functional.conv2d(rows, conv.weight, conv.bias, conv.stride, (0, padding[1]), groups=conv.groups)
