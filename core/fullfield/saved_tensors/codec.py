"""Values in 8 or 4 bits, block by block, with stochastic rounding: what saved tensors are compressed with.

Each block of consecutive values has a lowest value and a step, so that a code stands for low + code·step (Chen et al.
2021, "ActNN", section 3.1). A value between two steps becomes the upper one with the probability of its place between
them: its mean over many roundings is the value itself. A block without negative values, such as behind a ReLU, keeps
code 0 for exact zeros, and its lowest value is the lowest positive one: a zero stays zero and a positive value stays
positive, so that a ReLU's backward lets through what it let through before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from fullfield.kernels import rows

CHUNK = 2**20  # values that are looked at in one go: 4 MiB a temporary in fp32


@dataclass(frozen=True, kw_only=True)
class Coded:
    """`count` values of `dtype`. `codes`: uint8, one value a byte, or two: the first half of a block in the low bits.

    `low`, `step`: one of each per block, in fp32 (fp64 for fp64 values).
    """

    codes: Tensor
    low: Tensor
    step: Tensor
    count: int
    dtype: torch.dtype
    bits: int
    block: int


@torch.no_grad()
def encode(values: Tensor, *, bits: int, block: int, generator: torch.Generator | None) -> Coded:
    """`values`: 1-D, floating. `bits`: 8 or 4. `block`: values per block, an even number. `generator`: of the rounding.

    A block with values that are not finite comes back as NaN, in whole or in part.
    """
    count, blocks = values.numel(), rows.count(values.numel(), block)
    precise = torch.float64 if values.dtype == torch.float64 else torch.float32
    codes = torch.empty((blocks, block * bits // 8), dtype=torch.uint8, device=values.device)
    low, step = (torch.empty((blocks, 1), dtype=precise, device=values.device) for _ in range(2))
    for first, last in _spans(blocks, block):
        part = _padded(values[first * block : last * block], (last - first) * block).to(precise).view(-1, block)
        low[first:last], step[first:last], found = _rounded(part, 2**bits - 1, generator)
        codes[first:last] = found if bits == 8 else found[:, : block // 2] | found[:, block // 2 :] << 4
    return Coded(codes=codes, low=low, step=step, count=count, dtype=values.dtype, bits=bits, block=block)


@torch.no_grad()
def decode(coded: Coded) -> Tensor:
    """The values, 1-D: each within one step of its block of what it was."""
    block = coded.block
    values = torch.empty(coded.count, dtype=coded.dtype, device=coded.codes.device)
    for first, last in _spans(coded.low.shape[0], block):
        found = coded.codes[first:last]
        if coded.bits == 4:
            found = torch.cat([found & 15, found >> 4], dim=1)
        low, step = coded.low[first:last], coded.step[first:last]
        part = found.to(low.dtype)
        base = (low >= 0).to(low.dtype)  # code 0 is zero there, and the steps begin at code 1
        part = part.sub_(base).mul_(step).add_(low).masked_fill_((found == 0) & (low >= 0), 0)
        place = values[first * block : last * block]
        place.copy_(part.view(-1)[: place.numel()])
    return values


def _rounded(part: Tensor, most: int, generator: torch.Generator | None) -> tuple[Tensor, Tensor, Tensor]:
    """The lowest value, the step and the codes 0…`most` of every row of `part`."""
    least, greatest = torch.aminmax(part, dim=1, keepdim=True)
    positive = least >= 0
    above = part.masked_fill(part <= 0, torch.inf).amin(dim=1, keepdim=True)
    above = above.masked_fill(above == torch.inf, 0)  # a block of zeros
    low = torch.where(positive, above, least)
    step = (greatest - low) / torch.where(positive, most - 1.0, float(most))
    steps = (part - low) / step.masked_fill(step == 0, 1)
    steps += torch.rand(part.shape, dtype=part.dtype, device=part.device, generator=generator)
    steps = torch.minimum(steps.floor_().clamp_min_(0), most - positive.to(part.dtype))
    codes = steps.add_(positive).masked_fill_(positive & (part == 0), 0)
    return low, step, codes.to(torch.uint8)


def _padded(values: Tensor, count: int) -> Tensor:
    """With the last value repeated up to `count` values: it changes neither the lowest nor the highest."""
    missing = count - values.numel()
    return values if not missing else torch.cat([values, values[-1:].expand(missing)])


def _spans(blocks: int, block: int) -> Iterator[tuple[int, int]]:
    """Blocks [first, last) that are looked at together."""
    spans = rows.count(blocks, max(1, CHUNK // block))
    for number in rows.visit(spans):
        yield rows.band(number, blocks, spans)
