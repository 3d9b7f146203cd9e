"""Before another model comes into use: both on images of one's own, side by side; nothing changes by looking."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from fullfield.protocol.events import Event, ItemFailed, ItemStarted, ItemWarned
from fullfield_app import recent
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.switching import finder
from fullfield_app.gui.switching.finder import MOST
from fullfield_app.gui.switching.opening import Switching
from fullfield_app.gui.switching.wanted import Switch, opened_last
from fullfield_app.gui.view.image_view import ImageView
from gui.conftest import make_files
from gui.fake_job import FakeJob, leave_decoded
from gui.hands import Hands

MODEL = Path("new.safetensors")


class Desk(Hands):
    """A window over which a switch is offered. `used`: how often it was done."""

    def __init__(self, qtbot: QtBot, start: Callable[[], FakeJob]) -> None:
        window = QMainWindow()
        window.resize(1280, 700)
        super().__init__(window, qtbot)  # type: ignore[arg-type]
        qtbot.addWidget(window)
        window.show()
        self.switching, self.used = Switching(Workers(session=start), window), 0
        self.switching.failed.connect(self.fail)

    def fail(self, error: BaseException) -> None:
        raise AssertionError(error)

    def offer(self, images: list[Path], **changes: Any) -> None:
        """Offer a switch, and wait until its images are known."""
        switch = Switch(part="chest", now="Old", new="New", model=MODEL, use=self.use, images=lambda: images)
        self.switching.offer(replace(switch, **changes))
        self.wait(lambda: "Looking" not in self.text("Which images are known"))

    def use(self) -> None:
        self.used += 1

    def compare(self, images: list[Path], **changes: Any) -> None:
        """Take the offer, and wait for the first image."""
        self.offer(images, **changes)
        self.click("Compare side by side")
        self.wait(lambda: self.shown("left") and self.shown("right"))

    def image(self, side: str) -> ImageView:
        found = self.widget(f"Image on the {side}")
        assert isinstance(found, ImageView)
        return found

    def shown(self, side: str) -> bool:
        return self.image(side)._shown is not None

    def press(self, key: Qt.Key) -> None:
        dialog = self.widget("Before a model comes into use")
        dialog.activateWindow()
        self.wait(dialog.isActiveWindow)
        self.qtbot.keyClick(dialog.focusWidget() or dialog, key)


@pytest.fixture
def desk(qtbot: QtBot, start: Callable[[], FakeJob]) -> Iterator[Desk]:
    made = Desk(qtbot, start)
    yield made
    made.switching.close()


def asked(jobs: list[FakeJob]) -> set[str]:
    """What the workers were asked to enhance with."""
    return {command["choice"] for job in jobs for command in job.posted if command["command"] == "enhance"}


def test_that_a_switch_says_what_would_change_and_needs_no_look(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    desk.offer(radiographs)
    assert desk.text("Body part and what it would be enhanced with") == "Chest: use New?"
    said = desk.text("What would be in use, and what is")
    assert "would take New" in said and "In use now: Old." in said
    assert desk.text("Which images are known").startswith("3 files")
    assert desk.used == 0
    desk.click("Use it without looking")
    desk.wait(lambda: desk.used == 1 and not desk.sees("Before a model comes into use"))
    assert jobs == []


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), ValueError("nobody foresaw it")])
def test_that_a_file_that_cannot_be_looked_at_does_not_keep_the_search_for_images_going(
    desk: Desk, radiographs: list[Path], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    discover, failed = finder.discover, list[BaseException]()

    def refuse(paths: list[Path]) -> Any:
        if paths == radiographs[:1]:
            raise error
        return discover(paths)

    monkeypatch.setattr(finder, "discover", refuse)
    desk.switching.failed.disconnect()
    desk.switching.failed.connect(failed.append)
    desk.offer(radiographs)
    foreseen = isinstance(error, OSError)
    assert desk.text("Which images are known").startswith("2 files") is foreseen
    assert failed == ([] if foreseen else [error])


@pytest.mark.parametrize("leave", ["Keep the one in use, without looking", "Escape"])
def test_that_nothing_changes_where_it_is_not_wanted(desk: Desk, radiographs: list[Path], leave: str) -> None:
    desk.offer(radiographs)
    if leave == "Escape":
        desk.press(Qt.Key.Key_Escape)
    else:
        desk.click(leave)
    desk.wait(lambda: not desk.sees("Before a model comes into use"))
    assert desk.used == 0


def test_that_each_image_is_shown_as_it_is_now_and_as_it_would_be(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    before = {path: path.read_bytes() for path in radiographs[0].parent.iterdir()}
    desk.compare(radiographs)
    desk.wait(lambda: desk.text("Which image") == "Image 1 of 3")
    assert [desk.image(side)._caption for side in ("left", "right")] == ["In use now: Old", "Instead: New"]
    assert asked(jobs) == {"auto", str(MODEL)}
    first = desk.image("left")._shown
    desk.press(Qt.Key.Key_Return)
    desk.wait(lambda: desk.shown("left") and desk.image("left")._shown is not first)
    assert desk.text("Which image") == "Image 2 of 3"
    desk.press(Qt.Key.Key_Backspace)
    desk.wait(lambda: desk.text("Which image") == "Image 1 of 3")
    assert desk.used == 0
    desk.click("Use it")
    desk.wait(lambda: desk.used == 1)
    desk.wait(lambda: not any(job.folder.exists() for job in jobs))
    assert {path: path.read_bytes() for path in radiographs[0].parent.iterdir()} == before


def test_that_both_are_looked_at_alike(desk: Desk, radiographs: list[Path]) -> None:
    desk.compare(radiographs[:1])
    left, right = desk.image("left"), desk.image("right")
    desk.wheel(right, right.rect().center(), 3)
    assert left.camera == right.camera and not left.camera.fitted
    before = [view._shown.voi for view in (left, right) if view._shown is not None]
    desk.drag(left, left.rect().center(), left.rect().center() + QPoint(-60, 20))
    after = [view._shown.voi for view in (left, right) if view._shown is not None]
    assert len(after) == 2 and all(was != now for was, now in zip(before, after, strict=True))
    desk.press(Qt.Key.Key_F)
    assert left.camera.fitted and right.camera.fitted


def test_that_what_is_warned_of_is_said_for_each_and_counted(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = FakeJob._enhance

    def warn(job: FakeJob, command: dict[str, Any]) -> list[Event]:
        reported = answers(job, command)
        if command["choice"] == str(MODEL) and command["index"] < 2:  # of the first image alone
            doubt = "Look at this result twice: fine structure of the image has been softened."
            reported.insert(1, ItemWarned(index=command["index"], text=doubt, in_its_line=True))
        return reported

    monkeypatch.setattr(FakeJob, "_enhance", warn)
    desk.compare(radiographs)
    desk.wait(lambda: "softened" in desk.text("Warned of instead"))
    assert desk.text("Warned of now") == "preset auto 1. Nothing is warned of."
    counted = "How many images are warned of"
    assert desk.text(counted).startswith("Images seen: 1. Warned of or not made: 0 as enhanced now, 1 as they")
    desk.press(Qt.Key.Key_Return)
    desk.wait(lambda: desk.text(counted).startswith("Images seen: 2."))
    assert "0 as enhanced now, 1 as they" in desk.text(counted) and "Nothing" in desk.text("Warned of instead")


def test_that_an_image_that_the_new_model_refuses_says_why_in_its_place(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = FakeJob._enhance

    def refuse(job: FakeJob, command: dict[str, Any]) -> list[Event]:
        error = {"title": "Cannot enhance the image with the model New.", "detail": "It is for raw images.", "hint": ""}
        if command["choice"] == str(MODEL):
            return [ItemStarted(index=command["index"]), ItemFailed(index=command["index"], error=error)]
        return answers(job, command)

    monkeypatch.setattr(FakeJob, "_enhance", refuse)
    desk.offer(radiographs)
    desk.click("Compare side by side")
    desk.wait(lambda: "It is for raw images." in desk.image("right")._message and desk.shown("left"))
    assert "Cannot enhance" in desk.text("Warned of instead") and desk.sees("Try to make the image again")
    assert "0 as enhanced now, 1 as they would be" in desk.text("How many images are warned of")


def test_that_a_preset_in_the_place_of_a_model_is_the_one_that_fits(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    desk.compare(radiographs[:1], model=None)
    assert asked(jobs) == {"auto", "chest"}


def test_that_images_of_other_body_parts_are_left_out_and_others_can_be_chosen(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    desk.offer([*radiographs, *make_files(radiographs[0].parent, ["bad.dcm"])], part="skull")
    desk.click("Compare side by side")
    desk.wait(lambda: "None of these files shows this body part" in desk.image("left")._message)
    assert desk.text("How many files were looked at") == "Files looked at: 4 of 4." and asked(jobs) == set()
    desk.click("Compare on other images")
    desk.wait(lambda: desk.sees("Choose a folder of images to compare on"))
    desk.wait(lambda: desk.text("Which images are known").startswith("4 files"))


def test_that_what_this_program_has_made_is_no_image_of_ones_own(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = FakeJob._open

    def made_here(job: FakeJob, command: dict[str, Any]) -> list[Event]:
        if command["index"] == 0:
            leave_decoded(job.folder / "decoded-0", enhanced=True)
        return answers(job, command)

    monkeypatch.setattr(FakeJob, "_open", made_here)
    desk.compare(radiographs)
    desk.wait(lambda: desk.text("Which image") == "Image 1 of 2")


def test_that_a_folder_can_be_chosen_where_no_images_are_known(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    desk.offer([])
    assert "choose a folder" in desk.text("Which images are known")
    assert not desk.widget("Compare side by side").isEnabled()
    desk.click("Choose a folder of images to compare on")
    desk.widget("Folder of images to compare on").fileSelected.emit(str(radiographs[0].parent))  # type: ignore[attr-defined]
    desk.wait(lambda: desk.sees("Which image") and desk.text("Which image") == "Image 1 of 3")


def test_that_a_folder_that_is_chosen_while_known_files_are_still_looked_for_is_the_one_that_is_compared_on(
    desk: Desk, radiographs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, walked, walk = threading.Event(), threading.Event(), finder._files

    def slowly(paths: list[Path]) -> Any:
        assert (walked if radiographs[0].parent in paths else known).wait(20)
        return walk(paths)

    monkeypatch.setattr(finder, "_files", slowly)
    others = make_files(tmp_path / "others", ["OTHER.dcm"])
    switch = Switch(part="chest", now="Old", new="New", model=MODEL, use=desk.use, images=lambda: others)
    desk.switching.offer(switch)
    desk.click("Choose a folder of images to compare on")
    desk.widget("Folder of images to compare on").fileSelected.emit(str(radiographs[0].parent))  # type: ignore[attr-defined]
    known.set()
    desk.qtbot.wait(100)
    try:
        assert not desk.widget("Compare side by side").isEnabled()
    finally:
        walked.set()
    desk.wait(lambda: desk.sees("Which image") and desk.text("Which image") == "Image 1 of 3")


def test_that_no_more_than_twenty_images_are_compared_and_each_content_once(
    desk: Desk, tmp_path: Path, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    many = make_files(tmp_path / "many", [f"{number:03}.dcm" for number in range(MOST + 30)])
    answers = FakeJob._open

    def twice(job: FakeJob, command: dict[str, Any]) -> list[Event]:
        """Each content lies in two files."""
        return [
            replace(event, index=command["index"])
            for event in answers(job, {**command, "index": command["index"] // 2})
        ]  # type: ignore[call-arg]

    monkeypatch.setattr(FakeJob, "_open", twice)
    desk.offer(many)
    assert desk.text("Which images are known").startswith("50 files")
    desk.click("Compare side by side")
    desk.wait(lambda: desk.text("Which image") == f"Image 1 of {MOST}", 20)
    assert not desk.sees("How many files were looked at")
    opened = sum(command["command"] == "open" for command in jobs[0].posted)
    assert 2 * MOST - 1 <= opened <= 2 * MOST + 4
    desk.wait(lambda: jobs[0].ended)


def test_that_a_worker_that_dies_while_it_looks_is_told_in_the_place_of_images(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeJob, "_open", lambda self, command: [])
    desk.offer(radiographs)
    desk.click("Compare side by side")
    desk.wait(lambda: len(jobs) == 1 and bool(jobs[0].posted))
    jobs[0].die()
    desk.wait(lambda: "ended unexpectedly" in desk.image("left")._message)
    desk.click("Keep the one in use")
    desk.wait(lambda: not desk.sees("Before a model comes into use"))


def test_that_a_worker_that_dies_after_it_has_found_an_image_is_told_beside_the_images(
    desk: Desk, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = FakeJob._open
    first = str(radiographs[0])
    monkeypatch.setattr(FakeJob, "_open", lambda job, one: opened(job, one) if one["source"] == first else [])
    desk.compare(radiographs)
    jobs[0].die()
    desk.wait(lambda: "ended unexpectedly" in desk.text("How many files were looked at"))
    assert desk.text("How many files were looked at").startswith("Files looked at: 1 of 3.")
    assert desk.sees("How many files were looked at") and desk.text("Which image") == "Image 1 of 1"


def test_that_files_opened_last_are_known_and_one_that_is_gone_costs_nothing(
    desk: Desk, radiographs: list[Path], tmp_path: Path
) -> None:
    recent.update(lambda known: recent.with_new(known, [tmp_path / "gone.dcm", radiographs[0], radiographs[0].parent]))
    desk.offer(opened_last())
    assert desk.text("Which images are known").startswith("3 files")


def test_that_the_dialog_fits_a_small_screen_and_names_every_part_once(desk: Desk, radiographs: list[Path]) -> None:
    desk.compare(radiographs, now="a" * 80, new="b" * 80)
    dialog = desk.widget("Before a model comes into use")
    assert dialog.minimumSizeHint().height() <= 700 and dialog.minimumSizeHint().width() <= 1280
    names = [widget.accessibleName() for widget in dialog.findChildren(QWidget) if not widget.isWindow()]
    assert all(names) and len(set(names)) == len(names)
    buttons = [one for one in QApplication.allWidgets() if isinstance(one, QAbstractButton) and one.window() is dialog]
    assert not any(getattr(button, "isDefault", bool)() for button in buttons), "Enter changes nothing"
