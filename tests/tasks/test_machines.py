"""Tasks on another machine, behind a real ssh server on the loopback."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QMenu

import warm
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.launch import attach
from fullfield.nodes import node
from fullfield.nodes.node import Node
from fullfield.protocol import events
from fullfield.runs import runs
from nodes import paced
from nodes.servers import SITE, Server, command, enhancing, kept, serving
from tasks.trainings import TRAINING, answer, begin, only, remember_form, reported, set_up, steps
from tasks.user import SECONDS, User

narrowed = warm.narrow()
pytestmark = [pytest.mark.usefixtures("form"), pytest.mark.slow]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The ssh server of the machine, and its client the one that is called. No training outlives it."""
    (tmp_path / "sshd").mkdir()
    with serving(tmp_path / "sshd") as server:
        monkeypatch.setenv("PATH", f"{server.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
        yield server
        for folder in runs.folders():
            run = attach(folder)
            run.kill()
            while run.alive():
                time.sleep(0.05)


@pytest.fixture
def long(form: None) -> None:
    """The form was left with a training that has long to go."""
    remember_form(epochs=500)


@pytest.fixture
def lost(long: None, tmp_path: Path, server: Server) -> None:
    """A machine is listed that does not let us in any more."""
    kept(f"127.0.0.1:{server.port}", tmp_path / "there")
    shutil.copyfile(server.folder / "stranger.pub", server.folder / "authorized")


def tick(user: User, name: str) -> None:
    box = user.widget(name)
    user.press(box, QPoint(8, box.height() // 2))


@pytest.mark.task("train elsewhere")
def test_that_a_machine_is_added_and_a_training_there_is_found_again(
    long: None,
    tmp_path: Path,
    private_folders: Path,
    server: Server,
    images: Path,
    user: User,
    open_again: Callable[[User], None],
) -> None:
    shutil.copytree(private_folders / "cache", tmp_path / "there" / "cache")
    set_up(user, images)
    user.click("Add a machine")
    user.type("Name of the machine", "gpu")
    user.type("Address of the machine", f"127.0.0.1:{server.port}")
    user.type("Command that calls Fullfield there", command(tmp_path / "there"))
    user.click("Test the machine")
    user.wait(lambda: "ready: " in user.text("What the machine says"), SECONDS)
    user.click("Keep the machine")
    user.wait(lambda: user.sees("Train on gpu"), SECONDS)
    tick(user, "Train on gpu")
    user.wait(lambda: user.widget("Start the training").isEnabled(), SECONDS)
    user.click("Start the training")
    answer(user, "Send the images to gpu?", "Send and train")
    user.wait(lambda: user.sees("State of the run") and "Training" in user.text("State of the run"), TRAINING)
    run = only(runs.folders())
    user.menu("File", "Quit")
    answer(user, "Close while a training runs?", "Let it go on without the window")
    user.wait(lambda: not user.window.isVisible(), SECONDS)
    before = len(steps(run))
    open_again(user)
    user.wait(lambda: user.sees("Do what the message proposes"), SECONDS)
    user.click("Do what the message proposes")
    user.wait(lambda: user.sees("State of the run") and "Training" in user.text("State of the run"), SECONDS)
    user.wait(lambda: len(steps(run)) > before and user.widget("Stop and keep").isEnabled(), TRAINING)
    user.click("Stop and keep")
    user.wait(lambda: "Stopped, kept" in user.text("State of the run"), SECONDS)
    assert (run / "model.safetensors").stat().st_size > 2**20
    assert [event.reason for event in reported(run) if isinstance(event, events.RunEnded)] == ["stopped"]
    assert json.loads((run / "job.json").read_text(encoding="utf-8"))["images_to"] == node.find("gpu").address
    assert not node.find("gpu").allow_images, "nobody has ticked that"


@pytest.fixture
def away(form: None, tmp_path: Path, server: Server, images: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder here of a training on a machine, begun before the window is opened, that has long to go."""
    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPATH", SITE)
        before = f"TRAINS={paced.__name__}; export TRAINS;"
        kept(f"127.0.0.1:{server.port}", tmp_path / "there", before=before, allow_images=True)
    return begin(images, place="node:gpu").folder


@pytest.mark.task("line cut")
def test_that_a_line_that_is_cut_in_mid_run_is_told_and_back_with_every_event_once(
    away: Path, tmp_path: Path, server: Server, user: User
) -> None:
    user.wait(lambda: user.sees("Do what the message proposes"), SECONDS)
    user.click("Do what the message proposes")
    user.wait(lambda: user.sees("State of the run") and len(steps(away)) > 2, SECONDS)
    server.cut()
    user.wait(lambda: user.sees("What happened"), SECONDS)
    assert user.text("What happened, in short") == "There is no line to the machine that trains."
    why = user.text("What happened, in full")
    assert why.startswith("The line to the node gpu is cut. ") and "The run goes on there" in why
    assert "Training" in user.text("State of the run")
    there, missed = only([*(tmp_path / "there").rglob("run/events.jsonl")]), len(steps(away))
    user.wait(lambda: len(steps(there.parent)) > missed + 5, SECONDS)  # it goes on there
    server.heal()
    user.wait(lambda: len(steps(away)) > missed + 5 and not user.sees("What happened"), SECONDS)
    user.click("Stop and keep")
    user.wait(lambda: "Stopped, kept" in user.text("State of the run"), SECONDS)
    here, told_there = (path.read_bytes().splitlines() for path in (away / "events.jsonl", there))
    assert [line for line in here if line in set(told_there)] == told_there
    assert steps(away) == [*range(1, len(steps(away)) + 1)] and reported(away)[-1] == reported(there.parent)[-1]


@pytest.mark.task("machine not ready")
def test_that_one_sees_why_another_machine_cannot_train(lost: None, images: Path, user: User) -> None:
    set_up(user, images)
    user.wait(lambda: user.sees("Train on gpu"), SECONDS)
    tick(user, "Train on gpu")
    user.wait(lambda: "does not accept this user's key" in user.text("Why it cannot start"), SECONDS)
    assert not user.widget("Start the training").isEnabled()
    tick(user, "Train on gpu")  # the last machine that was ticked: this computer is left
    user.wait(lambda: user.widget("Start the training").isEnabled(), SECONDS)


@pytest.fixture
def machines(tmp_path: Path, server: Server) -> Path:
    """Two machines are listed, of which one has no Fullfield; the folders of the other."""
    address = f"127.0.0.1:{server.port}"
    node.keep(Node(name="old", address=address, command="no-fullfield"))
    kept(address, tmp_path / "there")
    return tmp_path / "there"


@pytest.mark.task("enhance elsewhere")
def test_that_images_are_enhanced_on_a_machine_that_is_ready_and_here_when_it_is_lost(
    machines: Path, phantoms: list[Path], user: User, sessions: list[JobHandle]
) -> None:
    user.open_and_wait(phantoms[:1])
    enhance_on(user, "old")
    user.wait(lambda: "There is no Fullfield on the node old" in said(user), SECONDS)
    assert chosen(user) == "This computer" and not enhancing(machines)
    enhance_on(user, "gpu")
    assert "old is not ready" not in said(user)
    answer(user, "Send the images to gpu?", "Send and enhance")
    user.wait(lambda: chosen(user) == "gpu", SECONDS)
    assert not enhancing(machines), "nobody is asked before there is an image"
    user.drop(phantoms[1:])
    user.wait(lambda: len(user.rows()) == 2 and all("Enhanced" in row for row in user.rows()), SECONDS)
    [process] = enhancing(machines)
    there = last(sessions)
    user.choose_row(1)
    process.kill()
    process.wait()
    user.menu("Image", "Enhance selected again")
    user.wait(lambda: "What is not done there is enhanced on this computer." in said(user), SECONDS)
    user.wait(lambda: all("Enhanced" in row for row in user.rows()), SECONDS)
    here = last(sessions)
    assert here.filename != there.filename and (here == there).all()
    assert chosen(user) == "gpu" and not node.find("gpu").allow_images, "nobody has ticked that"


def last(sessions: list[JobHandle]) -> np.memmap:
    """The pixels of what was enhanced last."""
    path = [one.enhanced for one in reported(sessions[-1].folder) if isinstance(one, events.ItemEnhanced)][-1]
    return np.load(path, mmap_mode="r")


def said(user: User) -> str:
    """All that stands in the message, where there is one."""
    if not user.sees("Message"):
        return ""
    return " ".join(label.text() for label in user.widget("Message").findChildren(QLabel))


def enhance_on(user: User, machine: str) -> None:
    """Open the list of machines that enhance, and tick one, or no longer."""
    user.click("Machines that enhance")
    menu = user.widget("Machines that enhance, list")
    assert isinstance(menu, QMenu)
    user.wait(menu.isVisible)
    [entry] = [one for one in menu.actions() if one.text() == machine]
    user.press(menu, menu.actionGeometry(entry).center())


def chosen(user: User) -> str:
    return user.widget("Machines that enhance").accessibleDescription()


@pytest.fixture
def two(tmp_path: Path, server: Server) -> tuple[Path, Path]:
    """Two machines are listed to which images may always go; their folders."""
    for name in ("gpu", "other"):
        kept(f"127.0.0.1:{server.port}", tmp_path / name, name=name, allow_images=True)
    return tmp_path / "gpu", tmp_path / "other"


@pytest.mark.task("enhance on several")
def test_that_two_machines_enhance_the_other_one_what_one_has_lost_and_this_computer_with_them(
    two: tuple[Path, Path], phantoms: list[Path], user: User, sessions: list[JobHandle]
) -> None:
    user.open_and_wait(phantoms[:1])
    here = last(sessions)
    for name in ("gpu", "other"):
        enhance_on(user, name)
    user.wait(
        lambda: chosen(user) == "gpu, other" and "on gpu, other from" in user.text("What the worker says"), SECONDS
    )
    user.drop(phantoms[1:])
    user.wait(lambda: len(user.rows()) == 2 and all("Enhanced" in row for row in user.rows()), SECONDS)
    [process], [_] = (enhancing(there) for there in two)
    process.kill()
    process.wait()
    user.choose_row(0)
    user.menu("Image", "Enhance selected again")
    user.wait(lambda: "What is not done there is enhanced on other." in said(user), SECONDS)
    user.wait(lambda: all("Enhanced" in row for row in user.rows()), SECONDS)
    assert (last(sessions) == here).all() and last(sessions).filename != here.filename
    enhance_on(user, "This computer")
    assert chosen(user) == "This computer, gpu, other"
    user.menu("Image", "Enhance selected again")
    user.wait(lambda: all("Enhanced" in row for row in user.rows()), SECONDS)
    assert (last(sessions) == here).all()
