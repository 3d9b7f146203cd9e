"""A window with a worker that answers at once, files to drop on it, and hands to do so."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fullfield_app.gui import theme
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from gui.fake_job import FakeJob
from gui.hands import Hands


@pytest.fixture(autouse=True)
def no_key_held(qapp: QApplication) -> None:
    """Qt takes Ctrl for held after a click with it, until a key comes without: no test inherits it from another."""
    if qapp.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        QTest.keyClick(QWindow(), Qt.Key.Key_unknown, Qt.KeyboardModifier.NoModifier)


@pytest.fixture(autouse=True)
def garbage_is_found_again() -> Iterator[None]:
    """Also after a window that was left open."""
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def undressed(qapp: QApplication) -> Iterator[None]:
    """The theme that a test puts on ends with it: under a stylesheet all that widgets do takes more than twice its
    time, and so it would in every test after it."""
    palette, style = qapp.palette(), qapp.style().name()
    yield
    if qapp.styleSheet():
        qapp.setProperty("fullfield theme", "")
        qapp.setStyleSheet("")
        qapp.setStyle(style)
        qapp.setPalette(palette)
        theme._shown.clear()


@pytest.fixture
def jobs(tmp_path: Path) -> list[FakeJob]:
    """The workers that the window has started so far."""
    return []


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Documents folder of this test alone."""
    folder = tmp_path / "documents"
    monkeypatch.setattr("fullfield_app.gui.enhance.export_folder.default_folder", lambda: folder / "Fullfield")
    return folder


@pytest.fixture
def start(jobs: list[FakeJob], tmp_path: Path) -> Callable[[], FakeJob]:
    """Starts a worker that answers at once."""

    def start() -> FakeJob:
        folder = tmp_path / f"run-{len(jobs)}"
        folder.mkdir()
        jobs.append(FakeJob(folder))
        return jobs[-1]

    return start


@pytest.fixture
def hands(qtbot: QtBot, start: Callable[[], FakeJob], documents: Path) -> Iterator[Hands]:
    """A shown window, its worker running, and a user's hands on it."""
    window = MainWindow(Workers(session=start))
    qtbot.addWidget(window)
    window.resize(1280, 720)
    hands = Hands(window, qtbot)
    try:
        window.show()
        qtbot.waitUntil(lambda: "GPU" in hands.text("What the worker says"))
        yield hands
    finally:
        window.shut_down()


@pytest.fixture
def radiographs(tmp_path: Path) -> list[Path]:
    """Three files; their content is the worker's affair."""
    return make_files(tmp_path / "in", ["IM0001.dcm", "IM0002.dcm", "IM0003.dcm"])


def make_files(folder: Path, names: list[str]) -> list[Path]:
    """Files of these names."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_bytes(name.encode())
    return [folder / name for name in names]


@pytest.fixture
def opened(hands: Hands, radiographs: list[Path]) -> Hands:
    """Two images, enhanced, with the sliders beside them."""
    hands.drop_and_wait(radiographs[:2])
    hands.wait(lambda: hands.view("Image after").image_size() is not None)
    hands.click("Adjust the preset with sliders")
    return hands
