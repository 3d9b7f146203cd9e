"""A field for a number with decimals, in which a point and a comma mean the same."""

from __future__ import annotations

from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox


class DecimalBox(QDoubleSpinBox):
    """Without it Qt takes the sign of the other language for a separator of thousands, and drops it."""

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """As it is typed: either sign becomes the user's own."""
        sign = self.locale().decimalPoint()
        answer: object = super().validate(text.replace(".", sign).replace(",", sign), place)
        return answer  # type: ignore[return-value]  # PySide declares a bare object
