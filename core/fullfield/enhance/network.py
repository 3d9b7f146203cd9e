"""A model applied to an image of any size: whole where it fits into memory, else in tiles that give the same result;
its rows among devices where several are free.

The image is padded at its right and lower border, by repeating the last row and column, to a multiple of 32; tiles are
cut from that padded image, so that both ways see the same borders. Pixels go through the model's own table on their
way in, band by band, and straight into the output array on their way out: no float copy of the whole image exists.
What computes is found in `backends.registry`; no engine is imported here.
"""

from __future__ import annotations

import contextlib
import gc
import math
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.enhance import detail_kept, fit, tiles
from fullfield.enhance.backends import registry
from fullfield.enhance.backends.base import FP32, Backend
from fullfield.enhance.portions import Portion
from fullfield.enhance.sharing import Shared, compute_all
from fullfield.enhance.tiles import Cut, Span, Tile
from fullfield.errors import OutOfMemory
from fullfield.image import normalise
from fullfield.image.cache import Decoded
from fullfield.image.declared import Declared
from fullfield.image.image import Enhanced, Image, Pixels, Recipe
from fullfield.image.normalise import Normalisation, Unit
from fullfield.model import card as cards
from fullfield.model.card import FULL_HALO, Card

Notice = Callable[[str], None]


def open_model(
    path: Path,
    *,
    device: str,
    notice: Notice,
    precision: str = FP32,
    budget: int | None = None,
    off_scale: bool = False,
    member: int | None = None,
) -> NetworkEnhancer:
    """The enhancer of a model file on a device, or of one `member` of an ensemble's; see `ensemble.open_here` for all.
    `notice` is told which device and precision it has.

    `device`, `precision`: see `OpenBackend`. `budget`: bytes that one image's computation may take (default: what is
    free; on the CPU so that the process stays below 3 GiB). `off_scale`: let it draw at every scale, and not at its own
    alone. Raises MissingPart, ModelError, DeviceUnavailable.
    """
    engine = registry.find(cards.read(path).network.family)
    backends, card, said = engine.load()(path, device=device, precision=precision, member=member)
    normalisation = normalisation_of(card)
    sha256 = cards.sha256(path) if member is None else cards.read(path).members[member]
    recipe = recipe_of(sha256, card, precision=backends[0].precision)
    notice(said)
    return NetworkEnhancer(backends, card, normalisation, recipe, notice=notice, budget=budget, off_scale=off_scale)


def normalisation_of(card: Card) -> Normalisation:
    """How an image becomes the model's input. Raises ModelError."""
    try:
        return Normalisation.from_json(card.normalisation)
    except (TypeError, ValueError) as error:
        raise cards.refused(
            "Its normalisation is not known to this version.", "Update Fullfield, or choose another model."
        ) from error


def recipe_of(sha256: str, card: Card, *, precision: str = FP32) -> Recipe:
    """How an image came to be that was enhanced by the model whose file has this SHA-256. Raises ModelError."""
    return Recipe(
        method="model",
        name=card.name,
        version=card.versions.get("fullfield", ""),
        sha256=sha256,
        parameters=(
            f"{card.network.title}, {precision}, {card.input_kind} input, "
            f"normalised to {normalisation_of(card).sentence}"
        ),
    )


def drawn_at(recipe: Recipe, levels: int) -> Recipe:
    """Of an image that was halved so many times before the network drew it, see `detail_kept`."""
    if not levels:
        return recipe
    said = f"{recipe.parameters}, drawn at 1/{1 << levels} of the image's size, finer detail kept"
    return replace(recipe, parameters=said)


