"""Where one looks: which point of the image is in the middle of the view, how large, and which way up.

Arithmetic alone, without a widget. View coordinates are device pixels (a logical pixel of a dense screen is several of
them); image coordinates are those of the image as it is turned, from its upper left corner, in units of the shorter
side of a pixel: where pixels are not square, one of them is more than 1 wide or high.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fullfield.image.image import Pixels

LARGEST_SCALE = 32.0
SMALLEST_SIDE = 64.0  # an image is never made smaller than this many device pixels
Size = tuple[float, float]
SQUARE: Size = (1.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Camera:
    """`x`, `y`: the image point in the middle; `scale`: device pixels per unit; `fitted`: follow a resize."""

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    fitted: bool = True

    def origin(self, view: Size) -> tuple[float, float]:
        """Where the image's corner lies in a view; on whole device pixels, so that 1:1 is crisp."""
        return round(view[0] / 2 - self.x * self.scale), round(view[1] / 2 - self.y * self.scale)

    def zoomed(self, factor: float, at: tuple[float, float], view: Size, image: Size) -> Camera:
        """Larger by `factor` with the image point under `at` (view coordinates) staying where it is."""
        smallest = min(SMALLEST_SIDE / max(image), 1.0)
        scale = min(max(self.scale * factor, smallest), LARGEST_SCALE)
        left, top = self.origin(view)
        point = ((at[0] - left) / self.scale, (at[1] - top) / self.scale)
        x = point[0] - (at[0] - view[0] / 2) / scale
        y = point[1] - (at[1] - view[1] / 2) / scale
        return Camera(x=x, y=y, scale=scale, fitted=False).kept(image)

    def panned(self, right: float, down: float, image: Size) -> Camera:
        """The image moved by device pixels."""
        moved = replace(self, x=self.x - right / self.scale, y=self.y - down / self.scale, fitted=False)
        return moved.kept(image)

    def kept(self, image: Size) -> Camera:
        """The same, with a point of the image in the middle: an image is never lost out of sight."""
        return replace(self, x=min(max(self.x, 0.0), image[0]), y=min(max(self.y, 0.0), image[1]))


def fit(view: Size, image: Size) -> Camera:
    """The whole image, as large as the view allows."""
    scale = min(view[0] / image[0], view[1] / image[1], LARGEST_SCALE)
    return Camera(x=image[0] / 2, y=image[1] / 2, scale=max(scale, 1e-6))


@dataclass(frozen=True, kw_only=True)
class Orientation:
    """Quarter `turns` clockwise, then `mirrored` left to right. For showing only: files are never turned."""

    turns: int = 0
    mirrored: bool = False

    def turned(self, quarters: int) -> Orientation:
        """Turned clockwise as one sees it: behind a mirror a turn runs the other way."""
        return replace(self, turns=(self.turns + (-quarters if self.mirrored else quarters)) % 4)

    def flipped(self, *, upside_down: bool = False) -> Orientation:
        """Mirrored left to right as one sees it, or top to bottom."""
        mirrored = replace(self, mirrored=not self.mirrored)
        return mirrored.turned(2) if upside_down else mirrored

    def apply(self, pixels: Pixels) -> Pixels:
        """A turned view of an array; nothing is copied."""
        turned = np.rot90(pixels, -self.turns)
        return np.fliplr(turned) if self.mirrored else turned

    def forward(self, x: float, y: float, image: Size) -> tuple[float, float]:
        """Where a point of the image as it is stored lies in the turned one; `image`: its stored width and height."""
        width, height = image
        for _ in range(self.turns):
            x, y = height - y, x
            width, height = height, width
        return (width - x if self.mirrored else x), y

    def back(self, x: float, y: float, image: Size) -> tuple[float, float]:
        """The stored point that lies at (x, y) of the turned image."""
        width, height = self.size(image)
        x = width - x if self.mirrored else x
        for _ in range(self.turns):
            x, y = y, width - x
            width, height = height, width
        return x, y

    def size(self, image: Size) -> Size:
        """Width and height after the turn."""
        return (image[1], image[0]) if self.turns % 2 else image


UPRIGHT = Orientation()


@dataclass(frozen=True, kw_only=True)
class Look:
    """A whole look at an image: `view` in device pixels, `image` the stored width and height in pixels, each of the
    width and height `pixel`.

    Carries places from the one to the other; image coordinates here are those of the file, whatever way up it is.
    """

    camera: Camera
    orientation: Orientation
    view: Size
    image: Size
    pixel: Size = SQUARE

    @property
    def drawn(self) -> Size:
        """Width and height of the turned image in the camera's units."""
        return self.orientation.size(self._stored)

    @property
    def _stored(self) -> Size:
        return self.image[0] * self.pixel[0], self.image[1] * self.pixel[1]

    def to_view(self, x: float, y: float) -> tuple[float, float]:
        """Where a stored point is seen."""
        left, top = self.camera.origin(self.view)
        x, y = self.orientation.forward(x * self.pixel[0], y * self.pixel[1], self._stored)
        return left + x * self.camera.scale, top + y * self.camera.scale

    def to_image(self, right: float, down: float) -> tuple[float, float]:
        """The stored point that is seen there; it may lie outside the image."""
        left, top = self.camera.origin(self.view)
        turned = (right - left) / self.camera.scale, (down - top) / self.camera.scale
        x, y = self.orientation.back(*turned, self._stored)
        return x / self.pixel[0], y / self.pixel[1]
