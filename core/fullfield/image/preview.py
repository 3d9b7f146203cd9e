"""A part of the enhanced image, fast enough to follow a slider: what is seen, at the size at which it is seen.

What needs the whole image is measured once: the pyramid, each level's statistics, and the percentiles that the
gradation goes by. A preview then computes the part alone, from a coarse whole picture down, with the processor's own
steps. The gradation's percentiles are taken from that coarse picture, corrected by what they differed by when the whole
image was surveyed; so a preview of the surveyed preset agrees with the full result, and one of another nearly.

A part at a reduced size is computed on the mean of 2×2, 4×4 … pixels, as the window reduces images, with the statistics
of the levels that are left.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import collimation, gradation, lines, multiscale, parts, presets, pyramid, shaping, tone, window
from fullfield.image.image import HighValues, Image, Pixels
from fullfield.image.lines import Lines
from fullfield.image.parts import Box
from fullfield.image.preset import Preset
from fullfield.image.preview_part import Measured, Part, Size
from fullfield.image.pyramid import Plane
from fullfield.image.shaping import Seen


class Preview:
    """One image made ready; `part` may be called with any preset for its kind. Raises InputRefused, as `enhance`."""

    def __init__(self, image: Image, preset: Preset) -> None:
        presets.require(preset, kind=image.kind, why=image.kind_reason)
        self.image = image
        self.bits = max(multiscale.LEAST_BITS, image.bits)
        self._curve = tone.curve(image)
        self._field = collimation.find(image, self._curve)
        self._tone = tone.measure(image, preset, self._curve, self._field)
        self._range, self._now = (preset.range_low, preset.range_high), self._tone
        self._corrections: dict[int, Seen] = {}
        if not self._tone.flat:
            self._survey(preset)

    @cached_property
    def _source(self) -> NDArray[np.float32]:
        """What values are shown as in the source: all of its pixels are looked at, and not at each move of a slider."""
        return window.source(self.image)

    @property
    def flat(self) -> bool:
        """The image has no contrast: there is nothing to preview."""
        return self._tone.flat

    def deepest(self) -> int:
        """The largest `level` that `part` takes."""
        return max(len(self._measured.levels) - 2, 0)

    def part(self, preset: Preset, *, level: int, box: Box) -> tuple[Pixels, Box]:
        """Part `box` of the enhanced image reduced by 2**level, and the box that it is: `box` on the grid."""
        size = self._size(level)
        box = box.aligned(size.shape(-1))
        ratio, shift = self._scaling(preset)
        work = Part(self._measured, preset, size, level=level, ratio=ratio, shift=shift)
        start = work.coarse_index()
        coarse = work.coarse(start)
        seen = self._seen(preset, work, coarse, level)
        curve, top = shaping.curve(preset, seen, self.image.kind), (1 << self.bits) - 1
        output = gradation.Output(
            curve,
            top,
            negative=self.image.beam is HighValues.BRIGHT,
            source=self._source if work.left < 1 else None,
            left=work.left,
        )
        result = np.empty(box.shape, np.uint16)
        output.write(curve.places(work.fine(coarse, start, box, seen)), size.pixels[box.slices], result)
        return result, box

    # Measured once ------------------------------------------------------------------------------------------------

    def _survey(self, preset: Preset) -> None:
        contained = replace(preset, noise_floors=tuple(min(floor, 0.999) for floor in preset.noise_floors))
        work = multiscale.Work(self.image, contained, self._field, self._tone)
        work.survey()
        self._measured = Measured(field=self._field, tone=self._tone, levels=work.levels, enhanced=self.image.enhanced)
        found = [level.lines for level in work.levels]
        self._sizes = {0: Size(pixels=self.image.pixels, planes=work.planes, lines=found)}
        self._surveyed = (preset, work.seen)

    def _size(self, level: int) -> Size:
        if level not in self._sizes:
            pixels = self.image.pixels
            for _ in range(level):
                pixels = parts.halved(pixels)
            planes = [self._tone.apply(pixels)]
            while len(planes) <= len(self._measured.levels) - level:
                planes.append(cv2.pyrDown(planes[-1]))
            found = [self._lines(level + index, *planes[index : index + 2]) for index in range(len(planes) - 1)]
            self._sizes = {0: self._sizes[0], level: Size(pixels=pixels, planes=planes[1:], lines=found)}
        return self._sizes[level]

    def _lines(self, level: int, plane: Plane, small: Plane) -> Lines | None:
        """Those of a level of a reduced size, whose samples lie elsewhere than the full size's."""
        if level >= lines.LEVELS:
            return None
        shape = (plane.shape[0], plane.shape[1])
        return lines.find(pyramid.whole(plane), small, shape, self._field.anatomy)

    def _scaling(self, preset: Preset) -> tuple[float, float]:
        """`ratio`, `shift`: the tone of `preset` is `ratio` · the surveyed one + `shift`."""
        if (preset.range_low, preset.range_high) != self._range:
            self._range = (preset.range_low, preset.range_high)
            self._now = tone.measure(self.image, preset, self._curve, self._field)
        old, new = (scale.table[[0, self.image.top]] for scale in (self._tone, self._now))
        span = float(old[1] - old[0])
        ratio = float(new[1] - new[0]) / span if span else 1.0
        return ratio, float(new[0]) - ratio * float(old[0])

    def _seen(self, preset: Preset, work: Part, coarse: Plane, level: int) -> Seen:
        """What the gradation goes by, corrected by what the coarse picture missed when the image was surveyed."""
        first, truth = self._surveyed
        if level not in self._corrections:
            size = self._size(level)
            then = Part(self._measured, first, size, level=level, ratio=1.0, shift=0.0)
            self._corrections[level] = then.see(then.coarse(then.coarse_index()))
        before, now = self._corrections[level], work.see(coarse)
        if now.guarded != truth.guarded:  # nothing to correct by: its ground was measured elsewhere
            self._survey(preset)
            self._corrections.clear()
            return self._seen(preset, work, coarse, level)
        changes = {
            key: getattr(now, key) + work.ratio * (getattr(truth, key) - getattr(before, key))
            for key in ("low", "median", "most", "high", "ground")
        }
        return replace(now, **changes)


__all__ = ["Preview"]
