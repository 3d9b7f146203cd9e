"""Raw scenes with blades, open field and markers: does a method find the anatomy, and how bright does it show it?

Ten scenes of different parts, from a seed. A method holds on one where the anatomy's median lies between the bounds,
and no more than `DARKER` below what the preset for the part makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fullfield.bench.displayed import SOURCE, Way
from fullfield.data.scenes import detector, latent, makers
from fullfield.data.scenes.latent import PARTS
from fullfield.errors import InputRefused
from fullfield.image.presets import AUTO

MEDIAN = (0.3, 0.6)
DARKER = 0.1
COUNT = 10

_STREAM = 0x4A3


@dataclass(frozen=True, kw_only=True)
class Row:
    """One scene: the anatomy's median as a fraction of white by method, None where it refuses the image."""

    part: str
    medians: dict[str, float | None]

    def holds(self, method: str) -> bool:
        """Whether a method shows it as it should."""
        found, preset = self.medians[method], self.medians[AUTO]
        return found is not None and preset is not None and MEDIAN[0] <= found <= MEDIAN[1] and found >= preset - DARKER


@dataclass(frozen=True, kw_only=True)
class Table:
    """The scenes of one seed, the preset for the part among their methods."""

    rows: tuple[Row, ...]

    def held(self, method: str) -> int:
        """On how many scenes a method holds."""
        return sum(row.holds(method) for row in self.rows)

    @property
    def methods(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.rows[0].medians)

    @property
    def stands(self) -> bool:
        """Whether every method holds on every scene, but the source, which nobody has made brighter."""
        return all(self.held(method) == len(self.rows) for method in self.methods if method != SOURCE)

    def text(self) -> str:
        """The table for people."""
        lines = ["Raw scenes with blades, open field and markers: the anatomy's median; * outside of its bounds"]
        lines.append(f"{'':14}" + "".join(f"{method:>18}" for method in self.methods))
        for row in self.rows:
            reported = (_reported(row, method) for method in self.methods)
            lines.append(f"{row.part:14}" + "".join(f"{one:>18}" for one in reported))
        counted = (f"{self.held(method)} of {len(self.rows)}" for method in self.methods)
        lines.append(f"{'hold':14}" + "".join(f"{one:>18}" for one in counted))
        lines.append(f"bounds {MEDIAN[0]} to {MEDIAN[1]}, and no more than {DARKER} darker than by {AUTO}")
        return "\n".join(lines)

    def values(self) -> dict[str, object]:
        """The table for programs."""
        rows = [{"part": row.part, "medians": row.medians} for row in self.rows]
        return {"rows": rows, "held": {method: self.held(method) for method in self.methods}, "stands": self.stands}


def run(methods: Sequence[Way], *, seed: int, size: int | None, count: int = COUNT) -> Table:
    """Measure; `size`: pixels of the longer side, None a detector's own."""
    parts = [part for part in PARTS if part != "leaves"]
    chosen = np.random.default_rng([_STREAM, seed]).permutation(len(parts))[:count]
    return Table(rows=tuple(measure(parts[at], seed, methods, size=size) for at in sorted(chosen)))


def measure(part: str, seed: int, methods: Sequence[Way], *, size: int | None) -> Row:
    """One scene."""
    scene = latent.draw(part, seed, longer=size)
    counted = detector.expose(scene, detector.draw(scene, seed, blades=True), noise=seed)
    image = makers.raw(counted, makers.draw(seed), scene.spacing_mm)
    seen = scene.anatomy & counted.opened & ~counted.marks
    medians: dict[str, float | None] = {}
    for way in methods:
        try:
            medians[way.name] = float(np.median(way.show(image, part)[seen]))
        except InputRefused:
            medians[way.name] = None
    return Row(part=part, medians=medians)


def _reported(row: Row, method: str) -> str:
    found = row.medians[method]
    return "refused" if found is None else f"{found:.3f}{' ' if row.holds(method) else '*'}"


__all__ = ["COUNT", "DARKER", "MEDIAN", "Row", "Table", "measure", "run"]
