"""The window that is measured leaves the user's own folders alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from fullfield_app.gui.bench.stage import FOLDERS, Stage
from fullfield_app.gui.enhance.export_bar import ExportBar
from fullfield_app.gui.enhance.export_folder import ExportFolder


def test_that_its_exports_go_into_a_folder_of_the_bench(
    qtbot: QtBot, tmp_path: Path, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in FOLDERS:
        monkeypatch.setenv(f"FULLFIELD_{folder}", str(tmp_path / folder.lower()))
    stage = Stage(tmp_path)
    try:
        bar = stage.window.findChild(ExportBar)
        assert isinstance(bar, ExportBar)
        where = bar.findChild(ExportFolder)
        assert isinstance(where, ExportFolder)
        # it is there: what is not is given up for the user's own
        qtbot.waitUntil(lambda: where.start in (tmp_path / "exports", documents / "Fullfield"))
        assert bar.folder == tmp_path / "exports"
        assert not documents.exists()
    finally:
        stage.close()
