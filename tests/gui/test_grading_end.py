"""The end of a blind grading: after it no answer is taken, and what it cannot write is said."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from fullfield.grading import store, study
from fullfield.grading.statistics import describe, limit
from fullfield.grading.study import Pair
from fullfield.image.method import Method
from fullfield_app.gui.grading import dialog, report
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


def test_that_a_p_that_is_told_to_be_below_the_limit_of_several_criteria_is_below_it() -> None:
    nearly = describe("Noise", [[1]] * 17 + [[-1]] * 5)
    outcomes = [nearly, *(describe(name, [[1]] * 11 + [[-1]] * 11) for name in ("Contrast", "Sharpness"))]
    assert nearly.p is not None and limit(outcomes) < nearly.p < 0.017, "it does not hold for all three"
    assert "should be below 0.0166 " in report.caution(outcomes) and report.row(nearly)[-1] == "0.0169"
    assert "should be below 0.0250 " in report.caution(outcomes[:2])


def test_that_a_model_is_offered_for_no_part_where_the_list_lacks_an_image_that_was_graded(enhanced: Hands) -> None:
    page = enhanced.widget("Blind grading")
    assert isinstance(page, dialog.GradingDialog)

    def part(*images: str) -> str:
        pairs = [Pair(image=image, position=1, reference=None, test=Method()) for image in images]
        return page._part(study.new(pairs, ["Noise"], source="", reader="", seed=1, started=""))

    listed = page._candidates[0].image
    assert part(listed) == "chest" and part(listed, "f" * 12) == ""


def test_that_a_model_that_was_held_against_originals_alone_is_not_offered_in_a_preset_s_place(enhanced: Hands) -> None:
    page = enhanced.widget("Blind grading")
    assert isinstance(page, dialog.GradingDialog)
    better, listed = (describe("Noise", [[2]] * 20),), page._candidates[0].image

    def offered(reference: Method | None) -> str:
        pair = Pair(image=listed, position=1, reference=reference, test=Method(choice="/models/knee.safetensors"))
        return page._offered(study.new([pair], ["Noise"], source="", reader="", seed=1, started=""), better)

    assert offered(Method()) == "chest" and offered(None) == ""
