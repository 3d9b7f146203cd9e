"""Which pixels are anatomy: padding, shutters, collimator blades and direct exposure kept apart from it.

Found on a thumbnail, so that it costs a few milliseconds. Only statistics use it: no pixel is ever painted over, for a
blade that was found wrongly would hide anatomy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.image import Image

THUMBNAIL = 384
"""The thumbnail's longer side at most, pixels: blades, 2 to 3 pixels blurred there, are still sharp."""

_FLAT = 0.006  # of the range: one and a half counts of eight bits, what a shutter's lossy coding leaves
_END = 0.015  # of the range: how near to an end of it a shutter or a burnt-out block lies
_LEAST_AREA = 0.004  # of the thumbnail: smaller flat regions are markers or teeth
_BLADE_STEP = 0.04  # of the range: the least step at a blade's edge
_BLADE_SHARE = 0.7  # of the edge's length that must show the step: anatomy is not that straight
_EVEN = 0.02  # of the range: the most that direct exposure varies within three thumbnail pixels
_DARKEST = 0.25  # of the range: above it nothing is direct exposure
_SPREAD = 0.03  # of the range: how far direct exposure lies above its mode
_EVENNESS = 0.05  # of the range: 10th to 90th percentile of direct exposure; soft tissue is a slope
_DEEPEST = 0.42  # of a side: a blade never covers more

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Field:
    """What a thumbnail shows of an image.

    `thumbnail`: mean values after the curve, one per `step`×`step` pixels. The masks have its shape. `image`: True
    where the pixels are image: no padding, shutter or blade. `direct`: where the beam met nothing; may be empty.
    `anatomy`: the rest of `image`. `image` and `anatomy` hold at least one True. `dark`: what shall stay dark: direct
    exposure, black shutters and padding. `floor`: the value that direct exposure does not exceed, or that a black
    shutter does not where there is none; None without either. `box`: (top, bottom, left, right) of
    the field between the blades, in pixels of the image.
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
    thumbnail = curve(reduce(pixels, step))
    low, high = (float(value) for value in np.percentile(thumbnail, [0.1, 99.8]))  # a lead marker does not count
    if high <= low:
        low, high = float(thumbnail.min()), float(thumbnail.max())
    everything = np.ones(thumbnail.shape, bool)
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
    scaled = (thumbnail - low) / (high - low)
    padding, black, white = _padding(image, step, thumbnail.shape), _blocks(scaled), _blocks(1 - scaled)
    masked = padding | black | white
    top, bottom, left, right = _blades(scaled, masked)
    inside = np.zeros(thumbnail.shape, bool)
    inside[top:bottom, left:right] = True
    field = _or_everything(inside & ~masked)
    direct = _direct(scaled, field)
    lowest = direct if direct.any() else black
    return Field(
        thumbnail=thumbnail,
        step=step,
        image=field,
        direct=direct,
        anatomy=_or_everything(field & ~direct, otherwise=field),
        dark=padding | black | direct,
        floor=float(np.percentile(thumbnail[lowest], 90)) if lowest.any() else None,
        box=(top * step, min(bottom * step, pixels.shape[0]), left * step, min(right * step, pixels.shape[1])),
    )


def reduce(pixels: NDArray[np.uint16], step: int) -> NDArray[np.float32]:
    """Means of `step`×`step` blocks; what is left at the right and at the bottom goes to blocks of its own."""
    rows, columns = pixels.shape
    whole_rows, whole_columns = rows // step * step, columns // step * step
    result = np.empty((-(-rows // step), -(-columns // step)), np.float32)
    if whole_rows and whole_columns:
        size = (whole_columns // step, whole_rows // step)
        result[: size[1], : size[0]] = cv2.resize(
            pixels[:whole_rows, :whole_columns], size, interpolation=cv2.INTER_AREA
        )
    if whole_rows < rows:
        result[-1] = _line(pixels[whole_rows:].mean(axis=0, dtype=np.float64), step)
    if whole_columns < columns:
        result[:, -1] = _line(pixels[:, whole_columns:].mean(axis=1, dtype=np.float64), step)
    return result


def _line(values: NDArray[np.float64], step: int) -> NDArray[np.float64]:
    starts = np.arange(0, values.size, step)
    sums: NDArray[np.float64] = np.add.reduceat(values, starts)
    return sums / np.diff(np.append(starts, values.size))


def _or_everything(mask: Mask, *, otherwise: Mask | None = None) -> Mask:
    """`mask`, or something that is never empty: statistics of 2 % of an image say nothing about it."""
    if mask.mean() >= 0.02:
        return mask
    return np.ones_like(mask) if otherwise is None else otherwise


def _padding(image: Image, step: int, shape: tuple[int, ...]) -> Mask:
    if image.padding is None:
        return np.zeros(shape, bool)
    centres = image.pixels[step // 2 :: step, step // 2 :: step]
    found = np.zeros(shape, bool)
    inside = (centres >= image.padding[0]) & (centres <= image.padding[1])
    found[: inside.shape[0], : inside.shape[1]] = inside
    return cv2.dilate(found.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)  # type: ignore[no-any-return]


def _blocks(scaled: NDArray[np.float32]) -> Mask:
    """Black shutters (of 1 − scaled: burnt-out blocks): flat, at the range's end, touching the border or large."""
    kernel = np.ones((3, 3), np.uint8)
    flat = (cv2.dilate(scaled, kernel) - cv2.erode(scaled, kernel) <= _FLAT) & (scaled <= _END)
    found = np.zeros(scaled.shape, bool)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(flat.astype(np.uint8), connectivity=4)
    border = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    for label in range(1, count):
        area = stats[label, cv2.CC_STAT_AREA] / scaled.size
        if area >= _LEAST_AREA and (label in border or area >= 8 * _LEAST_AREA):
            found |= labels == label
    return cv2.dilate(found.astype(np.uint8), kernel).astype(bool)  # type: ignore[no-any-return]


