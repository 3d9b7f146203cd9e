"""Commands whose run is not kept, ended by a signal: nothing of them computes on, and nothing is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from flows.command import COMMAND

LONG = ("plan", "--size", "256", "--batch", "3000", "--device", "cpu", "--json")  # minutes, with an empty cache


@pytest.mark.training
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_that_a_plan_that_is_interrupted_leaves_neither_its_worker_nor_its_folder(
    number: signal.Signals, tmp_path: Path
) -> None:
    folders = {"FULLFIELD_CACHE": str(tmp_path / "cache"), "FULLFIELD_RUNS": str(tmp_path / "runs")}
    process = subprocess.Popen([*COMMAND, *LONG], stdout=subprocess.PIPE, text=True, env={**os.environ, **folders})
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    assert first["kind"] == "RunStarted"
    worker = psutil.Process(first["pid"])
    process.send_signal(number)
    try:
        assert process.wait(timeout=60) == 130
        assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE
        assert not list((tmp_path / "runs").iterdir())
    finally:
        if worker.is_running():
            worker.kill()
