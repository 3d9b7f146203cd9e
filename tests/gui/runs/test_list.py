"""The list of runs, used by hand: opened, named, reported, deleted; those that died unseen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QPlainTextEdit,
)

import card_file
from fullfield.model import registry
from fullfield.protocol.events import CheckpointSaved, RunEnded
from fullfield.report import content
from fullfield.runs import runs
from fullfield.runs.runs import Label
from fullfield_app.gui.runs.keep_dialog import KeepDialog
from fullfield_app.gui.runs.wanted import REPORT, RESUME, Wanted
from gui.fake_run import begun, epoch
from gui.runs.desk import STORY, Desk


def test_that_without_runs_the_page_says_so_and_leads_to_a_training(desk: Desk) -> None:
    went: list[str] = []
    desk.panel.went.connect(lambda key, _: went.append(key))
    desk.begin()
    desk.click("Set up a training")
    assert went == ["train"]


def test_that_runs_are_listed_with_their_figures_and_opened_with_enter(desk: Desk) -> None:
    desk.has([*STORY, RunEnded(reason="completed")])
    desk.begin()
    model = desk.panel._table.runs
    row = [str(model.index(0, column).data()) for column in range(model.columnCount())]
    assert row[1] == "✓ Completed" and row[3:6] == ["512 px", "2 of 6", "6.00"] and "3.0 GiB" in row[6]
    assert row[8] == "Loss in bands"
    assert row[0].startswith("512 px, "), "what its legend calls it too"
    desk.panel._table.setFocus()
    desk.key(Qt.Key.Key_Return)
    desk.wait(lambda: desk.sees("State of the run") and "Completed" in desk.state())
    desk.click("‹ All runs")
    assert desk.sees("All runs")


def test_that_a_run_that_was_stopped_before_its_first_step_is_not_called_kept(desk: Desk) -> None:
    run = desk.has([*begun(), RunEnded(reason="stopped")])
    desk.begin()
    assert desk.panel._table.runs.index(0, 1).data() == "■ Stopped"
    desk.open(run)
    desk.wait(lambda: desk.state() == "■ Stopped" and desk.says("State of the run") == "Stopped")
    (overview, *_) = content.gather(run.folder, images=False).tables
    assert ("State", "stopped by the user") in overview.rows


def test_that_a_run_is_given_a_name_and_notes(desk: Desk) -> None:
    run = desk.has([*STORY, RunEnded(reason="completed")])
    desk.begin()
    desk.click("Name and notes")
    edit, notes = desk.widget("Name of the run, to change"), desk.widget("Notes of the run, to change")
    assert isinstance(edit, QLineEdit) and isinstance(notes, QPlainTextEdit)
    desk.qtbot.keyClicks(edit, "Knees")
    desk.qtbot.keyClicks(notes, "second try")
    desk.click("Save the name and notes")
    desk.wait(lambda: str(desk.panel._table.runs.index(0, 0).data()) == "Knees")
    assert runs.label(run.folder).notes == "second try"


def test_that_a_name_that_another_window_has_given_meanwhile_stays_where_notes_are_written(desk: Desk) -> None:
    run = desk.has([*STORY, RunEnded(reason="completed")])
    desk.begin()
    desk.open(run)
    desk.panel.actions_by_key["label_run"].trigger()
    runs.rename(run.folder, Label(name="Knees"))
    notes = desk.widget("Notes of the run, to change")
    desk.qtbot.keyClicks(notes, "sharp")
    desk.click("Save the name and notes")
    desk.wait(lambda: runs.label(run.folder) == Label(name="Knees", notes="sharp"))


def test_that_a_double_click_asks_once_whether_to_keep_a_model(desk: Desk) -> None:
    run = desk.has([*STORY, RunEnded(reason="completed")])
    card_file.write(run.folder / "model.safetensors")
    desk.begin()
    desk.open(run)
    desk.wait(lambda: desk.sees("Keep its model"))
    for _ in range(2):
        desk.click("Keep its model")
    desk.wait(lambda: desk.sees("Name of the model"))
    desk.qtbot.wait(100)
    assert len([one for one in desk.window.findChildren(KeepDialog) if one.isVisible()]) == 1
    desk.answer("Keep the model")
    desk.wait(lambda: len(registry.known()) == 1 and QApplication.activeModalWidget() is None)
    desk.click("Keep its model")
    desk.wait(lambda: desk.sees("Name of the model"))


def test_that_complete_runs_that_are_selected_are_made_one_model(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    joined: list[list[Path]] = []
    monkeypatch.setattr("fullfield.runs.joined.of_runs", lambda folders: joined.append(folders) or "ours")
    found = [desk.has([*STORY, RunEnded(reason="completed")], number=number).folder for number in (1, 2)]
    desk.begin()
    action = desk.panel.actions_by_key["join_runs"]
    assert not action.isEnabled(), "one is none"
    desk.panel._table.selectAll()
    action.trigger()
    desk.wait(lambda: bool(desk.said))
    assert sorted(joined[0]) == sorted(found) and "“ours”" in desk.said[0].text


def test_that_deleting_asks_and_never_takes_a_running_run(desk: Desk) -> None:
    done = desk.has([*STORY, RunEnded(reason="completed")], number=1)
    desk.begin()
    desk.panel._table.setFocus()
    desk.key(Qt.Key.Key_Delete)
    assert done.folder.exists()
    desk.answer("Delete")
    desk.wait(lambda: not done.folder.exists() and desk.sees("No run yet"))


def test_that_a_damaged_run_is_listed_as_such_and_the_others_are_unharmed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[str]()
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    good, bad = desk.has([*STORY, RunEnded(reason="completed")], number=1), desk.has(STORY, number=2)
    (bad.folder / "job.json").write_text("[" * 10_000)
    (good.folder / "worker.json").write_text("null")
    desk.begin()
    model = desk.panel._table.runs
    rows = [[str(model.index(row, column).data()) for column in range(model.columnCount())] for row in (0, 1)]
    assert rows[0][:4] == [bad.folder.name, "✗ Damaged", "–", "–"] and rows[1][1] == "✓ Completed"
    assert not desk.panel.actions_by_key["report_run"].isEnabled()
    desk.panel._table.setFocus()
    desk.key(Qt.Key.Key_Return)
    [message] = desk.said
    assert "damaged" in message.title and message.act is not None and message.act_other is not None
    message.act()
    assert opened == [str(bad.folder)]
    message.act_other()
    desk.answer("Delete")
    desk.wait(lambda: not bad.folder.exists() and model.rowCount() == 1)
    assert good.folder.exists()


def test_that_a_run_that_died_unseen_is_resumed_from_the_message_as_soon_as_it_is_read(desk: Desk) -> None:
    run = desk.has([*STORY, CheckpointSaved(epoch=2, step=8, sha256="")])
    desk.begin()
    desk.panel.turn_to(Wanted(folder=run.folder, then=RESUME))
    desk.wait(lambda: [folder for _, folder in desk.launched] == [run.folder])
    desk.live[run.folder].tell(*epoch(3))
    desk.wait(
        lambda: "Training" in desk.state() and desk.says("Loss of the run").startswith("Best validation loss 4.00")
    )


def test_that_the_report_of_a_run_that_died_unseen_is_made_and_opened(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, run = list[str](), desk.has(STORY)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    desk.begin()
    desk.panel.turn_to(Wanted(folder=run.folder, then=REPORT))
    desk.wait(lambda: bool(opened))
    assert opened == [desk.reported[0].spec["output"]] and desk.reported[0].spec["run"] == str(run.folder)
    assert not desk.reported[0].spec["images"] and desk.sees("State of the run") and desk.said == []


def test_that_everything_on_the_page_has_a_name_of_its_own(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    widgets = [desk.panel, *desk.panel.findChildren(type(desk.panel).__mro__[2])]
    names = [widget.accessibleName() for widget in widgets]
    assert all(names) and len(set(names)) == len(names)


@pytest.mark.parametrize("others", [0, 1])
def test_that_a_run_whose_folder_is_deleted_on_disk_while_it_is_open_is_left_and_that_is_said(
    desk: Desk, others: int
) -> None:
    run = desk.has([*STORY, RunEnded(reason="completed")])
    for number in range(others):
        desk.has([*STORY, RunEnded(reason="completed")], number=number + 1)
    noticed: list[str] = []
    desk.panel.noticed.connect(noticed.append)
    desk.begin()
    desk.open(run)
    shutil.rmtree(run.folder)
    desk.panel._shelf.refresh()
    shown = desk.panel._list if others else desk.panel._none
    desk.wait(lambda: desk.panel._stack.currentWidget() is shown)
    assert desk.panel._run is None and "no longer there" in noticed[-1]


def test_that_an_open_run_stays_open_while_the_drive_of_all_runs_is_away_for_a_moment(desk: Desk) -> None:
    run = desk.has([*STORY, RunEnded(reason="completed")])
    desk.has([*STORY, RunEnded(reason="completed")], number=1)
    noticed: list[str] = []
    desk.panel.noticed.connect(noticed.append)
    desk.begin()
    desk.open(run)
    desk.panel._shelf.rest()
    desk.panel._shelf._again.setInterval(600_000)  # it is back before that, however slow all is
    root = run.folder.parent
    away = root.rename(root.with_name("away"))
    desk.panel._shelf.refresh()
    desk.wait(lambda: not desk.panel._shelf._busy)
    away.rename(root)
    desk.panel._shelf.refresh()
    desk.wait(lambda: not desk.panel._shelf._busy)
    assert desk.panel._stack.currentWidget() is desk.panel._page and desk.panel._run is not None and not noticed
    assert desk.panel._table.runs.rowCount() == 2
