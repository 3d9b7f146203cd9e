"""Sliders, kinds and undoing, by a user's hands on a window whose worker answers at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QSlider, QStyle, QStyleOptionSlider

import asking
from fullfield.image import own_presets, presets
from fullfield.protocol.events import ItemEnhanced, ItemFailed
from fullfield_app.gui.enhance.adjusting import REST_MILLISECONDS
from fullfield_app.gui.enhance.parameter_slider import ParameterSlider
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from gui.conftest import make_files
from gui.fake_job import FakeJob
from gui.hands import LEFT, Hands

CONTROL = Qt.KeyboardModifier.ControlModifier
GAIN = "Slider: Detail, Amount"


def test_that_every_slider_is_called_for_screen_readers_as_it_is_titled(opened: Hands) -> None:
    sliders = opened.window.findChildren(ParameterSlider)
    names = [slider.accessibleName() for slider in sliders]
    assert all(slider.title in name for slider, name in zip(sliders, names, strict=True))
    assert len(set(names)) == len(names) > 20


def enhancements(jobs: list[FakeJob]) -> list[dict[str, Any]]:
    return [command for command in jobs[-1].posted if command["command"] == "enhance"]


def press(hands: Hands, key: Qt.Key) -> None:
    slider = hands.widget(GAIN)
    slider.setFocus()
    hands.qtbot.keyClick(slider, key)


def _action(hands: Hands, key: str) -> Any:
    return hands.window._page.actions_by_key[key]


def seen(view: CompareView) -> int:
    """A pixel of the image after, in the middle of it."""
    shown = view.shown(Side.AFTER)
    return int(shown.picture.levels[0][100, 100]) if shown is not None else 0


def handle(slider: QSlider) -> QPoint:
    """Where a slider is taken hold of."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    part = QStyle.SubControl.SC_SliderHandle
    return slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider).center()


def test_that_a_slider_is_previewed_in_the_after_view_and_then_enhances_the_image(
    opened: Hands, jobs: list[FakeJob]
) -> None:
    before = len(enhancements(jobs))
    press(opened, Qt.Key.Key_End)
    view = opened.window.findChild(CompareView)
    opened.wait(lambda: seen(view) == 40)
    assert len(enhancements(jobs)) == before
    opened.wait(lambda: len(enhancements(jobs)) == before + 1)
    assert enhancements(jobs)[-1]["changes"] == [["detail.gain", 4.0]] and enhancements(jobs)[-1]["index"] == 0
    opened.wait(lambda: seen(view) > 40)


def test_that_letting_a_slider_go_enhances_at_once(opened: Hands, jobs: list[FakeJob]) -> None:
    slider = opened.widget(GAIN)
    assert isinstance(slider, QSlider)
    before, middle = len(enhancements(jobs)), handle(slider)
    opened.qtbot.mousePress(slider, LEFT, Qt.KeyboardModifier.NoModifier, middle)
    opened.move(slider, middle + QPoint(30, 0), LEFT)
    opened.qtbot.mouseRelease(slider, LEFT, Qt.KeyboardModifier.NoModifier, middle + QPoint(30, 0))
    opened.wait(lambda: len(enhancements(jobs)) > before, 0.4)


def test_that_a_slider_that_is_held_still_is_not_let_go(opened: Hands, jobs: list[FakeJob]) -> None:
    slider = opened.widget(GAIN)
    assert isinstance(slider, QSlider)
    before, middle = len(enhancements(jobs)), handle(slider)
    opened.qtbot.mousePress(slider, LEFT, Qt.KeyboardModifier.NoModifier, middle)
    opened.move(slider, middle + QPoint(30, 0), LEFT)
    opened.qtbot.wait(REST_MILLISECONDS + 100)
    assert len(enhancements(jobs)) == before and not _action(opened, "undo").isEnabled()
    opened.qtbot.mouseRelease(slider, LEFT, Qt.KeyboardModifier.NoModifier, middle + QPoint(30, 0))
    opened.wait(lambda: len(enhancements(jobs)) > before)


