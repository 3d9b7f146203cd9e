"""What can be done by menu, button or key, as a table: one line per action. Keys are those of OHIF and Weasis.

A page gives its lines and what each does; menus, tool bars and the list of keys are made from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.widgets.label import tooltip

FILE, IMAGE, VIEW, RUN, GO, HELP = "file", "image", "view", "run", "go", "help"  # the menus, in this order

_NAMES = (  # as texts and keyboards have them: Qt's Spanish says Control, Mayúsculas and Retorno
    QT_TRANSLATE_NOOP("QShortcut", "Ctrl"),
    QT_TRANSLATE_NOOP("QShortcut", "Shift"),
    QT_TRANSLATE_NOOP("QShortcut", "Return"),
)
Keys = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class ActionSpec:
    """`text`: in the menu `menu`; `short`: on a button; `keys`: the first is shown; `tip`: one sentence.

    `group`: of actions of one group exactly one is checked. `toggle`: it is on or off by itself. `under`: the title
    of a menu in the menu. `local`: its keys work only while the image has the focus, for they mean something else on
    a button (the space bar presses it).
    """

    key: str
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    short: str = ""
    tip: str = ""
    group: str = ""
    toggle: bool = False
    checked: bool = False
    under: str = ""
    local: bool = False
    separated: bool = False


def build(
    owner: QWidget,
    specs: Sequence[ActionSpec],
    run: Mapping[str, Callable[[], object]],
    *,
    image: QWidget | None = None,
) -> dict[str, QAction]:
    """The actions of `specs`, each doing what `run` says for its key; local ones belong to `image`."""
    actions: dict[str, QAction] = {}
    groups: dict[str, QActionGroup] = {}
    for spec in specs:
        action = QAction(say(spec.text), owner)
        action.setObjectName(spec.key)
        action.setIconText(say(spec.short or spec.text).rstrip("…"))
        _give_keys(action, spec, spec.keys)
        action.setCheckable(spec.toggle or bool(spec.group))
        action.setChecked(spec.checked)
        if spec.group:
            groups.setdefault(spec.group, QActionGroup(owner)).addAction(action)
        action.triggered.connect(lambda _checked=False, act=run[spec.key]: act())
        if spec.local and image is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            image.addAction(action)
        else:
            owner.addAction(action)
        actions[spec.key] = action
    return actions


def rekey(scope: str, specs: Sequence[ActionSpec], actions: Mapping[str, QAction], changed: Keys) -> None:
    """Give the actions of a page (or of the window: `scope`) the keys that the user has changed, the others theirs."""
    for spec in specs:
        _give_keys(actions[spec.key], spec, keys_of(scope, spec, changed))


def keys_of(scope: str, spec: ActionSpec, changed: Keys) -> tuple[str, ...]:
    """The keys of an action, as the settings have them: by "page.action"."""
    return changed.get(f"{scope}.{spec.key}", spec.keys)


def native(keys: Sequence[str]) -> str:
    """Keys as this system writes them, between commas."""
    return ", ".join(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys)


def _give_keys(action: QAction, spec: ActionSpec, keys: Sequence[str]) -> None:
    action.setShortcuts([QKeySequence(key) for key in keys])
    hint = say(spec.tip or spec.text).replace("&", "")
    action.setToolTip(tooltip(f"{hint} ({native(keys[:1])})" if keys else hint))


def say(text: str) -> str:
    """A text of the table in the user's language."""
    return QCoreApplication.translate("actions", text)
