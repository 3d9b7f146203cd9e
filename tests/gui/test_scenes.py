"""Every page and dialog in both languages: each part has a name of its own, no text is cut, all fits a laptop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale, QSize, Qt
from PySide6.QtWidgets import QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from fullfield.jobs.job import Job
from fullfield_app.gui import application, language
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from fullfield_app.gui.pages import PAGES
from gui.clipping import clipped
from gui.conftest import make_files
from gui.fake_job import FakeJob
from gui.fake_setup import FakeSetup
from gui.hands import Hands
from gui.scenes import SCENES
from gui.stage import Stage
from gui.test_accessible import faults

LAPTOP, HALF_OF_A_LARGE_SCREEN = QSize(1366, 768), QSize(1280, 720)  # the second one is 2560×1440 at 200 %
NETBOOK = QSize(1024, 560)  # 1024×600 without the window's title


class Silent(FakeJob):
    """A worker that came up and says nothing more."""

    def post(self, command: dict[str, Any], /) -> None:
        """See JobHandle."""


@pytest.fixture
def look(qapp: QApplication) -> Iterator[QApplication]:
    """The application as it is spoken; what it was comes back."""
    yield qapp
    language.install(qapp, "en")
    QLocale.setDefault(QLocale.c())


@pytest.fixture
def stages(
    look: QApplication, qtbot: QtBot, tmp_path: Path, documents: Path, start: Callable[[], FakeJob]
) -> Iterator[Callable[[str, QSize], Stage]]:
    """Makes a window in a language, with workers that answer at once or not at all."""
    windows: list[MainWindow] = []

    def launch(job: Job, /, *, folder: Path | None = None) -> FakeJob | FakeSetup:
        where = folder or tmp_path / f"launched-{len(list(tmp_path.iterdir()))}"
        if job.kind in ("planning", "survey"):
            return FakeSetup(where, job)
        where.mkdir(parents=True, exist_ok=True)
        return Silent(where)

    def make(spoken: str, size: QSize) -> Stage:
        _, store = application.prepare()
        language.install(look, spoken)
        windows.append(MainWindow(Workers(session=start, launch=launch), store))
        window = windows[-1]
        qtbot.addWidget(window)
        window.resize(size)
        window.show()
        files = make_files(tmp_path / "in", ["IM0001.dcm", "bad.dcm", f"{'long_' * 20}name.dcm"])
        stage = Stage(application=look, window=window, store=window._store, size=size, radiographs=files, patience=0.05)
        stage.wait(0.3)
        return stage

    yield make
    for window in windows:
        window.shut_down()


@pytest.mark.training  # where it can be chosen, there is more to see
@pytest.mark.parametrize(
    ("spoken", "sizes"),
    [("en", (LAPTOP, NETBOOK)), ("es", (HALF_OF_A_LARGE_SCREEN, LAPTOP, NETBOOK))],
    ids=["en", "es"],
)
def test_that_every_scene_can_be_read_and_named(
    stages: Callable[[str, QSize], Stage], spoken: str, sizes: tuple[QSize, ...]
) -> None:
    """Spanish, whose texts are longer, also in half of a large screen. Dialogs are as large as the screen lets them:
    that of this test is none of a netbook."""
    stage = stages(spoken, sizes[0])
    found: list[str] = []
    for scene, set_up in SCENES.items():
        widget: QWidget = set_up(stage)
        for size in sizes:
            stage.window.resize(size)
            stage.wait(0.02)
            found += [f"{scene}: {fault}" for fault in (*clipped(widget), *faults(widget))]
            if widget is not stage.window and size is NETBOOK:
                continue
            if widget.width() > size.width() or widget.height() > (size.height() if widget.isWindow() else 700):
                found.append(f"{scene}: {widget.width()}×{widget.height()} is larger than the screen")
            if stage.window._areas[stage.window._shown].horizontalScrollBar().maximum() > 0:
                found.append(f"{scene}: its page scrolls sideways at a width of {size.width()}")
            if size is not NETBOOK and scrolls(stage.window):
                found.append(f"{scene}: its page scrolls, on a screen that is large enough")
        stage.clear()
        stage.window.resize(sizes[0])
    assert found == [], "\n".join(found)


def scrolls(window: MainWindow) -> bool:
    area = window._areas[window._shown]
    return area.horizontalScrollBar().isVisible() or area.verticalScrollBar().isVisible()


def test_that_every_page_is_reached_and_left_by_keys(hands: Hands) -> None:
    hands.window.activateWindow()
    tabs = hands.widget("Pages")
    assert isinstance(tabs, QTabBar)
    for place, spec in enumerate(PAGES):
        hands.key(Qt.Key(Qt.Key.Key_1 + place), Qt.KeyboardModifier.AltModifier)
        assert hands.window._shown == spec.key
        for _ in range(200):
            focused = hands.window.focusWidget()
            if focused is tabs:
                break
            hands.qtbot.keyClick(focused or hands.window, Qt.Key.Key_Tab)
        assert hands.window.focusWidget() is tabs, f"{spec.key} keeps the focus"
        hands.qtbot.keyClick(tabs, Qt.Key.Key_Left if place else Qt.Key.Key_Right)
        assert hands.window._shown != spec.key


@pytest.mark.parametrize("shown", [True, False])
def test_that_no_title_names_a_file(hands: Hands, tmp_path: Path, shown: bool) -> None:
    from dataclasses import replace

    hands.window._store.change(lambda now: replace(now, overlay=shown))
    hands.drop_and_wait(make_files(tmp_path / "in", ["DOE_JANE.dcm", "bad_DOE.dcm"]))
    hands.drop([tmp_path / "DOE_gone.dcm"])
    hands.wait(lambda: hands.widget("Message").isVisible())
    for key in ("keys", "help", "about", "preferences"):
        hands.window._actions.by_key[key].trigger()
    hands.window.close()  # asks, for there is something to lose
    titles = [widget.windowTitle() for widget in QApplication.topLevelWidgets()]
    assert "Fullfield" in titles and not [title for title in titles if "DOE" in title]
