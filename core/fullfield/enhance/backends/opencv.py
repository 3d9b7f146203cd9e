"""The map network without torch: numpy for the network, OpenCV for the picture, in strips that stay in a core's cache.

    x_1                  strip by strip; the finest level is never whole in memory
    the network          once, on the base
    x_0, b_0, output     strip by strip

Equal to torch within 1e-4 of the output's 0…1. The form of the picture: `fullfield.model.map_form`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from safetensors import SafetensorError
from safetensors import numpy as safetensors

from fullfield.enhance.backends.base import FP32, Opened, Parts, Rows, Unit
from fullfield.enhance.map_network import MapNetwork, energies
from fullfield.enhance.portions import Portion
from fullfield.errors import DeviceUnavailable
from fullfield.image.declared import Declared
from fullfield.model import card as cards
from fullfield.model import ensemble, map_form, registry
from fullfield.model.families.gain_map import MAPS
from fullfield.model.map_form import CELL, CELLS, COARSE, KNOTS

_STRIP = 3 << 16  # pixels
_TITLE = "the CPU"
_SAID = "The map network computes on the CPU, in little memory at any size."


def open_backend(path: Path, *, device: str, precision: str = FP32, member: int | None = None) -> Opened:
    """See `OpenBackend`."""
    if device not in ("auto", "cpu"):
        raise DeviceUnavailable(
            f"Cannot use {device} for this model.",
            detail="A map network computes on the CPU alone, where it takes a tenth of a second.",
            hint="Choose the device auto or cpu.",
        )
    content = registry.read_bytes(path, member)
    card = cards.verify(content)
    ensemble.refuse_several(card)
    try:
        tensors = safetensors.load(content)
        if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
            raise cards.refused("Its tensors hold values that are not finite.", "Choose another model.")
        network = MapNetwork({name.removeprefix(f"{MAPS}."): tensor for name, tensor in tensors.items()})
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise cards.refused(
            "Its weights are not those of a map network.", "Choose a model made by `fullfield train`."
        ) from error
    return Opened((OpenCvBackend(network),), card, _SAID)


class OpenCvBackend:
    """See the module. `of`: the network, or what one says already, of which the picture is made all the same."""

    title, precision = _TITLE, FP32

    def __init__(self, of: MapNetwork | Declared) -> None:
        self._of = of

    def capacity(self, budget: int | None = None) -> int:
        """Any image: the levels that are kept take less than its own pixels."""
        return 1 << 62

    def run(self, image: Rows, rows: int, columns: int, portion: Portion | None = None) -> Parts:
        """See `Backend`. There is one device, so there are no portions: raises ValueError."""
        if portion is not None:
            raise ValueError(f"a portion of {rows} rows is wanted of a map network, which looks at all")
        fine = map_form.fine(max(rows, columns))
        sources = [_Level(image, rows, columns)]
        planes = [] if fine else [image(0, rows)]
        for level in range(1, fine + COARSE + 1):
            planes.append(_halved(sources[-1]) if level <= fine else cv2.pyrDown(planes[-1]))
            if level < fine:
                sources.append(_Level.of(planes[-1]))
        uppers, coarse = planes[:fine], planes[max(0, fine - 1) :]
        bands = [cv2.subtract(one, cv2.pyrUp(two, dstsize=one.shape[::-1])) for one, two in pairwise(coarse)]
        declared = self._of
        if not isinstance(declared, Declared):
            maps = _maps(declared, sources, uppers, coarse[0], bands)
            declared = _declared(maps, (rows, columns), coarse[-1].shape)
        z = -declared.coarsest(coarse[-1])  # −z all the way, for the last exp
        for below, band in reversed(list(enumerate(bands))):
            np.multiply(band, _enlarged(declared.gains[fine + below], 2 * CELL, band.shape), out=band)
            z = cv2.subtract(cv2.pyrUp(z, dstsize=band.shape[::-1]), band)
        for level in reversed(range(1, fine)):
            made = np.empty_like(uppers[level - 1])
            for low, part in _added(sources[level], uppers[level], z, declared.gains[level], declared.cells[level]):
                made[low : low + len(part)] = part
            z = made
        if not fine:
            yield 0, _logistic(z)
            return declared
        for low, part in _added(sources[0], uppers[0], z, declared.gains[0], declared.cells[0]):
            yield low, _logistic(part)
        return declared

    def is_out_of_memory(self, error: Exception) -> bool:
        """See `Backend`."""
        return isinstance(error, MemoryError) or (isinstance(error, cv2.error) and error.code == cv2.Error.StsNoMem)

    def free(self) -> None:
        """Nothing is kept."""


class _Level:
    """A level above the base: its rows, and how many pixels it has."""

    def __init__(self, image: Rows, rows: int, columns: int) -> None:
        self.image, self.rows, self.columns = image, rows, columns
        self.step = max(16, _STRIP // columns // 16 * 16)

    @classmethod
    def of(cls, plane: Unit) -> _Level:
        """That is there whole."""
        return cls(lambda low, high: plane[low:high], plane.shape[0], plane.shape[1])


def _halved(level: _Level) -> Unit:
    """`cv2.pyrDown`, strip by strip."""
    made, step = np.empty(((level.rows + 1) // 2, (level.columns + 1) // 2), np.float32), level.step // 2
    for low in range(0, made.shape[0], step):
        high = min(low + step, made.shape[0])
        first, last = max(2 * low - 2, 0), min(2 * high + 2, level.rows)
        made[low:high] = cv2.pyrDown(level.image(first, last))[low - first // 2 : high - first // 2]
    return made


class _Doubled:
    """`cv2.pyrUp` of a plane, rows by rows, into one buffer."""

    def __init__(self, small: Unit, columns: int, most: int) -> None:
        self._small, self._columns = small, columns
        self._buffer = np.empty((most + 6, columns), np.float32)

    def __call__(self, low: int, high: int) -> Unit:
        """Rows `low` (even) to `high`, until the next call."""
        first, last = max(low // 2 - 1, 0), min((high + 1) // 2 + 1, len(self._small))
        into = self._buffer[: 2 * (last - first)]
        block = cv2.pyrUp(self._small[first:last], dst=into, dstsize=(self._columns, len(into)))
        return np.asarray(block[low - 2 * first : high - 2 * first])


def _maps(network: MapNetwork, sources: list[_Level], uppers: list[Unit], base: Unit, bands: list[Unit]) -> Unit:
    """What the network makes of an image's levels."""
    fine, cells = len(uppers), [map_form.on_grid(side) for side in base.shape]
    squares = [_squares(sources[k], uppers[k], cells, CELL << (fine - k)) for k in range(fine)]
    squares += [_coarse_squares(band, below, cells) for below, band in enumerate(bands)]
    return network(_extended(base, cells[0] * CELL, cells[1] * CELL), energies(squares))


