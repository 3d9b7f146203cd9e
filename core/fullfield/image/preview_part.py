"""A part of one size of an image, enhanced: from a coarse whole picture down, with the processor's own steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from fullfield.image import bands, parts, shaping
from fullfield.image.bands import CELL, Gain, Level
from fullfield.image.collimation import Field
from fullfield.image.image import Pixels
from fullfield.image.lines import Lines
from fullfield.image.parts import Box
from fullfield.image.preset import Preset
from fullfield.image.pyramid import Plane
from fullfield.image.shaping import Seen
from fullfield.image.tone import Tone

COARSE_PIXELS = 150_000
"""Of the whole picture that the percentiles are taken from: some 5 ms."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Size:
    """The image reduced by 2**k: `pixels`, `planes`, its pyramid in the surveyed tone, coarsest last, and each level's
    `lines` there.
    """

    pixels: Pixels
    planes: list[Plane]
    lines: list[Lines | None]

    def shape(self, index: int) -> parts.Shape:
        """Of plane `index`; −1: of the pixels."""
        plane = self.pixels if index < 0 else self.planes[index]
        return plane.shape[0], plane.shape[1]


class Measured:
    """What was measured on the whole image: its `field`, the `tone` of the planes, and each level of the full size.

    `enhanced`: see `Image`.
    """

    def __init__(self, *, field: Field, tone: Tone, levels: list[Level], enhanced: bool) -> None:
        self.field, self.tone, self.levels, self.enhanced = field, tone, levels, enhanced
        self._near: dict[parts.Shape, Plane] = {}

    def near(self, shape: parts.Shape) -> Plane:
        """How near each sample of a plane is to what shall stay dark."""
        if shape not in self._near:
            small = shaping.nearness(self.field)
            self._near[shape] = cv2.resize(small, shape[::-1], interpolation=cv2.INTER_LINEAR)
        return self._near[shape]


class Part:
    """One preset on one size of the image; planes in the surveyed tone become `ratio` · plane + `shift`.

    `left`: how much of the preset's work is left for a source that was processed already.
    """

    def __init__(
        self, measured: Measured, preset: Preset, size: Size, *, level: int, ratio: float, shift: float
    ) -> None:
        self._measured, self._size, self._level = measured, size, level
        self.preset = preset
        self.left = shaping.share(preset, measured.levels, ratio, enhanced=measured.enhanced)
        self.ratio, self._shift = ratio, shift
        self._gains: Mapping[int, Gain] = {
            index: shaping.gain(
                self.preset, measured.levels[level + index].percentile * ratio, index=level + index, count=count
            )
            for count in (len(measured.levels),)
            for index in range(len(size.planes))
        }

    def coarse_index(self) -> int:
        """The finest plane that is enhanced as a whole."""
        fits = (index for index, plane in enumerate(self._size.planes) if plane.size <= COARSE_PIXELS)
        return next(fits, len(self._size.planes) - 1)

    def coarse(self, start: int) -> Plane:
        """The whole enhanced plane `start`."""
        planes = self._size.planes
        enhanced = shaping.residual(self._toned(planes[-1]), self.preset, self._measured.field.anatomy)
        for index in range(len(planes) - 1, start, -1):
            enhanced = self._rebuild(index, enhanced, parts.everything(self._size.shape(index)), None)
        return enhanced

    def fine(self, coarse: Plane, start: int, box: Box, seen: Seen) -> Plane:
        """Part `box` of the reconstructed and guarded picture."""
        boxes = [box]
        for index in range(start):
            boxes.append(_even(boxes[-1].coarser(self._size.shape(index)), self._size.shape(index)))
        enhanced, held = coarse, parts.everything(self._size.shape(start))
        for index in range(start, -1, -1):
            enhanced = self._rebuild(index, enhanced, held, boxes[index])
            held = boxes[index]
        if seen.lifted > 0:
            np.subtract(enhanced, self._guard(box, seen), out=enhanced)
        return enhanced

    def see(self, coarse: Plane) -> Seen:
        """Percentiles of a coarse enhanced plane."""
        field = self._measured.field
        return shaping.see(
            coarse, self.preset, field, darkest=lambda: shaping.darkest(shaping.over(coarse, field.image))
        )

    def _rebuild(self, index: int, enhanced: Plane, held: Box, box: Box | None) -> Plane:
        """Level `index` of this size (0: its pixels), or a part of it, from the enhanced plane `index`, whose part
        `held` is given.
        """
        finer, plane = self._size.shape(index - 1), self._size.planes[index]
        wanted = box or parts.everything(finer)
        base = self._toned(parts.up(plane, parts.everything(plane.shape), plane.shape, wanted, finer))
        rows = self._source(wanted) if index == 0 else self._toned(self._size.planes[index - 1][wanted.slices])
        kept, apart = self._kept(index, wanted), self._apart(index, wanted)
        onto = parts.up(enhanced, held, plane.shape, wanted, finer)
        return bands.enhance(rows, base, self._gains[index], kept, onto, apart)

    def _source(self, box: Box) -> Plane:
        values = np.ascontiguousarray(self._size.pixels[box.slices])
        return self._toned(self._measured.tone.apply(values))

    def _toned(self, plane: Plane) -> Plane:
        """A copy in the tone of the preset."""
        if self.ratio == 1.0 and self._shift == 0.0:
            return plane.copy()
        return plane * np.float32(self.ratio) + np.float32(self._shift)

    def _kept(self, index: int, box: Box) -> Plane | None:
        level = self._measured.levels[self._level + index]
        if level.variance is None:
            return None
        seen = box.coarser((level.variance.shape[0], level.variance.shape[1]), factor=CELL)
        kept = bands.containment(level.part(seen.slices, self.ratio), self._gains[index])
        return None if kept is None else parts.enlarge(kept, CELL, seen, box)

    def _apart(self, index: int, box: Box) -> Plane | None:
        lines = self._size.lines[index] if self._gains[index].floor < 1 else None
        return None if lines is None else lines.part(*box.slices) * np.float32(self.ratio)

    def _guard(self, box: Box, seen: Seen) -> Plane:
        shape = self._size.shape(0)
        small = box.coarser(shape)
        plane, near = self._toned(self._size.planes[0][small.slices]), self._measured.near(shape)[small.slices]
        return parts.enlarge(shaping.guard(plane, near, self.preset, seen.lifted), 2, small, box)


def _even(box: Box, shape: parts.Shape) -> Box:
    """A box that begins on a multiple of `CELL`, for the grids of its own coarser level and of its cells."""
    return replace(
        box,
        top=box.top // CELL * CELL,
        left=box.left // CELL * CELL,
        bottom=min(box.bottom, shape[0]),
        right=min(box.right, shape[1]),
    )


__all__ = ["COARSE_PIXELS", "Measured", "Part", "Size"]
