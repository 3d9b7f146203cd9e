"""Enhanced images as PNG and TIFF, with their scale and a plain sentence about what they are not.

All of the data in 16 bits, or the picture as it is seen in 8: see `Delivery`. No patient value goes into these files:
name and matrix are all that they share with their source.
"""

from __future__ import annotations

import io
import struct
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from fullfield import __version__, files
from fullfield.image.delivery import FULL, Delivery
from fullfield.image.image import Enhanced, Image, Picture, Pixels, Recipe

MADE_BY = "Fullfield "
SOFTWARE = f"{MADE_BY}{__version__}"
NOT_FOR_DIAGNOSIS = (
    "Research and image-quality tool. Not a medical device. Not for primary diagnosis. "
    "Always consult the original image."
)
NOT_FOR_DIAGNOSIS_ES = (
    "Herramienta de investigación y de calidad de imagen. No es un producto sanitario. "
    "No apta para el diagnóstico primario. Consulte siempre la imagen original."
)

OF_A_DAMAGED_FILE = "The original file is damaged: parts of the picture may be missing or wrong."
OF_A_DAMAGED_FILE_ES = "El archivo original está dañado: puede que falten partes de la imagen o que sean erróneas."


class OutputFormat(StrEnum):
    """What a result is written as."""

    DICOM = "dicom"
    PNG16 = "png16"
    TIFF = "tiff"


class Scale(NamedTuple):
    """How large a pixel is, down and across, in mm; where only that is known, the ratio of both."""

    spacing_mm: tuple[float, float] | None
    aspect: tuple[int, int] | None

    def turned(self) -> Scale:
        """Of the picture turned by a quarter."""
        return Scale(self.spacing_mm and self.spacing_mm[::-1], self.aspect and self.aspect[::-1])


_PNG_HEAD = 33  # bytes: the signature and IHDR, which other chunks follow
SUFFIX: dict[OutputFormat, str] = {OutputFormat.DICOM: ".dcm", OutputFormat.PNG16: ".png", OutputFormat.TIFF: ".tiff"}


def write(
    source: Image,
    enhanced: Enhanced,
    target: Path,
    *,
    format: OutputFormat,
    delivery: Delivery = FULL,
    parts: Path | None = None,
) -> None:
    """Write `enhanced`, made from `source`, to `target` as PNG or TIFF, whole or not at all. Raises CannotWrite.

    All of the data are spread over 16 bits, for viewers of these formats take the type's range for the picture's:
    `round(value · 65535 / (2**bits − 1))`, which loses nothing.
    """
    encode = {OutputFormat.PNG16: _png, OutputFormat.TIFF: _tiff}[format]
    scale = Scale(spacing_mm=source.spacing_mm, aspect=source.aspect)
    if delivery.displayed:
        from fullfield.image import sheet  # draws with fonts: not needed to name a format

        pixels: Picture = sheet.displayed(source, enhanced, delivery)
        scale = scale.turned() if delivery.look.turns % 2 else scale
    else:
        pixels = spread(enhanced.pixels, enhanced.bits)
    text = description(enhanced.recipe, strip=bool(delivery.mark), rows=pixels.shape[0], damaged=bool(source.damage))
    if delivery.mark:
        from fullfield.image import sheet

        pixels = sheet.marked(pixels, delivery.mark)
    with files.atomic_write(target, parts=parts) as stream:
        encode(stream, pixels, text, scale)


def spread(pixels: Pixels, bits: int) -> Pixels:
    """`pixels` of `bits` bits over the whole range of 16: 0 stays 0, 2**bits − 1 becomes 65535."""
    if bits == 16:
        return pixels
    table = np.rint(np.arange(1 << bits) * (65535 / ((1 << bits) - 1))).astype(np.uint16)
    spread_out: Pixels = table[pixels]
    return spread_out


def description(recipe: Recipe, *, strip: bool = False, rows: int = 0, damaged: bool = False) -> str:
    """What the file says of itself, in English and Spanish; `strip`: below its first `rows` rows stands the mark.

    `damaged`: it was made from a damaged file.
    """
    made = f"Enhanced by Fullfield {__version__} ({recipe.method} {recipe.name} {recipe.version})."
    below = [f"The picture is the first {rows} rows; the strip below says what it is not for."] if strip else []
    wrong = [OF_A_DAMAGED_FILE, OF_A_DAMAGED_FILE_ES] if damaged else []
    return " ".join((*wrong, made, *below, NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES))


def _png(stream: BinaryIO, pixels: Picture, said: str, scale: Scale) -> None:
    from PIL import Image as Pictures
    from PIL import PngImagePlugin  # not needed to name a format, so not loaded with this module

    text = PngImagePlugin.PngInfo()
    text.add_text("Software", SOFTWARE)
    text.add_itxt("Description", said)
    text.add_text("Disclaimer", NOT_FOR_DIAGNOSIS)
    spacing_mm = scale.spacing_mm
    dpi = {} if spacing_mm is None else {"dpi": (25.4 / spacing_mm[1], 25.4 / spacing_mm[0])}
    picture, buffer = Pictures.fromarray(np.ascontiguousarray(pixels)), io.BytesIO()
    picture.save(buffer, format="PNG", pnginfo=text, compress_level=1, **dpi)
    stream.write(buffer.getbuffer()[:_PNG_HEAD])
    if spacing_mm is None and scale.aspect:  # Pillow reads it and does not write it: pixels per unit across and down
        PngImagePlugin.putchunk(stream, b"pHYs", struct.pack(">IIB", *scale.aspect, 0))
    stream.write(buffer.getbuffer()[_PNG_HEAD:])


def _tiff(stream: BinaryIO, pixels: Picture, said: str, scale: Scale) -> None:
    import tifffile

    per_unit: tuple[float, float] = scale.aspect or (1, 1)  # across and down, by a pixel's height and width
    if scale.spacing_mm is not None:
        per_unit = 10 / scale.spacing_mm[1], 10 / scale.spacing_mm[0]
    buffer = io.BytesIO()  # tifffile takes no stream whose name is a number, as a temporary file's is
    tifffile.imwrite(
        buffer,
        pixels,
        photometric="minisblack",
        compression="zlib",
        description=said.encode(),  # UTF-8, as OME-TIFF has it: the sentence is in Spanish too
        software=SOFTWARE,
        metadata=None,
        resolution=per_unit,
        resolutionunit="NONE" if scale.spacing_mm is None else "CENTIMETER",
    )
    stream.write(buffer.getbuffer())
