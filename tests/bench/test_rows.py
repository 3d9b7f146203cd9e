"""Rows that are measured once."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.bench.rows import Rows
from fullfield.errors import FullfieldError

COMMON = {"device": "the CPU", "version": "1"}
KEY = {"techniques": ["checkpointing"], "size": 512}


def never() -> dict[str, object]:
    raise AssertionError("it was measured again")


def test_that_a_row_is_measured_once_and_then_read(tmp_path: Path) -> None:
    assert Rows(tmp_path, COMMON).once("Chkp", KEY, lambda: {"seconds": 1.5}) == {"seconds": 1.5}
    assert Rows(tmp_path, COMMON).once("Chkp", KEY, never) == {"seconds": 1.5}


@pytest.mark.parametrize("change", [{"size": 256}, {"techniques": []}])
def test_that_all_that_decides_a_row_names_it(tmp_path: Path, change: dict[str, object]) -> None:
    rows = Rows(tmp_path, COMMON)
    rows.keep("Chkp", KEY, {"seconds": 1.5})
    assert rows.found("Chkp", {**KEY, **change}) is None
    assert Rows(tmp_path, {**COMMON, "device": "a card"}).found("Chkp", KEY) is None


def test_that_a_damaged_file_is_measured_again(tmp_path: Path) -> None:
    rows = Rows(tmp_path, COMMON)
    rows.keep("Chkp", KEY, {"seconds": 1.5})
    (file,) = (tmp_path / "rows").iterdir()
    file.write_text(file.read_text()[:20])
    assert rows.once("Chkp", KEY, lambda: {"seconds": 2.0}) == {"seconds": 2.0}
    assert rows.once("Chkp", KEY, never) == {"seconds": 2.0}


def test_that_a_failure_is_not_kept(tmp_path: Path) -> None:
    def fail() -> dict[str, object]:
        raise FullfieldError("It failed.")

    rows = Rows(tmp_path, COMMON)
    with pytest.raises(FullfieldError):
        rows.once("Chkp", KEY, fail)
    assert rows.found("Chkp", KEY) is None
