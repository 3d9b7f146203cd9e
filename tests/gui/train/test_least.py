"""With how many of several machines a training goes on: a number beside their ticks, and what it means in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QSpinBox

from fullfield_app.gui.train import places
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.techniques import chosen
from gui.hands import Hands
from gui.train.desk import READY, Setup, listed, ready, tick

LEAST, WHAT = "Goes on with at least so many machines", "What happens where a machine is lost"


def number(hands: Hands, title: str) -> QSpinBox:
    found = hands.widget(title)
    assert isinstance(found, QSpinBox)
    return found


def test_that_how_many_machines_are_enough_is_chosen_beside_them_and_reaches_the_job(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    reported = (READY, replace(READY, name="lab"))
    listed(hands, setup, *reported, allow_images=True, interface="eth1", allow_unencrypted=True)
    tick(hands, "Train on gpu")
    assert not hands.sees(LEAST), "one that is lost is waited for"
    tick(hands, "Train on lab")
    assert number(hands, LEAST).value() == 1 and hands.text("Of how many machines") == "of 2 machines"
    leads = "Without gpu, which leads, it ends, and can be resumed."
    assert hands.text(WHAT) == f"Where one is lost, the others go on from what was saved last. {leads}"
    number(hands, "Members of an ensemble").setValue(2)
    assert not hands.sees(LEAST), "each member trains on a machine of its own"
    number(hands, "Members of an ensemble").setValue(1)

    number(hands, LEAST).setValue(2)
    assert hands.text(WHAT) == f"Where one is lost, the training waits until it is back. {leads}"
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
    hands.click("Start the training")
    hands.wait(lambda: any(job.job.kind == "train" for job in setup.jobs))
    job = setup.last("train").job
    assert (job.place, job.least, job.most) == ("node:gpu,lab", 2, 2)


def test_that_one_machine_is_enough_unless_techniques_are_chosen_by_which_they_share_what_one_may_not_hold() -> None:
    alone = Choices().with_value("place", "node:gpu")
    three = Choices().with_value("place", "node:local,gpu,lab")
    assert [places.bounds(one) for one in (Choices(), alone, replace(three, members=3))] == [(1, 1)] * 3
    assert places.bounds(three) == (1, 3) and places.bounds(replace(three, least=2)) == (2, 3)
    assert places.bounds(replace(three, chosen=chosen(("banded_loss", "spatial")))) == (3, 3)
    assert places.bounds(replace(three, least=5)) == (3, 3), "of those that were ticked before"
