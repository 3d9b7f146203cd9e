"""The network over a whole map of any size in little memory: its wide stages run band by band.

A plain forward keeps 440 bytes per pixel at its peak, nearly all of it in the full- and half-resolution stages. Here
those (stem with pooling, d3, d4, d5 with the head) run in bands of rows with the few rows of halo that their own
convolutions need; only the quarter-resolution maps and d4's output are ever whole. The stem is computed a second time
for d4's skip, which costs 0.7 % of the arithmetic and saves 64 bytes per pixel. A convolution over a band is the
convolution over the map, so the result is the whole image's up to rounding: no seam, no approximation.

Of an image that several devices compute (`portions`) each has its own rows of every map, and all numbers of rows here
are the image's: what is whole elsewhere ends at the edges of the portion, and what is read beyond them is handed over
by the neighbours (`halo_exchange`). Bands read beyond their edges from the image, or from such a map, as ever.

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

from fullfield.enhance.halo_exchange import across, rows_beside
from fullfield.enhance.portions import Portion
from fullfield.model.blocks import Block, Step
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.network import Decode, Head, Layer, Network
from fullfield.model.stages import DEEP, FULL, HALF, HEAD, LAYERS, STAGES, STEM, STRIDES

_SKIP, _BELOW, _LAST = 2, 1, 2
"""Rows beyond its own that a decoder block reads of its skip and of the map below it; and of that the last block, with
the head behind it."""

RowSource = Callable[[int, int], Tensor]
"""Rows `low` … `high` − 1 of a map, as (1, C, high − low, W); what is asked for lies inside the map."""


class _Make(Protocol):
    def __call__(self, low: int, high: int, /) -> Tensor: ...


@dataclass(frozen=True, kw_only=True)
class _Map:
    """A map by its rows, and how many it has in all."""

    rows: RowSource
    height: int

    @classmethod
    def of(cls, own: Tensor, portion: Portion, halo: int) -> _Map:
        """From a portion's own rows of it; `halo` above and as many below are its neighbours'. Rows beyond these
        raise ValueError."""
        stride = (portion.last - portion.first) // own.shape[2]
        above, below = rows_beside(own, halo, portion)
        first = portion.first // stride
        ends = (first - halo, above), (first, own), (first + own.shape[2], below)
        pieces = [(start, piece) for start, piece in ends if piece is not None]

        def rows(low: int, high: int) -> Tensor:
            found = [
                piece[:, :, max(low - start, 0) : high - start]
                for start, piece in pieces
                if start < high and low < start + piece.shape[2]
            ]
            if sum(piece.shape[2] for piece in found) != high - low:
                raise ValueError(f"rows {low} to {high} of a map are wanted of a portion with {halo} beside its own")
            return found[0] if len(found) == 1 else torch.cat(found, dim=2)

        return cls(rows=rows, height=portion.of // stride)


def run(network: Network, image: RowSource, portion: Portion, width: int, *, band: int) -> Iterator[tuple[int, Tensor]]:
    """The output of a folded network, as (first row, (1, 1, rows, W)) from top to bottom.

    `image`: the input's rows (1, 1, n, `width`), on the network's device and in its precision; asked for twice.
    `portion`: the rows of the output. `width`: a multiple of 32. `band`: about how many full-resolution pixels a band
    has. Raises Ended.
    """
    stages = network.stages
    half = portion.at(STRIDES[STEM])
    stem = _blocks(network.blocks(STEM), _Map(rows=image, height=portion.of))
    if not ENCODERS[network.spec.encoder].pools:  # its map is small, and both the first layer and the decoder read it
        stem = _Map.of(_assemble(stem.rows, half, _rows(band, width, STRIDES[STEM])), portion, _SKIP)
    x = _first_layer(network, stem, portion, _rows(band, width, STRIDES[LAYERS[0]]))
    maps = {LAYERS[0]: x}
    for name in LAYERS[1:]:
        with across(stages[name], portion):
            maps[name] = x = stages[name](x)
    deep = DEEP[:-1] if portion.alone else DEEP[:1]  # with rows put beside it d2's input would be the peak
    for name in deep:
        skip = STAGES[name][-1]
        with across(stages[name], portion):
            x = stages[name](x, maps[skip])
        maps = {kept: one for kept, one in maps.items() if kept not in (skip, LAYERS[-1])}
    for name in DEEP[len(deep) :]:
        skip_map, step = _Map.of(maps.pop(STAGES[name][-1]), portion, _SKIP), _rows(band, width, STRIDES[name])
        x = _decoded(stages[name], _Map.of(x, portion, _BELOW), skip_map, portion.at(STRIDES[name]), step)
        del skip_map
    x = _decoded(stages[HALF], _Map.of(x, portion, _BELOW), stem, half, _rows(band, width, STRIDES[HALF]))

    full, below, head = cast(Decode, stages[FULL]), _Map.of(x, portion, _LAST), cast(Head, stages[HEAD])
    wide = _Map(rows=lambda low, high: _decode(full, below, None, low, high), height=portion.of)
    step = _rows(band, width, STRIDES[FULL])
    for low in range(portion.first, portion.last, step):
        yield low, _head(head, wide, low, min(low + step, portion.last))


def _rows(band: int, width: int, scale: int) -> int:
    """The rows of a band at 1/`scale` of the resolution; never so few that the halo outweighs them."""
    return max(16, band // (width * scale))


def _assemble(make: _Make, rows: range, step: int) -> Tensor:
    """All these rows that `make` gives, in one map."""
    whole: Tensor | None = None
    for low in rows[::step]:
        part = make(low, min(low + step, rows.stop))
        if whole is None:
            shape = (1, part.shape[1], len(rows), part.shape[3])
            whole = torch.empty(shape, dtype=part.dtype, device=part.device, memory_format=torch.channels_last)
        whole[:, :, low - rows.start : low - rows.start + step] = part
    assert whole is not None
    return whole


def _first_layer(network: Network, stem: _Map, portion: Portion, step: int) -> Tensor:
    """`Layer.forward`, block by block in bands: of a block's own maps no more than a band exists. Basic blocks run
    whole where nobody hands over rows."""
    encoder, layer = ENCODERS[network.spec.encoder], cast(Layer, network.stages[LAYERS[0]])
    (first, *others), rows = network.blocks(LAYERS[0]), portion.at(STRIDES[LAYERS[0]])
    if encoder.pools:
        x = _assemble(lambda low, high: _pool(stem, low, high), rows, step)
        if encoder.basic and portion.alone:
            return layer.residual(x)
        x = _made(first, _Map.of(x, portion, first.reach), rows, step)
    else:
        x = _made(first, stem, rows, step)
    momentum, v = layer.momentum, torch.zeros(())
    for block in others:
        made = _made(block, _Map.of(x, portion, block.reach), rows, step)
        if momentum:
            v = made.sub_(x).mul_(1 - momentum).add_(v, alpha=momentum)
        x = x + v if momentum else made
    return x


def _made(block: Block, x: _Map, rows: range, step: int) -> Tensor:
    return _assemble(_block(block, x).rows, rows, step)


def _decoded(stage: nn.Module, below: _Map, skip: _Map, rows: range, step: int) -> Tensor:
    decode = cast(Decode, stage)
    return _assemble(lambda low, high: _decode(decode, below, skip, low, high), rows, step)


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
