"""The user's models: shown by their cards, kept, exported, removed, taken for body parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import card_file
import map_file
from fullfield.enhance import models
from fullfield.enhance.models import Model
from fullfield.image.image import InputKind
from fullfield.model import ensemble, registry, shipped
from fullfield_app.gui.runs import card_facts
from fullfield_app.gui.runs.keep_dialog import KeepDialog
from fullfield_app.gui.runs.model_work import ModelWork
from fullfield_app.gui.runs.models_dialog import ModelsDialog, show_card
from fullfield_app.gui.switching.wanted import Switch


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model for tests."""
    return card_file.write(tmp_path_factory.mktemp("model") / "seeded.safetensors")


@pytest.fixture
def work() -> Iterator[ModelWork]:
    made = ModelWork()
    yield made
    made.close()


def of(owner: QWidget, kind: type[QWidget], name: str) -> QWidget:
    return next(one for one in owner.findChildren(kind) if one.accessibleName() == name)


@pytest.fixture
def dialog(work: ModelWork, model_file: Path, qtbot: QtBot) -> ModelsDialog:
    registry.keep(model_file, "Chest")
    registry.keep(model_file, "Knees")
    made = ModelsDialog(work)
    made.switch_asked.connect(lambda switch: switch.use())
    qtbot.addWidget(made)
    made.show()
    work.list()
    qtbot.waitUntil(lambda: made._list.count() == 2)
    return made


def press(qtbot: QtBot, owner: QWidget, name: str) -> None:
    qtbot.mouseClick(of(owner, QPushButton, name), fake_left())


def fake_left() -> object:
    from PySide6.QtCore import Qt

    return Qt.MouseButton.LeftButton


def test_that_the_card_of_the_chosen_model_is_shown_with_its_warnings(dialog: ModelsDialog) -> None:
    listed = of(dialog, QListWidget, "Your models")
    assert isinstance(listed, QListWidget) and [listed.item(row).text() for row in range(2)] == ["Chest", "Knees"]
    label = of(dialog, QLabel, "Card of the model: Beware")
    assert isinstance(label, QLabel) and "nobody trained it" in label.text()
    kind = of(dialog, QLabel, "Card of the model: Made for")
    assert isinstance(kind, QLabel) and "processed" in kind.text()


def test_that_a_model_is_taken_for_a_body_part_and_shown_beside_the_others(dialog: ModelsDialog, qtbot: QtBot) -> None:
    dialog._tabs.setCurrentIndex(1)
    box = of(dialog, QCheckBox, "Take it for: Chest")
    assert isinstance(box, QCheckBox)
    box.click()
    qtbot.waitUntil(lambda: registry.defaults() == {"chest": "Chest"})
    dialog._list.setCurrentRow(1)
    qtbot.waitUntil(lambda: "now: Chest" in box.text())
    box.click()
    qtbot.waitUntil(lambda: registry.defaults() == {"chest": "Knees"})
    back = of(dialog, QPushButton, "Back to the one before: Chest")
    assert isinstance(back, QPushButton)
    qtbot.waitUntil(lambda: back.isVisible() and back.text() == "Back to Chest")
    back.click()
    qtbot.waitUntil(lambda: registry.defaults() == {"chest": "Chest"})


def test_that_a_model_is_told_whose_file_has_been_changed_since_it_was_chosen(
    dialog: ModelsDialog, work: ModelWork, qtbot: QtBot
) -> None:
    registry.set_default("chest", "Knees")
    path = registry.folder() / "Knees.safetensors"
    card_file.write(path, name="another one of its name")
    asked: list[Switch] = []
    dialog.switch_asked.disconnect()
    dialog.switch_asked.connect(asked.append)
    work.list()
    box = of(dialog, QCheckBox, "Take it for: Chest")
    assert isinstance(box, QCheckBox)
    qtbot.waitUntil(lambda: box.text() == "Chest (the file of Knees has been changed: a preset is used)")
    dialog._list.setCurrentRow(1)
    assert box.text() == "Chest (the model's file has been changed: a preset is used)"
    dialog._list.setCurrentRow(0)
    box.click()
    assert asked[0].now == "the preset that fits"


