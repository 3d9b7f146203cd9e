"""A run's model put to use, the way back, and the images and model of a blind grading. No widget."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from fullfield.enhance import models
from fullfield.runs import own_images
from fullfield.runs.runs import Run
from fullfield_app.gui.bridge.run_bridge import MODEL
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.grading.wanted import GradingWish
from fullfield_app.gui.runs import words
from fullfield_app.gui.runs.model_work import ModelWork
from fullfield_app.gui.runs.verdict_bar import PAIRS
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.message_bar import Message


class UseDesk(QObject):
    """`said`: a Message; `grading`: a GradingWish; `failed`: an exception."""

    said = Signal(object)
    grading = Signal(object)
    failed = Signal(object)

    def __init__(self, work: ModelWork, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)
        work.taken.connect(self._tell)

    def take(self, run: Run | None, part: str) -> None:
        """Let "auto" take the run's model for a part of the body."""
        if run is not None:
            self._work.take(run.folder / MODEL, _name(run), part)

    def grade(self, run: Run | None) -> None:
        """Keep the run's model among the others, and look for images to grade it on."""
        if run is not None:
            self._tasks.start(lambda: _wish(run), self.grading.emit)

    def close(self) -> None:
        """Begin nothing any more."""
        self._tasks.close()

    def _tell(self, model: str, part: str) -> None:
        title = self.tr("What is used for a body part has been changed.")
        now = words.model(model) if model else self.tr("the preset that fits")
        text = self.tr("{part}: from now on “Automatic” takes {model}.").format(
            part=say_core(models.body_parts()[part]), model=now
        )
        back, act = self.tr("Back to the one before"), lambda: self._work.go_back(part)
        self.said.emit(Message(title=title, text=text, trouble=False, action=back, act=act))


def _wish(run: Run) -> GradingWish:
    images = own_images.files_of(run.folder, PAIRS)
    return GradingWish(images=images, model=models.kept(run.folder / MODEL, _name(run)))


def _name(run: Run) -> str:
    return run.label.name or f"{run.folder.name[:8]}-{run.spec.get('network', '')}"
