"""The loss of a prediction that lies outside of the device, from where rows come and to where rows of gradient go.

Beside 1 − MS-SSIM as `kernels.msssim` computes it, to the same bits, neither prediction nor gradient is ever whole on
the device. Forward computes scale by scale: rows of the finest scale's gradient go without their factor, which needs
the means of all scales. Backward takes them once more, when the factor is known and what the loss counts for, with what
the coarser scales give, and with L1's, which needs nothing kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.kernels import msssim, rows, stored
from fullfield.kernels.msssim_kernel import REACH, Kernel
from fullfield.kernels.stored import Stored


class Rows(Protocol):
    """Rows of a map (N, C, H, W) that come and go."""

    def rows(self, first: int, last: int) -> Tensor:
        """Rows [first, last) on the device."""
        ...

    def write(self, first: int, last: int, values: Tensor) -> None:
        """Put `values` there."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Away:
    """One prediction (1, 1, H, W). `token`: a scalar whose backward takes what `gradient` has then. `true`: the rows
    and columns that count, at the top left; elsewhere the gradient is 0."""

    token: Tensor
    values: Rows
    gradient: Rows
    shape: torch.Size
    dtype: torch.dtype
    true: tuple[int, int]

    def part(self, true: tuple[int, int]) -> Away:
        """Of which only so much counts."""
        return replace(self, true=true)

    def losses(self, reference: Tensor | Stored, kernel: Kernel, band_rows: int, *, l1: bool) -> tuple[Tensor, Tensor]:
        """1 − MS-SSIM, and the mean absolute difference (0 without `l1`), for one backward. `reference`: (1, 1, rows,
        columns) of what counts."""
        found = _Losses.apply(self.token, self, reference, kernel, band_rows, l1)
        return cast("tuple[Tensor, Tensor]", found)

    def whole(self) -> Tensor:
        """The part that counts as a tensor with a gradient, for who needs it whole."""
        return cast(Tensor, _Whole.apply(self.token, self))

    def read(self, first: int, last: int) -> Tensor:
        """Rows of what counts."""
        return self.values.rows(first, last)[0, 0, :, : self.true[1]]

    def learn(self, first: int, last: int, gradient: Tensor) -> None:
        """Their gradient."""
        self.gradient.write(first, last, functional.pad(gradient, (0, self.shape[3] - self.true[1]))[None, None])

    def end(self) -> None:
        """The gradient of the rows that do not count."""
        if self.true[0] < self.shape[2]:
            nothing = torch.zeros(
                self.shape[2] - self.true[0], self.true[1], dtype=self.dtype, device=self.token.device
            )
            self.learn(self.true[0], self.shape[2], nothing)


class _Losses(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, token: Tensor, x: Away, y: Tensor | Stored, kernel: Kernel, band_rows: int, l1: bool
    ) -> tuple[Tensor, Tensor]:
        ctx.set_materialize_grads(False)
        height, width = x.true
        total = _finest(x, y, kernel, band_rows)
        scales = msssim.scales(_halved(x, band_rows), msssim.halved(y, band_rows), kernel, band_rows, first=1)
        pixels = (height - REACH) * (width - REACH)
        value, (factor, *factors) = msssim.weighed(
            -1.0, [total / pixels, *(each.mean for each in scales)], [pixels, *(each.pixels for each in scales)]
        )
        ctx.kept = x, y, factor, msssim.joined(scales, factors), band_rows
        difference = torch.zeros((), dtype=torch.float64, device=token.device)
        for first, last in _bands(height, band_rows) if l1 else ():
            apart = x.read(first, last) - stored.rows(y, first, last)[0, 0]
            difference += apart.abs_().sum(dtype=torch.float64)
        return (1.0 - value).to(x.dtype), (difference / (height * width)).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, *incoming: Tensor | None) -> tuple[Tensor | None, ...]:
        kept, ctx.kept = ctx.kept, None
        if kept is None:
            raise RuntimeError("The gradient of the loss in bands serves one backward; compute the loss again")
        x, y, factor, coarser, band_rows = kept
        structure, difference = incoming
        height, width = x.true
        above = height % 2  # a row of zeros, before an odd height
        for first, last in _bands((height + above) // 2, band_rows):
            own = max(0, 2 * first - above), 2 * last - above
            room = torch.zeros(2 * (last - first), width + width % 2, dtype=x.dtype, device=x.token.device)
            true = room[room.shape[0] - (own[1] - own[0]) :, width % 2 :]
            if structure is not None:
                true.copy_(x.gradient.rows(*own)[0, 0, :, :width])
                room.mul_(factor)
                msssim.spread(coarser[first:last], room)
                room.mul_(structure)
            if difference is not None:
                apart = x.read(*own) - stored.rows(y, *own)[0, 0]
                true += apart.sign_().mul_(difference / (height * width))
            x.learn(*own, true)
        x.end()
        return torch.zeros_like(x.token), None, None, None, None, None


class _Whole(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, token: Tensor, away: Away) -> Tensor:
        ctx.away = away
        return away.read(0, away.true[0])[None, None].clone()

    @staticmethod
    def backward(ctx: Any, *incoming: Tensor) -> tuple[Tensor, None]:
        ctx.away.learn(0, ctx.away.true[0], incoming[0][0, 0])
        ctx.away.end()
        return torch.zeros_like(ctx.away.token), None


def _finest(x: Away, y: Tensor | Stored, kernel: Kernel, band_rows: int) -> Tensor:
    """The sum of the finest scale's map, fp64. Its gradient goes as soon as no later band adds to its rows."""
    height = x.true[0] - REACH
    total = torch.zeros((), dtype=torch.float64, device=x.token.device)
    begun: Tensor | None = None  # of the rows that the next band shares
    for first, last in _bands(height, band_rows):
        beside = stored.rows(y, first, last + REACH)[0, 0]
        band_total, gradient = kernel(x.read(first, last + REACH), beside, False)
        total += band_total
        if begun is not None:
            gradient[:REACH] += begun
        x.learn(first, last, gradient[: last - first])
        begun = gradient[last - first :].clone()
        del gradient, beside
    assert begun is not None
    x.learn(height, height + REACH, begun)
    return total


def _halved(x: Away, band_rows: int) -> Tensor:
    height, width = (side + side % 2 for side in x.true)
    found = torch.empty(height // 2, width // 2, dtype=x.dtype, device=x.token.device)
    for first, last in _bands(height // 2, band_rows):
        found[first:last] = msssim.mean_of_four(x.read(*msssim.under(first, last, x.true[0])))
    return found


def _bands(height: int, band_rows: int) -> Iterator[tuple[int, int]]:
    bands = rows.count(height, band_rows)
    for number in rows.visit(bands):
        yield rows.band(number, height, bands)
