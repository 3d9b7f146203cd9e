"""The two versions that a blind grading compares: which can be chosen, who makes them, and what if that fails."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fullfield.protocol.events import Event, ItemDecoded, ItemEnhanced
from fullfield_app.gui.grading.candidates import versions
from fullfield_app.gui.grading.takes import Take, Takes
from fullfield_app.gui.grading.takes_view import TakesView
from gui.fake_job import FakeJob
from gui.grading_steps import (
    KEYS,
    checked,
    choose_version,
    close,
    end,
    enhanced,
    lines,
    open_dialog,
    press,
    start,
    view,
    wait_for_pair,
    write_criteria,
)
from gui.hands import Hands

__all__ = ["enhanced"]


def test_that_it_is_closed_at_once_however_long_its_worker_and_its_folder_take(
    enhanced: Hands, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    going, left, really_close = threading.Event(), list[bool](), Takes.close

    def wait_for(self: Takes) -> None:
        assert going.wait(20)
        really_close(self)
        left.append(True)

    monkeypatch.setattr(Takes, "close", wait_for)
    start(enhanced)
    press(enhanced, KEYS[1])
    close(enhanced)
    assert not left
    open_dialog(enhanced)
    close(enhanced)
    going.set()
    enhanced.wait(lambda: bool(left) and "paused" in enhanced.text("What the worker says"))


def test_that_two_methods_are_compared_by_a_worker_of_the_grading_s_own(
    enhanced: Hands, jobs: list[FakeJob], documents: Path
) -> None:
    posted = len(jobs[0].posted)
    choose_version(enhanced, "First version", "Chest")
    choose_version(enhanced, "Second version", "General")
    start(enhanced)
    assert len(jobs) == 2 and len(jobs[0].posted) == posted  # the list's worker is left alone
    asked = {command["choice"] for command in jobs[1].posted if command["command"] == "enhance"}
    assert asked == {"chest", "general"}
    press(enhanced, KEYS[1])
    end(enhanced)
    (line,) = lines(documents / "Fullfield" / "Grading")
    assert (line["reference"], line["test"]) == ("preset chest 1", "preset general 1")
    close(enhanced)
    enhanced.wait(lambda: jobs[1].ended)
    assert not jobs[0].ended


def test_that_a_version_that_cannot_be_made_says_why_and_can_be_tried_again(
    enhanced: Hands, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, answers = [True], FakeJob._enhance
    monkeypatch.setattr(FakeJob, "_enhance", lambda self, command: [] if busy else answers(self, command))
    choose_version(enhanced, "First version", "Chest")
    write_criteria(enhanced, "Noise")
    enhanced.click("Start grading")
    enhanced.wait(lambda: len(jobs) == 2)
    jobs[1].die()
    enhanced.wait(lambda: enhanced.sees("Try to make the image again"))
    assert "ended unexpectedly" in view(enhanced, "left")._message + view(enhanced, "right")._message
    assert not enhanced.widget("Questions").isEnabled()
    press(enhanced, KEYS[1])
    assert checked(enhanced) == []
    busy.clear()
    enhanced.click("Try to make the image again")
    wait_for_pair(enhanced)
    assert len(jobs) == 3 and not enhanced.sees("Try to make the image again")


@pytest.mark.parametrize("lost", [False, True], ids=["on its way", "lost"])
def test_that_an_image_is_not_seen_before_the_other_so_that_nothing_tells_which_a_method_makes(
    enhanced: Hands, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    monkeypatch.setattr(FakeJob, "_enhance", lambda self, command: [])
    choose_version(enhanced, "First version", "Original")
    choose_version(enhanced, "Second version", "Chest")
    write_criteria(enhanced, "Noise")
    enhanced.click("Start grading")
    enhanced.wait(lambda: enhanced.sees("The two images"))
    images = enhanced.widget("The two images")
    assert isinstance(images, TakesView)
    enhanced.wait(lambda: any(isinstance(version, Take) for version in images.versions))
    if lost:
        enhanced.wait(lambda: len(jobs) == 2)
        jobs[1].die()
        enhanced.wait(lambda: enhanced.sees("Try to make the image again"))
    left, right = (view(enhanced, side) for side in ("left", "right"))
    assert left._shown is None and right._shown is None
    says = "This pair cannot be shown." if lost else "Getting the image ready…"
    assert left._message.splitlines()[0] == right._message == says
    assert ("ended unexpectedly" in left._message) is lost, "on the left, whichever has it"


def test_that_a_file_that_holds_another_image_now_is_not_shown_as_the_one_that_was_opened(
    enhanced: Hands, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    really_open = FakeJob._open

    def another(self: FakeJob, command: dict[str, Any]) -> list[Event]:
        return [
            replace(event, sha256="f" * 64) if isinstance(event, ItemDecoded) else event
            for event in really_open(self, command)
        ]

    monkeypatch.setattr(FakeJob, "_open", another)
    choose_version(enhanced, "First version", "Chest")
    write_criteria(enhanced, "Noise")
    enhanced.click("Start grading")
    enhanced.wait(lambda: len(jobs) == 2 and not jobs[1].reported)
    enhanced.qtbot.wait(200)
    assert "has changed since it was opened" in view(enhanced, "left")._message + view(enhanced, "right")._message
    assert not enhanced.widget("Questions").isEnabled()
    assert not enhanced.sees("Try to make the image again"), "however often, it is another image"


@pytest.mark.parametrize("version", ["Original", "Chest"])
def test_that_what_a_preset_made_in_a_model_s_place_is_not_graded_as_the_model_s(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    made = FakeJob._enhance

    def replaced(self: FakeJob, command: dict[str, Any]) -> list[Event]:
        by_preset = (len(jobs) == 1) is (version == "Original")  # in the list, or by the grading's own worker
        name = "ours" if by_preset else ""
        events = made(self, command)
        return [replace(one, method_wanted=name) if isinstance(one, ItemEnhanced) else one for one in events]

    monkeypatch.setattr(FakeJob, "_enhance", replaced)
    hands.drop_and_wait(radiographs)
    open_dialog(hands)
    choose_version(hands, "First version", version)
    write_criteria(hands, "Noise")
    hands.click("Start grading")
    hands.wait(lambda: hands.sees("Try to make the image again"))
    messages = [view(hands, side)._message for side in ("left", "right")]
    assert any("The model did not make this image." in message for message in messages)
    hands.click("Try to make the image again")
    hands.qtbot.wait(100)
    assert hands.sees("Try to make the image again"), "it is the same once more"
    assert not hands.widget("Questions").isEnabled()


def test_that_what_a_worker_tells_after_it_was_given_up_is_not_heard(
    enhanced: Hands, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(job: FakeJob, command: dict[str, object]) -> None:
        raise OSError(28, "No space left on device")

    choose_version(enhanced, "First version", "Chest")
    write_criteria(enhanced, "Noise")
    monkeypatch.setattr(FakeJob, "post", refuse)
    enhanced.click("Start grading")
    enhanced.wait(lambda: enhanced.sees("Try to make the image again"))
    jobs[1].reported.append(ItemEnhanced(index=0, enhanced="/cache/0.npy", bits=16, recipe="", seconds=0.1))
    enhanced.wait(lambda: not jobs[1].reported)
    enhanced.qtbot.wait(50)
    assert enhanced.sees("Try to make the image again") and not enhanced.sees("Message")


def test_that_the_presets_are_called_as_everywhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullfield_app.gui.grading.candidates.say_core", lambda text: f"said: {text}")
    assert "said: Chest" in [version.title for version in versions()]


def test_that_a_choice_that_makes_no_pair_cannot_be_started(enhanced: Hands) -> None:
    choose_version(enhanced, "First version", "As enhanced in the list")
    assert "different" in enhanced.text("How many pairs") and not enhanced.widget("Start grading").isEnabled()
    choose_version(enhanced, "First version", "Original")
    enhanced.click("Grade no image")
    assert "enhanced" in enhanced.text("How many pairs") and not enhanced.widget("Start grading").isEnabled()
    enhanced.click("Grade all images")
    write_criteria(enhanced, " ")
    assert "criterion" in enhanced.text("How many pairs") and not enhanced.widget("Start grading").isEnabled()


def test_that_criteria_of_one_s_own_are_said_to_be_so(enhanced: Hands) -> None:
    assert "EUR 16260" in enhanced.text("Where the criteria come from")
    write_criteria(enhanced, "Is the screw loose?")
    assert "own" in enhanced.text("Where the criteria come from")
