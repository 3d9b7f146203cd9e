"""Several networks as an ensemble, and several machines: one number, the same ticks, the same Start."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot

from fullfield.jobs import job as jobs
from fullfield.nodes import node
from fullfield.nodes.node import Node
from fullfield.protocol import specs
from fullfield.protocol.ensembles import EnsembleSpec
from fullfield.runs import runs
from gui.fake_setup import GIB
from gui.hands import Hands
from gui.train.desk import CARD, READY, Setup, box, listed, question, ready, tick
from gui.train.test_where import SENTENCE

OTHER = replace(READY, name="lab", cards=(replace(CARD, free_bytes=4 * GIB),))


def test_that_the_members_of_an_ensemble_are_shared_by_the_machines_that_are_ticked(
    hands: Hands, setup: Setup, data: Path, qtbot: QtBot
) -> None:
    ready(hands, data)
    members = hands.widget("Members of an ensemble")
    assert isinstance(members, QSpinBox) and (members.value(), members.maximum()) == (1, 8)
    members.setValue(3)
    assert "That 3 times, one member after another." in hands.text("How long the training is")
    listed(hands, setup, READY, OTHER)
    tick(hands, "Train on gpu")
    tick(hands, "Train on lab")
    assert box(hands, "Train on gpu").isChecked() and box(hands, "Train on lab").isChecked()
    assert not box(hands, "Train on The CPU").isChecked()
    hands.wait(lambda: setup.asked()["gpu"] == f"{4 * GIB} B")  # what the smaller one has free
    assert "That 3 times, shared by 2 machines." in hands.text("How long the training is")
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
    hands.click("Start the training")
    assert "me@gpu-room, me@lab-room" in question(hands).text()
    page = hands.widget("Train")
    with qtbot.waitSignal(page.went, timeout=30_000) as went:  # type: ignore[attr-defined]
        hands.click("Send and train")
    job = setup.last("ensemble").job
    spec = specs.read(job.kind, job.spec)
    assert isinstance(spec, EnsembleSpec) and len(set(spec.runs)) == 3
    assert spec.training.place == "node:gpu,lab" and spec.images_to == ("me@gpu-room", "me@lab-room")
    assert spec.keep == "resnet34-ensemble" and went.args == ["runs", setup.last("ensemble").folder]
    first = jobs.load(Path(spec.runs[0]))
    assert (first.spec["member"], first.place, first.images_to) == (1, "node:gpu", "me@gpu-room")
    assert runs.label(Path(spec.runs[0])).name.endswith("member 1 of 3")


def test_that_several_machines_without_members_train_one_network_together(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    listed(hands, setup, READY, OTHER, allow_images=True, interface="eth1", allow_unencrypted=True)
    tick(hands, "Train on gpu")
    tick(hands, "Train on lab")
    hands.wait(lambda: "measured" in hands.text(SENTENCE))
    assert [one["name"] for one in setup.asked()["nodes"]] == ["gpu", "lab"]  # type: ignore[attr-defined]
    assert hands.text(SENTENCE) == (
        "On gpu and lab: 4.0 GiB of 10.0 GiB free on gpu, 4.0 GiB of 4.0 GiB free on lab, about 3.0 s an epoch, about "
        "1.9 × as fast as one; the link between them carries 112 MB/s, measured."
    )
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
    hands.click("Start the training")
    hands.wait(lambda: any(job.job.kind == "train" for job in setup.jobs))
    job = setup.last("train").job
    assert (job.place, job.spec["fit"], job.least, job.most) == ("node:gpu,lab", "auto", 1, 2)


def test_that_this_computer_is_ticked_beside_a_machine_once_both_may_talk_and_the_reason_is_said_before(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    listed(hands, setup, READY, allow_images=True, interface="eth1", allow_unencrypted=True)
    tick(hands, "Train on gpu")
    assert not box(hands, "Train on The CPU").isChecked(), "a machine is ticked in place of this computer"
    tick(hands, "Train on The CPU")
    assert box(hands, "Train on gpu").isChecked() and box(hands, "Train on The CPU").isChecked()
    why = hands.text("Why it cannot start")
    for words in ("Of this computer no network interface is named", "unencrypted", "fullfield node add local --interf"):
        assert words in why
    assert not hands.widget("Start the training").isEnabled() and not hands.sees("Processes on The CPU")
    members = hands.widget("Members of an ensemble")
    assert isinstance(members, QSpinBox)
    members.setValue(2)
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
    assert "shared by 2 machines" in hands.text("How long the training is"), "members say nothing to one another"
    hands.wait(lambda: setup.asked()["device"] == "cpu" and not setup.asked()["gpu"])  # the one with less memory
    members.setValue(1)
    node.keep(Node(name="local", address="local", interface="eth0", allow_unencrypted=True))
    listed(hands, setup, replace(READY, cards=()), allow_images=True, interface="eth1", allow_unencrypted=True)
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
    hands.wait(lambda: hands.text(SENTENCE).startswith("On this computer and gpu: 4.0 GiB of 8.0 GiB free on this "))
    hands.click("Start the training")
    hands.wait(lambda: any(job.job.kind == "train" for job in setup.jobs))
    job = setup.last("train").job
    assert (job.place, job.spec["device"], job.least, job.most) == ("node:local,gpu", "auto", 1, 2)
    tick(hands, "Train on gpu")
    assert box(hands, "Train on The CPU").isChecked() and not box(hands, "Train on gpu").isChecked()
    for ticked in (True, False):  # a machine alone, then none
        tick(hands, "Train on gpu")
        assert box(hands, "Train on gpu").isChecked() is ticked is not box(hands, "Train on The CPU").isChecked()
