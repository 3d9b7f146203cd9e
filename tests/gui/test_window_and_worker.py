"""The window and its worker: stopping, dying, starting again, closing."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from fullfield import system
from fullfield.inputs.files import Found, discover
from fullfield.protocol.events import ItemDecoded, ItemWarned
from fullfield_app.gui.enhance.opening import Opening
from gui.conftest import make_files
from gui.fake_job import FakeJob, leave_decoded
from gui.hands import Hands

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def test_that_cancel_leaves_what_has_not_begun(hands: Hands, radiographs: list[Path], jobs: list[FakeJob]) -> None:
    jobs[0].hold.add("enhance")
    hands.drop(radiographs)
    hands.wait(lambda: all("Opened, waiting" in row for row in hands.rows()) and len(hands.rows()) == 3)
    hands.click("Cancel what has not begun")
    hands.wait(lambda: all("Cancelled" in row for row in hands.rows()))
    jobs[0].hold.clear()
    hands.list.setFocus()
    hands.key(Qt.Key.Key_A, CONTROL)
    hands.key(Qt.Key.Key_Return, CONTROL)
    hands.wait(lambda: all("Enhanced" in row for row in hands.rows()))


def can_be_chosen(hands: Hands) -> set[str]:
    keys = ("enhance", "remove", "next", "pause", "cancel", "again", "adjust", "export_selected", "export_all")
    return {key for key in keys if hands.window._page.actions_by_key[key].isEnabled()}


def test_that_an_empty_list_cannot_be_paused_so_that_what_comes_next_waits_for_nobody(
    hands: Hands, radiographs: list[Path]
) -> None:
    hands.key(Qt.Key.Key_P, CONTROL)
    hands.drop_and_wait(radiographs)


def test_that_only_what_does_something_can_be_chosen(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    assert can_be_chosen(hands) == set()
    jobs[0].hold.add("enhance")
    hands.drop(radiographs)
    hands.wait(lambda: all("Opened, waiting" in row for row in hands.rows()) and len(hands.rows()) == 3)
    listed = {"enhance", "remove", "next", "adjust", "pause"}
    assert can_be_chosen(hands) == listed | {"cancel"}
    hands.click("Cancel what has not begun")
    hands.wait(lambda: can_be_chosen(hands) == listed | {"again"})
    jobs[0].hold.clear()
    hands.choose_row(1)
    hands.key(Qt.Key.Key_Return, CONTROL)
    hands.wait(lambda: can_be_chosen(hands) == listed | {"again", "export_selected", "export_all"})
    hands.choose_row(0)
    assert can_be_chosen(hands) == listed | {"again", "export_all"}
    assert not hands.widget("Export the selected images").isEnabled()
    hands.list.clearSelection()  # what is seen is meant
    assert can_be_chosen(hands) == listed | {"again", "export_all"}


def test_that_a_worker_that_dies_is_said_plainly_and_can_be_started_again(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs[:1])
    jobs[0].hold.add("enhance")
    hands.drop(radiographs)
    hands.wait(lambda: "Opened, waiting" in hands.rows()[-1])
    jobs[0].die()
    hands.wait(lambda: hands.widget("Message").isVisible())
    assert "ended unexpectedly" in hands.text("Message, in short")
    assert "Your list is kept" in hands.text("Message, in full")
    assert [row.split(": ")[1].split(" ")[0] for row in hands.rows()] == ["Enhanced", "Opened,", "Opened,"]
    hands.click("Do what the message proposes")
    hands.wait(lambda: all("Enhanced" in row for row in hands.rows()))
    assert len(jobs) == 2 and not hands.widget("Message").isVisible()


def test_that_dropping_files_starts_a_dead_worker_again(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    jobs[0].die()
    hands.wait(lambda: hands.widget("Message").isVisible())
    hands.drop_and_wait(radiographs)
    hands.wait(lambda: not hands.widget("Message").isVisible())
    assert len(jobs) == 2


def test_that_an_image_in_hand_can_be_stopped_at_once(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    jobs[0].hold.update({"enhance", "cancel"})
    hands.drop(radiographs[:1])
    hands.wait(lambda: "Opened, waiting" in "".join(hands.rows()))
    hands.key(Qt.Key.Key_Escape)
    hands.wait(lambda: hands.widget("Message").isVisible())
    hands.click("Do what the message proposes")
    hands.wait(lambda: len(jobs) == 2)
    assert jobs[0].killed and "Cancelled" in hands.rows()[0]


def test_that_starting_again_after_a_refused_command_leaves_one_worker_that_knows_the_images(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(command: dict[str, object]) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(jobs[0], "post", refuse)
    hands.drop(radiographs[:1])
    hands.wait(lambda: hands.widget("Message").isVisible())
    jobs[0].reported.append(ItemDecoded(index=0, decoded="/cache/0"))
    hands.wait(lambda: not jobs[0].reported)
    hands.qtbot.wait(50)
    hands.click("Do what the message proposes")
    hands.wait(lambda: "Enhanced" in hands.rows()[0])
    assert len(jobs) == 2 and jobs[0].killed and jobs[1].posted[0]["command"] == "open"


@pytest.mark.parametrize("gone", ["decoded-2", "enhanced-2-*"])
def test_that_an_image_whose_pixels_are_gone_is_made_anew_when_one_looks_at_it(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], gone: str
) -> None:
    hands.drop_and_wait(radiographs)
    hands.wait(lambda: len(hands.groups()) == 1)
    (path,) = jobs[0].folder.glob(gone)
    path.rename(path.with_name("elsewhere"))  # as the cache does for others, or a worker that ends
    hands.choose_row(2)
    hands.wait(lambda: hands.view("Image after").image_size() == (180, 240))
    assert hands.view().image_size() == (180, 240) and not hands.sees("Message")
    assert all("Enhanced" in row for row in hands.rows())


def test_that_an_image_that_left_the_cache_is_shown_once_it_was_removed_and_opened_again(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    jobs[0].hold.update({"open", "enhance"})
    folder = jobs[0].folder / "decoded-0"
    hands.drop(radiographs[:1])
    hands.wait(lambda: bool(jobs[0].posted))
    jobs[0].reported.append(ItemDecoded(index=0, decoded=str(folder)))
    hands.wait(lambda: len(jobs[0].posted) == 4 and jobs[0].posted[-1] == jobs[0].posted[0])  # it is tried once more
    jobs[0].reported.append(ItemDecoded(index=0, decoded=str(folder)))
    hands.wait(lambda: "no longer in the cache" in hands.text("Message, in full"))
    jobs[0].reported.append(ItemWarned(index=0, text="Its window makes no sense."))
    hands.wait(lambda: bool(hands.window._page.work.queue[0].source_notes))
    hands.list.setFocus()
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: not hands.rows())
    hands.drop(radiographs[:1])
    hands.wait(lambda: jobs[0].posted[-1] == jobs[0].posted[0] | {"index": 1})
    leave_decoded(folder)
    jobs[0].reported.append(ItemDecoded(index=1, decoded=str(folder)))
    hands.wait(lambda: hands.view().image_size() == (180, 240))


def test_that_what_is_removed_is_forgotten_by_the_worker_and_undo_brings_it_back_enhanced(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs)
    hands.list.setFocus()
    hands.key(Qt.Key.Key_A, CONTROL)
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: not hands.rows())
    hands.wait(lambda: jobs[0].posted[-1]["command"] == "close")
    assert sorted(jobs[0].posted[-1]["indexes"]) == [0, 1, 2]
    asked = len(jobs[0].posted)
    hands.key(Qt.Key.Key_Z, CONTROL)
    hands.wait(lambda: len(hands.rows()) == 3 and all("Enhanced" in row for row in hands.rows()))
    assert {"open", "enhance"} == {command["command"] for command in jobs[0].posted[asked:]}


def test_that_closing_stops_the_worker(hands: Hands, jobs: list[FakeJob]) -> None:
    hands.window.close()
    assert jobs[0].stopped and not hands.window.isVisible()


def test_that_closing_ends_the_worker_and_leaves_a_walk_of_a_drive_that_does_not_answer(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    walking, answers, ended = threading.Event(), threading.Event(), threading.Event()

    def walk(paths: list[Path], **how: Any) -> Found:
        walking.set()
        answers.wait(10)
        ended.set()
        return discover(paths, **how)

    monkeypatch.setattr("fullfield_app.gui.enhance.opening.discover", walk)
    hands.drop(radiographs)
    assert walking.wait(5)
    hands.window.close()
    assert jobs[0].ended and not hands.window.isVisible() and not ended.is_set()
    answers.set()
    assert ended.wait(5)


def test_that_a_folder_that_takes_long_to_walk_is_said_and_keeps_nothing_waiting(
    hands: Hands, radiographs: list[Path], documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands.drop_and_wait(radiographs[:1])
    walked = threading.Event()

    def walk(paths: list[Path], **how: Any) -> Found:
        assert walked.wait(20)
        return discover(paths, **how)

    monkeypatch.setattr("fullfield_app.gui.enhance.opening.discover", walk)
    hands.drop(radiographs)
    hands.wait(lambda: hands.text("Message, in short") == "Looking for radiographs…")
    hands.click("Export the new images")
    hands.wait(lambda: "Exported" in hands.rows()[0])
    walked.set()
    hands.wait(lambda: len(hands.rows()) == 3)
    assert "Looking" not in hands.text("Message, in short")


def test_that_a_folder_that_does_not_answer_keeps_no_other_waiting_and_the_rest_come_in_their_order(
    hands: Hands, radiographs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead, answers, first = tmp_path / "share", threading.Event(), threading.Event()

    def walk(paths: list[Path], **how: Any) -> Found:
        if paths == [dead]:
            assert answers.wait(20)
        elif paths == radiographs[:1]:
            assert first.wait(20)
        else:
            first.set()
        return discover(paths, **how)

    monkeypatch.setattr("fullfield_app.gui.enhance.opening.discover", walk)
    dead.mkdir()
    try:
        for paths in (radiographs[:1], radiographs[1:]):
            hands.drop(paths)  # the second is walked before the first
        hands.wait(lambda: len(hands.rows()) == 3)
        assert [row.name for row in hands.window._page.work.queue.rows()] == [path.name for path in radiographs]
        hands.drop([dead])
        hands.drop(make_files(tmp_path / "more", ["NEXT.dcm"]))
        hands.wait(lambda: len(hands.rows()) == 4)
    finally:
        answers.set()


def test_that_files_that_are_no_radiographs_are_passed_over_and_counted(hands: Hands, radiographs: list[Path]) -> None:
    noticed: list[str] = []
    (opening,) = hands.window.findChildren(Opening)
    opening.noticed.connect(noticed.append)
    folder = radiographs[0].parent
    for name, content in (("README.TXT", b"Insert this disc"), ("VIEWER.EXE", b"MZ")):
        (folder / name).write_bytes(content)
    hands.drop_and_wait([folder])
    assert len(hands.rows()) == len(radiographs) and noticed == ["2 other files passed over."]
    (folder / "papers").mkdir()
    (folder / "VIEWER.EXE").rename(folder / "papers" / "VIEWER.EXE")
    hands.drop([folder / "papers"])
    hands.wait(lambda: hands.text("Message, in short") == "Nothing new was opened.")
    assert noticed[-1] == "1 other file passed over."


@pytest.mark.skipif(system.WINDOWS or sys.platform == "darwin", reason="names are Unicode there")
def test_that_a_file_whose_name_is_not_utf_8_can_be_dropped(hands: Hands, radiographs: list[Path]) -> None:
    renamed = radiographs[0].rename(radiographs[0].with_name(os.fsdecode(b"caf\xe9.dcm")))
    hands.drop_and_wait([renamed])
    assert "Enhanced" in hands.rows()[0]


def test_that_an_index_of_a_medium_that_cannot_be_used_is_said_and_all_beside_it_opened(
    hands: Hands, radiographs: list[Path]
) -> None:
    (radiographs[0].parent / "DICOMDIR").write_bytes(b"no index")
    hands.drop([radiographs[0].parent / "DICOMDIR"])
    hands.wait(lambda: len(hands.rows()) == 3, seconds=60)
    assert "DICOMDIR" in hands.text("Message, in short")


def test_that_closing_asks_when_results_would_be_lost(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.window.close()
    assert hands.window.isVisible() and not jobs[0].stopped
    hands.click("Go back")
    assert hands.window.isVisible()
    hands.window.close()
    hands.click("Close")
    hands.wait(lambda: jobs[0].stopped)
    assert not hands.window.isVisible()


def test_that_the_chosen_image_stays_in_sight_when_the_list_gets_less_room(
    hands: Hands, radiographs: list[Path]
) -> None:
    hands.window.resize(1200, 700)
    hands.drop_and_wait(radiographs)
    hands.choose_row(len(radiographs) - 1)
    before = hands.list.viewport().height()
    hands.key(Qt.Key.Key_M)
    hands.wait(lambda: hands.list.viewport().height() < before)
    place = hands.list.visualRect(hands.places()[-1])
    assert hands.list.viewport().rect().contains(place.center())
