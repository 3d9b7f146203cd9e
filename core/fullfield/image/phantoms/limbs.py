"""A hand, and a dog's forelimb."""

from __future__ import annotations

import cv2
import numpy as np

from fullfield.image.phantoms.body import Body, point
from fullfield.image.phantoms.shapes import Plane, fractal


def hand(body: Body) -> None:
    """A hand, palm down, with wrist: 19 × 24 cm."""
    c = body.canvas
    fine, coarse = body.spongy(0.055), body.spongy(0.08)
    fingers = [
        ((-2.5, 5.0), -38, (3.5, 2.5, 1.7), 0.33),
        ((-1.5, 4.7), -9, (5.6, 3.2, 1.75, 1.1), 0.34),
        ((-0.4, 4.5), -1.5, (5.4, 3.6, 2.15, 1.2), 0.35),
        ((0.6, 4.6), 6, (4.8, 3.3, 2.0, 1.2), 0.32),
        ((1.5, 4.9), 14, (4.4, 2.5, 1.35, 1.0), 0.28),
    ]
    skin: list[Plane] = []
    for root, degrees, lengths, shaft in fingers:
        heading = np.array([np.sin(np.deg2rad(degrees)), -np.cos(np.deg2rad(degrees))])
        place = np.array(root)
        path, widths = [root], [1.0]
        for index, length in enumerate(lengths):
            end = place + heading * length
            size = shaft * (1.0 - 0.12 * index)
            tip = index == len(lengths) - 1
            ends = (1.7 * size, (1.1 if tip else 1.65) * size)
            body.long_bone(point(place), point(end), size, ends, wall=0.4 * size, lattice=fine)
            path.append(point(end))
            widths.append((1.15, 0.95, 0.86, 0.8)[index])
            place = end + heading * 2.95 * size
        path.append(point(path[-1] + heading * 0.45))
        widths.append(0.5)
        skin.append(c.tube(path, widths))
    for centre, radii, degrees in (
        ((-1.75, 5.35), (0.62, 0.55, 0.5), 20),
        ((-0.95, 5.15), (0.5, 0.5, 0.5), 0),
        ((-0.1, 5.35), (0.6, 0.85, 0.6), 5),
        ((1.05, 5.4), (0.65, 0.68, 0.6), -10),
        ((-1.25, 6.5), (0.55, 0.95, 0.55), 35),
        ((-0.15, 6.95), (0.72, 0.62, 0.6), 0),
        ((0.95, 6.75), (0.6, 0.6, 0.55), 0),
        ((1.3, 6.35), (0.42, 0.42, 0.42), 0),
    ):
        body.nodule(centre, radii, degrees=degrees, wall=0.07, lattice=coarse)
    body.long_bone((-0.75, 8.6), (-1.1, 17.5), 0.75, (1.3, 0.8), wall=0.3, lattice=coarse)
    body.long_bone((1.25, 8.5), (1.15, 17.5), 0.5, (0.75, 0.55), wall=0.24, lattice=coarse)
    palm = c.ellipsoid((-0.2, 2.4), (3.5, 4.6, 1.4)) + 0.5 * c.ellipsoid((-2.3, 4.0), (1.3, 2.6, 1.2), degrees=-20)
    wrist = c.tube([(-0.2, 3.8), (0.05, 7.5), (0.1, 18)], [2.8, 2.7, 3.5])
    thickness = np.maximum.reduce([*skin, palm, np.float32(0.68) * wrist])
    muscle = 1 + 0.02 * fractal(c.shape, 0.8 / c.pixel, body.random)
    body.soft += cv2.GaussianBlur(thickness, (0, 0), 0.12 / c.pixel) * muscle
    body.marker("R", (5.9, -7.5), 1.1)


def limb(body: Body) -> None:
    """A dog's carpus with forearm and paw, a little turned: 12 × 16 cm."""
    c = body.canvas
    fine, coarse = body.spongy(0.05), body.spongy(0.07)
    body.long_bone((-0.35, -11), (0.15, -0.75), 0.62, (0.66, 0.98), wall=0.25, lattice=coarse)
    body.long_bone((0.85, -11), (1.0, -0.35), 0.34, (0.5, 0.48), wall=0.17, lattice=coarse)
    for centre, radii, degrees in (
        ((-0.2, 0.25), (0.86, 0.42, 0.5), 0),
        ((0.95, 0.4), (0.45, 0.45, 0.45), 0),
        ((-0.95, 1.05), (0.36, 0.36, 0.36), 0),
        ((-0.3, 1.1), (0.36, 0.36, 0.36), 0),
        ((0.32, 1.1), (0.38, 0.4, 0.4), 0),
        ((0.98, 1.15), (0.42, 0.4, 0.4), 0),
        ((1.75, 0.65), (0.3, 0.7, 0.35), -20),
    ):
        body.nodule(centre, radii, degrees=degrees, wall=0.06, lattice=fine)
    skin = [np.float32(0.8) * c.tube([(0.2, -12), (0.3, -2), (0.2, 1), (0.1, 4.5)], [2.5, 1.6, 1.75, 1.9])]
    for root, degrees, lengths in (
        (-0.98, -11, (3.0, 1.5, 0.8)),
        (-0.33, -3, (3.4, 1.75, 0.9)),
        (0.36, 4, (3.4, 1.75, 0.9)),
        (1.02, 12, (3.0, 1.5, 0.8)),
    ):
        heading = np.array([np.sin(np.deg2rad(degrees)), np.cos(np.deg2rad(degrees))])
        place = np.array([root, 1.68])
        for index, length in enumerate(lengths):
            end = place + heading * length
            size = 0.25 - 0.03 * index
            body.long_bone(point(place), point(end), size, (1.4 * size, 1.35 * size), wall=0.4 * size, lattice=fine)
            if index == 0:
                for side in (-0.16, 0.16):
                    body.nodule(
                        (float(end[0]) + side, float(end[1]) - 0.05),
                        (0.1, 0.22, 0.12),
                        degrees=0,
                        wall=0.04,
                        lattice=fine,
                    )
            place = end + heading * 2.3 * size
        tip = point(place)
        skin.append(c.tube([(root, 2.2), (tip[0], tip[1] - 0.3), (tip[0], tip[1] + 0.5)], [0.8, 0.75, 0.35]))
    pads = 0.6 * c.ellipsoid((0.1, 5.6), (1.5, 1.1, 0.9)) + 0.4 * c.ellipsoid((1.9, 0.9), (0.5, 0.7, 0.6))
    fur = 1 + 0.015 * fractal(c.shape, 0.3 / c.pixel, body.random)
    body.soft += (cv2.GaussianBlur(np.maximum.reduce(skin), (0, 0), 0.09 / c.pixel) + pads) * fur
    body.marker("L", (-3.6, -5.2), 0.8)


__all__ = ["hand", "limb"]
