"""The head by hand: 3×3 convolution to one channel and sigmoid, in fp32 (fp64 stays fp64), in bands of its input.

The map in front of it is asked for in rows, so it need not exist whole. Its gradient is a map of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.bands import halo, handmade
from fullfield.bands.halo import Divided

RowsOf = Callable[[int, int], Tensor]
"""Rows [first − 1, last + 1) of the map in front of the head, without those outside of it."""


class Head:
    """`weight` (1, C, 3, 3) and `bias` (1,) as they are in this step; bands of `rows` rows."""

    def __init__(self, weight: Tensor, bias: Tensor, *, rows: int, wanted: Sequence[bool] = (True, True)) -> None:
        self.weight, self.bias, self.rows, self.wanted = weight, bias, rows, wanted
        self.gradients: tuple[Tensor | None, Tensor | None] = (None, None)

    def forward(self, rows_of: RowsOf, like: Divided) -> Tensor:
        """The prediction (N, 1, H, W). `like`: a map of the size of the one in front of the head."""
        _, _, height, width = like.map.shape
        out = like.alike(halo.like(like.map, 1, height, width, self._dtype(like.map)))
        for first, last in halo.bands(out.own, self.rows):
            y = self._read(rows_of, first, last, out)
            z = functional.conv2d(y, self.weight.to(y.dtype), self.bias.to(y.dtype), padding=halo.BESIDE)
            out.mine(first, last).copy_(z.sigmoid_())
        return out.map

    def backward(self, rows_of: RowsOf, like: Divided, out: Tensor, g: Tensor) -> Tensor:
        """The gradient of the map in front of the head, like `like`, from `g` of the prediction `out`."""
        weight = self.weight.to(out.dtype)
        behind = like.alike(torch.ops.aten.sigmoid_backward(g, out)).pull()
        found, turned = torch.zeros_like(weight), halo.turned(weight)
        before = like.alike(torch.empty_like(like.map))
        for first, last in halo.bands(before.own, self.rows):
            if self.wanted[0]:
                y = self._read(rows_of, first, last, behind)
                rows = behind.mine(first, last).contiguous()
                found += handmade.weight_gradient(rows, y, weight, stride=(1, 1), padding=halo.BESIDE)
                del y, rows
            near = behind.padded(first - 1, last + 1)
            before.mine(first, last).copy_(functional.conv2d(near, turned, padding=halo.BESIDE))
        self.gradients = (
            found.to(self.weight.dtype) if self.wanted[0] else None,
            behind.map.sum((0, 2, 3)).to(self.bias.dtype) if self.wanted[1] else None,
        )
        return before.map

    def _read(self, rows_of: RowsOf, first: int, last: int, to: Divided) -> Tensor:
        return halo.edged(rows_of(first, last), first, last, to.height).to(to.map.dtype)

    def _dtype(self, like: Tensor) -> torch.dtype:
        return torch.float64 if like.dtype == torch.float64 else torch.float32
