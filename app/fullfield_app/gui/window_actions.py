"""The window's own actions: its dialogs, its menus within menus, and the way to each page."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from fullfield_app.gui import actions, theme
from fullfield_app.gui.about import show_about, show_keys
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.help import show_help
from fullfield_app.gui.page import Page
from fullfield_app.gui.pages import PAGES
from fullfield_app.gui.preferences.dialog import show_preferences
from fullfield_app.gui.recent import RecentFiles, RecentMenu
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.window_commands import GO_TO, MENUS, SCOPE, SPECS


class WindowActions(QObject):
    """`by_key`: the actions; `page_asked`: turn to the page of this key; `open_asked`: open this path again."""

    page_asked = Signal(str)
    open_asked = Signal(object)

    def __init__(
        self,
        window: QWidget,
        workers: Workers,
        store: SettingsStore,
        recent: RecentFiles,
        page: Callable[[], Page],
    ) -> None:
        super().__init__(window)
        self._window, self._workers, self._store, self._files, self._page = window, workers, store, recent, page
        self.by_key = actions.build(window, SPECS, self._handlers())
        self._recent = RecentMenu(recent, window)
        self._recent.chosen.connect(self.open_asked)
        self._recent.preferences_asked.connect(self.show_preferences)
        self.by_key["recent"].setMenu(self._recent)
        self.by_key["palette"].setMenu(self._palettes())
        self._follow()
        store.changed.connect(self._follow)

    def show_preferences(self) -> None:
        """Open the preferences."""
        show_preferences(self._window, self._store, self._files)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        window = self._window
        return {
            **dict.fromkeys(MENUS, lambda: None),
            "preferences": self.show_preferences,
            "quit": window.close,
            "help": lambda: show_help(window),
            "keys": self._show_keys,
            "diagnose": self._diagnose,
            "about": lambda: show_about(window),
            **{f"{GO_TO}{spec.key}": functools.partial(self.page_asked.emit, spec.key) for spec in PAGES},
        }

    def _diagnose(self) -> None:
        from fullfield_app.gui.diagnose import show_diagnosis  # not before somebody asks

        show_diagnosis(self._window, self._workers.launch)

    def _show_keys(self) -> None:
        page, changed = self._page(), self._store.now.keys
        scope = next(spec.key for spec in PAGES if spec.kind() is type(page))
        show_keys(self._window, scope, page, changed)

    def _palettes(self) -> QMenu:
        menu = QMenu(self._window)
        name(menu, self.tr("Colours of the window"))
        group = QActionGroup(menu)
        self._dresses = {key: menu.addAction(theme.say(key)) for key in theme.PALETTES}
        for key, action in self._dresses.items():
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(
                lambda _checked=False, key=key: self._store.change(lambda now: replace(now, palette=key))
            )
        return menu

    def _follow(self) -> None:
        """The settings are others now."""
        actions.rekey(SCOPE, SPECS, self.by_key, self._store.now.keys)
        self._dresses[self._store.now.palette].setChecked(True)
