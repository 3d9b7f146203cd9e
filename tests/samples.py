"""The radiographs that ship, with a part of their pixels: all that their files say, in a small part of the time."""

from __future__ import annotations

import functools
import io
from pathlib import Path

import pydicom
from pydicom.uid import ExplicitVRLittleEndian

from fullfield.files import resource

NAMES = tuple(sorted(path.name for path in resource("phantoms").glob("*.dcm")))


@functools.cache
def content(name: str, by: int = 8) -> bytes:
    """The file of one, of which one of `by` rows and columns is left."""
    made = pydicom.dcmread(resource("phantoms") / name)
    pixels = made.pixel_array[::by, ::by]
    made.Rows, made.Columns = pixels.shape
    made.PixelData = pixels.tobytes()
    made.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    made["PixelData"].VR, made["PixelData"].is_undefined_length = "OW", False
    written = io.BytesIO()
    made.save_as(written)
    return written.getvalue()


def write(folder: Path, name: str, by: int = 8) -> Path:
    """Such a file in `folder`, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content(name, by))
    return folder / name
