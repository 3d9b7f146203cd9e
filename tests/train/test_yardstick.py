"""The bounds of results that are believed, from the references of the images held back."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fullfield.data import prepared as pairs
from fullfield.image import trust
from fullfield.train import yardstick
from training import prepared_phantoms


def test_that_bounds_are_those_of_references_for_their_inputs_measured_once(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", 3, rows=192, columns=192)
    looked: list[None] = []
    found = yardstick.bounds(tmp_path, data, data.items, lambda: looked.append(None))
    assert len(looked) == len(pairs.views(data.items)) > 0

    rows = []
    for item, kind in pairs.views(data.items):
        source, reference = map(np.asarray, data.load(item, kind))
        rows.append(trust.agreement(trust.whole(source), trust.whole(reference), source.shape[:2]))
    assert found == trust.calibrated(rows)
    swapped = [
        trust.agreement(trust.whole(reference), trust.whole(source), source.shape[:2])
        for source, reference in (data.load(item, kind) for item, kind in pairs.views(data.items))
    ]
    assert found != trust.calibrated(swapped), "the sides do not mean the same"

    assert yardstick.bounds(tmp_path, data, data.items, lambda: looked.append(None)) == found
    assert len(looked) == len(pairs.views(data.items))
