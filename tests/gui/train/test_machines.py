"""Other machines on the page that trains: listed, asked what they have, planned for, and sent images after a yes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QLineEdit

from fullfield.jobs.job import Job
from fullfield.nodes import node
from fullfield.nodes.node import Node
from fullfield.protocol.setup_events import NodeProbed
from fullfield_app.gui.train.machine_dialog import MachineDialog
from gui.fake_setup import GIB
from gui.hands import Hands
from gui.train.desk import READY, Setup, box, listed, question, ready, tick

WHY = "Why it cannot start"
LOST = NodeProbed(
    name="gpu", error={"title": "Cannot reach the node gpu.", "detail": "It does not answer.", "hint": ""}
)


def trainings(setup: Setup) -> list[Job]:
    return [job.job for job in setup.jobs if job.job.kind == "train"]


def write(hands: Hands, name: str, text: str) -> None:
    field = hands.widget(name)
    assert isinstance(field, QLineEdit)
    field.selectAll()
    hands.qtbot.keyClicks(field, text)


def test_that_a_training_goes_to_a_ready_machine_after_a_yes_that_is_kept_where_it_is_ticked(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    listed(hands, setup, READY)
    reported = "ready: NVIDIA RTX A4000 with 10.0 GiB free; Fullfield 0.1.0, torch 2.15.0"
    assert hands.text("gpu, memory") == reported
    tick(hands, "Train on gpu")
    hands.wait(lambda: hands.text("Whose memory") == "of the memory of the card of gpu")
    assert setup.asked()["gpu"] == f"{10 * GIB} B" and not box(hands, "Train on The CPU").isChecked()
    assert not hands.sees("Plan for") and "roughly" not in hands.text("How long the training is")
    hands.click("Start the training")
    asked = question(hands)
    for words in (
        "me@gpu-room",
        "burned-in name",
        "spacing",
        "a number in place of each patient",
        "checksums",
        "begins from a model",
    ):
        assert words in asked.text()
    assert "�" not in asked.text() and asked.text().count("\n\n") == 3
    assert "What stays here: all else of their headers, and every path and name" in asked.text()
    assert "the data's licence, and what you call presets, models and machines, stays, too" in asked.text()
    hands.click("Do not send")
    assert trainings(setup) == []
    hands.click("Start the training")
    hands.click(question(hands).findChildren(QCheckBox)[0].accessibleName())
    hands.click("Send and train")
    hands.wait(lambda: len(trainings(setup)) == 1)
    job = trainings(setup)[0]
    assert (job.place, job.images_to, job.spec["weights"]) == ("node:gpu", "me@gpu-room", "auto")
    assert node.find("gpu").allow_images
    hands.wait(lambda: not hands.sees("Start the training"))  # Runs is shown: until then a click starts no second one
    hands.window._turn_to("train")
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
    hands.click("Start the training")
    hands.wait(lambda: len(trainings(setup)) == 2)
    assert trainings(setup)[1].images_to == "", "it was not asked again"


def test_that_why_a_machine_is_not_ready_is_said_and_one_that_is_gone_is_not_trained_on(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    listed(hands, setup, LOST)
    assert hands.text("gpu, memory") == "not ready: Cannot reach the node gpu. It does not answer."
    tick(hands, "Train on gpu")
    hands.wait(lambda: hands.text(WHY) == "Cannot reach the node gpu. It does not answer.")
    assert hands.text("Whether it fits") == "There is no plan before gpu is ready."
    tick(hands, "Train on gpu")
    assert box(hands, "Train on The CPU").isChecked(), "it runs somewhere"
    tick(hands, "Train on gpu")
    node.drop("gpu")
    panel = hands.window._pages["train"]
    panel.hide()
    panel.show()
    hands.wait(lambda: not hands.sees("Train on gpu") and hands.widget("Start the training").isEnabled())
    assert panel._choices.value("place") == "local"  # type: ignore[attr-defined]


def test_that_a_training_in_the_queue_of_a_cluster_starts_without_a_plan_and_makes_its_own(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    listed(hands, setup, replace(READY, cards=()), slurm="--gres=gpu:1", allow_images=True)
    assert hands.text("gpu, memory").startswith("ready: the queue of its cluster (SLURM); Fullfield")
    tick(hands, "Train on gpu")
    hands.wait(lambda: hands.text("Whether it fits").startswith("What it takes is planned there"))
    assert hands.text(WHY) == ""
    hands.click("Start the training")
    hands.wait(lambda: len(trainings(setup)) == 1)
    job = trainings(setup)[0]
    assert (job.place, job.spec["fit"]) == ("node:gpu", "auto")


def test_that_a_machine_is_tested_added_and_removed_and_what_was_allowed_ends_with_its_address(
    hands: Hands, setup: Setup
) -> None:
    setup.machines = (READY,)
    hands.wait(lambda: hands.sees("Add a machine"))
    hands.click("Add a machine")
    write(hands, "Name of the machine", "gpu")
    write(hands, "Address of the machine", "-oProxyCommand=x")
    hands.click("Test the machine")
    assert "is not [user@]host[:port]" in hands.text("What the machine says")
    write(hands, "Address of the machine", "me@gpu-room")
    tick(hands, "Images may go there")
    hands.click("Test the machine")
    hands.wait(lambda: hands.text("What the machine says").startswith("ready: NVIDIA RTX A4000"))
    hands.click("Keep the machine")
    hands.wait(lambda: hands.sees("Change gpu"))
    assert node.find("gpu") == Node(name="gpu", address="me@gpu-room", allow_images=True)

    hands.click("Change gpu")
    write(hands, "Address of the machine", "me@other-room")
    assert not box(hands, "Images may go there").isChecked()
    write(hands, "Address of the machine", "me@gpu-room")
    assert box(hands, "Images may go there").isChecked()
    write(hands, "Address of the machine", "me@other-room")
    hands.click("Keep the machine")
    hands.wait(lambda: node.find("gpu") == Node(name="gpu", address="me@other-room"))

    with_others = Node(name="gpu", address="me@other-room", interface="eth1", allow_unencrypted=True)
    node.keep(with_others)  # as the command line does
    hands.click("Change gpu")
    write(hands, "Address of the machine", "me@other-room")
    write(hands, "Command that calls Fullfield there", "~/bin/fullfield")
    hands.click("Keep the machine")
    hands.wait(lambda: node.find("gpu") == replace(with_others, command="~/bin/fullfield"))
    hands.wait(lambda: not any(one.isVisible() for one in hands.window.findChildren(MachineDialog)))

    hands.click("Change gpu")
    hands.click("Remove the machine")
    hands.click("Remove it")
    hands.wait(lambda: not hands.sees("Change gpu"))
    assert node.listed() == {}


def test_that_a_new_machine_never_takes_the_place_of_one_that_another_window_has_added_meanwhile(hands: Hands) -> None:
    hands.wait(lambda: hands.sees("Add a machine"))
    hands.click("Add a machine")
    write(hands, "Name of the machine", "gpu")
    write(hands, "Address of the machine", "me@gpu-room")
    first = Node(name="gpu", address="me@other-room", allow_images=True)
    node.keep(first)
    hands.click("Keep the machine")
    hands.wait(lambda: hands.sees("Change gpu"))
    assert node.find("gpu") == first
    assert "There is a machine of this name already. me@other-room" in " ".join(hands.window._messages.text().split())
