"""From a preset and what was measured on the whole image to what is done to it: gains, guard, gradation.

Shared by the processor and its preview, so that both decide by the same figures in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from fullfield.image import gradation, order
from fullfield.image.bands import Gain, Level
from fullfield.image.collimation import Field, Mask
from fullfield.image.gradation import Gradation
from fullfield.image.image import InputKind
from fullfield.image.preset import Preset
from fullfield.image.pyramid import Plane

LEAST_DARK = 0.005  # of the image: less direct exposure or shutter needs no guard
_GUARD_RADIUS = 0.04  # of the longer side: the skin and the scatter beside direct exposure
_GENTLE = 2.0  # times what is taken: the guard's least reach, so that it makes no slope twice as steep
_DEEPEST_GROUND = 0.15  # of the anatomy's span: how far below it black lies where direct exposure does
_BRIGHTEST = 0.85  # of the output: where the anatomy's 90th percentile may be lifted to, so that nothing burns
_BRIGHTEST_MEDIAN = 0.58  # of the output: where the anatomy's median may lie, with room for what is brighter
_USUAL_MEDIANS = 0.4, 0.45  # of the presets that ship: beyond, both limits go along, for somebody wants it so
_ROOM = 2.3  # of what is left above the 90th percentile's limit, taken with each unit that the median is wanted beyond
_STEEPEST = 12.0  # what a preset may ask for: where a bright picture is wanted darker than usual
_USUAL_SLOPE = 5.0  # the presets' steepest: beyond, dark parts may be pressed more and more, for somebody wants it so
_LIGHTEST_MEDIAN = 0.53  # of the output: where thin tissue is shown no lighter, though it is still hidden
_DARK_SHOWN = 0.8  # of what a straight line gives a raw image's darkest fifth: thin tissue, which a sigmoid hides
_DARKEST_MEDIAN = 0.32  # of a raw image's output: no darker, though much of the anatomy is far brighter
_FLAT_LIMIT = 1e-4  # M of a level that holds nothing
_LEAST_LEVELS = 5
_COARSEST, _MIDDLE = slice(0, 2), slice(3, 5)  # levels, the coarsest first
_LEAST_SHARE = 0.4  # of a preset's work, on the most processed source by edges and texture each
_SHARE_AGAIN = 0.2  # on a result of this program, and on the most processed source by both together
_BEFORE, _PER_OCTAVE = 0.1, 2.0  # octaves before what is usual the work begins to lessen, and by how much in each
_TEXTURE = 2**-8  # of the working range: the unit of texture, which is the median of |x| on the middle levels
_USUAL_TEXTURE = 0.87  # of that
_MOST_TEXTURE = 1.5  # octaves beyond it, of what tells beside edges: noise alone may have any


_ANATOMY = (0.3, 50, 90, 99.7)  # percentiles
_DARK, _DARKEST = 50, 0.5  # percentiles of what shall stay dark, and of everything where nothing has to


@dataclass(frozen=True, kw_only=True)
class Seen:
    """Percentiles of the reconstructed picture: 0.3, 50, 90 and 99.7 of the anatomy, and `ground`, its black.

    `ground`: of what shall stay dark where the picture is `guarded`, of everything else where it is not.
    """

    low: float
    median: float
    most: float
    high: float
    ground: float
    guarded: bool

    @property
    def lifted(self) -> float:
        """How far latitude reduction has lifted direct exposure above the darkest anatomy; 0: nothing to guard."""
        return max(self.ground - self.low, 0.0) if self.guarded else 0.0


def is_contained(preset: Preset, index: int) -> bool:
    """Whether containment acts on level `index` (0: the finest)."""
    return _of(preset.noise_floors, index, 1.0) < 1


def gain(preset: Preset, percentile: float, *, index: int, count: int) -> Gain:
    """What is done to level `index` of `count` (0: the finest); `percentile`: the 97th of its |x|."""
    return Gain(
        gain=preset.detail_gain + _of(preset.edges_gains, index, 0.0),
        power=preset.detail_power,
        limit=max(preset.detail_limit * percentile, preset.detail_limit_least, _FLAT_LIMIT),
        toe=preset.detail_toe,
        factor=_of(preset.latitude_gains, count - 1 - index, 1.0),
        reach=preset.noise_reach,
        floor=_of(preset.noise_floors, index, 1.0),
    )


def share(preset: Preset, levels: Sequence[Level], ratio: float = 1.0, *, enhanced: bool = False) -> float:
    """How much of its work is left to the preset: less where the source was processed already.

    `levels`: the finest first, measured in a tone that `ratio` makes the preset's. `enhanced`: see `Image`.
    Multiscale processing of any make strengthens the middle levels, edges beside the coarsest levels' and texture as
    such. Natural pictures have one or the other: so the one of both tells, in octaves, that is nearer to the usual. And
    both together tell, which differ little between pictures of one part of the body.
    """
    if enhanced:
        return _SHARE_AGAIN
    if len(levels) < _LEAST_LEVELS:
        return 1.0
    edges, texture = (
        np.log2(np.maximum(values, _FLAT_LIMIT))
        for values in ([level.percentile for level in levels[::-1]], [level.median * ratio for level in levels[::-1]])
    )
    beside = float(edges[_MIDDLE].mean() - edges[_COARSEST].mean())
    strong = float(texture[_MIDDLE].mean()) - math.log2(_TEXTURE)
    return min(
        _left(min(beside - math.log2(preset.detail_usual), strong - math.log2(_USUAL_TEXTURE)), _LEAST_SHARE),
        _left(beside + min(strong, _MOST_TEXTURE) - math.log2(preset.detail_usual_together), _SHARE_AGAIN),
    )


def _left(octaves: float, least: float) -> float:
    """The share of a source that lies so far beyond what is usual."""
    return float(np.clip(1 - _PER_OCTAVE * (octaves + _BEFORE), least, 1))


def residual(plane: Plane, preset: Preset, anatomy: Mask) -> Plane:
    """The coarsest plane drawn towards the anatomy's median."""
    centre = np.float32(np.median(over(plane, anatomy)))
    drawn: Plane = (plane - centre) * np.float32(preset.latitude_residual) + centre
    return drawn


