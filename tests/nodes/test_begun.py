"""Where a run goes on, and what that allows: a run that a node was asked to begin is known, also where no answer came."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fullfield.errors import Interrupted
from fullfield.jobs.job import Job
from fullfield.nodes import mirror, remote, ssh
from fullfield.nodes.mirror import Mirror
from fullfield.nodes.node import Node
from fullfield.nodes.ssh import LineCut
from fullfield.protocol.events import Notice
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
    assert "--resume" in stopped.value.hint
    assert asked == [mirror.read(tmp_path).id]
