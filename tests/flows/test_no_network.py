"""Nothing asks the network for anything: not a plan, not a batch, whatever a hub could give; a training: test_train."""

from __future__ import annotations

from pathlib import Path

import pytest

import samples
from flows.command import fullfield
from flows.watched import asked, processes, watched


@pytest.mark.slow
@pytest.mark.parametrize("command", [pytest.param("plan", marks=pytest.mark.training), "batch"])
def test_that_no_process_asks_the_network_for_anything(command: str, tmp_path: Path) -> None:
    given = {
        "plan": ("plan", "--size", 192, "--encoder", "resnet18", "--device", "cpu"),
        "batch": ("--batch", samples.write(tmp_path / "in", "hand-dx.dcm"), "-o", tmp_path / "out"),
    }[command]
    done = fullfield(*given, **watched(tmp_path))
    assert done.code == 0, done.err
    assert processes(tmp_path) >= 2  # the command and its worker
    assert asked(tmp_path) == ""
