"""Nodes that do not come to a training on several: why, told once for each reason, beside what the head tells."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fullfield.errors import InputUnreadable, UsageError
from fullfield.jobs import event_log
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.nodes import members, probe
from fullfield.nodes.members import Members
from fullfield.nodes.mirror import Mirror
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.nodes.ssh import LineCut
from fullfield.protocol import events, rank_events
from fullfield.protocol.events import Notice, RunEnded, RunFailed
from nodes.servers import SITE, command, kept, left

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")
SECONDS = 60.0  # after which a test that hangs says so
RUN = "0123456789abcdef" * 2


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, there: Path) -> None:
    for name in ("LOOK_SECONDS", "AGAIN_SECONDS", "LONGEST_SECONDS", "STARTS_SECONDS"):
        monkeypatch.setattr(members, name, 0.01)


class Started:
    """One other node that is looked after; `reported`: why it does not come."""

    def __init__(self, node: Node, given: Callable[[], tuple[Piece, ...]] = tuple, **asked: Any) -> None:
        self.reported: list[str] = []
        self.asked = 0
        self.members = Members((node,), lambda number, needed: self._request(asked), given, self.reported.append)
        self.members.begin()

    def _request(self, asked: dict[str, Any]) -> dict[str, Any]:
        self.asked += 1
        return {"id": RUN, "kind": "empty", "spec": {}, **asked}

    def until(self, wanted: Callable[[], Any]) -> None:
        ends = time.monotonic() + SECONDS
        while not wanted():
            assert time.monotonic() < ends, self.reported
            time.sleep(0.01)


@pytest.fixture
def begin() -> Iterator[Callable[..., Started]]:
    begun: list[Started] = []

    def start(*given: Any, **asked: Any) -> Started:
        begun.append(Started(*given, **asked))
        return begun[-1]

    yield start
    for one in begun:
        one.members.end()


def test_that_a_node_of_another_version_is_started_never_and_each_reason_is_told_once(
    begin: Callable[..., Started], tmp_path: Path
) -> None:
    answer, tries = tmp_path / "answer", tmp_path / "tries"
    tries.touch()
    ours = probe.versions()

    def has(version: str) -> None:
        versions = {"fullfield": version, "torch": ours.torch}
        said = {"versions": versions, "python": "3", "system": "Linux", "cores": 1, "free_bytes": 1}
        answer.with_suffix(".new").write_text(json.dumps(said))
        answer.with_suffix(".new").replace(answer)

    has("99.0")
    script = f"cat {shlex.quote(str(answer))}; echo >> {shlex.quote(str(tries))}"
    one = begin(Node(name="b", address="b", command=shlex.join(["sh", "-c", script])))
    one.until(lambda: tries.stat().st_size > 3)
    assert one.reported == [
        f"Not training with the others yet: the node b. Cannot train on the node b. It has Fullfield 99.0, and this "
        f"computer has {ours.fullfield}. Install the same version on both. It is tried again."
    ]
    has("98.0")
    one.until(lambda: len(one.reported) > 1)
    assert "It has Fullfield 98.0" in one.reported[1] and not one.asked
    one.members.receive(rank_events.NodesChanged(nodes=("a", "b")))
    one.members.receive(rank_events.NodesChanged(nodes=("a",), lost=("b",)))
    one.until(lambda: len(one.reported) > 2)
    assert one.reported[2] == one.reported[1], "it was there meanwhile"


def test_that_what_another_try_does_not_mend_is_tried_ever_more_seldom_and_a_line_as_often_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(members, "AGAIN_SECONDS", 3.0)
    monkeypatch.setattr(members, "LONGEST_SECONDS", 60.0)
    other, cut = UsageError("It has another version."), LineCut("The line is cut.")
    assert [members.again(other, tries) for tries in (0, 1, 2, 5, 2000)] == [3.0, 6.0, 12.0, 60.0, 60.0]
    assert members.again(cut, 2000) == 3.0


def test_that_what_keeps_a_node_from_its_part_is_told_with_what_to_do(
    begin: Callable[..., Started], there: Path
) -> None:
    absent = begin(Node(name="b", address="b", command="no-such-command"))
    absent.until(lambda: absent.reported)
    assert "There is no Fullfield on the node b." in absent.reported[0] and "Install it there" in absent.reported[0]

    fleet = {"names": ["a", "b"], "number": 1, "least": 1, "most": 2, "interface": "lo9", "key": RUN}
    node = Node(name="b", address="b", command=command(there))
    wrong = begin(node, fleet=fleet)
    wrong.until(lambda: wrong.reported)
    assert "There is no network interface 'lo9' with an IPv4 address" in wrong.reported[0]

    def damaged() -> tuple[Piece, ...]:
        raise InputUnreadable("Cannot read the prepared data.")

    mine = begin(node, damaged)
    mine.until(lambda: mine.reported)
    assert mine.reported[0].startswith("Not training with the others yet: the node b. Cannot read the prepared data.")


@pytest.mark.training("torch")
def test_that_how_a_part_has_ended_that_never_came_is_told_when_it_is_started_anew(
    begin: Callable[..., Started], there: Path
) -> None:
    fleet = {"names": ["a", "b"], "number": 1, "least": 1, "most": 2, "interface": "lo", "key": RUN, "port": 1}
    one = begin(Node(name="b", address="b", command=command(there)), fleet={**fleet, "address": "127.0.0.1"})
    one.until(lambda: one.reported)
    assert (
        "On the node b: This node's part of the training has ended. The node that leads it does not" in one.reported[0]
    )


def test_that_what_is_told_here_stands_between_the_nodes_lines_and_never_behind_the_end(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    mirror = Mirror(tmp_path / "run")
    mirror.begin(RUN, given=0)
    theirs = events.to_line(Notice(text="theirs")).encode() + b"\n"
    writes = threading.Thread(target=lambda: [mirror.append(theirs) for _ in range(2000)])
    writes.start()
    while writes.is_alive():
        mirror.tell(Notice(text="ours"))
        content = event_log.path(mirror.folder).read_bytes()
        assert content[mirror.note.at :].startswith(mirror.note.pending.encode())
    assert mirror.read == 2000 * len(theirs)
    mirror.append(events.to_line(RunEnded(reason="completed")).encode() + b"\n")
    size = event_log.size(mirror.folder)
    mirror.tell(Notice(text="ours"))
    assert event_log.size(mirror.folder) == size and event_log.has_ended(mirror.folder)


@pytest.mark.training
@pytest.mark.slow
def test_that_a_training_tells_why_one_of_its_nodes_does_not_come(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fullfield.protocol.training import from_json
    from training import prepared_phantoms, settings

    monkeypatch.setenv("PYTHONPATH", SITE)
    for name, interface in (("a", "lo"), ("b", "lo9")):
        kept(name, there / name, name=name, interface=interface, allow_images=True, allow_unencrypted=True)
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192)
    spec = replace(from_json(settings(data, techniques=[], batch=3)), place="node:a,b")
    handle = launch(Job.of(spec, nodes="1:2"), folder=tmp_path / "run")
    reported = []
    for event in handle.events():
        reported.append(event)
        if isinstance(event, Notice) and "Not training with the others yet: the node b." in event.text:
            assert event.level == "warning" and "no network interface 'lo9'" in event.text
            handle.stop()
    assert isinstance(reported[-1], RunEnded) and reported[-1].reason == "stopped" and not reported[-1].summary
    assert not [event for event in reported if isinstance(event, RunFailed)]
    assert len([one for one in reported if isinstance(one, Notice) and "lo9" in one.text]) == 1


def test_that_of_a_run_that_is_complete_nothing_is_left_on_the_other_nodes(
    begin: Callable[..., Started], there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "STARTS_SECONDS", 600.0)
    content, shelf = b"pixels", there / "cache" / "nodes"
    sha256 = hashlib.sha256(content).hexdigest()
    piece = Piece(name="aa.input.npy", sha256=sha256, size=len(content), content=content)
    one = begin(Node(name="b", address="b", command=command(there)), lambda: (piece,), pieces={piece.name: sha256})
    one.until(lambda: event_log.has_ended(shelf / "runs" / RUN / "run"))
    assert (shelf / "pieces" / sha256).read_bytes() == content and not one.reported
    one.members.end(forget=RUN)
    assert left(shelf) == []
