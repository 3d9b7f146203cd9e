"""The list of what to enhance with: a network that cannot serve the image one looks at is grey, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

import map_file
from fullfield.enhance.fit import Served
from fullfield.enhance.methods import Offer
from fullfield.image import own_presets
from fullfield.image.image import InputKind
from fullfield.image.method import Method
from fullfield.model import shipped
from fullfield_app.gui.enhance.choice_bar import ChoiceBar
from fullfield_app.gui.enhance.offering import Offering
from gui.fake_job import FakeJob
from gui.hands import Hands

RAW, PROCESSED = InputKind.RAW, InputKind.PROCESSED
PRESET = Offer(key="chest", title="Chest")


def network(key: str, input_kind: str, *modalities: str) -> Offer:
    served = Served(input_kind=input_kind, modalities=modalities)
    return Offer(key=f"/models/{key}.safetensors", title=key, model=True, served=served)


OF_RAW, OF_PROCESSED, OF_BOTH = network("one", "raw"), network("two", "processed"), network("three", "any", "MG")


@pytest.fixture
def bar(qtbot: QtBot) -> ChoiceBar:
    made = ChoiceBar()
    qtbot.addWidget(made)
    made.offer((PRESET, OF_RAW, OF_PROCESSED, OF_BOTH))
    return made


def choices(bar: ChoiceBar) -> QComboBox:
    return next(combo for combo in bar.findChildren(QComboBox) if combo.accessibleName() == "Preset or model")


def grey(bar: ChoiceBar) -> dict[str, str]:
    """What cannot be chosen, and why."""
    combo = choices(bar)
    model = combo.model()
    off = [
        place for place in range(combo.count()) if not model.flags(model.index(place, 0)) & Qt.ItemFlag.ItemIsEnabled
    ]
    return {combo.itemText(place): str(combo.itemData(place, Qt.ItemDataRole.ToolTipRole)) for place in off}


def test_that_networks_for_the_other_kind_are_grey_with_the_reason(bar: ChoiceBar) -> None:
    bar.show_kind(PROCESSED, "")
    ((title, why),) = grey(bar).items()
    assert title == "Model: one (for raw images only)"
    assert "The model is for raw images" in why and "one of the processed ones" in why
    bar.show_kind(RAW, "")
    assert list(grey(bar)) == ["Model: two (for processed images only)"]
    assert choices(bar).findText("Model: one") >= 0


def test_that_all_can_be_chosen_while_nothing_is_known_of_the_image(bar: ChoiceBar) -> None:
    bar.show_kind(PROCESSED, "")
    bar.show_kind(None, "")
    assert grey(bar) == {}


def test_that_what_the_user_says_of_the_input_decides(bar: ChoiceBar) -> None:
    bar.show_kind(PROCESSED, "")
    bar.show_method(Method(kind="raw"))
    assert list(grey(bar)) == ["Model: two (for processed images only)"]


def test_that_networks_that_never_saw_a_mammogram_are_grey_for_one(bar: ChoiceBar) -> None:
    bar.show_kind(PROCESSED, "", "MG")
    assert list(grey(bar)) == ["Model: one (for raw images only)", "Model: two (not for mammograms)"]


def test_that_a_network_that_is_kept_meanwhile_is_grey_at_once(bar: ChoiceBar) -> None:
    bar.show_kind(PROCESSED, "")
    bar.offer((PRESET, OF_RAW, network("four", "raw")))
    assert len(grey(bar)) == 2


def test_that_a_model_that_is_gone_is_listed_for_the_image_that_has_it_alone_and_as_gone(bar: ChoiceBar) -> None:
    combo = choices(bar)
    bar.show_method(Method(choice=OF_RAW.key))
    bar.offer((PRESET, OF_BOTH))
    assert combo.currentText() == "Model: one (no longer there)" and combo.findData(OF_PROCESSED.key) < 0
    bar.show_method(Method())
    bar.offer((PRESET, OF_BOTH))
    assert combo.findData(OF_RAW.key) < 0


def test_that_nothing_is_told_as_gone_while_nobody_has_looked(qtbot: QtBot) -> None:
    made = ChoiceBar()
    qtbot.addWidget(made)
    made.show_method(Method(choice=OF_RAW.key))
    assert choices(made).currentText() == "Model: one"


def test_that_a_network_is_grey_for_the_image_that_is_selected(
    hands: Hands, radiographs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fullfield_app.gui.enhance.offering.find_offers", lambda: (PRESET, OF_RAW, OF_PROCESSED))
    hands.key(Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
    hands.key(Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    hands.drop_and_wait(radiographs[:1])
    bar = hands.window.findChild(ChoiceBar)
    hands.wait(lambda: len(grey(bar)) == 1)
    assert next(iter(grey(bar))).endswith("images only)")


def test_that_a_preset_of_the_user_s_own_that_cannot_be_used_is_said_once(hands: Hands) -> None:
    offering = hands.window.findChild(Offering)
    said: list[str] = []
    offering.failed.connect(lambda error: said.append(str(error)))
    own_presets.folder().mkdir(parents=True)
    (own_presets.folder() / "ours.toml").write_text("name = ", encoding="utf-8")
    looked: list[object] = []
    offering.offered.connect(looked.append)
    for count in (1, 2):
        offering.look()
        hands.wait(lambda count=count: len(looked) >= count)  # type: ignore[misc]
    assert "It is not TOML" in hands.text("Message, in full")
    assert len(said) == 1 and said[0].startswith("Your preset ours is not chosen automatically")


def test_that_the_model_that_ships_is_one_click_away_by_its_own_title_and_never_taken_by_itself(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    path = shipped.folder() / "shipped.safetensors"
    map_file.write(path)
    hands.key(Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
    hands.key(Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    hands.drop_and_wait(radiographs[:1])
    combo = choices(hands.window.findChild(ChoiceBar))
    hands.wait(lambda: combo.findData(str(path)) == 1)
    assert combo.itemText(1) == "Learned" and combo.currentText() == "Automatic"
    assert not any(command.get("choice") == str(path) for command in jobs[-1].posted)
    combo.setCurrentIndex(1)
    combo.activated.emit(1)
    hands.wait(lambda: any(command.get("choice") == str(path) for command in jobs[-1].posted))
    assert not hands.sees("Use this model?")


def test_that_a_choice_that_was_undone_is_not_given_to_the_next_images(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    def asked() -> list[tuple[int, str]]:
        return [(one["index"], one["choice"]) for one in jobs[0].posted if one["command"] == "enhance"]

    hands.drop_and_wait(radiographs[:1])
    combo = choices(hands.window.findChild(ChoiceBar))
    hands.wait(lambda: combo.findData("skull") >= 0)
    combo.activated.emit(combo.findData("skull"))
    hands.wait(lambda: asked() == [(0, "auto"), (0, "skull")])
    hands.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    hands.drop_and_wait(radiographs[1:2])
    hands.wait(lambda: (1, "auto") in asked())
    assert (1, "skull") not in asked()
    hands.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    hands.drop_and_wait(radiographs[2:3])
    hands.wait(lambda: (2, "skull") in asked())
