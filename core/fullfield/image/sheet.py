"""Pictures for export: an image as it is seen, the pair side by side, and the strip with the mark below.

The strip is added below the picture and covers none of it; its text fills the width, so that it can be read at any
size at which the picture is looked at (decision 016).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from fullfield import files
from fullfield.image.delivery import Appearance, Delivery
from fullfield.image.image import Enhanced, Image, Picture, Pixels, Voi
from fullfield.image.window import first_voi, greys, whole_window

Grey = NDArray[np.uint8]
_INK = 235
_CAPTION_INK = 190
_SIGNS_PER_LINE = 34  # of the width: two or three lines for the sentence that every export carries
_LINES_PER_HEIGHT = 24
_SMALLEST_TEXT = 11


def displayed(source: Image, enhanced: Enhanced, delivery: Delivery) -> Grey:
    """The picture as it is seen, at native size: the image after alone, or right of the one before."""
    look = delivery.look
    after = _seen(enhanced.pixels, look.after or whole_window(enhanced.pixels), look)
    if not delivery.beside:
        return after
    table = next((voi for place, voi in enumerate(source.voi) if place == look.table), None)
    before = _seen(source.pixels, table or look.before or first_voi(source), look, padding=source.padding)
    return _pair(before, after, delivery.captions)


def oriented(pixels: Grey, turns: int, *, mirrored: bool) -> Grey:
    """Quarter turns clockwise, then mirrored left to right; a view, nothing is copied."""
    turned = np.rot90(pixels, -turns)
    return np.fliplr(turned) if mirrored else turned


def marked(picture: Picture, text: str) -> Picture:
    """`picture` with a strip below that says `text`; its own rows stay as they are, and stay first."""
    if not text:
        return picture
    rows, columns = picture.shape
    size = max(_SMALLEST_TEXT, min(columns // _SIGNS_PER_LINE, rows // _LINES_PER_HEIGHT))
    strip = _written(text, columns, size)
    whole: Picture = np.empty((rows + strip.shape[0], columns), picture.dtype)
    whole[:rows] = picture
    whole[rows:] = strip.astype(whole.dtype) * (np.iinfo(whole.dtype).max // 255)
    return whole


def _seen(pixels: Pixels, voi: Voi, look: Appearance, *, padding: tuple[int, int] | None = None) -> Grey:
    seen: Grey = oriented(
        greys(voi, inverted=look.inverted, padding=padding)[pixels], look.turns, mirrored=look.mirrored
    )
    return np.ascontiguousarray(seen)


def _pair(before: Grey, after: Grey, captions: tuple[str, str]) -> Grey:
    """Side by side with a gap, a line of captions above."""
    rows, columns = after.shape
    size = max(_SMALLEST_TEXT, columns // _SIGNS_PER_LINE)
    gap, heading = max(2, columns // 100), round(1.6 * size)
    sheet = Pictures.new("L", (2 * columns + gap, heading + rows), 0)
    pen = ImageDraw.Draw(sheet)
    for left, text, picture in ((0, captions[0], before), (columns + gap, captions[1], after)):
        pen.text((left + size // 3, heading // 2), text, fill=_CAPTION_INK, font=_font(size), anchor="lm")
        sheet.paste(Pictures.fromarray(picture), (left, heading))
    return np.asarray(sheet)


def _written(text: str, width: int, size: int) -> Grey:
    """A strip of `width` with as many lines of `text` as it takes."""
    font, margin = _font(size), max(2, size // 2)
    pen = ImageDraw.Draw(Pictures.new("L", (1, 1)))
    lines = _wrapped(text, width - 2 * margin, pen, font)
    height = round(1.35 * size)
    strip = Pictures.new("L", (width, len(lines) * height + margin), 0)
    pen = ImageDraw.Draw(strip)
    for number, line in enumerate(lines):
        pen.text((margin, margin // 2 + number * height), line, fill=_INK, font=font)
    return np.asarray(strip)


def _wrapped(text: str, width: int, pen: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and pen.textlength(longer, font=font) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """DejaVu Sans: the font inside Pillow has no accents."""
    return ImageFont.truetype(str(files.resource("fonts/DejaVuSans.ttf")), size)


__all__ = ["displayed", "marked", "oriented"]
