"""What is between two machines, asked and told."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from fullfield.jobs.job import Job
from fullfield.nodes.node import Node
from fullfield_app.gui.train.links_desk import LinksDesk
from gui.fake_setup import FakeSetup
from gui.train.desk import Setup


def test_that_a_link_that_is_told_late_is_none_of_the_machines_that_are_ticked_by_then(
    qtbot: QtBot, setup: Setup
) -> None:
    holds = False

    def launch(job: Job, /, *, folder: Path | None = None) -> FakeSetup:
        made = setup.launch(job, folder=folder)
        made.held = holds
        return made

    setup.folder.mkdir()
    a, c, d, e = (Node(name=name, address=f"me@{name}") for name in "acde")
    desk = LinksDesk(launch)
    try:
        desk.ask((d, e))
        qtbot.waitUntil(lambda: desk.reported("d", "e") is not None)
        holds = True
        desk.ask((a, c))
        qtbot.waitUntil(lambda: len(setup.jobs) == 2)
        desk.ask((d, e))
        setup.jobs[1].held = False
        qtbot.waitUntil(lambda: setup.jobs[1].ended)
        qtbot.wait(100)
        assert desk.reported("d", "c") is None and desk.reported("a", "c") is None
    finally:
        desk.close()
