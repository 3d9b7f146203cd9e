"""The map network in torch, to be trained: the maps that it gives, and the picture rebuilt from them (`map_form`).

Both stages make the pyramid for themselves; it costs little, for no gradient goes through it. All but the network's own
convolutions is computed in fp32 at least, whatever autocast says.
"""

from __future__ import annotations

import math
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from fullfield.model import autocast, map_form
from fullfield.model.families.gain_map import MAPS
from fullfield.model.map_form import CELL, CELLS, COARSE, KNOTS, WIDTHS
from fullfield.model.map_pyramid import Pyramid, enlarged, padded, pyramid, up
from fullfield.model.modules import doubled
from fullfield.model.network import Network
from fullfield.model.spec import NetworkSpec
from fullfield.model.stages import HEAD


def build(spec: NetworkSpec) -> Network:
    """See `network.build`."""
    return Network(spec, {MAPS: Maps(), HEAD: Rebuild()})


class Block(nn.Module):
    """x + conv(relu(conv(relu(x)))), 3 × 3; the second one begins with zeros, so the network begins as a flat one."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.a, self.b = nn.Conv2d(width, width, 3, padding=1), nn.Conv2d(width, width, 3, padding=1)
        nn.init.zeros_(self.b.weight)
        nn.init.zeros_(cast(Tensor, self.b.bias))

    def forward(self, x: Tensor) -> Tensor:
        """The same shape."""
        return cast(Tensor, x + self.b(functional.relu(self.a(functional.relu(x)))))


class Maps(nn.Module):
    """The image (N, 1, H, W) to its maps (N, fine + COARSE + 2 + KNOTS, cells, cells), fp32."""

    def __init__(self) -> None:
        super().__init__()
        first, *wider = WIDTHS
        steps = list(zip(WIDTHS, wider, strict=False))
        self.entry = nn.Conv2d(CELL * CELL + COARSE, first, 3, padding=1)
        self.quiet = nn.Conv2d(COARSE, first, 3, padding=1, bias=False)
        self.down = nn.ModuleList(Block(width) for width in WIDTHS)
        self.widen = nn.ModuleList(nn.Conv2d(narrow, wide, 1) for narrow, wide in steps)
        self.everywhere = nn.Linear(WIDTHS[-1], WIDTHS[-1])
        self.bottom = Block(WIDTHS[-1])
        self.narrow = nn.ModuleList(nn.Conv2d(wide, narrow, 1) for narrow, wide in steps)
        self.up = nn.ModuleList(Block(narrow) for narrow, _ in steps)
        self.seen = nn.Conv2d(first, map_form.HEAD, 1)
        self.level = nn.Conv2d(2 + map_form.CODES, map_form.HEAD, 1, bias=False)
        self.beside = nn.Conv2d(map_form.BESIDE, map_form.HEAD, 1, bias=False)
        self.mixed = nn.Conv2d(map_form.HEAD, map_form.HEAD, 1)
        self.gain = nn.Conv2d(map_form.HEAD, 1, 1)
        self.tone = nn.Conv2d(first, 2 + KNOTS, 1)
        for last in (self.gain, self.tone):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(cast(Tensor, last.bias))
        with torch.no_grad():
            steeper = map_form.BEGIN_SLOPE / map_form.SLOPE
            cast(Tensor, self.gain.bias).fill_(map_form.BEGIN_GAIN - map_form.GAIN)
            cast(Tensor, self.tone.bias)[1:].fill_(math.log(steeper))
            cast(Tensor, self.tone.bias)[1] = 1 - steeper

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        with autocast.off(x.device.type):
            seen = pyramid(x if x.dtype == torch.float64 else x.float())
            energies = seen.energies()
            above = seen.above_quiet(energies)
            base = functional.pixel_unshuffle(padded(seen.base, map_form.GRID) - 0.5, CELL)
        features = self.features(torch.cat([base, energies[:, -COARSE:]], 1), above[:, -COARSE:])
        known, levels = self.seen(features), []
        for level in range(energies.shape[1]):
            finer, own, following = map_form.around(level, energies.shape[1])
            codes = [energies.new_full((1, 1, 1, 1), value) for value in map_form.code(level, seen.fine)]
            first = [energies[:, own], energies[:, following], *(one.expand_as(energies[:, own]) for one in codes)]
            more = [above[:, own], above[:, following], energies[:, finer]]
            reported = functional.relu(known + self.level(torch.cat(first, 1)) + self.beside(torch.cat(more, 1)))
            levels.append(self.gain(functional.relu(self.mixed(reported))))
        made = torch.cat([*levels, self.tone(features)], 1)
        return made if made.dtype == torch.float64 else made.float()

    def features(self, x: Tensor, above: Tensor) -> Tensor:
        """A small U-Net on the cells, whose bottom sees all of the image."""
        x, left = self.entry(x) + self.quiet(above), []
        for number, block in enumerate(self.down):
            x = block(x)
            if number < len(self.widen):
                left.append(x)
                x = self.widen[number](functional.avg_pool2d(x, 2))
        x = self.bottom(x + self.everywhere(functional.relu(x).mean((2, 3)))[:, :, None, None])
        for number in reversed(range(len(left))):
            x = doubled(self.narrow[number](x))
            x = self.up[number](x + left[number])
        return x


class Rebuild(nn.Module):
    """The image (N, 1, H, W) and its maps to the picture (N, 1, H, W) in 0…1; it has no weights."""

    def forward(self, x: Tensor, maps: Tensor) -> Tensor:
        """See `map_form`."""
        with autocast.off(x.device.type):
            seen = pyramid(x if x.dtype == torch.float64 else x.float())
            gains, tone = maps[:, : seen.fine + COARSE], maps[:, seen.fine + COARSE :]
            z = curve(seen.levels[-1], tone[:, 1:]) + light(tone[:, :1], seen)
            for level in reversed(range(seen.fine + COARSE)):
                band = seen.bands[level]
                z = up(z, band.shape[2:]) + gain(gains[:, level : level + 1], level, seen) * band
            return torch.sigmoid(z)


def curve(x: Tensor, knots: Tensor) -> Tensor:
    """T: rises everywhere, by a slope for each part of 0…1. `knots`: (N, 1 + KNOTS, …), of which the means count."""
    numbers = knots.mean((2, 3))[:, :, None, None]
    slopes = map_form.SLOPE * numbers[:, 1:].clamp(*map_form.SLOPE_RANGE).exp()
    found = map_form.SLOPE * (0.5 * numbers[:, :1] - 0.5)
    for part in range(KNOTS):
        found = found + slopes[:, part : part + 1] * (x - part / KNOTS).clamp(0.0, 1.0 / KNOTS)
    return found


def light(numbers: Tensor, seen: Pyramid) -> Tensor:
    """t at the coarsest level: means over `CELLS` cells a side, blurred."""
    coarse = functional.avg_pool2d(padded(numbers.clamp(*map_form.LIGHT_RANGE), CELLS), CELLS)
    reach = len(map_form.LIGHT) // 2
    row = coarse.new_tensor(map_form.LIGHT)[None, None, None]
    coarse = functional.conv2d(functional.pad(coarse, (reach, reach, reach, reach), mode="replicate"), row)
    coarse = functional.conv2d(coarse, row.transpose(2, 3))
    rows, columns = seen.levels[-1].shape[2:]
    return enlarged(coarse, CELLS * CELL >> COARSE)[:, :, :rows, :columns]


def gain(numbers: Tensor, level: int, seen: Pyramid) -> Tensor:
    """g of a level, at its size. The base's own bands have cells of eight of their own pixels, as the next finer ones
    have at least."""
    rows, columns = seen.levels[level].shape[2:]
    held, factor = (map_form.GAIN + numbers.clamp(*map_form.GAIN_RANGE)), CELL << max(0, seen.fine - level)
    if level >= seen.fine:
        several = 2 << (level - seen.fine)
        held, factor = functional.avg_pool2d(padded(held, several), several), 2 * CELL
    return enlarged(held.exp(), factor)[:, :, :rows, :columns]
