"""This computer among the machines that enhance: it takes images from the start where it is named, in turn, and what it
cannot do a node does. The time for which an image waits for it is not the image's."""

from __future__ import annotations

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pydicom import dcmread

import map_file
from fullfield.enhance import batch
from fullfield.enhance.elsewhere import Elsewhere, Machines
from fullfield.errors import OutOfMemory, UsageError
from fullfield.image import multiscale
from fullfield.image.image import Enhanced, Image
from fullfield.image.preset import Preset
from fullfield.jobs.job import Job
from fullfield.model import shipped
from fullfield.nodes import enhancing as nodes_enhancing
from fullfield.nodes.exchange import Answer
from fullfield.nodes.here import Here
from fullfield.nodes.reached import Reached
from fullfield.protocol.events import (
    Event,
    ItemDone,
    ItemFailed,
    ItemSkipped,
    ItemStarted,
    ItemWaits,
    Notice,
    RunEnded,
)
from fullfield_app.cli import overseer
from nodes.servers import kept, left
from nodes.test_enhancing import image, radiographs, spec
from nodes.test_sharing import PRESET, Fake
from training import FakeContext


@pytest.mark.parametrize("choice", ["auto", "shipped.safetensors"])
@pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")
def test_that_this_computer_and_a_node_share_a_batch_with_equal_pixels(
    choice: str, there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    map_file.write(shipped.folder() / "shipped.safetensors")
    sources, done = radiographs(tmp_path / "study", 6), list[str]()
    batch.run(spec(sources, tmp_path / "here", choice=choice), FakeContext(tmp_path / "run"))
    kept("gpu", there, allow_images=True)
    ask, compute, both = Reached.ask, Here.compute, threading.Barrier(2)

    def count(name: str) -> None:
        done.append(name)
        if done.count(name) == 1:
            both.wait(60)  # neither waits for the other to have done all

    def asked(self: Reached, *given: Any) -> Answer | None:
        answer = ask(self, *given)
        count(self.name)
        return answer

    def computed(self: Here, *given: Any, lanes: int) -> Enhanced:
        made = compute(self, *given, lanes=lanes)
        count("here")
        return made

    monkeypatch.setattr(Reached, "ask", asked)
    monkeypatch.setattr(Here, "compute", computed)
    context = FakeContext(tmp_path / "run2")
    summary = batch.run(spec(sources, tmp_path / "shared", "node:local,gpu", choice=choice, jobs=0), context)
    assert (summary["done"], len(done)) == (6, 6) and set(done) == {"gpu", "here"}, context.reported(ItemFailed)
    assert [one.text for one in context.reported(Notice) if one.level == "warning"] == []
    for source in sources:
        name = f"{source.stem}_enhanced.dcm"
        wanted, found = dcmread(tmp_path / "here" / name), dcmread(tmp_path / "shared" / name)
        assert wanted.pixel_array.std() > 0 and (wanted.pixel_array == found.pixel_array).all()
        assert wanted.DerivationDescription == found.DerivationDescription
        assert ("flat map" in found.DerivationDescription) == (choice != "auto")
    assert left(there) == []


@pytest.fixture
def reported() -> list[Event]:
    return []


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reported: list[Event]) -> Elsewhere:
    """This computer, which enhances two images at once, and a node with one card."""
    use_fakes(monkeypatch, tmp_path, lanes=2)
    found = Machines(device="auto", emit=reported.append).find("node:local,small")
    assert found is not None
    return found


def use_fakes(monkeypatch: pytest.MonkeyPatch, folder: Path, *, lanes: int) -> None:
    for name in Fake.cards:
        kept(name, folder / name, name=name, allow_images=True)
    monkeypatch.setattr(nodes_enhancing, "Reached", Fake)
    monkeypatch.setattr(nodes_enhancing, "presets_at_once", lambda: lanes)
    monkeypatch.setattr(Fake, "made", [], raising=False)


