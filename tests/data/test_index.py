"""A folder as a cached index."""

from __future__ import annotations

import os

import pytest

from collection import Collection
from fullfield import files
from fullfield.data import index
from fullfield.errors import InputUnreadable
from fullfield.image.image import Pixels


def test_that_an_unchanged_folder_is_not_read_again(collection: Collection, noise: Pixels) -> None:
    collection.add("a.dcm", noise)
    collection.add("b/c.dcm", noise + 1)
    first = index.build(collection.folder, collection)
    assert collection.read == ["a.dcm", "b/c.dcm"]
    assert index.build(collection.folder, collection) == first
    assert collection.read == ["a.dcm", "b/c.dcm"]


def test_that_only_a_changed_file_is_read_again(collection: Collection, noise: Pixels) -> None:
    collection.add("a.dcm", noise)
    collection.add("b.dcm", noise)
    index.build(collection.folder, collection)
    collection.add("b.dcm", noise + 1)
    os.utime(collection.folder / "b.dcm", ns=(1, 1))
    collection.read.clear()
    index.build(collection.folder, collection)
    assert collection.read == ["b.dcm"]


def test_that_an_unreadable_file_becomes_a_problem_and_the_rest_is_kept(collection: Collection, noise: Pixels) -> None:
    collection.add("a.dcm", noise)
    (collection.folder / "broken.dcm").write_bytes(b"nothing")
    (collection.folder / "notes.txt").write_text("not an image")
    found = index.build(collection.folder, collection)
    assert [source.relative for source in found.sources] == ["a.dcm"]
    (problem,) = found.problems
    assert problem.relative == "broken.dcm"
    assert problem.sentence() == "File 2: cannot be used: It is no radiograph."


def test_that_the_cache_holds_no_identifier_of_the_patient(collection: Collection, noise: Pixels) -> None:
    collection.add("a.dcm", noise, patient="SECRET-4711", study_instance_uid="1.2.3.44444", sop_instance_uid="1.2.9999")
    index.build(collection.folder, collection)
    (store,) = (files.cache_folder() / "index").iterdir()
    text = store.read_text()
    assert "SECRET-4711" not in text
    assert "1.2.3.44444" not in text
    assert "1.2.9999" not in text


def test_that_a_damaged_cache_is_made_anew(collection: Collection, noise: Pixels) -> None:
    collection.add("a.dcm", noise)
    first = index.build(collection.folder, collection)
    (store,) = (files.cache_folder() / "index").iterdir()
    store.write_bytes(store.read_bytes()[:40])
    assert index.build(collection.folder, collection) == first


def test_that_a_missing_folder_is_said(collection: Collection) -> None:
    with pytest.raises(InputUnreadable, match="no such folder"):
        index.build(collection.folder / "elsewhere", collection)
