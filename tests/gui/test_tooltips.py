"""Every control on the page that enhances says what it is for where the mouse rests on it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QScrollBar, QWidget

from fullfield_app.gui.enhance.panel import EnhancePanel
from gui.hands import Hands


def test_that_every_control_of_the_page_that_enhances_has_a_tooltip_that_says_more_than_its_name(
    hands: Hands, radiographs: list[Path]
) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.window.resize(1900, 1000)
    page = hands.window.findChild(EnhancePanel)
    shown = [widget for widget in page.findChildren(QWidget) if isinstance(widget, QAbstractButton | QComboBox)]
    shown += page.findChildren(QLineEdit)
    dumb = [
        widget.accessibleName()
        for widget in shown
        if widget.isVisible()
        and not isinstance(widget.parentWidget(), QScrollBar)
        and (not widget.toolTip() or widget.toolTip() in (widget.property("text"), "Left drag"))
    ]
    assert shown and dumb == []
