"""Export from the window: names, formats, files that are there already."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QCheckBox, QFileDialog
from pytestqt.qtbot import QtBot

import asking
from fullfield.image.export import NOT_FOR_DIAGNOSIS
from fullfield_app import settings
from fullfield_app.gui.enhance.export_bar import ExportBar
from fullfield_app.gui.enhance.export_folder import ExportFolder
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.settings import ExportChoices
from gui.fake_job import FakeJob
from gui.hands import Hands

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def test_that_results_are_exported_under_the_files_names_into_documents(
    hands: Hands, radiographs: list[Path], documents: Path
) -> None:
    hands.drop_and_wait(radiographs)
    hands.click("Export the new images")
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
    hands.click("Export the new images")
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
    hands.click("Export the new images")
    hands.wait(lambda: hands.sees("Replace existing files?"))
    hands.click("Keep both")
    hands.wait(lambda: (folder / "IM0001_enhanced-2.dcm").exists())
    assert (folder / "IM0001_enhanced.dcm").read_bytes() == b"earlier"


def test_that_an_image_removed_before_it_was_exported_does_not_keep_the_others_from_being_told(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs)
    jobs[0].hold.add("export")
    hands.click("Export the new images")
    hands.wait(lambda: jobs[0].posted[-1]["command"] == "export")
    hands.choose_row(2)
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: len(hands.rows()) == 2)
    jobs[0].hold.clear()
    for command in [command for command in jobs[0].posted if command["command"] == "export"]:
        jobs[0].post(asking.command(command))
    hands.wait(lambda: hands.text("Message, in short") == "2 images were exported.")


def delivery(jobs: list[FakeJob]) -> dict[str, Any]:
    found = jobs[0].posted[-1]["delivery"]
    assert isinstance(found, dict)
    return found


def export_selected(hands: Hands, jobs: list[FakeJob]) -> dict[str, Any]:
    count = len(jobs[0].posted)
    hands.click("Export the selected images")
    hands.wait(lambda: len(jobs[0].posted) > count)
    return delivery(jobs)


def test_that_what_will_be_in_the_files_is_said_where_they_are_exported(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    assert hands.text("What will be in the files").startswith("Full data: all enhanced values")
    hands.choose("Format of exports", 3)
    assert hands.text("What will be in the files").startswith("As displayed: the whole image in 8 bits")
    assert "With the mark" in hands.text("What will be in the files")


def test_that_a_picture_as_displayed_is_ordered_as_it_is_seen(
    hands: Hands, radiographs: list[Path], documents: Path, jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs[:1])
    after = hands.view("Image after")
    hands.wait(lambda: after.image_size() is not None)
    hands.drag(after, after.rect().center(), after.rect().center() + QPoint(-60, 20))
    window = after.shown_at(QPointF(after.rect().center()))[1].voi
    for key in (Qt.Key.Key_I, Qt.Key.Key_R, Qt.Key.Key_H):
        hands.key(key)
    hands.choose("Format of exports", 3)
    ordered = export_selected(hands, jobs)
    assert ordered["displayed"] and ordered["mark"] == NOT_FOR_DIAGNOSIS
    look = ordered["look"]
    assert (look["after"]["low"], look["after"]["high"]) == (window.low, window.high)
    assert (look["inverted"], look["turns"], look["mirrored"]) == (True, 1, True)
    hands.wait(lambda: (documents / "Fullfield" / "IM0001_enhanced-displayed.png").exists())


def test_that_images_that_are_not_looked_at_are_ordered_as_they_were_seen_last_and_untouched_ones_upright(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs[:2])
    after = hands.view("Image after")
    hands.wait(lambda: after.image_size() is not None)
    hands.drag(after, after.rect().center(), after.rect().center() + QPoint(-60, 20))
    window = after.shown_at(QPointF(after.rect().center()))[1].voi
    for key in (Qt.Key.Key_I, Qt.Key.Key_R, Qt.Key.Key_H, Qt.Key.Key_PageDown):
        hands.key(key)
    hands.wait(lambda: after.image_size() is not None)
    hands.choose("Format of exports", 4)
    hands.click("Export the new images")
    hands.wait(lambda: sum(command["command"] == "export" for command in jobs[0].posted) == 2)
    looks = {command["index"]: command["delivery"]["look"] for command in jobs[0].posted if "delivery" in command}
    first, second = looks[0], looks[1]
    assert (first["after"]["low"], first["after"]["high"]) == (window.low, window.high)
    assert (first["inverted"], first["turns"], first["mirrored"]) == (True, 1, True)
    assert (second["inverted"], second["turns"], second["mirrored"]) == (False, 0, False) and second["after"] is None


def test_that_full_data_says_nothing_of_the_mark_for_tiff_until_it_is_switched_on(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.choose("Format of exports", 2)
    assert export_selected(hands, jobs)["mark"] == ""
    hands.wait(lambda: "Exported" in hands.rows()[0])
    hands.click("Options of exports")
    hands.click("Burn in the mark “not for diagnosis”")
    assert "With the mark" in hands.text("What will be in the files")
    hands.widget("Export options").hide()
    hands.click("Export the selected images")
    hands.wait(lambda: hands.sees("Replace existing files?"))
    hands.click("Replace")
    hands.wait(lambda: delivery(jobs)["mark"] == NOT_FOR_DIAGNOSIS)


def test_that_dicom_offers_its_window_and_neither_mark_nor_pair(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.click("Options of exports")
    assert not hands.widget("Burn in the mark “not for diagnosis”").isEnabled()
    assert not hands.widget("The image before beside it").isEnabled()
    assert "attributes" in hands.text("About: Burn in the mark “not for diagnosis”")
    hands.click("Open with the window as displayed")
    hands.widget("Export options").hide()
    ordered = export_selected(hands, jobs)
    assert ordered["window"] and ordered["mark"] == "" and not ordered["displayed"]


def test_that_how_results_are_written_is_remembered(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.choose("Format of exports", 3)
    hands.click("Options of exports")
    hands.click("The image before beside it")
    hands.click("Burn in the mark “not for diagnosis”")
    hands.window.shut_down()
    kept = settings.load()[0].export
    assert kept == ExportChoices(format="png16", displayed=True, beside=True, mark_png=False)


def choose_folder(hands: Hands, folder: Path) -> None:
    hands.click("Change the folder for exports")
    dialog = hands.widget("Choose a folder for exports")
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(folder))
    dialog.close()


def reopened(hands: Hands) -> ExportBar:
    """The bar of the window that is opened next."""
    hands.window.shut_down()
    bar = ExportBar()
    hands.qtbot.addWidget(bar)
    return bar


def test_that_the_folder_that_was_chosen_is_kept(hands: Hands, radiographs: list[Path], tmp_path: Path) -> None:
    hands.drop_and_wait(radiographs[:1])
    choose_folder(hands, tmp_path)
    bar = reopened(hands)
    bar.settle(SettingsStore(bar))
    hands.qtbot.wait(50)
    assert bar.folder == tmp_path
    bar.close_down()


def test_that_two_windows_keep_each_other_s_choices_of_exports(
    hands: Hands, radiographs: list[Path], tmp_path: Path
) -> None:
    hands.drop_and_wait(radiographs[:1])
    bar, store = ExportBar(), SettingsStore()
    hands.qtbot.addWidget(bar)
    bar.settle(store)
    choose_folder(hands, tmp_path)
    hands.choose("Format of exports", 1)
    hands.wait(lambda: settings.load()[0].export.format == "png16")
    boxes = {box.text(): box for box in bar.findChildren(QCheckBox)}
    boxes["Open with the window as displayed"].click()
    store.close()
    bar.close_down()
    assert settings.load()[0].export == ExportChoices(folder=str(tmp_path), format="png16", window=True)


def test_that_closing_does_not_wait_for_a_folder_on_a_share_that_answers_no_more(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, answered = threading.Event(), list[bool]()

    def is_dir(_: Path) -> bool:
        answered.append(answers.wait(10))
        return True

    monkeypatch.setattr(Path, "is_dir", is_dir)
    folder = ExportFolder()
    folder.choose("/mnt/gone")
    folder.close()
    assert not answered
    answers.set()


def test_that_no_folder_is_kept_that_nobody_chose(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.choose("Format of exports", 3)
    hands.window.shut_down()
    assert settings.load()[0].export.folder == ""


def test_that_exports_go_to_the_folder_of_our_own_where_the_chosen_one_is_gone_and_that_is_said(
    hands: Hands, documents: Path, tmp_path: Path
) -> None:
    gone = str(tmp_path / "gone")
    settings.update(lambda now: replace(now, export=replace(now.export, folder=gone)))
    bar, said = reopened(hands), list[Message]()
    bar.said.connect(said.append)
    bar.settle(SettingsStore(bar))
    hands.wait(lambda: bool(said))
    assert bar.folder == documents / "Fullfield" and gone in said[0].text
    bar.close_down()
    assert settings.load()[0].export.folder == gone  # a drive may be connected again


def test_that_a_second_export_begun_while_the_first_one_runs_leaves_nothing_out(
    hands: Hands, radiographs: list[Path], documents: Path
) -> None:
    hands.drop_and_wait(radiographs)
    hands.click("Export the new images")
    hands.choose("Format of exports", 1)
    hands.window._page.actions_by_key["export_all"].trigger()
    folder = documents / "Fullfield"
    hands.wait(lambda: folder.exists() and len(list(folder.iterdir())) == 6)
    hands.wait(lambda: all("Exported" in row for row in hands.rows()))
    assert {path.suffix for path in folder.iterdir()} == {".dcm", ".png"}


def test_that_the_news_of_an_export_takes_the_place_of_the_news_before(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.click("Export the new images")
    hands.wait(lambda: hands.text("Message, in short") == "3 images were exported.")
    hands.choose("Format of exports", 1)
    hands.choose_row(0)
    hands.click("Export the selected images")
    hands.wait(lambda: hands.text("Message, in short") == "One image was exported.")
    hands.click("Dismiss the message")
    assert not hands.sees("Message")


def test_that_the_list_says_at_rest_how_many_images_are_not_done(
    hands: Hands, radiographs: list[Path], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.dcm"
    bad.write_bytes(b"cut off")
    hands.drop_and_wait([*radiographs, bad])
    hands.wait(lambda: hands.text("Progress in words") == "3 of 4 done")
    assert not hands.sees("Cancel what has not begun") and not hands.sees("Progress of all images")
