"""Where a run goes on, which is known also where no answer came, and what it may not be asked meanwhile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fullfield.errors import Interrupted, UsageError
from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.jobs.launchers import local
from fullfield.nodes import mirror, node, remote, ssh
from fullfield.nodes.launcher import Remote
from fullfield.nodes.mirror import Mirror
from fullfield.nodes.node import Node
from fullfield.nodes.ssh import LineCut
from fullfield.protocol import events
from fullfield.protocol.events import Notice, RunEnded
from training import FakeContext


def test_that_a_run_is_known_by_its_name_where_the_answer_of_the_node_that_began_it_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, asked = FakeContext(tmp_path, stop_after=(Notice, 1)), list[str]()

    def ask(node: Node, *words: str, said: dict[str, Any]) -> None:
        asked.append(said["id"])
        raise LineCut("The line is cut.")

    monkeypatch.setattr(ssh, "ask", ask)
    gpu = (Node(name="gpu", address="gpu"),)
    with pytest.raises(Interrupted, match="It may go on on the node gpu") as stopped:
        remote._start(gpu, Job(kind="empty", place="node:gpu"), Mirror(tmp_path), context, (), ())
    assert "--resume" in stopped.value.hint and stopped.value.hint in context.reported(Notice)[-1].text
    assert asked == [mirror.read(tmp_path).id]


@pytest.mark.parametrize("place", ["local", "node:other"])
def test_that_a_run_that_goes_on_on_a_node_is_not_begun_a_second_time_elsewhere(tmp_path: Path, place: str) -> None:
    node.keep(Node(name="other", address="other"))
    jobs.save(Job(kind="empty", place="node:gpu"), tmp_path)
    (tmp_path / jobs.WORKER).write_text('{"pid": 4194000, "started": ""}')  # what mirrored it is gone
    one = Mirror(tmp_path)
    one.begin("0123456789abcdef" * 2, given=0)
    with pytest.raises(UsageError, match=r"It goes on elsewhere \(gpu\)"):
        launch(Job(kind="empty", place=place), folder=tmp_path)
    assert jobs.asked(tmp_path).place == "node:gpu" and mirror.read(tmp_path).following


def test_that_what_removes_the_pixels_of_a_complete_training_from_a_node_is_not_ended_before_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "LAST_SECONDS", 0.01)
    event_log.path(tmp_path).write_text(f"{events.to_line(RunEnded(reason='completed'))}\n")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as mirrors:
        (ended,) = Remote(tmp_path, process=mirrors).poll()
        assert isinstance(ended, RunEnded)
        assert mirrors.wait(60.0) == 1, "it ends by itself"
