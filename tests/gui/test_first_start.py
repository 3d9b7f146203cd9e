"""The notice before the first window: accepted once for each version of it, in the user's language."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from fullfield_app import settings
from fullfield_app.gui import first_start, language
from fullfield_app.gui.first_start import NOTICE, FirstStart
from fullfield_app.gui.stored.store import SettingsStore
from gui.clipping import clipped
from gui.test_accessible import faults


@pytest.fixture
def store(qapp: QApplication) -> Iterator[SettingsStore]:
    settings.update(lambda now: replace(now, notice_accepted=0, language="en"))
    store = SettingsStore()
    yield store
    store.close()
    language.install(qapp, "en")
    QLocale.setDefault(QLocale.c())


@pytest.fixture
def notice(qapp: QApplication, qtbot: QtBot, store: SettingsStore) -> FirstStart:
    dialog = FirstStart(qapp, store)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def button(dialog: FirstStart, text: str) -> QPushButton:
    return next(found for found in dialog.findChildren(QPushButton) if found.text() == text)


def texts(dialog: FirstStart) -> str:
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def test_that_the_notice_is_accepted_by_the_return_key_and_then_never_asked_again(
    qapp: QApplication, qtbot: QtBot, notice: FirstStart, store: SettingsStore
) -> None:
    qtbot.keyClick(notice, Qt.Key.Key_Return)
    assert notice.result() == FirstStart.DialogCode.Accepted
    store.close()
    assert settings.load()[0].notice_accepted == NOTICE
    assert first_start.agreed(qapp, SettingsStore())


@pytest.mark.parametrize("way", ["button", "escape"])
def test_that_leaving_accepts_nothing(qtbot: QtBot, notice: FirstStart, store: SettingsStore, way: str) -> None:
    if way == "button":
        qtbot.mouseClick(button(notice, "Leave"), Qt.MouseButton.LeftButton)
    else:
        qtbot.keyClick(notice, Qt.Key.Key_Escape)
    assert notice.result() == FirstStart.DialogCode.Rejected and store.now.notice_accepted == 0


def test_that_it_says_in_spanish_what_the_program_is_not(
    qtbot: QtBot, notice: FirstStart, store: SettingsStore
) -> None:
    assert "Not a medical device" in texts(notice)
    combo = notice.findChild(QComboBox)
    assert combo is not None
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "No es un producto sanitario" in texts(notice))
    assert button(notice, "Entiendo") and store.now.language == "es"
    assert faults(notice) == [] and clipped(notice) == []


def test_that_a_later_version_of_the_notice_is_shown_again(
    qapp: QApplication, qtbot: QtBot, store: SettingsStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.change(lambda now: replace(now, notice_accepted=NOTICE))
    monkeypatch.setattr(first_start, "NOTICE", NOTICE + 1)
    monkeypatch.setattr(FirstStart, "exec", lambda _: FirstStart.DialogCode.Rejected)
    assert not first_start.agreed(qapp, store)


def test_that_a_program_that_is_left_at_the_notice_opens_no_window_and_starts_no_worker() -> None:
    code = (
        "from PySide6.QtCore import QTimer\n"
        "from fullfield_app.gui import application\n"
        "from fullfield_app.gui.first_start import FirstStart\n"
        "FirstStart.showEvent = lambda dialog, event: QTimer.singleShot(0, dialog.reject)\n"
        "application.MainWindow = None\n"
        "raise SystemExit(application.run([]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert settings.load()[0].notice_accepted == 0
