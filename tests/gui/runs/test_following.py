"""The page of one run, used by hand: followed, paused, resumed, discarded; memory that ran out, a death."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QSlider,
    QSpinBox,
)

from fullfield import files
from fullfield.jobs import launch
from fullfield.protocol import events
from fullfield.protocol.events import (
    CheckpointSaved,
    MemorySampled,
    PlanMade,
    RunEnded,
    RunFailed,
    RungTaken,
)
from fullfield.protocol.plan import Plan
from fullfield.runs import runs
from fullfield.runs.run_state import RunState
from fullfield.runs.runs import State
from fullfield_app.gui import theme
from fullfield_app.gui.bridge.run_bridge import Following
from fullfield_app.gui.runs import happening
from fullfield_app.gui.runs.plot import Plot
from fullfield_app.gui.view.image_view import ImageView
from gui import fake_run
from gui.fake_run import FakeRun, begun, epoch
from gui.runs.desk import STORY, Desk


def test_that_a_live_run_is_followed_with_curves_memory_and_progress(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    assert "Training" in desk.state()
    assert desk.says("Loss of the run") == "Best validation loss 6.00, in epoch 2 of 6."
    assert "Highest so far: 3.0 GiB." in desk.says("Memory of the run")
    legend = desk.says("Memory of the run, legend")
    assert "computer's memory" in legend and "forward, peak" in legend and "backward, peak" in legend
    assert "Unprocessed input" in desk.says("Loss of the run, legend") and "Validation" in desk.says(
        "Loss of the run, legend"
    )
    run.tell(*epoch(3))
    desk.wait(lambda: "4.00" in desk.says("Loss of the run"))
    assert "left" in desk.text("Progress of the run")


def test_that_the_images_of_a_run_are_in_true_proportions(desk: Desk) -> None:
    run = desk.has(STORY, pixel_size=(1.0, 2.0))
    desk.begin()
    desk.open(run)
    views = [desk.view(name) for name in ("Radiograph before", "Radiograph now", "Reference of the radiograph")]
    desk.wait(lambda: [view.image_size() for view in views] == [(120, 320)] * 3)


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
    theme.apply(qapp, "dark")
    desk.open(run)
    for palette in ("dark", "light"):
        theme.apply(qapp, palette)
        desk.qtbot.wait(1)
        assert desk.widget("State of the run").palette().windowText().color() == theme.colour("fine")


def test_that_predicted_and_budget_lines_are_drawn_over_the_memory(desk: Desk) -> None:
    plan = PlanMade(plan=Plan(process_bytes=4 << 30, techniques=("banded_loss",)), budget_bytes=5 << 30)
    run = desk.has([*begun(), plan, *epoch(1)], alive=True)
    desk.begin()
    desk.open(run)
    assert "predicted peak" in desk.says("Memory of the run, legend") and "budget" in desk.says(
        "Memory of the run, legend"
    )
    plot = desk.widget("Memory of the run")
    assert isinstance(plot, Plot)
    assert [level.height for level in plot._levels] == [4.0, 5.0]


def test_that_the_predicted_line_stays_where_it_was_when_a_training_is_gone_on_with(desk: Desk) -> None:
    plan = PlanMade(plan=Plan(process_bytes=4 << 30, peak_bytes=3 << 30), budget_bytes=5 << 30)
    held = MemorySampled(seconds=0.0, step=0, phase="", border=False, host_bytes=1 << 30, time=1000.0)
    run = desk.has([*begun(), plan, held, *epoch(1), *begun(), replace(plan, budget_bytes=0)], alive=True)
    desk.begin()
    desk.open(run)
    plot = desk.widget("Memory of the run")
    assert isinstance(plot, Plot)
    assert [level.height for level in plot._levels] == [4.0, 5.0]


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


def test_that_a_run_that_another_window_has_resumed_is_followed_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = desk.has([*STORY, RunEnded(reason="paused")])
    desk.begin()
    desk.open(run)
    assert "Paused" in desk.state()
    again = desk.live[run.folder] = FakeRun(run.folder, [*STORY, RunEnded(reason="paused"), *begun(5000.0)])
    for event in begun(5000.0):
        files.append_line(run.folder / "events.jsonl", events.to_line(event))
    monkeypatch.setattr(launch, "alive", lambda folder: folder == run.folder)
    desk.panel._shelf.refresh()  # as it does every few seconds
    desk.wait(lambda: "Preparing" in desk.state())
    again.tell(*epoch(3))
    desk.wait(lambda: "Training" in desk.state())
    assert desk.launched == []


def test_that_a_run_whose_resume_is_refused_stays_paused_and_says_why(desk: Desk) -> None:
    run = desk.has([*STORY, RunEnded(reason="paused")])
    refused: list[str] = []
    desk.panel.failed.disconnect(desk.fail)
    desk.panel.failed.connect(lambda error: refused.append(str(error)))
    desk.begin()
    desk.open(run)
    desk.click("Resume")
    desk.wait(lambda: "Preparing" in desk.state())
    again = desk.live[run.folder]
    again.tell(RunFailed(error={"title": "Not by these settings."}, exit_code=2, refused=True))
    again.end("failed")
    desk.wait(lambda: "Paused" in desk.state() and bool(refused))
    assert refused == ["Not by these settings."]


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


def test_that_what_is_discarded_is_the_run_that_was_asked_about_though_another_is_to_be_shown(desk: Desk) -> None:
    first, second = desk.has(STORY, number=1, alive=True), desk.has(STORY, number=2, alive=True)
    desk.begin()
    desk.open(first)
    desk.click("Cancel and discard")
    desk.wait(lambda: QApplication.activeModalWidget() is not None)
    desk.panel.turn_to(second.folder)
    desk.qtbot.wait(300)
    desk.answer("Cancel and discard")
    desk.wait(lambda: not first.folder.exists())
    assert first.killed and not second.killed and second.folder.exists()
    desk.wait(lambda: desk.panel._run is not None and desk.panel._run.folder == second.folder)


def test_that_a_run_that_was_opened_is_not_left_for_one_that_was_wanted_before(desk: Desk, tmp_path: Path) -> None:
    first, late = desk.has(STORY, number=1), desk.has(STORY, number=2)
    late.folder.rename(tmp_path / "late")
    desk.live.pop(late.folder)
    desk.begin()
    desk.panel.turn_to(late.folder)
    desk.panel._open(desk.panel._table.runs.run_at(0))
    (tmp_path / "late").rename(late.folder)
    desk.live[late.folder] = late
    desk.panel._shelf.refresh()
    desk.wait(lambda: desk.panel._table.runs.rowCount() == 2)
    assert desk.panel._run is not None and desk.panel._run.folder == first.folder


def test_that_nothing_of_the_run_before_stands_under_the_name_of_the_next(desk: Desk) -> None:
    first, second = desk.has(STORY, number=1, alive=True), desk.has(STORY, number=2)
    desk.begin()
    desk.open(first)
    desk.wait(lambda: desk.panel._page.image >= 0)
    row = desk.panel._table.runs.row_of(second.folder)
    desk.panel._page.verdict.show()
    desk.panel._open(desk.panel._table.runs.run_at(row))
    assert desk.panel._page.image == -1, "resuming would watch that of the run before"
    assert desk.says("Loss of the run") == "" and desk.state() == ""
    assert not desk.sees("Cancel and discard") and not desk.panel._page.verdict.isVisible()


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
    assert not desk.widget("What happened").property("trouble"), "it is dealt with"


def test_that_of_a_training_that_goes_on_by_a_new_plan_no_want_of_memory_is_told(tmp_path: Path) -> None:
    state, rung = RunState(), RungTaken(text="", before=[], techniques=["recompute"], step=4, left=0)
    for event, said in ((rung, True), (PlanMade(plan=Plan()), False)):
        state.apply(event)
        now = Following(folder=tmp_path, reported=state.snapshot(), state=State.RUNNING)
        assert (happening.of(now) is not None) is said


def test_that_a_rung_after_a_death_says_that_memory_is_only_the_likely_cause(desk: Desk) -> None:
    rung = RungTaken(text="", before=[], techniques=["recompute"], step=0, left=0, died=True)
    desk.begin()
    desk.open(desk.has([*begun(), rung], alive=True))
    assert desk.text("What happened, in short") == "Memory seems to have run out; the training goes on in less."
    text = desk.text("What happened, in full")
    assert "ended without a word" in text and "from its first step" in text


def test_that_a_death_is_said_with_what_is_saved_and_the_ways_on(desk: Desk) -> None:
    run = desk.has([*STORY, CheckpointSaved(epoch=2, step=8, sha256="")], alive=True)
    desk.begin()
    desk.open(run)
    run.die()
    desk.wait(lambda: "Ended unexpectedly" in desk.state())
    assert desk.text("What happened, in short") == "The last run ended unexpectedly."
    assert desk.text("What happened, in full").startswith("Memory ran out. All up to step 8 is saved")
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


def test_that_a_screen_reader_is_told_the_epoch_that_is_shown_and_sets_it(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    run.tell(*epoch(6, folder=run.folder))
    slider = desk.widget("Epoch that is shown")
    assert isinstance(slider, QSlider)
    value = QAccessible.queryAccessibleInterface(slider).valueInterface()
    desk.wait(lambda: (value.minimumValue(), value.currentValue(), value.maximumValue()) == (1, 6, 6))
    value.setCurrentValue(6 - value.minimumStepSize())
    assert desk.text("Epoch in words") == "After epoch 2" and value.currentValue() == 2


def test_that_another_radiograph_can_be_watched(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    spin = desk.widget("Radiograph that is watched")
    assert isinstance(spin, QSpinBox)
    spin.setFocus()
    desk.key(Qt.Key.Key_Up)
    desk.wait(lambda: run.posted == [{"command": "watch", "image": 1}])


def test_that_a_click_into_the_plot_does_no_harm(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    plot = desk.widget("Loss of the run, drawn")
    desk.drag(plot, QPoint(80, 60), QPoint(160, 90))
