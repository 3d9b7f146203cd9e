"""The list is cleared for the next patient: asked where something would be lost, undone where it was a mistake."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from fullfield.protocol.events import ItemStarted
from gui.conftest import make_files
from gui.fake_job import FakeJob
from gui.hands import Hands

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def clear(hands: Hands) -> None:
    """By its key."""
    hands.key(Qt.Key.Key_Delete, CONTROL | SHIFT)


def test_that_clearing_asks_while_results_are_not_exported(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    clear(hands)
    hands.wait(lambda: hands.sees("Clear the list?"))
    hands.click("Go back")
    assert len(hands.rows()) == 3
    clear(hands)
    hands.click("Clear the list")
    hands.wait(lambda: not hands.rows())
    assert hands.sees("Drop radiographs or folders here")


def test_that_a_list_that_is_exported_is_cleared_at_once_and_undo_brings_it_back(
    hands: Hands, radiographs: list[Path]
) -> None:
    hands.drop_and_wait(radiographs)
    hands.click("Export the new images")
    hands.wait(lambda: all("Exported" in row for row in hands.rows()))
    clear(hands)
    hands.wait(lambda: not hands.rows())
    hands.key(Qt.Key.Key_Z, CONTROL)
    hands.wait(lambda: len(hands.rows()) == 3 and all("Exported" in row for row in hands.rows()))


def test_that_what_is_in_hand_is_ended_and_the_next_patient_does_not_wait(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], tmp_path: Path
) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.click("Export the new images")
    hands.wait(lambda: "Exported" in hands.rows()[0])
    jobs[0].hold.update({"enhance", "close"})
    hands.drop(radiographs[1:])
    hands.wait(lambda: len(hands.rows()) == 3 and "Opened, waiting" in hands.rows()[1])

    jobs[0].reported.append(ItemStarted(index=1))
    hands.wait(lambda: "Enhancing" in hands.rows()[1])
    clear(hands)
    hands.wait(lambda: not hands.rows())
    hands.wait(lambda: len(jobs) == 2 and jobs[0].killed)
    hands.drop_and_wait(make_files(tmp_path / "more", ["NEXT.dcm"]))
    assert [command["command"] for command in jobs[1].posted] == ["open", "enhance"]


def test_that_a_paused_list_goes_on_for_the_next_patient(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], tmp_path: Path
) -> None:
    jobs[0].hold.add("enhance")
    hands.drop(radiographs)
    hands.wait(lambda: len(hands.rows()) == 3 and all("Opened, waiting" in row for row in hands.rows()))
    hands.key(Qt.Key.Key_P, CONTROL)
    clear(hands)
    hands.wait(lambda: not hands.rows())
    jobs[0].hold.clear()
    hands.drop_and_wait(make_files(tmp_path / "more", ["NEXT.dcm"]))


def test_that_images_that_the_filter_hides_do_not_leave_unseen(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.click("Export the new images")
    hands.wait(lambda: all("Exported" in row for row in hands.rows()))
    hands.key(Qt.Key.Key_F, CONTROL)
    hands.qtbot.keyClicks(hands.widget("Filter the list"), "IM0002")
    hands.wait(lambda: len(hands.rows()) == 1)
    hands.window._page.actions_by_key["clear_list"].trigger()
    hands.wait(lambda: hands.sees("Clear the list?"))
    box = hands.widget("Clear the list?")
    assert "2 images leave that the filter hides." in str(box.property("text"))
    hands.click("Clear the list")
    hands.wait(lambda: len(hands.window._page.work.queue) == 0)
