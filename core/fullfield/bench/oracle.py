"""The best that the map network's form can make of an image, where the wanted output is known: gains by least squares.

Level by level from the coarsest on, each gain is the one that comes nearest to what is still missing, within the form's
own bounds and cells (`model.map_form`); differences count as much as they do after the logistic function. It is near
the form's true best, and no network that ships can be expected to be better.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.normalise import Unit
from fullfield.model import map_form
from fullfield.model.map_form import CELL, CELLS, COARSE, KNOTS

Plane = NDArray[np.float32]

_END = 0.004  # of 0…1: the logit ends there
_HAT = (1 / 8, 6 / 8, 1 / 8)  # what a cell's neighbours have of a gain that changes linearly between their middles
_LEAST = 1e-12


def best(image: Unit, wanted: Unit) -> Unit:
    """`image`: the network's input, `wanted`: the output, both (rows, columns) in 0…1."""
    shape = (image.shape[0], image.shape[1])
    fine = map_form.fine(max(shape))
    goal = np.clip(wanted, _END, 1 - _END).astype(np.float32)
    xs, zs, weights = [image.astype(np.float32)], [np.log(goal / (1 - goal))], [(4 * goal * (1 - goal)) ** 2]
    for planes in (xs, zs, weights):
        for _ in range(fine + COARSE):
            planes.append(cv2.pyrDown(planes[-1]))
    z = _toned(xs[-1], zs[-1], weights[-1])
    for level in reversed(range(fine + COARSE)):
        size = (xs[level].shape[1], xs[level].shape[0])
        band = xs[level] - cv2.pyrUp(xs[level + 1], dstsize=size)
        below = cv2.pyrUp(z, dstsize=size)
        side = CELL << (fine - level) if level < fine else 2 * CELL
        z = below + _gained(band, zs[level] - below, weights[level], side)
    return np.asarray(1 / (1 + np.exp(-z)), np.float32)


def _gained(band: Plane, missing: Plane, weight: Plane, side: int) -> Plane:
    """The band times the gains that come nearest to what is missing; a gain's cell has `side` pixels a side."""
    heavy = weight * band
    over, under = (_sums(heavy * plane, side) for plane in (missing, band))
    low, high = (np.exp(map_form.GAIN + end) for end in map_form.GAIN_RANGE)
    gains = np.clip(over / np.maximum(under, _LEAST), low, high).astype(np.float32)
    wide = cv2.resize(gains, (gains.shape[1] * side, gains.shape[0] * side), interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide[: band.shape[0], : band.shape[1]] * band)


def _sums(plane: Plane, side: int) -> Plane:
    """Over each cell and a part of its neighbours."""
    rows, columns = (-(-length // side) for length in plane.shape)
    padded = np.zeros((rows * side, columns * side), np.float32)
    padded[: plane.shape[0], : plane.shape[1]] = plane
    means = cv2.resize(padded, (columns, rows), interpolation=cv2.INTER_AREA)
    row = np.array(_HAT, np.float32)
    return np.asarray(cv2.sepFilter2D(means, -1, row, row, borderType=cv2.BORDER_REPLICATE))


def _toned(x: Plane, z: Plane, weight: Plane) -> Plane:
    """One rising curve for the whole image, and a light that varies slowly."""
    parts = np.stack([np.clip(x - np.float32(k / KNOTS), 0, np.float32(1 / KNOTS)) for k in range(KNOTS)], axis=-1)
    design = np.concatenate([np.ones((x.size, 1)), parts.reshape(-1, KNOTS)], axis=1)
    heavy = np.sqrt(weight).reshape(-1, 1).astype(np.float64)
    low, high = (map_form.SLOPE * np.exp(end) for end in map_form.SLOPE_RANGE)
    # A slope of which the image has nothing stays near the usual one.
    prior = np.concatenate([np.zeros((KNOTS, 1)), 1e-3 * np.eye(KNOTS)], axis=1)
    found, *_ = np.linalg.lstsq(
        np.concatenate([design * heavy, prior]),
        np.concatenate([z.ravel() * heavy[:, 0], np.full(KNOTS, 1e-3 * map_form.SLOPE)]),
        rcond=None,
    )
    slopes = np.clip(found[1:], low, high)
    curved = design[:, 1:] @ slopes
    offset = float(np.average(z.ravel() - curved, weights=weight.ravel()))
    made = (curved + offset).reshape(x.shape).astype(np.float32)
    return np.asarray(made + _light(z - made, weight, x.shape), np.float32)


def _light(missing: Plane, weight: Plane, shape: tuple[int, ...]) -> Plane:
    side = CELLS * CELL >> COARSE
    over, under = (_sums(plane, side) for plane in (weight * missing, weight))
    means = np.clip(over / np.maximum(under, _LEAST), *map_form.LIGHT_RANGE).astype(np.float32)
    row = np.array(map_form.LIGHT, np.float32)
    blurred = cv2.sepFilter2D(means, -1, row, row, borderType=cv2.BORDER_REPLICATE)
    size = (blurred.shape[1] * side, blurred.shape[0] * side)
    wide = cv2.resize(blurred, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide[: shape[0], : shape[1]])


__all__ = ["best"]
