"""Images of one name, of several patients, exported into one folder with real workers: now and in a later session."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydicom import dcmread
from pytestqt.qtbot import QtBot

import samples
from fullfield_app.gui.bridge.workers import Workers, start_session
from fullfield_app.gui.main_window import MainWindow
from gui.hands import Hands
from gui.test_flow_enhance import SECONDS

QUESTION = "Replace existing files?"
Session = Callable[[], Hands]


@pytest.fixture
def session(qtbot: QtBot, documents: Path) -> Iterator[Session]:
    """Opens the window anew, with a worker of its own; the one before is shut down."""
    opened: list[MainWindow] = []

    def open_window() -> Hands:
        if opened:
            opened[-1].shut_down()
        opened.append(MainWindow(Workers(session=start_session)))
        qtbot.addWidget(opened[-1])
        opened[-1].resize(1280, 720)
        opened[-1].show()
        return Hands(opened[-1], qtbot)

    yield open_window
    opened[-1].shut_down()


@pytest.fixture(params=["files", "archives"])
def days(request: pytest.FixtureRequest, tmp_path: Path) -> list[Path]:
    """The first image of two days, of two patients: two files of one name, or two archives of one name."""
    made = []
    for day, phantom in (("day1", "chest-cr.dcm"), ("day2", "hand-dx.dcm")):
        image = samples.write(tmp_path / day, phantom)
        if request.param == "files":
            made.append(image.rename(image.with_name("IMG0001.dcm")))
            continue
        with zipfile.ZipFile(tmp_path / day / "study.zip", "w") as archive:
            archive.write(image, "IMG0001.dcm")
        made.append(tmp_path / day / "study.zip")
    return made


def sizes(folder: Path) -> dict[str, tuple[int, int]]:
    """By the name of each result its matrix, which tells the two images apart."""
    made = {path.name: dcmread(path) for path in folder.rglob("*.dcm")}
    return {name: (result.Rows, result.Columns) for name, result in made.items()}


def matrix(phantom: str) -> tuple[int, int]:
    source = dcmread(io.BytesIO(samples.content(phantom)))
    return source.Rows, source.Columns


def export(window: Hands, row: int) -> None:
    """Ask for the export of an image, and wait until it is written or there is a question."""
    window.choose_row(row)
    window.click("Export the selected images")
    window.wait(lambda: "Exported" in window.rows()[row] or window.sees(QUESTION), SECONDS)


def test_that_two_images_of_a_name_exported_in_two_sessions_are_two_files_and_each_finds_its_own(
    session: Session, days: list[Path], documents: Path
) -> None:
    chest, hand = matrix("chest-cr.dcm"), matrix("hand-dx.dcm")
    assert chest != hand
    for day in days:
        window = session()
        window.drop_and_wait([day], seconds=SECONDS)
        export(window, 0)
        assert not window.sees(QUESTION)
    wanted = {"IMG0001_enhanced.dcm": chest, "IMG0001_enhanced-2.dcm": hand}
    assert sizes(documents / "Fullfield") == wanted
    window = session()
    window.drop_and_wait(days[1:], seconds=SECONDS)
    export(window, 0)
    assert window.sees(QUESTION)  # its own result is there
    window.click("Replace")
    window.wait(lambda: "Exported" in window.rows()[0], SECONDS)
    assert sizes(documents / "Fullfield") == wanted


def test_that_two_images_of_a_name_exported_one_after_the_other_are_two_files(
    session: Session, days: list[Path], documents: Path
) -> None:
    window = session()
    window.drop_and_wait(days, seconds=SECONDS)
    for row in (1, 0):
        export(window, row)
        assert not window.sees(QUESTION)
    assert sorted(sizes(documents / "Fullfield").values()) == sorted([matrix("chest-cr.dcm"), matrix("hand-dx.dcm")])
