"""An export that failed, that waits while the list is paused, or that is still to come is never lost in silence."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

import asking
from fullfield.errors import InputUnreadable
from fullfield.image.delivery import Delivery
from fullfield.image.export import OutputFormat
from fullfield.protocol.events import ItemFailed
from fullfield.protocol.session_commands import Export
from fullfield_app.gui.enhance import exporting
from fullfield_app.gui.enhance.export_bar import ExportBar
from fullfield_app.gui.enhance.export_choices import again
from fullfield_app.gui.enhance.export_plan import ExportPlan
from fullfield_app.gui.enhance.panel import EnhancePanel
from fullfield_app.gui.widgets.question import Question
from gui.fake_job import FakeJob
from gui.hands import Hands

CONTROL = Qt.KeyboardModifier.ControlModifier
DISPLAYED = Delivery(displayed=True, mark="not for diagnosis")


def exports(jobs: list[FakeJob]) -> list[dict[str, Any]]:
    return [command for command in jobs[0].posted if command["command"] == "export"]


def question(hands: Hands) -> Question | None:
    panel = hands.window.findChild(EnhancePanel)
    assert isinstance(panel, EnhancePanel)
    return panel.question()


def questions() -> list[QMessageBox]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, QMessageBox) and one.isVisible()]


def refuse_export(job: FakeJob) -> None:
    """The worker cannot write what it was asked for last."""
    error = {"title": "Cannot write a file.", "detail": "No space left.", "hint": "Choose another folder."}
    job.reported.append(ItemFailed(index=exports([job])[-1]["index"], error=error))


def test_that_what_failed_is_ordered_again_as_it_was_into_the_folder_of_now() -> None:
    failed = (
        Export(index=0, target="/old/a-displayed.png", format="png16", overwrite=True, delivery=DISPLAYED),
        Export(index=1, target="/old/b-displayed.png", format="png16", delivery=DISPLAYED),
        Export(index=0, target="/old/a.dcm", format="dicom"),
    )
    pictures, dicom = again(failed, Path("/new"))
    assert (pictures.folder, pictures.format, set(pictures.deliveries)) == (Path("/new"), OutputFormat.PNG16, {0, 1})
    assert pictures.tail.startswith("-displayed") and pictures.deliveries[0] == DISPLAYED
    assert (dicom.format, set(dicom.deliveries)) == (OutputFormat.DICOM, {0})


def test_that_an_export_that_failed_goes_into_the_folder_that_was_chosen_since(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], tmp_path: Path
) -> None:
    hands.drop_and_wait(radiographs[:1])
    jobs[0].hold.add("export")
    hands.choose("Format of exports", 3)
    hands.click("Export the new images")
    hands.wait(lambda: len(exports(jobs)) == 1)
    refuse_export(jobs[0])
    hands.wait(lambda: "Failed" in hands.rows()[0])
    assert question(hands) is not None
    jobs[0].hold.clear()
    other = tmp_path / "other"
    other.mkdir()
    bar = hands.window.findChild(ExportBar)
    assert isinstance(bar, ExportBar)
    bar.set_folder(other)
    hands.key(Qt.Key.Key_R, CONTROL)
    hands.wait(lambda: "Exported" in hands.rows()[0])
    assert [path.name for path in other.iterdir()] == ["IM0001_enhanced-displayed.png"]
    assert exports(jobs)[-1]["delivery"] == exports(jobs)[0]["delivery"]
    assert [command["command"] for command in jobs[0].posted].count("enhance") == 1, "its result was there"
    assert question(hands) is None


@pytest.mark.parametrize(("answer", "left"), [("Keep both", 2), ("Do not export", 1)])
def test_that_the_same_export_asked_for_twice_at_once_is_one_question_and_one_set_of_files(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], documents: Path, answer: str, left: int
) -> None:
    folder = documents / "Fullfield"
    folder.mkdir(parents=True)
    (folder / "IM0001_enhanced.dcm").write_bytes(b"earlier")
    hands.drop_and_wait(radiographs[:1])
    trigger = hands.window._page.actions_by_key["export_all"].trigger
    for _ in range(2):  # what ended is no longer in the way of the next
        trigger()
        trigger()
        hands.wait(lambda: hands.sees("Replace existing files?"))
        hands.qtbot.wait(100)
        assert len(questions()) == 1
        hands.click(answer)
        hands.wait(lambda: not questions())
        hands.qtbot.wait(100)
        assert len(list(folder.iterdir())) == left
        left += left - 1


def test_that_an_export_that_could_not_be_planned_can_be_asked_for_again(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    hands.drop_and_wait(radiographs[:1])

    def fail(*_: object, **__: object) -> ExportPlan:
        raise InputUnreadable("The folder of exports cannot be read.")

    with monkeypatch.context() as broken:
        broken.setattr(exporting, "plan", fail)
        hands.window._page.actions_by_key["export_all"].trigger()
        hands.wait(lambda: "cannot be read" in hands.text("Message, in short"))
    hands.window._page.actions_by_key["export_all"].trigger()
    hands.wait(lambda: "Exported" in hands.rows()[0])


def test_that_a_paused_list_says_that_exports_wait_and_closing_asks_about_them(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], documents: Path
) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.click("Export the new images")
    hands.wait(lambda: "Exported" in hands.rows()[0])
    assert question(hands) is None
    hands.key(Qt.Key.Key_P, CONTROL)
    hands.choose("Format of exports", 1)
    hands.click("Export the selected images")
    hands.wait(lambda: hands.text("Message, in short") == "The list is paused.")
    assert "Waiting to be exported" in hands.rows()[0]
    assert len(exports(jobs)) == 1
    assert question(hands) is not None
    hands.click("Do what the message proposes")
    hands.wait(lambda: (documents / "Fullfield" / "IM0001_enhanced.png").exists())
    hands.wait(lambda: question(hands) is None)
    assert hands.text("Message, in short") == "One image was exported."


def test_that_an_image_that_is_enhanced_otherwise_while_its_file_is_planned_is_not_exported_as_that_and_this_is_said(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    hands.drop_and_wait(radiographs[:2])
    answers, plan = threading.Event(), exporting.plan

    def slowly(*given: Any, **options: Any) -> Any:
        answers.wait(30)
        return plan(*given, **options)

    monkeypatch.setattr(exporting, "plan", slowly)
    try:
        hands.choose_row(1)
        hands.click("Export the new images")
        jobs[0].hold.add("enhance")
        hands.widget("Kind of input").activated.emit(1)  # type: ignore[attr-defined]
        hands.wait(lambda: jobs[0].posted[-1]["command"] == "enhance")
    finally:
        answers.set()
    hands.wait(lambda: "Exported" in hands.rows()[0])
    hands.wait(lambda: hands.text("Message, in short") == "One image was exported.")
    hands.click("Dismiss the message")
    assert hands.text("Message, in short") == "One image was not exported."
    assert [command["index"] for command in exports(jobs)] == [0]
    jobs[0].hold.clear()
    jobs[0].post(asking.command(jobs[0].posted[-1 if jobs[0].posted[-1]["command"] == "enhance" else -2]))
    hands.wait(lambda: "Enhanced" in hands.rows()[1])
    assert [command["index"] for command in exports(jobs)] == [0] and question(hands) is not None


@pytest.mark.parametrize("other", [False, True])
def test_that_what_becomes_of_an_export_is_said_of_an_image_that_left_the_list_and_came_back(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], other: bool
) -> None:
    hands.drop_and_wait(radiographs[:2])
    jobs[0].hold.add("export")
    hands.click("Export the new images")
    hands.wait(lambda: len(exports(jobs)) == 2)
    hands.choose_row(1)
    if other:
        hands.widget("Kind of input").activated.emit(1)  # type: ignore[attr-defined]
    hands.list.setFocus()
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: len(hands.rows()) == 1)
    jobs[0].hold.clear()
    jobs[0].post(asking.command(exports(jobs)[0]))
    hands.wait(lambda: hands.text("Message, in short") == "One image was exported.")
    hands.click("Dismiss the message")
    hands.key(Qt.Key.Key_Z, CONTROL)
    said = "One image was not exported." if other else "One image was exported."
    hands.wait(lambda: hands.sees("Message") and hands.text("Message, in short") == said)
    hands.wait(lambda: ("Enhanced" if other else "Exported") in hands.rows()[1])


def test_that_measurements_are_saved_while_exports_wait_for_a_slow_folder(
    hands: Hands, radiographs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = threading.Event()

    def plan(*_: object, **options: object) -> ExportPlan:
        going.wait(9)
        return ExportPlan(exports=(), existing=())

    monkeypatch.setattr(exporting, "plan", plan)
    hands.drop_and_wait(radiographs[:1])
    hands.click("Export the new images")
    hands.window._page._side.measure.save_asked.emit(tmp_path / "numbers.csv", "Mean 1")
    try:
        hands.wait((tmp_path / "numbers.csv").exists, 5)
    finally:
        going.set()