def _blades(scaled: NDArray[np.float32], masked: Mask) -> tuple[int, int, int, int]:
    """(top, bottom, left, right) between straight edges along a side that are bright and even on the outside."""
    top, bottom = _blade(scaled, masked), scaled.shape[0] - _blade(scaled[::-1], masked[::-1])
    left, right = _blade(scaled.T, masked.T), scaled.shape[1] - _blade(scaled.T[::-1], masked.T[::-1])
    return top, bottom, left, right


def _blade(scaled: NDArray[np.float32], masked: Mask) -> int:
    """How many rows at the top lie under a blade."""
    rows, columns = scaled.shape
    deepest = int(rows * _DEEPEST)
    if deepest < 3 or columns < 16:
        return 0
    steps = scaled[2 : deepest + 2] - scaled[:deepest]
    known = ~(masked[2 : deepest + 2] & masked[:deepest])
    counted = np.maximum(known.sum(axis=1), 1)
    share = ((steps < -_BLADE_STEP) & known).sum(axis=1) / counted  # brighter outside: the skin's edge is the opposite
    edges = np.flatnonzero((share >= _BLADE_SHARE) & (known.mean(axis=1) >= 0.25))
    for edge in edges[::-1]:
        outside = scaled[: edge + 1][~masked[: edge + 1]]
        inside = scaled[edge + 2 :][~masked[edge + 2 :]]
        if outside.size == 0 or (inside.size and outside.std() < 0.35 * inside.std()):
            return int(edge) + 2
    return 0


def _direct(scaled: NDArray[np.float32], field: Mask) -> Mask:
    """Direct exposure: the darkest mode of the field's even regions, where it reaches the field's edge."""
    low, high = (float(value) for value in np.percentile(scaled[field], [0.5, 99.5]))
    even = _even(scaled, field, high - low)
    dark = scaled[even & (scaled <= low + _DARKEST * (high - low))]
    if dark.size < _LEAST_AREA * scaled.size or high <= low:
        return np.zeros(scaled.shape, bool)
    counts, edges = np.histogram(dark, bins=np.linspace(low - 0.02, low + _DARKEST * (high - low), 40))
    mode = float(edges[int(np.argmax(counts)) + 1])
    candidates = _reaching((scaled <= mode + _SPREAD * (high - low)) & field, field)
    found = np.zeros(scaled.shape, bool)
    for member in candidates:
        spread = np.subtract(*np.percentile(scaled[member], [90, 10]))
        if spread <= _EVENNESS * (high - low) and even[member].mean() >= 0.6:
            found |= member
    return found


def _even(scaled: NDArray[np.float32], field: Mask, span: float) -> Mask:
    kernel = np.ones((3, 3), np.uint8)
    even: Mask = (cv2.dilate(scaled, kernel) - cv2.erode(scaled, kernel) <= _EVEN * span) & field
    return even


def _reaching(candidates: Mask, field: Mask) -> Iterator[Mask]:
    """The large connected parts of `candidates` that lie along the field's edge."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(candidates.astype(np.uint8), connectivity=4)
    rim = cv2.erode(field.astype(np.uint8), np.ones((7, 7), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    outer = field & (rim == 0)  # blades blur: a few thumbnail pixels wide
    edge = np.bincount(labels[outer], minlength=count)
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] >= 2 * _LEAST_AREA * field.size and edge[label] >= 0.02 * outer.sum():
            yield labels == label


__all__ = ["THUMBNAIL", "Field", "Mask", "find", "reduce"]
