"""From a folder of radiographs to prepared pairs."""

from __future__ import annotations

import io
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from collection import Collection
from fullfield.data import prepare, prepared
from fullfield.data.prepare import Request
from fullfield.data.prepared import Prepared
from fullfield.errors import InputRefused, UsageError
from fullfield.image.image import InputKind, Pixels
from fullfield.model.phantom import phantom


def picture(seed: int, rows: int = 240, columns: int = 200) -> Pixels:
    return np.rint(phantom(rows, columns, seed=seed) * 4095).astype(np.uint16)


@dataclass
class Told:
    """What preparing told of itself; stops it after `most` steps."""

    most: int = 10**6
    steps: int = 0

    def __call__(self, phase: str, done: int, total: int) -> None:
        self.steps += 1
        if self.steps > self.most:
            raise KeyboardInterrupt


def made(collection: Collection, size: int | None = 192, reference: str = "auto", told: Told | None = None) -> Prepared:
    request = Request(folder=collection.folder, size=size, reference=reference, seed=0)
    return prepare.prepare(request, collection, progress=told or Told())


@pytest.fixture
def singles(collection: Collection) -> Collection:
    for number in range(3):
        collection.add(f"NAME{number}.dcm", picture(number), patient=f"PATIENT{number}")
    return collection


def test_that_processed_images_become_raw_like_input_and_processed_reference(singles: Collection) -> None:
    found = made(singles)
    assert len(found.items) == 3
    assert found.simulated
    assert found.input_kind is InputKind.RAW
    assert re.fullmatch(r"the conventional processor \(general [\d.]+\)", found.reference)
    assert {(item.rows, item.columns) for item in found.items} == {(192, 160)}
    assert found.items[0].mm_per_pixel == pytest.approx(0.25)
    x, y = found.load(found.items[0])
    assert x.shape == y.shape == (192, 160)
    assert np.corrcoef(x.ravel(), y.ravel())[0, 1] > 0.5
    assert not np.array_equal(x, y)


def test_that_the_image_itself_can_be_the_reference(singles: Collection) -> None:
    found = made(singles, size=None, reference="image")
    by_key = {item.key: item for item in found.items}
    originals = {singles.decode(path).header.sha256[:16]: path for path in singles.folder.iterdir()}
    for key, item in by_key.items():
        wanted = singles.decode(originals[key]).image.pixels / 4095
        assert np.abs(found.load(item)[1] - wanted).max() < 1e-4


def test_that_a_second_time_reads_no_image(singles: Collection) -> None:
    first = made(singles)
    singles.read.clear()
    assert made(singles) == first
    assert singles.read == []


def test_that_an_interrupted_preparation_goes_on_and_gives_the_same(singles: Collection, tmp_path: Path) -> None:
    whole = made(singles)
    request = Request(folder=singles.folder, size=192, reference="auto", seed=0)
    with pytest.raises(KeyboardInterrupt):
        prepare.prepare(request, singles, progress=Told(most=4), cache=tmp_path)
    singles.read.clear()
    again = prepare.prepare(request, singles, progress=Told(), cache=tmp_path)
    assert len(singles.read) < 3
    assert again.identity == whole.identity


def test_that_another_seed_simulates_other_exposures(singles: Collection) -> None:
    request = Request(folder=singles.folder, size=192, reference="auto", seed=1)
    assert prepare.prepare(request, singles, progress=Told()).identity != made(singles).identity


def test_that_a_prepared_folder_stands_alone_and_names_nobody(singles: Collection, tmp_path: Path) -> None:
    found = made(singles)
    moved = tmp_path / "moved"
    shutil.copytree(found.folder, moved)
    text = "".join(path.read_text() for path in moved.glob("*.json"))
    assert "NAME" not in text
    assert "PATIENT" not in text
    again = prepare.prepare(
        Request(folder=moved, size=192, reference="auto", seed=5), Collection(moved), progress=Told()
    )
    assert again.identity == found.identity
    with pytest.raises(InputRefused, match="prepared at size 192"):
        prepare.prepare(Request(folder=moved, size=256, reference="auto", seed=0), Collection(moved), progress=Told())


