"""What tasks of training share: small phantoms as files and the settings of a short training."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton, QTabBar, QTabWidget

from fullfield import system
from fullfield.jobs import job as jobs
from fullfield.jobs import launch as launching
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job
from fullfield.jobs.launchers.local import LocalJob
from fullfield.model.phantom import phantom
from fullfield.protocol import event_lines, events, training
from fullfield.protocol.events import Event
from fullfield_app import settings
from fullfield_app.settings import TrainChoices
from tasks.user import SECONDS, User, middle

TRAINING = 400.0  # seconds that a short training may take on a busy machine
MODEL = "model.safetensors"
SHORT = {
    "size": 192,
    "epochs": 2,
    "encoder": "resnet18",
    "weights": "none",
    "device": "cpu",
    "threads": 1,
    "validation": 0.25,
    "calibrate_halo": False,
}


class Launcher:
    """Starts workers as the program does. `script`: runs trainings in place of the worker's own module."""

    script: Path | None = None

    def __call__(self, job: Job, /, *, folder: Path | None = None) -> JobHandle:
        if self.script is None or job.kind != "train":
            return launching.launch(job, folder=folder)
        folder = folder or jobs.new_folder(job.kind)
        jobs.save(job, folder)
        command = [sys.executable, str(self.script), str(folder)]
        return LocalJob(folder, process=system.spawn_detached(command))


def make_images(folder: Path, count: int = 4, size: int = SHORT["size"]) -> Path:
    """A folder of radiographs of as many patients."""
    folder.mkdir()
    for number in range(count):
        pixels = np.rint(phantom(size, size, seed=number) * 255).astype(np.uint8)
        Pillow.fromarray(pixels).save(folder / f"{number:03d}.png")
    return folder


def remember_form(*techniques: str, **changes: object) -> None:
    """Leave the form of a short training among the settings, as if it had been used before."""
    values = tuple(f"{key}={json.dumps(value)}" for key, value in (SHORT | changes).items())
    form = TrainChoices(used=True, values=values, techniques=("banded_loss", *techniques))
    settings.update(lambda now: replace(now, train=form))


def begin(images: Path, **changes: object) -> JobHandle:
    """A short training that has been started before the window is opened."""
    return launching.launch(Job.of(training.from_json({"data": str(images), **SHORT, **changes})))


def reported(run: Path) -> list[Event]:
    """What a run has said so far."""
    try:
        lines = (run / "events.jsonl").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [event for event in map(event_lines.from_line, lines) if event is not None]


def steps(run: Path) -> list[int]:
    """The steps that a run has made, in their order."""
    return [event.step for event in reported(run) if isinstance(event, events.StepDone)]


def state(user: User) -> str:
    """The state of the run that is shown."""
    return user.text("State of the run")


def turn_to(user: User, title: str, bar: str = "Pages") -> None:
    """Click on a tab: of the window, or of another bar or group of tabs."""
    found = user.widget(bar)
    tabs = found if isinstance(found, QTabBar) else found.tabBar() if isinstance(found, QTabWidget) else None
    assert tabs is not None, bar
    place = next(place for place in range(tabs.count()) if tabs.tabText(place).startswith(title))
    user.press(tabs, tabs.tabRect(place).center())


def set_up(user: User, images: Path) -> None:
    """Turn to the page that trains, drop the images, and wait until they have been read and there is a plan."""
    turn_to(user, "Train")
    user.wait(lambda: user.sees("Choose the folder of images"))
    user.drop([images])
    user.wait(lambda: user.sees("Images and patients") and user.text("Memory in all") != "", SECONDS)


def reach(user: User, name: str, inside: str) -> None:
    """Turn the wheel over a list until one of its parts is seen."""
    part, around = user.widget(name), user.widget(inside)
    while not part.visibleRegion().contains(part.rect().center()):
        before = part.mapTo(around, part.rect().topLeft()).y()
        user.wheel(around, middle(around), -3 if before > 0 else 3)
        QApplication.processEvents()
        assert part.mapTo(around, part.rect().topLeft()).y() != before, f"{name} cannot be scrolled to"


def save_as(user: User, title: str, path: Path) -> None:
    """Paste a path into the dialog that asks for one, and press Enter."""
    user.wait(lambda: any(isinstance(one, QFileDialog) and one.isVisible() for one in QApplication.topLevelWidgets()))
    field = user.top(title).findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    user.clicks += 2
    QApplication.clipboard().setText(str(path))  # typed letter by letter, Qt's dialog goes through every folder
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(field, Qt.Key.Key_Return)


def answer(user: User, question: str, text: str) -> None:
    """Answer a question by one of its buttons."""
    user.wait(
        lambda: any(one.accessibleName() == question and one.isVisible() for one in QApplication.topLevelWidgets()),
        SECONDS,
    )
    box = user.top(question)
    button = next(one for one in box.findChildren(QPushButton) if one.accessibleName() == text)
    user.press(button, middle(button))


def only(found: Sequence[Path]) -> Path:
    """The one that there is."""
    [one] = found
    return one
