"""Tasks of the list of images: the next patient, and one patient among many."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydicom import dcmread
from PySide6.QtCore import Qt

from tasks.user import SECONDS, User


@pytest.mark.task("clear list")
def test_that_the_list_is_cleared_for_the_next_patient(user: User, phantoms: list[Path], documents: Path) -> None:
    before = [path.read_bytes() for path in phantoms]
    user.open_and_wait(phantoms)
    user.click("Export the new images")
    user.wait(lambda: all("Exported" in row for row in user.rows()), SECONDS)
    user.menu("File", "Clear list")
    user.wait(lambda: user.sees("Drop radiographs or folders here"), SECONDS)
    assert not user.rows() and [path.read_bytes() for path in phantoms] == before
    assert len(list((documents / "Fullfield").glob("[!.]*"))) == 2


@pytest.mark.task("filter")
def test_that_one_image_is_found_in_the_list(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms)
    user.key(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    user.type("Filter the list", "hand")
    user.wait(lambda: len(user.rows()) == 1)
    assert "hand-dx" in user.rows()[0]
    rows, columns = (int(value) for value in (dcmread(phantoms[1]).Rows, dcmread(phantoms[1]).Columns))
    user.wait(lambda: user.view().image_size() == (columns, rows), SECONDS)
    user.key(Qt.Key.Key_Escape)
    user.wait(lambda: len(user.rows()) == 2)