def test_that_choices_that_cannot_be_read_are_told_where_one_is_changed(
    dialog: ModelsDialog, work: ModelWork, qtbot: QtBot
) -> None:
    (registry.folder() / registry.DEFAULTS).write_text("{")
    with qtbot.waitSignal(work.failed) as told:
        work.set_default("chest", "Knees")
    assert "is damaged or cannot be read" in str(told.args[0])
    assert (registry.folder() / registry.DEFAULTS).read_text() == "{"


def test_that_each_switch_is_asked_for_first_and_the_way_back_can_be_looked_at(
    dialog: ModelsDialog, qtbot: QtBot
) -> None:
    asked: list[Switch] = []
    dialog.switch_asked.disconnect()
    dialog.switch_asked.connect(asked.append)
    box = of(dialog, QCheckBox, "Take it for: Chest")
    compare = of(dialog, QPushButton, "Compare with the one before: Chest")
    assert isinstance(box, QCheckBox) and isinstance(compare, QPushButton)
    dialog._tabs.setCurrentIndex(1)
    assert not compare.isVisible()
    box.click()
    assert (asked[-1].now, asked[-1].new) == ("the preset that fits", "Chest") and registry.defaults() == {}
    dialog._work.list()
    qtbot.waitUntil(lambda: not box.isChecked())
    asked[-1].use()
    qtbot.waitUntil(lambda: box.isChecked() and compare.isVisible())
    compare.click()
    assert (asked[-1].now, asked[-1].new, asked[-1].model) == ("Chest", "the preset that fits", None)
    assert registry.defaults() == {"chest": "Chest"}
    dialog._list.setCurrentRow(1)
    box.click()
    assert (asked[-1].now, asked[-1].new) == ("Chest", "Knees")
    assert asked[-1].model == registry.folder() / "Knees.safetensors"
    asked[-1].use()
    qtbot.waitUntil(lambda: registry.defaults() == {"chest": "Knees"})


def test_that_enter_in_the_list_of_models_begins_no_training(dialog: ModelsDialog, qtbot: QtBot) -> None:
    asked: list[object] = []
    dialog.improve_asked.connect(asked.append)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    dialog._list.setFocus()
    qtbot.keyClick(dialog._list, Qt.Key.Key_Return)
    assert (asked, dialog.isVisible()) == ([], False)
    dialog.show()
    dialog._tabs.setCurrentIndex(1)
    box = of(dialog, QCheckBox, "Take it for: Chest")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert asked == [] and registry.defaults() == {}


def test_that_an_ensemble_is_not_offered_to_be_improved_which_no_training_can_begin_from(
    work: ModelWork, tmp_path: Path, qtbot: QtBot
) -> None:
    members = [tmp_path / f"{name}.safetensors" for name in "ab"]
    for member in members:
        map_file.write(member, name=member.stem)
    ensemble.join(members, tmp_path / "both.safetensors")
    registry.keep(members[0], "One")
    registry.keep(tmp_path / "both.safetensors", "Both")
    dialog = ModelsDialog(work)
    qtbot.addWidget(dialog)
    work.list()
    qtbot.waitUntil(lambda: dialog._list.count() == 2)
    improve = of(dialog, QPushButton, "Improve a model with our own images")
    dialog._list.setCurrentRow(0)
    assert not improve.isEnabled() and "choose the model of a member" in improve.toolTip()
    dialog._list.setCurrentRow(1)
    assert improve.isEnabled() and "in some ten minutes" in improve.toolTip()


def test_that_removing_asks_first(dialog: ModelsDialog, qtbot: QtBot) -> None:
    press(qtbot, dialog, "Remove a model")
    box = QApplication.activeModalWidget()
    assert box is not None and len(registry.known()) == 2
    button = next(one for one in box.findChildren(QPushButton) if one.text() == "Remove the model")
    qtbot.mouseClick(button, fake_left())
    qtbot.waitUntil(lambda: [known.name for known in registry.known()] == ["Knees"] and dialog._list.count() == 1)


def test_that_the_model_that_ships_has_its_title_can_be_taken_and_not_removed(
    work: ModelWork, dialog: ModelsDialog, qtbot: QtBot
) -> None:
    map_file.write(shipped.folder() / "shipped.safetensors")
    work.list()
    qtbot.waitUntil(lambda: dialog._list.count() == 3)
    remove, export = (of(dialog, QPushButton, f"{deed} a model") for deed in ("Remove", "Export"))
    assert remove.isEnabled()
    dialog._list.setCurrentRow(0)
    assert dialog._list.item(0).text() == "Learned" and export.isEnabled()
    assert not remove.isEnabled() and "part of the program" in remove.toolTip()
    box = of(dialog, QCheckBox, "Take it for: Chest")
    assert isinstance(box, QCheckBox)
    box.click()
    qtbot.waitUntil(lambda: registry.defaults() == {"chest": "shipped"})
    dialog._list.setCurrentRow(1)
    qtbot.waitUntil(lambda: "now: Learned" in box.text())


