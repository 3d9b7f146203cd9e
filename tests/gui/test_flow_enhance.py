"""A user's whole task with real files and a real worker process, judged by what is on the disk in the end."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from pydicom import dcmread
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

import samples
from fullfield.jobs.handle import JobHandle
from fullfield_app import settings
from fullfield_app.gui.bridge.workers import Workers, start_session
from fullfield_app.gui.first_start import NOTICE
from fullfield_app.gui.main_window import MainWindow
from gui.conftest import make_files
from gui.hands import Hands

SECONDS = 60.0


@pytest.fixture
def workers() -> list[JobHandle]:
    """The real workers that the window has started."""
    return []


@pytest.fixture
def real(qtbot: QtBot, documents: Path, workers: list[JobHandle]) -> Iterator[Hands]:
    """A window with a real worker process."""

    def start() -> JobHandle:
        workers.append(start_session())
        return workers[-1]

    window = MainWindow(Workers(session=start))
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()
    try:
        yield Hands(window, qtbot)
    finally:
        window.shut_down()


@pytest.fixture
def phantoms(tmp_path: Path) -> list[Path]:
    """Two of the shipped phantoms, with a part of their pixels, as a user's own files."""
    return [samples.write(tmp_path / "study", name, by=4) for name in ("chest-cr.dcm", "hand-dx.dcm")]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_that_a_dropped_radiograph_is_seen_enhanced_and_exported_beside_the_untouched_original(
    real: Hands, phantoms: list[Path], documents: Path
) -> None:
    before = [digest(path) for path in phantoms]
    real.drop_and_wait(phantoms, seconds=SECONDS)
    real.wait(lambda: real.view("Image after").image_size() is not None, SECONDS)
    source = dcmread(phantoms[0])
    assert real.view().image_size() == (source.Columns, source.Rows)
    real.drag(real.view(), QPoint(200, 200), QPoint(150, 230))
    real.click("Export the new images")
    real.wait(lambda: all("Exported" in row for row in real.rows()), SECONDS)
    for path in phantoms:
        source = dcmread(path)
        result = dcmread(documents / "Fullfield" / f"{path.stem}_enhanced.dcm")
        assert result.pixel_array.shape == source.pixel_array.shape
        assert not np.array_equal(result.pixel_array, source.pixel_array)
        assert result.ImageType[0] == "DERIVED" and result.SOPInstanceUID != source.SOPInstanceUID
    assert [digest(path) for path in phantoms] == before


def test_that_a_file_that_is_no_radiograph_costs_only_its_own_row(
    real: Hands, phantoms: list[Path], tmp_path: Path
) -> None:
    [broken] = make_files(tmp_path / "in", ["notes.dcm"])
    real.drop_and_wait([broken, phantoms[0]], seconds=SECONDS)
    assert "Failed" in real.rows()[0] and "Enhanced" in real.rows()[1]
    assert real.text("What to do of this image")


def test_that_a_killed_worker_is_noticed_and_its_work_goes_on_in_another(
    real: Hands, phantoms: list[Path], documents: Path, workers: list[JobHandle]
) -> None:
    real.drop_and_wait(phantoms[:1], seconds=SECONDS)
    workers[0].kill()
    real.wait(lambda: real.widget("Message").isVisible())
    real.drop(phantoms[1:])
    real.wait(lambda: len(real.rows()) == 2 and all("Enhanced" in row for row in real.rows()), SECONDS)
    real.click("Export the new images")
    real.wait(lambda: all("Exported" in row for row in real.rows()), SECONDS)
    assert len(workers) == 2 and len(list((documents / "Fullfield").glob("*.dcm"))) == 2


@pytest.fixture
def others() -> set[psutil.Process]:
    """Children that were there before the window: what tests before this one left at work."""
    return set(psutil.Process().children(recursive=True))


def test_that_closing_the_window_leaves_no_process_behind(
    others: set[psutil.Process], real: Hands, phantoms: list[Path]
) -> None:
    real.drop_and_wait(phantoms[:1], seconds=SECONDS)
    children = set(psutil.Process().children(recursive=True)) - others
    assert children
    real.window.close()
    real.qtbot.mouseClick(real.widget("Close"), Qt.MouseButton.LeftButton)
    gone, left = psutil.wait_procs(children, timeout=5)
    assert gone and not left


def test_that_closing_the_window_leaves_nothing_of_its_runs_even_after_a_kill(
    real: Hands, phantoms: list[Path], workers: list[JobHandle]
) -> None:
    real.drop_and_wait(phantoms[:1], seconds=SECONDS)
    workers[0].kill()
    real.drop(phantoms[1:])
    real.wait(lambda: len(real.rows()) == 2 and all("Enhanced" in row for row in real.rows()), SECONDS)
    assert len(workers) == 2 and not (workers[0].folder / "job.json").exists()
    real.window.close()
    real.qtbot.mouseClick(real.widget("Close"), Qt.MouseButton.LeftButton)
    assert not any(worker.folder.exists() for worker in workers)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to send to a window")
def test_that_the_command_opens_its_files_and_ends_with_its_worker(
    phantoms: list[Path], private_folders: Path, tmp_path: Path
) -> None:
    settings.update(lambda now: replace(now, notice_accepted=NOTICE))
    runs = private_folders / "runs"
    command = [sys.executable, "-m", "fullfield_app", str(phantoms[0])]
    window = subprocess.Popen(command, env={**os.environ, "HOME": str(tmp_path)})
    end = time.monotonic() + SECONDS
    while not any("ItemEnhanced" in path.read_text() for path in runs.glob("*/events.jsonl")):
        assert window.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    [reported] = runs.glob("*/worker.json")
    worker = json.loads(reported.read_text())["pid"]
    window.terminate()
    assert window.wait(SECONDS) == 0
    assert not psutil.pid_exists(worker)
