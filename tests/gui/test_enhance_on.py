"""Where images are enhanced: several machines are ticked, and this computer beside them; they are kept, and what is
lost is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QMenu
from pytestqt.qtbot import QtBot

from fullfield.nodes import node
from fullfield.nodes.node import Node
from fullfield.protocol.events import Notice
from fullfield.protocol.setup_events import NodeProbed
from fullfield_app import settings
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.enhance.where import Where
from fullfield_app.gui.main_window import MainWindow
from gui.conftest import make_files
from gui.fake_job import FakeJob
from gui.hands import LEFT, NO_KEYS, Hands
from gui.train.desk import READY, Setup

BUTTON, LIST = "Machines that enhance", "Machines that enhance, list"
OTHER = NodeProbed(name="other", cores=8, fullfield="0.1.0", torch="2.15.0")
LOST = NodeProbed(name="other", error={"title": "Cannot reach the node other.", "detail": "It is off.", "hint": ""})


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    made = Setup(tmp_path / "setup")
    made.machines = (READY, OTHER)
    return made


@pytest.fixture
def listed() -> None:
    """To one images may always go, to the other not without being asked."""
    node.keep(Node(name="gpu", address="me@gpu-room", allow_images=True))
    node.keep(Node(name="other", address="me@other-room"))


Open = Callable[[], Hands]


@pytest.fixture
def open_window(
    listed: None, qtbot: QtBot, setup: Setup, start: Callable[[], FakeJob], documents: Path
) -> Iterator[Open]:
    """Opens a window; the one before is closed."""
    windows: list[MainWindow] = []

    def close() -> None:
        if windows:
            windows.pop().shut_down()

    def opened() -> Hands:
        close()
        windows.append(MainWindow(Workers(session=start, launch=setup.launch, attach=setup.attach)))
        qtbot.addWidget(windows[0])
        windows[0].resize(1280, 720)
        windows[0].show()
        hands = Hands(windows[0], qtbot)
        hands.wait(lambda: hands.text("What the worker says") != "")
        return hands

    yield opened
    close()


@pytest.fixture
def hands(open_window: Open, radiographs: list[Path]) -> Hands:
    """The list has an image, which this computer has enhanced."""
    hands = open_window()
    hands.drop_and_wait(radiographs[:1])
    hands.wait(lambda: hands.sees(BUTTON))
    return hands


def toggle(hands: Hands, name: str) -> None:
    """Open the list of machines and click an entry."""
    hands.click(BUTTON)
    menu = hands.widget(LIST)
    assert isinstance(menu, QMenu)
    hands.wait(menu.isVisible)
    [entry] = [one for one in menu.actions() if one.text() == name]
    hands.qtbot.mouseClick(menu, LEFT, NO_KEYS, menu.actionGeometry(entry).center())


def ticked(hands: Hands) -> str:
    return hands.widget(BUTTON).accessibleDescription()


def asked(job: FakeJob) -> dict[str, object]:
    """What was asked last of what enhances."""
    return [one for one in job.posted if one["command"] == "enhance"][-1]


def test_that_several_machines_and_this_computer_share_the_images(
    hands: Hands, jobs: list[FakeJob], tmp_path: Path
) -> None:
    assert (ticked(hands), asked(jobs[0])["place"]) == ("This computer", "local")
    toggle(hands, "gpu")
    hands.wait(lambda: "enhanced on gpu from now on" in hands.text("What the worker says"))
    assert ticked(hands) == "gpu", "in place of this computer"
    toggle(hands, "other")
    hands.wait(lambda: hands.sees("Send the images to other?"))
    hands.click("Send and enhance")
    hands.wait(lambda: "enhanced on gpu, other from now on" in hands.text("What the worker says"))
    jobs[0].hold.add("enhance")
    hands.drop(make_files(tmp_path / "more", [f"{number}.dcm" for number in range(8)]))
    hands.wait(lambda: asked(jobs[0])["place"] == "node:gpu,other")
    hands.wait(lambda: len([one for one in jobs[0].posted if one["command"] == "enhance"]) == 1 + 4)
    assert asked(jobs[0])["images_to"] == "me@other-room" and not node.find("other").allow_images
    toggle(hands, "This computer")
    assert ticked(hands) == "This computer, gpu, other"
    hands.wait(lambda: asked(jobs[0])["place"] == "node:local,gpu,other")


def test_that_what_is_ticked_is_kept_for_the_next_window_but_where_images_may_not_always_go(
    hands: Hands, open_window: Open, jobs: list[FakeJob], radiographs: list[Path]
) -> None:
    for name in ("gpu", "other", "This computer"):
        toggle(hands, name)
    hands.wait(lambda: hands.sees("Send the images to other?"))
    hands.click("Send and enhance")
    hands.wait(lambda: set(settings.load()[0].enhance_on) == {"local", "gpu", "other"})
    after = open_window()
    after.drop_and_wait(radiographs[:1])
    after.wait(lambda: ticked(after) == "This computer, gpu")
    after.drop_and_wait(radiographs)
    assert asked(jobs[1])["place"] == "node:local,gpu"
    toggle(after, "gpu")
    assert ticked(after) == "This computer"
    toggle(after, "This computer")
    assert ticked(after) == "This computer", "something enhances"
    assert set(after.window._store.now.enhance_on) == {"other"}, "the next machine is ticked in place of this computer"


def test_that_what_another_window_has_ticked_meanwhile_is_kept_beside_what_is_ticked_here(hands: Hands) -> None:
    settings.update(lambda now: replace(now, enhance_on=("other",)))
    toggle(hands, "gpu")
    hands.wait(lambda: set(settings.load()[0].enhance_on) == {"gpu", "other"})
    toggle(hands, "gpu")
    hands.wait(lambda: settings.load()[0].enhance_on == ("other",))


@pytest.mark.parametrize("address", ["me@other-room", "me@elsewhere"])
def test_that_what_is_said_of_a_machine_while_its_consent_is_asked_for_stays(hands: Hands, address: str) -> None:
    """By the command line, or in another window: the yes was for the address that was shown."""
    toggle(hands, "other")
    hands.wait(lambda: hands.sees("Send the images to other?"))
    node.keep(Node(name="other", address=address, interface="eth1"))
    box = hands.widget("Do not ask again for other")
    assert isinstance(box, QCheckBox)
    box.click()
    hands.click("Send and enhance")
    same = address == "me@other-room"
    hands.wait(lambda: ticked(hands) == ("other" if same else "This computer"))
    kept = Node(name="other", address=address, interface="eth1", allow_images=same)
    hands.wait(lambda: node.find("other") == kept)


def test_that_a_machine_that_is_not_ready_is_said_with_what_enhances(hands: Hands, setup: Setup) -> None:
    setup.machines = (READY, LOST)
    toggle(hands, "gpu")
    hands.wait(lambda: "enhanced on gpu from now on" in hands.text("What the worker says"))
    toggle(hands, "other")
    hands.wait(lambda: hands.text("Message, in short") == "other is not ready.")
    wanted = "Cannot reach the node other. It is off. Images are enhanced on gpu."
    assert (hands.text("Message, in full"), ticked(hands)) == (wanted, "gpu")


def test_that_a_machine_that_is_lost_is_said_until_it_is_back(hands: Hands, jobs: list[FakeJob]) -> None:
    toggle(hands, "gpu")
    hands.wait(lambda: "enhanced on gpu from now on" in hands.text("What the worker says"))
    text = "The line to the node gpu is cut. What is not done there is enhanced on other."
    jobs[0].reported.append(Notice(text=text, level="warning", topic="place:gpu"))
    hands.wait(lambda: hands.sees("Message") and hands.text("Message, in full") == text)
    jobs[0].reported.append(Notice(text="Enhancing on the node other.", topic="place:other"))
    hands.wait(lambda: "node other" in hands.text("What the worker says"))
    assert hands.sees("Message"), "the other one is still there; this one is not"
    jobs[0].reported.append(Notice(text="The line to the node gpu is back.", topic="place:gpu"))
    hands.wait(lambda: not hands.sees("Message"))


def test_that_a_machine_that_is_taken_off_the_list_enhances_no_more(hands: Hands) -> None:
    toggle(hands, "gpu")
    hands.wait(lambda: "enhanced on gpu from now on" in hands.text("What the worker says"))
    node.drop("gpu")
    hands.window._turn_to("train")
    hands.window._turn_to("enhance")
    hands.wait(lambda: ticked(hands) == "This computer")


def test_that_a_worker_is_given_as_many_images_as_its_machines_compute_and_one_that_travels_to_each() -> None:
    gpu, other = (Node(name=name, address=name) for name in ("gpu", "other"))
    one = Where().having(gpu, lanes=4)
    two = one.having(other, lanes=1, agreed=True)
    assert (Where().ahead, one.ahead, two.ahead) == (2, 5, 7)
    assert (two.place, two.images_to) == ("node:gpu,other", "other")
    assert two.without("other").images_to == "" and two.without("other").without("gpu").place == "local"
    moved = Node(name="gpu", address="elsewhere", allow_images=True)
    assert two.following({"gpu": moved, "other": other}).place == "node:other"