def test_that_an_import_shows_the_card_before_the_model_is_kept(
    work: ModelWork, model_file: Path, qtbot: QtBot
) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    shown: list[KeepDialog] = []
    work.inspected.connect(lambda model, name: shown.append(show_card(owner, work, model, name)))
    work.inspect(model_file)
    qtbot.waitUntil(lambda: bool(shown))
    assert registry.known() == ()
    edit = of(shown[0], QLineEdit, "Name of the model")
    assert isinstance(edit, QLineEdit)
    edit.setText("Hands")
    press(qtbot, shown[0], "Keep the model")
    qtbot.waitUntil(lambda: [known.name for known in registry.known()] == ["Hands"])


def test_that_a_damaged_file_is_refused_and_no_card_is_shown(
    work: ModelWork, model_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "cut.safetensors").write_bytes(model_file.read_bytes()[:-1])
    failed: list[BaseException] = []
    inspected: list[object] = []
    work.failed.connect(failed.append)
    work.inspected.connect(lambda model, _: inspected.append(model))
    work.inspect(tmp_path / "cut.safetensors")
    qtbot.waitUntil(lambda: bool(failed))
    assert "checksum" in str(failed[0]) and inspected == []


def test_that_an_exported_model_is_one_safetensors_file(dialog: ModelsDialog, tmp_path: Path, qtbot: QtBot) -> None:
    target = tmp_path / "out.safetensors"
    dialog._work.export("Knees", target)
    qtbot.waitUntil(target.exists)
    assert models.inspect(target).encoder == "resnet18"


def small(figures: dict[str, float], *, input_kind: str = "raw") -> Model:
    """A model of few images."""
    return Model(
        name="m",
        path=Path("m.safetensors"),
        bytes=0,
        input_kind=input_kind,
        modalities=("DX",),
        size="2048",
        long_side=2048,
        mm_per_pixel=0.143,
        trained_on=20,
        encoder="resnet34",
        licence="",
        versions=MappingProxyType({}),
        figures=MappingProxyType(figures),
    )


def test_that_a_card_of_a_model_for_both_says_so_and_tells_its_losses_apart() -> None:
    figures = {"loss": 5.5, "loss_raw": 8.0, "loss_processed": 3.0}
    rows = card_facts.rows(small(figures, input_kind="any"))
    assert rows["kind"] == "raw and processed images"
    assert "5.50" in rows["figures"] and "raw input 8.00, on processed input 3.00" in rows["figures"]
    assert "8.00" not in card_facts.rows(small({"loss": 5.5}))["figures"]
    figures["loss_simulated"] = 6.5
    assert (
        "raw input 8.00, on processed input 3.00, of it on simulated raw input 6.50"
        in card_facts.rows(small(figures))["figures"]
    )


def test_that_a_card_says_which_images_are_left_to_presets() -> None:
    shows = MappingProxyType({"Chest": 1.2, "Skull, raw input": 0.5})
    rows = card_facts.rows(replace(small({"loss": 5.5}), shows=shows, left=("Skull, raw input",)))
    assert rows["shows"] == "Chest: 1.20; Skull, raw input: 0.50" and rows["left"] == "Skull, raw input"
    assert card_facts.rows(small({"loss": 5.5}))["left"] == ""


def test_that_a_model_is_offered_for_the_images_that_its_card_names() -> None:
    offer = small({}, input_kind="processed").offer
    assert "processed for display" in offer.why_not(InputKind.RAW, modality="DX")
    assert offer.why_not(InputKind.PROCESSED, modality="DX") == ""
    assert "mammograms" in offer.why_not(InputKind.PROCESSED, modality="MG")


def test_that_a_card_says_what_to_beware_of() -> None:
    rows = card_facts.rows(small({"loss": 5.5, "psnr_db": 31.0}))
    assert "20 images only" in rows["beware"] and "owner" in rows["beware"]
    assert "never measured" not in rows["beware"] and "5.50" in rows["figures"] and "2048 px" in rows["trained"]
