"""A window on which scenes are set: with its settings, of a size, and with radiographs to open in it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from fullfield_app.gui.main_window import MainWindow
from fullfield_app.gui.page import Page
from fullfield_app.gui.stored.store import SettingsStore

Dialog = TypeVar("Dialog", bound=QDialog)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A window with its settings, of the size `size`, and radiographs to open in it.

    `patience`: how long real workers are waited for; 0 where nothing will come.
    """

    application: QApplication
    window: MainWindow
    store: SettingsStore
    size: QSize
    radiographs: list[Path]
    patience: float = 1.0

    def wait(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let the window go on; whether `until` came true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.application.processEvents()
            if until():
                return True
            time.sleep(0.01)
        return until()

    def turn_to(self, key: str) -> MainWindow:
        """Show a page."""
        if self.window._shown != key:
            self.window._turn_to(key)
            self.wait(0.2)
        return self.window

    def page(self, key: str) -> Page:
        """A page of the window, turned to."""
        return self.turn_to(key)._pages[key]

    def act(self, page: Page, action: str) -> None:
        """As a user who chooses it from the menu."""
        chosen = page.actions_by_key[action]
        assert self.wait(30, chosen.isEnabled), f"{action} cannot be chosen"
        chosen.trigger()
        self.wait(0.1)

    def dialog(self, kind: type[Dialog]) -> Dialog:
        """The dialog of this kind that is open."""
        shown: list[Dialog] = []

        def look() -> bool:
            shown[:] = [dialog for dialog in self.window.findChildren(kind) if dialog.isVisible()]
            return bool(shown)

        assert self.wait(30, look), f"no {kind.__name__} came up"
        return shown[0]

    def clear(self) -> None:
        """Away with all dialogs and messages."""
        for dialog in self.application.topLevelWidgets():
            if isinstance(dialog, QDialog):
                dialog.close()
        while self.window._messages.text():
            self.window._messages.dismiss()
        self.wait(0.05)


Set = Callable[[Stage], QWidget]
"""Sets a scene; the widget to look at."""
