"""How wide and how high pixels are is noted with prepared pairs."""

from __future__ import annotations

import json

import pytest

from collection import Collection
from data.test_prepare import made, picture
from fullfield.data import prepared


def test_that_how_large_pixels_are_is_noted_also_where_the_preparation_was_interrupted(collection: Collection) -> None:
    for number, spacing_mm in enumerate(((0.3, 0.2), (0.2, 0.2))):
        collection.add(f"{number}.dcm", picture(number), patient=f"P{number}", spacing_mm=spacing_mm)
    first = made(collection)
    assert sorted(item.pixel_size for item in first.items) == [(1.0, 1.0), (1.0, pytest.approx(1.5))]
    collection.read.clear()
    assert made(collection) == first
    (first.folder / prepared.MANIFEST).unlink()
    assert made(collection).items == first.items and collection.read == []


def test_that_pairs_that_an_earlier_version_prepared_are_taken_for_square(collection: Collection) -> None:
    for number in range(2):
        collection.add(f"{number}.dcm", picture(number), patient=f"P{number}")
    first = made(collection)
    manifest = first.folder / prepared.MANIFEST
    values = json.loads(manifest.read_text())
    for item in values["items"]:
        del item["pixel_size"]
    manifest.write_text(json.dumps(values))
    assert prepared.load(first.folder) == first
