"""The dialog that keeps the sliders' values as a preset of one's own."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from fullfield.image import own_presets, presets
from fullfield.image.image import InputKind
from fullfield.image.preset import Preset
from fullfield_app.gui.enhance.save_preset import SavePreset

CHEST = presets.load("chest").adjusted({"detail.gain": 2.0})


class Dialog:
    """Opened for some values on a chest, and answered."""

    def __init__(self, qtbot: QtBot, values: Preset, *, body_part: str = "CHEST", species: str = "") -> None:
        dialog = SavePreset(values, body_part=body_part, species=species)
        qtbot.addWidget(dialog)
        self.title, self.part = dialog.findChild(QLineEdit), dialog.findChild(QComboBox)
        self._save = dialog._save

    def save(self, title: str = "", part: str | None = None) -> None:
        if title:
            self.title.setText(title)
        if part is not None:
            self.part.setCurrentIndex(self.part.findData(part))
        self._save.click()


def _automatic(**subject: Any) -> str:
    return presets.choose(**({"body_part": "CHEST", "species": "", "kind": InputKind.PROCESSED} | subject)).name


def test_that_a_preset_saved_again_stays_what_automatic_takes(qtbot: QtBot) -> None:
    Dialog(qtbot, CHEST).save("Ours", "CHEST")
    again = Dialog(qtbot, presets.load("ours").adjusted({"detail.gain": 1.2}), body_part="HAND", species="canine")
    assert (again.title.text(), again.part.currentText()) == ("Ours", "CHEST")
    again.save()
    kept = presets.load("ours")
    assert (kept.version, kept.body_parts, kept.species) == ("1.0.1", ("CHEST",), ("human",))
    assert _automatic() == "ours"


@pytest.mark.parametrize(("part", "wanted"), [("", "chest"), ("HAND", "chest")])
def test_that_another_choice_for_a_preset_saved_again_counts(qtbot: QtBot, part: str, wanted: str) -> None:
    Dialog(qtbot, CHEST).save("Ours", "CHEST")
    Dialog(qtbot, presets.load("ours")).save(part=part)
    assert presets.load("ours").body_parts == ((part,) if part else ()) and _automatic() == wanted


def test_that_all_body_parts_that_a_user_wrote_into_the_file_are_kept(qtbot: QtBot) -> None:
    parts, species = ("FEMUR", "TIBIA"), ("canine", "feline")
    own_presets.save(CHEST, title="Ours", body_parts=parts, species=species, taken=frozenset())
    Dialog(qtbot, presets.load("ours")).save()
    assert (presets.load("ours").body_parts, presets.load("ours").species) == (parts, species)


def test_that_a_shipped_preset_is_for_no_body_part_unless_one_is_chosen(qtbot: QtBot) -> None:
    dialog = Dialog(qtbot, CHEST)
    assert dialog.title.text() == "" and dialog.part.currentData() == ""


@pytest.mark.parametrize("part", ["C-SPINE", "LOWER LEG", "KNEE LEFT", "UP_EXM", "TÓRAX", "L5"])
def test_that_automatic_takes_it_for_the_body_part_as_the_header_writes_it(qtbot: QtBot, part: str) -> None:
    dialog = Dialog(qtbot, CHEST, body_part=part)
    assert dialog.part.itemText(1) == part
    dialog.save("Ours", part)
    assert _automatic(body_part=part) == "ours" and _automatic(body_part=f"{part.lower()} ap") == "ours"
    for other in ("SPINE", "LEG", "KNEE", "HAND L", "EXM", "RAX", ""):
        assert _automatic(body_part=other) != "ours"


@pytest.mark.parametrize("species", ["Homo sapiens", "HOMO SAPIENS", "Human", ""])
def test_that_a_preset_for_a_human_is_taken_for_every_word_for_one(qtbot: QtBot, species: str) -> None:
    Dialog(qtbot, CHEST, species=species).save("Ours", "CHEST")
    assert _automatic() == _automatic(species="homo sapiens") == _automatic(species="Human") == "ours"
    assert _automatic(species="Canine") != "ours"


@pytest.mark.parametrize("species", ["Canine", "Canis lupus familiaris (dog)"])
def test_that_a_preset_for_one_species_is_not_taken_for_another(qtbot: QtBot, species: str) -> None:
    Dialog(qtbot, CHEST, species=species).save("Ours", "CHEST")
    assert _automatic(species=species.upper()) == "ours"
    assert "ours" not in {_automatic(species=other) for other in ("Feline", "Equine", "Testudines", "")}


def test_that_a_preset_that_was_kept_for_homo_sapiens_is_taken_too() -> None:
    own_presets.save(CHEST, title="Ours", body_parts=("CHEST",), species=("homo sapiens",), taken=frozenset())
    assert _automatic() == "ours" and _automatic(species="Canine") != "ours"
