"""Scenes of the page that enhances: images, the ways to look at them, sliders, measurements, blind grading."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QMessageBox, QWidget

import card_file
from fullfield import files
from fullfield.enhance import models
from fullfield.nodes import node as nodes
from fullfield.nodes.node import Node
from fullfield.protocol.setup_events import NodeProbed
from fullfield_app.gui import pages
from fullfield_app.gui.bridge.wording import in_words
from fullfield_app.gui.enhance.panel import EnhancePanel
from fullfield_app.gui.enhance.save_preset import SavePreset
from fullfield_app.gui.grading.dialog import GradingDialog
from fullfield_app.gui.runs.card_dialog import CardDialog
from fullfield_app.gui.widgets.question import ask
from gui.stage import Set, Stage

SECONDS = 60.0  # that real workers may take for some radiographs


def images(stage: Stage) -> QWidget:
    """Radiographs that are enhanced."""
    panel = _panel(stage)
    if not len(panel.work.queue):
        stage.window.open(stage.radiographs)
    panel._side.filter.clear()
    stage.wait(SECONDS, lambda: len(panel.work.queue) > 0 and not panel.work.queue.busy)
    stage.wait(0.6 * stage.patience)
    return stage.window


def filtered(stage: Stage) -> QWidget:
    """A list in which something is looked for, as narrow as it can be."""
    images(stage)
    panel = _panel(stage)
    panel._page.setSizes([1, 5000])
    stage.act(panel, "filter")
    panel._side.filter._line.setText("chest")
    stage.wait(0.5)
    return stage.window


def looked_at(stage: Stage, way: str) -> QWidget:
    """The images in another way: a curtain, one of them, their difference."""
    images(stage)
    stage.act(_panel(stage), way)
    stage.wait(stage.patience)
    return stage.window


def measured(stage: Stage) -> QWidget:
    """Two regions, a line, and their numbers."""
    looked_at(stage, "side_by_side")
    panel = _panel(stage)
    for shape in ("rectangle", "ellipse", "line"):
        stage.act(panel, shape)
        stage.act(panel, "add_mark")
    stage.wait(stage.patience)
    return stage.window


def adjusted(stage: Stage) -> QWidget:
    """The sliders of a preset."""
    looked_at(stage, "side_by_side")
    panel = _panel(stage)
    if panel.actions_by_key["measure"].isChecked():
        stage.act(panel, "measure")
    if not panel._adjustment.panel.isVisible():
        stage.act(panel, "adjust")
    stage.wait(2 * stage.patience)
    return stage.window


def preset(stage: Stage) -> QWidget:
    """The values of the sliders become a preset."""
    adjusted(stage)
    panel = _panel(stage)._adjustment.panel
    stage.wait(stage.patience)
    panel.save_asked.emit()
    return stage.dialog(SavePreset)


def grading(stage: Stage) -> GradingDialog:
    """What is to be graded."""
    images(stage)
    panel = _panel(stage)
    if panel._adjustment.panel.isVisible():
        stage.act(panel, "adjust")
    stage.act(panel, "grade")
    dialog = stage.dialog(GradingDialog)
    stage.wait(10, lambda: bool(dialog._setup.wish().pairs))
    return dialog


def reading(stage: Stage) -> GradingDialog:
    """A pair and the questions about it."""
    dialog = grading(stage)
    dialog._begin(dialog._setup.wish())
    stage.wait(20, lambda: dialog._takes is not None and dialog._pages.currentWidget() is not dialog._setup)
    stage.wait(2 * stage.patience)
    return dialog


def graded(stage: Stage) -> QWidget:
    """What the scores say."""
    dialog = reading(stage)
    study = dialog._study
    assert study is not None
    for place, answer in enumerate(study.reading.answers):
        clicked = tuple((place + line) % 3 - 1 for line in range(len(answer.clicked)))
        study = study.with_answer(place, type(answer)(clicked=clicked))
    page = dialog._pages.currentWidget()
    dialog._end(study.with_end())
    stage.wait(5, lambda: dialog._pages.currentWidget() is not page)
    return dialog


def model(stage: Stage) -> QWidget:
    """The card of a model from a file, before it is used."""
    images(stage)
    path = card_file.write(files.runs_folder() / "offered.safetensors")
    _panel(stage)._offering._show(models.inspect(path))
    return stage.dialog(CardDialog)


def closing(stage: Stage) -> QWidget:
    """A question before something is lost."""
    images(stage)
    question = _panel(stage).question()
    assert question is not None
    return ask(stage.window, question)


def _panel(stage: Stage) -> EnhancePanel:
    return cast(EnhancePanel, stage.page(pages.ENHANCE))


def elsewhere(stage: Stage) -> QWidget:
    """A machine that is listed was chosen, and is not ready."""
    images(stage)
    nodes.keep(Node(name="gpu-room", address="me@gpu-room"))
    desk = _panel(stage)._where
    desk.look()
    assert stage.wait(30, lambda: bool(desk._nodes))
    desk._waiting["gpu-room"] = None
    error = {"title": "Cannot reach the node gpu-room.", "detail": "It does not answer.", "hint": "Check the network."}
    desk._take_probed(in_words(NodeProbed(name="gpu-room", error=error)))
    return stage.window


def consent(stage: Stage) -> QWidget:
    """What is asked before images go to a machine to be enhanced."""
    elsewhere(stage)
    desk = _panel(stage)._where
    desk._waiting["gpu-room"] = NodeProbed(name="gpu-room")
    desk._ask_consent()
    nodes.drop("gpu-room")
    desk.look()
    return stage.dialog(QMessageBox)


SCENES: dict[str, Set] = {
    "enhance": images,
    "enhance-elsewhere": elsewhere,
    "enhance-consent": consent,
    "enhance-filter": filtered,
    "enhance-curtain": lambda stage: looked_at(stage, "curtain"),
    "enhance-single": lambda stage: looked_at(stage, "single"),
    "enhance-difference": lambda stage: looked_at(stage, "difference"),
    "enhance-measure": measured,
    "enhance-adjust": adjusted,
    "save-preset": preset,
    "model-card": model,
    "grading-setup": grading,
    "grading-reading": reading,
    "grading-earlier": grading,
    "grading-results": graded,
    "question": closing,
}
