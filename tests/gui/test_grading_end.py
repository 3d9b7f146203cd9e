"""The end of a blind grading: after it no answer is taken, and what it cannot write is said."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from fullfield.grading import store
from fullfield_app.gui.grading import dialog
from gui.grading_steps import KEYS, close, enhanced, press, start, wait_for_pair
from gui.hands import Hands

__all__ = ["enhanced"]


def end(hands: Hands) -> None:
    hands.click("End grading")
    hands.wait(lambda: hands.sees("End the grading and show the result?"))
    hands.click("Show result")


def test_that_no_answer_is_taken_while_the_result_is_being_written(
    enhanced: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, write = threading.Event(), dialog._write

    def slowly(*given: Any) -> Any:
        assert going.wait(20)
        return write(*given)

    monkeypatch.setattr(dialog, "_write", slowly)
    start(enhanced)
    press(enhanced, KEYS[1])
    press(enhanced, Qt.Key.Key_Return)
    wait_for_pair(enhanced)
    end(enhanced)
    press(enhanced, KEYS[1])
    going.set()
    enhanced.wait(lambda: enhanced.sees("Scores by criterion"))
    close(enhanced)
    enhanced.qtbot.wait(100)
    (kept,) = store.kept()
    assert kept.study.done == 1 and kept.study.reading.ended
    assert "paused" not in enhanced.text("What the worker says")


def test_that_a_result_that_cannot_be_written_is_said_over_the_dialog_and_the_reading_goes_on(
    enhanced: Hands, documents: Path
) -> None:
    (documents / "Fullfield").parent.mkdir(parents=True, exist_ok=True)
    (documents / "Fullfield").write_bytes(b"")  # no folder
    start(enhanced)
    press(enhanced, KEYS[1])
    end(enhanced)
    enhanced.wait(lambda: enhanced.sees("Go back"))
    enhanced.click("Go back")
    enhanced.wait(lambda: enhanced.widget("Questions").isEnabled())
    assert enhanced.sees("Pairs to read")
    (documents / "Fullfield").unlink()
    end(enhanced)
    enhanced.wait(lambda: enhanced.sees("Scores by criterion"))