def test_that_a_value_is_kept_for_its_image_when_the_next_one_is_looked_at_at_once(
    opened: Hands, jobs: list[FakeJob]
) -> None:
    before = len(enhancements(jobs))
    press(opened, Qt.Key.Key_End)
    opened.list.setFocus()
    opened.key(Qt.Key.Key_PageDown)
    opened.wait(lambda: len(enhancements(jobs)) > before)
    opened.qtbot.wait(REST_MILLISECONDS + 100)
    [asked] = enhancements(jobs)[before:]
    assert asked["index"] == 0 and asked["changes"] == [["detail.gain", 4.0]]


def test_that_a_value_is_decided_before_what_is_decided_next(opened: Hands, jobs: list[FakeJob]) -> None:
    press(opened, Qt.Key.Key_End)
    opened.choose("Preset or model", 1)
    opened.wait(lambda: enhancements(jobs)[-1]["choice"] != "auto")
    opened.qtbot.wait(REST_MILLISECONDS + 100)
    assert not enhancements(jobs)[-1]["changes"]
    opened.list.setFocus()
    opened.key(Qt.Key.Key_Z, CONTROL)
    opened.wait(lambda: enhancements(jobs)[-1]["changes"] == [["detail.gain", 4.0]])


def test_that_what_a_slider_tries_is_not_exported_as_it_was_before(
    opened: Hands, jobs: list[FakeJob], tmp_path: Path
) -> None:
    jobs[0].hold.add("enhance")
    before = len(enhancements(jobs))
    opened.drop(make_files(tmp_path / "more", ["A.dcm", "B.dcm"]))
    opened.wait(lambda: len(enhancements(jobs)) == before + 2)  # the worker has its hands full
    opened.choose_row(0)
    press(opened, Qt.Key.Key_End)
    opened.window._page.actions_by_key["export_selected"].trigger()
    opened.wait(lambda: opened.text("Message, in short") == "One image was not exported.")
    assert all(command["command"] != "export" for command in jobs[0].posted)


def test_that_what_is_seen_after_a_trial_was_called_off_is_what_an_export_would_write(
    opened: Hands, jobs: list[FakeJob]
) -> None:
    view, before = opened.window.findChild(CompareView), len(enhancements(jobs))
    jobs[0].hold.add("enhance")
    press(opened, Qt.Key.Key_End)
    opened.wait(lambda: seen(view) == 40)
    opened.wait(lambda: len(enhancements(jobs)) > before)
    opened.list.setFocus()
    opened.key(Qt.Key.Key_Escape)
    opened.wait(lambda: "Enhanced" in opened.rows()[0])
    [path] = jobs[0].folder.glob("enhanced-0-*.npy")
    assert seen(view) == np.load(path)[100, 100]


def test_that_a_trial_that_failed_leaves_the_reason_where_the_image_was(opened: Hands, jobs: list[FakeJob]) -> None:
    view, before = opened.window.findChild(CompareView), len(enhancements(jobs))
    jobs[0].hold.add("enhance")
    press(opened, Qt.Key.Key_End)
    opened.wait(lambda: seen(view) == 40 and len(enhancements(jobs)) > before)
    jobs[0].reported.append(ItemFailed(index=0, error={"title": "Cannot enhance the image."}))
    opened.wait(lambda: "Failed" in opened.rows()[0])
    assert view.shown(Side.AFTER) is None


