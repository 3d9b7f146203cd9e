"""A DICOM file changed the way a ten-line script does it: the yardstick that the benchmark measures our path against.

Not for results: no structure is checked, nothing is decoded in a child, and the copy keeps attributes that belong to
the old pixels. `fullfield.dicom` does it right; it is not used here, for the yardstick has pydicom as everybody has it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pydicom
from numpy.typing import NDArray
from pydicom.uid import generate_uid

Pixels = NDArray[np.uint16]


def rewrite(source: Path, target: Path, change: Callable[[Pixels], Pixels]) -> None:
    """Write `source`, an uncompressed file of unsigned 16-bit pixels, to `target` with its pixels changed, to disk."""
    dataset = pydicom.dcmread(source)
    pixels = np.ascontiguousarray(dataset.pixel_array, dtype=np.uint16)
    dataset.PixelData = change(pixels).tobytes()
    dataset.SOPInstanceUID = dataset.file_meta.MediaStorageSOPInstanceUID = generate_uid()
    dataset.SeriesInstanceUID = generate_uid()
    with target.open("wb") as stream:
        dataset.save_as(stream)
        stream.flush()
        os.fsync(stream.fileno())


__all__ = ["Pixels", "rewrite"]