class NetworkEnhancer:
    """An `Enhancer` around the backends of one network. Several threads may use it; each backend computes one image at
    a time, or some rows of one."""

    def __init__(
        self,
        backends: Sequence[Backend],
        card: Card,
        normalisation: Normalisation,
        recipe: Recipe,
        *,
        notice: Notice,
        budget: int | None = None,
        off_scale: bool = False,
    ) -> None:
        self.recipe, self.card, self.normalisation = recipe, card, normalisation
        self.backends = tuple(backends)
        self._shared = Shared(backends)
        self._notice, self._budget, self._said = notice, budget, set[str]()
        self._off_scale = off_scale
        self._tables: weakref.WeakKeyDictionary[Image, Unit] = weakref.WeakKeyDictionary()

    def enhance(self, decoded: Decoded) -> Enhanced:
        """The image enhanced; same matrix. Raises InputRefused (other kind of image), OutOfMemory."""
        image = decoded.image
        fit.refuse_other_kind(image, self.card, modality=decoded.header.modality)
        levels = 0 if self._off_scale else fit.levels_finer(image, self.card)
        warnings = fit.warnings(image, self.card, kept=levels)
        pixels, declared = (self._keeping_detail(image, levels), None) if levels else self._within_memory(image)
        recipe, bits = drawn_at(self.recipe, levels), normalise.output_bits(image)
        seen = self.input_table(image)
        return Enhanced(pixels=pixels, bits=bits, recipe=recipe, warnings=warnings, seen=seen, declared=declared)

    @property
    def at_once(self) -> int:
        """See `elsewhere.Network`."""
        return len(self.backends)

    def input_table(self, image: Image) -> Unit:
        """See `normalise.input_table`; kept as long as the image is, for its result is judged by it too."""
        if image not in self._tables:
            self._tables[image] = normalise.input_table(image, self.normalisation)
        return self._tables[image]

    def _keeping_detail(self, image: Image, levels: int) -> Pixels:
        """See `detail_kept`: the network's own scale is so many halvings below the image's."""
        seen = cv2.LUT(image.pixels, self.input_table(image))
        small = np.rint(detail_kept.reduced(seen, levels) * np.float32(normalise.VALUES - 1))
        at_scale = Image(pixels=small.astype(np.uint16), bits=16, high=image.high, kind=image.kind)
        drawn, _ = self._within_memory(at_scale, np.linspace(0, 1, normalise.VALUES, dtype=np.float32))
        made = detail_kept.kept(seen, drawn.astype(np.float32) / np.float32(normalise.VALUES - 1), levels)
        pixels = normalise.to_pixels(made, normalise.output_bits(image), beam=image.beam)
        _blacken_padding(pixels, image)
        return pixels

    def _within_memory(self, image: Image, table: Unit | None = None) -> tuple[Pixels, Declared | None]:
        """Whole, its rows among devices, or in the tiles that fit; where memory runs out all the same, in tiles half as
        large, and so on, but of a network that must see all of an image."""
        table = self.input_table(image) if table is None else table
        with self._taken(image) as backends:
            capacity = self._capacity(backends)
            while (cut := self._cut(image, len(backends), capacity)) is not None:
                self._say(self._describe(cut, backends))
                try:
                    return enhance_in(cut, backends, image, table)
                except Exception as error:
                    if not backends[0].is_out_of_memory(error):
                        raise
                    if self.card.network.of.whole:
                        raise self._too_large(
                            backends, "It looks at the whole image, for which memory ran out."
                        ) from error
                gc.collect()
                for one in backends:
                    one.free()
                height, width = cut.largest
                capacity = min(capacity, height * width) // 2
                self._say(f"Memory ran out on {_title(backends)}: trying tiles of half the size.")
            smallest = 2 * self._halo + cards.GRID
            raise self._too_large(
                backends, f"Not even a tile of {smallest} pixels a side fits into the memory that is free."
            )

    @contextlib.contextmanager
    def _taken(self, image: Image) -> Iterator[Sequence[Backend]]:
        """Those that compute an image: all that its rows want, where one has no memory for it and they have, so that
        images of one size are computed in one way. That is judged by one that is free: another's memory is in use."""
        whole = self._cut(image, len(self.backends), self._capacity(self.backends))
        with self._shared.taken(len(whole) if whole is not None else 1) as backends:
            capacity = self._capacity(backends)
            whole, by_one = (self._cut(image, count, capacity) for count in (len(self.backends), 1))
            wanted = len(whole) if whole is not None and whole.together and (by_one is None or len(by_one) > 1) else 1
            if len(backends) >= wanted:
                yield backends
                return
        with self._shared.taken(wanted, wanted) as backends:
            yield backends

    def _capacity(self, backends: Sequence[Backend]) -> int:
        return min(one.capacity(self._budget) for one in backends)

    def _too_large(self, backends: Sequence[Backend], detail: str) -> OutOfMemory:
        return OutOfMemory(
            f"Cannot enhance the image with the model {self.card.name} on {_title(backends)}.",
            detail=detail,
            hint="Close other programs, choose the device cpu, or use a preset, which needs far less memory.",
        )

    def _cut(self, image: Image, devices: int, capacity: int) -> Cut | None:
        rows, columns = (tiles.padded(side) for side in image.pixels.shape)
        rows_each = tiles.among(devices, rows, columns)
        if rows_each is not None and math.prod(rows_each.largest) <= capacity:
            return rows_each
        return tiles.cheapest(rows, columns, halo=self._halo, pixels=capacity)

    @property
    def _halo(self) -> int:
        return self.card.halo if self.card.halo is not None else FULL_HALO[self.card.network.encoder]

    def _describe(self, cut: Cut, backends: Sequence[Backend]) -> str:
        where, precision = _title(backends), backends[0].precision
        if len(cut) == 1:
            return f"Enhancing on {where} in {precision}, the whole image at once."
        height, width = cut.largest
        if cut.together:
            return f"Enhancing on {where} in {precision}, each up to {height:,} of the image's rows."
        origin = "calibrated for this model" if self.card.halo is not None else "the network's whole reach"
        halo = f"a halo of {self._halo} ({origin})"
        return (
            f"Enhancing on {where} in {precision}, in {len(cut)} tiles of up to {height:,} × {width:,} pixels with "
            f"{halo}, for the whole image does not fit into memory."
        )

    def _say(self, text: str) -> None:
        """Each news once, not once per image."""
        if text not in self._said:
            self._said.add(text)
            self._notice(text)


