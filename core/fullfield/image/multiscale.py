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

from fullfield.image import bands, collimation, gradation, presets, pyramid, tone
from fullfield.image.bands import Gain
from fullfield.image.collimation import Field, Mask
from fullfield.image.gradation import Gradation
from fullfield.image.image import Enhanced, HighValues, Image, Recipe
from fullfield.image.preset import Preset
from fullfield.image.pyramid import Plane
from fullfield.image.tone import Tone

LEAST_BITS = 12
_LEAST_DARK = 0.005  # of the image: less direct exposure or shutter needs no guard
_GUARD_RADIUS = 0.04  # of the longer side: the skin and the scatter beside direct exposure
_SAMPLED_STRIPS = 24  # of 8 rows each
_DEEPEST_GROUND = 0.15  # of the anatomy's span: how far below it black lies where direct exposure does
_BRIGHTEST = 0.85  # of the output: where the anatomy's 90th percentile may be lifted to, so that nothing burns
_FLAT_LIMIT = 1e-4  # M of a level that holds nothing


def enhance(image: Image, preset: Preset) -> Enhanced:
    """`image` enhanced by `preset`: same matrix, same rendered polarity, max(12, bits) bits, values 1 … top − 1.

    Raises InputRefused where the preset is not made for the image's kind, with the names of those that are.
    """
    presets.require(preset, kind=image.kind, why=image.kind_reason)
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


