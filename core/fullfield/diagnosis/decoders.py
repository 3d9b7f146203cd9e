"""Whether every compressed transfer syntax can be read: a tiny radiograph of each is decoded in the decode child.

The specimens in `resources/decoders` show one bone of 48 × 40 pixels; reading must give it back. Those of which a part
is missing must be called damaged. What the child has given up is told, too.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fullfield import files, system
from fullfield.diagnosis.check import bad, good, warn
from fullfield.dicom.read import Decoder
from fullfield.errors import FullfieldError
from fullfield.image.image import Pixels
from fullfield.protocol.checks import CheckMade
from fullfield.sandbox import Confinement

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
DAMAGED = {"damaged-jpeg": "JPEG", "damaged-jpeg-lossless": "JPEG lossless"}
ROWS, COLUMNS, TOP = 48, 40, 4095


def picture() -> Pixels:
    """What all specimens show: a bright shaft on a dark ground."""
    across = np.exp(-(((np.arange(COLUMNS) - COLUMNS / 2) / (COLUMNS / 6)) ** 2))
    along = np.linspace(0.6, 1.0, ROWS)
    shown: Pixels = np.rint(along[:, None] * across[None, :] * TOP).astype(np.uint16)
    return shown


def checks(folder: Path) -> Iterator[CheckMade]:
    """Decode every specimen anew, into a cache below `folder`. Raises WorkerDied where no child can be started."""
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
            unnoticed = [title for name, title in DAMAGED.items() if not _is_noticed(decoder, name)]
            confinement = decoder.confinement()
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    title = "Decoders"
    if failed:
        text = f"Cannot be read: {'; '.join(failed)}. Read as they should be: {', '.join(read) or 'none'}."
        yield bad("decoders", title, text, "Install Fullfield anew: a library that decodes is missing or damaged.")
    else:
        yield good("decoders", title, f"A specimen of each was read as it should be: {', '.join(read)}.")
    yield _damage(unnoticed)
    yield _confinement(confinement)


def _damage(unnoticed: list[str]) -> CheckMade:
    title = "Damaged files"
    if not unnoticed:
        return good("damage", title, "An image of which a part is missing was noticed.")
    text = f"An image of which a part is missing was read as if it were whole: {', '.join(unnoticed)}."
    return bad("damage", title, text, "Install Fullfield anew, and compare results with their originals until then.")


def _confinement(found: Confinement) -> CheckMade:
    key, title = "decoding_child", "Decoding child"
    if not system.LINUX:
        return good(key, title, "It is ended where it takes too much time or memory.")
    if found.whole:
        version = found.landlock
        text = f"No new privileges, no network (seccomp), writes only to its cache (Landlock, version {version})."
        return good(key, title, text)
    parts = {
        "no new privileges": found.no_new_privileges,
        "no network (seccomp)": found.no_network,
        "writes only to its cache (Landlock)": found.landlock > 0,
    }
    lacking = "; ".join(part for part, there in parts.items() if not there)
    text = f"This system's kernel does not offer all that would hold a hostile file. Not in force: {lacking}."
    return warn(key, title, text, "Use a Linux kernel from 5.13 on, in which Landlock and seccomp are switched on.")


def _is_noticed(decoder: Decoder, name: str) -> bool:
    try:
        return bool(decoder.decode(files.resource(f"{FOLDER}/{name}.dcm")).image.damage)
    except FullfieldError:
        return False


def _fault(decoder: Decoder, specimen: Path, near: int) -> str:
    try:
        pixels = decoder.decode(specimen).image.pixels
    except FullfieldError as error:
        return error.detail.rstrip(".") or error.title.rstrip(".")
    if pixels.shape != (ROWS, COLUMNS) or int(np.abs(pixels.astype(int) - picture().astype(int)).max()) > near:
        return "its picture is not what it should be"
    return ""
