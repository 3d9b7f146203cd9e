"""A node that enhances for this computer over a line that is cut: its old process may end after the new one began."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from fullfield import files
from fullfield.nodes import kept, reached
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.nodes.reached import Reached
from fullfield.nodes.ssh import LineCut
from nodes.servers import command, left

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")


def test_that_what_an_old_connection_leaves_or_takes_away_is_nothing_of_the_next(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each puts its models under a name of its own; what one has left whose process was killed is forgotten at the
    end."""
    monkeypatch.setattr(reached, "WAITS", (0.01,))
    model = tmp_path / "model"
    model.write_bytes(b"a model")
    piece = Piece(name="", sha256=files.sha256(model), size=7, path=model)
    one = Reached(
        Node(name="gpu", address="gpu", command=command(there)),
        device="cpu",
        emit=lambda event: None,
        instead=lambda it: "another",
    )
    runs = there / "cache" / "nodes" / "runs"
    for _ in range(2):
        line = one._line
        assert line is not None
        one._bring(line, piece)
        _store(there, one._run, piece.sha256, monkeypatch)
        line._process.kill()
        one._lose(line, LineCut("cut"))
        ends = time.monotonic() + 60
        while not one.is_there:
            assert time.monotonic() < ends
            time.sleep(0.01)
    assert len(list(runs.iterdir())) == 2
    one.close()
    assert left(there) == []


def _store(there: Path, run: str, sha256: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a node's process does with a model that is asked for, which is killed before it can forget."""
    with monkeypatch.context() as as_there:
        as_there.setenv("FULLFIELD_CACHE", str(there / "cache"))
        kept.store(run, {f"{sha256}.safetensors": sha256})
