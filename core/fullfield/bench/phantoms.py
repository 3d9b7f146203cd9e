"""The conventional processor on exposures whose truth is known: is the air found, and what becomes of the anatomy?

Each phantom is processed twice with different noise, by the preset that is chosen for it by itself: what the two share
is contrast, what they do not is noise. Other seeds give other phantoms, so that nothing can be fitted to them. Then raw
scenes with blades, open field and markers (`bench.raw_scenes`), by the presets and by a model.
"""

from __future__ import annotations

import json as jsons
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield import standard_output
from fullfield.bench import raw_scenes
from fullfield.bench.displayed import CLAHE, ways
from fullfield.bench.speak import progress
from fullfield.image import collimation, multiscale, presets, tone
from fullfield.image.image import Image
from fullfield.image.phantoms import scene
from fullfield.image.phantoms.scene import Scene

AIR_FOUND, ANATOMY_LOST, MEDIAN = 0.98, 0.005, (0.3, 0.6)
"""The aims: the least share of air found, the most anatomy lost to it, where the anatomy's median lies."""

_LEAST_AIR = 0.01  # of the image: less is no air that a processor has to find
_COARSE, _FINE = 24, 2  # pixels: the SDs between which structures count as contrast

Plane = NDArray[np.float32]
Thirds = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One phantom. Shares 0 … 1, levels as fractions of the output; None where there is no air to speak of.

    `air_found`: of the air, what no statistic of the anatomy counts; `anatomy_lost`: of the anatomy within the image's
    border, what none does. `air_before`, `air_after`: the air's median. `contrast`, `noise`: how much the SD of
    structures and of noise grew, in the thinnest, the middle and the densest third of the anatomy, each against the
    source's own range.
    """

    name: str
    body: str
    kind: str
    preset: str
    air_found: float | None
    anatomy_lost: float
    median: float
    air_before: float | None
    air_after: float | None
    contrast: Thirds
    noise: Thirds

    @property
    def missed(self) -> tuple[str, ...]:
        """The aims that this phantom misses."""
        found = []
        if self.air_found is not None and self.air_found < AIR_FOUND:
            found.append("air")
        if self.anatomy_lost > ANATOMY_LOST:
            found.append("anatomy")
        if not MEDIAN[0] <= self.median <= MEDIAN[1]:
            found.append("median")
        return tuple(found)


@dataclass(frozen=True, kw_only=True)
class Table:
    """The phantoms of one seed."""

    seed: int
    size: int
    rows: tuple[Row, ...]

    @property
    def stands(self) -> bool:
        """Whether every phantom meets every aim."""
        return not any(row.missed for row in self.rows)

    def summary(self) -> dict[str, float | int]:
        """Means over the phantoms, and how many of them miss an aim."""
        air = [row for row in self.rows if row.air_found is not None]
        return {
            "air_found": float(np.mean([row.air_found for row in air])) if air else 1.0,
            "anatomy_lost": float(np.mean([row.anatomy_lost for row in self.rows])),
            "median_least": min(row.median for row in self.rows),
            "median_most": max(row.median for row in self.rows),
            "air_before": float(np.mean([row.air_before for row in air])) if air else 0.0,
            "air_after": float(np.mean([row.air_after for row in air])) if air else 0.0,
            "phantoms": len(self.rows),
            "missing_an_aim": sum(1 for row in self.rows if row.missed),
        }

    def text(self) -> str:
        """The table for people."""
        head = f"{'':27}{'':14}{'air':>7}{'lost':>8}{'median':>8}{'air level':>14}{'contrast ×':>18}{'noise ×':>18}"
        lines = [f"seed {self.seed}, {self.size} pixels; thirds from thin to dense", head]
        for row in self.rows:
            known = row.air_found is not None
            levels = f"{row.air_before:.3f} > {row.air_after:.3f}" if known else "-"
            lines.append(
                f"{row.name:27}{f'{row.body} {row.kind[:4]}':14}"
                f"{f'{row.air_found:.1%}' if known else '-':>7}{row.anatomy_lost:>8.2%}{row.median:>8.3f}{levels:>14}"
                f"{' '.join(f'{value:.2f}' for value in row.contrast):>18}"
                f"{' '.join(f'{value:.2f}' for value in row.noise):>18}"
                f"{'   misses ' + ', '.join(row.missed) if row.missed else ''}"
            )
        seen = self.summary()
        lines.append(
            f"air found {seen['air_found']:.2%} (aim {AIR_FOUND:.0%}), anatomy lost {seen['anatomy_lost']:.2%} "
            f"(aim {ANATOMY_LOST:.1%}), medians {seen['median_least']:.3f} to {seen['median_most']:.3f} "
            f"(aim {MEDIAN[0]} to {MEDIAN[1]}), air {seen['air_before']:.3f} > {seen['air_after']:.3f}; "
            f"{seen['missing_an_aim']} of {seen['phantoms']} miss an aim"
        )
        return "\n".join(lines)

    def values(self) -> dict[str, object]:
        """The table for programs."""
        rows = [{**asdict(row), "missed": row.missed} for row in self.rows]
        values = {"kind": "phantoms", "seed": self.seed, "size": self.size, "rows": rows, **self.summary()}
        return {**values, "stands": self.stands}


def bench(*, json: bool, seed: int = 0, size: int = 1024, model: Path | None = None) -> int:
    """`fullfield bench phantoms`: write both tables to standard output. The exit code is 0 where every aim is met.

    Raises MissingPart, ModelError.
    """
    methods = [way for way in ways(model) if way.name != CLAHE]
    table = run(seed=seed, size=size)
    raw = raw_scenes.run(methods, seed=seed, size=size)
    if json:
        standard_output.write(jsons.dumps({**table.values(), "raw_scenes": raw.values()}) + "\n")
    else:
        standard_output.write(f"{table.text()}\n\n{raw.text()}\n")
    return 0 if table.stands and raw.stands else 1


def run(*, seed: int, size: int = 1024) -> Table:
    """Measure the phantoms of `seed`, whose longer sides have `size` pixels (two fields: up to a half more)."""
    makers = scene.scenes(seed, longer=size)
    tell = progress()
    rows = []
    tell("Phantoms", 0, len(makers))
    for make in makers:
        rows.append(measure(make()))
    return Table(seed=seed, size=size, rows=tuple(rows))


def measure(exposed: Scene) -> Row:
    """The figures of one phantom."""
    image = exposed.image
    preset = presets.choose(body_part=exposed.body_part, species="", kind=image.kind, modality=exposed.modality)
    curve = tone.curve(image)
    field = collimation.find(image, curve)
    air, anatomy = (_whole_cells(mask, field.step) for mask in (exposed.air, exposed.anatomy))
    counted = field.anatomy
    known = float(exposed.air.mean()) >= _LEAST_AIR
    before = [_shown(each, exposed) for each in (image, exposed.again)]
    after = []
    for each in (image, exposed.again):
        result = multiscale.enhance(each, preset)
        after.append(result.pixels.astype(np.float32) / np.float32((1 << result.bits) - 1))
    thirds = _thirds(before[0], exposed.anatomy)
    return Row(
        name=exposed.name,
        body=exposed.body,
        kind=image.kind.value,
        preset=preset.name,
        air_found=float(np.mean(~counted[air])) if known else None,
        anatomy_lost=float(np.mean(~counted[collimation.within(anatomy)])),
        median=float(np.median(after[0][exposed.anatomy])),
        air_before=float(np.median(before[0][exposed.air])) if known else None,
        air_after=float(np.median(after[0][exposed.air])) if known else None,
        contrast=_ratios(_structures(after), _structures(before), thirds),
        noise=_ratios(after[0] - after[1], before[0] - before[1], thirds),
    )


def _whole_cells(mask: NDArray[np.bool_], step: int) -> NDArray[np.bool_]:
    """The thumbnail's cells that lie under `mask` as a whole."""
    return np.asarray(collimation.reduce(mask.astype(np.uint16), step) > 0.9999)


