"""A user's hands: what is done to a window by mouse, keys and drops, with widgets found by their accessible names."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QTreeView, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from fullfield_app.gui.main_window import MainWindow
from fullfield_app.gui.view.viewer import Viewer

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
_SHORTEST, _LONGEST, _REST = 5, 80, 10  # milliseconds between two looks, and for each that a look has taken
PATIENT = 30.0  # seconds: what is waited for comes in one, or on a busy machine in ten


class Hands:
    """Uses a window as a person does."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        self._seen: dict[str, QWidget] = {}

    # Finding ----------------------------------------------------------------------------------------------------

    def widget(self, name: str) -> QWidget:
        """The widget of that accessible name, in the window or in a dialog of it. One that is still seen is not looked
        for among the thousand others again: names are of one widget (test_accessible)."""
        seen = self._seen.get(name)
        if seen is not None and isValid(seen) and seen.isVisible() and seen.accessibleName() == name:
            return seen
        found = [
            widget for widget in (self.window, *self.window.findChildren(QWidget)) if widget.accessibleName() == name
        ]
        if not found:
            raise LookupError(name)
        self._seen[name] = next((widget for widget in found if widget.isVisible()), found[0])
        return self._seen[name]

    def text(self, name: str) -> str:
        """What a label says."""
        label = self.widget(name)
        assert isinstance(label, QLabel)
        return label.text()

    def rows(self) -> list[str]:
        """Each row of the queue, as a screen reader says it."""
        return [str(place.data(Qt.ItemDataRole.AccessibleTextRole)) for place in self.places()]

    def places(self, parent: QModelIndex | None = None, *, groups: bool = False) -> list[QModelIndex]:
        """Where each image of the queue is, from above; `groups`: where each group is."""
        model, found = self.list.model(), []
        for row in range(model.rowCount(parent or QModelIndex())):
            place = model.index(row, 0, parent or QModelIndex())
            has_children = model.rowCount(place) > 0
            found += [place] if has_children == groups else []
            found += self.places(place, groups=groups) if has_children else []
        return found

    def groups(self) -> list[str]:
        """Each group of the queue, as a screen reader says it."""
        return [str(place.data(Qt.ItemDataRole.AccessibleTextRole)) for place in self.places(groups=True)]

    @property
    def list(self) -> QTreeView:
        """The queue."""
        found = self.widget("Images")
        assert isinstance(found, QTreeView)
        return found

    def view(self, name: str = "Image before") -> Viewer:
        """One of the views."""
        found = self.widget(name)
        assert isinstance(found, Viewer)
        return found

    def wait(self, condition: Callable[[], bool], seconds: float = PATIENT) -> None:
        """Until something is so; what it asserts may not be there yet. To look takes a core, which what is waited for
        may need: for each millisecond of it none is taken for `_REST` others."""
        end, pause = time.monotonic() + seconds, _SHORTEST
        while True:
            began = time.thread_time()
            try:
                if condition():
                    return
                missing = None
            except AssertionError as error:
                missing = error
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds:g} seconds in vain") from missing
            self.qtbot.wait(max(pause, round(_REST * 1000 * (time.thread_time() - began))))
            pause = min(2 * pause, _LONGEST)

    # Doing ------------------------------------------------------------------------------------------------------

    def drop(self, paths: Sequence[Path], at: tuple[int, int] = (700, 400)) -> None:
        """Drag files over the window and let go; Qt finds the widget that takes them."""
        mime = QMimeData()
        mime.setUrls([QUrl.fromEncoded(path.absolute().as_uri().encode()) for path in paths])
        copy = Qt.DropAction.CopyAction
        handle = self.window.windowHandle()
        QApplication.sendEvent(handle, QDragEnterEvent(QPoint(*at), copy, mime, LEFT, NO_KEYS))
        QApplication.sendEvent(handle, QDropEvent(QPointF(*at), copy, mime, LEFT, NO_KEYS))

    def drop_and_wait(self, paths: Sequence[Path], word: str = "Enhanced", seconds: float = PATIENT) -> None:
        """Drop files and wait until each has come to its end."""
        self.drop(paths)
        self.wait(
            lambda: len(self.rows()) >= len(paths) and all(word in row or "Failed" in row for row in self.rows()),
            seconds,
        )

    def drag(self, widget: QWidget, start: QPoint, end: QPoint, button: Qt.MouseButton = LEFT) -> None:
        """Press, move in a few steps, let go."""
        self.qtbot.mousePress(widget, button, NO_KEYS, start)
        for step in range(1, 5):
            place = start + (end - start) * step / 4
            self.move(widget, place, button)
        self.qtbot.mouseRelease(widget, button, NO_KEYS, end)

    def move(self, widget: QWidget, place: QPoint, held: Qt.MouseButton) -> None:
        """Move with a button held (qtbot's own move has no buttons)."""
        from PySide6.QtCore import QEvent
        from PySide6.QtGui import QMouseEvent

        where = widget.mapToGlobal(place)
        event = QMouseEvent(
            QEvent.Type.MouseMove, QPointF(place), QPointF(where), Qt.MouseButton.NoButton, held, NO_KEYS
        )
        QApplication.sendEvent(widget, event)

    def wheel(self, widget: QWidget, place: QPoint, notches: int) -> None:
        """Turn the wheel."""
        where = QPointF(widget.mapToGlobal(place))
        event = QWheelEvent(
            QPointF(place),
            where,
            QPoint(0, 0),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            NO_KEYS,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)

    def click(self, name: str) -> None:
        """Press a button."""
        button = self.widget(name)
        assert isinstance(button, QAbstractButton) and button.isEnabled() and button.isVisible(), name
        self.qtbot.mouseClick(button, LEFT)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press a key wherever the focus is."""
        self.qtbot.keyClick(self.window.focusWidget() or self.window, key, modifiers)

    def choose_row(self, row: int) -> None:
        """Click a row of the queue."""
        place = self.list.visualRect(self.places()[row]).center()
        self.qtbot.mouseClick(self.list.viewport(), LEFT, NO_KEYS, place)

    def choose(self, name: str, place: int) -> None:
        """Choose an entry of a list of choices, by keys."""
        combo = self.widget(name)
        assert isinstance(combo, QComboBox)
        combo.setFocus()
        self.qtbot.keyClick(combo, Qt.Key.Key_Home)
        for _ in range(place):
            self.qtbot.keyClick(combo, Qt.Key.Key_Down)

    def sees(self, name: str) -> bool:
        """A widget of that name is to be seen."""
        try:
            return self.widget(name).isVisible()
        except LookupError:
            return False
