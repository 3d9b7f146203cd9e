"""What a worker says to people enters the window in the user's language, and nothing else of it is touched."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QApplication

from fullfield.protocol.events import ItemFailed, ItemSkipped, Notice, PhaseStarted
from fullfield_app.gui.bridge.wording import in_words


class Louder(QTranslator):
    """Knows one context."""

    def translate(self, context: str, text: str, comment: str | None = None, n: int = -1) -> str:  # type: ignore[override]
        """See Qt."""
        return text.upper() if context == "core" and text else ""


@pytest.fixture
def loud(qapp: QApplication) -> Iterator[None]:
    translator = Louder()
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


@pytest.mark.usefixtures("loud")
def test_that_errors_notices_and_phases_are_translated() -> None:
    error = {"title": "Cannot read.", "detail": "", "hint": "Copy it again."}
    failed = in_words(ItemFailed(index=3, error=error))
    assert failed == ItemFailed(index=3, error={"title": "CANNOT READ.", "detail": "", "hint": "COPY IT AGAIN."})
    assert in_words(Notice(text="no card", level="warning")) == Notice(text="NO CARD", level="warning")
    assert in_words(PhaseStarted(name="preparing", total=3)) == PhaseStarted(name="PREPARING", total=3)


@pytest.mark.usefixtures("loud")
def test_that_words_that_programs_read_stay() -> None:
    skipped = ItemSkipped(index=1, reason="cancelled")
    assert in_words(skipped) is skipped
