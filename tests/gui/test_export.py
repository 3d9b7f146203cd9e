"""Export from the window: names, formats, files that are there already."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from gui.fake_job import FakeJob
from gui.hands import Hands

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def test_that_results_are_exported_under_the_files_names_into_documents(
    hands: Hands, radiographs: list[Path], documents: Path
) -> None:
    hands.drop_and_wait(radiographs)
    hands.click("Export all images")
    hands.wait(lambda: all("Exported" in row for row in hands.rows()))
    names = sorted(path.name for path in (documents / "Fullfield").iterdir())
    assert names == ["IM0001_enhanced.dcm", "IM0002_enhanced.dcm", "IM0003_enhanced.dcm"]
    hands.wait(lambda: hands.text("Message, in short") == "3 images were exported.")
    assert str(documents / "Fullfield") in hands.text("Message, in full")


def test_that_only_the_selected_image_is_exported_in_the_chosen_format(
    hands: Hands, radiographs: list[Path], documents: Path, jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs)
    hands.choose_row(1)
    hands.choose("Format of exports", 1)
    hands.click("Export the selected images")
    hands.wait(lambda: "Exported" in hands.rows()[1])
    assert [path.name for path in (documents / "Fullfield").iterdir()] == ["IM0002_enhanced.png"]
    assert jobs[0].posted[-1]["format"] == "png16"


@pytest.mark.parametrize(
    ("answer", "left"),
    [("Replace", {"IM0001_enhanced.dcm": b"exported"}), ("Do not export", {"IM0001_enhanced.dcm": b"earlier"})],
)
def test_that_an_existing_file_is_only_replaced_when_that_is_agreed(
    hands: Hands, radiographs: list[Path], documents: Path, answer: str, left: dict[str, bytes]
) -> None:
    folder = documents / "Fullfield"
    folder.mkdir(parents=True)
    (folder / "IM0001_enhanced.dcm").write_bytes(b"earlier")
    hands.drop_and_wait(radiographs[:1])
    hands.click("Export all images")
    hands.wait(lambda: hands.sees("Replace existing files?"))
    hands.click(answer)
    hands.qtbot.wait(150)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == left


def test_that_keeping_both_writes_beside_the_existing_file(
    hands: Hands, radiographs: list[Path], documents: Path
) -> None:
    folder = documents / "Fullfield"
    folder.mkdir(parents=True)
    (folder / "IM0001_enhanced.dcm").write_bytes(b"earlier")
    hands.drop_and_wait(radiographs[:1])
    hands.click("Export all images")
    hands.wait(lambda: hands.sees("Replace existing files?"))
    hands.click("Keep both")
    hands.wait(lambda: (folder / "IM0001_enhanced-2.dcm").exists())
    assert (folder / "IM0001_enhanced.dcm").read_bytes() == b"earlier"


def test_that_an_image_removed_before_it_was_exported_does_not_keep_the_others_from_being_told(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs)
    jobs[0].hold.add("export")
    hands.click("Export all images")
    hands.wait(lambda: jobs[0].posted[-1]["command"] == "export")
    hands.choose_row(2)
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: len(hands.rows()) == 2)
    jobs[0].hold.clear()
    for command in [command for command in jobs[0].posted if command["command"] == "export"]:
        jobs[0].post(command)
    hands.wait(lambda: hands.text("Message, in short") == "2 images were exported.")
