"""A training whose prepared images are damaged while it runs."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

import narrow
from collection import Collection
from fullfield.data import eviction
from fullfield.model.phantom import phantom
from fullfield.protocol.events import (
    Event,
    Notice,
    StepDone,
)
from fullfield.train import images
from train.short import TRAINING, VALIDATION, settings
from training import FakeContext, prepared_phantoms, train

narrowed = narrow.networks(8)


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Collection:
    """A folder of radiographs, and its reader in the decoder's place."""
    found = Collection(tmp_path / "pictures")
    for number in range(TRAINING + VALIDATION):
        plane = np.rint(phantom(240, 200, seed=number) * 4095).astype(np.uint16)
        found.add(f"{number}.dcm", plane, patient=f"{number}")
    monkeypatch.setattr(images, "Decoder", lambda: contextlib.nullcontext(found))
    return found


class Damaging(FakeContext):
    """Changes a bit in every prepared array, once, when the first step has been told; `stops` then too."""

    def __init__(self, folder: Path, *, stops: bool) -> None:
        super().__init__(folder, stop_after=(StepDone, 1) if stops else None)
        self._done = False

    def emit(self, event: Event, /) -> None:
        """See `Context`."""
        super().emit(event)
        if isinstance(event, StepDone) and not self._done:
            self._done = True
            for path in eviction.cache().glob("*/*.npy"):
                content = bytearray(path.read_bytes())
                content[-1] ^= 1
                path.write_bytes(content)


def test_that_a_training_whose_images_are_damaged_before_and_after_it_goes_on_ends_in_the_same_bits(
    pictures: Collection, tmp_path: Path
) -> None:
    given = {**settings(prepared_phantoms(tmp_path / "x", 1, rows=192, columns=192)), "data": str(pictures.folder)}
    whole = FakeContext(tmp_path / "whole")
    train(given, whole)
    for stops in (True, False):
        context = Damaging(tmp_path / "damaged", stops=stops)
        train(given, context)
    assert any("made anew from its source" in event.text for event in context.reported(Notice))
    for name in ("model.safetensors", "last.safetensors"):
        assert (context.folder / name).read_bytes() == (whole.folder / name).read_bytes()
