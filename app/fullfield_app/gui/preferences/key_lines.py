"""Every action and its keys, as lines; which keys may be given to one; and the settings with other keys. No widgets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication, QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from fullfield_app.gui import window_commands
from fullfield_app.gui.actions import ActionSpec, Keys, keys_of, native, say
from fullfield_app.gui.pages import PAGES
from fullfield_app.settings import Settings

translate = QCoreApplication.translate

_MOVES = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
_PRESSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Menu)
_LETTERS = range(Qt.Key.Key_A, Qt.Key.Key_Z + 1)


@dataclass(frozen=True, kw_only=True)
class Line:
    """An action of a page, or of the window (`scope`), and its keys; `where`: the page's name for people."""

    scope: str
    where: str
    spec: ActionSpec
    keys: tuple[str, ...]

    @property
    def text(self) -> str:
        """What the action does, as its menu says."""
        return say(self.spec.text).replace("&", "")


def lines(changed: Keys) -> list[Line]:
    """All actions: the window's first, then page by page. Imports every page."""
    everywhere = translate("keys", "Everywhere")
    scopes = [(window_commands.SCOPE, everywhere, window_commands.SPECS)]
    scopes += [(page.key, page.say(), tuple(page.kind().specs)) for page in PAGES]
    return [
        Line(scope=scope, where=where, spec=spec, keys=keys_of(scope, spec, changed))
        for scope, where, specs in scopes
        for spec in specs
        if spec.key not in window_commands.MENUS
    ]


def refusal(known: Sequence[Line], line: Line, key: str) -> str:
    """Why `line` cannot have `key`, in a sentence; empty where it can."""
    sequence = QKeySequence(key)
    if sequence.isEmpty():
        return translate("keys", "Press the key first.")
    shown = native([key])
    if _has_a_meaning(sequence, line.spec):
        return translate("keys", "{key} moves about in the window and presses its buttons: choose another.").format(
            key=shown
        )
    for other in _holders(known, line, key):
        text = translate("keys", "{key} is the key of “{action}” ({page}): take it away there first.")
        return text.format(key=shown, action=other.text, page=other.where)
    return ""


def with_keys(now: Settings, line: Line, keys: tuple[str, ...]) -> Settings:
    """The settings in which `line` has `keys`; the shipped ones are not kept as a change. An action that another window
    has given one of them meanwhile loses it: a key of two actions would do neither."""
    known, made = lines(now.keys), {line: keys}
    for key in keys:
        for other in _holders(known, line, key):
            made[other] = tuple(one for one in made.get(other, other.keys) if QKeySequence(one) != QKeySequence(key))
    changed = {**now.keys, **{_name(each): held for each, held in made.items()}}
    for each, held in made.items():
        if held == each.spec.keys:
            del changed[_name(each)]
    return replace(now, keys=MappingProxyType(changed))


def as_shipped(now: Settings) -> Settings:
    """The settings in which no key is changed."""
    return replace(now, keys=MappingProxyType({}))


def _holders(known: Sequence[Line], line: Line, key: str) -> Iterator[Line]:
    """The other actions that have `key` where `line` has its keys."""
    for other in known:
        same_place = other.scope == line.scope or window_commands.SCOPE in (other.scope, line.scope)
        taken = any(QKeySequence(one) == QKeySequence(key) for one in other.keys)
        if same_place and taken and _name(other) != _name(line):
            yield other


def _name(line: Line) -> str:
    return f"{line.scope}.{line.spec.key}"


def _has_a_meaning(sequence: QKeySequence, spec: ActionSpec) -> bool:
    """Arrows, Tab, Return, and the letters that open menus; the space bar away from the image."""
    pressed: QKeyCombination = sequence[0]  # type: ignore[index]
    key, held = pressed.key(), pressed.keyboardModifiers()
    bare = held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
    if key in _MOVES:
        return bare or held == Qt.KeyboardModifier.ControlModifier
    if key in _PRESSES or (key == Qt.Key.Key_Space and not spec.local):
        return bare
    return held == Qt.KeyboardModifier.AltModifier and key in _LETTERS
