"""What the tests of the data share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from collection import Collection
from fullfield.image.image import Pixels


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    folder = tmp_path / "data"
    folder.mkdir()
    return Collection(folder)


@pytest.fixture
def noise() -> Pixels:
    return np.random.default_rng(0).integers(0, 4096, (64, 48)).astype(np.uint16)
