"""What a whole command takes is measured, its descendants included."""

from __future__ import annotations

import os
import sys

import pytest

from fullfield.bench import usage


@pytest.fixture(params=["counted by the kernel", "asked"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of counting, where there are both."""
    if request.param == "asked":
        monkeypatch.delattr(os, "wait4", raising=False)


def test_that_what_a_grandchild_takes_is_counted_too() -> None:
    burn = "import time\nwhile time.process_time() < 0.4: pass"
    command = [sys.executable, "-c", f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {burn!r}])"]

    assert usage.measure(command, environment=dict(os.environ)).cpu_seconds >= 0.2


def test_that_a_failing_command_is_told_by_its_code() -> None:
    taken = usage.measure([sys.executable, "-c", "raise SystemExit(7)"], environment=dict(os.environ))

    assert taken.code == 7


def test_that_the_memory_of_all_processes_counts_together() -> None:
    hold = "import sys, time\nheld = bytes(range(256)) * (40 << 12)\ntime.sleep(0.7)"
    command = [
        sys.executable,
        "-c",
        f"import subprocess, sys\n{hold}\nsubprocess.run([sys.executable, '-c', {hold!r}])",
    ]

    taken = usage.measure(command, environment=dict(os.environ))

    assert taken.together_bytes > 80 << 20
