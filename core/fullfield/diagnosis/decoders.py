"""Whether every compressed transfer syntax can be read: a tiny radiograph of each is decoded in the decode child.

The specimens in `resources/decoders` show one bone of 48 × 40 pixels; reading must give it back.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fullfield import files
from fullfield.diagnosis.check import CheckMade, bad, good
from fullfield.dicom.read import Decoder
from fullfield.errors import FullfieldError
from fullfield.image.image import Pixels

FOLDER = "decoders"
# The specimen's name, the transfer syntax in words, and how far a pixel of 12 bits may be from the picture.
SPECIMENS = (
    ("uncompressed", "uncompressed", 0),
    ("rle", "RLE", 0),
    ("jpeg-lossless", "JPEG lossless", 0),
    ("jpeg-12-bit", "JPEG with 12 bits", 4),
    ("jpeg-ls", "JPEG-LS", 0),
    ("jpeg-2000", "JPEG 2000", 0),
    ("htj2k", "HTJ2K", 0),
)
ROWS, COLUMNS, TOP = 48, 40, 4095


def picture() -> Pixels:
    """What all specimens show: a bright shaft on a dark ground."""
    across = np.exp(-(((np.arange(COLUMNS) - COLUMNS / 2) / (COLUMNS / 6)) ** 2))
    along = np.linspace(0.6, 1.0, ROWS)
    shown: Pixels = np.rint(along[:, None] * across[None, :] * TOP).astype(np.uint16)
    return shown


def checks(folder: Path) -> Iterator[CheckMade]:
    """Decode every specimen anew, into a cache below `folder`."""
    cache = folder / "decoded"
    read: list[str] = []
    failed: list[str] = []
    try:
        with Decoder(cache) as decoder:
            for name, title, near in SPECIMENS:
                fault = _fault(decoder, files.resource(f"{FOLDER}/{name}.dcm"), near)
                if fault:
                    failed.append(f"{title} ({fault})")
                else:
                    read.append(title)
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    title = "Decoders"
    if failed:
        text = f"Cannot be read: {'; '.join(failed)}. Read as they should be: {', '.join(read) or 'none'}."
        yield bad("decoders", title, text, "Install Fullfield anew: a library that decodes is missing or damaged.")
    else:
        yield good("decoders", title, f"A specimen of each was read as it should be: {', '.join(read)}.")


def _fault(decoder: Decoder, specimen: Path, near: int) -> str:
    try:
        pixels = decoder.decode(specimen).image.pixels
    except FullfieldError as error:
        return error.detail.rstrip(".") or error.title.rstrip(".")
    if pixels.shape != (ROWS, COLUMNS) or int(np.abs(pixels.astype(int) - picture().astype(int)).max()) > near:
        return "its picture is not what it should be"
    return ""
