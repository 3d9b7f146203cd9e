"""Rows of a map with the rows beside them, for convolutions that are run band by band over whole maps.

A 3×3 convolution of rows [first, last) reads one row more above and below. At the edges of the map those are zeros;
left and right the kernels pad.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.kernels import rows, stored
from fullfield.kernels.stored import Stored

BESIDE = (0, 1)  # padding of a 3×3 convolution whose rows are padded by hand


def bands(height: int, band_rows: int, *, grain: int = 1) -> Iterator[tuple[int, int]]:
    """Rows [first, last) of every band of one pass, at multiples of `grain`."""
    count = rows.count(height, band_rows)
    for number in rows.visit(count):
        first, last = rows.band(number, height // grain, count)
        yield first * grain, last * grain


def padded(map_NCHW: Tensor | Stored, first: int, last: int) -> Tensor:
    """Rows [first, last), zeros where there are none."""
    height = map_NCHW.shape[2]
    inside = stored.rows(map_NCHW, max(0, first), min(height, last))
    return _framed(inside, max(0, -first), max(0, last - height))


def around(map_NCHW: Tensor, first: int, last: int) -> Tensor:
    """Rows [first − 1, last + 1) without those that lie outside of the map."""
    return map_NCHW[:, :, max(0, first - 1) : last + 1]


def edged(band_NCHW: Tensor, first: int, last: int, height: int) -> Tensor:
    """What `around` gave, with zeros for what lies outside of the map."""
    return _framed(band_NCHW, int(first == 0), int(last == height))


class Rolling:
    """A map that is written over from the top, while each band reads one row above it as it was before."""

    def __init__(self, map_NCHW: Tensor) -> None:
        self.map_NCHW = map_NCHW
        self._above = map_NCHW[:, :, :0]

    def around(self, first: int, last: int) -> Tensor:
        """As `around` gives it, of the old rows, as a copy. Call it once for each band, in order."""
        below = self.map_NCHW[:, :, first : last + 1]
        old = torch.cat([self._above, below], 2) if first else below.clone()
        self._above = self.map_NCHW[:, :, last - 1 : last].clone()
        return old


def like(map_NCHW: Tensor, channels: int, height: int, width: int, dtype: torch.dtype) -> Tensor:
    """Room for a map of the same images in the same layout."""
    last = torch.channels_last
    layout = last if map_NCHW.is_contiguous(memory_format=last) and not map_NCHW.is_contiguous() else None
    shape = (map_NCHW.shape[0], channels, height, width)
    return torch.empty(shape, dtype=dtype, device=map_NCHW.device, memory_format=layout or torch.contiguous_format)


def turned(weight: Tensor) -> Tensor:
    """The weights with which a convolution of the output's gradient gives that of the input."""
    return weight.transpose(0, 1).flip(2, 3).contiguous()


def _framed(band: Tensor, above: int, below: int) -> Tensor:
    return functional.pad(band, (0, 0, above, below)) if above or below else band
