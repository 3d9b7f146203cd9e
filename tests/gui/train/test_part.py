"""The training part on the page that trains: offered where it is missing, said before, installed only after a yes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QProgressBar
from pytestqt.qtbot import QtBot

from fullfield import __version__, parts
from fullfield.errors import MissingPart
from fullfield.protocol.events import PhaseStarted, RunEnded
from fullfield.protocol.setup_events import BytesFetched
from fullfield.training_part import build, driver, offer, place, pythons
from fullfield.training_part.driver import Driver
from fullfield.training_part.pythons import Python
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from gui.clipping import clipped
from gui.fake_job import FakeJob
from gui.fake_setup import FakeSetup
from gui.hands import Hands
from gui.train.desk import READY, Setup, listed, question, tick

STATE = "State of the training part"
INSTALL, FOLDER, STOP = "Install the training part", "Install the training part from a folder", "Stop the installation"
CARD = Driver(version="580.65", cuda=(13, 0), cards=("RTX 2060",))


class LightSetup(Setup):
    """Workers that refuse what the training part is missing for, as `launch` does."""

    def launch(self, job, /, *, folder: Path | None = None) -> FakeSetup:  # type: ignore[no-untyped-def]
        if job.kind == "planning":
            place.interpreter(*parts.NETWORK)
        return super().launch(job, folder=folder)


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """The training part is not installed; a computer with a card, and a Python."""
    here = parts.is_here
    monkeypatch.setattr(parts, "is_here", lambda name: name not in parts.PACKAGES and here(name))
    monkeypatch.setattr(driver, "ask", lambda: CARD)
    monkeypatch.setattr(pythons, "find", lambda: Python(path=Path("/usr/bin/python3"), version="3.12"))
    monkeypatch.setattr(offer.pip, "settings", lambda python: offer.Settings())


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return LightSetup(tmp_path / "setup")


@pytest.fixture
def hands(light: None, qtbot: QtBot, setup: Setup, start: Callable[[], FakeJob], documents: Path) -> Iterator[Hands]:
    """A light installation's window that shows the page."""
    window = MainWindow(Workers(session=start, launch=setup.launch, attach=setup.attach))
    qtbot.addWidget(window)
    window.resize(1366, 728)
    hands = Hands(window, qtbot)
    try:
        window.show()
        qtbot.waitUntil(lambda: "GPU" in hands.text("What the worker says"))
        qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
        yield hands
    finally:
        window.shut_down()


def installs(setup: Setup) -> list[FakeSetup]:
    return [job for job in setup.jobs if job.job.kind == "install"]


def bring(version: str = __version__) -> None:
    """The training part of a version is there."""
    folder = place.prepare().parent / version
    python = folder / "environment" / ("Scripts/python.exe" if place.other_python.WINDOWS else "bin/python")
    python.parent.mkdir(parents=True)
    python.touch()
    marker = {"version": version, "build": "cuda", "torch": "2.15.0", "python": "3.12.4"}
    (folder / "installed").write_text(json.dumps(marker))


def agreed(hands: Hands, setup: Setup) -> FakeSetup:
    """The worker of an installation that was agreed to."""
    before = len(installs(setup))
    hands.wait(lambda: hands.sees(INSTALL))
    hands.click(INSTALL)
    question(hands)
    assert len(installs(setup)) == before
    hands.click("Install")
    hands.wait(lambda: len(installs(setup)) > before)
    return installs(setup)[-1]


def test_that_the_page_says_what_is_missing_and_before_it_installs_what_comes_from_where_and_how_much(
    hands: Hands, setup: Setup
) -> None:
    hands.wait(lambda: hands.sees(INSTALL))
    assert "PyTorch, which this light installation does not have" in hands.text(STATE)
    assert clipped(hands.window) == []
    hands.click(INSTALL)
    asked = question(hands).text()
    megabytes = f"{build.choose(CARD).megabytes:,} MB"
    for word in (
        "RTX 2060 allows CUDA 13.0",
        megabytes,
        "the Python Package Index",
        "Python 3.12",
        str(place.folder()),
    ):
        assert word in asked
    hands.click("Do not install")
    hands.qtbot.wait(50)
    assert not installs(setup) and hands.sees(INSTALL)


def test_that_what_arrives_is_shown_and_after_it_the_page_plans_without_a_restart(hands: Hands, setup: Setup) -> None:
    worker = agreed(hands, setup)
    assert worker.job.spec == {"build": "cuda", "wheels": ""}
    assert worker.job.owner is not None  # it ends with the window
    worker.reported += [
        PhaseStarted(name="Fetching the training part", total=900_000_000),
        BytesFetched(done=120_000_000, total=900_000_000),
    ]
    hands.wait(lambda: hands.text(STATE) == "Fetching the training part: 120 of 900 MB.")
    bar = hands.widget("Progress of the installation")
    assert isinstance(bar, QProgressBar) and bar.value() == 120 and bar.maximum() == 900
    assert not hands.sees(INSTALL) and clipped(hands.window) == []
    assert not [job for job in setup.jobs if job.job.kind == "planning"]
    bring()
    worker.reported.append(RunEnded(reason="completed"))
    hands.wait(lambda: hands.text("Memory in all") != "")
    assert not hands.sees("Training part")
    assert hands.text("Message, in short") == "The training part is installed."


