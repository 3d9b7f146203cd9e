"""What a batch leaves when its workers have ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.protocol.batch import BatchSpec
from fullfield_app.cli.overseer import Overseer

FULL = Path("/dev/full")
SPEC = BatchSpec(items=(), out="out", choice="auto", kind="auto", device="cpu", format="dicom", timeout=1.0)


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
def test_that_a_log_for_which_there_is_no_room_costs_no_end_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overseer = Overseer(SPEC, lambda event: None)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "worker.log").write_text("a line\n")
        overseer._folders.append(tmp_path / name)
    overseer.close(FULL)
    assert "Cannot write the log. The system says: No space left on device." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
