"""A model applied to an image of any size: whole where it fits into memory, else in tiles that give the same result.

The image is padded at its right and lower border, by repeating the last row and column, to a multiple of 32; tiles are
cut from that padded image, so that both ways see the same borders. Pixels go through the model's own table on their
way in, band by band, and straight into the output array on their way out: no float copy of the whole image exists.
What computes is found in `backends.registry`; no engine is imported here.
"""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield import files
from fullfield.enhance import fit, tiles
from fullfield.enhance.backends import registry
from fullfield.enhance.backends.base import FP32, Backend
from fullfield.enhance.tiles import Cut, Span, Tile
from fullfield.errors import OutOfMemory
from fullfield.image import normalise
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, Image, Pixels, Recipe
from fullfield.image.normalise import Normalisation, Unit
from fullfield.model import card as cards
from fullfield.model.card import FULL_HALO, Card

Notice = Callable[[str], None]


def open_model(
    path: Path, *, device: str, notice: Notice, precision: str = FP32, budget: int | None = None
) -> NetworkEnhancer:
    """The enhancer of a model file on a device, saying by `notice` which device and precision it has.

    `device`, `precision`: see `OpenBackend`. `budget`: bytes that one image's computation may take (default: what is
    free; on the CPU so that the process stays below 3 GiB). Raises MissingPart, ModelError, DeviceUnavailable.
    """
    engine = registry.find(cards.read(path).network.family)
    backend, card, said = engine.load()(path, device=device, precision=precision)
    try:
        normalisation = Normalisation.from_json(card.normalisation)
    except (TypeError, ValueError) as error:
        raise cards.refused(
            "Its normalisation is not known to this version.", "Update Fullfield, or choose another model."
        ) from error
    notice(said)
    recipe = Recipe(
        method="model",
        name=card.name,
        version=card.versions.get("fullfield", ""),
        sha256=files.sha256(path),
        parameters=(
            f"{card.network.title}, {backend.precision}, {card.input_kind} input, "
            f"normalised to {normalisation.sentence}"
        ),
    )
    return NetworkEnhancer(backend, card, normalisation, recipe, notice=notice, budget=budget)


class NetworkEnhancer:
    """An `Enhancer` around a backend. Several threads may use it; one image at a time is computed."""

    def __init__(
        self,
        backend: Backend,
        card: Card,
        normalisation: Normalisation,
        recipe: Recipe,
        *,
        notice: Notice,
        budget: int | None = None,
    ) -> None:
        self.recipe, self.card, self.normalisation = recipe, card, normalisation
        self.backend = backend
        self._notice, self._budget, self._said = notice, budget, ""
        self._lock = threading.Lock()
        self._tables: weakref.WeakKeyDictionary[Image, Unit] = weakref.WeakKeyDictionary()

    def enhance(self, decoded: Decoded) -> Enhanced:
        """The image enhanced; same matrix. Raises InputRefused (other kind of image), OutOfMemory."""
        image = decoded.image
        fit.refuse_other_kind(image, self.card, modality=decoded.header.modality)
        warnings = fit.warnings(image, self.card)
        with self._lock:
            pixels = self._within_memory(image)
        bits = normalise.output_bits(image)
        return Enhanced(pixels=pixels, bits=bits, recipe=self.recipe, warnings=warnings, seen=self.input_table(image))

    def input_table(self, image: Image) -> Unit:
        """See `normalise.input_table`; kept as long as the image is, for its result is judged by it too."""
        if image not in self._tables:
            self._tables[image] = normalise.input_table(image, self.normalisation)
        return self._tables[image]

    def _within_memory(self, image: Image) -> Pixels:
        """Whole or in the tiles that fit; where memory runs out all the same, in tiles half as large, and so on."""
        rows, columns = (tiles.padded(side) for side in image.pixels.shape)
        halo = self.card.halo if self.card.halo is not None else FULL_HALO[self.card.network.encoder]
        capacity = self.backend.capacity(self._budget)
        while (cut := tiles.cheapest(rows, columns, halo=halo, pixels=capacity)) is not None:
            self._say(self._describe(cut, halo))
            try:
                return enhance_in(cut, self.backend, image, self.input_table(image))
            except Exception as error:
                if not self.backend.is_out_of_memory(error):
                    raise
            gc.collect()
            self.backend.free()
            height, width = cut.largest
            capacity = min(capacity, height * width) // 2
            self._say(f"Memory ran out on {self.backend.title}: trying tiles of half the size.")
        raise OutOfMemory(
            f"Cannot enhance the image with the model {self.card.name} on {self.backend.title}.",
            detail=f"Not even a tile of {2 * halo + cards.GRID} pixels a side fits into the memory that is free.",
            hint="Close other programs, choose the device cpu, or use a preset, which needs far less memory.",
        )

    def _describe(self, cut: Cut, halo: int) -> str:
        where = f"on {self.backend.title} in {self.backend.precision}"
        if len(cut) == 1:
            return f"Enhancing {where}, the whole image at once."
        height, width = cut.largest
        origin = "calibrated for this model" if self.card.halo is not None else "the network's whole reach"
        return (
            f"Enhancing {where}, in {len(cut)} tiles of up to {height:,} × {width:,} pixels with a halo of {halo} "
            f"({origin}), for the whole image does not fit into memory."
        )

    def _say(self, text: str) -> None:
        """Each news once, not once per image."""
        if text != self._said:
            self._said = text
            self._notice(text)


