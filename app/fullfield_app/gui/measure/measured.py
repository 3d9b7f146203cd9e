"""The numbers of what marks cover, at full size on the values of the files. Arithmetic alone, for a background task."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from fullfield.image import region as regions
from fullfield.image.image import Pixels
from fullfield.image.region import Statistics
from fullfield_app.gui.measure.marks import Marks, Region, Slot
from fullfield_app.gui.view.picture import Modality, Picture

MOST_POINTS = 2000  # of a profile: more than a plot has pixels


@dataclass(frozen=True, kw_only=True, eq=False)
class Numbers:
    """Of one image: each region's statistics, and the values along the line from its start to its end."""

    regions: dict[Slot, Statistics] = field(default_factory=dict)
    profile: NDArray[np.float64] | None = None

    @property
    def cnr(self) -> float | None:
        """Of the two regions, when there are two."""
        one, two = (self.regions.get(slot) for slot in (Slot.ONE, Slot.TWO))
        return None if one is None or two is None else regions.cnr(one, two)

    def snr(self, slot: Slot) -> float | None:
        """Of one region."""
        found = self.regions.get(slot)
        return None if found is None else regions.snr(found)


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """What was measured, on which marks: None for an image that is not there."""

    marks: Marks
    before: Numbers | None
    after: Numbers | None


def measure(before: Picture | None, after: Picture | None, marks: Marks) -> Measured:
    """All numbers of a pair."""
    return Measured(marks=marks, before=_numbers(before, marks), after=_numbers(after, marks))


def _numbers(picture: Picture | None, marks: Marks) -> Numbers | None:
    if picture is None or not marks.placed:
        return None
    pixels, line, scale = picture.levels[0], marks.line(), picture.scale
    return Numbers(
        regions={slot: _statistics(pixels, region, scale) for slot, region in marks.regions().items()},
        profile=None
        if line is None
        else scale.slope * _decimated(regions.profile(pixels, line.start, line.end)) + scale.intercept,
    )


def _statistics(pixels: Pixels, region: Region, scale: Modality) -> Statistics:
    covered = np.asarray(pixels[region.area.slices()])
    found = regions.statistics(covered[regions.ellipse(*covered.shape)] if region.round else covered)
    return replace(found, mean=scale.own(found.mean), sd=abs(scale.slope) * found.sd)


def _decimated(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """At most MOST_POINTS values: of a long line the means of neighbours."""
    step = -(-values.size // MOST_POINTS)
    whole = values.size // step * step
    decimated: NDArray[np.float64] = values[:whole].reshape(-1, step).mean(axis=1)
    return decimated
