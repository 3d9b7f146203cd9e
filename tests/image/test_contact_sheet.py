"""The picture of before and after."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image as Pictures

from fullfield.image import contact_sheet
from fullfield.image.image import Enhanced, HighValues, Image, InputKind, Recipe


def tile(
    rows: int, columns: int, caption: str = "1: preset general", spacing_mm: tuple[float, float] | None = None
) -> contact_sheet.Tile:
    ramp = np.linspace(0, 4095, rows * columns).reshape(rows, columns).astype(np.uint16)
    image = Image(pixels=ramp, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, spacing_mm=spacing_mm)
    recipe = Recipe(method="preset", name="general", version="1", sha256="0")
    return contact_sheet.draw(image, Enhanced(pixels=4095 - ramp, bits=12, recipe=recipe), caption=caption, side=200)


def test_that_before_stands_left_of_after() -> None:
    drawn = np.asarray(tile(100, 150))[-100:, :]
    before, after = drawn[:, :150], drawn[:, -150:]
    assert before[-1, 10] > before[0, 10] and after[-1, 10] < after[0, 10]


def test_that_padding_is_black_in_the_picture_before_as_in_every_viewer() -> None:
    pixels = np.full((100, 100), 1000, np.uint16)
    pixels[:, :50] = 4095
    image = Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, padding=(4095, 4095))
    recipe = Recipe(method="preset", name="general", version="1", sha256="0")
    drawn = contact_sheet.draw(image, Enhanced(pixels=pixels, bits=12, recipe=recipe), caption="", side=100)
    assert np.all(np.asarray(drawn)[-100:, :50] == 0)


def test_that_a_picture_is_never_enlarged_and_never_larger_than_the_side() -> None:
    assert tile(10, 10).height < 60
    assert tile(4000, 1000).height < 250


def test_that_pixels_that_are_not_square_are_drawn_in_true_proportions() -> None:
    heading, high = (tile(100, 40, spacing_mm=spacing_mm).height for spacing_mm in ((0.1, 0.1), (0.2, 0.1)))
    assert high - heading == 100
    assert tile(300, 60, spacing_mm=(0.1, 0.3)).height == tile(300, 60).height


def test_that_a_long_caption_is_cut_to_the_picture() -> None:
    assert tile(50, 200, caption="x" * 500).width == tile(50, 200).width


def test_that_the_sheet_holds_every_tile() -> None:
    with Pictures.open(io.BytesIO(contact_sheet.encoded([tile(100, 150)] * 5))) as sheet:
        assert sheet.height > 3 * 100 and sheet.width > 2 * 300


def test_that_a_sheet_of_nothing_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no images"):
        contact_sheet.encoded([])