def test_that_a_preview_that_comes_after_its_trial_was_called_off_is_not_shown(
    opened: Hands, jobs: list[FakeJob]
) -> None:
    view, before = opened.window.findChild(CompareView), len(enhancements(jobs))
    jobs[0].hold |= {"enhance", "preview"}
    was = seen(view)
    press(opened, Qt.Key.Key_End)
    opened.wait(lambda: len(enhancements(jobs)) > before)
    opened.list.setFocus()
    opened.key(Qt.Key.Key_Escape)
    opened.wait(lambda: "Enhanced" in opened.rows()[0])
    jobs[0].hold.discard("preview")
    jobs[0].post(asking.command([command for command in jobs[0].posted if command["command"] == "preview"][-1]))
    opened.wait(lambda: not jobs[0].reported)
    opened.qtbot.wait(50)
    assert seen(view) == was


def test_that_a_decision_is_undone_and_done_again_by_key_and_the_menu_says_what(
    opened: Hands, jobs: list[FakeJob]
) -> None:
    opened.choose("Preset or model", 1)
    opened.wait(lambda: enhancements(jobs)[-1]["choice"] != "auto")
    chosen = enhancements(jobs)[-1]["choice"]
    title = presets.load(chosen).title
    assert _action(opened, "undo").text() == f"Undo: {title}"
    opened.list.setFocus()
    opened.key(Qt.Key.Key_Z, CONTROL)
    opened.wait(lambda: enhancements(jobs)[-1]["choice"] == "auto")
    assert _action(opened, "redo").text() == f"Redo: {title}"
    opened.key(Qt.Key.Key_Y, CONTROL)
    opened.wait(lambda: enhancements(jobs)[-1]["choice"] == chosen)


def test_that_removed_images_come_back_in_their_place(opened: Hands, jobs: list[FakeJob]) -> None:
    opened.choose_row(0)
    opened.key(Qt.Key.Key_Delete)
    opened.wait(lambda: len(opened.rows()) == 1)
    opened.key(Qt.Key.Key_Z, CONTROL)
    opened.wait(lambda: len(opened.rows()) == 2 and "IM0001" in opened.rows()[0])
    opened.wait(lambda: "Enhanced" in opened.rows()[0])


def test_that_the_kind_is_overridden_for_the_selected_image_and_sent_to_the_worker(
    opened: Hands, jobs: list[FakeJob]
) -> None:
    combo = opened.widget("Kind of input")
    assert isinstance(combo, QComboBox) and "processed" in combo.currentText()
    opened.choose("Kind of input", 1)
    opened.wait(lambda: enhancements(jobs)[-1]["kind"] == "raw")
    assert enhancements(jobs)[-1]["index"] == 0 and "raw" in opened.rows()[0]
    assert "raw" not in opened.rows()[1]


def test_that_a_new_worker_enhances_again_with_what_was_chosen(opened: Hands, jobs: list[FakeJob]) -> None:
    press(opened, Qt.Key.Key_End)
    opened.wait(lambda: enhancements(jobs)[-1]["changes"] != ())
    opened.choose("Kind of input", 2)
    opened.wait(lambda: enhancements(jobs)[-1]["kind"] == "processed")
    press(opened, Qt.Key.Key_End)
    opened.wait(lambda: bool(enhancements(jobs)[-1]["changes"]))
    opened.wait(lambda: all("Enhanced" in row for row in opened.rows()))
    jobs[0].die()
    opened.wait(lambda: opened.sees("Message"))
    opened.list.setFocus()
    opened.key(Qt.Key.Key_Return, CONTROL)
    opened.wait(lambda: len(jobs) == 2 and bool(enhancements(jobs)))
    again = enhancements(jobs)[-1]
    assert again["kind"] == "processed" and dict(again["changes"])["detail.gain"] == 4.0


def test_that_the_values_become_a_preset_that_is_offered_and_used(opened: Hands, jobs: list[FakeJob]) -> None:
    press(opened, Qt.Key.Key_End)
    opened.wait(lambda: bool(enhancements(jobs)[-1]["changes"]))
    opened.click("Save these values as a preset of your own")
    title = opened.widget("Name of the preset")
    assert isinstance(title, QLineEdit)
    opened.qtbot.keyClicks(title, "Our chest")
    opened.click("Save the preset")
    opened.wait(lambda: enhancements(jobs)[-1]["choice"] == "our-chest")
    assert presets.load("our-chest").detail_gain == 4.0 and own_presets.paths()
    combo = opened.widget("Preset or model")
    assert isinstance(combo, QComboBox)
    opened.wait(lambda: "Our chest" in combo.currentText())


