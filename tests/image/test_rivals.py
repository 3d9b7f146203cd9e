from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from fullfield.image import phantom, rivals
from fullfield.image.phantom import PhantomKind


@pytest.mark.parametrize(
    "name", ["opencv", pytest.param("simpleitk", marks=pytest.mark.training("SimpleITK")), "skimage"]
)
def test_that_a_rival_gives_a_picture_of_the_same_matrix_and_polarity(name: str) -> None:
    if name == "skimage":
        pytest.importorskip("skimage", reason="scikit-image is not installed (the group bench)")
    pixels = phantom.processed(PhantomKind.HAND, longer=128).pixels

    result = getattr(rivals, name)(pixels)

    assert result.dtype == np.uint16
    assert result.shape == pixels.shape
    assert np.corrcoef(result.ravel(), pixels.ravel())[0, 1] > 0.5


def test_that_a_rival_pays_for_its_own_library_only() -> None:
    code = (
        "import sys, numpy as np\n"
        "from fullfield.image import rivals\n"
        "rivals.opencv(np.zeros((64, 64), np.uint16))\n"
        "sys.exit(sum(name in sys.modules for name in ('torch', 'SimpleITK', 'skimage', 'fullfield.image.multiscale')))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
