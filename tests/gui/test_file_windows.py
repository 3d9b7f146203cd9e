"""The windows and look-up tables of a file, offered by their explanations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from fullfield.image.image import VoiTable
from fullfield.image.values import Window
from fullfield_app.gui.enhance.file_windows import FileWindows
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from gui import fake_job
from gui.hands import Hands


def look_at_first(hands: Hands, radiographs: list[Path]) -> None:
    """Before and after."""
    hands.drop_and_wait(radiographs[:1])
    hands.wait(lambda: hands.view("Image after").image_size() is not None)


def test_that_each_window_and_table_of_the_file_can_be_chosen_by_its_explanation(
    hands: Hands, radiographs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = VoiTable(first=500, table=np.linspace(0, 1, 2000, dtype=np.float32), name="FILM & BONE")
    windows = Window(low=999, high=2998, name="NORMAL"), Window(low=0, high=5000, sigmoid=True, name="SOFT"), table
    left = fake_job.leave_decoded
    monkeypatch.setattr(fake_job, "leave_decoded", lambda *args, **more: left(*args, voi=windows, **more))
    look_at_first(hands, radiographs)
    compared = hands.window.findChildren(CompareView)[0]
    after = compared.shown(Side.AFTER)

    menu = hands.window.findChildren(FileWindows)[0]
    said = [entry.text() for entry in menu.actions()]
    assert said[:2] == ["NORMAL   W 2000   L 1999", "SOFT   W 5000   L 2500"] and said[2].startswith("FILM && BONE ")
    for entry, wanted in zip(menu.actions(), windows, strict=True):
        entry.trigger()
        shown = compared.shown(Side.BEFORE)
        assert shown is not None and type(shown.voi) is type(wanted) and shown.voi.name == wanted.name
        assert compared.shown(Side.AFTER) == after
    assert hands.window._page._showing.appearance(0).table == 2, "exports as displayed are told of the table"
    hands.key(Qt.Key.Key_1)
    shown = compared.shown(Side.BEFORE)
    assert shown is not None and shown.voi == windows[0]


def test_that_a_file_with_one_window_offers_no_other(hands: Hands, radiographs: list[Path]) -> None:
    look_at_first(hands, radiographs)
    assert not hands.window.findChildren(FileWindows)[0].menuAction().isEnabled()