def enhance_in(cut: Cut, backend: Backend, image: Image, table: Unit) -> Pixels:
    """The enhanced pixels, computed in the tiles of `cut`. `table`: see `normalise.input_table`. Padding of the source
    stays black."""
    rows, columns = image.pixels.shape
    bits = normalise.output_bits(image)
    result = np.zeros((rows, columns), np.uint16)

    def store(top: int, left: int, part: Unit) -> None:
        place = result[top : top + part.shape[0], left : left + part.shape[1]]
        normalise.to_pixels(part[: place.shape[0], : place.shape[1]], bits, place, beam=image.beam)

    compute(cut, backend, image.pixels, table, store)
    _blacken_padding(result, image)
    return result


def compute(cut: Cut, backend: Backend, pixels: Pixels, table: Unit, store: Callable[[int, int, Unit], None]) -> None:
    """Run all tiles; `store(top, left, values in 0…1)` takes each band of a core, which may reach past the image."""
    for tile in cut:
        source = _Source(pixels, table, tile)
        kept, columns = tile.rows, tile.columns
        inner = slice(columns.core_first - columns.first, columns.core_last - columns.first)
        for low, values in backend.run(source, tile.rows.length, tile.columns.length):
            top = tile.rows.first + low
            first, last = max(top, kept.core_first), min(top + values.shape[0], kept.core_last)
            if first < last:
                store(first, columns.core_first, values[first - top : last - top, inner])


class _Source:
    """A tile's input, row by row: the last row and column are repeated where the padded image goes on."""

    def __init__(self, pixels: Pixels, table: Unit, tile: Tile) -> None:
        self._pixels, self._table = pixels, table
        self._rows, self._columns = tile.rows, tile.columns

    def __call__(self, low: int, high: int) -> Unit:
        rows = _clipped(self._rows, low, high, self._pixels.shape[0])
        columns = _clipped(self._columns, 0, self._columns.length, self._pixels.shape[1])
        values = cv2.LUT(self._pixels[rows, columns], self._table)
        missing = (high - low - values.shape[0], self._columns.length - values.shape[1])
        if any(missing):
            values = np.pad(values, ((0, missing[0]), (0, missing[1])), mode="edge")
        return np.ascontiguousarray(values)


def _clipped(span: Span, low: int, high: int, length: int) -> slice:
    """Positions `low` … `high` − 1 of a span as far as the image has them; its last one where it has none."""
    first = min(span.first + low, length - 1)
    return slice(first, max(first + 1, min(span.first + high, length)))


def _blacken_padding(result: NDArray[np.uint16], image: Image) -> None:
    """What is no image in the source is none in the result either."""
    mask = normalise.is_padding(image, image.pixels)
    if mask is not None:
        result[mask] = 0
