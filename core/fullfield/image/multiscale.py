"""The conventional processor: multiscale contrast enhancement of a whole radiograph, in OpenCV and numpy on one core.

    tone (raw: logarithm of the beam) → Laplacian pyramid → per level: bounded-slope gain, edge gain on the finest,
    latitude reduction on the coarsest, noise containment → sum → guard of direct exposure → gradation (sigmoid)

Statistics come from the whole image without padding, shutters, blades and direct exposure. The finest level is never
in memory as a whole: it is made, enhanced and written strip by strip. Sources: Vuylsteke & Schoeters, SPIE 2167 (1994);
Dippel et al., IEEE TMI 21 (2002); the parameters' own sources are in `preset`.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import bands, collimation, gradation, lines, presets, pyramid, shaping, tone, window
from fullfield.image.bands import CELL, Level
from fullfield.image.collimation import Field
from fullfield.image.image import Enhanced, HighValues, Image, Recipe
from fullfield.image.preset import Preset
from fullfield.image.pyramid import Plane
from fullfield.image.shaping import Seen
from fullfield.image.tone import Tone

LEAST_BITS = 12
_SAMPLED_STRIPS = 24  # of 8 rows each


def enhance(image: Image, preset: Preset) -> Enhanced:
    """`image` enhanced by `preset`: same matrix, same rendered polarity, max(12, bits) bits, values 1 … top − 1.

    Raises InputRefused where the preset is not made for the image's kind, with the names of those that are.
    """
    presets.require(preset, kind=image.kind, why=image.kind_reason)
    curve = tone.curve(image)
    field = collimation.find(image, curve)
    scale = tone.measure(image, preset, curve, field)
    bits = bits_of(image)
    work = Work(image, preset, field, scale)
    pixels = _unchanged(image, bits) if scale.flat else work.run((1 << bits) - 1)
    warnings = curve.warnings + (("The image has no contrast at all; nothing was enhanced.",) if scale.flat else ())
    made = recipe(preset, work.left)
    return Enhanced(pixels=pixels, bits=bits, recipe=made, warnings=warnings, seen=scale.table)


def recipe(preset: Preset, left: float = 1.0) -> Recipe:
    """How an image came to be that was enhanced by `preset`; `left`: see `Recipe`."""
    return Recipe(
        method="preset",
        name=preset.name,
        version=preset.version,
        sha256=preset.sha256(),
        parameters=preset.parameters(),
        edges=any(gain > 0 for gain in preset.edges_gains),
        left=left,
    )


def bits_of(image: Image) -> int:
    """How many bits the values of its result use."""
    return max(LEAST_BITS, image.bits)


class Work:
    """One image on its way through the processor. `planes`: the Gaussian pyramid below the finest level; `levels`:
    what was measured on each; `seen`: what the gradation goes by; `left`: how much of all this the source is given: all
    there after `survey`.
    """

    def __init__(self, image: Image, preset: Preset, field: Field, scale: Tone) -> None:
        self.image, self.pixels, self.preset, self.field, self.scale = image, image.pixels, preset, field, scale
        self.negative = image.beam is HighValues.BRIGHT
        self.shape: tuple[int, int] = (image.pixels.shape[0], image.pixels.shape[1])
        self.buffer = np.empty((0, 0), np.float32)
        self.guard: Plane | None = None
        self.left = 1.0

    def run(self, top: int) -> NDArray[np.uint16]:
        """The enhanced pixels, 1 … top − 1."""
        enhanced = self.survey()
        curve = shaping.curve(self.preset, self.seen, self.image.kind)
        source = window.source(self.image) if self.left < 1 else None
        output = gradation.Output(curve, top, negative=self.negative, source=source, left=self.left)
        result = np.empty(self.shape, np.uint16)
        places = curve.places(enhanced)
        for first, last in pyramid.strips(self.shape):
            shown = self._finest(places, first, last, curve.places_each)
            output.write(shown, self.pixels[first:last], result[first:last])
        return result

    def survey(self) -> Plane:
        """Everything that the whole image decides; returns the enhanced plane at half resolution."""
        count = max(1, pyramid.levels_for(self.shape))
        self.planes = [np.empty(pyramid.halved(self.shape), np.float32)]
        self.levels = [self._measure(0)]
        for index in range(1, count):
            self.planes.append(cv2.pyrDown(self.planes[-1]))
            self.levels.append(self._measure(index))
        self.left = shaping.share(self.preset, self.levels, enhanced=self.image.enhanced)
        self.gains = [
            shaping.gain(self.preset, level.percentile, index=index, count=count)
            for index, level in enumerate(self.levels)
        ]
        self.kept = [bands.containment(level, gain) for level, gain in zip(self.levels, self.gains, strict=True)]
        enhanced = shaping.residual(self.planes[-1], self.preset, self.field.anatomy)
        for index in range(len(self.planes) - 1, 0, -1):
            enhanced = self._rebuild(index, enhanced)
        self.seen = self._see(enhanced)
        return enhanced

    def _source(self, first: int, last: int) -> Plane:
        """Rows of the working picture, in a buffer that the next call overwrites."""
        if self.buffer.shape[0] < last - first:
            self.buffer = np.empty((last - first, self.shape[1]), np.float32)
        return self.scale.apply(self.pixels[first:last], self.buffer[: last - first])

    def _shape(self, index: int) -> tuple[int, int]:
        return self.shape if index == 0 else (self.planes[index - 1].shape[0], self.planes[index - 1].shape[1])

    def _measure(self, index: int) -> Level:
        """The statistics of level `index`; of the finest, whose next coarser plane is filled on the way."""
        rows = self._source if index == 0 else pyramid.whole(self.planes[index - 1])
        return bands.measure(
            rows,
            self.planes[index],
            self._shape(index),
            self.field.anatomy,
            local=shaping.is_contained(self.preset, index),
            fine=index < lines.LEVELS,
            quantum=quantum(self.scale),
            fill=index == 0,
        )

    def _kept(self, index: int, first: int, last: int) -> Plane | None:
        """What containment leaves of G on some rows of level `index`."""
        kept = self.kept[index]
        return None if kept is None else pyramid.enlarge(kept, CELL, first, last, self._shape(index)[1])

    def _apart(self, index: int, first: int, last: int) -> Plane | None:
        """What lines add to some rows of level `index`, where containment leaves them alone."""
        found = self.levels[index].lines if self.gains[index].floor < 1 else None
        return None if found is None else found.part(slice(first, last), slice(0, self._shape(index)[1]))

    def _rebuild(self, index: int, enhanced: Plane) -> Plane:
        """The enhanced plane of level `index` ≥ 1 from the next coarser one."""
        shape = self._shape(index)
        result = np.empty(shape, np.float32)
        for first, last in pyramid.strips(shape):
            base = pyramid.up(self.planes[index], first, last, shape)
            rows = self.planes[index - 1][first:last]
            kept, apart = self._kept(index, first, last), self._apart(index, first, last)
            onto = pyramid.up(enhanced, first, last, shape)
            result[first:last] = bands.enhance(rows, base, self.gains[index], kept, onto, apart)
        return result

    def _finest(self, enhanced: Plane, first: int, last: int, factor: float = 1.0) -> Plane:
        """Rows of the reconstructed and guarded picture, before the gradation; what is added to `enhanced` is added
        `factor` times.
        """
        rows = self._source(first, last)
        base = pyramid.up(self.planes[0], first, last, self.shape)
        result = pyramid.up(enhanced, first, last, self.shape)
        gain = replace(self.gains[0], factor=self.gains[0].factor * factor)
        bands.enhance(rows, base, gain, self._kept(0, first, last), result, self._apart(0, first, last))
        if self.guard is not None and float(self.guard[max(first // 2 - 1, 0) : (last + 1) // 2 + 1].max()) > 0:
            wide = pyramid.enlarge(self.guard, 2, first, last, self.shape[1])
            cv2.scaleAdd(wide, -factor, result, dst=result)
        return result

    def _see(self, enhanced: Plane) -> Seen:
        """Percentiles at half resolution, and the guard that they ask for."""
        stride = max(1, round((enhanced.size / tone.SAMPLES) ** 0.5))
        self.guard = None
        seen = shaping.see(
            enhanced[::stride, ::stride], self.preset, self.field, darkest=lambda: self._darkest(enhanced)
        )
        if seen.lifted > 0:
            near = cv2.resize(shaping.nearness(self.field), self.planes[0].shape[::-1], interpolation=cv2.INTER_LINEAR)
            for first, last in pyramid.strips(near.shape):  # in its place: as whole planes it was what took most memory
                rows = slice(first, last)
                near[rows] = shaping.guard(self.planes[0][rows], near[rows], self.preset, seen.lifted)
            self.guard = near
        return seen

    def _darkest(self, enhanced: Plane) -> float:
        """The black of the field, in strips spread over it."""
        rows, columns = self.shape
        inside = self.field.image
        down = inside.shape[0]
        across = inside[:, np.arange(0, columns, 2) * inside.shape[1] // columns]
        seen = []
        for start in sorted({int(at) // 8 * 8 for at in np.linspace(0, max(rows - 8, 0), _SAMPLED_STRIPS)}):
            end = min(start + 8, rows)
            strip = self._finest(enhanced, start, end)[:, ::2]
            seen.append(strip[across[np.arange(start, end) * down // rows]])
        return shaping.darkest(np.concatenate(seen))


def quantum(scale: Tone) -> float:
    """The SD that the source's quantisation gives smooth parts, a staircase that is as large on every level."""
    return scale.step / 12**0.5


def _unchanged(image: Image, bits: int) -> NDArray[np.uint16]:
    """A constant image on the output's scale."""
    scaled = image.pixels.astype(np.float64) * ((1 << bits) - 1) / image.top
    return np.clip(np.rint(scaled), 1, (1 << bits) - 2).astype(np.uint16)


__all__ = ["LEAST_BITS", "Work", "enhance", "quantum"]
