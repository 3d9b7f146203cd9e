"""What simple methods reach."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fullfield.image import clahe
from fullfield.model.phantom import phantom
from fullfield.train import baselines, evaluate
from training import prepared_phantoms


def test_that_the_baselines_are_the_input_a_tuned_clahe_and_the_processor_measured_once(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", 3, rows=192, columns=192)
    training, validation = data.items[:2], data.items[2:]
    count = 0

    def each() -> None:
        nonlocal count
        count += 1

    found = list(baselines.measured(tmp_path, data, training, validation, each))
    assert [baseline.name.split(" (")[0] for baseline in found] == [
        baselines.UNPROCESSED,
        baselines.CLAHE,
        baselines.CONVENTIONAL,
    ]
    assert found[0].quality == evaluate.of_pair(*data.load(validation[0]))
    assert all(baseline.quality.loss > 0 for baseline in found)
    measured = count
    assert list(baselines.measured(tmp_path, data, training, validation, each)) == found
    assert count == measured


def test_that_tuning_never_makes_clahe_worse_than_its_mildest_setting(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 1, rows=192, columns=192, gamma=1.02)  # hardly anything to do
    found = list(baselines.measured(tmp_path, data, data.items, data.items, lambda: None))
    assert "clip 1," in found[1].name
    assert np.isfinite(found[1].quality.loss)


def test_that_a_mild_clahe_stays_mild_on_small_tiles() -> None:
    plane = phantom(256, 256, seed=0)
    losses = [evaluate.of_pair(clahe.equalise(plane, clip=clip, tiles=4), plane).loss for clip in (1.0, 2.0, 4.0)]
    assert losses == sorted(losses)
    assert losses[0] < 0.5 * losses[2]
