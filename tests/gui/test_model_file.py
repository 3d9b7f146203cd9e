"""A model that is chosen from a file: its card is read before anything is enhanced with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog

import card_file
from fullfield_app.gui.enhance import offering
from gui.fake_job import FakeJob
from gui.grading_steps import activate
from gui.hands import Hands


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model for tests."""
    return card_file.write(tmp_path_factory.mktemp("model") / "seeded.safetensors")


def choose(hands: Hands, path: Path) -> None:
    combo = hands.widget("Preset or model")
    assert isinstance(combo, QComboBox)
    hands.wait(lambda: combo.count() > 2)
    combo.setCurrentIndex(combo.count() - 1)
    combo.activated.emit(combo.count() - 1)
    dialog = hands.widget("Choose a model file")
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.close()


class _Refused(type(Path())):  # type: ignore[misc]
    """A file in a folder that this user may no longer read."""

    def is_file(self) -> bool:
        raise PermissionError(13, "Permission denied")


def asked_with(path: Path, jobs: list[FakeJob]) -> list[dict[str, Any]]:
    return [command for command in jobs[-1].posted if command.get("choice") == str(path)]


def test_that_its_card_is_shown_before_it_is_used(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], model_file: Path
) -> None:
    hands.drop_and_wait(radiographs[:1])
    choose(hands, model_file)
    hands.wait(lambda: hands.sees("Use this model?"))
    assert "nobody trained it" in hands.text("Card of the model in the file: Beware")
    assert asked_with(model_file, jobs) == []
    hands.click("Use it")
    hands.wait(lambda: len(asked_with(model_file, jobs)) == 1)


def test_that_one_that_is_not_wanted_is_left_alone(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], model_file: Path
) -> None:
    hands.drop_and_wait(radiographs[:1])
    choose(hands, model_file)
    hands.wait(lambda: hands.sees("Use this model?"))
    hands.click("Leave the file alone")
    combo = hands.widget("Preset or model")
    assert isinstance(combo, QComboBox)
    hands.wait(lambda: not hands.sees("Use this model?"))
    assert asked_with(model_file, jobs) == [] and combo.findData(str(model_file)) < 0
    assert combo.currentText() == "Automatic"


def test_that_a_damaged_file_is_said_and_enhances_nothing(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], model_file: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(model_file.read_bytes()[:-1])
    hands.drop_and_wait(radiographs[:1])
    choose(hands, cut)
    hands.wait(lambda: "checksum" in hands.text("Message, in full"))
    assert asked_with(cut, jobs) == [] and not hands.sees("Use this model?")


def test_that_a_file_that_is_gone_is_listed_no_longer_but_as_what_its_image_has_and_again_once_it_is_back(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], model_file: Path, tmp_path: Path
) -> None:
    def look_again() -> None:
        activate(hands, hands.window)
        hands.key(Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
        hands.key(Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)

    path = tmp_path / "mine.safetensors"
    path.write_bytes(model_file.read_bytes())
    hands.drop_and_wait(radiographs[:1])
    choose(hands, path)
    hands.wait(lambda: hands.sees("Use this model?"))
    hands.click("Use it")
    combo = hands.widget("Preset or model")
    assert isinstance(combo, QComboBox)
    hands.wait(lambda: combo.currentText() == "Model: mine")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(offering, "Path", _Refused)
        look_again()
        hands.wait(lambda: combo.currentText() == "Model: mine (no longer there)")
    look_again()
    hands.wait(lambda: combo.currentText() == "Model: mine")
    path.unlink()
    look_again()
    hands.wait(lambda: combo.currentText() == "Model: mine (no longer there)")
    combo.setCurrentIndex(0)
    combo.activated.emit(0)
    look_again()
    hands.wait(lambda: combo.findData(str(path)) < 0)
    path.write_bytes(model_file.read_bytes())
    look_again()
    hands.wait(lambda: combo.findText("Model: mine") >= 0)
