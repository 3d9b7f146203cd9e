"""The processor beside its formulas, on whole arrays of 64 bits: strips, tables and folded numbers change nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.image import collimation, phantom, presets, shaping, tone
from fullfield.image.bands import CELL, Gain
from fullfield.image.gradation import BRIGHT_END, DARK_END
from fullfield.image.image import HighValues, Image
from fullfield.image.multiscale import Work
from fullfield.image.phantom import PhantomKind
from fullfield.image.preset import UNBOUNDED, Preset

Values = NDArray[np.float64]
TOP = 4095
ROUNDING = 0.75  # half a value, and the steps of the gradation's table


def work(image: Image, preset: Preset) -> Work:
    curve = tone.curve(image)
    field = collimation.find(image, curve)
    return Work(image, preset, field, tone.measure(image, preset, curve, field))


def up(small: Any, shape: tuple[int, int]) -> Values:
    return np.asarray(cv2.pyrUp(np.asarray(small, np.float64), dstsize=shape[::-1]))


def enlarged(small: Any, factor: int, shape: tuple[int, int]) -> Values:
    wide = cv2.resize(np.asarray(small, np.float64), None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide[: shape[0], : shape[1]])


def amplified(band: Values, gain: Gain, kept: Values | float) -> Values:
    t = (1 - np.clip(np.abs(band) / gain.limit, gain.toe, 1)) ** gain.power
    return np.asarray(gain.factor * band * (1 + gain.gain * kept * t))


def shown(y: Values, found: Work) -> Values:
    curve = shaping.curve(found.preset, found.seen, found.image.kind)
    f = curve.offset + curve.scale / (1 + np.exp(np.clip(curve.slope * (curve.centre - y), -80, 80)))
    f = np.where(
        f < 0, 1 / (np.minimum(f, 0) * (DARK_END - 1) / DARK_END**2 + 1 / DARK_END), DARK_END + (1 - DARK_END) * f
    )
    above = np.maximum(f, 1 - BRIGHT_END)
    return np.where(f > 1 - BRIGHT_END, 1 - BRIGHT_END**2 / (above + 2 * BRIGHT_END - 1), f)


def plain(image: Image, preset: Preset) -> Values:
    """By the statistics that the processor has found."""
    found = work(image, preset)
    found.survey()
    planes = [found.scale.table[image.pixels].astype(np.float64), *(plane.astype(np.float64) for plane in found.planes)]
    y = np.asarray(shaping.residual(found.planes[-1], preset, found.field.anatomy), np.float64)
    for index in reversed(range(len(found.planes))):
        fine = planes[index]
        shape = (fine.shape[0], fine.shape[1])
        kept = found.kept[index]
        share = 1.0 if kept is None else enlarged(kept, CELL, shape)
        band, gain, lines = fine - up(planes[index + 1], shape), found.gains[index], found.levels[index].lines
        if lines is not None and gain.floor < 1:
            apart = lines.part(slice(0, shape[0]), slice(0, shape[1])).astype(np.float64)
            band, y = band - apart, up(y, shape) + apart * gain.factor * (1 + gain.gain * min(gain.least, 0))
        else:
            y = up(y, shape)
        y = y + amplified(band, gain, share)
    if found.guard is not None:
        y = y - enlarged(found.guard, 2, (y.shape[0], y.shape[1]))
    fraction = shown(y, found)
    return np.clip(TOP * (1 - fraction if image.beam is HighValues.BRIGHT else fraction), 1, TOP - 1)


@pytest.mark.parametrize("kind", list(PhantomKind))
@pytest.mark.parametrize("raw", [False, True])
def test_that_no_value_differs_by_more_than_rounding_from_the_formulas(kind: PhantomKind, raw: bool) -> None:
    image = (phantom.raw if raw else phantom.processed)(kind, longer=701, seed=2)
    whole = {"detail.usual": UNBOUNDED, "detail.usual_together": UNBOUNDED}  # nothing of the source is blended in
    preset = presets.load(presets.GENERAL[image.kind]).adjusted(whole)

    result = work(image, preset).run(TOP)

    assert np.abs(result - plain(image, preset)).max() < ROUNDING


def test_that_a_negative_does_not_either() -> None:
    image = phantom.raw(PhantomKind.HAND, longer=400)
    turned = replace(image, pixels=(image.top - image.pixels).astype(np.uint16), beam=HighValues.BRIGHT)
    preset = presets.load(presets.GENERAL[image.kind])

    assert np.abs(work(turned, preset).run(TOP) - plain(turned, preset)).max() < ROUNDING
