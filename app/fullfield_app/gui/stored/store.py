"""The settings as the window has them: pages read `now`, change with `change`, and follow `changed`.

The window hands its store to every page before it is shown: see `Page.settle`.

    store.now.export.format
    store.change(lambda settings: replace(settings, palette="dark"))
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from fullfield_app import settings
from fullfield_app.gui.stored.writer import Writer
from fullfield_app.settings import Change, Settings


class SettingsStore(QObject):
    """`changed`: some setting is another now; `failed`: an exception, where the file could not be written."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now, self._notices = settings.load()
        self._writer: Writer[Settings] = Writer(settings.update, self)
        self._writer.failed.connect(self.failed)

    @property
    def now(self) -> Settings:
        """The settings at this moment."""
        return self._now

    def change(self, change: Change) -> None:
        """Change at once here, and soon in the file; `change` makes a new value of the old and does nothing else."""
        after = change(self._now)
        if after == self._now:
            return
        self._now = after
        self._writer.write(change)
        self.changed.emit()

    def notices(self) -> tuple[str, ...]:
        """What to tell of the file as it was found."""
        return tuple(map(self._say, self._notices))

    def _say(self, notice: str) -> str:
        return {
            "damaged": self.tr(
                "The file of your settings was damaged and has been set aside. Fullfield starts with its own settings. "
                "Names of patients (View, Show, Overlay) and the list of recent files (Preferences) are off until you "
                "turn them on."
            ),
            "unreadable": self.tr(
                "The file of your settings cannot be read. Fullfield starts with its own settings; check who may read "
                "your folder of settings. Until then names of patients (View, Show, Overlay) are hidden and no list of "
                "recent files is kept (Preferences)."
            ),
            "passed_over": self.tr("Some of your settings could not be used and were passed over."),
        }[notice]

    def close(self) -> None:
        """Wait until all is written; more than once does no harm."""
        self._writer.close()
