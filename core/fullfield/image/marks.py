"""What was added to a result and what was taken, cell by cell, as it is left beside the result for the window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MARKS_CELL = 16  # pixels of the image a side
MARKED = 0.05  # of white: the strongest mark
Marks = NDArray[np.uint8]
"""(2, rows, columns) of cells: what was added and what was taken, 255 for `MARKED` of white."""


def marks_at(result: Path) -> Path:
    """Where the marks of a result lie whose pixels lie at `result`."""
    return result.with_suffix(".marks.npy")


__all__ = ["MARKED", "MARKS_CELL", "Marks", "marks_at"]
