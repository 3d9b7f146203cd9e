"""A batch whose command is killed loses nothing. The whole figure: `python tests/flows/kill_batch.py`."""

from __future__ import annotations

from pathlib import Path

from flows import kill_batch


def test_that_a_batch_killed_and_started_again_at_once_has_every_image_once_and_whole(tmp_path: Path) -> None:
    outcome = kill_batch.trial(tmp_path, files=60, kills=2)
    assert outcome.is_right(60), outcome
