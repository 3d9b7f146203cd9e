"""An abdomen and a pelvis from the front."""

from __future__ import annotations

import cv2
import numpy as np

from fullfield.data.scenes.outlines import bone, cut, organ
from fullfield.data.scenes.texture import dead_leaves, net, power_law
from fullfield.image.phantoms.body import Body
from fullfield.image.phantoms.shapes import Plane, Point


def abdomen(body: Body) -> None:
    """An abdomen from the front: lumbar spine, lowest ribs, iliac crests, psoas, kidneys, liver, gas; 42 × 35 cm."""
    c, r = body.canvas, body.random
    lattice = net(c.shape, 0.12 / c.pixel, r)
    trunk = organ(
        c,
        [
            (-15.5, -44),
            (15.5, -44),
            (14.6, -5),
            (15.2, 4),
            (17.2, 14),
            (17, 44),
            (-17, 44),
            (-17.2, 14),
            (-15.2, 4),
            (-14.6, -5),
        ],
        9.5,
    )
    soft = cv2.GaussianBlur(trunk, (0, 0), 0.3 / c.pixel)
    soft *= 1 + 0.02 * power_law(c.shape, 3.2, 6 / c.pixel, r)
    flank = organ(
        c, [(-13.4, -44), (13.4, -44), (12.6, -4), (13.4, 6), (14.8, 28), (-14.8, 28), (-13.4, 6), (-12.6, -4)], 1.2
    )
    soft += np.float32(0.18) * flank
    liver = organ(c, [(-13, -19), (-2, -19), (2.5, -15), (-2, -10), (-8, -5.5), (-12, -1), (-13.4, -8)], 2.4)
    spleen = organ(c, [(9.5, -17), (12.6, -15), (12.6, -9.5), (10, -10)], 1.5)
    soft += np.float32(0.16) * (liver + spleen)
    for side in (-1, 1):
        soft += np.float32(0.2) * c.ellipsoid((side * 6.6, -6 + 0.8 * (side < 0)), (2.9, 5.6, 2.6), degrees=side * 14)
        psoas = [(side * 1.6, -9), (side * 3.2, -3), (side * 6.2, 6), (side * 7.4, 13), (side * 4.4, 13)]
        soft += np.float32(0.16) * organ(c, [*psoas, (side * 2.2, 4)], 1.8)
    soft -= np.float32(0.85) * _gas(body)
    body.soft += np.maximum(soft, 0)
    _lumbar(body, lattice, top=-22.0)
    for side in (-1, 1):
        for number in range(3):
            y = -17.5 + 2.9 * number
            line = [(side * 1.9, y), (side * 6, y + 0.6), (side * (10.5 - 1.2 * number), y + 3.6 - 0.3 * number)]
            shell = c.tube(line, [0.5, 0.55, 0.45], shell=[0.12, 0.12])
            body.bone += np.float32(0.8) * shell + 0.1 * np.maximum(c.tube(line, [0.48, 0.53, 0.43]) - shell, 0)
    _ilium(body, lattice, y=17.0)


