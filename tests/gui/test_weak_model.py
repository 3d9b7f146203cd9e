"""A model that is no better than none, in the window: marked, no default, and confirmed before it is used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

import card_file
from fullfield.model import registry, weakness
from fullfield_app.gui import theme
from fullfield_app.gui.runs.model_work import ModelWork
from fullfield_app.gui.runs.models_dialog import ModelsDialog
from gui.fake_job import FakeJob
from gui.hands import Hands


@pytest.fixture
def weak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model of this user that is no better than none."""
    folder = tmp_path / "models"
    folder.mkdir()
    monkeypatch.setenv("FULLFIELD_MODELS", str(folder))
    losses = {weakness.UNPROCESSED: 14.8, weakness.CONVENTIONAL: 5.6}
    reported = {"metrics": {"loss": 20.0}, "baselines": losses, "for_tests": False}
    return card_file.write(folder / "weak.safetensors", input_kind="any", **reported)


def test_that_it_is_marked_in_list_and_card_and_taken_for_no_body_part(weak: Path, qtbot: QtBot) -> None:
    work = ModelWork()
    dialog = ModelsDialog(work)
    qtbot.addWidget(dialog)
    work.list()
    qtbot.waitUntil(lambda: dialog._list.count() == 1)
    item = dialog._list.item(0)
    assert item.text() == "weak (not worth using)" and item.foreground().color() == theme.colour("trouble")
    said = next(
        label for label in dialog.findChildren(QLabel) if label.accessibleName() == "Card of the model: Not worth using"
    )
    assert "not better than" in said.text() and said.objectName() == "trouble"
    boxes = [box for box in dialog.findChildren(QCheckBox) if box.accessibleName().startswith("Take it for: ")]
    assert boxes and not any(box.isEnabled() for box in boxes)
    assert registry.defaults() == {}
    work.close()


def test_that_its_card_is_confirmed_before_it_enhances_anything(
    weak: Path, hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    def asked() -> list[dict[str, Any]]:
        return [command for command in jobs[-1].posted if command.get("choice") == str(weak)]

    hands.drop_and_wait(radiographs[:1])
    combo = hands.widget("Preset or model")
    assert isinstance(combo, QComboBox)
    hands.wait(lambda: combo.findData(str(weak)) >= 0)
    place = combo.findData(str(weak))
    assert combo.itemText(place) == "Model: weak (not worth using)"
    assert combo.itemData(place, Qt.ItemDataRole.ForegroundRole) == theme.colour("trouble")
    combo.setCurrentIndex(place)
    combo.activated.emit(place)
    hands.wait(lambda: hands.sees("Use this model?"))
    assert asked() == [] and combo.currentText() == "Automatic"
    card = hands.widget("Use this model?")
    assert isinstance(card, QDialog)
    default = next(button for button in card.findChildren(QPushButton) if button.isDefault())
    assert default.text() == "Cancel"
    hands.click("Use it")
    hands.wait(lambda: len(asked()) == 1)
