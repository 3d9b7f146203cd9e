"""The radiographs of the window's benches can be read, and each has a content of its own."""

from __future__ import annotations

from pathlib import Path

from fullfield.bench import radiographs
from fullfield.dicom.read import Decoder


def test_that_every_file_is_read_and_none_is_another_ones_copy(tmp_path: Path) -> None:
    radiographs.write(tmp_path / "in", 4, 64, 2)
    paths = sorted((tmp_path / "in").iterdir())
    with Decoder(tmp_path / "cache") as decoder:
        decoded = [decoder.decode(path) for path in paths]
    assert len({one.header.sha256 for one in decoded}) == 4
    assert {max(one.image.pixels.shape) for one in decoded} == {64}
    assert (decoded[0].image.pixels == decoded[2].image.pixels).all()
