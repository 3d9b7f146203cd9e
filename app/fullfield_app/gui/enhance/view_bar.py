"""The buttons over the images and the menu of the right button: made from the same actions as the menu View."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from fullfield_app.gui.actions import say
from fullfield_app.gui.enhance.view_commands import BUTTONS, CONTEXT, SPECS, Drop
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import tooltip

Actions = Mapping[str, QAction]
GAP, GROUP_GAP = 3, 10


class ViewBar(QWidget):
    """One button per action, in groups; some open a menu. Those for which there is no room are in a last menu."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("How to look at the images"))
        self._rest = QToolButton(self)
        self._rest.setText("»")
        self._rest.setToolTip(tooltip(self.tr("More")))
        self._rest.setMenu(QMenu(self._rest))
        self._rest.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        name(self._rest, self.tr("More ways to look"))
        name(self._rest.menu(), self.tr("More ways to look, choices"))
        self._buttons: list[tuple[QToolButton, int]] = []
        self._texts: dict[QToolButton, list[str]] = {}  # all that a button may bear: its neighbours stay where they are
        for number, group in enumerate(BUTTONS):
            for place, entry in enumerate(group):
                button = self._button(entry, actions)
                button.setParent(self)
                self._buttons.append((button, 0 if not number and not place else GAP if place else GROUP_GAP))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """All buttons in one row."""
        width = sum(self._width(button) + gap for button, gap in self._buttons)
        return QSize(width, max(button.sizeHint().height() for button, _ in self._buttons))

    def minimumSizeHint(self) -> QSize:
        """Narrower than its buttons: all of them are in the menu View as well."""
        return QSize(240, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many buttons as there is room for."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        whole = self.sizeHint().width() <= self.width()
        room = self.width() if whole else self.width() - self._rest.sizeHint().width() - GROUP_GAP
        right, left_out = 0, list[QToolButton]()
        for button, gap in self._buttons:
            left = right + gap
            right = left + self._width(button)
            button.setGeometry(left, 0, right - left, self.height())
            button.setVisible(right <= room)
            if right > room:
                left_out.append(button)
        self._rest.setVisible(not whole)
        self._rest.setGeometry(room + GROUP_GAP, 0, self._rest.sizeHint().width(), self.height())
        menu = self._rest.menu()
        menu.clear()
        for button in left_out:
            menu.addAction(button.defaultAction() or button.menu().menuAction())

    def _width(self, button: QToolButton) -> int:
        def spread(text: str) -> int:
            return button.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, text).width()

        now = spread(button.text())
        return button.sizeHint().width() - now + max([now, *map(spread, self._texts.get(button, ()))])

    def _button(self, entry: str | Drop, actions: Actions) -> QToolButton:
        button = QToolButton()
        if isinstance(entry, str):
            button.setDefaultAction(actions[entry])
            name(button, self.tr("Button: {action}").format(action=actions[entry].text()))
            return button
        menu = _menu(entry, actions, button)
        button.setText(say(entry.title))
        button.setToolTip(tooltip(say(entry.tip)))
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        name(button, self.tr("Button: {action}").format(action=say(entry.title)))
        name(menu, self.tr("Choices: {action}").format(action=say(entry.title)))
        if entry.group:
            self._follow(button, entry, actions)
        return button

    def _follow(self, button: QToolButton, drop: Drop, actions: Actions) -> None:
        """The button bears the action of the group that is checked."""

        def show(action: QAction) -> None:
            if action.isChecked():
                button.setText(action.iconText())
                button.setAccessibleDescription(action.text())

        choices = [spec for spec in SPECS if spec.group == drop.group]
        self._texts[button] = [actions[spec.key].iconText() for spec in choices]
        for spec in choices:
            actions[spec.key].toggled.connect(lambda _on, action=actions[spec.key]: show(action))
            show(actions[spec.key])


class ContextMenu(QMenu):
    """The menu of the right button."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        name(self, self.tr("What can be done with the image"))
        for number, group in enumerate(CONTEXT):
            if number:
                self.addSeparator()
            for entry in group:
                if isinstance(entry, str):
                    self.addAction(actions[entry])
                else:
                    self.addMenu(_menu(entry, actions, self))
        complete(self)

    def show_at(self, place: QPoint) -> None:
        """Open where the mouse is."""
        self.popup(place)


def _menu(drop: Drop, actions: Actions, parent: QWidget) -> QMenu:
    menu = QMenu(say(drop.title), parent)
    _fill(
        menu,
        [spec.key for spec in SPECS if (spec.group == drop.group if drop.group else spec.under == drop.under)],
        actions,
    )
    return menu


def _fill(menu: QMenu, keys: Sequence[str], actions: Actions) -> None:
    separated = {spec.key for spec in SPECS if spec.separated}
    for key in keys:
        if key in separated:
            menu.addSeparator()
        menu.addAction(actions[key])
