"""A rectangle of an image, in pixels of the file: what an eye, a drag or a region covers. Arithmetic alone."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from fullfield_app.gui.view.camera import Size

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Area:
    """From (`left`, `top`), `width` × `height`; the upper left pixel of an image covers 0 … 1 both ways."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right border."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower border."""
        return self.top + self.height

    @property
    def middle(self) -> Point:
        """Its middle."""
        return self.left + self.width / 2, self.top + self.height / 2

    def kept(self, image: Size) -> Area:
        """As much of it as lies on an image of this width and height."""
        left, top = (min(max(value, 0.0), end) for value, end in ((self.left, image[0]), (self.top, image[1])))
        right, bottom = (min(max(value, 0.0), end) for value, end in ((self.right, image[0]), (self.bottom, image[1])))
        return Area(left=left, top=top, width=right - left, height=bottom - top)

    def moved(self, right: float, down: float, image: Size) -> Area:
        """Moved, and kept whole on the image."""
        left = min(max(self.left + right, 0.0), max(image[0] - self.width, 0.0))
        top = min(max(self.top + down, 0.0), max(image[1] - self.height, 0.0))
        return replace(self, left=left, top=top)

    def slices(self) -> tuple[slice, slice]:
        """The pixels whose middle lies within: rows, columns; never none of them."""
        return _span(self.top, self.bottom), _span(self.left, self.right)


def between(one: Point, other: Point) -> Area:
    """The area between two opposite corners, in any order."""
    left, top = min(one[0], other[0]), min(one[1], other[1])
    return Area(left=left, top=top, width=abs(other[0] - one[0]), height=abs(other[1] - one[1]))


def _span(low: float, high: float) -> slice:
    first = max(math.ceil(low - 0.5), 0)
    return slice(first, max(math.ceil(high - 0.5), first + 1))
