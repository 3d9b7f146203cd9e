"""What fills a scene where no outline is: tissue whose power falls as 1/f^b, dead leaves, the nets of spongy bone.

Sources: Burgess, Jacobson & Judy, Med. Phys. 28 (2001): b of breast tissue near 3; Lee, Mumford & Huang, Int. J.
Comput. Vision 41 (2001): the dead leaves model, discs that hide each other, radii r with a density of 1/r³.
"""

from __future__ import annotations

import cv2
import numpy as np

from fullfield.image.phantoms.shapes import Plane

_LEAST_GRID = 3  # cells a side, of the coarsest noise


def power_law(
    shape: tuple[int, int], exponent: float, coarsest: float, random: np.random.Generator, *, stretch: float = 1.0
) -> Plane:
    """Noise of mean 0 and SD 1 whose power falls as 1/f^`exponent`, from features of `coarsest` pixels down to single
    ones; `stretch`: how much longer features are along the columns than across.

    Octave by octave from the coarsest: a band at f has the variance f^(2 − b), in two dimensions.
    """
    octaves = max(1, round(np.log2(max(coarsest / 2, 2))))
    plane: Plane = np.zeros((_LEAST_GRID, _LEAST_GRID), np.float32)
    for octave in range(octaves + 1):
        cell = max(coarsest / 2**octave / 2, 1.0)
        rows = max(_LEAST_GRID, round(shape[0] / cell / stretch))
        columns = max(_LEAST_GRID, round(shape[1] / cell))
        plane = cv2.resize(plane, (columns, rows), interpolation=cv2.INTER_CUBIC)
        weight = np.float32(2.0 ** (octave * (2 - exponent) / 2))
        plane += weight * random.standard_normal((rows, columns), dtype=np.float32)
    plane = cv2.resize(plane, shape[::-1], interpolation=cv2.INTER_CUBIC)
    plane -= plane.mean()
    result: Plane = plane / np.float32(max(float(plane.std()), 1e-6))
    return result


def dead_leaves(shape: tuple[int, int], smallest: float, largest: float, random: np.random.Generator) -> Plane:
    """Ellipses of `smallest` to `largest` pixels radius that hide each other, each of one value; mean 0, SD 1."""
    plane = np.zeros(shape, np.float32)
    small, large = max(smallest, 1.0), max(largest, smallest + 1.0, 2.0)
    # The mean area of radii with a density of 1/r³, so that the leaves cover the picture three times over.
    area = 2 * np.pi * np.log(large / small) / (small**-2 - large**-2)
    count = int(min(max(3 * shape[0] * shape[1] / area, 60), 60_000))
    radii = (small**-2 - random.random(count) * (small**-2 - large**-2)) ** -0.5
    places = random.random((count, 2)) * np.array(shape[::-1])
    flat, angles, values = random.uniform(0.5, 1, count), random.uniform(0, 180, count), random.standard_normal(count)
    for radius, place, squeeze, angle, value in zip(radii, places, flat, angles, values):
        axes = (max(1, round(radius)), max(1, round(radius * squeeze)))
        cv2.ellipse(plane, (int(place[0]), int(place[1])), axes, float(angle), 0, 360, float(value), -1)
    plane -= plane.mean()
    result: Plane = plane / np.float32(max(float(plane.std()), 1e-6))
    return result


def net(shape: tuple[int, int], spacing: float, random: np.random.Generator, *, stretch: float = 1.6) -> Plane:
    """The lattice of spongy bone, mean about 1: plates along the load (the columns, `stretch` times as long as apart),
    thinner ones across, and coarse struts; `spacing` in pixels."""
    lines = np.zeros(shape, np.float32)
    for weight, size, along in ((1.0, spacing, stretch), (0.6, spacing, 1 / stretch), (0.7, 2.3 * spacing, stretch)):
        cells = (max(3, round(shape[0] / max(size * along, 1.5))), max(3, round(shape[1] / max(size, 1.5))))
        noise = cv2.resize(random.standard_normal(cells, dtype=np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC)
        lines += np.float32(weight) * np.exp(-((noise / np.float32(0.4)) ** 2))
    result: Plane = np.clip(0.35 + 0.65 * lines / lines.mean(), 0.35, 2.2).astype(np.float32)
    return result


__all__ = ["dead_leaves", "net", "power_law"]
