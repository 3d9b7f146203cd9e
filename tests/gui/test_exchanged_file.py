"""Another file at the path of one that was opened, as on the next patient's CD: never shown as what was there first."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from fullfield import files as core_files
from fullfield.image.method import Method
from fullfield.inputs.files import discover
from fullfield.protocol.events import Event, ItemClosed, ItemDecoded, ItemStarted, ItemWarned
from fullfield.protocol.session_commands import Enhance, Open
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.queue.row import State
from gui.fake_job import FakeJob, leave_decoded
from gui.hands import Hands
from gui.queue_steps import bring_to_result, enhanced, export, files

HAND, CHEST = "1" * 64, "2" * 64


def read(sha256: str, folder: Path = Path("/cache")) -> Event:
    return ItemDecoded(index=0, decoded=str(folder / sha256), sha256=sha256)


@pytest.fixture
def queue() -> Queue:
    """One image, enhanced."""
    made = Queue()
    made.add(files("IM1"), Method())
    made.due()
    made.apply(read(HAND))
    made.due()
    made.apply(enhanced(0))
    return made


def exchange(queue: Queue) -> None:
    """The worker has been lost, and the next one finds another file."""
    queue.worker_lost()
    queue.ask_export([export(0)])
    queue.ask_enhance({0: Method(choice="general")})
    assert isinstance(queue.due()[0], Open)
    queue.apply(read(CHEST))


def test_that_it_is_a_failure_that_says_so_and_nothing_of_it_is_seen_or_written(queue: Queue) -> None:
    exchange(queue)
    row = queue[0]
    assert row.state is State.FAILED and row.trouble is not None
    assert row.trouble.detail == "Its file has changed since it was opened."
    assert (row.decoded, row.result, row.exports, row.failed_exports) == (None, None, (), ())
    assert not row.exportable and queue.due() == []


def test_that_what_comes_after_it_changes_nothing(queue: Queue) -> None:
    exchange(queue)
    before = queue[0]
    for event in (ItemWarned(index=0, text="Its spacing is odd."), ItemStarted(index=0), enhanced(0)):
        queue.apply(event)
    assert queue[0] == before


def test_that_it_fails_again_however_often_it_is_tried_and_in_whatever_way(queue: Queue) -> None:
    exchange(queue)
    for ask in (
        lambda: queue.ask_again([0]),
        lambda: queue.ask_enhance({0: Method(choice="skull")}),
        lambda: queue.ask_export([export(0)]),
    ):
        ask()
        queue.due()
        queue.apply(read(CHEST))
        assert queue[0].state is State.FAILED and queue[0].decoded is None


def test_that_it_goes_on_once_the_first_file_is_back(queue: Queue) -> None:
    exchange(queue)
    queue.ask_again([0])
    queue.due()
    queue.apply(read(HAND))
    assert queue.due() == [Enhance(index=0, choice="general")]
    queue.apply(enhanced(0))
    assert queue[0].exportable


def test_that_another_file_in_its_place_gets_a_row_of_its_own_and_the_first_keeps_its_result(tmp_path: Path) -> None:
    place = tmp_path / "IM1"
    place.write_bytes(b"hand")
    queue = Queue()
    assert queue.add(discover([place]).items, Method()) == [0]
    bring_to_result(queue, 0)
    before = queue[0]
    place.write_bytes(b"chest")
    assert queue.add(discover([place]).items, Method()) == [1]
    assert queue[0] == before and not queue[1].sha256
    assert queue.add(discover([place]).items, Method()) == [], "it is in the list now"


def test_that_a_file_that_was_only_touched_is_in_the_list_and_another_of_its_size_and_time_is_not(
    tmp_path: Path,
) -> None:
    place, queue = tmp_path / "IM1", Queue()
    place.write_bytes(b"hand")
    queue.add(discover([place]).items, Method())
    place.write_bytes(b"fist")
    assert queue.add(discover([place], listed=queue.places()).items, Method()) == [], "it was not opened yet"
    queue.due()
    queue.apply(read(core_files.sha256(place)))
    os.utime(place, (1, 1))
    assert queue.add(discover([place], listed=queue.places()).items, Method()) == []
    place.write_bytes(b"foot")
    os.utime(place, (1, 1))
    assert queue.add(discover([place], listed=queue.places()).items, Method()) == [1]
    assert queue.add(discover([place], listed=queue.places()).items, Method()) == []


def test_that_the_window_asks_for_the_content_of_what_is_in_its_list(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], tmp_path: Path
) -> None:
    hands.drop_and_wait(radiographs[:1])
    leave_decoded(tmp_path / "read")
    jobs[0].reported.append(
        ItemDecoded(index=0, decoded=str(tmp_path / "read"), sha256=core_files.sha256(radiographs[0]))
    )
    hands.wait(lambda: hands.view().image_size() == (180, 240))
    os.utime(radiographs[0], (1, 1))
    hands.drop(radiographs[:1])
    hands.wait(lambda: hands.text("Message, in short") == "Nothing new was opened.")


def test_that_another_member_of_an_archive_of_the_same_name_gets_a_row_of_its_own(tmp_path: Path) -> None:
    queue, place = Queue(), tmp_path / "study.zip"
    for content, added in ((b"hand", [0]), (b"hand", []), (b"legs", [1])):
        with zipfile.ZipFile(place, "w") as archive:
            archive.writestr("IM1", content)
        assert queue.add(discover([place]).items, Method()) == added


def test_that_a_file_whose_row_says_that_it_has_changed_gets_a_row_of_its_own(queue: Queue) -> None:
    exchange(queue)
    assert queue.add(files("IM1"), Method()) == [1]
    assert queue.add(files("IM1"), Method()) == [] and queue[0].state is State.FAILED


def test_that_an_image_that_comes_back_to_the_list_is_the_one_that_left_it(queue: Queue) -> None:
    row = queue[0]
    queue.remove([0])
    queue.restore([row])
    queue.apply(ItemClosed(index=0))
    queue.due()
    queue.apply(read(CHEST))
    assert queue[0].state is State.FAILED and queue[0].decoded is None


def test_that_the_view_says_it_in_the_place_of_the_image(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], tmp_path: Path
) -> None:
    hands.drop_and_wait(radiographs[:1])
    for sha256 in (HAND, CHEST):
        leave_decoded(tmp_path / sha256)
    jobs[0].reported.append(read(HAND, tmp_path))
    hands.wait(lambda: hands.view().image_size() == (180, 240))
    jobs[0].reported.append(read(CHEST, tmp_path))
    hands.wait(lambda: "Its file has changed since it was opened." in hands.text("Problem of this image"))
    assert hands.view().image_size() is None
