"""The conventional processor: multiscale contrast enhancement of a whole radiograph, in OpenCV and numpy on one core.

    tone (raw: logarithm of the beam) → Laplacian pyramid → per level: bounded-slope gain, edge gain on the finest,
    latitude reduction on the coarsest, noise containment → sum → guard of direct exposure → gradation (sigmoid)

Statistics come from the whole image without padding, shutters, blades and direct exposure. The finest level is never
in memory as a whole: it is made, enhanced and written strip by strip. Sources: Vuylsteke & Schoeters, SPIE 2167 (1994);
Dippel et al., IEEE TMI 21 (2002); the parameters' own sources are in `preset`.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.errors import InputRefused
from fullfield.image import bands, collimation, gradation, pyramid, tone
from fullfield.image.bands import Gain, Level
from fullfield.image.collimation import Field
from fullfield.image.gradation import Gradation
from fullfield.image.image import Enhanced, HighValues, Image, Recipe
from fullfield.image.preset import Preset
from fullfield.image.pyramid import Plane
from fullfield.image.tone import Tone

LEAST_BITS = 12
_SAMPLED_STRIPS = 24  # of 8 rows each, for the ends of the gradation
_DARK_SLOPE = 0.25  # of direct exposure: what is left of its own contrast
_FLAT_LIMIT = 1e-4  # M of a level that holds nothing


def enhance(image: Image, preset: Preset) -> Enhanced:
    """`image` enhanced by `preset`: same matrix, same rendered polarity, max(12, bits) bits, values 1 … top − 1.

    Raises InputRefused where the preset is not made for the image's kind.
    """
    require_kind(image, preset)
    curve = tone.curve(image)
    field = collimation.find(image, curve)
    scale = tone.measure(image, preset, curve, field)
    bits = max(LEAST_BITS, image.bits)
    pixels = _unchanged(image, bits) if scale.flat else _Work(image, preset, field, scale).run((1 << bits) - 1)
    warnings = curve.warnings + (("The image has no contrast at all; nothing was enhanced.",) if scale.flat else ())
    recipe = Recipe(
        method="preset",
        name=preset.name,
        version=preset.version,
        sha256=preset.sha256(),
        parameters=preset.parameters(),
        edges=any(gain > 0 for gain in preset.edges_gains),
    )
    return Enhanced(pixels=pixels, bits=bits, recipe=recipe, warnings=warnings)


def require_kind(image: Image, preset: Preset) -> None:
    """Raises InputRefused where `preset` is not made for raw (or processed) input: it would spoil the picture."""
    if image.kind not in preset.kinds:
        raise InputRefused(
            f"Cannot enhance this image with the preset {preset.name}.",
            detail=f"The image is {image.kind.value}, and the preset is made for {preset.kinds[0].value} images. "
            f"{image.kind_reason}".strip(),
            hint=f"Choose a preset for {image.kind.value} images, or auto.",
        )


class _Work:
    """One image on its way through the processor."""

    def __init__(self, image: Image, preset: Preset, field: Field, scale: Tone) -> None:
        self.pixels, self.preset, self.field, self.scale = image.pixels, preset, field, scale
        self.negative = image.beam is HighValues.BRIGHT
        self.shape: tuple[int, int] = (image.pixels.shape[0], image.pixels.shape[1])
        self.anatomy = field.anatomy
        self.buffer = np.empty((0, 0), np.float32)

    def run(self, top: int) -> NDArray[np.uint16]:
        """The enhanced pixels, 1 … top − 1."""
        self.planes = self._planes()
        count = len(self.planes)
        self.gains: list[Gain] = []
        self.levels: list[Level] = []
        for index in range(count):
            self._measure(index, count)
        enhanced = self._residual()
        for index in range(count - 1, 0, -1):
            enhanced = self._rebuild(index, enhanced)
        curve = self._gradation(enhanced)
        result = np.empty(self.shape, np.uint16)
        for first, last in pyramid.strips(self.shape):
            fraction = curve.apply(self._finest(enhanced, first, last))
            if self.negative:
                np.subtract(np.float32(1), fraction, out=fraction)
            gradation.quantise(fraction, top, result[first:last])
        return result

    def _source(self, first: int, last: int) -> Plane:
        """Rows of the working picture, in a buffer that the next call overwrites."""
        if self.buffer.shape[0] < last - first:
            self.buffer = np.empty((last - first, self.shape[1]), np.float32)
        return self.scale.apply(self.pixels[first:last], self.buffer[: last - first])

    def _planes(self) -> list[Plane]:
        """The Gaussian pyramid below the finest level; at least one plane."""
        levels = max(1, pyramid.levels_for(self.shape))
        planes = [pyramid.down(self._source, self.shape)]
        for _ in range(levels - 1):
            planes.append(cv2.pyrDown(planes[-1]))
        return planes

    def _shape(self, index: int) -> tuple[int, int]:
        return self.shape if index == 0 else (self.planes[index - 1].shape[0], self.planes[index - 1].shape[1])

    def _measure(self, index: int, count: int) -> None:
        preset = self.preset
        rows = self._source if index == 0 else pyramid.whole(self.planes[index - 1])
        edge = preset.edges_gains[index] if index < len(preset.edges_gains) else 0.0
        floor = preset.noise_floors[index] if index < len(preset.noise_floors) else 1.0
        coarse = count - 1 - index
        factor = preset.latitude_gains[coarse] if coarse < len(preset.latitude_gains) else 1.0
        quantum = self.scale.step / 12**0.5  # in smooth parts its error is a staircase, as large on every level
        level = bands.measure(
            rows, self.planes[index], self._shape(index), self.anatomy, local=floor < 1, quantum=quantum
        )
        limit = max(preset.detail_limit * level.percentile, preset.detail_limit_least, _FLAT_LIMIT)
        gain = Gain(
            gain=preset.detail_gain + edge,
            power=preset.detail_power,
            limit=limit,
            toe=preset.detail_toe,
            factor=factor,
            reach=preset.noise_reach * level.noise,
            floor=floor,
        )
        self.levels.append(level)
        self.gains.append(gain)

    def _residual(self) -> Plane:
        """The coarsest plane drawn towards the anatomy's median."""
        plane = self.planes[-1]
        known = plane[self.field.anatomy_for((plane.shape[0], plane.shape[1]))]
        centre = np.float32(np.median(known if known.size else plane))
        drawn: Plane = (plane - centre) * np.float32(self.preset.latitude_residual) + centre
        return drawn

    def _rebuild(self, index: int, enhanced: Plane) -> Plane:
        """The enhanced plane of level `index` ≥ 1 from the next coarser one."""
        shape = self._shape(index)
        result = np.empty(shape, np.float32)
        for first, last in pyramid.strips(shape):
            base = pyramid.up(self.planes[index], first, last, shape)
            rows = np.subtract(self.planes[index - 1][first:last], np.float32(0), out=result[first:last])
            band = bands.enhance(rows, base, self.gains[index], self.levels[index], first, last)
            np.add(band, pyramid.up(enhanced, first, last, shape), out=band)
        return result

    def _finest(self, enhanced: Plane, first: int, last: int) -> Plane:
        """Rows of the reconstructed and guarded picture, before the gradation."""
        rows = self._source(first, last)
        base = pyramid.up(self.planes[0], first, last, self.shape)
        guard = self._guard(base)  # before the base is overwritten
        result = bands.enhance(rows, base, self.gains[0], self.levels[0], first, last)
        np.add(result, pyramid.up(enhanced, first, last, self.shape), out=result)
        if guard is not None:
            share, dark = guard
            np.subtract(result, dark, out=result)
            np.multiply(result, share, out=result)
            np.add(result, dark, out=result)
        return result

    def _guard(self, smooth: Plane) -> tuple[Plane, Plane] | None:
        """(share, dark) where direct exposure is: the picture becomes share·picture + (1 − share)·dark.

        `share` is smoothstep(x/reach) of the smoothed working picture, `dark` a faint copy of it, so that what was
        different stays different. None where there is nothing to guard.
        """
        reach = self.preset.guard_reach
        if reach <= 0 or float(smooth.min()) >= reach:
            return None
        share = np.multiply(smooth, np.float32(1 / reach))
        np.clip(share, 0, 1, out=share)
        square = np.multiply(share, share)
        np.multiply(share, np.float32(-2), out=share)
        np.add(share, np.float32(3), out=share)
        np.multiply(share, square, out=share)
        return share, np.multiply(smooth, np.float32(_DARK_SLOPE), out=square)

    def _gradation(self, enhanced: Plane) -> Gradation:
        """The curve through the ends and the median of the picture, taken from strips spread over the whole image."""
        rows = self.shape[0]
        starts = {int(start) // 8 * 8 for start in np.linspace(0, max(rows - 8, 0), _SAMPLED_STRIPS)}
        seen, marks = [], []
        inside = self.field.image.astype(np.uint8) + self.anatomy
        columns = np.minimum(np.arange(self.shape[1]) // self.field.step, self.anatomy.shape[1] - 1)
        for start in sorted(starts):
            block = self._finest(enhanced, start, min(start + 8, rows))
            stride = max(1, block.size * len(starts) // (2 * tone.SAMPLES))
            where = np.minimum((np.arange(block.shape[0]) + start) // self.field.step, self.anatomy.shape[0] - 1)
            seen.append(block.ravel()[::stride].copy())
            marks.append(inside[np.ix_(where, columns)].ravel()[::stride])
        values, mark = np.concatenate(seen), np.concatenate(marks)
        anatomy = values[mark > 1] if (mark > 1).any() else values
        low, median, high = (float(value) for value in np.percentile(anatomy, [0.3, 50, 99.7]))
        black = 0.0 if self.preset.guard_reach > 0 and values.min() <= 0 else low
        white = high + 0.02 * (high - black)
        if not white > black:
            black, white = 0.0, 1.0
        own = (median - black) / (white - black)
        wanted = own + self.preset.gradation_pull * (self.preset.gradation_median - own)
        return gradation.fit(black=black, white=white, source=median, median=wanted, slope=self.preset.gradation_slope)


def _unchanged(image: Image, bits: int) -> NDArray[np.uint16]:
    """A constant image on the output's scale."""
    scaled = image.pixels.astype(np.float64) * ((1 << bits) - 1) / image.top
    return np.clip(np.rint(scaled), 1, (1 << bits) - 2).astype(np.uint16)


__all__ = ["LEAST_BITS", "enhance", "require_kind"]
