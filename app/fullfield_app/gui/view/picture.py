"""An image made ready to be shown: its pixels at several sizes, its range of values, its first window.

Made in a background task from what the worker left in the cache; the full size stays mapped from the file. Reduced
sizes are means of areas: a view that skips pixels shows a moiré where trabeculae are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullfield import array_file
from fullfield.image import cache
from fullfield.image.header import Header
from fullfield.image.image import Image, InputKind, Pixels, Voi
from fullfield.image.marks import Cells, Marks, disagreement_at, marks_at
from fullfield.image.values import Window
from fullfield_app.gui.view.camera import SQUARE, Size

SMALLEST_LEVEL = 256
CHUNK_ROWS = 512


@dataclass(frozen=True, kw_only=True)
class Modality:
    """The way from a pixel's value to the file's own: `slope` · value + `intercept` in its `unit` (PS3.3 C.11.1).

    A `slope` below 0: in the file high is dark.
    """

    slope: float
    intercept: float
    unit: str = ""

    def own(self, value: float) -> float:
        """The file's own value."""
        return self.slope * value + self.intercept


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """`levels[k]`: the pixels reduced by 2**k. `lowest` … `highest`: the values that occur, padding left out.

    `voi`: how it is shown first; `vois`: all windows and tables of its file. `padding`: values that are no image.
    `bits`: as in `Image`. `modality`: where the file's values are others than the pixels'. `marks`: what was added and
    taken, of an enhanced image, and `disagreement`, of an ensemble's. `pixel`: a pixel's width and height as it is
    drawn, see `Image.pixel_size`.
    """

    levels: tuple[Pixels, ...]
    bits: int
    lowest: int
    highest: int
    voi: Voi
    vois: tuple[Voi, ...] = ()
    padding: tuple[int, int] | None = None
    modality: Modality | None = None
    marks: Marks | None = None
    disagreement: Cells | None = None
    pixel: Size = SQUARE

    @property
    def scale(self) -> Modality:
        """The way to the file's values, also where they are the pixels' own."""
        return self.modality or Modality(slope=1.0, intercept=0.0)

    @property
    def rows(self) -> int:
        """Of the full size."""
        return int(self.levels[0].shape[0])

    @property
    def columns(self) -> int:
        """Of the full size."""
        return int(self.levels[0].shape[1])


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """An image as it came in: its picture, its header, and whether it is raw or processed with the reason."""

    picture: Picture
    header: Header
    kind: InputKind
    kind_reason: str
    image: Image


def open_source(folder: Path) -> Source:
    """What the decoder left in `folder`. Raises OSError or ValueError where that is not whole."""
    decoded = cache.load(folder)
    image = decoded.image
    picture = replace(of_image(image), modality=_modality(decoded.header))
    return Source(picture=picture, header=decoded.header, kind=image.kind, kind_reason=image.kind_reason, image=image)


def _modality(header: Header) -> Modality | None:
    slope, intercept = header.modality_slope, header.modality_intercept
    if slope is None or (slope, intercept) == (1.0, 0.0):
        return None
    return Modality(slope=slope, intercept=intercept, unit=header.modality_unit)


def open_result(path: Path, bits: int, pixel: Size = SQUARE) -> Picture:
    """The enhanced pixels that the worker left at `path`, each of the size of the source's; OSError or ValueError where
    they are gone."""
    pixels = array_file.load(path, "r")
    lowest, highest = int(pixels.min()), int(pixels.max())
    # The window that an exported file carries: all of the data and no more.
    window = Window(low=lowest, high=max(highest, lowest + 1))
    return Picture(
        levels=tuple(_levels(pixels)),
        bits=bits,
        lowest=lowest,
        highest=highest,
        voi=window,
        marks=_beside(marks_at(path)),
        disagreement=_beside(disagreement_at(path)),
        pixel=pixel,
    )


def _beside(path: Path) -> NDArray[np.uint8] | None:
    return array_file.load(path) if path.exists() else None


def of_image(image: Image) -> Picture:
    """The picture of an image, shown first as its file asks for."""
    from fullfield.image.window import data_range, first_voi  # not before there is an image to show

    lowest, highest = (int(value) for value in data_range(image))
    levels = tuple(_levels(image.pixels))
    return Picture(
        levels=levels,
        bits=image.bits,
        lowest=lowest,
        highest=highest,
        voi=first_voi(image),
        vois=image.voi,
        padding=image.padding,
        pixel=image.pixel_size,
    )


def _levels(pixels: Pixels) -> Iterator[Pixels]:
    yield pixels
    while max(pixels.shape) > SMALLEST_LEVEL and min(pixels.shape) > 1:
        pixels = halved(pixels)
        yield pixels


def halved(pixels: Pixels) -> Pixels:
    """Half the size by the mean of 2×2 pixels; an odd last row or column is taken twice."""
    rows, columns = pixels.shape
    half = np.empty(((rows + 1) // 2, (columns + 1) // 2), np.uint16)
    for begin in range(0, half.shape[0], CHUNK_ROWS):
        end = min(begin + CHUNK_ROWS, half.shape[0])
        chunk = pixels[2 * begin : 2 * end]
        if chunk.shape[0] % 2 or columns % 2:
            chunk = np.pad(chunk, ((0, chunk.shape[0] % 2), (0, columns % 2)), mode="edge")
        total = chunk[0::2, 0::2].astype(np.uint32)
        total += chunk[0::2, 1::2]
        total += chunk[1::2, 0::2]
        total += chunk[1::2, 1::2]
        total += 2
        total >>= 2
        half[begin:end] = total
    return half
