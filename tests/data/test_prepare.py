"""From a folder of radiographs to prepared pairs."""

from __future__ import annotations

import io
import json
import re
import shutil
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from collection import Collection
from fullfield.data import prepare, prepared
from fullfield.data.pairs import NothingToTrainOn
from fullfield.data.prepare import Request
from fullfield.data.prepared import Prepared
from fullfield.errors import InputRefused, InputUnreadable, UsageError
from fullfield.image import normalise, resample
from fullfield.image.cache import Decoded
from fullfield.image.image import InputKind, Pixels
from fullfield.model.phantom import phantom


def picture(seed: int, rows: int = 240, columns: int = 200) -> Pixels:
    return np.rint(phantom(rows, columns, seed=seed) * 4095).astype(np.uint16)


@dataclass
class Reported:
    """What preparing told of itself; stops it after `most` steps."""

    most: int = 10**6
    steps: int = 0

    def __call__(self, phase: str, done: int, total: int) -> None:
        self.steps += 1
        if self.steps > self.most:
            raise KeyboardInterrupt


def made(
    collection: Collection,
    size: int | None = 192,
    reference: str = "auto",
    reported: Reported | None = None,
    use_on: str = "auto",
) -> Prepared:
    request = Request(folder=collection.folder, size=size, reference=reference, seed=0, use_on=use_on)
    return prepare.prepare(request, collection, progress=reported or Reported())


@pytest.fixture
def singles(collection: Collection) -> Collection:
    for number in range(3):
        collection.add(f"NAME{number}.dcm", picture(number), patient=f"PATIENT{number}")
    return collection


def test_that_processed_images_are_their_own_input_unless_the_model_is_to_be_used_on_raw_ones(
    singles: Collection,
) -> None:
    found, raw = made(singles), made(singles, use_on="raw")
    assert (found.input_kind, found.simulated) == ("processed", False)
    assert (raw.input_kind, raw.simulated) == ("raw", True)
    images = {file.header.sha256[:16]: file.image for file in map(singles.decode, sorted(singles.folder.iterdir()))}
    for one, other in zip(found.items, raw.items, strict=True):
        plain = normalise.to_input(resample.at_size(images[one.key], 192))
        assert np.abs(found.load(one)[0] - plain).max() < 1e-4
        assert np.abs(raw.load(other)[0] - plain).mean() > 0.01
        assert np.array_equal(found.load(one)[1], raw.load(other)[1])


def test_that_a_model_for_both_has_each_processed_image_twice_with_one_reference(singles: Collection) -> None:
    both = made(singles, use_on="both")
    raw, processed = made(singles, use_on="raw"), made(singles, use_on="processed")
    assert (both.input_kind, both.use_on, both.simulated) == ("any", "both", True)
    assert (
        len({both.folder, raw.folder, processed.folder}) == len({both.identity, raw.identity, processed.identity}) == 3
    )
    for items in zip(both.items, raw.items, processed.items, strict=True):
        assert items[0].kinds == (InputKind.RAW, InputKind.PROCESSED)
        for kind, other, item in ((InputKind.RAW, raw, items[1]), (InputKind.PROCESSED, processed, items[2])):
            for one, wanted in zip(both.load(items[0], kind), other.load(item), strict=True):
                assert np.array_equal(one, wanted)


def test_that_a_folder_of_both_kinds_makes_a_model_for_both(singles: Collection) -> None:
    singles.add("raw.dcm", picture(7), kind="raw")
    found = made(singles)
    assert (found.input_kind, len(found.items)) == ("any", 4)
    kinds = sorted(len(item.kinds) for item in found.items)
    assert kinds == [1, 2, 2, 2]
    (own,) = (item for item in found.items if len(item.kinds) == 1)
    assert own.kinds == (InputKind.RAW,) and not own.simulated


def test_that_raw_images_are_left_out_and_named_where_the_model_is_for_processed_ones(singles: Collection) -> None:
    singles.add("raw.dcm", picture(7), kind="raw")
    found = made(singles, use_on="processed")
    assert (found.input_kind, len(found.items)) == ("processed", 3)
    assert "is a raw image, and the model is to be used on processed ones" in found.problems[0]


@pytest.mark.parametrize("use_on", ["processed", "both"])
def test_that_raw_images_alone_make_no_model_for_processed_ones(collection: Collection, use_on: str) -> None:
    for number in range(2):
        collection.add(f"{number}.dcm", picture(number), kind="raw")
    assert made(collection).input_kind == "raw"
    with pytest.raises(NothingToTrainOn, match="all of these are raw"):
        made(collection, use_on=use_on)


def test_that_pairs_whose_inputs_are_processed_can_make_a_model_for_raw_images_too(collection: Collection) -> None:
    for number in range(2):
        plane = picture(number)
        collection.add(f"raw/{number}.dcm", plane)
        collection.add(f"reference/{number}.dcm", (np.sqrt(plane / 4095.0) * 4095).astype(np.uint16))
    assert made(collection).input_kind == "processed"
    both = made(collection, use_on="both")
    assert both.simulated and not both.conventional
    x, y = both.load(both.items[0], InputKind.RAW)
    assert np.corrcoef(x.ravel(), y.ravel())[0, 1] > 0.5


