"""The list of recent files: kept beside the pixels, in no setting, as long as the user lets us."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield_app import recent, settings
from fullfield_app.gui.recent import RecentFiles, _label
from fullfield_app.gui.stored.store import SettingsStore
from gui.hands import Hands

SWITCH = "Keep a list of recent files"
NONE_KEPT = "No list is kept. Change that…"


def entries(hands: Hands) -> list[str]:
    menu = hands.window._actions.by_key["recent"].menu()
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def press(hands: Hands, text: str) -> None:
    menu = hands.window._actions.by_key["recent"].menu()
    next(action for action in menu.actions() if action.text() == text).trigger()


def test_that_no_setting_names_a_file_that_was_opened(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.window.shut_down()
    assert Path(recent.load()[0]) in radiographs
    kept = settings.path().read_text(encoding="utf-8") if settings.path().exists() else ""
    assert "IM0001" not in kept and str(radiographs[0].parent) not in kept


@pytest.mark.skipif(os.name == "nt", reason="there the profile's own rights hold")
def test_that_this_user_alone_can_read_the_list() -> None:
    recent.update(lambda _: ("/a",))
    assert stat.S_IMODE(recent.path().stat().st_mode) == 0o600


def test_that_a_file_can_be_opened_again_and_the_list_cleared(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:2])
    assert entries(hands) == ["in/IM0001.dcm", "in/IM0002.dcm", "Clear this list"]
    hands.window._page.actions_by_key["remove"].trigger()
    hands.wait(lambda: len(hands.rows()) == 1)
    press(hands, "in/IM0001.dcm")
    hands.wait(lambda: len(hands.rows()) == 2)
    press(hands, "Clear this list")
    assert entries(hands) == ["Nothing was opened yet"]
    hands.window._recent.close()
    assert not recent.path().exists()


def test_that_switching_it_off_deletes_it_and_the_menu_leads_back(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.window._actions.show_preferences()
    hands.click(SWITCH)
    assert entries(hands) == [NONE_KEPT]
    hands.wait(lambda: not recent.path().exists())
    hands.window._page.opened.emit(radiographs)
    assert entries(hands) == [NONE_KEPT]
    hands.window._recent.close()
    assert recent.load() == ()


def test_that_the_menu_leads_to_where_it_is_switched_on(hands: Hands) -> None:
    hands.window._store.change(lambda now: replace(now, keep_recent=False))
    press(hands, NONE_KEPT)
    hands.click(SWITCH)
    assert entries(hands) == ["Nothing was opened yet"]


def test_that_no_name_is_shown_while_patients_names_are_hidden(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.window._store.change(lambda now: replace(now, overlay=False))
    assert entries(hands) == ["Hidden, as patients' names are", "Clear this list"]
    hands.window._store.change(lambda now: replace(now, overlay=True))
    assert entries(hands) == ["in/IM0001.dcm", "Clear this list"]


def test_that_the_next_window_has_the_list_unless_it_is_not_wanted(hands: Hands) -> None:
    recent.update(lambda _: ("/in/a.dcm",))
    store = SettingsStore()
    assert RecentFiles(store).paths == ("/in/a.dcm",)
    store.change(lambda now: replace(now, keep_recent=False))
    store.close()
    files = RecentFiles(store)
    assert files.paths == ()
    files.close()
    assert not recent.path().exists()


def test_that_two_windows_keep_each_other_s_files(qapp: object) -> None:
    store = SettingsStore()
    one, two = RecentFiles(store), RecentFiles(store)
    one.add([Path("/in/a.dcm")])
    one.close()
    two.add([Path("/in/b.dcm")])
    two.close()
    assert recent.load() == ("/in/b.dcm", "/in/a.dcm")


def test_that_what_one_window_gives_up_no_other_one_keeps(qapp: object) -> None:
    one, two = SettingsStore(), SettingsStore()
    giving_up, other = RecentFiles(one), RecentFiles(two)
    other.add([Path("/in/a.dcm")])
    other.close()
    one.change(lambda now: replace(now, keep_recent=False))
    one.close()
    giving_up.close()
    assert not recent.path().exists()
    other.add([Path("/in/b.dcm")])
    other.close()
    assert not recent.path().exists()


def test_that_the_newest_is_first_and_only_twelve_are_kept() -> None:
    known: recent.Paths = ()
    for place in (*range(20), 15):
        known = recent.with_new(known, [Path(f"/in/{place}.dcm")])
    names = [Path(path).name for path in known]
    assert names[:3] == ["15.dcm", "19.dcm", "18.dcm"] and len(names) == recent.MOST == len(set(names))


@pytest.mark.parametrize("content", ["{", "3", '{"a": 1}', "[1, null]", "\xff", "[" * 200_000])
def test_that_a_damaged_list_is_an_empty_one(content: str) -> None:
    recent.path().write_bytes(content.encode("latin-1"))
    assert recent.load() == ()


@pytest.mark.parametrize(
    ("name", "shown"), [("a&b.dcm", "in/a&&b.dcm"), ("x\u202ey.dcm", "in/x�y.dcm"), ("n" * 80, f"…{'n' * 60}")]
)
def test_that_a_name_is_shown_letter_by_letter_and_not_too_long(name: str, shown: str) -> None:
    assert _label(Path("/in") / name) == shown
