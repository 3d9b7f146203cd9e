"""The window, used by hand, with a worker that answers at once."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from fullfield.enhance.methods import Offer
from fullfield.protocol.events import Notice
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from fullfield_app.gui.pages import RUNS
from fullfield_app.gui.runs.panel import RunsPanel
from fullfield_app.gui.view.viewer import Viewer
from fullfield_app.gui.widgets.label import ElidedLabel
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.question import Question
from fullfield_app.settings import WindowPlace
from gui import fake_run
from gui.conftest import make_files
from gui.fake_job import FakeJob
from gui.hands import Hands

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


def test_that_dropped_files_are_queued_shown_and_enhanced(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    assert [row.split(":")[0] for row in hands.rows()] == ["IM0001.dcm", "IM0002.dcm", "IM0003.dcm"]
    hands.wait(lambda: hands.view("Image after").image_size() is not None)
    assert hands.view().image_size() == (180, 240)


@pytest.mark.parametrize("place", [(5, 5), (700, 400), (1270, 710)])
def test_that_files_may_be_dropped_anywhere(hands: Hands, radiographs: list[Path], place: tuple[int, int]) -> None:
    hands.drop(radiographs[:1], at=place)
    hands.wait(lambda: len(hands.rows()) == 1)


def test_that_files_may_be_dropped_on_images_that_are_shown(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.drop(radiographs[1:], at=(900, 300))
    hands.wait(lambda: len(hands.rows()) == 3)


def test_that_a_dropped_folder_is_walked(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop([radiographs[0].parent])
    hands.wait(lambda: len(hands.rows()) == 3)


def test_that_an_image_is_visible_before_it_is_enhanced(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    jobs[0].hold.add("enhance")
    hands.drop(radiographs[:1])
    hands.wait(lambda: hands.view().image_size() is not None)
    assert hands.view("Image after").image_size() is None
    assert "Enhanced" not in hands.rows()[0]


def test_that_a_failed_image_says_why_and_what_to_do_and_costs_only_its_row(hands: Hands, tmp_path: Path) -> None:
    hands.drop_and_wait(make_files(tmp_path / "in", ["bad.dcm", "good.dcm"]))
    failed, enhanced = "bad.dcm: Failed: It ends too early. Copy it anew.", "good.dcm: Enhanced in 0.4 s Automatic"
    assert hands.rows() == [failed, enhanced]
    assert hands.text("Problem of this image") == "Cannot read the file. It ends too early."
    assert hands.text("What to do of this image") == "Copy it anew."


def test_that_markup_in_a_file_name_is_shown_letter_by_letter(hands: Hands, tmp_path: Path) -> None:
    name = "<b>bad<img src=x>.dcm"
    hands.drop_and_wait(make_files(tmp_path / "in", [name]))
    assert hands.text("File of this image") == name
    for label in hands.window.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText, label.accessibleName()
    [place] = hands.places()
    shown = str(place.data(Qt.ItemDataRole.ToolTipRole))
    assert "&lt;b&gt;" in shown and "<b>" not in shown


def test_that_signs_that_reorder_a_name_are_not_shown_as_such(hands: Hands, tmp_path: Path) -> None:
    hands.drop_and_wait(make_files(tmp_path / "in", ["IM\u202emcd.exe"]))
    assert "\u202e" not in hands.rows()[0]


def test_that_the_kind_of_input_is_shown_with_its_reason(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.wait(lambda: bool(hands.text("Input of this image")))
    assert hands.text("Input of this image") == "Processed for display. The file says that it is for presentation."


def test_that_what_the_worker_says_of_its_device_is_in_the_status_bar(hands: Hands, jobs: list[FakeJob]) -> None:
    jobs[0].reported.append(Notice(text="The GPU's driver is too old: the CPU is used."))
    hands.wait(lambda: "too old" in hands.text("What the worker says"))


def test_that_it_always_says_what_it_is_not(hands: Hands) -> None:
    label = hands.widget("What this program is not")
    assert label.isVisible() and "Not a medical device" in hands.text("What this program is not")


def test_that_another_preset_enhances_the_selected_image_again(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs)
    hands.choose("Preset or model", 1)
    hands.wait(lambda: "auto" not in hands.text("Enhanced of this image"))
    assert hands.text("Enhanced of this image").startswith("preset general 1")
    again = [command for command in jobs[0].posted if command.get("choice") == "general"]
    assert [command["index"] for command in again] == [0]
    hands.click("Enhance all images with this choice")
    hands.wait(lambda: len([command for command in jobs[0].posted if command.get("choice") == "general"]) == 4)


def test_that_images_leave_the_list_by_key_and_files_stay(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.choose_row(0)
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: len(hands.rows()) == 2)
    hands.key(Qt.Key.Key_A, CONTROL)
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: hands.widget("Start: no images yet").isVisible())
    assert all(path.exists() for path in radiographs)


def test_that_a_file_that_is_there_already_is_said(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.drop(radiographs)
    hands.wait(lambda: "already" in hands.text("Message, in full"))


def test_that_a_missing_path_is_an_error_in_the_window(hands: Hands, tmp_path: Path) -> None:
    hands.drop([tmp_path / "gone.dcm"])
    hands.wait(lambda: "gone.dcm" in hands.text("Message, in short"))
    hands.click("Dismiss the message")
    assert not hands.widget("Message").isVisible()


def test_that_a_missing_path_costs_none_of_those_that_come_with_it(
    hands: Hands, radiographs: list[Path], tmp_path: Path
) -> None:
    hands.drop([radiographs[0], tmp_path / "gone.dcm", radiographs[1]])
    hands.wait(lambda: "gone.dcm" in hands.text("Message, in short"))
    hands.wait(lambda: len(hands.rows()) == 2)


def test_that_the_window_fits_a_laptop_of_1366_by_768(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    least = hands.window._page.minimumSizeHint()  # the window itself is smaller: its page then scrolls
    assert least.width() <= 1280 and least.height() <= 600


@pytest.mark.parametrize("kept", [WindowPlace(), WindowPlace(left=20, top=30, width=1900, height=1000)])
def test_that_the_window_is_no_larger_than_the_screens_there_are(
    hands: Hands, start: Callable[[], FakeJob], kept: WindowPlace
) -> None:
    store = hands.window._store
    store.change(lambda now: replace(now, window=kept))
    window = MainWindow(Workers(session=start), store)
    hands.qtbot.addWidget(window)
    try:
        room = window.screen().availableGeometry()  # of 800 × 800, in tests
        assert room.contains(window.geometry()) and window.width() == room.width()
    finally:
        window.shut_down()


def test_that_no_text_is_cut_off(hands: Hands, tmp_path: Path) -> None:
    assert cut_off(hands.window) == []
    hands.drop_and_wait(make_files(tmp_path / "in", ["bad.dcm", f"{'long_' * 30}name.dcm"]))
    hands.drop([tmp_path / "gone.dcm"])
    hands.wait(lambda: hands.widget("Message").isVisible())
    hands.key(Qt.Key.Key_PageDown)
    hands.wait(lambda: hands.view().image_size() is not None)
    assert cut_off(hands.window) == []


def cut_off(window: QWidget) -> list[str]:
    """Texts of labels and buttons that are smaller than their letters."""
    application = QApplication.instance()
    assert application is not None
    application.processEvents()
    found = []
    for widget in (*window.findChildren(QLabel), *window.findChildren(QAbstractButton)):
        if not widget.isVisible() or not widget.text() or isinstance(widget, ElidedLabel):
            continue
        wraps = isinstance(widget, QLabel) and widget.wordWrap()
        need = widget.heightForWidth(widget.width()) if wraps else widget.sizeHint().height()
        if widget.height() < need or (not wraps and widget.width() < widget.minimumSizeHint().width()):
            found.append(f"{widget.accessibleName()}: {widget.text()}")
    return found


def test_that_the_list_of_keys_names_every_action(hands: Hands) -> None:
    hands.qtbot.keyClick(hands.window, "?")
    hands.wait(lambda: hands.sees("Mouse and keys"))
    texts = {label.text() for label in hands.widget("Mouse and keys").findChildren(QLabel)}
    assert {"Curtain", "Invert", "Export new", "zoom at the cursor"} <= texts


def test_that_the_views_of_both_modes_are_there(hands: Hands) -> None:
    assert len(hands.window.findChildren(Viewer)) == 4


def test_that_a_model_that_was_kept_meanwhile_is_offered_on_the_next_turn_to_the_page(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    combo = hands.widget("Preset or model")
    assert isinstance(combo, QComboBox)
    hands.wait(lambda: combo.count() > 2)
    kept = Offer(key="/models/chest.safetensors", title="chest", model=True)
    monkeypatch.setattr("fullfield_app.gui.enhance.offering.find_offers", lambda: (kept,))
    hands.key(Qt.Key.Key_3, ALT)
    hands.key(Qt.Key.Key_1, ALT)
    hands.wait(lambda: combo.findData(kept.key) >= 0)
    assert combo.itemText(combo.findData(kept.key)) == "Model: chest"


def test_that_a_turn_to_the_page_reads_presets_and_models_once(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    combo = hands.widget("Preset or model")
    assert isinstance(combo, QComboBox)
    hands.wait(lambda: combo.count() > 2)
    read = itertools.count()
    hands.key(Qt.Key.Key_3, ALT)
    found = Offer(key="/models/chest.safetensors", title="chest", model=True)
    monkeypatch.setattr("fullfield_app.gui.enhance.offering.find_offers", lambda: (found,) * (1 + next(read)))
    hands.key(Qt.Key.Key_1, ALT)
    hands.wait(lambda: combo.findData(found.key) >= 0)
    hands.qtbot.wait(50)
    assert next(read) == 1


def test_that_a_page_that_was_turned_to_before_the_first_paint_is_started(
    qtbot: QtBot, start: Callable[[], FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    monkeypatch.setattr(RunsPanel, "start", lambda page: started.append(page))
    window = MainWindow(Workers(session=start))
    qtbot.addWidget(window)
    try:
        window._turn_to(RUNS)
        assert not started
        window.show()
        qtbot.waitUntil(lambda: started == [window._page])
    finally:
        window.shut_down()


def test_that_files_dropped_on_a_page_that_has_no_use_for_them_are_opened_on_the_one_that_has(
    hands: Hands, radiographs: list[Path]
) -> None:
    hands.key(Qt.Key.Key_3, ALT)
    assert not hands.sees("Start: no images yet")
    hands.drop_and_wait(radiographs)
    assert hands.list.isVisible()


def test_that_what_was_agreed_to_is_asked_again_after_closing_was_called_off(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.key(Qt.Key.Key_3, ALT)
    going_on = Question(title="A training is running", text="", answers=(), cancel="Work on")
    monkeypatch.setattr(hands.window._at_start, "question", lambda attach: going_on)
    hands.window.close()
    hands.click("Close")
    hands.wait(lambda: hands.sees("A training is running"))
    hands.click("Work on")
    hands.window.close()
    assert hands.sees("Close without exporting?") and not jobs[0].stopped


def test_that_closing_asks_about_a_training_though_the_page_of_runs_was_never_opened(hands: Hands) -> None:
    folder = fake_run.training(1, reported=[*fake_run.begun(), *fake_run.epoch(1)])
    worker = {"pid": os.getpid(), "started": psutil.Process().create_time()}
    (folder / "worker.json").write_text(json.dumps(worker))
    hands.window.close()
    hands.wait(lambda: hands.sees("Close while a training runs?"))
    (folder / "job.json").unlink()  # deleted by another window meanwhile
    hands.click("Stop and keep")
    hands.wait(lambda: not hands.window.isVisible())


def test_that_a_message_can_propose_two_things(hands: Hands) -> None:
    done = list[str]()
    ways = {"action": "Resume", "act": lambda: done.append("one"), "other": "Report"}
    for button in ("Do what the message proposes", "Do the other thing that the message proposes"):
        hands.window._messages.add(Message(title="It died.", **ways, act_other=lambda: done.append("other")))
        hands.click(button)
        assert not hands.sees("Message")
    assert done == ["one", "other"]


def test_that_an_image_whose_thumbnail_failed_once_is_not_opening_for_ever(
    hands: Hands, radiographs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(folder: Path) -> QImage:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as failing:
        failing.setattr("fullfield_app.gui.enhance.pictures.thumbnail", fail)
        hands.drop_and_wait(radiographs[:1])
        hands.qtbot.wait(50)
    assert "Opening" in hands.groups()[0]
    hands.list.setFocus()
    hands.key(Qt.Key.Key_Return, CONTROL)
    hands.wait(lambda: "Opening" not in hands.groups()[0])
