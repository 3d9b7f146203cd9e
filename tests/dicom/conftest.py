"""A radiograph of class CR, and where its result goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.image.cache import Decoded
from originals import attributes, decoded


@pytest.fixture
def radiograph(tmp_path: Path) -> Decoded:
    return decoded(tmp_path / "cache", attributes())


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "out" / "result.dcm"
