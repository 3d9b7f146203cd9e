"""One node of several: where its head listens, how its agent is begun, and how the run there ends by how that ends."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fullfield import __version__, files, system
from fullfield.errors import ExitCode, OutOfMemory, UsageError
from fullfield.jobs import event_log, ranks
from fullfield.jobs import job as jobs
from fullfield.jobs.agent import Part
from fullfield.jobs.job import Job
from fullfield.jobs.launchers import fleet, local
from fullfield.jobs.worker import WorkerContext
from fullfield.protocol import event_lines, events
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import RunEnded, RunFailed, RunStarted
from fullfield.protocol.fleets import Fleet
from fullfield.protocol.rank_events import RankLost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows cannot be a rank")
FLEET = Fleet(names=("a", "b", "c"), number=0, least=1, most=3, interface=system.LOOPBACK, key="k")
HEAD, OTHER = (Job(kind="train", processes=2, fleet=replace(FLEET, number=number)) for number in (0, 1))
Meanwhile = Callable[[Path], None]


class Node:
    """The worker of a node, in the process of the test. `meanwhile`: what happens while its agent is at work."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.meanwhile = folder, lambda folder: None
        self.begun: list[Any] = []
        self.slept: list[float] = []
        self.killed: list[int] = []
        self._codes: list[int | None] = []
        monkeypatch.setattr(system, "spawn_bound", self._spawn)
        monkeypatch.setattr(system, "kill_tree", self.killed.append)
        monkeypatch.setattr(local, "interpreter", lambda kind: None)
        monkeypatch.setattr(fleet, "time", SimpleNamespace(sleep=self._sleep))

    meanwhile: Meanwhile

    def work(self, job: Job, code: int) -> int:
        """Its exit code, where its agent ends by `code`."""
        jobs.save(job, self.folder)
        self._codes = [None, None, code]
        return fleet.work(job, WorkerContext(self.folder, rank=0, world=1))

    def told(self) -> list[Any]:
        """What it tells after its begin."""
        lines = event_log.path(self.folder).read_text(encoding="utf-8").splitlines()
        found = [event_lines.from_line(line) for line in lines]
        assert isinstance(found[0], RunStarted)
        assert (found[0].job, found[0].pid, found[0].world, found[0].version) == ("train", os.getpid(), 3, __version__)
        return [replace(event, time=0.0) for event in found[1:] if event is not None]

    def _spawn(self, *given: Any) -> Any:
        self.begun.append(given)
        self.meanwhile(self.folder)
        return SimpleNamespace(pid=4711, poll=lambda: self._codes.pop(0), returncode=self._codes[-1])

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Node:
    return Node(tmp_path, monkeypatch)


def ends(folder: Path) -> None:
    """Rank 0 says how."""
    files.append_line(event_log.path(folder), events.to_line(RunEnded(reason="completed")))


def test_that_its_agent_is_begun_waited_for_and_leaves_nothing(node: Node) -> None:
    jobs.save(HEAD, node.folder)
    node.meanwhile = ends
    assert node.work(replace(HEAD, least=2), Part.DONE) == ExitCode.ALL_DONE
    assert node.begun == [([sys.executable, "-P", "-m", "fullfield.jobs.agent", str(node.folder)], local.environment())]
    assert node.slept == [fleet.LOOK_SECONDS] * 2 and node.killed == [4711]
    assert [type(event) for event in node.told()] == [RunEnded]
    assert jobs.load(node.folder).least == 2, "what was asked is accepted"


def test_that_its_agent_is_ended_with_it(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fleet, "time", SimpleNamespace(sleep=interrupted))
    with pytest.raises(KeyboardInterrupt):
        node.work(HEAD, Part.DONE)
    assert node.killed == [4711]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_that_a_signal_asks_its_ranks_to_stop(node: Node, number: signal.Signals) -> None:
    def meanwhile(folder: Path) -> None:
        signal.raise_signal(number)
        assert (folder / "commands.jsonl").read_text() == f"{Stop().to_line()}\n"
        ends(folder)

    node.meanwhile = meanwhile
    assert node.work(HEAD, Part.DONE) == ExitCode.INTERRUPTED
    assert [type(event) for event in node.told()] == [RunEnded]


