"""A process that dies says nothing; what it leaves says where it began."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.train import life


def test_that_a_process_that_dies_before_it_has_saved_anything_is_known_by_its_note(tmp_path: Path) -> None:
    training = life.noted(tmp_path, 7)
    training.__enter__()  # and never leaves it
    found = life.lost(tmp_path, 7)
    assert found is not None
    assert "memory" in found.detail


def test_that_one_that_had_saved_something_is_not_blamed(tmp_path: Path) -> None:
    life.noted(tmp_path, 7).__enter__()
    assert life.lost(tmp_path, 8) is None


def test_that_one_that_ended_by_itself_leaves_no_note(tmp_path: Path) -> None:
    assert life.lost(tmp_path, 0) is None
    with life.noted(tmp_path, 0):
        pass
    with pytest.raises(MemoryError), life.noted(tmp_path, 0):
        raise MemoryError
    assert life.lost(tmp_path, 0) is None
    assert list(tmp_path.iterdir()) == []


def test_that_a_damaged_note_says_nothing(tmp_path: Path) -> None:
    (tmp_path / life.NOTE).write_bytes(b"\xff\x00")
    assert life.lost(tmp_path, 0) is None
