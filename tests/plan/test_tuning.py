"""The settings of a training on a clinic's own images that is over in minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.model.families.gain_map import GainMap
from fullfield.plan import tuning
from fullfield.plan.spec import NO_WEIGHTS, from_json, with_defaults


@pytest.mark.parametrize(
    ("count", "epochs"), [(0, 80), (4, 80), (24, 80), (26, 77), (50, 40), (300, 7), (450, 4), (1000, 4)]
)
def test_that_as_many_epochs_are_made_as_there_are_images_for(tmp_path: Path, count: int, epochs: int) -> None:
    (tmp_path / "below").mkdir()
    for number in range(count):
        (tmp_path / "below" / f"{number}.png").touch()
    (tmp_path / ".hidden").touch()
    assert tuning.settings(tmp_path, weights=NO_WEIGHTS)["epochs"] == epochs


@pytest.mark.parametrize("listed", [False, True])
def test_that_a_pair_is_shown_as_one_image_and_notes_beside_them_as_none(tmp_path: Path, listed: bool) -> None:
    for side in ("before", "after") if listed else ("Raw", "reference"):
        (tmp_path / side).mkdir()
        for number in range(100):
            (tmp_path / side / f"{number}.png").touch()
    for note in ("notes.txt", "Thumbs.db", *(["pairs.csv"] if listed else [])):
        (tmp_path / note).touch()
    assert tuning.settings(tmp_path, weights=NO_WEIGHTS)["epochs"] == 20


@pytest.mark.parametrize("weights", [NO_WEIGHTS, "fullfield"])
def test_that_it_is_a_training_that_can_be_done_and_is_held_against_other_models(tmp_path: Path, weights: str) -> None:
    asked = from_json(with_defaults({"data": str(tmp_path), "compare": True, "weights": weights}))
    assert (asked.network, asked.weights, asked.compare) == (GainMap.name, weights, True)
    assert (asked.size, asked.warm_up, asked.validation, asked.epochs) == (512, 0.1, 0.2, 80)
    assert all(getattr(asked, name) == GainMap.defaults[name] for name in ("batch", "loss", "learning_rate"))
    assert with_defaults({"data": str(tmp_path), "compare": True, "epochs": 9})["epochs"] == 9, "what is given holds"
