"""Images at another size: resampled with an area filter, padded to the network's grid, smoothed widely.

Size N means that the longer side has N pixels and the aspect is kept. An area filter averages all source pixels under
a target pixel, so that noise falls and nothing aliases; an image that is smaller than N is enlarged with a cubic.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.image import Image, Pixels

GRID = 32  # the network halves the image five times
_SMALL = 256  # a wide smoothing is made on an image of about this side

_Plane = TypeVar("_Plane", NDArray[np.uint16], NDArray[np.float32])
Float = NDArray[np.float32]


def fitted(shape: tuple[int, int], size: int | None) -> tuple[int, int]:
    """The (rows, columns) of an image of `shape` whose longer side becomes `size`; None keeps the shape."""
    if size is None:
        return shape
    scale = size / max(shape)
    return max(1, round(shape[0] * scale)), max(1, round(shape[1] * scale))


def resample(plane: _Plane, shape: tuple[int, int]) -> _Plane:
    """`plane` (rows, columns) at another shape; a copy only where the shape differs. Same type, values in its range."""
    if plane.shape == shape:
        return plane
    smaller = shape[0] <= plane.shape[0] and shape[1] <= plane.shape[1]
    result = cv2.resize(
        np.ascontiguousarray(plane), shape[::-1], interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    )
    if not smaller and result.dtype == np.float32:  # a cubic overshoots; OpenCV clips integers itself
        np.clip(result, plane.min(), plane.max(), out=result)
    same: _Plane = result.astype(plane.dtype, copy=False)
    return same


def at_size(image: Image, size: int | None) -> Image:
    """The same image with its longer side at `size` pixels, in 16 bits, its spacing with it.

    Sixteen bits, for an average of many pixels has more levels than they. Its windows are left behind. Padding has no
    part in an average: what is mostly padding is padding.
    """
    rows, columns = image.pixels.shape
    shape = fitted((rows, columns), size)
    if shape == (rows, columns):
        return image
    spacing = image.spacing_mm
    if spacing is not None:
        spacing = (spacing[0] * rows / shape[0], spacing[1] * columns / shape[1])
    lift = 16 - image.bits
    padding = image.padding and (image.padding[0] << lift, image.padding[1] << lift)
    lifted = image.pixels << np.uint16(lift)
    pixels = resample(lifted, shape) if padding is None else _beside(lifted, padding, shape)
    zero, raw_zero = (value and value * (1 << lift) for value in (image.zero, image.raw_zero))
    return replace(
        image,
        pixels=pixels,
        bits=16,
        spacing_mm=spacing,
        voi=(),
        padding=padding,
        zero=zero,
        raw_zero=raw_zero,
    )


def _beside(pixels: Pixels, padding: tuple[int, int], shape: tuple[int, int]) -> Pixels:
    """`pixels` with `padding` at another shape."""
    inside = ((pixels < padding[0]) | (pixels > padding[1])).astype(np.float32)
    share = resample(inside, shape)
    mean = resample(pixels * inside, shape) / np.maximum(share, np.float32(0.5))
    held = np.clip(np.rint(mean), 0, np.iinfo(np.uint16).max)
    return np.where(share > 0.5, held, padding[0]).astype(np.uint16)


def padded(shape: tuple[int, int], grid: int = GRID) -> tuple[int, int]:
    """The smallest multiple of the grid that holds `shape`."""
    return -(-shape[0] // grid) * grid, -(-shape[1] // grid) * grid


def pad(plane: _Plane, shape: tuple[int, int]) -> _Plane:
    """`plane` continued to `shape` at its bottom and right by mirroring; its true part stays at the top left.

    Mirrored and not zero: a step at the border would be a structure to the network. A side too short to mirror
    repeats its last row or column.
    """
    down, right = shape[0] - plane.shape[0], shape[1] - plane.shape[1]
    if down == 0 and right == 0:
        return plane
    mode = "reflect" if down < plane.shape[0] and right < plane.shape[1] else "edge"
    return np.pad(plane, ((0, down), (0, right)), mode=mode)  # type: ignore[call-overload, no-any-return]


def smooth(plane: Float, sigma: float) -> Float:
    """A Gaussian of standard deviation `sigma` pixels, mirrored at the borders.

    A wide one is made on a smaller image: what it removes could not be seen there either.
    """
    step = max(1.0, min(sigma / 4.0, max(plane.shape) / _SMALL))
    if step < 2.0:
        return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma, borderType=cv2.BORDER_REFLECT_101), np.float32)
    small = (max(1, round(plane.shape[0] / step)), max(1, round(plane.shape[1] / step)))
    less = cv2.resize(plane, small[::-1], interpolation=cv2.INTER_AREA)
    less = cv2.GaussianBlur(less, (0, 0), sigma / step, borderType=cv2.BORDER_REFLECT_101)
    return np.asarray(cv2.resize(less, plane.shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)
