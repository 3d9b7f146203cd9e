from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fullfield.data import prepare, prepared
from fullfield.data.prepare import Request
from fullfield.data.scenes import pairs
from fullfield.dicom.read import Decoder
from fullfield.errors import InputRefused
from fullfield.image.image import InputKind

SIZE, COUNT = 128, 4


class Stopped(Exception):
    """Asked to stop."""


def test_that_scenes_are_prepared_pairs_go_on_after_a_stop_and_are_the_same_again(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 2:
            raise Stopped

    with pytest.raises(Stopped):
        pairs.write(tmp_path / "one", COUNT, seed=3, size=SIZE, network="unet", progress=stop)
    assert not prepared.is_prepared(tmp_path / "one")
    first = pairs.write(tmp_path / "one", COUNT, seed=3, size=SIZE, network="unet")
    again = pairs.write(tmp_path / "two", COUNT, seed=3, size=SIZE, network="unet")
    other = pairs.write(tmp_path / "three", 1, seed=4, size=SIZE, network="unet")

    assert first.identity == again.identity != other.identity
    assert {pairs.part_of(number) for number in range(COUNT)} == {"chest", "abdomen", "pelvis", "lumbar"}
    with Decoder() as reader:
        request = Request(folder=tmp_path / "one", size=SIZE, reference="auto", seed=0)
        found = prepare.prepare(request, reader, progress=lambda *_: None)
    assert found.use_on == "both" and len(found.items) == COUNT
    for item, kind in prepared.views(found.items):
        given, wanted = found.load(item, kind)
        assert given.shape == wanted.shape and max(wanted.shape) == SIZE
        assert np.corrcoef(given.ravel(), wanted.ravel())[0, 1] > 0.1, (item.key, kind)
        assert item.mm_per_pixel is not None and item.mm_per_pixel > 0.5
    for seed, network in ((9, "unet"), (3, "map")):
        with pytest.raises(InputRefused, match="Cannot make scenes"):
            pairs.write(tmp_path / "one", COUNT, seed=seed, size=SIZE, network=network)


def test_that_a_shutter_leaves_the_processed_input_alone() -> None:
    shuttered = None
    for number in range(40):
        made = pairs.planes(number * 14 + 9, seed=0, size=96)  # knees
        if tuple(made.inputs) == (InputKind.PROCESSED,):
            shuttered = made
            break

    assert shuttered is not None
    black = shuttered.inputs[InputKind.PROCESSED] == 0
    assert black.mean() > 0.05
    assert np.median(shuttered.reference[black]) < 0.05
