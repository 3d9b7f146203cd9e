"""Direct exposure on a thumbnail: where the beam met nothing, also where a heel effect or scatter makes it a slope.

It is grown from the darkest even places at the field's edge: a smooth surface is fitted to what is known, and what
adjoins it and does not rise above the surface joins, until nothing does. Soft tissue is a slope as well, but one that
ends in no step: what does not is given up.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import even_mode, order, surface
from fullfield.image.surface import Weights

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

LEAST_AREA = 0.004  # of the thumbnail: smaller regions tell nothing

_EVEN = 0.035  # of the range: the most that direct exposure varies within three pixels of half the thumbnail
_DARKEST = 0.25  # of the range: above it no direct exposure begins
_SEED = 0.01  # of the range: how far the first pixels lie from their mode
_RISE = 0.008  # of the range: what lies so far above the surface is the skin
_STEP = 0.03  # of the range: how far the skin rises above the surface within _SKIN pixels, at most of the border
_LEAST_STEP, _CLEAR = 0.02, 3.5  # or so far, where it is so many times what the surface leaves
_SKIN = 2
_STEEPEST = 0.35  # of the range: 10th to 90th percentile of the surface; the sharpest heel effect is less
_STEEPEST_SIDE = 0.8  # of the range: what it may rise along its field's longer side; shoulders are steeper
_HOPELESS = 2  # times that: such a surface does not become flat by growing
_FLAT = 0.05  # of the range: where nothing is beyond it
_BESIDE, _ENCLOSED = 0.1, 0.2  # of the range, where less than that share of its border is not known direct exposure
_RESIDUAL = 0.03  # of the range: 10th to 90th percentile of what the surface leaves
_REFIT = 1.1  # how much larger a region has become when its surface is fitted anew
_ROUNDS, _REACH = 40, 5  # how often it grows, and how many pixels each time: a surface is not carried far
_LEAST_SEED = 8  # pixels
_ALL = 0.9  # of its field: nothing tells it from a ramp then
_RAGGED, _CLEAN = 8, 0.015  # an edge of so many times the area's root, where the surface leaves more of the range: fat
_LARGE = 0.05  # of the thumbnail: such a region may be shut off from most of the rim by a blade's blur
_SEEDS = 3  # of each mode
_TRIES = 5  # modes that are looked at in each field
_SQUARE = np.ones((3, 3), np.uint8)
_LEAST_POCKET = 0.001  # of the thumbnail: a smaller one beside known direct exposure is left alone
_LEAST_PIECE = 0.03  # of the thumbnail: a smaller field is none


def find(scaled: Plane, field: Mask, black: Mask) -> Mask:
    """Where the beam met nothing: a mask within `field` or `black`; each connected piece of `field` by itself.

    `scaled`: the thumbnail, its range about 0 … 1, bone bright. `black`: what is as even as a shutter and may be one;
    it joins direct exposure where that goes on in it.
    """
    shape = tuple(-(-side // 2) for side in scaled.shape)  # a region is grown at half the size: a quarter of the time
    small = cv2.resize(scaled, shape[::-1], interpolation=cv2.INTER_AREA)
    found = even_mode.find(scaled, field)
    small_field, small_black, small_found = (_halved(mask, shape) for mask in (field, black, found))
    for piece in _pieces(small_field):
        wide = cv2.resize(piece.astype(np.uint8), scaled.shape[::-1], interpolation=cv2.INTER_NEAREST)
        found |= _in_piece(scaled, small, piece, small_black, small_found, cv2.dilate(wide, _SQUARE) > 0)
    rim = _rim(field, 4)  # the blur of a blade beside direct exposure is no anatomy
    beside = cv2.dilate((found & ~rim).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    return np.asarray((found & (field | black)) | (rim & beside & _bright_side(field, found)))


def _bright_side(field: Mask, found: Mask) -> Mask:
    """Where more of what lies around in the field is direct exposure than is not, rims left out."""
    inner = (field & ~_rim(field, 4)).astype(np.float32)
    all_of_it = cv2.blur(inner, (9, 9))
    air = cv2.blur(inner * found, (9, 9))
    return np.asarray(air > 0.6 * all_of_it)


def _halved(mask: Mask, shape: tuple[int, ...]) -> Mask:
    return np.asarray(cv2.resize(mask.astype(np.float32), shape[::-1], interpolation=cv2.INTER_AREA) > 0.5)


def _pieces(field: Mask) -> Iterator[Mask]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(field.astype(np.uint8), connectivity=4)
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] >= _LEAST_PIECE * field.size:
            yield labels == label


def _in_piece(scaled: Plane, small: Plane, piece: Mask, black: Mask, reported: Mask, wide: Mask) -> Mask:
    """What more of one field is direct exposure than was `reported`. All but `scaled` and `wide` are half as large."""
    found = np.zeros(scaled.shape, bool)
    low, high = order.percentiles(small[piece], (0.5, 99.5))
    span = high - low
    if (piece & ~reported & (small <= low + _DARKEST * span)).sum() < LEAST_AREA * small.size or span <= 0:
        return found
    coarse, small_noise = _smoothed(small, piece, span)
    fine, noise = _smoothed(scaled, wide, span)
    even = _spread(coarse) <= max(_EVEN * span, 5 * small_noise)
    rim = _rim(piece, 3)
    left, known, untried = piece | black, np.zeros(piece.shape, bool), even & piece & ~reported
    rise, fine_rise = (max(_RISE * span, 2.5 * each) for each in (small_noise, noise))
    seeds, side = _largest_at(reported & piece, rim), _longer_side(piece)
    for _ in range(_TRIES):
        for seed in seeds:
            if not (seed & left).any():
                continue  # it has joined another
            region, weights = _grown(coarse, seed, left, black, rise, _HOPELESS * _STEEPEST_SIDE * span / side)
            is_direct = _is_direct(coarse, region, weights, even, (piece, known), rim, span, small_noise)
            if is_direct:
                region |= _pockets(coarse, weights, left & even & ~region, rim, rise)
                known |= region
                near = cv2.resize(region.astype(np.uint8), scaled.shape[::-1], interpolation=cv2.INTER_NEAREST)
                near = cv2.dilate(near, np.ones((7, 7), np.uint8))
                below = fine <= surface.values(weights, scaled.shape) + fine_rise
                inner = cv2.erode(near, np.ones((7, 7), np.uint8)) > 0
                found |= (near > 0) & below & (wide | inner)
            if is_direct or not (seed & reported).any():
                left &= ~region
        left &= ~reported
        places = left & untried & (coarse <= low + _DARKEST * span)
        if places.sum() < LEAST_AREA * small.size / 4:
            break
        mode = _mode(coarse, places, low, span, small_noise)
        seeds = _largest_at(mode, rim)
        untried &= ~mode
    return found


def _smoothed(scaled: Plane, piece: Mask, span: float) -> tuple[Plane, float]:
    """The thumbnail with less noise where there is much, and the SD of what is left of it in the dark half."""
    rough = np.abs(scaled - cv2.blur(scaled, (3, 3)))
    dark = piece & (scaled <= np.float32(order.percentiles(scaled[piece], [50])[0]))
    noise = 1.48 * order.percentiles(rough[dark], [50])[0] / (8 / 9) ** 0.5
    if noise <= 0.0025 * span:
        return scaled, noise
    sigma = 0.8 if noise <= 0.008 * span else 1.3
    return cv2.GaussianBlur(scaled, (0, 0), sigma), noise / (2 * np.pi**0.5 * sigma)


def _spread(plane: Plane) -> Plane:
    kernel = np.ones((3, 3), np.uint8)
    spread: Plane = cv2.dilate(plane, kernel) - cv2.erode(plane, kernel)
    return spread


def _rim(piece: Mask, width: int) -> Mask:
    """The piece's edge: blades blur, so that it is a few thumbnail pixels wide."""
    kernel = np.ones((2 * width + 1, 2 * width + 1), np.uint8)
    inner = cv2.erode(piece.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(piece & (inner == 0))


def _mode(smooth: Plane, places: Mask, low: float, span: float, noise: float) -> Mask:
    """The places whose values are near the most frequent one."""
    counts, edges = np.histogram(smooth[places], bins=np.linspace(low - 0.02 * span, low + _DARKEST * span, 40))
    best = int(np.argmax(counts))
    mode = float(edges[best] + edges[best + 1]) / 2
    return np.asarray(places & (np.abs(smooth - mode) <= max(_SEED * span, 2 * noise)))


def _largest_at(places: Mask, rim: Mask) -> list[Mask]:
    """The largest connected parts of `places` that reach the rim."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(places.astype(np.uint8), connectivity=4)
    touching = np.bincount(labels[rim], minlength=count)
    areas = np.where(touching > 0, stats[:, cv2.CC_STAT_AREA], 0)
    areas[0] = 0
    return [labels == label for label in np.argsort(areas)[::-1][:_SEEDS] if areas[label] >= _LEAST_SEED]


def _grown(smooth: Plane, seed: Mask, left: Mask, black: Mask, rise: float, steepest: float) -> tuple[Mask, Weights]:
    """`seed` and what adjoins it without rising above its surface, and that surface; no further once it is `steepest`.

    `steepest`: rise per pixel.
    """
    region = seed
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _REACH + 1, 2 * _REACH + 1))
    weights, fitted = surface.fit(smooth, region), np.count_nonzero(region)
    joins = _joining(smooth - surface.values(weights, smooth.shape), left, black, rise)
    first = np.unravel_index(int(np.argmax(seed)), seed.shape)
    for _ in range(_ROUNDS):
        near = cv2.dilate(region.astype(np.uint8), kernel) > 0
        wider = _connected_to(first, (near & joins) | region)
        before, now = np.count_nonzero(region), np.count_nonzero(wider)
        region = wider
        ended = now - before <= 0.002 * before
        if now > _REFIT * fitted or (ended and now != fitted):
            weights, fitted = surface.fit(smooth, region), now
            if _steepness(weights, region, 1) > steepest:
                break
            joins = _joining(smooth - surface.values(weights, smooth.shape), left, black, rise)
        elif ended:
            break
    return _connected(region & (smooth <= surface.values(weights, smooth.shape) + rise), seed), weights


def _pockets(smooth: Plane, weights: Weights, left: Mask, rim: Mask, rise: float) -> Mask:
    """What lies on the surface of known direct exposure elsewhere, at the rim: between fingers, beyond a limb."""
    on_it = (left & (np.abs(smooth - surface.values(weights, smooth.shape)) <= rise)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(on_it, connectivity=4)
    kept = (np.bincount(labels[rim], minlength=count) >= _LEAST_SEED) & (
        stats[:, cv2.CC_STAT_AREA] >= _LEAST_POCKET * smooth.size
    )
    kept[0] = False
    return np.asarray(kept[labels])


def _joining(above: Plane, left: Mask, black: Mask, rise: float) -> Mask:
    """What is left that does not rise above a surface; a shutter lies deeper."""
    return np.asarray(left & (above <= rise) & ~(black & (above < -2 * rise)))


def _connected_to(place: tuple[np.intp, ...], region: Mask) -> Mask:
    """The part of `region` that holds a pixel."""
    filled = region.astype(np.uint8)
    cv2.floodFill(filled, None, (int(place[1]), int(place[0])), 2, flags=4)
    return np.asarray(filled == 2)


def _connected(region: Mask, seed: Mask) -> Mask:
    """The parts of `region` that hold pixels of `seed`."""
    count, labels = cv2.connectedComponents(region.astype(np.uint8), connectivity=4)
    kept = np.bincount(labels[seed & region], minlength=count) > 0
    kept[0] = False
    return np.asarray(kept[labels])


def _longer_side(piece: Mask) -> int:
    _, _, width, height = cv2.boundingRect(piece.astype(np.uint8))
    return max(int(width), int(height))


def _steepness(weights: Weights, region: Mask, side: int) -> float:
    """How much the surface rises along so many pixels, at the steepest tenth of the region."""
    height, width = region.shape
    _, b, c, d, e, f = weights
    if not (d or e or f):
        return float(np.hypot(b / height, c / width) * side)
    y, x = (at / length for at, length in zip(np.divmod(np.flatnonzero(region), width), region.shape, strict=True))
    rises = np.hypot((b + 2 * d * y + f * x) / height, (c + 2 * e * x + f * y) / width)
    return float(np.percentile(rises, 90) * side)


def _is_direct(
    smooth: Plane, region: Mask, weights: Weights, even: Mask, field: tuple[Mask, Mask], rim: Mask, span: float,
    noise: float,
) -> bool:  # fmt: skip
    """Whether a region is large, at the field's edge, smooth, no steeper than a beam, and ends in a step, or in what is
    known as direct exposure. `field`: a piece of it, and what is known in it."""
    whole, known = field
    piece, area = whole & ~known, int(region.sum())
    if (
        area < 2 * LEAST_AREA * smooth.size
        or (region & rim).sum() < (0.02 if area < _LARGE * smooth.size else 0.004) * rim.sum()
    ):
        return False
    level = surface.values(weights, smooth.shape)
    rest = smooth[region] - level[region]
    spread, slope = (float(np.subtract(*np.percentile(values, [90, 10]))) for values in (rest, level[region]))
    if spread > _RESIDUAL * span + 3 * noise or slope > _STEEPEST * span or even[region].mean() < 0.6:
        return False
    if _steepness(weights, region, _longer_side(piece)) > _STEEPEST_SIDE * span:
        return False
    size = 2 * _SKIN + 1
    grown = cv2.dilate(region.astype(np.uint8), np.ones((size, size), np.uint8))
    less = cv2.dilate(region.astype(np.uint8), np.ones((size - 2, size - 2), np.uint8))
    border = (grown > 0) & (less == 0) & whole
    beyond = border & piece
    if (border & known).any() and beyond.sum() < _ENCLOSED * border.sum():
        return slope <= _BESIDE * span
    if beyond.sum() < 10 or area > _ALL * piece.sum():
        return slope <= _FLAT * span  # nothing but direct exposure, or nothing but a ramp
    if beyond.sum() > _RAGGED * area**0.5 and spread > _CLEAN * span:
        return False
    step = float(np.median(smooth[beyond] - level[beyond]))
    return step >= _STEP * span or step >= max(_LEAST_STEP * span, _CLEAR * spread)


__all__ = ["LEAST_AREA", "Mask", "Plane", "find"]
