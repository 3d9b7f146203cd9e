"""The general preset's tone as one curve: from a grey level to what the preset makes of large areas that have it.

The preset is applied to a reduced copy; of its coarse result the median at each grey level is taken, which has all that
is no detail: the latitude that was reduced, the guard of direct exposure, the gradation. A curve through these rises
everywhere and has no step. It is given as a logit, in which a gain of detail means the same at every brightness.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import collimation, presets, shaping, tone
from fullfield.image.image import Image
from fullfield.image.multiscale import Work
from fullfield.image.pyramid import Plane

SPAN = 12.0
"""Of the logits that become 0…1: −6 to 6."""

_LONGER = 768  # pixels of the reduced copy, at most
_COARSE = 64  # pixels of the plane whose medians are taken, at most
_PARTS = 24  # of its pixels, by their grey level
_APART = 1e-4  # of the working range: nearer levels are one
_STEEPNESS = (0.4, 2.5)  # of a part, beside the whole curve's
_LEAST = 1.0  # steepness of the whole curve, in logits
_END = 1e-3  # of the output: the logit ends there
_HAT = (0.25, 0.5, 0.25)
_COUNTED = 0.99  # of a coarse pixel that is image, or what shall stay dark

Values = NDArray[np.float64]


def table(image: Image) -> Plane | None:
    """What each of the 65,536 stored values becomes, float32 in 0…1, bone bright; None where all pixels are equal."""
    preset = presets.load(presets.GENERAL[image.kind])
    small = _reduced(image)
    curve = tone.curve(small)
    field = collimation.find(small, curve)
    scale = tone.measure(small, preset, curve, field)
    if scale.flat:
        return None
    work = Work(small, preset, field, scale)
    made = work.survey()
    if work.guard is not None:
        made = made - work.guard
    seen, counted = work.planes[0], (field.image | field.dark).astype(np.float32)  # blades are as bright as bone
    counted, body = (
        cv2.resize(mask.astype(np.float32), seen.shape[::-1], interpolation=cv2.INTER_NEAREST)
        for mask in (counted, field.anatomy)
    )
    while max(seen.shape) > _COARSE:
        seen, made, counted, body = (cv2.pyrDown(plane) for plane in (seen, made, counted, body))
    logits = _logit(shaping.curve(preset, work.seen, image.kind).apply(made.copy()))
    inside = counted >= min(_COUNTED, float(counted.max()))
    places, heights = _curve(seen[inside], logits[inside], body[inside])
    return np.clip(_along(scale.table, places, heights) / SPAN + 0.5, 0, 1).astype(np.float32)


def picture(values: Plane) -> Plane:
    """Fractions as a display has them, of what `table` gives."""
    return np.asarray(1 / (1 + np.exp(-SPAN * (values - np.float32(0.5)))), np.float32)


def of_picture(fractions: Plane) -> Plane:
    """The way back; what is nearer to black or white than the values go is clipped."""
    least = picture(np.zeros(1, np.float32))[0]
    held = np.clip(fractions, least, 1 - least)
    values = np.log(held / (1 - held)) / np.float32(SPAN) + np.float32(0.5)
    return np.asarray(np.clip(values, 0, 1), np.float32)


def _reduced(image: Image) -> Image:
    step = -(-max(image.pixels.shape) // _LONGER)
    if step == 1:
        return image
    return replace(image, pixels=np.rint(collimation.reduce(image.pixels, step)).astype(np.uint16))


def _logit(fraction: Plane) -> Values:
    held = np.clip(fraction.astype(np.float64), _END, 1 - _END)
    return np.asarray(np.log(held / (1 - held)))


def _curve(seen: Plane, logits: Values, body: Plane) -> tuple[Values, Values]:
    """Where each part of the grey levels lies, and the logit there: two places at least. A curve that its steepness
    bounds goes through the median of what is anatomy (`body`: its share of each pixel), not of the ground."""
    order = np.argsort(seen, kind="stable")
    parts = [part for part in np.array_split(order, _PARTS) if part.size]
    places = np.array([seen[part].mean(dtype=np.float64) for part in parts])
    apart = np.concatenate([[True], np.diff(places) > _APART])
    places, heights = places[apart], np.array([np.median(logits[part]) for part in parts])[apart]
    mostly = np.array([body[part].mean() for part in parts])[apart] > 0.5
    if len(places) < 2:
        return np.array([places[0], places[0] + 1]), np.array([heights[0], heights[0] + _LEAST])
    heights = _rising(heights)
    widths = np.diff(places)
    whole = max(float(heights[-1] - heights[0]) / float(widths.sum()), _LEAST)
    slopes = np.clip(np.diff(heights) / widths, whole * _STEEPNESS[0], whole * _STEEPNESS[1])
    slopes = np.convolve(np.pad(slopes, 1, mode="edge"), _HAT, "valid")
    made = np.concatenate([[0.0], np.cumsum(slopes * widths)])
    missed = heights - made
    return places, made + np.median(missed[mostly] if mostly.any() else missed)


def _rising(heights: Values) -> Values:
    """The nearest heights that never fall: pool adjacent violators."""
    pools: list[tuple[float, int]] = []
    for height in heights:
        mean, count = float(height), 1
        while pools and pools[-1][0] > mean:
            other, more = pools.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        pools.append((mean, count))
    return np.concatenate([np.full(count, mean) for mean, count in pools])


def _along(levels: Plane, places: Values, heights: Values) -> Values:
    """The curve at some levels, straight on beyond its ends."""
    found = np.interp(levels, places, heights)
    for end, inner, beyond in ((0, 1, levels < places[0]), (-1, -2, levels > places[-1])):
        slope = (heights[end] - heights[inner]) / (places[end] - places[inner])
        found[beyond] = heights[end] + (levels[beyond] - places[end]) * slope
    return found


__all__ = ["SPAN", "of_picture", "picture", "table"]
