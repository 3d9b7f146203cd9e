"""What enhancing costs is told array to array, and for batches of files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import forked
from fullfield.bench import batches


def test_that_batches_are_measured_beside_a_script_with_all_of_their_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FULLFIELD_WEIGHTS", raising=False)
    monkeypatch.setattr(subprocess, "Popen", forked.Executed)  # a forked process has its memory and time from another
    rows = {row["name"]: row for row in batches.run(tmp_path, repeat=1, size=128, count=2)}

    assert set(rows) == set(batches.TITLES)
    assert rows[batches.SCRIPT]["ratio"] == 1
    assert rows["preset"]["together_bytes"] > rows[batches.SCRIPT]["together_bytes"] > 20 << 20
