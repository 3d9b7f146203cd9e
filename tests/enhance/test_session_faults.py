"""What a session survives and what ends it, within this process: a full disk, few file handles, images that go."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from enhance.own_window import Window
from fullfield import files
from fullfield.enhance.destinations import folder
from fullfield.enhance.ledger import Ledger
from fullfield.enhance.results import Holds, Results
from fullfield.protocol.events import Event, ItemClosed, ItemDecoded, ItemDone, ItemEnhanced, ItemFailed, ItemStarted


@pytest.mark.parametrize("lost", [ItemDecoded, ItemStarted])
def test_that_a_session_that_cannot_tell_what_it_does_ends(
    window: Window, pictures: Callable[[int], Path], lost: type[Event]
) -> None:
    window.full = lambda event: isinstance(event, lost | ItemFailed)
    for index in range(3):
        window.open(pictures(index), index)
    window.wait()
    assert isinstance(window.fault, OSError) and window.fault.errno == errno.ENOSPC


def test_that_pixels_for_which_the_disk_had_no_room_leave_nothing_of_themselves(
    window: Window, pictures: Callable[[int], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(stream: BinaryIO, pixels: object, **options: object) -> None:
        stream.write(b"half")
        raise OSError("7680 requested and 0 written")  # as numpy says it

    monkeypatch.setattr(np, "save", half)
    window.open(pictures(0))
    failed = window.until(ItemFailed)
    assert os.strerror(errno.ENOSPC) in failed.error["detail"]
    assert not list((window.folder / "enhanced").iterdir())


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such limit")
def test_that_more_images_can_be_enhanced_than_files_may_be_open(
    window: Window, pictures: Callable[[int], Path]
) -> None:
    import resource

    window.open(pictures(0))
    window.until(ItemEnhanced)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        taken = {int(path.name) for path in Path("/dev/fd").iterdir()}
        free = [number for number in range(len(taken) + 24) if number not in taken]
        resource.setrlimit(resource.RLIMIT_NOFILE, (free[23] + 1, hard))
        for index in range(1, 40):
            window.open(pictures(index), index)
        window.until(ItemEnhanced, 40)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert not window.of(ItemFailed)


def test_that_what_is_closed_takes_no_room_and_can_be_opened_again(
    window: Window, pictures: Callable[[int], Path]
) -> None:
    window.open(pictures(0))
    first = window.until(ItemEnhanced)
    window.ask("close", indexes=[0, 7])
    window.until(ItemClosed)
    assert not Path(first.enhanced).exists() and not window.of(ItemFailed)
    window.open(pictures(0))
    second = window.until(ItemEnhanced, 2)
    assert np.load(second.enhanced).shape == (96, 80)


def test_that_an_export_goes_beside_another_images_result_though_its_name_was_asked_for(
    window: Window, pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    target, written = tmp_path / "out" / "a_enhanced.dcm", []
    for index in range(2):
        window.open(pictures(index), index)
        window.until(ItemEnhanced, index + 1)
        window.ask("export", index, target=str(target), format="dicom", overwrite=True)
        written.append(window.until(ItemDone, index + 1).number)
    assert written == [1, 2]
    assert sorted(path.name for path in target.parent.glob("*.dcm")) == ["a_enhanced-2.dcm", "a_enhanced.dcm"]
    before = (target.parent / "a_enhanced-2.dcm").read_bytes()
    window.ask("export", 0, target=str(target), format="dicom", overwrite=True)
    assert window.until(ItemDone, 3).number == 1
    assert (target.parent / "a_enhanced-2.dcm").read_bytes() == before


def test_that_what_the_window_exported_is_known_to_a_batch(
    window: Window, pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    window.open(pictures(0))
    sha256 = window.until(ItemDecoded).sha256
    assert sha256 == files.sha256(pictures(0))
    window.until(ItemEnhanced)
    window.ask("export", target=str(tmp_path / "out" / "ward" / "a.dcm"), folder=str(tmp_path / "out"), format="dicom")
    window.until(ItemDone)
    found = Results(tmp_path / "out").find(tmp_path / "out" / "ward" / "a.dcm", input=sha256)
    assert found.holds is Holds.OWN
    assert not (tmp_path / "out" / "ward" / ".fullfield").exists()


def test_that_an_export_into_a_folder_that_a_run_writes_into_says_so(
    window: Window, pictures: Callable[[int], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "Ledger", partial(Ledger, wait=0))
    window.open(pictures(0))
    window.until(ItemEnhanced)
    with closing(Ledger(tmp_path)):
        window.ask("export", target=str(tmp_path / "a.dcm"), format="dicom")
        assert "Another run of Fullfield" in window.until(ItemFailed).error["detail"]
    window.ask("export", target=str(tmp_path / "a.dcm"), format="dicom")
    window.until(ItemDone)


def test_that_the_rest_of_an_order_is_not_written_into_another_folder_where_the_first_is_gone(
    window: Window, pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    window.open(pictures(0))
    window.until(ItemEnhanced)
    out = tmp_path / "share"
    ask = partial(window.ask, "export", folder=str(out), format="dicom")
    ask(target=str(out / "a.dcm"), order=1)
    window.until(ItemDone)
    out.rename(tmp_path / "elsewhere")
    ask(target=str(out / "b.dcm"), order=1)
    assert "folder is gone" in window.until(ItemFailed).error["detail"] and not out.exists()
    ask(target=str(out / "b.dcm"), order=2)  # who orders anew wants it there
    window.until(ItemDone, 2)
    assert (out / "b.dcm").exists()


def test_that_an_export_of_which_a_lost_worker_told_nothing_is_no_file_of_others(
    window: Window, pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    window.open(pictures(0))
    window.until(ItemEnhanced)
    ask = partial(window.ask, "export", folder=str(tmp_path / "out"), target=str(tmp_path / "out" / "a.dcm"))
    ask(format="dicom")
    window.until(ItemDone)
    ask(format="dicom", again=True)  # of the next worker
    window.until(ItemDone, 2)
    assert [path.name for path in (tmp_path / "out").glob("*.*") if path.is_file()] == ["a.dcm"]
    ask(format="dicom", again=True, delivery={"window": True})  # another result
    ask(format="dicom")  # by a user
    window.until(ItemFailed, 2)
    assert all("of that name is in the folder" in failed.error["detail"] for failed in window.of(ItemFailed))


def test_that_nothing_is_told_of_an_image_after_it_is_closed(window: Window, pictures: Callable[[int], Path]) -> None:
    for index in range(4):
        window.open(pictures(index), index)
    window.ask("close", indexes=[0, 1, 2, 3])
    window.until(ItemClosed, 4)
    window.open(pictures(4), 4)
    while not any(event.index == 4 for event in window.of(ItemEnhanced)):
        window.until(ItemEnhanced, len(window.of(ItemEnhanced)) + 1)
    for index in range(4):
        of_it = [type(event) for event in window.reported if getattr(event, "index", -1) == index]
        assert of_it[-1] is ItemClosed and of_it.count(ItemClosed) == 1


def test_that_an_image_gone_from_the_cache_is_read_again(
    window: Window, pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    window.open(pictures(0))
    window.until(ItemEnhanced)
    folder = Path(window.until(ItemDecoded).decoded)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    window.ask("export", target=str(tmp_path / "out.dcm"), format="dicom")
    window.until(ItemDone)
    assert (tmp_path / "out.dcm").stat().st_size > 1000


def test_that_another_image_in_the_place_of_one_gone_from_the_cache_is_not_taken_for_it(
    window: Window, pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    window.open(pictures(0))
    window.until(ItemEnhanced)
    folder = Path(window.until(ItemDecoded).decoded)
    for path in folder.iterdir():
        path.unlink()
    pictures(1).replace(tmp_path / "0.png")
    window.ask("export", target=str(tmp_path / "out.dcm"), format="dicom")
    assert "changed" in window.until(ItemFailed).error["detail"]
    assert not (tmp_path / "out.dcm").exists()
