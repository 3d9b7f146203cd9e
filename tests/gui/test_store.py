"""The settings as the window has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pytestqt.qtbot import QtBot

from fullfield_app import settings
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.stored.writer import Writer


def test_that_a_change_is_there_at_once_and_in_the_file_at_the_end(qtbot: QtBot) -> None:
    store = SettingsStore()
    with qtbot.waitSignal(store.changed):
        store.change(lambda now: replace(now, palette="dark"))
    assert store.now.palette == "dark"
    for place in range(20):
        store.change(lambda now, place=place: replace(now, window=replace(now.window, left=place)))  # type: ignore[misc]
    store.close()
    written, _ = settings.load()
    assert written.palette == "dark" and written.window.left == 19


def test_that_no_change_tells_nothing_and_writes_nothing(qtbot: QtBot) -> None:
    store = SettingsStore()
    with qtbot.assertNotEmitted(store.changed):
        store.change(lambda now: replace(now, palette="reading-room"))
    store.close()
    assert not settings.path().exists()


def test_that_a_file_that_cannot_be_written_is_told(qtbot: QtBot) -> None:
    settings.folder().write_bytes(b"a file where the folder should be")
    store = SettingsStore()
    with qtbot.waitSignal(store.failed) as reported:
        store.change(lambda now: replace(now, palette="dark"))
    assert "FULLFIELD_SETTINGS" in str(reported.args[0]) and store.now.palette == "dark"
    store.close()


def test_that_what_could_not_be_written_is_written_with_the_next_change(qtbot: QtBot) -> None:
    settings.folder().write_bytes(b"a file where the folder should be")
    store = SettingsStore()
    with qtbot.waitSignal(store.failed):
        store.change(lambda now: replace(now, palette="dark"))
    settings.folder().unlink()
    store.change(lambda now: replace(now, window=replace(now.window, left=7)))
    store.close()
    written, _ = settings.load()
    assert written.palette == "dark" and written.window.left == 7


def test_that_a_change_that_cannot_be_encoded_is_tried_again_with_the_next(qtbot: QtBot) -> None:
    given: list[str] = []

    def update(change: Callable[[str], str]) -> None:
        given.append(change(""))
        given[-1].encode()

    writer = Writer(update)
    with qtbot.waitSignal(writer.failed):
        writer.write(lambda now: now + "\udcfc")
    writer.write(lambda now: now + "b")
    writer.close()
    assert given[1] == "\udcfcb"


def test_that_a_damaged_file_is_told_in_a_sentence_and_what_is_off_because_of_it(qtbot: QtBot) -> None:
    settings.folder().mkdir()
    settings.path().write_text("=", encoding="utf-8")
    (said,) = SettingsStore().notices()
    assert "damaged" in said and "Names" in said and "recent files" in said and "until you turn them on" in said


def test_that_a_file_that_cannot_be_read_is_told_with_what_is_off_because_of_it(qtbot: QtBot) -> None:
    settings.path().mkdir(parents=True)  # reading it fails, for every user
    store = SettingsStore()
    (said,) = store.notices()
    assert (store.now.overlay, store.now.keep_recent) == (False, False)
    assert "cannot be read" in said and "names of patients" in said and "recent files" in said
