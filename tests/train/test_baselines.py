"""What simple methods reach."""

from __future__ import annotations

from pathlib import Path

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


def test_that_clahe_is_tuned_to_the_best_of_its_settings_on_the_training_part(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 2, rows=192, columns=192)
    tuned = list(baselines.measured(tmp_path, data, data.items, data.items, lambda: None))[1]
    assert tuned.name.startswith("CLAHE (clip ")
    for clip in (0.5, 1.0, 2.0, 4.0):
        planes = [data.load(item) for item in data.items]
        found = evaluate.mean(evaluate.of_pair(clahe.equalise(x, clip=clip, tiles=4), y) for x, y in planes)
        assert tuned.quality.loss <= found.loss


def test_that_a_mild_clahe_stays_mild_on_small_tiles() -> None:
    plane = phantom(256, 256, seed=0)
    losses = [evaluate.of_pair(clahe.equalise(plane, clip=clip, tiles=4), plane).loss for clip in (1.0, 2.0, 4.0)]
    assert losses == sorted(losses)
    assert losses[0] < 0.5 * losses[2]
