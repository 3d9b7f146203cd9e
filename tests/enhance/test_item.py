"""What is common to every item: where it lies, and how its faults are told."""

from __future__ import annotations

import errno
import os
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from enhance.conftest import MakeDecoded
from fullfield import __version__
from fullfield.dicom.members import Archives
from fullfield.dicom.remarks import FAINT_COLOUR
from fullfield.enhance import item as items
from fullfield.enhance.item import Item, Stopwatch
from fullfield.errors import CannotWrite, FullfieldError, InputRefused, InputUnreadable, MissingPart, OutOfMemory
from fullfield.image.image import InputKind, Recipe
from fullfield.protocol.events import ItemWarned


def test_that_an_error_for_people_is_told_as_it_is() -> None:
    error = InputRefused("no radiograph")
    assert items.explain(error) is error


@pytest.mark.parametrize(
    ("foreign", "ours"),
    [
        (MemoryError(), OutOfMemory),
        (OSError(28, "No space left on device"), CannotWrite),
        (OSError("libnot.so.9: cannot open shared object file"), FullfieldError),  # ctypes, of a library
    ],
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


def test_that_a_file_is_taken_where_it_lies_and_a_member_of_an_archive_is_brought_out(tmp_path: Path) -> None:
    (tmp_path / "own").write_bytes(b"own")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("inside.png", b"member")
    with Archives() as archives:
        with items.located(Item(index=0, source=str(tmp_path / "own")), archives) as path:
            assert path == tmp_path / "own"
        member = Item(index=1, source="inside.png", archive=str(tmp_path / "a.zip"))
        with items.located(member, archives) as path:
            assert path.read_bytes() == b"member" and path.suffix == ".png"
        assert not path.exists()


def test_that_a_missing_part_is_named_with_what_adds_it() -> None:
    found = items.explain(ModuleNotFoundError("No module named 'torch'", name="torch"))
    assert isinstance(found, MissingPart)


def test_that_a_verdict_on_what_failed_says_of_which_image_and_what() -> None:
    found = items.failed(7, InputRefused("no radiograph", detail="It is a letter.", hint="Choose another."))
    assert (found.index, found.input) == (7, "")
    assert found.error == {"title": "no radiograph", "detail": "It is a letter.", "hint": "Choose another."}


def test_that_an_image_is_taken_for_what_its_user_says(radiograph: MakeDecoded) -> None:
    decoded = radiograph(20, 20, kind_reason="The file says so.")
    assert items.as_kind(decoded, "auto") is decoded
    taken = items.as_kind(decoded, "raw").image
    assert (taken.kind, taken.kind_reason) == (InputKind.RAW, "The user says so.")


@pytest.mark.parametrize(("error", "number"), [(OSError(), errno.ENOSPC), (OSError(errno.EIO, "broken"), errno.EIO)])
def test_that_pixels_are_left_whole_or_not_at_all(
    error: OSError, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pixels.npy"
    items.leave(path, np.arange(6, dtype=np.uint16))
    assert np.load(path).tolist() == list(range(6))

    def cut(stream: BinaryIO, pixels: object, **given: object) -> None:
        stream.write(b"half")
        raise error

    monkeypatch.setattr(np, "save", cut)
    with pytest.raises(OSError, match=r"No space|broken") as raised:
        items.leave(path, np.arange(6, dtype=np.uint16))
    assert raised.value.errno == number and not path.exists()


def test_that_damage_is_told_first_and_what_belongs_there_in_the_images_own_line(radiograph: MakeDecoded) -> None:
    decoded = radiograph(20, 20, damage="It is damaged.")
    header = replace(decoded.header, source_format="png", sha256="0123456789abcdef", warnings=("Odd.", FAINT_COLOUR))
    found = items.source_warnings(3, replace(decoded, header=header))
    assert found[:3] == [
        ItemWarned(index=3, input="0123456789ab", text="It is damaged.", damaged=True),
        ItemWarned(index=3, input="0123456789ab", text="Odd."),
        ItemWarned(index=3, input="0123456789ab", text=FAINT_COLOUR, in_its_line=True),
    ]
    sound = items.source_warnings(3, replace(decoded, header=header, image=replace(decoded.image, damage="")))
    assert [one.text for one in sound] == [one.text for one in found[1:]]


def test_that_what_was_done_is_told_in_words() -> None:
    recipe = Recipe(method="preset", name="general", version="1.2", sha256="0" * 64)
    assert items.describe(recipe) == "preset general 1.2"
    assert items.describe(replace(recipe, left=0.5)).startswith("preset general 1.2, 50 % of it")


def test_that_a_watch_tells_seconds_since_it_was_made_to_the_thousandth() -> None:
    now = [5.0]
    watch = Stopwatch(lambda: now[0])
    assert watch.seconds == 0.0
    now[0] = 7.34567
    assert watch.seconds == 2.346


def test_that_another_version_of_the_program_does_everything_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = items.settings_hash(kind="auto")
    monkeypatch.setattr(items, "__version__", __version__ + "1")
    assert items.settings_hash(kind="auto") != before
