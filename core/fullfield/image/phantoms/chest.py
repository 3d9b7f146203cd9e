"""A frontal chest."""

from __future__ import annotations

import numpy as np

from fullfield.image.phantoms.body import Body
from fullfield.image.phantoms.shapes import Plane, Point, fractal


def chest(body: Body) -> None:
    """A frontal chest: lungs with vessels, heart, spine, ribs, clavicles, diaphragm; 40 cm wide."""
    c, r = body.canvas, body.random
    x, y = c.x, c.y
    trunk = c.ellipsoid((0, 6), (19.5, 34, 10.5)) + 0.35 * c.ellipsoid((0, 22), (18, 22, 10))
    neck = c.ellipsoid((0, -22), (6.2, 12, 5.6))
    shoulders = c.ellipsoid((-14.5, -13), (10, 6.5, 5.5), degrees=20) + c.ellipsoid(
        (14.5, -13), (10, 6.5, 5.5), degrees=-20
    )
    arms = c.ellipsoid((-21.5, 4), (4.2, 22, 4.4), degrees=-4) + c.ellipsoid((21.5, 4), (4.2, 22, 4.4), degrees=4)
    soft = np.maximum.reduce([trunk, neck, shoulders, arms])
    soft += 0.45 * c.ellipsoid((-8.5, 6.5), (7.2, 6.4, 3.2)) + 0.45 * c.ellipsoid((8.7, 6.5), (7.2, 6.4, 3.2))

    heart = c.ellipsoid((3.1, 5.6), (6.6, 5.2, 4.4), degrees=35) + 0.8 * c.ellipsoid((-1.9, 4.4), (3.2, 5.0, 3.2))
    aorta = c.tube([(1.2, -7), (2.6, -6.2), (2.4, -2), (1.6, 8)], [1.2, 1.4, 1.3, 1.1])
    lungs = np.zeros(c.shape, np.float32)
    for side, top in ((-1, 8.6), (1, 9.9)):
        lung = np.maximum(
            c.ellipsoid((side * 8.2, 4), (6.3, 19, 8.0), degrees=-side * 7),
            c.ellipsoid((side * 6.6, -8), (4.6, 8, 5.6)),
        )
        dome = top + 0.06 * (x - side * 7.6) ** 2
        lungs += lung * np.clip((dome - y) / np.float32(0.35), 0, 1) * np.clip((np.abs(x) - 2.1) / 0.5, 0, 1)
    air = np.maximum(lungs - heart * 0.95 - aorta * 0.7, 0)
    parenchyma = 1 + 0.035 * fractal(c.shape, 1.4 / c.pixel, r, octaves=5)
    soft -= 0.76 * air * parenchyma
    soft -= 1.2 * c.tube([(0, -19), (0.2, -11), (0.5, -4.2)], [0.85, 0.85, 0.8])
    soft -= 0.85 * c.tube([(0.5, -4.4), (-2.4, -1.2)], [0.65, 0.5]) + 0.85 * c.tube(
        [(0.5, -4.4), (3.4, -1)], [0.6, 0.5]
    )
    soft -= 0.9 * c.ellipsoid((8.2, 15.0), (3.0, 2.0, 3.0), degrees=-12)
    vessels = np.zeros(c.shape, np.float32)
    for side in (-1, 1):
        for angle in np.linspace(-80, 80, 9):
            turn = float(np.deg2rad(angle))
            root = (side * (2.6 + 1.0 * float(np.cos(turn))), 0.4 + 1.6 * float(np.sin(turn)))
            _branch(body, vessels, root, turn, side, 0.4, 3.8, 4)
    soft += vessels * np.clip(air / 3, 0, 1)

    lattice = body.spongy(0.11)
    sway = 0.25
    for number, level in enumerate(np.arange(-18.5, 24, 2.4)):
        width, at, middle = 1.45 + 0.05 * number, float(level), sway * float(np.sin(level / 7))
        body.bone += c.slab((middle, at), (2 * width, 1.75), 1.5, edge=0.55) * (0.1 * lattice + 0.2)
        for rim in (-0.8, 0.8):
            body.bone += c.slab((middle, at + rim), (1.9 * width, 0.2), 0.35, edge=0.3)
        for side in (-1, 1):
            body.bone += 0.35 * c.ellipsoid((middle + side * (width - 0.45), at - 0.25), (0.3, 0.45, 0.5))
            body.bone += 0.3 * c.tube(
                [(middle, at), (middle + side * (width + 1.1), at - 0.5)], [0.4, 0.32], shell=[0.12] * 2
            )
        body.bone += 0.35 * c.ellipsoid((middle, at + 0.75), (0.25, 0.8, 0.5))
    for number in range(10):
        start, drop = -14.6 + 2.4 * number, 1.5 + 0.42 * number
        outer = 13.6 * float(np.sqrt(max(1 - ((start + 2 * drop - 9) / 28) ** 2, 0.05))) + 0.4
        for side in (-1, 1):
            line = [(1.7, start - 0.3), (0.42 * outer, start - 0.8), (0.8 * outer, start + 0.5 * drop)]
            line += [(outer, start + 2 * drop)]
            if number < 7:  # the lower ones end in the flank
                line += [(0.88 * outer, start + 3.1 * drop), (0.55 * outer, start + 3.5 * drop)]
            tube = [(side * px, py) for px, py in line]
            radii = [0.52 + 0.02 * place for place in range(len(tube))]
            shell = c.tube(tube, radii, shell=[0.13, 0.12, 0.1, 0.07])
            body.bone += 0.8 * shell + 0.12 * np.maximum(c.tube(tube, radii) - shell, 0) * lattice
    for side in (-1, 1):
        line = [(side * 1.7, -11.4), (side * 5.5, -12.6), (side * 10, -14.6), (side * 15.2, -14.8)]
        body.bone += 0.8 * c.tube(line, [0.75, 0.6, 0.6, 0.7], shell=[0.12, 0.2, 0.12])
        body.bone += 0.16 * c.slab((side * 13.4, -6.5), (5.2, 11), 1.0, edge=1.0, degrees=side * 14) * lattice
        body.bone += 0.7 * c.tube([(side * 11.9, -12.0), (side * 13.6, -6), (side * 11.4, -1.2)], [0.35] * 3)
        body.long_bone((side * 18.4, -11.5), (side * 21.6, 16), 1.15, (2.0, 1.6), wall=0.42, lattice=lattice)
    body.soft += np.maximum(soft, 0)
    body.marker("L", (15.5, -15.5), 1.7)


def _branch(
    body: Body, vessels: Plane, start: Point, angle: float, side: int, radius: float, length: float, depth: int
) -> None:
    """A vessel and its branches, drawn into `vessels`."""
    if depth == 0 or radius < 0.05:
        return
    bend = angle + float(body.random.normal(0, 0.18))
    end = (start[0] + side * length * float(np.cos(bend)), start[1] + length * float(np.sin(bend)))
    middle = ((start[0] + end[0]) / 2 + float(body.random.normal(0, 0.12)), (start[1] + end[1]) / 2)
    vessels += body.canvas.tube([start, middle, end], [radius, 0.85 * radius, 0.7 * radius])
    for turn in (-0.42, 0.38):
        turned = bend + turn + float(body.random.normal(0, 0.12))
        _branch(body, vessels, end, turned, side, 0.66 * radius, 0.74 * length, depth - 1)


__all__ = ["chest"]
