"""The box above the list in which one types what is looked for; below it, how many images are shown."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QVBoxLayout, QWidget

from fullfield_app.gui.bridge.throttle import Throttle
from fullfield_app.gui.enhance.list_filter import ListFilter, not_exported
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label, tooltip

TYPING_MILLISECONDS = 150  # of a word that is being typed, only what stands is looked for
_LEAVING = frozenset({Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down})


class FilterBar(QWidget):
    """`changed` carries a ListFilter; `left`: the list is wanted: what was typed stays, but for Escape."""

    changed = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Filter"))
        self._now = ListFilter()
        self._pace = Throttle(TYPING_MILLISECONDS, self)
        self._build()
        self._line.textChanged.connect(self._pace.offer)
        self._line.left.connect(self.left)
        self._pace.passed.connect(self._take)

    def begin(self) -> None:
        """Type here."""
        self._line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._line.selectAll()

    def clear(self) -> None:
        """Show all images, at once."""
        self._line.clear()
        self._take("")

    def show_counts(self, shown: int, total: int) -> None:
        """How many images the filter lets through, and what acts on them."""
        reported = self.tr("{shown} of {total} images are shown; exports and “Apply to all” act on these.")
        none = self.tr("None of {total} images is found.")
        self._counts.setText((reported if shown else none).format(shown=shown, total=total) if self._now else "")
        self._counts.setVisible(bool(self._now))

    def _take(self, text: str) -> None:
        wanted = ListFilter.of(text)
        if wanted != self._now and text == self._line.text():
            self._now = wanted
            self.changed.emit(wanted)

    def _build(self) -> None:
        self._line = _Line()
        name(self._line, self.tr("Filter the list"))
        self._line.setClearButtonEnabled(True)
        for button in self._line.findChildren(QToolButton):
            name(button, self.tr("Empty the filter"))
        self._line.setPlaceholderText(self.tr("Filter: patient, file, state…"))
        hint = self.tr("Patient, ID, file, study, date, or a state such as “{state}”. Esc shows all images again.")
        self._line.setToolTip(tooltip(hint.format(state=not_exported())))
        self._counts = plain_label(object_name="quiet", wrap=True)
        name(self._counts, self.tr("How many images are shown"))
        self._counts.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._line)
        layout.addWidget(self._counts)


class _Line(QLineEdit):
    """`left`: Escape, which empties it, Return or the arrow down."""

    left = Signal()

    def event(self, event: QEvent) -> bool:
        """Here Escape is no command to the list."""
        pressed = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if pressed and event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See `left`."""
        if event.key() not in _LEAVING:
            super().keyPressEvent(event)
            return
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
        self.left.emit()
