"""The files that were opened last, as a menu; kept only where the user wants it, for their names may name patients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from fullfield_app.gui.preferences.store import SettingsStore
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean
from fullfield_app.settings import Recent, Settings

MOST = 12
LONGEST = 60  # signs of a name in the menu


def remember(now: Settings, paths: Sequence[Path]) -> Settings:
    """The settings with `paths` as the newest; as they are where no list is kept."""
    if not now.recent.on:
        return now
    known = dict.fromkeys([*(str(path.absolute()) for path in paths), *now.recent.paths])
    return replace(now, recent=replace(now.recent, paths=tuple(known)[:MOST]))


def forget(now: Settings) -> Settings:
    """The settings with an empty list."""
    return replace(now, recent=replace(now.recent, paths=()))


def keep(now: Settings, on: bool) -> Settings:
    """The settings with a list that is kept or not; the one that is kept no longer is emptied."""
    return replace(now, recent=Recent(on=on, paths=now.recent.paths if on else ()))


class RecentMenu(QMenu):
    """`chosen` carries the path of an entry; `preferences_asked`: the user wants a list."""

    chosen = Signal(object)
    preferences_asked = Signal()

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Recent files"))
        self._store = store
        self._fill()
        store.changed.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        recent = self._store.now.recent
        if not recent.on:
            self.addAction(self.tr("No list is kept. Change that…")).triggered.connect(self.preferences_asked)
            return
        for path in map(Path, recent.paths):
            entry = self.addAction(_label(path))
            entry.triggered.connect(lambda _checked=False, path=path: self.chosen.emit(path))
        if not recent.paths:
            self.addAction(self.tr("Nothing was opened yet")).setEnabled(False)
            return
        self.addSeparator()
        self.addAction(self.tr("Clear this list")).triggered.connect(lambda: self._store.change(forget))


def _label(path: Path) -> str:
    """Its name and its folder's: two files may have one name. A `&` of a name is no mnemonic."""
    text = clean(f"{path.parent.name}/{path.name}" if path.parent.name else path.name)
    cut = text if len(text) <= LONGEST else f"…{text[-LONGEST:]}"
    return cut.replace("&", "&&")