def pelvis(body: Body) -> None:
    """A pelvis with both hips: 35 × 43 cm."""
    c, r = body.canvas, body.random
    lattice = net(c.shape, 0.12 / c.pixel, r, stretch=1.8)
    hips = organ(
        c,
        [
            (-15.5, -34),
            (15.5, -34),
            (18.4, -4),
            (19.6, 4),
            (19, 36),
            (1.6, 36),
            (0, 11.5),
            (-1.6, 36),
            (-19, 36),
            (-19.6, 4),
            (-18.4, -4),
        ],
        8.5,
    )
    soft = cv2.GaussianBlur(hips, (0, 0), 0.25 / c.pixel)
    soft *= 1 + 0.015 * power_law(c.shape, 3.2, 5 / c.pixel, r)
    muscle = organ(
        c, [(-12, -34), (12, -34), (15, 0), (15.5, 36), (3.6, 36), (0, 13), (-3.6, 36), (-15.5, 36), (-15, 0)], 1.5
    )
    soft += np.float32(0.16) * muscle - np.float32(0.7) * _gas(body, low=-16, high=3, across=6)
    body.soft += np.maximum(soft, 0)
    _lumbar(body, lattice, top=-23.0, count=3)
    _ilium(body, lattice, y=-4.0)
    sacrum = [(-5.2, -11), (-2.4, -12.4), (2.4, -12.4), (5.2, -11), (4.6, -7.5), (2.4, -3.2), (0.8, 0.6), (-0.8, 0.6)]
    bone(body, [*sacrum, (-2.4, -3.2), (-4.6, -7.5)], 0.9, wall=0.1, lattice=lattice, sponge=0.16)
    for side in (-1, 1):
        for number in range(4):
            x, y = side * (2.3 - 0.25 * number), -9.6 + 2.1 * number
            ring = [(x - 0.5, y), (x, y - 0.45), (x + 0.5, y), (x, y + 0.45)]
            cut(body, ring, 0.4)
            body.bone += np.float32(0.5) * c.tube([(x - 0.6, y - 0.2), (x, y - 0.55), (x + 0.6, y - 0.2)], [0.1] * 3)
        socket = [(side * 8.3, -2.4), (side * 11.2, -2.0), (side * 12.6, 0.6), (side * 11.6, 1.0), (side * 9.2, 3.6)]
        bone(body, [*socket, (side * 7.2, 4.4), (side * 6.2, 1.6)], 0.95, wall=0.14, lattice=lattice, sponge=0.15)
        ramus = [(side * 6.6, 2.6), (side * 3.6, 4.2), (side * 0.9, 5.4), (side * 0.6, 7.6), (side * 2.2, 9.6)]
        line = [*ramus, (side * 4.8, 11.6), (side * 7.2, 11.4), (side * 8.2, 8.8), (side * 7.6, 5.0)]
        radii = [1.05, 0.8, 0.9, 0.95, 0.75, 0.95, 1.15, 1.0, 1.0]
        shell = c.tube(line, radii, shell=[0.16] * 4)
        inner = np.maximum(c.tube(line, [0.95 * one for one in radii]) - shell, 0)
        body.bone += np.float32(0.9) * shell + np.float32(0.13) * inner * lattice
        _hip(body, side, lattice)
    cut(body, [(-0.25, 5.0), (0.25, 5.0), (0.25, 8.4), (-0.25, 8.4)], 0.8)


def _hip(body: Body, side: int, lattice: Plane) -> None:
    """A femur's head, neck, trochanters and shaft."""
    c = body.canvas
    head = [(9.2, 2.9), (8.6, 1.4), (9.3, -0.3), (10.9, -0.7), (12.3, 0.4), (13.4, 1.9), (15.0, 1.9), (15.9, 3.4)]
    rest = [(15.4, 6.0), (15.0, 10), (14.6, 22), (11.7, 22), (11.9, 12), (11.5, 9.0), (10.9, 8.2), (11.7, 6.6)]
    points: list[Point] = [(side * x, y) for x, y in (*head, *rest, (11.4, 5.2), (10.4, 3.7))]
    bone(body, points, 1.6, wall=0.12, lattice=lattice, sponge=0.16)
    line = [(side * 13.6, 8.2), (side * 13.4, 13), (side * 13.15, 22)]
    body.bone += c.tube(line, [1.75, 1.5, 1.42], shell=[0.0, 0.5, 0.62])
    body.bone += np.float32(0.12) * c.tube([(side * 12.2, 6.8), (side * 10.6, 1.6)], [0.9, 1.1]) * lattice