def test_that_this_computer_has_no_more_in_hand_than_it_computes_at_once(
    machine: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert machine.at_once == 2 + (1 + 1), "to this computer nothing travels"
    together, enhance = threading.Barrier(4), multiscale.enhance

    def here(image: Image, preset: Preset) -> Enhanced:
        together.wait(60)
        return enhance(image, preset)

    monkeypatch.setattr("fullfield.nodes.enhancing.multiscale.enhance", here)
    monkeypatch.setattr(Fake, "together", together)
    with ThreadPoolExecutor(max_workers=4) as pool:
        made = [one.result() for one in [pool.submit(machine.by_preset, image(), PRESET) for _ in range(4)]]
    assert sum(bool(one.pixels.any()) for one in made) == 2, "a Fake's results are black"
    assert [one.did for one in Fake.made] == [2]


def test_that_a_node_does_what_this_computer_cannot_and_that_is_said(
    machine: Elsewhere, reported: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    def here(image: Image, preset: Preset) -> Enhanced:
        raise OutOfMemory("Cannot enhance it.", detail="Memory ran out.")

    monkeypatch.setattr("fullfield.nodes.enhancing.multiscale.enhance", here)
    for _ in range(2):
        assert not machine.by_preset(image(), PRESET).pixels.any()
    said = "Cannot enhance it. Memory ran out. What this computer cannot do is enhanced on small."
    assert [(one.text, one.level, one.topic) for one in reported if isinstance(one, Notice)] == [
        (said, "warning", "place:local")
    ]
    Fake.made[0].is_there = False
    with pytest.raises(OutOfMemory):
        machine.by_preset(image(), PRESET)


def test_that_this_computer_is_named_once(machine: Elsewhere) -> None:
    with pytest.raises(UsageError, match="One is named twice"):
        Machines(device="auto", emit=lambda event: None).find("node:local,small,local")


def test_that_images_of_nodes_that_are_lost_at_once_say_that_they_wait_for_this_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_fakes(monkeypatch, tmp_path, lanes=1)
    monkeypatch.setattr(Fake, "together", threading.Barrier(6))
    monkeypatch.setattr(Fake, "is_there", True, raising=False)
    running, most, enhance, lock = 0, 0, multiscale.enhance, threading.Lock()

    def lose(self: Fake, *given: object) -> None:
        self.together.wait(60)  # all are in hand
        for one in Fake.made:
            one.is_there = False

    def here(image: Image, preset: Preset) -> Enhanced:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        made = enhance(image, preset)
        with lock:
            running -= 1
        return made

    monkeypatch.setattr(Fake, "ask", lose)
    monkeypatch.setattr("fullfield.nodes.enhancing.multiscale.enhance", here)
    context = FakeContext(tmp_path / "run")
    sources = radiographs(tmp_path / "study", 6)
    summary = batch.run(spec(sources, tmp_path / "out", "node:small,large", jobs=0), context)
    assert (summary["done"], most) == (6, 1)
    kinds = (ItemStarted, ItemWaits, ItemDone)
    lives = [[type(one) for one in context.events if isinstance(one, kinds) and one.index == i] for i in range(6)]
    assert lives.count([ItemStarted, ItemDone]) <= 1, lives
    assert all(one in ([ItemStarted, ItemDone], [ItemStarted, ItemWaits, ItemStarted, ItemDone]) for one in lives)


class Played:
    """A run that tells its events by a clock: each time that is looked at it, the next part."""

    def __init__(self, folder: Path, parts: list[tuple[float, Event]]) -> None:
        self.folder, self.now, self.killed = folder, 0.0, False
        self._parts = parts

    def poll(self) -> list[Event]:
        if self.killed:
            return [ItemFailed(index=-1, error={}), RunEnded(reason="died", summary={})]
        seconds, event = self._parts.pop(0)
        self.now += seconds
        return [event]

    def kill(self) -> None:
        self.killed = True


@pytest.mark.parametrize(("waits", "verdicts"), [(True, [ItemDone, ItemDone]), (False, [ItemDone, ItemFailed])])
def test_that_waiting_for_this_computer_is_not_an_image_s_time(
    waits: bool, verdicts: list[type[Event]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def done(index: int) -> ItemDone:
        return ItemDone(index=index, output="", seconds=1.0, peak_bytes=0)

    parts: list[tuple[float, Event]] = [(0.0, ItemStarted(index=0)), (0.0, ItemStarted(index=1))]
    parts += [(0.0, ItemWaits(index=1))] if waits else []
    parts += (
        [(100.0, done(0)), (100.0, ItemStarted(index=1))] if waits else [(100.0, done(0)), (100.0, Notice(text=""))]
    )
    parts += [(100.0, done(1)), (0.0, RunEnded(reason="completed", summary={}))]
    run = Played(tmp_path / "run", parts)

    def launch(job: Job) -> Played:
        return run

    monkeypatch.setattr(overseer, "launch", launch)
    monkeypatch.setattr(overseer.time, "monotonic", lambda: run.now)
    reported: list[Event] = []
    sources = [tmp_path / "a.dcm", tmp_path / "b.dcm"]
    overseer.Overseer(spec(sources, tmp_path / "out", timeout=120.0), reported.append).run()
    assert [type(one) for one in reported if isinstance(one, ItemDone | ItemFailed | ItemSkipped)] == verdicts
