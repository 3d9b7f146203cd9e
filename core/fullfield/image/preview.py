"""A part of the enhanced image, fast enough to follow a slider: what is seen, at the size at which it is seen.

What needs the whole image is measured once: the pyramid, each level's statistics, and the percentiles that the
gradation goes by. A preview then computes the part alone, from a coarse whole picture down, with the processor's own
steps. The gradation's percentiles are taken from that coarse picture, corrected by what they differed by when the whole
image was surveyed; so a preview of the surveyed preset agrees with the full result, and one of another nearly.

A part at a reduced size is computed on the mean of 2×2, 4×4 … pixels, as the window reduces images, with the statistics
of the levels that are left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from fullfield.image import bands, collimation, gradation, multiscale, parts, presets, shaping, tone
from fullfield.image.bands import CELL, Gain, Level
from fullfield.image.image import HighValues, Image, Pixels
from fullfield.image.parts import Box
from fullfield.image.preset import Preset
from fullfield.image.pyramid import Plane
from fullfield.image.shaping import Seen
from fullfield.image.tone import Tone

COARSE_PIXELS = 150_000
"""Of the whole picture that the percentiles are taken from: some 5 ms."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Size:
    """The image reduced by 2**k: `pixels`, and `planes`, its pyramid in the surveyed tone, coarsest last."""

    pixels: Pixels
    planes: list[Plane]

    def shape(self, index: int) -> parts.Shape:
        """Of plane `index`; −1: of the pixels."""
        plane = self.pixels if index < 0 else self.planes[index]
        return plane.shape[0], plane.shape[1]


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
        self._near: dict[parts.Shape, Plane] = {}
        self._corrections: dict[int, Seen] = {}
        if not self._tone.flat:
            self._survey(preset)

    @property
    def flat(self) -> bool:
        """The image has no contrast: there is nothing to preview."""
        return self._tone.flat

    def deepest(self) -> int:
        """The largest `level` that `part` takes."""
        return max(len(self._levels) - 2, 0)

    def part(self, preset: Preset, *, level: int, box: Box) -> tuple[Pixels, Box]:
        """Part `box` of the enhanced image reduced by 2**level, and the box that it is: `box` on the grid."""
        size = self._size(level)
        box = box.aligned(size.shape(-1))
        ratio, shift = self._scaling(preset)
        work = _Part(self, preset, size, level=level, ratio=ratio, shift=shift)
        start = work.coarse_index()
        coarse = work.coarse(start)
        seen = self._seen(preset, work, coarse, level)
        fraction = shaping.curve(preset, seen).apply(work.fine(coarse, start, box, seen))
        if self.image.beam is HighValues.BRIGHT:
            np.subtract(np.float32(1), fraction, out=fraction)
        result = np.empty(box.shape, np.uint16)
        gradation.quantise(fraction, (1 << self.bits) - 1, result)
        return result, box

    # Measured once ------------------------------------------------------------------------------------------------

    def _survey(self, preset: Preset) -> None:
        contained = replace(preset, noise_floors=tuple(min(floor, 0.999) for floor in preset.noise_floors))
        work = multiscale.Work(self.image, contained, self._field, self._tone)
        work.survey()
        self._levels: list[Level] = work.levels
        self._sizes = {0: _Size(pixels=self.image.pixels, planes=work.planes)}
        self._surveyed = (preset, work.seen)

    def _size(self, level: int) -> _Size:
        if level not in self._sizes:
            pixels = self.image.pixels
            for _ in range(level):
                pixels = parts.halved(pixels)
            planes = [cv2.pyrDown(self._tone.apply(pixels, np.empty(pixels.shape, np.float32)))]
            while len(planes) < len(self._levels) - level:
                planes.append(cv2.pyrDown(planes[-1]))
            self._sizes = {0: self._sizes[0], level: _Size(pixels=pixels, planes=planes)}
        return self._sizes[level]

    def _scaling(self, preset: Preset) -> tuple[float, float]:
        """`ratio`, `shift`: the tone of `preset` is `ratio` · the surveyed one + `shift`."""
        if (preset.range_low, preset.range_high) != self._range:
            self._range = (preset.range_low, preset.range_high)
            self._now = tone.measure(self.image, preset, self._curve, self._field)
        ends = np.array([[0, self.image.top]], np.uint16)
        old, new = (scale.apply(ends, np.empty(ends.shape, np.float32))[0] for scale in (self._tone, self._now))
        span = float(old[1] - old[0])
        ratio = float(new[1] - new[0]) / span if span else 1.0
        return ratio, float(new[0]) - ratio * float(old[0])

    def _seen(self, preset: Preset, work: _Part, coarse: Plane, level: int) -> Seen:
        """What the gradation goes by, corrected by what the coarse picture missed when the image was surveyed."""
        first, truth = self._surveyed
        if level not in self._corrections:
            size = self._size(level)
            then = _Part(self, first, size, level=level, ratio=1.0, shift=0.0)
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

    def near(self, shape: parts.Shape) -> Plane:
        """How near each sample of a plane is to what shall stay dark."""
        if shape not in self._near:
            small = shaping.nearness(self._field)
            self._near[shape] = cv2.resize(small, shape[::-1], interpolation=cv2.INTER_LINEAR)
        return self._near[shape]

    @property
    def levels(self) -> list[Level]:
        """What was measured on each level of the full size."""
        return self._levels

    @property
    def surveyed_tone(self) -> Tone:
        """The tone of the planes."""
        return self._tone

    @property
    def field(self) -> collimation.Field:
        """What is anatomy, and what shall stay dark."""
        return self._field


