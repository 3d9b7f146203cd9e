"""Scenes of the page that sets a training up: the form, its data, the planner, the review of references."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QWidget

from fullfield_app.gui import pages
from fullfield_app.gui.train.fit_dialog import FitDialog
from fullfield_app.gui.train.more_dialog import MoreDialog
from fullfield_app.gui.train.panel import TrainPanel
from gui.stage import Set, Stage

SECONDS = 90.0  # that real workers may take


def empty(stage: Stage) -> QWidget:
    """The form before a folder was chosen."""
    panel = _panel(stage)
    stage.wait(SECONDS * stage.patience, lambda: panel._plans.facts is not None)
    return stage.window


def filled(stage: Stage) -> QWidget:
    """The form with the images to learn from, counted and split."""
    empty(stage)
    panel = _panel(stage)
    panel._show_setup()
    if panel._survey is None:
        panel.take([stage.radiographs[0].parent])
        stage.wait(SECONDS, lambda: panel._survey is not None)
    stage.wait(3 * stage.patience)
    return stage.window


def more(stage: Stage) -> QWidget:
    """The settings that are seldom changed."""
    filled(stage)
    _panel(stage)._more.open()
    return stage.dialog(MoreDialog)


def fit(stage: Stage) -> QWidget:
    """What the planner chooses, and why."""
    filled(stage)
    stage.act(_panel(stage), "fit")
    dialog = stage.dialog(FitDialog)
    stage.wait(SECONDS * stage.patience, lambda: dialog._count > 0)
    return dialog


def review(stage: Stage) -> QWidget:
    """A reference beside its image, for an expert's verdict."""
    filled(stage)
    panel = _panel(stage)
    stage.act(panel, "review")
    stage.wait(SECONDS, lambda: panel._review._event is not None)
    stage.wait(stage.patience)
    return stage.window


def _panel(stage: Stage) -> TrainPanel:
    return cast(TrainPanel, stage.page(pages.TRAIN))


SCENES: dict[str, Set] = {
    "train": empty,
    "train-data": filled,
    "train-more": more,
    "train-fit": fit,
    "train-review": review,
}
