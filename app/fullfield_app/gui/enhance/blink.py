"""Blinking between before and after: while the key is held, or until it is asked for again. No widget."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QAction, QKeyEvent, QShortcutEvent


class Blink(QObject):
    """The first key of `action` is for holding; a click on it, or its second key, keeps the images exchanged.

    A shortcut says only that a key went down. While it is held, the application's events are watched for its release,
    and for the window's loss of focus, after which no release would come.
    """

    def __init__(self, action: QAction, exchange: Callable[[bool], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._action, self._exchange = action, exchange
        self._held = False
        action.setAutoRepeat(False)
        action.installEventFilter(self)

    def toggle(self) -> None:
        """The action was clicked: it is checked now, or no longer."""
        self._exchange(self._action.isChecked())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See QObject."""
        if watched is self._action:
            return self._on_shortcut(event)
        if self._held and _ended(event):
            self._end()
        return False

    def _on_shortcut(self, event: QEvent) -> bool:
        keys = self._action.shortcuts()
        if not isinstance(event, QShortcutEvent) or not keys or event.key() != keys[0]:
            return False
        if not self._held:
            self._held = True
            application = QCoreApplication.instance()
            if application is not None:
                application.installEventFilter(self)
            self._exchange(not self._action.isChecked())
        return True

    def _end(self) -> None:
        self._held = False
        application = QCoreApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self._exchange(self._action.isChecked())


def _ended(event: QEvent) -> bool:
    if event.type() is QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
        return not event.isAutoRepeat()
    return event.type() is QEvent.Type.ApplicationDeactivate or event.type() is QEvent.Type.WindowDeactivate
