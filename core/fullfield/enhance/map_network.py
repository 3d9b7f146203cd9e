"""The map network's own part computed by numpy: some fourteen convolutions on a grid of at most 80 × 80 cells.

The same as `fullfield.model.map_network.Maps` makes of the same tensors, to 1e-5. Maps are (channels, rows, columns).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.model import map_form
from fullfield.model.map_form import BESIDE, CELL, COARSE, CODES, WIDTHS

Array = NDArray[np.float32]

ADDED = {"quiet.weight": ("entry.weight", COARSE), "beside.weight": ("level.weight", BESIDE)}
"""Tensors that models of before have not: the layer that each belongs to, and how many channels it adds."""


class MapNetwork:
    """The tensors by their names, laid out for products of matrices. Raises KeyError, ValueError where any is missing
    or of another shape."""

    def __init__(self, tensors: Mapping[str, Array]) -> None:
        tensors = _whole(tensors)
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
        above = above_quiet(energies, cells.mean((0, 1)))
        given = [cells.reshape(CELL * CELL, rows, columns), energies[-COARSE:], above[-COARSE:]]
        features = self._features(np.concatenate(given))
        known, weights = self._layer("seen", features), self._weights["level"]
        reported = np.delete(weights, range(2, 2 + CODES), 1)
        made = []
        for level in range(levels):
            finer, own, following = map_form.around(level, levels)
            code = weights[:, 2 : 2 + CODES] @ np.array(map_form.code(level, levels - COARSE), np.float32)
            seen = [energies[own], energies[following], above[own], above[following], energies[finer]]
            x = known + reported.dot(np.concatenate(seen).reshape(len(seen), -1)).reshape(known.shape)
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


def above_quiet(energies: Array, light: Array) -> Array:
    """How far the energies lie above the quietest of the same brightness. `light`: the cells' means, less a half."""
    nodes = np.arange(map_form.NODES, dtype=np.float32)[:, None]
    places = (light.ravel() + np.float32(0.5)) * np.float32(map_form.NODES - 1)
    share, flat = np.maximum(1 - np.abs(places - nodes), np.float32(0)), energies.reshape(len(energies), -1)
    mean = np.exp(np.float32(-map_form.SHARP) * flat) @ share.T / np.maximum(share.sum(1), np.float32(map_form.FLOOR))
    quiet = np.log(np.maximum(mean, np.float32(map_form.FLOOR))) / np.float32(-map_form.SHARP)
    return np.asarray((flat - quiet @ share).reshape(energies.shape), np.float32)


def _whole(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """With the columns of what is told besides beside the others; zeros where a model learned without."""
    made = {name: tensor for name, tensor in tensors.items() if name not in ADDED}
    for name, (place, several) in ADDED.items():
        shape = (tensors[place].shape[0], several, *tensors[place].shape[2:])
        more = tensors.get(name, np.zeros(shape, np.float32))
        if more.shape != shape:
            raise ValueError(f"{name}: {more.shape}, wanted {shape}")
        made[place] = np.concatenate([tensors[place], more], 1)
    return made


def _relu(x: Array) -> Array:
    return np.maximum(x, np.float32(0))
