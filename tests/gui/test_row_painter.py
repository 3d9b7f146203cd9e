"""What the list's painter writes where there is little room."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontMetrics

from fullfield_app.gui.enhance.row_painter import fitting

PATIENT, DATE, SERIES = "Doe, Jane Maria Elisabeth · 1234567890", "3 May 2024", "CR CHEST"


@pytest.mark.usefixtures("qapp")
def test_that_a_title_without_room_shortens_the_patient_and_keeps_date_and_modality() -> None:
    metrics = QFontMetrics(QFont())
    whole = f"{PATIENT} · {DATE} · {SERIES}"
    width = metrics.horizontalAdvance(whole)
    assert fitting((PATIENT, DATE, SERIES), metrics, width) == whole
    shortened = fitting((PATIENT, DATE, SERIES), metrics, 2 * width // 3)
    assert shortened.startswith("Doe, Jane") and shortened.endswith(f"… · {DATE} · {SERIES}")
    assert metrics.horizontalAdvance(shortened) <= 2 * width // 3


@pytest.mark.usefixtures("qapp")
def test_that_a_title_in_hardly_any_room_begins_with_the_patient_all_the_same() -> None:
    metrics = QFontMetrics(QFont())
    width = metrics.horizontalAdvance(f"{DATE} · {SERIES}")
    shortened = fitting((PATIENT, DATE, SERIES), metrics, width)
    assert shortened.startswith("Doe") and shortened.endswith("…")
    assert metrics.horizontalAdvance(shortened) <= width
