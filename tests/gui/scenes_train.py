"""Scenes of the page that sets a training up: the form, its data, the planner, the review of references."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QMessageBox, QWidget

from fullfield.nodes import node as nodes
from fullfield.nodes.node import Node
from fullfield.protocol.setup_events import NodeProbed, Present
from fullfield_app.gui import pages
from fullfield_app.gui.bridge.wording import in_words
from fullfield_app.gui.train import places
from fullfield_app.gui.train.fit_dialog import FitDialog
from fullfield_app.gui.train.machine_dialog import MachineDialog
from fullfield_app.gui.train.more_dialog import MoreDialog
from fullfield_app.gui.train.panel import TrainPanel
from gui.stage import Set, Stage

CARD = Present(name="cuda:0", title="NVIDIA RTX A4000", total_bytes=16 << 30, free_bytes=15 << 30)
ROOM = NodeProbed(name="gpu-room", cards=(CARD,), cores=16, free_bytes=60 << 30, fullfield="0.1.0", torch="2.15.0")
_ERROR = {
    "title": "Cannot reach the node old-pc.",
    "detail": "Its host key is not the one that this computer knows: it was installed anew, or another machine "
    "answers.",
    "hint": "Ask IT whether the key was changed. Until then nothing is sent.",
}
OLD = NodeProbed(name="old-pc", error=_ERROR)
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


def machines(stage: Stage) -> QWidget:
    """Another machine that is ready, chosen, and one that is not."""
    nodes.keep(Node(name="gpu-room", address="me@gpu-room"))
    nodes.keep(Node(name="old-pc", address="me@10.0.0.7"))
    filled(stage)
    panel, desk = _panel(stage), _panel(stage)._nodes
    desk.look(ask=False)
    assert stage.wait(30, lambda: len(desk._nodes) == 2)
    desk._probing.close()
    desk._take_probed(ROOM)
    desk._take_probed(in_words(OLD))
    panel._take_choices(places.toggled(None, panel._choices, "node:gpu-room", True))
    stage.wait(SECONDS * stage.patience, lambda: panel._plans.facts is not None)
    return stage.window


def machine(stage: Stage) -> QWidget:
    """What is said of a machine that is listed, and why it is not ready."""
    machines(stage)
    desk = _panel(stage)._nodes
    desk._open(desk._nodes["old-pc"])
    return stage.dialog(MachineDialog)


def consent(stage: Stage) -> QWidget:
    """What is asked before images go to a machine."""
    machines(stage)
    panel = _panel(stage)
    starting = panel._starting._starting
    starting._ask_consent(panel._choices.spec("data"), (Node(name="gpu-room", address="me@gpu-room"),))
    nodes.drop("gpu-room")
    nodes.drop("old-pc")
    panel._nodes.look(ask=False)
    return stage.dialog(QMessageBox)


def _panel(stage: Stage) -> TrainPanel:
    return cast(TrainPanel, stage.page(pages.TRAIN))


SCENES: dict[str, Set] = {
    "train": empty,
    "train-data": filled,
    "train-more": more,
    "train-fit": fit,
    "train-review": review,
    "train-machines": machines,
    "train-machine": machine,
    "train-consent": consent,
}
