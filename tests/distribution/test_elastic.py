"""torchrun's agent as the nodes of a training run it."""

from __future__ import annotations

import os
import signal
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from fullfield.distribution import elastic
from fullfield.distribution.gathering import Left
from fullfield.distribution.standalone import Here

pytestmark = pytest.mark.training
AGAIN = 75


def saves_late(path: str) -> None:
    """A rank whose step goes on for a while after it was asked to save."""
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: asked.append(number))
    Path(path).write_text("began")
    while not asked:
        time.sleep(0.01)
    time.sleep(3.0)
    Path(path).write_text("saved")
    os._exit(AGAIN)


def test_that_ranks_end_their_step_before_a_round_with_a_node_that_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from torch.distributed.elastic.agent.server.local_elastic_agent import LocalElasticAgent

    monkeypatch.setenv("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "0")
    monkeypatch.setattr(socket, "getfqdn", socket.getfqdn)
    shutdown = LocalElasticAgent._shutdown
    monkeypatch.setattr(LocalElasticAgent, "_shutdown", lambda self, *_, **given: shutdown(self, timeout=1))
    step = tmp_path / "step"

    class Comes(Here):
        use_agent_store = False
        died: tuple[int, ...] = ()
        rounds = 0

        def next_rendezvous(self) -> Any:
            self.rounds += 1
            if self.rounds > 1:
                raise Left
            return super().next_rendezvous()

        def num_nodes_waiting(self) -> int:
            return int(step.exists())

        def is_saving(self) -> bool:
            return True

    with pytest.raises(Left):
        elastic.run(Comes(), saves_late, (str(step),), 1, again=AGAIN)  # type: ignore[arg-type]
    assert step.read_text() == "saved"
