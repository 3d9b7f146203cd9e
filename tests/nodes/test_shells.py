"""What the shells of nodes say by themselves."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from fullfield.nodes import between, pieces, probe
from fullfield.nodes.exchange import Exchange
from fullfield.nodes.line import Line
from fullfield.nodes.mirror import KILL
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.nodes.ssh import LineCut, NodeRefused
from fullfield.protocol.events import RunEnded
from nodes import servers
from nodes.mirrored import RUN, TOLD, mirror_of, run_there
from training import FakeContext

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")


def test_that_a_csh_that_does_not_find_fullfield_is_told_as_that(there: Path, tmp_path: Path) -> None:
    csh = 'echo "fullfield: Command not found." >&2; exit 1'
    servers.executable(tmp_path / "bin" / "ssh", csh)
    with pytest.raises(NodeRefused, match="There is no Fullfield on the node gpu"):
        probe.there(Node(name="gpu", address="gpu"))


def test_that_a_shell_that_greets_is_passed_over_wherever_a_node_answers(there: Path, tmp_path: Path) -> None:
    greets = "echo Welcome; echo Loading modules;"
    node, context = servers.kept("gpu", there, before=greets), FakeContext(tmp_path / "context")
    piece = Piece(name="x", sha256=hashlib.sha256(b"image").hexdigest(), size=5, content=b"image")
    assert pieces.send(node, (piece,), pause=lambda: None) == 5
    run_there(there, *TOLD, RunEnded(time=4.0, reason="completed"))
    assert Line(node, mirror_of(tmp_path / "run"), context, back=False).follow() == (0, True)
    exchange = Exchange(node, RUN, lambda text: None)
    exchange.close()
    head, other = (servers.kept(name, there, name=name, before=greets, interface="lo") for name in ("a", "b"))
    assert between.measured(head, other).seconds > 0


def test_that_end_at_once_is_said_again_where_the_line_that_heard_it_was_cut(there: Path, tmp_path: Path) -> None:
    node, context = servers.kept("gpu", there), FakeContext(tmp_path / "context")
    mirror, ssh = mirror_of(tmp_path / "run"), tmp_path / "bin" / "ssh"
    behind = ssh.read_text()
    servers.executable(ssh, """echo '{"commands": 0}'; sleep 1; exit 255""")
    (mirror.folder / KILL).touch()
    with pytest.raises(LineCut):
        Line(node, mirror, context, back=False).follow()
    assert (mirror.folder / KILL).exists()
    ssh.write_text(behind)
    run_there(there, *TOLD, RunEnded(time=4.0, reason="completed"))
    assert Line(node, mirror, context, back=True).follow() == (0, True)
    assert not (mirror.folder / KILL).exists()
