"""A user at the real window: hands whose clicks are counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QMenuBar, QSlider, QStyle, QStyleOptionSlider, QWidget

from gui.hands import LEFT, NO_KEYS, Hands

SECONDS = 90.0  # what a worker may need to start on a busy machine, and more


class User(Hands):
    """`clicks`: how many have been made."""

    clicks = 0

    def drop(self, paths: Sequence[Path], at: tuple[int, int] = (700, 400)) -> None:
        self.clicks += 1
        super().drop(paths, at)

    def drag(self, widget: QWidget, start: QPoint, end: QPoint, button: Qt.MouseButton = LEFT) -> None:
        self.clicks += 1
        super().drag(widget, start, end, button)

    def wheel(self, widget: QWidget, place: QPoint, notches: int) -> None:
        self.clicks += 1
        super().wheel(widget, place, notches)

    def click(self, name: str) -> None:
        self.clicks += 1
        super().click(name)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press a key: in the dialog that is open, else in the window."""
        self.clicks += 1
        above = QApplication.activeModalWidget() or self.window
        self.qtbot.keyClick(above.focusWidget() or above, key, modifiers)

    def choose_row(self, row: int) -> None:
        self.clicks += 1
        super().choose_row(row)

    def choose(self, name: str, place: int | str) -> None:
        """Open a list of choices and take one of them, by mouse: by its place, or by the words that are read in it."""
        combo = self.widget(name)
        assert isinstance(combo, QComboBox)
        self.press(combo, middle(combo))
        entries = combo.view()
        self.wait(entries.isVisible)
        self.qtbot.wait(QApplication.doubleClickInterval() + 50)  # so long Qt takes a click for the opening one's end
        choices = [entries.model().index(row, 0) for row in range(entries.model().rowCount())]
        read = [str(choice.data()) for choice in choices]
        entry = choices[place if isinstance(place, int) else read.index(place)]
        while not entries.viewport().rect().contains(entries.visualRect(entry).center()):
            before = entries.visualRect(entry).top()
            self.wheel(entries.viewport(), middle(entries.viewport()), -1 if before > 0 else 1)
            assert entries.visualRect(entry).top() != before, f"{place} cannot be scrolled to"
        self.press(entries.viewport(), entries.visualRect(entry).center())

    def slide(self, name: str, value: int) -> None:
        """Draw the handle of a slider to where it stands for `value`."""
        slider = self.widget(name)
        assert isinstance(slider, QSlider)
        option = QStyleOptionSlider()
        slider.initStyleOption(option)

        def place(value: int) -> QPoint:
            option.sliderPosition = value
            parts = (QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle)
            return slider.style().subControlRect(*parts, slider).center()

        self.drag(slider, place(slider.value()), place(value))

    def press(self, widget: QWidget, place: QPoint, *, double: bool = False) -> None:
        """Click on a place of a widget."""
        self.clicks += 1
        act = QTest.mouseDClick if double else QTest.mouseClick
        act(widget, LEFT, NO_KEYS, place)

    def hold(self, key: Qt.Key) -> None:
        """Press a key and keep it down."""
        self.clicks += 1
        QTest.keyPress(self.window.focusWidget() or self.window, key)

    def let_go(self, key: Qt.Key) -> None:
        """Let go of a key that is held."""
        QTest.keyRelease(self.window.focusWidget() or self.window, key)

    def menu(self, *titles: str) -> None:
        """Go through the menus by mouse, from the bar to the entry of the last title."""
        place: QMenuBar | QMenu = self.window.menuBar()
        for title in titles:
            action = _entry(place, title)
            assert action.isEnabled(), title
            self.clicks += 1
            self.qtbot.mouseClick(place, LEFT, NO_KEYS, place.actionGeometry(action).center())
            sub = action.menu()
            if isinstance(sub, QMenu):
                self.wait(sub.isVisible)
                place = sub

    def type(self, name: str, text: str) -> None:
        """Fill a field with a text: click into it, mark what is there, and write."""
        field = self.widget(name)
        inner = field.childAt(middle(field)) or field
        self.press(inner, middle(inner))
        assert field.window().focusWidget() in (field, inner), name
        QTest.keyClick(inner, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(inner, text)

    def open_and_wait(self, paths: Sequence[Path]) -> None:
        """Drop files and wait until all are enhanced and the first is seen."""
        self.drop(paths)
        self.wait(lambda: len(self.rows()) >= len(paths) and all("Enhanced" in row for row in self.rows()), SECONDS)
        self.wait(lambda: self.view("Image after").image_size() is not None, SECONDS)

    def seen(self, name: str) -> bytes:
        """The pixels of a widget as they are on the screen."""
        image = self.widget(name).grab().toImage()
        return bytes(image.constBits())

    def top(self, name: str) -> QWidget:
        """A widget of that name in any window of the program."""
        for window in QApplication.topLevelWidgets():
            for widget in (window, *window.findChildren(QWidget)):
                if widget.accessibleName() == name and widget.isVisible():
                    return widget
        raise LookupError(name)


def middle(widget: QWidget, right: float = 0.5, down: float = 0.5) -> QPoint:
    """A place of a widget, as shares of its width and height."""
    return QPointF(widget.width() * right, widget.height() * down).toPoint()


def _entry(place: QMenuBar | QMenu, title: str) -> QAction:
    for action in place.actions():
        if action.text().replace("&", "") == title and action.isVisible():
            return action
    raise LookupError(f"{title}: there are {[action.text() for action in place.actions()]}")
