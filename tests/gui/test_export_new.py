"""Only what is in no file yet is exported by the blue button; all of it once more is another choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton

from fullfield.image.method import Method
from fullfield.inputs.files import InputFile
from fullfield.protocol.events import ItemDecoded, ItemDone, ItemEnhanced, ItemFailed, ItemStarted
from fullfield.protocol.session_commands import Export
from fullfield_app.gui.enhance.queue_model import Queue
from gui.conftest import make_files
from gui.fake_job import FakeJob
from gui.hands import Hands

NEW = "Export the new images"
CONTROL = Qt.KeyboardModifier.ControlModifier


def exports(jobs: list[FakeJob]) -> list[dict[str, Any]]:
    return [command for command in jobs[0].posted if command["command"] == "export"]


def button(hands: Hands) -> QPushButton:
    found = hands.widget(NEW)
    assert isinstance(found, QPushButton)
    return found


def act(hands: Hands, key: str) -> None:
    action = hands.window._page.actions_by_key[key]
    assert action.isEnabled(), key
    action.trigger()


def export_two(hands: Hands, radiographs: list[Path]) -> None:
    """Two images are opened and exported."""
    hands.drop_and_wait(radiographs[:2])
    hands.click(NEW)
    hands.wait(lambda: all("Exported" in row for row in hands.rows()))


def test_that_the_images_of_a_second_folder_are_exported_alone(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], documents: Path, tmp_path: Path
) -> None:
    export_two(hands, radiographs)
    others = make_files(tmp_path / "b", ["OTHER1.dcm", "OTHER2.dcm", "OTHER3.dcm"])
    hands.drop(others)
    hands.wait(lambda: button(hands).text() == "Export 3 new")
    hands.click(NEW)
    hands.wait(lambda: len(exports(jobs)) == 5 and all("Exported" in row for row in hands.rows()))
    assert [command["index"] for command in exports(jobs)] == [0, 1, 2, 3, 4]
    assert not hands.sees("Replace existing files?")
    assert len(list((documents / "Fullfield").iterdir())) == 5


def test_that_nothing_new_is_said_and_all_can_be_exported_again_from_the_menu(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], tmp_path: Path
) -> None:
    assert button(hands).text() == "Export new" and not button(hands).isEnabled()
    export_two(hands, radiographs)
    assert button(hands).text() == "Nothing new to export" and not button(hands).isEnabled()
    assert "Export all again" in button(hands).toolTip()
    hands.choose("Format of exports", 1)
    act(hands, "export_all")
    hands.wait(lambda: [command["format"] for command in exports(jobs)] == ["dicom"] * 2 + ["png16"] * 2)


def test_that_exporting_all_again_offers_only_the_new_ones_first(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], tmp_path: Path
) -> None:
    export_two(hands, radiographs)
    hands.drop(make_files(tmp_path / "b", ["OTHER1.dcm", "OTHER2.dcm"]))
    hands.wait(lambda: button(hands).text() == "Export 2 new")
    act(hands, "export_all")
    hands.wait(lambda: hands.sees("Only the new ones (2)"))
    box = hands.widget("Replace existing files?")
    assert isinstance(box, QMessageBox) and box.defaultButton() is hands.widget("Only the new ones (2)")
    hands.click("Only the new ones (2)")
    hands.wait(lambda: len(exports(jobs)) == 4 and all("Exported" in row for row in hands.rows()))
    assert [command["index"] for command in exports(jobs)] == [0, 1, 2, 3]


def test_that_what_is_enhanced_with_other_settings_is_new_again_until_that_is_undone(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    export_two(hands, radiographs)
    hands.choose_row(1)
    hands.choose("Kind of input", 1)
    hands.widget("Kind of input").activated.emit(1)  # type: ignore[attr-defined]
    hands.wait(lambda: button(hands).text() == "Export 1 new")
    assert "Enhanced" in hands.rows()[1] and "Exported" in hands.rows()[0]
    hands.list.setFocus()
    hands.key(Qt.Key.Key_Z, CONTROL)
    hands.wait(lambda: "Enhanced" in hands.rows()[1] or "Exported" in hands.rows()[1])
    assert "Exported" in hands.rows()[1], "its file holds just this result"
    assert button(hands).text() == "Nothing new to export"


def test_that_an_export_that_failed_stays_new_until_it_is_written(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs[:1])
    jobs[0].hold.add("export")
    hands.click(NEW)
    hands.wait(lambda: len(exports(jobs)) == 1)
    hands.wait(lambda: not button(hands).isEnabled())  # it is being written
    error = {"title": "Cannot write a file.", "detail": "No space left.", "hint": "Choose another folder."}
    jobs[0].reported.append(ItemFailed(index=0, error=error))
    hands.wait(lambda: button(hands).text() == "Export 1 new")
    jobs[0].hold.clear()
    hands.click(NEW)
    hands.wait(lambda: "Exported" in hands.rows()[0])
    assert button(hands).text() == "Nothing new to export" and hands.window._page.question() is None


@pytest.fixture
def exported() -> Queue:
    """One image, whose result lies in a file."""
    queue = Queue()
    queue.add([InputFile(source="/in/a.dcm", relative="a.dcm")], Method())
    queue.due()
    queue.apply(ItemDecoded(index=0, decoded="/cache/0"))
    enhance(queue, "one")
    write(queue, "/out/a.dcm")
    return queue


def enhance(queue: Queue, digest: str) -> None:
    queue.due()
    queue.apply(ItemStarted(index=0))
    queue.apply(ItemEnhanced(index=0, enhanced="/run/0.npy", bits=12, recipe="preset", seconds=1.0, digest=digest))


def write(queue: Queue, target: str) -> None:
    queue.ask_export([Export(index=0, target=target, format="dicom")])
    queue.due()
    queue.apply(ItemDone(index=0, output="", seconds=0.1, peak_bytes=1))


def test_that_an_image_that_was_removed_and_came_back_is_still_exported(exported: Queue) -> None:
    row = exported[0]
    assert not row.new
    exported.remove([0])
    exported.restore([row])
    exported.worker_lost()  # it has forgotten what it was to close
    exported.due()
    exported.apply(ItemDecoded(index=0, decoded="/cache/0"))
    enhance(exported, "one")
    assert not exported[0].new and exported[0].exported == Path("/out/a.dcm")


def test_that_a_file_that_another_result_was_written_over_does_not_count_for_the_first(exported: Queue) -> None:
    exported.ask_enhance({0: Method(choice="bones")})
    enhance(exported, "two")
    assert exported[0].new
    write(exported, "/out/a.dcm")
    assert not exported[0].new
    exported.ask_enhance({0: Method()})
    enhance(exported, "one")
    assert exported[0].new and exported[0].exported is None


def test_that_results_of_which_nobody_knows_whether_they_are_equal_are_new(exported: Queue) -> None:
    for digest in ("", ""):
        exported.ask_enhance({0: Method()})
        enhance(exported, digest)
        assert exported[0].new
        write(exported, "/out/a.dcm")