@pytest.mark.parametrize(
    ("job", "code", "reason", "found"),
    [
        (OTHER, Part.DONE, "completed", ExitCode.ALL_DONE),
        (OTHER, Part.STOPPED, "stopped", ExitCode.INTERRUPTED),
        (HEAD, Part.STOPPED, "stopped", ExitCode.INTERRUPTED),
    ],
)
def test_that_a_part_that_is_done_or_was_stopped_is_told_where_no_rank_has(
    node: Node, job: Job, code: int, reason: str, found: ExitCode
) -> None:
    assert node.work(job, code) == found
    assert node.told() == [RunEnded(reason=reason)]


@pytest.mark.parametrize(
    ("job", "code", "detail"),
    [
        (HEAD, Part.DONE, "It ended by itself, with exit code 0."),
        (OTHER, Part.UNFORESEEN, "It ended by itself, with exit code 1."),
        (OTHER, Part.FAILED, "It ended by itself, with exit code 4."),
        (HEAD, -9, "Somebody or the system killed it; most often because no memory was left."),
        (OTHER, Part.HEAD_LOST, "The node that leads it does not answer any more."),
    ],
)
def test_that_a_part_without_a_word_ends_with_what_is_known(node: Node, job: Job, code: int, detail: str) -> None:
    assert node.work(job, code) == ExitCode.UNEXPECTED
    failed, ended = node.told()
    assert isinstance(failed, RunFailed) and ended == RunEnded(reason="failed")
    assert (failed.error["detail"], failed.exit_code) == (detail, ExitCode.UNEXPECTED)


@pytest.mark.parametrize(("rank", "world"), [(3, 6), (5, 6), (6, 7)])
@pytest.mark.parametrize("job", [HEAD, OTHER])
def test_that_the_rank_that_has_left_why_is_named(node: Node, job: Job, rank: int, world: int) -> None:
    def meanwhile(folder: Path) -> None:
        (folder / "failed-0.json").write_text("{")
        ranks.tell(folder, rank, OutOfMemory("No memory."), how="frozen")
        ranks.tell(folder, 9, UsageError("Not this."))

    node.meanwhile = meanwhile
    assert node.work(job, Part.FAILED) == ExitCode.OUT_OF_MEMORY
    assert node.told() == [
        RankLost(rank=rank, world=world, how="frozen"),
        RunFailed(error=OutOfMemory("No memory.").as_fields(), exit_code=ExitCode.OUT_OF_MEMORY),
        RunEnded(reason="failed"),
    ]


def test_that_the_head_listens_at_a_free_port_of_its_interface_and_the_others_are_told_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Path] = []

    def spawn(folder: Path) -> Any:
        started.append(folder)
        return SimpleNamespace(pid=os.getpid(), poll=lambda: None)

    monkeypatch.setattr(local, "spawn", spawn)
    monkeypatch.setattr(local, "interpreter", lambda kind: None)
    handle = fleet.launch(HEAD, folder=tmp_path / "head")
    assert handle.folder == tmp_path / "head" == fleet.attach(tmp_path / "head").folder and handle.alive()
    own = jobs.load(tmp_path / "head").fleet
    assert own is not None and own.address == "127.0.0.1" and own.port > 1023
    assert replace(own, address="", port=0) == FLEET
    told = replace(FLEET, number=2, address="10.0.0.1", port=70)
    fleet.launch(replace(OTHER, fleet=told), folder=tmp_path / "other")
    assert jobs.load(tmp_path / "other").fleet == told
    assert started == [tmp_path / "head", tmp_path / "other"]
    for number in (0, 1):
        nowhere = replace(HEAD, fleet=replace(FLEET, interface="eth77", number=number))
        with pytest.raises(UsageError, match="no network interface 'eth77'"):
            fleet.launch(nowhere, folder=tmp_path / "nowhere")
    monkeypatch.setattr(system, "alone", lambda: "Windows has no such thing.")
    with pytest.raises(UsageError, match="Cannot start 2 processes that work together"):
        fleet.launch(HEAD, folder=tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()
    assert json.loads((tmp_path / "head" / "start.json").read_text())["pid"] == os.getpid()
