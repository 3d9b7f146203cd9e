"""The ways to say no to an input."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fullfield.dicom import refusals
from fullfield.errors import InputRefused, InputUnreadable


def test_that_what_is_damaged_and_what_is_something_else_are_two_errors_with_their_own_advice() -> None:
    damaged = refusals.damaged("It is cut short.")
    assert isinstance(damaged, InputUnreadable) and (damaged.title, damaged.detail) == (
        "Cannot read this file.",
        "It is cut short.",
    )
    assert "again" in damaged.hint and refusals.damaged("x", hint="y").hint == "y"
    refused = refusals.refused("a letter")
    assert isinstance(refused, InputRefused) and refused.title == "Cannot use this file: it is a letter."
    assert "single-frame grey radiographs" in refused.hint and refused.detail == ""
    assert (refusals.refused("a letter", detail="d", hint="h").detail, refusals.refused("x", hint="h").hint) == (
        "d",
        "h",
    )
    assert "changed while it was being read" in refusals.changed().detail


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_that_what_is_no_file_is_told_from_a_link_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    (tmp_path / "lost").symlink_to(tmp_path / "nowhere")
    titles = {name: refusals.no_file(tmp_path / name).title for name in ("folder", "link", "lost", "nowhere")}
    assert "a link to a folder" in titles.pop("link")
    assert all("no ordinary file" in title for title in titles.values())
