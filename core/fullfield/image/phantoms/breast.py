"""A breast under compression, from the side of the chest wall: 18 × 24 cm."""

from __future__ import annotations

import cv2
import numpy as np

from fullfield.image.phantoms.body import Body
from fullfield.image.phantoms.shapes import fractal


def breast(body: Body) -> None:
    """Fat of an even thickness that rounds off at the skin, glandular tissue towards the nipple, a pectoral muscle."""
    c, random = body.canvas, body.random
    wall = -c.shape[1] * c.pixel / 2
    depth, half = random.uniform(7.5, 11.5), random.uniform(7.0, 9.5)
    across, along = (c.x - np.float32(wall)) / np.float32(depth), c.y / np.float32(half)
    inner = np.maximum(1 - across * across - along * along, 0)
    thickness = np.float32(random.uniform(4.0, 5.5)) * np.minimum(1, 3 * inner) ** np.float32(0.5)
    gland = np.clip(fractal(c.shape, 2.2 / c.pixel, random, octaves=5) + 0.4, 0, 2.5)
    gland *= np.clip(1 - (across - 0.55) ** 2 / 0.2 - along * along / 0.4, 0, 1)
    strands = 1 + 0.03 * fractal(c.shape, 0.35 / c.pixel, random)
    muscle = np.clip(1 - (c.x - np.float32(wall)) / 4 - (c.y + np.float32(half)) / 9, 0, 1) * np.minimum(1, 3 * inner)
    skin = cv2.GaussianBlur((inner > 0).astype(np.float32), (0, 0), 0.05 / c.pixel)
    body.soft += (thickness * strands + 0.25 * skin + 0.5 * thickness * gland + 2.5 * muscle) * (inner > 0)


__all__ = ["breast"]
