from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.image import blocks


@pytest.mark.parametrize("step", [1, 2, 3, 4, 7, 11])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_that_cells_of_whole_pixels_are_means_of_them(step: int, kind: type) -> None:
    values: NDArray[np.uint16] = np.random.default_rng(step).integers(0, np.iinfo(kind).max + 1, (77, 66)).astype(kind)
    whole = values[: 77 // step * step, : 66 // step * step]
    rows, columns = (side // step for side in whole.shape)

    found = blocks.means(whole, blocks.parts(whole.shape[0], rows), columns)

    assert found == pytest.approx(whole.reshape(rows, step, columns, step).mean(axis=(1, 3)), rel=1e-5)


@pytest.mark.parametrize("side", [4, 9, 13, 1157, 1935])
def test_that_a_mirrored_picture_has_the_same_cells(side: int) -> None:
    values = np.random.default_rng(side).integers(0, 4096, (side, 700)).astype(np.uint16)
    rows = blocks.parts(side, -(-side // 6))
    found = blocks.means(values, rows, 117)

    for turn in (np.flipud, np.fliplr):
        assert turn(blocks.means(turn(values), rows, 117)) == pytest.approx(found, rel=1e-5)
