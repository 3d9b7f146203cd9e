"""A lateral skull."""

from __future__ import annotations

import cv2
import numpy as np

from fullfield.image.phantoms.body import Body
from fullfield.image.phantoms.shapes import fractal


def skull(body: Body) -> None:
    """A lateral skull with teeth and neck: 24 × 26 cm."""
    c = body.canvas
    lattice = body.spongy(0.12)
    diploe = 1 + 0.10 * fractal(c.shape, 1.0 / c.pixel, body.random)
    vault_out, vault_in = (
        c.ellipsoid((-1.6, -3.6), (9.6, 8.2, 7.4), degrees=-8),
        c.ellipsoid((-1.6, -3.5), (9.05, 7.6, 6.85), degrees=-8),
    )
    brain = vault_in
    body.bone += (vault_out - vault_in) * np.float32(0.62) * diploe
    groove = c.tube([(2.2, -1.2), (0.5, -5.5), (-3, -9)], [0.13, 0.1, 0.07]) + c.tube(
        [(0.5, -5.5), (-4.5, -6.5)], [0.09, 0.06]
    )
    body.bone -= 0.35 * groove
    body.bone += 0.34 * c.ellipsoid((-1.2, 2.7), (2.6, 1.3, 2.4), degrees=-14) * lattice
    body.bone += 0.3 * c.ellipsoid((-0.9, 2.5), (1.2, 0.8, 1.6), degrees=-30)
    body.bone += c.tube([(0.8, 1.4), (4.2, 0.5), (7.6, -0.9)], [0.22, 0.18, 0.2])
    body.bone += c.tube([(1.9, 1.2), (2.3, 2.2), (3.2, 2.3), (3.5, 1.2)], [0.14] * 4)
    for depth in (0.0, 0.25):
        body.bone += 0.8 * c.tube([(7.0 + depth, -0.6), (6.1 + depth, 1.2), (6.6 + depth, 3.2), (7.6, 3.6)], [0.16] * 4)
    body.bone += c.tube([(1.0, 3.0), (3.6, 3.0), (6.4, 3.1)], [0.28, 0.2, 0.26])
    body.bone += 0.35 * c.slab((5.6, 4.6), (4.6, 2.4), 1.2, edge=0.5, degrees=-4) * lattice
    body.bone += c.tube([(3.4, 5.5), (6.2, 5.5), (8.0, 5.6)], [0.22, 0.22, 0.18])
    jaw = [(0.9, 3.2), (1.4, 6.6), (2.6, 9.0), (5.2, 10.4), (7.9, 10.2)]
    for offset in (0.0, 0.22):
        line = [(px + offset, py + offset / 2) for px, py in jaw]
        shell = c.tube(line, [0.85, 1.0, 1.15, 1.2, 0.95], shell=[0.2, 0.24, 0.3, 0.3, 0.3])
        body.bone += 0.62 * shell + 0.1 * lattice * np.maximum(c.tube(line, [0.8, 0.95, 1.1, 1.15, 0.9]) - shell, 0)
    for number in range(8):
        px = 3.0 + 0.66 * number
        for up in (-1, 1):
            root = (px + 0.12 * up, 7.05 + up * (1.55 - 0.02 * number))
            crown = (px + 0.05, 7.05 + up * 0.28)
            size = 0.36 if number < 4 else 0.27
            body.bone += 0.85 * c.tube([crown, root], [size, 0.42 * size]) - 0.5 * c.tube([crown, root], [0.1, 0.05])
            body.bone += 0.9 * c.ellipsoid((crown[0], crown[1] + up * 0.12), (size, 0.36, size))
    for number in range(6):
        cx, cy = -2.6 - 0.28 * number, 5.2 + 1.75 * number
        body.bone += c.slab((cx, cy), (1.7, 1.35), 1.5, edge=0.2, degrees=8) * (0.3 + 0.25 * lattice)
        body.bone += 0.8 * c.tube(
            [(cx - 1.2, cy), (cx - 2.6, cy + 0.5), (cx - 3.6, cy + 0.9)], [0.5, 0.3, 0.4], shell=[0.14] * 2
        )
    face = c.ellipsoid((3.2, 4.8), (6.2, 7.4, 5.6), degrees=-6)
    nose = 0.35 * c.ellipsoid((9.0, 2.9), (1.5, 2.4, 1.4), degrees=-20)
    neck = c.slab((-2.6, 12.5), (10.5, 18), 10, edge=3.5, degrees=6)
    scalp = c.ellipsoid((-1.6, -3.6), (10.3, 8.9, 7.9), degrees=-8)
    soft = np.maximum.reduce([scalp, face, np.float32(0.8) * neck, nose]) * np.float32(0.92)
    sinus = (
        1.5 * c.ellipsoid((5.5, 3.6), (1.9, 1.5, 1.4))
        + 1.1 * c.ellipsoid((7.6, -1.7), (0.7, 1.0, 1.0))
        + c.ellipsoid((3.6, 1.9), (0.9, 0.7, 0.9))
    )
    airway = c.tube([(3.0, 4.2), (1.0, 6.2), (0.3, 9.5), (-0.4, 14)], [0.8, 0.75, 0.7, 0.7])
    cells = c.ellipsoid((-2.6, 3.9), (1.4, 1.2, 0.9)) * (
        0.5 + 0.5 * np.maximum(fractal(c.shape, 0.3 / c.pixel, body.random), 0)
    )
    mouth = c.tube([(3.2, 7.0), (8.8, 7.05)], [0.3, 0.22])
    body.soft += np.maximum(
        cv2.GaussianBlur(soft, (0, 0), 0.1 / c.pixel)
        + 0.02 * brain
        - 0.8 * sinus
        - 1.4 * airway
        - 0.6 * cells
        - 0.5 * mouth,
        0,
    )
    np.maximum(body.bone, 0, out=body.bone)


__all__ = ["skull"]
