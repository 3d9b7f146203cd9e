from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from fullfield_app.gui.bridge.garbage import Garbage


class Widget(QObject):
    """One that holds itself, as widgets with their slots do."""

    def __init__(self, ended: list[int]) -> None:
        super().__init__()
        self._own, self._ended = self, ended

    def __del__(self) -> None:
        self._ended.append(threading.get_ident())


@pytest.fixture
def garbage(qtbot: QtBot) -> Iterator[Garbage]:
    made = Garbage()
    yield made
    made.end()


def test_that_what_another_thread_would_find_is_destroyed_on_the_windows_thread(qtbot: QtBot, garbage: Garbage) -> None:
    ended: list[int] = []
    Widget(ended)
    kept: list[list[int]] = []
    busy = threading.Thread(target=lambda: kept.extend([number] for number in range(20 * sum(gc.get_threshold()))))
    busy.start()
    busy.join()
    assert kept and not ended
    qtbot.waitUntil(lambda: bool(ended))
    assert ended == [threading.get_ident()]


def test_that_the_search_is_pythons_again_afterwards(garbage: Garbage) -> None:
    assert not gc.isenabled()
    garbage.end()
    assert gc.isenabled()