def test_that_real_pairs_are_resampled_and_not_simulated(collection: Collection) -> None:
    for number in range(2):
        plane = picture(number)
        collection.add(f"raw/{number}.dcm", plane, kind="raw")
        collection.add(f"reference/{number}.dcm", (np.sqrt(plane / 4095.0) * 4095).astype(np.uint16))
    found = made(collection, reference="pairs")
    assert not found.simulated
    assert found.reference == "the data's own pairs"
    x, y = found.load(found.items[0])
    assert y.min() == pytest.approx(0, abs=0.02)
    assert y.max() == pytest.approx(1, abs=0.02)
    assert np.corrcoef(x.ravel(), y.ravel())[0, 1] > 0.9


def test_that_a_reference_of_opposite_polarity_is_left_out_and_said(collection: Collection) -> None:
    for number in range(2):
        plane = picture(number)
        collection.add(f"raw/{number}.dcm", plane, kind="raw")
        collection.add(f"reference/{number}.dcm", 4095 - plane if number else plane // 2)
    found = made(collection)
    assert len(found.items) == 1
    (problem,) = found.problems
    assert problem.startswith("File 2 (")
    assert "opposite polarity" in problem
    assert "no gradient" in problem


def test_that_images_too_narrow_for_ms_ssim_are_left_out_and_said(singles: Collection) -> None:
    singles.add("narrow.dcm", picture(9, 400, 100))
    found = made(singles)
    assert len(found.items) == 3
    assert "48 pixels wide at this size" in found.problems[0]


def test_that_simulated_and_true_raw_images_train_one_network(singles: Collection) -> None:
    singles.add("raw.dcm", picture(7), kind="raw")
    found = made(singles)
    assert found.input_kind is InputKind.RAW
    assert len(found.items) == 4


def test_that_an_input_of_the_other_kind_is_left_out_and_said(collection: Collection) -> None:
    for number in range(3):
        plane = picture(number)
        collection.add(f"raw/{number}.dcm", plane, kind="processed" if number == 1 else "raw")
        collection.add(f"reference/{number}.dcm", plane // 2)
    found = made(collection)
    assert found.input_kind is InputKind.RAW
    assert len(found.items) == 2
    assert "is a processed image among raw ones" in found.problems[0]


def test_that_a_blocky_jpeg_becomes_no_reference_of_the_processor(singles: Collection) -> None:
    stream = io.BytesIO()
    Pillow.fromarray((picture(5) // 16).astype(np.uint8)).save(stream, "JPEG", quality=15)
    blocky = np.asarray(Pillow.open(stream)).astype(np.uint16) * 16
    singles.add("zblocky.dcm", blocky)
    assert "JPEG blocks" in made(singles, size=None).problems[0]
    assert made(singles, size=None, reference="image").problems == ()


def test_that_an_unknown_preset_is_met_before_any_image_is_read(singles: Collection) -> None:
    with pytest.raises(UsageError, match="There is no preset 'chset'"):
        made(singles, reference="chset")
    assert singles.read == []


def test_that_a_damaged_list_is_said(singles: Collection) -> None:
    found = made(singles)
    (found.folder / prepared.MANIFEST).write_text("{")
    with pytest.raises(Exception, match=r"prepared\.json cannot be read"):
        prepared.load(found.folder)


def test_that_a_run_finds_its_pairs_although_the_source_is_gone(singles: Collection, tmp_path: Path) -> None:
    request = Request(folder=singles.folder, size=192, reference="auto", seed=0)
    found = made(singles)
    prepare.note(tmp_path, found, request)
    shutil.rmtree(singles.folder)
    assert prepare.noted(tmp_path, request) == found
    assert prepare.noted(tmp_path, Request(folder=singles.folder, size=192, reference="auto", seed=1)) is None
    shutil.rmtree(found.folder)
    assert prepare.noted(tmp_path, request) is None


def test_that_a_list_without_a_pair_is_prepared_again(singles: Collection, tmp_path: Path) -> None:
    request = Request(folder=singles.folder, size=192, reference="auto", seed=0)
    found = made(singles)
    prepare.note(tmp_path, found, request)
    prepared.save(replace(found, items=()))
    assert prepare.noted(tmp_path, request) is None