def _ilium(body: Body, lattice: Plane, *, y: float) -> None:
    """Both iliac wings; `y`: of the sockets' upper rims."""
    for side in (-1, 1):
        wing = [(4.7, -6.8), (6.6, -9.6), (10, -11), (13.6, -9.2), (14.6, -6.0), (13.2, -2.6), (12.2, 0.4), (10.4, 3.0)]
        points = [(side * px, y + py) for px, py in (*wing, (7.4, 4.4), (6.2, 1.6), (5.8, -2.2))]
        bone(body, points, 0.42, wall=0.13, lattice=lattice, sponge=0.2)
        crest = [(side * px, y + py) for px, py in wing[:6]]
        body.bone += np.float32(0.6) * body.canvas.tube(crest, [0.35, 0.42, 0.5, 0.5, 0.42, 0.3], shell=[0.14] * 2)
        brim = [(side * px, y + py) for px, py in ((4.9, -5.6), (6.2, -1), (6.6, 3), (5.0, 7.6), (2.0, 9.2))]
        body.bone += np.float32(0.4) * body.canvas.tube(brim, [0.18] * 5)


def _lumbar(body: Body, lattice: Plane, *, top: float, count: int = 9) -> None:
    """Vertebrae from the front, with pedicles, transverse and spinous processes; 3.6 centimetres each."""
    for number in range(count):
        y, half = top + 3.65 * number, 2.1 + 0.07 * number
        sway = 0.25 * float(np.sin(number / 3))
        waist = [(-half, -1.3), (0, -1.38), (half, -1.3), (0.86 * half, 0), (half, 1.3), (0, 1.38), (-half, 1.3)]
        points = [(sway + px, y + py) for px, py in (*waist, (-0.86 * half, 0))]
        bone(body, points, 1.45, wall=0.08, lattice=lattice, sponge=0.13)
        for side in (-1, 1):
            body.bone += np.float32(0.5) * body.canvas.tube(
                [
                    (sway + side * 0.62 * half + dx, y - 0.5 + dy)
                    for dx, dy in ((0, -0.6), (0.32, 0), (0, 0.6), (-0.32, 0))
                ],
                [0.14] * 4,
            )
            wing = [(sway + side * half * 0.8, y - 0.2), (sway + side * (half + 1.9), y - 0.5)]
            body.bone += np.float32(0.55) * body.canvas.tube(wing, [0.5, 0.32], shell=[0.12] * 2)
        spine = [
            (sway - 0.25, y + 0.2),
            (sway, y - 0.4),
            (sway + 0.25, y + 0.2),
            (sway + 0.2, y + 1.9),
            (sway - 0.2, y + 1.9),
        ]
        bone(body, spine, 0.7, wall=0.12, lattice=lattice, sponge=0.3)


def _gas(body: Body, *, low: float = -14.0, high: float = 14.0, across: float = 12.0) -> Plane:
    """Gas in the bowel: chains of bubbles that press into each other, and the mottle of stool."""
    c, r = body.canvas, body.random
    gas = np.zeros(c.shape, np.float32)
    for _ in range(int(r.integers(7, 14))):
        x, y, turn = r.uniform(-across, across), r.uniform(low, high), r.uniform(0, 2 * np.pi)
        for _ in range(int(r.integers(3, 9))):
            radii = (r.uniform(0.8, 1.9), r.uniform(0.8, 1.6), r.uniform(0.6, 1.6))
            np.maximum(gas, c.ellipsoid((x, y), radii, degrees=float(np.rad2deg(turn))), out=gas)
            turn += r.normal(0, 0.5)
            x, y = x + 1.5 * float(np.cos(turn)), y + 1.5 * float(np.sin(turn))
    x, y = r.choice([-1, 1]) * r.uniform(0.5, 0.9) * across, r.uniform(low, high)
    place = c.ellipsoid((float(x), float(y)), (2.6, 4.8, 1.0))
    mottle = np.maximum(dead_leaves(c.shape, 0.1 / c.pixel, 0.6 / c.pixel, r), 0)
    result: Plane = gas + np.float32(0.35) * place * cv2.GaussianBlur(mottle, (0, 0), 0.05 / c.pixel)
    return result


__all__ = ["abdomen", "pelvis"]
