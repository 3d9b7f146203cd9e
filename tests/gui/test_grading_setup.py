"""What the page that begins a grading offers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from fullfield.grading import criteria
from fullfield.image.method import Method
from fullfield.inputs.files import InputFile
from fullfield_app.gui.grading.candidates import Candidate
from fullfield_app.gui.grading.setup_page import SetupPage
from fullfield_app.gui.queue.row import Result


def candidate(position: int, part: str, folder: Path) -> Candidate:
    name = f"{position}.dcm"
    result = Result(path=folder / name, bits=16, method=Method(), recipe="", seconds=0.1)
    item = InputFile(source=name, relative=name)
    return Candidate(
        item=item, name=name, position=position, image=f"{position:016x}", decoded=folder, result=result, part=part
    )


@pytest.mark.parametrize(
    ("parts", "offered"),
    [(["chest", "chest"], "chest"), (["chest", "chest", "extremity"], "general"), ([], "general")],
)
def test_that_criteria_for_a_part_are_proposed_only_where_all_images_show_it(
    parts: list[str], offered: str, qtbot: QtBot, tmp_path: Path
) -> None:
    page = SetupPage()
    qtbot.addWidget(page)
    images = [candidate(place, part, tmp_path) for place, part in enumerate(parts, 1)]
    page.offer(images, [], criteria.load_all("en"))
    assert {combo.accessibleName(): combo for combo in page.findChildren(QComboBox)}[
        "Criteria for"
    ].currentData() == offered
