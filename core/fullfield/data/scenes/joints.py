"""A knee, a shoulder and a foot."""

from __future__ import annotations

import cv2
import numpy as np

from fullfield.data.scenes.outlines import bone, cut, organ
from fullfield.data.scenes.texture import net
from fullfield.image.phantoms.body import Body


def knee(body: Body) -> None:
    """A knee from the front: femur, patella, tibia, fibula; 24 × 18 cm."""
    c, r = body.canvas, body.random
    lattice = net(c.shape, 0.09 / c.pixel, r, stretch=2.2)
    thigh = c.tube([(0, -16), (0, -4), (0.2, 3), (0.3, 16)], [7.4, 6.2, 5.6, 5.0])
    body.soft += cv2.GaussianBlur(np.float32(0.85) * thigh, (0, 0), 0.12 / c.pixel)
    femur = [(-1.5, -19), (1.5, -19), (1.55, -7), (2.0, -4.6), (3.6, -3.0), (4.35, -1.5), (4.3, 0.3), (3.3, 1.3)]
    femur += [(1.6, 1.25), (0.7, 0.5), (0.0, -0.4), (-0.7, 0.5), (-1.6, 1.35), (-3.2, 1.45), (-4.25, 0.4)]
    femur += [(-4.3, -1.6), (-3.5, -3.2), (-2.0, -4.9), (-1.55, -7)]
    bone(body, femur, 1.9, wall=0.09, lattice=lattice, sponge=0.15)
    body.bone += c.tube([(0, -19), (0, -9), (0, -4.5)], [1.48, 1.5, 1.8], shell=[0.5, 0.42, 0.0])
    tibia = [(-4.2, 2.3), (-3.9, 1.95), (-2.2, 1.9), (-0.9, 1.8), (-0.45, 1.2), (0, 1.6), (0.45, 1.25), (0.9, 1.8)]
    tibia += [(2.3, 1.9), (3.9, 1.95), (4.2, 2.4), (3.7, 3.9), (2.5, 5.6), (1.75, 8), (1.45, 19), (-1.4, 19)]
    tibia += [(-1.6, 8), (-2.4, 5.8), (-3.6, 4.1)]
    bone(body, tibia, 1.8, wall=0.09, lattice=lattice, sponge=0.15)
    body.bone += c.tube([(0, 5.6), (0.05, 9), (0.05, 19)], [1.9, 1.6, 1.42], shell=[0.0, 0.42, 0.5])
    body.bone += c.slab((-2.3, 2.05), (3.0, 0.22), 1.5, edge=0.12) + c.slab((2.3, 2.05), (3.0, 0.22), 1.5, edge=0.12)
    body.long_bone((3.75, 3.0), (3.3, 15), 0.62, (1.05, 0.7), wall=0.28, lattice=lattice)
    patella = [(-2.2, -3.0), (-1.2, -4.3), (1.0, -4.35), (2.2, -3.1), (1.7, -1.4), (0.2, -0.5), (-1.6, -1.3)]
    bone(body, patella, 0.75, wall=0.08, lattice=lattice, sponge=0.18)


def shoulder(body: Body) -> None:
    """A shoulder from the front: humerus, scapula, clavicle, the ribs and the lung's apex; 22 × 26 cm."""
    c, r = body.canvas, body.random
    lattice = net(c.shape, 0.11 / c.pixel, r)
    trunk = organ(c, [(-3.5, -7.6), (2, -8.4), (7, -10), (20, -20), (28, 5), (20, 30), (2, 28), (-1.5, 4)], 5.0)
    arm = c.tube([(-5.2, -4.5), (-6.0, 0), (-7.2, 7), (-7.6, 16)], [4.0, 4.3, 4.0, 3.8])
    soft = cv2.GaussianBlur(np.maximum(trunk, np.float32(0.95) * arm), (0, 0), 0.5 / c.pixel)
    lung = organ(c, [(5.2, -3.4), (7.5, -5.2), (11, -5.4), (22, -2), (22, 28), (5.5, 28), (4.6, 6)], 3.4)
    ribs = np.zeros(c.shape, np.float32)
    for number in range(6):
        y = -5.6 + 2.9 * number
        line = [(14.0, y - 1.6), (9.5, y - 1.4), (5.6, y + 1.0), (4.4, y + 3.6), (6.5, y + 5.2), (11, y + 5.6)]
        shell = c.tube(line, [0.6, 0.62, 0.6, 0.58, 0.55, 0.5], shell=[0.12, 0.12, 0.14, 0.14, 0.1, 0.08])
        ribs += np.float32(0.7) * shell + 0.1 * np.maximum(c.tube(line, [0.58] * 6) - shell, 0) * lattice
    body.soft += np.maximum(soft - np.float32(0.78) * lung, 0)
    body.bone += ribs
    scapula = [(-1.8, -3.2), (0.2, -4.6), (4.6, -5.2), (6.6, -4.2), (6.3, 1.5), (4.4, 8.2), (3.6, 8.6), (2.6, 7.2)]
    bone(body, [*scapula, (0.2, 2.0), (-1.6, 0.4)], 0.28, wall=0.1, lattice=lattice, sponge=0.1)
    body.bone += c.tube([(-1.7, 0.3), (0.6, 2.6), (3.5, 8.4)], [0.42, 0.4, 0.35], shell=[0.16] * 2)
    glenoid = [(-2.0, -2.9), (-1.3, -3.0), (-0.7, -1.2), (-1.2, 0.6), (-1.9, 0.5), (-1.75, -1.2)]
    bone(body, glenoid, 0.7, wall=0.12, lattice=lattice, sponge=0.3)
    body.bone += c.tube([(5.6, -3.6), (1.5, -3.9), (-2.5, -5.4), (-4.4, -5.0)], [0.4, 0.5, 0.7, 0.6], shell=[0.13] * 3)
    body.bone += c.tube([(-0.4, -3.2), (-1.8, -4.2), (-2.9, -2.9)], [0.62, 0.6, 0.5], shell=[0.12] * 2)
    line = [(15.5, -5.6), (10, -6.9), (4, -6.6), (-1.2, -6.3), (-2.9, -5.9)]
    shell = c.tube(line, [1.0, 0.8, 0.62, 0.72, 0.7], shell=[0.12, 0.22, 0.2, 0.12])
    body.bone += shell + 0.16 * np.maximum(c.tube(line, [0.96, 0.76, 0.58, 0.68, 0.66]) - shell, 0) * lattice
    head = [(-2.35, -1.2), (-2.8, -3.2), (-4.4, -4.1), (-5.9, -3.5), (-6.6, -1.9), (-6.7, -0.2), (-6.4, 1.8)]
    bone(body, [*head, (-6.9, 14), (-4.7, 14), (-4.2, 2.6), (-3.1, 0.6)], 1.3, wall=0.08, lattice=lattice, sponge=0.17)
    body.bone += c.tube([(-5.2, 1.5), (-5.5, 6), (-5.8, 14)], [1.35, 1.1, 1.1], shell=[0.0, 0.36, 0.4])


