"""A run's model put to use, or another one, once that was offered to be looked at first; the way back; and the images
and model of a blind grading."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield.enhance import models
from fullfield.errors import FullfieldError
from fullfield.runs import own_images
from fullfield.runs.runs import Run
from fullfield_app.gui.bridge.run_bridge import MODEL
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.grading.wanted import GradingWish
from fullfield_app.gui.runs import words
from fullfield_app.gui.runs.model_work import ModelWork
from fullfield_app.gui.runs.verdict_bar import PAIRS
from fullfield_app.gui.switching.finder import LOOKED_AT
from fullfield_app.gui.switching.opening import Switching
from fullfield_app.gui.switching.wanted import Switch, opened_last
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.message_bar import Message


class UseDesk(QObject):
    """`said`: a Message; `grading`: a GradingWish; `failed`: an exception."""

    said = Signal(object)
    grading = Signal(object)
    failed = Signal(object)

    def __init__(self, work: ModelWork, workers: Workers, page: QWidget) -> None:
        super().__init__(page)
        self._work, self._switching = work, Switching(workers, page)
        self._switching.failed.connect(self.failed)
        self._switching.left.connect(work.list)
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)
        work.taken.connect(self._tell)

    def take(self, run: Run | None, part: str) -> None:
        """Let "auto" take the run's model for a part of the body, once its user has said so."""
        if run is not None:
            self._tasks.start(lambda: models.listed().used(part), partial(self._ask, run, part))

    def offer(self, switch: Switch) -> None:
        """Ask whether this is wanted, and offer to look at it first; do it where it is."""
        self._switching.offer(switch)

    def grade(self, run: Run | None) -> None:
        """Keep the run's model among the others, and look for images to grade it on."""
        if run is not None:
            self._tasks.start(lambda: _wish(run), self.grading.emit)

    def close(self) -> None:
        """Begin nothing any more."""
        self._switching.close()
        self._tasks.close()

    def _ask(self, run: Run, part: str, now: str) -> None:
        path, name = run.folder / MODEL, _name(run)
        switch = Switch(
            part=part,
            now=words.in_use(now),
            new=words.model(name),
            model=path,
            use=lambda: self._work.take(path, name, part),
            images=partial(_images, run),
        )
        self.offer(switch)

    def _tell(self, model: str, part: str) -> None:
        title = self.tr("What is used for a body part has been changed.")
        now = words.in_use(model)
        text = self.tr("{part}: from now on “Automatic” takes {model}.").format(
            part=say_core(models.body_parts()[part]), model=now
        )
        back, act = self.tr("Back to the one before"), lambda: self._work.go_back(part)
        self.said.emit(Message(title=title, text=text, trouble=False, action=back, act=act))


def _images(run: Run) -> Sequence[Path]:
    """The run's, those that it did not learn from first; those opened last where they are gone."""
    try:
        return own_images.files_of(run.folder, LOOKED_AT)
    except (FullfieldError, OSError):
        return opened_last()


def _wish(run: Run) -> GradingWish:
    images = own_images.files_of(run.folder, PAIRS)
    return GradingWish(images=images, model=models.kept(run.folder / MODEL, _name(run)))


def _name(run: Run) -> str:
    return run.label.name or f"{run.folder.name[:8]}-{run.spec.get('network', '')}"