def _shown(image: Image, exposed: Scene) -> Plane:
    """The source as a fraction of its own range: the display's, or what is open of a raw image's logarithm."""
    values = tone.curve(image)(image.pixels)
    if image.voi or values.min() >= 0:
        return values / np.float32(image.top)
    low, high = np.percentile(values[exposed.air | exposed.anatomy], [0.1, 99.9])
    return np.asarray(((values - low) / (high - low)).astype(np.float32), np.float32)


def _structures(pair: list[Plane]) -> Plane:
    """What two exposures share between the finest and the coarsest: noise is halved, and blurred away."""
    mean = np.clip((pair[0] + pair[1]) * np.float32(0.5), 0, 1)  # a blade is no structure
    band: Plane = cv2.GaussianBlur(mean, (0, 0), _FINE) - cv2.GaussianBlur(mean, (0, 0), _COARSE)
    return band


def _thirds(values: Plane, anatomy: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """The anatomy, a little inside its edges, in thirds from thin to dense."""
    inside = cv2.erode(anatomy.astype(np.uint8), np.ones((9, 9), np.uint8)).astype(bool)
    inside = inside if inside.any() else anatomy
    smooth = cv2.GaussianBlur(values, (0, 0), 4)
    least, most = np.percentile(smooth[inside], [100 / 3, 200 / 3])
    return [inside & (smooth <= least), inside & (smooth > least) & (smooth <= most), inside & (smooth > most)]


def _ratios(after: Plane, before: Plane, thirds: list[NDArray[np.bool_]]) -> Thirds:
    first, second, third = (float(after[part].std() / max(float(before[part].std()), 1e-9)) for part in thirds)
    return first, second, third


__all__ = ["AIR_FOUND", "ANATOMY_LOST", "MEDIAN", "Row", "Table", "bench", "measure", "run"]
