"""What can be done by menu, button or key, as a table: one line per action. Keys are those of OHIF and Weasis.

A page gives its lines and what each does; menus, tool bars and the list of keys are made from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from fullfield_app.gui.widgets.label import tooltip


@dataclass(frozen=True, kw_only=True)
class ActionSpec:
    """`text`: in the menu `menu`; `short`: on a button; `keys`: the first is shown; `tip`: one sentence.

    `group`: of actions of one group exactly one is checked. `local`: its keys work only while the image has the
    focus, for they mean something else on a button (the space bar presses it).
    """

    key: str
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    short: str = ""
    tip: str = ""
    group: str = ""
    checked: bool = False
    local: bool = False
    separated: bool = False


def build(
    owner: QWidget, specs: Sequence[ActionSpec], run: Mapping[str, Callable[[], None]], *, image: QWidget | None = None
) -> dict[str, QAction]:
    """The actions of `specs`, each doing what `run` says for its key; local ones belong to `image`."""
    actions: dict[str, QAction] = {}
    groups: dict[str, QActionGroup] = {}
    for spec in specs:
        action = QAction(say(spec.text), owner)
        action.setObjectName(spec.key)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setIconText(say(spec.short or spec.text).rstrip("…"))
        keys = QKeySequence(spec.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if spec.keys else ""
        hint = " ".join(
            part for part in (say(spec.tip) if spec.tip else say(spec.text), f"({keys})" if keys else "") if part
        )
        action.setToolTip(tooltip(hint.replace("&", "")))
        if spec.group:
            action.setCheckable(True)
            action.setChecked(spec.checked)
            groups.setdefault(spec.group, QActionGroup(owner)).addAction(action)
        action.triggered.connect(lambda _checked=False, act=run[spec.key]: act())
        if spec.local and image is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            image.addAction(action)
        else:
            owner.addAction(action)
        actions[spec.key] = action
    return actions


def say(text: str) -> str:
    """A text of the table in the user's language."""
    return QCoreApplication.translate("actions", text)
