from __future__ import annotations

import cv2
import numpy as np
import pytest

from fullfield.image import clahe, phantom
from fullfield.image.phantom import PhantomKind


@pytest.mark.training("SimpleITK")
def test_that_simpleitks_baseline_keeps_matrix_and_polarity_and_strengthens_local_contrast() -> None:
    image = phantom.processed(PhantomKind.HAND, longer=160)

    enhanced = clahe.enhance(image, radius=4)

    assert enhanced.pixels.shape == image.pixels.shape
    assert enhanced.bits == 12
    assert np.corrcoef(enhanced.pixels.ravel(), image.pixels.ravel())[0, 1] > 0.7
    assert "alpha=0.3" in enhanced.recipe.parameters


@pytest.mark.parametrize(("side", "top", "kind"), [(96, 255, np.uint8), (1200, 65535, np.uint16)])
def test_that_trainings_baseline_is_opencvs_clahe(side: int, top: int, kind: type) -> None:
    plane = np.random.default_rng(2).random((side, side), dtype=np.float32)

    found = clahe.equalise(plane, clip=2.0, tiles=2)

    wanted = cv2.createCLAHE(2.0, (2, 2)).apply(np.rint(plane * top).astype(kind))
    assert found.dtype == np.float32
    assert np.allclose(found, wanted / top, atol=1e-6)
