from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.image import blocks


@pytest.mark.parametrize("step", [1, 2, 3, 4, 7, 11])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_that_means_of_blocks_are_those_of_opencv(step: int, kind: type) -> None:
    values: NDArray[np.uint16] = np.random.default_rng(step).integers(0, np.iinfo(kind).max + 1, (77, 91)).astype(kind)
    padded = cv2.copyMakeBorder(values, 0, -77 % step, 0, -91 % step, cv2.BORDER_REPLICATE)
    size = (padded.shape[1] // step, padded.shape[0] // step)

    assert np.array_equal(blocks.means(values, step), cv2.resize(padded, size, interpolation=cv2.INTER_AREA))
