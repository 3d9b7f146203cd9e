"""The list of recent files: none unless it is wanted, and then in the settings alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fullfield_app import settings
from fullfield_app.gui import recent
from fullfield_app.gui.preferences.store import SettingsStore
from fullfield_app.settings import Recent, Settings
from gui.hands import Hands


def entries(hands: Hands) -> list[str]:
    menu = hands.window._actions.by_key["recent"].menu()
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def press(hands: Hands, text: str) -> None:
    menu = hands.window._actions.by_key["recent"].menu()
    next(action for action in menu.actions() if action.text() == text).trigger()


def wanted(hands: Hands) -> SettingsStore:
    store = hands.window._store
    store.change(lambda now: recent.keep(now, True))
    return store


def test_that_nothing_is_kept_unless_the_user_asks(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.window.shut_down()
    assert entries(hands) == ["No list is kept. Change that…"]
    kept = settings.path().read_text(encoding="utf-8") if settings.path().exists() else ""
    assert "IM0001" not in kept and str(radiographs[0].parent) not in kept


def test_that_the_menu_leads_to_where_it_is_switched_on(hands: Hands) -> None:
    press(hands, "No list is kept. Change that…")
    hands.click("Keep a list of recent files")
    assert entries(hands) == ["Nothing was opened yet"]


def test_that_a_file_can_be_opened_again_and_the_list_cleared(hands: Hands, radiographs: list[Path]) -> None:
    store = wanted(hands)
    hands.drop_and_wait(radiographs[:2])
    assert entries(hands) == ["in/IM0001.dcm", "in/IM0002.dcm", "Clear this list"]
    hands.window._page.actions_by_key["remove"].trigger()
    hands.wait(lambda: len(hands.rows()) == 1)
    press(hands, "in/IM0001.dcm")
    hands.wait(lambda: len(hands.rows()) == 2)
    press(hands, "Clear this list")
    assert store.now.recent == Recent(on=True)
    store.close()
    assert "IM0001" not in settings.path().read_text(encoding="utf-8")


def test_that_switching_it_off_empties_it(hands: Hands, radiographs: list[Path]) -> None:
    store = wanted(hands)
    hands.drop_and_wait(radiographs)
    hands.window._actions.show_preferences()
    hands.click("Keep a list of recent files")
    assert store.now.recent == Recent() and entries(hands) == ["No list is kept. Change that…"]


def test_that_the_newest_is_first_and_only_twelve_are_kept() -> None:
    now = Settings(recent=Recent(on=True))
    for place in range(20):
        now = recent.remember(now, [Path(f"/in/{place}.dcm")])
    now = recent.remember(now, [Path("/in/15.dcm")])
    names = [Path(path).name for path in now.recent.paths]
    assert names[:3] == ["15.dcm", "19.dcm", "18.dcm"] and len(names) == recent.MOST == len(set(names))


@pytest.mark.parametrize(
    ("name", "shown"), [("a&b.dcm", "in/a&&b.dcm"), ("x\u202ey.dcm", "in/x�y.dcm"), ("n" * 80, f"…{'n' * 60}")]
)
def test_that_a_name_is_shown_letter_by_letter_and_not_too_long(name: str, shown: str) -> None:
    assert recent._label(Path("/in") / name) == shown


def test_that_a_list_that_is_not_wanted_remembers_nothing() -> None:
    assert recent.remember(Settings(), [Path("/a")]) == Settings()
    assert recent.forget(replace(Settings(), recent=Recent(on=True, paths=("/a",)))).recent == Recent(on=True)
