"""The settings of a training on a clinic's own images that is over in minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.plan import tuning


@pytest.mark.parametrize(("count", "epochs"), [(0, tuning.MOST), (4, tuning.MOST), (50, 40), (1000, tuning.LEAST)])
def test_that_as_many_epochs_are_made_as_there_are_images_for(tmp_path: Path, count: int, epochs: int) -> None:
    (tmp_path / "below").mkdir()
    for number in range(count):
        (tmp_path / "below" / f"{number}.png").touch()
    (tmp_path / ".hidden").touch()
    assert tuning.settings(tmp_path, weights=tuning.NO_WEIGHTS)["epochs"] == epochs
