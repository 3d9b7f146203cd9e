"""Every widget has a name of its own, for those who cannot see it and for tests that use the window as they do."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fullfield_app.gui.about import show_about
from fullfield_app.gui.widgets.question import Answer, Question, ask
from gui.conftest import make_files
from gui.hands import Hands

FOR_PROGRAMMERS = re.compile(r"Q[A-Z]\w*|qt_\w*")


def faults(window: QWidget) -> list[str]:
    """Widgets without a name, with one that is another's too, or with one for programmers."""
    widgets = [window, *window.findChildren(QWidget)]
    names = [widget.accessibleName() for widget in widgets]
    found, times = [], Counter(names)
    for widget, name in zip(widgets, names, strict=True):
        kind = type(widget).__name__
        if not name.strip() or name in (kind, widget.objectName()) or FOR_PROGRAMMERS.fullmatch(name):
            found.append(f"{kind} {widget.objectName()!r}: {name!r}")
        elif times[name] > 1:
            found.append(f"{kind}: {name!r} is not the only one")
    return found


def test_that_every_widget_of_the_window_has_a_name_of_its_own(hands: Hands, tmp_path: Path) -> None:
    assert faults(hands.window) == []
    hands.drop_and_wait(make_files(tmp_path / "in", ["IM0001.dcm", "bad.dcm"]))
    hands.drop([tmp_path / "gone.dcm"])
    hands.wait(lambda: hands.widget("Message").isVisible())
    assert faults(hands.window) == []


@pytest.mark.parametrize("which", ["about", "keys", "question"])
def test_that_every_widget_of_a_dialog_has_a_name_of_its_own(hands: Hands, which: str) -> None:
    if which == "about":
        dialog: QWidget = show_about(hands.window)
    elif which == "keys":
        hands.qtbot.keyClick(hands.window, "?")
        dialog = hands.widget("Mouse and keys")
    else:
        answers = (Answer(text="Replace", act=lambda: None),)
        dialog = ask(hands.window, Question(title="Replace?", text="<b>IM1</b>", answers=answers, cancel="Leave it"))
    assert faults(dialog) == []
    dialog.close()


def test_that_every_control_can_be_reached_by_the_tab_key(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    wanted = {
        "Images",
        "Image before",
        "Image after",
        "Preset or model",
        "Format of exports",
        "Export the new images",
        "Change the folder for exports",
        "Button: Curtain",
        "About this image",
    }
    reached = set[str]()
    for _ in range(60):
        hands.qtbot.keyClick(hands.window.focusWidget(), Qt.Key.Key_Tab)
        focused = hands.window.focusWidget()
        assert focused is not None
        reached.add(focused.accessibleName())
    assert wanted <= reached
