"""Where exports go: the folder that the user chose last, or one of our own in Documents.

A folder may lie on a share that is gone, and asking for it can take minutes: whether it is there is looked up in the
background, in a thread that nothing else waits for.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Signal

from fullfield_app.gui.bridge.task import Tasks

FOLDER_NAME = "Fullfield"


def default_folder() -> Path:
    """`Fullfield` in the user's Documents."""
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return (Path(documents) if documents else Path.home()) / FOLDER_NAME


class ExportFolder(QObject):
    """`now`: the folder; `changed`: it is another one; `missed`: the one that was chosen, where that is not there."""

    changed = Signal()
    missed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = default_folder()
        self._chosen, self._there = "", False
        self._tasks = Tasks(self, waits=False)
        self._look(self.now)

    @property
    def start(self) -> Path:
        """Where to begin to choose another one: one that is known to be there, or the folder above our own."""
        return self.now if self._there else default_folder().parent

    def follow(self, chosen: str) -> None:
        """The settings say this one; "": none was chosen."""
        if chosen != self._chosen:
            self.choose(chosen)

    def choose(self, chosen: str) -> None:
        """Export to this one from now on."""
        self._chosen = chosen
        self._look(Path(chosen) if chosen else default_folder())

    def close(self) -> None:
        """Look no more."""
        self._tasks.close()

    def _look(self, folder: Path) -> None:
        self.now, self._there = folder, False
        self.changed.emit()
        self._tasks.start(
            folder.is_dir, lambda there: self._take(folder, there), failed=lambda _: self._take(folder, False)
        )

    def _take(self, folder: Path, there: bool) -> None:
        if folder != self.now:
            return
        self._there = there
        if not there and self._chosen and folder == Path(self._chosen):
            self._look(default_folder())
            self.missed.emit(folder)