def test_that_a_preset_that_is_saved_again_is_used_as_it_is(opened: Hands, jobs: list[FakeJob]) -> None:
    for key, gain in ((Qt.Key.Key_End, 4.0), (Qt.Key.Key_Home, 0.0)):
        press(opened, key)
        opened.wait(lambda: bool(enhancements(jobs)[-1]["changes"]))
        opened.click("Save these values as a preset of your own")
        title = opened.widget("Name of the preset")
        assert isinstance(title, QLineEdit)
        title.setText("Our chest")
        opened.click("Save the preset")
        opened.wait(lambda: (enhancements(jobs)[-1]["choice"], *enhancements(jobs)[-1]["changes"]) == ("our-chest",))
        assert presets.load("our-chest").detail_gain == gain


def test_that_the_previewed_pixels_are_this_windows_alone(opened: Hands, jobs: list[FakeJob]) -> None:
    [path] = jobs[0].folder.glob("enhanced-0-*.npy")
    whole = np.load(path).copy()
    press(opened, Qt.Key.Key_End)
    opened.wait(lambda: any(command["command"] == "preview" and command["changes"] for command in jobs[0].posted))
    opened.qtbot.wait(60)
    assert np.array_equal(np.load(path), whole)


def test_that_a_kind_that_was_chosen_is_told_beside_what_was_found(opened: Hands) -> None:
    opened.choose("Kind of input", 1)
    opened.wait(lambda: "as chosen here" in opened.text("Input of this image"))
    assert opened.text("Input of this image").startswith("Raw") and "presentation" in opened.text("Input of this image")


def test_that_applying_a_choice_to_all_is_one_decision(opened: Hands, jobs: list[FakeJob]) -> None:
    opened.choose("Preset or model", 1)
    opened.click("Enhance all images with this choice")
    opened.wait(lambda: {command["index"] for command in enhancements(jobs)[-2:]} == {0, 1})
    opened.wait(lambda: all("General" in row for row in opened.rows()))
    assert "2 images" in _action(opened, "undo").text()
    opened.list.setFocus()
    opened.key(Qt.Key.Key_Z, CONTROL)
    opened.wait(lambda: "General" not in opened.rows()[1])


def test_that_adjustments_are_applied_to_all_as_the_image_that_is_looked_at_has_them(
    opened: Hands, jobs: list[FakeJob]
) -> None:
    press(opened, Qt.Key.Key_End)
    opened.wait(lambda: bool(enhancements(jobs)[-1]["changes"]))
    opened.wait(lambda: all("Enhanced" in row for row in opened.rows()))
    opened.click("Enhance all images with this choice")
    opened.wait(lambda: enhancements(jobs)[-1]["index"] == 1)
    assert dict(enhancements(jobs)[-1]["changes"]) == {"detail.gain": 4.0}


def test_that_automatic_shows_no_sliders_for_an_image_that_a_model_enhanced(
    hands: Hands, radiographs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = FakeJob._enhance
    by_model = {"recipe": "model ours 1.0.0"}
    monkeypatch.setattr(
        FakeJob,
        "_enhance",
        lambda *asked: [replace(one, **by_model) if isinstance(one, ItemEnhanced) else one for one in answers(*asked)],
    )
    hands.drop_and_wait(radiographs[:1])
    hands.click("Adjust the preset with sliders")
    hands.wait(lambda: "A model has no parameters" in hands.text("Preset that is adjusted"))
    assert not hands.widget(GAIN).isEnabled()
