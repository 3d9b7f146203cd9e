"""OpenCV's pyramids, resizing and borders in torch, differentiable: what is trained is what `cv2` then computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.model import map_form
from fullfield.model.map_form import CELL, COARSE

_DOWN = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)
_EVEN, _ODD = (1 / 8, 6 / 8, 1 / 8), (0.0, 4 / 8, 4 / 8)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pyramid:
    """`levels`: x_0 … x_L, (N, 1, rows, columns); `bands`: all but the last, without what the next one has."""

    levels: tuple[Tensor, ...]
    bands: tuple[Tensor, ...]

    @property
    def fine(self) -> int:
        """How many levels lie above the base."""
        return len(self.bands) - COARSE

    @property
    def base(self) -> Tensor:
        """What the network sees."""
        return self.levels[self.fine]

    def energies(self) -> Tensor:
        """(N, L, cells, cells): the strength of each band, about −3 to 2, by its mean square in a cell and its
        neighbours."""
        rows, columns = (map_form.on_grid(side) for side in self.base.shape[2:])
        found = [self._mean_square(level, rows, columns) for level in range(len(self.bands))]
        every = functional.pad(torch.cat(found, 1), (1, 1, 1, 1), mode="replicate")
        return functional.avg_pool2d(every, 3, stride=1).clamp_min(map_form.FLOOR).log() * 0.25 + 2.0

    def above_quiet(self, energies: Tensor) -> Tensor:
        """How far `energies` lie above the quietest of the same brightness in the image, of the same shape."""
        light = functional.avg_pool2d(padded(self.base, map_form.GRID), CELL).flatten(2) * (map_form.NODES - 1)
        nodes = torch.arange(map_form.NODES, dtype=light.dtype, device=light.device)[:, None]
        share = (1 - (light - nodes).abs()).clamp_min(0)  # of each cell in each node
        flat = energies.flatten(2)
        mean = (-map_form.SHARP * flat).exp() @ share.mT / share.sum(2)[:, None].clamp_min(map_form.FLOOR)
        quiet = mean.clamp_min(map_form.FLOOR).log() / -map_form.SHARP
        return (flat - quiet @ share).view_as(energies)

    def _mean_square(self, level: int, rows: int, columns: int) -> Tensor:
        band, above = self.bands[level], self.fine - level
        if above < -2:  # two cells for each of its pixels
            wide = functional.interpolate(band.square(), scale_factor=2.0**-above / CELL, mode="nearest")
            return extended(wide, rows, columns)
        size = CELL << above if above > 0 else CELL >> -above
        if above <= 0:
            return functional.avg_pool2d(extended(band, rows * size, columns * size).square(), size)
        first = map_form.first_sampled(size)
        places = torch.arange(rows, device=band.device)[:, None] * size + first
        places = places + torch.arange(map_form.SAMPLED, device=band.device)[None]
        some = band.index_select(2, places.flatten().clamp(max=band.shape[2] - 1))
        square = extended(some, some.shape[2], columns * size).square()
        return functional.avg_pool2d(square, (map_form.SAMPLED, size))


def pyramid(x: Tensor) -> Pyramid:
    """Of an image (N, 1, H, W)."""
    levels, bands = [x], []
    for _ in range(map_form.fine(max(x.shape[2:])) + COARSE):
        levels.append(down(levels[-1]))
        bands.append(levels[-2] - up(levels[-1], levels[-2].shape[2:]))
    return Pyramid(levels=tuple(levels), bands=tuple(bands))


def down(x: Tensor) -> Tensor:
    """`cv2.pyrDown`: half of the sides, rounded up."""
    for dimension in (2, 3):
        x = x.index_select(dimension, torch.tensor(_mirrored(x.shape[dimension]), device=x.device))
    row = x.new_tensor(_DOWN)[None, None, None]
    x = functional.conv2d(x, row, stride=(1, 2))
    return functional.conv2d(x, row.transpose(2, 3), stride=(2, 1))


def up(x: Tensor, size: Sequence[int]) -> Tensor:
    """`cv2.pyrUp` to `size`: twice the sides, or one less."""
    x = functional.pad(x, (0, 1, 0, 1), mode="replicate")  # the right border repeats, the left one mirrors
    for dimension in (2, 3):
        second = 1 if x.shape[dimension] > 1 else 0
        x = torch.cat([x.narrow(dimension, second, 1), x], dimension)
    kernels = torch.stack([torch.outer(x.new_tensor(a), x.new_tensor(b)) for a in (_EVEN, _ODD) for b in (_EVEN, _ODD)])
    return functional.pixel_shuffle(functional.conv2d(x, kernels[:, None]), 2)[:, :, : size[0], : size[1]]


def enlarged(x: Tensor, factor: int) -> Tensor:
    """`cv2.resize` by a whole factor, linear."""
    return functional.interpolate(x, scale_factor=float(factor), mode="bilinear", align_corners=False)


def padded(x: Tensor, multiple: int) -> Tensor:
    """Up to multiples, by repeating the last row and column."""
    rows, columns = x.shape[2:]
    return extended(x, -(-rows // multiple) * multiple, -(-columns // multiple) * multiple)


def extended(x: Tensor, rows: int, columns: int) -> Tensor:
    """To so many rows and columns at least, likewise; what is more is cut off."""
    down, right = max(0, rows - x.shape[2]), max(0, columns - x.shape[3])
    return functional.pad(x, (0, right, 0, down), mode="replicate")[:, :, :rows, :columns]


@cache
def _mirrored(length: int) -> tuple[int, ...]:
    """The places −2 … length + 1 as BORDER_REFLECT_101 has them."""
    period = max(1, 2 * (length - 1))
    return tuple(min(place % period, period - place % period) for place in range(-2, length + 2))
