"""The files that were opened last, as a menu; none are kept where the user wants none, or shown beside hidden names."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from fullfield_app import recent
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.stored.writer import Writer
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean

LONGEST = 60  # signs of a name in the menu


class RecentFiles(QObject):
    """`paths`, newest first. `changed`: they are others now, or may be shown or not; `failed`: an exception."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, store: SettingsStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._writer: Writer[recent.Paths] = Writer(recent.update, self)
        self._writer.failed.connect(self.failed)
        self.paths = recent.load()
        self._was_kept = True
        self._follow()
        store.changed.connect(self._follow)

    @property
    def kept(self) -> bool:
        """The user lets us keep the list."""
        return self._store.now.keep_recent

    @property
    def hidden(self) -> bool:
        """Names of patients are hidden now."""
        return not self._store.now.overlay

    def add(self, paths: Sequence[Path]) -> None:
        """These were opened just now."""
        if self.kept:
            self._change(functools.partial(recent.with_new, new=paths))

    def clear(self) -> None:
        """Forget them all, also those of other windows."""
        self._change(lambda _: ())

    def close(self) -> None:
        """Wait until all is written; more than once does no harm."""
        self._writer.close()

    def _change(self, change: recent.Change) -> None:
        self.paths = change(self.paths)
        self._writer.write(change)
        self.changed.emit()

    def _follow(self) -> None:
        given_up = self._was_kept and not self.kept
        self._was_kept = self.kept
        if given_up:  # whatever this window has: another one may have written more
            self.clear()
        else:
            self.changed.emit()


class RecentMenu(QMenu):
    """`chosen` carries the path of an entry; `preferences_asked`: the user wants a list."""

    chosen = Signal(object)
    preferences_asked = Signal()

    def __init__(self, files: RecentFiles, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Recent files"))
        self._files = files
        self._fill()
        files.changed.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        files = self._files
        if not files.kept:
            self.addAction(self.tr("No list is kept. Change that…")).triggered.connect(self.preferences_asked)
            return
        if not files.paths:
            self.addAction(self.tr("Nothing was opened yet")).setEnabled(False)
            return
        if files.hidden:
            self.addAction(self.tr("Hidden, as patients' names are")).setEnabled(False)
        else:
            for path in map(Path, files.paths):
                entry = self.addAction(_label(path))
                entry.triggered.connect(lambda _checked=False, path=path: self.chosen.emit(path))
        self.addSeparator()
        self.addAction(self.tr("Clear this list")).triggered.connect(files.clear)


def _label(path: Path) -> str:
    """Its name and its folder's: two files may have one name. A `&` of a name is no mnemonic."""
    text = clean(f"{path.parent.name}/{path.name}" if path.parent.name else path.name)
    cut = text if len(text) <= LONGEST else f"…{text[-LONGEST:]}"
    return cut.replace("&", "&&")
