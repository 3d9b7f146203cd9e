"""A window that shows the page that trains, with workers that answer at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from fullfield import parts
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from gui.fake_job import FakeJob
from gui.hands import Hands
from gui.train.desk import Setup


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(tmp_path / "setup")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    return tmp_path / "images"


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The training part is installed, as far as the window asks: what would import it are workers, which are fakes."""
    here = parts.is_here
    monkeypatch.setattr(parts, "is_here", lambda name: name in parts.PACKAGES or here(name))


@pytest.fixture
def hands(whole: None, qtbot: QtBot, setup: Setup, start: Callable[[], FakeJob], documents: Path) -> Iterator[Hands]:
    """A window that shows the page."""
    window = MainWindow(Workers(session=start, launch=setup.launch, attach=setup.attach))
    qtbot.addWidget(window)
    window.resize(1366, 728)
    hands = Hands(window, qtbot)
    try:
        window.show()
        qtbot.waitUntil(lambda: "GPU" in hands.text("What the worker says"))
        qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
        hands.wait(lambda: hands.text("Memory in all") != "")
        yield hands
    finally:
        window.shut_down()