class _Part:
    """One preset on one size of the image; planes in the surveyed tone become `ratio` · plane + `shift`."""

    def __init__(self, owner: Preview, preset: Preset, size: _Size, *, level: int, ratio: float, shift: float) -> None:
        self._owner, self._preset, self._size, self._level = owner, preset, size, level
        self.ratio, self._shift = ratio, shift
        self._gains: Mapping[int, Gain] = {
            index: shaping.gain(preset, _scaled(owner.levels[level + index], ratio), index=level + index, count=count)
            for count in (len(owner.levels),)
            for index in range(len(size.planes))
        }

    def coarse_index(self) -> int:
        """The finest plane that is enhanced as a whole."""
        fits = (index for index, plane in enumerate(self._size.planes) if plane.size <= COARSE_PIXELS)
        return next(fits, len(self._size.planes) - 1)

    def coarse(self, start: int) -> Plane:
        """The whole enhanced plane `start`."""
        planes = self._size.planes
        enhanced = shaping.residual(self._toned(planes[-1]), self._preset, self._owner.field.anatomy)
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
        field = self._owner.field
        anatomy = shaping.over(coarse, field.anatomy)
        low, median, most, high = (float(value) for value in np.percentile(anatomy, [0.3, 50, 90, 99.7]))
        guarded = shaping.is_guarded(self._preset, field)
        dark, percent = (field.dark, 90) if guarded else (field.image, 0.1)
        ground = float(np.percentile(shaping.over(coarse, dark), percent))
        return Seen(low=low, median=median, most=most, high=high, ground=ground, guarded=guarded)

    def _rebuild(self, index: int, enhanced: Plane, held: Box, box: Box | None) -> Plane:
        """Level `index` of this size (0: its pixels), or a part of it, from the enhanced plane `index`, whose part
        `held` is given.
        """
        finer, plane = self._size.shape(index - 1), self._size.planes[index]
        wanted = box or parts.everything(finer)
        base = self._toned(parts.up(plane, parts.everything(plane.shape), plane.shape, wanted, finer))
        rows = self._source(wanted) if index == 0 else self._toned(self._size.planes[index - 1][wanted.slices])
        band = bands.enhance(rows, base, self._gains[index], self._kept(index, wanted))
        return np.add(band, parts.up(enhanced, held, plane.shape, wanted, finer), out=band)

    def _source(self, box: Box) -> Plane:
        values = np.ascontiguousarray(self._size.pixels[box.slices])
        return self._toned(self._owner.surveyed_tone.apply(values, np.empty(box.shape, np.float32)))

    def _toned(self, plane: Plane) -> Plane:
        """A copy in the tone of the preset."""
        if self.ratio == 1.0 and self._shift == 0.0:
            return plane.copy()
        return plane * np.float32(self.ratio) + np.float32(self._shift)

    def _kept(self, index: int, box: Box) -> Plane | None:
        level = self._owner.levels[self._level + index]
        if level.variance is None:
            return None
        seen = box.coarser((level.variance.shape[0], level.variance.shape[1]), factor=CELL)
        part = replace(level, variance=level.variance[seen.slices] * np.float32(self.ratio**2))
        kept = bands.containment(part, self._gains[index])
        return None if kept is None else parts.enlarge_seen(kept, CELL, seen, box)

    def _guard(self, box: Box, seen: Seen) -> Plane:
        shape = self._size.shape(0)
        small = box.coarser(shape)
        plane, near = self._toned(self._size.planes[0][small.slices]), self._owner.near(shape)[small.slices]
        return parts.enlarge_seen(shaping.guard(plane, near, self._preset, seen.lifted), 2, small, box)


def _even(box: Box, shape: parts.Shape) -> Box:
    """A box that begins on a multiple of `CELL`, for the grids of its own coarser level and of its cells."""
    return replace(
        box,
        top=box.top // CELL * CELL,
        left=box.left // CELL * CELL,
        bottom=min(box.bottom, shape[0]),
        right=min(box.right, shape[1]),
    )


def _scaled(level: Level, ratio: float) -> Level:
    """What a level's statistics are in another tone; the variance is left as it is."""
    return replace(level, percentile=level.percentile * ratio, noise=level.noise * ratio)


__all__ = ["COARSE_PIXELS", "Preview"]
