"""Scenes of the page that keeps runs: none, a list, one that ended, one at work, several compared, the models."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import cast

from PySide6.QtWidgets import QWidget

import card_file
from fullfield import files, process_identity
from fullfield.enhance import models
from fullfield.model import registry
from fullfield.protocol.comparison import Comparison, Losses, Seen
from fullfield.protocol.events import Event, ModelCompared, PlanMade, RunEnded, RungTaken
from fullfield.protocol.plan import Plan
from fullfield.runs import runs
from fullfield_app.gui import pages
from fullfield_app.gui.runs.keep_dialog import KeepDialog
from fullfield_app.gui.runs.label_dialog import LabelDialog
from fullfield_app.gui.runs.models_dialog import ModelsDialog, show_card
from fullfield_app.gui.runs.panel import RunsPanel
from fullfield_app.gui.runs.report_dialog import ReportDialog
from fullfield_app.gui.switching.dialog import SwitchDialog
from fullfield_app.gui.switching.looking_page import LookingPage
from gui import fake_run
from gui.fake_run import begun, epoch
from gui.stage import Set, Stage

SIZES = (1024, 512)
RANKS = 4
"""The run of several processes."""
ENDED = "20260103-030400-train-00000e"
"""The folder of a real run, where one was put among the played ones: shown as the one that ended."""
PLAN = PlanMade(plan=Plan(peak_bytes=3 << 30, techniques=("banded_loss",)), budget_bytes=7 << 29)
COMPARED = Comparison(
    patients=(Losses(new=4.0, preset=5.0, before=4.5, parts=("chest",)),) * 12,
    seen=tuple(Seen(over=other, signals=32, median=1.02, lost=1, lost_there=2) for other in ("before", "preset")),
    before="map-both-768",
)
RUNG = RungTaken(
    text="",
    before=["banded_loss"],
    techniques=["banded_loss", "recompute"],
    step=8,
    left=2,
    peak_bytes=2 << 30,
    time_factor=1.3,
    peak_bytes_before=4 << 30,
    time_factor_before=1.0,
)


def none(stage: Stage) -> QWidget:
    """Nothing was trained yet."""
    stage.turn_to(pages.RUNS)
    stage.wait(stage.patience)
    return stage.window


def listed(stage: Stage) -> QWidget:
    """Runs that ended in different ways, one of them chosen."""
    _leave_runs()
    panel = _panel(stage)
    if panel._run is not None:
        panel._back()
    panel._shelf.refresh()
    stage.wait(10, lambda: panel._table.runs.rowCount() >= len(runs.folders()) > 0)
    panel._table.clearSelection()
    panel._table.choose(panel._table.runs.run_at(0).folder)
    stage.wait(0.2 + stage.patience)
    return stage.window


def opened(stage: Stage, number: int, tab: int = 0) -> QWidget:
    """The page of one run."""
    listed(stage)
    panel = _panel(stage)
    panel.turn_to(_folder(number))
    stage.wait(10, lambda: panel._now is not None and panel._now.whole and panel._now.folder == _folder(number))
    panel._page._tabs.setCurrentIndex(tab)
    stage.wait(0.3 + stage.patience)
    return stage.window


def of_ranks(stage: Stage) -> QWidget:
    """The page of a run of several processes, at their memory."""
    opened(stage, RANKS)
    page = _panel(stage)._page
    page._memories.setCurrentWidget(page._ranks)
    stage.wait(0.2 + stage.patience)
    return stage.window


def compared(stage: Stage, tab: int) -> QWidget:
    """Two runs over each other."""
    listed(stage)
    panel = _panel(stage)
    panel._table.selectAll()
    panel._overlay._tabs.setCurrentIndex(tab)
    stage.wait(0.5 + 2 * stage.patience)
    return stage.window


def labelled(stage: Stage) -> QWidget:
    """A name and notes."""
    listed(stage)
    stage.act(_panel(stage), "label_run")
    return stage.dialog(LabelDialog)


def reported(stage: Stage) -> QWidget:
    """A report of a run."""
    listed(stage)
    stage.act(_panel(stage), "report_run")
    return stage.dialog(ReportDialog)


def shelf(stage: Stage, tab: int) -> QWidget:
    """The user's models."""
    listed(stage)
    _leave_models()
    stage.act(_panel(stage), "models")
    dialog = stage.dialog(ModelsDialog)
    stage.wait(10, lambda: dialog._list.count() > 0)
    dialog._tabs.setCurrentIndex(tab)
    return dialog