def _title(backends: Sequence[Backend]) -> str:
    return " and ".join(one.title for one in backends)


def enhance_in(cut: Cut, backends: Sequence[Backend], image: Image, table: Unit) -> tuple[Pixels, Declared | None]:
    """The enhanced pixels, computed in the tiles of `cut`, by several backends at once, and what the network says that
    it did, of one tile. `table`: see `normalise.input_table`. Padding of the source stays black."""
    rows, columns = image.pixels.shape
    bits = normalise.output_bits(image)
    result = np.zeros((rows, columns), np.uint16)

    def store(top: int, left: int, part: Unit) -> None:
        place = result[top : top + part.shape[0], left : left + part.shape[1]]
        normalise.to_pixels(part[: place.shape[0], : place.shape[1]], bits, place, beam=image.beam)

    declared = compute(cut, backends, image.pixels, table, store)
    _blacken_padding(result, image)
    return result, declared[0] if len(declared) == 1 else None


def compute(
    cut: Cut, backends: Sequence[Backend], pixels: Pixels, table: Unit, store: Callable[[int, int, Unit], None]
) -> list[Declared | None]:
    """Run all tiles or portions; `store(top, left, values in 0…1)` takes each band of a core, which may reach past the
    image. It is called by as many threads as compute at once. Returns what the network says of each tile, in any
    order."""
    declared: list[Declared | None] = []

    def parts(backend: Backend, tile: Tile, portion: Portion | None) -> Iterator[tuple[int, Unit]]:
        source = _Source(pixels, table, tile)
        declared.append((yield from backend.run(source, tile.rows.length, tile.columns.length, portion)))

    def run(backend: Backend, tile: Tile, portion: Portion | None) -> None:
        kept, columns = tile.rows, tile.columns
        inner = slice(columns.core_first - columns.first, columns.core_last - columns.first)
        for low, values in parts(backend, tile, portion):
            top = tile.rows.first + low
            first, last = max(top, kept.core_first), min(top + values.shape[0], kept.core_last)
            if first < last:
                store(first, columns.core_first, values[first - top : last - top, inner])

    compute_all(backends, cut, run)
    return declared


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
