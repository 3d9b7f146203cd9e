"""The end of a blind grading: after it no answer is taken, and what it cannot write is said."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from fullfield.grading import statistics, store, study
from fullfield.grading.statistics import describe, limit
from fullfield.grading.study import Answer, Pair, Study
from fullfield.image.method import Method
from fullfield.protocol.events import Event, ItemEnhanced
from fullfield_app.gui.grading import dialog, report
from gui.fake_job import FakeJob
from gui.grading_steps import KEYS, close, combo, enhanced, open_dialog, press, start, wait_for_pair, write_criteria
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


def test_that_one_pair_that_differs_is_told_as_one() -> None:
    pair = Pair(image="a", position=1, reference=None, test=Method())
    graded = study.new([pair], ["Noise"], source="ours", reader="", seed=1, started="2026-01-01 10:00")
    assert "1 pair differs: too few" in report.text(graded, (describe("Noise", [[1], [0]]),), ("a", "b"))


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


OFFER, WHY_NOT = "Use the graded model for a body part", "Why the model is not offered"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "knee.safetensors"
    path.write_bytes(b"the file that is graded")
    return path


@pytest.fixture
def reading(
    hands: Hands, radiographs: list[Path], model: Path, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> Hands:
    """One pair, of what the list has and what the model makes of it, is answered, and every model is favoured."""
    made = FakeJob._enhance

    def by_file(self: FakeJob, command: dict[str, Any]) -> list[Event]:
        digest = sha256(model.read_bytes()).hexdigest() if command["choice"] == str(model) else ""
        events = made(self, command)
        return [replace(one, made_by=digest) if isinstance(one, ItemEnhanced) else one for one in events]

    monkeypatch.setattr(FakeJob, "_enhance", by_file)
    monkeypatch.setattr(statistics, "favoured", lambda outcomes: True)
    hands.drop_and_wait(radiographs)
    open_dialog(hands)
    page = hands.widget("Blind grading")
    assert isinstance(page, dialog.GradingDialog)
    second = combo(hands, "Second version")
    second.addItem("The model", str(model))
    hands.choose("First version", combo(hands, "First version").findText("As enhanced in the list"))
    hands.choose("Second version", second.findText("The model"))
    write_criteria(hands, "Noise")
    hands.click("Start grading")
    wait_for_pair(hands)
    press(hands, KEYS[1])
    return hands


def test_that_the_very_file_that_was_graded_is_offered(reading: Hands, model: Path) -> None:
    end(reading)
    reading.wait(lambda: reading.sees(OFFER))
    assert not reading.sees(WHY_NOT)
    (kept,) = store.kept()
    digests = {one.made_by for one in kept.study.reading.answers} - {""}
    assert digests == {sha256(b"the file that is graded").hexdigest()}


def test_that_a_model_is_not_offered_whose_file_is_another_one_now_and_that_is_said(
    reading: Hands, model: Path
) -> None:
    model.write_bytes(b"another file of its name")
    end(reading)
    reading.wait(lambda: reading.sees(WHY_NOT))
    assert "another one now" in reading.text(WHY_NOT) and not reading.sees(OFFER)


def test_that_a_model_whose_file_is_exchanged_after_the_result_is_shown_is_not_taken(
    reading: Hands, model: Path
) -> None:
    end(reading)
    reading.wait(lambda: reading.sees(OFFER))
    model.write_bytes(b"another file of its name")
    reading.click(OFFER)
    reading.wait(lambda: reading.sees("Go back"))


def test_that_a_grading_of_an_earlier_version_opens_and_says_that_it_offers_no_model(
    reading: Hands, model: Path
) -> None:
    close(reading)
    reading.wait(lambda: "paused" in reading.text("What the worker says"))  # and nothing is written any more
    (kept,) = store.kept()
    answers = kept.study.with_end().reading.answers
    old = kept.study.with_answer(0, Answer(clicked=answers[0].clicked)).with_end()
    text = store_text(old)
    assert "made_by" not in text
    kept.path.write_text(text, encoding="utf-8")
    open_dialog(reading)
    reading.wait(lambda: reading.sees("Open the earlier grading"))
    reading.click("Open the earlier grading")
    reading.wait(lambda: reading.sees(WHY_NOT))
    assert "earlier version" in reading.text(WHY_NOT) and not reading.sees(OFFER)


def store_text(study: Study) -> str:
    """As a version before wrote it."""
    values = json.loads(json.dumps({"version": store.VERSION, **asdict(study)}))
    for reading in values["readings"]:
        for answer in reading["answers"]:
            del answer["made_by"]
    return json.dumps(values)


def test_that_answers_given_in_another_window_are_kept_by_one_where_the_grading_is_open_too(enhanced: Hands) -> None:
    start(enhanced)
    (kept,) = store.kept()
    there = kept.study.with_answer(0, Answer(clicked=(2,))).with_answer(1, Answer(clicked=(1,)))
    store.save(there, kept.path, over=kept.study)
    press(enhanced, KEYS[1])
    enhanced.wait(lambda: enhanced.sees("Cannot keep the grading."))
    enhanced.click("Go back")
    close(enhanced)
    enhanced.wait(lambda: "Cannot keep the grading" in enhanced.text("Message, in short"))
    assert store.load(kept.path) == there


def test_that_a_grading_in_which_nothing_was_answered_leaves_what_another_window_has_answered(enhanced: Hands) -> None:
    start(enhanced)
    (kept,) = store.kept()
    there = kept.study.with_answer(0, Answer(clicked=(2,)))
    store.save(there, kept.path, over=kept.study)
    close(enhanced)
    enhanced.wait(lambda: "paused" in enhanced.text("What the worker says"))
    assert store.load(kept.path) == there
    open_dialog(enhanced)
    enhanced.wait(lambda: enhanced.sees("Earlier grading"))
    store.save(there.with_answer(1, Answer(clicked=(0,))), kept.path, over=there)
    enhanced.click("Open the earlier grading")
    wait_for_pair(enhanced)
    assert enhanced.text("Which pair") == "Pair 3 of 3", "it goes on from what the file holds now"
