"""The map network's own part computed by numpy: some fourteen convolutions on a grid of at most 80 × 80 cells.

The same as `fullfield.model.map_network.Maps` makes of the same tensors, to 1e-5. Maps are (channels, rows, columns).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.model import map_form
from fullfield.model.map_form import CELL, COARSE, WIDTHS

Array = NDArray[np.float32]


class MapNetwork:
    """The tensors by their names, laid out for products of matrices. Raises KeyError, ValueError where any is missing
    or of another shape."""

    def __init__(self, tensors: Mapping[str, Array]) -> None:
        self._weights: dict[str, Array] = {}
        self._biases: dict[str, Array] = {}
        for name, tensor in tensors.items():
            layer, _, kind = name.rpartition(".")
            if kind == "bias":
                self._biases[layer] = tensor[:, None]
            elif tensor.ndim == 4 and tensor.shape[2] == 3:  # (out, in, 3, 3) as (3 rows, out, 3 columns · in)
                by_row = tensor.transpose(2, 0, 3, 1).reshape(3, len(tensor), -1)
                self._weights[layer] = np.ascontiguousarray(by_row, np.float32)
            else:
                self._weights[layer] = np.ascontiguousarray(tensor.reshape(len(tensor), -1), np.float32)
        rows = columns = map_form.GRID // CELL
        self(np.zeros((map_form.GRID, map_form.GRID), np.float32), np.zeros((1 + COARSE, rows, columns), np.float32))

    def __call__(self, base: Array, energies: Array) -> Array:
        """(levels + 2 + KNOTS, cells, cells). `base`: made up to the grid, in 0…1; `energies`: of all levels."""
        levels, rows, columns = energies.shape
        cells = (base - np.float32(0.5)).reshape(rows, CELL, columns, CELL).transpose(1, 3, 0, 2)
        features = self._features(np.concatenate([cells.reshape(CELL * CELL, rows, columns), energies[-COARSE:]]))
        known, told = self._layer("seen", features), self._weights["level"]
        made = []
        for level, own in enumerate(energies):
            following = energies[min(level + 1, levels - 1)]
            code = told[:, 2:] @ np.array(map_form.code(level, levels - COARSE), np.float32)
            x = known + told[:, :2].dot(np.stack([own, following]).reshape(2, -1)).reshape(known.shape)
            x += code[:, None, None]
            made.append(self._layer("gain", _relu(self._layer("mixed", _relu(x)))))
        return np.concatenate([*made, self._layer("tone", features)])

    def _features(self, x: Array) -> Array:
        x, left, deepest = self._convolved("entry", x), [], len(WIDTHS) - 1
        for number in range(deepest):
            x = self._block(f"down.{number}", x)
            left.append(x)
            channels, rows, columns = x.shape
            halves = x.reshape(channels, rows // 2, 2, columns // 2, 2).mean((2, 4))
            x = self._layer(f"widen.{number}", halves)
        x = self._block(f"down.{deepest}", x)
        everywhere = self._weights["everywhere"] @ _relu(x).mean((1, 2)) + self._biases["everywhere"][:, 0]
        x = self._block("bottom", x + everywhere[:, None, None])
        for number in reversed(range(deepest)):
            x = self._layer(f"narrow.{number}", x).repeat(2, 1).repeat(2, 2)
            x = self._block(f"up.{number}", x + left[number])
        return x

    def _block(self, name: str, x: Array) -> Array:
        return x + self._convolved(f"{name}.b", _relu(self._convolved(f"{name}.a", _relu(x))))

    def _layer(self, name: str, x: Array) -> Array:
        """A convolution of 1 × 1."""
        made = self._weights[name] @ x.reshape(len(x), -1)
        made += self._biases[name]
        return np.asarray(made.reshape(-1, *x.shape[1:]))

    def _convolved(self, name: str, x: Array) -> Array:
        """A convolution of 3 × 3 with a border of zeros: three products, of what stands beside each place."""
        channels, rows, columns = x.shape
        beside = np.zeros((3, channels, rows + 2, columns), np.float32)
        beside[0, :, 1:-1, 1:], beside[1, :, 1:-1], beside[2, :, 1:-1, :-1] = x[:, :, :-1], x, x[:, :, 1:]
        flat, count = beside.reshape(3 * channels, -1), rows * columns
        made = self._biases[name]
        for row, weights in enumerate(self._weights[name]):
            made = weights @ flat[:, row * columns : row * columns + count] + made
        return np.asarray(made.reshape(-1, rows, columns))


def energies(squares: Sequence[Array]) -> Array:
    """(levels, cells, cells): of each level's mean squares in the cells, with those of their neighbours."""
    means = [cv2.blur(one, (3, 3), borderType=cv2.BORDER_REPLICATE) for one in squares]
    logarithms = np.log(np.maximum(np.stack(means), np.float32(map_form.FLOOR)))
    return np.asarray(logarithms * np.float32(0.25) + np.float32(2))


def _relu(x: Array) -> Array:
    return np.maximum(x, np.float32(0))
