"""What the window's session keeps of an image that is open, and what it leaves for the window to map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from enhance.conftest import MakeDecoded
from fullfield.enhance.destinations.base import Made, Request
from fullfield.enhance.opened import Opened, Result, Shown, as_source, remove_results
from fullfield.image.image import Enhanced, Recipe
from fullfield.image.marks import Disagreement, disagreement_at, marks_at
from fullfield.protocol.batch import Item
from fullfield.protocol.events import ItemEnhanced

RECIPE = Recipe(method="preset", name="general", version="1.2", sha256="ab" * 32, parameters="p")
ITEM = Item(index=7, source="a.dcm", target="a_enhanced.dcm")


@pytest.fixture
def enhanced() -> Enhanced:
    return Enhanced(pixels=np.arange(12, dtype=np.uint16).reshape(3, 4), bits=12, recipe=RECIPE, warnings=("told",))


def test_that_a_result_is_left_and_found_again_with_its_pixels_mapped(enhanced: Enhanced, tmp_path: Path) -> None:
    left = Result.left_at(tmp_path / "x.npy", enhanced, kind="raw")
    assert (left.path, left.bits, left.recipe, left.kind) == (tmp_path / "x.npy", 12, RECIPE, "raw")
    found = left.load()
    assert isinstance(found.pixels, np.memmap) and np.array_equal(found.pixels, enhanced.pixels)
    assert (found.bits, found.recipe, found.warnings) == (12, RECIPE, ())


def test_that_an_image_that_is_opened_has_nothing_yet_and_what_is_ready_is_what_is_last() -> None:
    image = Opened(ITEM)
    assert image.ready is image.last and not image.ready.is_set()
    assert (image.folder, image.result, image.cancelled, image.closed) == (None, None, False, False)


def test_that_what_is_shown_is_left_under_a_new_name_and_what_was_before_is_gone(
    enhanced: Enhanced, radiograph: MakeDecoded, tmp_path: Path
) -> None:
    image, decoded = Opened(ITEM), radiograph(20, 20)
    shown, request = Shown(tmp_path, image), Request(item=ITEM, kind="raw")
    assert not shown.has(request, "0" * 64), "what is asked for again is made again"

    def put(made: Enhanced) -> ItemEnhanced:
        return shown.put(Made(request=request, input="0123456789abcdef", decoded=decoded, enhanced=made))

    first = put(enhanced)
    assert (first.index, first.input, first.bits, first.recipe) == (7, "0123456789ab", 12, "preset general 1.2")
    assert (first.digest, first.made_by, first.method_wanted) == (RECIPE.digest, RECIPE.sha256, "")
    assert first.disagreement is None and first.seconds >= 0
    assert image.result is not None and image.result.kind == "raw" and image.result.path == Path(first.enhanced)
    assert [path.name for path in tmp_path.iterdir()] == [Path(first.enhanced).name]
    (tmp_path / "77-1.npy").touch()  # of another image

    cells = np.array([[1, 2]], np.uint8)
    more = replace(enhanced, marks=cells, disagreement=Disagreement(cells=cells, p99=0.25), method_wanted="model")
    second = put(more)
    path = Path(second.enhanced)
    assert second.disagreement == 0.25 and second.method_wanted == "model"
    assert {one.name for one in tmp_path.iterdir()} == {
        path.name,
        marks_at(path).name,
        disagreement_at(path).name,
        "77-1.npy",
    }
    assert np.load(marks_at(path)).tolist() == np.load(disagreement_at(path)).tolist() == [[1, 2]]
    remove_results(tmp_path, 7)
    assert [one.name for one in tmp_path.iterdir()] == ["77-1.npy"]


def test_that_an_image_that_has_been_read_is_a_source(radiograph: MakeDecoded) -> None:
    decoded = radiograph(20, 20)
    with as_source(decoded) as source, source.decoded as found:
        assert source.sha256 == decoded.header.sha256 and found is decoded
