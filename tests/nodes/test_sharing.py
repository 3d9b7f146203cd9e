"""Several nodes that share a batch: each image goes to the one that has least to do, and what one does not do another
one does, and in the end this computer."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from pydicom import dcmread

from fullfield.enhance import batch
from fullfield.enhance.elsewhere import Elsewhere, Machines
from fullfield.errors import UsageError
from fullfield.image import multiscale, presets
from fullfield.image.image import Enhanced, Image
from fullfield.image.preset import Preset
from fullfield.nodes import enhancing as nodes_enhancing
from fullfield.nodes import node, reached
from fullfield.nodes.exchange import Answer
from fullfield.nodes.image_lines import Asked
from fullfield.nodes.node import Node
from fullfield.nodes.reached import Reached
from fullfield.protocol.events import Event, ItemDone, ItemFailed, Notice
from nodes.servers import enhancing, kept, left
from nodes.test_enhancing import image, radiographs, spec
from training import FakeContext

PRESET = presets.load("general")


class Killing(FakeContext):
    """A batch whose nodes are killed one after another, as soon as so many images are done."""

    def __init__(self, folder: Path, nodes: dict[int, Path]) -> None:
        super().__init__(folder)
        self._nodes, self._lock = nodes, threading.Lock()

    def emit(self, event: Event, /) -> None:
        with self._lock:
            super().emit(event)
            there = self._nodes.pop(len(self.reported(ItemDone)), None)
        if there is not None:
            [process] = enhancing(there)
            process.kill()


@pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")
def test_that_two_nodes_killed_one_after_the_other_cost_none_of_sixty_images(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources, done = radiographs(tmp_path / "study", 60), list[str]()
    batch.run(spec(sources, tmp_path / "here"), FakeContext(tmp_path / "run"))
    for name in ("a", "b"):
        kept(address, tmp_path / name, name=name, allow_images=True)
    ask, enhance = Reached.ask, multiscale.enhance
    both, first = threading.Barrier(2), {"a": True, "b": True}

    def asked(self: Reached, *given: Any) -> Answer | None:
        answer = ask(self, *given)
        if answer is not None:
            done.append(self.name)
            if first.pop(self.name, False):
                both.wait(60)  # neither is killed before it has done one
        return answer

    def here(image: Image, preset: Preset) -> Enhanced:
        done.append("here")
        return enhance(image, preset)

    monkeypatch.setattr(Reached, "ask", asked)
    monkeypatch.setattr(reached, "WAITS", (600.0,))
    monkeypatch.setattr("fullfield.nodes.enhancing.multiscale.enhance", here)
    context = Killing(tmp_path / "run2", {20: tmp_path / "a", 40: tmp_path / "b"})
    summary = batch.run(spec(sources, tmp_path / "away", "node:a,b", jobs=0), context)
    assert (summary["done"], summary["failed"], len(done)) == (60, 0, 60), context.reported(ItemFailed)
    assert set(done) == {"a", "b", "here"}, done
    one, other = (notice.text for notice in context.reported(Notice) if notice.level == "warning")
    assert "The line to the node a is cut." in one and one.endswith("What is not done there is enhanced on b.")
    assert "The line to the node b is cut." in other and other.endswith("is enhanced on this computer.")
    for source in sources:
        name = f"{source.stem}_enhanced.dcm"
        wanted, found = dcmread(tmp_path / "here" / name), dcmread(tmp_path / "away" / name)
        assert wanted.pixel_array.std() > 0 and (wanted.pixel_array == found.pixel_array).all()
    assert left(tmp_path / "a") == left(tmp_path / "b") == []


class Fake:
    """In the place of a node: `cards` by its name; it waits for `together`, then does what `does` says of it."""

    cards: ClassVar = {"small": 1, "large": 3}
    together = threading.Barrier(1)
    does: Callable[[str], bool] = staticmethod(lambda name: True)
    made: ClassVar[list[Fake]]

    def __init__(self, there: Node, **given: Any) -> None:
        if there.command == "older":
            raise UsageError("Another version.")
        self.name, self.lanes, self.busy, self.is_there = there.name, self.cards[there.name], 0, True
        self.refused = self.did = 0
        self.closed = False
        self.made.append(self)

    @property
    def is_useless(self) -> bool:
        return bool(self.refused and not self.did)

    def ask(self, image: Image, asked: Asked, model: object) -> Answer | None:
        self.together.wait(60)
        if not self.does(self.name):
            self.refused += 1
            return None
        self.did += 1
        return Answer(pixels=np.zeros_like(image.pixels), seen=np.zeros(1, np.float32), warnings=(), left=1.0)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def open_both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], Elsewhere]:
    for name in Fake.cards:
        kept(name, tmp_path / name, name=name, allow_images=True)
    monkeypatch.setattr(nodes_enhancing, "Reached", Fake)
    monkeypatch.setattr(Fake, "made", [], raising=False)
    machines = Machines(device="auto", emit=lambda event: None)

    def opened() -> Elsewhere:
        found = machines.find("node:small,large")
        assert found is not None
        return found

    return opened


def test_that_each_node_gets_images_by_its_cards(
    open_both: Callable[[], Elsewhere], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = open_both()
    assert machine.at_once == (1 + 1) + (3 + 1)
    monkeypatch.setattr(Fake, "together", threading.Barrier(4))
    with ThreadPoolExecutor(max_workers=4) as pool:
        for one in [pool.submit(machine.by_preset, image(), PRESET) for _ in range(4)]:
            one.result()
    assert {one.name: (one.did, one.busy) for one in Fake.made} == {"small": (1, 0), "large": (3, 0)}


def test_that_a_node_that_does_nothing_is_asked_once(
    open_both: Callable[[], Elsewhere], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Fake, "does", staticmethod(lambda name: name == "large"))
    machine = open_both()
    made = [machine.by_preset(image(), PRESET) for _ in range(3)]
    assert not any(one.pixels.any() for one in made), "none was enhanced here"
    assert {one.name: (one.refused, one.did) for one in Fake.made} == {"small": (1, 0), "large": (0, 3)}
    monkeypatch.setattr(Fake, "does", staticmethod(lambda name: False))
    assert machine.by_preset(image(), PRESET).pixels.any(), "what none of them does is done here"


def test_that_nodes_are_named_once_allow_images_and_have_this_version_or_none_is_kept_open(
    open_both: Callable[[], Elsewhere], tmp_path: Path
) -> None:
    machines = Machines(device="auto", emit=lambda event: None)
    with pytest.raises(UsageError, match="One is named twice"):
        machines.find("node:small,small")
    kept("large", tmp_path / "large", name="large")
    with pytest.raises(UsageError, match=r"Cannot enhance on the node large.*nobody has allowed"):
        open_both()
    node.keep(Node(name="large", address="large", command="older", allow_images=True))
    with pytest.raises(UsageError, match="Another version"):
        open_both()
    assert [(one.name, one.closed) for one in Fake.made] == [("small", True)]


def test_that_a_node_computes_as_many_images_as_its_device_means_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cards:
        def __init__(self, *given: object) -> None:
            self.cards = 4

    monkeypatch.setattr(reached, "Exchange", Cards)
    gpu = Node(name="gpu", address="gpu")
    names = {"auto": 4, "cuda": 4, "cuda:3": 1, "cuda:0,cuda:1": 2, "cpu": 1}
    made = {name: Reached(gpu, device=name, emit=lambda event: None, instead=lambda one: "") for name in names}
    assert {name: one.lanes for name, one in made.items()} == names
