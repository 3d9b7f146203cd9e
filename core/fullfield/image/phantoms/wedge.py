"""A test object for contrast, noise and sharpness."""

from __future__ import annotations

import numpy as np

from fullfield.image.phantoms.body import Body


def wedge(body: Body) -> None:
    """A test object: an aluminium step wedge, discs of low contrast, bar patterns; 20 × 20 cm in 15 cm of water."""
    c = body.canvas
    body.soft += 15.0
    for step in range(11):
        body.bone += c.slab((-9 + 1.8 * step, 7.2), (1.8, 3.0), 0.22 * (step + 1), edge=0.02)
    for row, contrast in enumerate((0.32, 0.16, 0.08, 0.04)):
        for column, radius in enumerate((0.85, 0.6, 0.42, 0.3, 0.2, 0.14)):
            disc = np.sqrt((c.x - (-6.5 + 2.6 * column)) ** 2 + (c.y - (-6.8 + 2.2 * row)) ** 2)
            body.soft += np.float32(contrast) * np.clip((radius - disc) / c.pixel + 0.5, 0, 1)
    for group, period in enumerate((0.4, 0.28, 0.2, 0.14, 0.1)):
        centre = -6.4 + 3.2 * group
        bars = (np.sin(2 * np.pi * (c.x - centre) / period) > 0).astype(np.float32)
        body.bone += bars * c.slab((centre, 3.4), (2.2, 2.0), 0.35, edge=0.02)


__all__ = ["wedge"]
