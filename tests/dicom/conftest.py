"""A radiograph of class CR, and where its result goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fullfield.dicom.read import Decoder
from fullfield.image.cache import Decoded
from originals import attributes, decoded


@pytest.fixture
def radiograph(tmp_path: Path) -> Decoded:
    return decoded(tmp_path / "cache", attributes())


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "out" / "result.dcm"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Decoder]:
    """With a child of this test alone."""
    with Decoder(tmp_path / "cache") as made:
        yield made
