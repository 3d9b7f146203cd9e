"""The workers of the page that trains, played by a test, and what hands do on that page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QCheckBox, QComboBox, QMessageBox

from fullfield.jobs.job import Job
from fullfield.nodes import node
from fullfield.nodes.node import Node
from fullfield.protocol.setup_events import NodeProbed, Present
from gui.fake_setup import GIB, PROCESSOR, FakeSetup, three_patients
from gui.hands import LEFT, NO_KEYS, Hands

CARD = Present(name="cuda:0", title="NVIDIA RTX A4000", total_bytes=16 * GIB, free_bytes=10 * GIB)
READY = NodeProbed(name="gpu", cards=(CARD,), cores=16, free_bytes=60 * GIB, fullfield="0.1.0", torch="2.15.0")


class Setup:
    """The workers that the page has started, and what it shall find."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.jobs = folder, list[FakeSetup]()
        self.running = False
        self.found = three_patients
        self.devices: tuple[Present, ...] = (PROCESSOR,)
        self.machines: tuple[NodeProbed, ...] = ()
        self.pixel_size = (1.0, 1.0)

    def launch(self, job: Job, /, *, folder: Path | None = None) -> FakeSetup:
        place = self.folder / f"{job.kind}-{len(self.jobs)}"
        self.jobs.append(FakeSetup(place, job, lambda: self.found(), self.devices, self.machines, self.pixel_size))
        return self.jobs[-1]

    def attach(self, folder: Path) -> FakeSetup:
        fake = FakeSetup(self.folder / f"found-{len(list(self.folder.iterdir()))}", Job(kind="train"))
        fake.ended = not self.running
        return fake

    def last(self, kind: str) -> FakeSetup:
        return [job for job in self.jobs if job.job.kind == kind][-1]

    def asked(self) -> Mapping[str, object]:
        """What was asked last, of the worker that plans now; nothing yet: None of everything."""
        asks = [command for command in self.last("planning").posted if command["command"] == "ask"]
        return defaultdict(lambda: None, asks[-1]["asked"] if asks else {})


def listed(hands: Hands, setup: Setup, *reported: NodeProbed, **changes: Any) -> None:
    """Machines are on the list, the page is shown anew, and they have answered."""
    for one in reported:
        node.keep(Node(name=one.name, address=f"me@{one.name}-room", **changes))
    setup.machines = reported
    panel = hands.window._pages["train"]
    panel.hide()
    panel.show()
    for one in reported:
        hands.wait(lambda one=one: hands.sees(f"Train on {one.name}"))  # type: ignore[misc]
        hands.wait(lambda one=one: "asked" not in hands.text(f"{one.name}, memory"))  # type: ignore[misc]


def box(hands: Hands, name: str) -> QCheckBox:
    found = hands.widget(name)
    assert isinstance(found, QCheckBox)
    return found


def tick(hands: Hands, name: str) -> None:
    """Click a box where its sign is."""
    hands.qtbot.mouseClick(box(hands, name), LEFT, NO_KEYS, QPoint(8, box(hands, name).height() // 2))


def type_size(hands: Hands, text: str) -> None:
    combo = hands.widget("Size in pixels")
    assert isinstance(combo, QComboBox)
    line = combo.lineEdit()
    assert line is not None
    line.setFocus()
    line.selectAll()
    hands.qtbot.keyClicks(line, text)


def question(hands: Hands) -> QMessageBox:
    hands.wait(lambda: bool(_boxes(hands)))
    return _boxes(hands)[0]


def _boxes(hands: Hands) -> list[QMessageBox]:
    return [found for found in hands.window.findChildren(QMessageBox) if found.isVisible()]


def ready(hands: Hands, data: Path) -> None:
    """A folder is dropped and surveyed, and there is a plan for it."""
    hands.drop([data])
    hands.wait(lambda: hands.sees("Images and patients"))
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
