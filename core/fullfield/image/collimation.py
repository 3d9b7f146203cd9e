"""Which pixels are anatomy: padding, shutters, blades, burned-in text and direct exposure kept apart from it.

Found on a thumbnail, so that it costs a few milliseconds. Only statistics use it: no pixel is ever painted over, for a
blade that was found wrongly would hide anatomy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import blades, blocks, direct, glyphs, order, surface
from fullfield.image.image import Image

THUMBNAIL = 384
"""The thumbnail's longer side at most, pixels: blades, 2 to 3 pixels blurred there, are still sharp."""

_FLAT = 0.006  # of the range: one and a half counts of eight bits, what a shutter's lossy coding leaves
_END = 0.015  # of the range: how near to an end of it a shutter or a burnt-out block lies
_SLOPE_ALONE = 0.03  # of the range: all anatomy differs by more from a surface of second order
_ISLAND = 0.02  # of the anatomy: smaller parts all around in direct exposure are lead letters

_BORDER = 1  # cells of the thumbnail

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Field:
    """What a thumbnail shows of an image.

    `thumbnail`: mean values after the curve, one per cell of a grid that divides the sides evenly, so that a mirrored
    image has the same one; no cell is larger than `step`×`step` pixels. The masks have its shape. `image`: True where
    the pixels are image: no padding, shutter or blade, and not the outermost cells. `direct`: where the beam met
    nothing; may be empty. `anatomy`: the rest of `image`. `image` and `anatomy` hold at least one True. `dark`: what
    shall stay dark: direct exposure, black shutters and padding. `floor`: the value that direct exposure does not
    exceed, or that a black shutter does not where there is none; None without either. `box`: (top, bottom, left, right)
    of the field between the blades, in pixels of the image.
    """

    thumbnail: NDArray[np.float32]
    step: int
    image: Mask
    direct: Mask
    anatomy: Mask
    dark: Mask
    floor: float | None
    box: tuple[int, int, int, int]


