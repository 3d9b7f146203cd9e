"""What is common to every item: where it lies, and how its faults are told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fullfield.dicom.members import Archives
from fullfield.enhance import item as items
from fullfield.enhance.item import Item
from fullfield.errors import CannotWrite, FullfieldError, InputRefused, InputUnreadable, OutOfMemory


def test_that_an_error_for_people_is_told_as_it_is() -> None:
    error = InputRefused("no radiograph")
    assert items.explain(error) is error


@pytest.mark.parametrize(
    ("foreign", "ours"), [(MemoryError(), OutOfMemory), (OSError(28, "No space left on device"), CannotWrite)]
)
def test_that_a_foreign_error_is_translated(foreign: Exception, ours: type[FullfieldError]) -> None:
    assert type(items.explain(foreign)) is ours


def test_that_what_nobody_foresaw_tells_its_place_and_not_its_values() -> None:
    try:
        raise KeyError("KEANE^Sam")
    except KeyError as error:
        reported = items.explain(error)
    assert "KeyError at test_item.py" in reported.detail and "KEANE" not in str(reported)


def test_that_a_file_that_is_gone_is_unreadable_and_a_pipe_is_refused(tmp_path: Path) -> None:
    def look(name: str) -> None:
        with Archives() as archives, items.located(Item(index=0, source=str(tmp_path / name)), archives):
            pass

    with pytest.raises(InputUnreadable):
        look("gone")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(InputRefused, match="no ordinary file"):
            look("pipe")


def test_that_settings_that_differ_in_anything_have_another_hash() -> None:
    one = items.settings_hash(kind="auto", recipe="a", format="dicom")
    assert one == items.settings_hash(format="dicom", recipe="a", kind="auto")
    assert one != items.settings_hash(kind="raw", recipe="a", format="dicom")
