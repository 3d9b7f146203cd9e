"""A picture with previewed parts over it: what a slider does, until the whole image has been enhanced.

The picture's file stays as it is: its pixels are mapped anew, and what is written to them is this process's alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fullfield import array_file
from fullfield.image.image import Pixels
from fullfield.image.values import Window
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.layer import LARGEST_STRETCH
from fullfield_app.gui.view.picture import Picture


@dataclass(frozen=True, kw_only=True)
class Region:
    """Rows and columns of a picture's level `level`."""

    level: int
    top: int
    bottom: int
    left: int
    right: int


def region_of(area: Area, scale: float, *, levels: int) -> Region:
    """What is to be computed of a picture for an area of it that is painted `scale` times as large."""
    level = min(max(math.floor(math.log2(LARGEST_STRETCH / scale)), 0), levels - 1)
    step = 2**level
    return Region(
        level=level,
        top=math.floor(area.top / step),
        bottom=math.ceil(area.bottom / step) + 1,
        left=math.floor(area.left / step),
        right=math.ceil(area.right / step) + 1,
    )


class Tried:
    """`picture`: what to show now; every part makes another one, of the same arrays."""

    def __init__(self, picture: Picture, path: Path | None) -> None:
        """`path`: the file of the picture's pixels, None where it has none. Raises OSError or ValueError."""
        self._levels: list[Pixels] = list(picture.levels)
        self._own: set[int] = set()
        if path is not None:
            self._levels[0] = array_file.load(path, "c")
            self._own.add(0)
        self.picture = replace(picture, levels=tuple(self._levels))

    def lay(self, part: Pixels, *, level: int, top: int, left: int) -> None:
        """Put a previewed part where it belongs."""
        if level >= len(self._levels):
            return
        if level not in self._own:
            self._levels[level] = self._levels[level].copy()
            self._own.add(level)
        target = self._levels[level][top : top + part.shape[0], left : left + part.shape[1]]
        target[...] = part[: target.shape[0], : target.shape[1]]
        self.picture = replace(self.picture, levels=tuple(self._levels))


def blank(like: Picture, bits: int) -> Picture:
    """An empty picture of the same sizes, for an image that has not been enhanced yet."""
    top = (1 << bits) - 1
    levels = tuple(np.zeros(level.shape, np.uint16) for level in like.levels)
    return Picture(levels=levels, bits=bits, lowest=0, highest=top, voi=Window(low=0, high=top), pixel=like.pixel)
