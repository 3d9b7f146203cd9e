"""The synthetic images that models are calibrated on."""

from __future__ import annotations

import numpy as np
import pytest

from fullfield.model.phantom import phantom


@pytest.mark.parametrize("shape", [(64, 64), (33, 200), (300, 41)])
def test_that_a_phantom_fills_its_range(shape: tuple[int, int]) -> None:
    picture = phantom(*shape, seed=1)
    assert (picture.shape, picture.dtype) == (shape, np.float32)
    assert (picture.min(), picture.max()) == (0.0, 1.0)
    assert picture.std() > 0.05


def test_that_a_seed_gives_one_phantom() -> None:
    assert np.array_equal(phantom(50, 60, seed=1), phantom(50, 60, seed=1))
    assert not np.array_equal(phantom(50, 60, seed=1), phantom(50, 60, seed=2))
