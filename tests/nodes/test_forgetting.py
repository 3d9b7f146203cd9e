"""Removing what lies on a node: as its caller asks for it, and as one who types it there reads it."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from fullfield.errors import UsageError
from fullfield.nodes import ssh
from fullfield.nodes.ssh import Gone
from nodes import servers
from nodes.mirrored import RUN, run_there
from nodes.servers import kept as keep
from nodes.servers import left


def test_that_a_run_that_was_forgotten_is_told_as_that(there: Path) -> None:
    node = keep("gpu", there)
    with pytest.raises(Gone, match="On the node gpu: The run is not here any more"):
        ssh.forget(node, RUN)
    run_there(there)
    words = [*shlex.split(servers.command(there)), "node", "forget"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "What other computers had left here is removed.\n"
    assert left(there / "cache" / "nodes") == []


def test_that_one_who_forgets_a_run_on_the_node_reads_a_sentence(there: Path) -> None:
    words = [*shlex.split(servers.command(there)), "node", "forget", RUN]
    run_there(there)
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "The run is removed.\n"
    again = subprocess.run(words, capture_output=True, text=True, check=False)
    assert again.returncode == UsageError.exit_code and not again.stdout
    assert "The run is not here any more" in again.stderr
