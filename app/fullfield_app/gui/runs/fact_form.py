"""Facts as two columns: what they are called, and what they are. Those that are not known are left out."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label

CAPTIONS = 0.4  # of the width at most: longer captions are wrapped
_ANY = (1 << 24) - 1  # QWIDGETSIZE_MAX of Qt, which PySide does not name


class FactForm(QScrollArea):
    """Shows texts by the keys of `titles`; that of `trouble` in the colour of what is wrong."""

    def __init__(
        self, title: str, titles: Mapping[str, str], parent: QWidget | None = None, *, trouble: str = ""
    ) -> None:
        super().__init__(parent)
        name(self, title)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        inner = QWidget()
        name(inner, self.tr("{title}, all").format(title=title))
        self._form = QFormLayout()
        whole = QVBoxLayout(inner)
        whole.setContentsMargins(12, 10, 12, 10)
        whole.addLayout(self._form)
        whole.addStretch(1)
        self._form.setVerticalSpacing(6)
        self._form.setHorizontalSpacing(16)
        self._captions: list[QLabel] = []
        self._values: dict[str, QLabel] = {}
        for key, text in titles.items():
            caption = plain_label(text, object_name="quiet")
            value = plain_label(object_name="trouble" if key == trouble else "", wrap=True)
            name(caption, self.tr("{fact}, caption").format(fact=text))
            name(value, self.tr("{title}: {fact}").format(title=title, fact=text))
            value.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
            for label in (caption, value):
                label.setAlignment(Qt.AlignmentFlag.AlignTop)
            self._form.addRow(caption, value)
            self._captions.append(caption)
            self._values[key] = value
        self.setWidget(inner)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Captions leave most of the width to what they are of."""
        super().resizeEvent(event)
        width = round(CAPTIONS * self.viewport().width())
        for caption in self._captions:
            caption.setWordWrap(False)
            caption.setMaximumWidth(_ANY)
            wraps = caption.sizeHint().width() > width
            caption.setWordWrap(wraps)
            if wraps:
                caption.sizeHint()  # which a label remembers: in the narrow width it would be narrower still
                caption.setMaximumWidth(width)
            # A QFormLayout gives a label no more than 7/4 of the height of its hint.
            caption.setMinimumHeight(caption.heightForWidth(width) if wraps else 0)

    def show_rows(self, found: Mapping[str, str]) -> None:
        """Show these."""
        for key, value in self._values.items():
            text = found.get(key, "")
            if value.text() != text:
                value.setText(text)
            self._form.setRowVisible(value, bool(text))
