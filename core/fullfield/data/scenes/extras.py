"""What lies on or in a body and is no part of it: lines and tubes, wires, plates, screws, a prosthesis, jewellery."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from fullfield.image.phantoms.body import METAL, Body
from fullfield.image.phantoms.shapes import Point

_STEEL = 0.5 * METAL  # per centimetre of metal, in centimetres of bone
_CHANCE = 0.3  # of each thing that is possible


def add(name: str, body: Body) -> None:
    """Put the thing of this name into `body`, or not: three in ten carry it."""
    if body.random.random() < _CHANCE:
        _THINGS[name](body)


def _path(body: Body, count: int, *, spread: float = 0.4) -> list[Point]:
    """A smooth walk across the picture."""
    c, random = body.canvas, body.random
    sides = np.array(c.shape[::-1]) * c.pixel
    place = random.uniform(-0.3, 0.3, 2) * sides
    turn = random.uniform(0, 2 * np.pi)
    points = []
    for _ in range(count):
        points.append((float(place[0]), float(place[1])))
        turn += random.normal(0, spread)
        place = place + 0.12 * sides.min() * np.array([np.cos(turn), np.sin(turn)])
    return points


def _lines(body: Body) -> None:
    """A catheter or a tube: a thin wall with an opaque stripe."""
    points = _path(body, 8)
    radius = body.random.uniform(0.1, 0.35)
    body.bone += np.float32(0.5) * body.canvas.tube(points, [radius] * 8, shell=[0.25 * radius] * 2)
    stripe = [(x + 0.7 * radius, y) for x, y in points]
    body.bone += np.float32(2.5) * body.canvas.tube(stripe, [0.05] * 8)


def _wires(body: Body) -> None:
    """Leads of an ECG, each with its button."""
    for _ in range(3):
        points = _path(body, 6)
        body.bone += np.float32(0.5 * _STEEL) * body.canvas.tube(points, [0.045] * 6)
        body.bone += np.float32(_STEEL) * body.canvas.ellipsoid(points[0], (0.5, 0.5, 0.12))


def _box(body: Body) -> None:
    """A pacemaker with its lead."""
    at = (float(body.random.choice([-9.5, 9.5])), -9.0)
    c = body.canvas
    body.bone += c.slab(at, (4.2, 3.4), 0.5 * _STEEL, edge=0.4, degrees=20)
    body.bone += c.slab(at, (2.2, 1.5), 0.4 * _STEEL, edge=0.2, degrees=20)
    lead = [at, (at[0] * 0.6, -12.0), (at[0] * 0.1, -7.0), (1.5, 1.0), (5.5, 8.6)]
    body.bone += np.float32(_STEEL) * c.tube(lead, [0.07] * 5)


def _clips(body: Body) -> None:
    """Surgical clips."""
    for _ in range(int(body.random.integers(3, 9))):
        x, y = body.random.uniform(-6, 6, 2)
        turn = body.random.uniform(0, 2 * np.pi)
        end = (float(x + 0.5 * np.cos(turn)), float(y + 0.5 * np.sin(turn)))
        body.bone += np.float32(_STEEL) * body.canvas.tube([(float(x), float(y)), end], [0.06] * 2)


def _hip(body: Body) -> None:
    """A total prosthesis of one hip: cup, head, stem."""
    c, side = body.canvas, int(body.random.choice([-1, 1]))
    cup = c.ellipsoid((side * 10.6, 1.4), (2.8, 2.6, 2.2)) - c.ellipsoid((side * 10.7, 1.7), (2.2, 2.1, 1.8))
    body.bone += np.float32(0.5 * _STEEL) * np.maximum(cup, 0)
    body.bone += np.float32(_STEEL) * c.ellipsoid((side * 10.9, 1.9), (1.6, 1.6, 1.6))
    stem = [(side * 11.3, 2.6), (side * 12.4, 5.6), (side * 13.2, 9.0), (side * 13.1, 19)]
    body.bone += np.float32(_STEEL) * c.tube(stem, [0.7, 1.0, 0.85, 0.45])


def _screws(body: Body) -> None:
    """Two rods' worth of pedicle screws."""
    for number in range(3):
        y = -4.0 + 3.6 * number
        body.bone += np.float32(_STEEL) * body.canvas.tube([(0.2, y), (3.2, y - 0.4)], [0.22, 0.3])
    body.bone += np.float32(_STEEL) * body.canvas.tube([(3.3, -4.6), (3.6, 3.6)], [0.28, 0.28])


def _plate(body: Body) -> None:
    """A plate with its screws, along the middle."""
    c = body.canvas
    x, y = (float(value) for value in body.random.uniform(-1.5, 1.5, 2))
    body.bone += c.slab((x, y + 4), (1.0, 8.5), 0.3 * _STEEL, edge=0.2)
    for number in range(6):
        at = (x, y + 0.6 + 1.4 * number)
        body.bone += np.float32(_STEEL) * c.tube([at, (at[0] - 2.4, at[1])], [0.17, 0.14])


def _pin(body: Body) -> None:
    """A wire drilled through bone."""
    start = body.random.uniform(-3, 3, 2)
    end = start + body.random.uniform(-5, 5, 2)
    points = [(float(x), float(y)) for x, y in (start, end)]
    body.bone += np.float32(_STEEL) * body.canvas.tube(points, [0.08] * 2)


def _ring(body: Body) -> None:
    """A ring, an ear-ring, a link of a necklace."""
    x, y = (float(value) for value in body.random.uniform(-4, 4, 2))
    line = [(x + 0.85 * np.cos(t), y + 0.35 * np.sin(t)) for t in np.linspace(0, 2 * np.pi, 9)]
    body.bone += np.float32(_STEEL) * body.canvas.tube(line, [0.12] * 9)


def _fillings(body: Body) -> None:
    """Metal in teeth."""
    picture = np.zeros(body.canvas.shape, np.uint8)
    c = body.canvas
    for _ in range(int(body.random.integers(2, 6))):
        x, y = 3.0 + 0.66 * float(body.random.integers(0, 6)), 7.05 + 0.35 * float(body.random.choice([-1, 1]))
        place = (int(x / c.pixel + c.shape[1] / 2), int(y / c.pixel + c.shape[0] / 2))
        axes = (max(1, round(0.2 / c.pixel)), max(1, round(0.14 / c.pixel)))
        cv2.ellipse(picture, place, axes, float(body.random.uniform(0, 180)), 0, 360, 1, -1)
    body.bone += np.float32(0.25 * METAL) * picture


_THINGS: dict[str, Callable[[Body], None]] = {
    "lines": _lines,
    "wires": _wires,
    "box": _box,
    "clips": _clips,
    "hip": _hip,
    "screws": _screws,
    "plate": _plate,
    "pin": _pin,
    "ring": _ring,
    "fillings": _fillings,
}

__all__ = ["add"]