def test_that_a_run_that_has_begun_is_for_the_same_images_whatever_joins_the_folder(
    singles: Collection, tmp_path: Path
) -> None:
    request = Request(folder=singles.folder, size=192, reference="auto", seed=0)
    assert prepare.as_begun(tmp_path, request) == request
    prepare.note(tmp_path, made(singles), request)
    singles.add("raw.dcm", picture(7), kind="raw")
    assert prepare.as_begun(tmp_path, request).use_on == "processed"
    assert prepare.noted(tmp_path, replace(request, use_on="both")) is None


def test_that_a_run_that_began_before_anybody_was_asked_goes_on_for_raw_images(
    singles: Collection, tmp_path: Path
) -> None:
    request = Request(folder=singles.folder, size=192, reference="auto", seed=0)
    found = made(singles, use_on="raw")
    prepare.note(tmp_path, found, request)
    note = json.loads((tmp_path / prepare.NOTE).read_text())
    del note["use_on"]
    (tmp_path / prepare.NOTE).write_text(json.dumps(note))
    manifest = json.loads((found.folder / prepared.MANIFEST).read_text())
    del manifest["conventional"]
    for item in manifest["items"]:
        del item["kinds"], item["simulated"], item["pixel_size"]
    (found.folder / prepared.MANIFEST).write_text(json.dumps(manifest))
    old = prepare.noted(tmp_path, request)
    assert old is not None and old.identity == found.identity and old.items == found.items
    assert prepare.as_begun(tmp_path, request).use_on == "raw"


def test_that_processed_images_become_raw_like_input_and_processed_reference(singles: Collection) -> None:
    found = made(singles, use_on="raw")
    assert len(found.items) == 3
    assert found.simulated
    assert found.input_kind == "raw"
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
        prepare.prepare(request, singles, progress=Reported(most=4), cache=tmp_path)
    singles.read.clear()
    again = prepare.prepare(request, singles, progress=Reported(), cache=tmp_path)
    assert len(singles.read) < 3
    assert again.identity == whole.identity


def test_that_an_image_that_could_not_be_read_once_is_in_the_next_training(
    singles: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = count()

    def away(source: Path) -> Decoded:
        if next(reads) > len(list(singles.folder.iterdir())):
            raise InputUnreadable("Cannot read this file.", detail="The system says: Input/output error.")
        return decode(source)

    decode = singles.decode
    with monkeypatch.context() as lost:
        lost.setattr(singles, "decode", away)
        first = made(singles)
    assert len(first.items) == 1 and "Input/output error" in first.problems[0]
    again = made(singles)
    assert len(again.items) == 3 and not again.problems
    singles.read.clear()
    assert made(singles).items == again.items and singles.read == []


def test_that_each_training_on_the_same_pairs_tells_the_problems_of_its_own_look(singles: Collection) -> None:
    broken = singles.folder / "broken.dcm"
    broken.write_bytes(b"?")
    first = made(singles)
    broken.unlink()
    second = made(singles)
    singles.add("raw.dcm", picture(7), kind="raw")
    third = made(singles, use_on="processed")
    assert first.folder == second.folder == third.folder
    assert [len(one.problems) for one in (first, second, third)] == [1, 0, 1]
    assert "cannot be used" in first.problems[0] and "is a raw image" in third.problems[0]
    assert prepared.load(third.folder).problems == third.problems


def test_that_another_seed_simulates_other_exposures(singles: Collection) -> None:
    request = Request(folder=singles.folder, size=192, reference="auto", seed=1, use_on="raw")
    assert prepare.prepare(request, singles, progress=Reported()).identity != made(singles, use_on="raw").identity


def test_that_a_prepared_folder_stands_alone_and_names_nobody(singles: Collection, tmp_path: Path) -> None:
    found = made(singles)
    moved = tmp_path / "moved"
    shutil.copytree(found.folder, moved)
    text = "".join(path.read_text() for path in moved.glob("*.json"))
    assert "NAME" not in text
    assert "PATIENT" not in text
    again = prepare.prepare(
        Request(folder=moved, size=192, reference="auto", seed=5), Collection(moved), progress=Reported()
    )
    assert again.identity == found.identity
    with pytest.raises(InputRefused, match="prepared for: processed"):
        other = Request(folder=moved, size=192, reference="auto", seed=0, use_on="raw")
        prepare.prepare(other, Collection(moved), progress=Reported())
    with pytest.raises(InputRefused, match="prepared at size 192"):
        prepare.prepare(
            Request(folder=moved, size=256, reference="auto", seed=0), Collection(moved), progress=Reported()
        )


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
    found = made(singles, use_on="raw")
    assert found.input_kind == "raw"
    assert len(found.items) == 4
    assert [item.simulated for item in found.items].count(True) == 3


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
