"""`fullfield --batch`: what the command line settles before a worker begins."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

import samples
from fullfield.errors import ExitCode
from fullfield_app.__main__ import main


@pytest.mark.parametrize("name", ["chest-cr.dcm", "shot.png", "shot.jpg"])
def test_that_a_log_is_put_behind_no_radiograph(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = samples.write(tmp_path, "chest-cr.dcm")
    named = tmp_path / name
    if named != image:
        cv2.imwrite(str(named), np.zeros((8, 8), np.uint8))
    before = named.read_bytes()
    given = ("--batch", "--dry-run", "--log-file", str(named), str(image), "-o", str(tmp_path / "out"))
    assert main(list(given)) == ExitCode.CANNOT_WRITE
    assert "is no text, and stays as it is" in capsys.readouterr().err and named.read_bytes() == before


def test_that_a_log_goes_on_where_it_was(tmp_path: Path) -> None:
    image, log = samples.write(tmp_path, "chest-cr.dcm"), tmp_path / "x.log"
    log.write_text("before\n", encoding="utf-8")
    given = ("--batch", "--dry-run", "--log-file", str(log), str(image), "-o", str(tmp_path / "out"))
    assert main(list(given)) == ExitCode.ALL_DONE
    assert log.read_text("utf-8").startswith("before\n")
