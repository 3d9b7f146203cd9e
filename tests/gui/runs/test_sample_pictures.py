"""The radiographs of runs, as their files are now."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from fullfield.protocol.events import Event
from fullfield_app.gui.runs import sample_pictures
from fullfield_app.gui.runs.sample_pictures import SamplePictures
from fullfield_app.gui.view.image_view import ImageView
from gui.fake_run import FakeRun
from gui.runs.desk import STORY, Desk

SQUARE = (1.0, 1.0)


def now(desk: Desk) -> ImageView:
    view = desk.view("Radiograph now")
    assert isinstance(view, ImageView)
    return view


def highest(desk: Desk) -> int:
    """Of the radiograph that is shown; 0 while there is none."""
    shown = now(desk)._shown
    return 0 if shown is None else shown.picture.highest


def open_again(desk: Desk, run: FakeRun, story: list[Event]) -> None:
    desk.panel._back()
    run.reported = story.copy()
    desk.open(run)


def test_that_a_radiograph_is_shown_as_its_file_is_whenever_its_run_is_opened(desk: Desk) -> None:
    run = desk.has(STORY)
    story = run.reported.copy()
    newest = max(run.folder.rglob("epoch-*.npy"))
    content = newest.read_bytes()
    newest.unlink()
    desk.begin()
    desk.open(run)
    desk.wait(lambda: "no longer there" in now(desk)._message)
    newest.write_bytes(content)
    open_again(desk, run, story)
    desk.wait(lambda: highest(desk) == np.load(newest).max())
    np.save(other := newest.with_name("other.npy"), np.full((80, 60), 1234, np.uint16))
    other.replace(newest)  # as a training does; a file that is cut while it is mapped would end the tests
    open_again(desk, run, story)
    desk.wait(lambda: highest(desk) == 1234)


def test_that_a_picture_whose_file_is_as_it_was_is_opened_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, opened = tmp_path / "epoch.npy", list[Path]()
    np.save(path, np.ones((80, 60), np.uint16))
    open_result = sample_pictures.open_result

    def count(path: Path, *more: object) -> object:
        opened.append(path)
        return open_result(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(sample_pictures, "open_result", count)
    pictures = SamplePictures()
    with qtbot.waitSignal(pictures.ready):
        pictures.get(path, SQUARE)
    first = pictures.get(path, SQUARE)
    pictures.look_again()
    assert pictures.get(path, SQUARE) is first is not None
    qtbot.waitUntil(lambda: not pictures._asked)
    assert pictures.get(path, SQUARE) is first and opened == [path] and not pictures._asked
    pictures.close()
