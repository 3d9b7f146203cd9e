"""A lumbar and a cervical spine, both from the side."""

from __future__ import annotations

import cv2
import numpy as np

from fullfield.data.scenes.outlines import bone, organ
from fullfield.data.scenes.texture import net, power_law
from fullfield.image.phantoms.body import Body
from fullfield.image.phantoms.shapes import Plane, Point


def lumbar(body: Body) -> None:
    """A lumbar spine from the side, with sacrum, crests, the lowest ribs and the lungs' ends; 42 × 24 cm."""
    c, r = body.canvas, body.random
    lattice = net(c.shape, 0.12 / c.pixel, r)
    trunk = organ(c, [(-16, -44), (7.5, -44), (7.9, -10), (7.2, 0), (9, 10), (11.5, 44), (-24, 44), (-24, -44)], 11.0)
    soft = cv2.GaussianBlur(trunk, (0, 0), 0.3 / c.pixel) * (1 + 0.015 * power_law(c.shape, 3.2, 5 / c.pixel, r))
    lung = organ(c, [(-24, -40), (5.4, -40), (5.0, -14), (2.5, -12.2), (-2, -14.5), (-8, -17), (-24, -18)], 4.0)
    gas = c.ellipsoid((-8, -6), (2.6, 1.9, 2.2)) + c.ellipsoid((-9.5, 2), (1.9, 3.2, 1.8), degrees=20)
    body.soft += np.maximum(soft - np.float32(0.75) * lung - gas, 0)
    place, turn = np.array([0.6, -22.0]), 8.0
    for number in range(8):
        size = 1.75 + 0.06 * number
        turn -= (2.0, 3.0, 3.0, 1.5, -2.0, -5.0, -8.0, -10.0)[number]
        _vertebra(body, (float(place[0]), float(place[1])), size, 1.5, turn, lattice, spine=3.0)
        angle = np.deg2rad(turn)
        place += 3.75 * np.array([-np.sin(angle), np.cos(angle)])
    x, y = float(place[0]), float(place[1])
    sacrum = [(-2.6, -2.3), (1.0, -1.0), (3.2, 1.4), (5.4, 4.4), (6.9, 8.0), (7.0, 11), (6.0, 9.6), (3.4, 6.4)]
    bone(body, [(x + px, y + py) for px, py in (*sacrum, (0.2, 3.4), (-2.0, 0.6))], 1.3, wall=0.11, lattice=lattice)
    for shift in (0.0, 0.6):
        crest = [(x - 5.4 + shift, y + 6), (x - 4.2, y - 1.4 + shift), (x - 0.6, y - 3.6 + shift), (x + 3.4, y - 1.6)]
        body.bone += np.float32(0.55) * c.tube([*crest, (x + 4.6, y + 2.6)], [0.5] * 5, shell=[0.13] * 2)
        line = [(4.6, -20 + shift), (0.5, -15.5 + shift), (-5.5, -12 + 2 * shift)]
        body.bone += np.float32(0.7) * c.tube(line, [0.6, 0.55, 0.45], shell=[0.13] * 2)
        line = [(4.9, -16.5 + shift), (1.6, -11.5 + shift), (-3.2, -8.5 + 2 * shift)]
        body.bone += np.float32(0.7) * c.tube(line, [0.55, 0.5, 0.4], shell=[0.13] * 2)


