"""A panoramic radiograph of the jaws: 15 × 30 cm."""

from __future__ import annotations

import cv2
import numpy as np

from fullfield.data.scenes.outlines import bone
from fullfield.data.scenes.texture import net, power_law
from fullfield.image.phantoms.body import METAL, Body
from fullfield.image.phantoms.shapes import Plane

_WIDTHS = (0.85, 0.65, 0.78, 0.72, 0.72, 1.08, 1.05, 0.95)  # crowns, from the middle, in centimetres


def jaws(body: Body) -> None:
    """Both jaws unrolled: mandible, condyles, teeth with enamel, dentine, pulp and fillings, sinuses, palate, spine."""
    c, r = body.canvas, body.random
    x, y = c.x, c.y
    lattice = net(c.shape, 0.1 / c.pixel, r, stretch=0.7)
    face = np.clip((np.float32(15.2) - np.abs(x)) / np.float32(3.0), 0, 1) * np.clip((np.float32(7.6) - y) / 2, 0, 1)
    soft = np.float32(9.0) * face * (1 + 0.03 * power_law(c.shape, 3.0, 3 / c.pixel, r))
    soft += np.float32(3.5) * np.exp(-((x / np.float32(1.5)) ** 2))  # the spine's ghost
    for side in (-1, 1):
        soft -= np.float32(1.7) * c.tube([(side * 3.2, -1.0), (side * 7.8, -0.7), (side * 11.5, 1.4)], [1.0, 0.9, 0.9])
        soft -= np.float32(1.9) * c.ellipsoid((side * 4.6, -3.2), (2.5, 1.7, 1.2), degrees=side * 8)
        body.bone += np.float32(0.7) * c.tube(
            [(side * 2.2, -3.0), (side * 3.0, -1.7), (side * 5.2, -1.5), (side * 7.0, -2.6), (side * 7.2, -4.6)],
            [0.09] * 5,
        )
        body.bone += np.float32(0.5) * c.tube([(side * 7.2, -5.2), (side * 9.8, -4.7), (side * 12.6, -4.9)], [0.3] * 3)
        body.bone += np.float32(0.8) * c.tube(
            [(side * 10.0, -6.4), (side * 11.2, -5.7), (side * 12.7, -6.2)], [0.35] * 3
        )
    soft -= np.float32(1.4) * c.tube([(0.6, -6.5), (0.6, -3.2)], [0.55, 0.5])
    soft -= np.float32(1.4) * c.tube([(-0.6, -6.5), (-0.6, -3.2)], [0.55, 0.5])
    body.bone += np.float32(0.8) * c.tube([(-7.4, -1.9), (-3, -2.3), (0, -2.2), (3, -2.3), (7.4, -1.9)], [0.12] * 5)
    alveolar = [(-8.0, -1.2), (-5, -2.0), (0, -2.4), (5, -2.0), (8.0, -1.2), (6.6, -0.2), (3, 0.7), (0, 0.9), (-3, 0.7)]
    bone(body, [*alveolar, (-6.6, -0.2)], 0.7, wall=0.06, lattice=lattice, sponge=0.35)
    half = [(0.0, 6.2), (3.0, 6.1), (6.2, 5.4), (8.8, 4.0), (10.4, 2.2), (11.6, -1.0), (12.1, -4.2), (12.3, -5.6)]
    back = [(11.6, -6.1), (10.9, -5.4), (10.9, -4.0), (9.9, -2.9), (9.0, -4.3), (8.7, -3.2), (8.8, 0.4), (7.9, 1.6)]
    right = [*half, *back, (5.2, 2.5), (2.4, 2.9)]
    points = [*right, (0.0, 3.0), *[(-px, py) for px, py in right[:0:-1]]]
    bone(body, points, 0.75, wall=0.2, lattice=lattice, sponge=0.28)
    for side in (-1, 1):
        canal = [(side * 9.9, -1.4), (side * 9.0, 2.4), (side * 7.2, 4.2), (side * 4.6, 4.6)]
        body.bone *= 1 - np.float32(0.5) * np.clip(c.tube(canal, [0.16] * 4) / np.float32(0.32), 0, 1)
        for upper in (True, False):
            _row(body, side, upper=upper)
    body.soft += np.maximum(cv2.GaussianBlur(soft, (0, 0), 0.1 / c.pixel), 0)
    np.maximum(body.bone, 0, out=body.bone)


def _row(body: Body, side: int, *, upper: bool) -> None:
    """A quadrant's teeth along the bite; now and then one is missing, filled or crowned."""
    random = body.random
    at = 0.06
    for number, width in enumerate(_WIDTHS):
        size = width * (1.0 if upper or number > 2 else 0.72)
        x = side * (at + size / 2)
        at += 1.02 * size
        if random.random() < (0.5 if number == 7 else 0.05):
            continue
        bite = 1.1 + 0.9 * ((abs(x) - 3.0) / 7.0) ** 2 * (-1 if abs(x) > 3 else 0.3)
        _tooth(body, x, bite, size, -1 if upper else 1, lean=side * random.normal(0.03, 0.05), molar=number > 4)


def _tooth(body: Body, x: float, bite: float, size: float, down: int, *, lean: float, molar: bool) -> None:
    c, random = body.canvas, body.random
    neck, tip = bite + down * 0.95, bite + down * random.uniform(2.2, 2.6)
    half = size / 2
    middle = x + lean * 1.2
    for shift in (-0.27 * size, 0.27 * size) if molar else (0.0,):
        radius = 0.22 * size if molar else 0.36 * size
        root = [(x + shift, neck + down * 0.1), (middle + 1.2 * shift, tip)]
        body.bone *= 1 - np.float32(0.75) * np.clip(
            c.tube(root, [radius + 0.05, 0.5 * radius]) / np.float32(radius), 0, 1
        )
        body.bone += np.float32(0.95) * c.tube(root, [radius, 0.35 * radius])
        body.bone -= np.float32(0.7) * c.tube(root, [0.07, 0.03])
    crown = [(x - 0.92 * half, bite + down * 0.16), (x, bite + down * (0.2 if molar else 0.06))]
    crown += [(x + 0.92 * half, bite + down * 0.16), (x + half, bite + down * 0.5), (x + 0.8 * half, neck)]
    bone(
        body,
        [*crown, (x - 0.8 * half, neck), (x - half, bite + down * 0.5)],
        0.42,
        wall=0.11,
        lattice=_one(c.shape),
        sponge=0.75,
    )
    body.bone += np.float32(0.35) * c.tube(
        [(x - 0.8 * half, bite + down * 0.2), (x + 0.8 * half, bite + down * 0.2)], [0.1] * 2
    )
    body.bone -= np.float32(0.5) * c.ellipsoid((x, bite + down * 0.75), (0.25 * half, 0.25, 0.16))
    chance = random.random()
    if chance < 0.12:
        body.bone += np.float32(0.12 * METAL) * (c.ellipsoid((x, bite + down * 0.3), (0.45 * half, 0.18, 1)) > 0.4)
    elif chance < 0.16:
        body.bone += np.float32(0.15 * METAL) * (c.ellipsoid((x, bite + down * 0.5), (0.98 * half, 0.5, 1)) > 0.3)
    elif chance < 0.2:
        body.bone += np.float32(0.1 * METAL) * (c.tube([(x, neck), (middle, tip - 0.2 * down)], [0.06, 0.03]) > 0.02)


def _one(shape: tuple[int, int]) -> Plane:
    return np.broadcast_to(np.float32(1), shape)


__all__ = ["jaws"]
