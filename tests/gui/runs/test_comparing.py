"""Runs that are selected, over each other and side by side."""

from __future__ import annotations

import json
import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QPushButton,
    QTabWidget,
)
from pytestqt.qtbot import QtBot

from fullfield.protocol.events import Event, RunEnded
from fullfield.runs import reading, runs
from fullfield.runs.run_state import RunState
from fullfield_app.gui.runs.image_row import Cell, ImageRow
from fullfield_app.gui.runs.overlay import Compared
from fullfield_app.gui.runs.sample_pictures import WHOLE
from fullfield_app.gui.runs.shelf import Shelf
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.image_view import ImageView
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.presets import auto_window
from fullfield_app.gui.view.tone import Shown
from gui.fake_job import radiograph
from gui.fake_run import begun, epoch
from gui.runs.desk import STORY, Desk


def test_that_runs_that_are_selected_lie_over_each_other_with_images_in_true_proportions(
    desk: Desk,
) -> None:
    high = (1.0, 2.0)
    first = desk.has([*STORY, RunEnded(reason="completed")], number=1, pixel_size=high)
    reported = [*begun(9000.0), *epoch(1), RunEnded(reason="stopped")]
    second = desk.has(reported, number=2, pixel_size=high, size=1024)
    for run in (first, second):
        split = {"validation": [{"key": run.folder.name, "sha256": ["same"]}]}
        (run.folder / "split.json").write_text(json.dumps(split))
    desk.begin()
    desk.panel._table.setFocus()
    desk.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: desk.says("Validation loss of runs, legend").count("px") == 2)
    tabs = desk.widget("What is compared")
    assert isinstance(tabs, QTabWidget)
    tabs.setCurrentIndex(1)
    desk.wait(lambda: desk.says("Memory of runs, legend").count("px") == 2)
    tabs.setCurrentIndex(2)
    one, other = desk.widget("First run's image"), desk.widget("Second run's image")
    assert isinstance(one, ImageView) and isinstance(other, ImageView)
    desk.wait(lambda: one._shown is not None and other._shown is not None)
    assert "1024 px" in one._caption and "epoch 1, loss 12.00" in one._caption
    assert "512 px" in other._caption and "epoch 2, loss 6.00" in other._caption
    views = (desk.view("Radiograph of both before"), one, other)
    desk.wait(lambda: [view.image_size() for view in views] == [(120, 320)] * 3)


def test_that_a_right_drag_over_images_of_a_training_takes_the_window_of_the_area(qtbot: QtBot) -> None:
    picture = Picture(levels=(radiograph(),), bits=12, lowest=0, highest=4095, voi=WHOLE)
    row, area = ImageRow("Images", ("Before", "Now")), Area(left=20, top=30, width=40, height=50)
    qtbot.addWidget(row)
    row.show_cells([Cell(caption=text, shown=Shown(picture=picture, voi=WHOLE)) for text in ("Before", "Now")])
    row._views[1].area_asked.emit(Side.AFTER, area)
    seen = [view._shown.voi for view in row._views if view._shown is not None]
    assert seen == [auto_window(picture, area)] * 2


def test_that_several_runs_are_not_asked_for_once_they_are_selected(desk: Desk) -> None:
    for number in (1, 2):
        desk.has([*STORY, RunEnded(reason="completed")], number=number)
    desk.begin()
    assert desk.text("How runs are compared") == "Select several runs to compare them."
    desk.panel._table.setFocus()
    desk.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert desk.text("How runs are compared") == ""
    desk.wait(lambda: "(2)" in desk.says("Validation loss of runs, legend"))


def test_that_it_is_said_where_more_runs_are_selected_than_are_compared(desk: Desk) -> None:
    for number in range(1, 8):
        desk.has([*STORY, RunEnded(reason="completed")], number=number)
    desk.begin()
    desk.panel._table.setFocus()
    desk.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert desk.text("How runs are compared") == "6 of them are compared, the first ones."


def test_that_a_button_that_asks_first_says_so_in_the_list_as_on_the_page_of_a_run(desk: Desk) -> None:
    desk.has([*STORY, RunEnded(reason="completed")])
    desk.begin()
    texts = [button.text() for button in desk.panel._list.findChildren(QPushButton)]
    assert texts == ["Open", "Name and notes…", "Report…", "Delete…", "Models…"]


def test_that_of_a_selected_run_that_goes_on_only_what_is_new_is_read_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, received = desk.has(STORY, alive=True), list[Event]()
    receive = RunState.apply
    monkeypatch.setattr(RunState, "apply", lambda story, event: (received.append(event), receive(story, event)))
    shelf, compared = Shelf(), list[tuple[Compared, ...]]()
    shelf.read.connect(compared.append)
    chosen = [found] if (found := runs.find(run.folder)) is not None else []
    shelf.compare(chosen)
    desk.wait(lambda: len(compared) == 1)
    received.clear()
    run.tell(*epoch(3))
    os.utime(run.folder / "events.jsonl", (9e9, 9e9))  # clocks of file systems are coarse
    shelf.compare(chosen)
    desk.wait(lambda: len(compared) == 2)
    shelf.close()
    assert len(received) == len(epoch(3)) and compared[1][0].reported.epoch == 3


def test_that_the_choice_of_sides_stays_open_while_the_runs_go_on(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    other = desk.has([*begun(9000.0), *epoch(1), RunEnded(reason="stopped")], number=2, size=1024)
    desk.begin()
    side = desk.widget("First run")
    assert isinstance(side, QComboBox)

    def compared(title: str = "one") -> list[Compared]:
        return [
            Compared(folder=run.folder, title=title, reported=reading.read(run.folder)),
            Compared(folder=other.folder, title="two", reported=reading.read(other.folder)),
        ]

    overlay, filled = desk.panel._overlay, list[str]()
    overlay.show_runs(compared())
    side.model().rowsRemoved.connect(lambda *_: filled.append("again"))
    run.tell(*epoch(3))
    overlay.show_runs(compared())
    assert filled == []
    overlay.show_runs(compared("renamed"))
    assert side.itemText(0) == "renamed"