def offered(stage: Stage) -> QWidget:
    """Before another model comes into use."""
    dialog = shelf(stage, 1)
    assert isinstance(dialog, ModelsDialog)
    dialog._boxes["chest"].click()
    return stage.dialog(SwitchDialog)


def looked_at(stage: Stage) -> QWidget:
    """Both on an image of one's own."""
    dialog = offered(stage)
    assert isinstance(dialog, SwitchDialog)
    dialog._look_in(stage.radiographs[0].parent)
    stage.wait(30, lambda: isinstance(page := dialog._pages.currentWidget(), LookingPage) and bool(page._warned))
    return dialog


def kept(stage: Stage) -> QWidget:
    """The card of a model that may be kept."""
    listed(stage)
    _leave_models()
    show_card(stage.window, _panel(stage)._models, models.listed().models[0], "Knees")
    return stage.dialog(KeepDialog)


def _panel(stage: Stage) -> RunsPanel:
    return cast(RunsPanel, stage.page(pages.RUNS))


def _folder(number: int) -> Path:
    real = files.runs_folder() / ENDED
    if number == 0 and real.exists():
        return real
    return next(folder for folder in runs.folders() if folder.name.endswith(f"{number:06x}"))


def _leave_runs() -> None:
    """One that ended, one that was stopped, one that died, one at work: its worker is said to be this process."""
    if any(folder.name.endswith("000000") for folder in runs.folders()):
        return
    stories = ((6, "completed"), (3, "stopped"), (2, ""), (4, ""), (2, ""))
    for number, (epochs, end) in enumerate(stories):
        folder = fake_run.training(number, size=SIZES[number % 2])
        reported: list[Event] = [*begun(), *(fake_run.ranks(3) if number == RANKS else [PLAN])]
        for place in range(1, epochs + 1):
            reported += epoch(place, loss=(12 + number) / place, folder=folder)
            reported += [RUNG] if number == 3 and place == 2 else []
        reported += [ModelCompared(comparison=COMPARED, time=1999.0)] if number == 0 else []
        reported += [RunEnded(reason=end, time=2000.0)] if end else []
        fake_run.training(number, reported=reported, size=SIZES[number % 2])
        split = {"validation": [{"sha256": [f"{place:064x}"]} for place in range(2)]}
        (folder / "split.json").write_text(json.dumps(split))
    live = {"pid": os.getpid(), "started": process_identity.process_started(os.getpid())}
    for number in (3, RANKS):
        (_folder(number) / "worker.json").write_text(json.dumps(live))
    runs.rename(_folder(0), runs.Label(name="Knees, first try", notes="Sharper than the preset."))


def _leave_models() -> None:
    if registry.defaults():
        return
    path = card_file.write(files.runs_folder() / "seeded.safetensors")
    registry.keep(path, "Chest")
    registry.keep(path, "Knees")
    registry.set_default("chest", "Chest")


SCENES: dict[str, Set] = {
    "runs-none": none,
    "runs": listed,
    "run-ended": lambda stage: opened(stage, 0),
    "run-details": lambda stage: opened(stage, 0, 1),
    "run-messages": lambda stage: opened(stage, 0, 2),
    "run-died": lambda stage: opened(stage, 2),
    "run-live": lambda stage: opened(stage, 3),
    "run-ranks": of_ranks,
    "runs-compared": lambda stage: compared(stage, 0),
    "runs-memory": lambda stage: compared(stage, 1),
    "runs-radiograph": lambda stage: compared(stage, 2),
    "run-label": labelled,
    "run-report": reported,
    "models": lambda stage: shelf(stage, 0),
    "models-parts": lambda stage: shelf(stage, 1),
    "model-keep": kept,
    "switch-offered": offered,
    "switch-looked-at": looked_at,
}