def _squares(level: _Level, half: Unit, cells: list[int], size: int) -> Unit:
    """The mean squares of the level's band in each cell of so many pixels a side, of some of its rows."""
    first, count = map_form.first_sampled(size), map_form.SAMPLED
    found = np.empty((cells[0], cells[1]), np.float32)
    doubled, buffer = _Doubled(half, level.columns, count), np.empty((count + 2, level.columns), np.float32)
    for number in range(cells[0]):
        wanted = number * size + first
        low = min(wanted, (level.rows - 1) // 2 * 2)
        high = min(wanted + count, level.rows)
        band = np.subtract(level.image(low, high), doubled(low, high), out=buffer[: high - low])
        np.multiply(band, band, out=band)
        square = _extended(band[min(wanted, level.rows - 1) - low :], count, cells[1] * size)
        found[number] = cv2.resize(square, (cells[1], 1), interpolation=cv2.INTER_AREA)[0]
    return found


def _coarse_squares(band: Unit, below: int, cells: list[int]) -> Unit:
    """Likewise, of a band of the base's own, so many levels below it."""
    square, size = band * band, CELL >> below
    if not size:  # two cells for each of its pixels
        factor = (1 << below) // CELL
        return np.ascontiguousarray(_extended(square.repeat(factor, 0).repeat(factor, 1), cells[0], cells[1]))
    square = _extended(square, cells[0] * size, cells[1] * size)
    return np.asarray(cv2.resize(square, (cells[1], cells[0]), interpolation=cv2.INTER_AREA))


def _added(level: _Level, half: Unit, z: Unit, gain: Unit, size: int) -> Iterator[tuple[int, Unit]]:
    """up(z) − g · band from top to bottom, in a buffer that is used again; `z` is the next level's. A cell of the gain
    has `size` pixels a side."""
    wide = cv2.resize(gain, (gain.shape[1] * size, gain.shape[0]), interpolation=cv2.INTER_LINEAR)[:, : level.columns]
    known, below = _Doubled(half, level.columns, level.step), _Doubled(z, level.columns, level.step)
    buffer, gains = (np.empty((level.step, level.columns), np.float32) for _ in range(2))
    for low in range(0, level.rows, level.step):
        high = min(low + level.step, level.rows)
        place = np.clip((np.arange(low, high) + 0.5) / size - 0.5, 0, len(wide) - 1)
        first, last = int(place[0]), min(int(place[-1]) + 2, len(wide))
        share = np.maximum(0, 1 - np.abs(place[:, None] - np.arange(first, last))).astype(np.float32)
        negative = np.subtract(known(low, high), level.image(low, high), out=buffer[: high - low])
        part = below(low, high)
        cv2.accumulateProduct(negative, np.matmul(share, wide[first:last], out=gains[: high - low]), part)
        yield low, part


def _extended(x: Unit, rows: int, columns: int) -> Unit:
    """To so many rows and columns, by repeating the last ones; what is more is cut off."""
    down, right = max(0, rows - x.shape[0]), max(0, columns - x.shape[1])
    if down or right:
        x = cv2.copyMakeBorder(x, 0, down, 0, right, cv2.BORDER_REPLICATE)
    return x[:rows, :columns]


def _means(numbers: Unit, several: int) -> Unit:
    """Over so many cells a side."""
    rows, columns = (-(-side // several) for side in numbers.shape)
    wide = _extended(numbers, rows * several, columns * several)
    return np.asarray(wide.reshape(rows, several, columns, several).mean((1, 3)), np.float32)


def _enlarged(numbers: Unit, factor: int, shape: tuple[int, ...]) -> Unit:
    size = (numbers.shape[1] * factor, numbers.shape[0] * factor)
    return np.asarray(cv2.resize(numbers, size, interpolation=cv2.INTER_LINEAR)[: shape[0], : shape[1]])


def _held(numbers: Unit) -> Unit:
    low, high = map_form.GAIN_RANGE
    return np.asarray(np.clip(numbers, low, high) + np.float32(map_form.GAIN))


def _declared(maps: Unit, shape: tuple[int, int], coarsest: tuple[int, ...]) -> Declared:
    """What the network's maps say, see `map_form`."""
    fine = len(maps) - COARSE - 2 - KNOTS
    held, tone = _held(maps[: fine + COARSE]), maps[fine + COARSE :]
    gains = [np.exp(one) for one in held[:fine]]
    gains += [np.exp(_means(one, 2 << below)) for below, one in enumerate(held[fine:])]
    light = _light(tone[0], coarsest)
    return Declared(shape=shape, gains=tuple(gains), cells=map_form.cells(fine), curve=_curve(tone[1:]), light=light)


def _curve(knots: Unit) -> Unit:
    """T at the ends of its parts."""
    numbers = knots.mean((1, 2))
    rises = map_form.SLOPE / KNOTS * np.exp(np.clip(numbers[1:], *map_form.SLOPE_RANGE))
    begin = map_form.SLOPE * (0.5 * numbers[:1] - 0.5)
    return np.asarray(np.cumsum(np.concatenate([begin, rises])), np.float32)


def _light(numbers: Unit, shape: tuple[int, ...]) -> Unit:
    """t at the coarsest level."""
    row = np.array(map_form.LIGHT, np.float32)
    means = _means(np.clip(numbers, *map_form.LIGHT_RANGE), CELLS)
    blurred = cv2.sepFilter2D(means, -1, row, row, borderType=cv2.BORDER_REPLICATE)
    return _enlarged(blurred, CELLS * CELL >> COARSE, shape)


def _logistic(negative: Unit) -> Unit:
    """σ of the negative of what is given, in its place."""
    cv2.exp(negative, dst=negative)
    np.add(negative, np.float32(1), out=negative)
    return np.divide(np.float32(1), negative, out=negative)
