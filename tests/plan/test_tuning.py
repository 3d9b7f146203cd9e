"""The settings of a training on a clinic's own images that is over in minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.plan import tuning
from fullfield.plan.spec import NO_WEIGHTS


@pytest.mark.parametrize(("count", "epochs"), [(0, tuning.MOST), (4, tuning.MOST), (50, 40), (1000, tuning.LEAST)])
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
