"""What the shells of nodes say by themselves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fullfield.nodes import probe
from fullfield.nodes.node import Node
from fullfield.nodes.ssh import NodeRefused
from nodes import servers

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")


def test_that_a_csh_that_does_not_find_fullfield_is_told_as_that(there: Path, tmp_path: Path) -> None:
    csh = 'echo "fullfield: Command not found." >&2; exit 1'
    servers.executable(tmp_path / "bin" / "ssh", csh)
    with pytest.raises(NodeRefused, match="There is no Fullfield on the node gpu"):
        probe.there(Node(name="gpu", address="gpu"))