@pytest.mark.parametrize("way", ["asked for", "seen again"])
def test_that_what_another_window_has_installed_is_not_offered_once_more(hands: Hands, setup: Setup, way: str) -> None:
    hands.wait(lambda: hands.sees(INSTALL))
    bring()
    if way == "asked for":
        hands.click(INSTALL)
    else:
        for page in ("enhance", "train"):
            hands.window._turn_to(page)
    hands.wait(lambda: hands.text("Memory in all") != "")
    assert not hands.sees("Training part") and not hands.sees("Install the training part?")
    assert not installs(setup) and hands.text("Why it cannot start") != "Install the training part first."


def test_that_a_training_waits_for_its_part(hands: Hands, setup: Setup, data: Path) -> None:
    hands.drop([data])
    hands.wait(lambda: hands.text("Why it cannot start") == "Install the training part first.")
    assert not hands.widget("Start the training").isEnabled()
    worker = agreed(hands, setup)
    bring()
    worker.reported.append(RunEnded(reason="completed"))
    hands.wait(lambda: hands.widget("Start the training").isEnabled())


def test_that_an_installation_is_cancelled_and_offered_again(hands: Hands, setup: Setup) -> None:
    worker = agreed(hands, setup)
    hands.wait(lambda: hands.sees(STOP))
    hands.click(STOP)
    hands.wait(lambda: hands.sees(INSTALL))
    assert {"command": "stop"} in worker.posted
    assert not hands.sees("Message, in short")


def test_that_an_installation_that_fails_is_told_and_can_be_tried_again(hands: Hands, setup: Setup) -> None:
    agreed(hands, setup).refuse("Cannot install the training part.")
    hands.wait(lambda: "Cannot install the training part" in hands.text("Message, in short"))
    agreed(hands, setup)
    assert len(installs(setup)) == 2


def test_that_a_folder_of_wheels_takes_the_place_of_the_network(hands: Hands, setup: Setup, tmp_path: Path) -> None:
    folder = tmp_path / "wheels"
    folder.mkdir()
    (folder / "torch-2.15.0-py3-none-any.whl").write_bytes(b"x" * 3_000_000)
    hands.wait(lambda: hands.sees(FOLDER))
    hands.click(FOLDER)
    dialog = hands.window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(folder))
    dialog.close()
    asked = question(hands).text()
    assert "from the folder (3 MB are there), and nothing over a network" in asked
    hands.click("Install")
    hands.wait(lambda: bool(installs(setup)))
    assert installs(setup)[-1].job.spec == {"build": "cuda", "wheels": str(folder)}


def test_that_a_computer_without_a_python_says_what_to_install(
    hands: Hands, setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> Python:
        raise MissingPart("Cannot install the training part.", detail="None was found.", hint="Install Python.")

    monkeypatch.setattr(pythons, "find", none)
    hands.wait(lambda: hands.sees(INSTALL))
    hands.click(INSTALL)
    hands.wait(lambda: "Cannot install" in hands.text("Message, in short"))
    hands.wait(lambda: hands.sees(INSTALL))
    assert not installs(setup)


def test_that_without_it_another_machine_trains(hands: Hands, setup: Setup, data: Path) -> None:
    hands.drop([data])
    hands.wait(lambda: hands.text("Why it cannot start") == "Install the training part first.")
    listed(hands, setup, READY)
    tick(hands, "Train on gpu")
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
    tick(hands, "Train on gpu")  # no more: this computer takes it back
    hands.wait(lambda: hands.text("Why it cannot start") == "Install the training part first.")


@pytest.mark.parametrize("setup_before", ["0.0.9"])
def test_that_one_of_another_version_is_told_as_such(
    light: None, setup_before: str, qtbot: QtBot, request: pytest.FixtureRequest
) -> None:
    bring(setup_before)
    hands: Hands = request.getfixturevalue("hands")
    hands.wait(lambda: f"installed for Fullfield 0.0.9, and this is {__version__}" in hands.text(STATE))


def test_that_where_it_is_there_the_page_is_as_ever(light: None, request: pytest.FixtureRequest) -> None:
    bring()
    hands: Hands = request.getfixturevalue("hands")
    hands.wait(lambda: hands.text("Memory in all") != "")
    assert not hands.sees("Training part")
