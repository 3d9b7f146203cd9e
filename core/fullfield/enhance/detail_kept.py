"""Detail kept: a network draws at its own scale, and all that is finer is the image's own, stronger or weaker.

    x_0 … x_K    the network's input, halved K times: x_K has the scale that the network was trained at
    z_K          the logit of what the network makes of x_K
    b_k          x_k − up(x_(k+1))
    z_k          up(z_(k+1)) + g_k · b_k        g_k ≥ 0

Beyond K nothing is drawn, as in the form of the map network (`model.map_form`). g is what the network itself does to
the finest bands that it sees: of each of the two, in every cell of 16 pixels, the gain by least squares; a cell of
little structure has the whole image's. Finer levels have their mean, smoothly enlarged, a fifth less from each level
to the next.
"""

from __future__ import annotations

import cv2
import numpy as np

from fullfield.image.normalise import Unit

CELL = 16
"""Pixels of x_K."""

_MOST = 40.0  # of a gain: what a map network's may be at most is 74
_END = 1 / 512  # of 0…1: the logit ends there
_LESS = 0.8  # of the gain, from level to finer level: the finer, the more of a band is noise
_LITTLE = 0.1  # of the image's mean square in a cell: as much weighs what the whole image has


def reduced(x: Unit, levels: int) -> Unit:
    """x_K, whose sides are halved `levels` times."""
    for _ in range(levels):
        x = cv2.pyrDown(x)
    return x


def kept(x: Unit, drawn: Unit, levels: int) -> Unit:
    """The picture in 0…1. `x`: the network's input at the image's size; `drawn`: what it made of `reduced(x, levels)`.

    At the finest level there are some six float planes of the image's size at once.
    """
    small = [x]
    for _ in range(levels):
        small.append(cv2.pyrDown(small[-1]))
    goal = np.clip(drawn, np.float32(_END), np.float32(1 - _END))
    z = np.log(goal / (1 - goal))
    gains = _gains(small[-1], z)
    for level in reversed(range(levels)):
        size = (small[level].shape[1], small[level].shape[0])
        small.pop()
        band = cv2.subtract(small[level], cv2.pyrUp(cv2.pyrDown(small[level]), dstsize=size))
        gains *= np.float32(_LESS)
        cv2.multiply(band, _enlarged(gains, CELL << (levels - level), size), dst=band)
        z = cv2.add(cv2.pyrUp(z, dstsize=size), band)
    cv2.exp(cv2.subtract(0, z), dst=z)
    z += np.float32(1)
    return np.asarray(np.divide(np.float32(1), z, out=z))


def _gains(x: Unit, z: Unit) -> Unit:
    """Of each cell: the mean of the two finest bands' gains, of z over x."""
    found = []
    for level in range(2):
        below = [cv2.pyrDown(plane) for plane in (x, z)]
        seen, made = (
            plane - cv2.pyrUp(half, dstsize=plane.shape[::-1]) for plane, half in zip((x, z), below, strict=True)
        )
        products, squares = (_means(seen * plane, CELL >> level) for plane in (made, seen))
        usual = float(np.clip(products.mean() / max(float(squares.mean()), 1e-12), 0, _MOST))
        little = np.float32(_LITTLE * float(squares.mean()) + 1e-12)
        found.append(np.clip((products + little * np.float32(usual)) / (squares + little), 0, _MOST))
        x, z = below
    shape = found[0].shape
    mean = (found[0] + cv2.resize(found[1], shape[::-1], interpolation=cv2.INTER_LINEAR)) / np.float32(2)
    return np.asarray(cv2.blur(mean.astype(np.float32), (3, 3), borderType=cv2.BORDER_REPLICATE))


def _means(plane: Unit, side: int) -> Unit:
    rows, columns = (-(-length // side) for length in plane.shape)
    padded = cv2.copyMakeBorder(
        plane, 0, rows * side - plane.shape[0], 0, columns * side - plane.shape[1], cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.resize(padded, (columns, rows), interpolation=cv2.INTER_AREA))


def _enlarged(gains: Unit, side: int, size: tuple[int, int]) -> Unit:
    """At a level whose cells have so many pixels a side."""
    wide = cv2.resize(gains, (gains.shape[1] * side, gains.shape[0] * side), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(wide[: size[1], : size[0]])


__all__ = ["CELL", "kept", "reduced"]