def over(values: Plane, mask: Mask) -> Plane:
    """The values under a mask of the thumbnail's; all of them where none is."""
    size = (values.shape[1], values.shape[0])
    found = values[cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0]
    return found if found.size else values.ravel()


def is_guarded(preset: Preset, field: Field) -> bool:
    """Whether there is enough that shall stay dark."""
    return preset.guard_reach > 0 and float(field.dark.mean()) >= LEAST_DARK


def nearness(field: Field) -> Plane:
    """How near each part of the thumbnail is to what shall stay dark, 0 … 1."""
    size = 2 * round(_GUARD_RADIUS * max(field.dark.shape)) + 1
    dark = cv2.dilate(field.dark.astype(np.float32), np.ones((size, size), np.uint8))
    near: Plane = cv2.blur(dark, (size, size))
    return near


def guard(plane: Plane, near: Plane, preset: Preset, lifted: float) -> Plane:
    """What is taken from the picture so that direct exposure becomes black again.

    Taken in full where the source is black, less and less up to `guard.reach`, or further where that would make an edge
    of a slope, and only beside what shall stay dark: a lung may be as dark and is left alone, and the skin keeps its
    contrast to the ground.
    """
    reach = max(preset.guard_reach, _GENTLE * lifted)
    share = np.multiply(plane, np.float32(1 / reach))
    np.clip(share, np.float32(0), np.float32(1), out=share)
    square = np.multiply(share, share)
    np.multiply(share, np.float32(-2), out=share)
    np.add(share, np.float32(3), out=share)
    np.multiply(share, square, out=share)
    np.subtract(np.float32(1), share, out=share)
    np.multiply(share, near, out=share)
    return np.multiply(share, np.float32(lifted), out=share)


def see(values: Plane, preset: Preset, field: Field, darkest: Callable[[], float]) -> Seen:
    """What the gradation goes by, of a reduced reconstructed picture; `darkest`: its black where nothing is guarded."""
    low, median, most, high = order.percentiles(over(values, field.anatomy), _ANATOMY)
    guarded = is_guarded(preset, field)
    ground = order.percentiles(over(values, field.dark), [_DARK])[0] if guarded else darkest()
    return Seen(low=low, median=median, most=most, high=high, ground=ground, guarded=guarded)


def darkest(values: Plane) -> float:
    """What a two-hundredth of the values lies below: shadows beside letters and metal are darker. 0 without any."""
    return order.percentiles(values, [_DARKEST])[0] if values.size else 0.0


def curve(preset: Preset, seen: Seen, kind: InputKind) -> Gradation:
    """The curve through the ends and the median of the picture."""
    deepest = seen.low - _DEEPEST_GROUND * (seen.high - seen.low)
    black = max(min(seen.low, seen.ground), deepest)
    white = seen.high + 0.02 * (seen.high - black)
    if not white > black:
        black, white = 0.0, 1.0
    own, most = ((value - black) / (white - black) for value in (seen.median, seen.most))
    usual = float(np.clip(preset.gradation_median, *_USUAL_MEDIANS))

    def points(aim: float) -> list[tuple[float, float]]:
        beyond = aim - usual
        limit = max(_BRIGHTEST, most)
        limit += beyond * (_ROOM * (1 - limit) if beyond > 0 else 1)
        wanted = own + preset.gradation_pull * (aim - own)
        return [(seen.median, min(wanted, _BRIGHTEST_MEDIAN + beyond)), (seen.most, limit)]

    def through(met: list[tuple[float, float]], steepest: float = 0.0) -> Gradation:
        raw = kind is InputKind.RAW  # nobody has yet decided how dark it is shown
        least = (seen.median, min(_DARKEST_MEDIAN, met[0][1])) if raw else None
        slope = preset.gradation_slope
        usual_slope = float(np.clip((_STEEPEST - slope) / (_STEEPEST - _USUAL_SLOPE), 0, 1))
        dark = _DARK_SHOWN * usual_slope if raw else 0.0
        most = (seen.median, max(_LIGHTEST_MEDIAN, met[0][1]))
        return gradation.fit(
            black=black, white=white, points=met, slope=slope, least=least, dark=dark, most=most, steepest=steepest
        )

    found = through(points(usual))
    if preset.gradation_median == usual:
        return found
    over = [max(found.at(value) - fraction, 0.0) for value, fraction in points(usual)]  # what no such curve reaches
    moved = [
        (value, fraction + more) for (value, fraction), more in zip(points(preset.gradation_median), over, strict=True)
    ]
    return through(moved, _STEEPEST if preset.gradation_median < usual else 0.0)


def _of(values: tuple[float, ...], index: int, otherwise: float) -> float:
    return values[index] if index < len(values) else otherwise


__all__ = [
    "LEAST_DARK",
    "Seen",
    "curve",
    "darkest",
    "gain",
    "guard",
    "is_contained",
    "is_guarded",
    "nearness",
    "over",
    "residual",
    "see",
    "share",
]
