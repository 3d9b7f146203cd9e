"""The buttons over the images: a bar made from actions."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from fullfield_app.gui.enhance.commands_table import BUTTONS
from fullfield_app.gui.widgets.accessible import name


class ViewBar(QWidget):
    """One button per action, in groups."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("How to look at the images"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        for number, group in enumerate(BUTTONS):
            if number:
                layout.addSpacing(7)
            for key in group:
                button = QToolButton()
                button.setDefaultAction(actions[key])
                name(button, self.tr("Button: {action}").format(action=actions[key].text()))
                layout.addWidget(button)
        layout.addStretch()
