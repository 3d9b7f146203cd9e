"""The real window with real workers for tasks; a task that takes more clicks than its budget fails."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fullfield import files
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.launchers.local import LocalJob
from fullfield.runs import runs
from fullfield_app.gui import language
from fullfield_app.gui.application import prepare
from fullfield_app.gui.bridge.workers import Workers, start_session
from fullfield_app.gui.first_start import NOTICE
from fullfield_app.gui.main_window import MainWindow
from tasks import trainings
from tasks.listed import TASKS
from tasks.trainings import Launcher
from tasks.user import User


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Documents folder of this task alone."""
    folder = tmp_path / "documents"
    monkeypatch.setattr("fullfield_app.gui.enhance.export_folder.default_folder", lambda: folder / "Fullfield")
    return folder


@pytest.fixture
def sessions() -> list[JobHandle]:
    """The workers that the window has started for enhancing."""
    return []


@pytest.fixture
def launcher() -> Launcher:
    """Starts what the window may leave alone."""
    return Launcher()


@pytest.fixture
def workers(sessions: list[JobHandle], launcher: Launcher) -> Workers:
    """Real ones."""

    def start() -> JobHandle:
        sessions.append(start_session())
        return sessions[-1]

    return Workers(session=start, launch=launcher)


@pytest.fixture
def user(request: pytest.FixtureRequest, qtbot: QtBot, documents: Path, workers: Workers) -> Iterator[User]:
    """A user before the real window, as it looks on a small laptop."""
    mark = request.node.get_closest_marker("task")
    assert mark is not None and mark.args[0] in TASKS, "a task is listed in listed.py"
    _, store = prepare()
    store.change(lambda settings: replace(settings, notice_accepted=NOTICE))
    window = MainWindow(workers, store)
    user = User(window, qtbot)
    try:
        show(user)
        yield user
        task = TASKS[mark.args[0]]
        assert user.clicks <= task.clicks, f"{task.title}: {user.clicks} clicks, where {task.clicks} are the budget"
    finally:
        window.shut_down()
        store.close()


def show(user: User) -> None:
    """The window as it looks on a small laptop, once keys reach it: what an earlier task left open has gone."""
    user.qtbot.addWidget(user.window)
    user.window.resize(1366, 728)
    user.window.show()
    user.window.activateWindow()
    user.wait(lambda: user.window.isActiveWindow() and QApplication.activeModalWidget() is None)


@pytest.fixture
def open_again(workers: Workers) -> Iterator[Callable[[User], None]]:
    """Opens the program's window again for a user who has closed it."""
    opened = []

    def open_again(user: User) -> None:
        _, store = prepare()
        user.window = MainWindow(workers, store)
        opened.append(user.window)
        show(user)

    yield open_again
    for window in opened:
        window.shut_down()
    application = QApplication.instance()
    assert application is not None
    language.install(application, language.ENGLISH)


@pytest.fixture
def phantoms(tmp_path: Path) -> list[Path]:
    """Two of the shipped radiographs, as a user's own files."""
    folder = tmp_path / "study"
    folder.mkdir()
    for name in ("chest-cr.dcm", "hand-dx.dcm"):
        shutil.copy(files.resource(f"phantoms/{name}"), folder / name)
    return sorted(folder.iterdir())


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """A folder of four small radiographs of as many patients."""
    return trainings.make_images(tmp_path / "images")


@pytest.fixture
def form(private_folders: Path) -> Iterator[None]:
    """The page that trains opens with the settings of a short training; no training outlives the task."""
    trainings.remember_form()
    yield
    for folder in runs.folders():
        LocalJob(folder).kill()
    shutil.rmtree(private_folders / "runs", ignore_errors=True)  # a run is some hundred MiB