def find(image: Image, curve: Callable[[NDArray[np.float32]], NDArray[np.float32]]) -> Field:
    """The field of `image`. Never fails: where nothing can be told, everything is anatomy.

    `curve` brings stored values to the scale of `tone`, bone bright: blades and direct exposure of a raw image are told
    apart on the logarithm of the beam only.
    """
    pixels = image.pixels
    step = max(1, -(-max(pixels.shape) // THUMBNAIL))
    stored = reduce(pixels, step)
    thumbnail = curve(stored)
    everything = np.ones(thumbnail.shape, bool)
    text = glyphs.find(pixels, step, (thumbnail.shape[0], thumbnail.shape[1]), image.top)
    low, high = _ends(thumbnail, _or_everything(~text))
    if high <= low:
        return Field(
            thumbnail=thumbnail,
            step=step,
            image=everything,
            direct=~everything,
            anatomy=everything,
            dark=~everything,
            floor=None,
            box=(0, pixels.shape[0], 0, pixels.shape[1]),
        )
    padding = _padding(image, thumbnail.shape)
    scaled = (thumbnail - low) / (high - low)
    stair = _stair(stored, curve)
    black, white = _blocks(scaled, stair / (high - low)), _blocks(1 - scaled, stair / (high - low))
    strips = blades.strips(scaled, stair / (high - low))
    boxes = blades.fields(scaled, padding | text | black | white | strips, stair / (high - low))
    inside = np.zeros(thumbnail.shape, bool)
    for top, bottom, left, right in boxes:
        inside[top:bottom, left:right] = True
    inside &= ~strips
    low, high = _ends(thumbnail, _or_everything(inside & ~padding & ~text), otherwise=(low, high))
    scaled = (thumbnail - low) / (high - low)  # blades of a raw image span most of its range
    stair /= high - low
    black = _blocks(scaled, stair)
    field = _or_everything(inside & ~(padding | text | black | _blocks(1 - scaled, stair)))
    air = direct.find(scaled, field, black & inside & ~padding)
    if air.any() and _is_smooth(scaled, field & ~air, stair):
        air[:] = False  # what is left is no anatomy
    field |= air
    black &= ~air
    lowest = air if air.any() else black
    field = _or_everything(within(field), otherwise=field)
    (rows, columns), (down, across) = pixels.shape, thumbnail.shape
    top, left = (min(box[side] for box in boxes) for side in (0, 2))
    bottom, right = (max(box[side] for box in boxes) for side in (1, 3))
    return Field(
        thumbnail=thumbnail,
        step=step,
        image=field,
        direct=air,
        anatomy=_or_everything(_without_islands(field & ~air), otherwise=field),
        dark=padding | black | air,
        floor=float(np.percentile(thumbnail[lowest], 90)) if lowest.any() else None,
        box=(top * rows // down, bottom * rows // down, left * columns // across, right * columns // across),
    )


def _ends(
    thumbnail: NDArray[np.float32], inside: Mask, *, otherwise: tuple[float, float] | None = None
) -> tuple[float, float]:
    """The ends of the range of what lies `inside`; a lead marker does not count."""
    low, high = order.percentiles(thumbnail[inside], (0.1, 99.8))
    if high > low:
        return low, high
    return otherwise or (float(thumbnail.min()), float(thumbnail.max()))


def reduce(pixels: NDArray[np.uint16], step: int) -> NDArray[np.float32]:
    """Means of the cells of a grid that divides the sides evenly, none larger than `step`×`step` pixels."""
    rows, columns = pixels.shape
    return blocks.means(pixels, blocks.parts(rows, -(-rows // step)), -(-columns // step))


def within(mask: Mask) -> Mask:
    """`mask` without the image's border, where lines are left by scanners and by programs that cut a picture out."""
    inner = np.zeros_like(mask)
    inner[_BORDER:-_BORDER, _BORDER:-_BORDER] = mask[_BORDER:-_BORDER, _BORDER:-_BORDER]
    return inner


def _or_everything(mask: Mask, *, otherwise: Mask | None = None) -> Mask:
    """`mask`, or something that is never empty: statistics of 2 % of an image say nothing about it."""
    if mask.mean() >= 0.02:
        return mask
    return np.ones_like(mask) if otherwise is None else otherwise


def _padding(image: Image, shape: tuple[int, ...]) -> Mask:
    if image.padding is None:
        return np.zeros(shape, bool)
    rows, columns = (
        (2 * np.arange(cells) + 1) * side // (2 * cells) for cells, side in zip(shape, image.pixels.shape, strict=True)
    )
    centres = image.pixels[np.ix_(rows, columns)]
    found = (centres >= image.padding[0]) & (centres <= image.padding[1])
    return cv2.dilate(found.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)  # type: ignore[no-any-return]


def _blocks(scaled: NDArray[np.float32], stair: float) -> Mask:
    """Black shutters (of 1 − scaled: burnt-out blocks): flat, at the range's end, touching the border or large.

    Everything is flat where a single `stair` of the source is higher than what such a block may vary.
    """
    if stair > _END:
        return np.zeros(scaled.shape, bool)
    kernel = np.ones((3, 3), np.uint8)
    flat = (cv2.dilate(scaled, kernel) - cv2.erode(scaled, kernel) <= _FLAT) & (scaled <= _END)
    found = np.zeros(scaled.shape, bool)
    if np.count_nonzero(flat) < direct.LEAST_AREA * scaled.size:
        return found
    count, labels, stats, _ = cv2.connectedComponentsWithStats(flat.astype(np.uint8), connectivity=4)
    border = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    for label in range(1, count):
        area = stats[label, cv2.CC_STAT_AREA] / scaled.size
        if area >= direct.LEAST_AREA and (label in border or area >= 8 * direct.LEAST_AREA):
            found |= labels == label
    return cv2.dilate(found.astype(np.uint8), kernel).astype(bool)  # type: ignore[no-any-return]


def _stair(stored: NDArray[np.float32], curve: Callable[[NDArray[np.float32]], NDArray[np.float32]]) -> float:
    """What one stored value more makes on the scale of `curve`, at the image's median."""
    middle = float(np.median(stored))
    least, most = curve(np.array([middle, middle + 1], np.float32))
    return abs(float(most - least))


def _is_smooth(scaled: NDArray[np.float32], rest: Mask, stair: float) -> bool:
    """Whether nothing is there, or a slope alone, be it a staircase of single counts."""
    if not rest.any():
        return True
    left = scaled[rest] - surface.values(surface.fit(scaled, rest), scaled.shape)[rest]
    return bool(np.subtract(*np.percentile(left, [95, 5])) < max(_SLOPE_ALONE, 1.5 * stair))


def _without_islands(anatomy: Mask) -> Mask:
    """`anatomy` without its small parts: lead letters in direct exposure."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(anatomy.astype(np.uint8), connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= _ISLAND * anatomy.sum()
    large[0] = False
    found: Mask = large[labels]
    return found if count > 2 else anatomy


__all__ = ["THUMBNAIL", "Field", "Mask", "find", "reduce", "within"]
