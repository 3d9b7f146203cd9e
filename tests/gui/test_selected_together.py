"""What is chosen and moved for several selected images at once, on a window whose worker answers at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from fullfield.image import presets
from fullfield.image.method import AUTO
from fullfield_app.gui.enhance.choice_bar import ChoiceBar
from fullfield_app.gui.enhance.parameter_slider import ParameterSlider
from gui.fake_job import FakeJob
from gui.hands import Hands


def asked(jobs: list[FakeJob]) -> list[dict[str, Any]]:
    return [command for command in jobs[-1].posted if command["command"] == "enhance"]


def last(jobs: list[FakeJob], index: int) -> dict[str, Any]:
    return [command for command in asked(jobs) if command["index"] == index][-1]


def select_both(hands: Hands) -> None:
    """The first is the one that is looked at."""
    hands.wait(lambda: len(hands.groups()) == 1)  # else the key goes to the title of a group
    hands.choose_row(1)
    hands.qtbot.keyClick(hands.list, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    hands.wait(lambda: hands.window.findChild(ChoiceBar).shown.choice == AUTO)


def pick(hands: Hands, name: str, data: str) -> None:
    combo = hands.widget(name)
    assert isinstance(combo, QComboBox)
    place = combo.findData(data)
    combo.setCurrentIndex(place)
    combo.activated.emit(place)  # as by the mouse: a key does not choose what is chosen


@pytest.fixture
def two(hands: Hands, radiographs: list[Path], jobs: list[FakeJob]) -> Hands:
    """The second image has a choice and a kind of its own."""
    hands.drop_and_wait(radiographs[:2])
    combo = hands.widget("Preset or model")
    assert isinstance(combo, QComboBox)
    hands.wait(lambda: combo.findData("skull") > 0)
    hands.choose_row(1)
    pick(hands, "Kind of input", "raw")
    pick(hands, "Preset or model", "skull")
    hands.wait(lambda: all("Enhanced" in row for row in hands.rows()) and last(jobs, 1)["choice"] == "skull")
    select_both(hands)
    return hands


@pytest.mark.parametrize(("name", "field"), [("Preset or model", "choice"), ("Kind of input", "kind")])
def test_that_what_the_image_seen_has_can_be_chosen_for_the_others_that_are_selected(
    two: Hands, jobs: list[FakeJob], name: str, field: str
) -> None:
    before = len(asked(jobs))
    pick(two, name, "auto")
    two.wait(lambda: last(jobs, 1)[field] == "auto")
    assert [command["index"] for command in asked(jobs)[before:]] == [1]


def move(hands: Hands, key: str, place: int | None, value: float) -> None:
    """Type a number, and leave it to rest."""
    sliders = hands.window.findChildren(ParameterSlider)
    next(one for one in sliders if (one.parameter.key, one.place) == (key, place))._number.setValue(value)


def test_that_a_slider_for_several_images_leaves_what_was_not_moved_as_each_of_them_has_it(
    two: Hands, jobs: list[FakeJob]
) -> None:
    two.click("Adjust the preset with sliders")
    two.choose_row(1)
    two.wait(lambda: "Skull" in two.text("Preset that is adjusted"))
    move(two, "detail.gain", None, 2.5)
    two.wait(lambda: last(jobs, 1)["changes"] == [["detail.gain", 2.5]])
    select_both(two)
    two.wait(lambda: "Skull" not in two.text("Preset that is adjusted"))
    move(two, "edges.gains", 1, 0.45)
    two.wait(lambda: all(last(jobs, index)["changes"] for index in (0, 1)) and len(last(jobs, 1)["changes"]) == 2)
    (first, _, third), kept = presets.load("skull-raw").edges_gains, dict(last(jobs, 1)["changes"])
    assert kept == {"detail.gain": 2.5, "edges.gains": [first, 0.45, third]}
    (first, _, third), seen = presets.load("chest").edges_gains, dict(last(jobs, 0)["changes"])
    assert seen == {"edges.gains": [first, 0.45, third]}
    two.click("Reset all parameters to those of the preset")
    two.wait(lambda: not last(jobs, 0)["changes"] and not last(jobs, 1)["changes"])


def test_that_an_image_whose_slider_has_not_rested_is_said_not_to_be_exported(two: Hands, jobs: list[FakeJob]) -> None:
    two.click("Adjust the preset with sliders")
    two.choose_row(0)
    jobs[0].hold.add("enhance")
    move(two, "detail.gain", None, 2.5)
    two.window._page.actions_by_key["export_new"].trigger()
    two.wait(lambda: two.text("Message, in short") == "One image was not exported.")
    two.wait(lambda: [one["index"] for one in jobs[0].posted if one["command"] == "export"] == [1])


def test_that_the_only_image_ordered_is_said_not_to_be_exported_where_its_slider_has_not_rested(
    two: Hands, jobs: list[FakeJob]
) -> None:
    two.click("Adjust the preset with sliders")
    two.choose_row(0)
    move(two, "detail.gain", None, 2.5)
    two.window._page.actions_by_key["export_selected"].trigger()
    two.wait(lambda: two.text("Message, in short") == "One image was not exported.")