def foot(body: Body) -> None:
    """A foot and ankle from the side: 18 × 27 cm."""
    c, r = body.canvas, body.random
    lattice = net(c.shape, 0.08 / c.pixel, r)
    leg = c.tube([(7.4, -14), (7.3, -6), (7.0, -1)], [3.9, 3.4, 3.6])
    sole = organ(
        c,
        [
            (4.2, -4.5),
            (9.4, -4),
            (10.9, 0),
            (11.2, 4.2),
            (9.6, 5.6),
            (3, 5.3),
            (-4, 5.6),
            (-10.6, 5.6),
            (-12, 4.8),
            (-11.2, 3.6),
            (-5, 1.4),
            (0.5, -1.4),
        ],
        2.2,
    )
    body.soft += cv2.GaussianBlur(np.maximum(np.float32(0.8) * leg, sole), (0, 0), 0.12 / c.pixel)
    body.long_bone((7.0, -15), (6.6, -2.4), 1.05, (1.2, 1.75), wall=0.38, lattice=lattice)
    body.long_bone((8.2, -15), (7.2, -0.9), 0.55, (0.7, 0.85), wall=0.26, lattice=lattice)
    talus = [(4.9, -2.0), (6.6, -2.6), (8.2, -1.7), (8.5, -0.4), (7.2, 0.4), (5.6, 0.3), (4.2, 0.6), (2.9, 0.2)]
    bone(body, [*talus, (3.0, -1.1), (3.9, -1.3)], 1.2, wall=0.08, lattice=lattice, sponge=0.22)
    heel = [(9.4, 0.2), (10.5, 0.9), (10.7, 2.9), (9.9, 4.3), (8.4, 4.4), (5.2, 3.4), (2.9, 3.2), (2.5, 1.9)]
    bone(body, [*heel, (3.9, 1.1), (5.6, 0.8), (7.2, 0.7)], 1.2, wall=0.08, lattice=lattice, sponge=0.18)
    navicular = [(2.6, -0.9), (2.9, 0.4), (2.4, 1.3), (1.4, 1.3), (1.2, -0.2), (1.7, -1.0)]
    cuboid = [(2.3, 1.7), (2.4, 3.1), (0.6, 3.6), (-0.9, 3.2), (-0.7, 2.0), (1.0, 1.6)]
    wedge = [(1.1, -0.5), (1.2, 1.4), (-0.6, 1.9), (-1.1, 0.6), (-0.2, -0.3)]
    for outline, depth in ((navicular, 0.9), (cuboid, 0.8), (wedge, 0.8)):
        bone(body, outline, depth, wall=0.06, lattice=lattice, sponge=0.22)
    for number in range(5):
        start = (-0.9 - 0.15 * number, 1.0 + 0.5 * number)
        end = (-6.6 + 0.35 * number, 4.0 + 0.22 * number)
        size = 0.52 if number == 0 else 0.33
        body.long_bone(start, end, size, (1.5 * size, 1.6 * size), wall=0.42 * size, lattice=lattice)
        toe = (end[0] - 1.1, end[1] + 0.28)
        tip = (toe[0] - (2.4 if number == 0 else 1.6), toe[1] + 0.25)
        body.long_bone((end[0] - 0.75, end[1] + 0.2), tip, 0.7 * size, (1.1 * size, size), wall=0.28, lattice=lattice)
    for at in (-6.1, -5.5):
        body.nodule((at, 4.75), (0.35, 0.28, 0.3), degrees=0, wall=0.06, lattice=lattice)
    cut(body, [(5.9, 0.3), (6.4, 0.75), (5.6, 0.9)], 0.5)


__all__ = ["foot", "knee", "shoulder"]
