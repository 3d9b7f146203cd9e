"""What the window keeps of the images in its list."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from fullfield_app.gui.enhance.pictures import KEPT, Pictures
from gui.fake_job import leave_decoded


@pytest.fixture
def pictures() -> Iterator[Pictures]:
    made = Pictures()
    yield made
    made.close()


@pytest.mark.skipif(os.name != "posix", reason="Windows does not tell which files are mapped")
def test_that_the_window_holds_the_files_of_a_few_images_however_many_it_has_shown(
    qtbot: QtBot, tmp_path: Path, pictures: Pictures
) -> None:
    for number in range(3 * KEPT):
        folder = leave_decoded(tmp_path / str(number))
        with qtbot.waitSignal(pictures.ready):
            assert pictures.source(folder) is None
    held = [one for one in psutil.Process().open_files() if Path(one.path).is_relative_to(tmp_path)]
    assert 0 < len(held) <= KEPT
