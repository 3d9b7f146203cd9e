"""What is known of a result cell by cell, as it is left beside it for the window: what was added and what was taken,
and how much the members of an ensemble disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MARKS_CELL = 16  # pixels of the image a side
MARKED = 0.05  # of white: the strongest mark
Marks = NDArray[np.uint8]
"""(2, rows, columns) of cells: what was added and what was taken, 255 for `MARKED` of white."""
DISAGREED = 0.1  # of white: the strongest disagreement
Cells = NDArray[np.uint8]
"""(rows, columns) of cells, 255 for `DISAGREED` of white."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Disagreement:
    """How much the members of an ensemble disagree on an image: the standard deviation of their results, over the
    members, in units of white. `cells`: in each cell, the root of its mean square; `p99`: what 99 % of the pixels are
    not above. Where all members are wrong alike it is 0: it is no measure of truth."""

    cells: Cells
    p99: float


def marks_at(result: Path) -> Path:
    """Where the marks of a result lie whose pixels lie at `result`."""
    return result.with_suffix(".marks.npy")


def disagreement_at(result: Path) -> Path:
    """Where the disagreement of a result's members lies, cell by cell."""
    return result.with_suffix(".disagreement.npy")


__all__ = ["DISAGREED", "MARKED", "MARKS_CELL", "Cells", "Disagreement", "Marks", "disagreement_at", "marks_at"]
