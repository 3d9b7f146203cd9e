"""The one place of the window that shows errors; whatever nobody foresaw ends here and never in a dead window."""

from __future__ import annotations

import logging
import sys
import threading
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot

from fullfield import log, parts
from fullfield.errors import FullfieldError
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.message_bar import Message, MessageBar

_log = logging.getLogger(__name__)


class ErrorDesk(QObject):
    """Takes exceptions from anywhere, any thread, and shows them in the window's message bar."""

    _brought = Signal(object)

    def __init__(self, bar: MessageBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bar = bar
        self._brought.connect(self._show, Qt.ConnectionType.AutoConnection)

    @Slot(object)
    def show(self, error: BaseException) -> None:
        """Show an error; callable from any thread."""
        self._brought.emit(error)

    def install(self) -> None:
        """Take over what Python would print for exceptions that nothing caught: those of slots and of threads."""
        sys.excepthook = self._uncaught
        threading.excepthook = lambda given: self._uncaught(given.exc_type, given.exc_value, given.exc_traceback)

    def uninstall(self) -> None:
        """Give both back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    def _uncaught(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None or issubclass(kind, KeyboardInterrupt | SystemExit):
            return
        self.show(error)

    @Slot(object)
    def _show(self, error: BaseException) -> None:
        error = parts.missing(error) or error
        if not isinstance(error, FullfieldError):
            _log.error("an unexpected error in the window: %s", log.describe(error))
            error = FullfieldError(
                self.tr("Something went wrong in the window."),
                detail=self.tr("We did not foresee this error: {error}.").format(error=log.describe(error)),
                hint=self.tr("Your images are not affected. If it happens again, close the window and open it anew."),
            )
        text = f"{say_core(error.detail)} {say_core(error.hint)}".strip()
        self._bar.add(Message(title=say_core(error.title), text=text))
