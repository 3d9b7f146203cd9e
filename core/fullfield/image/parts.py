"""Parts of planes: what the strips of `pyramid` are for rows, for a box anywhere in a level.

A part of an `up` or an `enlarge` equals the same part of the whole array's, for it is made with the margin that the
kernel needs; at the border of the plane the part ends where the plane does.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2

from fullfield.image.image import Pixels
from fullfield.image.pyramid import Plane

GRID = 8
"""Boxes begin on multiples of it, so that the grids of 2× and 4× stay aligned."""
_MARGIN = 2  # samples of the coarser level on each side: the kernel's reach, and one that its border would spoil

Shape = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Box:
    """Rows `top` … `bottom − 1` and columns `left` … `right − 1` of a level."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.bottom - self.top, self.right - self.left

    @property
    def slices(self) -> tuple[slice, slice]:
        """For an array of the level."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def within(self, outer: Box) -> tuple[slice, slice]:
        """For an array that holds `outer`."""
        return (
            slice(self.top - outer.top, self.bottom - outer.top),
            slice(self.left - outer.left, self.right - outer.left),
        )

    def aligned(self, shape: Shape) -> Box:
        """The same or a little more, on the grid, within a level of `shape`; never empty."""
        top, left = min(max(self.top, 0), shape[0] - 1), min(max(self.left, 0), shape[1] - 1)
        return Box(
            top=top // GRID * GRID,
            bottom=min(-(-max(self.bottom, top + 1) // GRID) * GRID, shape[0]),
            left=left // GRID * GRID,
            right=min(-(-max(self.right, left + 1) // GRID) * GRID, shape[1]),
        )

    def coarser(self, shape: Shape, *, factor: int = 2) -> Box:
        """What a part of this box is made from: of a level of `shape` that is `factor` times coarser."""
        return Box(
            top=max(self.top // factor - _MARGIN, 0),
            bottom=min(-(-self.bottom // factor) + _MARGIN, shape[0]),
            left=max(self.left // factor - _MARGIN, 0),
            right=min(-(-self.right // factor) + _MARGIN, shape[1]),
        )


def everything(shape: Shape) -> Box:
    """The whole of a level."""
    return Box(top=0, bottom=shape[0], left=0, right=shape[1])


def up(small: Plane, held: Box, small_shape: Shape, box: Box, shape: Shape) -> Plane:
    """Part `box` of a coarser level brought to the next finer one, which has `shape`; `small` holds `held` of it."""
    seen = box.coarser(small_shape)
    rows = shape[0] - 2 * seen.top if seen.bottom == small_shape[0] else 2 * (seen.bottom - seen.top)
    columns = shape[1] - 2 * seen.left if seen.right == small_shape[1] else 2 * (seen.right - seen.left)
    block: Plane = cv2.pyrUp(small[seen.within(held)], dstsize=(columns, rows))
    return block[
        box.top - 2 * seen.top : box.bottom - 2 * seen.top, box.left - 2 * seen.left : box.right - 2 * seen.left
    ]


def enlarge(part: Plane, factor: int, seen: Box, box: Box) -> Plane:
    """Part `box` of a plane enlarged `factor` times by linear interpolation, from the part `seen` of the small one."""
    size = ((seen.right - seen.left) * factor, (seen.bottom - seen.top) * factor)
    fine: Plane = cv2.resize(part, size, interpolation=cv2.INTER_LINEAR)
    top, left = box.top - seen.top * factor, box.left - seen.left * factor
    return fine[top : top + box.shape[0], left : left + box.shape[1]]


def halved(pixels: Pixels) -> Pixels:
    """Half the size by the mean of 2×2 pixels; an odd last row or column is taken twice."""
    rows, columns = pixels.shape
    if rows % 2 or columns % 2:
        pixels = cv2.copyMakeBorder(pixels, 0, rows % 2, 0, columns % 2, cv2.BORDER_REPLICATE)
    half: Pixels = cv2.resize(pixels, ((columns + 1) // 2, (rows + 1) // 2), interpolation=cv2.INTER_AREA)
    return half


__all__ = ["GRID", "Box", "Shape", "enlarge", "everything", "halved", "up"]
