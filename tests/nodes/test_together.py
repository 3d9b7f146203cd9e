"""Nodes that train together, each in a network of its own behind a real sshd: they come, are killed, freeze and are cut
off, and the training goes on with the others to the same end."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from fullfield import checked
from fullfield.errors import UsageError
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.nodes import together
from fullfield.nodes.mirror import Note
from fullfield.nodes.node import Node, keep
from fullfield.nodes.probe import Probe, Versions
from fullfield.protocol import fleets
from fullfield.protocol.events import Event, Notice, RunEnded, RunFailed, StepDone
from fullfield.protocol.rank_events import NodesChanged
from nodes import talking
from nodes.networks import INTERFACE, Network, network
from nodes.servers import SITE, kept

JOINT = "data_parallel:batch_norm=joint"
SECONDS = 120.0  # after which a test that hangs says so


def test_that_several_nodes_train_together_only_where_an_interface_is_named_and_its_traffic_allowed() -> None:
    whole = Node(name="a", address="a", interface="eth1", allow_unencrypted=True)
    together.refuse((whole, Node(name="b", address="b", interface="eth1", allow_unencrypted=True)))
    together.refuse((Node(name="alone", address="x"),))
    with pytest.raises(UsageError, match=r"Of b no network interface is named.*travels unencrypted"):
        together.refuse((whole, Node(name="b", address="b", allow_unencrypted=True)))
    with pytest.raises(UsageError, match=r"travels unencrypted.*--interface eth1 --allow-unencrypted"):
        together.refuse((whole, Node(name="b", address="b", interface="eth1")))
    with pytest.raises(UsageError, match="One is named twice"):
        together.refuse((whole, whole))
    with pytest.raises(UsageError, match="no name of a network interface"):
        Node(name="a", address="a", interface="eth1 up; true")


def test_that_a_computer_whose_processes_cannot_work_together_says_so_and_only_drives_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = Node(name="a", address="a", interface="eth1", allow_unencrypted=True)
    own = Node(name="local", address="local", interface="eth1", allow_unencrypted=True)
    together.refuse((own, whole))
    monkeypatch.setattr("fullfield.system.WINDOWS", True)
    with pytest.raises(UsageError, match=r"This computer cannot be one of them\. .*Leave it out \(local\)"):
        together.refuse((own, whole))
    together.refuse((whole, replace(whole, name="b")))


def test_that_the_numbers_of_nodes_are_those_that_are_named() -> None:
    assert [fleets.bounds(text, 3) for text in ("", "1:3", "2", "2:2")] == [(3, 3), (1, 3), (2, 2), (2, 2)]
    for text in ("0:3", "2:1", "1:4", "a:b", ":2", "9" * 5000, "1:" + "9" * 5000):
        with pytest.raises(UsageError, match="3 are named"):
            fleets.bounds(text, 3)


def test_that_the_head_is_told_what_each_node_has_and_one_that_did_not_answer_counts_as_the_smallest() -> None:
    def has(free: int) -> Probe:
        versions = Versions(fullfield="1", torch="2")
        return Probe(versions=versions, python="3", system="Linux", cores=4, free_bytes=free, total_bytes=100)

    nodes = tuple(Node(name=name, address=name, interface="eth1") for name in "abc")
    found = together.computers(nodes, {"a": has(9), "c": has(5)})
    assert [(one.name, one.free_bytes, one.total_bytes) for one in found] == [
        ("a", 9, 100),
        ("b", 5, 100),
        ("c", 5, 100),
    ]
    job = Job(kind="train", place="node:a,b,c")
    reported = together.fleet(job, nodes, 0, "f" * 32, Note(), found)
    told = checked.make(fleets.Fleet, json.loads(json.dumps(reported)))
    assert told.computers == tuple(replace(one, name=word) for word, one in zip(told.names, found, strict=True))


def test_that_the_key_of_their_store_stands_in_no_command_line() -> None:
    nodes = tuple(Node(name=name, address=name, interface="eth1") for name in "ab")
    run, key = "f" * 32, "0" * 32
    for number in (0, 1):
        reported = together.fleet(Job(kind="train", place="node:a,b"), nodes, number, run, Note(id=run, key=key))
        assert reported is not None and reported["key"] == key, "which is another than the run's name"


class Following:
    """A training, and what was told of it."""

    def __init__(self, handle: JobHandle) -> None:
        self._handle, self.events = handle, list[Event]()
        self._news: list[Event] = []
        self.waits: list[float] = []  # seconds, of each `together`

    def until(self, wanted: Callable[[Event], bool]) -> None:
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends:
            self._news += self._handle.poll()
            while self._news:
                self.events.append(self._news.pop(0))
                if wanted(self.events[-1]):
                    return
            time.sleep(0.05)
        raise AssertionError(self.events[-20:])

    def together(self, *nodes: str) -> None:
        """Until these train together, and have made a step: at most one of those before was lost."""
        before, begun = self.step, time.monotonic()
        self.until(lambda event: isinstance(event, NodesChanged) and event.nodes == nodes)
        before = max(before, self.step)
        self.until(lambda event: isinstance(event, StepDone))
        self.waits.append(time.monotonic() - begun)
        assert before <= self.step <= before + 1, "what was saved last is gone on with"

    @property
    def step(self) -> int:
        return next((event.step for event in reversed(self.events) if isinstance(event, StepDone)), 0)

    def reported(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    """Three nodes, on which the training is that of `nodes.toy`."""
    (tmp_path / "net").mkdir()
    monkeypatch.setenv("PYTHONPATH", SITE)
    with network(tmp_path / "net", "a", "b", "c") as made:
        monkeypatch.setenv("PATH", f"{tmp_path / 'net' / 'bin'}{os.pathsep}{os.environ['PATH']}")
        for name in made.names:
            kept(
                made.address(name),
                tmp_path / name,
                name=name,
                interface=INTERFACE,
                allow_images=True,
                allow_unencrypted=True,
            )
        yield made


@pytest.mark.training
@pytest.mark.slow
def test_that_nodes_come_die_freeze_and_are_cut_off_and_the_end_is_that_of_an_undisturbed_training(
    net: Network, tmp_path: Path, record_testsuite_property: Callable[[str, object], None]
) -> None:
    from fullfield.protocol.training import from_json
    from nodes import toy
    from training import prepared_phantoms, settings

    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192)
    spec = from_json(settings(data, techniques=[JOINT], batch=3, place="node:a,b,c"))
    net.cut("c")
    handle = launch(Job.of(spec, nodes="1:3"), folder=tmp_path / "run")
    run = Following(handle)
    run.together("a", "b")

    net.heal("c")
    run.together("a", "b", "c")
    os.kill(rank_of(tmp_path / "b"), signal.SIGKILL)
    run.together("a", "b", "c")
    net.send("c", signal.SIGSTOP)
    run.together("a", "b")
    net.send("c", signal.SIGCONT)
    run.together("a", "b", "c")
    assert {name: net.listening(name) for name in net.names} == {name: {net.address(name)} for name in net.names}
    net.cut("b")
    net.send("b", signal.SIGKILL)
    run.together("a", "c")
    cut = time.time()
    net.cut("a")
    time.sleep(12.0)  # the head goes on alone, and the other ends
    healed = time.monotonic()
    net.heal("a")
    run.until(lambda event: isinstance(event, NodesChanged) and event.nodes == ("a",))
    gone = len(run.events)
    run.together("a", "c")  # which a slow computer may be before it has made a step alone
    run.waits[-1] = time.monotonic() - healed
    handle.stop()
    run.until(lambda event: isinstance(event, RunEnded))
    run.waits.append(next(event.time for event in run.events[gone:] if isinstance(event, StepDone)) - cut)
    record_testsuite_property("seconds to the next step", [round(one, 1) for one in run.waits[1:]])  # --junitxml FILE

    assert run.reported(RunEnded)[-1].reason == "stopped" and not run.reported(RunFailed)
    said = [notice.text for notice in run.reported(Notice)]
    for words in ("seconds from c. The training goes on with a, b.", "A process on b has ended without a word"):
        assert any(words in text for text in said), said
    assert not any(word in text for text in said for word in ("NCCL", "gloo", "Traceback", ".cpp"))
    alone = toy.state(())
    begun = toy.tensors(alone)
    for _ in range(run.step):
        toy.step(alone)
    left = toy.saved(tmp_path / "run" / "checkpoints" / f"step-{run.step:09d}.safetensors")
    weight = "network.stages.stem.conv1.weight"
    assert float((toy.tensors(alone)[weight] - begun[weight]).abs().max()) > 1e-6
    for name, wanted in toy.tensors(alone).items():
        if wanted.is_floating_point():
            moved = float((wanted - begun.get(name, 0 * wanted)).abs().max())
            assert float((left[name] - wanted).abs().max()) <= 1e-11 * max(moved, 1e-3), name


@pytest.mark.training
@pytest.mark.slow
def test_that_this_computer_is_one_of_several_without_ssh_and_leads(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fullfield.protocol.training import from_json
    from training import prepared_phantoms, settings

    monkeypatch.setenv("PYTHONPATH", SITE)
    kept(address, tmp_path / "gpu", interface="lo", allow_images=True, allow_unencrypted=True)
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192)
    spec = from_json(settings(data, techniques=[JOINT], batch=3))
    job = Job.of(replace(spec, place="node:local,gpu"))
    with pytest.raises(UsageError, match=r"Of this computer no network interface.*node add local --interface NAME"):
        launch(job, folder=tmp_path / "run")
    keep(Node(name="local", address="local", interface="lo", allow_unencrypted=True))
    handle = launch(job, folder=tmp_path / "run")
    run = Following(handle)
    run.together("local", "gpu")
    handle.stop()
    run.until(lambda event: isinstance(event, RunEnded))

    assert run.reported(RunEnded)[-1].reason == "stopped" and not run.reported(RunFailed)
    said = " ".join(notice.text for notice in run.reported(Notice))
    for words in (together.UNENCRYPTED, "It runs on this computer: ", "It runs on the node gpu: "):
        assert words in said
    assert [*(tmp_path / "run" / "checkpoints").glob("step-*")], "what the head has saved lies here"
    rank_of(tmp_path / "gpu")


@pytest.mark.training("torch")
@pytest.mark.slow
def test_that_who_died_is_named_where_every_rank_is_inside_a_message_to_it(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fullfield.protocol.training import from_json
    from training import prepared_phantoms, settings

    monkeypatch.setenv("PYTHONPATH", SITE)
    before = f"TRAINS={talking.__name__}; export TRAINS;"
    for name in ("a", "b"):
        given = {"allow_images": True, "allow_unencrypted": True}
        kept(name, there / name, name=name, before=before, interface="lo", **given)
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192)
    spec = from_json(settings(data, techniques=[JOINT], batch=3, place="node:a,b"))
    handle = launch(Job.of(spec, nodes="1:2"), folder=tmp_path / "run")
    run = Following(handle)
    run.until(lambda event: isinstance(event, NodesChanged) and event.nodes == ("a", "b"))
    run.until(lambda event: isinstance(event, StepDone))
    os.kill(rank_of(there / "b"), signal.SIGKILL)
    run.until(lambda event: isinstance(event, NodesChanged))
    run.until(lambda event: isinstance(event, Notice))
    assert run.reported(Notice)[-1].text == "A process on b has ended without a word. The training goes on with a, b."
    run.until(lambda event: isinstance(event, StepDone))

    (worker,) = (there / "b").rglob("run/worker.json")
    for process in all_of(int(json.loads(worker.read_text())["pid"])):
        process.kill()  # what closes its connections at once: nobody has to wait for a sign of life
    run.until(lambda event: isinstance(event, NodesChanged))
    run.until(lambda event: isinstance(event, Notice))
    assert re.fullmatch(
        r"No answer for \d+ seconds from b\. The training goes on with a\.", run.reported(Notice)[-1].text
    )
    run.until(lambda event: isinstance(event, NodesChanged) and event.nodes == ("a", "b"))
    handle.stop()
    run.until(lambda event: isinstance(event, RunEnded))
    assert run.reported(RunEnded)[-1].reason == "stopped" and not run.reported(RunFailed)


def all_of(pid: int) -> list[psutil.Process]:
    """A process and all that it has begun."""
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def rank_of(node: Path) -> int:
    """The process that computes on a node."""
    (reported,) = node.rglob("run/worker-[1-9].json")
    return int(json.loads(reported.read_text())["pid"])