class _Work:
    """One image on its way through the processor."""

    def __init__(self, image: Image, preset: Preset, field: Field, scale: Tone) -> None:
        self.pixels, self.preset, self.field, self.scale = image.pixels, preset, field, scale
        self.negative = image.beam is HighValues.BRIGHT
        self.shape: tuple[int, int] = (image.pixels.shape[0], image.pixels.shape[1])
        self.anatomy = field.anatomy
        self.buffer = np.empty((0, 0), np.float32)
        self.guard: Plane | None = None

    def run(self, top: int) -> NDArray[np.uint16]:
        """The enhanced pixels, 1 … top − 1."""
        self.planes = self._planes()
        self.gains: list[Gain] = []
        self.kept: list[Plane | None] = []
        for index in range(len(self.planes)):
            self._measure(index)
        enhanced = self._residual()
        for index in range(len(self.planes) - 1, 0, -1):
            enhanced = self._rebuild(index, enhanced)
        curve = self._finish(enhanced)
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

    def _measure(self, index: int) -> None:
        """Statistics, gain and containment of level `index`."""
        preset = self.preset
        rows = self._source if index == 0 else pyramid.whole(self.planes[index - 1])
        edge = preset.edges_gains[index] if index < len(preset.edges_gains) else 0.0
        floor = preset.noise_floors[index] if index < len(preset.noise_floors) else 1.0
        coarse = len(self.planes) - 1 - index
        factor = preset.latitude_gains[coarse] if coarse < len(preset.latitude_gains) else 1.0
        quantum = self.scale.step / 12**0.5  # in smooth parts its error is a staircase, as large on every level
        level = bands.measure(
            rows, self.planes[index], self._shape(index), self.anatomy, local=floor < 1, quantum=quantum
        )
        gain = Gain(
            gain=preset.detail_gain + edge,
            power=preset.detail_power,
            limit=max(preset.detail_limit * level.percentile, preset.detail_limit_least, _FLAT_LIMIT),
            toe=preset.detail_toe,
            factor=factor,
            reach=preset.noise_reach * level.noise,
            floor=floor,
        )
        self.gains.append(gain)
        self.kept.append(bands.containment(level, gain))

    def _residual(self) -> Plane:
        """The coarsest plane drawn towards the anatomy's median."""
        plane = self.planes[-1]
        centre = np.float32(np.median(self._over(plane, self.anatomy)))
        drawn: Plane = (plane - centre) * np.float32(self.preset.latitude_residual) + centre
        return drawn

    def _rebuild(self, index: int, enhanced: Plane) -> Plane:
        """The enhanced plane of level `index` ≥ 1 from the next coarser one."""
        shape = self._shape(index)
        result = np.empty(shape, np.float32)
        for first, last in pyramid.strips(shape):
            base = pyramid.up(self.planes[index], first, last, shape)
            rows = np.subtract(self.planes[index - 1][first:last], np.float32(0), out=result[first:last])
            band = bands.enhance(rows, base, self.gains[index], self.kept[index], first, last)
            np.add(band, pyramid.up(enhanced, first, last, shape), out=band)
        return result

    def _finest(self, enhanced: Plane, first: int, last: int) -> Plane:
        """Rows of the reconstructed and guarded picture, before the gradation."""
        rows = self._source(first, last)
        base = pyramid.up(self.planes[0], first, last, self.shape)
        result = bands.enhance(rows, base, self.gains[0], self.kept[0], first, last)
        np.add(result, pyramid.up(enhanced, first, last, self.shape), out=result)
        if self.guard is not None and float(self.guard[first // 2 : (last + 1) // 2 + 1].max()) > 0:
            np.subtract(result, pyramid.enlarge(self.guard, 2, first, last, self.shape[1]), out=result)
        return result

    def _finish(self, enhanced: Plane) -> Gradation:
        """The guard, and the curve through the ends and the median of the picture; statistics at half resolution."""
        stride = max(1, round((enhanced.size / tone.SAMPLES) ** 0.5))
        places = (slice(None, None, stride), slice(None, None, stride))
        values = enhanced[places]
        anatomy, dark = (self._over(values, mask) for mask in (self.anatomy, self.field.dark))
        low, median, most, high = (float(value) for value in np.percentile(anatomy, [0.3, 50, 90, 99.7]))
        deepest = low - _DEEPEST_GROUND * (high - low)
        self.guard = None
        if self.preset.guard_reach > 0 and self.field.dark.mean() >= _LEAST_DARK:
            ground = float(np.percentile(dark, 90))
            self.guard = self._guard(max(ground - low, 0.0))
        else:
            ground = self._darkest(enhanced)
        black = max(min(low, ground), deepest)
        white = high + 0.02 * (high - black)
        if not white > black:
            black, white = 0.0, 1.0
        preset = self.preset
        own = (median - black) / (white - black)
        wanted = own + preset.gradation_pull * (preset.gradation_median - own)
        limit = max(_BRIGHTEST, (most - black) / (white - black))
        return gradation.fit(
            black=black, white=white, points=((median, wanted), (most, limit)), slope=preset.gradation_slope
        )

    def _over(self, values: Plane, mask: Mask) -> Plane:
        """The values under a mask of the thumbnail's; all of them where none is."""
        size = (values.shape[1], values.shape[0])
        found = values[cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0]
        return found if found.size else values.ravel()

    def _guard(self, lifted: float) -> Plane | None:
        """What is taken from the picture so that direct exposure becomes black again, at half resolution.

        `lifted`: how far latitude reduction has lifted direct exposure above the darkest anatomy; 0: nothing to do.
        Taken in full where the source is black, less and less up to `guard.reach`, and only beside what shall stay
        dark: a lung may be as dark and is left alone, and the skin keeps its contrast to the ground.
        """
        if lifted <= 0:
            return None
        dark = self.field.dark
        size = 2 * round(_GUARD_RADIUS * max(dark.shape)) + 1
        near = cv2.blur(cv2.dilate(dark.astype(np.float32), np.ones((size, size), np.uint8)), (size, size))
        plane = self.planes[0]
        share: Plane = np.clip(plane * np.float32(1 / self.preset.guard_reach), 0, 1)
        share = np.float32(1) - share * share * (np.float32(3) - np.float32(2) * share)
        share *= cv2.resize(near, plane.shape[::-1], interpolation=cv2.INTER_LINEAR)
        return np.multiply(share, np.float32(lifted), out=share)

    def _darkest(self, enhanced: Plane) -> float:
        """What only a thousandth of the field lies below, in strips spread over it: noise and sharp edges."""
        rows, columns = self.shape
        step, inside = self.field.step, self.field.image
        across = inside[:, np.minimum(np.arange(0, columns, 2) // step, inside.shape[1] - 1)]
        seen = []
        for start in sorted({int(at) // 8 * 8 for at in np.linspace(0, max(rows - 8, 0), _SAMPLED_STRIPS)}):
            strip = self._finest(enhanced, start, min(start + 8, rows))[:, ::2]
            seen.append(strip[:, across[min((start + 4) // step, inside.shape[0] - 1)]])
        values = np.concatenate([strip.ravel() for strip in seen])
        return float(np.percentile(values, 0.1)) if values.size else 0.0


def _unchanged(image: Image, bits: int) -> NDArray[np.uint16]:
    """A constant image on the output's scale."""
    scaled = image.pixels.astype(np.float64) * ((1 << bits) - 1) / image.top
    return np.clip(np.rint(scaled), 1, (1 << bits) - 2).astype(np.uint16)


__all__ = ["LEAST_BITS", "enhance"]
