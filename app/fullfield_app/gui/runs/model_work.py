"""What is done with models, in the background: listed, looked at, kept, exported, removed. No widget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from fullfield.enhance import models
from fullfield.enhance.models import Model
from fullfield.runs import joined
from fullfield_app.gui.bridge.task import Tasks

T = TypeVar("T")


class ModelWork(QObject):
    """`listed`: a `models.Shelf`; `inspected`: a Model whose file is whole, and a name for it; `kept`: its name;
    `exported`: a name; `taken`: a model's name ("": a preset) and the key of the body part that it is taken for now;
    `failed`: an exception."""

    listed = Signal(object)
    inspected = Signal(object, str)
    kept = Signal(str)
    exported = Signal(str)
    taken = Signal(str, str)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)
        self._asked = set[tuple[Path, ...]]()  # files and folders that something is made of now

    def list(self) -> None:
        """Tell of all models."""
        self._tasks.start(models.listed, self.listed.emit)

    def inspect(self, path: Path, name: str = "") -> None:
        """Check a file that is to be kept; `name`: a better one than the card's."""

        def tell(model: Model) -> None:
            self.inspected.emit(model, name or model.name)

        self._once((path,), lambda: models.inspect(path), tell)

    def keep(self, path: Path, name: str) -> None:
        """Put a file among the models."""
        self._tasks.start(lambda: models.keep(path, name), self.kept.emit)
        self.list()

    def join(self, folders: Sequence[Path]) -> None:
        """Put one model of these runs among the models."""
        self._once(tuple(folders), lambda: joined.of_runs(folders), self.kept.emit)
        self.list()

    def export(self, name: str, target: Path) -> None:
        """Copy a model to a file."""
        self._tasks.start(lambda: models.export(name, target), lambda _: self.exported.emit(name))

    def remove(self, name: str) -> None:
        """Delete a model."""
        self._tasks.start(lambda: models.remove(name), lambda _: None)
        self.list()

    def set_default(self, body_part: str, name: str) -> None:
        """Let "auto" take a model for a body part."""
        self._tasks.start(lambda: models.set_default(body_part, name), lambda _: None)
        self.list()

    def take(self, path: Path, name: str, body_part: str) -> None:
        """Put a file among the models, and let "auto" take it for a body part."""
        self._tasks.start(lambda: models.take(path, name, body_part), lambda taken: self.taken.emit(taken, body_part))
        self.list()

    def go_back(self, body_part: str) -> None:
        """Let "auto" take what it took before for a body part."""
        self._tasks.start(lambda: models.go_back(body_part), lambda taken: self.taken.emit(taken, body_part))
        self.list()

    def close(self) -> None:
        """Begin nothing any more."""
        self._tasks.close()

    def _once(self, files: tuple[Path, ...], work: Callable[[], T], done: Callable[[T], object]) -> None:
        """The same again meanwhile, as by a double click, is one."""
        if files in self._asked:
            return
        self._asked.add(files)

        def end(made: T) -> None:
            self._asked.discard(files)
            done(made)

        def fail(error: BaseException) -> None:
            self._asked.discard(files)
            self.failed.emit(error)

        self._tasks.start(work, end, failed=fail)
