"""The head by hand: 3×3 convolution to one channel and sigmoid, in fp32 (fp64 stays fp64), in bands of its input.

The map in front of it is asked for in rows, so it need not exist whole. Its gradient is a map of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.bands import halo, handmade

RowsOf = Callable[[int, int], Tensor]
"""Rows [first − 1, last + 1) of the map in front of the head, without those outside of it."""


class Head:
    """`weight` (1, C, 3, 3) and `bias` (1,) as they are in this step; bands of `rows` rows."""

    def __init__(self, weight: Tensor, bias: Tensor, *, rows: int, wanted: Sequence[bool] = (True, True)) -> None:
        self.weight, self.bias, self.rows, self.wanted = weight, bias, rows, wanted
        self.gradients: tuple[Tensor | None, Tensor | None] = (None, None)

    def forward(self, rows_of: RowsOf, like: Tensor) -> Tensor:
        """The prediction (N, 1, H, W). `like`: a map of the size of the one in front of the head."""
        height, width = like.shape[2:]
        out = halo.like(like, 1, height, width, self._dtype(like))
        for first, last in halo.bands(height, self.rows):
            y = self._read(rows_of, first, last, height, out.dtype)
            z = functional.conv2d(y, self.weight.to(out.dtype), self.bias.to(out.dtype), padding=halo.BESIDE)
            out[:, :, first:last].copy_(z.sigmoid_())
        return out

    def backward(self, rows_of: RowsOf, like: Tensor, out: Tensor, g: Tensor) -> Tensor:
        """The gradient of the map in front of the head, like `like`, from `g` of the prediction `out`."""
        height, weight = like.shape[2], self.weight.to(out.dtype)
        g = torch.ops.aten.sigmoid_backward(g, out)
        found, turned = torch.zeros_like(weight), halo.turned(weight)
        before = torch.empty_like(like)
        for first, last in halo.bands(height, self.rows):
            if self.wanted[0]:
                y = self._read(rows_of, first, last, height, out.dtype)
                rows = g[:, :, first:last].contiguous()
                found += handmade.weight_gradient(rows, y, weight, stride=(1, 1), padding=halo.BESIDE)
                del y, rows
            near = halo.padded(g, first - 1, last + 1)
            before[:, :, first:last].copy_(functional.conv2d(near, turned, padding=halo.BESIDE))
        self.gradients = (
            found.to(self.weight.dtype) if self.wanted[0] else None,
            g.sum((0, 2, 3)).to(self.bias.dtype) if self.wanted[1] else None,
        )
        return before

    def _read(self, rows_of: RowsOf, first: int, last: int, height: int, dtype: torch.dtype) -> Tensor:
        return halo.edged(rows_of(first, last), first, last, height).to(dtype)

    def _dtype(self, like: Tensor) -> torch.dtype:
        return torch.float64 if like.dtype == torch.float64 else torch.float32
