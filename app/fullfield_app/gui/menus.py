"""The menu bar: what the page that is shown can do, and below it what the window always can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from fullfield_app.gui.actions import FILE, GO, HELP, IMAGE, RUN, VIEW, ActionSpec, say
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.widgets.accessible import name

_TITLES = {
    FILE: QT_TRANSLATE_NOOP("menus", "&File"),
    IMAGE: QT_TRANSLATE_NOOP("menus", "&Image"),
    VIEW: QT_TRANSLATE_NOOP("menus", "&View"),
    RUN: QT_TRANSLATE_NOOP("menus", "&Run"),
    GO: QT_TRANSLATE_NOOP("menus", "&Go"),
    HELP: QT_TRANSLATE_NOOP("menus", "&Help"),
}
translate = QCoreApplication.translate


class Menus:
    """`specs` and `actions` are the window's own; an action may have a menu of its own."""

    def __init__(self, bar: QMenuBar, specs: Sequence[ActionSpec], actions: Mapping[str, QAction]) -> None:
        self._specs, self._actions = specs, actions
        self._under: dict[tuple[str, str], QMenu] = {}
        name(bar, translate("menus", "Menus"))
        self._menus = {key: bar.addMenu(translate("menus", title)) for key, title in _TITLES.items()}
        for key, menu in self._menus.items():
            name(menu, translate("menus", "Menu: {title}").format(title=translate("menus", _TITLES[key]).strip("&")))

    def show(self, specs: Sequence[ActionSpec], actions: Mapping[str, QAction]) -> None:
        """Fill the menus with what a page can do, and with what the window can; an empty one is not shown."""
        for menu in (*self._under.values(), *self._menus.values()):
            _empty(menu)
        self._add(specs, actions)
        for menu in self._menus.values():
            if not menu.isEmpty():
                menu.addSeparator()
        self._add(self._specs, self._actions)
        for menu in self._menus.values():
            menu.menuAction().setVisible(any(not action.isSeparator() for action in menu.actions()))

    def _add(self, specs: Sequence[ActionSpec], actions: Mapping[str, QAction]) -> None:
        for spec in specs:
            menu = self._menus[spec.menu]
            if spec.under:
                menu = self._submenu(menu, spec)
            if spec.separated:
                menu.addSeparator()
            menu.addAction(actions[spec.key])

    def _submenu(self, menu: QMenu, spec: ActionSpec) -> QMenu:
        """The menu within `menu` that an action belongs to; kept, for a menu that is cleared keeps its parts."""
        found = self._under.get((spec.menu, spec.under))
        if found is None:
            found = self._under[spec.menu, spec.under] = QMenu(say(spec.under), menu)
            name(found, translate("menus", "Menu: {title}").format(title=say(spec.under)))
        if found.menuAction() not in menu.actions():
            menu.addMenu(found)
        return found


def _empty(menu: QMenu) -> None:
    """Take all actions out. Not `clear`: with it PySide forgets the actions of menus that belong to an action."""
    for action in menu.actions():
        menu.removeAction(action)
        if action.isSeparator():
            action.deleteLater()