def cervical(body: Body) -> None:
    """A cervical spine from the side, with the skull's base, the jaw and the airway; 24 × 18 cm."""
    c, r = body.canvas, body.random
    lattice = net(c.shape, 0.1 / c.pixel, r)
    neck = organ(
        c,
        [
            (-5.4, -26),
            (7.8, -26),
            (6.4, -8.5),
            (5.4, -2),
            (6.8, 5),
            (9.5, 24),
            (-9.5, 24),
            (-5.6, 7.5),
            (-4.4, 1),
            (-4.6, -2.5),
            (-8.0, -3.9),
            (-9.4, -6),
            (-9.0, -26),
        ],
        5.2,
    )
    soft = cv2.GaussianBlur(np.float32(0.95) * neck, (0, 0), 0.15 / c.pixel)
    shoulder = organ(c, [(-9.5, 8.0), (-2, 6.8), (5, 6.4), (9.6, 9), (9.6, 26), (-9.6, 26)], 3.2)
    airway = c.tube(
        [(-3.4, -6.5), (-1.9, -4.6), (-2.1, -1), (-2.9, 1.6), (-3.4, 5), (-3.3, 14)], [0.8, 0.75, 0.85, 0.7, 0.8, 0.85]
    )
    body.soft += np.maximum(soft + np.float32(1.2) * shoulder - np.float32(1.3) * airway, 0)
    vault = [(9, -16), (8.0, -8.6), (5.2, -6.6), (2.2, -7.2), (0.6, -8.2), (-1.5, -9.6), (-4.0, -12)]
    for shift in (0.0, 0.28):
        line = [(x + shift, y - shift) for x, y in vault]
        body.bone += np.float32(1.3) * c.tube(line, [0.36, 0.38, 0.3, 0.4, 0.4, 0.35, 0.3])
        jaw = [(-0.6, -8.2), (-1.6, -5.2), (-3.4, -3.4), (-8.8, -3.6)]
        line = [(x + shift, y + shift) for x, y in jaw]
        body.bone += np.float32(0.75) * c.tube(line, [0.8, 1.0, 1.1, 1.2], shell=[0.18, 0.26, 0.28])
    for number in range(4):
        for up in (-1, 1):
            crown = (-5.2 - 0.85 * number, -6.3 + 0.35 * up)
            body.bone += np.float32(1.1) * c.tube([crown, (crown[0], crown[1] + 1.5 * up)], [0.42, 0.2])
    body.bone += c.ellipsoid((2.0, -7.9), (1.6, 1.0, 1.6), degrees=20) * np.float32(0.4) * lattice
    _atlas(body, lattice)
    place, turn = np.array([0.35, -3.4]), 10.0
    for number in range(6):
        turn -= (2, 3, 4, 4, 3, 2)[number]
        _vertebra(
            body,
            (float(place[0]), float(place[1])),
            0.82 + 0.03 * number,
            0.66,
            turn,
            lattice,
            spine=1.7 + 0.25 * number,
        )
        angle = np.deg2rad(turn)
        place += 1.82 * np.array([-np.sin(angle), np.cos(angle)])
    body.bone += np.float32(0.35) * c.tube([(-3.9, 0.4), (-2.4, 0.9)], [0.22, 0.16])


def _atlas(body: Body, lattice: Plane) -> None:
    """The two uppermost vertebrae: the ring, and the dens behind its front arch."""
    bone(body, [(-0.9, -6.2), (-0.4, -6.5), (-0.2, -5.7), (-0.7, -5.4)], 0.4, wall=0.1, lattice=lattice, sponge=0.4)
    bone(body, [(0.0, -6.6), (0.5, -6.7), (1.0, -4.6), (1.1, -3.9), (-0.3, -3.9)], 0.5, wall=0.1, lattice=lattice)
    line = [(0.4, -5.5), (2.2, -5.4), (3.6, -5.2)]
    body.bone += np.float32(0.8) * body.canvas.tube(line, [0.42, 0.3, 0.5], shell=[0.1] * 2)


def _vertebra(body: Body, at: Point, half: float, tall: float, degrees: float, lattice: Plane, *, spine: float) -> None:
    """A vertebra from the side, its front to the left: `half` its body's depth and `tall` half its height; `spine`: how
    long its spinous process is."""
    angle = np.deg2rad(degrees)
    cosine, sine = float(np.cos(angle)), float(np.sin(angle))

    def turned(points: list[Point]) -> list[Point]:
        return [(at[0] + x * cosine - y * sine, at[1] + x * sine + y * cosine) for x, y in points]

    waist = [(-half, -tall), (0.0, -0.94 * tall), (half, -tall), (0.9 * half, 0.0), (half, tall), (0.0, 0.94 * tall)]
    wall = 0.055 + 0.025 * half
    bone(
        body, turned([*waist, (-half, tall), (-0.88 * half, 0.0)]), 1.1 * half, wall=wall, lattice=lattice, sponge=0.17
    )
    for side in (-1, 1):
        edge = turned([(-half, side * 0.99 * tall), (0, side * 0.94 * tall), (half, side * 0.99 * tall)])
        body.bone += np.float32(3.0 * half) * body.canvas.tube(edge, [0.06] * 3)
    arch = turned([(half, -0.45 * tall), (half + 0.5 * spine, -0.2 * tall)])
    body.bone += np.float32(0.8) * body.canvas.tube(arch, [0.36 * tall, 0.4 * tall], shell=[0.1 * tall] * 2)
    facet = turned([(half + 0.3 * spine, -1.15 * tall), (half + 0.42 * spine, 0.0), (half + 0.36 * spine, 1.1 * tall)])
    body.bone += np.float32(0.6) * body.canvas.tube(facet, [0.3 * tall] * 3, shell=[0.1 * tall] * 2)
    process = [(half + 0.4 * spine, -0.1 * tall), (half + 0.8 * spine, 0.1 * tall), (half + 1.25 * spine, 0.75 * tall)]
    rest = [(half + 1.15 * spine, 1.15 * tall), (half + 0.6 * spine, 0.75 * tall)]
    bone(body, turned([*process, *rest]), 0.3, wall=0.09, lattice=lattice, sponge=0.2)


__all__ = ["cervical", "lumbar"]
