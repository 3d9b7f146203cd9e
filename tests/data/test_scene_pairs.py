from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fullfield.data import prepare, prepared
from fullfield.data.prepare import Request
from fullfield.data.scenes import displayed, latent, pairs
from fullfield.dicom.read import Decoder
from fullfield.errors import InputRefused
from fullfield.image import normalise
from fullfield.image.image import InputKind

SIZE, COUNT = 128, 4


class Stopped(Exception):
    """Asked to stop."""


def test_that_scenes_are_prepared_pairs_go_on_after_a_stop_and_are_the_same_again(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 2:
            raise Stopped

    with pytest.raises(Stopped):
        pairs.write(tmp_path / "one", COUNT, seed=3, sizes=(SIZE,), network="unet", progress=stop)
    assert not prepared.is_prepared(tmp_path / "one")
    first = pairs.write(tmp_path / "one", COUNT, seed=3, sizes=(SIZE,), network="unet")
    again = pairs.write(tmp_path / "two", COUNT, seed=3, sizes=(SIZE,), network="unet")
    other = pairs.write(tmp_path / "three", 1, seed=4, sizes=(SIZE,), network="unet")

    assert first.identity == again.identity != other.identity
    assert {pairs.part_of(number) for number in range(COUNT)} == {"chest", "abdomen", "pelvis", "lumbar"}
    with Decoder() as reader:
        request = Request(folder=tmp_path / "one", size=SIZE, reference="auto", seed=0)
        found = prepare.prepare(request, reader, progress=lambda *_: None)
    assert found.use_on == "both" and len(found.items) == COUNT
    for item, kind in prepared.views(found.items):
        given, wanted = found.load(item, kind)
        assert given.shape == wanted.shape and max(wanted.shape) == SIZE
        assert np.corrcoef(given.ravel(), wanted.ravel())[0, 1] > 0.1, (item.key, kind)
        assert item.mm_per_pixel is not None and item.mm_per_pixel > 0.5
    for seed, network in ((9, "unet"), (3, "map")):
        with pytest.raises(InputRefused, match="Cannot make scenes"):
            pairs.write(tmp_path / "one", COUNT, seed=seed, sizes=(SIZE,), network=network)


@pytest.mark.parametrize("content", [None, b"", b"another array"], ids=["lost", "empty", "another"])
def test_that_an_array_that_is_lost_or_damaged_is_made_again(tmp_path: Path, content: bytes | None) -> None:
    (item,) = pairs.write(tmp_path, 1, seed=3, sizes=(SIZE,), network="unet").items
    path = prepared.array_path(tmp_path, item.key, "reference")
    whole = path.read_bytes()
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    assert pairs.write(tmp_path, 1, seed=3, sizes=(SIZE,), network="unet").items == (item,)
    assert path.read_bytes() == whole


def test_that_every_second_scene_is_an_archive_s_picture_with_a_raw_image_of_it(tmp_path: Path) -> None:
    made = pairs.write(tmp_path, 2, seed=3, sizes=(96,), network="map")
    assert made.conventional  # so that the processor is held against raw inputs alone
    assert [pairs.is_displayed(item.patient) and not item.simulated for item in made.items] == [False, False]
    assert {pairs.is_displayed(number) for number in (0, 14)} == {False, True}  # the same part

    shown = pairs.planes(1, seed=3, size=160, way=normalise.BY_PRESET)
    raw, processed = (shown.inputs[kind] for kind in (InputKind.RAW, InputKind.PROCESSED))
    assert 0.5 < np.corrcoef(raw.ravel(), processed.ravel())[0, 1] < 0.999
    assert np.corrcoef(processed.ravel(), shown.reference.ravel())[0, 1] > 0.8


def test_that_sizes_are_taken_in_turn_by_rounds_of_all_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latent, "PARTS", {"chest": latent.PARTS["chest"]})
    made = pairs.write(tmp_path, 3, seed=3, sizes=(96, 128), network="map")
    longest = [max(item.rows, item.columns) for item in sorted(made.items, key=lambda item: item.patient)]
    assert longest == [96, 128, 96] and made.size is None


def test_that_a_console_s_file_is_raw_or_shown_and_what_is_shown_answers_to_itself() -> None:
    files = [pairs.planes(number * 14 + 9, seed=0, size=96) for number in range(1, 25, 2)]  # knees
    shown = [one for one in files if tuple(one.inputs) == (InputKind.PROCESSED,)]

    assert {tuple(one.inputs) for one in files} == {(InputKind.RAW,), (InputKind.PROCESSED,)}
    assert {(tuple(one.inputs), one.made_by) for one in files} == {
        ((InputKind.RAW,), pairs.ON_LATENT),
        ((InputKind.PROCESSED,), displayed.BY),
    }
    shuttered = max(shown, key=lambda one: (one.inputs[InputKind.PROCESSED] == 0).mean())
    black = shuttered.inputs[InputKind.PROCESSED] == 0
    assert black.mean() > 0.05 and shuttered.reference[black].mean() < 0.1
    for one in shown:
        assert np.corrcoef(one.inputs[InputKind.PROCESSED].ravel(), one.reference.ravel())[0, 1] > 0.5


@pytest.mark.parametrize("name", ["IMG0001.dcm", "raw/IMG0001.dcm"])
def test_that_no_scenes_are_made_among_files_of_the_user_s(name: str, tmp_path: Path) -> None:
    own = tmp_path / name
    own.parent.mkdir(exist_ok=True)
    own.write_bytes(b"a radiograph")
    with pytest.raises(InputRefused, match="holds other files"):
        pairs.write(tmp_path, 1, seed=3, sizes=(96,), network="unet")
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.name != pairs.LOCK] == [own]


def test_that_of_two_who_make_scenes_in_one_folder_at_once_the_second_is_told(tmp_path: Path) -> None:
    told = []

    def another(done: int, total: int) -> None:
        with pytest.raises(InputRefused, match="Another process") as refused:
            pairs.write(tmp_path, 1, seed=4, sizes=(96,), network="unet")
        told.append(refused)

    made = pairs.write(tmp_path, 1, seed=3, sizes=(96,), network="unet", progress=another)
    assert told and prepared.load(tmp_path).identity == made.identity
