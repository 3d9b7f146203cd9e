"""The choices that few change, over the button that opens them: the mark, the image before, the DICOM window.

What a format cannot have is switched off and says why.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QVBoxLayout, QWidget

from fullfield.image.export import OutputFormat
from fullfield_app.gui.enhance.export_choices import has_mark, kind_of, with_mark
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label
from fullfield_app.settings import ExportChoices

WIDTH = 380


class ExportOptions(QFrame):
    """`changed` carries the choices after a click."""

    changed = Signal(object)

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner, Qt.WindowType.Popup)
        name(self, self.tr("Export options"))
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._choices = ExportChoices()
        self._build()
        self.show_choices(self._choices)

    def show_choices(self, choices: ExportChoices) -> None:
        """Show these; nothing is told."""
        self._choices = choices
        kind = kind_of(choices)
        dicom = kind.format is OutputFormat.DICOM
        self._set(self._mark, has_mark(choices), possible=not dicom)
        self._mark_why.setText(
            self.tr("DICOM says it in its attributes: nothing is burned into its pixels.")
            if dicom
            else self.tr("A strip is added below the image and covers none of it. The file has that many more rows.")
        )
        self._set(self._beside, kind.displayed and choices.beside, possible=kind.displayed)
        self._set(self._window, dicom and choices.window, possible=dicom)

    def open_over(self, button: QWidget) -> None:
        """Show them above the button, within its window."""
        self.setFixedWidth(WIDTH)
        self.adjustSize()
        place = button.mapToGlobal(QPoint(button.width() - self.width(), -self.height() - 4))
        self.move(place)
        self.show()
        next(box for box in (self._mark, self._window) if box.isEnabled()).setFocus()

    def _build(self) -> None:
        self._mark, self._mark_why = self._line(self.tr("Burn in the mark “not for diagnosis”"), "")
        self._beside, _ = self._line(
            self.tr("The image before beside it"),
            self.tr("For files as displayed: before on the left, after on the right, each through its own window."),
        )
        self._window, _ = self._line(
            self.tr("Open with the window as displayed"),
            self.tr("For DICOM: viewers show your window first and can return to that over all of the data."),
        )
        self._mark.clicked.connect(lambda on: self._tell(with_mark(self._choices, on)))
        self._beside.clicked.connect(lambda on: self._tell(replace(self._choices, beside=on)))
        self._window.clicked.connect(lambda on: self._tell(replace(self._choices, window=on)))

    def _line(self, title: str, why: str) -> tuple[QCheckBox, QLabel]:
        layout = self.layout() or QVBoxLayout(self)
        layout.setSpacing(4)
        layout.setContentsMargins(14, 12, 14, 12)
        box, label = QCheckBox(title), plain_label(why, object_name="quiet", wrap=True)
        name(box, title)
        name(label, self.tr("About: {option}").format(option=title))
        layout.addWidget(box)
        layout.addWidget(label)
        return box, label

    def _set(self, box: QCheckBox, on: bool, *, possible: bool) -> None:
        box.setChecked(on)
        box.setEnabled(possible)

    def _tell(self, choices: ExportChoices) -> None:
        self.show_choices(choices)
        self.changed.emit(choices)
