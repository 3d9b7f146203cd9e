"""A field for a number with decimals, in which a point and a comma mean the same."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QValidator
from PySide6.QtWidgets import QDoubleSpinBox


class DecimalBox(QDoubleSpinBox):
    """Without it Qt takes the sign of the other language for a separator of thousands, and drops it. Escape takes back
    what is typed and not taken over yet; where nothing is, it is the window's key.
    """

    @property
    def typed(self) -> str:
        """What is typed and not taken over yet; "" where nothing is."""
        return self.text() if self.text() != self._said() else ""

    def event(self, event: QEvent) -> bool:
        """Claim the key that the window has a command for."""
        if event.type() is QEvent.Type.ShortcutOverride and self._takes_back(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take back what is typed."""
        if self._takes_back(event):
            self.lineEdit().setText(self._said())
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """As it is typed: either sign becomes the user's own."""
        sign = self.locale().decimalPoint()
        answer: object = super().validate(text.replace(".", sign).replace(",", sign), place)
        return answer  # type: ignore[return-value]  # PySide declares a bare object

    def _takes_back(self, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        return escape and bool(self.typed)

    def _said(self) -> str:
        return f"{self.prefix()}{self.textFromValue(self.value())}{self.suffix()}"
