"""Before and after, side by side, as one PNG: what a batch prints the place of, and what the README shows.

Captions are given by the caller; nothing else of a file is written, so no patient value can get in.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from fullfield.image import window
from fullfield.image.image import Enhanced, Image, Pixels, Voi
from fullfield.image.values import Window

_GROUND, _INK = 24, 208  # greys of the sheet and its text: nothing on it outshines the pictures
_GAP = 12
_TEXT = 15


Tile = Pictures.Image
"""One pair, drawn small: what is kept of an image while a batch goes on."""


def encoded(tiles: Sequence[Tile], *, columns: int = 2) -> bytes:
    """The sheet of `tiles` as a PNG, `columns` pairs per row. Raises ValueError for no tiles."""
    if not tiles:
        raise ValueError("a contact sheet of no images")
    columns = min(columns, len(tiles))
    rows = [tiles[first : first + columns] for first in range(0, len(tiles), columns)]
    width = max(tile.width for tile in tiles)
    sheet = Pictures.new(
        "L",
        (
            columns * width + (columns + 1) * _GAP,
            sum(max(tile.height for tile in row) for row in rows) + (len(rows) + 1) * _GAP,
        ),
        _GROUND,
    )
    top = _GAP
    for row in rows:
        for place, tile in enumerate(row):
            sheet.paste(tile, (_GAP + place * (width + _GAP), top))
        top += max(tile.height for tile in row) + _GAP
    content = io.BytesIO()
    sheet.save(content, "PNG", optimize=True)
    return content.getvalue()


def read(path: Path) -> Tile:
    """A tile that was saved as a PNG."""
    with Pictures.open(path) as tile:
        return tile.copy()


def draw(before: Image, after: Enhanced, *, caption: str, side: int = 480) -> Tile:
    """One image before and after, each within `side` pixels; `caption` without a patient's value, cut when too long."""
    pixel = before.pixel_size
    shown = _shown(before.pixels, window.first_voi(before), side, pixel, before.padding)  # as a viewer would first
    grey = _shown(after.pixels, Window(low=0, high=(1 << after.bits) - 1), side, pixel)
    rows, columns = shown.shape
    font = ImageFont.load_default(_TEXT)
    heading = 2 * _TEXT + 10
    tile = Pictures.new("L", (max(2 * columns + _GAP, 2 * side // 3), rows + heading), _GROUND)
    pen = ImageDraw.Draw(tile)
    pen.text((0, 0), _cut(caption, tile.width, pen, font), fill=_INK, font=font)
    for left, text, picture in ((0, "before", shown), (columns + _GAP, "after", grey)):
        pen.text((left, _TEXT + 4), text, fill=_INK * 2 // 3, font=font)
        tile.paste(Pictures.fromarray(np.ascontiguousarray(picture)), (left, heading))
    return tile


def _shown(
    pixels: Pixels, voi: Voi, side: int, pixel: tuple[float, float], padding: tuple[int, int] | None = None
) -> NDArray[np.uint8]:
    """What is seen through a window, within `side`×`side`: in true proportions by a `pixel`'s width and height, never
    enlarged."""
    grey = window.greys(voi, padding=padding)[pixels]
    wide, high = grey.shape[1] * pixel[0], grey.shape[0] * pixel[1]
    scale = min(1.0, side / max(wide, high))
    size = (max(1, round(wide * scale)), max(1, round(high * scale)))
    small: NDArray[np.uint8] = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return small


def _cut(text: str, width: int, pen: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> str:
    text = " ".join(text.split())
    if pen.textlength(text, font=font) <= width:
        return text
    while text and pen.textlength(text + "…", font=font) > width:
        text = text[:-1]
    return text + "…"


__all__ = ["Tile", "draw", "encoded", "read"]
