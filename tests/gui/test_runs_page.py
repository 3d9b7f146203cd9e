"""The page of runs, used by hand: listed, opened, paused, resumed, discarded, compared, named, kept, closed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QTabWidget,
)
from pytestqt.qtbot import QtBot

from fullfield.events import CheckpointSaved, Event, MemorySampled, Notice, PlanMade, RunEnded, RungTaken
from fullfield.jobs import reading, runs
from fullfield.jobs.job import Job
from fullfield.jobs.story import Story
from fullfield_app.gui import theme
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.runs.overlay import Compared
from fullfield_app.gui.runs.panel import RunsPanel
from fullfield_app.gui.runs.plot import Plot
from fullfield_app.gui.runs.shelf import Shelf
from fullfield_app.gui.runs.wanted import REPORT, RESUME, Wanted
from fullfield_app.gui.view.image_view import ImageView
from fullfield_app.gui.widgets.accessible import complete
from fullfield_app.gui.widgets.message_bar import Message
from gui import fake_run
from gui.fake_run import FakeRun, begun, epoch
from gui.hands import Hands


class Desk(Hands):
    """A window with the page of runs alone in it, and workers that a test plays."""

    def __init__(self, qtbot: QtBot) -> None:
        self.live: dict[Path, FakeRun] = {}
        self.launched: list[tuple[Job, Path | None]] = []
        self.reported: list[Job] = []
        self.said: list[Message] = []
        self.panel = RunsPanel(Workers(attach=self.attach, launch=self.launch))
        window = QMainWindow()
        window.setCentralWidget(self.panel)
        window.resize(1280, 700)
        super().__init__(window, qtbot)  # type: ignore[arg-type]
        qtbot.addWidget(window)
        self.panel.said.connect(self.said.append)
        self.panel.failed.connect(self.fail)

    def fail(self, error: BaseException) -> None:
        raise AssertionError(error)

    def attach(self, folder: Path) -> FakeRun:
        return self.live[folder]

    def launch(self, job: Job, *, folder: Path | None = None) -> FakeRun:
        if job.kind == "report":
            self.reported.append(job)
            report = FakeRun(fake_run.training(9))
            report.end("completed")
            return report
        self.launched.append((job, folder))
        assert folder is not None
        self.live[folder] = FakeRun(folder, begun(5000.0))
        return self.live[folder]

    def has(self, told: list[Event], *, number: int = 0, alive: bool = False, **spec: object) -> FakeRun:
        """A run with this story."""
        folder = fake_run.training(number, told=told, **spec)
        if any(isinstance(event, Notice) for event in told):
            lines = [*told, *(fake_run.sample(folder, n) for n in range(1, len(told) // 13 + 1))]
            fake_run.training(number, told=lines, **spec)
            told = lines
        self.live[folder] = FakeRun(folder, told, alive=alive)
        return self.live[folder]

    def begin(self) -> None:
        self.window.show()
        self.panel.start()
        self.wait(lambda: self.panel._table.runs.rowCount() == len(self.live))
        complete(self.window)

    def open(self, run: FakeRun) -> None:
        self.panel.turn_to(run.folder)
        self.wait(lambda: self.panel._now is not None and self.panel._now.whole)

    def state(self) -> str:
        return self.text("State of the run")

    def answer(self, text: str) -> None:
        """Press a button of the question that stands."""
        box = QApplication.activeModalWidget()
        assert box is not None
        button = next(one for one in box.findChildren(QPushButton) if one.text() == text)
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def says(self, name: str) -> str:
        return self.widget(name).accessibleDescription()


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk(qtbot)
    yield made
    made.panel.close_down()


STORY = [*begun(), *epoch(1), *epoch(2)]


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
    desk.panel._table.setFocus()
    desk.key(Qt.Key.Key_Return)
    desk.wait(lambda: desk.sees("State of the run") and "Completed" in desk.state())
    desk.click("‹ All runs")
    assert desk.sees("All runs")


def test_that_a_live_run_is_followed_with_curves_memory_and_progress(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    assert "Training" in desk.state()
    assert desk.says("Loss of the run") == "Best validation loss 6.00, in epoch 2 of 6."
    assert "Highest so far: 3.0 GiB." in desk.says("Memory of the run")
    legend = desk.says("Memory of the run, legend")
    assert "computer's memory" in legend and "forward, peak" in legend and "backward, peak" in legend
    assert "The input" in desk.says("Loss of the run, legend") and "Validation" in desk.says("Loss of the run, legend")
    run.tell(*epoch(3))
    desk.wait(lambda: "4.00" in desk.says("Loss of the run"))
    assert "left" in desk.text("Progress of the run")


def test_that_the_first_epoch_is_one_of_as_many_as_were_asked_for(desk: Desk) -> None:
    run = desk.has([*begun(), *epoch(1)[:-1]], alive=True)
    desk.begin()
    desk.open(run)
    assert "Epoch 1 of 6," in desk.text("Progress of the run")
    plot = desk.widget("Loss of the run")
    assert isinstance(plot, Plot)
    assert max(plot._lines[0].curve.x) <= 1, "the steps of the first epoch"


def test_that_the_state_has_its_colour_in_another_palette_too(desk: Desk, qapp: QApplication) -> None:
    run = desk.has([*STORY, RunEnded(reason="completed")])
    desk.begin()
    try:
        theme.apply(qapp, "dark")
        desk.open(run)
        for palette in ("dark", "light"):
            theme.apply(qapp, palette)
            desk.qtbot.wait(1)
            assert desk.widget("State of the run").palette().windowText().color() == theme.colour("fine")
    finally:
        theme.apply(qapp)


def test_that_predicted_and_budget_lines_are_drawn_over_the_memory(desk: Desk) -> None:
    plan = PlanMade(plan={"peak_bytes": 4 << 30, "techniques": ["banded_loss"]}, budget_bytes=5 << 30)
    run = desk.has([*begun(), plan, *epoch(1)], alive=True)
    desk.begin()
    desk.open(run)
    assert "predicted peak" in desk.says("Memory of the run, legend") and "budget" in desk.says(
        "Memory of the run, legend"
    )
    plot = desk.widget("Memory of the run")
    assert isinstance(plot, Plot)
    assert [level.height for level in plot._levels] == [4.0, 5.0]


def test_that_without_a_card_these_lines_lie_over_what_the_program_held_before(desk: Desk) -> None:
    plan = PlanMade(plan={"peak_bytes": 4 << 30, "techniques": ["banded_loss"]}, budget_bytes=5 << 30)
    held = MemorySampled(seconds=0.0, step=0, phase="", border=False, host_bytes=1 << 30, time=1000.0)
    run = desk.has([*begun(), plan, held, *epoch(1)], alive=True)
    desk.begin()
    desk.open(run)
    plot = desk.widget("Memory of the run")
    assert isinstance(plot, Plot)
    assert [level.height for level in plot._levels] == [5.0, 6.0]
    assert "over 1.0 GiB of the program itself" in desk.says("Memory of the run, legend")


@pytest.mark.parametrize(
    ("button", "posted", "state"),
    [
        ("Pause", {"command": "stop", "why": "paused"}, "Paused"),
        ("Stop and keep", {"command": "stop"}, "Stopped, kept"),
    ],
)
def test_that_pause_and_stop_are_different_buttons(desk: Desk, button: str, posted: dict[str, str], state: str) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    desk.click(button)
    desk.wait(lambda: state in desk.state())
    assert run.posted == [posted] and not run.killed


def test_that_a_paused_run_is_resumed_in_its_folder_with_the_radiograph_that_is_watched(desk: Desk) -> None:
    run = desk.has([*STORY, RunEnded(reason="paused")])
    desk.begin()
    desk.open(run)
    assert "goes on exactly where it was" in desk.text("What happened, in full")
    desk.click("Resume")
    desk.wait(lambda: "Preparing" in desk.state())
    job, folder = desk.launched[0]
    assert folder == run.folder and job.spec["watch"] == 0
    desk.live[run.folder].tell(*epoch(3))
    desk.wait(lambda: "Training" in desk.state())


def test_that_discarding_asks_then_ends_and_deletes(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    desk.click("Cancel and discard")
    assert run.folder.exists() and not run.killed
    desk.wait(lambda: any("Go back" in w.accessibleName() for w in desk.window.findChildren(QPushButton)))
    desk.answer("Cancel and discard")
    desk.wait(lambda: not run.folder.exists() and desk.sees("No run yet"))
    assert run.killed


def test_that_a_run_that_is_discarded_leaves_the_page_of_another_alone(desk: Desk) -> None:
    first, second = desk.has(STORY, number=1), desk.has(STORY, number=2, alive=True)
    desk.begin()
    desk.open(second)
    runs.remove(first.folder)
    desk.panel._follower.removed.emit(first.folder)
    desk.wait(lambda: desk.panel._table.runs.rowCount() == 1)
    assert desk.sees("State of the run")


def test_that_out_of_memory_is_told_in_plain_words_with_its_cost(desk: Desk) -> None:
    rung = RungTaken(
        text="",
        before=["banded_loss"],
        techniques=["banded_loss", "checkpointing"],
        step=4,
        left=2,
        peak_bytes=2 << 30,
        time_factor=1.3,
        peak_bytes_before=4 << 30,
        time_factor_before=1.0,
    )
    run = desk.has([*begun(), *epoch(1), rung, *epoch(2)], alive=True)
    desk.begin()
    desk.open(run)
    assert desk.text("What happened, in short") == "Memory ran out; the training goes on in less."
    text = desk.text("What happened, in full")
    for part in ("from step 4", "Checkpointing", "2.0 GiB instead of 4.0 GiB", "1.30 times as long", "2 more ways"):
        assert part in text
    assert "Training" in desk.state()


def test_that_a_death_is_said_with_what_is_saved_and_the_ways_on(desk: Desk) -> None:
    run = desk.has([*STORY, CheckpointSaved(epoch=2, step=8, sha256="")], alive=True)
    desk.begin()
    desk.open(run)
    run.die()
    desk.wait(lambda: "Ended unexpectedly" in desk.state())
    assert desk.text("What happened, in short") == "The last run ended unexpectedly."
    assert "up to step 8 is saved" in desk.text("What happened, in full")
    assert desk.sees("Resume") and desk.sees("Report of this run") and not desk.sees("Pause")
    desk.wait(lambda: runs.unfinished() == ([], []))  # it is known now


def test_that_the_radiograph_is_seen_before_now_and_as_reference_and_the_slider_turns_back(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    now = desk.widget("Radiograph now")
    assert isinstance(now, ImageView)
    desk.wait(lambda: now._shown is not None and "epoch 2" in now._caption)
    assert now._shown is not None
    expected = np.load(run.folder / "samples/image-000/epoch-00002.npy")
    assert np.array_equal(now._shown.picture.levels[0], expected)
    slider = desk.widget("Epoch that is shown")
    assert isinstance(slider, QSlider)
    slider.setFocus()
    desk.key(Qt.Key.Key_Left)
    desk.wait(lambda: "epoch 1" in now._caption)
    fake_run.sample(run.folder, 3)
    run.tell(*epoch(3), fake_run.sample(run.folder, 3))
    desk.wait(lambda: slider.maximum() == 2)
    assert "epoch 1" in now._caption  # who looks back is left there
    desk.click("Always show the newest epoch")
    desk.wait(lambda: "epoch 3" in now._caption)


def test_that_another_radiograph_can_be_watched(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    spin = desk.widget("Radiograph that is watched")
    assert isinstance(spin, QSpinBox)
    spin.setFocus()
    desk.key(Qt.Key.Key_Up)
    desk.wait(lambda: run.posted == [{"command": "watch", "image": 1}])


def test_that_runs_that_are_selected_lie_over_each_other(desk: Desk) -> None:
    first = desk.has([*STORY, RunEnded(reason="completed")], number=1)
    second = desk.has([*begun(9000.0), *epoch(1), RunEnded(reason="stopped")], number=2, size=1024)
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


def test_that_of_a_selected_run_that_goes_on_only_what_is_new_is_read_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, heard = desk.has(STORY, alive=True), list[Event]()
    hear = Story.hear
    monkeypatch.setattr(Story, "hear", lambda story, event: (heard.append(event), hear(story, event)))
    shelf, compared = Shelf(), list[tuple[Compared, ...]]()
    shelf.read.connect(compared.append)
    chosen = [found] if (found := runs.find(run.folder)) is not None else []
    shelf.compare(chosen)
    desk.wait(lambda: len(compared) == 1)
    heard.clear()
    run.tell(*epoch(3))
    os.utime(run.folder / "events.jsonl", (9e9, 9e9))  # clocks of file systems are coarse
    shelf.compare(chosen)
    desk.wait(lambda: len(compared) == 2)
    shelf.close()
    assert len(heard) == len(epoch(3)) and compared[1][0].told.epoch == 3


def test_that_the_choice_of_sides_stays_open_while_the_runs_go_on(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    other = desk.has([*begun(9000.0), *epoch(1), RunEnded(reason="stopped")], number=2, size=1024)
    desk.begin()
    side = desk.widget("First run")
    assert isinstance(side, QComboBox)

    def compared(title: str = "one") -> list[Compared]:
        return [
            Compared(folder=run.folder, title=title, told=reading.read(run.folder)),
            Compared(folder=other.folder, title="two", told=reading.read(other.folder)),
        ]

    overlay, filled = desk.panel._overlay, list[str]()
    overlay.show_runs(compared())
    side.model().rowsRemoved.connect(lambda *_: filled.append("again"))
    run.tell(*epoch(3))
    overlay.show_runs(compared())
    assert filled == []
    overlay.show_runs(compared("renamed"))
    assert side.itemText(0) == "renamed"


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


def test_that_deleting_asks_and_never_takes_a_running_run(desk: Desk) -> None:
    done = desk.has([*STORY, RunEnded(reason="completed")], number=1)
    desk.begin()
    desk.panel._table.setFocus()
    desk.key(Qt.Key.Key_Delete)
    assert done.folder.exists()
    desk.answer("Delete")
    desk.wait(lambda: not done.folder.exists() and desk.sees("No run yet"))


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


def test_that_a_click_into_the_plot_does_no_harm(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    plot = desk.widget("Loss of the run, drawn")
    desk.drag(plot, QPoint(80, 60), QPoint(160, 90))
