"""Where a network's results are believed: the figures of one, and the bounds that a model's card carries.

Values alone: what is measured of pixels is in `fullfield.image.trust`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """The three figures of one result. NaN where the image has no structure to compare."""

    correlation: float
    order_error: float
    fine_ratio: float


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Where results are believed: from `correlation` up, to `order_error`, between `fine_low` and `fine_high`.

    The defaults are for models whose card has none. Conventional processing of 64 public radiographs (chest, dental,
    breast, bones; 1,024 pixels), processed or simulated raw ones, has correlations from 0.81, order errors up to 0.47
    (all but one below 0.28) and fine ratios from 0.26 to 3.6; 63 results of another image have correlations of 0.70 at
    most, inverted ones -0.84.
    """

    correlation: float = 0.6
    order_error: float = 0.5
    fine_low: float = 0.1
    fine_high: float = 10.0

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise ValueError(f"bounds: {item.name} is {value!r}, wanted a number")

    def to_json(self) -> dict[str, float]:
        """Plain values for a card."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, float]) -> Bounds:
        """What `to_json` gave; the general ones for {}. Raises TypeError, ValueError."""
        return cls(**values)

    def objections(self, found: Agreement) -> tuple[str, ...]:
        """What speaks against a result, as parts of a sentence; none where it is believed."""
        said = []
        if not found.correlation >= self.correlation:
            said.append("its coarse structures are not those of the image")
        if not found.order_error <= self.order_error:
            said.append("what is bright and what is dark is not as in the image")
        if found.fine_ratio > self.fine_high:
            said.append("it has far more fine structure or noise than the image")
        elif not found.fine_ratio >= self.fine_low:
            said.append("the fine structure of the image is gone")
        return tuple(said)
