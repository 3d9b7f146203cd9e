"""The review of references, by mouse and keys."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from fullfield.data import review, survey
from fullfield.data.review import Judgement, Verdict
from fullfield.protocol.setup_events import DataSurveyed, ReferenceProposed, ReferenceRefused
from fullfield_app.gui.train.panel import TrainPanel
from fullfield_app.gui.train.reviewing import Reviewing
from fullfield_app.gui.view.canvas import Side
from gui.fake_setup import three_patients
from gui.hands import PATIENT, Hands
from gui.train.desk import Setup, ready


def review_page(hands: Hands, data: Path) -> None:
    ready(hands, data)
    hands.click("Review references")
    hands.wait(lambda: "preset general" in hands.text("Who made the reference"))


def verdicts() -> list[tuple[str, str, float]]:
    return sorted((one.judgement.value, one.preset, one.strength) for one in review.load().values())


def test_that_references_are_approved_and_rejected_by_keys_and_one_can_go_on_later(hands: Hands, data: Path) -> None:
    review_page(hands, data)
    hands.key(Qt.Key.Key_A)
    hands.wait(lambda: hands.text("Which image").startswith("Image 2 of 3"))
    hands.wait(lambda: "preset general" in hands.text("Who made the reference"))
    hands.key(Qt.Key.Key_X)
    hands.wait(lambda: len(review.load()) == 2)
    assert verdicts() == [("approved", "general", 1.0), ("rejected", "", 1.0)]
    hands.click("Back to the settings")
    assert hands.widget("Review references").property("text") == "Review references… (2 of 3 done)"
    hands.click("Review references")
    assert hands.text("Which image").startswith("Image 3 of 3")


def test_that_the_image_before_is_not_seen_in_the_place_of_the_one_that_is_reviewed(
    hands: Hands, setup: Setup, data: Path
) -> None:
    review_page(hands, data)
    view = hands.window._pages["train"]._view.compare
    assert view.shown(Side.BEFORE) is not None
    setup.last("survey").held = True
    hands.key(Qt.Key.Key_X)
    hands.wait(lambda: hands.text("Which image").startswith("Image 2 of 3"))
    assert view.shown(Side.BEFORE) is None and view.shown(Side.AFTER) is None
    setup.last("survey").held = False
    hands.wait(lambda: view.shown(Side.BEFORE) is not None and view.shown(Side.AFTER) is not None)


def test_that_both_images_of_a_review_are_in_true_proportions(hands: Hands, setup: Setup, data: Path) -> None:
    setup.pixel_size = (1.0, 2.0)
    review_page(hands, data)
    views = [hands.view(name) for name in ("Image under review", "Reference under review")]
    hands.wait(lambda: [view.image_size() for view in views] == [(48, 128)] * 2)


def test_that_nothing_is_rejected_that_is_not_seen_however_often_or_long_the_key_is_pressed(
    hands: Hands, setup: Setup, data: Path
) -> None:
    review_page(hands, data)
    worker, page = setup.last("survey"), hands.window._pages["train"]
    worker.held = True
    hands.key(Qt.Key.Key_X)
    hands.wait(lambda: worker.posted[-1]["key"] == f"{1:016x}")
    hands.key(Qt.Key.Key_X)
    assert hands.text("Which image") == "Image 2 of 3, patient 2: not reviewed"
    assert not any(page.actions_by_key[key].autoRepeat() for key in ("review_reject", "review_approve"))
    error = {"title": "No reference.", "detail": "It is empty.", "hint": "Leave it out."}

    def refused() -> bool:
        asked = next(one for one in reversed(worker.posted) if "number" in one)  # perhaps anew meanwhile
        worker.reported[:] = [ReferenceRefused(number=asked["number"], key=asked["key"], error=error)]
        return hands.text("Who made the reference") == ""

    worker.held = False
    hands.wait(refused)
    hands.key(Qt.Key.Key_X)
    hands.wait(lambda: len(review.load()) == 2)


def test_that_who_is_held_back_is_told_anew_after_a_review(hands: Hands, setup: Setup, data: Path) -> None:
    def splits() -> list[dict[str, Any]]:
        return [one for one in setup.last("survey").posted if one["command"] == "split"]

    review_page(hands, data)
    hands.key(Qt.Key.Key_X)
    hands.wait(lambda: len(review.load()) == 1)
    hands.click("Back to the settings")
    hands.wait(lambda: bool(splits()))
    assert splits()[-1]["review"] is True


def test_that_a_verdict_stays_while_the_one_before_is_still_being_written_and_goes_where_it_cannot_be(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    give, let_go = review.give, threading.Semaphore(0)

    def slow(sha256: str, verdict: Verdict | None) -> Mapping[str, Verdict]:
        assert let_go.acquire(timeout=PATIENT)
        if sha256 == third.sha256:
            raise OSError("the disk is full")
        return give(sha256, verdict)

    monkeypatch.setattr(review, "give", slow)
    *_, third = three_patients().radiographs
    reviewing, failed = Reviewing(), list[object]()
    reviewing.failed.connect(failed.append)
    try:
        reviewing.take(three_patients(), processes=True)
        for count in (1, 2):
            reviewing.reject()
            assert reviewing.reviewed == count
        let_go.release()
        qtbot.waitUntil(lambda: len(review.load()) == 1)
        qtbot.wait(100)
        assert reviewing.reviewed == 2
        reviewing.reject()
        let_go.release(2)
        qtbot.waitUntil(lambda: bool(failed) and reviewing.reviewed == 2)
    finally:
        reviewing.close()


def test_that_verdicts_that_cannot_be_read_are_said_and_the_next_one_does_not_count(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FULLFIELD_REVIEWS", str(tmp_path))
    (tmp_path / review.NAME).write_text("{")
    reviewing, failed = Reviewing(), list[object]()
    reviewing.failed.connect(failed.append)
    try:
        reviewing.take(three_patients(), processes=True)
        qtbot.waitUntil(lambda: len(failed) == 1)
        reviewing.reject()
        qtbot.waitUntil(lambda: len(failed) == 3)
    finally:
        reviewing.close()
    assert all("which references were approved" in str(error) for error in failed)
    assert reviewing.reviewed == 0
    assert (tmp_path / review.NAME).read_text() == "{"


def test_that_the_review_is_left_when_its_worker_dies(hands: Hands, setup: Setup, data: Path) -> None:
    review_page(hands, data)
    setup.last("survey").die()
    hands.wait(lambda: hands.sees("What to drop here"))
    assert not hands.sees("Review of references")


def test_that_a_reference_is_approved_only_at_the_strength_that_is_seen(hands: Hands, setup: Setup, data: Path) -> None:
    review_page(hands, data)
    page, worker, approved = hands.window._pages["train"], setup.last("survey"), list[float]()
    assert isinstance(page, TrainPanel)
    said: list[tuple[float, str]] = []

    def approve(event: ReferenceProposed) -> None:
        """Press the key as soon as there is a picture."""
        strength = next(one["strength"] for one in worker.posted if one.get("number") == event.number)
        said.append((strength, hands.text("Who made the reference")))
        page._review._approve()
        if page._review.reviewing.reviewed:
            approved.append(strength)

    page._surveying.proposed.connect(lambda event, *_: approve(event))
    slider = hands.widget("Strength of the reference")
    worker.held = True
    hands.qtbot.keyClick(slider, Qt.Key.Key_Right)
    hands.wait(lambda: worker.posted[-1]["strength"] == pytest.approx(1.1))
    hands.qtbot.keyClick(slider, Qt.Key.Key_Right)
    worker.held = False
    hands.wait(lambda: bool(review.load()))
    assert verdicts()[0] == ("adjusted", "general", 1.2) and approved[0] == pytest.approx(1.2)
    passed = [text for strength, text in said if strength == pytest.approx(1.1)]
    assert passed and set(passed) == {"Making the reference…"}  # and the key did nothing


def test_that_a_reference_can_be_approved_though_another_is_held_back_meanwhile(
    hands: Hands, setup: Setup, data: Path, tmp_path: Path
) -> None:
    review_page(hands, data)
    worker = setup.last("survey")
    worker.held = True
    hands.click("Next reference")
    hands.wait(lambda: worker.posted[-1]["key"] == f"{1:016x}")
    told = three_patients()
    others = tuple(replace(one, held=not one.held) for one in told.radiographs)
    survey.save(replace(told, radiographs=others), tmp_path / "survey.json")
    worker.reported.insert(0, DataSurveyed(survey=str(tmp_path / "survey.json")))
    worker.held = False
    hands.wait(lambda: "preset general" in hands.text("Who made the reference"))
    hands.click("Approve the reference")
    hands.wait(lambda: len(review.load()) == 1)


def test_that_a_reference_is_adjusted_by_its_strength(hands: Hands, setup: Setup, data: Path) -> None:
    review_page(hands, data)
    slider = hands.widget("Strength of the reference")
    slider.setFocus()
    hands.qtbot.keyClick(slider, Qt.Key.Key_Right)
    hands.qtbot.keyClick(slider, Qt.Key.Key_Right)
    hands.wait(lambda: setup.last("survey").posted[-1]["strength"] == 1.2)
    hands.wait(lambda: "preset general" in hands.text("Who made the reference"))
    hands.click("Approve the reference")
    hands.wait(lambda: len(review.load()) == 1)
    assert verdicts() == [(Judgement.ADJUSTED.value, "general", 1.2)]


def test_that_a_verdict_can_be_taken_back(hands: Hands, data: Path) -> None:
    review_page(hands, data)
    hands.click("Reject the reference")
    hands.wait(lambda: len(review.load()) == 1)
    hands.click("Previous reference")
    assert hands.text("Which image").endswith("✕ rejected, left out")
    hands.click("Take the verdict back")
    hands.wait(lambda: review.load() == {})
    hands.wait(lambda: hands.text("Which image").endswith("not reviewed"))
