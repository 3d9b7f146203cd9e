"""Damaged prepared pairs: never read, made anew from their sources where they lie in the cache, refused where not."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from collection import Collection
from fullfield import files
from fullfield.data import prepare, prepared
from fullfield.data.loader import Loader
from fullfield.data.mend import MOST_REPORTED, Mender
from fullfield.data.prepare import Request
from fullfield.data.prepared import Prepared
from fullfield.errors import InputUnreadable, Interrupted
from fullfield.image.image import Pixels
from fullfield.model.phantom import phantom


def picture(seed: int) -> Pixels:
    return np.rint(phantom(240, 200, seed=seed) * 4095).astype(np.uint16)


@dataclass
class Made:
    """A folder's prepared pairs with their mender, and what that told."""

    collection: Collection
    data: Prepared
    reported: list[str] = field(default_factory=list)


@pytest.fixture
def made(collection: Collection) -> Made:
    for number in range(3):
        collection.add(f"NAME{number}.dcm", picture(number), patient=f"PATIENT{number}")
    return mended(collection)


def request(collection: Collection) -> Request:
    return Request(folder=collection.folder, size=192, reference="auto", seed=0, use_on="both")


def mended(collection: Collection, pause: Callable[[], None] = lambda: None) -> Made:
    found = prepare.prepare(request(collection), collection, progress=lambda *_: None)
    reported: list[str] = []
    mender = Mender(
        request(collection),
        found.folder,
        lambda: contextlib.nullcontext(collection),
        tell=reported.append,
        pause=pause,
    )
    return Made(collection, replace(found, mend=mender), reported)


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def array(made: Made, place: int, part: str) -> Path:
    return prepared.array_path(made.data.folder, made.data.items[place].key, part)


@pytest.mark.parametrize("damage", [flipped, cut, Path.unlink])
@pytest.mark.parametrize("part", prepared.PARTS)
def test_that_a_damaged_array_is_made_anew_to_the_bit_and_told(
    made: Made, damage: Callable[[Path], None], part: str
) -> None:
    path = array(made, 1, part)
    whole = path.read_bytes()
    damage(path)
    before = [made.data.load(made.data.items[place]) for place in (0, 2)]
    kind = made.data.items[1].kinds[part == "processed"]
    x, y = made.data.load(made.data.items[1], kind)
    assert path.read_bytes() == whole
    assert made.reported == [
        f"The prepared image {made.data.items[1].key[:8]} was damaged or missing in the cache; "
        "it was made anew from its source and is the same again."
    ]
    assert len(before) == 2 and x.shape == y.shape == (192, 160)
    assert made.data.load(made.data.items[1])[0].shape == (192, 160) and len(made.reported) == 1


def test_that_bits_that_change_after_an_array_was_read_are_met_when_it_is_read_again(made: Made) -> None:
    x, _ = made.data.load(made.data.items[0])
    flipped(array(made, 0, "input"))
    again, _ = made.data.load(made.data.items[0])
    assert np.array_equal(again, x)
    assert len(made.reported) == 1


def test_that_an_array_is_hashed_once_in_a_process(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[Path] = []
    real = files.sha256

    def counted(path: Path) -> str:
        hashed.append(path)
        return real(path)

    monkeypatch.setattr(files, "sha256", counted)
    for _ in range(2):
        list(Loader(made.data, made.data.items).in_order())
    assert len(hashed) == len(set(hashed)) == len(prepared.PARTS) * len(made.data.items)


def test_that_changed_bits_in_a_folder_that_its_user_named_are_refused_and_left(made: Made, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(made.data.folder, own)
    data = prepared.load(own)
    path = prepared.array_path(own, data.items[0].key, "reference")
    flipped(path)
    content = path.read_bytes()
    with pytest.raises(InputUnreadable, match=r"reference of image .* is damaged"):
        data.load(data.items[0])
    assert path.read_bytes() == content


def test_that_a_source_that_has_changed_is_told_and_nothing_is_put_in_its_place(made: Made) -> None:
    path = array(made, 0, "input")
    flipped(path)
    content = path.read_bytes()
    for number in range(3):
        made.collection.add(f"NAME{number}.dcm", picture(number + 9), patient=f"PATIENT{number}")
    with pytest.raises(InputUnreadable, match="its source is not there any more, or gives another image now"):
        made.data.load(made.data.items[0])
    assert path.read_bytes() == content
    assert made.reported == []


def test_that_a_source_that_is_not_connected_is_told_with_what_to_do(made: Made) -> None:
    array(made, 0, "input").unlink()
    shutil.rmtree(made.collection.folder)
    with pytest.raises(InputUnreadable, match=r"cannot be made anew: There is no such folder\.") as error:
        made.data.load(made.data.items[0])
    assert "--resume" in error.value.hint
    assert str(made.collection.folder) not in str(error.value)


def test_that_a_stop_is_heard_while_an_image_is_made_anew(collection: Collection) -> None:
    for number in range(3):
        collection.add(f"{number}.dcm", picture(number))

    def stop() -> None:
        raise Interrupted("The training was stopped.")

    made = mended(collection, pause=stop)
    array(made, 2, "input").unlink()
    with pytest.raises(Interrupted):
        list(Loader(made.data, made.data.items).in_order())


@pytest.mark.parametrize("text", ["{", "[]", "null", "[" * 100_000])
def test_that_a_damaged_list_in_the_cache_is_made_anew_from_the_records(made: Made, text: str) -> None:
    (made.data.folder / prepared.MANIFEST).write_text(text)
    made.collection.read.clear()
    again = prepare.prepare(request(made.collection), made.collection, progress=lambda *_: None)
    assert again == made.data
    assert made.collection.read == []


@pytest.mark.parametrize("text", ["{", "[]", '{"made": {"sha256": 3}, "problems": []}', "[" * 100_000])
def test_that_a_damaged_record_of_a_pair_is_made_anew(made: Made, text: str) -> None:
    (made.data.folder / prepared.MANIFEST).unlink()
    (made.data.folder / f"{made.data.items[0].key}.json").write_text(text)
    again = prepare.prepare(request(made.collection), made.collection, progress=lambda *_: None)
    assert again.identity == made.data.identity


def test_that_missing_arrays_do_not_keep_a_run_from_the_pairs_that_it_used(made: Made, tmp_path: Path) -> None:
    prepare.note(tmp_path, made.data, request(made.collection))
    array(made, 0, "input").unlink()
    assert prepare.noted(tmp_path, request(made.collection)) == made.data


def test_that_of_many_images_made_anew_the_first_are_told(collection: Collection) -> None:
    for number in range(MOST_REPORTED + 2):
        plane = np.rint(phantom(200, 192, seed=number) * 4095).astype(np.uint16)
        collection.add(f"{number:02}.dcm", plane)
    made = mended(collection)
    for path in made.data.folder.glob("*.input.npy"):
        path.unlink()
    list(Loader(made.data, made.data.items).in_order())
    assert len(made.reported) == MOST_REPORTED + 1
    assert made.reported[-1].startswith("More damaged images")
