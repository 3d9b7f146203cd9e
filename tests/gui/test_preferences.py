"""Preferences: what is changed is changed at once, and keys are refused where they would do harm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit, QTabWidget, QTreeView, QWidget

from fullfield_app import settings
from fullfield_app.gui.preferences import key_lines
from fullfield_app.gui.preferences.key_lines import Line, lines, refusal, with_keys
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.settings import Settings
from gui.clipping import clipped
from gui.hands import Hands
from gui.test_accessible import faults


def line(key: str, known: list[Line]) -> Line:
    return next(each for each in known if each.spec.key == key)


@pytest.fixture
def keys(hands: Hands) -> Callable[[str], None]:
    """The tab of keys, and a choice in its table by what is searched."""
    hands.qtbot.keyClick(hands.window, ",", Qt.KeyboardModifier.ControlModifier)
    hands.wait(lambda: hands.sees("Preferences"))
    tabs = hands.widget("Groups of preferences")
    assert isinstance(tabs, QTabWidget)
    hands.qtbot.keyClick(tabs.tabBar(), Qt.Key.Key_Right)

    def choose(text: str) -> None:
        search, table = hands.widget("Find an action or a key"), hands.widget("Actions and their keys")
        assert isinstance(search, QLineEdit) and isinstance(table, QTreeView)
        search.clear()
        hands.qtbot.keyClicks(search, text)
        table.setFocus()
        hands.qtbot.keyClick(table, Qt.Key.Key_Home)

    return choose


def press(hands: Hands, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    edit = hands.widget("Press the new key here")
    assert isinstance(edit, QKeySequenceEdit)
    hands.qtbot.keyClick(edit, key, held)


def test_that_another_key_does_what_the_old_one_did(
    hands: Hands, keys: Callable[[str], None], radiographs: list[Path]
) -> None:
    keys("Curtain")
    press(hands, Qt.Key.Key_K)
    hands.click("Use the new key in place of the others")
    hands.widget("Preferences").close()
    hands.window.activateWindow()  # a window manager would
    hands.wait(hands.window.isActiveWindow)
    hands.drop_and_wait(radiographs[:1])
    hands.key(Qt.Key.Key_C)
    assert not hands.view("Before and after under a curtain").isVisible()
    hands.key(Qt.Key.Key_K)
    assert hands.view("Before and after under a curtain").isVisible()
    assert "(K)" in hands.window._page.actions_by_key["curtain"].toolTip()


def test_that_a_key_of_another_action_is_refused_with_the_reason(hands: Hands, keys: Callable[[str], None]) -> None:
    keys("Curtain")
    press(hands, Qt.Key.Key_I)
    hands.click("Add the new key to the others")
    assert hands.sees("Why not: I is the key of “Invert” (Enhance): take it away there first.")
    assert hands.window._store.now.keys == {}


def test_that_keys_can_be_taken_away_and_come_back(hands: Hands, keys: Callable[[str], None]) -> None:
    keys("Invert")
    hands.click("Take all keys of this action away")
    invert = hands.window._page.actions_by_key["invert"]
    assert invert.shortcuts() == [] and hands.window._store.now.keys == {"enhance.invert": ()}
    hands.click("Give this action its shipped keys")
    assert invert.shortcuts() == [QKeySequence("I")] and hands.window._store.now.keys == {}
    hands.click("Take all keys of this action away")
    hands.click("Give all actions their shipped keys")
    assert invert.shortcuts() == [QKeySequence("I")]


def test_that_the_list_of_keys_shows_those_that_are_in_force(hands: Hands) -> None:
    hands.window._store.change(lambda now: key_lines.with_keys(now, line("curtain", lines({})), ("F7",)))
    hands.qtbot.keyClick(hands.window, "?")
    hands.wait(lambda: hands.sees("F7: Curtain"))


def test_that_no_shipped_key_is_refused() -> None:
    known = lines({})
    assert {refusal(known, each, key) for each in known for key in each.keys} == {""}


@pytest.mark.parametrize("key", ["Tab", "Return", "Left", "Shift+Up", "Space", "Alt+F", "Ctrl+Left"])
def test_that_a_key_that_the_window_is_moved_with_is_refused(key: str) -> None:
    known = lines({})
    assert "choose another" in refusal(known, line("invert", known), key)


def test_that_the_space_bar_may_be_a_key_of_the_image() -> None:
    known = lines({})
    assert line("reset", known).spec.local and refusal(known, line("reset", known), "Space") == ""


def test_that_the_same_key_may_do_different_things_on_different_pages() -> None:
    known = lines({})
    invert = line("invert", known)
    elsewhere = replace(invert, scope="runs", keys=("F8",))
    assert refusal([*known, elsewhere], invert, "F8") == ""
    assert "Everywhere" in refusal(known, invert, "F1")


def test_that_a_key_that_two_windows_give_to_different_actions_is_the_later_one_s_alone() -> None:
    one, two = SettingsStore(), SettingsStore()
    curtain, invert, quit_it = (line(key, lines(one.now.keys)) for key in ("curtain", "invert", "quit"))
    one.change(lambda now: with_keys(now, curtain, (*curtain.keys, "K")))
    one.change(lambda now: with_keys(now, quit_it, ("Shift+F9",)))
    one.close()
    two.change(lambda now: with_keys(now, invert, ("K", "Shift+F9")))
    two.close()
    assert settings.load()[0].keys == {"enhance.invert": ("K", "Shift+F9"), "window.quit": ()}


def test_that_a_language_that_comes_later_says_so(hands: Hands) -> None:
    hands.window._actions.show_preferences()
    assert not hands.sees("The language changes when Fullfield is opened again.")
    hands.choose("Language", 2)
    assert hands.window._store.now.language == "es"
    assert hands.sees("The language changes when Fullfield is opened again.")
    hands.widget("Preferences").close()
    hands.window._actions.show_preferences()
    assert hands.sees("The language changes when Fullfield is opened again."), "it is not spoken yet"


def test_that_the_palette_is_changed_in_the_dialog(hands: Hands) -> None:
    hands.window._actions.show_preferences()
    hands.choose("Colours of the window, choice", 2)
    assert hands.window._store.now.palette == "light"


def test_that_every_part_has_a_name_and_no_text_is_cut(hands: Hands, keys: Callable[[str], None]) -> None:
    dialog: QWidget = hands.widget("Preferences")
    assert faults(dialog) == [] and clipped(dialog) == []
    assert dialog.height() <= 700
    assert key_lines.as_shipped(Settings(palette="dark")) == Settings(palette="dark")
