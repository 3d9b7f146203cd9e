"""The radiograph that is watched: which epochs of it stay, and that another can be chosen."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from fullfield.data.loader import Batch
from fullfield.data.prepared import Item, View
from fullfield.image.image import InputKind
from fullfield.protocol.event_lines import from_line
from fullfield.protocol.events import SampleWritten
from fullfield.train import samples
from fullfield.train.samples import MOST, Samples, decimated


def batch(rows: int = 40, columns: int = 30) -> Batch:
    x, y = torch.full((1, 1, 64, 32), 0.25), torch.full((1, 1, 64, 32), 0.75)
    return Batch(x_NCHW=x, y_NCHW=y, shapes=((rows, columns),))


def views(count: int, pixel_size: tuple[float, float] = (1.0, 1.0)) -> tuple[View, ...]:
    more: dict[str, Any] = {"patient": 0, "rows": 40, "columns": 30, "mm_per_pixel": None, "modality": ""}
    item = Item(key="0", source_sha256=(), sha256=(), kinds=(InputKind.RAW,), pixel_size=pixel_size, **more)
    return ((item, InputKind.RAW),) * count


def test_that_files_are_bounded_and_the_first_the_best_and_the_newest_stay() -> None:
    there: list[int] = []
    for epoch in range(1, 1001):
        there.append(epoch)
        removed = decimated(there, keep={epoch, 77})
        there = [one for one in there if one not in removed]
        assert len(there) <= MOST + 3
        assert there[0] == 1 and there[-1] == epoch and (epoch < 77 or 77 in there)
    assert len(there) > MOST / 3
    assert set(np.diff([one for one in there if one not in (1, 77, 1000)]).tolist()) == {32}


def test_that_what_is_written_is_what_was_seen_of_the_chosen_image(tmp_path: Path) -> None:
    watched = Samples(tmp_path, image=1, images=views(3))
    for place in range(3):
        watched.look(place, np.full((40, 30), place / 4, np.float32), batch())
    reported = watched.write(5, best=None)
    assert reported is not None and reported.image == 1 and reported.sample == "samples/image-001/epoch-00005.npy"
    assert np.unique(np.load(tmp_path / reported.sample)).tolist() == [round(65535 / 4)]
    assert np.unique(np.load(tmp_path / reported.reference)).tolist() == [round(65535 * 0.75)]
    assert watched.write(6, best=None) is None  # nothing was seen since
    if os.name == "posix":
        assert (tmp_path / reported.sample).stat().st_mode & 0o077 == 0


def test_that_what_is_written_tells_how_large_the_pixels_of_the_watched_image_are(tmp_path: Path) -> None:
    watched = Samples(tmp_path, image=1, images=views(1) + views(1, (1.0, 2.0)))
    watched.look(1, np.zeros((40, 30), np.float32), batch())
    reported = watched.write(1, best=None)
    assert reported is not None and reported.pixel_size == (1.0, 2.0)


def test_that_what_a_run_of_before_has_written_is_taken_for_square() -> None:
    line = '{"kind":"SampleWritten","epoch":1,"image":0,"images":1,"sample":"s","input":"i","reference":"r"}'
    reported = from_line(line)
    assert isinstance(reported, SampleWritten) and reported.pixel_size == (1.0, 1.0)


def test_that_another_image_can_be_chosen_and_a_place_beyond_the_last_is_the_last(tmp_path: Path) -> None:
    watched = Samples(tmp_path, image=99, images=views(3))
    watched.look(2, np.zeros((40, 30), np.float32), batch())
    first = watched.write(1, best=1)
    watched.choose(0)
    watched.look(0, np.zeros((40, 30), np.float32), batch())
    second = watched.write(2, best=1)
    assert first is not None and second is not None
    assert (first.image, second.image) == (2, 0) and (tmp_path / first.sample).exists()


def test_that_a_large_image_is_kept_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "LONGEST", 20)
    watched = Samples(tmp_path, image=0, images=views(1))
    watched.look(0, np.ones((40, 30), np.float32), batch())
    reported = watched.write(1, best=None)
    assert reported is not None and np.load(tmp_path / reported.sample).shape == (20, 15)


def test_that_a_training_that_begins_in_the_folder_of_another_shows_nothing_of_its_image(tmp_path: Path) -> None:
    before = Samples(tmp_path, image=0, images=views(1))
    for epoch in (1, 2, 3):
        before.look(0, np.zeros((40, 30), np.float32), batch())
        before.write(epoch, best=None)
    anew = Samples(tmp_path, image=0, images=views(1))
    anew.look(0, np.ones((30, 40), np.float32), batch(30, 32))
    reported = anew.write(1, best=None)
    assert reported is not None and reported.removed == [2, 3]
    assert {path.name for path in (tmp_path / "samples/image-000").iterdir()} == {
        "input.npy",
        "reference.npy",
        "epoch-00001.npy",
    }
    assert np.load(tmp_path / reported.input).shape == np.load(tmp_path / reported.reference).shape == (30, 32)


@pytest.mark.parametrize(("asked", "found"), [(-5, 0), (0, 0), (2, 2), (3, 2)])
def test_that_a_place_that_there_is_not_is_the_nearest(asked: int, found: int, tmp_path: Path) -> None:
    assert Samples(tmp_path, image=asked, images=views(3)).image == found


def test_that_greys_beyond_the_range_are_its_ends_and_what_is_no_number_is_black(tmp_path: Path) -> None:
    watched = Samples(tmp_path, image=0, images=views(1))
    plane = np.array([[-1.0, 0.0, 0.4 / 65535], [0.6 / 65535, 1.0, 9.0], [np.nan, np.inf, 0.5]], np.float32)
    watched.look(0, plane, batch(3, 3))
    reported = watched.write(1, best=None)
    assert reported is not None
    assert np.load(tmp_path / reported.sample).tolist() == [[0, 0, 0], [1, 65535, 65535], [0, 65535, 32768]]


def test_that_input_and_reference_are_left_once_and_the_best_epoch_stays_among_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "MOST", 4)
    watched = Samples(tmp_path, image=0, images=views(1))
    removed: list[list[int]] = []
    for epoch in range(1, 11):
        watched.look(0, np.full((40, 30), 0.5, np.float32), batch())
        reported = watched.write(epoch, best=3)
        assert reported is not None and (reported.epoch, reported.input) == (epoch, "samples/image-000/input.npy")
        assert reported.reference == "samples/image-000/reference.npy" and reported.images == 1
        removed.append(reported.removed)
        if epoch == 1:
            (tmp_path / reported.input).unlink()
    assert not (tmp_path / "samples/image-000/input.npy").exists()
    assert removed == [[], [], [], [], [], [5], [], [7], [], [2, 6, 9]]
    left = sorted(path.stem for path in (tmp_path / "samples/image-000").glob("epoch-*"))
    assert left == [f"epoch-{epoch:05d}" for epoch in (1, 3, 4, 8, 10)]


def test_that_an_epoch_that_a_reader_has_open_goes_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError

    before = Samples(tmp_path, image=0, images=views(1))
    before.look(0, np.zeros((40, 30), np.float32), batch())
    before.write(9, best=None)
    for held, there in ((True, True), (False, False)):
        with monkeypatch.context() as patched:
            if held:
                patched.setattr(Path, "unlink", refuse)
            before.look(0, np.zeros((40, 30), np.float32), batch())
            reported = before.write(2, best=None)
        assert reported is not None and reported.removed == [9]
        assert (tmp_path / "samples/image-000/epoch-00009.npy").exists() is there


def test_that_an_image_that_is_small_is_kept_as_it_is(tmp_path: Path) -> None:
    watched = Samples(tmp_path, image=0, images=views(1))
    watched.look(0, np.ones((40, 30), np.float32), batch())
    reported = watched.write(1, best=None)
    assert reported is not None and np.load(tmp_path / reported.sample).shape == (40, 30)
